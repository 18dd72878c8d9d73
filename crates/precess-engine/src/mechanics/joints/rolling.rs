//! Rolling: a wheel or a ball of b, with its centre in the point of b and its axis b_3, rolls on the plane
//! normal to a_3. One position row and two velocity rows.

use nalgebra::Vector1;

use super::rows::{Frame, JointRows};
use crate::mechanics::kernels::Offset;
use crate::mechanics::kernels::rolling::{Rolling, Touch};

/// It touches the plane and does not slip. The contact of a ball needs no direction.
pub fn rows(f: &Frame, circle: f64, section: f64) -> Vec<JointRows> {
    let touch = if circle == 0.0 {
        JointRows::Offset1(Offset::constraint([f.a.axis(2)], f.a.p, f.b.p, Vector1::new(section), f.length))
    } else {
        JointRows::Touch(Box::new(Touch::new(&f.a, &f.b, circle, section, f.length)))
    };
    vec![touch, JointRows::Rolling(Box::new(Rolling::new(&f.a, &f.b, circle, section, f.length)))]
}
