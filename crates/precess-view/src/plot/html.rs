//! One HTML file that opens offline. It contains uPlot and the data, shows values under the pointer, zooms by
//! dragging, and shows everything again after a double click. Maps are drawn as in the SVG, with their values
//! under the pointer.

use crate::plot::drawing::Drawing;
use crate::plot::figure::{Axis, Figure, Panel, Reference, Scale, Series};
use crate::plot::svg;
pub use crate::plot::svg::escape;
use crate::plot::{decimate, layout, legend};

/// Columns of a curve in the file: in each, only the smallest and largest points are kept, as in the SVG.
const COLUMNS: f64 = 2000.0;

/// A part of a page.
#[derive(Clone, Copy, Debug)]
pub enum Part<'a> {
    /// Plain HTML; foreign texts must go through [`escape`].
    Html(&'a str),
    /// A figure with its panels, without its title.
    Figure(&'a Figure),
}

/// The figure as an HTML document.
pub fn render(figure: &Figure) -> String {
    let title = if figure.title.is_empty() { "precess" } else { &figure.title };
    let headline =
        if figure.title.is_empty() { String::new() } else { format!("<h1>{}</h1>\n", escape(&figure.title)) };
    let hint = "<p class=\"note\">Drag to zoom, double click to see everything, click a name to hide its \
                curve.</p>\n";
    page(title, &[Part::Html(&headline), Part::Figure(figure), Part::Html(hint)])
}

/// Texts and figures as one HTML document.
pub fn page(title: &str, parts: &[Part]) -> String {
    let (mut body, mut data) = (String::new(), Vec::new());
    for part in parts {
        match part {
            Part::Html(text) => body += text,
            Part::Figure(figure) => body += &grid(figure, &mut data),
        }
    }
    [
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta \
         name=\"viewport\" content=\"width=device-width\">\n",
        // Avoids the request for a missing icon.
        "<link rel=\"icon\" href=\"data:,\">\n",
        &format!("<title>{}</title>\n<style>\n", escape(title)),
        include_str!("../../assets/uplot/uPlot.min.css"),
        "\n",
        include_str!("html/page.css"),
        "</style>\n</head>\n<body>\n",
        &body,
        "<script>\n/* ",
        // The licence requires its notice in all copies.
        include_str!("../../assets/uplot/LICENSE"),
        "*/\n",
        include_str!("../../assets/uplot/uPlot.iife.min.js"),
        "</script>\n<script>\nconst figure = [\n",
        &data.join(",\n"),
        "\n];\n",
        include_str!("html/page.js"),
        "</script>\n</body>\n</html>\n",
    ]
    .concat()
}

/// Elements for the panels of a figure; their content is added to the data of the page.
fn grid(figure: &Figure, data: &mut Vec<String>) -> String {
    let drawing = crate::plot::draw(figure);
    let mut body = String::new();
    for (n, panel) in figure.panels.iter().enumerate() {
        if panel.map.is_some() {
            let alone = Figure {
                title: String::new(),
                notes: Vec::new(),
                columns: 1,
                panels: vec![panel.clone()],
                ..figure.clone()
            };
            body += &format!("<div>{}</div>\n", svg::render(&alone));
            data.push("null".to_string());
        } else {
            let number = data.len();
            body +=
                &format!("<div><h2>{}</h2><div id=\"panel{number}\"></div></div>\n", escape(&panel.title));
            data.push(panel_json(figure, panel, n, &drawing));
        }
    }
    let notes: String =
        figure.notes.iter().map(|n| format!("<p class=\"note\">{}</p>\n", escape(n))).collect();
    let columns = figure.columns.clamp(1, figure.panels.len().max(1));
    let single = if columns == 1 { " single" } else { "" };
    format!("<div class=\"grid{single}\" style=\"--columns:{columns}\">\n{body}</div>\n{notes}")
}

/// A JSON text that cannot end a script.
fn quoted(text: &str) -> String {
    let mut out = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out += &format!("\\u{:04x}", c as u32),
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Ten digits; `null` for values that are not finite.
fn number(x: f64) -> String {
    if !x.is_finite() {
        return "null".to_string();
    }
    let rounded: f64 = format!("{x:.9e}").parse().unwrap_or(x);
    let (plain, short) = (format!("{rounded}"), format!("{rounded:e}"));
    if short.len() < plain.len() { short } else { plain }
}

fn array(values: impl Iterator<Item = f64>) -> String {
    format!("[{}]", values.map(number).collect::<Vec<_>>().join(","))
}

fn axis_json(axis: &Axis, range: [f64; 2]) -> String {
    let log = axis.scale == Scale::Log;
    let range = range.map(|x| if log { 10_f64.powf(x) } else { x });
    format!(
        "{{\"caption\":{},\"log\":{log},\"range\":{}}}",
        quoted(&axis.caption()),
        array(range.into_iter())
    )
}

/// Turns values that an axis cannot show into gaps.
fn shown(scale: Scale, values: &[f64]) -> Vec<f64> {
    values.iter().map(|x| if scale.apply(*x).is_nan() { f64::NAN } else { *x }).collect()
}

fn ordered(s: &Series) -> bool {
    s.x.windows(2).all(|p| p[0] <= p[1])
}

fn panel_json(figure: &Figure, panel: &Panel, n: usize, drawing: &Drawing) -> String {
    let [w, h] = figure.panel_size;
    let [x, y] = layout::ranges(panel, w, h);
    // Unordered markers are not a function of x.
    let function = panel.series.iter().all(ordered);
    let series = panel.series.iter().enumerate().map(|(k, s)| {
        let (colour, dash, _) = legend::look(panel, k);
        let points = if function {
            String::new()
        } else {
            let (xs, ys) = (shown(panel.x.scale, &s.x), shown(panel.y.scale, &s.y));
            let rows = visible(panel, s, [x, y]);
            let pick = |v: &[f64]| array(rows.iter().map(|&i| v[i]));
            format!(",\"x\":{},\"y\":{}", pick(&xs), pick(&ys))
        };
        format!(
            "{{\"name\":{},\"colour\":{},\"dash\":{},\"line\":{},\"radius\":{}{points}}}",
            quoted(&s.name),
            quoted(colour),
            array(dash.iter().copied()),
            s.style.has_line(),
            number(s.style.radius().unwrap_or(0.0))
        )
    });
    let series = series.collect::<Vec<_>>().join(",");
    let tables = if function { tables(panel) } else { String::new() };
    let triangles = drawing.triangles.iter().filter(|t| t.0 == n).map(|(_, corners, order)| {
        let corners = corners.map(|c| array(c.into_iter())).join(",");
        format!("{{\"corners\":[{corners}],\"order\":{}}}", number((order * 100.0).round() / 100.0))
    });
    let triangles = triangles.collect::<Vec<_>>().join(",");
    let references = panel.references.iter().map(|r| {
        let (axis, at, text) = match r {
            Reference::Horizontal(y, text) => ("y", y, text),
            Reference::Vertical(x, text) => ("x", x, text),
        };
        format!("{{\"axis\":\"{axis}\",\"at\":{},\"text\":{}}}", number(*at), quoted(text))
    });
    let references = references.collect::<Vec<_>>().join(",");
    format!(
        "{{\"function\":{function},\"ratio\":{},\"x\":{},\"y\":{},\"series\":[{series}],\
         \"tables\":[{tables}],\"triangles\":[{triangles}],\"references\":[{references}]}}",
        number(h / w),
        axis_json(&panel.x, x),
        axis_json(&panel.y, y)
    )
}

/// Series in tables of common abscissae, in their order: one column x, then the ordinates.
fn tables(panel: &Panel) -> String {
    let mut out = Vec::new();
    for group in panel.series.chunk_by(|a, b| a.x == b.x) {
        let x = &group[0].x;
        let rows = x.len().min(group.iter().map(|s| s.y.len()).min().unwrap_or(0));
        let ys: Vec<Vec<f64>> = group.iter().map(|s| shown(panel.y.scale, &s.y[..rows])).collect();
        let keep = kept(&x[..rows], &ys);
        // An abscissa that cannot be shown gives no row; uPlot requires unique ones.
        let mut rows: Vec<usize> =
            keep.into_iter().filter(|&i| !panel.x.scale.apply(x[i]).is_nan()).collect();
        rows.dedup_by(|b, a| x[*b] == x[*a]);
        let columns: Vec<String> = ys.iter().map(|y| array(rows.iter().map(|&i| y[i]))).collect();
        out.push(format!("{{\"x\":{},\"y\":[{}]}}", array(rows.iter().map(|&i| x[i])), columns.join(",")));
    }
    out.join(",")
}

/// Points of a curve that may turn back, without those too close to the previous one.
fn visible(panel: &Panel, s: &Series, [x, y]: [[f64; 2]; 2]) -> Vec<usize> {
    let column = |v: f64, r: [f64; 2]| (v - r[0]) / (r[1] - r[0]) * COLUMNS;
    let at = |p: [f64; 2]| [column(panel.x.scale.apply(p[0]), x), column(panel.y.scale.apply(p[1]), y)];
    decimate::apart(s.points().map(at), 0.5)
}

/// Rows that are visible in any of the columns.
fn kept(x: &[f64], ys: &[Vec<f64>]) -> Vec<usize> {
    let finite = || x.iter().copied().filter(|x| x.is_finite());
    let (low, high) = (finite().fold(f64::INFINITY, f64::min), finite().fold(f64::NEG_INFINITY, f64::max));
    if x.len() as f64 <= 2.0 * COLUMNS || !(high > low) {
        return (0..x.len()).collect();
    }
    decimate::rows(x, ys, (high - low) / COLUMNS)
}
