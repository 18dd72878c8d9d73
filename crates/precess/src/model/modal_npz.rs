//! Modal bodies in a numpy archive: its arrays become the JSON value of the neutral file.
//!
//! ```python
//! numpy.savez("rod.npz", nodes=nodes, masses=masses, modes=modes, stiffness=k, **{"names.tip": 12})
//! ```

use serde_json::Value;

/// The arrays as a tree: `a.b` is `b` inside `a`, and numbers are indices of a list.
#[cfg(feature = "results")]
pub fn value(bytes: &[u8]) -> Result<Value, String> {
    let archive = super::archive::Archive::read(bytes).ok_or("not a numpy archive: it has no directory")?;
    let mut tree = Value::Object(Default::default());
    for file in archive.names() {
        let name = file.strip_suffix(".npy").ok_or_else(|| format!("'{file}' is not a numpy array"))?;
        let data = archive.file(file).unwrap_or(Ok(&[]));
        let array = data.and_then(array).map_err(|e| format!("array '{name}': {e}"))?;
        put(&mut tree, name, array);
    }
    lists(&mut tree);
    Ok(tree)
}

/// Without support for archives.
#[cfg(not(feature = "results"))]
pub fn value(_: &[u8]) -> Result<Value, String> {
    Err("numpy archives need the feature 'results'; write JSON".to_string())
}

/// Inserts an array into the tree.
#[cfg(feature = "results")]
fn put(tree: &mut Value, name: &str, array: Value) {
    let mut at = tree;
    let mut parts = name.split('.').peekable();
    while let Some(part) = parts.next() {
        if !at.is_object() {
            *at = Value::Object(Default::default());
        }
        let Some(object) = at.as_object_mut() else { return };
        at = object.entry(part).or_insert(Value::Null);
        if parts.peek().is_none() {
            *at = array;
            return;
        }
    }
}

/// Turns objects with the keys 0, 1, .. into lists.
#[cfg(feature = "results")]
fn lists(value: &mut Value) {
    let Some(object) = value.as_object_mut() else { return };
    object.values_mut().for_each(lists);
    let n = object.len();
    let list: Option<Vec<Value>> = (0..n).map(|i| object.get(&i.to_string()).cloned()).collect();
    if let (Some(list), true) = (list, n > 0) {
        *value = Value::Array(list);
    }
}

/// An array in numpy format (versions 1 to 3): little-endian numbers, by rows or by columns.
#[cfg(feature = "results")]
fn array(bytes: &[u8]) -> Result<Value, String> {
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
    let numbers: Vec<Value> = data.chunks_exact(size).map(|c| number(kind, c)).collect();
    Ok(nested(&numbers, &shape, by_columns))
}

/// A number of an array.
#[cfg(feature = "results")]
fn number(kind: &str, bytes: &[u8]) -> Value {
    let eight = <[u8; 8]>::try_from(bytes).unwrap_or_default();
    let four = <[u8; 4]>::try_from(bytes).unwrap_or_default();
    match kind {
        "<f8" => Value::from(f64::from_le_bytes(eight)),
        "<f4" => Value::from(f64::from(f32::from_le_bytes(four))),
        "<i8" => Value::from(i64::from_le_bytes(eight)),
        "<u8" => Value::from(u64::from_le_bytes(eight)),
        "<i4" => Value::from(i32::from_le_bytes(four)),
        _ => Value::from(u32::from_le_bytes(four)),
    }
}

/// Numbers as lists of lists.
#[cfg(feature = "results")]
fn nested(numbers: &[Value], shape: &[usize], by_columns: bool) -> Value {
    let Some((first, rest)) = shape.split_first() else {
        return numbers.first().cloned().unwrap_or(Value::Null);
    };
    if by_columns {
        // The first index changes fastest.
        let part = |i: usize| {
            let own: Vec<Value> = numbers.iter().skip(i).step_by((*first).max(1)).cloned().collect();
            nested(&own, rest, true)
        };
        return Value::Array((0..*first).map(part).collect());
    }
    let size = rest.iter().product::<usize>();
    let part = |i: usize| nested(numbers.get(i * size..(i + 1) * size).unwrap_or(&[]), rest, false);
    Value::Array((0..*first).map(part).collect())
}
