//! Triangles of STL (text or binary) and OBJ files. Files of others are read with care: nothing in them can panic or take
//! more memory than the file itself is worth.

use thiserror::Error;

/// Most triangles of a mesh: more would make a page that nobody can mail.
pub const MOST_TRIANGLES: usize = 500_000;

/// Why a mesh is not drawn.
#[derive(Debug, Error, PartialEq)]
pub enum MeshError {
    /// Neither STL nor OBJ.
    #[error("{0}: only .stl and .obj are read")]
    Kind(String),
    /// The file cannot be read.
    #[error("{file}: {why}")]
    Read {
        /// The file.
        file: String,
        /// Why.
        why: String,
    },
    /// The file ends too early or holds no triangles.
    #[error("{file}: {found} triangles where {wanted} are announced")]
    Incomplete {
        /// The file.
        file: String,
        /// Triangles read.
        found: usize,
        /// Triangles announced, at least one.
        wanted: usize,
    },
    /// Too many triangles.
    #[error("{file}: more than {MOST_TRIANGLES} triangles")]
    TooLarge {
        /// The file.
        file: String,
    },
}

/// Corners of triangles, nine numbers each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// x, y, z of three corners, triangle after triangle.
    pub corners: Vec<f32>,
}

/// Reads a mesh by the extension of its name; lengths are multiplied by `scale`.
pub fn decode(name: &str, bytes: &[u8], scale: f64) -> Result<Mesh, MeshError> {
    let extension = name.rsplit('.').next().unwrap_or("").to_lowercase();
    let (mut corners, wanted) = match extension.as_str() {
        "stl" if binary(bytes).is_some() => stl_binary(bytes),
        "stl" => (stl_text(&String::from_utf8_lossy(bytes)), 1),
        "obj" => (obj(&String::from_utf8_lossy(bytes)), 1),
        _ => return Err(MeshError::Kind(name.to_string())),
    };
    let found = corners.len() / 9;
    let file = name.to_string();
    if found > MOST_TRIANGLES {
        return Err(MeshError::TooLarge { file });
    }
    if found < wanted.max(1) || corners.iter().any(|x| !x.is_finite()) {
        return Err(MeshError::Incomplete { file, found, wanted: wanted.max(1) });
    }
    corners.truncate(9 * found);
    corners.iter_mut().for_each(|x| *x = (f64::from(*x) * scale) as f32);
    Ok(Mesh { corners })
}

/// The number of triangles that a binary STL announces; none for text.
fn binary(bytes: &[u8]) -> Option<usize> {
    let count: [u8; 4] = bytes.get(80..84)?.try_into().ok()?;
    let count = u32::from_le_bytes(count) as usize;
    let fits = bytes.len() == 84 + 50 * count;
    (fits || !bytes.starts_with(b"solid")).then_some(count)
}

fn stl_binary(bytes: &[u8]) -> (Vec<f32>, usize) {
    let wanted = binary(bytes).unwrap_or(0);
    let body = bytes.get(84..).unwrap_or(&[]);
    let corner = |b: &[u8]| b.try_into().map_or(f32::NAN, f32::from_le_bytes);
    // A normal of three numbers comes first, an attribute of two bytes last.
    let triangles = body.chunks_exact(50).take(wanted.min(MOST_TRIANGLES + 1));
    let corners = triangles.flat_map(|t| t.chunks_exact(4).skip(3).take(9).map(corner)).collect();
    (corners, wanted)
}

fn stl_text(text: &str) -> Vec<f32> {
    let mut corners = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.trim().strip_prefix("vertex") {
            corners.extend(numbers(rest));
        }
    }
    corners
}

fn numbers(text: &str) -> [f32; 3] {
    let mut words = text.split_whitespace();
    [(); 3].map(|()| words.next().and_then(|w| w.parse().ok()).unwrap_or(f32::NAN))
}

/// Faces with more than three corners become fans.
fn obj(text: &str) -> Vec<f32> {
    let mut points: Vec<[f32; 3]> = Vec::new();
    let mut corners = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.trim_start().strip_prefix("v ") {
            points.push(numbers(rest));
        } else if let Some(rest) = line.trim_start().strip_prefix("f ") {
            let place = |word: &str| {
                let k: i64 = word.split('/').next()?.parse().ok()?;
                // Negative numbers count from the last point.
                let k = if k < 0 { points.len() as i64 + k } else { k - 1 };
                usize::try_from(k).ok().and_then(|k| points.get(k)).copied()
            };
            let face: Vec<[f32; 3]> =
                rest.split_whitespace().map(|w| place(w).unwrap_or([f32::NAN; 3])).collect();
            if let Some((first, rest)) = face.split_first() {
                for pair in rest.windows(2) {
                    corners.extend(first.iter().chain(pair.iter().flatten()));
                }
            }
            if corners.len() > 9 * (MOST_TRIANGLES + 1) {
                break;
            }
        }
    }
    corners
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid";

    #[test]
    fn the_three_kinds_give_the_same_triangle() {
        let wanted = [0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.5, 0.0];
        let mut bytes = vec![0u8; 80];
        bytes.extend(1u32.to_le_bytes());
        for x in [0.0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0, 0]);
        assert_eq!(decode("a.STL", TEXT.as_bytes(), 0.5).unwrap().corners, wanted);
        assert_eq!(decode("a.stl", &bytes, 0.5).unwrap().corners, wanted);
        let obj = "# x\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/2/2 -1\n";
        assert_eq!(decode("a.obj", obj.as_bytes(), 0.5).unwrap().corners, wanted);
    }

    #[test]
    fn bad_files_are_refused() {
        let cut = &TEXT.as_bytes()[..30];
        assert!(matches!(decode("a.stl", cut, 1.0), Err(MeshError::Incomplete { found: 0, .. })));
        let mut bytes = vec![0u8; 80];
        bytes.extend(u32::MAX.to_le_bytes());
        assert!(matches!(decode("a.stl", &bytes, 1.0), Err(MeshError::Incomplete { .. })));
        assert!(matches!(decode("a.obj", b"v 0 0 0\nf 1 2 3\n", 1.0), Err(MeshError::Incomplete { .. })));
        assert!(matches!(decode("a.dae", b"", 1.0), Err(MeshError::Kind(_))));
        let quad = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4";
        assert_eq!(decode("a.obj", quad.as_bytes(), 1.0).unwrap().corners.len(), 18);
    }
}
