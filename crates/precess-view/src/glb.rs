//! glTF 2.0 in one binary file: a node per body with its motion, the parts as its children.
//!
//! Important rules of the format: times increase strictly as f32, positions and times have bounds, chunks are
//! padded to four bytes, quaternions have unit length as f32, colours are linear, lists are not empty.

mod lines;
mod solids;

use std::collections::HashMap;

use serde_json::{Value, json};

use lines::Line;

use crate::look::{Form, Owner, Part, Role};
use crate::scene::Scene;

const PALETTE: [[u8; 3]; 8] = [
    [0x3b, 0x7d, 0xd8],
    [0xe8, 0x85, 0x3a],
    [0x2f, 0x9e, 0x77],
    [0xd0, 0x4f, 0x5f],
    [0x8a, 0x63, 0xd2],
    [0xd0, 0xa9, 0x2f],
    [0x2a, 0xa3, 0xb8],
    [0xb8, 0x58, 0x8f],
];
const STEEL: [u8; 3] = [0xd6, 0xd9, 0xde];
const GREY: [u8; 3] = [0x6b, 0x72, 0x7c];
const GOLD: [u8; 3] = [0xc9, 0xa2, 0x27];
const ACCENT: [u8; 3] = [0xe2, 0x3b, 0x4e];

/// Numbers of the file and their descriptions.
#[derive(Default)]
struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffer {
    fn view(&mut self, bytes: impl Iterator<Item = u8>, target: Option<u32>) -> usize {
        let start = self.bytes.len();
        self.bytes.extend(bytes);
        let mut view = json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = target.into();
        }
        self.views.push(view);
        self.views.len() - 1
    }

    /// Rows of N numbers, with bounds if wanted.
    fn numbers<const N: usize>(&mut self, rows: &[[f32; N]], target: Option<u32>, bounds: bool) -> usize {
        let view = self.view(rows.iter().flatten().flat_map(|x| x.to_le_bytes()), target);
        let kind = ["SCALAR", "VEC2", "VEC3", "VEC4"].get(N - 1).copied().unwrap_or("SCALAR");
        let mut accessor =
            json!({ "bufferView": view, "componentType": 5126, "count": rows.len(), "type": kind });
        if bounds {
            let bound = |start: f32, choose: fn(f32, f32) -> f32| {
                rows.iter().fold([start; N], |a, r| std::array::from_fn(|k| choose(a[k], r[k])))
            };
            accessor["min"] = json!(bound(f32::MAX, f32::min).to_vec());
            accessor["max"] = json!(bound(f32::MIN, f32::max).to_vec());
        }
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn indices(&mut self, list: &[u32]) -> usize {
        let view = self.view(list.iter().flat_map(|x| x.to_le_bytes()), Some(34963));
        self.accessors.push(
            json!({ "bufferView": view, "componentType": 5125, "count": list.len(), "type": "SCALAR" }),
        );
        self.accessors.len() - 1
    }
}

/// sRGB bytes as linear numbers for glTF.
fn linear(colour: [u8; 3], alpha: f64) -> [f64; 4] {
    let f = |x: u8| {
        let x = f64::from(x) / 255.0;
        if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    };
    let [r, g, b] = colour.map(f);
    [r, g, b, alpha].map(|x| (x * 1e4).round() / 1e4)
}

fn colour(part: &Part) -> [u8; 3] {
    match (part.colour, part.role, part.body) {
        (Some(colour), ..) => colour,
        (_, Role::Beam, _) => match part.owner {
            Owner::Body(first) => PALETTE[first % PALETTE.len()],
            _ => GREY,
        },
        (_, Role::Pin | Role::Ball, _) => STEEL,
        (_, Role::Drive, _) => ACCENT,
        (_, Role::Elastic, _) => GOLD,
        (_, Role::Rail | Role::Plane | Role::Base, _) | (.., None) => GREY,
        (.., Some(body)) => PALETTE[body % PALETTE.len()],
    }
}

/// Common meshes and materials of the parts of a scene.
#[derive(Default)]
struct Shared {
    materials: Vec<Value>,
    meshes: Vec<Value>,
    material_of: HashMap<String, usize>,
    surface_of: HashMap<String, [usize; 3]>,
    mesh_of: HashMap<(String, usize), usize>,
}

impl Shared {
    fn material(&mut self, colour: [u8; 3], metal: f64, clear: bool) -> usize {
        *self.material_of.entry(format!("{colour:?} {metal} {clear}")).or_insert_with(|| {
            let alpha = if clear { 0.35 } else { 1.0 };
            let mut material = json!({ "pbrMetallicRoughness": {
                "baseColorFactor": linear(colour, alpha), "metallicFactor": metal, "roughnessFactor": 0.5,
            } });
            if clear {
                material["alphaMode"] = "BLEND".into();
            }
            self.materials.push(material);
            self.materials.len() - 1
        })
    }

