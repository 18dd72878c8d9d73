//! Times natively what a page does: `native-speed MODEL.toml ..` prints a line of JSON per model with its steps and the shortest time
//! of the runs of two seconds, in microseconds per step.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use precess_wasm::{Wish, run};

fn main() -> ExitCode {
    for file in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&file) {
            Ok(text) => text,
            Err(e) => {
                eprintln!("{file}: {e}");
                return ExitCode::from(2);
            }
        };
        let begin = Instant::now();
        let (mut best, mut steps) = (Duration::MAX, 0.0);
        for k in 0.. {
            let begin_run = Instant::now();
            let (header, _) = run(&file, &text, &[], Wish::End, &mut |_| {});
            best = best.min(begin_run.elapsed());
            steps = header["end"]["steps"].as_f64().unwrap_or(f64::NAN);
            if k > 0 && begin.elapsed() > Duration::from_secs(2) {
                break;
            }
        }
        println!(
            "{}",
            serde_json::json!({ "model": file, "steps": steps, "us": best.as_secs_f64() * 1e6 / steps })
        );
    }
    ExitCode::SUCCESS
}
