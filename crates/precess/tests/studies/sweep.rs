//! Sweeps: each row belongs to its run, whatever the number of threads, and a failed run is a row, too.

use precess::integrate::InitialValues;
use precess::methods::method;
use precess::model::{Loaded, build, load};
use precess::study::Sweep;
use precess::study::larger;
use precess::study::parallel::Workers;
use precess::study::points::{Selection, Value};
use precess::study::sweep::{SweepError, SweepTable};

const TOP: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [parameters]
    spin = 150
    m = 15
    nutation = "-m*4.61538/15"
    [[body]]
    name = "top"
    mass = "m"
    inertia = [0.234375, 0.46875, 0.234375]
    position = [0, 1, 0]
    velocity = ["-nutation", 0, 0]
    angular_velocity = [0, "spin", "nutation"]
    [[joint]]
    name = "tip"
    type = "spherical"
    bodies = ["ground", "top"]
    point = [0, 0, 0]
    [[sensor]]
    name = "height"
    type = "potential-energy"
    [run]
    step = 1e-3
    until = 0.1
"#;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|w| w.to_string()).collect()
}

fn sweep(vary: &[&str], selection: Selection, collect: &[&str]) -> Result<Sweep, SweepError> {
    Sweep::new("models/top.toml", TOP, &[], &words(vary), selection, &words(collect))
}

/// Final state and summary of a run as the command line does it.
fn single(loaded: &Loaded) -> (Vec<f64>, f64) {
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut integrator = method(&loaded.settings.method, &loaded.settings.options).unwrap();
    let summary = loaded.settings.run().run(&*built.system, &mut *integrator, &mut state, &mut ()).unwrap();
    let position = built.system.bodies(&state.at())[0].position;
    (position.as_slice().to_vec(), summary.energy_drift.unwrap())
}

/// The overrides of a row's command give the same bits as the row, also where the integrator was used before.
#[test]
fn rows_are_the_runs_they_say() {
    let vary = ["spin=100:200:3", "h=1e-3,5e-4", "newton=full,modified", "formulation=r3so3,se3"];
    let sweep = sweep(&vary, Selection::Grid, &["top.position", "energy_drift"]).unwrap();
    let table = sweep.run(Workers::one());
    assert_eq!((table.rows.len(), table.failures()), (24, 0));
    assert_eq!(table.outputs, ["top.position.x", "top.position.y", "top.position.z", "energy_drift"]);
    for (i, row) in table.rows.iter().enumerate() {
        let numbers = row.result.as_ref().unwrap();
        let (position, drift) = single(&sweep.model(i).unwrap());
        assert_eq!((&numbers[..3], numbers[3]), (&position[..], drift), "{}", table.command(row));
        let command = table.command(row);
        let sets: Vec<String> = command.split(" --set ").skip(1).map(String::from).collect();
        assert_eq!(single(&load("top.toml", TOP, &sets).unwrap()).0, position, "{command}");
    }
    let expected = "precess run models/top.toml --set integrator.tol=off --set parameters.spin=100 --set \
                    run.step=0.001 --set integrator.newton=full \
                    --set integrator.formulation=r3so3";
    assert_eq!(table.command(&table.rows[0]), expected);
}

#[test]
fn threads_do_not_matter() {
    for selection in [Selection::Random { n: 40, seed: 3 }, Selection::LatinHypercube { n: 40, seed: 3 }] {
        let vary =
            ["spin=50:250", "m=10:20", "rho=0.3:0.95", "newton=full,modified", "method=gen-alpha,bliedf"];
        let sweep = sweep(&vary, selection, &["top.position", "max:tip.force", "iterations"]).unwrap();
        let tables: Vec<SweepTable> = [1, 2, 3, 7].iter().map(|n| sweep.run(Workers::new(*n))).collect();
        for table in &tables[1..] {
            assert_eq!(table, &tables[0]);
            assert_eq!(table.csv(), tables[0].csv());
        }
        assert_eq!(tables[0].failures(), 0, "{}", tables[0].csv());
    }
}

