//! From a file to a model: expressions are evaluated and everything is checked, all problems at once.

use nalgebra::{Matrix3, Quaternion, Rotation3, UnitQuaternion, Vector3};

use super::document::{Document, Problem};
use super::file::{BodyBlock, BodyType, Inertia, JointBlock, JointType, Rotation};
use super::number::{Names, Number, Vector};
use super::spec::{BodySpec, GROUND, JointSpec, Model, frame_along};
use crate::mechanics::BodyKind;
use crate::mechanics::joints::JointKind;
use crate::mechanics::joints::generic::Locks;

/// Evaluates numbers and collects what is wrong with them.
pub struct Evaluator {
    names: Names,
    /// Problems so far.
    pub problems: Vec<Problem>,
}

impl Evaluator {
    /// Evaluates the parameters, which may use each other.
    pub fn new(document: &Document) -> Self {
        let mut names = Names::new();
        let mut left: Vec<(&String, &Number)> = document.file.parameters.iter().collect();
        let mut problems = Vec::new();
        loop {
            let before = left.len();
            let mut errors = Vec::new();
            left.retain(|(name, number)| match number.evaluate(&names) {
                Ok(x) => {
                    names.insert((*name).clone(), x);
                    false
                }
                Err(e) => {
                    errors.push((*name, e));
                    true
                }
            });
            if left.is_empty() || left.len() == before {
                for (name, message) in errors {
                    problems.push(Problem { path: format!("parameters.{name}"), message, help: None });
                }
                return Evaluator { names, problems };
            }
        }
    }

