//! Measures the statements of the papers and prints them as a Markdown table.
//!
//! `cargo run --release --example claims` for all, `... claims quick` without the longer runs, `... claims LA-Fig` for
//! the claims whose ids start so.

use precess::study::claims::{all, check, markdown};

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let outcomes = check(all().filter(|c| c.id.starts_with(&wanted) || wanted == "quick" && c.quick));
    print!("{}", markdown(&outcomes));
    let failed = outcomes.iter().filter(|o| !o.holds).count();
    eprintln!("{} claims, {failed} failed", outcomes.len());
    if failed > 0 {
        std::process::exit(1);
    }
}
