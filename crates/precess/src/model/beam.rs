//! Beams as plain data: a curve of nodes and a section. `beam_parts` makes bodies, forces and sensors of them.
//!
//! Every node is a rigid body, so joints, forces and sensors attach to it as to any other body. An element
//! ([`crate::mechanics::forces::BeamElement`]) joins neighbouring nodes. A station is a node at which
//! something can be attached.

use nalgebra::{Isometry3, Matrix3, Translation3, UnitQuaternion, Vector3, Vector6};
use precess_engine::flex::{Section, Shape};
use precess_lie::{LieGroup, SE3};

use crate::mechanics::forces::BeamData;
use crate::mechanics::frame_along;

/// Largest angle between neighbouring frames of a curve, in rad.
const TURN: f64 = 1.0;
/// Stations closer than this part of the length are the same node.
const SAME: f64 = 1e-9;

/// Pose of a node as in `precess_lie`: quaternion, then position.
pub(crate) type NodeFrame = nalgebra::SVector<f64, 7>;

pub(crate) fn frame(position: &Vector3<f64>, rotation: &UnitQuaternion<f64>) -> NodeFrame {
    let (q, x) = (rotation.quaternion(), position);
    NodeFrame::from([q.w, q.i, q.j, q.k, x.x, x.y, x.z])
}

/// Frames along a line, with the first axis along it and screw motions between them.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    frames: Vec<Isometry3<f64>>,
    /// Arc length from the first frame to each.
    lengths: Vec<f64>,
}

impl Curve {
    /// A curve through these frames.
    pub fn through(frames: Vec<Isometry3<f64>>) -> Self {
        let mut lengths = vec![0.0];
        for pair in frames.windows(2) {
            if let [a, b] = pair {
                lengths.push(lengths.last().unwrap_or(&0.0) + difference(a, b).fixed_rows::<3>(3).norm());
            }
        }
        Curve { frames, lengths }
    }

    /// A straight line; the third axis is as close to `up` as possible. It may be twisted about its axis, in
    /// rad.
    pub fn straight(from: Vector3<f64>, to: Vector3<f64>, up: Option<Vector3<f64>>, twist: f64) -> Self {
        let first = axes(&(to - from), up);
        let n = pieces(twist);
        let at = |i: usize| {
            let s = i as f64 / n as f64;
            let turn = UnitQuaternion::from_scaled_axis(Vector3::x() * (twist * s));
            Isometry3::from_parts(Translation3::from(from + (to - from) * s), first * turn)
        };
        Curve::through((0..=n).map(at).collect())
    }

    /// The arc of a circle through three points; `None` if they are on a line. Without `up` the third axis is
    /// that of the circle.
    pub fn arc(
        from: Vector3<f64>,
        through: Vector3<f64>,
        to: Vector3<f64>,
        up: Option<Vector3<f64>>,
        twist: f64,
    ) -> Option<Self> {
        let (a, b) = (through - from, to - from);
        let normal = a.cross(&b);
        let size = normal.norm_squared();
        if !(size > 1e-18 * a.norm_squared() * b.norm_squared()) {
            return None;
        }
        let centre = from
            + (b.cross(&normal) * -a.norm_squared() + a.cross(&normal) * b.norm_squared()) / (-2.0 * size);
        let axis = normal / size.sqrt();
        let radius = from - centre;
        let angle_of = |p: &Vector3<f64>| {
            let r = p - centre;
            radius.cross(&r).dot(&axis).atan2(radius.dot(&r)).rem_euclid(std::f64::consts::TAU)
        };
        let angle = angle_of(&to);
        let first = axes(&axis.cross(&radius), up.or(Some(axis)));
        let n = pieces(angle.abs().max(twist.abs()));
        let at = |i: usize| {
            let s = i as f64 / n as f64;
            let swing = UnitQuaternion::from_scaled_axis(axis * (angle * s));
            let turn = UnitQuaternion::from_scaled_axis(Vector3::x() * (twist * s));
            Isometry3::from_parts(Translation3::from(centre + swing * radius), swing * first * turn)
        };
        Some(Curve::through((0..=n).map(at).collect()))
    }

