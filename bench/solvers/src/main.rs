//! The block factorisation of precess beside a general sparse library (faer) on the same matrices, one thread
//! each, and on two threads:
//!
//! ```text
//! cargo run --release --manifest-path bench/solvers/Cargo.toml [-- faer | threads]
//! ```
//!
//! Matrices are those of an index-3 step with T = 1, `[c_m M + h^2 dv D + h^2 K, B^T; B, 0]`, of mechanisms
//! in motion and in general position; symmetric ones leave out D and K. All solvers get the entries that are
//! not zero, and right-hand sides whose solution is one everywhere. Analysis is done once and not timed, nor
//! is the placing of values before it.

mod equations;
mod general;

use std::time::Instant;

use cpu_time::ThreadTime;
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::SymmetricOrdering;
use precess::Error;

use equations::{Equations, chain, net};

/// Overwrites a right-hand side with the solution; seconds to factorise and to solve.
type Solver = Box<dyn FnMut(&mut [f64]) -> Result<[f64; 2], String>>;

/// Processor time of this thread.
fn timed<T>(f: impl FnOnce() -> T) -> (f64, T) {
    let begin = ThreadTime::now();
    let value = f();
    (begin.elapsed().as_secs_f64(), value)
}

fn blocks(equations: &Equations) -> Solver {
    let (assembled, mut work) = (equations.blocks(), Vec::new());
    Box::new(move |b| {
        let mut lu = assembled.clone();
        let (factor, outcome) = timed(|| lu.factor());
        outcome.map_err(|e| format!("{e:?}"))?;
        Ok([factor, timed(|| lu.solve(b, &mut work)).0])
    })
}

/// The solvers in turn, the best of several repeats.
fn compare(name: &str, equations: &Equations, mut solvers: Vec<(&str, Solver)>, repeats: usize) {
    let right = equations.right();
    let mut results = vec![(Ok([f64::INFINITY; 2]), Vec::new()); solvers.len()];
    for _ in 0..repeats {
        for ((_, solver), (best, x)) in solvers.iter_mut().zip(&mut results) {
            x.clone_from(&right);
            if let Ok(so_far) = *best {
                *best = solver(x).map(|[factor, solve]| [factor.min(so_far[0]), solve.min(so_far[1])]);
            }
        }
    }
    let blocks = results[0].0.clone().unwrap_or([f64::NAN; 2]);
    for ((solver, _), (best, x)) in solvers.iter().zip(&results) {
        match best {
            Ok(_) if x.iter().any(|x| x.is_nan()) => {
                println!("| {name} | {solver} | fails: not a number | | | | |")
            }
            Err(why) => println!("| {name} | {solver} | fails: {why} | | | | |"),
            Ok([factor, solve]) => {
                let (residual, error) = equations.quality(x);
                let ratio = (factor + solve) / (blocks[0] + blocks[1]);
                let (factor, solve) = (1e3 * factor, 1e3 * solve);
                println!(
                    "| {name} | {solver} | {factor:.2} | {solve:.2} | {ratio:.1} | {residual:.0e} | \
                     {error:.0e} |"
                );
            }
        }
    }
}

fn against_faer() -> Result<(), Error> {
    println!("| matrix | solver | factorise, ms | solve, ms | both, blocks = 1 | residual | error |");
    println!("|---|---|---|---|---|---|---|");
    let models = [
        ("1000 spherical", chain(1000, false), 21),
        ("1000 revolute", chain(1000, true), 21),
        ("net 32x32", net(32), 7),
        ("100 000 spherical", chain(100_000, false), 3),
    ];
    for (name, model, repeats) in models {
        let full = Equations::new(&model, false)?;
        let solvers = vec![
            ("blocks", blocks(&full)),
            ("faer LU, columns", general::lu(&full, SupernodalThreshold::FORCE_SIMPLICIAL)),
            ("faer LU, supernodes", general::lu(&full, SupernodalThreshold::FORCE_SUPERNODAL)),
        ];
        compare(name, &full, solvers, repeats);
        let symmetric = Equations::new(&model, true)?;
        let mut solvers = vec![
            ("blocks", blocks(&symmetric)),
            ("faer LDL^T, AMD", general::ldlt(&symmetric, SymmetricOrdering::Amd, false)),
            (
                "faer Bunch-Kaufman in supernodes, AMD",
                general::ldlt(&symmetric, SymmetricOrdering::Amd, true),
            ),
        ];
        let (bodies, joints) = symmetric.unknowns.split_at(model.bodies.len());
        if bodies.len() == joints.len() {
            let order: Vec<u32> =
                bodies.iter().zip(joints).flat_map(|(b, j)| b.iter().chain(j)).copied().collect();
            let mut inverse = vec![0; order.len()];
            order.iter().enumerate().for_each(|(i, u)| inverse[*u as usize] = i as u32);
            let order = SymmetricOrdering::Custom(PermRef::new_checked(&order, &inverse, order.len()));
            solvers.push(("faer LDL^T, each body before its joint", general::ldlt(&symmetric, order, false)));
        }
        compare(&format!("{name}, symmetric"), &symmetric, solvers, repeats);
    }
    Ok(())
}

/// With this many threads for large matrices.
fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads").install(work)
}

/// Long chains are factorised and solved in two halves. Threads are used in turn, the best of several
/// repeats.
fn on_threads() -> Result<(), Error> {
    println!("\nMilliseconds of wall time.\n");
    println!("| chain | threads | factorise | solve | residual | error |\n|---|---|---|---|---|---|");
    for (n, revolute) in [(10_000, false), (100_000, false), (10_000, true), (100_000, true)] {
        let equations = Equations::new(&chain(n, revolute), false)?;
        let (assembled, right, mut work) = (equations.blocks(), equations.right(), Vec::new());
        let mut best = [[f64::INFINITY; 2]; 2];
        let mut x = Vec::new();
        for _ in 0..9 {
            for (best, threads) in best.iter_mut().zip([1, 2]) {
                let mut lu = assembled.clone();
                x.clone_from(&right);
                let times = with_threads(threads, || {
                    let begin = Instant::now();
                    lu.factor().expect("a regular matrix");
                    let factor = begin.elapsed().as_secs_f64();
                    let begin = Instant::now();
                    lu.solve(&mut x, &mut work);
                    [factor, begin.elapsed().as_secs_f64()]
                });
                (0..2).for_each(|i| best[i] = times[i].min(best[i]));
            }
        }
        let (name, (residual, error)) =
            (if revolute { "revolute" } else { "spherical" }, equations.quality(&x));
        for ([factor, solve], threads) in best.map(|x| x.map(|x| 1e3 * x)).into_iter().zip([1, 2]) {
            println!("| {n} {name} | {threads} | {factor:.1} | {solve:.1} | {residual:.0e} | {error:.0e} |");
        }
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let part = std::env::args().nth(1).unwrap_or_default();
    if part != "threads" {
        // Times are those of this thread.
        with_threads(1, against_faer)?;
    }
    if part != "faer" {
        on_threads()?;
    }
    Ok(())
}
