//! Static checks: roll-up to a circle, the 45-degree bend, tip loads and own weight of a cantilever.

use precess_lie::Largest;
use std::f64::consts::PI;

use crate::common::Pose;
use nalgebra::{DMatrix, DVector, SVector, Vector3, Vector6};
use precess_engine::flex::{Element, Section};
use precess_lie::rotation::{rotate, rotate_inverse, skew};
use precess_lie::{LieGroup, SE3, SO3};

/// The load on the nodes of a cantilever.
enum Load {
    /// A moment on the tip, in its frame.
    FollowerMoment(Vector3<f64>),
    /// A force on the tip, in the inertial frame.
    Dead(Vector3<f64>),
    /// An acceleration of gravity, with the mass of each node.
    Weight(Vector3<f64>, f64),
}

struct Cantilever {
    elements: Vec<Element>,
    nodes: Vec<Pose>,
}

impl Cantilever {
    fn new(section: &Section, nodes: Vec<Pose>, residual_flexibility: bool) -> Self {
        let elements = nodes.windows(2).map(|pair| {
            let length = Element::new(section, &pair[0], &pair[1]).unwrap().length;
            let soft = section.with_residual_flexibility(length);
            Element::new(if residual_flexibility { &soft } else { section }, &pair[0], &pair[1]).unwrap()
        });
        Cantilever { elements: elements.collect(), nodes }
    }

    fn straight(section: &Section, length: f64, n: usize, residual_flexibility: bool) -> Self {
        let at = |i: usize| SE3::exp(&Vector6::new(0.0, 0.0, 0.0, length * i as f64 / n as f64, 0.0, 0.0));
        Cantilever::new(section, (0..=n).map(at).collect(), residual_flexibility)
    }

    fn tip(&self) -> Vector3<f64> {
        position(self.nodes.last().unwrap())
    }

    /// Adds the force on a node and its derivative for a share of the load.
    fn load(&self, load: &Load, share: f64, r: &mut DVector<f64>, k: &mut DMatrix<f64>) {
        let last = self.nodes.len() - 1;
        let mut dead = |i: usize, f: &Vector3<f64>| {
            let f = rotate_inverse(self.nodes[i].as_slice(), f) * share;
            let row = 6 * (i - 1) + 3;
            r.fixed_rows_mut::<3>(row).zip_apply(&f, |r, f| *r -= f);
            let mut block = k.fixed_view_mut::<3, 3>(row, row - 3);
            block -= skew(&f);
        };
        match load {
            Load::Dead(f) => dead(last, f),
            Load::Weight(gamma, mass) => {
                (1..=last).for_each(|i| dead(i, &(gamma * (if i == last { 0.5 * mass } else { *mass }))))
            }
            Load::FollowerMoment(m) => {
                let row = 6 * (last - 1);
                r.fixed_rows_mut::<3>(row).zip_apply(m, |r, m| *r -= m * share);
            }
        }
    }

    /// Newton's method in load steps; returns the iterations.
    fn solve(&mut self, load: &Load, steps: usize) -> usize {
        let n = 6 * self.elements.len();
        let mut iterations = 0;
        for step in 1..=steps {
            let share = step as f64 / steps as f64;
            let mut last = f64::INFINITY;
            for i in 0.. {
                assert!(i < 40, "no convergence in load step {step}");
                let (mut r, mut k) = (DVector::zeros(n), DMatrix::zeros(n, n));
                for (e, element) in self.elements.iter().enumerate() {
                    let d = Element::difference(&self.nodes[e], &self.nodes[e + 1]);
                    assert!(Element::angle(&d) < 3.1);
                    let g = element.force(&d, &element.stress(&d));
                    let t = element.stiffness(&d, &[Vector6::zeros(); 2]);
                    let b = 6 * e;
                    r.fixed_rows_mut::<6>(b).zip_apply(&g[1], |r, g| *r += g);
                    let mut block = k.fixed_view_mut::<6, 6>(b, b);
                    block += t.bb;
                    if e > 0 {
                        let a = b - 6;
                        r.fixed_rows_mut::<6>(a).zip_apply(&g[0], |r, g| *r += g);
                        for (i, j, t) in [(a, a, t.aa), (a, b, t.ab), (b, a, t.ba)] {
                            let mut block = k.fixed_view_mut::<6, 6>(i, j);
                            block += t;
                        }
                    }
                }
                self.load(load, share, &mut r, &mut k);
                let x = k.lu().solve(&r).unwrap();
                for (node, x) in self.nodes[1..].iter_mut().zip(x.as_slice().chunks(6)) {
                    *node = SE3::retract(node, &-Vector6::from_column_slice(x));
                }
                iterations += 1;
                let size = x.largest();
                assert!(size.is_finite());
                // Iterate down to rounding errors, where the next correction would not be smaller.
                if size < 1e-9 && size > 0.1 * last || size < 1e-13 {
                    break;
                }
                last = size;
            }
        }
        iterations
    }
}

fn position(q: &Pose) -> Vector3<f64> {
    Vector3::new(q[4], q[5], q[6])
}

/// Torsion, bending, stretch, shear; inertia does not matter here.
fn section(gj: f64, ei: f64, ea: f64, ga: f64) -> Section {
    Section::new(Vector6::new(gj, ei, ei, ea, ga, ga), 1.0, Vector3::new(1.0, 1.0, 1.0)).unwrap()
}

