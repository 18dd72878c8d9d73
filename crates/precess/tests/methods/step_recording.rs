//! Numbers that write down what is done to them: the same step becomes a straight-line program, and the program
//! gives the numbers of the step to the last bit.
//!
//! This is the recording of a thread. Constants are folded and equal expressions are shared.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use num_traits::{One, Zero};
use precess::formulation::Formulation::R3SO3;
use precess::integrate::step::places::Places;
use precess::integrate::step::{Fixed, Method, Step, advance};
use precess::integrate::{Alpha, Form, InitialValues, OneByOne};
use precess::mechanics::batch::{Batch, LanePlan};
use precess::mechanics::combine::Side;
use precess::mechanics::{Block, Multibody, State, System};
use precess::model::build;
use precess_lie::Number;

use crate::model_util::load_model;

/// An operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// An input.
    Input(u32),
    /// A constant, by its bits.
    Constant(u64),
    /// a + b.
    Add(u32, u32),
    /// a - b.
    Sub(u32, u32),
    /// a b.
    Mul(u32, u32),
    /// a / b.
    Div(u32, u32),
    /// -a.
    Neg(u32),
    /// The square root.
    Sqrt(u32),
    /// c > 0 ? a : b.
    Select(u32, u32, u32),
}

/// All operations of a thread, in their order.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    /// The list.
    pub ops: Vec<Op>,
    known: HashMap<Op, u32>,
    inputs: u32,
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// A number of the recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recorded(u32);

/// The first constants have these places.
const ZERO: u32 = 0;
const ONE: u32 = 1;

fn push(op: Op) -> Recorded {
    TAPE.with_borrow_mut(|tape| {
        let next = tape.ops.len() as u32;
        let at = *tape.known.entry(op).or_insert(next);
        if at == next {
            tape.ops.push(op);
        }
        Recorded(at)
    })
}

fn constant(x: f64) -> Recorded {
    push(Op::Constant((x + 0.0).to_bits()))
}

/// Starts a new recording.
pub fn begin() {
    TAPE.set(Tape::default());
    constant(0.0);
    constant(1.0);
}

/// A new input.
pub fn input() -> Recorded {
    let i = TAPE.with_borrow_mut(|tape| {
        tape.inputs += 1;
        tape.inputs - 1
    });
    push(Op::Input(i))
}

/// The recording.
pub fn taken() -> Tape {
    TAPE.take()
}

impl Recorded {
    /// Its place in the list.
    pub fn place(self) -> usize {
        self.0 as usize
    }
    fn value(self) -> Option<f64> {
        TAPE.with_borrow(|tape| match tape.ops[self.0 as usize] {
            Op::Constant(bits) => Some(f64::from_bits(bits)),
            _ => None,
        })
    }
}

impl Tape {
    /// The values of all operations.
    pub fn run(&self, inputs: &[f64]) -> Vec<f64> {
        let mut x: Vec<f64> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let of = |i: u32| x[i as usize];
            let y = match *op {
                Op::Input(i) => inputs[i as usize],
                Op::Constant(bits) => f64::from_bits(bits),
                Op::Add(a, b) => of(a) + of(b),
                Op::Sub(a, b) => of(a) - of(b),
                Op::Mul(a, b) => of(a) * of(b),
                Op::Div(a, b) => of(a) / of(b),
                Op::Neg(a) => -of(a),
                Op::Sqrt(a) => of(a).sqrt(),
                Op::Select(c, a, b) => {
                    if of(c) > 0.0 {
                        of(a)
                    } else {
                        of(b)
                    }
                }
            };
            x.push(y);
        }
        x
    }

    /// The number of operations that these results need, without inputs and constants.
    pub fn needed(&self, results: &[Recorded]) -> usize {
        let mut used = vec![false; self.ops.len()];
        results.iter().for_each(|r| used[r.place()] = true);
        for i in (0..self.ops.len()).rev() {
            if !used[i] {
                continue;
            }
            let mut mark = |list: &[u32]| list.iter().for_each(|a| used[*a as usize] = true);
            match self.ops[i] {
                Op::Add(a, b) | Op::Sub(a, b) | Op::Mul(a, b) | Op::Div(a, b) => mark(&[a, b]),
                Op::Neg(a) | Op::Sqrt(a) => mark(&[a]),
                Op::Select(a, b, c) => mark(&[a, b, c]),
                Op::Input(_) | Op::Constant(_) => {}
            }
        }
        let real = |op: &Op| !matches!(op, Op::Input(_) | Op::Constant(_));
        used.iter().zip(&self.ops).filter(|(used, op)| **used && real(op)).count()
    }
}

