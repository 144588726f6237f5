//! Log rows: what one tab wrote, another one that stood at the same place folds into the same bytes; a damaged row is
//! refused, and neither what was folded nor what is pending has changed.

use proptest::prelude::*;
use tidegate::Error;
use tidegate::engine::Engine;
use tidegate::log::ROW_VERSION;

use crate::golden::{golden, history};
use crate::histories::{Step, any_history, engine, take};

const TAB: u64 = 3;

/// Two engines that were restored from the same snapshot.
fn two_tabs(before: &[Step]) -> [Engine; 2] {
    let mut engine = engine();
    take(&mut engine, before);
    engine.commit(usize::MAX);
    let bytes = engine.snapshot();
    [(); 2].map(|()| Engine::restore(&bytes, None).unwrap())
}

proptest! {
    #[test]
    fn a_row_folds_into_what_it_was_written_from(
        before in any_history(0..40),
        after in any_history(0..40),
        number in any::<u64>(),
    ) {
        let [mut writer, mut reader] = two_tabs(&before);
        take(&mut writer, &after);
        let row = writer.pending_row(TAB, number);
        let events = writer.pending();
        writer.commit(usize::MAX);
        prop_assert_eq!(reader.catch_up(&[&row]), Ok(events));
        prop_assert!(reader.snapshot() == writer.snapshot());
        prop_assert_eq!(reader.pending(), 0);
    }

    /// However the events are cut into rows, and however many rows are read at a time.
    #[test]
    fn many_rows_fold_as_one_does(
        before in any_history(0..20),
        pieces in prop::collection::vec(any_history(0..12), 0..6),
    ) {
        let [mut writer, mut at_once] = two_tabs(&before);
        let mut one_by_one = at_once.clone();
        let mut rows = Vec::new();
        for piece in &pieces {
            take(&mut writer, piece);
            rows.push(writer.pending_row(TAB, rows.len() as u64));
            writer.commit(usize::MAX);
            one_by_one.catch_up(&[rows.last().unwrap()]).unwrap();
            prop_assert!(one_by_one.snapshot() == writer.snapshot());
        }
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        at_once.catch_up(&rows).unwrap();
        prop_assert!(at_once.snapshot() == writer.snapshot());
    }
}

/// A reader with something pending, and what must not change about it.
struct Reader {
    engine: Engine,
    pending: Vec<u8>,
    folded: Vec<u8>,
}

impl Reader {
    fn new(mut engine: Engine, steps: &[Step]) -> Self {
        take(&mut engine, steps);
        let (pending, folded) = (engine.pending_row(TAB, 0), engine.snapshot());
        Self {
            engine,
            pending,
            folded,
        }
    }

    /// The rows are refused with this error, and nothing has changed.
    #[track_caller]
    fn assert_refuses(&mut self, rows: &[&[u8]], error: Error, what: &str) {
        assert_eq!(self.engine.catch_up(rows), Err(error), "{what}");
        assert!(
            self.engine.pending_row(TAB, 0) == self.pending,
            "{what}: pending"
        );
        assert!(self.engine.snapshot() == self.folded, "{what}: folded");
    }
}

/// A version is refused as newer where it is one.
fn expected(row: &[u8]) -> Error {
    match row {
        [low, high, ..] if u16::from_le_bytes([*low, *high]) > ROW_VERSION => {
            Error::UnsupportedVersion
        }
        _ => Error::CorruptEvents,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn every_prefix_and_every_other_byte_of_a_row_is_refused(
        before in any_history(0..20),
        after in any_history(1..12),
        own in any_history(0..6),
        change in 1..=u8::MAX,
    ) {
        let [mut writer, reader] = two_tabs(&before);
        take(&mut writer, &after);
        let row = writer.pending_row(TAB, 1);
        let mut reader = Reader::new(reader, &own);
        for place in 0..row.len() {
            reader.assert_refuses(&[&row[..place]], Error::CorruptEvents, "a prefix");
            let mut damaged = row.clone();
            damaged[place] ^= change;
            reader.assert_refuses(&[&damaged], expected(&damaged), "another byte");
            // All or none: the good row before it is not folded either.
            reader.assert_refuses(&[&row, &damaged], expected(&damaged), "a good row before it");
        }
        let longer = [row.as_slice(), &[0]].concat();
        reader.assert_refuses(&[&longer], Error::CorruptEvents, "a byte behind");
        reader.assert_refuses(&[&row, &row[1..]], expected(&row[1..]), "a byte missing before");
        // The same reader still takes the row itself.
        prop_assert!(reader.engine.catch_up(&[&row]).is_ok());
        writer.commit(usize::MAX);
        prop_assert!(reader.engine.snapshot() == writer.snapshot());
    }
}

#[test]
fn every_other_value_of_every_byte_of_a_small_row_is_refused() {
    let row = engine().pending_row(TAB, 1);
    let mut reader = Reader::new(history::empty().unwrap(), &[]);
    for place in 0..row.len() {
        let mut damaged = row.clone();
        for value in (0..=u8::MAX).filter(|value| *value != row[place]) {
            damaged[place] = value;
            reader.assert_refuses(&[&damaged], expected(&damaged), "another byte");
        }
    }
}

#[test]
fn every_flipped_bit_of_the_golden_row_is_refused() {
    let row = golden("row-v3.bin");
    let mut reader = Reader::new(history::empty().unwrap(), &[]);
    for place in 0..row.len() {
        for bit in 0..8 {
            let mut damaged = row.clone();
            damaged[place] ^= 1 << bit;
            reader.assert_refuses(&[&damaged], expected(&damaged), "a flipped bit");
        }
    }
}

#[test]
fn bytes_that_never_were_a_row_are_refused() {
    let mut reader = Reader::new(history::history().unwrap(), &[]);
    let snapshot = golden("snapshot-v1.bin");
    for bytes in [&[], &[0; 64], &[3, 0], &[3, 0, 0, 0, 0, 0]] as [&[u8]; 4] {
        reader.assert_refuses(&[bytes], Error::CorruptEvents, "no row");
    }
    // "TI" would be a version far ahead.
    reader.assert_refuses(&[&snapshot], Error::UnsupportedVersion, "a snapshot");
}
