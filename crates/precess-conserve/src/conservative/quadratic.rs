//! Functions of at most second degree on R^d, stored on the few coordinates they touch.
//!
//! ```text
//! pi(q) = c + b.q + q.A q / 2,     D pi(q) = b + A q,     D^2 pi = A
//! ```
//!
//! For these the midpoint gradient is a discrete gradient: pi(q_1) - pi(q_0) = D pi((q_0 + q_1)/2) . (q_1 -
//! q_0) exactly. Constraints, quadratic invariants of potentials and the potential of gravity are all of this
//! kind.

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

    /// Value of the vector.
    #[inline]
    pub fn value(&self, q: &[f64]) -> Vector3<f64> {
        self.rate(q) + self.constant
    }

    /// Rate of the vector: the constant does not move.
    #[inline]
    pub fn rate(&self, v: &[f64]) -> Vector3<f64> {
        let terms = self.terms.iter();
        terms.fold(Vector3::zeros(), |s, &(i, c)| s + c * Vector3::new(v[i], v[i + 1], v[i + 2]))
    }
}

/// A function of at most second degree.
#[derive(Clone, Debug, PartialEq)]
pub struct Quadratic {
    /// The coordinates touched, in ascending order.
    at: Vec<u32>,
    shape: QuadraticForm,
}

#[derive(Clone, Debug, PartialEq)]
enum QuadraticForm {
    /// c + b.q, and A with both triangles, with indices into `at`.
    Sum { constant: f64, linear: Vec<f64>, hessian: Vec<(u16, u16, f64)> },
    /// scale (x . y - c). Differences are formed before products: far from the origin nothing is lost by
    /// cancellation.
    Dot { x: AffineFactor, y: AffineFactor, c: f64, scale: f64 },
}

/// An affine vector, and the indices of its 3-vectors in `at`.
#[derive(Clone, Debug, PartialEq)]
struct AffineFactor {
    vector: Affine,
    places: Vec<u16>,
}

fn places(mut at: Vec<u32>) -> Vec<u32> {
    at.sort_unstable();
    at.dedup();
    at
}

impl Quadratic {
    /// c + sum of b_i q_i + sum of a_ij q_i q_j, each pair (i, j) given once.
    pub fn new(constant: f64, linear: &[(usize, f64)], products: &[(usize, usize, f64)]) -> Self {
        let mut at: Vec<u32> = linear.iter().map(|t| t.0 as u32).collect();
        at.extend(products.iter().flat_map(|t| [t.0 as u32, t.1 as u32]));
        let at = places(at);
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
        let full = (0..n * n).filter(|&k| a[k] != 0.0);
        let hessian = full.map(|k| ((k / n) as u16, (k % n) as u16, a[k])).collect();
        Quadratic { at, shape: QuadraticForm::Sum { constant, linear: b, hessian } }
    }

    /// scale * (x . y - c) for two vectors.
    pub fn dot(x: &Affine, y: &Affine, c: f64, scale: f64) -> Self {
        let vectors = x.terms.iter().chain(&y.terms);
        let at = places(vectors.flat_map(|t| (t.0..t.0 + 3).map(|i| i as u32)).collect());
        if x.terms.is_empty() || y.terms.is_empty() {
            let (moving, fixed) = if x.terms.is_empty() { (y, x) } else { (x, y) };
            let linear: Vec<(usize, f64)> = (moving.terms.iter())
                .flat_map(|t| (0..3).map(|k| (t.0 + k, scale * t.1 * fixed.constant[k])))
                .filter(|t| t.1 != 0.0)
                .collect();
            return Quadratic::new(scale * (x.constant.dot(&y.constant) - c), &linear, &[]);
        }
        let factor = |x: &Affine| {
            let place = |t: &(usize, f64)| at.binary_search(&(t.0 as u32)).unwrap_or_default() as u16;
            AffineFactor { vector: x.clone(), places: x.terms.iter().map(place).collect() }
        };
        let (x, y) = (factor(x), factor(y));
        Quadratic { at, shape: QuadraticForm::Dot { x, y, c, scale } }
    }

