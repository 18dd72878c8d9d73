//! Derivatives in classical coordinates against difference quotients, on and off the constraint manifold.

use nalgebra::{DMatrix, UnitQuaternion, Vector3};
use precess::formulation::Parameters;
use precess::formulation::{Coordinates, EulerParameters, TaitBryan};
use precess::lie::Largest;
use precess::lie::{Factor, Product};
use precess::mechanics::joints::JointKind;
use precess::mechanics::mechanism::{BodyState, Mechanism, Reaction};
use precess::mechanics::{At, State, System, Tangents, Want};
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::solve::Mat;
use precess::study::larger;

/// Two rigid bodies and a point mass with one joint of nearly every kind. This is not a useful mechanism;
/// only its derivatives matter.
fn zoo() -> Model {
    let turned = |x: f64, y: f64, z: f64| UnitQuaternion::from_scaled_axis(Vector3::new(x, y, z));
    let joint = |kind: JointKind, name: &str, bodies: [&str; 2], point: [f64; 3]| {
        JointSpec::new(name, kind, bodies, point).along([0.3, -0.5, 0.8])
    };
    let a = BodySpec::rigid("a", 1.3, [0.2, 0.35, 0.4])
        .at([0.4, -0.2, 0.1])
        .rotated(turned(0.3, -0.6, 0.9))
        .moving([0.3, 0.8, -0.5], [1.2, -0.7, 0.4]);
    let b = BodySpec::rigid("b", 0.7, [0.1, 0.25, 0.2])
        .at([1.1, 0.5, -0.3])
        .rotated(turned(-0.8, 0.5, 0.2))
        .moving([-0.4, 0.2, 0.6], [0.5, 0.9, -1.1]);
    let mut distance = JointSpec::new("rod", JointKind::RigidDistance, ["b", "bob"], [1.2, 0.4, 0.0]);
    distance.point2 = Vector3::new(1.5, 0.9, 0.3);
    Model::new("zoo")
        .gravity([0.1, -0.3, -9.81])
        .body(a)
        .body(BodySpec::point("bob", 0.4).at([1.5, 0.9, 0.3]).moving([0.1, -0.2, 0.3], [0.0; 3]))
        .body(b)
        .joint(JointSpec::spherical("ball", ["ground", "a"], [0.1, 0.2, 0.0]))
        .joint(joint(JointKind::Universal, "cross", ["a", "b"], [0.7, 0.1, -0.1]))
        .joint(joint(JointKind::Revolute, "hinge", ["a", "b"], [0.6, 0.3, 0.1]))
        .joint(joint(JointKind::Prismatic, "slider", ["ground", "b"], [1.0, 0.2, 0.3]))
        .joint(joint(JointKind::Cylindrical, "tube", ["b", "a"], [0.2, 0.2, 0.2]))
        .joint(joint(JointKind::Planar, "table", ["a", "b"], [0.1, 0.6, 0.2]))
        .joint(joint(JointKind::PointOnLine, "wire", ["a", "bob"], [1.5, 0.9, 0.3]))
        .joint(distance)
}

/// Everything a mechanism can have besides joints: a lone SO(3), a linear factor longer than three, algebraic
/// variables, friction that depends on lambda, constraints that depend on time, memory, a mass matrix that
/// depends on q.
struct Odd {
    group: Product,
}

impl Odd {
    fn new() -> Self {
        Odd { group: Product::new([Factor::R3xSO3, Factor::SO3, Factor::Rn(5)]) }
    }
}

impl System for Odd {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        2
    }

    fn n_s(&self) -> usize {
        2
    }

    fn n_memory(&self) -> usize {
        1
    }

    fn remember(&self, at: &At, memory: &mut [f64]) {
        memory[0] += at.q[0] + at.v[3];
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        let (q, v, a) = (at.q, at.v, at.vdot);
        let n = v.len();
        for i in 0..n {
            let heavy = 1.0 + 0.1 * i as f64 + 0.3 * q[1] * q[8];
            r[i] = heavy * a[i] + 0.2 * a[(i + 5) % n] + v[i] * v[(i + 2) % n] * (1.0 + q[2]);
            r[i] += (q[i] * q[(i + 3) % q.len()]).sin() + at.s[i % 2] * q[4] + at.memory[0];
        }
        let mut b = DMatrix::zeros(2, n);
        self.b(at, &mut b);
        for i in 0..n {
            r[i] += (0..2).map(|j| b[(j, i)] * at.lambda[j]).sum::<f64>();
        }
        // Friction.
        r[1] += 0.3 * at.lambda[0] * v[1].tanh();
        r[7] += 0.2 * at.lambda[1] * at.lambda[0];
    }

    /// Phi_1 = x.c - sin t with c the last linear coordinates, Phi_2 = w (a component of the lone quaternion)
    /// x_1.
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        phi[0] = q[4] * q[13] + q[5] * q[14] - at.t.sin();
        phi[1] = q[7] * q[6] - 0.1;
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        let mut b = DMatrix::zeros(2, at.v.len());
        self.b(at, &mut b);
        for i in 0..2 {
            out[i] = (0..at.v.len()).map(|j| b[(i, j)] * at.v[j]).sum();
        }
        out[0] -= at.t.cos();
    }

    fn algebraic(&self, at: &At, out: &mut [f64]) {
        out[0] = at.s[0] * (2.0 + at.q[3]) + at.s[1] - at.q[12];
        out[1] = at.s[1] - at.q[9] * at.s[0] * at.s[0];
    }
}

