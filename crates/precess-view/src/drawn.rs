//! The drawn elements of a model: bodies, joints and springs, with their points in the frames of their
//! bodies.

use std::collections::HashMap;

use nalgebra::{Matrix3, Rotation3};
use precess::flex::Shape;
use precess::mechanics::BodyKind;
use precess::mechanics::forces::ForceFrame;
use precess::mechanics::function::{Argument, Function};
use precess::mechanics::joints::JointKind;
use precess::model::Model;
use precess::model::beam::BeamSpec;
use precess::model::elements::{ForceKind, GearSpec, SensorKind};
use precess::model::spec::{BodySpec, SolidSpec};
use precess::study::results::Results;

use crate::{Q, V};

/// A body by its index; none is the ground.
pub type Place = Option<usize>;

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// Inertia about the centre of mass; none for point masses.
    pub inertia: Option<Matrix3<f64>>,
    /// Its solids from the file: `look`, or `shape`.
    pub solids: Vec<SolidSpec>,
    /// Named points.
    pub markers: Vec<(String, V)>,
}

/// A joint, with a point and axes on either body.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Kind; none if the results do not contain it.
    pub kind: Option<JointKind>,
    /// The bodies.
    pub bodies: [Place; 2],
    /// Its points on them.
    pub points: [V; 2],
    /// Its axes on them.
    pub frames: [Q; 2],
    /// True if it has a drive: a prescribed motion, an actuator or a control.
    pub driven: bool,
    /// True if a spring or damper acts along its coordinate.
    pub sprung: bool,
}

/// Something that stretches between two points.
#[derive(Clone, Debug)]
pub struct Spring {
    /// Name.
    pub name: String,
    /// The bodies.
    pub bodies: [Place; 2],
    /// Its ends on them.
    pub points: [V; 2],
}

/// Two joints with coupled coordinates: x_1 + ratio x_2 is constant.
#[derive(Clone, Debug)]
pub struct Gear {
    /// Indices of the joints.
    pub joints: [usize; 2],
    /// The ratio.
    pub ratio: f64,
}

/// The section of a beam.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outline {
    /// Radius.
    Round(f64),
    /// Extents along y and z of the section.
    Box(f64, f64),
}

/// A flexible line: its nodes are bodies with their x axes along it.
#[derive(Clone, Debug)]
pub struct Beam {
    /// Name.
    pub name: String,
    /// Indices of the bodies.
    pub nodes: Vec<usize>,
    /// Lengths of its elements without stress.
    pub lengths: Vec<f64>,
    /// Section.
    pub outline: Outline,
}

/// A force or torque given over time.
#[derive(Clone, Debug)]
pub struct Load {
    /// Name.
    pub name: String,
    /// The body.
    pub body: Place,
    /// Point of application, in the frame of the body.
    pub point: V,
    /// True for a torque.
    pub torque: bool,
    components: [Function; 3],
    frame: ForceFrame,
}

impl Load {
    /// Its components in the inertial frame; `turn` is the rotation of the body.
    pub fn at(&self, t: f64, turn: &Q) -> V {
        let v = V::from_fn(|i, _| self.components[i].value(Argument::time(t)));
        match self.frame {
            ForceFrame::Inertial => v,
            ForceFrame::Body => turn * v,
        }
    }
}

/// Everything that is drawn.
#[derive(Clone, Debug, Default)]
pub struct Drawn {
    /// Name of the model.
    pub name: String,
    /// Gravity.
    pub gravity: V,
    /// Bodies.
    pub bodies: Vec<Body>,
    /// Joints.
    pub joints: Vec<Joint>,
    /// Springs.
    pub springs: Vec<Spring>,
    /// Gears.
    pub gears: Vec<Gear>,
    /// Beams.
    pub beams: Vec<Beam>,
    /// Forces and torques over time; none if events may switch forces, because results do not contain the
    /// times.
    pub loads: Vec<Load>,
    /// Elastic bearings: bodies, points, axes.
    pub bushings: Vec<Joint>,
    /// Names of sensors.
    pub sensors: Vec<String>,
    /// False if the results contain the positions of bodies, but no geometry.
    pub known: bool,
}

