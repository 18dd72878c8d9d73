//! Values, verdicts and tables of outcomes.

use precess_claims::{Claim, Lab, Outcome, Value, Verdict, differences, markdown, text, wrapped};

#[test]
fn values_refuse_what_they_should() {
    assert!(Value::Number(2.0).accepts(2.05, 0.03));
    assert!(!Value::Number(2.0).accepts(2.07, 0.03));
    assert!(Value::AtMost(1e-10).accepts(-1e-11, 0.0));
    assert!(!Value::AtMost(1e-10).accepts(-2e-10, 0.0));
    assert!(Value::AtLeast(3.0).accepts(3.5, 0.0) && !Value::AtLeast(3.0).accepts(-3.5, 0.0));
    for value in [Value::None, Value::Number(f64::NAN), Value::AtMost(1.0), Value::AtLeast(1.0)] {
        assert!(!value.accepts(f64::NAN, 1.0), "{value:?}");
    }
}

#[test]
fn numbers_are_short() {
    for (x, text) in [
        (0.0, "0"),
        (89.0, "89"),
        (2965.49, "2965"),
        (0.64, "0.6400"),
        (31.932, "31.93"),
        (1.1234e-13, "1.123e-13"),
        (-0.0323, "-0.03230"),
    ] {
        assert_eq!(Value::Number(x).to_string(), text);
    }
}

#[test]
fn failures_and_bars_show_in_the_tables() {
    static WRONG: Claim = Claim {
        id: "X",
        statement: "|Bv| is small",
        expected: Value::AtMost(1.0),
        measure: |_| Ok(2.0),
        ..Claim::of("X")
    };
    let outcome = WRONG.check(&mut Lab::new());
    assert!(!outcome.holds && outcome.changed() && outcome.to_string().starts_with("CHANGED"));
    let table = markdown(std::slice::from_ref(&outcome));
    assert!(table.contains("\\|Bv\\| is small") && table.contains("CHANGED: expected <= 1"));
    assert!(
        text(std::slice::from_ref(&outcome)).contains("CHANGED") && differences(&[outcome]).contains("X (")
    );
}

#[test]
fn a_verdict_changes_when_the_number_or_the_agreement_does() {
    let outcome = |paper_value, expected, verdict, measured| {
        let claim = Claim { paper_value, expected, verdict, ..Claim::of("X") };
        let claim: &'static Claim = Box::leak(Box::new(claim));
        Outcome { claim, measured: Ok(measured), holds: claim.expected.accepts(measured, claim.tolerance) }
    };
    use Value::Number;
    assert!(!outcome(Number(2.0), Number(2.1), Verdict::Reproduced, 2.1).changed());
    assert!(outcome(Number(2.0), Number(2.1), Verdict::Reproduced, 2.3).changed());
    assert!(outcome(Number(2.0), Number(3.0), Verdict::Reproduced, 3.0).changed());
    assert!(!outcome(Number(2.0), Number(3.0), Verdict::Corrected, 3.0).changed());
    assert!(!outcome(Number(2.0), Number(3.0), Verdict::Undetermined, 3.0).changed());
    assert!(outcome(Number(2.0), Number(3.0), Verdict::Undetermined, 2.0).changed());
    assert!(outcome(Number(2.0), Number(2.1), Verdict::NotReproduced, 2.1).changed());
    assert!(!outcome(Value::None, Number(2.1), Verdict::Beyond, 2.1).changed());
    assert!(outcome(Number(2.0), Number(2.1), Verdict::Beyond, 2.1).changed());
}

#[test]
fn only_numbers_of_the_paper_are_reproduced() {
    let verdict = |paper_value| Claim { paper_value, ..Claim::of("X") }.verdict();
    assert_eq!(verdict(Value::Number(2.0)), Verdict::Reproduced);
    for words in [Value::None, Value::AtMost(1.0), Value::AtLeast(1.0), Value::Between(1.0, 2.0)] {
        assert_eq!(verdict(words), Verdict::Consistent);
    }
    assert!(Value::Between(1.0, 2.0).accepts(1.5, 0.0) && !Value::Between(1.0, 2.0).accepts(2.5, 0.0));
}

#[test]
fn statements_are_wrapped_between_words() {
    assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
    assert_eq!(wrapped("a-word-longer-than-that", 5), ["a-word-longer-than-that"]);
}
