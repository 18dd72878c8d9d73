//! The state about which a mechanism is linearised: where it is looked for, and its description in words and
//! as data.

use crate::analysis::equilibrium::find;
use crate::analysis::local::Layout;
use crate::analysis::steady::{self, Found, moving, resting_at};
use crate::analysis::{AnalysisError, EquilibriumOptions, Frame, Kind, Stability};
use crate::mechanics::mechanism::Mechanism;
use crate::mechanics::sensors::for_summary;
use crate::model::Built;
use serde_json::{Map, Value, json};

use crate::analysis::words::short;

/// Where to linearise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// An equilibrium of this kind near the given positions.
    Equilibrium(Kind),
    /// A steady rotation near the given positions and velocities.
    Steady,
    /// The given positions and velocities.
    Initial,
}

/// Names of kinds.
pub const KINDS: [&str; 2] = ["stable", "any"];

/// The kind of equilibrium by name.
pub fn kind(name: &str) -> Result<Kind, String> {
    match name {
        "stable" => Ok(Kind::Stable),
        "any" => Ok(Kind::Any),
        other => Err(crate::Error::unknown_name("kind of equilibrium", other, KINDS).to_string()),
    }
}

impl Place {
    /// By name, for callers from Python. `state` is the same as `initial`, for positions that were given
    /// instead of those of the file.
    pub fn named(at: &str, kind_of: &str) -> Result<Self, String> {
        let kind = kind(kind_of)?;
        match at {
            "equilibrium" => Ok(Place::Equilibrium(kind)),
            "steady" => Ok(Place::Steady),
            "initial" | "state" => Ok(Place::Initial),
            other => {
                let known = ["equilibrium", "steady", "initial", "state"];
                Err(crate::Error::unknown_name("place", other, known).to_string())
            }
        }
    }
}

/// A state and how it was found.
pub struct Linearised {
    /// The state, with its frame.
    pub found: Found,
    /// `equilibrium`, `steady`, `initial` or `checkpoint`.
    pub at: &'static str,
    /// For equilibria.
    pub stability: Option<Stability>,
    /// The positions in the file.
    given: Vec<f64>,
}

impl Linearised {
    /// A state that was found from these positions.
    pub fn new(found: Found, at: &'static str, given: &[f64]) -> Self {
        Linearised { found, at, stability: None, given: given.to_vec() }
    }

    /// Looks for the state of a model.
    pub fn find(built: &Built, place: Place, frame: Frame, t: f64) -> Result<Self, AnalysisError> {
        let system = &*built.system;
        let state = moving(system, &built.q, &built.v, t);
        match place {
            Place::Equilibrium(kind) => {
                let options = EquilibriumOptions { kind, t, ..EquilibriumOptions::default() };
                let rest = find(system, &built.q, &options)?;
                let found = resting_at(system, &rest.state)?;
                Ok(Linearised {
                    stability: Some(rest.stability),
                    ..Self::new(found, "equilibrium", &built.q)
                })
            }
            Place::Steady => Ok(Self::new(steady::find(system, &state, frame, true)?, "steady", &built.q)),
            Place::Initial => Ok(Self::new(steady::find(system, &state, frame, false)?, "initial", &built.q)),
        }
    }

    /// The body that is furthest from the given positions: name, rad, m.
    fn furthest(&self, system: &dyn Mechanism) -> Option<(String, f64, f64)> {
        let layout = Layout::new(system).ok()?;
        let mut x = vec![0.0; system.group().dim()];
        system.group().difference(&self.given, &self.found.state.q, &mut x);
        let size =
            |r: std::ops::Range<usize>| x.get(r).map_or(0.0, |x| x.iter().map(|x| x * x).sum::<f64>().sqrt());
        let each = layout
            .names
            .iter()
            .enumerate()
            .map(|(i, name)| (name.clone(), size(layout.rotation(i)), size(layout.translation(i))));
        each.max_by(|a, b| (a.1 + a.2 / layout.length).total_cmp(&(b.1 + b.2 / layout.length)))
    }

