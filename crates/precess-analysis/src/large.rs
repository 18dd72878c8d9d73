//! The lowest modes of large models at rest, by shift and invert with the block factors of the integrators.
//!
//! ```text
//! [ K + c M   B^T ] [ x  ]   [ M v ]
//! [ B          0  ] [ mu ] = [ 0   ]          kappa -> 1/(kappa + c)
//! ```
//!
//! is one factorisation at linear cost and a solution per vector. The block Lanczos method keeps all vectors M-orthogonal, so
//! double frequencies are found twice. The first vectors are freed of motions without stiffness (a factor kappa/(kappa + c)): a
//! chain of spherical joints has one per rod, which would crowd the spectrum. With damping the problem is not symmetric: see
//! `damped`. `rest` looks for the equilibrium of large models with the same factors.

mod damped;
pub mod rest;

use nalgebra::{Complex, DMatrix, DVector};
use precess::mechanics::mechanism::Mechanism;
use precess::mechanics::redundancy::EPS;
use precess::mechanics::tangents::sparse_structure;
use precess::mechanics::{State, Tangents, Want};
use precess::solve::block_lu::constraint_blocks;
use precess::solve::{Kkt, Mat};

use crate::AnalysisError;
use crate::assembly::noise;
use crate::local::Layout;
use crate::matrix::symmetric;
use crate::modes::Mode;
use crate::words::{Axes, motion};

/// Vectors that grow together.
const BLOCK: usize = 3;
/// Most vectors.
const MOST: usize = 420;
/// Refinement ends with changes below this part.
const REFINED: f64 = 1e-9;
/// Part of a vector that is not yet an eigenvector.
const CONVERGED: f64 = 1e-8;

/// M, D, K, B of a large model and the factors of K + c M + d D with B.
struct Shifted<'a> {
    system: &'a dyn Mechanism,
    t: Tangents,
    /// Its S is D.
    damping: Option<Tangents>,
    kkt: Kkt,
    c: f64,
    d: f64,
}

impl<'a> Shifted<'a> {
    fn new(system: &'a dyn Mechanism, state: &State, c: f64) -> Result<Self, AnalysisError> {
        let (k, m) = (system.group().dim(), system.n_lambda());
        let mut t = Tangents::of(system);
        let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: true, curvature: false };
        t.evaluate(system, &state.at(), want);
        let redundant = system.row_weights().is_some();
        let kkt = match sparse_structure(system) {
            Some(structure) => {
                let blocks = constraint_blocks(system.group(), structure, m, false);
                Kkt::block(if redundant { blocks.without_inverses() } else { blocks })
            }
            None if redundant => Kkt::regularised(k + m),
            None => Kkt::dense(k + m),
        };
        let mut damping = Tangents::of(system);
        let want = Want { c_m: 0.0, c_d: 1.0, stiffness: false, constraint: false, curvature: false };
        damping.evaluate(system, &state.at(), want);
        let damping = damping.s.data().iter().any(|x| *x != 0.0).then_some(damping);
        let mut shifted = Shifted { system, t, damping, kkt, c, d: 0.0 };
        shifted.factor(c)?;
        Ok(shifted)
    }

    fn factor(&mut self, c: f64) -> Result<(), AnalysisError> {
        self.factor_both(c, 0.0)
    }

    fn factor_both(&mut self, c: f64, d: f64) -> Result<(), AnalysisError> {
        (self.c, self.d) = (c, d);
        let (k, t, damping) = (self.system.group().dim(), &self.t, &self.damping);
        let weights = self.system.row_weights().unwrap_or(&[]);
        let done = self.kkt.form(|kkt| {
            kkt.clear();
            kkt.add(0, 0, c, &t.s);
            kkt.add(0, 0, 1.0, &t.k);
            if let (Some(damping), true) = (damping, d != 0.0) {
                kkt.add(0, 0, d, &damping.s);
            }
            kkt.add_transpose(0, k, 1.0, &t.b);
            kkt.add(k, 0, 1.0, &t.b);
            weights.iter().enumerate().for_each(|(i, w)| kkt.add_diagonal(k + i, -EPS * w));
        });
        done.map_err(|_| AnalysisError::Eigenvalues { size: k })
    }

    fn times(a: &Mat, x: &DVector<f64>) -> DVector<f64> {
        let mut y = DVector::zeros(x.len());
        a.gemv(1.0, x.as_slice(), y.as_mut_slice());
        y
    }

    /// (K + c M)^-1 f on the null space of B, refined as long as it changes, twice at most.
    fn solve(&mut self, f: &DVector<f64>) -> DVector<f64> {
        let (k, m) = (f.len(), self.system.n_lambda());
        let (mut x, mut mu) = (DVector::zeros(k), DVector::zeros(m));
        let mut rest = vec![0.0; k + m];
        for pass in 0..3 {
            rest.fill(0.0);
            let (top, bottom) = rest.split_at_mut(k);
            top.copy_from_slice(f.as_slice());
            if pass > 0 {
                self.t.s.gemv(-self.c, x.as_slice(), top);
                self.t.k.gemv(-1.0, x.as_slice(), top);
                if let (Some(damping), true) = (&self.damping, self.d != 0.0) {
                    damping.s.gemv(-self.d, x.as_slice(), top);
                }
                self.t.b.gemv_transpose(-1.0, mu.as_slice(), top);
                self.t.b.gemv(-1.0, x.as_slice(), bottom);
            }
            self.kkt.solve(&mut rest);
            let change = rest[..k].iter().fold(0.0, |a: f64, b| a.max(b.abs()));
            x.iter_mut().zip(&rest[..k]).for_each(|(x, d)| *x += d);
            mu.iter_mut().zip(&rest[k..]).for_each(|(x, d)| *x += d);
            if pass > 0 && change <= REFINED * x.amax() {
                break;
            }
        }
        x
    }
}

