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

use std::thread;
use std::time::Instant;

use cpu_time::ThreadTime;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::perm::PermRef;
use faer::prelude::Reborrow;
use faer::sparse::linalg::SupernodalThreshold;
use faer::sparse::linalg::cholesky::{CholeskySymbolicParams, SymmetricOrdering, factorize_symbolic_cholesky};
use faer::sparse::linalg::lu::{LuSymbolicParams, NumericLu, factorize_symbolic_lu};
use faer::sparse::{SparseColMat, Triplet};
use faer::{Conj, MatMut, Par, Side};
use nalgebra::{UnitQuaternion, Vector3};
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Alpha, InitialValues, Integrator, MethodOptions};
use precess::mechanics::{Tangents, Want};
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::solve::{BlockLu, DenseLu, Mat};

const H: f64 = 1e-3;

/// A coiled chain of rods with spherical or revolute joints, turned out of the planes of coordinates.
fn chain(n: usize, revolute: bool) -> Model {
    let tilt = UnitQuaternion::from_euler_angles(0.5, 0.7, 0.9);
    let (mut x, mut model) = (Vector3::zeros(), Model::new("chain").gravity([0.0, 0.0, -9.81]));
    for i in 0..n {
        let angle = std::f64::consts::TAU / 64.0 * i as f64;
        let rotation = tilt * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        let half = rotation * Vector3::x() * 0.5;
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let rod = BodySpec::rigid(&b, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        let (name, axis) = (format!("j{i}"), tilt * Vector3::y());
        let joint = match revolute {
            true => JointSpec::revolute(&name, [&a, &b], x.into(), axis.into()),
            false => JointSpec::spherical(&name, [&a, &b], x.into()),
        };
        model = model.body(rod.at((x + half).into()).rotated(rotation)).joint(joint);
        x += half * 2.0;
    }
    model
}

/// n x n bodies on a wavy surface, held to their neighbours by spherical joints, hung from one corner.
fn net(n: usize) -> Model {
    let mut model = Model::new("net").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize, j: usize| format!("b{i}_{j}");
    let place = |x: f64, y: f64| [x, y, 0.3 * (1.7 * x + 0.4).sin() * (2.3 * y + 0.9).cos()];
    for (i, j) in (0..n * n).map(|b| (b / n, b % n)) {
        let (x, y) = (i as f64, j as f64);
        let body = BodySpec::rigid(&name(i, j), 1.0, [0.1, 0.1, 0.2]).at(place(x, y));
        model = model.body(body.rotated(UnitQuaternion::from_euler_angles(0.5, 0.7, 0.9)));
        for (k, other, at) in [(i, (i.max(1) - 1, j), (x - 0.5, y)), (j, (i, j.max(1) - 1), (x, y - 0.5))] {
            if k > 0 {
                let (a, b) = (name(other.0, other.1), name(i, j));
                model = model.joint(JointSpec::spherical(&format!("{a}-{b}"), [&a, &b], place(at.0, at.1)));
            }
        }
    }
    model.joint(JointSpec::spherical("corner", ["ground", &name(0, 0)], place(-0.5, -0.5)))
}

/// A matrix, its blocks (bodies, then joints), and which blocks come before which.
struct Equations {
    unknowns: Vec<Vec<u32>>,
    before: Vec<Vec<usize>>,
    block_of: Vec<usize>,
    entries: Vec<(u32, u32, f64)>,
}

impl Equations {
    fn new(model: &Model, symmetric: bool) -> Result<Self, Error> {
        let built = build(model, Formulation::R3SO3)?;
        let system = &*built.system;
        let mut integrator = MethodOptions::default().generalized_alpha()?;
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system)?;
        integrator.start(system, &mut state, H)?;
        for _ in 0..3 {
            integrator.step(system, &mut state, H)?;
        }
        let Alpha { alpha_m, alpha_f, beta, gamma } = Alpha::from_rho(0.9)?;
        let (c_m, c_d) = ((1.0 - alpha_m) / (beta * (1.0 - alpha_f)), H * gamma / beta);
        let c_d = if symmetric { 0.0 } else { c_d };
        let mut tangents = Tangents::of(system);
        let want = Want { c_m, c_d, stiffness: !symmetric, constraint: true, curvature: false };
        tangents.evaluate(system, &state.at(), want);

        let (group, structure) = (system.group(), system.structure().expect("large models have a structure"));
        let (n, k) = (group.factors().len(), group.dim() as u32);
        let scalars = |r: std::ops::Range<usize>, by: u32| r.map(|i| i as u32 + by).collect::<Vec<u32>>();
        let mut unknowns: Vec<_> = (0..n).map(|i| scalars(group.v_range(i), 0)).collect();
        let mut before = vec![Vec::new(); n];
        unknowns.extend(structure.constraints.iter().map(|c| scalars(c.rows.clone(), k)));
        before.extend(structure.constraints.iter().map(|c| c.factors.clone()));
        let mut block_of = vec![0; unknowns.iter().map(Vec::len).sum()];
        for (b, list) in unknowns.iter().enumerate() {
            list.iter().for_each(|u| block_of[*u as usize] = b);
        }
        let mut entries = Vec::new();
        let mut add = |mat: &Mat, weight: f64, row: u32, transpose: bool| {
            mat.for_blocks(|b| {
                for (at, x) in b.data.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    let (i, j) = (row + (b.row + at % b.rows) as u32, (b.col + at / b.rows) as u32);
                    entries.push(if transpose { (j, i, weight * x) } else { (i, j, weight * x) });
                }
            });
        };
        add(&tangents.s, 1.0, 0, false);
        if !symmetric {
            add(&tangents.k, H * H, 0, false);
        }
        add(&tangents.b, 1.0, k, false);
        add(&tangents.b, 1.0, k, true);
        Ok(Equations { unknowns, before, block_of, entries })
    }

    fn len(&self) -> usize {
        self.block_of.len()
    }

    /// Equations of some of the blocks, with the unknowns they are about.
    fn blocks(&self, keep: impl Fn(usize) -> bool) -> (BlockLu, Vec<u32>) {
        let kept: Vec<usize> = (0..self.unknowns.len()).filter(|b| keep(*b)).collect();
        let scalars: Vec<u32> = kept.iter().flat_map(|b| self.unknowns[*b].iter().copied()).collect();
        let (mut local, mut place) = (vec![0; self.len()], vec![usize::MAX; self.unknowns.len()]);
        scalars.iter().enumerate().for_each(|(i, u)| local[*u as usize] = i as u32);
        kept.iter().enumerate().for_each(|(i, b)| place[*b] = i);
        let of = |i: u32| place[self.block_of[i as usize]];
        let inside: Vec<_> =
            self.entries.iter().filter(|(i, j, _)| of(*i) != usize::MAX && of(*j) != usize::MAX).collect();
        let mut pairs: Vec<_> = inside.iter().map(|(i, j, _)| (of(*i).min(of(*j)), of(*i).max(of(*j)))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let unknowns = kept.iter().map(|b| self.unknowns[*b].iter().map(|u| local[*u as usize]).collect()).collect();
        let before: Vec<Vec<usize>> = kept
            .iter()
            .map(|b| self.before[*b].iter().map(|c| place[*c]).filter(|c| *c != usize::MAX).collect())
            .collect();
        let mut lu = BlockLu::new(unknowns, &before, &pairs);
        for (i, j, x) in inside {
            lu.add(local[*i as usize] as usize, local[*j as usize] as usize, 1, *x, &[1.0]);
        }
        (lu, scalars)
    }

    fn sparse(&self) -> SparseColMat<u32, f64> {
        let triplets: Vec<_> = self.entries.iter().map(|(i, j, x)| Triplet::new(*i, *j, *x)).collect();
        SparseColMat::try_new_from_triplets(self.len(), self.len(), &triplets).expect("entries")
    }

    fn right(&self) -> Vec<f64> {
        let mut b = vec![0.0; self.len()];
        self.entries.iter().for_each(|(i, _, x)| b[*i as usize] += x);
        b
    }

    /// |b - A x| / (|A| |x|) in the maximum norm, and the error of x.
    fn quality(&self, x: &[f64]) -> (f64, f64) {
        let largest = |v: &[f64]| v.iter().fold(0.0, |s, x| if x.abs() <= s { s } else { x.abs() });
        let (mut residual, mut size) = (self.right(), vec![0.0; self.len()]);
        for (i, j, a) in &self.entries {
            residual[*i as usize] -= a * x[*j as usize];
            size[*i as usize] += a.abs();
        }
        let errors: Vec<f64> = x.iter().map(|x| x - 1.0).collect();
        (largest(&residual) / (largest(&size) * largest(x)), largest(&errors))
    }
}

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

