//! Named points and axes, rotations, shapes and their inertias.

use nalgebra::Vector3;
use precess::lie::Largest;
use precess::mechanics::BodyKind;
use precess::model::{Files, load_with};

pub fn model(text: &str, files: Files) -> Result<precess::model::Model, String> {
    load_with("test.toml", text, &[], files).map(|l| l.model).map_err(|e| e.to_string())
}

pub fn no_files() -> Files {
    Files::memory([])
}

#[test]
fn points_axes_and_rotations() {
    let text = r#"
        [parameters]
        l = "400 mm"
        [points]
        A = [0, 0, "l"]
        B = ["300 mm", 0, 0]
        C = "(A + B)/2"
        D = ["C.x", "2*B.x", 0]
        fast = ["300 mm/s", 0, 0]
        up = { point = "C", rotation = { z_along = "B -> A" } }
        [[body]]
        name = "a"
        mass = 1
        inertia = [1, 2, 3]
        position = "C + 2*(B - A)"
        velocity = "-fast"
        rotation = { roll_pitch_yaw = ["10 deg", "20 deg", "30 deg"] }
        [[body]]
        name = "b"
        mass = 1
        inertia = [1, 2, 3]
        position = "D"
        rotation = "up"
        [[body]]
        name = "c"
        mass = 1
        inertia = [1, 2, 3]
        rotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
        [[body]]
        name = "d"
        mass = 1
        inertia = [1, 2, 3]
        rotation = { x_along = "-z" }
        [[joint]]
        name = "j"
        type = "revolute"
        bodies = ["a", "b"]
        point = "up"
        axis = "up"
        [[joint]]
        name = "k"
        type = "prismatic"
        bodies = ["b", "c"]
        point = "A"
        axis = "-y"
        [[joint]]
        name = "m"
        type = "prismatic"
        bodies = ["c", "d"]
        point = "A"
        axis = "A -> B"
    "#;
    let m = model(text, no_files()).unwrap_or_else(|e| panic!("{e}"));
    let near = |a: Vector3<f64>, b: [f64; 3]| assert!((a - Vector3::from(b)).largest() < 1e-15, "{a} {b:?}");
    near(m.bodies[0].position, [0.75, 0.0, -0.6]);
    near(m.bodies[0].velocity, [-0.3, 0.0, 0.0]);
    near(m.bodies[1].position, [0.15, 0.6, 0.0]);
    let unit = [-0.6, 0.0, 0.8];
    near(m.bodies[1].rotation * Vector3::z(), unit);
    near(m.bodies[2].rotation * Vector3::x(), [0.0, 1.0, 0.0]);
    near(m.bodies[3].rotation * Vector3::x(), [0.0, 0.0, -1.0]);
    let [r, p, y] = [10.0_f64, 20.0, 30.0].map(|x| x.to_radians());
    let turn = |axis: Vector3<f64>, angle: f64| nalgebra::Rotation3::from_scaled_axis(axis * angle);
    let expected = turn(Vector3::z(), y) * turn(Vector3::y(), p) * turn(Vector3::x(), r);
    assert!(
        (m.bodies[0].rotation.to_rotation_matrix().into_inner() - expected.into_inner()).largest() < 1e-15
    );
    near(m.joints[0].point, [0.15, 0.0, 0.2]);
    near(m.joints[0].frame.column(2).into_owned(), unit);
    near(m.joints[1].frame.column(2).into_owned(), [0.0, -1.0, 0.0]);
    near(m.joints[2].frame.column(2).into_owned(), [0.6, 0.0, -0.8]);
    for (from, to, part) in [
        ("C = \"(A + B)/2\"", "C = \"A*B\"", "does not go with points"),
        ("C = \"(A + B)/2\"", "C = \"A + 1\"", "does not go with points"),
        ("C = \"(A + B)/2\"", "C = \"D\"", "depend on each other"),
        ("point = \"up\"", "point = \"upp\"", "did you mean 'up'"),
        ("axis = \"A -> B\"", "axis = \"A -> A\"", "no direction"),
        ("[[0, -1, 0], [1, 0, 0], [0, 0, 1]]", "[[0, 1, 0], [1, 0, 0], [0, 0, 1]]", "not a rotation"),
        ("D = [\"C.x\"", "l = [\"C.x\"", "a parameter or a table"),
        ("position = \"D\"", "position = \"B.x\"", "a number, not a point"),
        ("A = [0, 0, \"l\"]", "A = [0, 0, \"2 kg\"]", "a mass (kg)"),
        ("velocity = \"-fast\"", "velocity = \"-B\"", "'-B' is a length (m), but a velocity (m/s) is needed"),
    ] {
        assert!(text.contains(from), "{from}");
        let e = model(&text.replace(from, to), no_files()).expect_err(to);
        assert!(e.contains(part), "{to}: {e}");
    }
}

