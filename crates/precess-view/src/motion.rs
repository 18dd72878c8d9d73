//! Positions of bodies over time, taken from results and reduced for a page.

use nalgebra::Quaternion;
use precess::study::results::{Column, Results};

use crate::drawn::Drawn;
use crate::{Q, V};

/// Largest number of frames of a page.
pub const MOST_FRAMES: usize = 8000;
/// Smallest number of frames, for any number of bodies.
const FEWEST_FRAMES: usize = 120;
/// Frames per second in slow motion.
const RATE: f64 = 240.0;
/// Largest angle between two frames: beyond half a turn a wheel seems to turn backwards.
const LARGEST_TURN: f64 = 0.5;
/// Largest number of joints whose forces a page contains.
pub const MOST_FORCES: usize = 60;

/// A quantity over time, with the names of its parts.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Name.
    pub name: String,
    /// Unit.
    pub unit: String,
    /// Names of its parts; one for a number.
    pub parts: Vec<String>,
    /// Values of every part, frame by frame.
    pub values: Vec<Vec<f64>>,
}

/// Positions and other data, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Motion {
    /// Times, strictly increasing.
    pub t: Vec<f64>,
    /// Position and rotation of every body, frame by frame.
    pub poses: Vec<(V, Q)>,
    /// Force and torque of every joint, frame by frame; empty if there are too many joints or the results
    /// have none.
    pub forces: Vec<[f64; 6]>,
    /// Every load, frame by frame.
    pub loads: Vec<V>,
    /// Sensors and energy.
    pub curves: Vec<Curve>,
    /// Largest angular velocity.
    pub spin: f64,
    /// Rows of the results.
    pub rows: usize,
}

/// Largest number of frames for these numbers of bodies and joints, with a budget of numbers.
pub fn most_frames(bodies: usize, joints: usize, budget: usize) -> usize {
    let width = 7 * bodies + 6 * joints.min(MOST_FORCES) + 1;
    (budget / width).clamp(FEWEST_FRAMES, MOST_FRAMES)
}

/// Number of frames for slow motion of this many seconds with this angular velocity.
pub fn wanted_frames(span: f64, spin: f64) -> f64 {
    (span * RATE).max(span * spin / LARGEST_TURN).max(240.0).ceil()
}

impl Motion {
    /// The motion from results; `budget` is the number of values that a page may contain.
    pub fn of(results: &Results, drawn: &Drawn, budget: usize) -> Self {
        let times: &[f64] = results.column("t").map_or(&[], |c| &c.values);
        let column = |owner: &str, what: &str| results.column(&format!("{owner}.{what}"));
        let spins = drawn.bodies.iter().filter_map(|b| column(&b.name, "angular_velocity"));
        let spin = spins.flat_map(|c| c.values.chunks_exact(3)).map(length).fold(0.0, f64::max);
        let rows = rows(times, spin, most_frames(drawn.bodies.len(), drawn.joints.len(), budget));
        let bodies: Vec<_> =
            drawn.bodies.iter().map(|b| (column(&b.name, "position"), column(&b.name, "rotation"))).collect();
        let mut poses: Vec<(V, Q)> = Vec::with_capacity(rows.len() * bodies.len());
        for (frame, &row) in rows.iter().enumerate() {
            for (i, (position, rotation)) in bodies.iter().enumerate() {
                let before = frame.checked_sub(1).map(|f| poses[f * bodies.len() + i].1);
                poses.push((vector_of(*position, row), turn(*rotation, row, before)));
            }
        }
        let joints: Vec<_> =
            drawn.joints.iter().map(|j| (column(&j.name, "force"), column(&j.name, "torque"))).collect();
        let mut forces = Vec::new();
        if joints.len() <= MOST_FORCES && joints.iter().all(|(f, m)| f.is_some() && m.is_some()) {
            for &row in &rows {
                forces.extend(joints.iter().map(|(f, m)| {
                    let (f, m) = (vector_of(*f, row), vector_of(*m, row));
                    [f.x, f.y, f.z, m.x, m.y, m.z]
                }));
            }
        }
        let t: Vec<f64> = rows.iter().map(|r| times[*r]).collect();
        let mut loads = Vec::new();
        for (frame, t) in t.iter().enumerate() {
            let turn =
                |body: Option<usize>| body.map_or(Q::identity(), |b| poses[frame * bodies.len() + b].1);
            loads.extend(drawn.loads.iter().take(MOST_FORCES).map(|l| l.at(*t, &turn(l.body))));
        }
        Motion { loads, t, poses, forces, curves: curves(results, drawn, &rows), spin, rows: times.len() }
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.t.len()
    }

