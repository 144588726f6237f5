//! What is fuzzed: each target takes any bytes and fails where something that must hold of them does not. They run on the
//! kept corpus in `cargo test`, and under a coverage-guided fuzzer from `fuzz/`.

mod base;
mod calls;
mod checkpoint;
mod cursor;
mod export;
#[path = "../../snapshot/memory.rs"]
mod memory;
mod row;
pub mod seal;
mod snapshot;
mod sound;

/// A target by its name, which is also that of its folder in the corpus.
pub type Target = (&'static str, fn(&[u8]));

pub const TARGETS: [Target; 6] = [
    ("snapshot", snapshot::run),
    ("row", row::run),
    ("export", export::run),
    ("cursor", cursor::run),
    ("checkpoint", checkpoint::run),
    ("calls", calls::run),
];

/// Runs a target on one input. Memory is counted for the whole process, so one input runs at a time.
pub fn run((_, target): Target, input: &[u8]) {
    let _alone = memory::alone();
    target(input);
}
