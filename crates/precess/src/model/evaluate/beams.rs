//! Reads `[[beam]]`: line, section, stations and load.

use nalgebra::{Isometry3, Translation3, Vector3, Vector6};
use precess_engine::flex::{BeamError, MAX_ANGLE, Material, Section, Shape};

use super::Evaluator;
use crate::model::beam::{BeamSpec, Curve, divide};
use crate::model::elements::{ForceFrame, ForceSpec};
use crate::model::file_beam::{BeamBlock, MassKind, SectionBlock, SectionType};
use crate::model::forces::PointForce;
use crate::model::number::Number;
use crate::model::placement::scaled;
use crate::model::spec::{GROUND, Model};

const ELEMENTS: usize = 8;
const MOST_ELEMENTS: f64 = 100_000.0;
const POISSON: f64 = 0.3;

impl Evaluator {
    /// Reads a beam with its bodies, elements, sensors and load.
    pub(super) fn beam(&mut self, path: &str, block: &BeamBlock, model: &mut Model) {
        let before = self.problems.len();
        let name = self.name(&format!("{path}.name"), &block.name);
        let curve = self.beam_line(path, block, &name, model);
        let section = self.beam_section(path, block, &name);
        let elements = self.beam_elements(path, block);
        let stations = self.stations(path, block, &name);
        let damping = self.not_negative(&format!("{path}.damping"), &block.damping);
        let velocity = block.velocity.as_ref().map(|v| self.point(&format!("{path}.velocity"), v, model));
        let spin = block.angular_velocity.as_ref();
        let spin = spin.map(|w| self.vector(&format!("{path}.angular_velocity"), w));
        let load = block.load.as_ref().map(|x| self.functions(&format!("{path}.load"), x));
        let (Some(curve), Some((section, shape))) = (curve, section) else {
            // Uses of the nodes of this beam are not reported as errors.
            self.incomplete.insert("body".to_string());
            return;
        };
        let mut parts: Vec<f64> = stations.iter().map(|(_, s)| *s).collect();
        let mut elements = elements;
        if block.elements.is_none() && !block.frames.is_empty() {
            // The given frames are the nodes.
            parts.extend(curve.parts());
            elements = 1;
        }
        let mut beam = BeamSpec::along(&name, &curve, elements, &parts, section);
        let parts = divide(elements, &parts);
        let turned = parts.windows(2).filter_map(|p| Some(curve.turning(*p.first()?, *p.get(1)?)));
        let most = turned.fold(0.0, f64::max);
        if !(most < MAX_ANGLE) {
            let error = BeamError::TooCurved { angle: most };
            self.problem(&format!("{path}.elements"), format!("beam '{name}': {error}"), "");
        }
        beam.data.damping = damping;
        beam.data.consistent = block.mass.unwrap_or_default() == MassKind::Consistent;
        beam.data.residual_flexibility = block.residual_flexibility.unwrap_or(false);
        beam.shape = shape;
        beam.velocity = velocity.unwrap_or_default();
        beam.angular_velocity = spin.unwrap_or_default();
        if self.problems.len() > before {
            self.incomplete.insert("body".to_string());
            return;
        }
        self.name_stations(&beam, &stations);
        self.take_beam(path, beam, model);
        if let Some(load) = load {
            let frame = match block.load_follows {
                Some(true) => ForceFrame::Body,
                _ => ForceFrame::Inertial,
            };
            self.spread(path, &name, load, frame, model);
        }
    }

    /// Adds the parts of a beam. All names must be new.
    fn take_beam(&mut self, path: &str, beam: BeamSpec, model: &mut Model) {
        let help = "names of beams and bodies are unique; the nodes of a beam are called name.0, name.1, ..";
        if beam.name == GROUND
            || self.find("beam", &beam.name).is_some()
            || self.find("body", &beam.name).is_some()
        {
            self.taken(path, &beam.name, help);
            return;
        }
        self.record_name("beam", model.beams.len(), path, &beam.name, help);
        for body in beam.bodies() {
            self.record_name("body", model.bodies.len(), path, &body.name, help);
            model.bodies.push(body);
        }
        for force in beam.forces() {
            self.record_name("force", model.forces.len(), path, &force.name, help);
            model.forces.push(force);
        }
        for sensor in beam.sensors() {
            self.record_name("sensor", model.sensors.len(), path, &sensor.name, help);
            model.sensors.push(sensor);
        }
        model.beams.push(beam);
    }

