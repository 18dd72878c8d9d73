//! Files of modal bodies, and their mistakes.

use precess::Simulation;
use precess_lie::Largest;

const FILE: &str = r#"{ "nodes": [[0, 0, 0], [0.5, 0, 0], [1, 0, 0]], "masses": [1, 1, 1],
  "inertias": [[0.01, 0, 0], [0.02, 0, 0], [0.01, 0, 0]],
  "modes": [[[0, 0, 0], [0, 0.3, 0], [0, 1, 0]]], "rotations": [[[0, 0, 0], [0, 0, 1.1], [0, 0, 1.4]]],
  "stiffness": [400], "names": { "root": 0, "tip": 2 } }"#;

pub fn in_folder(file: &str, model: &str) -> Result<precess::model::Loaded, String> {
    let count = std::sync::atomic::AtomicUsize::new(0);
    let folder = std::env::temp_dir().join(format!(
        "precess-modal-{}-{:?}-{}",
        std::process::id(),
        std::thread::current().id(),
        count.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    ));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("rod.json"), file).unwrap();
    let path = folder.join("model.toml");
    let loaded = precess::model::load(&path.to_string_lossy(), model, &[]).map_err(|e| e.to_string());
    std::fs::remove_dir_all(&folder).unwrap();
    loaded
}

const MODEL: &str = r#"
[[body]]
name = "rod"
type = "modal"
modal = { file = "rod.json", damping_ratios = 0.01, stiffening = true }
angular_velocity = [0, 0, 3]
[[joint]]
name = "hub"
type = "revolute"
bodies = ["ground", "rod.root"]
axis = "z"
drive = "3*t"
"#;

/// `int slope^2 dx` of a cubic polynomial over half a metre, with its mean slope and the slopes at both ends.
fn squared_slope(mean: f64, [a, b]: [f64; 2]) -> f64 {
    let slope =
        |x: f64| (1.0 - 4.0 * x + 3.0 * x * x) * a + (3.0 * x * x - 2.0 * x) * b + 6.0 * x * (1.0 - x) * mean;
    // Three points of Gauss are exact.
    let outer = 0.6f64.sqrt() * 0.5;
    let points = [(0.5 - outer, 5.0 / 18.0), (0.5, 8.0 / 18.0), (0.5 + outer, 5.0 / 18.0)];
    points.iter().map(|(x, weight)| 0.5 * weight * slope(*x).powi(2)).sum()
}

/// K_g of three nodes by hand: pulls 1.5 N and 1 N in the two halves.
#[test]
fn a_file_becomes_a_body() {
    let loaded = in_folder(FILE, MODEL).unwrap_or_else(|e| panic!("{e}"));
    let data = &loaded.model.modal[0].data;
    assert!((data.mass - 3.0).abs() < 1e-14 && loaded.model.modal[0].nodes.len() == 2);
    let expected = 1.5 * squared_slope(0.6, [0.0, 1.1]) + squared_slope(1.4, [1.1, 1.4]);
    let geometric = data.geometric.as_ref().unwrap();
    let load = |name: &str| {
        geometric.load(precess::flex::UNIT_LOADS.iter().position(|x| *x == name).unwrap())[(0, 0)]
    };
    assert!((load("w33") - expected).abs() < 1e-12 && (load("w22") - expected).abs() < 1e-12);
    // An acceleration along the rod presses with 2 N and 1 N.
    let pressed = 2.0 * squared_slope(0.6, [0.0, 1.1]) + squared_slope(1.4, [1.1, 1.4]);
    assert!((load("a1") + pressed).abs() < 1e-12, "{} {pressed}", load("a1"));
    assert!((data.damping[(0, 0)] - 2.0 * 0.01 * (400.0f64 * 1.09).sqrt()).abs() < 1e-12);
    let mut s = Simulation::new(loaded).unwrap_or_else(|e| panic!("{e}"));
    s.advance_to(0.5).unwrap_or_else(|e| panic!("{e}"));
    // At constant speed the rod stays straight in its plane; the hub pulls with sum m x w^2.
    let pull = s.joint("hub").unwrap().force.norm();
    assert!((pull - 1.5 * 9.0).abs() < 1e-3, "{pull}");
}

