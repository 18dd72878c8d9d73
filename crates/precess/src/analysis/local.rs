//! The equations and their derivatives at one point, as dense matrices.

use crate::mechanics::Multibody;
use std::ops::Range;

use crate::lie::Factor;
use crate::lie::rotation::rotate;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{State, System, Tangents, Want};
use crate::solve::decompositions::solve;
use crate::solve::products::product;
use nalgebra::{DMatrix, DVector, Vector3};

use crate::analysis::AnalysisError;

/// Modal coordinates of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Deforming {
    /// The body of its frame.
    pub body: usize,
    /// Columns of the coordinates.
    pub columns: Range<usize>,
    /// Unit of each coordinate: the body then moves by the typical length on average over its mass.
    pub units: Vec<f64>,
}

impl Deforming {
    fn new(m: &crate::mechanics::modal::ModalBody, length: f64) -> Self {
        let unit = |k: usize| length * (m.data.mass / m.data.mff[(k, k)]).sqrt();
        let units = (0..m.n()).map(unit).collect();
        Deforming { body: m.frame, columns: m.modal[1]..m.modal[1] + m.n(), units }
    }

    /// Deformation in a motion, in parts of the typical length.
    pub fn size(&self, x: &DVector<f64>) -> f64 {
        self.columns.clone().zip(&self.units).map(|(j, u)| (x[j] / u).powi(2)).sum::<f64>().sqrt()
    }
}

/// Indices of bodies and of states of controls in the velocities, and their units.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Columns of each body.
    pub bodies: Vec<Range<usize>>,
    /// Names of the bodies.
    pub names: Vec<String>,
    /// Modal coordinates of bodies that deform, after all bodies.
    pub modal: Vec<Deforming>,
    /// Columns of the states of controls, after all bodies and modal coordinates.
    pub controls: Range<usize>,
    /// Typical length L.
    pub length: f64,
}

impl Layout {
    /// The layout of a system in absolute coordinates.
    pub fn new(system: &dyn Mechanism) -> Result<Self, AnalysisError> {
        let multibody = Multibody::of(system).ok_or(AnalysisError::Coordinates)?;
        let list = multibody.body_list();
        let end = list.last().map_or(0, |b| b.v + b.dim());
        let length = system.length_scale();
        let modal: Vec<Deforming> =
            multibody.physics().modal.iter().map(|m| Deforming::new(m, length)).collect();
        let end = modal.last().map_or(end, |m| m.columns.end);
        Ok(Layout {
            modal,
            bodies: list.iter().map(|b| b.v..b.v + b.dim()).collect(),
            names: list.iter().map(|b| b.name.clone()).collect(),
            controls: end..system.group().dim(),
            length,
        })
    }

    /// The layout for analyses of positions alone, which joints that constrain velocities do not allow.
    pub fn of_positions(system: &dyn Mechanism) -> Result<Self, AnalysisError> {
        let multibody = Multibody::of(system).ok_or(AnalysisError::Coordinates)?;
        match multibody.velocity_rows().first() {
            Some(&row) => Err(AnalysisError::Rolling { joint: multibody.constraint_name(row) }),
            None => Self::new(system),
        }
    }

    /// Number of moving factors of the group: bodies and modal coordinates.
    pub fn moving(&self) -> usize {
        self.bodies.len() + self.modal.len()
    }

    /// All columns of a body, including its modes.
    pub fn columns(&self, body: usize) -> Vec<usize> {
        let modes = self.modal.iter().filter(|m| m.body == body).flat_map(|m| m.columns.clone());
        self.bodies[body].clone().chain(modes).collect()
    }

    /// Columns of the rotation of a body; none for a point.
    pub fn rotation(&self, body: usize) -> Range<usize> {
        let r = &self.bodies[body];
        r.start..r.start + if r.len() == 6 { 3 } else { 0 }
    }

    /// Columns of its translation.
    pub fn translation(&self, body: usize) -> Range<usize> {
        let r = &self.bodies[body];
        r.end - 3..r.end
    }

