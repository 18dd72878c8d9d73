//! Attributes that the import does not read: everything that is left out is listed.

use super::super::urdf::xml::XmlElement;
use super::Convert;

/// Attributes of elements that are read, and those that say nothing about the motion of a model file: looks,
/// contacts, and the numerics and softness of constraints.
fn known(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "body" => &["name", "childclass", "pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "user"],
        "inertial" => {
            &["pos", "quat", "axisangle", "euler", "xyaxes", "zaxis", "mass", "diaginertia", "fullinertia"]
        }
        "freejoint" => &["name", "group", "align"],
        "joint" => &[
            "name",
            "class",
            "type",
            "group",
            "pos",
            "axis",
            "limited",
            "range",
            "margin",
            "solreflimit",
            "solimplimit",
            "solreffriction",
            "solimpfriction",
            "stiffness",
            "springref",
            "ref",
            "damping",
            "frictionloss",
            "armature",
            "user",
        ],
        "geom" => &[
            "name",
            "class",
            "type",
            "contype",
            "conaffinity",
            "condim",
            "group",
            "priority",
            "size",
            "material",
            "friction",
            "mass",
            "density",
            "solmix",
            "solref",
            "solimp",
            "margin",
            "gap",
            "fromto",
            "pos",
            "quat",
            "axisangle",
            "euler",
            "xyaxes",
            "zaxis",
            "rgba",
            "mesh",
            "hfield",
            "fitscale",
            "user",
        ],
        "motor" | "position" | "velocity" => &[
            "name",
            "class",
            "group",
            "joint",
            "gear",
            "ctrlrange",
            "forcerange",
            "ctrllimited",
            "forcelimited",
            "kp",
            "kv",
            "user",
        ],
        "general" => &[
            "name",
            "class",
            "group",
            "joint",
            "gear",
            "ctrlrange",
            "forcerange",
            "ctrllimited",
            "forcelimited",
            "dyntype",
            "gaintype",
            "biastype",
            "gainprm",
            "biasprm",
            "user",
        ],
        "option" => &[
            "gravity",
            "timestep",
            "integrator",
            "cone",
            "jacobian",
            "solver",
            "iterations",
            "tolerance",
            "ls_iterations",
            "ls_tolerance",
            "noslip_iterations",
            "noslip_tolerance",
            "ccd_iterations",
            "ccd_tolerance",
            "sdf_iterations",
            "sdf_initpoints",
            "impratio",
            "apirate",
            "o_margin",
            "o_solref",
            "o_solimp",
            "o_friction",
            "actuatorgroupdisable",
            "magnetic",
        ],
        "compiler" => &[
            "angle",
            "eulerseq",
            "coordinate",
            "autolimits",
            "meshdir",
            "texturedir",
            "assetdir",
            "strippath",
            "discardvisual",
            "convexhull",
            "usethread",
            "inertiafromgeom",
            "exactmeshinertia",
            "alignfree",
        ],
        _ => return None,
    })
}

impl Convert<'_> {
    /// Lists the attributes that are not read, here and in all elements inside.
    pub(super) fn unread(&mut self, e: &XmlElement, owner: &str) {
        let owner = e.attribute("name").unwrap_or(owner).to_string();
        if let Some(known) = known(&e.name) {
            for (name, _) in e.attributes.iter().filter(|(name, _)| !known.contains(&name.as_str())) {
                self.ignore(&format!("attribute {name} of <{}>", e.name), &owner);
            }
        }
        for child in &e.children {
            self.unread(child, &owner);
        }
    }
}
