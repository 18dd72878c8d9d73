//! Joint coordinates as the states of linear equations.
//!
//! The small motions of [`StateSpace::new`] are p, with z = N p, and N is some basis. If there are joint
//! coordinates y = C z with an invertible matrix Y = C N, these are used instead, because programs can
//! measure them and know their names:
//!
//! ```text
//! x = (y, y', c),   A <- S A S^-1,   B <- S B,   C <- C S^-1,   S = diag(Y, Y, 1)
//! ```
//!
//! c are the states of controls. Coordinates are taken in the order of the model, so a mechanism with loops
//! gets the first ones that describe all its motions. This holds about rest. In a rotation the rates of small
//! motions are not those of the coordinates, so the states stay as they are.

use nalgebra::{DMatrix, DVector};

use crate::analysis::frame::Linear;
use crate::analysis::local::Layout;
use crate::analysis::state_space::StateSpace;
use crate::analysis::steady::{Found, is_at_rest};
use crate::mechanics::coordinate::Coordinate;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{At, Multibody};
use crate::solve::decompositions::solve;
use crate::solve::products::product;

/// A coordinate is independent of others if at least this part of its motion is.
const INDEPENDENT: f64 = 1e-3;

/// The rates of a coordinate in the motions N.
fn rates(multibody: &Multibody, found: &Found, linear: &Linear, c: &Coordinate, n: usize) -> DVector<f64> {
    let rate = |j: usize| {
        let column: Vec<f64> = linear.n.column(j).iter().copied().collect();
        let at = At { v: &column, ..found.state.at() };
        c.read(multibody.bodies_in_pairs(), &at).rate
    };
    DVector::from_fn(n, |j, _| rate(j))
}

/// The same equations with joint coordinates as states, if joints describe all motions about rest.
pub fn with_joint_states(
    space: StateSpace,
    system: &dyn Mechanism,
    (found, linear): (&Found, &Linear),
) -> StateSpace {
    joint_states(&space, system, (found, linear)).unwrap_or(space)
}

fn joint_states(
    space: &StateSpace,
    system: &dyn Mechanism,
    (found, linear): (&Found, &Linear),
) -> Option<StateSpace> {
    let multibody = Multibody::of(system)?;
    let all = linear.n.ncols();
    let n = all - linear.first_order;
    let size = n + all;
    let layout = Layout::new(system).ok()?;
    if space.a.nrows() != size || !is_at_rest(&layout, &found.state) {
        return None;
    }
    let (mut names, mut rows) = (Vec::new(), Vec::<DVector<f64>>::new());
    let mut basis = Vec::<DVector<f64>>::new();
    for joint in multibody.joint_list() {
        let both = joint.angle().is_some() && joint.displacement().is_some();
        for c in joint.angle().into_iter().chain(joint.displacement()) {
            let row = rates(multibody, found, linear, &c, n);
            let mut rest = row.clone();
            basis.iter().for_each(|b| rest -= b * b.dot(&row));
            if rest.norm() > INDEPENDENT * row.norm() {
                basis.push(rest.normalize());
                rows.push(row);
                let shift = if both && !c.is_angle() { " displacement" } else { "" };
                names.push(format!("{}{shift}", joint.name));
            }
        }
    }
    if rows.len() != n {
        return None;
    }
    let y = DMatrix::from_fn(n, n, |i, j| rows[i][j]);
    let back = solve(y.clone(), &DMatrix::identity(n, n))?;
    let [mut s, mut s_back] = [DMatrix::identity(size, size), DMatrix::identity(size, size)];
    for at in [0, n] {
        s.view_mut((at, at), (n, n)).copy_from(&y);
        s_back.view_mut((at, at), (n, n)).copy_from(&back);
    }
    let rates = names.iter().map(|name| format!("rate of {name}"));
    let states = names.iter().cloned().chain(rates).chain(space.states[2 * n..].iter().cloned()).collect();
    Some(StateSpace {
        a: product(&product(&s, &space.a), &s_back),
        b: product(&s, &space.b),
        c: product(&space.c, &s_back),
        states,
        ..space.clone()
    })
}