    /// The mesh of a part; none if it has no surface.
    fn mesh(&mut self, part: &Part, scene: &Scene, buffer: &mut Buffer) -> Option<usize> {
        let metal = if part.role.metal() { 0.6 } else { 0.0 };
        let material = self.material(colour(part), metal, part.role == Role::Plane);
        let surface = || solids::surface(&part.form, &scene.meshes);
        self.surface(format!("{:?}", part.form), material, surface, buffer)
    }

    /// The mesh of a spring or a rod.
    fn line(&mut self, line: &Line, buffer: &mut Buffer) -> Option<usize> {
        let material = self.material(if line.spring { GOLD } else { STEEL }, 0.6, false);
        let key = format!("line {} {} {}", line.spring, line.rest, line.radius);
        let surface = || match line.spring {
            true => line.coil(),
            false => {
                let mut s = solids::surface(&Form::Cylinder(line.radius, line.rest), &[]);
                s.points.iter_mut().for_each(|p| p[2] += (0.5 * line.rest) as f32);
                s
            }
        };
        self.surface(key, material, surface, buffer)
    }

    /// The mesh of a surface with a key, in a material.
    fn surface(
        &mut self,
        key: String,
        material: usize,
        make: impl FnOnce() -> solids::Surface,
        buffer: &mut Buffer,
    ) -> Option<usize> {
        if !self.surface_of.contains_key(&key) {
            let s = make();
            if s.indices.is_empty() {
                return None;
            }
            let points = buffer.numbers(&s.points, Some(34962), true);
            let normals = buffer.numbers(&s.normals, Some(34962), false);
            self.surface_of.insert(key.clone(), [points, normals, buffer.indices(&s.indices)]);
        }
        let [points, normals, indices] = *self.surface_of.get(&key)?;
        Some(*self.mesh_of.entry((key, material)).or_insert_with(|| {
            self.meshes.push(json!({ "primitives": [{
                "attributes": { "POSITION": points, "NORMAL": normals },
                "indices": indices, "material": material,
            }] }));
            self.meshes.len() - 1
        }))
    }
}

/// Frames whose times increase strictly as f32.
fn frames(scene: &Scene) -> Vec<usize> {
    let mut list: Vec<usize> = Vec::new();
    for (f, t) in scene.motion.t.iter().enumerate() {
        let before = list.last().map(|l| scene.motion.t[*l] as f32);
        if before.is_none_or(|b| *t as f32 > b) {
            list.push(f);
        }
    }
    list
}

/// A unit quaternion as f32, (x, y, z, w), of unit length in that precision.
fn unit(q: &crate::Q) -> [f32; 4] {
    let q = [q.i, q.j, q.k, q.w].map(|x| x as f32);
    let n = q.iter().map(|x| f64::from(*x).powi(2)).sum::<f64>().sqrt();
    q.map(|x| (f64::from(x) / n) as f32)
}

/// Samplers and channels of an animation.
struct Channels {
    input: usize,
    samplers: Vec<Value>,
    channels: Vec<Value>,
}

impl Channels {
    fn add<const N: usize>(&mut self, node: usize, path: &str, rows: &[[f32; N]], buffer: &mut Buffer) {
        let output = buffer.numbers(rows, None, false);
        self.samplers.push(json!({ "input": self.input, "output": output, "interpolation": "LINEAR" }));
        let sampler = self.samplers.len() - 1;
        self.channels.push(json!({ "sampler": sampler, "target": { "node": node, "path": path } }));
    }
}

