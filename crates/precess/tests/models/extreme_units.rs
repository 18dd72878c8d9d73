//! The same pendulum in any units: as many steps, and the same motion; or a message that says why not.

use precess::integrate::{InitialValues, Tolerance};
use precess::methods::adaptive_method;
use precess::model::{build, load};
use precess::study::AdaptiveRun;

/// A pendulum of the length `l` and the mass `m` that begins to fall from the horizontal.
fn pendulum(l: f64, m: f64) -> String {
    let inertia = 0.01 * m * l * l;
    format!(
        "[model]\ngravity = [0, 0, -9.81]\n[[body]]\nname = \"bob\"\nmass = {m:e}\ninertia = [{inertia:e}, \
         {inertia:e}, {inertia:e}]\nposition = [{l:e}, 0, 0]\n[[joint]]\nname = \"hinge\"\ntype = \
         \"revolute\"\nbodies = [\"ground\", \"bob\"]\npoint = [0, 0, 0]\naxis = \"y\"\n"
    )
}

/// Steps and the direction of the bob after five times sqrt(l/g), or why it does not run.
fn run(l: f64, m: f64) -> Result<(usize, [f64; 2]), String> {
    let loaded = load("pendulum.toml", &pendulum(l, m), &[]).map_err(|e| e.to_string())?;
    let built = build(&loaded.model, loaded.settings.formulation).map_err(|e| e.to_string())?;
    let system = &*built.system;
    let start = InitialValues::new(&built.q, &built.v).consistent(system);
    let mut state = start.map_err(|e| e.to_string())?;
    let tolerance = Tolerance::new(1e-6);
    let mut method = adaptive_method("auto", &loaded.settings.options, tolerance).unwrap();
    let end = 5.0 * (l / 9.81_f64).sqrt();
    let summary = AdaptiveRun::new(tolerance, end).run(system, &mut *method, &mut state, &mut ());
    let summary = summary.map_err(|e| e.to_string())?;
    let x = system.bodies(&state.at())[0].position / l;
    Ok((summary.steps, [x.x, x.z]))
}

#[test]
fn a_pendulum_of_any_size_runs_or_is_refused_with_the_reason() {
    let (steps, place) = run(1.0, 1.0).unwrap();
    for (l, m) in
        [(1e-4, 1e-9), (1e-3, 1e-6), (1e6, 1e18), (1e10, 1e3), (1e13, 1.0), (1.0, 1e-12), (1.0, 1e100)]
    {
        let (n, x) = run(l, m).unwrap_or_else(|e| panic!("{l:e} m, {m:e} kg: {e}"));
        assert!(n.abs_diff(steps) <= 12, "{l:e} m, {m:e} kg: {n} steps instead of {steps}");
        let off = (x[0] - place[0]).hypot(x[1] - place[1]);
        assert!(off < 2e-6, "{l:e} m, {m:e} kg: {off:e}");
    }
    for (l, m, reason, remedy) in [
        (1e-6, 1e-15, "too small for its units", "smaller units"),
        (1e-9, 1e-24, "too small for its units", "smaller units"),
        (1.0, 1e-50, "too small for its units", "smaller units"),
        (1.0, 1e-320, "too light", "more mass"),
        (1e15, 1.0, "too large for its units", "larger units"),
        (1e30, 1.0, "too large for its units", "larger units"),
    ] {
        let said = run(l, m).unwrap_err();
        assert!(said.contains(reason) && said.contains(remedy), "{l:e} m, {m:e} kg: {said}");
    }
}
