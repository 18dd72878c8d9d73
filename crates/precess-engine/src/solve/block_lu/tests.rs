//! Random equations on chains, nets and graphs.

use super::*;
use nalgebra::{DMatrix, DVector};
use precess_lie::{Largest, larger};
use proptest::prelude::*;

proptest! {
    /// Solves random graphs of random blocks and compares with a dense solution.
    #[test]
    fn agrees_with_dense_lu(
        dims in proptest::collection::vec(1usize..5, 2..8),
        edges in proptest::collection::vec((0usize..8, 0usize..8), 0..12),
        seed in proptest::collection::vec(-1.0f64..1.0, 40 * 40 + 40),
    ) {
        let n_blocks = dims.len();
        let edges: Vec<(usize, usize)> =
            edges.into_iter().filter(|e| e.0 < n_blocks && e.1 < n_blocks).collect();
        let n: usize = dims.iter().sum();
        // Each unknown goes to the next block in turn, so blocks are not contiguous ranges of scalars.
        let mut unknowns: Vec<Vec<u32>> = vec![Vec::new(); n_blocks];
        let mut next = 0u32;
        while (next as usize) < n {
            for b in 0..n_blocks {
                if unknowns[b].len() < dims[b] {
                    unknowns[b].push(next);
                    next += 1;
                }
            }
        }
        let mut lu = BlockLu::new(unknowns.clone(), &vec![Vec::new(); n_blocks], &edges);
        let mut dense = DMatrix::<f64>::zeros(n, n);
        let all: Vec<(usize, usize)> =
            (0..n_blocks)
                .map(|i| (i, i))
                .chain(edges.iter().copied())
                .chain(edges.iter().map(|e| (e.1, e.0)))
                .collect();
        let mut k = 0;
        for (i, j) in all {
            for &r in &unknowns[i] {
                for &c in &unknowns[j] {
                    let x = seed[k % seed.len()] + if r == c { 4.0 } else { 0.0 };
                    k += 1;
                    lu.add(r as usize, c as usize, 1, 1.0, &[x]);
                    dense[(r as usize, c as usize)] += x;
                }
            }
        }
        let b = DVector::from_fn(n, |i, _| seed[seed.len() - 1 - i]);
        lu.factor().unwrap();
        let mut x = b.as_slice().to_vec();
        lu.solve(&mut x, &mut Vec::new());
        let residual = (&dense * DVector::from_vec(x.clone()) - &b).largest();
        let size = x.iter().fold(1.0, |s, x| larger(s, x.abs()));
        prop_assert!(residual < 1e-9 * size, "{residual} {size}");
        let mut x = b.as_slice().to_vec();
        lu.solve_transposed(&mut x, &mut Vec::new());
        let size = 1.0 + x.iter().map(|x| x.abs()).sum::<f64>();
        let residual = dense.transpose() * DVector::from_vec(x) - &b;
        prop_assert!(residual.iter().all(|r| r.abs() < 1e-9 * size), "transposed: {residual} {size}");
    }
}

type Graph = (Vec<Vec<u32>>, Vec<Vec<usize>>, Vec<(usize, usize)>);

/// A square net of bodies with joints between neighbours and one joint to the ground. Joints have a zero
/// diagonal. Returns the unknowns, the blocks that come before each block, and the coupled pairs.
fn net(n: usize, dims: (u32, u32)) -> Graph {
    let mut next = 0;
    let mut take = |dim: u32| {
        next += dim;
        (next - dim..next).collect::<Vec<u32>>()
    };
    let mut unknowns: Vec<Vec<u32>> = (0..n * n).map(|_| take(dims.0)).collect();
    let mut before = vec![Vec::new(); n * n];
    let mut pairs = Vec::new();
    let across = (0..n * n).filter(|b| b % n > 0).map(|b| vec![b - 1, b]);
    let down = (n..n * n).map(|b| vec![b - n, b]);
    for bodies in across.chain(down).chain([vec![0]]) {
        pairs.extend(bodies.iter().map(|&b| (b, unknowns.len())));
        unknowns.push(take(dims.1));
        before.push(bodies);
    }
    (unknowns, before, pairs)
}

/// A chain of bodies with joints between neighbours. If `curved`, each is also coupled with the next body.
fn chain(n: usize, joint: u32, curved: bool) -> Graph {
    let mut next = 0;
    let mut take = |dim: u32| {
        next += dim;
        (next - dim..next).collect::<Vec<u32>>()
    };
    let mut unknowns: Vec<Vec<u32>> = (0..n).map(|_| take(6)).collect();
    let mut before = vec![Vec::new(); n];
    let mut pairs = Vec::new();
    for i in 0..n {
        let bodies = if i == 0 { vec![0] } else { vec![i - 1, i] };
        if curved && i > 0 {
            pairs.push((i - 1, i));
        }
        pairs.extend(bodies.iter().map(|&b| (b, unknowns.len())));
        unknowns.push(take(joint));
        before.push(bodies);
    }
    (unknowns, before, pairs)
}