/// Inertias of all shapes against sums over many small cubes.
#[test]
fn shapes_against_sums_of_cubes() {
    type Inside = fn(Vector3<f64>) -> bool;
    let cases: [(&str, Inside); 7] = [
        ("type = \"box\", size = [0.4, 0.6, 0.8]", |p| p.x.abs() < 0.2 && p.y.abs() < 0.3 && p.z.abs() < 0.4),
        ("type = \"sphere\", radius = 0.4", |p| p.norm() < 0.4),
        ("type = \"cylinder\", radius = 0.3, length = 0.9", |p| p.xy().norm() < 0.3 && p.z.abs() < 0.45),
        ("type = \"tube\", radius = 0.3, inner_radius = 0.2, length = 0.9, axis = \"x\"", |p| {
            p.yz().norm() < 0.3 && p.yz().norm() > 0.2 && p.x.abs() < 0.45
        }),
        ("type = \"cone\", radius = 0.4, length = 0.8, axis = \"y\"", |p| {
            let s = (0.6 - p.y) / 0.8;
            (0.0..1.0).contains(&s) && p.xz().norm() < 0.4 * s
        }),
        ("type = \"capsule\", radius = 0.2, length = 0.5", |p| {
            let z = (p.z.abs() - 0.25).max(0.0);
            Vector3::new(p.x, p.y, z).norm() < 0.2
        }),
        ("type = \"ellipsoid\", size = [0.4, 0.6, 0.8]", |p| {
            Vector3::new(p.x / 0.2, p.y / 0.3, p.z / 0.4).norm() < 1.0
        }),
    ];
    for (shape, inside) in cases {
        let text = format!("[[body]]\nname = \"a\"\ndensity = 1000\nshape = {{ {shape} }}");
        let m = model(&text, no_files()).unwrap_or_else(|e| panic!("{e}"));
        let BodyKind::Rigid { inertia } = m.bodies[0].kind else { panic!() };
        // Flat faces are on the faces of the cubes.
        let (n, size) = (120, 1.2);
        let (mut mass, mut first, mut second) = (0.0, Vector3::zeros(), nalgebra::Matrix3::zeros());
        let cube = (size / f64::from(n)).powi(3) * 1000.0;
        let at = |i: i32| (f64::from(i) + 0.5) / f64::from(n) * size - 0.5 * size;
        for i in 0..n * n * n {
            let p = Vector3::new(at(i % n), at(i / n % n), at(i / n / n));
            if inside(p) {
                mass += cube;
                first += p * cube;
                second += p * p.transpose() * cube;
            }
        }
        let sum = nalgebra::Matrix3::identity() * second.trace() - second;
        assert!((m.bodies[0].mass / mass - 1.0).abs() < 0.02, "{shape}: {} {mass}", m.bodies[0].mass);
        assert!(first.norm() / mass < 2e-3, "{shape}: centre {first}");
        assert!((inertia - sum).largest() < 0.02 * inertia.largest(), "{shape}: {inertia} {sum}");
    }
}

