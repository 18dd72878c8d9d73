//! A tree of nine bodies with all kinds of joints, against an independent program that differentiates by the
//! complex step and knows no stages (`data/tree.json`).

use nalgebra::{Matrix3, Rotation3, Vector3};
use precess_engine::mechanics::kernels::Pose;
use precess_engine::mechanics::tree::joints::Step;
use precess_engine::mechanics::tree::spatial::{compose, invert, outward};
use precess_engine::mechanics::tree::{Tree, TreeMotion};
use serde_json::Value;

fn list(v: &Value) -> Vec<f64> {
    v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect()
}

fn vector(v: &Value) -> Vector3<f64> {
    Vector3::from_column_slice(&list(v))
}

/// A marker in the centre-of-mass frame.
fn marker(v: &Value) -> Pose {
    Pose { r: *Rotation3::new(vector(&v["rotvec"])).matrix(), x: vector(&v["p"]) }
}

struct Example {
    tree: Tree,
    motion: TreeMotion,
    /// The last stage of each body and the second marker of its joint in the frame of this stage.
    ends: Vec<(usize, Pose)>,
    q: Vec<f64>,
    v: Vec<f64>,
    vdot: Vec<f64>,
    data: Value,
}

fn example() -> Example {
    let data: Value = serde_json::from_str(include_str!("data/tree.json")).unwrap();
    let data = data["tree"].clone();
    let mut tree = Tree::new(vector(&data["gravity"]));
    let e = |i: usize| Vector3::from_fn(|j, _| f64::from(u8::from(i == j)));
    let mut ends = Vec::new();
    for body in data["bodies"].as_array().unwrap() {
        let steps = match body["joint"].as_str().unwrap() {
            "revolute" => vec![Step::Turn(e(2))],
            "universal" => vec![Step::Turn(e(0)), Step::Turn(vector(&body["second_axis_in_marker_b"]))],
            "spherical" => vec![Step::Ball],
            "prismatic" => vec![Step::Slide(e(2))],
            "cylindrical" => vec![Step::Slide(e(2)), Step::Turn(e(2))],
            "planar" => vec![Step::Slide(e(0)), Step::Slide(e(1)), Step::Turn(e(2))],
            "free_r3so3" => vec![Step::Slide(e(0)), Step::Slide(e(1)), Step::Slide(e(2)), Step::Ball],
            "free_se3" => vec![Step::Free],
            "point_on_line" => vec![Step::Slide(e(2)), Step::Ball],
            other => panic!("{other}"),
        };
        let (marker_a, marker_b) = (marker(&body["marker_a"]), marker(&body["marker_b"]));
        let (parent, a) = match body["parent"].as_u64() {
            None => (None, marker_a),
            Some(p) => {
                let parent: &precess_engine::mechanics::tree::TreeBody = &tree.bodies()[p as usize];
                (parent.stage, compose(&parent.pose, &marker_a))
            }
        };
        // In the assembled positions both markers coincide.
        let together = Pose { r: Matrix3::identity(), x: Vector3::zeros() };
        let (stage, end) = tree.add_joint(parent, &a, &together, &steps);
        let pose = compose(&end, &invert(&marker_b));
        let inertia = Matrix3::from_diagonal(&vector(&body["inertia_com_diag"]));
        tree.add_body(stage, pose, body["mass"].as_f64().unwrap(), &inertia);
        ends.push((stage.unwrap(), end));
    }
    let group = tree.group().clone();
    let (mut identity, mut q) = (vec![0.0; group.repr()], vec![0.0; group.repr()]);
    group.identity(&mut identity);
    group.retract(&identity, &list(&data["w"]), &mut q);
    let (v, vdot) = (list(&data["v"]), list(&data["vdot"]));
    let mut motion = tree.motion();
    tree.velocities(&q, &v, &mut motion);
    Example { tree, motion, ends, q, v, vdot, data }
}

/// The largest absolute value; NaN if there is a NaN.
fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |m: f64, x| if x.abs() > m || x.is_nan() { x.abs() } else { m })
}

/// Largest difference, relative to the largest value.
fn difference(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    largest(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>()) / largest(b)
}

