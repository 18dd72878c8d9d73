//! Convergence test of an iteration.
//!
//! Corrections are numbers: their sizes in units of round-off, of a tolerance, or of the allowed residual.
//! With the rate Theta at which they shrink, the remaining error is Theta/(1 - Theta) times the last one, so
//! no iteration is needed to confirm convergence. If corrections stop shrinking at the level of rounding
//! errors, the iteration has converged as well as possible.

/// Criteria of convergence.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConvergenceRule {
    /// Use the mean rate over all corrections so far, not the rate of the last two.
    pub mean: bool,
    /// A first correction is an upper bound of the remaining error; otherwise it says nothing about it.
    pub first_counts: bool,
    /// Largest rate that counts as convergence.
    pub slow: f64,
    /// Largest factor by which a correction may exceed the one before.
    pub growth: f64,
    /// Corrections that do not converge are rounding errors if they are below this size
    pub noise: f64,
    /// and come after more corrections than this.
    pub patience: usize,
    /// Give up if corrections do not converge; otherwise only if they are not finite.
    pub gives_up: bool,
}

impl ConvergenceRule {
    /// Corrections of a fixed step, in units of the round-off of positions.
    pub const STEP: ConvergenceRule = ConvergenceRule {
        mean: false,
        first_counts: true,
        slow: 0.5,
        growth: f64::INFINITY,
        noise: 1e4,
        patience: 2,
        gives_up: false,
    };
    /// The same without a line search. If a run in lanes fails, a single run repeats the step.
    pub const LANES: ConvergenceRule = ConvergenceRule { gives_up: true, ..ConvergenceRule::STEP };
    /// Corrections in units of the tolerance. A step that does not converge is repeated with a shorter one.
    pub const TOLERANCE: ConvergenceRule = ConvergenceRule {
        mean: true,
        first_counts: false,
        slow: 0.9,
        growth: 2.0,
        noise: 0.01,
        patience: 1,
        gives_up: true,
    };
}

/// Judgement of the last correction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// The remaining error is small enough.
    Converged,
    /// Corrections are rounding errors.
    Noise,
    /// Not converged yet.
    Open,
    /// Will not converge.
    Diverges,
}

/// The corrections of one step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Convergence {
    rule: ConvergenceRule,
    /// Corrections so far.
    pub count: usize,
    /// The first one.
    pub first: f64,
    /// The correction before the last; infinite if there is none.
    pub previous: f64,
    /// The last one.
    pub last: f64,
    /// The applied part of it; a line search may shorten it.
    pub weight: f64,
    /// Rate of convergence; zero after the first correction.
    pub rate: f64,
}

impl Convergence {
    /// A test before the first correction.
    #[inline]
    pub fn new(rule: ConvergenceRule) -> Self {
        let none = f64::INFINITY;
        Convergence { rule, count: 0, first: none, previous: none, last: none, weight: 1.0, rate: 0.0 }
    }

    /// Does not compare the next correction with the last one.
    pub fn start_anew(&mut self) {
        self.last = f64::INFINITY;
    }

    /// Records a correction.
    #[inline]
    pub fn observe(&mut self, size: f64) {
        self.count += 1;
        self.previous = std::mem::replace(&mut self.last, size);
        if self.count == 1 {
            self.first = size;
        }
        self.rate = if self.rule.mean && self.count > 1 {
            (size / self.first).powf(1.0 / (self.count - 1) as f64)
        } else {
            size / (self.previous * self.weight)
        };
    }

    /// The remaining error after the last correction.
    #[inline]
    fn missing(&self) -> f64 {
        if self.previous == f64::INFINITY {
            if self.rule.first_counts { self.last } else { f64::INFINITY }
        } else if self.rate < 1.0 {
            self.last * self.rate / (1.0 - self.rate)
        } else {
            f64::INFINITY
        }
    }

    /// True if corrections shrink too slowly.
    #[inline]
    pub fn is_slow(&self) -> bool {
        !(self.rate <= self.rule.slow) || self.last > self.rule.growth * self.previous
    }