    /// Position and rotation of a body, or of the ground, in a frame.
    pub fn pose(&self, frame: usize, body: Option<usize>) -> (V, Q) {
        let bodies = self.poses.len() / self.t.len().max(1);
        body.and_then(|b| self.poses.get(frame * bodies + b)).copied().unwrap_or((V::zeros(), Q::identity()))
    }

    /// At most about this number of frames, evenly chosen.
    pub fn some(&self, most: usize) -> impl Iterator<Item = usize> {
        (0..self.frames()).step_by(self.frames().div_ceil(most.max(1)).max(1))
    }
}

fn length(v: &[f64]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

/// The rows that become frames: each time once, as many as slow motion and the spin require, not more than
/// `most`.
fn rows(times: &[f64], spin: f64, most: usize) -> Vec<usize> {
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return Vec::new() };
    let span = last - first;
    let wanted = wanted_frames(span, spin).min(most as f64);
    let interval = span / wanted * (1.0 - 1e-9);
    let mut rows = vec![0];
    let mut next = first + interval;
    let mut before = *first;
    for (row, t) in times.iter().enumerate().skip(1) {
        let end = row + 1 == times.len();
        if (*t >= next || end) && *t > before {
            rows.push(row);
            before = *t;
            next = (next + interval).max(t + 0.5 * interval);
        }
    }
    rows
}

fn vector_of(column: Option<&Column>, row: usize) -> V {
    match column.map(|c| c.row(row)) {
        Some([x, y, z]) => V::new(*x, *y, *z),
        _ => V::zeros(),
    }
}

/// A rotation with the sign nearer to the previous one.
fn turn(column: Option<&Column>, row: usize, before: Option<Q>) -> Q {
    let Some([w, x, y, z]) = column.map(|c| c.row(row)) else { return Q::identity() };
    let q = Q::from_quaternion(Quaternion::new(*w, *x, *y, *z));
    match before {
        Some(b) if b.coords.dot(&q.coords) < 0.0 => Q::new_unchecked(-q.into_inner()),
        _ => q,
    }
}

/// The name of a sensor without the prefix that distinguishes it from other columns.
fn plain(name: &str) -> &str {
    name.strip_prefix("sensor.").unwrap_or(name)
}

/// Sensors, or the positions of a few bodies if there are none, and the energy.
fn curves(results: &Results, drawn: &Drawn, rows: &[usize]) -> Vec<Curve> {
    let named = |name: &String| results.column(&format!("sensor.{name}")).or_else(|| results.column(name));
    let mut columns: Vec<&Column> = drawn.sensors.iter().filter_map(named).collect();
    if columns.is_empty() {
        let bodies = drawn.bodies.iter().take(3);
        columns.extend(bodies.filter_map(|b| results.column(&format!("{}.position", b.name))));
    }
    let energy = |c: &&Column| plain(&c.name) == "energy";
    columns.extend(results.column("energy").filter(|_| !columns.iter().any(energy)));
    let curve = |c: &Column| {
        let short = |part: &String| part.rsplit('.').next().unwrap_or(part).to_string();
        let parts = match c.parts.len() {
            1 => vec![plain(&c.name).to_string()],
            _ => c.parts.iter().map(short).collect(),
        };
        let part = |k: usize| rows.iter().map(|r| c.row(*r).get(k).copied().unwrap_or(f64::NAN)).collect();
        Curve {
            name: plain(&c.name).to_string(),
            unit: c.unit.clone(),
            values: (0..parts.len()).map(part).collect(),
            parts,
        }
    };
    columns.into_iter().map(curve).collect()
}
