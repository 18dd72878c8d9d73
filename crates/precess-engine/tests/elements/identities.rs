//! Identities of the operators and of the element: against the series, the groups, and difference quotients
//! of order 8.

use crate::common::*;
use nalgebra::{Matrix6, Vector3, Vector6};
use precess_engine::flex::{BeamError, Consistent, Element, Inertia, Material, Section, Shape, Tangent};
use precess_lie::Largest;
use precess_lie::rotation::{rotate, skew};
use precess_lie::{LieGroup, SE3};

/// `T(x) = sum (-1)^i/(i+1)! hat(x)^i`.
fn tangent_by_series(x: &Vector6<f64>) -> Matrix6<f64> {
    let hat = SE3::hat(x);
    let (mut sum, mut term) = (Matrix6::identity(), Matrix6::identity());
    for i in 1..60 {
        term = hat * term / -f64::from(i + 1);
        sum += term;
    }
    sum
}

fn nodes(random: &mut Random) -> [Vector6<f64>; 2] {
    [random.vector(), random.vector()]
}

fn section() -> Section {
    Section::new(Vector6::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0), 0.7, Vector3::new(0.3, 0.1, 0.25)).unwrap()
}

/// P is the derivative of d: by the series of T, whose inverse it holds, and by differences of the logarithm.
#[test]
fn the_rate_is_the_derivative_of_the_difference() {
    let mut random = Random::new(1);
    for _ in 0..200 {
        let (element, [a, b]) = random_element(&mut random, 3.0);
        let (d, v) = (Element::difference(&a, &b), nodes(&mut random));
        let rate = element.rate(&d, &v);
        // T(d) d' is the velocity of B as seen from A.
        let relative = v[1] - SE3::adjoint(&SE3::exp(&-d)) * v[0];
        assert!((tangent_by_series(&d) * rate - relative).largest() < 1e-12 * (1.0 + rate.largest()));
        let path =
            |t: f64| Element::difference(&SE3::retract(&a, &(v[0] * t)), &SE3::retract(&b, &(v[1] * t)));
        if Element::angle(&d) < 2.5 {
            assert!((derivative(4e-3, path) - rate).largest() < 1e-10 * (1.0 + rate.largest()));
        }
    }
}

/// g is the gradient of the energy, its tangent the derivative of g, with and without damping.
#[test]
fn force_and_tangents_are_derivatives() {
    let mut random = Random::new(2);
    for i in 0..50 {
        let (element, [a, b]) = random_element(&mut random, 2.2);
        let element = element.with_damping(if i % 2 == 0 { 0.0 } else { 0.4 });
        let (d, v) = (Element::difference(&a, &b), nodes(&mut random));
        let at =
            |w: &[Vector6<f64>; 2]| Element::difference(&SE3::retract(&a, &w[0]), &SE3::retract(&b, &w[1]));
        let g = stack(&element.force(&d, &element.stress(&d)));
        for j in 0..12 {
            let energy = |x: f64| {
                let mut w = [Vector6::zeros(); 2];
                w[j / 6][j % 6] = x;
                nalgebra::Vector1::new(element.energy(&at(&w)))
            };
            assert!((derivative(4e-3, energy)[0] - g[j]).abs() < 1e-11 * (1.0 + g.largest()), "{i} {j}");
        }
        let force = |d: &Vector6<f64>, v: &[Vector6<f64>; 2]| element.force(d, &element.damped_stress(d, v));
        let k = element.stiffness(&d, &v);
        assert!(compare(&k, 4e-3, |w| force(&at(w), &v)) < 1e-11, "{i}");
        if let Some(damping) = element.viscosity(&d) {
            assert!(compare(&damping, 0.1, |w| force(&d, &[v[0] + w[0], v[1] + w[1]])) < 1e-12);
            let elastic = element.force(&d, &element.stress(&d));
            let power = (stack(&force(&d, &v)) - stack(&elastic)).dot(&stack(&v));
            assert!((power - element.dissipation(&d, &v)).abs() < 1e-12 * power && power > 0.0);
        }
    }
}

/// Derivative of T along w, by the series.
fn tangent_slope_by_series(x: &Vector6<f64>, w: &Vector6<f64>) -> Matrix6<f64> {
    let (hat, along) = (SE3::hat(x), SE3::hat(w));
    let (mut term, mut slope, mut sum) = (Matrix6::identity(), Matrix6::zeros(), Matrix6::zeros());
    for i in 1..60 {
        slope = (along * term + hat * slope) / -f64::from(i + 1);
        term = hat * term / -f64::from(i + 1);
        sum += slope;
    }
    sum
}

