//! Small motions about rest or a steady motion: frequencies, damping, shapes.

use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::mobility::mobility;
use crate::solve::products::{self, complex_dot, congruent, largest, times, times_complex};
use nalgebra::{Complex, DVector, Vector3};

use crate::analysis::AnalysisError;
use crate::analysis::eigen::{Pair, Spectrum, grows};
use crate::analysis::found::Found;
use crate::analysis::frame::Linear;
use crate::analysis::limits::ZERO_STIFFNESS;
pub use crate::analysis::limits::{MAX_DENSE, is_large};
use crate::analysis::local::{Layout, Local};
use crate::analysis::mode::spatial_whirl;
pub use crate::analysis::mode::{Mode, Selection};
use crate::analysis::words::{Axes, motion, vibration};

/// Modes of a steady motion or of rest.
#[derive(Clone, Debug)]
pub struct Modes {
    /// Modes by frequency, then by decay.
    pub modes: Vec<Mode>,
    /// Total number of eigenvalues with Im s >= 0, without those of free motions; unknown for large models.
    pub available: Option<usize>,
    /// Free motions, in words; not computed for large models.
    pub free: Vec<String>,
    /// Degrees of freedom.
    pub degrees_of_freedom: usize,
    /// Independent constraint rows.
    pub rank: usize,
    /// The linear equations; not formed for large models.
    pub linear: Option<Linear>,
}

/// Modes about a steady motion that was found and proved.
pub fn modes(system: &dyn Mechanism, found: &Found, selection: Selection) -> Result<Modes, AnalysisError> {
    let layout = Layout::new(system)?;
    refuse_singular(system, &layout, found)?;
    if is_large(system) {
        return large_modes(system, &layout, found, selection);
    }
    let linear = Linear::new(system, &layout, &found.state, &found.steady)?;
    let degrees_of_freedom = linear.n.ncols() - linear.first_order;
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let spectrum = Spectrum::new(&linear, ZERO_STIFFNESS * scale)?;
    let mut chosen = spectrum.values.clone();
    if let Some(near) = selection.near {
        let distance = |s: &Complex<f64>| (s.im - near * std::f64::consts::TAU).abs();
        chosen.sort_by(|x, y| distance(x).total_cmp(&distance(y)));
    }
    let shaper = Shaper::new(system, &layout, found, &linear);
    // In a turning frame, a slight turn of the whole motion in space looks like a vibration.
    let rate = found.steady.xi.norm();
    let is_turn = |s: &Complex<f64>| (s.norm() - rate).abs() <= 1e-6 * rate && s.re.abs() <= 1e-6 * rate;
    chosen.truncate(selection.n.saturating_add(if rate > 0.0 { 2 } else { 0 }));
    let mut modes: Vec<Mode> = spectrum.pairs(&chosen).iter().map(|pair| shaper.mode(pair)).collect();
    let before = modes.len();
    modes.retain(|m| !(rate > 0.0 && is_turn(&m.s) && is_rigid(system, &layout, (found, &shaper.axes), m)));
    let turns = before - modes.len();
    modes.truncate(selection.n);
    let free = spectrum.free.column_iter().chain(linear.drifting.column_iter()).map(|p| {
        let mut all = DVector::zeros(linear.n.ncols());
        all.rows_mut(0, p.len()).copy_from(&p);
        motion(&layout, &times(&linear.n, &all), Some(&shaper.axes))
    });
    let (mut free, rank): (Vec<String>, _) = (free.collect(), linear.rank);
    if turns > 0 {
        free.push("the whole motion turns in space".to_string());
    }
    Ok(Modes {
        modes,
        available: Some(spectrum.values.len() - turns),
        free,
        degrees_of_freedom,
        rank,
        linear: Some(linear),
    })
}

/// The eigenvalue that grows fastest and its motion in words; none if nothing grows. Of large models the
/// slowest modes are examined.
pub fn fastest_growth(
    system: &dyn Mechanism,
    found: &Found,
) -> Result<Option<(Complex<f64>, String)>, AnalysisError> {
    let layout = Layout::new(system)?;
    let fastest = |a: &Complex<f64>, b: &Complex<f64>| a.re.total_cmp(&b.re);
    if is_large(system) {
        let list = modes(system, found, Selection { n: 40, near: None })?.modes.into_iter();
        let growing = list.filter(|m| m.grows()).max_by(|a, b| fastest(&a.s, &b.s));
        return Ok(growing.map(|m| (m.s, m.words)));
    }
    refuse_singular(system, &layout, found)?;
    let linear = Linear::new(system, &layout, &found.state, &found.steady)?;
    let scale = system.acceleration_scale().unwrap_or(0.0) / layout.length;
    let spectrum = Spectrum::new(&linear, ZERO_STIFFNESS * scale)?;
    let growing = spectrum.values.iter().copied().filter(|s| grows(*s)).max_by(fastest);
    let shaper = Shaper::new(system, &layout, found, &linear);
    let words = |s: Complex<f64>| spectrum.pairs(&[s]).first().map(|pair| (s, shaper.mode(pair).words));
    Ok(growing.and_then(words))
}

/// Modes of a large model, the lowest or those near a frequency.
fn large_modes(
    system: &dyn Mechanism,
    layout: &Layout,
    found: &Found,
    selection: Selection,
) -> Result<Modes, AnalysisError> {
    let degrees_of_freedom = system.group().dim().saturating_sub(system.n_lambda());
    let too_large =
        |what, remedy| AnalysisError::TooLarge { what, size: degrees_of_freedom, most: MAX_DENSE, remedy };
    if !layout.controls.is_empty() {
        return Err(too_large("a model with controls", "make the model smaller"));
    }
    let selection = Selection { n: selection.n.min(100), ..selection };
    let modes = crate::analysis::large::modes(system, found, selection)?;
    let rank = system.n_lambda();
    Ok(Modes { modes, available: None, free: Vec::new(), degrees_of_freedom, rank, linear: None })
}

