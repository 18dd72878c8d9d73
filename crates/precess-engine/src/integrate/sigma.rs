//! The sigma-modification of generalized-alpha (Holzinger, Arnold, Gerstmayr, "SM").
//!
//! ```text
//! q_np1 = q_n o exp(theta)                                                                      (11)
//! theta = h v_n + h sigma beta/gamma (theta' - v_np1) - h [T^-1] N eta
//!         + h^2 (1/2 - beta) a_n + h^2 beta a_np1                                               (12), (13)
//! T(theta) theta' = v_np1                                                                       (16)
//! ```
//!
//! The rest is (LA 37). sigma = 0 is LA's method; sigma = gamma/(3 beta) cancels the term [v, v'] of the
//! local error.
//!
//! **Exact.** With T(theta) theta = theta the unknown theta' is eliminated without any approximation,
//!
//! ```text
//! v_np1 = gamma/(h beta) P^-1 [ theta - T c + h E N eta ],   P = sigma I + (1 - sigma) T(theta)
//! c     = h (1 - beta/gamma) v_n + h^2 (1/2 - beta/gamma) a_n
//! ```
//!
//! where E = I for [`EtaTerm::Tangent`] and E = T for [`EtaTerm::Plain`]. With theta = theta_0 + x, where
//! theta_0 is the predictor of sigma = 0, and b = (h beta/gamma)(v_n + h a_n), the distance of v_np1 from its
//! predictor is
//!
//! ```text
//! delta = P^-1 [ x + (I - T) w_0 + E N h eta ],   w_0 = theta_0 - sigma b
//! ```
//!
//! in which nothing cancels. Its exact derivative is W dx + P^-1 E N h deta with
//!
//! ```text
//! W = P^-1 (I - dT(theta)[.] w),   w = w_0 + (1 - sigma) delta   ( - N h eta for Plain)
//! ```
//!
//! so the iteration matrix of a [step](super::step) has S W for S, B W for B in the third row, and
//! S P^-1 E N, B P^-1 E N in the last column.
//!
//! **Published.** Algorithms 1, 2, 3 and Appendix D neglect dT and never evaluate (12) again: the increments
//! Delta of the iteration are added up, q <- q o exp(Delta), delta <- delta + P^-1 (Delta + N h deta). They
//! do not converge to (11)-(16). Their solution differs by a term of order h^3, as large as the term that
//! sigma corrects, and it depends on the predictor (v' = 0, lambda = 0, then theta <- theta - p sigma h
//! beta/gamma [v, theta] with p = 1 as printed or p = 1/2 as derived). For sigma = 1 this needs neither
//! tangent operators nor theta. The multipliers eta are those of (13), not the rescaled ones of (D.2); this
//! makes no difference to q, v, lambda. P^-1 is exact. **Printed** uses (65) for it: an error of O(theta^3)
//! in v, which is 2 % of the error of the rotor at h = 1e-4 (8.932e-5 against 8.725e-5 m) and zero for sigma
//! = 1.
//!
//! **Measured** (heavy top, SO(3)xR^3, q): index-3, rho 0.65, h = 5e-4 the error falls by 2.30 for sigma = 1,
//! by 1.58 for the optimal one, by 6.5 and 3.9 with Algorithms 1 and 2; stabilized index-2, rho 1 by 3.1 and
//! 2.0. On SE(3) there is no gain. A step of Algorithm 1 takes 1.06 to 1.21 times the instructions of a step
//! with sigma = 0. A step of the exact scheme with sigma = 1 takes 1.19 to 1.48 times as many
//! (`bench/sigma_cost.txt`). T is a small part of the work, and matrices with sigma = 0 have a separate
//! assembly.
//!
//! **Stability** of the multipliers in index-3 form (heavy top, Omega = 150/s, example `stability_map`). The
//! exact scheme with sigma = 1 is the most stable one: no growth for rho <= 0.95 up to h = 8e-3, where sigma
//! = 0 grows beyond h = 7e-3, 4e-3, 2e-3 for rho = 0.85, 0.9, 0.95. Algorithm 1 as printed (p = 1) grows from
//! about 4e-3, 2.4e-3, 1.4e-3 on for rho = 0.8, 0.9, 0.95. With p = 1/2, the factor that (84) should have, it
//! is far worse: stable only up to 1.8e-3 for rho = 0.6 and 3.8e-4 for rho = 0.8, and for rho = 0.9 not even
//! at h = 1.25e-4. The cause is the neglected dT, which splits the triple eigenvalue -rho of the recursion
//! for the multipliers by O(h^(1/3)): [`sigma_recursion`](super::sigma_recursion). Runs warn of the growth
//! (`oscillation` in `precess::study`).

