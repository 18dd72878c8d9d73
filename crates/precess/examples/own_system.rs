//! Your own system in three functions: a rigid plate whose corner slides without friction down a helical
//! wire. Run it by `cargo run --release -p precess --example own_system`.

use nalgebra::Vector3;
use precess::integrate::{Form, GeneralizedAlpha, Implicit, InitialValues};
use precess::lie::rotation::{rotate, rotate_inverse};
use precess::lie::{Factor, Product};
use precess::mechanics::{At, Energy, System};
use precess::study::{Run, Sample};

const MASS: f64 = 2.0;
const INERTIA: Vector3<f64> = Vector3::new(0.02, 0.03, 0.05); // principal moments about the centre of mass
const CORNER: Vector3<f64> = Vector3::new(-0.3, 0.2, 0.1); // seen from the centre of mass, in the body frame
const GRAVITY: Vector3<f64> = Vector3::new(0.0, 0.0, -9.81);
const RADIUS: f64 = 0.5; // of the wire (RADIUS cos(z/PITCH), RADIUS sin(z/PITCH), z)
const PITCH: f64 = 0.2;

/// What you keep: the configuration space, and your parameters if they are not constants.
pub struct Plate(pub Product);

impl System for Plate {
    /// The group fixes the layout of q and v. A rigid body on R^3 x SO(3) has q = (quaternion with the scalar
    /// first, position x) and v = (angular velocity in the body frame, x' in space). `Factor::Rn(n)` is for
    /// all else.
    fn group(&self) -> &Product {
        &self.0
    }
    /// Two equations hold the corner on the wire.
    fn n_lambda(&self) -> usize {
        2
    }
    /// Phi(q, t), zero on the wire.
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        let q = at.q;
        let p = corner(q);
        phi[0] = p.x - RADIUS * (p.z / PITCH).cos();
        phi[1] = p.y - RADIUS * (p.z / PITCH).sin();
    }
    /// r = M v' + g(q, v, t) + B^T lambda, all on one side. Virtual work gives B^T lambda without writing B
    /// down: lambda . Phi changes like a force f moved with the corner, and f at the corner acts as (p x R^T
    /// f, f).
    fn residual(&self, at: &At, r: &mut [f64]) {
        let (omega, omega_dot, x_ddot) = (vec3(at.v), vec3(at.vdot), vec3(&at.vdot[3..]));
        let (sin, cos) = (corner(at.q).z / PITCH).sin_cos();
        let along = RADIUS / PITCH * (at.lambda[0] * sin - at.lambda[1] * cos);
        let f = Vector3::new(at.lambda[0], at.lambda[1], along);
        let moment = INERTIA.component_mul(&omega_dot)
            + omega.cross(&INERTIA.component_mul(&omega))
            + CORNER.cross(&rotate_inverse(at.q, &f));
        r[..3].copy_from_slice(moment.as_slice());
        r[3..].copy_from_slice((MASS * (x_ddot - GRAVITY) + f).as_slice());
    }
    /// Optional, like B v, tangents and names. Derivatives that are not given come from difference quotients,
    /// which keep the order of the methods and make a run about ten times slower.
    fn energy(&self, at: &At) -> Option<Energy> {
        let (q, v) = (at.q, at.v);
        let (omega, u) = (vec3(v), vec3(&v[3..]));
        Some(Energy {
            kinetic: 0.5 * (omega.dot(&INERTIA.component_mul(&omega)) + MASS * u.dot(&u)),
            potential: -MASS * GRAVITY.dot(&vec3(&q[4..])),
        })
    }
}

/// The corner in space, x + R p.
fn corner(q: &[f64]) -> Vector3<f64> {
    vec3(&q[4..]) + rotate(q, &CORNER)
}

fn vec3(x: &[f64]) -> Vector3<f64> {
    Vector3::from_column_slice(&x[..3])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plate = Plate(Product::new([Factor::R3xSO3]));
    // At rest with the corner at (RADIUS, 0, 0). Consistent: Phi = 0 and B v = 0 are checked, v' and lambda
    // computed.
    let x = Vector3::new(RADIUS, 0.0, 0.0) - CORNER;
    let (q_0, v_0) = ([1.0, 0.0, 0.0, 0.0, x.x, x.y, x.z], [0.0; 6]);
    let mut state = InitialValues::new(&q_0, &v_0).consistent(&plate)?;
    let mut method = Implicit::new(GeneralizedAlpha::new(0.9, Form::StabilizedIndex2)?);

    let energy = |at: &At| plate.energy(at).map_or(0.0, |e| e.total());
    let energy_0 = energy(&state.at());
    println!("   t      corner x   corner y   corner z   E - E(0)       |Phi|");
    let mut print = |s: &Sample| {
        if s.step.is_multiple_of(250) {
            let (at, mut phi) = (s.state.at(), [0.0_f64; 2]);
            plate.constraint(&at, &mut phi);
            let (p, e) = (corner(at.q), energy(&at) - energy_0);
            print!("{:6.2} {:10.6} {:10.6} {:10.6} ", at.t, p.x, p.y, p.z);
            println!("{e:11.2e} {:11.1e}", phi[0].hypot(phi[1]));
        }
    };
    Run::new(1e-3, 2.0).run(&plate, &mut method, &mut state, &mut print)?;
    Ok(())
}
