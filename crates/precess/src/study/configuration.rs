//! Methods with their options as single words, and lists of numbers, as users type them.

#![deny(clippy::indexing_slicing, clippy::string_slice)]

use crate::Error;
use crate::methods::METHODS;
use crate::model::{Diagnostics, Files, Loaded, load_with};

/// A method and options that replace those of a model file: `gen-alpha`, `bliedf:k=4`,
/// `gen-alpha:sigma=1,sigma_variant=published`, `:rho=0.8` (the method of the file),
/// `geom1=gen-alpha:sigma=0` (with a name for tables and pictures). Options are the keys of `[integrator]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration {
    /// Name in tables: the given one, or the word itself.
    pub label: String,
    /// Overrides of the model file, `integrator.key=value`.
    pub overrides: Vec<String>,
}

impl Configuration {
    /// Reads a word. [`load`](Self::load) checks whether the options exist.
    pub fn parse(word: &str) -> Result<Self, Error> {
        let word = word.trim();
        let (head, options) = word.split_once(':').unwrap_or((word, ""));
        let (label, method) = match head.split_once('=') {
            Some((label, method)) => (label.trim(), method.trim()),
            None => (if head.is_empty() { word } else { "" }, head),
        };
        let label = if label.is_empty() { word } else { label };
        let mut overrides = Vec::new();
        if !method.is_empty() {
            if !METHODS.iter().any(|m| m.name == method) {
                return Err(Error::unknown_name("method", method, METHODS.iter().map(|m| m.name)));
            }
            overrides.push(format!("integrator.method={method}"));
        }
        for option in options.split(',').filter(|o| !o.trim().is_empty()) {
            overrides.push(format!("integrator.{}", option.trim()));
        }
        Ok(Configuration { label: label.to_string(), overrides })
    }

    /// The model of a file with this configuration; `overrides` come before it.
    pub fn load(&self, file_name: &str, text: &str, overrides: &[String]) -> Result<Loaded, Diagnostics> {
        self.load_with(file_name, text, overrides, Files::next_to(file_name))
    }

    /// The same for a model whose tables, meshes and parts are in `files`.
    pub fn load_with(
        &self,
        file_name: &str,
        text: &str,
        overrides: &[String],
        files: Files,
    ) -> Result<Loaded, Diagnostics> {
        load_with(file_name, text, &[overrides, &self.overrides].concat(), files)
    }
}

/// Keys of `[integrator]` in a model file.
pub(crate) const INTEGRATOR_KEYS: [&str; 33] = [
    "method",
    "form",
    "formulation",
    "rho",
    "hht",
    "alpha_m",
    "alpha_f",
    "beta",
    "gamma",
    "start",
    "eta",
    "k",
    "correction",
    "sigma",
    "sigma_variant",
    "sigma_predictor",
    "eta_term",
    "predictor",
    "newton",
    "newton_tolerance",
    "solver",
    "theta",
    "vartheta",
    "variant",
    "guess",
    "max_iterations",
    "tol",
    "atol_rotation",
    "atol_position",
    "atol_angular_velocity",
    "atol_velocity",
    "max_order",
    "recovery",
];

/// Spacing of numbers between two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Equal differences.
    Linear,
    /// Equal ratios.
    Geometric,
}

/// n numbers from one end to the other, including both exactly.
pub fn spaced(from: f64, to: f64, n: usize, spacing: Spacing) -> Vec<f64> {
    (0..n)
        .map(|i| match (i, spacing) {
            (0, _) => from,
            _ if i + 1 == n => to,
            (_, Spacing::Linear) => from + (to - from) * (i as f64 / (n - 1) as f64),
            (_, Spacing::Geometric) => from * (to / from).powf(i as f64 / (n - 1) as f64),
        })
        .collect()
}

