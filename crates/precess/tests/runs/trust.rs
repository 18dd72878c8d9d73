//! Runs say whether their results can be trusted: no false alarm, and every meaningless run is caught.

use crate::model_util::model_text as file;
use precess::Error;
use precess::integrate::InitialValues;
use precess::mechanics::{At, Energy, System};
use precess::methods::{adaptive_method, method};
use precess::model::{Loaded, build, load};
use precess::study::larger;
use precess::study::parallel::Workers;
use precess::study::points::Selection;
use precess::study::{
    AtTimes, Configuration, Doubt, Failure, Recorder, Reference, Run, Sample, Study, Summary, Sweep,
};
use precess_lie::{Factor, Product};

fn run(loaded: &Loaded, recorder: &mut dyn Recorder) -> Result<Summary, Box<Failure>> {
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).unwrap();
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = s.fix_initial;
    let mut state = initial.consistent(&*built.system).unwrap();
    if let (Some(run), Some(tol)) = (s.adaptive_run(), s.tolerance) {
        let mut method = adaptive_method(&s.method, &s.options, tol).unwrap();
        return run.run(&*built.system, &mut *method, &mut state, recorder);
    }
    let mut method = method(&s.method, &s.options).unwrap();
    s.run().run(&*built.system, &mut *method, &mut state, recorder)
}

fn outcome(text: &str, set: &[&str]) -> Result<Summary, Box<Failure>> {
    let set: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    run(&load("model", text, &set).unwrap(), &mut ())
}

fn summary(text: &str, set: &[&str]) -> Summary {
    outcome(text, set).unwrap_or_else(|f| panic!("{}", f.error))
}

/// Results that are known to be right: the numbers, and no warning.
fn trusted(text: &str, set: &[&str], energy: f64) -> Summary {
    let s = summary(text, set);
    let x = s.trust.energy.unwrap();
    assert!(x < energy && s.trust.doubt.is_none(), "{set:?}: {x:e}, {:?}", s.trust);
    assert!(s.trust.velocity.is_none_or(|y| y < 1e-6), "{set:?}: {:?}", s.trust);
    s
}

const TOP: &[&str] = &["integrator.method=gen-alpha"];

/// Steps that go past gimbal lock: an error or a verdict, and both name the body, the time and the remedy.
#[test]
fn gimbal_lock_of_the_fast_top_is_named_at_every_step() {
    let text = file("heavy_top");
    for (h, until) in [("1e-3", "1"), ("3e-4", "1"), ("1e-4", "1"), ("3e-5", "1")] {
        let step = format!("run.step={h}");
        let end = format!("run.until={until}");
        let set = [TOP, &[&step, &end, "integrator.formulation=tait-bryan"]].concat();
        let said = match outcome(&text, &set) {
            Ok(s) => s.trust.wrong().unwrap_or_else(|| panic!("{h}: {:?}", s.trust)).to_string(),
            Err(f) => {
                assert!(matches!(f.error, Error::GimbalLock { t, .. } if t > 0.0 && t < 1.0), "{}", f.error);
                f.error.to_string()
            }
        };
        for part in ["gimbal lock of body top", "t = 0.", "use the formulation r3so3"] {
            assert!(said.contains(part), "{h}: '{part}' is missing in {said}");
        }
        trusted(&text, &[TOP, &[&step, &end]].concat(), 1e-3);
    }
}

const PENDULUM: &str = r#"
[model]
name = "pendulum about the middle axis"
gravity = [0, 0, -9.81]
[[body]]
name = "b"
mass = 1
inertia = ["0.01*L^2", "0.08*L^2", "0.08*L^2"]
position = ["L", 0, 0]
[parameters]
L = 1
[[joint]]
name = "j"
type = "revolute"
bodies = ["ground", "b"]
point = [0, 0, 0]
axis = [0, 1, 0]
[run]
until = 1
"#;

