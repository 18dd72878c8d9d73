//! Diagnostics of every method and formulation: momenta, energies, power balance of dampers, drives and
//! controls.

use crate::model_util::*;
use precess::conserve::{EnergyMomentum, Stepper, Theta};
use precess::formulation::Formulation;
use precess::integrate::{Accelerations, Form, InitialValues, Integrator};
use precess::mechanics::{At, State, System};
use precess::methods::{MethodOptions, method};
use precess::model::{Loaded, build};
use precess::problems::ggl::spherical_pendulum;
use precess::study::larger;
use precess::study::{Run, Sample, Summary, diagnostics};

const ALL: [Formulation; 5] = [
    Formulation::R3SO3,
    Formulation::SE3,
    Formulation::EulerParameters,
    Formulation::TaitBryan,
    Formulation::Directors,
];

/// Two bodies that turn about each other, without gravity, with a spring and what is added.
fn free(more: &str) -> Loaded {
    load_text(&format!(
        r#"
        [[body]]
        name = "a"
        mass = 1.3
        inertia = [0.2, 0.3, 0.25]
        position = [0.4, 0.1, -0.2]
        rotation = {{ axis = [1, 2, 3], angle = 0.7 }}
        velocity = [0.3, -0.2, 0.5]
        angular_velocity_global = [0.3, -0.4, 0.9]
        [[body]]
        name = "b"
        mass = 0.7
        inertia = [[0.1, 0.01, 0], [0.01, 0.12, 0.02], [0, 0.02, 0.15]]
        position = [1.1, 0.3, 0.2]
        rotation = {{ axis = [0, 1, -1], angle = -1.1 }}
        # Of one rigid body with a: v + w x (0.7, 0.2, 0.4).
        velocity = ["0.3 + (-0.4)*0.4 - 0.9*0.2", "-0.2 + 0.9*0.7 - 0.3*0.4", "0.5 + 0.3*0.2 + 0.4*0.7"]
        angular_velocity_global = [0.3, -0.4, 0.9]
        [[joint]]
        name = "hinge"
        type = "revolute"
        bodies = ["a", "b"]
        point = [0.8, 0.2, 0]
        axis = [1, 0.3, 0]
        [[force]]
        name = "spring"
        type = "joint-spring"
        joint = "hinge"
        stiffness = 6
        rest = 0.8
        {more}
        "#
    ))
}

fn run(loaded: &Loaded, formulation: Formulation, name: &str, h: f64, t_end: f64) -> Summary {
    let mut s = start(loaded, formulation);
    let options = MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() };
    let mut integrator = method(name, &options).unwrap();
    Run::new(h, t_end)
        .run(s.system.as_ref(), integrator.as_mut(), &mut s.state, &mut ())
        .unwrap_or_else(|e| panic!("{e}"))
}

/// Momenta are the same in all coordinates, and those that sensors show.
#[test]
fn momenta_in_all_formulations() {
    let sensors = "
        [[sensor]]
        name = 'L'
        type = 'linear-momentum'
        [[sensor]]
        name = 'J'
        type = 'angular-momentum'
    ";
    let mut loaded = free(sensors);
    loaded.model.gravity = nalgebra::Vector3::new(1.0, 2.0, -2.0);
    for formulation in ALL {
        let s = start(&loaded, formulation);
        let m = s.system.momenta(&s.state.at()).unwrap();
        let (linear, angular) = (s.sensor("L"), s.sensor("J"));
        assert!(distance(m.linear.as_slice(), &linear) < 1e-13, "{formulation:?} {m:?} {linear:?}");
        assert!(distance(m.angular.as_slice(), &angular) < 1e-13, "{formulation:?} {m:?} {angular:?}");
        let about = (angular[0] + 2.0 * angular[1] - 2.0 * angular[2]) / 3.0;
        assert!((m.about_gravity.unwrap() - about).abs() < 1e-13);
        // Sums over the bodies, by hand.
        let bodies = s.system.bodies(&s.state.at());
        let sum = bodies[0].velocity * 1.3 + bodies[1].velocity * 0.7;
        assert!((sum - m.linear).norm() < 1e-13);
    }
    // The papers' top has its own equations; its momenta are those of the model.
    let loaded = load_model("heavy_top", &[]);
    let top = precess::problems::HeavyTop::fast(Formulation::SE3);
    let model = start(&loaded, Formulation::SE3);
    let (x, y) = (top.momenta(&model.state.at()).unwrap(), model.system.momenta(&model.state.at()).unwrap());
    assert!((x.angular - y.angular).norm() < 1e-11 && (x.linear - y.linear).norm() < 1e-11, "{x:?} {y:?}");
}

