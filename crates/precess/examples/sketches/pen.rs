//! A pen: solids, lines, arrows and labels, projected isometrically.

use std::f64::consts::TAU;

pub type P = [f64; 3];

pub const GREY: &str = "#cfd4da";
pub const BLUE: &str = "#a9cdf0";
pub const LINE: &str = "#39424e";
pub const FREE: &str = "#d9730d";
pub const ACTS: &str = "#c62828";
pub const X: P = [1.0, 0.0, 0.0];
pub const Y: P = [0.0, 1.0, 0.0];
pub const Z: P = [0.0, 0.0, 1.0];
pub const O: P = [0.0; 3];

pub fn add(a: P, b: P, s: f64) -> P {
    std::array::from_fn(|i| a[i] + s * b[i])
}

/// Two directions perpendicular to an axis of the coordinate system, in the order of a right-handed frame.
pub fn across(axis: P) -> (P, P) {
    if axis == X {
        (Y, Z)
    } else if axis == Y {
        (Z, X)
    } else {
        (X, Y)
    }
}

/// Points of a circle about an axis, from one angle to another.
pub fn arc(at: P, axis: P, radius: f64, from: f64, to: f64) -> Vec<P> {
    let (e, f) = across(axis);
    (0..=36)
        .map(|i| {
            let (sin, cos) = (from + (to - from) * f64::from(i) / 36.0).sin_cos();
            add(add(at, e, radius * cos), f, radius * sin)
        })
        .collect()
}

/// Isometric, x to the lower left, y to the lower right, z up; 46 pixels per unit around (110, 88).
pub fn project(p: P) -> [f64; 2] {
    [110.0 + 46.0 * 0.866 * (p[1] - p[0]), 88.0 + 46.0 * (0.5 * (p[0] + p[1]) - p[2])]
}

pub fn points(list: &[[f64; 2]]) -> String {
    list.iter().map(|p| format!("{:.1},{:.1}", p[0], p[1])).collect::<Vec<_>>().join(" ")
}

/// Convex hull, counted around (Andrew's monotone chain).
pub fn hull(mut list: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
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
pub struct Sketch(String);

impl Sketch {
    pub fn polygon(mut self, at: &[[f64; 2]], fill: &str) -> Self {
        self.0 += &format!("<polygon points=\"{}\" fill=\"{fill}\"/>\n", points(at));
        self
    }

    pub fn line(mut self, path: &[P], style: &str) -> Self {
        let flat: Vec<_> = path.iter().map(|p| project(*p)).collect();
        self.0 += &format!("<polyline points=\"{}\" fill=\"none\" {style}/>\n", points(&flat));
        self
    }

    /// A cuboid by its centre and half lengths.
    pub fn cuboid(self, at: P, half: P, fill: &str) -> Self {
        let c =
            |x: f64, y: f64, z: f64| project([at[0] + x * half[0], at[1] + y * half[1], at[2] + z * half[2]]);
        let (top, m) = ([c(-1., -1., 1.), c(1., -1., 1.), c(1., 1., 1.), c(-1., 1., 1.)], 1.0);
        let left = [c(m, -1., 1.), c(m, 1., 1.), c(m, 1., -1.), c(m, -1., -1.)];
        let right = [c(1., m, 1.), c(-1., m, 1.), c(-1., m, -1.), c(1., m, -1.)];
        self.polygon(&top, fill).polygon(&left, fill).polygon(&right, fill)
    }

    /// A cylinder between two points of an axis, the second one in front.
    pub fn cylinder(self, back: P, axis: P, length: f64, radius: f64, fill: &str) -> Self {
        let flat = |p: P| arc(p, axis, radius, 0.0, TAU).into_iter().map(project).collect::<Vec<_>>();
        let (far, near) = (flat(back), flat(add(back, axis, length)));
        self.polygon(&hull([far, near.clone()].concat()), fill).polygon(&hull(near), fill)
    }

    pub fn ball(mut self, at: P, radius: f64, fill: &str) -> Self {
        let [x, y] = project(at);
        self.0 +=
            &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" fill=\"{fill}\"/>\n", 50.0 * radius);
        self
    }

    /// A dash-dotted axis with a name at its end.
    pub fn axis(self, from: P, to: P, name: &str) -> Self {
        let axis = self.line(&[from, to], "stroke-dasharray=\"7 3 1.5 3\" stroke-width=\"1\"");
        // Combine the end of the line, never on it.
        let by = if project(to)[0] < project(from)[0] - 1.0 { [-15.0, -2.0] } else { [5.0, -3.0] };
        if name.is_empty() { axis } else { axis.label(to, by, name) }
    }

    /// Text near a point; `_` and what follows it becomes an index.
    pub fn label(mut self, at: P, by: [f64; 2], text: &str) -> Self {
        let ([x, y], (stem, index)) = (project(at), text.split_once('_').unwrap_or((text, "")));
        self.0 += &format!("<text x=\"{:.1}\" y=\"{:.1}\">{stem}", x + by[0], y + by[1]);
        if !index.is_empty() {
            self.0 += &format!("<tspan dy=\"3\" font-size=\"9\">{index}</tspan>");
        }
        self.0 += "</text>\n";
        self
    }

    /// A curve that ends in an arrow, at both ends if `both`.
    pub fn arrow(self, path: &[P], colour: &str, both: bool) -> Self {
        let start = if both { format!(" marker-start=\"url(#{})\"", &colour[1..]) } else { String::new() };
        let end = format!(" marker-end=\"url(#{})\"", &colour[1..]);
        self.line(path, &format!("stroke=\"{colour}\" stroke-width=\"2\"{start}{end}"))
    }

    /// May move along a line.
    pub fn slides(self, at: P, axis: P, reach: f64) -> Self {
        self.arrow(&[add(at, axis, -reach), add(at, axis, reach)], FREE, true)
    }

    /// May turn about an axis.
    pub fn turns(self, at: P, axis: P, radius: f64, from: f64, to: f64) -> Self {
        self.arrow(&arc(at, axis, radius, from, to), FREE, true)
    }

    /// A zigzag between two points.
    pub fn zigzag(self, from: P, to: P, out: P, n: usize) -> Self {
        let along: P = std::array::from_fn(|i| to[i] - from[i]);
        let mut path = vec![from, add(from, along, 0.12)];
        for i in 0..n {
            let s = 0.12 + 0.76 * (i as f64 + 0.5) / n as f64;
            path.push(add(add(from, along, s), out, if i % 2 == 0 { 0.13 } else { -0.13 }));
        }
        path.extend([add(from, along, 0.88), to]);
        self.line(&path, "stroke-width=\"1.4\"")
    }

    pub fn svg(&self) -> String {
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

pub fn new() -> Sketch {
    Sketch::default()
}
