//! The sigma keys of model files.

use precess::integrate::{EtaTerm, Predictor, Sigma, Variant};
use precess::model::{Settings, load};

const BODY: &str = "[[body]]\nname = \"b\"\nmass = 1.0\ninertia = [1.0, 1.0, 1.0]\n";

fn settings(keys: &str) -> Result<Settings, String> {
    load("m.toml", &format!("{BODY}[integrator]\n{keys}"), &[]).map(|l| l.settings).map_err(|e| e.to_string())
}

#[test]
fn keys_become_options() {
    let options = settings("").unwrap().options;
    assert_eq!(options.modification.sigma, Sigma::Value(0.0));
    let text = "sigma = \"optimal\"\nsigma_variant = \"published\"\nsigma_predictor = 0.5\neta_term = \
                \"tangent\"\n\
                predictor = \"extrapolate\"\n";
    let options = settings(text).unwrap().options;
    assert_eq!(options.modification.sigma, Sigma::Optimal);
    assert_eq!(options.modification.variant, Variant::Published);
    assert_eq!(options.modification.predictor_factor, 0.5);
    assert_eq!(options.modification.eta_term, EtaTerm::Tangent);
    assert_eq!(options.predictor, Predictor::Extrapolate);
    for (text, value) in [("sigma = 1", 1.0), ("sigma = \"2/3\"", 2.0 / 3.0)] {
        assert_eq!(settings(text).unwrap().options.modification.sigma, Sigma::Value(value));
    }
}

#[test]
fn mistakes_are_named() {
    for (text, words) in [
        ("sigma = \"optimum\"", "optimum"),
        ("sigma_variant = \"publised\"", "published"),
        ("eta_term = \"none\"", "tangent"),
        ("predictor = \"linear\"", "extrapolate"),
    ] {
        let message = settings(text).unwrap_err();
        assert!(message.contains(words), "{text}: {message}");
    }
}
