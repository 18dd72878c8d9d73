//! A run that is interrupted and resumed has the same bits as one that is not: every method, with and without
//! tolerance, with events, kept matrices and output at given times. Checkpoints of something else are refused
//! with the reason.

use crate::model_util::load_model as loaded;
use std::path::PathBuf;

use precess::integrate::InitialValues;
use precess::mechanics::State;
use precess::methods::METHODS;
use precess::methods::{adaptive_method, method};
use precess::model::{Built, Loaded, build, load};
use precess::persist::{Archive, Damage};
use precess::study::{
    AtTimes, Cadence, CheckpointError, Checkpoints, Every, Failure, Identity, Recorder, Sample, Spread,
    Summary,
};

/// All steps, output between them and states spread over the run; stops at a step.
pub struct Watch {
    pub steps: Every,
    pub times: AtTimes<Every>,
    pub spread: Spread,
    pub seen: usize,
    pub stop_after: usize,
}

impl Watch {
    pub fn new(until: f64, stop_after: usize) -> Self {
        Watch {
            steps: Every::steps(1),
            times: AtTimes::every(until / 37.0, 0.0, until, Every::steps(1)),
            spread: Spread::over(8),
            seen: 0,
            stop_after,
        }
    }
}

impl Recorder for Watch {
    fn record(&mut self, sample: &Sample) {
        self.steps.record(sample);
        self.times.record(sample);
        self.spread.record(sample);
        self.seen += 1;
    }

    fn stops(&self) -> bool {
        self.seen >= self.stop_after
    }

    fn persist(&mut self, like: &State, archive: &mut Archive) -> Result<(), Damage> {
        self.steps.persist(like, archive)?;
        self.times.persist(like, archive)?;
        self.spread.persist(like, archive)
    }
}

pub fn run(
    loaded: &Loaded,
    built: &Built,
    watch: &mut Watch,
    checkpoints: Option<&mut Checkpoints>,
) -> (State, Summary) {
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = loaded.settings.fix_initial;
    let mut state = initial.consistent(&*built.system).unwrap();
    let result = integrate(loaded, built, &mut state, watch, checkpoints);
    (state, result.unwrap_or_else(|e| panic!("{}: {e}", loaded.model.name)))
}

pub fn integrate(
    loaded: &Loaded,
    built: &Built,
    state: &mut State,
    watch: &mut Watch,
    checkpoints: Option<&mut Checkpoints>,
) -> Result<Summary, Box<Failure>> {
    let s = &loaded.settings;
    match (s.adaptive_run(), s.tolerance) {
        (Some(run), Some(tol)) => {
            let mut method = adaptive_method(&s.method, &s.options, tol).unwrap();
            run.run_with(&*built.system, &mut *method, state, watch, checkpoints)
        }
        _ => {
            let mut method = method(&s.method, &s.options).unwrap();
            s.run().run_with(&*built.system, &mut *method, state, watch, checkpoints)
        }
    }
}

/// Bits of numbers; Debug prints floats so that they come back as they were, and tells -0 from 0.
pub fn bits(x: &impl std::fmt::Debug) -> String {
    format!("{x:?}")
}

pub fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("checkpoint");
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// Runs without a break, then in `parts` parts, each with everything new but the file.
fn compare(name: &str, loaded: &Loaded, parts: usize) -> Summary {
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let until = loaded.settings.until;
    let mut whole = Watch::new(until, usize::MAX);
    let (expected, expected_summary) = run(loaded, &built, &mut whole, None);
    let file = file(&format!("{name}.chk"));
    let _ = std::fs::remove_file(&file);
    let each = whole.seen / parts + 1;
    let mut done = 0;
    loop {
        let mut checkpoints = Checkpoints::new(&file, Cadence::Steps(each / 3 + 1), loaded.identity());
        assert_eq!(checkpoints.resume().unwrap(), done > 0, "{name}");
        let mut watch = Watch::new(until, each);
        let (state, mut summary) = run(loaded, &built, &mut watch, Some(&mut checkpoints));
        done += 1;
        assert!(done <= 3 * parts, "{name}: no end");
        if summary.stopped {
            assert!(checkpoints.written > 0, "{name}");
            continue;
        }
        assert!(done > 1 && checkpoints.resumed.is_some(), "{name}: {done} parts");
        assert_eq!(bits(&state), bits(&expected), "{name}");
        assert_eq!(bits(&watch.steps.states), bits(&whole.steps.states), "{name}: steps");
        let at_times = |w: Watch| (bits(&w.times.finish().unwrap().states), bits(&w.spread.states()));
        assert_eq!(at_times(watch), at_times(whole), "{name}: times");
        summary.wall = expected_summary.wall;
        assert_eq!(bits(&summary), bits(&expected_summary), "{name}");
        return summary;
    }
}