#[test]
fn mistakes_are_named() {
    let cases = [
        ("\"masses\": [1, 1, 1]", "\"masses\": [1, 1]", "masses"),
        ("[0, 0.3, 0]", "[0, 0.3]", "rod.json"),
        ("\"stiffness\": [400]", "\"stiffness\": [400, 1]", "1 modes"),
        ("\"tip\": 2", "\"tip\": 3", "node 3"),
        ("[0, 0, 0], [0, 0.3, 0], [0, 1, 0]", "[0, 0, 0], [0, 0.5, 0], [0, 1, 0]", "rigid"),
        ("[0, 0.3, 0]", "[0, 0.3]", "different lengths at line"),
        ("[0, 0.3, 0]", "[0, \"x\", 0]", "numbers only at line"),
        ("\"stiffness\"", "\"stifness\"", "'stiffness' is missing"),
        ("\"tip\": 2", "\"tip\": 1.5", "names.tip must be a whole number"),
        ("\"nodes\"", "\"colour\": 1, \"nodes\"", "unknown key 'colour'"),
        ("\"nodes\"", "\"nodes\": [], \"nodes\"", "duplicate field `nodes`"),
    ];
    for (old, new, expected) in cases {
        let message = in_folder(&FILE.replace(old, new), MODEL).err().unwrap_or_else(|| panic!("{new}"));
        assert!(message.contains(expected), "{new}: {message}");
    }
    // Nodes on a line: nothing has inertia about it. Body, axis and remedy are named.
    let inertias = "\"inertias\": [[0.01, 0, 0], [0.02, 0, 0], [0.01, 0, 0]],";
    let line = in_folder(&FILE.replace(inertias, ""), MODEL).err().unwrap();
    for expected in
        ["body 'rod'", "moment of inertia about the axis (1, 0, 0)", "rotary inertia (\"inertias\")"]
    {
        assert!(line.contains(expected), "{line}");
    }
    for (new, expected) in
        [("[[0.01, 0, 0]]", "inertias: 1 entries"), ("[[-1, 0, 0], [1, 0, 0], [1, 0, 0]]", "node 0")]
    {
        let message =
            in_folder(&FILE.replace(inertias, &format!("\"inertias\": {new},")), MODEL).err().unwrap();
        assert!(message.contains(expected), "{message}");
    }
    let other = MODEL.replace("rod.json", "missing.json");
    assert!(in_folder(FILE, &other).is_err());
    let no_turns = FILE.replace(", \"rotations\": [[[0, 0, 0], [0, 0, 1.1], [0, 0, 1.4]]]", "");
    assert_ne!(no_turns, FILE);
    let message = in_folder(&no_turns, MODEL).err().unwrap();
    assert!(message.contains("orientation"), "{message}");
    let directors =
        in_folder(FILE, &format!("{MODEL}[integrator]\nformulation = \"directors\"\nmethod = \"em\"\n"));
    let refused =
        precess::model::build(&directors.unwrap().model, precess::formulation::Formulation::Directors);
    assert!(refused.err().unwrap().to_string().contains("rod"));
}

