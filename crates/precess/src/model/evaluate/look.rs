//! `look` of a `[[body]]`: solids for pictures.

use nalgebra::{UnitQuaternion, Vector3};

use super::Evaluator;
use crate::model::file::AxisName;
use crate::model::file_look::{LookBlock, LookType};
use crate::model::spec::{Model, SolidForm, SolidSpec};

/// A unit vector along a coordinate axis.
pub(super) fn along(axis: Option<AxisName>) -> Vector3<f64> {
    match axis.unwrap_or_default() {
        AxisName::X => Vector3::x(),
        AxisName::Y => Vector3::y(),
        AxisName::Z => Vector3::z(),
    }
}

/// Red, green and blue of "#rrggbb".
fn colour(text: &str) -> Option<[u8; 3]> {
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii())?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [_, red, green, blue] = number.to_be_bytes();
    Some([red, green, blue])
}

impl Evaluator {
    /// A solid of a picture; `None` after a problem.
    pub(super) fn look(&mut self, path: &str, block: &LookBlock, model: &Model) -> Option<SolidSpec> {
        let used: &[&str] = match block.kind {
            LookType::Box => &["size"],
            LookType::Cylinder => &["radius", "length", "axis"],
            LookType::Sphere => &["radius"],
            LookType::Mesh => &["file", "scale"],
        };
        let given = [
            ("size", block.size.is_some()),
            ("radius", block.radius.is_some()),
            ("length", block.length.is_some()),
            ("axis", block.axis.is_some()),
            ("file", block.file.is_some()),
            ("scale", block.scale.is_some()),
        ];
        self.unused(path, "this kind of look", &given, used);
        let radius = self.positive_option(&format!("{path}.radius"), &block.radius);
        let length = self.positive_option(&format!("{path}.length"), &block.length);
        let scale = self.positive_option(&format!("{path}.scale"), &block.scale).unwrap_or(1.0);
        let size = block.size.as_ref().map(|s| self.vector(&format!("{path}.size"), s));
        if size.is_some_and(|s| s.iter().any(|x| *x <= 0.0)) {
            self.problem(&format!("{path}.size"), "the edges of a box are positive", "");
        }
        let form = match (block.kind, size, radius, length, &block.file) {
            (LookType::Box, Some(size), ..) => Some(SolidForm::Box(size)),
            (LookType::Cylinder, _, Some(radius), Some(length), _) => {
                Some(SolidForm::Cylinder { radius, length, axis: along(block.axis) })
            }
            (LookType::Sphere, _, Some(radius), ..) => Some(SolidForm::Sphere(radius)),
            (LookType::Mesh, .., Some(file)) => {
                Some(SolidForm::Mesh { file: self.files.path_from_model(file), scale })
            }
            _ => None,
        };
        if form.is_none() {
            self.problem(path, "the look is incomplete", &format!("it needs {}", used.join(", ")));
        }
        if let Some(file) = &block.file {
            self.printable(&format!("{path}.file"), file);
        }
        let colour = block.colour.as_deref().and_then(|text| {
            let found = colour(text);
            if found.is_none() {
                let message = format!("'{text}' is not a colour");
                self.problem(&format!("{path}.colour"), message, "write red, green and blue as \"#3b7dd8\"");
            }
            found
        });
        let at = block.at.as_ref().map_or(Vector3::zeros(), |p| self.vector(&format!("{path}.at"), p));
        let rotation = match &block.rotation {
            Some(r) => self.rotation(&format!("{path}.rotation"), r, model),
            None => UnitQuaternion::identity(),
        };
        Some(SolidSpec { form: form?, at, rotation, colour })
    }
}
