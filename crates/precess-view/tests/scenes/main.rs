//! Scenes of all models, and the content of their pages and glTF files.

mod gears;

use nalgebra::Matrix3;
use precess::lie::Largest;
use precess::mechanics::joints::JointKind;
use precess::model::load;
use precess::study::results::Results;
use precess_view::drawn::Outline;
use precess_view::look::{Form, Role, equal_inertia};
use precess_view::{Q, Scene, V, glb, html, simulate};
use serde_json::Value;

fn models() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
    let mut list: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .map(|p| (p.display().to_string(), std::fs::read_to_string(&p).unwrap()))
        .collect();
    list.sort();
    list
}

fn results(name: &str, text: &str, overrides: &[&str]) -> Results {
    let overrides: Vec<String> = overrides.iter().map(|s| s.to_string()).collect();
    let loaded = load(name, text, &overrides).unwrap_or_else(|e| panic!("{e}"));
    simulate::simulate(&loaded, &mut |_| true).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn scene(name: &str, text: &str, overrides: &[&str]) -> Scene {
    Scene::of(&results(name, text, overrides), None)
}

fn model(name: &str) -> String {
    models().into_iter().find(|(n, _)| n.ends_with(&format!("/{name}.toml"))).unwrap().1
}

/// Points of a joint that must coincide do so in every frame: poses, points and frames belong together.
/// `slack` is how much bodies bend, in units of their size.
fn joints_hold(name: &str, s: &Scene, slack: f64) {
    for (j, f) in s.drawn.joints.iter().flat_map(|j| s.motion.some(50).map(move |f| (j, f))) {
        let [(xa, ra), (xb, rb)] = j.bodies.map(|b| s.motion.pose(f, b));
        let apart = xa + ra * j.points[0] - (xb + rb * j.points[1]);
        let along = (ra * j.frames[0]).inverse() * apart;
        let gap = match j.kind.unwrap() {
            JointKind::Spherical | JointKind::Revolute | JointKind::Universal | JointKind::Fixed => {
                apart.norm()
            }
            JointKind::Prismatic | JointKind::Cylindrical | JointKind::PointOnLine => along.xy().norm(),
            JointKind::Planar | JointKind::PointOnPlane => along.z.abs(),
            _ => 0.0,
        };
        // A joint that is open at the start is closed by an event.
        let open = name.contains("gate");
        assert!(gap < slack * s.look.unit.max(1e-3) || open, "{name}: {} is open by {gap} m", j.name);
    }
}

#[test]
fn every_model_is_a_scene() {
    for (name, text) in models() {
        let until = load(&name, &text, &[]).unwrap().settings.until;
        let s = scene(&name, &text, &[&format!("run.until={}", until.min(0.1))]);
        assert!(s.summary["error"].is_null(), "{name}: {}", s.summary);
        assert!(s.motion.frames() >= 120, "{name}: {} frames", s.motion.frames());
        assert!(s.motion.t.windows(2).all(|w| w[0] < w[1]), "{name}: times");
        for b in 0..s.drawn.bodies.len() {
            assert!(s.look.parts.iter().any(|p| p.body == Some(b)), "{name}: body {b} is not seen");
        }
        for p in &s.look.parts {
            let (kind, size) = p.form.words();
            let used = match p.form {
                Form::Box(_) => 3,
                Form::Sphere(_) | Form::Mesh(_) => 1,
                _ => 2,
            };
            assert!(size[..used].iter().all(|x| *x > 0.0 && x.is_finite()), "{name}: {kind} {size:?}");
            assert!(p.body.is_none_or(|b| b < s.drawn.bodies.len()), "{name}");
            assert!((p.turn.norm() - 1.0).abs() < 1e-9 && p.at.norm().is_finite(), "{name}");
        }
        joints_hold(&name, &s, 1e-4);
        check_glb(&name, &glb::write(&s));
    }
}

/// The container of glTF: lengths, padding, and views inside of the buffer.
fn check_glb(name: &str, bytes: &[u8]) {
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&bytes[..4], word(4), word(8)), (&b"glTF"[..], 2, bytes.len()), "{name}");
    let n = word(12);
    assert!(n % 4 == 0 && &bytes[16..20] == b"JSON", "{name}");
    let json: Value = serde_json::from_slice(&bytes[20..20 + n]).unwrap();
    assert_eq!((word(20 + n) + 28 + n, &bytes[24 + n..28 + n]), (bytes.len(), &b"BIN\0"[..]), "{name}");
    let total = json["buffers"][0]["byteLength"].as_u64().unwrap();
    for v in json["bufferViews"].as_array().unwrap() {
        let end = v["byteOffset"].as_u64().unwrap() + v["byteLength"].as_u64().unwrap();
        assert!(end <= total, "{name}: {v}");
    }
    for a in json["accessors"].as_array().unwrap() {
        assert!(a["count"].as_u64().unwrap() > 0, "{name}: {a}");
    }
}

