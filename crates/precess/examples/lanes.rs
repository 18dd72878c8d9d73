//! How close runs side by side come to what is possible: the heavy top written by hand for this one purpose,
//! alone and with several runs in the lanes of the vector unit, beside the steps of the library.
//!
//! ```text
//! cargo run --release -p precess --example lanes
//! ```
//!
//! Index-3 generalized-alpha on R^3xSO(3) as in `HeavyTop`, always two Newton iterations with the exact
//! matrix. Translation and multipliers are eliminated by hand, which leaves a 3x3 matrix for the rotation,
//! with W = y^ - (h^2/a) lambda^, a = c_m m:
//!
//! ```text
//! c_m J + h^2 dv (Omega^ J - (J Omega)^) + ( -h^2 lambda^ y^ + (h^4/a) lambda^ lambda^ - a W W ) T
//! ```

use std::array::from_fn;
use std::ops::{Add, Mul, Neg, Sub};

use cpu_time::ThreadTime;
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::side_by_side::LANES;
use precess::integrate::{Alpha, InitialValues, Integrator};
use precess::mechanics::State;
use precess::methods::MethodOptions;
use precess::model::{build, load};
use precess::problems::HeavyTop;
use precess_lie::VectorUnit;

const H: f64 = 1e-3;
const STEPS: usize = 100;

/// The same number of L runs.
#[derive(Clone, Copy)]
struct Lanes<const L: usize>([f64; L]);

impl<const L: usize> Lanes<L> {
    #[inline(always)]
    fn all(x: f64) -> Self {
        Lanes([x; L])
    }
    #[inline(always)]
    fn inverse(self) -> Self {
        Lanes(from_fn(|i| 1.0 / self.0[i]))
    }
}

macro_rules! operator {
    ($trait:ident $name:ident $op:tt) => {
        impl<const L: usize> $trait for Lanes<L> {
            type Output = Self;
            #[inline(always)]
            fn $name(self, o: Self) -> Self {
                Lanes(from_fn(|i| self.0[i] $op o.0[i]))
            }
        }
    };
}
operator!(Add add +);
operator!(Sub sub -);
operator!(Mul mul *);

impl<const L: usize> Mul<f64> for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, x: f64) -> Self {
        self * Self::all(x)
    }
}

impl<const L: usize> Neg for Lanes<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Lanes(from_fn(|i| -self.0[i]))
    }
}

/// Three components.
#[derive(Clone, Copy)]
struct V<const L: usize>([Lanes<L>; 3]);

impl<const L: usize> V<L> {
    #[inline(always)]
    fn new(x: [f64; 3]) -> Self {
        V(x.map(Lanes::all))
    }
    #[inline(always)]
    fn zip(self, o: Self, f: impl Fn(Lanes<L>, Lanes<L>) -> Lanes<L>) -> Self {
        V(from_fn(|i| f(self.0[i], o.0[i])))
    }
    #[inline(always)]
    fn plus(self, o: Self) -> Self {
        self.zip(o, |a, b| a + b)
    }
    #[inline(always)]
    fn minus(self, o: Self) -> Self {
        self.zip(o, |a, b| a - b)
    }
    /// Component by component.
    #[inline(always)]
    fn by(self, o: Self) -> Self {
        self.zip(o, |a, b| a * b)
    }
    #[inline(always)]
    fn times(self, x: f64) -> Self {
        V(self.0.map(|a| a * x))
    }
    #[inline(always)]
    fn scaled(self, x: Lanes<L>) -> Self {
        V(self.0.map(|a| a * x))
    }
    #[inline(always)]
    fn dot(self, o: Self) -> Lanes<L> {
        self.0[0] * o.0[0] + self.0[1] * o.0[1] + self.0[2] * o.0[2]
    }
    #[inline(always)]
    fn cross(self, o: Self) -> Self {
        let (a, b) = (self.0, o.0);
        V([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])
    }
}

/// Columns.
type M<const L: usize> = [V<L>; 3];

#[inline(always)]
fn mul<const L: usize>(m: &M<L>, x: V<L>) -> V<L> {
    m[0].scaled(x.0[0]).plus(m[1].scaled(x.0[1])).plus(m[2].scaled(x.0[2]))
}

#[inline(always)]
fn transposed_mul<const L: usize>(m: &M<L>, x: V<L>) -> V<L> {
    V([m[0].dot(x), m[1].dot(x), m[2].dot(x)])
}

