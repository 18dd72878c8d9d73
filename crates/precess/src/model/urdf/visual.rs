//! `visual` elements of links as looks of bodies. They only change pictures, so unreadable ones are omitted
//! and noted.

use std::collections::HashMap;

use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

use super::blocks::{rotation, vector};
use super::xml::XmlElement;
use crate::model::file_look::{LookBlock, LookType};
use crate::model::number::Number;

/// Formats of meshes that pictures can show.
const MESHES: [&str; 2] = ["stl", "obj"];

/// Colours of materials by name, as `#rrggbb`.
pub type Materials = HashMap<String, String>;

fn child<'a>(e: &'a XmlElement, name: &str) -> Option<&'a XmlElement> {
    e.children.iter().find(|c| c.name == name)
}

/// N finite numbers of an attribute; none if it is absent.
fn numbers<const N: usize>(e: &XmlElement, name: &str) -> Result<Option<[f64; N]>, String> {
    let Some(text) = e.attribute(name) else { return Ok(None) };
    let list: Option<Vec<f64>> =
        text.split_whitespace().map(|w| w.parse().ok().filter(|x: &f64| x.is_finite())).collect();
    match list.and_then(|l| <[f64; N]>::try_from(l).ok()) {
        Some(list) => Ok(Some(list)),
        None => Err(format!("{name}=\"{text}\" of <{}> is not {N} finite numbers", e.name)),
    }
}

/// Lengths that must be given and positive.
fn lengths<const N: usize>(e: &XmlElement, name: &str) -> Result<[Number; N], String> {
    match numbers::<N>(e, name)? {
        Some(list) if list.iter().all(|x| *x > 0.0) => Ok(list.map(Number::from)),
        _ => Err(format!("<{}> needs a positive {name}", e.name)),
    }
}

/// The colour of a `material`: its own, or that of its name.
pub fn colour(material: &XmlElement, known: &Materials) -> Option<String> {
    let own = child(material, "color").and_then(|c| numbers::<4>(c, "rgba").ok().flatten());
    match own {
        Some([r, g, b, _]) => {
            let byte = |x: f64| (255.0 * x.clamp(0.0, 1.0)).round() as u8;
            Some(format!("#{:02x}{:02x}{:02x}", byte(r), byte(g), byte(b)))
        }
        None => known.get(material.attribute("name")?).cloned(),
    }
}

fn origin(e: &XmlElement) -> Result<Isometry3<f64>, String> {
    let Some(origin) = child(e, "origin") else { return Ok(Isometry3::identity()) };
    let [x, y, z] = numbers(origin, "xyz")?.unwrap_or_default();
    let turn = match numbers::<4>(origin, "quat_xyzw")? {
        Some([x, y, z, w]) => UnitQuaternion::try_new(nalgebra::Quaternion::new(w, x, y, z), 1e-12)
            .ok_or("quat_xyzw of <origin> is zero")?,
        None => {
            let [roll, pitch, yaw] = numbers(origin, "rpy")?.unwrap_or_default();
            UnitQuaternion::from_euler_angles(roll, pitch, yaw)
        }
    };
    Ok(Isometry3::from_parts(Translation3::new(x, y, z), turn))
}

/// The file of a mesh in the folder of the model: the part of `package://` after the name of the package.
fn file(name: &str) -> &str {
    if let Some(rest) = name.strip_prefix("package://") {
        return rest.split_once('/').map_or(rest, |(_, file)| file);
    }
    name.strip_prefix("file://").unwrap_or(name)
}

fn mesh(e: &XmlElement, look: &mut LookBlock) -> Result<(), String> {
    let name = file(e.attribute("filename").unwrap_or(""));
    let extension = name.rsplit('.').next().unwrap_or("").to_lowercase();
    if !MESHES.contains(&extension.as_str()) {
        return Err(format!("mesh '{name}': only .stl and .obj are shown"));
    }
    let scale = numbers::<3>(e, "scale")?.unwrap_or([1.0; 3]);
    let [x, y, z] = scale;
    if !(x > 0.0 && x == y && y == z) {
        return Err(format!("mesh '{name}': the scale {x} {y} {z} is not one positive number"));
    }
    look.file = Some(name.to_string());
    look.scale = (x != 1.0).then(|| x.into());
    Ok(())
}

/// A `visual` as a look. `link` is the frame of its link seen from the body, `centre` the centre of mass of
/// the body.
pub fn look(
    visual: &XmlElement,
    link: &Isometry3<f64>,
    centre: &Vector3<f64>,
    materials: &Materials,
) -> Result<LookBlock, String> {
    let here = link * origin(visual)?;
    let at = here.translation.vector - centre;
    let form = child(visual, "geometry").and_then(|g| g.children.first()).ok_or("it has no <geometry>")?;
    let mut look = LookBlock {
        kind: LookType::Box,
        size: None,
        radius: None,
        length: None,
        axis: None,
        file: None,
        scale: None,
        at: (at.amax() > 0.0).then(|| vector(&at)),
        rotation: rotation(&here),
        colour: child(visual, "material").and_then(|m| colour(m, materials)),
    };
    let one = |name: &str| lengths::<1>(form, name).map(|[x]| Some(x));
    match form.name.as_str() {
        "box" => look.size = Some(lengths(form, "size")?),
        "cylinder" => {
            look.kind = LookType::Cylinder;
            (look.radius, look.length) = (one("radius")?, one("length")?);
        }
        "sphere" => {
            look.kind = LookType::Sphere;
            look.radius = one("radius")?;
        }
        "mesh" => {
            look.kind = LookType::Mesh;
            mesh(form, &mut look)?;
        }
        other => return Err(format!("<{other}> is not known")),
    }
    Ok(look)
}
