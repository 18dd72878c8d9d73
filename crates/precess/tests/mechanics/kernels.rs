//! Derivatives of the kernels: golden values, differences and identities.

use crate::kernels_util::*;
use nalgebra::{Matrix6, SMatrix, SVector, Vector1, Vector2, Vector4, Vector5, Vector6};
use precess::lie::Largest;
use precess::mechanics::kernels::*;
use precess::study::larger;
use std::f64::consts::PI;

/// All derivatives of one measure at one pose against differences and identities.
fn check_measure<const N: usize>(
    errors: &Errors,
    name: &str,
    m: &impl Measure<N>,
    pair: &Pair,
    v: &PairMotion,
    lambda: &SVector<f64, N>,
) {
    let add = |what: &str, e: f64| errors.add(&format!("{what} {name}"), e);
    let b = matrix(&m.rows(pair));
    let k = k_of(m, pair, lambda);
    let y = matrix(&m.y_rows(pair, v));
    let z = m.z(pair, v);
    let w = flat(v);

    // Angles may jump by full turns between neighbours.
    let y0 = m.value(pair);
    let value = |p: &Pair| m.value(p).zip_map(&y0, unwrap_angle);
    add("diff B", error(&b, &jacobian(pair, value)));
    let k_diff = jacobian(pair, |p| row_vector(&m.bt_lambda(p, lambda)));
    add("diff K", error(&k, &k_diff));
    add("diff Y", error(&y, &jacobian(pair, |p| m.bv(p, v))));
    let z_diff = second_derivative(|t| value(&moved(pair, &w, t)));
    let scale = larger(y0.largest(), z_diff.largest()).max(1.0);
    add("second Z", (z - z_diff).largest() / scale);

    // Products without the matrix.
    let bt = row_vector(&m.bt_lambda(pair, lambda));
    add("exact B^T lambda", error(&bt, &(b.transpose() * lambda)));
    add("exact B v", error(&m.bv(pair, v), &(b * w)));

    // Y = v^T K and Z = v^T K v, row by row.
    for i in 0..N {
        let k_i = k_of(m, pair, &unit(i));
        let y_i = y.row(i).transpose();
        add("I3 Y", error(&y_i, &(k_i.transpose() * w)));
        let scale = k_i.largest().max(1.0) * w.norm_squared();
        add("I3 Z", (z[i] - w.dot(&(k_i * w))).abs() / scale);
    }

    // The skew part of K is the wrench.
    let mut skew = M12::zeros();
    for o in [0, 6] {
        let tau = hat(&bt.fixed_rows::<3>(o).into_owned());
        skew.fixed_view_mut::<3, 3>(o, o).copy_from(&tau);
        if pair.group == Group::SE3 {
            let f = hat(&bt.fixed_rows::<3>(o + 3).into_owned());
            skew.fixed_view_mut::<3, 3>(o, o + 3).copy_from(&f);
            skew.fixed_view_mut::<3, 3>(o + 3, o).copy_from(&f);
        }
    }
    add("I1", (k - k.transpose() - skew).largest() / k.largest().max(1.0));

    // From R^3xSO(3) to SE(3).
    if pair.group == Group::SE3 {
        let t = conversion(pair);
        let pair_s = Pair::new(Group::R3xSO3, &pair.a, &pair.b);
        let v_s = pair_motion(&(t * w));
        let b_s = matrix(&m.rows(&pair_s));
        add("I2 B", error(&b, &(b_s * t)));
        let bt_s = b_s.transpose() * lambda;
        let mut k_e = t.transpose() * k_of(m, &pair_s, lambda) * t;
        let mut z_e = m.z(&pair_s, &v_s);
        for (o, q, vel) in [(0, &pair.a, &v.a), (6, &pair.b, &v.b)] {
            let f = q.r.transpose() * bt_s.fixed_rows::<3>(o + 3);
            let mut part = k_e.fixed_view_mut::<3, 3>(o + 3, o);
            part += hat(&f);
            let turn = q.r * vel.omega.cross(&vel.u);
            z_e += b_s.fixed_view::<N, 3>(0, o + 3) * turn;
        }
        add("I2 K", error(&k, &k_e));
        let scale = k.largest().max(1.0) * w.norm_squared();
        add("I2 Z", (z - z_e).largest() / scale);
    }
}

