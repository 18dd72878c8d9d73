//! Reads the drives of a joint. They are functions of time that begin at zero and do not jump.

use super::Evaluator;
use crate::mechanics::Function;
use crate::mechanics::function::{Argument, MAX_READ};
use crate::mechanics::joints::JointKind;
use crate::model::file::JointBlock;
use crate::model::formula::Need;
use crate::model::spec::JointSpec;

/// The largest number of breakpoints of a drive that are checked for jumps.
const MOST_LOOKED_AT: usize = 10_000;

impl Evaluator {
    pub(super) fn drive(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec) {
        if block.coordinate.is_some() && !(spec.kind.has_angle() || spec.kind.has_displacement()) {
            self.problem(
                &format!("{path}.coordinate"),
                format!("joint '{}' has no coordinate", spec.name),
                "revolute, prismatic and cylindrical joints have one",
            );
        }
        self.second_drive(path, block, spec);
        let Some(drive) = &block.drive else {
            self.unused(
                path,
                "a joint without a drive",
                &[("drive_enabled", block.drive_enabled.is_some())],
                &["drive"],
            );
            return;
        };
        let at = format!("{path}.drive");
        if !(spec.kind.has_angle() || spec.kind.has_displacement()) {
            self.problem(
                &at,
                format!("joint '{}' has no coordinate that can be driven", spec.name),
                "revolute, prismatic, cylindrical, planar, screw and point-on-line joints have an angle or \
                 a displacement, and generic joints with one free motion; use motion of a [[body]] for \
                 all six, or a [[force]]",
            );
            return;
        }
        let function = self.function(&at, drive, Need::Motion);
        if !function.signals().is_empty() {
            self.problem(
                &at,
                "an input may jump, but a driven joint cannot",
                "let a [[control]] follow the input, or an actuator",
            );
        }
        let [start, ..] = function.motion(0.0);
        self.has_a_start(&at, &function);
        if !self.rough && block.drive_enabled != Some(false) && (start - spec.coordinate).abs() > 1e-8 {
            self.problem(
                &at,
                format!("the drive starts at {start}, the coordinate at t = 0 is {}", spec.coordinate),
                "set coordinate to the value in the given positions, let the drive start there, or let \
                 the assembly move \
                 the bodies",
            );
        }
        self.follows(&at, &function);
        spec.drive = Some(function);
    }

    /// Reads the drive of the displacement of a joint that also has an angle.
    fn second_drive(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec) {
        let Some(drive) = &block.drive_displacement else { return };
        let at = format!("{path}.drive_displacement");
        let apart = matches!(spec.kind, JointKind::Cylindrical | JointKind::Generic(_));
        if !(apart && spec.kind.has_angle() && spec.kind.has_displacement()) {
            self.problem(
                &at,
                format!("joint '{}' has no displacement beside an angle", spec.name),
                "cylindrical joints have one; for other joints write drive",
            );
            return;
        }
        let angular = self.element.angular.replace(false);
        let function = self.function(&at, drive, Need::Motion);
        self.element.angular = angular;
        self.begins_at_zero(&at, &function);
        if block.drive_enabled.is_some() {
            let message = "the two drives of a joint cannot be switched";
            self.problem(&format!("{path}.drive_enabled"), message, "leave it out");
        }
        self.follows(&at, &function);
        spec.drive_displacement = Some(function);
    }

    /// Checks that a prescribed motion has a value at t = 0. If not, the message names the cause.
    fn has_a_start(&mut self, path: &str, function: &Function) {
        let [start, ..] = function.motion(0.0);
        if !start.is_finite() {
            let culprit = function.culprit(Argument::time(0.0), &[0.0; MAX_READ]);
            let message = culprit.unwrap_or_else(|| format!("the value is {start}"));
            self.problem(path, message, "let the motion have a value from the beginning");
        }
    }

    /// Checks that a motion is zero at t = 0. It is added to the given positions.
    pub(super) fn begins_at_zero(&mut self, path: &str, function: &Function) {
        let [start, ..] = function.motion(0.0);
        self.has_a_start(path, function);
        if !self.rough && start.abs() > 1e-8 {
            self.problem(
                path,
                format!("the motion starts at {start}, and it is added to the positions at t = 0"),
                "let it start at zero",
            );
        }
    }