    /// Adds a problem.
    pub fn problem(&mut self, path: &str, message: impl Into<String>, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_string());
        self.problems.push(Problem { path: path.to_string(), message: message.into(), help });
    }

    /// A number; problems are noted and give NaN.
    pub fn number(&mut self, path: &str, x: &Number) -> f64 {
        x.evaluate(&self.names).unwrap_or_else(|message| {
            self.problem(path, message, "");
            f64::NAN
        })
    }

    /// An optional number.
    pub fn option(&mut self, path: &str, x: &Option<Number>) -> Option<f64> {
        x.as_ref().map(|x| self.number(path, x))
    }

    fn vector(&mut self, path: &str, x: &Vector) -> Vector3<f64> {
        Vector3::from_fn(|i, _| self.number(&format!("{path}[{i}]"), &x[i]))
    }

    fn direction(&mut self, path: &str, x: &Vector) -> Vector3<f64> {
        let d = self.vector(path, x);
        if d.norm() < 1e-12 {
            self.problem(path, "an axis of length zero has no direction", "give a direction of any length");
            return Vector3::z();
        }
        d.normalize()
    }

    fn rotation(&mut self, path: &str, r: &Rotation) -> UnitQuaternion<f64> {
        match r {
            Rotation::Quaternion(x) => {
                let x: [f64; 4] = std::array::from_fn(|i| self.number(&format!("{path}[{i}]"), &x[i]));
                let q = Quaternion::new(x[0], x[1], x[2], x[3]);
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
            Rotation::AxisAngle { axis, angle } => {
                let axis = self.direction(&format!("{path}.axis"), axis);
                let angle = self.number(&format!("{path}.angle"), angle);
                UnitQuaternion::from_scaled_axis(axis * angle)
            }
            Rotation::Axes { x_axis, y_axis } => {
                let x = self.direction(&format!("{path}.x_axis"), x_axis);
                let y = self.direction(&format!("{path}.y_axis"), y_axis);
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
                let m = Matrix3::from_columns(&[x, z.cross(&x), z]);
                UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(m))
            }
        }
    }

    /// The model of a document. Problems are left in `self.problems`.
    pub fn model(&mut self, document: &Document, fallback_name: &str) -> Model {
        let file = &document.file;
        if file.version != 1 {
            self.problem(
                "version",
                format!("version {} of the format is not known", file.version),
                "this program reads version 1",
            );
        }
        let mut model = Model::new(file.model.name.as_deref().unwrap_or(fallback_name));
        if let Some(g) = &file.model.gravity {
            model.gravity = self.vector("model.gravity", g);
        }
        model.length_scale = self.option("model.length_scale", &file.model.length_scale);
        if model.length_scale.is_some_and(|l| l <= 0.0) {
            self.problem("model.length_scale", "a length scale is positive", "");
        }
        if file.body.is_empty() && document.is_readable() {
            self.problem("model", "the model has no bodies", "add a [[body]] section");
        }
        for (i, block) in file.body.iter().enumerate() {
            let body = self.body(&format!("body[{i}]"), block);
            if block.name == GROUND || model.bodies.iter().any(|b| b.name == block.name) {
                self.problem(
                    &format!("body[{i}].name"),
                    format!("the name '{}' is taken", block.name),
                    "names of bodies are unique, and 'ground' is the inertial frame",
                );
            }
            model.bodies.push(body);
        }
        for (i, block) in file.joint.iter().enumerate() {
            // Bodies that could not be read are not missing.
            let all_bodies = document.is_readable();
            let joint = self.joint(&format!("joint[{i}]"), block, &model, all_bodies);
            if model.joints.iter().any(|j| j.name == block.name) {
                self.problem(
                    &format!("joint[{i}].name"),
                    format!("the name '{}' is taken", block.name),
                    "names of joints are unique",
                );
            }
            model.joints.push(joint);
        }
        model
    }

    fn body(&mut self, path: &str, block: &BodyBlock) -> BodySpec {
        let mass = self.number(&format!("{path}.mass"), &block.mass);
        if mass < 0.0 || (mass == 0.0 && block.kind == BodyType::Point) {
            self.problem(&format!("{path}.mass"), format!("the mass {mass} is not positive"), "");
        }
        let kind = match (block.kind, &block.inertia) {
            (BodyType::Point, None) => BodyKind::PointMass,
            (BodyType::Point, Some(_)) => {
                self.problem(
                    &format!("{path}.inertia"),
                    "a point mass has no inertia tensor",
                    "remove it, or use type = \"rigid\"",
                );
                BodyKind::PointMass
            }
            (BodyType::Rigid, None) => {
                self.problem(
                    path,
                    format!("body '{}' has no inertia", block.name),
                    "add inertia = [Jxx, Jyy, Jzz] about the centre of mass",
                );
                BodyKind::PointMass
            }
            (BodyType::Rigid, Some(inertia)) => {
                let at = format!("{path}.inertia");
                let inertia = self.inertia(&at, inertia);
                self.check_inertia(&at, &inertia);
                BodyKind::Rigid { inertia }
            }
        };
        let rotation = match &block.rotation {
            Some(r) => self.rotation(&format!("{path}.rotation"), r),
            None => UnitQuaternion::identity(),
        };
        let angular_velocity = match (&block.angular_velocity, &block.angular_velocity_global) {
            (Some(_), Some(_)) => {
                self.problem(
                    &format!("{path}.angular_velocity_global"),
                    "the angular velocity is given twice",
                    "give it in the body frame or in the inertial frame",
                );
                Vector3::zeros()
            }
            (Some(w), None) => self.vector(&format!("{path}.angular_velocity"), w),
            (None, Some(w)) => {
                rotation.inverse() * self.vector(&format!("{path}.angular_velocity_global"), w)
            }
            (None, None) => Vector3::zeros(),
        };
        BodySpec {
            name: block.name.clone(),
            mass,
            kind,
            position: self.vector(&format!("{path}.position"), &block.position),
            rotation,
            velocity: self.vector(&format!("{path}.velocity"), &block.velocity),
            angular_velocity,
        }
    }

    fn inertia(&mut self, path: &str, inertia: &Inertia) -> Matrix3<f64> {
        match inertia {
            Inertia::Principal(j) => Matrix3::from_diagonal(&self.vector(path, j)),
            Inertia::Matrix(rows) => {
                let rows: [Vector3<f64>; 3] =
                    std::array::from_fn(|i| self.vector(&format!("{path}[{i}]"), &rows[i]));
                Matrix3::from_columns(&rows).transpose()
            }
        }
    }

    /// Symmetry, and principal moments that some distribution of mass can have.
    fn check_inertia(&mut self, path: &str, j: &Matrix3<f64>) {
        if j.iter().any(|x| x.is_nan()) {
            return;
        }
        if (j - j.transpose()).amax() > 1e-9 * j.amax() {
            self.problem(path, "the inertia matrix is not symmetric", "");
            return;
        }
        let mut p = j.symmetric_eigenvalues();
        p.as_mut_slice().sort_by(f64::total_cmp);
        if p[0] < -1e-12 * p[2] {
            self.problem(path, format!("the principal moment {:.4e} is negative", p[0]), "");
        } else if p[2] > (p[0] + p[1]) * (1.0 + 1e-9) {
            self.problem(
                path,
                format!("no body has principal moments {:.4e}, {:.4e}, {:.4e}: the largest exceeds the sum of the others", p[0], p[1], p[2]),
                "check the moments and the frame they are given in",
            );
        }
    }

    fn joint(&mut self, path: &str, block: &JointBlock, model: &Model, all_bodies: bool) -> JointSpec {
        for (i, name) in block.bodies.iter().enumerate() {
            if all_bodies && name != GROUND && !model.bodies.iter().any(|b| b.name == *name) {
                let known = model.bodies.iter().map(|b| b.name.as_str()).chain([GROUND]);
                let message = crate::Error::unknown_name("body", name, known).to_string();
                self.problem(&format!("{path}.bodies[{i}]"), message, "");
            }
        }
        if block.bodies[0] == block.bodies[1] {
            self.problem(
                &format!("{path}.bodies"),
                format!("joint '{}' connects '{}' with itself", block.name, block.bodies[0]),
                "",
            );
        }
        let point = match &block.point {
            Some(p) => self.vector(&format!("{path}.point"), p),
            None => {
                self.problem(
                    path,
                    format!("joint '{}' has no point", block.name),
                    "add point = [x, y, z], its place at t = 0",
                );
                Vector3::zeros()
            }
        };
        use JointType::*;
        let needs_axis = !matches!(block.kind, Spherical | Fixed | RigidDistance | Generic);
        let frame = match (&block.axis, needs_axis) {
            (Some(a), _) => frame_along(&self.direction(&format!("{path}.axis"), a)),
            (None, true) => {
                self.problem(
                    path,
                    format!("joint '{}' has no axis", block.name),
                    "add axis = [x, y, z] at t = 0",
                );
                Matrix3::identity()
            }
            (None, false) => Matrix3::identity(),
        };
        let mut spec = JointSpec {
            name: block.name.clone(),
            kind: JointKind::Spherical,
            bodies: block.bodies.clone(),
            point,
            point2: point,
            frame,
            frame2: frame,
        };
        spec.kind = match block.kind {
            Spherical => JointKind::Spherical,
            Revolute => JointKind::Revolute,
            Prismatic => JointKind::Prismatic,
            Cylindrical => JointKind::Cylindrical,
            Planar => JointKind::Planar,
            Fixed => JointKind::Fixed,
            PointOnPlane => JointKind::PointOnPlane,
            PointOnLine => JointKind::PointOnLine,
            Universal => {
                self.universal(path, block, &mut spec);
                JointKind::Universal
            }
            RigidDistance => {
                self.rigid_distance(path, block, &mut spec);
                JointKind::RigidDistance
            }
            Generic => JointKind::Generic(self.locks(path, block)),
        };
        spec
    }

    /// a_1 is `axis`, fixed in the first body; b_2 is `axis2`, fixed in the second and perpendicular to it.
    fn universal(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec) {
        let a1 = spec.frame.column(2).into_owned();
        let b2 = match &block.axis2 {
            Some(a) => self.direction(&format!("{path}.axis2"), a),
            None => {
                self.problem(
                    path,
                    format!("universal joint '{}' has no second axis", block.name),
                    "add axis2 = [x, y, z], fixed in the second body and perpendicular to axis",
                );
                return;
            }
        };
        if a1.dot(&b2).abs() > 1e-6 {
            self.problem(
                &format!("{path}.axis2"),
                format!(
                    "the axes of universal joint '{}' are not perpendicular (cosine {:.3e})",
                    block.name,
                    a1.dot(&b2)
                ),
                "",
            );
            return;
        }
        let a2 = (b2 - a1 * a1.dot(&b2)).normalize();
        spec.frame = Matrix3::from_columns(&[a1, a2, a1.cross(&a2)]);
        spec.frame2 = spec.frame;
    }

    fn rigid_distance(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec) {
        match &block.point2 {
            Some(p) => spec.point2 = self.vector(&format!("{path}.point2"), p),
            None => {
                self.problem(
                    path,
                    format!("rigid distance '{}' has no second point", block.name),
                    "add point2 = [x, y, z]",
                );
                return;
            }
        }
        if (spec.point2 - spec.point).norm() < 1e-9 {
            self.problem(
                &format!("{path}.point2"),
                "the distance is zero",
                "a distance of zero is a spherical joint",
            );
        }
    }

    fn locks(&mut self, path: &str, block: &JointBlock) -> Locks {
        let mut locks = Locks::default();
        let Some(list) = &block.lock else {
            self.problem(
                path,
                format!("generic joint '{}' locks nothing", block.name),
                "add lock = [\"tx\", \"rz\", ...]",
            );
            return locks;
        };
        for (i, name) in list.iter().enumerate() {
            match name.as_str() {
                "tx" => locks.translation[0] = true,
                "ty" => locks.translation[1] = true,
                "tz" => locks.translation[2] = true,
                "rx" => locks.rotation[0] = true,
                "ry" => locks.rotation[1] = true,
                "rz" => locks.rotation[2] = true,
                other => {
                    let e = crate::Error::unknown_name("motion", other, ["tx", "ty", "tz", "rx", "ry", "rz"]);
                    self.problem(&format!("{path}.lock[{i}]"), e.to_string(), "");
                }
            }
        }
        locks
    }
}
