//! `precess import body.inp`: turns the matrices of CalculiX into the file of a modal body.

use std::path::Path;

use precess::analysis::reduce::calculix::{Job, read};
use precess::analysis::reduce::{ElasticBody, Interface, ReduceOptions};
use precess::model::files::read_text;
use precess::model::modal_file::{self, ModalFile};

use crate::args;
use crate::output::{Stop, message, print, write_file, wrong};

const HELP: &str = "run CalculiX on the free body with *FREQUENCY, SOLVER=MATRIXSTORAGE; it writes .dof, \
                    .sti and .mas beside the input";

/// Reads, reduces and writes.
pub fn import(args: &args::Import) -> Result<(), Stop> {
    let path = &args.robot;
    let name = path.with_extension("").display().to_string();
    let text = |path: &Path| {
        read_text(path).map_err(|e| wrong(format!("cannot read {}: {e}\n  help: {HELP}", path.display())))
    };
    let beside = |ending: &str| text(&path.with_extension(ending));
    let (inp, dof, sti, mas) = (text(path)?, beside("dof")?, beside("sti")?, beside("mas")?);
    let include = |file: &str| {
        let data = path.parent().unwrap_or(Path::new("")).join(file);
        read_text(&data).map_err(|e| format!("cannot read {}: {e}", data.display()))
    };
    let job = Job { name: &name, inp: &inp, dof: &dof, sti: &sti, mas: &mas, include: &include };
    let elastic = read(&job).map_err(wrong)?;
    if args.interfaces.is_empty() {
        let sets: Vec<&str> = elastic.sets.keys().map(String::as_str).collect();
        let sets = if sets.is_empty() { "there are none".to_string() } else { sets.join(", ") };
        return Err(wrong(format!(
            "the body has no interfaces\n  help: give node sets as --interface NAME=SET; sets: {sets}"
        )));
    }
    let options = ReduceOptions {
        interfaces: args.interfaces.iter().map(|i| interface(i)).collect::<Result<_, _>>()?,
        modes: args.modes,
        up_to: args.up_to,
        keep: args.keep.clone(),
    };
    let body = elastic.reduce(&options).map_err(wrong)?;
    let comment = format!(
        "{name}: Craig-Bampton reduction of {} nodes, interfaces {}, {} normal modes",
        elastic.nodes.len(),
        args.interfaces.join(" "),
        args.modes
    );
    let json = modal_file::write(&body, &comment);
    if let Some(file) = &args.out {
        write_file(file, json.as_bytes())?;
    }
    if args.json {
        print(&format!("{:#}\n", object(&elastic, &body, args)));
    } else {
        if args.out.is_none() {
            print(&json);
        }
        message(&summary(&elastic, &body));
    }
    Ok(())
}

/// Frequencies of the modes with the frame held, in Hz.
fn frequencies(body: &ModalFile) -> Vec<f64> {
    let diagonal = body.data.stiffness.diagonal();
    diagonal
        .iter()
        .zip(body.data.mff.diagonal().iter())
        .map(|(k, m)| (k / m).sqrt() / std::f64::consts::TAU)
        .collect()
}

fn summary(elastic: &ElasticBody, body: &ModalFile) -> String {
    let f = frequencies(body);
    let names: Vec<String> = body
        .names
        .iter()
        .filter_map(|(name, i)| {
            body.shapes.nodes.get(*i).map(|x| format!("{name} at [{}, {}, {}]", x.x, x.y, x.z))
        })
        .collect();
    format!(
        "{} nodes became {} modes from {:.4} to {:.4} Hz, mass {:.6}; {}",
        elastic.nodes.len(),
        f.len(),
        f.first().copied().unwrap_or(f64::NAN),
        f.last().copied().unwrap_or(f64::NAN),
        body.data.mass,
        names.join(", ")
    )
}

/// The reduction as JSON, without the body if it is written to a file.
fn object(elastic: &ElasticBody, body: &ModalFile, args: &args::Import) -> serde_json::Value {
    let mut object = serde_json::json!({
        "body": args.robot.display().to_string(),
        "nodes": elastic.nodes.len(),
        "frequencies": frequencies(body),
        "mass": body.data.mass,
        "names": body.names,
    });
    match &args.out {
        Some(file) => object["out"] = file.display().to_string().into(),
        None => object["file"] = modal_file::write(body, "").into(),
    }
    object
}

/// `name=SET` or `name=SET@x,y,z`.
fn interface(text: &str) -> Result<Interface, Stop> {
    let bad = || wrong(format!("--interface {text}\n  help: write NAME=SET, or NAME=SET@x,y,z"));
    let (name, rest) = text.split_once('=').ok_or_else(bad)?;
    let (set, point) = match rest.split_once('@') {
        None => (rest, None),
        Some((set, point)) => {
            let x = point.split(',').map(|x| x.trim().parse::<f64>().ok().filter(|x| x.is_finite()));
            match x.collect::<Option<Vec<f64>>>().as_deref() {
                Some([x, y, z]) => (set, Some([*x, *y, *z])),
                _ => return Err(bad()),
            }
        }
    };
    if name.trim().is_empty() || set.trim().is_empty() {
        return Err(bad());
    }
    Ok(Interface { name: name.trim().to_string(), set: set.trim().to_string(), point })
}
