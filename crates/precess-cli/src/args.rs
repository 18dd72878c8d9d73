//! Words that users type.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use crate::analysis_args::{
    Assemble, Campbell, Equilibrium, EquilibriumKind, Kinematics, Modes, ModesAt, Subject,
};
use crate::progress::Show;

/// Simulate constrained mechanical systems with large rotations.
#[derive(Debug, Parser)]
#[command(name = "precess", version, about, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done; 1 the simulation failed, results up to then are written; 2 wrong input; \
    130 stopped by Ctrl-C, results up to then are written."
)]
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
    /// Draw the results of a run.
    Plot(Plot),
    /// See a model or its results move: one page for a browser that works without a network.
    View(Box<View>),
    /// Write a model or its results for other programs: glTF, a film, or frames as PNG.
    Export(Box<Export>),
    /// Write a folder with a page that runs models by itself: an editor, sliders, the mechanism in motion.
    Playground(crate::playground::Args),
    /// Look at a model without running it: degrees of freedom, redundancy, initial values, topology.
    Check(Box<Check>),
    /// Compare methods and step sizes: errors against a reference, observed orders, work against precision.
    Study(Box<Study>),
    /// Run a model with many values of its parameters and settings, on all cores, into one table.
    Sweep(Box<Sweep>),
    /// Close the joints of rough positions: how far each body moves, and which joints cannot be closed.
    Assemble(Box<Assemble>),
    /// Sweep a driven mechanism without dynamics: positions, velocities, accelerations, drive torques, dead points.
    Kinematics(Box<Kinematics>),
    /// Where a mechanism rests, and whether it stays there.
    Equilibrium(Box<Equilibrium>),
    /// How a mechanism vibrates about rest or a steady rotation: frequencies, damping, shapes.
    Modes(Box<Modes>),
    /// Modes over the speed of a rotor, and its critical speeds.
    Campbell(Box<Campbell>),
    /// Measure what the papers state: a table with verdicts, and a report with their figures drawn again.
    Claims(Claims),
    /// Turn a robot description (URDF) into a model file.
    Import(Import),
    /// List the models of a directory.
    Models(Models),
    /// List the integration methods.
    Methods(Methods),
    /// Print the JSON schema of model files, or the reference of their keys.
    Schema {
        /// The reference as Markdown instead.
        #[arg(long)]
        markdown: bool,
    },
    /// Print completions for a shell: bash | zsh | fish | elvish | powershell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page of precess, or of one of its commands.
    Man {
        /// The command.
        command: Option<String>,
    },
}

