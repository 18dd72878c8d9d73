//! One step of a Runge-Kutta method in the algebra.

use super::acceleration::Acceleration;
use super::tableau::Tableau;
use crate::Error;
use crate::mechanics::{State, System};

/// The stages of a step, and the new point.
#[derive(Clone, Debug)]
pub struct Stages {
    tableau: &'static Tableau,
    /// theta' and v' of every stage, and those of the new point.
    d_theta: Vec<Vec<f64>>,
    d_v: Vec<Vec<f64>>,
    theta: Vec<f64>,
    v: Vec<f64>,
    q: Vec<f64>,
    /// Estimates of the error in theta and v.
    error: [Vec<f64>; 2],
}

impl Stages {
    /// Space for a system.
    pub fn new(tableau: &'static Tableau, system: &dyn System) -> Self {
        let zeros = || vec![0.0; system.group().dim()];
        let stages = || (0..=tableau.b.len()).map(|_| zeros()).collect();
        Stages {
            tableau,
            d_theta: stages(),
            d_v: stages(),
            theta: zeros(),
            v: zeros(),
            q: vec![0.0; system.group().repr()],
            error: [zeros(), zeros()],
        }
    }

    /// The method.
    pub fn tableau(&self) -> &'static Tableau {
        self.tableau
    }

    /// A step from a state whose v' is known. The state stays as it is.
    pub fn step(
        &mut self,
        system: &dyn System,
        acceleration: &mut Acceleration,
        state: &State,
        h: f64,
    ) -> Result<(), Error> {
        let (table, last) = (self.tableau, self.tableau.b.len());
        self.d_theta[0].copy_from_slice(&state.v);
        self.d_v[0].copy_from_slice(&state.vdot);
        for i in 1..=last {
            let (row, c) = if i < last { (table.a[i], table.c[i]) } else { (table.b, 1.0) };
            self.theta.fill(0.0);
            self.v.copy_from_slice(&state.v);
            for (j, a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                for (((theta, v), d_theta), d_v) in
                    self.theta.iter_mut().zip(&mut self.v).zip(&self.d_theta[j]).zip(&self.d_v[j])
                {
                    *theta += h * a * d_theta;
                    *v += h * a * d_v;
                }
            }
            system.group().retract(&state.q, &self.theta, &mut self.q);
            system.group().tangent_inverse_times(&self.theta, &self.v, &mut self.d_theta[i]);
            let at = (state.t + c * h, &self.q[..], &self.v[..], &state.memory[..]);
            acceleration.evaluate(system, at, &mut self.d_v[i])?;
        }
        Ok(())
    }

    /// The estimated errors of theta and v, by weights of the method.
    pub fn error(&mut self, weights: &[f64], h: f64) -> (&[f64], &[f64]) {
        let [theta, v] = &mut self.error;
        theta.fill(0.0);
        v.fill(0.0);
        for (j, w) in weights.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            for (((theta, v), d_theta), d_v) in
                theta.iter_mut().zip(&mut *v).zip(&self.d_theta[j]).zip(&self.d_v[j])
            {
                *theta += h * w * d_theta;
                *v += h * w * d_v;
            }
        }
        (theta, v)
    }

    /// The new point becomes the state; its v' is that of the last stage.
    pub fn accept(&self, state: &mut State, h: f64) {
        state.t += h;
        state.q.copy_from_slice(&self.q);
        state.v.copy_from_slice(&self.v);
        state.vdot.copy_from_slice(&self.d_v[self.tableau.b.len()]);
    }

    /// Stiffness: h times the largest rate at which the last two evaluations differ; the boundary of stability is about
    /// 3.25 for dopri5 and 6.1 for dop853.
    pub fn stiffness(&self, h: f64) -> f64 {
        let last = self.tableau.b.len();
        let (mut above, mut below) = (0.0, 0.0);
        for i in 0..self.v.len() {
            above += (self.d_v[last][i] - self.d_v[last - 1][i]).powi(2);
            below += self.last_difference(i, h).powi(2);
        }
        if below > 0.0 { h * (above / below).sqrt() } else { 0.0 }
    }

    /// v of the new point less v of the last stage.
    fn last_difference(&self, i: usize, h: f64) -> f64 {
        let (table, last) = (self.tableau, self.tableau.b.len());
        let weight = |j: usize| table.b[j] - table.a[last - 1].get(j).copied().unwrap_or(0.0);
        (0..last).map(|j| h * weight(j) * self.d_v[j][i]).sum()
    }
}
