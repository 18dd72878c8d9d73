//! Tables as text.

use std::borrow::Cow;

/// Columns as wide as their widest cell: the first `left` ones aligned to the left, the others to the right.
pub fn aligned(head: &[String], rows: &[Vec<String>], left: usize) -> String {
    let width = |i: usize| {
        rows.iter()
            .chain([&head.to_vec()])
            .filter_map(|r| r.get(i))
            .map(|c| c.chars().count())
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .zip(&widths)
            .enumerate()
            .map(|(i, (c, &w))| if i < left { format!("{c:<w$}") } else { format!("{c:>w$}") })
            .collect();
        cells.join("  ").trim_end().to_string() + "\n"
    };
    line(head) + &rows.iter().map(|r| line(r)).collect::<String>()
}

/// Six digits, as many as a column can show.
pub fn six_digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-3..1e6).contains(&size) {
        let decimals = if x == 0.0 { 0 } else { (5 - size.log10().floor() as i32).clamp(0, 8) as usize };
        format!("{x:.decimals$}")
    } else {
        format!("{x:.5e}")
    }
}

/// A cell that a spreadsheet shows as text: one that looks like a formula gets an apostrophe before it.
pub fn no_formula(cell: &str) -> Cow<'_, str> {
    match cell.starts_with(['=', '+', '-', '@', '\t', '\r']) && cell.parse::<f64>().is_err() {
        true => Cow::Owned(format!("'{cell}")),
        false => Cow::Borrowed(cell),
    }
}

/// Comma-separated values as in RFC 4180, without formulas.
pub fn csv(head: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let cell = |c: &String| match no_formula(c) {
        c if c.contains([',', '"', '\n', '\r']) => format!("\"{}\"", c.replace('"', "\"\"")),
        c => c.into_owned(),
    };
    let line = |cells: &[String]| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    line(head) + &rows.into_iter().map(|r| line(&r)).collect::<String>()
}

/// Up to this number, all names are listed.
const LISTED_NAMES: usize = 8;
/// Otherwise this number of names is listed.
const FIRST_NAMES: usize = 4;

/// Names for a sentence, each with its kind: up to eight of them. Of more, the first four, the number of the
/// others, and the number of each kind.
pub fn few(names: &[(String, String)]) -> String {
    let list = |n: usize| names.iter().take(n).map(|x| x.0.as_str()).collect::<Vec<_>>().join(", ");
    if names.len() <= LISTED_NAMES {
        return list(LISTED_NAMES);
    }
    let mut kinds: Vec<(&str, usize)> = Vec::new();
    for (_, kind) in names {
        match kinds.iter_mut().find(|k| k.0 == kind) {
            Some(k) => k.1 += 1,
            None => kinds.push((kind, 1)),
        }
    }
    let kinds: Vec<String> = kinds.iter().map(|(kind, n)| format!("{n} {kind}")).collect();
    format!("{} and {} more ({} in all)", list(FIRST_NAMES), names.len() - FIRST_NAMES, kinds.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<String> {
        text.split('|').map(String::from).collect()
    }

    #[test]
    fn long_lists_are_counted() {
        let names = |n: usize| -> Vec<(String, String)> {
            (0..n).map(|i| (format!("j{i}"), if i % 3 == 0 { "fixed" } else { "revolute" }.into())).collect()
        };
        assert_eq!(few(&names(2)), "j0, j1");
        assert_eq!(few(&names(8)), "j0, j1, j2, j3, j4, j5, j6, j7");
        let many = few(&names(121));
        assert_eq!(many, "j0, j1, j2, j3 and 117 more (41 fixed, 80 revolute in all)");
    }

    #[test]
    fn tables() {
        let rows = [cells("a|1"), cells("longer|20")];
        assert_eq!(aligned(&cells("n|x"), &rows, 1), "n        x\na        1\nlonger  20\n");
        let formulas = csv(&cells("=cmd|+x"), [cells("-1.5|@SUM(A1),2"), cells("-inf|-x")]);
        assert_eq!(formulas, "'=cmd,'+x\n-1.5,\"'@SUM(A1),2\"\n-inf,'-x\n");
        assert_eq!(csv(&cells("a|b"), [cells("x,y|say \"no\"")]), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n");
    }
}
