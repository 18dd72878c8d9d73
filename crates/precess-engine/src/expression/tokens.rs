//! Splits expressions into numbers, words and single characters.

/// A piece of an expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Token<'a> {
    /// A literal such as `1e-3`.
    Number(&'a str),
    /// A name or the word of a function.
    Word(&'a str),
    /// Anything else, including white space.
    Mark(char),
}

/// The tokens of a text, and its rest.
pub struct Tokens<'a> {
    /// The unread rest.
    pub rest: &'a str,
}

impl<'a> Tokens<'a> {
    /// The tokens of a text.
    pub fn of(text: &'a str) -> Self {
        Tokens { rest: text }
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let c = self.rest.chars().next()?;
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let number = literal(self.rest);
        // Units that are no letters.
        let is_sign = matches!(c, '°' | '%');
        let length = match number {
            Some(number) => number.len(),
            None if is_sign => c.len_utf8(),
            None if is_word(c) => self.rest.find(|c| !is_word(c)).unwrap_or(self.rest.len()),
            None => c.len_utf8(),
        };
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(match number {
            Some(_) => Token::Number(taken),
            None if is_word(c) || is_sign => Token::Word(taken),
            None => Token::Mark(c),
        })
    }
}

/// The number at the beginning of a text, with its exponent.
fn literal(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count())
    };
    let whole = digits(0);
    let mut end = whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            end += 1 + sign + exponent;
        }
    }
    text.get(..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_words_and_the_rest() {
        use Token::*;
        let list: Vec<Token> = Tokens::of("2*ä_1-1e-3x").collect();
        assert_eq!(list, [Number("2"), Mark('*'), Word("ä_1"), Mark('-'), Number("1e-3"), Word("x")]);
        assert_eq!(Tokens::of("5%°").collect::<Vec<_>>(), [Number("5"), Word("%"), Word("°")]);
        assert_eq!(Tokens::of(".5 ").collect::<Vec<_>>(), [Number(".5"), Mark(' ')]);
    }
}
