//! Kernels, joints, forces, coordinates, redundant rows, large models, lanes.

#[path = "../every_element/mod.rs"]
mod every_element;
#[path = "../kernels_util/mod.rs"]
mod kernels_util;
#[path = "../model_util/mod.rs"]
mod model_util;

mod chain;
mod derivatives;
mod drives;
mod dual_numbers;
mod elements_everywhere;
mod forces;
mod formulations;
mod formulations_tangents;
mod joint_coordinates;
mod joint_rows;
mod joints;
mod joints_in_all_coordinates;
mod kernels;
mod kernels_golden;
mod kernels_joints;
mod kernels_solutions;
mod lanes_of_models;
mod large_models;
mod laws;
mod one_matrix;
mod redundant;
mod redundant_forces;
mod side_by_side;
mod velocity_rows;
