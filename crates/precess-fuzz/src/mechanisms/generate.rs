//! Makes a random mechanism from a seed. It has a tree of bodies, loops that are closed in the given
//! positions, drives, gears, forces, and velocities that satisfy all constraints.
//!
//! Each loop, drive and gear is tested when it is added. It is removed if its rows depend on other rows, or
//! nearly so. Exceptions are plane mechanisms and intended redundancy (a second hinge on the same axis).

mod trial;

use fastrand::Rng;
use nalgebra::{UnitQuaternion, Vector3};

use super::data::{Body, Coordinate, Force, ForceKind, Gear, Joint, Mechanism, Motion};
use super::random::{decades, direction, drag, perpendicular, turn, uniform};

const GROUND: &str = "ground";
/// The joints of a tree with their weights.
const KINDS: [(&str, f64); 12] = [
    ("revolute", 6.0),
    ("prismatic", 2.0),
    ("cylindrical", 2.0),
    ("universal", 2.0),
    ("spherical", 4.0),
    ("planar", 1.0),
    ("fixed", 1.0),
    ("point-on-line", 1.5),
    ("point-on-plane", 1.5),
    ("rigid-distance", 1.5),
    ("generic", 2.0),
    ("bushing", 2.0),
];

/// Makes the mechanism of this seed.
pub fn mechanism(seed: u64) -> Mechanism {
    let mut maker = Maker::new(seed);
    maker.tree();
    maker.loops();
    maker.drives();
    maker.gears();
    maker.forces();
    maker.consistent_velocities();
    maker.m
}

/// An unfinished mechanism, and the scales of its random numbers.
struct Maker {
    rng: Rng,
    m: Mechanism,
    /// The scale of lengths. The scales of mass and time follow.
    length: f64,
    mass: f64,
    time: f64,
    /// Masses of bodies differ by at most this power of ten, up and down.
    decades: f64,
    /// The normal of all motions, if the mechanism is plane.
    normal: Option<Vector3<f64>>,
    /// The scale of relative speeds in the units of the mechanism.
    speed: f64,
    /// The previous body in the tree, for each body.
    parents: Vec<Option<usize>>,
    /// True for bodies in loops.
    in_loop: Vec<bool>,
}

impl Maker {
    fn new(seed: u64) -> Self {
        let mut rng = Rng::with_seed(seed);
        let length = decades(&mut rng, -3.0, 2.0);
        let heavy = rng.f64() < 0.7;
        let time = if heavy { (length / 9.81_f64).sqrt() } else { decades(&mut rng, -2.0, 1.0) };
        let mass = 1000.0 * length.powi(3) * decades(&mut rng, -1.0, 0.5);
        let decades_of_mass = if rng.f64() < 0.2 { 2.0 } else { 0.7 };
        let normal = (rng.f64() < 0.25).then(|| direction(&mut rng));
        let speed = [0.0, 0.3, 1.0, 1.0, 3.0, 10.0][rng.usize(..6)];
        let m = Mechanism {
            name: format!("random_{seed}"),
            gravity: if heavy { Vector3::new(0.0, 0.0, -9.81) } else { Vector3::zeros() },
            length,
            until: time * uniform(&mut rng, 2.0, 5.0),
            bodies: Vec::new(),
            joints: Vec::new(),
            gears: Vec::new(),
            forces: Vec::new(),
        };
        let (parents, in_loop) = (Vec::new(), Vec::new());
        Maker { rng, m, length, mass, time, decades: decades_of_mass, normal, speed, parents, in_loop }
    }

    /// Adds bodies one after the other. Each is held by an earlier one or by the ground.
    fn tree(&mut self) {
        let n = 1 + self.rng.usize(..8);
        for i in 0..n {
            let rigid: Vec<usize> = (0..i).filter(|&k| self.m.bodies[k].inertia.is_some()).collect();
            let grounded = self.rng.f64() < if i == 0 { 0.85 } else { 0.2 };
            let parent = if grounded { None } else { self.rng.choice(rigid) };
            self.add_body(i, parent, i == 0 && !grounded);
        }
    }

