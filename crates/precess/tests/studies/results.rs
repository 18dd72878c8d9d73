//! Result files: every format reads back what it has written, and reports broken files.

use std::path::{Path, PathBuf};

use precess::integrate::InitialValues;
use precess::mechanics::mechanism::Mechanism;
use precess::methods::{adaptive_method, method};
use precess::model::{Loaded, build, load};
use precess::study::larger;
use precess::study::results::{FORMATS, FileError, Output, Recording, Results, read};
use precess::study::{Recorder, Sample, Sampling};

fn model(name: &str, overrides: &[&str]) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name);
    let text = std::fs::read_to_string(path).unwrap();
    load(name, &text, &overrides.iter().map(|o| o.to_string()).collect::<Vec<_>>()).unwrap()
}

fn run(loaded: &Loaded, sampling: Sampling) -> Results {
    let settings = &loaded.settings;
    let built = build(&loaded.model, settings.formulation).unwrap();
    let system: &dyn Mechanism = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut recording =
        Recording::new(loaded, system, sampling).with("twice_t", "s", |r| 2.0 * r.sample.state.t);
    let summary = match (settings.adaptive_run(), settings.tolerance) {
        (Some(run), Some(tol)) => {
            let mut adaptive = adaptive_method(&settings.method, &settings.options, tol).unwrap();
            run.run(&*built.system, &mut *adaptive, &mut state, &mut recording).unwrap()
        }
        _ => {
            let mut integrator = method(&settings.method, &settings.options).unwrap();
            settings.run().run(&*built.system, &mut *integrator, &mut state, &mut recording).unwrap()
        }
    };
    recording.finish(&summary, None)
}

fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// NaN is equal to NaN here.
fn same(a: &Results, b: &Results) {
    assert_eq!(a.metadata, b.metadata);
    assert_eq!(a.columns.len(), b.columns.len());
    for (x, y) in a.columns.iter().zip(&b.columns) {
        assert_eq!((&x.name, &x.unit, &x.parts, x.scalar), (&y.name, &y.unit, &y.parts, y.scalar));
        let bits = |v: &[f64]| v.iter().map(|x| if x.is_nan() { 0 } else { x.to_bits() }).collect::<Vec<_>>();
        assert_eq!(bits(&x.values), bits(&y.values), "{}", x.name);
    }
}

#[test]
fn every_format_gives_the_same_results_back() {
    let place = directory("formats");
    for name in ["heavy_top.toml", "pendulum.toml", "slider_crank.toml", "gear_train.toml"] {
        if !Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).exists() {
            continue;
        }
        let loaded = model(name, &["run.until=0.05", "model.name=\"a, \\\"quoted\\\" name\""]);
        let mut results = run(&loaded, Sampling::Steps(3));
        let k = results.columns.iter().position(|c| c.name == "energy").unwrap();
        results.columns[k].values[1] = f64::NAN;
        for format in FORMATS {
            let file =
                Output::create(place.join(format!("{name}.{format}"))).unwrap().finish(&results).unwrap();
            same(&read(&file).unwrap(), &results);
        }
        // The run can be repeated from its own metadata.
        let m = &read(place.join(format!("{name}.npz"))).unwrap().metadata;
        let again = run(&load(name, &m.model_text, &m.overrides).unwrap(), Sampling::Steps(3));
        assert_eq!(again.column("q"), results.column("q"));
    }
}

/// Columns agree with the state: position of the top at the end, its residual, its energy; units are there.
#[test]
fn columns_mean_what_they_say() {
    let loaded = model("heavy_top.toml", &["run.until=0.1", "run.step=1e-3"]);
    let r = run(&loaded, Sampling::Steps(1));
    assert_eq!((r.rows(), r.metadata.rows), (101, 101));
    let (t, unit) = r.numbers("t").unwrap();
    assert_eq!((t[100], unit), (0.1, "s"));
    assert_eq!(r.numbers("twice_t").unwrap().0[100], 0.2);
    assert_eq!(r.numbers("step").unwrap().0, (0..=100).map(f64::from).collect::<Vec<_>>());
    assert!(r.numbers("h").unwrap().0[1..].iter().all(|h| (h - 1e-3).abs() < 1e-15));
    let position = r.column("top.position").unwrap();
    assert_eq!((position.unit.as_str(), position.parts.len()), ("m", 3));
    // The top turns about a fixed point at distance 1, and q holds its position.
    for row in 0..101 {
        let x: Vec<f64> = (0..3).map(|k| position.part(k)[row]).collect();
        assert!((x.iter().map(|x| x * x).sum::<f64>().sqrt() - 1.0).abs() < 1e-12);
    }
    let max = |name: &str| r.numbers(name).unwrap().0.into_iter().fold(0.0, larger);
    assert!(max("position_residual") < 1e-13 && max("velocity_residual") < 1e-11);
    let summary = &r.metadata.summary;
    let e = r.numbers("energy").unwrap().0;
    let drift = e.iter().map(|x| (x - e[0]).abs()).fold(0.0, larger);
    assert_eq!(summary["energy_drift"].as_f64().unwrap(), drift);
    let total: f64 = r.numbers("iterations").unwrap().0.iter().sum();
    assert_eq!(summary["newton_iterations"].as_f64().unwrap(), total);
    assert_eq!(r.column("lambda").unwrap().parts.len(), 3);
}