/// Deviations of momenta in the summary: round-off for EM, order 2 for generalized-alpha.
#[test]
fn deviations_of_momenta() {
    let loaded = free("");
    let em = run(&loaded, Formulation::Directors, "em", 0.01, 1.0);
    let drift = em.momenta.unwrap();
    assert!(drift.linear < 1e-13 && drift.angular < 1e-13 && drift.about_gravity.is_none(), "{drift:?}");
    assert!(em.work.is_none() && em.balance.is_none() && em.energy_drift.unwrap() < 1e-13, "{em:?}");
    for formulation in [Formulation::R3SO3, Formulation::TaitBryan] {
        let of = |h: f64| run(&loaded, formulation, "gen-alpha", h, 1.0).momenta.unwrap().angular;
        let order = (of(0.01) / of(0.005)).log2();
        assert!((order - 2.0).abs() < 0.25 && of(0.01) < 1e-2, "{formulation:?}: {order}");
    }
    let top = load_model("heavy_top", &[]);
    let em = run(&top, Formulation::Directors, "em", 1e-3, 0.2).momenta.unwrap();
    assert!(em.about_gravity.unwrap() < 1e-12 * 35.0 && em.angular > 1.0, "{em:?}");
}

const DAMPER: &str = "
        [[force]]
        name = 'damper'
        type = 'joint-spring'
        joint = 'hinge'
        stiffness = 0
        damping = 0.2
        [[force]]
        name = 'motor'
        type = 'actuator'
        joint = 'hinge'
        value = '0.5*sin(4*t)'
";

/// With a damper and a motor the energy changes by their work: exactly for EM and EM-G, to order 2 for
/// generalized-alpha, order 3 for BLieDF with k = 3.
#[test]
fn power_balance_of_dampers() {
    let loaded = free(DAMPER);
    for name in ["em", "em-g"] {
        let s = run(&loaded, Formulation::Directors, name, 0.01, 1.0);
        assert!(s.energy_drift.unwrap() > 0.03 && s.work.unwrap().abs() > 0.01, "{s:?}");
        assert!(s.balance.unwrap() < 1e-13, "{name}: {:e}", s.balance.unwrap());
    }
    for formulation in ALL {
        let of = |h: f64| run(&loaded, formulation, "gen-alpha", h, 1.0).balance.unwrap();
        let order = (of(0.02) / of(0.01)).log2();
        assert!((order - 2.0).abs() < 0.3 && of(0.01) < 1e-2, "{formulation:?}: {order} {:e}", of(0.01));
    }
    let options = MethodOptions { k: 3, form: Form::StabilizedIndex2, ..MethodOptions::default() };
    let of = |h: f64| {
        let mut s = start(&loaded, Formulation::R3SO3);
        let mut bdf = options.bliedf().unwrap();
        Run::new(h, 1.0).run(s.system.as_ref(), &mut bdf, &mut s.state, &mut ()).unwrap().balance.unwrap()
    };
    let order = (of(0.01) / of(0.005)).log2();
    assert!(order > 2.7, "{order}");
}

