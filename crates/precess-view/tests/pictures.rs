//! Properties that a reader of a picture relies on: labels do not overlap, legends do not cover curves,
//! slopes are right, text is escaped, gaps are left out.

use precess_view::plot::drawing::{Area, Drawing, Item};
use precess_view::plot::{
    Axis, Cell, Figure, Legend, Map, Panel, Reference, Scale, Series, Slope, draw, html, svg,
};

fn samples(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64 / (n - 1) as f64).collect()
}

/// Figures of many shapes: scales, magnitudes, sizes, legends, long names.
fn gallery() -> Vec<Figure> {
    let mut out = Vec::new();
    let magnitudes =
        [(0.0, 1.0), (-1e-7, 1e-7), (5435.69, 5435.7), (-3e9, 2e9), (1e-300, 1e300), (2.0, 2.0), (1.0, 1.3)];
    for (low, high) in magnitudes {
        for scale in [Scale::Linear, Scale::Log] {
            for [w, h] in [[240.0, 180.0], [430.0, 280.0], [900.0, 500.0]] {
                for (count, legend) in
                    [(1, Legend::Auto), (3, Legend::Above), (9, Legend::Right), (20, Legend::Shared)]
                {
                    let mut figure =
                        Figure::new("Title of the figure").columns(2).panel_size(w, h).legend(legend);
                    for k in 0..3 {
                        let axis = Axis { scale, ..Axis::linear("some quantity of the system", "kg m/s") };
                        let mut panel = Panel::new(format!("panel {k} with a title"))
                            .x(Axis { scale, ..axis.clone() })
                            .y(axis);
                        for n in 0..count {
                            let y: Vec<f64> = samples(40)
                                .iter()
                                .map(|s| low + (high - low) * (0.5 + 0.5 * (9.0 * s + n as f64).sin()))
                                .collect();
                            let x = samples(40).iter().map(|s| low + (high - low) * s).collect();
                            panel = panel.series(Series::marked(format!("series number {n}"), x, y));
                        }
                        figure = figure.panel(
                            panel
                                .slope(Slope::new(2.0))
                                .reference(Reference::Horizontal(high, "limit".into())),
                        );
                    }
                    out.push(figure.note("A note below."));
                }
            }
        }
    }
    out
}

/// Pairs of texts that overlap; the parts of one tick label touch, which is no overlap.
fn overlaps(d: &Drawing) -> Vec<String> {
    let texts: Vec<_> = d.texts().collect();
    let mut bad = Vec::new();
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[i + 1..] {
            if a.area().grown(-0.3).overlaps(&b.area().grown(-0.3)) {
                bad.push(format!("{:?} and {:?}", a.text, b.text));
            }
        }
    }
    bad
}

#[test]
fn labels_do_not_overlap_and_stay_inside() {
    for figure in gallery() {
        let d = draw(&figure);
        let (size, legend) = (figure.panel_size, figure.legend);
        let case =
            format!("{size:?} {legend:?} {:?} {:?}", figure.panels[0].series.len(), figure.panels[0].y);
        // Twenty names do not fit into the smallest panels, and they need not.
        assert_eq!(overlaps(&d), Vec::<String>::new(), "{case}");
        let page = Area { x: 0.0, y: 0.0, w: d.width, h: d.height };
        for t in d.texts() {
            assert!(page.contains(&t.area()), "{case}: {:?} at {:?}", t.text, t.area());
        }
    }
}

/// No text in a panel, of a legend, a reference or a triangle, lies on a curve.
#[test]
fn texts_do_not_cover_curves() {
    for figure in gallery() {
        let d = draw(&figure);
        let curves: Vec<&Vec<[f64; 2]>> = d
            .items
            .iter()
            .filter_map(|i| match i {
                Item::Line { points, width, closed: false, .. } if *width == 1.6 => Some(points),
                _ => None,
            })
            .collect();
        for t in d.texts() {
            let area = t.area();
            let hit = curves.iter().flat_map(|c| c.windows(2)).any(|s| area.clip(s[0], s[1]).is_some());
            assert!(!hit, "{:?} of {:?}, {:?}", t.text, figure.panel_size, figure.legend);
        }
    }
}

