//! The modal body: a floating frame of reference with a linear combination of modes.
//!
//! A node at `X` is at `x + R c` with `c = X + sum_k Phi_k zeta_k`. The velocity is `v = (Omega, u, zeta')`
//! with `Omega` in the frame and `u = x'` inertial: the group is `SO(3) x R^3 x R^n`. With the integrals of
//! the body, which are constant,
//!
//! ```text
//! s = s_0 + S_1 z,   I = I_0 + z_k I1_k + z_k z_l I2_kl,   G_k = G0_k + z_l G1_lk
//!     | I      s~ R^T   G    |
//! M = | R s~^T  m       R S_1 |      g_rot = Om x I Om + I' Om + Om x (G z')
//!     | G^T    S_1^T R^T Mff |      g_tr  = R (2 Om x S_1 z' + Om x (Om x s))
//!                                   g_k   = -Om^T dI_k Om/2 + 2 Om . (z'_l G1_lk) + (K z + D z')_k
//! ```
//!
//! Without geometric stiffening the model is valid for rotations much slower than the first frequency.
//! [`Geometric`] adds the stiffening by every acceleration, in these integrals; with it, `S_1` also depends
//! on z, and g has the further terms `g_rot += z'_k z'_l G2_kl` and `g_tr += R z'_k z'_l S2_kl`.
//! [`Stiffening`] is one-way stiffening by rotation only, [`ModeStiffening`] by the tension of a mode.

use nalgebra::{DMatrix, Matrix3, Vector3};
use precess_lie::rotation::skew;

use crate::flex::error::ModalError;
use crate::flex::geometric::Geometric;
use crate::flex::rotary::Rotary;

/// Additional stiffness that grows with the square of the angular velocity about an axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Stiffening {
    /// The axis in the frame, a unit vector.
    pub axis: Vector3<f64>,
    /// Stiffness for 1 rad/s.
    pub matrix: DMatrix<f64>,
}

/// Stiffness that grows with a modal coordinate `z_a`: `g_k += z_a C_kl z_l`. For a beam,
/// `C = EA int N_a' phi' phi'^T dx` with the axial mode `N_a`: tension makes bending stiffer.
///
/// It is one-way: the bending has no reaction on `z_a`. With a reaction, but without the fourth-order energy,
/// a compression would appear that does not exist (flex.md 3.8); so `z_a` is the true strain, and this force
/// has no potential.
#[derive(Clone, Debug, PartialEq)]
pub struct ModeStiffening {
    /// The mode `a`, from 0.
    pub mode: usize,
    /// Stiffness for `z_a = 1`.
    pub matrix: DMatrix<f64>,
}

/// Integrals of mass and modes, stiffness and damping.
#[derive(Clone, Debug, PartialEq)]
pub struct Modal {
    /// Mass.
    pub mass: f64,
    /// First moment `s_0`.
    pub s0: Vector3<f64>,
    /// `S_1`, one vector per mode.
    pub s1: Vec<Vector3<f64>>,
    /// Inertia about the origin of the frame, undeformed.
    pub i0: Matrix3<f64>,
    /// Its first derivatives, one per mode.
    pub i1: Vec<Matrix3<f64>>,
    /// Half of its second derivatives, by pairs of modes `k n + l`, symmetric.
    pub i2: Vec<Matrix3<f64>>,
    /// Angular momentum of the modes, undeformed.
    pub g0: Vec<Vector3<f64>>,
    /// Its derivatives, by pairs of modes `k n + l`, antisymmetric.
    pub g1: Vec<Vector3<f64>>,
    /// Mass matrix of the modes.
    pub mff: DMatrix<f64>,
    /// Stiffness of the modes.
    pub stiffness: DMatrix<f64>,
    /// Damping of the modes.
    pub damping: DMatrix<f64>,
    /// Geometric stiffening by rotation.
    pub stiffening: Vec<Stiffening>,
    /// Geometric stiffening by the tension of modes.
    pub by_modes: Vec<ModeStiffening>,
    /// Geometric stiffening by accelerations, gravity and rotation.
    pub geometric: Option<Geometric>,
}

/// Largest asymmetry of a matrix, relative to its largest entry.
const SYMMETRY_TOLERANCE: f64 = 1e-9;

/// Smaller eigenvalues of the stiffness, relative to the largest, count as zero.
const ZERO_STIFFNESS: f64 = 1e-14;

