//! Joints of MJCF, with their springs, friction and limits.

use nalgebra::{Isometry3, Point3, Vector3};
use toml::Value;

use super::super::urdf::xml::XmlElement;
use super::{Convert, JointPlace, MassProperties, block, numbers};

/// The ratio of stiffness to damping of a stop, in 1/s.
const STOP_RATE: f64 = 100.0;
/// The stiffness of stops (N m/rad, N/m). In MuJoCo limits are constraints, here they are stiff springs.
const STOPS: [f64; 2] = [1e4, 1e6];
/// Dry friction fades below this rate (rad/s, m/s).
const SPEED: [f64; 2] = [0.01, 1e-3];
/// The mass and inertia of a body between two joints, as a fraction of those of the next body.
const LIGHT: f64 = 1e-6;

impl Convert<'_> {
    /// Joins a body to its parent.
    pub(super) fn hold(
        &mut self,
        (e, mass): (&XmlElement, &MassProperties),
        bodies: [&str; 2],
        frame: &Isometry3<f64>,
        class: &str,
    ) {
        let own = e.children.iter().filter(|c| c.name == "joint" || c.name == "freejoint");
        let own: Vec<&XmlElement> = own.collect();
        let kind = |c: &Convert, j: &XmlElement| match j.name.as_str() {
            "freejoint" => "free".to_string(),
            _ => c.attribute(j, "joint", class, "type").unwrap_or_else(|| "hinge".to_string()),
        };
        let kinds: Vec<String> = own.iter().map(|j| kind(self, j)).collect();
        match (own.as_slice(), kinds.iter().map(String::as_str).collect::<Vec<_>>().as_slice()) {
            ([], _) => {
                let name = self.unique(&format!("{}_{}", bodies[0], bodies[1]));
                let point = numbers(frame.translation.vector.as_slice());
                self.joint_block(&name, "fixed", bodies, point, vec![]);
            }
            ([j], ["free"]) => {
                let what = j.attribute("name").map_or_else(String::new, |name| format!("joint {name}: "));
                self.notes.remarks.push(format!("{what}body {} moves freely", bodies[1]));
            }
            ([j], ["ball"]) => {
                let (point, _) = self.anchor(j, frame, class);
                let name = self.joint_name(j, bodies[1]);
                self.joint_block(&name, "spherical", bodies, numbers(point.as_slice()), vec![]);
                let place = JointPlace { block: name.clone(), single: false };
                self.joints.insert(j.attribute("name").unwrap_or("").to_string(), place);
                self.lost(j, class, &name);
            }
            ([j], [single @ ("hinge" | "slide")]) => {
                self.single(j, bodies, (frame, class), *single == "slide");
            }
            (several, kinds) => {
                let joints: Vec<(&XmlElement, &str)> =
                    several.iter().copied().zip(kinds.iter().copied()).collect();
                self.several(&joints, bodies, (frame, class), (e, mass));
            }
        }
    }

    /// Puts several joints of one body in series, as in MuJoCo. A light body follows each joint except the
    /// last.
    fn several(
        &mut self,
        joints: &[(&XmlElement, &str)],
        [parent, child]: [&str; 2],
        (frame, class): (&Isometry3<f64>, &str),
        (e, mass): (&XmlElement, &MassProperties),
    ) {
        if let Some((_, kind)) = joints.iter().find(|(_, kind)| !["hinge", "slide"].contains(kind)) {
            let message = format!("body '{child}' has a {kind} joint beside others");
            self.reader.problem(e, message, "give each of them a body of its own");
            return;
        }
        let mut before = parent.to_string();
        let mut between = Vec::new();
        for (i, (j, kind)) in joints.iter().enumerate() {
            if i + 1 == joints.len() {
                self.single(j, [&before, child], (frame, class), *kind == "slide");
                break;
            }
            let own = j.attribute("name").map_or_else(|| format!("{child}_{}", i + 1), str::to_string);
            let name = self.unique(&format!("{own}_link"));
            let (point, _) = self.anchor(j, frame, class);
            let moment = LIGHT * mass.inertia.trace() / 3.0;
            let entries = vec![
                ("name", name.clone().into()),
                ("mass", (LIGHT * mass.mass).into()),
                ("inertia", numbers(&[moment; 3])),
                ("position", numbers(point.as_slice())),
            ];
            self.push("body", block(entries));
            self.single(j, [&before, &name], (frame, class), *kind == "slide");
            between.push(name.clone());
            before = name;
        }
        self.notes.remarks.push(format!(
            "body {child} has {} joints: between them are light bodies, {}, of a millionth of its mass",
            joints.len(),
            between.join(", ")
        ));
    }

    /// Adds a hinge or a slide.
    fn single(
        &mut self,
        j: &XmlElement,
        bodies: [&str; 2],
        (frame, class): (&Isometry3<f64>, &str),
        slides: bool,
    ) {
        let (point, axis) = self.anchor(j, frame, class);
        let name = self.joint_name(j, bodies[1]);
        let mut more = vec![("axis", numbers(axis.as_slice()))];
        let reference = self.number(j, class, "ref").map(|r| if slides { r } else { self.reader.angle(r) });
        if let Some(r) = reference.filter(|r| *r != 0.0) {
            more.push(("coordinate", r.into()));
        }
        let kind = if slides { "prismatic" } else { "revolute" };
        self.joint_block(&name, kind, bodies, numbers(point.as_slice()), more);
        let place = JointPlace { block: name.clone(), single: true };
        self.joints.insert(j.attribute("name").unwrap_or("").to_string(), place);
        self.at_joint(j, class, &name, slides);
    }

    /// The name of a joint: its own name, or one made from the name of its body.
    fn joint_name(&mut self, j: &XmlElement, body: &str) -> String {
        let name = j.attribute("name").map_or_else(|| format!("{body}_joint"), str::to_string);
        self.unique(&name)
    }

    /// Notes properties that are lost because the joint has no single coordinate.
    fn lost(&mut self, j: &XmlElement, class: &str, name: &str) {
        for key in ["damping", "stiffness", "frictionloss", "range"] {
            let value = self.attribute(j, "joint", class, key);
            if let Some(value) = value.filter(|v| v.split_whitespace().any(|w| w.parse::<f64>() != Ok(0.0))) {
                self.notes
                    .missing
                    .push(format!("joint {name}: {key} {value} is left out, it has no single coordinate"));
            }
        }
    }

    pub(super) fn joint_block(
        &mut self,
        name: &str,
        kind: &str,
        bodies: [&str; 2],
        point: Value,
        more: Vec<(&str, Value)>,
    ) {
        let pair = Value::Array(bodies.iter().map(|b| Value::from(*b)).collect());
        let mut entries =
            vec![("name", name.into()), ("type", kind.into()), ("bodies", pair), ("point", point)];
        entries.extend(more);
        self.push("joint", block(entries));
    }

    /// The point and the axis of a joint.
    fn anchor(
        &mut self,
        j: &XmlElement,
        frame: &Isometry3<f64>,
        class: &str,
    ) -> (Vector3<f64>, Vector3<f64>) {
        let point = self.triple(j, class, "pos").unwrap_or([0.0; 3]);
        let axis = self.triple(j, class, "axis").unwrap_or([0.0, 0.0, 1.0]);
        let axis = frame.rotation * Vector3::from(axis);
        if !(axis.norm() > 1e-12) {
            self.reader.problem(j, "an axis of length zero has no direction".to_string(), "");
            return (frame.translation.vector, Vector3::z());
        }
        ((frame * Point3::from(Vector3::from(point))).coords, axis.normalize())
    }

    /// Adds the springs, dampers, friction and limits of a joint.
    fn at_joint(&mut self, j: &XmlElement, class: &str, name: &str, slides: bool) {
        let kind = usize::from(slides);
        let of = |list: [f64; 2]| list.get(kind).copied().unwrap_or(1.0);
        let number = |c: &mut Self, key: &str| c.number(j, class, key).unwrap_or(0.0);
        let (damping, friction) = (number(self, "damping"), number(self, "frictionloss"));
        if damping > 0.0 || friction > 0.0 {
            let mut entries = vec![
                ("name", format!("friction_{name}").into()),
                ("type", "friction".into()),
                ("joint", name.into()),
                ("viscous", damping.into()),
            ];
            if friction > 0.0 {
                entries.extend([("constant", friction.into()), ("speed", of(SPEED).into())]);
            }
            self.push("force", block(entries));
        }
        let stiffness = number(self, "stiffness");
        if stiffness > 0.0 {
            let rest = number(self, "springref");
            let rest = if slides { rest } else { self.reader.angle(rest) };
            self.push(
                "force",
                block(vec![
                    ("name", format!("spring_{name}").into()),
                    ("type", "joint-spring".into()),
                    ("joint", name.into()),
                    ("stiffness", stiffness.into()),
                    ("rest", rest.into()),
                ]),
            );
        }
        if number(self, "armature") > 0.0 {
            let a = number(self, "armature");
            self.notes
                .missing
                .push(format!("joint {name}: the armature {a} (inertia of its motor) is left out"));
        }
        let range = self.pair(j, class, "range");
        let limited = self.attribute(j, "joint", class, "limited");
        if let Some([lower, upper]) = range.filter(|_| limited.as_deref() != Some("false"))
            && lower < upper
        {
            let turn = |x: f64| if slides { x } else { self.reader.angle(x) };
            let (lower, upper) = (turn(lower), turn(upper));
            self.push(
                "force",
                block(vec![
                    ("name", format!("limit_{name}").into()),
                    ("type", "limit".into()),
                    ("joint", name.into()),
                    ("lower", lower.into()),
                    ("upper", upper.into()),
                    ("stiffness", of(STOPS).into()),
                    ("damping", (of(STOPS) / STOP_RATE).into()),
                ]),
            );
        }
    }
}
