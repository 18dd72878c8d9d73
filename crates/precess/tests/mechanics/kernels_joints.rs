//! Joints composed of kernels: kinematics, reactions, invariance and small closed form solutions.

use crate::kernels_util::*;
use nalgebra::{DMatrix, SMatrix, SVector, Vector1, Vector2};
use precess::lie::Largest;
use precess::mechanics::kernels::*;
use precess::study::larger;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Joint {
    Spherical,
    Revolute,
    Universal,
    Prismatic,
    Cylindrical,
    Planar,
    Fixed,
    PointOnPlane,
    PointOnLine,
    RigidDistance,
    /// Rotations about axes 1 and 3 locked.
    Lock13,
    /// Rotations about axes 2 and 3 locked.
    Lock23,
}

use Joint::*;

const JOINTS: [Joint; 12] = [
    Spherical,
    Revolute,
    Universal,
    Prismatic,
    Cylindrical,
    Planar,
    Fixed,
    PointOnPlane,
    PointOnLine,
    RigidDistance,
    Lock13,
    Lock23,
];

/// Prescribed offset of the point on the plane, and the rigid distance.
const OFFSET: f64 = 0.3;
const DISTANCE: f64 = 1.2;

/// Everything about the rows of a joint at one pose.
#[derive(Clone)]
pub struct Rows {
    pub y: Vec<f64>,
    pub b: Vec<Row>,
    pub z: Vec<f64>,
    pub k: PairBlocks,
    /// `B^T lambda`.
    pub force: Row,
    pub lambda: Vec<f64>,
}

impl Rows {
    fn push<const N: usize>(&mut self, m: &impl Measure<N>, pair: &Pair, v: &PairMotion, lambda: &[f64; 6]) {
        let l: SVector<f64, N> = SVector::from_fn(|i, _| lambda[self.y.len() + i]);
        self.y.extend(m.value(pair).iter());
        self.b.extend(m.rows(pair));
        self.z.extend(m.z(pair, v).iter());
        self.lambda.extend(l.iter());
        m.add_k(pair, &l, &mut self.k);
        self.force += m.bt_lambda(pair, &l);
    }

    fn matrix(&self) -> DMatrix<f64> {
        DMatrix::from_fn(self.b.len(), 12, |i, j| self.b[i].to_array()[j])
    }
}

pub fn rows(joint: Joint, c: &Case, in_a: bool, pair: &Pair, v: &PairMotion, l: &[f64; 6]) -> Rows {
    let mut rows =
        Rows { y: vec![], b: vec![], z: vec![], k: PairBlocks::zero(), force: Row::zero(), lambda: vec![] };
    let (ma, mb) = (&c.ma, &c.mb);
    let coincidence = |rows: &mut Rows| {
        if in_a {
            rows.push(&Offset::coincidence(ma, mb, c.length), pair, v, l);
        } else {
            rows.push(&Point::constraint(ma.p, mb.p, c.length), pair, v, l);
        }
    };
    // Directions of a (numbered from one, as in the table of joints) against one of b.
    let d1 = |rows: &mut Rows, i: usize, j: usize| {
        let m = Directions::perpendicular([ma.axis(i - 1)], mb.axis(j - 1));
        rows.push(&m, pair, v, l);
    };
    let aligned = |rows: &mut Rows| {
        let m = Directions::perpendicular([ma.axis(0), ma.axis(1)], mb.axis(2));
        rows.push(&m, pair, v, l);
    };
    let line = Offset::constraint([ma.axis(0), ma.axis(1)], ma.p, mb.p, Vector2::zeros(), c.length);
    let plane = |h: f64| Offset::constraint([ma.axis(2)], ma.p, mb.p, Vector1::new(h), c.length);
    match joint {
        Spherical => coincidence(&mut rows),
        Revolute => {
            coincidence(&mut rows);
            aligned(&mut rows);
        }
        Universal => {
            coincidence(&mut rows);
            d1(&mut rows, 1, 2);
        }
        Fixed => {
            coincidence(&mut rows);
            d1(&mut rows, 1, 2);
            aligned(&mut rows);
        }
        Prismatic => {
            rows.push(&line, pair, v, l);
            d1(&mut rows, 1, 2);
            aligned(&mut rows);
        }
        Cylindrical => {
            rows.push(&line, pair, v, l);
            aligned(&mut rows);
        }
        Planar => {
            rows.push(&plane(0.0), pair, v, l);
            aligned(&mut rows);
        }
        PointOnPlane => rows.push(&plane(OFFSET), pair, v, l),
        PointOnLine => rows.push(&line, pair, v, l),
        RigidDistance => {
            let m = Distance::new(ma.p, mb.p, DISTANCE, c.length);
            rows.push(&m, pair, v, l);
        }
        Lock13 => {
            d1(&mut rows, 1, 2);
            d1(&mut rows, 3, 2);
        }
        Lock23 => {
            d1(&mut rows, 2, 1);
            d1(&mut rows, 3, 1);
        }
    }
    rows
}