/// The inertia of what is drawn, divided by its mass.
fn inertia_of(form: &Form, turn: &Q) -> Matrix3<f64> {
    let [x, y, z] = match *form {
        Form::Sphere(r) => [0.4 * r * r; 3],
        Form::Cylinder(r, l) => {
            let across = r * r / 4.0 + l * l / 12.0;
            [across, across, r * r / 2.0]
        }
        Form::Box([a, b, c]) => [b * b + c * c, a * a + c * c, a * a + b * b].map(|s| s / 12.0),
        _ => [f64::NAN; 3],
    };
    let r = turn.to_rotation_matrix().into_inner();
    r * Matrix3::from_diagonal(&V::new(x, y, z)) * r.transpose()
}

#[test]
fn a_solid_of_equal_inertia_has_that_inertia() {
    let turns = [Q::identity(), Q::from_euler_angles(0.3, -0.7, 1.1)];
    for moments in [[2.0, 2.0, 2.0], [2.0, 2.0, 1.0], [1.5, 0.4, 1.5], [1.0, 1.6, 2.1]] {
        for turn in turns {
            let r = turn.to_rotation_matrix().into_inner();
            let j = r * Matrix3::from_diagonal(&V::from(moments)) * r.transpose();
            let e = equal_inertia(3.0, &j, 0.1);
            let found = 3.0 * inertia_of(&e.form, &e.turn);
            assert!((found - j).largest() < 1e-9, "{moments:?}: {found} {j}");
        }
    }
}

#[test]
fn the_spin_of_the_run_decides_the_frames() {
    // 150 rad/s for 2 s: more than 600 frames, or the top would seem to turn backwards.
    let s = scene("top.toml", &model("heavy_top"), &["run.until=2"]);
    assert!(s.motion.spin > 140.0, "{}", s.motion.spin);
    let mut most: f64 = 0.0;
    for f in 1..s.motion.frames() {
        let turn = s.motion.pose(f - 1, Some(0)).1.angle_to(&s.motion.pose(f, Some(0)).1);
        assert!(turn.is_finite());
        most = precess::study::larger(most, turn);
    }
    assert!(most < 1.0, "{most} rad between two frames");
}

#[test]
fn names_never_become_markup() {
    let text = model("pendulum").replace("name = \"pendulum\"", "");
    let loaded = load("p.toml", &text, &[]).unwrap();
    let mut results = simulate::simulate(&loaded, &mut |_| true).unwrap();
    results.metadata.model = "</script><b>\"&".to_string();
    let page = html::page(&[Scene::of(&results, None)]);
    assert!(page.contains("<title>&lt;/script&gt;&lt;b&gt;&quot;&amp;</title>"));
    assert!(!page.contains("</script><b>"));
    // There are three scripts: header, data and the program. Each ends once.
    assert_eq!(page.matches("<script").count(), page.matches("</script>").count());
    assert_eq!(page.matches("</script>").count(), 3);
}

