//! Models that are easy to write and hard to integrate, each compared with a known result of mechanics.

use nalgebra::Vector3;
use precess::Error;
use precess::integrate::InitialValues;
use precess::mechanics::State;
use precess::mechanics::mechanism::BodyState;
use precess::methods::{adaptive_method, method};
use precess::model::{Built, Loaded, build, load};
use precess::study::larger;
use precess::study::{Every, Failure, Summary};

struct Done {
    built: Built,
    states: Vec<State>,
    summary: Summary,
}

impl Done {
    fn body(&self, state: &State, name: &str) -> BodyState {
        self.built.system.bodies(&state.at()).into_iter().find(|b| b.name == name).expect(name)
    }

    fn end(&self, name: &str) -> BodyState {
        self.body(self.states.last().expect("a state"), name)
    }

    /// Largest value over all steps.
    fn largest(&self, f: impl Fn(&State) -> f64) -> f64 {
        self.states.iter().map(f).fold(0.0, larger)
    }
}

fn read(text: &str, overrides: &[&str]) -> Loaded {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    load("difficult", text, &overrides).unwrap_or_else(|e| panic!("{e}"))
}

fn try_run(text: &str, overrides: &[&str]) -> Result<Done, Box<Failure>> {
    let loaded = read(text, overrides);
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).unwrap();
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = s.fix_initial;
    let mut state = initial.consistent(&*built.system).unwrap_or_else(|e| panic!("{e}"));
    let mut every = Every::steps(1);
    let summary = match (s.adaptive_run(), s.tolerance) {
        (Some(run), Some(tol)) => {
            let mut method = adaptive_method(&s.method, &s.options, tol).unwrap();
            run.run(&*built.system, &mut *method, &mut state, &mut every)?
        }
        _ => s.run().run(
            &*built.system,
            &mut *method(&s.method, &s.options).unwrap(),
            &mut state,
            &mut every,
        )?,
    };
    let mut states = every.states;
    states.push(state);
    Ok(Done { built, states, summary })
}

fn run(text: &str, overrides: &[&str]) -> Done {
    try_run(text, overrides).unwrap_or_else(|e| panic!("{e}"))
}

/// Both ways to run: fixed steps in the form given, and the default tolerance.
const WAYS: [&[&str]; 3] = [
    &[
        "integrator.method=gen-alpha",
        "integrator.form=stabilized-index2",
        "integrator.rho=0.8",
        "run.step=1e-3",
    ],
    &["integrator.method=gen-alpha", "integrator.form=index3", "integrator.rho=0.8", "run.step=1e-3"],
    &["integrator.tol=1e-8"],
];

/// Angle of phi'' = -k sin phi, by the classical Runge-Kutta method with 10^5 steps.
fn pendulum(k: f64, phi_0: f64, t: f64) -> f64 {
    let n = 100_000;
    let h = t / n as f64;
    let f = |(phi, w): (f64, f64)| (w, -k * phi.sin());
    let go = |x: (f64, f64), d: (f64, f64), h: f64| (x.0 + h * d.0, x.1 + h * d.1);
    let mut x = (phi_0, 0.0);
    for _ in 0..n {
        let a = f(x);
        let b = f(go(x, a, 0.5 * h));
        let c = f(go(x, b, 0.5 * h));
        let d = f(go(x, c, h));
        x = go(x, (a.0 + 2.0 * b.0 + 2.0 * c.0 + d.0, a.1 + 2.0 * b.1 + 2.0 * c.1 + d.1), h / 6.0);
    }
    x.0
}

fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let error = (found - expected).abs();
    assert!(error <= tolerance, "{what}: {found} instead of {expected}, error {error:.2e} > {tolerance:.0e}");
}

