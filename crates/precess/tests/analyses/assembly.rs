//! From rough positions to closed joints: every guess works, in few iterations, on the branch of the guess;
//! joints that cannot be closed are named.

use crate::analyses_util::{built, built_se3, four_bar, model};
use precess::analysis::local::{at_rest, constraint, moved};
use precess::analysis::rough::assemble;
use precess::analysis::{AnalysisError, gaps};
use precess::lie::Largest;
use precess::model::{Built, Diagnostics, Loaded, load};

/// Reads a model whose positions are rough.
fn rough(name: &str, text: &str) -> Result<Loaded, Diagnostics> {
    load(name, text, &["run.assemble=true".to_string()])
}

/// Normally distributed numbers, the same in every test run.
struct Random(u64);

impl Random {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (-2.0 * self.uniform().ln()).sqrt() * (std::f64::consts::TAU * self.uniform()).cos()
    }
}

/// Iterations from twenty guesses with every coordinate off by sigma (rad and m), sorted.
fn iterations(built: &Built, sigma: f64, seed: u64) -> Vec<usize> {
    let system = &*built.system;
    let mut random = Random(seed);
    let start = at_rest(system, &built.q, 0.0);
    let mut list: Vec<usize> = (0..20)
        .map(|i| {
            let x = nalgebra::DVector::from_fn(system.group().dim(), |_, _| sigma * random.normal());
            let guess = moved(system, &start, &x);
            let found =
                assemble(system, &guess.q, &start.v, &[]).unwrap_or_else(|e| panic!("guess {i}: {e}"));
            let rest = constraint(system, &found.state).largest();
            assert!(rest < 1e-11, "guess {i}: {rest:e}");
            found.iterations
        })
        .collect();
    list.sort_unstable();
    list
}

/// Medians come from an independent prototype; twice as many iterations are allowed. No guess takes more than
/// three times the worst number of the prototype, 19, except guesses in which every coordinate is off by a
/// radian or a metre.
#[test]
fn twenty_of_twenty_guesses() {
    let slider = model("slider_crank_a", &[]);
    let cases = [
        ("double pendulum", built(&model("double_pendulum", &[])), vec![(0.3, 6), (1.0, 9)]),
        ("four-bar", built(&four_bar(17)), vec![(0.1, 9), (0.3, 9)]),
        ("four-bar, 20 rows", built(&four_bar(20)), vec![(0.1, 9), (0.3, 9)]),
        ("slider-crank", built(&slider), vec![(0.1, 9), (0.3, 9)]),
        ("slider-crank in SE(3)", built_se3(&slider), vec![(0.1, 9), (0.3, 9)]),
    ];
    for (name, built, levels) in &cases {
        for &(sigma, median) in levels {
            let list = iterations(built, sigma, 11);
            println!("{name}, {sigma}: {list:?}");
            assert!(list[9] + list[10] <= 2 * 2 * median, "{name}, {sigma}: {list:?}");
            assert!(list[19] <= 3 * 19 || sigma == 1.0, "{name}, {sigma}: {list:?}");
        }
    }
}

/// A straight chain of rods whose end must move sideways: a singular guess, left by shaking.
#[test]
fn a_straight_chain_bends() {
    let n = 8;
    let mut file = String::from("[model]\n");
    for i in 0..n {
        let before = if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) };
        file += &format!(
            "[[body]]\nname = \"r{i}\"\nmass = 1\ninertia = [1e-3, 0.0833, 0.0833]\nposition = [{}, 0, 0]\n\
             markers = {{ end = [0.5, 0, 0] }}\n\
             [[joint]]\nname = \"j{i}\"\ntype = \"spherical\"\nbodies = [\"{before}\", \"r{i}\"]\npoint = \
             [{i}, 0, 0]\n",
            i as f64 + 0.5
        );
    }
    for end in ["7.4, 0, 0.6", "7.4, 0, 0"] {
        let file = format!(
            "{file}[[joint]]\nname = \"end\"\ntype = \"spherical\"\nbodies = [\"ground\", \"r7\"]\npoint = \
             [{end}]\n\
             point2 = \"r7.end\"\n"
        );
        let loaded = rough("chain.toml", &file).unwrap_or_else(|e| panic!("{e}"));
        let built = built(&loaded);
        let found = assemble(&*built.system, &built.q, &built.v, &[]).unwrap();
        println!("{end}: {} iterations", found.iterations);
        assert!(found.iterations <= 50, "{}", found.iterations);
        assert!(constraint(&*built.system, &found.state).largest() < 1e-12);
    }
}

