//! Numbers side by side: every lane has the same value as a single number.

use nalgebra::Vector3;
use precess_lie::rotation::{retract, rotation_matrix, tangent};
use precess_lie::{LANES, Lanes, LieGroup, Mask, Number, SO3};
use proptest::prelude::*;

fn lanes(f: impl Fn(usize) -> f64) -> Lanes {
    Lanes::new(std::array::from_fn(f))
}

fn beside(list: &[Vector3<f64>; LANES]) -> Vector3<Lanes> {
    Vector3::from_fn(|i, _| lanes(|lane| list[lane][i]))
}

prop_compose! {
    /// Angles from zero to many turns, of different size in each lane.
    fn rotation_vector()(x in prop::array::uniform3(-1.0..1.0f64), size in -8.0..1.5f64) -> Vector3<f64> {
        Vector3::from(x) * 10f64.powf(size)
    }
}

proptest! {
    #[test]
    fn rotations_in_lanes_are_those_of_single_numbers(
        a in prop::array::uniform4(rotation_vector()),
        x in prop::array::uniform4(rotation_vector()),
    ) {
        let q: [_; LANES] = a.map(|a| SO3::exp(&a));
        let together: [Lanes; 4] = retract(&[0, 1, 2, 3].map(|i| lanes(|lane| q[lane][i])), &beside(&x));
        let (matrix, turn) = (rotation_matrix(&together), tangent(&beside(&x)));
        for lane in 0..LANES {
            let alone = SO3::retract(&q[lane], &x[lane]);
            for i in 0..4 {
                // The same series and the same order of operations.
                prop_assert_eq!(together[i].lane(lane), alone[i]);
            }
            let (r, t) = (rotation_matrix(alone.as_slice()), SO3::tangent(&x[lane]));
            for i in 0..9 {
                prop_assert_eq!(matrix[i].lane(lane), r[i]);
                // Small angles have a longer series here.
                prop_assert!((turn[i].lane(lane) - t[i]).abs() <= 4.0 * f64::EPSILON * t[i].abs().max(1.0));
            }
        }
    }

    #[test]
    fn arithmetic_is_done_in_each_lane(
        a in prop::array::uniform4(-1e3..1e3f64),
        b in prop::array::uniform4(0.1..1e3f64),
    ) {
        let (x, y) = (Lanes::new(a), Lanes::new(b));
        let all = [x + y, x - y, x * y, x / y, -x, x.abs(), x.larger(y)];
        for i in 0..LANES {
            let (a, b) = (a[i], b[i]);
            let expected = [a + b, a - b, a * b, a / b, -a, a.abs(), a.max(b)];
            prop_assert_eq!(all.map(|x| x.lane(i)), expected);
        }
        let mut z = x;
        z += y;
        z *= y;
        z -= x;
        z /= y;
        for i in 0..LANES {
            prop_assert_eq!(z.lane(i), ((a[i] + b[i]) * b[i] - a[i]) / b[i]);
        }
    }
}

#[test]
fn what_is_not_a_number_stays_in_its_lane_and_wins() {
    let x = Lanes::new([1.0, f64::NAN, -3.0, 0.0]);
    let one = Lanes::of(1.0);
    for largest in [x.larger(one), one.larger(x)] {
        let [a, b, c, d] = largest.to_array();
        assert!(a == 1.0 && b.is_nan() && c == 1.0 && d == 1.0, "{largest:?}");
    }
    let positive = x.zero_if_positive().to_array().map(f64::is_nan);
    assert_eq!(positive, [false, true, true, true]);
    let chosen = x.where_or(Mask::new([true, false, true, false]), one).to_array();
    assert_eq!(chosen, [1.0, 1.0, -3.0, 1.0]);
    let turned = retract(&[1.0, 0.0, 0.0, 0.0].map(Lanes::of), &Vector3::new(x, one, one));
    assert!(turned.iter().all(|q| q.lane(0).is_finite() && q.lane(1).is_nan() && q.lane(2).is_finite()));
}

#[test]
fn a_lane_can_be_changed() {
    let mut x = Lanes::of(2.0);
    x.set(2, 5.0);
    assert_eq!(x, Lanes::new([2.0, 2.0, 5.0, 2.0]));
    assert_ne!(x, Lanes::of(2.0));
}
