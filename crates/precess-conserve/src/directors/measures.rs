//! Joint coordinates and strains of bushings as functions of q, with their forces. They are products of
//! body-fixed directions and distances, hence quadratic invariants. Energy-momentum schemes keep energy and
//! momenta with potentials of them.
//!
//! ```text
//! displacement  y = a_3 . (r_b - r_a)
//! angle         y = atan2(a_2 . b_1, a_1 . b_1)
//! bushing       y = (a_i . (r_b - r_a), 2 n_i / D)
//!               n the axial vector of C - C^T,  D = 1 + tr C,  C_ij = a_i . b_j
//! ```
//!
//! Potentials do not count turns: the spring of an angle works up to [`MAX_TURN`] from the
//! assembled position.

use precess_lie::matrix::SmallMatrix;
use std::sync::Arc;

use nalgebra::{Matrix6, SMatrix, Vector6};

use super::joints::{Sides, direction, point};
use crate::constraint::{Composed, ROOM, sorted_index};
use crate::{Affine, Holonomic, Law, Load, Potential, Quadratic, Term};
use precess_engine::Error;
use precess_engine::mechanics::Function;
use precess_engine::mechanics::function::Argument;
use precess_engine::mechanics::kernels::{Angle, Gibbs, Marker, SpringDamper};

/// Largest angle of a torsional spring, or of an actuator that depends on its angle, from the assembled
/// position.
pub const MAX_TURN: f64 = 3.0;

/// atan2(s, c) of (c, s).
#[derive(Clone, Copy, Debug)]
struct TurnAngle {
    /// NaN beyond [`MAX_TURN`].
    limited: bool,
}

impl Potential for TurnAngle {
    fn value(&self, x: &[f64]) -> f64 {
        let angle = x[1].atan2(x[0]);
        let lost = x[0] * x[0] + x[1] * x[1] < Angle::MIN_MARGIN || (self.limited && angle.abs() > MAX_TURN);
        if lost { f64::NAN } else { angle }
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        let r_2 = x[0] * x[0] + x[1] * x[1];
        out.copy_from_slice(&[-x[1] / r_2, x[0] / r_2]);
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        let r_4 = (x[0] * x[0] + x[1] * x[1]).powi(2);
        let (a, b) = (2.0 * x[0] * x[1] / r_4, (x[1] * x[1] - x[0] * x[0]) / r_4);
        out.copy_from_slice(&[a, b, b, -a]);
    }
}

/// V = x (k x/2 + f_0), x = angle + shift.
#[derive(Clone, Copy, Debug)]
struct Torsion {
    k: f64,
    f_0: f64,
    shift: f64,
}

impl Torsion {
    fn tension(&self, x: &[f64]) -> f64 {
        self.k * (TurnAngle { limited: true }.value(x) + self.shift) + self.f_0
    }
}

impl Potential for Torsion {
    fn value(&self, x: &[f64]) -> f64 {
        let y = TurnAngle { limited: true }.value(x) + self.shift;
        y * (0.5 * self.k * y + self.f_0)
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        TurnAngle { limited: true }.gradient(x, out);
        out.iter_mut().for_each(|o| *o *= self.tension(x));
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        let (polar, mut d) = (TurnAngle { limited: true }, [0.0; 2]);
        polar.gradient(x, &mut d);
        polar.hessian(x, out);
        for i in 0..2 {
            for j in 0..2 {
                out[2 * i + j] = self.tension(x) * out[2 * i + j] + self.k * d[i] * d[j];
            }
        }
    }
}

/// 2 n/D of (n, D).
#[derive(Clone, Copy, Debug)]
struct Ratio;

impl Potential for Ratio {
    fn value(&self, x: &[f64]) -> f64 {
        if x[1] < Gibbs::MIN_MARGIN { f64::NAN } else { 2.0 * x[0] / x[1] }
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[2.0 / x[1], -2.0 * x[0] / (x[1] * x[1])]);
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        let mixed = -2.0 / (x[1] * x[1]);
        out.copy_from_slice(&[0.0, mixed, mixed, 4.0 * x[0] / x[1].powi(3)]);
    }
}

