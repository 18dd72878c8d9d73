//! Geometric stiffness of a modal body: loads that stress the body change its stiffness.
//!
//! A bent rod is shorter. To second order in the modal coordinates, a node is at
//!
//! ```text
//! c = X + sum_k Phi_k z_k + sum_kl W_kl z_k z_l/2          W_kl = W_lk
//! ```
//!
//! A force f at this node adds the stiffness `-f . W_kl`. The frame of the body accelerates, so the masses
//! feel twelve loads: -m a for unit accelerations of the frame (minus gravity), -m alpha x X for unit
//! angular accelerations, and the centrifugal forces of the products of the angular velocity. Instead of
//! adding these stiffnesses to the modal equations alone, the body uses W in its integrals ([`Modal`]):
//!
//! ```text
//! s   += z_k z_l S2_kl/2       S2_kl = sum m W_kl                    S_1,k += z_l S2_kl
//! G_k += z_l G2_kl             G2_kl = sum m X x W_kl
//! I   += z_k z_l I2_kl         I2_kl = sum m (X . W_kl I - (X W_kl^T + W_kl X^T)/2)
//! ```
//!
//! M stays symmetric and linear in the accelerations, and energy and momenta are conserved. The matrices of
//! the loads are entries of these integrals: `K(a_i) = S2.e_i`, `K(alpha_i) = G2.e_i`,
//! `K(w_ii) = -e_i . I2 e_i` and `K(w_ij) = -2 e_i . I2 e_j`.
//!
//! M contains W to first order only, so it is not positive definite where the deflection is large, from
//! about 0.15 of the length of a rod ([`Modal::least_mass`]).
//!
//! [`Modal`]: crate::flex::Modal
//! [`Modal::least_mass`]: crate::flex::Modal::least_mass

use nalgebra::{DMatrix, Matrix3, Vector3};

use crate::flex::rotary::Rotary;

/// Names of the unit loads: accelerations of the frame minus gravity, angular accelerations, products of the
/// angular velocity.
pub const UNIT_LOADS: [&str; 12] =
    ["a1", "a2", "a3", "al1", "al2", "al3", "w11", "w22", "w33", "w12", "w23", "w31"];

/// Entries of an inertia tensor that belong to the last six unit loads.
const PRODUCTS: [[usize; 2]; 6] = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 0]];

/// Second-order motion of a node: `W_kl` and the same for its rotation vector, by pairs of modes `k n + l`.
#[derive(Clone, Debug, PartialEq)]
pub struct SecondOrder {
    /// Displacement.
    pub shifts: Vec<Vector3<f64>>,
    /// Rotation.
    pub turns: Vec<Vector3<f64>>,
}

impl SecondOrder {
    /// No motion, for `n` modes.
    pub fn zeros(n: usize) -> Self {
        SecondOrder { shifts: vec![Vector3::zeros(); n * n], turns: vec![Vector3::zeros(); n * n] }
    }

    /// Displacement and rotation for the modal coordinates `z`.
    pub fn motion(&self, z: &[f64]) -> [Vector3<f64>; 2] {
        [&self.shifts, &self.turns].map(|list| {
            let rows = list.chunks(z.len().max(1)).zip(z);
            rows.flat_map(|(row, a)| row.iter().zip(z).map(move |(w, b)| w * (0.5 * a * b))).sum()
        })
    }
}

/// Integrals of the second-order displacement, by pairs of modes `k n + l`, symmetric.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometric {
    /// `S2`.
    pub s2: Vec<Vector3<f64>>,
    /// `G2`.
    pub g2: Vec<Vector3<f64>>,
    /// `I2`, in addition to that of the modes.
    pub i2: Vec<Matrix3<f64>>,
    /// Which of the unit loads have a matrix; those of the others count as zero.
    pub known: [bool; 12],
    /// Whether nodes have their second-order motion, so that joints and forces at nodes stiffen the body.
    pub nodes: bool,
}

impl Geometric {
    /// A body of `n` modes without any stiffening.
    pub fn zeros(n: usize) -> Self {
        Geometric {
            s2: vec![Vector3::zeros(); n * n],
            g2: vec![Vector3::zeros(); n * n],
            i2: vec![Matrix3::zeros(); n * n],
            known: [false; 12],
            nodes: false,
        }
    }

    /// A body of `n` modes with the given matrices of the unit loads.
    pub fn from_loads(n: usize, loads: &[Option<DMatrix<f64>>; 12]) -> Self {
        let mut all = Self::zeros(n);
        all.known = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(|i: usize| loads[i].is_some());
        for (load, matrix) in loads.iter().enumerate() {
            let Some(matrix) = matrix else { continue };
            for k in 0..n {
                for l in 0..n {
                    let (x, pair) = (0.5 * (matrix[(k, l)] + matrix[(l, k)]), k * n + l);
                    match load {
                        0..3 => all.s2[pair][load] = x,
                        3..6 => all.g2[pair][load - 3] = x,
                        _ => {
                            let [i, j] = PRODUCTS[load - 6];
                            let part = if i == j { x } else { 0.5 * x };
                            (all.i2[pair][(i, j)], all.i2[pair][(j, i)]) = (-part, -part);
                        }
                    }
                }
            }
        }
        all
    }

    /// The geometric stiffness of a unit load, numbered as in [`UNIT_LOADS`].
    pub fn load(&self, load: usize) -> DMatrix<f64> {
        let n = self.s2.len().isqrt();
        DMatrix::from_fn(n, n, |k, l| match load {
            0..3 => self.s2[k * n + l][load],
            3..6 => self.g2[k * n + l][load - 3],
            _ => {
                let [i, j] = PRODUCTS[(load - 6).min(5)];
                let entry = -self.i2[k * n + l][(i, j)];
                if i == j { entry } else { 2.0 * entry }
            }
        })
    }

    /// Names of the unit loads without a matrix.
    pub fn missing(&self) -> Vec<&'static str> {
        UNIT_LOADS.iter().zip(self.known).filter(|(_, known)| !known).map(|(name, _)| *name).collect()
    }

    /// Adds a node with a mass at `x`.
    pub fn add_mass(&mut self, x: &Vector3<f64>, mass: f64, second: &SecondOrder) {
        for (pair, w) in second.shifts.iter().enumerate() {
            let (w, outer) = (w * mass, x * w.transpose() * mass);
            self.s2[pair] += w;
            self.g2[pair] += x.cross(&w);
            self.i2[pair] += Matrix3::from_diagonal_element(x.dot(&w)) - (outer + outer.transpose()) * 0.5;
        }
    }

    /// Adds the rotary inertia of a node. Its angular momentum is `J(theta) T(theta) theta'` with the
    /// rotation vector theta; these are the terms of second order in z that are symmetric in the modes. The
    /// other terms are in [`Rotary`].
    pub fn add_rotary(&mut self, rotary: &Rotary, node: usize, second: &SecondOrder) {
        let (n, j) = (self.s2.len().isqrt(), rotary.inertias[node]);
        for (pair, turn) in second.turns.iter().enumerate() {
            let [a, b] = [pair / n, pair % n].map(|k| rotary.turns[k][node]);
            self.g2[pair] += j * turn + (a.cross(&(j * b)) + b.cross(&(j * a))) * 0.5;
            let x = precess_lie::rotation::skew(turn);
            self.i2[pair] += (x * j - j * x) * 0.5;
        }
    }
}
