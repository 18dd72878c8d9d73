//! Derivatives of the inverse dynamics: M, D = dr/dv and K = D_q r, left-trivialised, for constant loads in the
//! frames of the bodies.
//!
//! With N = 1/2 (-ad_V^T I - I ad_V + bar(I V)), bar(n, f) v = -ad_v^T (n, f), summed over all that a stage
//! carries as I^c is, and per column S of a stage
//!
//! ```text
//! Psi_1 = ad_{V-} S      Psi_2 = ad_{A-} S + ad_{V-} Psi_1      S' = ad_V S
//! F_1 = I^c S     F_2 = 2 N S + I^c (Psi_1 + S')     F_3 = 2 N Psi_1 + I^c Psi_2     G = 2 N^T S
//! ```
//!
//! (V-, A-: motion of the parent in the frame of the stage), the own blocks are S^T F_1, S^T F_2, S^T F_3. Then
//! F_3 += -ad_S^T f, and for every stage j that carries i, after moving the four wrenches to it,
//!
//! ```text
//! M_ji = S_j^T F_1      D_ji = S_j^T F_2                        K_ji = S_j^T F_3
//!                       D_ij = G^T S_j + F_1^T (Psi_1j + S'_j)  K_ij = G^T Psi_1j + F_1^T Psi_2j
//! ```

use nalgebra::Matrix3;
use precess_lie::Number;
use precess_lie::matrix::zeros;
use precess_lie::rotation::skew;

use super::spatial::{Inertia, ad, carried, inward, outward, sum};
use super::{Tree, TreeMotion};
use crate::mechanics::kernels::pose::{hat_times, times_hat, tr_times};
use crate::mechanics::kernels::{Motion, Pose, Wrench};

/// A 6x6 matrix from motions to wrenches without symmetry: 2 N.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Coupling<T> {
    rr: Matrix3<T>,
    rx: Matrix3<T>,
    xr: Matrix3<T>,
    xx: Matrix3<T>,
}

impl<T: Number> Coupling<T> {
    pub(super) fn zero() -> Self {
        Coupling { rr: zeros(), rx: zeros(), xr: zeros(), xx: zeros() }
    }

    /// -ad_V^T I - I ad_V + bar(I V).
    fn of(i: &Inertia<T>, v: &Motion<T>) -> Self {
        let (a, b, c) = (i.a.full(), i.b, i.c.full());
        let b_t = b.transpose();
        let (w, u) = (&v.omega, &v.u);
        let momentum = i.times(v);
        let (n, f) = (skew(&momentum.rot), skew(&momentum.trans));
        Coupling {
            rr: hat_times(w, &a) + hat_times(u, &b_t) - times_hat(&a, w) - times_hat(&b, u) - n,
            rx: hat_times(w, &b) + hat_times(u, &c) - times_hat(&b, w) - f,
            xr: hat_times(w, &b_t) - times_hat(&b_t, w) - times_hat(&c, u) - f,
            xx: hat_times(w, &c) - times_hat(&c, w),
        }
    }

    fn add(&mut self, other: &Self) {
        self.rr += other.rr;
        self.rx += other.rx;
        self.xr += other.xr;
        self.xx += other.xx;
    }

    /// The same matrix in the frame in which this one has the given pose.
    fn moved(&self, pose: &Pose<T>) -> Self {
        let (r, x) = (&pose.r, &pose.x);
        let turned = |m: &Matrix3<T>| r * m * r.transpose();
        let (rr, rx, xr, xx) = (turned(&self.rr), turned(&self.rx), turned(&self.xr), turned(&self.xx));
        let xr = xr - times_hat(&xx, x);
        Coupling { rr: rr - times_hat(&rx, x) + hat_times(x, &xr), rx: rx + hat_times(x, &xx), xr, xx }
    }

    fn times(&self, v: &Motion<T>) -> Wrench<T> {
        Wrench { rot: self.rr * v.omega + self.rx * v.u, trans: self.xr * v.omega + self.xx * v.u }
    }