    /// Converts a load per length to forces on the nodes.
    fn spread(
        &mut self,
        path: &str,
        name: &str,
        load: [crate::mechanics::Function; 3],
        frame: ForceFrame,
        model: &mut Model,
    ) {
        let Some(beam) = model.beams.last().cloned() else { return };
        for (i, (share, node)) in beam.shares().into_iter().zip(&beam.nodes).enumerate() {
            let kind = PointForce {
                body: beam.node(i),
                point: node.translation.vector,
                force: load.each_ref().map(|f| scaled(share, f)),
                frame,
            };
            let force = ForceSpec::new(&format!("{name}.load.{i}"), kind);
            self.record_name("force", model.forces.len(), path, &force.name, "names of forces are unique");
            model.forces.push(force);
        }
    }

    /// Adds the names of stations as other names of nodes.
    fn name_stations(&mut self, beam: &BeamSpec, stations: &[(String, f64)]) {
        let ends = [("start".to_string(), 0.0), ("end".to_string(), 1.0)];
        let parts = beam.parts();
        for (station, s) in ends.iter().chain(stations) {
            let nearest = parts.iter().enumerate().min_by(|a, b| (a.1 - s).abs().total_cmp(&(b.1 - s).abs()));
            if let Some((i, _)) = nearest {
                self.aliases.insert(format!("{}.{station}", beam.name), beam.node(i));
            }
        }
    }

    fn beam_elements(&mut self, path: &str, block: &BeamBlock) -> usize {
        let path = format!("{path}.elements");
        let Some(n) = self.option(&path, &block.elements) else { return ELEMENTS };
        if !((1.0..=MOST_ELEMENTS).contains(&n) && n.fract() == 0.0) {
            if !n.is_nan() {
                let message = format!("{n} is not a whole number from 1 to {MOST_ELEMENTS}");
                self.problem(&path, message, "start with 8 to 16 elements");
            }
            return 1;
        }
        self.copies += n;
        if self.copies > super::names::MAX_COPIES {
            let message = format!("with these the model has more than {} elements", super::names::MAX_COPIES);
            self.problem(&path, message, "use fewer elements");
            return 1;
        }
        n as usize
    }

    fn stations(&mut self, path: &str, block: &BeamBlock, beam: &str) -> Vec<(String, f64)> {
        let mut list = Vec::new();
        for (name, x) in &block.stations {
            let path = format!("{path}.stations.{name}");
            let s = self.number(&path, x);
            if !(0.0..=1.0).contains(&s) {
                if !s.is_nan() {
                    let message = format!("station '{name}' of beam '{beam}' is at {s}, outside the beam");
                    self.problem(&path, message, "stations are parts of the length, from 0 to 1");
                }
                continue;
            }
            if name.parse::<usize>().is_ok() || name == "start" || name == "end" {
                let message = format!("a node is already called '{name}'");
                self.problem(&path, message, "choose another name for the station");
                continue;
            }
            list.push((name.clone(), s));
        }
        list
    }

