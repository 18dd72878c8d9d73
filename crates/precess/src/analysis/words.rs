//! Describes motions in words: the body that moves most, its axis, and bodies that move with it or against
//! it.

use crate::mechanics::Multibody;
use crate::mechanics::State;
use crate::mechanics::kernels::Group;
use crate::mechanics::mechanism::Mechanism;
use nalgebra::{DVector, Matrix3, UnitQuaternion, Vector3};

use crate::analysis::local::Layout;

/// Axes of body coordinates in space.
#[derive(Clone, Debug)]
pub struct Axes {
    /// Axes of the rotations of each body.
    rotations: Vec<Matrix3<f64>>,
    /// Axes of its translations.
    translations: Vec<Matrix3<f64>>,
}

impl Axes {
    /// The axes at a state.
    pub fn new(system: &dyn Mechanism, state: &State) -> Self {
        let bodies = system.bodies(&state.at());
        let rotations: Vec<Matrix3<f64>> = bodies
            .iter()
            .map(|b| {
                let [w, x, y, z] = b.rotation;
                let q = UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
                q.to_rotation_matrix().into_inner()
            })
            .collect();
        let se3 = Multibody::of(system).is_some_and(|m| m.kind() == Group::SE3);
        let translations = if se3 { rotations.clone() } else { vec![Matrix3::identity(); rotations.len()] };
        Axes { rotations, translations }
    }

    /// Rotation and translation of a body in space.
    pub fn spatial(&self, layout: &Layout, body: usize, x: &DVector<f64>) -> [Vector3<f64>; 2] {
        let take = |r: std::ops::Range<usize>| {
            if r.len() == 3 {
                Vector3::new(x[r.start], x[r.start + 1], x[r.start + 2])
            } else {
                Vector3::zeros()
            }
        };
        [
            self.rotations[body] * take(layout.rotation(body)),
            self.translations[body] * take(layout.translation(body)),
        ]
    }
}

/// Six digits. Rounding errors become zero.
pub fn short(x: f64) -> String {
    if x.abs() < 1e-12 { "0".to_string() } else { crate::study::text::six_digits(x) }
}

/// Names and units of a quantity with n components: `tip.x, m` and so on.
pub(crate) fn component_names(name: &str, n: usize, unit: &str) -> Vec<String> {
    let part = |i: usize| if n == 1 { "" } else { [".x", ".y", ".z"].get(i).copied().unwrap_or("") };
    (0..n).map(|i| format!("{name}{}, {unit}", part(i)).trim_end_matches(", ").to_string()).collect()
}

/// Bodies that move less than this part of the largest motion are not mentioned.
const SMALL_PART: f64 = 0.3;
/// Bodies with less than this part of the energy of a vibration are not mentioned.
const SMALL_SHARE: f64 = 0.03;
/// Largest number of mentioned bodies.
const MAX_BODIES: usize = 3;

/// The motion x in words, for example `'lower' turns about y, 'upper' against it`.
pub fn motion(layout: &Layout, x: &DVector<f64>, axes: Option<&Axes>) -> String {
    described(layout, x, axes, None)
}

/// The same for a vibration: the body with the largest share of the kinetic energy comes first, and bodies
/// with small shares are not mentioned. So a heaving car is not named after its light arms.
pub fn vibration(layout: &Layout, x: &DVector<f64>, axes: &Axes, shares: &[f64]) -> String {
    let known = shares.iter().all(|s| s.is_finite()) && shares.iter().any(|s| *s > 0.0);
    described(layout, x, Some(axes), known.then_some(shares))
}

fn described(layout: &Layout, x: &DVector<f64>, axes: Option<&Axes>, shares: Option<&[f64]>) -> String {
    let plain = Axes {
        rotations: vec![Matrix3::identity(); layout.bodies.len()],
        translations: vec![Matrix3::identity(); layout.bodies.len()],
    };
    let axes = axes.unwrap_or(&plain);
    let parts: Vec<[Vector3<f64>; 2]> =
        (0..layout.bodies.len()).map(|i| axes.spatial(layout, i, x)).collect();
    let turning = parts.iter().map(|p| p[0].norm()).fold(0.0, f64::max);
    let moving = parts.iter().map(|p| p[1].norm()).fold(0.0, f64::max) / layout.length;
    let bending = layout.modal.iter().map(|m| (m.size(x), m.body)).max_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((size, body)) = bending
        && size > turning.max(moving)
    {
        return format!("'{}' deforms", layout.names[body]);
    }
    let share = |i: usize| shares.and_then(|s| s.get(i)).copied();
    let mut order: Vec<usize> = (0..parts.len()).collect();
    let [turning, moving] = match shares {
        Some(_) => {
            order.sort_by(|&i, &j| share(j).unwrap_or(0.0).total_cmp(&share(i).unwrap_or(0.0)));
            let lead = order.first().and_then(|&i| parts.get(i));
            lead.map_or([turning, moving], |p| [p[0].norm(), p[1].norm() / layout.length])
        }
        None => [turning, moving],
    };
    let kind = if turning >= SMALL_PART * moving { 0 } else { 1 };
    let verb = ["turns about", "moves along"][kind];
    if shares.is_none() {
        order.sort_by(|&i, &j| parts[j][kind].norm().total_cmp(&parts[i][kind].norm()));
    }
    let Some(&first) = order.first() else { return "nothing moves".to_string() };
    let lead = parts[first][kind];
    if !(lead.norm() > 0.0) {
        return "a state of a control changes".to_string();
    }
    let mut text = format!("'{}' {verb} {}", layout.names[first], axis(&lead));
    let counts = |i: usize| {
        parts[i][kind].norm() > SMALL_PART * lead.norm() && share(i).is_none_or(|s| s > SMALL_SHARE)
    };
    let others: Vec<usize> = order[1..].iter().copied().filter(|&i| counts(i)).collect();
    for &i in others.iter().take(MAX_BODIES - 1) {
        let cosine = parts[i][kind].dot(&lead) / (parts[i][kind].norm() * lead.norm());
        let how = match cosine {
            c if c > 0.9 => "with it".to_string(),
            c if c < -0.9 => "against it".to_string(),
            _ => format!("{} {}", ["about", "along"][kind], axis(&parts[i][kind])),
        };
        text.push_str(&format!(", '{}' {how}", layout.names[i]));
    }
    match others.len().saturating_sub(MAX_BODIES - 1) {
        0 => {}
        1 => text.push_str(", and one more"),
        n => text.push_str(&format!(", and {n} more")),
    }
    text
}

/// The nearest coordinate axis, or the direction itself.
pub fn axis(direction: &Vector3<f64>) -> String {
    let d = direction / direction.norm();
    for (i, name) in ["x", "y", "z"].iter().enumerate() {
        if d[i].abs() > 0.995 {
            return (*name).to_string();
        }
    }
    // The sign is arbitrary: the largest part is positive.
    let d = d * d[d.iamax()].signum();
    let parts = d.iter().map(|x| format!("{:.2}", x + 0.0)).map(|s| s.replace("-0.00", "0.00"));
    format!("({})", parts.collect::<Vec<_>>().join(", "))
}
