//! Reports on a model before it runs.

use crate::mechanics::Multibody;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

use nalgebra::{Matrix3, Vector3};

use super::graph;
use super::notices::{notices, units, units_of_beam};
use super::text::few;
use crate::Error;
use crate::formulation::Formulation;
use crate::integrate::InitialValues;
use crate::mechanics::mechanism::Mechanism;
pub use crate::mechanics::mobility::UNIQUE;
use crate::mechanics::mobility::{Mobility, length_rows, mobility};
use crate::mechanics::{BodyKind, State, System};
use crate::methods::{adaptive_method, method};
use crate::model::inertia::principal_moments;
use crate::model::{BodySpec, Built, Model, Settings, build};
use crate::solve::structure::RowGroup;

/// A share with two decimals, or in scientific notation if it is small.
pub fn rounded(share: f64) -> String {
    if share < 0.005 { format!("{share:.0e}") } else { format!("{share:.2}") }
}

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyCheck {
    /// Name.
    pub name: String,
    /// Mass.
    pub mass: f64,
    /// Principal moments about the centre of mass, ascending; none for a point mass.
    pub principal: Option<[f64; 3]>,
    /// Centre of mass at t = 0, in space.
    pub centre: [f64; 3],
}

/// A joint. Residuals are those of the given initial values.
#[derive(Clone, Debug, PartialEq)]
pub struct JointCheck {
    /// Name.
    pub name: String,
    /// Word for its kind in a model file.
    pub kind: String,
    /// Bodies.
    pub bodies: [String; 2],
    /// Constraint rows.
    pub rows: usize,
    /// Largest violation of its position rows, in m.
    pub position: f64,
    /// Largest violation of its direction rows, in rad.
    pub angle: f64,
    /// Largest violation of its velocity rows of points, in m/s.
    pub velocity: f64,
    /// Largest violation of its velocity rows of directions, in rad/s.
    pub angular_velocity: f64,
    /// Share in the redundant rows of the model; with 0 the reactions are unique.
    pub share: f64,
    /// Share in the nearly redundant rows.
    pub nearly_share: f64,
    /// True for the components of its reaction that are unique at the start: force x, y, z, torque x, y, z in
    /// space.
    pub unique: [bool; 6],
    /// The same along the axes of the joint.
    pub unique_along_axes: [bool; 6],
}

/// The report on a model before a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Check {
    /// Name of the model.
    pub model: String,
    /// Bodies.
    pub bodies: Vec<BodyCheck>,
    /// Beams and modal bodies, a line each.
    pub flexible: Vec<String>,
    /// Joints.
    pub joints: Vec<JointCheck>,
    /// Degrees of freedom and redundancy, with drives as constraints.
    pub mobility: Mobility,
    /// Number of driven degrees of freedom.
    pub driven: usize,
    /// Bodies that no joint, spring or bushing touches.
    pub free_bodies: Vec<String>,
    /// Groups of bodies joined to each other but not to the ground.
    pub floating_groups: Vec<Vec<String>>,
    /// The topology as text.
    pub graph: String,
    /// Number of joints that close loops.
    pub loops: usize,
    /// Number and size of the steps of the run, if they are possible.
    pub steps: Option<(usize, f64)>,
    /// Warnings.
    pub warnings: Vec<String>,
    /// Reasons why the model cannot run; empty if it can.
    pub problems: Vec<String>,
}

impl JointCheck {
    /// True if a rigid model determines the reactions, without relying on small errors of the geometry.
    pub fn is_unique(&self) -> bool {
        self.share <= UNIQUE && self.nearly_share <= UNIQUE
    }
}

impl Check {
    /// True if the model can run.
    pub fn is_runnable(&self) -> bool {
        self.problems.is_empty()
    }
}

