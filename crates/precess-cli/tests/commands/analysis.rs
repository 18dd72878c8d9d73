//! Commands that do not integrate: assemble, equilibrium, modes, campbell.

use crate::common::{directory, precess, root, text};

/// A file in a directory of its own.
fn file(name: &str, content: &str) -> String {
    let path = directory(&format!("analysis_{name}")).join(name);
    std::fs::write(&path, content).unwrap();
    text(&path).to_string()
}

const BOX: &str =
    "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"box\"\nmass = 1\ninertia = [0.1, 0.1, 0.1]\n";

#[test]
fn equilibrium_for_people_and_machines() {
    let text = precess(&["equilibrium", "models/double_pendulum.toml"]).done();
    assert!(text.out.starts_with("double_pendulum: equilibrium at t = 0 s, stable\n"), "{}", text.out);
    let json = precess(&["equilibrium", "models/double_pendulum.toml", "--json"]).done().json();
    let z = json["bodies"]["lower"]["position"][2].as_f64().unwrap();
    assert!((z + 1.4).abs() < 1e-12, "{z}");
    let up = precess(&["equilibrium", "models/slider_crank_a.toml", "--kind", "any"]).done();
    assert!(up.out.contains("unstable: ") && up.out.contains("grows as exp("), "{}", up.out);
}

/// A weight on a spring: m g / k, over k.
#[test]
fn load_deflection_curve() {
    let content = format!(
        "{BOX}[parameters]\nk = 100\n[[joint]]\nname = \"guide\"\ntype = \"prismatic\"\nbodies = \
         [\"ground\", \"box\"]\n\
         point = [0, 0, 0]\naxis = [0, 0, 1]\n[[force]]\nname = \"spring\"\ntype = \"joint-spring\"\njoint \
         = \"guide\"\n\
         stiffness = \"k\"\n[[sensor]]\nname = \"sag\"\ntype = \"coordinate\"\njoint = \"guide\"\n"
    );
    let model = file("weight.toml", &content);
    let picture = file("weight.svg", "");
    let json =
        precess(&["equilibrium", &model, "--vary", "k=100:500:5", "-o", &picture, "--json"]).done().json();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let (k, sag) = (row["k"].as_f64().unwrap(), row["sag, m"].as_f64().unwrap());
        assert!((sag + 9.81 / k).abs() < 1e-12, "{k} {sag}");
        assert!((row["lowest_kappa"].as_f64().unwrap() - k).abs() < 1e-9 * k);
    }
    assert!(std::fs::read_to_string(&picture).unwrap().starts_with("<svg"));
}

#[test]
fn modes_and_their_files() {
    let out = file("modes.npz", "");
    let text = precess(&["modes", "models/double_pendulum.toml", "-o", &out]).done();
    assert!(text.out.contains("'upper' against it"), "{}", text.out);
    assert!(std::fs::read(&out).unwrap().starts_with(b"PK"));
    let rotor = precess(&["modes", "models/rotor.toml", "--at", "steady", "--json"]).done().json();
    assert_eq!(rotor["frame"], "fixed");
    assert!(rotor["proof"].as_f64().unwrap() < 1e-8);
    // Loaded, and at rest.
    let resting = precess(&["modes", "models/rotor.toml", "--json"]).done().json();
    assert_eq!(resting["modes"].as_array().unwrap().len(), 5);
    assert_eq!(resting["free"].as_array().unwrap().len(), 1);
    precess(&["campbell", "models/rotor.toml", "--vary", "spin=0:200:3"]).done();
    let near =
        precess(&["modes", "models/rotor.toml", "--at", "steady", "--near", "9Hz", "--n", "1", "--json"]);
    let f = near.done().json()["modes"][0]["frequency"].as_f64().unwrap();
    assert!((f - 9.09579).abs() < 1e-4, "{f}");
}

