//! The common quantities of all formulations of a model, as one row of numbers: poses and velocities of the
//! bodies, multipliers of the joints, sensors. Errors are measured between such rows, so they can be compared
//! across formulations.

use crate::mechanics::At;
use crate::mechanics::mechanism::Mechanism;

/// Numbers per body: quaternion (w, x, y, z), position, angular velocity (body frame), velocity (inertial
/// frame).
const BODY: usize = 13;

/// The layout of a row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowLayout {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of multipliers; 0 if the formulation has none, or other ones.
    pub lambda: usize,
    /// Number of reaction components, three of the force and three of the torque of each joint; 0 if they are
    /// not unique.
    pub reactions: usize,
    /// Sensors with their numbers of values.
    pub sensors: Vec<(String, usize)>,
}

impl RowLayout {
    /// The layout of a system; `multipliers` is false for formulations with other constraints.
    pub fn of(system: &dyn Mechanism, at: &At, multipliers: bool) -> Self {
        let joints = system.reactions(at);
        let lambda = joints.iter().map(|j| j.multipliers.len()).sum();
        RowLayout {
            bodies: system.bodies(at).len(),
            lambda: if multipliers { lambda } else { 0 },
            reactions: if joints.iter().all(|j| j.unique) { 6 * joints.len() } else { 0 },
            sensors: system.sensors(at).into_iter().map(|(name, x)| (name, x.len())).collect(),
        }
    }

    /// Numbers in a row.
    pub fn len(&self) -> usize {
        BODY * self.bodies + self.lambda + self.reactions + self.sensors.iter().map(|s| s.1).sum::<usize>()
    }

    /// True for an empty row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reads a system into `row`.
    pub fn read(&self, system: &dyn Mechanism, at: &At, row: &mut Vec<f64>) {
        row.clear();
        for b in system.bodies(at) {
            row.extend(b.rotation);
            for x in [b.position, b.angular_velocity, b.velocity] {
                row.extend_from_slice(x.as_slice());
            }
        }
        if self.lambda + self.reactions > 0 {
            let joints = system.reactions(at);
            if self.lambda > 0 {
                joints.iter().for_each(|j| row.extend_from_slice(&j.multipliers));
            }
            if self.reactions > 0 {
                joints
                    .iter()
                    .flat_map(|j| [j.force, j.torque])
                    .for_each(|x| row.extend_from_slice(x.as_slice()));
            }
        }
        if !self.sensors.is_empty() {
            row.extend(system.sensors(at).into_iter().flat_map(|s| s.1));
        }
    }

    /// Chooses the signs of the quaternions of `row` next to those of `before`.
    pub fn align(&self, before: &[f64], row: &mut [f64]) {
        for body in 0..self.bodies {
            let i = BODY * body;
            let cosine: f64 = (i..i + 4).map(|j| before[j] * row[j]).sum();
            if cosine < 0.0 {
                row[i..i + 4].iter_mut().for_each(|x| *x = -*x);
            }
        }
    }

    /// Makes the quaternions of `row` unit ones again.
    pub fn normalise(&self, row: &mut [f64]) {
        for body in 0..self.bodies {
            let p = &mut row[BODY * body..BODY * body + 4];
            let size = norm(p.iter().copied());
            p.iter_mut().for_each(|x| *x /= size);
        }
    }

    /// Names of the quantities whose errors are measured.
    pub fn quantities(&self) -> Vec<String> {
        ["q", "v", "lambda"]
            .map(String::from)
            .into_iter()
            .chain(self.sensors.iter().map(|s| s.0.clone()))
            .collect()
    }

    /// Sizes |v|, |lambda| and |reactions| of a row.
    pub fn sizes(&self, row: &[f64]) -> Sizes {
        let v = (0..self.bodies).flat_map(|body| row[BODY * body + 7..BODY * (body + 1)].iter().copied());
        let (lambda, reactions) = row[BODY * self.bodies..].split_at(self.lambda);
        let joints = [lambda, &reactions[..self.reactions]].map(|x| norm(x.iter().copied()));
        Sizes { v: norm(v), lambda: joints[0], reactions: joints[1] }
    }

    /// Errors of `row` against `exact`, which has the layout `other`, in the order of
    /// [`quantities`](Self::quantities):
    ///
    /// - q: `sqrt(sum |log(R_n^T R)|^2 + |x_n - x|^2)` over the bodies, which is `|log(q_n^-1 o q)|_2` in
    ///   R^3xSO(3);
    /// - v: `|v_n - v| / |v_n|` over all angular velocities (body frame) and velocities (inertial frame);
    /// - lambda: `|lambda_n - lambda| / |lambda_n|` over the multipliers of the joints, or over their forces
    ///   and torques if the multipliers differ;
    /// - sensors: `|s_n - s|_2`.
    ///
    /// `largest` contains the largest sizes of the reference. If `v_n` or `lambda_n` is smaller than a tenth
    /// of them, the error is relative to that tenth, so that it is meaningful for motions that start from
    /// zero.
    pub fn errors(&self, row: &[f64], other: &RowLayout, exact: &[f64], largest: &Sizes) -> Vec<Option<f64>> {
        let (mut q, mut dv) = (0.0, 0.0);
        for body in 0..self.bodies {
            let (a, b) = (&row[BODY * body..][..BODY], &exact[BODY * body..][..BODY]);
            q += turn(a, b).powi(2) + square(a, b, 4..7);
            dv += square(a, b, 7..13);
        }
        let size = self.sizes(row);
        let mut errors = vec![Some(q.sqrt()), Some(ratio(dv, size.v, largest.v))];
        let (i, j) = (BODY * self.bodies, BODY * other.bodies);
        let (k, l) = (i + self.lambda, j + other.lambda);
        errors.push(if self.lambda > 0 && self.lambda == other.lambda {
            let difference = square(&row[i..], &exact[j..], 0..self.lambda);
            Some(ratio(difference, size.lambda, largest.lambda))
        } else if self.reactions > 0 && self.reactions == other.reactions {
            let difference = square(&row[k..], &exact[l..], 0..self.reactions);
            Some(ratio(difference, size.reactions, largest.reactions))
        } else {
            None
        });
        let (mut i, mut j) = (k + self.reactions, l + other.reactions);
        for (s, o) in self.sensors.iter().zip(&other.sensors) {
            errors.push((s == o).then(|| square(&row[i..], &exact[j..], 0..s.1).sqrt()));
            i += s.1;
            j += o.1;
        }
        errors
    }
}

