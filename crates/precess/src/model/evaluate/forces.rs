//! `[[force]]`: every type has its own keys; other keys are refused. The types are read in
//! [`forces`](crate::model::forces); their common parts are here.

use nalgebra::Vector3;

use super::Evaluator;
use crate::mechanics::forces::table::{Interpolation, Table, Tables};
use crate::mechanics::kernels::SpringDamper;
use crate::model::elements::{At, ForceFrame, ForceSpec};
use crate::model::expression::Dimension;
use crate::model::file_elements::{Coefficients, ForceBlock, FrameBlock, InterpolationBlock};
use crate::model::file_geometry::PointOrMarker;
use crate::model::forces::{Law, LawTarget, Written};
use crate::model::number::Vector;
use crate::model::spec::{GROUND, Model};

/// The given keys of a force, without those that all forces have.
fn given_keys(block: &ForceBlock) -> impl Iterator<Item = &'static str> {
    macro_rules! given {
        ($($key:ident)*) => {{
            // A missing key here is a compiler error.
            let ForceBlock { name: _, kind: _, count: _, enabled: _, $($key,)* } = block;
            [$((stringify!($key), $key.is_some()),)*]
        }};
    }
    let keys = given! {
        body bodies joint along of point point2 axis rotation
        frame force torque value stiffness damping free_length rest preload
        table interpolation potential coefficient wind viscous radius bearing_length speed
        constant lower upper width events
    };
    keys.into_iter().filter(|(_, given)| *given).map(|(key, _)| key)
}

impl Evaluator {
    /// Reads a force; `None` if too little is known.
    pub(super) fn force(&mut self, path: &str, block: &ForceBlock, model: &Model) -> Option<ForceSpec> {
        let name = self.name(&format!("{path}.name"), &block.name);
        for key in given_keys(block) {
            if !block.kind.keys().contains(&key) {
                let (message, help) = block.kind.without(key);
                self.problem(&format!("{path}.{key}"), message, &help);
            }
        }
        let kind = block.kind.reader()(self, Written { path, block, name: &name, model })?;
        Some(ForceSpec { name, kind })
    }

    /// A moving body and a point of it; the centre of mass if no point is given.
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

    /// The body and the point on which a force acts.
    pub(in crate::model) fn point_of_force(
        &mut self,
        from: Written,
        word: &str,
    ) -> Option<(String, Vector3<f64>)> {
        let what = format!("{word} '{}'", from.name);
        self.body_and_point(from.path, &from.block.body, &from.block.point, &what, from.model)
    }

    /// The joint coordinate along which a force acts.
    pub(in crate::model) fn joint_of_force(&mut self, from: Written, word: &str) -> Option<At> {
        let what = format!("{word} '{}'", from.name);
        let joint = self.needed(from.path, "joint", &from.block.joint, &what)?;
        Some(self.coordinate(&from.at("joint"), &joint, from.block.of, from.model))
    }

    /// True if the current joint coordinate is an angle, if that is known.
    pub(in crate::model) fn is_angle(&self) -> Option<bool> {
        self.element.angular
    }

    pub(in crate::model) fn missing(&mut self, from: Written, key: &str, example: &str) {
        let message = format!("force '{}' has no {key}", from.name);
        self.problem(from.path, message, &format!("add {key} = {example}"));
    }

    /// Refuses keys together with another one that replaces them.
    pub(in crate::model) fn exclude(&mut self, from: Written, instead: &str, keys: &[&str]) {
        for key in given_keys(from.block).filter(|key| keys.contains(key)) {
            self.problem(&from.at(key), format!("'{key}' and {instead} exclude each other"), "");
        }
    }

    pub(in crate::model) fn force_frame(&mut self, from: Written) -> ForceFrame {
        match from.block.frame {
            None | Some(FrameBlock::Inertial) => ForceFrame::Inertial,
            Some(FrameBlock::Body) => ForceFrame::Body,
            Some(_) => {
                self.problem(&from.at("frame"), "the frame of a force is inertial or body", "");
                ForceFrame::Inertial
            }
        }
    }

    /// A law, if a component uses a signal.
    pub(in crate::model) fn vector_law(
        &mut self,
        path: &str,
        vector: &Vector,
        target: LawTarget,
        model: &Model,
    ) -> Option<Law> {
        let numbers: Vec<_> = vector.iter().enumerate().map(|(i, x)| (format!("{path}[{i}]"), x)).collect();
        self.law(&numbers, target, model)
    }

    /// The coefficient of a force caused by a flow, N s^2/m^2.
    pub(in crate::model) fn coefficient_of_flow(&mut self, from: Written) -> Option<f64> {
        let Some(c) = &from.block.coefficient else {
            self.missing(from, "coefficient", "c, in N s^2/m^2");
            return None;
        };
        let at = from.at("coefficient");
        let coefficient = self.number_in(&at, c, Some(Dimension::new([-1, 1, 0, 0])));
        if coefficient < 0.0 {
            self.problem(&at, format!("{coefficient} is negative"), "");
        }
        Some(coefficient)
    }

    /// The velocity of a flow.
    pub(in crate::model) fn wind(&mut self, from: Written) -> Vector3<f64> {
        from.block.wind.as_ref().map_or_else(Vector3::zeros, |w| self.vector(&from.at("wind"), w))
    }

    /// A single coefficient; zero if absent.
    pub(in crate::model) fn scalar(&mut self, path: &str, x: &Option<Coefficients>) -> f64 {
        match x {
            None => 0.0,
            Some(Coefficients::Scalar(x)) => self.number(path, x),
            Some(_) => {
                self.problem(path, "one number is expected here", "several numbers are for bushings");
                0.0
            }
        }
    }

    /// Stiffness, damping, rest length and preload.
    pub(in crate::model) fn spring_damper(&mut self, from: Written) -> SpringDamper {
        SpringDamper {
            k: self.scalar(&from.at("stiffness"), &from.block.stiffness),
            c: self.scalar(&from.at("damping"), &from.block.damping),
            y0: self.option(&from.at("rest"), &from.block.rest).unwrap_or(0.0),
            f0: self.option(&from.at("preload"), &from.block.preload).unwrap_or(0.0),
        }
    }

    pub(in crate::model) fn pair_of_bodies(&mut self, from: Written) -> Option<[String; 2]> {
        let Some(bodies) = &from.block.bodies else {
            self.missing(from, "bodies", "[\"ground\", \"..\"]");
            return None;
        };
        Some(self.two_bodies(from.path, bodies, from.model))
    }

    /// A table of a force.
    pub(in crate::model) fn table(
        &mut self,
        from: Written,
        [first, second]: [Option<Dimension>; 2],
    ) -> Option<Tables> {
        let rows = from.block.table.iter().flatten().enumerate();
        let row = |(i, [x, y]): (usize, &[_; 2])| {
            let path = format!("{}.table[{i}]", from.path);
            [self.number_in(&path, x, first), self.number_in(&path, y, second)]
        };
        let points: Vec<[f64; 2]> = rows.map(row).collect();
        let interpolation = match from.block.interpolation {
            Some(InterpolationBlock::Linear) => Interpolation::Linear,
            None | Some(InterpolationBlock::MonotoneCubic) => Interpolation::MonotoneCubic,
        };
        match Table::new(&points, interpolation) {
            Ok(table) => Some(table.into()),
            Err(message) => {
                self.problem(&from.at("table"), message, "give rows [length or coordinate, force]");
                None
            }
        }
    }
}
