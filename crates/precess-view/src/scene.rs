//! A scene has the drawn elements, their motion and their looks. This module also encodes it for the page.

use std::path::Path;

use precess::model::number::Number;
use precess::model::{Files, Loaded, load_with};
use precess::study::results::Results;
use serde_json::{Value, json};

use crate::drawn::{Drawn, Outline, Place};
use crate::look::{Look, Owner};
use crate::mesh::{self, Mesh};
use crate::motion::Motion;
use crate::{Q, V, pack};

/// The largest number of values in a page. Each takes about six bytes before compression.
pub(crate) const BUDGET: usize = 4_000_000;
/// With this number of bodies or more, positions have 16 bits instead of 24.
const MANY_BODIES: usize = 60;

/// A mechanism in motion.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// The drawn elements: bodies, joints, springs and others.
    pub drawn: Drawn,
    /// The motion of the elements.
    pub motion: Motion,
    /// The looks of the elements.
    pub look: Look,
    /// The meshes of the parts. A mesh is empty if its file could not be read.
    pub meshes: Vec<Mesh>,
    /// Notes for the viewer, such as omitted frames and missing meshes.
    pub notes: Vec<String>,
    /// The method and the summary of the run.
    pub summary: Value,
    /// The names and values of the parameters of the model.
    pub parameters: Vec<(String, f64)>,
    /// A label below the name of the model, for example a mode.
    pub label: String,
    /// The quantity that replaces time, for example a load, with its value in every frame.
    pub clock: Option<(String, Vec<f64>)>,
}

impl Scene {
    /// Makes a scene of the results in a file. `folder` is the folder of the model. Meshes and other files
    /// that the model reads must be in this folder.
    pub fn of(results: &Results, folder: Option<&Path>) -> Self {
        Self::of_files(results, &inside(folder))
    }

    /// Makes a scene of results whose model reads these files.
    pub fn of_files(results: &Results, files: &Files) -> Self {
        let loaded = read_again(results, files);
        let mut scene = Self::drawn(loaded.as_ref(), results, files);
        let (frames, rows) = (scene.motion.frames(), scene.motion.rows);
        if frames < rows {
            scene.notes.push(format!("{frames} of {rows} rows of the results are shown."));
        }
        scene
    }

    /// Makes a scene of results that were simulated for a picture by [`simulate`](crate::simulate::simulate).
    /// The model reads meshes in `folder`. It reads files elsewhere only if it was loaded with this
    /// permission.
    pub fn simulated(loaded: &Loaded, results: &Results, folder: Option<&Path>) -> Self {
        let files = match (loaded.document.files(), inside(folder)) {
            (Files::Folder { anywhere: true, .. }, Files::Folder { folder, .. }) => {
                Files::Folder { folder, anywhere: true }
            }
            (memory @ Files::Memory(_), _) => memory.clone(),
            (_, inside) => inside,
        };
        Self::drawn(Some(loaded), results, &files)
    }

    fn drawn(loaded: Option<&Loaded>, results: &Results, files: &Files) -> Self {
        let results = &*results.in_si();
        let meta = &results.metadata;
        let mut notes = Vec::new();
        let geometry = || Drawn::geometry(results);
        let drawn = match loaded {
            Some(loaded) => Drawn { name: meta.model.clone(), ..Drawn::model(&loaded.model) },
            None => geometry().unwrap_or_else(|| {
                notes.push(
                    "These results contain no geometry that can be read: bodies are boxes at their frames, \
                     joints are not shown."
                        .to_string(),
                );
                Drawn::nameless(results)
            }),
        };
        let motion = Motion::of(results, &drawn, BUDGET);
        if drawn.joints.len() > crate::motion::MOST_FORCES {
            notes.push(format!("Forces of {} joints are left out.", drawn.joints.len()));
        }
        let look = Look::of(&drawn, &motion);
        let meshes = look.meshes.iter().map(|(file, scale)| {
            read_mesh(files, file, *scale).unwrap_or_else(|why| {
                notes.push(format!("Mesh not shown: {why}."));
                Mesh::default()
            })
        });
        let meshes = meshes.collect();
        let parameters = loaded.map(parameters).unwrap_or_default();
        let (label, clock, summary) = (String::new(), None, summary(results));
        Scene { drawn, motion, look, meshes, notes, summary, parameters, label, clock }
    }