/// Checks a model and its settings. The analysis uses absolute coordinates; the start is tested with the
/// formulation and the method of the settings.
pub fn check(model: &Model, settings: &Settings) -> Check {
    let (graph, loops) = graph::picture(model);
    // All nodes of a beam share one line.
    let own = |b: &&BodySpec| !model.beams.iter().any(|beam| beam.has(&b.name));
    let bodies = model.bodies.iter().filter(own).map(|b| {
        // The frame of a modal body can be anywhere.
        let modal = model.modal.iter().find(|m| m.name == b.name);
        let centre = modal.map_or_else(Vector3::zeros, |m| m.data.centre(&m.coordinates));
        let begins = model.starting(b);
        BodyCheck {
            name: b.name.clone(),
            mass: b.mass,
            principal: match (&b.kind, modal) {
                (_, Some(m)) => Some(principal_moments(&m.data.central_inertia())),
                (BodyKind::Rigid { inertia }, None) => Some(principal_moments(inertia)),
                (BodyKind::PointMass, None) => None,
            },
            centre: (begins.position + begins.rotation * centre).into(),
        }
    });
    let mut check = Check {
        model: model.name.clone(),
        bodies: bodies.collect(),
        flexible: flexible(model),
        joints: Vec::new(),
        mobility: Mobility::default(),
        driven: 0,
        free_bodies: graph::free_bodies(model),
        floating_groups: graph::floating_groups(model),
        graph,
        loops,
        steps: None,
        warnings: Vec::new(),
        problems: Vec::new(),
    };
    match build(model, Formulation::R3SO3) {
        Ok(built) => check.analyse(model, &built),
        Err(e) => check.problems.push(e.to_string()),
    }
    check.warn(model);
    check.warnings.extend(settings.notices());
    if check.problems.is_empty()
        && let Err(e) = check.start(model, settings)
    {
        check.problems.push(e.to_string());
    }
    check
}

/// A few digits of a number of any size.
fn digits(x: f64) -> String {
    match x {
        _ if x < 10.0 => format!("{x:.1}"),
        _ if x < 1e6 => format!("{x:.0}"),
        _ => format!("{x:.0e}"),
    }
}

/// Beams and modal bodies, one line each: size, mass and first frequencies.
fn flexible(model: &Model) -> Vec<String> {
    let beams = model.beams.iter().map(|b| {
        let [clamped, free] = b.frequencies();
        format!(
            "beam {}: {} elements, {:.4} m, {:.4} kg; first bending at {:.4} Hz if clamped at one end, \
             {:.4} Hz if free; \
             slenderness {}{}",
            b.name,
            b.elements(),
            b.length(),
            b.data.section.mass * b.length(),
            clamped,
            free,
            digits(b.slenderness()),
            units_of_beam(b).map(|remark| format!(": {remark}")).unwrap_or_default()
        )
    });
    let modal = model.modal.iter().map(|m| {
        let [held, free] = m.frequencies();
        format!(
            "modal body {}: {} modes, {} nodes with names, {:.4} kg; first frequency {held:.4} Hz with the \
             frame held, {free:.4} Hz \
             if free",
            m.name,
            m.data.modes(),
            m.nodes.len(),
            m.data.mass
        )
    });
    beams.chain(modal).collect()
}

/// The given initial values as a state; accelerations and multipliers are zero.
fn initial_state(built: &Built) -> State {
    let system = &*built.system;
    let mut state = State {
        t: 0.0,
        q: built.q.clone(),
        v: built.v.clone(),
        vdot: vec![0.0; built.v.len()],
        lambda: vec![0.0; system.n_lambda()],
        s: vec![0.0; system.n_s()],
        memory: vec![0.0; system.n_memory()],
    };
    state.remember(system);
    state
}

/// Groups of rows, named after their joints.
fn row_groups(system: &dyn Mechanism, state: &State) -> (Vec<String>, Vec<RowGroup>) {
    let everything = || {
        let factors = (0..system.group().factors().len()).collect();
        RowGroup { rows: 0..system.n_lambda(), factors }
    };
    let groups = match system.structure() {
        Some(structure) => structure.constraints.clone(),
        None => vec![everything()],
    };
    let mut first = 0;
    let mut joints = HashMap::new();
    for reaction in system.reactions(&state.at()) {
        let rows = first..first + reaction.multipliers.len();
        first = rows.end;
        joints.insert(rows, reaction.name);
    }
    let name = |g: &RowGroup| {
        let own = system.constraint_name(g.rows.start);
        // Gears have no reaction, so the numbers of the following rows are shifted.
        let named = own.starts_with("gear ") || own.starts_with("constraint ");
        match joints.get(&g.rows) {
            Some(name) if !named => name.clone(),
            _ => own,
        }
    };
    (groups.iter().map(name).collect(), groups)
}

