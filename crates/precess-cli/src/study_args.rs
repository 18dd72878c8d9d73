//! The arguments of the commands with many runs: studies and sweeps.

use std::path::PathBuf;

use crate::args::Source;

/// Exit codes: 0 done, 1 no reference or no run succeeded, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A method is NAME or NAME:key=value,key=value with the keys of [integrator], for example \
gen-alpha:sigma=1,rho=0.65;
:rho=0.8 keeps the method of the model, geom1=gen-alpha:sigma=0 gives it a name.
Errors are the largest of all steps in the window. q: sqrt of the sum over bodies of |log(R_n^T R)|^2 + \
|x_n - x|^2;
v: |v_n - v|/|v_n| over angular (body frame) and linear velocities (inertial frame); lambda: |lambda_n - \
lambda|/|lambda_n|
over the multipliers of the joints, in directors and so3 over their forces and torques; v_n and lambda_n \
count as at least a tenth of the
largest v and lambda of the reference; sensors: |s_n - s| in their units. They can be compared across \
formulations.
Exit codes: 0 done; 1 no reference, or all runs failed; 2 wrong input.")]
pub struct Study {
    /// The model.
    #[command(flatten)]
    pub source: Source,
    /// Methods with options, for example gen-alpha bliedf:k=4 gen-alpha:sigma=1,rho=0.65; default: the method
    /// of the model.
    #[arg(long, value_name = "METHOD", num_args = 1..)]
    pub methods: Vec<String>,
    /// Step sizes: 1e-3,5e-4 or 1e-3:1e-5:7 (equal ratios) or 1e-3:1e-5 (halvings). Default: three halvings
    /// of the step of the model.
    #[arg(long, value_name = "LIST")]
    pub steps: Option<String>,
    /// Reference for the errors: fine (two accurate runs, which also check each other), exact (where known),
    /// or a file written by run --out.
    #[arg(long, value_name = "NAME", default_value = "fine")]
    pub reference: String,
    /// Steps of the fine reference: at least N times as many as in the finest run.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(1..=1000),
    )]
    pub refine: u32,
    /// Measure errors only in this interval of time, or at one time; the runs end there.
    #[arg(long, value_name = "FROM:TO")]
    pub window: Option<String>,
    /// Quantities to show: q, v, lambda, names of sensors; all if absent.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub show: Vec<String>,
    /// Measure processor time as well: the shortest of several runs, one after another.
    #[arg(long)]
    pub work: bool,
    /// Number of runs per time measurement.
    #[arg(long, value_name = "N", default_value_t = 3, requires = "work",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeats: u32,
    /// Number of threads; all cores if absent.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Write the table (.csv, .json) or the picture (.svg, .png, .html); may be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 done, 1 all runs failed, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
--vary takes a parameter of the model, a key of [integrator], h or step, until, or any path of the file. A \
sweep runs every
combination; with --random and --lhs it runs points from lists and from ranges such as --vary spin=100:200.
--collect takes the name of a sensor, BODY.position (velocity, angular_velocity, rotation), JOINT.force \
(torque), a component of these such as JOINT.force.z, and energy_drift,
energy_final, position_max, velocity_max, iterations, jacobians, steps, warnings. A name gives the value at \
the end; with max: or
min: in front it gives the extreme over all steps, with p2p: the difference of both, with mean: the mean over
time and with rms: the root of the mean square (for vectors, of their length). Extremes may lie between two
steps; means follow the trapezoidal rule over the steps.
A failed run is a row with its error. Every row has the command that repeats it. The table does not depend \
on the number of threads.
Exit codes: 0 done; 1 all runs failed; 2 wrong input; 130 stopped by Ctrl-C, SIGTERM or SIGHUP: the finished \
rows are written, the others are marked.")]
pub struct Sweep {
    /// The model.
    #[command(flatten)]
    pub source: Source,
    /// Name and values of a varied parameter: spin=100:200:21, h=1e-3,5e-4, k=1e3:1e5:7:log,
    /// formulation=r3so3,se3; may be given several times.
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// N random points instead of every combination.
    #[arg(long, value_name = "N", conflicts_with = "lhs", group = "chosen")]
    pub random: Option<usize>,
    /// N points of a Latin hypercube: each range is divided into N equal parts, and each part has one point.
    #[arg(long, value_name = "N", group = "chosen")]
    pub lhs: Option<usize>,
    /// Seed of the random points; the same seed gives the same points.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "chosen")]
    pub seed: u64,
    /// Quantities to keep of each run. Default: all sensors, the energy drift and iterations. May be given
    /// several times.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub collect: Vec<String>,
    /// Number of threads; all cores if absent.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Make the runs on a Dask cluster: the address of its scheduler, tcp://HOST:PORT. Needs the Python
    /// packages precess and distributed, here and on the workers.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "jobs")]
    pub dask: Option<String>,
    /// Write the table (.csv, .npz, .json) or a picture (.svg, .png, .html): lines over one parameter, maps
    /// over two; may be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Write finished rows to FILE once a minute and when the sweep is stopped. It is removed after the
    /// sweep.
    #[arg(long, value_name = "FILE", conflicts_with = "dask")]
    pub checkpoint: Option<PathBuf>,
    /// Continue with the rows of the checkpoint, if there is one.
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}
