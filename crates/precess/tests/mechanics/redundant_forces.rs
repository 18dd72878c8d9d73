//! Reactions in mechanisms with redundant constraints: joints whose reactions are called unique are exactly
//! those, and their values are right. The reference is a dense computation of its own, by singular values.

use nalgebra::{DMatrix, DVector, Vector3};
use precess::formulation::Formulation;
use precess::integrate::{Form, InitialValues};
use precess::mechanics::Multibody;
use precess::mechanics::joints::JointKind;
use precess::mechanics::{At, State, System, Tangents, Want};
use precess::methods::MethodOptions;
use precess::model::{BodySpec, JointSpec, Model, build};
use precess::study::larger;
use precess::study::{Run, Sample};

type V = Vector3<f64>;

/// Numbers in [-1, 1).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        for _ in 0..3 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
        }
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
    fn below(&mut self, n: usize) -> usize {
        ((0.5 * (self.next() + 1.0) * n as f64) as usize).min(n - 1)
    }
    fn vector(&mut self) -> V {
        V::new(self.next(), self.next(), self.next())
    }
    /// Between 10^-decades and 10^decades.
    fn size(&mut self, decades: f64) -> f64 {
        10f64.powf(decades * self.next())
    }
}

fn arr(v: V) -> [f64; 3] {
    [v.x, v.y, v.z]
}

/// A tree of bodies in which some joints have a second or third joint on the same axis, and some loops are
/// closed by joints with few rows. Masses over two decades either way.
fn mechanism(seed: u64) -> Model {
    use JointKind::*;
    let mut random = Random(seed.wrapping_mul(0x9e3779b97f4a7c15) | 1);
    let n = 1 + random.below(5);
    let length = random.size(1.5);
    let mut model = Model::new(&format!("seed {seed}")).gravity(arr(random.vector() * 10.0));
    let names: Vec<String> = (0..n).map(|i| format!("b{i}")).collect();
    let mut places: Vec<V> = Vec::new();
    for (i, name) in names.iter().enumerate() {
        let mass = random.size(2.0);
        let radius = length * 0.3 * random.size(0.5);
        let j = |x: f64| mass * radius * radius * (1.0 + 0.4 * x);
        let inertia = [j(random.next()), j(random.next()), j(random.next())];
        let place = random.vector() * length;
        let body = BodySpec::rigid(name, mass, inertia).at(arr(place)).moving([0.0; 3], arr(random.vector()));
        model = model.body(body);
        let base = random.below(i + 1);
        let bodies = [if base == 0 { "ground" } else { &names[base - 1][..] }, &name[..]];
        places.push(place);
        let (point, axis) = (random.vector() * length, random.vector());
        let joint = |name: String, kind, at: V| JointSpec::new(&name, kind, bodies, arr(at)).along(arr(axis));
        let kind = [Revolute, Revolute, Revolute, Spherical, Universal, Cylindrical][random.below(6)];
        model = model.joint(joint(format!("j{i}"), kind, point));
        for k in 0..random.below(3) {
            let along = point + axis * length * random.next();
            let more = [Revolute, Cylindrical, Spherical, Planar, PointOnLine][random.below(5)];
            model = model.joint(joint(format!("k{i}{k}"), more, along));
        }
    }
    for k in 0..random.below(3) {
        let (a, b) = (random.below(n + 1), random.below(n));
        if a != b + 1 {
            let bodies = [if a == 0 { "ground" } else { &names[a - 1][..] }, &names[b][..]];
            let kind = [PointOnPlane, PointOnLine, Spherical][random.below(3)];
            let joint = JointSpec::new(&format!("l{k}"), kind, bodies, arr(random.vector() * length));
            model = model.joint(joint.along(arr(random.vector())));
        }
    }
    model
}

/// The null space of B^T and the multipliers of minimum norm, from singular values of the scaled B.
struct Dense {
    /// Orthonormal combinations of scaled rows that vanish.
    null: DMatrix<f64>,
    lambda: Vec<f64>,
    redundant: usize,
    /// Smallest singular value that is not zero over the largest one, and the largest that is.
    gap: (f64, f64),
}