/// A second hinge, 1e-7 m beside the axis of the first: ten rows, five of which would be redundant without
/// this distance. The door falls as the pendulum it is, as if the second hinge were not there.
#[test]
fn nearly_redundant_constraints() {
    let text = r#"
        model = { name = "flap", gravity = [0, 0, -9.81] }
        parameters = { off = 1e-7 }
        body = [{ name = "flap", mass = 3, inertia = [0.2, 0.3, 0.25], position = [0.5, 0, 0] }]
        joint = [
            { name = "one", type = "revolute", bodies = ["ground", "flap"], point = [0, -0.4, 0],
                axis = [0, 1, 0] },
            { name = "two", type = "revolute", bodies = ["ground", "flap"], point = [0, 0.4, "off"],
                axis = ["off", 1, 0] },
        ]
        run = { until = 1 }
    "#;
    // From the horizontal: phi'' = -m g l/(J + m l^2) sin phi, phi = pi/2 at the start.
    let phi = pendulum(3.0 * 9.81 * 0.5 / (0.3 + 3.0 * 0.25), std::f64::consts::FRAC_PI_2, 1.0);
    for way in WAYS {
        for off in ["parameters.off=0", "parameters.off=1e-7", "parameters.off=1e-12"] {
            // A tolerance below the misalignment cannot be met.
            let tolerable: &[&str] =
                if off.ends_with("1e-7") && way.len() == 1 { &["integrator.tol=1e-7"] } else { way };
            let done = run(text, &[tolerable, &[off]].concat());
            let p = done.end("flap").position;
            // Misaligned hinges jam a little. Perfectly rigid ones would not move at all.
            let tolerance = if off.ends_with("1e-7") { 2e-4 } else { 1e-6 };
            near("x", p.x, 0.5 * phi.sin(), tolerance);
            near("z", p.z, -0.5 * phi.cos(), tolerance);
            // The door cannot satisfy both hinges to better than they disagree.
            assert!(done.summary.position_max < 1e-6, "{way:?} {off}: {:e}", done.summary.position_max);
        }
    }
}

/// A millionth of the mass hangs on a pendulum and does not affect it. Then the pendulum hangs on the light
/// mass.
#[test]
fn mass_ratio_of_a_million() {
    let text = r#"
        model = { name = "ratio", gravity = [0, 0, -9.81] }
        parameters = { a = 1, b = 1e-6 }
        body = [
            { name = "upper", type = "point", mass = "a", position = [1, 0, 0] },
            { name = "lower", type = "point", mass = "b", position = [1, 0, -1] },
        ]
        joint = [
            { name = "first", type = "rigid-distance", bodies = ["ground", "upper"], point = [0, 0, 0],
                point2 = [1, 0, 0] },
            { name = "second", type = "rigid-distance", bodies = ["upper", "lower"], point = [1, 0, 0],
                point2 = [1, 0, -1] },
        ]
        run = { until = 1 }
    "#;
    let phi = pendulum(9.81, std::f64::consts::FRAC_PI_2, 1.0);
    for way in WAYS {
        let done = run(text, way);
        near("x", done.end("upper").position.x, phi.sin(), 2e-5);
        near("z", done.end("upper").position.z, -phi.cos(), 2e-5);
        assert!(done.summary.energy_drift.unwrap() < 1e-3, "{:?}", done.summary.energy_drift);
        // The other way round the heavy mass on two light rods falls straight until they are stretched.
        let done = run(text, &[way, &["parameters.a=1e-6", "parameters.b=1", "run.until=0.3"]].concat());
        let z = done.end("lower").position.z;
        near("free fall", z, -1.0 - 0.5 * 9.81 * 0.09, 1e-3);
        assert!(done.summary.position_max < 1e-7, "{:e}", done.summary.position_max);
    }
}

