//! Systems with constant mass on R^d, the setting of Kinon, Betsch and Schneider (2023).
//!
//! ```text
//! M v' = -DV(q) - G(q)^T lambda + f(t, q, v),    q' = v,    g(q) = 0,    G = Dg,  M constant
//! ```
//!
//! A [`Conservative`] is plain data: entries of M, terms of V, constraints, and the coordinates that form
//! vectors of space. It is a [`System`] like any other (its group is R^d), so it works with starting values,
//! runs, recorders and generalized-alpha. The conserving integrators need more than a `System` provides and
//! get it from [`Conservative::of`].

use std::any::Any;
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use nalgebra::{Matrix1, Vector3};
use precess_lie::{Factor, Product};

use super::constraint::Holonomic;
use super::potential::{Law, Scratch, Term};
use precess_engine::mechanics::{At, Block, Energy, Momenta, RowGroup, Sight, Structure, System, Tangents};

/// A force without potential. Energy-momentum schemes evaluate it at the midpoint, and the energy changes by
/// its work; variational integrators refuse it.
pub trait Load: Debug + Send + Sync {
    /// out += weight f(t, q, v).
    fn add(&self, t: f64, q: &[f64], v: &[f64], weight: f64, out: &mut [f64]);
    /// Calls `q_entry(i, j, df_i/dq_j)` and `v_entry(i, j, df_i/dv_j)`.
    fn tangents(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        q_entry: &mut dyn FnMut(usize, usize, f64),
        v_entry: &mut dyn FnMut(usize, usize, f64),
    );
    /// The coordinates that it reads and acts on.
    fn touched(&self) -> Vec<u32>;
}

/// A symmetric top about a fixed point, for [`Bs99`](crate::Bs99).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LagrangeTop {
    /// Mass.
    pub m: f64,
    /// Coordinate of the centre of mass on the axis of symmetry, seen from the fixed point.
    pub l: f64,
    /// The director of this axis: 0, 1 or 2.
    pub axis: usize,
    /// Moment of inertia about the fixed point, transverse.
    pub j_1: f64,
    /// Moment of inertia about the axis of symmetry.
    pub j_3: f64,
    /// Gravitational acceleration along -e_3.
    pub g: f64,
}

/// The 3-vector at x[i..i + 3].
pub(crate) fn vector(x: &[f64], i: usize) -> Vector3<f64> {
    Vector3::new(x[i], x[i + 1], x[i + 2])
}

/// A constraint with its name.
#[derive(Clone, Debug)]
pub struct NamedConstraint {
    /// g_k.
    pub g: Holonomic,
    /// For messages.
    pub name: String,
}

/// Constant mass, potential and constraints.
#[derive(Clone, Debug)]
pub struct Conservative {
    group: Product,
    /// Coordinates of each body: bodies are the blocks of large systems.
    bodies: Vec<Range<usize>>,
    /// Entries (i, j, M_ij), both triangles, row by row.
    mass: Vec<(u32, u32, f64)>,
    /// Terms of the potential.
    pub terms: Vec<Term>,
    /// Constraints.
    pub constraints: Vec<NamedConstraint>,
    /// Forces without potential.
    pub loads: Vec<Arc<dyn Load>>,
    /// First coordinates of the 3-vectors that are points of space: they contribute to linear and angular
    /// momentum.
    pub points: Vec<usize>,
    /// First coordinates of the 3-vectors that are directions: they contribute only to angular momentum.
    pub directions: Vec<usize>,
    /// Direction of gravity, whose momentum map is kept; zero without gravity.
    pub gravity: Vector3<f64>,
    /// A typical length.
    pub length: f64,
    /// Describes a coordinate without inertia that constraints determine: M is positive definite only on the
    /// motions they allow. This is enough for energy-momentum schemes, but not for variational integrators.
    pub massless: Option<String>,
    /// Names what depends on time in the constraints of the whole system, beside those listed here: discrete
    /// derivatives need g(q), so conserving methods refuse it.
    pub driven: Option<String>,
    /// Set if this is a symmetric top in directors (phi, d_1, d_2, d_3) with its tip at the origin.
    pub top: Option<LagrangeTop>,
}

