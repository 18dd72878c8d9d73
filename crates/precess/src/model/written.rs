//! Pieces of a model file that is written: tables of keys, vectors, matrices, formulas, tables of numbers. The
//! elements of a model use them to write themselves.

use nalgebra::{Matrix3, Matrix6, UnitQuaternion, Vector3};
use toml::{Table, Value};

use super::elements::{At, Of, SensorKind};
use crate::mechanics::Function;
use crate::mechanics::forces::ForceFrame;
use crate::mechanics::forces::table::{Interpolation, Tables};
use crate::mechanics::kernels::SpringDamper;

/// Keys in their order.
#[derive(Default)]
pub(super) struct WrittenTable(pub(super) Table);

impl WrittenTable {
    pub(super) fn named(name: &str) -> Self {
        WrittenTable::default().with("name", name)
    }

    pub(super) fn with(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.0.insert(key.to_string(), value.into());
        self
    }

    pub(super) fn with_if(self, condition: bool, key: &str, value: impl Into<Value>) -> Self {
        if condition { self.with(key, value) } else { self }
    }

    pub(super) fn bodies(self, bodies: &[String; 2]) -> Self {
        self.with("bodies", bodies.to_vec())
    }

    pub(super) fn at(self, at: &At) -> Self {
        let entry = self.with("joint", at.joint.as_str());
        match coordinate_word(at.of) {
            Some(word) => entry.with("of", word),
            None => entry,
        }
    }

    pub(super) fn frame(self, frame: ForceFrame) -> Self {
        self.with("frame", if frame == ForceFrame::Body { "body" } else { "inertial" })
    }

    pub(super) fn law(self, law: &SpringDamper, rest: &str) -> Self {
        self.with("stiffness", law.k).with("damping", law.c).with(rest, law.y0).with_if(
            law.f0 != 0.0,
            "preload",
            law.f0,
        )
    }
}

pub(super) fn coordinate_word(of: Of) -> Option<&'static str> {
    match of {
        Of::Default => None,
        Of::Angle => Some("angle"),
        Of::Displacement => Some("displacement"),
    }
}

pub(super) fn vector(x: &Vector3<f64>) -> Value {
    x.as_slice().to_vec().into()
}

pub(super) fn axis(frame: &Matrix3<f64>, i: usize) -> Value {
    vector(&frame.column(i).into_owned())
}

pub(super) fn quaternion(q: &UnitQuaternion<f64>) -> Value {
    vec![q.w, q.i, q.j, q.k].into()
}

pub(super) fn rows<const N: usize>(list: impl Iterator<Item = [f64; N]>) -> Value {
    list.map(|row| Value::from(row.to_vec())).collect::<Vec<_>>().into()
}

pub(super) fn matrix6(m: &Matrix6<f64>) -> Value {
    rows((0..6).map(|i| std::array::from_fn::<f64, 6, _>(|j| m[(i, j)])))
}

pub(super) fn matrix3(m: &Matrix3<f64>) -> Value {
    rows((0..3).map(|i| std::array::from_fn::<f64, 3, _>(|j| m[(i, j)])))
}

/// Writes everything that a file can express.
pub(super) struct Writer {
    /// Elements that a file cannot express.
    pub(super) without_words: Vec<String>,
    /// Sensors for force laws.
    pub(super) sensors: Vec<(SensorKind, String)>,
}

impl Writer {
    /// A writer of a model with these sensors.
    pub(super) fn new(sensors: Vec<(SensorKind, String)>) -> Self {
        Writer { without_words: Vec::new(), sensors }
    }

    /// A number or the text of a formula.
    pub(super) fn function(&mut self, f: &Function, whose: &str) -> Value {
        match f {
            Function::Constant(x) => (*x).into(),
            Function::Custom(f) => match f.text() {
                Some(text) => text.into(),
                None => self.nothing(&format!("{} of {whose}", f.label())),
            },
            Function::Lanes(_) => self.nothing(&format!("several models side by side in {whose}")),
        }
    }

    pub(super) fn functions(&mut self, list: &[Function; 3], whose: &str) -> Value {
        list.iter().map(|f| self.function(f, whose)).collect::<Vec<_>>().into()
    }

    pub(super) fn nothing(&mut self, what: &str) -> Value {
        self.without_words.push(what.to_string());
        0.0.into()
    }

    /// A table of two columns with its interpolation.
    pub(super) fn table(&mut self, entry: WrittenTable, table: &Tables, c: f64, whose: &str) -> WrittenTable {
        let Some(table) = table.alone() else {
            self.nothing(whose);
            return entry;
        };
        let word = match table.interpolation() {
            Interpolation::Linear => "linear",
            Interpolation::MonotoneCubic => "monotone-cubic",
        };
        let entry = entry.with("table", rows(table.points().into_iter()));
        entry.with("interpolation", word).with("damping", c)
    }
}
