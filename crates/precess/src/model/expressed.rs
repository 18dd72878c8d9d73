//! Expressions of positions, rates, states and algebraic variables as plain data, with names instead of
//! indices.

use std::sync::Arc;

use nalgebra::Vector3;

use super::body::GROUND;
use super::elements::At;
use super::expression::Expression;
use super::expression::culprit::ExpressionSource;
use super::expression::mixed::Mixed;
use super::joint::JointSpec;
use crate::mechanics::expressed::{MAX_VARIABLES, OfSeveral, Several};

/// A point of a body.
#[derive(Clone, Debug, PartialEq)]
pub struct PointOf {
    /// The body.
    pub body: String,
    /// Position of the point at t = 0, inertial frame.
    pub at: Vector3<f64>,
}

/// Measured quantities in expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum MeasuredSpec {
    /// axis . (r - origin) of a point r.
    Place {
        /// The point.
        point: PointOf,
        /// Unit direction in space.
        axis: Vector3<f64>,
        /// Origin of the coordinates.
        origin: Vector3<f64>,
        /// True if axis and origin do not move with the part, as for sensors.
        of_space: bool,
    },
    /// The distance of two points of different bodies, or of a body and the ground.
    Distance([PointOf; 2]),
    /// A joint coordinate.
    Joint(At),
}

/// A variable of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum VariableSpec {
    /// Time.
    Time,
    /// A measured quantity.
    Value(MeasuredSpec),
    /// Its rate.
    Rate(MeasuredSpec),
    /// A first-order state by name.
    State(String),
    /// An algebraic variable by name.
    Algebraic(String),
}

impl VariableSpec {
    /// The variable as text.
    pub(super) fn word(&self) -> String {
        match self {
            VariableSpec::Time => "t".to_string(),
            VariableSpec::Value(m) => m.word(),
            VariableSpec::Rate(m) => format!("rate({})", m.word()),
            VariableSpec::State(name) | VariableSpec::Algebraic(name) => name.clone(),
        }
    }
}

impl MeasuredSpec {
    /// The quantity as text; points are given by their bodies.
    fn word(&self) -> String {
        match self {
            MeasuredSpec::Place { point, axis, .. } => {
                let axes = ["x", "y", "z"];
                let along = axes.iter().zip(axis).find(|(_, a)| **a == 1.0).map_or("..", |(name, _)| name);
                format!("{}.{along}", point.body)
            }
            MeasuredSpec::Distance([a, b]) => format!("distance({}, {})", a.body, b.body),
            MeasuredSpec::Joint(at) => at.joint.clone(),
        }
    }
}

/// A function of named quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressedSpec {
    /// Its variables, in the order of the arguments.
    pub variables: Vec<VariableSpec>,
    /// The function.
    pub function: Several,
}

impl ExpressedSpec {
    /// True if it depends on positions in space: on coordinates, or on distances from fixed points.
    pub fn reads_place(&self) -> bool {
        self.variables.iter().any(|v| match v {
            VariableSpec::Value(MeasuredSpec::Place { .. })
            | VariableSpec::Rate(MeasuredSpec::Place { .. }) => true,
            VariableSpec::Value(MeasuredSpec::Distance(points)) => points.iter().any(|p| p.body == GROUND),
            _ => false,
        })
    }
}

/// `[[constraint]]`: an expression of positions and time that stays zero.
#[derive(Clone, Debug, PartialEq)]
pub struct ConstraintSpec {
    /// Unique name.
    pub name: String,
    /// The expression that stays zero.
    pub equation: ExpressedSpec,
}

impl ConstraintSpec {
    /// True if the equation contains time: the constraint is a drive.
    pub fn is_driven(&self) -> bool {
        self.equation.variables.contains(&VariableSpec::Time)
    }

