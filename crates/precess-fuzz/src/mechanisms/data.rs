//! A mechanism as plain data. It can be written as a model file, scaled to other units, rotated in space, and
//! put into another order.

use std::fmt::Write;

use fastrand::Rng;
use nalgebra::{UnitQuaternion, Vector3};

/// Bodies, joints, gears and forces, and the duration of a run.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// The name of the model.
    pub name: String,
    /// The gravitational acceleration.
    pub gravity: Vector3<f64>,
    /// The size. The model file gives it only if the library cannot derive it from joints or forces between
    /// bodies.
    pub length: f64,
    /// The end of the run.
    pub until: f64,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Gears.
    pub gears: Vec<Gear>,
    /// Forces.
    pub forces: Vec<Force>,
}

/// A rigid body or a point mass with its state at t = 0.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// The principal moments and their axes in the body frame; `None` for a point mass.
    pub inertia: Option<(Vector3<f64>, UnitQuaternion<f64>)>,
    /// Centre of mass.
    pub position: Vector3<f64>,
    /// Orientation.
    pub rotation: UnitQuaternion<f64>,
    /// The velocity in the inertial frame.
    pub velocity: Vector3<f64>,
    /// The angular velocity in the body frame.
    pub angular_velocity: Vector3<f64>,
}

/// A joint that fits the positions at t = 0.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// The type as in a model file.
    pub kind: &'static str,
    /// Bodies.
    pub bodies: [String; 2],
    /// Its point.
    pub point: Vector3<f64>,
    /// The point on the second body of a rigid distance.
    pub point2: Option<Vector3<f64>>,
    /// Axis.
    pub axis: Option<Vector3<f64>>,
    /// Second axis.
    pub axis2: Option<Vector3<f64>>,
    /// The locked motions of a generic joint.
    pub lock: Vec<&'static str>,
    /// Prescribed motion.
    pub drive: Option<Motion>,
}

/// The function rate t + amplitude sin(frequency t), which is an angle or a length.
#[derive(Clone, Copy, Debug)]
pub struct Motion {
    /// The steady rate.
    pub rate: f64,
    /// Amplitude.
    pub amplitude: f64,
    /// The angular frequency.
    pub frequency: f64,
}

/// The name of a joint and one of its coordinates.
#[derive(Clone, Debug)]
pub struct Coordinate {
    /// Name.
    pub joint: String,
    /// True for an angle, false for a displacement.
    pub angle: bool,
}

/// The constraint x_1 + ratio x_2 = const.
#[derive(Clone, Debug)]
pub struct Gear {
    /// Name.
    pub name: String,
    /// The coordinates.
    pub joints: [Coordinate; 2],
    /// Their ratio.
    pub ratio: f64,
}

/// A named force.
#[derive(Clone, Debug)]
pub struct Force {
    /// Name.
    pub name: String,
    /// The kind of force.
    pub kind: ForceKind,
}

/// Kinds of forces.
#[derive(Clone, Debug)]
pub enum ForceKind {
    /// A spring and damper between two points.
    Spring {
        /// Bodies.
        bodies: [String; 2],
        /// Points.
        points: [Vector3<f64>; 2],
        /// Stiffness, damping and free length.
        law: [f64; 3],
    },
    /// An elastic bearing.
    Bushing {
        /// Bodies.
        bodies: [String; 2],
        /// Place.
        point: Vector3<f64>,
        /// Axes.
        rotation: UnitQuaternion<f64>,
        /// Stiffness of translations and rotations.
        stiffness: [Vector3<f64>; 2],
        /// Damping of translations and rotations.
        damping: [Vector3<f64>; 2],
    },
    /// A spring and damper at a joint.
    JointSpring {
        /// The joint coordinate.
        at: Coordinate,
        /// Stiffness, damping and rest position.
        law: [f64; 3],
    },
    /// The effort amplitude sin(frequency t) - damping v at a joint.
    Actuator {
        /// The joint coordinate.
        at: Coordinate,
        /// Amplitude.
        amplitude: f64,
        /// The angular frequency.
        frequency: f64,
        /// Damping.
        damping: f64,
    },
    /// Quadratic drag, or the pressure on a plate.
    Drag {
        /// Body.
        body: String,
        /// The coefficient in kg/m.
        coefficient: f64,
        /// The normal of a plate.
        normal: Option<Vector3<f64>>,
    },
    /// The force amplitude sin(frequency t) at a point, in the inertial frame or in that of the body.
    Push {
        /// Body.
        body: String,
        /// The point. Without a point, this is a torque.
        point: Option<Vector3<f64>>,
        /// Amplitude.
        amplitude: Vector3<f64>,
        /// The angular frequency.
        frequency: f64,
        /// True if the direction is fixed in the body.
        follows: bool,
    },
}

