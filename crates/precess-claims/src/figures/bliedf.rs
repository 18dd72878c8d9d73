//! Figures of BLieDF: orders with and without the correction (22) and with two starts.

use precess_view::plot::{Axis, Panel, Series};

use super::super::bliedf::{
    NONE, SO3, T_END, TABLE, figure_1, lambda_end, lambda_max, local_error, q_end, setup,
};
use super::super::la::R3SO3;
use super::super::{Lab, Problem, Trace};
use super::{HALVINGS, Picture, over_h, side_by_side, step_size, triangles, with};
use precess::integrate::Correction;
use precess::integrate::Form::Index3;

const fn of(place: &'static str, caption: &'static str, note: &'static str, draw: super::Draw) -> Picture {
    Picture::of("BLieDF", place, caption, note, draw)
}

const LEFT: &str = "L_k of (22)";
const RIGHT: &str = "L_k = 0";

pub(super) const PICTURES: &[Picture] = &[
    of(
        "Fig. 1",
        "Heavy top, index-3, k = 2: errors with exact velocities at the start and with those of (56)",
        "Agrees: only the largest error of lambda with exact velocities has order 1.",
        |lab| {
            let window = (0.0, T_END);
            let mut panel = |title: &str,
                             label: &str,
                             slopes: &[(f64, usize)],
                             quantity: fn(&Trace, (f64, f64)) -> f64| {
                // Dashed, since both may coincide.
                let series = [("exact velocities", false), ("velocities of (56)", true)].map(|(name, m)| {
                    over_h(lab, name, &figure_1(m), HALVINGS, |t| quantity(t, window)).dash(usize::from(m))
                });
                triangles(with(Panel::new(title).x(step_size()).y(Axis::log(label, "")), series), slopes)
            };
            Ok(side_by_side([
                panel("\u{3bb}, largest", "relative error of \u{3bb}", &[(1.0, 0), (2.0, 1)], |t, _| {
                    lambda_max(t)
                }),
                panel("\u{3bb} at t = 2 s", "relative error of \u{3bb}", &[(2.0, 1)], |t, _| lambda_end(t)),
                panel("q, largest", "error of q", &[(2.0, 1)], |t, w| t.errors(w).q),
                panel("v, largest", "relative error of v", &[(2.0, 1)], |t, w| t.errors(w).v),
            ]))
        },
    ),
    of(
        "Fig. 2",
        "Heavy top, index-3: local error of q after one step from exact values",
        "Agrees: order k + 1 with the correction and 3 without it.",
        |lab| {
            let steps = [2e-3, 1e-3, 5e-4, 2.5e-4];
            let mut panel = |title: &str, correction: Correction, slopes: &[(f64, usize)]| {
                let series = [2, 3, 4].map(|k| {
                    let y = steps
                        .iter()
                        .map(|&h| local_error(lab, k, correction, h).unwrap_or(f64::NAN))
                        .collect();
                    Series::marked(format!("k = {k}"), steps.to_vec(), y)
                });
                let panel = Panel::new(title).x(step_size()).y(Axis::log("local error of q", ""));
                triangles(with(panel, series), slopes)
            };
            Ok(side_by_side([
                panel(LEFT, TABLE, &[(3.0, 0), (4.0, 1), (5.0, 2)]),
                panel(RIGHT, NONE, &[(3.0, 0)]),
            ]))
        },
    ),
    of(
        "Fig. 3",
        "Heavy top in SO(3) without constraints: error of q at t = 2 s",
        "Agrees with the correction; without it order 2 of k = 3 appears below h = 2e-5 only, because its \
         term in h\u{b2} is small.",
        |lab| {
            let left = over_k(lab, LEFT, "error of q", (SO3, TABLE), q_end, &[(2.0, 0), (3.0, 1), (4.0, 2)]);
            let right = over_k(lab, RIGHT, "error of q", (SO3, NONE), q_end, &[(2.0, 2)]);
            Ok(side_by_side([left, right]))
        },
    ),
    of(
        "Fig. 4",
        "Heavy top, index-3: errors of q and lambda at t = 2 s",
        "Agrees; without the correction k = 3 lies between orders 2 and 3 at these steps.",
        |lab| {
            let orders: &[(f64, usize)] = &[(2.0, 0), (3.0, 1), (4.0, 2)];
            let mut panel = |title: &str, label: &str, correction, quantity, slopes| {
                over_k(lab, title, label, (R3SO3, correction), quantity, slopes)
            };
            let (q, l) = ("error of q", "relative error of \u{3bb}");
            Ok(side_by_side([
                panel(LEFT, q, TABLE, q_end as fn(&Trace) -> f64, orders),
                panel(RIGHT, q, NONE, q_end, &[(2.0, 2)]),
                panel(LEFT, l, TABLE, lambda_end, orders),
                panel(RIGHT, l, NONE, lambda_end, &[(2.0, 2)]),
            ]))
        },
    ),
];

/// k = 2, 3, 4 over the step size.
fn over_k(
    lab: &mut Lab,
    title: &str,
    label: &str,
    (problem, correction): (Problem, Correction),
    quantity: fn(&Trace) -> f64,
    slopes: &[(f64, usize)],
) -> Panel {
    let series = [2, 3, 4].map(|k| {
        over_h(lab, &format!("k = {k}"), &setup(problem, Index3, k, correction), &HALVINGS[1..], quantity)
    });
    triangles(with(Panel::new(title).x(step_size()).y(Axis::log(label, "")), series), slopes)
}
