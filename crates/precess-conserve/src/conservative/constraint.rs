//! Constraints g(q) = 0: at most quadratic, or any smooth function of a few quadratic invariants.
//!
//! ```text
//! g(q) = g~(pi(q)),    G = sum of c_a D pi_a,    c = D g~(pi),    s_a = D pi_a(q) w  (the rate of pi_a)
//! g^v(q, w) = G(q) w = c(pi) . s
//! ```
//!
//! An energy-momentum scheme needs discrete derivatives over a step, exact for g and for the secondary
//! constraint g^v:
//!
//! ```text
//! D^G g . (q_1 - q_0) = g(q_1) - g(q_0)
//! D_q . (q_1 - q_0) + D_w . (w_1 - w_0) = g^v(q_1, w_1) - g^v(q_0, w_0)
//!
//! D^G g = sum of c^G_a D pi_a(q_m)    c^G: Gonzalez' discrete gradient of g~ in the invariants
//! D_w   = sum of (c_0 + c_1)_a/2 D pi_a(q_m)
//! D_q   = sum of (c_0 + c_1)_a/2 A_a w_m + psi_a D pi_a(q_m)    psi: that of pi -> D g~(pi) . (s_0 + s_1)/2
//! ```
//!
//! because pi and s are quadratic in (q, w), so their differences are exact with midpoint derivatives. For a
//! quadratic g these are G(q_m), G(q_m) and A w_m, the scheme of the paper. All of them are built from
//! invariants: momentum maps of symmetries that leave pi unchanged are kept. With plain coordinates as
//! invariants ([`Composed::euclidean`]) it is the midpoint discrete gradient on R^d, and **such momenta are
//! lost**; energy, g, g^v and order 2 stay. There is no quotient 0/0: if the invariants do not change, the
//! derivative is used.

use std::sync::Arc;

use super::potential::{MAX_INVARIANTS, Potential, gonzalez};
use super::quadratic::Quadratic;
use precess_engine::Error;

const N: usize = MAX_INVARIANTS;
/// Coordinates of two rigid bodies.
pub(crate) const ROOM: usize = 24;
type Few = [f64; N];
type Square = [f64; N * N];

/// The left-hand side of a constraint.
#[derive(Clone, Debug)]
pub enum Holonomic {
    /// At most second degree.
    Quadratic(Quadratic),
    /// Anything else.
    Composed(Composed),
}

impl From<Quadratic> for Holonomic {
    fn from(g: Quadratic) -> Self {
        Holonomic::Quadratic(g)
    }
}

impl From<Composed> for Holonomic {
    fn from(g: Composed) -> Self {
        Holonomic::Composed(g)
    }
}

/// A smooth function of quadratic invariants.
#[derive(Clone, Debug)]
pub struct Composed {
    invariants: Vec<Quadratic>,
    function: Arc<dyn Potential>,
    at: Vec<u32>,
}

/// A step from (q_0, w_0) to (q_1, w_1) and its midpoint.
#[derive(Clone, Copy, Debug)]
pub struct StepEnds<'a> {
    /// Positions.
    pub q: [&'a [f64]; 2],
    /// Velocities.
    pub w: [&'a [f64]; 2],
    /// Position and velocity in the middle.
    pub middle: (&'a [f64], &'a [f64]),
}

/// The index of a coordinate in a sorted list that contains it.
pub(crate) fn sorted_index(at: &[u32], i: usize) -> usize {
    at.binary_search(&(i as u32)).unwrap_or_default()
}

/// sum of x_i y_i.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// out = h x for a symmetric n x n matrix.
fn times(h: &[f64], x: &[f64]) -> Few {
    let (n, mut out) = (x.len(), [0.0; N]);
    (0..n).for_each(|a| out[a] = dot(&h[a * n..(a + 1) * n], x));
    out
}

/// pi -> u . D g~(pi), whose discrete gradient is psi.
#[derive(Debug)]
struct Along<'a> {
    function: &'a dyn Potential,
    u: &'a [f64],
}

impl Potential for Along<'_> {
    fn value(&self, pi: &[f64]) -> f64 {
        let mut c = [0.0; N];
        self.function.gradient(pi, &mut c[..pi.len()]);
        dot(&c[..pi.len()], self.u)
    }
    fn gradient(&self, pi: &[f64], out: &mut [f64]) {
        let (n, mut h) = (pi.len(), [0.0; N * N]);
        self.function.hessian(pi, &mut h[..n * n]);
        out.copy_from_slice(&times(&h, self.u)[..n]);
    }
    fn hessian(&self, pi: &[f64], out: &mut [f64]) {
        self.function.third(pi, self.u, out);
    }
}

