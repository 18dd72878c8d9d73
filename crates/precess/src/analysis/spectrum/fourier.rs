//! The discrete Fourier transform of real numbers, for any number of them.
//!
//! ```text
//! X_k = sum_j x_j exp(-2 pi i j k/n),   k = 0 .. n/2
//! ```
//!
//! Powers of two are halved again and again (Cooley and Tukey). Other lengths become a convolution with a
//! chirp (Bluestein), because j k = (j^2 + k^2 - (j - k)^2)/2.

use std::f64::consts::PI;

use crate::analysis::Complex;

/// X_0 to X_{n/2}.
pub fn transform(x: &[f64]) -> Vec<Complex> {
    let n = x.len();
    if n.is_power_of_two() {
        let mut list: Vec<Complex> = x.iter().map(|x| Complex::new(*x, 0.0)).collect();
        power_of_two(&mut list);
        list.truncate(n / 2 + 1);
        return list;
    }
    // exp(-pi i k^2/n); the remainder of k^2 keeps the angle accurate.
    let chirp = |k: usize| {
        let turns = (k as u128 * k as u128 % (2 * n.max(1)) as u128) as f64;
        Complex::from_polar(1.0, -PI * turns / n as f64)
    };
    let m = (2 * n).next_power_of_two();
    let zero = Complex::new(0.0, 0.0);
    let (mut a, mut b) = (vec![zero; m], vec![zero; m]);
    for (k, (a, x)) in a.iter_mut().zip(x).enumerate() {
        *a = chirp(k) * x;
    }
    for k in 0..n {
        let c = chirp(k).conj();
        for place in [k, (m - k) % m] {
            if let Some(b) = b.get_mut(place) {
                *b = c;
            }
        }
    }
    power_of_two(&mut a);
    power_of_two(&mut b);
    // The inverse is the transform of the conjugate numbers.
    for (a, b) in a.iter_mut().zip(&b) {
        *a = (*a * b).conj();
    }
    power_of_two(&mut a);
    a.iter().take(n / 2 + 1).enumerate().map(|(k, a)| chirp(k) * a.conj() / m as f64).collect()
}

/// In place; the length is a power of two.
fn power_of_two(list: &mut [Complex]) {
    let n = list.len();
    let bits = n.trailing_zeros();
    for i in 1..n {
        let j = i.reverse_bits() >> (usize::BITS - bits);
        if i < j {
            list.swap(i, j);
        }
    }
    let turns: Vec<Complex> =
        (0..n / 2).map(|k| Complex::from_polar(1.0, -2.0 * PI * k as f64 / n as f64)).collect();
    let mut half = 1;
    while half < n {
        let stride = n / (2 * half);
        for pair in list.chunks_exact_mut(2 * half) {
            let (even, odd) = pair.split_at_mut(half);
            for ((a, b), w) in even.iter_mut().zip(odd).zip(turns.iter().step_by(stride)) {
                let turned = *b * w;
                (*a, *b) = (*a + turned, *a - turned);
            }
        }
        half *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum itself, for lengths with and without factors.
    #[test]
    fn equals_the_sum() {
        for n in [1, 2, 3, 4, 5, 7, 8, 12, 16, 97, 100, 128, 243, 255] {
            let x: Vec<f64> = (0..n).map(|j| ((j * j) as f64 * 0.37).sin() + 0.2 * j as f64).collect();
            let found = transform(&x);
            assert_eq!(found.len(), n / 2 + 1);
            let size: f64 = x.iter().map(|x| x.abs()).sum();
            for (k, found) in found.iter().enumerate() {
                let sum: Complex = x
                    .iter()
                    .enumerate()
                    .map(|(j, x)| Complex::from_polar(*x, -2.0 * PI * ((j * k) % n) as f64 / n as f64))
                    .sum();
                assert!((found - sum).norm() < 1e-14 * size, "n = {n}, k = {k}: {found} {sum}");
            }
        }
    }
}
