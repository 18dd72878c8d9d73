//! Attributes of MJCF: numbers, orientations, angles in degrees, and defaults by class.

use std::collections::HashMap;

use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, Unit, UnitQuaternion, Vector3};

use super::super::diagnostic::Diagnostic;
use super::super::urdf::xml::XmlElement;

/// The default attributes by class and kind of element.
#[derive(Clone, Debug, Default)]
pub struct Defaults(HashMap<(String, String), Vec<(String, String)>>);

impl Defaults {
    /// Reads all classes. A class inherits from its parents.
    pub fn read(root: &XmlElement) -> Self {
        let mut out = Defaults::default();
        for e in root.children.iter().filter(|e| e.name == "default") {
            out.class(e, "", 0);
        }
        out
    }

    fn class(&mut self, e: &XmlElement, parent: &str, depth: usize) {
        let name = if depth == 0 { "" } else { e.attribute("class").unwrap_or("") };
        if depth > 0 {
            let inherited: Vec<_> = self.0.iter().filter(|((c, _), _)| c == parent).collect();
            let copies: Vec<_> = inherited
                .into_iter()
                .map(|((_, kind), list)| ((name.to_string(), kind.clone()), list.clone()))
                .collect();
            self.0.extend(copies);
        }
        for child in e.children.iter().filter(|c| c.name != "default") {
            let list = self.0.entry((name.to_string(), child.name.clone())).or_default();
            for (key, value) in &child.attributes {
                list.retain(|(k, _)| k != key);
                list.push((key.clone(), value.clone()));
            }
        }
        for child in e.children.iter().filter(|c| c.name == "default") {
            self.class(child, name, depth + 1);
        }
    }

    /// The default of an attribute.
    pub fn get(&self, class: &str, kind: &str, key: &str) -> Option<String> {
        let of = |class: &str| {
            let list = self.0.get(&(class.to_string(), kind.to_string()))?;
            list.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone())
        };
        of(class).or_else(|| of(""))
    }
}

/// Reads attributes and records their problems.
pub struct AttributeReader<'a> {
    problems: &'a mut Vec<Diagnostic>,
    /// True if angles are in degrees.
    degrees: bool,
    /// The order of Euler angles. Lower-case letters are axes of the body.
    order: String,
}

impl<'a> AttributeReader<'a> {
    pub fn new(problems: &'a mut Vec<Diagnostic>) -> Self {
        AttributeReader { problems, degrees: true, order: "xyz".to_string() }
    }

    /// Notes a problem at an element.
    pub fn problem(&mut self, e: &XmlElement, message: String, help: &str) {
        let help = (!help.is_empty()).then(|| help.to_string());
        self.problems.push(Diagnostic { message, help, span: Some(e.span.clone()) });
    }

    /// Reads the settings that change the meaning of numbers.
    pub fn compiler(&mut self, root: &XmlElement) {
        for e in root.children.iter().filter(|e| e.name == "compiler") {
            match e.attribute("angle") {
                Some("radian") => self.degrees = false,
                Some("degree") | None => {}
                Some(other) => self.problem(e, format!("angle=\"{other}\" is neither degree nor radian"), ""),
            }
            if let Some(order) = e.attribute("eulerseq") {
                let good = order.len() == 3 && order.chars().all(|c| "xyzXYZ".contains(c));
                match good {
                    true => self.order = order.to_string(),
                    false => {
                        self.problem(e, format!("eulerseq=\"{order}\" is not an order of three axes"), "")
                    }
                }
            }
            if e.attribute("coordinate") == Some("global") {
                self.problem(
                    e,
                    "global coordinates are not read".to_string(),
                    "save the model with a newer MuJoCo",
                );
            }
        }
    }

    /// Converts an angle of the file to rad.
    pub fn angle(&self, x: f64) -> f64 {
        if self.degrees { x.to_radians() } else { x }
    }

