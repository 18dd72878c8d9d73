//! VP: Arnold, Cardona, Brüls, "Order reduction in time integration caused by velocity projection" (2015).
//!
//! The benchmark of appendix A.1d has the constraint Phi = -x + R X, in the frame of the ground; LA has Phi =
//! X - R^T x. All claims here use the former. With index-3 forms the motion is the same and lambda is in
//! another frame; the drift of the forms of lower index differs.

use super::la::{TABLE_1, TABLE_2, WHOLE, index3, lambda};
use super::{By, Claim, Lab, Paper, Problem, Setup, Source, Trace, Value, Verdict};
use precess::Error;
use precess::integrate::Start::Classical;
use precess::integrate::analysis::{Recursion, spectral_radius};
use precess::integrate::{Alpha, Form, InitialValues, Integrator, project_velocity};
use precess::mechanics::{State, System};
use precess::problems::HeavyTop;
use precess::study::{Projection, Restart, Run, When};

pub(super) const PAPER: Paper = Paper {
    key: "VP",
    title: "Arnold, Cardona, Brüls: Order reduction in time integration caused by velocity projection \
            (2015)",
    claims: &[CLAIMS],
};

const VP: Claim = Claim::of("VP");
const LEVEL: &str = "The paper has it in a plot only, whose values its text does not give; expected value from a \
                     second program, bench/papers.";
const PLOT: &str = "Words or a plot only; expected value from a second program, bench/papers.";

/// The benchmark of the appendix.
pub(super) const TOP: Problem = Problem::GroundedTop;
/// Time of the projection.
pub(super) const T_STAR: f64 = 0.7;
pub(super) const BEFORE: (f64, f64) = (0.0, T_STAR);
const AFTER: (f64, f64) = (T_STAR, 1.0);

/// Index-3, start without transient, velocity projected once.
pub(super) fn projected() -> Setup {
    index3(TOP, TABLE_2).projected(T_STAR, Restart::Keep)
}

fn bv_1(window: (f64, f64)) -> impl Fn(&Trace) -> f64 {
    move |t| t.max(window, |n| t.bv_vector(n)[0])
}

/// Largest component of Phi up to t in a form of lower index; one run of twenty seconds for all times.
fn drift(lab: &mut Lab, form: Form, t: f64) -> Result<f64, Error> {
    let trace = lab.run(&Setup::new(TOP, form, Classical).until(20.0))?;
    Ok(trace.max((0.0, t), |n| trace.phi_max(n)))
}

/// Factor kappa in B v_n = kappa h^2 B r(t_n) by least squares over [0.2, 0.7], without projection, where
/// r = C_q v'' + [v, v']/12 as below (8).
fn residual_factor(lab: &mut Lab) -> Result<f64, Error> {
    let h = 2.5e-4;
    let trace = lab.run(&index3(TOP, TABLE_2).h(h))?;
    let c_q = Alpha::from_rho(0.9)?.c_q();
    let (mut product, mut square) = (0.0, 0.0);
    for n in (800..2800).step_by(10) {
        let s = lab.solution(TOP, trace.t[n])?;
        let bracket = lab.bracket(TOP, &s.v, &s.vdot);
        let r: Vec<f64> = s.vddot.iter().zip(&bracket).map(|(j, b)| h * h * (c_q * j + b / 12.0)).collect();
        let expected = lab.constraint_times(TOP, &s.q, &r);
        for (x, y) in expected.iter().zip(trace.bv_vector(n)) {
            product += x * y;
            square += x * x;
        }
    }
    Ok(product / square)
}

/// The order of a residual after the first step, from consistent values.
fn first_step(lab: &mut Lab, form: Form, residual: fn(&Trace) -> f64) -> Result<f64, Error> {
    let of = |lab: &mut Lab, h: f64| -> Result<f64, Error> {
        Ok(residual(&*lab.run(&Setup::new(TOP, form, TABLE_1).h(h).until(10.0 * h))?))
    };
    Ok((of(lab, 1e-3)? / of(lab, 5e-4)?).log2())
}