/// Many runs of a model are done side by side. They give the same results as a few runs, up to the remaining
/// error of Newton's method, and the same bits on any number of threads. A model that cannot be built is a
/// row like the others.
#[test]
fn many_runs_are_those_of_single_ones() {
    for form in ["index3", "stabilized-index2"] {
        let overrides = words(&[&format!("integrator.form={form}")]);
        for collect in [&["top.position", "steps"][..], &["top.position", "energy_drift", "max:tip.force"]] {
            let run = |vary: &[&str], threads: usize| {
                let sweep =
                    Sweep::new("top.toml", TOP, &overrides, &words(vary), Selection::Grid, &words(collect));
                sweep.unwrap().run(Workers::new(threads))
            };
            let many = run(&["spin=100:200:35", "m=15,-15"], 1);
            assert_eq!((many.rows.len(), many.failures()), (70, 35));
            assert_eq!(many, run(&["spin=100:200:35", "m=15,-15"], 3));
            let few = run(&["spin=100:200:35", "m=15"], 1);
            let done = many.rows.iter().filter(|row| row.values[1] == Value::Number(15.0));
            for (row, single) in done.zip(&few.rows) {
                assert_eq!(row.values, single.values);
                let (numbers, single) = (row.result.as_ref().unwrap(), single.result.as_ref().unwrap());
                assert_eq!(numbers.len(), single.len());
                for (k, (x, y)) in numbers.iter().zip(single).enumerate() {
                    // Positions, then counts or the drift of the energy and the largest force.
                    let tolerance = if k < 3 { 1e-10 } else { 1e-8 * y.abs() };
                    assert!((x - y).abs() <= tolerance, "{form} {collect:?} {:?}: {x} and {y}", row.values);
                }
            }
            assert_eq!(few.failures(), 0);
        }
    }
}

/// The heavy top with a spring and an offset of its centre of mass. Both can be zero.
const SPRUNG: &str = r#"
    [model]
    gravity = [0, 0, -9.81]
    [parameters]
    spin = 150
    k = 0
    offset = 0
    [[body]]
    name = "top"
    mass = 15
    inertia = [0.234375, 0.46875, 0.234375]
    position = ["offset", 1, 0]
    velocity = [4.61538, "-4.61538*offset", "-spin*offset"]
    angular_velocity = [0, "spin", -4.61538]
    [[joint]]
    name = "tip"
    type = "spherical"
    bodies = ["ground", "top"]
    point = [0, 0, 0]
    [[force]]
    name = "spring"
    type = "spring"
    bodies = ["ground", "top"]
    point = [0, 0, 2]
    point2 = [0.3, 1, 0]
    stiffness = "k"
    [run]
    step = 1e-3
    until = 0.05
"#;

/// Parameters that are zero in some runs change the sparsity pattern of the matrix. Runs side by side notice
/// this, within a group and from one group to the next.
#[test]
fn runs_may_differ_in_structure() {
    for form in ["index3", "stabilized-index2"] {
        let overrides = words(&[&format!("integrator.form={form}")]);
        let vary = words(&["offset=0,0.02", "k=0,4000", "spin=100:200:17"]);
        let collect = words(&["top.position", "steps"]);
        let sweep = Sweep::new("sprung.toml", SPRUNG, &overrides, &vary, Selection::Grid, &collect).unwrap();
        let together = sweep.run(Workers::one());
        assert_eq!((together.rows.len(), together.failures()), (68, 0), "{}", together.csv());
        // Each thread has a plan of its own, from other runs.
        for threads in [2, 3, 5] {
            assert_eq!(together, sweep.run(Workers::new(threads)));
        }
        let (mut last, mut rows) = (vec![0.0; 4], together.rows.iter());
        for points in sweep.points.chunks(17) {
            let mut few = sweep.clone();
            few.points = points.to_vec();
            let few = few.run(Workers::one());
            assert_eq!(few.rows.len(), 17);
            for (alone, row) in few.rows.iter().zip(rows.by_ref()) {
                assert_eq!(row.values, alone.values);
                let (numbers, alone) = (row.result.as_ref().unwrap(), alone.result.as_ref().unwrap());
                let difference = numbers.iter().zip(alone).map(|(x, y)| (x - y).abs()).fold(0.0, larger);
                assert!(difference < 1e-10, "{form} {:?}: {difference:e}", row.values);
                assert_ne!(*numbers, last);
                last.clone_from(numbers);
            }
        }
    }
}