fn quaternion(m: &Matrix3<f64>) -> Q {
    Q::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*m))
}

/// Converts points and axes of the inertial frame at t = 0 to the frame of a body.
struct Eyes<'a> {
    bodies: &'a [BodySpec],
    indices: HashMap<&'a str, usize>,
}

impl Eyes<'_> {
    /// A node of a modal body is a point of that body.
    fn carrier(&self, name: &str) -> Place {
        let node = || name.rsplit_once('.').and_then(|(body, _)| self.indices.get(body));
        self.indices.get(name).or_else(node).copied()
    }

    fn point(&self, body: Place, p: &V) -> V {
        match body.and_then(|i| self.bodies.get(i)) {
            Some(b) => b.rotation.inverse() * (p - b.position),
            None => *p,
        }
    }

    fn axes(&self, body: Place, m: &Matrix3<f64>) -> Q {
        match body.and_then(|i| self.bodies.get(i)) {
            Some(b) => b.rotation.inverse() * quaternion(m),
            None => quaternion(m),
        }
    }
}

/// Elements that act between bodies or on them.
struct Acting {
    springs: Vec<Spring>,
    bushings: Vec<Joint>,
    loads: Vec<Load>,
}

impl Acting {
    fn of(model: &Model, eyes: &Eyes) -> Self {
        let both = |names: &[String; 2]| [eyes.carrier(&names[0]), eyes.carrier(&names[1])];
        let (mut springs, mut bushings, mut loads) = (Vec::new(), Vec::new(), Vec::new());
        let mut load = |name: &str, body: &str, point: Option<&V>, components: &[Function; 3], frame| {
            let body = eyes.carrier(body);
            loads.push(Load {
                name: name.to_string(),
                body,
                point: point.map_or(V::zeros(), |p| eyes.point(body, p)),
                torque: point.is_none(),
                components: components.clone(),
                frame,
            });
        };
        let steady = model.events.is_empty() && model.disabled.is_empty();
        for f in &model.forces {
            match &f.kind {
                ForceKind::Spring(s) => {
                    let bodies = both(&s.bodies);
                    let points = [eyes.point(bodies[0], &s.points[0]), eyes.point(bodies[1], &s.points[1])];
                    springs.push(Spring { name: f.name.clone(), bodies, points });
                }
                ForceKind::Bushing(bushing) => {
                    let bodies = both(&bushing.bodies);
                    bushings.push(Joint {
                        name: f.name.clone(),
                        kind: None,
                        bodies,
                        points: bodies.map(|b| eyes.point(b, &bushing.point)),
                        frames: bodies.map(|b| eyes.axes(b, &bushing.frame)),
                        driven: false,
                        sprung: true,
                    });
                }
                ForceKind::Force(x) if steady => load(&f.name, &x.body, Some(&x.point), &x.force, x.frame),
                ForceKind::Torque(x) if steady => load(&f.name, &x.body, None, &x.torque, x.frame),
                _ => {}
            }
        }
        Acting { springs, bushings, loads }
    }
}

