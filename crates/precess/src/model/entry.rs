//! Reads the types of a model file from a parsed TOML value.
//!
//! The toml crate can do this, too. This reader is our own because it also judges the length of every list: too
//! many or too few entries are an error with the key, the right length, and a hint at decimal commas.

use std::fmt::Display;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, Error as _, MapAccess, SeqAccess,
    Unexpected, VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use toml::Spanned;
use toml::de::{DeArray, DeFloat, DeInteger, DeString, DeValue};

/// What is wrong in a file, and where.
#[derive(Clone, Debug)]
pub(super) struct ReadError {
    message: String,
    span: Option<Range<usize>>,
    help: Option<String>,
    /// The lists around the value, from the innermost: their indices.
    indices: Vec<usize>,
    /// A list of wrong length, if this is the problem and the key is not known yet.
    list: Option<Box<WrongList>>,
}

/// A list with too many or too few entries.
#[derive(Clone, Debug)]
struct WrongList {
    /// The right length, if there is only one.
    wanted: Option<usize>,
    found: usize,
    /// If it has rows, one row that has another length than most, and its length.
    odd_row: Option<(usize, usize)>,
    /// True if its rows have different lengths.
    is_ragged: bool,
    /// True if it has numbers.
    numbers: bool,
    /// Two entries that may be one number with a decimal comma.
    halves: Option<[String; 2]>,
}

/// The length of a list in words.
fn has(key: &str, found: usize) -> String {
    format!("'{key}' has {found} {}", if found == 1 { "value" } else { "values" })
}

impl WrongList {
    fn new(wanted: Option<usize>, list: &DeArray) -> Self {
        // "-9,81" is read as the entries -9 and 81.
        let whole = |v: &Spanned<DeValue>| match v.get_ref() {
            DeValue::Integer(x) if x.radix() == 10 => Some(x.as_str().to_string()),
            _ => None,
        };
        let pair = |pair: &[Spanned<DeValue>]| match pair {
            [a, b] => Some([whole(a)?, whole(b).filter(|b| b.bytes().all(|c| c.is_ascii_digit()))?]),
            _ => None,
        };
        let rows = list.iter().map(|v| v.get_ref().as_array().map(|row| row.len()));
        let rows: Vec<usize> = rows.collect::<Option<_>>().unwrap_or_default();
        let times = |n: &usize| rows.iter().filter(|m| *m == n).count();
        // Long lists of rows are tables, whose rows have a fixed length.
        let few = rows.iter().copied().enumerate().take(10);
        let odd_row = few.min_by_key(|(_, n)| times(n)).filter(|_| wanted.is_none());
        let is_ragged = rows.iter().any(|n| Some(n) != rows.first());
        let too_long = |(_, n): &(usize, usize)| is_ragged || *n > list.len();
        let inner = odd_row.filter(too_long).and_then(|(i, _)| list.get(i)?.get_ref().as_array());
        let number = |v: &Spanned<DeValue>| matches!(v.get_ref(), DeValue::Integer(_) | DeValue::Float(_));
        WrongList {
            wanted,
            found: list.len(),
            odd_row,
            is_ragged,
            numbers: list.iter().any(number),
            halves: inner.unwrap_or(list).windows(2).filter_map(pair).max_by_key(|[_, b]| b.len()),
        }
    }

    /// The remedy for a list that is too long.
    fn help(&self) -> Option<String> {
        let one_more = self.wanted.map(|n| self.found == n + 1);
        match &self.halves {
            Some([a, b]) if one_more != Some(false) => {
                Some(format!("if {a},{b} is one number, write it with a decimal point: {a}.{b}"))
            }
            _ if one_more == Some(true) && self.numbers => {
                Some("numbers have a decimal point, not a comma".to_string())
            }
            _ => None,
        }
    }
}

impl ReadError {
    /// The message of the reader.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The place in the text.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// The remedy.
    pub fn help(&self) -> Option<&str> {
        self.help.as_deref()
    }

    /// The error of a list whose length is wrong.
    fn wrong_length(wanted: usize, list: &DeArray) -> Self {
        let number = ["no", "one", "two", "three", "four", "five", "six"].get(wanted);
        let number = number.map_or_else(|| wanted.to_string(), |word| word.to_string());
        let example = if wanted == 3 { ", such as [0, 0, 1]" } else { "" };
        let mut e = ReadError::custom(format!("expected a list of {number} values{example}"));
        e.list = Some(Box::new(WrongList::new(Some(wanted), list)));
        e
    }

    /// Adds the place, unless a more precise one is known.
    fn at(mut self, span: Range<usize>) -> Self {
        self.span.get_or_insert(span);
        self
    }

