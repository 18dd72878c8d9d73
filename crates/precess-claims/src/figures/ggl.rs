//! Figures of GGL: pendulum, gyroscopic top and four particles by structure-preserving integrators.
//!
//! Energies are H(q, p), and constraints on momentum level are G M^-1 p; the paper may show its E(q, v, p)
//! instead.

use precess_view::plot::{Axis, Figure, Legend, Panel, Series};

use super::super::ggl::{By, Look, PLAIN, watch};
use super::super::ggl_particles::particle_errors;
use super::super::ggl_top::{bs99, bs99_errors, top_errors};
use super::{Draw, Picture, Window, alone, side_by_side, step_size, time, triangles, with};
use precess::Error;
use precess::problems::ggl::{GglExample, four_particles, gyroscopic_top, spherical_pendulum};

const fn of(place: &'static str, caption: &'static str, note: &'static str, draw: Draw) -> Picture {
    Picture::of("GGL", place, caption, note, draw)
}

const ALL: [By; 4] = [By::ViS, By::ViA, By::ViB, By::Em];
const TO_10: Window = (0.0, 10.0);
const DELTA_E: &str = "E\u{207f}\u{207a}\u{b9} \u{2212} E\u{207f}";

pub(super) const PICTURES: &[Picture] = &[
    Picture::sketch("GGL", "Fig. 1", "The mathematical pendulum"),
    of(
        "Figs. 2, 3",
        "Pendulum, h = 0.05: first components of position and momentum",
        "Agrees: small differences between the methods.",
        |_| {
            Ok(side_by_side([
                compare("position", "q\u{2081}", "m", &ALL, |l| l.q[0])?,
                compare("momentum", "p\u{2081}", "kg m/s", &ALL, |l| l.w[0])?,
            ]))
        },
    ),
    of(
        "Figs. 4, 5",
        "Pendulum: multipliers of the position and of the velocity constraint",
        "Differs in words: it is lambda of VI-B and gamma of VI-A that alternate, the text has them the \
         other way round.",
        |_| {
            Ok(side_by_side([
                compare("position constraint", "\u{3bb}", "N m", &ALL, |l| first(l.lambda))?,
                compare("velocity constraint", "\u{3b3}", "", &ALL, |l| first(l.gamma))?,
            ]))
        },
    ),
    of(
        "Fig. 6",
        "Pendulum: path by VI-S, seen from above and from the side",
        "Agrees; two projections instead of one view.",
        |_| {
            let run = pendulum(By::ViS, |l| [l.q[0], l.q[1], l.q[2]])?;
            let [x, y, z] = [0, 1, 2].map(|k| run.iter().map(|(_, q)| q[k]).collect::<Vec<f64>>());
            let panel = |title: &str, label: &str, a: &[f64], b: &[f64]| {
                let axes = Panel::new(title).x(Axis::linear("x", "m")).y(Axis::linear(label, "m")).equal();
                let start = Series::markers("start", vec![a[0]], vec![b[0]]);
                let end = Series::markers("end", vec![a[a.len() - 1]], vec![b[b.len() - 1]]);
                with(axes, [Series::line("path", a.to_vec(), b.to_vec()), start, end])
            };
            Ok(side_by_side([panel("from above", "y", &x, &y), panel("from the side", "z", &x, &z)]))
        },
    ),
    of("Fig. 7", "Pendulum by VI-S: kinetic and potential energy and their sum", "Agrees.", |_| {
        let run = pendulum(By::ViS, |l| {
            let (e, v) = (energy(l), l.system.potential(l.q));
            [e - v, v, e]
        })?;
        let panel = Panel::new("").x(time(TO_10)).y(Axis::linear("energy", "J"));
        Ok(alone(with(panel, components(&run, &["T", "V", "H"]))))
    }),
    of(
        "Figs. 8, 9",
        "Pendulum: energy of all methods, and its increments by EM",
        "Agrees: fluctuations of the variational integrators, round-off for EM.",
        |_| {
            let increments = increments(&pendulum(By::Em, |l| [energy(l)])?, &[""]);
            let right = Panel::new("EM").x(time(TO_10)).y(Axis::linear(DELTA_E, "J"));
            let left = compare("all methods", "E(q, v, p)", "J", &ALL, |l| l.function)?;
            Ok(side_by_side([left, with(right, increments)]))
        },
    ),
    of(
        "Figs. 10, 11",
        "Pendulum: angular momentum by VI-S, and increments of its third component by all methods",
        "Agrees: round-off for all.",
        |_| {
            let left = Panel::new("VI-S").x(time(TO_10)).y(Axis::linear("J", "kg m\u{b2}/s"));
            let left = with(
                left,
                components(&pendulum(By::ViS, angular)?, &["J\u{2081}", "J\u{2082}", "J\u{2083}"]),
            );
            let mut right = Panel::new("all methods")
                .x(time(TO_10))
                .y(Axis::linear("increment of J\u{2083}", "kg m\u{b2}/s"));
            for by in ALL {
                right = with(right, increments(&pendulum(by, |l| [angular(l)[2]])?, &[name(by)]));
            }
            Ok(side_by_side([left, right]))
        },
    ),
    of(
        "Figs. 12, 13",
        "Pendulum: position constraint",
        "Agrees: round-off for VI-S, VI-B and EM, 6.5e-3 for VI-A.",
        |_| constraint("g(q)", |l| row(l, false)),
    ),
    of(
        "Figs. 14, 15",
        "Pendulum: constraint on velocity level of the reported velocity",
        "Agrees for the velocity of each scheme; the momenta of VI-B, which the axis of the paper names, \
         miss it by 0.32.",
        |_| constraint("G v", |l| row(l, true)),
    ),
    Picture::sketch("GGL", "Fig. 16", "The gyroscopic top"),
    of(
        "Fig. 17",
        "Top, h = 0.002: height of the centre of mass",
        "Agrees: no method keeps 0.0375 m, EM stays within 1.2e-4 m.",
        |_| {
            let mut panel = Panel::new("").x(time((0.0, 1.0))).y(Axis::linear("\u{3c6}\u{2083}", "m"));
            for by in ALL {
                panel = with(
                    panel,
                    components(&record(&gyroscopic_top(), by, (0.002, 500), |l| [l.q[2]])?, &[name(by)]),
                );
            }
            let mut run = Vec::new();
            bs99(0.002, 500, &mut |s| run.push((s.t, [s.q[2]])))?;
            Ok(alone(with(panel, components(&run, &["BS99"]))))
        },
    ),
    of(
        "Figs. 18, 19",
        "Top: relative errors of q and p at t = 0.001 over the step size",
        "Agrees: VI-S, VI-B, BS99 of order 1, VI-A and EM of order 2; VI-S reaches it slowly in p.",
        |_| {
            let steps = [10_usize, 20, 50, 100, 200];
            let mut runs = Vec::new();
            for by in ALL {
                runs.push((
                    name(by),
                    steps.iter().map(|&n| top_errors(by, n)).collect::<Result<Vec<_>, _>>()?,
                ));
            }
            runs.push(("BS99", steps.iter().map(|&n| bs99_errors(n)).collect::<Result<Vec<_>, _>>()?));
            let h: Vec<f64> = steps.iter().map(|&n| 1e-3 / n as f64).collect();
            Ok(side_by_side([("error of q", 0), ("error of p", 1)].map(|(label, what)| {
                let series = runs
                    .iter()
                    .map(|(n, e)| Series::marked(*n, h.clone(), e.iter().map(|e| e[what]).collect()));
                let panel = Panel::new("").x(step_size()).y(Axis::log(label, ""));
                triangles(with(panel, series), &[(1.0, 2), (2.0, 3)])
            })))
        },
    ),
    of(
        "Fig. 20",
        "Top by VI-S: constraints on momentum level",
        "Agrees: the quadratic constraints of the directors are violated by up to 0.37, the linear ones are \
         not.",
        |_| {
            let run = record(&gyroscopic_top(), By::ViS, (0.002, 500), |l| {
                let mut rows = [0.0; 9];
                l.system.gv(l.q, l.w, &mut rows);
                rows
            })?;
            let panel =
                Panel::new("").x(time((0.0, 1.0))).y(Axis::linear("rows of G M\u{207b}\u{b9} p", "1/s"));
            let names = ["k = 1", "k = 2", "k = 3", "k = 4", "k = 5", "k = 6", "k = 7", "k = 8", "k = 9"];
            Ok(alone(with(panel, components(&run, &names))))
        },
    ),
    Picture::sketch("GGL", "Fig. 21", "The four particles"),
    of(
        "Fig. 22",
        "Four particles by EM, h = 0.01: snapshots in isometric view",
        "Drawn by the same times; the angle of view of the paper is not known.",
        |_| {
            let run = record(&four_particles(), By::Em, (0.01, 1000), |l| {
                let mut q = [0.0; 12];
                q.copy_from_slice(l.q);
                q
            })?;
            let (c, s) = (30_f64.to_radians().cos(), 30_f64.to_radians().sin());
            let see = |q: &[f64; 12], i: usize| {
                let [x, y, z] = [q[3 * i], q[3 * i + 1], q[3 * i + 2]];
                [c * (x + y), s * (y - x) + z]
            };
            let panels = (0..6).map(|k| {
                let (t, q) = &run[200 * k];
                let panel = Panel::new(format!("t = {t:.0} s"))
                    .x(Axis::linear("(x + y) cos 30\u{b0}", "m"))
                    .y(Axis::linear("z + (y \u{2212} x) sin 30\u{b0}", "m"))
                    .equal();
                let line = |name: &str, pairs: [(usize, usize); 2], colour: usize, dash: usize| {
                    let (mut xs, mut ys) = (Vec::new(), Vec::new());
                    for (i, j) in pairs {
                        for p in [see(q, i), see(q, j), [f64::NAN; 2]] {
                            xs.push(p[0]);
                            ys.push(p[1]);
                        }
                    }
                    Series::line(name, xs, ys).colour(colour).dash(dash)
                };
                let places: Vec<[f64; 2]> = (0..4).map(|i| see(q, i)).collect();
                let dots = Series::markers(
                    "particles",
                    places.iter().map(|p| p[0]).collect(),
                    places.iter().map(|p| p[1]).collect(),
                );
                let lines = [line("bars", [(0, 1), (2, 3)], 0, 0), line("springs", [(0, 2), (1, 3)], 1, 1)];
                with(panel, lines).series(dots.colour(7))
            });
            let figure = Figure::new("").columns(3).panel_size(320.0, 300.0).legend(Legend::Shared);
            Ok(panels.fold(figure, Figure::panel))
        },
    ),
    of(
        "Figs. 23, 24",
        "Four particles, h = 0.01: constraints on momentum level by EM-G and EM",
        "Agrees: 1.7e-5 for EM-G, round-off for EM.",
        |_| {
            let mut panels = Vec::new();
            for by in [By::EmG, By::Em] {
                let run = particles(by, |l| {
                    let mut rows = [0.0; 2];
                    l.system.gv(l.q, l.w, &mut rows);
                    rows
                })?;
                let panel =
                    Panel::new(name(by)).x(time(TO_10)).y(Axis::linear("G M\u{207b}\u{b9} p", "m\u{b2}/s"));
                panels.push(with(panel, components(&run, &["bar 1-2", "bar 3-4"])));
            }
            Ok(side_by_side(panels))
        },
    ),
    of("Fig. 25", "Four particles: increments of the energy", "Agrees: round-off for both.", |_| {
        let mut panel = Panel::new("").x(time(TO_10)).y(Axis::linear(DELTA_E, "J"));
        for by in [By::Em, By::EmG] {
            panel = with(panel, increments(&particles(by, |l| [energy(l)])?, &[name(by)]));
        }
        Ok(alone(panel))
    }),
    of(
        "Figs. 26, 27",
        "Four particles: components of the angular momentum by EM and EM-G, and their increments by EM",
        "Agrees: constant up to round-off.",
        |_| {
            let names = ["J\u{2081}", "J\u{2082}", "J\u{2083}"];
            let run = particles(By::Em, angular)?;
            let mut left =
                Panel::new("EM (solid) and EM-G").x(time(TO_10)).y(Axis::linear("J", "kg m\u{b2}/s"));
            left = with(left, components(&run, &names));
            let others = components(&particles(By::EmG, angular)?, &["", "", ""]);
            left = with(left, others.into_iter().enumerate().map(|(k, s)| s.colour(k).dash(2)));
            let right = Panel::new("EM").x(time(TO_10)).y(Axis::linear("increment of J", "kg m\u{b2}/s"));
            Ok(side_by_side([left, with(right, increments(&run, &names))]))
        },
    ),
    of(
        "Figs. 28, 29, 30",
        "Four particles: relative errors of position and momentum of the fourth particle and of lambda at t \
         = 0.1",
        "Agrees: order 2 in q and p, order 1 in lambda, which belongs to the middle of the step.",
        |_| {
            let steps = [25_usize, 50, 100, 200, 400, 800];
            let h: Vec<f64> = steps.iter().map(|&n| 0.1 / n as f64).collect();
            let mut runs = Vec::new();
            for by in [By::Em, By::EmG] {
                runs.push((
                    name(by),
                    steps.iter().map(|&n| particle_errors(by, n)).collect::<Result<Vec<_>, _>>()?,
                ));
            }
            let labels = [("error of q", 2.0), ("error of p", 2.0), ("error of \u{3bb}", 1.0)];
            let panels = labels.into_iter().enumerate().map(|(what, (label, order))| {
                let series = runs
                    .iter()
                    .map(|(n, e)| Series::marked(*n, h.clone(), e.iter().map(|e| e[what]).collect()));
                triangles(with(Panel::new("").x(step_size()).y(Axis::log(label, "")), series), &[(order, 0)])
            });
            Ok(side_by_side(panels))
        },
    ),
    of(
        "Figs. 31, 32, 33",
        "Four particles: energies with h = 0.01, 0.05 and 0.25",
        "Agrees: VI-S and VI-B blow up at h = 0.05, VI-A at h = 0.25 at about t = 55, EM does not.",
        |_| {
            let mut panels = Vec::new();
            let all: &[By] = &[By::Em, By::ViA, By::ViB, By::ViS];
            let stable: &[By] = &[By::Em, By::ViA];
            for (title, h, end, methods) in [
                ("h = 0.01 s", 0.01, 10.0, all),
                ("h = 0.05 s", 0.05, 2.5, all),
                ("h = 0.25 s", 0.25, 70.0, stable),
            ] {
                let n = f64::round(end / h) as usize;
                let mut panel = Panel::new(title).x(time((0.0, end)));
                let mut low = f64::INFINITY;
                let mut high = f64::NEG_INFINITY;
                for &by in methods {
                    let run = record(&four_particles(), by, (h, n), |l| [energy(l)])?;
                    let calm = run.iter().map(|(_, [e])| *e).filter(|e| e.abs() < 10.0);
                    (low, high) = calm.fold((low, high), |(a, b), e| (a.min(e), b.max(e)));
                    panel = with(panel, components(&run, &[name(by)]));
                }
                let room = 0.1 * (high - low);
                panels.push(panel.y(Axis::linear("H(q, p)", "J").range(low - room, high + room)));
            }
            Ok(side_by_side(panels))
        },
    ),
];

