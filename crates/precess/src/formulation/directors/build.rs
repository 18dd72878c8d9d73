//! From a model to its equations in directors.

use nalgebra::{DMatrix, Vector3};

use super::bodies::DirectorBody;
use super::forces;
use super::joints::{Row, Sides, rows};
use super::measures::{self, JointCoordinate};
use super::view::View;
use super::{DirectorJoint, Directors};
use crate::Error;
use crate::conserve::{Affine, Conservative, LagrangeTop, Law, Quadratic, Term};
use crate::mechanics::forces::ForceFrame;
use crate::mechanics::forces::spring::Characteristic;
use crate::mechanics::joints::JointKind;
use crate::mechanics::kernels::Group;
use crate::mechanics::redundancy::is_forest;
use crate::mechanics::{BodyKind, Multibody, System};
use crate::model::build::{assemble, find, length_scale, marker};
use crate::model::build_elements::{coordinate_of, joint};
use crate::model::elements::{At, EventAction, ForceKind};
use crate::model::spec::{GROUND, Model};

fn unsupported(reason: String) -> Error {
    Error::Unsupported { method: "the formulation directors".to_string(), reason }
}

/// A joint before its bodies have places.
struct Draft {
    name: String,
    sides: [Option<usize>; 2],
    rows: Vec<Row>,
    point_b: Vector3<f64>,
    kind: JointKind,
}

/// The system and its initial values.
pub fn build(model: &Model) -> Result<(Directors, Vec<f64>, Vec<f64>), Error> {
    refuse(model)?;
    let view = assemble(model, Group::R3xSO3)?;
    let length = length_scale(model);
    let mut bodies = model.bodies.iter().map(DirectorBody::new).collect::<Result<Vec<_>, _>>()?;
    let drafts = drafts(&view, &bodies)?;
    let used = used(model, &view, &bodies, &drafts)?;
    let mut dims = Vec::new();
    let mut at = 0;
    for (body, used) in bodies.iter_mut().zip(&used) {
        dims.push(body.place(at, *used));
        at += dims[dims.len() - 1];
    }
    let mut system = Conservative::new(&dims);
    system.length = length;
    system.gravity = model.gravity;
    bodies.iter().for_each(|b| b.add_to(&mut system));
    let (mut q, mut v) = (vec![0.0; at], vec![0.0; at]);
    for (body, spec) in bodies.iter().zip(&model.bodies) {
        body.initial(&model.starting(spec), &mut q, &mut v);
    }
    let weight =
        Affine { terms: bodies.iter().map(|b| (b.phi, -b.mass)).collect(), constant: Vector3::zeros() };
    if model.gravity != Vector3::zeros() {
        system
            .terms
            .push(Term::new(Quadratic::dot(&weight, &Affine::fixed(model.gravity), 0.0, 1.0), Law::Linear));
    }
    let mut joints = add_joints(&mut system, &bodies, &drafts);
    if !view.structure().is_some_and(|s| is_forest(s, bodies.len())) {
        remove_redundant(&mut system, &mut joints, &q);
        let mut rigid = view.clone();
        rigid.detect_redundancy(&absolute_positions(model));
        joints.iter_mut().enumerate().for_each(|(i, joint)| joint.unique = rigid.is_unique(i));
    }
    add_forces(model, &view, &bodies, &mut system)?;
    add_massless(&mut system, &bodies);
    system.top = lagrange_top(model, &bodies, &drafts);
    let structure = system.massless.is_none().then(|| system.sparsity());
    Ok((Directors { system, bodies, joints, view: View::new(view), structure }, q, v))
}

