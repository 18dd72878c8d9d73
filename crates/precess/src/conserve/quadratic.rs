//! Functions of at most second degree on R^d, stored on the few coordinates they touch.
//!
//! ```text
//! pi(q) = c + b.q + q.A q / 2,     D pi(q) = b + A q,     D^2 pi = A
//! ```
//!
//! For these the midpoint gradient is a discrete gradient: pi(q_1) - pi(q_0) = D pi((q_0 + q_1)/2) . (q_1 - q_0) exactly.
//! Constraints, quadratic invariants of potentials and the potential of gravity are all of this kind.

use nalgebra::Vector3;

/// A vector of space that is affine in q: a sum of multiples of 3-vectors in q, plus a constant.
///
/// Material points and body-fixed directions in directors are of this kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Affine {
    /// (first coordinate of a 3-vector, factor).
    pub terms: Vec<(usize, f64)>,
    /// The constant part.
    pub constant: Vector3<f64>,
}

impl Affine {
    /// The 3-vector at q[i..i+3].
    pub fn at(i: usize) -> Self {
        Affine { terms: vec![(i, 1.0)], constant: Vector3::zeros() }
    }

    /// A vector fixed in space.
    pub fn fixed(constant: Vector3<f64>) -> Self {
        Affine { terms: Vec::new(), constant }
    }

    /// self + factor * other.
    pub fn plus(mut self, factor: f64, other: &Affine) -> Self {
        self.constant += factor * other.constant;
        for &(i, c) in &other.terms {
            let c = factor * c;
            match self.terms.iter_mut().find(|t| t.0 == i) {
                Some(t) => t.1 += c,
                None => self.terms.push((i, c)),
            }
        }
        self.terms.retain(|t| t.1 != 0.0);
        self
    }

    /// Its value.
    pub fn value(&self, q: &[f64]) -> Vector3<f64> {
        let sum = self.terms.iter().map(|&(i, c)| c * Vector3::new(q[i], q[i + 1], q[i + 2]));
        sum.fold(self.constant, |s, x| s + x)
    }

    /// Its rate: the constant does not move.
    pub fn rate(&self, v: &[f64]) -> Vector3<f64> {
        self.value(v) - self.constant
    }
}

/// A function of at most second degree.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Quadratic {
    /// c.
    pub constant: f64,
    /// The coordinates touched, in ascending order.
    at: Vec<u32>,
    /// b on these.
    linear: Vec<f64>,
    /// A, both triangles, by places in `at`.
    hessian: Vec<(u16, u16, f64)>,
}

impl Quadratic {
    /// c + sum of b_i q_i + sum of a_ij q_i q_j, each pair (i, j) given once.
    pub fn new(constant: f64, linear: &[(usize, f64)], products: &[(usize, usize, f64)]) -> Self {
        let mut at: Vec<u32> = linear.iter().map(|t| t.0 as u32).collect();
        at.extend(products.iter().flat_map(|t| [t.0 as u32, t.1 as u32]));
        at.sort_unstable();
        at.dedup();
        let place = |i: usize| at.binary_search(&(i as u32)).unwrap_or_default();
        let n = at.len();
        let mut b = vec![0.0; n];
        for &(i, x) in linear {
            b[place(i)] += x;
        }
        let mut a = vec![0.0; n * n];
        for &(i, j, x) in products {
            a[place(i) * n + place(j)] += x;
            a[place(j) * n + place(i)] += x;
        }
        let hessian =
            (0..n * n).filter(|&k| a[k] != 0.0).map(|k| ((k / n) as u16, (k % n) as u16, a[k])).collect();
        Quadratic { constant, at, linear: b, hessian }
    }

    /// scale * (x . y - c) for two vectors.
    pub fn dot(x: &Affine, y: &Affine, c: f64, scale: f64) -> Self {
        let mut linear = Vec::new();
        let mut products = Vec::new();
        for k in 0..3 {
            linear.extend(x.terms.iter().map(|t| (t.0 + k, scale * t.1 * y.constant[k])));
            linear.extend(y.terms.iter().map(|t| (t.0 + k, scale * t.1 * x.constant[k])));
            for s in &x.terms {
                products.extend(y.terms.iter().map(|t| (s.0 + k, t.0 + k, scale * s.1 * t.1)));
            }
        }
        linear.retain(|t| t.1 != 0.0);
        Quadratic::new(scale * (x.constant.dot(&y.constant) - c), &linear, &products)
    }

    /// scale * (component k of a vector).
    pub fn component(x: &Affine, k: usize, scale: f64) -> Self {
        let linear: Vec<_> = x.terms.iter().map(|t| (t.0 + k, scale * t.1)).collect();
        Quadratic::new(scale * x.constant[k], &linear, &[])
    }