/// A bushing of 1e8 N/m with steps of 1e-3 s, a hundred times the time of its vibration: it behaves like the
/// joint, up to the m g / k it gives way.
#[test]
fn stiff_bushing_is_a_joint() {
    let text = r#"
        model = { name = "stiff", gravity = [0, 0, -9.81] }
        body = [{ name = "bar", mass = 2, inertia = [0.1, 0.3, 0.3], position = [0.5, 0, 0],
            angular_velocity = [0, 0, 2], velocity = [0, 1, 0] }]
        integrator = { method = "gen-alpha", form = "stabilized-index2", rho = 0.6 }
        run = { until = 1, step = 1e-3 }
    "#;
    let joint =
        r#"joint = [{ name = "tip", type = "spherical", bodies = ["ground", "bar"], point = [0, 0, 0] }]"#;
    let bushing = r#"force = [{ name = "tip", type = "bushing", bodies = ["ground", "bar"], point = [0, 0, 0], stiffness = [1e8, 1e8, 1e8], damping = [0, 0, 0] }]"#;
    let rigid = run(&format!("{joint}\n{text}"), &[]);
    let soft = run(&format!("{bushing}\n{text}"), &[]);
    assert_eq!(rigid.states.len(), soft.states.len());
    let mut worst: f64 = 0.0;
    for (a, b) in rigid.states.iter().zip(&soft.states) {
        let difference = rigid.body(a, "bar").position - soft.body(b, "bar").position;
        worst = precess::study::larger(worst, difference.norm());
    }
    assert!(worst < 2e-5, "{worst:e}");
    assert!(worst > 1e-8, "a bushing gives way: {worst:e}");
}

/// Two equal cranks and a coupler as long as the base, turned three times by a drive. Twice per turn all bars
/// are in line, where another branch begins (the antiparallelogram). The coupler keeps its direction, both
/// with steps that end exactly in this position and with steps that do not.
#[test]
fn parallelogram_through_its_singular_position() {
    let text = r#"
        model = { name = "parallelogram", gravity = [0, 0, -9.81] }
        parameters = { w = "2*pi" }
        body = [
            { name = "left", mass = 1, inertia = [0.02, 0.02, 0.001], position = [0, 0, 0.25],
                velocity = ["0.25*w", 0, 0], angular_velocity = [0, "w", 0] },
            { name = "coupler", mass = 1, inertia = [0.001, 0.1, 0.1], position = [0.5, 0, 0.5],
                velocity = ["0.5*w", 0, 0] },
            { name = "right", mass = 1, inertia = [0.02, 0.02, 0.001], position = [1, 0, 0.25],
                velocity = ["0.25*w", 0, 0], angular_velocity = [0, "w", 0] },
        ]
        joint = [
            { name = "A", type = "revolute", bodies = ["ground", "left"], point = [0, 0, 0], axis = [0, 1, 0],
                drive = "w*t" },
            { name = "B", type = "spherical", bodies = ["left", "coupler"], point = [0, 0, 0.5] },
            { name = "C", type = "cylindrical", bodies = ["coupler", "right"], point = [1, 0, 0.5],
                axis = [0, 1, 0] },
            { name = "D", type = "revolute", bodies = ["ground", "right"], point = [1, 0, 0],
                axis = [0, 1, 0] },
        ]
        integrator = { method = "gen-alpha", form = "stabilized-index2", rho = 0.8 }
        run = { until = 3 }
    "#;
    // 0.0025, 0.005 and 0.001 meet the quarter turns, 3/1191 does not.
    let mut helped = 0;
    for way in [
        &["run.step=0.002518891687657431"][..],
        &["run.step=0.0025"],
        &["run.step=0.005"],
        &["run.step=0.001"],
        &["run.step=0.0025", "integrator.form=index3"],
        &["run.step=0.0025", "integrator.method=bliedf"],
        &["integrator.tol=1e-6", "integrator.method=auto"],
    ] {
        let done = run(text, way);
        helped += done.summary.rescues.regularisation;
        let turned = done.largest(|s| {
            let r = done.body(s, "coupler").rotation;
            2.0 * Vector3::new(r[1], r[2], r[3]).norm().asin()
        });
        assert!(turned < 1e-4, "{way:?}: the coupler turned by {turned:e} rad");
        let p = done.end("coupler").position;
        near("x", p.x, 0.5, 1e-6);
        near("z", p.z, 0.5, 1e-6);
        assert!(done.summary.position_max < 1e-7, "{way:?}: {:e}", done.summary.position_max);
        let told = done.summary.warnings.iter().any(|w| w.contains("Newton's method failed"));
        assert_eq!(told, done.summary.rescues.total() > 0, "{way:?}: {:?}", done.summary.warnings);
    }
    assert!(helped > 0, "nobody met the singular position");
}

