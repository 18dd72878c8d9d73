//! Constraints, potentials, loads, states and algebraic variables that a model file gives as expressions.

use crate::common::{norm, runge_kutta};
use precess::formulation::Formulation;
use precess::mechanics::{State, Tangents, Want, difference};
use precess::model::{self, Built, Files, Loaded};
use precess::study::execute;
use precess::study::{Sample, larger};
use proptest::prelude::*;

pub fn load(text: &str, overrides: &[&str]) -> Loaded {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    model::load_with("test.toml", text, &overrides, Files::memory([])).unwrap_or_else(|e| panic!("{e}"))
}

pub fn file(name: &str, overrides: &[&str]) -> Loaded {
    let path = format!("{}/../../models/expressions/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    load(&std::fs::read_to_string(path).unwrap(), overrides)
}

pub fn build(loaded: &Loaded) -> Built {
    model::build(&loaded.model, loaded.settings.formulation).unwrap_or_else(|e| panic!("{e}"))
}

pub fn run(loaded: &Loaded, mut see: impl FnMut(&Sample)) -> (State, precess::study::execute::Outcome) {
    let built = build(loaded);
    let outcome = execute::run(loaded, &built, &mut |s| {
        see(s);
        true
    })
    .unwrap_or_else(|e| panic!("{e}"));
    assert!(outcome.error.is_none(), "{:?}", outcome.error);
    (outcome.state.clone(), outcome)
}

/// Everything at once: coordinates, distances, angles, joint coordinates, rates, time, states, algebraic
/// variables, two rigid bodies and a point.
const ALL: &str = r#"
    model = { gravity = [0.3, -1, -9.81] }
    parameters = { a = 0.7 }
    points = { A = [0.2, -1.3, 0.4] }
    [[body]]
    name = "rod"
    mass = 1.3
    inertia = [0.2, 0.3, 0.4]
    position = [0.5, 0.1, -0.2]
    markers = { tip = [0.4, 0.1, -0.3] }
    [[body]]
    name = "plate"
    mass = 0.8
    inertia = [0.25, 0.15, 0.3]
    position = [1.4, 0.3, 0.2]
    markers = { corner = [-0.2, 0.5, 0.1] }
    [[body]]
    name = "bead"
    type = "point"
    mass = 0.4
    position = [0.3, 1.2, 0.9]
    [[joint]]
    name = "hinge"
    type = "revolute"
    bodies = ["ground", "rod"]
    point = [0, 0, 0]
    axis = [0.3, 1, 0.2]
    [[constraint]]
    name = "path"
    equation = "bead.z - a*sin(bead.x*plate.corner.y)*exp(-rod.tip.z) + t^2*bead.y"
    [[constraint]]
    name = "reach"
    equation = "distance(rod.tip, plate.corner)*cos(hinge) + angle(bead, rod.tip, A)*distance(A, bead) - 1"
    [[force]]
    name = "field"
    type = "potential"
    potential = "3*distance(bead, plate)^2*cos(rod.tip.x) + angle(A, rod, plate.corner)^2 + hinge^3*bead.x"
    [[force]]
    name = "pull"
    type = "actuator"
    along = "distance(rod.tip, bead)"
    value = "c*rate(plate.corner.x)*x - p*v + hinge*t"
    [[force]]
    name = "motor"
    type = "actuator"
    joint = "hinge"
    value = "2*c - p*bead.y*rate(distance(bead, A))"
    [[state]]
    name = "c"
    rate = "-3*c*d + p*rate(hinge) + bead.x*t"
    initial = 0.3
    [[state]]
    name = "d"
    rate = "sin(c) - d + distance(rod, bead)*rate(bead.z)"
    [[algebraic]]
    name = "p"
    equation = "p + p^3 - bead.x*plate.y - s2*t"
    [[algebraic]]
    name = "s2"
    equation = "2*s2 + sin(s2*p) - distance(rod.tip, A)"
"#;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    /// All derivatives are those of difference quotients, off the constraints, in every formulation that
    /// takes expressions of everything.
    #[test]
    fn derivatives_match_differences(x in proptest::collection::vec(-1.0f64..1.0, 200)) {
        let loaded = load(ALL, &[]);
        use Formulation::{EulerParameters, R3SO3, SE3, TaitBryan};
        for formulation in [R3SO3, SE3, EulerParameters, TaitBryan] {
            let built = model::build(&loaded.model, formulation).unwrap();
            let system = &*built.system;
            let group = system.group();
            let (k, m, n_s) = (group.dim(), system.n_lambda(), system.n_s());
            prop_assert!(n_s == 2 && m >= 7);
            let part = |from: usize, n: usize, size: f64| -> Vec<f64> {
                x[from..from + n].iter().map(|x| size * x).collect()
            };
            let mut state = State {
                t: 0.4,
                q: built.q.clone(),
                v: part(30, k, 2.0),
                vdot: part(60, k, 5.0),
                lambda: part(90, m, 4.0),
                s: part(110, n_s, 1.0),
                memory: vec![0.0; system.n_memory()],
            };
            state.remember(system);
            group.retract(&built.q, &part(0, k, 0.2), &mut state.q);
            let at = state.at();
            let want = Want { c_m: 0.0, c_d: 1.0, stiffness: true, constraint: true, curvature: true };
            let mut exact = Tangents::dense(k, m, n_s);
            let mut differences = Tangents::dense(k, m, n_s);
            exact.evaluate(system, &at, want);
            differences.begin(want);
            difference::tangents(system, &at, &mut differences);
            for (name, a, b) in [
                ("D", &exact.s, &differences.s),
                ("K", &exact.k, &differences.k),
                ("B", &exact.b, &differences.b),
                ("Y", &exact.y, &differences.y),
                ("r_s", &exact.r_s, &differences.r_s),
                ("h_q", &exact.h_q, &differences.h_q),
                ("h_s", &exact.h_s, &differences.h_s),
            ] {
                let size = b.data().iter().fold(1.0, |m, x| larger(m, x.abs()));
                let off = a.data().iter().zip(b.data()).fold(0.0, |m, (a, b)| larger(m, (a - b).abs()));
                prop_assert!(off < 2e-7 * size, "{formulation:?} {name}: {off} of {size}");
            }
            for level in 0..2 {
                let (mut a, mut b) = (vec![0.0; m], vec![0.0; m]);
                if level == 0 {
                    system.velocity_constraint(&at, &mut a);
                    difference::velocity_constraint(system, &at, &mut b);
                } else {
                    system.acceleration_constraint(&at, &mut a);
                    difference::acceleration_constraint(system, &at, &mut b);
                }
                let size = b.iter().fold(1.0, |m, x| larger(m, x.abs()));
                let off = a.iter().zip(&b).fold(0.0, |m, (a, b)| larger(m, (a - b).abs()));
                prop_assert!(off < 1e-6 * size, "{formulation:?} level {level}: {off} of {size}");
            }
        }
    }
}