/// psi over a step with its derivatives for pi_1 and for u at `[b n + a]`.
struct Psi {
    psi: Few,
    of_pi: Square,
    of_u: Square,
}

impl Composed {
    /// g~ of these invariants, at most [`MAX_INVARIANTS`].
    pub fn new(invariants: Vec<Quadratic>, function: Arc<dyn Potential>) -> Result<Self, Error> {
        if invariants.is_empty() || invariants.len() > N {
            return Err(Error::Length {
                what: "the list of invariants of a constraint (1 to 12)",
                found: invariants.len(),
                expected: N,
            });
        }
        let mut at: Vec<u32> = invariants.iter().flat_map(|x| x.touched().iter().copied()).collect();
        at.sort_unstable();
        at.dedup();
        Ok(Composed { invariants, function, at })
    }

    /// g~ of some coordinates: momenta are not kept, see the module.
    pub fn euclidean(coordinates: &[usize], function: Arc<dyn Potential>) -> Result<Self, Error> {
        let coordinate = |&i: &usize| Quadratic::new(0.0, &[(i, 1.0)], &[]);
        Self::new(coordinates.iter().map(coordinate).collect(), function)
    }

    fn n(&self) -> usize {
        self.invariants.len()
    }

    fn pi(&self, q: &[f64]) -> Few {
        let mut pi = [0.0; N];
        pi.iter_mut().zip(&self.invariants).for_each(|(x, f)| *x = f.value(q));
        pi
    }

    /// Rates s_a = D pi_a(q) v.
    fn rates(&self, q: &[f64], v: &[f64]) -> Few {
        let mut s = [0.0; N];
        s.iter_mut().zip(&self.invariants).for_each(|(x, f)| *x = f.rate(q, v));
        s
    }

    fn slope(&self, pi: &Few) -> Few {
        let (n, mut c) = (self.n(), [0.0; N]);
        self.function.gradient(&pi[..n], &mut c[..n]);
        c
    }

    fn hessian(&self, pi: &Few) -> Square {
        let (n, mut h) = (self.n(), [0.0; N * N]);
        self.function.hessian(&pi[..n], &mut h[..n * n]);
        h
    }

    /// Entries of sum of w_a D pi_a(q).
    fn first(&self, w: &Few, q: &[f64], f: &mut dyn FnMut(usize, f64)) {
        for (x, w) in self.invariants.iter().zip(w) {
            x.each_gradient(q, |i, x| f(i, w * x));
        }
    }

    /// Entries of sum of w_a A_a v.
    fn bent(&self, w: &Few, v: &[f64], f: &mut dyn FnMut(usize, f64)) {
        for (x, w) in self.invariants.iter().zip(w) {
            x.each_hessian_times(v, |i, x| f(i, w * x));
        }
    }

    /// Entries of half sum of w_a A_a + sum of dw_ab D pi_a(q) D pi_b(q_1)^T.
    fn second(
        &self,
        (w, dw): (&Few, &[f64]),
        (q, q_1): (&[f64], &[f64]),
        half: f64,
        f: &mut dyn FnMut(usize, usize, f64),
    ) {
        for (a, left) in self.invariants.iter().enumerate() {
            left.each_hessian(|i, j, x| f(i, j, half * w[a] * x));
            let row = self.row(dw, a);
            if self.at.len() > ROOM {
                left.each_gradient(q, |i, x| self.first(&row, q_1, &mut |j, y| f(i, j, x * y)));
                continue;
            }
            // Entries of one coordinate are added up first: this gives products of sums, not sums of
            // products.
            let (mut x, mut y) = ([0.0; ROOM], [0.0; ROOM]);
            left.each_gradient(q, |i, value| x[sorted_index(&self.at, i)] += value);
            self.first(&row, q_1, &mut |j, value| y[sorted_index(&self.at, j)] += value);
            for (&i, x) in self.at.iter().zip(&x).filter(|(_, x)| **x != 0.0) {
                self.at.iter().zip(&y).for_each(|(&j, y)| f(i as usize, j as usize, x * y));
            }
        }
    }

    fn row(&self, m: &[f64], a: usize) -> Few {
        let (n, mut row) = (self.n(), [0.0; N]);
        row[..n].copy_from_slice(&m[a * n..(a + 1) * n]);
        row
    }

    /// c^G and its derivative for pi_1.
    fn discrete(&self, at: &StepEnds) -> (Few, Square) {
        let n = self.n();
        let (pi_0, pi_1) = (self.pi(at.q[0]), self.pi(at.q[1]));
        let (mut w, mut dw, mut a, mut b) = ([0.0; N], [0.0; N * N], [0.0; N], [0.0; N]);
        gonzalez(&*self.function, (&pi_0[..n], &pi_1[..n]), (&mut w, &mut dw), (&mut a, &mut b));
        (w, dw)
    }

