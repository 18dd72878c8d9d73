//! Draws the joints and forces of the book: `cargo run --release -p precess --example sketches [FOLDER]`.
//!
//! Grey is the first body, blue the second, orange what it may do, red what acts on it. Lines are projected
//! isometrically with z up, and drawn from back to front as they are written down.

use std::f64::consts::{PI, TAU};

type P = [f64; 3];

const GREY: &str = "#cfd4da";
const BLUE: &str = "#a9cdf0";
const LINE: &str = "#39424e";
const FREE: &str = "#d9730d";
const ACTS: &str = "#c62828";
const X: P = [1.0, 0.0, 0.0];
const Y: P = [0.0, 1.0, 0.0];
const Z: P = [0.0, 0.0, 1.0];
const O: P = [0.0; 3];

fn add(a: P, b: P, s: f64) -> P {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// Two directions perpendicular to an axis of the coordinate system, in the order of a right-handed frame.
fn across(axis: P) -> (P, P) {
    if axis == X {
        (Y, Z)
    } else if axis == Y {
        (Z, X)
    } else {
        (X, Y)
    }
}

/// Points of a circle about an axis, from one angle to another.
fn arc(at: P, axis: P, radius: f64, from: f64, to: f64) -> Vec<P> {
    let (e, f) = across(axis);
    (0..=36)
        .map(|i| {
            let (sin, cos) = (from + (to - from) * f64::from(i) / 36.0).sin_cos();
            add(add(at, e, radius * cos), f, radius * sin)
        })
        .collect()
}

/// Isometric, x to the lower left, y to the lower right, z up; 46 pixels per unit around (110, 88).
fn project(p: P) -> [f64; 2] {
    [110.0 + 46.0 * 0.866 * (p[1] - p[0]), 88.0 + 46.0 * (0.5 * (p[0] + p[1]) - p[2])]
}

fn points(list: &[[f64; 2]]) -> String {
    list.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect::<Vec<_>>().join(" ")
}

/// Convex hull, counted around (Andrew's monotone chain).
fn hull(mut list: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    list.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    let mut out: Vec<[f64; 2]> = Vec::new();
    for pass in 0..2 {
        let floor = out.len() + 1;
        for p in &list {
            let left = |o: [f64; 2], a: [f64; 2]| {
                (a[0] - o[0]) * (p[1] - o[1]) - (a[1] - o[1]) * (p[0] - o[0]) > 0.0
            };
            while out.len() > floor && !left(out[out.len() - 2], out[out.len() - 1]) {
                out.pop();
            }
            out.push(*p);
        }
        out.pop();
        if pass == 0 {
            list.reverse();
        }
    }
    out
}

/// A sketch in the making.
#[derive(Default)]
struct Sketch(String);

impl Sketch {
    fn polygon(mut self, at: &[[f64; 2]], fill: &str) -> Self {
        self.0 += &format!("<polygon points=\"{}\" fill=\"{fill}\"/>\n", points(at));
        self
    }

    fn line(mut self, path: &[P], style: &str) -> Self {
        let flat: Vec<_> = path.iter().map(|p| project(*p)).collect();
        self.0 += &format!("<polyline points=\"{}\" fill=\"none\" {style}/>\n", points(&flat));
        self
    }

    /// A cuboid by its centre and half lengths.
    fn cuboid(self, at: P, half: P, fill: &str) -> Self {
        let c =
            |x: f64, y: f64, z: f64| project([at[0] + x * half[0], at[1] + y * half[1], at[2] + z * half[2]]);
        let (top, m) = ([c(-1., -1., 1.), c(1., -1., 1.), c(1., 1., 1.), c(-1., 1., 1.)], 1.0);
        let left = [c(m, -1., 1.), c(m, 1., 1.), c(m, 1., -1.), c(m, -1., -1.)];
        let right = [c(1., m, 1.), c(-1., m, 1.), c(-1., m, -1.), c(1., m, -1.)];
        self.polygon(&top, fill).polygon(&left, fill).polygon(&right, fill)
    }

    /// A cylinder between two points of an axis, the second one in front.
    fn cylinder(self, back: P, axis: P, length: f64, radius: f64, fill: &str) -> Self {
        let flat = |p: P| arc(p, axis, radius, 0.0, TAU).into_iter().map(project).collect::<Vec<_>>();
        let (far, near) = (flat(back), flat(add(back, axis, length)));
        self.polygon(&hull([far, near.clone()].concat()), fill).polygon(&hull(near), fill)
    }

    fn ball(mut self, at: P, radius: f64, fill: &str) -> Self {
        let [x, y] = project(at);
        self.0 +=
            &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\"/>\n", 50.0 * radius);
        self
    }

    /// A dash-dotted axis with a name at its end.
    fn axis(self, from: P, to: P, name: &str) -> Self {
        let axis = self.line(&[from, to], "stroke-dasharray=\"7 3 1.5 3\" stroke-width=\"1\"");
        // Beside the end of the line, never on it.
        let by = if project(to)[0] < project(from)[0] - 1.0 { [-15.0, -2.0] } else { [5.0, -3.0] };
        if name.is_empty() { axis } else { axis.label(to, by, name) }
    }

    /// Text near a point; `_` and what follows it becomes an index.
    fn label(mut self, at: P, by: [f64; 2], text: &str) -> Self {
        let ([x, y], (stem, index)) = (project(at), text.split_once('_').unwrap_or((text, "")));
        self.0 += &format!("<text x=\"{:.1}\" y=\"{:.1}\">{stem}", x + by[0], y + by[1]);
        if !index.is_empty() {
            self.0 += &format!("<tspan dy=\"3\" font-size=\"9\">{index}</tspan>");
        }
        self.0 += "</text>\n";
        self
    }

    /// A curve that ends in an arrow, at both ends if `both`.
    fn arrow(self, path: &[P], colour: &str, both: bool) -> Self {
        let start = if both { format!(" marker-start=\"url(#{})\"", &colour[1..]) } else { String::new() };
        let end = format!(" marker-end=\"url(#{})\"", &colour[1..]);
        self.line(path, &format!("stroke=\"{colour}\" stroke-width=\"2\"{start}{end}"))
    }

    /// May move along a line.
    fn slides(self, at: P, axis: P, reach: f64) -> Self {
        self.arrow(&[add(at, axis, -reach), add(at, axis, reach)], FREE, true)
    }

    /// May turn about an axis.
    fn turns(self, at: P, axis: P, radius: f64, from: f64, to: f64) -> Self {
        self.arrow(&arc(at, axis, radius, from, to), FREE, true)
    }

    /// A zigzag between two points.
    fn zigzag(self, from: P, to: P, out: P, n: usize) -> Self {
        let along: P = std::array::from_fn(|i| to[i] - from[i]);
        let mut path = vec![from, add(from, along, 0.12)];
        for i in 0..n {
            let s = 0.12 + 0.76 * (i as f64 + 0.5) / n as f64;
            path.push(add(add(from, along, s), out, if i % 2 == 0 { 0.13 } else { -0.13 }));
        }
        path.extend([add(from, along, 0.88), to]);
        self.line(&path, "stroke-width=\"1.4\"")
    }

    fn svg(&self) -> String {
        let mut text = String::from(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 220 \
             176\" width=\"220\" height=\"176\">\n\
             <rect width=\"220\" height=\"176\" rx=\"8\" fill=\"#ffffff\"/>\n<defs>\n",
        );
        for colour in [FREE, ACTS, LINE] {
            text += &format!(
                "<marker id=\"{}\" viewBox=\"0 0 8 \
                 8\" refX=\"6\" refY=\"4\" markerWidth=\"5\" markerHeight=\"5\" \
                 orient=\"auto-start-reverse\"><path d=\"M0,0.5 L8,4 L0,7.5 \
                 z\" fill=\"{colour}\" stroke=\"none\"/></marker>\n",
                &colour[1..]
            );
        }
        text += &format!(
            "</defs>\n<g stroke=\"{LINE}\" stroke-width=\"1.1\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{}</g>\n</svg>\n",
            self.0.replace(
                "<text",
                &format!("<text stroke=\"none\" fill=\"{LINE}\" font-family=\"sans-serif\" font-size=\"12\"")
            )
        );
        text
    }
}

