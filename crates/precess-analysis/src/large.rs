//! The lowest modes of large models at rest, by shift and invert with the block factors of the integrators.
//!
//! ```text
//! [ K + c M   B^T ] [ x  ]   [ M v ]
//! [ B          0  ] [ mu ] = [ 0   ]          kappa -> 1/(kappa + c)
//! ```
//!
//! is one factorisation at linear cost and a solution per vector. The block Lanczos method keeps all vectors M-orthogonal, so
//! double frequencies are found twice. The first vectors are freed of motions without stiffness (a factor kappa/(kappa + c)): a
//! chain of spherical joints has one per rod, which would crowd the spectrum. With damping, in a rotation, or next to a given frequency the
//! problem is not symmetric: see `arnoldi`. `rest` looks for the equilibrium of large models with the same factors, `steady` for their
//! steady rotations.

mod arnoldi;
pub(crate) mod pencil;
pub mod rest;
pub mod steady;

use nalgebra::{Complex, DMatrix, DVector};
use precess::mechanics::jacobian::room;
use precess::mechanics::mechanism::Mechanism;
use precess::mechanics::redundancy::EPS;
use precess::mechanics::{State, Tangents, Want};
use precess::solve::{Kkt, Mat};

use crate::AnalysisError;
use crate::assembly::noise;
use crate::local::Layout;
use crate::matrix::symmetric;
use crate::modes::{Mode, Selection, spatial_whirl};
use crate::steady::Found;
use crate::words::{Axes, motion};
use arnoldi::{Goal, nearest};
use pencil::{Pencil, Vector};

/// Vectors that grow together.
const BLOCK: usize = 3;
/// Most vectors.
const MOST: usize = 420;
/// Refinement ends with changes below this part.
const REFINED: f64 = 1e-9;
/// Part of a vector that is not yet an eigenvector.
const CONVERGED: f64 = 1e-8;

/// M, K, B of a large model and the factors of K + c M with B.
struct Shifted<'a> {
    system: &'a dyn Mechanism,
    t: Tangents,
    kkt: Kkt,
    c: f64,
}

impl<'a> Shifted<'a> {
    fn new(system: &'a dyn Mechanism, state: &State, c: f64) -> Result<Self, AnalysisError> {
        let mut t = Tangents::of(system);
        let want = Want { c_m: 1.0, c_d: 0.0, stiffness: true, constraint: true, curvature: false };
        t.evaluate(system, &state.at(), want);
        let kkt = room(system, 0, false, system.row_weights().is_some());
        let mut shifted = Shifted { system, t, kkt, c };
        shifted.factor(c)?;
        Ok(shifted)
    }

