//! Notices about the initial state: springs far from their free length, unsupported loads, preloads that
//! throw a mechanism away.

use nalgebra::Vector3;

use crate::mechanics::forces::{Force, LawKind};
use crate::mechanics::kernels::SpringDamper;
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{Body, BodyKind, Multibody, State};
use crate::model::Model;
use crate::model::beam::BeamSpec;
use crate::model::elements::{Characteristic, ForceKind};
use crate::model::spec::GROUND;

/// A spring gets a notice if its length differs from its free length by this part of it.
const STRETCHED_PART: f64 = 0.5;
/// A body is unsupported if it begins to fall or rise with this part of gravity.
const UNSUPPORTED: f64 = 0.5;
/// Accelerations that differ less from gravity, relative to it, are those of a free fall.
const FREE_FALL: f64 = 1e-6;
/// Limit for sideways accelerations, in gravities: mechanisms are often pushed on purpose.
const THROWN_SIDEWAYS: f64 = 20.0;
/// Largest number of names in one notice.
const MAX_NAMES: usize = 6;

/// A stronger gravity, in m/s^2, was given in other units.
const MAX_GRAVITY: f64 = 100.0;
/// Largest ratio of lengths in one mechanism; otherwise some are in other units.
const MAX_SIZE_RATIO: f64 = 500.0;

/// Plausible slenderness: length of a beam divided by the radius of gyration of its section.
const PLAUSIBLE_SLENDERNESS: std::ops::Range<f64> = 3.0..1e6;

/// A remark on a beam whose numbers seem to be in other units.
pub fn units_of_beam(beam: &BeamSpec) -> Option<&'static str> {
    let remark = "no beam has that; are the units of EI, EA and the length right?";
    (!PLAUSIBLE_SLENDERNESS.contains(&beam.slenderness())).then_some(remark)
}

/// Numbers that seem to be in other units.
pub fn units(model: &Model) -> Vec<String> {
    strength_of_gravity(model).into_iter().chain(sizes(model)).collect()
}

fn strength_of_gravity(model: &Model) -> Option<String> {
    let g = model.gravity.norm();
    let times = g / 9.81;
    (g > MAX_GRAVITY)
        .then(|| format!("gravity is {g} m/s^2, {times:.0} times that of the earth: is it in other units?"))
}

/// Bodies whose joints are very close to or very far from each other: plain numbers are metres.
fn sizes(model: &Model) -> Option<String> {
    let reach = |name: &str| {
        let points: Vec<_> =
            model.joints.iter().filter(|j| j.bodies.iter().any(|b| b == name)).map(|j| j.point).collect();
        let apart = points.iter().flat_map(|a| points.iter().map(move |b| (a - b).norm()));
        apart.fold(0.0, |m: f64, x| if x > m { x } else { m })
    };
    // Models with many bodies repeat a few parts.
    let reaches = model.bodies.iter().take(MAX_BODIES).map(|b| (b.name.as_str(), reach(&b.name)));
    let reaches: Vec<(&str, f64)> = reaches.filter(|r| r.1 > 0.0).collect();
    let by_size = |a: &&(&str, f64), b: &&(&str, f64)| a.1.total_cmp(&b.1);
    let (small, a) = reaches.iter().min_by(by_size)?;
    let (large, b) = reaches.iter().max_by(by_size)?;
    (*b > MAX_SIZE_RATIO * a).then(|| {
        format!(
            "joints of '{large}' are {b:.3} m apart, those of '{small}' {a:.3} m: plain numbers are metres; \
             write \"{b:.1} mm\" for \
             millimetres"
        )
    })
}

/// Largest number of bodies whose size is examined.
const MAX_BODIES: usize = 200;

fn named(names: &[String]) -> String {
    match names.get(..MAX_NAMES) {
        Some(first) if names.len() > MAX_NAMES => {
            format!("{} and {} more", first.join(", "), names.len() - MAX_NAMES)
        }
        _ => names.join(", "),
    }
}

/// Bodies that a joint guides from the ground, but that fall freely: all their points begin to move with g.
/// On a hinge they would turn.
fn dropped(model: &Model, multibody: &Multibody, state: &State) -> Vec<String> {
    let (gravity, at, group) = (multibody.gravity(), state.at(), multibody.bodies_in_pairs().group);
    let guided = |name: &str| {
        model.joints.iter().any(|j| match &j.bodies {
            [a, b] if a == GROUND => b == name,
            [a, b] if b == GROUND => a == name,
            _ => false,
        })
    };
    let falls = |body: &&Body| {
        let points = [Vector3::zeros(), Vector3::x(), Vector3::y(), Vector3::z()];
        let free = |p: &Vector3<f64>| {
            (body.point_acceleration(group, &at, p) - gravity).norm() < FREE_FALL * gravity.norm()
        };
        matches!(body.kind, BodyKind::Rigid { .. }) && points.iter().all(free) && guided(&body.name)
    };
    multibody.body_list().iter().take(MAX_BODIES).filter(falls).map(|b| b.name.clone()).collect()
}

