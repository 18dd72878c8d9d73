//! The appearance of a mechanism: a list of simple solids on bodies.
//!
//! Shapes of the file are drawn unchanged. Bodies without any get bars between their joints, a ring if their
//! axes cross, or the solid of equal inertia (`look/bodies.rs`). Joints are glyphs that show their motion
//! (`look/joints.rs`), springs and bearings have supports (`look/supports.rs`), gears have teeth
//! (`look/gears.rs`).

mod beams;
mod bodies;
mod gears;
mod joints;
mod supports;

use precess::model::spec::SolidForm;

use crate::drawn::{Drawn, Place};
use crate::motion::Motion;
use crate::{Q, V};

pub use bodies::{Equal, equal_inertia};

/// Kinds of solids, with their sizes. Round ones lie along z.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Edges.
    Box([f64; 3]),
    /// Radius and length.
    Cylinder(f64, f64),
    /// Radius at the foot (below) and height.
    Cone(f64, f64),
    /// Radius.
    Sphere(f64),
    /// Radius, and length without the round ends.
    Capsule(f64, f64),
    /// Radius of the ring and of its wire.
    Torus(f64, f64),
    /// A mesh by its index in the list of meshes.
    Mesh(usize),
}

impl Form {
    /// Name and sizes, in the form that the page reads.
    pub fn words(&self) -> (&'static str, [f64; 3]) {
        match *self {
            Form::Box(size) => ("box", size),
            Form::Cylinder(r, l) => ("cylinder", [r, l, 0.0]),
            Form::Cone(r, l) => ("cone", [r, l, 0.0]),
            Form::Sphere(r) => ("sphere", [r, 0.0, 0.0]),
            Form::Capsule(r, l) => ("capsule", [r, l, 0.0]),
            Form::Torus(r, w) => ("torus", [r, w, 0.0]),
            Form::Mesh(k) => ("mesh", [k as f64, 0.0, 0.0]),
        }
    }
}

/// Role of a part; it determines the colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A shape of the file, or an equivalent one.
    Solid,
    /// A solid of equal inertia.
    Derived,
    /// A bar to a joint.
    Link,
    /// Steel of a joint.
    Pin,
    /// Steel ball of a joint.
    Ball,
    /// The moving side of a joint.
    Barrel,
    /// A support on the ground.
    Base,
    /// A rail for sliding.
    Rail,
    /// A sliding part.
    Sleeve,
    /// A plane of motion.
    Plane,
    /// Mark of a drive or an actuator.
    Drive,
    /// Rubber, or the spring of a joint.
    Elastic,
    /// A tooth of a gear.
    Tooth,
    /// The piece of a beam around one of its nodes; pages draw the whole beam smoothly instead.
    Beam,
}

impl Role {
    /// The word for the page.
    pub fn word(self) -> &'static str {
        match self {
            Role::Solid => "solid",
            Role::Derived => "derived",
            Role::Link => "link",
            Role::Pin => "pin",
            Role::Ball => "ball",
            Role::Barrel => "barrel",
            Role::Base => "base",
            Role::Rail => "rail",
            Role::Sleeve => "sleeve",
            Role::Plane => "plane",
            Role::Drive => "drive",
            Role::Elastic => "elastic",
            Role::Tooth => "tooth",
            Role::Beam => "beam",
        }
    }

    /// True for steel.
    pub fn metal(self) -> bool {
        matches!(self, Role::Pin | Role::Ball | Role::Rail)
    }
}

/// Owner of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// A body.
    Body(usize),
    /// A joint.
    Joint(usize),
    /// An elastic bearing.
    Bushing(usize),
    /// A spring.
    Spring(usize),
}

/// A solid fixed to a body, or to the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The body.
    pub body: Place,
    /// Kind and size.
    pub form: Form,
    /// Its centre in the body frame.
    pub at: V,
    /// Its axes in the body frame.
    pub turn: Q,
    /// Its role.
    pub role: Role,
    /// Its owner.
    pub owner: Owner,
    /// Its colour, if the file gives one.
    pub colour: Option<[u8; 3]>,
}

/// The parts of a mechanism.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Parts.
    pub parts: Vec<Part>,
    /// Typical length of a body.
    pub unit: f64,
    /// Size of glyphs: radius of a joint.
    pub glyph: f64,
    /// Mesh files of the parts, with their scales.
    pub meshes: Vec<(String, f64)>,
}

/// The rotation that takes z to a direction.
pub(crate) fn along(d: &V) -> Q {
    Q::rotation_between(&V::z(), d).unwrap_or_else(|| Q::from_axis_angle(&V::x_axis(), std::f64::consts::PI))
}

