//! Moves a driven mechanism without dynamics.
//!
//! The drives prescribe every position: Phi(q, t) = 0. Velocities follow from B v = -Phi_t. Accelerations and
//! multipliers follow from the saddle-point system. The force or torque of a drive is its share of the
//! reaction of its joint. At a dead point, B loses rank and the drives do not determine the motion. Dead
//! points are detected by the smallest singular value of B, and by steps that find no position.

use crate::integrate::Accelerations;
use crate::integrate::project_velocity;
use crate::mechanics::joints::{self, JointRows};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{Multibody, State};
use crate::solve::decompositions::rank;
use crate::solve::products::{largest, transposed_product};
use nalgebra::DVector;

use crate::analysis::AnalysisError;
use crate::analysis::assembly::assemble;
use crate::analysis::freedom::Freedom;
use crate::analysis::limits::is_large;
use crate::analysis::local::{Layout, Local, at_rest, moved};
use crate::analysis::matrix::ascending;
use crate::analysis::words::{Axes, motion};

/// A smaller singular value indicates a dead point. It is relative to the largest of the sweep.
const DEAD_POINT: f64 = 1e-5;
/// Above this relative singular value the constraints hold the mechanism firmly.
const FIRM: f64 = 1e-3;
/// The largest number of steps between two output times.
const MAX_STEPS: usize = 500;
/// The largest distance between two positions, in rad or in lengths of the model.
const MAX_STRIDE: f64 = 0.1;

/// A drive.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// The name of the joint. If a joint has an angle and a displacement, the displacement is called `JOINT
    /// displacement`. A body with a prescribed motion has three forces and three torques, `BODY_motion fx` to
    /// `BODY_motion mz`.
    pub joint: String,
    /// The unit, N m or N.
    pub unit: &'static str,
}

/// The state of a sweep at one time.
#[derive(Clone, Debug)]
pub struct Moment {
    /// Positions, velocities, accelerations and multipliers.
    pub state: State,
    /// The force or torque of each drive on the second body of its joint, along the coordinate.
    pub drives: Vec<f64>,
    /// The smallest singular value of the dimensionless constraints.
    pub grip: f64,
}

/// A position in which the drives do not determine the motion.
#[derive(Clone, Debug, PartialEq)]
pub struct DeadPoint {
    /// The time.
    pub t: f64,
    /// The motion that is not determined there, in words.
    pub motion: String,
}

/// The results of a sweep.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The results at all times, including the start.
    pub moments: Vec<Moment>,
    /// The drives of the model.
    pub drives: Vec<Drive>,
    /// The dead points that were reached.
    pub dead: Vec<DeadPoint>,
    /// True if the last dead point could not be passed.
    pub stopped: bool,
    /// The number of rods that can spin about their own axes. Their spin is zero here.
    pub idle: usize,
}

impl Sweep {
    /// An error if the last dead point could not be passed.
    pub fn reached_the_end(&self) -> Result<(), AnalysisError> {
        if self.stopped { Err(AnalysisError::DeadPoint) } else { Ok(()) }
    }
}

/// Moves the mechanism from t = 0 to `until` in equal parts, starting near q.
pub fn sweep(system: &dyn Mechanism, q: &[f64], until: f64, parts: usize) -> Result<Sweep, AnalysisError> {
    let layout = Layout::of_positions(system)?;
    let multibody = Multibody::of(system).ok_or(AnalysisError::Coordinates)?;
    if is_large(system) || system.group().dim() > 1000 {
        let (size, remedy) = (system.group().dim(), "simulate it");
        return Err(AnalysisError::TooLarge { what: "a kinematic sweep", size, most: 1000, remedy });
    }
    let (start, _) = assemble(system, &layout, &at_rest(system, q, 0.0))?;
    let mut walk = Walk { system, multibody, layout: &layout, idle: 0 };
    walk.idle = walk.undriven(&start)?;
    let mut moments = vec![walk.moment(start)?];
    let (mut dead, mut stopped) = (Vec::new(), false);
    for i in 1..=parts {
        let t = until * i as f64 / parts as f64;
        let Some(last) = moments.last() else { break };
        match walk.reach(last, t) {
            Ok(next) => moments.push(next),
            Err(end) => {
                let largest = moments.iter().map(|m| m.grip).fold(0.0, f64::max);
                if end.grip > 10.0 * FIRM * largest {
                    return Err(walk.contradiction(end.state.t));
                }
                dead.push(walk.dead_point(&end));
                moments.push(*end);
                stopped = true;
                break;
            }
        }
    }
    walk.passed(&moments, &mut dead);
    dead.sort_by(|a, b| a.t.total_cmp(&b.t));
    Ok(Sweep { moments, drives: walk.drives(), dead, stopped, idle: walk.idle })
}

/// The unit of the force of a constraint: work per unit of its equation, N for a length.
const OF_EQUATION: &str = "J per unit of the equation";

struct Walk<'a> {
    system: &'a dyn Mechanism,
    multibody: &'a Multibody,
    layout: &'a Layout,
    idle: usize,
}

