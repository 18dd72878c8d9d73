//! Figures of VP: one projection of the velocity at t = 0.7 s.

use precess_view::plot::{Axis, Panel, Reference};

use super::super::la::WHOLE;
use super::super::vp::{BEFORE, T_STAR, projected};
use super::{HALVINGS, Picture, curves, over_h, side_by_side, step_size, time, triangles, with};

const ZOOM: (f64, f64) = (0.65, 0.8);

pub(super) const PICTURES: &[Picture] = &[
    Picture::of(
        "VP",
        "Fig. 1",
        "Heavy top, index-3: first hidden constraint, velocity projected at 0.7 s",
        "Agrees: amplitude four times as small for half the step, oscillations after the projection.",
        |lab| {
            let mut panels = Vec::new();
            for (title, h) in [("h = 1e-3 s", 1e-3), ("h = 5e-4 s", 5e-4)] {
                let trace = lab.run(&projected().h(h))?;
                let panel = Panel::new(title).x(time(WHOLE)).y(Axis::linear("first row of B(q) v", "m/s"));
                let panel = panel.reference(Reference::Vertical(T_STAR, "projection".into()));
                panels.push(with(panel, curves(&trace, WHOLE, &[""], |n, _| trace.bv_vector(n)[0])));
            }
            Ok(side_by_side(panels))
        },
    ),
    Picture::of(
        "VP",
        "Fig. 2",
        "Multipliers around the projection, h = 1e-3, and largest errors of lambda with and without it",
        "Agrees: order 2 before the projection, order 1 in an interval that contains it.",
        |lab| {
            let trace = lab.run(&projected())?;
            let names = ["\u{3bb}\u{2081}", "\u{3bb}\u{2082}", "\u{3bb}\u{2083}"];
            let left = Panel::new("around the projection").x(time(ZOOM)).y(Axis::linear("\u{3bb}", "N"));
            let left = with(left, curves(&trace, ZOOM, &names, |n, i| trace.lambda(n)[i]));
            let errors = [("on [0, 1], with projection", WHOLE), ("on [0, 0.7], before it", BEFORE)]
                .map(|(name, w)| over_h(lab, name, &projected(), HALVINGS, |t| t.errors(w).lambda));
            let right = Panel::new("largest errors").x(step_size());
            let right = with(right.y(Axis::log("relative error of \u{3bb}", "")), errors);
            Ok(side_by_side([left, triangles(right, &[(1.0, 0), (2.0, 1)])]))
        },
    ),
];
