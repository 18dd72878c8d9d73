//! Steady motions, and the frame in which their linear equations have constant coefficients.
//!
//! In a steady motion everything turns with a constant spatial twist (xi, c), and every body turns relative
//! to that with a constant rate eta:
//!
//! ```text
//! R(t) = exp(t xi~) R exp(t eta~),   x' = xi x x + c,   so   Omega = R^T xi + eta   and   v' = -C v
//! C = blockdiag(eta~, -xi~) on R^3xSO(3),   C = ad_eta on SE(3)
//! ```
//!
//! Variations are written x = exp(-t C) z. The frame is right if, on the null space of B, the matrices of the
//! equation for z are the same at later times. [`Steady::proof`] compares them; wrong frames give plausible
//! but wrong eigenvalues.

use crate::analysis::matrix::exponential;
use crate::lie::{Factor, Product};
use crate::mechanics::State;
use crate::mechanics::mechanism::Mechanism;
use crate::solve::decompositions::{cholesky, cholesky_solve};
use crate::solve::products::{congruent, largest, product, times, transposed_times};
use nalgebra::{DMatrix, DVector, Matrix3, Quaternion, UnitQuaternion, Vector3};

use crate::analysis::AnalysisError;
use crate::analysis::freedom::Freedom;
use crate::analysis::limits::is_large;
use crate::analysis::local::{FrameMatrices, Layout, Local, residual};
use crate::analysis::rolling::{self, Rolling};
use crate::analysis::stiffness::StiffnessBlocks;

/// Largest relative difference of matrices that count as equal: right frames have 1e-16 to 4e-13, wrong ones
/// 4e-3 and more.
pub const SAME: f64 = 1e-8;
/// Angles at which matrices are compared, in rad.
pub(crate) const ANGLES: [f64; 3] = [0.7, 1.9, 4.4];

/// The requested frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frame {
    /// The first of the others that passes the proof.
    #[default]
    Auto,
    /// At rest in space: whirl frequencies as seen by a sensor beside the rotor.
    Fixed,
    /// Turns with the fastest body.
    Rotating,
    /// Turns with the common motion of all bodies, for example with the precession of a top.
    Precessing,
}

crate::error::named! {
    Frame, "frame": Auto = "auto", Fixed = "fixed", Rotating = "rotating", Precessing = "precessing"
}

/// A steady motion in a frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Steady {
    /// The frame.
    pub frame: Frame,
    /// Rate of the frame in space.
    pub xi: Vector3<f64>,
    /// Velocity of the point of the frame at the origin.
    pub c: Vector3<f64>,
    /// Rates of the bodies relative to the frame, in the layout of velocities.
    pub eta: DVector<f64>,
}

/// Orientation, position and velocities of a body in space.
struct FramePose {
    r: Matrix3<f64>,
    x: Vector3<f64>,
    u: Vector3<f64>,
    omega: Vector3<f64>,
}

fn poses(system: &dyn Mechanism, state: &State) -> Vec<FramePose> {
    let bodies = system.bodies(&state.at());
    let pose = |b: &crate::mechanics::mechanism::BodyState| {
        let [w, x, y, z] = b.rotation;
        let q = UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z));
        FramePose {
            r: q.to_rotation_matrix().into_inner(),
            x: b.position,
            u: b.velocity,
            omega: b.angular_velocity,
        }
    };
    bodies.iter().map(pose).collect()
}

impl Steady {
    /// Everything at rest.
    pub fn rest(layout: &Layout) -> Self {
        let (xi, c) = (Vector3::zeros(), Vector3::zeros());
        Steady { frame: Frame::Fixed, xi, c, eta: DVector::zeros(layout.controls.end) }
    }

    /// True if nothing moves.
    pub fn is_rest(&self) -> bool {
        self.xi.norm() == 0.0 && self.c.norm() == 0.0 && self.eta.iter().all(|x| *x == 0.0)
    }

    /// The steady motion with the velocities of a state, seen from a frame that turns with `xi` and moves
    /// with `c`.
    fn seen_from(
        frame: Frame,
        system: &dyn Mechanism,
        layout: &Layout,
        state: &State,
        xi: Vector3<f64>,
        c: Vector3<f64>,
    ) -> Self {
        let mut eta = DVector::zeros(layout.controls.end);
        for (i, pose) in poses(system, state).iter().enumerate() {
            let rate = pose.omega - pose.r.transpose() * xi;
            let r = layout.rotation(i);
            if r.len() == 3 {
                eta.rows_mut(r.start, 3).copy_from(&rate);
            }
        }
        Steady { frame, xi, c, eta }
    }

