//! The arguments of the analyses: assemble, kinematics, equilibrium, modes, campbell.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use std::path::PathBuf;

/// A model file, and options that replace its entries, for analyses without time steps.
#[derive(Debug, clap::Args)]
pub struct Subject {
    /// Model file (TOML).
    pub model: PathBuf,
    /// Let the model read tables, meshes and parts outside its own folder.
    #[arg(long)]
    pub allow_outside: bool,
    /// Coordinates of the analysis: r3so3 | se3. The results are the same.
    #[arg(long, value_name = "NAME", default_value = "r3so3")]
    pub formulation: String,
    /// Override any entry of the model file, for example body.top.mass=12.
    #[arg(long = "set", value_name = "PATH=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,
}

/// The same at a time.
#[derive(Debug, clap::Args)]
pub struct SubjectAt {
    /// The model.
    #[command(flatten)]
    pub file: Subject,
    /// Time in seconds at which drives and forces are evaluated.
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_hyphen_values = true, value_parser = seconds)]
    pub time: f64,
}

fn seconds(text: &str) -> Result<f64, String> {
    let t = text.parse().ok().filter(|t: &f64| t.is_finite());
    t.ok_or_else(|| "a finite number of seconds is needed".to_string())
}

/// Exit codes: 0 closed, 1 the joints cannot be closed, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions may be rough: give joints both of their points (point = \"crank.end\", point2 = \"rod.start\") \
and, if needed, both axes. \
Heavy bodies move less than light ones; bodies with --keep do not move. Then velocities are made consistent \
with the joints.
-o writes the model with the positions found as [start.BODY] at its end. The rest of the file stays as it \
is, with comments and \
expressions.
Exit codes: 0 closed; 1 the joints cannot be closed; 2 wrong input.")]
pub struct Assemble {
    /// The model.
    #[command(flatten)]
    pub subject: Subject,
    /// Keep this body where it is; may be given several times.
    #[arg(long, value_name = "BODY")]
    pub keep: Vec<String>,
    /// Make a body heavier or lighter for the search, so that it moves less or more: crank=100; may be given
    /// several times.
    #[arg(long, value_name = "BODY=WEIGHT")]
    pub weight: Vec<String>,
    /// Write the model with the positions found (.toml).
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 done, 1 a dead point cannot be passed or something is not driven, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The drives of the model must prescribe the whole motion; otherwise use precess run. Forces and torques of \
the drives are those that \
the motion needs (inverse dynamics). They act on the second body of the joint. -o writes positions, \
velocities, accelerations, \
joint forces and sensors in the format of results (.npz, .csv, .json), for precess plot and precess view.
Exit codes: 0 done; 1 a dead point cannot be passed or something is not driven; 2 wrong input.")]
pub struct Kinematics {
    /// The model.
    #[command(flatten)]
    pub subject: SubjectAt,
    /// End of the sweep in seconds; run.until of the file if absent.
    #[arg(long, value_name = "T")]
    pub until: Option<f64>,
    /// Number of equal time intervals.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 200,
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
    )]
    pub steps: u32,
    /// Write the sweep: .npz, .csv or .json.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Which equilibrium to find.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum EquilibriumKind {
    /// A stable one, where the mechanism comes to rest.
    Stable,
    /// The nearest one, stable or not.
    Any,
}