    fn transposed_times(&self, v: &Motion<T>) -> Wrench<T> {
        Wrench {
            rot: tr_times(&self.rr, &v.omega) + tr_times(&self.xr, &v.u),
            trans: tr_times(&self.rx, &v.omega) + tr_times(&self.xx, &v.u),
        }
    }
}

/// Psi_1, Psi_2 and Psi_1 + S' of a column of a stage.
pub(super) struct Carried<T> {
    pub(super) column: Motion<T>,
    pub(super) psi_1: Motion<T>,
    pub(super) psi_2: Motion<T>,
    pub(super) rate: Motion<T>,
}

/// Entries of the three matrices at one row and column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entries<T> {
    /// M.
    pub mass: T,
    /// dr/dv.
    pub damping: T,
    /// D_q r.
    pub stiffness: T,
}

impl<T: Number> Tree<T> {
    /// M, dr/dv and D_q r after [`inverse`](Self::inverse): `put(i, j, entries)` for the pairs that can differ
    /// from zero.
    pub fn derivatives(&self, m: &mut TreeMotion<T>, mut put: impl FnMut(usize, usize, Entries<T>)) {
        self.composites(m);
        for (k, stage) in self.stages.iter().enumerate() {
            m.coupling[k] = stage.inertia.as_ref().map_or_else(Coupling::zero, |i| Coupling::of(i, &m.v[k]));
        }
        for (k, stage) in self.stages.iter().enumerate().rev() {
            if let Some(p) = stage.parent {
                let moved = m.coupling[k].moved(&m.local[k]);
                m.coupling[p].add(&moved);
            }
        }
        for (k, stage) in self.stages.iter().enumerate() {
            for i in 0..stage.dim() {
                let x = self.carried(k, i, m);
                let (inertia, n) = (&m.inertia[k], &m.coupling[k]);
                let mut forms = [
                    inertia.times(&x.column),
                    n.times(&x.column) + inertia.times(&x.rate),
                    n.times(&x.psi_1) + inertia.times(&x.psi_2),
                    n.transposed_times(&x.column),
                ];
                for j in 0..stage.dim() {
                    let s = stage.kind.column(j);
                    let [mass, damping, stiffness] = [0, 1, 2].map(|form: usize| forms[form].dot(&s));
                    put(stage.v + j, stage.v + i, Entries { mass, damping, stiffness });
                }
                forms[2] = forms[2] + carried(&x.column, &m.force[k]);
                let mut inner = k;
                while let Some(p) = self.stages[inner].parent {
                    forms = forms.map(|f| inward(&m.local[inner], &f));
                    let other = &self.stages[p];
                    for j in 0..other.dim() {
                        let y = self.carried(p, j, m);
                        let [mass, damping, stiffness] =
                            [0, 1, 2].map(|form: usize| forms[form].dot(&y.column));
                        put(other.v + j, stage.v + i, Entries { mass, damping, stiffness });
                        let [f_1, _, _, g] = &forms;
                        let damping = g.dot(&y.column) + f_1.dot(&y.rate);
                        let stiffness = g.dot(&y.psi_1) + f_1.dot(&y.psi_2);
                        put(stage.v + i, other.v + j, Entries { mass, damping, stiffness });
                    }
                    inner = p;
                }
            }
        }
    }

    pub(super) fn carried(&self, k: usize, i: usize, m: &TreeMotion<T>) -> Carried<T> {
        let stage = &self.stages[k];
        let column = stage.kind.column(i);
        let (v, a) = match stage.parent {
            Some(p) => (outward(&m.local[k], &m.v[p]), outward(&m.local[k], &m.a[p])),
            None => (Motion::rest(), outward(&m.local[k], &self.ground_acceleration())),
        };
        let psi_1 = ad(&v, &column);
        let psi_2 = sum(&ad(&a, &column), &ad(&v, &psi_1));
        let rate = sum(&psi_1, &ad(&m.v[k], &column));
        Carried { column, psi_1, psi_2, rate }
    }
}