/// With a smaller share of elastic kinetic energy, a mode counts as a rigid motion.
const RIGID_SHARE: f64 = 1e-10;

/// Smaller moments of inertia, relative to the largest, count as zero.
const ZERO_INERTIA: f64 = 1e-12;

/// A body whose centre of mass is in this direction, or nearer to an axis of its frame, lies along the axis.
const ALONG_AXIS: f64 = 0.9;

/// Multiplies a field of vectors at nodes with their mass matrix.
pub type Weigh<'a> = dyn Fn(&[Vector3<f64>]) -> Vec<Vector3<f64>> + 'a;

impl Modal {
    /// A modal body from nodes with masses; `modes` has the displacements of all nodes for each mode.
    pub fn new(
        nodes: &[Vector3<f64>],
        masses: &[f64],
        modes: &[Vec<Vector3<f64>>],
        stiffness: DMatrix<f64>,
        damping: DMatrix<f64>,
    ) -> Result<Self, ModalError> {
        Self::with_rotary(nodes, masses, None, modes, stiffness, damping)
    }

    /// A modal body from nodes with masses and rotary inertia.
    pub fn with_rotary(
        nodes: &[Vector3<f64>],
        masses: &[f64],
        rotary: Option<Rotary>,
        modes: &[Vec<Vector3<f64>>],
        stiffness: DMatrix<f64>,
        damping: DMatrix<f64>,
    ) -> Result<Self, ModalError> {
        if masses.len() != nodes.len() {
            return Err(ModalError::Sizes { what: "masses", found: masses.len(), expected: nodes.len() });
        }
        if let Some(m) = masses.iter().find(|m| !(**m >= 0.0 && m.is_finite())) {
            return Err(ModalError::Mass(*m));
        }
        let weigh = |field: &[Vector3<f64>]| field.iter().zip(masses).map(|(x, m)| x * *m).collect();
        let mut body = Self::integrals(nodes, &weigh, modes, stiffness, damping)?;
        if let Some(rotary) = rotary {
            rotary.add_to(&mut body, nodes.len())?;
        }
        body.check()?;
        Ok(body)
    }

    /// A modal body from nodes with a mass matrix of finite elements: `weigh` multiplies a field of vectors
    /// at the nodes with it. The integrals are those of the elements, not of lumped masses.
    pub fn weighed(
        nodes: &[Vector3<f64>],
        weigh: &Weigh,
        modes: &[Vec<Vector3<f64>>],
        stiffness: DMatrix<f64>,
        damping: DMatrix<f64>,
    ) -> Result<Self, ModalError> {
        let body = Self::integrals(nodes, weigh, modes, stiffness, damping)?;
        body.check()?;
        Ok(body)
    }

    fn integrals(
        nodes: &[Vector3<f64>],
        weigh: &Weigh,
        modes: &[Vec<Vector3<f64>>],
        stiffness: DMatrix<f64>,
        damping: DMatrix<f64>,
    ) -> Result<Self, ModalError> {
        let n = modes.len();
        let sizes = [("stiffness", stiffness.len(), n * n), ("damping", damping.len(), n * n)];
        for (what, found, expected) in
            sizes.into_iter().chain(modes.iter().map(|m| ("nodes of a mode", m.len(), nodes.len())))
        {
            if found != expected {
                return Err(ModalError::Sizes { what, found, expected });
            }
        }
        let total = |field: &[Vector3<f64>]| field.iter().fold(Vector3::zeros(), |sum, x| sum + x);
        let mass = total(&weigh(&vec![Vector3::x(); nodes.len()])).x;
        // The bilinear form of an inertia tensor, symmetric in its arguments; the second argument is weighed.
        let tensor = |a: &[Vector3<f64>], b: &[Vector3<f64>]| {
            a.iter().zip(b).fold(Matrix3::zeros(), |sum, (a, b)| {
                let outer = a * b.transpose();
                sum + Matrix3::from_diagonal_element(a.dot(b)) - (outer + outer.transpose()) * 0.5
            })
        };
        let spin = |a: &[Vector3<f64>], b: &[Vector3<f64>]| {
            a.iter().zip(b).fold(Vector3::zeros(), |sum, (a, b)| sum + a.cross(b))
        };
        let (heavy, moved): (Vec<_>, Vec<Vec<_>>) = (weigh(nodes), modes.iter().map(|m| weigh(m)).collect());
        let mut i2 = Vec::with_capacity(n * n);
        let mut g1 = Vec::with_capacity(n * n);
        let mut mff = DMatrix::zeros(n, n);
        for k in 0..n {
            for l in 0..n {
                i2.push(tensor(&modes[k], &moved[l]));
                g1.push(spin(&modes[k], &moved[l]));
                mff[(k, l)] = modes[k].iter().zip(&moved[l]).map(|(a, b)| a.dot(b)).sum();
            }
        }
        // Symmetric up to rounding errors; solvers use one half.
        mff = (&mff + mff.transpose()) * 0.5;
        Ok(Modal {
            mass,
            s0: total(&heavy),
            s1: moved.iter().map(|m| total(m)).collect(),
            i0: tensor(nodes, &heavy),
            i1: moved.iter().map(|m| tensor(nodes, m) * 2.0).collect(),
            i2,
            g0: moved.iter().map(|m| spin(nodes, m)).collect(),
            g1,
            mff,
            stiffness,
            damping,
            stiffening: Vec::new(),
            by_modes: Vec::new(),
            geometric: None,
        })
    }

