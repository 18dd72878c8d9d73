//! The drawn elements from the geometry in results, if the model cannot be read again: its parts and tables
//! are elsewhere, or its joints were closed before the run.

use precess::mechanics::joints::JointKind;
use precess::model::spec::{SolidForm, SolidSpec};
use precess::study::results::Results;
use serde_json::Value;

use crate::drawn::{Beam, Body, Drawn, Joint, Outline, Place, Spring};
use crate::{Q, V};

fn text(v: &Value) -> String {
    v.as_str().unwrap_or_default().to_string()
}

fn vector(v: &Value) -> Option<V> {
    let number = |k: usize| v.get(k)?.as_f64();
    Some(V::new(number(0)?, number(1)?, number(2)?))
}

fn quaternion(v: &Value) -> Option<Q> {
    let number = |k: usize| v.get(k)?.as_f64();
    let q = nalgebra::Quaternion::new(number(0)?, number(1)?, number(2)?, number(3)?);
    (q.norm() > 0.0).then(|| Q::from_quaternion(q))
}

fn both<T>(v: &Value, read: fn(&Value) -> Option<T>) -> Option<[T; 2]> {
    Some([read(v.get(0)?)?, read(v.get(1)?)?])
}

fn list<T>(v: &Value, read: impl Fn(&Value) -> Option<T>) -> Vec<T> {
    v.as_array().into_iter().flatten().filter_map(read).collect()
}

fn colour(v: &Value) -> Option<[u8; 3]> {
    let code = u32::from_str_radix(v.as_str()?.strip_prefix('#')?, 16).ok()?;
    Some([16, 8, 0].map(|shift| (code >> shift) as u8))
}

fn solid(v: &Value) -> Option<SolidSpec> {
    let number = |key: &str| v.get(key)?.as_f64();
    let form = match v.get("type")?.as_str()? {
        "box" => SolidForm::Box(vector(v.get("size")?)?),
        "cylinder" => SolidForm::Cylinder {
            radius: number("radius")?,
            length: number("length")?,
            axis: vector(v.get("axis")?)?,
        },
        "sphere" => SolidForm::Sphere(number("radius")?),
        "mesh" => SolidForm::Mesh { file: text(v.get("file")?), scale: number("scale")? },
        _ => return None,
    };
    let (at, rotation) = (vector(v.get("at")?)?, quaternion(v.get("rotation")?)?);
    Some(SolidSpec { form, at, rotation, colour: v.get("colour").and_then(colour) })
}

fn body(v: &Value) -> Option<Body> {
    let look = list(&v["look"], solid);
    Some(Body {
        name: text(v.get("name")?),
        mass: v.get("mass")?.as_f64()?,
        inertia: None,
        solids: if look.is_empty() { solid(&v["shape"]).into_iter().collect() } else { look },
        markers: list(&v["markers"], |m| Some((text(&m["name"]), vector(&m["point"])?))),
    })
}

impl Drawn {
    /// The elements from the geometry of results; none if they contain none, or if their columns do not
    /// match.
    pub fn geometry(results: &Results) -> Option<Self> {
        let g = &results.metadata.geometry;
        let bodies = list(&g["bodies"], body);
        let has = |name: &str| results.column(&format!("{name}.position")).is_some();
        if bodies.is_empty() || !bodies.iter().all(|b| has(&b.name)) {
            return None;
        }
        let index_of = |name: &Value| bodies.iter().position(|b| Some(b.name.as_str()) == name.as_str());
        let ends = |v: &Value| -> Option<([Place; 2], [V; 2])> {
            Some(([0, 1].map(|k| index_of(&v["bodies"][k])), both(&v["points"], vector)?))
        };
        let joint = |v: &Value| {
            let (bodies, points) = ends(v)?;
            Some(Joint {
                name: text(&v["name"]),
                // Kinds with further numbers are drawn as a cube.
                kind: JointKind::from_name(v["type"].as_str()?),
                bodies,
                points,
                frames: both(&v["frames"], quaternion)?,
                driven: v["driven"].as_bool().unwrap_or(false),
                sprung: false,
            })
        };
        let spring = |v: &Value| {
            let (bodies, points) = ends(v)?;
            Some(Spring { name: text(&v["name"]), bodies, points })
        };
        let sensors = results.columns.iter().filter_map(|c| c.name.strip_prefix("sensor."));
        Some(Drawn {
            name: results.metadata.model.clone(),
            gravity: vector(&g["gravity"]).unwrap_or_default(),
            joints: list(&g["joints"], joint),
            springs: list(&g["springs"], spring),
            beams: list(&g["beams"], |v| beam(v, results, &index_of)),
            sensors: sensors.map(str::to_string).collect(),
            known: true,
            bodies,
            ..Drawn::default()
        })
    }
}

/// A beam; the lengths of its elements are the distances of its nodes in the first row.
fn beam(v: &Value, results: &Results, index_of: &dyn Fn(&Value) -> Place) -> Option<Beam> {
    let nodes = v["nodes"].as_array()?.iter().map(index_of).collect::<Option<Vec<_>>>()?;
    let at = |name: &Value| {
        let column = results.column(&format!("{}.position", name.as_str()?))?;
        let [x, y, z] = column.row(0) else { return None };
        Some(V::new(*x, *y, *z))
    };
    let points = v["nodes"].as_array()?.iter().map(at).collect::<Option<Vec<_>>>()?;
    let lengths = points.windows(2).map(|p| (p[1] - p[0]).norm()).collect();
    let [y, z] = both(&v["section"], Value::as_f64)?;
    let round = v["round"].as_bool()?;
    let outline = if round { Outline::Round(y) } else { Outline::Box(2.0 * y, 2.0 * z) };
    Some(Beam { name: text(&v["name"]), nodes, lengths, outline })
}
