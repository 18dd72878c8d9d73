//! GGL: Kinon, Betsch, Schneider, "Structure-preserving integrators based on a new variational principle for
//! constrained mechanical systems" (2023).

use super::{Claim, Paper, Source, Value, Verdict, ggl_structure};
use precess::Error;
use precess::conserve::{
    Conservative, EnergyMomentum, Guess, Settings, StepRule, Stepper, Theta, Variant, ViS,
};
use precess::integrate::{InitialValues, Integrator};
use precess::mechanics::State;
use precess::problems::ggl::{GglExample, four_particles, gyroscopic_top, spherical_pendulum};
use precess::study::larger;

pub(super) const PAPER: Paper = Paper {
    key: "GGL",
    title: "Kinon, Betsch, Schneider: Structure-preserving integrators based on a new variational principle \
            for constrained \
            mechanical systems (2023)",
    claims: &[
        PENDULUM,
        super::ggl_top::CLAIMS,
        super::ggl_particles::PARTICLES,
        super::ggl_particles::STABILITY,
        ggl_structure::CLAIMS,
        super::ggl_family::CLAIMS,
        super::ggl_original::CLAIMS,
    ],
};

pub(super) const GGL: Claim = Claim::of("GGL");
pub(super) const PLOT: &str = "Words or a plot only; expected value from a second program, bench/papers.";
pub(super) const ROUND_OFF: &str = "With one more Newton update after convergence; without it 7e-9.";
pub(super) const EVEN: &str = "Even numbers of steps: odd ones add a component of period two.";

/// Method of a run.
#[derive(Clone, Copy)]
pub(super) enum By {
    Em,
    EmG,
    ViS,
    ViA,
    ViB,
}

/// The quantities after a step; at the start lambda and gamma are empty.
pub(super) struct Look<'a> {
    pub(super) t: f64,
    pub(super) system: &'a Conservative,
    pub(super) q: &'a [f64],
    /// M^-1 p.
    pub(super) w: &'a [f64],
    /// The reported velocity.
    pub(super) v: &'a [f64],
    /// E(q, v, p) = p.v - v.M v/2 + V; for VI-S at the beginning of the step, to which its velocity belongs.
    pub(super) function: f64,
    pub(super) lambda: &'a [f64],
    pub(super) gamma: &'a [f64],
}

/// Maxima over a run, and its end.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) energy: f64,
    /// The same for E(q, v, p).
    pub(super) function: f64,
    pub(super) j_increment: f64,
    /// Largest change of the angular and of the linear momentum.
    pub(super) momenta: [f64; 2],
    pub(super) g: f64,
    pub(super) gv: f64,
    /// The rows of G M^-1 p.
    pub(super) rows: Vec<f64>,
    /// |G v| with the reported velocity.
    pub(super) reported: f64,
    pub(super) height: f64,
    pub(super) updates: usize,
    pub(super) q: Vec<f64>,
    pub(super) w: Vec<f64>,
    pub(super) lambda: Vec<f64>,
    pub(super) lambdas: Vec<f64>,
    pub(super) gammas: Vec<f64>,
    /// Time of failure or blow-up.
    pub(super) end: Option<f64>,
}

pub(super) const PLAIN: Settings =
    Settings { tolerance: 1e-9, max_iterations: 25, guess: Guess::Simple, fallback: false, polish: true };

/// |H - H_0| at which a run counts as blown up.
const BLOWN: f64 = 1e3;

pub(super) fn observe(
    example: &GglExample,
    by: By,
    h: f64,
    n: usize,
    settings: Settings,
) -> Result<Seen, Error> {
    watch(example, by, (h, n), settings, &mut |_| ())
}

/// Runs with a callback for every step.
pub(super) fn watch(
    example: &GglExample,
    by: By,
    steps: (f64, usize),
    settings: Settings,
    look: &mut dyn FnMut(&Look),
) -> Result<Seen, Error> {
    let limits = (settings, BLOWN);
    match by {
        By::Em => run(example, EnergyMomentum::EM, steps, limits, look),
        By::EmG => run(example, EnergyMomentum::EM_G, steps, limits, look),
        By::ViS => run(example, ViS, steps, limits, look),
        By::ViA => run(example, Theta::VI_A, steps, limits, look),
        By::ViB => run(example, Theta::VI_B, steps, limits, look),
    }
}

