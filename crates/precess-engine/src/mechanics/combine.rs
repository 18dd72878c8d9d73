//! Combines models that differ only in their numbers into one whose numbers are lanes, structural nonzeros or
//! duals. Every type of the physics lists its fields once.
//!
//! Each model is first written as a plain list of numbers, with code that does not depend on the new kind of
//! number. Then the first model is copied, and each of its numbers is replaced by the combined one. So the
//! code that is compiled for every kind of number is small.

use std::ops::Range;

use nalgebra::SMatrix;
use precess_lie::Number;

use super::forces::table::Tables;
use super::function::Function;

/// Combines the numbers of all models into one number; the argument gives the number of each model.
pub type Side<'a, T> = &'a dyn Fn(&dyn Fn(usize) -> f64) -> T;

/// Everything in which models may differ, in the order of their fields.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    numbers: Vec<f64>,
    functions: Vec<Function>,
    tables: Vec<Tables>,
}

impl Numbers {
    /// One mark for each number, which is true if it differs from zero in some model, and two for each
    /// function: whether it is the same constant in all models, and whether it can differ from zero. Tables
    /// need no marks, because interpolation makes a nonzero of anything. Models with the same marks have the
    /// same structural nonzeros (`Nonzero`) if they are alike. None if the lists
    /// have different lengths.
    #[inline]
    pub fn marks(models: &[Numbers]) -> Option<Vec<bool>> {
        let lengths = |m: &Numbers| [m.numbers.len(), m.functions.len(), m.tables.len()];
        let first = models.first()?;
        if models.iter().any(|m| lengths(m) != lengths(first)) {
            return None;
        }
        let mut marks = vec![false; first.numbers.len()];
        for model in models {
            marks.iter_mut().zip(&model.numbers).for_each(|(mark, x)| *mark |= *x != 0.0);
        }
        for (i, function) in first.functions.iter().enumerate() {
            let constant = function.constant().filter(|_| models.iter().all(|m| m.functions[i] == *function));
            marks.extend([constant.is_some(), constant.is_none_or(|c| c != 0.0)]);
        }
        Some(marks)
    }
}

/// Gives the combined numbers of several models one after the other.
pub struct Combined<'a, T> {
    models: &'a [Numbers],
    side: Side<'a, T>,
    weights: &'a [f64],
    /// How many numbers, functions and tables have been given.
    given: [usize; 3],
}

impl<T: Number> Combined<'_, T> {
    fn number(&mut self) -> T {
        let i = self.given[0];
        self.given[0] += 1;
        (self.side)(&|model| self.models[model].numbers[i])
    }

    fn function(&mut self) -> Function {
        let i = self.given[1];
        self.given[1] += 1;
        Function::combine(self.models.iter().map(|m| m.functions[i].clone()).collect(), self.weights.to_vec())
    }

    fn tables(&mut self) -> Tables {
        let i = self.given[2];
        self.given[2] += 1;
        let list: Vec<&Tables> = self.models.iter().map(|m| &m.tables[i]).collect();
        Tables::combine(&list, self.weights.to_vec())
    }
}

/// A part of a model that can be combined with the same part of other models.
pub trait Combine: Sized {
    /// The same type with other numbers.
    type With<T: Number>;

    /// True if the two differ only in what [`Combine::list`] writes.
    fn is_like(&self, other: &Self) -> bool;

    /// Writes all numbers, functions and tables.
    fn list(&self, out: &mut Numbers);

    /// A copy with other numbers, in the order of [`Combine::list`]. Called only for parts that are like
    /// themselves.
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Self::With<T>;

    /// Combines the same part of each model; none if the models differ in more than numbers.
    fn combine<T: Number>(list: &[&Self], side: Side<T>) -> Option<Self::With<T>> {
        let first = *list.first()?;
        if !list.iter().all(|x| first.is_like(x)) {
            return None;
        }
        let numbers = |x: &&Self| {
            let mut numbers = Numbers::default();
            x.list(&mut numbers);
            numbers
        };
        let models: Vec<Numbers> = list.iter().map(numbers).collect();
        let weights = weights(list.len(), side);
        Some(first.with(&mut Combined { models: &models, side, weights: &weights, given: [0; 3] }))
    }
}

/// Weights of the numbers of n models in the derivative of a number; empty for numbers without derivatives.
fn weights<T: Number>(n: usize, side: Side<T>) -> Vec<f64> {
    let of = |k: usize| side(&|model| if model == k { 1.0 } else { 0.0 }).derivative();
    let weights: Vec<f64> = (0..n).map(of).collect();
    if weights.iter().all(|w| *w == 0.0) { Vec::new() } else { weights }
}

