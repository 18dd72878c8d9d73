//! The four parameters of generalized-alpha and the conditions on them.

use crate::Error;

/// Algorithmic parameters alpha_m, alpha_f, beta, gamma of (LA 37).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alpha {
    /// Weight of a_n in (37d).
    pub alpha_m: f64,
    /// Weight of v'_n in (37d).
    pub alpha_f: f64,
    /// Newmark's beta.
    pub beta: f64,
    /// Newmark's gamma.
    pub gamma: f64,
}

impl Alpha {
    /// Chung and Hulbert's parameters (42) from the damping rho_inf in [0, 1] of infinite frequencies.
    pub fn from_rho(rho_inf: f64) -> Result<Self, Error> {
        if !(0.0..=1.0).contains(&rho_inf) {
            return Err(Error::Parameter {
                name: "rho",
                value: rho_inf,
                expected: "rho is the spectral radius at infinite frequency and lies in [0, 1]",
            });
        }
        let alpha_m = (2.0 * rho_inf - 1.0) / (rho_inf + 1.0);
        let alpha_f = rho_inf / (rho_inf + 1.0);
        let gamma = 0.5 + alpha_f - alpha_m;
        Ok(Alpha { alpha_m, alpha_f, gamma, beta: 0.25 * (gamma + 0.5).powi(2) })
    }

    /// The method of Hilber, Hughes and Taylor: alpha_m = 0, alpha_f = alpha in [0, 1/3].
    pub fn hht(alpha: f64) -> Result<Self, Error> {
        if !(0.0..=1.0 / 3.0).contains(&alpha) {
            return Err(Error::Parameter {
                name: "alpha",
                value: alpha,
                expected: "the HHT parameter lies in [0, 1/3]",
            });
        }
        let gamma = 0.5 + alpha;
        Ok(Alpha { alpha_m: 0.0, alpha_f: alpha, gamma, beta: 0.25 * (gamma + 0.5).powi(2) })
    }

    /// Newmark's method: alpha_m = alpha_f = 0. Order 2 only for gamma = 1/2, see [`order`](Self::order).
    pub fn newmark(beta: f64, gamma: f64) -> Result<Self, Error> {
        Alpha { alpha_m: 0.0, alpha_f: 0.0, beta, gamma }.valid()
    }

    /// Any parameters for which the method is defined and implicit.
    pub fn given(alpha_m: f64, alpha_f: f64, beta: f64, gamma: f64) -> Result<Self, Error> {
        Alpha { alpha_m, alpha_f, beta, gamma }.valid()
    }

    fn valid(self) -> Result<Self, Error> {
        let Alpha { alpha_m, alpha_f, beta, gamma } = self;
        let violation = if ![alpha_m, alpha_f, beta, gamma].iter().all(|x| x.is_finite()) {
            Some("a parameter is not finite".to_string())
        } else if alpha_m == 1.0 || alpha_f == 1.0 {
            Some(format!(
                "alpha_m = {alpha_m} and alpha_f = {alpha_f} must differ from 1, else q_n+1 does not depend \
                 on the equilibrium at t_n+1"
            ))
        } else if beta <= 0.0 || gamma <= 0.0 {
            Some(format!("beta = {beta} and gamma = {gamma} must be positive"))
        } else {
            None
        };
        match violation {
            Some(violation) => Err(Error::Coefficients { violation }),
            None => Ok(self),
        }
    }

    /// Delta_alpha = alpha_m - alpha_f: a_n approximates v'(t_n + Delta_alpha h).
    pub fn delta_alpha(&self) -> f64 {
        self.alpha_m - self.alpha_f
    }

    /// Error constant C_q = (1 - 6 beta - 3 Delta_alpha)/6 of (40a).
    pub fn c_q(&self) -> f64 {
        (1.0 - 6.0 * self.beta - 3.0 * self.delta_alpha()) / 6.0
    }

    /// 2 if the order condition (41) gamma = 1/2 - Delta_alpha holds, else 1.
    pub fn order(&self) -> usize {
        if (self.gamma - 0.5 + self.delta_alpha()).abs() <= 1e-14 { 2 } else { 1 }
    }

    /// Checks the order condition (41).
    pub fn check_order(&self) -> Result<(), Error> {
        if self.order() == 2 {
            return Ok(());
        }
        Err(Error::Coefficients {
            violation: format!(
                "order condition (41) gamma = 1/2 + alpha_f - alpha_m violated: gamma = {}, needed {}; the \
                 method is of order 1",
                self.gamma,
                0.5 - self.delta_alpha()
            ),
        })
    }

    /// Checks the stability conditions (134) alpha_m < alpha_f < 1/2 and gamma < 2 beta, which make
    /// multiplier errors decay. `rho_inf = 1` and Newmark's trapezoidal rule are on the boundary and fail.
    pub fn check_stability(&self) -> Result<(), Error> {
        let Alpha { alpha_m, alpha_f, beta, gamma } = *self;
        let violation = if alpha_m >= alpha_f {
            format!("stability condition (134) alpha_m < alpha_f violated: {alpha_m} >= {alpha_f}")
        } else if alpha_f >= 0.5 {
            format!("stability condition (134) alpha_f < 1/2 violated: alpha_f = {alpha_f}")
        } else if gamma >= 2.0 * beta {
            format!("stability condition (134) gamma < 2 beta violated: {gamma} >= {}", 2.0 * beta)
        } else {
            return Ok(());
        };
        Err(Error::Coefficients {
            violation: format!(
                "{violation}: errors of the multipliers are not damped, use rho below 1 or the form \
                 stabilized-index2"
            ),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chung_hulbert_satisfies_both_conditions_below_one() {
        for i in 0..100 {
            let a = Alpha::from_rho(i as f64 / 100.0).unwrap();
            a.check_order().unwrap();
            a.check_stability().unwrap();
            let rho = i as f64 / 100.0;
            assert!((a.beta - 1.0 / (1.0 + rho) / (1.0 + rho)).abs() < 1e-15);
        }
        let one = Alpha::from_rho(1.0).unwrap();
        one.check_order().unwrap();
        assert!(one.check_stability().is_err());
    }

    #[test]
    fn violations_name_the_condition() {
        for rho in [-0.1, 1.1, f64::NAN] {
            assert!(Alpha::from_rho(rho).is_err(), "{rho}");
        }
        let e = Alpha::newmark(0.25, 0.6).unwrap().check_order().unwrap_err();
        assert!(e.to_string().contains("(41)"), "{e}");
        let e = Alpha::given(0.4, 0.3, 0.3, 0.4).unwrap().check_stability().unwrap_err();
        assert!(e.to_string().contains("(134)"), "{e}");
        assert!(Alpha::given(1.0, 0.3, 0.3, 0.4).is_err());
        assert!(Alpha::hht(0.34).is_err() && Alpha::hht(0.3).unwrap().check_order().is_ok());
    }
}
