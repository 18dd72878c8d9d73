//! Limits of modal bodies: deformations that are too large for their geometric stiffening, and loads whose
//! geometric stiffness their data lack.

use super::system::{At, System};
use super::tangents::{Tangents, Want};
use crate::flex::{Modal, UNIT_LOADS};
use crate::solve::decompositions::symmetric_eigen;
use nalgebra::{DMatrix, Matrix3, Vector3};

/// Neglected loads that change the stiffness by less than this part are not worth a notice.
const WORTH_A_NOTICE: f64 = 0.1;

/// Loads with a smaller share than this of the largest one are not named.
const NAMED_SHARE: f64 = 0.1;

/// Numbers that a run keeps for each modal body: the change of its stiffness by each of the twelve loads,
/// whether it has deformed too much, and the number of states whose mass matrix was examined.
pub const SEEN: usize = 14;

/// So many states are examined one after another, and then only some.
const EXAMINED: f64 = 60.0;

/// Systems with more velocities are not examined as a whole; their bodies must have mass on their own.
const MOST_VELOCITIES: usize = 600;

/// Rows of B with smaller singular values than this part of the largest one are redundant.
const REDUNDANT: f64 = 1e-9;

/// Records whether the mechanism has lost its mass, where the mass matrix of a body alone is not positive
/// definite.
pub fn see_deformation(body_has_mass: bool, seen: &mut [f64], whole: &dyn Fn() -> bool) {
    let [.., lost, count] = seen else { return };
    if body_has_mass || *lost != 0.0 {
        return;
    }
    *count += 1.0;
    if *count < EXAMINED || (*count as u64).is_multiple_of(64) {
        *lost = f64::from(u8::from(!whole()));
    }
}

/// True if the mass matrix is positive definite for all velocities that the constraints allow.
pub fn mass_is_positive(system: &dyn System, at: &At) -> bool {
    if system.group().dim() > MOST_VELOCITIES {
        return false;
    }
    let mut t = Tangents::of(system);
    t.evaluate(system, at, Want::SADDLE);
    let (m, b) = (t.s.to_dmatrix(), t.b.to_dmatrix());
    let unit = m.diagonal().map(|x| if x > 0.0 { x.sqrt().recip() } else { 1.0 });
    let n = unit.len();
    let scaled = DMatrix::from_fn(n, n, |i, j| {
        let x = 0.5 * (m[(i, j)] + m[(j, i)]) * unit[i] * unit[j];
        // States of controls have no mass.
        if i == j && m[(i, i)] == 0.0 { 1.0 } else { x }
    });
    let mut rows = DMatrix::from_fn(b.nrows(), n, |i, j| b[(i, j)] * unit[j]);
    for mut row in rows.row_iter_mut() {
        let size = row.norm();
        row.iter_mut().for_each(|x| *x = if size > 0.0 { *x / size } else { 0.0 });
    }
    let squares = symmetric_eigen(gram(&rows));
    let limit = REDUNDANT * REDUNDANT.sqrt() * squares.eigenvalues.iter().fold(1.0, |a: f64, x| a.max(*x));
    let free: Vec<usize> = (0..n).filter(|i| squares.eigenvalues[*i] <= limit).collect();
    let kernel = squares.eigenvectors.select_columns(&free);
    let inner = sandwich(&kernel, &scaled);
    symmetric_eigen(inner).eigenvalues.iter().all(|x| *x > 0.0)
}

/// `B^T B`.
fn gram(b: &DMatrix<f64>) -> DMatrix<f64> {
    DMatrix::from_fn(b.ncols(), b.ncols(), |i, j| b.column(i).dot(&b.column(j)))
}

/// `N^T M N`.
fn sandwich(n: &DMatrix<f64>, m: &DMatrix<f64>) -> DMatrix<f64> {
    let half = DMatrix::from_fn(m.nrows(), n.ncols(), |i, j| m.row(i).tr_dot(&n.column(j)));
    DMatrix::from_fn(n.ncols(), n.ncols(), |i, j| n.column(i).dot(&half.column(j)))
}

/// Why the results are wrong after too large deformations of a body.
pub fn too_deformed(name: &str, seen: &[f64]) -> Option<String> {
    let [.., lost, _] = seen else { return None };
    (*lost != 0.0).then(|| {
        format!(
            "modal body '{name}' deforms too much for its geometric stiffening, which is of second order \
             (good to a tenth of the length of a rod): its mass matrix is not positive definite; use a beam"
        )
    })
}

