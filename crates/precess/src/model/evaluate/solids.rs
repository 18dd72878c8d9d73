//! Homogeneous solids: volume, centre and inertia of a `shape`.

use nalgebra::{Matrix3, Vector3};

use super::Evaluator;
use super::look::along;
use crate::model::expression::{Dimension, Kind};
use crate::model::file::{Shape, ShapeType};
use crate::model::mesh;
use crate::model::number::Number;
use crate::model::spec::{Model, SolidForm, SolidSpec};
use crate::model::volumes::{self, Volume};

/// A homogeneous solid in the frame of its shape.
#[derive(Clone, Debug)]
pub(super) struct Solid {
    /// Volume; for a rod without a radius, the length.
    pub content: f64,
    /// Centre of mass; zero unless the shape has its own origin.
    pub centre: Vector3<f64>,
    /// Inertia about the centre of mass divided by the mass.
    pub per_mass: Matrix3<f64>,
    /// The mass, if its parts give it.
    pub mass: Option<f64>,
    /// Solids for pictures.
    pub forms: Vec<SolidSpec>,
}

/// Keys of a kind of shape, and whether it may lie between two points.
fn keys(kind: ShapeType) -> &'static [&'static str] {
    use ShapeType::*;
    match kind {
        Box | Ellipsoid => &["size"],
        Sphere => &["radius"],
        Cylinder | Capsule | Cone => &["radius", "length", "axis", "from", "to"],
        Tube => &["radius", "inner_radius", "length", "axis", "from", "to"],
        Rod => &["length", "axis", "radius", "from", "to"],
        Mesh => &["file", "scale"],
        Composite => &["parts"],
    }
}

/// Densities of solids in kg/m^3 without a notice.
const USUAL_DENSITIES: std::ops::RangeInclusive<f64> = 1.0..=25_000.0;

/// Largest number of parts of a composite.
const MOST_PARTS: usize = 1000;

/// Inertia from second moments: trace(S) - S.
fn inertia(second: &Matrix3<f64>) -> Matrix3<f64> {
    Matrix3::identity() * second.trace() - second
}

/// A solid around its centre of mass; `second` are integrals of x^2, y^2, z^2 over it divided by its mass.
fn centred((content, second): Volume, form: Option<SolidForm>) -> Solid {
    let forms = form.into_iter().map(|form| SolidSpec {
        form,
        at: Vector3::zeros(),
        rotation: nalgebra::UnitQuaternion::identity(),
        colour: None,
    });
    Solid {
        content,
        centre: Vector3::zeros(),
        per_mass: inertia(&Matrix3::from_diagonal(&second)),
        mass: None,
        forms: forms.collect(),
    }
}

impl Evaluator {
    /// Both ends of a shape that lies between two points.
    pub(super) fn ends(&mut self, path: &str, shape: &Shape, model: &Model) -> Option<[Vector3<f64>; 2]> {
        match (&shape.from, &shape.to) {
            (Some(from), Some(to)) => {
                let ends = [
                    self.point(&format!("{path}.from"), from, model),
                    self.point(&format!("{path}.to"), to, model),
                ];
                if (ends[1] - ends[0]).norm() < 1e-12 {
                    self.problem(path, "from and to are the same point", "");
                    return None;
                }
                Some(ends)
            }
            (None, None) => None,
            _ => {
                self.problem(path, "from and to belong together", "give both, or length and axis");
                None
            }
        }
    }

