//! Random stops that events turn on and off, against closed formulas. A body slides down a tilted guide onto
//! a stop and bounces until it rests. No stop may vanish, whatever its stiffness and damping, the tolerance,
//! the method and the coordinates.
//!
//! `STOPS=600 cargo test --release -p precess --test models stops_random` runs more cases than the selection.

use precess::formulation::Formulation::{self, EulerParameters, R3SO3, SE3, TaitBryan};
use precess::integrate::{Form, Tolerance};
use precess::methods::{MethodOptions, adaptive_method, method};
use precess::model::load;
use precess::study::{AdaptiveRun, Run, Sample, Summary, larger};

use crate::model_util::start;

/// Uniform numbers in 0..1 (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        list[((self.next() * list.len() as f64) as usize).min(list.len() - 1)]
    }
}

fn cases(selected: u64) -> std::ops::Range<u64> {
    0..std::env::var("STOPS").map_or(selected, |n| n.parse().expect("STOPS is a number of cases"))
}

/// A body of mass m at the height `x` above a stop, pulled towards it by `g`.
#[derive(Clone, Copy, Debug)]
struct Slide {
    m: f64,
    k: f64,
    c: f64,
    g: f64,
    x: f64,
}

impl Slide {
    fn random(r: &mut Random, tilt: f64) -> Slide {
        let m = 10_f64.powf(r.between(-1.0, 1.0));
        let k = 10_f64.powf(r.between(4.0, 9.0));
        let ratio = 10_f64.powf(r.between(-2.0, 0.7));
        Slide { m, k, c: 2.0 * ratio * (m * k).sqrt(), g: 9.81 * tilt.cos(), x: r.between(0.2, 1.5) }
    }

    /// Height and speed at time t. In contact p = -x obeys m p'' = m g - k p - c p' until k p + c p' = 0.
    fn at(self, t: f64) -> [f64; 2] {
        let Slide { m, k, c, g, .. } = self;
        let (mut now, mut x, mut v) = (0.0, self.x, 0.0);
        loop {
            // Contact begins where x = 0, or before the body has come out, where it no longer leaves faster
            // than the damper can follow: k p + c p' = 0 again, while p' < 0.
            let out = (v + (v * v + 2.0 * g * x).max(0.0).sqrt()) / g;
            let back = 2.0 * (v - c * g / k) / g;
            let flight = if x <= 0.0 && v - g * back >= 0.0 { back } else { out };
            let after = |s: f64| [x + v * s - 0.5 * g * s * s, v - g * s];
            if now + flight >= t {
                return after(t - now);
            }
            now += flight;
            let [first, into] = after(flight).map(|x| -x);
            // u = p - mg/k from these values: p and p' after a time, for all ratios.
            let (d, squared) = (c / (2.0 * m), k / m - (c / (2.0 * m)).powi(2));
            let sunk = m * g / k;
            let after = |s: f64| {
                let (u, w) = (first - sunk, squared.abs().sqrt());
                let b = into + d * u;
                if squared > 0.0 {
                    let (sin, cos) = (w * s).sin_cos();
                    let e = (-d * s).exp();
                    let p = e * (u * cos + b / w * sin);
                    [p + sunk, e * (b * cos - u * w * sin) - d * p]
                } else {
                    // d - w without cancellation.
                    let slow = k / m / (d + w);
                    let (e_1, e_2) = ((-slow * s).exp(), (-(d + w) * s).exp());
                    let (a_1, a_2) = (0.5 * (u + b / w), 0.5 * (u - b / w));
                    [a_1 * e_1 + a_2 * e_2 + sunk, -slow * a_1 * e_1 - (d + w) * a_2 * e_2]
                }
            };
            let push = |s: f64| {
                let [p, rate] = after(s);
                k * p + c * rate
            };
            let left = t - now;
            // The first push that ends, if any: the body comes back within a period.
            let longest = if squared > 0.0 { std::f64::consts::TAU / squared.sqrt() } else { 20.0 / d };
            let n = 4000;
            let end = (1..=n).map(|i| longest * i as f64 / n as f64).find(|s| push(*s) < 0.0);
            let Some(end) = end.filter(|end| *end - longest / n as f64 <= left) else {
                let [p, rate] = after(left);
                return [-p, -rate];
            };
            let (mut a, mut b) = (end - longest / n as f64, end);
            for _ in 0..60 {
                let middle = 0.5 * (a + b);
                if push(middle) < 0.0 { b = middle } else { a = middle }
            }
            if b >= left {
                let [p, rate] = after(left);
                return [-p, -rate];
            }
            let [p, rate] = after(b);
            (now, x, v) = (now + b, -p, -rate);
        }
    }
}