fn new() -> Sketch {
    Sketch::default()
}

/// A stop at an angle of the hinge, seen along its axis.
fn stop(a: f64) -> [[f64; 3]; 2] {
    [0.75, 1.15].map(|r| [r * a.sin(), 0.5, r * a.cos()])
}

/// A hinge: a bearing on a base, and an arm on its pin.
fn hinge() -> Sketch {
    new()
        .axis(add(O, Y, -1.6), O, "")
        .cuboid([0.0, -0.45, -0.75], [0.35, 0.35, 0.5], GREY)
        .cylinder([0.0, -0.8, 0.0], Y, 0.7, 0.32, GREY)
        .cylinder([0.0, 0.0, 0.0], Y, 0.35, 0.32, BLUE)
        .cuboid([-0.95, 0.17, 0.0], [0.7, 0.12, 0.16], BLUE)
        .cylinder([0.0, 0.0, 0.0], Y, 0.35, 0.32, BLUE)
        .axis([0.0, 0.35, 0.0], [0.0, 1.7, 0.0], "a_3")
}

/// A rail along y and a carriage on it.
fn guide() -> Sketch {
    new()
        .cuboid([0.0, 0.0, -0.35], [0.28, 1.6, 0.14], GREY)
        .cuboid([0.0, 0.0, 0.0], [0.5, 0.5, 0.26], BLUE)
        .axis([0.0, 0.5, 0.0], [0.0, 1.8, 0.0], "a_3")
}

