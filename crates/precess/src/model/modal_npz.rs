//! Modal bodies in a numpy archive.
//!
//! ```python
//! numpy.savez("rod.npz", nodes=nodes, masses=masses, modes=modes, stiffness=k, **{"names.tip": 12})
//! ```

use super::modal_arrays::Array;
use super::modal_arrays::Arrays;

/// The arrays of an archive.
pub(super) fn arrays(bytes: &[u8]) -> Result<Arrays, String> {
    let archive = super::archive::Archive::read(bytes).ok_or("not a numpy archive: it has no directory")?;
    let mut arrays = Arrays::default();
    for file in archive.names() {
        let name = file.strip_suffix(".npy").ok_or_else(|| format!("'{file}' is not a numpy array"))?;
        let data = archive.file(file).unwrap_or(Ok(&[]));
        let array = data.map_err(|e| e.to_string()).and_then(array);
        let array = array.map_err(|e| format!("array '{name}': {e}"))?;
        arrays.0.insert(name.to_string(), array);
    }
    Ok(arrays)
}

/// An array in numpy format (versions 1 to 3): little-endian numbers, by rows or by columns.
fn array(bytes: &[u8]) -> Result<Array, String> {
    let none = || "it is not a numpy array".to_string();
    let version = bytes.strip_prefix(b"\x93NUMPY").and_then(|b| b.first()).ok_or_else(none)?;
    let (start, length) = match (version, bytes.get(8..12)) {
        (1, Some([a, b, ..])) => (10, usize::from(u16::from_le_bytes([*a, *b]))),
        (2 | 3, Some([a, b, c, d])) => (12, u32::from_le_bytes([*a, *b, *c, *d]) as usize),
        _ => return Err(none()),
    };
    let header =
        bytes.get(start..start + length).and_then(|h| std::str::from_utf8(h).ok()).ok_or_else(none)?;
    let entry = |key: &str| header.split_once(&format!("'{key}':")).map(|(_, rest)| rest.trim_start());
    let kind = entry("descr")
        .and_then(|r| r.strip_prefix('\''))
        .and_then(|r| r.split('\'').next())
        .ok_or_else(none)?;
    let by_columns = entry("fortran_order").ok_or_else(none)?.starts_with("True");
    let shape = entry("shape")
        .and_then(|r| r.strip_prefix('('))
        .and_then(|r| r.split(')').next())
        .ok_or_else(none)?;
    let shape = shape.split(',').map(str::trim).filter(|x| !x.is_empty());
    let shape: Vec<usize> = shape.map(|x| x.parse().map_err(|_| none())).collect::<Result<_, _>>()?;
    let data = &bytes.get(start + length..).ok_or_else(none)?;
    let size = match kind {
        "<f8" | "<i8" | "<u8" => 8,
        "<f4" | "<i4" | "<u4" => 4,
        other => return Err(format!("entries of the type '{other}' are not read; use float64 or int64")),
    };
    let count = shape.iter().try_fold(1usize, |n, k| n.checked_mul(*k)).ok_or_else(none)?;
    if data.len() != count.saturating_mul(size) {
        return Err(format!(
            "it has {} bytes of data, its shape needs {}",
            data.len(),
            count.saturating_mul(size)
        ));
    }
    let numbers: Vec<f64> = data.chunks_exact(size).map(|c| number(kind, c)).collect();
    Ok(if by_columns { by_rows(shape, &numbers) } else { Array { shape, numbers } })
}

/// A number of an array.
fn number(kind: &str, bytes: &[u8]) -> f64 {
    let eight = <[u8; 8]>::try_from(bytes).unwrap_or_default();
    let four = <[u8; 4]>::try_from(bytes).unwrap_or_default();
    match kind {
        "<f8" => f64::from_le_bytes(eight),
        "<f4" => f64::from(f32::from_le_bytes(four)),
        "<i8" => i64::from_le_bytes(eight) as f64,
        "<u8" => u64::from_le_bytes(eight) as f64,
        "<i4" => f64::from(i32::from_le_bytes(four)),
        _ => f64::from(u32::from_le_bytes(four)),
    }
}

/// An array whose first index changes fastest.
fn by_rows(shape: Vec<usize>, columns: &[f64]) -> Array {
    let index = |row_index: usize| {
        let (mut rest, mut stride, mut index) = (row_index, columns.len(), 0);
        for size in shape.iter().rev() {
            stride /= (*size).max(1);
            index += rest % (*size).max(1) * stride;
            rest /= (*size).max(1);
        }
        index
    };
    let numbers = (0..columns.len()).map(|i| columns.get(index(i)).copied().unwrap_or(f64::NAN)).collect();
    Array { shape, numbers }
}
