//! Springs and rods between two points: nodes with their own position, direction and stretch.

use std::f64::consts::TAU;

use precess::mechanics::joints::JointKind;

use super::solids::Surface;
use crate::drawn::Place;
use crate::scene::Scene;
use crate::{Q, V};

const TURNS: f64 = 9.0;
/// Points along the wire and around it.
const ALONG: u32 = 180;
const AROUND: u32 = 7;

/// A line from one point to another.
pub struct Line {
    /// Name.
    pub name: String,
    /// True for springs, which stretch.
    pub spring: bool,
    /// Length of the mesh along z, from 0.
    pub rest: f64,
    /// Radius.
    pub radius: f64,
    bodies: [Place; 2],
    points: [V; 2],
}

/// Position of a line in a frame.
pub struct Stand {
    /// Its first end.
    pub at: V,
    /// Turns z into its direction.
    pub turn: Q,
    /// Length over that of the mesh.
    pub stretch: f64,
}

/// Springs, and the rods of rigid distances.
pub fn lines(scene: &Scene) -> Vec<Line> {
    let (d, glyph) = (&scene.drawn, scene.look.glyph);
    let springs = d.springs.iter().map(|s| (&s.name, true, s.bodies, s.points));
    let rods = d.joints.iter().filter(|j| j.kind == Some(JointKind::RigidDistance));
    let rods = rods.map(|j| (&j.name, false, j.bodies, j.points));
    let all = springs.chain(rods).map(|(name, spring, bodies, points)| {
        let mut line = Line { name: name.clone(), spring, rest: 1.0, radius: 0.32 * glyph, bodies, points };
        // The mesh has the length of the line in the middle of the run, so the thickness of the wire hardly
        // changes.
        line.rest = line.vector(scene, scene.motion.frames() / 2).norm().max(1e-3 * glyph);
        if spring {
            line.radius = (1.1 * glyph).min(0.22 * line.rest);
        }
        line
    });
    all.collect()
}

impl Line {
    fn end(&self, scene: &Scene, frame: usize, k: usize) -> V {
        let (x, r) = scene.motion.pose(frame, self.bodies[k]);
        x + r * self.points[k]
    }

    fn vector(&self, scene: &Scene, frame: usize) -> V {
        self.end(scene, frame, 1) - self.end(scene, frame, 0)
    }

    /// Positions in these frames. The direction is carried from frame to frame, so that a line never turns
    /// about its axis.
    pub fn stands(&self, scene: &Scene, frames: &[usize]) -> Vec<Stand> {
        let (mut direction, mut turn) = (V::z(), Q::identity());
        let one = |frame: &usize| {
            let vector = self.vector(scene, *frame);
            if let Some(next) = vector.try_normalize(1e-12 * self.rest) {
                let step = Q::rotation_between(&direction, &next);
                turn = step.unwrap_or_else(|| Q::from_axis_angle(&V::x_axis(), TAU / 2.0)) * turn;
                direction = next;
            }
            // A length of zero is not allowed: a mesh without volume has no normals.
            Stand { at: self.end(scene, *frame, 0), turn, stretch: (vector.norm() / self.rest).max(1e-6) }
        };
        frames.iter().map(one).collect()
    }

    /// The coil of a spring, from 0 to `rest` along z.
    pub fn coil(&self) -> Surface {
        let (wire, end) = (0.17 * self.radius, 0.1);
        let centre = |t: f64| {
            let s = ((t - end) / (1.0 - 2.0 * end)).clamp(0.0, 1.0);
            let wide = self.radius * (t / end).min((1.0 - t) / end).clamp(0.0, 1.0);
            let (sin, cos) = (TAU * TURNS * s).sin_cos();
            let z = if t < end { 0.8 * t } else { 0.08 + 0.84 * s + 0.8 * (t - 1.0 + end).max(0.0) };
            V::new(wide * cos, wide * sin, self.rest * z)
        };
        let mut out = Surface::default();
        for i in 0..=ALONG {
            let t = f64::from(i) / f64::from(ALONG);
            let c = centre(t);
            let along = (centre(t + 1e-3) - centre(t - 1e-3)).normalize();
            let out_of = V::new(c.x, c.y, 0.0);
            let side = if out_of.norm() > 1e-9 * self.radius { out_of } else { V::x() };
            let side = (side - along * along.dot(&side)).normalize();
            let other = along.cross(&side);
            for k in 0..=AROUND {
                let (sin, cos) = (TAU * f64::from(k) / f64::from(AROUND)).sin_cos();
                let n = side * cos + other * sin;
                let p = c + n * wire;
                out.points.push([p.x, p.y, p.z].map(|x| x as f32));
                out.normals.push([n.x, n.y, n.z].map(|x| x as f32));
            }
        }
        for (i, k) in (0..ALONG).flat_map(|i| (0..AROUND).map(move |k| (i, k))) {
            let a = i * (AROUND + 1) + k;
            let b = a + AROUND + 1;
            out.indices.extend([a, a + 1, b + 1, a, b + 1, b]);
        }
        out
    }
}
