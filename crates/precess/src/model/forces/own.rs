//! User-defined forces in Rust: between two points, on a body, or any element. If a part is moved, the points
//! of a force move with it. Functions and elements do not: the program has to place them.

use super::*;
pub use crate::mechanics::forces::own::OwnElement;
use crate::mechanics::forces::own::{PointForceLaw, PointLaw};
use crate::mechanics::forces::own_body::{BodyForceLaw, BodyLaw, ForceAndTorque, PointMotion};

/// A user-defined force between two points, see [`ForceSpec::between`].
#[derive(Clone, Debug, PartialEq)]
pub struct Own {
    /// The bodies.
    pub bodies: [String; 2],
    /// The points at t = 0.
    pub points: [Vector3<f64>; 2],
    /// Force on the second body.
    pub law: PointLaw,
}

/// A user-defined force and torque on a body, see [`ForceSpec::on_body`].
#[derive(Clone, Debug, PartialEq)]
pub struct OnBody {
    /// Body.
    pub body: String,
    /// Point of application at t = 0.
    pub point: Vector3<f64>,
    /// Force and torque as a function of the motion of the point.
    pub law: BodyLaw,
}

impl ForceSpec {
    /// A user-defined force between points of two bodies: `f(t, x, x')` is the force on the second point,
    /// with its position relative to the first one and the rate of that, in the inertial frame. The first
    /// body gets the opposite force.
    pub fn between(
        name: &str,
        bodies: [&str; 2],
        points: [[f64; 3]; 2],
        f: impl Fn(f64, Vector3<f64>, Vector3<f64>) -> Vector3<f64> + Send + Sync + 'static,
    ) -> Self {
        let (bodies, points) = (bodies.map(str::to_string), points.map(Vector3::from));
        ForceSpec::new(name, Own { bodies, points, law: PointLaw::new(f) })
    }

    /// A user-defined force and torque at a point of a body: `f` gets the motion of the point and the body,
    /// in the inertial frame.
    ///
    /// ```
    /// use precess::prelude::*;
    ///
    /// // Wind on a pendulum.
    /// let wind = Force::on_body("wind", "rod", [1.0, 0.0, 0.0], |m| {
    ///     [-0.3 * m.v.norm() * m.v, Default::default()]
    /// });
    /// let model = Model::new("pendulum")
    ///     .gravity([0.0, 0.0, -9.81])
    ///     .body(Body::bar("rod", [0.0; 3], [1.0, 0.0, 0.0], 2.0, 0.02))
    ///     .joint(Joint::revolute("hinge", [GROUND, "rod"], [0.0; 3], Y))
    ///     .force(wind);
    /// let mut simulation = Simulation::new(model)?;
    /// let before = simulation.energy();
    /// simulation.advance_to(1.0)?;
    /// assert!(simulation.energy() < before);
    /// # Ok::<(), precess::Error>(())
    /// ```
    pub fn on_body(
        name: &str,
        body: &str,
        point: [f64; 3],
        f: impl Fn(&PointMotion) -> ForceAndTorque + Send + Sync + 'static,
    ) -> Self {
        let (body, point) = (body.to_string(), Vector3::from(point));
        ForceSpec::new(name, OnBody { body, point, law: BodyLaw::new(f) })
    }
}

impl ForceModel for Own {
    fn build(&self, _: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let ([a, b], link) = names.pair(&self.bodies)?;
        let points = [point_of(a, &self.points[0]), point_of(b, &self.points[1])];
        Ok(Force::Custom(Arc::new(PointForceLaw { link, points, law: self.law.clone() })))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let points = self.points.each_ref().map(|p| to.point(p));
        Own { bodies: to.pair(&self.bodies), points, law: self.law.clone() }.into()
    }
}

impl ForceModel for OnBody {
    fn build(&self, name: String, names: &Names, _: &mut Multibody) -> Result<Force, Error> {
        let found = names.find(&self.body)?;
        let Some((body, _)) = found else {
            let message = format!("the force '{name}' acts on the ground; name a body that moves");
            return Err(Error::Input { message });
        };
        let point = point_of(found, &self.point);
        Ok(Force::Custom(Arc::new(BodyForceLaw { body, point, law: self.law.clone() })))
    }

    fn moved(&self, to: &Placement) -> ForceKind {
        let (body, point) = (to.body_name(&self.body), to.point(&self.point));
        OnBody { body, point, law: self.law.clone() }.into()
    }
}

impl ForceModel for OwnElement {
    fn build(&self, _: String, _: &Names, _: &mut Multibody) -> Result<Force, Error> {
        Ok(Force::Custom(self.0.clone()))
    }

    fn moved(&self, _: &Placement) -> ForceKind {
        self.clone().into()
    }
}