/// The factors by which the units of length, mass and time change.
#[derive(Clone, Copy, Debug)]
pub struct Units {
    /// The factor of lengths.
    pub length: f64,
    /// The factor of masses.
    pub mass: f64,
    /// The factor of times.
    pub time: f64,
}

impl Units {
    /// The units of the mechanism itself.
    pub const SAME: Units = Units { length: 1.0, mass: 1.0, time: 1.0 };

    /// The factor of velocities.
    pub fn velocity(&self) -> f64 {
        self.length / self.time
    }

    /// The factor of forces.
    pub fn force(&self) -> f64 {
        self.mass * self.length / self.time.powi(2)
    }

    /// The factor of torques and energies.
    pub fn torque(&self) -> f64 {
        self.force() * self.length
    }

    fn coordinate(&self, angle: bool) -> f64 {
        if angle { 1.0 } else { self.length }
    }

    /// The factor of a force or torque along a coordinate.
    fn effort(&self, angle: bool) -> f64 {
        self.torque() / self.coordinate(angle)
    }

    fn motion(&self, m: &mut Motion, angle: bool) {
        let x = self.coordinate(angle);
        *m = Motion {
            rate: m.rate * x / self.time,
            amplitude: m.amplitude * x,
            frequency: m.frequency / self.time,
        };
    }
}

impl Joint {
    /// True if the coordinate is an angle.
    pub fn turns(&self) -> bool {
        self.kind != "prismatic"
    }
}

impl Mechanism {
    /// The same mechanism in other units.
    pub fn scaled(&self, u: &Units) -> Self {
        let mut m = self.clone();
        m.gravity *= u.velocity() / u.time;
        m.length *= u.length;
        m.until *= u.time;
        for b in &mut m.bodies {
            b.mass *= u.mass;
            if let Some((moments, _)) = &mut b.inertia {
                *moments *= u.mass * u.length.powi(2);
            }
            b.position *= u.length;
            b.velocity *= u.velocity();
            b.angular_velocity /= u.time;
        }
        for j in &mut m.joints {
            j.point *= u.length;
            j.point2.iter_mut().for_each(|p| *p *= u.length);
            let turns = j.turns();
            j.drive.iter_mut().for_each(|d| u.motion(d, turns));
        }
        for g in &mut m.gears {
            g.ratio *= u.coordinate(g.joints[0].angle) / u.coordinate(g.joints[1].angle);
        }
        for f in &mut m.forces {
            f.kind.scale(u);
        }
        m
    }

    /// The same mechanism, rotated about the origin.
    pub fn turned(&self, r: &UnitQuaternion<f64>) -> Self {
        let mut m = self.clone();
        m.gravity = r * m.gravity;
        for b in &mut m.bodies {
            b.position = r * b.position;
            b.velocity = r * b.velocity;
            if b.inertia.is_some() {
                b.rotation = r * b.rotation;
            }
        }
        for j in &mut m.joints {
            j.point = r * j.point;
            for x in [&mut j.point2, &mut j.axis, &mut j.axis2].into_iter().flatten() {
                *x = r * *x;
            }
        }
        for f in &mut m.forces {
            f.kind.turn(r);
        }
        m
    }

    /// The same mechanism with its elements in another order.
    pub fn permuted(&self, rng: &mut Rng) -> Self {
        let mut m = self.clone();
        rng.shuffle(&mut m.bodies);
        rng.shuffle(&mut m.joints);
        rng.shuffle(&mut m.gears);
        rng.shuffle(&mut m.forces);
        m
    }