/// Vectors that are orthonormal with respect to M, and M times them.
#[derive(Default)]
struct Basis {
    v: Vec<DVector<f64>>,
    mv: Vec<DVector<f64>>,
}

impl Basis {
    /// Adds what is new in x; false if there is nothing.
    fn add(&mut self, mass: &Mat, mut x: DVector<f64>) -> bool {
        let before = x.dot(&Shifted::times(mass, &x)).sqrt();
        for _ in 0..2 {
            for (v, mv) in self.v.iter().zip(&self.mv) {
                let part = mv.dot(&x);
                x.axpy(-part, v, 1.0);
            }
        }
        let mx = Shifted::times(mass, &x);
        let size = x.dot(&mx).sqrt();
        if !(size > 1e-10 * before) {
            return false;
        }
        self.v.push(x / size);
        self.mv.push(mx / size);
        true
    }

    /// Stiffness of the vectors against their inertia: values above a floor, ascending, and the vectors of the first `wanted`.
    fn ritz(&self, stiffness: &Mat, floor: f64, wanted: usize) -> (Vec<f64>, Vec<DVector<f64>>) {
        let n = self.v.len();
        let kv: Vec<DVector<f64>> = self.v.iter().map(|v| Shifted::times(stiffness, v)).collect();
        let h = DMatrix::from_fn(n, n, |i, j| 0.5 * (self.v[i].dot(&kv[j]) + self.v[j].dot(&kv[i])));
        let eigen = symmetric(h);
        let mut order: Vec<usize> = (0..n).filter(|&i| eigen.eigenvalues[i] > floor).collect();
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let vector = |i: &usize| {
            let mut x = DVector::zeros(self.v.first().map_or(0, DVector::len));
            for (v, y) in self.v.iter().zip(eigen.eigenvectors.column(*i).iter()) {
                x.axpy(*y, v, 1.0);
            }
            x
        };
        (
            order.iter().map(|&i| eigen.eigenvalues[i]).collect(),
            order.iter().take(wanted).map(vector).collect(),
        )
    }
}

/// The n lowest modes with stiffness about rest, at a state with its multipliers.
pub fn lowest(system: &dyn Mechanism, state: &State, n: usize) -> Result<Vec<Mode>, AnalysisError> {
    let layout = Layout::new(system)?;
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let floor = 1e-8 * scale;
    let mut shifted = Shifted::new(system, state, scale.max(1.0))?;
    let axes = Axes::new(system, state);
    let mut c = first_estimate(&mut shifted, floor);
    if shifted.damping.is_some() {
        let pairs = damped::lowest(&mut shifted, n, c, floor)?;
        return Ok(pairs.into_iter().map(|(s, x)| mode(&layout, &axes, &shifted.t.s, s, x)).collect());
    }
    let mut found: (Vec<f64>, Vec<DVector<f64>>) = Default::default();
    for _ in 0..3 {
        shifted.factor(c)?;
        let converged;
        (found, converged) = lanczos(&mut shifted, n, floor);
        if converged {
            break;
        }
        c = found.0.first().copied().unwrap_or(c).max(1e-3 * c);
    }
    let make = |(kappa, x): (f64, DVector<f64>)| {
        let (s, x) = (Complex::new(0.0, kappa.sqrt()), x.map(|a| Complex::new(a, 0.0)));
        mode(&layout, &axes, &shifted.t.s, s, x)
    };
    Ok(found.0.into_iter().zip(found.1).take(n).map(make).collect())
}