/// Pages that show modes and the way to an equilibrium, and matrices for other programs.
#[test]
fn modes_and_equilibria_are_shown() {
    let (page, mat, bad) = (file("modes.html", ""), file("space.mat", ""), file("x.pdf", ""));
    let done = precess(&["modes", "models/double_pendulum.toml", "--view", &page]).done();
    assert!(done.out.contains("page: ") && done.out.contains("modes.html"), "{}", done.out);
    let html = std::fs::read_to_string(&page).unwrap();
    assert_eq!(html.matches("class=\"header\"").count(), 2);
    assert!(
        html.contains("\"choice\":true")
            && html.contains("mode 2: 1.17971 Hz, 'lower' turns about y, 'upper' against it")
    );
    precess(&["modes", "models/double_pendulum.toml", "--view", &bad]).refused(&[".html"]);
    let way = file("way.html", "");
    precess(&["equilibrium", "models/slider_crank_a.toml", "--view", &way]).done();
    assert!(std::fs::read_to_string(&way).unwrap().contains("equilibrium: stable"));
    let over = file("over.html", "");
    let vary = "force.strut.stiffness=30000:60000:4";
    precess(&["equilibrium", "models/suspension.toml", "--vary", vary, "--view", &over]).done();
    assert!(std::fs::read_to_string(&over).unwrap().contains("[30000.0,40000.0,50000.0,60000.0,60000.0]"));
    let args = [
        "modes",
        "models/double_pendulum.toml",
        "--input",
        "hinge",
        "--output",
        "tip.x",
        "--state-space",
        &mat,
    ];
    precess(&args).done();
    assert!(std::fs::read(&mat).unwrap().starts_with(b"MATLAB 5.0 MAT-file"));
}

/// Multipliers of a period, where no frame has modes.
#[test]
fn multipliers_of_a_period() {
    let both = [
        "--set",
        "body.rotor.inertia=[0.001541, 0.000812, 0.0012]",
        "--set",
        "force.left.stiffness=[4000, 4000, 7000]",
    ];
    let more = ["--set", "parameters.Mz=0", "--set", "parameters.spin=300", "--at", "steady"];
    let start = [&["modes", "models/rotor.toml"][..], &both[..], &more[..]].concat();
    let none = precess(&start);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("--frame floquet"), "{}", none.err);
    let floquet = [&start[..], &["--frame", "floquet"][..]].concat();
    let text = precess(&floquet).done();
    assert!(
        text.out.contains("multipliers of a period of 0.0209440 s") && text.out.contains("stable: "),
        "{}",
        text.out
    );
    let json = precess(&[&floquet[..], &["--json"][..]].concat()).done().json();
    assert_eq!(json["multipliers"].as_array().unwrap().len(), 12);
    assert_eq!(json["grows"], false);
    precess(&["modes", "models/rotor.toml", "--frame", "floquet"]).refused(&["--at steady"]);
    precess(&["modes", "models/double_pendulum.toml", "--at", "initial", "--frame", "floquet"])
        .refused(&["--period"]);
    precess(&[&floquet[..], &["--view", "x.html"][..]].concat()).refused(&["--view needs modes"]);
    precess(&["modes", "models/rotor.toml", "--at", "steady", "--period", "1"]).refused(&["--frame floquet"]);
    let falling = file("falling.toml", &format!("{BOX}angular_velocity = [0, 0, 5]\n"));
    let falls = precess(&["modes", &falling, "--at", "initial", "--frame", "floquet"]);
    assert_eq!(falls.code, 1);
    assert!(falls.err.contains("does not close") && falls.err.contains("help: "), "{}", falls.err);
}

#[test]
fn campbell_lists_critical_speeds() {
    let args = ["campbell", "models/rotor.toml", "--set", "parameters.Mz=0", "--set", "parameters.d=0"];
    let more = ["--vary", "spin=0:200:9", "--json"];
    let json = precess(&[&args[..], &more[..]].concat()).done().json();
    let critical = json["critical"].as_array().unwrap();
    let forward = critical.iter().find(|c| c["direction"] == "forward").unwrap();
    assert!((forward["spin"].as_f64().unwrap() - 80.4990932076).abs() < 1e-6, "{forward}");
}