/// A rod on a ball joint with a point mass on a rigid bar behind it, by joints or by expressions.
fn chain(expressions: bool) -> String {
    let start = r#"
        model = { gravity = [0, 0, -9.81] }
        points = { pivot = [0, 0, 0] }
        [[body]]
        name = "rod"
        mass = 1.2
        inertia = [0.1, 0.3, 0.25]
        position = [0.5, 0, 0]
        markers = { root = [-0.5, 0, 0], tip = [0.5, 0, 0] }
        angular_velocity = [3, 0, 2]
        velocity = [0, 1, 0]
        [[body]]
        name = "bob"
        type = "point"
        mass = 0.7
        position = [1, 0, -0.6]
        velocity = [0, 2, 0]
        [integrator]
        method = "gen-alpha"
        rho = 0.8
        start = "table1"
        [run]
        step = 1e-3
        until = 0.7
    "#;
    let held = match expressions {
        false => {
            r#"
            [[joint]]
            name = "ball"
            type = "spherical"
            bodies = ["ground", "rod"]
            point = [0, 0, 0]
            [[joint]]
            name = "bar"
            type = "rigid-distance"
            bodies = ["rod", "bob"]
            point = "rod.tip"
            point2 = [1, 0, -0.6]
        "#
        }
        true => {
            r#"
            [[constraint]]
            name = "x"
            equation = "rod.root.x"
            [[constraint]]
            name = "y"
            equation = "rod.root.y - pivot.y"
            [[constraint]]
            name = "z"
            equation = "3*rod.root.z"
            [[constraint]]
            name = "bar"
            equation = "distance(bob, rod.tip)^2 - 0.36"
        "#
        }
    };
    format!("{start}{held}")
}

