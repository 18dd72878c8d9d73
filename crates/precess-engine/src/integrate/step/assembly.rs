//! The iteration matrix J of a step in a [`Kkt`]. Its terms are listed in
//! `mechanics/jacobian.rs`.

use std::ops::Range;

use precess_lie::Product;

use super::data::Step;
use crate::integrate::form::{Eta, Form};
use crate::integrate::one_body;
use crate::mechanics::jacobian::{CONTRIBUTIONS, Columns, Contribution, Of, Rows, Times};
use crate::mechanics::{At, Block, Dynamics, Want};
use crate::solve::{DenseLu, Kkt, Mat};

/// How J is formed, with its workspace.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// Leaves out D, K and T.
    pub simplified: bool,
    /// Size of a regularisation of the constraint rows, to get past a singular position.
    pub regularised: Option<f64>,
    /// First number of each factor in the compact tangent operator.
    starts: Vec<usize>,
    mass: DenseLu,
}

/// First number of each factor in the compact tangent operator.
pub(crate) fn starts(group: &Product) -> Vec<usize> {
    let mut at = 0;
    let start = |len: usize| {
        at += len;
        at - len
    };
    group.factors().iter().map(|f| f.tangent_len()).map(start).collect()
}

impl Assembly {
    /// For a configuration space.
    pub fn new(group: &Product) -> Self {
        let mass = DenseLu::default().in_blocks_of_three();
        Assembly { starts: starts(group), mass, ..Assembly::default() }
    }

    /// N at the iterate: B^T, or M^-1 B^T.
    pub fn direction(&mut self, eta: Eta, step: &mut Step, dynamics: &(impl Dynamics<f64> + ?Sized)) {
        step.evaluate(dynamics, if eta == Eta::Mass { Want::SADDLE } else { Want::CONSTRAINT });
        if let Some(held) = &step.held {
            step.tangents.b.scale_rows(&held.position);
        }
        step.n.transpose_from(&step.tangents.b);
        if eta == Eta::Mass {
            solve_mass(&step.tangents.s, (&step.blocks, step.length), &mut self.mass, &mut step.n);
        }
    }

    /// Overwrites J with its value at the iterate.
    #[inline]
    pub fn assemble(&mut self, step: &mut Step, dynamics: &(impl Dynamics<f64> + ?Sized), kkt: &mut Kkt) {
        if let Some(eta) = step.renews_direction {
            self.direction(eta, step, dynamics);
        }
        let group = dynamics.group();
        let simplified = self.simplified;
        // The published algorithms measure the increment in the frame of q_np1: no T.
        let local = !simplified && !step.relation.as_ref().is_some_and(|k| k.is_published());
        let mut want = step.want();
        if simplified {
            want = Want { c_d: 0.0, stiffness: false, curvature: false, ..want };
        }
        if local {
            step.turn(group);
        }
        step.evaluate(dynamics, want);
        let is_plain =
            !simplified && step.relation.is_none() && step.held.is_none() && step.redundant.is_none();
        if !(is_plain && write_one_body(step, group, kkt)) {
            self.add(step, (group, local), kkt);
            if step.form == Form::Index1 && !simplified {
                // d/dv of Z(v,v) is 2 Y + B v^ (17); its derivative in q comes from differences.
                acceleration_rows(step, dynamics, kkt);
            }
        }
        if let Some(size) = self.regularised {
            regularise(step, size, kkt);
        }
    }

