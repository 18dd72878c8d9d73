//! Kernels in small problems with closed form solutions: angles, a moving ground, a pendulum, springs.

use super::kernels_joints::{Joint, rows};
use crate::kernels_util::*;
use nalgebra::{DMatrix, DVector, SVector};
use precess::lie::Largest;
use precess::mechanics::kernels::*;
use precess::study::larger;
use std::f64::consts::{PI, TAU};

#[test]
fn angle_of_a_revolute_joint() {
    let errors = Errors::default();
    for_cases(100, |c| {
        let theta = c.extra[7].x * 1.5;
        let c = c.joined(&rotation(&(V3::z() * theta)), &V3::zeros());
        let angle = Angle::new(&c.ma, &c.mb);
        for group in GROUPS {
            let pair = c.pair(group);
            errors.add("value", (angle.value(&pair).x - theta).abs());
            errors.add("margin", (angle.margin(&pair) - 1.0).abs());
            let row = angle.rows(&pair)[0];
            let found = [row.a.rot + c.ma.axis(2), row.b.rot - c.mb.axis(2)];
            errors.add("row", larger(found[0].largest(), found[1].largest()));
            // A driver row without history: sin(phi - theta).
            let phi = c.extra[6].x;
            let n = c.ma.axis(0) * phi.sin() - c.ma.axis(1) * phi.cos();
            let driver = Directions::perpendicular([n], c.mb.axis(0));
            let e = driver.value(&pair).x - (phi - theta).sin();
            errors.add("driver", e.abs());
        }
        // A rotation vector for the same frames.
        let gibbs = Gibbs::new(&c.ma, &c.mb);
        let pair = c.pair(Group::SE3);
        if gibbs.margin(&pair) > Gibbs::MIN_MARGIN {
            let expected = V3::z() * (2.0 * (theta / 2.0).tan());
            errors.add("gibbs", error(&gibbs.value(&pair), &expected));
        }
    });
    errors.finish(&[("", 1e-13)]);
}

#[test]
fn unwrapping_over_twenty_turns() {
    let ma = Marker { p: V3::zeros(), c: M3::identity() };
    let angle = Angle::new(&ma, &ma);
    let raw = |theta: f64| {
        let b = Pose { r: rotation(&(V3::z() * theta)), x: V3::zeros() };
        let pair = Pair::new(Group::SE3, &Pose::ground(), &b);
        angle.value(&pair).x
    };
    let mut worst: f64 = 0.0;
    for direction in [1.0, -1.0] {
        let (steps, turns) = (400, 20.0);
        let rate = direction * turns * TAU / f64::from(steps);
        let mut accepted = 0.0;
        for i in 1..=steps {
            let theta = rate * f64::from(i);
            // A rejected step far away must leave no trace.
            let _ = unwrap_angle(raw(theta + 2.0), accepted + rate);
            // A predicted reference allows steps close to half a turn of error.
            accepted = unwrap_angle(raw(theta), accepted + rate + 3.0 * direction);
            worst = larger(worst, (accepted - theta).abs());
        }
        assert!((accepted - direction * turns * TAU).abs() < 1e-12);
    }
    println!("unwrap {worst:.1e}");
    assert!(worst < 1e-12);
    assert_eq!(unwrap_angle(-3.0, 3.0), -3.0 + TAU);
    assert_eq!(unwrap_angle(0.5, 0.1), 0.5);
    assert!((unwrap_angle(0.5, -40.0 * PI) - 0.5 + 40.0 * PI).abs() < 1e-13);
}

