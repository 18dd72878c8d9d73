//! The block factorisation of precess beside a general sparse library (faer) on the same matrices, one thread each, and in
//! two halves on two threads:
//!
//! ```text
//! cargo run --release --manifest-path bench/solvers/Cargo.toml [-- faer | halves]
//! ```
//!
//! Matrices are those of an index-3 step with T = 1, `[c_m M + h^2 dv D + h^2 K, B^T; B, 0]`, of mechanisms in motion and
//! in general position; symmetric ones leave out D and K. All solvers get the entries that are not zero, and right-hand
//! sides whose solution is one everywhere. Analysis is done once and not timed, nor is the placing of values before it.

mod equations;
mod general;
mod parts;

use cpu_time::ThreadTime;
use faer::perm::PermRef;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::SymmetricOrdering;
use precess::Error;

use equations::{Equations, chain, net};
use parts::Parts;

/// Overwrites a right-hand side with the solution; seconds to factorise and to solve.
type Solver = Box<dyn FnMut(&mut [f64]) -> Result<[f64; 2], String>>;

/// Processor time of this thread.
fn timed<T>(f: impl FnOnce() -> T) -> (f64, T) {
    let begin = ThreadTime::now();
    let value = f();
    (begin.elapsed().as_secs_f64(), value)
}

fn blocks(equations: &Equations) -> Solver {
    let (assembled, mut work) = (equations.blocks(|_| true).0, Vec::new());
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
                    "| {name} | {solver} | {factor:.2} | {solve:.2} | {ratio:.1} | {residual:.0e} | {error:.0e} |"
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

/// Chains cut in the middle. The border is a joint and, where joints couple their bodies directly, the body behind it with its
/// other joint. (Without that joint the rest hangs from a body that does not move, and digits are lost.)
fn in_halves() -> Result<(), Error> {
    println!("\nMilliseconds of wall time, in brackets processor time of the slower thread.\n");
    println!(
        "| chain | threads | factorise | border | solve | residual | error |\n|---|---|---|---|---|---|---|"
    );
    for (n, revolute) in [(100_000, false), (10_000, true), (100_000, true)] {
        let equations = Equations::new(&chain(n, revolute), false)?;
        let on_border = |b: usize| b == n + n / 2 || revolute && [n / 2, n + n / 2 + 1].contains(&b);
        let half = |b: usize| if on_border(b) { 2 } else { usize::from(b % n >= n / 2) };
        let solvers = [Parts::new(&equations, 1, |_| 0), Parts::new(&equations, 2, half)];
        let mut best = [[[f64::INFINITY; 2]; 3]; 2];
        let mut x = [Vec::new(), Vec::new()];
        for _ in 0..7 {
            for (i, solver) in solvers.iter().enumerate() {
                x[i] = equations.right();
                let times = solver.solve(&mut x[i]);
                for (best, time) in best[i].as_flattened_mut().iter_mut().zip(times.as_flattened()) {
                    *best = time.min(*best);
                }
            }
        }
        for (i, best) in best.iter().enumerate() {
            let [factor, border, solve] =
                best.map(|[wall, own]| format!("{:.1} ({:.1})", 1e3 * wall, 1e3 * own));
            let (name, (residual, error)) =
                (if revolute { "revolute" } else { "spherical" }, equations.quality(&x[i]));
            println!(
                "| {n} {name} | {} | {factor} | {border} | {solve} | {residual:.0e} | {error:.0e} |",
                i + 1
            );
        }
    }
    Ok(())
}

fn main() -> Result<(), Error> {
    let part = std::env::args().nth(1).unwrap_or_default();
    if part != "halves" {
        against_faer()?;
    }
    if part != "faer" {
        in_halves()?;
    }
    Ok(())
}
