//! One figure of every kind, as SVG, HTML and PNG in the given folder:
//! `cargo run -p precess-view --example gallery -- FOLDER`.

use precess_view::plot::{
    Axis, Cell, Figure, Legend, Map, Panel, Reference, Scale, Series, Slope, html, svg,
};

fn histories() -> Figure {
    let t: Vec<f64> = (0..=200_000).map(|i| f64::from(i) * 1e-5).collect();
    let of = |f: &dyn Fn(f64) -> f64| t.iter().map(|t| f(*t)).collect::<Vec<_>>();
    let time = || Axis::linear("time", "s");
    Figure::new("A run, as four histories")
        .columns(2)
        .panel_size(430.0, 280.0)
        .panel(
            Panel::new("positions")
                .x(time())
                .y(Axis::linear("position", "m"))
                .series(Series::line("x", t.clone(), of(&|t| (9.0 * t).sin())))
                .series(Series::line("y", t.clone(), of(&|t| (7.0 * t).cos() * (-t).exp())))
                .series(Series::line("z", t.clone(), of(&|t| if t > 1.5 { f64::NAN } else { t - 0.7 }))),
        )
        .panel(
            Panel::new("energy deviation")
                .x(time())
                .y(Axis::linear("E \u{2212} E(0)", "J"))
                .series(Series::line("", t.clone(), of(&|t| 3e-7 * (300.0 * t).sin() * t))),
        )
        .panel(
            Panel::new("constraint residuals")
                .x(time())
                .y(Axis::log("residual", ""))
                .series(Series::line("position", t.clone(), of(&|t| 1e-15 * (1.0 + (90.0 * t).sin().abs()))))
                .series(Series::line("velocity", t.clone(), of(&|t| 3e-13 * (1.0 + (50.0 * t).cos().abs()))))
                .reference(Reference::Horizontal(1e-14, "round-off".to_string())),
        )
        .panel(Panel::new("total energy").x(time()).y(Axis::linear("energy", "J")).series(Series::line(
            "",
            t.clone(),
            of(&|t| 5435.696790866 - 7e-3 * (20.0 * t).sin().powi(2)),
        )))
}

fn convergence() -> Figure {
    let h: Vec<f64> = (0..8).map(|i| 2e-3 / f64::from(1 << i)).collect();
    let mut panel = Panel::new("Heavy top: error against step size")
        .x(Axis::log("step size h", "s"))
        .y(Axis::log("largest relative error of q", ""));
    for (k, (name, order)) in [
        ("gen-alpha", 2.0),
        ("bliedf, k = 2", 2.0),
        ("bliedf, k = 3", 3.0),
        ("bliedf, k = 4", 4.0),
        ("rkmk4", 4.0),
    ]
    .into_iter()
    .enumerate()
    {
        let error = h.iter().map(|h| (0.3 + k as f64) * (h / 2e-3).powf(order) * 1e-2 + 1e-13).collect();
        panel = panel.series(Series::marked(name, h.clone(), error));
    }
    panel =
        panel.slope(Slope::new(2.0).near(0)).slope(Slope::new(3.0).near(2)).slope(Slope::new(4.0).near(4));
    Figure::new("").panel_size(720.0, 440.0).panel(panel)
}

fn paths() -> Figure {
    let s: Vec<f64> = (0..5000).map(|i| f64::from(i) * 0.01).collect();
    let x: Vec<f64> = s.iter().map(|s| s.cos() * (1.0 + 0.2 * (7.3 * s).cos())).collect();
    let y: Vec<f64> = s.iter().map(|s| s.sin() * (1.0 + 0.2 * (7.3 * s).cos())).collect();
    let rate = s.iter().map(|s| (2.0 * s).sin()).collect();
    Figure::new("")
        .columns(2)
        .panel_size(360.0, 340.0)
        .panel(
            Panel::new("path")
                .x(Axis::linear("x", "m"))
                .y(Axis::linear("y", "m"))
                .equal()
                .series(Series::line("body", x.clone(), y)),
        )
        .panel(
            Panel::new("phase <plot> & \"quotes\"")
                .x(Axis::linear("angle", "rad"))
                .y(Axis::linear("rate", "rad/s"))
                .series(Series::line("a < b", x, rate)),
        )
}

fn map() -> Figure {
    let mut figure = Figure::new("").columns(2).panel_size(330.0, 280.0).legend(Legend::Shared);
    for n in 0..2 {
        let cells = (0..13 * 11)
            .map(|i| {
                let (x, y) = (i % 13, i / 13);
                let class = if x + y > 20 { Some(0) } else { None };
                Cell { value: 10_f64.powf(-f64::from(x + n * y) / 3.0), class, marked: x == y }
            })
            .collect();
        figure = figure.panel(
            Panel::new(format!("variant {n}"))
                .x(Axis::linear("rho", ""))
                .y(Axis::linear("step size", "s"))
                .map(Map {
                    x: (0..13).map(|i| format!("{:.2}", f64::from(i) / 12.0)).collect(),
                    y: (0..11).map(|i| format!("{:.1e}", 8e-3 * 0.7_f64.powi(i))).collect(),
                    cells,
                    values: ("relative error".to_string(), [1e-5, 1.0]),
                    scale: Scale::Log,
                    classes: vec![("failed".to_string(), "#222222".to_string())],
                    mark: "warned".to_string(),
                }),
        );
    }
    figure
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| ".".to_string());
    for (name, figure) in
        [("histories", histories()), ("convergence", convergence()), ("paths", paths()), ("map", map())]
    {
        std::fs::write(format!("{folder}/{name}.svg"), svg::render(&figure))?;
        std::fs::write(format!("{folder}/{name}.html"), html::render(&figure))?;
        if let Some(bytes) = precess_view::plot::png::render(&figure, 2.0) {
            std::fs::write(format!("{folder}/{name}.png"), bytes)?;
        }
    }
    Ok(())
}
