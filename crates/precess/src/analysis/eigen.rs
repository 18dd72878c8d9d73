//! Eigenvalues and eigenvectors of the linear equations.
//!
//! nalgebra provides the QR algorithm and is already a dependency; faer (not tried) would also provide
//! eigenvectors of any matrix, but takes longer to build than the rest of this crate. Eigenvectors come from
//! inverse iteration instead, which also improves the eigenvalues. Without damping and gyroscopic forces the
//! problem is symmetric and both come from the symmetric solver.
//!
//! An algorithm for eigenvalues has errors relative to the largest one. Combine stiff and light parts, the
//! slow motions would drown in them: a steel strip of 1 m x 1 mm bends at 5 rad/s, and its elements shear at
//! 1e7 rad/s. So the slow ones are computed as the fast ones of the inverse problem, `1/(kappa + c)` or
//! `1/(s - sigma)`. A motion is free if its own stiffness is a rounding error (`stiffness.rs`), whatever else is
//! stiff.

use crate::solve::decompositions::{
    self, cholesky, complex_lu, complex_solve, lower_inverse, rank, solve, svd,
};
use crate::solve::products::{
    asymmetry, complex_add, complex_dot, complex_matrix, congruent, largest, product, symmetric_part, times,
    times_complex, transposed_product, transposed_times,
};
use nalgebra::{Complex, DMatrix, DVector};

use crate::analysis::AnalysisError;
use crate::analysis::assembly::noise;
use crate::analysis::frame::{Linear, Plain};
use crate::analysis::matrix::{ascending, symmetric};

/// An eigenvalue with non-negative imaginary part.
#[derive(Clone, Debug)]
pub struct Pair {
    /// s.
    pub s: Complex<f64>,
    /// p, the vector of free motions and first-order states.
    pub p: DVector<Complex<f64>>,
    /// The possible rounding error of s. It is large for a double eigenvalue with a single motion.
    pub error: f64,
}

/// All eigenvalues, and the number of zeros of free motions.
#[derive(Clone, Debug)]
pub struct Spectrum {
    /// Eigenvalues with non-negative imaginary parts: first those that grow without vibrating, then by size,
    /// from slow to fast. Zeros of free motions are left out.
    pub values: Vec<Complex<f64>>,
    /// Directions without stiffness, as columns of p.
    pub free: DMatrix<f64>,
    /// Stiffness over inertia and motions (columns of p), ascending; none if forces depend on velocities or
    /// have no potential.
    pub symmetric: Option<(DVector<f64>, DMatrix<f64>)>,
    plain: Plain,
    bodies: usize,
}

/// A growth above this part of the size of an eigenvalue is not a rounding error.
const GROWTH: f64 = 1e-9;
/// Relative size below which damping, gyroscopic forces and asymmetry are rounding errors.
const RELATIVE_ROUNDING: f64 = 1e-11;
/// Slower motions than this part of the fastest come from the inverse problem.
const SLOW: f64 = 1e-3;
/// The shift of the inverse problem relative to the fastest eigenvalue.
const SHIFT: f64 = 1e-4;
/// This many of the slowest eigenvalues may be zeros with rounding errors.
const DOUBTFUL: usize = 8;

/// Relative size of singular values that are rounding errors, for steady motions of rolling bodies.
const KERNEL: f64 = 1e-11;

/// True if motions with the eigenvalue s grow. Every statement about stability uses this.
pub fn grows(s: Complex<f64>) -> bool {
    s.re > GROWTH * s.norm()
}

