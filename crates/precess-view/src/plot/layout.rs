//! Layout: turns a figure into a drawing.

use crate::plot::drawing::{Anchor, Area, Drawing, Item, Text};
use crate::plot::figure::{Axis, Figure, Legend, Panel, Reference, Scale, Series, Style};
use crate::plot::legend::{self, Entry};
use crate::plot::ticks::{Label, RAISED, Ticks, ticks};
use crate::plot::{decimate, map, palette, slope, text};

/// Sizes of tick labels, captions, titles of panels and of the figure.
const TICK: f64 = 11.0;
const CAPTION: f64 = 12.0;
const TITLE: f64 = 13.0;
const HEADLINE: f64 = 16.0;
/// Around the figure and between panels.
const MARGIN: f64 = 10.0;
const GAP: f64 = 22.0;

/// Draws a figure.
pub fn draw(figure: &Figure) -> Drawing {
    let columns = figure.columns.clamp(1, figure.panels.len().max(1));
    let [w, h] = figure.panel_size.map(|x| if x.is_finite() { x.clamp(160.0, 4000.0) } else { 400.0 });
    let width = 2.0 * MARGIN + columns as f64 * w + (columns - 1) as f64 * GAP;
    let mut d = Drawing { width, ..Drawing::default() };
    let mut top = MARGIN;
    if !figure.title.is_empty() {
        let (title, size) = text::fit(&figure.title, HEADLINE, width - 2.0 * MARGIN);
        d.text(&title, [MARGIN, top + HEADLINE], size, Anchor::Start, palette::INK);
        top += HEADLINE + 14.0;
    }
    let mode = legend_mode(figure);
    let frames: Vec<Frame> = figure.panels.iter().map(|p| Frame::new(p, w, h)).collect();
    // Panels above one another share their left edge, panels beside one another their upper edge.
    let left =
        |n: usize| frames.iter().skip(n % columns).step_by(columns).map(|f| f.left).fold(0.0, f64::max);
    let head = |n: usize| {
        let row = &figure.panels[n / columns * columns..figure.panels.len().min((n / columns + 1) * columns)];
        let title = if row.iter().any(|p| !p.title.is_empty()) { TITLE + 8.0 } else { 4.0 };
        let names = if mode == Legend::Above {
            row.iter()
                .enumerate()
                .map(|(i, p)| legend::height(&legend::entries(p), w - left(i) - 4.0))
                .fold(0.0, f64::max)
        } else {
            0.0
        };
        (title, names)
    };
    let mut y = top;
    for (n, panel) in figure.panels.iter().enumerate() {
        let x = MARGIN + (n % columns) as f64 * (w + GAP);
        let (title, names) = head(n);
        let entries = legend::entries(panel);
        let side = if mode == Legend::Right && !entries.is_empty() {
            legend::column_width(&entries).min(0.5 * w) + 12.0
        } else {
            0.0
        };
        let left = left(n);
        let plot = Area {
            x: x + left,
            y: y + title + names,
            w: (w - left - side - 4.0).max(40.0),
            h: (h - title - names - frames[n].bottom).max(40.0),
        };
        let (name, size) = text::fit(&panel.title, TITLE, w - left);
        d.text(&name, [plot.x, y + TITLE], size, Anchor::Start, palette::INK);
        if mode == Legend::Above {
            legend::draw(&mut d, &entries, [plot.x, y + title - 2.0], plot.w);
        }
        if mode == Legend::Right {
            for (k, e) in entries.iter().enumerate() {
                let at = [plot.right() + 12.0, plot.y + k as f64 * legend::ROW];
                legend::draw(&mut d, std::slice::from_ref(e), at, side - 12.0);
            }
        }
        frames[n].draw(&mut d, n, panel, &plot, x);
        if n % columns == columns - 1 || n + 1 == figure.panels.len() {
            y += h + GAP;
        }
    }
    let mut bottom = if figure.panels.is_empty() { y } else { y - GAP + 8.0 };
    if mode == Legend::Shared {
        bottom += shared_legend(&mut d, figure, bottom);
    }
    for note in &figure.notes {
        let (note, size) = text::fit(note, TICK, width - 2.0 * MARGIN);
        bottom += 16.0;
        d.text(&note, [MARGIN, bottom - 4.0], size, Anchor::Start, palette::SOFT);
    }
    d.height = bottom + MARGIN;
    d
}

