//! Checkpoints with changed numbers are refused, and the message names what is wrong.

use super::checkpoint::{Watch, bits, integrate, run};
use crate::model_util::load_model as loaded;
use precess::integrate::InitialValues;
use precess::mechanics::State;
use precess::model::{Built, Loaded, build};
use precess::study::{Cadence, Checkpoints};

/// A run with its checkpoint in memory after 10 steps, which tests change and resume.
struct Forger {
    model: Loaded,
    built: Built,
    bytes: Vec<u8>,
    /// The numbers of the state at the checkpoint.
    state: State,
}

/// Magic, version and length.
const HEADER: usize = 20;

impl Forger {
    fn new(model: &str, options: &[&str]) -> Self {
        let model = loaded(model, options);
        let built = build(&model.model, model.settings.formulation).unwrap();
        let mut checkpoints = Checkpoints::in_memory(Cadence::Steps(usize::MAX), model.identity());
        let mut watch = Watch::new(model.settings.until, 11);
        let (state, summary) = run(&model, &built, &mut watch, Some(&mut checkpoints));
        let unsaved = summary.warnings.iter().any(|w| w.contains("checkpoint"));
        assert!(summary.stopped && checkpoints.written == 1 && !unsaved);
        let bytes = checkpoints.bytes().to_vec();
        Forger { model, built, bytes, state }
    }

    /// Where the nth copy of these bytes begins.
    fn place(&self, bytes: &[u8], nth: usize) -> usize {
        let found = self.bytes.windows(bytes.len()).enumerate().filter(|(_, w)| *w == bytes);
        found.map(|(i, _)| i).nth(nth).expect("the bytes to forge")
    }

    /// The answer of the run to a checkpoint with other bytes at a place and a right checksum.
    fn refusal(&self, at: usize, forged: &[u8]) -> String {
        let mut bytes = self.bytes.clone();
        bytes[at..at + forged.len()].copy_from_slice(forged);
        self.verdict(bytes).expect_err("refused")
    }

    fn verdict(&self, mut bytes: Vec<u8>) -> Result<State, String> {
        bytes.truncate(bytes.len() - 4);
        let length = (bytes.len() - HEADER) as u64;
        bytes[12..HEADER].copy_from_slice(&length.to_le_bytes());
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let mut checkpoints = Checkpoints::in_memory(Cadence::Steps(usize::MAX), self.model.identity());
        checkpoints.resume_from(&bytes).map_err(|e| e.to_string())?;
        let mut watch = Watch::new(self.model.settings.until, usize::MAX);
        let mut first = InitialValues::new(&self.built.q, &self.built.v);
        first.fix = self.model.settings.fix_initial;
        let initial = first.consistent(&*self.built.system).unwrap();
        let mut state = initial.clone();
        let result = integrate(&self.model, &self.built, &mut state, &mut watch, Some(&mut checkpoints));
        match result {
            Ok(_) => Ok(state),
            Err(failure) => {
                // Nothing of a refused checkpoint is left.
                assert_eq!((bits(&state), failure.summary.steps), (bits(&initial), 0));
                assert!(failure.error.to_string().contains("damaged"), "{}", failure.error);
                Err(failure.error.to_string())
            }
        }
    }

    /// The first copy of this number after the identity, forged; the reason must contain the words.
    fn number(&self, x: f64, nth: usize, forged: f64, words: &str) {
        let reason = self.refusal(self.place(&x.to_le_bytes(), nth), &forged.to_le_bytes());
        assert!(reason.contains(words), "{x} -> {forged}: {reason}");
    }
}

/// Checkpoints with a right checksum and wrong content are refused with the reason, before the first step.
#[test]
fn forged_with_fixed_steps() {
    let options = ["integrator.method=gen-alpha", "integrator.tol=off", "run.step=1e-3", "run.until=0.05"];
    let f = Forger::new("heavy_top", &options);
    assert!(f.verdict(f.bytes.clone()).is_ok());
    let State { t, q, v, vdot, lambda, .. } = &f.state;
    let of = |x: f64| x.to_le_bytes();
    // The state is at the front: t, then lists with their lengths.
    let at = f.place(&of(*t), 0);
    let count = |n: usize| (n as u64).to_le_bytes();
    for (forged, words) in
        [(-1.0, "not within the run"), (7.0, "not within the run"), (0.02, "not belong to this run")]
    {
        f.number(*t, 0, forged, words);
    }
    for x in [t, &q[1], &v[2], &vdot[0], &lambda[1]] {
        for strange in [f64::NAN, f64::INFINITY] {
            f.number(*x, 0, strange, "the state has a number that is not finite");
        }
    }
    f.number(v[2], 0, 1e6, "energy");
    f.number(q[6], 0, q[6] + 1e-3, "its state");
    let longer = f.refusal(at + 8, &count(q.len() + 1));
    assert!(longer.contains("numbers where this model has 7"), "{longer}");
    assert!(f.refusal(at + 8, &count(usize::MAX)).contains("ends too early"));

    // The place: step, t_0, steps, h, done. Its first three are unique as a sequence.
    let h = 0.05 / 50.0;
    let place =
        [count(10).to_vec(), of(0.0).to_vec(), count(50).to_vec(), of(h).to_vec(), count(10).to_vec()]
            .concat();
    let at = f.place(&place, 0);
    for (offset, forged, words) in [
        (0, count(11), "steps"),
        (0, count(usize::MAX), "more than a run can have"),
        (8, of(0.01), "no part of this run begins"),
        (8, of(f64::NAN), "no part of this run begins"),
        (16, count(1 << 40), "not belong to this run"),
        (24, of(1e-9), "not belong to this run"),
        (24, of(-h), "not belong to this run"),
        (32, count(9), "not belong to this run"),
        (32, count(0), "not belong to this run"),
    ] {
        let reason = f.refusal(at + offset, &forged);
        assert!(reason.contains(words), "place {offset}: {reason}");
    }
    // Results: one state less than it says, and fewer than were kept.
    let mut short = f.bytes.clone();
    short.truncate(short.len() - 50);
    assert!(f.verdict(short).unwrap_err().contains("ends too early"));
    let mut long = f.bytes.clone();
    long.extend([0; 16]);
    assert!(f.verdict(long).unwrap_err().contains("16 bytes are left"));
}