    /// Number of modes.
    pub fn modes(&self) -> usize {
        self.s1.len()
    }

    /// Checks sizes, symmetries, mass and stiffness, and refuses modes that are rigid motions.
    pub fn check(&self) -> Result<(), ModalError> {
        self.check_sizes()?;
        if !(self.mass > 0.0 && self.mass.is_finite()) {
            return Err(ModalError::Mass(self.mass));
        }
        let n = self.modes();
        let uneven = |m: &DMatrix<f64>| !((m - m.transpose()).amax() <= SYMMETRY_TOLERANCE * m.amax());
        let turned = |m: &Matrix3<f64>| !((m - m.transpose()).amax() <= SYMMETRY_TOLERANCE * m.amax());
        let pairs = |f: &dyn Fn(usize, usize) -> bool| (0..n).any(|k| (0..n).any(|l| f(k, l)));
        let swapped = |k: usize, l: usize| (self.i2[k * n + l], self.i2[l * n + k]);
        let opposite = |k: usize, l: usize| (self.g1[k * n + l], self.g1[l * n + k]);
        let heaviest = self.i2.iter().fold(0.0, |a: f64, b| if b.amax() <= a { a } else { b.amax() });
        let largest = self.g1.iter().fold(0.0, |a: f64, b| if b.amax() <= a { a } else { b.amax() });
        let wrong = [
            ("mff is not symmetric", uneven(&self.mff)),
            ("the stiffness is not symmetric", uneven(&self.stiffness)),
            ("an inertia is not symmetric", self.i1.iter().chain([&self.i0]).chain(&self.i2).any(turned)),
            (
                "i2 changes when its modes are exchanged",
                pairs(&|k, l| !((swapped(k, l).0 - swapped(k, l).1).amax() <= SYMMETRY_TOLERANCE * heaviest)),
            ),
            (
                "g1 does not change its sign when its modes are exchanged",
                pairs(&|k, l| {
                    !((opposite(k, l).0 + opposite(k, l).1).amax() <= SYMMETRY_TOLERANCE * largest)
                }),
            ),
        ];
        if let Some((what, _)) = wrong.iter().find(|(_, found)| *found) {
            return Err(ModalError::Symmetry(what));
        }
        // In units of the modes, which may have any size in a file.
        let unit = self.mff.diagonal().map(|m| if m > 0.0 { m.sqrt().recip() } else { 1.0 });
        let scaled = DMatrix::from_fn(n, n, |k, l| self.stiffness[(k, l)] * unit[k] * unit[l]);
        let eigenvalues = scaled.symmetric_eigenvalues();
        self.check_inertia()?;
        self.check_rigid()?;
        match eigenvalues.iter().find(|x| !(**x > ZERO_STIFFNESS * eigenvalues.amax())) {
            Some(x) => Err(ModalError::Stiffness(*x)),
            None => Ok(()),
        }
    }

