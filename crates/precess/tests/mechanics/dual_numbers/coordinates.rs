//! Euler parameters and Tait-Bryan angles against dual numbers. Angular velocity and acceleration come from
//! the quaternion and its time derivatives here, omega = 2 q* q' and omega' = 2 q* q'', and forces from
//! virtual work: no formula of the formulations is used.

// Helpers of tests fail as tests do.
#![allow(clippy::panic, clippy::unwrap_used)]

use super::*;
use precess::mechanics::BodyKind;
use precess::mechanics::Multibody;

type Quaternion = [Dual; 4];

/// A quaternion with its first and second time derivative.
type Jet = [Quaternion; 3];

fn product(a: &Quaternion, b: &Quaternion) -> Quaternion {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

fn sum(a: Quaternion, b: Quaternion) -> Quaternion {
    std::array::from_fn(|i| a[i] + b[i])
}

/// The product of two jets by the product rule.
fn jet_product(a: &Jet, b: &Jet) -> Jet {
    let mixed = product(&a[1], &b[1]);
    let second = sum(sum(product(&a[2], &b[0]), product(&a[0], &b[2])), sum(mixed, mixed));
    [product(&a[0], &b[0]), sum(product(&a[1], &b[0]), product(&a[0], &b[1])), second]
}

/// 2 Im(q* x).
fn spin(q: &Quaternion, x: &Quaternion) -> Vector3<Dual> {
    let two = Dual::of(2.0);
    let y = product(&[q[0], -q[1], -q[2], -q[3]], x);
    Vector3::new(two * y[1], two * y[2], two * y[3])
}

/// Parameters p of a rotation with p' and p'': the quaternion over time.
type Description = fn(&[Dual], &[Dual], &[Dual]) -> Jet;

/// The normalised quaternion u = p/n, n = |p|.
fn euler_parameters(p: &[Dual], rate: &[Dual], acceleration: &[Dual]) -> Jet {
    let dot = |a: &[Dual], b: &[Dual]| a.iter().zip(b).fold(Dual::zero(), |s, (a, b)| s + *a * *b);
    let n = dot(p, p).sqrt();
    let n_1 = dot(p, rate) / n;
    let n_2 = (dot(rate, rate) + dot(p, acceleration) - n_1 * n_1) / n;
    let u: Quaternion = std::array::from_fn(|i| p[i] / n);
    let u_1: Quaternion = std::array::from_fn(|i| (rate[i] - u[i] * n_1) / n);
    let two = Dual::of(2.0);
    let u_2 = std::array::from_fn(|i| (acceleration[i] - two * u_1[i] * n_1 - u[i] * n_2) / n);
    [u, u_1, u_2]
}

/// Rotations about x, y and z, one after the other.
fn tait_bryan(p: &[Dual], rate: &[Dual], acceleration: &[Dual]) -> Jet {
    let half = Dual::of(0.5);
    let about = |i: usize| -> Jet {
        let (s, c) = (p[i] * half).sin_cos();
        let (w, a) = (rate[i] * half, acceleration[i] * half);
        let place = |cosine: Dual, sine: Dual| {
            let mut q = [Dual::zero(); 4];
            (q[0], q[1 + i]) = (cosine, sine);
            q
        };
        [place(c, s), place(-s * w, c * w), place(-c * w * w - s * a, -s * w * w + c * a)]
    };
    jet_product(&jet_product(&about(0), &about(1)), &about(2))
}

/// Equations in parameters, by dual numbers.
struct Classical<'a> {
    physics: &'a Physics<Dual>,
    group: &'a Product,
    /// Number of parameters of a rotation; four have a constraint.
    n: usize,
    describe: Description,
}

/// q_c, q_c', q_c'' and multipliers.
struct Arguments {
    t: Dual,
    q: Vec<Dual>,
    v: Vec<Dual>,
    vdot: Vec<Dual>,
    lambda: Vec<Dual>,
    memory: Vec<Dual>,
}

/// The residual, Phi and its rate.
type Three = [Vec<Dual>; 3];

