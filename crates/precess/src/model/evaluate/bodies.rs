//! `[[body]]`: mass, inertia, shape, position and markers.

use nalgebra::{Matrix3, Rotation3, UnitQuaternion, Vector3};

use super::Evaluator;
use super::solids::Solid;
use crate::mechanics::BodyKind;
use crate::model::file::{BodyBlock, BodyType, Inertia, ShapeType};
use crate::model::file_elements::MarkerBlock;
use crate::model::inertia::{impossible, principal_moments};
use crate::model::spec::{BodySpec, MarkerSpec, Model, SolidSpec, frame_along};

impl Evaluator {
    pub(super) fn body(&mut self, path: &str, block: &BodyBlock, model: &Model) -> BodySpec {
        let name = self.name(&format!("{path}.name"), &block.name);
        let (mass, shape) = self.mass_and_shape(path, block, &name, model);
        if mass < 0.0 || (mass == 0.0 && block.kind == BodyType::Point) {
            self.problem(&format!("{path}.mass"), format!("the mass {mass} is not positive"), "");
        }
        let turn =
            block.inertia_frame.as_ref().map(|r| self.rotation(&format!("{path}.inertia_frame"), r, model));
        let in_body = |j: Matrix3<f64>| match turn {
            Some(r) => {
                let r = r.to_rotation_matrix().into_inner();
                r * j * r.transpose()
            }
            None => j,
        };
        let from_shape = shape.as_ref().map(|s| s.per_mass * mass);
        let kind = self.body_kind(path, block, &name, from_shape, in_body);
        let (origin, rotation) = self.placement(path, block, model);
        let angular_velocity = self.angular_velocity(path, block, &rotation);
        // Some shapes have their own origin: the centre of mass is elsewhere.
        let turn = turn.unwrap_or_else(UnitQuaternion::identity);
        let centre = turn * shape.as_ref().map_or_else(Vector3::zeros, |s| s.centre);
        let forms = shape.map(|s| s.forms).unwrap_or_default();
        let placed = |f: SolidSpec| SolidSpec { at: turn * f.at - centre, rotation: turn * f.rotation, ..f };
        let mut forms: Vec<SolidSpec> = forms.into_iter().map(placed).collect();
        let looks = block.look.iter().enumerate();
        let mut look: Vec<SolidSpec> =
            looks.filter_map(|(k, l)| self.look(&format!("{path}.look[{k}]"), l, model)).collect();
        look.iter_mut().for_each(|l| l.at -= centre);
        let solid = if forms.len() == 1 { forms.pop() } else { None };
        if look.is_empty() {
            look = forms;
        }
        let mut markers: Vec<MarkerSpec> =
            block.markers.iter().map(|(name, m)| self.marker_spec(path, name, m, model)).collect();
        markers.iter_mut().for_each(|m| m.point -= centre);
        let velocity = block.velocity.as_ref();
        let velocity = velocity.map(|v| self.point(&format!("{path}.velocity"), v, model));
        BodySpec {
            name,
            mass,
            kind,
            position: origin + rotation * centre,
            rotation,
            velocity: velocity.unwrap_or_default(),
            angular_velocity,
            markers,
            solid,
            look,
        }
    }

    /// A point mass, or a rigid body with its inertia.
    fn body_kind(
        &mut self,
        path: &str,
        block: &BodyBlock,
        name: &str,
        from_shape: Option<Matrix3<f64>>,
        in_body: impl Fn(Matrix3<f64>) -> Matrix3<f64>,
    ) -> BodyKind {
        match (block.kind, &block.inertia, from_shape) {
            (BodyType::Point, None, _) => BodyKind::PointMass,
            (BodyType::Point, Some(_), _) => {
                self.problem(
                    &format!("{path}.inertia"),
                    "a point mass has no inertia tensor",
                    "remove it, or use type = \"rigid\"",
                );
                BodyKind::PointMass
            }
            (BodyType::Modal, _, _) => BodyKind::Rigid { inertia: Matrix3::identity() },
            (BodyType::Rigid, None, None) if block.motion.is_some() => {
                BodyKind::Rigid { inertia: Matrix3::zeros() }
            }
            (BodyType::Rigid, None, None) => {
                if block.shape.is_none() {
                    self.problem(
                        path,
                        format!("body '{name}' has no inertia"),
                        "add inertia = [Jxx, Jyy, Jzz] about the centre of mass, or a shape",
                    );
                }
                BodyKind::PointMass
            }
            (BodyType::Rigid, None, Some(inertia)) => BodyKind::Rigid { inertia: in_body(inertia) },
            (BodyType::Rigid, Some(inertia), _) => {
                let at = format!("{path}.inertia");
                if block.shape.is_some() {
                    self.problem(&at, "the inertia is given twice, also by the shape", "give one of them");
                }
                let inertia = self.inertia(&at, inertia);
                self.check_inertia(&at, &inertia);
                BodyKind::Rigid { inertia: in_body(inertia) }
            }
        }
    }

    /// The angular velocity in the body frame.
    fn angular_velocity(
        &mut self,
        path: &str,
        block: &BodyBlock,
        rotation: &UnitQuaternion<f64>,
    ) -> Vector3<f64> {
        match (&block.angular_velocity, &block.angular_velocity_global) {
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
        }
    }

