//! Sorting with few compiled copies.
//!
//! The compiler makes a copy of the standard sort for every type and every comparison, about 1700 lines of
//! LLVM code each. The functions of this module sort the places of the items instead, so all lists share one
//! copy. They are for short lists, because a comparison is a call.

use std::cmp::Ordering;

/// Sorts a list. Equal items keep their order.
pub fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut order = order(list.len(), &|i, j| compare(&list[i], &list[j]));
    for first in 0..list.len() {
        // Each swap puts one item into its place and its predecessor into the place that becomes free.
        let mut i = first;
        while order[i] != first {
            let from = order[i];
            list.swap(i, from);
            order[i] = i;
            i = from;
        }
        order[i] = i;
    }
}

/// Sorts a list by a number of each item, in increasing order. Equal items keep their order.
pub fn sort_by_number<T>(list: &mut [T], number: impl Fn(&T) -> f64) {
    sort_by(list, |a, b| number(a).total_cmp(&number(b)));
}

/// Sorts numbers in increasing order.
pub fn sort_numbers(list: &mut [f64]) {
    list.sort_unstable_by(f64::total_cmp);
}

/// The places of n items in increasing order. Equal items keep their order.
pub fn order(n: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&i, &j| compare(i, j));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The time does not grow with the square of the length if one item moves far.
    #[test]
    fn the_last_item_comes_first() {
        let mut list: Vec<i32> = (1..300_000).collect();
        list.push(0);
        sort_by(&mut list, i32::cmp);
        assert!(list.iter().enumerate().all(|(i, x)| i as i32 == *x));
    }

    proptest! {
        /// The list is that of the standard library, and equal items keep their order.
        #[test]
        fn sorts_like_the_standard_library(keys in proptest::collection::vec(-3i32..4, 0..40)) {
            let mut list: Vec<(i32, usize)> = keys.into_iter().enumerate().map(|(i, k)| (k, i)).collect();
            let mut expected = list.clone();
            expected.sort_by_key(|x| x.0);
            let mut by_number = list.clone();
            sort_by(&mut list, |a, b| a.0.cmp(&b.0));
            sort_by_number(&mut by_number, |x| f64::from(x.0));
            prop_assert_eq!(&list, &expected);
            prop_assert_eq!(by_number, expected);
        }
    }
}
