//! Geoms of MJCF: mass properties and looks.

use nalgebra::{Isometry3, Matrix3, Translation3, Vector3};
use toml::Value;

use super::super::inertia::MassProperties;
use super::super::urdf::xml::XmlElement;
use super::super::volumes::{self, Volume};
use super::attributes::along;
use super::{Convert, block, numbers};

/// A geom with a volume. Lengths are full lengths, not half lengths.
enum Solid {
    Sphere(f64),
    Capsule(f64, f64),
    Cylinder(f64, f64),
    Box([f64; 3]),
    Ellipsoid([f64; 3]),
}

impl Solid {
    /// The volume and the second moments about the centre.
    fn volume(&self) -> Volume {
        match *self {
            Solid::Sphere(r) => volumes::ball(r),
            Solid::Capsule(r, l) => volumes::capsule(r, l),
            Solid::Cylinder(r, l) => volumes::cylinder(r, l),
            Solid::Box(size) => volumes::cuboid(&size.into()),
            Solid::Ellipsoid(size) => volumes::ellipsoid(&size.into()),
        }
    }

    fn look(&self) -> Vec<(&'static str, Value)> {
        match *self {
            Solid::Sphere(r) => vec![("type", "sphere".into()), ("radius", r.into())],
            Solid::Capsule(r, l) | Solid::Cylinder(r, l) => {
                vec![("type", "cylinder".into()), ("radius", r.into()), ("length", l.into())]
            }
            Solid::Box(size) | Solid::Ellipsoid(size) => {
                vec![("type", "box".into()), ("size", numbers(&size))]
            }
        }
    }
}

impl Convert<'_> {
    /// Reads a geom with its pose in the frame of the body. Returns `None` if its volume is unknown.
    fn solid(&mut self, g: &XmlElement, class: &str) -> Option<(Solid, Isometry3<f64>)> {
        let kind = self.attribute(g, "geom", class, "type").unwrap_or_else(|| "sphere".to_string());
        let text = self.attribute(g, "geom", class, "size").unwrap_or_default();
        let size = match kind.as_str() {
            "sphere" | "capsule" | "cylinder" | "box" | "ellipsoid" => {
                self.reader.several(g, "size", &text, [1, 3])?
            }
            _ => Vec::new(),
        };
        let at = |i: usize| size.get(i).copied().unwrap_or(f64::NAN);
        let mut pose = self.reader.pose(g);
        let ends = self.attribute(g, "geom", class, "fromto");
        let ends = ends.and_then(|text| self.reader.parse::<6>(g, "fromto", &text));
        let mut length = 2.0 * at(1);
        if let Some([a, b, c, d, e, f]) = ends {
            let (from, to) = (Vector3::new(a, b, c), Vector3::new(d, e, f));
            length = (to - from).norm();
            let turn = along(&(to - from)).unwrap_or(pose.rotation);
            pose = Isometry3::from_parts(Translation3::from((from + to) / 2.0), turn);
        }
        let solid = match kind.as_str() {
            "sphere" => Solid::Sphere(at(0)),
            "capsule" => Solid::Capsule(at(0), length),
            "cylinder" => Solid::Cylinder(at(0), length),
            "box" if ends.is_some() => Solid::Box([2.0 * at(0), 2.0 * at(0), length]),
            "box" => Solid::Box([at(0), at(1), at(2)].map(|x| 2.0 * x)),
            "ellipsoid" => Solid::Ellipsoid([at(0), at(1), at(2)].map(|x| 2.0 * x)),
            other => {
                self.ignore(&format!("geoms of type {other}"), g.attribute("name").unwrap_or(""));
                return None;
            }
        };
        let (volume, _) = solid.volume();
        if !(volume > 0.0 && volume.is_finite()) {
            self.reader.problem(
                g,
                format!("size=\"{text}\" is not the size of a {kind}"),
                "sizes are radii and half lengths",
            );
            return None;
        }
        Some((solid, pose))
    }

    /// The mass of all geoms of a body.
    pub(super) fn mass_of_geoms(&mut self, e: &XmlElement, class: &str) -> MassProperties {
        let mut sum = MassProperties::default();
        for g in e.children.iter().filter(|c| c.name == "geom") {
            let Some((solid, pose)) = self.solid(g, class) else { continue };
            let (volume, second) = solid.volume();
            let density = self.number(g, class, "density").unwrap_or(1000.0);
            let mass = self.number(g, class, "mass").unwrap_or(density * volume);
            if !(mass > 0.0) {
                continue;
            }
            let inertia = Matrix3::from_diagonal(&((Vector3::repeat(second.sum()) - second) * mass));
            let own = MassProperties { mass, centre: Vector3::zeros(), inertia };
            sum = sum.with(&own.moved(&pose));
        }
        sum
    }

    /// Makes the looks of the geoms of a body.
    pub(super) fn looks(&mut self, e: &XmlElement, class: &str, centre: &Vector3<f64>) -> Vec<Value> {
        let mut list = Vec::new();
        for g in e.children.iter().filter(|c| c.name == "geom") {
            // Problems were reported with the mass or do not affect it.
            let Some((solid, pose)) = self.solid(g, class) else { continue };
            let mut entries = solid.look();
            entries.push(("at", numbers((pose.translation.vector - centre).as_slice())));
            let q = pose.rotation.quaternion();
            if q.imag().amax() > 1e-15 {
                entries.push(("rotation", numbers(&[q.w, q.i, q.j, q.k])));
            }
            list.push(block(entries));
        }
        list
    }
}
