//! Options of methods that are neither numbers nor names.

use std::sync::Arc;

use super::Evaluator;
use crate::conserve::{self, Quadrature};
use crate::model::document::Document;
use crate::model::file::QuadratureBlock;

impl Evaluator {
    /// The file with the starting values of `bliedf`.
    pub(crate) fn history(&mut self, document: &Document) -> Option<(String, Arc<[u8]>)> {
        let name = document.file.integrator.history.as_ref()?;
        match document.files().read(name) {
            Ok(bytes) => Some((name.clone(), bytes.into())),
            Err(message) => {
                self.problem("integrator.history", message, "");
                None
            }
        }
    }

    /// The quadratures of `vi-family`.
    pub(crate) fn quadratures(&mut self, document: &Document, options: &mut conserve::ConservingOptions) {
        let i = &document.file.integrator;
        let given = [
            ("lagrangian_quadrature", &i.lagrangian_quadrature),
            ("velocity_quadrature", &i.velocity_quadrature),
            ("position_quadrature", &i.position_quadrature),
        ];
        for (chosen, (name, block)) in options.family.iter_mut().zip(given) {
            let path = format!("integrator.{name}");
            let read = match block {
                None => continue,
                Some(QuadratureBlock::Name(word)) => word.parse(),
                Some(QuadratureBlock::Pairs(pairs)) => {
                    let pairs: Vec<(f64, f64)> = pairs
                        .iter()
                        .enumerate()
                        .map(|(k, [w, x])| {
                            let at = |part: usize| format!("{path}[{k}][{part}]");
                            (self.number(&at(0), w), self.number(&at(1), x))
                        })
                        .collect();
                    Quadrature::new(name, &pairs)
                }
            };
            match read {
                Ok(x) => *chosen = x,
                Err(e) => self.problem(&path, e.to_string(), ""),
            }
        }
        if document.file.integrator.method.as_deref() == Some("vi-family")
            && let Err(e) = options.family_rule()
        {
            self.problem("integrator.position_quadrature", e.to_string(), "");
        }
    }
}