impl Drawn {
    /// The elements of a model.
    pub fn model(model: &Model) -> Self {
        let indices: HashMap<&str, usize> =
            model.bodies.iter().enumerate().map(|(i, b)| (b.name.as_str(), i)).collect();
        let eyes = Eyes { bodies: &model.bodies, indices };
        let both = |names: &[String; 2]| [eyes.carrier(&names[0]), eyes.carrier(&names[1])];
        let moved = |name: &str| {
            model.controls.iter().any(|c| c.at.joint == name)
                || model
                    .forces
                    .iter()
                    .any(|f| matches!(&f.kind, ForceKind::Actuator(a) if a.at.joint == name))
        };
        let sprung = |name: &str| {
            model.forces.iter().any(|f| matches!(&f.kind, ForceKind::JointSpring(s) if s.at.joint == name))
        };
        let joints = model.joints.iter().map(|j| {
            let bodies = both(&j.bodies);
            Joint {
                name: j.name.clone(),
                kind: Some(j.kind),
                bodies,
                points: [eyes.point(bodies[0], &j.point), eyes.point(bodies[1], &j.point2)],
                frames: [eyes.axes(bodies[0], &j.frame), eyes.axes(bodies[1], &j.frame2)],
                driven: j.is_driven() || moved(&j.name),
                sprung: sprung(&j.name),
            }
        });
        let joints = joints.collect();
        let Acting { springs, bushings, loads } = Acting::of(model, &eyes);
        Drawn {
            name: model.name.clone(),
            gravity: model.gravity,
            bodies: model.bodies.iter().map(body).collect(),
            joints,
            springs,
            gears: gears(model),
            beams: beams(model, &eyes),
            loads,
            bushings,
            sensors: model.sensors.iter().filter(|s| !of_elements(&s.kind)).map(|s| s.name.clone()).collect(),
            known: true,
        }
    }

    /// The elements of results whose model can no longer be read: bodies by the names of columns, nothing
    /// else.
    pub(crate) fn nameless(results: &Results) -> Self {
        let body = |name: &str| Body {
            name: name.to_string(),
            mass: f64::NAN,
            inertia: None,
            solids: Vec::new(),
            markers: Vec::new(),
        };
        let names = results.columns.iter().filter_map(|c| c.name.strip_suffix(".position"));
        let turned = |name: &&str| results.column(&format!("{name}.rotation")).is_some();
        Drawn {
            name: results.metadata.model.clone(),
            bodies: names.filter(turned).map(body).collect(),
            ..Drawn::default()
        }
    }
}

/// Gears between existing joints.
fn gears(model: &Model) -> Vec<Gear> {
    let index_of = |name: &str| model.joints.iter().position(|j| j.name == name);
    let gear = |g: &GearSpec| {
        let [a, b] = [0, 1].map(|k| index_of(&g.joints[k].joint));
        Some(Gear { joints: [a?, b?], ratio: g.ratio })
    };
    model.gears.iter().filter_map(gear).collect()
}

/// True for sensors of beam elements: two per element are too many for the plots of a page.
fn of_elements(kind: &SensorKind) -> bool {
    matches!(kind, SensorKind::SectionForce(_) | SensorKind::SectionMoment(_))
}

/// Beams with the indices of their nodes. If the file gives only stiffnesses, the section is a thin circle.
fn beams(model: &Model, eyes: &Eyes) -> Vec<Beam> {
    let beam = |b: &BeamSpec| {
        let nodes = (0..b.nodes.len()).map(|i| eyes.carrier(&b.node(i))).collect::<Option<Vec<_>>>()?;
        let (parts, length) = (b.parts(), b.length());
        let lengths = parts.windows(2).map(|p| (p[1] - p[0]) * length).collect();
        let outline = match b.shape {
            Some(Shape::Rectangle { width, height }) => Outline::Box(width, height),
            Some(Shape::Circle { radius } | Shape::Tube { outer: radius, .. }) => Outline::Round(radius),
            None => Outline::Round(length / 80.0),
        };
        Some(Beam { name: b.name.clone(), nodes, lengths, outline })
    };
    model.beams.iter().filter_map(beam).collect()
}

fn body(b: &BodySpec) -> Body {
    Body {
        name: b.name.clone(),
        mass: b.mass,
        inertia: match &b.kind {
            BodyKind::Rigid { inertia } => Some(*inertia),
            BodyKind::PointMass => None,
        },
        solids: if b.look.is_empty() { b.solid.iter().cloned().collect() } else { b.look.clone() },
        markers: b.markers.iter().map(|m| (m.name.clone(), m.point)).collect(),
    }
}