macro_rules! operator {
    ($trait:ident $name:ident, $assign:ident $in_place:ident, $op:tt, |$a:ident, $b:ident| $special:expr, $kind:ident) => {
        impl $trait for Recorded {
            type Output = Recorded;
            fn $name(self, other: Recorded) -> Recorded {
                if let (Some(x), Some(y)) = (self.value(), other.value()) {
                    return constant(x $op y);
                }
                let ($a, $b) = (self, other);
                let special: Option<Recorded> = $special;
                special.unwrap_or_else(|| push(Op::$kind(self.0, other.0)))
            }
        }
        impl $assign for Recorded {
            fn $in_place(&mut self, other: Recorded) {
                *self = self.$name(other);
            }
        }
    };
}
operator!(Add add, AddAssign add_assign, +, |a, b| match (a.0, b.0) {
    (ZERO, _) => Some(b),
    (_, ZERO) => Some(a),
    _ => None,
}, Add);
operator!(Sub sub, SubAssign sub_assign, -, |a, b| match (a.0, b.0) {
    (ZERO, _) => Some(-b),
    (_, ZERO) => Some(a),
    (x, y) if x == y => Some(Recorded(ZERO)),
    _ => None,
}, Sub);
operator!(Mul mul, MulAssign mul_assign, *, |a, b| match (a.0, b.0) {
    (ZERO, _) | (_, ZERO) => Some(Recorded(ZERO)),
    (ONE, _) => Some(b),
    (_, ONE) => Some(a),
    _ => None,
}, Mul);
operator!(Div div, DivAssign div_assign, /, |a, b| match (a.0, b.0) {
    (ZERO, _) => Some(Recorded(ZERO)),
    (_, ONE) => Some(a),
    _ => None,
}, Div);

impl Neg for Recorded {
    type Output = Recorded;
    fn neg(self) -> Recorded {
        match self.value() {
            Some(x) => constant(-x),
            None => push(Op::Neg(self.0)),
        }
    }
}

impl Zero for Recorded {
    fn zero() -> Recorded {
        Recorded(ZERO)
    }
    fn is_zero(&self) -> bool {
        self.0 == ZERO
    }
}

impl One for Recorded {
    fn one() -> Recorded {
        Recorded(ONE)
    }
}

/// sum_k c_k s^k, without a branch.
fn series<const N: usize>(s: Recorded, c: [f64; N]) -> Recorded {
    c.into_iter().rev().fold(Recorded(ZERO), |sum, c| sum * s + constant(c))
}

fn factorial(n: usize) -> f64 {
    (1..=n).map(|i| i as f64).product()
}

fn sign(k: usize) -> f64 {
    if k.is_multiple_of(2) { 1.0 } else { -1.0 }
}

impl Number for Recorded {
    const ZERO: Self = Recorded(ZERO);
    const RARE: bool = true;

    fn of(x: f64) -> Self {
        constant(x)
    }
    // Branches on signs that a step only checks are left out: a run that needs them is repeated elsewhere.
    fn zero_if_positive(self) -> Self {
        Recorded(ZERO)
    }
    /// cos(p/2) and sin(p/2)/p from s = p^2.
    fn half_angle(s: Self) -> [Self; 2] {
        let c: [f64; 10] = std::array::from_fn(|k| sign(k) / (factorial(2 * k) * 4f64.powi(k as i32)));
        let d: [f64; 10] =
            std::array::from_fn(|k| 0.5 * sign(k) / (factorial(2 * k + 1) * 4f64.powi(k as i32)));
        [series(s, c), series(s, d)]
    }
    /// (1 - cos p)/p^2 and (p - sin p)/p^3.
    fn tangent(s: Self) -> [Self; 2] {
        let b: [f64; 10] = std::array::from_fn(|k| sign(k) / factorial(2 * k + 2));
        let c: [f64; 10] = std::array::from_fn(|k| sign(k) / factorial(2 * k + 3));
        [series(s, b), series(s, c)]
    }
    fn first(self) -> f64 {
        self.value().unwrap_or(f64::NAN)
    }
    fn shared(self) -> Option<f64> {
        self.value()
    }
    fn if_positive(self, yes: Self, no: Self) -> Self {
        match self.value() {
            Some(x) if x > 0.0 => yes,
            Some(_) => no,
            None => push(Op::Select(self.0, yes.0, no.0)),
        }
    }
    fn round(self) -> Self {
        constant(f64::NAN)
    }
    // What comes as code cannot be recorded: named functions will have to replace it.
    fn compose<const N: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> f64,
        _: impl Fn(usize, [f64; N]) -> [f64; N],
    ) -> Self {
        let known: Option<Vec<f64>> = x.iter().map(|x| x.value()).collect();
        let known = known.and_then(|x| <[f64; N]>::try_from(x).ok());
        known.map_or_else(|| constant(f64::NAN), |x| constant(f(0, x)))
    }
    fn map<const N: usize, const M: usize>(
        x: [Self; N],
        f: impl Fn(usize, [f64; N]) -> [f64; M],
    ) -> [Self; M] {
        let known: Option<Vec<f64>> = x.iter().map(|x| x.value()).collect();
        let known = known.and_then(|x| <[f64; N]>::try_from(x).ok());
        known.map_or([constant(f64::NAN); M], |x| f(0, x).map(constant))
    }
    fn sqrt(self) -> Self {
        match self.value() {
            Some(x) => constant(x.sqrt()),
            None => push(Op::Sqrt(self.0)),
        }
    }
}
const H: f64 = 1e-3;