const DRIVEN: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [[body]]
    name = "arm"
    mass = 1
    inertia = [0.02, 0.1, 0.1]
    position = [0.5, 0, 0]
    velocity = [0, 0, -0.6]
    angular_velocity = [0, 1.2, 0]
    [[body]]
    name = "slider"
    mass = 0.4
    inertia = [0.01, 0.02, 0.03]
    position = [0.8, 0, 0]
    velocity = [0.6, 0, -0.96]
    angular_velocity = [0, 1.2, 0]
    [[joint]]
    name = "hinge"
    type = "revolute"
    bodies = ["ground", "arm"]
    point = [0, 0, 0]
    axis = [0, 1, 0]
    drive = "0.3*sin(4*t) + t^2"
    [[joint]]
    name = "rail"
    type = "prismatic"
    bodies = ["arm", "slider"]
    point = [0.8, 0, 0]
    axis = [1, 0, 0]
    drive = "0.2*sin(3*t)"
"#;

/// A driven joint: the energy is known from the prescribed motion, and the work of the drives equals its
/// change.
#[test]
fn power_balance_of_drives() {
    let loaded = load_text(DRIVEN);
    for formulation in &ALL {
        let of = |h: f64| {
            let s = run(&loaded, *formulation, "gen-alpha", h, 1.0);
            let (phi, rate) = (0.3 * 4.0_f64.sin() + 1.0, 1.2 * 4.0_f64.cos() + 2.0);
            let (x, x_t) = (0.8 + 0.2 * 3.0_f64.sin(), 0.6 * 3.0_f64.cos());
            let turning = (0.1 + 0.25 + 0.02 + 0.4 * x * x) * rate * rate;
            let energy = 0.5 * (turning + 0.4 * x_t * x_t) - 9.81 * phi.sin() * (0.5 + 0.4 * x);
            assert!((s.energy_final.unwrap() - energy).abs() < 2e-3, "{:?} {energy}", s.energy_final);
            assert!(s.work.unwrap().abs() > 1.0, "{s:?}");
            s.balance.unwrap()
        };
        let order = (of(0.01) / of(0.005)).log2();
        assert!((order - 2.0).abs() < 0.3 && of(0.01) < 5e-3, "{formulation:?}: {order} {:e}", of(0.01));
    }
}

fn fastest(state: &State) -> f64 {
    state.v.iter().fold(0.0, |m: f64, v| larger(m, v.abs()))
}

/// dE/dt along the solution, by differences of fourth order along q o exp(tau v + tau^2 v'/2).
fn energy_rate(system: &dyn System, state: &State) -> f64 {
    let energy = |tau: f64| {
        let step: Vec<f64> =
            state.v.iter().zip(&state.vdot).map(|(v, a)| tau * v + 0.5 * tau * tau * a).collect();
        let v: Vec<f64> = state.v.iter().zip(&state.vdot).map(|(v, a)| v + tau * a).collect();
        let mut q = state.q.clone();
        system.group().retract(&state.q, &step, &mut q);
        system.energy(&At { q: &q, v: &v, ..state.at() }).unwrap().total()
    };
    let e = (2e-3 / (1.0 + fastest(state))).min(2e-5);
    (8.0 * (energy(e) - energy(-e)) - energy(2.0 * e) + energy(-2.0 * e)) / (12.0 * e)
}