/// Exit codes: 0 found, 1 there is none or none was found, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Velocities of the file are set to zero; drives stand still, in their positions at --time. With --vary a \
parameter takes several \
values, and each search starts from the last equilibrium; -o then writes the table (.csv, .json) or draws \
it (.svg, .html, .png). \
Without --vary, -o FILE.toml writes a model that starts at rest there: a copy of the file, with the \
positions as [start.BODY] at its end.
Exit codes: 0 found; 1 there is no equilibrium or none was found; 2 wrong input.")]
pub struct Equilibrium {
    /// The model.
    #[command(flatten)]
    pub subject: SubjectAt,
    /// Which equilibrium to find.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = EquilibriumKind::Stable)]
    pub kind: EquilibriumKind,
    /// A parameter, or any number of the file, and its values: load=0:100:21, body.box.mass=1,2,3.
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub vary: Option<String>,
    /// Write a model that starts at rest there: .toml. With --vary, write the sweep: .csv, .json, .svg, .html
    /// or .png; may be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Write a page (.html) that shows the way to the equilibrium. With --vary, it shows how the equilibrium
    /// moves.
    #[arg(long, value_name = "FILE")]
    pub view: Option<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// The state about which the equations are linearised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ModesAt {
    /// The equilibrium that precess equilibrium finds.
    Equilibrium,
    /// A steady rotation with the velocities of the file; its positions are computed.
    Steady,
    /// Positions and velocities of the file, unchanged.
    Initial,
    /// Positions and velocities at the end of a result or a checkpoint.
    File(PathBuf),
}

impl std::str::FromStr for ModesAt {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "equilibrium" => Ok(ModesAt::Equilibrium),
            "steady" => Ok(ModesAt::Steady),
            "initial" => Ok(ModesAt::Initial),
            file if file.contains(['.', '/', '\\']) => Ok(ModesAt::File(file.into())),
            other => Err(precess::Error::unknown_name(
                "place",
                other,
                ["equilibrium", "steady", "initial", "FILE.chk", "FILE.npz"],
            )
            .to_string()),
        }
    }
}

