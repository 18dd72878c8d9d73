//! `precess plot`: a results file becomes a picture.

use std::path::Path;

use precess::study::{plots, results};
use precess_plot::{Figure, html, png, svg};
use serde_json::json;

use crate::args;
use crate::output::{Stop, print, write_file, wrong};

/// Pixels of a PNG for each pixel of the SVG.
const DENSITY: f64 = 2.0;

/// Draws results.
pub fn plot(args: &args::Plot) -> Result<(), Stop> {
    let out = args.out.clone().unwrap_or_else(|| args.result.with_extension("svg"));
    let kind = kind(&out)?;
    let results = results::read(&args.result).map_err(wrong)?;
    let figure = figure(args, &results).map_err(wrong)?;
    let bytes = match kind {
        "svg" => svg::render(&figure).into_bytes(),
        "html" => html::render(&figure).into_bytes(),
        _ => png::render(&figure, DENSITY)
            .ok_or_else(|| wrong("the picture is too large for a PNG\n  help: use .svg"))?,
    };
    write_file(&out, &bytes)?;
    let place = out.display();
    print(&if args.json {
        format!(
            "{:#}\n",
            json!({ "plot": place.to_string(), "panels": figure.panels.len(), "rows": results.rows() })
        )
    } else {
        format!("plot: {place}\n")
    });
    Ok(())
}

fn kind(out: &Path) -> Result<&'static str, Stop> {
    let extension = out.extension().and_then(|e| e.to_str()).unwrap_or("").to_lowercase();
    ["svg", "html", "png"].into_iter().find(|k| *k == extension).ok_or_else(|| {
        wrong(format!("{}: unknown kind of picture\n  help: use .svg, .png or .html", out.display()))
    })
}

/// What was asked for in the order of the help; the page of defaults if nothing was.
fn figure(args: &args::Plot, results: &results::Results) -> Result<Figure, String> {
    let mut parts = Vec::new();
    if !args.sensor.is_empty() {
        parts.push(plots::histories(results, &args.sensor).map_err(|e| e.to_string())?);
    }
    for pair in &args.xy {
        let (x, y) = pair.split_once(',').ok_or_else(|| {
            format!(
                "--xy {pair}: two names are needed\n  help: write A,B for B over A, for example top.x,top.y"
            )
        })?;
        parts.push(plots::phase(results, x.trim(), y.trim()).map_err(|e| e.to_string())?);
    }
    for body in &args.path {
        parts.push(plots::path(results, body).map_err(|e| e.to_string())?);
    }
    let mut parts = parts.into_iter();
    let Some(mut all) = parts.next() else { return Ok(plots::page(results)) };
    for part in parts {
        all.panel_size = [0, 1].map(|k| all.panel_size[k].max(part.panel_size[k]));
        all.panels.extend(part.panels);
    }
    Ok(all)
}
