//! No setting is ignored silently: in every mode, it changes the result, is refused, or causes a notice.

use precess::Error;
use precess::integrate::InitialValues;
use precess::methods::{adaptive_method, method};
use precess::model::effect::KEYS;
use precess::model::{Loaded, build, load};
use precess::study::check::check;

/// A symmetric top on its tip: every method can integrate it, in one formulation or the other.
const TOP: &str = r#"
[model]
gravity = [0, 0, -9.81]
[[body]]
name = "top"
mass = 2
inertia = [0.04, 0.04, 0.01]
position = [0, "0.3*sin(0.4)", "0.3*cos(0.4)"]
rotation = { axis = [1, 0, 0], angle = "-0.4" }
angular_velocity = [0.5, 0.2, 40]
velocity = [0.06, "-0.15*cos(0.4)", "0.15*sin(0.4)"]
[[joint]]
name = "tip"
type = "spherical"
bodies = ["ground", "top"]
point = [0, 0, 0]
"#;

const DIRECTORS: &str = "integrator.formulation=directors";

/// Modes: overrides that choose a method, fixed steps or a tolerance, and what decides which settings are
/// read.
const MODES: &[&[&str]] = &[
    &["integrator.method=gen-alpha", "run.step=1e-3"],
    &["integrator.method=gen-alpha", "run.step=1e-3", "integrator.form=index3"],
    &["integrator.method=gen-alpha", "run.step=1e-3", "integrator.sigma=1"],
    &[
        "integrator.method=gen-alpha",
        "run.step=1e-3",
        "integrator.sigma=1",
        "integrator.sigma_variant=published",
    ],
    &["integrator.method=bliedf", "run.step=1e-3"],
    &["integrator.method=bliedf", "run.step=1e-3", "integrator.form=index3"],
    &["integrator.method=rkmk4", "run.step=1e-3", "integrator.formulation=so3"],
    &["integrator.method=em", "run.step=1e-3", DIRECTORS],
    &["integrator.method=em-g", "run.step=1e-3", DIRECTORS],
    &["integrator.method=vi-s", "run.step=1e-3", DIRECTORS],
    &["integrator.method=vi-a", "run.step=1e-3", DIRECTORS],
    &["integrator.method=vi-b", "run.step=1e-3", DIRECTORS],
    &["integrator.method=vi-theta", "run.step=1e-3", DIRECTORS],
    &["integrator.method=vi-family", "run.step=1e-3", DIRECTORS],
    &["integrator.method=bs99", "run.step=1e-3", DIRECTORS],
    &["integrator.method=gen-alpha", "integrator.tol=1e-5"],
    &["integrator.method=gen-alpha", "integrator.tol=1e-5", "integrator.form=index3"],
    &["integrator.method=bliedf", "integrator.tol=1e-5"],
    &["integrator.method=auto", "integrator.tol=1e-5"],
];

