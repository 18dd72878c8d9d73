//! Tables as text.

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

/// Comma-separated values as in RFC 4180.
pub fn csv(head: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let cell = |c: &String| match c.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", c.replace('"', "\"\"")),
        false => c.clone(),
    };
    let line = |cells: &[String]| cells.iter().map(cell).collect::<Vec<_>>().join(",") + "\n";
    line(head) + &rows.into_iter().map(|r| line(&r)).collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<String> {
        text.split('|').map(String::from).collect()
    }

    #[test]
    fn tables() {
        let rows = [cells("a|1"), cells("longer|20")];
        assert_eq!(aligned(&cells("n|x"), &rows, 1), "n        x\na        1\nlonger  20\n");
        assert_eq!(csv(&cells("a|b"), [cells("x,y|say \"no\"")]), "a,b\n\"x,y\",\"say \"\"no\"\"\"\n");
    }
}