    fn add_body(&mut self, i: usize, parent: Option<usize>, free: bool) {
        let kind = self.kind_in_tree(free);
        let point_mass = matches!(kind, "spherical" | "point-on-line" | "point-on-plane" | "rigid-distance")
            && self.normal.is_none()
            && self.rng.f64() < 0.2;
        let from = parent.map_or_else(Vector3::zeros, |k| self.m.bodies[k].position);
        let arm = self.arm();
        let point = from + arm;
        let arm = self.arm();
        let position = if point_mass && kind != "rigid-distance" { point } else { point + arm };
        let (velocity, spin) = self.velocity(parent, &point, &position, matches!(kind, "bushing" | "fixed"));
        let rotation = if self.rng.f64() < 0.2 { UnitQuaternion::identity() } else { turn(&mut self.rng) };
        let mass = self.mass * decades(&mut self.rng, -self.decades, self.decades);
        let inertia = (!point_mass).then(|| self.inertia(mass));
        let body = Body {
            name: format!("b{i}"),
            mass,
            inertia,
            position,
            rotation: if point_mass { UnitQuaternion::identity() } else { rotation },
            velocity,
            angular_velocity: if point_mass { Vector3::zeros() } else { rotation.inverse() * spin },
        };
        let bodies =
            [parent.map_or(GROUND.to_string(), |k| self.m.bodies[k].name.clone()), body.name.clone()];
        self.m.bodies.push(body);
        self.parents.push(parent);
        self.in_loop.push(false);
        match kind {
            "" => {}
            "bushing" => self.bushing(bodies, point, mass),
            _ => {
                let mut joint = self.joint(format!("j{i}"), kind, bodies, point);
                if kind == "rigid-distance" {
                    let tip = self.arm() * 0.3;
                    joint.point2 = Some(if point_mass { position } else { position + tip });
                }
                self.m.joints.push(joint);
            }
        }
    }