impl Check {
    fn analyse(&mut self, model: &Model, built: &Built) {
        let system = &*built.system;
        let state = initial_state(built);
        let (names, groups) = row_groups(system, &state);
        let mut phi = vec![0.0; system.n_lambda()];
        let mut rate = phi.clone();
        system.constraint(&state.at(), &mut phi);
        system.velocity_constraint(&state.at(), &mut rate);
        if let Some(i) = phi.iter().chain(&rate).position(|x| !x.is_finite()) {
            let name = system.constraint_name(i % phi.len());
            self.problems.push(format!("'{name}' is not a finite number at the start; check its data"));
            return;
        }
        self.mobility = mobility(system, &state, &groups, model.moving());
        self.drives(model, built, &state, (&names, &groups));
        let lengths = length_rows(system, &state, &groups, model.moving());
        let worst = |rows: &Range<usize>, x: &[f64], length: bool| {
            let scale = if length { system.length_scale() } else { 1.0 };
            rows.clone().filter(|&r| lengths[r] == length).fold(0.0, |m: f64, r| m.max(x[r].abs() * scale))
        };
        let components = components(system, &state, self.mobility.null.as_deref());
        let components: HashMap<_, _> = components.iter().flatten().map(|c| (c.0.as_str(), c)).collect();
        let specs: HashMap<_, _> = model.joints.iter().map(|j| (j.name.as_str(), j)).collect();
        for (i, (name, group)) in names.iter().zip(&groups).enumerate() {
            let rows = &group.rows;
            let spec = specs.get(name.as_str());
            let gear = model.gears.iter().find(|g| *name == format!("gear {}", g.name));
            let (share, nearly_share) = (self.mobility.shares[i], self.mobility.nearly_shares[i]);
            let whole = share <= UNIQUE && nearly_share <= UNIQUE;
            let found = components.get(name.as_str()).filter(|_| !whole);
            let (unique, unique_along_axes) = found.map_or(([whole; 6], [whole; 6]), |c| (c.1, c.2));
            self.joints.push(JointCheck {
                unique,
                unique_along_axes,
                name: match (gear, name.strip_prefix("constraint ")) {
                    (Some(gear), _) => gear.name.clone(),
                    (None, Some(own)) if spec.is_none() => own.to_string(),
                    _ => name.clone(),
                },
                kind: match (spec, gear) {
                    (Some(j), _) => j.kind.name(),
                    (None, Some(_)) => "gear".to_string(),
                    (None, None) => "constraint".to_string(),
                },
                bodies: spec.map_or_else(Default::default, |j| j.bodies.clone()),
                rows: rows.len(),
                position: worst(rows, &phi, true),
                angle: worst(rows, &phi, false),
                velocity: worst(rows, &rate, true),
                angular_velocity: worst(rows, &rate, false),
                share,
                nearly_share,
            });
        }
    }