/// Parameters that others depend on are evaluated anew for every run.
#[test]
fn dependent_parameters_follow() {
    let sweep = sweep(&["m=15,30"], Selection::Grid, &["top.velocity"]).unwrap();
    let settings = [sweep.model(0).unwrap(), sweep.model(1).unwrap()];
    assert_eq!(settings[1].model.bodies[0].velocity.x, 2.0 * settings[0].model.bodies[0].velocity.x);
    let table = sweep.run(Workers::one());
    assert_ne!(table.rows[0].result, table.rows[1].result);
}

/// Tolerances take the place of the step in the file, as in a run without sweep.
#[test]
fn tolerances_can_vary() {
    let table =
        sweep(&["tol=1e-4,1e-8"], Selection::Grid, &["top.position", "steps"]).unwrap().run(Workers::one());
    let exact = [0.421296658925402, 0.894571974345593, -0.1491647005619];
    let error = |row: usize| {
        let x = table.rows[row].result.as_ref().unwrap();
        (0..3).map(|i| (x[i] - exact[i]).abs()).fold(0.0, larger)
    };
    assert!(error(0) < 1e-4 && error(1) < 1e-8, "{:e} {:e}", error(0), error(1));
}

#[test]
fn failures_are_rows() {
    // A point above the joint is inconsistent; a negative mass is refused by the file; the third is a run.
    let vary = ["body.top.position=[0,1,0.5],[0,1,0]"];
    assert!(sweep(&vary, Selection::Grid, &[]).is_err());
    let sweep = sweep(&["m=-1,15", "rho=0.9,2"], Selection::Grid, &[]).unwrap();
    let table = sweep.run(Workers::one());
    assert_eq!(table.failures(), 3);
    let error = |i: usize| table.rows[i].result.as_ref().unwrap_err().clone();
    assert!(error(0).contains("mass"), "{}", error(0));
    assert!(error(3).contains("rho"), "{}", error(3));
    let csv = table.csv();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "m,rho,height,energy_drift,iterations,error,untrusted,command");
    assert_eq!(lines.len(), 5);
    assert!(lines[1].starts_with("-1,0.9,,,,"), "{}", lines[1]);
}

/// Extremes against the final values of shorter and shorter runs.
#[test]
fn extremes_are_those_of_all_steps() {
    let whole =
        sweep(&["until=0.1"], Selection::Grid, &["max:height", "min:height", "max:top.velocity"]).unwrap();
    let steps: Vec<String> = (0..=100).map(|n| format!("{}", f64::from(n) * 1e-3)).collect();
    let vary = format!("until={}", steps.join(","));
    let each = sweep(&[&vary], Selection::Grid, &["height", "top.velocity"]).unwrap().run(Workers::default());
    let (mut max, mut min, mut fastest) = (f64::NEG_INFINITY, f64::INFINITY, 0.0_f64);
    for row in &each.rows {
        let x = row.result.as_ref().unwrap();
        (max, min) = (larger(max, x[0]), -larger(-min, -x[0]));
        fastest = precess::study::larger(fastest, (x[1] * x[1] + x[2] * x[2] + x[3] * x[3]).sqrt());
    }
    let found = whole.run(Workers::one()).rows[0].result.clone().unwrap();
    for (found, expected) in found.iter().zip([max, min, fastest]) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs(), "{found} {expected}");
    }
}

