//! Combines models that differ only in their numbers into one whose numbers are lanes, structural nonzeros or
//! duals. Every type of the physics lists its fields once.

use std::ops::Range;
use std::sync::Arc;

use nalgebra::SMatrix;
use precess_lie::Number;

use super::event::Switch;
use super::forces::table::Tables;
use super::forces::{ForceFrame, Torque};
use super::function::Function;
use super::joint::Switches;
use super::joints::JointKind;
use super::kernels::Group;
use super::kernels::chain::Polar;
use super::links::{Link, Parts};
use super::modal::ModalBody;

/// Combines the numbers of all models into one number; the argument gives the number of each model.
pub type Side<'a, T> = &'a dyn Fn(&dyn Fn(usize) -> f64) -> T;

/// A part of several models that can be combined.
pub trait Beside: Sized {
    /// The same type with other numbers.
    type With<T: Number>;

    /// Combines the same part of each model; none if the models differ in more than numbers.
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Self::With<T>>;
}

/// Weights of the numbers of n models in the derivative of a number; empty for numbers without derivatives.
pub fn weights<T: Number>(n: usize, side: Side<T>) -> Vec<f64> {
    let of = |k: usize| side(&|lane| if lane == k { 1.0 } else { 0.0 }).derivative();
    let weights: Vec<f64> = (0..n).map(of).collect();
    if weights.iter().all(|w| *w == 0.0) { Vec::new() } else { weights }
}

impl Beside for f64 {
    type With<T: Number> = T;
    fn beside<T: Number>(list: &[&f64], side: Side<T>) -> Option<T> {
        Some(side(&|lane| *list[lane]))
    }
}

impl<const R: usize, const C: usize> Beside for SMatrix<f64, R, C> {
    type With<T: Number> = SMatrix<T, R, C>;
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<SMatrix<T, R, C>> {
        Some(SMatrix::from_fn(|i, j| side(&|lane| list[lane][(i, j)])))
    }
}

impl<X: Beside> Beside for Vec<X> {
    type With<T: Number> = Vec<X::With<T>>;
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Self::With<T>> {
        let n = list.first()?.len();
        let of = |i: usize| X::beside(&list.iter().map(|x| &x[i]).collect::<Vec<_>>(), side);
        if list.iter().any(|x| x.len() != n) { None } else { (0..n).map(of).collect() }
    }
}

impl<X: Beside, const N: usize> Beside for [X; N] {
    type With<T: Number> = [X::With<T>; N];
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Self::With<T>> {
        let of = |i: usize| X::beside(&list.iter().map(|x| &x[i]).collect::<Vec<_>>(), side);
        (0..N).map(of).collect::<Option<Vec<_>>>()?.try_into().ok()
    }
}

impl<X: Beside> Beside for Box<X> {
    type With<T: Number> = Box<X::With<T>>;
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Self::With<T>> {
        X::beside(&list.iter().map(|x| &***x).collect::<Vec<_>>(), side).map(Box::new)
    }
}

impl<X: Beside> Beside for Option<X> {
    type With<T: Number> = Option<X::With<T>>;
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Self::With<T>> {
        let present: Vec<&X> = list.iter().filter_map(|x| x.as_ref()).collect();
        match present.len() {
            0 => Some(None),
            n if n == list.len() => X::beside(&present, side).map(Some),
            _ => None,
        }
    }
}

impl Beside for Function {
    type With<T: Number> = Function;
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Function> {
        let weights = weights(list.len(), side);
        Some(Function::beside(list.iter().map(|f| (*f).clone()).collect(), weights))
    }
}

impl Beside for Tables {
    type With<T: Number> = Tables;
    fn beside<T: Number>(list: &[&Self], side: Side<T>) -> Option<Tables> {
        Some(Tables::beside(list, weights(list.len(), side)))
    }
}

/// A user-defined force exists only for one kind of numbers.
impl<X: ?Sized> Beside for Arc<X> {
    type With<T: Number> = Arc<dyn super::forces::Element<T>>;
    fn beside<T: Number>(_: &[&Self], _: Side<T>) -> Option<Self::With<T>> {
        None
    }
}

/// Types without numbers: all models must agree.
macro_rules! same {
    ($($type:ty),* $(,)?) => {$(
        impl Beside for $type {
            type With<T: Number> = $type;
            fn beside<T: Number>(list: &[&Self], _: Side<T>) -> Option<$type> {
                let first = *list.first()?;
                list.iter().all(|x| *x == first).then(|| first.clone())
            }
        }
    )*};
}
same!(
    usize,
    bool,
    String,
    Range<usize>,
    Link,
    Parts,
    Group,
    Switch,
    Switches,
    ForceFrame,
    JointKind,
    Polar,
    Torque,
    ModalBody
);

/// Implements the trait from the fields of a struct: `beside!(struct Gear { name, coordinates })`, with
/// constant parameters in front, or from the variants of an enum: `beside!(enum Rows { Point(x), Drive(x)
/// })`.
macro_rules! beside {
    (struct $(<$(const $n:ident),+>)? $type:ident $([$($p:ident),+])? { $($field:ident),* $(,)? }) => {
        impl$(<$(const $n: usize),+>)? $crate::mechanics::beside::Beside for $type$(<$($p),+>)? {
            type With<T: precess_lie::Number> = $type<$($($p,)+)? T>;
            fn beside<T: precess_lie::Number>(
                list: &[&Self],
                side: $crate::mechanics::beside::Side<T>,
            ) -> Option<Self::With<T>> {
                Some($type {
                    $($field: $crate::mechanics::beside::Beside::beside(
                        &list.iter().map(|x| &x.$field).collect::<Vec<_>>(),
                        side,
                    )?,)*
                })
            }
        }
    };
    (enum $type:ident { $($variant:ident $(($x:ident))? $({ $($field:ident),* })?),* $(,)? }) => {
        impl $crate::mechanics::beside::Beside for $type {
            type With<T: precess_lie::Number> = $type<T>;
            fn beside<T: precess_lie::Number>(
                list: &[&Self],
                side: $crate::mechanics::beside::Side<T>,
            ) -> Option<Self::With<T>> {
                match *list.first()? {
                    $($type::$variant $(($x))? $({ $($field),* })? => {
                        $(let _ = $x;)? $($(let _ = $field;)*)?
                        $crate::mechanics::beside::variant!(
                            list, side, $type::$variant $(($x))? $({ $($field),* })?
                        )
                    })*
                }
            }
        }
    };
}

/// One variant, if all models have it.
macro_rules! variant {
    ($list:ident, $side:ident, $type:ident::$variant:ident) => {
        $list.iter().all(|x| matches!(x, $type::$variant)).then_some($type::$variant)
    };
    ($list:ident, $side:ident, $type:ident::$variant:ident($x:ident)) => {{
        let own = $list.iter().copied().map(|x| match x {
            $type::$variant(x) => Some(x),
            #[allow(unreachable_patterns)]
            _ => None,
        });
        let all = own.collect::<Option<Vec<_>>>()?;
        Some($type::$variant($crate::mechanics::beside::Beside::beside(&all, $side)?))
    }};
    ($list:ident, $side:ident, $type:ident::$variant:ident { $($field:ident),* }) => {
        Some($type::$variant {
            $($field: {
                let own = $list.iter().copied().map(|x| match x {
                    $type::$variant { $field, .. } => Some($field),
                    #[allow(unreachable_patterns)]
                    _ => None,
                });
                let all = own.collect::<Option<Vec<_>>>()?;
                $crate::mechanics::beside::Beside::beside(&all, $side)?
            },)*
        })
    };
}
pub(crate) use {beside, variant};