#[test]
fn results_without_a_model_are_boxes_and_long_ones_are_thinned() {
    let mut r = results("arm.toml", &model("robot_arm"), &["run.until=0.5"]);
    r.metadata.model_text = "this is no model".to_string();
    // Results hold the geometry, too.
    let s = Scene::of(&r, None);
    assert_eq!((s.drawn.bodies.len(), s.drawn.joints.len()), (3, 3));
    assert!(s.notes.iter().all(|n| !n.contains("no geometry")), "{:?}", s.notes);
    // Older ones do not.
    r.metadata.geometry = serde_json::Value::Null;
    let s = Scene::of(&r, None);
    assert_eq!((s.drawn.bodies.len(), s.drawn.joints.len()), (3, 0));
    assert!(s.look.parts.len() >= 3 && s.look.parts.iter().all(|p| matches!(p.form, Form::Box(_))));
    assert!(s.notes.iter().any(|n| n.contains("no geometry")), "{:?}", s.notes);
    assert!(s.notes.iter().any(|n| n.contains("rows of the results are shown")), "{:?}", s.notes);
    assert!(s.motion.frames() < r.rows());
}

/// The picture of a stranger's model shows no file from outside its folder: `..`, absolute paths and links
/// are refused.
#[test]
fn meshes_stay_in_the_folder() {
    use precess::model::{Files, load_with};
    let base = std::env::temp_dir().join(format!("precess-outside-{}", std::process::id()));
    let folder = base.join("model");
    std::fs::create_dir_all(&folder).unwrap();
    let triangle = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    std::fs::write(base.join("secret.obj"), triangle).unwrap();
    std::fs::write(folder.join("own.obj"), triangle).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(base.join("secret.obj"), folder.join("link.obj")).unwrap();
    #[cfg(not(unix))]
    std::fs::write(folder.join("link.obj"), "").unwrap();
    let mesh = |file: &str| format!("{{ type = \"mesh\", file = '{file}' }}");
    let absolute = base.join("secret.obj").display().to_string();
    let looks = ["own.obj", "../secret.obj", &absolute, "link.obj"].map(mesh).join(", ");
    let text =
        format!("[[body]]\nname = \"a\"\ntype = \"point\"\nmass = 1\nlook = [{looks}]\n[run]\nuntil = 0.1\n");
    let r = results("a.toml", &text, &[]);
    let loaded = |anywhere| {
        let files = Files::Folder { folder: folder.clone(), anywhere };
        load_with("a.toml", &text, &[], files).unwrap()
    };
    let triangles = |s: &Scene| s.meshes.iter().map(|m| m.corners.len() / 9).collect::<Vec<_>>();
    for s in [Scene::of(&r, Some(&folder)), Scene::simulated(&loaded(false), &r, Some(&folder))] {
        assert_eq!(triangles(&s), [1, 0, 0, 0], "{:?}", s.notes);
        assert_eq!(
            s.notes.iter().filter(|n| n.contains("in its own folder only")).count(),
            3,
            "{:?}",
            s.notes
        );
    }
    // With permission.
    let files = Files::Folder { folder: folder.clone(), anywhere: true };
    let allowed = [Scene::of_files(&r, &files), Scene::simulated(&loaded(true), &r, Some(&folder))];
    std::fs::remove_dir_all(&base).unwrap();
    for s in allowed {
        assert_eq!(triangles(&s), [1, 1, 1, usize::from(cfg!(unix))], "{:?}", s.notes);
    }
}