/// The tangent of the element to rounding errors: g = P^T n, with the derivatives of P = [-T^-1(-d), T^-1(d)]
/// from the series.
#[test]
fn the_tangent_is_exact() {
    let mut random = Random::new(12);
    for _ in 0..200 {
        let (element, [a, b]) = random_element(&mut random, 3.0);
        let d = Element::difference(&a, &b);
        let n = element.stress(&d);
        let inverse = |x: &Vector6<f64>| tangent_by_series(x).try_inverse().unwrap();
        let (minus, plus) = (inverse(&-d), inverse(&d));
        let slope = |t: &Matrix6<f64>, x: &Vector6<f64>, w: &Vector6<f64>| {
            -(t * tangent_slope_by_series(x, w) * t).tr_mul(&n)
        };
        let k = element.stiffness(&d, &[Vector6::zeros(); 2]);
        let size = Vector3::new(k.aa.largest(), k.bb.largest(), k.ab.largest()).largest();
        for j in 0..12 {
            let unit = Vector6::ith(j % 6, 1.0);
            let w = if j < 6 { -minus * unit } else { plus * unit };
            let change = element.stress(&(d + w)) - n;
            let expected = [
                -slope(&minus, &-d, &-w) - minus.tr_mul(&change),
                slope(&plus, &d, &w) + plus.tr_mul(&change),
            ];
            let error = (column(&k, j) - stack(&expected)).largest();
            assert!(error < 1e-12 * size, "{error:e} of {size:e}, {} rad", Element::angle(&d));
        }
    }
}

/// K_t - K_t^T = blockdiag [[m~, f~], [f~, 0]] with the forces of the nodes.
#[test]
fn the_skew_part_of_the_tangent_is_the_force() {
    let mut random = Random::new(3);
    for _ in 0..50 {
        let (element, [a, b]) = random_element(&mut random, 3.0);
        let d = Element::difference(&a, &b);
        let g = element.force(&d, &element.stress(&d));
        let k = element.stiffness(&d, &[Vector6::zeros(); 2]);
        let size = Vector3::new(k.aa.largest(), k.bb.largest(), k.ab.largest()).largest();
        for (block, g) in [(k.aa, g[0]), (k.bb, g[1])] {
            let mut expected = Matrix6::zeros();
            let part = |i: usize| skew(&Vector3::new(g[i], g[i + 1], g[i + 2]));
            expected.fixed_view_mut::<3, 3>(0, 0).copy_from(&part(0));
            expected.fixed_view_mut::<3, 3>(0, 3).copy_from(&part(3));
            expected.fixed_view_mut::<3, 3>(3, 0).copy_from(&part(3));
            assert!((block - block.transpose() - expected).largest() < 1e-13 * size);
        }
        assert!((k.ab - k.ba.transpose()).largest() < 1e-13 * size);
    }
}

/// A rigid motion of both nodes changes nothing, and the internal forces are in balance.
#[test]
fn frame_indifference_and_balance() {
    let mut random = Random::new(4);
    for _ in 0..50 {
        let (element, [a, b]) = random_element(&mut random, 3.0);
        let motion = SE3::exp(&(random.vector() * 5.0));
        let (d, moved) = (
            Element::difference(&a, &b),
            Element::difference(&SE3::compose(&motion, &a), &SE3::compose(&motion, &b)),
        );
        let rest = [Vector6::zeros(); 2];
        let size = element.stiffness(&d, &rest).aa.largest();
        assert!((element.energy(&d) - element.energy(&moved)).abs() < 1e-13 * size);
        assert!(
            (element.stiffness(&d, &rest).bb - element.stiffness(&moved, &rest).bb).largest() < 1e-12 * size
        );
        // A common motion of both nodes, seen from A, costs no energy.
        let g = element.force(&d, &element.stress(&d));
        let total = g[0] + SE3::adjoint(&SE3::exp(&-d)).tr_mul(&g[1]);
        assert!(total.largest() < 1e-13 * size);
    }
}