    /// The bodies that it holds; those of a joint coordinate are the bodies of the joint.
    pub fn bodies<'a>(&'a self, joints: &'a [JointSpec]) -> Vec<&'a str> {
        let mut list: Vec<&str> = Vec::new();
        for variable in &self.equation.variables {
            match variable {
                VariableSpec::Value(MeasuredSpec::Place { point, .. }) => list.extend([&*point.body, GROUND]),
                VariableSpec::Value(MeasuredSpec::Distance(points)) => {
                    list.extend(points.iter().map(|p| p.body.as_str()));
                }
                VariableSpec::Value(MeasuredSpec::Joint(at)) => {
                    let joint = joints.iter().find(|j| j.name == at.joint);
                    list.extend(joint.iter().flat_map(|j| j.bodies.iter().map(String::as_str)));
                }
                _ => {}
            }
        }
        list
    }
}

/// `[[state]]`: a variable with a given rate.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpec {
    /// Unique name.
    pub name: String,
    /// Its rate.
    pub rate: ExpressedSpec,
    /// Its value at t = 0.
    pub initial: f64,
}

/// `[[algebraic]]`: a variable that an equation determines.
#[derive(Clone, Debug, PartialEq)]
pub struct AlgebraicSpec {
    /// Unique name.
    pub name: String,
    /// The expression that is zero.
    pub equation: ExpressedSpec,
    /// Initial guess of its value at t = 0.
    pub guess: f64,
}

/// An expression of a file as a function of several numbers.
#[derive(Clone, Debug)]
pub(super) struct Formula {
    pub label: String,
    pub source: ExpressionSource,
    pub expression: Expression,
    /// For each variable of the expression, the index of its argument.
    pub places: Vec<usize>,
}

impl Formula {
    pub fn shared(self) -> Several {
        Several(Arc::new(self))
    }

    /// The arguments in the order of the expression.
    fn ordered<T: Copy + Default>(&self, values: impl Fn(usize) -> T) -> [T; MAX_VARIABLES] {
        let mut ordered = [T::default(); MAX_VARIABLES];
        ordered.iter_mut().zip(&self.places).for_each(|(x, place)| *x = values(*place));
        ordered
    }
}

impl OfSeveral for Formula {
    fn value(&self, x: &[f64]) -> f64 {
        self.expression.eval(&self.ordered(|i| x.get(i).copied().unwrap_or(f64::NAN)))
    }

    /// Makes one pass per pair of variables.
    fn derivatives(&self, x: &[f64], gradient: &mut [f64], hessian: &mut [f64]) -> f64 {
        let n = x.len();
        let pass = |k: usize, l: usize| {
            let number = |i: usize| {
                let seed = |j: usize| if i == j { 1.0 } else { 0.0 };
                Mixed::variable(x.get(i).copied().unwrap_or(f64::NAN), seed(k), seed(l))
            };
            self.expression.eval(&self.ordered(number))
        };
        if hessian.is_empty() {
            let mut f = if n == 0 { self.value(x) } else { 0.0 };
            for k in (0..n).step_by(2) {
                // Two derivatives per pass; the last pass may have one.
                let other = (k + 1).min(n - 1);
                let number = pass(k, other);
                f = number.f;
                [(k, number.a), (other, number.b)].iter().for_each(|(k, x)| {
                    if let Some(out) = gradient.get_mut(*k) {
                        *out = *x;
                    }
                });
            }
            return f;
        }
        let mut f = self.value(x);
        for k in 0..n {
            for l in 0..=k {
                let number = pass(k, l);
                f = number.f;
                if let Some(out) = gradient.get_mut(k) {
                    *out = number.a;
                }
                for place in [k * n + l, l * n + k] {
                    if let Some(out) = hessian.get_mut(place) {
                        *out = number.ab;
                    }
                }
            }
        }
        f
    }

    fn culprit(&self, x: &[f64], smooth: usize) -> Option<String> {
        let values: Vec<f64> = self.places.iter().map(|i| x.get(*i).copied().unwrap_or(f64::NAN)).collect();
        self.source.culprit(&self.expression, &values, &vec![smooth > 0; values.len()], smooth > 1)
    }

    fn label(&self) -> String {
        self.label.clone()
    }
}