/// Singular values of a matrix with their left and right vectors, by rotations of its rows until they are
/// orthogonal.
fn singular_values(g: &DMatrix<f64>) -> (Vec<f64>, DMatrix<f64>, DMatrix<f64>) {
    let m = g.nrows();
    let (mut x, mut u) = (g.transpose(), DMatrix::identity(m, m));
    for _ in 0..30 {
        let mut turned = false;
        for (i, j) in (0..m).flat_map(|j| (0..j).map(move |i| (i, j))) {
            let (a, b, c) =
                (x.column(i).norm_squared(), x.column(j).norm_squared(), x.column(i).dot(&x.column(j)));
            if c.abs() > 1e-16 * (a * b).sqrt() && c.abs() > 1e-34 {
                turned = true;
                let angle = 0.5 * (2.0 * c).atan2(a - b);
                let (sin, cos) = angle.sin_cos();
                for y in [&mut x, &mut u] {
                    let (p, q) =
                        (y.column(i) * cos + y.column(j) * sin, y.column(j) * cos - y.column(i) * sin);
                    y.set_column(i, &p);
                    y.set_column(j, &q);
                }
            }
        }
        if !turned {
            break;
        }
    }
    let s: Vec<f64> = x.column_iter().map(|c| c.norm()).collect();
    x.column_iter_mut().zip(&s).for_each(|(mut c, s)| c /= s.max(1e-300));
    (s, u, x)
}

fn dense(system: &dyn System, state: &State) -> Dense {
    let (k, m) = (system.group().dim(), system.n_lambda());
    let mut t = Tangents::of(system);
    t.evaluate(system, &state.at(), Want::SADDLE);
    let (mass, b) = (t.s.to_dmatrix(), t.b.to_dmatrix());
    let root = mass.cholesky().unwrap().l();
    // G = D B L^-T with rows of length one.
    let mut g = root.solve_lower_triangular(&b.transpose()).unwrap().transpose();
    let scale: Vec<f64> = system.row_weights().unwrap().iter().map(|d| d.sqrt().recip()).collect();
    g.row_iter_mut().zip(&scale).for_each(|(mut r, s)| r *= *s);
    // Forces and accelerations that remain without multipliers and accelerations.
    let rest = State { vdot: vec![0.0; k], lambda: vec![0.0; m], ..state.clone() };
    let (mut f, mut c) = (DVector::zeros(k), DVector::zeros(m));
    system.residual(&rest.at(), f.as_mut_slice());
    system.acceleration_constraint(&rest.at(), c.as_mut_slice());
    (0..m).for_each(|i| c[i] *= -scale[i]);
    let f = root.solve_lower_triangular(&-f).unwrap();
    let (s, u, right) = singular_values(&g);
    let largest = s.iter().copied().fold(0.0, larger);
    let (kept, gone): (Vec<usize>, Vec<usize>) = (0..m).partition(|&i| s[i] > 1e-9 * largest);
    let mut lambda = DVector::zeros(m);
    for &i in &kept {
        // G^T lambda = f - y and G y = c.
        let u = u.column(i);
        lambda += u * ((right.column(i).dot(&f) - u.dot(&c) / s[i]) / s[i]);
    }
    let lambda = lambda.iter().zip(&scale).map(|(l, s)| l * s).collect();
    let gap = (
        kept.iter().map(|&i| s[i] / largest).fold(1.0, f64::min),
        gone.iter().map(|&i| s[i] / largest).fold(0.0, larger),
    );
    let null = u.select_columns(&gone);
    Dense { null, lambda, redundant: m - kept.len(), gap }
}

/// Errors of reactions relative to the largest one.
#[derive(Clone, Copy, Debug)]
struct Errors {
    /// At joints called unique.
    unique: f64,
    /// At all joints.
    all: f64,
    gap: (f64, f64),
}

/// Compares the start of a mechanism with the dense computation; none if nothing is redundant, or the
/// mechanism cannot start. Joints that are called unique must be, and if nothing is nearly redundant, unique
/// ones must be called so.
fn compare(seed: u64, called: &mut usize) -> Option<Errors> {
    let model = mechanism(seed);
    let built = build(&model, Formulation::R3SO3).unwrap();
    let system = Multibody::of(&*built.system).unwrap();
    let state = InitialValues::new(&built.q, &built.v).fixed().consistent(system).ok()?;
    system.row_weights()?;
    let dense = dense(system, &state);
    if dense.redundant == 0 {
        return None;
    }
    let reactions = built.system.reactions(&state.at());
    let at = At { lambda: &dense.lambda, ..state.at() };
    let length = system.length_scale();
    let (mut size, mut unique, mut all) = (0.0f64, 0.0f64, 0.0f64);
    for (i, r) in reactions.iter().enumerate() {
        let rows = system.joint_list()[i].range.clone();
        let part = rows.map(|r| dense.null.row(r).norm()).fold(0.0, larger);
        assert!(!r.unique || part < 1e-9, "seed {seed}, {}: takes part with {part:e}", r.name);
        assert!(
            r.unique || part > 1e-9 || dense.gap.0 < 1e-3,
            "seed {seed}, {}: {part:e} {:?}",
            r.name,
            dense.gap
        );
        let exact = system.reaction(i, &at);
        let error = (exact.force - r.force).norm() + (exact.torque - r.torque).norm() / length;
        size = precess::study::larger(size, exact.force.norm() + exact.torque.norm() / length);
        assert!(error.is_finite() && size.is_finite(), "seed {seed}, {}", r.name);
        all = precess::study::larger(all, error);
        if r.unique {
            *called += 1;
            unique = precess::study::larger(unique, error);
        }
    }
    Some(Errors { unique: unique / size, all: all / size, gap: dense.gap })
}

