//! Coloured cells.

use crate::plot::drawing::{Anchor, Area, Drawing, Item};
use crate::plot::figure::Map;
use crate::plot::{palette, text};

const SIZE: f64 = 10.0;

/// Space for the names of the rows.
pub fn left(map: &Map) -> f64 {
    map.y.iter().map(|name| text::width(name, SIZE)).fold(0.0, f64::max) + 6.0
}

/// Fill of a cell and its text.
fn look(map: &Map, k: usize) -> Option<(String, String)> {
    let cell = map.cells.get(k)?;
    match cell.class {
        Some(class) => map.classes.get(class).map(|(name, colour)| (colour.clone(), name.clone())),
        None => {
            let value = map.scale.apply(cell.value);
            let [low, high] = map.values.1.map(|x| map.scale.apply(x));
            let shade = if low < high { (value - low) / (high - low) } else { palette::CONSTANT };
            value.is_finite().then(|| (palette::sequential(shade), format!("{:.3e}", cell.value)))
        }
    }
}

/// Draws the cells and the names of rows and columns.
pub fn draw(d: &mut Drawing, map: &Map, plot: &Area) {
    let (w, h) = (plot.w / map.x.len().max(1) as f64, plot.h / map.y.len().max(1) as f64);
    let mut dots = Vec::new();
    for (k, row) in map.y.iter().enumerate() {
        for (i, column) in map.x.iter().enumerate() {
            let n = k * map.x.len() + i;
            let area = Area { x: plot.x + i as f64 * w, y: plot.y + k as f64 * h, w, h };
            if let Some((fill, said)) = look(map, n) {
                d.items.push(Item::Rect { area, fill, hover: format!("{column}, {row}: {said}") });
            }
            if map.cells.get(n).is_some_and(|c| c.marked) {
                dots.push([area.x + 0.5 * w, area.y + 0.5 * h]);
            }
        }
    }
    let radius = (0.16 * w.min(h)).max(1.0);
    // A dark rim makes white visible on light cells.
    for (colour, radius) in [("#444444", radius + 0.8), ("#ffffff", radius)] {
        d.items.push(Item::Markers { points: dots.clone(), colour: colour.to_string(), radius, shape: 0 });
    }
    let widest = map.x.iter().map(|name| text::width(name, SIZE)).fold(0.0, f64::max);
    let stride = ((widest + 6.0) / w).ceil().max(1.0) as usize;
    for (i, name) in map.x.iter().enumerate().step_by(stride) {
        d.text(
            name,
            [plot.x + (i as f64 + 0.5) * w, plot.bottom() + 14.0],
            SIZE,
            Anchor::Middle,
            palette::SOFT,
        );
    }
    let stride = ((SIZE + 3.0) / h).ceil().max(1.0) as usize;
    for (k, name) in map.y.iter().enumerate().step_by(stride) {
        let y = plot.y + (k as f64 + 0.5) * h + 0.36 * SIZE;
        d.text(name, [plot.x - 5.0, y], SIZE, Anchor::End, palette::SOFT);
    }
}