/// A step of generalized-alpha with two iterations, for any number.
struct Taken<T: Number> {
    models: Batch<T>,
    linear: Places<T>,
    step: Step<T>,
    method: OneByOne<Alpha, 3>,
}

impl<T: Number> Taken<T> {
    fn new(model: &Multibody, now: State<T>, form: Form, side: Side<T>) -> Self {
        let models = Batch::new(&[model], side).unwrap();
        let plan = LanePlan::<T>::new(&[model], form == Form::StabilizedIndex2).unwrap();
        let blocks = Block::of(model.group());
        let step = Step::new(form, now, 3, &models, (plan.tangents(), blocks));
        let linear = Places::new(&plan, models.inverse.clone(), 0);
        let method = OneByOne::new("alpha", 2, Alpha::from_rho(0.9).unwrap(), form);
        Taken { models, linear, step, method }
    }

    fn advance(&mut self) {
        let Taken { models, linear, step, method } = self;
        step.begin(H);
        advance(method, models, linear, &mut Fixed::new(2, true), step).unwrap();
    }

    /// q, v, v', a and lambda.
    fn all(&self) -> Vec<T> {
        let State { q, v, vdot, lambda, .. } = &self.step.trial;
        [q, v, vdot, &self.step.past[2], lambda].into_iter().flatten().copied().collect()
    }
}

#[test]
fn a_recorded_step_gives_the_same_bits() {
    let built = build(&load_model("heavy_top", &[]).model, R3SO3).unwrap();
    let model = Multibody::of(&*built.system).unwrap();
    let state = InitialValues::new(&built.q, &built.v).consistent(model).unwrap();
    for (form, most) in [(Form::Index3, 2500), (Form::StabilizedIndex2, 5000)] {
        let mut plain = Taken::<f64>::new(model, state.clone(), form, &|number| number(0));
        Method::begin(&mut plain.method, &mut plain.step, H);
        begin();
        let inputs = |x: &[f64]| -> Vec<Recorded> { x.iter().map(|_| input()).collect() };
        let now = State {
            t: Recorded::of(0.0),
            q: inputs(&state.q),
            v: inputs(&state.v),
            vdot: inputs(&state.vdot),
            lambda: Vec::new(),
            s: Vec::new(),
            memory: Vec::new(),
        };
        let a = inputs(&state.vdot);
        let now = State { lambda: inputs(&state.lambda), ..now };
        let mut recorded = Taken::<Recorded>::new(model, now, form, &|number| Recorded::of(number(0)));
        recorded.step.past[2] = a;
        recorded.advance();
        let (results, tape) = (recorded.all(), taken());
        let needed = tape.needed(&results);
        assert!(needed > 500 && needed < most, "{form:?}: {needed} operations");
        let mut x = plain.all();
        for i in 0..100 {
            let values = tape.run(&x);
            x = results.iter().map(|r| values[r.place()]).collect();
            plain.advance();
            assert!(x.iter().zip(plain.all()).all(|(x, y)| *x == y), "{form:?}: step {i} differs");
        }
        let moved = x.iter().zip(&state.q).fold(0.0, |m, (x, y)| precess::study::larger(m, (x - y).abs()));
        assert!(moved > 0.1, "{form:?}: nothing moves");
    }
}
