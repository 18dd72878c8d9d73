//! Campbell diagrams: the modes of a rotor over its speed, and the speeds at which unbalance excites one of them.
//!
//! The steady motion is solved anew at every value. Branches are followed by the likeness of shapes ([`mac`]) and of eigenvalues,
//! from the fastest value to the slowest, because modes that are double at rest only part when the rotor turns. A critical speed
//! of order n is where Im s = n Omega on a branch, found by the secant method on the model itself.

use nalgebra::Complex;
use precess::model::Built;

use crate::AnalysisError;
use crate::frame::Frame;
use crate::modes::{Mode, Modes, Selection, mac, modes};
use crate::steady::{self, moving};

/// Modes at one value of the parameter.
#[derive(Clone, Debug)]
pub struct Point {
    /// The value.
    pub value: f64,
    /// Rate of the fastest body, rad/s.
    pub spin: f64,
    /// Positions of the steady motion.
    pub q: Vec<f64>,
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
    /// Its eigenvalue at every point; none where it was lost.
    pub s: Vec<Option<Complex<f64>>>,
    /// Whirl at every point.
    pub whirl: Vec<Option<f64>>,
    /// Words at the fastest point.
    pub words: String,
}

impl Branch {
    /// The direction that most points have.
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
    pub points: Vec<Point>,
    /// Modes followed over all values.
    pub branches: Vec<Branch>,
    /// Critical speeds, the slowest first.
    pub critical: Vec<Critical>,
}

/// A model at a value of its parameter.
pub type Source<'a> = dyn Fn(f64) -> Result<Built, AnalysisError> + 'a;

/// All modes at one value; positions are looked for from those of a neighbour, if one is given.
pub fn point(
    source: &Source,
    value: f64,
    frame: Frame,
    near: Option<&[f64]>,
) -> Result<Point, AnalysisError> {
    let built = source(value)?;
    let system = &*built.system;
    let found = steady::find_near(system, &moving(system, &built.q, &built.v, 0.0), frame, true, near)?;
    let spin = system.bodies(&found.state.at()).iter().map(|b| b.angular_velocity.norm()).fold(0.0, f64::max);
    let modes = modes(system, &found, Selection { n: usize::MAX, near: None })?;
    Ok(Point { value, spin, q: found.state.q, frame: found.steady.frame, proof: found.proof, modes })
}

/// Modes at all values, followed, and critical speeds of these orders.
pub fn campbell(
    source: &Source,
    values: &[f64],
    frame: Frame,
    orders: &[f64],
) -> Result<Campbell, AnalysisError> {
    let mut points: Vec<Point> = Vec::new();
    for &value in values {
        let near = points.last().map(|p| p.q.clone());
        points.push(point(source, value, frame, near.as_deref())?);
    }
    let branches = follow(&points);
    let mut critical = Vec::new();
    for (i, branch) in branches.iter().enumerate() {
        for &order in orders {
            critical.extend(
                crossings(source, &points, branch, order, frame)?
                    .into_iter()
                    .map(|c| Critical { branch: i, ..c }),
            );
        }
    }
    critical.sort_by(|a, b| a.spin.total_cmp(&b.spin));
    Ok(Campbell { points, branches, critical })
}

/// How much a mode at one point looks like one at another: 0 to 2.
fn likeness(linear: Option<&crate::Linear>, a: &Mode, b: &Mode) -> f64 {
    let far = (a.s - b.s).norm() / (0.1 * (a.s.norm() + b.s.norm()) + f64::MIN_POSITIVE);
    linear.map_or(0.0, |l| mac(l, &a.shape, &b.shape)) + 1.0 / (1.0 + far)
}