    /// Adds all contributions: with T if `local`, and with the relation between theta and v if it is curved.
    fn add(&mut self, step: &mut Step, (group, local): (&Product, bool), kkt: &mut Kkt) {
        kkt.clear();
        let (corners, weights, c_m) = (step.layout.corners, step.weights(), step.c_m());
        let stabilized = step.is_stabilized();
        let Step { tangents: t, turns, n, held, relation, redundant, theta, delta, eta_h, .. } = step;
        let mut curved = relation.as_mut().filter(|kin| !self.simplified && !kin.is_tangent_free());
        if let Some(kin) = &mut curved {
            kin.operators(group, theta, stabilized.then_some(&*n), eta_h, delta);
        }
        let (starts, want, friction) = (&self.starts[..], t.want(), t.has_friction());
        let algebraic = t.h_s.rows() > 0;
        let is_wanted = |c: &Contribution| match c.of {
            Of::K => want.stiffness,
            Of::Y => want.curvature,
            Of::G => friction,
            Of::Rs | Of::Hq | Of::Hs => algebraic,
            Of::S | Of::B | Of::Bt => true,
        };
        let any_held = held.is_some();
        let mut put = |c: &Contribution, a: &Mat| {
            let Some(column) = corners.column(c.columns) else { return };
            let mut at = |row: usize, a: &Mat| match (c.of, c.times) {
                (Of::Bt, _) => kkt.add_transpose(row, column, weights.of(c.weight), a),
                (_, Times::N) => kkt.add_product(row, column, weights.of(c.weight), a, n),
                _ => kkt.add(row, column, weights.of(c.weight), a),
            };
            let first = corners.row(c.rows);
            match held {
                Some(held) if matches!(c.rows, Rows::Position | Rows::Velocity) => {
                    if c.rows == Rows::Velocity {
                        at(corners.lambda, held.share(a, true));
                    }
                    if let Some(first) = first {
                        at(first, held.share(a, false));
                    }
                }
                _ => {
                    if let Some(first) = first {
                        at(first, a);
                    }
                }
            }
        };
        let is_there = |c: &Contribution| corners.row(c.rows).is_some() || any_held;
        for c in CONTRIBUTIONS.iter().filter(|c| is_wanted(c) && c.times != Times::T) {
            match (&mut curved, c.of) {
                (Some(kin), Of::S | Of::B) if is_there(c) => {
                    put(c, kin.times(group, starts, c, t.of_term(c.of)))
                }
                _ => put(c, t.of_term(c.of)),
            }
        }
        // Products with T are formed in place, after everything else has used the matrices.
        for c in CONTRIBUTIONS.iter().filter(|c| is_wanted(c) && c.times == Times::T) {
            if is_there(c) {
                let a = t.of_term_mut(c.of);
                if local {
                    a.mul_tangent(group, turns, starts);
                }
                put(c, a);
            }
        }
        if let Some(held) = held {
            for i in (0..held.rates.len()).filter(|&i| held.position[i] != 1.0) {
                if held.off(i) != 0.0 {
                    kkt.add_diagonal(corners.lambda + i, held.off(i));
                }
                if let Some(eta) = corners.eta {
                    kkt.add_diagonal(eta + i, 1.0 - held.position[i]);
                }
            }
        }
        for (i, of_lambda, of_eta) in redundant.iter().flat_map(|redundant| redundant.diagonals(c_m)) {
            kkt.add_diagonal(corners.lambda + i, of_lambda);
            if let Some(eta) = corners.eta {
                kkt.add_diagonal(eta + i, of_eta);
            }
        }
    }
}

/// Writes J of one body. Returns false for other systems.
#[inline]
fn write_one_body(step: &Step, group: &Product, kkt: &mut Kkt) -> bool {
    let (factors, n_lambda) = (group.factors(), step.trial.lambda.len());
    let is_known = one_body::is_known(factors, n_lambda)
        && (n_lambda == 0 || matches!(step.form, Form::Index3 | Form::StabilizedIndex2))
        && step.trial.s.is_empty()
        && !step.tangents.has_friction();
    let Some(out) = kkt.dense_columns().filter(|_| is_known) else { return false };
    let operators = one_body::Operators { factor: factors[0], tangent: &step.turns, n: &step.n };
    one_body::assemble(&step.layout.corners, &step.tangents, &step.weights(), &operators, out);
    true
}

/// Adds a diagonal to the rows of the constraints and of their velocity level: a small part of -B S^-1 B^T,
/// with a mean of S, and of B N.
fn regularise(step: &Step, size: f64, kkt: &mut Kkt) {
    let k = step.delta.len();
    let logarithms: f64 = (0..k).map(|i| kkt.diagonal(i).abs().max(f64::MIN_POSITIVE).ln()).sum();
    let compliance = (-logarithms / k.max(1) as f64).exp();
    for i in step.layout.of(Columns::Lambda) {
        kkt.add_diagonal(i, -size * compliance);
    }
    for i in step.layout.of(Columns::Eta) {
        kkt.add_diagonal(i, size * kkt.diagonal(i).abs());
    }
}