/// A four-bar of parts with markers, 2 cm apart at their ends.
fn with_gaps(rocker: &str) -> String {
    format!(
        r#"
        [model]
        gravity = [0, 0, -9.81]
        [[body]]
        name = "crank"
        mass = 0.5
        inertia = [4e-3, 4e-3, 1e-4]
        position = [0, 0, 0.15]
        velocity = [0.3, 0, 0]
        angular_velocity = [0, 2, 0]
        markers = {{ b = [0, 0, 0.15] }}
        [[body]]
        name = "coupler"
        mass = 1
        inertia = [1e-3, 0.06, 0.06]
        position = [0.42, 0, 0.45]
        rotation = {{ x_axis = [0.8, 0, 0.3], y_axis = [0, 1, 0] }}
        markers = {{ b = [-0.427, 0, 0], c = [0.427, 0, 0] }}
        {rocker}
        [[joint]]
        name = "A"
        type = "revolute"
        bodies = ["ground", "crank"]
        point = [0, 0, 0]
        axis = [0, 1, 0]
        [[joint]]
        name = "B"
        type = "spherical"
        bodies = ["crank", "coupler"]
        point = "crank.b"
        point2 = "coupler.b"
        [[joint]]
        name = "C"
        type = "cylindrical"
        bodies = ["coupler", "rocker"]
        point = "coupler.c"
        point2 = "rocker.c"
        axis = [0, 1, 0]
        [[joint]]
        name = "D"
        type = "revolute"
        bodies = ["ground", "rocker"]
        point = [1, 0, 0]
        point2 = "rocker.d"
        axis = [0, 1, 0]
        "#
    )
}

const ROCKER: &str = r#"
        [[body]]
        name = "rocker"
        mass = 0.8
        inertia = [0.03, 0.03, 1e-3]
        position = [0.9, 0, 0.32]
        markers = { c = [-0.1, 0, 0.3], d = [0.1, 0, -0.3] }
"#;

#[test]
fn four_bar_with_gaps_closes_and_moves() {
    let loaded = rough("four.toml", &with_gaps(ROCKER)).unwrap_or_else(|e| panic!("{e}"));
    // `load` refuses it. The message gives the gaps and the command that closes them.
    let refused = precess::model::load("four.toml", &with_gaps(ROCKER), &[]).unwrap_err().to_string();
    assert!(refused.contains("apart at t = 0") && refused.contains("let the assembly"), "{refused}");
    for built in [built(&loaded), built_se3(&loaded)] {
        let system = &*built.system;
        let found = assemble(system, &built.q, &built.v, &[]).unwrap();
        let open: Vec<&gaps::Gap> = found.gaps.iter().filter(|g| g.length > 1e-9).collect();
        assert_eq!(open.len(), 3, "{:?}", found.gaps);
        assert!(open.iter().any(|g| (g.length - 0.02).abs() < 1e-12 && g.name == "joint D"), "{open:?}");
        assert!(constraint(system, &found.state).largest() < 1e-13);
        assert!(found.mirrored.is_empty(), "{:?}", found.mirrored);
        // No body moved by more than a few times the gaps.
        assert!(found.moved.iter().all(|m| m[0] < 0.06 && m[1] < 0.06), "{:?}", found.moved);
        // Velocities fit, and the crank still turns.
        let mut rate = vec![0.0; system.n_lambda()];
        system.velocity_constraint(&found.state.at(), &mut rate);
        assert!(rate.iter().all(|x| x.abs() < 1e-12), "{rate:?}");
        assert!(found.state.v[1] > 0.0, "{}", found.state.v[1]);
        // A body that is kept stays exactly where it was.
        let kept = assemble(system, &built.q, &built.v, &[f64::INFINITY]).unwrap();
        assert_eq!(kept.moved[0], [0.0, 0.0]);
        assert!(constraint(system, &kept.state).largest() < 1e-13);
        // A heavy body moves less than a light one.
        let heavy = assemble(system, &built.q, &built.v, &[1.0, 1e4]).unwrap();
        assert!(heavy.moved[1][1] < 0.9 * found.moved[1][1]);
    }
}

