//! Equilibria far from where a search begins: long chains, closed loops, folded and standing ones.

use crate::analyses_util::{built, built_se3, text};
use precess::analysis::equilibrium::find;
use precess::analysis::{Equilibrium, EquilibriumOptions};
use precess::model::Built;

/// A chain of rods of length and mass 1 with spherical joints. Each rod begins where the one before ends, the
/// first at the origin, and has a given direction. The end of the chain is held at `end`, if given.
fn chain(directions: &[[f64; 3]], end: Option<[f64; 3]>) -> precess::model::Loaded {
    let mut file = String::from("[model]\ngravity = [0, 0, -9.81]\n");
    let mut at = [0.0; 3];
    for (i, d) in directions.iter().enumerate() {
        let before = if i == 0 { "ground".to_string() } else { format!("r{}", i - 1) };
        let mid = [0, 1, 2].map(|k| at[k] + 0.5 * d[k]);
        // From x to d: the shortest turn.
        let turn = match d {
            [x, _, _] if *x > 1.0 - 1e-12 => "[1, 0, 0, 0]".to_string(),
            [x, _, _] if *x < -1.0 + 1e-12 => "[0, 0, 0, 1]".to_string(),
            [x, y, z] => {
                let (w, n) = (1.0 + x, ((1.0 + x).powi(2) + y * y + z * z).sqrt());
                format!("[{}, 0, {}, {}]", w / n, -z / n, y / n)
            }
        };
        file += &format!(
            "[[body]]\nname = \"r{i}\"\nmass = 1\ninertia = [1e-3, 0.0833, 0.0833]\nposition = \
             {mid:?}\nrotation = {turn}\n\
             [[joint]]\nname = \"j{i}\"\ntype = \"spherical\"\nbodies = [\"{before}\", \"r{i}\"]\npoint = \
             {at:?}\n"
        );
        at = [0, 1, 2].map(|k| at[k] + d[k]);
    }
    if let Some(end) = end {
        assert!((0..3).all(|k| (at[k] - end[k]).abs() < 1e-9), "the chain ends at {at:?}");
        let last = directions.len() - 1;
        file += &format!(
            "[[joint]]\nname = \"end\"\ntype = \"spherical\"\nbodies = [\"ground\", \"r{last}\"]\npoint = \
             {end:?}\n"
        );
    }
    text(&file)
}

fn rest(built: &Built) -> Equilibrium {
    find(&*built.system, &built.q, &EquilibriumOptions::default()).unwrap_or_else(|e| panic!("{e}"))
}

fn depth(built: &Built, found: &Equilibrium) -> f64 {
    built.system.bodies(&found.state.at()).iter().map(|b| b.position.z).fold(f64::INFINITY, f64::min)
}

/// A chain that starts horizontally ends up hanging straight down, however long it is. The number of
/// iterations hardly grows with its length.
#[test]
fn horizontal_chains_hang() {
    for n in [10, 60, 1000] {
        let built = built(&chain(&vec![[1.0, 0.0, 0.0]; n], None));
        let found = rest(&built);
        println!("{n} rods from horizontal: {} factorisations", found.factorisations);
        assert!(
            (depth(&built, &found) + n as f64 - 0.5).abs() < 1e-8 * n as f64,
            "{}",
            depth(&built, &found)
        );
        assert!(found.factorisations <= 60, "{n}: {}", found.factorisations);
    }
}

/// The chain finds its hanging position from many starts: folded like a ruler, standing on its end, as a
/// spiral, in random directions; on both groups.
#[test]
fn chains_hang_from_everywhere() {
    let n = 40;
    let folded: Vec<_> = (0..n).map(|i| [if i % 2 == 0 { 1.0 } else { -1.0 }, 0.0, 0.0]).collect();
    let standing = vec![[0.0, 0.0, 1.0]; n];
    let spiral: Vec<_> = (0..n).map(|i| (0.9 * i as f64).sin_cos()).map(|(s, c)| [c, s, 0.0]).collect();
    let mut seed = 3u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    };
    let crumpled: Vec<_> = (0..n)
        .map(|_| {
            let d = [random(), random(), random()];
            let l = d.iter().map(|x| x * x).sum::<f64>().sqrt();
            d.map(|x| x / l)
        })
        .collect();
    for (name, list) in
        [("folded", folded), ("standing", standing), ("spiral", spiral), ("crumpled", crumpled)]
    {
        let loaded = chain(&list, None);
        for built in [built(&loaded), built_se3(&loaded)] {
            let found = rest(&built);
            println!("{name}: {} factorisations, {} escapes", found.factorisations, found.escapes);
            let z = depth(&built, &found);
            assert!((z + n as f64 - 0.5).abs() < 1e-7, "{name}: {z}");
        }
    }
}

/// A chain that is held at both ends: half of it hangs on each side. Its lowest point follows from the static
/// balance of rods: the horizontal force H and the vertical force in rod i, (i - (n - 1)/2) m g, give its
/// direction; the span of all rods is the distance.
#[test]
fn closed_chains_sag_as_statics_says() {
    let n = 30;
    // A polygon from the first point out and back to the second one, folded in the vertical plane.
    let up: Vec<_> = (0..n / 2 - 5).map(|i| (0.11 * i as f64).sin_cos()).map(|(s, c)| [0.0, s, c]).collect();
    let mut list: Vec<[f64; 3]> = up.clone();
    list.extend([[1.0, 0.0, 0.0]; 10]);
    list.extend(up.iter().rev().map(|d| d.map(|x| -x)));
    let built = built(&chain(&list, Some([10.0, 0.0, 0.0])));
    let found = rest(&built);
    let mg = 9.81;
    let vertical = |i: usize| (i as f64 - 0.5 * (n as f64 - 1.0)) * mg;
    let span = |h: f64| (0..n).map(|i| h / h.hypot(vertical(i))).sum::<f64>();
    let (mut low, mut high) = (1e-9, 1e4);
    for _ in 0..200 {
        let h = 0.5 * (low + high);
        if span(h) < 10.0 { low = h } else { high = h }
    }
    let bodies = built.system.bodies(&found.state.at());
    let (mut x, mut z) = (0.0, 0.0);
    for (i, b) in bodies.iter().enumerate() {
        let l = low.hypot(vertical(i));
        let (dx, dz) = (low / l, vertical(i) / l);
        let off = (b.position.x - x - 0.5 * dx).hypot(b.position.z - z - 0.5 * dz).hypot(b.position.y);
        assert!(off < 1e-7, "rod {i} is {off} m away: {}", b.position);
        (x, z) = (x + dx, z + dz);
    }
    println!("closed chain: {} factorisations", found.factorisations);
}