    /// Makes the line of a beam from the given keys.
    fn beam_line(&mut self, path: &str, block: &BeamBlock, name: &str, model: &Model) -> Option<Curve> {
        let up = block.up.as_ref().map(|u| self.axis(&format!("{path}.up"), u, model));
        let twist = self.option(&format!("{path}.twist"), &block.twist).unwrap_or(0.0);
        let ways =
            [block.from.is_some() || block.to.is_some(), !block.points.is_empty(), !block.frames.is_empty()];
        if ways.iter().filter(|w| **w).count() != 1 {
            let what = if ways.contains(&true) { "is given twice" } else { "is missing" };
            self.problem(
                path,
                format!("the line of beam '{name}' {what}"),
                "give from and to, or points = [..], or frames = [..]",
            );
            return None;
        }
        if block.from.is_none() && (block.twist.is_some() || block.through.is_some()) {
            self.problem(path, "twist and through belong to from and to", "leave them out");
            return None;
        }
        let curve = if !block.frames.is_empty() {
            let mut frames = Vec::with_capacity(block.frames.len());
            for (k, node) in block.frames.iter().enumerate() {
                let at = self.point(&format!("{path}.frames[{k}].position"), &node.position, model);
                let r = self.rotation(&format!("{path}.frames[{k}].rotation"), &node.rotation, model);
                frames.push(Isometry3::from_parts(Translation3::from(at), r));
            }
            Some(Curve::through(frames))
        } else if !block.points.is_empty() {
            let list = block.points.iter().enumerate();
            let points: Vec<Vector3<f64>> =
                list.map(|(k, p)| self.point(&format!("{path}.points[{k}]"), p, model)).collect();
            Curve::points(&points, up)
        } else {
            let mut end = |key: &str, place: &Option<crate::model::file_geometry::PointOrMarker>| match place
            {
                Some(p) => Some(self.point(&format!("{path}.{key}"), p, model)),
                None => {
                    self.problem(
                        path,
                        format!("beam '{name}' has no {key}"),
                        &format!("add {key} = [x, y, z]"),
                    );
                    None
                }
            };
            let (from, to) = (end("from", &block.from), end("to", &block.to));
            let (from, to) = (from?, to?);
            match &block.through {
                Some(p) => {
                    let middle = self.point(&format!("{path}.through"), p, model);
                    Curve::arc(from, middle, to, up, twist)
                }
                None if (to - from).norm() > 0.0 => Some(Curve::straight(from, to, up, twist)),
                None => None,
            }
        };
        let curve = curve.filter(|c| c.length() > 0.0 && c.length().is_finite());
        if curve.is_none() {
            self.problem(
                path,
                format!("the line of beam '{name}' has no length or no direction"),
                "neighbouring points must differ, and the three points of an arc must not be on a line",
            );
        }
        curve
    }

    /// Reads stiffness and inertia, and the shape if there is one.
    fn beam_section(
        &mut self,
        path: &str,
        block: &BeamBlock,
        name: &str,
    ) -> Option<(Section, Option<Shape>)> {
        let before = self.problems.len();
        let made = match (&block.section, &block.stiffness) {
            (Some(_), Some(_)) => {
                let message = format!("the section of beam '{name}' is given twice, also by its stiffness");
                self.problem(&format!("{path}.stiffness"), message, "leave one of them out");
                return None;
            }
            (None, None) => {
                self.problem(
                    path,
                    format!("beam '{name}' has no section"),
                    "add section = { type = \"circle\", radius = .. } with young and density, or stiffness \
                     = [GJ, EI_y, EI_z, EA, GA_y, GA_z]",
                );
                return None;
            }
            (Some(shape), None) => self.section_of_shape(path, block, shape, name)?,
            (None, Some(stiffness)) => self.section_of_stiffness(path, block, stiffness, name)?,
        };
        // A number that cannot be read has been reported already.
        if self.problems.len() > before {
            return None;
        }
        made.map_err(|e: BeamError| self.problem(path, format!("beam '{name}': {e}"), "")).ok()
    }

