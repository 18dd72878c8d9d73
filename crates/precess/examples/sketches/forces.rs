//! Forces, and the mechanism of the first chapter.

use super::joints::{guide, hinge};
use super::pen::*;
use std::f64::consts::PI;

/// A stop at an angle of the hinge, seen along its axis.
fn stop(a: f64) -> [[f64; 3]; 2] {
    [0.75, 1.15].map(|r| [r * a.sin(), 0.5, r * a.cos()])
}

/// Sketches by name.
pub fn sketches() -> Vec<(&'static str, Sketch)> {
    vec![
        (
            "force",
            new()
                .cuboid([0.0, 0.0, -0.3], [0.6, 0.8, 0.4], BLUE)
                .arrow(&[[0.3, 1.3, 1.3], [0.2, 0.45, 0.12]], ACTS, false)
                .ball([0.2, 0.45, 0.1], 0.07, LINE)
                .label([0.3, 1.3, 1.3], [4.0, 0.0], "F(t)"),
        ),
        (
            "torque",
            new()
                .cuboid([0.0, 0.0, -0.3], [0.6, 0.8, 0.4], BLUE)
                .axis([0.0, 0.0, 0.1], [0.0, 0.0, 1.25], "")
                .arrow(&arc([0.0, 0.0, 0.7], Z, 0.5, -0.8, 4.2), ACTS, false)
                .label([0.0, 0.0, 1.2], [8.0, 4.0], "T(t)"),
        ),
        (
            "spring",
            new()
                .cuboid([0.0, -1.35, -0.1], [0.4, 0.3, 0.5], GREY)
                .zigzag([0.0, -1.05, 0.15], [0.0, 1.05, 0.15], Z, 9)
                .line(&[[0.0, -1.05, -0.35], [0.0, -0.2, -0.35]], "")
                .line(
                    &[[0.0, 0.3, -0.2], [0.0, -0.35, -0.2], [0.0, -0.35, -0.5], [0.0, 0.3, -0.5]],
                    "stroke-width=\"1.4\"",
                )
                .line(&[[0.0, -0.05, -0.22], [0.0, -0.05, -0.48]], "stroke-width=\"2.4\"")
                .line(&[[0.0, -0.05, -0.35], [0.0, 1.05, -0.35]], "")
                .cuboid([0.0, 1.35, -0.1], [0.4, 0.3, 0.5], BLUE)
                .label([0.0, 0.0, 0.35], [-2.0, -8.0], "k")
                .label([0.0, 0.2, -0.5], [-2.0, 14.0], "c"),
        ),
        (
            "bushing",
            new()
                .axis([0.0, -1.5, 0.0], O, "")
                .cylinder([0.0, -0.5, 0.0], Y, 0.6, 0.95, GREY)
                .cylinder([0.0, 0.1, 0.0], Y, 0.02, 0.75, "#f3d9b1")
                .cylinder([0.0, 0.1, 0.0], Y, 0.9, 0.3, BLUE)
                .zigzag([0.0, 0.13, 0.3], [0.0, 0.13, 0.75], X, 4)
                .zigzag([0.3, 0.13, 0.0], [0.75, 0.13, 0.0], Z, 4)
                .axis([0.0, 1.0, 0.0], [0.0, 1.7, 0.0], ""),
        ),
        (
            "torsion_spring",
            new()
                .cylinder([0.0, -1.5, 0.0], Y, 0.6, 0.5, GREY)
                .line(
                    &(0..=60)
                        .map(|k| {
                            let (phi, y) = (0.55 * k as f64, -0.85 + 1.6 * k as f64 / 60.0);
                            [0.3 * phi.cos(), y, 0.3 * phi.sin()]
                        })
                        .collect::<Vec<_>>(),
                    "stroke-width=\"2.5\"",
                )
                .cylinder([0.0, 0.8, 0.0], Y, 0.6, 0.5, BLUE)
                .axis([0.0, 1.4, 0.0], [0.0, 2.0, 0.0], "a_3")
                .turns([0.0, 1.1, 0.0], Y, 0.75, -0.6, 2.4),
        ),
        (
            "limit",
            hinge()
                .line(
                    &(0..=40)
                        .map(|i| {
                            let a = -0.9 + 2.7 * f64::from(i) / 40.0;
                            [0.95 * a.sin(), 0.5, 0.95 * a.cos()]
                        })
                        .collect::<Vec<_>>(),
                    "stroke-width=\"1.5\"",
                )
                .line(&stop(-0.9), "stroke-width=\"6\"")
                .line(&stop(1.8), "stroke-width=\"6\""),
        ),
        (
            "joint_spring",
            hinge()
                .line(
                    &(0..=90)
                        .map(|i| {
                            let a = f64::from(i) / 90.0 * 5.0 * PI;
                            let r = 0.1 + 0.035 * a;
                            [r * a.sin(), 0.5, r * a.cos()]
                        })
                        .collect::<Vec<_>>(),
                    "stroke-width=\"1.6\" stroke=\"#c62828\"",
                )
                .label([0.0, 0.5, 0.0], [26.0, 2.0], "k, c"),
        ),
        (
            "potential",
            new()
                .ball([0.0, -1.0, -0.4], 0.3, GREY)
                .ball([0.0, 0.2, 0.55], 0.3, BLUE)
                .ball([0.0, 1.2, -0.5], 0.3, GREY)
                .line(&[[0.0, -0.77, -0.21], [0.0, -0.03, 0.36]], "stroke-width=\"3\"")
                .line(&[[0.0, 0.4, 0.33], [0.0, 1.0, -0.28]], "stroke-width=\"3\"")
                .arrow(&arc([0.0, 0.2, 0.55], X, 0.75, 4.0, 5.5), ACTS, true)
                .label([0.0, 0.15, -0.5], [-4.0, 12.0], "V(l, angle)"),
        ),
        (
            "friction",
            guide()
                .arrow(&[[0.0, -0.1, 0.6], [0.0, 1.0, 0.6]], FREE, false)
                .label([0.0, 1.0, 0.6], [3.0, -4.0], "v")
                .arrow(&[[0.5, 0.3, -0.12], [0.5, -0.8, -0.12]], ACTS, false),
        ),
        (
            "drag",
            [-0.55, 0.0, 0.55].into_iter().fold(
                new()
                    .ball(O, 0.5, BLUE)
                    .arrow(&[[0.0, 0.6, 0.0], [0.0, 1.6, 0.0]], FREE, false)
                    .label([0.0, 1.6, 0.0], [0.0, -6.0], "w")
                    .arrow(&[[0.0, -0.55, 0.0], [0.0, -1.5, 0.0]], ACTS, false)
                    .label([0.0, -1.5, 0.0], [-14.0, -4.0], "F"),
                |s, z| {
                    let wave = |i: i32| {
                        let y = -1.5 + f64::from(i) * 0.1;
                        [0.0, y, z * 1.55 + 0.05 * (y * 4.0).sin()]
                    };
                    if z == 0.0 {
                        s
                    } else {
                        s.line(&(0..26).map(wave).collect::<Vec<_>>(), "stroke=\"#9aa4af\"")
                    }
                },
            ),
        ),
        (
            "plate",
            new()
                .arrow(&[[0.0, -1.7, 0.75], [0.0, -0.7, 0.25]], FREE, false)
                .arrow(&[[0.0, -1.7, 0.2], [0.0, -0.7, -0.3]], FREE, false)
                .label([0.0, -1.7, 0.75], [-6.0, -6.0], "wind")
                .cuboid([0.0, -0.1, 0.0], [0.7, 0.07, 0.8], BLUE)
                .arrow(&[[0.0, 0.0, 0.0], [0.0, 1.3, 0.0]], ACTS, false)
                .label([0.0, 1.3, 0.0], [4.0, 4.0], "F, n"),
        ),
        (
            "actuator",
            guide()
                .cuboid([0.0, -1.45, 0.1], [0.3, 0.2, 0.4], GREY)
                .line(&[[0.0, -1.25, 0.1], [0.0, -0.5, 0.1]], "stroke-width=\"3\"")
                .cuboid([0.0, 0.0, 0.0], [0.5, 0.5, 0.26], BLUE)
                .arrow(&[[0.0, -0.2, 0.6], [0.0, 1.0, 0.6]], ACTS, false)
                .label([0.0, 1.0, 0.6], [2.0, -8.0], "u(t, x, v)"),
        ),
        (
            "piston_pump",
            new()
                .cuboid([0.0, -0.6, -1.05], [0.25, 0.2, 0.35], GREY)
                .cylinder([0.0, -0.75, -0.7], Y, 0.5, 0.2, GREY)
                .cylinder([0.0, -0.25, -0.7], Y, 0.3, 0.75, BLUE)
                .cylinder([0.0, 0.2, 0.6], Z, 0.6, 0.4, BLUE)
                .line(&[[0.5, 0.2, -0.7], [0.0, 0.2, 0.75]], "stroke-width=\"8\"")
                .line(&[[0.5, 0.2, -0.7], [0.0, 0.2, 0.75]], "stroke-width=\"6\" stroke=\"#a9cdf0\"")
                .ball([0.5, 0.2, -0.7], 0.08, LINE)
                .ball([0.0, 0.2, 0.75], 0.08, LINE)
                .axis([0.0, 0.1, -0.7], [0.0, 1.3, -0.7], "y")
                .arrow(&arc([0.0, 0.06, -0.7], Y, 0.45, -0.6, 1.2), ACTS, false)
                .slides([0.0, 1.0, 0.85], Z, 0.4)
                .label([0.0, 0.1, -0.7], [-92.0, 34.0], "flywheel")
                .label([0.5, 0.2, -0.1], [-30.0, -20.0], "rod")
                .label([0.0, 0.2, 0.9], [-62.0, 0.0], "piston"),
        ),
    ]
}