/// Exit codes: 0 done, 1 there is nothing to linearise about, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Modes of a rotation need a frame in which the coefficients of the equations are constant. fixed: at rest in \
space, for rotors that \
are symmetric about their axis; rotating: turns with the rotor, for symmetric supports; precessing: for \
tops. The frame is checked at \
later times of the motion. If it fails, no modes are printed. floquet needs no frame: it follows small \
deviations through one period \
of any motion that repeats, driven or free, and prints the factors by which they grow or decay.
Exit codes: 0 done; 1 no equilibrium, no steady motion or no frame; 2 wrong input.")]
pub struct Modes {
    /// The model.
    #[command(flatten)]
    pub subject: SubjectAt,
    /// Where to linearise: equilibrium; steady (a rotation with the velocities of the file, or with those
    /// that its drives need); initial (positions and velocities of the file, unchanged); or a file of results
    /// or a checkpoint (precess run --out, --checkpoint) that ends at rest or in steady rotation.
    #[arg(long, value_name = "WHERE", default_value = "equilibrium")]
    pub at: ModesAt,
    /// With --at equilibrium: which equilibrium to find.
    #[arg(long, value_enum, value_name = "KIND", default_value_t = EquilibriumKind::Stable)]
    pub kind: EquilibriumKind,
    /// Number of modes.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 12,
        value_parser = clap::value_parser!(u32).range(1..=100_000),
    )]
    pub n: u32,
    /// The modes nearest to this frequency (50, 50Hz, 3000rpm, 314rad/s) instead of the lowest.
    #[arg(long, value_name = "F")]
    pub near: Option<String>,
    /// Frame of a steady rotation: auto | fixed | rotating | precessing; or floquet (multipliers of one
    /// period, for which no frame is needed).
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub frame: String,
    /// A parameter and its values (load=0:30:7): find between which of them a motion begins to grow, and the
    /// exact value.
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub find_stability_loss: Option<String>,
    /// With --frame floquet: the period in seconds. Default: the period of the fastest body.
    #[arg(long, value_name = "T")]
    pub period: Option<f64>,
    /// Write a page that shows the modes in motion: .html.
    #[arg(long, value_name = "FILE")]
    pub view: Option<PathBuf>,
    /// Write eigenvalues and shapes: .json, .csv, .npz or .mat; may be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Write the linear equations as matrices A, B, C, D: .npz, .mat or .json.
    #[arg(long, value_name = "FILE")]
    pub state_space: Option<PathBuf>,
    /// Draw gain and phase from every input to every output (.svg, .html, .png) or write them (.csv).
    #[arg(long, value_name = "FILE")]
    pub bode: Vec<PathBuf>,
    /// Input: a joint (force or torque along its coordinate), an actuator, FORCE.x, .y, .z, or JOINT.drive
    /// (the acceleration that a drive prescribes); may be given several times.
    #[arg(long, value_name = "NAME")]
    pub input: Vec<String>,
    /// Output: a sensor or one of its components (tip.x); all sensors if absent. May be given several times.
    #[arg(long, value_name = "NAME")]
    pub output: Vec<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 done, 1 there is no steady motion or no frame, 2 the input is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The parameter sets the speed of the rotor in the model file, for example angular_velocity = [\"spin\", 0, \
0]. For every value, \
precess finds the steady rotation, checks its frame, and follows the modes by their shapes. At a critical \
speed of order n, a mode \
has n times the frequency of the rotation.
Exit codes: 0 done; 1 no steady motion or no frame; 2 wrong input.")]
pub struct Campbell {
    /// The model.
    #[command(flatten)]
    pub subject: SubjectAt,
    /// The parameter that sets the speed, and its values: spin=0:3000:61.
    #[arg(long, value_name = "NAME=VALUES", allow_hyphen_values = true)]
    pub vary: String,
    /// Orders of the critical speeds to list (excitations per turn).
    #[arg(long, value_name = "LIST", default_value = "1")]
    pub orders: String,
    /// Frame: auto | fixed | rotating | precessing.
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub frame: String,
    /// Number of modes to print, the slowest at the highest speed; all if absent. Files contain all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub n: Option<u32>,
    /// Highest frequency of the picture in Hz.
    #[arg(long, value_name = "F")]
    pub up_to: Option<f64>,
    /// Write the picture (.svg, .html, .png) or the table (.csv, .json); may be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Exit codes: 0 done, 2 the input is wrong or the rows cannot show the spectrum.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A sine of amplitude A has a peak of height A. Rows at equal times (precess run --every 1ms) are used as they \
are, others are \
interpolated. Rows that are too far apart for the motion are refused: a vibration between rows would show at \
a wrong frequency. With \
--over, the samples are taken at equal angles of a shaft: a vibration with n periods per turn is order n, at \
any speed.
Exit codes: 0 done; 2 wrong input, or rows that are too far apart.")]
pub struct Spectrum {
    /// File written by precess run --out.
    #[arg(value_name = "RESULT")]
    pub results: PathBuf,
    /// Quantity: a sensor, top.x, tip.fz, energy, or a formula such as "a.x - b.x"; of a vector, its length.
    /// May be given several times.
    #[arg(long, value_name = "NAME")]
    pub sensor: Vec<String>,
    /// Angle of a shaft in the results (a sensor of type coordinate): orders instead of frequencies.
    #[arg(long, value_name = "ANGLE")]
    pub over: Option<String>,
    /// Only this interval of time in seconds: 0.5:2, 0.5: or :2.
    #[arg(long, value_name = "FROM:TO", allow_hyphen_values = true)]
    pub interval: Option<String>,
    /// Weights of the samples: hann (general use), flat-top (amplitudes), none (whole periods).
    #[arg(long, value_name = "NAME", default_value = "hann")]
    pub window: String,
    /// A waterfall: the spectra of N overlapping parts of the interval.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub blocks: Option<u32>,
    /// Number of peaks to print.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub peaks: u32,
    /// Highest frequency in Hz, or highest order.
    #[arg(long, value_name = "F")]
    pub up_to: Option<f64>,
    /// Accept rows that are too far apart: fast vibrations then show at wrong frequencies.
    #[arg(long)]
    pub allow_aliasing: bool,
    /// Write the spectrum (.csv, .json) or a picture (.svg, .png, .html); may be given several times.
    #[arg(short, long, value_name = "FILE")]
    pub out: Vec<PathBuf>,
    /// Print one JSON object.
    #[arg(long)]
    pub json: bool,
}
