//! `precess plot`: draws a results file.

use std::path::{Path, PathBuf};

use precess::study::results::{self, Results};
use precess_view::curves;
use precess_view::plot::{Figure, html, png, svg};
use serde_json::json;

use crate::args;
use crate::output::{Stop, print, write_file, wrong};

/// Pixels of a PNG for each pixel of the SVG.
const DENSITY: f64 = 2.0;

/// Draws results.
pub fn plot(args: &args::Plot) -> Result<(), Stop> {
    let Some(first) = args.results.first() else { return Err(wrong("no results are given")) };
    let out = args.out.clone().unwrap_or_else(|| first.with_extension("svg"));
    let kind = kind(&out)?;
    let all = args.results.iter().map(|f| results::read(f).map_err(wrong)).collect::<Result<Vec<_>, _>>()?;
    let mut figure = figure(args, &all).map_err(wrong)?;
    if let Some(n) = args.columns {
        figure.columns = n as usize;
    }
    write_file(&out, &draw(&figure, kind)?)?;
    let file = out.display();
    print(&if args.json {
        let rows: usize = all.iter().map(|r| r.rows()).sum();
        let object = json!({ "plot": file.to_string(), "panels": figure.panels.len(), "rows": rows });
        format!("{object:#}\n")
    } else {
        format!("plot: {file}\n")
    });
    Ok(())
}

/// A figure as svg, html or png.
pub fn draw(figure: &Figure, kind: &str) -> Result<Vec<u8>, Stop> {
    match kind {
        "svg" => Ok(svg::render(figure).into_bytes()),
        "html" => Ok(html::render(figure).into_bytes()),
        _ => png::render(figure, DENSITY)
            .ok_or_else(|| wrong("the picture is too large for a PNG\n  help: use .svg")),
    }
}

fn kind(out: &Path) -> Result<&'static str, Stop> {
    let extension = out.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    ["svg", "html", "png"].into_iter().find(|k| *k == extension).ok_or_else(|| {
        wrong(format!("{}: unknown kind of picture\n  help: use .svg, .png or .html", out.display()))
    })
}

/// File names for a legend, without folders if that is enough to tell them apart.
fn names(files: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> =
        files.iter().map(|f| f.file_name().unwrap_or_default().to_string_lossy().into_owned()).collect();
    let apart = short.iter().enumerate().all(|(k, name)| !short.iter().take(k).any(|n| n == name));
    if apart { short } else { files.iter().map(|f| f.display().to_string()).collect() }
}

/// The requested panels in the order of the help; the default page if nothing was requested.
fn figure(args: &args::Plot, all: &[Results]) -> Result<Figure, String> {
    let names = names(&args.results);
    let runs: Vec<(&str, &Results)> = match all {
        [only] => vec![("", only)],
        _ => names.iter().map(String::as_str).zip(all).collect(),
    };
    let Some(results) = all.first() else { return Err("no results are given".to_string()) };
    let mut parts = Vec::new();
    if !args.sensor.is_empty() {
        parts.push(curves::overlaid(&runs, &args.sensor).map_err(|e| e.to_string())?);
    }
    for pair in &args.xy {
        parts.push(
            curves::phase(results, pair)
                .map_err(|e| format!("--xy {e}\n  help: write A,B for B over A, for example top.x,top.y"))?,
        );
    }
    for body in &args.path {
        parts.push(curves::path(results, body).map_err(|e| e.to_string())?);
    }
    if all.len() > 1 && (parts.is_empty() || !args.xy.is_empty() || !args.path.is_empty()) {
        return Err(
            "several runs are drawn over time\n  help: say what with --sensor, for example --sensor \
                    top.position,energy; --xy and --path draw one run"
                .to_string(),
        );
    }
    let mut parts = parts.into_iter();
    let Some(mut all) = parts.next() else { return Ok(curves::page(results, args.solver)) };
    for part in parts {
        all.panel_size = [0, 1].map(|k| all.panel_size[k].max(part.panel_size[k]));
        all.panels.extend(part.panels);
    }
    Ok(all)
}