/// y . k y/2 of three displacements and, if it has rotations, of n_1, n_2, n_3 and D.
#[derive(Clone, Debug)]
struct ElasticPotential {
    k: Matrix6<f64>,
}

impl ElasticPotential {
    /// y and its derivatives.
    fn strain(x: &[f64]) -> (Vector6<f64>, SMatrix<f64, 6, 7>) {
        let (mut y, mut j) = (Vector6::zeros(), SMatrix::<f64, 6, 7>::zeros());
        for i in 0..3 {
            (y[i], j[(i, i)]) = (x[i], 1.0);
            if x.len() > 3 {
                let mut d = [0.0; 2];
                Ratio.gradient(&[x[3 + i], x[6]], &mut d);
                y[3 + i] = Ratio.value(&[x[3 + i], x[6]]);
                (j[(3 + i, 3 + i)], j[(3 + i, 6)]) = (d[0], d[1]);
            }
        }
        (y, j)
    }
}

impl Potential for ElasticPotential {
    fn value(&self, x: &[f64]) -> f64 {
        let y = Self::strain(x).0;
        0.5 * y.inner(&(self.k * y))
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        let (y, j) = Self::strain(x);
        let g = j.transposed_times(&(self.k * y));
        out.copy_from_slice(&g.as_slice()[..x.len()]);
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        let (n, (y, j)) = (x.len(), Self::strain(x));
        let (s, mut h) = (self.k * y, j.transposed_times(&(self.k * j)));
        if n > 3 {
            for i in 0..3 {
                let mut bend = [0.0; 4];
                Ratio.hessian(&[x[3 + i], x[6]], &mut bend);
                h[(3 + i, 6)] += s[3 + i] * bend[1];
                h[(6, 3 + i)] += s[3 + i] * bend[1];
                h[(6, 6)] += s[3 + i] * bend[3];
            }
        }
        for a in 0..n {
            for b in 0..n {
                out[a * n + b] = h[(a, b)];
            }
        }
    }
}

/// A joint coordinate between two markers.
pub struct JointCoordinate {
    invariants: Vec<Quadratic>,
    is_angle: bool,
    /// Value in the assembled position.
    zero: f64,
}

fn arm(sides: Sides, a: &Marker, b: &Marker) -> Affine {
    point(sides.b, &b.p).plus(-1.0, &point(sides.a, &a.p))
}

fn dot(x: &Affine, y: &Affine) -> Quadratic {
    Quadratic::dot(x, y, 0.0, 1.0)
}

impl JointCoordinate {
    /// Angle or displacement; `zero` is its value in the assembled position.
    pub fn new(sides: Sides, a: &Marker, b: &Marker, is_angle: bool, zero: f64) -> Self {
        let invariants = if is_angle {
            let turned = direction(sides.b, &b.axis(0));
            [0, 1].map(|k| dot(&direction(sides.a, &a.axis(k)), &turned)).to_vec()
        } else {
            vec![dot(&direction(sides.a, &a.axis(2)), &arm(sides, a, b))]
        };
        JointCoordinate { invariants, is_angle, zero }
    }

    /// The invariants of the coordinate: one, or cosine and sine.
    pub fn invariants(&self) -> &[Quadratic] {
        &self.invariants
    }

    /// Value where the invariant of a displacement, or the sine of an angle, is zero.
    pub fn zero(&self) -> f64 {
        self.zero
    }

    /// The potential of a spring.
    pub fn spring(&self, law: &SpringDamper) -> Term {
        let shift = self.zero - law.y0;
        let law: Arc<dyn Potential> = if self.is_angle {
            Arc::new(Torsion { k: law.k, f_0: law.f0, shift })
        } else {
            Arc::new(LinearPotential { k: law.k, f_0: law.f0, shift })
        };
        Term { invariants: self.invariants.clone(), law: Law::General(law) }
    }

