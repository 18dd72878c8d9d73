//! The models of the repository, for the playground.

macro_rules! gallery {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../models/", $name, ".toml")))),*]
    };
}

/// Names and texts, in the order of the names.
pub const MODELS: &[(&str, &str)] = gallery![
    "bicycle",
    "cardan",
    "chain",
    "door",
    "double_pendulum",
    "drop_test",
    "four_bar",
    "four_particles",
    "gate",
    "gimbal_gyroscope",
    "gyroscopic_top",
    "heavy_top",
    "heavy_top_slow",
    "joint_cylindrical",
    "joint_fixed",
    "joint_gear",
    "joint_generic",
    "joint_knife_edge",
    "joint_planar",
    "joint_point_on_line",
    "joint_point_on_plane",
    "joint_prismatic",
    "joint_revolute",
    "joint_rigid_distance",
    "joint_rolling",
    "joint_screw",
    "joint_spherical",
    "joint_universal",
    "parallelograms",
    "pendulum",
    "piston_pump",
    "robot_arm",
    "rotor",
    "slewing_crane",
    "slider_crank",
    "slider_crank_a",
    "spherical_pendulum",
    "squeezer",
    "suspension",
];
