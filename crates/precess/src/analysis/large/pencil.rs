//! The linear equations of a steady motion in blocks, and their factors at a complex shift.
//!
//! ```text
//! (s^2 M + s G1 + K1) z + B^T mu = 0,   B z = 0,      G1 = D + M (E - C),   K1 = K + F E,   F = D - M C
//! ```
//!
//! C and E = ad_v - C have one block per body, so there is no fill. A complex matrix is factorised as a real
//! one of twice the size in which the two parts of a body stay together, with the block factors of the
//! integrators.

use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::redundancy::EPS;
use crate::mechanics::sparse_structure;
use crate::mechanics::{State, Tangents, Want};
use crate::solve::products::{
    add_times_complex, block_times_complex, complex, complex_add, complex_largest, parts, product,
    transposed_block_times_complex,
};
use crate::solve::{BlockLu, Kkt, Mat};
use nalgebra::{Complex, DMatrix, DVector};

use super::shifted::REFINED;
use crate::analysis::AnalysisError;
use crate::analysis::frame::{Steady, ad_blocks};
use crate::analysis::local::Layout;

/// A complex vector.
pub(super) type Vector = DVector<Complex<f64>>;

/// M, G1, K1 and B of a steady motion, and factors of a sum of them.
pub(crate) struct Pencil<'a> {
    system: &'a dyn Mechanism,
    layout: &'a Layout,
    pub(super) m: Mat,
    g: Mat,
    k: Mat,
    f: Mat,
    fe: Mat,
    b: Mat,
    /// E, one block per body.
    e: Vec<DMatrix<f64>>,
    kkt: Kkt,
    /// Weights of M, G1 and K1 in the factors.
    weights: [Complex<f64>; 3],
}

impl<'a> Pencil<'a> {
    /// The matrices at a state with its multipliers.
    pub fn new(
        system: &'a dyn Mechanism,
        layout: &'a Layout,
        state: &State,
        steady: &Steady,
    ) -> Result<Self, AnalysisError> {
        let mut t = Tangents::of(system);
        let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: true, curvature: false };
        t.evaluate(system, &state.at(), want);
        if t.has_friction() && !(t.g_lambda.data().iter().all(|x| x.abs() <= 1e-12)) {
            let joint = "a bearing with a coefficient of friction".to_string();
            return Err(AnalysisError::Friction { joint });
        }
        let (m, k, b) = (t.s.clone(), t.k.clone(), t.b.clone());
        let want = Want { c_m: 0.0, c_d: 1.0, stiffness: false, constraint: false, curvature: false };
        t.evaluate(system, &state.at(), want);
        let d = t.s;
        let c = steady.blocks(system, layout);
        let mut e = ad_blocks(system, layout, &state.v);
        e.iter_mut().zip(&c).for_each(|(e, c)| *e -= c);
        let (me, mc) = (times_blocks(&m, layout, &e), times_blocks(&m, layout, &c));
        let g = sum(&d, &[(1.0, &me), (-1.0, &mc)]);
        let f = sum(&d, &[(-1.0, &mc)]);
        let fe = times_blocks(&f, layout, &e);
        let kkt = doubled(system);
        let weights = [Complex::new(0.0, 0.0); 3];
        Ok(Pencil { system, layout, m, g, k, f, fe, b, e, kkt, weights })
    }

    /// Factors of a M + b G1 + c K1 with B.
    pub fn factor(&mut self, weights: [Complex<f64>; 3]) -> Result<(), AnalysisError> {
        self.weights = weights;
        let (k, all) = (self.layout.controls.end, self.layout.controls.end + self.system.n_lambda());
        let rows = self.system.row_weights().unwrap_or(&[]);
        let parts = [&self.m, &self.g, &self.k, &self.fe];
        let [a, b, c] = weights;
        let factors = [a, b, c, c];
        let constraint = &self.b;
        let done = self.kkt.form(|kkt| {
            kkt.clear();
            for (mat, x) in parts.into_iter().zip(factors) {
                if x.re != 0.0 {
                    kkt.add(0, 0, x.re, mat);
                    kkt.add(all, all, x.re, mat);
                }
                if x.im != 0.0 {
                    kkt.add(0, all, -x.im, mat);
                    kkt.add(all, 0, x.im, mat);
                }
            }
            for at in [0, all] {
                kkt.add_transpose(at, at + k, 1.0, constraint);
                kkt.add(at + k, at, 1.0, constraint);
                rows.iter().enumerate().for_each(|(i, w)| kkt.add_diagonal(at + k + i, -EPS * w));
            }
        });
        done.map_err(|_| AnalysisError::Eigenvalues { size: k })
    }

    /// Factors at a shift s.
    pub fn shift(&mut self, s: Complex<f64>) -> Result<(), AnalysisError> {
        self.factor([s * s, s, Complex::new(1.0, 0.0)])
    }

    /// x with (a M + b G1 + c K1) x + B^T mu = f, B x = 0, refined at most twice.
    pub fn solve(&mut self, f: &Vector) -> Vector {
        let (k, m, one) = (f.len(), self.system.n_lambda(), Complex::new(1.0, 0.0));
        let (mut x, mut mu) = (Vector::zeros(k), Vector::zeros(m));
        for pass in 0..3 {
            let (mut top, mut bottom) = (f.clone(), Vector::zeros(m));
            if pass > 0 {
                let [a, b, c] = self.weights;
                for (mat, y) in [(&self.m, a), (&self.g, b), (&self.k, c), (&self.fe, c)] {
                    if y.norm() > 0.0 {
                        complex_add(-y, block_times_complex(mat, &x).as_slice(), top.as_mut_slice());
                    }
                }
                let forces = transposed_block_times_complex(&self.b, &mu);
                complex_add(-one, forces.as_slice(), top.as_mut_slice());
                bottom = -block_times_complex(&self.b, &x);
            }
            let (top, bottom) = (parts(&top), parts(&bottom));
            let [re, im] = [0, 1].map(|i| [top[i].as_slice(), bottom[i].as_slice()].concat());
            let mut all = [re, im].concat();
            self.kkt.solve(&mut all);
            let (re, im) = all.split_at(k + m);
            let found = complex(re, im);
            let (change, forces) = found.as_slice().split_at(k);
            complex_add(one, change, x.as_mut_slice());
            complex_add(one, forces, mu.as_mut_slice());
            if pass > 0 && complex_largest(change) <= REFINED * complex_largest(x.as_slice()) {
                break;
            }
        }
        x
    }

    /// M x, G1 x, K1 x.
    pub fn products(&self, x: &Vector) -> [Vector; 3] {
        [
            block_times_complex(&self.m, x),
            block_times_complex(&self.g, x),
            block_times_complex(&self.k, x) + block_times_complex(&self.fe, x),
        ]
    }

    /// B x.
    pub fn rows(&self, x: &Vector) -> Vector {
        block_times_complex(&self.b, x)
    }

    /// M x.
    pub fn mass(&self, x: &Vector) -> Vector {
        block_times_complex(&self.m, x)
    }

    /// (D - M C) x.
    pub(super) fn forces(&self, x: &Vector) -> Vector {
        block_times_complex(&self.f, x)
    }

    /// E x.
    pub fn rates(&self, x: &Vector) -> Vector {
        blockwise(self.layout, &self.e, x)
    }
}