/// A model file and what of it is replaced on the command line.
#[derive(Debug, Default, clap::Args)]
pub struct Source {
    /// Model file (TOML).
    pub model: PathBuf,
    /// Let the model read tables, meshes and parts outside its own folder.
    #[arg(long)]
    pub allow_outside: bool,
    /// Integration method: auto | gen-alpha | bliedf | rkmk4 | em | em-g | vi-s | vi-a | vi-b | vi-theta | bs99.
    #[arg(long, value_name = "NAME")]
    pub method: Option<String>,
    /// Constraints enforced in a step: index3 | stabilized-index2 | index2 | index1.
    #[arg(long, value_name = "NAME")]
    pub form: Option<String>,
    /// Numerical damping: spectral radius at infinite frequency, 0 to 1.
    #[arg(long, value_name = "RHO", allow_hyphen_values = true)]
    pub rho: Option<String>,
    /// About the error at the end, relative to the size of the model, instead of a step size; 1e-6 if the model says nothing.
    #[arg(long, value_name = "TOL", allow_hyphen_values = true, conflicts_with = "step")]
    pub tol: Option<String>,
    /// Fixed step size in seconds.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Longest step in seconds, with a tolerance.
    #[arg(long, value_name = "H", allow_hyphen_values = true, conflicts_with = "step")]
    pub max_step: Option<String>,
    /// Tolerance of rotations in rad, instead of what follows from --tol.
    #[arg(long, value_name = "TOL", conflicts_with = "step")]
    pub atol_rotation: Option<String>,
    /// Tolerance of positions in m.
    #[arg(long, value_name = "TOL", conflicts_with = "step")]
    pub atol_position: Option<String>,
    /// Tolerance of angular velocities in rad/s.
    #[arg(long, value_name = "TOL", conflicts_with = "step")]
    pub atol_angular_velocity: Option<String>,
    /// Tolerance of velocities in m/s.
    #[arg(long, value_name = "TOL", conflicts_with = "step")]
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

/// Exit codes: 0 done, 1 the simulation failed (results up to then are written), 2 the input is wrong, 130 stopped.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Ctrl-C ends the run after its step and writes what there is; a second one ends the program. With --checkpoint a \
    run that was stopped goes on with --resume.\n\
    Exit codes: 0 done; 1 the simulation failed, results up to then are written; 2 wrong input; \
    130 stopped by Ctrl-C, results up to then are written."
)]
pub struct Run {
    /// What to run.
    #[command(flatten)]
    pub source: Source,
    /// Write the results to FILE: .npz (numpy), .csv or .json.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write every N-th step (10), or one sample per interval of time (0.01s, 10ms).
    #[arg(long, value_name = "N|TIME", allow_hyphen_values = true)]
    pub every: Option<String>,
    /// How far the run is: a bar on a terminal, lines, or nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Show::Auto)]
    pub progress: Show,
    /// Keep the state of the run in FILE: a run that is killed goes on from there with --resume, bit by bit as if it had not
    /// been. FILE is removed when the run is done.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often: so many steps (1000steps) or so much time on the clock (30s, 5min, 2h).
    #[arg(
        long,
        value_name = "N|TIME",
        default_value = "60s",
        requires = "checkpoint",
        allow_hyphen_values = true
    )]
    pub checkpoint_every: String,
    /// Go on from the checkpoint, or from the beginning if there is none.
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Run again with a tenth of the tolerance and print the difference: about the error of the result.
    #[arg(long)]
    pub verify: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// A picture of results.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --sensor, --xy and --path: one page with positions, energy and joint forces; --solver adds what the method \
    did.\nExit codes: 0 done; 2 wrong input."
)]
pub struct Plot {
    /// File written by precess run --out; several are drawn over each other with --sensor.
    #[arg(required = true, value_name = "RESULT")]
    pub results: Vec<PathBuf>,
    /// Quantity over time: a sensor, top.position, top.vx, tip.force, energy, lambda ...; names with commas between them share a
    /// panel, norm:tip.force is the length of a vector.
    #[arg(long, value_name = "NAME")]
    pub sensor: Vec<String>,
    /// One quantity over another: A,B draws B over A.
    #[arg(long, value_name = "A,B")]
    pub xy: Vec<String>,
    /// Path of a body in space.
    #[arg(long, value_name = "BODY")]
    pub path: Vec<String>,
    /// Constraint residuals, Newton iterations and, where they vary, step size and order on the page as well.
    #[arg(long)]
    pub solver: bool,
    /// Panels in a row.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub columns: Option<u32>,
    /// Picture: .svg, .png, or .html (interactive, opens offline). RESULT with .svg if not given.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print where the picture is as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// A mechanism in motion.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "MODEL is a model file, which is run, or a file that precess run --out has written.\n\
    Exit codes: 0 done; 1 the simulation failed, the page shows it up to then; 2 wrong input; 130 stopped by Ctrl-C."
)]
pub struct View {
    /// What to show.
    #[command(flatten)]
    pub source: Source,
    /// Page: .html. The name of the model with .html in this folder if not given.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Another model or file of results, shown as a ghost and as dashed curves; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub compare: Vec<PathBuf>,
    /// Do not open the page. It is opened if the command was started from a terminal.
    #[arg(long)]
    pub no_open: bool,
    /// How far the run is: a bar on a terminal, lines, or nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Show::Auto)]
    pub progress: Show,
    /// Print where the page is as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// A mechanism for other programs.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "MODEL is a model file, which is run, or a file that precess run --out has written.\n\
    .glb needs nothing. Films and frames need chromium (or google-chrome), films also ffmpeg; what is missing is said.\n\
    Exit codes: 0 done; 1 the simulation failed, what there is is written; 2 wrong input; 130 stopped by Ctrl-C."
)]
pub struct Export {
    /// What to write.
    #[command(flatten)]
    pub source: Source,
    /// scene.glb (glTF with its motion), film.mp4, film.gif, or a folder for frames as PNG: frames/.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Frames per second of a film.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=120))]
    pub fps: u32,
    /// Speed of a film: 0.1 is ten times slower than the mechanism; what the page chooses if absent.
    #[arg(long, value_name = "X")]
    pub speed: Option<f64>,
    /// Size of a film in pixels.
    #[arg(long, value_name = "WxH", default_value = "960x600")]
    pub size: String,
    /// How far the run is: a bar on a terminal, lines, or nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Show::Auto)]
    pub progress: Show,
    /// Print what was written as a JSON object.
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

/// Exit codes: 0 done, 1 no reference or no run succeeded, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A method is NAME or NAME:key=value,key=value with the keys of [integrator], for example gen-alpha:sigma=1,rho=0.65;
:rho=0.8 keeps the method of the model, geom1=gen-alpha:sigma=0 gives it a name.
Errors are the largest ones of all steps in the window. q: sqrt of the sum over bodies of |log(R_n^T R)|^2 + |x_n - x|^2;
v: |v_n - v|/|v_n| over angular (body frame) and linear velocities (inertial frame); lambda: |lambda_n - lambda|/|lambda_n|
over the multipliers of the joints, in directors and so3 over their forces and torques; v_n and lambda_n count as at least a tenth of the
largest v and lambda of the reference; sensors: |s_n - s| in their units. They can be compared across formulations.
Exit codes: 0 done; 1 no reference, or all runs failed; 2 wrong input.")]
pub struct Study {
    /// What to study.
    #[command(flatten)]
    pub source: Source,
    /// Methods with options, for example gen-alpha bliedf:k=4 gen-alpha:sigma=1,rho=0.65; the model's own if absent.
    #[arg(long, value_name = "METHOD", num_args = 1..)]
    pub methods: Vec<String>,
    /// Step sizes: 1e-3,5e-4 or 1e-3:1e-5:7 (equal ratios) or 1e-3:1e-5 (halvings); three halvings of the model's if absent.
    #[arg(long, value_name = "LIST")]
    pub steps: Option<String>,
    /// What errors are measured against: fine (two accurate runs, which also check each other), exact (where known), or a
    /// file that run --out has written.
    #[arg(long, value_name = "NAME", default_value = "fine")]
    pub reference: String,
    /// The fine reference has at least N times as many steps as the finest run.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub refine: u32,
    /// Errors in this interval of time only, or at one time; the runs end there.
    #[arg(long, value_name = "FROM:TO")]
    pub window: Option<String>,
    /// Quantities to show: q, v, lambda, names of sensors; all if absent.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub show: Vec<String>,
    /// Measure processor time as well: the shortest of several runs, one after another.
    #[arg(long)]
    pub work: bool,
    /// Number of runs for a measurement of time.
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
What varies is a parameter of the model, a key of [integrator], h or step, until, or any path of the file. Every combination is
run; --random and --lhs choose points instead, of lists and of ranges such as --vary spin=100:200.
--collect takes the name of a sensor, BODY.position (velocity, angular_velocity, rotation), JOINT.force (torque), final values or
with max: or min: in front the extremes of all steps (of vectors: of their length), and energy_drift, energy_final, position_max,
velocity_max, iterations, jacobians, steps, warnings.
A failed run is a row with its error. Every row has the command that repeats it; the table does not depend on the threads.
Exit codes: 0 done; 1 all runs failed; 2 wrong input.")]
pub struct Sweep {
    /// What to run.
    #[command(flatten)]
    pub source: Source,
    /// What varies: spin=100:200:21, h=1e-3,5e-4, k=1e3:1e5:7:log, formulation=r3so3,se3; may be given several times.
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub vary: Vec<String>,
    /// N random points instead of every combination.
    #[arg(long, value_name = "N", conflicts_with = "lhs", group = "chosen")]
    pub random: Option<usize>,
    /// N points of a Latin hypercube: every n-th of each range has one.
    #[arg(long, value_name = "N", group = "chosen")]
    pub lhs: Option<usize>,
    /// Seed of the random points; the same seed gives the same points.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "chosen")]
    pub seed: u64,
    /// What is kept of a run; all sensors, drift of the energy and iterations if absent. May be given several times.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub collect: Vec<String>,
    /// Number of threads; all cores if absent.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Let a cluster of Dask do the runs: the address of its scheduler, tcp://HOST:PORT. Needs the Python package precess with distributed,
    /// here and on the workers.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "jobs")]
    pub dask: Option<String>,
    /// Write the table (.csv, .npz, .json) or a picture (.svg, .png, .html): lines over one parameter, maps over two; may be given
    /// several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 all verdicts are as recorded, 1 one changed, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Papers: LA (Lie algebra approach), VP (velocity projection), BLieDF (k-step BDF), SM (sigma-modified methods), GGL (variational
principle); README and REFERENCES.bib name them in full. A verdict is recorded with every claim: reproduced (the paper gives a number
and we get it within 15 %), consistent (the paper says it in words or a plot, an independent value agrees), corrected, not reproduced,
undetermined (it depends on something the paper does not give). It has changed if the measured number is not the expected one, or no
longer agrees or disagrees with the paper's value as the verdict says. Expected values come from another program written from the
papers alone (prototype), from theory, or are our own.
Exit codes: 0 all verdicts are as recorded; 1 a verdict changed or a figure could not be drawn; 2 wrong input.")]
pub struct Claims {
    /// Only these papers: LA, VP, BLieDF, SM, GGL; may be given several times.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub paper: Vec<String>,
    /// Only claims whose names begin like this, for example VP-drift or GGL-Table2; may be given several times.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub only: Vec<String>,
    /// Only what takes a moment.
    #[arg(long)]
    pub quick: bool,
    /// Draw the figures as well and write report.html, report.md and figures/*.svg to this folder.
    #[arg(short, long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Number of threads; all cores if absent.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub jobs: usize,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The model goes to the output, notes on what was left out go to the standard error.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "What a model file cannot hold is listed on the standard error. Exit codes: 0 done; 2 wrong input."
)]
pub struct Import {
    /// Robot description (URDF), or input file of CalculiX (.inp) with the matrices of a free body beside it (.dof, .sti, .mas).
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
    /// CalculiX: node set that moves as a rigid piece, where joints attach: tip=TIP, or tip=TIP@1,0,0 with its point. The first carries
    /// the frame of the body.
    #[arg(long = "interface", value_name = "NAME=SET", allow_hyphen_values = true)]
    pub interfaces: Vec<String>,
    /// CalculiX: vibrations with all interfaces held, beside the modes that interfaces make when they move.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub modes: usize,
    /// CalculiX: leave out modes above a frequency in Hz.
    #[arg(long, value_name = "HZ")]
    pub up_to: Option<f64>,
    /// CalculiX: keep the nodes of a set, too, after those of the interfaces.
    #[arg(long, value_name = "SET")]
    pub keep: Vec<String>,
    /// Print the model (unless -o writes it) and the notes as one JSON object.
    #[arg(long)]
    pub json: bool,
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