    fn function(&self, limited: bool) -> Result<Holonomic, Error> {
        Ok(if self.is_angle {
            Composed::new(self.invariants.clone(), Arc::new(TurnAngle { limited }))?.into()
        } else {
            self.invariants[0].clone().into()
        })
    }

    /// A damper.
    pub fn damper(&self, c: f64) -> Result<MeasuredForce, Error> {
        let law = Strength::Damping(Box::new(Matrix6::from_diagonal_element(c)));
        Ok(MeasuredForce::new(vec![self.function(false)?], law))
    }

    /// An actuator u(t, y, y').
    pub fn actuator(&self, value: &Function) -> Result<MeasuredForce, Error> {
        let probe = |x: f64| value.slope(Argument { t: 0.37, x, v: 0.21 }).x != 0.0;
        let reads = [-1.3, 0.4, 2.1].into_iter().any(probe);
        Ok(MeasuredForce::new(vec![self.function(reads)?], Strength::Actuator(value.clone(), self.zero)))
    }
}

/// V = x (k x/2 + f_0), x = displacement + shift.
#[derive(Clone, Copy, Debug)]
struct LinearPotential {
    k: f64,
    f_0: f64,
    shift: f64,
}

impl Potential for LinearPotential {
    fn value(&self, x: &[f64]) -> f64 {
        let y = x[0] + self.shift;
        y * (0.5 * self.k * y + self.f_0)
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        out[0] = self.k * (x[0] + self.shift) + self.f_0;
    }
    fn hessian(&self, _x: &[f64], out: &mut [f64]) {
        out[0] = self.k;
    }
}

/// True if a bushing reads rotations.
pub fn rotates(m: &Matrix6<f64>) -> bool {
    m.fixed_view::<6, 3>(0, 3).amax() > 0.0 || m.fixed_view::<3, 6>(3, 0).amax() > 0.0
}

/// A bushing between two markers in a model of this length: its potential, and its damper if it has one.
pub fn bushing(
    sides: Sides,
    (a, b): (&Marker, &Marker),
    k: &Matrix6<f64>,
    c: &Matrix6<f64>,
    length: f64,
) -> Result<(Term, Option<MeasuredForce>), Error> {
    let axis_a: [Affine; 3] = std::array::from_fn(|i| direction(sides.a, &a.axis(i)));
    let axis_b: [Affine; 3] = std::array::from_fn(|i| direction(sides.b, &b.axis(i)));
    let arm = arm(sides, a, b);
    let mut invariants: Vec<Quadratic> =
        axis_a.iter().map(|e| Quadratic::dot(e, &arm, 0.0, length.recip())).collect();
    let mut strains: Vec<Holonomic> = axis_a.iter().map(|e| dot(e, &arm).into()).collect();
    if rotates(k) || rotates(c) {
        let trace: Vec<_> = (0..3).map(|i| (&axis_a[i], &axis_b[i], 1.0)).collect();
        let trace = Quadratic::products(1.0, &trace);
        for i in 0..3 {
            let (j, l) = ((i + 1) % 3, (i + 2) % 3);
            let n =
                Quadratic::products(0.0, &[(&axis_a[l], &axis_b[j], 1.0), (&axis_a[j], &axis_b[l], -1.0)]);
            invariants.push(n.clone());
            strains.push(Composed::new(vec![n, trace.clone()], Arc::new(Ratio))?.into());
        }
        invariants.push(trace);
    }
    // The discrete gradient compares changes of all invariants, so displacements are measured in lengths of
    // the model.
    let unit = Matrix6::from_diagonal(&Vector6::new(length, length, length, 1.0, 1.0, 1.0));
    let term = Term { invariants, law: Law::General(Arc::new(ElasticPotential { k: unit * k * unit })) };
    if !rotates(c) {
        strains.truncate(3);
    }
    let damper = (c.amax() > 0.0).then(|| MeasuredForce::new(strains, Strength::Damping(Box::new(*c))));
    Ok((term, damper))
}

