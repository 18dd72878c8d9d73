//! Reduces long series for pictures: only visible points are kept, and no extreme is lost.

/// Rows of a table to keep: first, last, and those of the smallest and largest value of each column `ys`, in
/// every interval of x of this width; also the ends of gaps. `x` must be ordered.
pub fn rows(x: &[f64], ys: &[Vec<f64>], width: f64) -> Vec<usize> {
    let all: Vec<usize> = (0..x.len()).collect();
    let interval = |i: usize| (x[i] / width).floor();
    let mut out = Vec::new();
    for group in all.chunk_by(|&a, &b| interval(a) == interval(b)) {
        let mut kept = vec![group[0], group[group.len() - 1]];
        for y in ys {
            let finite = || group.iter().copied().filter(|&i| y[i].is_finite());
            kept.extend(finite().min_by(|&a, &b| y[a].total_cmp(&y[b])));
            kept.extend(finite().max_by(|&a, &b| y[a].total_cmp(&y[b])));
            kept.extend(group.windows(2).filter(|p| y[p[0]].is_finite() != y[p[1]].is_finite()).flatten());
        }
        kept.sort_unstable();
        kept.dedup();
        out.extend(kept);
    }
    out
}

/// First, smallest, largest and last point of every column of the given width. Points must be ordered by x.
pub fn columns(points: &[[f64; 2]], width: f64) -> Vec<[f64; 2]> {
    let (x, y): (Vec<f64>, Vec<f64>) = points.iter().map(|p| (p[0], p[1])).unzip();
    rows(&x, &[y], width).into_iter().map(|i| points[i]).collect()
}

/// Removes points that lie within `tolerance` of the line through the remaining points (Douglas and Peucker).
pub fn simplify(points: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    if points.len() < 3 {
        return points.to_vec();
    }
    let mut keep = vec![false; points.len()];
    keep[0] = true;
    keep[points.len() - 1] = true;
    let mut open = vec![(0, points.len() - 1)];
    while let Some((a, b)) = open.pop() {
        let far = (a + 1..b)
            .map(|i| (i, distance(points[i], points[a], points[b])))
            .max_by(|x, y| x.1.total_cmp(&y.1))
            .filter(|&(_, d)| d > tolerance);
        if let Some((i, _)) = far {
            keep[i] = true;
            open.extend([(a, i), (i, b)]);
        }
    }
    points.iter().zip(keep).filter(|(_, k)| *k).map(|(p, _)| *p).collect()
}

/// Distance of a point from a segment.
fn distance(p: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let d = [b[0] - a[0], b[1] - a[1]];
    let r = [p[0] - a[0], p[1] - a[1]];
    let length2 = d[0] * d[0] + d[1] * d[1];
    let s = if length2 > 0.0 { ((r[0] * d[0] + r[1] * d[1]) / length2).clamp(0.0, 1.0) } else { 0.0 };
    (r[0] - s * d[0]).hypot(r[1] - s * d[1])
}

/// A curve in pixels without invisible details.
pub fn curve(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let ordered = points.windows(2).all(|p| p[0][0] <= p[1][0]);
    let reduced = if ordered {
        columns(points, 0.5)
    } else {
        apart(points.iter().copied(), 0.25).into_iter().map(|i| points[i]).collect()
    };
    simplify(&reduced, 0.1)
}

/// The points to keep so that none is closer than this to the one kept before; the last point stays. Gaps
/// stay gaps.
pub fn apart(points: impl ExactSizeIterator<Item = [f64; 2]>, distance: f64) -> Vec<usize> {
    let end = points.len().saturating_sub(1);
    let mut out = Vec::new();
    let mut last = [f64::NAN; 2];
    for (i, p) in points.enumerate() {
        let near = (p[0] - last[0]).hypot(p[1] - last[1]) < distance;
        let gap_goes_on = !p[0].is_finite() && !last[0].is_finite() && i > 0;
        if i == end || !(near || gap_goes_on) {
            out.push(i);
            last = p;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A million points of noise with two spikes; the spikes, the ends and the order stay.
    #[test]
    fn extremes_and_ends_stay() {
        let n = 1_000_000;
        let mut noise = 12345_u32;
        let mut points: Vec<[f64; 2]> = (0..n)
            .map(|i| {
                noise = noise.wrapping_mul(1664525).wrapping_add(1013904223);
                [500.0 * i as f64 / n as f64, f64::from(noise) / f64::from(u32::MAX)]
            })
            .collect();
        points[123_457][1] = 7.0;
        points[765_432][1] = -3.0;
        for reduced in [columns(&points, 0.5), curve(&points)] {
            assert!(reduced.len() <= 4000, "{}", reduced.len());
            assert!(reduced.contains(&points[123_457]) && reduced.contains(&points[765_432]));
            assert_eq!((reduced[0], reduced[reduced.len() - 1]), (points[0], points[n - 1]));
            assert!(reduced.windows(2).all(|p| p[0][0] <= p[1][0]));
        }
    }

    #[test]
    fn gaps_stay_gaps() {
        let x: Vec<f64> = (0..1000).map(f64::from).collect();
        let y: Vec<f64> = x.iter().map(|&x| if (400.0..450.0).contains(&x) { f64::NAN } else { x }).collect();
        let kept = rows(&x, &[y], 1000.0);
        assert!([0, 399, 400, 449, 450, 999].iter().all(|i| kept.contains(i)), "{kept:?}");
        assert_eq!(kept.len(), 6);
    }

    /// Removed points lie within the tolerance, and a straight line needs two points.
    #[test]
    fn simplification_is_within_its_tolerance() {
        let wave: Vec<[f64; 2]> =
            (0..2000).map(|i| [0.25 * f64::from(i), 100.0 * (0.02 * f64::from(i)).sin()]).collect();
        let short = simplify(&wave, 0.1);
        assert!(short.len() < 300, "{}", short.len());
        for p in &wave {
            let d = short.windows(2).map(|s| distance(*p, s[0], s[1])).fold(f64::INFINITY, f64::min);
            assert!(d <= 0.1 + 1e-12, "{d}");
        }
        let line: Vec<[f64; 2]> = (0..100).map(|i| [f64::from(i), 2.0 * f64::from(i)]).collect();
        assert_eq!(simplify(&line, 1e-9).len(), 2);
    }

    /// A closed path with many turns keeps its shape.
    #[test]
    fn paths_keep_their_shape() {
        let circle: Vec<[f64; 2]> = (0..100_000)
            .map(|i| (1e-3 * f64::from(i)).sin_cos())
            .map(|(s, c)| [100.0 * c, 100.0 * s])
            .collect();
        let short = curve(&circle);
        assert!(short.len() < 3000, "{}", short.len());
        assert!(short.windows(2).all(|s| {
            let middle = [0.5 * (s[0][0] + s[1][0]), 0.5 * (s[0][1] + s[1][1])];
            (middle[0].hypot(middle[1]) - 100.0).abs() < 0.4
        }));
    }
}
