//! Expressions of positions in directors. Coordinates of points are linear in q, squared distances and
//! products of directions quadratic. So potentials and constraints that are expressions of them are functions
//! of quadratic invariants, and energy-momentum schemes keep their properties. Distances and joint
//! coordinates do not depend on the position in space, so momenta are kept. Coordinates depend on it, so
//! momenta change, as they should.
//!
//! ```text
//! x_k = pi_a                coordinate, displacement
//! x_k = sqrt(pi_a)          distance
//! x_k = zero + atan2(pi_b, pi_a)    angle
//! ```

use std::sync::Arc;

use nalgebra::Vector3;

use super::draft::unsupported;
use super::forces::Places;
use crate::Error;
use crate::conserve::constraint::Composed;
use crate::conserve::directors::{DirectorJoint, measures};
use crate::conserve::potential::{MAX_INVARIANTS, Potential};
use crate::conserve::{Affine, Conservative, Law, Quadratic, Term};
use crate::mechanics::expressed::{MAX_VARIABLES, Several};
use crate::model::expressed::{ExpressedSpec, MeasuredSpec, VariableSpec};

/// Computes a variable from the invariants.
#[derive(Clone, Copy, Debug)]
enum Inner {
    Same(usize),
    Root(usize),
    /// Cosine and sine, and the angle where the sine is zero.
    Angle([usize; 2], f64),
}

/// f(x(pi)).
#[derive(Clone, Debug)]
struct OfInvariants {
    inner: Vec<Inner>,
    function: Several,
}

/// x, and its derivatives for the invariants.
struct Variable {
    value: f64,
    places: [usize; 2],
    n: usize,
    first: [f64; 2],
    second: [[f64; 2]; 2],
}

impl Inner {
    fn at(self, pi: &[f64]) -> Variable {
        match self {
            Inner::Same(a) => {
                Variable { value: pi[a], places: [a, a], n: 1, first: [1.0, 0.0], second: [[0.0; 2]; 2] }
            }
            Inner::Root(a) => {
                let l = pi[a].max(0.0).sqrt();
                let second = [[-0.25 / (l * l * l), 0.0], [0.0; 2]];
                Variable { value: l, places: [a, a], n: 1, first: [0.5 / l, 0.0], second }
            }
            Inner::Angle([a, b], zero) => {
                let (c, s) = (pi[a], pi[b]);
                let r_2 = c * c + s * s;
                let (x, y) = (2.0 * c * s / (r_2 * r_2), (s * s - c * c) / (r_2 * r_2));
                let value = zero + s.atan2(c);
                // Potentials do not count turns.
                let value = if (value - zero).abs() > measures::MAX_TURN { f64::NAN } else { value };
                Variable {
                    value,
                    places: [a, b],
                    n: 2,
                    first: [-s / r_2, c / r_2],
                    second: [[x, y], [y, -x]],
                }
            }
        }
    }
}

impl OfInvariants {
    fn derivatives(&self, pi: &[f64], gradient: &mut [f64], hessian: &mut [f64]) {
        let n = self.inner.len();
        let mut x = [0.0; MAX_VARIABLES];
        x.iter_mut().zip(&self.inner).for_each(|(x, inner)| *x = inner.at(pi).value);
        let (mut g, mut h) = ([0.0; MAX_VARIABLES], [0.0; MAX_VARIABLES * MAX_VARIABLES]);
        let twice = if hessian.is_empty() { 0 } else { n * n };
        self.function.0.derivatives(&x[..n], &mut g[..n], &mut h[..twice]);
        gradient.fill(0.0);
        hessian.fill(0.0);
        let m = pi.len();
        for (k, inner) in self.inner.iter().enumerate() {
            let u = inner.at(pi);
            for a in 0..u.n {
                gradient[u.places[a]] += g[k] * u.first[a];
                for b in (0..u.n).filter(|_| twice > 0) {
                    hessian[u.places[a] * m + u.places[b]] += g[k] * u.second[a][b];
                }
            }
            for (l, other) in self.inner.iter().enumerate().filter(|_| twice > 0) {
                let v = other.at(pi);
                for a in 0..u.n {
                    for b in 0..v.n {
                        hessian[u.places[a] * m + v.places[b]] += h[k * n + l] * u.first[a] * v.first[b];
                    }
                }
            }
        }
    }
}