    /// Checks that a joint can follow a drive. The acceleration may jump, but position and velocity may not.
    pub(super) fn follows(&mut self, path: &str, drive: &Function) {
        let jump = announced_jump(drive, self.until).or_else(|| hidden_jump(drive, self.until));
        if let Some((what, t, from, to)) = jump {
            self.problem(
                path,
                format!("the {what} of the drive jumps at t = {t} s from {from:.6} to {to:.6}"),
                "use step(t, t0, t1), a profile, ramp(t, t0, w), or a table with interpolation = \
                 \"cubic\" or \"akima\"",
            );
        }
    }
}

/// The first jump of the position or the velocity of a drive where one of its functions jumps or bends.
fn announced_jump(drive: &Function, until: f64) -> Option<DriveJump> {
    drive.breakpoints(0.0, until).into_iter().take(MOST_LOOKED_AT).find_map(|t| {
        let before = t - 1e-9 * (1.0 + t);
        let ([x, v, a], [x_b, v_b, a_b]) = (drive.motion(t), drive.motion(before));
        let dt = t - before;
        let size = 1e-6 * (v.abs() + v_b.abs()) + 10.0 * dt * (a.abs() + a_b.abs()) + 1e-9;
        if (x - x_b).abs() > 1e-9 * x.abs() + 10.0 * dt * (v.abs() + v_b.abs()) + 1e-9 {
            Some(("position", t, x_b, x))
        } else {
            ((v - v_b).abs() > size).then_some(("velocity", t, v_b, v))
        }
    })
}

/// Number of intervals in which jumps are sought that no function announces. Prime, so that round times lie
/// within.
const INTERVALS: usize = 1_999;
/// At most so many intervals are searched to the end.
const MOST_SEARCHED: usize = 100;
/// A change that keeps this part of its size while its interval shrinks is a jump.
const KEPT: f64 = 0.25;

/// A jump: what jumps, when, and the values before and after.
type DriveJump = (&'static str, f64, f64, f64);

/// The first jump of the position or the velocity of a drive that none of its functions announces, as that of
/// asin(sin(t)) or sqrt((t-1)^2): a change over an interval that velocities or accelerations at its ends do
/// not explain, and that stays while the interval shrinks.
fn hidden_jump(drive: &Function, until: f64) -> Option<DriveJump> {
    if drive.constant().is_some() || !(until > 0.0 && until.is_finite()) {
        return None;
    }
    let at = |i: usize| until * i as f64 / INTERVALS as f64;
    // The value that may jump, and its slope.
    let part = |[x, v, a]: [f64; 3], velocity: bool| if velocity { [v, a] } else { [x, v] };
    let motions: Vec<[f64; 3]> = (0..=INTERVALS).map(|i| drive.motion(at(i))).collect();
    let is_suspect = |&(i, velocity): &(usize, bool)| {
        let (Some(a), Some(b)) = (motions.get(i), motions.get(i + 1)) else { return false };
        let ([f_a, s_a], [f_b, s_b]) = (part(*a, velocity), part(*b, velocity));
        let explained = 3.0 * (at(i + 1) - at(i)) * s_a.abs().max(s_b.abs());
        (f_b - f_a).abs() > explained + 1e-6 * (f_a.abs() + f_b.abs()) + 1e-9
    };
    let suspects =
        (0..INTERVALS).flat_map(|i| [(i, false), (i, true)]).filter(is_suspect).take(MOST_SEARCHED);
    let jump = |(i, velocity): (usize, bool)| {
        let value = |t: f64| {
            let [f, _] = part(drive.motion(t), velocity);
            f
        };
        let (mut a, mut b) = (at(i), at(i + 1));
        let (mut from, mut to) = (value(a), value(b));
        let first = (to - from).abs();
        while b - a > 1e-9 * (1.0 + b) {
            // An irregular division: a jump in the middle of an interval is not hit.
            let middle = a + 0.47 * (b - a);
            let there = value(middle);
            if !there.is_finite() {
                break;
            }
            if (there - from).abs() > (to - there).abs() {
                (b, to) = (middle, there)
            } else {
                (a, from) = (middle, there)
            }
        }
        let what = if velocity { "velocity" } else { "position" };
        ((to - from).abs() >= KEPT * first).then_some((what, b, from, to))
    };
    suspects.filter_map(jump).next()
}