    /// Checks drives of coordinates that other joints hold. Without drives the constraints do not depend on
    /// time, so the speed of such a coordinate is zero, and a moving drive cannot be followed.
    fn drives(&mut self, model: &Model, built: &Built, state: &State, rows: (&[String], &[RowGroup])) {
        let (system, (names, groups)) = (&*built.system, rows);
        let one_drive = model.joints.iter().filter(|j| j.drive.is_some() && j.drive_displacement.is_none());
        let mut driven: HashSet<String> = one_drive.map(|j| j.name.clone()).collect();
        let constraints = model.constraints.iter().filter(|c| c.is_driven());
        driven.extend(constraints.map(|c| format!("constraint {}", c.name)));
        let driven: Vec<usize> = (0..groups.len()).filter(|i| driven.contains(&names[*i])).collect();
        if driven.is_empty() {
            return;
        }
        // The drive has the last row of its joint.
        let with = |drive: Option<usize>| -> Vec<RowGroup> {
            let mut groups = groups.to_vec();
            driven.iter().filter(|i| Some(**i) != drive).for_each(|&i| groups[i].rows.end -= 1);
            groups
        };
        let bodies = model.moving();
        let rank = |m: &Mobility| m.rank_nearby.unwrap_or(m.rank);
        let without = mobility(system, state, &with(None), bodies);
        self.driven = rank(&self.mobility).saturating_sub(rank(&without));
        if self.mobility.redundant() == 0 {
            return;
        }
        for &i in &driven {
            let held = mobility(system, state, &with(Some(i)), bodies);
            if rank(&held) > rank(&without) || !moves(system, state, groups[i].rows.end - 1) {
                continue;
            }
            let holders = (0..groups.len()).filter(|&k| k != i && held.shares[k] - without.shares[k] > 1e-3);
            let holders = holders.map(|k| (names[k].clone(), self.kind_of(model, &names[k])));
            self.problems.push(format!(
                "the drive of {} cannot move anything: {} hold the coordinate that it prescribes; \
                 leave the drive out, or free one \
                 of these joints",
                match names[i].strip_prefix("constraint ") {
                    Some(own) if !model.joints.iter().any(|j| j.name == names[i]) => {
                        format!("constraint '{own}'")
                    }
                    _ => format!("joint '{}'", names[i]),
                },
                few(&holders.collect::<Vec<_>>())
            ));
        }
    }

    fn kind_of(&self, model: &Model, name: &str) -> String {
        model.joints.iter().find(|j| j.name == name).map_or("other".to_string(), |j| j.kind.name())
    }

    fn warn(&mut self, model: &Model) {
        let m = &self.mobility;
        let by_share = |share: &dyn Fn(&JointCheck) -> f64| {
            let mut list: Vec<&JointCheck> = self.joints.iter().filter(|j| share(j) > UNIQUE).collect();
            list.sort_by(|a, b| share(b).total_cmp(&share(a)));
            let named = list.iter().map(|j| (format!("{} {}", j.name, rounded(share(j))), j.kind.clone()));
            few(&named.collect::<Vec<_>>())
        };
        let mut warnings = Vec::new();
        if m.redundant() > 0 {
            warnings.push(format!(
                "{} of {} constraint rows are redundant, by joint: {}; the motion is unique, and so are the \
                 reactions except for the components \
                 named above, which are minimum-norm shares",
                m.redundant(),
                m.rows,
                by_share(&|j| j.share)
            ));
        }
        if !m.nearly.is_empty() {
            let sizes: Vec<String> = m.nearly.iter().map(|s| format!("{s:.1e}")).collect();
            warnings.push(format!(
                "nearly redundant constraints: the geometry is inconsistent to about this size ({}), the \
                 mechanism \
                 may be locked or badly loaded: {}; give the data with more digits, or make the joints \
                 compliant",
                sizes.join(", "),
                by_share(&|j| j.nearly_share)
            ));
        }
        if let Some(rank) = m.rank_nearby {
            warnings.push(format!(
                "the initial configuration is singular: rank {} here, {rank} nearby; start beside it if the \
                 branch matters",
                m.rank
            ));
        }
        if m.rows > 0 && m.coordinates <= m.rank {
            let driven =
                model.joints.iter().any(|j| j.is_driven()) || model.constraints.iter().any(|c| c.is_driven());
            if !driven {
                warnings.push("the constraints leave no degree of freedom: nothing can move".to_string());
            }
        }
        for body in &self.free_bodies {
            warnings.push(format!("nothing connects body {body}: it moves freely"));
        }
        for group in &self.floating_groups {
            warnings.push(format!("nothing ties these bodies to the ground: {}", abbreviated(group)));
        }
        warnings.extend(units(model));
        self.warnings = warnings;
    }

