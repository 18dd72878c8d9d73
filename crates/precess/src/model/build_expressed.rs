//! Adds constraints, states and algebraic variables of a model, and the expressions of forces, to an
//! assembled system.

use nalgebra::Vector3;

use super::expressed::{ExpressedSpec, MeasuredSpec, PointOf, VariableSpec};
use super::find::{coordinate, find, point_of};
use super::spec::Model;
use crate::Error;
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::expressed::{Algebraic, ExpressedConstraint, Expression, FirstOrder, Variable};
use crate::mechanics::links::Link;
use crate::mechanics::{At, System};
use crate::mechanics::{BodyKind, Multibody};

/// A point in the frame of its body, with its index.
fn point(model: &Model, p: &PointOf) -> Result<(Option<usize>, Vector3<f64>), Error> {
    let body = find(model, &p.body)?;
    Ok((body.map(|b| b.0), point_of(body, &p.at)))
}

/// A measured quantity in the system.
pub(super) fn measured(
    model: &Model,
    system: &mut Multibody,
    spec: &MeasuredSpec,
) -> Result<Coordinate, Error> {
    Ok(match spec {
        MeasuredSpec::Joint(at) => coordinate(system, at)?,
        MeasuredSpec::Place { point: p, axis, origin, .. } => match point(model, p)? {
            (Some(body), p) => Coordinate::displacement_in_space(body, p, *axis, *origin),
            (None, _) => {
                let reason = "a point of the ground does not move".to_string();
                return Err(Error::Unsupported { method: "an expression of positions".to_string(), reason });
            }
        },
        MeasuredSpec::Distance(points) => {
            let [(a, p), (b, q)] = [point(model, &points[0])?, point(model, &points[1])?];
            // The ground comes first.
            match b {
                None => Coordinate::sharp_distance(Link { a: None, b: a }, [q, p]),
                Some(_) => Coordinate::sharp_distance(Link { a, b }, [p, q]),
            }
        }
    })
}

/// An expression in the system.
pub(super) fn expression(
    model: &Model,
    system: &mut Multibody,
    spec: &ExpressedSpec,
) -> Result<Expression, Error> {
    let mut variables = Vec::with_capacity(spec.variables.len());
    for variable in &spec.variables {
        variables.push(match variable {
            VariableSpec::Time => Variable::Time,
            VariableSpec::Value(m) => Variable::Value(measured(model, system, m)?),
            VariableSpec::Rate(m) => Variable::Rate(measured(model, system, m)?),
            VariableSpec::State(name) => {
                let found = model.states.iter().position(|s| s.name == *name);
                let known = model.states.iter().map(|s| s.name.as_str());
                let index = found.ok_or_else(|| Error::unknown_name("state", name, known))?;
                Variable::State(system.state_place(index))
            }
            VariableSpec::Algebraic(name) => {
                let found = model.algebraic.iter().position(|s| s.name == *name);
                let known = model.algebraic.iter().map(|s| s.name.as_str());
                Variable::Algebraic(
                    found.ok_or_else(|| Error::unknown_name("algebraic variable", name, known))?,
                )
            }
        });
    }
    Ok(Expression { variables, function: spec.function.clone() })
}

/// Adds the constraints, after joints and gears.
pub(super) fn add_constraints(model: &Model, system: &mut Multibody) -> Result<(), Error> {
    if model.constraints.is_empty() {
        return Ok(());
    }
    for spec in &model.constraints {
        let expression = expression(model, system, &spec.equation)?;
        let constraint = ExpressedConstraint { name: spec.name.clone(), expression, scale: 1.0, row: 0 };
        let q = configuration(model);
        let memory = vec![0.0; system.n_memory()];
        let at = At { t: 0.0, q: &q, v: &[], vdot: &[], lambda: &[], s: &[], memory: &memory };
        let scaled = constraint.scaled(system.bodies_in_pairs(), &at, system.length_scale());
        system.add_constraint(scaled);
    }
    Ok(())
}

/// Adds states and algebraic variables.
pub(super) fn add_variables(model: &Model, system: &mut Multibody) -> Result<(), Error> {
    for spec in &model.states {
        let rate = expression(model, system, &spec.rate)?;
        system.add_state(FirstOrder { name: spec.name.clone(), rate, state: 0 });
    }
    for spec in &model.algebraic {
        let equation = expression(model, system, &spec.equation)?;
        system.add_algebraic(Algebraic { name: spec.name.clone(), equation, place: 0 }, spec.guess);
    }
    Ok(())
}

/// Initial positions and rotations of all bodies.
pub(crate) fn configuration(model: &Model) -> Vec<f64> {
    let mut q = Vec::new();
    for body in &model.bodies {
        let body = model.starting(body);
        if matches!(body.kind, BodyKind::Rigid { .. }) {
            let r = body.rotation.quaternion();
            q.extend_from_slice(&[r.w, r.i, r.j, r.k]);
        }
        q.extend_from_slice(body.position.as_slice());
    }
    model.modal.iter().for_each(|m| q.extend_from_slice(&m.coordinates));
    q
}
