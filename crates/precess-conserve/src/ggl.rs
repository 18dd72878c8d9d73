//! The three examples of Kinon, Betsch and Schneider (2023), section 6.

use nalgebra::{Matrix3, Vector3};

use crate::{Affine, Conservative, LagrangeTop, Law, Quadratic, Term};

/// A system with its initial values.
#[derive(Clone, Debug)]
pub struct GglExample {
    /// The system.
    pub system: Conservative,
    /// Initial positions.
    pub q_0: Vec<f64>,
    /// Initial velocities.
    pub v_0: Vec<f64>,
}

const GRAVITY: f64 = 9.81;

/// V = m g e_3 . x for the 3-vector at i.
fn weight(i: usize, m: f64) -> Term {
    Term::new(Quadratic::component(&Affine::at(i), 2, m * GRAVITY), Law::Linear)
}

/// |q_j - q_i|^2.
fn between(i: usize, j: usize) -> Affine {
    Affine::at(j).plus(-1.0, &Affine::at(i))
}

/// Mathematical pendulum in three dimensions (section 6.1): m = l = 1, g = (q.q - 1)/2, released sideways.
pub fn spherical_pendulum() -> GglExample {
    let mut system = Conservative::new(&[3]);
    system.add_mass(0, 1.0);
    system.terms.push(weight(0, 1.0));
    system.constrain("length of the rod (93)", Quadratic::dot(&Affine::at(0), &Affine::at(0), 1.0, 0.5));
    system.points.push(0);
    system.gravity = Vector3::new(0.0, 0.0, -GRAVITY);
    GglExample { system, q_0: vec![1.0, 0.0, 0.0], v_0: vec![0.0, 1.0, 0.0] }
}

/// Precession rate of the gyroscopic top.
pub const OMEGA_P: f64 = 10.0;

/// Gyroscopic top in directors (section 6.2), in steady precession: its centre of mass stays at the height
/// l/2.
pub fn gyroscopic_top() -> GglExample {
    let (m, i, l) = (0.7069, 5.3014e-4, 0.075);
    let e = 0.5 * i;
    let mut system = Conservative::new(&[12]);
    system.add_mass(0, m);
    for d in [3, 6, 9] {
        system.add_mass(d, e);
        system.directions.push(d);
    }
    system.points.push(0);
    system.terms.push(weight(0, m));
    for (name, a, b) in orthonormal() {
        let (length, scale) = if a == b { (1.0, 0.5) } else { (0.0, 1.0) };
        system.constrain(name, Quadratic::dot(&Affine::at(a), &Affine::at(b), length, scale));
    }
    let tip = Affine { terms: vec![(0, 1.0 / l), (9, -1.0)], constant: Vector3::zeros() };
    for k in 0..3 {
        system.constrain("tip (104)", Quadratic::component(&tip, k, 1.0));
    }
    system.gravity = Vector3::new(0.0, 0.0, -GRAVITY);
    system.length = l;
    let j_1 = i + m * l * l;
    system.top = Some(LagrangeTop { m, l, axis: 2, j_1, j_3: i, g: GRAVITY });

    let angle = std::f64::consts::FRAC_PI_3;
    let (sin, cos) = angle.sin_cos();
    let r = Matrix3::new(1.0, 0.0, 0.0, 0.0, cos, -sin, 0.0, sin, cos);
    let omega_s = m * GRAVITY * l / (i * OMEGA_P) + (j_1 - i) / i * OMEGA_P * cos;
    let omega = OMEGA_P * Vector3::z() + omega_s * r.column(2);
    let mut q_0 = (l * r.column(2)).as_slice().to_vec();
    q_0.extend_from_slice(r.as_slice());
    let mut v_0 = Vec::new();
    for x in q_0.chunks_exact(3) {
        v_0.extend_from_slice(omega.cross(&Vector3::new(x[0], x[1], x[2])).as_slice());
    }
    GglExample { system, q_0, v_0 }
}

/// The pairs of directors in the order of (103), for directors behind a point at 0.
fn orthonormal() -> [(&'static str, usize, usize); 6] {
    [
        ("length of d_1 (103)", 3, 3),
        ("length of d_2 (103)", 6, 6),
        ("length of d_3 (103)", 9, 9),
        ("angle of d_1, d_2 (103)", 3, 6),
        ("angle of d_1, d_3 (103)", 3, 9),
        ("angle of d_2, d_3 (103)", 6, 9),
    ]
}

/// Four particles with two rigid bars and two stiff springs (section 6.3), initial values (127).
pub fn four_particles() -> GglExample {
    let mut system = Conservative::new(&[12]);
    for (k, m) in [1.0, 3.0, 2.3, 1.7].into_iter().enumerate() {
        system.add_mass(3 * k, m);
        system.points.push(3 * k);
    }
    for (i, j, k) in [(0, 6, 50.0), (3, 9, 500.0)] {
        let pi = Quadratic::dot(&between(i, j), &between(i, j), 0.0, 1.0);
        system.terms.push(Term::new(pi, Law::Square { k, pi_0: 1.0 }));
    }
    for (name, i, j) in [("bar 1-2 (117a)", 0, 3), ("bar 3-4 (117b)", 6, 9)] {
        system.constrain(name, Quadratic::dot(&between(i, j), &between(i, j), 1.0, 0.5));
    }
    let mut v_0 = vec![0.0; 12];
    v_0[11] = 2.0 / 1.7;
    GglExample { system, q_0: vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0], v_0 }
}
