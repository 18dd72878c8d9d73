//! Loops over the entries of short vectors, six at a time, since a body has six. For these lengths, the setup
//! of a vectorised loop would take longer than its work.

/// Number of entries of a body.
const SIX: usize = 6;

/// out_i = f(a_i, b_i).
#[inline(always)]
pub(super) fn of_two(out: &mut [f64], a: &[f64], b: &[f64], f: impl Fn(f64, f64) -> f64) {
    let n = out.len();
    let (a, b) = (a[..n].as_chunks::<SIX>(), b[..n].as_chunks::<SIX>());
    let (out, out_end) = out.as_chunks_mut::<SIX>();
    for ((out, a), b) in out.iter_mut().zip(a.0).zip(b.0) {
        // All entries are computed before the first is written, so vectors may overlap.
        let mut six = [0.0; SIX];
        for i in 0..SIX {
            six[i] = f(a[i], b[i]);
        }
        *out = six;
    }
    for ((out, a), b) in out_end.iter_mut().zip(a.1).zip(b.1) {
        *out = f(*a, *b);
    }
}

/// y_i = f(y_i, x_i).
#[inline(always)]
pub(super) fn update(y: &mut [f64], x: &[f64], f: impl Fn(f64, f64) -> f64) {
    let x = x[..y.len()].as_chunks::<SIX>();
    let (y, y_end) = y.as_chunks_mut::<SIX>();
    for (y, x) in y.iter_mut().zip(x.0) {
        let mut six = [0.0; SIX];
        for i in 0..SIX {
            six[i] = f(y[i], x[i]);
        }
        *y = six;
    }
    for (y, x) in y_end.iter_mut().zip(x.1) {
        *y = f(*y, *x);
    }
}

/// y_i = y0_i + s x_i and z_i = z0_i + r x_i, in one pass.
#[inline(always)]
pub(super) fn follow([y, z]: [&mut [f64]; 2], [y_0, z_0]: [&[f64]; 2], [s, r]: [f64; 2], x: &[f64]) {
    let n = x.len();
    let (x, x_end) = x.as_chunks::<SIX>();
    let (y_0, z_0) = (y_0[..n].as_chunks::<SIX>(), z_0[..n].as_chunks::<SIX>());
    let ((y, y_end), (z, z_end)) = (y[..n].as_chunks_mut::<SIX>(), z[..n].as_chunks_mut::<SIX>());
    for ((((y, z), x), y_0), z_0) in y.iter_mut().zip(z).zip(x).zip(y_0.0).zip(z_0.0) {
        let (mut first, mut second) = ([0.0; SIX], [0.0; SIX]);
        for i in 0..SIX {
            first[i] = y_0[i] + s * x[i];
            second[i] = z_0[i] + r * x[i];
        }
        (*y, *z) = (first, second);
    }
    for i in 0..x_end.len() {
        y_end[i] = y_0.1[i] + s * x_end[i];
        z_end[i] = z_0.1[i] + r * x_end[i];
    }
}

/// The 2-norm, which does not depend on the orientation of axes.
#[inline(always)]
pub(super) fn norm_of(x: &[f64]) -> f64 {
    match x {
        [a, b, c] => (a * a + b * b + c * c).sqrt(),
        _ => x.iter().map(|x| x * x).sum::<f64>().sqrt(),
    }
}
