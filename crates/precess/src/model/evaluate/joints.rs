//! Reads `[[joint]]`: kind, point and axes.

use nalgebra::{Matrix3, Rotation3, Vector3};

use super::Evaluator;
use crate::mechanics::BodyKind;
use crate::mechanics::joints::JointKind;
use crate::mechanics::joints::generic::Locks;
use crate::model::file::{JointBlock, JointType, RowFrame};
use crate::model::spec::{BodySpec, GROUND, JointSpec, Model, frame_along};

impl Evaluator {
    pub(super) fn joint(&mut self, path: &str, block: &JointBlock, model: &Model) -> JointSpec {
        let name = self.name(&format!("{path}.name"), &block.name);
        let bodies = self.two_bodies(path, &block.bodies, model);
        let point = self.joint_point(path, block, &bodies, model);
        let frame = self.joint_frame(path, block, model);
        let mut spec = JointSpec {
            name,
            kind: JointKind::Spherical,
            bodies,
            point,
            point2: point,
            frame,
            frame2: frame,
            drive: None,
            drive_displacement: None,
            guide: None,
            coordinate: self.option(&format!("{path}.coordinate"), &block.coordinate).unwrap_or(0.0),
            rate: None,
            rows_in_body: self.rows_in_body(path, block),
        };
        if !matches!(block.kind, JointType::RigidDistance | JointType::Rolling) {
            self.same_point(path, block, &mut spec, model);
        }
        if block.pitch.is_some() && block.kind != JointType::Screw {
            self.problem(
                &format!("{path}.pitch"),
                "only screws have a pitch",
                "leave it out, or use type = \"screw\"",
            );
        }
        spec.kind = self.joint_kind(path, block, &mut spec, model);
        self.orientation(path, block, &spec, model);
        self.drive(path, block, &mut spec);
        spec.rate = self.rate(path, block, &spec);
        spec
    }

    /// The initial rate of a joint coordinate.
    fn rate(&mut self, path: &str, block: &JointBlock, spec: &JointSpec) -> Option<f64> {
        let at = format!("{path}.rate");
        let rate = self.option(&at, &block.rate)?;
        if !(spec.kind.has_angle() || spec.kind.has_displacement()) {
            let help = "revolute, prismatic and cylindrical joints have one; give velocities of bodies";
            self.problem(&at, format!("joint '{}' has no coordinate", spec.name), help);
        } else if block.drive.is_some() {
            let help = "the drive gives the rate at the start; leave rate out";
            self.problem(&at, format!("joint '{}' has a rate and a drive", spec.name), help);
        }
        Some(rate)
    }

    /// The point of a joint: the given point, or the place of its node.
    fn joint_point(
        &mut self,
        path: &str,
        block: &JointBlock,
        bodies: &[String; 2],
        model: &Model,
    ) -> Vector3<f64> {
        match &block.point {
            Some(p) => self.point(&format!("{path}.point"), p, model),
            None if self.node_of(bodies, model).is_some() => self.node_of(bodies, model).unwrap_or_default(),
            // A missing node is reported elsewhere.
            None if bodies.iter().any(|b| b.contains('.') && self.find_body(model, b).is_none()) => {
                Vector3::zeros()
            }
            None => {
                self.problem(
                    path,
                    format!("joint '{}' has no point", block.name),
                    "add point = [x, y, z], its place at t = 0",
                );
                Vector3::zeros()
            }
        }
    }

    /// The frame of a joint. Its third axis is along the axis of the joint.
    fn joint_frame(&mut self, path: &str, block: &JointBlock, model: &Model) -> Matrix3<f64> {
        use JointType::*;
        let needs_axis = !matches!(block.kind, Spherical | Fixed | RigidDistance | Generic);
        match (&block.axis, needs_axis) {
            (Some(a), _) => frame_along(&self.axis(&format!("{path}.axis"), a, model)),
            (None, true) => {
                self.problem(
                    path,
                    format!("joint '{}' has no axis", block.name),
                    "add axis = [x, y, z] at t = 0",
                );
                Matrix3::identity()
            }
            (None, false) => Matrix3::identity(),
        }
    }

    /// The kind of a joint. This function also checks the keys of each kind.
    fn joint_kind(
        &mut self,
        path: &str,
        block: &JointBlock,
        spec: &mut JointSpec,
        model: &Model,
    ) -> JointKind {
        use JointType::*;
        match block.kind {
            Spherical => JointKind::Spherical,
            Revolute | Prismatic | Cylindrical | Planar => {
                self.same_axis(path, block, spec, model);
                match block.kind {
                    Revolute => JointKind::Revolute,
                    Prismatic => JointKind::Prismatic,
                    Cylindrical => JointKind::Cylindrical,
                    _ => JointKind::Planar,
                }
            }
            Fixed => JointKind::Fixed,
            PointOnPlane => JointKind::PointOnPlane,
            PointOnLine => JointKind::PointOnLine,
            Universal => {
                self.universal(path, block, spec, model);
                JointKind::Universal
            }
            Screw => JointKind::Screw { pitch: self.pitch(path, block) },
            RigidDistance => {
                self.rigid_distance(path, block, spec, model);
                JointKind::RigidDistance
            }
            KnifeEdge => JointKind::KnifeEdge,
            Rolling => self.rolling(path, block, spec, model),
            Generic => {
                self.x_axis(path, block, spec, model);
                JointKind::Generic(self.locks(path, block))
            }
        }
    }

