//! Independent jobs on all cores. Results are in the order of the jobs, so they do not depend on the number
//! of threads.

/// Number of simultaneous jobs, and a callback for finished ones.
#[derive(Clone, Copy, Default)]
pub struct Workers<'a> {
    /// Number of threads; 0 takes all cores. Without the feature `parallel` there is one.
    pub threads: usize,
    /// Called after every job, from any thread.
    pub finished: Option<&'a (dyn Fn() + Sync)>,
}

impl<'a> Workers<'a> {
    /// One job after the other.
    pub fn one() -> Self {
        Workers { threads: 1, finished: None }
    }

    /// This number of threads, 0 for all cores.
    pub fn new(threads: usize) -> Self {
        Workers { threads, finished: None }
    }

    /// With a callback for finished jobs.
    pub fn telling(mut self, finished: &'a (dyn Fn() + Sync)) -> Self {
        self.finished = Some(finished);
        self
    }

    /// `job(tool, i)` for i = 0..n. Each thread makes its own tool, once or a few times; a result must not
    /// depend on earlier uses of the tool.
    pub fn map_with<C, T: Send>(
        &self,
        n: usize,
        tool: impl Fn() -> C + Sync + Send,
        job: impl Fn(&mut C, usize) -> T + Sync + Send,
    ) -> Vec<T> {
        let finished = self.finished;
        let job = |tool: &mut C, i: usize| {
            let result = job(tool, i);
            if let Some(tell) = finished {
                tell();
            }
            result
        };
        #[cfg(feature = "parallel")]
        if self.threads != 1 {
            use rayon::prelude::*;
            let all = || (0..n).into_par_iter().map_init(&tool, job).collect();
            // If no threads can be started, the existing ones do the work. More threads than jobs would be
            // idle.
            let threads = self.threads.min(n.max(1));
            return match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
                Ok(pool) => pool.install(all),
                Err(_) => all(),
            };
        }
        let mut tool = tool();
        (0..n).map(|i| job(&mut tool, i)).collect()
    }

    /// `job(i)` for i = 0..n.
    pub fn map<T: Send>(&self, n: usize, job: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        self.map_with(n, || (), |(), i| job(i))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn results_keep_their_order_and_every_job_is_told() {
        let count = AtomicUsize::new(0);
        let tell = || {
            count.fetch_add(1, Ordering::Relaxed);
        };
        for threads in [0, 1, 2, 5] {
            let squares = Workers::new(threads).telling(&tell).map(100, |i| i * i);
            assert_eq!(squares, (0..100).map(|i| i * i).collect::<Vec<_>>());
        }
        assert_eq!(count.load(Ordering::Relaxed), 400);
    }
}