/// Every entry of the catalogue, on a top that all of them can integrate in some formulation.
#[test]
fn every_method_with_fixed_steps() {
    for entry in METHODS {
        let formulation = entry.facts.formulations[0];
        let forms: &[&str] = if entry.facts.forms.is_empty() { &["index3"] } else { entry.facts.forms };
        // bs99 wants the axis of symmetry along z.
        let upright = [
            "body.top.position=[0, 0, 1]",
            "body.top.inertia=[0.234375, 0.234375, 0.46875]",
            "body.top.velocity=[0, -0.5, 0]",
            "body.top.angular_velocity=[0.5, 0, 50]",
        ];
        let upright: Vec<&str> = upright.into_iter().filter(|_| entry.name == "bs99").collect();
        for form in forms {
            let options = [
                format!("integrator.method={}", entry.name),
                format!("integrator.form={form}"),
                format!("integrator.formulation={formulation}"),
                "integrator.tol=off".to_string(),
                "run.step=1e-3".to_string(),
                "run.until=0.1".to_string(),
            ];
            let options: Vec<&str> =
                options.iter().map(String::as_str).chain(upright.iter().copied()).collect();
            compare(&format!("{}-{form}", entry.name), &loaded("heavy_top", &options), 3);
        }
    }
}

/// History of several steps, kept matrices, extrapolation, sigma, sparse blocks, redundant rows, projections,
/// switches.
#[test]
fn what_methods_remember() {
    let fixed = ["integrator.tol=off", "run.step=1e-3", "run.until=0.15"];
    for (name, model, more) in [
        ("k6", "heavy_top", &["integrator.method=bliedf", "integrator.k=6"][..]),
        (
            "paper",
            "heavy_top",
            &["integrator.method=bliedf", "integrator.correction=paper", "integrator.form=index3"],
        ),
        ("modified", "heavy_top", &["integrator.method=gen-alpha", "integrator.newton=modified"]),
        ("extrapolate", "four_bar", &["integrator.method=gen-alpha", "integrator.predictor=extrapolate"]),
        (
            "sigma",
            "heavy_top",
            &["integrator.method=gen-alpha", "integrator.sigma=optimal", "integrator.rho=0.6"],
        ),
        (
            "published",
            "heavy_top",
            &[
                "integrator.method=gen-alpha",
                "integrator.sigma=1",
                "integrator.sigma_variant=published",
                "integrator.rho=0.6",
            ],
        ),
        (
            "table2",
            "heavy_top",
            &["integrator.method=gen-alpha", "integrator.start=table2", "integrator.form=index3"],
        ),
        (
            "chain",
            "chain",
            &[
                "integrator.method=gen-alpha",
                "integrator.newton=modified",
                "parameters.N=40",
                "integrator.form=stabilized-index2",
            ],
        ),
        ("chain-once", "chain", &["integrator.method=bliedf", "parameters.N=40"]),
        ("chain-kept", "chain", &["integrator.method=gen-alpha", "parameters.N=40"]),
        ("pump", "piston_pump", &["integrator.method=gen-alpha"]),
    ] {
        let options = [more, &fixed].concat();
        compare(name, &loaded(model, &options), 4);
    }
    compare("rotor", &loaded("rotor", &["run.step=1e-5", "run.until=2e-3"]), 4);
    // Beams and modal bodies.
    for (name, more) in [
        ("slider_crank", &[][..]),
        ("modal_slider_crank", &[]),
        ("modal_slider_crank", &["integrator.form=stabilized-index2"]),
    ] {
        let options = [more, &["run.step=2e-5", "run.until=1e-3"]].concat();
        compare(&format!("flexible-{name}"), &loaded(&format!("flexible/{name}"), &options), 3);
    }
    compare("flexible-tol", &loaded("flexible/crank", &["integrator.tol=1e-5", "run.until=2e-3"]), 3);
}

/// Switches, breakpoints and events: signs of the event functions and positions of the switches are part of a
/// checkpoint.
#[test]
fn events_and_switches() {
    for (name, model, more) in [
        ("gate", "gate", &[][..]),
        ("gate-bliedf", "gate", &["integrator.method=bliedf"]),
        ("gate-tol", "gate", &["integrator.tol=1e-6", "run.step=off", "integrator.method=auto"]),
        ("drop", "drop_test", &[]),
        ("pump-tol", "piston_pump", &["integrator.tol=1e-5", "run.step=off"]),
    ] {
        let summary = compare(name, &loaded(model, more), 9);
        assert!(!summary.events.is_empty() || model == "piston_pump", "{name}");
    }
}