/// The value of a key, and the settings beside it, with and without the key.
fn trials(path: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let key = path.split_once('.').expect("a section and a key").1;
    let alone = |values: &[&'static str]| values.iter().map(|v| (*v, Vec::new())).collect::<Vec<_>>();
    let all = [
        "integrator.alpha_m=0.4",
        "integrator.alpha_f=0.45",
        "integrator.beta=0.28",
        "integrator.gamma=0.55",
    ];
    let beside = |value, path: &str| {
        let others = all.into_iter().filter(|o| !o.starts_with(path)).collect();
        vec![(value, others)]
    };
    match key {
        "method" => alone(&["bliedf", "gen-alpha"]),
        "formulation" => alone(&["directors", "tait-bryan"]),
        "form" => alone(&["index1"]),
        "rho" => alone(&["0.3"]),
        "hht" => alone(&["0.1"]),
        "alpha_m" => beside("0.4", path),
        "alpha_f" => beside("0.45", path),
        "beta" => beside("0.28", path),
        "gamma" => beside("0.55", path),
        "start" => alone(&["table2"]),
        "start_s" => vec![("0.5", vec!["integrator.start=table2"]), ("0.5", vec![])],
        "modified_start" => alone(&["false"]),
        "eta" => alone(&["paper"]),
        "k" => alone(&["2"]),
        "correction" => alone(&["none"]),
        "sigma" => alone(&["0.7"]),
        "sigma_variant" => alone(&["published", "exact", "printed"]),
        "sigma_predictor" => alone(&["0.5"]),
        "eta_term" => alone(&["tangent"]),
        "predictor" => alone(&["paper", "extrapolate"]),
        "newton" => alone(&["once", "full"]),
        "solver" => alone(&["pivoted"]),
        // With the exact matrix two iterations reach round-off, whatever is asked for.
        "newton_tolerance" => vec![("1e-2", vec!["integrator.newton=simplified"]), ("1e-13", vec![])],
        "max_iterations" => alone(&["1"]),
        // Only where Newton's method fails.
        "recovery" => {
            let few =
                ["integrator.max_iterations=1", "integrator.max_iterations=2", "integrator.max_iterations=3"];
            few.map(|few| ("false", vec![few])).to_vec()
        }
        "theta" => alone(&["0.3"]),
        "vartheta" => alone(&["0.2"]),
        "variant" => alone(&["a"]),
        // With weight alone, symmetric quadratures are the same.
        "lagrangian_quadrature" => alone(&["[[1, 0.3]]"]),
        "velocity_quadrature" => alone(&["gauss", "simpson"]),
        "position_quadrature" => alone(&["midpoint"]),
        "allow_unstable" => vec![
            ("true", vec!["integrator.variant=a", "integrator.theta=0.45"]),
            ("true", vec!["integrator.position_quadrature=[[1, 0.45]]"]),
        ],
        "map" => alone(&["cayley"]),
        // A file that is not there is refused in every mode.
        "history" => alone(&["none.npz"]),
        "guess" => alone(&["advanced"]),
        "tol" => alone(&["1e-3"]),
        // Where nothing else counts.
        "atol_position" => {
            let loose = [
                "integrator.atol_rotation=1",
                "integrator.atol_angular_velocity=10",
                "integrator.atol_velocity=10",
            ];
            vec![("1e-4", [&["integrator.tol=1e-9"], &loose[..]].concat())]
        }
        "atol_rotation" | "atol_angular_velocity" | "atol_velocity" => alone(&["1e-10"]),
        "max_order" => alone(&["2"]),
        "step" => alone(&["2e-3"]),
        "max_step" => alone(&["2e-4"]),
        "until" => alone(&["0.01"]),
        "project_velocity_at" => alone(&["[0.01]"]),
        "project_every_step" => alone(&["true", "position", "velocity"]),
        "projection_norm" => vec![("euclidean", vec!["run.project_every_step=true"])],
        "restart_after_projection" => vec![("true", vec!["run.project_velocity_at=[0.01]"])],
        // Only where there is something to correct.
        // Where it has an effect the joints are open, which is a mistake without it.
        "assemble" => vec![("true", vec!["joint.tip.point2=[0, 0, 0.05]"])],
        "fix_initial" => vec![("true", vec!["body.top.velocity=[0.06, 0, 0]"])],
        _ => panic!("{path} is new: say what it may be"),
    }
}

/// All numbers of the last state and Newton's work, or why there are none.
fn outcome(loaded: &Loaded) -> Result<(Vec<u64>, usize, usize), Error> {
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation)?;
    let mut initial = InitialValues::new(&built.q, &built.v);
    initial.fix = s.fix_initial;
    let mut state = initial.consistent(&*built.system)?;
    let summary = match (s.adaptive_run(), s.tolerance) {
        (Some(run), Some(tol)) => {
            let mut method = adaptive_method(&s.method, &s.options, tol)?;
            run.run(&*built.system, &mut *method, &mut state, &mut ())
        }
        _ => {
            let mut method = method(&s.method, &s.options)?;
            s.run().run(&*built.system, &mut *method, &mut state, &mut ())
        }
    }
    .map_err(|f| f.error)?;
    let numbers = [&state.q, &state.v, &state.vdot, &state.lambda].into_iter().flatten();
    Ok((numbers.map(|x| x.to_bits()).collect(), summary.iterations, summary.jacobians))
}

