//! `[points]`, and all references to a point, a direction or an orientation.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::Evaluator;
use crate::Error;
use crate::model::diagnostic::MOST_PROBLEMS;
use crate::model::expression::{Dimension, Expression, Kind};
use crate::model::file_geometry::PointOrMarker;
use crate::model::file_geometry::{PointBlock, Rotation};
use crate::model::number::{Number, not_a_name};
use crate::model::spec::{Model, frame_along};

/// A named point.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct NamedPoint {
    pub at: Vector3<f64>,
    pub axes: Matrix3<f64>,
    /// True if it has its own axes; otherwise it is a vector.
    is_frame: bool,
    dimension: Option<Dimension>,
}

/// Largest number of rounds for points that wait for others.
const ROUNDS: usize = 100;
/// Largest number of points in a file.
const MOST_POINTS: usize = 10_000;

const COMPONENTS: [&str; 3] = ["x", "y", "z"];

impl Evaluator {
    /// Evaluates the named points, which may use each other. Their coordinates become names: `A.x`.
    pub(super) fn points(&mut self, blocks: &std::collections::BTreeMap<String, PointBlock>, model: &Model) {
        if blocks.len() > MOST_POINTS {
            self.problem("points", format!("there are {} points, more than {MOST_POINTS}", blocks.len()), "");
            return;
        }
        for name in blocks.keys() {
            let path = format!("points.{name}");
            if let Some(why) = not_a_name(name) {
                self.problem(&path, why, "choose another name");
            }
            if self.names.contains_key(name) || self.names.tables.contains_key(name) {
                self.problem(&path, format!("'{name}' is also a parameter or a table"), "rename one of them");
            }
        }
        let mut waiting: Vec<&String> = blocks.keys().collect();
        for _ in 0..ROUNDS {
            let before = waiting.len();
            waiting.retain(|name| {
                let Some(block) = blocks.get(*name) else { return false };
                let missing = |n: &String| {
                    let base = n.split('.').next().unwrap_or(n);
                    blocks.contains_key(base) && !self.points.contains_key(base)
                };
                if uses(block).iter().any(missing) {
                    return true;
                }
                self.named_point(name, block, model);
                false
            });
            if waiting.is_empty() || waiting.len() == before {
                break;
            }
        }
        if let Some(first) = waiting.first() {
            let list = waiting.iter().take(10).map(|n| n.as_str()).collect::<Vec<_>>().join(", ");
            self.problem(
                &format!("points.{first}"),
                format!("these points depend on each other: {list}"),
                "",
            );
        }
    }

    fn named_point(&mut self, name: &str, block: &PointBlock, model: &Model) {
        let path = format!("points.{name}");
        let (at, axes) = match block {
            PointBlock::Coordinates(x) => (self.vector(&path, x), Matrix3::identity()),
            PointBlock::Text(text) => {
                let at = self.point(&path, &PointOrMarker::Marker(text.clone()), model);
                (at, Matrix3::identity())
            }
            PointBlock::Frame { point, rotation } => {
                let at = self.point(&format!("{path}.point"), point, model);
                let axes = self.rotation(&format!("{path}.rotation"), rotation, model);
                (at, axes.to_rotation_matrix().into_inner())
            }
        };
        let dimension = match block {
            PointBlock::Coordinates(list) => {
                list.iter().find_map(|x| match x.evaluate_in(&self.names, &mut self.parsed, None) {
                    Ok((_, Kind::Known(d))) => Some(d),
                    _ => None,
                })
            }
            _ => None,
        };
        for (component, x) in COMPONENTS.iter().zip(at.iter()) {
            self.names.insert(format!("{name}.{component}"), *x);
            if let Some(d) = dimension {
                self.names.dimensions.insert(format!("{name}.{component}"), d);
            }
        }
        self.points.insert(
            name.to_string(),
            NamedPoint { at, axes, is_frame: matches!(block, PointBlock::Frame { .. }), dimension },
        );
    }