impl Spectrum {
    /// Eigenvalues of linear equations; stiffness over inertia below `floor` counts as zero.
    pub fn new(linear: &Linear, floor: f64) -> Result<Self, AnalysisError> {
        let (plain, size) = (&linear.plain, linear.n.ncols());
        let bodies = size - linear.first_order;
        if linear.first_order == 0
            && let Some(eigen) = stiffnesses(linear)
            && is_symmetric(linear, &eigen, floor)
        {
            return Ok(Self::symmetric(linear, eigen, floor));
        }
        if linear.rolling > 0 {
            return Self::rolling(linear, floor);
        }
        let free = FreeMotions::new(linear, floor);
        let reduced = match linear.drifting.ncols() {
            0 => Quadratic { m: plain.m.clone(), g: plain.g.clone(), k: plain.k.clone(), bodies },
            _ => Quadratic::without(linear),
        };
        let mut values = reduced.eigenvalues(free.zeros)?;
        values.retain(|s| s.im >= 0.0);
        let mut spectrum = Spectrum {
            values: Vec::new(),
            free: free.motions,
            symmetric: None,
            plain: plain.clone(),
            bodies,
        };
        spectrum.remove_rounding(&mut values, floor);
        sort(&mut values);
        spectrum.values = values;
        Ok(spectrum)
    }

    /// Of bodies that roll. Where they are, and how fast, often does not matter: a bicycle has six such zeros,
    /// in chains of up to three. They would come out as 1e-5, so they are removed first, kernel after kernel.
    fn rolling(linear: &Linear, floor: f64) -> Result<Self, AnalysisError> {
        let (plain, size) = (&linear.plain, linear.n.ncols());
        let bodies = size - linear.first_order;
        let quadratic = Quadratic { m: plain.m.clone(), g: plain.g.clone(), k: plain.k.clone(), bodies };
        let mut a = quadratic.companion()?;
        // Rates in the unit of the typical rate of the equations.
        let rate = largest(quadratic.g.as_slice()).max(largest(quadratic.k.as_slice()).sqrt());
        let rate = if rate > 0.0 { rate } else { 1.0 };
        for i in bodies..2 * bodies {
            a.column_mut(i).scale_mut(rate);
            a.row_mut(i).scale_mut(rate.recip());
        }
        let positions: Vec<usize> = (0..bodies).chain(2 * bodies..2 * bodies + linear.rolling).collect();
        let mut free = DMatrix::zeros(positions.len(), 0);
        let mut first = true;
        while !a.is_empty() {
            let parts = svd(a.clone());
            let Some(right) = parts.v_t else { break };
            let limit = KERNEL * parts.singular_values.amax();
            let (kernel, rest): (Vec<usize>, Vec<usize>) =
                (0..a.nrows()).partition(|&i| parts.singular_values[i] <= limit);
            if first {
                free = right.select_rows(&kernel).transpose().select_rows(&positions);
                first = false;
            }
            if kernel.is_empty() {
                break;
            }
            a = congruent(&a, &right.select_rows(&rest).transpose());
        }
        let mut values = if a.is_empty() { Vec::new() } else { eigenvalues(&a)? };
        values.retain(|s| s.im >= 0.0);
        let mut spectrum =
            Spectrum { values: Vec::new(), free, symmetric: None, plain: plain.clone(), bodies };
        spectrum.remove_rounding(&mut values, floor);
        sort(&mut values);
        spectrum.values = values;
        Ok(spectrum)
    }

    /// Growth that may be a rounding error becomes zero, and slow eigenvalues that may be zero are left out.
    fn remove_rounding(&self, values: &mut Vec<Complex<f64>>, floor: f64) {
        values.sort_by(|x, y| x.norm().total_cmp(&y.norm()));
        let fastest = values.last().map_or(0.0, |s| s.norm());
        let zero = 10.0 * f64::EPSILON * (fastest + (floor / crate::analysis::limits::ZERO_STIFFNESS).sqrt());
        values.retain(|s| s.norm() > zero);
        let mut list = Vec::with_capacity(values.len());
        for (i, s) in values.iter().copied().enumerate() {
            let doubtful = i < DOUBTFUL && s.norm() <= SLOW * fastest.max(1.0);
            match &self.pairs(if grows(s) || doubtful { std::slice::from_ref(&s) } else { &[] })[..] {
                [pair] if pair.s.norm().max(s.norm()) <= pair.error => {}
                [pair] if grows(s) && pair.s.re <= pair.error => list.push(Complex::new(0.0, pair.s.im)),
                [pair] if grows(s) => list.push(pair.s),
                _ => list.push(s),
            }
        }
        *values = list;
    }