    /// Checks lists that belong together.
    fn check_sizes(&self) -> Result<(), ModalError> {
        let n = self.modes();
        let sizes = [
            ("i1", self.i1.len(), n),
            ("g0", self.g0.len(), n),
            ("i2", self.i2.len(), n * n),
            ("g1", self.g1.len(), n * n),
            ("mff", self.mff.len(), n * n),
            ("stiffness", self.stiffness.len(), n * n),
            ("damping", self.damping.len(), n * n),
        ];
        let further = self
            .by_modes
            .iter()
            .flat_map(|b| [("modes", usize::from(b.mode < n), 1), ("by_modes", b.matrix.len(), n * n)]);
        let second = self.geometric.iter().flat_map(|g| {
            [("s2", g.s2.len(), n * n), ("g2", g.g2.len(), n * n), ("geometric i2", g.i2.len(), n * n)]
        });
        match sizes.into_iter().chain(further).chain(second).find(|(_, found, expected)| found != expected) {
            Some((what, found, expected)) => Err(ModalError::Sizes { what, found, expected }),
            None => Ok(()),
        }
    }

    /// Refuses a body without inertia about an axis through the centre of mass.
    fn check_inertia(&self) -> Result<(), ModalError> {
        let inertia = self.central_inertia();
        if inertia.iter().any(|x| !x.is_finite()) {
            return Err(ModalError::Symmetry("s0 or i0 is not finite"));
        }
        let principal = inertia.symmetric_eigen();
        let (i, moment) = principal.eigenvalues.argmin();
        if moment > ZERO_INERTIA * self.i0.trace() {
            return Ok(());
        }
        let axis = principal.eigenvectors.column(i).into_owned();
        // The sign that a reader expects.
        let axis = if axis[axis.iamax()] < 0.0 { -axis } else { axis };
        Err(ModalError::NoInertia { axis, moment, largest: principal.eigenvalues.max() })
    }

    /// Refuses modes that, together with the modes before them, are rigid motions: pivots of M at rest.
    fn check_rigid(&self) -> Result<(), ModalError> {
        let n = self.modes();
        let mut m = DMatrix::zeros(6 + n, 6 + n);
        self.mass_matrix(&Matrix3::identity(), &vec![0.0; n], &mut m);
        let diagonal: Vec<f64> = (0..n).map(|k| m[(6 + k, 6 + k)]).collect();
        for column in 0..6 + n {
            let pivot = m[(column, column)];
            if column >= 6 {
                let elastic = pivot / diagonal[column - 6];
                if !(elastic > RIGID_SHARE) {
                    return Err(ModalError::RigidMode { mode: column - 6, elastic });
                }
            }
            for i in column + 1..6 + n {
                let factor = m[(i, column)] / pivot;
                for j in column + 1..6 + n {
                    m[(i, j)] -= factor * m[(column, j)];
                }
            }
        }
        Ok(())
    }

    /// Centre of mass in the frame for the modal coordinates `z`.
    pub fn centre(&self, z: &[f64]) -> Vector3<f64> {
        self.moment(z) / self.mass
    }

    /// Inertia of the undeformed body about its centre of mass.
    pub fn central_inertia(&self) -> Matrix3<f64> {
        let centre = self.centre(&[]);
        let moved = Matrix3::from_diagonal_element(centre.norm_squared()) - centre * centre.transpose();
        self.i0 - moved * self.mass
    }

    /// First moment of the deformed body.
    fn moment(&self, z: &[f64]) -> Vector3<f64> {
        // The mean of S_1 and the slope is the secant.
        let secant = |k: usize| (self.s1[k] + self.drift(k, z)) * 0.5;
        z.iter().enumerate().fold(self.s0, |sum, (k, z)| sum + secant(k) * *z)
    }

    /// Derivative of the first moment with respect to mode `k`.
    fn drift(&self, k: usize, z: &[f64]) -> Vector3<f64> {
        let pairs = self.geometric.iter().flat_map(|g| self.row(k, &g.s2)).zip(z);
        pairs.fold(self.s1[k], |sum, (s, z)| sum + s * *z)
    }