fn faer_lu(equations: &Equations, threshold: SupernodalThreshold) -> Solver {
    let (a, par) = (equations.sparse(), Par::Seq);
    let params = LuSymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    let symbolic = factorize_symbolic_lu(a.symbolic(), params).expect("memory");
    let room = symbolic.factorize_numeric_lu_scratch::<f64>(par, Default::default());
    let mut room = MemBuffer::new(room.or(symbolic.solve_in_place_scratch::<f64>(1, par)));
    let mut numeric = NumericLu::new();
    Box::new(move |b| {
        let (stack, n) = (MemStack::new(&mut room), b.len());
        let (factor, lu) =
            timed(|| symbolic.factorize_numeric_lu(&mut numeric, a.rb(), par, stack, Default::default()));
        let (lu, x) = (lu.map_err(|e| e.to_string())?, MatMut::from_column_major_slice_mut(b, n, 1));
        Ok([factor, timed(|| lu.solve_in_place_with_conj(Conj::No, x, par, stack)).0])
    })
}

/// LDL^T without interchanges, or with those of Bunch and Kaufman inside of supernodes.
fn faer_ldlt(equations: &Equations, order: SymmetricOrdering<u32>, bunch_kaufman: bool) -> Solver {
    let (a, par, n) = (equations.sparse(), Par::Seq, equations.len());
    let threshold =
        if bunch_kaufman { SupernodalThreshold::FORCE_SUPERNODAL } else { SupernodalThreshold::AUTO };
    let params = CholeskySymbolicParams { supernodal_flop_ratio_threshold: threshold, ..Default::default() };
    let symbolic = factorize_symbolic_cholesky(a.symbolic(), Side::Lower, order, params).expect("memory");
    let room = symbolic.factorize_numeric_ldlt_scratch::<f64>(par, Default::default());
    let room = room.or(symbolic.factorize_numeric_intranode_lblt_scratch::<f64>(par, Default::default()));
    let mut room = MemBuffer::new(room.or(symbolic.solve_in_place_scratch::<f64>(1, par)));
    let (mut l, mut beside) = (vec![0.0; symbolic.len_val()], vec![0.0; n]);
    let (mut forward, mut inverse) = (vec![0_u32; n], vec![0_u32; n]);
    Box::new(move |b| {
        let (stack, a) = (MemStack::new(&mut room), a.rb());
        let x = MatMut::from_column_major_slice_mut(b, n, 1);
        if bunch_kaufman {
            let (beside, forward, inverse) = (&mut beside, &mut forward, &mut inverse);
            let (factor, lblt) = timed(|| {
                symbolic.factorize_numeric_intranode_lblt(
                    &mut l,
                    beside,
                    forward,
                    inverse,
                    a,
                    Side::Lower,
                    par,
                    stack,
                    Default::default(),
                )
            });
            return Ok([factor, timed(|| lblt.solve_in_place_with_conj(Conj::No, x, par, stack)).0]);
        }
        let none = Default::default();
        let (factor, ldlt) = timed(|| {
            symbolic.factorize_numeric_ldlt(&mut l, a, Side::Lower, none, par, stack, Default::default())
        });
        let ldlt = ldlt.map_err(|e| format!("{e:?}"))?;
        Ok([factor, timed(|| ldlt.solve_in_place_with_conj(Conj::No, x, par, stack)).0])
    })
}

