//! Random events of an oscillator against its closed formula: all of them, at their times, and no others.
//!
//! `EVENTS=400 cargo test --release -p precess --test runs events_random` runs more cases than the selection.

use std::f64::consts::TAU;

use precess::integrate::InitialValues;
use precess::methods::adaptive_method;
use precess::model::{build, load};

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

/// Times in (0, end) at which cos(omega t + phase) passes `level`, rising or falling.
fn crossings(omega: f64, phase: f64, level: f64, rising: bool, end: f64) -> Vec<f64> {
    // The cosine falls at acos(level) and rises at -acos(level).
    let angle = if rising { -level.acos() } else { level.acos() };
    let first = ((angle - phase) / TAU).ceil();
    (0..)
        .map(|k| (angle - phase + (f64::from(k) - first) * TAU) / omega)
        .skip_while(|t| *t <= 0.0)
        .take_while(|t| *t < end)
        .collect()
}

#[test]
fn random_events_of_an_oscillator() {
    let cases = std::env::var("EVENTS").map_or(30, |n| n.parse().expect("EVENTS is a number of cases"));
    for case in 0..cases {
        let mut random = Random(case);
        let amplitude = 10_f64.powf(random.between(-2.0, 1.0));
        let omega = 10_f64.powf(random.between(-1.0, 2.0));
        let phase = random.between(-3.0, 3.0);
        let mass = 10_f64.powf(random.between(-1.0, 1.0));
        let end = random.between(2.0, 8.0) * TAU / omega;
        let tol = 10_f64.powf(random.between(-8.0, -4.0));
        let levels: Vec<(f64, bool)> =
            (0..3).map(|_| (random.between(-0.97, 0.97), random.between(0.0, 1.0) < 0.5)).collect();
        let mut text = format!(
            "[[body]]\nname = \"a\"\nmass = {mass:e}\ninertia = [1, 1, 1]\nposition = [{:e}, 0, 0]\nvelocity = [{:e}, 0, \
             0]\n[[joint]]\nname = \"rail\"\ntype = \"prismatic\"\nbodies = [\"ground\", \"a\"]\npoint = [0, 0, \
             0]\naxis = [1, 0, 0]\n[[sensor]]\nname = \"place\"\ntype = \"position\"\nbody = \"a\"\n[[force]]\nname \
             = \"spring\"\ntype = \"joint-spring\"\njoint = \"rail\"\nstiffness = {:e}\nrest = {:e}\n[run]\nuntil = \
             {end:e}\n[integrator]\ntol = {tol:e}\n",
            amplitude * phase.cos(),
            -amplitude * omega * phase.sin(),
            mass * omega * omega,
            // Coordinates are zero at the beginning.
            -amplitude * phase.cos(),
        );
        for (i, (level, rising)) in levels.iter().enumerate() {
            let sign = if *rising { ">" } else { "<" };
            text += &format!(
                "[[event]]\nname = \"e{i}\"\nwhen = \"place.x {sign} {:e}\"\naction = \"record\"\n",
                amplitude * level
            );
        }
        let loaded = load("oscillator.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let s = &loaded.settings;
        let built = build(&loaded.model, s.formulation).unwrap();
        let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let mut method = adaptive_method(&s.method, &s.options, s.tolerance.unwrap()).unwrap();
        let run = s.adaptive_run().unwrap();
        let summary = run
            .run(&*built.system, &mut *method, &mut state, &mut ())
            .unwrap_or_else(|e| panic!("{case}: {e}"));
        for (i, (level, rising)) in levels.iter().enumerate() {
            let name = format!("e{i}");
            let found: Vec<f64> = summary.events.iter().filter(|e| e.event == name).map(|e| e.t).collect();
            let expected = crossings(omega, phase, *level, *rising, end);
            assert_eq!(found.len(), expected.len(), "{case} {name}: {found:?} for {expected:?}");
            // An error of the position becomes one of the time, divided by the speed.
            let speed = (1.0 - level * level).sqrt();
            for (t, e) in found.iter().zip(&expected) {
                let off = (t - e).abs() * omega * speed;
                assert!(off < 300.0 * tol.max(1e-9), "{case} {name}: {t} for {e}, {off:e} at {tol:e}");
            }
        }
    }
}