/// Relative pose of the markers that the joint allows, for coordinates `s` and a free rotation `w`.
fn allowed(joint: Joint, s: &V3, w: &V3) -> (M3, V3) {
    let about = |i: usize, angle: f64| rotation(&(V3::ith(i, angle)));
    let free = rotation(w);
    let none = V3::zeros();
    let along = V3::z() * s.y;
    match joint {
        Spherical => (free, none),
        Revolute => (about(2, s.x), none),
        Universal => (about(0, s.x) * about(1, s.y), none),
        Prismatic => (M3::identity(), along),
        Cylindrical => (about(2, s.x), along),
        Planar => (about(2, s.x), V3::new(s.y, s.z, 0.0)),
        Fixed => (M3::identity(), none),
        PointOnPlane => (free, V3::new(s.x, s.y, OFFSET)),
        PointOnLine => (free, along),
        RigidDistance => (free, V3::new(s.x.cos() * s.y.cos(), s.x.cos() * s.y.sin(), s.x.sin()) * DISTANCE),
        Lock13 => (about(1, s.x), *s),
        Lock23 => (about(0, s.x), *s),
    }
}

/// Poses along an arbitrary smooth motion that keeps the joint closed.
fn motion(joint: Joint, c: &Case, t: f64) -> Case {
    let x = &c.extra;
    let curve = |i: usize| x[i] + x[i + 1] * t + x[i + 2] * (t * t / 2.0);
    let (q, d) = allowed(joint, &(curve(0) * 1.5), &curve(3));
    let w = c.v.a.omega * t + x[6] * (t * t / 2.0);
    let a = Pose { r: c.a.r * rotation(&w), x: c.a.x + c.v.a.u * t + x[7] * (t * t / 2.0) };
    Case { a, ..c.clone() }.joined(&q, &d)
}

/// Velocities along a motion, by differences.
fn velocity(group: Group, at: &impl Fn(f64) -> Case, t: f64) -> SVector<f64, 12> {
    let c = at(t);
    let body = |pick: &dyn Fn(&Case) -> Pose| {
        let q = pick(&c);
        let rate = derivative::<12>(|dt| {
            let p = pick(&at(t + dt));
            SVector::from_fn(|i, _| if i < 9 { p.r[i] } else { p.x[i - 9] })
        });
        let spin = q.r.transpose() * M3::from_fn(|i, j| rate[i + 3 * j]);
        let u = rate.fixed_rows::<3>(9).into_owned();
        Motion {
            omega: V3::new(spin[(2, 1)], spin[(0, 2)], spin[(1, 0)]),
            u: match group {
                Group::R3xSO3 => u,
                Group::SE3 => q.r.transpose() * u,
            },
        }
    };
    flat(&PairMotion { a: body(&|c: &Case| c.a), b: body(&|c: &Case| c.b) })
}

fn multipliers(c: &Case) -> [f64; 6] {
    std::array::from_fn(|i| c.extra[i / 3 + 4][i % 3])
}

/// Both kinds of coincidence where the joint has one.
fn variants(joint: Joint) -> &'static [bool] {
    match joint {
        Spherical | Revolute | Universal | Fixed => &[false, true],
        _ => &[false],
    }
}

