//! The dimension of each key of a model file. The reader, its messages and its tests use this one table.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::Evaluator;
use crate::model::dimensions::COORDINATE;
use crate::model::expression::Dimension;
use crate::model::file_elements::ForceType;

/// The dimension of a key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// The dimension is not checked: directions, ratios of any quantities, matrices of mixed quantities.
    Anything,
    /// The dimension is always the same.
    Always(Dimension),
    /// The dimension is rad^a s^t for angles and m^a s^t for displacements, times N m or N.
    Coordinate {
        /// The power of the coordinate.
        power: i32,
        /// The power of time.
        time: i32,
        /// The power of its torque or force.
        effort: i32,
    },
    /// The output of a control (a torque or a force), with powers of the measured coordinate and of time.
    Output {
        /// The power of the measured coordinate.
        power: i32,
        /// The power of time.
        time: i32,
    },
    /// The coefficient of friction (a number) or of drag.
    Coefficient,
    /// The stiffness and damping of springs, bushings and joint springs, with a power of time.
    Compliance(i32),
}

const fn always(d: [i16; 4]) -> Wanted {
    Wanted::Always(Dimension::new(d))
}

const NUMBER: Wanted = always([0, 0, 0, 0]);
const LENGTH: Wanted = always([1, 0, 0, 0]);
const MASS: Wanted = always([0, 1, 0, 0]);
const TIME: Wanted = always([0, 0, 1, 0]);
const ANGLE: Wanted = always([0, 0, 0, 1]);
const VELOCITY: Wanted = always([1, 0, -1, 0]);
const ANGULAR_VELOCITY: Wanted = always([0, 0, -1, 1]);
const ACCELERATION: Wanted = always([1, 0, -2, 0]);
const FORCE: Wanted = always([1, 1, -2, 0]);
const PRESSURE: Wanted = always([-1, 1, -2, 0]);
const TORQUE: Wanted = always([2, 1, -2, 0]);
const INERTIA: Wanted = always([2, 1, 0, 0]);
const ANYTHING: Wanted = Wanted::Anything;

const fn coordinate(power: i32, time: i32, effort: i32) -> Wanted {
    Wanted::Coordinate { power, time, effort }
}

const fn output(power: i32, time: i32) -> Wanted {
    Wanted::Output { power, time }
}