use precess_lie::Product;

use super::alpha::Alpha;
use super::step::relation::Relation;
use crate::Error;
use crate::mechanics::Tangents;
use crate::mechanics::jacobian::{Contribution, Of, Times};
use crate::solve::Mat;

/// The parameter sigma.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sigma {
    /// A number; 0 is LA's method.
    Value(f64),
    /// gamma/(3 beta).
    Optimal,
}

impl Default for Sigma {
    fn default() -> Self {
        Sigma::Value(0.0)
    }
}

impl std::str::FromStr for Sigma {
    type Err = Error;

    /// `optimal`, or a number.
    fn from_str(name: &str) -> Result<Self, Error> {
        match (name, name.parse::<f64>()) {
            ("optimal", _) => Ok(Sigma::Optimal),
            (_, Ok(x)) if x.is_finite() => Ok(Sigma::Value(x)),
            _ => Err(Error::unknown_name("sigma", name, ["0", "1", "optimal"])),
        }
    }
}

impl std::fmt::Display for Sigma {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Sigma::Optimal => f.pad("optimal"),
            Sigma::Value(x) => write!(f, "{x}"),
        }
    }
}

impl Sigma {
    /// The number that belongs to these parameters.
    pub fn value(self, alpha: &Alpha) -> f64 {
        match self {
            Sigma::Value(x) => x,
            Sigma::Optimal => alpha.gamma / (3.0 * alpha.beta),
        }
    }
}

/// Solution method for the equations (11)-(16).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Variant {
    /// To the tolerance of Newton's method: the result depends neither on the predictor nor on the matrix.
    #[default]
    Exact,
    /// As in the printed algorithms; see the module documentation.
    Published,
    /// The same with the series (65) for P^-1: exactly Algorithm 2.
    Printed,
}

crate::error::named! {
    Variant, "variant of sigma": Exact = "exact", Published = "published", Printed = "printed"
}

impl Variant {
    /// True for the printed algorithms, with either P^-1.
    pub fn is_published(self) -> bool {
        self != Variant::Exact
    }
}

/// The term of eta in theta in the stabilized form. The two variants differ by terms of order h^3 in q and v,
/// also for sigma = 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EtaTerm {
    /// - N eta as in (LA 56b) and in SM, section 5.
    #[default]
    Plain,
    /// - T^-1(theta) N eta as in (SM 13).
    Tangent,
}

crate::error::named! { EtaTerm, "eta term": Plain = "plain", Tangent = "tangent" }

/// Options of the sigma-modification.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Modification {
    /// The parameter.
    pub sigma: Sigma,
    /// Solution method.
    pub variant: Variant,
    /// The term of eta; the published variant has its own.
    pub eta_term: EtaTerm,
    /// p of the published predictor: 1 as printed, 1/2 as derived.
    pub predictor_factor: f64,
}

impl Default for Modification {
    fn default() -> Self {
        Modification {
            sigma: Sigma::default(),
            variant: Variant::Exact,
            eta_term: EtaTerm::Plain,
            predictor_factor: 1.0,
        }
    }
}

impl Modification {
    /// The exact scheme with this parameter.
    pub fn exact(sigma: Sigma) -> Self {
        Modification { sigma, ..Self::default() }
    }

    /// The printed algorithms with this parameter.
    pub fn published(sigma: Sigma) -> Self {
        Modification { sigma, variant: Variant::Published, ..Self::default() }
    }

    /// kappa in theta = ... + kappa h^3 [v, v'] of a smooth solution; 1/12 is the exact one. For the
    /// published variant it follows from the error of the predictor.
    pub fn bracket_coefficient(&self, alpha: &Alpha) -> f64 {
        let Alpha { alpha_m, alpha_f, beta, gamma } = *alpha;
        let sigma = self.sigma.value(alpha);
        match self.variant {
            Variant::Exact => sigma * beta / (4.0 * gamma),
            Variant::Published | Variant::Printed => {
                let rest = 1.0 - (alpha_f - alpha_m) / (1.0 - alpha_m);
                let p = self.predictor_factor;
                sigma * (p * beta / gamma * (0.5 - (gamma - beta) * rest) + 0.5 * beta * rest)
            }
        }
    }
}