    /// True if a motion grows.
    pub fn grows(&self) -> bool {
        self.values.iter().any(|s| grows(*s))
    }

    fn symmetric(linear: &Linear, (kappa, p): (DVector<f64>, DMatrix<f64>), floor: f64) -> Self {
        let is_free = |i: usize| {
            let z = times(&linear.n, &p.column(i).into());
            kappa[i].abs() <= floor.max(linear.plain.blocks.limit(&z, &z))
        };
        let (free, held): (Vec<usize>, Vec<usize>) = (0..kappa.len()).partition(|&i| is_free(i));
        let mut values: Vec<Complex<f64>> = Vec::new();
        for kappa in held.into_iter().map(|i| kappa[i]) {
            if kappa > 0.0 {
                values.push(Complex::new(0.0, kappa.sqrt()));
            } else {
                values.extend([1.0, -1.0].map(|sign| Complex::new(sign * (-kappa).sqrt(), 0.0)));
            }
        }
        sort(&mut values);
        Spectrum {
            values,
            free: p.select_columns(&free),
            bodies: kappa.len(),
            symmetric: Some((kappa, p)),
            plain: linear.plain.clone(),
        }
    }

    /// Eigenvectors of chosen eigenvalues, in their order; equal ones get independent vectors.
    pub fn pairs(&self, chosen: &[Complex<f64>]) -> Vec<Pair> {
        match &self.symmetric {
            Some((kappa, vectors)) => {
                let mut used = vec![false; kappa.len()];
                let mut pair = |s: &Complex<f64>| {
                    let square = if s.im > 0.0 { s.im * s.im } else { -s.re * s.re };
                    let distance = |i: usize| (kappa[i] - square).abs();
                    let real = s.im == 0.0;
                    let best = (0..kappa.len())
                        .filter(|&i| real || !used[i])
                        .min_by(|&i, &j| distance(i).total_cmp(&distance(j)))?;
                    used[best] = true;
                    Some(Pair { s: *s, p: vectors.column(best).map(|x| Complex::new(x, 0.0)), error: 0.0 })
                };
                chosen.iter().filter_map(&mut pair).collect()
            }
            None => self.inverse_iteration(chosen),
        }
    }

