//! `[[force]]`: every type has its keys, the others are refused.

use nalgebra::{Matrix3, Matrix6, Vector3, Vector6};

use super::Evaluator;
use crate::mechanics::forces::table::{Interpolation, Table, Tables};
use crate::mechanics::kernels::SpringDamper;
use crate::model::elements::{Characteristic, ForceFrame, ForceKind, ForceSpec, LawTarget};
use crate::model::expression::Dimension;
use crate::model::file_elements::{Coefficients, ForceBlock, FrameBlock, InterpolationBlock, PointOrMarker};
use crate::model::formula::Need;
use crate::model::number::{Number, Vector};
use crate::model::spec::{GROUND, Model};

/// The components of a vector with their paths.
fn numbered<'a>(path: &str, vector: &'a Vector) -> Vec<(String, &'a Number)> {
    vector.iter().enumerate().map(|(i, x)| (format!("{path}[{i}]"), x)).collect()
}

impl Evaluator {
    /// A force; `None` if too little of it is known.
    pub(super) fn force(&mut self, path: &str, block: &ForceBlock, model: &Model) -> Option<ForceSpec> {
        let name = self.name(&format!("{path}.name"), &block.name);
        let given = [
            ("body", block.body.is_some()),
            ("bodies", block.bodies.is_some()),
            ("joint", block.joint.is_some()),
            ("along", block.along.is_some()),
            ("of", block.of.is_some()),
            ("point", block.point.is_some()),
            ("point2", block.point2.is_some()),
            ("axis", block.axis.is_some()),
            ("rotation", block.rotation.is_some()),
            ("frame", block.frame.is_some()),
            ("force", block.force.is_some()),
            ("torque", block.torque.is_some()),
            ("value", block.value.is_some()),
            ("stiffness", block.stiffness.is_some()),
            ("damping", block.damping.is_some()),
            ("free_length", block.free_length.is_some()),
            ("rest", block.rest.is_some()),
            ("preload", block.preload.is_some()),
            ("table", block.table.is_some()),
            ("interpolation", block.interpolation.is_some()),
            ("potential", block.potential.is_some()),
            ("coefficient", block.coefficient.is_some()),
            ("wind", block.wind.is_some()),
            ("viscous", block.viscous.is_some()),
            ("radius", block.radius.is_some()),
            ("bearing_length", block.bearing_length.is_some()),
            ("speed", block.speed.is_some()),
            ("constant", block.constant.is_some()),
            ("lower", block.lower.is_some()),
            ("upper", block.upper.is_some()),
            ("width", block.width.is_some()),
            ("events", block.events.is_some()),
        ];
        for (key, _) in given.iter().filter(|(key, given)| *given && !block.kind.keys().contains(key)) {
            let (message, help) = block.kind.without(key);
            self.problem(&format!("{path}.{key}"), message, &help);
        }
        let kind = block.kind.reader()(self, path, block, &name, model)?;
        Some(ForceSpec { name, kind })
    }

    /// A moving body and a point of it, its centre of mass if none is given.
    pub(in crate::model) fn body_and_point(
        &mut self,
        path: &str,
        body: &Option<String>,
        point: &Option<PointOrMarker>,
        what: &str,
        model: &Model,
    ) -> Option<(String, Vector3<f64>)> {
        let Some(body) = body else {
            self.problem(path, format!("{what} has no body"), "add body = \"..\"");
            return None;
        };
        let at = format!("{path}.body");
        let body = self.body_name(&at, body, model);
        if body == GROUND {
            self.problem(&at, format!("{what} acts on the ground, which does not move"), "");
        }
        let point = match point {
            Some(p) => self.point(&format!("{path}.point"), p, model),
            None => self.find_body(model, &body).map_or_else(Vector3::zeros, |b| b.position),
        };
        Some((body, point))
    }

    pub(in crate::model) fn missing(&mut self, path: &str, name: &str, key: &str, example: &str) {
        self.problem(path, format!("force '{name}' has no {key}"), &format!("add {key} = {example}"));
    }

    fn force_frame(&mut self, path: &str, frame: Option<FrameBlock>) -> ForceFrame {
        match frame {
            None | Some(FrameBlock::Inertial) => ForceFrame::Inertial,
            Some(FrameBlock::Body) => ForceFrame::Body,
            Some(_) => {
                self.problem(&format!("{path}.frame"), "the frame of a force is inertial or body", "");
                ForceFrame::Inertial
            }
        }
    }

    pub(in crate::model) fn point_force(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let what = format!("force '{name}'");
        let (body, point) = self.body_and_point(path, &block.body, &block.point, &what, model)?;
        let Some(force) = &block.force else {
            self.missing(path, name, "force", "[Fx, Fy, Fz]");
            return None;
        };
        let (at, frame) = (format!("{path}.force"), self.force_frame(path, block.frame));
        let target = LawTarget::Point { body: body.clone(), point, frame };
        if let Some(law) = self.law(&numbered(&at, force), target, model) {
            return Some(law);
        }
        Some(ForceKind::Force { body, point, force: self.functions(&at, force), frame })
    }

