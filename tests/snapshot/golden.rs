//! The files of format version 1. They load for ever; `TIDEGATE_BLESS=1` writes them anew, which is for versions that
//! have not been released. `tests/wasm` compares the same history with the same files on WebAssembly.

use std::path::PathBuf;

use tidegate::engine::Engine;
use tidegate::storage::{Blocks, Tag};

#[path = "../golden/history.rs"]
pub mod history;

const TAGS: [Tag; 16] = [
    Tag::Meta,
    Tag::Kinds,
    Tag::Name,
    Tag::Items,
    Tag::Profile,
    Tag::UserCohorts,
    Tag::CohortTotals,
    Tag::Contributions,
    Tag::Marks,
    Tag::CommunityEpoch,
    Tag::Outbox,
    Tag::Membership,
    Tag::CommunityLeave,
    Tag::ReturnedElsewhere,
    Tag::Forgotten,
    Tag::LeaveMarks,
];

fn path(name: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name]
        .iter()
        .collect()
}

pub fn golden(name: &str) -> Vec<u8> {
    std::fs::read(path(name)).expect("a golden file")
}

/// The golden file, once it has been written anew if that was asked for.
fn assert_golden(name: &str, bytes: &[u8]) {
    if std::env::var_os("TIDEGATE_BLESS").is_some() {
        std::fs::write(path(name), bytes).expect("a place to write to");
    }
    let golden = golden(name);
    let same = golden
        .iter()
        .zip(bytes)
        .take_while(|(left, right)| left == right);
    assert!(
        golden == bytes,
        "{name} is another from byte {} on",
        same.count()
    );
}

#[test]
fn the_history_writes_the_golden_files() {
    let mut engine = history::history().unwrap();
    assert_golden(
        "row-v3.bin",
        &engine.pending_row(history::TAB, history::ROW),
    );
    engine.commit(usize::MAX);
    assert_golden("snapshot-v1.bin", &engine.snapshot());
}

#[test]
fn the_golden_snapshot_loads_and_is_written_as_it_was() {
    let golden = golden("snapshot-v1.bin");
    assert_eq!(Engine::restore(&golden, None).unwrap().snapshot(), golden);
}

#[test]
fn the_golden_row_folds_into_the_golden_snapshot() {
    let mut engine = history::empty().unwrap();
    engine.undo();
    engine.catch_up(&[&golden("row-v3.bin")]).unwrap();
    assert_eq!(engine.snapshot(), golden("snapshot-v1.bin"));
}

#[test]
fn the_golden_files_are_small_and_have_every_tag() {
    let snapshot = golden("snapshot-v1.bin");
    assert!(snapshot.len() + golden("row-v3.bin").len() < 20_000);
    let blocks = Blocks::parse(&snapshot).unwrap();
    for tag in TAGS {
        assert!(blocks.iter().any(|(key, _)| key.tag == tag), "{tag:?}");
    }
    // What is missing is not written yet (purge), or only once something was exported, which needs a commit before.
    for tag in (0..=u8::MAX).filter_map(Tag::from_byte) {
        let missing = [Tag::PurgeManifest, Tag::Acknowledged];
        assert!(TAGS.contains(&tag) || missing.contains(&tag), "{tag:?}");
    }
}