/// The block of every body times its part of x.
pub(crate) fn blockwise(layout: &Layout, blocks: &[DMatrix<f64>], x: &Vector) -> Vector {
    let mut y = Vector::zeros(x.len());
    for (r, block) in layout.bodies.iter().zip(blocks) {
        add_times_complex(block, &x.as_slice()[r.clone()], &mut y.as_mut_slice()[r.clone()]);
    }
    y
}

/// A times a matrix with one block per body; it has the same blocks as A.
fn times_blocks(a: &Mat, layout: &Layout, blocks: &[DMatrix<f64>]) -> Mat {
    let mut values = Vec::with_capacity(a.data().len());
    a.for_blocks(|b| {
        let block = DMatrix::from_column_slice(b.rows, b.cols, b.data);
        let mut out = DMatrix::zeros(b.rows, b.cols);
        let first = layout.bodies.partition_point(|r| r.start < b.col);
        for (r, c) in
            layout.bodies.iter().zip(blocks).skip(first).take_while(|(r, _)| r.end <= b.col + b.cols)
        {
            let at = r.start - b.col;
            out.columns_mut(at, r.len()).copy_from(&product(&block.columns(at, r.len()).into(), c));
        }
        values.extend_from_slice(out.as_slice());
    });
    let mut product = a.clone();
    product.data_mut().copy_from_slice(&values);
    product
}

/// Sums of matrices with the same blocks.
fn sum(a: &Mat, more: &[(f64, &Mat)]) -> Mat {
    let mut total = a.clone();
    for (weight, b) in more {
        total.data_mut().iter_mut().zip(b.data()).for_each(|(x, y)| *x += weight * y);
    }
    total
}

/// A matrix for the factors of a complex one: the real and the imaginary part of a body or joint are one
/// block.
fn doubled(system: &dyn Mechanism) -> Kkt {
    let (group, m) = (system.group(), system.n_lambda());
    let (k, n) = (group.dim(), group.factors().len());
    let redundant = system.row_weights().is_some();
    let Some(structure) = sparse_structure(system) else {
        let size = 2 * (k + m);
        return if redundant { Kkt::regularised(size) } else { Kkt::dense(size) };
    };
    let twice = |r: std::ops::Range<usize>| -> Vec<u32> {
        r.clone().chain(r.start + k + m..r.end + k + m).map(|i| i as u32).collect()
    };
    let mut unknowns: Vec<Vec<u32>> = (0..n).map(|i| twice(group.v_range(i))).collect();
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); n];
    let mut pairs: Vec<(usize, usize)> =
        structure.couplings.iter().chain(&structure.curved).copied().collect();
    for (c, rows) in structure.constraints.iter().enumerate() {
        unknowns.push(twice(k + rows.rows.start..k + rows.rows.end));
        before.push(rows.factors.clone());
        pairs.extend(rows.factors.iter().map(|&i| (i, n + c)));
    }
    let blocks = BlockLu::new(unknowns, &before, &pairs);
    Kkt::block(if redundant { blocks.without_inverses() } else { blocks })
}
