//! Plain models side by side, from the physics of all models, and the pattern of their matrix.

use precess_lie::{LANES, Lanes, Number};

use super::{Alike, AlikeBody, AlikeRows, AlikeState, Connection, MatrixWeights};
use crate::mechanics::batch::{inverse_inertias, lanes, nonzero, unknowns};
use crate::mechanics::beside::{Beside, Side};
use crate::mechanics::body::BodyKind;
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::JointRows;
use crate::mechanics::kernels::{Group, Pose, Row};
use crate::mechanics::nonzero::Nonzero;
use crate::mechanics::physics::Physics;
use crate::mechanics::{Multibody, System};
use crate::solve::pattern_lu::{Entries, PatternLu};

impl<T: Number> AlikeRows<T> {
    /// None for rows of a kind that has no place here.
    fn new(rows: JointRows<T>) -> Option<Self> {
        match rows {
            JointRows::Point(x) => Some(AlikeRows::Point(x)),
            JointRows::Directions1(x) => Some(AlikeRows::Directions1(x)),
            JointRows::Directions2(x) => Some(AlikeRows::Directions2(x)),
            JointRows::Offset1(x) => Some(AlikeRows::Offset1(x)),
            JointRows::Offset2(x) => Some(AlikeRows::Offset2(*x)),
            JointRows::Offset3(x) => Some(AlikeRows::Offset3(*x)),
            JointRows::Distance(_)
            | JointRows::Thread(_)
            | JointRows::Touch(_)
            | JointRows::KnifeEdge(_)
            | JointRows::Rolling(_)
            | JointRows::Drive(_) => None,
        }
    }
}

/// Rows of the constraints on a body, and whether it is the second of their joint.
fn touching(model: &Multibody, body: usize) -> Vec<(usize, bool)> {
    let sides =
        |j: &Joint| [(j.link.a, false), (j.link.b, true)].map(|(i, second)| (i, second, j.range.clone()));
    let own = model.joint_list().iter().flat_map(sides).filter(|(i, ..)| *i == Some(body));
    own.flat_map(|(_, second, rows)| rows.map(move |row| (row, second))).collect()
}

/// True if a model has nothing but bodies, gravity and joints that always hold.
fn is_plain(model: &Multibody) -> bool {
    model.kind() == Group::R3xSO3
        && model.physics().modal.is_empty()
        && model.gear_list().is_empty()
        && model.physics().couplings.0.is_empty()
        && model.force_list().is_empty()
        && model.control_list().is_empty()
        && model.events().is_empty()
        && model.row_weights().is_none()
        && !model.joint_list().iter().any(|j| j.is_switched())
}

/// None if a joint has rows without a place here.
fn connection<T: Number>(joint: Joint<T>) -> Option<Connection<T>> {
    let checked = joint.kind.upright();
    let is_checked = |k: &usize| joint.is_curved() && checked[*k];
    let axes = |k: usize| [joint.marker_a.axis(k), joint.marker_b.axis(k)];
    Some(Connection {
        link: joint.link,
        first: joint.range.start,
        end: joint.range.end,
        coupled: joint.parts.coupled,
        upright: (0..3).filter(is_checked).map(axes).collect(),
        rows: joint.rows.into_iter().map(AlikeRows::new).collect::<Option<_>>()?,
    })
}

impl<T: Number> Alike<T> {
    /// Models side by side; none if they are not alike, or one of them has what cannot be evaluated here.
    pub fn new(models: &[&Multibody], side: Side<T>) -> Option<Self> {
        let first = *models.first()?;
        if !models.iter().all(|m| is_plain(m)) {
            return None;
        }
        let physics = Physics::beside(&models.iter().map(|m| m.physics()).collect::<Vec<_>>(), side)?;
        let body = |(body, inverse): (crate::mechanics::Body<T>, _)| AlikeBody {
            mass: body.mass,
            inverse,
            q: body.q,
            v: body.v,
            trans: body.v + body.dim() - 3,
            turned: (0..first.group().dim() + first.n_lambda()).collect(),
            inertia: match body.kind {
                BodyKind::Rigid { inertia } => Some(inertia),
                BodyKind::PointMass => None,
            },
        };
        let inverses = inverse_inertias(models, side)?;
        let n_bodies = inverses.len();
        Some(Alike {
            gravity: physics.gravity,
            poses: vec![Pose::ground(); n_bodies],
            tangents: vec![nalgebra::Matrix3::identity(); n_bodies],
            weighted: vec![nalgebra::Matrix3::zeros(); n_bodies],
            rows: vec![Row::zero(); first.n_lambda()],
            touching: (0..n_bodies).map(|i| touching(first, i)).collect(),
            bodies: physics.bodies.list.into_iter().zip(inverses).map(body).collect(),
            joints: physics.joints.into_iter().map(connection).collect::<Option<_>>()?,
            length: side(&|lane| models[lane].length_scale()),
            n_q: first.group().repr(),
            n_v: first.group().dim(),
            n_lambda: first.n_lambda(),
        })
    }
}

impl Alike<Nonzero> {
    /// The matrix with its entries that can differ from zero, and the rows that change with the rotation of
    /// each body.
    fn pattern(mut self, stabilized: bool) -> (Entries<Nonzero>, Vec<Vec<usize>>) {
        let n = self.n_v + self.n_lambda * if stabilized { 2 } else { 1 };
        let all = vec![Nonzero(true); n.max(self.n_q)];
        let at = AlikeState { q: &all, v: &all, vdot: &all, lambda: &all, theta: &all };
        let (mut psi, mut matrix) = (vec![Nonzero(false); n], Entries::all(n));
        let none = MatrixWeights { mass: 0.0, damping: 0.0, force: 1.0 };
        self.evaluate::<true>(&at, &none, &mut psi, &mut matrix);
        let is_turned = |i: &usize, b: &AlikeBody<Nonzero>| (0..3).any(|j| matrix.get(*i, b.v + j).0);
        let turned = self.bodies.iter().map(|b| (0..n).filter(|i| is_turned(i, b)).collect()).collect();
        let weights = MatrixWeights { mass: 1.0, damping: 1.0, force: 1.0 };
        self.evaluate::<true>(&at, &weights, &mut psi, &mut matrix);
        if stabilized {
            let mut direction = vec![Row::zero(); self.n_lambda];
            self.direction(&all, true, &mut direction);
            self.velocity_matrix(&at, &weights, &direction, &mut matrix);
        }
        (matrix, turned)
    }
}

impl Alike<Lanes> {
    /// One model per lane, with the factors for their matrix.
    pub fn in_lanes(models: [&Multibody; LANES], stabilized: bool) -> Option<(Self, PatternLu<Lanes>)> {
        let sizes = unknowns(models[0], stabilized)?;
        let (pattern, turned) = Alike::new(&models, &nonzero)?.pattern(stabilized);
        let mut alike = Alike::new(&models, &lanes)?;
        for (body, rows) in alike.bodies.iter_mut().zip(turned) {
            body.turned = rows;
        }
        let factors = PatternLu::new(sizes, |i, j| pattern.get(i, j).0);
        Some((alike, factors))
    }
}