    /// Unit of each column: 1 for rotations, L for translations, L on average for modes, 1 for controls.
    pub fn units(&self) -> DVector<f64> {
        let mut units = DVector::from_element(self.controls.end, 1.0);
        for i in 0..self.bodies.len() {
            self.translation(i).for_each(|j| units[j] = self.length);
        }
        for m in &self.modal {
            m.columns.clone().zip(&m.units).for_each(|(j, u)| units[j] = *u);
        }
        units
    }

    /// Largest rotation or translation over L of a motion, dimensionless.
    pub fn size(&self, x: &DVector<f64>) -> f64 {
        let part = |r: Range<usize>| x.rows(r.start, r.len()).norm();
        let each = (0..self.bodies.len())
            .map(|i| part(self.rotation(i)).max(part(self.translation(i)) / self.length));
        // NaN must be kept.
        each.chain(self.modal.iter().map(|m| m.size(x)))
            .fold(0.0, |a: f64, b| if b > a || b.is_nan() { b } else { a })
    }
}

/// M, D, K, B at a state; K includes the multipliers and accelerations of that state.
#[derive(Clone, Debug)]
pub struct Local {
    /// M.
    pub m: DMatrix<f64>,
    /// D = dr/dv.
    pub d: DMatrix<f64>,
    /// K = D_q r.
    pub k: DMatrix<f64>,
    /// B = D_q Phi.
    pub b: DMatrix<f64>,
    /// Y = D_q(B v); empty if no row constrains velocities.
    pub y: DMatrix<f64>,
    /// dr/dlambda beyond B^T, largest entry.
    pub friction: f64,
}

/// M, G1 = D + M (E - C), K1 = K + (D - M C) E with E = ad_v - C, B and Y, in a frame.
pub(crate) struct FrameMatrices {
    pub m: DMatrix<f64>,
    pub g: DMatrix<f64>,
    pub k: DMatrix<f64>,
    pub b: DMatrix<f64>,
    pub y: DMatrix<f64>,
    pub e: DMatrix<f64>,
    pub d: DMatrix<f64>,
    pub friction: f64,
}

impl Local {
    /// Evaluates.
    pub fn new(system: &dyn System, state: &State) -> Self {
        let mut t = Tangents::of(system);
        let curvature = !system.velocity_rows().is_empty();
        let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: true, curvature };
        t.evaluate(system, &state.at(), want);
        let y = if curvature { t.y.to_dmatrix() } else { DMatrix::zeros(0, 0) };
        let (m, mut k, b) = (t.s.to_dmatrix(), t.k.to_dmatrix(), t.b.to_dmatrix());
        let friction = if t.has_friction() { t.g_lambda.to_dmatrix().amax() } else { 0.0 };
        if system.n_s() > 0 {
            // K <- K - r_s h_s^-1 h_q: the algebraic variables follow the positions.
            if let Some(inner) = solve(t.h_s.to_dmatrix(), &t.h_q.to_dmatrix()) {
                k -= product(&t.r_s.to_dmatrix(), &inner);
            }
        }
        let want = Want { c_m: 0.0, c_d: 1.0, stiffness: false, constraint: false, curvature: false };
        t.evaluate(system, &state.at(), want);
        Local { m, d: t.s.to_dmatrix(), k, b, y, friction }
    }

    /// Only M.
    pub fn mass(system: &dyn System, state: &State) -> DMatrix<f64> {
        let mut t = Tangents::of(system);
        t.evaluate(system, &state.at(), Want::MASS);
        t.s.to_dmatrix()
    }

    /// Only B, which is enough for assembly.
    pub fn constraint(system: &dyn System, state: &State) -> DMatrix<f64> {
        let mut t = Tangents::of(system);
        t.evaluate(system, &state.at(), Want::CONSTRAINT);
        t.b.to_dmatrix()
    }
}

/// r at a state.
pub fn residual(system: &dyn System, state: &State) -> DVector<f64> {
    let mut r = DVector::zeros(system.group().dim());
    system.residual(&state.at(), r.as_mut_slice());
    r
}

/// Phi at a state.
pub fn constraint(system: &dyn System, state: &State) -> DVector<f64> {
    let mut phi = DVector::zeros(system.n_lambda());
    system.constraint(&state.at(), phi.as_mut_slice());
    phi
}