    /// Encodes the numbers over time as packed bytes, and everything else as JSON.
    pub fn encode(&self) -> (Value, Vec<u8>) {
        let mut data = Vec::new();
        let columns = self.columns(&mut data);
        for m in &self.meshes {
            data.extend(m.corners.iter().flat_map(|x| x.to_le_bytes()));
        }
        let d = &self.drawn;
        let bodies = d.bodies.iter().map(|b| {
            let markers: Vec<Value> =
                b.markers.iter().map(|(n, p)| json!({ "name": n, "point": vector(p) })).collect();
            json!({ "name": b.name, "mass": b.mass, "markers": markers })
        });
        let joints = d.joints.iter().map(|j| {
            let kind = j.kind.map_or("joint".to_string(), |k| k.name());
            json!({
                "name": j.name, "type": kind, "bodies": j.bodies.map(body_index),
                "points": [vector(&j.points[0]), vector(&j.points[1])], "driven": j.driven,
            })
        });
        let rods =
            d.joints.iter().filter(|j| j.kind == Some(precess::mechanics::joints::JointKind::RigidDistance));
        let line = |kind: &str, name: &str, bodies: &[Place; 2], points: &[V; 2]| {
            json!({
                "name": name, "type": kind, "bodies": bodies.map(body_index),
                "points": [vector(&points[0]), vector(&points[1])],
            })
        };
        let lines = d.springs.iter().map(|s| line("spring", &s.name, &s.bodies, &s.points));
        let lines = lines.chain(rods.map(|j| line("rod", &j.name, &j.bodies, &j.points)));
        let curves = self.motion.curves.iter();
        let header = json!({
            "name": d.name,
            "gravity": vector(&d.gravity),
            "unit": self.look.unit,
            "glyph": self.look.glyph,
            "frames": self.motion.frames(),
            "spin": self.motion.spin,
            "bodies": bodies.collect::<Vec<_>>(),
            "joints": joints.collect::<Vec<_>>(),
            "bushings": d.bushings.iter().map(|b| b.name.as_str()).collect::<Vec<_>>(),
            "forces": !self.motion.forces.is_empty(),
            "loads": d.loads.iter().take(crate::motion::MOST_FORCES).map(load_header).collect::<Vec<_>>(),
            "lines": lines.collect::<Vec<_>>(),
            "beams": d.beams.iter().map(beam_header).collect::<Vec<_>>(),
            "parts": self.look.parts.iter().map(|p| part(p, d)).collect::<Vec<_>>(),
            "curves": curves.map(|c| json!([c.name, c.unit, c.parts])).collect::<Vec<_>>(),
            "columns": columns,
            "meshes": self.meshes.iter().map(|m| m.corners.len()).collect::<Vec<_>>(),
            "notes": self.notes,
            "summary": self.summary,
            "parameters": self.parameters,
            "label": self.label,
            "clock": self.clock,
        });
        (header, data)
    }

    /// Packs times, poses, forces and curves. The list describes how to unpack them.
    fn columns(&self, data: &mut Vec<u8>) -> Vec<Value> {
        let m = &self.motion;
        let (nb, nj) = (self.drawn.bodies.len(), self.drawn.joints.len());
        let mut list = Vec::new();
        let mut put = |values: &[f64], bytes: usize| {
            let p = pack::column(values, bytes, data);
            list.push(json!([p.low, p.step, p.bytes]));
        };
        put(&m.t, 4);
        let bytes = if nb > MANY_BODIES { 2 } else { 3 };
        for b in 0..nb {
            let poses = || m.poses.iter().skip(b).step_by(nb);
            for k in 0..3 {
                put(&poses().map(|p| p.0[k]).collect::<Vec<_>>(), bytes);
            }
            // The coordinates of a quaternion are x, y, z, w.
            for k in 0..4 {
                put(&poses().map(|p| p.1.coords[k]).collect::<Vec<_>>(), bytes);
            }
        }
        if !m.forces.is_empty() {
            for j in 0..nj {
                for k in 0..6 {
                    put(&m.forces.iter().skip(j).step_by(nj).map(|f| f[k]).collect::<Vec<_>>(), 2);
                }
            }
        }
        let nl = self.drawn.loads.len().min(crate::motion::MOST_FORCES);
        for (l, k) in (0..nl).flat_map(|l| (0..3).map(move |k| (l, k))) {
            put(&m.loads.iter().skip(l).step_by(nl).map(|f| f[k]).collect::<Vec<_>>(), 2);
        }
        for values in m.curves.iter().flat_map(|c| &c.values) {
            put(values, 3);
        }
        list
    }
}

