//! The named arrays of a modal body, read from JSON or a numpy archive ([`modal_npz`](super::modal_npz)).

use std::collections::BTreeMap;
use std::fmt;

use nalgebra::{DMatrix, Matrix3, Vector3};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};

/// Numbers with a shape. A number has the shape `[]`, a list of n vectors `[n, 3]`. The last index changes
/// fastest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Array {
    pub shape: Vec<usize>,
    pub numbers: Vec<f64>,
}

impl Array {
    /// The parts of an array whose shape ends with `inner`, in one list. N is the size of a part.
    fn parts<const N: usize>(&self, what: &str, inner: &[usize]) -> Result<Vec<[f64; N]>, String> {
        if !self.shape.ends_with(inner) && !self.numbers.is_empty() {
            return Err(format!("{what} has the shape {:?}, which must end with {inner:?}", self.shape));
        }
        Ok(self.numbers.chunks_exact(N).filter_map(|c| <[f64; N]>::try_from(c).ok()).collect())
    }

    /// All vectors of an array of the shape [.., 3].
    pub fn vectors(&self, what: &str) -> Result<Vec<Vector3<f64>>, String> {
        Ok(self.parts(what, &[3])?.into_iter().map(<[f64; 3]>::into).collect())
    }

    /// All matrices of an array of the shape [.., 3, 3].
    pub fn matrices(&self, what: &str) -> Result<Vec<Matrix3<f64>>, String> {
        Ok(self.parts::<9>(what, &[3, 3])?.iter().map(|m| Matrix3::from_row_slice(m)).collect())
    }

    /// The only vector.
    pub fn vector(&self, what: &str) -> Result<Vector3<f64>, String> {
        match self.vectors(what)?.as_slice() {
            [vector] => Ok(*vector),
            _ => Err(format!("{what} must be one vector [x, y, z]")),
        }
    }

    /// The numbers of a plain list.
    pub fn list(self, what: &str) -> Result<Vec<f64>, String> {
        if self.shape.len() == 1 {
            Ok(self.numbers)
        } else {
            Err(format!("{what} must be a list of numbers"))
        }
    }

    /// The only number.
    pub fn number(&self, what: &str) -> Result<f64, String> {
        match self.numbers.as_slice() {
            [number] => Ok(*number),
            _ => Err(format!("{what} must be a number")),
        }
    }

    /// The only number, as an index that counts from 0.
    pub fn index(&self, what: &str) -> Result<usize, String> {
        let x = self.number(what)?;
        match (0.0..=1e15).contains(&x) && x.fract() == 0.0 {
            true => Ok(x as usize),
            false => Err(format!("{what} must be a whole number from 0, it is {x}")),
        }
    }

    /// A matrix of the modes, by rows or as its diagonal.
    pub fn matrix(&self, what: &str, modes: usize) -> Result<DMatrix<f64>, String> {
        let wrong = |found: String| format!("{what} has {found}, the body has {modes} modes");
        let matrix = match self.shape.as_slice() {
            [n] if *n == modes => DMatrix::from_diagonal(&self.numbers.clone().into()),
            [rows, columns] if *rows == modes && *columns == modes => {
                DMatrix::from_row_slice(modes, modes, &self.numbers)
            }
            [n] => return Err(wrong(format!("{n} entries"))),
            [rows, columns] => return Err(wrong(format!("{rows} rows with {columns} entries"))),
            other => return Err(wrong(format!("the shape {other:?}"))),
        };
        match matrix.iter().all(|x| x.is_finite()) {
            true => Ok(matrix),
            false => Err(format!("{what} has an entry that is not finite")),
        }
    }
}

/// Arrays by name: `a.b` is the array `b` inside `a`, `a.0` is the first element of the list `a`.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrays(pub BTreeMap<String, Array>);

