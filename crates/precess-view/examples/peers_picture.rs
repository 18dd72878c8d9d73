//! Time against error in precess and other programs: draws the points that `bench/peers work --points FILE`
//! has measured.
//!
//! `cargo run --release -p precess-view --example peers_picture bench/work.csv book/pictures/work_peers.svg`. One
//! panel per model; solid lines are methods with a tolerance, dashed ones have fixed steps.

use std::error::Error;

use precess_view::plot::{Axis, Figure, Panel, Series, svg};

/// Methods as the file names them, as the legend does, colour and dashes: a colour is a family, solid lines
/// have a tolerance.
const METHODS: [(&str, &str, usize, usize); 11] = [
    ("precess BLieDF with a tolerance", "precess BLieDF, tolerance", 0, 0),
    ("precess BLieDF, k = 5", "precess BLieDF, k = 5", 0, 1),
    ("precess BLieDF, k = 4", "precess BLieDF, k = 4", 0, 2),
    ("precess gen-alpha with a tolerance", "precess gen-alpha, tolerance", 1, 0),
    ("precess gen-alpha, stabilized", "precess gen-alpha, stabilized", 1, 1),
    ("precess gen-alpha, index-3", "precess gen-alpha, index-3", 1, 2),
    ("Exudyn gen-alpha", "Exudyn gen-alpha", 2, 1),
    ("Exudyn DOPRI5", "Exudyn DOPRI5, joint coordinates", 2, 0),
    ("MuJoCo RK4", "MuJoCo RK4, joint coordinates", 3, 1),
    ("SciPy DOP853", "SciPy DOP853, in Python", 4, 0),
    ("SciPy LSODA", "SciPy LSODA, in Python", 6, 0),
];

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(from), Some(to)) = (arguments.next(), arguments.next()) else {
        return Err("usage: peers_picture POINTS.csv PICTURE.svg".into());
    };
    let text = std::fs::read_to_string(&from)?;
    let mut points = Vec::new();
    for line in text.lines().skip(1) {
        // A comma within quotes is part of a name.
        let (model, rest) = line.split_once(',').ok_or("no model")?;
        let (rest, error) = rest.rsplit_once(',').ok_or("no error")?;
        let (method, seconds) = rest.rsplit_once(',').ok_or("no time")?;
        points.push((model, method.trim_matches('"'), seconds.parse::<f64>()?, error.parse::<f64>()?));
    }
    let mut figure = Figure::new("").panel_size(760.0, 380.0);
    for (model, title) in
        [("top", "Heavy top, 1 s"), ("slider-crank", "Slider-crank, 1 s"), ("chain-10", "Chain of 10, 1 s")]
    {
        let mut panel = Panel::new(title)
            .x(Axis::log("error of the position of the last body at the end", "m"))
            .y(Axis::log("processor time", "s"));
        for (name, label, colour, dash) in METHODS {
            let own = points.iter().filter(|p| p.0 == model && p.1.starts_with(name));
            let (error, time): (Vec<f64>, Vec<f64>) = own.map(|p| (p.3, p.2)).unzip();
            if !error.is_empty() {
                panel = panel.series(Series::marked(label, error, time).colour(colour).dash(dash));
            }
        }
        figure = figure.panel(panel);
    }
    std::fs::write(&to, svg::render(&figure))?;
    println!("picture: {to}");
    Ok(())
}