    /// The frames suggested by the velocities and accelerations of a state: at rest; with the fastest body;
    /// with all of them.
    pub fn candidates(system: &dyn Mechanism, layout: &Layout, state: &State) -> Vec<Steady> {
        let poses = poses(system, state);
        let zero = Vector3::zeros();
        let mut list = vec![(Frame::Fixed, zero, shared_velocity(system, &poses))];
        let spins: Vec<Vector3<f64>> = poses.iter().map(|p| p.r * p.omega).collect();
        let fastest = spins.iter().copied().fold(zero, |a, b| if b.norm() > a.norm() { b } else { a });
        if fastest.norm() > 0.0 {
            let sum: Vector3<f64> = poses.iter().map(|p| p.u - fastest.cross(&p.x)).sum();
            list.push((Frame::Rotating, fastest, sum / poses.len().max(1) as f64));
        }
        if let Some((xi, c)) = fitted(layout, &poses, state, system) {
            list.push((Frame::Precessing, xi, c));
        }
        list.into_iter().map(|(f, xi, c)| Self::seen_from(f, system, layout, state, xi, c)).collect()
    }

    /// The rotation of all bodies together, as if they were rigidly connected, that the drives need; none if
    /// the joints do not allow it.
    pub(crate) fn together(system: &dyn Mechanism, layout: &Layout, state: &State) -> Option<Steady> {
        let rows = |steady: &Steady| {
            let mut state = state.clone();
            steady.velocities(system, layout, &mut state);
            let mut rows = DVector::zeros(system.n_lambda());
            system.velocity_constraint(&state.at(), rows.as_mut_slice());
            rows
        };
        let rest = rows(&Steady::rest(layout));
        let l = layout.length;
        let twist = |x: &[f64]| Steady {
            frame: Frame::Rotating,
            xi: Vector3::new(x[0], x[1], x[2]),
            c: Vector3::new(x[3], x[4], x[5]) * l,
            eta: DVector::zeros(layout.controls.end),
        };
        let columns: Vec<DVector<f64>> =
            (0..6).map(|i| rows(&twist(nalgebra::Vector6::ith(i, 1.0).as_slice())) - &rest).collect();
        let x = crate::analysis::matrix::pseudo_solve(&DMatrix::from_columns(&columns), &-&rest, 1e-9);
        let steady = twist(x.as_slice());
        (rows(&steady).norm() <= 1e-9 * rest.norm() && steady.xi.norm() > 0.0).then_some(steady)
    }

    /// C.
    pub fn c(&self, system: &dyn Mechanism, layout: &Layout) -> DMatrix<f64> {
        let k = layout.controls.end;
        let mut c = DMatrix::zeros(k, k);
        for (r, block) in layout.bodies.iter().zip(self.blocks(system, layout)) {
            c.view_mut((r.start, r.start), (r.len(), r.len())).copy_from(&block);
        }
        c
    }

    /// The block of C of each body.
    pub fn blocks(&self, system: &dyn Mechanism, layout: &Layout) -> Vec<DMatrix<f64>> {
        let mut blocks = ad_blocks(system, layout, self.eta.as_slice());
        let minus_xi = -self.xi.cross_matrix();
        for (i, block) in blocks.iter_mut().enumerate() {
            if !matches!(system.group().factors()[i], Factor::SE3) {
                let at = block.nrows() - 3;
                block.view_mut((at, at), (3, 3)).copy_from(&minus_xi);
            }
        }
        blocks
    }

    /// Velocities v(q) of this motion; those of controls stay.
    pub fn velocities(&self, system: &dyn Mechanism, layout: &Layout, state: &mut State) {
        let poses = poses(system, state);
        let group = system.group();
        for (i, pose) in poses.iter().enumerate() {
            let r = layout.rotation(i);
            if r.len() == 3 {
                let eta = Vector3::new(self.eta[r.start], self.eta[r.start + 1], self.eta[r.start + 2]);
                let omega = pose.r.transpose() * self.xi + eta;
                state.v[r].copy_from_slice(omega.as_slice());
            }
            let mut u = self.xi.cross(&pose.x) + self.c;
            if matches!(group.factors()[i], Factor::SE3) {
                u = pose.r.transpose() * u;
            }
            state.v[layout.translation(i)].copy_from_slice(u.as_slice());
        }
        // Deforming bodies keep their shape.
        layout.modal.iter().flat_map(|m| m.columns.clone()).for_each(|j| state.v[j] = 0.0);
        state.vdot.fill(0.0);
        for (r, block) in layout.bodies.iter().zip(self.blocks(system, layout)) {
            let part = -block * DVector::from_column_slice(&state.v[r.clone()]);
            state.vdot[r.clone()].copy_from_slice(part.as_slice());
        }
    }

