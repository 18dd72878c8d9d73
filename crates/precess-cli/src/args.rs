//! The arguments of the command line.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use precess::formulation::Formulation;
use precess::integrate::Form;
use precess::methods::{AUTOMATIC, METHODS};

pub use crate::analysis_args::{
    Assemble, Campbell, Equilibrium, EquilibriumKind, Kinematics, Modes, ModesAt, Subject, SubjectAt,
};
use crate::progress::Show;
pub use crate::study_args::{Study, Sweep};

/// Simulate constrained mechanical systems with large rotations.
#[derive(Debug, Parser)]
#[command(name = "precess", version, about, arg_required_else_help = true)]
#[command(
    after_help = "Exit codes: 0 done; 1 the simulation failed, results up to then are written; 2 wrong \
                  input; \
    130 stopped by Ctrl-C, results up to then are written."
)]
pub struct Args {
    /// The command.
    #[command(subcommand)]
    pub command: Command,
}

/// All commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Integrate a model and print a summary.
    Run(Box<Run>),
    /// Draw the results of a run.
    Plot(Plot),
    /// Find the frequencies of a quantity of results, or its orders over the turns of a shaft.
    Spectrum(Box<crate::analysis_args::Spectrum>),
    /// Show a model or its results in motion: writes one page for the browser, which needs no network.
    View(Box<View>),
    /// Export the motion of a model to other programs: glTF, a film, or frames as PNG.
    Export(Box<Export>),
    /// Write a web page that runs models in the browser: an editor, sliders, the mechanism in motion.
    Playground(crate::playground::Args),
    /// Check a model without running it: degrees of freedom, redundancy, initial values, topology.
    Check(Box<Check>),
    /// Compare methods and step sizes: errors against a reference, observed orders, work against precision.
    Study(Box<Study>),
    /// Run a model with many values of its parameters and settings, on all cores, and collect one table.
    Sweep(Box<Sweep>),
    /// Move bodies from rough positions until their joints close, and list joints that cannot be closed.
    Assemble(Box<Assemble>),
    /// Move the drives of a mechanism without dynamics: positions, velocities, accelerations, drive torques,
    /// dead points.
    Kinematics(Box<Kinematics>),
    /// Find where a mechanism rests, and whether this equilibrium is stable.
    Equilibrium(Box<Equilibrium>),
    /// Find how a mechanism vibrates about rest or a steady rotation: frequencies, damping, shapes.
    Modes(Box<Modes>),
    /// Find the modes of a rotor over its speed, and its critical speeds.
    Campbell(Box<Campbell>),
    /// Repeat the measurements of the papers: prints a table with verdicts, and writes a report with their
    /// figures.
    Claims(Claims),
    /// Turn a robot description (URDF) into a model file.
    Import(Import),
    /// List the models of a directory.
    Models(Models),
    /// List the integration methods.
    Methods(Methods),
    /// Print the JSON schema of model files, or the reference of their keys.
    Schema {
        /// Print the reference of all keys as Markdown instead.
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

/// Help for an option with one of these values.
fn one_of(what: &str, names: impl IntoIterator<Item = &'static str>) -> String {
    format!("{what}: {}", names.into_iter().collect::<Vec<_>>().join(" | "))
}

fn methods() -> String {
    one_of("Integration method", std::iter::once(AUTOMATIC).chain(METHODS.iter().map(|m| m.name)))
}

/// A model file, and options that replace its entries.
#[derive(Debug, Default, clap::Args)]
pub struct Source {
    /// Model file (TOML). `view` and `export` also take the results of a run.
    pub model: PathBuf,
    /// Let the model read tables, meshes and parts outside its own folder.
    #[arg(long)]
    pub allow_outside: bool,
    /// Integration method.
    #[arg(long, value_name = "NAME", help = methods())]
    pub method: Option<String>,
    /// Constraints enforced in a step.
    #[arg(long, value_name = "NAME", help = one_of("Constraints enforced in a step", Form::NAMES))]
    pub form: Option<String>,
    /// Numerical damping: spectral radius at infinite frequency, 0 to 1.
    #[arg(long, value_name = "RHO", allow_hyphen_values = true)]
    pub rho: Option<String>,
    /// Tolerance, instead of a step size: the error aimed at, relative to the size of the model; the error
    /// at the end is a multiple of it that grows with the length of the run, and --verify estimates it;
    /// default 1e-6.
    #[arg(long, value_name = "TOL", allow_hyphen_values = true, conflicts_with = "step")]
    pub tol: Option<String>,
    /// Fixed step size in seconds.
    #[arg(long, value_name = "H", allow_hyphen_values = true)]
    pub step: Option<String>,
    /// Longest step in seconds, for runs with a tolerance.
    #[arg(long, value_name = "H", allow_hyphen_values = true, conflicts_with = "step")]
    pub max_step: Option<String>,
    /// Tolerance of rotations in rad, in place of the one that follows from --tol.
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
    /// Coordinates.
    #[arg(long, value_name = "NAME", help = one_of("Coordinates", Formulation::NAMES))]
    pub formulation: Option<String>,
    /// Override any entry of the model file, for example integrator.start=table2 or body.top.mass=12.
    #[arg(long = "set", value_name = "PATH=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
    /// Project inconsistent initial values onto the constraints.
    #[arg(long)]
    pub fix_initial: bool,
}

/// Exit codes: 0 done, 1 the simulation failed (results up to then are written), 2 the input is wrong, 130
/// stopped.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Ctrl-C ends the run after the current step and writes the results so far; a second Ctrl-C \
                  ends the program. With \
    --checkpoint, a stopped run continues with --resume.\n\
    Exit codes: 0 done; 1 the simulation failed, results up to then are written; 2 wrong input; \
    130 stopped by Ctrl-C, results up to then are written."
)]
pub struct Run {
    /// The model.
    #[command(flatten)]
    pub source: Source,
    /// Write the results to FILE: .npz (numpy), .csv or .json.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write only these columns, and the time: top.position,tip.force.z,energy. Without this, all are
    /// written.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Write units in the first line of a .csv: tip.force.x [N].
    #[arg(long)]
    pub units: bool,
    /// Write every N-th step (10), or one sample per interval of time (0.01s, 10ms).
    #[arg(long, value_name = "N|TIME", allow_hyphen_values = true)]
    pub every: Option<String>,
    /// Show progress: a bar on a terminal, lines, or nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Show::Auto)]
    pub progress: Show,
    /// Save the state of the run in FILE. A run that was killed continues from there with --resume, with the
    /// same bits as an uninterrupted run. FILE is removed when the run is done.
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often to write the checkpoint: a number of steps (1000steps) or a time on the clock (30s, 5min,
    /// 2h).
    #[arg(
        long,
        value_name = "N|TIME",
        default_value = "60s",
        requires = "checkpoint",
        allow_hyphen_values = true
    )]
    pub checkpoint_every: String,
    /// Continue from the checkpoint, or start from the beginning if there is none.
    #[arg(long, requires = "checkpoint")]
    pub resume: bool,
    /// Begin where another run ended: FILE of its results (.npz, .csv, .json), or its checkpoint. Bodies,
    /// states and controls are matched by their names; time begins at zero.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    pub start_from: Option<PathBuf>,
    /// Run again with a tenth of the tolerance and print the difference, which is about the error of the
    /// result. An error of 1000 tolerances or of the size of the motion ends with exit code 1.
    #[arg(long)]
    pub verify: bool,
    /// Print the summary as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Draws results.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Without --sensor, --xy and --path: one page with positions, energy and joint forces; \
                  --solver adds residuals and \
    iterations.\nExit codes: 0 done; 2 wrong input."
)]
pub struct Plot {
    /// File written by precess run --out. Several files are drawn over each other with --sensor.
    #[arg(required = true, value_name = "RESULT")]
    pub results: Vec<PathBuf>,
    /// Quantity over time: a sensor, top.position, top.vx, tip.force, energy, lambda ...; names separated by
    /// commas share a panel; norm:tip.force is the length of a vector.
    #[arg(long, value_name = "NAME")]
    pub sensor: Vec<String>,
    /// One quantity over another: A,B draws B over A.
    #[arg(long, value_name = "A,B")]
    pub xy: Vec<String>,
    /// Path of a body in space.
    #[arg(long, value_name = "BODY")]
    pub path: Vec<String>,
    /// Also draw constraint residuals, Newton iterations and, if they vary, step size and order.
    #[arg(long)]
    pub solver: bool,
    /// Panels in a row.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=8))]
    pub columns: Option<u32>,
    /// Picture: .svg, .png, or .html (interactive, opens offline). RESULT with .svg if not given.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print the location of the picture as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Shows a mechanism in motion.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "MODEL is a model file, which precess runs, or a file that precess run --out has written.\n\
    Exit codes: 0 done; 1 the simulation failed, the page shows the results so far; 2 wrong input; 130 \
    stopped by Ctrl-C."
)]
pub struct View {
    /// The model or results.
    #[command(flatten)]
    pub source: Source,
    /// Page to write (.html). Default: the file name of the model with .html, in this folder.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Another model or file of results, shown as a ghost and as dashed curves; may be given several times.
    #[arg(long, value_name = "FILE")]
    pub compare: Vec<PathBuf>,
    /// Do not open the page. It is opened if the command was started from a terminal.
    #[arg(long)]
    pub no_open: bool,
    /// Show progress: a bar on a terminal, lines, or nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Show::Auto)]
    pub progress: Show,
    /// Print the location of the page as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exports a mechanism to other programs.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "MODEL is a model file, which precess runs, or a file that precess run --out has written.\n\
    .glb needs no other program. Films and frames need chromium (or google-chrome). Films also need ffmpeg.\n\
    Exit codes: 0 done; 1 the simulation failed, the results so far are written; 2 wrong input; 130 stopped \
    by Ctrl-C."
)]
pub struct Export {
    /// The model or results.
    #[command(flatten)]
    pub source: Source,
    /// scene.glb (glTF with its motion), film.mp4, film.gif, or a folder for frames as PNG: frames/.
    #[arg(short, long, value_name = "FILE")]
    pub out: PathBuf,
    /// Frames per second of a film.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 30,
        value_parser = clap::value_parser!(u32).range(1..=120),
    )]
    pub fps: u32,
    /// Speed of a film: 0.1 is ten times slower than the mechanism. Default: the speed that the page chooses.
    #[arg(long, value_name = "X")]
    pub speed: Option<f64>,
    /// Size of a film in pixels.
    #[arg(long, value_name = "WxH", default_value = "960x600")]
    pub size: String,
    /// Show progress: a bar on a terminal, lines, or nothing.
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Show::Auto)]
    pub progress: Show,
    /// Print the location of the output as a JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 the model can run, 2 it cannot.
