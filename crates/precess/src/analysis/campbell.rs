//! Campbell diagrams: the modes of a rotor over its speed, and the speeds at which unbalance excites one of
//! them.
//!
//! The steady motion is solved again at every value. Branches are followed by the similarity of shapes
//! ([`mac`]) and of eigenvalues, from the fastest value to the slowest, because double modes at rest only
//! separate when the rotor turns. A critical speed of order n is where Im s = n Omega for the k-th highest
//! frequency, found by the secant method on the model itself. So all critical speeds are found even on a
//! coarse grid, on which branches may be confused.

use crate::mechanics::sensors::for_summary;
use nalgebra::Complex;

use crate::analysis::AnalysisError;
use crate::analysis::frame::Frame;
use crate::analysis::modes::{Mode, Modes, Selection, mac, modes};
use crate::analysis::of_model::Source;
use crate::analysis::steady::{self, moving};

/// Modes at one value of the parameter.
#[derive(Clone, Debug)]
pub struct CampbellPoint {
    /// The value.
    pub value: f64,
    /// Rate of the fastest body, rad/s.
    pub spin: f64,
    /// Positions of the steady motion.
    pub q: Vec<f64>,
    /// Positions of the bodies in the steady motion.
    pub bodies: Vec<(String, [f64; 3])>,
    /// Sensors in the steady motion: name, values, unit.
    pub sensors: Vec<(String, Vec<f64>, String)>,
    /// Forces and torques of the joints in the steady motion.
    pub joints: Vec<(String, [f64; 3], [f64; 3])>,
    /// Frame of the eigenvalues.
    pub frame: Frame,
    /// Largest relative change of the linear equations along the motion.
    pub proof: f64,
    /// All modes.
    pub modes: Modes,
}

/// One mode over the parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its eigenvalue at every point; none if it was lost.
    pub s: Vec<Option<Complex<f64>>>,
    /// Whirl at every point.
    pub whirl: Vec<Option<f64>>,
    /// Words at the fastest point.
    pub words: String,
}

impl Branch {
    /// The direction at most points.
    pub fn direction(&self) -> &'static str {
        let sum: f64 = self.whirl.iter().flatten().sum();
        let n = self.whirl.iter().flatten().count().max(1) as f64;
        match sum / n {
            w if w > 0.1 => "forward",
            w if w < -0.1 => "backward",
            _ => "",
        }
    }
}

/// A speed at which a mode is excited.
#[derive(Clone, Debug, PartialEq)]
pub struct Critical {
    /// Branch by number.
    pub branch: usize,
    /// Excitations per turn.
    pub order: f64,
    /// Value of the parameter.
    pub value: f64,
    /// Rate of the fastest body, rad/s.
    pub spin: f64,
    /// Damping ratio there.
    pub damping: f64,
}

/// Modes over a parameter.
#[derive(Clone, Debug)]
pub struct Campbell {
    /// Values in their order.
    pub points: Vec<CampbellPoint>,
    /// Modes followed over all values.
    pub branches: Vec<Branch>,
    /// Critical speeds, the slowest first.
    pub critical: Vec<Critical>,
}

/// All modes at one value; the search starts from the positions of a neighbour, if given.
pub fn point(
    source: &Source,
    value: f64,
    frame: Frame,
    near: Option<&[f64]>,
) -> Result<CampbellPoint, AnalysisError> {
    let built = source(value)?;
    let system = &*built.system;
    let found = steady::find_near(system, &moving(system, &built.q, &built.v, 0.0), frame, true, near)?;
    let at = found.state.at();
    let list = system.bodies(&at);
    let spin = list.iter().map(|b| b.angular_velocity.norm()).fold(0.0, f64::max);
    let bodies = list.iter().map(|b| (b.name.clone(), b.position.into())).collect();
    let joints =
        system.reactions(&at).into_iter().map(|r| (r.name, r.force.into(), r.torque.into())).collect();
    let (sensors, _) = for_summary(system, &at);
    let sensors = sensors.into_iter().map(|(name, x, unit)| (name, x, unit.to_string())).collect();
    let modes = modes(system, &found, Selection { n: usize::MAX, near: None })?;
    Ok(CampbellPoint {
        value,
        spin,
        bodies,
        sensors,
        joints,
        q: found.state.q,
        frame: found.steady.frame,
        proof: found.proof,
        modes,
    })
}