#[test]
fn positions_and_velocities_of_bodies() {
    let Example { tree, mut motion, data, .. } = example();
    tree.accelerations(&list(&data["vdot_free_aba"]), &mut motion);
    for (i, state) in data["bodies_at_state"].as_array().unwrap().iter().enumerate() {
        let pose = tree.body_pose(i, &motion);
        assert!(difference(pose.x.as_slice(), &list(&state["x"])) < 1e-13, "{i}");
        let r: Vec<f64> = state["R"].as_array().unwrap().iter().flat_map(list).collect();
        assert!(difference(pose.r.transpose().as_slice(), &r) < 1e-13, "{i}");
        let v = tree.body_velocity(i, &motion);
        assert!(difference(v.omega.as_slice(), &list(&state["Omega"])) < 1e-13, "{i}");
        assert!(difference(v.u.as_slice(), &list(&state["U"])) < 1e-13, "{i}");
        let a = tree.body_acceleration(i, &motion);
        let six: Vec<f64> = a.omega.iter().chain(a.u.iter()).copied().collect();
        assert!(difference(&six, &list(&state["Vdot"])) < 1e-12, "{i}");
    }
}

#[test]
fn inverse_dynamics() {
    let Example { tree, mut motion, vdot, data, .. } = example();
    tree.accelerations(&vdot, &mut motion);
    let mut r = vec![0.0; tree.dim()];
    tree.inverse(&mut motion, &mut r);
    let error = difference(&r, &list(&data["residual_rnea"]));
    assert!(error < 1e-13, "{error:e}");
}

#[test]
fn forward_dynamics_and_reactions() {
    let Example { tree, mut motion, ends, data, .. } = example();
    let n = tree.dim();
    let (mut vdot, mut r) = (vec![0.0; n], vec![0.0; n]);
    tree.accelerate(&vec![0.0; n], &mut motion, &mut vdot);
    let error = difference(&vdot, &list(&data["vdot_free_aba"]));
    assert!(error < 1e-12, "{error:e}");
    // The inverse dynamics of these accelerations is zero.
    tree.accelerations(&vdot, &mut motion);
    tree.inverse(&mut motion, &mut r);
    assert!(largest(&r) < 1e-11 * largest(&list(&data["residual_rnea"])), "{r:?}");
    for (i, reaction) in data["reactions_at_vdot_free"].as_array().unwrap().iter().enumerate() {
        let (stage, end) = &ends[i];
        let at_marker = outward_wrench(end, &motion.force[*stage]);
        let turn = motion.pose[*stage].r * end.r;
        let (force, torque) = (turn * at_marker.1, turn * at_marker.0);
        let error =
            (force - vector(&reaction["force"])).amax().max((torque - vector(&reaction["torque"])).amax());
        assert!(error < 1e-11, "{i}: {error:e}");
    }
}

/// A wrench in the frame with this pose: moment and force.
fn outward_wrench(
    pose: &Pose,
    f: &precess_engine::mechanics::kernels::Wrench,
) -> (Vector3<f64>, Vector3<f64>) {
    (pose.r.transpose() * (f.rot - pose.x.cross(&f.trans)), pose.r.transpose() * f.trans)
}

#[test]
fn mass_damping_and_stiffness() {
    let Example { tree, mut motion, vdot, data, .. } = example();
    let n = tree.dim();
    tree.accelerations(&vdot, &mut motion);
    let mut r = vec![0.0; n];
    tree.inverse(&mut motion, &mut r);
    let [mut mass, mut damping, mut stiffness] = [0; 3].map(|_| vec![0.0; n * n]);
    tree.derivatives(&mut motion, |i, j, entries| {
        mass[i * n + j] += entries.mass;
        damping[i * n + j] += entries.damping;
        stiffness[i * n + j] += entries.stiffness;
    });
    let rows = |name: &str| -> Vec<f64> { data[name].as_array().unwrap().iter().flat_map(list).collect() };
    for (name, ours) in [("M", &mass), ("D", &damping), ("K", &stiffness)] {
        let error = difference(ours, &rows(name));
        assert!(error < 1e-12, "{name}: {error:e}");
    }
    let mut again = vec![0.0; n * n];
    tree.mass(&mut motion, |i, j, x| again[i * n + j] += x);
    assert!(difference(&again, &mass) < 1e-15);
}