/// A shift of about the lowest stiffness: a few vectors with shifts that fall.
fn first_estimate(shifted: &mut Shifted, floor: f64) -> f64 {
    let mut c = shifted.c;
    for _ in 0..6 {
        if shifted.factor(c).is_err() {
            break;
        }
        let mut basis = start(shifted);
        grow(shifted, &mut basis, 3 * BLOCK);
        let (values, _) = basis.ritz(&shifted.t.k, floor, 0);
        let Some(&lowest) = values.first() else { break };
        if lowest > 0.3 * c {
            return lowest;
        }
        c = lowest;
    }
    c
}

/// Vectors without motions that have no stiffness.
fn start(shifted: &mut Shifted) -> Basis {
    let mut basis = Basis::default();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let k = shifted.system.group().dim();
    for _ in 0..BLOCK {
        let y = DVector::from_fn(k, |_, _| noise(&mut seed));
        let y = shifted.solve(&Shifted::times(&shifted.t.s, &y));
        let x = shifted.solve(&Shifted::times(&shifted.t.k, &y));
        basis.add(&shifted.t.s, x);
    }
    basis
}

/// Lengthens the basis to so many vectors; false if nothing new comes.
fn grow(shifted: &mut Shifted, basis: &mut Basis, size: usize) -> bool {
    while basis.v.len() < size {
        let Some(at) = basis.v.len().checked_sub(BLOCK) else { return false };
        let mv = basis.mv[at].clone();
        let x = shifted.solve(&mv);
        if !basis.add(&shifted.t.s, x) {
            return false;
        }
    }
    true
}

fn lanczos(shifted: &mut Shifted, n: usize, floor: f64) -> ((Vec<f64>, Vec<DVector<f64>>), bool) {
    let mut basis = start(shifted);
    let mut size = (2 * n + 30).min(MOST);
    loop {
        let more = grow(shifted, &mut basis, size);
        let (values, vectors) = basis.ritz(&shifted.t.k, floor, n);
        let list: Vec<(f64, DVector<f64>)> = values.into_iter().zip(vectors).collect();
        let mut worst = 0.0_f64;
        for (kappa, x) in list.iter().rev() {
            // An eigenvector is reproduced by the operator.
            let rest = x - shifted.solve(&Shifted::times(&shifted.t.s, x)) * (kappa + shifted.c);
            worst = worst.max(rest.dot(&Shifted::times(&shifted.t.s, &rest)).sqrt());
            if worst > CONVERGED {
                break;
            }
        }
        let converged = list.len() == n && worst <= CONVERGED;
        if converged || !more || size >= MOST {
            return (list.into_iter().unzip(), converged || !more);
        }
        size = (size + 40).min(MOST);
    }
}

fn mode(layout: &Layout, axes: &Axes, mass: &Mat, s: Complex<f64>, x: DVector<Complex<f64>>) -> Mode {
    // The part that moves most is real and positive.
    let units = layout.units();
    let weighted = |i: &usize| x[*i].norm() / units[*i];
    let lead = (0..layout.controls.start).max_by(|a, b| weighted(a).total_cmp(&weighted(b)));
    let phase =
        lead.map(|i| x[i]).filter(|z| z.norm() > 0.0).map_or(Complex::new(1.0, 0.0), |z| z.conj() / z.norm());
    let x = x * phase;
    let (re, im) = (x.map(|z| z.re), x.map(|z| z.im));
    let (mr, mi) = (Shifted::times(mass, &re), Shifted::times(mass, &im));
    let energy = |i: usize| layout.columns(i).iter().map(|&j| re[j] * mr[j] + im[j] * mi[j]).sum::<f64>();
    let energies: Vec<f64> = (0..layout.bodies.len()).map(energy).collect();
    let total: f64 = energies.iter().sum();
    let size = layout.size(&re).max(f64::MIN_POSITIVE);
    Mode {
        s,
        shares: energies.iter().map(|e| e / total).collect(),
        whirl: None,
        words: motion(layout, &re, Some(axes)),
        shape: x / Complex::new(size, 0.0),
    }
}