    /// Reads a homogeneous solid; `None` after a problem.
    pub(super) fn solid(&mut self, path: &str, shape: &Shape, model: &Model) -> Option<Solid> {
        use ShapeType::*;
        let used = keys(shape.kind);
        let given = [
            ("size", shape.size.is_some()),
            ("radius", shape.radius.is_some()),
            ("inner_radius", shape.inner_radius.is_some()),
            ("length", shape.length.is_some()),
            ("axis", shape.axis.is_some()),
            ("from", shape.from.is_some()),
            ("to", shape.to.is_some()),
            ("file", shape.file.is_some()),
            ("scale", shape.scale.is_some()),
            ("parts", !shape.parts.is_empty()),
        ];
        let problems = self.problems.len();
        self.unused(path, "this shape", &given, used);
        let radius = self.positive_option(&format!("{path}.radius"), &shape.radius);
        let inner = self.positive_option(&format!("{path}.inner_radius"), &shape.inner_radius);
        let mut length = self.positive_option(&format!("{path}.length"), &shape.length);
        if let Some([a, b]) = self.ends(path, shape, model) {
            for (key, twice) in [("length", length.is_some()), ("axis", shape.axis.is_some())] {
                if twice {
                    self.problem(&format!("{path}.{key}"), format!("'{key}' is given by from and to"), "");
                }
            }
            length = Some((b - a).norm());
        }
        let size = shape.size.as_ref().map(|s| self.vector(&format!("{path}.size"), s));
        if size.is_some_and(|s| s.iter().any(|x| *x <= 0.0)) {
            self.problem(&format!("{path}.size"), "the edges of a box are positive", "");
        }
        if let (Some(inner), Some(outer)) = (inner, radius)
            && inner >= outer
        {
            let message = format!("the inner radius {inner} is not smaller than the radius {outer}");
            self.problem(&format!("{path}.inner_radius"), message, "");
        }
        let solid = match (shape.kind, size, radius, length) {
            (Mesh, ..) => return self.mesh(path, shape),
            (Composite, ..) => return self.composite(path, shape, model),
            (Box, Some(s), ..) => Some(centred(volumes::cuboid(&s), Some(SolidForm::Box(s)))),
            (Ellipsoid, Some(s), ..) => Some(centred(volumes::ellipsoid(&s), None)),
            (Sphere, _, Some(r), _) => Some(centred(volumes::ball(r), Some(SolidForm::Sphere(r)))),
            (kind, _, r, Some(l)) => round(kind, r, inner, l, along(shape.axis)),
            _ => None,
        };
        if solid.is_none() {
            self.problem(path, "the shape is incomplete", &format!("it needs {}", used.join(", ")));
        }
        // A wrong size has a wrong volume: what follows from it is no mistake of the file.
        solid.filter(|_| self.problems.len() == problems)
    }

    /// Mass per content of a solid: in kg/m^3; for a rod without a radius in kg/m. A rod with a radius may
    /// have either unit; a plain number is in kg/m^3.
    pub(super) fn density(&mut self, path: &str, x: &Number, shape: Option<&Shape>) -> f64 {
        const PER_VOLUME: Dimension = Dimension::new([-3, 1, 0, 0]);
        const PER_LENGTH: Dimension = Dimension::new([-1, 1, 0, 0]);
        let given = x.evaluate_in(&self.names, &mut self.parsed, None).map_or(Kind::Any, |(_, kind)| kind);
        let per_length = matches!(given, Kind::Known(d) if d.fits(PER_LENGTH));
        let (wanted, section) = match shape.filter(|s| s.kind == ShapeType::Rod).map(|rod| &rod.radius) {
            Some(None) => (PER_LENGTH, 1.0),
            Some(Some(radius)) if per_length => {
                let radius = radius.evaluate_in(&self.names, &mut self.parsed, None);
                (PER_LENGTH, std::f64::consts::PI * radius.map_or(f64::NAN, |r| r.0).powi(2))
            }
            _ => (PER_VOLUME, 1.0),
        };
        let density = self.number_in(path, x, Some(wanted)) / section;
        if density <= 0.0 {
            self.problem(path, format!("{density} is not positive"), "");
        }
        density
    }

    /// Adds a notice about a solid that is lighter than air or heavier than every metal.
    pub(super) fn usual_density(&mut self, name: &str, mass: f64, shape: &Shape, solid: &Solid) {
        let thin = |kind: ShapeType, radius: &Option<Number>| kind == ShapeType::Rod && radius.is_none();
        let density = mass / solid.content;
        if thin(shape.kind, &shape.radius)
            || shape.parts.iter().any(|p| thin(p.kind, &p.radius))
            || !density.is_finite()
            || USUAL_DENSITIES.contains(&density)
        {
            return;
        }
        // Rounded to three digits.
        let density = format!("{density:.2e}").parse().unwrap_or(density);
        self.notice(vec![format!(
            "body '{name}' has a density of {density} kg/m^3 (air 1.2, water 1000, steel 7850, platinum \
             21450): is a number in other units?"
        )]);
    }

    /// The inside of a closed surface, read from a file.
    fn mesh(&mut self, path: &str, shape: &Shape) -> Option<Solid> {
        let scale = self.positive_option(&format!("{path}.scale"), &shape.scale).unwrap_or(1.0);
        let Some(file) = &shape.file else {
            self.problem(path, "the mesh has no file", "add file = \"part.stl\"");
            return None;
        };
        let at = format!("{path}.file");
        let read = self.files.read(file);
        let mesh = read.and_then(|bytes| mesh::decode(file, &bytes, scale).map_err(|e| e.to_string()));
        let moments = match mesh.map(|m| m.moments()) {
            Ok(Some(moments)) => moments,
            Ok(None) => {
                let help = "close the surface, or use the mesh as a look and give mass and inertia";
                self.problem(&at, format!("{file} is not a closed surface: it has no volume"), help);
                return None;
            }
            Err(message) => {
                self.problem(&at, message, "");
                return None;
            }
        };
        let form = SolidForm::Mesh { file: self.files.path_from_model(file), scale };
        let mut solid = centred((moments.volume, Vector3::zeros()), Some(form));
        solid.per_mass = inertia(&(moments.second / moments.volume));
        solid.centre = moments.centre;
        Some(solid)
    }

