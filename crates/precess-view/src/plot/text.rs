//! Widths of texts. The table is that of DejaVu Sans, which is wider than other usual fonts: labels that do
//! not overlap in it never do.

/// Advances of the characters from space to tilde, in thousandths of the font size.
const ADVANCE: [u16; 95] = [
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636,
    636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295,
    295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838,
    500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521,
    392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
];

/// Width of a text in pixels.
pub fn width(text: &str, size: f64) -> f64 {
    let advance = |c: char| match c {
        ' '..='~' => f64::from(ADVANCE[c as usize - 32]),
        '\u{2212}' => 838.0,
        c if (c as u32) < 0x1100 => 700.0,
        _ => 1000.0,
    };
    text.chars().map(advance).sum::<f64>() * size / 1000.0
}

/// The text and a size at which it fits: smaller if necessary, then cut with an ellipsis.
pub fn fit(text: &str, size: f64, room: f64) -> (String, f64) {
    let needed = width(text, size);
    if needed <= room {
        return (text.to_string(), size);
    }
    let smaller = (size * room / needed).max(0.75 * size);
    let mut text = text.to_string();
    while width(&text, smaller) > room && text.chars().count() > 2 {
        text.pop();
        text.pop();
        text.push('\u{2026}');
    }
    (text, smaller)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_that_of_the_font() {
        let font = crate::plot::png::font().unwrap();
        for (i, &advance) in ADVANCE.iter().enumerate() {
            let glyph = font.glyph_index(char::from(32 + i as u8)).unwrap();
            let exact =
                f64::from(font.glyph_hor_advance(glyph).unwrap()) * 1000.0 / f64::from(font.units_per_em());
            assert!((exact - f64::from(advance)).abs() <= 0.51, "{i}");
        }
    }
}