/// The motion of bodies (nodes from 1 on) and of lines with their nodes.
fn animation(scene: &Scene, lines: &[(usize, Line)], buffer: &mut Buffer) -> Option<Value> {
    let frames = frames(scene);
    if frames.len() < 2 || scene.drawn.bodies.is_empty() {
        return None;
    }
    let times: Vec<[f32; 1]> = frames.iter().map(|f| [scene.motion.t[*f] as f32]).collect();
    let input = buffer.numbers(&times, None, true);
    let mut all = Channels { input, samplers: Vec::new(), channels: Vec::new() };
    for b in 0..scene.drawn.bodies.len() {
        let poses: Vec<_> = frames.iter().map(|f| scene.motion.pose(*f, Some(b))).collect();
        let x: Vec<[f32; 3]> = poses.iter().map(|p| single(&p.0)).collect();
        let r: Vec<[f32; 4]> = poses.iter().map(|p| unit(&p.1)).collect();
        all.add(b + 1, "translation", &x, buffer);
        all.add(b + 1, "rotation", &r, buffer);
    }
    for (node, line) in lines {
        let stands = line.stands(scene, &frames);
        let x: Vec<[f32; 3]> = stands.iter().map(|s| single(&s.at)).collect();
        let r: Vec<[f32; 4]> = stands.iter().map(|s| unit(&s.turn)).collect();
        let s: Vec<[f32; 3]> = stands.iter().map(|s| [1.0, 1.0, s.stretch as f32]).collect();
        all.add(*node, "translation", &x, buffer);
        all.add(*node, "rotation", &r, buffer);
        all.add(*node, "scale", &s, buffer);
    }
    Some(json!({ "name": "run", "samplers": all.samplers, "channels": all.channels }))
}

fn single(v: &crate::V) -> [f32; 3] {
    [v.x, v.y, v.z].map(|x| x as f32)
}

/// The scene as a .glb file.
pub fn write(scene: &Scene) -> Vec<u8> {
    let mut buffer = Buffer::default();
    let mut shared = Shared::default();
    let bodies = &scene.drawn.bodies;
    // Node 0 turns z up into the y up of glTF and is the ground; bodies follow.
    let h = std::f64::consts::FRAC_1_SQRT_2;
    let mut nodes = vec![json!({ "name": scene.drawn.name, "rotation": [-h, 0.0, 0.0, h] })];
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); bodies.len() + 1];
    for (b, body) in bodies.iter().enumerate() {
        let (p, q) = scene.motion.pose(0, Some(b));
        nodes.push(json!({ "name": body.name, "translation": [p.x, p.y, p.z], "rotation": unit(&q) }));
        children[0].push(b + 1);
    }
    for part in &scene.look.parts {
        let Some(mesh) = shared.mesh(part, scene, &mut buffer) else { continue };
        let (p, q) = (part.at, part.turn);
        nodes.push(json!({ "mesh": mesh, "translation": [p.x, p.y, p.z], "rotation": unit(&q) }));
        children[part.body.map_or(0, |b| b + 1)].push(nodes.len() - 1);
    }
    let mut lines = Vec::new();
    for line in lines::lines(scene) {
        let Some(mesh) = shared.line(&line, &mut buffer) else { continue };
        let Some(s) = line.stands(scene, &[0]).pop() else { continue };
        nodes.push(json!({
            "name": line.name, "mesh": mesh, "translation": [s.at.x, s.at.y, s.at.z],
            "rotation": unit(&s.turn),
            "scale": [1.0, 1.0, s.stretch],
        }));
        children[0].push(nodes.len() - 1);
        lines.push((nodes.len() - 1, line));
    }
    for (node, list) in nodes.iter_mut().zip(children).filter(|(_, list)| !list.is_empty()) {
        node["children"] = json!(list);
    }
    let animation = animation(scene, &lines, &mut buffer);
    let mut document = json!({
        "asset": { "version": "2.0", "generator": concat!("precess ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "nodes": [0] }],
        "nodes": nodes,
    });
    if !shared.meshes.is_empty() {
        document["meshes"] = shared.meshes.into();
        document["materials"] = shared.materials.into();
    }
    if let Some(animation) = animation {
        document["animations"] = json!([animation]);
    }
    if !buffer.bytes.is_empty() {
        document["accessors"] = buffer.accessors.into();
        document["bufferViews"] = buffer.views.into();
        document["buffers"] = json!([{ "byteLength": buffer.bytes.len() }]);
    }
    chunks(document.to_string().into_bytes(), buffer.bytes)
}

/// The container: a header and two chunks, each a multiple of four bytes.
fn chunks(mut text: Vec<u8>, mut binary: Vec<u8>) -> Vec<u8> {
    text.resize(text.len().next_multiple_of(4), b' ');
    binary.resize(binary.len().next_multiple_of(4), 0);
    let second = if binary.is_empty() { 0 } else { 8 + binary.len() };
    let mut out = Vec::with_capacity(20 + text.len() + second);
    out.extend(b"glTF");
    let word = |out: &mut Vec<u8>, x: usize| out.extend((x as u32).to_le_bytes());
    word(&mut out, 2);
    word(&mut out, 20 + text.len() + second);
    word(&mut out, text.len());
    out.extend(b"JSON");
    out.extend(text);
    if second > 0 {
        word(&mut out, binary.len());
        out.extend(b"BIN\0");
        out.extend(binary);
    }
    out
}
