//! The coordinates that belong to given poses and velocities of the bodies.

use nalgebra::{DMatrix, DVector, Matrix3, Vector3};
use precess_lie::rotation::{quaternion_from_matrix, rotation_matrix};

use super::spanning_tree::Edge;
use crate::mechanics::kernels::{Motion, Pose};
use crate::mechanics::tree::joints::Step;
use crate::mechanics::tree::spatial::{compose, invert, outward};
use crate::mechanics::tree::{Tree, TreeMotion};

/// The signed angle about an axis that turns one direction normal to it into another.
fn angle(axis: &Vector3<f64>, from: &Vector3<f64>, to: &Vector3<f64>) -> f64 {
    let axis = axis.normalize();
    axis.dot(&from.cross(to)).atan2(from.dot(to) - axis.dot(from) * axis.dot(to))
}

/// A direction normal to another.
fn normal(axis: &Vector3<f64>) -> Vector3<f64> {
    crate::mechanics::tree::stage::along(axis, Vector3::zeros()).r.column(0).into_owned()
}

/// The coordinates of a joint whose second marker has the pose `assembled` in the first one where they are zero, and now
/// the pose `now`.
fn coordinates(steps: &[Step], assembled: &Pose, now: &Pose) -> Vec<f64> {
    let mut q = Vec::new();
    // Turns are about axes through the point of the second marker, so only slides move it.
    let moved = now.x - assembled.x;
    let turned: Matrix3<f64> = now.r * assembled.r.transpose();
    let turns: Vec<Vector3<f64>> =
        steps.iter().filter_map(|s| if let Step::Turn(axis) = s { Some(*axis) } else { None }).collect();
    let mut angles = match turns[..] {
        [axis] => vec![angle(&axis, &normal(&axis), &(turned * normal(&axis)))],
        [first, second] => {
            let alpha = angle(&first, &second, &(turned * second));
            let back = nalgebra::Rotation3::from_scaled_axis(-first.normalize() * alpha);
            vec![alpha, angle(&second, &first, &(back * turned * first))]
        }
        _ => Vec::new(),
    }
    .into_iter();
    for step in steps {
        match step {
            Step::Slide(axis) => q.push(axis.normalize().dot(&moved)),
            Step::Turn(_) => q.extend(angles.next()),
            Step::Ball => q.extend(quaternion_from_matrix(&turned).iter()),
            Step::Free => {
                let own = compose(&invert(assembled), now);
                q.extend(quaternion_from_matrix(&own.r).iter());
                q.extend(own.x.iter());
            }
        }
    }
    q
}

/// Velocities that do not fit a joint: its number among the edges, and the size of the misfit relative to the speed.
#[derive(Clone, Copy, Debug)]
pub struct Misfit {
    /// The edge.
    pub edge: usize,
    /// What is left.
    pub size: f64,
}

/// q of the tree for poses of the bodies.
pub fn positions(edges: &[Edge], assembled: &[Pose], now: &[Pose]) -> Vec<f64> {
    let seen = |poses: &[Pose], edge: &Edge| {
        let parent = edge.parent.map_or_else(Pose::ground, |p| poses[p]);
        let a = compose(&parent, &edge.on_parent);
        compose(&invert(&a), &compose(&poses[edge.body], &edge.on_body))
    };
    edges.iter().flat_map(|edge| coordinates(&edge.steps, &seen(assembled, edge), &seen(now, edge))).collect()
}

/// v of the tree for velocities of the bodies (in their frames) by least squares, and the largest misfit.
pub fn velocities(
    (tree, ends): (&Tree, &[(Option<usize>, Option<usize>)]),
    motion: &TreeMotion,
    bodies: &[Motion],
    edges: &[Edge],
    length: f64,
) -> (Vec<f64>, Option<Misfit>) {
    let mut v = vec![0.0; tree.dim()];
    let mut worst: Option<Misfit> = None;
    let fastest = bodies.iter().map(|m| m.omega.norm() * length + m.u.norm()).fold(0.0, f64::max);
    for (i, (edge, &(first, last))) in edges.iter().zip(ends).enumerate() {
        let pose = &tree.bodies()[edge.body].pose;
        let own = outward(&invert(pose), &bodies[edge.body]);
        let carried = edge.parent.map_or_else(Motion::rest, |p| {
            let from = &tree.bodies()[p];
            let at_stage = outward(&invert(&from.pose), &bodies[p]);
            last.map_or(at_stage, |last| outward(&tree.relative_pose(last, from.stage, motion), &at_stage))
        });
        let six = |m: &Motion| {
            DVector::from_iterator(6, m.omega.iter().map(|x| x * length).chain(m.u.iter().copied()))
        };
        let wanted = six(&own) - six(&carried);
        let mut columns = Vec::new();
        let mut frame = Pose::ground();
        for k in tree.path(last).take_while(|&k| Some(k) != first) {
            let stage = &tree.stages()[k];
            for j in 0..stage.dim() {
                columns.push((stage.v + j, six(&outward(&frame, &stage.kind.column(j)))));
            }
            frame = compose(&motion.local[k], &frame);
        }
        let mut left = wanted.clone();
        if !columns.is_empty() {
            let matrix = DMatrix::from_columns(&columns.iter().map(|(_, c)| c.clone()).collect::<Vec<_>>());
            if let Ok(x) = matrix.clone().svd(true, true).solve(&wanted, 1e-12) {
                left = &wanted - &matrix * &x;
                columns.iter().zip(x.iter()).for_each(|((at, _), x)| v[*at] = *x);
            }
        }
        let size = if fastest > 0.0 { left.norm() / fastest } else { 0.0 };
        if worst.is_none_or(|w| size > w.size) {
            worst = Some(Misfit { edge: i, size });
        }
    }
    (v, worst)
}

/// The pose of a rigid body in a state of SE(3).
pub fn pose(q: &[f64]) -> Pose {
    match q.len() {
        3 => Pose { r: Matrix3::identity(), x: Vector3::from_column_slice(q) },
        _ => Pose { r: rotation_matrix(&q[..4]), x: Vector3::from_column_slice(&q[4..7]) },
    }
}
