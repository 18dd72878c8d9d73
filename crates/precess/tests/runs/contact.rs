//! Events of a contact: a top that falls onto a plane, pushes and leaves it.

use crate::common::*;
use crate::events::{G, bliedf, stabilized};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};
use precess::formulation::Formulation;
use precess::integrate::InitialValues;
use precess::lie::Product;
use precess::mechanics::event::{OFF, ON};
use precess::mechanics::{Action, At, Direction, Energy, Event, System, Tangents};
use precess::methods::method;
use precess::problems::HeavyTop;
use precess::study::{Run, larger};

/// The spin-free top of adaptive.md (contactL): it falls from the horizontal onto a plane z = -0.9 with F =
/// 1e6 d.
struct ContactTop {
    top: HeavyTop,
    /// With a switch in the memory, or by the sign of the gap.
    switched: bool,
    events: Vec<Event>,
}

const PLANE: f64 = -0.9;

const STIFFNESS: f64 = 1e6;

impl ContactTop {
    fn new(formulation: Formulation, switched: bool) -> Self {
        let event = |name: &str, direction, x: f64| Event {
            name: name.to_string(),
            direction,
            action: if switched { Action::Switch(vec![(0, x)]) } else { Action::Record },
            ..Event::default()
        };
        ContactTop {
            top: HeavyTop::spinning(formulation, Vector3::new(0.0, 0.0, 0.3)),
            switched,
            events: vec![event("touch", Direction::Falling, ON), event("leave", Direction::Rising, OFF)],
        }
    }

    fn gap(&self, q: &[f64]) -> f64 {
        q[6] - PLANE
    }

    fn force(&self, at: &At) -> f64 {
        let touches = if self.switched { at.memory[0] > 0.0 } else { self.gap(at.q) < 0.0 };
        if touches { -STIFFNESS * self.gap(at.q) } else { 0.0 }
    }
}

impl System for ContactTop {
    fn group(&self) -> &Product {
        self.top.group()
    }
    fn n_lambda(&self) -> usize {
        self.top.n_lambda()
    }
    fn residual(&self, at: &At, r: &mut [f64]) {
        self.top.residual(at, r);
        r[5] -= self.force(at);
    }
    fn constraint(&self, at: &At, phi: &mut [f64]) {
        self.top.constraint(at, phi);
    }
    fn velocity_constraint(&self, at: &At, out: &mut [f64]) {
        self.top.velocity_constraint(at, out);
    }
    fn acceleration_constraint(&self, at: &At, out: &mut [f64]) {
        self.top.acceleration_constraint(at, out);
    }
    fn tangents(&self, at: &At, out: &mut Tangents) {
        self.top.tangents(at, out);
        if out.want().stiffness && self.force(at) != 0.0 {
            let mut k = nalgebra::Matrix3::zeros();
            k[(2, 2)] = STIFFNESS;
            out.stiffness(3, 3, &k);
        }
    }
    fn energy(&self, at: &At) -> Option<Energy> {
        let mut energy = self.top.energy(at)?;
        energy.potential += 0.5 * self.force(at) * self.force(at) / STIFFNESS;
        Some(energy)
    }
    fn n_memory(&self) -> usize {
        1
    }
    fn events(&self) -> &[Event] {
        &self.events
    }
    fn event_values(&self, at: &At, out: &mut [f64]) {
        out.fill(self.gap(at.q));
    }
}

/// Times of the contact switches from the equations of Euler by Runge-Kutta, cut at each switch by bisection.
fn contact_switches(t_end: f64) -> Vec<f64> {
    let top = HeavyTop::spinning(Formulation::SO3, Vector3::new(0.0, 0.0, 0.3));
    let j = top.inertia_about_tip();
    let j_inverse = j.try_inverse().unwrap();
    let height = |y: &[f64; 7]| {
        (UnitQuaternion::from_quaternion(Quaternion::new(y[0], y[1], y[2], y[3])) * Vector3::y()).z
    };
    let derivative = |y: &[f64; 7], contact: bool| {
        let p = Quaternion::new(y[0], y[1], y[2], y[3]);
        let omega = Vector3::new(y[4], y[5], y[6]);
        let r = UnitQuaternion::from_quaternion(p);
        let push = if contact { STIFFNESS * (PLANE - height(y)) } else { 0.0 };
        let force = r.inverse() * Vector3::new(0.0, 0.0, push - top.m * G);
        let a = j_inverse * ((j * omega).cross(&omega) + Vector3::y().cross(&force));
        let rate = p * Quaternion::new(0.0, omega.x, omega.y, omega.z) * 0.5;
        [rate.w, rate.i, rate.j, rate.k, a.x, a.y, a.z]
    };
    let (mut t, mut y, mut contact) = (0.0, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3], false);
    let mut times = Vec::new();
    while t < t_end {
        let step = |h: f64| runge_kutta(|_, y: &[f64; 7]| derivative(y, contact), y, (0.0, h), 1);
        let crossed = |y: &[f64; 7]| (height(y) < PLANE) != contact;
        let mut h = 2e-5;
        if crossed(&step(h)) {
            let mut low = 0.0;
            for _ in 0..60 {
                let m = 0.5 * (low + h);
                if crossed(&step(m)) { h = m } else { low = m }
            }
            y = step(h);
            contact = !contact;
            times.push(t + h);
        } else {
            y = step(h);
        }
        t += h;
    }
    times
}

#[test]
fn all_eight_contact_switches_are_found() {
    let exact = contact_switches(4.0);
    assert_eq!(exact.len(), 8, "{exact:?}");
    for (switched, formulation, method_name) in [
        (false, Formulation::R3SO3, "gen-alpha"),
        (true, Formulation::R3SO3, "gen-alpha"),
        (true, Formulation::R3SO3, "bliedf"),
    ] {
        let system = ContactTop::new(formulation, switched);
        let mut errors = Vec::new();
        for h in [1e-3, 5e-4, 2.5e-4] {
            let mut state =
                InitialValues::new(&system.top.q_0(), &system.top.v_0()).consistent(&system).unwrap();
            let options = if method_name == "bliedf" { bliedf() } else { stabilized() };
            let mut integrator = method(method_name, &options).unwrap();
            let summary = Run::new(h, 4.0).run(&system, &mut *integrator, &mut state, &mut ()).unwrap();
            let found: Vec<f64> = summary.events.iter().map(|e| e.t).collect();
            assert_eq!(found.len(), 8, "{method_name} h = {h}: {found:?} {exact:?}");
            errors.push(found.iter().zip(&exact).map(|(a, b)| (a - b).abs()).fold(0.0, larger));
        }
        println!("{method_name}, switched {switched}: {errors:?}");
        match method_name {
            "bliedf" => assert!(errors[2] < errors[1] / 8.0 && errors[2] < 1e-5, "{errors:?}"),
            _ if switched => assert_order("contact with a switch", &errors[1..], 1.8..=2.2),
            _ => assert!(errors[2] < 1e-3, "{errors:?}"),
        }
    }
}
