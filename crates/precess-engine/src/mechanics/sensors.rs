//! Sensors: named quantities of a motion, read from a system.

use nalgebra::{Vector1, Vector3};
use precess_lie::matrix::SmallMatrix;

use super::coordinate::Coordinate;
use super::forces::Force;
use super::joints::JointRows;
use super::kernels::{Measure, Row};
use super::mechanism::Mechanism;
use super::multibody::Multibody;
pub use super::quantity::{Quantity, Sensor, SensorFrame};
use super::reaction_group;
pub use super::sensor_formula::{FormulaSource, SensorFormula};
use super::system::{At, System};
use crate::mechanics::redundancy;

impl Quantity {
    /// Reads the sensor with the given multipliers; `out` has [`len`](Self::len) entries. No allocation
    /// except for reactions and efforts.
    pub fn read(&self, system: &Multibody, at: &At, out: &mut [f64]) {
        let bodies = system.bodies_in_pairs();
        let energy = || system.energy(at).unwrap_or_default();
        out[0] = match *self {
            Quantity::Coordinate(c) => c.position(bodies, at),
            Quantity::Rate(c) => c.rate(bodies, at),
            Quantity::SpringLength(force) | Quantity::SpringForce(force) => {
                let state = match system.force(force) {
                    Force::Spring(s) => s.state(bodies, at),
                    _ => [f64::NAN; 3],
                };
                match self {
                    Quantity::SpringLength(_) => state[0],
                    _ if system.is_force_on(force, at.memory) => state[2],
                    _ => 0.0,
                }
            }
            Quantity::Effort(force, _) => match system.is_force_on(force, at.memory) {
                true => reaction_group::effort(system.physics(), system.force(force), at).unwrap_or(f64::NAN),
                false => 0.0,
            },
            Quantity::DriveEffort(joint, c) => drive_effort(system, joint, &c, at),
            Quantity::Formula(i) => system.formulas()[i].value(at.t, &mut |k, out| {
                if let Some(sensor) = system.sensor_list().get(k) {
                    sensor.quantity.read(system, at, &mut out[..sensor.quantity.len()]);
                }
            }),
            Quantity::StrainEnergy(first, n) => {
                (first..first + n).map(|i| system.force(i).potential(bodies, at)).sum()
            }
            Quantity::ControlOutput(control) => system.control_list()[control].output(bodies, at),
            Quantity::State(i) => at.v.get(i).copied().unwrap_or(f64::NAN),
            Quantity::Algebraic(i) => at.s.get(i).copied().unwrap_or(f64::NAN),
            Quantity::KineticEnergy => energy().kinetic,
            Quantity::PotentialEnergy => energy().potential,
            Quantity::TotalEnergy => energy().total(),
            _ => return out.copy_from_slice(self.vector(system, at).as_slice()),
        };
    }

    /// The value of a quantity with three components; NaN for others.
    fn vector(&self, system: &Multibody, at: &At) -> Vector3<f64> {
        let bodies = system.bodies_in_pairs();
        match *self {
            Quantity::Position(body, p) => bodies.pose(body, at.q).point(&p),
            Quantity::Velocity(body, p) => bodies.point_velocity(body, at, &p),
            Quantity::Acceleration(body, p) => bodies.point_acceleration(body, at, &p),
            Quantity::AngularVelocity(body) => bodies.motion_of(body, at).omega,
            Quantity::Rotation { body, accelerates, inertial } => {
                let x = match accelerates {
                    true => bodies.acceleration_of(body, at).omega,
                    false => bodies.motion_of(body, at).omega,
                };
                if inertial { bodies.pose(body, at.q).r * x } else { x }
            }
            Quantity::GuideForce(joint, frame) => {
                let lambda = of_guide(system, joint, at);
                Quantity::ReactionForce(joint, frame).vector(system, &At { lambda: &lambda, ..*at })
            }
            Quantity::GuideTorque(joint, frame) => {
                let lambda = of_guide(system, joint, at);
                Quantity::ReactionTorque(joint, frame).vector(system, &At { lambda: &lambda, ..*at })
            }
            Quantity::TotalForce(group) | Quantity::TotalTorque(group) => {
                let total =
                    system.reaction_groups()[group].total(system.physics(), at, |i| system.reaction(i, at));
                total[usize::from(matches!(self, Quantity::TotalTorque(_)))]
            }
            Quantity::ReactionForce(joint, frame) | Quantity::ReactionTorque(joint, frame) => {
                let reaction = system.reaction(joint, at);
                let x = match self {
                    Quantity::ReactionForce(..) => reaction.force,
                    _ => reaction.torque,
                };
                let joint = &system.joint_list()[joint];
                match frame {
                    SensorFrame::Inertial => x,
                    SensorFrame::First => bodies.pose(joint.link.a, at.q).r.transposed_times(&x),
                    SensorFrame::Second => bodies.pose(joint.link.b, at.q).r.transposed_times(&x),
                }
            }
            Quantity::LinearMomentum => system.physics().momenta(at)[0],
            Quantity::AngularMomentum => system.physics().momenta(at)[1],
            Quantity::SectionForce(force) | Quantity::SectionMoment(force) => {
                let n = system.force(force).section_forces(bodies, at).unwrap_or([f64::NAN; 6]);
                let first = if matches!(self, Quantity::SectionForce(_)) { 3 } else { 0 };
                Vector3::new(n[first], n[first + 1], n[first + 2])
            }
            _ => Vector3::repeat(f64::NAN),
        }
    }
}