#[test]
fn sampling_by_time() {
    let loaded = model("heavy_top.toml", &["run.until=0.1", "run.step=1e-3", "output.every=\"10 ms\""]);
    assert_eq!(loaded.settings.every, Sampling::Time(0.01));
    let t = run(&loaded, loaded.settings.every).numbers("t").unwrap().0;
    assert!(t.len() == 11 && t.iter().enumerate().all(|(i, t)| (t - 0.01 * i as f64).abs() < 1e-12), "{t:?}");
}

#[test]
fn sensors_have_units() {
    let mut found = 0;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".toml") else { continue };
        let loaded = model(&name, &["run.until=0.002"]);
        if loaded.model.sensors.is_empty() || loaded.model.bodies.len() > 20 {
            continue;
        }
        let r = run(&loaded, Sampling::Steps(1));
        for s in &loaded.model.sensors {
            let c = r.column(&s.name).or_else(|| r.column(&format!("sensor.{}", s.name)));
            let kind = format!("{:?}", s.kind);
            let unit = &c.unwrap_or_else(|| panic!("{stem}: {}", s.name)).unit;
            assert!(!unit.is_empty() || kind.starts_with("Control"), "{stem}: {} {kind}", s.name);
            found += 1;
        }
    }
    assert!(found > 5, "{found}");
}

#[test]
fn broken_files_are_said_to_be_broken() {
    let place = directory("broken");
    let results = run(&model("pendulum.toml", &["run.until=0.02"]), Sampling::Steps(1));
    for format in FORMATS {
        let path = place.join(format!("r.{format}"));
        Output::create(&path).unwrap().finish(&results).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for part in [10, 30, 50, 70, 90, 99] {
            std::fs::write(&path, &whole[..whole.len() * part / 100]).unwrap();
            let error = read(&path).unwrap_err();
            assert!(matches!(error, FileError::Truncated { .. }), "{format} {part} %: {error}");
            assert!(error.to_string().contains("help: "), "{error}");
        }
        // Another version: the same digits elsewhere. In npz a character has four bytes, and the archive
        // checks its sums.
        let mut other = results.clone();
        other.metadata.version = 7;
        other.metadata.precess = "9.9".to_string();
        Output::create(&path).unwrap().finish(&other).unwrap();
        let error = read(&path).unwrap_err();
        assert!(matches!(error, FileError::Version { found: 7, .. }), "{format}: {error}");
        assert!(error.to_string().contains("precess 9.9"), "{error}");
        std::fs::write(&path, "something else").unwrap();
        assert!(matches!(read(&path).unwrap_err(), FileError::Other { .. }), "{format}");
        assert!(matches!(read(place.join(format!("no.{format}"))).unwrap_err(), FileError::Read { .. }));
    }
    assert!(matches!(read(place.join("r.dat")).unwrap_err(), FileError::Kind { .. }));
}

#[test]
fn no_file_before_it_is_complete() {
    let place = directory("complete");
    assert!(matches!(Output::create(place.join("no/such/r.npz")).unwrap_err(), FileError::Write { .. }));
    assert!(matches!(Output::create(place.join("r.txt")).unwrap_err(), FileError::Kind { .. }));
    std::fs::create_dir(place.join("folder.csv")).unwrap();
    assert!(matches!(Output::create(place.join("folder.csv")).unwrap_err(), FileError::Write { .. }));
    // If writing is given up, no new file is left, and an old file stays.
    std::fs::write(place.join("old.csv"), "old").unwrap();
    drop(Output::create(place.join("old.csv")).unwrap());
    assert_eq!(std::fs::read_to_string(place.join("old.csv")).unwrap(), "old");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 2);
    // A full disk.
    #[cfg(target_os = "linux")]
    for (made, format) in FORMATS.iter().enumerate() {
        let results = run(&model("pendulum.toml", &["run.until=0.02"]), Sampling::Steps(1));
        std::os::unix::fs::symlink("/dev/full", place.join(format!("full.{format}"))).unwrap();
        let error =
            Output::create(place.join(format!("full.{format}"))).unwrap().finish(&results).unwrap_err();
        assert!(matches!(error, FileError::Write { .. }) && error.to_string().contains("space"), "{error}");
        assert_eq!(std::fs::read_dir(&place).unwrap().count(), 2 + made + 1);
    }
}

struct StopAt(usize, usize);

impl Recorder for StopAt {
    fn record(&mut self, _: &Sample) {
        self.1 += 1;
    }

    fn stops(&self) -> bool {
        self.1 > self.0
    }
}

#[test]
fn a_recorder_can_stop_a_run() {
    let loaded = model("heavy_top.toml", &["run.until=1", "run.step=1e-3"]);
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut integrator = method(&loaded.settings.method, &loaded.settings.options).unwrap();
    let mut recorder = ((), StopAt(10, 0));
    let summary =
        loaded.settings.run().run(&*built.system, &mut *integrator, &mut state, &mut recorder).unwrap();
    assert_eq!((summary.steps, recorder.1.1, summary.stopped), (10, 11, true));
    assert!((summary.t_end - 0.01).abs() < 1e-15 && state.t == summary.t_end);
}