/// What has no polynomial form or no potential that is known here.
fn refuse(model: &Model) -> Result<(), Error> {
    if let Some(gear) = model.gears.first() {
        return Err(unsupported(format!(
            "gear '{}' needs joint angles; use r3so3 or se3 with gen-alpha",
            gear.name
        )));
    }
    if let Some(control) = model.controls.first() {
        return Err(unsupported(format!(
            "control '{}' has states of its own; use r3so3 or se3 with gen-alpha",
            control.name
        )));
    }
    if let Some(event) = model.events.iter().find(|e| matches!(e.action, EventAction::Switch { .. })) {
        return Err(unsupported(format!(
            "event '{}' switches elements, and the potentials of an energy-momentum scheme are fixed; use r3so3 or se3 with \
             gen-alpha",
            event.name
        )));
    }
    if let Some(off) = model.disabled.first() {
        return Err(unsupported(format!(
            "'{}' is switched off; use r3so3 or se3 with gen-alpha",
            off.name()
        )));
    }
    for force in &model.forces {
        let reason = match &force.kind {
            ForceKind::Friction { data, .. } if data.coefficient != 0.0 => {
                "is loaded by the reaction of its joint and has no place in an energy-momentum scheme"
            }
            ForceKind::Bushing { stiffness, .. } if (**stiffness - stiffness.transpose()).amax() > 0.0 => {
                "has an unsymmetric stiffness, which is no potential"
            }
            _ => continue,
        };
        return Err(unsupported(format!("'{}' {reason}; use r3so3 or se3 with gen-alpha", force.name)));
    }
    Ok(())
}

fn drafts(view: &Multibody, bodies: &[DirectorBody]) -> Result<Vec<Draft>, Error> {
    let mut out = Vec::new();
    for joint in view.joint_list() {
        let sides = [joint.link.a, joint.link.b];
        let both = Sides { a: joint.link.a.map(|i| &bodies[i]), b: joint.link.b.map(|i| &bodies[i]) };
        let rows = rows(&joint.rows, both).ok_or_else(|| {
            let what = match joint.kind {
                JointKind::Screw { .. } => format!("joint '{}' is a screw", joint.name),
                _ => format!("the drive of joint '{}' prescribes a coordinate", joint.name),
            };
            unsupported(format!("{what}; use r3so3 or se3 with gen-alpha"))
        })?;
        out.push(Draft {
            name: joint.name.clone(),
            sides,
            rows,
            point_b: joint.marker_b.p,
            kind: joint.kind,
        });
    }
    Ok(out)
}

/// Which directors something is attached to.
fn used(
    model: &Model,
    view: &Multibody,
    bodies: &[DirectorBody],
    drafts: &[Draft],
) -> Result<Vec<[bool; 3]>, Error> {
    let mut used = vec![[false; 3]; bodies.len()];
    let mut see = |body: Option<usize>, x: &Vector3<f64>| {
        if let Some(i) = body {
            let c = bodies[i].components(x);
            (0..3).for_each(|k| used[i][k] |= c[k] != 0.0);
        }
    };
    for draft in drafts {
        for row in &draft.rows {
            let reads = row.reads();
            for (side, list) in draft.sides.iter().zip(&reads) {
                list.iter().for_each(|x| see(*side, x));
            }
        }
    }
    for force in &model.forces {
        match &force.kind {
            ForceKind::Spring { bodies: names, points, .. } => {
                for (name, p) in names.iter().zip(points) {
                    let body = find(model, name)?;
                    see(body.map(|b| b.0), &marker(body, p, &Default::default()).p);
                }
            }
            ForceKind::Force { body, point, frame, .. } => {
                let body = find(model, body)?;
                see(body.map(|b| b.0), &marker(body, point, &Default::default()).p);
                if *frame == ForceFrame::Body {
                    see(body.map(|b| b.0), &Vector3::from_element(1.0));
                }
            }
            ForceKind::Drag { body, point, .. } => {
                let body = find(model, body)?;
                see(body.map(|b| b.0), &marker(body, point, &Default::default()).p);
            }
            ForceKind::TorsionSpring { .. } | ForceKind::Own { .. } | ForceKind::Custom(_) => {
                return Err(unknown_force(&force.name));
            }
            ForceKind::Torque { body, .. } => {
                for k in 0..3 {
                    see(find(model, body)?.map(|b| b.0), &Vector3::ith(k, 1.0));
                }
            }
            ForceKind::Bushing { bodies: names, point, frame, stiffness, damping } => {
                let turns = measures::rotates(stiffness) || measures::rotates(damping);
                for (name, side) in names.iter().zip(0..) {
                    let body = find(model, name)?;
                    let marker = marker(body, point, frame);
                    see(body.map(|b| b.0), &marker.p);
                    (0..3).filter(|_| turns || side == 0).for_each(|k| {
                        see(body.map(|b| b.0), &marker.axis(k));
                    });
                }
            }
            ForceKind::JointSpring { at, .. }
            | ForceKind::Actuator { at, .. }
            | ForceKind::Friction { at, .. } => {
                let (_, joint) = joint(view, &at.joint)?;
                let coordinate = coordinate_of(joint, at)?;
                if coordinate.is_angle() {
                    (0..2).for_each(|k| see(joint.link.a, &joint.marker_a.axis(k)));
                    see(joint.link.b, &joint.marker_b.axis(0));
                } else {
                    see(joint.link.a, &joint.marker_a.axis(2));
                    see(joint.link.a, &joint.marker_a.p);
                    see(joint.link.b, &joint.marker_b.p);
                }
            }
        }
    }
    Ok(used)
}

