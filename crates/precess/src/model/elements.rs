//! Gears, forces, controls and sensors of a model as plain data, with names instead of indices.

use nalgebra::{Matrix3, Matrix6, Vector3};

use super::condition::Condition;
use super::expressed::{ExpressedSpec, MeasuredSpec};
use super::forces::TypedForce;
pub use crate::mechanics::Direction;
pub use crate::mechanics::controls::{Controller, Lag, Pid};
use crate::mechanics::forces::BeamData;
pub use crate::mechanics::forces::ForceFrame;
pub use crate::mechanics::forces::limit::Stops;
pub use crate::mechanics::forces::own::{OwnElement, PointLaw};
pub use crate::mechanics::forces::own_body::{BodyLaw, ForceAndTorque, PointMotion};
pub use crate::mechanics::forces::spring::Characteristic;
pub use crate::mechanics::forces::table::Tables;
use crate::mechanics::function::Function;
use crate::mechanics::kernels::SpringDamper;
pub use crate::mechanics::sensors::SensorFrame;

/// One of the coordinates of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Of {
    /// The only one; the angle of a cylindrical joint.
    #[default]
    Default,
    /// The angle about the axis.
    Angle,
    /// The displacement along the axis.
    Displacement,
}

/// A joint by name, with one of its coordinates.
#[derive(Clone, Debug, PartialEq)]
pub struct At {
    /// Name of the joint.
    pub joint: String,
    /// Which coordinate.
    pub of: Of,
}

impl From<&str> for At {
    fn from(joint: &str) -> Self {
        At { joint: joint.to_string(), of: Of::Default }
    }
}

/// The coordinates of two joints keep the sum x_1 + ratio x_2.
#[derive(Clone, Debug, PartialEq)]
pub struct GearSpec {
    /// Unique name.
    pub name: String,
    /// The joints.
    pub joints: [At; 2],
    /// The ratio n.
    pub ratio: f64,
}

impl GearSpec {
    /// x_1 + ratio x_2 = const.
    pub fn new(name: &str, joints: [&str; 2], ratio: f64) -> Self {
        GearSpec { name: name.to_string(), joints: joints.map(At::from), ratio }
    }
}

/// A named force.
#[derive(Clone, Debug, PartialEq)]
pub struct ForceSpec {
    /// Unique name.
    pub name: String,
    /// What it is.
    pub kind: ForceKind,
}

