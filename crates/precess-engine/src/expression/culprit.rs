//! Finds the source of a value that is not a number while a model runs, in the words of its file.

use super::jet::Jet;
use super::tokens::{Token, Tokens};
use super::{Expression, Names};

/// Data that an expression with bound parameters no longer has: parameter values, and the original texts of
/// its variables.
#[derive(Clone, Debug, Default)]
pub struct ExpressionSource {
    parameters: Vec<(String, f64)>,
    words: Vec<(String, String)>,
}

impl ExpressionSource {
    /// From pairs of a variable and its original text.
    pub fn of_words(words: Vec<(String, String)>) -> Self {
        ExpressionSource { words, ..ExpressionSource::default() }
    }

    /// Adds the parameters of an expression.
    pub fn with_parameters(self, expression: &Expression, names: &Names) -> Self {
        let uses = |name: &String| expression.var_names().contains(name);
        let parameters = names.iter().filter(|(name, _)| uses(name)).map(|(name, x)| (name.clone(), *x));
        ExpressionSource { parameters: parameters.collect(), ..self }
    }

    /// A text in the words of the file.
    pub fn shown(&self, text: &str) -> String {
        // Reversed, because variable 10 begins like variable 1.
        self.words.iter().rev().fold(text.to_string(), |text, (name, word)| text.replace(name, word))
    }

    /// The expression and the parameters in it.
    pub fn label(&self, expression: &Expression) -> String {
        let text = self.shown(expression.text());
        let used: Vec<String> = self.parameters.iter().map(|(name, x)| format!("{name} = {x}")).collect();
        if used.is_empty() { text } else { format!("{text}, {}", used.join(", ")) }
    }

    /// Its size in bytes.
    pub fn memory(&self) -> usize {
        let parameters = self.parameters.iter().map(|(name, _)| name.len() + size_of::<(String, f64)>());
        let words = self.words.iter().map(|(a, b)| a.len() + b.len() + 2 * size_of::<String>());
        parameters.chain(words).sum()
    }

    /// The smallest part of an expression that has no value although its arguments have one, or no derivative
    /// for one of the `moving` variables; `twice` also tests second ones. Values and moving variables are in
    /// the order of [`Expression::var_names`].
    pub fn culprit(
        &self,
        bound: &Expression,
        values: &[f64],
        moving: &[bool],
        twice: bool,
    ) -> Option<String> {
        let no_value = |part: &Expression| !part.eval(values).is_finite();
        let no_slope = |part: &Expression| {
            let mut seeds = moving.iter().enumerate().filter(|(_, moving)| **moving).map(|(k, _)| k);
            seeds.any(|k| {
                let jet = |(i, x): (usize, &f64)| if i == k { Jet::first(*x) } else { Jet::constant(*x) };
                let jets: Vec<Jet> = values.iter().enumerate().map(jet).collect();
                let y: Jet = part.eval(&jets);
                !y.a.is_finite() || (twice && !y.aa.is_finite())
            })
        };
        let parts = || (0..bound.ops.len()).map(|i| (i, bound.part(i)));
        if no_value(bound) {
            let (i, part) = parts().find(|(_, part)| no_value(part))?;
            let value: f64 = part.eval(values);
            return Some(format!(
                "'{}' is {value}{}",
                self.shown(bound.text_of(i)),
                self.with(bound, i, values)
            ));
        }
        if no_slope(bound) {
            let (i, _) = parts().find(|(_, part)| no_slope(part))?;
            let (text, with) = (self.shown(bound.text_of(i)), self.with(bound, i, values));
            return Some(format!("'{text}' has no derivative{with}"));
        }
        None
    }

    /// Values of the variables and parameters in a part.
    fn with(&self, bound: &Expression, i: usize, values: &[f64]) -> String {
        let mut list: Vec<String> = Vec::new();
        for (name, x) in bound.var_names().iter().zip(values) {
            if bound.uses(i).any(|n| n == name) {
                list.push(format!("{} = {}", self.shown(name), rounded(*x)));
            }
        }
        let text = bound.text_of(i);
        let written = |name: &str| Tokens::of(text).any(|token| token == Token::Word(name));
        list.extend(self.parameters.iter().filter(|(n, _)| written(n)).map(|(n, x)| format!("{n} = {x}")));
        if list.is_empty() { String::new() } else { format!(" with {}", list.join(", ")) }
    }
}

/// Twelve digits are enough for a message.
fn rounded(x: f64) -> f64 {
    format!("{x:.11e}").parse().unwrap_or(x)
}
