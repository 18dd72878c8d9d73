//! Times natively what a page does: `native-speed [--seconds S] MODEL.toml ..` prints a line of JSON per model with its steps and the
//! shortest time of the runs of two seconds (or S), in microseconds per step.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use precess_wasm::{Wish, run};

fn main() -> ExitCode {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut seconds = 2.0;
    if files.first().is_some_and(|a| a == "--seconds") {
        match files.get(1).and_then(|s| s.parse::<f64>().ok()).filter(|s| *s >= 0.0 && s.is_finite()) {
            Some(s) => seconds = s,
            None => {
                eprintln!("--seconds needs a number that is not negative");
                return ExitCode::from(2);
            }
        }
        files.drain(..2);
    }
    for file in files {
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
            if k > 0 && begin.elapsed().as_secs_f64() > seconds {
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