    /// The entries of mode `k` in a list by pairs of modes.
    fn row<'a, X>(&self, k: usize, pairs: &'a [X]) -> &'a [X] {
        let n = self.modes();
        &pairs[k * n..(k + 1) * n]
    }

    /// Turns the sign of the stiffening by accelerations if it is that of the load instead of the
    /// acceleration, as some programs write it, and says so. A body along an axis i of its frame is
    /// compressed by an acceleration towards its centre of mass, and pulled by rotation about the other axes.
    pub fn turn_sign(&mut self) -> Option<String> {
        let (i, s) = (self.s0.iamax(), self.s0);
        let g = self.geometric.as_mut()?;
        let trace = |load: usize| g.load(load).trace();
        let pulls = (0..3).filter(|j| *j != i).all(|j| g.known[6 + j] && trace(6 + j) > 0.0);
        if !(s[i].abs() > ALONG_AXIS * s.norm() && g.known[i] && pulls && trace(i) * s[i] > 0.0) {
            return None;
        }
        g.s2.iter_mut().for_each(|x| *x = -*x);
        Some(format!(
            "the stiffness for the acceleration a{} would pull at the body where it must press; the signs of \
             a1, a2, a3 were changed",
            i + 1
        ))
    }

    /// Least eigenvalue of the mass matrix for the modal coordinates `z`, in units of the entries on its
    /// diagonal without deformation. It is not positive where the deformation is too large for the geometric
    /// stiffening.
    pub fn least_mass(&self, z: &[f64]) -> f64 {
        let n = self.modes();
        let [mut still, mut bent] = [DMatrix::zeros(6 + n, 6 + n), DMatrix::zeros(6 + n, 6 + n)];
        self.mass_matrix(&Matrix3::identity(), &vec![0.0; n], &mut still);
        self.mass_matrix(&Matrix3::identity(), z, &mut bent);
        let unit = still.diagonal().map(|m| if m > 0.0 { m.sqrt().recip() } else { 1.0 });
        DMatrix::from_fn(6 + n, 6 + n, |i, j| bent[(i, j)] * unit[i] * unit[j]).symmetric_eigenvalues().min()
    }

    /// Derivative of the inertia with respect to mode `k`.
    fn inertia_slope(&self, k: usize, z: &[f64]) -> Matrix3<f64> {
        let more = self.geometric.iter().flat_map(|g| self.row(k, &g.i2).iter().zip(z));
        let pairs = self.row(k, &self.i2).iter().zip(z).chain(more);
        pairs.fold(self.i1[k], |sum, (i, z)| sum + i * (2.0 * z))
    }

    /// Inertia of the deformed body about the origin of the frame.
    fn inertia(&self, z: &[f64]) -> Matrix3<f64> {
        // The mean of I_1 and the slope is the secant.
        let secant = |k: usize| (self.i1[k] + self.inertia_slope(k, z)) * 0.5;
        (0..self.modes()).fold(self.i0, |sum, k| sum + secant(k) * z[k])
    }

    /// Angular momentum of mode `k`.
    fn spin(&self, k: usize, z: &[f64]) -> Vector3<f64> {
        let n = self.modes();
        let more = self.geometric.iter().flat_map(|g| self.row(k, &g.g2)).zip(z);
        let sum = z.iter().enumerate().fold(self.g0[k], |sum, (l, z)| sum + self.g1[l * n + k] * *z);
        more.fold(sum, |sum, (g, z)| sum + g * *z)
    }

    /// The mass matrix for the orientation `r` and the modal coordinates `z`; `m` has `6 + n` rows and
    /// columns.
    pub fn mass_matrix(&self, r: &Matrix3<f64>, z: &[f64], m: &mut DMatrix<f64>) {
        let n = self.modes();
        let coupling = skew(&self.moment(z)) * r.transpose();
        m.fixed_view_mut::<3, 3>(0, 0).copy_from(&self.inertia(z));
        m.fixed_view_mut::<3, 3>(0, 3).copy_from(&coupling);
        m.fixed_view_mut::<3, 3>(3, 0).copy_from(&coupling.transpose());
        m.fixed_view_mut::<3, 3>(3, 3).copy_from(&Matrix3::from_diagonal_element(self.mass));
        for k in 0..n {
            let (spin, linear) = (self.spin(k, z), r * self.drift(k, z));
            for i in 0..3 {
                (m[(i, 6 + k)], m[(6 + k, i)]) = (spin[i], spin[i]);
                (m[(3 + i, 6 + k)], m[(6 + k, 3 + i)]) = (linear[i], linear[i]);
            }
            for l in 0..n {
                m[(6 + k, 6 + l)] = self.mff[(k, l)];
            }
        }
    }

    /// The force `g` of `M v' = -g`: velocity terms, stiffness, damping, stiffening and the weight. `v` is
    /// `(Omega, u, zeta')`; `g` is overwritten.
    pub fn force(&self, r: &Matrix3<f64>, z: &[f64], v: &[f64], gravity: &Vector3<f64>, g: &mut [f64]) {
        let n = self.modes();
        let (omega, rates) = (Vector3::new(v[0], v[1], v[2]), &v[6..6 + n]);
        let (moment, weight) = (self.moment(z), r.tr_mul(gravity));
        let drift =
            rates.iter().enumerate().fold(Vector3::zeros(), |sum, (k, x)| sum + self.drift(k, z) * *x);
        let mut turning = omega.cross(&(self.inertia(z) * omega)) - moment.cross(&weight);
        for k in 0..n {
            let slope = self.inertia_slope(k, z);
            turning += slope * omega * rates[k] + omega.cross(&(self.spin(k, z) * rates[k]));
            let coriolis =
                rates.iter().enumerate().fold(Vector3::zeros(), |sum, (l, z)| sum + self.g1[l * n + k] * *z);
            let mut elastic = 0.0;
            for l in 0..n {
                elastic += self.stiffness[(k, l)] * z[l] + self.damping[(k, l)] * rates[l];
                for s in &self.by_modes {
                    elastic += z[s.mode] * s.matrix[(k, l)] * z[l];
                }
                for s in &self.stiffening {
                    elastic += s.axis.dot(&omega).powi(2) * s.matrix[(k, l)] * z[l];
                }
            }
            g[6 + k] = elastic - 0.5 * omega.dot(&(slope * omega)) + 2.0 * omega.dot(&coriolis)
                - self.drift(k, z).dot(&weight);
        }
        let mut curved = Vector3::zeros();
        if let Some(g) = &self.geometric {
            for (k, rate) in rates.iter().enumerate() {
                let pairs = self.row(k, &g.s2).iter().zip(self.row(k, &g.g2)).zip(rates);
                for ((s, g), other) in pairs {
                    curved += s * (rate * other);
                    turning += g * (rate * other);
                }
            }
        }
        let forward = r * (omega.cross(&drift) * 2.0 + omega.cross(&omega.cross(&moment)) + curved)
            - gravity * self.mass;
        for i in 0..3 {
            (g[i], g[3 + i]) = (turning[i], forward[i]);
        }
    }

    /// Kinetic energy for the velocities `(Omega, u, zeta')`.
    pub fn kinetic(&self, r: &Matrix3<f64>, z: &[f64], v: &[f64]) -> f64 {
        let n = self.modes();
        let (omega, u) = (Vector3::new(v[0], v[1], v[2]), r.tr_mul(&Vector3::new(v[3], v[4], v[5])));
        let rates = &v[6..6 + n];
        let mut sum = 0.5 * (omega.dot(&(self.inertia(z) * omega)) + self.mass * u.norm_squared());
        sum += u.dot(&omega.cross(&self.moment(z)));
        for k in 0..n {
            sum += rates[k] * (omega.dot(&self.spin(k, z)) + u.dot(&self.drift(k, z)));
            sum += 0.5 * rates[k] * (0..n).map(|l| self.mff[(k, l)] * rates[l]).sum::<f64>();
        }
        sum
    }
}

