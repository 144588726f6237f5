//! Sorting of lists that are short or seldom sorted, in little code: each instance of the standard library's sorts adds
//! some four kilobytes to the module that a browser loads, and there would be two dozen.

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

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::{sort, sort_by_key};
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
        fn sorts_by_a_key(list: Vec<(u8, u32)>) {
            let (mut ours, mut theirs) = (list.clone(), list);
            sort_by_key(&mut ours, |row| (row.1, row.0));
            theirs.sort_unstable_by_key(|row| (row.1, row.0));
            prop_assert_eq!(ours, theirs);
        }
    }
}