/// Data for the rules.
struct Eye<'a> {
    drawn: &'a Drawn,
    motion: &'a Motion,
    /// Points of joints and springs on every body.
    points: Vec<Vec<V>>,
    /// Typical length of a body.
    unit: f64,
    /// Size of glyphs.
    g: f64,
    /// True if the scene is so large that glyphs would be thinner than a pixel.
    far: bool,
    /// Radii of bodies that are rings.
    rings: Vec<Option<f64>>,
    out: Vec<Part>,
    meshes: Vec<(String, f64)>,
}

impl Look {
    /// The look of a mechanism in motion.
    pub fn of(drawn: &Drawn, motion: &Motion) -> Self {
        let mut points = vec![Vec::new(); drawn.bodies.len()];
        let ends = drawn.joints.iter().chain(&drawn.bushings).map(|j| (j.bodies, j.points));
        for (bodies, at) in ends.chain(drawn.springs.iter().map(|s| (s.bodies, s.points))) {
            for (body, p) in bodies.iter().zip(at) {
                if let Some(list) = body.and_then(|b| points.get_mut(b)) {
                    list.push(p);
                }
            }
        }
        let size = size(motion);
        let unit = unit(drawn, &points, size);
        // Seen from a distance that shows everything, a part needs some thickness.
        let least = 0.005 * size;
        let far = least > 0.05 * unit;
        let mut eye = Eye {
            drawn,
            motion,
            points,
            unit,
            g: least.max(0.05 * unit),
            far,
            rings: vec![None; drawn.bodies.len()],
            out: Vec::new(),
            meshes: Vec::new(),
        };
        let nodes: Vec<usize> = (0..drawn.beams.len()).flat_map(|k| eye.beam(k)).collect();
        for i in 0..drawn.bodies.len() {
            // A node is drawn as a separate body if the file gives it a look.
            if !nodes.contains(&i) || !drawn.bodies[i].solids.is_empty() {
                eye.body(i);
            }
        }
        if !far {
            eye.gears();
            for k in 0..drawn.joints.len() {
                eye.joint(k);
            }
            for k in 0..drawn.bushings.len() {
                eye.bushing(k);
            }
            for k in 0..drawn.springs.len() {
                eye.spring(k);
            }
        }
        Look { parts: eye.out, unit, glyph: eye.g, meshes: eye.meshes }
    }
}

/// Length of the diagonal around all positions of all bodies.
fn size(motion: &Motion) -> f64 {
    let (mut low, mut high) = (V::repeat(f64::INFINITY), V::repeat(f64::NEG_INFINITY));
    let seen = motion.poses.iter().map(|p| p.0).filter(|x| x.iter().all(|c| c.is_finite()));
    for x in seen {
        (low, high) = (low.inf(&x), high.sup(&x));
    }
    let d = (high - low).norm();
    if d.is_finite() { d } else { 0.0 }
}

/// The median extent of the bodies.
fn unit(drawn: &Drawn, points: &[Vec<V>], size: f64) -> f64 {
    let extent = |i: usize| {
        let b = &drawn.bodies[i];
        let reach = points[i].iter().map(|p| p.norm()).fold(0.0, f64::max);
        let own = b.solids.iter().map(|s| s.at.norm() + form_extent(&s.form)).fold(0.0, f64::max);
        let own = match (&b.inertia, own > 0.0) {
            (Some(j), false) if b.mass > 0.0 => 2.0 * equal_inertia(b.mass, j, 0.0).reach,
            _ => own,
        };
        own.max(reach)
    };
    let node = |i: &usize| drawn.beams.iter().any(|b| b.nodes.contains(i));
    let beams = drawn.beams.iter().map(|b| b.lengths.iter().sum());
    let bodies = (0..drawn.bodies.len()).filter(|i| !node(i)).map(extent);
    let mut list: Vec<f64> = bodies.chain(beams).filter(|x: &f64| x.is_finite() && *x > 0.0).collect();
    list.sort_unstable_by(f64::total_cmp);
    let median = list.get(list.len() / 2).copied();
    // Only points: a tenth of their paths.
    median.unwrap_or(if size > 0.0 { 0.3 * size } else { 1.0 })
}

fn form_extent(form: &SolidForm) -> f64 {
    match form {
        SolidForm::Box(s) => s.max(),
        SolidForm::Cylinder { radius, length, .. } => length.max(2.0 * radius),
        SolidForm::Sphere(r) => 2.0 * r,
        SolidForm::Mesh { .. } => 0.0,
    }
}