    /// Eigenvectors of Q(s) x = (s^2 M + s G + K) x = 0. The columns of first-order states are divided by s:
    /// their unknowns are rates. With the left vector y, s - y^T Q x / y^T Q' x is more accurate than s.
    fn inverse_iteration(&self, chosen: &[Complex<f64>]) -> Vec<Pair> {
        let size = self.plain.m.nrows();
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut found: Vec<(Complex<f64>, DVector<Complex<f64>>)> = Vec::new();
        let mut pairs = Vec::new();
        let all = [&self.plain.m, &self.plain.g, &self.plain.k].map(complex_matrix);
        let order = |j: usize| usize::from(j < self.bodies);
        let matrix = |s: Complex<f64>| {
            let [m, g, k] = &all;
            DMatrix::from_fn(size, size, |i, j| match order(j) {
                1 => (m[(i, j)] * s + g[(i, j)]) * s + k[(i, j)],
                _ => m[(i, j)] * s + g[(i, j)],
            })
        };
        let slope = |s: Complex<f64>, x: &DVector<Complex<f64>>| {
            let [m, g, _] = &all;
            let mut sum = DVector::zeros(size);
            for j in 0..size {
                for i in 0..size {
                    let part = if order(j) == 1 { m[(i, j)] * s * 2.0 + g[(i, j)] } else { m[(i, j)] };
                    sum[i] += part * x[j];
                }
            }
            sum
        };
        for &s in chosen {
            let shift = s * Complex::new(1.0 + 1e-13, 1e-13) + Complex::new(f64::MIN_POSITIVE, 0.0);
            let shifted = matrix(shift);
            let (lu, transposed) = (complex_lu(shifted.clone()), complex_lu(shifted.transpose()));
            let mut random =
                || DVector::from_fn(size, |_, _| Complex::new(noise(&mut seed), noise(&mut seed)));
            let (mut x, mut y) = (random(), random());
            for _ in 0..3 {
                // Vectors of the same eigenvalue are kept independent.
                for (other, v) in &found {
                    if (other - s).norm() <= 1e-9 * s.norm() {
                        let part = complex_dot(v.as_slice(), x.as_slice());
                        complex_add(-part, v.as_slice(), x.as_mut_slice());
                    }
                }
                x = complex_solve(&lu, &x).map_or(x, |x| &x / Complex::new(x.norm(), 0.0));
                y = complex_solve(&transposed, &y).map_or(y, |y| &y / Complex::new(y.norm(), 0.0));
            }
            if !x.iter().all(|x| x.re.is_finite() && x.im.is_finite()) {
                continue;
            }
            let exact = matrix(s);
            let residual = DVector::from_fn(size, |i, _| (0..size).map(|j| exact[(i, j)] * x[j]).sum());
            let slope = y.dot(&slope(s, &x));
            let change = y.dot(&residual) / slope;
            let [left, right] = [&y, &x].map(|v| times_complex(&self.plain.n, v));
            let [mass, rates, stiffness] = [&self.plain.masses, &self.plain.rates, &self.plain.blocks]
                .map(|blocks| blocks.complex_limit(&left, &right));
            let error = ((mass * s.norm() + rates) * s.norm() + stiffness) / slope.norm();
            let mut value = if change.norm() <= 1e-6 * s.norm() { s - change } else { s };
            if s.im == 0.0 {
                value.im = 0.0;
            }
            if value.re.abs() <= error.min(GROWTH * value.norm()) {
                value.re = 0.0;
            }
            let [re, im] =
                [x.map(|x| x.re), x.map(|x| x.im)].map(|x| transposed_times(&self.plain.inertia, &x));
            pairs.push(Pair {
                s: value,
                p: DVector::from_fn(size, |i, _| Complex::new(re[i], im[i])),
                error,
            });
            found.push((s, x));
        }
        pairs
    }
}

/// Stiffness over inertia and its motions (columns of p), ascending: the stiff ones from K itself, the soft
/// ones from (K + c M)^-1.
pub(crate) fn stiffnesses(linear: &Linear) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let sorted = |values: DVector<f64>, vectors: DMatrix<f64>| {
        let order = ascending(&values);
        (values.select_rows(&order), vectors.select_columns(&order))
    };
    let direct = symmetric(symmetric_part(&linear.k));
    let most = largest(direct.eigenvalues.as_slice());
    let (kappa, p) = sorted(direct.eigenvalues, direct.eigenvectors);
    let soft = kappa.iter().any(|x| x.abs() <= SLOW * SLOW * most);
    if !soft || !(most > 0.0) || !most.is_finite() {
        return Some((kappa, p));
    }
    let plain = &linear.plain;
    let c = (SHIFT * SHIFT * most).max(-2.0 * kappa.min());
    let r = lower_inverse(&cholesky(symmetric_part(&(&plain.k + &plain.m * c)))?)?;
    let inverse = symmetric(symmetric_part(&congruent(&plain.m, &r.transpose())));
    let theta = inverse.eigenvalues.map(|x| x.recip() - c);
    // L^T R^-T w has the length sqrt(theta).
    let mut vectors = transposed_product(&plain.inertia, &transposed_product(&r, &inverse.eigenvectors));
    for (mut column, theta) in vectors.column_iter_mut().zip(inverse.eigenvalues.iter()) {
        column /= theta.max(f64::MIN_POSITIVE).sqrt();
    }
    let (soft, soft_p) = sorted(theta, vectors);
    // Both have errors below 1e-11 here.
    let limit = (c * most).sqrt();
    let count = soft.iter().filter(|x| **x < limit).count();
    let pick = |i: usize| if i < count { soft[i] } else { kappa[i] };
    let column = |i: usize| if i < count { soft_p.column(i) } else { p.column(i) };
    let columns: Vec<_> = (0..kappa.len()).map(column).collect();
    Some((DVector::from_fn(kappa.len(), |i, _| pick(i)), DMatrix::from_columns(&columns)))
}