    /// Adds the key to the message about a list of wrong length.
    fn named(mut self, key: &str, value: &DeValue) -> Self {
        if let Some(list) = self.list.take() {
            let indices: String = self.indices.iter().rev().map(|i| format!("[{i}]")).collect();
            self.tell(&format!("{key}{indices}"), &list);
        } else if self.span.is_none() && self.indices.is_empty() {
            // A type with several forms does not say what is wrong with the nearest one.
            self.tell_all(key, value);
        }
        self
    }

    /// Adds the lengths of all lists in a value.
    fn tell_all(&mut self, key: &str, value: &DeValue) {
        match value {
            DeValue::Array(list) => self.tell(key, &WrongList::new(None, list)),
            DeValue::Table(table) => {
                table.iter().for_each(|(key, value)| self.tell_all(key.get_ref(), value.get_ref()));
            }
            _ => {}
        }
    }

    fn tell(&mut self, key: &str, list: &WrongList) {
        self.message += &match list.odd_row {
            Some((i, found)) if list.is_ragged => format!("; {}", has(&format!("{key}[{i}]"), found)),
            Some((i, found)) => format!("; {}, {}", has(key, list.found), has(&format!("{key}[{i}]"), found)),
            None => format!("; {}", has(key, list.found)),
        };
        // Lists of two or three may also be points and pairs that lack an entry.
        let certain =
            list.wanted.is_some() || list.found > 3 || self.message.starts_with("expected a number");
        let ragged = list.odd_row.is_some();
        self.help = self.help.take().or_else(|| list.help().filter(|_| certain || ragged));
    }
}

impl From<&toml::de::Error> for ReadError {
    fn from(e: &toml::de::Error) -> Self {
        ReadError { span: e.span(), ..ReadError::custom(e.message()) }
    }
}

impl Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl serde::de::Error for ReadError {
    fn custom<T: Display>(message: T) -> Self {
        let message = message.to_string();
        ReadError { message, span: None, help: None, indices: Vec::new(), list: None }
    }
}

/// Reads a value.
pub(super) fn read<T: DeserializeOwned>(value: &Spanned<DeValue>) -> Result<T, ReadError> {
    T::deserialize(Entry(value)).map_err(|e| e.at(value.span()))
}

/// The value of an integer; none if it is too large.
fn integer(x: &DeInteger) -> Option<i64> {
    i64::from_str_radix(x.as_str(), x.radix()).ok()
}

/// The value of a number; none if it is too large.
fn float(x: &DeFloat) -> Option<f64> {
    let value: f64 = x.as_str().parse().ok()?;
    (!value.is_infinite() || x.as_str().contains("inf")).then_some(value)
}

/// A value of a file.
#[derive(Clone, Copy)]
struct Entry<'de>(&'de Spanned<DeValue<'de>>);

impl Entry<'_> {
    /// The error for a value of another type than the wanted one.
    #[cold]
    fn unexpected(self, wanted: &dyn serde::de::Expected) -> ReadError {
        let found = match self.0.get_ref() {
            DeValue::String(x) => Unexpected::Str(x),
            DeValue::Integer(x) => integer(x).map_or(Unexpected::Other("large integer"), Unexpected::Signed),
            DeValue::Float(x) => float(x).map_or(Unexpected::Other("large number"), Unexpected::Float),
            DeValue::Boolean(x) => Unexpected::Bool(*x),
            DeValue::Datetime(_) => Unexpected::Other("date"),
            DeValue::Array(_) => Unexpected::Seq,
            DeValue::Table(_) => Unexpected::Map,
        };
        ReadError::invalid_type(found, wanted)
    }
}