/// Modes at all values, followed over the values, and critical speeds of these orders.
pub fn campbell(
    source: &Source,
    values: &[f64],
    frame: Frame,
    orders: &[f64],
) -> Result<Campbell, AnalysisError> {
    let mut points: Vec<CampbellPoint> = Vec::new();
    for &value in values {
        let near = points.last().map(|p| p.q.clone());
        points.push(point(source, value, frame, near.as_deref())?);
    }
    let places = follow(&points);
    let mut critical = Vec::new();
    for i in 1..points.len() {
        for &order in orders {
            critical.extend(crossings(source, &points[i - 1..=i], order, frame)?.into_iter().map(|at| {
                let near =
                    if at.value - points[i - 1].value < points[i].value - at.value { i - 1 } else { i };
                let known: Vec<_> = places.iter().map(|p| p[near]).collect();
                let found = pair_up(&points[near].modes, &known, &at.point.modes);
                // If there are more modes than branches, the most similar branch is used.
                let linear = at.point.modes.linear.as_ref();
                let alike = |b: &usize| {
                    known[*b].map_or(-1.0, |i| likeness(linear, &points[near].modes.modes[i], at.mode()))
                };
                let nearest = || (0..known.len()).max_by(|a, b| alike(a).total_cmp(&alike(b)));
                let own = found.iter().position(|j| *j == Some(at.mode));
                let branch = own.or_else(nearest).unwrap_or_default();
                Critical { branch, order, value: at.value, spin: at.point.spin, damping: at.mode().damping() }
            }));
        }
    }
    critical.sort_by(|a, b| a.spin.total_cmp(&b.spin));
    let branches = branches(&points, &places);
    Ok(Campbell { points, branches, critical })
}

/// Similarity of modes at two points: 0 to 2.
fn likeness(linear: Option<&crate::analysis::Linear>, a: &Mode, b: &Mode) -> f64 {
    let far = (a.s - b.s).norm() / (0.1 * (a.s.norm() + b.s.norm()) + f64::MIN_POSITIVE);
    linear.map_or(0.0, |l| mac(l, &a.shape, &b.shape)) + 1.0 / (1.0 + far)
}

/// The modes of another point that continue given ones: for each branch, the number of its mode there.
fn pair_up(from: &Modes, places: &[Option<usize>], to: &Modes) -> Vec<Option<usize>> {
    let mut pairs = Vec::new();
    for (b, place) in places.iter().enumerate() {
        let Some(i) = *place else { continue };
        for j in 0..to.modes.len() {
            pairs.push((likeness(to.linear.as_ref(), &from.modes[i], &to.modes[j]), b, j));
        }
    }
    pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
    let mut found = vec![None; places.len()];
    let mut taken = vec![false; to.modes.len()];
    for (_, b, j) in pairs {
        if found[b].is_none() && !taken[j] {
            found[b] = Some(j);
            taken[j] = true;
        }
    }
    found
}

/// Number of the mode of each branch at each point. There is a branch for every mode of the fastest point.
fn follow(points: &[CampbellPoint]) -> Vec<Vec<Option<usize>>> {
    let Some(start) = (0..points.len()).max_by(|&i, &j| points[i].spin.total_cmp(&points[j].spin)) else {
        return Vec::new();
    };
    let n = points.len();
    let count = points[start].modes.modes.len();
    let mut places: Vec<Vec<Option<usize>>> = vec![vec![None; n]; count];
    places.iter_mut().enumerate().for_each(|(i, p)| p[start] = Some(i));
    let down = (0..start).rev().map(|i| (i + 1, i));
    let up = (start + 1..n).map(|i| (i - 1, i));
    for (from, to) in down.chain(up) {
        let known: Vec<_> = places.iter().map(|p| p[from]).collect();
        let found = pair_up(&points[from].modes, &known, &points[to].modes);
        places.iter_mut().zip(found).for_each(|(p, j)| p[to] = j);
    }
    places
}