fn loaded(overrides: &[&str]) -> Result<Loaded, String> {
    let overrides: Vec<String> = ["run.until=0.02"].iter().chain(overrides).map(|o| o.to_string()).collect();
    load("top.toml", TOP, &overrides).map_err(|e| e.to_string())
}

/// The effect of a setting.
#[derive(Debug, PartialEq)]
enum Effect {
    Changed,
    Refused,
    Noticed,
    Ignored,
    /// Changed, and said to have no effect.
    Denied,
}

fn effect(path: &str, value: &str, mode: &[&str], beside: &[&str]) -> Effect {
    let without = [mode, beside].concat();
    let set = format!("{path}={value}");
    let with = [&without[..], &[&set]].concat();
    let Ok(with) = loaded(&with) else { return Effect::Refused };
    // What stands beside a key may be wrong without it.
    let before = loaded(&without).unwrap_or_else(|_| loaded(mode).expect("a mode"));
    let same = outcome(&before) == outcome(&with);
    match (same, with.settings.ignored.iter().any(|i| i.path == path)) {
        (true, true) => {
            let said = with.settings.notices();
            assert!(said.iter().any(|n| n.contains(path)), "{path} is not in {said:?}");
            Effect::Noticed
        }
        (true, false) => Effect::Ignored,
        (false, true) => Effect::Denied,
        (false, false) => Effect::Changed,
    }
}

#[test]
fn every_setting_changes_the_result_or_is_refused_or_noticed() {
    let mut silent = Vec::new();
    let mut counts = [0; 3];
    for mode in MODES {
        assert!(outcome(&loaded(mode).expect("a mode")).is_ok(), "{mode:?}");
        for key in KEYS {
            // Parameters of gen-alpha count in auto as soon as it takes over, which nothing here makes it do.
            let auto = mode.contains(&"integrator.method=auto");
            if auto && key.belongs_to == "it is a parameter of gen-alpha" {
                continue;
            }
            let effects: Vec<Effect> = trials(key.path)
                .iter()
                .map(|(value, beside)| effect(key.path, value, mode, beside))
                .collect();
            let some = |e: Effect| effects.contains(&e);
            counts[0] += usize::from(some(Effect::Changed));
            counts[1] += usize::from(some(Effect::Refused));
            counts[2] += usize::from(some(Effect::Noticed));
            if effects.iter().all(|e| *e == Effect::Ignored) || some(Effect::Denied) {
                silent.push(format!("{} in {mode:?}: {effects:?}", key.path));
            }
        }
    }
    assert!(silent.is_empty(), "without a word, or with the wrong one:\n{}", silent.join("\n"));
    assert!(counts.iter().all(|n| *n > 30), "{counts:?}");
}

/// The table has every key of the file format, so that a new one cannot be forgotten.
#[test]
fn the_table_is_complete() {
    for (section, mark) in [("integrator", "method"), ("run", "until")] {
        let message = load("m.toml", &format!("{TOP}\n[{section}]\nnone_of_them = 1\n"), &[])
            .expect_err("an unknown key")
            .to_string();
        let known = message.split("known: ").nth(1).and_then(|k| k.lines().next()).expect("a list");
        let known: Vec<&str> = known.split(", ").map(str::trim).collect();
        assert!(known.contains(&mark), "{message}");
        let table: Vec<&str> =
            KEYS.iter().filter_map(|k| k.path.strip_prefix(section)?.strip_prefix('.')).collect();
        for key in &known {
            assert!(table.contains(key), "{section}.{key} is not in the table");
        }
        assert_eq!(known.len(), table.len(), "{known:?}\n{table:?}");
    }
}

