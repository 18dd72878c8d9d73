//! Dimensions of what expressions read while a model moves: time, joint coordinates, sensors, positions.

use super::elements::{At, Of, SensorKind};
use super::expressed::{MeasuredSpec, VariableSpec};
use super::expression;
use super::expression::culprit::ExpressionSource;
use super::expression::{Dimension, Expression};
use super::measured::{Known, PREFIX};
use super::spec::JointSpec;

/// Angle, displacement.
pub(super) const COORDINATE: [Dimension; 2] = [Dimension::new([0, 0, 0, 1]), LENGTH];
const LENGTH: Dimension = Dimension::new([1, 0, 0, 0]);
const FORCE: Dimension = Dimension::new([1, 1, -2, 0]);
const ENERGY: Dimension = Dimension::new([2, 1, -2, 0]);

/// Joints by name.
pub(super) type Joints<'a> = &'a dyn Fn(&str) -> Option<&'a JointSpec>;

/// The variables of a formula on a joint: `t`, its coordinate `x` with this dimension, and its rate `v`.
pub(super) fn of_formula(name: &str, coordinate: Option<Dimension>) -> Option<Dimension> {
    match name {
        "t" => Some(Dimension::SECOND),
        "x" => coordinate,
        "v" => Some(coordinate?.over(Dimension::SECOND)),
        "l" => Some(LENGTH),
        _ => None,
    }
}

fn of_coordinate(at: &At, joints: Joints) -> Option<Dimension> {
    let kind = joints(&at.joint)?.kind;
    let angle = kind.has_angle() && at.of != Of::Displacement;
    COORDINATE.get(usize::from(!angle)).copied()
}

/// What a sensor measures; none if that is not known.
pub(super) fn of_sensor(kind: &SensorKind, joints: Joints) -> Option<Dimension> {
    use SensorKind::*;
    match kind {
        Position(..) | SpringLength(_) => Some(LENGTH),
        Velocity(..) => Some(LENGTH.over(Dimension::SECOND)),
        Acceleration(..) => Some(LENGTH.over(Dimension::SECOND.power(2))),
        AngularVelocity(_) | Rotation { accelerates: false, .. } => Some(Dimension::new([0, 0, -1, 1])),
        Rotation { .. } => Some(Dimension::new([0, 0, -2, 1])),
        GuideForce(..) | TotalForce(_) => Some(FORCE),
        GuideTorque(..) | TotalTorque(..) => Some(ENERGY),
        Formula(_, unit) => expression::units::parse(unit).ok().map(|u| u.dimension),
        DriveEffort(at) => {
            of_coordinate(at, joints).map(|d| ENERGY.over(d)).map(|d| if d == FORCE { d } else { ENERGY })
        }
        Coordinate(at) => of_coordinate(at, joints),
        Rate(at) => of_coordinate(at, joints).map(|d| d.over(Dimension::SECOND)),
        ReactionForce(..) | SpringForce(_) | SectionForce(_) => Some(FORCE),
        ReactionTorque(..) | SectionMoment(_) => Some(ENERGY),
        KineticEnergy | PotentialEnergy | TotalEnergy | StrainEnergy(_) => Some(ENERGY),
        LinearMomentum => Some(FORCE.times(Dimension::SECOND)),
        AngularMomentum => Some(ENERGY.times(Dimension::SECOND)),
        Effort(_) | ControlOutput(_) | State(_) | Algebraic(_) => None,
    }
}

/// A variable of an expression of positions.
pub(super) fn of_variable(variable: &VariableSpec, joints: Joints) -> Option<Dimension> {
    let measured = |m: &MeasuredSpec| match m {
        MeasuredSpec::Place { .. } | MeasuredSpec::Distance(_) => Some(LENGTH),
        MeasuredSpec::Joint(at) => of_coordinate(at, joints),
    };
    match variable {
        VariableSpec::Time => Some(Dimension::SECOND),
        VariableSpec::Value(m) => measured(m),
        VariableSpec::Rate(m) => measured(m).map(|d| d.over(Dimension::SECOND)),
        VariableSpec::State(_) | VariableSpec::Algebraic(_) => None,
    }
}

/// Refuses an expression of positions that mixes dimensions; its message shows the words that were written.
pub(super) fn check(expression: &Expression, known: &Known, list: &[VariableSpec]) -> Result<(), String> {
    if known.names.dimensions.is_empty() && !expression.has_units() && expression.called().next().is_none() {
        return Ok(());
    }
    let joints = |name: &str| known.model.joints.iter().find(|j| j.name == name);
    let variables = |name: &str| {
        let place = name.strip_prefix(PREFIX)?.parse::<usize>().ok()?;
        of_variable(list.get(place)?, &joints)
    };
    let words = list.iter().enumerate().map(|(i, v)| (format!("{PREFIX}{i}"), v.word())).collect();
    let source = ExpressionSource::of_words(words);
    expression.kind_with(known.names, &variables).map(|_| ()).map_err(|e| source.shown(&e))
}