/// Expressions that say what joints say give the same motion and the same forces.
#[test]
fn expressions_move_like_the_joints_they_describe() {
    for (formulation, method) in [
        ("r3so3", "gen-alpha"),
        ("se3", "gen-alpha"),
        ("euler-parameters", "gen-alpha"),
        ("directors", "gen-alpha"),
        ("directors", "em"),
        ("directors", "vi-b"),
    ] {
        let set = [format!("integrator.formulation={formulation}"), format!("integrator.method={method}")];
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        let [joints, expressions] = [false, true].map(|e| {
            let loaded = load(&chain(e), &set);
            let (state, _) = run(&loaded, |_| {});
            let built = build(&loaded);
            (built.system.bodies(&state.at()), built.system.reactions(&state.at()))
        });
        let (bodies, reactions) = &joints;
        for (a, b) in bodies.iter().zip(&expressions.0) {
            let off = larger((a.position - b.position).norm(), (a.velocity - b.velocity).norm());
            assert!(off < 2e-8, "{formulation} {method}: {} is off by {off}", a.name);
        }
        // The ball joint pushes the rod at its root, the three rows at the same place; torques are about the
        // centre of mass.
        let sum = |list: &[precess::mechanics::Reaction]| {
            list.iter().map(|r| r.force).sum::<nalgebra::Vector3<f64>>()
        };
        let ball = sum(&expressions.1[..3]);
        assert!(
            (ball - reactions[0].force).norm() < 1e-6 * ball.norm(),
            "{formulation} {method}: {ball} {}",
            reactions[0].force
        );
        let (bar, expected) = (expressions.1[3].force, reactions[1].force);
        assert!((bar - expected).norm() < 1e-6 * expected.norm(), "{formulation} {method}: {bar} {expected}");
        assert!(expected.norm() > 5.0 && expressions.1[3].unique);
    }
}

/// The wire of `models/expressions/bead_on_wire.toml`: (r cos bz, r sin bz, z), r = sqrt(z/a), with its first
/// two derivatives.
fn wire(z: f64) -> [nalgebra::Vector3<f64>; 3] {
    let (a, b) = (0.8, 1.5_f64);
    let r = (z / a).sqrt();
    let (r_1, r_2) = (0.5 / (a * r), -0.25 / (a * a * r * r * r));
    let (s, c) = (b * z).sin_cos();
    [
        nalgebra::Vector3::new(r * c, r * s, z),
        nalgebra::Vector3::new(r_1 * c - r * b * s, r_1 * s + r * b * c, 1.0),
        nalgebra::Vector3::new(
            r_2 * c - 2.0 * r_1 * b * s - r * b * b * c,
            r_2 * s + 2.0 * r_1 * b * c - r * b * b * s,
            0.0,
        ),
    ]
}

/// z'' of the bead: the tangential part of Newton's law.
fn along_the_wire(y: &[f64; 2]) -> f64 {
    let [_, t, n] = wire(y[0]);
    (-9.81 * t.z - t.dot(&n) * y[1] * y[1]) / t.norm_squared()
}

/// A bead on a wire against minimal coordinates: order 2 in position and force, energy exact with em.
#[test]
fn bead_on_a_wire() {
    let t_end = 0.4;
    let y = runge_kutta(|_, y: &[f64; 2]| [y[1], along_the_wire(y)], [0.8, 0.0], (0.0, t_end), 4000);
    let [x, t, n] = wire(y[0]);
    let acceleration = t * along_the_wire(&y) + n * (y[1] * y[1]);
    let force = (acceleration + nalgebra::Vector3::new(0.0, 0.0, 9.81)) * 0.2;
    assert!(force.norm() > 0.3);
    for (method, formulation) in [
        ("gen-alpha", "r3so3"),
        ("gen-alpha", "directors"),
        ("em", "directors"),
        ("em-g", "directors"),
        ("vi-theta", "directors"),
    ] {
        let mut before = [0.0; 2];
        for (i, h) in [4e-3, 2e-3, 1e-3].into_iter().enumerate() {
            let set = [
                format!("integrator.method={method}"),
                format!("integrator.formulation={formulation}"),
                "integrator.start=table1".to_string(),
                format!("run.step={h}"),
                format!("run.until={t_end}"),
            ];
            let mut set: Vec<&str> = set.iter().map(String::as_str).collect();
            if method != "gen-alpha" {
                set.retain(|s| !s.contains("start"));
            }
            let loaded = file("bead_on_wire", &set);
            let (state, outcome) = run(&loaded, |_| {});
            let built = build(&loaded);
            let found: nalgebra::Vector3<f64> =
                built.system.reactions(&state.at()).iter().map(|r| r.force).sum();
            let e = [(built.system.bodies(&state.at())[0].position - x).norm(), (found - force).norm()];
            if i > 0 {
                let orders = [0, 1].map(|k: usize| (before[k] / e[k]).log2());
                assert!(
                    orders.iter().all(|o| (1.9..2.1).contains(o)),
                    "{method} {formulation}: {orders:?} {e:?}"
                );
            }
            before = e;
            if method.starts_with("em") {
                let off = outcome.summary.energy_drift.unwrap_or(f64::NAN);
                assert!(off < 1e-13, "{method}: {off}");
            }
        }
        assert!(before[0] < 2e-5, "{method}: {before:?}");
    }
}