#[test]
fn what_cannot_be_analysed_is_said() {
    let falling = file("box.toml", BOX);
    let fell = precess(&["equilibrium", &falling]);
    assert_eq!(fell.code, 1);
    assert!(fell.err.contains("net force of 9.81 N") && fell.err.contains("help: "), "{}", fell.err);
    // Not at rest, not steady.
    let moving = precess(&["modes", "models/heavy_top.toml", "--at", "initial"]);
    assert_eq!(moving.code, 1);
    assert!(moving.err.contains("neither rest nor a steady rotation"), "{}", moving.err);
    // No frame.
    let both = [
        "modes",
        "models/rotor.toml",
        "--at",
        "steady",
        "--set",
        "body.rotor.inertia=[0.001541, 0.000812, 0.0012]",
        "--set",
        "force.left.stiffness=[4000, 4000, 7000]",
        "--set",
        "parameters.Mz=0",
    ];
    let none = precess(&both);
    assert_eq!(none.code, 1);
    assert!(none.err.contains("no frame") && none.out.is_empty(), "{}\n{}", none.out, none.err);
    // A flat parallelogram.
    let flat = precess(&["modes", "models/parallelograms.toml", "--at", "initial"]);
    assert_ne!(flat.code, 0);
    precess(&["modes", "models/rotor.toml", "--near", "fast"]).refused(&["--near fast", "help: "]);
    precess(&["modes", "models/rotor.toml", "--frame", "fixd"]).refused(&["fixed"]);
    precess(&["modes", "models/rotor.toml", "--frame", "rotating"]).refused(&["--at steady"]);
    precess(&["campbell", "models/rotor.toml", "--vary", "spin=0:100"]).refused(&["spin=0:100:21"]);
    precess(&["campbell", "models/rotor.toml", "--vary", "speed=0:100:3"]).refused(&["speed"]);
    precess(&["campbell", "models/rotor.toml", "--vary", "spin=100,50"]).refused(&["increasing"]);
    precess(&["equilibrium", "models/no_such.toml"]).refused(&["cannot read"]);
    precess(&["equilibrium", "models/rotor.toml", "--time", "nan"]).refused(&["--time"]);
    precess(&["modes", "models/double_pendulum.toml", "--bode", "x.svg"]).refused(&["--input"]);
}

/// A four-bar of parts whose ends are 2 cm apart.
const GAPS: &str = r#"# Four-bar, roughly.
[model]
name = "rough"
gravity = [0, 0, -9.81]
[parameters]
half = "0.427" # of the coupler
[[body]]
name = "crank"
mass = 0.5
inertia = [4e-3, 4e-3, 1e-4]
position = [0, 0, 0.15]
markers = { b = [0, 0, 0.15] }
[[body]]
name = "coupler"
mass = 1
inertia = [1e-3, 0.06, 0.06]
position = [0.42, 0, 0.45]
rotation = { x_axis = [0.8, 0, 0.3], y_axis = [0, 1, 0] }
markers = { b = ["-half", 0, 0], c = ["half", 0, 0] }
[[body]]
name = "rocker"
mass = 0.8
inertia = [0.03, 0.03, 1e-3]
position = [0.9, 0, 0.32]
markers = { c = [-0.1, 0, 0.3], d = [0.1, 0, -0.3] }
[[joint]]
name = "A"
type = "revolute"
bodies = ["ground", "crank"]
point = [0, 0, 0]
axis = [0, 1, 0]
[[joint]]
name = "B"
type = "spherical"
bodies = ["crank", "coupler"]
point = "crank.b"
point2 = "coupler.b"
[[joint]]
name = "C"
type = "cylindrical"
bodies = ["coupler", "rocker"]
point = "coupler.c"
point2 = "rocker.c"
axis = [0, 1, 0]
[[joint]]
name = "D"
type = "revolute"
bodies = ["ground", "rocker"]
point = [1, 0, 0]
point2 = "rocker.d"
axis = [0, 1, 0]
[run]
until = 0.1
"#;

/// Assembled, written, run in every formulation, brought to rest, written again.
#[test]
fn rough_positions_are_closed_and_written() {
    let (rough, closed, resting) =
        (file("rough.toml", GAPS), file("closed.toml", ""), file("resting.toml", ""));
    // As it is, it does not run, and the message says what helps.
    precess(&["check", &rough]).refused(&["apart at t = 0", "precess assemble"]);
    let done = precess(&["assemble", &rough, "-o", &closed]).done();
    assert!(
        done.out.contains("was open: joint D by 0.02 m") && done.out.contains("written: "),
        "{}",
        done.out
    );
    let written = std::fs::read_to_string(&closed).unwrap();
    assert!(written.starts_with(GAPS) && written.contains("[start.crank]"), "{written}");
    for formulation in ["r3so3", "se3", "euler-parameters", "tait-bryan"] {
        precess(&["run", &closed, "--formulation", formulation]).done();
    }
    precess(&[
        "run",
        &closed,
        "--method",
        "em",
        "--formulation",
        "directors",
        "--step",
        "1e-3",
        "--set",
        "integrator.tol=off",
    ])
    .done();
    // All joints are closed now.
    let again = precess(&["assemble", &closed]).done();
    assert!(again.out.contains("all joints are closed"), "{}", again.out);
    // A crank that is kept stays.
    let json = precess(&["assemble", &rough, "--keep", "crank", "--json"]).done().json();
    assert_eq!(json["bodies"]["crank"]["moved"].as_f64(), Some(0.0));
    assert!(json["bodies"]["rocker"]["moved"].as_f64().unwrap() > 1e-3);
    // The equilibrium as a model file: a run that starts there stays there.
    precess(&["equilibrium", &closed, "-o", &resting]).done();
    let json = precess(&["equilibrium", &resting, "--json"]).done().json();
    for (_, body) in json["bodies"].as_object().unwrap() {
        assert!(body["moved"].as_f64().unwrap() < 1e-9 && body["turned"].as_f64().unwrap() < 1e-9, "{body}");
    }
    assert!(std::fs::read_to_string(&resting).unwrap().matches("[start.crank]").count() == 1);
    precess(&["run", &resting]).done();
}