/// The solvers in turn, the best of several repeats.
fn compare(name: &str, equations: &Equations, mut solvers: Vec<(&str, Solver)>, repeats: usize) {
    let right = equations.right();
    let mut results = vec![(Ok([f64::INFINITY; 2]), Vec::new()); solvers.len()];
    for _ in 0..repeats {
        for ((_, solver), (best, x)) in solvers.iter_mut().zip(&mut results) {
            x.clone_from(&right);
            *best = match (&*best, solver(x)) {
                (Ok(best), Ok(time)) => Ok([time[0].min(best[0]), time[1].min(best[1])]),
                (_, failed) => failed,
            };
        }
    }
    let blocks = results[0].0.clone().unwrap_or([f64::NAN; 2]);
    for ((solver, _), (best, x)) in solvers.iter().zip(&results) {
        match best {
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
            ("faer LU, columns", faer_lu(&full, SupernodalThreshold::FORCE_SIMPLICIAL)),
            ("faer LU, supernodes", faer_lu(&full, SupernodalThreshold::FORCE_SUPERNODAL)),
        ];
        compare(name, &full, solvers, repeats);
        let symmetric = Equations::new(&model, true)?;
        let mut solvers = vec![
            ("blocks", blocks(&symmetric)),
            ("faer LDL^T, AMD", faer_ldlt(&symmetric, SymmetricOrdering::Amd, false)),
            ("faer Bunch-Kaufman in supernodes, AMD", faer_ldlt(&symmetric, SymmetricOrdering::Amd, true)),
        ];
        let (bodies, joints) = symmetric.unknowns.split_at(model.bodies.len());
        if bodies.len() == joints.len() {
            let order: Vec<u32> = bodies.iter().zip(joints).flat_map(|(b, j)| b.iter().chain(j)).copied().collect();
            let mut inverse = vec![0; order.len()];
            order.iter().enumerate().for_each(|(i, u)| inverse[*u as usize] = i as u32);
            let order = SymmetricOrdering::Custom(PermRef::new_checked(&order, &inverse, order.len()));
            solvers.push(("faer LDL^T, each body before its joint", faer_ldlt(&symmetric, order, false)));
        }
        compare(&format!("{name}, symmetric"), &symmetric, solvers, repeats);
    }
    Ok(())
}