impl Combine for f64 {
    type With<T: Number> = T;
    fn is_like(&self, _: &Self) -> bool {
        true
    }
    fn list(&self, out: &mut Numbers) {
        out.numbers.push(*self);
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> T {
        next.number()
    }
}

impl<const R: usize, const C: usize> Combine for SMatrix<f64, R, C> {
    type With<T: Number> = SMatrix<T, R, C>;
    fn is_like(&self, _: &Self) -> bool {
        true
    }
    fn list(&self, out: &mut Numbers) {
        out.numbers.extend_from_slice(self.as_slice());
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> SMatrix<T, R, C> {
        SMatrix::from_fn(|_, _| next.number())
    }
}

impl<X: Combine> Combine for Vec<X> {
    type With<T: Number> = Vec<X::With<T>>;
    fn is_like(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().zip(other).all(|(x, y)| x.is_like(y))
    }
    fn list(&self, out: &mut Numbers) {
        self.iter().for_each(|x| x.list(out));
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Self::With<T> {
        let mut list = Vec::with_capacity(self.len());
        for x in self {
            list.push(x.with(next));
        }
        list
    }
}

impl<X: Combine, const N: usize> Combine for [X; N] {
    type With<T: Number> = [X::With<T>; N];
    fn is_like(&self, other: &Self) -> bool {
        self.iter().zip(other).all(|(x, y)| x.is_like(y))
    }
    fn list(&self, out: &mut Numbers) {
        self.iter().for_each(|x| x.list(out));
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Self::With<T> {
        self.each_ref().map(|x| x.with(next))
    }
}

impl<X: Combine> Combine for Box<X> {
    type With<T: Number> = Box<X::With<T>>;
    fn is_like(&self, other: &Self) -> bool {
        (**self).is_like(other)
    }
    fn list(&self, out: &mut Numbers) {
        (**self).list(out);
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Self::With<T> {
        Box::new((**self).with(next))
    }
}

impl<X: Combine> Combine for Option<X> {
    type With<T: Number> = Option<X::With<T>>;
    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Some(x), Some(y)) => x.is_like(y),
            (None, None) => true,
            _ => false,
        }
    }
    fn list(&self, out: &mut Numbers) {
        if let Some(x) = self {
            x.list(out);
        }
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Self::With<T> {
        self.as_ref().map(|x| x.with(next))
    }
}

impl Combine for Function {
    type With<T: Number> = Function;
    fn is_like(&self, _: &Self) -> bool {
        true
    }
    fn list(&self, out: &mut Numbers) {
        out.functions.push(self.clone());
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Function {
        next.function()
    }
}

impl Combine for Tables {
    type With<T: Number> = Tables;
    fn is_like(&self, _: &Self) -> bool {
        true
    }
    fn list(&self, out: &mut Numbers) {
        out.tables.push(self.clone());
    }
    fn with<T: Number>(&self, next: &mut Combined<T>) -> Tables {
        next.tables()
    }
}

/// Types without numbers: all models must agree.
macro_rules! same {
    ($($type:ty),* $(,)?) => {$(
        impl $crate::mechanics::combine::Combine for $type {
            type With<T: precess_lie::Number> = $type;
            fn is_like(&self, other: &Self) -> bool {
                self == other
            }
            fn list(&self, _: &mut $crate::mechanics::combine::Numbers) {}
            fn with<T: precess_lie::Number>(
                &self,
                _: &mut $crate::mechanics::combine::Combined<T>,
            ) -> $type {
                self.clone()
            }
        }
    )*};
}
same!(usize, bool, String, Range<usize>);

/// Implements the trait from the fields of a struct: `combine!(struct Gear { name, coordinates })`, with
/// constant parameters in front, or from the variants of an enum: `combine!(enum Rows { Point(x), Drive(x)
/// })`.
macro_rules! combine {
    (struct $(<$(const $n:ident),+>)? $type:ident $([$($p:ident),+])? { $($field:ident),* $(,)? }) => {
        impl$(<$(const $n: usize),+>)? $crate::mechanics::combine::Combine for $type$(<$($p),+>)? {
            type With<T: precess_lie::Number> = $type<$($($p,)+)? T>;
            $crate::mechanics::combine::fields!($type { $($field),* });
        }
    };
    (enum $type:ident { $($variant:ident $(($x:ident))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::mechanics::combine::Combine for $type {
            type With<T: precess_lie::Number> = $type<T>;
            fn is_like(&self, other: &Self) -> bool {
                match self {
                    $($type::$variant $(($x))? $({ $($field),* })? => {
                        std::mem::discriminant(self) == std::mem::discriminant(other) $(&& {
                            let own = $x;
                            #[allow(irrefutable_let_patterns)]
                            if let $type::$variant($x) = other { own.is_like($x) } else { false }
                        })? $($(&& {
                            let own = $field;
                            match other {
                                $type::$variant { $field, .. } => own.is_like($field),
                                _ => false,
                            }
                        })*)?
                    })*
                }
            }
            fn list(&self, out: &mut $crate::mechanics::combine::Numbers) {
                let _ = &out;
                match self {
                    $($type::$variant $(($x))? $({ $($field),* })? => {
                        $($x.list(out);)? $($($field.list(out);)*)?
                    })*
                }
            }
            fn with<T: precess_lie::Number>(
                &self,
                next: &mut $crate::mechanics::combine::Combined<T>,
            ) -> Self::With<T> {
                match self {
                    $($type::$variant $(($x))? $({ $($field),* })? =>
                        $type::$variant $(($x.with(next)))? $({ $($field: $field.with(next)),* })?,)*
                }
            }
        }
    };
}

/// The functions of the trait for a struct.
macro_rules! fields {
    ($type:ident { $($field:ident),* }) => {
        fn is_like(&self, other: &Self) -> bool {
            true $(&& self.$field.is_like(&other.$field))*
        }
        fn list(&self, out: &mut $crate::mechanics::combine::Numbers) {
            $(self.$field.list(out);)*
        }
        fn with<T: precess_lie::Number>(
            &self,
            next: &mut $crate::mechanics::combine::Combined<T>,
        ) -> Self::With<T> {
            $type { $($field: self.$field.with(next),)* }
        }
    };
}
pub(crate) use {combine, fields, same};
