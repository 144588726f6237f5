//! One program for all targets: `TIDEGATE_FUZZ_TARGET` names the one to run. `tools/fuzz.mjs` builds and starts it.
#![no_main]

mod blocks;
#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::sync::LazyLock;
use targets::{TARGETS, Target, run};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let wanted = std::env::var("TIDEGATE_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.into_iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("TIDEGATE_FUZZ_TARGET is {wanted:?}, which is no target"))
});

fuzz_target!(|input: &[u8]| run(*TARGET, input));

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let choice = (seed >> 1) as usize;
    // Every other time: the key, the order and the frame want changing, too.
    if TARGET.0 == "snapshot"
        && seed & 1 == 0
        && let Some(changed) = blocks::mutate(&data[..size], choice, max_size)
    {
        data[..changed.len()].copy_from_slice(&changed);
        return changed.len();
    }
    fuzzer_mutate(data, size, max_size)
});
