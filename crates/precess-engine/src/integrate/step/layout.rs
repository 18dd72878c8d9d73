//! The unknowns and equations of a step, as a list of parts.
//!
//! ```text
//! unknowns     equations          scale of the equations
//! theta        motion             h^2
//! h^2 lambda   Phi = 0            1          (index-2, index-1: B v = 0 or its derivative)
//! s            h_s = 0            1
//! h eta        B v = 0            1 / dv     (stabilized index-2)
//! ```

use std::ops::Range;

use crate::integrate::form::Form;
use crate::mechanics::jacobian::{Columns, Corners, Rows};

/// Unknowns of one kind and as many equations of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayoutPart {
    /// The unknowns.
    pub unknowns: Columns,
    /// The equations.
    pub equations: Rows,
    /// The first of them.
    pub first: usize,
    /// Their number.
    pub len: usize,
}

/// All parts in their order.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// The list.
    pub parts: Vec<LayoutPart>,
    /// First rows and columns, for the list of contributions to J.
    pub corners: Corners,
}

impl Layout {
    /// The parts of a form, for k velocities, m constraints and n_s algebraic variables.
    pub fn new(form: Form, [k, m, n_s]: [usize; 3]) -> Self {
        let of_lambda = match form {
            Form::Index3 | Form::StabilizedIndex2 => Rows::Position,
            Form::Index2 | Form::Index1 => Rows::Velocity,
        };
        let mut layout = Layout::default();
        layout.push(Columns::Theta, Rows::Motion, k);
        layout.push(Columns::Lambda, of_lambda, m);
        layout.push(Columns::S, Rows::Algebraic, n_s);
        if form == Form::StabilizedIndex2 {
            layout.push(Columns::Eta, Rows::Velocity, m);
        }
        layout.corners = layout.find_corners();
        layout
    }

    fn push(&mut self, unknowns: Columns, equations: Rows, len: usize) {
        if len > 0 {
            self.parts.push(LayoutPart { unknowns, equations, first: self.len(), len });
        }
    }

    /// The number of unknowns.
    pub fn len(&self) -> usize {
        self.parts.last().map_or(0, |part| part.first + part.len)
    }

    /// True without unknowns.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The places of unknowns; an empty range at their place if there are none.
    #[inline(always)]
    pub fn of(&self, unknowns: Columns) -> Range<usize> {
        let part = self.parts.iter().find(|part| part.unknowns == unknowns);
        part.map_or(0..0, |part| part.first..part.first + part.len)
    }

    /// True if there are such unknowns.
    #[inline(always)]
    pub fn has(&self, unknowns: Columns) -> bool {
        self.parts.iter().any(|part| part.unknowns == unknowns)
    }

    fn find_corners(&self) -> Corners {
        let row = |rows| self.parts.iter().find(|part| part.equations == rows).map(|part| part.first);
        let column = |of| self.parts.iter().find(|part| part.unknowns == of).map(|part| part.first);
        let lambda = column(Columns::Lambda).unwrap_or(self.of(Columns::Theta).end);
        let s = column(Columns::S).unwrap_or(lambda + self.of(Columns::Lambda).len());
        Corners {
            lambda,
            s,
            position: row(Rows::Position),
            velocity: row(Rows::Velocity),
            eta: column(Columns::Eta),
        }
    }
}
