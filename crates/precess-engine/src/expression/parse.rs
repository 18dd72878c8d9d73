//! Reads an expression: operators by priority, functions, units.
//!
//! From weak to strong: `or`, `and`, comparisons, `+`, `-`, `*`, `/`, `^`; operators of the same priority
//! from left to right. A leading minus is a difference from zero, so -x^2 is -(x^2).

use super::functions::{Code, Function};
use super::tokens::{Token, Tokens};
use super::units::{self, Compound};
use super::{Expression, INPUT, MAX_DEPTH, MAX_LENGTH, MAX_PENDING, Op};

/// A token with its position in the text.
#[derive(Clone, Copy)]
struct PlacedToken<'a> {
    token: Token<'a>,
    from: usize,
    to: usize,
}

pub(super) struct Parser<'a> {
    text: &'a str,
    pieces: Vec<PlacedToken<'a>>,
    at: usize,
    depth: usize,
    ops: Vec<Op>,
    names: Vec<String>,
    /// True if a word is the name of a parameter or variable.
    known: &'a dyn Fn(&str) -> bool,
}

/// Priorities of operators of two arguments.
fn priority(symbol: &str) -> Option<(u8, Code, bool)> {
    Some(match symbol {
        "or" | "||" => (0, Code::Or, false),
        "and" | "&&" => (1, Code::And, false),
        "<" => (2, Code::Less, false),
        "<=" => (2, Code::LessEqual, false),
        // The sides are exchanged.
        ">" => (2, Code::Less, true),
        ">=" => (2, Code::LessEqual, true),
        "==" | "=" => (2, Code::Equal, false),
        "!=" => (2, Code::NotEqual, false),
        "+" => (3, Code::Add, false),
        "-" => (4, Code::Subtract, false),
        "*" | "·" => (5, Code::Multiply, false),
        "/" => (6, Code::Divide, false),
        "^" => (7, Code::Power, false),
        _ => return None,
    })
}

/// Priority of sums, which are the sides of a comparison.
const SUM: u8 = 3;

/// True for a number with its unit, such as `5 kN/m`, even if a parameter is called m.
fn is_quantity(text: &str) -> bool {
    let at = text.find(|c: char| c.is_alphabetic() && c != 'e' && c != 'E').unwrap_or(text.len());
    let (number, unit) = text.split_at(at);
    number.trim().parse::<f64>().is_ok() && units::parse(unit).is_ok()
}

impl<'a> Parser<'a> {
    pub fn read(text: &'a str, known: &'a dyn Fn(&str) -> bool) -> Result<Expression, String> {
        if text.len() > MAX_LENGTH {
            return Err(format!(
                "the expression has {} characters, at most {MAX_LENGTH} are read",
                text.len()
            ));
        }
        let mut pieces = Vec::new();
        let mut tokens = Tokens::of(text);
        let mut from = 0;
        while let Some(token) = tokens.next() {
            let to = text.len() - tokens.rest.len();
            if !matches!(token, Token::Mark(c) if c.is_whitespace()) {
                pieces.push(PlacedToken { token, from, to });
            }
            from = to;
        }
        let mut parser = Parser { text, pieces, at: 0, depth: 0, ops: Vec::new(), names: Vec::new(), known };
        parser.group()?;
        if parser.at < parser.pieces.len() {
            return Err(parser.unexpected());
        }
        parser.ambiguous_unit()?;
        let Parser { ops, names, .. } = parser;
        let expression = Expression { text: text.to_string(), ops, names };
        match expression.pending() {
            n if n > MAX_PENDING => Err(format!(
                "the expression '{}' is nested too deeply: {n} values are pending, at most \
                 {MAX_PENDING} are allowed",
                text.trim()
            )),
            _ => Ok(expression),
        }
    }

