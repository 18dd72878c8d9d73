//! Many runs of one model.

use crate::cases::case;
use cpu_time::ProcessTime;
use precess::Error;
use precess::formulation::Formulation;
use precess::integrate::side_by_side::LANES;
use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::{State, System};
use precess::methods::MethodOptions;
use precess::problems::HeavyTop;
use precess::study::parallel::Workers;
use std::hint::black_box;

/// Runs of an ensemble.
const RUNS: usize = 1000;

/// 1000 heavy tops with different spins, h = 1e-3, T = 0.1: one model, a workspace for each thread.
pub fn ensemble() -> Result<(), Error> {
    println!("| heavy tops | runs per second of processor time | threads |\n|---|---|---|");
    let (top, file) = (HeavyTop::fast(Formulation::R3SO3), case("top-model"));
    let hand = Ensemble { system: &top, q: top.q_0(), v: top.v_0() };
    let model = Ensemble { system: &*file.system, q: file.q, v: file.v };
    rate("hand-written equations, one by one", |threads| hand.one_by_one(threads))?;
    rate("model file, one by one", |threads| model.one_by_one(threads))?;
    rate("model file, side by side", |threads| model.side_by_side(threads))
}

fn rate(name: &str, run: impl Fn(usize) -> Result<Vec<f64>, Error>) -> Result<(), Error> {
    for threads in [1, 2] {
        let mut best = f64::INFINITY;
        for _ in 0..5 {
            let begin = ProcessTime::now();
            assert_eq!(black_box(run(threads)?).len(), RUNS);
            best = best.min(begin.elapsed().as_secs_f64());
        }
        println!("| {name} | {:.0} | {threads} |", RUNS as f64 / best);
    }
    Ok(())
}

/// A top and where it begins.
struct Ensemble<'a> {
    system: &'a dyn System,
    q: Vec<f64>,
    v: Vec<f64>,
}

impl Ensemble<'_> {
    fn state(&self, run: usize) -> Result<State, Error> {
        let mut v = self.v.clone();
        v[1] *= 1.0 + 1e-4 * run as f64;
        InitialValues::new(&self.q, &v).consistent(self.system)
    }

    /// Heights at the end.
    fn one_by_one(&self, threads: usize) -> Result<Vec<f64>, Error> {
        let integrator = || MethodOptions::default().generalized_alpha().expect("parameters");
        let ends = Workers::new(threads).map_with(RUNS, integrator, |integrator, i| {
            let mut state = self.state(i)?;
            integrator.start(self.system, &mut state, 1e-3)?;
            for _ in 0..100 {
                integrator.step(self.system, &mut state, 1e-3)?;
            }
            Ok(state.q[6])
        });
        ends.into_iter().collect()
    }

    /// Positions and velocities are checked at the start, and accelerations are found there.
    fn side_by_side(&self, threads: usize) -> Result<Vec<f64>, Error> {
        let first = self.state(0)?;
        let runs =
            || MethodOptions::default().side_by_side([self.system; LANES]).expect("a body and a joint");
        let ends = Workers::new(threads).map_with(RUNS / LANES, runs, |runs, i| {
            let state = |lane| {
                let mut state = first.clone();
                state.v[1] *= 1.0 + 1e-4 * (LANES * i + lane) as f64;
                state
            };
            let mut states: Vec<State> = (0..LANES).map(state).collect();
            runs.start(&mut states, 1e-3)?;
            (0..100).for_each(|_| runs.step());
            let end = |lane: usize| {
                assert!(runs.state(lane, &mut states[lane]), "a run failed");
                states[lane].q[6]
            };
            Ok((0..LANES).map(end).collect::<Vec<_>>())
        });
        Ok(ends.into_iter().collect::<Result<Vec<_>, Error>>()?.concat())
    }
}
