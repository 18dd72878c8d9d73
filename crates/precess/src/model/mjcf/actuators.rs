//! Actuators and equalities of MJCF.

use nalgebra::{Point3, Vector3};
use toml::Value;

use super::super::spec::GROUND;
use super::super::urdf::xml::XmlElement;
use super::{Convert, JointPlace, block, numbers, shifted};

/// Makes a name that can be used in expressions.
fn word(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

impl Convert<'_> {
    /// Reads a motor, a position servo or a velocity servo at a joint. Its command becomes a parameter.
    pub(super) fn actuator(&mut self, a: &XmlElement) {
        let given = a.attribute("name").unwrap_or("").to_string();
        let class = "";
        let joint = a.attribute("joint").and_then(|j| self.joints.get(j)).cloned();
        let Some(JointPlace { block: joint, single: true }) = joint else {
            let on = match (a.attribute("joint"), given.as_str()) {
                (Some(joint), "") => format!("<{}> at joint {joint}", a.name),
                (None, "") => format!("<{}>", a.name),
                (_, given) => format!("{given} (<{}>)", a.name),
            };
            self.notes
                .missing
                .push(format!("actuator {on} acts on no single joint coordinate: it is left out"));
            return;
        };
        let gear = self.attribute(a, &a.name, class, "gear");
        let gear = gear.and_then(|g| self.reader.several(a, "gear", &g, [1, 6]));
        let gear = gear.and_then(|g| g.first().copied()).unwrap_or(1.0);
        let name = self.unique(if given.is_empty() { "actuator" } else { &given });
        let command = format!("command_{}", word(&name));
        let (kp, kv) =
            (self.number(a, class, "kp").unwrap_or(1.0), self.number(a, class, "kv").unwrap_or(0.0));
        let inside = |of: String, range: Option<[f64; 2]>| match range {
            Some([low, high]) if low < high => format!("clamp({of}, 0 + ({low:e}), 0 + ({high:e}))"),
            _ => of,
        };
        let given_command = inside(command.clone(), self.pair(a, class, "ctrlrange"));
        let force = match a.name.as_str() {
            "motor" => given_command,
            "position" => format!("({kp:e})*({given_command} - ({gear:e})*x) - ({kv:e})*({gear:e})*v"),
            "velocity" => {
                let kv = self.number(a, class, "kv").unwrap_or(1.0);
                format!("({kv:e})*({given_command} - ({gear:e})*v)")
            }
            "general" if self.is_affine(a) => {
                let [gain, ..] = self.leading(a, "gainprm", [1.0, 0.0, 0.0]);
                let affine = self.attribute(a, "general", class, "biastype").as_deref() == Some("affine");
                let [b, bx, bv] = if affine { self.leading(a, "biasprm", [0.0; 3]) } else { [0.0; 3] };
                let (bx, bv) = (bx * gear, bv * gear);
                format!("({gain:e})*{given_command} + ({b:e}) + ({bx:e})*x + ({bv:e})*v")
            }
            other => {
                self.notes.missing.push(format!("actuator {name} of type {other} is left out"));
                return;
            }
        };
        let value = format!("({gear:e})*({})", inside(force, self.pair(a, class, "forcerange")));
        self.parameters.insert(command.clone(), Value::Float(0.0));
        self.notes
            .remarks
            .push(format!("actuator {name}: its command is the parameter {command}, 0 until it is set"));
        self.push(
            "force",
            block(vec![
                ("name", name.into()),
                ("type", "actuator".into()),
                ("joint", joint.into()),
                ("value", value.into()),
            ]),
        );
    }

    /// True for a general actuator whose force is a gain times the command plus an affine function of x and
    /// v.
    fn is_affine(&self, a: &XmlElement) -> bool {
        let is = |key: &str, words: &[&str]| {
            self.attribute(a, "general", "", key).is_none_or(|w| words.contains(&w.as_str()))
        };
        is("dyntype", &["none"]) && is("gaintype", &["fixed"]) && is("biastype", &["none", "affine"])
    }

    /// The first three numbers of an attribute, which may have fewer or more.
    fn leading(&mut self, a: &XmlElement, key: &str, mut list: [f64; 3]) -> [f64; 3] {
        let text = self.attribute(a, &a.name, "", key);
        let numbers = text.and_then(|text| self.reader.several(a, key, &text, [1, 10])).unwrap_or_default();
        list.iter_mut().zip(numbers).for_each(|(x, number)| *x = number);
        list
    }

    /// Reads connections, welds and ratios of joints. MuJoCo has soft constraints here, which become hard
    /// ones.
    pub(super) fn equality(&mut self, e: &XmlElement) {
        let given = e.attribute("name").unwrap_or(&e.name).to_string();
        if self.attribute(e, "equality", "", "active").as_deref() == Some("false") {
            self.notes.missing.push(format!("equality {given} is not active: it is left out"));
            return;
        }
        match e.name.as_str() {
            "connect" | "weld" => {
                let body = |key: &str| e.attribute(key).unwrap_or("world").to_string();
                let (first, second) = (body("body1"), body("body2"));
                let frame_of =
                    |name: &str| (name != "world").then(|| self.frames.get(name).copied()).flatten();
                let Some((frame, _)) = frame_of(&first) else {
                    self.notes
                        .missing
                        .push(format!("equality {given}: body1 '{first}' is not known, it is left out"));
                    return;
                };
                if second != "world" && frame_of(&second).is_none() {
                    self.notes
                        .missing
                        .push(format!("equality {given}: body2 '{second}' is not known, it is left out"));
                    return;
                }
                let anchor = self.reader.list::<3>(e, "anchor").unwrap_or([0.0; 3]);
                let point = (frame * shifted(Vector3::from(anchor)) * Point3::origin()).coords;
                let name = self.unique(&given);
                let other = if second == "world" { GROUND } else { second.as_str() };
                let kind = if e.name == "weld" { "fixed" } else { "spherical" };
                self.joint_block(&name, kind, [other, &first], numbers(point.as_slice()), vec![]);
            }
            "joint" => {
                let of = |key: &str| {
                    e.attribute(key).and_then(|j| self.joints.get(j)).filter(|j| j.single).cloned()
                };
                let ratio = match e.attribute("polycoef") {
                    None => Some(1.0),
                    Some(text) => {
                        let words = self.reader.several(e, "polycoef", text, [1, 5]).unwrap_or_default();
                        let straight = words.iter().skip(2).all(|x| *x == 0.0);
                        words.get(1).copied().filter(|r| straight && r.is_finite() && *r != 0.0)
                    }
                };
                let (Some(a), Some(b), Some(ratio)) = (of("joint1"), of("joint2"), ratio) else {
                    self.notes.missing.push(format!(
                        "equality {given} of joints is not a ratio of two coordinates: it is left out"
                    ));
                    return;
                };
                let name = self.unique(&given);
                let joints = Value::Array(vec![a.block.into(), b.block.into()]);
                self.push(
                    "gear",
                    block(vec![("name", name.into()), ("joints", joints), ("ratio", (-ratio).into())]),
                );
            }
            other => self.notes.missing.push(format!("equality {given} of type {other} is left out")),
        }
    }
}