    pub(in crate::model) fn torque(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let what = format!("torque '{name}'");
        let (body, _) = self.body_and_point(path, &block.body, &None, &what, model)?;
        let rotates = |b: &crate::model::BodySpec| matches!(b.kind, crate::mechanics::BodyKind::Rigid { .. });
        if self.find_body(model, &body).is_some_and(|b| !rotates(b)) {
            self.problem(&format!("{path}.body"), format!("a point mass takes no torque: '{body}'"), "");
        }
        let Some(torque) = &block.torque else {
            self.missing(path, name, "torque", "[Tx, Ty, Tz]");
            return None;
        };
        let (at, frame) = (format!("{path}.torque"), self.force_frame(path, block.frame));
        let target = LawTarget::Torque { body: body.clone(), frame };
        if let Some(law) = self.law(&numbered(&at, torque), target, model) {
            return Some(law);
        }
        Some(ForceKind::Torque { body, torque: self.functions(&at, torque), frame })
    }

    pub(in crate::model) fn drag(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let what = format!("drag '{name}'");
        let (body, point) = self.body_and_point(path, &block.body, &block.point, &what, model)?;
        if block.coefficient.is_none() {
            self.missing(path, name, "coefficient", "c, in N s^2/m^2");
        }
        let at = format!("{path}.coefficient");
        let coefficient = block.coefficient.as_ref().map_or(0.0, |c| {
            // N s^2/m^2
            self.number_in(&at, c, Some(Dimension::new([-1, 1, 0, 0])))
        });
        if coefficient < 0.0 {
            self.problem(&at, format!("{coefficient} is negative"), "");
        }
        let wind =
            block.wind.as_ref().map_or_else(Vector3::zeros, |w| self.vector(&format!("{path}.wind"), w));
        Some(ForceKind::Drag { body, point, coefficient, wind })
    }

    /// A single coefficient; zero if absent.
    pub(super) fn scalar(&mut self, path: &str, x: &Option<Coefficients>) -> f64 {
        match x {
            None => 0.0,
            Some(Coefficients::Scalar(x)) => self.number(path, x),
            Some(_) => {
                self.problem(path, "one number is expected here", "several numbers are for bushings");
                0.0
            }
        }
    }

