//! `precess import`: turns a robot description into a model file, or a finite-element body into a modal body.

use precess::model::files::read_text;
use precess::model::mjcf;
use precess::model::number::{Names, Number};
use precess::model::urdf::{Import, ImportOptions, import as read};
use serde_json::json;

use crate::args;
use crate::output::{Stop, message, print, write_file, wrong};

/// Imports a URDF or an MJCF and lists what was left out; or reduces a body of CalculiX.
pub fn import(args: &args::Import) -> Result<(), Stop> {
    if args.robot.extension().is_some_and(|e| e.eq_ignore_ascii_case("inp")) {
        return crate::import_body::import(args);
    }
    let path = args.robot.display().to_string();
    let text = read_text(&args.robot)
        .map_err(|e| wrong(format!("cannot read {path}: {e}\n  help: give the URDF of a robot")))?;
    let options = ImportOptions {
        floating_base: args.floating_base,
        merge_fixed: args.merge_fixed,
        joints: args.joints.iter().map(|j| joint(j)).collect::<Result<_, _>>()?,
    };
    let is_mjcf = args.robot.extension().is_some_and(|e| e == "xml") || text.contains("<mujoco");
    let robot = match is_mjcf && !text.contains("<robot") {
        true => {
            if args.floating_base || args.merge_fixed || !args.joints.is_empty() {
                return Err(wrong(
                    "--floating-base, --merge-fixed and --joint are for URDF\n  help: leave them out for an \
                     MJCF",
                ));
            }
            mjcf::import(&path, &text).map_err(wrong)?
        }
        false => read(&path, &text, &options).map_err(wrong)?,
    };
    if let Some(file) = &args.out {
        write_file(file, robot.to_toml().as_bytes())?;
    }
    if args.json {
        print(&format!("{:#}\n", object(&robot, args)));
    } else {
        if args.out.is_none() {
            print(&robot.to_toml());
        }
        message(&robot.notes.to_string());
    }
    Ok(())
}

/// The import as JSON, without the model if it is written to a file.
fn object(robot: &Import, args: &args::Import) -> serde_json::Value {
    let notes = &robot.notes;
    let ignored = notes.ignored.iter().map(|(what, of)| json!({ "element": what, "of": of }));
    let limits = notes.limits.iter().map(|(joint, text)| json!({ "joint": joint, "limits": text }));
    let mut object = json!({
        "robot": args.robot.display().to_string(),
        "bodies": robot.file.body.iter().map(|b| &b.name).collect::<Vec<_>>(),
        "joints": robot.file.joint.iter().map(|j| &j.name).collect::<Vec<_>>(),
        "ignored": ignored.collect::<Vec<_>>(),
        "limits": limits.collect::<Vec<_>>(),
        "missing": notes.missing,
        "remarks": notes.remarks,
    });
    match &args.out {
        Some(file) => object["out"] = file.display().to_string().into(),
        None => object["model"] = robot.to_toml().into(),
    }
    object
}

/// `name=value`; the value as in model files.
fn joint(text: &str) -> Result<(String, f64), Stop> {
    let bad = |why: String| {
        wrong(format!(
            "--joint {text}: {why}\n  help: write NAME=VALUE, for example elbow=0.3 or \"elbow=30 deg\""
        ))
    };
    let (name, value) = text.split_once('=').ok_or_else(|| bad("there is no '='".to_string()))?;
    let value = Number::Text(value.to_string()).evaluate(&Names::new()).map_err(bad)?;
    Ok((name.trim().to_string(), value))
}