pub(super) fn run<R: StepRule>(
    example: &GglExample,
    rule: R,
    (h, n): (f64, usize),
    (settings, blown): (Settings, f64),
    look: &mut dyn FnMut(&Look),
) -> Result<Seen, Error> {
    let system: &Conservative = &example.system;
    let mut state = InitialValues::new(&example.q_0, &example.v_0).consistent(system)?;
    let mut stepper = Stepper::new(rule).with_settings(settings);
    stepper.start(system, &mut state, h)?;
    let first = system.invariants(&state.q, &state.v);
    let mut last = first;
    let mut seen = Seen { rows: vec![0.0; system.rows()], ..Seen::default() };
    let mut rows = vec![0.0; system.rows()];
    let none = &[][..];
    let State { q, v, .. } = &state;
    look(&Look { t: 0.0, system, q, w: v, v, function: first.energy, lambda: none, gamma: none });
    for k in 1..=n {
        match stepper.step(system, &mut state, h) {
            Ok(report) => seen.updates += report.iterations,
            Err(_) => {
                seen.end = Some((k - 1) as f64 * h);
                break;
            }
        }
        let now = system.invariants(&state.q, stepper.w());
        let u = stepper.unknowns();
        let t = k as f64 * h;
        let (q, w, v, function) =
            (&state.q, stepper.w(), &state.v, stepper.energy_function(system, &state.q));
        look(&Look { t, system, q, w, v, function, lambda: u.lambda, gamma: u.gamma });
        seen.function = larger(seen.function, (function - first.energy).abs());
        seen.energy = larger(seen.energy, (now.energy - first.energy).abs());
        seen.j_increment = larger(seen.j_increment, (now.about_gravity - last.about_gravity).abs());
        let change = [(now.angular - first.angular).norm(), (now.linear - first.linear).norm()];
        seen.momenta.iter_mut().zip(change).for_each(|(m, x)| *m = larger(*m, x));
        seen.g = larger(seen.g, now.primary);
        seen.gv = larger(seen.gv, now.secondary);
        system.gv(&state.q, stepper.w(), &mut rows);
        seen.rows.iter_mut().zip(&rows).for_each(|(m, x)| *m = larger(*m, x.abs()));
        seen.reported = larger(seen.reported, system.invariants(&state.q, &state.v).secondary);
        seen.height = larger(seen.height, (state.q[2] - 0.0375).abs());
        if seen.lambdas.len() < 200 {
            seen.lambdas.push(u.lambda[0]);
            seen.gammas.extend(u.gamma.first());
        }
        last = now;
        if !(seen.energy <= blown) {
            seen.end = Some(k as f64 * h);
            break;
        }
    }
    seen.lambda = stepper.unknowns().lambda.to_vec();
    seen.w = stepper.w().to_vec();
    seen.q = state.q;
    Ok(seen)
}

/// The same for a run that must be complete: values before a failure prove nothing.
pub(super) fn whole(
    example: &GglExample,
    by: By,
    h: f64,
    n: usize,
    settings: Settings,
) -> Result<Seen, Error> {
    let seen = observe(example, by, h, n, settings)?;
    match seen.end {
        None => Ok(seen),
        Some(t) => Err(Error::Input { message: format!("the run ended at t = {t:.4} s already") }),
    }
}

pub(super) fn pendulum(by: By) -> Result<Seen, Error> {
    whole(&spherical_pendulum(), by, 0.05, 200, PLAIN)
}

pub(super) fn top(by: By) -> Result<Seen, Error> {
    whole(&gyroscopic_top(), by, 0.002, 500, PLAIN)
}

pub(super) fn particles(by: By, guess: Guess) -> Result<Seen, Error> {
    whole(&four_particles(), by, 0.01, 1000, Settings { guess, ..PLAIN })
}

/// A claim about an order.
macro_rules! order {
    ($id:literal, $place:literal, $statement:literal, $order:literal, $measure:expr) => {
        Claim {
            id: $id,
            place: $place,
            statement: $statement,
            paper_value: Value::Number($order),
            expected: Value::Number($order),
            tolerance: 0.05,
            source: Source::Theory,
            note: EVEN,
            measure: $measure,
            ..GGL
        }
    };
}
pub(super) use order;

/// A claim about an energy that is not conserved.
const fn fluctuation(
    id: &'static str,
    place: &'static str,
    statement: &'static str,
    expected: f64,
    measure: super::Measure,
) -> Claim {
    Claim {
        id,
        place,
        statement,
        expected: Value::Number(expected),
        tolerance: 0.01,
        note: PLOT,
        measure,
        ..GGL
    }
}

