//! GGL, section 6.3: four particles.

use super::ggl::{By, EVEN, GGL, PLAIN, PLOT, observe, order, particles, whole};
use super::{By as Measured, Claim, Source, Value, Verdict};
use precess::Error;
use precess::conserve::{Guess, Settings};
use precess::problems::ggl::four_particles;
use precess::study::larger;

pub(super) fn mean(by: By, guess: Guess) -> Result<f64, Error> {
    Ok(particles(by, guess)?.updates as f64 / 1000.0)
}

/// Instructions per step of a method on the four particles, counted by callgrind: `bench/ggl_cost`.
fn instructions(method: &str) -> Result<f64, Error> {
    const COUNTS: &str = include_str!("../../../bench/ggl_cost.txt");
    let count = COUNTS.lines().find_map(|line| line.strip_prefix(method)?.trim().parse().ok());
    count.ok_or_else(|| Error::Input { message: format!("there is no count of '{method}'") })
}

/// q_4, p and lambda of the four particles at t = 0.1 in quadruple precision, by an independent program.
const Q_4: [f64; 3] = [0.996038797621, 0.996270728713, 0.117262174423];
const P_4: [f64; 3] = [-0.1340328825, -0.1808855437, 1.9782724117];
const LAMBDA: [f64; 2] = [0.00178339, 1.33809821];

fn relative(x: &[f64], y: &[f64]) -> f64 {
    let norm = |v: &mut dyn Iterator<Item = f64>| v.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut x.iter().zip(y).map(|(a, b)| a - b)) / norm(&mut y.iter().copied())
}

/// Relative errors of q_4, p_4 and lambda with n steps.
pub(super) fn particle_errors(by: By, n: usize) -> Result<[f64; 3], Error> {
    let s = whole(&four_particles(), by, 0.1 / n as f64, n, PLAIN)?;
    let p: Vec<f64> = s.w[9..].iter().map(|w| 1.7 * w).collect();
    Ok([relative(&s.q[9..], &Q_4), relative(&p, &P_4), relative(&s.lambda, &LAMBDA)])
}

/// Orders of q_4, p_4 and lambda between h = 4e-3 and 1e-3.
pub(super) fn particle_order(by: By, what: usize) -> Result<f64, Error> {
    // lambda is known only to eight digits and read at the wrong time: small steps show its order 1.
    let (coarse, fine) = if what == 2 { (200, 800) } else { (50, 200) };
    Ok((particle_errors(by, coarse)?[what] / particle_errors(by, fine)?[what]).ln() / 4.0_f64.ln())
}

/// A claim about times in Table 2.
const fn work(id: &'static str, statement: &'static str, paper: f64, measure: super::Measure) -> Claim {
    Claim {
        id,
        place: "Table 2",
        statement,
        paper_value: Value::Number(paper),
        source: Source::None,
        verdict: Verdict::Undetermined,
        by: Measured::Recorded,
        note: "It depends on the program; counted by bench/ggl_cost.",
        measure,
        ..GGL
    }
}