/// Rows of the drives of a joint; they are its last ones.
fn drive_rows(system: &Multibody, joint: usize) -> std::ops::Range<usize> {
    let joint = &system.joint_list()[joint];
    let drives = joint.rows.iter().filter(|rows| matches!(rows, JointRows::Drive(_))).count();
    joint.range.end - drives..joint.range.end
}

/// The multipliers without those of the drives of a joint.
fn of_guide(system: &Multibody, joint: usize, at: &At) -> Vec<f64> {
    let mut lambda = at.lambda.to_vec();
    lambda.get_mut(drive_rows(system, joint)).unwrap_or_default().fill(0.0);
    lambda
}

/// The effort of the drive of a joint along its coordinate. A joint may have two drives: that of the
/// coordinate has its direction.
fn drive_effort(system: &Multibody, index: usize, c: &Coordinate, at: &At) -> f64 {
    let (joint, bodies) = (&system.joint_list()[index], system.bodies_in_pairs());
    let arrays = |row: &Row<f64>| [row.a.to_array(), row.b.to_array()].concat();
    let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let along = arrays(&c.motion.bt_lambda(&bodies.pair(c.link, at.q), &Vector1::new(1.0)));
    let (pair, size) = (joint.pair(bodies, at.q), dot(&along, &along));
    let mut lambda = vec![0.0; at.lambda.len()];
    for row in drive_rows(system, index) {
        lambda[row] = 1.0;
        let one = arrays(&joint.bt_lambda(&pair, &At { lambda: &lambda, ..*at }));
        lambda[row] = 0.0;
        let projected = dot(&one, &along);
        // Nothing acts while the drive is off.
        if dot(&one, &one) == 0.0 || projected * projected > 0.999_999 * dot(&one, &one) * size {
            return -at.lambda[row] * projected / size;
        }
    }
    f64::NAN
}

impl Multibody {
    /// Values of all sensors with their names, in the order of the model.
    pub(super) fn read_sensors(&self, at: &At) -> Vec<(String, Vec<f64>)> {
        // For redundant joints, reactions of minimum norm are reported.
        let lambda = redundancy::filtered_multipliers(self, at);
        let at = &At { lambda: &lambda, ..*at };
        self.sensor_list()
            .iter()
            .map(|s| {
                let mut values = vec![0.0; s.quantity.len()];
                s.quantity.read(self, at, &mut values);
                (s.name.clone(), values)
            })
            .collect()
    }
}

/// Name, values and unit of a sensor.
pub type Shown = (String, Vec<f64>, &'static str);

/// Sensors for a summary, without the section forces of beams, and the number of the latter.
pub fn for_summary(system: &dyn Mechanism, at: &At) -> (Vec<Shown>, usize) {
    let sensors = system.sensors(at);
    let (all, mut units) = (sensors.len(), system.sensor_units());
    units.resize(all, "");
    let list = Multibody::of(system).map(|m| m.sensor_list()).unwrap_or_default();
    let section = |i: usize| list.get(i).is_some_and(|s| s.quantity.is_section());
    let shown: Vec<_> = sensors
        .into_iter()
        .zip(units)
        .enumerate()
        .filter(|(i, _)| !section(*i))
        .map(|(_, ((name, x), unit))| (name, x, unit))
        .collect();
    let hidden = all - shown.len();
    (shown, hidden)
}

/// The value of one sensor by name; `None` if there is no such sensor.
pub fn read(system: &dyn Mechanism, name: &str, at: &At) -> Option<Vec<f64>> {
    system.sensors(at).into_iter().find(|(n, _)| n == name).map(|(_, values)| values)
}