/// A potential of distances and an angle: em keeps energy and momenta, and all coordinates agree.
#[test]
fn molecule_keeps_what_em_promises() {
    let loaded = file("molecule", &["run.until=1"]);
    let mut first = None;
    let mut off = [0.0; 3];
    let built = build(&loaded);
    let (end, _) = run(&loaded, |s| {
        let at = s.state.at();
        let momenta = built.system.momenta(&at).unwrap();
        let energy = built.system.energy(&at).unwrap().total();
        let (e, p, l) = *first.get_or_insert((energy, momenta.linear, momenta.angular));
        let now = [(energy - e).abs(), (momenta.linear - p).norm(), (momenta.angular - l).norm()];
        off = std::array::from_fn(|i| larger(off[i], now[i]));
    });
    assert!(off.iter().all(|x| *x < 2e-12), "{off:?}");
    let place = |loaded: &Loaded, state: &State| build(loaded).system.bodies(&state.at())[1].position;
    let with = |set: &[&str]| {
        let loaded = file("molecule", &[set, &["run.until=1"]].concat());
        let end = run(&loaded, |_| {}).0;
        place(&loaded, &end)
    };
    let [a, b, c] = ["0.005", "0.0025", "0.00125"].map(|h| with(&[&format!("run.step={h}")]));
    assert_eq!(a, place(&loaded, &end));
    let coarse = (a - b).norm();
    assert!((1.9..2.1).contains(&(coarse / (b - c).norm()).log2()), "{coarse} {}", (b - c).norm());
    // Another method in other coordinates; the rest of em is a third of the last difference.
    let exact = with(&[
        "integrator.method=auto",
        "integrator.formulation=r3so3",
        "run.step=off",
        "integrator.tol=1e-10",
    ]);
    assert!(
        (c + (c - b) / 3.0 - exact).norm() < 0.02 * coarse,
        "{} of {coarse}",
        (c + (c - b) / 3.0 - exact).norm()
    );
    // A variational integrator accepts it, too.
    let moved = (with(&["integrator.method=vi-a", "run.step=0.0025"]) - exact).norm();
    assert!(moved < 10.0 * coarse, "{moved} {coarse}");
}

/// Current and pressure against an ordinary differential equation for angle, rate and current, the pressure
/// eliminated by hand.
#[test]
fn motor_and_gas_spring() {
    let pressure = |l: f64| {
        let (v, gas) = (20e-4 * l, 2.0 * 8.314 * 300.0);
        gas / (v - 2.0 * 32e-6) - 4.0 * 0.138 / (v * v)
    };
    let inertia = 3.0 * ((0.25 + 0.0016) / 12.0 + 0.0625);
    let length = |phi: f64| {
        // The eye at 0.2 m from the pivot, turned about -y: z = +0.2 sin(phi).
        let (s, c) = phi.sin_cos();
        let arm = [0.2 * c - 0.1, 0.2 * s + 0.6];
        let l = norm(&arm);
        (l, (arm[0] * -0.2 * s + arm[1] * 0.2 * c) / l)
    };
    let step = |t: f64| {
        let s = (t / 0.1).clamp(0.0, 1.0);
        s * s * s * (10.0 - 15.0 * s + 6.0 * s * s)
    };
    let f = |t: f64, y: &[f64; 3]| {
        let (l, slope) = length(y[0]);
        let torque =
            -3.0 * 9.81 * 0.25 * y[0].cos() + slope * 20e-4 * (pressure(l) - 1e5) / 50.0 + 0.6 * y[2]
                - 0.05 * y[1];
        [y[1], torque / inertia, (12.0 * step(t) - 0.5 * y[2] - 0.6 * y[1]) / 1e-3]
    };
    let y = runge_kutta(f, [0.0; 3], (0.0, 0.1), 20000);
    let y = runge_kutta(f, y, (0.1, 0.5), 40000);
    for formulation in ["r3so3", "se3", "euler-parameters"] {
        let set = format!("integrator.formulation={formulation}");
        let loaded = file("motor_and_gas_spring", &[&set, "integrator.tol=1e-8", "run.until=0.5"]);
        let (_, outcome) = run(&loaded, |_| {});
        let last = |name: &str| *outcome.results.get(name).unwrap().values.last().unwrap();
        let (current, p) = (last("current"), last("pressure"));
        assert!((current - y[2]).abs() < 1e-5 * y[2].abs(), "{formulation}: {current} {}", y[2]);
        let expected = pressure(length(y[0]).0);
        assert!((p - expected).abs() < 1e-6 * expected, "{formulation}: {p} {expected}");
    }
}