/// The power that a system declares is the rate of its energy, for every model file and formulation: joints,
/// gears, friction that depends on multipliers, controls with states, drives. Without a declared power the
/// energy is constant.
#[test]
fn declared_power_is_the_rate_of_energy() {
    let folder = format!("{}/../../models", env!("CARGO_MANIFEST_DIR"));
    let names = std::fs::read_dir(folder).unwrap().filter_map(|f| {
        let path = f.unwrap().path();
        let stem = path.file_stem()?.to_str()?.to_string();
        (path.extension()? == "toml").then_some(stem)
    });
    let (mut active, mut passive) = (0, 0);
    for name in names {
        let loaded = load_model(&name, &[]);
        for formulation in ALL {
            let built = match build(&loaded.model, formulation) {
                Ok(built) => built,
                Err(e) => {
                    // Tait-Bryan angles cannot begin in gimbal lock.
                    let locked =
                        formulation == Formulation::TaitBryan && e.to_string().contains("gimbal lock");
                    assert!(locked || formulation == Formulation::Directors, "{name}: {e}");
                    continue;
                }
            };
            let system = built.system.as_ref();
            let mut initial = InitialValues::new(&built.q, &built.v);
            initial.fix = loaded.settings.fix_initial;
            let mut state = initial.consistent(system).unwrap();
            let mut alpha = options(Form::StabilizedIndex2).generalized_alpha().unwrap();
            let h = (0.02 / (1.0 + fastest(&state))).min(1e-3);
            alpha.start(system, &mut state, h).unwrap();
            (0..30).for_each(|_| {
                alpha.step(system, &mut state, h).unwrap();
            });
            Accelerations::new(system).solve(system, &mut state).unwrap();
            let (rate, power) = (energy_rate(system, &state), system.power(&state.at()));
            let energy = system.energy(&state.at()).unwrap();
            let size = 1.0 + energy.kinetic + energy.potential.abs() + rate.abs();
            // Gen-alpha leaves Phi and B v at 1e-10 or so, which rates of stiff springs and multipliers see.
            assert!(
                (rate - power.unwrap_or(0.0)).abs() < 2e-6 * size,
                "{name} {formulation:?}: {rate} {power:?}"
            );
            match power {
                Some(_) => active += 1,
                None => passive += 1,
            }
        }
    }
    assert!(active >= 8 && passive >= 40, "{active} {passive}");
}

/// H(q, p) and E(q, v, p) of methods with momenta of their own, against the table of the prototype.
#[test]
fn energies_of_independent_momenta() {
    let example = spherical_pendulum();
    let initial = || InitialValues::new(&example.q_0, &example.v_0).consistent(&example.system).unwrap();
    let largest = |integrator: &mut dyn Integrator, name: &str| {
        let (mut worst, mut seen) = (0.0_f64, false);
        let mut record = |sample: &Sample| {
            if let Some(d) = diagnostics(sample).iter().find(|d| d.name == name) {
                assert_eq!(d.unit, "J");
                worst = precess::study::larger(worst, (d.values[0] - 0.5).abs());
                seen = true;
            }
        };
        Run::new(0.05, 10.0).run(&example.system, integrator, &mut initial(), &mut record).unwrap();
        seen.then_some(worst)
    };
    let near = |x: Option<f64>, y: f64| assert!((x.unwrap() - y).abs() < 0.01 * y, "{x:?} {y}");
    near(largest(&mut Stepper::new(Theta::VI_A), "hamiltonian"), 0.09791);
    near(largest(&mut Stepper::new(Theta::VI_A), "energy_function"), 0.2229);
    near(largest(&mut Stepper::new(Theta::VI_B), "hamiltonian"), 0.6802);
    near(largest(&mut Stepper::new(Theta::VI_B), "energy_function"), 0.7986);
    assert!(largest(&mut Stepper::new(EnergyMomentum::EM), "hamiltonian").is_none());
    assert!(largest(&mut Stepper::new(EnergyMomentum::EM), "energy").unwrap() < 1e-12);
}

/// The list of a sample: names, columns, and residuals that are those of the summary.
#[test]
fn names_and_columns() {
    let loaded = load_model("heavy_top", &[]);
    let mut s = start(&loaded, Formulation::R3SO3);
    let (mut columns, mut worst) = (Vec::new(), [0.0_f64; 2]);
    let summary = s.run(&options(Form::Index3), 1e-3, 0.05, |_, sample| {
        let list = diagnostics(sample);
        columns = list.iter().flat_map(|d| d.columns()).collect::<Vec<_>>();
        for (w, d) in worst.iter_mut().zip(&list[list.len() - 2..]) {
            *w = precess::study::larger(*w, d.values[0]);
        }
    });
    let names = [
        "energy",
        "linear_momentum.x",
        "linear_momentum.y",
        "linear_momentum.z",
        "angular_momentum.x",
        "angular_momentum.y",
        "angular_momentum.z",
        "momentum_about_gravity",
        "position_residual",
        "velocity_residual",
    ];
    assert_eq!(columns, names);
    assert_eq!(worst, [summary.position_max, summary.velocity_max]);
    assert_eq!(summary.diagnostics[0].values[0], summary.energy_final.unwrap());
}