/// The model: the stop may be several equal ones, at the lower or at the upper end, and another body may meet
/// its own stop at the same time.
fn model(slide: Slide, tilt: f64, parts: usize, upper: bool, twin: bool) -> String {
    let Slide { m, k, c, x, .. } = slide;
    // The guide points up, or down.
    let way = if upper { -1.0 } else { 1.0 };
    let axis = format!("[{}, 0, {}]", way * tilt.sin(), way * tilt.cos());
    let mut text = "model = { name = \"slide\", gravity = [0, 0, -9.81] }\n".to_string();
    let bodies: &[&str] = if twin { &["a", "b"] } else { &["a"] };
    for (i, body) in bodies.iter().enumerate() {
        text += &format!(
            "[[body]]\nname = \"{body}\"\nmass = {m}\ninertia = [0.1, 0.2, 0.15]\nposition = [0, {i}, \
             0]\n[[joint]]\nname = \"{body}_guide\"\ntype = \"prismatic\"\nbodies = [\"ground\", \
             \"{body}\"]\npoint = [0, {i}, 0]\naxis = {axis}\n[[sensor]]\nname = \"{body}\"\ntype = \
             \"coordinate\"\njoint = \"{body}_guide\"\n[[sensor]]\nname = \"{body}_rate\"\ntype = \
             \"rate\"\njoint = \"{body}_guide\"\n"
        );
        for part in 0..parts {
            let limits =
                if upper { format!("lower = -9\nupper = {x}") } else { format!("lower = {}\nupper = 9", -x) };
            let (k, c) = (k / parts as f64, c / parts as f64);
            text += &format!(
                "[[force]]\nname = \"{body}_stop_{part}\"\ntype = \"limit\"\njoint = \
                 \"{body}_guide\"\n{limits}\nstiffness = {k}\ndamping = {c}\nevents = true\n"
            );
        }
    }
    text
}

