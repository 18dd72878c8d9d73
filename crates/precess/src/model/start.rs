//! Writes initial positions of bodies into the text of a model file and keeps the rest: comments,
//! expressions, order.

use std::fmt::Write;

use nalgebra::UnitQuaternion;

use super::spec::StartSpec;
use crate::mechanics::mechanism::BodyState;

impl StartSpec {
    /// From the state of a body.
    pub fn of(body: &BodyState) -> Self {
        let [w, x, y, z] = body.rotation;
        StartSpec {
            position: body.position,
            rotation: UnitQuaternion::from_quaternion(nalgebra::Quaternion::new(w, x, y, z)),
            velocity: body.velocity,
            angular_velocity: body.angular_velocity,
        }
    }
}

/// The text with `[start.BODY]` tables of these bodies at its end, which replace existing ones. `why` is a
/// comment in the first of them.
pub fn with_start(text: &str, why: &str, bodies: &[(String, StartSpec)]) -> String {
    let mut out = without_start(text);
    out.truncate(out.trim_end().len());
    out.push('\n');
    for (i, (name, start)) in bodies.iter().enumerate() {
        let _ = writeln!(out, "\n[start.{}]", key(name));
        if i == 0 {
            let _ = writeln!(out, "# {why}");
        }
        let r = start.rotation.quaternion();
        let _ = writeln!(out, "position = {}", list(start.position.as_slice()));
        let _ = writeln!(out, "rotation = {}", list(&[r.w, r.i, r.j, r.k]));
        let _ = writeln!(out, "velocity = {}", list(start.velocity.as_slice()));
        let _ = writeln!(out, "angular_velocity = {}", list(start.angular_velocity.as_slice()));
    }
    out
}

/// The text without its `[start.BODY]` tables.
fn without_start(text: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let words = line.trim_start();
        if words.starts_with('[') {
            let name = words.trim_start_matches('[').trim_start();
            let rest = name.strip_prefix("start").map(str::trim_start);
            inside = rest.is_some_and(|r| r.starts_with(['.', ']']));
        }
        if !inside {
            out.push_str(line);
        }
    }
    out
}

/// Digits that read back as the same number; zero without a sign.
fn list(x: &[f64]) -> String {
    let numbers: Vec<String> = x.iter().map(|x| format!("{:?}", x + 0.0)).collect();
    format!("[{}]", numbers.join(", "))
}

/// A name as a key of TOML.
fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) {
        return name.to_string();
    }
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::load;

    const FILE: &str = "# A ball.\n[model]\nname = \"ball\" # kept\n[parameters]\na = \"1 + \
                        1\"\n[[body]]\nname = \"the \\\"ball\\\"\"\n\
        mass = 1\ninertia = [1, 1, 1]\nposition = [\"a\", 0, 0]\n";

    #[test]
    fn text_stays_and_numbers_come_back() {
        let name = "the \"ball\"".to_string();
        let start = StartSpec {
            position: [0.1, -2e-17, 1.0 / 3.0].into(),
            rotation: UnitQuaternion::from_scaled_axis([0.3, 0.2, -0.7].into()),
            velocity: [1e300, 0.0, -0.0].into(),
            angular_velocity: [0.0, 5.0, 0.0].into(),
        };
        let once = with_start(FILE, "a reason", &[(name.clone(), start.clone())]);
        assert!(once.starts_with(FILE));
        let twice =
            with_start(&format!("{once}\n[run]\nuntil = 3\n"), "a reason", &[(name.clone(), start.clone())]);
        assert!(twice.contains("until = 3") && twice.matches("[start.").count() == 1);
        let loaded = load("ball.toml", &twice, &[]).unwrap_or_else(|e| panic!("{e}"));
        let read = &loaded.model.start[&name];
        assert_eq!((read.position, read.velocity), (start.position, start.velocity));
        assert!(read.rotation.angle_to(&start.rotation) < 1e-15);
        // The body itself stays where it was: joints and forces belong there.
        assert_eq!(loaded.model.bodies[0].position.x, 2.0);
        let built = crate::model::build(&loaded.model, crate::formulation::Formulation::R3SO3).unwrap();
        assert_eq!(built.q[4..], [0.1, -2e-17, 1.0 / 3.0]);
    }

    #[test]
    fn a_start_of_nobody_is_named() {
        let e = load("ball.toml", &format!("{FILE}[start.bal]\nposition = [0, 0, 0]\n"), &[]).unwrap_err();
        assert!(e.to_string().contains("'bal'"), "{e}");
    }
}