/// Keys without their indices, and their dimensions. A key ends with `.*` if names follow.
pub const KEYS: &[(&str, Wanted)] = &[
    ("model.gravity", ACCELERATION),
    ("model.length_scale", LENGTH),
    ("parameters.*", ANYTHING),
    ("inputs.*", ANYTHING),
    ("tables.*", ANYTHING),
    ("include.count", NUMBER),
    ("include.parameters.*", ANYTHING),
    ("include.mirror", ANYTHING),
    ("include.position", LENGTH),
    ("gear.count", NUMBER),
    ("control.count", NUMBER),
    ("event.count", NUMBER),
    ("body.count", NUMBER),
    ("body.mass", MASS),
    ("body.inertia", INERTIA),
    // The density of a rod may be in kg/m or in kg/m^3.
    ("body.density", ANYTHING),
    ("body.markers.*", LENGTH),
    ("body.position", LENGTH),
    ("body.velocity", VELOCITY),
    ("body.angular_velocity", ANGULAR_VELOCITY),
    ("body.angular_velocity_global", ANGULAR_VELOCITY),
    ("body.motion.position", LENGTH),
    ("body.motion.roll_pitch_yaw", ANGLE),
    ("points.*", ANYTHING),
    ("body.modal.nodes.*", NUMBER),
    ("body.modal.damping_ratios", NUMBER),
    ("body.modal.coordinates", ANYTHING),
    ("body.modal.rates", ANYTHING),
    ("beam.count", NUMBER),
    ("beam.from", LENGTH),
    ("beam.to", LENGTH),
    ("beam.through", LENGTH),
    ("beam.points", LENGTH),
    ("beam.frames.position", LENGTH),
    ("beam.up", ANYTHING),
    ("beam.twist", ANGLE),
    ("beam.elements", NUMBER),
    ("beam.stations.*", NUMBER),
    ("beam.section.width", LENGTH),
    ("beam.section.height", LENGTH),
    ("beam.section.radius", LENGTH),
    ("beam.section.inner_radius", LENGTH),
    ("beam.young", PRESSURE),
    ("beam.poisson", NUMBER),
    ("beam.shear", PRESSURE),
    ("beam.density", always([-3, 1, 0, 0])),
    ("beam.shear_factors", NUMBER),
    // Bending and torsion are in N m^2, stretch and shear are in N.
    ("beam.stiffness", ANYTHING),
    ("beam.mass_per_length", always([-1, 1, 0, 0])),
    ("beam.inertia_per_length", always([1, 1, 0, 0])),
    ("beam.damping", TIME),
    ("beam.load", always([0, 1, -2, 0])),
    ("beam.velocity", VELOCITY),
    ("beam.angular_velocity", ANGULAR_VELOCITY),
    ("body.shape.parts.mass", MASS),
    ("body.shape.parts.density", ANYTHING),
    ("body.shape.parts.at", LENGTH),
    ("body.shape.parts.size", LENGTH),
    ("body.shape.parts.radius", LENGTH),
    ("body.shape.parts.inner_radius", LENGTH),
    ("body.shape.parts.length", LENGTH),
    ("body.shape.parts.scale", NUMBER),
    ("body.shape.inner_radius", LENGTH),
    ("body.shape.from", LENGTH),
    ("body.shape.to", LENGTH),
    ("body.shape.scale", NUMBER),
    ("body.shape.size", LENGTH),
    ("body.shape.radius", LENGTH),
    ("body.shape.length", LENGTH),
    ("body.look.size", LENGTH),
    ("body.look.radius", LENGTH),
    ("body.look.length", LENGTH),
    ("body.look.scale", NUMBER),
    ("body.look.at", LENGTH),
    ("joint.count", NUMBER),
    ("joint.point", LENGTH),
    ("joint.point2", LENGTH),
    ("joint.axis", ANYTHING),
    ("joint.axis2", ANYTHING),
    ("joint.drive", coordinate(1, 0, 0)),
    ("joint.drive_displacement", LENGTH),
    ("joint.coordinate", coordinate(1, 0, 0)),
    ("joint.rate", coordinate(1, -1, 0)),
    ("joint.pitch", LENGTH),
    ("gear.ratio", ANYTHING),
    ("force.count", NUMBER),
    ("force.point", LENGTH),
    ("force.point2", LENGTH),
    ("force.axis", ANYTHING),
    ("force.force", FORCE),
    ("force.torque", TORQUE),
    ("force.value", coordinate(0, 0, 1)),
    ("force.stiffness", Wanted::Compliance(0)),
    ("force.damping", Wanted::Compliance(1)),
    ("force.free_length", LENGTH),
    ("force.rest", coordinate(1, 0, 0)),
    ("force.preload", coordinate(0, 0, 1)),
    ("force.potential", TORQUE),
    ("force.table", ANYTHING),
    ("force.coefficient", Wanted::Coefficient),
    ("force.wind", VELOCITY),
    ("force.viscous", coordinate(-1, 1, 1)),
    ("force.radius", LENGTH),
    ("force.bearing_length", LENGTH),
    ("force.speed", coordinate(1, -1, 0)),
    ("force.constant", coordinate(0, 0, 1)),
    ("force.lower", coordinate(1, 0, 0)),
    ("force.upper", coordinate(1, 0, 0)),
    ("force.width", coordinate(1, 0, 0)),
    ("constraint.count", NUMBER),
    ("constraint.equation", ANYTHING),
    ("state.count", NUMBER),
    ("state.rate", ANYTHING),
    ("state.initial", ANYTHING),
    ("algebraic.count", NUMBER),
    ("algebraic.equation", ANYTHING),
    ("algebraic.guess", ANYTHING),
    ("control.set_point", coordinate(1, 0, 0)),
    ("control.proportional", output(-1, 0)),
    ("control.integral", output(-1, -1)),
    ("control.derivative", output(-1, 1)),
    ("control.filter", TIME),
    ("control.input", output(0, 0)),
    ("control.time", TIME),
    ("control.initial", output(0, 0)),
    ("sensor.count", NUMBER),
    ("sensor.point", LENGTH),
    ("sensor.value", ANYTHING),
    ("integrator.rho", NUMBER),
    ("integrator.hht", NUMBER),
    ("integrator.alpha_m", NUMBER),
    ("integrator.alpha_f", NUMBER),
    ("integrator.beta", NUMBER),
    ("integrator.gamma", NUMBER),
    ("integrator.start_s", NUMBER),
    ("integrator.sigma", NUMBER),
    ("integrator.sigma_predictor", NUMBER),
    ("integrator.newton_tolerance", NUMBER),
    ("integrator.theta", NUMBER),
    ("integrator.vartheta", NUMBER),
    ("integrator.lagrangian_quadrature", NUMBER),
    ("integrator.velocity_quadrature", NUMBER),
    ("integrator.position_quadrature", NUMBER),
    ("integrator.tol", NUMBER),
    ("integrator.atol_rotation", ANGLE),
    ("integrator.atol_position", LENGTH),
    ("integrator.atol_angular_velocity", ANGULAR_VELOCITY),
    ("integrator.atol_velocity", VELOCITY),
    ("run.step", TIME),
    ("run.max_step", TIME),
    ("run.until", TIME),
    ("run.project_velocity_at", TIME),
];

