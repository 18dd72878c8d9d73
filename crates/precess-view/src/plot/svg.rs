//! SVG.

use std::fmt::Write;

use crate::plot::drawing::{Anchor, Drawing, Item};
use crate::plot::figure::Figure;

/// The figure as an SVG document.
pub fn render(figure: &Figure) -> String {
    write(&crate::plot::draw(figure))
}

/// Text escaped for tags and attributes; characters that XML does not allow are removed.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c < ' ' => {}
            c => out.push(c),
        }
    }
    out
}

/// A length with at most one decimal.
fn px(x: f64) -> String {
    let text = format!("{x:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0".to_string() } else { text.to_string() }
}

/// A path through points; steps are relative and short.
fn path(points: &[[f64; 2]], closed: bool) -> String {
    // Rounded first, so that errors do not add up.
    let tenths = |p: &[f64; 2]| [(p[0] * 10.0).round(), (p[1] * 10.0).round()];
    let mut out = String::new();
    let mut last = [0.0; 2];
    for (i, p) in points.iter().enumerate() {
        let now = tenths(p);
        let step = [0, 1].map(|k| px((now[k] - last[k]) / 10.0));
        match i {
            0 => out = format!("M{},{}", step[0], step[1]),
            _ if now == last => {}
            _ => {
                out.push_str(if i == 1 {
                    "l"
                } else if step[0].starts_with('-') {
                    ""
                } else {
                    " "
                });
                out.push_str(&step[0]);
                out.push_str(if step[1].starts_with('-') { "" } else { "," });
                out.push_str(&step[1]);
            }
        }
        last = now;
    }
    if closed {
        out.push('z');
    }
    out
}

fn marker(at: [f64; 2], r: f64, shape: usize) -> String {
    let [x, y] = at;
    match shape % 4 {
        0 => format!("M{},{}a{r},{r} 0 1 0 {d},0a{r},{r} 0 1 0 -{d},0z", px(x - r), px(y), d = 2.0 * r),
        n => path(&corners(at, r, n), true),
    }
}

/// Corners of square, triangle and diamond.
pub(crate) fn corners([x, y]: [f64; 2], r: f64, shape: usize) -> Vec<[f64; 2]> {
    let s = 0.9 * r;
    match shape % 4 {
        1 => vec![[x - s, y - s], [x + s, y - s], [x + s, y + s], [x - s, y + s]],
        2 => vec![[x - 1.1 * r, y + 0.8 * r], [x, y - 1.1 * r], [x + 1.1 * r, y + 0.8 * r]],
        _ => vec![[x - 1.25 * r, y], [x, y - 1.25 * r], [x + 1.25 * r, y], [x, y + 1.25 * r]],
    }
}

/// A drawing as an SVG document.
pub fn write(d: &Drawing) -> String {
    let (w, h) = (px(d.width), px(d.height));
    let mut s = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\" \
         font-family=\"Helvetica,Arial,'DejaVu \
         Sans',sans-serif\">\n<style>rect{{shape-rendering:crispEdges}}</style>\n<rect \
         width=\"{w}\" height=\"{h}\" fill=\"#ffffff\"/>\n"
    );
    for item in &d.items {
        // Writing to a string cannot fail.
        let _ = match item {
            Item::Rect { area, fill, hover } => {
                let (x, y, w, h) = (px(area.x), px(area.y), px(area.w), px(area.h));
                let title = if hover.is_empty() {
                    String::new()
                } else {
                    format!("<title>{}</title>", escape(hover))
                };
                let fill = escape(fill);
                writeln!(
                    s,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"{fill}\">{title}</rect>"
                )
            }
            Item::Line { points, colour, width, dash, closed } => {
                let dash = match dash[..] {
                    [] => String::new(),
                    _ => format!(
                        " stroke-dasharray=\"{}\"",
                        dash.iter().map(|x| px(*x)).collect::<Vec<_>>().join(" ")
                    ),
                };
                let fill = if *closed { "#f2f2f2" } else { "none" };
                let join = if points.len() > 3 { " stroke-linejoin=\"round\"" } else { "" };
                writeln!(
                    s,
                    "<path d=\"{}\" fill=\"{fill}\" stroke=\"{colour}\" \
                     stroke-width=\"{width}\"{dash}{join}/>",
                    path(points, *closed)
                )
            }
            Item::Markers { points, .. } if points.is_empty() => Ok(()),
            Item::Markers { points, colour, radius, shape } => {
                let all: String = points.iter().map(|p| marker(*p, *radius, *shape)).collect();
                writeln!(s, "<path d=\"{all}\" fill=\"{colour}\"/>")
            }
            Item::Text(t) => {
                let anchor = match t.anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let (x, y) = (px(t.at[0]), px(t.at[1]));
                let position = if t.up {
                    format!("transform=\"translate({x} {y}) rotate(-90)\"")
                } else {
                    format!("x=\"{x}\" y=\"{y}\"")
                };
                let (size, colour, text) = (px(t.size), &t.colour, escape(&t.text));
                writeln!(s, "<text {position} font-size=\"{size}\"{anchor} fill=\"{colour}\">{text}</text>")
            }
        };
    }
    s + "</svg>\n"
}