/// Position of the names of series.
fn legend_mode(figure: &Figure) -> Legend {
    match (figure.legend, &figure.panels[..]) {
        (Legend::Auto, [panel]) if legend::entries(panel).len() > 3 => Legend::Right,
        (Legend::Auto, _) => Legend::Above,
        (other, _) => other,
    }
}

/// One legend for all panels; returns its height.
fn shared_legend(d: &mut Drawing, figure: &Figure, top: f64) -> f64 {
    let mut all: Vec<Entry> = Vec::new();
    for e in figure.panels.iter().flat_map(legend::entries) {
        if !all.contains(&e) {
            all.push(e);
        }
    }
    let room = d.width - 2.0 * MARGIN;
    legend::draw(d, &all, [MARGIN, top], room);
    legend::height(&all, room)
}

/// Ranges of both axes in lengths, for a panel of about this size.
pub fn ranges(panel: &Panel, w: f64, h: f64) -> [[f64; 2]; 2] {
    let frame = Frame::new(panel, w, h);
    let plot = Area { x: 0.0, y: 0.0, w: (w - 70.0).max(40.0), h: (h - 60.0).max(40.0) };
    if panel.equal { frame.equalised(&plot) } else { [frame.x, frame.y] }
}

/// Ranges in lengths, and the space for labels.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
    left: f64,
    bottom: f64,
}

/// Smallest and largest of the values that can be shown.
fn extent(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|x| x.is_finite()).fold(None, |range, x| match range {
        None => Some([x, x]),
        Some([a, b]) => Some([a.min(x), b.max(x)]),
    })
}

/// Ends of an axis in lengths: given, or around the data with a margin.
fn ends(axis: &Axis, data: Option<[f64; 2]>, margin: f64) -> [f64; 2] {
    if let Some([a, b]) = axis.range.map(|r| r.map(|x| axis.scale.apply(x)))
        && a < b
    {
        return [a, b];
    }
    let Some([a, b]) = data else { return [0.0, 1.0] };
    let middle = 0.5 * (a + b);
    // A constant, up to rounding.
    if b - a <= 1e-13 * middle.abs() || b - a < 1e-290 {
        let half = match axis.scale {
            Scale::Log => 0.5,
            Scale::Linear if middle == 0.0 => 1.0,
            Scale::Linear => 0.05 * middle.abs(),
        };
        return [middle - half, middle + half];
    }
    let ends = [a - margin * (b - a), b + margin * (b - a)];
    // Limited to powers of ten that numbers can have.
    if axis.scale == Scale::Log { ends.map(|x| x.clamp(-307.0, 308.0)) } else { ends }
}

/// True if neighbouring labels of the vertical axis do not overlap.
fn fits_up(_: &Label, _: &Label, gap: f64) -> bool {
    gap >= 1.6 * TICK
}

/// True if neighbouring labels of the horizontal axis do not overlap.
fn fits_along(a: &Label, b: &Label, gap: f64) -> bool {
    gap >= 0.5 * (a.width(TICK) + b.width(TICK)) + 9.0
}

impl Frame {
    fn new(panel: &Panel, w: f64, h: f64) -> Frame {
        let bottom = 6.0 + TICK + 4.0 + if panel.x.caption().is_empty() { 0.0 } else { CAPTION + 8.0 };
        let caption = if panel.y.caption().is_empty() { 4.0 } else { CAPTION + 10.0 };
        if let Some(map) = &panel.map {
            return Frame { x: [0.0, 1.0], y: [0.0, 1.0], left: caption + map::left(map), bottom };
        }
        // Only points that are visible on both axes count.
        let visible = || {
            let points = panel.series.iter().flat_map(|s| s.points());
            points
                .map(|[x, y]| [panel.x.scale.apply(x), panel.y.scale.apply(y)])
                .filter(|p| !(p[0] + p[1]).is_nan())
        };
        // Histories fill the panel from side to side; other curves do not touch its frame.
        let history = |s: &Series| s.style == Style::Line && s.x.windows(2).all(|p| !(p[0] > p[1]));
        let filled = panel.x.scale == Scale::Linear && !panel.equal && panel.series.iter().all(history);
        let margin = if filled { 0.0 } else { 0.05 };
        let x = ends(&panel.x, extent(visible().map(|p| p[0])), margin);
        let levels = panel.references.iter().filter_map(|r| match r {
            Reference::Horizontal(y, _) => Some(panel.y.scale.apply(*y)),
            Reference::Vertical(..) => None,
        });
        let y = ends(&panel.y, extent(visible().map(|p| p[1]).chain(levels)), 0.06);
        let t = ticks(panel.y.scale, y, h - bottom - 40.0, &fits_up);
        let widest = t.major.iter().map(|(_, l)| l.width(TICK)).fold(0.0, f64::max).max(18.0);
        Frame { x, y, left: (caption + widest + 10.0).min(0.5 * w), bottom }
    }

