//! Signals: quantities of the motion that a force law reads by name, with their derivatives for positions and
//! velocities.
//!
//! A signal depends on at most two bodies, and only on positions and velocities. Accelerations and joint
//! forces are unknowns of a step themselves, and energies and momenta involve all bodies, so laws do not use
//! them.

use nalgebra::Vector3;
use precess_lie::Number;
use precess_lie::matrix::{unit, zeros};

use super::combine::combine;
use super::coordinate::Coordinate;
use super::event::Switch;
use super::forces::Spring;
use super::kernels::{Measure, Point, Row, Wrench};
use super::links::{Bodies, Change, Link};
use super::system::At;

/// A signal of a law.
#[derive(Clone, Debug)]
pub enum Measured<T = f64> {
    /// A joint coordinate.
    Coordinate(Coordinate<T>),
    /// Its rate.
    Rate(Coordinate<T>),
    /// An inertial component of the position of a point.
    Position {
        /// The body.
        body: usize,
        /// Point in the body frame.
        point: Vector3<T>,
        /// 0, 1 or 2.
        component: usize,
    },
    /// An inertial component of the velocity of a point.
    Velocity {
        /// The body.
        body: usize,
        /// Point in the body frame.
        point: Vector3<T>,
        /// 0, 1 or 2.
        component: usize,
    },
    /// A component of the angular velocity, body frame.
    AngularVelocity {
        /// The body.
        body: usize,
        /// 0, 1 or 2.
        component: usize,
    },
    /// Length of a spring.
    SpringLength(Box<Spring<T>>),
    /// Tension of a spring, zero while it is off.
    SpringForce {
        /// The spring.
        spring: Box<Spring<T>>,
        /// Whether it acts.
        switch: Switch,
    },
}

impl<T: Number> Measured<T> {
    /// The bodies it reads.
    pub fn link(&self) -> Link {
        match self {
            Measured::Coordinate(c) | Measured::Rate(c) => c.link,
            Measured::Position { body, .. }
            | Measured::Velocity { body, .. }
            | Measured::AngularVelocity { body, .. } => Link { a: None, b: Some(*body) },
            Measured::SpringLength(spring) | Measured::SpringForce { spring, .. } => spring.link(),
        }
    }

    /// The value.
    pub fn value(&self, bodies: &Bodies<T>, at: &At<T>) -> T {
        match self {
            Measured::Coordinate(c) => c.position(bodies, at),
            Measured::Rate(c) => c.rate(bodies, at),
            Measured::Position { body, point, component } => {
                bodies.pose(Some(*body), at.q).point(point)[*component]
            }
            Measured::Velocity { body, point, component } => {
                bodies.point_velocity(Some(*body), at, point)[*component]
            }
            Measured::AngularVelocity { body, component } => {
                bodies.motion_of(Some(*body), at).omega[*component]
            }
            Measured::SpringLength(spring) => spring.state(bodies, at)[0],
            Measured::SpringForce { spring, switch } => match switch.is_on(at.memory) {
                true => spring.state(bodies, at)[2],
                false => T::zero(),
            },
        }
    }

    /// The derivatives.
    pub fn change(&self, bodies: &Bodies<T>, at: &At<T>) -> Change<T> {
        let link = self.link();
        let (pair, v) = (bodies.pair(link, at.q), bodies.motion(link, at));
        let zero = Row::zero();
        // The measure points from the body to the ground.
        let minus = |rows: [Row<T>; 3], i: usize| rows[i] * -T::one();
        match self {
            Measured::Coordinate(c) => Change { link, v: zero, q: c.motion.rows(&pair)[0] },
            Measured::Rate(c) => {
                Change { link, v: c.motion.rows(&pair)[0], q: c.motion.y_rows(&pair, &v)[0] }
            }
            Measured::Position { point, component, .. } => {
                let measure = Point::difference(zeros(), *point);
                Change { link, v: zero, q: minus(measure.rows(&pair), *component) }
            }
            Measured::Velocity { point, component, .. } => {
                let measure = Point::difference(zeros(), *point);
                let (rows, turned) = (measure.rows(&pair), measure.y_rows(&pair, &v));
                Change { link, v: minus(rows, *component), q: minus(turned, *component) }
            }
            Measured::AngularVelocity { component, .. } => {
                let b = Wrench { rot: unit(*component, T::one()), ..Wrench::zero() };
                Change { link, v: Row { b, ..zero }, q: zero }
            }
            Measured::SpringLength(spring) => Change { link, v: zero, q: spring.length_rows(&pair, &v).0 },
            Measured::SpringForce { spring, switch } => {
                if !switch.is_on(at.memory) {
                    return Change { link, v: zero, q: zero };
                }
                let (row, turned) = spring.length_rows(&pair, &v);
                let [_, s_y, s_rate] = spring.tension_slopes(bodies, at);
                Change { link, v: row * s_rate, q: row * s_y + turned * s_rate }
            }
        }
    }
}

combine!(
    enum Measured {
        Coordinate(x),
        Rate(x),
        Position { body, point, component },
        Velocity { body, point, component },
        AngularVelocity { body, component },
        SpringLength(x),
        SpringForce { spring, switch },
    }
);