/// Calls [`check_measure`] for every measure, on the given pair.
fn check_all(errors: &Errors, c: &Case, group: Group) {
    let pair = c.pair(group);
    let (ma, mb, v, x) = (&c.ma, &c.mb, &c.v, &c.extra);
    let one = |s: f64| Vector1::new(s);
    let two = |p: &V3| p.xy();

    let point = Point::constraint(ma.p, mb.p, c.length);
    check_measure(errors, "P", &point, &pair, v, &x[0]);

    // Directions that are neither unit vectors nor perpendicular.
    let d1 = Directions { e: SMatrix::<f64, 3, 1>::from_columns(&[x[1]]), h: x[2], c: one(0.3) };
    check_measure(errors, "D1", &d1, &pair, v, &one(x[3].x));
    let d1 = Directions::perpendicular([ma.axis(0), ma.axis(1)], mb.axis(2));
    check_measure(errors, "D1x2", &d1, &pair, v, &two(&x[3]));

    let d2 = Offset::constraint([x[1]], ma.p, mb.p, one(0.2), c.length);
    check_measure(errors, "D2", &d2, &pair, v, &one(x[3].x));
    let d2 = Offset::displacement([ma.axis(0), ma.axis(1)], ma.p, mb.p);
    check_measure(errors, "D2x2", &d2, &pair, v, &two(&x[3]));
    let t3 = Offset::coincidence(ma, mb, c.length);
    check_measure(errors, "T3", &t3, &pair, v, &x[4]);

    let dist = Distance::new(ma.p, mb.p, 1.1, c.length);
    check_measure(errors, "DIST", &dist, &pair, v, &one(x[3].x));
    let len = Length::new(ma.p, mb.p, 0.3);
    check_measure(errors, "LEN", &len, &pair, v, &one(x[3].x));

    let angle = Angle::new(ma, mb);
    if angle.margin(&pair) > Angle::MIN_MARGIN {
        check_measure(errors, "ANGLE", &angle, &pair, v, &one(x[3].x));
        let screw = Screw::new(ma, mb);
        check_measure(errors, "SCREW", &screw, &pair, v, &two(&x[3]));
    }
    let gibbs = Gibbs::new(ma, mb);
    if gibbs.margin(&pair) > 0.5 {
        check_measure(errors, "GIBBS", &gibbs, &pair, v, &x[5]);
        let s = Vector6::from_fn(|i, _| x[5 + i / 3][i % 3]);
        check_measure(errors, "BUSHING", &BushingMeasure::new(ma, mb), &pair, v, &s);
    }
}

const DERIVATIVE_LIMITS: [(&str, f64); 6] =
    [("diff", 1e-9), ("second", 1e-7), ("exact", 1e-13), ("I1", 1e-13), ("I2", 1e-13), ("I3", 1e-13)];

#[test]
fn derivatives_at_random_poses() {
    let errors = Errors::default();
    for_cases(200, |c| {
        for group in GROUPS {
            check_all(&errors, c, group);
        }
    });
    errors.finish(&DERIVATIVE_LIMITS);
}

#[test]
fn derivatives_on_the_manifold() {
    let errors = Errors::default();
    for_cases(100, |c| {
        for group in GROUPS {
            check_all(&errors, &c.on_manifold(), group);
        }
    });
    errors.finish(&DERIVATIVE_LIMITS);
}

/// `g`, `D` and `K` of a force on a pair against differences.
fn check_force(
    errors: &Errors,
    name: &str,
    pair: &Pair,
    v: &PairMotion,
    g: impl Fn(&Pair, &PairMotion) -> Row,
    d: &PairBlocks,
    k: &PairBlocks,
) {
    let k_diff = jacobian(pair, |p| row_vector(&g(p, v)));
    errors.add(&format!("diff K {name}"), error(&k.to_matrix(), &k_diff));
    let w = flat(v);
    let columns: [_; 12] = std::array::from_fn(|j| {
        let e = unit::<12>(j);
        derivative(|t| row_vector(&g(pair, &pair_motion(&(w + e * t)))))
    });
    let d_diff = SMatrix::from_columns(&columns);
    errors.add(&format!("diff D {name}"), error(&d.to_matrix(), &d_diff));
}