impl Classical<'_> {
    /// Places of parameters in q_c, of the quaternion in q and of the angular velocity in v; then those of
    /// linear coordinates with their number.
    fn places(&self) -> (Vec<[usize; 3]>, Vec<[usize; 4]>) {
        let (mut turns, mut linear, mut c) = (Vec::new(), Vec::new(), 0);
        for (i, factor) in self.group.factors().iter().enumerate() {
            let (q, v) = (self.group.q_range(i).start, self.group.v_range(i).start);
            match factor {
                Factor::R3xSO3 => {
                    turns.push([c, q, v]);
                    linear.push([c + self.n, q + 4, v + 3, 3]);
                    c += self.n + 3;
                }
                Factor::Rn(n) => {
                    linear.push([c, q, v, *n]);
                    c += n;
                }
                _ => panic!("{factor:?}"),
            }
        }
        (turns, linear)
    }

    fn equations(&self, x: &Arguments) -> Three {
        let (turns, linear) = self.places();
        let (k, m) = (self.group.dim(), x.lambda.len());
        let own = if self.n == 4 { turns.len() } else { 0 };
        let mut q = vec![Dual::zero(); self.group.repr()];
        let (mut v, mut vdot) = (vec![Dual::zero(); k], vec![Dual::zero(); k]);
        for &[c, i, j] in &turns {
            let at = c..c + self.n;
            let jet = (self.describe)(&x.q[at.clone()], &x.v[at.clone()], &x.vdot[at]);
            q[i..i + 4].copy_from_slice(&jet[0]);
            v[j..j + 3].copy_from_slice(spin(&jet[0], &jet[1]).as_slice());
            vdot[j..j + 3].copy_from_slice(spin(&jet[0], &jet[2]).as_slice());
        }
        for &[c, i, j, n] in &linear {
            q[i..i + n].copy_from_slice(&x.q[c..c + n]);
            v[j..j + n].copy_from_slice(&x.v[c..c + n]);
            vdot[j..j + n].copy_from_slice(&x.vdot[c..c + n]);
        }
        let lambda = &x.lambda[..m - own];
        let at = At { t: x.t, q: &q, v: &v, vdot: &vdot, lambda, s: &[], memory: &x.memory };
        let mut r = vec![Dual::zero(); k];
        let (mut phi, mut rate) = (vec![Dual::zero(); m - own], vec![Dual::zero(); m - own]);
        let out = Equations { r: Some(&mut r), phi: Some(&mut phi), velocity: Some(&mut rate) };
        self.physics.equations(&at, out);
        let mut force = vec![Dual::zero(); x.v.len()];
        for (number, &[c, _, j]) in turns.iter().enumerate() {
            // Virtual work: a unit rate of one parameter turns the body by its angular velocity.
            let zero = vec![Dual::zero(); self.n];
            for i in 0..self.n {
                let mut unit = zero.clone();
                unit[i] = Dual::of(1.0);
                let jet = (self.describe)(&x.q[c..c + self.n], &unit, &zero);
                let turn = spin(&jet[0], &jet[1]);
                force[c + i] = turn.x * r[j] + turn.y * r[j + 1] + turn.z * r[j + 2];
            }
            if self.n == 4 {
                let (own, own_rate) = self.own(number, c, x, m - turns.len() + number, &mut force);
                phi.push(own);
                rate.push(own_rate);
            }
        }
        for &[c, _, j, n] in &linear {
            force[c..c + n].copy_from_slice(&r[j..j + n]);
        }
        [force, phi, rate]
    }

    /// (p.p - 1)/2 with its force and rate, and the inertia J_0 of the stretch s = ln(p.p): J_0 s'' ds/dp.
    fn own(&self, body: usize, c: usize, x: &Arguments, row: usize, force: &mut [Dual]) -> (Dual, Dual) {
        let rigid = self.physics.bodies.list.iter().filter_map(|b| match b.kind {
            BodyKind::Rigid { inertia } => Some(inertia.trace() / Dual::of(3.0)),
            BodyKind::PointMass => None,
        });
        let j_0 = rigid.collect::<Vec<_>>()[body];
        let dot = |a: &[Dual], b: &[Dual]| (c..c + 4).fold(Dual::zero(), |s, i| s + a[i] * b[i]);
        let (square, two) = (dot(&x.q, &x.q), Dual::of(2.0));
        let first = two * dot(&x.q, &x.v) / square;
        let second = two * (dot(&x.q, &x.vdot) + dot(&x.v, &x.v)) / square - first * first;
        for i in c..c + 4 {
            force[i] += x.q[i] * (x.lambda[row] + two * j_0 * second / square);
        }
        ((square - Dual::of(1.0)) / two, dot(&x.q, &x.v))
    }
}