    /// A point at t = 0: coordinates, a named point, a marker, or an expression of named points.
    pub(in crate::model) fn point(
        &mut self,
        path: &str,
        place: &PointOrMarker,
        model: &Model,
    ) -> Vector3<f64> {
        match place {
            PointOrMarker::Point(x) => self.vector(path, x),
            PointOrMarker::Marker(text) => match self.named_place(path, text, model) {
                Some((at, _)) => at,
                None => self.vector_expression(path, text),
            },
        }
    }

    /// A direction at t = 0: components, the name of an axis, from point to point, an expression of points,
    /// or the z axis of a frame.
    pub(in crate::model) fn axis(
        &mut self,
        path: &str,
        place: &PointOrMarker,
        model: &Model,
    ) -> Vector3<f64> {
        let problems = self.problems.len();
        let direction = match place {
            PointOrMarker::Point(x) => return self.direction(path, x),
            PointOrMarker::Marker(text) => match (axis_name(text), text.split_once("->")) {
                (Some(axis), _) => return axis,
                (None, Some((from, to))) => {
                    let of = |e: &mut Self, text: &str| {
                        e.point(path, &PointOrMarker::Marker(text.trim().to_string()), model)
                    };
                    of(self, to) - of(self, from)
                }
                (None, None) => match self.named_place(path, text, model) {
                    Some((at, _)) if self.points.get(text.trim()).is_some_and(|p| !p.is_frame) => at,
                    Some((_, axes)) if self.problems.len() == problems => return axes.column(2).into_owned(),
                    Some(_) => Vector3::zeros(),
                    None => self.vector_expression(path, text),
                },
            },
        };
        if let Some(problem) = self.problems.get_mut(problems) {
            let help = "write [x, y, z], the name of an axis (\"x\", \"-z\"), \"A -> B\" from point to \
                        point, a marker, or a name of [points]";
            problem.help = Some(help.to_string());
            return Vector3::z();
        }
        if direction.norm() < 1e-12 {
            self.problem(
                path,
                "an axis of length zero has no direction",
                "give two different points, \"A -> B\"",
            );
            return Vector3::z();
        }
        direction.normalize()
    }

