//! Decides how long an iteration matrix is kept over steps.
//!
//! A new matrix costs as much as some iterations ([`Kkt::cost`](crate::solve::Kkt::cost)); with an old one
//! iterations converge more slowly from step to step. The cost per step, of the matrix and the iterations of
//! all steps that use it, is smallest if the matrix is renewed as soon as a step takes more iterations than
//! these steps have cost on average. If keeping it does not save a tenth, the next attempt waits for twice as
//! many steps as the last one, otherwise for half as many. These decisions depend on counts, not on clocks,
//! so a repeated run gives the same bits.

/// Longest wait for the next attempt, in steps.
const MAX_WAIT: usize = 16;

/// The cost of the current matrix, and whether the next step uses it.
#[derive(Clone, Debug, Default)]
pub(super) struct JacobianReuse {
    /// Cost of a matrix, in iterations.
    cost: f64,
    /// True if the next step begins with the current matrix.
    pub keeps: bool,
    /// True if it was to be kept at least once.
    tried: bool,
    /// Steps that have used it, their iterations, and those of the first step.
    steps: usize,
    iterations: usize,
    first: usize,
    /// Steps with new matrices before the next attempt, now and at the beginning of the wait.
    wait: usize,
    waited: usize,
}

crate::persist!(JacobianReuse { keeps, tried, steps, iterations, first, wait, waited } given { cost });

impl JacobianReuse {
    /// A matrix costs as much as this number of iterations.
    pub fn new(cost: f64) -> Self {
        JacobianReuse { cost, ..JacobianReuse::default() }
    }

    /// A step forms a new matrix, after this number of iterations with an old one.
    pub fn renewed(&mut self, wasted: usize) {
        if self.tried {
            let without = self.steps as f64 * (self.cost + self.first as f64);
            let saved = 1.1 * (self.cost + (self.iterations + wasted) as f64) < without;
            self.waited = if saved { self.waited / 2 } else { (2 * self.waited).clamp(1, MAX_WAIT) };
            self.wait = self.waited;
        }
        (self.tried, self.steps, self.iterations) = (false, 0, 0);
    }

    /// A step has taken this number of iterations with the current matrix.
    pub fn note(&mut self, iterations: usize) {
        if self.steps == 0 {
            self.first = iterations;
        }
        self.steps += 1;
        self.iterations += iterations;
        let average = (self.cost + self.iterations as f64) / self.steps as f64;
        self.keeps = self.wait == 0 && iterations as f64 <= average;
        self.tried |= self.keeps;
        self.wait = self.wait.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run in which a matrix of some age needs `iterations(age)`; returns matrices and iterations per step.
    fn run(cost: f64, iterations: impl Fn(usize) -> usize) -> (f64, f64) {
        let (mut reuse, mut age, mut sums, n) = (JacobianReuse::new(cost), 0, (0, 0), 2000);
        for _ in 0..n {
            age = if reuse.keeps { age + 1 } else { 0 };
            if age == 0 {
                reuse.renewed(0);
            }
            reuse.note(iterations(age));
            sums = (sums.0 + usize::from(age == 0), sums.1 + iterations(age));
        }
        (sums.0 as f64 / n as f64, sums.1 as f64 / n as f64)
    }

    #[test]
    fn no_period_is_cheaper() {
        for cost in [1.5, 2.5, 4.0, 9.0] {
            for slower in [0.05, 0.2, 0.5, 1.0] {
                let iterations = |age: usize| 2 + (slower * age as f64) as usize;
                let (matrices, each) = run(cost, iterations);
                let best = (1..200)
                    .map(|n| (cost + (0..n).map(iterations).sum::<usize>() as f64) / n as f64)
                    .fold(f64::INFINITY, f64::min);
                let ours = cost * matrices + each;
                assert!(ours <= 1.1 * best, "{cost} {slower}: {ours} against {best}");
            }
        }
    }

    #[test]
    fn what_never_pays_is_rarely_tried() {
        let (matrices, each) = run(2.0, |age| if age == 0 { 2 } else { 6 });
        assert!(matrices > 0.9 && each < 2.3, "{matrices} {each}");
    }

    #[test]
    fn what_always_pays_is_kept() {
        assert_eq!(run(2.0, |_| 2), (1.0 / 2000.0, 2.0));
    }
}