/// A force that depends on measures y(q) of two bodies, at most six: f = sum of s_k D y_k.
#[derive(Debug)]
pub struct MeasuredForce {
    y: Vec<Holonomic>,
    law: Strength,
    /// The coordinates that it depends on, in ascending order; at most [`ROOM`].
    at: Vec<u32>,
}

#[derive(Debug)]
enum Strength {
    /// s = -c y'.
    Damping(Box<Matrix6<f64>>),
    /// s = u(t, y + zero, y').
    Actuator(Function, f64),
}

/// Forces on the measures, and their derivatives for y and y'.
struct MeasureForces {
    s: Vector6<f64>,
    of_y: f64,
    of_rate: Matrix6<f64>,
}

impl MeasuredForce {
    fn new(y: Vec<Holonomic>, law: Strength) -> Self {
        let mut at: Vec<u32> = y.iter().flat_map(|y| y.touched().iter().copied()).collect();
        at.sort_unstable();
        at.dedup();
        MeasuredForce { y, law, at }
    }

    fn forces(&self, t: f64, q: &[f64], v: &[f64]) -> MeasureForces {
        let rates = Vector6::from_fn(|k, _| self.y.get(k).map_or(0.0, |y| y.rate(q, v)));
        match &self.law {
            Strength::Damping(c) => MeasureForces { s: -(**c * rates), of_y: 0.0, of_rate: -**c },
            Strength::Actuator(u, zero) => {
                let u = u.slope(Argument { t, x: self.y[0].value(q) + zero, v: rates[0] });
                let (s, of_rate) = (Vector6::repeat(u.value), Matrix6::repeat(u.v));
                MeasureForces { s, of_y: u.x, of_rate }
            }
        }
    }
}

impl Load for MeasuredForce {
    fn add(&self, t: f64, q: &[f64], v: &[f64], weight: f64, out: &mut [f64]) {
        let s = self.forces(t, q, v).s;
        for (y, s) in self.y.iter().zip(s.iter()) {
            y.add_gradient(q, weight * s, out);
        }
    }

    fn tangents(
        &self,
        t: f64,
        q: &[f64],
        v: &[f64],
        q_entry: &mut dyn FnMut(usize, usize, f64),
        v_entry: &mut dyn FnMut(usize, usize, f64),
    ) {
        let MeasureForces { s, of_y, of_rate } = self.forces(t, q, v);
        // D y_k and D^2 y_k v with one entry per coordinate, since a rotation of a bushing is a sum of some
        // 500 products.
        let (n, m) = (self.at.len(), self.y.len());
        let (mut slope, mut bent) = ([[0.0; ROOM]; 6], [[0.0; ROOM]; 6]);
        for (k, y) in self.y.iter().enumerate() {
            y.each_gradient(q, |i, x| slope[k][sorted_index(&self.at, i)] += x);
            y.each_hessian_times(q, v, |i, x| bent[k][sorted_index(&self.at, i)] += x);
            if s[k] != 0.0 {
                y.each_hessian(q, |i, j, x| q_entry(i, j, s[k] * x));
            }
        }
        // Derivatives of s_k for q and v, then sum of D y_k (D s_k)^T.
        let (mut by_q, mut by_v) = ([[0.0; ROOM]; 6], [[0.0; ROOM]; 6]);
        for (k, l) in (0..m).flat_map(|k| (0..m).map(move |l| (k, l))) {
            for j in 0..n {
                by_v[k][j] += of_rate[(k, l)] * slope[l][j];
                by_q[k][j] += of_rate[(k, l)] * bent[l][j] + of_y * slope[l][j];
            }
        }
        for (a, &i) in self.at.iter().enumerate() {
            for (b, &j) in self.at.iter().enumerate() {
                let sum = |by: &[[f64; ROOM]; 6]| (0..m).map(|k| slope[k][a] * by[k][b]).sum::<f64>();
                q_entry(i as usize, j as usize, sum(&by_q));
                v_entry(i as usize, j as usize, sum(&by_v));
            }
        }
    }

    fn touched(&self) -> Vec<u32> {
        self.at.clone()
    }
}