    /// (c_0 + c_1)/2 and its derivative for pi_1.
    fn average(&self, at: &StepEnds) -> (Few, Square) {
        let (pi_0, pi_1) = (self.pi(at.q[0]), self.pi(at.q[1]));
        let (mut c, c_0, mut h) = (self.slope(&pi_1), self.slope(&pi_0), self.hessian(&pi_1));
        c.iter_mut().zip(c_0).for_each(|(c, c_0)| *c = 0.5 * (*c + c_0));
        h.iter_mut().for_each(|x| *x *= 0.5);
        (c, h)
    }

    fn psi(&self, at: &StepEnds) -> Psi {
        let n = self.n();
        let (pi_0, pi_1) = (self.pi(at.q[0]), self.pi(at.q[1]));
        let (s_0, s_1) = (self.rates(at.q[0], at.w[0]), self.rates(at.q[1], at.w[1]));
        let u: Few = std::array::from_fn(|a| 0.5 * (s_0[a] + s_1[a]));
        let along = Along { function: &*self.function, u: &u[..n] };
        let (mut psi, mut of_pi, mut middle, mut room) = ([0.0; N], [0.0; N * N], [0.0; N], [0.0; N]);
        let moves =
            gonzalez(&along, (&pi_0[..n], &pi_1[..n]), (&mut psi, &mut of_pi), (&mut middle, &mut room));
        // psi is linear in u.
        let mut of_u = self.hessian(&middle);
        if moves {
            let d: Few = std::array::from_fn(|a| pi_1[a] - pi_0[a]);
            let (c_0, c_1, bent) = (self.slope(&pi_0), self.slope(&pi_1), times(&of_u, &d[..n]));
            let square = dot(&d, &d);
            for a in 0..n {
                let rest = (c_1[a] - c_0[a] - bent[a]) / square;
                (0..n).for_each(|b| of_u[b * n + a] += rest * d[b]);
            }
        }
        Psi { psi, of_pi, of_u }
    }
}

impl Holonomic {
    /// The coordinates touched, in ascending order.
    pub fn touched(&self) -> &[u32] {
        match self {
            Holonomic::Quadratic(g) => g.touched(),
            Holonomic::Composed(g) => &g.at,
        }
    }

    /// The quadratic functions it is made of.
    pub fn invariants(&self) -> &[Quadratic] {
        match self {
            Holonomic::Quadratic(g) => std::slice::from_ref(g),
            Holonomic::Composed(g) => &g.invariants,
        }
    }

    /// The function itself if it is linear.
    pub fn linear(&self) -> Option<&Quadratic> {
        match self {
            Holonomic::Quadratic(g) if g.is_linear() => Some(g),
            _ => None,
        }
    }

    /// g(q).
    pub fn value(&self, q: &[f64]) -> f64 {
        match self {
            Holonomic::Quadratic(g) => g.value(q),
            Holonomic::Composed(g) => g.function.value(&g.pi(q)[..g.n()]),
        }
    }

