//! Constraints, states and algebraic variables given as expressions, as parts of a system.

use std::sync::Arc;

use super::Multibody;
use crate::mechanics::event::Switch;
use crate::mechanics::expressed::{
    Algebraic, ExpressedConstraint, ExpressedLoad, Expression, FirstOrder, Variable,
};
use crate::mechanics::forces::Force;
use crate::mechanics::mechanism::Reaction;
use crate::mechanics::part::Part;
use crate::mechanics::system::At;
use crate::solve::structure::RowGroup;

/// Constraints, states and variables given as expressions, by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    /// Constraints.
    pub constraints: Vec<Arc<ExpressedConstraint>>,
    /// First-order states.
    pub states: Vec<Arc<FirstOrder>>,
    /// Final number of states.
    pub n_states: usize,
    /// Algebraic variables.
    pub algebraic: Vec<Arc<Algebraic>>,
    /// Initial guesses of their solution.
    pub guesses: Vec<f64>,
}

impl Multibody {
    /// Reserves n first-order states, which come after the bodies; call it before adding forces and controls.
    pub fn with_states(mut self, n: usize) -> Self {
        self.expressed.n_states = n;
        self.arrange();
        self
    }

    /// The factor of the first state: they come after bodies and modes.
    pub(super) fn first_state_factor(&self) -> usize {
        self.physics.bodies.list.len() + self.physics.modal.len()
    }

    /// The index of a first-order state in v.
    pub fn state_place(&self, index: usize) -> usize {
        self.group.v_range(self.first_state_factor() + index).start
    }

    /// The factors of the configuration space in an expression.
    fn factors(&self, expression: &Expression) -> Vec<usize> {
        let first = self.first_state_factor();
        let mut list = self.physics.bodies.factors_of(expression.bodies());
        let places = expression.variables.iter().filter_map(|v| match v {
            Variable::State(place) => Some(*place),
            _ => None,
        });
        for place in places {
            list.extend(
                (0..self.expressed.n_states).filter(|i| self.state_place(*i) == place).map(|i| first + i),
            );
        }
        list
    }

    /// Adds a constraint; its row follows the existing ones.
    pub fn add_constraint(&mut self, mut constraint: ExpressedConstraint) {
        constraint.row = self.n_rows;
        self.n_rows += 1;
        let rows = constraint.row..constraint.row + 1;
        let factors = self.physics.bodies.factors_of(constraint.expression.bodies());
        for (x, &i) in factors.iter().enumerate() {
            self.structure.curved.extend(factors[x + 1..].iter().map(|&j| (i, j)));
        }
        self.structure.constraints.push(RowGroup { rows: rows.clone(), factors });
        self.structure.classes.push(rows);
        let constraint = Arc::new(constraint);
        self.expressed.constraints.push(Arc::clone(&constraint));
        self.join(constraint);
    }

    /// Adds a first-order state, which must be [reserved](Self::with_states).
    pub fn add_state(&mut self, mut state: FirstOrder) {
        let index = self.expressed.states.len();
        state.state = self.state_place(index);
        let mut factors = self.factors(&state.rate);
        factors.push(self.first_state_factor() + index);
        self.couple(factors);
        let state = Arc::new(state);
        self.expressed.states.push(Arc::clone(&state));
        self.join(state);
    }

    /// Adds an algebraic variable with an initial guess.
    pub fn add_algebraic(&mut self, mut algebraic: Algebraic, guess: f64) {
        algebraic.place = self.expressed.algebraic.len();
        let algebraic = Arc::new(algebraic);
        self.expressed.algebraic.push(Arc::clone(&algebraic));
        self.expressed.guesses.push(guess);
        self.join(algebraic);
    }

    fn join(&mut self, part: Arc<dyn Part>) {
        self.physics.shared.0.push(part);
        self.division.take();
    }

    /// Adds a load that may read states.
    pub fn add_load(&mut self, load: ExpressedLoad, switch: Switch) {
        let mut factors = self.factors(&load.expression);
        factors.extend(self.physics.bodies.factors(load.driven.link));
        factors.sort_unstable();
        factors.dedup();
        self.couple(factors);
        self.add_switched_force(Force::Custom(Arc::new(load)), switch);
    }

    /// The constraints that are given as expressions.
    pub fn constraint_list(&self) -> &[Arc<ExpressedConstraint>] {
        &self.expressed.constraints
    }

    /// Force and torque of each constraint on the body that it names first, about its centre of mass.
    pub(super) fn constraint_reactions(&self, at: &At) -> impl Iterator<Item = Reaction> {
        self.expressed.constraints.iter().map(|c| {
            let lambda = at.lambda[c.row];
            let body = c.expression.first_body();
            let [force, torque] =
                body.map(|body| c.force_on(body, &self.physics.bodies, at, lambda)).unwrap_or_default();
            Reaction {
                name: c.name.clone(),
                force,
                torque,
                multipliers: vec![lambda * c.scale],
                unique: self.are_unique(c.row..c.row + 1),
            }
        })
    }
}