/// A state at rest at this configuration and time. Stops act if they are touched, also those that events turn
/// on in runs.
pub fn at_rest(system: &dyn Mechanism, q: &[f64], t: f64) -> State {
    let k = system.group().dim();
    let mut state = State {
        t,
        q: q.to_vec(),
        v: vec![0.0; k],
        vdot: vec![0.0; k],
        lambda: vec![0.0; system.n_lambda()],
        s: vec![0.0; system.n_s()],
        memory: vec![0.0; system.n_memory()],
    };
    if let Some(multibody) = Multibody::of(system) {
        multibody.stop_by_position(&mut state.memory);
    }
    state.remember(system);
    state
}

/// Moves a state by x: q <- q exp(x).
pub fn moved(system: &dyn System, state: &State, x: &DVector<f64>) -> State {
    let mut next = state.clone();
    system.group().retract(&state.q, x.as_slice(), &mut next.q);
    next.remember(system);
    next
}

/// Moves a state by x with separate rotations and translations: R exp(x_R), p + x_p. On R^3xSO(3) that is
/// [`moved`]; on SE(3) it avoids the screws of the exponential, along which forces do other work.
pub(crate) fn moved_apart(system: &dyn System, state: &State, x: &DVector<f64>) -> State {
    let group = system.group();
    if !group.factors().iter().any(|f| matches!(f, Factor::SE3)) {
        return moved(system, state, x);
    }
    let mut turned = x.clone();
    let mut shifts = Vec::new();
    for (i, factor) in group.factors().iter().enumerate() {
        if matches!(factor, Factor::SE3) {
            let (v, q) = (group.v_range(i).start + 3, group.q_range(i).start);
            let shift = rotate(&state.q[q..], &Vector3::new(x[v], x[v + 1], x[v + 2]));
            turned.rows_mut(v, 3).fill(0.0);
            shifts.push((q + 4, shift));
        }
    }
    let mut next = state.clone();
    group.retract(&state.q, turned.as_slice(), &mut next.q);
    for (q, shift) in shifts {
        shift.iter().enumerate().for_each(|(k, d)| next.q[q + k] += d);
    }
    next.remember(system);
    next
}

/// The motion from one state to another, with separate rotations and translations, in the axes of the second:
/// R_1 = R_0 exp(x_R), and p_1 - p_0.
pub(crate) fn displacement(system: &dyn System, from: &State, to: &State) -> DVector<f64> {
    let group = system.group();
    let mut x = DVector::zeros(group.dim());
    group.difference(&from.q, &to.q, x.as_mut_slice());
    for (i, factor) in group.factors().iter().enumerate() {
        if matches!(factor, Factor::SE3) {
            let (v, q) = (group.v_range(i).start + 3, group.q_range(i).start);
            let shift = Vector3::from_fn(|k, _| to.q[q + 4 + k] - from.q[q + 4 + k]);
            let back = [to.q[q], -to.q[q + 1], -to.q[q + 2], -to.q[q + 3]];
            x.rows_mut(v, 3).copy_from(&rotate(&back, &shift));
        }
    }
    x
}

/// [`apart`] for a matrix in blocks.
pub(crate) fn apart_blocks(system: &dyn System, r: &DVector<f64>, k: &mut crate::solve::Mat) {
    let group = system.group();
    for (i, factor) in group.factors().iter().enumerate() {
        if matches!(factor, Factor::SE3) {
            let v = group.v_range(i).start;
            let f = -Vector3::new(r[v + 3], r[v + 4], r[v + 5]).cross_matrix();
            (0..9).for_each(|e| k.add_entry(v + 3 + e % 3, v + e / 3, f[(e % 3, e / 3)]));
        }
    }
}

/// Adds the part missing in K on SE(3) for motions with separate rotations and translations: forces f in body
/// axes turn with the body, -f~ between translations and rotations. Zero if forces balance.
pub fn apart(system: &dyn System, r: &DVector<f64>, k: &mut DMatrix<f64>) {
    let group = system.group();
    for (i, factor) in group.factors().iter().enumerate() {
        if matches!(factor, Factor::SE3) {
            let v = group.v_range(i).start;
            let f = Vector3::new(r[v + 3], r[v + 4], r[v + 5]);
            let mut block = k.view_mut((v + 3, v), (3, 3));
            block -= f.cross_matrix();
        }
    }
}