/// True if forces have a potential and do not depend on velocities, for every pair of motions.
fn is_symmetric(linear: &Linear, (kappa, p): &(DVector<f64>, DMatrix<f64>), floor: f64) -> bool {
    let n = kappa.len();
    if linear.g.amax() == 0.0 && asymmetry(&linear.plain.k) == 0.0 {
        return true;
    }
    let rate = |i: usize| kappa[i].abs().max(floor).sqrt();
    let g = congruent(&linear.g, p);
    let turning = (0..n).any(|j| (0..n).any(|i| g[(i, j)].abs() > RELATIVE_ROUNDING * (rate(i) + rate(j))));
    if turning {
        return false;
    }
    let difference = congruent(&(&linear.plain.k - linear.plain.k.transpose()), &{
        // P p' with p = L^T p'.
        let columns = lower_inverse(&linear.plain.inertia).map(|l| transposed_product(&l, p));
        columns.unwrap_or_else(|| p.clone())
    });
    let suspicious =
        |i: usize, j: usize| difference[(i, j)].abs() > 1e-9 * kappa[i].abs().max(kappa[j].abs()) + floor;
    let z = |i: usize| times(&linear.n, &p.column(i).into());
    !(0..n).any(|j| {
        (0..j).any(|i| {
            suspicious(i, j) && difference[(i, j)].abs() > floor + linear.plain.blocks.limit(&z(i), &z(j))
        })
    })
}

/// The motions without stiffness.
struct FreeMotions {
    /// As columns of p.
    motions: DMatrix<f64>,
    /// Number of their zero eigenvalues: each motion has two, a position and a velocity, unless damping or a
    /// gyroscopic force acts on the velocity.
    zeros: usize,
}

impl FreeMotions {
    fn new(linear: &Linear, floor: f64) -> Self {
        let (plain, n) = (&linear.plain, linear.n.ncols());
        let bodies = n - linear.first_order;
        let none = FreeMotions { motions: DMatrix::zeros(bodies, 0), zeros: 0 };
        if bodies == 0 {
            return none;
        }
        // K^T K is not used: next to stiff parts its small eigenvalues would be rounding errors.
        let (scaled, rows, columns) = equilibrated(plain.k.columns(0, bodies).into());
        let svd = svd(scaled);
        let (Some(u), Some(v)) = (svd.u, svd.v_t) else { return none };
        let most = svd.singular_values.amax();
        let (mut right, mut both) = (Vec::new(), Vec::new());
        // In small models all motions are tested, since the whole matrix may be a rounding error.
        let candidate = |i: &usize| bodies <= 100 || svd.singular_values[*i] <= 1e-6 * most;
        for i in (0..bodies).filter(candidate) {
            let y: DVector<f64> = u.column(i).component_mul(&rows);
            let mut z: DVector<f64> = DVector::zeros(n);
            z.rows_mut(0, bodies).copy_from(&v.row(i).transpose().component_mul(&columns));
            let [ym, zm] = [&y, &z].map(|x| transposed_times(&plain.inertia, x));
            let [yx, zx] = [&y, &z].map(|x| times(&plain.n, x));
            // In all coordinates, because reduced matrices have errors of their largest entries.
            let stiffness = plain.blocks.between(&yx, &zx).abs();
            if stiffness <= floor * ym.norm() * zm.norm() + plain.blocks.limit(&yx, &zx) {
                both.push([&yx / ym.norm(), &zx / zm.norm()]);
                right.push(zm.rows(0, bodies) / zm.norm());
            }
        }
        if right.is_empty() {
            return none;
        }
        let (motions, count) = (DMatrix::from_columns(&right), right.len());
        if n != bodies {
            return FreeMotions { motions, zeros: 2 * count };
        }
        let coupling = DMatrix::from_fn(count, count, |i, j| plain.rates.between(&both[i][0], &both[j][1]));
        let limit = both.iter().flat_map(|[y, _]| both.iter().map(|[_, z]| plain.rates.limit(y, z)));
        let held = rank(&coupling, limit.fold(f64::MIN_POSITIVE, f64::max).max(1e-14 * linear.g.amax()));
        FreeMotions { motions, zeros: 2 * count - held.min(count) }
    }
}