#[test]
fn what_cannot_be_assembled_is_said() {
    let short = file("short.toml", &GAPS.replace("\"0.427\"", "0.01"));
    let open = precess(&["assemble", &short]);
    assert_eq!(open.code, 1);
    assert!(open.err.contains("left open at best: joint ") && open.err.contains("help: "), "{}", open.err);
    let rough = file("rough2.toml", GAPS);
    precess(&["assemble", &rough, "--keep", "crnk"]).refused(&["crank"]);
    precess(&["assemble", &rough, "--weight", "crank=0"]).refused(&["--weight crank=100"]);
    precess(&["assemble", &rough, "--set", "parameters.half=0.43", "-o", "x.toml"]).refused(&["--set"]);
    precess(&["assemble", &rough, "-o", "x.csv"]).refused(&[".toml"]);
    let kept = precess(&["assemble", &rough, "--keep", "rocker"]);
    assert_eq!(kept.code, 1);
    assert!(
        kept.err.contains(
            "it would close if these bodies, which are kept in place (--keep), could move: 'rocker' by"
        ),
        "{}",
        kept.err
    );
    precess(&["equilibrium", "models/four_bar.toml", "--time", "0.1", "-o", "x.toml"]).refused(&["t = 0"]);
}

#[test]
fn driven_mechanisms_are_swept() {
    let out = file("sweep.csv", "");
    let done =
        precess(&["kinematics", "models/four_bar.toml", "--until", "1", "--steps", "100", "-o", &out]).done();
    assert!(done.out.contains("drive A, N m") && done.out.contains("written: "), "{}", done.out);
    let csv = std::fs::read_to_string(&out).unwrap();
    assert!(csv.contains("drive A") && csv.lines().count() > 100);
    let json = precess(&["kinematics", "models/four_bar.toml", "--until", "1", "--json"]).done().json();
    assert_eq!(json["rows"].as_array().unwrap().len(), 201);
    assert!(json["dead_points"].as_array().unwrap().is_empty());
    let free = precess(&["kinematics", "models/double_pendulum.toml"]);
    assert_eq!(free.code, 1);
    assert!(free.err.contains("nothing is driven") && free.err.contains("help: "), "{}", free.err);
    precess(&["kinematics", "models/four_bar.toml", "--until=-1"]).refused(&["until"]);
    precess(&["kinematics", "models/four_bar.toml", "--time", "1"]).refused(&["--time"]);
}