#[test]
fn a_look_replaces_the_shape_and_meshes_come_from_files() {
    let folder = std::env::temp_dir().join(format!("precess-look-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("a.obj"), "v 0 0 0\nv 1000 0 0\nv 0 1000 0\nf 1 2 3\n").unwrap();
    let text = r##"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "a"
        density = 1000
        shape = { type = "box", size = [1, 1, 1] }
        look = [
            { type = "cylinder", radius = 0.1, length = 2, axis = "x", at = [0, 0, 1], colour = "#ff8000" },
            { type = "mesh", file = "a.obj", scale = 0.001 },
            { type = "mesh", file = "nowhere.stl" },
        ]
        [run]
        until = 0.1
    "##;
    let r = results("a.toml", text, &[]);
    let s = Scene::of(&r, Some(&folder));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(s.look.parts.len(), 3);
    assert_eq!(s.look.parts[0].form, Form::Cylinder(0.1, 2.0));
    assert_eq!(s.look.parts[0].colour, Some([255, 128, 0]));
    let axis = s.look.parts[0].turn * V::z();
    assert!((axis - V::x()).norm() < 1e-12, "{axis}");
    assert_eq!(s.meshes[0].corners, [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
    assert!(s.meshes[1].corners.is_empty());
    assert!(s.notes.iter().any(|n| n.contains("nowhere.stl")), "{:?}", s.notes);
    // The mass is that of the shape.
    assert_eq!(s.drawn.bodies[0].mass, 1000.0);
    let geometry = &r.metadata.geometry["bodies"][0];
    assert_eq!(geometry["shape"]["size"], serde_json::json!([1.0, 1.0, 1.0]));
    assert_eq!(geometry["look"][0]["colour"], "#ff8000");
    for (bad, words) in [
        ("look = [{ type = \"sphere\" }]", "incomplete"),
        ("look = [{ type = \"sphere\", radius = 1, size = [1, 1, 1] }]", "does not apply"),
        ("look = [{ type = \"box\", size = [1, 0, 1] }]", "positive"),
        ("look = [{ type = \"sphere\", radius = 1, colour = \"red\" }]", "not a colour"),
    ] {
        let text = format!("[[body]]\nname = \"a\"\nmass = 1\ninertia = [1, 1, 1]\n{bad}\n");
        let e = load("a.toml", &text, &[]).err().map(|e| e.to_string()).unwrap_or_default();
        assert!(e.contains(words) && e.contains("a.toml:5"), "{e}");
    }
}

/// Rows of numbers of an accessor of glTF.
fn accessor(json: &Value, bytes: &[u8], k: &Value, width: usize) -> Vec<Vec<f64>> {
    let a = &json["accessors"][k.as_u64().unwrap() as usize];
    let view = &json["bufferViews"][a["bufferView"].as_u64().unwrap() as usize];
    let (start, count) =
        (view["byteOffset"].as_u64().unwrap() as usize, a["count"].as_u64().unwrap() as usize);
    let number =
        |i: usize| f64::from(f32::from_le_bytes(bytes[start + 4 * i..start + 4 * i + 4].try_into().unwrap()));
    (0..count).map(|r| (0..width).map(|c| number(r * width + c)).collect()).collect()
}

/// The mesh of a spring reaches from one of its points to the other at every time, and it never turns about
/// itself by much.
#[test]
fn springs_of_gltf_reach_from_end_to_end() {
    let scene = scene("squeezer", &model("squeezer"), &[]);
    let bytes = glb::write(&scene);
    let n = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let json: Value = serde_json::from_slice(&bytes[20..20 + n]).unwrap();
    let binary = &bytes[28 + n..];
    let spring = &scene.drawn.springs[0];
    let nodes = json["nodes"].as_array().unwrap();
    let node = nodes.iter().position(|x| x["name"] == spring.name.as_str()).unwrap();
    let mesh = &json["meshes"][nodes[node]["mesh"].as_u64().unwrap() as usize]["primitives"][0];
    let points = accessor(&json, binary, &mesh["attributes"]["POSITION"], 3);
    let top = points.iter().map(|p| p[2]).fold(f64::MIN, precess::study::larger);
    let run = &json["animations"][0];
    let channel = |path: &str, width: usize| {
        let all = run["channels"].as_array().unwrap();
        let c = all.iter().find(|c| c["target"]["node"] == node && c["target"]["path"] == path).unwrap();
        let sampler = &run["samplers"][c["sampler"].as_u64().unwrap() as usize];
        (accessor(&json, binary, &sampler["output"], width), accessor(&json, binary, &sampler["input"], 1))
    };
    let ((at, times), (turn, _), (scale, _)) =
        (channel("translation", 3), channel("rotation", 4), channel("scale", 3));
    let wire = 0.2 * scene.look.glyph;
    let mut before: Option<Q> = None;
    for (f, t) in times.iter().enumerate() {
        let frame = scene.motion.t.iter().position(|x| *x as f32 == t[0] as f32).unwrap();
        let ends = [0, 1].map(|k| {
            let (x, r) = scene.motion.pose(frame, spring.bodies[k]);
            x + r * spring.points[k]
        });
        let [x, y, z, w] = [turn[f][0], turn[f][1], turn[f][2], turn[f][3]];
        let q = Q::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        let first = V::from_column_slice(&at[f]);
        let last = first + q * (V::z() * top * scale[f][2]);
        assert!((first - ends[0]).norm() < 1e-6, "{f}");
        // The wire is as thick as it is at its end.
        assert!((last - ends[1]).norm() < wire, "{f}: {last} {}", ends[1]);
        let turned = before.map_or(0.0, |b| b.angle_to(&q));
        assert!(turned < 0.3, "{f}: {turned}");
        before = Some(q);
    }
    assert!(times.len() > 100);
}

/// Given forces and torques over time are in the scene, in the inertial frame, at the body on which they act.
#[test]
fn loads_are_those_of_the_model() {
    let text = "[[body]]
name = \"a\"
mass = 2
inertia = [1, 1, 1]
angular_velocity = [0, 0, 3]
[[force]]
name = \"push\"
type = \"force\"
body = \"a\"
point = [0.5, 0, 0]
force = [\"4*cos(t)\", 0, 1]
[[force]]
name = \"turn\"
type = \"torque\"
body = \"a\"
torque = [0, 0, 0]
[[force]]
name = \"jet\"
type = \"force\"
body = \"a\"
point = [0, 0, 0]
force = [1, 0, 0]
frame = \"body\"
[run]
until = 1
";
    let scene = scene("loads", text, &[]);
    let m = &scene.motion;
    assert_eq!(scene.drawn.loads.iter().map(|l| l.torque).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(scene.drawn.loads[0].point, V::new(0.5, 0.0, 0.0));
    for (f, t) in m.t.iter().enumerate() {
        let x_axis = m.pose(f, Some(0)).1 * V::x();
        for (found, wanted) in
            m.loads[3 * f..].iter().zip([V::new(4.0 * t.cos(), 0.0, 1.0), V::zeros(), x_axis])
        {
            assert!((found - wanted).norm() < 1e-12, "{t}: {found}");
        }
    }
    let (header, _) = scene.encode();
    assert_eq!(header["loads"][1]["torque"], true);
    // There are nine more columns than without them.
    let bare = self::scene("bare", text.split("[[force]]").next().unwrap(), &["run.until=1"]);
    assert_eq!(
        header["columns"].as_array().unwrap().len(),
        bare.encode().0["columns"].as_array().unwrap().len() + 9
    );
    // An event may switch forces, and results do not say when. So there are no arrows.
    let switched = format!("{text}[[event]]\nname = \"e\"\nwhen = \"t - 0.5\"\naction = \"record\"\n");
    assert!(self::scene("events", &switched, &[]).drawn.loads.is_empty());
}

/// A beam: nodes are not bodies of their own in the picture, pieces cover its length, and the page has its
/// section.
#[test]
fn beams_are_drawn_from_end_to_end() {
    let file = r#"
        [model]
        gravity = [0, 0, -9.81]
        [[beam]]
        name = "arm"
        from = [0, 0, 0]
        to = [1.2, 0, 0]
        elements = 6
        section = { type = "rectangle", width = 0.04, height = 0.01 }
        young = 2e9
        density = 1200
        [[joint]]
        name = "wall"
        type = "fixed"
        bodies = ["ground", "arm.start"]
        point = [0, 0, 0]
        [integrator]
        method = "gen-alpha"
        [run]
        until = 0.02
        step = 1e-3
        "#;
    let s = scene("arm", file, &[]);
    assert_eq!(s.drawn.beams.len(), 1);
    let beam = &s.drawn.beams[0];
    assert_eq!((beam.nodes.len(), beam.outline), (7, Outline::Box(0.04, 0.01)));
    assert!((beam.lengths.iter().sum::<f64>() - 1.2).abs() < 1e-12);
    let pieces: Vec<_> = s.look.parts.iter().filter(|p| p.role == Role::Beam).collect();
    let covered: f64 = pieces.iter().map(|p| p.form.words().1[0]).sum();
    assert!(pieces.len() == 7 && (covered - 1.2).abs() < 1e-12, "{covered}");
    // It bends: the tip goes down, by more than a stiff arm would.
    let tip = beam.nodes[6];
    let last = s.motion.frames() - 1;
    assert!(s.motion.pose(last, Some(tip)).0.z < -1e-3);
    let (header, _) = s.encode();
    assert_eq!(header["beams"][0]["kind"], "box");
    assert_eq!(header["beams"][0]["nodes"].as_array().unwrap().len(), 7);
    assert!(header["curves"].as_array().unwrap().len() < 6, "{}", header["curves"]);
    check_glb("arm", &glb::write(&s));
}

/// Joints at nodes of a modal body belong to it: a bar is drawn from pin to pin, and pins stay together but
/// for the deformation.
#[test]
fn nodes_of_a_modal_body_are_on_it() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/flexible/modal_slider_crank.toml");
    let results = results(path, &std::fs::read_to_string(path).unwrap(), &["run.until=2e-3"]);
    let s = Scene::of(&results, std::path::Path::new(path).parent());
    let rod = s.drawn.bodies.iter().position(|b| b.name == "rod");
    let pins: Vec<_> = s.drawn.joints.iter().filter(|j| j.bodies.contains(&rod)).collect();
    assert_eq!(pins.len(), 2);
    for (j, f) in pins.iter().flat_map(|j| s.motion.some(20).map(move |f| (j, f))) {
        let [(xa, ra), (xb, rb)] = j.bodies.map(|b| s.motion.pose(f, b));
        let apart = xa + ra * j.points[0] - (xb + rb * j.points[1]);
        assert!(apart.norm() < 1e-3, "{} is open by {}", j.name, apart.norm());
    }
    let long = s
        .look
        .parts
        .iter()
        .any(|p| p.body == rod && matches!(p.form, Form::Capsule(_, l) if (l - 0.3).abs() < 1e-9));
    assert!(long, "no bar from pin to pin");
}

/// Something drawn as part of the ground holds the end of a spring on the ground, and an elastic bearing.
#[test]
fn springs_and_bearings_do_not_end_in_the_air() {
    for (name, ends) in [
        ("squeezer", vec![V::new(14e-3, 72e-3, 0.0)]),
        ("rotor", vec![V::new(-0.11, 0.0, 0.0), V::new(0.09, 0.0, 0.0)]),
    ] {
        let s = scene(name, &model(name), &["run.until=0.002"]);
        for end in ends {
            let near = s.look.parts.iter().filter(|p| p.body.is_none() && p.role == Role::Base);
            let least = near.map(|p| (p.at - end).norm()).fold(f64::INFINITY, f64::min);
            assert!(least < 2.0 * s.look.glyph, "{name}: {least}");
        }
    }
}

/// Parts of other files, and joints at nodes of modal bodies: pages of the model, and pages of its results
/// that lie elsewhere, draw the same joints, and these hold.
#[test]
fn models_of_several_files_are_drawn() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    for name in ["conveyor/conveyor", "flexible/imported_rod"] {
        let file = format!("{folder}{name}.toml");
        let text = std::fs::read_to_string(&file).unwrap();
        let loaded = load(&file, &text, &["run.until=0.01".to_string()]).unwrap_or_else(|e| panic!("{e}"));
        let r = simulate::simulate(&loaded, &mut |_| true).unwrap_or_else(|e| panic!("{name}: {e}"));
        let (here, there) = (Scene::simulated(&loaded, &r, None), Scene::of(&r, None));
        for s in [&here, &there] {
            // The end of the rod bends by up to 0.5 mm in the frame of the rod; a joint in the wrong place is
            // open by 100 mm.
            joints_hold(name, s, 1e-2);
            assert!(s.notes.iter().all(|n| !n.contains("no geometry")), "{name}: {:?}", s.notes);
            assert!(
                s.drawn.joints.iter().any(|j| j.bodies.iter().all(Option::is_some))
                    || name.contains("conveyor")
            );
        }
        let joints =
            |s: &Scene| s.drawn.joints.iter().map(|j| (j.name.clone(), j.bodies)).collect::<Vec<_>>();
        assert_eq!(joints(&here), joints(&there), "{name}");
    }
}