#[test]
fn moving_ground() {
    let errors = Errors::default();
    for_cases(50, |c| {
        for group in GROUPS {
            let pair = c.pair(group);
            let carried = PairMotion { a: c.v.a, b: Motion::rest() };
            check_moving(&errors, "P", &Point::difference(c.ma.p, c.mb.p), &pair, c, &carried);
            let t3 = Offset::coincidence(&c.ma, &c.mb, c.length);
            check_moving(&errors, "T3", &t3, &pair, c, &carried);
            let d1 = Directions::perpendicular([c.ma.axis(0)], c.mb.axis(2));
            check_moving(&errors, "D1", &d1, &pair, c, &carried);
            let len = Length::new(c.ma.p, c.mb.p, 0.3);
            check_moving(&errors, "LEN", &len, &pair, c, &carried);
        }
    });
    errors.finish(&[("B_t", 1e-9), ("total", 1e-13)]);
}

/// With body a carried along: the time derivative of the columns of b is part b of `Y`, and
/// `Z_b + 2 B_t v_b + Z_a` is the curvature of both.
fn check_moving<const N: usize>(
    errors: &Errors,
    name: &str,
    m: &impl Measure<N>,
    pair: &Pair,
    c: &Case,
    carried: &PairMotion,
) {
    let b_t = m.y_rows(pair, carried);
    let w = flat(carried);
    for (i, row) in b_t.iter().enumerate() {
        let expected = derivative(|t| row_vector(&m.rows(&moved(pair, &w, t))[i]));
        let expected = expected.fixed_rows::<6>(6).into_owned();
        let found = SVector::from(row.b.to_array());
        errors.add(&format!("B_t {name}"), error(&found, &expected));
    }
    let own = PairMotion { a: Motion::rest(), b: c.v.b };
    let mut total = m.z(pair, &own) + m.z(pair, carried);
    for i in 0..N {
        total[i] += 2.0 * b_t[i].b.dot(&c.v.b);
    }
    let z = m.z(pair, &c.v);
    errors.add(&format!("total {name}"), error(&total, &z));
}

/// Accelerations and multipliers of body b on the ground a.
fn solve(m: f64, j: &M3, g: &Wrench, rows: &[Row], z: &[f64]) -> (SVector<f64, 6>, DVector<f64>) {
    let n = rows.len();
    let mut lhs = DMatrix::zeros(6 + n, 6 + n);
    let mut rhs = DVector::zeros(6 + n);
    lhs.view_mut((0, 0), (3, 3)).copy_from(j);
    for i in 0..6 {
        if i > 2 {
            lhs[(i, i)] = m;
        }
        rhs[i] = -g.to_array()[i];
        for k in 0..n {
            lhs[(i, 6 + k)] = rows[k].b.to_array()[i];
            lhs[(6 + k, i)] = rows[k].b.to_array()[i];
        }
    }
    for k in 0..n {
        rhs[6 + k] = -z[k];
    }
    let x = lhs.lu().solve(&rhs).expect("regular");
    (x.fixed_rows::<6>(0).into_owned(), x.rows(6, n).into_owned())
}

#[test]
fn physical_pendulum() {
    let errors = Errors::default();
    let m = 1.7;
    let gamma = V3::new(0.0, 0.0, -9.81);
    for_cases(50, |c| {
        let (theta, rate) = (c.extra[7].x * 1.5, c.extra[7].y);
        let square = M3::from_columns(&[c.extra[0], c.extra[1], c.extra[2]]);
        let j = square * square.transpose() + M3::identity();
        let c = Case { a: Pose::ground(), ..c.clone() }.joined(&rotation(&(V3::z() * theta)), &V3::zeros());
        let axis = c.ma.axis(2);
        let arm = c.b.x - c.ma.p;
        // Closed form: moment of the weight over the inertia about the axis.
        let j_axis = axis.dot(&(c.b.r * j * c.b.r.transpose() * axis)) + m * axis.cross(&arm).norm_squared();
        let alpha = axis.dot(&arm.cross(&(gamma * m))) / j_axis;
        let omega = axis * rate;
        let x2 = (axis * alpha).cross(&arm) + omega.cross(&omega.cross(&arm));
        let force = (x2 - gamma) * m;
        for group in GROUPS {
            let u = omega.cross(&arm);
            let v = PairMotion {
                a: Motion::rest(),
                b: Motion {
                    omega: c.b.r.transpose() * omega,
                    u: match group {
                        Group::R3xSO3 => u,
                        Group::SE3 => c.b.r.transpose() * u,
                    },
                },
            };
            let pair = c.pair(group);
            let g = applied::gyro(group, m, &j, &v.b) + applied::gravity(group, &c.b, m, &gamma);
            let angle = Angle::new(&c.ma, &c.mb);
            errors.add("rate", (angle.bv(&pair, &v).x - rate).abs());
            for in_a in [false, true] {
                let r = rows(Joint::Revolute, &c, in_a, &pair, &v, &[0.0; 6]);
                let (accel, lambda) = solve(m, &j, &g, &r.b, &r.z);
                let b = SVector::from(angle.rows(&pair)[0].b.to_array());
                let found = b.dot(&accel) + angle.z(&pair, &v).x;
                errors.add("angular acceleration", (found - alpha).abs() / 10.0);
                let f = V3::new(lambda[0], lambda[1], lambda[2]) / c.length;
                let f = if in_a { c.ma.c * f } else { f };
                errors.add("reaction", error(&f, &force));
            }
        }
    });
    errors.finish(&[("", 1e-12)]);
}

