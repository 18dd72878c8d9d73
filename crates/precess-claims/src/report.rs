//! Claims and figures on a page: HTML with interactive plots, Markdown with SVG pictures.

use precess_view::plot::html::{Part, escape};
use precess_view::plot::{Figure, html, svg};

use super::figures::Picture;
use super::{Claim, Lab, Outcome, PAPERS, Verdict, expected, markdown};
use precess::Error;
use precess::study::parallel::Workers;

/// A figure of a paper and ours.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The figure of the paper.
    pub picture: &'static Picture,
    /// Ours, or the error; `None` for sketches.
    pub figure: Option<Result<Figure, Error>>,
}

/// Measured claims and drawn figures.
#[derive(Clone, Debug)]
pub struct Report {
    /// Claims.
    pub outcomes: Vec<Outcome>,
    /// Figures.
    pub figures: Vec<Drawn>,
}

enum Job {
    Claim(Outcome),
    Figure(Drawn),
}

impl Report {
    /// Measures and draws with shared runs.
    pub fn new(claims: &[&'static Claim], pictures: &[&'static Picture], workers: Workers) -> Self {
        let lab = Lab::new();
        // Figures first, since they are the longest jobs.
        let jobs = workers.map_with(
            pictures.len() + claims.len(),
            || lab.clone(),
            |lab, i| match pictures.get(i) {
                Some(picture) => Job::Figure(Drawn { picture, figure: picture.draw.map(|draw| draw(lab)) }),
                None => Job::Claim(claims[i - pictures.len()].check(lab)),
            },
        );
        let mut report = Report { outcomes: Vec::new(), figures: Vec::new() };
        for job in jobs {
            match job {
                Job::Claim(outcome) => report.outcomes.push(outcome),
                Job::Figure(drawn) => report.figures.push(drawn),
            }
        }
        report
    }

    /// Number of claims whose verdict changed.
    pub fn changed(&self) -> usize {
        self.outcomes.iter().filter(|o| o.changed()).count()
    }

    /// Figures that could not be drawn.
    pub fn failures(&self) -> impl Iterator<Item = (&'static Picture, &Error)> {
        self.figures.iter().filter_map(|d| match &d.figure {
            Some(Err(e)) => Some((d.picture, e)),
            _ => None,
        })
    }

    /// Names and contents of the pictures.
    pub fn svgs(&self) -> Vec<(String, String)> {
        let drawn =
            self.figures.iter().filter_map(|d| d.figure.as_ref()?.as_ref().ok().map(|f| (d.picture, f)));
        drawn
            .map(|(p, f)| {
                let title = format!("{} {}: {}", p.paper, p.place, p.caption);
                (format!("{}.svg", p.slug()), svg::render(&Figure { title, ..f.clone() }))
            })
            .collect()
    }

    /// Papers in the report: key, title, claims, figures.
    fn papers(&self) -> impl Iterator<Item = (&'static str, &'static str, Vec<Outcome>, Vec<&Drawn>)> {
        PAPERS.iter().filter_map(|p| {
            let outcomes: Vec<_> = self.outcomes.iter().filter(|o| o.claim.paper == p.key).cloned().collect();
            let figures: Vec<_> = self.figures.iter().filter(|d| d.picture.paper == p.key).collect();
            (!outcomes.is_empty() || !figures.is_empty()).then_some((p.key, p.title, outcomes, figures))
        })
    }

    /// Key of a paper, then numbers of claims by verdict, and of those that changed.
    fn counts(&self) -> Vec<(&'static str, [usize; 7])> {
        let papers = self.papers().map(|(key, _, outcomes, _)| {
            let of = |v: Verdict| outcomes.iter().filter(|o| !o.changed() && o.claim.verdict() == v).count();
            let changed = outcomes.iter().filter(|o| o.changed()).count();
            let [a, b, c, d, e, f] = Verdict::ALL.map(of);
            (key, [a, b, c, d, e, f, changed])
        });
        papers.collect()
    }

    /// A Markdown page; pictures are in this folder.
    pub fn markdown(&self, folder: &str) -> String {
        let mut out = format!("# {TITLE}\n\n{INTRODUCTION}\n\n");
        let words = Verdict::ALL.map(|v| v.to_string()).join(" | ");
        out += &format!("| paper | {words} | changed |\n|---|--:|--:|--:|--:|--:|--:|--:|\n");
        for (key, counts) in self.counts() {
            out += &format!("| {key} | {} |\n", counts.map(|n| n.to_string()).join(" | "));
        }
        for (key, title, outcomes, figures) in self.papers() {
            out += &format!("\n## {key}\n\n{title}\n\n{}", markdown(&outcomes));
            for d in figures {
                let p = d.picture;
                out += &format!("\n### {key} {}\n\n{}. {}\n", p.place, p.caption, p.note);
                out += &match &d.figure {
                    None => String::new(),
                    Some(Ok(_)) => format!("\n![{key} {}]({folder}/{}.svg)\n", p.place, p.slug()),
                    Some(Err(e)) => format!("\nNot drawn: {e}\n"),
                };
            }
        }
        out
    }

