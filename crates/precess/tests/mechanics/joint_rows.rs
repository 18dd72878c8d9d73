//! Rows of joints by themselves: which motions a joint locks, what follows from it, and drives against the
//! motion they prescribe.

use nalgebra::{Matrix3, Rotation3, Vector3};
use precess::integrate::InitialValues;
use precess::mechanics::joints::generic::Locks;
use precess::mechanics::joints::{Drive, Frame, JointKind, JointRows, When};
use precess::mechanics::kernels::{Group, Marker, Motion, Pair, PairMotion, Pose};
use precess::model::formula::{Need, formula};
use precess::model::{build, load};
use precess::study::larger;

const GROUPS: [Group; 2] = [Group::R3xSO3, Group::SE3];
const LENGTH: f64 = 2.5;

fn marker() -> Marker {
    Marker { p: Vector3::zeros(), c: Matrix3::identity() }
}

fn frame(group: Group, distance: f64) -> Frame {
    Frame { a: marker(), b: marker(), length: LENGTH, group, distance }
}

fn unit(i: usize) -> Vector3<f64> {
    Matrix3::identity().column(i).into_owned()
}

/// B w of all rows for the motion w of body b, in the assembled position with b away by `x`.
fn rates(
    rows: &[JointRows],
    group: Group,
    x: Vector3<f64>,
    omega: Vector3<f64>,
    u: Vector3<f64>,
) -> Vec<f64> {
    let pair = Pair::new(group, &Pose::ground(), &Pose { r: Matrix3::identity(), x });
    let motion = PairMotion { a: Motion::rest(), b: Motion { omega, u } };
    let mut all = Vec::new();
    for row in rows {
        let mut out = vec![0.0; row.len()];
        row.velocity(When::default(), &pair, &motion, &mut out);
        all.extend(out);
    }
    all
}

/// Locked translations and rotations, in the order of the axes of a.
fn locked(kind: JointKind, group: Group) -> [[bool; 3]; 2] {
    // A rod needs a length, along a_1.
    let x = if kind == JointKind::RigidDistance { 0.7 * unit(0) } else { Vector3::zeros() };
    let rows = kind.rows(&frame(group, x.norm()));
    let moves = |omega: Vector3<f64>, u: Vector3<f64>| {
        rates(&rows, group, x, omega, u).iter().any(|r| r.abs() > 1e-12)
    };
    let zero = Vector3::zeros();
    [std::array::from_fn(|i| moves(zero, unit(i))), std::array::from_fn(|i| moves(unit(i), zero))]
}

fn kinds() -> Vec<(JointKind, [[bool; 3]; 2])> {
    let (t, f) = (true, false);
    let mut list = vec![
        (JointKind::Spherical, [[t, t, t], [f, f, f]]),
        (JointKind::Revolute, [[t, t, t], [t, t, f]]),
        (JointKind::Prismatic, [[t, t, f], [t, t, t]]),
        (JointKind::Universal, [[t, t, t], [f, f, t]]),
        (JointKind::Cylindrical, [[t, t, f], [t, t, f]]),
        (JointKind::Planar, [[f, f, t], [t, t, f]]),
        (JointKind::Fixed, [[t, t, t], [t, t, t]]),
        (JointKind::PointOnPlane, [[f, f, t], [f, f, f]]),
        (JointKind::PointOnLine, [[t, t, f], [f, f, f]]),
        (JointKind::RigidDistance, [[t, f, f], [f, f, f]]),
    ];
    for bits in 0..64 {
        let bit = |i: usize| (bits >> i) & 1 == 1;
        let (translation, rotation) = ([bit(0), bit(1), bit(2)], [bit(3), bit(4), bit(5)]);
        list.push((JointKind::Generic(Locks { translation, rotation }), [translation, rotation]));
    }
    list
}