    /// Makes a section from a shape and a material. Returns `None` if data are missing.
    fn section_of_shape(
        &mut self,
        path: &str,
        block: &BeamBlock,
        shape: &SectionBlock,
        name: &str,
    ) -> Option<Result<(Section, Option<Shape>), BeamError>> {
        for (key, x) in [("young", &block.young), ("density", &block.density)] {
            if x.is_none() {
                let message = format!("beam '{name}' has a section without {key}");
                self.problem(path, message, &format!("add {key} = .. of the material"));
            }
        }
        let shape = self.beam_shape(&format!("{path}.section"), shape);
        let number = |e: &mut Self, key: &str, x: &Option<Number>| e.option(&format!("{path}.{key}"), x);
        let (young, density) = (number(self, "young", &block.young), number(self, "density", &block.density));
        let shear = number(self, "shear", &block.shear);
        let poisson = number(self, "poisson", &block.poisson);
        if shear.is_some() && poisson.is_some() {
            self.problem(&format!("{path}.poisson"), "the shear modulus is given twice", "leave one out");
        }
        let (shape, young, density) = (shape?, young?, density?);
        let mut material = Material::isotropic(young, poisson.unwrap_or(POISSON), density);
        material.shear = shear.unwrap_or(material.shear);
        let factors = block.shear_factors.as_ref().map(|factors| {
            let area = material.shear * shape.area();
            [0, 1].map(|k: usize| {
                let x = factors.get(k).map(|x| self.number(&format!("{path}.shear_factors[{k}]"), x));
                x.unwrap_or(f64::NAN) * area
            })
        });
        let section = Section::of(&material, &shape).and_then(|section| match factors {
            Some([y, z]) => {
                let k = section.stiffness.diagonal();
                let k = Vector6::from_iterator(k.iter().take(4).copied().chain([y, z]));
                Section::new(k, section.mass, section.inertia)
            }
            None => Ok(section),
        });
        Some(section.map(|s| (s, Some(shape))))
    }

    /// Makes a section from its stiffness. Returns `None` if data are missing.
    fn section_of_stiffness(
        &mut self,
        path: &str,
        block: &BeamBlock,
        stiffness: &[Number],
        name: &str,
    ) -> Option<Result<(Section, Option<Shape>), BeamError>> {
        let entries = stiffness.iter().enumerate();
        let k = entries.map(|(i, x)| self.number(&format!("{path}.stiffness[{i}]"), x));
        let k = Vector6::from_iterator(k.collect::<Vec<_>>());
        let mass = self.option(&format!("{path}.mass_per_length"), &block.mass_per_length);
        let inertia = block.inertia_per_length.as_ref();
        let inertia = inertia.map(|j| self.vector(&format!("{path}.inertia_per_length"), j));
        let (Some(mass), Some(inertia)) = (mass, inertia) else {
            self.problem(
                path,
                format!("beam '{name}' has a stiffness without mass and inertia"),
                "add mass_per_length = .. and inertia_per_length = [J1, J2, J3]",
            );
            return None;
        };
        Some(Section::new(k, mass, inertia).map(|s| (s, None)))
    }

    fn beam_shape(&mut self, path: &str, block: &SectionBlock) -> Option<Shape> {
        let given = [
            ("width", block.width.is_some()),
            ("height", block.height.is_some()),
            ("radius", block.radius.is_some()),
            ("inner_radius", block.inner_radius.is_some()),
        ];
        let used: &[&str] = match block.kind {
            SectionType::Rectangle => &["width", "height"],
            SectionType::Circle => &["radius"],
            SectionType::Tube => &["radius", "inner_radius"],
        };
        self.unused(path, "a section of this type", &given, used);
        let mut number = |key: &str, x: &Option<Number>| match x {
            Some(x) => Some(self.number(&format!("{path}.{key}"), x)),
            None => {
                self.problem(path, format!("the section has no {key}"), &format!("add {key} = .."));
                None
            }
        };
        match block.kind {
            SectionType::Rectangle => {
                let (width, height) = (number("width", &block.width), number("height", &block.height));
                Some(Shape::Rectangle { width: width?, height: height? })
            }
            SectionType::Circle => Some(Shape::Circle { radius: number("radius", &block.radius)? }),
            SectionType::Tube => {
                let (outer, inner) =
                    (number("radius", &block.radius), number("inner_radius", &block.inner_radius));
                Some(Shape::Tube { outer: outer?, inner: inner? })
            }
        }
    }
}