impl Odd {
    fn b(&self, at: &At, b: &mut DMatrix<f64>) {
        let q = at.q;
        (b[(0, 3)], b[(0, 4)], b[(0, 11)], b[(0, 12)]) = (q[13], q[14], q[4], q[5]);
        // w' = -(x O_1 + y O_2 + z O_3)/2.
        (b[(1, 6)], b[(1, 7)], b[(1, 8)]) = (-0.5 * q[8] * q[6], -0.5 * q[9] * q[6], -0.5 * q[10] * q[6]);
        b[(1, 5)] = q[7];
    }
}

impl Mechanism for Odd {
    fn bodies(&self, _: &At) -> Vec<BodyState> {
        Vec::new()
    }

    fn reactions(&self, _: &At) -> Vec<Reaction> {
        Vec::new()
    }
}

/// The same system with all derivatives by difference quotients.
struct ByDifferences<'a>(&'a dyn System, /* exact velocity level */ bool);

impl System for ByDifferences<'_> {
    fn group(&self) -> &Product {
        self.0.group()
    }

    fn n_lambda(&self) -> usize {
        self.0.n_lambda()
    }

    fn n_s(&self) -> usize {
        self.0.n_s()
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        self.0.residual(at, r);
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.0.constraint(at, phi);
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        match self.1 {
            true => self.0.velocity_constraint(at, out),
            false => precess::mechanics::difference::velocity_constraint(self, at, out),
        }
    }

    fn algebraic(&self, at: &At, out: &mut [f64]) {
        self.0.algebraic(at, out);
    }
}

/// Numbers in (-1, 1), the same in every run.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }
}

fn compare(what: &str, found: &Mat, expected: &Mat, tolerance: f64) {
    let (found, expected) = (found.to_dmatrix(), expected.to_dmatrix());
    let error = (&found - &expected).largest() / (1.0 + expected.largest());
    assert!(error < tolerance, "{what}: {error:.1e}\n{found:.6}\n{expected:.6}");
}

fn check(system: &dyn System, state: &State, tolerance: f64) {
    let at = state.at();
    let m = system.n_lambda();
    let (mut found, mut expected) = (vec![0.0; m], vec![0.0; m]);
    let close = |what: &str, found: &[f64], expected: &[f64], tolerance: f64| {
        let size = expected.iter().fold(1.0_f64, |s, x| larger(s, x.abs()));
        for (i, (f, e)) in found.iter().zip(expected).enumerate() {
            assert!((f - e).abs() < tolerance * size, "{what} {}: {f} {e}", system.constraint_name(i));
        }
    };
    system.velocity_constraint(&at, &mut found);
    ByDifferences(system, false).velocity_constraint(&at, &mut expected);
    close("velocity level", &found, &expected, 1e-8);
    system.acceleration_constraint(&at, &mut found);
    ByDifferences(system, true).acceleration_constraint(&at, &mut expected);
    close("acceleration level", &found, &expected, 1e-7);

    let differences = ByDifferences(system, true);
    let (mut exact, mut quotient) = (Tangents::of(system), Tangents::of(system));
    let all = Want { c_m: 0.0, c_d: 0.0, stiffness: true, constraint: true, curvature: true };
    for (what, want) in [
        ("M", Want { c_m: 1.7, ..all }),
        ("D", Want { c_d: 0.3, ..all }),
        ("M and D", Want { c_m: 0.4, c_d: 1.1, ..all }),
        ("M and D only", Want { c_m: 0.4, c_d: 1.1, ..Want::MASS }),
        ("saddle", Want::SADDLE),
        ("B", Want::CONSTRAINT),
    ] {
        exact.evaluate(system, &at, want);
        quotient.evaluate(&differences, &at, want);
        compare(what, &exact.s, &quotient.s, tolerance);
        if want.stiffness {
            compare("K", &exact.k, &quotient.k, tolerance);
        }
        if want.constraint {
            compare("B", &exact.b, &quotient.b, tolerance);
            assert_eq!(exact.has_friction(), quotient.has_friction());
            if quotient.has_friction() {
                compare("friction", &exact.g_lambda, &quotient.g_lambda, tolerance);
            }
        }
        if want.curvature {
            compare("Y", &exact.y, &quotient.y, tolerance);
        }
        compare("dr/ds", &exact.r_s, &quotient.r_s, tolerance);
        compare("dh/dq", &exact.h_q, &quotient.h_q, tolerance);
        compare("dh/ds", &exact.h_s, &quotient.h_s, tolerance);
    }
}

