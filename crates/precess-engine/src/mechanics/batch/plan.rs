//! What models in lanes have in common if they have the same structure: the sparsity pattern of J, the order
//! of elimination and the places of all entries. Sweeps make a plan once and use it for many models.

use precess_lie::{Factor, Lanes, Number};

use super::contributions::{Contributions, Resolved};
use super::{Batch, inverses, unknowns};
use crate::mechanics::Multibody;
use crate::mechanics::combine::{Combine, Numbers};
use crate::mechanics::dynamics::Dynamics;
use crate::mechanics::jacobian::Corners;
use crate::mechanics::nonzero::Nonzero;
use crate::mechanics::physics::Physics;
use crate::mechanics::system::{At, System};
use crate::mechanics::tangents::{Tangents, Want};
use crate::solve::Mat;
use crate::solve::pattern_lu::PatternLu;
use crate::solve::structure::Structure;

/// The plan for all models with one structure.
#[derive(Clone, Debug)]
pub struct LanePlan<T = Lanes> {
    key: Key,
    /// A model with this structure.
    physics: Physics,
    /// Which of its numbers can differ from zero.
    marks: Vec<bool>,
    tangents: Tangents<T>,
    /// How they make J.
    pub(crate) contributions: Contributions,
    /// J and its factors.
    pub(crate) factors: PatternLu<T>,
}

/// The blocks and sizes of a model.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    factors: Vec<Factor>,
    structure: Structure,
    n_lambda: usize,
    n_memory: usize,
    stabilized: bool,
}

impl Key {
    #[inline]
    fn of(model: &Multibody, stabilized: bool) -> Option<Self> {
        Some(Key {
            factors: model.group().factors().to_vec(),
            structure: model.structure()?.clone(),
            n_lambda: model.n_lambda(),
            n_memory: model.n_memory(),
            stabilized,
        })
    }
}

/// The marks of all numbers of the models and of their inverse inertias: everything in which models of the
/// same kind differ, as far as structural nonzeros see it. None if the models do not have the same numbers.
#[inline]
fn marks(models: &[&Multibody]) -> Option<Vec<bool>> {
    let mut lists: Vec<Numbers> = Vec::new();
    for model in models {
        let mut numbers = Numbers::default();
        model.physics().list(&mut numbers);
        inverses(model)?.list(&mut numbers);
        lists.push(numbers);
    }
    Numbers::marks(&lists)
}

impl<T: Number> LanePlan<T> {
    /// The plan for these models and others with the same structure. Returns `None` if the models are not
    /// alike or are too large.
    #[inline]
    pub fn new(models: &[&Multibody], stabilized: bool) -> Option<Self> {
        let first = *models.first()?;
        let sizes @ [n_v, n_lambda, _] = unknowns(first, stabilized)?;
        let (group, structure) = (first.group(), first.structure()?);
        // The derivatives that can differ from zero.
        let nonzero =
            |number: &dyn Fn(usize) -> f64| Nonzero((0..models.len()).any(|model| number(model) != 0.0));
        let marked = Batch::new(models, &nonzero)?;
        let all = |n: usize| vec![Nonzero(true); n];
        let (q, v, lambda, memory) = (all(group.repr()), all(n_v), all(n_lambda), all(first.n_memory()));
        let everything = Want { c_m: 1.0, c_d: 1.0, stiffness: true, constraint: true, curvature: true };
        let mut tangents = Tangents::sparse(group, structure);
        tangents.begin(everything);
        let t = Nonzero(true);
        let at = At { t, q: &q, v: &v, vdot: &v, lambda: &lambda, s: &[], memory: &memory };
        marked.tangents(&at, &mut tangents);
        let mut n = Mat::sparse(tangents.b.pattern()?.transposed());
        n.transpose_from(&tangents.b);
        marked.inverse.times(&mut n);
        let mut turn = 0;
        let start = |f: &Factor| {
            turn += f.tangent_len();
            (*f, turn - f.tangent_len())
        };
        let turns: Vec<(Factor, usize)> = group.factors().iter().map(start).collect();
        let (total, eta) = (sizes.iter().sum::<usize>(), stabilized.then_some(n_v + n_lambda));
        let corners = Corners { lambda: n_v, s: n_v + n_lambda, position: Some(n_v), velocity: eta, eta };
        let resolved = Resolved::new(&tangents, &n, &turns, &corners);
        let mut is_entry = vec![false; total * total];
        resolved.each(|i, j| is_entry[i * total + j] = true);
        let factors = PatternLu::new(sizes, |i, j| is_entry[i * total + j]);
        Some(LanePlan {
            key: Key::of(first, stabilized)?,
            physics: first.physics().clone(),
            marks: marks(models)?,
            tangents: Tangents::sparse(group, structure),
            contributions: resolved.at(|i, j| factors.matrix.index_of(i, j)),
            factors,
        })
    }

    /// The plan if it suits the models, otherwise a new one, which is left there for the next models.
    #[inline]
    pub fn of<'a>(models: &[&Multibody], stabilized: bool, plan: &'a mut Option<Self>) -> Option<&'a Self> {
        Some(match plan.take() {
            Some(known) if known.suits(models, stabilized) => plan.insert(known),
            _ => plan.insert(LanePlan::new(models, stabilized)?),
        })
    }

    /// Room for the derivatives of the models.
    pub fn tangents(&self) -> Tangents<T> {
        self.tangents.clone()
    }

    /// True if the models have the structure of this plan: a new plan would be the same.
    #[inline]
    pub fn suits(&self, models: &[&Multibody], stabilized: bool) -> bool {
        let key = models.first().and_then(|first| Key::of(first, stabilized));
        key.is_some_and(|key| key == self.key)
            && models.iter().all(|m| self.physics.is_like(m.physics()))
            && marks(models).is_some_and(|marks| marks == self.marks)
    }
}