#[test]
fn joints_follow_their_kinematics() {
    let errors = Errors::default();
    for_cases(20, |c| {
        for joint in JOINTS {
            for group in GROUPS {
                let at = |t: f64| motion(joint, c, t);
                let now = at(0.0);
                let pair = now.pair(group);
                let v = velocity(group, &at, 0.0);
                let accel = derivative(|t| velocity(group, &at, t));
                for &in_a in variants(joint) {
                    let r = rows(joint, c, in_a, &pair, &pair_motion(&v), &multipliers(c));
                    let (mut value, mut rate, mut second) = (0.0, 0.0, 0.0);
                    for i in 0..r.y.len() {
                        let b = row_vector(&r.b[i]);
                        let scale = 1.0 + b.norm() * (v.norm_squared() + accel.norm());
                        value = larger(r.y[i].abs(), value);
                        rate = larger(b.dot(&v).abs() / scale, rate);
                        second = larger((b.dot(&accel) + r.z[i]).abs() / scale, second);
                    }
                    errors.add(&format!("value {joint:?}"), value);
                    errors.add(&format!("rate {joint:?}"), rate);
                    errors.add(&format!("second {joint:?}"), second);
                    // Independent rows wherever the joint stands.
                    let sigma = r.matrix().singular_values().min();
                    errors.add(&format!("1/sigma {joint:?}"), sigma.recip());
                }
            }
        }
    });
    errors.finish(&[("value", 1e-13), ("rate", 1e-10), ("second", 1e-8), ("1/sigma", 10.0)]);
}

/// Force on b at its point and torque on b, both inertial, from the meaning of the multipliers.
fn reaction(joint: Joint, c: &Case, in_a: bool, l: &[f64]) -> (V3, V3) {
    let a = c.a.r * c.ma.c;
    let b = c.b.r * c.mb.c;
    let (a1, a2, a3) = (a.column(0), a.column(1), a.column(2));
    let head = || {
        let f = V3::new(l[0], l[1], l[2]) / c.length;
        if in_a { a * f } else { f }
    };
    let radial = || (a1 * l[0] + a2 * l[1]) / c.length;
    let axis = |i: usize| a1 * l[i + 1] - a2 * l[i];
    let zero = V3::zeros();
    match joint {
        Spherical => (head(), zero),
        Revolute => (head(), axis(3)),
        Universal => (head(), a1.cross(&b.column(1)) * l[3]),
        Fixed => (head(), a3 * l[3] + axis(4)),
        Prismatic => (radial(), a3 * l[2] + axis(3)),
        Cylindrical => (radial(), axis(2)),
        Planar => (a3 * (l[0] / c.length), axis(1)),
        PointOnPlane => (a3 * (l[0] / c.length), zero),
        PointOnLine => (radial(), zero),
        RigidDistance => {
            let n = (c.a.point(&c.ma.p) - c.b.point(&c.mb.p)) / DISTANCE;
            (n * (l[0] / c.length), zero)
        }
        Lock13 => (zero, a3 * l[0] - a1 * l[1]),
        Lock23 => (zero, a2 * l[1] - a3 * l[0]),
    }
}

#[test]
fn reactions_balance_and_mean_what_they_say() {
    let errors = Errors::default();
    for_cases(100, |c| {
        for joint in JOINTS {
            for group in GROUPS {
                for &in_a in variants(joint) {
                    let now = motion(joint, c, 0.0);
                    let pair = now.pair(group);
                    let r = rows(joint, c, in_a, &pair, &c.v, &multipliers(c));
                    let (f_a, t_a) = (r.force.a * -1.0).inertial(group, &now.a);
                    let (f_b, t_b) = (r.force.b * -1.0).inertial(group, &now.b);
                    let add = |what: &str, e: V3| {
                        let scale = 1.0 + row_vector(&r.force).norm() * (1.0 + now.b.x.norm());
                        errors.add(&format!("{what} {joint:?}"), e.largest() / scale);
                    };
                    add("net force", f_a + f_b);
                    let moment = t_a + t_b + now.a.x.cross(&f_a) + now.b.x.cross(&f_b);
                    add("net moment", moment);
                    let (f, t) = reaction(joint, &now, in_a, &r.lambda);
                    let arm = now.b.point(&now.mb.p) - now.b.x;
                    add("force on b", f_b - f);
                    add("moment on b", t_b - arm.cross(&f) - t);
                }
            }
        }
        // Away from the manifold all but the inertial coincidence still balance.
        for joint in JOINTS {
            for group in GROUPS {
                let pair = c.pair(group);
                let r = rows(joint, c, true, &pair, &c.v, &multipliers(c));
                let (f_a, t_a) = r.force.a.inertial(group, &c.a);
                let (f_b, t_b) = r.force.b.inertial(group, &c.b);
                let scale = 1.0 + row_vector(&r.force).norm() * (1.0 + c.b.x.norm());
                let moment = t_a + t_b + c.a.x.cross(&f_a) + c.b.x.cross(&f_b);
                let e = larger((f_a + f_b).largest(), moment.largest());
                errors.add(&format!("off manifold {joint:?}"), e / scale);
            }
        }
    });
    errors.finish(&[("net", 1e-14), ("force on b", 1e-13), ("moment on b", 1e-13), ("off manifold", 1e-14)]);
}

