//! Slope triangles: placed where there is space, close to their curve.

use crate::plot::drawing::Area;
use crate::plot::figure::Slope;

/// A triangle in pixels and the positions of its two numbers.
pub struct Triangle {
    /// Right angle, end of the horizontal leg, end of the vertical leg.
    pub corners: [[f64; 2]; 3],
    /// Bounding box with its numbers.
    pub area: Area,
}

/// Width of the strip beside a leg for its number.
const STRIP: f64 = 13.0;

/// A triangle of this slope whose bounding box has its lower left corner at `at`; `unit` pixels per unit of
/// the axes. The horizontal leg is below, the vertical one on the steep side.
fn triangle(slope: &Slope, at: [f64; 2], width: f64, unit: [f64; 2], label: f64) -> Triangle {
    let height = slope.order.abs() * width / unit[0] * unit[1];
    let [x, y] = at;
    let rising = slope.order >= 0.0;
    // The number of the vertical leg is outside of it.
    let left = if rising { x } else { x + label };
    let (corner, far) = if rising { (left + width, left) } else { (left, left + width) };
    let bottom = y - STRIP;
    Triangle {
        corners: [[corner, bottom], [far, bottom], [corner, bottom - height]],
        area: Area { x, y: bottom - height, w: width + label, h: height + STRIP },
    }
}

/// The triangle in the panel `plot` that touches no curve and no `taken` area, as close as possible to
/// `target`.
pub fn find_space(
    slope: &Slope,
    plot: &Area,
    unit: [f64; 2],
    curves: &[Vec<[f64; 2]>],
    taken: &[Area],
    target: [f64; 2],
    label: f64,
) -> Option<Triangle> {
    if !(slope.order.is_finite() && slope.order != 0.0) {
        return None;
    }
    let inner = plot.grown(-6.0);
    for size in [1.0, 0.75, 0.5] {
        let width = (0.16 * size * plot.w).min(0.3 * size * plot.h / slope.order.abs() * unit[0] / unit[1]);
        let mut best: Option<(f64, Triangle)> = None;
        for i in 0..=40 {
            for k in 0..=40 {
                let at =
                    [inner.x + inner.w * f64::from(i) / 40.0, inner.bottom() - inner.h * f64::from(k) / 40.0];
                let t = triangle(slope, at, width, unit, label);
                let room = t.area.grown(5.0);
                let middle = [t.area.x + 0.5 * t.area.w, t.area.y + 0.5 * t.area.h];
                let distance = (middle[0] - target[0]).hypot(middle[1] - target[1]);
                if best.as_ref().is_some_and(|(d, _)| *d <= distance)
                    || !inner.contains(&t.area)
                    || taken.iter().any(|a| a.overlaps(&room))
                    || curves.iter().flat_map(|c| c.windows(2)).any(|s| room.clip(s[0], s[1]).is_some())
                {
                    continue;
                }
                best = Some((distance, t));
            }
        }
        if let Some((_, t)) = best {
            return Some(t);
        }
    }
    None
}