/// Refuses singular positions: a linearisation needs a constant rank around the position.
fn refuse_singular(system: &dyn Mechanism, layout: &Layout, found: &Found) -> Result<(), AnalysisError> {
    let Some(structure) = system.structure() else { return Ok(()) };
    let m = mobility(system, &found.state, &structure.constraints, layout.moving());
    match m.rank_nearby {
        Some(nearby) => Err(AnalysisError::Singular { rank: m.rank, nearby }),
        None => Ok(()),
    }
}

/// True if all bodies turn and move like one rigid body.
fn is_rigid(system: &dyn Mechanism, layout: &Layout, (found, axes): (&Found, &Axes), mode: &Mode) -> bool {
    let bodies = system.bodies(&found.state.at());
    let turning = (0..layout.bodies.len()).find(|&i| !layout.rotation(i).is_empty());
    let Some(first) = turning.filter(|_| layout.modal.is_empty()) else { return false };
    let parts = [mode.shape.map(|x| x.re), mode.shape.map(|x| x.im)];
    let spatial = |i: usize, part: &DVector<f64>| axes.spatial(layout, i, part);
    let size = parts.iter().map(|part| layout.size(part)).fold(0.0, f64::max);
    (0..layout.bodies.len()).all(|i| {
        parts.iter().all(|part| {
            let ([turn, shift], [own, moved]) = (spatial(first, part), spatial(i, part));
            let arm = bodies[i].position - bodies[first].position;
            let turned = layout.rotation(i).is_empty() || (own - turn).norm() <= 1e-5 * size;
            turned && (moved - shift - turn.cross(&arm)).norm() <= 1e-5 * size * layout.length
        })
    })
}

/// Converts eigenvectors to shapes and words.
struct Shaper<'a> {
    layout: &'a Layout,
    linear: &'a Linear,
    axes: Axes,
    /// Spin axis, in frames that do not turn.
    spin: Option<Vector3<f64>>,
}

impl<'a> Shaper<'a> {
    fn new(system: &dyn Mechanism, layout: &'a Layout, found: &Found, linear: &'a Linear) -> Self {
        let axes = Axes::new(system, &found.state);
        let spin = found.steady.spin_axis(system, &found.state).filter(|_| found.steady.xi.norm() == 0.0);
        Shaper { layout, linear, axes, spin }
    }

    fn mode(&self, pair: &Pair) -> Mode {
        let mut z = times_complex(&self.linear.n, &pair.p);
        let (re, im) = (z.map(|x| x.re), z.map(|x| x.im));
        // Largest part 1 and real, taking units into account.
        let units = self.layout.units();
        let bodies = self.layout.controls.start;
        let weighted = |i: &usize| z[*i].norm() / units[*i];
        let lead = (0..bodies).max_by(|a, b| weighted(a).total_cmp(&weighted(b)));
        let size = self.layout.size(&re).hypot(self.layout.size(&im));
        if let (Some(lead), true) = (lead, size > 0.0) {
            let phase = z[lead].conj() / z[lead].norm();
            z *= phase;
            let size = self.layout.size(&z.map(|x| x.re)).max(f64::MIN_POSITIVE);
            z /= Complex::new(size, 0.0);
        }
        // Velocities; first-order states already are velocities.
        let w = &z * pair.s + times_complex(&self.linear.e, &z);
        let momenta = times_complex(&self.linear.mass, &w);
        let energy =
            |i: usize| self.layout.columns(i).iter().map(|&j| (w[j].conj() * momenta[j]).re).sum::<f64>();
        let energies: Vec<f64> = (0..self.layout.bodies.len()).map(energy).collect();
        let total: f64 = energies.iter().sum();
        let shares: Vec<f64> = energies.iter().map(|e| if total > 0.0 { e / total } else { 0.0 }).collect();
        let real = z.map(|x| x.re);
        Mode {
            s: pair.s,
            words: vibration(self.layout, &real, &self.axes, &shares),
            shares,
            whirl: self
                .spin
                .and_then(|a| spatial_whirl(self.layout, &self.axes, &z, &a))
                .filter(|_| pair.s.im > 0.0),
            shape: z,
        }
    }
}

/// Similarity of two shapes, from 0 to 1: |x^H M y|^2 / (x^H M x  y^H M y).
pub fn mac(linear: &Linear, x: &DVector<Complex<f64>>, y: &DVector<Complex<f64>>) -> f64 {
    let product = |a: &DVector<Complex<f64>>, b: &DVector<Complex<f64>>| {
        complex_dot(a.as_slice(), times_complex(&linear.mass, b).as_slice())
    };
    let size = product(x, x).re * product(y, y).re;
    if size > 0.0 { product(x, y).norm_sqr() / size } else { 0.0 }
}

/// Largest entry of K - K^T on the free motions relative to K, at a state with its multipliers.
pub fn asymmetry(system: &dyn Mechanism, found: &Found) -> Result<f64, AnalysisError> {
    let layout = Layout::new(system)?;
    let local = Local::new(system, &found.state);
    let linear = Linear::new(system, &layout, &found.state, &found.steady)?;
    let k = congruent(&local.k, &linear.n);
    let size = largest(k.as_slice());
    Ok(if size > 0.0 { products::asymmetry(&k) / size } else { 0.0 })
}
