//! The geometry of a model as numbers, for programs that draw results and do not evaluate expressions.
//!
//! Everything is in the frame of its body (the inertial frame for the ground), so a pose of the results
//! places it: a point p of a body is at x + R p. Lengths are in m, rotations are unit quaternions (w, x, y,
//! z).

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};
use serde_json::{Value, json};

use precess_engine::flex::Shape;

use crate::model::Model;
use crate::model::beam::BeamSpec;
use crate::model::elements::ForceKind;
use crate::model::forces::Spring;
use crate::model::spec::{BodySpec, JointSpec, MarkerSpec, SolidForm, SolidSpec};

fn vector(v: &Vector3<f64>) -> Value {
    json!([v.x, v.y, v.z])
}

fn quaternion(q: &UnitQuaternion<f64>) -> Value {
    json!([q.w, q.i, q.j, q.k])
}

fn turn(m: &Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*m))
}

fn solid(s: &SolidSpec) -> Value {
    let mut value = match &s.form {
        SolidForm::Box(size) => json!({ "type": "box", "size": vector(size) }),
        SolidForm::Cylinder { radius, length, axis } => {
            json!({ "type": "cylinder", "radius": radius, "length": length, "axis": vector(axis) })
        }
        SolidForm::Sphere(radius) => json!({ "type": "sphere", "radius": radius }),
        SolidForm::Mesh { file, scale } => json!({ "type": "mesh", "file": file, "scale": scale }),
    };
    if let Value::Object(entries) = &mut value {
        entries.insert("at".to_string(), vector(&s.at));
        entries.insert("rotation".to_string(), quaternion(&s.rotation));
        if let Some([r, g, b]) = s.colour {
            entries.insert("colour".to_string(), format!("#{r:02x}{g:02x}{b:02x}").into());
        }
    }
    value
}

/// A point and axes of the inertial frame at t = 0, seen from a body.
struct Seen<'a>(Option<&'a BodySpec>);

impl Seen<'_> {
    fn point(&self, p: &Vector3<f64>) -> Vector3<f64> {
        self.0.map_or(*p, |b| b.rotation.inverse() * (p - b.position))
    }

    fn axes(&self, m: &Matrix3<f64>) -> UnitQuaternion<f64> {
        self.0.map_or(turn(m), |b| b.rotation.inverse() * turn(m))
    }
}

fn marker(m: &MarkerSpec) -> Value {
    json!({ "name": m.name, "point": vector(&m.point), "rotation": quaternion(&m.rotation) })
}

/// Bodies, joints and springs as numbers.
pub(super) fn geometry(model: &Model) -> Value {
    let places: std::collections::HashMap<&str, &BodySpec> =
        model.bodies.iter().map(|b| (b.name.as_str(), b)).collect();
    // A node of a modal body is a point of that body.
    let body_of = |name: &String| {
        let node = || name.rsplit_once('.').and_then(|(body, _)| places.get(body));
        places.get(name.as_str()).or_else(node).copied()
    };
    let seen = |name: &String| Seen(body_of(name));
    let name_of = |name: &String| body_of(name).map_or(name, |b| &b.name).clone();
    let names = |[a, b]: &[String; 2]| [name_of(a), name_of(b)];
    let body = |b: &BodySpec| {
        json!({
            "name": b.name,
            "mass": b.mass,
            "shape": b.solid.as_ref().map(solid),
            "look": b.look.iter().map(solid).collect::<Vec<_>>(),
            "markers": b.markers.iter().map(marker).collect::<Vec<_>>(),
        })
    };
    let joint = |j: &JointSpec| {
        let [a, b] = [seen(&j.bodies[0]), seen(&j.bodies[1])];
        json!({
            "name": j.name,
            "type": j.kind.name(),
            "bodies": names(&j.bodies),
            "points": [vector(&a.point(&j.point)), vector(&b.point(&j.point2))],
            "frames": [quaternion(&a.axes(&j.frame)), quaternion(&b.axes(&j.frame2))],
            "driven": j.is_driven(),
        })
    };
    let springs = model.forces.iter().filter_map(|f| match &f.kind {
        ForceKind::Spring(Spring { bodies: [a, b], points, .. }) => Some(json!({
            "name": f.name,
            "bodies": [name_of(a), name_of(b)],
            "points": [vector(&seen(a).point(&points[0])), vector(&seen(b).point(&points[1]))],
        })),
        _ => None,
    });
    let beam = |b: &BeamSpec| {
        let nodes: Vec<String> = (0..b.nodes.len()).map(|i| b.node(i)).collect();
        // Half extents of the section along its axes y and z.
        let (half, round) = match b.shape {
            Some(Shape::Rectangle { width, height }) => ([0.5 * width, 0.5 * height], false),
            Some(Shape::Circle { radius }) => ([radius; 2], true),
            Some(Shape::Tube { outer, .. }) => ([outer; 2], true),
            None => ([b.length() / 80.0; 2], true),
        };
        json!({ "name": b.name, "nodes": nodes, "section": half, "round": round })
    };
    json!({
        "gravity": vector(&model.gravity),
        "bodies": model.bodies.iter().map(body).collect::<Vec<_>>(),
        "joints": model.joints.iter().map(joint).collect::<Vec<_>>(),
        "springs": springs.collect::<Vec<_>>(),
        "beams": model.beams.iter().map(beam).collect::<Vec<_>>(),
    })
}