/// Solves random equations of this structure. The large entries of bodies are `shift` rows away from the
/// diagonal, and joints have a zero diagonal. `inverses` says whether small pivots are inverted. Returns the
/// largest residual, including that of the transposed equations.
fn residual((unknowns, before, pairs): &Graph, shift: usize, inverses: bool) -> f64 {
    let mut lu = BlockLu::new(unknowns.clone(), before, pairs);
    if !inverses {
        lu = lu.without_inverses();
    }
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
    };
    let mut entries = Vec::new();
    for list in unknowns.iter().enumerate().filter(|(b, _)| before[*b].is_empty()).map(|(_, x)| x) {
        for (i, &row) in list.iter().enumerate() {
            for (j, &col) in list.iter().enumerate() {
                let large = if (i + shift) % list.len() == j { 4.0 } else { 0.0 };
                entries.push((row as usize, col as usize, 0.3 * random() + large));
            }
        }
    }
    for &(a, b) in pairs {
        let size = if before[b].is_empty() { 0.02 } else { 1.0 };
        for &i in &unknowns[a] {
            for &j in &unknowns[b] {
                let x = random();
                entries.push((i as usize, j as usize, size * x));
                entries.push((j as usize, i as usize, size * (x + 0.1 * random())));
            }
        }
    }
    for &(i, j, x) in &entries {
        lu.add(i, j, 1, 1.0, &[x]);
    }
    let right: Vec<f64> = (0..lu.len()).map(|_| random()).collect();
    lu.factor().unwrap();
    let mut x = right.clone();
    lu.solve(&mut x, &mut Vec::new());
    let mut y = right.clone();
    lu.solve_transposed(&mut y, &mut Vec::new());
    let (mut residual, mut transposed) = (right.clone(), right);
    for &(i, j, a) in &entries {
        residual[i] -= a * x[j];
        transposed[j] -= a * y[i];
    }
    residual.iter().chain(&transposed).fold(0.0, |s, r| larger(s, r.abs()))
}

/// Tests every elimination whose sizes the compiler knows, and some others, with and without exchanges of
/// rows.
#[test]
fn chains_of_all_joints_are_solved() {
    for joint in 1..=5 {
        for curved in [false, true] {
            for shift in [0, 1, 4] {
                let worst = residual(&chain(12, joint, curved), shift, true);
                assert!(worst < 1e-9, "{joint} rows, curved {curved}, shift {shift}: {worst}");
            }
        }
    }
}

/// Tests nested dissection, wide pivots and tiles on a net of loops whose joints have a zero diagonal.
#[test]
fn net_of_loops_is_solved_with_little_fill() {
    for shift in [0, 1] {
        let worst = residual(&net(12, (6, 3)), shift, false);
        assert!(worst < 1e-10, "{shift}: {worst}");
        // If the large entries of a block are beside its diagonal, its inverse has a few digits less.
        let worst = residual(&net(12, (6, 3)), shift, true);
        assert!(worst < if shift == 0 { 1e-10 } else { 1e-6 }, "{shift}, inverses: {worst}");
    }

    // The growth is near-linear: N log N of nested dissection, not N^1.5 of a band. For four times the
    // bodies, this is 4 log 24 / log 12 = 5.1 times the values.
    let values = |n: usize| {
        let (unknowns, before, pairs) = net(n, (6, 3));
        BlockLu::new(unknowns, &before, &pairs).n_values() as f64
    };
    let growth = values(24) / values(12);
    assert!(growth < 5.6, "{growth}");
}

/// Chains are eliminated with constant fill, so the number of values grows linearly.
#[test]
fn chain_is_linear() {
    let values = |n: usize| {
        let (unknowns, before, pairs) = chain(n, 3, true);
        BlockLu::new(unknowns, &before, &pairs).n_values()
    };
    let (a, b) = (values(100), values(1000));
    assert!(b < 11 * a, "{a} {b}");
}

/// Long chains are cut into halves. The halves touch each other only through the unknowns between them. The
/// solutions are as accurate as without halves.
#[test]
fn halves_of_long_chains_are_solved() {
    for (joint, curved, between) in [(3, false, 3), (5, true, 16)] {
        let graph = chain(11_000, joint, curved);
        let (unknowns, before, pairs) = &graph;
        let lu = BlockLu::new(unknowns.clone(), before, pairs);
        assert_eq!(lu.n_top(), between);
        let short = chain(1000, joint, curved);
        let values = |g: &Graph| BlockLu::new(g.0.clone(), &g.1, &g.2).n_values() as f64;
        let ratio = values(&graph) / values(&short);
        assert!(ratio < 11.01, "{ratio} times the values of a tenth of the chain");
        let worst = residual(&graph, 0, true);
        assert!(worst < 1e-9, "{joint} rows, curved {curved}: {worst}");
    }
}

/// Results with halves do not depend on the number of threads.
#[test]
#[cfg(feature = "parallel")]
fn halves_are_the_same_with_any_number_of_threads() {
    let solution = |threads: usize| {
        let (unknowns, before, pairs) = chain(11_000, 5, true);
        let mut lu = BlockLu::new(unknowns.clone(), &before, &pairs);
        for (b, list) in unknowns.iter().enumerate() {
            for (i, &u) in list.iter().enumerate().filter(|_| before[b].is_empty()) {
                lu.add(u as usize, u as usize, 1, 1.0, &[2.0 + (i as f64 + b as f64).sin()]);
            }
        }
        for (k, &(a, b)) in pairs.iter().enumerate() {
            for (&i, &j) in unknowns[a].iter().zip(&unknowns[b]) {
                let x = (k as f64).cos();
                lu.add(i as usize, j as usize, 1, 1.0, &[x]);
                lu.add(j as usize, i as usize, 1, 1.0, &[x]);
            }
        }
        let mut x: Vec<f64> = (0..lu.len()).map(|i| (i as f64).sin()).collect();
        let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            lu.factor().unwrap();
            lu.solve(&mut x, &mut Vec::new());
        });
        x
    };
    assert_eq!(solution(1), solution(2));
}
