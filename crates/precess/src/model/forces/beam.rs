//! An element of a beam between two nodes, see [`BeamSpec`](crate::model::beam::BeamSpec).

use super::*;
use crate::mechanics::forces::{BeamData, BeamElement};
use crate::model::beam::frame;

/// An element of a beam, without stress in the initial positions of its nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// The nodes.
    pub bodies: [String; 2],
    /// Section, mass and damping.
    pub data: Arc<BeamData>,
}

impl ForceModel for Beam {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let unsupported =
            |reason: String| Error::Unsupported { method: format!("the beam element '{name}'"), reason };
        let node = |body: &String| match names.find(body)? {
            Some((i, body)) if matches!(body.kind, BodyKind::Rigid { .. }) => {
                Ok((i, frame(&body.position, &body.rotation)))
            }
            _ => Err(unsupported(format!("'{body}' is not a rigid body"))),
        };
        let ((i, a), (j, b)) = (node(&self.bodies[0])?, node(&self.bodies[1])?);
        let element = BeamElement::new(name.clone(), [i, j], [&a, &b], &self.data);
        Ok(Force::Custom(Arc::new(element.map_err(|e| unsupported(e.to_string()))?)))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Beam { bodies: to.pair(&self.bodies), data: self.data.clone() }.into()
    }
}
