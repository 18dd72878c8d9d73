//! Forces of a model as potentials and loads of directors.

use std::array::from_fn;
use std::sync::Arc;

use nalgebra::Vector3;

use super::unsupported;
use crate::Error;
use crate::conserve::{Affine, Conservative, Law};
use crate::formulation::directors::joints::Sides;
use crate::formulation::directors::measures::{self, JointCoordinate};
use crate::formulation::directors::{DirectorBody, forces};
use crate::mechanics::Multibody;
use crate::mechanics::forces::ForceFrame;
use crate::mechanics::forces::spring::Characteristic;
use crate::model::build::{find, marker};
use crate::model::build_elements::{coordinate_of, joint};
use crate::model::elements::{At, ForceKind, ForceSpec};
use crate::model::spec::{GROUND, Model};

/// Where the forces of a model act, in directors.
pub(in crate::model) struct Places<'a> {
    pub model: &'a Model,
    pub view: &'a Multibody,
    pub bodies: &'a [DirectorBody],
}

impl Places<'_> {
    pub fn point(&self, body: &str, p: &Vector3<f64>) -> Result<Affine, Error> {
        let body = find(self.model, body)?;
        let p = marker(body, p, &Default::default()).p;
        Ok(body.map_or_else(|| Affine::fixed(p), |(i, _)| self.bodies[i].point(&p)))
    }

    fn axes(&self, body: &str, frame: ForceFrame) -> Result<[Affine; 3], Error> {
        let unit = |k: usize| Vector3::ith(k, 1.0);
        Ok(match (frame, find(self.model, body)?) {
            (ForceFrame::Body, Some((i, _))) => from_fn(|k| self.bodies[i].direction(&unit(k))),
            _ => from_fn(|k| Affine::fixed(unit(k))),
        })
    }

    /// The joint coordinate that an element acts on.
    pub fn coordinate(&self, at: &At) -> Result<JointCoordinate, Error> {
        let (_, joint) = joint(self.view, &at.joint)?;
        let coordinate = coordinate_of(joint, at)?;
        let side = |i: Option<usize>| i.map(|i| &self.bodies[i]);
        let sides = Sides { a: side(joint.link.a), b: side(joint.link.b) };
        let (angle, zero) = (coordinate.is_angle(), coordinate.zero);
        Ok(JointCoordinate::new(sides, &joint.marker_a, &joint.marker_b, angle, zero))
    }
}

/// Adds all forces of a model.
pub(super) fn add_forces(
    model: &Model,
    view: &Multibody,
    bodies: &[DirectorBody],
    system: &mut Conservative,
) -> Result<(), Error> {
    let places = &Places { model, view, bodies };
    for ForceSpec { name, kind, .. } in &model.forces {
        match kind {
            ForceKind::Spring { bodies, points, characteristic } => {
                let arm =
                    places.point(&bodies[1], &points[1])?.plus(-1.0, &places.point(&bodies[0], &points[0])?);
                add_spring(name, bodies, arm, characteristic, system)?;
            }
            ForceKind::Force { body, point, force, frame } => {
                let point = places.point(body, point)?;
                let constant = [0, 1, 2].map(|k| force[k].constant());
                if let (ForceFrame::Inertial, [Some(x), Some(y), Some(z)]) = (frame, constant) {
                    system.terms.push(forces::dead_force(&point, &Vector3::new(x, y, z)));
                } else {
                    let axes = places.axes(body, *frame)?;
                    let load = forces::ForceLoad { point, force: force.clone(), axes };
                    system.loads.push(forces::shared(load));
                }
            }
            ForceKind::Torque { body, torque, frame } => {
                let Some((i, _)) = find(model, body)? else { continue };
                let [Some(a), Some(b), Some(c)] = bodies[i].directors else {
                    return Err(unsupported(format!("torque '{name}' acts on a body without orientation")));
                };
                let axes = places.axes(body, *frame)?;
                let load = forces::TorqueLoad { directors: [a, b, c], torque: torque.clone(), axes };
                system.loads.push(forces::shared(load));
            }
            ForceKind::Drag { body, point, coefficient, wind } => {
                let load =
                    forces::DragLoad { point: places.point(body, point)?, c: *coefficient, wind: *wind };
                system.loads.push(forces::shared(load));
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
                let coordinate = places.coordinate(at)?;
                system.terms.push(coordinate.spring(law));
                if law.c != 0.0 {
                    system.loads.push(forces::shared(coordinate.damper(law.c)?));
                }
            }
            ForceKind::Friction { at, data } => {
                system.loads.push(forces::shared(places.coordinate(at)?.damper(data.viscous)?));
            }
            ForceKind::Actuator { at, value } => {
                system.loads.push(forces::shared(places.coordinate(at)?.actuator(value)?));
            }
            ForceKind::Potential { expression } => {
                system.terms.push(places.potential(name, expression)?);
            }
            ForceKind::Typed(force) => force.model().in_directors(name, places, system)?,
            ForceKind::Own { .. }
            | ForceKind::OnBody { .. }
            | ForceKind::Custom(_)
            | ForceKind::Load { .. }
            | ForceKind::Beam { .. }
            | ForceKind::Law { .. }
            | ForceKind::Limit { .. }
            | ForceKind::JointTable { .. } => {
                return Err(unknown_force(name));
            }
        }
    }
    Ok(())
}

/// A spring with its damper along `arm`, the vector from the first point to the second.
fn add_spring(
    name: &str,
    bodies: &[String; 2],
    arm: Affine,
    characteristic: &Characteristic,
    system: &mut Conservative,
) -> Result<(), Error> {
    let (law, c) = match characteristic {
        Characteristic::Linear(s) => (Law::Spring { k: s.k, l_0: s.y0, f_0: s.f0 }, s.c),
        Characteristic::Table { table, c } => {
            (Law::General(Arc::new(forces::TableSpring(table.clone()))), *c)
        }
        Characteristic::Potential { potential, c } => {
            (Law::General(Arc::new(forces::LengthPotential(potential.clone()))), *c)
        }
    };
    system.terms.push(forces::spring(&arm, law));
    if c == 0.0 {
        return Ok(());
    }
    // Without free length and preload the force is a vector, not along a line.
    let is_vector = matches!(characteristic, Characteristic::Linear(s) if s.y0 == 0.0 && s.f0 == 0.0);
    if is_vector && bodies[0] != GROUND {
        return Err(unsupported(format!(
            "the damper of spring '{name}' has no free length and would turn with body '{}'; give it a free \
             length, or use r3so3",
            bodies[0]
        )));
    }
    system.loads.push(if is_vector {
        forces::shared(forces::VectorDamper { arm, c })
    } else {
        forces::shared(forces::Damper { arm, c })
    });
    Ok(())
}

/// A force that has no form in directors.
pub(in crate::model) fn unknown_force(name: &str) -> Error {
    unsupported(format!(
        "force '{name}' is neither a potential of distances nor a load they know; use r3so3 with gen-alpha \
         or bliedf"
    ))
}
