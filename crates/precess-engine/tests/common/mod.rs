//! Random elements and difference quotients of high order.
#![allow(dead_code)]

pub mod pendulum;

use nalgebra::{Matrix6, SVector, Vector3, Vector6};
use precess_engine::flex::{Element, Section, Tangent};
use precess_lie::Largest;
use precess_lie::{LieGroup, SE3};

pub type Pose = SVector<f64, 7>;

/// Numbers between -1 and 1, the same in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    pub fn vector(&mut self) -> Vector6<f64> {
        Vector6::from_fn(|_, _| self.next())
    }

    /// With a rotation by at most `angle`.
    pub fn difference(&mut self, angle: f64) -> Vector6<f64> {
        let (mut d, size) = (self.vector(), angle * self.next().abs());
        let phi = d.fixed_rows::<3>(0).normalize() * size;
        d.fixed_rows_mut::<3>(0).copy_from(&phi);
        d
    }

    pub fn pose(&mut self) -> Pose {
        SE3::exp(&(self.vector() * 2.0))
    }
}

/// An element with coupled stiffness and a curved reference, and two poses of its nodes that turn by at most
/// `angle`.
pub fn random_element(random: &mut Random, angle: f64) -> (Element, [Pose; 2]) {
    let mut root = Matrix6::identity() * 1.5;
    root += Matrix6::from_fn(|_, _| 0.3 * random.next());
    let section = Section::coupled(root * root.transpose(), 0.7, Vector3::new(0.3, 0.1, 0.25)).unwrap();
    let a = random.pose();
    let element = Element::new(&section, &a, &SE3::retract(&a, &random.difference(1.0))).unwrap();
    let b = SE3::retract(&a, &random.difference(angle));
    (element, [a, b])
}

/// Derivative at 0 by a central quotient of order 8.
pub fn derivative<const N: usize>(h: f64, f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let weights = [4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0];
    let mut sum = SVector::zeros();
    for (i, w) in weights.iter().enumerate() {
        let x = h * (i + 1) as f64;
        sum += (f(x) - f(-x)) * (*w / h);
    }
    sum
}

/// Both nodes as one column.
pub fn stack(f: &[Vector6<f64>; 2]) -> SVector<f64, 12> {
    SVector::from_fn(|i, _| if i < 6 { f[0][i] } else { f[1][i - 6] })
}

/// Column `j` of blocks.
pub fn column(t: &Tangent, j: usize) -> SVector<f64, 12> {
    let (upper, lower, j) = if j < 6 { (&t.aa, &t.ba, j) } else { (&t.ab, &t.bb, j - 6) };
    SVector::from_fn(|i, _| if i < 6 { upper[(i, j)] } else { lower[(i - 6, j)] })
}

/// The largest difference between blocks and the derivative of `f`, a function of changes of both nodes, over
/// the size of the blocks.
pub fn compare(t: &Tangent, h: f64, f: impl Fn(&[Vector6<f64>; 2]) -> [Vector6<f64>; 2]) -> f64 {
    let size = [t.aa, t.ab, t.ba, t.bb]
        .iter()
        .map(|m| m.largest())
        .fold(1.0, |a: f64, b| if a.is_nan() || a > b { a } else { b });
    let mut worst = 0.0;
    for j in 0..12 {
        let along = |x: f64| {
            let mut w = [Vector6::zeros(); 2];
            w[j / 6][j % 6] = x;
            stack(&f(&w))
        };
        let difference = (column(t, j) - derivative(h, along)).largest();
        // Keeps NaN.
        worst = if difference <= worst { worst } else { difference };
    }
    worst / size
}
