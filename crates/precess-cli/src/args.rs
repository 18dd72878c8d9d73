//! Words that users type.

use std::path::PathBuf;

use clap::{Parser, Subcommand};

/// Simulate constrained mechanical systems with large rotations.
#[derive(Debug, Parser)]
#[command(name = "precess", version, about, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What precess can do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Integrate a model and print a summary.
    Run(Box<Run>),
    /// Look at a model without running it: degrees of freedom, redundancy, initial values, topology.
    Check(Box<Check>),
    /// Turn a robot description (URDF) into a model file.
    Import(Import),
    /// List the models of a directory.
    Models(Models),
    /// List the integration methods.
    Methods(Methods),
    /// Print the JSON schema of model files.
    Schema,
}

/// A model file and what of it is replaced on the command line.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// Model file (TOML).
    pub model: PathBuf,
    /// Integration method: auto | gen-alpha | bliedf | rkmk4 | em | em-g | vi-s | vi-a | vi-b | vi-theta | bs99.
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Constraints enforced in a step: index3 | stabilized-index2 | index2 | index1.
    #[arg(long, value_name = "NAME")]
    pub form: Option<String>,
    /// Numerical damping: spectral radius at infinite frequency, 0 to 1.
    #[arg(long, value_name = "RHO", allow_hyphen_values = true)]
    pub rho: Option<String>,
    /// Tolerance per step instead of a step size, relative to the size of the model; 1e-6 if the model says nothing.
    #[arg(long, value_name = "TOL", allow_hyphen_values = true, conflicts_with = "step")]
    pub tol: Option<String>,
    /// Fixed step size in seconds.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Longest step in seconds, with a tolerance.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub max_step: Option<String>,
    /// Tolerance of rotations in rad, instead of what follows from --tol.
    #[arg(long, value_name = "TOL")]
    pub atol_rotation: Option<String>,
    /// Tolerance of positions in m.
    #[arg(long, value_name = "TOL")]
    pub atol_position: Option<String>,
    /// Tolerance of angular velocities in rad/s.
    #[arg(long, value_name = "TOL")]
    pub atol_angular_velocity: Option<String>,
    /// Tolerance of velocities in m/s.
    #[arg(long, value_name = "TOL")]
    pub atol_velocity: Option<String>,
    /// End of the simulation in seconds.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    pub until: Option<String>,
    /// Coordinates: r3so3 | se3 | so3 | euler-parameters | tait-bryan | directors.
    #[arg(long, value_name = "NAME")]
    pub formulation: Option<String>,
    /// Override any entry of the model file, for example integrator.start=table2 or body.top.mass=12.
    #[arg(long = "set", value_name = "PATH=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Project inconsistent initial values onto the constraints.
    #[arg(long)]
    pub fix_initial: bool,
}

/// Exit codes: 0 done, 1 the simulation failed (results up to then are written), 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 done; 1 the simulation failed, results up to then are written; 2 wrong input."
)]
pub struct Run {
    /// What to run.
    #[command(flatten)]
    pub source: Source,
    /// Write the time history to FILE (.csv or .json).
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write every N-th step to the time history.
    #[arg(long, value_name = "N")]
    pub every: Option<u32>,
    /// Run again with a tenth of the tolerance and print the difference: about the error of the result.
    #[arg(long)]
    pub verify: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 the model can run, 2 it cannot.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 the model can run; 2 it cannot, or the file is wrong.")]
pub struct Check {
    /// What to look at.
    #[command(flatten)]
    pub source: Source,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The model goes to the output, notes on what was left out go to the standard error.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What a model file cannot hold is listed on the standard error. Exit codes: 0 done; 2 wrong input."
)]
pub struct Import {
    /// Robot description (URDF).
    pub robot: PathBuf,
    /// Write the model to FILE instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Let the root link move freely instead of fixing it to the ground.
    #[arg(long)]
    pub floating_base: bool,
    /// Make one body of links that are fixed to each other.
    #[arg(long)]
    pub merge_fixed: bool,
    /// Initial value of a joint in rad or m, for example elbow=0.3 or "elbow=30 deg"; the others are zero.
    #[arg(long = "joint", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub joints: Vec<String>,
}

/// Models and their first line.
#[derive(Debug, clap::Args)]
pub struct Models {
    /// Directory to look in.
    #[arg(default_value = "models")]
    pub directory: PathBuf,
    /// Print a JSON array.
    #[arg(long)]
    pub json: bool,
}

/// The catalogue of methods.
#[derive(Debug, clap::Args)]
pub struct Methods {
    /// Print a JSON array.
    #[arg(long)]
    pub json: bool,
}

impl Source {
    /// All options as overrides of the model file; `--set` comes last and wins.
    pub fn overrides(&self) -> Vec<String> {
        let mut list = Vec::new();
        let mut add = |path: &str, value: Option<String>| {
            list.extend(value.map(|v| format!("{path}={v}")));
        };
        add("integrator.method", self.method.clone());
        add("integrator.form", self.form.clone());
        add("integrator.rho", self.rho.clone());
        add("integrator.formulation", self.formulation.clone());
        // A step replaces a tolerance and the other way round.
        add("integrator.tol", self.tol.clone().or_else(|| self.step.as_ref().map(|_| "off".to_string())));
        add("run.step", self.step.clone().or_else(|| self.tol.as_ref().map(|_| "off".to_string())));
        add("run.max_step", self.max_step.clone());
        add("integrator.atol_rotation", self.atol_rotation.clone());
        add("integrator.atol_position", self.atol_position.clone());
        add("integrator.atol_angular_velocity", self.atol_angular_velocity.clone());
        add("integrator.atol_velocity", self.atol_velocity.clone());
        add("run.until", self.until.clone());
        add("run.fix_initial", self.fix_initial.then(|| "true".to_string()));
        list.extend(self.set.iter().cloned());
        list
    }
}