/// The velocity between the nodes is that of the path, and its share Q is xi T(xi d) T^-1(d).
#[test]
fn velocities_are_those_of_the_path() {
    let mut random = Random::new(5);
    for _ in 0..100 {
        let (_, [a, b]) = random_element(&mut random, 3.0);
        let (d, v) = (Element::difference(&a, &b), nodes(&mut random));
        let consistent = Consistent::new(&section(), 1.3);
        for (xi, _, w) in consistent.velocities(&d, &v) {
            let of_b = tangent_by_series(&(d * xi)) * SE3::tangent_inverse(&d) * xi;
            let of_a = SE3::adjoint(&SE3::exp(&(d * -xi)))
                - tangent_by_series(&(d * xi)) * SE3::tangent_inverse(&-d) * xi;
            assert!((of_a * v[0] + of_b * v[1] - w).largest() < 1e-12);
            let q =
                |t: f64| SE3::interpolate(&SE3::retract(&a, &(v[0] * t)), &SE3::retract(&b, &(v[1] * t)), xi);
            if Element::angle(&d) < 2.5 {
                let path = |t: f64| SE3::difference(&q(0.0), &q(t));
                assert!((derivative(4e-3, path) - w).largest() < 1e-10);
            }
        }
    }
}

/// Mass, velocity terms and all their derivatives; the power of the inertia forces is the rate of the kinetic
/// energy.
#[test]
fn consistent_inertia() {
    let mut random = Random::new(6);
    for _ in 0..30 {
        let (_, [a, b]) = random_element(&mut random, 2.2);
        let d = Element::difference(&a, &b);
        let (v, vdot) = (nodes(&mut random), nodes(&mut random));
        let inertia = Consistent::new(&section(), 1.3);
        let at =
            |w: &[Vector6<f64>; 2]| Element::difference(&SE3::retract(&a, &w[0]), &SE3::retract(&b, &w[1]));
        let plus = |x: &[Vector6<f64>; 2], w: &[Vector6<f64>; 2]| [x[0] + w[0], x[1] + w[1]];
        let mass = inertia.mass(&d);
        assert!(compare(&mass, 0.1, |w| inertia.force(&d, &v, &plus(&vdot, w))) < 1e-13);
        assert!(
            (mass.ab - mass.ba.transpose()).largest() < 1e-14
                && (mass.aa - mass.aa.transpose()).largest() < 1e-14
        );
        assert!(compare(&inertia.viscosity(&d, &v), 0.1, |w| inertia.force(&d, &plus(&v, w), &vdot)) < 1e-12);
        let k = inertia.stiffness(&d, &v, &vdot);
        assert!(compare(&k, 4e-3, |w| inertia.force(&at(w), &v, &vdot)) < 1e-10);
        let energy = |t: f64| {
            // Along v(t) = v + t v', to the order that a central quotient at 0 sees.
            let w = [0, 1].map(|i| v[i] * t + vdot[i] * (0.5 * t * t));
            nalgebra::Vector1::new(inertia.energy(&at(&w), &[0, 1].map(|i| v[i] + vdot[i] * t)))
        };
        let power = stack(&v).dot(&stack(&inertia.force(&d, &v, &vdot)));
        assert!((derivative(4e-3, energy)[0] - power).abs() < 1e-10, "{power}");
    }
}

/// A straight element in a rigid motion is a rigid rod: its energy and inertia forces are known.
#[test]
fn a_rod_in_rigid_motion() {
    let (length, omega) = (1.3, 0.8);
    let inertia = Consistent::new(&section(), length);
    let d = Vector6::new(0.0, 0.0, 0.0, length, 0.0, 0.0);
    // About the axis z through node A.
    let v = [
        Vector6::new(0.0, 0.0, omega, 0.0, 0.0, 0.0),
        Vector6::new(0.0, 0.0, omega, 0.0, omega * length, 0.0),
    ];
    let energy = 0.5 * omega * omega * length * (0.7 * length * length / 3.0 + 0.25);
    assert!((inertia.energy(&d, &v) - energy).abs() < 1e-15);
    // v' of a steady rotation is zero, and the sum of the inertia forces is that of the centre of mass.
    let f = inertia.force(&d, &v, &[Vector6::zeros(); 2]);
    let centripetal = -0.7 * length * omega * omega * 0.5 * length;
    assert!((f[0][3] + f[1][3] - centripetal).abs() < 1e-15 && (f[0] + f[1])[4].abs() < 1e-15);
    // The lumped one has the right mass and force.
    let half = Inertia::of(&section(), 0.5 * length);
    let lumped: Vector6<f64> = half.force(&v[0], &Vector6::zeros()) + half.force(&v[1], &Vector6::zeros());
    assert!((lumped[3] - centripetal).abs() < 1e-15);
    let tangent = Tangent { aa: half.gyroscopic_derivative(&v[1]), ..Tangent::zero() };
    let gyroscopic =
        |w: &[Vector6<f64>; 2]| [half.force(&(v[1] + w[0]), &Vector6::zeros()), Vector6::zeros()];
    assert!(compare(&tangent, 0.1, gyroscopic) < 1e-13);
}