/// Notices about a model in its initial state.
pub fn notices(model: &Model, system: &dyn Mechanism, state: &State) -> Vec<String> {
    let Some(multibody) = Multibody::of(system) else { return Vec::new() };
    let (bodies, at) = (multibody.bodies_in_pairs(), state.at());
    let mut list = Vec::new();
    for (spec, force) in model.forces.iter().zip(multibody.force_list()) {
        let (ForceKind::Spring(described), Force::Spring(spring)) = (&spec.kind, force) else { continue };
        let Characteristic::Linear(law) = &described.characteristic else { continue };
        let [length, _, tension] = spring.state(bodies, &at);
        if law.k > 0.0 && law.y0 > 0.0 && (length - law.y0).abs() > STRETCHED_PART * law.y0 {
            let does = if tension > 0.0 { "pulls" } else { "pushes" };
            list.push(format!(
                "spring '{}' starts {:.3} m long, its free length is {:.3} m: it {does} with {:.3e} N",
                spec.name,
                length,
                law.y0,
                tension.abs()
            ));
        }
    }
    let mut neglected = Vec::new();
    system.see_limits(&at, &mut neglected);
    list.extend(system.neglected(&neglected));
    // Bodies on hinges alone are meant to swing; springs are meant to carry.
    // A damper carries nothing, and nobody expects it to.
    let holds = |law: &SpringDamper| law.k != 0.0 || law.f0 != 0.0;
    let elastic = |law: &LawKind| match law {
        LawKind::Elastic(Characteristic::Linear(law)) => holds(law),
        LawKind::Elastic(_) => true,
        _ => false,
    };
    let carries = |f: &Force| match f {
        Force::Spring(s) => elastic(s.law()),
        Force::Along(along) => elastic(&along.law),
        Force::Bushing(_) => true,
        _ => false,
    };
    let moving = state.v.iter().any(|v| v.abs() > 1e-9);
    let gravity = multibody.gravity();
    let g = gravity.norm();
    if moving || g == 0.0 {
        return list;
    }
    // Bodies that share a spring with others; free bodies have their own notice.
    let mut touched: Vec<usize> = Vec::new();
    for force in multibody.force_list().filter(|f| carries(f)) {
        touched.extend(force.link().moving());
    }
    let mut dropped = dropped(model, multibody, state);
    dropped.retain(|name| !touched.iter().any(|i| &multibody.body_list()[*i].name == name));
    if !dropped.is_empty() {
        list.push(format!(
            "nothing holds {} against gravity: {} to fall freely; add a spring, a drive or a control, or \
             lock the joint",
            named(&dropped),
            if dropped.len() == 1 { "it begins" } else { "they begin" }
        ));
    }
    list.extend(not_carried(multibody, state, &touched));
    list
}

/// Bodies on springs that begin to fall, or that their springs throw away.
fn not_carried(multibody: &Multibody, state: &State, touched: &[usize]) -> Vec<String> {
    let (group, at, gravity) = (multibody.bodies_in_pairs().group, state.at(), multibody.gravity());
    let g = gravity.norm();
    let mut list = Vec::new();
    let (mut falling, mut rising, mut thrown) = (Vec::new(), Vec::new(), Vec::new());
    for &i in touched {
        let body = &multibody.body_list()[i];
        let a = body.point_acceleration(group, &at, &Vector3::zeros());
        let down = a.dot(&gravity) / (g * g);
        let group = match down {
            d if d > UNSUPPORTED => &mut falling,
            d if d < -UNSUPPORTED => &mut rising,
            _ if a.norm() > THROWN_SIDEWAYS * g => &mut thrown,
            _ => continue,
        };
        let text = format!("{} ({:.2} times gravity)", body.name, a.norm() / g);
        if !group.contains(&text) {
            group.push(text);
        }
    }
    for (names, what, remedy) in [
        (
            &falling,
            ["begins to fall: its", "begin to fall: their"],
            "springs do not carry the weight; give a preload or a free length, or find the rest position \
             with equilibrium",
        ),
        (
            &rising,
            ["is thrown up at once: its", "are thrown up at once: their"],
            "springs push more than the weight; check preload and free length",
        ),
        (
            &thrown,
            ["is pushed away at once by its", "are pushed away at once by their"],
            "springs; check preload and free length",
        ),
    ] {
        if !names.is_empty() {
            let what = what[usize::from(names.len() > 1)];
            list.push(format!("{} {what} {remedy}", named(names)));
        }
    }
    list
}