    /// The model file.
    pub fn toml(&self) -> String {
        let mut out = format!("[model]\nname = {:?}\n", self.name);
        let mut put = |text: std::fmt::Arguments| {
            // Writing to a String cannot fail.
            let _ = out.write_fmt(text);
        };
        if self.gravity.norm() > 0.0 {
            put(format_args!("gravity = {}\n", vector(&self.gravity)));
        }
        if self.joints.is_empty() && !self.forces.iter().any(|f| f.kind.connects()) {
            put(format_args!("length_scale = {:?}\n", self.length));
        }
        for b in &self.bodies {
            put(format_args!("\n[[body]]\nname = {:?}\nmass = {:?}\n", b.name, b.mass));
            match &b.inertia {
                None => put(format_args!("type = \"point\"\n")),
                Some((moments, frame)) => {
                    put(format_args!("inertia = {}\n", vector(moments)));
                    if *frame != UnitQuaternion::identity() {
                        put(format_args!("inertia_frame = {}\n", quaternion(frame)));
                    }
                    put(format_args!("rotation = {}\n", quaternion(&b.rotation)));
                    put(format_args!("angular_velocity = {}\n", vector(&b.angular_velocity)));
                }
            }
            put(format_args!("position = {}\nvelocity = {}\n", vector(&b.position), vector(&b.velocity)));
        }
        for j in &self.joints {
            put(format_args!(
                "\n[[joint]]\nname = {:?}\ntype = {:?}\nbodies = {:?}\n",
                j.name, j.kind, j.bodies
            ));
            put(format_args!("point = {}\n", vector(&j.point)));
            for (key, x) in [("point2", &j.point2), ("axis", &j.axis), ("axis2", &j.axis2)] {
                if let Some(x) = x {
                    put(format_args!("{key} = {}\n", vector(x)));
                }
            }
            if !j.lock.is_empty() {
                put(format_args!("lock = {:?}\n", j.lock));
            }
            if let Some(d) = &j.drive {
                put(format_args!("drive = {:?}\n", d.formula()));
            }
        }
        for g in &self.gears {
            let joints = [&g.joints[0].joint, &g.joints[1].joint];
            let of = [g.joints[0].of(), g.joints[1].of()];
            put(format_args!(
                "\n[[gear]]\nname = {:?}\njoints = {joints:?}\nof = {of:?}\nratio = {:?}\n",
                g.name, g.ratio
            ));
        }
        for f in &self.forces {
            put(format_args!("\n[[force]]\nname = {:?}\n{}", f.name, f.kind.toml()));
        }
        put(format_args!("\n[run]\nuntil = {:?}\n", self.until));
        out
    }
}

impl Coordinate {
    fn of(&self) -> &'static str {
        if self.angle { "angle" } else { "displacement" }
    }
}

impl Motion {
    fn formula(&self) -> String {
        let oscillation = format!("{:?}*sin({:?}*t)", self.amplitude, self.frequency);
        match (self.rate == 0.0, self.amplitude == 0.0) {
            (true, _) => oscillation,
            (false, true) => format!("{:?}*t", self.rate),
            (false, false) => format!("{:?}*t + {oscillation}", self.rate),
        }
    }
}

impl ForceKind {
    /// True for forces between two bodies.
    fn connects(&self) -> bool {
        matches!(self, ForceKind::Spring { .. } | ForceKind::Bushing { .. })
    }

    fn scale(&mut self, u: &Units) {
        match self {
            ForceKind::Spring { points, law, .. } => {
                points.iter_mut().for_each(|p| *p *= u.length);
                scale_law(law, u, false);
            }
            ForceKind::Bushing { point, stiffness, damping, .. } => {
                *point *= u.length;
                let units = [u.force() / u.length, u.torque()];
                for (k, unit) in units.into_iter().enumerate() {
                    stiffness[k] *= unit;
                    damping[k] *= unit * u.time;
                }
            }
            ForceKind::JointSpring { at, law } => scale_law(law, u, at.angle),
            ForceKind::Actuator { at, amplitude, frequency, damping } => {
                *amplitude *= u.effort(at.angle);
                *frequency /= u.time;
                *damping *= u.effort(at.angle) * u.time / u.coordinate(at.angle);
            }
            ForceKind::Drag { coefficient, .. } => *coefficient *= u.mass / u.length,
            ForceKind::Push { point, amplitude, frequency, .. } => {
                *amplitude *= if point.is_some() { u.force() } else { u.torque() };
                point.iter_mut().for_each(|p| *p *= u.length);
                *frequency /= u.time;
            }
        }
    }