/// Sections from shapes; the torsion constant of a square and of a 2:1 rectangle from tables of
/// Saint-Venant's solution.
#[test]
fn sections() {
    let square = Shape::Rectangle { width: 1.0, height: 1.0 };
    assert!((square.torsion() - 0.140_577).abs() < 5e-7);
    assert!((Shape::Rectangle { width: 1.0, height: 2.0 }.torsion() / 2.0 - 0.228_68).abs() < 1e-5);
    // A thin strip has a b^3/3.
    assert!((Shape::Rectangle { width: 1e4, height: 1.0 }.torsion() / (1e4 / 3.0) - 1.0).abs() < 1e-4);
    let material = Material::isotropic(2e11, 0.3, 7870.0);
    let steel = Section::of(&material, &Shape::Rectangle { width: 0.02, height: 0.01 }).unwrap();
    assert!((steel.stiffness[(1, 1)] - 2e11 * 0.02 * 1e-6 / 12.0).abs() < 1e-9);
    assert!((steel.stiffness[(2, 2)] - 2e11 * 0.01 * 8e-6 / 12.0).abs() < 1e-9);
    assert!((steel.stiffness[(3, 3)] - 4e7).abs() < 1e-6);
    assert!((steel.stiffness[(4, 4)] - 5.0 / 6.0 * 2e11 / 2.6 * 2e-4).abs() < 1e-6);
    // A thin tube: I = pi r^3 t, and half of the area carries shear for a small Poisson's ratio.
    let tube = Shape::Tube { outer: 1.0, inner: 0.999 };
    assert!(
        (tube.second_moments()[0] / (std::f64::consts::PI * 0.9995_f64.powi(3) * 1e-3) - 1.0).abs() < 1e-6
    );
    assert!((tube.torsion() - 2.0 * tube.second_moments()[0]).abs() < 1e-18);
    assert!((tube.shear_factors(0.3)[0] - 2.0 * 1.3 / (4.0 + 3.0 * 0.3)).abs() < 1e-6);
    assert!((Shape::Circle { radius: 2.0 }.shear_factors(0.0)[0] - 6.0 / 7.0).abs() < 1e-15);
}

#[test]
fn bad_data_is_refused() {
    let j = Vector3::new(1.0, 1.0, 1.0);
    let stiffness = |k: f64| Vector6::new(1.0, 1.0, k, 1.0, 1.0, 1.0);
    for k in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Section::new(stiffness(k), 1.0, j), Err(BeamError::NotPositive { .. })), "{k}");
    }
    assert!(Section::new(stiffness(1.0), 0.0, j).is_err());
    assert!(Section::new(stiffness(1.0), 1.0, Vector3::new(0.0, 1.0, 1.0)).is_err());
    let mut coupled = Matrix6::identity();
    (coupled[(0, 1)], coupled[(1, 0)]) = (2.0, 2.0);
    assert_eq!(
        Section::coupled(coupled, 1.0, j).map(|_| ()).map_err(|e| e.to_string().contains("-1")),
        Err(true)
    );
    assert!(Section::coupled(Matrix6::identity() * f64::NAN, 1.0, j).is_err());
    let material = Material::isotropic(1.0, 0.3, 1.0);
    assert!(matches!(
        Section::of(&material, &Shape::Tube { outer: 1.0, inner: 1.0 }),
        Err(BeamError::NoWall { .. })
    ));
    let section = section();
    let a = SE3::identity();
    assert_eq!(Element::new(&section, &a, &a), Err(BeamError::NoLength));
    let turned = SE3::exp(&Vector6::new(0.0, 0.0, 3.12, 1.0, 0.0, 0.0));
    assert!(matches!(Element::new(&section, &a, &turned), Err(BeamError::TooCurved { .. })));
    let bent = Element::new(&section, &a, &SE3::exp(&Vector6::new(0.0, 0.0, 3.0, 1.0, 0.0, 0.0))).unwrap();
    assert!((bent.length - 1.0).abs() < 1e-13, "the length of an arc");
    // The axis e1 of the section is the tangent of the beam.
    assert!((rotate(a.as_slice(), &Vector3::x()) - Vector3::x()).largest() < 1e-15);
}