#[test]
fn rods_between_points_composites_and_meshes() {
    let text = r#"
        [points]
        A = [1, 0, 0]
        B = [1, 0, 2]
        [[body]]
        name = "rod"
        shape = { type = "rod", from = "A", to = "B", radius = "10 mm" }
        density = "7850 kg/m^3"
        [[body]]
        name = "two"
        position = [1, 1, 1]
        shape = { type = "composite", parts = [
            { type = "sphere", radius = 0.1, mass = 1, at = [0, 0, 0] },
            { type = "sphere", radius = 0.1, mass = 3, at = [4, 0, 0] } ] }
        markers = { end = [4, 0, 0] }
        [[body]]
        name = "wedge"
        density = 6
        rotation = { axis = "z", angle = "90 deg" }
        shape = { type = "mesh", file = "wedge.obj", scale = 2 }
    "#;
    let wedge = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    let files = Files::memory([("wedge.obj", wedge)]);
    let m = model(text, files.clone()).unwrap_or_else(|e| panic!("{e}"));
    let near = |a: Vector3<f64>, b: [f64; 3]| assert!((a - Vector3::from(b)).largest() < 1e-13, "{a} {b:?}");
    let inertia = |i: usize| match m.bodies[i].kind {
        BodyKind::Rigid { inertia } => inertia,
        _ => panic!(),
    };
    let mass = 7850.0 * std::f64::consts::PI * 1e-4 * 2.0;
    assert!((m.bodies[0].mass - mass).abs() < 1e-12);
    near(m.bodies[0].position, [1.0, 0.0, 1.0]);
    near(inertia(0).diagonal() / mass, [1e-4 / 4.0 + 4.0 / 12.0, 1e-4 / 4.0 + 4.0 / 12.0, 1e-4 / 2.0]);
    // Two balls: centre at 3/4 of the way, 3/4 m d^2 across.
    near(m.bodies[1].position, [4.0, 1.0, 1.0]);
    let ball = 4.0 * 0.4 * 0.01;
    near(inertia(1).diagonal(), [ball, ball + 0.75 * 16.0, ball + 0.75 * 16.0]);
    near(m.marker("two.end").unwrap().0, [5.0, 1.0, 1.0]);
    // A corner tetrahedron with edges of 2: volume 8/6, centre at a quarter, J = m a^2 3/40 on the diagonal
    // and m a^2/80 off it.
    assert!((m.bodies[2].mass - 8.0).abs() < 1e-13);
    near(m.bodies[2].position, [-0.5, 0.5, 0.5]);
    let j = inertia(2);
    near(j.diagonal(), [8.0 * 4.0 * 3.0 / 40.0; 3]);
    near(Vector3::new(j[(0, 1)], j[(0, 2)], j[(1, 2)]), [8.0 * 4.0 / 80.0; 3]);
    // The same rod: a plain number is per volume, as for every other solid, and kg/m says that it is per
    // length.
    let per_length = format!("\"{} kg/m\"", 7850.0 * std::f64::consts::PI * 1e-4);
    for density in ["7850", per_length.as_str()] {
        let other = model(&text.replace("\"7850 kg/m^3\"", density), files.clone());
        let other = other.unwrap_or_else(|e| panic!("{e}"));
        assert!((other.bodies[0].mass - mass).abs() < 1e-12, "{density}: {}", other.bodies[0].mass);
        let part = format!("{{ type = \"rod\", length = 2, radius = 0.01, density = {density} }}");
        let composite =
            format!("[[body]]\nname = \"c\"\nshape = {{ type = \"composite\", parts = [{part}] }}");
        let composite = model(&composite, no_files()).unwrap_or_else(|e| panic!("{e}"));
        assert!((composite.bodies[0].mass - mass).abs() < 1e-12, "{density} of a part");
    }
    for (from, to, part) in [
        ("wedge.obj", "other.obj", "no file 'other.obj'"),
        ("mass = 3,", "", "a mass or a density"),
        ("to = \"B\", ", "", "belong together"),
        ("name = \"rod\"", "name = \"rod\"\nposition = [0, 0, 0]", "given twice"),
        ("inner_radius", "inner_radius", ""),
    ] {
        if let Err(e) = model(&text.replace(from, to), files.clone()) {
            assert!(e.contains(part), "{to}: {e}");
        } else {
            assert!(part.is_empty(), "{to}");
        }
    }
    let open = Files::memory([("wedge.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 3 2\n")]);
    assert!(model(text, open).unwrap_err().contains("not a closed surface"));
}
