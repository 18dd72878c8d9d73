//! The iteration matrix J of an implicit step, defined in one place.
//!
//! A step has four kinds of equations. They depend on the velocity v, the configuration q, the multipliers
//! lambda and the algebraic variables s:
//!
//! ```text
//!                  v      q         lambda     s
//! motion           S      h^2 K     B^T + G    h^2 R_s        S = c_m M + h^2 dv D
//! Phi = 0                 B
//! h_s = 0                 H_q                  H_s
//! B v / dv = 0     B      Y / dv
//! ```
//!
//! A change of the unknowns xi = (theta, h^2 lambda, s, h eta) changes v by theta + N h eta, in units of dv,
//! and q by T theta. J is therefore
//!
//! ```text
//!   theta            h^2 lambda   s         h eta
//! [ S + h^2 K T      B^T + G      h^2 R_s   S N ]
//! [ B T              0            0         0   ]
//! [ H_q T            0            H_s       0   ]
//! [ B + Y T / dv     0            0         B N ]
//! ```
//!
//! [`TERMS`] is the first table, and [`CONTRIBUTIONS`] adds the effect of the unknowns. All code that needs J
//! uses these two: dense and sparse matrices of single runs, the matrix of runs side by side, and the product
//! J xi ([`step`](crate::integrate::step)).

use precess_lie::Number;

use super::system::System;
use super::tangents::{Tangents, sparse_structure};
use crate::solve::block_lu::constraint_blocks;
use crate::solve::{Kkt, Mat};

/// Kinds of equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Equations of motion.
    Motion,
    /// Phi = 0.
    Position,
    /// h_s = 0.
    Algebraic,
    /// B v / dv = 0.
    Velocity,
}

/// Arguments of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// v.
    Velocity,
    /// q.
    Configuration,
    /// lambda.
    Multipliers,
    /// s.
    Algebraic,
}

/// Kinds of unknowns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Columns {
    /// The increment.
    Theta,
    /// h^2 lambda.
    Lambda,
    /// Algebraic variables.
    S,
    /// h eta.
    Eta,
}

/// One of the matrices in [`Tangents`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Of {
    /// c_m M + c_d D.
    S,
    /// K.
    K,
    /// B.
    B,
    /// B^T.
    Bt,
    /// Forces that depend on multipliers.
    G,
    /// Y.
    Y,
    /// dr/ds.
    Rs,
    /// dh_s/dq.
    Hq,
    /// dh_s/ds.
    Hs,
}

/// Factor of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// 1.
    One,
    /// h^2.
    H2,
    /// 1 / dv.
    PerDv,
}

/// Right factor of a derivative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// Nothing.
    One,
    /// The tangent operator T(theta).
    T,
    /// The direction N of the stabilisation.
    N,
}

/// A derivative of some equations.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The equations.
    pub rows: Rows,
    /// With respect to this.
    pub by: By,
    /// Factor.
    pub weight: Weight,
    /// The derivative.
    pub of: Of,
}

/// A term with the unknowns that change it: `weight of times` belongs to these rows and columns of J.
#[derive(Clone, Copy, Debug)]
pub struct Contribution {
    /// The equations.
    pub rows: Rows,
    /// The unknowns.
    pub columns: Columns,
    /// Factor.
    pub weight: Weight,
    /// The derivative.
    pub of: Of,
    /// Its right factor.
    pub times: Times,
}

const fn term(rows: Rows, by: By, weight: Weight, of: Of) -> Term {
    Term { rows, by, weight, of }
}

/// The derivatives of all equations, row by row of the table.
pub const TERMS: [Term; 10] = [
    term(Rows::Motion, By::Velocity, Weight::One, Of::S),
    term(Rows::Motion, By::Configuration, Weight::H2, Of::K),
    term(Rows::Motion, By::Multipliers, Weight::One, Of::Bt),
    term(Rows::Motion, By::Multipliers, Weight::One, Of::G),
    term(Rows::Motion, By::Algebraic, Weight::H2, Of::Rs),
    term(Rows::Position, By::Configuration, Weight::One, Of::B),
    term(Rows::Algebraic, By::Configuration, Weight::One, Of::Hq),
    term(Rows::Algebraic, By::Algebraic, Weight::One, Of::Hs),
    term(Rows::Velocity, By::Velocity, Weight::One, Of::B),
    term(Rows::Velocity, By::Configuration, Weight::PerDv, Of::Y),
];

impl By {
    /// The unknowns that change it, each with its factor.
    const fn columns(self) -> &'static [(Columns, Times)] {
        match self {
            By::Velocity => &[(Columns::Theta, Times::One), (Columns::Eta, Times::N)],
            By::Configuration => &[(Columns::Theta, Times::T)],
            By::Multipliers => &[(Columns::Lambda, Times::One)],
            By::Algebraic => &[(Columns::S, Times::One)],
        }
    }
}

/// Number of contributions.
pub const N_CONTRIBUTIONS: usize = 12;