/// A link without mass and inertia holds a bob: the mathematical pendulum.
#[test]
fn massless_link() {
    let text = r#"
        model = { name = "massless", gravity = [0, 0, -9.81] }
        body = [
            { name = "link", mass = 0, inertia = [0, 0, 0], position = [0.5, 0, 0] },
            { name = "bob", type = "point", mass = 1, position = [1, 0, 0] },
        ]
        joint = [
            { name = "hinge", type = "revolute", bodies = ["ground", "link"], point = [0, 0, 0],
                axis = [0, 1, 0] },
            { name = "tip", type = "spherical", bodies = ["link", "bob"], point = [1, 0, 0] },
        ]
        run = { until = 1 }
    "#;
    let phi = pendulum(9.81, std::f64::consts::FRAC_PI_2, 1.0);
    for way in WAYS {
        let done = run(text, way);
        near("x", done.end("bob").position.x, phi.sin(), 2e-5);
        near("z", done.end("bob").position.z, -phi.cos(), 2e-5);
    }
}

/// A spring without free length whose ends meet: x = cos(w t), through zero length.
#[test]
fn zero_length_spring() {
    let text = r#"
        model = { name = "spring", gravity = [0, 0, 0] }
        body = [{ name = "bob", type = "point", mass = 2, position = [1, 0, 0] }]
        force = [{ name = "s", type = "spring", bodies = ["ground", "bob"], point = [0, 0, 0],
            point2 = [1, 0, 0], stiffness = 50, free_length = 0 }]
        run = { until = 2 }
    "#;
    for way in WAYS {
        let done = run(text, way);
        let error = done.largest(|s| (done.body(s, "bob").position.x - (5.0 * s.t).cos()).abs());
        assert!(error < 3e-5, "{way:?}: {error:e}");
        assert!(done.largest(|s| done.body(s, "bob").position.yz().norm()) == 0.0);
    }
}

/// A four-bar loop that is assembled with a gap of 1e-6 m: refused as it is with the name of a joint beside
/// it, closed by fix_initial, and then as good as without.
#[test]
fn loop_with_gaps() {
    let text = crate::model_util::model_text("four_bar");
    let closed = run(&text, &["run.until=0.5", "run.fix_initial=true"]);
    let loaded = read(&text, &["run.until=0.5"]);
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).unwrap();
    let mut q = built.q.clone();
    // The position of the third body, behind its quaternion.
    q[2 * 7 + 4] += 1e-6;
    let refused = InitialValues::new(&q, &built.v).consistent(&*built.system).unwrap_err();
    let Error::InconsistentPosition { constraint, residual, .. } = &refused else { panic!("{refused}") };
    assert!(constraint.contains("joint C") || constraint.contains("joint D"), "{refused}");
    assert!((5e-7..5e-6).contains(residual), "{refused}");
    let mut initial = InitialValues::new(&q, &built.v);
    initial.fix = true;
    let mut state = initial.consistent(&*built.system).unwrap();
    let mut method = method(&s.method, &s.options).unwrap();
    let summary = s.run().run(&*built.system, &mut *method, &mut state, &mut ()).unwrap();
    assert!(summary.position_max < 1e-10, "{:e}", summary.position_max);
    let rocker = &built.system.bodies(&state.at())[2];
    near("position", (closed.end("rocker").position - rocker.position).norm(), 0.0, 1e-5);
}

