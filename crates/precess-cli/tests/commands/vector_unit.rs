//! Processors without a vector unit: the same results but for rounding errors.

use serde_json::Value;

use crate::common::{directory, numbers, precess, precess_with, text};

/// Runs the program as if the processor had no vector unit.
fn without_unit(args: &[&str]) -> Value {
    precess_with(&[("PRECESS_NO_VECTOR_UNIT", "1")], args).done().json()
}

/// Positions in m and forces in N are equal to eight digits.
fn same(a: &Value, b: &Value) {
    for sensor in ["tip", "support force"] {
        let [a, b] = [a, b].map(|x| numbers(&x["sensors"][sensor]));
        assert_eq!(a.len(), 3);
        let equal = a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-8 * (1.0 + b.abs()));
        assert!(equal, "{sensor}: {a:?} {b:?}");
    }
}

/// Large models in all methods: generalized-alpha, a tolerance, energy and momentum.
#[test]
fn results_do_not_need_it() {
    let methods: [&[&str]; 3] = [
        &["--set", "parameters.N=30"],
        &["--set", "parameters.N=30", "--tol", "1e-8"],
        &["--set", "parameters.N=14", "--formulation", "directors", "--method", "em-g"],
    ];
    for more in methods {
        let args = [&["run", "models/chain.toml", "--json", "--until", "0.02"], more].concat();
        let [with, without] = [precess(&args).done().json(), without_unit(&args)];
        same(&without, &with);
        // Other pivots have other rounding errors, so the variable has had its effect.
        #[cfg(target_arch = "x86_64")]
        assert!(!is_x86_feature_detected!("avx2") || without["bodies"] != with["bodies"], "{more:?}");
    }
}

/// A checkpoint of another processor is taken up.
#[test]
fn checkpoints_do_not_need_it() {
    let file = directory("without_unit").join("chain.checkpoint");
    let model = ["run", "models/chain.toml", "--json", "--set", "parameters.N=30"];
    let until = |t: &'static str, more: &[&'static str]| [&model, &["--until", t][..], more].concat();
    let (to_file, chk) = (["--checkpoint"], text(&file));
    precess(&[&until("0.01", &to_file)[..], &[chk]].concat()).done();
    let resumed = without_unit(&[&until("0.02", &to_file)[..], &[chk, "--resume"]].concat());
    same(&resumed, &precess(&until("0.02", &[])).done().json());
}