/// A matrix with rows and columns of similar length, and the factors. Rows and columns that are as small as
/// rounding errors stay small.
fn equilibrated(mut a: DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>, DVector<f64>) {
    /// Smaller rows and columns, relative to the largest entry, are not enlarged.
    const SMALL: f64 = 1e-13;
    let most = largest(a.as_slice());
    let start = if most > 0.0 { most.sqrt().recip() } else { 1.0 };
    a.scale_mut(start * start);
    let (mut rows, mut columns) =
        (DVector::from_element(a.nrows(), start), DVector::from_element(a.ncols(), start));
    let small_rows: Vec<bool> = a.row_iter().map(|r| r.norm() <= SMALL).collect();
    let small_columns: Vec<bool> = a.column_iter().map(|c| c.norm() <= SMALL).collect();
    for _ in 0..4 {
        for j in (0..a.ncols()).filter(|&j| !small_columns[j]) {
            let f = a.column(j).norm().max(f64::MIN_POSITIVE).sqrt().recip();
            a.column_mut(j).scale_mut(f);
            columns[j] *= f;
        }
        for i in (0..a.nrows()).filter(|&i| !small_rows[i]) {
            let f = a.row(i).norm().max(f64::MIN_POSITIVE).sqrt().recip();
            a.row_mut(i).scale_mut(f);
            rows[i] *= f;
        }
    }
    (a, rows, columns)
}

/// s^2 M + s G + K; the first columns belong to bodies, the others to first-order states.
struct Quadratic {
    m: DMatrix<f64>,
    g: DMatrix<f64>,
    k: DMatrix<f64>,
    bodies: usize,
}

impl Quadratic {
    /// Without the motions that drift through space: the others do not act on them.
    fn without(linear: &Linear) -> Self {
        let plain = &linear.plain;
        // The others are orthogonal in the measure of the inertia: W^T M P = 0.
        let l = lower_inverse(&plain.inertia).unwrap_or_else(|| DMatrix::identity(0, 0));
        let drifting = product(&plain.m, &transposed_product(&l, &linear.drifting));
        let count = drifting.ncols();
        let qr = crate::solve::pivoted_qr::PivotedQr::new(drifting, 1e-12);
        let w: DMatrix<f64> = qr.q.columns(count, plain.m.nrows() - count).into();
        let [m, g, k] = [&plain.m, &plain.g, &plain.k].map(|a| congruent(a, &w));
        Quadratic { bodies: m.ncols(), m, g, k }
    }

    /// x' = A x for positions, then rates and first-order states, in coordinates with M = 1.
    fn companion(&self) -> Result<DMatrix<f64>, AnalysisError> {
        let (n, bodies) = (self.m.nrows(), self.bodies);
        let failed = || AnalysisError::Eigenvalues { size: bodies + n };
        let l = cholesky(symmetric_part(&self.m)).and_then(|l| lower_inverse(&l)).ok_or_else(failed)?;
        let [k, g] = [&self.k, &self.g].map(|a| product(&product(&l, a), &l.transpose()));
        let mut a = DMatrix::zeros(bodies + n, bodies + n);
        a.view_mut((0, bodies), (bodies, bodies)).fill_with_identity();
        a.view_mut((bodies, 0), (n, bodies)).copy_from(&-k.columns(0, bodies));
        a.view_mut((bodies, bodies), (n, n)).copy_from(&-g);
        Ok(a)
    }