/// All contributions to J: the terms with the unknowns that change them.
pub const CONTRIBUTIONS: [Contribution; N_CONTRIBUTIONS] = {
    let (mut list, mut n, mut i) = ([TERMS[0].with(TERMS[0].by.columns()[0]); N_CONTRIBUTIONS], 0, 0);
    while i < TERMS.len() {
        let (columns, mut j) = (TERMS[i].by.columns(), 0);
        while j < columns.len() {
            list[n] = TERMS[i].with(columns[j]);
            (n, j) = (n + 1, j + 1);
        }
        i += 1;
    }
    assert!(n == N_CONTRIBUTIONS);
    list
};

impl Term {
    const fn with(self, (columns, times): (Columns, Times)) -> Contribution {
        Contribution { rows: self.rows, columns, weight: self.weight, of: self.of, times }
    }
}

/// The coefficients of a step in J.
#[derive(Clone, Copy, Debug)]
pub struct StepWeights<T = f64> {
    /// h^2.
    pub h2: T,
    /// 1 / dv.
    pub per_dv: T,
}

impl<T: Number> StepWeights<T> {
    /// The value of a weight.
    #[inline(always)]
    pub fn of(&self, weight: Weight) -> T {
        match weight {
            Weight::One => T::one(),
            Weight::H2 => self.h2,
            Weight::PerDv => self.per_dv,
        }
    }
}

/// First rows and columns of the equations and unknowns of a form. The equations of motion and theta begin
/// with zero.
#[derive(Clone, Copy, Debug, Default)]
pub struct Corners {
    /// First multiplier.
    pub lambda: usize,
    /// First algebraic variable and equation.
    pub s: usize,
    /// First equation Phi = 0, if the form has them.
    pub position: Option<usize>,
    /// First equation B v = 0, if the form has them.
    pub velocity: Option<usize>,
    /// First unknown h eta, if the form has them.
    pub eta: Option<usize>,
}

impl Corners {
    /// First of these equations.
    #[inline(always)]
    pub fn row(&self, rows: Rows) -> Option<usize> {
        match rows {
            Rows::Motion => Some(0),
            Rows::Position => self.position,
            Rows::Algebraic => Some(self.s),
            Rows::Velocity => self.velocity,
        }
    }

    /// First of these unknowns.
    #[inline(always)]
    pub fn column(&self, columns: Columns) -> Option<usize> {
        match columns {
            Columns::Theta => Some(0),
            Columns::Lambda => Some(self.lambda),
            Columns::S => Some(self.s),
            Columns::Eta => self.eta,
        }
    }
}

impl<T> Tangents<T> {
    /// The matrix of a term; B for its transpose.
    #[inline(always)]
    pub fn of_term(&self, of: Of) -> &Mat<T> {
        match of {
            Of::S => &self.s,
            Of::K => &self.k,
            Of::B | Of::Bt => &self.b,
            Of::G => &self.g_lambda,
            Of::Y => &self.y,
            Of::Rs => &self.r_s,
            Of::Hq => &self.h_q,
            Of::Hs => &self.h_s,
        }
    }

    /// The matrix of a term, mutable.
    #[inline(always)]
    pub fn of_term_mut(&mut self, of: Of) -> &mut Mat<T> {
        match of {
            Of::S => &mut self.s,
            Of::K => &mut self.k,
            Of::B | Of::Bt => &mut self.b,
            Of::G => &mut self.g_lambda,
            Of::Y => &mut self.y,
            Of::Rs => &mut self.r_s,
            Of::Hq => &mut self.h_q,
            Of::Hs => &mut self.h_s,
        }
    }
}

/// A matrix for the coordinates of a system, their multipliers (twice if `stabilized`) and n_s more unknowns:
/// in sparse blocks for large systems with a known structure. `regularised` if small pivots are intended.
pub fn allocate_matrix(system: &dyn System, n_s: usize, stabilized: bool, regularised: bool) -> Kkt {
    let (k, m) = (system.group().dim(), system.n_lambda());
    let n = k + if stabilized { 2 * m } else { m } + n_s;
    match sparse_structure(system) {
        None if regularised => Kkt::regularised(n),
        None => Kkt::dense(n),
        Some(structure) => {
            let blocks = constraint_blocks(system.group(), structure, m, stabilized);
            Kkt::block(if regularised { blocks.without_inverses() } else { blocks })
        }
    }
}

/// Overwrites a matrix with (S, B^T + G; B, -eps D) of (19) and (20), D the weights of redundant rows: J
/// without K and T, and without G unless `friction`.
pub fn saddle(t: &Tangents, friction: bool, (weights, eps): (&[f64], f64), kkt: &mut Kkt) {
    let (k, m) = (t.b.cols(), t.b.rows());
    let corners = Corners { lambda: k, s: k + m, position: Some(k), velocity: None, eta: None };
    kkt.clear();
    for c in CONTRIBUTIONS {
        let is_there = match c.of {
            Of::S | Of::B | Of::Bt => true,
            Of::G => friction && t.has_friction(),
            _ => false,
        };
        if let (true, Some(row), Some(col)) = (is_there, corners.row(c.rows), corners.column(c.columns)) {
            match c.of {
                Of::Bt => kkt.add_transpose(row, col, 1.0, &t.b),
                _ => kkt.add(row, col, 1.0, t.of_term(c.of)),
            }
        }
    }
    weights.iter().enumerate().for_each(|(i, d)| kkt.add_diagonal(k + i, -eps * d));
}