/// Relation between theta and v in a step, if it is not affine.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kinematics {
    sigma: f64,
    /// True for a published algorithm that follows theta.
    published: bool,
    /// P^-1 by (65).
    series: bool,
    tangent_eta: bool,
    /// p of the published predictor.
    predictor_factor: f64,
    /// theta - theta_0.
    x: Vec<f64>,
    w_0: Vec<f64>,
    w: Vec<f64>,
    work: Vec<f64>,
    /// T, P^-1 E and W in compact form.
    t: Vec<f64>,
    p_inverse: Vec<f64>,
    big_w: Vec<f64>,
    product: Vec<f64>,
    /// Copies of S and B.
    s: Mat,
    b: Mat,
}

impl Kinematics {
    /// `None` if the relation is affine.
    pub(crate) fn new(modification: &Modification, alpha: &Alpha, stabilized: bool) -> Option<Self> {
        let sigma = modification.sigma.value(alpha);
        let published = modification.variant.is_published() && sigma != 0.0;
        let tangent_eta = stabilized && modification.eta_term == EtaTerm::Tangent;
        (sigma != 0.0 || tangent_eta).then(|| Kinematics {
            sigma,
            published,
            series: modification.variant == Variant::Printed,
            tangent_eta: tangent_eta || published,
            predictor_factor: modification.predictor_factor,
            ..Kinematics::default()
        })
    }

    pub(crate) fn resize(&mut self, group: &Product, tangents: &Tangents) {
        let (k, n) = (group.dim(), group.tangent_len());
        for x in [&mut self.x, &mut self.w_0, &mut self.w, &mut self.work] {
            x.clear();
            x.resize(k, 0.0);
        }
        for x in [&mut self.t, &mut self.p_inverse, &mut self.big_w, &mut self.product] {
            x.clear();
            x.resize(n, 0.0);
        }
        self.s = tangents.s.clone();
        self.b = tangents.b.clone();
    }

    /// P^-1 at theta.
    fn invert(&mut self, group: &Product, theta: &[f64]) {
        if self.sigma != 1.0 || !self.published {
            group.tangent(theta, &mut self.t);
        }
        if self.series {
            // (65): I + (1 - sigma)/2 [ad - (2 - 3 (1 - sigma))/6 ad^2].
            let half = 0.5 * (1.0 - self.sigma);
            let c = -half * (2.0 - 6.0 * half) / 6.0;
            group.compact_quadratic([-half, c], theta, &mut self.p_inverse);
        } else if self.sigma != 1.0 {
            self.p_inverse.copy_from_slice(&self.t);
            group.compact_shift(self.sigma, 1.0 - self.sigma, &mut self.p_inverse);
            group.compact_inverse(&mut self.p_inverse);
        }
    }
}

impl Relation<f64> for Kinematics {
    fn copied(&self) -> Box<dyn Relation<f64>> {
        Box::new(self.clone())
    }

    fn is_published(&self) -> bool {
        self.published
    }

    /// True for Algorithms 1 and 3.
    fn is_tangent_free(&self) -> bool {
        self.published && self.sigma == 1.0
    }

    fn x(&mut self) -> &mut [f64] {
        &mut self.x
    }

    /// w_0 = theta_0 - sigma v_0 / dv.
    fn begin(&mut self, theta_0: &[f64], v_0: &[f64], dv: f64) {
        for ((w, t), v) in self.w_0.iter_mut().zip(theta_0).zip(v_0) {
            *w = t - self.sigma / dv * v;
        }
        self.x.fill(0.0);
    }

    /// x that gives about this delta without eta; theta is about theta_0 + delta.
    fn guess(&mut self, group: &Product, theta: &[f64], delta: &[f64]) {
        group.tangent_times(theta, delta, &mut self.work);
        group.tangent_defect_times(theta, &self.w_0, &mut self.x);
        for i in 0..delta.len() {
            self.x[i] = self.sigma * delta[i] + (1.0 - self.sigma) * self.work[i] - self.x[i];
        }
    }