const PENDULUM: &[Claim] = &[
    Claim {
        id: "GGL-Fig9-EM",
        place: "Fig. 9",
        statement: "Pendulum, h = 0.05: EM conserves the energy up to round-off",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: ROUND_OFF,
        measure: |_| Ok(pendulum(By::Em)?.energy),
        ..GGL
    },
    fluctuation(
        "GGL-Fig8-VI-S",
        "Fig. 8",
        "Pendulum: the energy function E of VI-S fluctuates; max |E(q,v,p) - E_0|, v at the beginning of \
         its step",
        1.123,
        |_| Ok(pendulum(By::ViS)?.function),
    ),
    fluctuation("GGL-Fig8-VI-A", "Fig. 8", "The same for VI-A, v of the step", 0.2229, |_| {
        Ok(pendulum(By::ViA)?.function)
    }),
    fluctuation("GGL-Fig8-VI-B", "Fig. 8", "The same for VI-B, v of the step", 0.7986, |_| {
        Ok(pendulum(By::ViB)?.function)
    }),
    Claim {
        verdict: Verdict::Undetermined,
        note: "The paper has it in a plot only, whose values its text does not give; expected value from a \
               second program, bench/papers.",
        ..fluctuation(
            "GGL-Fig7-VI-S",
            "Fig. 7",
            "Pendulum: the Hamiltonian of VI-S; max |H(q,p) - H_0|",
            0.6978,
            |_| Ok(pendulum(By::ViS)?.energy),
        )
    },
    Claim {
        verdict: Verdict::Beyond,
        ..fluctuation(
            "GGL-6.1-H-VI-A",
            "Sect. 6.1",
            "The same for VI-A, of which the paper shows only E",
            0.09791,
            |_| Ok(pendulum(By::ViA)?.energy),
        )
    },
    Claim {
        verdict: Verdict::Beyond,
        ..fluctuation("GGL-6.1-H-VI-B", "Sect. 6.1", "The same for VI-B", 0.6802, |_| {
            Ok(pendulum(By::ViB)?.energy)
        })
    },
    Claim {
        id: "GGL-Fig11-J3",
        place: "Fig. 11",
        statement: "Pendulum: all integrators conserve J_3 up to round-off; largest increment of all",
        expected: Value::AtMost(1e-14),
        source: Source::Theory,
        note: "With one more Newton update after convergence; without it 6e-10.",
        measure: |_| {
            let all = [By::ViS, By::ViA, By::ViB, By::Em];
            all.iter().try_fold(0.0, |m: f64, by| Ok(larger(m, pendulum(*by)?.j_increment)))
        },
        ..GGL
    },
    Claim {
        id: "GGL-Fig12-g",
        place: "Fig. 12",
        statement: "Pendulum: VI-S, VI-B and EM satisfy the position constraint; largest |g| of the three",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "By design of these schemes.",
        measure: |_| {
            [By::ViS, By::ViB, By::Em].iter().try_fold(0.0, |m: f64, by| Ok(larger(m, pendulum(*by)?.g)))
        },
        ..GGL
    },
    Claim {
        id: "GGL-Fig13-g",
        place: "Fig. 13",
        statement: "Pendulum: VI-A violates the position constraint; max |g|",
        expected: Value::Number(6.472e-3),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(pendulum(By::ViA)?.g),
        ..GGL
    },
    Claim {
        id: "GGL-Fig14-gv",
        place: "Fig. 14",
        statement: "Pendulum: VI-S and EM satisfy the velocity constraint; largest |G M^-1 p| of both",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "For momenta.",
        measure: |_| [By::ViS, By::Em].iter().try_fold(0.0, |m: f64, by| Ok(larger(m, pendulum(*by)?.gv))),
        ..GGL
    },
    Claim {
        id: "GGL-Fig14-VI-B-v",
        place: "Fig. 14",
        statement: "Pendulum: VI-B satisfies the velocity constraint; max |G v| of its velocity",
        expected: Value::AtMost(1e-13),
        source: Source::Theory,
        note: "True for the velocity of the scheme.",
        measure: |_| Ok(pendulum(By::ViB)?.reported),
        ..GGL
    },
    Claim {
        id: "GGL-Fig14-VI-B-p",
        place: "Fig. 14, caption",
        statement: "Pendulum: VI-B satisfies the constraint on momentum level; max |G M^-1 p|",
        paper_value: Value::AtMost(1e-12),
        expected: Value::Number(0.3161),
        tolerance: 0.01,
        verdict: Verdict::Corrected,
        note: "The momenta of VI-B are off the hidden constraints by O(h); only its velocity satisfies them.",
        measure: |_| Ok(pendulum(By::ViB)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-Fig15-VI-A",
        place: "Fig. 15",
        statement: "Pendulum: VI-A violates the velocity constraint; max |G M^-1 p|",
        expected: Value::Number(3.303e-2),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(pendulum(By::ViA)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-82-vartheta",
        place: "(82), range of vartheta",
        statement: "vartheta may be in (0, 1]: growth of the multipliers' oscillation per step for vartheta \
                    = 0.6",
        paper_value: Value::AtMost(1.0),
        expected: Value::Number(1.5),
        tolerance: 0.01,
        verdict: Verdict::Corrected,
        source: Source::Theory,
        note: "The parasitic factor is -vartheta/(1 - vartheta): unstable above 1/2, singular at 1.",
        measure: |_| {
            let rule = Theta::new(Variant::B, 1.0, 0.6)?;
            let x =
                run(&spherical_pendulum(), rule, (0.05, 40), (PLAIN, f64::INFINITY), &mut |_| ())?.lambdas;
            let bend = |n: usize| (x[n - 1] - 2.0 * x[n] + x[n + 1]).abs();
            Ok((bend(36) / bend(32)).powf(0.25))
        },
        ..GGL
    },
];