/// Reads the model of the results again. This is possible if its files are here and if no assembly closed its
/// joints before the run.
fn read_again(results: &Results, files: &Files) -> Option<Loaded> {
    let meta = &results.metadata;
    let loaded = load_with(&meta.model, &meta.model_text, &meta.overrides, files.clone()).ok()?;
    let has = |name: &str| results.column(&format!("{name}.position")).is_some();
    let same = loaded.model.bodies.iter().all(|b| has(&b.name)) && !loaded.document.file.run.assemble;
    same.then_some(loaded)
}

fn vector(v: &V) -> Value {
    json!([v.x, v.y, v.z])
}

fn quaternion(q: &Q) -> Value {
    json!([q.i, q.j, q.k, q.w])
}

/// The index of a body in the page. The ground is -1.
fn body_index(p: Place) -> i64 {
    p.map_or(-1, |i| i as i64)
}

fn beam_header(b: &crate::drawn::Beam) -> Value {
    let (kind, size) = match b.outline {
        Outline::Round(r) => ("tube", vec![r]),
        Outline::Box(y, z) => ("box", vec![y, z]),
    };
    json!({ "name": b.name, "nodes": b.nodes, "lengths": b.lengths, "kind": kind, "size": size })
}

fn load_header(l: &crate::drawn::Load) -> Value {
    json!({ "name": l.name, "body": body_index(l.body), "point": vector(&l.point), "torque": l.torque })
}

/// Rounds to six digits. They are enough for a picture and keep the page small.
fn short(x: f64) -> f64 {
    format!("{x:.6e}").parse().unwrap_or(x)
}

fn part(p: &crate::look::Part, d: &Drawn) -> Value {
    let (kind, size) = p.form.words();
    let (nb, nj) = (d.bodies.len(), d.joints.len());
    let owner = match p.owner {
        Owner::Body(i) => i,
        Owner::Joint(k) => nb + k,
        Owner::Bushing(k) => nb + nj + k,
        // Springs come first among the lines.
        Owner::Spring(k) => nb + nj + d.bushings.len() + k,
    };
    let mut value = json!({
        "body": body_index(p.body), "kind": kind, "size": size.map(short), "at": vector(&p.at.map(short)),
        "turn": quaternion(&p.turn), "role": p.role.word(), "owner": owner,
    });
    if let Some([r, g, b]) = p.colour {
        value["colour"] = format!("#{r:02x}{g:02x}{b:02x}").into();
    }
    value
}

/// Gives access to a folder and to nothing outside it.
fn inside(folder: Option<&Path>) -> Files {
    Files::Folder { folder: folder.unwrap_or(Path::new("")).to_path_buf(), anywhere: false }
}

fn read_mesh(files: &Files, file: &str, scale: f64) -> Result<Mesh, String> {
    mesh::decode(file, &files.read(file)?, scale).map_err(|e| e.to_string())
}

fn parameters(loaded: &Loaded) -> Vec<(String, f64)> {
    let list = loaded.document.file.parameters.iter();
    list.filter_map(|(name, value)| match value {
        Number::Value(x) => Some((name.clone(), *x)),
        Number::Text(_) => None,
    })
    .collect()
}

fn summary(results: &Results) -> Value {
    let (settings, summary) = (&results.metadata.settings, &results.metadata.summary);
    json!({
        "method": settings["method"],
        "formulation": settings["formulation"],
        "steps": summary["steps"],
        "t_end": summary["t_end"],
        "error": if summary["error"].is_null() { &summary["untrusted"] } else { &summary["error"] },
    })
}