    /// Repeats the start of a run.
    fn start(&mut self, model: &Model, settings: &Settings) -> Result<(), Error> {
        let built = build(model, settings.formulation)?;
        let mut initial = InitialValues::new(&built.q, &built.v);
        initial.fix = settings.fix_initial;
        let mut state = initial.consistent(&*built.system)?;
        let fastest = state.v.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
        if !settings.fix_initial && fastest > 0.0 && built.v.iter().all(|v| *v == 0.0) {
            self.warnings.push(format!(
                "no velocities are given: those that the drives need are computed, up to {fastest:.1e} \
                 (m/s, rad/s)"
            ));
        }
        match settings.tolerance {
            Some(tol) => adaptive_method(&settings.method, &settings.options, tol)?.start(
                &*built.system,
                &mut state,
                settings.until,
            )?,
            None => {
                let (n, h) = settings.run().steps(state.t)?;
                method(&settings.method, &settings.options)?.start(&*built.system, &mut state, h)?;
                self.steps = Some((n, h));
            }
        }
        self.warnings.extend(notices(model, &*built.system, &state));
        if settings.fix_initial {
            let change =
                |a: &[f64], b: &[f64]| a.iter().zip(b).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
            let (dq, dv) = (change(&state.q, &built.q), change(&state.v, &built.v));
            if dq > 1e-12 || dv > 1e-12 {
                self.warnings.push(format!(
                    "initial values are corrected: positions by up to {dq:.1e} (m, or entries of a \
                     rotation), velocities by up to \
                     {dv:.1e} (m/s, rad/s)"
                ));
            }
        }
        Ok(())
    }
}

/// A joint with its unique components, in space and along its axes.
type Components = (String, [bool; 6], [bool; 6]);

/// Components of reactions that no combination of undetermined multipliers changes; none if these are
/// unknown.
fn components(system: &dyn Mechanism, state: &State, null: Option<&[Vec<f64>]>) -> Option<Vec<Components>> {
    let (system, null) = (Multibody::of(system)?, null?);
    let length = system.length_scale();
    let joints = system.joint_list();
    let mut list: Vec<Components> = joints.iter().map(|j| (j.name.clone(), [true; 6], [true; 6])).collect();
    let frames: Vec<Matrix3<f64>> =
        joints.iter().map(|j| j.pair(system.bodies_in_pairs(), &state.q).a.r * j.marker_a.c).collect();
    for lambda in null {
        let state = State { lambda: lambda.clone(), ..state.clone() };
        let loads: Vec<[Vector3<f64>; 2]> = (0..joints.len())
            .map(|i| system.reaction(i, &state.at()))
            .map(|r| [r.force, r.torque / length])
            .collect();
        let largest = loads.iter().flatten().fold(0.0, |m: f64, x| m.max(x.amax()));
        for ((load, frame), (_, space, own)) in loads.iter().zip(&frames).zip(&mut list) {
            for k in 0..6 {
                space[k] &= load[k / 3][k % 3].abs() <= ZERO_COMPONENT * largest;
                own[k] &= frame.column(k % 3).dot(&load[k / 3]).abs() <= ZERO_COMPONENT * largest;
            }
        }
    }
    Some(list)
}

/// Smaller components, relative to the largest in a list of undetermined multipliers, count as zero: rounding
/// leaves 1e-15 of them, and bodies with a thousandth of the others' inertia 1e-3.
const ZERO_COMPONENT: f64 = 1e-9;

/// True if the drive of a row moves at some time: its speed is B v + Phi_t at rest.
fn moves(system: &dyn Mechanism, state: &State, row: usize) -> bool {
    let mut rest = State { v: vec![0.0; state.v.len()], ..state.clone() };
    let mut rate = vec![0.0; system.n_lambda()];
    (0..64).any(|i| {
        rest.t = state.t + 0.157 * f64::from(i) * 1.1_f64.powi(i - 32);
        system.velocity_constraint(&rest.at(), &mut rate);
        rate[row].abs() > 1e-12
    })
}

fn abbreviated(names: &[String]) -> String {
    match names {
        [first, .., last] if names.len() > 8 => format!("{first} ... {last} ({} bodies)", names.len()),
        _ => names.join(", "),
    }
}