/// A joint locks the motions that it names and no others, with one row per motion. The rest follows: b_k
/// keeps its direction if rotations about both other axes are locked; an angle or a displacement is the
/// motion that is left about or along one axis.
#[test]
fn every_joint_locks_what_it_says() {
    for (kind, expected) in kinds() {
        for group in GROUPS {
            assert_eq!(locked(kind, group), expected, "{kind:?} {group:?}");
            let rows = kind.rows(&frame(group, 0.7));
            let n: usize = rows.iter().map(JointRows::len).sum();
            assert_eq!(n, expected.iter().flatten().filter(|x| **x).count(), "{kind:?}");
            assert!(rows.iter().all(|r| !r.is_empty()));
        }
        let [translation, rotation] = expected;
        let others = |k: usize| (0..3).filter(|i| *i != k).all(|i| rotation[i]);
        assert_eq!(kind.upright(), [0, 1, 2].map(others), "{kind:?}");
        let only_third_is_free = [true, true, false];
        assert_eq!(kind.has_angle(), rotation == only_third_is_free, "{kind:?}");
        // A universal joint has no position of its own along a_3, a point on a line has.
        assert_eq!(kind.has_displacement(), translation == only_third_is_free, "{kind:?}");
    }
}

/// Rows of angles do not depend on translations, and rows of lengths are divided by the length of the model.
/// Only coincidence in inertial components is the same for all poses.
#[test]
fn angles_and_lengths() {
    let zero = Vector3::zeros();
    for (kind, _) in kinds() {
        for group in GROUPS {
            let rows = kind.rows(&frame(group, 0.7));
            for row in &rows {
                let one = std::slice::from_ref(row);
                let along = |i| rates(one, group, 0.7 * unit(0), zero, unit(i));
                let largest = (0..3).flat_map(along).fold(0.0, |m: f64, x| larger(m, x.abs()));
                let expected = if row.is_rotation() { 0.0 } else { 1.0 / LENGTH };
                assert!((largest - expected).abs() < 1e-14, "{row:?}: {largest}");
                assert_eq!(row.is_curved(), !matches!(row, JointRows::Point(_)), "{row:?}");
            }
            let free = matches!(kind, JointKind::Spherical | JointKind::Revolute) && group == Group::R3xSO3;
            assert!(!free || rows.iter().any(|r| !r.is_curved()), "{kind:?}");
        }
    }
}

/// A drive that was shifted, at an angle theta or a displacement x of its own: the row is sin(phi - theta) or
/// (phi - x)/L, and its first and second derivatives along the motion are those of the formula. On the wrong
/// side of an angle it is not a number.
#[test]
fn drives_follow_their_functions() {
    let function = formula("0.3 + 1.2*t - 0.7*t^2", Need::Motion).unwrap();
    let (t, shift, zero) = (0.4_f64, -0.25, 0.15);
    let when = When { t, shift };
    let phi = [0.3 + 1.2 * t - 0.7 * t * t + shift - zero, 1.2 - 1.4 * t, -1.4];
    for group in GROUPS {
        for x in [[0.2, 0.9, -1.3], [1.4, -0.6, 0.8], [-0.9, 2.0, 0.1]] {
            let [now, rate, second] = x;
            let turned = Pose {
                r: *Rotation3::from_axis_angle(&Vector3::z_axis(), now).matrix(),
                x: Vector3::zeros(),
            };
            let pair = Pair::new(group, &Pose::ground(), &turned);
            let about = |w: f64| PairMotion {
                a: Motion::rest(),
                b: Motion { omega: w * unit(2), u: Vector3::zeros() },
            };
            let drive = Drive::angle(&marker(), &marker(), function.clone(), zero);
            assert!(drive.is_rotation() && JointRows::Drive(Box::new(drive.clone())).is_rotation());
            // The torque and the force that act along the coordinate: -dPhi/dx lambda.
            assert_eq!(drive.effort(3.0), 3.0);
            let (sin, cos) = (phi[0] - now).sin_cos();
            let relative = [phi[1] - rate, phi[2] - second];
            let found = [
                drive.value(when, &pair),
                drive.velocity(when, &pair, &about(rate)),
                drive.acceleration(when, &pair, &about(rate), &about(second)),
            ];
            let expected = [sin, cos * relative[0], cos * relative[1] - sin * relative[0].powi(2)];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-13, "angle {now}: {found} {expected}");
            }

            let moved = Pose { r: Matrix3::identity(), x: now * unit(2) };
            let pair = Pair::new(group, &Pose::ground(), &moved);
            let along = |u: f64| PairMotion {
                a: Motion::rest(),
                b: Motion { omega: Vector3::zeros(), u: u * unit(2) },
            };
            let drive = Drive::displacement(&marker(), &marker(), LENGTH, function.clone(), zero);
            assert!(!drive.is_rotation() && !JointRows::Drive(Box::new(drive.clone())).is_rotation());
            assert!((drive.effort(3.0) - 3.0 / LENGTH).abs() < 1e-15);
            assert_eq!(drive.culprit(t), None);
            let broken = formula("sqrt(t - 1)", Need::Motion).unwrap();
            let broken = Drive::displacement(&marker(), &marker(), LENGTH, broken, zero).culprit(t).unwrap();
            assert!(broken.contains("sqrt(t - 1)"), "{broken}");
            let found = [
                drive.value(when, &pair),
                drive.velocity(when, &pair, &along(rate)),
                drive.acceleration(when, &pair, &along(rate), &along(second)),
            ];
            let expected = [phi[0] - now, relative[0], relative[1]].map(|x| x / LENGTH);
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-13, "displacement {now}: {found} {expected}");
            }
        }
        // Just before and just after a right angle between drive and joint, on both sides.
        for (away, defined) in [(1.5, true), (1.6, false), (-1.5, true), (-1.6, false), (3.1, false)] {
            let angle = phi[0] + away;
            let turned = Pose {
                r: *Rotation3::from_axis_angle(&Vector3::z_axis(), angle).matrix(),
                x: Vector3::zeros(),
            };
            let pair = Pair::new(group, &Pose::ground(), &turned);
            let value = Drive::angle(&marker(), &marker(), function.clone(), zero).value(when, &pair);
            assert_eq!(value.is_nan(), !defined, "{away}: {value}");
        }
    }
}