    /// delta from x = theta - theta_0 and h eta.
    fn follow(&mut self, group: &Product, theta: &[f64], n: Option<&Mat>, eta_h: &[f64], delta: &mut [f64]) {
        self.invert(group, theta);
        group.tangent_defect_times(theta, &self.w_0, delta);
        for (d, x) in delta.iter_mut().zip(&self.x) {
            *d += x;
        }
        if let Some(n) = n {
            self.work.fill(0.0);
            n.gemv(1.0, eta_h, &mut self.work);
            if !self.tangent_eta {
                group.compact_times(&self.t, &mut self.work);
            }
            for (d, x) in delta.iter_mut().zip(&self.work) {
                *d += x;
            }
        }
        if self.sigma != 1.0 {
            group.compact_times(&self.p_inverse, delta);
        }
    }

    /// Line 6 of the algorithms: theta <- theta - p sigma (h beta/gamma) [v, theta], with dv = gamma/(h
    /// beta).
    fn turn_back(&mut self, group: &Product, dv: f64, v: &[f64], theta: &mut [f64]) {
        group.bracket(v, theta, &mut self.work);
        for (t, b) in theta.iter_mut().zip(&self.work) {
            *t -= self.predictor_factor * self.sigma / dv * b;
        }
    }

    /// Lines 15 to 18 of Algorithm 2: theta <- theta + T^-1 Delta, and P^-1 (Delta + N h deta) to be added to
    /// delta.
    fn add_increment(
        &mut self,
        group: &Product,
        weight: f64,
        increment: &[f64],
        n: Option<(&Mat, &[f64])>,
        theta: &mut [f64],
        delta: &mut [f64],
    ) {
        group.tangent_inverse_times(theta, increment, &mut self.work);
        for (t, x) in theta.iter_mut().zip(&self.work) {
            *t += weight * x;
        }
        self.invert(group, theta);
        self.work.copy_from_slice(increment);
        if let Some((n, d_eta)) = n {
            n.gemv(1.0, d_eta, &mut self.work);
        }
        group.compact_times(&self.p_inverse, &mut self.work);
        for (d, x) in delta.iter_mut().zip(&self.work) {
            *d += weight * x;
        }
    }

    /// The compact operators of the iteration matrix that multiply S and B on the right, for theta and for
    /// eta; `None` for the identity.
    fn operators(&mut self, group: &Product, theta: &[f64], n: Option<&Mat>, eta_h: &[f64], delta: &[f64]) {
        if self.published {
            if self.sigma != 1.0 {
                self.invert(group, theta);
                self.big_w.copy_from_slice(&self.p_inverse);
            }
            return;
        }
        for ((w, w_0), d) in self.w.iter_mut().zip(&self.w_0).zip(delta) {
            *w = w_0 + (1.0 - self.sigma) * d;
        }
        if let (Some(n), false) = (n, self.tangent_eta) {
            n.gemv(-1.0, eta_h, &mut self.w);
        }
        group.tangent_times_derivative(theta, &self.w, &mut self.product);
        group.compact_shift(1.0, -1.0, &mut self.product);
        if self.sigma == 1.0 {
            self.big_w.copy_from_slice(&self.product);
        } else {
            group.compact_product(&self.p_inverse, &self.product, &mut self.big_w);
        }
        if n.is_some() {
            // P^-1 E for the column of eta.
            match (self.sigma == 1.0, self.tangent_eta) {
                (true, false) => self.product.copy_from_slice(&self.t),
                (false, false) => group.compact_product(&self.p_inverse, &self.t, &mut self.product),
                (false, true) => self.product.copy_from_slice(&self.p_inverse),
                (true, true) => {}
            }
        }
    }

    /// S or B times W in the columns of theta, times P^-1 E in those of eta.
    fn times(&mut self, group: &Product, starts: &[usize], c: &Contribution, a: &Mat) -> &Mat {
        let out = if c.of == Of::S { &mut self.s } else { &mut self.b };
        out.copy_from(a);
        let operator = match c.times {
            Times::N if self.sigma == 1.0 && self.tangent_eta => return out,
            Times::N if self.published => &self.p_inverse,
            Times::N => &self.product,
            _ => &self.big_w,
        };
        out.mul_tangent(group, operator, starts);
        out
    }

    /// W.
    fn dense(&self, group: &Product) -> Mat {
        let k = group.dim();
        let mut w = Mat::zeros(k, k);
        for i in 0..k {
            w.add_entry(i, i, 1.0);
        }
        if !self.is_tangent_free() {
            group.mul_tangent(&self.big_w, k, w.data_mut());
        }
        w
    }
}