impl Potential for OfInvariants {
    fn value(&self, pi: &[f64]) -> f64 {
        let mut x = [0.0; MAX_VARIABLES];
        x.iter_mut().zip(&self.inner).for_each(|(x, inner)| *x = inner.at(pi).value);
        self.function.0.value(&x[..self.inner.len()])
    }
    fn gradient(&self, pi: &[f64], out: &mut [f64]) {
        self.derivatives(pi, out, &mut []);
    }
    fn hessian(&self, pi: &[f64], out: &mut [f64]) {
        let mut gradient = [0.0; MAX_INVARIANTS];
        self.derivatives(pi, &mut gradient[..pi.len()], out);
    }
}

impl Places<'_> {
    fn invariants(&self, what: &str, spec: &ExpressedSpec) -> Result<(Vec<Quadratic>, OfInvariants), Error> {
        let (mut list, mut inner) = (Vec::new(), Vec::new());
        for variable in &spec.variables {
            let VariableSpec::Value(measured) = variable else {
                return Err(unsupported(format!(
                    "{what} depends on time, rates or states, which conserving methods do not support; use \
                     r3so3 or se3 with gen-alpha"
                )));
            };
            let next = list.len();
            match measured {
                MeasuredSpec::Place { point, axis, origin, .. } => {
                    let arm = self.point(&point.body, &point.at)?.plus(-1.0, &Affine::fixed(*origin));
                    list.push(Quadratic::dot(&Affine::fixed(*axis), &arm, 0.0, 1.0));
                    inner.push(Inner::Same(next));
                }
                MeasuredSpec::Distance([a, b]) => {
                    let arm = self.point(&b.body, &b.at)?.plus(-1.0, &self.point(&a.body, &a.at)?);
                    list.push(Quadratic::dot(&arm, &arm, 0.0, 1.0));
                    inner.push(Inner::Root(next));
                }
                MeasuredSpec::Joint(at) => {
                    let coordinate = self.coordinate(at)?;
                    list.extend(coordinate.invariants().iter().cloned());
                    inner.push(match list.len() - next {
                        1 => Inner::Same(next),
                        _ => Inner::Angle([next, next + 1], coordinate.zero()),
                    });
                }
            }
        }
        if list.len() > MAX_INVARIANTS {
            return Err(unsupported(format!(
                "{what} reads {} quantities, at most {MAX_INVARIANTS} are possible there; use r3so3 or se3 \
                 with gen-alpha",
                list.len()
            )));
        }
        Ok((list, OfInvariants { inner, function: spec.function.clone() }))
    }

    /// A potential.
    pub fn potential(&self, name: &str, spec: &ExpressedSpec) -> Result<Term, Error> {
        let (invariants, function) = self.invariants(&format!("potential '{name}'"), spec)?;
        Ok(Term { invariants, law: Law::General(Arc::new(function)) })
    }

    /// A constraint.
    fn constraint(&self, name: &str, spec: &ExpressedSpec) -> Result<Composed, Error> {
        let (invariants, function) = self.invariants(&format!("constraint '{name}'"), spec)?;
        Composed::new(invariants, Arc::new(function))
    }
}

/// Adds the constraints; their forces are reported like the reactions of joints.
pub(super) fn add_constraints(
    places: &Places,
    system: &mut Conservative,
) -> Result<Vec<DirectorJoint>, Error> {
    let mut list = Vec::new();
    for (spec, constraint) in places.model.constraints.iter().zip(places.view.constraint_list()) {
        let g = places.constraint(&spec.name, &spec.equation)?;
        let row = system.rows();
        system.constrain(&format!("constraint {}", spec.name), g);
        list.push(DirectorJoint {
            name: spec.name.clone(),
            bodies: [None, constraint.expression.first_body()],
            point: Vector3::zeros(),
            rows: vec![Some(row)],
            drives: Vec::new(),
            unique: true,
        });
    }
    Ok(list)
}