fn derivatives(x: &[Dual]) -> Vec<f64> {
    x.iter().map(|x| x.dx).collect()
}

fn arguments(state: &State, d: &Direction) -> Arguments {
    let with = |x: &[f64], dx: &[f64]| match dx.is_empty() {
        true => x.iter().map(|x| Dual::of(*x)).collect(),
        false => along(x, dx),
    };
    Arguments {
        t: Dual::new(state.t, d.t),
        q: with(&state.q, d.q),
        v: with(&state.v, d.v),
        vdot: with(&state.vdot, d.vdot),
        lambda: with(&state.lambda, d.lambda),
        memory: with(&state.memory, &[]),
    }
}

/// All derivatives of a model in these parameters.
fn check(name: &str, text: &str, formulation: Formulation, n: usize, describe: Description) {
    let loaded = load("m.toml", text, &[]).unwrap_or_else(|e| panic!("{name}: {e}"));
    let plain = build(&loaded.model, Formulation::R3SO3).unwrap();
    let multibody = Multibody::of(&*plain.system).unwrap();
    let physics = Physics::combine(&[multibody.physics()], &|x| Dual::of(x(0))).unwrap();
    let classical = Classical { physics: &physics, group: plain.system.group(), n, describe };
    let built = build(&loaded.model, formulation).unwrap_or_else(|e| panic!("{name}: {e}"));
    let system = &*built.system;
    for seed in 0..3 {
        let state = state(&built, seed);
        let (k, m) = (state.v.len(), state.lambda.len());
        let w: Vec<f64> = (0..k).map(|i| noise(i + 400, seed)).collect();
        let l: Vec<f64> = (0..m).map(|i| noise(i + 500, seed)).collect();
        let what = |x: &str| format!("{name}, {formulation}, {x}");
        let by = |d: Direction| classical.equations(&arguments(&state, &d)).map(|x| derivatives(&x));
        let mut r = vec![0.0; k];
        system.residual(&state.at(), &mut r);
        let here = classical.equations(&arguments(&state, &Direction::default()));
        compare(&what("residual"), &r, &here[0].iter().map(|x| x.x).collect::<Vec<_>>());
        let mut t = Tangents::of(system);
        let want = |c_m, c_d| Want { c_m, c_d, stiffness: true, constraint: true, curvature: true };
        let of_position = |mut x: Vec<f64>| {
            system.velocity_rows().iter().for_each(|&i| x[i] = 0.0);
            x
        };
        t.evaluate(system, &state.at(), want(0.0, 1.0));
        let [r, phi, rate] = by(Direction { q: &w, ..Direction::default() });
        compare(&what("K"), &times(&t.k, &w), &r);
        compare(&what("B"), &of_position(times(&t.b, &w)), &phi);
        compare(&what("Y"), &times(&t.y, &w), &rate);
        let [r, _, rate] = by(Direction { v: &w, ..Direction::default() });
        compare(&what("D"), &times(&t.s, &w), &r);
        compare(&what("B of v"), &times(&t.b, &w), &rate);
        let mut forces = vec![0.0; k];
        t.b.gemv_transpose(1.0, &l, &mut forces);
        if t.has_friction() {
            t.g_lambda.gemv(1.0, &l, &mut forces);
        }
        compare(&what("B^T"), &forces, &by(Direction { lambda: &l, ..Direction::default() })[0]);
        t.evaluate(system, &state.at(), want(1.0, 0.0));
        compare(&what("M"), &times(&t.s, &w), &by(Direction { vdot: &w, ..Direction::default() })[0]);
        let [_, phi, rate] = by(Direction { t: 1.0, q: &state.v, v: &state.vdot, ..Direction::default() });
        let (mut first, mut second) = (vec![0.0; m], vec![0.0; m]);
        system.velocity_constraint(&state.at(), &mut first);
        compare(&what("B v + Phi_t"), &of_position(first), &phi);
        system.acceleration_constraint(&state.at(), &mut second);
        compare(&what("acceleration"), &second, &rate);
    }
}

#[test]
fn derivatives_in_euler_parameters() {
    for (name, text) in models() {
        check(&name, &text, Formulation::EulerParameters, 4, euler_parameters);
    }
}

#[test]
fn derivatives_in_tait_bryan_angles() {
    for (name, text) in models() {
        check(&name, &text, Formulation::TaitBryan, 3, tait_bryan);
    }
}
