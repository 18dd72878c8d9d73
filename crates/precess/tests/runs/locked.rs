//! Drives that run a mechanism into a lock end soon, with the joints that hold it; those that turn back in
//! time pass.

use precess::Error;
use precess::formulation::Formulation::R3SO3;
use precess::integrate::{Form, Tolerance};
use precess::methods::{MethodOptions, adaptive_method};
use precess::study::{AdaptiveRun, Failure, Summary};

use crate::model_util::{load_text, start};

/// A slider-crank, r = 0.1 m and l = 0.3 m, with the crank upright. The wrist turns about `wrist`; a drive
/// moves the guide or the crank.
fn slider_crank(wrist: &str, guide: &str, crank: &str) -> String {
    let body = |name: &str, mass: f64, shape: &str| {
        format!("[[body]]\nname = \"{name}\"\nmass = {mass}\nposition = \"B\"\nshape = {shape}\n")
    };
    let rod = |from: &str, to: &str| {
        format!("{{ type = \"rod\", radius = 0.01, from = \"{from}\", to = \"{to}\" }}")
    };
    let joint = |name: &str, kind: &str, bodies: &str, more: &str| {
        format!("[[joint]]\nname = \"{name}\"\n{kind}\nbodies = {bodies}\n{more}\n")
    };
    let hinge = "type = \"revolute\"\naxis = \"y\"";
    [
        "[model]\ngravity = [0, 0, -9.81]\n[points]\nO = [0, 0, 0]\nA = [0, 0, 0.1]\nB = [\"sqrt(0.08)\", \
         0, 0]\n"
            .to_string(),
        body("crank", 1.0, &rod("O", "A")).replace("position = \"B\"\n", ""),
        body("rod", 2.0, &rod("A", "B")).replace("position = \"B\"\n", ""),
        body("slider", 3.0, "{ type = \"box\", size = [0.05, 0.05, 0.05] }"),
        joint("crank", hinge, "[\"ground\", \"crank\"]", &format!("point = \"O\"\n{crank}")),
        joint("pin", hinge, "[\"crank\", \"rod\"]", "point = \"A\""),
        joint("wrist", wrist, "[\"rod\", \"slider\"]", "point = \"B\""),
        joint(
            "guide",
            "type = \"prismatic\"\naxis = \"x\"",
            "[\"ground\", \"slider\"]",
            &format!("point = \"B\"\n{guide}"),
        ),
    ]
    .concat()
}

fn run(text: &str, tol: f64) -> Result<Summary, Box<Failure>> {
    let mut s = start(&load_text(text), R3SO3);
    let tol = Tolerance::new(tol);
    let options = MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() };
    let mut method = adaptive_method("auto", &options, tol).unwrap();
    AdaptiveRun::new(tol, 1.0).run(s.system.as_ref(), &mut *method, &mut s.state, &mut ())
}

/// The guide is pulled out at 0.2 m/s: crank and rod are in line at 0.4 m, after (0.4 - sqrt(0.08))/0.2 s.
#[test]
fn a_dead_point_is_named() {
    let text = slider_crank("type = \"spherical\"", "drive = \"0.2*t\"", "");
    let end = (0.4 - 0.08_f64.sqrt()) / 0.2;
    for tol in [1e-4, 1e-6, 1e-7, 1e-8] {
        let failure = run(&text, tol).unwrap_err();
        let Error::OutOfReach { t, drive, .. } = &failure.error else { panic!("{failure}") };
        assert!(drive.contains("guide") && *t < end && end - t < 5e-3, "{tol}: {t} {end}");
        // A free swing to 0.5 s takes up to 300 steps.
        assert!(failure.summary.steps <= 500, "{tol}: {}", failure.summary.steps);
    }
}

/// The wrist turns about the wrong axis: nothing can move, though a rank of the first position says
/// otherwise.
#[test]
fn a_locked_mechanism_is_named() {
    let text = slider_crank("type = \"revolute\"\naxis = \"x\"", "", "drive = \"2*pi*t\"");
    for tol in [1e-5, 1e-6, 1e-7, 1e-8] {
        let failure = run(&text, tol).unwrap_err();
        let Error::OutOfReach { t, drive, .. } = &failure.error else { panic!("{tol}: {failure}") };
        assert!(drive.contains("crank") && *t < 1e-3, "{tol}: {t}");
        assert!(failure.summary.steps <= 500, "{tol}: {}", failure.summary.steps);
    }
}

/// A drive that turns back 7 um and 7 nm before the dead point moves on, however short its steps are there.
#[test]
fn drives_may_turn_back_at_a_dead_point() {
    for amplitude in ["0.117", "0.11715", "0.11715728"] {
        let text = slider_crank("type = \"spherical\"", &format!("drive = \"{amplitude}*sin(pi*t)\""), "");
        for tol in [1e-6, 1e-8] {
            run(&text, tol).unwrap_or_else(|e| panic!("{amplitude} {tol}: {e}"));
        }
    }
}
