//! A body of CalculiX becomes a modal body. References come from the full matrices, solved with SciPy
//! (`eigh`, `solve`) with both ends as rigid pieces.

use nalgebra::Vector3;
use precess::analysis::reduce::calculix::{Job, read};
use precess::analysis::reduce::{ElasticBody, Interface, ReduceError, ReduceOptions};
use precess::model::modal::ModalSpec;
use precess::model::modal_file;
use std::sync::Arc;

const INP: &str = include_str!("../data/bar.inp");
const DOF: &str = include_str!("../data/bar.dof");
const STI: &str = include_str!("../data/bar.sti");
const MAS: &str = include_str!("../data/bar.mas");

fn none(name: &str) -> Result<String, String> {
    Err(format!("there is no {name}"))
}

fn job(inp: &str, dof: &str) -> Result<ElasticBody, ReduceError> {
    read(&Job { name: "bar", inp, dof, sti: STI, mas: MAS, include: &none })
}

fn bar() -> ElasticBody {
    job(INP, DOF).unwrap_or_else(|e| panic!("{e}"))
}

fn options(modes: usize) -> ReduceOptions {
    let interface =
        |name: &str, set: &str| Interface { name: name.to_string(), set: set.to_string(), point: None };
    let interfaces = vec![interface("root", "ROOT"), interface("tip", "tip")];
    ReduceOptions { interfaces, modes, up_to: None, keep: vec!["MIDDLE".to_string()] }
}

fn near(found: f64, expected: f64, part: f64, what: &str) {
    assert!((found / expected - 1.0).abs() <= part, "{what}: {found}, expected {expected}");
}

/// Frequencies with the root clamped, those of the free body, mass and inertia.
#[test]
fn frequencies_and_inertia_of_a_bar() {
    let body = bar().reduce(&options(20)).unwrap_or_else(|e| panic!("{e}"));
    let clamped = [76.64591899, 113.92828111, 551.50138125, 801.38571142, 2239.52858586];
    for (k, f) in clamped.iter().enumerate() {
        near(body.data.stiffness[(k, k)].sqrt() / std::f64::consts::TAU, *f, 2e-7, "clamped");
        near(body.data.mff[(k, k)], 1.0, 1e-9, "modal mass");
    }
    near(body.data.mass, 0.3 * 0.008 * 0.012 * 7870.0, 1e-12, "mass");
    let inertia = [3.928704e-06, 0.006802399872, 0.006800888832];
    (0..3).for_each(|k| near(body.data.i0[(k, k)], inertia[k], 1e-9, "inertia"));
    near(body.data.s0.x, body.data.mass * 0.15, 1e-9, "moment");
    let spec = ModalSpec {
        name: "bar".to_string(),
        data: Arc::new(body.data.clone()),
        nodes: Vec::new(),
        coordinates: vec![0.0; body.data.modes()],
        rates: vec![0.0; body.data.modes()],
    };
    let [held, free] = spec.frequencies();
    near(held, clamped[0], 1e-7, "held");
    near(free, 491.314173, 1e-4, "free");
}

/// Constraint modes are exact for loads at the interfaces, without any normal modes: displacement and
/// rotation of the tip per newton across the bar.
#[test]
fn statics_need_no_normal_modes() {
    for modes in [0, 6] {
        let body = bar().reduce(&options(modes)).unwrap_or_else(|e| panic!("{e}"));
        let tip = body.names["tip"];
        let turns = body.shapes.rotations.as_ref().unwrap();
        let response = |load: &dyn Fn(usize) -> f64, of: &dyn Fn(usize) -> f64| -> f64 {
            (0..body.data.modes()).map(|k| load(k) * of(k) / body.data.stiffness[(k, k)]).sum()
        };
        let shift = |j: usize| move |k: usize| (k, j);
        let at = |(k, j): (usize, usize)| body.shapes.modes[k][tip][j];
        let (y, z) = (shift(1), shift(2));
        near(response(&|k| at(y(k)), &|k| at(y(k))), 8.06210926e-05, 1e-7, "y");
        near(response(&|k| at(z(k)), &|k| at(z(k))), 3.63120267e-05, 1e-7, "z");
        near(response(&|k| at(y(k)), &|k| turns[k][tip].z), 4.19572609e-04, 1e-7, "rotation");
        // The root carries the frame: it does not move.
        let root = body.names["root"];
        assert!((0..body.data.modes()).all(|k| body.shapes.modes[k][root].norm() == 0.0));
    }
}

