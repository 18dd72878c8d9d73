//! `[[body]]`: mass, inertia, shape, position and markers.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::Evaluator;
use super::look::along;
use crate::mechanics::BodyKind;
use crate::model::file::{BodyBlock, BodyType, Inertia, Shape, ShapeType};
use crate::model::file_elements::MarkerBlock;
use crate::model::inertia::{impossible, principal_moments};
use crate::model::spec::{BodySpec, MarkerSpec, SolidForm, SolidSpec};

/// A homogeneous solid.
struct Solid {
    /// Volume, of a rod the length.
    content: f64,
    /// Principal moments about the centre of mass divided by the mass.
    per_mass: Vector3<f64>,
    /// What a picture shows.
    form: SolidForm,
}

impl Evaluator {
    pub(super) fn body(&mut self, path: &str, block: &BodyBlock) -> BodySpec {
        let name = self.name(&format!("{path}.name"), &block.name);
        let (mass, shape, form) = self.mass_and_shape(path, block, &name);
        if mass < 0.0 || (mass == 0.0 && block.kind == BodyType::Point) {
            self.problem(&format!("{path}.mass"), format!("the mass {mass} is not positive"), "");
        }
        let turn = block.inertia_frame.as_ref().map(|r| self.rotation(&format!("{path}.inertia_frame"), r));
        let in_body = |j: Matrix3<f64>| match turn {
            Some(r) => {
                let r = r.to_rotation_matrix().into_inner();
                r * j * r.transpose()
            }
            None => j,
        };
        let kind = match (block.kind, &block.inertia, shape) {
            (BodyType::Point, None, _) => BodyKind::PointMass,
            (BodyType::Point, Some(_), _) => {
                self.problem(
                    &format!("{path}.inertia"),
                    "a point mass has no inertia tensor",
                    "remove it, or use type = \"rigid\"",
                );
                BodyKind::PointMass
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
        let solid = form.map(|form| SolidSpec {
            form,
            at: Vector3::zeros(),
            rotation: turn.unwrap_or_else(UnitQuaternion::identity),
            colour: None,
        });
        let looks = block.look.iter().enumerate();
        let look = looks.filter_map(|(k, l)| self.look(&format!("{path}.look[{k}]"), l)).collect();
        let markers = block.markers.iter().map(|(name, m)| self.marker_spec(path, name, m)).collect();
        BodySpec {
            name,
            mass,
            kind,
            position: self.vector(&format!("{path}.position"), &block.position),
            rotation,
            velocity: self.vector(&format!("{path}.velocity"), &block.velocity),
            angular_velocity,
            markers,
            solid,
            look,
        }
    }

    fn marker_spec(&mut self, path: &str, name: &str, block: &MarkerBlock) -> MarkerSpec {
        let path = format!("{path}.markers.{name}");
        self.printable(&path, name);
        let (point, rotation) = match block {
            MarkerBlock::Point(p) => (self.vector(&path, p), UnitQuaternion::identity()),
            MarkerBlock::Frame { point, rotation } => (
                self.vector(&format!("{path}.point"), point),
                self.rotation(&format!("{path}.rotation"), rotation),
            ),
        };
        MarkerSpec { name: name.to_string(), point, rotation }
    }

    /// Mass, and the inertia and form of the shape where there is one.
    fn mass_and_shape(
        &mut self,
        path: &str,
        block: &BodyBlock,
        name: &str,
    ) -> (f64, Option<Matrix3<f64>>, Option<SolidForm>) {
        let shape = block.shape.as_ref().and_then(|s| self.shape(&format!("{path}.shape"), s));
        let mass = self.option(&format!("{path}.mass"), &block.mass);
        let density = self.positive_option(&format!("{path}.density"), &block.density);
        let mass = match (mass, density, &shape) {
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
                    self.problem(&format!("{path}.density"), "a density needs a shape", "add shape = { .. }");
                }
                f64::NAN
            }
            (None, None, _) => {
                self.problem(
                    path,
                    format!("body '{name}' has no mass"),
                    "add mass, or a shape and a density",
                );
                f64::NAN
            }
        };
        let inertia = shape.as_ref().map(|s| Matrix3::from_diagonal(&(s.per_mass * mass)));
        (mass, inertia, shape.map(|s| s.form))
    }

    /// A homogeneous solid; `None` after a problem.
    fn shape(&mut self, path: &str, shape: &Shape) -> Option<Solid> {
        use ShapeType::*;
        let used: &[&str] = match shape.kind {
            Box => &["size"],
            Cylinder => &["radius", "length", "axis"],
            Sphere => &["radius"],
            Rod => &["length", "axis", "radius"],
        };
        let given = [
            ("size", shape.size.is_some()),
            ("radius", shape.radius.is_some()),
            ("length", shape.length.is_some()),
            ("axis", shape.axis.is_some()),
        ];
        self.unused(path, "this shape", &given, used);
        let radius = self.positive_option(&format!("{path}.radius"), &shape.radius);
        let length = self.positive_option(&format!("{path}.length"), &shape.length);
        let size = shape.size.as_ref().map(|s| self.vector(&format!("{path}.size"), s));
        if size.is_some_and(|s| s.iter().any(|x| *x <= 0.0)) {
            self.problem(&format!("{path}.size"), "the edges of a box are positive", "");
        }
        let axis = along(shape.axis);
        let round = |axial: f64, transverse: f64| axis.map(|a| if a > 0.0 { axial } else { transverse });
        let pi = std::f64::consts::PI;
        let solid = match (shape.kind, size, radius, length) {
            (Box, Some(s), _, _) => Some(Solid {
                content: s.x * s.y * s.z,
                per_mass: Vector3::new(s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y)
                    / 12.0,
                form: SolidForm::Box(s),
            }),
            (Cylinder, _, Some(r), Some(l)) => Some(Solid {
                content: pi * r * r * l,
                per_mass: round(r * r / 2.0, r * r / 4.0 + l * l / 12.0),
                form: SolidForm::Cylinder { radius: r, length: l, axis },
            }),
            (Sphere, _, Some(r), _) => Some(Solid {
                content: 4.0 / 3.0 * pi * r.powi(3),
                per_mass: Vector3::repeat(0.4 * r * r),
                form: SolidForm::Sphere(r),
            }),
            (Rod, _, r, Some(l)) => {
                // A rod without a radius is drawn thin.
                let form = SolidForm::Cylinder { radius: r.unwrap_or(0.02 * l), length: l, axis };
                let r = r.unwrap_or(0.0);
                Some(Solid { content: l, per_mass: round(r * r / 2.0, r * r / 4.0 + l * l / 12.0), form })
            }
            _ => None,
        };
        if solid.is_none() {
            self.problem(path, "the shape is incomplete", &format!("it needs {}", used.join(", ")));
        }
        solid
    }

    fn inertia(&mut self, path: &str, inertia: &Inertia) -> Matrix3<f64> {
        match inertia {
            Inertia::Principal(j) => Matrix3::from_diagonal(&self.vector(path, j)),
            Inertia::Matrix(rows) => {
                Matrix3::from_columns(&self.entries(path, rows, Self::vector)).transpose()
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
        if let Some(why) = impossible(&principal_moments(j)) {
            self.problem(path, why, "check the moments and the frame they are given in");
        }
    }
}