/// A pendulum that swings down from the horizontal turns by 90 degrees about the middle axis. The time
/// follows from the energy: J a'' = m g L cos(a), so that t = sqrt(J/(2 m g L)) int_0^(pi/2) da/sqrt(sin a),
/// with the integral 2.62206 (Gauss).
#[test]
fn gimbal_lock_is_named_with_a_tolerance_and_in_time() {
    for (length, settings) in [
        (1.0, vec![]),
        (1.0, vec!["run.step=0.01"]),
        (1.0, vec!["integrator.tol=1e-8"]),
        (0.01, vec!["integrator.tol=1e-6"]),
        (0.01, vec!["integrator.tol=1e-8"]),
        (0.01, vec!["integrator.tol=1e-8", "integrator.method=gen-alpha"]),
        (0.01, vec!["integrator.tol=1e-8", "integrator.method=bliedf"]),
    ] {
        let length_is = format!("parameters.L={length}");
        let set = [&settings[..], &[&length_is, "integrator.formulation=tait-bryan"]].concat();
        let exact = (1.08 * length / (2.0 * 9.81_f64)).sqrt() * 2.622_057_554_292_119;
        let failure = outcome(PENDULUM, &set).expect_err("90 degrees were passed");
        match &failure.error {
            Error::GimbalLock { body, t, left, step, .. } => {
                assert_eq!((body.as_str(), *step > 0), ("b", true));
                assert!(
                    (exact - t).abs() < 0.03 * exact && *left >= 0.0,
                    "{set:?}: {} {exact}",
                    failure.error
                );
            }
            other => panic!("{set:?}: {other}"),
        }
    }
}

/// A mass of 1 kg on a spring of 1e4 N/m: RKMK4 is unstable from omega h = 2.83 on, h = 0.0283 s.
const STIFF: &str = r#"
[model]
name = "stiff"
[[body]]
name = "b"
mass = 1
inertia = [0.1, 0.1, 0.1]
velocity = [1, 0, 0]
[[force]]
name = "k"
type = "bushing"
bodies = ["ground", "b"]
point = [0, 0, 0]
stiffness = [1e4, 1e4, 1e4]
[integrator]
method = "rkmk4"
[run]
step = 1e-3
until = 1
"#;

/// The rotor in Euler parameters and index-3 form, a vartheta above 1/2, the published sigma algorithm beyond
/// its stability limit, an explicit method beyond its own. All of these runs reach the end, and all are
/// meaningless.
#[test]
fn meaningless_runs_are_caught() {
    let vi =
        ["integrator.formulation=directors", "integrator.method=vi-theta", "run.step=1e-3", "run.until=0.03"];
    let sigma = [
        "integrator.form=index3",
        "integrator.rho=0.9",
        "integrator.sigma=1",
        "run.step=3e-3",
        "run.until=2",
    ];
    let published = [TOP, &sigma, &["integrator.sigma_variant=published"]].concat();
    for (text, set) in [
        (
            file("rotor"),
            vec!["integrator.formulation=euler-parameters", "integrator.form=index3", "run.until=0.02"],
        ),
        (file("heavy_top"), [&vi[..], &["integrator.vartheta=0.6"]].concat()),
        (file("heavy_top"), published),
        (STIFF.to_string(), vec!["run.step=0.03"]),
    ] {
        let s = summary(&text, &set);
        let reason = s.trust.wrong().unwrap_or_else(|| panic!("{set:?}: {:?}", s.trust));
        assert!(reason.contains("; try a smaller step"), "{reason}");
    }
    for set in [vi.to_vec(), [TOP, &sigma].concat()] {
        let s = summary(&file("heavy_top"), &set);
        assert!(s.trust.doubt.is_none() && s.trust.energy.unwrap() < 0.1, "{set:?}: {:?}", s.trust);
    }
    trusted(STIFF, &["run.step=1e-3"], 1e-4);
}