/// The equations on one side of a cut.
#[derive(Clone)]
struct Half {
    lu: BlockLu,
    unknowns: Vec<u32>,
    /// Columns of the border, then A^-1 times them.
    columns: Vec<Vec<f64>>,
    /// Rows of the border: (row, unknown, entry).
    rows: Vec<(usize, usize, f64)>,
    x: Vec<f64>,
    work: Vec<f64>,
}

/// Wall time, and processor time of the slower thread.
fn both(halves: &mut [Half; 2], f: impl Fn(&mut Half) + Sync) -> [f64; 2] {
    let (begin, f) = (Instant::now(), &f);
    let times = thread::scope(|s| {
        halves.each_mut().map(|half| s.spawn(move || timed(|| f(half)).0)).map(|t| t.join().expect("no panic"))
    });
    [begin.elapsed().as_secs_f64(), times[0].max(times[1])]
}

fn in_halves() -> Result<(), Error> {
    println!("| chain of 100 000 | solver | factorise, ms | border, ms | solve, ms | all | residual | error |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, revolute) in [("spherical", false), ("revolute", true)] {
        let n = 100_000;
        let equations = Equations::new(&chain(n, revolute), false)?;
        // The border: a joint and, where joints couple their bodies directly, the body behind it.
        let cut = n / 2;
        let on_border = |b: usize| b == n + cut || revolute && b == cut;
        let border: Vec<u32> =
            (0..2 * n).filter(|b| on_border(*b)).flat_map(|b| equations.unknowns[b].clone()).collect();
        let (right, whole, k) = (equations.right(), equations.blocks(|_| true).0, border.len());
        let mut place = vec![(2, 0); equations.len()];
        border.iter().enumerate().for_each(|(i, u)| place[*u as usize] = (2, i));
        let mut assembled = [0, 1].map(|side| {
            let (lu, unknowns) = equations.blocks(|b| usize::from(b % n >= cut) == side && !on_border(b));
            unknowns.iter().enumerate().for_each(|(i, u)| place[*u as usize] = (side, i));
            let columns = vec![vec![0.0; unknowns.len()]; k];
            Half { lu, columns, rows: Vec::new(), x: Vec::new(), unknowns, work: Vec::new() }
        });
        let mut corner = Mat::zeros(k, k);
        for &(i, j, x) in &equations.entries {
            match (place[i as usize], place[j as usize]) {
                ((2, i), (2, j)) => corner.add_entry(i, j, x),
                ((side, i), (2, j)) => assembled[side].columns[j][i] += x,
                ((2, i), (side, j)) => assembled[side].rows.push((i, j, x)),
                _ => {}
            }
        }

        let mut best = [[f64::INFINITY; 3]; 3];
        let (mut x, mut work) = ([vec![], vec![0.0; equations.len()]], Vec::new());
        for _ in 0..5 {
            let mut lu = whole.clone();
            let begin = Instant::now();
            lu.factor().expect("regular");
            let factor = begin.elapsed().as_secs_f64();
            x[0].clone_from(&right);
            let begin = Instant::now();
            lu.solve(&mut x[0], &mut work);
            let mut times = [[factor, 0.0, begin.elapsed().as_secs_f64()], [0.0; 3], [0.0; 3]];
            drop(lu);

            let mut halves = assembled.clone();
            let mut note = |phase: usize, [wall, thread]: [f64; 2]| {
                times[1][phase] += wall;
                times[2][phase] += thread;
            };
            note(0, both(&mut halves, |half| half.lu.factor().expect("regular")));
            let time = both(&mut halves, |half| {
                half.columns.iter_mut().for_each(|column| half.lu.solve(column, &mut half.work));
            });
            note(1, time);
            let mut schur = DenseLu::new(k);
            schur.matrix_mut().copy_from(&corner);
            for (half, j) in halves.iter().flat_map(|half| (0..k).map(move |j| (half, j))) {
                for &(row, u, a) in &half.rows {
                    schur.matrix_mut().add_entry(row, j, -a * half.columns[j][u]);
                }
            }
            schur.factor().expect("regular");
            let time = both(&mut halves, |half| {
                half.x = half.unknowns.iter().map(|u| right[*u as usize]).collect();
                half.lu.solve(&mut half.x, &mut half.work);
            });
            note(2, time);
            let mut middle: Vec<f64> = border.iter().map(|u| right[*u as usize]).collect();
            for half in &halves {
                half.rows.iter().for_each(|&(row, u, a)| middle[row] -= a * half.x[u]);
            }
            schur.solve(&mut middle);
            let time = both(&mut halves, |half| {
                for (column, y) in half.columns.iter().zip(&middle) {
                    half.x.iter_mut().zip(column).for_each(|(x, c)| *x -= c * y);
                }
            });
            note(2, time);
            for (u, y) in border.iter().zip(&middle) {
                x[1][*u as usize] = *y;
            }
            for half in &halves {
                half.unknowns.iter().zip(&half.x).for_each(|(u, y)| x[1][*u as usize] = *y);
            }
            for (best, time) in best.as_flattened_mut().iter_mut().zip(times.as_flattened()) {
                *best = time.min(*best);
            }
        }
        let solvers = ["one thread", "two halves, wall time", "two halves, processor time of the slower thread"];
        for (i, (solver, times)) in solvers.iter().zip(best).enumerate() {
            let ([factor, border, solve], (residual, error)) =
                (times.map(|t| 1e3 * t), equations.quality(&x[i.min(1)]));
            let all = factor + border + solve;
            println!(
                "| {name} | {solver} | {factor:.1} | {border:.1} | {solve:.1} | {all:.1} | {residual:.0e} | {error:.0e} |"
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