pub(super) const PARTICLES: &[Claim] = &[
    Claim {
        id: "GGL-Table2-VI-S",
        place: "Table 2",
        statement: "Four particles: mean number of Newton iterations of VI-S, simple guess",
        paper_value: Value::Number(4.0),
        expected: Value::Number(3.756),
        note: "The count depends on the norm of the residual, which the paper does not name. Expected value \
               from a second program (bench/papers) with the norm of precess; 3.812 with the largest \
               residual and 4.000 with the Euclidean norm. The update after convergence counts, so these \
               are numbers of residuals.",
        measure: |_| mean(By::ViS, Guess::Simple),
        tolerance: 0.005,
        verdict: Verdict::Undetermined,
        ..GGL
    },
    Claim {
        id: "GGL-Table2-VI-S-adv",
        place: "Table 2",
        statement: "The same with the advanced guess",
        paper_value: Value::Number(3.0),
        expected: Value::Number(3.0),
        note: "Expected value from a second program, bench/papers, with each of three norms.",
        measure: |_| mean(By::ViS, Guess::Advanced),
        tolerance: 0.005,
        ..GGL
    },
    Claim {
        id: "GGL-Table2-EM",
        place: "Table 2",
        statement: "Iterations of EM beyond four, simple guess",
        paper_value: Value::Number(0.305),
        expected: Value::AtMost(0.05),
        verdict: Verdict::NotReproduced,
        source: Source::Theory,
        note: "A consistent tangent takes 4.000 iterations, in the second program (bench/papers) with each \
               of three norms; the cause of 4.305 was not found.",
        measure: |_| Ok(mean(By::Em, Guess::Simple)? - 4.0),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-EM-adv",
        place: "Table 2",
        statement: "Iterations of EM beyond three, advanced guess",
        paper_value: Value::Number(0.207),
        expected: Value::AtMost(0.05),
        verdict: Verdict::NotReproduced,
        source: Source::Theory,
        note: "A consistent tangent takes 3.000 iterations, in the second program (bench/papers) with each \
               of three norms; the cause of 3.207 was not found.",
        measure: |_| Ok(mean(By::Em, Guess::Advanced)? - 3.0),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-work",
        place: "Table 2",
        statement: "EM takes 1.866 times the time of VI-S, simple guess: instructions per step of EM over \
                    those of VI-S",
        paper_value: Value::Number(1.866),
        expected: Value::None,
        source: Source::None,
        verdict: Verdict::Undetermined,
        note: "It depends on the program: EM of precess has the same iterations as VI-S and matrices of \
               nearly the same cost; counted by bench/ggl_cost in the release profile.",
        by: Measured::Recorded,
        measure: |_| Ok(instructions("em")? / instructions("vi-s")?),
        ..GGL
    },
    Claim {
        id: "GGL-Table2-effort",
        place: "Table 2, Sect. 6.3",
        statement: "EM causes the largest numerical effort (in Table 2 at least 1.567 times the others): \
                    instructions per step of EM over the largest of VI-S, VI-A and VI-B",
        paper_value: Value::AtLeast(1.0),
        expected: Value::None,
        verdict: Verdict::NotReproduced,
        source: Source::None,
        by: Measured::Recorded,
        note: "VI-B costs most, 1.46 times VI-S: its 38 unknowns are 12 more than those of EM, and both \
               take four iterations. The paper's EM takes more iterations and evaluates discrete \
               gradients; counted by bench/ggl_cost.",
        measure: |_| {
            let all = ["vi-s", "vi-a", "vi-b"];
            let most =
                all.iter().try_fold(0.0, |m: f64, name| Ok::<f64, Error>(larger(m, instructions(name)?)))?;
            Ok(instructions("em")? / most)
        },
        ..GGL
    },
    work("GGL-Table2-work-VI-A", "VI-A takes 1.1414 times the effort of VI-S, simple guess", 1.1414, |_| {
        Ok(instructions("vi-a")? / instructions("vi-s")?)
    }),
    work("GGL-Table2-work-VI-B", "The same for VI-B", 1.1912, |_| {
        Ok(instructions("vi-b")? / instructions("vi-s")?)
    }),
    Claim {
        id: "GGL-Fig23-EM-G",
        place: "Fig. 23",
        statement: "Four particles: EM-G violates the secondary constraints; largest",
        expected: Value::Number(1.728e-5),
        tolerance: 0.01,
        note: PLOT,
        measure: |_| Ok(particles(By::EmG, Guess::Simple)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-Fig24-EM",
        place: "Fig. 24",
        statement: "Four particles: EM satisfies them",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "By design of the scheme.",
        measure: |_| Ok(particles(By::Em, Guess::Simple)?.gv),
        ..GGL
    },
    Claim {
        id: "GGL-Fig25-energy",
        place: "Fig. 25",
        statement: "Four particles: EM and EM-G conserve the energy; larger max |H - H_0|",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "With the discrete gradient in closed form; a common fall-back of all springs gives 2.3e-6.",
        measure: |_| {
            Ok(larger(particles(By::Em, Guess::Simple)?.energy, particles(By::EmG, Guess::Simple)?.energy))
        },
        ..GGL
    },
    order!("GGL-Fig28-EM", "Fig. 28", "Four particles: order of EM in q_4", 2.0, |_| particle_order(
        By::Em,
        0
    )),
    order!("GGL-Fig28-EM-G", "Fig. 28", "The same for EM-G", 2.0, |_| particle_order(By::EmG, 0)),
    order!("GGL-Fig29-EM", "Fig. 29", "Order of EM in p_4", 2.0, |_| particle_order(By::Em, 1)),
    order!("GGL-Fig29-EM-G", "Fig. 29", "The same for EM-G", 2.0, |_| particle_order(By::EmG, 1)),
    order!("GGL-Fig30-EM", "Fig. 30", "Order of EM in lambda, read at the end of the step", 1.0, |_| {
        particle_order(By::Em, 2)
    }),
];

/// The time at which a run of the four particles blows up (|H - H_0| > 1e3) or Newton's method fails;
/// infinity if neither happens.
fn endures(by: By, h: f64, t_end: f64) -> Result<f64, Error> {
    let n = (t_end / h).round() as usize;
    Ok(observe(&four_particles(), by, h, n, PLAIN)?.end.unwrap_or(f64::INFINITY))
}

pub(super) const STABILITY: &[Claim] = &[
    Claim {
        id: "GGL-6.3-stable",
        place: "Sect. 6.3",
        statement: "Four particles: all schemes are stable for h = 0.04 until T = 1000; largest |H - H_0|",
        expected: Value::Between(0.2, 0.35),
        note: "That of VI-B; 0.27 in a second program (bench/papers). The motion is chaotic, so the \
               largest value depends on rounding errors. For the initial values (127); other velocities \
               have other limits.",
        measure: |_| {
            let all = [By::ViS, By::ViA, By::ViB, By::Em];
            all.iter().try_fold(0.0, |m: f64, by| {
                Ok(larger(m, whole(&four_particles(), *by, 0.04, 25000, PLAIN)?.energy))
            })
        },
        quick: false,
        ..GGL
    },
    Claim {
        id: "GGL-Fig32-VI-S",
        place: "Fig. 32",
        statement: "VI-S blows up at h = 0.05; time",
        expected: Value::Number(0.55),
        note: "The linear limit is 2/omega = 0.0466.",
        measure: |_| endures(By::ViS, 0.05, 100.0),
        ..GGL
    },
    Claim {
        id: "GGL-Fig32-VI-B",
        place: "Fig. 32",
        statement: "VI-B blows up at h = 0.05; time",
        expected: Value::Number(0.55),
        note: "The same positions as VI-S.",
        measure: |_| endures(By::ViB, 0.05, 100.0),
        ..GGL
    },
    Claim {
        id: "GGL-Fig33-VI-A",
        place: "Fig. 33",
        statement: "VI-A blows up at h = 0.25; time",
        paper_value: Value::Number(55.0),
        expected: Value::Number(58.5),
        tolerance: 0.05,
        note: "|H - H_0| > 1e3 J; the same in a second program, bench/papers. The figure shows about 55.",
        measure: |_| endures(By::ViA, 0.25, 90.0),
        ..GGL
    },
    Claim {
        id: "GGL-6.3-EM-plain",
        place: "Sect. 6.3",
        statement: "EM is stable at h = 0.675: time until Newton's method fails from the values of the last \
                    step",
        expected: Value::Between(60.0, 200.0),
        verdict: Verdict::Undetermined,
        note: "The paper gives no end time for this step. The energy is exact as long as a solution is \
               found; plain Newton fails at t = 97 here and at 122 in a second program (bench/papers), \
               where rounding decides.",
        measure: |_| endures(By::Em, 0.675, 1000.0),
        ..GGL
    },
    Claim {
        id: "GGL-6.3-EM-guesses",
        place: "Sect. 6.3",
        statement: "EM at h = 0.675 until T = 1000 with other guesses where needed; max |H - H_0|",
        expected: Value::AtMost(1e-10),
        source: Source::Theory,
        note: "With continuation in the step size.",
        measure: |_| Ok(whole(&four_particles(), By::Em, 0.675, 1481, Settings::default())?.energy),
        ..GGL
    },
];