    fn turn(&mut self, r: &UnitQuaternion<f64>) {
        match self {
            ForceKind::Spring { points, .. } => points.iter_mut().for_each(|p| *p = r * *p),
            ForceKind::Bushing { point, rotation, .. } => {
                *point = r * *point;
                *rotation = r * *rotation;
            }
            ForceKind::Push { point, amplitude, follows, .. } => {
                point.iter_mut().for_each(|p| *p = r * *p);
                if !*follows {
                    *amplitude = r * *amplitude;
                }
            }
            ForceKind::Drag { normal, .. } => normal.iter_mut().for_each(|n| *n = r * *n),
            ForceKind::JointSpring { .. } | ForceKind::Actuator { .. } => {}
        }
    }

    fn toml(&self) -> String {
        match self {
            ForceKind::Spring { bodies, points, law: [k, c, l] } => format!(
                "type = \"spring\"\nbodies = {bodies:?}\npoint = {}\npoint2 = {}\nstiffness = {k:?}\n\
                 damping = {c:?}\nfree_length = {l:?}\n",
                vector(&points[0]),
                vector(&points[1])
            ),
            ForceKind::Bushing { bodies, point, rotation, stiffness, damping } => format!(
                "type = \"bushing\"\nbodies = {bodies:?}\npoint = {}\nrotation = {}\nstiffness = \
                 {}\ndamping = {}\n",
                vector(point),
                quaternion(rotation),
                six(stiffness),
                six(damping)
            ),
            ForceKind::JointSpring { at, law: [k, c, x] } => format!(
                "type = \"joint-spring\"\njoint = {:?}\nof = {:?}\nstiffness = {k:?}\ndamping = {c:?}\nrest \
                 = {x:?}\n",
                at.joint,
                at.of()
            ),
            ForceKind::Actuator { at, amplitude, frequency, damping } => format!(
                "type = \"actuator\"\njoint = {:?}\nof = {:?}\nvalue = \"{amplitude:?}*sin({frequency:?}*t) \
                 - {damping:?}*v\"\n",
                at.joint,
                at.of()
            ),
            ForceKind::Drag { body, coefficient, normal } => {
                let kind = if normal.is_some() { "plate" } else { "drag" };
                let axis = normal.map_or(String::new(), |n| format!("axis = {}\n", vector(&n)));
                format!("type = \"{kind}\"\nbody = {body:?}\n{axis}coefficient = {coefficient:?}\n")
            }
            ForceKind::Push { body, point, amplitude, frequency, follows } => {
                let kind = if point.is_some() { "force" } else { "torque" };
                let place = point.map_or(String::new(), |p| format!("point = {}\n", vector(&p)));
                let [x, y, z] = [0, 1, 2].map(|i| format!("\"{:?}*sin({frequency:?}*t)\"", amplitude[i]));
                let frame = if *follows { "body" } else { "inertial" };
                format!(
                    "type = \"{kind}\"\nbody = {body:?}\n{place}{kind} = [{x}, {y}, {z}]\nframe = \
                     \"{frame}\"\n"
                )
            }
        }
    }
}

/// Scales stiffness, damping and free position along a coordinate.
fn scale_law(law: &mut [f64; 3], u: &Units, angle: bool) {
    let stiffness = u.effort(angle) / u.coordinate(angle);
    law[0] *= stiffness;
    law[1] *= stiffness * u.time;
    law[2] *= u.coordinate(angle);
}

fn vector(x: &Vector3<f64>) -> String {
    format!("[{:?}, {:?}, {:?}]", x.x, x.y, x.z)
}

fn six(x: &[Vector3<f64>; 2]) -> String {
    let all: Vec<f64> = x.iter().flat_map(|x| x.iter().copied()).collect();
    format!("{all:?}")
}

fn quaternion(x: &UnitQuaternion<f64>) -> String {
    format!("[{:?}, {:?}, {:?}, {:?}]", x.w, x.i, x.j, x.k)
}
