//! The time history of a run as CSV or JSON. Written beside the final name and renamed when complete.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use precess::mechanics::multibody::Mechanism;
use precess::study::{Sample, diagnostics};

enum Format {
    Csv,
    Json,
}

/// A name as a CSV field: in quotes if it has a comma or quotes.
fn csv_name(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_string()
    }
}

/// Collects samples of every n-th step.
pub struct History {
    file: PathBuf,
    part: PathBuf,
    out: BufWriter<File>,
    format: Format,
    every: usize,
    line: String,
    columns: Vec<String>,
    rows: usize,
    error: Option<std::io::Error>,
}

impl History {
    /// Opens the file before the run, so that an unwritable place is known before the work is done.
    pub fn create(file: PathBuf, every: usize) -> Result<Self, String> {
        let format = match file.extension().and_then(|e| e.to_str()) {
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            _ => {
                return Err(format!(
                    "{}: unknown kind of output file\n  help: use .csv or .json",
                    file.display()
                ));
            }
        };
        let mut part = file.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let out = File::create(&part).map_err(|e| {
            format!("cannot write {}: {e}\n  help: choose a file you may write (--out)", file.display())
        })?;
        Ok(History {
            file,
            part,
            out: BufWriter::new(out),
            format,
            every,
            line: String::new(),
            columns: Vec::new(),
            rows: 0,
            error: None,
        })
    }

    /// Takes a sample.
    pub fn record(&mut self, system: &dyn Mechanism, sample: &Sample) {
        if !sample.step.is_multiple_of(self.every) || self.error.is_some() {
            return;
        }
        let at = sample.state.at();
        let mut values = vec![at.t];
        let bodies = system.bodies(&at);
        let joints = system.reactions(&at);
        for b in &bodies {
            values.extend_from_slice(b.position.as_slice());
            values.extend_from_slice(&b.rotation);
            values.extend_from_slice(b.velocity.as_slice());
            values.extend_from_slice(b.angular_velocity.as_slice());
        }
        for j in &joints {
            values.extend_from_slice(j.force.as_slice());
            values.extend_from_slice(j.torque.as_slice());
        }
        let sensors = system.sensors(&at);
        sensors.iter().for_each(|(_, x)| values.extend_from_slice(x));
        let diagnostics = diagnostics(sample);
        diagnostics.iter().for_each(|d| values.extend_from_slice(&d.values));
        if self.columns.is_empty() {
            self.columns.push("t".to_string());
            for b in &bodies {
                let parts = ["x", "y", "z", "qw", "qx", "qy", "qz", "vx", "vy", "vz", "wx", "wy", "wz"];
                self.columns.extend(parts.iter().map(|p| format!("{}.{p}", b.name)));
            }
            for j in &joints {
                let parts = ["fx", "fy", "fz", "mx", "my", "mz"];
                self.columns.extend(parts.iter().map(|p| format!("{}.{p}", j.name)));
            }
            for (name, x) in &sensors {
                match x.len() {
                    1 => self.columns.push(name.clone()),
                    _ => self.columns.extend(["x", "y", "z"].iter().map(|p| format!("{name}.{p}"))),
                }
            }
            self.columns.extend(diagnostics.iter().flat_map(|d| d.columns()));
            self.header();
        }
        self.line.clear();
        let (open, close) = match self.format {
            Format::Csv => ("", ""),
            Format::Json => (if self.rows == 0 { "\n    [" } else { ",\n    [" }, "]"),
        };
        self.line.push_str(open);
        for (i, x) in values.iter().enumerate() {
            if i > 0 {
                self.line.push(',');
            }
            // The shortest text that reads back as the same number; JSON has no NaN.
            let _ = match (x.is_finite(), &self.format) {
                (false, Format::Json) => write!(self.line, "null"),
                _ => write!(self.line, "{x:e}"),
            };
        }
        self.line.push_str(close);
        if matches!(self.format, Format::Csv) {
            self.line.push('\n');
        }
        self.rows += 1;
        self.flush_line();
    }

    fn header(&mut self) {
        self.line.clear();
        match self.format {
            Format::Csv => {
                let quoted: Vec<String> = self.columns.iter().map(|c| csv_name(c)).collect();
                self.line = quoted.join(",");
                self.line.push('\n');
            }
            Format::Json => {
                let names: Vec<String> =
                    self.columns.iter().map(|c| serde_json::Value::from(c.as_str()).to_string()).collect();
                self.line = format!("{{\n  \"columns\": [{}],\n  \"rows\": [", names.join(", "));
            }
        }
        self.flush_line();
    }

    fn flush_line(&mut self) {
        if let Err(e) = self.out.write_all(self.line.as_bytes()) {
            self.error = Some(e);
        }
    }

    /// Leaves no file.
    pub fn discard(self) {
        let _ = std::fs::remove_file(&self.part);
    }

    /// Completes the file and gives it its name.
    pub fn finish(mut self) -> Result<String, String> {
        let name = self.file.display().to_string();
        let result = match self.error.take() {
            Some(e) => Err(e),
            None => {
                let end = if matches!(self.format, Format::Json) { "\n  ]\n}\n" } else { "" };
                self.out
                    .write_all(end.as_bytes())
                    .and_then(|()| self.out.flush())
                    .and_then(|()| std::fs::rename(&self.part, &self.file))
            }
        };
        result
            .map(|()| name.clone())
            .map_err(|e| format!("cannot write {name}: {e}\n  help: choose another place (--out)"))
    }
}
