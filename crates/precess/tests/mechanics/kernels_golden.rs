//! Kernels against values computed by automatic differentiation.

use crate::kernels_util::*;
use nalgebra::{Matrix6, SMatrix, SVector, Vector1, Vector5, Vector6};
use precess::mechanics::kernels::*;
use serde_json::Value;
use std::f64::consts::PI;

const TOLERANCE: f64 = 1e-12;

fn number(v: &Value) -> f64 {
    v.as_f64().expect("number")
}

/// A vector; a bare number counts as one entry.
fn vector<const N: usize>(v: &Value) -> SVector<f64, N> {
    match v.as_array() {
        Some(list) => {
            assert_eq!(list.len(), N);
            SVector::from_fn(|i, _| number(&list[i]))
        }
        None => SVector::from_element(number(v)),
    }
}

/// A matrix by rows; a flat list counts as one row.
fn table<const R: usize, const C: usize>(v: &Value) -> SMatrix<f64, R, C> {
    if v[0].is_number() {
        assert_eq!(R, 1);
        return SMatrix::from_fn(|_, j| vector::<C>(v)[j]);
    }
    assert_eq!(v.as_array().expect("rows").len(), R);
    SMatrix::from_fn(|i, j| vector::<C>(&v[i])[j])
}

fn check_measure<const N: usize>(
    errors: &Errors,
    name: &str,
    golden: &Value,
    m: &impl Measure<N>,
    pair: &Pair,
    v: &PairMotion,
    lambda: &SVector<f64, N>,
) {
    let add = |what: &str, e: f64| errors.add(&format!("{name} {what}"), e);
    add("y", error(&m.value(pair), &vector(&golden["y"])));
    add("B", error(&matrix(&m.rows(pair)), &table(&golden["B"])));
    add("Z", error(&m.z(pair, v), &vector(&golden["Z"])));
    let k = golden.get("K").unwrap_or(&golden["K_contracted_with_mu"]);
    add("K", error(&k_of(m, pair, lambda), &table(k)));
}

fn check_force(errors: &Errors, name: &str, golden: &Value, g: &Row, d: &PairBlocks, k: &PairBlocks) {
    let add = |what: &str, e: f64| errors.add(&format!("{name} {what}"), e);
    add("g", error(&row_vector(g), &vector(&golden["g"])));
    add("D", error(&d.to_matrix(), &table(&golden["D"])));
    add("K", error(&k.to_matrix(), &table(&golden["K"])));
}

fn check_compliant<const N: usize>(
    errors: &Errors,
    name: &str,
    golden: &Value,
    m: &impl Measure<N>,
    pair: &Pair,
    v: &PairMotion,
    law: &CompliantLaw<N>,
) {
    let (mut d, mut k) = (PairBlocks::zero(), PairBlocks::zero());
    compliant::add_d(m, pair, &law.s_rate, &mut d);
    compliant::add_k(m, pair, v, law, &mut k);
    let g = compliant::force(m, pair, &law.s);
    check_force(errors, name, golden, &g, &d, &k);
}

