//! `precess view`: writes a page that shows a model or its results in motion.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use precess::study::results::{self, is_results};
use precess_view::{Scene, html, simulate};
use serde_json::json;

use crate::output::{Stop, message, print, write_file, wrong};
use crate::progress::{Progress, Show};
use crate::{args, browser, interrupt, run};

/// Writes the page of a model or of results.
pub fn view(args: &args::View) -> Result<(), Stop> {
    let model = &args.source.model;
    let out = args.out.clone().unwrap_or_else(|| default_name(model, "html"));
    if out.extension().is_none_or(|e| !e.eq_ignore_ascii_case("html")) {
        return Err(wrong(format!(
            "{}: a page is .html\n  help: precess export writes .glb, films and pictures",
            out.display()
        )));
    }
    refuse_overwrite(&out, [model].into_iter().chain(&args.compare))?;
    let (scene, failed) = scene(&args.source, args.progress)?;
    let mut scenes = vec![scene];
    for other in &args.compare {
        let source = args::Source { model: other.clone(), ..args::Source::default() };
        let (mut ghost, _) = self::scene(&source, args.progress)?;
        ghost.drawn.name = other.display().to_string();
        scenes.push(ghost);
    }
    let page = html::page(&scenes);
    write_file(&out, page.as_bytes())?;
    report(&out, &scenes, page.len(), args.json);
    let opens = !args.no_open && !args.json && std::io::stdout().is_terminal();
    if opens && failed.is_none() && !browser::open(&out) {
        message("no browser could be started here: open the page yourself");
    }
    failed.map_or(Ok(()), Err)
}

fn report(out: &Path, scenes: &[Scene], bytes: usize, as_json: bool) {
    let file = out.display();
    let Some(scene) = scenes.first() else { return };
    let notes: Vec<&String> = scenes.iter().flat_map(|s| &s.notes).collect();
    if as_json {
        let frames = scene.motion.frames();
        let bodies = scene.drawn.bodies.len();
        let object = json!({
            "page": file.to_string(), "bytes": bytes, "frames": frames, "bodies": bodies, "notes": notes,
        });
        print(&format!("{object:#}\n"));
        return;
    }
    print(&format!("page: {file}, {} kB\n", bytes.div_ceil(1000)));
    for note in notes {
        message(&format!("note: {note}"));
    }
}

/// The name of a model or result with another extension. Results keep their folder, pages of models go to the
/// current one.
fn default_name(model: &Path, extension: &str) -> PathBuf {
    let out = model.with_extension(extension);
    if is_results(model) { out } else { out.file_name().map_or(out.clone(), PathBuf::from) }
}

/// Refuses to overwrite an input.
pub fn refuse_overwrite<'a>(out: &Path, inputs: impl Iterator<Item = &'a PathBuf>) -> Result<(), Stop> {
    let real = |p: &Path| p.canonicalize().ok();
    for input in inputs {
        if real(out).is_some() && real(out) == real(input) {
            let file = out.display();
            return Err(wrong(format!("{file} is the input file\n  help: choose another name with -o")));
        }
    }
    Ok(())
}

/// The scene of results, or of a model, which is run first; and the exit of the command if the run failed.
pub fn scene(source: &args::Source, show: Show) -> Result<(Scene, Option<Stop>), Stop> {
    let folder = source.model.parent();
    if is_results(&source.model) {
        if !source.overrides().is_empty() {
            return Err(wrong(
                "options of a run do not change results\n  help: give the model \
                 file instead",
            ));
        }
        let results = results::read(&source.model).map_err(wrong)?;
        let files = run::files(source);
        return Ok((drawable(Scene::of_files(&results, &files))?, None));
    }
    let loaded = run::read(source, &[])?;
    let mut progress = Progress::new(show, 0.0, loaded.settings.until);
    interrupt::listen();
    let results = simulate::simulate(&loaded, &mut |sample| {
        progress.observe(sample);
        !interrupt::asked()
    });
    progress.finish();
    let results = results.map_err(wrong)?;
    let summary = &results.metadata.summary;
    let why = ["error", "untrusted"].into_iter().find_map(|k| summary[k].as_str());
    let failed = match why {
        Some(why) => Some(Stop { code: 1, message: format!("error: {why}") }),
        None if interrupt::asked() => {
            let message = format!("stopped at t = {} of {} s", summary["t_end"], loaded.settings.until);
            Some(Stop { code: interrupt::CODE, message })
        }
        None => None,
    };
    Ok((drawable(Scene::simulated(&loaded, &results, folder))?, failed))
}

/// Refuses a scene without times or bodies.
fn drawable(scene: Scene) -> Result<Scene, Stop> {
    if scene.motion.frames() == 0 || scene.drawn.bodies.is_empty() {
        return Err(wrong(
            "there is nothing to show: no rows, or no columns NAME.position and NAME.rotation\n  \
             help: give a model file, or results with at least one row",
        ));
    }
    Ok(scene)
}