/// Rows of the index-1 form beyond B: (h^2/c_m) [ dv (2 Y + B v^) + D_q(...) T ].
fn acceleration_rows(step: &Step, dynamics: &(impl Dynamics<f64> + ?Sized), kkt: &mut Kkt) {
    let group = dynamics.group();
    let (c_m, dv, at) = (step.c_m(), step.dv, step.trial.at());
    let direction = step.relation.as_ref().map(|kin| kin.dense(group));
    let (k, m) = (group.dim(), step.trial.lambda.len());
    let scale = step.h * step.h / c_m;
    let small = 1e-6;
    let mut up = vec![0.0; m];
    let mut down = vec![0.0; m];
    let mut x = step.theta.clone();
    let mut q = step.trial.q.clone();
    let mut v = step.trial.v.clone();
    let mut block = Mat::zeros(m, k);
    for j in 0..k {
        // theta and v move together along column j of the Newton direction.
        for (side, out) in [(1.0, &mut up), (-1.0, &mut down)] {
            x[j] = step.theta[j] + side * small;
            match &direction {
                None => v[j] = step.trial.v[j] + side * small * dv,
                Some(d) => v.iter_mut().zip(d.column(j)).for_each(|(v, d)| *v += side * small * dv * d),
            }
            step.retract(group, &x, &mut q);
            dynamics.acceleration(&At { q: &q, v: &v, ..at }, out);
            x[j] = step.theta[j];
            v.copy_from_slice(&step.trial.v);
        }
        for i in 0..m {
            block.column_mut(j)[i] = (up[i] - down[i]) / (2.0 * small);
        }
    }
    kkt.add(k, 0, scale, &block);
}

/// N <- M^-1 N, factor by factor for a sparse M. If M or one of its factors is singular, inertia is added to
/// every block. Then N is another direction, but it does not depend on units.
fn solve_mass(mass: &Mat, blocks: (&[Block], f64), lu: &mut DenseLu, n: &mut Mat) {
    let Some(pattern) = mass.pattern().cloned() else {
        lu.resize(mass.rows());
        lu.matrix_mut().copy_from(mass);
        let mut outcome = lu.factor();
        if outcome.is_err() {
            lu.matrix_mut().copy_from(mass);
            add_inertia(blocks, 0..mass.rows(), lu.matrix_mut());
            outcome = lu.factor();
        }
        if outcome.is_ok() {
            for i in 0..n.cols() {
                lu.solve(n.column_mut(i));
            }
        }
        return;
    };
    let Some(n_pattern) = n.pattern().cloned() else { return };
    for i in 0..pattern.rows.blocks() {
        let Some(at) = pattern.find(i, i) else { continue };
        let range = pattern.rows.range(i);
        let dim = range.len();
        lu.resize(dim);
        lu.matrix_mut().data_mut().copy_from_slice(&mass.data()[at..at + dim * dim]);
        if lu.factor().is_err() {
            lu.matrix_mut().data_mut().copy_from_slice(&mass.data()[at..at + dim * dim]);
            add_inertia(blocks, range, lu.matrix_mut());
            if lu.factor().is_err() {
                continue;
            }
        }
        for slot in n_pattern.row(i) {
            let columns = n_pattern.cols.range(slot.col as usize).len();
            let at = slot.offset as usize;
            for column in n.data_mut()[at..at + dim * columns].chunks_exact_mut(dim) {
                lu.solve(column);
            }
        }
    }
}

/// Adds the mean of the diagonal in each block to the diagonal of these rows of M. A block with a zero
/// diagonal gets the mean of all, as lengths.
fn add_inertia((blocks, length): (&[Block], f64), rows: Range<usize>, mass: &mut Mat) {
    let inside = |b: &&Block| rows.contains(&b.v.start) && b.v.end <= rows.end;
    let places = |b: &Block| b.v.start - rows.start..b.v.end - rows.start;
    let mean =
        |b: &Block, mass: &Mat| places(b).map(|j| mass.get(j, j)).sum::<f64>() / b.v.len().max(1) as f64;
    let unit = |b: &Block| if b.is_length() { 1.0 } else { length * length };
    let heaviest = blocks.iter().filter(inside).map(|b| mean(b, mass) / unit(b)).fold(0.0, f64::max);
    for block in blocks.iter().filter(inside) {
        let own = mean(block, mass);
        let inertia = if own > 0.0 { own } else { heaviest * unit(block) };
        places(block).for_each(|j| mass.add_entry(j, j, inertia));
    }
}
