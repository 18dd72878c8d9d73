//! What a static look at the start shows: springs far from their rest, loads that nothing carries, preloads
//! that throw a mechanism away.

use nalgebra::Vector3;

use crate::mechanics::forces::{Element, Force};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::{Body, BodyKind, Multibody, State};
use crate::model::Model;
use crate::model::elements::{Characteristic, ForceKind};
use crate::model::spec::GROUND;

/// A spring that is longer or shorter than its free length by this part of it is worth a notice.
const STRETCHED: f64 = 0.5;
/// A body that begins to fall or to rise with this part of gravity is not carried.
const FALLS: f64 = 0.5;
/// Accelerations that differ less from gravity are those of a free fall, as a part of it.
const FREELY: f64 = 1e-6;
/// Sideways it may be more: mechanisms are pushed on purpose.
const THROWN: f64 = 20.0;
/// Names in one notice.
const NAMED: usize = 6;

/// A stronger gravity was given in other units, m/s^2.
const STRONGEST: f64 = 100.0;
/// Lengths in one mechanism do not differ more, unless some are in other units.
const SIZES: f64 = 500.0;

/// Numbers that look as if they were in other units.
pub fn units(model: &Model) -> Vec<String> {
    strength_of_gravity(model).into_iter().chain(sizes(model)).collect()
}

fn strength_of_gravity(model: &Model) -> Option<String> {
    let g = model.gravity.norm();
    let times = g / 9.81;
    (g > STRONGEST)
        .then(|| format!("gravity is {g} m/s^2, {times:.0} times that of the earth: is it in other units?"))
}

/// Bodies whose joints are very near or very far from each other: plain numbers are metres.
fn sizes(model: &Model) -> Option<String> {
    let reach = |name: &str| {
        let points: Vec<_> =
            model.joints.iter().filter(|j| j.bodies.iter().any(|b| b == name)).map(|j| j.point).collect();
        let apart = points.iter().flat_map(|a| points.iter().map(move |b| (a - b).norm()));
        apart.fold(0.0, |m: f64, x| if x > m { x } else { m })
    };
    // Models of many bodies repeat a few parts.
    let reaches = model.bodies.iter().take(LOOKED_AT).map(|b| (b.name.as_str(), reach(&b.name)));
    let mut reaches: Vec<(&str, f64)> = reaches.filter(|r| r.1 > 0.0).collect();
    reaches.sort_by(|a, b| a.1.total_cmp(&b.1));
    let (Some((small, a)), Some((large, b))) = (reaches.first(), reaches.last()) else { return None };
    (*b > SIZES * a).then(|| {
        format!(
            "joints of '{large}' are {b:.3} m apart, those of '{small}' {a:.3} m: plain numbers are metres; \
             write \"{b:.1} mm\" for \
             millimetres"
        )
    })
}

/// Bodies whose size is looked at.
const LOOKED_AT: usize = 200;

fn named(names: &[String]) -> String {
    match names.get(..NAMED) {
        Some(first) if names.len() > NAMED => {
            format!("{} and {} more", first.join(", "), names.len() - NAMED)
        }
        _ => names.join(", "),
    }
}

/// Bodies that a joint guides from the ground, and that gravity moves as if it did not: all their points
/// begin to move with g. A hinge makes them turn.
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
            (body.point_acceleration(group, &at, p) - gravity).norm() < FREELY * gravity.norm()
        };
        matches!(body.kind, BodyKind::Rigid { .. }) && points.iter().all(free) && guided(&body.name)
    };
    multibody.body_list().iter().take(LOOKED_AT).filter(falls).map(|b| b.name.clone()).collect()
}

/// Notices about a model in the state in which it begins.
pub fn notices(model: &Model, system: &dyn Mechanism, state: &State) -> Vec<String> {
    let Some(multibody) = system.as_multibody() else { return Vec::new() };
    let (bodies, at) = (multibody.bodies_in_pairs(), state.at());
    let mut list = Vec::new();
    for (spec, force) in model.forces.iter().zip(multibody.force_list()) {
        let (ForceKind::Spring(described), Force::Spring(spring)) = (&spec.kind, force) else { continue };
        let Characteristic::Linear(law) = &described.characteristic else { continue };
        let [length, _, tension] = spring.state(bodies, &at);
        if law.k > 0.0 && law.y0 > 0.0 && (length - law.y0).abs() > STRETCHED * law.y0 {
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
    // What hangs on hinges alone is meant to swing; springs are there to carry.
    let carries = |f: &Force| {
        matches!(f, Force::Spring(_) | Force::Bushing(_) | Force::JointSpring(_) | Force::JointTable(_))
    };
    let moving = state.v.iter().any(|v| v.abs() > 1e-9);
    let gravity = multibody.gravity();
    let g = gravity.norm();
    if moving || g == 0.0 {
        return list;
    }
    // Bodies that share a spring with others; what nothing touches is said elsewhere.
    let touched: Vec<usize> =
        multibody.force_list().iter().filter(|f| carries(f)).flat_map(|f| f.link().moving()).collect();
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
            d if d > FALLS => &mut falling,
            d if d < -FALLS => &mut rising,
            _ if a.norm() > THROWN * g => &mut thrown,
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
