//! Common parts of the analyses: reading a model, values of a parameter, files of numbers and pictures.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::Path;

use precess::Error;
use precess::analysis::of_model::build_moving;
use precess::analysis::{AnalysisError, Frame};
use precess::formulation::Formulation;
use precess::model::expression::units;
use precess::model::files::read_text;
use precess::model::{Built, Document, Files, Loaded, load_with};
use precess::study::points::{AllowedValues, Value};
use precess::study::sweep::Variation;
use precess_view::plot::{Figure, html, png, svg};

use crate::args;
use crate::output::{Stop, message, wrong};

/// Pixels of a PNG for each pixel of the SVG.
const DENSITY: f64 = 2.0;

/// Name and text of a model file.
pub fn read(file: &Path) -> Result<(String, String), Stop> {
    let path = file.display().to_string();
    match read_text(file) {
        Ok(text) => Ok((path, text)),
        Err(e) => Err(wrong(format!(
            "cannot read {path}: {e}\n  help: give a model file; precess models lists those in models/"
        ))),
    }
}

/// The files that a model may read.
pub fn files(model: &Path, allow_outside: bool) -> Files {
    let path = model.display().to_string();
    if allow_outside { Files::anywhere(&path) } else { Files::next_to(&path) }
}

/// Coordinates of an analysis by name.
pub fn formulation(name: &str) -> Result<Formulation, Stop> {
    match name {
        "r3so3" => Ok(Formulation::R3SO3),
        "se3" => Ok(Formulation::SE3),
        other => Err(wrong(Error::unknown_name("formulation", other, ["r3so3", "se3"]))),
    }
}

/// A model file that is read once per value of a parameter.
pub struct Reader<'a> {
    subject: &'a args::Subject,
    path: String,
    text: String,
    formulation: Formulation,
}

impl<'a> Reader<'a> {
    /// Reads the file.
    pub fn new(subject: &'a args::Subject) -> Result<Self, Stop> {
        let (path, text) = read(&subject.model)?;
        let formulation = formulation(&subject.formulation)?;
        Ok(Reader { subject, path, text, formulation })
    }

    /// Name and text of the file.
    pub fn file(&self) -> (&str, &str) {
        (&self.path, &self.text)
    }

    /// The files that the model may read.
    pub fn files(&self) -> Files {
        files(&self.subject.model, self.subject.allow_outside)
    }

    /// Coordinates of the analysis.
    pub fn formulation(&self) -> Formulation {
        self.formulation
    }

    /// The model with further overrides.
    pub fn load(&self, more: &[String]) -> Result<Loaded, Stop> {
        let overrides = [self.subject.set.as_slice(), more].concat();
        load_with(&self.path, &self.text, &overrides, self.files()).map_err(wrong)
    }

    /// The equations of the model.
    pub fn build(&self, loaded: &Loaded) -> Result<Built, Stop> {
        build_moving(&loaded.model, self.formulation).map_err(wrong)
    }

    /// The equations at values of the parameter at this path of the file.
    pub fn source(&self, path: &str) -> impl Fn(f64) -> Result<Built, AnalysisError> {
        move |value| {
            let overrides = [self.subject.set.as_slice(), &[format!("{path}={value:e}")]].concat();
            let loaded = load_with(&self.path, &self.text, &overrides, self.files()).map_err(Error::from)?;
            Ok(build_moving(&loaded.model, self.formulation)?)
        }
    }

    /// Name, path in the file, and values of the varied parameter.
    pub fn variation(&self, text: &str) -> Result<(String, String, Vec<f64>), Stop> {
        let document = Document::parse_with(&self.path, &self.text, &self.subject.set, self.files());
        let v = Variation::parse(text, &document.file).map_err(wrong)?;
        let AllowedValues::List(list) = v.values else {
            return Err(wrong(format!(
                "'{text}' gives no list of values\n  help: write {}=0:100:21",
                v.name
            )));
        };
        let factor = units::parse(&v.unit).map_or(1.0, |unit| unit.to_si(1.0));
        let number = |value: &Value| match value {
            Value::Number(x) => Ok(x * factor),
            Value::Word(w) => Err(wrong(format!(
                "'{w}' is not a number\n  help: write {}=0:100:21 or {}=1,2,5",
                v.name, v.name
            ))),
        };
        let list = list.iter().map(number).collect::<Result<Vec<f64>, Stop>>()?;
        Ok((v.name, v.path, list))
    }
}

/// Ends an analysis without a result: exit code 1, or 2 if the input is wrong.
pub fn stop(e: AnalysisError) -> Stop {
    let code = match e {
        AnalysisError::Core(_)
        | AnalysisError::Coordinates
        | AnalysisError::Rolling { .. }
        | AnalysisError::Name(_) => 2,
        _ => 1,
    };
    Stop { code, ..wrong(e.with_help()) }
}

/// A frame by name.
pub fn frame(name: &str) -> Result<Frame, Stop> {
    match name {
        "floquet" => Err(wrong(
            "a Campbell diagram has no multipliers of a period\n  help: use precess modes MODEL --at steady \
             --frame floquet at single speeds",
        )),
        _ => name.parse().map_err(wrong),
    }
}

/// Refuses --time for rotations: they begin with the positions of the file.
pub fn refuse_time(subject: &args::SubjectAt) -> Result<(), Stop> {
    match subject.time == 0.0 {
        true => Ok(()),
        false => Err(wrong(
            "--time is for equilibria\n  help: leave it out: a rotation begins with the values of the file",
        )),
    }
}

/// Prints which parts of the model an analysis ignores.
pub fn notes(loaded: &Loaded, t: f64, rest: bool) {
    for note in precess::analysis::notes::notes(&loaded.model, t, rest) {
        message(&format!("note: {note}"));
    }
}

/// A picture as bytes.
pub fn render(figure: &Figure, kind: &str) -> Result<Vec<u8>, Stop> {
    Ok(match kind {
        "svg" => svg::render(figure).into_bytes(),
        "html" => html::render(figure).into_bytes(),
        _ => png::render(figure, DENSITY)
            .ok_or_else(|| wrong("the picture is too large for a PNG\n  help: use .svg"))?,
    })
}