#[test]
fn a_moment_rolls_the_beam_up() {
    let section = section(2.0, 2.0, 1e4, 1e4);
    let full = Load::FollowerMoment(Vector3::new(0.0, 0.0, 4.0 * PI));
    for n in [3, 4, 8] {
        let mut beam = Cantilever::straight(&section, 1.0, n, false);
        beam.solve(&full, 20);
        assert!(beam.tip().largest() < 1e-9, "{n} elements: the tip is at {}", beam.tip());
        // All nodes lie on a circle.
        for (i, node) in beam.nodes.iter().enumerate() {
            let angle = 2.0 * PI * i as f64 / n as f64;
            let exact = Vector3::new(angle.sin(), 1.0 - angle.cos(), 0.0) / (2.0 * PI);
            assert!((position(node) - exact).largest() < 1e-9);
        }
    }
    // 0.4 of the moment with one or two elements.
    for n in [1, 2] {
        let mut beam = Cantilever::straight(&section, 1.0, n, false);
        beam.solve(&Load::FollowerMoment(Vector3::new(0.0, 0.0, 1.6 * PI)), 10);
        let exact = Vector3::new((0.8 * PI).sin(), 1.0 - (0.8 * PI).cos(), 0.0) / (0.8 * PI);
        assert!((beam.tip() - exact).largest() < 1e-10, "{n} elements: {}", beam.tip() - exact);
    }
}

/// An arc of 45 degrees and radius 100 in the plane z = 0 with a force along z at its tip.
fn bend(n: usize, force: f64, section: &Section) -> Vector3<f64> {
    let node = |i: usize| {
        let angle = 0.25 * PI * i as f64 / n as f64;
        let r = SO3::exp(&Vector3::new(0.0, 0.0, angle));
        SVector::from([r[0], r[1], r[2], r[3], 100.0 * angle.sin(), 100.0 * (1.0 - angle.cos()), 0.0])
    };
    let mut beam = Cantilever::new(section, (0..=n).map(node).collect(), false);
    beam.solve(&Load::Dead(Vector3::new(0.0, 0.0, force)), 12);
    beam.tip()
}

/// Exact tips by shooting on the equations of Cosserat, to 1e-8, and those of this element by an independent
/// program.
#[test]
fn bend_of_45_degrees() {
    let a = section(1e7 / 12.0, 1e7 / 12.0, 1e7, 5e6);
    let exact = Vector3::new(47.150438573629714, 15.684800534039095, 53.474858791826634);
    let elements = [
        (2, [48.523726854, 16.119764158, 51.160731177]),
        (4, [47.47903759, 15.790611675, 52.90530993]),
        (8, [47.23184843, 15.7111188, 53.333182621]),
        (16, [47.170749554, 15.691372126, 53.439483254]),
        (32, [47.155513802, 15.686442939, 53.466017598]),
        (64, [47.151707225, 15.685211105, 53.472648661]),
    ];
    let mut errors = Vec::new();
    for (n, tip) in elements {
        let found = bend(n, 600.0, &a);
        assert!((found - Vector3::from(tip)).largest() < 1e-6, "{n} elements: {found}");
        errors.push((found - exact).norm());
    }
    assert!(errors[5] < 3e-3, "{}", errors[5]);
    for pair in errors[2..].windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!((1.95..2.05).contains(&order), "order {order}");
    }
    // Other loads and sections, by extrapolation from 16 and 32 elements.
    let extrapolated = |force: f64, s: &Section| (bend(32, force, s) * 4.0 - bend(16, force, s)) / 3.0;
    for (force, s, tip) in [
        (300.0, &a, [58.77912248968356, 22.24478094536818, 40.191891670151435]),
        (450.0, &a, [52.23855801115574, 18.5081789253698, 48.502927344142144]),
        (600.0, &a, exact.into()),
        (
            600.0,
            &section(702885.0, 1e7 / 12.0, 1e7, 5e6),
            [46.89192478142231, 15.557785823972285, 53.607369265678095],
        ),
    ] {
        let error = (extrapolated(force, s) - Vector3::from(tip)).norm();
        assert!(error < 3e-4, "{force}: {error}");
    }
}

/// w/F = L/GA + L^3/3EI - L^3/(12 N^2 EI): no shear locking; residual bending flexibility takes the last term
/// away.
#[test]
fn deflection_by_a_load_at_the_tip() {
    let force = 1e-6;
    for ga in [1e2, 1e6, 1e10] {
        for n in [1, 2, 8] {
            for residual in [false, true] {
                let mut beam = Cantilever::straight(&section(1.0, 1.0, 1e6, ga), 1.0, n, residual);
                beam.solve(&Load::Dead(Vector3::new(0.0, 0.0, force)), 1);
                let rest = if residual { 0.0 } else { 1.0 / (12.0 * (n * n) as f64) };
                let exact = 1.0 / ga + 1.0 / 3.0 - rest;
                let found = beam.tip().z / force;
                assert!((found / exact - 1.0).abs() < 1e-7, "{ga} {n} {residual}: {found} {exact}");
            }
        }
    }
}

/// w = q L^4/8EI + q L^2/2GA under its own small weight, with lumped mass and any number of elements.
#[test]
fn deflection_by_own_weight() {
    for n in [4, 8, 16] {
        let mut beam = Cantilever::straight(&section(1.0, 1.0, 1e4, 1e3), 1.0, n, false);
        let q = 1e-5;
        let iterations = beam.solve(&Load::Weight(Vector3::new(0.0, 0.0, -1.0), q / n as f64), 1);
        let exact = -q * (1.0 / 8.0 + 1.0 / 2e3);
        assert!((beam.tip().z / exact - 1.0).abs() < 1e-6, "{n}: {} {exact}", beam.tip().z);
        assert!(iterations < 8);
        let axis = rotate(beam.nodes[0].as_slice(), &Vector3::x());
        assert!((axis - Vector3::x()).largest() < 1e-15);
    }
}