impl<'de> Deserializer<'de> for Entry<'de> {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.get_ref() {
            DeValue::String(x) => visitor.visit_str(x),
            DeValue::Integer(x) => match integer(x) {
                Some(x) => visitor.visit_i64(x),
                None => Err(ReadError::custom("the integer is too large: write it with a decimal point")),
            },
            DeValue::Float(x) => match float(x) {
                Some(x) => visitor.visit_f64(x),
                None => Err(ReadError::custom("the number is too large")),
            },
            DeValue::Boolean(x) => visitor.visit_bool(*x),
            // No entry is a date. Types that try several readers then give their own message.
            DeValue::Datetime(_) => visitor.visit_unit(),
            DeValue::Array(_) => self.deserialize_seq(visitor),
            DeValue::Table(_) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.get_ref() {
            DeValue::Array(list) => visitor.visit_seq(Items(list.iter().enumerate())),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    /// The one reader of all lists of fixed length.
    fn deserialize_tuple<V: Visitor<'de>>(self, n: usize, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.get_ref() {
            DeValue::Array(list) if list.len() != n => Err(ReadError::wrong_length(n, list)),
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.get_ref() {
            DeValue::Table(table) => {
                visitor.visit_map(Entries { rest: &mut table.iter(), key: None, value: None })
            }
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match self.0.get_ref() {
            DeValue::Table(_) => self.deserialize_map(visitor),
            _ => Err(self.unexpected(&"a table, such as { key = value }")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.0.get_ref() {
            DeValue::String(x) => visitor.visit_str(x),
            _ => Err(self.unexpected(&visitor)),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_enum(NamedVariant(self.0))
    }

    forward_to_deserialize_any! {
        bool u8 u16 u32 u64 u128 i8 i16 i32 i64 i128 f32 f64 char bytes byte_buf unit ignored_any unit_struct
        tuple_struct identifier
    }
}

/// The elements of a list.
struct Items<'de>(std::iter::Enumerate<std::slice::Iter<'de, Spanned<DeValue<'de>>>>);

impl<'de> SeqAccess<'de> for Items<'de> {
    type Error = ReadError;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, ReadError> {
        let Some((i, item)) = self.0.next() else { return Ok(None) };
        seed.deserialize(Entry(item)).map(Some).map_err(|mut e| {
            if let (None, None, DeValue::Array(list)) = (&e.span, &e.list, item.get_ref()) {
                e.list = Some(Box::new(WrongList::new(None, list)));
            }
            e.indices.push(i);
            e.at(item.span())
        })
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// A key of a table and its value.
type KeyValue<'de> = (&'de Spanned<DeString<'de>>, &'de Spanned<DeValue<'de>>);

/// The entries of a table.
struct Entries<'a, 'de> {
    rest: &'a mut dyn Iterator<Item = KeyValue<'de>>,
    /// The last key and its value.
    key: Option<&'de str>,
    value: Option<&'de Spanned<DeValue<'de>>>,
}

impl<'de> MapAccess<'de> for Entries<'_, 'de> {
    type Error = ReadError;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, ReadError> {
        let Some((key, value)) = self.rest.next() else { return Ok(None) };
        (self.key, self.value) = (Some(&**key.get_ref()), Some(value));
        seed.deserialize(StrDeserializer::new(key.get_ref()))
            .map(Some)
            .map_err(|e: ReadError| e.at(key.span()))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, ReadError> {
        let Some(value) = self.value.take() else { return Err(ReadError::custom("a value is missing")) };
        let key = self.key.unwrap_or("");
        seed.deserialize(Entry(value)).map_err(|e| e.named(key, value.get_ref()).at(value.span()))
    }
}

/// A variant: its name, or a table with its name and its content.
struct NamedVariant<'de>(&'de Spanned<DeValue<'de>>);

impl<'de> EnumAccess<'de> for NamedVariant<'de> {
    type Error = ReadError;
    type Variant = VariantContent<'de>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, VariantContent<'de>), ReadError> {
        let (name, span, content) = match self.0.get_ref() {
            DeValue::String(name) => (name, self.0.span(), None),
            DeValue::Table(table) => match (table.iter().next(), table.len()) {
                (Some((key, content)), 1) => (key.get_ref(), key.span(), Some(content)),
                (_, n) => {
                    let message = format!("wanted exactly 1 element, found {n} elements");
                    return Err(ReadError::custom(message).at(self.0.span()));
                }
            },
            _ => return Err(ReadError::custom("wanted string or table").at(self.0.span())),
        };
        let variant = seed.deserialize(StrDeserializer::new(name)).map_err(|e: ReadError| e.at(span))?;
        Ok((variant, VariantContent(content)))
    }
}

/// The content of a variant; none if only its name is given.
struct VariantContent<'de>(Option<&'de Spanned<DeValue<'de>>>);

impl<'de> VariantContent<'de> {
    fn entry(self, wanted: &'static str) -> Result<Entry<'de>, ReadError> {
        match self.0 {
            Some(value) => Ok(Entry(value)),
            None => Err(ReadError::invalid_type(Unexpected::UnitVariant, &wanted)),
        }
    }
}

impl<'de> VariantAccess<'de> for VariantContent<'de> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.0.map(|value| (value.get_ref(), value.span())) {
            None => Ok(()),
            Some((DeValue::Array(list), _)) if list.is_empty() => Ok(()),
            Some((DeValue::Table(table), _)) if table.is_empty() => Ok(()),
            Some((_, span)) => Err(ReadError::custom("expected a name only").at(span)),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, ReadError> {
        let entry = self.entry("newtype variant")?;
        seed.deserialize(entry).map_err(|e| e.at(entry.0.span()))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        let entry = self.entry("tuple variant")?;
        entry.deserialize_seq(visitor).map_err(|e| e.at(entry.0.span()))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let entry = self.entry("struct variant")?;
        entry.deserialize_map(visitor).map_err(|e| e.at(entry.0.span()))
    }
}