    /// Extends one range until a unit has the same length on both axes.
    fn equalised(&self, plot: &Area) -> [[f64; 2]; 2] {
        let unit = (plot.w / (self.x[1] - self.x[0])).min(plot.h / (self.y[1] - self.y[0]));
        let wide = |r: [f64; 2], room: f64| {
            let (middle, half) = (0.5 * (r[0] + r[1]), 0.5 * room / unit);
            [middle - half, middle + half]
        };
        [wide(self.x, plot.w), wide(self.y, plot.h)]
    }

    fn draw(&self, d: &mut Drawing, n: usize, panel: &Panel, plot: &Area, left: f64) {
        if let Some(map) = &panel.map {
            captions(d, [panel.x.caption(), panel.y.caption()], plot, left);
            map::draw(d, map, plot);
            return;
        }
        let [x, y] = if panel.equal { self.equalised(plot) } else { [self.x, self.y] };
        let unit = [plot.w / (x[1] - x[0]), plot.h / (y[1] - y[0])];
        let pixel = |p: [f64; 2]| [plot.x + (p[0] - x[0]) * unit[0], plot.bottom() - (p[1] - y[0]) * unit[1]];
        let (along, up) =
            (ticks(panel.x.scale, x, plot.w, &fits_along), ticks(panel.y.scale, y, plot.h, &fits_up));
        captions(d, [scaled(&panel.x, &along), scaled(&panel.y, &up)], plot, left);
        axis_x(d, &along, plot, &|v| pixel([v, 0.0])[0]);
        axis_y(d, &up, plot, &|v| pixel([0.0, v])[1]);
        let (a, b) = ([plot.x, plot.bottom()], [plot.right(), plot.y]);
        d.line(&[[a[0], b[1]], a, [b[0], a[1]]], palette::INK, 1.0, &[]);
        let mut taken: Vec<Area> = Vec::new();
        let mut curves: Vec<Vec<[f64; 2]>> = Vec::new();
        let mut own: Vec<Option<[f64; 2]>> = Vec::new();
        for (k, s) in panel.series.iter().enumerate() {
            let (colour, dash, shape) = legend::look(panel, k);
            let points: Vec<[f64; 2]> =
                s.points().map(|p| pixel([panel.x.scale.apply(p[0]), panel.y.scale.apply(p[1])])).collect();
            let inside: Vec<[f64; 2]> =
                points.iter().copied().filter(|p| plot.grown(0.01).clip(*p, *p).is_some()).collect();
            own.push(inside.get(inside.len() / 2).copied());
            if s.style.has_line() {
                for piece in pieces(&points, plot) {
                    let piece = decimate::curve(&piece);
                    d.line(&piece, colour, 1.6, dash);
                    curves.push(piece);
                }
            }
            // Markers on a long curve would look like a thick line; a single point between gaps is visible
            // only by its marker.
            if let Some(radius) = s.style.radius() {
                let dots = s.style == Style::Dots && inside.windows(2).all(|p| p[0][0] <= p[1][0]);
                let (points, shape) =
                    if dots { (decimate::columns(&inside, 1.0), 0) } else { (inside, shape) };
                curves.extend(points.iter().map(|p| vec![*p, *p]));
                d.items.push(Item::Markers { points, colour: colour.to_string(), radius, shape });
            }
        }
        if own.iter().all(Option::is_none) && !panel.series.is_empty() {
            let at = [plot.x + 0.5 * plot.w, plot.y + 0.5 * plot.h];
            d.text("no values to show", at, CAPTION, Anchor::Middle, palette::REFERENCE);
        }
        references(d, panel, plot, &pixel, &curves, &mut taken);
        for s in &panel.slopes {
            let target = s.near.and_then(|k| own.get(k).copied().flatten());
            let target = target.unwrap_or([plot.x + 0.65 * plot.w, plot.y + 0.6 * plot.h]);
            let order = format!("{}", (s.order * 100.0).round() / 100.0).replace('-', "\u{2212}");
            let room = text::width(&order, TICK) + 6.0;
            let Some(t) = slope::find_space(s, plot, unit, &curves, &taken, target, room) else { continue };
            let [corner, along, up] = t.corners;
            let (points, colour) = (vec![corner, along, up], palette::SOFT.to_string());
            d.items.push(Item::Line { points, colour, width: 1.0, dash: Vec::new(), closed: true });
            d.text("1", [0.5 * (corner[0] + along[0]), corner[1] + 11.5], TICK, Anchor::Middle, palette::INK);
            let (shift, anchor) = if s.order > 0.0 { (4.0, Anchor::Start) } else { (-4.0, Anchor::End) };
            let middle = 0.5 * (corner[1] + up[1]) + 0.36 * TICK;
            d.text(&order, [corner[0] + shift, middle], TICK, anchor, palette::INK);
            taken.push(t.area.grown(4.0));
            let value = |scale: Scale, v: f64| if scale == Scale::Log { 10_f64.powf(v) } else { v };
            let data = t.corners.map(|p| {
                let v = [x[0] + (p[0] - plot.x) / unit[0], y[0] + (plot.bottom() - p[1]) / unit[1]];
                [value(panel.x.scale, v[0]), value(panel.y.scale, v[1])]
            });
            d.triangles.push((n, data, s.order));
        }
    }
}