    /// A named point or a marker of a body.
    fn named_place(&mut self, path: &str, text: &str, model: &Model) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        let name = self.name(path, text.trim());
        if let Some(point) = self.points.get(&name) {
            return Some((point.at, point.axes));
        }
        // A body means its centre of mass, a node of a beam its position.
        let body = self.aliases.get(&name).cloned().unwrap_or_else(|| name.clone());
        if let Some(body) = self.find_body(model, &body) {
            return Some((body.position, body.rotation.to_rotation_matrix().into_inner()));
        }
        // Names of bodies may also contain dots.
        let splits = name.match_indices('.').filter_map(|(i, _)| name.split_at_checked(i));
        let found = splits
            .filter_map(|(body, marker)| self.find_body(model, body)?.frame(marker.strip_prefix('.')?))
            .next();
        if found.is_some() {
            return found;
        }
        // Neither name nor expression.
        let expression = Expression::parse(&name, &|_| false);
        let known = |n: &String| {
            let base = n.split('.').next().unwrap_or(n);
            self.points.contains_key(base) || self.names.contains_key(n) || n == "pi"
        };
        let plain =
            expression.as_ref().is_ok_and(|e| !e.var_names().is_empty() && e.var_names().iter().all(known));
        if plain {
            return None;
        }
        if self.complete(&["points", "body", "beam"]) {
            // Messages that nobody sees need no suggestions.
            let many = self.problems.len() >= MOST_PROBLEMS;
            let mut list: Vec<String> = if many { Vec::new() } else { self.points.keys().cloned().collect() };
            list.sort_unstable();
            for b in model.bodies.iter().filter(|_| !many) {
                list.extend(b.markers.iter().map(|m| format!("{}.{}", b.name, m.name)));
            }
            list.truncate(self.listed());
            let help = "write a name of [points], \"body.marker\" with a marker of [[body]] markers = \
                        { .. }, or an expression of points";
            // In an expression, the unknown part is one of its names, or the syntax is wrong.
            let written = name.contains(['+', '*', '/', '(', ')', '[', ']', ',']);
            let part = expression.as_ref().ok().and_then(|e| e.var_names().iter().find(|n| !known(n)));
            let message = match (&expression, part) {
                (Err(message), _) if written => message.clone(),
                (_, part) => {
                    let name = part.filter(|_| written).unwrap_or(&name);
                    let kind = if name.contains('.') { "marker" } else { "point" };
                    match list.is_empty() {
                        true if many || !self.wrong.is_empty() => format!("unknown {kind} '{name}'"),
                        true => format!("unknown {kind} '{name}'; the model has no points and no markers"),
                        false => Error::unknown_name(kind, name, list.iter().map(String::as_str)).to_string(),
                    }
                }
            };
            self.problem(path, message, help);
        }
        Some((Vector3::repeat(f64::NAN), Matrix3::identity()))
    }

    /// An expression of named points, component by component.
    fn vector_expression(&mut self, path: &str, text: &str) -> Vector3<f64> {
        let text = self.name(path, text);
        let read = Expression::parse(&text, &|_| false);
        let shape = read.and_then(|e| match e.is_vector(&|n| self.points.contains_key(n))? {
            true => Ok(e),
            false => Err(format!("'{}' is a number, not a point", text.trim())),
        });
        let expression = match shape {
            Ok(expression) => expression,
            Err(message) => {
                self.problem(
                    path,
                    message,
                    "write [x, y, z] or an expression of points such as \"(A + B)/2\"",
                );
                return Vector3::zeros();
            }
        };
        let vectors: Vec<String> =
            expression.var_names().iter().filter(|n| self.points.contains_key(*n)).cloned().collect();
        let mut out = Vector3::zeros();
        for k in 0..3 {
            for name in &vectors {
                if let Some(point) = self.points.get(name) {
                    self.names.insert(name.clone(), point.at.iter().nth(k).copied().unwrap_or(0.0));
                    if let Some(d) = point.dimension {
                        self.names.dimensions.insert(name.clone(), d);
                    }
                }
            }
            let value = self.number(path, &Number::Text(text.clone()));
            if let Some(x) = out.iter_mut().nth(k) {
                *x = value;
            }
            if value.is_nan() {
                break;
            }
        }
        for name in &vectors {
            self.names.remove(name);
            self.names.dimensions.remove(name);
        }
        out
    }

    /// Warns about large plain numbers: they are radians, but probably meant as degrees.
    fn is_it_degrees(&mut self, path: &str, angle: &Number) {
        if let Number::Value(x) = angle
            && x.abs() > std::f64::consts::TAU
        {
            self.notices.push(format!("{path} = {x} is in radians; write \"{x} deg\" for degrees"));
        }
    }

    /// An orientation.
    pub(in crate::model) fn rotation(
        &mut self,
        path: &str,
        r: &Rotation,
        model: &Model,
    ) -> UnitQuaternion<f64> {
        match r {
            Rotation::Quaternion(x) => {
                let [w, x, y, z] = self.entries(path, x, Self::number);
                let q = Quaternion::new(w, x, y, z);
                if (q.norm() - 1.0).abs() > 1e-6 {
                    self.problem(
                        path,
                        format!("the quaternion has length {}, not 1", q.norm()),
                        "divide its entries by its length, or use { axis = .., angle = .. }",
                    );
                    return UnitQuaternion::identity();
                }
                UnitQuaternion::from_quaternion(q)
            }
            Rotation::Matrix(rows) => {
                let m = Matrix3::from_columns(&self.entries(path, rows, Self::vector)).transpose();
                let off = (m * m.transpose() - Matrix3::identity()).amax();
                if !(off < 1e-6 && m.determinant() > 0.0) {
                    self.problem(
                        path,
                        format!(
                            "the matrix is not a rotation: it deviates from orthogonality by {off:.1e}, \
                            its determinant is {:.3}",
                            m.determinant()
                        ),
                        "its rows are perpendicular unit vectors, right-handed",
                    );
                    return UnitQuaternion::identity();
                }
                UnitQuaternion::from_matrix(&m)
            }
            Rotation::AxisAngle { axis, angle } => {
                let axis = self.axis(&format!("{path}.axis"), axis, model);
                self.is_it_degrees(&format!("{path}.angle"), angle);
                let angle = self.number(&format!("{path}.angle"), angle);
                UnitQuaternion::from_scaled_axis(axis * angle)
            }
            Rotation::RollPitchYaw { roll_pitch_yaw } => {
                let path = format!("{path}.roll_pitch_yaw");
                roll_pitch_yaw.iter().for_each(|angle| self.is_it_degrees(&path, angle));
                let angles = self.vector(&path, roll_pitch_yaw);
                UnitQuaternion::from_euler_angles(angles.x, angles.y, angles.z)
            }
            Rotation::Axes { x_axis, y_axis } => {
                let x = self.axis(&format!("{path}.x_axis"), x_axis, model);
                let y = self.axis(&format!("{path}.y_axis"), y_axis, model);
                let z = x.cross(&y);
                if z.norm() < 1e-6 {
                    self.problem(
                        path,
                        "x_axis and y_axis are parallel",
                        "give two directions that span a plane",
                    );
                    return UnitQuaternion::identity();
                }
                let z = z.normalize();
                of_matrix(Matrix3::from_columns(&[x, z.cross(&x), z]))
            }
            Rotation::AlongX { x_along } => self.along(&format!("{path}.x_along"), x_along, [2, 0, 1], model),
            Rotation::AlongY { y_along } => self.along(&format!("{path}.y_along"), y_along, [1, 2, 0], model),
            Rotation::AlongZ { z_along } => self.along(&format!("{path}.z_along"), z_along, [0, 1, 2], model),
            Rotation::Frame(name) => match self.named_place(path, name, model) {
                Some((_, axes)) => of_matrix(axes),
                None => {
                    self.problem(
                        path,
                        format!("'{name}' is not a frame"),
                        "name a frame of [points] or a marker",
                    );
                    UnitQuaternion::identity()
                }
            },
        }
    }

    /// The axes of a frame along a direction, in this order.
    fn along(
        &mut self,
        path: &str,
        place: &PointOrMarker,
        order: [usize; 3],
        model: &Model,
    ) -> UnitQuaternion<f64> {
        let frame = frame_along(&self.axis(path, place, model));
        of_matrix(Matrix3::from_columns(&order.map(|k| frame.column(k).into_owned())))
    }
}

