use nalgebra::{DMatrix, DVector};
use precess_lie::{LANES, Lanes, Number};
use precess_lie::{Largest, larger};

use super::*;

/// Numbers without pattern in [-1, 1].
fn noise(k: usize) -> f64 {
    ((k * k * 37 + k * 101 + 13) % 1009) as f64 / 504.5 - 1.0
}

/// A chain of bodies with 3 coordinates and 2 rows between neighbours, and a row that joins the ends: masses,
/// B and N of the stabilized form.
fn chain(bodies: usize, stabilized: bool, lane: usize) -> (DMatrix<f64>, [usize; 3]) {
    let (n_v, m) = (3 * bodies, 2 * bodies - 1);
    let n_eta = if stabilized { m } else { 0 };
    let mut a = DMatrix::zeros(n_v + m + n_eta, n_v + m + n_eta);
    let mut b = DMatrix::zeros(m, n_v);
    for i in 0..n_v {
        a[(i, i)] = 2.0 + noise(i + 7 * lane).abs();
    }
    for i in 0..m {
        let pair = if i < m - 1 { [i / 2, i / 2 + 1] } else { [0, bodies - 1] };
        for (side, body) in pair.into_iter().enumerate() {
            (0..3).for_each(|k| b[(i, 3 * body + k)] = noise(100 * lane + 11 * i + 5 * k + 3 * side));
        }
    }
    let mass = a.view((0, 0), (n_v, n_v)).into_owned();
    a.view_mut((n_v, 0), (m, n_v)).copy_from(&b);
    a.view_mut((0, n_v), (n_v, m)).copy_from(&b.transpose());
    if stabilized {
        let n = mass.clone().try_inverse().unwrap() * b.transpose();
        a.view_mut((n_v + m, 0), (m, n_v)).copy_from(&b);
        a.view_mut((0, n_v + m), (n_v, m)).copy_from(&(&mass * &n));
        a.view_mut((n_v + m, n_v + m), (m, m)).copy_from(&(b * n));
    }
    (a, [n_v, m, n_eta])
}

#[test]
fn solutions_are_those_of_pivoted_factors_in_every_lane() {
    for (bodies, stabilized) in [(2, false), (2, true), (5, false), (5, true), (9, true)] {
        let all: [DMatrix<f64>; LANES] = std::array::from_fn(|lane| chain(bodies, stabilized, lane).0);
        let sizes = chain(bodies, stabilized, 0).1;
        let n = all[0].nrows();
        let mut lu = PatternLu::<Lanes>::new(sizes, |i, j| all.iter().any(|a| a[(i, j)] != 0.0));
        // Again and again in the same place.
        for round in 0..2 {
            lu.matrix.clear();
            for i in 0..n {
                for j in 0..n {
                    lu.matrix.add(i, j, Lanes::new(std::array::from_fn(|lane| all[lane][(i, j)])));
                }
            }
            lu.factor();
            let right = |lane: usize| DVector::from_fn(n, |i, _| noise(17 * i + lane + round));
            let mut x: Vec<Lanes> =
                (0..n).map(|i| Lanes::new(std::array::from_fn(|lane| right(lane)[i]))).collect();
            lu.solve(&mut x);
            for (lane, a) in all.iter().enumerate() {
                let exact = a.clone().lu().solve(&right(lane)).unwrap();
                let error = (0..n).map(|i| (x[i].lane(lane) - exact[i]).abs()).fold(0.0, larger);
                assert!(error < 1e-10 * exact.largest(), "{bodies} bodies, lane {lane}: {error:e}");
            }
        }
    }
}

#[test]
fn a_singular_lane_does_not_touch_the_others() {
    let good = chain(3, false, 1).0;
    let sizes = chain(3, false, 0).1;
    let n = good.nrows();
    let solve = |bad: f64| {
        let mut lu = PatternLu::<Lanes>::new(sizes, |i, j| good[(i, j)] != 0.0);
        for i in 0..n {
            for j in 0..n {
                let mut x = Lanes::of(good[(i, j)]);
                x.set(3, bad * good[(i, j)]);
                lu.matrix.add(i, j, x);
            }
        }
        lu.factor();
        let mut x = vec![Lanes::of(1.0); n];
        lu.solve(&mut x);
        x
    };
    for (x, y) in solve(1.0).iter().zip(solve(0.0)) {
        assert_eq!(x.to_array()[..3], y.to_array()[..3]);
        assert!(!y.lane(3).is_finite());
    }
}

/// Translations of a body have one entry each in a joint: only what fills in is kept.
#[test]
fn entries_outside_of_the_pattern_are_not_kept() {
    // Three translations, three rotations, three multipliers, as of a body on a point.
    let is_entry = |i: usize, j: usize| match (i, j) {
        (0..3, 0..3) => i == j,
        (3..6, 3..6) => true,
        (6.., 0..3) => i - 6 == j,
        (0..3, 6..) => i == j - 6,
        (6.., 3..6) | (3..6, 6..) => true,
        _ => false,
    };
    let lu = PatternLu::<f64>::new([6, 3, 0], is_entry);
    // All but the 18 between translations and rotations, the 6 off the diagonal of the translations, and 12
    // of the translations in the rows and columns of the multipliers.
    assert_eq!(lu.matrix.values.len(), 81 - 18 - 6 - 12 + 1);
}