/// When a tolerance is refused, the message names one that is accepted exactly as printed.
#[test]
fn the_best_tolerance_is_accepted() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut looked_at = 0;
    for entry in std::fs::read_dir(folder).expect("models") {
        let file = entry.expect("a file").path();
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(&file).expect("text");
        let start = |tol: &str, more: &[&str]| -> Option<Error> {
            let tol = format!("integrator.tol={tol}");
            let overrides =
                [&["integrator.method=auto", "run.step=off", "run.fix_initial=true"], more].concat();
            let overrides: Vec<String> = overrides.into_iter().chain([&tol[..]]).map(String::from).collect();
            let Ok(loaded) = load("m.toml", &text, &overrides) else { return None };
            let s = &loaded.settings;
            let built = build(&loaded.model, s.formulation).ok()?;
            let mut initial = InitialValues::new(&built.q, &built.v);
            initial.fix = true;
            let mut state = initial.consistent(&*built.system).ok()?;
            let mut method = adaptive_method(&s.method, &s.options, s.tolerance?).ok()?;
            method.start(&*built.system, &mut state, s.until).err()
        };
        for formulation in ["r3so3", "euler-parameters"] {
            let more: &[&str] = &[&format!("integrator.formulation={formulation}")];
            for tol in ["1e-16", "3.7e-17", "1e-18"] {
                let Some(error) = start(tol, more) else { continue };
                let Error::Precision { best, .. } = error else { panic!("{}: {error}", file.display()) };
                let said = error.to_string();
                let typed = said.rsplit(' ').next().expect("a number");
                assert_eq!(typed, format!("{best:.0e}"));
                assert!(start(typed, more).is_none(), "{}: {said}, which is refused, too", file.display());
                looked_at += 1;
            }
        }
    }
    assert!(looked_at > 60, "{looked_at}");
}

#[test]
fn absolute_tolerances_are_part_of_the_hint() {
    let start = |tol: f64, atol: f64| {
        let overrides = [format!("integrator.tol={tol:e}"), format!("integrator.atol_rotation={atol:e}")];
        let loaded = load("top.toml", TOP, &overrides).expect("a model");
        let s = &loaded.settings;
        let built = build(&loaded.model, s.formulation).expect("a system");
        let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).expect("a state");
        let mut method = adaptive_method(&s.method, &s.options, s.tolerance.expect("one")).expect("a method");
        method.start(&*built.system, &mut state, 1.0).err()
    };
    let error = start(1e-12, 1e-17).expect("too small");
    let Error::Precision { best, tol, absolute, .. } = error else { panic!("{error}") };
    assert!(absolute && error.to_string().contains("atol_*"), "{error}");
    assert!(start(best, 1e-17 * best / tol).is_none(), "{error}");
}

/// Two links between fixed pivots: a rigid triangle, whatever the drive of its first joint requires.
fn triangle(drive: &str) -> String {
    let joint = |name: &str, bodies: [&str; 2], point: &str, more: &str| {
        format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbodies = {bodies:?}\npoint = {point}\naxis \
             = [0, 1, 0]\n{more}\n"
        )
    };
    let body = |name: &str, position: &str| {
        format!("[[body]]\nname = \"{name}\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\nposition = {position}\n")
    };
    body("a", "[0.5, 0, 0]")
        + &body("b", "[0.5, 0, 0.5]")
        + &joint("A", ["ground", "a"], "[0, 0, 0]", &format!("drive = \"{drive}\""))
        + &joint("B", ["a", "b"], "[1, 0, 0]", "")
        + &joint("C", ["b", "ground"], "[0, 0, 1]", "")
}

#[test]
fn a_drive_that_can_move_nothing_is_found_before_the_run() {
    for drive in ["0.3*(1-cos(2*t))", "t^4", "0.1*t^3"] {
        let loaded = load("triangle.toml", &triangle(drive), &[]).expect("a model");
        let found = check(&loaded.model, &loaded.settings);
        let said = found.problems.join("; ");
        assert!(!found.is_runnable() && said.contains("drive of joint 'A'"), "{said}");
        assert!(said.contains("B, C") || said.contains("C, B"), "{said}");
    }
    // A drive at rest requires no motion.
    let loaded = load("triangle.toml", &triangle("0*t"), &[]).expect("a model");
    let found = check(&loaded.model, &loaded.settings);
    assert!(found.is_runnable(), "{:?}", found.problems);
}