#[test]
fn reactions_of_random_mechanisms() {
    let mut unique = 0;
    let list: Vec<(u64, Errors)> =
        (0..300).filter_map(|seed| Some((seed, compare(seed, &mut unique)?))).collect();
    println!("{} redundant mechanisms, {unique} unique joints", list.len());
    assert!(list.len() > 250 && unique > 300);
    let by = |f: &dyn Fn(&Errors) -> f64| {
        let mut sorted = list.clone();
        sorted.sort_by(|a, b| f(&b.1).total_cmp(&f(&a.1)));
        sorted.iter().take(8).for_each(|x| println!("  {x:?}"));
        println!("median {:e}", f(&sorted[sorted.len() / 2].1));
    };
    by(&|e| e.unique);
    by(&|e| e.all);
    for (seed, e) in &list {
        assert!(e.unique < 1e-11, "seed {seed}: {e:?}");
        // Shares of others are of minimum norm, to what rounding errors leave of it.
        assert!(e.all < 1e-3 || e.gap.0 < 1e-3, "seed {seed}: {e:?}");
    }
}

/// A door on one or two hinges with a body on a ball joint, whose reaction has nothing to do with the second
/// hinge.
fn door(hinges: usize) -> Model {
    let axis = [0.0, 0.6, 0.8];
    let mut model = Model::new("door")
        .gravity([0.0, 0.0, -9.81])
        .body(BodySpec::rigid("door", 1.0, [0.1; 3]).at([0.5, 0.0, 0.0]))
        .body(BodySpec::rigid("knocker", 1.0, [1e-4; 3]).at([1.0, 0.2, 0.1]))
        .joint(JointSpec::spherical("pin", ["door", "knocker"], [1.0, 0.0, 0.0]))
        .joint(JointSpec::revolute("hinge", ["ground", "door"], [0.0; 3], axis));
    if hinges == 2 {
        model = model.joint(JointSpec::revolute("second", ["ground", "door"], axis, axis));
    }
    model
}

/// Force of the pin in every step of a run with this form of the constraints.
fn pin_forces(hinges: usize, form: Form) -> Vec<V> {
    let built = build(&door(hinges), Formulation::R3SO3).unwrap();
    let system = &*built.system;
    let mut state = InitialValues::new(&built.q, &built.v).consistent(system).unwrap();
    let mut method = MethodOptions { form, ..Default::default() }.generalized_alpha().unwrap();
    let mut forces = Vec::new();
    let mut record = |s: &Sample| {
        let pin = &system.reactions(&s.state.at())[0];
        assert!(pin.unique);
        forces.push(pin.force);
    };
    Run::new(1e-3, 0.3).run(system, &mut method, &mut state, &mut record).unwrap();
    forces
}

/// This holds in steps, too: the discretisation is the same with one hinge and with two.
#[test]
fn unique_reactions_in_steps() {
    for form in [Form::Index3, Form::StabilizedIndex2] {
        let (one, two) = (pin_forces(1, form), pin_forces(2, form));
        assert_eq!(one.len(), two.len());
        let largest = one.iter().map(|f| f.norm()).fold(0.0, larger);
        let at_start = (one[0] - two[0]).norm() / largest;
        assert!(at_start < 1e-13, "{form:?}: {at_start:e} of {largest}");
        for (k, (x, y)) in one.iter().zip(&two).enumerate() {
            let error = (x - y).norm() / largest;
            assert!(error < 1e-7, "{form:?}, step {k}: {error:e}");
        }
    }
}

/// In directors the rows of the second hinge are left out: the first one is then complete, but not unique.
#[test]
fn hinges_in_line_are_unique_in_no_formulation() {
    for formulation in [Formulation::R3SO3, Formulation::Directors, Formulation::EulerParameters] {
        let built = build(&door(2), formulation).unwrap();
        let state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
        let unique: Vec<bool> = built.system.reactions(&state.at()).iter().map(|r| r.unique).collect();
        assert_eq!(unique, [true, false, false], "{formulation:?}");
    }
}