fn name(by: By) -> &'static str {
    match by {
        By::Em => "EM",
        By::EmG => "EM-G",
        By::ViS => "VI-S",
        By::ViA => "VI-A",
        By::ViB => "VI-B",
    }
}

/// Times and the values at these times.
type Course<const N: usize> = Vec<(f64, [f64; N])>;

fn record<const N: usize>(
    example: &GglExample,
    by: By,
    steps: (f64, usize),
    read: impl Fn(&Look) -> [f64; N],
) -> Result<Course<N>, Error> {
    let mut out = Vec::new();
    watch(example, by, steps, PLAIN, &mut |l| out.push((l.t, read(l))))?;
    Ok(out)
}

fn pendulum<const N: usize>(by: By, read: impl Fn(&Look) -> [f64; N]) -> Result<Course<N>, Error> {
    record(&spherical_pendulum(), by, (0.05, 200), read)
}

fn particles<const N: usize>(by: By, read: impl Fn(&Look) -> [f64; N]) -> Result<Course<N>, Error> {
    record(&four_particles(), by, (0.01, 1000), read)
}

fn energy(l: &Look) -> f64 {
    l.system.invariants(l.q, l.w).energy
}

fn angular(l: &Look) -> [f64; 3] {
    l.system.invariants(l.q, l.w).angular.into()
}

