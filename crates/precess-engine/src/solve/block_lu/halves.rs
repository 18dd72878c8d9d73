//! Elimination of a large system by two threads. The system has two halves that do not touch each other. The
//! threads eliminate them at the same time, and the unknowns between the halves follow.
//!
//! The first half subtracts its products from the pivots between the halves directly. The second half
//! collects its products in a copy that is added afterwards. Thus, results do not depend on the number of
//! threads.
//!
//! Residuals, factorisation and substitutions of the halves have half of the instructions of a step with
//! 10 000 spherical joints, so two threads make it at most 1.34 times as fast (callgrind on `-- count
//! coil-10000`; `-- scale` of the benchmark `speed` measures it on an idle machine).

use super::eliminate::{Backward, Behind, Forward, Region, RegionFactorisation, Symbolic};
use super::{BEHIND, BlockLu, Pivot};
use crate::solve::singular::Singular;
use crate::threads::both;

/// The ends of the halves, with workspace for the second one.
#[derive(Clone, Debug)]
pub(super) struct Halves {
    /// The first pivot of the second half.
    pub second: usize,
    /// The first pivot between the halves.
    pub top: usize,
    /// The changes by the second half to the lower and to the upper values between the halves.
    lower: Vec<f64>,
    upper: Vec<f64>,
    product: Vec<f64>,
}

impl Halves {
    /// The first and the second half end at the pivots `second` and `top`; `product` is the room for a part
    /// of a product.
    pub fn new([second, top]: [u32; 2], pivots: &[Pivot], product: usize) -> Self {
        let (from, to) = (pivots[top as usize], pivots[pivots.len() - 1]);
        Halves {
            second: second as usize,
            top: top as usize,
            lower: vec![0.0; (to.below - from.below) as usize + BEHIND],
            upper: vec![0.0; (to.values - from.values) as usize + BEHIND],
            product: vec![0.0; product],
        }
    }
}

fn add(x: &[f64], y: &mut [f64]) {
    y.iter_mut().zip(x).for_each(|(y, x)| *y += x);
}

impl BlockLu {
    /// The number of unknowns between the halves.
    pub(super) fn n_top(&self) -> usize {
        self.halves.as_ref().map_or(0, |halves| self.len() - self.pivots[halves.top].at as usize)
    }

    /// Factorises a matrix with halves.
    pub(super) fn factor_halves(&mut self) -> Result<(), Singular> {
        let BlockLu {
            pivots,
            targets,
            runs,
            order,
            inverted,
            values,
            upper,
            row_pivots,
            product,
            halves,
            ..
        } = self;
        let Some(Halves { second, top, lower: copy_lower, upper: copy_upper, product: other }) = halves
        else {
            return Ok(());
        };
        let (second, top, end) = (*second, *top, pivots.len() - 1);
        let symbolic = Symbolic { pivots, targets, runs, order, inverted: *inverted };
        let (lower, upper) = values.split_at_mut(*upper);
        let (lower, lower_top) = lower.split_at_mut(pivots[top].below as usize);
        let (upper, upper_top) = upper.split_at_mut(pivots[top].values as usize);
        let (row_pivots, row_pivots_top) = row_pivots.split_at_mut(pivots[top].at as usize);
        {
            let (lower_a, lower_b) = lower.split_at_mut(pivots[second].below as usize);
            let (upper_a, upper_b) = upper.split_at_mut(pivots[second].values as usize);
            let (row_pivots_a, row_pivots_b) = row_pivots.split_at_mut(pivots[second].at as usize);
            copy_lower.fill(0.0);
            copy_upper.fill(0.0);
            let region = |pivots, lower, upper, row_pivots, behind_lower, behind_upper, product| Region {
                pivots,
                lower,
                upper,
                row_pivots,
                behind: top,
                behind_lower,
                behind_upper,
                product,
            };
            let a = region(0..second, lower_a, upper_a, row_pivots_a, lower_top, upper_top, product);
            let b = region(second..top, lower_b, upper_b, row_pivots_b, copy_lower, copy_upper, other);
            let factor = |region| move || RegionFactorisation(symbolic, region).run();
            let (a, b) = both(factor(a), factor(b));
            a?;
            b?;
        }
        add(copy_lower, lower_top);
        add(copy_upper, upper_top);
        let region = Region {
            pivots: top..end,
            lower: lower_top,
            upper: upper_top,
            row_pivots: row_pivots_top,
            behind: end,
            behind_lower: &mut [],
            behind_upper: &mut [],
            product,
        };
        RegionFactorisation(symbolic, region).run()
    }

    /// Does both substitutions with halves; `room` is for two products and the unknowns between the halves.
    pub(super) fn solve_halves(&self, halves: &Halves, x: &mut [f64], room: &mut [f64]) {
        let (second, top, end) = (halves.second, halves.top, self.pivots.len() - 1);
        let (rest_a, room) = room.split_at_mut(self.product.len());
        let (rest_b, copy) = room.split_at_mut(self.product.len());
        let (x, x_top) = x.split_at_mut(self.pivots[top].at as usize);
        let (x_a, x_b) = x.split_at_mut(self.pivots[second].at as usize);
        copy.fill(0.0);
        let (a, b) =
            (self.some(0..second, &mut *x_a, &mut *rest_a), self.some(second..top, &mut *x_b, &mut *rest_b));
        both(
            || Forward(a, Behind { pivot: top, x: &mut *x_top }).run(),
            || Forward(b, Behind { pivot: top, x: &mut *copy }).run(),
        );
        add(copy, x_top);
        let between = self.some(top..end, &mut *x_top, &mut *rest_a);
        Forward(between, Behind { pivot: end, x: &mut [] }).run();
        let between = self.some(top..end, &mut *x_top, &mut *rest_a);
        Backward(between, Behind { pivot: end, x: &[] }).run();
        let x_top = &*x_top;
        let (a, b) = (self.some(0..second, x_a, rest_a), self.some(second..top, x_b, rest_b));
        both(
            || Backward(a, Behind { pivot: top, x: x_top }).run(),
            || Backward(b, Behind { pivot: top, x: x_top }).run(),
        );
    }
}