fn sides<'a>(bodies: &'a [DirectorBody], draft: &Draft) -> Sides<'a> {
    Sides { a: draft.sides[0].map(|i| &bodies[i]), b: draft.sides[1].map(|i| &bodies[i]) }
}

fn add_joints(system: &mut Conservative, bodies: &[DirectorBody], drafts: &[Draft]) -> Vec<DirectorJoint> {
    let mut joints = Vec::new();
    for draft in drafts {
        let first = system.rows();
        for row in &draft.rows {
            for g in row.constraints(sides(bodies, draft)) {
                system.constrain(&format!("joint {}", draft.name), g);
            }
        }
        joints.push(DirectorJoint {
            name: draft.name.clone(),
            bodies: draft.sides,
            point: draft.point_b,
            rows: (first..system.rows()).map(Some).collect(),
            unique: true,
        });
    }
    joints
}

/// Positions and rotations of all bodies as R^3 x SO(3) has them.
fn absolute_positions(model: &Model) -> Vec<f64> {
    let mut q = Vec::new();
    for body in &model.bodies {
        let body = model.starting(body);
        if matches!(body.kind, BodyKind::Rigid { .. }) {
            let r = body.rotation.quaternion();
            q.extend_from_slice(&[r.w, r.i, r.j, r.k]);
        }
        q.extend_from_slice(body.position.as_slice());
    }
    q
}

/// Leaves out rows that depend on earlier ones at q: their multipliers are not determined, and the Newton matrix would be
/// singular. Motion is the same without them.
fn remove_redundant(system: &mut Conservative, joints: &mut [DirectorJoint], q: &[f64]) {
    let (units, mut basis) = (system.units(), Vec::<Vec<f64>>::new());
    let mut keep = Vec::new();
    for c in &system.constraints {
        let mut row = vec![0.0; system.dim()];
        c.g.add_gradient(q, 1.0, &mut row);
        // As changes of lengths: directors have none.
        row.iter_mut().zip(&units).for_each(|(x, unit)| *x *= unit);
        let norm = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let size = norm(&row);
        for _ in 0..2 {
            for b in &basis {
                let along: f64 = b.iter().zip(&row).map(|(b, x)| b * x).sum();
                row.iter_mut().zip(b).for_each(|(x, b)| *x -= along * b);
            }
        }
        let rest = norm(&row);
        keep.push(rest > 1e-8 * size);
        if rest > 1e-8 * size {
            row.iter_mut().for_each(|x| *x /= rest);
            basis.push(row);
        }
    }
    let mut new = 0;
    let place: Vec<Option<usize>> = keep
        .iter()
        .map(|&k| {
            new += usize::from(k);
            k.then(|| new - 1)
        })
        .collect();
    let mut kept = keep.iter();
    system.constraints.retain(|_| *kept.next().unwrap_or(&true));
    for joint in joints {
        for row in &mut joint.rows {
            *row = row.and_then(|r| place[r]);
        }
    }
}

/// The joint coordinate that an element acts on.
fn joint_coordinate(view: &Multibody, bodies: &[DirectorBody], at: &At) -> Result<JointCoordinate, Error> {
    let (_, joint) = joint(view, &at.joint)?;
    let coordinate = coordinate_of(joint, at)?;
    let sides = Sides { a: joint.link.a.map(|i| &bodies[i]), b: joint.link.b.map(|i| &bodies[i]) };
    Ok(JointCoordinate::new(sides, &joint.marker_a, &joint.marker_b, coordinate.is_angle(), coordinate.zero))
}