/// A compliant element with the law given as a function of `y` and `y'`.
fn check_compliant<const N: usize>(
    errors: &Errors,
    name: &str,
    pair: &Pair,
    v: &PairMotion,
    m: &impl Measure<N>,
    law: impl Fn(&SVector<f64, N>, &SVector<f64, N>) -> CompliantLaw<N>,
) {
    let at = |p: &Pair, v: &PairMotion| law(&m.value(p), &m.bv(p, v));
    let l = at(pair, v);
    let mut d = PairBlocks::zero();
    compliant::add_d(m, pair, &l.s_rate, &mut d);
    let mut k = PairBlocks::zero();
    compliant::add_k(m, pair, v, &l, &mut k);
    let g = |p: &Pair, v: &PairMotion| compliant::force(m, p, &at(p, v).s);
    check_force(errors, name, pair, v, g, &d, &k);
    // The power leaving the system is s . y'.
    let force = g(pair, v);
    let e = (force.dot(v) - l.s.dot(&m.bv(pair, v))).abs();
    errors.add(&format!("exact power {name}"), e / (row_vector(&force).norm() * flat(v).norm()).max(1.0));
    // No net force and no net moment.
    let (f_a, t_a) = force.a.inertial(pair.group, &pair.a);
    let (f_b, t_b) = force.b.inertial(pair.group, &pair.b);
    let scale = row_vector(&force).norm().max(1.0) * (1.0 + pair.a.x.norm() + pair.b.x.norm());
    let moment = t_a + t_b + pair.a.x.cross(&f_a) + pair.b.x.cross(&f_b);
    errors.add(&format!("exact balance {name}"), larger((f_a + f_b).largest(), moment.largest()) / scale);
}

#[test]
fn compliant_and_friction_forces() {
    let errors = Errors::default();
    for_cases(150, |c| {
        for group in GROUPS {
            let pair = c.pair(group);
            let (ma, mb, v, x) = (&c.ma, &c.mb, &c.v, &c.extra);

            let spring = SpringDamper { k: 30.0, c: 2.0, y0: 0.8, f0: 0.5 };
            let len = Length::new(ma.p, mb.p, 0.3);
            let law = |y: &Vector1<f64>, r: &Vector1<f64>| spring.law(y.x, r.x);
            check_compliant(&errors, "spring", &pair, v, &len, law);

            let vector = Offset::displacement([ma.axis(0), ma.axis(1), ma.axis(2)], ma.p, mb.p);
            let k3 = M3::from_columns(&[x[0], x[1], x[2]]);
            let c3 = M3::from_columns(&[x[3], x[4], x[5]]);
            let law = |y: &V3, r: &V3| CompliantLaw::linear(&k3, &c3, y, r);
            check_compliant(&errors, "offset", &pair, v, &vector, law);

            // The matrices need not be symmetric.
            let bushing = BushingMeasure::new(ma, mb);
            let k6 = Matrix6::from_fn(|i, j| x[i][j % 3] + if i == j { 9.0 } else { 0.0 });
            let c6 = Matrix6::from_fn(|i, j| x[7 - i][j % 3] * 0.3 + if i == j { 2.0 } else { 0.0 });
            let law = |y: &Vector6<f64>, r: &Vector6<f64>| CompliantLaw::linear(&k6, &c6, y, r);
            if bushing.gibbs.margin(&pair) > 0.5 {
                check_compliant(&errors, "bushing", &pair, v, &bushing, law);
            }

            let angle = Angle::new(ma, mb);
            if angle.margin(&pair) < Angle::MIN_MARGIN {
                continue;
            }
            let reference = angle.value(&pair).x + 4.0 * PI;
            let law = |y: &Vector1<f64>, r: &Vector1<f64>| spring.law(unwrap_angle(y.x, reference), r.x);
            check_compliant(&errors, "torsion", &pair, v, &angle, law);

            let data = FrictionData { mu: 0.4, w_s: 0.8, eps: 0.1, c_v: 0.4, length: c.length, bearing: 0.3 };
            let lambda = Vector5::new(x[0].x, x[0].y, x[0].z, x[1].x, x[1].y);
            let f = Friction::revolute(&data, 0.7);
            let law = |_: &Vector1<f64>, r: &Vector1<f64>| f.law(r, &lambda);
            check_compliant(&errors, "revolute friction", &pair, v, &angle, law);
            check_g_lambda(&errors, "revolute", &f, &pair, v, &angle, &lambda);

            let axis = Offset::displacement([ma.axis(2)], ma.p, mb.p);
            let f = Friction::prismatic(&data);
            let law = |_: &Vector1<f64>, r: &Vector1<f64>| f.law(r, &lambda);
            check_compliant(&errors, "prismatic friction", &pair, v, &axis, law);
            check_g_lambda(&errors, "prismatic", &f, &pair, v, &axis, &lambda);

            let lambda = Vector4::new(x[0].x, x[0].y, x[1].x, x[1].y);
            let screw = Screw::new(ma, mb);
            let f = Friction::cylindrical(&data, 0.7);
            let law = |_: &Vector2<f64>, r: &Vector2<f64>| f.law(r, &lambda);
            check_compliant(&errors, "cylindrical friction", &pair, v, &screw, law);
            check_g_lambda(&errors, "cylindrical", &f, &pair, v, &screw, &lambda);
        }
    });
    errors.finish(&[("diff", 1e-9), ("exact", 1e-13), ("gain", 0.0)]);
}