/// |B v| at t = 0.7 after a projection and a start by Table 2, over that without a projection.
fn undone() -> Result<f64, Error> {
    let top = HeavyTop::grounded();
    let mut method = index3(TOP, TABLE_2).options.generalized_alpha()?;
    let mut state = InitialValues::new(&top.q_0(), &top.v_0()).consistent(&top)?;
    Run::new(1e-3, T_STAR).steps_only(&top, &mut method, &mut state)?;
    let size = |state: &State| {
        let mut rows = [0.0; 3];
        top.velocity_constraint(&state.at(), &mut rows);
        rows.iter().map(|x| x * x).sum::<f64>().sqrt()
    };
    let without = size(&state);
    project_velocity(&top, &mut state)?;
    method.start(&top, &mut state, 1e-3)?;
    Ok(size(&state) / without)
}

/// A form with projections after every step, with the start of Table 1 of LA.
fn projected_always(form: Form, position: When, velocity: When) -> Setup {
    let mut setup = Setup::new(TOP, form, TABLE_1);
    setup.projection = Projection { position, velocity, restart: Restart::Keep, ..Projection::default() };
    setup
}

const CLAIMS: &[Claim] = &[
    Claim {
        id: "VP-Fig1-before",
        place: "Fig. 1",
        statement: "First component of B v before the projection: amplitude at h = 1e-3 over that at 5e-4",
        paper_value: Value::Number(4.0),
        expected: Value::Number(4.0),
        tolerance: 0.025,
        source: Source::Theory,
        note: "Order 2 of the residual without projection.",
        measure: |lab| Ok(lab.order(&projected(), 1e-3, bv_1(BEFORE))?.exp2()),
        ..VP
    },
    Claim {
        id: "VP-Fig1-level",
        place: "Fig. 1",
        statement: "|B v| before the projection, h = 1e-3",
        expected: Value::Number(2.292e-2),
        note: "The figure has the first component, in a plot only, whose values the text does not give; \
               expected value from a second program, bench/papers.",
        measure: |lab| Ok(lab.errors(&projected(), BEFORE)?.bv),
        verdict: Verdict::Undetermined,
        ..VP
    },
    Claim {
        id: "VP-Fig1-after",
        place: "Fig. 1",
        statement: "|B v| oscillates with a large amplitude after the projection; largest, h = 1e-3",
        expected: Value::Number(3.279e-2),
        note: PLOT,
        measure: |lab| Ok(lab.errors(&projected(), AFTER)?.bv),
        ..VP
    },
    Claim {
        id: "VP-Fig1-after-ratio",
        place: "Fig. 1",
        statement: "The same amplitude at h = 1e-3 over that at 5e-4",
        paper_value: Value::Number(4.0),
        expected: Value::Number(4.0),
        tolerance: 0.025,
        source: Source::Theory,
        note: "The residual keeps order 2; it is lambda that loses one.",
        measure: |lab| {
            let order = lab.order(&projected(), 1e-3, |t| t.errors(AFTER).bv)?;
            Ok(order.exp2())
        },
        ..VP
    },
    Claim {
        id: "VP-Fig2-before-h1",
        place: "Fig. 2",
        statement: "Relative error of lambda before the projection, h = 1e-3",
        expected: Value::Number(8.029e-3),
        note: LEVEL,
        measure: |lab| Ok(lab.errors(&projected(), BEFORE)?.lambda),
        verdict: Verdict::Undetermined,
        ..VP
    },
    Claim {
        id: "VP-Fig2-before-h05",
        place: "Fig. 2",
        statement: "Relative error of lambda before the projection, h = 5e-4",
        expected: Value::Number(2.002e-3),
        note: LEVEL,
        measure: |lab| Ok(lab.errors(&projected().h(5e-4), BEFORE)?.lambda),
        verdict: Verdict::Undetermined,
        ..VP
    },
    Claim {
        id: "VP-Fig2-before-order",
        place: "Fig. 2",
        statement: "Order of lambda before the projection",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: "Observed order between h = 5e-4 and 2.5e-4.",
        measure: |lab| lab.order(&projected(), 5e-4, lambda(BEFORE)),
        ..VP
    },
    Claim {
        id: "VP-Fig2-after-h1",
        place: "Fig. 2",
        statement: "Relative error of lambda after the projection, h = 1e-3",
        expected: Value::Number(0.3050),
        note: LEVEL,
        measure: |lab| Ok(lab.errors(&projected(), AFTER)?.lambda),
        verdict: Verdict::Undetermined,
        ..VP
    },
    Claim {
        id: "VP-Fig2-after-h05",
        place: "Fig. 2",
        statement: "Relative error of lambda after the projection, h = 5e-4",
        expected: Value::Number(0.1431),
        note: LEVEL,
        measure: |lab| Ok(lab.errors(&projected().h(5e-4), AFTER)?.lambda),
        verdict: Verdict::Undetermined,
        ..VP
    },
    Claim {
        id: "VP-Fig2-after-order",
        place: "Fig. 2",
        statement: "Order of lambda on [0, 1] with the projection at 0.7",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.03),
        tolerance: 0.05,
        note: "Observed order between h = 2.5e-4 and 1.25e-4; expected value from a second program \
               (bench/papers).",
        measure: |lab| lab.order(&projected(), 2.5e-4, lambda(WHOLE)),
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-damped",
        place: "Sec. 3",
        statement: "Oscillations after a projection gone after about 100 steps: steps until they stay below \
                    1 % of their peak",
        paper_value: Value::Number(100.0),
        expected: Value::Number(89.0),
        tolerance: 0.04,
        source: Source::Theory,
        verdict: Verdict::Undetermined,
        note: "The paper does not say which part of the peak is left: 1 % after 89 steps by LA (53).",
        measure: |lab| {
            let smooth = lab.run(&index3(TOP, TABLE_2).h(2.5e-4))?;
            let rough = lab.run(&projected().h(2.5e-4))?;
            Ok(rough.steps_to(&smooth, 2800, 0.01) as f64)
        },
        ..VP
    },
    Claim {
        id: "VP-restart",
        place: "Abstract, Sec. 3",
        statement: "A velocity projection causes order reduction: order of lambda on [0.7, 1] if the \
                    method starts again after it, with the projected velocities and a_n by Table 1",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "The missing residual B v = O(h^2) costs the order, as the paper says, not the history of \
               the method.",
        measure: |lab| {
            let setup = index3(TOP, TABLE_2).projected(T_STAR, Restart::Start);
            lab.order(&setup, 2.5e-4, lambda(AFTER))
        },
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-restart-residual",
        place: "Sec. 3",
        statement: "The projection eliminates B v at t = 0.7: |B v| there, also if the method starts \
                    again, h = 1e-3",
        expected: Value::AtMost(1e-12),
        source: Source::Theory,
        note: "Without a projection it is 1.65e-2.",
        measure: |lab| {
            let setup = index3(TOP, TABLE_2).projected(T_STAR, Restart::Start);
            let trace = lab.run(&setup)?;
            Ok(trace.bv(700))
        },
        ..VP
    },
    Claim {
        id: "VP-undone",
        place: "Sec. 3",
        statement: "Projected velocities with the start of Table 2 after them: |B v| at t = 0.7 over that \
                    without any projection, h = 1e-3",
        expected: Value::Number(1.0),
        tolerance: 0.01,
        verdict: Verdict::Beyond,
        source: Source::Theory,
        note: "Table 2 puts the residual back that the projection has removed. The order of lambda is 2 \
               then, but nothing is projected any more, so precess starts with Table 1 after a projection.",
        measure: |_| undone(),
        ..VP
    },
    Claim {
        id: "VP-stabilized",
        place: "Sec. 3",
        statement: "In stabilized index-2 form a velocity projection costs no order: lambda on [0.7, 1], \
                    start by Table 1",
        expected: Value::Number(2.0),
        verdict: Verdict::Beyond,
        source: Source::Theory,
        note: "There is no residual to remove; observed order between h = 5e-4 and 2.5e-4.",
        measure: |lab| {
            let mut setup = Setup::new(TOP, Form::StabilizedIndex2, TABLE_1);
            setup = setup.projected(T_STAR, Restart::Start);
            lab.order(&setup, 5e-4, lambda(AFTER))
        },
        ..VP
    },
    Claim {
        id: "VP-6-increment",
        place: "(6), Sec. 3",
        statement: "The projection of q moves it by the local error O(h^3): order of |Phi| after one step \
                    in index-2 form",
        paper_value: Value::Number(3.0),
        expected: Value::Number(3.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "Between h = 1e-3 and 5e-4; |Phi| is the size of the increment up to a constant.",
        measure: |lab| first_step(lab, Form::Index2, |t| t.phi(1)),
        ..VP
    },
    Claim {
        id: "VP-7-increment",
        place: "(7), Sec. 3",
        statement: "The projection of v moves it by O(h^3): order of |B v| after one step in index-1 form",
        paper_value: Value::Number(3.0),
        expected: Value::Number(3.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "Between h = 1e-3 and 5e-4.",
        measure: |lab| first_step(lab, Form::Index1, |t| t.bv(1)),
        ..VP
    },
    Claim {
        id: "VP-bound",
        place: "Sec. 3",
        statement: "|lambda(t_n) - lambda_n| <= C (n^2 rho^n h + h^2) after the projection: step n of the \
                    largest error of lambda, h = 2.5e-4",
        expected: Value::Between(12.0, 22.0),
        source: Source::Theory,
        note: "n^2 rho^n has its maximum at n = -2/ln rho = 19; that of c_n in LA (53) is at 15.",
        measure: |lab| {
            let trace = lab.run(&projected().h(2.5e-4))?;
            let error = |n: &usize| trace.lambda_relative(2800 + n);
            let largest = (1..200).max_by(|a, b| error(a).total_cmp(&error(b)));
            Ok(largest.map_or(f64::NAN, |n| n as f64))
        },
        ..VP
    },
    Claim {
        id: "VP-Eq8-radius",
        place: "Eq. (8)",
        statement: "Spectral radius of the error recursion is rho_inf, here 0.9",
        paper_value: Value::Number(0.9),
        expected: Value::Number(0.9),
        tolerance: 1e-4,
        source: Source::Theory,
        note: "Same matrix as in LA (95) with its first two unknowns exchanged.",
        by: By::Formula,
        measure: |_| {
            let t = Recursion::index3(&Alpha::from_rho(0.9)?).matrix()?;
            Ok(spectral_radius(&t))
        },
        ..VP
    },
    Claim {
        id: "VP-Eq8-sign",
        place: "Eq. (8)",
        statement: "B v_n / h and h B r cancel to first order in the first component of E_n: factor kappa \
                    in B v_n = kappa h^2 B r",
        paper_value: Value::Number(-1.0),
        expected: Value::Number(1.0),
        tolerance: 0.01,
        verdict: Verdict::Corrected,
        source: Source::Theory,
        note: "B v_n enters E_n with a minus sign, as LA (139) and (142) have it: v_n is subtracted in an \
               error.",
        measure: residual_factor,
        ..VP
    },
    Claim {
        id: "VP-drift-index2",
        place: "Sec. 3",
        statement: "Index-2: |Phi| grows linearly; largest component up to 20 s over that up to 10 s, h = \
                    1e-3",
        paper_value: Value::Number(2.0),
        expected: Value::Number(1.0),
        tolerance: 0.05,
        verdict: Verdict::Corrected,
        source: Source::Theory,
        note: "Linear growth is an upper bound: the drift of the heavy top is bounded, with both \
               constraints.",
        measure: |lab| Ok(drift(lab, Form::Index2, 20.0)? / drift(lab, Form::Index2, 10.0)?),
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-drift-index2-level",
        place: "Sec. 3",
        statement: "Index-2: largest component of Phi up to 10 s, h = 1e-3",
        expected: Value::Number(7.538e-3),
        note: "The paper states the growth only, without a number; expected value from a second program, \
               bench/papers.",
        measure: |lab| drift(lab, Form::Index2, 10.0),
        quick: false,
        verdict: Verdict::Beyond,
        ..VP
    },
    Claim {
        id: "VP-drift-index1",
        place: "Sec. 3",
        statement: "Index-1: |Phi| grows quadratically; largest component up to 20 s over that up to 10 s, \
                    h = 1e-3",
        paper_value: Value::Number(4.0),
        expected: Value::Number(3.998),
        tolerance: 0.01,
        note: "True for the constraint of this paper; with that of LA the drift is slower than linear.",
        measure: |lab| Ok(drift(lab, Form::Index1, 20.0)? / drift(lab, Form::Index1, 10.0)?),
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-drift-index1-late",
        place: "Sec. 3",
        statement: "Index-1: the same for 4 s over 2 s, where terms of first order still count",
        paper_value: Value::Number(4.0),
        expected: Value::Number(4.907 / 1.278),
        tolerance: 0.01,
        note: "Quadratic growth is reached after some seconds: 3.25 from 1 to 2 s, 3.84 here, 4.00 from 10 \
               to 20 s.",
        measure: |lab| Ok(drift(lab, Form::Index1, 4.0)? / drift(lab, Form::Index1, 2.0)?),
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-drift-index1-level",
        place: "Sec. 3",
        statement: "Index-1: largest component of Phi up to 1 s, h = 1e-3",
        expected: Value::Number(0.393),
        note: "The paper states the growth only, without a number; expected value from a second program, \
               bench/papers.",
        measure: |lab| drift(lab, Form::Index1, 1.0),
        quick: false,
        verdict: Verdict::Beyond,
        ..VP
    },
    Claim {
        id: "VP-drift-frames",
        place: "Appendix A.1d",
        statement: "With Phi = X - R^T x of LA the index-1 drift is another one: largest |Phi| in the tenth \
                    second over the first",
        expected: Value::Number(1.6791e-1 / 2.5066e-2),
        tolerance: 0.01,
        verdict: Verdict::Beyond,
        note: "Slower than linear: which constraint a paper uses decides about its drift; expected value \
               from a second program (bench/papers).",
        measure: |lab| {
            let setup = Setup::new(super::la::R3SO3, Form::Index1, Classical).until(10.0);
            Ok(lab.errors(&setup, (9.0, 10.0))?.phi / lab.errors(&setup, (0.0, 1.0))?.phi)
        },
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-index2-projected",
        place: "Sec. 3",
        statement: "Index-2 with a projection of q in every step keeps order 2: lambda on [0, 1]",
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: "Observed order between h = 2.5e-4 and 1.25e-4, start by Table 1; the classical start has a \
               transient of order 1.",
        measure: |lab| {
            let setup = projected_always(Form::Index2, When::EveryStep, When::Never);
            lab.order(&setup, 2.5e-4, lambda(WHOLE))
        },
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-index1-projected",
        place: "Sec. 3",
        statement: "Index-1 with projections of q and v in every step keeps order 2: lambda on [0, 1]",
        expected: Value::Number(2.0),
        tolerance: 0.05,
        source: Source::Theory,
        note: "Observed order between h = 2.5e-4 and 1.25e-4, on its way to 2.",
        measure: |lab| {
            let setup = projected_always(Form::Index1, When::EveryStep, When::EveryStep);
            lab.order(&setup, 2.5e-4, lambda(WHOLE))
        },
        quick: false,
        ..VP
    },
    Claim {
        id: "VP-index3-projected",
        place: "Sec. 3",
        statement: "Index-3 with a projection of v in every step: the first-order error of lambda comes \
                    back each time, order on [0, 1]",
        expected: Value::Number(1.0),
        source: Source::Theory,
        verdict: Verdict::Beyond,
        note: "Not run in the paper; observed order between h = 5e-4 and 2.5e-4, follows from (8), where \
               every projection renews E_n = O(h).",
        measure: |lab| {
            let setup = projected_always(Form::Index3, When::Never, When::EveryStep);
            lab.order(&setup, 5e-4, lambda(WHOLE))
        },
        ..VP
    },
];
