//! Saves the state of a computation as bytes and restores it, so that it continues as if never interrupted.
//!
//! [`Persist::persist`] visits the fields of a value in one order, for writing and for reading. So both
//! always match. [`persist!`](crate::persist!) lists the fields of a type: the saved ones, and the ones that
//! come from settings or from a start. If a field is in neither list, the code does not compile. So no new
//! field is forgotten.
//!
//! Reading changes values in place and never their sizes. Workspace and history get their sizes from a start
//! with the same model, and a different length is an error. Only lists that grow during a run are read with
//! [`Archive::growing`].
//!
//! Conditions on the values of a type are listed with its fields (`where`). The owner of two parts checks
//! conditions between them with [`ensure`]. All conditions are also tested when writing, so nothing is
//! written that would be refused later.

use nalgebra::Vector3;

/// Why bytes cannot be restored, or why a state cannot be saved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// The bytes end too early.
    #[error("it ends too early")]
    End,
    /// A length differs from the model.
    #[error("it has {found} numbers where this model has {expected}")]
    Length {
        /// Length in the bytes.
        found: u64,
        /// Length in the model.
        expected: usize,
    },
    /// An impossible value.
    #[error("it contains an impossible value")]
    Value,
    /// A count above [`LARGEST_COUNT`].
    #[error("it contains the count {0}, more than a run can have")]
    Count(u64),
    /// A number is infinite or NaN.
    #[error("{0} has a number that is not finite")]
    NotFinite(&'static str),
    /// Parts that do not belong together.
    #[error("{0}")]
    Inconsistent(String),
    /// Bytes remain after the end.
    #[error("{0} bytes are left at its end")]
    Rest(usize),
    /// A part cannot be saved.
    #[error("{0} cannot be kept in a checkpoint")]
    Unsupported(String),
}

/// Largest count of steps, iterations and so on: sums of them do not overflow and are exact as floats.
pub const LARGEST_COUNT: u64 = 1 << 53;

/// An error if a condition does not hold.
pub fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), Damage> {
    if holds { Ok(()) } else { Err(Damage::Inconsistent(reason())) }
}

/// Bytes being written or read.
#[derive(Debug)]
pub struct Archive<'a> {
    written: Vec<u8>,
    /// Bytes still to be read; none while writing.
    rest: Option<&'a [u8]>,
    /// True if a number was not finite.
    not_finite: bool,
}

impl<'a> Archive<'a> {
    /// An empty archive for writing.
    pub fn writer() -> Self {
        Archive { written: Vec::new(), rest: None, not_finite: false }
    }

    /// An archive that reads these bytes.
    pub fn reader(bytes: &'a [u8]) -> Self {
        Archive { written: Vec::new(), rest: Some(bytes), not_finite: false }
    }

    /// True while reading.
    pub fn reads(&self) -> bool {
        self.rest.is_some()
    }

    /// The bytes written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.written
    }

    /// Checks that everything was read.
    pub fn finish(&self) -> Result<(), Damage> {
        match self.rest {
            Some(rest) if !rest.is_empty() => Err(Damage::Rest(rest.len())),
            _ => Ok(()),
        }
    }

    /// Requires that all numbers of `part` are finite.
    pub fn finite(
        &mut self,
        what: &'static str,
        part: impl FnOnce(&mut Self) -> Result<(), Damage>,
    ) -> Result<(), Damage> {
        let before = std::mem::take(&mut self.not_finite);
        part(self)?;
        match std::mem::replace(&mut self.not_finite, before) {
            true => Err(Damage::NotFinite(what)),
            false => Ok(()),
        }
    }

    /// A few bytes.
    pub fn bytes(&mut self, x: &mut [u8]) -> Result<(), Damage> {
        match &mut self.rest {
            None => self.written.extend_from_slice(x),
            Some(rest) => {
                let (now, later) = rest.split_at_checked(x.len()).ok_or(Damage::End)?;
                x.copy_from_slice(now);
                *rest = later;
            }
        }
        Ok(())
    }

    /// The length of the following list. At least one byte per entry must remain.
    pub(crate) fn length(&mut self, n: usize) -> Result<u64, Damage> {
        let mut n = n as u64;
        n.persist(self)?;
        match self.rest {
            Some(rest) if n > rest.len() as u64 => Err(Damage::End),
            _ => Ok(n),
        }
    }

    /// A list of any length.
    pub fn growing<T: Persist + Default + Clone>(&mut self, list: &mut Vec<T>) -> Result<(), Damage> {
        self.growing_like(list, &T::default())
    }

    /// A list of any length whose entries have the sizes of `like`.
    pub fn growing_like<T: Persist + Clone>(&mut self, list: &mut Vec<T>, like: &T) -> Result<(), Damage> {
        let n = self.length(list.len())?;
        if self.reads() {
            list.clear();
            for _ in 0..n {
                let mut x = like.clone();
                x.persist(self)?;
                list.push(x);
            }
            return Ok(());
        }
        list.iter_mut().try_for_each(|x| x.persist(self))
    }

    /// An optional value with the sizes of `like`.
    pub(crate) fn maybe_like<T: Persist + Clone>(
        &mut self,
        x: &mut Option<T>,
        like: &T,
    ) -> Result<(), Damage> {
        let mut list: Vec<T> = x.take().into_iter().collect();
        self.growing_like(&mut list, like)?;
        *x = list.pop();
        Ok(())
    }
}

/// Values that can be saved and restored.
pub trait Persist {
    /// Writes the fields to the archive, or reads them from it.
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage>;
}

