//! A constraint f(t, x) = 0 given as an expression. It is one row, scaled so that it changes by about one
//! when a body moves by the length of the model. The multiplier is its generalised force.

use nalgebra::Vector3;

use super::{Expression, MAX_VARIABLES, Variable};
use crate::mechanics::kernels::Row;
use crate::mechanics::links::{Bodies, Link};
use crate::mechanics::part::Part;
use crate::mechanics::system::At;
use crate::mechanics::tangents::Tangents;

/// A constraint given as an expression of positions and time.
#[derive(Clone, Debug, PartialEq)]
pub struct ExpressedConstraint {
    /// Name, unique in its model.
    pub name: String,
    /// f, which depends only on values and time.
    pub expression: Expression,
    /// Factor of f.
    pub scale: f64,
    /// Its row in Phi.
    pub row: usize,
}

impl ExpressedConstraint {
    /// Sets the scale from the derivatives at this state; L is the length of the model.
    pub fn scaled(mut self, bodies: &Bodies, at: &At, length: f64) -> Self {
        let e = self.expression.evaluate(bodies, at, false);
        let mut size: f64 = 0.0;
        for (k, m) in self.expression.measured() {
            let Row { a, b } = m.row(bodies, at);
            let parts = [a.rot, b.rot, a.trans * length, b.trans * length];
            size = parts.iter().fold(size, |s, x| s.max((x * e.gradient[k]).amax()));
        }
        self.scale = if size > 0.0 && size.is_finite() { 1.0 / size } else { 1.0 / length };
        self
    }

    /// True if f depends on time: the constraint is a drive.
    pub fn is_driven(&self) -> bool {
        self.expression.variables.contains(&Variable::Time)
    }

    /// The generalised force along f.
    pub fn effort(&self, lambda: f64) -> f64 {
        -self.scale * lambda
    }

    /// Force and torque about its centre of mass on a body, inertial frame, by the multiplier lambda of the
    /// row.
    pub fn force_on(&self, body: usize, bodies: &Bodies, at: &At, lambda: f64) -> [Vector3<f64>; 2] {
        let e = self.expression.evaluate(bodies, at, false);
        let (mut force, mut torque) = (Vector3::zeros(), Vector3::zeros());
        for (k, m) in self.expression.measured() {
            let Row { a, b } = m.force(bodies, at, -lambda * self.scale * e.gradient[k]);
            let Link { a: first, b: second } = m.link;
            for (side, wrench) in [(first, a), (second, b)] {
                if side == Some(body) {
                    let (f, t) = wrench.inertial(bodies.group, &bodies.pose(side, at.q));
                    force += f;
                    torque += t;
                }
            }
        }
        [force, torque]
    }
}

impl Part for ExpressedConstraint {
    fn trouble(&self, bodies: &Bodies, at: &At) -> Option<String> {
        self.expression.trouble(bodies, at, 2, &format!("constraint '{}'", self.name))
    }

    /// A drive does the work lambda . Phi_t.
    fn power(&self, bodies: &Bodies, at: &At) -> Option<f64> {
        let time = self.expression.variables.iter().position(|v| *v == Variable::Time)?;
        let e = self.expression.evaluate(bodies, at, false);
        Some(self.scale * at.lambda[self.row] * e.gradient[time])
    }

    fn value(&self, bodies: &Bodies, at: &At, phi: &mut [f64]) {
        phi[self.row] = self.scale * self.expression.value(bodies, at);
    }

    fn velocity(&self, bodies: &Bodies, at: &At, out: &mut [f64]) {
        let e = self.expression.evaluate(bodies, at, false);
        let rates = self.expression.rates(bodies, at);
        out[self.row] = self.scale * e.gradient.iter().zip(&rates).map(|(f, x)| f * x).sum::<f64>();
    }

    fn acceleration(&self, bodies: &Bodies, at: &At, out: &mut [f64]) {
        let e = self.expression.evaluate(bodies, at, true);
        let rates = self.expression.rates(bodies, at);
        let n = self.expression.variables.len();
        let mut sum = 0.0;
        for (k, m) in self.expression.measured() {
            sum += e.gradient[k] * m.acceleration(bodies, at);
        }
        for k in 0..n {
            for l in 0..n {
                sum += e.bend(k, l) * rates[k] * rates[l];
            }
        }
        out[self.row] = self.scale * sum;
    }

    fn residual(&self, bodies: &Bodies, at: &At, r: &mut [f64]) {
        let e = self.expression.evaluate(bodies, at, false);
        self.expression.add_force(bodies, at, &e, self.scale * at.lambda[self.row], r);
    }

    fn tangents(&self, bodies: &Bodies, at: &At, out: &mut Tangents) {
        let want = out.want();
        if want.constraint || want.curvature {
            let e = self.expression.evaluate(bodies, at, want.curvature);
            let rates = if want.curvature { self.expression.rates(bodies, at) } else { [0.0; MAX_VARIABLES] };
            let n = self.expression.variables.len();
            for (k, m) in self.expression.measured() {
                let (link, row) = (m.link, m.row(bodies, at) * self.scale);
                if want.constraint {
                    let put = |j, x: &[f64]| out.constraint_rows(self.row, j, 1, x);
                    bodies.put_entries(link, &(row * e.gradient[k]), at, put);
                }
                if want.curvature {
                    let bent: f64 = (0..n).map(|l| e.bend(k, l) * rates[l]).sum();
                    let turned = m.turned_row(bodies, at) * (self.scale * e.gradient[k]) + row * bent;
                    let mut put = |j, x: &[f64]| out.curvature_rows(self.row, j, 1, x);
                    bodies.put_entries(link, &turned, at, &mut put);
                    bodies.put_turned_entries(link, &(row * e.gradient[k]), at, put);
                }
            }
        }
        if want.stiffness {
            let weight = self.scale * at.lambda[self.row];
            self.expression.add_stiffness(bodies, at, weight, out);
        }
    }
}
