//! Progress of a run: a bar on a terminal, plain lines on request, otherwise nothing.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};

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

/// Time between two changes of a bar.
const BAR_PAUSE: Duration = Duration::from_millis(100);

/// Width of a bar in columns.
const BAR_WIDTH: usize = 20;

/// A bar that is full at 1, and words behind it.
fn bar(done: f64, words: &str) -> String {
    let full = ((done * BAR_WIDTH as f64) as usize).min(BAR_WIDTH);
    format!("{}{} {words}", "█".repeat(full), "░".repeat(BAR_WIDTH - full))
}

/// Replaces the last line of the terminal.
fn replace_line(line: &str) {
    // The terminal cuts off what is wider than itself. Not every console of Windows can be told so.
    let text = match cfg!(windows) {
        true => format!("\r{line:<79.79}\r"),
        false => format!("\r\x1b[K\x1b[?7l{line}\x1b[?7h"),
    };
    let mut terminal = std::io::stderr().lock();
    let _ = terminal.write_all(text.as_bytes()).and_then(|()| terminal.flush());
}

/// Progress display of one run.
pub struct Progress {
    show: Show,
    /// There is a bar to remove.
    is_drawn: bool,
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
            Show::Auto | Show::Bar if std::io::stderr().is_terminal() => Show::Bar,
            Show::Auto | Show::Bar => Show::None,
            other => other,
        };
        let first = if show == Show::Plain { Duration::from_secs(1) } else { BAR_DELAY };
        Progress { show, is_drawn: false, begin: Instant::now(), next: first, t_0, t_end, iterations: 0 }
    }

    /// Updates the display after a step.
    pub fn see(&mut self, sample: &Sample) {
        if self.show == Show::None {
            return;
        }
        self.iterations += sample.report.iterations;
        let elapsed = self.begin.elapsed();
        if elapsed < self.next {
            return;
        }
        let said = self.words(sample.step, sample.state.t, elapsed.as_secs_f64());
        if self.show == Show::Plain {
            self.next = elapsed + Duration::from_secs(1);
            let _ = writeln!(std::io::stderr().lock(), "{said}");
            return;
        }
        self.next = elapsed + BAR_PAUSE;
        self.is_drawn = true;
        replace_line(&bar(self.fraction(sample.state.t), &said));
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
        if self.is_drawn {
            replace_line("");
        }
    }
}

/// A progress bar for a number of jobs on a terminal, nothing elsewhere.
pub struct Jobs<'a> {
    is_shown: bool,
    n: usize,
    what: &'a str,
    begin: Instant,
    /// Finished jobs, and the time from which on the bar is drawn again.
    state: Mutex<(usize, Duration)>,
}

impl<'a> Jobs<'a> {
    /// A bar for so many jobs of this name.
    pub fn new(n: usize, what: &'a str) -> Self {
        let is_shown = std::io::stderr().is_terminal();
        Jobs { is_shown, n, what, begin: Instant::now(), state: Mutex::new((0, Duration::ZERO)) }
    }

    /// One more is finished.
    pub fn tick(&self) {
        let Ok(mut state) = self.state.lock() else { return };
        state.0 += 1;
        let elapsed = self.begin.elapsed();
        if self.is_shown && elapsed >= state.1 {
            state.1 = elapsed + BAR_PAUSE;
            replace_line(&bar(state.0 as f64 / self.n as f64, &self.words(state.0, elapsed.as_secs_f64())));
        }
    }

    fn words(&self, done: usize, elapsed: f64) -> String {
        let left = short_time(elapsed * self.n.saturating_sub(done) as f64 / done as f64);
        format!("{done}/{} {}, {:.1}/s, {left} left", self.n, self.what, done as f64 / elapsed)
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if self.is_shown {
            replace_line("");
        }
    }
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
        assert_eq!(Jobs::new(40, "runs").words(10, 5.0), "10/40 runs, 2.0/s, 15 s left");
    }

    #[test]
    fn bars_are_equally_wide() {
        for done in [0.0, 0.49, 1.0, 1.01] {
            assert_eq!(bar(done, "x").chars().count(), BAR_WIDTH + 2);
        }
        assert!(
            bar(0.5, "").starts_with(&"█".repeat(BAR_WIDTH / 2)) && !bar(0.5, "").contains("███████████")
        );
    }
}
