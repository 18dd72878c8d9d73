//! Draws the joints and forces of the book: `cargo run --release -p precess --example sketches [FOLDER]`.
//!
//! Grey is the first body, blue the second, orange what it may do, red what acts on it. Lines are projected
//! isometrically with z up, and drawn from back to front as they are written down.

mod forces;
mod joints;
mod pen;

/// File names and contents.
pub fn files() -> Vec<(String, String)> {
    let all = joints::sketches().into_iter().chain(forces::sketches());
    all.map(|(name, sketch)| (format!("{name}.svg"), sketch.svg())).collect()
}

fn main() -> std::io::Result<()> {
    let folder = std::env::args().nth(1).unwrap_or_else(|| "book/pictures/elements".to_string());
    std::fs::create_dir_all(&folder)?;
    for (name, svg) in files() {
        std::fs::write(format!("{folder}/{name}"), svg)?;
    }
    Ok(())
}