impl Conservative {
    /// The system in the form that variational and energy-momentum methods need, if it has one.
    pub fn of(system: &dyn System) -> Option<&Conservative> {
        system.as_any()?.downcast_ref()
    }

    /// Bodies with these numbers of coordinates, without mass.
    pub fn new(dims: &[usize]) -> Self {
        let mut at = 0;
        let bodies = dims.iter().map(|n| {
            at += n;
            at - n..at
        });
        let bodies = bodies.collect();
        Conservative {
            group: Product::new(dims.iter().map(|&n| Factor::Rn(n))),
            bodies,
            mass: Vec::new(),
            terms: Vec::new(),
            constraints: Vec::new(),
            loads: Vec::new(),
            points: Vec::new(),
            directions: Vec::new(),
            gravity: Vector3::zeros(),
            length: 1.0,
            massless: None,
            driven: None,
            top: None,
        }
    }

    /// Number d of coordinates.
    pub fn dim(&self) -> usize {
        self.group.dim()
    }

    /// Number m of constraints.
    pub fn rows(&self) -> usize {
        self.constraints.len()
    }

    /// Coordinates of each body.
    pub fn bodies(&self) -> &[Range<usize>] {
        &self.bodies
    }

    /// Unit of each coordinate: 1 for directions, the typical length for all others.
    pub fn units(&self) -> Vec<f64> {
        let mut units = vec![self.length; self.dim()];
        self.directions.iter().for_each(|&i| units[i..i + 3].fill(1.0));
        units
    }

    /// Adds a mass m to the 3-vector at i: m |q_i'|^2 / 2.
    pub fn add_mass(&mut self, i: usize, m: f64) {
        self.add_mass_between(i, i, m);
    }

    /// Adds the entries m I at (i, j) and (j, i) of 3-vectors; once for i = j.
    pub fn add_mass_between(&mut self, i: usize, j: usize, m: f64) {
        for k in 0..3 {
            self.add_mass_entry(i + k, j + k, m);
            if i != j {
                self.add_mass_entry(j + k, i + k, m);
            }
        }
    }

    /// Adds to M_ij alone.
    pub fn add_mass_entry(&mut self, i: usize, j: usize, m: f64) {
        let (i, j) = (i as u32, j as u32);
        match self.mass.binary_search_by_key(&(i, j), |e| (e.0, e.1)) {
            Ok(k) => self.mass[k].2 += m,
            Err(k) => self.mass.insert(k, (i, j, m)),
        }
    }

    /// Adds a constraint.
    pub fn constrain(&mut self, name: &str, g: impl Into<Holonomic>) {
        self.constraints.push(NamedConstraint { g: g.into(), name: name.to_string() });
    }

    /// The entries (i, j, M_ij).
    pub fn mass_entries(&self) -> &[(u32, u32, f64)] {
        &self.mass
    }

    /// out += M x with x given by entries: `add_mass_times(|j| q_1[j] - q_0[j], r)` is M (q_1 - q_0).
    #[inline]
    pub fn add_mass_times(&self, x: impl Fn(usize) -> f64, out: &mut [f64]) {
        for &(i, j, m) in &self.mass {
            out[i as usize] += m * x(j as usize);
        }
    }

    /// The entries i..i+3 of M w.
    pub fn momentum(&self, i: usize, w: &[f64]) -> Vector3<f64> {
        let (first, i) = (self.mass.partition_point(|e| (e.0 as usize) < i), i as u32);
        let mut p = Vector3::zeros();
        for &(row, col, m) in self.mass[first..].iter().take_while(|e| e.0 < i + 3) {
            p[(row - i) as usize] += m * w[col as usize];
        }
        p
    }

    /// x . M y.
    pub fn mass_product(&self, x: &[f64], y: &[f64]) -> f64 {
        self.mass.iter().map(|&(i, j, m)| m * x[i as usize] * y[j as usize]).sum()
    }

    /// V(q).
    pub fn potential(&self, q: &[f64]) -> f64 {
        self.terms.iter().map(|t| t.value(q)).sum()
    }

    /// out += weight DV(q).
    pub fn add_gradient(&self, q: &[f64], weight: f64, s: &mut Scratch, out: &mut [f64]) {
        for term in &self.terms {
            term.weights(q, s);
            term.add_force(q, weight, s, out);
        }
    }

