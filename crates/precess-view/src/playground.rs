//! The playground: one page with an editor, the gallery and the simulator.
//!
//! The page contains everything, with the simulator packed as base64. So it opens from a disk and from any
//! server.

use serde_json::{Map, Value};

use crate::{html, pack};

const PAGE: &str = include_str!("../assets/playground.html");
const SCRIPT: &str = include_str!("../assets/playground.js");
const STYLE: &str = include_str!("../assets/playground.css");
const WORKER: &str = include_str!("../assets/worker.js");
/// Licences of the packages that the pages contain.
pub const LICENCES: &str = include_str!("../assets/LICENSES.txt");

/// First bytes of a gzip file.
const GZIP: &[u8] = &[0x1f, 0x8b];
/// First bytes of WebAssembly.
const WASM: &[u8] = b"\0asm";

/// The error for a file that is not a simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is not WebAssembly: it begins neither with \\0asm nor like a gzip file")]
pub struct NoWebAssembly;

/// The page. `models` are names and texts of the gallery; `simulator` is the WebAssembly of precess-wasm,
/// plain or gzipped.
pub fn page(models: &[(String, String)], simulator: &[u8]) -> Result<String, NoWebAssembly> {
    let simulator = if simulator.starts_with(GZIP) {
        pack::base64(simulator)
    } else if simulator.starts_with(WASM) {
        pack::base64(&pack::deflate(simulator))
    } else {
        return Err(NoWebAssembly);
    };
    let gallery: Map<String, Value> =
        models.iter().map(|(name, text)| (name.clone(), text.as_str().into())).collect();
    // A script element ends at the first "</script", whatever its content.
    let gallery = Value::Object(gallery).to_string().replace('<', "\\u003c");
    let content = |name: &str| match name {
        "viewer.css" => html::STYLE,
        "viewer.js" => html::SCRIPT,
        "playground.css" => STYLE,
        "playground.js" => SCRIPT,
        "worker.js" => WORKER,
        "gallery" => &gallery,
        "simulator" => &simulator,
        _ => "",
    };
    let mut out = String::with_capacity(simulator.len() + html::SCRIPT.len() + SCRIPT.len() + 200_000);
    let mut pieces = PAGE.split("{{");
    out.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or(("", piece));
        out.push_str(content(name));
        out.push_str(rest);
    }
    Ok(out)
}
