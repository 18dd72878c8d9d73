//! Laws of which a part bends, but not the whole: they run as the smooth laws that they equal.

use precess::integrate::InitialValues;
use precess::methods::adaptive_method;
use precess::model::{build, load};

fn rope(law: &str) -> String {
    format!(
        "[points]\nO = [0, 0, 0]\n[[body]]\nname = \"a\"\ntype = \"point\"\nmass = 1\nposition = [1.5, 0, \
         0]\nvelocity = [1, 0.1, 0]\n[[force]]\nname = \"f\"\ntype = \"actuator\"\nalong = \"distance(O, \
         a)\"\nvalue = \"{law}\"\n[run]\nuntil = 3\n[integrator]\ntol = 1e-8\n"
    )
}

fn end_of(law: &str) -> [f64; 2] {
    let loaded = load("rope.toml", &rope(law), &[]).unwrap_or_else(|e| panic!("{law}: {e}"));
    let built = build(&loaded.model, loaded.settings.formulation).unwrap();
    let mut state = InitialValues::new(&built.q, &built.v).consistent(&*built.system).unwrap();
    let s = &loaded.settings;
    let mut method = adaptive_method(&s.method, &s.options, s.tolerance.unwrap()).unwrap();
    let run = s.adaptive_run().unwrap();
    run.run(&*built.system, &mut *method, &mut state, &mut ()).unwrap_or_else(|e| panic!("{law}: {e}"));
    [state.q[0], state.q[1]]
}

#[test]
fn laws_that_do_not_bend_as_a_whole_run() {
    for (given, same) in [
        ("-5*abs(x-2)*(x-2)", "-5*sqrt((x-2)^2)*(x-2)"),
        ("-5*max(0, x-2)^2", "-5*(0.5*(x-2 + sqrt((x-2)^2)))^2"),
        ("-5*if(x > 2, (x-2)^2, 0)", "-5*max(0, x-2)^2"),
    ] {
        let (a, b) = (end_of(given), end_of(same));
        let off = (a[0] - b[0]).hypot(a[1] - b[1]);
        assert!(off < 1e-6, "{given}: {a:?} instead of {b:?}");
    }
    for law in ["-5*abs(x-2)", "-5*max(0, x-2)", "-if(x > 2, (x-2)^2, 1)"] {
        let said = load("rope.toml", &rope(law), &[]).map(|_| ()).unwrap_err().to_string();
        assert!(said.contains("continuous derivatives") || said.contains("do not meet"), "{law}: {said}");
    }
}

/// A ninth signal in a force is one mistake, with one message.
#[test]
fn a_ninth_signal_is_one_mistake() {
    let mut text = String::new();
    for i in 0..9 {
        text += &format!(
            "[[body]]\nname = \"b{i}\"\ntype = \"point\"\nmass = 1\nposition = [{i}, 0, 0]\n[[sensor]]\nname = \
             \"p{i}\"\ntype = \"position\"\nbody = \"b{i}\"\n"
        );
    }
    let sum: Vec<String> = (0..9).map(|i| format!("p{i}.x")).collect();
    let force = |sum: &str| {
        format!("{text}[[force]]\nname = \"f\"\ntype = \"force\"\nbody = \"b0\"\nforce = [\"{sum}\", 0, 0]\n")
    };
    assert!(load("eight.toml", &force(&sum[..8].join("+")), &[]).is_ok());
    let said = load("nine.toml", &force(&sum.join("+")), &[]).map(|_| ()).unwrap_err().to_string();
    assert!(said.contains("at most 8 signals") && !said.contains("unknown"), "{said}");
    assert_eq!(said.matches("error").count(), 1, "{said}");
}