    /// The position of the first of two bodies that is a node of a beam. It is used for a joint without a
    /// point.
    fn node_of(&self, bodies: &[String; 2], model: &Model) -> Option<Vector3<f64>> {
        let is_node = |b: &&String| model.beams.iter().any(|beam| beam.has(b));
        let node = bodies.iter().find(is_node).and_then(|b| self.find_body(model, b)).map(|b| b.position);
        node.or_else(|| self.place_of_node(bodies, model))
    }

    /// Checks that the bodies of joints with an axis have an orientation.
    fn orientation(&mut self, path: &str, block: &JointBlock, spec: &JointSpec, model: &Model) {
        use JointType::*;
        // The plane and the line belong to the first body.
        let needs = match block.kind {
            Spherical | RigidDistance => [spec.rows_in_body, false],
            PointOnPlane | PointOnLine => [true, false],
            _ => [true, true],
        };
        for ((i, body), needs) in spec.bodies.iter().enumerate().zip(needs) {
            let point_mass = |b: &BodySpec| matches!(b.kind, BodyKind::PointMass);
            // A missing inertia of the body has been reported already.
            let known = !self.unfinished.contains(body);
            if needs && known && self.find_body(model, body).is_some_and(point_mass) {
                self.problem(
                    &format!("{path}.bodies[{i}]"),
                    format!(
                        "'{body}' is a point mass without orientation, and joint '{}' needs one",
                        spec.name
                    ),
                    "give it an inertia or a shape, or use a spherical joint or a rigid-distance",
                );
            }
        }
    }

    /// The pitch of a screw.
    fn pitch(&mut self, path: &str, block: &JointBlock) -> f64 {
        let Some(pitch) = self.option(&format!("{path}.pitch"), &block.pitch) else {
            self.problem(
                path,
                format!("screw '{}' has no pitch", block.name),
                "add pitch = p, its displacement in m per turn",
            );
            return 1.0;
        };
        if !(pitch != 0.0 && pitch.is_finite()) {
            self.problem(
                &format!("{path}.pitch"),
                "the pitch of a screw must not be zero",
                "a screw with a negative pitch is left-handed",
            );
            return 1.0;
        }
        pitch
    }

    /// True if the rows of a spherical joint are in the frame of its first body.
    fn rows_in_body(&mut self, path: &str, block: &JointBlock) -> bool {
        let Some(frame) = block.frame else { return false };
        let at = format!("{path}.frame");
        if block.kind != JointType::Spherical {
            self.problem(
                &at,
                "only the rows of spherical joints can be written in two frames",
                "leave it out",
            );
        } else if frame == RowFrame::Body && block.bodies[0] == GROUND {
            self.problem(
                &at,
                format!("the first body of joint '{}' is the ground", block.name),
                "the frame is that of the first body: write bodies = [\"..\", \"ground\"]; reported forces \
                 then act on the ground",
            );
        }
        frame == RowFrame::Body
    }

    /// Reads the names of two different bodies.
    pub(super) fn two_bodies(&mut self, path: &str, names: &[String; 2], model: &Model) -> [String; 2] {
        let bodies =
            self.entries(&format!("{path}.bodies"), names, |e, path, name| e.body_name(path, name, model));
        if bodies[0] == bodies[1] {
            self.problem(
                &format!("{path}.bodies"),
                format!("the joint connects '{}' with itself", bodies[0]),
                "",
            );
        }
        bodies
    }

    /// Checks that both points of a joint coincide, unless the joint may be open at the start.
    fn same_point(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec, model: &Model) {
        let Some(p) = &block.point2 else { return };
        let at = format!("{path}.point2");
        let other = self.point(&at, p, model);
        if block.enabled == Some(false) || self.rough {
            spec.point2 = other;
            return;
        }
        let distance = (other - spec.point).norm();
        if distance > 1e-9 * (1.0 + spec.point.norm()) {
            self.problem(
                &at,
                format!("the points of joint '{}' are {distance:.3e} m apart at t = 0", spec.name),
                "give the same place on both bodies, or let the assembly move them until the joint \
                 closes",
            );
        }
    }

    /// Reads an axis on the second body. Its frame is that of the first body, rotated by the angle between
    /// the axes.
    fn same_axis(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec, model: &Model) {
        let Some(a) = &block.axis2 else { return };
        let at = format!("{path}.axis2");
        let (first, second) = (spec.frame.column(2).into_owned(), self.axis(&at, a, model).normalize());
        let angle = first.cross(&second).norm().atan2(first.dot(&second));
        if !self.rough && angle > 1e-8 {
            self.problem(
                &at,
                format!("the axes of joint '{}' are {angle:.3e} rad apart at t = 0", spec.name),
                "give the same direction on both bodies, or let the assembly turn them until the joint \
                 closes",
            );
            return;
        }
        if let Some(turn) = Rotation3::rotation_between(&first, &second) {
            spec.frame2 = turn.matrix() * spec.frame;
        }
    }