    /// Origin and axes of the body frame: given, or between the ends of the shape.
    fn placement(
        &mut self,
        path: &str,
        block: &BodyBlock,
        model: &Model,
    ) -> (Vector3<f64>, UnitQuaternion<f64>) {
        let position = block.position.as_ref().map(|p| self.point(&format!("{path}.position"), p, model));
        let rotation = block.rotation.as_ref().map(|r| self.rotation(&format!("{path}.rotation"), r, model));
        // Problems of the ends are reported where the solid is read.
        let before = self.problems.len();
        let shape = block.shape.as_ref().filter(|s| s.from.is_some() && s.to.is_some());
        let ends = shape.and_then(|s| Some((s.kind, self.ends(&format!("{path}.shape"), s, model)?)));
        self.problems.truncate(before);
        let Some((kind, [a, b])) = ends else {
            return (position.unwrap_or_default(), rotation.unwrap_or_else(UnitQuaternion::identity));
        };
        for (key, given) in [("position", position.is_some()), ("rotation", rotation.is_some())] {
            if given {
                let message = format!("the {key} is given twice, also by from and to of the shape");
                self.problem(&format!("{path}.{key}"), message, "leave one of them out");
            }
        }
        // The centre of mass of a cone is at a quarter of its height.
        let part = if kind == ShapeType::Cone { 0.25 } else { 0.5 };
        let axes = Rotation3::from_matrix_unchecked(frame_along(&(b - a)));
        (a + (b - a) * part, UnitQuaternion::from_rotation_matrix(&axes))
    }

    fn marker_spec(&mut self, path: &str, name: &str, block: &MarkerBlock, model: &Model) -> MarkerSpec {
        let path = format!("{path}.markers.{name}");
        self.printable(&path, name);
        let (point, rotation) = match block {
            MarkerBlock::Point(p) => (self.vector(&path, p), UnitQuaternion::identity()),
            MarkerBlock::Frame { point, rotation } => (
                self.vector(&format!("{path}.point"), point),
                self.rotation(&format!("{path}.rotation"), rotation, model),
            ),
        };
        MarkerSpec { name: name.to_string(), point, rotation }
    }

    /// Mass, and the shape if there is one.
    fn mass_and_shape(
        &mut self,
        path: &str,
        block: &BodyBlock,
        name: &str,
        model: &Model,
    ) -> (f64, Option<Solid>) {
        let shape = block.shape.as_ref().and_then(|s| self.solid(&format!("{path}.shape"), s, model));
        let mass = self.option(&format!("{path}.mass"), &block.mass);
        let density = block.density.as_ref();
        let density = density.map(|x| self.density(&format!("{path}.density"), x, block.shape.as_ref()));
        if let Some(Solid { mass: Some(_), .. }) = &shape
            && (mass.is_some() || density.is_some())
        {
            let message = "the parts of the composite give its mass";
            self.problem(path, message, "remove mass and density of the body");
        }
        let is_composite = block.shape.as_ref().is_some_and(|s| s.kind == ShapeType::Composite);
        let mass = match (mass, density, &shape) {
            // The modes give the mass.
            (None, None, None) if block.kind == BodyType::Modal => 1.0,
            (None, None, Some(Solid { mass: Some(mass), .. })) => *mass,
            (Some(_), Some(_), _) => {
                self.problem(
                    &format!("{path}.density"),
                    "the mass is given as well",
                    "give the mass or the density",
                );
                f64::NAN
            }
            (Some(mass), None, _) => mass,
            (None, Some(density), Some(shape)) => density * shape.content,
            (None, Some(_), None) => {
                if block.shape.is_none() {
                    self.problem(&format!("{path}.shape"), "a density needs a shape", "add shape = { .. }");
                }
                f64::NAN
            }
            (None, None, _) if block.motion.is_some() => 0.0,
            // Problems of its parts were already reported.
            (None, None, None) if is_composite => f64::NAN,
            (None, None, _) => {
                self.problem(
                    path,
                    format!("body '{name}' has no mass"),
                    "add mass, or a shape and a density",
                );
                f64::NAN
            }
        };
        // A mass given together with a shape may be anything: benchmarks have masses of one.
        if let (Some(block_shape), Some(solid), None) = (&block.shape, &shape, &block.mass) {
            self.usual_density(&block.name, mass, block_shape, solid);
        }
        (mass, shape)
    }

    fn inertia(&mut self, path: &str, inertia: &Inertia) -> Matrix3<f64> {
        match inertia {
            Inertia::Principal(j) => Matrix3::from_diagonal(&self.vector(path, j)),
            Inertia::Matrix(rows) => {
                Matrix3::from_columns(&self.entries(path, rows, Self::vector)).transpose()
            }
        }
    }

    /// Checks symmetry, and that some distribution of mass can have the principal moments.
    fn check_inertia(&mut self, path: &str, j: &Matrix3<f64>) {
        if j.iter().any(|x| x.is_nan()) {
            return;
        }
        if (j - j.transpose()).amax() > 1e-9 * j.amax() {
            self.problem(path, "the inertia matrix is not symmetric", "");
            return;
        }
        if let Some(why) = impossible(&principal_moments(j)) {
            self.problem(path, why, "check the moments and the frame they are given in");
        }
    }
}
