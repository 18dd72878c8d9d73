//! Explicit Runge-Kutta methods as tables of numbers.
//!
//! | name | order | stages | error estimate | origin |
//! |---|---|---|---|---|
//! | rkmk4 | 4 | 4 | none | the classical method |
//! | dopri5 | 5 | 6 and the new point | order 4 | Dormand, Prince 1980 |
//! | dop853 | 8 | 12 | orders 5 and 3, combined | Dormand, Prince; Hairer, Norsett, Wanner, Solving ODEs I |

/// A method: y_np1 = y_n + h sum b_i k_i with k_i = f(t_n + c_i h, y_n + h sum a_ij k_j).
#[derive(Debug)]
pub struct Tableau {
    /// Name as typed by users.
    pub name: &'static str,
    /// Order of convergence.
    pub order: usize,
    /// Nodes.
    pub c: &'static [f64],
    /// Row i has i entries.
    pub a: &'static [&'static [f64]],
    /// Weights.
    pub b: &'static [f64],
    /// Weights of an estimate of the error; they may count the derivative at the new point, too. Empty without an
    /// estimate.
    pub error: &'static [f64],
    /// Weights of a second estimate e_3 of lower order: the error is then e^2 / sqrt(e^2 + 0.01 e_3^2).
    pub error_low: &'static [f64],
}

/// The classical method of order 4.
pub static RKMK4: Tableau = Tableau {
    name: "rkmk4",
    order: 4,
    c: &[0.0, 0.5, 0.5, 1.0],
    a: &[&[], &[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    b: &[1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0],
    error: &[],
    error_low: &[],
};

/// The method of order 5 of Dormand and Prince.
pub static DOPRI5: Tableau = Tableau {
    name: "dopri5",
    order: 5,
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0],
    a: &[
        &[],
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
    ],
    b: &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    error: &[
        71.0 / 57600.0,
        0.0,
        -71.0 / 16695.0,
        71.0 / 1920.0,
        -17253.0 / 339200.0,
        22.0 / 525.0,
        -1.0 / 40.0,
    ],
    error_low: &[],
};

/// The method of order 8 of Dormand and Prince.
pub static DOP853: Tableau = Tableau {
    name: "dop853",
    order: 8,
    c: &[
        0.0,
        0.05260015195876773,
        0.0789002279381516,
        0.1183503419072274,
        0.2816496580927726,
        0.3333333333333333,
        0.25,
        0.3076923076923077,
        0.6512820512820513,
        0.6,
        0.8571428571428571,
        1.0,
    ],
    a: &[
        &[],
        &[0.05260015195876773],
        &[0.0197250569845379, 0.0591751709536137],
        &[0.02958758547680685, 0.0, 0.08876275643042054],
        &[0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792],
        &[0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242],
        &[0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125],
        &[
            0.03709200011850479,
            0.0,
            0.0,
            0.17038392571223998,
            0.10726203044637328,
            -0.015319437748624402,
            0.008273789163814023,
        ],
        &[
            0.6241109587160757,
            0.0,
            0.0,
            -3.3608926294469414,
            -0.868219346841726,
            27.59209969944671,
            20.154067550477894,
            -43.48988418106996,
        ],
        &[
            0.47766253643826434,
            0.0,
            0.0,
            -2.4881146199716677,
            -0.590290826836843,
            21.230051448181193,
            15.279233632882423,
            -33.28821096898486,
            -0.020331201708508627,
        ],
        &[
            -0.9371424300859873,
            0.0,
            0.0,
            5.186372428844064,
            1.0914373489967295,
            -8.149787010746927,
            -18.52006565999696,
            22.739487099350505,
            2.4936055526796523,
            -3.0467644718982196,
        ],
        &[
            2.273310147516538,
            0.0,
            0.0,
            -10.53449546673725,
            -2.0008720582248625,
            -17.9589318631188,
            27.94888452941996,
            -2.8589982771350235,
            -8.87285693353063,
            12.360567175794303,
            0.6433927460157636,
        ],
    ],
    b: &[
        0.054293734116568765,
        0.0,
        0.0,
        0.0,
        0.0,
        4.450312892752409,
        1.8915178993145003,
        -5.801203960010585,
        0.3111643669578199,
        -0.1521609496625161,
        0.20136540080403034,
        0.04471061572777259,
    ],
    error: &[
        0.01312004499419488,
        0.0,
        0.0,
        0.0,
        0.0,
        -1.2251564463762044,
        -0.4957589496572502,
        1.6643771824549864,
        -0.35032884874997366,
        0.3341791187130175,
        0.08192320648511571,
        -0.022355307863886294,
    ],
    error_low: &[
        -0.18980075407240762,
        0.0,
        0.0,
        0.0,
        0.0,
        4.450312892752409,
        1.8915178993145003,
        -5.801203960010585,
        -0.4226823213237919,
        -0.1521609496625161,
        0.20136540080403034,
        0.02265179219836082,
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    /// All quadrature conditions sum b_i c_i^(k-1) = 1/k up to the order, consistent nodes, and estimates that vanish for
    /// constants.
    #[test]
    fn the_numbers_satisfy_simple_order_conditions() {
        for method in [&RKMK4, &DOPRI5, &DOP853] {
            for (c, row) in method.c.iter().zip(method.a) {
                assert!((c - row.iter().sum::<f64>()).abs() < 2e-15, "{}", method.name);
            }
            for k in 1..=method.order {
                let sum: f64 = method.b.iter().zip(method.c).map(|(b, c)| b * c.powi(k as i32 - 1)).sum();
                assert!((sum - 1.0 / k as f64).abs() < 1e-14, "{} {k}: {sum}", method.name);
            }
            for error in [method.error, method.error_low] {
                assert!(error.iter().sum::<f64>().abs() < 1e-14, "{}", method.name);
            }
        }
    }
}