/// Rough positions beyond the straight line from B to D: the loop closes on the side of the guess.
#[test]
fn the_branch_of_the_guess_is_kept_or_named() {
    let below = ROCKER
        .replace("[0.9, 0, 0.32]", "[0.9, 0, -0.32]")
        .replace("0.3], d", "-0.3], d")
        .replace("-0.3] }", "0.3] }");
    let coupler = "rotation = { x_axis = [0.8, 0, -0.9], y_axis = [0, 1, 0] }";
    let file = with_gaps(&below)
        .replace("rotation = { x_axis = [0.8, 0, 0.3], y_axis = [0, 1, 0] }", coupler)
        .replace("[0.42, 0, 0.45]", "[0.40, 0, -0.10]");
    let built = built(&rough("four.toml", &file).unwrap_or_else(|e| panic!("{e}")));
    let found = assemble(&*built.system, &built.q, &built.v, &[]).unwrap();
    assert!(found.mirrored.is_empty());
    // C is below the line from B to D.
    let c = |q: &[f64]| {
        let state = at_rest(&*built.system, q, 0.0);
        let rocker = &built.system.bodies(&state.at())[2];
        let [w, x, y, z] = rocker.rotation;
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        rocker.position + turn * nalgebra::Vector3::new(-0.1, 0.0, -0.3)
    };
    assert!(c(&found.state.q).z < -0.2, "{}", c(&found.state.q));
    // A position on the other branch is recognised as its mirror image.
    let above = crate::analyses_util::built(&rough("four.toml", &with_gaps(ROCKER)).unwrap());
    let closed = assemble(&*above.system, &above.q, &above.v, &[]).unwrap();
    // Mirrored about the line from B to D: turn coupler and rocker by pi about it, then flip them back into
    // the plane.
    let system = &*above.system;
    let mirror = mirror_image(system, &closed.state.q);
    let other = at_rest(system, &mirror, 0.0);
    assert!(constraint(system, &other).largest() < 1e-9, "{}", constraint(system, &other));
    let named = precess::analysis::mirror::mirrored(system, &closed.state, &other);
    assert_eq!(named.len(), 1);
    assert_eq!((named[0].joint.as_str(), named[0].bodies[0].as_str()), ("C", "coupler"));
}

/// The other position of coupler and rocker with the same crank, in the plane y = 0.
fn mirror_image(system: &dyn precess::mechanics::mechanism::Mechanism, q: &[f64]) -> Vec<f64> {
    let state = at_rest(system, q, 0.0);
    let bodies = system.bodies(&state.at());
    let point = |i: usize, p: [f64; 3]| {
        let [w, x, y, z] = bodies[i].rotation;
        let turn = nalgebra::UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z));
        bodies[i].position + turn * nalgebra::Vector3::from(p)
    };
    let (b, c, d) = (point(1, [-0.427, 0.0, 0.0]), point(1, [0.427, 0.0, 0.0]), point(2, [0.1, 0.0, -0.3]));
    let along = (d - b).normalize();
    let foot = b + along * along.dot(&(c - b));
    let image = 2.0 * foot - c;
    // Turns about y that bring the two lines from c to its image.
    let turn = |from: nalgebra::Vector3<f64>, to: nalgebra::Vector3<f64>| {
        let angle = from.cross(&to).y.atan2(from.dot(&to));
        nalgebra::UnitQuaternion::from_scaled_axis(nalgebra::Vector3::y() * angle)
    };
    let mut out = q.to_vec();
    for (i, centre, r) in [(1, b, turn(c - b, image - b)), (2, d, turn(c - d, image - d))] {
        let [w, x, y, z] = bodies[i].rotation;
        let now = r.into_inner() * nalgebra::Quaternion::new(w, x, y, z);
        let position = centre + r * (bodies[i].position - centre);
        out[7 * i..7 * i + 7]
            .copy_from_slice(&[now.w, now.i, now.j, now.k, position.x, position.y, position.z]);
    }
    out
}