/// Kinds of forces. Points and directions are those of the inertial frame at t = 0.
#[derive(Clone, Debug, PartialEq)]
pub enum ForceKind {
    /// Force at a point of a body.
    Force {
        /// Body.
        body: String,
        /// Where it acts at t = 0.
        point: Vector3<f64>,
        /// Components, functions of time.
        force: [Function; 3],
        /// Frame of the components.
        frame: ForceFrame,
    },
    /// Torque on a body.
    Torque {
        /// Body.
        body: String,
        /// Components, functions of time.
        torque: [Function; 3],
        /// Frame of the components.
        frame: ForceFrame,
    },
    /// Spring and damper between two points.
    Spring {
        /// The bodies.
        bodies: [String; 2],
        /// The points at t = 0.
        points: [Vector3<f64>; 2],
        /// Tension over length.
        characteristic: Characteristic,
    },
    /// Elastic bearing, undeformed at t = 0.
    Bushing {
        /// The bodies.
        bodies: [String; 2],
        /// Its place at t = 0.
        point: Vector3<f64>,
        /// Its axes at t = 0 as columns, fixed in the first body.
        frame: Matrix3<f64>,
        /// Stiffness, translations before rotations.
        stiffness: Box<Matrix6<f64>>,
        /// Damping.
        damping: Box<Matrix6<f64>>,
    },
    /// Spring and damper of a joint coordinate.
    JointSpring {
        /// Joint.
        at: At,
        /// Its law.
        law: SpringDamper,
    },
    /// Friction in a joint.
    Friction {
        /// Joint: revolute, prismatic or cylindrical; any with a coordinate if there is only viscous
        /// friction.
        at: At,
        /// Its parameters.
        data: FrictionSpec,
    },
    /// Quadratic drag at a point.
    Drag {
        /// Body.
        body: String,
        /// Where it acts at t = 0.
        point: Vector3<f64>,
        /// c in N s^2/m^2.
        coefficient: f64,
        /// Velocity of the medium.
        wind: Vector3<f64>,
    },
    /// A force of a type that is a file in [`forces`](super::forces): a torsion spring, a plate in a flow.
    Typed(TypedForce),
    /// A force of one's own between two points, see [`ForceSpec::between`].
    Own {
        /// The bodies.
        bodies: [String; 2],
        /// The points at t = 0.
        points: [Vector3<f64>; 2],
        /// Force on the second body.
        law: PointLaw,
    },
    /// An element of a beam between two nodes, see [`BeamSpec`](super::beam::BeamSpec). Without stress where
    /// the bodies are placed.
    Beam {
        /// The nodes.
        bodies: [String; 2],
        /// Section, mass and damping.
        data: std::sync::Arc<BeamData>,
    },
    /// A force and torque of one's own on a body, see [`ForceSpec::on_body`].
    OnBody {
        /// Body.
        body: String,
        /// Where it acts at t = 0.
        point: Vector3<f64>,
        /// Force and torque over the motion of the point.
        law: BodyLaw,
    },
    /// Any force that implements [`Element`](crate::mechanics::forces::Element); bodies are numbered in the
    /// order of the model.
    Custom(OwnElement),
    /// A potential of measured quantities.
    Potential {
        /// V in J.
        expression: ExpressedSpec,
    },
    /// A force along a measured quantity that reads more than it.
    Load {
        /// What it pushes.
        driven: MeasuredSpec,
        /// u in N or N m.
        expression: ExpressedSpec,
    },
    /// A force law that reads sensors and joint coordinates by name.
    Law {
        /// What it acts on.
        target: LawTarget,
        /// What it reads: sensors and their components.
        signals: Vec<(SensorKind, usize)>,
        /// One function for a joint, three for a body.
        functions: Vec<Function>,
    },
    /// Stops of a joint coordinate.
    Limit {
        /// Joint.
        at: At,
        /// Limits, stiffness, damping and width.
        stops: Stops,
    },
    /// Spring of a joint coordinate by a table.
    JointTable {
        /// Joint.
        at: At,
        /// Effort over coordinate.
        table: Tables,
        /// Damping.
        damping: f64,
    },
    /// Force or torque along a joint coordinate.
    Actuator {
        /// Joint.
        at: At,
        /// u(t, x, v).
        value: Function,
    },
}

/// What a force law acts on.
#[derive(Clone, Debug, PartialEq)]
pub enum LawTarget {
    /// A joint coordinate.
    Joint(At),
    /// A point of a body.
    Point {
        /// Body.
        body: String,
        /// Where it acts at t = 0.
        point: Vector3<f64>,
        /// Frame of the components.
        frame: ForceFrame,
    },
    /// A body, by a torque.
    Torque {
        /// Body.
        body: String,
        /// Frame of the components.
        frame: ForceFrame,
    },
}

/// Parameters of joint friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrictionSpec {
    /// Coefficient of the rate, N m s/rad or N s/m.
    pub viscous: f64,
    /// Coulomb coefficient mu; zero for viscous friction only.
    pub coefficient: f64,
    /// Bearing radius in m; not used by prismatic joints.
    pub radius: f64,
    /// Bearing length in m: a bending moment loads the bearing by moment over this length.
    pub bearing_length: f64,
    /// Speed of the coordinate (of sliding in cylindrical joints) below which friction fades.
    pub speed: f64,
    /// Dry friction that does not depend on the load of the joint, N m or N.
    pub constant: f64,
}

impl ForceSpec {
    /// Any force.
    pub fn new(name: &str, kind: ForceKind) -> Self {
        ForceSpec { name: name.to_string(), kind }
    }

    /// A force of one's own between points of two bodies: `f(t, x, x')` is the force on the second point,
    /// with its place relative to the first one and the rate of that, in the inertial frame. The first body
    /// gets the opposite force.
    pub fn between(
        name: &str,
        bodies: [&str; 2],
        points: [[f64; 3]; 2],
        f: impl Fn(f64, Vector3<f64>, Vector3<f64>) -> Vector3<f64> + Send + Sync + 'static,
    ) -> Self {
        let kind = ForceKind::Own {
            bodies: bodies.map(str::to_string),
            points: points.map(Vector3::from),
            law: PointLaw::new(f),
        };
        ForceSpec::new(name, kind)
    }

