//! The state of a computation as bytes and back, so that it goes on as if it had never been interrupted.
//!
//! [`Persist::persist`] visits the fields of a value once, in one order, whether an [`Archive`] writes or
//! reads: what is written cannot differ from what is read. [`persist!`](crate::persist!) lists the fields of
//! a type, those that are kept and those that are given again by settings or by a start; a field in neither
//! list does not compile, so a new one is not forgotten.
//!
//! Reading changes values in place and never sizes: workspace and history get their sizes from a start with
//! the same model, and a length that differs is an error. Only what grows during a run is read with
//! [`Archive::growing`].
//!
//! What must hold for the values of a type is listed with its fields (`where`), and what holds between parts
//! is [`ensure`]ed by who owns both. Both are tested while writing too: what is refused later is not written
//! in the first place.

use nalgebra::Vector3;

/// Why bytes are not the state of this computation, or why there are none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// They end too early.
    #[error("it ends too early")]
    End,
    /// A length is not that of the model.
    #[error("it has {found} numbers where this model has {expected}")]
    Length {
        /// In the bytes.
        found: u64,
        /// In the model.
        expected: usize,
    },
    /// A value that nothing writes.
    #[error("it holds a value that is never written")]
    Value,
    /// A number of steps or the like above [`LARGEST_COUNT`].
    #[error("it counts {0} of something, more than a run can have")]
    Count(u64),
    /// Infinite or not a number.
    #[error("{0} has a number that is not finite")]
    NotFinite(&'static str),
    /// Parts that do not belong together.
    #[error("{0}")]
    Inconsistent(String),
    /// Bytes are left.
    #[error("{0} bytes are left at its end")]
    Rest(usize),
    /// Something does not know how to be kept.
    #[error("{0} cannot be kept in a checkpoint")]
    Unsupported(String),
}

/// Numbers of steps, iterations and the like are at most this: no sum of them overflows, and as floats they
/// are exact.
pub const LARGEST_COUNT: u64 = 1 << 53;

/// Refuses what does not hold.
pub fn ensure(holds: bool, reason: impl FnOnce() -> String) -> Result<(), Damage> {
    if holds { Ok(()) } else { Err(Damage::Inconsistent(reason())) }
}

/// Bytes that are being written or read.
#[derive(Debug)]
pub struct Archive<'a> {
    written: Vec<u8>,
    /// What is still to be read; none while writing.
    rest: Option<&'a [u8]>,
    /// A number that is not finite has passed.
    not_finite: bool,
}

impl<'a> Archive<'a> {
    /// An empty one to write to.
    pub fn writer() -> Self {
        Archive { written: Vec::new(), rest: None, not_finite: false }
    }

    /// One that reads these bytes.
    pub fn reader(bytes: &'a [u8]) -> Self {
        Archive { written: Vec::new(), rest: Some(bytes), not_finite: false }
    }

    /// True while reading.
    pub fn reads(&self) -> bool {
        self.rest.is_some()
    }

    /// What was written.
    pub fn into_bytes(self) -> Vec<u8> {
        self.written
    }

    /// Everything must have been read.
    pub fn finish(&self) -> Result<(), Damage> {
        match self.rest {
            Some(rest) if !rest.is_empty() => Err(Damage::Rest(rest.len())),
            _ => Ok(()),
        }
    }

    /// What `part` writes or reads must be finite numbers.
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

    /// The length of what follows; at least a byte for each of its parts must be there.
    pub(crate) fn length(&mut self, n: usize) -> Result<u64, Damage> {
        let mut n = n as u64;
        n.persist(self)?;
        match self.rest {
            Some(rest) if n > rest.len() as u64 => Err(Damage::End),
            _ => Ok(n),
        }
    }

    /// A list that had any length when it was written.
    pub fn growing<T: Persist + Default + Clone>(&mut self, list: &mut Vec<T>) -> Result<(), Damage> {
        self.growing_like(list, &T::default())
    }

    /// The same of parts that have the sizes of `like`.
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

    /// One or none, with the sizes of `like`.
    pub fn maybe_like<T: Persist + Clone>(&mut self, x: &mut Option<T>, like: &T) -> Result<(), Damage> {
        let mut list: Vec<T> = x.take().into_iter().collect();
        self.growing_like(&mut list, like)?;
        *x = list.pop();
        Ok(())
    }
}

/// What can be kept and taken up again.
pub trait Persist {
    /// Writes the fields to the archive, or reads them from it.
    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage>;
}

/// Kept fields of a type, those that settings or a start give again, and what must hold for them:
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

/// Bit by bit, NaN included.
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

/// A list whose length belongs to the model.
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

    /// Every prefix is refused, and so is another length.
    #[test]
    fn damage() {
        let bytes = written(&mut example());
        for n in 0..bytes.len() {
            let mut other = Example { list: vec![0.0; 3], ..Example::default() };
            assert!(other.persist(&mut Archive::reader(&bytes[..n])).is_err(), "{n}");
        }
        let e = Example::default().persist(&mut Archive::reader(&bytes)).unwrap_err();
        assert_eq!(e, Damage::Length { found: 3, expected: 0 });
        // A length that is not there needs no memory.
        let mut list: Vec<f64> = Vec::new();
        let e = Archive::reader(&u64::MAX.to_le_bytes()).growing(&mut list).unwrap_err();
        assert_eq!(e, Damage::End);
    }
}