/// A rod that is too short: the best position is found, and the open joints are named with their gaps.
#[test]
fn what_cannot_be_closed_is_named() {
    let short = with_gaps(ROCKER)
        .replace("b = [-0.427, 0, 0], c = [0.427, 0, 0]", "b = [-0.01, 0, 0], c = [0.01, 0, 0]");
    let built = built(&rough("four.toml", &short).unwrap_or_else(|e| panic!("{e}")));
    match assemble(&*built.system, &built.q, &built.v, &[]) {
        Err(e @ AnalysisError::Assembly { .. }) => {
            let AnalysisError::Assembly { gaps, .. } = &e else { unreachable!() };
            // 0.3 + 0.02 + sqrt(0.2^2 + 0.6^2) is 0.0475 short of 1: the gaps of all joints together bridge
            // it at least.
            let missing = 1.0 - 0.3 - 0.02 - 0.4_f64.sqrt();
            let sum: f64 = gaps.iter().map(|g| g.length).sum();
            assert!(sum > 0.9 * missing && sum < 1.2 * missing, "{sum} {missing} {gaps:?}");
            assert!(e.to_string().contains("left open at best: joint "), "{e}");
        }
        other => panic!("{other:?}"),
    }
}

/// If a drive starts at another angle, the crank turns to this angle.
#[test]
fn drives_are_followed() {
    let whole =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/four_bar.toml")).unwrap();
    let driven = whole.replace("drive = \"w*t\"", "drive = \"0.4 + w*t\"");
    let loaded = rough("four.toml", &driven).unwrap_or_else(|e| panic!("{e}"));
    let built = built(&loaded);
    let found = assemble(&*built.system, &built.q, &built.v, &[]).unwrap();
    let crank = &built.system.bodies(&found.state.at())[0];
    assert!((crank.position.x - 0.15 * 0.4_f64.sin()).abs() < 1e-12, "{}", crank.position);
    assert!((crank.angular_velocity.y - std::f64::consts::TAU).abs() < 1e-11);
}

/// Two rods that meet above or below the line between their pins. If both tips of a guess are on one side and
/// the joint closes on the other side, a warning says so.
#[test]
fn no_mirror_branch_without_a_word() {
    let (left, right) = (0.6_f64, 0.7_f64);
    let mut random = Random(3);
    let mut seen = [0, 0];
    for guess in 0..150 {
        let angles = [(); 2].map(|()| std::f64::consts::TAU * (random.uniform() - 0.5));
        let rod = |name: &str, pin: f64, length: f64, angle: f64| {
            let (s, c) = angle.sin_cos();
            format!(
                "[[body]]\nname = \"{name}\"\nmass = 1\nposition = [{}, 0, {}]\nrotation = {{ axis = \"y\", angle \
                 = {} }}\nshape = {{ type = \"rod\", length = {length}, radius = 0.01, axis = \"x\" }}\nmarkers = \
                 {{ pin = [{}, 0, 0], tip = [{}, 0, 0] }}\n[[joint]]\nname = \"{name} pin\"\ntype = \
                 \"revolute\"\nbodies = [\"ground\", \"{name}\"]\npoint = [{pin}, 0, 0]\npoint2 = \
                 \"{name}.pin\"\naxis = \"y\"\n",
                pin + 0.5 * length * c,
                0.5 * length * s,
                -angle,
                -0.5 * length,
                0.5 * length
            )
        };
        let file = format!(
            "{}{}[[joint]]\nname = \"tip\"\ntype = \"revolute\"\nbodies = [\"left\", \"right\"]\npoint = \
             \"left.tip\"\npoint2 = \"right.tip\"\naxis = \"y\"\n",
            rod("left", 0.0, left, angles[0]),
            rod("right", 1.0, right, angles[1])
        );
        let loaded = rough("rods.toml", &file).unwrap_or_else(|e| panic!("{e}"));
        let built = built(&loaded);
        let found =
            assemble(&*built.system, &built.q, &built.v, &[]).unwrap_or_else(|e| panic!("{guess}: {e}"));
        assert!(constraint(&*built.system, &found.state).largest() < 1e-12, "{guess}");
        let height = built.system.bodies(&found.state.at())[0].position.z;
        // The tip of the triangle with the sides 0.6, 0.7 and 1.
        let expected = 0.5 * (left * left - 0.435_f64.powi(2)).sqrt();
        assert!((height.abs() - expected).abs() < 1e-9, "{guess}: {height}");
        let sides = angles.map(f64::sin);
        let crossed = sides.iter().all(|s| s * height < 0.0);
        seen[usize::from(crossed)] += 1;
        assert!(!crossed || !found.mirrored.is_empty(), "guess {guess}: {angles:?}");
    }
    assert!(seen[0] > 100 && seen[1] > 0, "{seen:?}");
}
