//! Mechanisms and the matrices of their steps.

use nalgebra::{UnitQuaternion, Vector3};
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::{Alpha, InitialValues, Integrator};
use precess::methods::{MethodOptions};
use precess::mechanics::{Tangents, Want};
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::solve::{BlockLu, Mat};

const H: f64 = 1e-3;

/// A coiled chain of rods with spherical or revolute joints, turned out of the planes of coordinates.
pub fn chain(n: usize, revolute: bool) -> Model {
    let tilt = UnitQuaternion::from_euler_angles(0.5, 0.7, 0.9);
    let (mut x, mut model) = (Vector3::zeros(), Model::new("chain").gravity([0.0, 0.0, -9.81]));
    for i in 0..n {
        let angle = std::f64::consts::TAU / 64.0 * i as f64;
        let rotation = tilt * UnitQuaternion::from_axis_angle(&Vector3::y_axis(), angle);
        let half = rotation * Vector3::x() * 0.5;
        let (a, b) = (if i == 0 { "ground".into() } else { format!("r{}", i - 1) }, format!("r{i}"));
        let rod = BodySpec::rigid(&b, 1.0, [1e-3, 1.0 / 12.0, 1.0 / 12.0]);
        let (name, axis) = (format!("j{i}"), tilt * Vector3::y());
        let joint = match revolute {
            true => JointSpec::revolute(&name, [&a, &b], x.into(), axis.into()),
            false => JointSpec::spherical(&name, [&a, &b], x.into()),
        };
        model = model.body(rod.at((x + half).into()).rotated(rotation)).joint(joint);
        x += half * 2.0;
    }
    model
}

/// n x n bodies on a wavy surface, held to their neighbours by spherical joints, hung from one corner.
pub fn net(n: usize) -> Model {
    let mut model = Model::new("net").gravity([0.0, 0.0, -9.81]);
    let name = |i: usize, j: usize| format!("b{i}_{j}");
    let place = |x: f64, y: f64| [x, y, 0.3 * (1.7 * x + 0.4).sin() * (2.3 * y + 0.9).cos()];
    for (i, j) in (0..n * n).map(|b| (b / n, b % n)) {
        let (x, y) = (i as f64, j as f64);
        let body = BodySpec::rigid(&name(i, j), 1.0, [0.1, 0.1, 0.2]).at(place(x, y));
        model = model.body(body.rotated(UnitQuaternion::from_euler_angles(0.5, 0.7, 0.9)));
        for (k, other, at) in [(i, (i.max(1) - 1, j), (x - 0.5, y)), (j, (i, j.max(1) - 1), (x, y - 0.5))] {
            if k > 0 {
                let (a, b) = (name(other.0, other.1), name(i, j));
                model = model.joint(JointSpec::spherical(&format!("{a}-{b}"), [&a, &b], place(at.0, at.1)));
            }
        }
    }
    model.joint(JointSpec::spherical("corner", ["ground", &name(0, 0)], place(-0.5, -0.5)))
}

/// A matrix, its blocks (bodies, then joints), and which blocks come before which.
pub struct Equations {
    pub unknowns: Vec<Vec<u32>>,
    before: Vec<Vec<usize>>,
    block_of: Vec<usize>,
    pub entries: Vec<(u32, u32, f64)>,
}

impl Equations {
    pub fn new(model: &Model, symmetric: bool) -> Result<Self, Error> {
        let built = build(model, Formulation::R3SO3)?;
        let system = &*built.system;
        let mut integrator = MethodOptions::default().generalized_alpha()?;
        let mut state = InitialValues::new(&built.q, &built.v).consistent(system)?;
        integrator.start(system, &mut state, H)?;
        for _ in 0..3 {
            integrator.step(system, &mut state, H)?;
        }
        let Alpha { alpha_m, alpha_f, beta, gamma } = Alpha::from_rho(0.9)?;
        let (c_m, c_d) = ((1.0 - alpha_m) / (beta * (1.0 - alpha_f)), H * gamma / beta);
        let c_d = if symmetric { 0.0 } else { c_d };
        let mut tangents = Tangents::of(system);
        let want = Want { c_m, c_d, stiffness: !symmetric, constraint: true, curvature: false };
        tangents.evaluate(system, &state.at(), want);

        let (group, structure) = (system.group(), system.structure().expect("large models have a structure"));
        let (n, k) = (group.factors().len(), group.dim() as u32);
        let scalars = |r: std::ops::Range<usize>, by: u32| r.map(|i| i as u32 + by).collect::<Vec<u32>>();
        let mut unknowns: Vec<_> = (0..n).map(|i| scalars(group.v_range(i), 0)).collect();
        let mut before = vec![Vec::new(); n];
        unknowns.extend(structure.constraints.iter().map(|c| scalars(c.rows.clone(), k)));
        before.extend(structure.constraints.iter().map(|c| c.factors.clone()));
        let mut block_of = vec![0; unknowns.iter().map(Vec::len).sum()];
        for (b, list) in unknowns.iter().enumerate() {
            list.iter().for_each(|u| block_of[*u as usize] = b);
        }
        let mut entries = Vec::new();
        let mut add = |mat: &Mat, weight: f64, row: u32, transpose: bool| {
            mat.for_blocks(|b| {
                for (at, x) in b.data.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                    let (i, j) = (row + (b.row + at % b.rows) as u32, (b.col + at / b.rows) as u32);
                    entries.push(if transpose { (j, i, weight * x) } else { (i, j, weight * x) });
                }
            });
        };
        add(&tangents.s, 1.0, 0, false);
        if !symmetric {
            add(&tangents.k, H * H, 0, false);
        }
        add(&tangents.b, 1.0, k, false);
        add(&tangents.b, 1.0, k, true);
        Ok(Equations { unknowns, before, block_of, entries })
    }

    pub fn len(&self) -> usize {
        self.block_of.len()
    }

    /// In sparse blocks.
    pub fn blocks(&self) -> BlockLu {
        let of = |i: u32| self.block_of[i as usize];
        let mut pairs: Vec<_> =
            self.entries.iter().map(|(i, j, _)| (of(*i).min(of(*j)), of(*i).max(of(*j)))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let mut lu = BlockLu::new(self.unknowns.clone(), &self.before, &pairs);
        for (i, j, x) in &self.entries {
            lu.add(*i as usize, *j as usize, 1, *x, &[1.0]);
        }
        lu
    }

    /// A right-hand side whose solution is one everywhere.
    pub fn right(&self) -> Vec<f64> {
        let mut b = vec![0.0; self.len()];
        self.entries.iter().for_each(|(i, _, x)| b[*i as usize] += x);
        b
    }

    /// |b - A x| / (|A| |x|) in the maximum norm, and the error of x.
    pub fn quality(&self, x: &[f64]) -> (f64, f64) {
        let largest = |v: &[f64]| v.iter().fold(0.0, |s, x| if x.abs() <= s { s } else { x.abs() });
        let (mut residual, mut size) = (self.right(), vec![0.0; self.len()]);
        for (i, j, a) in &self.entries {
            residual[*i as usize] -= a * x[*j as usize];
            size[*i as usize] += a.abs();
        }
        let errors: Vec<f64> = x.iter().map(|x| x - 1.0).collect();
        (largest(&residual) / (largest(&size) * largest(x)), largest(&errors))
    }
}