/// Multipliers belong to steps, so there is none at the start.
fn first(x: &[f64]) -> f64 {
    x.first().copied().unwrap_or(f64::NAN)
}

fn components<const N: usize>(run: &Course<N>, names: &[&str]) -> Vec<Series> {
    let t: Vec<f64> = run.iter().map(|(t, _)| *t).collect();
    let series = names.iter().enumerate();
    series.map(|(k, name)| Series::line(*name, t.clone(), run.iter().map(|(_, x)| x[k]).collect())).collect()
}

fn increments<const N: usize>(run: &Course<N>, names: &[&str]) -> Vec<Series> {
    let steps = run.windows(2).map(|w| (w[1].0, std::array::from_fn(|k| w[1].1[k] - w[0].1[k])));
    components::<N>(&steps.collect(), names)
}

/// A quantity of the pendulum by several methods.
fn compare(
    title: &str,
    label: &str,
    unit: &str,
    methods: &[By],
    read: fn(&Look) -> f64,
) -> Result<Panel, Error> {
    let mut panel = Panel::new(title).x(time(TO_10)).y(Axis::linear(label, unit));
    for &by in methods {
        panel = with(panel, components(&pendulum(by, |l| [read(l)])?, &[name(by)]));
    }
    Ok(panel)
}

/// The only row of a constraint of the pendulum, at position or velocity level.
fn row(l: &Look, velocity: bool) -> f64 {
    let mut rows = [0.0];
    if velocity {
        l.system.gv(l.q, l.v, &mut rows)
    } else {
        l.system.g(l.q, &mut rows)
    }
    rows[0]
}

fn constraint(label: &str, read: fn(&Look) -> f64) -> Result<Figure, Error> {
    let unit = if label == "G v" { "1/s" } else { "" };
    Ok(side_by_side([
        compare("VI-S, VI-B, EM", label, unit, &[By::ViS, By::ViB, By::Em], read)?,
        compare("VI-A", label, unit, &[By::ViA], read)?,
    ]))
}