/// Step sizes: `1e-3,5e-4`, or `1e-3:1e-5:7` for seven in equal ratios, or `1e-3:1e-5` for halvings. Largest
/// first.
pub fn steps(text: &str) -> Result<Vec<f64>, String> {
    const HELP: &str = "write step sizes as 1e-3,5e-4 or 1e-3:1e-5:7 (equal ratios) or 1e-3:1e-5 (halvings)";
    let positive = |x: &str| match x.trim().parse::<f64>() {
        Ok(h) if h > 0.0 && h.is_finite() => Ok(h),
        _ => Err(format!("'{x}' is not a positive number of seconds; {HELP}")),
    };
    let parts: Vec<&str> = text.split(':').collect();
    let mut list = match parts[..] {
        [_] => {
            text.split(',').filter(|x| !x.trim().is_empty()).map(positive).collect::<Result<Vec<_>, _>>()?
        }
        [from, to] => {
            let (a, b) = (positive(from)?, positive(to)?);
            let (mut h, smallest) = (a.max(b), a.min(b) * (1.0 - 1e-9));
            let mut list = Vec::new();
            while h >= smallest {
                list.push(h);
                h *= 0.5;
            }
            list
        }
        [from, to, n] => {
            let n = count(n)?;
            spaced(positive(from)?, positive(to)?, n, Spacing::Geometric)
        }
        _ => return Err(format!("'{text}' has too many colons; {HELP}")),
    };
    list.sort_unstable_by(f64::total_cmp);
    list.reverse();
    list.dedup();
    if list.is_empty() { Err(format!("there are no step sizes; {HELP}")) } else { Ok(list) }
}

/// A number of values from 2 to 1000000.
pub(super) fn count(text: &str) -> Result<usize, String> {
    match text.trim().parse::<usize>() {
        Ok(n) if (2..=1_000_000).contains(&n) => Ok(n),
        _ => Err(format!("'{text}' is not a number of values from 2 to 1000000")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_overrides() {
        let c = Configuration::parse("gen-alpha:sigma=1, rho=0.65").unwrap();
        assert_eq!(c.label, "gen-alpha:sigma=1, rho=0.65");
        assert_eq!(c.overrides, ["integrator.method=gen-alpha", "integrator.sigma=1", "integrator.rho=0.65"]);
        let c = Configuration::parse("geom1=gen-alpha:sigma=0").unwrap();
        assert_eq!((c.label.as_str(), c.overrides.len()), ("geom1", 2));
        let c = Configuration::parse(":rho=0.5").unwrap();
        assert_eq!(
            (c.label.as_str(), &c.overrides[..]),
            (":rho=0.5", &["integrator.rho=0.5".to_string()][..])
        );
        let e = Configuration::parse("gen-alfa:rho=1").unwrap_err();
        assert!(e.to_string().contains("did you mean 'gen-alpha'"), "{e}");
    }

    #[test]
    fn keys_are_those_of_model_files() {
        let body = "[[body]]\nname = \"b\"\nmass = 1\ninertia = [1, 1, 1]\n[integrator]\n";
        let message = |key: &str| {
            crate::model::load("m.toml", &format!("{body}{key} = 1\n"), &[])
                .map_or_else(|e| e.to_string(), |_| String::new())
        };
        for key in INTEGRATOR_KEYS {
            assert!(!message(key).contains("unknown key"), "{}", message(key));
        }
        // The message names all of them.
        let all = message("none_of_them");
        for key in INTEGRATOR_KEYS {
            assert!(all.contains(key), "{all}");
        }
    }

    #[test]
    fn lists_of_steps() {
        assert_eq!(steps("5e-4,1e-3").unwrap(), [1e-3, 5e-4]);
        assert_eq!(steps("8e-3:1e-3").unwrap(), [8e-3, 4e-3, 2e-3, 1e-3]);
        let geometric = steps("1e-3:1e-5:3").unwrap();
        assert_eq!((geometric[0], geometric[2]), (1e-3, 1e-5));
        assert!((geometric[1] / 1e-4 - 1.0).abs() < 1e-14);
        for wrong in ["", "0", "-1", "a", "1e-3:1e-5:1", "1:2:3:4", "nan"] {
            assert!(steps(wrong).is_err(), "{wrong}");
        }
    }
}
