//! One mode, and the choice of modes.

use nalgebra::{Complex, DVector, Vector3};

use crate::analysis::eigen::grows;
use crate::analysis::local::Layout;
use crate::analysis::words::Axes;

/// One mode of vibration or decay.
#[derive(Clone, Debug)]
pub struct Mode {
    /// Eigenvalue s in 1/s, Im s >= 0: motions are Re(z exp(s t)).
    pub s: Complex<f64>,
    /// z in the coordinates of velocities, largest part 1 (rad, or L).
    pub shape: DVector<Complex<f64>>,
    /// Share of each body in the kinetic energy.
    pub shares: Vec<f64>,
    /// From -1 (backward) to 1 (forward whirl) about the spin; none at rest and in turning frames.
    pub whirl: Option<f64>,
    /// The motion in words.
    pub words: String,
}

impl Mode {
    /// Im s in Hz.
    pub fn frequency(&self) -> f64 {
        self.s.im / std::f64::consts::TAU
    }

    /// Damping ratio -Re s / |s|; -1 for a motion that grows without oscillation.
    pub fn damping(&self) -> f64 {
        if self.s.norm() > 0.0 { -self.s.re / self.s.norm() } else { 0.0 }
    }

    /// True if it grows.
    pub fn grows(&self) -> bool {
        grows(self.s)
    }

    /// `forward`, `backward` or nothing.
    pub fn whirl_word(&self) -> &'static str {
        match self.whirl {
            Some(w) if w > 0.1 => "forward",
            Some(w) if w < -0.1 => "backward",
            _ => "",
        }
    }
}

/// The requested modes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Selection {
    /// Number of modes.
    pub n: usize,
    /// The modes nearest to this frequency in Hz; the lowest if absent.
    pub near: Option<f64>,
}

impl Default for Selection {
    fn default() -> Self {
        Selection { n: 12, near: None }
    }
}

/// Im((u x conj u) . a) over the squares of the parts perpendicular to a, for translations over L and
/// rotations together.
pub(crate) fn spatial_whirl(
    layout: &Layout,
    axes: &Axes,
    z: &DVector<Complex<f64>>,
    a: &Vector3<f64>,
) -> Option<f64> {
    let (re, im) = (z.map(|x| x.re), z.map(|x| x.im));
    let (mut turning, mut size) = (0.0, 0.0);
    let l = [1.0, layout.length];
    for i in 0..layout.bodies.len() {
        let (re, im) = (axes.spatial(layout, i, &re), axes.spatial(layout, i, &im));
        for k in 0..2 {
            let (re, im) = (re[k] / l[k], im[k] / l[k]);
            turning -= 2.0 * re.cross(&im).dot(a);
            size += re.cross(a).norm_squared() + im.cross(a).norm_squared();
        }
    }
    let all = re.norm_squared() + im.norm_squared();
    (size > 1e-12 * all).then(|| turning / size)
}
