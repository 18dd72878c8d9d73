//! `type = "bushing"`: an elastic bearing.

use super::*;
use nalgebra::{Matrix6, Vector6};

use crate::conserve::directors::joints::Sides;
use crate::conserve::directors::measures;
use crate::model::file_elements::Coefficients;
use crate::model::find::find;
use crate::model::written::{matrix3, matrix6};

/// A bushing, undeformed at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Bushing {
    /// The bodies.
    pub bodies: [String; 2],
    /// Its position at t = 0.
    pub point: Vector3<f64>,
    /// Its axes at t = 0 as columns, fixed in the first body.
    pub frame: Matrix3<f64>,
    /// Stiffness, translations before rotations.
    pub stiffness: Box<Matrix6<f64>>,
    /// Damping.
    pub damping: Box<Matrix6<f64>>,
}

impl InFiles for Bushing {
    const KEYS: Keys = &["bodies", "point", "rotation", "stiffness", "damping"];

    /// Translations come before rotations.
    fn is_angle(_: Option<bool>, coordinate: Option<u32>) -> Option<bool> {
        Some(coordinate.is_some_and(|i| i > 2))
    }

    fn read(e: &mut Evaluator, from: Written) -> Option<ForceKind> {
        let bodies = e.pair_of_bodies(from)?;
        let Some(p) = &from.block.point else {
            e.missing(from, "point", "[x, y, z] at t = 0");
            return None;
        };
        let point = e.point(&from.at("point"), p, from.model);
        let frame = match &from.block.rotation {
            Some(r) => e.rotation(&from.at("rotation"), r, from.model).to_rotation_matrix().into_inner(),
            None => Matrix3::identity(),
        };
        if from.block.stiffness.is_none() && from.block.damping.is_none() {
            e.missing(from, "stiffness", "[kx, ky, kz] or six numbers");
        }
        let stiffness = Box::new(matrix(e, &from.at("stiffness"), &from.block.stiffness));
        let damping = Box::new(matrix(e, &from.at("damping"), &from.block.damping));
        Some(Bushing { bodies, point, frame, stiffness, damping }.into())
    }
}

/// Three or six diagonal entries, or all rows; a single number is used for the translations.
fn matrix(e: &mut Evaluator, path: &str, x: &Option<Coefficients>) -> Matrix6<f64> {
    let mut m = Matrix6::zeros();
    let mut diagonal = Vector6::zeros();
    match x {
        None => {}
        Some(Coefficients::Scalar(x)) => diagonal.fixed_rows_mut::<3>(0).fill(e.number(path, x)),
        Some(Coefficients::Diagonal(list)) if list.len() == 3 || list.len() == 6 => {
            for ((i, x), d) in list.iter().enumerate().zip(&mut diagonal) {
                *d = e.number(&format!("{path}[{i}]"), x);
            }
        }
        Some(Coefficients::Matrix(rows)) if rows.len() == 6 && rows.iter().all(|r| r.len() == 6) => {
            for ((i, row), mut out) in rows.iter().enumerate().zip(m.row_iter_mut()) {
                for (x, out) in row.iter().zip(&mut out) {
                    *out = e.number_in(&format!("{path}[{i}]"), x, None);
                }
            }
        }
        Some(_) => e.problem(
            path,
            "three or six numbers, or six rows of six numbers, are expected",
            "translations along x, y, z come before rotations about them",
        ),
    }
    m + Matrix6::from_diagonal(&diagonal)
}

impl ForceModel for Bushing {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let (bodies, link) = names.pair(&self.bodies)?;
        let [a, b] = bodies.map(|body| marker(body, &self.point, &self.frame));
        let (stiffness, damping) = (*self.stiffness, *self.damping);
        Ok(Force::Bushing(forces::Bushing::new(name, link, &a, &b, stiffness, damping)))
    }

    fn write(&self, entry: WrittenTable, _: &mut Writer, _: &str) -> WrittenTable {
        entry
            .with("type", "bushing")
            .bodies(&self.bodies)
            .with("point", vector(&self.point))
            .with("rotation", matrix3(&self.frame))
            .with("stiffness", matrix6(&self.stiffness))
            .with("damping", matrix6(&self.damping))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        // Components along the third axis, and rotations about the first two, change their signs.
        let signs = match to.mirror {
            Some(_) => Vector6::new(1.0, 1.0, -1.0, -1.0, -1.0, 1.0),
            None => Vector6::repeat(1.0),
        };
        let t = Matrix6::from_diagonal(&signs);
        Bushing {
            bodies: to.pair(&self.bodies),
            point: to.point(&self.point),
            frame: to.frame(&self.frame, false),
            stiffness: Box::new(t * *self.stiffness * t),
            damping: Box::new(t * *self.damping * t),
        }
        .into()
    }

    fn refused_in_directors(&self) -> Option<&'static str> {
        let unsymmetric = (*self.stiffness - self.stiffness.transpose()).amax() > 0.0;
        unsymmetric.then_some("has an unsymmetric stiffness, which has no potential")
    }

    fn directors(&self, _: &str, needed: &mut Needed) -> Result<(), Error> {
        let turns = measures::rotates(&self.stiffness) || measures::rotates(&self.damping);
        let [a, b] = &self.bodies;
        needed.marker(a, &self.point, &self.frame, true)?;
        needed.marker(b, &self.point, &self.frame, turns)
    }

    fn in_directors(&self, _: &str, places: &Places, system: &mut Conservative) -> Result<(), Error> {
        let [a, b] = &self.bodies;
        let sides = Sides { a: places.body(a)?, b: places.body(b)? };
        let marker = |body: &str| Ok::<_, Error>(marker(find(places.model, body)?, &self.point, &self.frame));
        let markers = (&marker(a)?, &marker(b)?);
        let (term, damper) =
            measures::bushing(sides, markers, &self.stiffness, &self.damping, system.length)?;
        system.terms.push(term);
        system.loads.extend(damper.map(loads::shared));
        Ok(())
    }
}