/// Histories of methods, orders, steps and pivots.
#[test]
fn forged_histories() {
    let fixed = ["integrator.tol=off", "run.step=1e-3", "run.until=0.05"];
    let bliedf = Forger::new("heavy_top", &[&fixed[..], &["integrator.method=bliedf"]].concat());
    // The last two entries are the number of starting values used and the step of the start.
    let end = bliedf.bytes.len() - 4;
    assert!(bliedf.refusal(end - 8, &(-1e-3_f64).to_le_bytes()).contains("step of the start"));
    assert!(bliedf.refusal(end - 8, &f64::INFINITY.to_le_bytes()).contains("the history of the method"));
    assert!(bliedf.refusal(end - 16, &99_u64.to_le_bytes()).contains("starting values"));

    let modified = ["integrator.method=gen-alpha", "integrator.newton=modified", "integrator.form=index3"];
    let alpha = Forger::new("heavy_top", &[&fixed[..], &modified].concat());
    // The pivots: their number, then as many numbers below it. A diagonal of zeros looks the same and may be
    // forged.
    let n = 9;
    let word = |at: usize| u64::from_le_bytes(alpha.bytes[at..at + 8].try_into().unwrap());
    let pivots = |at: &usize| word(*at) == n && (1..=n as usize).all(|i| word(at + 8 * i) < n);
    let forged = |at: usize| {
        let mut bytes = alpha.bytes.clone();
        bytes[at + 8..at + 16].copy_from_slice(&n.to_le_bytes());
        alpha.verdict(bytes).err()
    };
    let places = (0..alpha.bytes.len() - 8 * (n as usize + 1)).filter(pivots);
    let reasons: Vec<String> = places.filter_map(forged).collect();
    assert!(reasons.iter().any(|r| r.contains("a pivot is outside of the matrix")), "{reasons:?}");

    let free = ["integrator.tol=1e-6", "run.step=off", "run.until=0.05"];
    let auto = Forger::new("heavy_top", &[&free[..], &["integrator.method=bliedf"]].concat());
    // The control is last: k, h, starting, raised, rejected, failed.
    let end = auto.bytes.len() - 4 - 8 - 8 - 1 - 1;
    for (at, forged, words) in [
        (end - 16, 0_u64.to_le_bytes(), "order of the next step"),
        (end - 16, 6_u64.to_le_bytes(), "order of the next step"),
        (end - 8, 0.0_f64.to_le_bytes(), "next step is not positive"),
        (end - 8, f64::INFINITY.to_le_bytes(), "the history of the method"),
        (end + 2, 99_u64.to_le_bytes(), "tried too often"),
    ] {
        let reason = auto.refusal(at, &forged);
        assert!(reason.contains(words), "{words}: {reason}");
    }
    for (forged, words) in
        [(f64::NAN, "not finite"), (1.0, "not within the run"), (-1e-9, "not within the run")]
    {
        auto.number(auto.state.t, 0, forged, words);
    }
    // The place: step, beginning of the piece, last step. The accounts of the energy contain the same bytes.
    let place = [10_u64.to_le_bytes(), 0.0_f64.to_le_bytes()].concat();
    let at = auto.place(&place, 1) + place.len();
    for forged in [0.0, -1e-3, 0.04, f64::NAN] {
        let reason = auto.refusal(at, &f64::to_le_bytes(forged));
        assert!(reason.contains("a last step of"), "{forged}: {reason}");
    }

    let alpha = Forger::new("heavy_top", &[&free[..], &["integrator.method=gen-alpha"]].concat());
    let end = alpha.bytes.len() - 4;
    assert!(alpha.refusal(end - 8, &(-1.0_f64).to_le_bytes()).contains("last step is not positive"));
}

/// Events of another model, out of order or not finite; more output than there is.
#[test]
fn forged_events() {
    let f = Forger::new("gate", &["run.step=0.05", "run.until=0.8"]);
    assert!(f.verdict(f.bytes.clone()).is_ok());
    // A name follows its length; the text of the model has the word without it.
    let name = f.place(&[&6_u64.to_le_bytes()[..], b"button"].concat(), 0) + 8;
    assert!(f.refusal(name, b"batton").contains("no event 'batton'"));
    // The action follows with its length, then the time.
    let action = name + 6 + 8;
    assert!(f.refusal(action, b"swatch").contains("impossible value"));
    let t = action + 6;
    assert!(f.refusal(t, &9.0_f64.to_le_bytes()).contains("begins"));
    assert!(f.refusal(t, &f64::NAN.to_le_bytes()).contains("an event has a number that is not finite"));
}