    /// A smooth line through points: at each point the direction halves the angle between its neighbours, and
    /// the axes turn as little as possible. `None` if neighbours coincide.
    pub fn points(points: &[Vector3<f64>], up: Option<Vector3<f64>>) -> Option<Self> {
        let chords: Vec<Vector3<f64>> =
            points.windows(2).filter_map(|p| Some(p.get(1)? - p.first()?)).collect();
        if chords.is_empty() || chords.iter().any(|c| !(c.norm() > 0.0)) {
            return None;
        }
        let chords: Vec<Vector3<f64>> = chords.iter().map(|c| c.normalize()).collect();
        let mut tangents: Vec<Vector3<f64>> = chords
            .windows(2)
            .map(|c| match c {
                [a, b] if (a + b).norm() > 1e-9 => (a + b).normalize(),
                _ => Vector3::zeros(),
            })
            .collect();
        if tangents.iter().any(|t| t.norm() == 0.0) {
            return None;
        }
        // At the ends the line is the arc of a circle.
        let mirrored = |chord: &Vector3<f64>, t: Option<&Vector3<f64>>| match t {
            Some(t) => chord * (2.0 * chord.dot(t)) - t,
            None => *chord,
        };
        let first = mirrored(chords.first()?, tangents.first());
        let last = mirrored(chords.last()?, tangents.last());
        tangents.insert(0, first);
        tangents.push(last);
        let mut rotation = axes(&first, up);
        let mut frames = Vec::with_capacity(points.len());
        for (p, t) in points.iter().zip(&tangents) {
            let before = rotation * Vector3::x();
            let swing = UnitQuaternion::rotation_between(&before, t).unwrap_or_else(UnitQuaternion::identity);
            rotation = swing * rotation;
            frames.push(Isometry3::from_parts(Translation3::from(*p), rotation));
        }
        Some(Curve::through(frames))
    }

    /// Angle by which its frames turn between two parts of the length, along the curve.
    pub fn turning(&self, from: f64, to: f64) -> f64 {
        let (from, to) = (from * self.length(), to * self.length());
        let pieces = self.lengths.windows(2).zip(self.frames.windows(2));
        let turned = pieces.map(|(l, f)| match (l, f) {
            ([a, b], [p, q]) if b > a => {
                let share = (to.min(*b) - from.max(*a)).max(0.0) / (b - a);
                share * difference(p, q).fixed_rows::<3>(0).norm()
            }
            _ => 0.0,
        });
        turned.sum()
    }

    /// The places of its frames, as parts of the length.
    pub fn parts(&self) -> impl Iterator<Item = f64> + '_ {
        self.lengths.iter().map(|length| length / self.length())
    }

    /// Arc length.
    pub fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    /// The frame at a part of the length.
    pub fn at(&self, part: f64) -> Isometry3<f64> {
        let length = part * self.length();
        let pieces = self.lengths.windows(2).zip(self.frames.windows(2));
        let mut found = self.frames.last().copied().unwrap_or_else(Isometry3::identity);
        for (l, f) in pieces {
            if let ([from, to], [a, b]) = (l, f)
                && length <= *to
            {
                let d = difference(a, b) * ((length - from) / (to - from));
                found = pose(&SE3::compose(&raw(a), &SE3::exp(&d)));
                break;
            }
        }
        found
    }
}

fn raw(f: &Isometry3<f64>) -> NodeFrame {
    frame(&f.translation.vector, &f.rotation)
}

fn pose(f: &NodeFrame) -> Isometry3<f64> {
    let q = nalgebra::Quaternion::new(f[0], f[1], f[2], f[3]);
    Isometry3::from_parts(Translation3::new(f[4], f[5], f[6]), UnitQuaternion::from_quaternion(q))
}

fn difference(a: &Isometry3<f64>, b: &Isometry3<f64>) -> Vector6<f64> {
    SE3::difference(&raw(a), &raw(b))
}

fn pieces(angle: f64) -> usize {
    ((angle.abs() / TURN).ceil() as usize).clamp(1, 10_000)
}

