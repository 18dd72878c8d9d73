//! Methods that treat every coordinate in the same way: their [`Formulas`] are all there is to write.

use precess_lie::Number;

use super::form::{Eta, Form};
use super::implicit::Scheme;
use super::start::Accelerations;
use super::step::{Formulas, Linear, Method, Step};
use crate::Error;
use crate::mechanics::{Dynamics, State, System};
use crate::persist::{Archive, Damage};

/// A method made of formulas for one coordinate, with H vectors of history.
#[derive(Clone, Copy, Debug)]
pub struct OneByOne<F, const H: usize> {
    /// Name as typed by users.
    pub name: &'static str,
    /// Order of convergence.
    pub order: usize,
    /// The formulas.
    pub formulas: F,
    /// Constraints enforced.
    pub form: Form,
    /// Direction of the stabilisation.
    pub eta: Eta,
}

impl<F: Formulas<H>, const H: usize> OneByOne<F, H> {
    /// A method with its name and order, in this form.
    pub fn new(name: &'static str, order: usize, formulas: F, form: Form) -> Self {
        OneByOne { name, order, formulas, form, eta: Eta::default() }
    }
}

impl<T: Number, F: Formulas<H>, const H: usize> Method<T> for OneByOne<F, H> {
    fn begin(&mut self, step: &mut Step<T>, h: f64) {
        for i in 0..step.trial.v.len() {
            let history = self.formulas.start(h, step.trial.v[i], step.trial.vdot[i]);
            step.past.iter_mut().zip(history).for_each(|(list, x)| list[i] = x);
        }
    }

    #[inline(always)]
    fn predict(
        &mut self,
        step: &mut Step<T>,
        dynamics: &(impl Dynamics<T> + ?Sized),
        linear: &mut impl Linear<T>,
    ) {
        if self.form == Form::StabilizedIndex2 {
            linear.direction(self.eta, step, dynamics);
        }
        step.predict(&self.formulas);
        step.follow(dynamics.group());
    }

    #[inline(always)]
    fn accept(&mut self, step: &mut Step<T>) {
        step.accept(&self.formulas);
    }
}

impl<F: Formulas<H> + Send + 'static, const H: usize> Scheme for OneByOne<F, H> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn order(&self) -> usize {
        self.order
    }

    fn form(&self) -> Form {
        self.form
    }

    fn histories(&self) -> usize {
        H
    }

    fn start(
        &mut self,
        system: &dyn System,
        step: &mut Step,
        state: &mut State,
        h: f64,
    ) -> Result<(), Error> {
        Accelerations::new(system).solve(system, state)?;
        step.trial.copy_from(state);
        self.begin(step, h);
        Ok(())
    }

    /// The history is in the step.
    fn persist(&mut self, _: &mut Archive) -> Result<(), Damage> {
        Ok(())
    }
}