    /// A force of one's own at a point of a body, and a torque: `f` is told what the point and the body do,
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
        ForceSpec::new(name, ForceKind::OnBody { body, point, law: BodyLaw::new(f) })
    }

    /// A linear spring and damper between points of two bodies.
    pub fn spring(
        name: &str,
        bodies: [&str; 2],
        points: [[f64; 3]; 2],
        stiffness: f64,
        damping: f64,
        free_length: f64,
    ) -> Self {
        let law = SpringDamper { k: stiffness, c: damping, y0: free_length, f0: 0.0 };
        Self::new(
            name,
            ForceKind::Spring {
                bodies: bodies.map(str::to_string),
                points: points.map(Vector3::from),
                characteristic: Characteristic::Linear(law),
            },
        )
    }

    /// A torque or force u(t, x, v) at a joint.
    pub fn actuator(name: &str, joint: &str, value: Function) -> Self {
        Self::new(name, ForceKind::Actuator { at: joint.into(), value })
    }
}

/// A named control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlSpec {
    /// Unique name.
    pub name: String,
    /// What is measured.
    pub at: At,
    /// What is driven; the measured joint if absent.
    pub on: Option<At>,
    /// What is computed.
    pub controller: Controller,
}

/// A named sensor.
#[derive(Clone, Debug, PartialEq)]
pub struct SensorSpec {
    /// Unique name.
    pub name: String,
    /// What it measures.
    pub kind: SensorKind,
}

/// What a sensor measures.
#[derive(Clone, Debug, PartialEq)]
pub enum SensorKind {
    /// Position of a point of a body, given at t = 0.
    Position(String, Vector3<f64>),
    /// Its velocity.
    Velocity(String, Vector3<f64>),
    /// Its acceleration.
    Acceleration(String, Vector3<f64>),
    /// Angular velocity of a body in its own frame.
    AngularVelocity(String),
    /// Joint coordinate.
    Coordinate(At),
    /// Its rate.
    Rate(At),
    /// Force of a joint on its second body.
    ReactionForce(String, SensorFrame),
    /// Torque of a joint on its second body.
    ReactionTorque(String, SensorFrame),
    /// Length of a spring.
    SpringLength(String),
    /// Tension of a spring.
    SpringForce(String),
    /// Output of a control.
    ControlOutput(String),
    /// Force in a beam element along the axes of its section, by the name of the element.
    SectionForce(String),
    /// Moment in a beam element about the axes of its section.
    SectionMoment(String),
    /// Strain energy of a beam.
    StrainEnergy(String),
    /// A first-order state.
    State(String),
    /// An algebraic variable.
    Algebraic(String),
    /// Kinetic energy.
    KineticEnergy,
    /// Potential energy.
    PotentialEnergy,
    /// Their sum.
    TotalEnergy,
    /// Linear momentum.
    LinearMomentum,
    /// Angular momentum about the origin.
    AngularMomentum,
}

impl SensorSpec {
    /// Any sensor.
    pub fn new(name: &str, kind: SensorKind) -> Self {
        SensorSpec { name: name.to_string(), kind }
    }
}

/// An element that events turn on and off.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Switchable {
    /// A force by name.
    Force(String),
    /// A control by name; it holds its states while it is off.
    Control(String),
    /// A joint by name; its multipliers are zero while it is off.
    Joint(String),
    /// The drive of a joint by the name of the joint; it goes on from the coordinate it finds when it is
    /// turned on.
    Drive(String),
}

impl Switchable {
    /// What it is, in a word.
    pub fn kind(&self) -> &'static str {
        match self {
            Switchable::Force(_) => "force",
            Switchable::Control(_) => "control",
            Switchable::Joint(_) => "joint",
            Switchable::Drive(_) => "drive",
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        match self {
            Switchable::Force(name)
            | Switchable::Control(name)
            | Switchable::Joint(name)
            | Switchable::Drive(name) => name,
        }
    }
}

/// What an event does.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum EventAction {
    /// Time and state are noted.
    #[default]
    Record,
    /// The run ends.
    Stop,
    /// Elements are turned on and off.
    Switch {
        /// On.
        enable: Vec<Switchable>,
        /// Off.
        disable: Vec<Switchable>,
    },
}

/// A zero crossing of a function of sensors and t that means something.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSpec {
    /// Unique name.
    pub name: String,
    /// The function.
    pub when: Condition,
    /// Which crossings count.
    pub direction: Direction,
    /// What happens.
    pub action: EventAction,
}

impl EventSpec {
    /// Any event.
    pub fn new(name: &str, when: Condition, direction: Direction, action: EventAction) -> Self {
        EventSpec { name: name.to_string(), when, direction, action }
    }
}