    /// The state at a later time of the motion, with the multipliers there.
    pub(crate) fn later(&self, system: &dyn Mechanism, layout: &Layout, state: &State, dt: f64) -> State {
        let group = system.group();
        let se3 = Product::new([Factor::SE3]);
        let twist: Vec<f64> = self.xi.iter().chain(self.c.iter()).map(|x| dt * x).collect();
        let mut step = vec![0.0; 7];
        se3.exp(&twist, &mut step);
        let mut next = state.clone();
        next.t += dt;
        for i in 0..layout.bodies.len() {
            let range = group.q_range(i);
            let (mut pose, mut moved) = (vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], vec![0.0; 7]);
            let offset = 7 - range.len();
            pose[offset..].copy_from_slice(&state.q[range.clone()]);
            let mut own = vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
            let r = layout.rotation(i);
            if r.len() == 3 {
                let turn: Vec<f64> =
                    (0..6).map(|j| if j < 3 { dt * self.eta[r.start + j] } else { 0.0 }).collect();
                se3.exp(&turn, &mut own);
            }
            se3.compose(&pose, &own, &mut moved);
            se3.compose(&step, &moved, &mut pose);
            next.q[range].copy_from_slice(&pose[offset..]);
        }
        next.remember(system);
        self.velocities(system, layout, &mut next);
        next
    }

    /// exp(-t C), one block per body.
    pub(crate) fn back_blocks(&self, system: &dyn Mechanism, layout: &Layout, dt: f64) -> Vec<DMatrix<f64>> {
        self.blocks(system, layout).into_iter().map(|block| exponential(block * -dt)).collect()
    }

    /// exp(-t C).
    fn back(&self, system: &dyn Mechanism, layout: &Layout, dt: f64) -> DMatrix<f64> {
        let k = layout.controls.end;
        let mut e = DMatrix::identity(k, k);
        for (r, block) in layout.bodies.iter().zip(self.back_blocks(system, layout, dt)) {
            e.view_mut((r.start, r.start), (r.len(), r.len())).copy_from(&block);
        }
        e
    }

    /// The fastest rate of the motion, rad/s.
    pub(crate) fn fastest(&self, layout: &Layout) -> f64 {
        let fastest = (0..layout.bodies.len())
            .map(|i| layout.rotation(i))
            .filter(|r| r.len() == 3)
            .map(|r| Vector3::new(self.eta[r.start], self.eta[r.start + 1], self.eta[r.start + 2]).norm())
            .fold(self.xi.norm(), f64::max);
        fastest.max(self.c.norm() / layout.length)
    }

    /// Largest relative difference between the matrices of the linear equations now and at later times of the
    /// motion.
    pub fn proof(
        &self,
        system: &dyn Mechanism,
        layout: &Layout,
        state: &State,
    ) -> Result<f64, AnalysisError> {
        let fastest = self.fastest(layout);
        if fastest == 0.0 {
            return Ok(0.0);
        }
        if is_large(system) {
            return crate::analysis::large::steady::proof(system, layout, state, self);
        }
        let first = Linear::new(system, layout, state, self)?;
        let rows = system.velocity_rows();
        let drifting = first.drifting_positions();
        let mut worst = 0.0_f64;
        for angle in ANGLES {
            let dt = angle / fastest;
            let mut later = self.later(system, layout, state, dt);
            settle(system, layout, &mut later)?;
            let now = frame_matrices(system, layout, &later, self);
            // exp(-t C) N must satisfy the constraints there.
            let n = product(&self.back(system, layout, dt), &first.n);
            let mut violated = product(&now.b, &n);
            // Positions may change where only velocities are constrained.
            rows.iter().for_each(|&i| violated.view_mut((i, drifting.start), (1, drifting.len())).fill(0.0));
            let size = now.b.norm() * n.norm();
            let mut differences = vec![if size > 0.0 { violated.norm() / size } else { 0.0 }];
            let own = (!rows.is_empty())
                .then(|| Rolling::along(&now, n.columns_range(drifting.clone()).into(), rows));
            let then = rolling::reduced(&now, &n, own.as_ref().map(|own| (own, drifting.clone())));
            let pairs = [&first.m, &first.g, &first.k].into_iter().zip(&then);
            // Every matrix is measured in its own unit, relative to the largest of the three in rates of the
            // motion.
            let scale = first.m.norm().max(first.g.norm() / fastest).max(first.k.norm() / fastest.powi(2));
            for (i, (a, b)) in pairs.enumerate() {
                let own = a.norm().max(1e-3 * scale * fastest.powi(i as i32));
                differences.push((b - a).norm() / own);
            }
            worst = differences.into_iter().fold(worst, |a, b| if b > a || b.is_nan() { b } else { a });
        }
        Ok(if worst.is_nan() { f64::INFINITY } else { worst })
    }

    /// The direction about which the fastest body spins, in space; none at rest.
    pub(crate) fn spin_axis(&self, system: &dyn Mechanism, state: &State) -> Option<Vector3<f64>> {
        let spins = poses(system, state).into_iter().map(|p| p.r * p.omega);
        let fastest =
            spins.fold(Vector3::zeros(), |a: Vector3<f64>, b| if b.norm() > a.norm() { b } else { a });
        fastest.try_normalize(0.0)
    }
}