/// First frequencies in Hz, with the frame held and free, without damping.
pub fn frequencies(data: &Modal) -> [f64; 2] {
    let n = data.modes();
    let mut all = DMatrix::zeros(6 + n, 6 + n);
    data.mass_matrix(&Matrix3::identity(), &vec![0.0; n], &mut all);
    // The modal mass when the frame moves freely. A frame without inertia about an axis does not move there.
    let frame = all.view((0, 0), (6, 6)).into_owned().symmetric_eigen();
    let inverse = frame.eigenvalues.map(|x| if x.abs() > 1e-12 { x.recip() } else { 0.0 });
    let coupled = frame.eigenvectors.transpose() * all.view((0, 6), (6, n)).into_owned();
    let moved = DMatrix::from_diagonal(&inverse) * &coupled;
    let free = all.view((6, 6), (n, n)).into_owned() - coupled.transpose() * moved;
    [data.mff.clone(), free].map(|mass| {
        let Some(l) = mass.cholesky().map(|c| c.l()) else { return f64::NAN };
        let half = l.solve_lower_triangular(&data.stiffness).map(|k| k.transpose());
        let Some(k) = half.and_then(|k| l.solve_lower_triangular(&k)) else { return f64::NAN };
        let least = ((&k + k.transpose()) * 0.5).symmetric_eigenvalues().min();
        least.abs().sqrt() / std::f64::consts::TAU
    })
}

/// The inverse of the Cholesky factor of the mass matrix of the modes; none if it is not positive definite.
pub fn inverse_root(data: &Modal) -> Option<DMatrix<f64>> {
    let n = data.modes();
    data.mff.clone().cholesky()?.l().solve_lower_triangular(&DMatrix::identity(n, n))
}

/// Loads on a modal body whose stiffness is neglected.
#[derive(Clone, Debug, PartialEq)]
pub struct Neglected {
    /// The change of the stiffness, relative to that of the first mode, by a unit of each load; zero if the
    /// data contain the matrix of the load.
    units: [f64; 12],
}

impl Neglected {
    /// An estimate for bodies of any shape: a load acts on the masses along the distances between them. For a
    /// clamped rod it is right to about 10 %. None if the data contain everything that matters.
    pub fn new(data: &Modal) -> Option<Self> {
        let known = data.geometric.as_ref().map_or([false; 12], |g| g.known);
        // The tension of axial modes contains all loads along a rod.
        if !data.by_modes.is_empty() || known == [true; 12] {
            return None;
        }
        // Mean distances of the masses from the origin, along each axis.
        let half = 0.5 * data.i0.trace();
        let r = Vector3::from_fn(|i, _| ((half - data.i0[(i, i)]).max(0.0) / data.mass).sqrt());
        let (size, softest) = (r.norm_squared(), std::f64::consts::TAU * frequencies(data)[0]);
        let scale = 1.0 / (size * softest * softest);
        let units = std::array::from_fn(|load| {
            let (i, j, k) = (load % 3, (load + 1) % 3, (load + 2) % 3);
            let unit = match load {
                0..3 => r[i],
                3..6 => r[j] * r[k],
                6..9 => r[j] * r[j] + r[k] * r[k],
                _ => r[i] * r[j],
            };
            let by_rotation = load >= 6 && !data.stiffening.is_empty();
            if known[load] || by_rotation { 0.0 } else { unit * scale }
        });
        Some(Neglected { units }).filter(|n| n.units.iter().all(|x| x.is_finite()))
    }

    /// Updates the largest changes of the stiffness with the acceleration of the frame minus gravity, the
    /// angular acceleration and the angular velocity, in the axes of the frame.
    pub fn observe(&self, [push, alpha, omega]: &[Vector3<f64>; 3], largest: &mut [f64]) {
        let loads = (0..12).map(|load| match load {
            0..3 => push[load],
            3..6 => alpha[load - 3],
            6..9 => omega[load - 6] * omega[load - 6],
            _ => omega[load - 9] * omega[(load - 8) % 3],
        });
        for ((x, load), unit) in largest.iter_mut().zip(loads).zip(self.units) {
            let change = load.abs() * unit;
            *x = if change <= *x { *x } else { change };
        }
    }
}

/// What a user should know about the largest changes of the stiffness of a body by loads that it neglects.
pub fn words(name: &str, largest: &[f64]) -> Option<String> {
    let largest = largest.get(..UNIT_LOADS.len())?;
    let top = largest.iter().fold(0.0, |a: f64, x| if *x <= a { a } else { *x });
    if !(top > WORTH_A_NOTICE) {
        return None;
    }
    let named = UNIT_LOADS.iter().zip(largest).filter(|(_, x)| **x > NAMED_SHARE * top);
    let list: Vec<&str> = named.map(|(name, _)| *name).collect();
    Some(format!(
        "modal body '{name}': its data lack the geometric stiffness of {} (a: acceleration of the frame \
         minus gravity, al: angular acceleration, w: angular velocities), which would change its stiffness \
         by about {:.0} %; set stiffening = true for a rod, or give \"geometric\" in its file",
        list.join(", "),
        100.0 * top
    ))
}