    /// constant + sum of c (x . y) over products (x, y, c).
    pub fn products(constant: f64, products: &[(&Affine, &Affine, f64)]) -> Self {
        let (mut sum, mut linear, mut pairs) = (constant, Vec::new(), Vec::new());
        for &(x, y, c) in products {
            sum += c * x.constant.dot(&y.constant);
            for (f, g) in [(x, y), (y, x)] {
                for t in &f.terms {
                    linear.extend((0..3).map(|k| (t.0 + k, c * t.1 * g.constant[k])).filter(|l| l.1 != 0.0));
                }
            }
            for s in &x.terms {
                for t in &y.terms {
                    pairs.extend((0..3).map(|k| (s.0 + k, t.0 + k, c * s.1 * t.1)));
                }
            }
        }
        Quadratic::new(sum, &linear, &pairs)
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
        matches!(&self.shape, QuadraticForm::Sum { hessian, .. } if hessian.is_empty())
    }

    /// pi(q).
    pub fn value(&self, q: &[f64]) -> f64 {
        match &self.shape {
            QuadraticForm::Sum { constant, linear, hessian } => {
                let first: f64 = self.at.iter().zip(linear).map(|(&i, b)| b * q[i as usize]).sum();
                let second: f64 =
                    hessian.iter().map(|&(i, j, a)| a * q[self.index(i)] * q[self.index(j)]).sum();
                constant + first + 0.5 * second
            }
            QuadraticForm::Dot { x, y, c, scale } => scale * (x.vector.value(q).dot(&y.vector.value(q)) - c),
        }
    }

    /// D pi(q) on the touched coordinates; `out` has their number.
    #[inline]
    pub fn gradient(&self, q: &[f64], out: &mut [f64]) {
        match &self.shape {
            QuadraticForm::Sum { linear, hessian, .. } => {
                out.copy_from_slice(linear);
                for &(i, j, a) in hessian {
                    out[i as usize] += a * q[self.index(j)];
                }
            }
            QuadraticForm::Dot { x, y, scale, .. } => {
                out.fill(0.0);
                for (f, g) in [(x, y), (y, x)] {
                    let other = *scale * g.vector.value(q);
                    for (t, &at) in f.vector.terms.iter().zip(&f.places) {
                        for k in 0..3 {
                            out[at as usize + k] += t.1 * other[k];
                        }
                    }
                }
            }
        }
    }

    /// D pi(q) . v.
    #[inline]
    pub fn rate(&self, q: &[f64], v: &[f64]) -> f64 {
        match &self.shape {
            QuadraticForm::Sum { linear, .. } => {
                let first: f64 = self.at.iter().zip(linear).map(|(&i, b)| b * v[i as usize]).sum();
                first + self.curvature(q, v)
            }
            QuadraticForm::Dot { x, y, scale, .. } => {
                let (x, y) = (&x.vector, &y.vector);
                scale * (x.rate(v).dot(&y.value(q)) + x.value(q).dot(&y.rate(v)))
            }
        }
    }

    /// v . A w.
    #[inline]
    pub fn curvature(&self, v: &[f64], w: &[f64]) -> f64 {
        match &self.shape {
            QuadraticForm::Sum { hessian, .. } => {
                hessian.iter().map(|&(i, j, a)| a * v[self.index(i)] * w[self.index(j)]).sum()
            }
            QuadraticForm::Dot { x, y, scale, .. } => {
                let (x, y) = (&x.vector, &y.vector);
                scale * (x.rate(v).dot(&y.rate(w)) + x.rate(w).dot(&y.rate(v)))
            }
        }
    }

    /// out += weight D pi(q).
    #[inline]
    pub fn add_gradient(&self, q: &[f64], weight: f64, out: &mut [f64]) {
        self.each_gradient(q, |i, x| out[i] += weight * x);
    }

    /// out += weight A v.
    #[inline]
    pub fn add_hessian_times(&self, v: &[f64], weight: f64, out: &mut [f64]) {
        self.each_hessian_times(v, |i, x| out[i] += weight * x);
    }