/// Fifty bodies share one joint point. The first is joined to the ground there, the others to the first. Each
/// moves as if it were alone.
#[test]
fn fifty_bodies_in_one_point() {
    let head = r#"model = { name = "star", gravity = [0, 0, -9.81] }"#;
    let body = |name: &str, i: usize| {
        let (s, c) = (0.3 * i as f64).sin_cos();
        format!(
            "{{ name = \"{name}\", mass = {}, inertia = [0.02, 0.03, 0.04], position = [{}, {}, {}], \
             angular_velocity = [{}, 1, 2] }}",
            1.0 + 0.1 * i as f64,
            0.5 * c,
            0.5 * s,
            0.01 * i as f64,
            0.1 * i as f64
        )
    };
    let tail = "run = { until = 0.5, fix_initial = true }";
    let bodies: Vec<String> = (0..50).map(|i| body(&format!("b{i}"), i)).collect();
    let joints: Vec<String> = (0..50)
        .map(|i| {
            let on = if i == 0 { "ground" } else { "b0" };
            format!(
                "{{ name = \"j{i}\", type = \"spherical\", bodies = [\"{on}\", \"b{i}\"], point = [0, \
                     0, 0] }}"
            )
        })
        .collect();
    let star = format!("{head}\nbody = [{}]\njoint = [{}]\n{tail}", bodies.join(","), joints.join(","));
    for way in [WAYS[0], WAYS[2]] {
        let together = run(&star, way);
        for i in [0, 1, 23, 49] {
            let alone = format!(
                "{head}\nbody = [{}]\njoint = [{{ name = \"j\", type = \"spherical\", bodies = [\"ground\", \
                 \"alone\"], point = [0, 0, 0] }}]\n{tail}",
                body("alone", i)
            );
            let alone = run(&alone, way);
            let (a, b) = (alone.end("alone"), together.end(&format!("b{i}")));
            near("position", (a.position - b.position).norm(), 0.0, 1e-6);
            near("velocity", (a.velocity - b.velocity).norm(), 0.0, 1e-5);
        }
        assert!(together.summary.position_max < 1e-9, "{:e}", together.summary.position_max);
    }
}

/// A wheel at 1000 rad/s for ten seconds: its coordinate counts 1591 turns, and a body on its rim is where it
/// should be.
#[test]
fn many_turns() {
    let text = r#"
        model = { name = "wheel", gravity = [0, 0, 0] }
        body = [{ name = "wheel", mass = 1, inertia = [0.1, 0.1, 0.2], angular_velocity = [0, 0, 1000],
            markers = { rim = [1, 0, 0] } }]
        joint = [{ name = "axle", type = "revolute", bodies = ["ground", "wheel"], point = [0, 0, 0],
            axis = [0, 0, 1] }]
        sensor = [
            { name = "angle", type = "coordinate", joint = "axle" },
            { name = "rim", type = "position", body = "wheel", point = "wheel.rim" },
        ]
        run = { until = 10 }
    "#;
    for way in [WAYS[0], WAYS[2]] {
        let done = run(text, way);
        let sensors = done.built.system.sensors(&done.states.last().unwrap().at());
        near("angle", sensors[0].1[0], 1e4, 1e-8);
        near("x", sensors[1].1[0], 1e4_f64.cos(), 1e-8);
        near("y", sensors[1].1[1], 1e4_f64.sin(), 1e-8);
    }
}

/// A drive whose value or rate jumps asks for infinite forces: refused when the model is read, with the
/// reason.
#[test]
fn drives_that_jump() {
    for drive in
        ["0.1*signum(t - 0.5) + 0.1", "abs(t - 0.5) - 0.5", "max(0, t - 0.5)", "floor(4*t)", "min(t, 0.5)"]
    {
        let text = format!(
            r#"
            model = {{ name = "jump", gravity = [0, 0, 0] }}
            body = [{{ name = "slide", mass = 1, inertia = [1, 1, 1] }}]
            joint = [{{ name = "guide", type = "prismatic", bodies = ["ground", "slide"], point = [0, 0, 0],
                axis = [1, 0, 0], drive = "{drive}" }}]
            "#
        );
        let message = load("jump", &text, &[]).expect_err(drive).to_string();
        assert!(message.contains(drive) && message.contains("jumps"), "{message}");
    }
}
