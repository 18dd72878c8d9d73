//! URDF import: the same motion as the same model from Rust and from a file, and clear words about everything
//! else.

use nalgebra::{Isometry3, Matrix3, Rotation3, UnitQuaternion, Vector3};
use precess::integrate::InitialValues;
use precess::lie::Largest;
use precess::mechanics::BodyKind;
use precess::methods::method;
use precess::model::formula::{Need, formula};
use precess::model::urdf::{Import, ImportOptions, import};
use precess::model::{BodySpec, ForceSpec, JointSpec, Loaded, Model, build, load};
use precess::study::larger;
use precess::study::{Every, Run};

pub const ARM: &str = include_str!("../urdf/arm.urdf");

fn read(text: &str, options: &ImportOptions) -> Import {
    import("robot.urdf", text, options).unwrap_or_else(|e| panic!("{e}"))
}

fn loaded(import: &Import) -> Loaded {
    let text = import.to_toml();
    load("robot.toml", &text, &[]).unwrap_or_else(|e| panic!("{text}\n{e}"))
}

pub fn refused(text: &str, options: &ImportOptions) -> String {
    import("robot.urdf", text, options).expect_err("a mistake").to_string()
}

/// Positions of the centres of mass and joint forces over time.
fn motion(model: &Model, steps: usize) -> [Vec<f64>; 2] {
    let settings = load("d.toml", "[[body]]\nname=\"b\"\ntype=\"point\"\nmass=1\n", &[]).unwrap().settings;
    let built = build(model, settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut integrator = method("gen-alpha", &settings.options).unwrap();
    let mut every = Every::steps(10);
    Run::new(1e-3, steps as f64 * 1e-3)
        .run(&*built.system, &mut *integrator, &mut state, &mut every)
        .unwrap();
    let [mut positions, mut forces] = [Vec::new(), Vec::new()];
    for state in &every.states {
        let (bodies, reactions) = (built.system.bodies(&state.at()), built.system.reactions(&state.at()));
        bodies.iter().for_each(|b| positions.extend_from_slice(b.position.as_slice()));
        reactions.iter().for_each(|r| forces.extend_from_slice(r.force.as_slice()));
    }
    assert!(positions.len() > steps / 10);
    [positions, forces]
}

/// Equal to 1e-12, relative to the largest position and the largest force.
fn assert_same(a: &[Vec<f64>; 2], b: &[Vec<f64>; 2]) {
    for (a, b) in a.iter().zip(b) {
        assert_eq!(a.len(), b.len());
        let size = a.iter().fold(0.0, |m: f64, x| larger(m, x.abs()));
        let worst = a.iter().zip(b).fold(0.0, |m: f64, (a, b)| larger(m, (a - b).abs()));
        assert!(worst <= 1e-12 * size, "motions differ by {worst:.2e} of {size:.2e}");
        assert!(a.iter().zip(a.iter().rev()).any(|(x, y)| (x - y).abs() > 0.1 * size), "nothing moved");
    }
}

/// Fixed-axis angles as URDF defines them: first about x, then y, then z.
fn rpy(r: f64, p: f64, y: f64) -> Rotation3<f64> {
    Rotation3::from_axis_angle(&Vector3::z_axis(), y)
        * Rotation3::from_axis_angle(&Vector3::y_axis(), p)
        * Rotation3::from_axis_angle(&Vector3::x_axis(), r)
}

fn frame(x: [f64; 3], r: Rotation3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Vector3::from(x).into(), UnitQuaternion::from_rotation_matrix(&r))
}