/// Axes with the first along a direction and the third as close to `up` as possible; without `up` close to z,
/// or y for a vertical line.
fn axes(direction: &Vector3<f64>, up: Option<Vector3<f64>>) -> UnitQuaternion<f64> {
    let e1 = direction.normalize();
    let across = |up: &Vector3<f64>| up - e1 * e1.dot(up);
    let wanted = up.filter(|u| across(u).norm() > 1e-9 * u.norm());
    let default = if e1.z.abs() < 0.999_999 { Vector3::z() } else { Vector3::y() };
    let e3 = across(&wanted.unwrap_or(default)).normalize();
    let m = Matrix3::from_columns(&[e1, e3.cross(&e1), e3]);
    UnitQuaternion::from_matrix_eps(&m, 1e-15, 100, UnitQuaternion::from_matrix(&frame_along(&e1)))
}

/// A beam of a model and its nodes. `Model::beam` adds them.
#[derive(Clone, Debug, PartialEq)]
pub struct BeamSpec {
    /// Unique name; its nodes are the bodies `name.0`, `name.1`, ...
    pub name: String,
    /// Frames of the nodes, without stress.
    pub nodes: Vec<Isometry3<f64>>,
    /// Section, mass and damping.
    pub data: BeamData,
    /// Shape of the section, for pictures; round if absent.
    pub shape: Option<Shape>,
    /// Velocity of the first node at t = 0, inertial frame; the beam begins as a rigid body.
    pub velocity: Vector3<f64>,
    /// Its angular velocity, inertial frame.
    pub angular_velocity: Vector3<f64>,
}