    /// One sentence: where this is, and how far from the given positions.
    pub fn words(&self, system: &dyn Mechanism) -> String {
        let place = match (self.at, self.stability) {
            ("equilibrium", Some(stability)) => format!("an equilibrium ({})", stability.words()),
            ("steady", _) if self.found.steady.is_rest() => "rest: nothing turns".to_string(),
            ("steady", _) => "a steady rotation".to_string(),
            ("initial", _) => return "the positions and velocities of the model".to_string(),
            (other, _) => format!("the {other}"),
        };
        match self.furthest(system) {
            Some((name, turned, moved)) if turned > 1e-6 || moved > 1e-9 => format!(
                "{place}, not at the positions of the model: '{name}' is turned by {} rad and moved by {} m",
                short(turned),
                short(moved)
            ),
            _ => format!("{place}, at the positions of the model"),
        }
    }

    /// The state as JSON; the keys are stable.
    pub fn as_json(&self, system: &dyn Mechanism) -> Value {
        let at = self.found.state.at();
        let bodies: Map<String, Value> = system
            .bodies(&at)
            .into_iter()
            .map(|b| {
                let value = json!({
                    "position": b.position.as_slice(),
                    "rotation": b.rotation,
                    "velocity": b.velocity.as_slice(),
                    "angular_velocity": b.angular_velocity.as_slice(),
                });
                (b.name.clone(), value)
            })
            .collect();
        let joints: Map<String, Value> = system
            .reactions(&at)
            .iter()
            .map(|r| (r.name.clone(), json!({ "force": r.force.as_slice(), "torque": r.torque.as_slice() })))
            .collect();
        let furthest = self.furthest(system);
        json!({
            "at": self.at,
            "words": self.words(system),
            "t": self.found.state.t,
            "stability": self.stability.map(Stability::words),
            "furthest": furthest.map(|(body, turned, moved)| {
                json!({ "body": body, "turned": turned, "moved": moved })
            }),
            "bodies": bodies,
            "joints": joints,
            "sensors": sensors_json(system, &at),
        })
    }

    /// Sensors, positions, and forces and torques of joints in a rotation.
    pub fn table(&self, system: &dyn Mechanism) -> String {
        use std::fmt::Write;
        /// Larger models are not printed.
        const MAX_LINES: usize = 12;
        let at = self.found.state.at();
        let mut s = String::from("\nstate of the rotation\n");
        let (sensors, _) = for_summary(system, &at);
        for (name, values, unit) in &sensors {
            let values: Vec<String> = values.iter().map(|x| short(*x)).collect();
            let _ = writeln!(s, "  {name}: {} {unit}", values.join(", "));
        }
        let bodies = system.bodies(&at);
        let three = |v: &[f64]| v.iter().map(|x| short(*x)).collect::<Vec<_>>().join(", ");
        for b in bodies.iter().take(MAX_LINES) {
            let _ = writeln!(
                s,
                "  {}: position {} m, angular velocity {} rad/s",
                b.name,
                three(b.position.as_slice()),
                three(b.angular_velocity.as_slice())
            );
        }
        let reactions = system.reactions(&at);
        for r in reactions.iter().take(MAX_LINES) {
            let _ = writeln!(
                s,
                "  {}: force {} N, torque {} N m",
                r.name,
                three(r.force.as_slice()),
                three(r.torque.as_slice())
            );
        }
        if bodies.len().max(reactions.len()) > MAX_LINES {
            let _ = writeln!(s, "  and more, listed in the data");
        }
        s
    }
}

/// Sensors by name: a number, or a list of components.
pub(crate) fn sensors_json(system: &dyn Mechanism, at: &crate::mechanics::At) -> Value {
    let value = |x: Vec<f64>| match x[..] {
        [x] => json!(x),
        _ => json!(x),
    };
    let list = system.sensors(at).into_iter().map(|(name, x)| (name, value(x)));
    Value::Object(list.collect::<Map<_, _>>())
}