/// The arm written by hand with body frames parallel to the inertial frames of the links.
fn arm(turn: f64, shoulder: f64, extend: f64) -> Model {
    let spin = |axis: Vector3<f64>, angle: f64| frame([0.0; 3], Rotation3::new(axis.normalize() * angle));
    let column = frame([0.5, 0.1, 0.0], rpy(0.1, 0.2, -0.3)) * spin(Vector3::z(), turn);
    let shoulder_axis = Vector3::new(0.0, 2.0, 1.0);
    let upper = column * frame([0.05, 0.0, 0.4], rpy(-1.2, 0.4, 0.9)) * spin(shoulder_axis, shoulder);
    let slide_axis = Vector3::new(1.0, 0.0, 0.2).normalize();
    let slide = upper
        * frame([0.5, 0.0, 0.0], rpy(0.0, 0.0, 0.7))
        * Isometry3::translation(slide_axis.x * extend, slide_axis.y * extend, slide_axis.z * extend);
    let body = |name: &str, mass: f64, j: Matrix3<f64>, com: Isometry3<f64>| BodySpec {
        kind: BodyKind::Rigid { inertia: j },
        position: com.translation.vector,
        rotation: com.rotation,
        ..BodySpec::rigid(name, mass, [1.0; 3])
    };
    let j_column = Matrix3::new(0.06, 0.002, -0.001, 0.002, 0.05, 0.003, -0.001, 0.003, 0.02);
    let j_upper = Matrix3::from_diagonal(&Vector3::new(0.04, 0.05, 0.012));
    let j_slide = Matrix3::from_diagonal(&Vector3::new(0.002, 0.004, 0.003));
    let at = |f: &Isometry3<f64>| -> [f64; 3] { f.translation.vector.into() };
    let along = |f: &Isometry3<f64>, a: Vector3<f64>| -> [f64; 3] { (f.rotation * a).into() };
    Model::new("arm")
        .gravity([0.0, 0.0, -9.81])
        .body(body("column", 4.0, j_column, column * frame([0.01, -0.02, 0.2], rpy(0.3, -0.2, 0.5))))
        .body(body("upper", 2.0, j_upper, upper * frame([0.25, 0.0, 0.0], rpy(0.0, 1.1, 0.0))))
        .body(body("slide", 0.8, j_slide, slide * frame([0.1, 0.02, 0.0], rpy(0.0, 0.0, 0.0))))
        .joint(JointSpec::revolute("turn", ["ground", "column"], at(&column), along(&column, Vector3::z())))
        .joint(JointSpec::revolute("shoulder", ["column", "upper"], at(&upper), along(&upper, shoulder_axis)))
        .joint(JointSpec::prismatic("extend", ["upper", "slide"], at(&slide), along(&slide, slide_axis)))
        .force(ForceSpec::actuator("damping", "turn", formula("-0.1*v", Need::State).unwrap()))
}

/// The model of a robot without stops and dry friction, which the model in Rust does not have.
fn smooth(import: &Import) -> Model {
    use precess::model::forces::{ForceKind, Friction};
    let mut model = loaded(import).model;
    model.forces.retain(|f| !matches!(f.kind, ForceKind::Limit(_)));
    for force in &mut model.forces {
        if let ForceKind::Friction(Friction { data, .. }) = &mut force.kind {
            data.constant = 0.0;
        }
    }
    model
}

#[test]
fn arm_moves_as_the_same_model_in_rust() {
    let import = read(ARM, &ImportOptions::default());
    assert_same(&motion(&smooth(&import), 300), &motion(&arm(0.0, 0.0, 0.0), 300));

    let joints = vec![("turn".to_string(), 0.4), ("shoulder".to_string(), -0.8), ("extend".to_string(), 0.1)];
    let import = read(ARM, &ImportOptions { joints, ..ImportOptions::default() });
    assert_same(&motion(&smooth(&import), 300), &motion(&arm(0.4, -0.8, 0.1), 300));
    assert!(import.header[1].contains("shoulder = -0.8"), "{:?}", import.header);
}

const PENDULUM: &str = r#"<robot name="double_pendulum">
  <link name="world"/>
  <link name="upper"><inertial>
    <origin xyz="0 0 -0.5" rpy="0 0 1.5707963267948966"/><mass value="1"/>
    <inertia ixx="0.08" ixy="0" ixz="0" iyy="0.09" iyz="0" izz="0.02"/></inertial></link>
  <link name="lower"><inertial>
    <origin xyz="0 0 -0.4"/><mass value="0.5"/>
    <inertia ixx="0.03" ixy="0.001" ixz="0" iyy="0.03" iyz="0" izz="0.01"/></inertial></link>
  <joint name="pin1" type="continuous">
    <origin xyz="0 0 2"/><parent link="world"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="pin2" type="revolute">
    <origin xyz="0 0 -1"/><parent link="upper"/><child link="lower"/><axis xyz="1 0 0"/></joint>
</robot>"#;

