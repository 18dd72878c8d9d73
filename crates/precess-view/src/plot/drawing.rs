//! A figure as rectangles, lines, markers and texts: the common form of SVG and PNG, which tests examine.

use crate::plot::text;

/// A picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawing {
    /// Width in pixels.
    pub width: f64,
    /// Height in pixels.
    pub height: f64,
    /// Items, back to front.
    pub items: Vec<Item>,
    /// Slope triangles in data coordinates by panel: corner, end of the horizontal leg, end of the
    /// hypotenuse; and the order.
    pub triangles: Vec<(usize, [[f64; 2]; 3], f64)>,
}

/// One item.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A filled rectangle, with a text under the pointer if not empty.
    Rect {
        /// The rectangle.
        area: Area,
        /// Fill.
        fill: String,
        /// Text under the pointer.
        hover: String,
    },
    /// A line through points; closed lines are filled lightly.
    Line {
        /// Points.
        points: Vec<[f64; 2]>,
        /// Colour.
        colour: String,
        /// Width.
        width: f64,
        /// Dashes and gaps in pixels.
        dash: Vec<f64>,
        /// True to join the last point with the first.
        closed: bool,
    },
    /// Markers of one series.
    Markers {
        /// Centres.
        points: Vec<[f64; 2]>,
        /// Colour.
        colour: String,
        /// Radius.
        radius: f64,
        /// 0 disc, 1 square, 2 triangle, 3 diamond.
        shape: usize,
    },
    /// A text.
    Text(Text),
}

/// A text at a point of its baseline.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// Its content.
    pub text: String,
    /// Point of the baseline.
    pub at: [f64; 2],
    /// Font size.
    pub size: f64,
    /// The end of the text at the point.
    pub anchor: Anchor,
    /// True if turned by 90 degrees, reading upwards.
    pub up: bool,
    /// Colour.
    pub colour: String,
}

/// The end of a text at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Left.
    Start,
    /// Middle.
    Middle,
    /// Right.
    End,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// Left.
    pub x: f64,
    /// Top.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

impl Area {
    /// Right end.
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// Lower end.
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// True if the two overlap in more than a line.
    pub fn overlaps(&self, other: &Area) -> bool {
        self.x < other.right() && other.x < self.right() && self.y < other.bottom() && other.y < self.bottom()
    }

    /// True if the other lies inside.
    pub fn contains(&self, other: &Area) -> bool {
        self.x <= other.x
            && self.y <= other.y
            && other.right() <= self.right()
            && other.bottom() <= self.bottom()
    }

    /// Enlarged by a margin on all sides.
    pub fn grown(&self, by: f64) -> Area {
        Area { x: self.x - by, y: self.y - by, w: self.w + 2.0 * by, h: self.h + 2.0 * by }
    }

    /// The part of a segment inside (Liang and Barsky), if any; none if the segment is not finite.
    pub fn clip(&self, a: [f64; 2], b: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        if !a.iter().chain(&b).all(|x| x.is_finite()) {
            return None;
        }
        let (mut begin, mut end) = (0.0_f64, 1.0_f64);
        let d = [b[0] - a[0], b[1] - a[1]];
        for (p, q) in [
            (-d[0], a[0] - self.x),
            (d[0], self.right() - a[0]),
            (-d[1], a[1] - self.y),
            (d[1], self.bottom() - a[1]),
        ] {
            if p == 0.0 {
                if q < 0.0 {
                    return None;
                }
            } else if p < 0.0 {
                begin = begin.max(q / p);
            } else {
                end = end.min(q / p);
            }
        }
        let at = |s: f64| [a[0] + s * d[0], a[1] + s * d[1]];
        (begin <= end).then(|| [at(begin), at(end)])
    }
}

impl Text {
    /// The box around the text.
    pub fn area(&self) -> Area {
        let length = text::width(&self.text, self.size);
        let back = match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5 * length,
            Anchor::End => length,
        };
        // Capitals and figures reach 0.74 above the baseline, descenders 0.21 below.
        let (above, below) = (0.74 * self.size, 0.21 * self.size);
        let [x, y] = self.at;
        if self.up {
            Area { x: x - above, y: y - length + back, w: above + below, h: length }
        } else {
            Area { x: x - back, y: y - above, w: length, h: above + below }
        }
    }
}

impl Drawing {
    /// All texts.
    pub fn texts(&self) -> impl Iterator<Item = &Text> {
        self.items.iter().filter_map(|i| if let Item::Text(t) = i { Some(t) } else { None })
    }

    /// All curves and other lines.
    pub fn lines(&self) -> impl Iterator<Item = &[[f64; 2]]> {
        self.items
            .iter()
            .filter_map(|i| if let Item::Line { points, .. } = i { Some(&points[..]) } else { None })
    }

    pub(crate) fn text(&mut self, text: &str, at: [f64; 2], size: f64, anchor: Anchor, colour: &str) {
        if !text.is_empty() {
            let (text, colour) = (text.to_string(), colour.to_string());
            self.items.push(Item::Text(Text { text, at, size, anchor, up: false, colour }));
        }
    }

    pub(crate) fn line(&mut self, points: &[[f64; 2]], colour: &str, width: f64, dash: &[f64]) {
        let (points, colour, dash) = (points.to_vec(), colour.to_string(), dash.to_vec());
        self.items.push(Item::Line { points, colour, width, dash, closed: false });
    }
}
