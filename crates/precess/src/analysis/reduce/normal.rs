//! The body inside its interfaces: solutions of K u = f and the lowest vibrations, by subspace iteration.

use crate::solve::decompositions::{cholesky, lower_inverse};
use crate::solve::products::{add, congruent, symmetric_products, transposed_product};
use crate::solve::{BlockLu, Kkt};
use nalgebra::DVector;

use super::{ElasticBody, ReduceError};
use crate::analysis::assembly::noise;
use crate::analysis::matrix::symmetric;

/// Smaller relative changes of the eigenvalues end the iteration.
const CONVERGED: f64 = 1e-12;
/// Largest number of iterations.
const MAX_ITERATIONS: usize = 200;

/// K of the free nodes, factorised.
pub struct Inside<'a> {
    body: &'a ElasticBody,
    /// Number of each node among the free ones.
    place: Vec<Option<usize>>,
    free: usize,
    matrix: Kkt,
}

impl<'a> Inside<'a> {
    /// The body with these nodes held.
    pub fn new(body: &'a ElasticBody, held: &[usize]) -> Result<Self, ReduceError> {
        let mut place = vec![Some(0); body.nodes.len()];
        held.iter().for_each(|&i| place[i] = None);
        let mut free = 0;
        for p in place.iter_mut().flatten() {
            *p = free;
            free += 1;
        }
        let unknowns = (0..free as u32).map(|i| (3 * i..3 * i + 3).collect()).collect();
        let at = |i: u32| place[i as usize / 3].map(|p| 3 * p + i as usize % 3);
        let inner = body.stiffness.entries.iter().filter_map(|&(i, j, x)| Some((at(i)?, at(j)?, x)));
        let pairs: Vec<(usize, usize)> = inner.clone().map(|(i, j, _)| (i / 3, j / 3)).collect();
        let mut lu = BlockLu::new(unknowns, &vec![Vec::new(); free], &pairs);
        lu.clear();
        for (i, j, x) in inner {
            lu.add(i, j, 1, 1.0, &[x]);
            if i != j {
                lu.add(j, i, 1, 1.0, &[x]);
            }
        }
        let mut matrix = Kkt::block(lu);
        matrix.factor().map_err(|_| ReduceError::Loose)?;
        let mut inside = Inside { body, place, free, matrix };
        inside.probe()?;
        Ok(inside)
    }

    /// Refuses a loose body: its factors exist but solve nothing, so a force must be recovered from its
    /// displacements.
    fn probe(&mut self) -> Result<(), ReduceError> {
        let mut seed = 0x2545_f491_4f6c_dd1d_u64;
        let f = self.inner(&DVector::from_fn(3 * self.place.len(), |_, _| noise(&mut seed)));
        let u = self.solve(&f);
        let back = self.inner(&self.body.stiffness.times(&u));
        if (back - &f).norm() <= 1e-6 * f.norm() { Ok(()) } else { Err(ReduceError::Loose) }
    }

    /// A field with the interfaces held.
    fn inner(&self, x: &DVector<f64>) -> DVector<f64> {
        DVector::from_fn(x.len(), |i, _| if self.place[i / 3].is_some() { x[i] } else { 0.0 })
    }

    /// K u = f inside, zero at the interfaces.
    pub fn solve(&mut self, f: &DVector<f64>) -> DVector<f64> {
        let mut b = vec![0.0; 3 * self.free];
        for (i, p) in self.place.iter().enumerate() {
            if let Some(p) = p {
                b[3 * p..3 * p + 3].copy_from_slice(&f.as_slice()[3 * i..3 * i + 3]);
            }
        }
        self.matrix.solve(&mut b);
        DVector::from_fn(f.len(), |i, _| self.place[i / 3].map_or(0.0, |p| b[3 * p + i % 3]))
    }

    /// The lowest n modes with the interfaces held, of modal mass 1.
    pub fn lowest(&mut self, n: usize) -> Vec<DVector<f64>> {
        let n = n.min(3 * self.free);
        if n == 0 {
            return Vec::new();
        }
        let size = (2 * n).min(n + 8).max(n).min(3 * self.free);
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let length = 3 * self.place.len();
        let start = |_| self.inner(&DVector::from_fn(length, |_, _| noise(&mut seed)));
        let mut x: Vec<DVector<f64>> = (0..size).map(start).collect();
        let mut before = vec![f64::INFINITY; n];
        for _ in 0..MAX_ITERATIONS {
            let mx: Vec<DVector<f64>> = x.iter().map(|v| self.body.mass.times(v)).collect();
            let y: Vec<DVector<f64>> = mx.iter().map(|f| self.solve(f)).collect();
            // K y = M x inside, so that y . K y = y . M x.
            let my: Vec<DVector<f64>> = y.iter().map(|v| self.body.mass.times(v)).collect();
            let (k, m) = (symmetric_products(&y, &mx), symmetric_products(&y, &my));
            let Some(half) = cholesky(k).and_then(|l| lower_inverse(&l)) else { break };
            // M z = mu K z: the largest mu are the lowest frequencies.
            let eigen = symmetric(congruent(&m, &half.transpose()));
            let mut order: Vec<usize> = (0..size).collect();
            order.sort_by(|&i, &j| eigen.eigenvalues[j].total_cmp(&eigen.eigenvalues[i]));
            let z = transposed_product(&half, &eigen.eigenvectors);
            x = order
                .iter()
                .map(|&c| {
                    let mut v = DVector::zeros(length);
                    y.iter()
                        .zip(z.column(c).iter())
                        .for_each(|(y, z)| add(*z, y.as_slice(), v.as_mut_slice()));
                    let size = v.dot(&self.body.mass.times(&v)).sqrt();
                    v / size
                })
                .collect();
            let now: Vec<f64> = order.iter().take(n).map(|&c| eigen.eigenvalues[c].recip()).collect();
            let settled = now.iter().zip(&before).all(|(a, b)| (a - b).abs() <= CONVERGED * a.abs());
            before = now;
            if settled {
                break;
            }
        }
        x.truncate(n);
        x
    }
}