/// A rod that is caught by its end loses energy although no force does work. The run accounts for this
/// energy, and for that of a spring that is cut.
#[test]
fn what_events_do_is_accounted_for() {
    let caught = r#"
        model = { name = "catch", length_scale = 1 }
        body = [{ name = "rod", mass = 2, inertia = [0.5, 0.01, 0.5], position = [-1, 0.5, 0],
            velocity = [2, 0, 0] }]
        joint = [{ name = "hook", type = "spherical", bodies = ["ground", "rod"], point = [0, 0, 0],
            point2 = [-1, 0, 0],
                   enabled = false }]
        sensor = [{ name = "place", type = "position", body = "rod" }]
        event = [{ name = "caught", when = "place.x > 0", action = "switch", enable = ["hook"] }]
        run = { until = 2 }
    "#;
    for set in ["run.step=1e-3", "run.step=2e-2", "integrator.tol=1e-6"] {
        // Momentum about the hook: m l v = (I + m l^2) w.
        let s = trusted(caught, &[set], 1e-3);
        let (kept, lost) =
            (2.0 * 0.5 * 2.0 / (0.5 + 2.0 * 0.25), s.energy_initial.unwrap() - s.energy_final.unwrap());
        assert!((lost - (4.0 - 0.5 * 1.0 * kept * kept)).abs() < 1e-3, "{set}: {lost}");
    }
    let spring = r#"
        [model]
        name = "slingshot"
        [[body]]
        name = "stone"
        mass = 1
        inertia = [0.1, 0.1, 0.1]
        velocity = [1, 0, 0]
        [[force]]
        name = "band"
        type = "bushing"
        bodies = ["ground", "stone"]
        point = [0, 0, 0]
        stiffness = [100, 100, 100]
        [[event]]
        name = "cut"
        when = "t > 0.1"
        action = "switch"
        disable = ["band"]
        [run]
        until = 1
    "#;
    for set in ["run.step=1e-3", "integrator.tol=1e-6"] {
        let s = trusted(spring, &[set], 1e-3);
        // At 0.1 s half a J has moved sin^2(1) of itself into the band.
        let lost = s.energy_initial.unwrap() - s.energy_final.unwrap();
        assert!((lost - 0.5 * 1.0_f64.sin().powi(2)).abs() < 1e-5, "{lost}");
    }
}

/// A free body that tumbles exchanges nothing, and a body at rest does nothing at all: rounding errors and
/// coarse steps are no alarm.
#[test]
fn free_bodies_are_no_alarm() {
    let body = r#"
        [model]
        name = "tumbling"
        [[body]]
        name = "b"
        mass = 1
        inertia = [1, 2, 3]
        angular_velocity = [0.1, 5, 0.1]
        velocity = [1, 2, 3]
        [run]
        until = 20
    "#;
    for set in
        [&["run.step=1e-2"][..], &["run.step=5e-2"], &["integrator.tol=1e-3"], &["integrator.tol=1e-8"]]
    {
        trusted(body, set, 0.1);
    }
    for set in [
        &["body.b.velocity=[0,0,0]", "body.b.angular_velocity=[0,0,0]"][..],
        &["body.b.angular_velocity=[0,7,0]"],
    ] {
        trusted(body, set, 1e-3);
    }
}

/// Unit mass on a line. The system cannot compute its energy.
struct Line(Product);

impl System for Line {
    fn group(&self) -> &Product {
        &self.0
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        r[0] = at.vdot[0] - at.q[0];
    }
}

#[test]
fn without_energy_there_is_nothing_to_say() {
    let line = Line(Product::new([Factor::Rn(1)]));
    let mut state = InitialValues::new(&[1.0], &[0.0]).consistent(&line).unwrap();
    let mut rkmk4 = method("rkmk4", &Default::default()).unwrap();
    let s = Run::new(0.1, 10.0).run(&line, &mut *rkmk4, &mut state, &mut ()).unwrap();
    assert_eq!((s.trust.energy, s.trust.velocity, s.trust.doubt), (None, None, None));
}

/// A line whose energy is not a number for a while.
struct Gap(Line);

impl System for Gap {
    fn group(&self) -> &Product {
        self.0.group()
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        self.0.residual(at, r);
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        let potential = if (4.0..5.0).contains(&at.t) { f64::NAN } else { -0.5 * at.q[0] * at.q[0] };
        Some(Energy { kinetic: 0.5 * at.v[0] * at.v[0], potential })
    }
}