/// Parts of a curve inside the panel, between gaps.
fn pieces(points: &[[f64; 2]], plot: &Area) -> Vec<Vec<[f64; 2]>> {
    let area = plot.grown(0.01);
    let mut out: Vec<Vec<[f64; 2]>> = Vec::new();
    let mut open = false;
    for p in points.windows(2) {
        if p.iter().flatten().any(|x| !x.is_finite()) {
            open = false;
            continue;
        }
        let Some([a, b]) = area.clip(p[0], p[1]) else {
            open = false;
            continue;
        };
        match out.last_mut() {
            Some(last) if open && a == p[0] => last.push(b),
            _ => out.push(vec![a, b]),
        }
        open = b == p[1];
    }
    out
}

fn captions(d: &mut Drawing, [below, beside]: [String; 2], plot: &Area, left: f64) {
    let (caption, size) = text::fit(&below, CAPTION, plot.w);
    let at = [plot.x + 0.5 * plot.w, plot.bottom() + 6.0 + TICK + 4.0 + CAPTION + 2.0];
    d.text(&caption, at, size, Anchor::Middle, palette::INK);
    let (text, size) = text::fit(&beside, CAPTION, plot.h);
    if !text.is_empty() {
        let at = [left + CAPTION, plot.y + 0.5 * plot.h];
        let colour = palette::INK.to_string();
        d.items.push(Item::Text(Text { text, at, size, anchor: Anchor::Middle, up: true, colour }));
    }
}

/// The caption with the common part of the labels: "E, 10^-7 J", "E - 5435.69, J".
fn scaled(axis: &Axis, t: &Ticks) -> String {
    let mut axis = axis.clone();
    if t.offset != 0.0 {
        let sign = if t.offset > 0.0 { "\u{2212}" } else { "+" };
        axis.label = format!("{} {sign} {}", axis.label, t.offset.abs());
    }
    if t.factor != 0 {
        const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
        let raise = |c: char| c.to_digit(10).map_or('⁻', |n| RAISED[n as usize]);
        let exponent: String = t.factor.to_string().chars().map(raise).collect();
        axis.unit = format!("10{exponent} {}", axis.unit).trim_end().to_string();
    }
    axis.caption()
}

/// Draws a label with its superscript exponent; `at` is the left end of its baseline.
fn label(d: &mut Drawing, l: &Label, at: [f64; 2]) {
    // Both parts meet at one point, for any font.
    let x = at[0] + text::width(&l.text, TICK);
    if l.exponent.is_empty() {
        d.text(&l.text, at, TICK, Anchor::Start, palette::SOFT);
    } else {
        d.text(&l.text, [x, at[1]], TICK, Anchor::End, palette::SOFT);
        d.text(&l.exponent, [x + 0.5, at[1] - 0.42 * TICK], RAISED * TICK, Anchor::Start, palette::SOFT);
    }
}

