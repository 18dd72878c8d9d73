//! Expressions cut into numbers, words and single characters.

use exmex::MatchLiteral;

use super::number::Decimal;

/// A piece of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// A literal such as `1e-3`.
    Number(&'a str),
    /// A name or the word of a function.
    Word(&'a str),
    /// Anything else, white space too.
    Mark(char),
}

/// The tokens of a text, and what is left of it.
pub(super) struct Tokens<'a> {
    /// What was not yet read.
    pub rest: &'a str,
}

impl<'a> Tokens<'a> {
    pub fn of(text: &'a str) -> Self {
        Tokens { rest: text }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let c = self.rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let number = Decimal::is_literal(self.rest);
        let length = match number {
            Some(number) => number.len(),
            None if is_word(c) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
            None => c.len_utf8(),
        };
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(match number {
            Some(_) => Token::Number(taken),
            None if is_word(c) => Token::Word(taken),
            None => Token::Mark(c),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_words_and_the_rest() {
        use Token::*;
        let list: Vec<Token> = Tokens::of("2*ä_1-1e-3x").collect();
        assert_eq!(list, [Number("2"), Mark('*'), Word("ä_1"), Mark('-'), Number("1e-3"), Word("x")]);
        assert_eq!(Tokens::of(".5 ").collect::<Vec<_>>(), [Number(".5"), Mark(' ')]);
    }
}