#[test]
fn a_run_that_cannot_follow_its_drive_ends_at_once() {
    for more in ["integrator.tol=1e-3", "integrator.tol=1e-6", "integrator.tol=1e-9", "run.step=1e-3"] {
        let loaded =
            load("triangle.toml", &triangle("0.3*(1-cos(2*t))"), &[more.to_string()]).expect("a model");
        let begin = std::time::Instant::now();
        let error = outcome(&loaded).expect_err("it cannot run");
        assert!(begin.elapsed().as_secs_f64() < 5.0, "{more}");
        let Error::OutOfReach { t, drive, held_by } = &error else { panic!("{more}: {error}") };
        assert!((0.0..0.05).contains(t) && drive == "joint A", "{more}: {error}");
        assert!(held_by.contains('B') && held_by.contains('C'), "{more}: {error}");
        assert!(!error.to_string().contains("jump"), "{error}");
    }
}

/// A crank of length 1 turns with 1 rad/s from the vertical; a rod of length 1.5 joins its pin to a point on
/// a line at height 1.8. The pin is at height cos(t), and out of reach below 0.3.
#[test]
fn the_end_of_the_reach_is_where_geometry_puts_it() {
    let text = r#"
[[body]]
name = "crank"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = [0, 0, 0.5]
velocity = [0.5, 0, 0]
angular_velocity = [0, 1, 0]
[[body]]
name = "rod"
mass = 1
inertia = [0.1, 0.1, 0.1]
position = ["0.5*sqrt(1.5^2 - 0.8^2)", 0, 1.4]
[[joint]]
name = "motor"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 1, 0]
drive = "t"
[[joint]]
name = "pin"
type = "spherical"
bodies = ["crank", "rod"]
point = [0, 0, 1]
[[joint]]
name = "guide"
type = "generic"
bodies = ["ground", "rod"]
point = ["sqrt(1.5^2 - 0.8^2)", 0, 1.8]
axis = [0, 0, 1]
axis2 = [1, 0, 0]
lock = LOCKED
"#;
    let end = 0.3_f64.acos();
    let modes = ["integrator.tol=1e-4", "integrator.tol=1e-7", "run.step=1e-3", "run.step=1e-2"];
    // The second guide has redundant rows.
    let guides = [r#"["ty", "tz"]"#, r#"["ty", "tz", "rx", "rz"]"#];
    for (more, guide) in modes.into_iter().flat_map(|m| guides.map(|g| (m, g))) {
        let overrides = [more.to_string(), "run.until=3".to_string(), "run.fix_initial=true".to_string()];
        let text = text.replace("LOCKED", guide);
        let loaded = load("reach.toml", &text, &overrides).unwrap_or_else(|e| panic!("{e}"));
        let error = outcome(&loaded).expect_err("it gets out of reach");
        let Error::OutOfReach { t, drive, .. } = &error else { panic!("{more}: {error}") };
        // Steps that cannot be followed are found out a few steps later where rows are redundant.
        let late = more.strip_prefix("run.step=").map_or(1e-6, |h| 5.0 * h.parse::<f64>().expect("a step"));
        assert!(drive == "joint motor" && (end - 0.03..=end + late).contains(t), "{more}: {error}, {end}");
    }
}

/// A mistake is shown at the element that has it, also if an element before could not be read at all.
#[test]
fn mistakes_are_shown_where_they_are() {
    let text = "[[body]]\nname = \"a\"\nmas = 1\n[[body]]\nname = \"b\"\ntype = \"point\"\nmass = 1\n\
                [[body]]\nname = \"c\"\ntype = \"point\"\nmass = -3\n";
    let message = load("m.toml", text, &[]).expect_err("two mistakes").to_string();
    assert!(message.contains("m.toml:11:"), "{message}");
    assert!(!message.contains("m.toml:7:"), "{message}");
}

#[test]
fn nothing_is_known_where_there_is_nothing() {
    let text = format!("{TOP}\n[[sensor]]\nname = \"s\"\ntype = \"control\"\ncontrol = \"pid\"\n");
    let message = load("m.toml", &text, &[]).expect_err("no such control").to_string();
    assert!(message.contains("unknown control 'pid'; there are none"), "{message}");
    let message = load("m.toml", TOP, &["parameters.x=1".to_string()]).expect_err("no parameter").to_string();
    assert!(message.contains("there are none"), "{message}");
}
