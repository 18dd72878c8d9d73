//! Nodes of modal bodies, to which joints, forces and sensors attach.
//!
//! A node is a frame that moves with its carrier, a floating frame (R, x) with modal coordinates z:
//!
//! ```text
//! c = p + sum_k Phi_k z_k,    theta = sum_k Psi_k z_k,    pose (R exp(theta), x + R c)
//! ```
//!
//! Its velocity is `J v` with v = (Omega, u, z'); a force w on it is `J^T w` on the carrier. All second-order
//! terms come from one bilinear map, `second(a, b) = D_q(J a)[b]`: the part of an acceleration beyond J v' is
//! second(v, v), Y of a row has the terms B second(v, e), and K of a force w has w . second(e, e').
//!
//! With geometric stiffening, c and theta also have terms of second order, `c += W_kl z_k z_l/2`. Then
//! Phi_k + W_kl z_l takes the place of Phi_k, and second(a, b) has a further term W_kl a_k b_l. Through it,
//! forces and joints at the node stiffen the body: a column buckles.

use nalgebra::{Matrix3, Vector3};
use precess_lie::Number;
use precess_lie::matrix::{SmallMatrix, identity, zeros};
use precess_lie::rotation::{rotation_matrix, skew};

use super::kernels::{Group, Motion, Pose, Wrench};
use crate::mechanics::combine::combine;

/// A frame on a modal body.
#[derive(Clone, Debug, PartialEq)]
pub struct Node<T = f64> {
    /// Name, unique among bodies and nodes.
    pub name: String,
    /// The body that is the floating frame.
    pub frame: usize,
    /// The factor of the modal coordinates in the configuration space.
    pub factor: usize,
    /// First entries of the frame in q and v.
    pub at: [usize; 2],
    /// First entries of the modal coordinates in q and v.
    pub modal: [usize; 2],
    /// Undeformed position in the frame.
    pub point: Vector3<T>,
    /// Displacement in each mode.
    pub shifts: Vec<Vector3<T>>,
    /// Rotation in each mode.
    pub turns: Vec<Vector3<T>>,
    /// Displacement of second order, by pairs of modes `k n + l`, symmetric; empty without stiffening.
    pub shifts2: Vec<Vector3<T>>,
    /// Rotation of second order.
    pub turns2: Vec<Vector3<T>>,
}

/// A velocity of the carrier, or a variation of it, at the node.
#[derive(Clone, Copy, Debug)]
struct Variation<T> {
    omega: Vector3<T>,
    u: Vector3<T>,
    shift: Vector3<T>,
    turn: Vector3<T>,
}

/// Displacement and rotation W_kl a_k b_l of two variations.
type Curving<T> = [Vector3<T>; 2];

/// The part that does not depend on the velocity.
#[derive(Clone, Copy, Debug)]
pub struct NodePose<'a, T = f64> {
    group: Group,
    z: &'a [T],
    r: Matrix3<T>,
    c: Vector3<T>,
    /// theta, and the rotation exp(theta).
    theta: Vector3<T>,
    a: Matrix3<T>,
}

/// Coefficients b, c of the tangent operator I - b X + c X^2 and their derivatives 2 d/ds, from s =
/// |theta|^2, as series that are accurate to round-off up to half a turn.
fn tangent<T: Number>(s: T) -> [T; 4] {
    const TERMS: usize = 13;
    let mut value = [T::zero(); 4];
    for k in (0..TERMS).rev() {
        let factorial = |n: usize| (1..=n).fold(1.0, |p: f64, i| p * i as f64);
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let (b, c) = (sign / factorial(2 * k + 2), sign / factorial(2 * k + 3));
        let next = -sign * 2.0 * (k + 1) as f64;
        let (b1, c1) = (next / factorial(2 * k + 4), next / factorial(2 * k + 5));
        for (x, term) in value.iter_mut().zip([b, c, b1, c1]) {
            *x = *x * s + T::of(term);
        }
    }
    value
}