#[test]
fn mistakes_are_named() {
    for (vary, collect, message) in [
        ("spn=1,2", "", "did you mean 'spin'"),
        ("spin", "", "spin=100:200:21"),
        ("spin=1:2", "", "use random points"),
        ("parameters.spun=1", "", "did you mean 'spin'"),
        ("spin=1,2", "top.positon", "did you mean 'top.position'"),
        ("method=gen-alfa", "", "gen-alpha"),
    ] {
        let collect = if collect.is_empty() { vec![] } else { vec![collect] };
        let e = sweep(&[vary], Selection::Grid, &collect).unwrap_err().to_string();
        assert!(e.contains(message), "{vary}: {e}");
    }
    let random = Selection::Random { n: 3, seed: 1 };
    let points = sweep(&["spin=1:2"], random, &[]).unwrap().points;
    assert!(points.iter().all(|p| matches!(p[0], Value::Number(x) if (1.0..2.0).contains(&x))));
    assert_eq!(points, sweep(&["spin=1:2"], random, &[]).unwrap().points);
}

/// A load of 2 kg moves as z = sin(2 pi t) for one period: means and extremes are known in closed form. The
/// trapezoidal rule is exact for whole periods.
#[test]
fn means_and_components() {
    let text = "[model]\ngravity = [0, 0, -10]\n[parameters]\nm = 2\n[[body]]\nname = \"load\"\nmass = \
                \"m\"\ninertia = [1, 1, 1]\n[[joint]]\nname = \"slide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \
                \"load\"]\npoint = [0, 0, 0]\naxis = \"z\"\ndrive = \"sin(2*pi*t)\"\n[[sensor]]\nname = \"z\"\ntype = \
                \"coordinate\"\njoint = \"slide\"\n[integrator]\nmethod = \"gen-alpha\"\n[run]\nuntil = 1\nstep = \
                1e-3\nfix_initial = true\n";
    let words = [
        "mean:z",
        "rms:z",
        "p2p:z",
        "max:z",
        "min:z",
        "mean:slide.force.z",
        "p2p:load.velocity.z",
        "rms:load.velocity",
        "load.position.z",
        "load.position",
        "mean:load.rotation.w",
        "max:slide.force.x",
    ]
    .map(String::from);
    let sweep = Sweep::new("load.toml", text, &[], &["m=2,4".to_string()], Selection::Grid, &words).unwrap();
    let table = sweep.run(Workers::one());
    assert_eq!(table.outputs.len(), 14, "{:?}", table.outputs);
    assert_eq!(table.outputs[9..12], ["load.position.x", "load.position.y", "load.position.z"]);
    let w = std::f64::consts::TAU;
    for (row, m) in table.rows.iter().zip([2.0, 4.0]) {
        let found = row.result.as_ref().unwrap();
        let wanted = [
            0.0,
            0.5_f64.sqrt(),
            2.0,
            1.0,
            -1.0,
            10.0 * m,
            2.0 * w,
            w * 0.5_f64.sqrt(),
            0.0,
            0.0,
            0.0,
            0.0,
            1.0,
            0.0,
        ];
        for ((x, wanted), name) in found.iter().zip(wanted).zip(&table.outputs) {
            // Forces of fixed steps have a small error of the start.
            let tolerance = if name.contains("force") { 0.05 } else { 1e-6 };
            assert!((x - wanted).abs() < tolerance, "{name}: {x} instead of {wanted}");
        }
    }
    let unknown = |word: &str| {
        let words = [word.to_string()];
        Sweep::new("load.toml", text, &[], &["m=2,4".to_string()], Selection::Grid, &words)
            .unwrap_err()
            .to_string()
    };
    let message = unknown("rms:slide.force.w");
    assert!(message.contains("slide.force"), "{message}");
    assert!(unknown("mean:zz").contains("did you mean 'z'"));
}