fn axis_x(d: &mut Drawing, t: &Ticks, plot: &Area, pixel: &dyn Fn(f64) -> f64) {
    let bottom = plot.bottom();
    for (v, _) in &t.major {
        d.line(&[[pixel(*v), plot.y], [pixel(*v), bottom]], palette::GRID, 1.0, &[]);
    }
    for v in &t.minor {
        d.line(&[[pixel(*v), bottom], [pixel(*v), bottom + 2.5]], palette::INK, 0.6, &[]);
    }
    for (v, l) in &t.major {
        let x = pixel(*v);
        d.line(&[[x, bottom], [x, bottom + 5.0]], palette::INK, 1.0, &[]);
        label(d, l, [x - 0.5 * l.width(TICK), bottom + 6.0 + TICK + 1.0]);
    }
}

fn axis_y(d: &mut Drawing, t: &Ticks, plot: &Area, pixel: &dyn Fn(f64) -> f64) {
    for (v, _) in &t.major {
        d.line(&[[plot.x, pixel(*v)], [plot.right(), pixel(*v)]], palette::GRID, 1.0, &[]);
    }
    for v in &t.minor {
        d.line(&[[plot.x - 2.5, pixel(*v)], [plot.x, pixel(*v)]], palette::INK, 0.6, &[]);
    }
    for (v, l) in &t.major {
        let y = pixel(*v);
        d.line(&[[plot.x - 5.0, y], [plot.x, y]], palette::INK, 1.0, &[]);
        label(d, l, [plot.x - 8.0 - l.width(TICK), y + 0.36 * TICK]);
    }
}

/// A label this near to a line, in pixels, is read as the label of that line.
const BESIDE: f64 = 6.0;

/// Lines through the panel, with their texts where there is no curve.
fn references(
    d: &mut Drawing,
    panel: &Panel,
    plot: &Area,
    pixel: &dyn Fn([f64; 2]) -> [f64; 2],
    curves: &[Vec<[f64; 2]>],
    taken: &mut Vec<Area>,
) {
    for r in &panel.references {
        let (ends, said) = match r {
            Reference::Horizontal(y, said) => {
                let y = pixel([0.0, panel.y.scale.apply(*y)])[1];
                ([[plot.x, y], [plot.right(), y]], said)
            }
            Reference::Vertical(x, said) => {
                let x = pixel([panel.x.scale.apply(*x), 0.0])[0];
                ([[x, plot.y], [x, plot.bottom()]], said)
            }
        };
        let inside = |p: &[f64; 2]| plot.grown(0.01).contains(&Area { x: p[0], y: p[1], w: 0.0, h: 0.0 });
        if !ends.iter().all(inside) {
            continue;
        }
        d.line(&ends, palette::REFERENCE, 1.0, palette::dash(1));
        if said.is_empty() {
            continue;
        }
        let length = text::width(said, TICK);
        let candidates = (0..=20).flat_map(|i| [false, true].map(|other| (f64::from(i) / 20.0, other)));
        let text = |(s, other): (f64, bool)| {
            let at = match r {
                Reference::Horizontal(..) => [
                    plot.right() - 4.0 - length - s * (plot.w - length - 8.0),
                    ends[0][1] + if other { 12.0 } else { -4.0 },
                ],
                Reference::Vertical(..) => {
                    let x = if other { ends[0][0] - 4.0 - length } else { ends[0][0] + 4.0 };
                    [x, plot.y + 12.0 + s * (plot.h - 16.0)]
                }
            };
            Text {
                text: said.clone(),
                at,
                size: TICK,
                anchor: Anchor::Start,
                up: false,
                colour: palette::SOFT.to_string(),
            }
        };
        // Beside another line, it would seem to belong to that one.
        let nearer = |area: &Area| {
            panel.references.iter().any(|other| match (other, r) {
                (Reference::Vertical(o, _), Reference::Vertical(own, _)) if o != own => {
                    let x = pixel([panel.x.scale.apply(*o), 0.0])[0];
                    x > area.x - BESIDE && x < area.x + area.w + BESIDE
                }
                _ => false,
            })
        };
        let free = candidates.map(text).find(|t| {
            let area = t.area().grown(2.0);
            plot.contains(&area)
                && !nearer(&area)
                && !taken.iter().any(|a| a.overlaps(&area))
                && !curves.iter().flat_map(|c| c.windows(2)).any(|s| area.clip(s[0], s[1]).is_some())
        });
        if let Some(t) = free {
            taken.push(t.area().grown(2.0));
            d.items.push(Item::Text(t));
        }
    }
}
