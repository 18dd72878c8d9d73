//! Bushing: an elastic bearing between two frames, undeformed in the assembled positions.
//!
//! Displacements of the point of b are measured along the axes of the frame on a, the relative rotation as the vector
//! 2 tan(angle/2) axis, which stiffens towards half a turn. The forces act at the point of b on both bodies.
//! Without any rotational stiffness and damping the rotation is not looked at, so that the bodies may spin freely.

use nalgebra::{Matrix3, Matrix6};

use super::super::kernels::{self, Gibbs, Law, Marker, Measure, Offset, compliant};
use super::super::links::{Bodies, Link};
use super::super::system::At;
use super::super::tangents::Tangents;
use super::Element;
use super::element::add_compliant_tangents;

/// An elastic bearing.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    /// Name.
    pub name: String,
    /// The bodies.
    pub link: Link,
    kind: Kind,
}

#[derive(Clone, Debug, PartialEq)]
enum Kind {
    /// Translations only.
    Cartesian { measure: Offset<3>, k: Matrix3<f64>, c: Matrix3<f64> },
    /// All six motions.
    Full(Box<Full>),
}

#[derive(Clone, Debug, PartialEq)]
struct Full {
    measure: kernels::Bushing,
    k: Matrix6<f64>,
    c: Matrix6<f64>,
}

impl Bushing {
    /// Between two markers with stiffness k and damping c, translations before rotations.
    pub fn new(name: String, link: Link, a: &Marker, b: &Marker, k: Matrix6<f64>, c: Matrix6<f64>) -> Self {
        let measure = kernels::Bushing::new(a, b);
        let rotates = |m: &Matrix6<f64>| {
            m.fixed_view::<6, 3>(0, 3).amax() > 0.0 || m.fixed_view::<3, 6>(3, 0).amax() > 0.0
        };
        let kind = if rotates(&k) || rotates(&c) {
            Kind::Full(Box::new(Full { measure, k, c }))
        } else {
            Kind::Cartesian {
                measure: measure.offset,
                k: k.fixed_view::<3, 3>(0, 0).into_owned(),
                c: c.fixed_view::<3, 3>(0, 0).into_owned(),
            }
        };
        Bushing { name, link, kind }
    }
}

impl Element for Bushing {
    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        let g = match &self.kind {
            Kind::Cartesian { measure, k, c } => {
                let s = k * measure.value(&pair) + c * measure.bv(&pair, &v);
                compliant::force(measure, &pair, &s)
            }
            Kind::Full(full) => {
                let Full { measure, k, c } = full.as_ref();
                let mut s = k * measure.value(&pair) + c * measure.bv(&pair, &v);
                if measure.gibbs.margin(&pair) < Gibbs::MIN_MARGIN {
                    s.fill(f64::NAN);
                }
                compliant::force(measure, &pair, &s)
            }
        };
        bodies.add_force(self.link, &g, r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let (pair, v) = (bodies.pair(self.link, at.q), bodies.motion(self.link, at.v));
        match &self.kind {
            Kind::Cartesian { measure, k, c } => {
                let law = Law::linear(k, c, &measure.value(&pair), &measure.bv(&pair, &v));
                add_compliant_tangents(bodies, self.link, measure, (&pair, &v), &law, out);
            }
            Kind::Full(full) => {
                let Full { measure, k, c } = full.as_ref();
                let law = Law::linear(k, c, &measure.value(&pair), &measure.bv(&pair, &v));
                add_compliant_tangents(bodies, self.link, measure, (&pair, &v), &law, out);
            }
        }
    }

    /// y^T k y / 2; an unsymmetric k has no potential beyond its symmetric part.
    fn potential(&self, bodies: &Bodies, at: &At) -> f64 {
        let pair = bodies.pair(self.link, at.q);
        match &self.kind {
            Kind::Cartesian { measure, k, .. } => {
                let y = measure.value(&pair);
                0.5 * y.dot(&(k * y))
            }
            Kind::Full(full) => {
                let Full { measure, k, .. } = full.as_ref();
                let y = measure.value(&pair);
                0.5 * y.dot(&(k * y))
            }
        }
    }

    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        match &self.kind {
            Kind::Full(full) => {
                let margin = full.measure.gibbs.margin(&bodies.pair(self.link, at.q));
                (!(margin >= Gibbs::MIN_MARGIN)).then(|| {
                    format!(
                        "bushing '{}' is twisted by more than 161 degrees, where its rotation is not defined; \
                         it is meant for small rotations",
                        self.name
                    )
                })
            }
            Kind::Cartesian { .. } => None,
        }
    }
}
