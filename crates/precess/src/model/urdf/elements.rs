//! Links and joints of a URDF, read from their XML elements.

use nalgebra::{Isometry3, Matrix3, Quaternion, Translation3, UnitQuaternion, Vector3};

use super::xml::XmlElement;

/// A `link`.
#[derive(Clone, Debug)]
pub struct Link {
    /// Name.
    pub name: String,
    /// Mass and its position.
    pub inertial: Inertial,
}

/// An `inertial`; all zero if there is none.
#[derive(Clone, Debug)]
pub struct Inertial {
    /// Frame in the centre of mass, from the frame of the link.
    pub origin: Isometry3<f64>,
    /// Mass.
    pub mass: f64,
    /// Inertia tensor about the centre of mass, in the axes of `origin`.
    pub inertia: Matrix3<f64>,
}

/// The motion that a joint allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// A hinge with limits.
    Revolute,
    /// A hinge without limits.
    Continuous,
    /// A slide.
    Prismatic,
    /// No motion.
    Fixed,
    /// Every motion.
    Floating,
    /// Motion in a plane.
    Planar,
    /// Every rotation; an extension of some programs.
    Spherical,
}

/// A `joint`.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Name.
    pub name: String,
    /// Type.
    pub joint_type: JointType,
    /// Frame of the child at zero, from the frame of the parent.
    pub origin: Isometry3<f64>,
    /// Name of the parent link.
    pub parent: String,
    /// Name of the child link.
    pub child: String,
    /// Axis in the frame of the child, of any length.
    pub axis: Vector3<f64>,
    /// The joint that this one follows.
    pub mimic: Option<Mimic>,
    /// Viscous damping and dry friction.
    pub dynamics: Option<Dynamics>,
}

/// A `mimic`: the value is `multiplier` times that of the other joint, plus `offset`.
#[derive(Clone, Debug)]
pub struct Mimic {
    /// Name of the other joint.
    pub joint: String,
    /// Factor.
    pub multiplier: f64,
    /// Shift.
    pub offset: f64,
}

/// A `dynamics`.
#[derive(Clone, Copy, Debug)]
pub struct Dynamics {
    /// Viscous damping.
    pub damping: f64,
    /// Dry friction.
    pub friction: f64,
}

/// The first child of this name.
fn child<'a>(e: &'a XmlElement, name: &str) -> Option<&'a XmlElement> {
    e.children.iter().find(|c| c.name == name)
}

fn needed<'a>(e: &'a XmlElement, name: &str) -> Result<&'a XmlElement, String> {
    child(e, name).ok_or_else(|| format!("<{}> has no <{name}>", e.name))
}

fn word(e: &XmlElement, name: &str) -> Result<String, String> {
    e.attribute(name).map(str::to_string).ok_or_else(|| format!("<{}> has no attribute {name}", e.name))
}

/// The numbers of an attribute; the reader has checked that they are numbers.
fn numbers<const N: usize>(e: &XmlElement, name: &str) -> Option<[f64; N]> {
    let words = e.attribute(name)?.split_whitespace();
    words.filter_map(|w| w.parse().ok()).collect::<Vec<f64>>().try_into().ok()
}

fn number(e: &XmlElement, name: &str) -> Result<f64, String> {
    let [x] = numbers(e, name).ok_or_else(|| format!("<{}> has no number {name}", e.name))?;
    Ok(x)
}

/// The `origin` inside an element. Without one, it is the frame itself.
fn origin(e: &XmlElement) -> Result<Isometry3<f64>, String> {
    let Some(origin) = child(e, "origin") else { return Ok(Isometry3::identity()) };
    let position = numbers(origin, "xyz").unwrap_or_default();
    let rotation = match (numbers::<3>(origin, "rpy"), numbers::<4>(origin, "quat_xyzw")) {
        (Some(_), Some(_)) => return Err("<origin> has both rpy and quat_xyzw".to_string()),
        (Some([roll, pitch, yaw]), None) => UnitQuaternion::from_euler_angles(roll, pitch, yaw),
        (None, Some([x, y, z, w])) => UnitQuaternion::try_new(Quaternion::new(w, x, y, z), 1e-12)
            .ok_or("quat_xyzw of <origin> is zero")?,
        (None, None) => UnitQuaternion::identity(),
    };
    Ok(Isometry3::from_parts(Translation3::from(Vector3::from(position)), rotation))
}

impl Link {
    /// Reads a `link`; the error names what is missing.
    pub fn read(e: &XmlElement) -> Result<Link, String> {
        let inertial = match child(e, "inertial") {
            None => Inertial { origin: Isometry3::identity(), mass: 0.0, inertia: Matrix3::zeros() },
            Some(own) => {
                let j = needed(own, "inertia")?;
                let [xx, xy, xz] = [number(j, "ixx")?, number(j, "ixy")?, number(j, "ixz")?];
                let [yy, yz, zz] = [number(j, "iyy")?, number(j, "iyz")?, number(j, "izz")?];
                Inertial {
                    origin: origin(own)?,
                    mass: number(needed(own, "mass")?, "value")?,
                    inertia: Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz),
                }
            }
        };
        Ok(Link { name: word(e, "name")?, inertial })
    }
}

impl Joint {
    /// Reads a `joint`; the error names what is missing.
    pub fn read(e: &XmlElement) -> Result<Joint, String> {
        let mimic = |m: &XmlElement| -> Result<Mimic, String> {
            let [[multiplier], [offset]] =
                [numbers(m, "multiplier").unwrap_or([1.0]), numbers(m, "offset").unwrap_or([0.0])];
            Ok(Mimic { joint: word(m, "joint")?, multiplier, offset })
        };
        let dynamics = |d: &XmlElement| {
            let of = |name| number(d, name).unwrap_or(0.0);
            Dynamics { damping: of("damping"), friction: of("friction") }
        };
        Ok(Joint {
            name: word(e, "name")?,
            joint_type: word(e, "type")?.parse()?,
            origin: origin(e)?,
            parent: word(needed(e, "parent")?, "link")?,
            child: word(needed(e, "child")?, "link")?,
            axis: child(e, "axis").and_then(|a| numbers(a, "xyz")).unwrap_or([1.0, 0.0, 0.0]).into(),
            mimic: child(e, "mimic").map(mimic).transpose()?,
            dynamics: child(e, "dynamics").map(dynamics),
        })
    }
}

impl std::str::FromStr for JointType {
    type Err = String;

    fn from_str(name: &str) -> Result<JointType, String> {
        Ok(match name {
            "revolute" => JointType::Revolute,
            "continuous" => JointType::Continuous,
            "prismatic" => JointType::Prismatic,
            "fixed" => JointType::Fixed,
            "floating" => JointType::Floating,
            "planar" => JointType::Planar,
            "spherical" => JointType::Spherical,
            _ => {
                let known =
                    ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];
                return Err(crate::Error::unknown_name("type", name, known).to_string());
            }
        })
    }
}
