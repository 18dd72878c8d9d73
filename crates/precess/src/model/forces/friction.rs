//! `type = "friction"`: friction in a joint, viscous, dry, or proportional to the load of the joint.

use super::*;
use crate::mechanics::forces::JointFriction;
use crate::mechanics::forces::along::slip::{Dry, Viscous};
use crate::mechanics::forces::friction::FrictionKind;
use crate::mechanics::joints::JointKind;
use crate::mechanics::kernels::{self, FrictionData, Screw};
use crate::model::find::joint;

/// Rounding of the load of friction at zero, relative to a newton; it keeps the derivative finite without any
/// load.
const LOAD_ROUNDING: f64 = 1e-6;

/// Friction in a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct Friction {
    /// Joint: revolute, prismatic or cylindrical; any joint with a coordinate if there is only viscous
    /// friction.
    pub at: At,
    /// Its parameters.
    pub data: FrictionSpec,
}

/// Parameters of joint friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionSpec {
    /// Coefficient of the rate, N m s/rad or N s/m.
    pub viscous: f64,
    /// Coulomb coefficient mu; zero for viscous friction only.
    pub coefficient: f64,
    /// Bearing radius in m; not used by prismatic joints.
    pub radius: f64,
    /// Bearing length in m: a bending moment loads the bearing by moment over this length.
    pub bearing_length: f64,
    /// Speed of the coordinate (of sliding in cylindrical joints) below which friction fades.
    pub speed: f64,
    /// Dry friction that does not depend on the load of the joint, N m or N.
    pub constant: f64,
}

impl InFiles for Friction {
    const KEYS: Keys =
        &["joint", "of", "viscous", "constant", "coefficient", "radius", "bearing_length", "speed"];
    const MEANT: Meant = &[(&["force", "torque", "value", "preload"], "constant"), (&["damping"], "viscous")];

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let (block, at) = (from.block, e.joint_of_force(from, "friction")?);
        let viscous = e.not_negative(&from.at("viscous"), &block.viscous);
        let coefficient = e.not_negative(&from.at("coefficient"), &block.coefficient);
        let constant = e.not_negative(&from.at("constant"), &block.constant);
        if block.viscous.is_none() && block.coefficient.is_none() && block.constant.is_none() {
            e.missing(from, "coefficient", "mu, constant = a force or torque, or viscous = c");
        }
        if constant > 0.0 && coefficient > 0.0 {
            let message = "friction that is constant and friction that follows the load are two forces";
            e.problem(&from.at("constant"), message, "write two [[force]] blocks");
        }
        let radius = e.positive_option(&from.at("radius"), &block.radius);
        let bearing = e.positive_option(&from.at("bearing_length"), &block.bearing_length);
        let speed = e.positive_option(&from.at("speed"), &block.speed);
        if coefficient > 0.0 {
            use JointKind::{Cylindrical, Prismatic, Revolute};
            let kind = e.find_joint(from.model, &at.joint).map(|j| j.kind);
            if !matches!(kind, None | Some(Revolute | Prismatic | Cylindrical)) {
                e.problem(
                    &from.at("joint"),
                    "Coulomb friction is known for revolute, prismatic and cylindrical joints",
                    "use viscous friction only",
                );
            }
            if radius.is_none() && kind != Some(Prismatic) {
                e.missing(from, "radius", "r, the bearing radius in m");
            }
            if bearing.is_none() {
                e.missing(from, "bearing_length", "b, in m: a bending moment M loads the bearing by M/b");
            }
        }
        if (coefficient > 0.0 || constant > 0.0) && speed.is_none() {
            e.missing(from, "speed", "the rate below which friction fades, for example 0.01");
        }
        let data = FrictionSpec {
            constant,
            viscous,
            coefficient,
            radius: radius.unwrap_or(1.0),
            bearing_length: bearing.unwrap_or(1.0),
            speed: speed.unwrap_or(1.0),
        };
        Some(Friction { at, data }.into())
    }
}

impl ForceModel for Friction {
    fn build(&self, name: String, _: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let (at, spec) = (&self.at, &self.data);
        let joint = joint(system, &at.joint)?.1.clone();
        let data = FrictionData {
            mu: spec.coefficient,
            w_s: spec.speed,
            eps: LOAD_ROUNDING,
            c_v: spec.viscous,
            length: system.length_scale(),
            bearing: spec.bearing_length,
        };
        let unsupported =
            |reason: String| Err(Error::Unsupported { method: format!("friction '{name}'"), reason });
        if spec.coefficient == 0.0 {
            let (coordinate, c_v) = (coordinate(system, at)?, spec.viscous);
            let law = match spec.constant {
                0.0 => LawKind::Viscous(Viscous { c_v }),
                level => LawKind::Dry(Dry { c_v, level, speed: spec.speed }),
            };
            return Ok(Force::Along(Along { name, coordinate, law }));
        }
        let kind = match joint.kind {
            _ if spec.constant != 0.0 => {
                let reason = "friction that is constant and friction that follows the load are two forces";
                return unsupported(reason.to_string());
            }
            JointKind::Revolute => FrictionKind::Single {
                coordinate: coordinate(system, at)?,
                law: kernels::Friction::revolute(&data, spec.radius),
            },
            JointKind::Prismatic => FrictionKind::Single {
                coordinate: coordinate(system, at)?,
                law: kernels::Friction::prismatic(&data),
            },
            JointKind::Cylindrical => FrictionKind::Screw {
                measure: Screw::new(&joint.marker_a, &joint.marker_b),
                law: kernels::Friction::cylindrical(&data, spec.radius),
            },
            _ => {
                return unsupported(format!(
                    "joint '{}' is not revolute, prismatic or cylindrical; use viscous friction only",
                    joint.name
                ));
            }
        };
        Ok(Force::Friction(JointFriction { name, link: joint.link, first: joint.range.start, kind }))
    }

    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
        entry
            .with("type", "friction")
            .at(&self.at)
            .with("viscous", self.data.viscous)
            .with("coefficient", self.data.coefficient)
            .with("radius", self.data.radius)
            .with("bearing_length", self.data.bearing_length)
            .with_if(self.data.constant != 0.0, "constant", self.data.constant)
            .with("speed", self.data.speed)
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        Friction { at: to.at(&self.at), data: self.data }.into()
    }

    fn refused_in_directors(&self) -> Option<&'static str> {
        (self.data.coefficient != 0.0 || self.data.constant != 0.0)
            .then_some("depends on the reaction of its joint, which energy-momentum schemes do not support")
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        needed.coordinate(&self.at)
    }

    fn in_directors(&self, _: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        system.loads.push(loads::shared(places.coordinate(&self.at)?.damper(self.data.viscous)?));
        Ok(())
    }
}