#[derive(Debug, clap::Args)]
#[command(after_help = "Exit codes: 0 the model can run; 2 it cannot, or the file is wrong.")]
pub struct Check {
    /// The model.
    #[command(flatten)]
    pub source: Source,
    /// Print the result as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 all verdicts are as recorded, 1 one changed, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Papers: LA (Lie algebra approach), VP (velocity projection), BLieDF (k-step BDF), SM (sigma-modified \
methods), GGL (variational
principle); README and REFERENCES.bib name them in full. A verdict is recorded with every claim: reproduced \
(the paper gives a number
and we get it within 15 %), consistent (the paper has only words or a bound, and our measurement agrees), \
corrected, not reproduced,
undetermined (it depends on something the paper does not give, or the paper has it in a plot only), beyond \
the paper (the paper does not state \
it). A verdict has changed
if the measured number is not the expected one, or if its agreement with the paper's value is no longer \
what the verdict says. Expected
values come from second programs, written from the papers alone, from theory, or from the paper itself; \
none is our own. Recorded counts have none.
Exit codes: 0 all verdicts are as recorded; 1 a verdict changed or a figure could not be drawn; 2 wrong \
input.")]
pub struct Claims {
    /// Only these papers: LA, VP, BLieDF, SM, GGL; may be given several times.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub paper: Vec<String>,
    /// Only the claim NAME, or claims whose names begin with NAME, for example VP-drift or GGL-Table2; may be
    /// given several times.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub only: Vec<String>,
    /// Only the claims that are measured quickly.
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

/// Prints the model to the standard output, and a note for everything left out to the standard error.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Everything that a model file cannot express is listed on the standard error. Exit codes: \
                  0 done; 2 wrong input."
)]
pub struct Import {
    /// Robot description (URDF, or MJCF: .xml of MuJoCo), or input file of CalculiX (.inp) with the matrices
    /// of a free body beside it (.dof, .sti, .mas).
    pub robot: PathBuf,
    /// Write the model to FILE instead of the standard output.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Let the root link move freely instead of fixing it to the ground.
    #[arg(long)]
    pub floating_base: bool,
    /// Join links that are fixed to each other into one body.
    #[arg(long)]
    pub merge_fixed: bool,
    /// Initial value of a joint in rad or m, for example elbow=0.3 or "elbow=30 deg"; the others are zero.
    #[arg(long = "joint", value_name = "NAME=VALUE", allow_hyphen_values = true)]
    pub joints: Vec<String>,
    /// CalculiX: node set that moves as a rigid piece, where joints attach: tip=TIP, or tip=TIP@1,0,0 with
    /// its point. The first carries the frame of the body.
    #[arg(long = "interface", value_name = "NAME=SET", allow_hyphen_values = true)]
    pub interfaces: Vec<String>,
    /// CalculiX: number of vibration modes with all interfaces held. The modes of moving interfaces come in
    /// addition.
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub modes: usize,
    /// CalculiX: leave out modes above a frequency in Hz.
    #[arg(long, value_name = "HZ")]
    pub up_to: Option<f64>,
    /// CalculiX: also keep the nodes of a set, after those of the interfaces.
    #[arg(long, value_name = "SET")]
    pub keep: Vec<String>,
    /// Print the model (unless -o writes it) and the notes as one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Lists models with their first line.
#[derive(Debug, clap::Args)]
pub struct Models {
    /// Directory with model files.
    #[arg(default_value = "models")]
    pub directory: PathBuf,
    /// Print a JSON array.
    #[arg(long)]
    pub json: bool,
}

/// Lists the methods.
#[derive(Debug, clap::Args)]
pub struct Methods {
    /// Print a JSON array.
    #[arg(long)]
    pub json: bool,
}

impl Source {
    /// All options as overrides of the model file. `--set` comes last and wins.
    pub fn overrides(&self) -> Vec<String> {
        let mut list = Vec::new();
        let mut add = |path: &str, value: Option<String>| {
            list.extend(value.map(|v| format!("{path}={v}")));
        };
        add("integrator.method", self.method.clone());
        add("integrator.form", self.form.clone());
        add("integrator.rho", self.rho.clone());
        add("integrator.formulation", self.formulation.clone());
        // A step replaces a tolerance, and a tolerance replaces a step.
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