fn add_forces(
    model: &Model,
    view: &Multibody,
    bodies: &[DirectorBody],
    system: &mut Conservative,
) -> Result<(), Error> {
    let point = |name: &str, p: &Vector3<f64>| -> Result<Affine, Error> {
        let body = find(model, name)?;
        let p = marker(body, p, &Default::default()).p;
        Ok(body.map_or_else(|| Affine::fixed(p), |(i, _)| bodies[i].point(&p)))
    };
    let axes = |name: &str, frame: ForceFrame| -> Result<[Affine; 3], Error> {
        let unit = |k: usize| Vector3::ith(k, 1.0);
        Ok(match (frame, find(model, name)?) {
            (ForceFrame::Body, Some((i, _))) => std::array::from_fn(|k| bodies[i].direction(&unit(k))),
            _ => std::array::from_fn(|k| Affine::fixed(unit(k))),
        })
    };
    for force in &model.forces {
        match &force.kind {
            ForceKind::Spring { bodies, points, characteristic } => {
                let arm = point(&bodies[1], &points[1])?.plus(-1.0, &point(&bodies[0], &points[0])?);
                let (law, c) = match characteristic {
                    Characteristic::Linear(s) => (Law::Spring { k: s.k, l_0: s.y0, f_0: s.f0 }, s.c),
                    Characteristic::Table { table, c } => {
                        (Law::General(std::sync::Arc::new(forces::TableSpring(table.clone()))), *c)
                    }
                    Characteristic::Potential { potential, c } => {
                        (Law::General(std::sync::Arc::new(forces::LengthPotential(potential.clone()))), *c)
                    }
                };
                system.terms.push(forces::spring(&arm, law));
                let law_0 = matches!(law_kind(characteristic), (0.0, 0.0));
                if c != 0.0 && law_0 && bodies[0] != GROUND {
                    return Err(unsupported(format!(
                        "the damper of spring '{}' has no free length and would turn with body '{}'; give it a free length, or \
                         use r3so3",
                        force.name, bodies[0]
                    )));
                }
                if c != 0.0 {
                    system.loads.push(if law_0 {
                        forces::shared(forces::VectorDamper { arm, c })
                    } else {
                        forces::shared(forces::Damper { arm, c })
                    });
                }
            }
            ForceKind::Force { body, point: p, force, frame } => {
                let point = point(body, p)?;
                let constant = [0, 1, 2].map(|k| force[k].constant());
                match (frame, constant) {
                    (ForceFrame::Inertial, [Some(x), Some(y), Some(z)]) => {
                        system.terms.push(forces::dead_force(&point, &Vector3::new(x, y, z)));
                    }
                    _ => {
                        let axes = axes(body, *frame)?;
                        system.loads.push(forces::shared(forces::ForceLoad {
                            point,
                            force: force.clone(),
                            axes,
                        }));
                    }
                }
            }
            ForceKind::Torque { body, torque, frame } => {
                let Some((i, _)) = find(model, body)? else { continue };
                let [Some(a), Some(b), Some(c)] = bodies[i].directors else {
                    return Err(unsupported(format!(
                        "torque '{}' acts on a body without orientation",
                        force.name
                    )));
                };
                let axes = axes(body, *frame)?;
                let directors = [a, b, c];
                system.loads.push(forces::shared(forces::TorqueLoad {
                    directors,
                    torque: torque.clone(),
                    axes,
                }));
            }
            ForceKind::Drag { body, point: p, coefficient, wind } => {
                let point = point(body, p)?;
                system.loads.push(forces::shared(forces::DragLoad { point, c: *coefficient, wind: *wind }));
            }
            ForceKind::Bushing { bodies: names, point, frame, stiffness, damping } => {
                let (a, b) = (find(model, &names[0])?, find(model, &names[1])?);
                let sides = Sides { a: a.map(|x| &bodies[x.0]), b: b.map(|x| &bodies[x.0]) };
                let markers = (&marker(a, point, frame), &marker(b, point, frame));
                let (term, damper) = measures::bushing(sides, markers, stiffness, damping, system.length)?;
                system.terms.push(term);
                system.loads.extend(damper.map(forces::shared));
            }
            ForceKind::JointSpring { at, law } => {
                let coordinate = joint_coordinate(view, bodies, at)?;
                system.terms.push(coordinate.spring(law));
                if law.c != 0.0 {
                    system.loads.push(forces::shared(coordinate.damper(law.c)?));
                }
            }
            ForceKind::Friction { at, data } => {
                let coordinate = joint_coordinate(view, bodies, at)?;
                system.loads.push(forces::shared(coordinate.damper(data.viscous)?));
            }
            ForceKind::TorsionSpring { .. } | ForceKind::Own { .. } | ForceKind::Custom(_) => {
                return Err(unknown_force(&force.name));
            }
            ForceKind::Actuator { at, value } => {
                let coordinate = joint_coordinate(view, bodies, at)?;
                system.loads.push(forces::shared(coordinate.actuator(value)?));
            }
        }
    }
    Ok(())
}