/// Triangles have the slope written on them, in data coordinates and in pixels, and lie on no curve.
#[test]
fn triangles_show_their_order() {
    let h: Vec<f64> = (0..8).map(|i| 1e-2 / f64::from(1 << i)).collect();
    for orders in [[1.0, 2.0, 3.0], [4.0, 6.0, 0.5], [-1.0, -2.0, -0.25]] {
        let mut panel = Panel::new("").x(Axis::log("h", "s")).y(Axis::log("error", ""));
        for (k, order) in orders.into_iter().enumerate() {
            let y = h.iter().map(|h: &f64| h.powf(order) * 10_f64.powi(2 * k as i32)).collect();
            panel = panel
                .series(Series::marked(format!("order {order}"), h.clone(), y))
                .slope(Slope::new(order).near(k));
        }
        let d = draw(&Figure::new("").panel_size(700.0, 500.0).panel(panel));
        assert_eq!(d.triangles.len(), 3);
        for ((_, [corner, along, up], order), expected) in d.triangles.iter().zip(orders) {
            assert_eq!(*order, expected);
            assert!((corner[1] / along[1] - 1.0).abs() < 1e-12 && (corner[0] / up[0] - 1.0).abs() < 1e-12);
            // From the far end of the horizontal leg to the end of the vertical one.
            let slope = (up[1] / along[1]).log10() / (up[0] / along[0]).log10();
            assert!((slope - expected).abs() < 1e-9, "{slope} {expected}");
        }
    }
}

#[test]
fn values_that_are_not_finite_are_gaps() {
    let x: Vec<f64> = (0..10).map(f64::from).collect();
    let y = vec![1.0, 2.0, f64::NAN, 4.0, 5.0, f64::INFINITY, 0.0, -3.0, 9.0, 10.0];
    for (axis, pieces, markers) in [(Axis::linear("y", ""), 3, 8), (Axis::log("y", ""), 3, 6)] {
        let d = draw(&Figure::new("").panel(Panel::new("").y(axis).series(Series::marked(
            "",
            x.clone(),
            y.clone(),
        ))));
        let curves =
            d.items.iter().filter(|i| matches!(i, Item::Line { width, .. } if *width == 1.6)).count();
        let shown = d
            .items
            .iter()
            .find_map(|i| if let Item::Markers { points, .. } = i { Some(points.len()) } else { None });
        assert_eq!((curves, shown), (pieces, Some(markers)));
        assert!(d.lines().flatten().flatten().all(|x| x.is_finite()));
    }
    // An empty figure says that it is empty.
    let empty = Figure::new("").panel(Panel::new("").series(Series::line("a", x, vec![f64::NAN; 10])));
    assert!(svg::render(&empty).contains("no values to show"));
    assert!(!html::render(&empty).contains("NaN"));
}