#[test]
fn rows_on_se3_see_the_relative_pose_only() {
    let errors = Errors::default();
    for_cases(100, |c| {
        let shift = Pose { r: rotation(&(c.extra[0] * 1.5)), x: c.extra[1] * 10.0 };
        let move_by = |q: &Pose| Pose { r: shift.r * q.r, x: shift.point(&q.x) };
        let there = Case { a: move_by(&c.a), b: move_by(&c.b), ..c.clone() };
        let l = multipliers(c);
        let (pair, pair_there) = (c.pair(Group::SE3), there.pair(Group::SE3));
        for joint in JOINTS {
            let r = rows(joint, c, true, &pair, &c.v, &l);
            let s = rows(joint, c, true, &pair_there, &c.v, &l);
            let scale = 1.0 + r.matrix().largest();
            let e = (r.matrix() - s.matrix()).largest() / scale;
            errors.add(&format!("B {joint:?}"), e);
            let e = error(&s.k.to_matrix(), &r.k.to_matrix());
            errors.add(&format!("K {joint:?}"), e);
            for i in 0..r.y.len() {
                let e = (r.z[i] - s.z[i]).abs() / (scale * flat(&c.v).norm_squared().max(1.0));
                errors.add(&format!("Z {joint:?}"), e);
                let e = (r.y[i] - s.y[i]).abs() / (1.0 + r.y[i].abs());
                errors.add(&format!("y {joint:?}"), e);
            }
        }
        let angle = Angle::new(&c.ma, &c.mb);
        if angle.margin(&pair) > Angle::MIN_MARGIN {
            let e = matrix(&angle.rows(&pair)) - matrix(&angle.rows(&pair_there));
            errors.add("B Angle", e.largest());
        }
        // The inertial coincidence is the exception.
        let point = Point::constraint(c.ma.p, c.mb.p, c.length);
        let e = matrix(&point.rows(&pair)) - matrix(&point.rows(&pair_there));
        let least = (shift.r - M3::identity()).largest() / c.length * 0.1;
        assert!(e.largest() > least);
    });
    errors.finish(&[("", 1e-13)]);
}

#[test]
fn blocks_go_where_they_belong() {
    let c = std::cell::RefCell::new(None);
    for_cases(1, |case| *c.borrow_mut() = Some(case.clone()));
    let c = c.into_inner().expect("a case");
    let pair = c.pair(Group::SE3);
    let mut k = PairBlocks::zero();
    Offset::coincidence(&c.ma, &c.mb, 1.0).add_k(&pair, &c.extra[0], &mut k);
    let full: SMatrix<f64, 12, 12> = k.to_matrix();
    let mut dense = DMatrix::zeros(20, 20);
    k.ab.add_to(2.0, &mut dense, 3, 9);
    let expected = full.fixed_view::<6, 6>(0, 6) * 2.0;
    assert_eq!(dense.fixed_view::<6, 6>(3, 9), expected);
    assert_eq!(dense.sum(), dense.fixed_view::<6, 6>(3, 9).sum());
    assert_eq!(k.ba.to_matrix(), full.fixed_view::<6, 6>(6, 0));
}
