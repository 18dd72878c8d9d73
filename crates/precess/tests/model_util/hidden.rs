//! Exact derivatives against difference quotients: a system whose derivatives are hidden.
#![allow(dead_code)]

use precess::lie::Product;
use precess::mechanics::{At, State, Structure, System, Tangents, Want};

/// Gives away nothing but residual and constraint.
pub struct Hidden<'a>(pub &'a dyn System);

impl System for Hidden<'_> {
    fn group(&self) -> &Product {
        self.0.group()
    }
    fn n_lambda(&self) -> usize {
        self.0.n_lambda()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.0.residual(at, r);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.0.constraint(at, phi);
    }
}

/// Does not say that it has parts, nor its structure if that is hidden.
pub struct Plain<'a> {
    system: &'a dyn System,
    structure: Option<&'a Structure>,
}

/// Keeps its structure to itself: solved with dense matrices.
pub fn dense(system: &dyn System) -> Plain<'_> {
    Plain { system, structure: None }
}

/// In sparse blocks, evaluated as a whole.
pub fn whole(system: &dyn System) -> Plain<'_> {
    Plain { system, structure: system.structure() }
}

impl System for Plain<'_> {
    fn structure(&self) -> Option<&Structure> {
        self.structure
    }
    fn group(&self) -> &Product {
        self.system.group()
    }
    fn n_lambda(&self) -> usize {
        self.system.n_lambda()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.system.residual(at, r);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.system.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.velocity_constraint(at, out);
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.system.acceleration_constraint(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.system.tangents(at, out);
    }
    fn n_memory(&self) -> usize {
        self.system.n_memory()
    }
    fn remember(&self, at: &At, memory: &mut [f64]) {
        self.system.remember(at, memory);
    }
    fn length_scale(&self) -> f64 {
        self.system.length_scale()
    }
}

/// Reproducible numbers in (-1, 1).
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| size * self.next()).collect()
    }
}

/// A state near `state`: q moved along the group, the rest random.
pub fn disturbed(system: &dyn System, state: &State, numbers: &mut Numbers, size: f64) -> State {
    let mut s = state.clone();
    let k = system.group().dim();
    system.group().retract(&state.q, &numbers.vector(k, size), &mut s.q);
    s.v = numbers.vector(k, 1.0);
    s.vdot = numbers.vector(k, 2.0);
    s.lambda = numbers.vector(s.lambda.len(), 3.0);
    s.t = 0.3;
    s.remember(system);
    s
}

fn largest(x: impl Iterator<Item = f64>) -> f64 {
    x.fold(0.0, |m, x| if x.abs() <= m { m } else { x.abs() })
}

/// Compares M, D, K, B, Y, dr/dlambda, and the velocity and acceleration levels with difference quotients. Returns the
/// largest difference relative to the size of each.
pub fn compare(system: &dyn System, state: &State) -> Vec<(&'static str, f64)> {
    let hidden = Hidden(system);
    let want = |c_m, c_d, on| Want { c_m, c_d, stiffness: on, constraint: on, curvature: on };
    let mut exact = Tangents::of(system);
    // Sparse blocks against full matrices: entries outside the declared structure are found too.
    let mut quotient = Tangents::dense(system.group().dim(), system.n_lambda(), system.n_s());
    let mut out = Vec::new();
    let relative = |a: &[f64], b: &[f64]| {
        let scale = 1.0 + largest(a.iter().copied());
        largest(a.iter().zip(b).map(|(a, b)| a - b)) / scale
    };
    for (name, w) in [("M", want(1.0, 0.0, false)), ("D", want(0.0, 1.0, false))] {
        exact.evaluate(system, &state.at(), w);
        quotient.evaluate(&hidden, &state.at(), w);
        out.push((name, relative(exact.s.to_dmatrix().as_slice(), quotient.s.data())));
    }
    let w = want(0.0, 0.0, true);
    exact.evaluate(system, &state.at(), w);
    quotient.evaluate(&hidden, &state.at(), w);
    out.push(("K", relative(exact.k.to_dmatrix().as_slice(), quotient.k.data())));
    out.push(("B", relative(exact.b.to_dmatrix().as_slice(), quotient.b.data())));
    let m = system.n_lambda();
    if m > 0 {
        // dr/dlambda is B^T, plus friction where there is any.
        let k = system.group().dim();
        let mut total = vec![0.0; k * m];
        let mut differences = vec![0.0; k * m];
        for j in 0..m {
            let mut lambda = state.lambda.clone();
            let mut sides = [vec![0.0; k], vec![0.0; k]];
            for (side, r) in [1.0, -1.0].iter().zip(&mut sides) {
                lambda[j] = state.lambda[j] + side * 1e-5;
                system.residual(&At { lambda: &lambda, ..state.at() }, r);
            }
            for i in 0..k {
                let friction = if exact.has_friction() { exact.g_lambda.get(i, j) } else { 0.0 };
                total[j * k + i] = exact.b.get(j, i) + friction;
                differences[j * k + i] = (sides[0][i] - sides[1][i]) / 2e-5;
            }
        }
        out.push(("dr/dlambda", relative(&total, &differences)));
        let (mut a, mut b) = (vec![0.0; m], vec![0.0; m]);
        system.velocity_constraint(&state.at(), &mut a);
        hidden.velocity_constraint(&state.at(), &mut b);
        out.push(("velocity level", relative(&a, &b)));
        // Y from quotients of the exact velocity level, to avoid quotients of quotients.
        let mut y = vec![0.0; m * k];
        for j in 0..k {
            let mut w = vec![0.0; k];
            let mut q = state.q.clone();
            let mut sides = [vec![0.0; m], vec![0.0; m]];
            for (side, out) in [1.0, -1.0].iter().zip(&mut sides) {
                w[j] = side * 1e-6;
                system.group().retract(&state.q, &w, &mut q);
                system.velocity_constraint(&At { q: &q, ..state.at() }, out);
            }
            for i in 0..m {
                y[j * m + i] = (sides[0][i] - sides[1][i]) / 2e-6;
            }
        }
        out.push(("Y", relative(exact.y.to_dmatrix().as_slice(), &y)));
        system.acceleration_constraint(&state.at(), &mut a);
        hidden.acceleration_constraint(&state.at(), &mut b);
        out.push(("acceleration level", relative(&a, &b)));
    }
    out
}

/// Fails if any derivative is further off than difference quotients are.
pub fn assert_derivatives(what: &str, system: &dyn System, state: &State) {
    for (name, error) in compare(system, state) {
        let tolerance = if name == "acceleration level" { 1e-5 } else { 3e-7 };
        assert!(error < tolerance, "{what}: {name} differs by {error:.2e}");
    }
}
