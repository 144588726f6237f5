//! Which kinds are shared, and how the set of them is written.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tidegate::governance::{KindId, KindSet, ShareMode, SharePolicy};

use crate::rows::{any_mode, kinds};

#[test]
fn the_default_policy_is_version_one_and_shares_all() {
    assert_eq!(
        SharePolicy::default(),
        SharePolicy {
            version: 1,
            mode: ShareMode::All
        }
    );
}

#[test]
fn each_mode_shares_what_it_says() {
    let some = ShareMode::Kinds(kinds(&[0, 63, 64, 255]));
    for number in 0..=u16::MAX {
        let kind = KindId(number);
        assert!(ShareMode::All.shares(kind));
        assert!(!ShareMode::None.shares(kind));
        assert!(!ShareMode::Kinds(KindSet::EMPTY).shares(kind));
        assert_eq!(
            some.shares(kind),
            [0, 63, 64, 255].contains(&number),
            "{number}"
        );
    }
}

#[test]
fn a_number_that_no_schema_has_is_not_taken() {
    for number in [256, 257, 319, 320, u16::MAX] {
        let mut set = kinds(&[7]);
        assert!(!set.insert(KindId(number)));
        assert_eq!(set, kinds(&[7]));
        assert!(!set.contains(KindId(number)));
    }
}

#[test]
fn a_kind_set_is_written_without_the_words_that_are_zero_at_its_end() {
    let bytes_of = |numbers: &[u16]| postcard::to_allocvec(&kinds(numbers)).unwrap();
    assert_eq!(bytes_of(&[]), [0]);
    assert_eq!(bytes_of(&[0, 1, 6]), [1, 0b100_0011]);
    assert_eq!(bytes_of(&[64]), [2, 0, 1]);
    assert_eq!(bytes_of(&[192]), [4, 0, 0, 0, 1]);
    let all: Vec<u16> = (0..256).collect();
    assert_eq!(bytes_of(&all).len(), 1 + 4 * 10);
}

#[test]
fn a_kind_set_with_a_zero_word_at_its_end_or_too_many_words_is_refused() {
    for bytes in [
        &[1, 0][..],
        &[2, 1, 0],
        &[4, 1, 1, 1, 0],
        &[5, 1, 1, 1, 1, 1],
        &[5, 0, 0, 0, 0, 1],
    ] {
        assert!(postcard::from_bytes::<KindSet>(bytes).is_err(), "{bytes:?}");
    }
}

proptest! {
    #[test]
    fn a_kind_set_is_a_set_of_numbers(numbers in prop::collection::vec(0..256_u16, 0..300)) {
        let set = kinds(&numbers);
        let model: BTreeSet<KindId> = numbers.into_iter().map(KindId).collect();
        prop_assert_eq!(set.len(), model.len());
        prop_assert_eq!(set.is_empty(), model.is_empty());
        for number in 0..256 {
            prop_assert_eq!(set.contains(KindId(number)), model.contains(&KindId(number)));
        }
        prop_assert!(set.iter().eq(model), "ascending, each once");
    }

    #[test]
    fn any_policy_comes_back(version: u16, mode in any_mode()) {
        let policy = SharePolicy { version, mode };
        let bytes = postcard::to_allocvec(&policy).unwrap();
        prop_assert_eq!(postcard::from_bytes(&bytes), Ok(policy));
    }

    #[test]
    fn a_kind_set_that_is_read_has_one_encoding(words in prop::collection::vec(any::<u64>(), 0..6)) {
        let bytes = postcard::to_allocvec(&words).unwrap();
        if let Ok(set) = postcard::from_bytes::<KindSet>(&bytes) {
            prop_assert_eq!(postcard::to_allocvec(&set).unwrap(), bytes);
        } else {
            prop_assert!(words.len() > 4 || words.last() == Some(&0));
        }
    }
}
