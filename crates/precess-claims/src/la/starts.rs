//! Section 4.3: starting values of Tables 1 and 2, heavy top in SO(3)xR^3.

use super::super::{Claim, Source, Value, Verdict};
use super::{LA, PLOT, PROTOTYPE, R3SO3, TABLE_1, TABLE_2, WHOLE};
use super::{index3, lambda, q, stabilized, v};
use precess::integrate::Start::Classical;

const FINE: &str = "Observed order between h = 2.5e-4 and 1.25e-4.";
const MIDDLE: &str = "Observed order between h = 5e-4 and 2.5e-4.";

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "LA-Fig16-left",
        place: "Fig. 16",
        statement: "Stabilized, classical start: largest relative error of lambda_1 on [0, 0.1] in units of \
                    h, h = 1e-3",
        expected: Value::Number(1.154),
        note: "The paper has it in a plot only, whose values its text does not give: an oscillation of 0.64 \
               h on top of a smooth second-order error. Expected value from a second program, bench/papers.",
        measure: |lab| {
            let t = lab.run(&stabilized(R3SO3, Classical))?;
            Ok(t.max((0.0, 0.1), |n| t.lambda_1_relative(n)) / 1e-3)
        },
        verdict: Verdict::Undetermined,
        ..LA
    },
    Claim {
        id: "LA-Fig16-order",
        place: "Fig. 16, Table 1",
        statement: "Stabilized, start by Table 1: order of lambda on [0, 1]",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.01),
        note: "Observed order between h = 2.5e-4 and 1.25e-4, where the classical start has 1.31.",
        measure: |lab| lab.order(&stabilized(R3SO3, TABLE_1), 2.5e-4, lambda(WHOLE)),
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-Fig16-level",
        place: "Table 1",
        statement: "Stabilized, start by Table 1: relative error of lambda on [0, 1], h = 1.25e-4",
        expected: Value::Number(4.517e-5),
        note: "Fig. 16 has larger steps only; expected value from a second program, bench/papers.",
        measure: |lab| Ok(lab.errors(&stabilized(R3SO3, TABLE_1).h(1.25e-4), WHOLE)?.lambda),
        quick: false,
        verdict: Verdict::Beyond,
        ..LA
    },
    Claim {
        id: "LA-Fig17",
        place: "Fig. 17",
        statement: "Index-3: Table 1 alone does not help, ratio of the errors of lambda with and without \
                    it, h = 1e-3",
        paper_value: Value::Number(1.0),
        expected: Value::Number(0.3068 / 0.3063),
        tolerance: 0.003,
        note: PROTOTYPE,
        measure: |lab| {
            let with = lab.errors(&index3(R3SO3, TABLE_1), WHOLE)?.lambda;
            Ok(with / lab.errors(&index3(R3SO3, Classical), WHOLE)?.lambda)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig18",
        place: "Fig. 18",
        statement: "Index-3, start by Table 2: error of lambda_1 at h = 1e-3 is 4 times that at 5e-4",
        paper_value: Value::Number(4.0),
        expected: Value::Number(4.0),
        tolerance: 0.025,
        source: Source::Theory,
        note: "The first-order term is gone.",
        measure: |lab| {
            let order =
                lab.order(&index3(R3SO3, TABLE_2), 1e-3, |t| t.max(WHOLE, |n| t.lambda_1_relative(n)))?;
            Ok(order.exp2())
        },
        ..LA
    },
    Claim {
        id: "LA-Fig19",
        place: "Fig. 19",
        statement: "Index-3, start by Table 2: |B v| has no transient, its maximum on [0, 1] at h = 1e-3",
        expected: Value::Number(2.292e-2),
        note: "Same as after the transient of the classical start; expected value from a second program \
               (bench/papers).",
        measure: |lab| Ok(lab.errors(&index3(R3SO3, TABLE_2), WHOLE)?.bv),
        ..LA
    },
    Claim {
        id: "LA-Fig20",
        place: "Fig. 20",
        statement: "Index-3: errors of lambda, classical start over Table 2, h = 1e-3",
        expected: Value::Number(28.0),
        note: PLOT,
        measure: |lab| {
            let classical = lab.errors(&index3(R3SO3, Classical), WHOLE)?.lambda;
            Ok(classical / lab.errors(&index3(R3SO3, TABLE_2), WHOLE)?.lambda)
        },
        ..LA
    },
    Claim {
        id: "LA-Fig21-left",
        place: "Fig. 21",
        statement: "Index-3, classical start: order of lambda on [0, 1]",
        paper_value: Value::Number(1.0),
        expected: Value::Number(1.02),
        tolerance: 0.05,
        note: "The caption names (56), the plot belongs to (37); order between h = 2.5e-4 and 1.25e-4; \
               expected value from a second program, bench/papers.",
        measure: |lab| lab.order(&index3(R3SO3, Classical), 2.5e-4, lambda(WHOLE)),
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-Fig21-lambda",
        place: "Fig. 21, Table 2, Theorem 4.18",
        statement: "Index-3, start by Table 2: order of lambda on [0, 1]",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: FINE,
        measure: |lab| lab.order(&index3(R3SO3, TABLE_2), 2.5e-4, lambda(WHOLE)),
        quick: false,
        ..LA
    },
    Claim {
        id: "LA-Fig21-q",
        place: "Fig. 21, Table 2, Theorem 4.18",
        statement: "Index-3, start by Table 2: order of q on [0, 1]",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, TABLE_2), 5e-4, q(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Fig21-v",
        place: "Fig. 21, Table 2, Theorem 4.18",
        statement: "Index-3, start by Table 2: order of v on [0, 1]",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, TABLE_2), 5e-4, v(WHOLE)),
        ..LA
    },
    Claim {
        id: "LA-Table2-residual",
        place: "Table 2",
        statement: "The perturbed velocity violates the hidden constraints by O(h^2): order of |B v_0|",
        paper_value: Value::Number(2.0),
        expected: Value::Number(2.0),
        source: Source::Theory,
        note: MIDDLE,
        measure: |lab| lab.order(&index3(R3SO3, TABLE_2), 5e-4, |t| t.bv(0)),
        ..LA
    },
];