fn of_matrix(m: Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(m))
}

/// "x", "-z", "+y".
fn axis_name(text: &str) -> Option<Vector3<f64>> {
    let text = text.trim();
    let (sign, name) = match text.strip_prefix('-') {
        Some(name) => (-1.0, name),
        None => (1.0, text.strip_prefix('+').unwrap_or(text)),
    };
    let axis = match name.trim() {
        "x" => Vector3::x(),
        "y" => Vector3::y(),
        "z" => Vector3::z(),
        _ => return None,
    };
    Some(axis * sign)
}

/// Names that a point uses.
fn uses(block: &PointBlock) -> Vec<String> {
    let of = |text: &str| Number::Text(text.to_string()).names();
    let place = |p: &PointOrMarker| match p {
        PointOrMarker::Point(list) => list.each_ref().map(Number::names).concat(),
        PointOrMarker::Marker(text) => text.split("->").map(of).collect::<Vec<_>>().concat(),
    };
    match block {
        PointBlock::Coordinates(list) => list.each_ref().map(Number::names).concat(),
        PointBlock::Text(text) => of(text),
        PointBlock::Frame { point, rotation } => {
            let mut names = place(point);
            match rotation.as_ref() {
                Rotation::AxisAngle { axis, .. } => names.extend(place(axis)),
                Rotation::Axes { x_axis, y_axis } => {
                    names.extend(place(x_axis).into_iter().chain(place(y_axis)))
                }
                Rotation::AlongX { x_along: p }
                | Rotation::AlongY { y_along: p }
                | Rotation::AlongZ { z_along: p } => names.extend(place(p)),
                Rotation::Frame(name) => names.push(name.clone()),
                Rotation::Quaternion(_) | Rotation::Matrix(_) | Rotation::RollPitchYaw { .. } => {}
            }
            names
        }
    }
}