    /// Reads N numbers from a text.
    pub fn parse<const N: usize>(&mut self, e: &XmlElement, key: &str, text: &str) -> Option<[f64; N]> {
        let words: Option<Vec<f64>> =
            text.split_whitespace().map(|w| w.parse::<f64>().ok().filter(|x| x.is_finite())).collect();
        let found = words.and_then(|w| <[f64; N]>::try_from(w).ok());
        if found.is_none() {
            let many = if N == 1 { "one finite number".to_string() } else { format!("{N} finite numbers") };
            self.problem(e, format!("{key}=\"{text}\" of <{}>: expected {many}", e.name), "");
        }
        found
    }

    /// Reads a list of numbers that may have several lengths. Returns `None` if there is a problem.
    pub fn several(
        &mut self,
        e: &XmlElement,
        key: &str,
        text: &str,
        [least, most]: [usize; 2],
    ) -> Option<Vec<f64>> {
        let words: Option<Vec<f64>> =
            text.split_whitespace().map(|w| w.parse::<f64>().ok().filter(|x| x.is_finite())).collect();
        let found = words.filter(|w| (least..=most).contains(&w.len()));
        if found.is_none() {
            let message =
                format!("{key}=\"{text}\" of <{}>: expected {least} to {most} finite numbers", e.name);
            self.problem(e, message, "");
        }
        found
    }

    /// Reads N numbers from an attribute.
    pub fn list<const N: usize>(&mut self, e: &XmlElement, key: &str) -> Option<[f64; N]> {
        let text = e.attribute(key)?.to_string();
        self.parse(e, key, &text)
    }

    /// Reads one number from an attribute.
    pub fn number(&mut self, e: &XmlElement, key: &str) -> Option<f64> {
        self.list::<1>(e, key).map(|[x]| x)
    }

    /// Reads `pos` and the orientation of an element.
    pub fn pose(&mut self, e: &XmlElement) -> Isometry3<f64> {
        let x = self.list::<3>(e, "pos").unwrap_or([0.0; 3]);
        Isometry3::from_parts(Translation3::from(Vector3::from(x)), self.rotation(e))
    }

    fn rotation(&mut self, e: &XmlElement) -> UnitQuaternion<f64> {
        let one = UnitQuaternion::identity();
        if let Some([w, x, y, z]) = self.list::<4>(e, "quat") {
            let q = Quaternion::new(w, x, y, z);
            return if q.norm() > 1e-12 { UnitQuaternion::from_quaternion(q) } else { one };
        }
        if let Some([x, y, z, angle]) = self.list::<4>(e, "axisangle") {
            let axis = Unit::try_new(Vector3::new(x, y, z), 1e-12);
            return axis.map_or(one, |a| UnitQuaternion::from_axis_angle(&a, self.angle(angle)));
        }
        if let Some(angles) = self.list::<3>(e, "euler") {
            let mut q = one;
            for (c, x) in self.order.clone().chars().zip(angles) {
                let axis = match c.to_ascii_lowercase() {
                    'x' => Vector3::x_axis(),
                    'y' => Vector3::y_axis(),
                    _ => Vector3::z_axis(),
                };
                let turn = UnitQuaternion::from_axis_angle(&axis, self.angle(x));
                q = if c.is_ascii_lowercase() { q * turn } else { turn * q };
            }
            return q;
        }
        if let Some([a, b, c, d, f, g]) = self.list::<6>(e, "xyaxes") {
            let (x, y) = (Vector3::new(a, b, c), Vector3::new(d, f, g));
            let (Some(x), Some(z)) = (x.try_normalize(1e-12), x.cross(&y).try_normalize(1e-12)) else {
                return one;
            };
            let r = Rotation3::from_matrix_unchecked(Matrix3::from_columns(&[x, z.cross(&x), z]));
            return UnitQuaternion::from_rotation_matrix(&r);
        }
        if let Some(z) = self.list::<3>(e, "zaxis") {
            return along(&Vector3::from(z)).unwrap_or(one);
        }
        one
    }
}

/// The shortest rotation that turns z to a direction.
pub fn along(axis: &Vector3<f64>) -> Option<UnitQuaternion<f64>> {
    let z = axis.try_normalize(1e-12)?;
    let half = UnitQuaternion::from_axis_angle(&Vector3::x_axis(), std::f64::consts::PI);
    Some(UnitQuaternion::rotation_between(&Vector3::z(), &z).unwrap_or(half))
}