/// Combine JSON, a file of numpy.savez: numbers as integers, arrays in columns, names inside of others.
#[test]
fn an_archive_of_numpy_is_the_same_body() {
    use precess::model::modal_file::read;
    let npz = read(include_bytes!("../data/modal_rod.npz")).unwrap_or_else(|e| panic!("{e}"));
    let stiffening = r#""stiffening": [{ "axis": [0, 0, 1], "matrix": [[1.25]] }], "nodes""#;
    let json = read(FILE.replace("\"nodes\"", stiffening).as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(npz.data, json.data);
    assert_eq!((&npz.names, &npz.shapes), (&json.names, &json.shapes));
    let message = read(include_bytes!("../data/modal_compressed.npz")).unwrap_err();
    assert!(message.contains("savez"), "{message}");
    assert!(read(b"PK\x03\x04").is_err());
}

/// Geometric stiffness in a file: second-order displacements of the nodes give the matrices of the twelve
/// loads; what was written is read again; what is wrong is named.
#[test]
fn geometric_stiffness_may_be_given() {
    use precess::model::modal_file::{read, write};
    let with = |geometric: serde_json::Value| {
        let mut file: serde_json::Value = serde_json::from_str(FILE).unwrap();
        file["geometric"] = geometric;
        read(file.to_string().as_bytes())
    };
    // One mode, a rod along x: the displacements towards the root are those of the computed stiffening.
    let [root, middle] = [squared_slope(0.6, [0.0, 1.1]), squared_slope(1.4, [1.1, 1.4])];
    let shifts = serde_json::json!([[[[0, 0, 0], [-root, 0, 0], [-root - middle, 0, 0]]]]);
    let given = with(serde_json::json!({ "shifts": shifts })).unwrap_or_else(|e| panic!("{e}"));
    let computed = in_folder(FILE, MODEL).unwrap_or_else(|e| panic!("{e}")).model.modal[0].data.clone();
    let [a, b] = [&given.data, &*computed].map(|data| data.geometric.clone().unwrap());
    for load in 0..12 {
        assert!(
            (a.load(load) - b.load(load)).largest() < 1e-12,
            "load {load}: {} {}",
            a.load(load),
            b.load(load)
        );
    }
    assert!(a.missing().is_empty() && a.nodes);
    let again = read(write(&given, "").as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.data.geometric, given.data.geometric);
    assert_eq!(again.second, given.second);
    // Some of the matrices.
    let some = with(serde_json::json!({ "a1": [-2.0], "w33": [[3.0]], "w22": [[3.0]] })).unwrap();
    let g = some.data.geometric.unwrap();
    assert_eq!(g.missing(), ["a2", "a3", "al1", "al2", "al3", "w11", "w12", "w23", "w31"]);
    assert!(some.remark.is_none() && !g.nodes);
    // A stiffness for the load instead of the acceleration.
    let other = with(serde_json::json!({ "a1": [2.0], "w33": [[3.0]], "w22": [[3.0]] })).unwrap();
    assert_eq!(other.data.geometric.unwrap(), g);
    assert!(other.remark.unwrap().contains("a1"));
    for (wrong, message) in [
        (serde_json::json!({ "a1": [[1, 2], [2, 3]] }), "geometric.a1 has 2 rows"),
        (serde_json::json!({ "a4": [1] }), "unknown key of geometric 'a4'"),
        (serde_json::json!({ "turns": [[[[0, 0, 0], [0, 0, 0], [0, 0, 0]]]] }), "without geometric.shifts"),
        (serde_json::json!({ "shifts": [[[[0, 0, 0], [0, 0, 0]]]] }), "geometric.shifts must have"),
    ] {
        let found = with(wrong).unwrap_err();
        assert!(found.contains(message), "{found}");
    }
}

/// The summary of a run of a model with the file [`FILE`].
fn summary(model: &str, file: &str) -> precess::study::Summary {
    let run = "\n[integrator]\nmethod = \"gen-alpha\"\n[run]\nstep = 1e-3\nuntil = 0.05\n";
    let loaded = in_folder(file, &format!("{model}{run}")).unwrap_or_else(|e| panic!("{e}"));
    let settings = &loaded.settings;
    let built = precess::model::build(&loaded.model, settings.formulation).unwrap();
    let initial = precess::integrate::InitialValues::new(&built.q, &built.v);
    let mut state = initial.consistent(&*built.system).unwrap_or_else(|e| panic!("{e}"));
    let mut method = precess::methods::method(&settings.method, &settings.options).unwrap();
    let run = settings.run().run(&*built.system, &mut *method, &mut state, &mut ());
    run.unwrap_or_else(|f| panic!("{}", f.error))
}

/// A body that lacks the stiffness of its loads says which; one that has it, or whose loads are across it or
/// small, does not.
#[test]
fn loads_without_stiffness_are_named() {
    let spin = |speed: u32, modal: &str| {
        MODEL
            .replace(", damping_ratios = 0.01, stiffening = true", modal)
            .replace("3*t", &format!("{speed}*t"))
            .replace("0, 0, 3]", &format!("0, 0, {speed}]"))
    };
    let hang = |direction: &str, modal: &str| {
        let fixed = MODEL.replace("angular_velocity = [0, 0, 3]", "");
        let fixed = fixed.replace("type = \"revolute\"", "type = \"fixed\"");
        let fixed = fixed.replace("axis = \"z\"\ndrive = \"3*t\"", "");
        let fixed = fixed.replace(", damping_ratios = 0.01, stiffening = true", modal);
        format!("[model]\ngravity = {direction}\n{fixed}")
    };
    // The first frequency is 19 rad/s: 12 rad/s change the stiffness by about 40 %.
    let given = FILE.replace("\"names\"", "\"geometric\": { \"w22\": [1], \"w33\": [1] }, \"names\"");
    let cases = [
        (spin(12, ""), FILE, Some("w33")),
        (spin(12, ", stiffening = true"), FILE, None),
        (spin(12, ""), &given, None),
        (spin(3, ""), FILE, None),
        (hang("[100, 0, 0]", ""), FILE, Some("a1")),
        (hang("[100, 0, 0]", ""), &given, Some("a1")),
        (hang("[100, 0, 0]", ", stiffening = true"), FILE, None),
        (hang("[0, 0, 100]", ""), FILE, None),
    ];
    for (model, file, load) in &cases {
        let s = summary(model, file);
        let found: Vec<_> = s.warnings.iter().filter(|w| w.contains("geometric stiffness")).collect();
        match load {
            None => assert!(found.is_empty(), "{model}: {found:?}"),
            Some(load) => assert!(
                found.len() == 1
                    && found[0].contains(&format!("stiffness of {load} ("))
                    && found[0].contains("'rod'"),
                "{model}: {found:?}"
            ),
        }
    }
}

/// Too much deformation for a model of second order: the results are not trusted, if the mechanism can move
/// where its mass is negative. Clamped, the rod has the mass of its mode.
#[test]
fn too_much_deformation_is_wrong() {
    let clamp =
        "[[joint]]\nname = \"hub\"\ntype = \"fixed\"\nbodies = [\"ground\", \"rod\"]\npoint = [0, 0, 0]\n";
    for (z, joint, wrong) in [(0.7, "", true), (0.2, "", false), (0.7, clamp, false)] {
        let model = format!(
            "[[body]]\nname = \"rod\"\ntype = \"modal\"\nmodal = {{ file = \"rod.json\", stiffening = true \
             }}\n{joint}"
        );
        let loaded = in_folder(FILE, &model).unwrap_or_else(|e| panic!("{e}"));
        let data = &loaded.model.modal[0].data;
        assert_eq!(data.least_mass(&[z]) < 0.0, z > 0.5);
        let built = precess::model::build(&loaded.model, loaded.settings.formulation).unwrap();
        let system = &*built.system;
        let (mut q, rest) = (built.q.clone(), vec![0.0; built.v.len()]);
        *q.last_mut().unwrap() = z;
        let lambda = vec![0.0; system.n_lambda()];
        let at = precess::mechanics::At {
            t: 0.0,
            q: &q,
            v: &rest,
            vdot: &rest,
            lambda: &lambda,
            s: &[],
            memory: &[],
        };
        let mut seen = Vec::new();
        system.see_limits(&at, &mut seen);
        // What was seen once is not forgotten.
        system.see_limits(&precess::mechanics::At { q: &built.q, ..at }, &mut seen);
        let found = system.exceeded(&seen).is_some_and(|why| why.contains("'rod' deforms too much"));
        assert_eq!(found, wrong, "{z}, {joint}: {seen:?}");
    }
}

/// A bent rod with torsion and rotary inertia.
const BENT: &str = r#"{ "nodes": [[0, 0, 0], [0.5, 0.1, 0], [1, 0, 0.2]], "masses": [1, 1.5, 1],
  "inertias": [[0.2, 0.3, 0.25], [0.02, 0.03, 0.01], [0.1, 0.15, 0.2]],
  "modes": [[[0, 0, 0], [0, 0.3, 0.1], [0, 1, 0]], [[0, 0, 0], [0, 0.2, 0.3], [0.1, 0, 1]]],
  "rotations": [[[0, 0, 0], [0, -0.1, 1.1], [0.3, 0, 1.4]], [[0, 0, 0], [0.2, -1, 0], [0.5, -1.2, 0.1]]],
  "stiffness": [400, 500], "damping": [3, 4], "names": { "1": 0, "2": 1, "3": 2 } }"#;