    /// True if corrections are rounding errors. With a matrix of an earlier step they may be slow for other
    /// reasons.
    #[inline]
    pub fn is_noise(&self, own_matrix: bool) -> bool {
        own_matrix && self.is_slow() && self.last <= self.rule.noise && self.count > self.rule.patience
    }

    /// Judges the last correction: it is `negligible` if its size alone is small enough; `allowed` is the
    /// largest remaining error.
    #[inline]
    pub fn judge(&self, negligible: bool, allowed: f64, own_matrix: bool) -> Said {
        if !self.last.is_finite() {
            Said::Diverges
        } else if negligible || self.missing() <= allowed {
            Said::Converged
        } else if self.is_noise(own_matrix) {
            Said::Noise
        } else if self.rule.gives_up && self.is_slow() {
            Said::Diverges
        } else {
            Said::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first judgement other than `Open` for corrections d, d Theta, d Theta^2, ...
    fn run(rule: ConvergenceRule, first: f64, rate: f64, allowed: f64) -> (usize, Said) {
        let mut convergence = Convergence::new(rule);
        for i in 0..40 {
            convergence.observe(first * rate.powi(i));
            match convergence.judge(false, allowed, true) {
                Said::Open => {}
                said => return (convergence.count, said),
            }
        }
        (convergence.count, Said::Open)
    }

    #[test]
    fn a_geometric_series_ends_when_its_rest_is_allowed() {
        for rule in [ConvergenceRule::STEP, ConvergenceRule::LANES, ConvergenceRule::TOLERANCE] {
            for rate in [1e-6, 1e-3, 0.1, 0.4] {
                let (first, allowed) = (1e9, 1e-1);
                let (count, said) = run(rule, first, rate, allowed);
                let rest = |n: usize| first * rate.powi(n as i32) / (1.0 - rate);
                assert_eq!(said, Said::Converged, "{rule:?} {rate}");
                // The sum of all further corrections is small enough, and with one correction less it would
                // not be.
                assert!(rest(count) <= allowed * (1.0 + 1e-12), "{rule:?} {rate}: {count}");
                assert!(count == 2 || rest(count - 1) > allowed, "{rule:?} {rate}: {count}");
            }
        }
    }

    #[test]
    fn what_does_not_shrink_is_noise_or_given_up() {
        assert_eq!(run(ConvergenceRule::STEP, 100.0, 0.99, 1e-3), (3, Said::Noise));
        assert_eq!(run(ConvergenceRule::STEP, 1e9, 0.99, 1e-3).1, Said::Open);
        assert_eq!(run(ConvergenceRule::LANES, 1e9, 0.99, 1e-3), (2, Said::Diverges));
        assert_eq!(run(ConvergenceRule::TOLERANCE, 1.0, 0.99, 1e-3), (2, Said::Diverges));
        assert_eq!(run(ConvergenceRule::TOLERANCE, 1e-3, 0.99, 1e-6), (2, Said::Noise));
        let mut convergence = Convergence::new(ConvergenceRule::STEP);
        for size in [100.0, 99.0, 98.0] {
            convergence.observe(size);
        }
        assert_eq!(convergence.judge(false, 1.0, false), Said::Open, "an old matrix makes no noise");
        for rule in [ConvergenceRule::STEP, ConvergenceRule::LANES, ConvergenceRule::TOLERANCE] {
            assert_eq!(run(rule, f64::NAN, 0.1, 1.0), (1, Said::Diverges));
            assert_eq!(run(rule, f64::INFINITY, 0.1, 1.0), (1, Said::Diverges));
        }
    }

    #[test]
    fn a_shortened_correction_does_not_pass_for_slow_convergence() {
        let mut convergence = Convergence::new(ConvergenceRule::STEP);
        convergence.observe(1e9);
        convergence.weight = 0.25;
        convergence.observe(1e8);
        assert_eq!(convergence.rate, 0.4);
    }
}
