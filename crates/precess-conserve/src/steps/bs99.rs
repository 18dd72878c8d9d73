//! BS99: the integrable discretisation of the Lagrange top by Bobenko and Suris (1999), scheme (166) of the
//! paper.
//!
//! ```text
//! m_1 = m_0 + h mgl e_3 x d_3                      angular momentum about the fixed point
//! d_3' - d_3 = h/J_1 m_1 x (d_3 + d_3')/2           a Cayley rotation, solved in closed form
//! ```
//!
//! Explicit, order 1, keeps J_3 = m.e_3 and the spin m.d_3 at round-off. The scheme does not need the
//! other two directors. They are turned by the same rotation and by the spin h (1/J_3 - 1/J_1) m.d_3 about
//! d_3, the director of the axis of symmetry (d_1 or d_2 in models whose axis is x or y of the body). The
//! momentum of the centre of mass is m l/J_1 m x d_3; the mass is missing in (168).

use crate::conservative::Conservative;
use nalgebra::{Matrix3, Rotation3, Unit, Vector3};
use precess_lie::rotation::skew;

use super::node::{NodeEquations, NodeState};
use crate::conservative::system::LagrangeTop;
use precess_engine::Error;
use precess_engine::integrate::check_step;
use precess_engine::integrate::{Integrator, StepReport};
use precess_engine::mechanics::{State, System};
use precess_engine::persist::{Archive, Damage, Persist};

/// The scheme with its angular momentum.
#[derive(Clone, Debug, Default)]
pub struct Bs99 {
    m: Vector3<f64>,
    node: NodeEquations,
}

impl Bs99 {
    /// A scheme that is ready to start.
    pub fn new() -> Self {
        Self::default()
    }

    fn top(&self, system: &dyn System) -> Result<LagrangeTop, Error> {
        Conservative::of(system).and_then(|s| s.top).ok_or_else(|| Error::Unsupported {
            method: self.name().to_string(),
            reason: "it integrates one symmetric top only: one body in the formulation directors, with \
                     equal moments of inertia about two of its principal axes, a spherical joint to the \
                     ground at the origin on the third axis, gravity along -z, and no force; use em"
                .to_string(),
        })
    }
}

fn vector(x: &[f64], i: usize) -> Vector3<f64> {
    Vector3::new(x[3 * i], x[3 * i + 1], x[3 * i + 2])
}

impl Integrator for Bs99 {
    fn name(&self) -> &'static str {
        "bs99"
    }

    fn order(&self) -> usize {
        1
    }

    fn copied(&self) -> Option<Box<dyn Integrator>> {
        Some(Box::new(self.clone()))
    }

    fn start(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<(), Error> {
        check_step(h)?;
        let top = self.top(system)?;
        let d: [Vector3<f64>; 3] = std::array::from_fn(|i| vector(&state.q, i + 1));
        let omega = (0..3).fold(Vector3::zeros(), |w, i| w + 0.5 * d[i].cross(&vector(&state.v, i + 1)));
        let spin = omega.dot(&d[top.axis]);
        self.m = top.j_1 * omega + (top.j_3 - top.j_1) * spin * d[top.axis];
        if let Some(system) = Conservative::of(system) {
            self.node = NodeEquations::new(system, &state.q);
        }
        Ok(())
    }

    fn step(&mut self, system: &dyn System, state: &mut State, h: f64) -> Result<StepReport, Error> {
        check_step(h)?;
        let top = self.top(system)?;
        let d: [Vector3<f64>; 3] = std::array::from_fn(|i| vector(&state.q, i + 1));
        self.m += h * top.m * top.g * top.l * Vector3::z().cross(&d[top.axis]);
        let half = skew(&(self.m * (0.5 * h / top.j_1)));
        let Some(inverse) = (Matrix3::identity() - half).try_inverse() else {
            return Err(Error::NotFinite {
                what: "the angular momentum".to_string(),
                value: f64::NAN,
                t: state.t,
                step: 0,
            });
        };
        let turn = inverse * (Matrix3::identity() + half);
        let d_3 = turn * d[top.axis];
        let spin = self.m.dot(&d_3) * (1.0 / top.j_3 - 1.0 / top.j_1);
        let about = Rotation3::from_axis_angle(&Unit::new_normalize(d_3), h * spin);
        let mut moved = d.map(|d| about * (turn * d));
        moved[top.axis] = d_3;
        let omega = self.m / top.j_1 + spin * d_3;
        for (i, x) in [top.l * d_3, moved[0], moved[1], moved[2]].iter().enumerate() {
            let v = omega.cross(x);
            for k in 0..3 {
                state.vdot[3 * i + k] = (v[k] - state.v[3 * i + k]) / h;
                state.q[3 * i + k] = x[k];
                state.v[3 * i + k] = v[k];
            }
        }
        state.t += h;
        let place = NodeState { t: state.t, q: &state.q, v: &state.v };
        if let Some(Ok((vdot, lambda))) = Conservative::of(system).map(|s| self.node.solve(s, place)) {
            state.vdot.copy_from_slice(vdot);
            state.lambda.copy_from_slice(lambda);
        }
        state.remember(system);
        Ok(StepReport::default())
    }

    fn persist(&mut self, archive: &mut Archive) -> Result<(), Damage> {
        let Bs99 { m, node } = self;
        m.persist(archive)?;
        node.persist(archive)
    }
}