/// A point of a modal body, for joints and forces.
#[derive(Clone, Debug, PartialEq)]
pub struct ModalPoint {
    /// Undeformed position in the frame.
    pub at: Vector3<f64>,
    /// Its displacement in each mode.
    pub modes: Vec<Vector3<f64>>,
}

impl ModalPoint {
    /// Position in the frame.
    pub fn position(&self, z: &[f64]) -> Vector3<f64> {
        self.modes.iter().zip(z).fold(self.at, |sum, (p, z)| sum + p * *z)
    }

    /// Column `j` of `B` in `r' = B v`: rotation, translation, modes.
    pub fn column(&self, r: &Matrix3<f64>, z: &[f64], j: usize) -> Vector3<f64> {
        match j {
            0..3 => r * Vector3::ith(j, 1.0).cross(&self.position(z)),
            3..6 => Vector3::ith(j - 3, 1.0),
            _ => r * self.modes[j - 6],
        }
    }

    /// The part of `r''` beyond `B v'`.
    pub fn curvature(&self, r: &Matrix3<f64>, z: &[f64], v: &[f64]) -> Vector3<f64> {
        let omega = Vector3::new(v[0], v[1], v[2]);
        let rate = self.modes.iter().zip(&v[6..]).fold(Vector3::zeros(), |sum, (p, z)| sum + p * *z);
        r * (omega.cross(&rate) * 2.0 + omega.cross(&omega.cross(&self.position(z))))
    }
}
