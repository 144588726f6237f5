//! One program for all targets: `TIDEGATE_FUZZ_TARGET` names the one to run. `tools/fuzz.mjs` builds and starts it.
#![no_main]

#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;

use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;
use targets::{TARGETS, Target, run};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let wanted = std::env::var("TIDEGATE_FUZZ_TARGET").unwrap_or_default();
    let found = TARGETS.into_iter().find(|(name, _)| *name == wanted);
    found.unwrap_or_else(|| panic!("TIDEGATE_FUZZ_TARGET is {wanted:?}, which is no target"))
});

fuzz_target!(|input: &[u8]| run(*TARGET, input));
