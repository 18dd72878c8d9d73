//! Methods with fixed steps: orders, levels, starting values, Newton's method, allocation.

#[path = "../common/mod.rs"]
mod common;
#[path = "../counting/mod.rs"]
mod counting;
#[path = "../model_util/mod.rs"]
mod model_util;

mod allocation;
mod analysis;
mod bliedf;
mod bliedf_models;
mod dense;
mod expressions;
mod expressions_names;
mod heavy_top;
mod newton;
mod options;
mod own_integrator;
mod own_system;
mod projection;
mod remark_2_3;
mod remark_2_3_forces;
mod remark_2_3_friction;
mod sigma;
mod sigma_ffrf;
mod sigma_model;
mod sigma_rotor;
mod sigma_warning;
mod small_steps;
mod starting;
mod step_bits;
mod step_gradients;
mod step_recording;
mod tangents;