    fn kind_in_tree(&mut self, free: bool) -> &'static str {
        if free {
            return "";
        }
        if self.normal.is_some() {
            return if self.rng.f64() < 0.8 { "revolute" } else { "prismatic" };
        }
        let total: f64 = KINDS.iter().map(|k| k.1).sum();
        let mut x = total * self.rng.f64();
        for (kind, weight) in KINDS {
            x -= weight;
            if x < 0.0 {
                return kind;
            }
        }
        "revolute"
    }

    /// Makes a joint of this kind with random axes.
    fn joint(&mut self, name: String, kind: &'static str, bodies: [String; 2], point: Vector3<f64>) -> Joint {
        let axis = match (self.normal, kind) {
            (_, "spherical" | "fixed" | "rigid-distance") => None,
            (Some(n), "prismatic") => Some(perpendicular(&n, &direction(&mut self.rng))),
            (Some(n), _) => Some(n),
            (None, _) => Some(direction(&mut self.rng)),
        };
        let axis2 = match (axis, kind) {
            (Some(a), "universal" | "generic") => Some(perpendicular(&a, &direction(&mut self.rng))),
            _ => None,
        };
        let mut lock = Vec::new();
        while kind == "generic" && lock.is_empty() {
            lock = ["tx", "ty", "tz", "rx", "ry", "rz"].into_iter().filter(|_| self.rng.bool()).collect();
        }
        Joint { name, kind, bodies, point, point2: None, axis, axis2, lock, drive: None }
    }

    fn bushing(&mut self, bodies: [String; 2], point: Vector3<f64>, mass: f64) {
        let frequency = decades(&mut self.rng, 1.0, 2.0) / self.time;
        let damping = if self.rng.bool() { 0.0 } else { uniform(&mut self.rng, 0.0, 0.5) };
        let mut some = |unit: f64| Vector3::from_fn(|_, _| unit * decades(&mut self.rng, -0.3, 0.3));
        let (translation, rotation) =
            (mass * frequency.powi(2), mass * (0.3 * self.length * frequency).powi(2));
        let stiffness = [some(translation), some(rotation)];
        let damping = stiffness.map(|k| k * (2.0 * damping / frequency));
        let kind = ForceKind::Bushing { bodies, point, rotation: turn(&mut self.rng), stiffness, damping };
        self.add_force(kind);
    }

    fn add_force(&mut self, kind: ForceKind) {
        let name = format!("f{}", self.m.forces.len());
        self.m.forces.push(Force { name, kind });
    }

    /// A random vector from a body to its joint, or from a joint to its body.
    fn arm(&mut self) -> Vector3<f64> {
        direction(&mut self.rng) * self.length * uniform(&mut self.rng, 0.2, 0.8)
    }

    /// The inertia of three masses on the axes of a frame. Every inertia that a body can have is possible.
    fn inertia(&mut self, mass: f64) -> (Vector3<f64>, UnitQuaternion<f64>) {
        let radii = Vector3::from_fn(|_, _| (self.length * uniform(&mut self.rng, 0.05, 0.5)).powi(2) * mass);
        let moments = Vector3::new(radii.y + radii.z, radii.z + radii.x, radii.x + radii.y);
        let frame = if self.rng.bool() { UnitQuaternion::identity() } else { turn(&mut self.rng) };
        (moments, frame)
    }

    /// The velocity and angular velocity of a body in the inertial frame: the motion of the previous body,
    /// plus a random motion unless the joint prevents it.
    fn velocity(
        &mut self,
        parent: Option<usize>,
        point: &Vector3<f64>,
        position: &Vector3<f64>,
        together: bool,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let (at_point, spin) = parent.map_or_else(
            || (Vector3::zeros(), Vector3::zeros()),
            |k| {
                let b = &self.m.bodies[k];
                let spin = b.rotation * b.angular_velocity;
                (b.velocity + spin.cross(&(point - b.position)), spin)
            },
        );
        let more = if together { 0.0 } else { self.speed };
        let spin = spin + direction(&mut self.rng) * (more / self.time * self.rng.f64());
        let slide =
            direction(&mut self.rng) * (0.3 * more.min(1.0) * self.length / self.time * self.rng.f64());
        (at_point + slide + spin.cross(&(position - point)), spin)
    }

    /// Adds joints between bodies that are not neighbours, and sometimes a second hinge on an axis.
    fn loops(&mut self) {
        let rigid: Vec<usize> =
            (0..self.m.bodies.len()).filter(|&k| self.m.bodies[k].inertia.is_some()).collect();
        for i in 0..self.rng.usize(..3) {
            let Some(b) = self.rng.choice(rigid.iter().copied()) else { return };
            let others: Vec<Option<usize>> =
                rigid.iter().map(|k| Some(*k)).chain([None]).filter(|a| *a != Some(b)).collect();
            let Some(a) = self.rng.choice(others) else { return };
            if self.parents[b] == a || a.is_some_and(|a| self.parents[a] == Some(b)) {
                continue;
            }
            self.close(format!("l{i}"), a, b);
        }
        let hinges: Vec<usize> =
            (0..self.m.joints.len()).filter(|&k| self.m.joints[k].kind == "revolute").collect();
        if let Some(k) = self.rng.choice(hinges).filter(|_| self.rng.f64() < 0.1) {
            let mut second = self.m.joints[k].clone();
            second.name = "second".to_string();
            second.point += second.axis.unwrap_or_default() * self.length;
            self.m.joints.push(second);
        }
    }

    fn close(&mut self, name: String, a: Option<usize>, b: usize) {
        let name_of = |k: Option<usize>| k.map_or(GROUND.to_string(), |k| self.m.bodies[k].name.clone());
        let bodies = [name_of(a), name_of(Some(b))];
        let from = a.map_or_else(Vector3::zeros, |a| self.m.bodies[a].position);
        let to = self.m.bodies[b].position;
        let kind = match self.normal {
            Some(_) => "revolute",
            None => {
                let kinds = [
                    "revolute",
                    "cylindrical",
                    "universal",
                    "spherical",
                    "spherical",
                    "point-on-line",
                    "point-on-plane",
                    "rigid-distance",
                    "rigid-distance",
                    "generic",
                ];
                kinds[self.rng.usize(..kinds.len())]
            }
        };
        let point = 0.5 * (from + to) + self.arm();
        let mut joint = self.joint(name, kind, bodies, point);
        if kind == "rigid-distance" {
            joint.point = from + self.arm() * 0.5;
            joint.point2 = Some(to + self.arm() * 0.5);
        }
        if !self.try_out(self.normal.is_some(), |m| m.joints.push(joint)) {
            return;
        }
        for start in [a, Some(b)] {
            let mut at = start;
            while let Some(k) = at {
                self.in_loop[k] = true;
                at = self.parents[k];
            }
        }
    }

    fn drives(&mut self) {
        let candidates: Vec<usize> = (0..self.m.joints.len())
            .filter(|&k| {
                matches!(self.m.joints[k].kind, "revolute" | "prismatic") && self.m.joints[k].name != "second"
            })
            .collect();
        for k in candidates {
            if self.rng.f64() > 0.15 {
                continue;
            }
            let small = self.touches_loop(k);
            let unit = if self.m.joints[k].turns() { 1.0 } else { 0.5 * self.length };
            let rate = if small || self.rng.bool() {
                0.0
            } else {
                uniform(&mut self.rng, -3.0, 3.0) * unit / self.time
            };
            let amplitude = unit * if small { 0.1 } else { 1.0 } * uniform(&mut self.rng, 0.2, 1.0);
            let amplitude = if rate != 0.0 && self.rng.bool() { 0.0 } else { amplitude };
            let frequency = decades(&mut self.rng, -0.3, 0.7) / self.time;
            self.try_out(false, |m| m.joints[k].drive = Some(Motion { rate, amplitude, frequency }));
        }
    }

    /// True if a body of this joint is part of a loop.
    fn touches_loop(&self, joint: usize) -> bool {
        let names = &self.m.joints[joint].bodies;
        self.m.bodies.iter().zip(&self.in_loop).any(|(b, looped)| *looped && names.contains(&b.name))
    }

    /// The coordinates on which gears, springs and actuators may act.
    fn coordinates(&self) -> Vec<Coordinate> {
        let mut list = Vec::new();
        for j in self.m.joints.iter().filter(|j| j.drive.is_none() && j.name != "second") {
            let mut put = |angle| list.push(Coordinate { joint: j.name.clone(), angle });
            match j.kind {
                "revolute" => put(true),
                "prismatic" => put(false),
                "cylindrical" => {
                    put(true);
                    put(false);
                }
                _ => {}
            }
        }
        list
    }

    fn gears(&mut self) {
        let list = self.coordinates();
        if list.len() < 2 || self.rng.f64() > 0.3 {
            return;
        }
        let joints = [0, 0].map(|_| list[self.rng.usize(..list.len())].clone());
        if joints[0].joint == joints[1].joint {
            return;
        }
        let unit = |c: &Coordinate| if c.angle { 1.0 } else { self.length };
        let ratio = unit(&joints[0]) / unit(&joints[1])
            * [-1.0, 1.0][self.rng.usize(..2)]
            * decades(&mut self.rng, -0.5, 0.5);
        self.try_out(false, |m| m.gears.push(Gear { name: "gear".to_string(), joints, ratio }));
    }

    fn forces(&mut self) {
        for _ in 0..self.rng.usize(..4) {
            let b = self.rng.usize(..self.m.bodies.len());
            let body = self.m.bodies[b].clone();
            let frequency = decades(&mut self.rng, -0.5, 1.3) / self.time;
            let stiffness = body.mass * frequency.powi(2);
            let damping = if self.rng.bool() { 0.0 } else { body.mass * frequency * self.rng.f64() };
            let push = body.mass * self.length / self.time.powi(2) * uniform(&mut self.rng, 0.1, 2.0);
            let coordinate = self.rng.choice(self.coordinates());
            let frequency = frequency.min(10.0 / self.time);
            let kind = match (self.rng.u32(..7), coordinate) {
                (0 | 1, _) => self.spring(b, stiffness, damping),
                (2, Some(at)) => {
                    let unit = if at.angle { self.length.powi(2) } else { 1.0 };
                    let rest = if at.angle { 1.0 } else { self.length } * uniform(&mut self.rng, -0.5, 0.5);
                    ForceKind::JointSpring { at, law: [stiffness * unit, damping * unit, rest] }
                }
                (3, Some(at)) => {
                    let unit = if at.angle { self.length } else { 1.0 };
                    let damping = damping * unit * if at.angle { self.length } else { 1.0 };
                    ForceKind::Actuator { at, amplitude: push * unit, frequency, damping }
                }
                (4, _) => drag(&body, self.length, self.rng.f64()),
                (5, _) if body.inertia.is_some() => {
                    let amplitude = direction(&mut self.rng) * (0.3 * push * self.length);
                    ForceKind::Push {
                        body: body.name,
                        point: None,
                        amplitude,
                        frequency,
                        follows: self.rng.bool(),
                    }
                }
                _ => {
                    let offset = if body.inertia.is_some() { self.arm() } else { Vector3::zeros() };
                    let (point, amplitude) = (Some(body.position + offset), direction(&mut self.rng) * push);
                    let follows = body.inertia.is_some() && self.rng.bool();
                    ForceKind::Push { body: body.name, point, amplitude, frequency, follows }
                }
            };
            self.add_force(kind);
        }
    }

    fn spring(&mut self, b: usize, stiffness: f64, damping: f64) -> ForceKind {
        let other = self.rng.usize(..self.m.bodies.len() + 1);
        let (name, from) = match self.m.bodies.get(other).filter(|_| other != b) {
            Some(body) => (body.name.clone(), body.position),
            None => (GROUND.to_string(), Vector3::zeros()),
        };
        let body = self.m.bodies[b].clone();
        let points = [from + self.reach(&name) * 0.5, body.position + self.reach(&body.name) * 0.5];
        let free = (points[1] - points[0]).norm() * uniform(&mut self.rng, 0.5, 1.2);
        ForceKind::Spring { bodies: [name, body.name], points, law: [stiffness, damping, free] }
    }

    /// A random arm for a rigid body, and zero for a point mass.
    fn reach(&mut self, name: &str) -> Vector3<f64> {
        let point = self.m.bodies.iter().any(|b| b.name == name && b.inertia.is_none());
        if point { Vector3::zeros() } else { self.arm() }
    }
}