/// How to run.
#[derive(Clone, Copy, Debug)]
enum How {
    Tol(&'static str, f64),
    Fixed(&'static str, f64),
}

fn options() -> MethodOptions {
    MethodOptions { form: Form::StabilizedIndex2, ..MethodOptions::default() }
}

/// Runs and returns height and speed of all bodies at the end, and the lowest height at a step.
fn run(
    text: &str,
    way: f64,
    x: f64,
    formulation: Formulation,
    how: How,
    t: f64,
) -> (Summary, Vec<[f64; 2]>, f64) {
    let loaded = load("test.toml", text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut s = start(&loaded, formulation);
    let system = s.system.as_ref();
    let height = |q: f64| x + way * q;
    let read = |name: &str, state: &precess::mechanics::State| {
        precess::mechanics::sensors::read(system, name, &state.at()).unwrap()[0]
    };
    let mut lowest = f64::INFINITY;
    let mut see = |sample: &Sample| {
        let now = height(read("a", sample.state));
        assert!(now.is_finite());
        lowest = lowest.min(now);
    };
    let options = options();
    let summary = match how {
        How::Tol(name, tol) => {
            let tol = Tolerance::new(tol);
            let mut method = adaptive_method(name, &options, tol).unwrap();
            AdaptiveRun::new(tol, t).run(system, &mut *method, &mut s.state, &mut see)
        }
        How::Fixed(name, h) => {
            let mut method = method(name, &options).unwrap();
            Run::new(h, t).run(system, &mut *method, &mut s.state, &mut see)
        }
    };
    let summary = summary.unwrap_or_else(|e| panic!("{formulation:?} {how:?}: {e}\n{text}"));
    let bodies: &[&str] = if text.contains("b_guide") { &["a", "b"] } else { &["a"] };
    let end = bodies.iter().map(|b| [height(read(b, &s.state)), way * read(&format!("{b}_rate"), &s.state)]);
    (summary, end.collect(), lowest)
}

/// With a tolerance, the body is where the formulas say, after all bounces.
#[test]
fn random_stops_with_a_tolerance() {
    let mut largest = 0.0_f64;
    for seed in cases(48) {
        let mut r = Random(seed);
        let tilt = r.between(0.1, 1.4) * r.one_of(&[0.0, 0.0, 1.0]);
        let slide = Slide::random(&mut r, tilt);
        let tol = 10_f64.powf(r.between(-8.0, -4.0));
        let formulation = r.one_of(&[R3SO3, R3SO3, SE3, EulerParameters, TaitBryan]);
        let how = How::Tol(r.one_of(&["bliedf", "bliedf", "gen-alpha"]), tol);
        let (parts, upper, twin) = (r.one_of(&[1, 1, 2]), r.next() < 0.3, r.next() < 0.3);
        let t = r.between(1.0, 5.0);
        let text = model(slide, tilt, parts, upper, twin);
        let way = if upper { -1.0 } else { 1.0 };
        let (summary, end, _) = run(&text, way, slide.x, formulation, how, t);
        let wanted = slide.at(t);
        for found in end {
            let off = (found[0] - wanted[0]).abs() / tol;
            println!("{seed}: {off:.1} tol, {} steps, {slide:?} {formulation:?} {how:?}", summary.steps);
            if off > largest {
                largest = off
            }
            assert!(
                off < 1000.0,
                "{seed}: {found:?} {wanted:?}, {off} tol {slide:?} {formulation:?} {how:?}\n{text}"
            );
        }
    }
    println!("largest {largest}");
}

/// With fixed steps, however long for such a stiff stop, the body never falls through.
#[test]
fn random_stops_with_fixed_steps() {
    for seed in cases(12) {
        let mut r = Random(seed + 1_000_000);
        let slide = Slide::random(&mut r, 0.0);
        let formulation = r.one_of(&[R3SO3, SE3, EulerParameters]);
        let h = 10_f64.powf(r.between(-3.5, -2.3));
        let how = How::Fixed(r.one_of(&["gen-alpha", "bliedf"]), h);
        let upper = r.next() < 0.5;
        let way = if upper { -1.0 } else { 1.0 };
        let text = model(slide, 0.0, r.one_of(&[1, 2]), upper, false);
        let (summary, end, lowest) = run(&text, way, slide.x, formulation, how, 2.0);
        // The first contact is the deepest: a quarter of a swing, or what a step does before the stop pushes.
        let fastest = (2.0 * slide.g * slide.x).sqrt();
        let deepest = fastest * (1.1 * (slide.m / slide.k).sqrt() + 2.0 * h);
        assert!(lowest > -deepest, "{seed}: {lowest} {deepest} {slide:?} {formulation:?} {how:?}");
        // It bounces to its first height at most, or the summary says that its energy is wrong.
        let high = end[0][0] + end[0][1].powi(2) / (2.0 * slide.g);
        assert!(high < 1.5 * slide.x || summary.trust.doubt.is_some(), "{seed}: {end:?} {slide:?} {how:?}");
        assert!(!summary.events.is_empty());
    }
}

/// A bar that swings on a hinge between two stops keeps its energy less what the dampers take, and its angle.
#[test]
fn a_bar_between_two_stops() {
    for seed in cases(8) {
        let mut r = Random(seed + 2_000_000);
        let (k, tol) = (10_f64.powf(r.between(3.0, 8.0)), 10_f64.powf(r.between(-8.0, -5.0)));
        let ratio = 10_f64.powf(r.between(-2.0, 0.5));
        // A rod of 1 kg and 1 m about its end: I = 1/3.
        let c = 2.0 * ratio * (k / 3.0_f64).sqrt();
        let text = format!(
            "model = {{ name = \"bar\", gravity = [0, 0, -9.81] }}\n[[body]]\nname = \"bar\"\nmass = \
             1\ninertia = \
             [\"1/12\", \"1/12\", 1e-3]\nposition = [0, 0, 0.5]\nangular_velocity = [0, 1, \
             0]\nvelocity = [0.5, 0, \
             0]\n[[joint]]\nname = \"hinge\"\ntype = \"revolute\"\nbodies = [\"ground\", \"bar\"]\npoint = \
             [0, 0, \
             0]\naxis = \"y\"\n[[sensor]]\nname = \"angle\"\ntype = \"coordinate\"\njoint = \
             \"hinge\"\n[[force]]\nname = \"stop\"\ntype = \"limit\"\njoint = \"hinge\"\nlower = \
             -0.4\nupper = \
             0.3\nstiffness = {k}\ndamping = {c}\nevents = true\n"
        );
        let loaded = load("test.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
        let mut s = start(&loaded, R3SO3);
        let system = s.system.as_ref();
        let first = system.energy(&s.state.at()).unwrap().total();
        let mut widest = 0.0_f64;
        let mut see = |sample: &Sample| {
            let angle = precess::mechanics::sensors::read(system, "angle", &sample.state.at()).unwrap()[0];
            assert!(angle.is_finite());
            widest = larger(widest, larger(angle - 0.3, -0.4 - angle));
            // Dampers only take energy. The total counts the springs that act.
            let energy = sample.system.energy(&sample.state.at()).unwrap().total();
            assert!(energy <= first + 1e3 * tol, "{seed}: {energy} {first}");
        };
        let tolerance = Tolerance::new(tol);
        let mut method = adaptive_method("auto", &options(), tolerance).unwrap();
        let run = AdaptiveRun::new(tolerance, 4.0).run(system, &mut *method, &mut s.state, &mut see);
        let summary = run.unwrap_or_else(|e| panic!("{seed}: {e}"));
        // At the stops: I rate^2/2 = k p^2/2 + .., with rate^2 from the energy, and the weight there.
        let rate = (1.0 + 3.0 * 9.81 * (1.0 - 0.4_f64.cos())).sqrt();
        let deepest = rate / (3.0 * k).sqrt() + 2.0 * 0.5 * 9.81 * 0.4 / k;
        assert!(widest <= 1.05 * deepest + 100.0 * tol, "{seed}: {widest:e} {deepest:e}");
        assert!(!summary.events.is_empty());
    }
}

/// A stop with events decides for itself whether it acts; events of the user cannot switch it.
#[test]
fn events_of_others_cannot_switch_a_stop() {
    let slide = Slide { m: 1.0, k: 1e5, c: 10.0, g: 9.81, x: 1.0 };
    let text = model(slide, 0.0, 1, false, false)
        + "[[event]]\nname = \"off\"\nwhen = \"t > 0.2\"\naction = \"switch\"\ndisable = [\"a_stop_0\"]\n";
    let message = load("test.toml", &text, &[]).unwrap_err().to_string();
    assert!(message.contains("'a_stop_0' is a stop with events, which turn it on and off"), "{message}");
}