impl<T: Number> NodePose<'_, T> {
    /// T(theta) y.
    fn tangent(&self, y: &Vector3<T>) -> Vector3<T> {
        let x = &self.theta;
        let [b, c, ..] = tangent(x.inner(x));
        let xy = x.cross(y);
        y - xy * b + x.cross(&xy) * c
    }

    /// Derivative of T(theta) y along e.
    fn tangent_slope(&self, e: &Vector3<T>, y: &Vector3<T>) -> Vector3<T> {
        let x = &self.theta;
        let [b, c, b1, c1] = tangent(x.inner(x));
        let (xy, ey, xe) = (x.cross(y), e.cross(y), x.inner(e));
        (e.cross(&xy) + x.cross(&ey)) * c - ey * b + (x.cross(&xy) * c1 - xy * b1) * xe
    }

    /// J a.
    fn motion(&self, a: &Variation<T>) -> Motion<T> {
        let omega = self.a.transposed_times(&a.omega) + self.tangent(&a.turn);
        let local = a.omega.cross(&self.c) + a.shift;
        let u = match self.group {
            Group::R3xSO3 => a.u + self.r * local,
            Group::SE3 => self.a.transposed_times(&(a.u + local)),
        };
        Motion { omega, u }
    }

    /// D_q(J a)[b].
    fn second(&self, a: &Variation<T>, b: &Variation<T>, curving: Option<&Curving<T>>) -> Motion<T> {
        let tau = self.tangent(&b.turn);
        let turned = self.a.transposed_times(&a.omega);
        let mut omega = self.tangent_slope(&b.turn, &a.turn) - tau.cross(&turned);
        let (local, mut moved) = (a.omega.cross(&self.c) + a.shift, a.omega.cross(&b.shift));
        if let Some([shift, turn]) = curving {
            moved += shift;
            omega += self.tangent(turn);
        }
        let u = match self.group {
            Group::R3xSO3 => self.r * (b.omega.cross(&local) + moved),
            Group::SE3 => {
                self.a.transposed_times(&moved) - tau.cross(&self.a.transposed_times(&(a.u + local)))
            }
        };
        Motion { omega, u }
    }
}

impl<T: Number> Node<T> {
    /// Number of coordinates that move it.
    pub fn dim(&self) -> usize {
        6 + self.shifts.len()
    }

    /// Index of coordinate `j` in v.
    #[inline]
    pub fn index(&self, j: usize) -> usize {
        if j < 6 { self.at[1] + j } else { self.modal[1] + j - 6 }
    }

    fn sum(list: &[Vector3<T>], z: &[T]) -> Vector3<T> {
        list.iter().zip(z).fold(zeros(), |sum, (x, z)| sum + x * *z)
    }

    /// The sum of a list of second order over the modes with a; `k` is the number of the other mode.
    fn sum2(&self, list: &[Vector3<T>], k: usize, a: &[T]) -> Vector3<T> {
        let n = self.shifts.len();
        list.get(k * n..(k + 1) * n).map_or_else(zeros, |row| Self::sum(row, a))
    }

    /// True if there are displacements of second order.
    fn curves(&self) -> bool {
        !self.shifts2.is_empty()
    }