/// An energy that is not a number in the middle of a run is not forgotten at its end.
#[test]
fn no_number_is_remembered() {
    let line = Gap(Line(Product::new([Factor::Rn(1)])));
    let mut state = InitialValues::new(&[1.0], &[0.0]).consistent(&line).unwrap();
    let mut rkmk4 = method("rkmk4", &Default::default()).unwrap();
    let s = Run::new(0.1, 10.0).run(&line, &mut *rkmk4, &mut state, &mut ()).unwrap();
    assert!(s.energy_final.unwrap().is_finite() && s.energy_drift.unwrap().is_nan(), "{s:?}");
    assert!(s.trust.doubt.is_some(), "{:?}", s.trust);
}

/// The work of a drive at times between the steps: energy and work belong together as well as at the steps
/// themselves.
#[test]
fn work_between_steps_balances_the_energy() {
    let text = r#"
        [model]
        name = "driven"
        gravity = [0, 0, -9.81]
        [[body]]
        name = "b"
        mass = 1
        inertia = [0.01, 0.1, 0.1]
        position = [0.5, 0, 0]
        velocity = [0, 0, -1.5]
        angular_velocity = [0, 3, 0]
        [[joint]]
        name = "j"
        type = "revolute"
        bodies = ["ground", "b"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        drive = "sin(3*t)"
        [[event]]
        name = "half"
        when = "t > 0.987"
        action = "record"
        [run]
        until = 2
    "#;
    for set in ["integrator.tol=1e-6", "integrator.tol=1e-9", "run.step=1e-2"] {
        let loaded = load("model", text, &[set.to_string()]).unwrap();
        let mut at_steps = Imbalance::default();
        let summary = run(&loaded, &mut at_steps).unwrap();
        let mut times = AtTimes::every(0.013, 0.0, 2.0, Imbalance::default());
        run(&loaded, &mut times).unwrap();
        let between = times.finish().unwrap();
        println!("{set}: {at_steps:?}, {between:?}, of {} J", summary.trust.exchanged.unwrap());
        assert!(between.count > 150 && between.worst < 2.0 * at_steps.worst + 1e-5, "{set}: {between:?}");
    }
}

/// The largest |E - E_0 - W| of all samples.
#[derive(Debug, Default)]
struct Imbalance {
    first: Option<f64>,
    worst: f64,
    count: usize,
}

impl Recorder for Imbalance {
    fn record(&mut self, sample: &Sample) {
        let e = sample.system.energy(&sample.state.at()).unwrap().total();
        let off = (e - *self.first.get_or_insert(e) - sample.work.unwrap()).abs();
        assert!(off < 1.0, "{off}");
        (self.worst, self.count) = (larger(self.worst, off), self.count + 1);
    }
}

/// Rows of sweeps and studies say so, with all steps watched or not, alone and side by side.
#[test]
fn rows_of_sweeps_and_studies_are_marked() {
    let collect = |word: &str| if word.is_empty() { vec![] } else { vec![word.to_string()] };
    for word in ["b.position", "max:b.position", "energy_drift"] {
        let vary = ["step=1e-3,0.03".to_string()];
        let sweep = Sweep::new("m.toml", STIFF, &[], &vary, Selection::Grid, &collect(word)).unwrap();
        let table = sweep.run(Workers::one());
        let marked: Vec<bool> = table.rows.iter().map(|r| r.untrusted.is_some()).collect();
        assert_eq!((marked, table.untrusted(), table.failures()), (vec![false, true], 1, 0), "{word}");
        let csv = table.csv();
        assert!(csv.lines().next().unwrap().contains(",error,untrusted,command"), "{csv}");
        assert!(csv.lines().nth(2).unwrap().contains("unaccounted for"), "{csv}");
    }
    let methods = ["rkmk4"].map(|m| Configuration::parse(m).unwrap());
    let study = Study::load("m.toml", STIFF, &[], &methods, vec![0.03, 1e-3]).unwrap();
    let reference = Reference::fine(study.model(), study.times(), Workers::one()).unwrap();
    let table = study.run(&reference, Workers::one());
    assert_eq!(table.rows.iter().map(|r| r.is_wrong()).collect::<Vec<_>>(), [true, false]);
    let (text, csv) = (table.text(), table.csv());
    assert!(text.contains("!2.9") && text.contains("cannot be trusted"), "{text}");
    assert!(csv.lines().next().unwrap().ends_with(",untrusted"), "{csv}");
}

/// Four runs at a time, whose steps no monitor watches: 0.15 rad per step is fine, three is not.
#[test]
fn runs_side_by_side_are_judged() {
    let text = file("heavy_top");
    for (step, until, expected) in [("1e-3", "0.1", 0), ("2e-2", "1", 64)] {
        let set = [
            "integrator.method=gen-alpha",
            "integrator.rho=0.9",
            &format!("run.step={step}"),
            &format!("run.until={until}"),
        ];
        let (set, vary) = (set.map(String::from), ["spin=150:150.1:64".to_string()]);
        let collect = ["top.position".to_string()];
        let sweep = Sweep::new("top.toml", &text, &set, &vary, Selection::Grid, &collect).unwrap();
        let table = sweep.run(Workers::one());
        assert_eq!((table.failures(), table.untrusted()), (0, expected), "{step}");
    }
}

/// Above a tenth there is a notice, but the results are not marked as untrusted.
#[test]
fn coarse_steps_have_a_notice() {
    let s = summary(&file("slider_crank_a"), &["run.step=2e-2"]);
    assert!(matches!(s.trust.doubt, Some(Doubt::Notice(_))), "{:?}", s.trust);
    assert!(s.warnings.iter().any(|w| w.contains("unaccounted for")), "{:?}", s.warnings);
}

/// The paper's own run of Fig. 17: H swings between even and odd steps of the variational integrators, by
/// up to 9 % of the kinetic energy, but nothing accumulates; the heights are those of the figure (values of
/// bench/papers/ggl.py). Runs whose energy grows are still caught.
#[test]
fn the_swing_of_variational_integrators_is_not_a_loss() {
    let text = file("gyroscopic_top");
    for (name, height) in [("vi-s", 1.4368e-3), ("vi-a", 5.0562e-4), ("vi-b", 1.39311e-3), ("em", 1.2125e-4)]
    {
        let loaded = load("top", &text, &[format!("integrator.method={name}")]).unwrap();
        let mut largest = 0.0;
        let mut see = |s: &Sample| largest = larger(largest, (s.state.q[2] - 0.0375).abs());
        let s = run(&loaded, &mut see).unwrap();
        assert!(s.trust.wrong().is_none(), "{name}: {:?}", s.trust);
        assert!((largest / height - 1.0).abs() < 2e-3, "{name}: {largest:e}");
    }
    // The drift of H is real: it is reported, though it is no reason for distrust.
    let vi_b = summary(&text, &["integrator.method=vi-b"]);
    assert!((vi_b.energy_drift.unwrap() - 0.508).abs() < 0.002, "{:?}", vi_b.energy_drift);
    let wild = file("four_particles");
    for set in [
        ["integrator.method=vi-s", "run.step=0.05", "run.until=0.55"],
        ["integrator.method=vi-b", "run.step=0.05", "run.until=0.55"],
        ["integrator.method=vi-a", "run.step=0.25", "run.until=60"],
    ] {
        assert!(outcome(&wild, &set).map_or(true, |s| s.trust.wrong().is_some()), "{set:?}");
    }
    let unstable = ["integrator.method=vi-theta", "integrator.variant=A", "integrator.theta=0.55"];
    let set = [&unstable[..], &["integrator.allow_unstable=true", "run.step=0.01", "run.until=0.6"]].concat();
    let ends = outcome(&file("spherical_pendulum"), &set);
    assert!(ends.is_ok_and(|s| s.trust.wrong().is_some() || s.trust.energy.unwrap() < 0.1));
}

/// A sweep judges conserving methods as a run does.
#[test]
fn sweeps_do_not_distrust_the_swing() {
    let (text, vary) = (file("gyroscopic_top"), ["precession=10:10.1:3".to_string()]);
    let (set, collect) = (["integrator.method=vi-b".to_string()], ["top.position".to_string()]);
    let sweep = Sweep::new("top.toml", &text, &set, &vary, Selection::Grid, &collect).unwrap();
    let table = sweep.run(Workers::one());
    assert_eq!((table.failures(), table.untrusted()), (0, 0));
}