#[test]
fn double_pendulum_moves_as_the_same_file() {
    // The upper pendulum is lifted by 60 degrees about y: everything below turns with it about (0, 0, 2).
    let file = r#"
[model]
gravity = [0, 0, -9.81]
[parameters]
s = "sin(60 * pi / 180)"
c = "cos(60 * pi / 180)"
[[body]]
name = "upper"
mass = 1
inertia = [0.09, 0.08, 0.02]
position = ["-0.5*s", 0, "2 - 0.5*c"]
rotation = { axis = [0, 1, 0], angle = "60 deg" }
[[body]]
name = "lower"
mass = 0.5
inertia = [[0.03, 0.001, 0], [0.001, 0.03, 0], [0, 0, 0.01]]
position = ["-1.4*s", 0, "2 - 1.4*c"]
rotation = { axis = [0, 1, 0], angle = "60 deg" }
[[joint]]
name = "pin1"
type = "revolute"
bodies = ["ground", "upper"]
point = [0, 0, 2]
axis = [0, 1, 0]
[[joint]]
name = "pin2"
type = "revolute"
bodies = ["upper", "lower"]
point = ["-s", 0, "2 - c"]
axis = ["c", 0, "-s"]
"#;
    let by_hand = load("pendulum.toml", file, &[]).unwrap_or_else(|e| panic!("{e}"));
    let joints = vec![("pin1".to_string(), 60f64.to_radians())];
    let import = read(PENDULUM, &ImportOptions { joints, ..ImportOptions::default() });
    assert_same(&motion(&loaded(&import).model, 500), &motion(&by_hand.model, 500));
}