/// Branches, one for every mode of the fastest point.
fn follow(points: &[Point]) -> Vec<Branch> {
    let Some(start) = (0..points.len()).max_by(|&i, &j| points[i].spin.total_cmp(&points[j].spin)) else {
        return Vec::new();
    };
    let n = points.len();
    let first = &points[start].modes.modes;
    // Number of the mode of each branch at each point.
    let mut places: Vec<Vec<Option<usize>>> = (0..first.len()).map(|_| vec![None; n]).collect();
    places.iter_mut().enumerate().for_each(|(i, p)| p[start] = Some(i));
    let down = (0..start).rev().map(|i| (i + 1, i));
    let up = (start + 1..n).map(|i| (i - 1, i));
    for (from, to) in down.chain(up) {
        let (old, new) = (&points[from].modes, &points[to].modes);
        let mut pairs = Vec::new();
        for (b, place) in places.iter().enumerate() {
            let Some(i) = place[from] else { continue };
            for j in 0..new.modes.len() {
                pairs.push((likeness(new.linear.as_ref(), &old.modes[i], &new.modes[j]), b, j));
            }
        }
        pairs.sort_by(|x, y| y.0.total_cmp(&x.0));
        let mut taken = vec![false; new.modes.len()];
        for (_, b, j) in pairs {
            if places[b][to].is_none() && !taken[j] {
                places[b][to] = Some(j);
                taken[j] = true;
            }
        }
    }
    let branch = |(i, place): (usize, &Vec<Option<usize>>)| {
        let mode = |(p, j): (&Point, &Option<usize>)| j.map(|j| p.modes.modes[j].clone());
        let list: Vec<Option<Mode>> = points.iter().zip(place).map(mode).collect();
        Branch {
            s: list.iter().map(|m| m.as_ref().map(|m| m.s)).collect(),
            whirl: list.iter().map(|m| m.as_ref().and_then(|m| m.whirl)).collect(),
            words: first[i].words.clone(),
        }
    };
    places.iter().enumerate().map(branch).collect()
}

/// Where Im s = order * spin on a branch, refined on the model.
fn crossings(
    source: &Source,
    points: &[Point],
    branch: &Branch,
    order: f64,
    frame: Frame,
) -> Result<Vec<Critical>, AnalysisError> {
    let mut list = Vec::new();
    for i in 1..points.len() {
        let (Some(a), Some(b)) = (branch.s[i - 1], branch.s[i]) else { continue };
        let gap = |s: Complex<f64>, p: &Point| s.im - order * p.spin;
        let (mut low, mut high) =
            ((points[i - 1].value, gap(a, &points[i - 1])), (points[i].value, gap(b, &points[i])));
        // A mode that does not oscillate is not excited by turning.
        if !(low.1 * high.1 <= 0.0) || low.1 == high.1 || a.im.max(b.im) == 0.0 {
            continue;
        }
        let like = points[i].modes.modes.iter().find(|m| m.s == b);
        let Some(like) = like.cloned() else { continue };
        let (mut last, mut s) = (points[i].clone(), b);
        for step in 0..60 {
            // Secant, kept inside by bisection.
            let middle = 0.5 * (low.0 + high.0);
            let secant = low.0 - low.1 * (high.0 - low.0) / (high.1 - low.1);
            let value = if step % 3 == 2 || !secant.is_finite() { middle } else { secant };
            last = point(source, value, frame, Some(&points[i].q))?;
            let best = last.modes.modes.iter().max_by(|x, y| {
                let linear = last.modes.linear.as_ref();
                likeness(linear, &like, x).total_cmp(&likeness(linear, &like, y))
            });
            let Some(best) = best else { break };
            s = best.s;
            let at = (value, gap(s, &last));
            if at.1.abs() <= 1e-12 * s.im || (high.0 - low.0).abs() <= 1e-13 * value.abs() {
                break;
            }
            if at.1 * low.1 < 0.0 { high = at } else { low = at }
        }
        let damping = if s.norm() > 0.0 { -s.re / s.norm() } else { 0.0 };
        // A crossing at a value of the grid belongs to both of its neighbours.
        let known = |c: &Critical| (c.spin - last.spin).abs() <= 1e-9 * last.spin.abs();
        if list.iter().any(known) {
            continue;
        }
        list.push(Critical { branch: 0, order, value: last.value, spin: last.spin, damping });
    }
    Ok(list)
}