    /// The coordinates touched, in ascending order.
    #[inline]
    pub fn touched(&self) -> &[u32] {
        &self.at
    }

    /// True without a second-degree part.
    pub fn is_linear(&self) -> bool {
        self.hessian.is_empty()
    }

    /// pi(q).
    pub fn value(&self, q: &[f64]) -> f64 {
        let linear: f64 = self.at.iter().zip(&self.linear).map(|(&i, b)| b * q[i as usize]).sum();
        let second: f64 = self.hessian.iter().map(|&(i, j, a)| a * q[self.index(i)] * q[self.index(j)]).sum();
        self.constant + linear + 0.5 * second
    }

    /// D pi(q) on the touched coordinates; `out` has their number.
    #[inline]
    pub fn gradient(&self, q: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.linear);
        for &(i, j, a) in &self.hessian {
            out[i as usize] += a * q[self.index(j)];
        }
    }

    /// D pi(q) . v.
    #[inline]
    pub fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        let linear: f64 = self.at.iter().zip(&self.linear).map(|(&i, b)| b * v[i as usize]).sum();
        linear + self.curvature(q, v)
    }

    /// v . A w.
    #[inline]
    pub fn curvature(&self, v: &[f64], w: &[f64]) -> f64 {
        self.hessian.iter().map(|&(i, j, a)| a * v[self.index(i)] * w[self.index(j)]).sum()
    }

    /// out += weight D pi(q).
    #[inline]
    pub fn add_gradient(&self, q: &[f64], weight: f64, out: &mut [f64]) {
        for (&i, b) in self.at.iter().zip(&self.linear) {
            out[i as usize] += weight * b;
        }
        self.add_hessian_times(q, weight, out);
    }

    /// out += weight A v.
    #[inline]
    pub fn add_hessian_times(&self, v: &[f64], weight: f64, out: &mut [f64]) {
        for &(i, j, a) in &self.hessian {
            out[self.index(i)] += weight * a * v[self.index(j)];
        }
    }

    /// Calls `f(i, j, A_ij)` for the entries of A that do not vanish.
    #[inline]
    pub fn each_hessian(&self, mut f: impl FnMut(usize, usize, f64)) {
        for &(i, j, a) in &self.hessian {
            f(self.index(i), self.index(j), a);
        }
    }

    /// Calls `f(i, D_i pi(q))`; coordinates may come more than once, their contributions add up.
    #[inline]
    pub fn each_gradient(&self, q: &[f64], mut f: impl FnMut(usize, f64)) {
        for (&i, &b) in self.at.iter().zip(&self.linear) {
            if b != 0.0 {
                f(i as usize, b);
            }
        }
        self.each_hessian(|i, j, a| f(i, a * q[j]));
    }

    #[inline]
    fn index(&self, place: u16) -> usize {
        self.at[place as usize] as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_affine_vectors() {
        let x =
            Affine::at(0).plus(2.0, &Affine::at(3)).plus(1.0, &Affine::fixed(Vector3::new(1.0, -2.0, 0.5)));
        let y = Affine::at(3).plus(-1.0, &Affine::at(6));
        let q = [0.3, -0.7, 1.1, 0.2, 0.9, -0.4, 1.3, 0.1, -0.6];
        let v = [1.0, 0.5, -0.2, 0.7, -0.3, 0.8, 0.4, -0.9, 0.6];
        let f = Quadratic::dot(&x, &y, 0.25, 3.0);
        let exact = |q: &[f64]| 3.0 * (x.value(q).dot(&y.value(q)) - 0.25);
        assert!((f.value(&q) - exact(&q)).abs() < 1e-14);
        let rate = 3.0 * (x.rate(&v).dot(&y.value(&q)) + x.value(&q).dot(&y.rate(&v)));
        assert!((f.rate(&q, &v) - rate).abs() < 1e-14);
        let moved: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + v).collect();
        let middle: Vec<f64> = q.iter().zip(&v).map(|(q, v)| q + 0.5 * v).collect();
        assert!(
            (exact(&moved) - exact(&q) - f.rate(&middle, &v)).abs() < 1e-13,
            "midpoint gradients are discrete"
        );
        let mut g = [0.0; 9];
        f.add_gradient(&q, 2.0, &mut g);
        let dot: f64 = g.iter().zip(&v).map(|(g, v)| g * v).sum();
        assert!((dot - 2.0 * rate).abs() < 1e-13);
        let mut sum = 0.0;
        f.each_gradient(&q, |i, x| sum += x * v[i]);
        assert!((sum - rate).abs() < 1e-13);
    }
}