/// Formulas of quantities: a reduction of a formula, a formula of reductions, and both against the plain words
/// and against the time average of sin^2.
#[test]
fn formulas_are_collected() {
    const SWING: &str = r#"
        [parameters]
        w = 2
        [[body]]
        name = "a b"
        type = "point"
        mass = 1
        position = [0, 0, 0]
        velocity = [3, 0, 0]
        [[force]]
        name = "back"
        type = "force"
        body = "a b"
        force = ["-w^2*place.x", 0, 0]
        [[sensor]]
        name = "place"
        type = "position"
        body = "a b"
        [run]
        until = 3.14159265358979
        step = 1e-3
    "#;
    let collect = [
        "rms(a b.x)",
        "rms:a b.position.x",
        "max(abs(place.x - 1 m))",
        "max(place) - min(place.x)",
        "rms(place.x)/mean(abs(place.x))",
        "a b.vx + 2*{a b.velocity}",
    ];
    let sweep =
        Sweep::new("swing.toml", SWING, &[], &words(&["w=2,4"]), Selection::Grid, &words(&collect)).unwrap();
    let table = sweep.run(Workers::default());
    assert_eq!(table.outputs, collect);
    for (row, w) in table.rows.iter().zip([2.0, 4.0]) {
        let x = row.result.as_ref().unwrap();
        // x = 3/w sin(w t) over whole half periods.
        let amplitude = 3.0 / w;
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let expected = [
            half * amplitude,
            half * amplitude,
            1.0 + amplitude,
            2.0 * amplitude,
            half * std::f64::consts::FRAC_PI_2,
            3.0 + 2.0 * 3.0,
        ];
        for (k, (x, e)) in x.iter().zip(expected).enumerate() {
            assert!((x - e).abs() < 2e-5 * e.abs(), "{}: {x} {e}", collect[k]);
        }
        assert_eq!(x[0], x[1]);
    }
    for (word, part) in [
        ("rms(a b.q)", "unknown quantity"),
        ("max(plac.x - 1)", "did you mean 'place"),
        ("rms(place.x + )", "place.x"),
    ] {
        let e = Sweep::new("swing.toml", SWING, &[], &words(&["w=2"]), Selection::Grid, &words(&[word]))
            .unwrap_err();
        assert!(e.to_string().contains(part), "{word}: {e}");
    }
}

/// Values with a unit: the table shows them in it, the commands repeat them, and a number without a unit has
/// the same meaning as in the file.
#[test]
fn values_have_units() {
    let sweep = sweep(&["spin=0:1200rpm:3"], Selection::Grid, &["top.angular_velocity.y"]).unwrap();
    let table = sweep.run(Workers::default());
    assert_eq!(table.inputs, ["spin [rpm]"]);
    let values: Vec<Value> = table.rows.iter().map(|r| r.values[0].clone()).collect();
    assert_eq!(values, [0.0, 600.0, 1200.0].map(Value::Number));
    assert!(table.command(&table.rows[1]).ends_with("--set 'parameters.spin=600 rpm'"));
    let loaded = sweep.model(2).unwrap();
    let expected = 1200.0 * std::f64::consts::TAU / 60.0;
    assert!((loaded.model.bodies[0].angular_velocity.y - expected).abs() < 1e-12);
    let random =
        self::sweep(&["spin=normal(1400rpm, 10rpm)"], Selection::Random { n: 5, seed: 1 }, &["steps"])
            .unwrap();
    assert!(random.run(Workers::default()).rows.iter().all(|r| r.result.is_ok()));
    let grid = self::sweep(&["m=normal(15, 0.1)"], Selection::Grid, &["steps"]).unwrap_err().to_string();
    assert!(grid.contains("random points"), "{grid}");
    let wrong = self::sweep(&["spin=0:12kg:3"], Selection::Grid, &["steps"]).unwrap_err().to_string();
    assert!(wrong.contains("kg"), "{wrong}");
}