    pub(in crate::model) fn pair_of_bodies(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<[String; 2]> {
        match &block.bodies {
            Some(bodies) => Some(self.two_bodies(path, bodies, model)),
            None => {
                self.missing(path, name, "bodies", "[\"ground\", \"..\"]");
                None
            }
        }
    }

    pub(in crate::model) fn spring(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let bodies = self.pair_of_bodies(path, block, name, model)?;
        let (Some(p), Some(p2)) = (&block.point, &block.point2) else {
            self.problem(
                path,
                format!("spring '{name}' needs two points"),
                "add point on the first and point2 on the second body, at t = 0",
            );
            return None;
        };
        let points = [
            self.point(&format!("{path}.point"), p, model),
            self.point(&format!("{path}.point2"), p2, model),
        ];
        let length = (points[1] - points[0]).norm();
        let damping = self.scalar(&format!("{path}.damping"), &block.damping);
        let characteristic = self.characteristic(path, block, name, (length, damping))?;
        let directed = match &characteristic {
            Characteristic::Linear(s) => s.y0 != 0.0 || s.f0 != 0.0,
            Characteristic::Table { .. } | Characteristic::Potential { .. } => true,
        };
        if directed && length < 1e-12 {
            self.problem(
                &format!("{path}.point2"),
                format!("spring '{name}' has no length and hence no direction"),
                "move a point, set free_length = 0 without preload, or use a bushing",
            );
        }
        Some(ForceKind::Spring { bodies, points, characteristic })
    }

    /// Tension over length: a table, a potential, or stiffness and free length.
    fn characteristic(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        (length, damping): (f64, f64),
    ) -> Option<Characteristic> {
        let instead = match (&block.table, &block.potential) {
            (Some(_), _) => "a table",
            (None, Some(_)) => "a potential",
            (None, None) => "",
        };
        if !instead.is_empty() {
            for (key, present) in [
                ("stiffness", block.stiffness.is_some()),
                ("free_length", block.free_length.is_some()),
                ("preload", block.preload.is_some()),
                ("potential", block.potential.is_some() && block.table.is_some()),
            ] {
                if present {
                    let message = format!("'{key}' and {instead} exclude each other");
                    self.problem(&format!("{path}.{key}"), message, "");
                }
            }
        }
        if block.interpolation.is_some() && block.table.is_none() {
            self.problem(&format!("{path}.interpolation"), "there is no table to interpolate", "");
        }
        if block.table.is_some() {
            let columns = [Dimension::new([1, 0, 0, 0]), Dimension::new([1, 1, -2, 0])].map(Some);
            return self.table(path, block, columns).map(|table| Characteristic::Table { table, c: damping });
        }
        if let Some(potential) = &block.potential {
            let potential = self.function(&format!("{path}.potential"), potential, Need::Length);
            return Some(Characteristic::Potential { potential, c: damping });
        }
        if block.stiffness.is_none() && block.damping.is_none() {
            self.missing(path, name, "stiffness", "k, in N/m");
        }
        Some(Characteristic::Linear(SpringDamper {
            k: self.scalar(&format!("{path}.stiffness"), &block.stiffness),
            c: damping,
            y0: match &block.free_length {
                Some(_) => self.not_negative(&format!("{path}.free_length"), &block.free_length),
                None => length,
            },
            f0: self.option(&format!("{path}.preload"), &block.preload).unwrap_or(0.0),
        }))
    }

    /// A table of a force.
    pub(super) fn table(
        &mut self,
        path: &str,
        block: &ForceBlock,
        columns: [Option<Dimension>; 2],
    ) -> Option<Tables> {
        let [first, second] = columns;
        let points: Vec<[f64; 2]> = block
            .table
            .iter()
            .flatten()
            .enumerate()
            .map(|(i, [x, y])| {
                let path = format!("{path}.table[{i}]");
                [self.number_in(&path, x, first), self.number_in(&path, y, second)]
            })
            .collect();
        let interpolation = match block.interpolation {
            Some(InterpolationBlock::Linear) => Interpolation::Linear,
            None | Some(InterpolationBlock::MonotoneCubic) => Interpolation::MonotoneCubic,
        };
        match Table::new(&points, interpolation) {
            Ok(table) => Some(table.into()),
            Err(message) => {
                self.problem(&format!("{path}.table"), message, "give rows [length or coordinate, force]");
                None
            }
        }
    }

    pub(in crate::model) fn bushing(
        &mut self,
        path: &str,
        block: &ForceBlock,
        name: &str,
        model: &Model,
    ) -> Option<ForceKind> {
        let bodies = self.pair_of_bodies(path, block, name, model)?;
        let Some(p) = &block.point else {
            self.missing(path, name, "point", "[x, y, z] at t = 0");
            return None;
        };
        let point = self.point(&format!("{path}.point"), p, model);
        let frame = match &block.rotation {
            Some(r) => self.rotation(&format!("{path}.rotation"), r, model).to_rotation_matrix().into_inner(),
            None => Matrix3::identity(),
        };
        if block.stiffness.is_none() && block.damping.is_none() {
            self.missing(path, name, "stiffness", "[kx, ky, kz] or six numbers");
        }
        let stiffness = Box::new(self.matrix(&format!("{path}.stiffness"), &block.stiffness));
        let damping = Box::new(self.matrix(&format!("{path}.damping"), &block.damping));
        Some(ForceKind::Bushing { bodies, point, frame, stiffness, damping })
    }

    /// Three or six diagonal entries, or all rows; a single number counts for the translations.
    fn matrix(&mut self, path: &str, x: &Option<Coefficients>) -> Matrix6<f64> {
        let mut m = Matrix6::zeros();
        let mut diagonal = Vector6::zeros();
        match x {
            None => {}
            Some(Coefficients::Scalar(x)) => diagonal.fixed_rows_mut::<3>(0).fill(self.number(path, x)),
            Some(Coefficients::Diagonal(list)) if list.len() == 3 || list.len() == 6 => {
                for ((i, x), d) in list.iter().enumerate().zip(&mut diagonal) {
                    *d = self.number(&format!("{path}[{i}]"), x);
                }
            }
            Some(Coefficients::Matrix(rows)) if rows.len() == 6 && rows.iter().all(|r| r.len() == 6) => {
                for ((i, row), mut out) in rows.iter().enumerate().zip(m.row_iter_mut()) {
                    for (x, out) in row.iter().zip(&mut out) {
                        *out = self.plain_number(&format!("{path}[{i}]"), x);
                    }
                }
            }
            Some(_) => self.problem(
                path,
                "three or six numbers, or six rows of six numbers, are expected",
                "translations along x, y, z come before rotations about them",
            ),
        }
        m + Matrix6::from_diagonal(&diagonal)
    }

    /// A point of a body for a sensor.
    pub(super) fn sensor_point(
        &mut self,
        path: &str,
        body: &Option<String>,
        point: &Option<PointOrMarker>,
        what: &str,
        model: &Model,
    ) -> Option<(String, Vector3<f64>)> {
        self.body_and_point(path, body, point, what, model)
    }
}