fn check_case(errors: &Errors, case: &Value) {
    let group = match case["group"].as_str() {
        Some("R3xSO3") => Group::R3xSO3,
        Some("SE3") => Group::SE3,
        other => panic!("group {other:?}"),
    };
    let pose = |r: &str, x: &str| Pose { r: table(&case[r]), x: vector(&case[x]) };
    let marker = |p: &str, c: &str| Marker { p: vector(&case[p]), c: table(&case[c]) };
    let pair = &Pair::new(group, &pose("Ra", "xa"), &pose("Rb", "xb"));
    let (ma, mb) = (&marker("pa", "Ca"), &marker("pb", "Cb"));
    let v = &pair_motion(&vector(&case["v"]));
    let length = number(&case["L"]);
    let one = &Vector1::new(1.0);

    let m = Point::constraint(ma.p, mb.p, length);
    let mu = vector(&case["mu_P"]);
    check_measure(errors, "P", &case["P"], &m, pair, v, &mu);

    let mut m = Directions::perpendicular([ma.axis(0)], mb.axis(1));
    m.c.x = number(&case["c_D1"]);
    let golden = &case["D1(e=Ca col0,h=Cb col1)"];
    check_measure(errors, "D1", golden, &m, pair, v, one);

    let c = Vector1::new(number(&case["c_D2"]));
    let m = Offset::constraint([ma.axis(0)], ma.p, mb.p, c, length);
    check_measure(errors, "D2", &case["D2(e=Ca col0)"], &m, pair, v, one);

    let angle = Angle::new(ma, mb);
    let golden = &case["ANGLE(e1,e2=Ca col0,1; h1=Cb col0)"];
    check_measure(errors, "ANGLE", golden, &angle, pair, v, one);

    let m = Distance::new(ma.p, mb.p, number(&case["dist_l"]), length);
    check_measure(errors, "DIST", &case["DIST"], &m, pair, v, one);

    let m = Length::new(ma.p, mb.p, number(&case["len_eps"]));
    check_measure(errors, "LEN", &case["LEN"], &m, pair, v, one);

    let par = &case["force params"];
    let zero = PairBlocks::zero();

    // One body: body a.
    let on_a = |a: Wrench| Row { a, b: Wrench::zero() };
    let (mass, j) = (number(&par["m"]), table(&par["J"]));
    let g = on_a(applied::gyro(group, mass, &j, &v.a));
    let mut d = zero;
    applied::add_gyro_d(group, mass, &j, &v.a, &mut d.aa);
    check_force(errors, "gyro", &case["force gyro"], &g, &d, &zero);

    let gamma = vector(&par["gravity_accel"]);
    let g = on_a(applied::gravity(group, &pair.a, mass, &gamma));
    let mut k = zero;
    applied::add_gravity_k(group, &pair.a, mass, &gamma, &mut k.aa);
    check_force(errors, "gravity", &case["force gravity"], &g, &zero, &k);

    let p = &par["spring"];
    let m = Length::new(ma.p, mb.p, number(&p["eps"]));
    let spring =
        SpringDamper { k: number(&p["k"]), c: number(&p["c"]), y0: number(&p["l0"]), f0: number(&p["F0"]) };
    let law = spring.law(m.value(pair).x, m.bv(pair, v).x);
    check_compliant(errors, "spring", &case["force spring"], &m, pair, v, &law);

    let p = &par["bushing"];
    let m = BushingMeasure::new(ma, mb);
    let blocks = |t: &str, r: &str| {
        let mut b = Matrix6::zeros();
        b.fixed_view_mut::<3, 3>(0, 0).copy_from(&table(&p[t]));
        b.fixed_view_mut::<3, 3>(3, 3).copy_from(&table(&p[r]));
        b
    };
    let (y, rate): (Vector6<f64>, Vector6<f64>) = (m.value(pair), m.bv(pair, v));
    let law = CompliantLaw::linear(&blocks("Kt", "Kr"), &blocks("Ct", "Cr"), &y, &rate);
    check_compliant(errors, "bushing", &case["force bushing"], &m, pair, v, &law);

    let p = &par["torsional"];
    assert_eq!(p["unwrap_offset"], "+4*pi added to raw angle");
    let spring = SpringDamper { k: number(&p["k"]), c: number(&p["c"]), y0: number(&p["theta0"]), f0: 0.0 };
    let theta = unwrap_angle(angle.value(pair).x, angle.value(pair).x + 4.0 * PI + 0.1);
    let law = spring.law(theta, angle.bv(pair, v).x);
    let golden = &case["force torsional"];
    check_compliant(errors, "torsional", golden, &angle, pair, v, &law);

    let p = &par["friction"];
    let data = FrictionData {
        mu: number(&p["mu"]),
        w_s: number(&p["ws"]),
        eps: number(&p["epsN"]),
        c_v: number(&p["cv"]),
        length: number(&p["L"]),
        bearing: number(&p["lb"]),
    };
    let f = Friction::revolute(&data, number(&p["r"]));
    let golden = &case["force friction"];
    let lambda: Vector5<f64> = vector(&golden["lam"]);
    let rate = angle.bv(pair, v);
    let law = f.law(&rate, &lambda);
    check_compliant(errors, "friction", golden, &angle, pair, v, &law);
    let g_lambda = matrix(&f.g_lambda(&angle, pair, &rate, &lambda)).transpose();
    let expected = table::<12, 5>(&golden["G_lam"]);
    errors.add("friction G_lambda", error(&g_lambda, &expected));
}

#[test]
fn golden_values() {
    let text = include_str!("../data/joints_golden.json");
    let cases: Value = serde_json::from_str(text).expect("golden file");
    let cases = cases.as_array().expect("list of cases");
    assert_eq!(cases.len(), 4);
    let errors = Errors::default();
    for case in cases {
        check_case(&errors, case);
    }
    errors.finish(&[("", TOLERANCE)]);
}