/// Limits become stops, friction is kept, a transmission an actuator within its effort.
#[test]
fn what_acts_at_joints_is_kept() {
    use precess::model::forces::{ForceKind, Friction, Limit};
    let text = ARM.replace(
        "<transmission name=\"drive1\"><joint name=\"turn\"/></transmission>",
        "<transmission name=\"drive1\"><joint name=\"shoulder\"/><actuator name=\"motor\">\
         <mechanicalReduction>50</mechanicalReduction></actuator></transmission>",
    );
    let import = read(&text, &ImportOptions::default());
    let model = loaded(&import).model;
    let kind = |name: &str| model.forces.iter().find(|f| f.name == name).unwrap().kind.clone();
    let ForceKind::Limit(Limit { stops, .. }) = kind("limit_shoulder") else { panic!() };
    assert_eq!((stops.lower, stops.upper, stops.k), (-1.5, 1.5, 80.0 / 0.01));
    let ForceKind::Friction(Friction { data, .. }) = kind("friction_turn") else { panic!() };
    assert_eq!(data.constant, 0.02);
    // The command is a parameter, the torque stays within the effort.
    let value = |command: &str| {
        let set = format!("parameters.command_motor={command}");
        let model = load("robot.toml", &import.to_toml(), &[set]).unwrap_or_else(|e| panic!("{e}")).model;
        match &model.forces.iter().find(|f| f.name == "motor").unwrap().kind {
            ForceKind::Actuator(a) => a.value.constant().unwrap(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!((value("0"), value("1"), value("-3")), (0.0, 50.0, -80.0));
    // Only the joint with an actuator has a largest effort, since nothing else would use it.
    let efforts: Vec<_> = import.file.parameters.keys().filter(|n| n.starts_with("effort_")).collect();
    assert_eq!(efforts, ["effort_shoulder"]);
}

#[test]
fn what_has_no_counterpart_is_listed() {
    let notes = read(ARM, &ImportOptions::default()).notes;
    let text = notes.to_string();
    for part in [
        "<collision> of links: column",
        "transmission drive1 names no actuator",
        "<gazebo>",
        "joint turn: dry friction 0.02 fades below 0.01",
        "joint shoulder: the largest velocity 3 is not enforced",
        "link tool has no inertia and is fixed to slide: part of it, marker slide.tool",
    ] {
        assert!(text.contains(part), "'{part}' is missing in\n{text}");
    }
    let more = ARM
        .replace("<axis xyz=\"0 0 1\"/>", "<axis xyz=\"0 0 1\"/><safety_controller k_velocity=\"1\"/>")
        .replace("<link name=\"upper\">", "<link name=\"upper\" type=\"steel\">");
    let text = read(&more, &ImportOptions::default()).notes.to_string();
    assert!(text.contains("<safety_controller> of joints: turn"), "{text}");
    assert!(text.contains("attribute type of <link>: upper"), "{text}");
}

/// Looks lie where the visuals of their links are: the same points of space at t = 0, computed here from the
/// origins in the file.
#[test]
fn visuals_become_looks() {
    use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
    let pose = |xyz: [f64; 3], rpy: [f64; 3]| {
        let turn = UnitQuaternion::from_euler_angles(rpy[0], rpy[1], rpy[2]);
        Isometry3::from_parts(Translation3::from(Vector3::from(xyz)), turn)
    };
    let shapes = r#"<visual><origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><geometry><cylinder radius="0.02" length="0.3"/></geometry>
        <material name="red"><color rgba="1 0 0.5 1"/></material></visual>
        <visual><geometry><mesh filename="package://arm/meshes/a.stl" scale="0.001 0.001 0.001"/></geometry></visual>
        <visual><geometry><mesh filename="b.dae"/></geometry></visual>
        <visual><geometry><sphere radius="-1"/></geometry></visual>"#;
    let tool = r#"<link name="tool"><visual><origin xyz="0 0 0.1"/><geometry><sphere radius="0.05"/></geometry></visual></link>"#;
    let text = ARM.replacen("<link name=\"upper\">", &format!("<link name=\"upper\">{shapes}"), 1);
    let text = text.replacen("<link name=\"tool\"/>", tool, 1);
    let import = read(&text, &ImportOptions::default());
    let model = loaded(&import).model;
    let look = |body: &str, k: usize| {
        let b = model.bodies.iter().find(|b| b.name == body).unwrap();
        let s = &b.look[k];
        (b.position + b.rotation * s.at, b.rotation * s.rotation, s.clone())
    };
    let column = pose([0.5, 0.1, 0.0], [0.1, 0.2, -0.3]);
    let upper = column * pose([0.05, 0.0, 0.4], [-1.2, 0.4, 0.9]);
    let slide = upper * pose([0.5, 0.0, 0.0], [0.0, 0.0, 0.7]);
    let expected = [
        ("column", 0, column),
        ("upper", 0, upper * pose([0.1, 0.2, 0.3], [0.4, 0.5, 0.6])),
        ("upper", 1, upper),
        ("slide", 0, slide * pose([0.2, 0.0, 0.1], [0.0; 3])),
    ];
    for (body, k, frame) in expected {
        let (at, turn, _) = look(body, k);
        assert!((at - (frame * Point3::origin()).coords).norm() < 1e-12, "{body} {k}: {at}");
        assert!(turn.angle_to(&frame.rotation) < 1e-7, "{body} {k}");
    }
    // Colours: of the material in the file, of its own, none.
    let colours = [look("column", 0), look("upper", 0), look("slide", 0)].map(|l| l.2.colour);
    assert_eq!(colours, [Some([0x80, 0x80, 0x80]), Some([255, 0, 0x80]), None]);
    assert!(import.to_toml().contains("file = \"meshes/a.stl\"\nscale = 0.001"), "{}", import.to_toml());
    assert_eq!(model.bodies.iter().map(|b| b.look.len()).sum::<usize>(), 4);
    let notes = import.notes.to_string();
    for part in ["b.dae", "<sphere> needs a positive radius", "in the folder of the model file"] {
        assert!(notes.contains(part), "'{part}' is missing in\n{notes}");
    }
}

/// A link with its mass at a place.
pub fn link(name: &str, xyz: &str) -> String {
    format!(
        r#"<link name="{name}"><inertial><origin xyz="{xyz}"/><mass value="1"/>
        <inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial></link>"#
    )
}

pub fn joint(name: &str, kind: &str, parent: &str, child: &str, more: &str) -> String {
    format!(
        r#"<joint name="{name}" type="{kind}"><origin xyz="1 0 0"/><parent link="{parent}"/><child link="{child}"/>{more}</joint>"#
    )
}

pub fn robot(parts: &[String]) -> String {
    format!("<robot name=\"r\">\n{}\n</robot>", parts.join("\n"))
}

#[test]
fn the_root_stands_or_floats() {
    let text =
        robot(&[link("base", "0 0 1"), link("arm", "0 0 0"), joint("j", "continuous", "base", "arm", "")]);
    let fixed = read(&text, &ImportOptions::default());
    let m = loaded(&fixed).model;
    assert_eq!(m.joints.len(), 2);
    assert_eq!((m.joints[0].name.as_str(), m.joints[0].bodies[0].as_str()), ("ground_base", "ground"));
    let floating = read(&text, &ImportOptions { floating_base: true, ..ImportOptions::default() });
    assert_eq!(loaded(&floating).model.joints.len(), 1);

    // A massless root is the ground, or part of what is fixed to it.
    let text = robot(&[
        "<link name=\"footprint\"/>".to_string(),
        link("base", "0 0 1"),
        joint("stand", "fixed", "footprint", "base", ""),
    ]);
    let m = loaded(&read(&text, &ImportOptions::default())).model;
    assert_eq!(m.joints[0].bodies, ["ground", "base"]);
    let m = loaded(&read(&text, &ImportOptions { floating_base: true, ..ImportOptions::default() })).model;
    assert_eq!((m.bodies.len(), m.joints.len()), (1, 0));
    assert_eq!(m.bodies[0].position, Vector3::new(1.0, 0.0, 1.0));
    let world = text.replace("footprint", "world");
    assert!(
        refused(&world, &ImportOptions { floating_base: true, ..ImportOptions::default() })
            .contains("does not float")
    );
}

#[test]
fn every_type_of_joint() {
    let text = robot(&[
        "<link name=\"world\"/>".to_string(),
        link("a", "0 0 0"),
        link("b", "0 0 0"),
        link("c", "0 0 0"),
        link("d", "0 0 0"),
        joint("free", "floating", "world", "a", ""),
        joint("plane", "planar", "a", "b", "<axis xyz=\"0 3 0\"/>"),
        joint("weld", "fixed", "b", "c", ""),
        joint("default_axis", "prismatic", "c", "d", ""),
    ]);
    let import = read(&text, &ImportOptions::default());
    let m = loaded(&import).model;
    assert_eq!(m.bodies.len(), 4);
    let rows: Vec<String> = m.joints.iter().map(|j| format!("{} {:?}", j.name, j.kind)).collect();
    assert_eq!(rows, ["plane Planar", "weld Fixed", "default_axis Prismatic"]);
    assert!((m.joints[0].frame.column(2) - Vector3::y()).largest() < 1e-15);
    assert!((m.joints[2].frame.column(2) - Vector3::x()).largest() < 1e-15);
    assert!(import.notes.to_string().contains("joint free is floating: a moves freely"));

    let merged = read(&text, &ImportOptions { merge_fixed: true, ..ImportOptions::default() });
    let m = loaded(&merged).model;
    assert_eq!((m.bodies.len(), m.joints.len()), (3, 2));
    let b = &m.bodies[1];
    assert_eq!((b.name.as_str(), b.mass, b.position.x), ("b", 2.0, 2.5));
    // Two spheres at a distance of 1: 0.2 along, 0.2 + 2 m (1/2)^2 across.
    let BodyKind::Rigid { inertia } = b.kind else { panic!("rigid") };
    assert!((inertia - Matrix3::from_diagonal(&Vector3::new(0.2, 0.7, 0.7))).largest() < 1e-15);
}

#[test]
fn mimic_is_a_gear() {
    let text = robot(&[
        "<link name=\"world\"/>".to_string(),
        link("a", "1 0 0"),
        link("b", "1 0 0"),
        joint("lead", "prismatic", "world", "a", "<axis xyz=\"0 0 1\"/>"),
        joint(
            "follow",
            "prismatic",
            "world",
            "b",
            "<axis xyz=\"0 0 1\"/><mimic joint=\"lead\" multiplier=\"-2\" offset=\"0.5\"/>",
        ),
    ]);
    let import =
        read(&text, &ImportOptions { joints: vec![("lead".to_string(), 0.1)], ..ImportOptions::default() });
    assert!(import.notes.to_string().contains("joint follow follows lead by gear mimic_follow"));
    let m = loaded(&import).model;
    assert!((m.bodies[0].position.z - 0.1).abs() < 1e-15 && (m.bodies[1].position.z - 0.3).abs() < 1e-15);
    assert!((m.joints[0].coordinate - 0.1).abs() < 1e-15 && (m.joints[1].coordinate - 0.3).abs() < 1e-15);
    // Two masses of 1 with z_b = 0.5 - 2 z_a under gravity: (1 + 4) z_a'' = -g + 2 g.
    let end = final_positions(&m, 0.5);
    let z_a = 0.1 + 0.5 * (9.81 / 5.0) * 0.25;
    assert!((end[0].z - z_a).abs() < 1e-12 && (end[1].z - (0.5 - 2.0 * z_a)).abs() < 1e-12, "{end:?}");

    let options = ImportOptions { joints: vec![("follow".to_string(), 0.1)], ..ImportOptions::default() };
    assert!(refused(&text, &options).contains("follows another"));
    let circle = text.replace("mimic joint=\"lead\"", "mimic joint=\"follow\"");
    assert!(refused(&circle, &ImportOptions::default()).contains("follows itself"));
    let lost = text.replace("mimic joint=\"lead\"", "mimic joint=\"leed\"");
    assert!(refused(&lost, &ImportOptions::default()).contains("did you mean 'lead'"));
    let still = text.replace("multiplier=\"-2\"", "multiplier=\"0\"");
    assert!(read(&still, &ImportOptions::default()).notes.to_string().contains("it moves on its own"));
}

fn final_positions(model: &Model, until: f64) -> Vec<Vector3<f64>> {
    let settings = load("d.toml", "[[body]]\nname=\"b\"\ntype=\"point\"\nmass=1\n", &[]).unwrap().settings;
    let built = build(model, settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let mut integrator = method("gen-alpha", &settings.options).unwrap();
    Run::new(1e-3, until).run(&*built.system, &mut *integrator, &mut state, &mut ()).unwrap();
    built.system.bodies(&state.at()).iter().map(|b| b.position).collect()
}

#[test]
fn damping_slows_a_slider_down() {
    let text = robot(&[
        "<link name=\"world\"/>".to_string(),
        link("a", "0 0 0"),
        joint("slide", "prismatic", "world", "a", "<axis xyz=\"0 0 1\"/><dynamics damping=\"3\"/>"),
    ]);
    let import = read(&text, &ImportOptions::default());
    assert!(import.notes.missing.is_empty());
    // m z'' = -m g - c z'.
    let (c, g, t) = (3.0, 9.81, 1.0);
    let z = -g / c * (t - (1.0 - f64::exp(-c * t)) / c);
    let end = final_positions(&loaded(&import).model, t);
    assert!((end[0].z - z).abs() < 2e-6, "{} {z}", end[0].z);
}

#[test]
fn frames_without_inertia_are_markers() {
    let text = robot(&[
        link("base", "0 0 1"),
        "<link name=\"camera\"/>".to_string(),
        r#"<joint name="mount" type="fixed"><origin xyz="0.2 0 0" rpy="0 0 1.5707963267948966"/><parent link="base"/><child link="camera"/></joint>"#
            .to_string(),
    ]);
    let m = loaded(&read(&text, &ImportOptions { floating_base: true, ..ImportOptions::default() })).model;
    let (point, axes) = m.marker("base.camera").expect("a marker");
    assert!((point - Vector3::new(0.2, 0.0, 0.0)).largest() < 1e-15);
    assert!((axes.column(0) - Vector3::y()).largest() < 1e-15);
}

/// Version 1.1 has quaternions. In earlier versions they are ignored, and the report says so.
#[test]
fn an_origin_may_be_a_quaternion() {
    let half = 0.5_f64.sqrt();
    let turned = |version: &str, origin: &str| {
        let text = robot(&[
            "<link name=\"world\"/>".to_string(),
            link("a", "0 0 0"),
            joint("x", "continuous", "world", "a", ""),
        ]);
        let text = text.replacen("<robot ", &format!("<robot version=\"{version}\" "), 1);
        text.replace("<origin xyz=\"1 0 0\"/>", &format!("<origin xyz=\"1 0 0\" {origin}/>"))
    };
    let quaternion = format!("quat_xyzw=\"0 0 {half} {half}\"");
    // The joint turns about the x axis of its child.
    let axis = |import: &Import| loaded(import).model.joints[0].frame.column(2).into_owned();
    let new = read(&turned("1.1", &quaternion), &ImportOptions::default());
    let same = read(&turned("1.1", "rpy=\"0 0 1.5707963267948966\""), &ImportOptions::default());
    assert!((axis(&new) - axis(&same)).largest() < 1e-15);
    assert!((axis(&new) - Vector3::y()).largest() < 1e-15);
    let old = read(&turned("1.0", &quaternion), &ImportOptions::default());
    assert!((axis(&old) - Vector3::x()).largest() < 1e-15);
    assert!(old.notes.to_string().contains("attribute quat_xyzw of <origin>"), "{}", old.notes);
    let both = format!("{quaternion} rpy=\"0 0 1\"");
    assert!(refused(&turned("1.1", &both), &ImportOptions::default()).contains("both rpy and quat_xyzw"));
}

#[test]
fn the_file_survives_a_round_trip() {
    let import = read(ARM, &ImportOptions::default());
    let again: precess::model::File = toml::from_str(&import.to_toml()).unwrap();
    assert_eq!(again, import.file);
    assert!(import.to_toml().starts_with("# arm3: a robot of 3 bodies and 3 joints.\n# Data: robot.urdf"));
}