/// Derivative of the friction force for the multipliers, and that friction takes energy.
fn check_g_lambda<const M: usize, const N: usize>(
    errors: &Errors,
    name: &str,
    f: &Friction<M, N>,
    pair: &Pair,
    v: &PairMotion,
    m: &impl Measure<M>,
    lambda: &SVector<f64, N>,
) {
    let rate = m.bv(pair, v);
    let g = f.g_lambda(m, pair, &rate, lambda);
    for (j, column) in g.iter().enumerate() {
        let expected = derivative(|t| {
            let l = lambda + unit::<N>(j) * t;
            row_vector(&compliant::force(m, pair, &f.law(&rate, &l).s))
        });
        let e = error(&row_vector(column), &expected);
        errors.add(&format!("diff G_lambda {name}"), e);
    }
    let power = f.law(&rate, lambda).s.dot(&rate);
    errors.add(&format!("gain {name}"), larger(-power, 0.0));
    assert!(rate.norm() < 1e-3 || power > 0.0);
}

#[test]
fn applied_forces() {
    let errors = Errors::default();
    for_cases(200, |c| {
        for group in GROUPS {
            let pair = c.pair(group);
            let x = &c.extra;
            let j = M3::from_columns(&[x[0], x[1], x[2]]);
            let j = j * j.transpose();
            let (m, p) = (2.3, &c.ma.p);
            let both = |f: &dyn Fn(&Pose, &Motion, f64) -> Wrench, q: &Pair, v: &PairMotion| Row {
                a: f(&q.a, &v.a, 1.0),
                b: f(&q.b, &v.b, -0.7),
            };
            type AddBlock<'a> = &'a dyn Fn(&Pose, &Motion, f64, &mut Block);
            let check = |name, f: &dyn Fn(&Pose, &Motion, f64) -> Wrench, ad: AddBlock, ak: AddBlock| {
                let (mut d, mut k) = (PairBlocks::zero(), PairBlocks::zero());
                for (add, m) in [(ad, &mut d), (ak, &mut k)] {
                    add(&pair.a, &c.v.a, 1.0, &mut m.aa);
                    add(&pair.b, &c.v.b, -0.7, &mut m.bb);
                }
                let g = |q: &Pair, v: &PairMotion| both(f, q, v);
                check_force(&errors, name, &pair, &c.v, g, &d, &k);
            };
            let none: AddBlock = &|_, _, _, _| {};
            check(
                "gyro",
                &|_, v, s| applied::gyro(group, s * m, &(j * s), v),
                &|_, v, s, d| applied::add_gyro_d(group, s * m, &(j * s), v, d),
                none,
            );
            check("gravity", &|q, _, s| applied::gravity(group, q, s * m, &x[3]), none, &|q, _, s, k| {
                applied::add_gravity_k(group, q, s * m, &x[3], k)
            });
            check(
                "inertial force",
                &|q, _, s| applied::inertial_force(group, q, p, &(x[3] * s)),
                none,
                &|q, _, s, k| applied::add_inertial_force_k(group, q, p, &(x[3] * s), k),
            );
            check(
                "body force",
                &|q, _, s| applied::body_force(group, q, p, &(x[3] * s)),
                none,
                &|q, _, s, k| applied::add_body_force_k(group, q, &(x[3] * s), k),
            );
            check(
                "inertial torque",
                &|q, _, s| applied::inertial_torque(q, &(x[3] * s)),
                none,
                &|q, _, s, k| applied::add_inertial_torque_k(q, &(x[3] * s), k),
            );
            check("body torque", &|_, _, s| applied::body_torque(&(x[3] * s)), none, none);
            // Gyroscopic terms do no work; the power of an applied force is that of its point.
            let v = &c.v.a;
            let gyro = applied::gyro(group, m, &j, v);
            let scale = j.norm() * flat(&c.v).norm().powi(3);
            errors.add("exact work of gyro", gyro.dot(v).abs() / scale);
            let u = match group {
                Group::R3xSO3 => v.u,
                Group::SE3 => c.a.r * v.u,
            };
            let speed = u + c.a.r * v.omega.cross(p);
            let work = -applied::inertial_force(group, &c.a, p, &x[3]).dot(v);
            errors.add("exact work of force", (work - x[3].dot(&speed)).abs() / 100.0);
            let body = -applied::body_force(group, &c.a, p, &(c.a.r.transpose() * x[3])).dot(v);
            errors.add("exact work of force", (work - body).abs() / 100.0);
        }
    });
    errors.finish(&[("diff", 1e-9), ("exact", 1e-14)]);
}