#[inline(always)]
fn skew<const L: usize>(w: V<L>) -> M<L> {
    let [x, y, z] = w.0;
    let zero = Lanes::all(0.0);
    [V([zero, z, -y]), V([-z, zero, x]), V([y, -x, zero])]
}

/// a^ b^.
#[inline(always)]
fn skew_skew<const L: usize>(a: V<L>, b: V<L>) -> M<L> {
    from_fn(|j| {
        let column = b.scaled(a.0[j]);
        let d = a.dot(b);
        V(from_fn(|i| if i == j { column.0[i] - d } else { column.0[i] }))
    })
}

/// Power series with these coefficients, for rotations of up to a radian.
#[inline(always)]
fn series<const L: usize>(s: Lanes<L>, coefficients: [f64; 7]) -> Lanes<L> {
    coefficients[..6].iter().rev().fold(Lanes::all(coefficients[6]), |sum, c| sum * s + Lanes::all(*c))
}

/// (-1)^l / (2 l + m)! / scale^l.
fn inverse_factorials(m: usize, scale: f64) -> [f64; 7] {
    from_fn(|l| {
        let factorial: f64 = (1..=2 * l + m).map(|i| i as f64).product();
        (-1.0_f64 / scale).powi(l as i32) / factorial
    })
}

/// What runs have in common.
struct Setting {
    m: f64,
    j: [f64; 3],
    x_body: [f64; 3],
    gamma: [f64; 3],
    alpha: Alpha,
    cos_half: [f64; 7],
    sinc_half: [f64; 7],
    b: [f64; 7],
    c: [f64; 7],
}

/// L tops.
#[derive(Clone, Copy)]
struct Tops<const L: usize> {
    quaternion: [Lanes<L>; 4],
    x: V<L>,
    omega: V<L>,
    u: V<L>,
    vdot: [V<L>; 2],
    a: [V<L>; 2],
    lambda: V<L>,
}

impl<const L: usize> Tops<L> {
    fn new(starts: &[State]) -> Self {
        let number = |f: &dyn Fn(&State) -> f64| Lanes(from_fn(|i| f(&starts[i])));
        let vector = |f: &dyn Fn(&State, usize) -> f64| V(from_fn(|k| number(&|s| f(s, k))));
        let vdot = [vector(&|s, k| s.vdot[k]), vector(&|s, k| s.vdot[3 + k])];
        Tops {
            quaternion: from_fn(|k| number(&|s| s.q[k])),
            x: vector(&|s, k| s.q[4 + k]),
            omega: vector(&|s, k| s.v[k]),
            u: vector(&|s, k| s.v[3 + k]),
            vdot,
            a: vdot,
            lambda: vector(&|s, k| s.lambda[k]),
        }
    }

