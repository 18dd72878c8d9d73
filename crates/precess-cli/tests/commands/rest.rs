//! Mechanisms that rest: a run from an equilibrium exchanges no energy, and its results can be trusted.

use crate::common::{directory, numbers, precess, text};

#[test]
fn a_run_from_an_equilibrium_stays_there() {
    let folder = directory("rest");
    for (name, until) in
        [("rotor", "0.05"), ("squeezer", "0.05"), ("chain", "0.5"), ("double_pendulum", "0.5")]
    {
        let rest = folder.join(format!("{name}.toml"));
        precess(&["equilibrium", &format!("models/{name}.toml"), "-o", text(&rest)]).done();
        for tol in ["1e-4", "1e-6", "1e-8"] {
            let run = ["run", text(&rest), "--until", until, "--tol", tol, "--json"];
            let ran = precess(&run).done().json();
            assert!(ran["trust"]["untrusted"].is_null(), "{name}: {}", ran["trust"]);
            let bodies = ran["bodies"].as_object().unwrap();
            assert!(!bodies.is_empty());
            for (body, state) in bodies {
                let v = numbers(&state["velocity"]);
                assert!(v.iter().all(|v| v.abs() < 1e-9), "{name}, {body}: {v:?}");
            }
        }
    }
}
