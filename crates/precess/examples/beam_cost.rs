//! Cost of beams: `cargo run --release -p precess --example beam_cost`.
//!
//! Prints processor time per element and step of the flying spaghetti, with the error of its end at t = 10, and of a cantilever that
//! falls with 100, 1000 and 10 000 elements, which shows whether the cost is linear. With a number of elements and a kind of mass it
//! prints both numbers of that spaghetti alone: `bench/beams.py` runs it in turn with Exudyn.

use cpu_time::ProcessTime;
use precess::Simulation;
use precess::model::{Loaded, load};

const SPAGHETTI: &str = include_str!("../../../models/flexible/flying_spaghetti.toml");

const FALLING: &str = r#"
[model]
name = "falling"
gravity = [0, 0, -9.81]
[parameters]
N = 100
[[beam]]
name = "b"
from = [0, 0, 0]
to = [1, 0, 0]
elements = "N"
section = { type = "circle", radius = "5 mm" }
young = "200 GPa"
density = 7850
[[joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "b.start"]
[integrator]
method = "gen-alpha"
rho = 0.8
form = "index3"
[run]
until = 1
step = 1e-4
"#;

fn loaded(text: &str, overrides: &[String]) -> Result<Loaded, Box<dyn std::error::Error>> {
    Ok(load("beam_cost.toml", text, overrides)?)
}

/// Seconds of so many steps, after a first one that allocates.
fn steps(s: &mut Simulation, n: usize) -> Result<f64, Box<dyn std::error::Error>> {
    s.step()?;
    let start = ProcessTime::now();
    for _ in 1..n {
        s.step()?;
    }
    Ok(start.elapsed().as_secs_f64() / (n - 1) as f64)
}

/// Processor time in us per element and step of the spaghetti, and the error of its end B at t = 10 in m.
fn spaghetti(n: usize, mass: &str) -> Result<[f64; 2], Box<dyn std::error::Error>> {
    let overrides = [format!("parameters.N={n}"), format!("beam.beam.mass=\"{mass}\"")];
    let mut s = Simulation::new(loaded(SPAGHETTI, &overrides)?)?;
    let time = steps(&mut s, 2000)?;
    let end = s.body(&format!("beam.{n}"))?.position;
    let error = (end - nalgebra::Vector3::new(39.86231, 0.03404, 2.99217)).norm();
    Ok([time / n as f64 * 1e6, error])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [n, mass] = &words[..] {
        let [time, error] = spaghetti(n.parse()?, mass)?;
        println!("{time} {error}");
        return Ok(());
    }
    println!(
        "flying spaghetti, h = 0.005, 2000 steps: us per element and step, error of the end B at t = 10"
    );
    for (n, mass) in [(16, "consistent"), (32, "consistent"), (32, "lumped")] {
        let [time, error] = spaghetti(n, mass)?;
        println!("  {n:3} elements, {mass:10}  {time:8.2} us   {error:.4} m");
    }
    println!("falling cantilever, h = 1e-4: us per element and step");
    for n in [100, 1000, 10_000] {
        let mut s = Simulation::new(loaded(FALLING, &[format!("parameters.N={n}")])?)?;
        let time = steps(&mut s, 2000 / (n / 50))?;
        println!("  {n:6} elements  {:8.2} us", time / n as f64 * 1e6);
    }
    Ok(())
}