/// The block of ad_x of each body. The bracket works body by body, so one vector gives a column of all
/// blocks.
pub(crate) fn ad_blocks(system: &dyn Mechanism, layout: &Layout, x: &[f64]) -> Vec<DMatrix<f64>> {
    let (mut e, mut column) = (vec![0.0; x.len()], vec![0.0; x.len()]);
    let mut blocks: Vec<DMatrix<f64>> =
        layout.bodies.iter().map(|r| DMatrix::zeros(r.len(), r.len())).collect();
    for j in 0..layout.bodies.iter().map(|r| r.len()).max().unwrap_or(0) {
        e.fill(0.0);
        layout.bodies.iter().filter(|r| r.len() > j).for_each(|r| e[r.start + j] = 1.0);
        system.group().bracket(x, &e, &mut column);
        for (r, block) in layout.bodies.iter().zip(&mut blocks).filter(|(r, _)| r.len() > j) {
            block.column_mut(j).copy_from_slice(&column[r.clone()]);
        }
    }
    blocks
}

/// ad_x as a matrix.
pub fn ad(system: &dyn Mechanism, x: &DVector<f64>) -> DMatrix<f64> {
    let k = x.len();
    let mut out = DMatrix::zeros(k, k);
    let (mut e, mut column) = (vec![0.0; k], vec![0.0; k]);
    for j in 0..k {
        e[j] = 1.0;
        system.group().bracket(x.as_slice(), &e, &mut column);
        e[j] = 0.0;
        out.column_mut(j).copy_from_slice(&column);
    }
    out
}

/// The twist (xi, c) that fits positions, velocities and accelerations best; the smallest of several.
fn fitted(
    layout: &Layout,
    poses: &[FramePose],
    state: &State,
    system: &dyn Mechanism,
) -> Option<(Vector3<f64>, Vector3<f64>)> {
    let l = layout.length;
    let fastest = poses.iter().map(|p| p.omega.norm().max(p.u.norm() / l)).fold(0.0, f64::max);
    if !(fastest > 0.0) {
        return None;
    }
    let mut a = DMatrix::zeros(9 * poses.len(), 6);
    let mut b = DVector::zeros(9 * poses.len());
    for (i, p) in poses.iter().enumerate() {
        let r = layout.rotation(i);
        let t = layout.translation(i).start;
        let mut acceleration = Vector3::new(state.vdot[t], state.vdot[t + 1], state.vdot[t + 2]);
        if matches!(system.group().factors()[i], Factor::SE3) {
            let u = Vector3::new(state.v[t], state.v[t + 1], state.v[t + 2]);
            acceleration = p.r * (acceleration + p.omega.cross(&u));
        }
        if r.len() == 3 {
            let turning = Vector3::new(state.vdot[r.start], state.vdot[r.start + 1], state.vdot[r.start + 2]);
            a.view_mut((9 * i, 0), (3, 3)).copy_from(&(-p.omega.cross_matrix() * p.r.transpose() / fastest));
            b.rows_mut(9 * i, 3).copy_from(&(turning / fastest));
        }
        a.view_mut((9 * i + 3, 0), (3, 3)).copy_from(&(-p.u.cross_matrix() / (fastest * l)));
        b.rows_mut(9 * i + 3, 3).copy_from(&(acceleration / (fastest * l)));
        a.view_mut((9 * i + 6, 0), (3, 3)).copy_from(&(-p.x.cross_matrix() / l));
        a.view_mut((9 * i + 6, 3), (3, 3)).copy_from(&Matrix3::identity());
        b.rows_mut(9 * i + 6, 3).copy_from(&(p.u / l));
    }
    let x = crate::analysis::matrix::pseudo_solve(&a, &b, 1e-9);
    Some((Vector3::new(x[0], x[1], x[2]), Vector3::new(x[3], x[4], x[5]) * l))
}