#[test]
fn friction_laws_in_closed_form() {
    let data = FrictionData { mu: 0.4, w_s: 0.2, eps: 0.1, c_v: 0.3, length: 0.5, bearing: 0.25 };
    let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-13 * (1.0 + b.abs()), "{a} {b}");
    let sigma = |x: f64| x / (1.0 + x * x).sqrt();
    let rounded = |square: f64| (square + 0.01).sqrt() - 0.1;
    let rate = Vector1::new(-0.7);

    // Three force multipliers and two moment multipliers load a revolute joint.
    let f = Friction::revolute(&data, 0.05);
    let lambda = Vector5::new(1.0, -2.0, 3.0, 0.5, 0.25);
    let n = rounded(14.0 / 0.25 + 0.3125 / 0.0625);
    close(f.normal(&lambda), n);
    let s = f.law(&rate, &lambda).s.x;
    close(s, -0.21 + 0.4 * 0.05 * n * sigma(-3.5));

    // A moment about the axis of a prismatic joint does not.
    let f = Friction::prismatic(&data);
    let n = rounded(5.0 / 0.25 + 0.3125 / 0.0625);
    close(f.normal(&lambda), n);
    close(f.law(&rate, &lambda).s.x, -0.21 + 0.4 * n * sigma(-3.5));

    // On a cylinder the sliding direction is shared by rotation and translation.
    let r = 0.05;
    let f = Friction::cylindrical(&data, r);
    let lambda = Vector4::new(1.0, -2.0, 0.5, 0.25);
    let n = rounded(5.0 / 0.25 + 0.3125 / 0.0625);
    let (spin, slide) = (6.0, 0.4);
    let s = f.law(&Vector2::new(spin, slide), &lambda).s;
    let q = (0.04 + (r * spin).powi(2) + slide * slide).sqrt();
    close(s.x, 0.3 * r * r * spin + 0.4 * n * r * (r * spin) / q);
    close(s.y, 0.3 * slide + 0.4 * n * slide / q);

    // No load, no dry friction; at rest no force and the stiffness of the smoothing.
    let rest = Vector1::new(0.0);
    let f = Friction::prismatic(&data);
    close(f.law(&rate, &Vector5::zeros()).s.x, -0.21);
    let lambda = Vector5::new(1.0, 0.0, 0.0, 0.0, 0.0);
    close(f.law(&rest, &lambda).s.x, 0.0);
    let stiff = 0.3 + 0.4 * rounded(4.0) / 0.2;
    close(f.law(&rest, &lambda).s_rate.x, stiff);
}