    /// One page that opens offline.
    pub fn html(&self) -> String {
        let mut text = self.opening();
        // Texts and figures alternate.
        let mut figures: Vec<(String, &Figure)> = Vec::new();
        for (key, title, outcomes, drawn) in self.papers() {
            text += &format!("<h1 id=\"{key}\">{}</h1>\n{}", escape(title), table(&outcomes));
            for d in drawn {
                let p = d.picture;
                text += &format!(
                    "<h3 id=\"{}\">{key} {}: {}</h3>\n<p class=\"agreement\">{}</p>\n",
                    p.slug(),
                    escape(p.place),
                    escape(p.caption),
                    escape(p.note)
                );
                match &d.figure {
                    None => {}
                    Some(Ok(figure)) => {
                        figures.push((std::mem::take(&mut text), figure));
                    }
                    Some(Err(e)) => text += &format!("<p>Not drawn: {}</p>\n", escape(&e.to_string())),
                }
            }
        }
        let mut parts = Vec::new();
        for (before, figure) in &figures {
            parts.extend([Part::Html(before), Part::Figure(figure)]);
        }
        parts.push(Part::Html(&text));
        html::page(TITLE, &parts)
    }

    fn opening(&self) -> String {
        let mut out = format!("<h1>{TITLE}</h1>\n<p>{INTRODUCTION} {HINT}</p>\n<table class=\"claims\">\n");
        let words: String = Verdict::ALL.iter().map(|v| format!("<th>{v}</th>")).collect();
        out += &format!("<tr><th>paper</th>{words}<th>changed</th><th>figures</th></tr>\n");
        for (key, counts) in self.counts() {
            let numbers: String = counts.iter().map(|n| format!("<td class=\"number\">{n}</td>")).collect();
            let figures =
                self.figures.iter().map(|d| d.picture).filter(|p| p.paper == key && p.draw.is_some());
            let number =
                |p: &Picture| p.place.trim_start_matches("Figs. ").trim_start_matches("Fig. ").to_string();
            let links: Vec<String> =
                figures.map(|p| format!("<a href=\"#{}\">{}</a>", p.slug(), number(p))).collect();
            out += &format!(
                "<tr><td><a href=\"#{key}\">{key}</a></td>{numbers}<td>{}</td></tr>\n",
                links.join(", ")
            );
        }
        out + "</table>\n"
    }
}

const TITLE: &str = "What the papers state, measured by precess";
const INTRODUCTION: &str = "Reproduced: the paper gives a number and we get it, within 15 %. Consistent: \
                            the paper says it in words, and an independent value agrees. \
                            Corrected: the statement is wrong or needs a qualification, given in the note. \
                            Not reproduced: stated by the paper, but neither precess nor a second program \
                            shows it. Undetermined: it depends on something that the paper does not give, \
                            or the paper has it in a plot only. \
                            Beyond the paper: the paper does not state it. Changed: the measurement is not \
                            the one recorded in the repository. Expected values come from other programs \
                            that were written from the papers alone (second program: bench/papers and \
                            other files of bench), from theory, or from the paper itself; none comes from \
                            precess. Most measurements run the integrators; (formula) evaluates a formula \
                            or a matrix, and (recorded) reads counts that a command of bench has written. \
                            precess claims --only ID measures one row again.";
const HINT: &str = "Drag in a plot to zoom, double click to see everything, click a name to hide its curve.";

fn table(outcomes: &[Outcome]) -> String {
    let mut out = String::from(
        "<table class=\"claims\">\n<tr><th>id</th><th>place</th><th>statement</th><th>paper's \
         value</th><th>expected \
         (source)</th><th>ours</th><th>tolerance</th><th>verdict</th><th>note</th></tr>\n",
    );
    for o in outcomes {
        let c = o.claim;
        let class = match (o.changed(), c.verdict()) {
            (true, _) => "changed",
            (_, Verdict::Reproduced | Verdict::Consistent) => "reproduced",
            (_, Verdict::Corrected) => "corrected",
            (_, Verdict::NotReproduced | Verdict::Undetermined) => "missing",
            (_, Verdict::Beyond) => "beyond",
        };
        out += &format!(
            "<tr id=\"{}\"><td>{}</td><td>{}</td><td>{}</td><td class=\"number\">{}</td><td \
             class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td \
             class=\"{class}\">{}</td><td>{}</td></tr>\n",
            escape(c.id),
            escape(c.id),
            escape(c.place),
            escape(&c.told()),
            escape(&c.paper_value.to_string()),
            escape(&expected(c)),
            escape(&o.number()),
            escape(&c.tolerance()),
            escape(&o.verdict()),
            escape(c.note)
        );
    }
    out + "</table>\n"
}
