//! Random four-bars that circulate through positions where all bars are in line, with three redundant rows.
//! Their energy stays, or the run says that it did not: what open joints pump into the motion is an error.
//!
//! `FOUR_BARS=400 cargo test --release -p precess --test runs four_bars_random` runs more cases than the
//! selection.

use precess::integrate::InitialValues;
use precess::methods::adaptive_method;
use precess::model::{build, load};
use precess::study::Summary;

/// Uniform numbers (splitmix64).
struct Random(u64);

impl Random {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        low + (high - low) * (((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

/// A four-bar in the plane y = 0 whose shortest and longest bar are as long together as the other two, so that
/// all bars come into line: crank, coupler and rocker with hinges that all have five rows.
fn four_bar(random: &mut Random) -> String {
    let (a, b) = (random.between(0.3, 1.0), random.between(0.0, 0.8));
    // crank + ground = coupler + rocker, crank + coupler = ground + rocker, or crank + rocker = the others.
    let [crank, coupler, rocker, ground] = match random.between(0.0, 3.0) as usize {
        0 => [a, a + b, a, a + b],
        1 => [a, a, a + b, a + b],
        _ => [a, a + 0.5 * b, a + b, a + 0.5 * b],
    };
    let angle: f64 = random.between(0.5, 2.0);
    let rate = random.between(6.0, 12.0);
    let pin = [crank * angle.cos(), crank * angle.sin()];
    let (dx, dz) = (ground - pin[0], -pin[1]);
    let reach = dx.hypot(dz);
    let bend =
        ((coupler * coupler + reach * reach - rocker * rocker) / (2.0 * coupler * reach)).clamp(-1.0, 1.0);
    let along = dz.atan2(dx) + bend.acos();
    let tip = [pin[0] + coupler * along.cos(), pin[1] + coupler * along.sin()];
    // Velocities: those of the pin, and those of the tip from both sides.
    let v_pin = [-rate * pin[1], rate * pin[0]];
    let (cx, cz, rx, rz) = (tip[0] - pin[0], tip[1] - pin[1], tip[0] - ground, tip[1]);
    let det = cz * rx - rz * cx;
    let [turn_c, turn_r] = [(v_pin[0] * rx + v_pin[1] * rz) / det, (v_pin[0] * cx + v_pin[1] * cz) / det];
    let v_tip = [-turn_r * rz, turn_r * rx];
    let mut text = "[model]\ngravity = [0, 0, -9.81]\n".to_string();
    let mut bar = |name: &str, from: [f64; 2], to: [f64; 2], turn: f64, speeds: [[f64; 2]; 2]| {
        let (x, z) = (to[0] - from[0], to[1] - from[1]);
        let (mass, length) = (random.between(0.5, 2.0), x.hypot(z));
        let inertia = mass * length * length / 12.0;
        text += &format!(
            "[[body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [1e-3, {inertia}, {inertia}]\nposition = [{}, 0, \
             {}]\nrotation = {{ axis = \"y\", angle = {} }}\nvelocity = [{}, 0, {}]\nangular_velocity = [0, {}, \
             0]\n",
            0.5 * (from[0] + to[0]),
            0.5 * (from[1] + to[1]),
            -z.atan2(x),
            0.5 * (speeds[0][0] + speeds[1][0]),
            0.5 * (speeds[0][1] + speeds[1][1]),
            -turn
        );
    };
    bar("crank", [0.0; 2], pin, rate, [[0.0; 2], v_pin]);
    bar("coupler", pin, tip, turn_c, [v_pin, v_tip]);
    bar("rocker", [ground, 0.0], tip, turn_r, [[0.0; 2], v_tip]);
    for (name, a, b, x, z) in [
        ("O", "ground", "crank", 0.0, 0.0),
        ("A", "crank", "coupler", pin[0], pin[1]),
        ("B", "coupler", "rocker", tip[0], tip[1]),
        ("D", "ground", "rocker", ground, 0.0),
    ] {
        text += &format!(
            "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\npoint = [{x}, 0, \
             {z}]\naxis = [0, 1, 0]\n"
        );
    }
    text + "[run]\nuntil = 3\n"
}

/// The summary of a run, and whether it claims to be right.
fn run(text: &str, tol: f64) -> (Summary, bool) {
    let loaded =
        load("four_bar.toml", text, &[format!("integrator.tol={tol:e}")]).unwrap_or_else(|e| panic!("{e}"));
    let s = &loaded.settings;
    let built = build(&loaded.model, s.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut method = adaptive_method(&s.method, &s.options, s.tolerance.unwrap()).unwrap();
    match s.adaptive_run().unwrap().run(&*built.system, &mut *method, &mut state, &mut ()) {
        Ok(summary) => {
            let trusted = summary.trust.wrong().is_none();
            (summary, trusted)
        }
        Err(failure) => (failure.summary, false),
    }
}

#[test]
fn four_bars_that_circulate_keep_their_energy_or_say_so() {
    let cases = std::env::var("FOUR_BARS").map_or(12, |n| n.parse().expect("FOUR_BARS is a number of cases"));
    let mut trusted = 0;
    for case in 0..cases {
        let mut random = Random(case);
        let text = four_bar(&mut random);
        let tol = [1e-5, 1e-8][case as usize % 2];
        let (summary, claims) = run(&text, tol);
        let exchanged = summary.trust.exchanged.unwrap();
        let (drift, said) = (summary.energy_drift.unwrap() / exchanged, summary.trust.energy.unwrap());
        // The balance sees what happened to the energy, whoever did it.
        assert!(drift <= said + 100.0 * tol, "{case}, {tol:e}: {drift:e}, but the balance says {said:e}");
        if claims {
            assert!(drift < 3e3 * tol, "{case}, {tol:e}: {drift:e}");
            trusted += 1;
        }
    }
    assert!(10 * trusted >= 7 * cases, "only {trusted} of {cases} runs can be trusted");
}
