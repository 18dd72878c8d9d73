//! Initial velocities that are not given: they follow from those that are, and from rates of joints.
//!
//! ```text
//! B (v + P x) = -Phi_t,   J (v + P x) = given rates,   sum of (other joint rates)^2 = min
//! ```
//!
//! P selects the velocities that are not given. First only those of bodies with one of two are free, since a
//! body without any rests; if that is not enough, those of all bodies without a given velocity are.

use nalgebra::{DMatrix, DVector};

use super::elements::{At as JointAt, Of};
use super::find::{coordinate_of, joint as find_joint};
use super::spec::Model;
use crate::Error;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::{BodyKind, Multibody, State, System};
use crate::solve::decompositions::pseudo_solve;

/// Largest number of unknown velocities.
const MOST: usize = 1200;
/// Weight of the rates of joints that are not given.
const SOFT: f64 = 1e-5;
/// Residual of completed velocities, relative to the largest.
const SOLVED: f64 = 1e-10;
/// Smaller residuals are rounding errors of the file, which the start judges.
const MISSING: f64 = 1e-6;

/// Completes the velocities of a model, if something is given and something is missing.
pub(super) fn complete(model: &Model, system: &Multibody, q: &[f64], v: &mut [f64]) -> Result<(), Error> {
    let has_rate = model.joints.iter().any(|j| j.rate.is_some());
    let moves = v.iter().any(|x| *x != 0.0);
    if !has_rate && (!moves || model.partial.is_empty()) {
        return Ok(());
    }
    let (mut given, mut others): (Vec<(Coordinate, f64)>, Vec<Coordinate>) = (Vec::new(), Vec::new());
    for joint in model.joints.iter().filter(|j| j.kind.has_angle() || j.kind.has_displacement()) {
        let at = JointAt { joint: joint.name.clone(), of: Of::Default };
        let found = find_joint(system, &joint.name).and_then(|(_, built)| coordinate_of(built, &at));
        match (joint.rate, found) {
            (Some(rate), found) => given.push((found?, rate)),
            (None, Ok(found)) => others.push(found),
            (None, Err(_)) => {}
        }
    }
    let mut rows = Rows::new(system, q, given, others);
    if !rows.is_finite(v) || rows.fits(v, MISSING) {
        return Ok(());
    }
    for stage in [&[[true, false], [false, true]][..], &[[true, false], [false, true], [false, false]]] {
        let free = free(model, system, stage);
        if free.is_empty() || free.len() > MOST {
            continue;
        }
        let mut found = v.to_vec();
        rows.solve(&free, &mut found);
        if rows.fits(&found, SOLVED) {
            v.copy_from_slice(&found);
            return Ok(());
        }
    }
    match rows.given.is_empty() {
        // The start says which joint the given velocities do not fit.
        true => Ok(()),
        false => Err(Error::Input {
            message:
                "no velocities fit the rates of the joints and the given velocities of bodies; give fewer \
                      of them"
                    .to_string(),
        }),
    }
}

/// Entries of v that are free: those that bodies with this pattern of given velocities do not give.
fn free(model: &Model, system: &Multibody, patterns: &[[bool; 2]]) -> Vec<usize> {
    let mut list = Vec::new();
    for (spec, body) in model.bodies.iter().zip(system.body_list()) {
        let Some(given) = model.partial.get(&spec.name).filter(|g| patterns.contains(g)) else { continue };
        let [linear, angular] = given;
        match spec.kind {
            BodyKind::PointMass if !linear => list.extend(body.v..body.v + 3),
            BodyKind::PointMass => {}
            BodyKind::Rigid { .. } => {
                list.extend((body.v..body.v + 3).filter(|_| !angular));
                list.extend((body.v + 3..body.v + 6).filter(|_| !linear));
            }
        }
    }
    list
}

/// The linear equations of the velocities.
struct Rows<'a> {
    system: &'a Multibody,
    state: State,
    given: Vec<(Coordinate, f64)>,
    others: Vec<Coordinate>,
}

impl<'a> Rows<'a> {
    fn new(system: &'a Multibody, q: &[f64], given: Vec<(Coordinate, f64)>, others: Vec<Coordinate>) -> Self {
        let (n, m) = (system.group().dim(), system.n_lambda());
        let mut state = State {
            t: 0.0,
            q: q.to_vec(),
            v: vec![0.0; n],
            vdot: vec![0.0; n],
            lambda: vec![0.0; m],
            s: vec![0.0; system.n_s()],
            memory: vec![0.0; system.n_memory()],
        };
        state.remember(system);
        Rows { system, state, given, others }
    }

    /// Residuals of constraints and given rates, then the other rates, each an entry.
    fn residual(&mut self, v: &[f64]) -> (DVector<f64>, DVector<f64>) {
        self.state.v.copy_from_slice(v);
        let (bodies, at, m) = (self.system.bodies_in_pairs(), self.state.at(), self.system.n_lambda());
        let mut hard = vec![0.0; m];
        self.system.velocity_constraint(&at, &mut hard);
        hard.extend(self.given.iter().map(|(c, rate)| c.read(bodies, &at).rate - rate));
        let soft = self.others.iter().map(|c| c.read(bodies, &at).rate).collect();
        (DVector::from_vec(hard), DVector::from_vec(soft))
    }

    fn is_finite(&mut self, v: &[f64]) -> bool {
        let (hard, soft) = self.residual(v);
        hard.iter().chain(soft.iter()).all(|x| x.is_finite())
    }

    fn fits(&mut self, v: &[f64], part: f64) -> bool {
        let size = v.iter().fold(0.0_f64, |a, x| a.max(x.abs()));
        let size = self.given.iter().fold(size, |a, (_, rate)| a.max(rate.abs()));
        let (hard, _) = self.residual(v);
        hard.iter().all(|x| x.abs() <= part * size.max(f64::MIN_POSITIVE))
    }

    /// Changes free entries so that all equations hold, with small rates of the other joints.
    fn solve(&mut self, free: &[usize], v: &mut [f64]) {
        let (hard, soft) = self.residual(v);
        let (m, r) = (hard.len(), soft.len());
        let mut a = DMatrix::zeros(m + r, free.len());
        let mut moved = v.to_vec();
        for (k, &i) in free.iter().enumerate() {
            moved[i] += 1.0;
            let (h, s) = self.residual(&moved);
            moved[i] = v[i];
            a.view_mut((0, k), (m, 1)).copy_from(&(h - &hard));
            a.view_mut((m, k), (r, 1)).copy_from(&(SOFT * (s - &soft)));
        }
        let mut b = DVector::zeros(m + r);
        b.rows_mut(0, m).copy_from(&-hard);
        b.rows_mut(m, r).copy_from(&(-SOFT * soft));
        let x = pseudo_solve(&a, &b, 1e-12);
        free.iter().zip(x.iter()).for_each(|(&i, x)| v[i] += x);
        // The soft rows leave a residual of SOFT^2.
        let (hard, _) = self.residual(v);
        let x = pseudo_solve(&a.rows(0, m).into_owned(), &-hard, 1e-10);
        free.iter().zip(x.iter()).for_each(|(&i, x)| v[i] += x);
    }
}