/// Sizes to which errors are relative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sizes {
    /// |v| over all bodies.
    pub v: f64,
    /// |lambda| over all joints.
    pub lambda: f64,
    /// Size of forces and torques.
    pub reactions: f64,
}

impl Sizes {
    /// The entrywise maximum.
    pub fn max(self, other: Sizes) -> Sizes {
        Sizes {
            v: self.v.max(other.v),
            lambda: self.lambda.max(other.lambda),
            reactions: self.reactions.max(other.reactions),
        }
    }
}

/// Errors are relative to at least this part of the largest value.
const SMALL_PART: f64 = 0.1;

fn norm(x: impl IntoIterator<Item = f64>) -> f64 {
    x.into_iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn square(a: &[f64], b: &[f64], range: std::ops::Range<usize>) -> f64 {
    range.map(|i| (a[i] - b[i]).powi(2)).sum()
}

/// sqrt(a) divided by the size; 0/0 is 0.
fn ratio(a: f64, size: f64, largest: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a.sqrt() / size.max(SMALL_PART * largest) }
}

/// |log(R_a^T R_b)| from the quaternion conj(a) b, exact for small angles.
fn turn(a: &[f64], b: &[f64]) -> f64 {
    let w = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
    let x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2];
    let y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1];
    let z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0];
    2.0 * norm([x, y, z]).atan2(w.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{UnitQuaternion, Vector3};

    #[test]
    fn angles_between_rotations() {
        let a = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, -1.2, 0.7));
        for angle in [0.0, 1e-12, 1e-6, 0.3, 3.0] {
            let b = a * UnitQuaternion::from_scaled_axis(Vector3::new(0.6, 0.0, -0.8) * angle);
            for sign in [1.0, -1.0] {
                let b = [b.w, b.i, b.j, b.k].map(|x| sign * x);
                assert!((turn(&[a.w, a.i, a.j, a.k], &b) - angle).abs() < 1e-15 + 1e-14 * angle, "{angle}");
            }
        }
    }

    #[test]
    fn errors_by_hand() {
        let layout = RowLayout { bodies: 1, lambda: 2, reactions: 0, sensors: vec![("s".into(), 1)] };
        let none = Sizes::default();
        let mut row = vec![1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0, 0.0, 3.0, 0.0, 4.0, 0.0, 0.0, 3.0, 4.0, 7.0];
        let exact = row.clone();
        row[5] += 0.3;
        row[8] += 0.4;
        row[13] += 1.0;
        row[15] -= 2.0;
        let e = layout.errors(&row, &layout, &exact, &none);
        let expected = [0.3, 0.4 / (3.4f64 * 3.4 + 16.0).sqrt(), 1.0 / 32f64.sqrt(), 2.0];
        for (e, x) in e.iter().zip(expected) {
            assert!((e.unwrap() - x).abs() < 1e-14, "{e:?}");
        }
        let other = RowLayout { lambda: 3, ..layout.clone() };
        let longer = [&exact[..15], &[0.0, 5.0]].concat();
        let e = layout.errors(&row, &other, &longer, &none);
        assert_eq!((e[2], e[3]), (None, Some(0.0)));
        assert_eq!(layout.quantities(), ["q", "v", "lambda", "s"]);
    }

    #[test]
    fn errors_of_what_starts_from_zero() {
        let layout = RowLayout { bodies: 1, lambda: 0, reactions: 6, sensors: Vec::new() };
        let mut rest = vec![0.0; BODY + 6];
        rest[0] = 1.0;
        let mut exact = rest.clone();
        (exact[10], exact[BODY]) = (0.3, 0.4);
        let largest = Sizes { v: 20.0, lambda: 0.0, reactions: 8.0 };
        let e = layout.errors(&rest, &layout, &exact, &largest);
        assert!(
            (e[1].unwrap() - 0.3 / 2.0).abs() < 1e-15 && (e[2].unwrap() - 0.4 / 0.8).abs() < 1e-15,
            "{e:?}"
        );
        assert_eq!(layout.sizes(&exact), Sizes { v: 0.3, lambda: 0.0, reactions: 0.4 });
        let other = RowLayout { lambda: 3, ..layout.clone() };
        let longer = [&exact[..BODY], &[9.0; 3], &exact[BODY..]].concat();
        assert_eq!(layout.errors(&rest, &other, &longer, &largest), e, "reactions where multipliers differ");
    }
}
