//! The correction of BDF on groups: the part of an increment that does not commute.
//!
//! With q' = q v~ the increment over a step is theta = int v + c, where c collects the commutators of the
//! Magnus series (29). BDF formulas hold for the linear part psi = theta - c only.

use precess_lie::Product;

use super::coefficients::GAUSS;

/// Treatment of the commutators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Correction {
    /// Magnus expansion of order 6 of the interpolated velocity, one per step: order k for k = 2..6 on any
    /// grid.
    #[default]
    Magnus,
    /// L_k of (22): one commutator per step, k = 2..4, equal steps.
    Paper,
    /// L = 0: the order drops to 2 on groups that do not commute.
    None,
}

crate::error::named! { Correction, "correction": Magnus = "magnus", Paper = "paper", None = "none" }

/// Commutators, with workspace and a counter.
#[derive(Clone, Debug, Default)]
pub(crate) struct Commutators {
    /// Brackets evaluated so far.
    pub count: usize,
    a_1: Vec<f64>,
    a_2: Vec<f64>,
    a_3: Vec<f64>,
    c_1: Vec<f64>,
    x: Vec<f64>,
    y: Vec<f64>,
}

crate::persist!(Commutators { count } given { a_1, a_2, a_3, c_1, x, y });

/// Combination of vectors: out = sum w_j x_j.
pub(super) fn combine<'a>(weights: &[f64], vectors: impl IntoIterator<Item = &'a Vec<f64>>, out: &mut [f64]) {
    out.fill(0.0);
    for (w, x) in weights.iter().zip(vectors) {
        for (o, x) in out.iter_mut().zip(x) {
            *o += w * x;
        }
    }
}

impl Commutators {
    pub fn resize(&mut self, k: usize) {
        for x in [&mut self.a_1, &mut self.a_2, &mut self.a_3, &mut self.c_1, &mut self.x, &mut self.y] {
            x.clear();
            x.resize(k, 0.0);
        }
    }

    fn bracket(count: &mut usize, group: &Product, x: &[f64], y: &[f64], out: &mut [f64]) {
        *count += 1;
        group.bracket(x, y, out);
    }

    /// c over a step h from the velocity at its three Gauss points, error O(h^7):
    ///
    /// ```text
    /// a_1 = h v_2,  a_2 = sqrt(15)/3 h (v_3 - v_1),  a_3 = 10/3 h (v_3 - 2 v_2 + v_1)
    /// C_1 = {a_1, a_2},  C_2 = -{a_1, 2 a_3 + C_1}/60,  {x, y} = -[x, y]
    /// c = {-20 a_1 - a_3 + C_1, a_2 + C_2}/240
    /// ```
    pub fn magnus<'a, V>(
        &mut self,
        group: &Product,
        h: f64,
        weights: &[impl AsRef<[f64]>; 3],
        v: V,
        c: &mut [f64],
    ) where
        V: IntoIterator<Item = &'a Vec<f64>> + Clone,
    {
        debug_assert_eq!(GAUSS.len(), weights.len());
        let Commutators { count, a_1, a_2, a_3, c_1, x, y } = self;
        combine(weights[0].as_ref(), v.clone(), a_1);
        combine(weights[1].as_ref(), v.clone(), a_2);
        combine(weights[2].as_ref(), v, a_3);
        let (s, t) = (15.0_f64.sqrt() / 3.0 * h, 10.0 / 3.0 * h);
        for i in 0..c.len() {
            let (v_1, v_2, v_3) = (a_1[i], a_2[i], a_3[i]);
            a_1[i] = h * v_2;
            a_2[i] = s * (v_3 - v_1);
            a_3[i] = t * (v_3 - 2.0 * v_2 + v_1);
        }
        Self::bracket(count, group, a_2, a_1, c_1);
        for i in 0..c.len() {
            x[i] = 2.0 * a_3[i] + c_1[i];
        }
        // C_2 = [a_1, x]/60.
        Self::bracket(count, group, a_1, x, y);
        for i in 0..c.len() {
            x[i] = -20.0 * a_1[i] - a_3[i] + c_1[i];
            y[i] = a_2[i] + y[i] / 60.0;
        }
        Self::bracket(count, group, y, x, c);
        c.iter_mut().for_each(|c| *c /= 240.0);
    }

    /// h^2 L_k of (22) from v_n, v_nm1, ...; zero for k = 2.
    pub fn table<'a, V>(&mut self, group: &Product, h: f64, k: usize, v: V, out: &mut [f64])
    where
        V: IntoIterator<Item = &'a Vec<f64>> + Clone,
    {
        let weights: &[f64] = match k {
            3 => &[1.5, -2.0, 0.5],
            4 => &[1.75, -1.75, -0.75, 0.75],
            _ => {
                out.fill(0.0);
                return;
            }
        };
        combine(weights, v.clone(), &mut self.x);
        let Some(v_n) = v.into_iter().next() else { return };
        Self::bracket(&mut self.count, group, v_n, &self.x, out);
        out.iter_mut().for_each(|l| *l *= h / 12.0);
    }
}
