//! Detects drives that a mechanism cannot follow, because it is rigid or at the end of its reach.
//!
//! The rows of Phi that depend on time belong to drives. With unit rows g_r = B_r M^-1/2 / |B_r M^-1/2|, the
//! distance of a driven row from the span of all others shows how much the drive can still move. At zero, the
//! other joints hold the coordinate that the drive prescribes. If rows are redundant, steps satisfy them as
//! well as possible, and the residual B v + Phi_t shows the failure. Otherwise steps fail, and the distance
//! is computed afterwards.

use nalgebra::DVector;

use super::project::project_position;
use crate::Error;
use crate::mechanics::{State, System, Tangents, Want};

/// Tolerated residual, relative to the largest speed of the drives and to their travel. The residual of a
/// drive is spread over all rows that hold it.
const MISSING_MOTION: f64 = 1e-3;
/// Residual of Newton's method, relative to the speeds of the bodies.
const NEWTON_RESIDUAL: f64 = 1e-4;
/// Smaller rates, in rad/s or lengths of the model per s, are noise.
const NOISE_RATE: f64 = 1e-9;
/// With smaller position residuals (rad, lengths of the model) the mechanism follows, whatever the
/// velocities.
const FOLLOWED_POSITION: f64 = 1e-6;
/// A drive whose row is closer to the others cannot move any more.
const HELD_DISTANCE: f64 = 0.1;
/// The same while steps still work.
const ALL_BUT_HELD: f64 = 0.03;
/// A drive whose row is closer than this may reach its end in the next step.
const NEAR_DISTANCE: f64 = 0.5;
/// Smallest weight in the dependence that is named, relative to the largest.
const NAMED_WEIGHT: f64 = 0.1;
/// Largest number of rows; larger systems are not analysed.
const MAX_ROWS: usize = 600;

/// Watches the drives of a run with redundant constraints.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    active: bool,
    rest: Vec<f64>,
    rate: Vec<f64>,
    driven: Vec<f64>,
    /// Largest speed of the drives so far.
    fastest: f64,
    /// Distance that the drives have moved.
    travel: f64,
    /// The last time at which the mechanism followed its drives.
    followed: f64,
}

impl Reach {
    /// Watches a run of this system. Without redundant rows or moving drives, there is nothing to watch.
    pub fn of(system: &dyn System) -> Self {
        let moves = system.drives().iter().any(|f| f.constant().is_none());
        if !moves || system.row_weights().is_none() {
            return Reach::default();
        }
        let rows = vec![0.0; system.n_lambda()];
        let rest = vec![0.0; system.group().dim()];
        Reach { active: true, rest, rate: rows.clone(), driven: rows, ..Reach::default() }
    }

    /// The same for a resumed run: its drives may have moved.
    pub fn resumed(mut self) -> Self {
        self.travel = 1.0;
        self
    }

    /// Checks a step of size h: an error if a drive moves and the mechanism does not follow.
    pub fn observe(&mut self, system: &dyn System, state: &State, h: f64) -> Result<(), Error> {
        if !self.active {
            return Ok(());
        }
        system.velocity_constraint(&state.at(), &mut self.rate);
        system.velocity_constraint(&crate::mechanics::At { v: &self.rest, ..state.at() }, &mut self.driven);
        let largest = |x: &[f64]| x.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        let (rate, driven) = (largest(&self.rate), largest(&self.driven));
        self.fastest = self.fastest.max(driven);
        self.travel += h * driven;
        let speed = largest(&state.v) * system.length_scale().recip().max(1.0);
        if rate <= NOISE_RATE || rate <= MISSING_MOTION * self.fastest || rate <= NEWTON_RESIDUAL * speed {
            self.followed = state.t;
            return Ok(());
        }
        system.constraint(&state.at(), &mut self.rate);
        if largest(&self.rate) > FOLLOWED_POSITION.min(MISSING_MOTION * self.travel) {
            let row = (0..self.driven.len())
                .fold(0, |b, i| if self.driven[i].abs() > self.driven[b].abs() { i } else { b });
            return Err(stuck(system, state, row, self.followed).0);
        }
        Ok(())
    }
}

/// Explains the error of a run that failed at this state: a new error if a drive is the cause, otherwise the
/// same error.
pub fn explain(system: &dyn System, state: &State, error: Error) -> Error {
    let failed = matches!(
        error,
        Error::Newton { .. }
            | Error::SingularMatrix { .. }
            | Error::StepTooSmall { .. }
            | Error::Precision { .. }
            | Error::SingularPosition { .. }
            | Error::Strained { .. }
            | Error::NotFinite { .. }
    );
    if !failed {
        return error;
    }
    match most_held(system, state) {
        Some((stuck, distance)) if distance < HELD_DISTANCE => stuck,
        Some((stuck, distance)) if distance < NEAR_DISTANCE && cannot_be_assembled(system, state, &error) => {
            stuck
        }
        _ => error,
    }
}

/// The moving drive that other joints hold most at this state: the error that names it, and the distance of
/// its row from theirs. None without moving drives, and in very large systems.
fn most_held(system: &dyn System, state: &State) -> Option<(Error, f64)> {
    if system.n_lambda() > MAX_ROWS || !system.drives().iter().any(|f| f.constant().is_none()) {
        return None;
    }
    let (rest, mut driven) = (vec![0.0; state.v.len()], vec![0.0; system.n_lambda()]);
    system.velocity_constraint(&crate::mechanics::At { v: &rest, ..state.at() }, &mut driven);
    let moving = (0..driven.len()).filter(|&i| driven[i].abs() > NOISE_RATE);
    moving.map(|row| stuck(system, state, row, state.t)).min_by(|a, b| a.1.total_cmp(&b.1))
}

