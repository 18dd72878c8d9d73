//! Assembly, kinematics, equilibrium, modes.

#[path = "../analyses_util/mod.rs"]
mod analyses_util;

mod agreement;
mod assembly;
mod beams;
mod equilibrium;
mod far;
mod kinematics;
mod large;
mod modes;
mod periodic_motions;
mod random;
mod reduce;
mod rolling;
mod soft;