/// Methods that choose their steps keep matrices over many of them, and the choice between them.
#[test]
fn every_method_with_a_tolerance() {
    for (name, model, more) in [
        ("auto", "heavy_top", &["integrator.method=auto"][..]),
        ("bliedf", "slider_crank", &["integrator.method=bliedf", "run.step=off"]),
        ("alpha", "heavy_top", &["integrator.method=gen-alpha", "integrator.form=stabilized-index2"]),
        ("alpha3", "heavy_top", &["integrator.method=gen-alpha", "integrator.form=index3"]),
        ("four-bar", "four_bar", &["integrator.method=bliedf", "run.step=off"]),
        (
            "chain-tol",
            "chain",
            &["integrator.method=bliedf", "run.step=off", "parameters.N=40", "run.until=0.2"],
        ),
    ] {
        let options = [more, &["integrator.tol=1e-6"]].concat();
        let summary = compare(&format!("tol-{name}"), &loaded(model, &options), 5);
        assert!(summary.control.is_some_and(|c| c.orders.iter().sum::<usize>() == summary.steps), "{name}");
    }
}

/// Runs are interrupted before, during and after the trial of the other method.
#[test]
fn the_choice_between_methods() {
    let text = r#"
        model = { name = "bush", gravity = [0, 0, -9.81], length_scale = 1 }
        body = [{ name = "top", mass = 15, inertia = [0.234375, 0.46875, 0.234375], position = [0, 1, 0],
                  velocity = [2, 0, 1], angular_velocity = [1, 10, -2] }]
        force = [{ name = "tip", type = "bushing", bodies = ["ground", "top"], point = [0, 0, 0],
                   stiffness = [1e6, 1e6, 1e6], damping = [10, 10, 10] }]
        integrator = { tol = 1e-4 }
        run = { until = 1 }
    "#;
    let loaded = load("bush", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let summary = compare("choice", &loaded, 12);
    let choice = summary.control.unwrap().choice.unwrap();
    // Rounding errors decide whether it stays with the other method.
    assert!(choice.contains("gen-alpha from"), "{choice}");
}

fn refusal(bytes: &[u8], identity: Identity) -> CheckpointError {
    Checkpoints::new("x.chk", Cadence::Steps(1), identity).resume_from(bytes).unwrap_err()
}

/// Another model, method or version, or a byte added, removed or changed: refused with the reason, never a
/// panic.
#[test]
fn refused_with_the_reason() {
    let options = ["integrator.method=gen-alpha", "integrator.tol=off", "run.step=1e-3", "run.until=0.05"];
    let model = loaded("heavy_top", &options);
    let built = build(&model.model, model.settings.formulation).unwrap();
    let path = file("refused.chk");
    let mut checkpoints = Checkpoints::new(&path, Cadence::Steps(10), model.identity());
    run(&model, &built, &mut Watch::new(0.05, 20), Some(&mut checkpoints));
    let bytes = std::fs::read(&path).unwrap();
    let same = || model.identity();
    Checkpoints::new(&path, Cadence::Steps(1), same()).resume_from(&bytes).unwrap();

    for (what, other) in [
        ("the method", "integrator.method=bliedf"),
        ("the form", "integrator.form=index2"),
        ("the step", "run.step=2e-3"),
        ("the end", "run.until=0.06"),
        ("the formulation", "integrator.formulation=se3"),
        ("the list of replaced entries", "body.top.mass=16"),
    ] {
        let other = loaded("heavy_top", &[&options[..], &[other]].concat());
        match refusal(&bytes, other.identity()) {
            CheckpointError::Other { what: found, .. } => assert_eq!(found, what),
            e => panic!("{e}"),
        }
    }
    let e = refusal(&bytes, loaded("double_pendulum", &[]).identity()).to_string();
    assert!(
        e.contains("heavy_top in the checkpoint and double_pendulum in this run") && e.contains("help: "),
        "{e}"
    );

    for n in 0..bytes.len() {
        let e = refusal(&bytes[..n], same());
        let expected = if n < 8 { "not a checkpoint" } else { "damaged" };
        assert!(e.to_string().contains(expected), "{n}: {e}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(matches!(refusal(&longer, same()), CheckpointError::Damaged { .. }));
    for i in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[i] ^= 0x10;
        let e = refusal(&changed, same());
        match (i, &e) {
            (0..8, CheckpointError::Foreign { .. }) | (8..12, CheckpointError::Version { .. }) => {}
            (12.., CheckpointError::Damaged { .. }) => {}
            _ => panic!("byte {i}: {e}"),
        }
    }
}

/// If a checkpoint cannot be written, one notice says so, and the run continues.
#[test]
fn unwritable_places_do_not_end_a_run() {
    let model = loaded("heavy_top", &["integrator.tol=1e-4", "run.until=0.1"]);
    let built = build(&model.model, model.settings.formulation).unwrap();
    let mut checkpoints = Checkpoints::new("/no/such/folder/x.chk", Cadence::Steps(1), model.identity());
    let (state, summary) = run(&model, &built, &mut Watch::new(0.1, usize::MAX), Some(&mut checkpoints));
    assert_eq!(state.t, 0.1);
    let told = summary.warnings.iter().filter(|w| w.contains("cannot write the checkpoint")).count();
    assert_eq!((told, checkpoints.written), (1, 0));
}