/// All sketches by name.
fn sketches() -> Vec<(&'static str, Sketch)> {
    vec![
        (
            "spherical",
            new()
                .cuboid([0.0, 0.0, -1.15], [0.5, 0.5, 0.25], GREY)
                .cylinder([0.0, 0.0, -0.9], Z, 0.5, 0.3, GREY)
                .ball(O, 0.62, GREY)
                .ball(O, 0.47, BLUE)
                .cylinder([0.0, 0.0, 0.3], Z, 1.0, 0.14, BLUE)
                .turns([0.0, 0.0, 1.0], Z, 0.4, -0.6, 3.6)
                .turns(O, X, 1.1, 0.3, 1.0)
                .turns(O, Y, 1.1, 0.55, 1.25),
        ),
        ("revolute", hinge().turns([0.0, 0.8, 0.0], Y, 0.5, -2.4, 2.0)),
        ("prismatic", guide().slides([0.0, 0.0, 0.62], Y, 0.75)),
        (
            "universal",
            new()
                .cylinder([0.0, -1.7, 0.0], Y, 1.0, 0.15, GREY)
                .cuboid([-0.55, -0.35, 0.0], [0.07, 0.4, 0.14], GREY)
                .cuboid([0.0, -0.7, 0.0], [0.62, 0.07, 0.14], GREY)
                .cylinder([-0.55, 0.0, 0.0], X, 1.1, 0.09, "#eef0f2")
                .cylinder([0.0, 0.0, -0.5], Z, 1.0, 0.09, "#eef0f2")
                .cuboid([0.55, -0.35, 0.0], [0.07, 0.4, 0.14], GREY)
                .cuboid([0.0, 0.35, -0.5], [0.14, 0.4, 0.07], BLUE)
                .cuboid([0.0, 0.35, 0.5], [0.14, 0.4, 0.07], BLUE)
                .cuboid([0.0, 0.72, 0.0], [0.14, 0.07, 0.57], BLUE)
                .cylinder([0.0, 0.79, 0.0], Y, 0.7, 0.15, BLUE)
                .axis([0.62, 0.0, 0.0], [1.6, 0.0, 0.0], "")
                .label([1.6, 0.0, 0.0], [-16.0, 8.0], "a_1")
                .axis([0.0, 0.0, 0.55], [0.0, 0.0, 1.3], "b_2")
                .turns([1.15, 0.0, 0.0], X, 0.28, -2.0, 2.0)
                .turns([0.0, 0.0, 1.0], Z, 0.28, -0.6, 3.4),
        ),
        (
            "cylindrical",
            new()
                .axis([0.0, -1.9, 0.0], O, "")
                .cylinder([0.0, -1.6, 0.0], Y, 1.2, 0.2, GREY)
                .cylinder([0.0, -0.5, 0.0], Y, 1.0, 0.45, BLUE)
                .cylinder([0.0, 0.5, 0.0], Y, 0.9, 0.2, GREY)
                .axis([0.0, 1.4, 0.0], [0.0, 2.0, 0.0], "a_3")
                .slides([0.0, 0.0, 0.75], Y, 0.75)
                .turns([0.0, 0.95, 0.0], Y, 0.45, -2.2, 1.7),
        ),
        (
            "screw",
            (0..9).fold(
                new()
                    .axis([0.0, -1.9, 0.0], O, "")
                    .cylinder([0.0, -1.6, 0.0], Y, 1.2, 0.2, GREY)
                    .cylinder([0.0, -0.35, 0.0], Y, 0.7, 0.45, BLUE)
                    .cylinder([0.0, 0.35, 0.0], Y, 1.05, 0.2, GREY)
                    .axis([0.0, 1.4, 0.0], [0.0, 2.0, 0.0], "a_3")
                    .slides([0.0, 0.0, 0.75], Y, 0.75)
                    .turns([0.0, 0.9, 0.0], Y, 0.45, -2.2, 1.7),
                |sketch, k| {
                    let y = if k < 5 { -1.5 + 0.22 * k as f64 } else { 0.5 + 0.22 * (k - 5) as f64 };
                    let thread = [[0.2, y, -0.05], [0.1, y + 0.05, 0.18], [-0.12, y + 0.12, 0.16]];
                    sketch.line(&thread, "stroke-width=\"1.5\"")
                },
            ),
        ),
        (
            "planar",
            new()
                .cuboid([0.0, 0.0, -0.5], [1.2, 1.2, 0.1], GREY)
                .slides([0.0, 0.0, -0.4], X, 1.05)
                .slides([0.0, 0.0, -0.4], Y, 1.05)
                .cuboid([0.0, 0.0, -0.15], [0.5, 0.5, 0.25], BLUE)
                .axis([0.0, 0.0, 0.1], [0.0, 0.0, 1.2], "a_3")
                .turns([0.0, 0.0, 0.7], Z, 0.4, -0.6, 3.6),
        ),
        (
            "fixed",
            new()
                .cuboid([0.0, 0.0, -0.6], [0.9, 0.9, 0.3], GREY)
                .cuboid([0.0, 0.0, 0.15], [0.45, 0.45, 0.45], BLUE)
                .line(
                    &[[0.45, -0.45, -0.27], [0.45, 0.45, -0.27], [-0.45, 0.45, -0.27]],
                    "stroke-width=\"4\" stroke-dasharray=\"1 5\"",
                ),
        ),
        (
            "point_on_plane",
            new()
                .cuboid([0.0, 0.0, -0.6], [1.2, 1.2, 0.1], GREY)
                .slides([0.0, 0.0, -0.5], X, 0.95)
                .slides([0.0, 0.0, -0.5], Y, 0.95)
                .axis([-0.9, -0.9, -0.5], [-0.9, -0.9, 0.7], "a_3")
                .polygon(
                    &hull(
                        [O, [0.35, 0.35, 0.5], [-0.35, -0.35, 0.5], [0.35, -0.35, 0.5], [-0.35, 0.35, 0.5]]
                            .map(|p| project(if p == O { [0.0, 0.0, -0.45] } else { p }))
                            .to_vec(),
                    ),
                    BLUE,
                )
                .cuboid([0.0, 0.0, 0.65], [0.35, 0.35, 0.18], BLUE)
                .ball([0.0, 0.0, -0.47], 0.08, LINE)
                .turns([0.0, 0.0, 1.2], Z, 0.4, -0.6, 3.6)
                .turns([0.0, 0.0, -0.47], X, 1.1, 0.5, 1.1)
                .turns([0.0, 0.0, -0.47], Y, 1.1, 0.45, 1.05),
        ),
        (
            "point_on_line",
            new()
                .cylinder([0.0, -1.8, 0.0], Y, 3.4, 0.09, GREY)
                .cuboid([0.0, 0.0, 0.75], [0.35, 0.35, 0.3], BLUE)
                .line(&[O, [0.0, 0.0, 0.45]], "stroke-width=\"4\"")
                .ball(O, 0.2, BLUE)
                .axis([0.0, 1.6, 0.0], [0.0, 2.0, 0.0], "a_3")
                .slides([0.0, 0.1, -0.45], Y, 0.75)
                .turns([0.0, 0.0, 1.3], Z, 0.4, -0.6, 3.6)
                .turns(O, X, 1.15, 0.45, 1.05)
                .turns(O, Y, 1.15, 0.5, 1.1),
        ),
        (
            "rigid_distance",
            new()
                .cuboid([0.0, -1.15, -0.2], [0.4, 0.4, 0.4], GREY)
                .cylinder([0.0, -0.7, -0.2], Y, 1.35, 0.06, "#eef0f2")
                .ball([0.0, -0.72, -0.2], 0.13, LINE)
                .cuboid([0.0, 1.05, -0.2], [0.4, 0.4, 0.4], BLUE)
                .ball([0.0, 0.62, -0.2], 0.13, LINE)
                .label([0.0, -0.05, 0.0], [-3.0, -8.0], "L")
                .turns([0.0, -0.72, -0.2], Z, 1.0, 1.2, 2.2)
                .turns([0.0, -0.72, -0.2], X, 1.35, 0.3, 0.9),
        ),
        (
            "knife_edge",
            new()
                .cuboid([0.0, 0.0, -0.5], [1.15, 1.15, 0.1], GREY)
                .slides([0.0, 0.0, -0.4], Y, 1.05)
                .cuboid([0.0, 0.0, -0.25], [0.03, 0.5, 0.15], LINE)
                .cuboid([0.0, 0.0, 0.2], [0.3, 0.6, 0.3], BLUE)
                .axis([0.3, 0.0, 0.2], [1.4, 0.0, 0.2], "b_3")
                .turns([0.0, 0.0, 0.8], Z, 0.4, -0.6, 3.6),
        ),
        (
            "rolling",
            new()
                .cuboid([0.0, 0.0, -0.55], [1.1, 1.15, 0.1], GREY)
                .axis([-0.6, 0.9, -0.45], [-0.6, 0.9, 0.75], "a_3")
                .slides([0.0, 0.25, -0.45], Y, 0.85)
                .cylinder([-0.1, 0.0, 0.2], X, 0.2, 0.65, BLUE)
                .axis([0.1, 0.0, 0.2], [1.3, 0.0, 0.2], "b_3")
                .turns([0.8, 0.0, 0.2], X, 0.35, -2.0, 2.0),
        ),
        (
            "generic",
            new()
                .cuboid([0.0, 0.0, -0.75], [0.45, 0.45, 0.3], GREY)
                .cuboid([0.0, 0.0, 0.1], [0.4, 0.4, 0.4], BLUE)
                .arrow(&[[0.4, 0.0, 0.1], [1.5, 0.0, 0.1]], LINE, false)
                .arrow(&[[0.0, 0.4, 0.1], [0.0, 1.5, 0.1]], LINE, false)
                .arrow(&[[0.0, 0.0, 0.5], [0.0, 0.0, 1.45]], LINE, false)
                .label([1.5, 0.0, 0.1], [-10.0, 15.0], "tx, rx")
                .label([0.0, 1.5, 0.1], [-8.0, 15.0], "ty, ry")
                .label([0.0, 0.0, 1.45], [7.0, 4.0], "tz, rz"),
        ),
        (
            "drive",
            hinge().arrow(&arc([0.0, 0.8, 0.0], Y, 0.55, 2.2, -1.6), ACTS, false).label(
                [0.0, 0.8, 0.0],
                [26.0, 2.0],
                "x(t)",
            ),
        ),
        (
            "gear",
            new()
                .cylinder([0.75, -0.3, 0.0], Y, 0.35, 0.85, GREY)
                .cylinder([-0.65, -0.3, 0.0], Y, 0.35, 0.5, BLUE)
                .axis([0.75, 0.05, 0.0], [0.75, 1.0, 0.0], "x_1")
                .axis([-0.65, 0.05, 0.0], [-0.65, 1.0, 0.0], "x_2")
                .arrow(&arc([0.75, 0.06, 0.0], Y, 0.6, -0.3, 2.6), FREE, false)
                .arrow(&arc([-0.65, 0.06, 0.0], Y, 0.33, 3.0, 0.1), FREE, false),
        ),
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

/// File names and contents.
pub fn files() -> Vec<(String, String)> {
    sketches().into_iter().map(|(name, sketch)| (format!("{name}.svg"), sketch.svg())).collect()
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "book/pictures/elements".to_string());
    std::fs::create_dir_all(&folder)?;
    for (name, svg) in files() {
        std::fs::write(format!("{folder}/{name}"), svg)?;
    }
    Ok(())
}