impl Arrays {
    /// Reads JSON. Texts with the name `comment` are skipped.
    pub(crate) fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let root: JsonEntry = serde_json::from_slice(bytes).map_err(|e| e.to_string())?;
        let mut arrays = Arrays::default();
        match root {
            JsonEntry::Group(group) => arrays.add_group("", group)?,
            _ => return Err("the file must be an object: { \"nodes\": .., \"modes\": .. }".to_string()),
        }
        Ok(arrays)
    }

    fn add_group(&mut self, inside: &str, group: BTreeMap<String, JsonEntry>) -> Result<(), String> {
        for (key, entry) in group {
            let name = if inside.is_empty() { key } else { format!("{inside}.{key}") };
            match entry {
                JsonEntry::Group(group) => self.add_group(&name, group)?,
                JsonEntry::Array(array) => drop(self.0.insert(name, array)),
                JsonEntry::Number(x) => {
                    self.0.insert(name, Array { shape: Vec::new(), numbers: vec![x] });
                }
                JsonEntry::Text if name != "comment" => return Err(format!("{name} is a text, not numbers")),
                JsonEntry::Text | JsonEntry::Nothing => {}
            }
        }
        Ok(())
    }

    /// Removes an array.
    pub fn take(&mut self, name: &str) -> Option<Array> {
        self.0.remove(name)
    }

    /// Removes an array that must be there.
    pub fn need(&mut self, name: &str) -> Result<Array, String> {
        self.take(name).ok_or_else(|| format!("'{name}' is missing"))
    }

    /// Removes the arrays inside `group`, with their names there.
    pub(crate) fn take_group(&mut self, group: &str) -> Arrays {
        let prefix = format!("{group}.");
        let inside = self.0.range(prefix.clone()..).take_while(|(name, _)| name.starts_with(&prefix));
        let names: Vec<String> = inside.map(|(name, _)| name.clone()).collect();
        let entries = names.into_iter().filter_map(|name| {
            let array = self.0.remove(&name)?;
            Some((name.strip_prefix(&prefix)?.to_string(), array))
        });
        Arrays(entries.collect())
    }

    /// Removes the elements of the list `group`.
    pub(crate) fn take_list(&mut self, group: &str) -> Vec<Arrays> {
        let empty = self.0.get(group).is_some_and(|array| array.numbers.is_empty());
        if empty {
            self.0.remove(group);
        }
        let elements = (0..).map(|i| self.take_group(&format!("{group}.{i}")));
        elements.take_while(|element| !element.0.is_empty()).collect()
    }

    /// An error if arrays are left that nobody has removed.
    pub fn finish(&self, what: &'static str, known: &[&str]) -> Result<(), String> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                let key = name.split('.').next().unwrap_or(name);
                if known.contains(&key) {
                    return Err(format!("{what} '{key}' is not written as it must be (at {name})"));
                }
                Err(crate::Error::unknown_name(what, key, known.iter().copied()).to_string())
            }
        }
    }
}

/// A value of a JSON file.
enum JsonEntry {
    Number(f64),
    Array(Array),
    /// An object, or a list of objects with the keys 0, 1, ..
    Group(BTreeMap<String, JsonEntry>),
    Text,
    Nothing,
}

impl<'de> Deserialize<'de> for JsonEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(EntryVisitor)
    }
}

struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = JsonEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbers, lists of numbers, or an object of them")
    }

    fn visit_f64<E>(self, x: f64) -> Result<JsonEntry, E> {
        Ok(JsonEntry::Number(x))
    }

    fn visit_i64<E>(self, x: i64) -> Result<JsonEntry, E> {
        Ok(JsonEntry::Number(x as f64))
    }

    fn visit_u64<E>(self, x: u64) -> Result<JsonEntry, E> {
        Ok(JsonEntry::Number(x as f64))
    }

    fn visit_str<E>(self, _: &str) -> Result<JsonEntry, E> {
        Ok(JsonEntry::Text)
    }

    fn visit_unit<E>(self) -> Result<JsonEntry, E> {
        Ok(JsonEntry::Nothing)
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut list: S) -> Result<JsonEntry, S::Error> {
        let (mut all, mut inner, mut count) = (Array::default(), None, 0);
        let mut group = BTreeMap::new();
        while let Some(entry) = list.next_element::<JsonEntry>()? {
            let (shape, numbers) = match entry {
                JsonEntry::Number(x) => {
                    all.numbers.push(x);
                    (Vec::new(), Vec::new())
                }
                JsonEntry::Array(array) => (array.shape, array.numbers),
                JsonEntry::Group(_) => {
                    group.insert(count.to_string(), entry);
                    (vec![0], Vec::new())
                }
                JsonEntry::Text | JsonEntry::Nothing => {
                    return Err(S::Error::custom("a list has numbers only"));
                }
            };
            count += 1;
            all.numbers.extend(numbers);
            if *inner.get_or_insert_with(|| shape.clone()) != shape {
                return Err(S::Error::custom("lists inside of a list have different lengths"));
            }
        }
        if !group.is_empty() {
            return match group.len() == count {
                true => Ok(JsonEntry::Group(group)),
                false => Err(S::Error::custom("a list has objects and numbers")),
            };
        }
        all.shape = std::iter::once(count).chain(inner.unwrap_or_default()).collect();
        Ok(JsonEntry::Array(all))
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<JsonEntry, M::Error> {
        let mut group = BTreeMap::new();
        while let Some((key, entry)) = map.next_entry::<String, JsonEntry>()? {
            if group.insert(key.clone(), entry).is_some() {
                return Err(M::Error::custom(format!("duplicate field `{key}`")));
            }
        }
        Ok(JsonEntry::Group(group))
    }
}