/// Kept nodes turn as their section does, at a third of the length of a cantilever.
#[test]
fn kept_nodes_and_the_file() {
    let body = bar().reduce(&options(4)).unwrap_or_else(|e| panic!("{e}"));
    let (n, turns) = (body.data.modes(), body.shapes.rotations.as_ref().unwrap());
    assert_eq!(body.shapes.nodes.len(), 2 + 8);
    let tip = body.names["tip"];
    let under_load = |of: &dyn Fn(usize) -> f64| -> f64 {
        (0..n).map(|k| body.shapes.modes[k][tip].y * of(k) / body.data.stiffness[(k, k)]).sum()
    };
    let turn = |node: usize| under_load(&|k| turns[k][node].z);
    let mean = (2..10).map(turn).sum::<f64>() / 8.0;
    // The rotation of the section: its nodes move along the bar by -theta y.
    let y = |i: usize| body.shapes.nodes[i].y;
    let along = |i: usize| under_load(&|k| body.shapes.modes[k][i].x);
    let section = -(2..10).map(|i| y(i) * along(i)).sum::<f64>() / (2..10).map(|i| y(i) * y(i)).sum::<f64>();
    near(mean, section, 0.05, "slope");
    // Slope at x of a cantilever with a load at its end: F x (L - x/2)/EI, over that of the tip F L^2/(2 EI);
    // three elements are coarse.
    let x = 1.0 / 3.0;
    near(section / turn(tip), x * (2.0 - x), 0.15, "slope of a cantilever");
    let again =
        modal_file::read(modal_file::write(&body, "a bar").as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.data, body.data);
    assert_eq!(again.shapes.modes, body.shapes.modes);
    assert_eq!(again.names, body.names);
    let mut few = options(4);
    few.up_to = Some(900.0);
    assert_eq!(bar().reduce(&few).unwrap().data.modes(), 4);
}

#[test]
fn mistakes_are_named() {
    let with = |change: &dyn Fn(&mut ReduceOptions)| {
        let mut options = options(2);
        change(&mut options);
        bar().reduce(&options).unwrap_err().to_string()
    };
    type Change = dyn Fn(&mut ReduceOptions);
    let cases: [(&Change, &str); 6] = [
        (
            &|o| o.interfaces[0].set = "HUB".to_string(),
            "no node set 'HUB'; the file has ALL, MIDDLE, ROOT, TIP",
        ),
        (&|o| o.interfaces[1].set = "ALL".to_string(), "shares a node with interface 'root'"),
        (&|o| o.interfaces.clear(), "at least one must carry the frame"),
        (&|o| o.up_to = Some(1.0), "above the highest frequency"),
        (&|o| o.keep = vec!["X".to_string()], "no node set 'X'"),
        (
            &|o| {
                o.interfaces.truncate(1);
                o.modes = 0;
            },
            "would be rigid",
        ),
    ];
    for (change, expected) in cases {
        let message = with(change);
        assert!(message.contains(expected), "{message}");
    }
    let read = |inp: &str, dof: &str| job(inp, dof).unwrap_err().to_string();
    let held = INP.replace("*STEP", "*BOUNDARY\n1, 1, 3\n*STEP");
    assert!(read(&held, DOF).contains("import the free body"));
    assert!(
        read(&INP.replace("*NSET, NSET=ROOT", "*INCLUDE, INPUT=mesh.inp"), DOF)
            .contains("there is no mesh.inp")
    );
    assert!(read(&INP.replace("1, 0, -0.004, -0.006", "1, 0, zero, -0.006"), DOF).contains("bar.inp, line"));
    assert!(read(INP, &DOF.replacen("1.1\n", "", 1)).contains("131 rows for 44 nodes"));
    assert!(read(INP, &DOF.replacen("1.1\n", "99.1\n", 1)).contains("node 99"));
    assert!(read(INP, &DOF.replacen("1.1\n", "1.4\n", 1)).contains("only solid elements"));
    let short = read_matrix("1 1 x");
    assert!(short.contains("bar.sti, line 1"), "{short}");
    // Three nodes on a line cannot carry the frame.
    let mut body = bar();
    let line: Vec<usize> =
        (0..body.nodes.len()).filter(|&i| body.nodes[i].y < 0.0 && body.nodes[i].z < 0.0).collect();
    body.sets.insert("LINE".to_string(), line);
    let mut wrong = options(2);
    wrong.interfaces = vec![Interface { name: "edge".to_string(), set: "LINE".to_string(), point: None }];
    assert!(body.reduce(&wrong).unwrap_err().to_string().contains("not on a line"));
    // A node that nothing holds.
    let mut loose = bar();
    loose.nodes.push(Vector3::new(1.0, 1.0, 1.0));
    (loose.stiffness.size, loose.mass.size) = (loose.stiffness.size + 3, loose.mass.size + 3);
    assert_eq!(loose.reduce(&options(2)).err(), Some(ReduceError::Loose));
}

fn read_matrix(sti: &str) -> String {
    let job = Job { name: "bar", inp: INP, dof: DOF, sti, mas: MAS, include: &none };
    read(&job).unwrap_err().to_string()
}