/// A rotor that spins steadily: its modes about a checkpoint of a run are those of the closed form at 1000
/// rad/s.
#[test]
fn modes_about_a_checkpoint() {
    use precess::integrate::InitialValues;
    use precess::methods::method;
    use precess::study::{Cadence, Checkpoints, Sample};
    let chk = file("steady.chk", "");
    let set =
        ["parameters.Mz=0", "parameters.spin=1000", "integrator.tol=off", "run.step=1e-5", "run.until=1e-4"];
    let path = root().join("models/rotor.toml");
    let overrides: Vec<String> = set.iter().map(|s| s.to_string()).collect();
    let loaded =
        precess::model::load("rotor.toml", &std::fs::read_to_string(path).unwrap(), &overrides).unwrap();
    let settings = &loaded.settings;
    let built = precess::model::build(&loaded.model, settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut checkpoints = Checkpoints::new(&chk, Cadence::Steps(1), loaded.identity());
    let mut integrator = method(&settings.method, &settings.options).unwrap();
    let run = settings.run();
    let nothing = &mut |_: &Sample| {};
    assert!(
        run.run_with(&*built.system, &mut *integrator, &mut state, nothing, Some(&mut checkpoints)).is_ok()
    );
    let model = [
        "modes",
        "models/rotor.toml",
        "--set",
        "parameters.Mz=0",
        "--formulation",
        settings.formulation.name(),
    ];
    let json = precess(&[&model[..], &["--at", &chk, "--json"][..]].concat()).done().json();
    let modes = json["modes"].as_array().unwrap();
    let near = |m: &&serde_json::Value| (m["im"].as_f64().unwrap() - 50.068120625004596).abs() < 1e-6;
    assert!(
        modes.iter().any(|m| near(&m) && (m["re"].as_f64().unwrap() + 3.1381245674873353).abs() < 1e-6),
        "{modes:?}"
    );
    assert!(json["t"].as_f64().unwrap() > 0.0);
    // Files of another kind, and unknown values of `--at`.
    precess(&["modes", "models/rotor.toml", "--at", "models/rotor.toml"])
        .refused(&["not a checkpoint of precess"]);
    let other = precess(&["modes", "models/double_pendulum.toml", "--at", &chk]).refused(&["another model"]);
    drop(other);
    assert_eq!(precess(&["modes", "models/rotor.toml", "--at", "stedy"]).code, 2);
}

/// A rod that stands on its hinge. Every answer says where it is linearised; s^2 = +-m g l/J.
#[test]
fn modes_say_where_they_are() {
    let content = "[model]\ngravity = [0, 0, -9.81]\n[parameters]\nidle = 1\n[[body]]\nname = \
    \"rod\"\nmass = 2\ninertia = [0.05, 0.05, \
                   0.01]\nposition = [0, 0, 0.7]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = \
                   [\"ground\", \"rod\"]\npoint = [0, 0, 0]\naxis = \"y\"\n[[sensor]]\nname = \
                   \"angle\"\ntype = \
                   \"coordinate\"\njoint = \"hinge\"\n";
    let model = file("upright.toml", content);
    let square = 2.0 * 9.81 * 0.7 / (0.05 + 2.0 * 0.49);
    let hanging = precess(&["modes", &model, "--json"]).done().json();
    let upright = precess(&["modes", &model, "--at", "initial", "--json"]).done().json();
    let any = precess(&["modes", &model, "--kind", "any", "--json"]).done().json();
    let first = |j: &serde_json::Value, key: &str| j["modes"][0][key].as_f64().unwrap();
    assert!((first(&hanging, "im").powi(2) / square - 1.0).abs() < 1e-9);
    let state = &hanging["state"];
    assert_eq!((&state["at"], &state["stability"]), (&"equilibrium".into(), &"stable".into()));
    assert!((state["furthest"]["turned"].as_f64().unwrap() - std::f64::consts::PI).abs() < 1e-9);
    assert!((state["bodies"]["rod"]["position"][2].as_f64().unwrap() + 0.7).abs() < 1e-9);
    for (j, at) in [(&upright, "initial"), (&any, "equilibrium")] {
        assert!((first(j, "re").powi(2) / square - 1.0).abs() < 1e-9 && j["state"]["at"] == at, "{j}");
        assert_eq!(j["state"]["bodies"]["rod"]["position"][2].as_f64(), Some(0.7));
    }
    let text = precess(&["modes", &model]).done();
    assert!(
        text.out.contains("not at the positions of the model: 'rod' is turned by 3.14159 rad"),
        "{}",
        text.out
    );
    let refused = precess(&["modes", &model, "--at", "nonsense"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("equilibrium, steady, initial"), "{}", refused.err);
    // The end of a run that stays there.
    let results = file("upright.npz", "");
    precess(&["run", &model, "--until", "0.01", "--out", &results]).done();
    let end = precess(&["modes", &model, "--at", &results, "--json"]).done().json();
    assert!((first(&end, "re").powi(2) / square - 1.0).abs() < 1e-6, "{end}");
    let rest = precess(&["equilibrium", &model, "--json"]).done().json();
    assert!(rest["sensors"]["angle"].is_number() && rest["degrees_of_freedom"] == 1, "{rest}");
    let same =
        precess(&["equilibrium", &model, "--set", "body.rod.position=[0, 0, -0.7]", "--vary", "idle=1,2,3"])
            .done();
    assert!(same.err.contains("nothing depends on"), "{}", same.err);
}

/// A column under a load that keeps its direction buckles at pi^2 EI/4 = 2.4674; under a load that follows
/// it, it flutters at 20.05 with 11.02 rad/s.
#[test]
fn losses_of_stability_are_found() {
    let column = |frame: &str| {
        format!(
            "[parameters]\nP = 1\n[[beam]]\nname = \"b\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 10\n\
             stiffness = [1, 1, 1, 1e6, 3e5, 3e5]\nmass_per_length = 1\ninertia_per_length = [2e-6, 1e-6, \
             1e-6]\n[[joint]]\nname = \"clamp\"\ntype = \"fixed\"\nbodies = [\"ground\", \
             \"b.start\"]\n[[force]]\nname = \"P\"\ntype = \"force\"\nbody = \"b.end\"\nforce = [\"-P\", \
             0, 0]\n{frame}"
        )
    };
    let (dead, follower) =
        (file("dead.toml", &column("")), file("follower.toml", &column("frame = \"body\"\n")));
    for (model, values, load, omega) in
        [(&dead, "P=1:5:3", 2.4674, 0.0), (&follower, "P=15:30:3", 20.05, 11.02)]
    {
        let j = precess(&["modes", model, "--find-stability-loss", values, "--json"]).done().json();
        let changes = j["changes"].as_array().unwrap();
        assert_eq!(changes.len(), 1, "{j}");
        let found = changes[0]["P"].as_f64().unwrap();
        assert!((found / load - 1.0).abs() < 0.03, "{found} {load}");
        assert!((changes[0]["omega"].as_f64().unwrap() - omega).abs() < 0.02 * omega + 1e-3, "{j}");
    }
    let flutter = precess(&["equilibrium", &follower, "--set", "parameters.P=25"]);
    assert_eq!(flutter.code, 1);
    assert!(flutter.out.contains("unstable") && flutter.err.contains("--kind any"), "{}", flutter.err);
    assert_eq!(precess(&["equilibrium", &follower, "--set", "parameters.P=25", "--kind", "any"]).code, 0);
    let stable = precess(&["equilibrium", &follower, "--set", "parameters.P=15", "--json"]).done().json();
    assert_eq!((&stable["stability"], &stable["degrees_of_freedom"]), (&"stable".into(), &60.into()));
}

/// Weave and capsize of the benchmark bicycle, and its modes between them.
#[test]
fn a_bicycle_steers_itself_between_two_speeds() {
    let modes = |more: &[&str]| {
        let given = [&["modes", "models/bicycle.toml", "--at", "steady"], more].concat();
        precess(&given).done().json()
    };
    let j = modes(&["--find-stability-loss", "v=3:8:6", "--json"]);
    let changes: Vec<(f64, &str)> = j["changes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| (c["v"].as_f64().unwrap(), c["becomes"].as_str().unwrap()))
        .collect();
    let &[(weave, stable), (capsize, unstable)] = &changes[..] else { panic!("{changes:?}") };
    assert_eq!((stable, unstable), ("stable", "unstable"));
    assert!(
        (weave - 4.29238253634111).abs() < 1e-6 && (capsize - 6.02426201538837).abs() < 1e-6,
        "{changes:?}"
    );
    let list = modes(&["--json"])["modes"].clone();
    let real: Vec<f64> = list.as_array().unwrap().iter().map(|m| m["re"].as_f64().unwrap()).collect();
    assert!(real.len() == 3 && real.iter().all(|re| *re < 0.0), "{real:?}");
    let campbell =
        precess(&["campbell", "models/bicycle.toml", "--vary", "v=4.5:6:4", "--json"]).done().json();
    assert!(campbell.to_string().contains("-0.77534188"), "{campbell}");
    let refused = precess(&["equilibrium", "models/bicycle.toml"]);
    assert!(refused.code == 2 && refused.err.contains("steady motion"), "{}", refused.err);
    let matrices = file("bicycle.npz", "");
    let space = modes(&["--input", "push.y", "--output", "steer", "--state-space", &matrices, "--json"]);
    assert!(space["modes"].is_array() && std::fs::read(&matrices).unwrap().starts_with(b"PK"));
}
