//! Targets for parsers of flexible bodies: matrices of finite elements, and files of modal bodies.

use precess::analysis::reduce::calculix::{Job, read};
use precess::analysis::reduce::{Interface, ReduceOptions};
use precess::flex::tension_of_line;
use precess::model::modal_file;

/// Reads the four files of a job from one text. Lines `== dof`, `== sti` and `== mas` separate them. If the
/// body is small, it is reduced.
pub fn calculix(text: &str) {
    let mut parts = ["", "dof", "sti", "mas"].map(|end| {
        let start = if end.is_empty() { Some(0) } else { text.find(&format!("== {end}")).map(|i| i + 6) };
        let rest = start.and_then(|i| text.get(i..)).unwrap_or("");
        rest.split("== ").next().unwrap_or("")
    });
    if parts[3].is_empty() {
        parts[3] = parts[2];
    }
    let [inp, dof, sti, mas] = parts;
    let include = |name: &str| if name == "x" { Ok(inp.to_string()) } else { Err("no file".to_string()) };
    let elastic = match read(&Job { name: "fuzz", inp, dof, sti, mas, include: &include }) {
        Err(e) => return drop(e.to_string()),
        Ok(elastic) if elastic.nodes.len() > 40 => return,
        Ok(elastic) => elastic,
    };
    let interface = |name: &str| Interface { name: name.to_string(), set: name.to_string(), point: None };
    let interfaces = ["A", "B"].map(interface).into();
    let options = ReduceOptions { interfaces, modes: 3, up_to: None, keep: vec!["B".to_string()] };
    match elastic.reduce(&options) {
        Err(e) => drop(e.to_string()),
        Ok(file) => {
            let text = modal_file::write(&file, "fuzz");
            if let Err(e) = modal_file::read(text.as_bytes()) {
                panic!("what was reduced cannot be read: {e}");
            }
        }
    }
}

/// Reads the neutral file of a modal body and computes the stiffening from it.
pub fn modal(bytes: &[u8]) {
    match modal_file::read(bytes) {
        Err(e) => drop(e),
        Ok(file) => {
            let shapes = &file.shapes;
            drop(shapes.stiffening(&[0]).map_err(|e| e.to_string()));
            drop(tension_of_line(&shapes.nodes, &shapes.modes, &shapes.stiffness).map_err(|e| e.to_string()));
            let frame = precess::model::BodySpec::rigid("body", 1.0, [1.0; 3]);
            let z = vec![0.1; shapes.modes.len()];
            assert!(shapes.node(&frame, "first", 0, &z).is_some() || shapes.nodes.is_empty());
        }
    }
}
