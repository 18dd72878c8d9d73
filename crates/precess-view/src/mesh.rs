//! Meshes of pictures: triangles of STL and OBJ files in single precision.

pub use precess::model::mesh::MeshError;

/// Corners of triangles, nine numbers each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// x, y, z of three corners, triangle after triangle.
    pub corners: Vec<f32>,
}

/// Reads a mesh by the extension of its name; lengths are multiplied by `scale`.
pub fn decode(name: &str, bytes: &[u8], scale: f64) -> Result<Mesh, MeshError> {
    let mesh = precess::model::mesh::decode(name, bytes, scale)?;
    Ok(Mesh { corners: mesh.corners.iter().map(|x| *x as f32).collect() })
}