/// Lists the saved fields of a type, the fields that settings or a start provide, and their conditions:
/// `persist!(Type { a, b } given { c } where |x| { x.a < x.c => "a is too large" })`.
#[macro_export]
macro_rules! persist {
    (
        $type:ident { $($kept:ident),* $(,)? } $(given { $($given:ident),* $(,)? })?
        $(where |$x:ident| { $($holds:expr_2021 => $reason:literal),* $(,)? })?
    ) => {
        impl $crate::persist::Persist for $type {
            fn persist(
                &mut self,
                archive: &mut $crate::persist::Archive,
            ) -> Result<(), $crate::persist::Damage> {
                let $type { $($kept,)* $($($given: _,)*)? } = self;
                $($crate::persist::Persist::persist($kept, archive)?;)*
                $(
                    let $x = &*self;
                    $($crate::persist::ensure($holds, || $reason.to_string())?;)*
                )?
                Ok(())
            }
        }
    };
}

macro_rules! numbers {
    ($($type:ty),*) => {$(
        impl Persist for $type {
            fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
                let mut bytes = self.to_le_bytes();
                archive.bytes(&mut bytes)?;
                *self = <$type>::from_le_bytes(bytes);
                Ok(())
            }
        }
    )*};
}

numbers!(u8, u32, u64);

/// Bitwise, including NaN.
impl Persist for f64 {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let mut bits = self.to_bits();
        bits.persist(archive)?;
        *self = f64::from_bits(bits);
        archive.not_finite |= !self.is_finite();
        Ok(())
    }
}

impl Persist for usize {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let mut x = *self as u64;
        x.persist(archive)?;
        *self = usize::try_from(x).ok().filter(|_| x <= LARGEST_COUNT).ok_or(Damage::Count(x))?;
        Ok(())
    }
}

impl Persist for bool {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let mut x = u8::from(*self);
        x.persist(archive)?;
        *self = match x {
            0 => false,
            1 => true,
            _ => return Err(Damage::Value),
        };
        Ok(())
    }
}

impl Persist for String {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let n = archive.length(self.len())?;
        let mut bytes = if archive.reads() { vec![0; n as usize] } else { self.as_bytes().to_vec() };
        archive.bytes(&mut bytes)?;
        if archive.reads() {
            *self = String::from_utf8(bytes).map_err(|_| Damage::Value)?;
        }
        Ok(())
    }
}

impl<T: Persist + Default> Persist for Option<T> {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let mut some = self.is_some();
        some.persist(archive)?;
        match (some, archive.reads()) {
            (false, true) => *self = None,
            (true, true) => self.get_or_insert_default().persist(archive)?,
            (_, false) => self.iter_mut().try_for_each(|x| x.persist(archive))?,
        }
        Ok(())
    }
}

/// A list whose length is given by the model.
impl<T: Persist> Persist for Vec<T> {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let found = archive.length(self.len())?;
        if found != self.len() as u64 {
            return Err(Damage::Length { found, expected: self.len() });
        }
        self.iter_mut().try_for_each(|x| x.persist(archive))
    }
}

impl<T: Persist, const N: usize> Persist for [T; N] {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.iter_mut().try_for_each(|x| x.persist(archive))
    }
}

impl<A: Persist, B: Persist> Persist for (A, B) {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.0.persist(archive)?;
        self.1.persist(archive)
    }
}

impl<T: Persist + ?Sized> Persist for Box<T> {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        (**self).persist(archive)
    }
}

impl<T: Persist + ?Sized> Persist for &mut T {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        (**self).persist(archive)
    }
}

impl Persist for Vector3<f64> {
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        self.iter_mut().try_for_each(|x| x.persist(archive))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, Default, PartialEq)]
    struct Example {
        x: f64,
        list: Vec<f64>,
        name: String,
        maybe: Option<(usize, bool)>,
        workspace: Vec<f64>,
    }
    persist!(Example { x, list, name, maybe } given { workspace });

    fn written(x: &mut Example) -> Vec<u8> {
        let mut archive = Archive::writer();
        x.persist(&mut archive).unwrap();
        archive.into_bytes()
    }

    fn example() -> Example {
        Example {
            x: f64::from_bits(0x7ff8_0000_0000_1234),
            list: vec![-0.0, 1e-310, f64::INFINITY],
            name: "Brüls".to_string(),
            maybe: Some((7, true)),
            workspace: vec![1.0],
        }
    }

    #[test]
    fn there_and_back() {
        let bytes = written(&mut example());
        let mut other = Example { list: vec![0.0; 3], ..Example::default() };
        let mut archive = Archive::reader(&bytes);
        other.persist(&mut archive).unwrap();
        archive.finish().unwrap();
        assert_eq!(other.x.to_bits(), 0x7ff8_0000_0000_1234);
        assert_eq!(
            other.list.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
            example().list.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        );
        assert_eq!(
            (other.name, other.maybe, other.workspace),
            ("Brüls".to_string(), Some((7, true)), vec![])
        );
    }

    /// Every prefix is refused, and so is a wrong length.
    #[test]
    fn damage() {
        let bytes = written(&mut example());
        for n in 0..bytes.len() {
            let mut other = Example { list: vec![0.0; 3], ..Example::default() };
            assert!(other.persist(&mut Archive::reader(&bytes[..n])).is_err(), "{n}");
        }
        let e = Example::default().persist(&mut Archive::reader(&bytes)).unwrap_err();
        assert_eq!(e, Damage::Length { found: 3, expected: 0 });
        // A wrong length allocates no memory.
        let mut list: Vec<f64> = Vec::new();
        let e = Archive::reader(&u64::MAX.to_le_bytes()).growing(&mut list).unwrap_err();
        assert_eq!(e, Damage::End);
    }
}
