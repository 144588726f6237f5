//! Damaged snapshots: cut, changed, lengthened. Whatever was done to them, reading says so, and says nothing else.

use proptest::prelude::*;
use tidegate::Error;
use tidegate::engine::Engine;

use crate::golden::golden;
use crate::histories::{any_history, engine, take};

/// Where the version stands: behind four bytes of magic, two bytes, the low one first.
const VERSION: std::ops::Range<usize> = 4..6;

/// What a change at this place has to be refused with: a version is only believed to be newer where it is.
fn expected(place: usize) -> Error {
    if VERSION.contains(&place) {
        Error::UnsupportedVersion
    } else {
        Error::CorruptSnapshot
    }
}

#[track_caller]
fn assert_refused(bytes: &[u8], error: Error, what: &str) {
    match Engine::restore(bytes, None) {
        Err(given) => assert_eq!(given, error, "{what}"),
        Ok(_) => panic!("{what}: taken"),
    }
}

fn small() -> Vec<u8> {
    let mut engine = engine();
    engine.commit(usize::MAX);
    engine.snapshot()
}

#[test]
fn every_prefix_is_refused() {
    for bytes in [small(), golden("snapshot-v1.bin")] {
        for length in 0..bytes.len() {
            let what = format!("the first {length} bytes");
            assert_refused(&bytes[..length], Error::CorruptSnapshot, &what);
        }
    }
}

#[test]
fn every_other_value_of_every_byte_is_refused() {
    let bytes = small();
    for place in 0..bytes.len() {
        let mut damaged = bytes.clone();
        for value in (0..=u8::MAX).filter(|value| *value != bytes[place]) {
            damaged[place] = value;
            let what = format!("byte {place} as {value}");
            // No version is older than the first: 0 is damage.
            let none = damaged[VERSION] == [0, 0];
            let error = if none {
                Error::CorruptSnapshot
            } else {
                expected(place)
            };
            assert_refused(&damaged, error, &what);
        }
    }
}

#[test]
fn every_flipped_bit_of_the_golden_file_is_refused() {
    let bytes = golden("snapshot-v1.bin");
    for place in VERSION.end..bytes.len() {
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            let what = format!("bit {bit} of byte {place}");
            assert_refused(&damaged, expected(place), &what);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn random_snapshots_are_refused_once_damaged(steps in any_history(100..200), bit in 0..8_u8) {
        let mut engine = engine();
        take(&mut engine, &steps);
        engine.commit(usize::MAX);
        let bytes = engine.snapshot();
        for place in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[place] ^= 1 << bit;
            prop_assert!(Engine::restore(&damaged, None).is_err(), "bit {bit} of byte {place}");
            prop_assert!(Engine::restore(&bytes[..place], None).is_err(), "the first {place} bytes");
        }
    }
}

#[test]
fn whatever_follows_or_precedes_a_snapshot_is_refused() {
    let bytes = golden("snapshot-v1.bin");
    for extra in [vec![0], vec![0xFF], vec![0; 18], small(), bytes.clone()] {
        let behind = [bytes.as_slice(), &extra].concat();
        assert_refused(&behind, Error::CorruptSnapshot, "something behind");
        let before = [extra.as_slice(), &bytes].concat();
        assert_refused(&before, Error::CorruptSnapshot, "something before");
    }
}

#[test]
fn bytes_that_never_were_a_snapshot_are_refused() {
    let mut seed = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed.to_be_bytes()[0]
    })
    .take(1 << 20)
    .collect();
    for bytes in [
        &[],
        noise.as_slice(),
        &vec![0; 1 << 20],
        b"TIDE",
        b"{\"version\":1}",
    ] {
        assert_refused(bytes, Error::CorruptSnapshot, "no snapshot");
    }
    // A log row is no snapshot either.
    assert_refused(&golden("row-v3.bin"), Error::CorruptSnapshot, "a log row");
}

#[test]
fn a_refused_snapshot_leaves_the_next_one_readable() {
    let bytes = golden("snapshot-v1.bin");
    let mut damaged = bytes.clone();
    damaged[100] ^= 1;
    assert_refused(&damaged, Error::CorruptSnapshot, "damaged");
    assert_eq!(Engine::restore(&bytes, None).unwrap().snapshot(), bytes);
}