/// A force that has no form in directors.
fn unknown_force(name: &str) -> Error {
    unsupported(format!(
        "force '{name}' is neither a potential of distances nor a load they know; use r3so3 with gen-alpha or bliedf"
    ))
}

/// Free length and preload; springs by tables have a direction of their own.
fn law_kind(characteristic: &Characteristic) -> (f64, f64) {
    match characteristic {
        Characteristic::Linear(s) => (s.y0, s.f0),
        Characteristic::Table { .. } | Characteristic::Potential { .. } => (1.0, 0.0),
    }
}

/// Directors without inertia that are needed get it from the linear constraints: M + alpha G_lin^T G_lin is the same kinetic
/// energy on the constraints, whatever alpha. Where linear constraints do not hold all of them (a thin rod on a hinge), M
/// stays singular, which energy-momentum schemes allow as long as all constraints together determine the motion.
fn add_massless(system: &mut Conservative, bodies: &[DirectorBody]) {
    let massless = |b: &DirectorBody| b.present().filter(|x| b.e[x.0] == 0.0).collect::<Vec<_>>();
    let columns: Vec<usize> =
        bodies.iter().flat_map(|b| massless(b).into_iter().flat_map(|(_, d)| d..d + 3)).collect();
    if columns.is_empty() {
        return;
    }
    let mut linear: Vec<Vec<(u32, f64)>> = Vec::new();
    for g in system.constraints.iter().filter_map(|c| c.g.linear()) {
        let mut row = vec![0.0; g.touched().len()];
        g.gradient(&[], &mut row);
        let row: Vec<(u32, f64)> = g.touched().iter().copied().zip(row).collect();
        if row.iter().any(|x| x.1 != 0.0 && columns.contains(&(x.0 as usize))) {
            linear.push(row);
        }
    }
    let mut matrix = DMatrix::zeros(linear.len().max(1), columns.len());
    for (k, row) in linear.iter().enumerate() {
        for &(i, x) in row {
            if let Some(j) = columns.iter().position(|&c| c == i as usize) {
                matrix[(k, j)] = x;
            }
        }
    }
    if matrix.rank(1e-9) < columns.len() {
        let name = bodies.iter().find(|b| !massless(b).is_empty()).map_or("", |b| &b.name);
        system.massless = Some(format!(
            "body '{name}' has no inertia along an axis (E_i = 0) that its joints or forces use"
        ));
        return;
    }
    let alpha = bodies.iter().map(|b| b.mass).sum::<f64>() / bodies.len() as f64 * system.length.powi(2);
    for row in &linear {
        for &(i, x) in row {
            for &(j, y) in row {
                system.add_mass_entry(i as usize, j as usize, alpha * x * y);
            }
        }
    }
}

/// One symmetric body with a spherical joint to the ground at the origin, on its axis of symmetry d_3.
fn lagrange_top(model: &Model, bodies: &[DirectorBody], drafts: &[Draft]) -> Option<LagrangeTop> {
    let ([body], [draft]) = (bodies, drafts) else { return None };
    let [spec] = &model.joints[..] else { return None };
    let l = body.components(&draft.point_b);
    let near = |x: f64, y: f64| (x - y).abs() <= 1e-12 * (x.abs() + y.abs() + 1e-300);
    let along_z = model.gravity.x == 0.0 && model.gravity.y == 0.0 && model.gravity.z < 0.0;
    let fits = draft.kind == JointKind::Spherical
        && spec.point == Vector3::zeros()
        && near(body.e[0], body.e[1])
        && l.x == 0.0
        && l.y == 0.0
        && l.z < 0.0
        && along_z
        && model.forces.is_empty()
        && body.present().count() == 3;
    let (m, l) = (body.mass, -l.z);
    fits.then(|| LagrangeTop {
        m,
        l,
        j_1: body.e[1] + body.e[2] + m * l * l,
        j_3: body.e[0] + body.e[1],
        g: -model.gravity.z,
    })
}
