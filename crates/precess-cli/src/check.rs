//! `precess check`: reports on a model before it runs, as text and as JSON.

use precess::study::check::check as look;
use precess::study::check_report::{json, text};

use crate::args;
use crate::output::{Stop, message, print};
use crate::run::read;

/// Joints with a larger gap (m, rad) are open; smaller gaps are rounding.
const OPEN_GAP: f64 = 1e-8;

/// Checks a model.
pub fn check(args: &args::Check) -> Result<(), Stop> {
    let loaded = read(&args.source, &[])?;
    let mut result = look(&loaded.model, &loaded.settings);
    result.warnings.splice(0..0, loaded.notices.iter().cloned());
    if args.json {
        print(&format!("{:#}\n", json(&loaded.settings, &result)));
    } else {
        crate::output::report(&text(&loaded.settings, &result));
    }
    if result.joints.iter().any(|j| j.position > OPEN_GAP || j.angle > OPEN_GAP) && !loaded.settings.assemble
    {
        message(&format!(
            "help: joints are open; precess assemble {} -o new.toml closes them and says how far bodies \
             move, and assemble = true in [run] does it \
             before every run",
            args.source.model.display()
        ));
    }
    if result.is_runnable() {
        return Ok(());
    }
    for problem in &result.problems {
        message(&format!("error: {problem}"));
    }
    Err(Stop { code: 2, message: String::new() })
}
