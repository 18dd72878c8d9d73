//! Curves of results: the panels of a page, quantities over each other, paths in space, names.

use precess::model::{build, load};
use precess::study::execute;
use precess::study::results::Results;
use precess_view::curves;

/// The heavy top with every step recorded.
fn run(overrides: &[&str]) -> Results {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/heavy_top.toml");
    let text = std::fs::read_to_string(path).unwrap();
    let overrides: Vec<String> = overrides.iter().map(|o| o.to_string()).collect();
    let loaded = load("heavy_top.toml", &text, &overrides).unwrap();
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    execute::run(&loaded, &built, &mut |_| true).unwrap().results
}

#[test]
fn pages_show_what_there_is() {
    let r = run(&["run.until=0.1", "run.step=1e-3"]);
    let titles = |r| curves::page(r, true).panels.into_iter().map(|p| p.title).collect::<Vec<String>>();
    let always =
        ["positions", "energy deviation", "joint forces", "constraint residuals", "Newton iterations"];
    assert_eq!(titles(&r), always);
    let chosen = run(&["run.until=0.1"]);
    assert_eq!(titles(&chosen), [&always[..], &["step size", "order"]].concat());
    let h = curves::histories(&r, &["top.velocity".into(), "top.vx".into(), "energy".into()]).unwrap();
    assert_eq!(h.panels.iter().map(|p| p.series.len()).collect::<Vec<_>>(), [3, 1, 1]);
    assert_eq!(h.panels[0].series[1].y, r.numbers("top.vy").unwrap().0);
    assert_eq!(
        curves::phase(&r, "top.x,top.vx").unwrap().panels[0].series[0].x,
        r.numbers("top.x").unwrap().0
    );
    let few: Vec<_> = curves::page(&r, false).panels.into_iter().map(|p| p.title).collect();
    assert_eq!(few, always[..3]);
    // Several quantities in a panel, and the length of a vector.
    let h = curves::histories(&r, &["top.vx,top.vy".into(), "norm:tip.force".into()]).unwrap();
    assert_eq!(h.panels.iter().map(|p| p.series.len()).collect::<Vec<_>>(), [2, 1]);
    let force = |k: usize| ["tip.fx", "tip.fy", "tip.fz"].map(|n| r.numbers(n).unwrap().0[k]);
    for (k, y) in h.panels[1].series[0].y.iter().enumerate() {
        let [a, b, c] = force(k);
        assert!((y - (a * a + b * b + c * c).sqrt()).abs() <= 1e-12 * y.abs(), "{y}");
    }
    // Two runs over each other: the same colours, other dashes.
    let both = curves::overlaid(&[("a", &r), ("b", &chosen)], &["top.position".into()]).unwrap();
    let series = &both.panels[0].series;
    assert_eq!(series.len(), 6);
    assert!((0..3).all(|k| series[k].colour == series[k + 3].colour && series[k].dash != series[k + 3].dash));
    let error = curves::histories(&r, &["top.velocty".into()]).unwrap_err().to_string();
    assert!(error.contains("did you mean 'top.velocity'"), "{error}");
    assert!(curves::path(&r, "topp").unwrap_err().to_string().contains("did you mean 'top'"));
    // The isometric projection shortens all three axes alike: |p - o|^2 = x^2 + y^2 + z^2 - ((x - y + z) /
    // sqrt 3)^2, times 3/2 for lengths that are true along the axes.
    let path = curves::path(&r, "top").unwrap().panels.swap_remove(0);
    let [x, y, z] = ["top.x", "top.y", "top.z"].map(|n| r.numbers(n).unwrap().0);
    for (i, p) in path.series[0].points().enumerate() {
        let along = (x[i] - y[i] + z[i]) / 3_f64.sqrt();
        let seen = 1.5 * (x[i] * x[i] + y[i] * y[i] + z[i] * z[i] - along * along);
        assert!((p[0] * p[0] + p[1] * p[1] - seen).abs() < 1e-12, "{i}");
    }
}