    /// out += weight G(q)^T lambda.
    pub fn add_gt(&self, q: &[f64], lambda: &[f64], weight: f64, out: &mut [f64]) {
        for (c, l) in self.constraints.iter().zip(lambda) {
            c.g.add_gradient(q, weight * l, out);
        }
    }

    /// out += weight S(gamma) v, S = sum of gamma_k D^2 g_k(q).
    pub fn add_s(&self, q: &[f64], gamma: &[f64], v: &[f64], weight: f64, out: &mut [f64]) {
        for (c, x) in self.constraints.iter().zip(gamma) {
            c.g.each_hessian_times(q, v, |i, a| out[i] += weight * x * a);
        }
    }

    /// True if nothing changes when all points move by the same vector: no gravity, no joint to the ground,
    /// no loads.
    pub fn is_translation_invariant(&self) -> bool {
        let rows = || self.constraints.iter().flat_map(|c| c.g.invariants());
        let functions = || self.terms.iter().flat_map(|t| &t.invariants).chain(rows());
        let zero = vec![0.0; self.dim()];
        let mut bend = zero.clone();
        let invariant = (0..3).all(|k| {
            let mut e = zero.clone();
            self.points.iter().for_each(|&i| e[i + k] = 1.0);
            functions().all(|f| {
                let (mut rate, mut size, mut largest) = (0.0, 0.0, 0.0);
                f.each_gradient(&zero, |i, x| {
                    rate += x * e[i];
                    size += (x * e[i]).abs();
                });
                bend.fill(0.0);
                f.each_hessian_times(&e, |i, x| {
                    bend[i] += x;
                    largest = f64::max(largest, x.abs());
                });
                rate.abs() <= 1e-12 * size && bend.iter().all(|x| x.abs() <= 1e-12 * largest)
            })
        });
        invariant && self.loads.is_empty() && !self.points.is_empty()
    }

    /// The structure: which bodies and constraints touch each other.
    pub fn sparsity(&self) -> Structure {
        let body_of = |i: u32| self.bodies.partition_point(|b| b.end <= i as usize);
        let touched = |list: &mut dyn Iterator<Item = u32>| {
            let mut bodies: Vec<usize> = list.map(body_of).collect();
            bodies.sort_unstable();
            bodies.dedup();
            bodies
        };
        let mut constraints: Vec<RowGroup> = Vec::new();
        for (k, c) in self.constraints.iter().enumerate() {
            let factors = touched(&mut c.g.touched().iter().copied());
            match constraints.last_mut() {
                Some(g) if g.factors == factors => g.rows.end = k + 1,
                _ => constraints.push(RowGroup { rows: k..k + 1, factors }),
            }
        }
        // Hessians of constraints between bodies; linear constraints have none.
        let bent = |c: &&NamedConstraint| c.g.linear().is_none();
        let mut curved: Vec<(usize, usize)> = Vec::new();
        for c in self.constraints.iter().filter(bent) {
            let bodies = touched(&mut c.g.touched().iter().copied());
            let pairs =
                bodies.iter().enumerate().flat_map(|(x, &j)| bodies[..x].iter().map(move |&i| (i, j)));
            curved.extend(pairs);
        }
        curved.dedup();
        let mut couplings = std::collections::BTreeSet::new();
        let mut couple = |list: &mut dyn Iterator<Item = u32>| {
            let bodies = touched(list);
            for (x, &j) in bodies.iter().enumerate() {
                couplings.extend(bodies[..x].iter().map(|&i| (i, j)));
            }
        };
        for &(i, j, _) in &self.mass {
            couple(&mut [i, j].into_iter());
        }
        for term in &self.terms {
            // A linear potential has no tangent: gravity couples nothing.
            if !(matches!(term.law, Law::Linear) && term.invariants.iter().all(|x| x.is_linear())) {
                couple(&mut term.invariants.iter().flat_map(|x| x.touched().iter().copied()));
            }
        }
        for load in &self.loads {
            couple(&mut load.touched().into_iter());
        }
        Structure { constraints, couplings: couplings.into_iter().collect(), curved, classes: Vec::new() }
    }

    /// g(q).
    pub fn g(&self, q: &[f64], out: &mut [f64]) {
        for (c, out) in self.constraints.iter().zip(out) {
            *out = c.g.value(q);
        }
    }