/// The error if a moving drive is all but held by other joints, for a run whose steps have become very short;
/// with the distance of its row from theirs.
pub fn held(system: &dyn System, state: &State) -> Option<(Error, f64)> {
    most_held(system, state).filter(|(_, distance)| *distance < ALL_BUT_HELD)
}

/// The error if a moving drive is held and soon reaches its end: joints cannot be closed at one of many times
/// in the next steps of this size until `t_end`, each followed from the one before.
pub fn ends_soon(system: &dyn System, state: &State, h: f64, t_end: f64) -> Option<Error> {
    /// Number of steps ahead, and of those between two times.
    const AHEAD: usize = 256;
    const APART: usize = 8;
    let (error, _) = most_held(system, state).filter(|(_, distance)| *distance < HELD_DISTANCE)?;
    let mut next = state.clone();
    let ends = (1..=AHEAD / APART).any(|i| {
        next.t = state.t + (i * APART) as f64 * h;
        next.t < t_end && project_position(system, &mut next).is_err()
    });
    ends.then_some(error)
}

/// True if no positions satisfy the constraints at the end of the failed step.
fn cannot_be_assembled(system: &dyn System, state: &State, error: &Error) -> bool {
    let (Error::Newton { t, .. } | Error::SingularMatrix { t, .. } | Error::NotFinite { t, .. }) = error
    else {
        return false;
    };
    let mut end = State { t: *t, ..state.clone() };
    project_position(system, &mut end).is_err()
}

/// The error for a driven row that could be followed up to t, and the distance of the row from the others.
fn stuck(system: &dyn System, state: &State, row: usize, t: f64) -> (Error, f64) {
    let (held_by, distance) = holders(system, state, row);
    let name = system.constraint_name(row);
    let drive = joint_of(&name).to_string();
    (Error::OutOfReach { t, drive, held_by: held_by.join(", ") }, distance)
}

/// The joint in a row name: `joint A, row 6 of 6, its drive` is joint A.
fn joint_of(name: &str) -> &str {
    name.split(", row ").next().unwrap_or(name)
}

/// The joints on whose rows a row depends most, and its distance from their span.
fn holders(system: &dyn System, state: &State, row: usize) -> (Vec<String>, f64) {
    let (dim, m) = (state.v.len(), system.n_lambda());
    let mut t = Tangents::of(system);
    t.evaluate(system, &state.at(), Want::SADDLE);
    let heaviest = (0..dim).fold(0.0, |x: f64, i| x.max(t.s.get(i, i)));
    let root = |j: usize| t.s.get(j, j).max(1e-12 * heaviest).sqrt().recip();
    let unit = |i: usize| {
        let g = DVector::from_fn(dim, |j, _| t.b.get(i, j) * root(j));
        let size = g.norm();
        if size > 0.0 { g / size } else { g }
    };
    let wanted = unit(row);
    // Largest remainders first, as in the analysis of redundancy; the remaining rows depend on others.
    let others: Vec<usize> = (0..m).filter(|&i| i != row).collect();
    let all: Vec<DVector<f64>> = others.iter().map(|&i| unit(i)).collect();
    let mut rest = all.clone();
    let (mut taken, mut basis): (Vec<usize>, Vec<DVector<f64>>) = (Vec::new(), Vec::new());
    while let Some((k, size)) = (0..rest.len())
        .filter(|k| !taken.contains(k))
        .map(|k| (k, rest[k].norm()))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|x| x.1 > 1e-6)
    {
        let direction = &rest[k] / size;
        for x in &mut rest {
            let part = x.dot(&direction);
            x.axpy(-part, &direction, 1.0);
        }
        basis.push(direction);
        taken.push(k);
    }
    let mut left = wanted.clone();
    for _ in 0..2 {
        for q in &basis {
            let part = left.dot(q);
            left.axpy(-part, q, 1.0);
        }
    }
    // Weights of the selected rows: R c = Q^T g.
    let mut weights = vec![0.0; taken.len()];
    for k in (0..taken.len()).rev() {
        let known: f64 = (k + 1..taken.len()).map(|l| all[taken[l]].dot(&basis[k]) * weights[l]).sum();
        weights[k] = (wanted.dot(&basis[k]) - known) / all[taken[k]].dot(&basis[k]);
    }
    let mut joints: Vec<(String, f64)> = Vec::new();
    for (k, w) in taken.iter().zip(&weights) {
        let name = system.constraint_name(others[*k]);
        let name = joint_of(&name).to_string();
        match joints.iter_mut().find(|j| j.0 == name) {
            Some(j) => j.1 = j.1.max(w.abs()),
            None => joints.push((name, w.abs())),
        }
    }
    joints.sort_by(|a, b| b.1.total_cmp(&a.1));
    let largest = joints.first().map_or(0.0, |j| j.1);
    let named = joints.into_iter().filter(|j| j.1 > NAMED_WEIGHT * largest).map(|j| j.0);
    (named.take(6).collect(), left.norm())
}
