//! `precess export`: writes a model or its results for other programs.

use std::path::Path;

use precess_view::{Scene, glb, html};
use serde_json::{Value, json};

use crate::output::{Stop, message, print, write_file, wrong};
use crate::{args, film, view};

/// Output formats.
enum Kind {
    Gltf,
    Film,
    Frames,
}

fn kind(out: &Path) -> Result<Kind, Stop> {
    let extension = out.extension().and_then(|e| e.to_str()).map(str::to_lowercase);
    match extension.as_deref() {
        Some("glb") => Ok(Kind::Gltf),
        Some("mp4" | "gif") => Ok(Kind::Film),
        None => Ok(Kind::Frames),
        Some(_) => Err(wrong(format!(
            "{}: unknown kind of export\n  help: use .glb, .mp4, .gif, or the name of a folder for frames \
             as PNG; \
             precess view writes .html",
            out.display()
        ))),
    }
}

/// Writes a scene.
pub fn export(args: &args::Export) -> Result<(), Stop> {
    let out = &args.out;
    let kind = kind(out)?;
    let size = picture_size(&args.size)?;
    if args.speed.is_some_and(|s| !(s > 0.0 && s.is_finite())) {
        return Err(wrong("--speed: a film needs a positive speed\n  help: 1 is that of the mechanism"));
    }
    view::refuse_overwrite(out, std::iter::once(&args.source.model))?;
    let (scene, failed) = view::scene(&args.source, args.progress)?;
    let done = match kind {
        Kind::Gltf => gltf(out, &scene)?,
        Kind::Film | Kind::Frames => {
            let page = html::page(std::slice::from_ref(&scene));
            film::shoot(&page, &scene, &film::Order { out, fps: args.fps, speed: args.speed, size })?
        }
    };
    if args.json {
        print(&format!("{done:#}\n"));
    } else {
        let words: Vec<String> =
            ["frames", "bytes"].iter().filter_map(|k| Some(format!("{} {k}", done.get(k)?))).collect();
        let file = done["export"].as_str().unwrap_or("");
        print(&format!("export: {file}, {}\n", words.join(", ")));
        for note in &scene.notes {
            message(&format!("note: {note}"));
        }
    }
    failed.map_or(Ok(()), Err)
}

fn gltf(out: &Path, scene: &Scene) -> Result<Value, Stop> {
    let bytes = glb::write(scene);
    write_file(out, &bytes)?;
    Ok(json!({ "export": out.display().to_string(), "frames": scene.motion.frames(), "bytes": bytes.len() }))
}

/// Width and height of `960x600`; encoders need even numbers.
fn picture_size(text: &str) -> Result<[u32; 2], Stop> {
    let sides = text.split_once('x').map(|(w, h)| (w.trim().parse::<u32>(), h.trim().parse::<u32>()));
    match sides {
        Some((Ok(w), Ok(h))) if (64..=7680).contains(&w) && (64..=4320).contains(&h) => {
            Ok([w.next_multiple_of(2), h.next_multiple_of(2)])
        }
        _ => Err(wrong(format!(
            "--size {text}: width and height in pixels are needed\n  help: write for example 960x600, \
             between 64 and 7680x4320"
        ))),
    }
}