/// The velocity that all bodies of a mechanism with wheels or blades share; zero if there is none.
fn shared_velocity(system: &dyn Mechanism, poses: &[FramePose]) -> Vector3<f64> {
    match poses.first() {
        Some(first) if !system.velocity_rows().is_empty() => {
            let same = poses.iter().all(|p| (p.u - first.u).norm() <= 1e-9 * first.u.norm());
            if same { first.u } else { Vector3::zeros() }
        }
        _ => Vector3::zeros(),
    }
}

/// The matrices of the linear equations at a state of a steady motion.
pub(crate) fn frame_matrices(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &State,
    steady: &Steady,
) -> FrameMatrices {
    let local = Local::new(system, state);
    let c = steady.c(system, layout);
    let mut e = ad(system, &DVector::from_column_slice(&state.v)) - &c;
    for j in layout.controls.clone() {
        e.fill_column(j, 0.0);
        e.fill_row(j, 0.0);
    }
    let g = &local.d + product(&local.m, &(&e - &c));
    let mut k = &local.k + product(&(&local.d - product(&local.m, &c)), &e);
    // The position of a first-order state has no meaning.
    layout.controls.clone().for_each(|j| k.fill_column(j, 0.0));
    FrameMatrices { m: local.m, g, k, b: local.b, y: local.y, e, d: local.d, friction: local.friction }
}

/// The linear equations of small motions on the null space of the constraints:
///
/// ```text
/// (s^2 M + s G + K) p = 0,    z = N p,    delta v = z' + E z
/// ```
#[derive(Clone, Debug)]
pub struct Linear {
    /// N^T M N = 1; rows and columns of b as in `rolling.rs`, here and in the others.
    pub m: DMatrix<f64>,
    /// N^T (D + M (E - C)) N.
    pub g: DMatrix<f64>,
    /// N^T (K + (D - M C) E) N.
    pub k: DMatrix<f64>,
    /// N: free motions of the bodies, then the positions b of rolling bodies, then the states of controls.
    pub n: DMatrix<f64>,
    /// E.
    pub e: DMatrix<f64>,
    /// M of all coordinates.
    pub mass: DMatrix<f64>,
    /// N^T D N alone: damping, and the gyroscopic forces of single bodies.
    pub d: DMatrix<f64>,
    /// Number of first-order states, the last coordinates.
    pub first_order: usize,
    /// How many of them are positions of rolling or sliding bodies, the first ones.
    pub rolling: usize,
    /// Independent constraint rows.
    pub rank: usize,
    /// The same equations for motions measured in rad and lengths.
    pub plain: Plain,
    /// Translations of the whole mechanism across the axis of a turning frame, as columns of p, if nothing
    /// acts against them. They seem to vibrate with the rate of the frame, and drift with a constant speed.
    pub drifting: DMatrix<f64>,
}

/// The linear equations for free motions that are orthonormal in rad and lengths. Next to stiff and light
/// parts, soft stiffnesses keep their digits here; with N^T M N = 1 they would be rounding errors.
#[derive(Clone, Debug)]
pub struct Plain {
    /// P: the columns are free motions, then the states of controls. N = P L^-T.
    pub n: DMatrix<f64>,
    /// L with L L^T = P^T M P.
    pub inertia: DMatrix<f64>,
    /// P^T M P.
    pub m: DMatrix<f64>,
    /// P^T (D + M (E - C)) P.
    pub g: DMatrix<f64>,
    /// P^T (K + (D - M C) E) P.
    pub k: DMatrix<f64>,
    /// Sizes of the blocks of K + (D - M C) E, for rounding errors.
    pub blocks: StiffnessBlocks,
    /// Sizes of the blocks of D + M (E - C).
    pub rates: StiffnessBlocks,
    /// Sizes of the blocks of M.
    pub masses: StiffnessBlocks,
}