/// A state near (q, v): the coordinates are disturbed, so that no constraint holds, nor p.p = 1.
fn states(system: &dyn System, q: &[f64], v: &[f64]) -> Vec<State> {
    let mut noise = Noise(7);
    let k = system.group().dim();
    let mut states = Vec::new();
    for disturbance in [0.0, 0.05, 0.3] {
        let moved = |x: &[f64], noise: &mut Noise| -> Vec<f64> {
            x.iter().map(|x| x + disturbance * noise.next()).collect()
        };
        states.push(State {
            t: 0.7,
            q: moved(q, &mut noise),
            v: moved(v, &mut noise),
            vdot: noise.vector(k, 3.0),
            lambda: noise.vector(system.n_lambda(), 2.0),
            s: noise.vector(system.n_s(), 1.0),
            memory: noise.vector(system.n_memory(), 1.0),
        });
    }
    states
}

fn wrapped<P: Parameters>(parameters: P) -> Vec<(Coordinates<P>, Vec<f64>, Vec<f64>)> {
    let zoo = build(&zoo(), precess::formulation::Formulation::R3SO3).unwrap();
    let mut noise = Noise(3);
    let odd = Odd::new();
    let mut q = vec![0.0; odd.group.repr()];
    odd.group.exp(&noise.vector(odd.group.dim(), 0.6), &mut q);
    let v = noise.vector(odd.group.dim(), 1.0);
    vec![
        Coordinates::new(zoo.system, parameters.clone(), &zoo.q, &zoo.v).unwrap(),
        Coordinates::new(Box::new(odd), parameters, &q, &v).unwrap(),
    ]
}

/// The inner tangents of `Odd` are quotients themselves; the zoo has exact ones.
const TOLERANCES: [f64; 2] = [2e-9, 1e-7];

#[test]
fn tangents_of_euler_parameters() {
    for ((system, q, v), tolerance) in wrapped(EulerParameters).into_iter().zip(TOLERANCES) {
        let states = states(&system, &q, &v);
        let norm = |s: &State| s.q[..4].iter().map(|x| x * x).sum::<f64>();
        assert!((norm(&states[0]) - 1.0).abs() < 1e-14);
        assert!((norm(&states[2]) - 1.0).abs() > 0.1, "{}", norm(&states[2]));
        for state in &states {
            check(&system, state, tolerance);
        }
        let system = system.with_stretch_inertia(0.0);
        for state in &states {
            check(&system, state, tolerance);
        }
    }
}

#[test]
fn tangents_of_tait_bryan_angles() {
    for ((system, q, v), tolerance) in wrapped(TaitBryan).into_iter().zip(TOLERANCES) {
        for state in states(&system, &q, &v) {
            check(&system, &state, tolerance);
        }
    }
}

#[test]
fn memory_and_names_are_passed_through() {
    let (system, q, v) = wrapped(EulerParameters).remove(1);
    let inner = system.mechanism();
    let mut state = states(&system, &q, &v).remove(0);
    state.memory = vec![2.0];
    state.remember(&system);
    // On the unit sphere e_0 is the first entry of the quaternion; x' follows the four rates.
    assert!((state.memory[0] - (2.0 + state.q[0] + state.v[4])).abs() < 1e-15);
    assert_eq!((system.n_s(), system.n_memory(), inner.n_lambda(), system.n_lambda()), (2, 1, 2, 4));
    assert_eq!(system.constraint_name(0), inner.constraint_name(0));
    assert!(system.constraint_name(3).contains("normalisation"));
    assert_eq!(system.velocity_name(5), inner.velocity_name(4));
    assert!(system.velocity_name(7).starts_with("Euler parameter e_0"), "{}", system.velocity_name(7));
}

#[test]
fn mass_matrix_of_euler_parameters_is_regular_or_of_rank_six() {
    let (system, q, v) = wrapped(EulerParameters).remove(0);
    let smallest = |system: &dyn System| {
        let state = states(system, &q, &v).remove(0);
        let mut t = Tangents::of(system);
        t.evaluate(system, &state.at(), Want::MASS);
        let mut values = t.s.to_dmatrix().symmetric_eigenvalues().as_slice().to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let regular = smallest(&system);
    assert!(regular[0] > 0.1, "{regular:?}");
    let singular = smallest(&system.with_stretch_inertia(0.0));
    assert!(singular[1].abs() < 1e-14 && singular[2] > 0.1, "{singular:?}");
}

#[test]
fn se3_is_refused() {
    let built = build(&zoo(), precess::formulation::Formulation::SE3).unwrap();
    let Err(e) = Coordinates::new(built.system, TaitBryan, &built.q, &built.v) else { panic!("accepted") };
    assert!(e.to_string().contains("SE(3)"), "{e}");
}