/// A rack that falls and turns a pinion: (m + J/n^2) x'' = m g. The row is -(x + n theta)/L, so lambda/L is
/// the force on the rack.
#[test]
fn rack_and_pinion() {
    let (m, j, n, g, length) = (2.0, 0.05, 0.3, 9.81, 4.0);
    let text = format!(
        r#"
        model = {{ gravity = [{g}, 0, 0], length_scale = {length} }}
        body = [
            {{ name = "rack", mass = {m}, inertia = [1, 1, 1], position = [0, 1, 0] }},
            {{ name = "pinion", mass = 1, inertia = [1, 1, {j}], position = [0, 0, 0] }},
        ]
        joint = [
            {{ name = "guide", type = "prismatic", bodies = ["ground", "rack"], point = [0, 1, 0],
                axis = [1, 0, 0], coordinate = 0.35 }},
            {{ name = "bearing", type = "revolute", bodies = ["ground", "pinion"], point = [0, 0, 0],
                axis = [0, 0, 1], coordinate = -0.2 }},
        ]
        gear = [{{ name = "teeth", joints = ["guide", "bearing"], ratio = {n} }}]
        "#
    );
    for formulation in ["r3so3", "se3"] {
        let loaded = load("rack", &text, &[format!("integrator.formulation={formulation}")]).unwrap();
        let built = build(&loaded.model, loaded.settings.formulation).unwrap();
        let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let row =
            (0..state.lambda.len()).find(|i| built.system.constraint_name(*i).contains("teeth")).unwrap();
        let x = m * g / (m + j / (n * n));
        // Velocities of a body are angular first.
        assert!(
            (state.vdot[3] - x).abs() < 1e-12 && (state.vdot[6 + 2] + x / n).abs() < 1e-12,
            "{:?}",
            state.vdot
        );
        let force = state.lambda[row] / length;
        assert!((force - m * (x - g)).abs() < 1e-11, "{force} {}", m * (x - g));
        // Moved apart by hand.
        let mut moved = state.clone();
        let (dx, turn) = (0.2, 0.1_f64);
        moved.q[4] += dx;
        (moved.q[7], moved.q[7 + 3]) = ((0.5 * turn).cos(), (0.5 * turn).sin());
        let mut phi = vec![0.0; state.lambda.len()];
        built.system.constraint(&moved.at(), &mut phi);
        assert!((phi[row] + (dx + n * turn) / length).abs() < 1e-14, "{}", phi[row]);
    }
}
