//! Progress of a run: a bar on a terminal, plain lines on request, otherwise nothing.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use precess::study::Sample;

/// Kinds of progress output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Show {
    /// A bar on a terminal, nothing elsewhere.
    #[default]
    Auto,
    /// A bar.
    Bar,
    /// A line every second.
    Plain,
    /// Nothing.
    None,
}

/// Delay before a bar appears: short runs show none.
const BAR_DELAY: Duration = Duration::from_millis(300);

/// Steps of the bar, finer than any terminal is wide.
const BAR_STEPS: u64 = 10_000;

/// Progress display of one run.
pub struct Progress {
    show: Show,
    bar: ProgressBar,
    begin: Instant,
    next: Duration,
    t_0: f64,
    t_end: f64,
    iterations: usize,
}

impl Progress {
    /// A display for this interval of time.
    pub fn new(show: Show, t_0: f64, t_end: f64) -> Self {
        let show = match show {
            Show::Auto if std::io::stderr().is_terminal() => Show::Bar,
            Show::Auto => Show::None,
            other => other,
        };
        let first = if show == Show::Plain { Duration::from_secs(1) } else { BAR_DELAY };
        Progress {
            show,
            bar: ProgressBar::hidden(),
            begin: Instant::now(),
            next: first,
            t_0,
            t_end,
            iterations: 0,
        }
    }

    /// Updates the display after a step.
    pub fn observe(&mut self, sample: &Sample) {
        if self.show == Show::None {
            return;
        }
        self.iterations += sample.report.iterations;
        let elapsed = self.begin.elapsed();
        if elapsed < self.next {
            return;
        }
        let line = self.words(sample.step, sample.state.t, elapsed.as_secs_f64());
        if self.show == Show::Plain {
            self.next = elapsed + Duration::from_secs(1);
            let _ = writeln!(std::io::stderr().lock(), "{line}");
            return;
        }
        if self.bar.is_hidden() {
            self.bar = ProgressBar::with_draw_target(Some(BAR_STEPS), ProgressDrawTarget::stderr());
            if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
                self.bar.set_style(style);
            }
        }
        self.next = elapsed + Duration::from_millis(100);
        self.bar.set_position((self.fraction(sample.state.t) * BAR_STEPS as f64) as u64);
        self.bar.set_message(line);
    }

    fn fraction(&self, t: f64) -> f64 {
        if self.t_end > self.t_0 { ((t - self.t_0) / (self.t_end - self.t_0)).clamp(0.0, 1.0) } else { 1.0 }
    }

    /// Simulated time, rate, Newton iterations, time left.
    fn words(&self, step: usize, t: f64, elapsed: f64) -> String {
        let (done, steps) = (self.fraction(t), step.max(1) as f64);
        let newton = match self.iterations {
            0 => String::new(),
            n => format!(", {:.1} Newton iterations per step", n as f64 / steps),
        };
        let left = if done > 0.0 { short_time(elapsed * (1.0 - done) / done) } else { "?".to_string() };
        format!(
            "t = {t:.4} of {} s ({:.0} %), {:.0} steps/s{newton}, {left} left",
            self.t_end,
            100.0 * done,
            steps / elapsed
        )
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A progress bar for a number of jobs on a terminal, nothing elsewhere.
pub fn jobs(n: usize, what: &str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(n as u64), ProgressDrawTarget::stderr());
    let template = format!("{{wide_bar}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

/// A duration as people write it.
fn short_time(s: f64) -> String {
    let whole = s.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        let mut p = Progress::new(Show::Plain, 0.0, 2.0);
        p.iterations = 300;
        assert_eq!(
            p.words(100, 0.5, 4.0),
            "t = 0.5000 of 2 s (25 %), 25 steps/s, 3.0 Newton iterations per step, 12 s left"
        );
        assert_eq!(
            (short_time(75.0), short_time(7300.0)),
            ("1 min 15 s".to_string(), "2 h 1 min".to_string())
        );
    }
}
