//! `type = "spring"`: a spring and damper between two points.

use super::*;
use crate::conserve::Law;
use crate::mechanics::forces::along::elastic::Characteristic;
use crate::model::expression::Dimension;
use crate::model::formula::Need;
use crate::model::spec::GROUND;

/// A spring.
#[derive(Clone, Debug, PartialEq)]
pub struct Spring {
    /// The bodies.
    pub bodies: [String; 2],
    /// The points at t = 0.
    pub points: [Vector3<f64>; 2],
    /// Tension over length.
    pub characteristic: Characteristic,
}

impl ForceSpec {
    /// A linear spring and damper between points of two bodies.
    pub fn spring(
        name: &str,
        bodies: [&str; 2],
        points: [[f64; 3]; 2],
        stiffness: f64,
        damping: f64,
        free_length: f64,
    ) -> Self {
        let (bodies, points) = (bodies.map(str::to_string), points.map(Vector3::from));
        let law = SpringDamper { k: stiffness, c: damping, y0: free_length, f0: 0.0 };
        Self::new(name, Spring { bodies, points, characteristic: Characteristic::Linear(law) })
    }
}

impl InFiles for Spring {
    const KEYS: Keys = &[
        "bodies",
        "point",
        "point2",
        "stiffness",
        "damping",
        "free_length",
        "preload",
        "table",
        "interpolation",
        "potential",
    ];
    const MEANT: Meant = &[(&["rest"], "free_length"), (&["force", "constant", "value"], "preload")];

    fn is_angle(_: Option<bool>, _: Option<u32>) -> Option<bool> {
        Some(false)
    }

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let Written { path, block, name, model } = from;
        let bodies = e.pair_of_bodies(from)?;
        let (Some(p), Some(p2)) = (&block.point, &block.point2) else {
            e.problem(
                path,
                format!("spring '{name}' needs two points"),
                "add point on the first and point2 on the second body, at t = 0",
            );
            return None;
        };
        let points = [e.point(&from.at("point"), p, model), e.point(&from.at("point2"), p2, model)];
        let length = (points[1] - points[0]).norm();
        let damping = e.scalar(&from.at("damping"), &block.damping);
        let characteristic = characteristic(e, from, (length, damping))?;
        let directed = match &characteristic {
            Characteristic::Linear(s) => s.y0 != 0.0 || s.f0 != 0.0,
            Characteristic::Table { .. } | Characteristic::Potential { .. } => true,
        };
        if directed && length < 1e-12 {
            e.problem(
                &from.at("point2"),
                format!("spring '{name}' has no length and hence no direction"),
                "move a point, set free_length = 0 without preload, or use a bushing",
            );
        }
        Some(Spring { bodies, points, characteristic }.into())
    }
}

/// Tension over length: a table, a potential, or stiffness and free length.
fn characteristic(e: &mut Evaluator, from: Written, (length, damping): (f64, f64)) -> Option<Characteristic> {
    let block = from.block;
    if block.table.is_some() {
        e.exclude(from, "a table", &["stiffness", "free_length", "preload", "potential"]);
        let columns = [Dimension::new([1, 0, 0, 0]), Dimension::new([1, 1, -2, 0])].map(Some);
        return e.table(from, columns).map(|table| Characteristic::Table { table, c: damping });
    }
    if block.interpolation.is_some() {
        e.problem(&from.at("interpolation"), "there is no table to interpolate", "");
    }
    if let Some(potential) = &block.potential {
        e.exclude(from, "a potential", &["stiffness", "free_length", "preload"]);
        let potential = e.function(&from.at("potential"), potential, Need::Length);
        return Some(Characteristic::Potential { potential, c: damping });
    }
    if block.stiffness.is_none() && block.damping.is_none() {
        e.missing(from, "stiffness", "k, in N/m");
    }
    Some(Characteristic::Linear(SpringDamper {
        k: e.scalar(&from.at("stiffness"), &block.stiffness),
        c: damping,
        y0: match &block.free_length {
            Some(_) => e.not_negative(&from.at("free_length"), &block.free_length),
            None => length,
        },
        f0: e.option(&from.at("preload"), &block.preload).unwrap_or(0.0),
    }))
}

impl ForceModel for Spring {
    fn build(&self, name: String, names: &Names, system: &mut Multibody) -> Result<Force, Error> {
        let ([a, b], link) = names.pair(&self.bodies)?;
        let points = [point_of(a, &self.points[0]), point_of(b, &self.points[1])];
        let (characteristic, length) = (self.characteristic.clone(), system.length_scale());
        Ok(Force::Spring(forces::Spring::new(name, link, points, characteristic, length)))
    }

    fn write(&self, entry: WrittenTable, to: &mut Writer, whose: &str) -> WrittenTable {
        let entry = entry.with("type", "spring").bodies(&self.bodies);
        let entry = entry.with("point", vector(&self.points[0])).with("point2", vector(&self.points[1]));
        match &self.characteristic {
            Characteristic::Linear(law) => entry.law(law, "free_length"),
            Characteristic::Table { table, c } => to.table(entry, table, *c, whose),
            Characteristic::Potential { potential, c } => {
                entry.with("potential", to.function(potential, whose)).with("damping", *c)
            }
        }
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let points = self.points.each_ref().map(|p| to.point(p));
        Spring { bodies: to.pair(&self.bodies), points, characteristic: self.characteristic.clone() }.into()
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        self.bodies.iter().zip(&self.points).try_for_each(|(body, point)| needed.point(body, point))
    }

    fn in_directors(&self, name: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let [a, b] = &self.bodies;
        let arm = places.point(b, &self.points[1])?.plus(-1.0, &places.point(a, &self.points[0])?);
        let (law, c) = match &self.characteristic {
            Characteristic::Linear(s) => (Law::Spring { k: s.k, l_0: s.y0, f_0: s.f0 }, s.c),
            Characteristic::Table { table, c } => {
                (Law::General(Arc::new(loads::TableSpring(table.clone()))), *c)
            }
            Characteristic::Potential { potential, c } => {
                (Law::General(Arc::new(loads::LengthPotential(potential.clone()))), *c)
            }
        };
        system.terms.push(loads::spring(&arm, law));
        if c == 0.0 {
            return Ok(());
        }
        // Without free length and preload the force is a vector, not along a line.
        let is_vector =
            matches!(&self.characteristic, Characteristic::Linear(s) if s.y0 == 0.0 && s.f0 == 0.0);
        if is_vector && a != GROUND {
            return Err(unsupported(format!(
                "the damper of spring '{name}' has no free length and would turn with body '{a}'; give it a \
                 free length, or use r3so3"
            )));
        }
        system.loads.push(if is_vector {
            loads::shared(loads::VectorDamper { arm, c })
        } else {
            loads::shared(loads::Damper { arm, c })
        });
        Ok(())
    }
}