    #[inline(always)]
    fn step(&mut self, o: &Setting) {
        let Alpha { alpha_m, alpha_f, beta, gamma } = o.alpha;
        let (dv, h2) = (gamma / (beta * H), H * H);
        let da = (1.0 - alpha_m) / (beta * (1.0 - alpha_f) * h2);
        let (c_m, per_delta) = (h2 * da, 1.0 / (beta * h2));
        let mass = c_m * o.m;
        let (j, x_body, g) = (V::new(o.j), V::new(o.x_body), V::new(o.gamma));
        let v = [self.omega, self.u];
        let theta_0: [V<L>; 2] = from_fn(|i| v[i].times(H).plus(self.a[i].times(0.5 * h2)));
        let v_0: [V<L>; 2] = from_fn(|i| v[i].plus(self.a[i].times(H)));
        let vdot_0: [V<L>; 2] =
            from_fn(|i| self.a[i].minus(self.vdot[i].times(alpha_f)).times(1.0 / (1.0 - alpha_f)));
        let mut delta = [V::new([0.0; 3]); 2];
        let mut now = *self;
        for iteration in 0..3 {
            let theta: [V<L>; 2] = from_fn(|i| theta_0[i].plus(delta[i]));
            let s = theta[0].dot(theta[0]);
            let (cos, factor) = (series(s, o.cos_half), series(s, o.sinc_half) * 0.5);
            now.quaternion = product(self.quaternion, cos, theta[0].scaled(factor));
            now.x = self.x.plus(theta[1]);
            now.omega = v_0[0].plus(delta[0].times(dv));
            now.u = v_0[1].plus(delta[1].times(dv));
            now.vdot = from_fn(|i| vdot_0[i].plus(delta[i].times(da)));
            if iteration == 2 {
                break;
            }
            // Residuals.
            let r = matrix(&now.quaternion);
            let y = transposed_mul(&r, now.x);
            let spin = j.by(now.omega);
            let moment = j.by(now.vdot[0]).plus(now.omega.cross(spin)).plus(y.cross(now.lambda)).times(h2);
            let force = now.vdot[1].minus(g).times(o.m).minus(mul(&r, now.lambda)).times(h2);
            let phi = x_body.minus(y);
            // The matrix of the rotation.
            let w = y.minus(now.lambda.times(h2 / mass));
            let (ly, ll, ww) = (skew_skew(now.lambda, y), skew_skew(now.lambda, now.lambda), skew_skew(w, w));
            let k: M<L> =
                from_fn(|c| ll[c].times(h2 * h2 / mass).minus(ly[c].times(h2)).minus(ww[c].times(mass)));
            let (t_b, t_c) = (series(s, o.b), series(s, o.c));
            let (turn, turn_turn) = (skew(theta[0]), skew_skew(theta[0], theta[0]));
            let (gyro, own) = (skew(now.omega), skew(spin));
            let a: M<L> = from_fn(|c| {
                let mut t = turn_turn[c].scaled(t_c).minus(turn[c].scaled(t_b));
                t.0[c] = t.0[c] + Lanes::all(1.0);
                let mut column = mul(&k, t).plus(gyro[c].scaled(j.0[c]).minus(own[c]).times(h2 * dv));
                column.0[c] = column.0[c] + j.0[c] * c_m;
                column
            });
            // Right-hand sides: of the rotation, then translation and multipliers from it.
            let back = transposed_mul(&r, force);
            let gap = phi.plus(back.times(1.0 / mass));
            let right = moment.plus(now.lambda.cross(back).times(h2 / mass)).plus(w.cross(gap).times(mass));
            let d_rotation = solve(&a, right.times(-1.0));
            let turned = d_rotation
                .minus(theta[0].cross(d_rotation).scaled(t_b))
                .plus(theta[0].cross(theta[0].cross(d_rotation)).scaled(t_c));
            let mu = w.cross(turned).times(-1.0).plus(gap).times(mass);
            let push = mul(&r, mu.minus(now.lambda.cross(turned).times(h2)));
            let d_translation = push.minus(force).times(1.0 / mass);
            now.lambda = now.lambda.plus(mu.times(1.0 / h2));
            delta = [delta[0].plus(d_rotation), delta[1].plus(d_translation)];
        }
        now.a = from_fn(|i| self.a[i].plus(delta[i].times(per_delta)));
        *self = now;
    }
}

#[inline(always)]
fn product<const L: usize>(a: [Lanes<L>; 4], w: Lanes<L>, v: V<L>) -> [Lanes<L>; 4] {
    let p = V([a[1], a[2], a[3]]);
    let scalar = a[0] * w - p.dot(v);
    let vector = v.scaled(a[0]).plus(p.scaled(w)).plus(p.cross(v));
    let length = scalar * scalar + vector.dot(vector);
    let unit = Lanes::all(1.5) - length * 0.5;
    [scalar * unit, vector.0[0] * unit, vector.0[1] * unit, vector.0[2] * unit]
}

#[inline(always)]
fn matrix<const L: usize>(q: &[Lanes<L>; 4]) -> M<L> {
    let p = V([q[1], q[2], q[3]]);
    let (turn, turn_turn) = (skew(p), skew_skew(p, p));
    from_fn(|c| {
        let mut column = turn[c].scaled(q[0] * 2.0).plus(turn_turn[c].times(2.0));
        column.0[c] = column.0[c] + Lanes::all(1.0);
        column
    })
}

#[inline(always)]
fn solve<const L: usize>(a: &M<L>, b: V<L>) -> V<L> {
    let rows = [a[1].cross(a[2]), a[2].cross(a[0]), a[0].cross(a[1])];
    let inverse = a[0].dot(rows[0]).inverse();
    V(from_fn(|i| rows[i].dot(b) * inverse))
}

