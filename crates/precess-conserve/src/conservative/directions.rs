//! Directions of a body: its rotation, and the meaning of its coordinates.

use std::collections::HashSet;
use std::ops::Range;

use nalgebra::Vector3;

use super::system::{Conservative, vector};
use precess_engine::mechanics::{At, Block, Describes, Sight};

/// The vector x with rate(d) = x cross d for the directions of a body at these indices in q: orthonormal, at
/// most three.
pub fn spin(
    q: &[f64],
    places: impl IntoIterator<Item = usize>,
    rate: impl Fn(usize) -> Vector3<f64>,
) -> Vector3<f64> {
    let mut places = places.into_iter();
    match [places.next(), places.next(), places.next()] {
        [Some(i), Some(j), Some(k)] => {
            [i, j, k].iter().fold(Vector3::zeros(), |w, &d| w + 0.5 * vector(q, d).cross(&rate(d)))
        }
        [Some(i), Some(j), None] => {
            // Components along d_i x d_j, d_i and d_j.
            let (a, b, da, db) = (vector(q, i), vector(q, j), rate(i), rate(j));
            let n = a.cross(&b);
            n * da.dot(&b) + a * db.dot(&n) - b * da.dot(&n)
        }
        [Some(i), ..] => vector(q, i).cross(&rate(i)),
        _ => Vector3::zeros(),
    }
}

impl Conservative {
    /// Points are lengths, neighbouring directions of a body are its orientation.
    pub(super) fn described(&self) -> Vec<Block> {
        let directions: HashSet<usize> = self.directions.iter().copied().collect();
        let mut list: Vec<Block> = Vec::new();
        let mut add = |describes: Describes, x: Range<usize>, first: bool| match list.last_mut() {
            Some(b) if !first && b.describes == describes => (b.q.end, b.v.end) = (x.end, x.end),
            _ => list.push(Block { describes, q: x.clone(), v: x }),
        };
        for body in self.bodies() {
            let mut at = body.start;
            while at < body.end {
                let first = at == body.start;
                if directions.contains(&at) && at + 3 <= body.end {
                    add(Describes::Orientation, at..at + 3, first);
                    at += 3;
                } else {
                    add(Describes::Length, at..at + 1, first);
                    at += 1;
                }
            }
        }
        list
    }

    /// Directions that turn by w change by w x d: by sqrt(2) |w| if there are three. The visible angular
    /// velocity is the change of their rates in the turned frame, dd' - w x d'.
    pub(super) fn sight_of(&self, block: &Block, at: &At, sight: &mut Sight) {
        sight.oscillation = 2.0;
        let places = || block.q.clone().step_by(3);
        let scale = if block.q.len() == 9 { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        for (j, changed) in block.q.clone().enumerate() {
            sight.set_a(j, j, scale);
            let unit = |d: usize| Vector3::from_fn(|k, _| f64::from(d + k == changed));
            let turn = spin(at.q, places(), unit);
            for (i, d) in places().enumerate() {
                let rate = if at.v.is_empty() { Vector3::zeros() } else { turn.cross(&vector(at.v, d)) };
                (0..3).for_each(|k| sight.set_c(3 * i + k, j, -scale * rate[k]));
            }
        }
    }
}
