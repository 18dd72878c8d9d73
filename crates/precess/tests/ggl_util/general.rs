//! Systems with constraints beyond second degree: a bead on a sinusoidal wire and a bead on a torus.

use std::sync::Arc;

use nalgebra::Vector3;
use precess::conserve::{Affine, Composed, Conservative, Law, Potential, Quadratic, Term};
use precess::problems::ggl::GglExample;

pub const G: f64 = 9.81;

fn bead(q_0: [f64; 3], v_0: [f64; 3]) -> GglExample {
    let mut system = Conservative::new(&[3]);
    system.add_mass(0, 1.0);
    system.points.push(0);
    system.gravity = Vector3::new(0.0, 0.0, -G);
    system.terms.push(Term::new(Quadratic::component(&Affine::at(0), 2, G), Law::Linear));
    GglExample { system, q_0: q_0.to_vec(), v_0: v_0.to_vec() }
}

/// z - a sin(k x) of the coordinates x, z.
#[derive(Debug)]
pub struct Wire;
pub const A: f64 = 0.3;
pub const K: f64 = 4.0;

impl Potential for Wire {
    fn value(&self, x: &[f64]) -> f64 {
        x[1] - A * (K * x[0]).sin()
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[-A * K * (K * x[0]).cos(), 1.0]);
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[A * K * K * (K * x[0]).sin(), 0.0, 0.0, 0.0]);
    }
}

pub const SPEED: f64 = 2.5;

pub fn wire() -> GglExample {
    let mut example = bead([0.0; 3], [SPEED, 0.0, A * K * SPEED]);
    example.system.constrain("wire", Composed::euclidean(&[0, 2], Arc::new(Wire)).unwrap());
    example.system.constrain("plane", Quadratic::component(&Affine::at(0), 1, 1.0));
    example
}

/// The torus (sqrt(p) - R)^2 + z^2 = r^2 in p = x^2 + y^2 and z.
#[derive(Debug)]
pub struct Torus;
pub const BIG: f64 = 1.0;
pub const SMALL: f64 = 0.4;

impl Potential for Torus {
    fn value(&self, x: &[f64]) -> f64 {
        0.5 * ((x[0].sqrt() - BIG).powi(2) + x[1] * x[1] - SMALL * SMALL)
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[0.5 * (1.0 - BIG / x[0].sqrt()), x[1]]);
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[0.25 * BIG / x[0].powf(1.5), 0.0, 0.0, 1.0]);
    }
}

/// The same of the plain coordinates.
#[derive(Debug)]
pub struct PlainTorus;

impl Potential for PlainTorus {
    fn value(&self, x: &[f64]) -> f64 {
        Torus.value(&[x[0] * x[0] + x[1] * x[1], x[2]])
    }
    fn gradient(&self, x: &[f64], out: &mut [f64]) {
        let mut c = [0.0; 2];
        Torus.gradient(&[x[0] * x[0] + x[1] * x[1], x[2]], &mut c);
        out.copy_from_slice(&[2.0 * x[0] * c[0], 2.0 * x[1] * c[0], c[1]]);
    }
    fn hessian(&self, x: &[f64], out: &mut [f64]) {
        let p = [x[0] * x[0] + x[1] * x[1], x[2]];
        let (mut c, mut h) = ([0.0; 2], [0.0; 4]);
        Torus.gradient(&p, &mut c);
        Torus.hessian(&p, &mut h);
        let entry = |i: usize, j: usize| 4.0 * x[i] * x[j] * h[0] + if i == j { 2.0 * c[0] } else { 0.0 };
        out.copy_from_slice(&[entry(0, 0), entry(0, 1), 0.0, entry(1, 0), entry(1, 1), 0.0, 0.0, 0.0, 1.0]);
    }
}

/// Rates of the angles at the start, at the outer equator.
pub const PHI_T: f64 = 1.5;
pub const PSI_T: f64 = 2.0;

pub fn torus(plain: bool) -> GglExample {
    let out = BIG + SMALL;
    let mut example = bead([out, 0.0, 0.0], [0.0, out * PHI_T, SMALL * PSI_T]);
    if plain {
        let g = Composed::euclidean(&[0, 1, 2], Arc::new(PlainTorus)).unwrap();
        example.system.constrain("torus", g);
    } else {
        let radius = Quadratic::new(0.0, &[], &[(0, 0, 1.0), (1, 1, 1.0)]);
        let height = Quadratic::component(&Affine::at(0), 2, 1.0);
        let g = Composed::new(vec![radius, height], Arc::new(Torus)).unwrap();
        example.system.constrain("torus", g);
    }
    example
}
