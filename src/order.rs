//! Sorting in little code: each instance of the standard library's sorts adds some four kilobytes to the module that a
//! browser loads, and there would be two dozen. Lists that are short or seldom sorted get a heap sort; the others share one
//! instance, that of keys made of words.

use core::cmp::Ordering;

/// Sorts a list, not stably. A heap sort: n log n steps whatever the order was.
pub(crate) fn sort_by<T>(list: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let sink = |list: &mut [T], mut parent: usize| {
        // A heap's children lie right behind twice their parent's place.
        while let Some(first) = list.get(2 * parent + 1) {
            let mut child = 2 * parent + 1;
            if let Some(second) = list.get(child + 1)
                && compare(first, second).is_lt()
            {
                child += 1;
            }
            if compare(&list[parent], &list[child]).is_ge() {
                return;
            }
            list.swap(parent, child);
            parent = child;
        }
    };
    for parent in (0..list.len() / 2).rev() {
        sink(list, parent);
    }
    for end in (1..list.len()).rev() {
        list.swap(0, end);
        sink(&mut list[..end], 0);
    }
}

/// Sorts a list by a key, ascending and not stably.
pub(crate) fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    sort_by(list, |left, right| key(left).cmp(&key(right)));
}

/// Sorts a list, ascending.
pub(crate) fn sort<T: Ord>(list: &mut [T]) {
    sort_by(list, T::cmp);
}

/// What a list is ordered by, ascending, the first word first.
pub(crate) type Words = (u64, u64, u64, u32);

/// The places of a list's elements in the order of their keys; equal keys stay as they are.
pub(crate) fn places(keys: impl Iterator<Item = Words>) -> Vec<usize> {
    let keys = (0..)
        .zip(keys)
        .map(|(place, (first, second, third, last))| {
            let last: u64 = u64::from(last) << 32 | place;
            (first, second, third, last)
        });
    sorted(keys.collect())
}

#[inline(never)]
fn sorted(mut keys: Vec<(u64, u64, u64, u64)>) -> Vec<usize> {
    keys.sort_unstable();
    let place = |last: u64| usize::try_from(last & u64::from(u32::MAX)).unwrap_or(0);
    keys.into_iter().map(|(.., last)| place(last)).collect()
}

/// A word that is the smaller the larger the float, as `f64::total_cmp` orders them.
pub(crate) fn descending(float: f64) -> u64 {
    let bits = float.to_bits();
    if bits >> 63 == 0 {
        !bits & (u64::MAX >> 1)
    } else {
        bits
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{descending, places, sort, sort_by_key};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorts_as_the_standard_library_does(list: Vec<u8>) {
            let (mut ours, mut theirs) = (list.clone(), list);
            sort(&mut ours);
            theirs.sort_unstable();
            prop_assert_eq!(ours, theirs);
        }

        #[test]
        fn places_are_those_of_a_stable_sort(list in proptest::collection::vec((0..3_u64, 0..3_u64, 0..3_u64, 0..3_u32), 0..99)) {
            let mut theirs: Vec<usize> = (0..list.len()).collect();
            theirs.sort_by_key(|place| list[*place]);
            prop_assert_eq!(places(list.into_iter()), theirs);
        }

        #[test]
        fn descending_words_order_as_floats_do(left: u64, right: u64) {
            let (left, right) = (f64::from_bits(left), f64::from_bits(right));
            prop_assert_eq!(descending(right).cmp(&descending(left)), left.total_cmp(&right));
        }

        #[test]
        fn sorts_by_a_key(list: Vec<(u8, u32)>) {
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_by_key(&mut ours, |row| (row.1, row.0));
            theirs.sort_unstable_by_key(|row| (row.1, row.0));
            prop_assert_eq!(ours, theirs);
        }
    }
}
