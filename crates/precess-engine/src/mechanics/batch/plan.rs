//! What models in lanes have in common if they have the same structure: the sparsity pattern of J, the order
//! of elimination and the places of all entries. Sweeps make a plan once and use it for many models.

use precess_lie::{Factor, LANES, Lanes};

use super::contributions::{Contributions, Resolved};
use super::{Batch, inverses, nonzero, unknowns};
use crate::mechanics::Multibody;
use crate::mechanics::combine::{Combine, Numbers};
use crate::mechanics::jacobian::Corners;
use crate::mechanics::physics::Physics;
use crate::mechanics::system::System;
use crate::mechanics::tangents::Tangents;
use crate::solve::pattern_lu::PatternLu;
use crate::solve::structure::Structure;

/// The plan for all models with one structure.
#[derive(Clone, Debug)]
pub struct LanePlan {
    key: Key,
    /// A model with this structure.
    physics: Physics,
    /// Which of its numbers can differ from zero.
    marks: Vec<bool>,
    pub(super) tangents: Tangents<Lanes>,
    pub(super) contributions: Contributions,
    pub(super) factors: PatternLu<Lanes>,
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
fn marks(models: &[&Multibody; LANES]) -> Option<Vec<bool>> {
    let mut lists: Vec<Numbers> = Vec::new();
    for model in models {
        let mut numbers = Numbers::default();
        model.physics().list(&mut numbers);
        inverses(model)?.list(&mut numbers);
        lists.push(numbers);
    }
    Numbers::marks(&lists)
}

impl LanePlan {
    /// The plan for these models and others with the same structure. Returns `None` if the models are not
    /// alike or are too large.
    #[inline]
    pub fn new(models: &[&Multibody; LANES], stabilized: bool) -> Option<Self> {
        let first = models[0];
        let sizes @ [n_v, n_lambda, _] = unknowns(first, stabilized)?;
        let (group, structure) = (first.group(), first.structure()?);
        let mut marked = Batch::new(models, &nonzero, Tangents::sparse(group, structure))?;
        marked.mark();
        let turns: Vec<(Factor, usize)> = marked.factors.iter().map(|f| (f.factor, f.turn)).collect();
        let (n, eta) = (sizes.iter().sum::<usize>(), stabilized.then_some(n_v + n_lambda));
        let corners = Corners { lambda: n_v, s: n_v + n_lambda, position: Some(n_v), velocity: eta, eta };
        let resolved = Resolved::new(&marked.tangents, &marked.direction, &turns, &corners);
        let mut is_entry = vec![false; n * n];
        resolved.each(|i, j| is_entry[i * n + j] = true);
        let factors = PatternLu::new(sizes, |i, j| is_entry[i * n + j]);
        Some(LanePlan {
            key: Key::of(first, stabilized)?,
            physics: first.physics().clone(),
            marks: marks(models)?,
            tangents: Tangents::sparse(group, structure),
            contributions: resolved.at(|i, j| factors.matrix.index_of(i, j)),
            factors,
        })
    }

    /// True if the models have the structure of this plan: a new plan would be the same.
    #[inline]
    pub fn suits(&self, models: &[&Multibody; LANES], stabilized: bool) -> bool {
        Key::of(models[0], stabilized).is_some_and(|key| key == self.key)
            && models.iter().all(|m| self.physics.is_like(m.physics()))
            && marks(models).is_some_and(|marks| marks == self.marks)
    }
}