#[test]
fn the_jacobian_of_the_last_body() {
    let Example { tree, motion, v, data, .. } = example();
    let n = tree.dim();
    let mut columns = vec![0.0; 6 * n];
    let last = tree.bodies().len() - 1;
    tree.jacobian(last, &Vector3::zeros(), &motion, |j, x| {
        for i in 0..3 {
            columns[i * n + j] = x.omega[i];
            columns[(i + 3) * n + j] = x.u[i];
        }
    });
    let expected: Vec<f64> = data["J_last_body"].as_array().unwrap().iter().flat_map(list).collect();
    assert!(difference(&columns, &expected) < 1e-13);
    // J v is the velocity of a point.
    let point = Vector3::new(0.3, -0.7, 0.2);
    let (mut moved, body) = (Vector3::zeros(), tree.body_velocity(last, &motion));
    tree.jacobian(last, &point, &motion, |j, x| moved += x.u * v[j]);
    assert!((moved - body.u - body.omega.cross(&point)).amax() < 1e-13);
    let still = Pose { r: Matrix3::identity(), x: point };
    assert!((moved - outward(&still, &body).u).amax() < 1e-13);
}

#[test]
fn solving_with_the_mass_matrix() {
    let Example { tree, mut motion, q, vdot, .. } = example();
    let n = tree.dim();
    let mut b = vec![0.0; n];
    tree.mass(&mut motion, |i, j, x| b[i] += x * vdot[j]);
    let mut x = vec![0.0; n];
    tree.positions(&q, &mut motion);
    tree.solve_mass(&b, &mut motion, &mut x);
    let error = difference(&x, &vdot);
    assert!(error < 1e-11, "{error:e}");
}

/// The stiffness of one load by moving the tree: D_q(J^T w).
#[test]
fn changes_of_bodies_and_wrenches() {
    let Example { mut tree, q, v, vdot, .. } = example();
    let n = tree.dim();
    tree.set_gravity(Vector3::zeros());
    let moved = |dq: &[f64], dv: &[f64], v: &[f64]| {
        let mut other = vec![0.0; q.len()];
        tree.group().retract(&q, dq, &mut other);
        let v: Vec<f64> = v.iter().zip(dv).map(|(v, d)| v + d).collect();
        let mut m = tree.motion();
        tree.velocities(&other, &v, &mut m);
        tree.accelerations(&vdot, &mut m);
        m
    };
    let zero = vec![0.0; n];
    let m = moved(&zero, &zero, &v);
    let w = precess_engine::mechanics::kernels::Wrench {
        rot: Vector3::new(0.7, -1.3, 0.4),
        trans: Vector3::new(-0.2, 0.9, 1.1),
    };
    let h = 1e-4;
    for body in [2, 6, 8] {
        let mut h_exact = vec![0.0; n * n];
        tree.turned_wrench(body, &w, &m, |i, j, x| h_exact[i * n + j] += x);
        let mut variations = vec![None; n];
        tree.variations(body, &m, |j, x| variations[j] = Some(x));
        for j in 0..n {
            let unit = |s: f64| (0..n).map(|i| if i == j { s * h } else { 0.0 }).collect::<Vec<_>>();
            // Central differences of order 4.
            let at = [-2.0, -1.0, 1.0, 2.0].map(|s| (moved(&unit(s), &zero, &v), moved(&zero, &unit(s), &v)));
            let slope = |x: [Vec<f64>; 4]| -> Vec<f64> {
                (0..x[0].len())
                    .map(|i| (x[0][i] - 8.0 * x[1][i] + 8.0 * x[2][i] - x[3][i]) / (12.0 * h))
                    .collect()
            };
            let list = |x: precess_engine::mechanics::kernels::Motion| -> Vec<f64> {
                x.omega.iter().chain(x.u.iter()).copied().collect()
            };
            let Some(x) = variations[j] else {
                continue;
            };
            let of_q = slope(at.each_ref().map(|(m, _)| list(tree.body_velocity(body, m))));
            let acceleration_of_q = slope(at.each_ref().map(|(m, _)| list(tree.body_acceleration(body, m))));
            let acceleration_of_v = slope(at.each_ref().map(|(_, m)| list(tree.body_acceleration(body, m))));
            let forces = slope(at.each_ref().map(|(m, _)| {
                let mut r = vec![0.0; n];
                tree.jacobian(body, &Vector3::zeros(), m, |i, x| r[i] += w.dot(&x));
                r
            }));
            for (name, ours, theirs) in [
                ("D_q V", list(x.velocity_of_q), of_q),
                ("D_q V'", list(x.acceleration_of_q), acceleration_of_q),
                ("dV'/dv", list(x.acceleration_of_v), acceleration_of_v),
                ("H", (0..n).map(|i| h_exact[i * n + j]).collect(), forces),
            ] {
                let error: Vec<f64> = ours.iter().zip(&theirs).map(|(a, b)| a - b).collect();
                assert!(largest(&error) < 1e-9 * (1.0 + largest(&theirs)), "{name} {body} {j}: {error:?}");
            }
        }
    }
}
