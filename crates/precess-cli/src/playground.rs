//! `precess playground`: a folder with a page that runs models.

use std::fs;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use precess::model::files::read_text;
use precess_view::playground::{LICENCES, page};
use serde_json::json;

use crate::output::{Stop, message, print, write_file, wrong};
use crate::{browser, gallery, serve};

/// The simulator for browsers, beside the program: `tools/wasm` writes it, releases contain it. It is no part
/// of the sources, since nothing would notice when it is older than they are.
const SIMULATOR: &str = "simulator.wasm.gz";

/// The files of the folder: the page, and the licences of what is in it.
const INDEX: &str = "index.html";
const NOTICES: &str = "LICENSES.txt";

/// Writes the simulator as a page.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "The folder holds a page with everything in it: it opens from a disk, and from any web \
                  server. --serve shows it on this machine, \
    on the loopback address only.\n\
    Exit codes: 0 done; 2 wrong input."
)]
pub struct Args {
    /// Folder to write.
    #[arg(short, long, value_name = "DIR")]
    pub out: PathBuf,
    /// Serve the folder on this machine until Ctrl-C, at this port or at any free port.
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub serve: Option<u16>,
    /// Use the models of this folder instead.
    #[arg(long, value_name = "DIR")]
    pub models: Option<PathBuf>,
    /// Simulator: a WebAssembly file that tools/wasm has written. Default: simulator.wasm.gz beside this
    /// program.
    #[arg(long, value_name = "FILE")]
    pub wasm: Option<PathBuf>,
    /// Do not open a browser.
    #[arg(long)]
    pub no_open: bool,
    /// Print the location of the page as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Writes the folder, and serves it on request.
pub fn playground(args: &Args) -> Result<(), Stop> {
    let file = match &args.wasm {
        Some(file) => file.clone(),
        None => beside()?,
    };
    let simulator = fs::read(&file).map_err(|e| {
        wrong(format!("cannot read {}: {e}\n  help: give the file that tools/wasm writes", file.display()))
    })?;
    let models = match &args.models {
        Some(folder) => models(folder)?,
        None => gallery::MODELS.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect(),
    };
    let page = page(&models, &simulator).map_err(|e| {
        wrong(format!("{}: {e}\n  help: give the file that tools/wasm writes (--wasm)", file.display()))
    })?;
    let folder = &args.out;
    fs::create_dir_all(folder).map_err(|e| {
        wrong(format!("cannot make {}: {e}\n  help: choose a folder you may write (-o)", folder.display()))
    })?;
    let index = folder.join(INDEX);
    write_file(&index, page.as_bytes())?;
    write_file(&folder.join(NOTICES), LICENCES.as_bytes())?;
    if args.json {
        let object = json!({
            "page": index.display().to_string(), "bytes": page.len(),
            "simulator": simulator.len(), "models": models.len(),
        });
        print(&format!("{object:#}\n"));
    } else {
        let (file, size) = (index.display(), page.len().div_ceil(1000));
        print(&format!("playground: {file}, {size} kB, {} models\n", models.len()));
    }
    let opens = !args.no_open && !args.json && std::io::stdout().is_terminal();
    if let Some(port) = args.serve {
        return serve::serve(folder, &[INDEX, NOTICES], port, opens);
    }
    if opens && !browser::open(&index) {
        message("no browser could be started here: open the page yourself");
    }
    Ok(())
}

/// The simulator beside this program.
fn beside() -> Result<PathBuf, Stop> {
    let program = std::env::current_exe().unwrap_or_default();
    let file = program.with_file_name(SIMULATOR);
    let time = |file: &Path| fs::metadata(file).and_then(|m| m.modified()).ok();
    match (time(&file), time(&program)) {
        (None, _) => Err(wrong(format!(
            "there is no simulator for browsers ({SIMULATOR}) beside this program\n  help: releases of precess \
             contain it; in its sources, run rustup target add wasm32-unknown-unknown and tools/wasm FILE, and \
             give --wasm FILE"
        ))),
        (Some(simulator), Some(program)) if simulator < program => {
            message(&format!(
                "warning: {} is older than this program, and its answers may differ: build it again with \
                 tools/wasm",
                file.display()
            ));
            Ok(file)
        }
        _ => Ok(file),
    }
}

/// Names and texts of the model files of a folder.
fn models(folder: &Path) -> Result<Vec<(String, String)>, Stop> {
    let none = |e: String| {
        let shown = folder.display();
        wrong(format!("no models in {shown}: {e}\n  help: give a folder with model files (--models)"))
    };
    let entries = fs::read_dir(folder).map_err(|e| none(e.to_string()))?;
    let mut list = Vec::new();
    for file in entries.filter_map(|e| e.ok().map(|e| e.path())) {
        if file.extension().is_some_and(|e| e == "toml") {
            let text = read_text(&file).map_err(|e| none(format!("{}: {e}", file.display())))?;
            list.push((
                file.file_stem().map_or_else(String::new, |s| s.to_string_lossy().into_owned()),
                text,
            ));
        }
    }
    list.sort();
    if list.is_empty() { Err(none("it has no .toml files".to_string())) } else { Ok(list) }
}