/// The text of standard input data, by the definitions of its blocks.
fn standard_input_data(body: &precess::model::modal_file::ModalFile, sign: f64) -> String {
    let (m, n) = (&body.data, body.data.modes());
    let g = m.geometric.as_ref().unwrap();
    let mut text = "a comment\npart\n  new modal\n    refmod\n      mass = 3.5d0\n      nelastq = 2\n      \
                    ielastq (   1) = Eigen Mode 1 : 3 Hz\n    end refmod\n    frame\n"
        .to_string();
    type Entry<'a> = &'a dyn Fn(usize, usize, Option<usize>) -> f64;
    let series = |name: &str, (rows, columns, structure): (usize, usize, usize), order: usize, x: Entry| {
        let mut out = format!(
            "{name}\n order = {order}\n nrow = {rows}\n ncol = {columns}\n nq = {n}\n nqn = 0\n structure = \
             {structure}\n"
        );
        for i in 0..rows {
            for j in (0..columns).filter(|j| structure != 2 || *j <= i) {
                out += &format!(" m0({:2},{:2})    = {:e}\n", i + 1, j + 1, x(i, j, None));
            }
        }
        for (i, j) in (0..rows * columns * order).map(|p| (p / columns, p % columns)) {
            for l in 0..n {
                out += &format!(" m1({:2},{:2},{:2}) = {:e}\n", i + 1, j + 1, l + 1, x(i, j, Some(l)));
            }
        }
        out + &format!("end {name}\n")
    };
    let turns = body.shapes.rotations.as_ref().unwrap();
    for (i, place) in body.shapes.nodes.iter().enumerate() {
        let second = &body.second[i];
        let of = |first: &[Vec<nalgebra::Vector3<f64>>], second: &[nalgebra::Vector3<f64>]| {
            let (first, second) = (first.to_vec(), second.to_vec());
            move |j: usize, k: usize, l: Option<usize>| l.map_or(first[k][i][j], |l| second[k * n + l][j])
        };
        text += &format!("new node   = {}\n rframe = body ref\n", i + 1);
        text += &series("origin", (3, 1, 3), 0, &|j, _, _| place[j]);
        text += &series("phi", (3, n, 3), 1, &of(&body.shapes.modes, &second.shifts));
        text += &series("psi", (3, n, 3), 1, &of(turns, &second.turns));
        text += "end node\n";
    }
    text += "end frame\n";
    text += &series("mdCM", (3, 1, 3), 1, &|i, _, l| l.map_or(m.s0[i], |l| m.s1[l][i]));
    text += &series("J", (3, 3, 2), 1, &|i, j, l| l.map_or(m.i0[(i, j)], |l| m.i1[l][(i, j)]));
    text += &series("Ct", (n, 3, 3), 1, &|k, i, l| l.map_or(m.s1[k][i], |l| sign * g.s2[k * n + l][i]));
    let cr = |k: usize, i: usize, l: usize| m.g1[l * n + k][i] + g.g2[l * n + k][i];
    text += &series("Cr", (n, 3, 3), 1, &|k, i, l| l.map_or(m.g0[k][i], |l| cr(k, i, l)));
    text += &series("Me", (n, n, 2), 0, &|i, j, _| m.mff[(i, j)]);
    // -Om^T dI_k Om/2 in the products of Om, and its derivatives: those of w12 contain 12 and 21.
    let oe = |k: usize, p: usize, l: Option<usize>| {
        let slope = l.map_or(m.i1[k], |l| (m.i2[k * n + l] + g.i2[k * n + l]) * 2.0);
        let (i, j) = [(0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (2, 0)][p];
        if i == j { -0.5 * slope[(i, j)] } else { -slope[(i, j)] }
    };
    text += &series("Oe", (n, 6, 3), 1, &oe);
    text += &series("Ke", (n, n, 2), 0, &|i, j, _| m.stiffness[(i, j)]);
    text += &series("De", (n, n, 3), 0, &|i, j, _| m.damping[(i, j)]);
    text + "  end modal\nend part\n"
}

/// Standard input data make the body that they were written from: its integrals, nodes and geometric
/// stiffness, also if the stiffness for accelerations has the other sign.
#[test]
fn standard_input_data_are_read() {
    use precess::model::modal_file::read;
    let mut body = read(BENT.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let (geometric, nodes) = body.shapes.stiffening(&[0, 1, 2]).unwrap_or_else(|e| panic!("{e}"));
    body.data.geometric = Some(geometric);
    body.second = (0..3).map(|i| nodes.iter().find(|(node, _)| *node == i).unwrap().1.clone()).collect();
    let (want, n) = (body.data.geometric.clone().unwrap(), 2);
    for sign in [1.0, -1.0] {
        let text = standard_input_data(&body, sign);
        let found = read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
        let g = found.data.geometric.clone().unwrap();
        assert_eq!(found.remark.is_some(), sign < 0.0, "{:?}", found.remark);
        assert_eq!((&found.names, &found.second), (&body.names, &body.second));
        assert_eq!(found.shapes.modes, body.shapes.modes);
        let (a, b) = (&found.data, &body.data);
        assert!(a.mass == b.mass && a.s0 == b.s0 && a.s1 == b.s1 && a.g0 == b.g0 && a.i0 == b.i0);
        assert!(a.stiffness == b.stiffness && a.damping == b.damping);
        let mut largest = (&a.mff - &b.mff).largest();
        for (x, y) in a.i1.iter().zip(&b.i1) {
            largest = precess::study::larger(largest, (x - y).largest());
        }
        for pair in 0..n * n {
            let error = [
                (g.s2[pair] - want.s2[pair]).largest(),
                (g.g2[pair] - want.g2[pair]).largest(),
                (a.g1[pair] - b.g1[pair]).largest(),
                (a.i2[pair] + g.i2[pair] - b.i2[pair] - want.i2[pair]).largest(),
            ];
            largest = error.into_iter().fold(largest, precess::study::larger);
        }
        assert!(largest < 1e-14 && want.s2[0].largest() > 0.1 && g.nodes, "{largest:e}");
        assert!(g.known.iter().all(|known| *known));
    }
    // Data without geometric stiffness: the matrices of all loads are missing.
    body.data.geometric = Some(precess::flex::Geometric::zeros(n));
    body.second = vec![precess::flex::SecondOrder::zeros(n); 3];
    body.data = precess::flex::Modal { geometric: body.data.geometric.clone(), ..plain(&body) };
    let found = read(standard_input_data(&body, 1.0).as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(found.data.geometric, None);
    let error =
        (0..n * n).map(|i| (found.data.i2[i] - body.data.i2[i]).largest()).fold(0.0, precess::study::larger);
    assert!(error < 1e-14);
    let text = standard_input_data(&body, 1.0);
    for (old, new, message) in [
        ("mass = 3.5d0", "mass = heavy", "line 5: the mass is not a number"),
        ("  end modal\nend part\n", "", "ends before 'end modal'"),
        ("end Ke\n", "end Ke\nksigma\n structure = 3\n m0( 1, 1) = 2\nend ksigma\n", "stresses at rest"),
        ("Me\n order", "Mx\n order", "the block Me is missing"),
        ("Me\n order = 0\n nrow = 2", "Me\n order = 0\n nrow = 900", "Me and Ke have fewer entries"),
        ("new node   = 2", "new node   = 1", "two nodes have the name '1'"),
    ] {
        assert!(text.contains(old), "{old}");
        let found = read(text.replacen(old, new, 1).as_bytes()).err().unwrap_or_default();
        assert!(found.contains(message), "{new}: {found}");
    }
}

/// The masses of a body without rotary inertia of its nodes, except for that of the frame.
fn plain(body: &precess::model::modal_file::ModalFile) -> precess::flex::Modal {
    let mut shapes = body.shapes.clone();
    shapes.inertias = Vec::new();
    shapes.modal().unwrap_or_else(|e| panic!("{e}"))
}

/// A file that claims a huge number of modes, or of their pairs, is refused before anything is stored.
#[test]
fn too_many_modes_are_refused() {
    use precess::model::archive::ArchiveWriter;
    use precess::model::modal_file::read;
    for n in [10_usize.pow(18), 10_usize.pow(9), 1_000_000] {
        let (mut bytes, mut archive) = (Vec::new(), ArchiveWriter::default());
        let data: Vec<u8> = 4.0_f64.to_le_bytes().repeat(3);
        archive.array(&mut bytes, "modes", ("<f8", &[n, 0, 3]), &[]).unwrap();
        archive.array(&mut bytes, "nodes", ("<f8", &[0, 3]), &[]).unwrap();
        archive.array(&mut bytes, "stiffness", ("<f8", &[3]), &data).unwrap();
        archive.finish(&mut bytes).unwrap();
        let message = read(&bytes).unwrap_err();
        assert!(message.contains("too many"), "{n}: {message}");
    }
}

/// Mistakes in the form of known keys are not taken for unknown keys.
#[test]
fn the_form_of_a_key_matters() {
    use precess::model::modal_file::read;
    let with = |key: &str, value: serde_json::Value| {
        let mut file: serde_json::Value = serde_json::from_str(FILE).unwrap();
        file[key] = value;
        read(file.to_string().as_bytes()).unwrap_err()
    };
    let n = serde_json::from_str::<serde_json::Value>(FILE).unwrap()["masses"].as_array().unwrap().len();
    let message = with("masses", serde_json::json!([vec![1.0; n]]));
    assert!(message.contains("masses must be a list of numbers"), "{message}");
    let message = with("names", serde_json::json!([1, 2]));
    assert!(message.contains("'names' is not written as it must be"), "{message}");
}

/// Given integrals make the body that its masses make; those that no body has are refused.
#[test]
fn integrals_may_be_given() {
    use precess::model::modal_file::{read, write};
    let body = read(FILE.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    let text = write(&body, "by its integrals");
    let again = read(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(again.data, body.data);
    assert!(again.shapes.masses.is_empty());
    let with = |key: &str, change: &dyn Fn(&mut serde_json::Value)| {
        let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
        change(&mut value);
        let message = read(value.to_string().as_bytes()).unwrap_err();
        assert!(message.contains(key), "{message}");
    };
    with("masses and integrals", &|v| v["masses"] = serde_json::json!([1, 1, 1]));
    with("inertias and integrals", &|v| v["inertias"] = serde_json::json!([[1, 1, 1], [1, 1, 1], [1, 1, 1]]));
    with("no moment of inertia", &|v| v["integrals"]["i0"][0][0] = 0.0.into());
    with("not symmetric", &|v| v["integrals"]["i0"][0][1] = 7.0.into());
    with("sign", &|v| v["integrals"]["g1"][0][0][2] = 1.0.into());
    with("i2 must have 1 rows", &|v| v["integrals"]["i2"] = serde_json::json!([]));
    with("mass", &|v| v["integrals"]["mass"] = (-1.0).into());
    with("eigenvalue", &|v| v["stiffness"] = serde_json::json!([0.0]));
    with("eigenvalue", &|v| v["stiffness"] = serde_json::json!([-4.0]));
    with("tension of mode 5", &|v| v["tension"] = serde_json::json!([{ "mode": 5, "matrix": [1.0] }]));
    with("neither masses", &|v| {
        v.as_object_mut().unwrap().remove("integrals");
    });
    let unknown =
        in_folder(FILE, &MODEL.replace("stiffening = true", "nodes = { middle = 9 }")).err().unwrap();
    assert!(unknown.contains("no node 9"), "{unknown}");
    let unknown = in_folder(FILE, &MODEL.replace("rod.root", "rod.middle")).err().unwrap();
    assert!(unknown.contains("rod.middle") && unknown.contains("rod.tip"), "{unknown}");
    // One mistake, one message.
    assert!(!unknown.contains("has no point"), "{unknown}");
    let refused = in_folder(&FILE.replace("400", "-4"), MODEL).err().unwrap();
    assert!(refused.contains("eigenvalue") && !refused.contains("unknown body"), "{refused}");
    let twice = MODEL.replace("stiffening = true", "stiffening = true, tension = true");
    let refused = in_folder(FILE, &twice).err().unwrap();
    assert!(refused.contains("count twice") && refused.contains("no mode stretches"), "{refused}");
}
