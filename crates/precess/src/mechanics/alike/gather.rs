//! The numbers of several models side by side, and the pattern of their matrix.

use nalgebra::{Matrix3, SMatrix, Vector3};
use precess_lie::{LANES, Lanes, Number};

use super::{Alike, Body, Connection, Constraint, Place, Weights};
use crate::mechanics::body::BodyKind;
use crate::mechanics::joint::Joint;
use crate::mechanics::joints::Rows;
use crate::mechanics::kernels::{Directions, Group, Offset, Point, Pose, Row};
use crate::mechanics::nonzero::Nonzero;
use crate::mechanics::{Multibody, System};
use crate::solve::pattern_lu::{Entries, PatternLu};

/// Most unknowns of a model that is simulated beside others: the pattern is looked at with all of its zeros.
const MOST_UNKNOWNS: usize = 96;

/// Puts numbers side by side: the argument has the number of each model.
type Beside<'a, T> = &'a dyn Fn(&dyn Fn(usize) -> f64) -> T;

/// The same matrix of each model.
fn gather<'a, X, T: Number, const R: usize, const C: usize>(
    beside: Beside<T>,
    list: &[&'a X],
    f: impl Fn(&'a X) -> &'a SMatrix<f64, R, C>,
) -> SMatrix<T, R, C> {
    SMatrix::from_fn(|i, j| beside(&|lane| f(list[lane])[(i, j)]))
}

impl<T: Number> Constraint<T> {
    /// The same rows of each model; none if they are of different kinds or of one that has no place here.
    fn new(beside: Beside<T>, rows: &[&Rows]) -> Option<Self> {
        macro_rules! all {
            ($kind:ident, $x:ident => $of:expr) => {{
                let $x: Option<Vec<_>> = rows
                    .iter()
                    .map(|r| match r {
                        Rows::$kind(x) => Some(&*x),
                        _ => None,
                    })
                    .collect();
                let $x = $x?;
                Some(Constraint::$kind($of))
            }};
        }
        match rows.first()? {
            Rows::Point(_) => all!(Point, x => Point {
                p_a: gather(beside, &x, |x| &x.p_a),
                p_b: gather(beside, &x, |x| &x.p_b),
                scale: beside(&|lane| x[lane].scale),
            }),
            Rows::Directions1(_) => all!(Directions1, x => directions(beside, &x)),
            Rows::Directions2(_) => all!(Directions2, x => directions(beside, &x)),
            Rows::Offset1(_) => all!(Offset1, x => offset(beside, &x)),
            Rows::Offset2(_) => {
                all!(Offset2, x => offset(beside, &x.iter().map(|x| &***x).collect::<Vec<_>>()))
            }
            Rows::Offset3(_) => {
                all!(Offset3, x => offset(beside, &x.iter().map(|x| &***x).collect::<Vec<_>>()))
            }
            Rows::Distance(_) | Rows::Thread(_) | Rows::Drive(_) => None,
        }
    }
}

fn directions<T: Number, const N: usize>(beside: Beside<T>, x: &[&Directions<N>]) -> Directions<N, T> {
    Directions {
        e: gather(beside, x, |x| &x.e),
        h: gather(beside, x, |x| &x.h),
        c: gather(beside, x, |x| &x.c),
    }
}

fn offset<T: Number, const N: usize>(beside: Beside<T>, x: &[&Offset<N>]) -> Offset<N, T> {
    Offset {
        e: gather(beside, x, |x| &x.e),
        p_a: gather(beside, x, |x| &x.p_a),
        p_b: gather(beside, x, |x| &x.p_b),
        c: gather(beside, x, |x| &x.c),
        scale: beside(&|lane| x[lane].scale),
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
        && model.gear_list().is_empty()
        && model.force_list().is_empty()
        && model.control_list().is_empty()
        && model.events().is_empty()
        && model.row_weights().is_none()
        && !model.joint_list().iter().any(|j| j.is_switched())
}

/// Body number i of each model; none if they have different freedoms.
fn body<T: Number>(models: &[&Multibody], beside: Beside<T>, i: usize) -> Option<Body<T>> {
    let first = *models.first()?;
    let body = &first.body_list()[i];
    if models.iter().any(|m| m.body_list()[i].dim() != body.dim()) {
        return None;
    }
    let inertia = |lane: usize| match &models[lane].body_list()[i].kind {
        BodyKind::Rigid { inertia } => *inertia,
        BodyKind::PointMass => Matrix3::zeros(),
    };
    let rigid = body.dim() == 6;
    let inverses: Option<Vec<Matrix3<f64>>> = (0..models.len())
        .map(|lane| if rigid { inertia(lane).try_inverse() } else { Some(inertia(lane)) })
        .collect();
    let inverses = inverses?;
    Some(Body {
        mass: beside(&|lane| models[lane].body_list()[i].mass),
        inertia: rigid.then(|| Matrix3::from_fn(|r, c| beside(&|lane| inertia(lane)[(r, c)]))),
        inverse: Matrix3::from_fn(|r, c| beside(&|lane| inverses[lane][(r, c)])),
        q: body.q,
        v: body.v,
        trans: body.v + body.dim() - 3,
        turned: (0..first.group().dim() + first.n_lambda()).collect(),
    })
}

/// Joint number i of each model; none if they are of different kinds or between different bodies.
fn connection<T: Number>(models: &[&Multibody], beside: Beside<T>, i: usize) -> Option<Connection<T>> {
    let joint = &models.first()?.joint_list()[i];
    let list: Vec<_> = models.iter().map(|m| &m.joint_list()[i]).collect();
    let alike = |j: &&Joint| {
        j.link == joint.link && j.rows.len() == joint.rows.len() && j.kind.upright() == joint.kind.upright()
    };
    if !list.iter().all(alike) {
        return None;
    }
    let of = |r: usize| {
        let rows: Vec<&Rows> = list.iter().map(|j| &j.rows[r]).collect();
        Constraint::new(beside, &rows)
    };
    let axis =
        |markers: &[&Matrix3<f64>], k: usize| Vector3::from_fn(|r, _| beside(&|lane| markers[lane][(r, k)]));
    let (a, b): (Vec<_>, Vec<_>) = list.iter().map(|j| (&j.marker_a.c, &j.marker_b.c)).unzip();
    let checked = joint.kind.upright();
    Some(Connection {
        link: joint.link,
        first: joint.range.start,
        end: joint.range.end,
        rows: (0..joint.rows.len()).map(of).collect::<Option<_>>()?,
        coupled: joint.parts.coupled,
        upright: (0..3)
            .filter(|&k| joint.is_curved() && checked[k])
            .map(|k| [axis(&a, k), axis(&b, k)])
            .collect(),
    })
}

impl<T: Number> Alike<T> {
    /// Models side by side; none if they are not alike, or one of them has what cannot be evaluated here.
    pub fn new(models: &[&Multibody], beside: Beside<T>) -> Option<Self> {
        let first = *models.first()?;
        if !models.iter().all(|m| is_plain(m)) {
            return None;
        }
        let same = |f: &dyn Fn(&Multibody) -> usize| models.iter().all(|m| f(m) == f(first));
        let (n_bodies, n_joints) = (first.body_list().len(), first.joint_list().len());
        if !same(&|m| m.body_list().len()) || !same(&|m| m.joint_list().len()) {
            return None;
        }
        let bodies = (0..n_bodies).map(|i| body(models, beside, i)).collect::<Option<Vec<_>>>()?;
        let joints = (0..n_joints).map(|i| connection(models, beside, i)).collect::<Option<Vec<_>>>()?;
        let gravities: Vec<Vector3<f64>> = models.iter().map(|m| m.gravity()).collect();
        Some(Alike {
            gravity: Vector3::from_fn(|i, _| beside(&|lane| gravities[lane][i])),
            poses: vec![Pose::ground(); n_bodies],
            tangents: vec![Matrix3::identity(); n_bodies],
            weighted: vec![Matrix3::zeros(); n_bodies],
            rows: vec![Row::zero(); first.n_lambda()],
            touching: (0..n_bodies).map(|i| touching(first, i)).collect(),
            bodies,
            joints,
            length: beside(&|lane| models[lane].length_scale()),
            n_q: first.group().repr(),
            n_v: first.group().dim(),
            n_lambda: first.n_lambda(),
        })
    }
}

impl Alike<Nonzero> {
    /// The matrix with its entries that can differ from zero, and the rows that change with the rotation of each body.
    fn pattern(mut self, stabilized: bool) -> (Entries<Nonzero>, Vec<Vec<usize>>) {
        let n = self.n_v + self.n_lambda * if stabilized { 2 } else { 1 };
        let all = vec![Nonzero(true); n.max(self.n_q)];
        let at = Place { q: &all, v: &all, vdot: &all, lambda: &all, theta: &all };
        let (mut psi, mut matrix) = (vec![Nonzero(false); n], Entries::all(n));
        let none = Weights { mass: 0.0, damping: 0.0, force: 1.0 };
        self.evaluate::<true>(&at, &none, &mut psi, &mut matrix);
        let is_turned = |i: &usize, b: &Body<Nonzero>| (0..3).any(|j| matrix.get(*i, b.v + j).0);
        let turned = self.bodies.iter().map(|b| (0..n).filter(|i| is_turned(i, b)).collect()).collect();
        let weights = Weights { mass: 1.0, damping: 1.0, force: 1.0 };
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
        let [n_v, n_lambda] = [models[0].group().dim(), models[0].n_lambda()];
        let sizes = [n_v, n_lambda, if stabilized { n_lambda } else { 0 }];
        if sizes.iter().sum::<usize>() > MOST_UNKNOWNS {
            return None;
        }
        let any = |number: &dyn Fn(usize) -> f64| Nonzero((0..LANES).any(|lane| number(lane) != 0.0));
        let (pattern, turned) = Alike::new(&models, &any)?.pattern(stabilized);
        let mut alike = Alike::new(&models, &|number| Lanes::new(std::array::from_fn(number)))?;
        for (body, rows) in alike.bodies.iter_mut().zip(turned) {
            body.turned = rows;
        }
        let factors = PatternLu::new(sizes, |i, j| pattern.get(i, j).0);
        Some((alike, factors))
    }
}