/// All steps of a group of runs, compiled for the vector unit.
fn run<const L: usize>(setting: &Setting, mut tops: Tops<L>) -> Tops<L> {
    VectorUnit::run_if_any(
        #[inline(always)]
        || (0..STEPS).for_each(|_| tops.step(setting)),
    );
    tops
}

/// Microseconds per step and run, the best of several repeats, and the x of the first run at the end.
fn measure<const L: usize>(setting: &Setting, starts: &[State]) -> (f64, f64) {
    let mut best = (f64::INFINITY, 0.0);
    for _ in 0..7 {
        let begin = ThreadTime::now();
        let mut x = 0.0;
        for (i, group) in starts.chunks_exact(L).enumerate() {
            let ends = run(setting, Tops::<L>::new(group));
            if i == 0 {
                x = ends.x.0[0].0[0];
            }
        }
        let time = 1e6 * begin.elapsed().as_secs_f64() / (starts.len() * STEPS) as f64;
        if time < best.0 {
            best = (time, x);
        }
    }
    best
}

/// The same with the library, for a body and a joint from a model file.
fn side_by_side(starts: &[State], options: &MethodOptions) -> Result<(f64, f64), Error> {
    let text = include_str!("../../../models/heavy_top.toml");
    let model = load("heavy_top.toml", text, &[]).expect("a model file").model;
    let built = build(&model, Formulation::R3SO3)?;
    let mut runs = options.side_by_side([&*built.system; LANES]).expect("a body and a joint");
    let mut best = (f64::INFINITY, 0.0);
    for _ in 0..7 {
        let begin = ThreadTime::now();
        let mut x = 0.0;
        for (i, group) in starts.chunks_exact(LANES).enumerate() {
            let mut states = group.to_vec();
            runs.start(&mut states, H)?;
            (0..STEPS).for_each(|_| runs.step());
            assert!(runs.state(0, &mut states[0]), "a run failed");
            if i == 0 {
                x = states[0].q[4];
            }
        }
        let time = 1e6 * begin.elapsed().as_secs_f64() / (starts.len() * STEPS) as f64;
        if time < best.0 {
            best = (time, x);
        }
    }
    Ok(best)
}

fn main() -> Result<(), Error> {
    let top = HeavyTop::fast(Formulation::R3SO3);
    let options = MethodOptions::default();
    let setting = Setting {
        m: top.m,
        j: top.j.into(),
        x_body: top.x_body.into(),
        gamma: top.gamma.into(),
        alpha: Alpha::from_rho(options.rho)?,
        cos_half: inverse_factorials(0, 4.0),
        sinc_half: inverse_factorials(1, 4.0),
        b: inverse_factorials(2, 1.0),
        c: inverse_factorials(3, 1.0),
    };
    let mut integrator = options.generalized_alpha()?;
    let mut starts = Vec::new();
    for i in 0..1000 {
        let mut v = top.v_0();
        v[1] *= 1.0 + 1e-4 * i as f64;
        let mut state = InitialValues::new(&top.q_0(), &v).consistent(&top)?;
        integrator.start(&top, &mut state, H)?;
        starts.push(state);
    }
    let mut library = (f64::INFINITY, 0.0);
    for _ in 0..7 {
        let begin = ThreadTime::now();
        for (i, start) in starts.iter().enumerate() {
            let mut state = start.clone();
            integrator.start(&top, &mut state, H)?;
            for _ in 0..STEPS {
                integrator.step(&top, &mut state, H)?;
            }
            if i == 0 {
                library.1 = state.q[4];
            }
        }
        library.0 = f64::min(library.0, 1e6 * begin.elapsed().as_secs_f64() / (1000 * STEPS) as f64);
    }
    let together = side_by_side(&starts, &options)?;
    println!(
        "| 1000 heavy tops, 100 steps | us per step and run | runs per second | difference in x \
         |\n|---|---|---|---|"
    );
    let all = [
        ("library, one by one", library),
        ("library, side by side, from a model file", together),
        ("by hand, one run", measure::<1>(&setting, &starts)),
        ("by hand, two lanes", measure::<2>(&setting, &starts)),
        ("by hand, four lanes", measure::<4>(&setting, &starts)),
        ("by hand, eight lanes", measure::<8>(&setting, &starts)),
    ];
    for (name, (time, x)) in all {
        let runs = 1e6 / (time * STEPS as f64);
        println!("| {name} | {time:.3} | {runs:.0} | {:.1e} |", (x - library.1).abs());
    }
    Ok(())
}
