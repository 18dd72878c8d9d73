//! Scales that make the equations of a step independent of units: for rows, columns and residuals.
//!
//! ```text
//! c_i   unit of coordinate i: a length for points, 1 for directions
//! E_i   largest M_jj c_j^2 of the body that coordinate i belongs to
//! s_k   largest |G_ki| c_i of constraint k where the run starts
//! e_k   smallest E_i of the coordinates that g_k touches
//!
//! unknowns    q ~ c,    w and v ~ c/h,    lambda ~ e/(s h^2),    gamma ~ e/(s h)
//! equations   M q ~ E/c,    M w ~ E/(c h),    g ~ s,    G v ~ s/h
//! ```
//!
//! With these the Newton matrix has entries of size one whatever the units of length, mass and time are, so
//! pivots can be compared. Each body has its own scales, for systems with heavy and light bodies. All scales
//! are powers of two and cause no rounding errors.

use super::step::UnknownLayout;
use crate::conservative::system::Conservative;

/// Smallest velocity per step, in units of the coordinates, to which residuals of momenta are relative.
const SMALLEST_PACE: f64 = 1e-3;

/// Scales of a system.
#[derive(Clone, Debug, Default)]
pub struct Scales {
    layout: UnknownLayout,
    /// c_i.
    units: Vec<f64>,
    /// E_i.
    inertia: Vec<f64>,
    /// s_k.
    gradients: Vec<f64>,
    /// e_k.
    strengths: Vec<f64>,
    /// The step size of these scales.
    h: f64,
    /// Factors of the equations.
    pub rows: Vec<f64>,
    /// Divisors of the unknowns.
    pub columns: Vec<f64>,
}

precess_engine::persist!(Scales { gradients } given { layout, units, inertia, strengths, h, rows, columns });

/// The power of two next to x; 1 if x is not a positive number.
pub(super) fn power_of_two(x: f64) -> f64 {
    if x > 0.0 && x.is_finite() { x.log2().round().clamp(-300.0, 300.0).exp2() } else { 1.0 }
}

impl Scales {
    /// Scales for a system that starts at q.
    pub fn new(system: &Conservative, layout: UnknownLayout, q: &[f64]) -> Self {
        let units: Vec<f64> = system.units().into_iter().map(power_of_two).collect();
        let mut diagonal = vec![0.0; layout.d];
        for &(i, j, m) in system.mass_entries() {
            if i == j {
                diagonal[i as usize] = m * units[i as usize].powi(2);
            }
        }
        let largest = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
        let whole = largest(&diagonal);
        let mut inertia = vec![power_of_two(whole); layout.d];
        for body in system.bodies() {
            let own = largest(&diagonal[body.clone()]);
            // A body without inertia takes that of the whole system.
            let own = if own > 0.0 { own } else { whole };
            inertia[body.clone()].fill(power_of_two(own));
        }
        let (mut gradients, mut strengths) = (Vec::new(), Vec::new());
        let mut row = vec![0.0; layout.d];
        for c in &system.constraints {
            c.g.add_gradient(q, 1.0, &mut row);
            let (mut size, mut strength) = (0.0, f64::INFINITY);
            for i in c.g.touched().iter().map(|&i| i as usize) {
                size = f64::max(size, row[i].abs() * units[i]);
                strength = strength.min(inertia[i]);
                row[i] = 0.0;
            }
            gradients.push(power_of_two(size));
            strengths.push(power_of_two(strength));
        }
        let n = layout.len();
        Scales {
            layout,
            units,
            inertia,
            gradients,
            strengths,
            h: 0.0,
            rows: vec![1.0; n],
            columns: vec![1.0; n],
        }
    }

    /// Fills rows and columns for steps of size h.
    pub fn set_step(&mut self, h: f64) {
        let h = power_of_two(h.abs());
        if h == self.h {
            return;
        }
        self.h = h;
        let UnknownLayout { d, m, levels, .. } = self.layout;
        for level in 0..levels {
            let time = if level == 0 { 1.0 } else { h };
            for i in 0..d {
                self.rows[level * d + i] = self.units[i] * time / self.inertia[i];
                self.columns[level * d + i] = self.units[i] / time;
            }
        }
        let end = levels * d;
        for level in 0..self.layout.multipliers {
            let (time, force) = if level == 0 { (1.0, h * h) } else { (h, h) };
            for k in 0..m {
                self.rows[end + level * m + k] = time / self.gradients[k];
                self.columns[end + level * m + k] = self.strengths[k] / (self.gradients[k] * force);
            }
        }
    }

    /// Distance that coordinates move in a step with velocities w, in their units, limited to 1e-3 .. 1.
    pub fn pace(&self, w: &[f64], h: f64) -> f64 {
        let fastest = w.iter().zip(&self.units).map(|(w, c)| (w / c).abs()).fold(0.0, f64::max);
        (fastest * h.abs()).clamp(SMALLEST_PACE, 1.0)
    }

    /// The residual of row i in its own scale: positions in units, velocities relative to the pace. `NaN`
    /// stays.
    fn of_row(&self, i: usize, r: f64, pace: f64) -> f64 {
        let UnknownLayout { d, m, .. } = self.layout;
        let of_positions = i < d || (self.layout.lambda()..self.layout.lambda() + m).contains(&i);
        (r * self.rows[i]).abs() / if of_positions { 1.0 } else { pace }
    }

    /// The largest residual and its row; `NaN` counts as the largest.
    pub fn worst(&self, r: &[f64], pace: f64) -> (usize, f64) {
        let mut worst = (0, 0.0);
        for (i, r) in r.iter().enumerate() {
            let x = self.of_row(i, *r, pace);
            if !(x <= worst.1) {
                worst = (i, x);
                if x.is_nan() {
                    break;
                }
            }
        }
        worst
    }
}
