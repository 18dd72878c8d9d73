//! Adds flags to the advice of the library. Its errors know nothing of the command line.

/// Words of the library, and the flag that does what they advise.
const FLAGS: &[(&str, &str)] = &[
    ("a tolerance instead of a step", "--tol"),
    ("a run with a tenth of the tolerance", "--verify"),
    ("or a fixed step", "--step"),
    ("is for fixed steps", "--step"),
    ("its step is fixed: give a step", "--step"),
    ("leave one of run.step and integrator.tol out", "--step and --tol replace each other"),
    ("use the formulation r3so3", "--formulation r3so3"),
    ("projection onto the constraints", "--fix-initial"),
    ("a checkpoint that precess has written", "--checkpoint"),
    ("start again without one", "leave out --resume"),
    ("continue that run", "--resume"),
    ("a results file of precess", "precess run --out"),
    ("are in the results", "--json or --out FILE"),
    ("or use random points", "--random N or --lhs N"),
    ("give a finer one", "--refine"),
    ("let the robot float", "--floating-base"),
    ("leave the base fixed", "without --floating-base"),
    ("unless it may read others", "--allow-outside"),
    ("all combinations instead of random points", "without --random and --lhs"),
    ("listed in the data", "--json"),
    ("or simulate it", "precess run"),
    ("accept an unstable one", "--kind any"),
    ("search for a stable one", "--kind stable"),
    ("choose another time", "--time"),
    ("the time of the analysis", "--time"),
    ("linearise about an equilibrium", "--at equilibrium"),
    ("linearise about a steady motion", "--at steady"),
    ("stability follows from the modes", "precess modes"),
    ("use the multipliers of a period", "--frame floquet"),
    ("give its period", "--period"),
    ("or choose no frame", "leave --frame out"),
    ("use the fixed frame", "--frame fixed"),
    ("force.NAME.coefficient to zero", "--set force.NAME.coefficient=0"),
    ("which are kept in place", "--keep"),
    ("keep one of them in place", "--keep"),
    ("let the assembly", "precess assemble"),
];

/// Adds flags in brackets to a text of the library.
pub fn with_flags(text: &str) -> String {
    let mut out = text.to_string();
    for (words, flag) in FLAGS {
        out = out.replace(words, &format!("{words} ({flag})"));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::{Path, PathBuf};

    /// Lines of the library that users see: no comments, no tests.
    fn lines(folder: &Path, out: &mut Vec<(PathBuf, String)>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                lines(&path, out);
            } else if path.extension().is_some_and(|e| e == "rs") && !path.ends_with("tests.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let code = text.split("#[cfg(test)]\nmod ").next().unwrap().lines();
                out.extend(
                    code.filter(|l| !l.trim_start().starts_with("//")).map(|l| (path.clone(), l.to_string())),
                );
            }
        }
    }

    fn library() -> Vec<(PathBuf, String)> {
        let mut out = Vec::new();
        for source in
            ["../precess-engine/src", "../precess-conserve/src", "../precess/src", "../precess-view/src"]
        {
            lines(&Path::new(env!("CARGO_MANIFEST_DIR")).join(source), &mut out);
        }
        assert!(out.len() > 10_000, "{} lines", out.len());
        out
    }

    #[test]
    fn flags_follow_what_they_do() {
        let text =
            with_flags("try a smaller step, or a tolerance instead of a step; start again without one");
        let expected = "try a smaller step, or a tolerance instead of a step (--tol); start again without \
                        one (leave out --resume)";
        assert_eq!(text, expected);
    }

    /// The library still contains every text of the table.
    #[test]
    fn the_library_says_all_of_it() {
        // Texts may be broken into lines.
        let text: String = library()
            .iter()
            .flat_map(|(_, line)| [line.trim().trim_end_matches('\\').trim_end().to_string(), " ".into()])
            .collect();
        for (words, _) in FLAGS {
            assert!(text.contains(words), "nobody says '{words}'");
        }
    }

    /// Pages and Python use the library, too: its texts name no flags. Only a sweep writes commands, which
    /// repeat its rows, and a page has a style sheet.
    #[test]
    fn the_library_knows_no_flags() {
        for (path, line) in library() {
            let flag = line.match_indices("--").any(|(i, _)| {
                let before = line[..i].chars().next_back();
                let after = line[i + 2..].chars().next();
                before.is_none_or(|c| " (`\"".contains(c)) && after.is_some_and(|c| c.is_ascii_lowercase())
            });
            let allowed = ["study/sweep/table.rs", "model/reference.rs", "plot/html.rs"]
                .iter()
                .any(|f| path.ends_with(f));
            assert!(!flag || allowed, "{}: {line}", path.display());
        }
    }
}