    fn factor(&mut self, c: f64) -> Result<(), AnalysisError> {
        self.c = c;
        let (k, t) = (self.system.group().dim(), &self.t);
        let weights = self.system.row_weights().unwrap_or(&[]);
        let done = self.kkt.form(|kkt| {
            kkt.clear();
            kkt.add(0, 0, c, &t.s);
            kkt.add(0, 0, 1.0, &t.k);
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
    /// K times the first vectors, as far as they were asked for.
    kv: Vec<DVector<f64>>,
    /// The symmetric part of K in these vectors: row j has j + 1 entries.
    h: Vec<Vec<f64>>,
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
    fn ritz(&mut self, stiffness: &Mat, floor: f64, wanted: usize) -> (Vec<f64>, Vec<DVector<f64>>) {
        let n = self.v.len();
        for j in self.kv.len()..n {
            self.kv.push(Shifted::times(stiffness, &self.v[j]));
            let entry = |i: usize| 0.5 * (self.v[i].dot(&self.kv[j]) + self.v[j].dot(&self.kv[i]));
            self.h.push((0..=j).map(entry).collect());
        }
        let h = DMatrix::from_fn(n, n, |i, j| self.h[i.max(j)][i.min(j)]);
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
    let steady = crate::Steady::rest(&layout);
    let found = Found { state: state.clone(), steady, proof: 0.0, acceleration: 0.0 };
    modes(system, &found, Selection { n, near: None })
}

/// Modes about rest or a steady rotation: the lowest with stiffness, or those nearest to a frequency.
pub fn modes(
    system: &dyn Mechanism,
    found: &Found,
    selection: Selection,
) -> Result<Vec<Mode>, AnalysisError> {
    let layout = Layout::new(system)?;
    let state = &found.state;
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let floor = 1e-8 * scale;
    let mut shifted = Shifted::new(system, state, scale.max(1.0))?;
    let axes = Axes::new(system, state);
    let spin = found.steady.spin_axis(system, state).filter(|_| found.steady.xi.norm() == 0.0);
    let c = first_estimate(&mut shifted, floor);
    let moves = !found.steady.is_rest();
    if selection.near.is_none()
        && !moves
        && !is_damped(system, state)
        && let Some(list) = undamped(&mut shifted, selection.n, floor, c)?
    {
        let make = |(kappa, x): (f64, DVector<f64>)| {
            let x = x.map(|a| Complex::new(a, 0.0));
            mode(&layout, &axes, &shifted.t.s, (Complex::new(0.0, kappa.sqrt()), x.clone()), x)
        };
        return Ok(list.into_iter().map(make).collect());
    }
    let mut pencil = Pencil::new(system, &layout, state, &found.steady)?;
    let turning = system.bodies(&state.at()).iter().fold(0.0, |a: f64, b| a.max(b.angular_velocity.norm()));
    let kappa = if c.is_finite() && c > 0.0 { c } else { 0.0 }.max(1e-4 * turning * turning);
    let near = selection.near.map(|f| f * std::f64::consts::TAU);
    let pairs = nearest(&mut pencil, &Goal { n: selection.n, near, kappa, floor })?;
    let make = |(s, z): (Complex<f64>, Vector)| {
        let w = &z * s + pencil.rates(&z);
        let whirl = spin.and_then(|a| spatial_whirl(&layout, &axes, &z, &a)).filter(|_| s.im > 0.0);
        Mode { whirl, ..mode(&layout, &axes, &pencil.m, (s, z), w) }
    };
    Ok(pairs.into_iter().map(make).collect())
}

/// True if forces depend on velocities.
fn is_damped(system: &dyn Mechanism, state: &State) -> bool {
    let mut t = Tangents::of(system);
    let want = Want { c_m: 0.0, c_d: 1.0, stiffness: false, constraint: false, curvature: false };
    t.evaluate(system, &state.at(), want);
    t.s.data().iter().any(|x| *x != 0.0)
}

/// The lowest stiffnesses and their motions; none if they do not converge, as where follower forces make K asymmetric.
#[allow(clippy::type_complexity)]
fn undamped(
    shifted: &mut Shifted,
    n: usize,
    floor: f64,
    mut c: f64,
) -> Result<Option<Vec<(f64, DVector<f64>)>>, AnalysisError> {
    for _ in 0..3 {
        shifted.factor(c)?;
        let ((values, vectors), converged) = lanczos(shifted, n, floor);
        if converged {
            return Ok(Some(values.into_iter().zip(vectors).take(n).collect()));
        }
        c = values.first().copied().unwrap_or(c).max(1e-3 * c);
    }
    Ok(None)
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

/// A mode of an eigenvalue, its shape and its velocities w, which say whose kinetic energy it is.
fn mode(layout: &Layout, axes: &Axes, mass: &Mat, (s, x): (Complex<f64>, Vector), w: Vector) -> Mode {
    // The part that moves most is real and positive.
    let units = layout.units();
    let weighted = |i: &usize| x[*i].norm() / units[*i];
    let lead = (0..layout.controls.start).max_by(|a, b| weighted(a).total_cmp(&weighted(b)));
    let phase =
        lead.map(|i| x[i]).filter(|z| z.norm() > 0.0).map_or(Complex::new(1.0, 0.0), |z| z.conj() / z.norm());
    let x = x * phase;
    let (re, im) = (w.map(|z| z.re), w.map(|z| z.im));
    let (mr, mi) = (Shifted::times(mass, &re), Shifted::times(mass, &im));
    let energy = |i: usize| layout.columns(i).iter().map(|&j| re[j] * mr[j] + im[j] * mi[j]).sum::<f64>();
    let energies: Vec<f64> = (0..layout.bodies.len()).map(energy).collect();
    let total: f64 = energies.iter().sum();
    let real = x.map(|z| z.re);
    let size = layout.size(&real).max(f64::MIN_POSITIVE);
    Mode {
        s,
        shares: energies.iter().map(|e| e / total).collect(),
        whirl: None,
        words: motion(layout, &real, Some(axes)),
        shape: x / Complex::new(size, 0.0),
    }
}