fn well_formed(text: &str) {
    let mut reader = quick_xml::Reader::from_str(text);
    reader.config_mut().check_end_names = true;
    let mut depth = 0;
    loop {
        match reader.read_event().expect("well-formed XML") {
            quick_xml::events::Event::Start(e) => {
                depth += 1;
                e.attributes().for_each(|a| drop(a.expect("attribute")));
            }
            quick_xml::events::Event::Empty(e) => e.attributes().for_each(|a| drop(a.expect("attribute"))),
            quick_xml::events::Event::End(_) => depth -= 1,
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert_eq!(depth, 0);
}

fn nasty() -> Figure {
    let name = "</script><b>&\"'\u{1}\u{2028}\\ \u{3c3} ]]>";
    let map = Map {
        x: vec![name.into(), "b".into()],
        y: vec![name.into()],
        cells: vec![
            Cell { value: 0.1, class: None, marked: true },
            Cell { value: 0.0, class: Some(0), marked: false },
        ],
        values: (name.into(), [1e-3, 1.0]),
        scale: Scale::Log,
        classes: vec![(name.into(), "#\"<".into())],
        mark: name.into(),
    };
    Figure::new(name)
        .note(name)
        .panel(
            Panel::new(name)
                .x(Axis::linear(name, name))
                .series(Series::line(name, vec![0.0, 1.0], vec![0.0, f64::NAN]))
                .reference(Reference::Vertical(0.5, name.into())),
        )
        .panel(Panel::new(name).map(map))
}

#[test]
fn svg_is_well_formed_whatever_the_names() {
    for figure in gallery().iter().step_by(7).chain([&nasty()]) {
        well_formed(&svg::render(figure));
    }
}

/// Two scripts as written, no third from a name; the data are JSON.
#[test]
fn html_holds_whatever_the_names() {
    let page = html::render(&nasty());
    assert_eq!((page.matches("<script>").count(), page.matches("</script>").count()), (2, 2));
    assert!(!page.contains("<b>&"));
    for figure in [nasty(), gallery().swap_remove(5)] {
        let page = html::render(&figure);
        let begin = page.find("const figure = ").unwrap() + "const figure = ".len();
        let data = &page[begin..begin + page[begin..].find("\n];").unwrap() + 2];
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data.as_array().unwrap().len(), figure.panels.len());
        let name = &data[0]["series"][0]["name"];
        assert_eq!(name.as_str().unwrap(), figure.panels[0].series[0].name);
        // It loads nothing.
        assert!(!page.contains("src=") && !page.contains("@import") && !page.contains("url("));
    }
}

/// A million points make a small picture.
#[test]
fn long_series_make_small_files() {
    let x = samples(1_000_000);
    let y: Vec<f64> = x.iter().map(|x| (500.0 * x).sin() + 0.1 * (77777.0 * x).sin()).collect();
    let figure = Figure::new("").panel(Panel::new("").series(Series::line("a", x, y)));
    assert!(svg::render(&figure).len() < 60_000, "{}", svg::render(&figure).len());
    assert!(html::render(&figure).len() < 400_000, "{}", html::render(&figure).len());
}

#[test]
fn png_has_the_size_and_the_colours_of_the_picture() {
    let figure =
        Figure::new("t").panel(Panel::new("p").series(Series::line("a", vec![0.0, 1.0], vec![0.0, 1.0])));
    let bytes = precess_view::plot::png::render(&figure, 1.5).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    let d = draw(&figure);
    let side = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
    assert_eq!((side(16), side(20)), ((1.5 * d.width).ceil() as u32, (1.5 * d.height).ceil() as u32));
}

/// A map of one value says so, in one colour; colours of a map with several values reach from end to end.
#[test]
fn a_map_of_one_value_has_one_colour() {
    let cell = |value: f64| Cell { value, class: None, marked: false };
    let picture = |values: [f64; 2]| {
        let map = Map {
            x: vec!["a".into(), "b".into()],
            y: vec!["c".into()],
            cells: values.map(cell).to_vec(),
            values: ("steps".into(), values),
            ..Map::default()
        };
        svg::render(&Figure::new("").panel(Panel::new("").map(map)))
    };
    let fills = |svg: &str| {
        let cells = svg.split("<rect").filter(|r| r.contains("<title>"));
        cells.map(|r| r.split("fill=\"").nth(1).unwrap()[..7].to_string()).collect::<Vec<_>>()
    };
    let (one, two) = (picture([50.0, 50.0]), picture([50.0, 60.0]));
    assert!(one.contains("steps, 50 everywhere") && two.contains("steps, 50 to 60"), "{one}");
    let (one, two) = (fills(&one), fills(&two));
    assert!(one.len() == 2 && one[0] == one[1] && two.len() == 2 && two[0] != two[1], "{one:?} {two:?}");
}
