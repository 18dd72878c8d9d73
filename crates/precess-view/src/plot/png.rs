//! PNG: the drawing painted by tiny-skia, texts as outlines of an embedded font.

use miniz_oxide::deflate::compress_to_vec_zlib;
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, PathBuilder, Pixmap, Rect, Stroke, StrokeDash, Transform,
};
use ttf_parser::{Face, OutlineBuilder};

use crate::plot::drawing::{Anchor, Drawing, Item, Text};
use crate::plot::figure::Figure;
use crate::plot::svg::corners;
use crate::plot::text;

const FONT: &[u8] = include_bytes!("../../assets/dejavu/DejaVuSans-subset.ttf");

pub(crate) fn font() -> Option<Face<'static>> {
    Face::parse(FONT, 0).ok()
}

/// The figure as a PNG file, `scale` pixels for each pixel of the SVG. `None` if its size cannot be painted.
pub fn render(figure: &Figure, scale: f64) -> Option<Vec<u8>> {
    write(&crate::plot::draw(figure), scale)
}

fn paint(colour: &str) -> Paint<'static> {
    let part =
        |k: usize| colour.get(1 + 2 * k..3 + 2 * k).and_then(|x| u8::from_str_radix(x, 16).ok()).unwrap_or(0);
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(part(0), part(1), part(2), 255);
    paint
}

fn outline(points: &[[f64; 2]], closed: bool) -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    for (i, p) in points.iter().enumerate() {
        let (x, y) = (p[0] as f32, p[1] as f32);
        if i == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// A drawing as a PNG file.
pub fn write(d: &Drawing, scale: f64) -> Option<Vec<u8>> {
    let mut map = Pixmap::new((d.width * scale).ceil() as u32, (d.height * scale).ceil() as u32)?;
    map.fill(Color::WHITE);
    let view = Transform::from_scale(scale as f32, scale as f32);
    let font = font()?;
    for item in &d.items {
        match item {
            Item::Rect { area, fill, .. } => {
                let rect = Rect::from_xywh(area.x as f32, area.y as f32, area.w as f32, area.h as f32);
                if let Some(rect) = rect {
                    map.fill_rect(rect, &Paint { anti_alias: false, ..paint(fill) }, view, None);
                }
            }
            Item::Line { points, colour, width, dash, closed } => {
                let Some(path) = outline(points, *closed) else { continue };
                if *closed {
                    map.fill_path(&path, &paint("#f2f2f2"), FillRule::Winding, view, None);
                }
                let dash = StrokeDash::new(dash.iter().map(|x| *x as f32).collect(), 0.0);
                let (line_cap, line_join) = (LineCap::Butt, LineJoin::Round);
                let stroke = Stroke { width: *width as f32, line_cap, line_join, dash, ..Stroke::default() };
                map.stroke_path(&path, &paint(colour), &stroke, view, None);
            }
            Item::Markers { points, colour, radius, shape } => {
                for p in points {
                    let path = match shape % 4 {
                        0 => PathBuilder::from_circle(p[0] as f32, p[1] as f32, *radius as f32),
                        n => outline(&corners(*p, *radius, n), true),
                    };
                    if let Some(path) = path {
                        map.fill_path(&path, &paint(colour), FillRule::Winding, view, None);
                    }
                }
            }
            Item::Text(t) => write_text(&mut map, &font, t, view),
        }
    }
    Some(encode(&map))
}

/// The file. Every pixel is opaque, so three bytes describe it.
fn encode(map: &Pixmap) -> Vec<u8> {
    let (width, height) = (map.width(), map.height());
    let mut rows = Vec::with_capacity(height as usize * (3 * width as usize + 1));
    for row in map.data().chunks_exact(4 * width as usize) {
        // No filter: the same colours lie side by side.
        rows.push(0);
        row.chunks_exact(4).for_each(|pixel| rows.extend_from_slice(&pixel[..3]));
    }
    // 8 bits per colour, red, green and blue, not interlaced.
    let size = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 2, 0, 0, 0]].concat();
    let mut out = b"\x89PNG\r\n\x1a\n".to_vec();
    for (kind, content) in [(b"IHDR", size), (b"IDAT", compress_to_vec_zlib(&rows, 4)), (b"IEND", vec![])] {
        let begin = out.len() + 4;
        out.extend((content.len() as u32).to_be_bytes());
        out.extend(kind);
        out.extend(content);
        out.extend(crc32fast::hash(&out[begin..]).to_be_bytes());
    }
    out
}

/// Outlines in units of the font, y upwards.
struct Glyphs(PathBuilder, f32);

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x + self.1, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x + self.1, y);
    }
    fn quad_to(&mut self, a: f32, b: f32, x: f32, y: f32) {
        self.0.quad_to(a + self.1, b, x + self.1, y);
    }
    fn curve_to(&mut self, a: f32, b: f32, c: f32, d: f32, x: f32, y: f32) {
        self.0.cubic_to(a + self.1, b, c + self.1, d, x + self.1, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

fn write_text(map: &mut Pixmap, font: &Face, t: &Text, view: Transform) {
    let size = t.size as f32 / f32::from(font.units_per_em());
    let mut glyphs = Glyphs(PathBuilder::new(), 0.0);
    for c in t.text.chars() {
        // Glyph 0 is the box for characters missing in a font.
        let glyph = font.glyph_index(c).unwrap_or_default();
        font.outline_glyph(glyph, &mut glyphs);
        glyphs.1 += f32::from(font.glyph_hor_advance(glyph).unwrap_or(0));
    }
    let back = match t.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => 0.5,
        Anchor::End => 1.0,
    } * text::width(&t.text, t.size) as f32;
    let Some(path) = glyphs.0.finish() else { return };
    let turn = if t.up { Transform::from_rotate(-90.0) } else { Transform::identity() };
    let transform = Transform::from_scale(size, -size)
        .post_translate(-back, 0.0)
        .post_concat(turn)
        .post_translate(t.at[0] as f32, t.at[1] as f32)
        .post_concat(view);
    map.fill_path(&path, &paint(&t.colour), FillRule::Winding, transform, None);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every part has the right checksum, and the pixels are those that were painted.
    #[test]
    fn files_contain_what_was_painted() {
        let mut map = Pixmap::new(3, 2).unwrap();
        map.fill(Color::WHITE);
        let rect = Rect::from_xywh(1.0, 1.0, 1.0, 1.0).unwrap();
        map.fill_rect(rect, &paint("#123456"), Transform::identity(), None);
        let file = encode(&map);
        let (mut rest, mut kinds, mut packed) = (&file[8..], Vec::new(), Vec::new());
        while let Some((length, part)) = rest.split_first_chunk::<4>() {
            let (checked, behind) = part.split_at(4 + u32::from_be_bytes(*length) as usize);
            assert_eq!(behind[..4], crc32fast::hash(checked).to_be_bytes());
            kinds.push(checked[..4].to_vec());
            if checked.starts_with(b"IDAT") {
                packed = checked[4..].to_vec();
            }
            rest = &behind[4..];
        }
        assert_eq!(kinds, [b"IHDR", b"IDAT", b"IEND"]);
        let pixels = miniz_oxide::inflate::decompress_to_vec_zlib(&packed).unwrap();
        let mut expected = [0, 255, 255, 255, 255, 255, 255, 255, 255, 255].repeat(2);
        expected[14..17].copy_from_slice(&[0x12, 0x34, 0x56]);
        assert_eq!(pixels, expected);
    }
}