    /// Several solids with their own positions.
    fn composite(&mut self, path: &str, shape: &Shape, model: &Model) -> Option<Solid> {
        if shape.parts.is_empty() || shape.parts.len() > MOST_PARTS {
            let n = shape.parts.len();
            self.problem(path, format!("a composite has from 1 to {MOST_PARTS} parts, this one has {n}"), "");
            return None;
        }
        let (mut mass, mut volume) = (0.0, 0.0);
        let (mut first, mut list, mut forms) = (Vector3::zeros(), Vec::new(), Vec::new());
        for (k, part) in shape.parts.iter().enumerate() {
            let path = format!("{path}.parts[{k}]");
            let Some(solid) = self.solid(&path, &part.shape(), model) else {
                mass = f64::NAN;
                continue;
            };
            if solid.mass.is_some() {
                self.problem(&path, "a composite cannot contain composites", "write all parts in one list");
                return None;
            }
            let given = self.positive_option(&format!("{path}.mass"), &part.mass);
            let (at, shape) = (format!("{path}.density"), part.shape());
            let density = part.density.as_ref().map(|x| self.density(&at, x, Some(&shape)));
            let m = match (given, density) {
                (Some(m), None) => m,
                (None, Some(density)) => density * solid.content,
                _ => {
                    self.problem(&path, "each part has a mass or a density", "give one of them");
                    f64::NAN
                }
            };
            let turn = part.rotation.as_ref().map(|r| self.rotation(&format!("{path}.rotation"), r, model));
            let turn = turn.unwrap_or_else(nalgebra::UnitQuaternion::identity);
            let at = part.at.as_ref().map_or_else(Vector3::zeros, |p| self.vector(&format!("{path}.at"), p));
            let centre = at + turn * solid.centre;
            let r = turn.to_rotation_matrix().into_inner();
            mass += m;
            volume += solid.content;
            first += centre * m;
            list.push((m, centre, r * solid.per_mass * r.transpose()));
            forms.extend(solid.forms.into_iter().map(|f| SolidSpec { at, rotation: turn, ..f }));
        }
        if mass.is_nan() {
            return None;
        }
        let centre = first / mass;
        let mut total = Matrix3::zeros();
        for (m, at, per_mass) in list {
            let d = at - centre;
            total += (per_mass + inertia(&(d * d.transpose()))) * m;
        }
        Some(Solid { content: volume, centre, per_mass: total / mass, mass: Some(mass), forms })
    }
}

/// Solids of revolution around their centres of mass.
fn round(
    kind: ShapeType,
    radius: Option<f64>,
    inner: Option<f64>,
    l: f64,
    axis: Vector3<f64>,
) -> Option<Solid> {
    use std::f64::consts::PI;
    let bar = |r: f64, l: f64| Some(SolidForm::Cylinder { radius: r, length: l, axis });
    let of = |axial: f64, radial: f64| axis.map(|a| if a > 0.0 { axial } else { radial });
    let turned = |(volume, second): Volume| (volume, of(second.z, second.x));
    let solid = match (kind, radius) {
        (ShapeType::Cylinder, Some(r)) => centred(turned(volumes::cylinder(r, l)), bar(r, l)),
        (ShapeType::Tube, Some(r)) => {
            let i = inner?;
            centred((PI * (r * r - i * i) * l, of(l * l / 12.0, (r * r + i * i) / 4.0)), bar(r, l))
        }
        (ShapeType::Cone, Some(r)) => {
            // It is drawn as a bar of the same height.
            centred((PI * r * r * l / 3.0, of(3.0 / 80.0 * l * l, 3.0 / 20.0 * r * r)), bar(0.5 * r, l))
        }
        (ShapeType::Capsule, Some(r)) => centred(turned(volumes::capsule(r, l)), bar(r, l + 2.0 * r)),
        (ShapeType::Rod, r) => {
            // A rod without a radius is drawn thin.
            let (section, drawn) = r.map_or((1.0, 0.02 * l), |r| (PI * r * r, r));
            let r = r.unwrap_or(0.0);
            centred((section * l, of(l * l / 12.0, r * r / 4.0)), bar(drawn, l))
        }
        _ => return None,
    };
    Some(solid)
}