    /// Calls `f(i, j, A_ij)` for the nonzero entries of A; entries may occur more than once and add up.
    #[inline]
    pub fn each_hessian(&self, mut f: impl FnMut(usize, usize, f64)) {
        match &self.shape {
            QuadraticForm::Sum { hessian, .. } => {
                for &(i, j, a) in hessian {
                    f(self.index(i), self.index(j), a);
                }
            }
            QuadraticForm::Dot { x, y, scale, .. } => {
                for s in &x.vector.terms {
                    for t in &y.vector.terms {
                        let a = scale * s.1 * t.1;
                        for k in 0..3 {
                            f(s.0 + k, t.0 + k, a);
                            f(t.0 + k, s.0 + k, a);
                        }
                    }
                }
            }
        }
    }

    /// Calls `f(i, (A v)_i)`; coordinates may occur more than once, their contributions add up.
    #[inline]
    pub fn each_hessian_times(&self, v: &[f64], mut f: impl FnMut(usize, f64)) {
        match &self.shape {
            QuadraticForm::Sum { hessian, .. } => {
                for &(i, j, a) in hessian {
                    f(self.index(i), a * v[self.index(j)]);
                }
            }
            QuadraticForm::Dot { x, y, scale, .. } => {
                let (x, y) = (&x.vector, &y.vector);
                scatter(x, *scale * y.rate(v), &mut f);
                scatter(y, *scale * x.rate(v), &mut f);
            }
        }
    }

    /// Calls `f(i, D_i pi(q))`; coordinates may occur more than once, their contributions add up.
    #[inline]
    pub fn each_gradient(&self, q: &[f64], mut f: impl FnMut(usize, f64)) {
        match &self.shape {
            QuadraticForm::Sum { linear, .. } => {
                for (&i, &b) in self.at.iter().zip(linear) {
                    if b != 0.0 {
                        f(i as usize, b);
                    }
                }
                self.each_hessian_times(q, f);
            }
            QuadraticForm::Dot { x, y, scale, .. } => {
                let (x, y) = (&x.vector, &y.vector);
                scatter(x, *scale * y.value(q), &mut f);
                scatter(y, *scale * x.value(q), &mut f);
            }
        }
    }

    #[inline]
    fn index(&self, place: u16) -> usize {
        self.at[place as usize] as usize
    }
}

/// (Dx)^T f.
#[inline]
fn scatter(x: &Affine, other: Vector3<f64>, f: &mut impl FnMut(usize, f64)) {
    for &(i, c) in &x.terms {
        for k in 0..3 {
            f(i + k, c * other[k]);
        }
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
        let origin = [1e6, -1e6, 1e6];
        let far: Vec<f64> = (0..6).map(|i| q[i] + origin[i % 3]).collect();
        let apart = Affine::at(3).plus(-1.0, &Affine::at(0));
        let length = Quadratic::dot(&apart, &apart, 0.0, 1.0);
        assert!((length.value(&far) - length.value(&q)).abs() < 1e-8, "differences before products");
        let mut local = [0.0; 9];
        f.gradient(&q, &mut local[..f.touched().len()]);
        let dot: f64 = f.touched().iter().zip(&local).map(|(&i, g)| g * v[i as usize]).sum();
        assert!((dot - rate).abs() < 1e-13);
        let (mut by_entries, mut w) = (0.0, [0.0; 9]);
        f.each_hessian(|i, j, a| by_entries += a * v[i] * q[j]);
        f.add_hessian_times(&q, 1.0, &mut w);
        let by_product: f64 = w.iter().zip(&v).map(|(w, v)| w * v).sum();
        assert!((by_entries - f.curvature(&v, &q)).abs() < 1e-13 && (by_product - by_entries).abs() < 1e-13);
        let mut sum = 0.0;
        f.each_gradient(&q, |i, x| sum += x * v[i]);
        assert!((sum - rate).abs() < 1e-13);
    }
}