    /// G(q) v.
    pub fn gv(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (c, out) in self.constraints.iter().zip(out) {
            *out = c.g.rate(q, v);
        }
    }
}

impl System for Conservative {
    fn group(&self) -> &Product {
        &self.group
    }

    fn n_lambda(&self) -> usize {
        self.rows()
    }

    fn residual(&self, at: &At, r: &mut [f64]) {
        r.fill(0.0);
        self.add_mass_times(|j| at.vdot[j], r);
        self.add_gradient(at.q, 1.0, &mut Scratch::for_terms(&self.terms), r);
        self.add_gt(at.q, at.lambda, 1.0, r);
        self.loads.iter().for_each(|f| f.add(at.t, at.q, at.v, -1.0, r));
    }

    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.g(at.q, phi);
    }

    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.gv(at.q, at.v, out);
    }

    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        for (c, out) in self.constraints.iter().zip(out) {
            *out = c.g.rate(at.q, at.vdot) + c.g.curvature(at.q, at.v);
        }
    }

    fn tangents(&self, at: &At, out: &mut Tangents) {
        let want = out.want();
        let entry = Matrix1::new;
        for &(i, j, m) in &self.mass {
            out.mass(i as usize, j as usize, &entry(m));
        }
        for (k, c) in self.constraints.iter().enumerate() {
            if want.constraint {
                c.g.each_gradient(at.q, |i, x| out.constraint(k, i, &entry(x)));
            }
            if want.curvature {
                c.g.each_hessian_times(at.q, at.v, |i, x| out.curvature(k, i, &entry(x)));
            }
            if want.stiffness {
                c.g.each_hessian(at.q, |i, j, a| out.stiffness(i, j, &entry(a * at.lambda[k])));
            }
        }
        if want.stiffness {
            let mut s = Scratch::for_terms(&self.terms);
            for term in &self.terms {
                term.weights(at.q, &mut s);
                term.each_tangent((at.q, at.q), 1.0, &mut s, |i, j, x| out.stiffness(i, j, &entry(x)));
            }
        }
        if want.stiffness || want.c_d != 0.0 {
            for load in &self.loads {
                let (mut of_q, mut of_v) = (Vec::new(), Vec::new());
                let mut q = |i, j, x| of_q.push((i, j, x));
                load.tangents(at.t, at.q, at.v, &mut q, &mut |i, j, x| of_v.push((i, j, x)));
                of_q.iter().for_each(|&(i, j, x)| out.stiffness(i, j, &entry(-x)));
                of_v.iter().for_each(|&(i, j, x)| out.damping(i, j, &entry(-x)));
            }
        }
    }

    fn energy(&self, at: &At) -> Option<Energy> {
        Some(Energy { kinetic: 0.5 * self.mass_product(at.v, at.v), potential: self.potential(at.q) })
    }

    fn momenta(&self, at: &At) -> Option<Momenta> {
        let moment = |i: &usize| vector(at.q, *i).cross(&self.momentum(*i, at.v));
        let linear = self.points.iter().map(|&i| self.momentum(i, at.v)).sum();
        let angular = self.points.iter().chain(&self.directions).map(moment).sum();
        (!self.points.is_empty()).then(|| Momenta::new(linear, angular, &self.gravity))
    }

    fn power(&self, at: &At) -> Option<f64> {
        (!self.loads.is_empty()).then(|| {
            let mut f = vec![0.0; self.dim()];
            self.loads.iter().for_each(|l| l.add(at.t, at.q, at.v, 1.0, &mut f));
            f.iter().zip(at.v).map(|(f, v)| f * v).sum()
        })
    }

    fn constraint_name(&self, row: usize) -> String {
        self.constraints[row].name.clone()
    }

    fn blocks(&self) -> Vec<Block> {
        self.described()
    }

    fn sight(&self, block: &Block, at: &At, sight: &mut Sight) {
        self.sight_of(block, at, sight);
    }

    fn length_scale(&self) -> f64 {
        self.length
    }

    fn acceleration_scale(&self) -> Option<f64> {
        Some(self.gravity.norm())
    }

    fn constant_mass(&self) -> Option<&[(u32, u32, f64)]> {
        Some(&self.mass)
    }

    fn as_any(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
