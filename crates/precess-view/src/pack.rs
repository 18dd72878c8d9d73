//! Compresses numbers over time: whole numbers between the smallest and the largest value of a column, second
//! differences (motions are smooth), bytes of equal weight grouped together, and deflate.

/// Description of a packed column.
#[derive(Clone, Debug, PartialEq)]
pub struct Packed {
    /// The value of the code 1.
    pub low: f64,
    /// The difference of two neighbouring codes; 0 for a constant.
    pub step: f64,
    /// Bytes per number.
    pub bytes: usize,
}

/// Appends a packed column to `out`. A number is `low + (code - 1) * step`; the code 0 means NaN.
pub fn column(values: &[f64], bytes: usize, out: &mut Vec<u8>) -> Packed {
    let finite = || values.iter().copied().filter(|x| x.is_finite());
    let (low, high) = finite().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
    let low = if low.is_finite() { low } else { 0.0 };
    let codes = (1u64 << (8 * bytes)) - 2;
    let step = if high > low { (high - low) / codes as f64 } else { 0.0 };
    let code = |x: f64| match (x.is_finite(), step > 0.0) {
        (false, _) => 0,
        (true, false) => 1,
        (true, true) => 1 + ((x - low) / step).round().clamp(0.0, codes as f64) as u64,
    };
    let mask = (1u64 << (8 * bytes)) - 1;
    let (mut before, mut slope) = (0u64, 0u64);
    let start = out.len();
    let n = values.len();
    out.resize(start + n * bytes, 0);
    for (i, x) in values.iter().enumerate() {
        let now = code(*x);
        let change = now.wrapping_sub(before) & mask;
        let bend = change.wrapping_sub(slope) & mask;
        (before, slope) = (now, change);
        // The sign moves to the lowest bit, so that small numbers of both signs have high bytes of zero.
        let negative = bend >> (8 * bytes - 1) == 1;
        let folded = if negative { (((!bend) & mask) << 1) | 1 } else { bend << 1 };
        for k in 0..bytes {
            if let Some(byte) = out.get_mut(start + k * n + i) {
                *byte = (folded >> (8 * k)) as u8;
            }
        }
    }
    Packed { low, step, bytes }
}

/// The numbers of a packed column, as the page computes them.
#[cfg(test)]
pub fn unpack(packed: &Packed, data: &[u8]) -> Vec<f64> {
    let bytes = packed.bytes;
    let n = data.len() / bytes.max(1);
    let mask = (1u64 << (8 * bytes)) - 1;
    let (mut before, mut slope) = (0u64, 0u64);
    (0..n)
        .map(|i| {
            let folded = (0..bytes)
                .map(|k| u64::from(data.get(k * n + i).copied().unwrap_or(0)) << (8 * k))
                .sum::<u64>();
            let bend = if folded & 1 == 1 { !(folded >> 1) & mask } else { folded >> 1 };
            slope = slope.wrapping_add(bend) & mask;
            before = before.wrapping_add(slope) & mask;
            if before == 0 { f64::NAN } else { packed.low + (before - 1) as f64 * packed.step }
        })
        .collect()
}

/// Deflate, as `DecompressionStream("deflate")` of browsers reads it.
pub(crate) fn deflate(bytes: &[u8]) -> Vec<u8> {
    miniz_oxide::deflate::compress_to_vec_zlib(bytes, 8)
}

/// Base64.
pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = (0..3).fold(0u32, |w, k| w << 8 | u32::from(chunk.get(k).copied().unwrap_or(0)));
        for k in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * k)) as usize & 63];
            out.push(if k <= chunk.len() { char::from(digit) } else { '=' });
        }
    }
    out
}

/// The bytes of a base64 text; none if it is not one.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => Some(c - b'A'),
        b'a'..=b'z' => Some(c - b'a' + 26),
        b'0'..=b'9' => Some(c - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut word, mut bits) = (0u32, 0);
    for c in text.trim_end_matches('=').bytes() {
        word = word << 6 | u32::from(digit(c)?);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            out.push((word >> bits) as u8);
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_comes_back_to_half_a_step() {
        let mut values: Vec<f64> = (0..1000).map(|i| (0.01 * f64::from(i)).sin() * 3.0 + 5435.7).collect();
        values[17] = f64::NAN;
        for bytes in [2, 3, 4] {
            let mut data = Vec::new();
            let packed = column(&values, bytes, &mut data);
            let half = 0.5 * 6.0 / 2f64.powi(8 * bytes as i32) * 1.01 + 1e-12;
            for (k, (x, y)) in values.iter().zip(unpack(&packed, &data)).enumerate() {
                assert!(if k == 17 { y.is_nan() } else { (x - y).abs() <= half }, "{bytes} {k} {x} {y}");
            }
        }
    }

    #[test]
    fn constants_and_extremes_are_exact() {
        for values in [vec![], vec![2.5; 4], vec![-1.0, 1.0, -1.0, 1.0], vec![f64::NAN; 3]] {
            let mut data = Vec::new();
            let packed = column(&values, 2, &mut data);
            let back = unpack(&packed, &data);
            assert_eq!(values.len(), back.len());
            assert!(values.iter().zip(&back).all(|(x, y)| x == y || (x.is_nan() && y.is_nan())), "{back:?}");
        }
    }

    #[test]
    fn base64_of_the_standard() {
        for (text, code) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(text.as_bytes()), code);
            assert_eq!(from_base64(code).as_deref(), Some(text.as_bytes()));
        }
    }
}