impl Linear {
    /// At a steady state with its multipliers.
    pub fn new(
        system: &dyn Mechanism,
        layout: &Layout,
        state: &State,
        steady: &Steady,
    ) -> Result<Self, AnalysisError> {
        let all = frame_matrices(system, layout, state, steady);
        if all.friction > 1e-12 {
            let joint = "a bearing with a coefficient of friction".to_string();
            return Err(AnalysisError::Friction { joint });
        }
        let (freedom, rolling, n) = free_motions(layout, &all, system.velocity_rows())?;
        let count = rolling.as_ref().map_or(0, Rolling::count);
        let own = rolling.as_ref().map(|rolling| (rolling, freedom.dim()..freedom.dim() + count));
        let plain = Plain::new(layout, &all, (&freedom, own.clone()), &n);
        let [m, g, k] = rolling::reduced(&all, &n, own);
        let drifting = drifting(system, (layout, state, steady), (&all, &n), [&k, &g]);
        Ok(Linear {
            plain,
            drifting,
            m,
            g,
            k,
            d: congruent(&all.d, &n),
            first_order: count + layout.controls.len(),
            rolling: count,
            rank: freedom.rank,
            e: all.e,
            mass: all.m,
            n,
        })
    }

    /// Columns of the positions b of rolling bodies.
    pub fn drifting_positions(&self) -> std::ops::Range<usize> {
        let bodies = self.n.ncols() - self.first_order;
        bodies..bodies + self.rolling
    }

    /// N^T f for the equations of forces: the others do not contain any.
    pub(crate) fn generalised(&self, force: &DVector<f64>) -> DVector<f64> {
        let mut f = transposed_times(&self.n, force);
        self.drifting_positions().for_each(|i| f[i] = 0.0);
        f
    }
}

/// Translations across the axis of a turning frame, for every connected part of the mechanism, if neither
/// forces nor joints act against them.
fn drifting(
    system: &dyn Mechanism,
    (layout, state, steady): (&Layout, &State, &Steady),
    (all, n): (&FrameMatrices, &DMatrix<f64>),
    [k, g]: [&DMatrix<f64>; 2],
) -> DMatrix<f64> {
    let rate = steady.xi.norm();
    let mut list: Vec<DVector<f64>> = Vec::new();
    let Some(axis) = steady.xi.try_normalize(0.0) else { return DMatrix::zeros(n.ncols(), 0) };
    if !layout.controls.is_empty() || !system.velocity_rows().is_empty() {
        return DMatrix::zeros(n.ncols(), 0);
    }
    let poses = poses(system, state);
    let thinnest = Vector3::ith(axis.iamin(), 1.0);
    let across = axis.cross(&thinnest).normalize();
    for part in connected(system, layout.bodies.len()) {
        let pair = [across, axis.cross(&across)].map(|e| {
            let mut x = DVector::zeros(layout.controls.end);
            for &i in &part {
                let own = match system.group().factors()[i] {
                    Factor::SE3 => poses[i].r.transpose() * e,
                    _ => e,
                };
                x.rows_mut(layout.translation(i).start, 3).copy_from(&own);
            }
            let p = transposed_times(n, &times(&all.m, &x));
            // Motions that joints prevent are shortened by N N^T M.
            ((times(n, &p) - &x).norm() <= 1e-9 * x.norm()).then_some(p)
        });
        let [Some(a), Some(b)] = pair else { continue };
        let size = a.norm();
        let [a, b] = [&a / size, &b / b.norm()];
        // K1 and G1 turn one of the two into the other.
        let stays = |y: DVector<f64>, unit: f64| {
            let rest = &y - &a * a.dot(&y) - &b * b.dot(&y);
            rest.norm() <= 1e-9 * unit
        };
        let free = [&a, &b].iter().all(|p| stays(times(k, p), rate * rate) && stays(times(g, p), rate));
        if free {
            list.extend([a, b]);
        }
    }
    if list.is_empty() { DMatrix::zeros(n.ncols(), 0) } else { DMatrix::from_columns(&list) }
}

