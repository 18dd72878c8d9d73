//! Kernels, joints, forces, coordinates, redundant rows, large models, lanes.

#[path = "../kernels_util/mod.rs"]
mod kernels_util;
#[path = "../model_util/mod.rs"]
mod model_util;

mod chain;
mod derivatives;
mod drives;
mod elements_everywhere;
mod forces;
mod formulations;
mod formulations_tangents;
mod joint_rows;
mod joints;
mod joints_in_all_coordinates;
mod kernels;
mod kernels_golden;
mod kernels_joints;
mod large_models;
mod redundant;
mod redundant_forces;
mod side_by_side;
mod velocity_rows;