    /// All eigenvalues but the `zeros` slowest.
    fn eigenvalues(&self, zeros: usize) -> Result<Vec<Complex<f64>>, AnalysisError> {
        let mut all = eigenvalues(&self.companion()?)?;
        all.sort_by(|x, y| x.norm().total_cmp(&y.norm()));
        let fastest = all.last().map_or(0.0, |s| s.norm());
        let slow = all.first().is_some_and(|s| s.norm() <= SLOW * fastest);
        if slow && fastest.is_finite() {
            let sigma = SHIFT * fastest;
            if let Some(mut inverse) = self.shifted_eigenvalues(sigma)? {
                // Both are accurate here.
                let limit = (sigma * fastest).sqrt();
                let count = inverse.iter().filter(|s| s.norm() < limit).count();
                inverse.truncate(count);
                inverse.extend(all.into_iter().skip(count));
                all = inverse;
            }
        }
        Ok(all.split_off(zeros.min(all.len())))
    }

    /// sigma + 1/theta with the eigenvalues theta of the inverse problem, slow ones first:
    ///
    /// ```text
    /// v = a + sigma p,   Q(sigma) p = -(M b + (G + sigma M) a)
    /// ```
    fn shifted_eigenvalues(&self, sigma: f64) -> Result<Option<Vec<Complex<f64>>>, AnalysisError> {
        let (n, bodies) = (self.m.nrows(), self.bodies);
        let h = &self.g + &self.m * sigma;
        let mut q = h.clone();
        for j in 0..bodies {
            let column = self.k.column(j) + h.column(j) * sigma;
            q.set_column(j, &column);
        }
        let mut right = DMatrix::zeros(n, bodies + n);
        right.columns_mut(0, bodies).copy_from(&h.columns(0, bodies));
        // Positions are measured as rates, times sigma.
        right.columns_mut(0, bodies).scale_mut(sigma.recip());
        right.columns_mut(bodies, n).copy_from(&self.m);
        let Some(x) = solve(q, &right) else { return Ok(None) };
        let mut a = DMatrix::zeros(bodies + n, bodies + n);
        let p = -x.rows(0, bodies);
        a.rows_mut(0, bodies).copy_from(&(&p * sigma));
        a.rows_mut(bodies, bodies).copy_from(&(&p * sigma));
        for j in 0..bodies {
            a[(bodies + j, j)] += sigma.recip();
        }
        a.rows_mut(2 * bodies, n - bodies).copy_from(&-x.rows(bodies, n - bodies));
        let mut list: Vec<Complex<f64>> = eigenvalues(&a)?.into_iter().map(|t| t.inv() + sigma).collect();
        list.sort_by(|x, y| x.norm().total_cmp(&y.norm()));
        Ok(Some(list))
    }
}

/// Sorts eigenvalues: growth without vibration first, then by size, then by frequency.
fn sort(values: &mut [Complex<f64>]) {
    let key = |s: &Complex<f64>| if s.im == 0.0 && s.re > 0.0 { 0.0 } else { s.norm() };
    values.sort_by(|x, y| key(x).total_cmp(&key(y)).then(x.im.total_cmp(&y.im)));
}

/// Eigenvalues by the QR algorithm, after balancing.
pub fn eigenvalues(a: &DMatrix<f64>) -> Result<Vec<Complex<f64>>, AnalysisError> {
    decompositions::eigenvalues(a.clone()).ok_or(AnalysisError::Eigenvalues { size: a.nrows() })
}