/// Data of each branch.
fn branches(points: &[CampbellPoint], places: &[Vec<Option<usize>>]) -> Vec<Branch> {
    let branch = |place: &Vec<Option<usize>>| {
        let mode = |(p, j): (&CampbellPoint, &Option<usize>)| j.map(|j| p.modes.modes[j].clone());
        let list: Vec<Option<Mode>> = points.iter().zip(place).map(mode).collect();
        let fastest = points.iter().zip(&list).filter(|x| x.1.is_some());
        let fastest = fastest.max_by(|a, b| a.0.spin.total_cmp(&b.0.spin)).and_then(|x| x.1.as_ref());
        Branch {
            s: list.iter().map(|m| m.as_ref().map(|m| m.s)).collect(),
            whirl: list.iter().map(|m| m.as_ref().and_then(|m| m.whirl)).collect(),
            words: fastest.map(|m| m.words.clone()).unwrap_or_default(),
        }
    };
    places.iter().map(branch).collect()
}

/// A critical speed, and all modes there.
struct BranchCrossing {
    value: f64,
    point: CampbellPoint,
    /// The excited mode.
    mode: usize,
}

impl BranchCrossing {
    fn mode(&self) -> &Mode {
        &self.point.modes.modes[self.mode]
    }
}

/// The mode with the k-th highest frequency, if there are enough oscillating ones.
fn ranked(point: &CampbellPoint, k: usize) -> Option<usize> {
    let modes = &point.modes.modes;
    let mut order: Vec<usize> = (0..modes.len()).filter(|&j| modes[j].s.im > 0.0).collect();
    order.sort_by(|&i, &j| modes[j].s.im.total_cmp(&modes[i].s.im));
    order.get(k).copied()
}

/// Values with Im s = order * spin between two points, refined on the model. The k-th highest frequency is
/// continuous even if modes are exchanged, so no crossing depends on the similarity of modes.
fn crossings(
    source: &Source,
    ends: &[CampbellPoint],
    order: f64,
    frame: Frame,
) -> Result<Vec<BranchCrossing>, AnalysisError> {
    let [first, second] = ends else { return Ok(Vec::new()) };
    let mut list = Vec::new();
    for k in 0..first.modes.modes.len().max(second.modes.modes.len()) {
        let gap = |p: &CampbellPoint| ranked(p, k).map_or(0.0, |j| p.modes.modes[j].s.im) - order * p.spin;
        let (mut low, mut high) = ((first.value, gap(first)), (second.value, gap(second)));
        // A crossing at a value of the grid belongs to the interval before it.
        if low.1 == 0.0 || low.1 * high.1 > 0.0 || !(low.1 - high.1).is_finite() {
            continue;
        }
        let mut at = second.clone();
        for step in 0..60 {
            if gap(&at).abs() <= 1e-12 * order * at.spin || (high.0 - low.0).abs() <= 1e-13 * at.value.abs() {
                break;
            }
            // Secant, kept inside by bisection.
            let middle = 0.5 * (low.0 + high.0);
            let secant = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let value = if step % 3 == 2 || !secant.is_finite() { middle } else { secant };
            at = point(source, value, frame, Some(&second.q))?;
            let now = (value, gap(&at));
            if now.1 * low.1 < 0.0 { high = now } else { low = now }
        }
        // Modes that no longer oscillate do not cross.
        if let Some(mode) = ranked(&at, k) {
            list.push(BranchCrossing { value: at.value, point: at, mode });
        }
    }
    Ok(list)
}