/// Bodies that are connected with each other.
fn connected(system: &dyn Mechanism, bodies: usize) -> Vec<Vec<usize>> {
    let Some(structure) = system.structure() else { return Vec::new() };
    let factors = system.group().factors().len();
    let mut part: Vec<usize> = (0..factors).collect();
    let mut join = |a: usize, b: usize| {
        let (old, new) = (part[a], part[b]);
        part.iter_mut().filter(|p| **p == old).for_each(|p| *p = new);
    };
    structure.couplings.iter().for_each(|&(a, b)| join(a, b));
    for rows in &structure.constraints {
        rows.factors.windows(2).for_each(|w| join(w[0], w[1]));
    }
    let members = |k: usize| (0..bodies).filter(|&i| part[i] == k).collect::<Vec<_>>();
    (0..factors).map(members).filter(|list| !list.is_empty()).collect()
}

impl Plain {
    fn new(
        layout: &Layout,
        all: &FrameMatrices,
        (freedom, rolling): (&Freedom, Option<(&Rolling, std::ops::Range<usize>)>),
        n: &DMatrix<f64>,
    ) -> Self {
        let (bodies, size) = (freedom.dim(), n.ncols());
        // First-order states are as in N.
        let mut plain = n.clone();
        plain.view_mut((0, 0), (freedom.plain.nrows(), bodies)).copy_from(&freedom.plain);
        let mut inertia = DMatrix::identity(size, size);
        inertia.view_mut((0, 0), (bodies, bodies)).copy_from(&freedom.inertia);
        let [m, g, k] = rolling::reduced(all, &plain, rolling);
        Plain {
            inertia,
            m,
            g,
            k,
            blocks: StiffnessBlocks::new(layout, &all.k),
            rates: StiffnessBlocks::new(layout, &all.g),
            masses: StiffnessBlocks::new(layout, &all.m),
            n: plain,
        }
    }
}

/// Free motions of the bodies, then the positions of rolling ones, then one column per state of a control.
fn free_motions(
    layout: &Layout,
    all: &FrameMatrices,
    rows: &[usize],
) -> Result<(Freedom, Option<Rolling>, DMatrix<f64>), AnalysisError> {
    let (m, b) = (&all.m, &all.b);
    let (bodies, k) = (layout.controls.start, layout.controls.end);
    let own = Layout { controls: bodies..bodies, ..layout.clone() };
    let freedom = Freedom::new(&m.view((0, 0), (bodies, bodies)).into(), &b.columns(0, bodies).into(), &own)?;
    let rolling = Rolling::new(layout, all, &freedom, rows)?;
    let second = freedom.dim() + rolling.as_ref().map_or(0, Rolling::count);
    let mut n = DMatrix::zeros(k, second + k - bodies);
    n.view_mut((0, 0), (bodies, freedom.dim())).copy_from(&freedom.n);
    if let Some(rolling) = &rolling {
        n.columns_range_mut(freedom.dim()..second).copy_from(&rolling.n);
    }
    for j in bodies..k {
        n[(j, second + j - bodies)] = m[(j, j)].max(f64::MIN_POSITIVE).sqrt().recip();
    }
    Ok((freedom, rolling, n))
}

/// Multipliers of a steady state, and the acceleration beyond the steady one: (size, motion, size of the
/// forces alone).
pub(crate) fn settle(
    system: &dyn Mechanism,
    layout: &Layout,
    state: &mut State,
) -> Result<(f64, DVector<f64>, f64), AnalysisError> {
    if is_large(system) {
        return crate::analysis::large::steady::settle(system, layout, state);
    }
    state.lambda.fill(0.0);
    let r = residual(system, state);
    let local = Local::new(system, state);
    let freedom = Freedom::new(&local.m, &local.b, layout)?;
    let a = -times(&freedom.n, &transposed_times(&freedom.n, &r));
    let lambda = freedom.multipliers(&-(&r + times(&local.m, &a)));
    state.lambda.copy_from_slice(lambda.as_slice());
    let size = layout.size(&a);
    let alone = cholesky(local.m.clone()).map_or(size, |l| layout.size(&cholesky_solve(&l, &r)));
    // Inertia forces also count as forces.
    let inertia = layout.size(&DVector::from_column_slice(&state.vdot));
    // Springs that balance each other cancel; then a small part of the stiffness is the reference.
    let stiff = 1e-3 * largest(freedom.reduced(&local.k).as_slice());
    Ok((size, a, alone.max(inertia).max(stiff)))
}