impl Walk<'_> {
    /// Counts the rods that can spin about their own axes. Refuses models with other motions that no drive
    /// prescribes.
    fn undriven(&self, state: &State) -> Result<usize, AnalysisError> {
        let local = Local::new(self.system, state);
        let freedom = Freedom::new(&local.m, &local.b, self.layout)?;
        let idle: usize = (0..self.layout.bodies.len())
            .filter(|&i| !self.layout.rotation(i).is_empty())
            .map(|i| {
                let r = self.layout.rotation(i);
                let b = local.b.columns(r.start, r.len()).into_owned();
                3 - rank(&b, 1e-9 * largest(b.as_slice()).max(f64::MIN_POSITIVE))
            })
            .sum();
        // The states of controls occur in no constraint. They keep their initial values.
        if freedom.dim() == idle + self.layout.controls.len() && !self.drives().is_empty() {
            return Ok(idle);
        }
        let axes = Axes::new(self.system, state);
        let free = freedom.n.column_iter().map(|x| x.into_owned()).filter(|x| !self.is_control(x));
        let free = free.map(|x| motion(self.layout, &x, Some(&axes)));
        Err(AnalysisError::Undriven { free: free.collect(), drives: self.drives().len() })
    }

    fn drives(&self) -> Vec<Drive> {
        let mut list = Vec::new();
        for joint in self.multibody.joint_list() {
            let rows = drive_rows(&joint.rows);
            let name = &joint.name;
            let unit = |rotation: bool| if rotation { "N m" } else { "N" };
            let mut add = |joint: String, rotation: bool| list.push(Drive { joint, unit: unit(rotation) });
            if rows.len() == GUIDED.len() {
                GUIDED.iter().for_each(|part| add(format!("{name} {part}"), part.starts_with('m')));
                continue;
            }
            for (_, drive) in &rows {
                let second = !drive.is_rotation() && joint.kind.has_angle();
                let joint = if second { format!("{name} displacement") } else { name.clone() };
                add(joint, drive.is_rotation());
            }
        }
        let driven = self.multibody.constraint_list().iter().filter(|c| c.is_driven());
        list.extend(driven.map(|c| Drive { joint: c.name.clone(), unit: OF_EQUATION }));
        list
    }

    /// The error for drives that contradict each other.
    fn contradiction(&self, t: f64) -> AnalysisError {
        let joints = self.multibody.joint_list().iter().filter(|j| !drive_rows(&j.rows).is_empty());
        let constraints = self.multibody.constraint_list().iter().filter(|c| c.is_driven());
        let names = joints.map(|j| j.name.clone()).chain(constraints.map(|c| c.name.clone()));
        AnalysisError::Contradiction { t, joints: names.collect() }
    }

    /// Computes velocities, accelerations and forces at a position.
    fn moment(&self, mut state: State) -> Result<Moment, AnalysisError> {
        state.v.fill(0.0);
        let driving = self.rate(&state);
        project_velocity(self.system, &mut state)?;
        let rest = self.rate(&state);
        Accelerations::new(self.system).solve(self.system, &mut state)?;
        let numbers = [&state.v, &state.vdot, &state.lambda];
        if !numbers.iter().all(|x| x.iter().all(|x| x.is_finite())) {
            return Err(crate::analysis::assembly::not_finite("a velocity or a force"));
        }
        let (grip, _) = self.grip(&state);
        if rest > 1e-6 * driving && grip > FIRM {
            return Err(self.contradiction(state.t));
        }
        Ok(Moment { drives: self.forces(&state), grip, state })
    }

    /// The largest rate of a constraint.
    fn rate(&self, state: &State) -> f64 {
        let mut rate = DVector::zeros(self.system.n_lambda());
        self.system.velocity_constraint(&state.at(), rate.as_mut_slice());
        rate.amax()
    }

    /// The smallest singular value of the dimensionless constraints, and its motion.
    fn grip(&self, state: &State) -> (f64, DVector<f64>) {
        let units = self.layout.units();
        let mut b = Local::constraint(self.system, state);
        for (j, mut column) in b.column_iter_mut().enumerate() {
            column *= units[j];
        }
        for mut row in b.row_iter_mut() {
            let norm = row.norm();
            if norm > 0.0 {
                row /= norm;
            }
        }
        // B^T B has one eigenvalue per column of B.
        let eigen = crate::analysis::matrix::symmetric(transposed_product(&b, &b));
        let order = ascending(&eigen.eigenvalues);
        let bodies = order.iter().filter(|&&i| !self.is_control(&eigen.eigenvectors.column(i).into_owned()));
        match bodies.copied().nth(self.idle) {
            Some(i) => {
                let x = eigen.eigenvectors.column(i).component_mul(&units);
                (eigen.eigenvalues[i].max(0.0).sqrt(), x)
            }
            None => (0.0, DVector::zeros(units.len())),
        }
    }

    /// True for the states of controls, which occur in no constraint.
    fn is_control(&self, x: &DVector<f64>) -> bool {
        self.layout.controls.clone().map(|i| x[i] * x[i]).sum::<f64>() > 0.5
    }

    /// The forces and torques of the drives along their coordinates.
    fn forces(&self, state: &State) -> Vec<f64> {
        let reactions = self.system.reactions(&state.at());
        let mut list = Vec::new();
        for (joint, reaction) in self.multibody.joint_list().iter().zip(&reactions) {
            let rows = drive_rows(&joint.rows);
            if rows.len() == GUIDED.len() {
                list.extend(reaction.force.iter().chain(&reaction.torque));
                continue;
            }
            let multiplier = |row: usize| reaction.multipliers.get(row).copied().unwrap_or(f64::NAN);
            list.extend(rows.iter().map(|(row, drive)| drive.effort(multiplier(*row))));
        }
        let driven = self.multibody.constraint_list().iter().filter(|c| c.is_driven());
        list.extend(driven.map(|c| c.effort(state.lambda.get(c.row).copied().unwrap_or(f64::NAN))));
        list
    }

    /// Moves the mechanism to another time. Returns `None` if this needs a jump.
    fn to(&self, from: &Moment, t: f64) -> Option<Moment> {
        let mut now = from.clone();
        let speed = self.layout.size(&DVector::from_column_slice(&from.state.v));
        let n = (speed * (t - from.state.t).abs() / MAX_STRIDE).ceil().clamp(1.0, 2000.0) as usize;
        let (start, whole) = (from.state.t, t - from.state.t);
        for i in 1..=n {
            let next = if i == n { t } else { start + whole * i as f64 / n as f64 };
            let h = next - now.state.t;
            let v = DVector::from_column_slice(&now.state.v);
            let x = &v * h + DVector::from_column_slice(&now.state.vdot) * (0.5 * h * h);
            let x = if self.layout.size(&x) < 3.0 * MAX_STRIDE { x } else { v * h };
            let mut guess = moved(self.system, &now.state, &x);
            guess.t = next;
            guess.remember(self.system);
            let (there, _) = assemble(self.system, self.layout, &guess).ok()?;
            let mut jump = DVector::zeros(v_len(&there));
            self.system.group().difference(&guess.q, &there.q, jump.as_mut_slice());
            // A position far from the extrapolated one belongs to another branch.
            if !(self.layout.size(&jump) < 0.5 * MAX_STRIDE + 0.5 * self.layout.size(&x)) {
                return None;
            }
            now = self.moment(there).ok()?;
        }
        Some(now)
    }

    /// Moves the mechanism to time t, or as far as possible. If a step fails, shorter steps are tried.
    fn reach(&self, from: &Moment, t: f64) -> Result<Moment, Box<Moment>> {
        let (mut now, mut step) = (from.clone(), t - from.state.t);
        for _ in 0..MAX_STEPS {
            let last = now.state.t + step >= t;
            let next = if last { t } else { now.state.t + step };
            match self.to(&now, next) {
                Some(next) if last => return Ok(next),
                Some(next) => (now, step) = (next, 2.0 * step),
                None => step *= 0.5,
            }
            if !(step > 1e-12 * t.abs().max(1e-3)) {
                break;
            }
        }
        Err(Box::new(now))
    }

    fn dead_point(&self, at: &Moment) -> DeadPoint {
        let axes = Axes::new(self.system, &at.state);
        let (_, x) = self.grip(&at.state);
        DeadPoint { t: at.state.t, motion: motion(self.layout, &x, Some(&axes)) }
    }

    /// Finds dead points between the times of the sweep. They are minima of the smallest singular value.
    fn passed(&self, moments: &[Moment], dead: &mut Vec<DeadPoint>) {
        let largest = moments.iter().map(|m| m.grip).fold(0.0, f64::max);
        for w in moments.windows(3) {
            let [a, b, c] = w else { continue };
            if !(b.grip <= a.grip && b.grip < c.grip && b.grip < 0.2 * largest) {
                continue;
            }
            // This is a golden-section search.
            let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
            let (mut low, mut high) = (a.state.t, c.state.t);
            let mut best = b.clone();
            for _ in 0..60 {
                let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
                let (Some(l), Some(r)) = (self.to(a, left), self.to(a, right)) else { break };
                let next = if l.grip < r.grip { (l, high = right).0 } else { (r, low = left).0 };
                if next.grip < best.grip {
                    best = next;
                }
                if high - low < 1e-10 * high.abs() {
                    break;
                }
            }
            if best.grip < DEAD_POINT * largest {
                dead.push(self.dead_point(&best));
            }
        }
    }
}

fn v_len(state: &State) -> usize {
    state.v.len()
}

/// The columns of the forces and torques that move a guided body.
const GUIDED: [&str; 6] = ["fx", "fy", "fz", "mx", "my", "mz"];

/// The drives of a joint, with the places of their rows in the joint.
fn drive_rows(rows: &[JointRows]) -> Vec<(usize, &joints::Drive)> {
    let mut place = 0;
    let mut list = Vec::new();
    for row in rows {
        if let JointRows::Drive(drive) = row {
            list.push((place, &**drive));
        }
        place += row.len();
    }
    list
}