    /// G(q) v.
    pub fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        match self {
            Holonomic::Quadratic(g) => g.rate(q, v),
            Holonomic::Composed(g) => dot(&g.slope(&g.pi(q)), &g.rates(q, v)),
        }
    }

    /// v . D^2 g(q) v.
    pub fn curvature(&self, q: &[f64], v: &[f64]) -> f64 {
        let mut sum = 0.0;
        self.each_hessian_times(q, v, |i, x| sum += x * v[i]);
        sum
    }

    /// out += weight G(q).
    #[inline]
    pub fn add_gradient(&self, q: &[f64], weight: f64, out: &mut [f64]) {
        self.each_gradient(q, |i, x| out[i] += weight * x);
    }

    /// Entries of G(q). In all these functions a coordinate may occur more than once; its contributions add
    /// up.
    #[inline]
    pub fn each_gradient(&self, q: &[f64], mut f: impl FnMut(usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_gradient(q, f),
            Holonomic::Composed(g) => g.first(&g.slope(&g.pi(q)), q, &mut f),
        }
    }

    /// Entries of D^2 g(q).
    #[inline]
    pub fn each_hessian(&self, q: &[f64], mut f: impl FnMut(usize, usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_hessian(f),
            Holonomic::Composed(g) => {
                let pi = g.pi(q);
                g.second((&g.slope(&pi), &g.hessian(&pi)), (q, q), 1.0, &mut f);
            }
        }
    }

    /// Entries of D^2 g(q) v.
    #[inline]
    pub fn each_hessian_times(&self, q: &[f64], v: &[f64], mut f: impl FnMut(usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_hessian_times(v, f),
            Holonomic::Composed(g) => {
                let pi = g.pi(q);
                g.bent(&g.slope(&pi), v, &mut f);
                g.first(&times(&g.hessian(&pi), &g.rates(q, v)[..g.n()]), q, &mut f);
            }
        }
    }

    /// Entries of D^3 g(q) v, the derivative of D^2 g(q) v.
    pub fn each_third(&self, q: &[f64], v: &[f64], mut f: impl FnMut(usize, usize, f64)) {
        let Holonomic::Composed(g) = self else { return };
        let (n, pi, s) = (g.n(), g.pi(q), g.rates(q, v));
        let (h, mut t) = (g.hessian(&pi), [0.0; N * N]);
        g.function.third(&pi[..n], &s[..n], &mut t[..n * n]);
        g.second((&times(&h, &s[..n]), &t), (q, q), 1.0, &mut f);
        for (a, x) in g.invariants.iter().enumerate() {
            let row = g.row(&h, a);
            x.each_hessian_times(v, |i, x| {
                g.first(&row, q, &mut |j, y| {
                    f(i, j, x * y);
                    f(j, i, x * y);
                })
            });
        }
    }

    /// Entries of D^G g.
    #[inline]
    pub fn each_discrete(&self, at: &StepEnds, mut f: impl FnMut(usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_gradient(at.middle.0, f),
            Holonomic::Composed(g) => g.first(&g.discrete(at).0, at.middle.0, &mut f),
        }
    }

    /// Entries of its derivative for q_1.
    #[inline]
    pub fn each_discrete_tangent(&self, at: &StepEnds, mut f: impl FnMut(usize, usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_hessian(|i, j, x| f(i, j, 0.5 * x)),
            Holonomic::Composed(g) => {
                let (w, dw) = g.discrete(at);
                g.second((&w, &dw), (at.middle.0, at.q[1]), 0.5, &mut f);
            }
        }
    }

    /// Entries of D_w.
    #[inline]
    pub fn each_by_w(&self, at: &StepEnds, mut f: impl FnMut(usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_gradient(at.middle.0, f),
            Holonomic::Composed(g) => g.first(&g.average(at).0, at.middle.0, &mut f),
        }
    }

    /// Entries of its derivative for q_1.
    #[inline]
    pub fn each_by_w_tangent(&self, at: &StepEnds, mut f: impl FnMut(usize, usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_hessian(|i, j, x| f(i, j, 0.5 * x)),
            Holonomic::Composed(g) => {
                let (c, dc) = g.average(at);
                g.second((&c, &dc), (at.middle.0, at.q[1]), 0.5, &mut f);
            }
        }
    }

    /// Entries of D_q.
    #[inline]
    pub fn each_by_q(&self, at: &StepEnds, mut f: impl FnMut(usize, f64)) {
        match self {
            Holonomic::Quadratic(g) => g.each_hessian_times(at.middle.1, f),
            Holonomic::Composed(g) => {
                g.bent(&g.average(at).0, at.middle.1, &mut f);
                g.first(&g.psi(at).psi, at.middle.0, &mut f);
            }
        }
    }

    /// Entries of its derivatives for q_1 and for w_1.
    #[inline]
    pub fn each_by_q_tangents(
        &self,
        at: &StepEnds,
        mut of_q: impl FnMut(usize, usize, f64),
        mut of_w: impl FnMut(usize, usize, f64),
    ) {
        let g = match self {
            Holonomic::Quadratic(g) => return g.each_hessian(|i, j, x| of_w(i, j, 0.5 * x)),
            Holonomic::Composed(g) => g,
        };
        let (n, (q_m, w_m)) = (g.n(), at.middle);
        let ((c, dc), Psi { psi, of_pi, mut of_u }) = (g.average(at), g.psi(at));
        of_u.iter_mut().for_each(|x| *x *= 0.5);
        g.second((&psi, &of_pi), (q_m, at.q[1]), 0.5, &mut of_q);
        g.second((&c, &of_u), (q_m, at.q[1]), 0.5, &mut of_w);
        for (a, x) in g.invariants.iter().enumerate() {
            let row = g.row(&dc, a);
            x.each_hessian_times(w_m, |i, x| g.first(&row, at.q[1], &mut |j, y| of_q(i, j, x * y)));
            let mut column = [0.0; N];
            (0..n).for_each(|b| column[b] = of_u[b * n + a]);
            x.each_hessian_times(at.w[1], |j, y| g.first(&column, q_m, &mut |i, x| of_q(i, j, x * y)));
        }
    }
}

#[cfg(test)]
mod tests;
