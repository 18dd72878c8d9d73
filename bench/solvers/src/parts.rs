//! Blocks factorised in parts, one thread each, and the border between them by its Schur complement.

use std::thread;
use std::time::Instant;

use precess::solve::{BlockLu, DenseLu, Mat};

use crate::equations::Equations;
use crate::timed;

/// The equations of one part, A x = b, beside the border.
#[derive(Clone)]
struct Part {
    lu: BlockLu,
    unknowns: Vec<u32>,
    /// Columns of the border, then A^-1 times them.
    columns: Vec<Vec<f64>>,
    /// Rows of the border: (row, unknown, entry).
    rows: Vec<(usize, usize, f64)>,
    x: Vec<f64>,
    work: Vec<f64>,
}

/// Wall time, and processor time of the slowest thread, in seconds.
pub type Times = [f64; 2];

pub struct Parts {
    parts: Vec<Part>,
    border: Vec<u32>,
    corner: Mat,
}

impl Parts {
    /// `part_of` says where a block belongs; `n` is the border.
    pub fn new(equations: &Equations, n: usize, part_of: impl Fn(usize) -> usize) -> Self {
        let blocks = 0..equations.unknowns.len();
        let border: Vec<u32> =
            blocks.filter(|b| part_of(*b) == n).flat_map(|b| equations.unknowns[b].clone()).collect();
        let mut place = vec![(n, 0); equations.len()];
        border.iter().enumerate().for_each(|(i, u)| place[*u as usize] = (n, i));
        let mut part = |p: usize| {
            let (lu, unknowns) = equations.blocks(|b| part_of(b) == p);
            unknowns.iter().enumerate().for_each(|(i, u)| place[*u as usize] = (p, i));
            let columns = vec![vec![0.0; unknowns.len()]; border.len()];
            Part { lu, columns, rows: Vec::new(), x: Vec::new(), unknowns, work: Vec::new() }
        };
        let mut parts: Vec<Part> = (0..n).map(&mut part).collect();
        let mut corner = Mat::zeros(border.len(), border.len());
        for &(i, j, a) in &equations.entries {
            let ((p, i), (q, j)) = (place[i as usize], place[j as usize]);
            match (p == n, q == n) {
                (true, true) => corner.add_entry(i, j, a),
                (true, false) => parts[q].rows.push((i, j, a)),
                (false, true) => parts[p].columns[j][i] += a,
                (false, false) => {}
            }
        }
        Parts { parts, border, corner }
    }

    /// Overwrites a right-hand side with the solution. Times to factorise, for the border, to solve.
    pub fn solve(&self, b: &mut [f64]) -> [Times; 3] {
        let (mut parts, k) = (self.parts.clone(), self.border.len());
        let factor = all(&mut parts, |part| part.lu.factor().expect("regular"));

        // S = A_bb - sum R A^-1 C.
        let columns = all(&mut parts, |part| {
            part.columns.iter_mut().for_each(|column| part.lu.solve(column, &mut part.work));
        });
        let mut schur = DenseLu::new(k);
        schur.matrix_mut().copy_from(&self.corner);
        for (part, j) in parts.iter().flat_map(|part| (0..k).map(move |j| (part, j))) {
            for &(row, u, a) in &part.rows {
                schur.matrix_mut().add_entry(row, j, -a * part.columns[j][u]);
            }
        }
        schur.factor().expect("regular");

        // S y = b_b - sum R A^-1 b, x = A^-1 b - A^-1 C y.
        let right = &*b;
        let alone = all(&mut parts, |part| {
            part.x = part.unknowns.iter().map(|u| right[*u as usize]).collect();
            part.lu.solve(&mut part.x, &mut part.work);
        });
        let mut y: Vec<f64> = self.border.iter().map(|u| b[*u as usize]).collect();
        for part in &parts {
            part.rows.iter().for_each(|&(row, u, a)| y[row] -= a * part.x[u]);
        }
        schur.solve(&mut y);
        let together = all(&mut parts, |part| {
            for (column, y) in part.columns.iter().zip(&y) {
                part.x.iter_mut().zip(column).for_each(|(x, c)| *x -= c * y);
            }
        });
        self.border.iter().zip(&y).for_each(|(u, y)| b[*u as usize] = *y);
        for part in &parts {
            part.unknowns.iter().zip(&part.x).for_each(|(u, x)| b[*u as usize] = *x);
        }
        [factor, columns, [alone[0] + together[0], alone[1] + together[1]]]
    }
}

/// Each part in its own thread.
fn all(parts: &mut [Part], f: impl Fn(&mut Part) + Sync) -> Times {
    let (begin, f) = (Instant::now(), &f);
    let slowest = thread::scope(|s| {
        let threads: Vec<_> = parts.iter_mut().map(|part| s.spawn(move || timed(|| f(part)).0)).collect();
        threads.into_iter().map(|t| t.join().expect("no panic")).fold(0.0, f64::max)
    });
    [begin.elapsed().as_secs_f64(), slowest]
}
