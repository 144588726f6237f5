//! The fuzz targets on their kept corpus (`corpus/`, a folder for each target). The fuzzer itself is in `fuzz/`.
#![cfg(not(target_arch = "wasm32"))]

mod targets;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use targets::{TARGETS, run};

/// Runs a target on its corpus; says which input fails.
#[track_caller]
fn passes(name: &str) {
    let target = TARGETS.into_iter().find(|(known, _)| *known == name);
    let target = target.expect("a target");
    let folder = [env!("CARGO_MANIFEST_DIR"), "tests", "fuzz", "corpus", name];
    let folder: PathBuf = folder.iter().collect();
    let mut inputs: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("a corpus")
        .map(|entry| entry.expect("a file").path())
        .collect();
    inputs.sort_unstable();
    assert!(!inputs.is_empty());
    // No input at all is one, too.
    run(target, &[]);
    for path in inputs {
        let input = fs::read(&path).expect("an input");
        let outcome = catch_unwind(AssertUnwindSafe(|| run(target, &input)));
        assert!(outcome.is_ok(), "{name} fails on {}", path.display());
    }
}

#[test]
fn a_snapshot_of_any_bytes_is_refused_or_sound() {
    passes("snapshot");
}

#[test]
fn a_row_of_any_bytes_is_refused_whole_or_folded_under_what_is_pending() {
    passes("row");
}

#[test]
fn an_export_of_any_bytes_is_refused_whole_or_counts_once_and_opens_nothing() {
    passes("export");
}

#[test]
fn a_cursor_of_any_text_is_refused_or_acknowledges_once() {
    passes("cursor");
}

#[test]
fn stored_memberships_of_any_bytes_are_read_whole_or_closed() {
    passes("checkpoint");
}

#[test]
fn no_calls_let_anything_count_after_a_leave_or_part_the_bytes() {
    passes("calls");
}