#[test]
fn hanging_mass_pulls() {
    let (m, l, length) = (2.0, 1.5, 0.7);
    let gamma = V3::new(0.0, 0.0, -9.81);
    let b = Pose { r: rotation(&V3::new(0.3, -0.2, 0.5)), x: V3::new(0.0, 0.0, -l) };
    for group in GROUPS {
        let pair = Pair::new(group, &Pose::ground(), &b);
        let rod = Distance::new(V3::zeros(), V3::zeros(), l, length);
        assert!(rod.value(&pair).x.abs() < 1e-15);
        let rows = rod.rows(&pair);
        let g = applied::gravity(group, &b, m, &gamma);
        let (accel, lambda) = solve(m, &M3::identity(), &g, &rows, &[0.0]);
        assert!(accel.largest() < 1e-14);
        assert!((lambda[0] / length - m * 9.81).abs() < 1e-13);
    }
}

#[test]
fn spring_energy_and_zero_length() {
    let errors = Errors::default();
    let spring = SpringDamper { k: 30.0, c: 2.0, y0: 0.8, f0: 0.5 };
    let potential = |l: f64| 0.5 * spring.k * (l - spring.y0).powi(2) + spring.f0 * l;
    for_cases(100, |c| {
        for group in GROUPS {
            let pair = c.pair(group);
            let len = Length::new(c.ma.p, c.mb.p, 0.3);
            let rate = len.bv(&pair, &c.v).x;
            let law = spring.law(len.value(&pair).x, rate);
            let power = compliant::force(&len, &pair, &law.s).dot(&c.v);
            let w = flat(&c.v);
            let stored = derivative(|t| len.value(&moved(&pair, &w, t)).map(potential)).x;
            let lost = spring.c * rate * rate;
            errors.add("power", (power - stored - lost).abs() / (1.0 + power.abs()));

            // Coincident points: no force, and everything stays finite.
            let c = c.on_manifold();
            let c = Case { b: Pose { x: c.a.point(&c.ma.p) - c.b.r * c.mb.p, ..c.b }, ..c };
            let pair = c.pair(group);
            let len = Length::new(c.ma.p, c.mb.p, 1e-6);
            let law = spring.law(len.value(&pair).x, len.bv(&pair, &c.v).x);
            let g = row_vector(&compliant::force(&len, &pair, &law.s));
            errors.add("force at zero length", g.largest() / spring.k);
            let mut k = PairBlocks::zero();
            compliant::add_k(&len, &pair, &c.v, &law, &mut k);
            assert!(k.to_matrix().iter().all(|x: &f64| x.is_finite()));
        }
    });
    errors.finish(&[("power", 1e-8), ("force at zero length", 1e-8)]);
}