/// The entries of [`KEYS`] for a quick search. A model of thousands of bodies has many keys.
static BY_KEY: LazyLock<HashMap<&str, Wanted>> = LazyLock::new(|| KEYS.iter().copied().collect());

/// The keys of rotations, which can occur at any path.
const ROTATIONS: &[(&str, Wanted)] = &[(".axis", ANYTHING), (".angle", ANGLE), (".roll_pitch_yaw", ANGLE)];

/// The dimension of a key. Its path may have indices.
pub fn wanted(path: &str) -> Option<Wanted> {
    let mut key = String::with_capacity(path.len());
    let mut rest = path;
    while let Some((before, after)) = rest.split_once('[') {
        key.push_str(before);
        rest = after.split_once(']').map_or("", |(_, rest)| rest);
    }
    key.push_str(rest);
    if let Some(wanted) = BY_KEY.get(key.as_str()) {
        return Some(*wanted);
    }
    if key.split('.').any(|part| part == "rotation" || part == "inertia_frame") {
        let part = ROTATIONS.iter().find(|(end, _)| key.ends_with(end));
        return Some(part.map_or(ANYTHING, |(_, w)| *w));
    }
    // The names of bodies may contain dots.
    if key.starts_with("start.") {
        let ends = [(".position", LENGTH), (".angular_velocity", ANGULAR_VELOCITY), (".velocity", VELOCITY)];
        return ends.iter().find(|(end, _)| key.ends_with(end)).map(|(_, w)| *w);
    }
    let mut named = KEYS.iter().filter_map(|(pattern, wanted)| Some((pattern.strip_suffix('*')?, wanted)));
    named.find(|(start, _)| key.starts_with(start)).map(|(_, w)| *w)
}

/// Facts about the element whose numbers are evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownElement {
    /// True if its joint coordinate is an angle.
    pub angular: Option<bool>,
    /// True if the coordinate that a control drives is an angle.
    pub driven_angular: Option<bool>,
    /// The kind of force.
    pub force: Option<ForceType>,
}

/// The dimension of a torque (for angles) and of a force (for displacements).
const EFFORT: [Dimension; 2] = [Dimension::new([2, 1, -2, 0]), Dimension::new([1, 1, -2, 0])];

impl Evaluator {
    /// The dimension of a number at a path, if it is known.
    pub(super) fn expected(&self, path: &str) -> Option<Dimension> {
        let element = &self.element;
        let of = |angular: Option<bool>, power: i32, time: i32, effort: i32| {
            let i = usize::from(!angular?);
            let (effort_of, coordinate) = (EFFORT.get(i)?, COORDINATE.get(i)?);
            Some(coordinate.power(power).times(Dimension::SECOND.power(time)).times(effort_of.power(effort)))
        };
        match wanted(path)? {
            Wanted::Anything => None,
            Wanted::Always(dimension) => Some(dimension),
            Wanted::Coordinate { power, time, effort } => {
                let force = element.force.filter(|_| path.starts_with("force["));
                let angular = force.map_or(element.angular, |f| f.is_angle(element.angular, None));
                of(angular, power, time, effort)
            }
            Wanted::Output { power, time } => {
                let effort = of(element.driven_angular, 0, time, 1)?;
                Some(effort.times(of(element.angular, power, 0, 0)?))
            }
            Wanted::Coefficient => match element.force? {
                ForceType::Friction => Some(Dimension::NONE),
                ForceType::Drag | ForceType::Plate => Some(Dimension::new([-1, 1, 0, 0])),
                _ => None,
            },
            Wanted::Compliance(time) => {
                let index = path.rsplit_once('[').and_then(|(_, i)| i.strip_suffix(']')?.parse::<u32>().ok());
                of(element.force?.is_angle(element.angular, index), -1, time, 1)
            }
        }
    }

    /// The dimensions of the current joint coordinate and of its force or torque, if they are known.
    pub(in crate::model) fn coordinate_and_effort(&self) -> [Option<Dimension>; 2] {
        let i = self.element.angular.map(|angular| usize::from(!angular));
        [i.and_then(|i| COORDINATE.get(i).copied()), i.and_then(|i| EFFORT.get(i).copied())]
    }
}
