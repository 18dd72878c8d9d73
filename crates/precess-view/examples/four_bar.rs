//! A four-bar linkage with four plain hinges: build, run, look. The README shows it.

use precess::prelude::*;

fn main() -> Result<(), Error> {
    let [a, b, c, d] = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.3], [0.8, 0.0, 0.6], [1.0, 0.0, 0.0]];
    let model = Model::new("four_bar")
        .gravity([0.0, 0.0, -9.81])
        .body(Body::bar("crank", a, b, 0.5, 0.02))
        .body(Body::bar("coupler", b, c, 1.0, 0.02))
        .body(Body::bar("rocker", c, d, 0.8, 0.02))
        .joint(Joint::revolute("A", [GROUND, "crank"], a, Y).drive("2*pi*t")?)
        .joint(Joint::revolute("B", ["crank", "coupler"], b, Y))
        .joint(Joint::revolute("C", ["coupler", "rocker"], c, Y))
        .joint(Joint::revolute("D", [GROUND, "rocker"], d, Y));
    let results = model.run(2.0, 1e-8)?;
    println!("{results}{:?}", results.triples("A.torque")?.last());
    precess_view::save(&results, "four_bar.html")?;
    Ok(())
}