    /// The modal coordinates in a list of velocity coordinates.
    fn rates<'v>(&self, v: &'v [T]) -> &'v [T] {
        &v[self.modal[1]..self.modal[1] + self.shifts.len()]
    }

    /// Displacement and rotation W_kl a_k b_l.
    fn curving(&self, a: &[T], b: &[T]) -> Option<Curving<T>> {
        let sum = |list: &[Vector3<T>]| {
            (0..a.len()).fold(zeros(), |sum: Vector3<T>, k| sum + self.sum2(list, k, b) * a[k])
        };
        self.curves().then(|| [sum(&self.shifts2), sum(&self.turns2)])
    }

    /// The part that depends only on q.
    pub fn deformed<'q>(&self, group: Group, q: &'q [T]) -> NodePose<'q, T> {
        let z = &q[self.modal[0]..self.modal[0] + self.shifts.len()];
        let (mut c, mut theta) = (self.point + Self::sum(&self.shifts, z), Self::sum(&self.turns, z));
        if let Some([shift, turn]) = self.curving(z, z) {
            c += shift * T::of(0.5);
            theta += turn * T::of(0.5);
        }
        let s = theta.inner(&theta);
        // exp(theta) = (I - b X + c X^2 as T) has the coefficients sin p/p and (1 - cos p)/p^2 = 1 - s c and
        // b.
        let [b, tangent_c, ..] = tangent(s);
        let x = skew(&theta);
        NodePose {
            group,
            z,
            r: rotation_matrix(&q[self.at[0]..self.at[0] + 4]),
            c,
            theta,
            a: identity() + x * (T::one() - s * tangent_c) + x * x * b,
        }
    }

    /// Position and orientation.
    pub fn pose(&self, group: Group, q: &[T]) -> Pose<T> {
        let place = self.deformed(group, q);
        let x = Vector3::new(q[self.at[0] + 4], q[self.at[0] + 5], q[self.at[0] + 6]);
        Pose { r: place.r * place.a, x: x + place.r * place.c }
    }

    /// A vector of velocity coordinates as a variation.
    fn variation(&self, place: &NodePose<T>, v: &[T]) -> Variation<T> {
        let (at, rates) = (self.at[1], self.rates(v));
        let [mut shift, mut turn] = [Self::sum(&self.shifts, rates), Self::sum(&self.turns, rates)];
        if let Some([more, turned]) = self.curving(place.z, rates) {
            shift += more;
            turn += turned;
        }
        let [omega, u] = [at, at + 3].map(|i| Vector3::new(v[i], v[i + 1], v[i + 2]));
        Variation { omega, u, shift, turn }
    }

    /// The unit vector of coordinate `j` as a variation.
    fn unit(&self, place: &NodePose<T>, j: usize) -> Variation<T> {
        let zero = zeros();
        let mut e = Variation { omega: zero, u: zero, shift: zero, turn: zero };
        match j {
            0..3 => e.omega[j] = T::one(),
            3..6 => e.u[j - 3] = T::one(),
            _ => {
                (e.shift, e.turn) = (self.shifts[j - 6], self.turns[j - 6]);
                if self.curves() {
                    e.shift += self.sum2(&self.shifts2, j - 6, place.z);
                    e.turn += self.sum2(&self.turns2, j - 6, place.z);
                }
            }
        }
        e
    }

    /// Velocity of the node for the velocities v.
    pub fn motion(&self, place: &NodePose<T>, v: &[T]) -> Motion<T> {
        place.motion(&self.variation(place, v))
    }

    /// Derivative of that velocity for the accelerations v'.
    pub fn acceleration(&self, place: &NodePose<T>, v: &[T], vdot: &[T]) -> Motion<T> {
        let curving = self.curving(self.rates(v), self.rates(v));
        let (v, vdot) = (self.variation(place, v), self.variation(place, vdot));
        let (linear, rest) = (place.motion(&vdot), place.second(&v, &v, curving.as_ref()));
        Motion { omega: linear.omega + rest.omega, u: linear.u + rest.u }
    }

    /// Column `j` of J.
    pub fn column(&self, place: &NodePose<T>, j: usize) -> Motion<T> {
        place.motion(&self.unit(place, j))
    }

    /// Change of the velocity of the node with coordinate `j`.
    pub fn turned(&self, place: &NodePose<T>, v: &[T], j: usize) -> Motion<T> {
        let curving = (j >= 6 && self.curves()).then(|| {
            let rates = self.rates(v);
            [self.sum2(&self.shifts2, j - 6, rates), self.sum2(&self.turns2, j - 6, rates)]
        });
        place.second(&self.variation(place, v), &self.unit(place, j), curving.as_ref())
    }

    /// Change with coordinate `j` of the force of `w` on coordinate `i`.
    pub fn bent(&self, place: &NodePose<T>, w: &Wrench<T>, i: usize, j: usize) -> T {
        let curving = (i >= 6 && j >= 6 && self.curves()).then(|| {
            let pair = (i - 6) * self.shifts.len() + j - 6;
            [self.shifts2[pair], self.turns2[pair]]
        });
        w.dot(&place.second(&self.unit(place, i), &self.unit(place, j), curving.as_ref()))
    }
}

combine!(struct Node { name, frame, factor, at, modal, point, shifts, turns, shifts2, turns2 });
