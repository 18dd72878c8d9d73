//! Independent jobs on all cores. Results are in the order of the jobs, so they do not depend on the number
//! of threads.
//!
//! The threads are those of rayon. Its iterators divide a list into halves; here every thread takes the next job
//! and keeps its tool, so that jobs of very different length end together, and may stop early.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Number of simultaneous jobs, and a callback for finished ones.
#[derive(Clone, Copy, Default)]
pub struct Workers<'a> {
    /// Number of threads; 0 takes all cores. Without the feature `parallel` there is one.
    pub threads: usize,
    /// Called after every job, from any thread.
    pub finished: Option<&'a (dyn Fn() + Sync)>,
    /// True if no further job is to begin. Jobs may ask this, too.
    pub stop: Option<&'a (dyn Fn() -> bool + Sync)>,
}

impl<'a> Workers<'a> {
    /// One job after the other.
    pub fn one() -> Self {
        Workers { threads: 1, ..Workers::default() }
    }

    /// This number of threads, 0 for all cores.
    pub fn new(threads: usize) -> Self {
        Workers { threads, ..Workers::default() }
    }

    /// With a callback for finished jobs.
    pub fn telling(mut self, finished: &'a (dyn Fn() + Sync)) -> Self {
        self.finished = Some(finished);
        self
    }

    /// With a function that ends the work early.
    pub fn until(mut self, stop: &'a (dyn Fn() -> bool + Sync)) -> Self {
        self.stop = Some(stop);
        self
    }

    /// True if the work is to end early.
    pub fn stops(&self) -> bool {
        self.stop.is_some_and(|stop| stop())
    }

    /// `job(tool, i)` for i = 0..n. Each thread makes its own tool; a result must not depend on earlier uses
    /// of the tool.
    pub fn map_with<C, T: Send>(
        &self,
        n: usize,
        tool: impl Fn() -> C + Sync,
        job: impl Fn(&mut C, usize) -> T + Sync,
    ) -> Vec<T> {
        Workers { stop: None, ..*self }.try_map_with(n, tool, job).into_iter().flatten().collect()
    }

    /// The same, with nothing for the jobs that were not begun because the work ended early.
    pub fn try_map_with<C, T: Send>(
        &self,
        n: usize,
        tool: impl Fn() -> C + Sync,
        job: impl Fn(&mut C, usize) -> T + Sync,
    ) -> Vec<Option<T>> {
        let queue = Queue { next: AtomicUsize::new(0), n };
        let results = Mutex::new((0..n).map(|_| None).collect::<Vec<Option<T>>>());
        self.on_all_threads(n, &|| {
            let (_close, mut own) = (CloseAtPanic(&queue), None);
            while let Some(i) = queue.take().filter(|_| !self.stops()) {
                let result = job(own.get_or_insert_with(&tool), i);
                if let Ok(mut results) = results.lock()
                    && let Some(place) = results.get_mut(i)
                {
                    *place = Some(result);
                }
                if let Some(tell) = self.finished {
                    tell();
                }
            }
        });
        results.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same work on every thread, for so many jobs.
    fn on_all_threads(&self, jobs: usize, work: &(dyn Fn() + Sync)) {
        #[cfg(feature = "parallel")]
        if self.threads != 1 {
            // More threads than jobs would be idle. Zero means all cores.
            let cores = std::thread::available_parallelism().map_or(1, usize::from);
            let most = if self.threads == 0 { cores } else { self.threads };
            let threads = if jobs < most { jobs.max(1) } else { self.threads };
            if let Ok(pool) = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build() {
                pool.broadcast(|_| work());
                return;
            }
        }
        // Without other threads, this one does the work.
        let _ = jobs;
        work();
    }

    /// `job(i)` for i = 0..n.
    pub fn map<T: Send>(&self, n: usize, job: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        self.map_with(n, || (), |(), i| job(i))
    }
}

/// The jobs that no thread has begun.
struct Queue {
    next: AtomicUsize,
    n: usize,
}

impl Queue {
    fn take(&self) -> Option<usize> {
        let i = self.next.fetch_add(1, Ordering::Relaxed);
        (i < self.n).then_some(i)
    }
}

/// If a job panics, the other threads begin no further jobs.
struct CloseAtPanic<'a>(&'a Queue);

impl Drop for CloseAtPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.next.store(self.0.n, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// A panic of one job reaches the caller and ends the work of all threads.
    #[test]
    fn a_panic_ends_all_threads() {
        let begun = AtomicUsize::new(0);
        let job = |i: usize| {
            begun.fetch_add(1, Ordering::Relaxed);
            assert!(i != 3, "job three");
            std::thread::sleep(std::time::Duration::from_millis(1));
        };
        for threads in [1, 2, 5] {
            begun.store(0, Ordering::Relaxed);
            let panic = std::panic::catch_unwind(|| Workers::new(threads).map(1_000, job)).unwrap_err();
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"job three"));
            assert!(begun.load(Ordering::Relaxed) < 500);
        }
    }
}
