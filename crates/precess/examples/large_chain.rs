//! The twelve lowest modes of a hanging chain by shift-invert, timed, and its matrices for others to solve:
//!
//! ```sh
//! cargo run --release -p precess --example large_chain -- 1000 chain.npz
//! python3 bench/arpack.py chain.npz
//! ```

use std::time::Instant;

use precess::analysis::Matrix;
use precess::analysis::large::lowest;
use precess::analysis::local::at_rest;
use precess::analysis::npz::{Arrays, Npz};
use precess::analysis::steady::resting_at;
use precess::formulation::Formulation;
use precess::mechanics::{Tangents, Want};
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::solve::Mat;

/// n rods of total length and mass 1, held by revolute joints about axes that turn by 90 degrees from one to
/// the next.
fn chain(n: usize) -> Model {
    let l = 1.0 / n as f64;
    let j = l * l * l / 12.0;
    let mut model = Model::new("chain").gravity([0.0, 0.0, -9.81]);
    for i in 0..n {
        let (before, name) =
            (if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let axis = if i % 2 == 0 { [0.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0] };
        let z = -(i as f64) * l;
        model = model
            .body(BodySpec::rigid(&name, l, [j, j, 0.1 * j]).at([0.0, 0.0, z - 0.5 * l]))
            .joint(JointSpec::revolute(&format!("j{i}"), [&before, &name], [0.0, 0.0, z], axis));
    }
    model
}

/// Rows, columns and values of what is not zero.
fn triplets(m: &Mat) -> Matrix {
    let mut list = Vec::new();
    m.for_blocks(|b| {
        for j in 0..b.cols {
            for i in 0..b.rows {
                let x = b.data[j * b.rows + i];
                if x != 0.0 {
                    list.extend([(b.row + i) as f64, (b.col + j) as f64, x]);
                }
            }
        }
    });
    Matrix::from_row_slice(list.len() / 3, 3, &list)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let n: usize = args.next().and_then(|n| n.parse().ok()).unwrap_or(1000);
    let built = build(&chain(n), Formulation::R3SO3)?;
    let system = &*built.system;
    let found = resting_at(system, &at_rest(system, &built.q, 0.0))?;
    let begin = Instant::now();
    let modes = lowest(system, &found.state, 12)?;
    let seconds = begin.elapsed().as_secs_f64();
    for mode in &modes {
        println!("{:.10}", mode.s.im);
    }
    println!("{n} rods, 12 modes in {seconds:.3} s");
    if let Some(file) = args.next() {
        let mut t = Tangents::of(system);
        let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: true, curvature: false };
        t.evaluate(system, &found.state.at(), want);
        let mut npz = Box::new(Npz::default());
        for (name, m) in [("M", &t.s), ("K", &t.k), ("B", &t.b)] {
            npz.matrix(name, &triplets(m))?;
        }
        std::fs::write(file, npz.finish()?)?;
    }
    Ok(())
}