    /// Sets the x axis of a generic joint to the direction of `axis2`.
    fn x_axis(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec, model: &Model) {
        let Some(a) = &block.axis2 else { return };
        let at = format!("{path}.axis2");
        let z = spec.frame.column(2).into_owned();
        let x = self.axis(&at, a, model);
        let x = x - z * z.dot(&x);
        if x.norm() < 1e-6 {
            self.problem(&at, "axis2 is parallel to axis", "give the direction of the x axis of the joint");
            return;
        }
        let x = x.normalize();
        spec.frame = Matrix3::from_columns(&[x, z.cross(&x), z]);
        spec.frame2 = spec.frame;
    }

    /// Reads the axes of a universal joint. a_1 is `axis`, fixed in the first body. b_2 is `axis2`, fixed in
    /// the second body and perpendicular to a_1.
    fn universal(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec, model: &Model) {
        let a1 = spec.frame.column(2).into_owned();
        let b2 = match &block.axis2 {
            Some(a) => self.axis(&format!("{path}.axis2"), a, model),
            None => {
                self.problem(
                    path,
                    format!("universal joint '{}' has no second axis", block.name),
                    "add axis2 = [x, y, z], fixed in the second body and perpendicular to axis",
                );
                return;
            }
        };
        if a1.dot(&b2).abs() > 1e-6 {
            self.problem(
                &format!("{path}.axis2"),
                format!(
                    "the axes of universal joint '{}' are not perpendicular (cosine {:.3e})",
                    block.name,
                    a1.dot(&b2)
                ),
                "",
            );
            return;
        }
        let a2 = (b2 - a1 * a1.dot(&b2)).normalize();
        spec.frame = Matrix3::from_columns(&[a1, a2, a1.cross(&a2)]);
        spec.frame2 = spec.frame;
    }

    fn rigid_distance(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec, model: &Model) {
        match &block.point2 {
            Some(p) => spec.point2 = self.point(&format!("{path}.point2"), p, model),
            None => {
                self.problem(
                    path,
                    format!("rigid distance '{}' has no second point", block.name),
                    "add point2 = [x, y, z]",
                );
                return;
            }
        }
        if (spec.point2 - spec.point).norm() < 1e-9 {
            self.problem(
                &format!("{path}.point2"),
                "the distance is zero",
                "a distance of zero is a spherical joint",
            );
        }
    }

    /// Reads a wheel or a ball that touches its plane at t = 0. The height of its centre is the radius.
    fn rolling(&mut self, path: &str, block: &JointBlock, spec: &mut JointSpec, model: &Model) -> JointKind {
        let nothing = JointKind::Rolling { circle: 0.0, section: 1.0 };
        let Some(p) = &block.point2 else {
            self.problem(
                path,
                format!("rolling joint '{}' has no centre", block.name),
                "add point2 = [x, y, z], the centre of the wheel or ball at t = 0; point is any point of \
                 the plane",
            );
            return nothing;
        };
        spec.point2 = self.point(&format!("{path}.point2"), p, model);
        let normal = spec.frame.column(2).into_owned();
        let height = normal.dot(&(spec.point2 - spec.point));
        if !(height > 0.0) {
            self.problem(
                &format!("{path}.point2"),
                format!("the centre of '{}' is {height} m above its plane", block.name),
                "axis is the normal of the plane on the side of the wheel; the height of the centre gives \
                 the radius",
            );
            return nothing;
        }
        let Some(a) = &block.axis2 else { return JointKind::Rolling { circle: 0.0, section: height } };
        let at = format!("{path}.axis2");
        let own = self.axis(&at, a, model).normalize();
        let upright = own.cross(&normal).norm();
        if upright < 1e-6 {
            self.problem(
                &at,
                format!("the wheel '{}' lies flat", block.name),
                "axis2 is the axis of the wheel",
            );
            return nothing;
        }
        spec.frame2 = frame_along(&own);
        JointKind::Rolling { circle: height / upright, section: 0.0 }
    }

    fn locks(&mut self, path: &str, block: &JointBlock) -> Locks {
        let mut locks = Locks::default();
        let Some(list) = &block.lock else {
            self.problem(
                path,
                format!("generic joint '{}' locks nothing", block.name),
                "add lock = [\"tx\", \"rz\", ...]",
            );
            return locks;
        };
        for (i, name) in list.iter().enumerate() {
            match name.as_str() {
                "tx" => locks.translation[0] = true,
                "ty" => locks.translation[1] = true,
                "tz" => locks.translation[2] = true,
                "rx" => locks.rotation[0] = true,
                "ry" => locks.rotation[1] = true,
                "rz" => locks.rotation[2] = true,
                other => {
                    let e = crate::Error::unknown_name("motion", other, ["tx", "ty", "tz", "rx", "ry", "rz"]);
                    self.problem(&format!("{path}.lock[{i}]"), e.to_string(), "");
                }
            }
        }
        locks
    }
}