impl BeamSpec {
    /// A beam of some elements along a curve, with nodes also at some stations (parts of the length).
    pub fn along(name: &str, curve: &Curve, elements: usize, stations: &[f64], section: Section) -> Self {
        let nodes = divide(elements, stations).into_iter().map(|s| curve.at(s)).collect();
        BeamSpec {
            name: name.to_string(),
            nodes,
            data: BeamData { section, damping: 0.0, consistent: true, residual_flexibility: false },
            shape: None,
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }

    /// A straight beam.
    pub fn straight(name: &str, from: [f64; 3], to: [f64; 3], elements: usize, section: Section) -> Self {
        let curve = Curve::straight(from.into(), to.into(), None, 0.0);
        BeamSpec::along(name, &curve, elements, &[], section)
    }

    /// The number of elements.
    pub fn elements(&self) -> usize {
        self.nodes.len().saturating_sub(1)
    }

    /// The length without stress.
    pub fn length(&self) -> f64 {
        self.lengths().iter().sum()
    }

    /// True for the name of one of its nodes.
    pub fn has(&self, body: &str) -> bool {
        let number = body.strip_prefix(&self.name).and_then(|x| x.strip_prefix('.')).map(str::parse::<usize>);
        matches!(number, Some(Ok(i)) if i < self.nodes.len())
    }

    /// Length of beam for each node: half of each adjacent element.
    pub fn shares(&self) -> Vec<f64> {
        let lengths = self.lengths();
        let near = |i: Option<usize>| i.and_then(|i| lengths.get(i)).copied().unwrap_or(0.0);
        (0..self.nodes.len()).map(|i| 0.5 * (near(i.checked_sub(1)) + near(Some(i)))).collect()
    }

    /// Positions of the nodes, as parts of the length.
    pub fn parts(&self) -> Vec<f64> {
        let (mut sum, length) = (0.0, self.length());
        let mut list = vec![0.0];
        for l in self.lengths() {
            sum += l;
            list.push(sum / length);
        }
        list
    }

    /// The name of a node.
    pub fn node(&self, i: usize) -> String {
        format!("{}.{i}", self.name)
    }

    pub(super) fn lengths(&self) -> Vec<f64> {
        let pairs = self.nodes.windows(2).filter_map(|p| Some((p.first()?, p.get(1)?)));
        pairs.map(|(a, b)| difference(a, b).fixed_rows::<3>(3).norm()).collect()
    }

    /// First frequencies in Hz of a slender beam with this section: clamped at one end, and free. The softer
    /// bending counts.
    pub fn frequencies(&self) -> [f64; 2] {
        let k = &self.data.section.stiffness;
        let (softer, length) = (k[(1, 1)].min(k[(2, 2)]), self.length());
        let unit = (softer / self.data.section.mass).sqrt() / (length * length * std::f64::consts::TAU);
        // Squares of the first roots of cosh x cos x = -1 and = 1.
        [3.516_015_268_5 * unit, 22.373_285_448 * unit]
    }

    /// Length over the radius of gyration of the softer bending, sqrt(EI/EA).
    pub fn slenderness(&self) -> f64 {
        let k = &self.data.section.stiffness;
        self.length() / (k[(1, 1)].min(k[(2, 2)]) / k[(3, 3)]).sqrt()
    }
}

/// Positions of the nodes, as parts of the length: `elements` in total, if possible, and equal between
/// stations.
pub(super) fn divide(elements: usize, stations: &[f64]) -> Vec<f64> {
    let mut marks: Vec<f64> = stations.iter().copied().filter(|s| (SAME..=1.0 - SAME).contains(s)).collect();
    marks.extend([0.0, 1.0]);
    marks.sort_unstable_by(f64::total_cmp);
    marks.dedup_by(|a, b| (*a - *b).abs() < SAME);
    let mut list = vec![0.0];
    for pair in marks.windows(2) {
        if let [a, b] = pair {
            let n = ((elements as f64 * (b - a)).round() as usize).max(1);
            list.extend((1..=n).map(|i| a + (b - a) * (i as f64 / n as f64)));
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arc_has_its_length_and_its_ends() {
        let (r, angle) = (100.0, std::f64::consts::FRAC_PI_4);
        let on = |a: f64| Vector3::new(r * a.sin(), r * (1.0 - a.cos()), 0.0);
        let curve = Curve::arc(on(0.0), on(0.3), on(angle), None, 0.0).unwrap();
        assert!((curve.length() - r * angle).abs() < 1e-11);
        for s in [0.0, 0.21, 0.5, 0.9, 1.0] {
            let f = curve.at(s);
            assert!((f.translation.vector - on(angle * s)).norm() < 1e-11, "{s}");
            let tangent = Vector3::new((angle * s).cos(), (angle * s).sin(), 0.0);
            assert!((f.rotation * Vector3::x() - tangent).norm() < 1e-12, "{s}");
            assert!((f.rotation * Vector3::z() - Vector3::z()).norm() < 1e-12);
        }
        assert!(Curve::arc(on(0.0), on(0.0), on(angle), None, 0.0).is_none());
        // The arc that goes the long way round.
        let long = Curve::arc(on(0.0), on(4.0), on(5.0), None, 0.0).unwrap();
        assert!((long.length() - r * 5.0).abs() < 1e-10);
    }

    #[test]
    fn points_of_a_circle_make_a_circle() {
        let on = |a: f64| Vector3::new(a.sin(), 1.0 - a.cos(), 0.0);
        let points: Vec<Vector3<f64>> = (0..=6).map(|i| on(0.2 * i as f64)).collect();
        let curve = Curve::points(&points, None).unwrap();
        assert!((curve.length() - 1.2).abs() < 1e-12);
        assert!((curve.at(0.37).translation.vector - on(1.2 * 0.37)).norm() < 1e-12);
    }

    #[test]
    fn a_twisted_line_turns_about_itself() {
        let curve = Curve::straight(Vector3::zeros(), Vector3::new(0.0, 0.0, 2.0), None, 7.0);
        assert!((curve.length() - 2.0).abs() < 1e-13);
        let [a, b] = [curve.at(0.0), curve.at(0.5)];
        let turn = a.rotation.inverse() * b.rotation * Vector3::y();
        assert!((turn - Vector3::new(0.0, 3.5f64.cos(), 3.5f64.sin())).norm() < 1e-12);
    }

    #[test]
    fn stations_are_nodes() {
        assert_eq!(divide(4, &[]), vec![0.0, 0.25, 0.5, 0.75, 1.0]);
        let list = divide(4, &[0.3, 0.5]);
        assert!(list.iter().any(|s| (s - 0.3).abs() < 1e-12) && list.iter().any(|s| (s - 0.5).abs() < 1e-12));
        assert_eq!(divide(1, &[0.0, 1.0]), vec![0.0, 1.0]);
    }
}