    fn peek(&self) -> Option<PlacedToken<'a>> {
        self.pieces.get(self.at).copied()
    }

    fn is(&self, mark: char) -> bool {
        matches!(self.peek(), Some(p) if p.token == Token::Mark(mark))
    }

    fn take(&mut self, mark: char) -> bool {
        let found = self.is(mark);
        self.at += usize::from(found);
        found
    }

    fn cannot(&self, why: &str) -> String {
        format!("cannot read the expression '{}': {why}", self.text.trim())
    }

    fn unexpected(&self) -> String {
        match self.peek() {
            None => self.cannot("something is missing at its end"),
            Some(p) => {
                let text = self.text.get(p.from..p.to).unwrap_or("");
                let before = self.at.checked_sub(1).and_then(|i| self.pieces.get(i));
                let operand = before.is_some_and(|p| !matches!(p.token, Token::Mark(c) if c != ')'));
                match p.token {
                    Token::Mark('.') if matches!(before, Some(p) if matches!(p.token, Token::Word(_))) => {
                        self.unknown_path()
                    }
                    Token::Word(_) if operand => {
                        let meant = units::meant(text).map(|unit| format!(", did you mean '{unit}'?"));
                        let meant =
                            meant.as_deref().unwrap_or(", and an operator such as * is missing before it");
                        self.cannot(&format!("'{text}' is not a unit{meant}"))
                    }
                    Token::Mark(',') if self.depth <= 1 => {
                        self.cannot("',' is not expected there; decimals have a point: 1.5")
                    }
                    _ => self.cannot(&format!("'{text}' is not expected there")),
                }
            }
        }
    }

    /// The error for an unknown name with dots.
    fn unknown_path(&self) -> String {
        let in_path = |p: &&PlacedToken| matches!(p.token, Token::Word(_) | Token::Mark('.'));
        let path = self.pieces.iter().skip(self.at.saturating_sub(1)).take_while(in_path);
        let path: String = path.map(|p| self.text.get(p.from..p.to).unwrap_or("")).collect();
        format!("unknown name '{path}'")
    }

    fn push(&mut self, code: Code, begin: usize, from: usize) {
        let to = self.at.checked_sub(1).and_then(|i| self.pieces.get(i)).map_or(from, |p| p.to);
        self.ops.push(Op { code, begin, from, to });
    }

    /// An expression that may begin with a sign.
    fn group(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(format!("the expression has parentheses in more than {MAX_DEPTH} levels"));
        }
        self.binary(0)?;
        self.depth -= 1;
        Ok(())
    }

    /// An operator of two arguments: its text and its number of tokens.
    fn operator(&self) -> Option<(&'a str, usize)> {
        let p = self.peek()?;
        let next = self.pieces.get(self.at + 1);
        if let (Token::Mark('<' | '>' | '=' | '!' | '&' | '|'), Some(n)) = (p.token, next)
            && matches!(n.token, Token::Mark('=' | '&' | '|'))
            && n.from == p.to
        {
            return Some((self.text.get(p.from..n.to)?, 2));
        }
        Some((self.text.get(p.from..p.to)?, 1))
    }

    /// Reads operators of at least this priority.
    fn binary(&mut self, least: u8) -> Result<(), String> {
        let begin = self.ops.len();
        let from = self.peek().map_or(self.text.len(), |p| p.from);
        if least <= SUM && self.is('-') {
            self.ops.push(Op { code: Code::Constant(0.0), begin, from, to: from });
        } else {
            if least <= SUM {
                self.take('+');
            }
            self.operand()?;
        }
        while let Some((symbol, length)) = self.operator() {
            let Some((level, code, exchanged)) = priority(symbol).filter(|(level, ..)| *level >= least)
            else {
                break;
            };
            self.at += length;
            if matches!(symbol, "*" | "/" | "+" | "-") && self.is('-') {
                return Err(format!(
                    "'{symbol}-' is ambiguous in '{}': put the negative part into parentheses",
                    self.text.trim()
                ));
            }
            let second = self.ops.len();
            self.binary(level + 1)?;
            if exchanged {
                self.exchange(begin, second);
            }
            self.push(code, begin, from);
        }
        Ok(())
    }

    /// Moves the operations from `second` on before those from `first` on.
    fn exchange(&mut self, first: usize, second: usize) {
        let moved = self.ops.len() - second;
        if let Some(part) = self.ops.get_mut(first..) {
            part.rotate_right(moved);
            for (i, op) in part.iter_mut().enumerate() {
                op.begin = if i < moved { op.begin - (second - first) } else { op.begin + moved };
            }
        }
    }

    /// A number, name, function or parenthesis, with its unit.
    fn operand(&mut self) -> Result<(), String> {
        let Some(p) = self.peek() else { return Err(self.unexpected()) };
        let begin = self.ops.len();
        self.at += 1;
        match p.token {
            Token::Number(text) => {
                let x: f64 = text.parse().map_err(|_| self.cannot(&format!("'{text}' is not a number")))?;
                match self.unit()? {
                    Some(u) => self.push(Code::Quantity(u.to_si(x), u.dimension), begin, p.from),
                    None => self.push(Code::Constant(x), begin, p.from),
                }
                return Ok(());
            }
            Token::Mark('(') => {
                self.group()?;
                if !self.take(')') {
                    return Err(self.cannot("a parenthesis is not closed"));
                }
            }
            // A sign after ^ or a comparison.
            Token::Mark('-') => {
                self.ops.push(Op { code: Code::Constant(0.0), begin, from: p.from, to: p.from });
                self.operand()?;
                self.push(Code::Subtract, begin, p.from);
                return Ok(());
            }
            Token::Word("not") => {
                self.operand()?;
                self.push(Code::Not, begin, p.from);
                return Ok(());
            }
            Token::Word(word) => self.word(word, begin, p.from)?,
            Token::Mark(_) => {
                self.at -= 1;
                return Err(self.unexpected());
            }
        }
        if let Some(u) = self.unit()? {
            let (factor, divide) = if u.times == 1.0 { (u.over, true) } else { (u.to_si(1.0), false) };
            let dimension = if divide { super::Dimension::NONE.over(u.dimension) } else { u.dimension };
            let constant = self.ops.len();
            self.push(Code::Quantity(factor, dimension), constant, p.from);
            self.push(if divide { Code::Divide } else { Code::Multiply }, begin, p.from);
        }
        Ok(())
    }

    fn name(&mut self, name: &str) -> usize {
        self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        })
    }

    /// A name, or a function with its arguments.
    fn word(&mut self, word: &str, begin: usize, from: usize) -> Result<(), String> {
        if let Some(f) = Function::named(word) {
            // One argument needs no parentheses: sin x.
            if !self.is('(') && f.arguments().0 == 1 {
                self.operand()?;
                self.push(Code::Call(f, 1), begin, from);
                return Ok(());
            }
            return self.call(f, begin, from);
        }
        if word == INPUT && self.input(begin, from)? {
            return Ok(());
        }
        if self.is('(') {
            let name = self.name(word);
            self.at += 1;
            self.group()?;
            if !self.take(')') {
                return Err(self.cannot(&format!("'{word}' is not a function; a table has one argument")));
            }
            self.push(Code::Table(name), begin, from);
            return Ok(());
        }
        // Components of vectors: a.x
        let mut name = word.to_string();
        if self.is('.')
            && let Some(PlacedToken { token: Token::Word(component @ ("x" | "y" | "z")), .. }) =
                self.pieces.get(self.at + 1)
        {
            name = format!("{word}.{component}");
            self.at += 2;
        }
        let k = self.name(&name);
        self.push(Code::Variable(k), begin, from);
        Ok(())
    }

    /// `input("name")`: a variable with this text as its name. False if no quotation mark follows.
    fn input(&mut self, begin: usize, from: usize) -> Result<bool, String> {
        let mark = |p: &Self, i: usize| p.pieces.get(p.at + i).map(|x| x.token);
        let Some(Token::Mark(quote @ ('"' | '\''))) = mark(self, 1).filter(|_| self.is('(')) else {
            return Ok(false);
        };
        let start = self.pieces.get(self.at + 1).map_or(0, |p| p.to);
        self.at += 2;
        while self.peek().is_some() && !self.is(quote) {
            self.at += 1;
        }
        let end = self.peek().map_or(start, |p| p.from);
        let name = self.text.get(start..end).unwrap_or("").to_string();
        if !(self.take(quote) && self.take(')')) || name.trim().is_empty() {
            return Err(self.cannot("write input(\"name\")"));
        }
        let k = self.name(&super::input_variable(&name));
        self.push(Code::Variable(k), begin, from);
        Ok(true)
    }

    fn call(&mut self, f: Function, begin: usize, from: usize) -> Result<(), String> {
        let (least, most) = f.arguments();
        let wrong = |p: &Self| p.cannot(&format!("write {}", f.call()));
        if !self.take('(') {
            return Err(wrong(self));
        }
        let mut n = 0;
        loop {
            self.group()?;
            n += 1;
            if self.take(',') {
                continue;
            }
            if self.take(')') {
                break;
            }
            return Err(match self.peek() {
                None => self.cannot("a parenthesis is not closed"),
                Some(_) => self.unexpected(),
            });
        }
        if n < least || n > most {
            return Err(wrong(self));
        }
        self.push(Code::Call(f, n), begin, from);
        Ok(())
    }

    /// A unit after an operand.
    fn unit(&mut self) -> Result<Option<units::Unit>, String> {
        let mut compound = Compound::new();
        let mut any = false;
        loop {
            let divide = any && self.is('/');
            let at = self.at + usize::from(divide);
            let Some(PlacedToken { token: Token::Word(word), .. }) = self.pieces.get(at).copied() else {
                break;
            };
            let follows = self.pieces.get(at + 1).map(|p| p.token);
            let Some(unit) = units::word(word).filter(|_| follows != Some(Token::Mark('('))) else { break };
            if divide && (self.known)(word) && !is_quantity(self.text) {
                return Err(format!(
                    "'{word}' in '{}' is a unit and a name: rename the parameter, or write ( .. )/{word} to \
                     divide by it",
                    self.text.trim()
                ));
            }
            if compound.divided && !divide {
                return Err(format!(
                    "'{word}' after the division in '{}' is ambiguous: write what multiplies first, for \
                     example N s/m",
                    self.text.trim()
                ));
            }
            self.at = at + 1;
            let power = self.power()?;
            compound.push(unit, power, divide);
            any = true;
        }
        Ok(any.then_some(compound.unit))
    }

    /// A whole power after a unit; 1 if there is none.
    fn power(&mut self) -> Result<i32, String> {
        if !self.take('^') {
            return Ok(1);
        }
        let negative = self.take('-');
        let power = match self.peek().map(|p| p.token) {
            Some(Token::Number(text)) => text.parse::<i32>().ok().filter(|n| (0..=9).contains(n)),
            _ => None,
        };
        let power = power.ok_or_else(|| self.cannot("the power of a unit is a whole number"))?;
        self.at += 1;
        Ok(if negative { -power } else { power })
    }

    /// Refuses `a + 30 deg`: the unit could belong to the last number or to the sum, and was read as that of
    /// the sum.
    fn ambiguous_unit(&self) -> Result<(), String> {
        let angle = |p: &PlacedToken| matches!(p.token, Token::Word("deg" | "rad"));
        let units =
            self.pieces.iter().filter(|p| matches!(p.token, Token::Word(w) if units::word(w).is_some()));
        let sum = self.ops.last().is_some_and(|op| matches!(op.code, Code::Add | Code::Subtract));
        let negative = self.ops.first().is_some_and(|op| op.from == op.to);
        let signs = self.pieces.iter().filter(|p| matches!(p.token, Token::Mark('+' | '-'))).count();
        let only_a_sign = negative && signs == 1;
        if sum && !only_a_sign && self.pieces.last().is_some_and(angle) && units.count() == 1 {
            let text = self.text.trim();
            let mut last = self.pieces.iter().rev().map(|p| self.text.get(p.from..p.to).unwrap_or(""));
            let (unit, number) = (last.next().unwrap_or("deg"), last.next().unwrap_or("30"));
            return Err(format!(
                "in '{text}' the unit may belong to the sum or to its last number: write ( .. ) {unit}, or \
                 ({number} {unit}) for the number"
            ));
        }
        Ok(())
    }
}
