//! Several tabs of one log, crashes, lost answers and other databases, at random and replayable (R3 – R12,
//! R17 – R19): whatever the interleaving, in the end all hold the same bytes, and those mean what the rules say.
//!
//! `TIDEGATE_HISTORIES` says how many histories are played (10 000). A history that fails is printed with its seed;
//! `TIDEGATE_SEED=… cargo test --test simulation` plays it again and tells it, cut down to the steps that matter.
#![cfg(not(target_arch = "wasm32"))]

mod checks;
mod database;
mod disk;
mod exchange;
mod exports;
mod failure;
mod made;
mod operations;
mod portable;
mod random;
mod referee;
mod seen;
mod signals;
mod tab;
mod tombstones;
mod wire;
mod world;
mod write_loop;

use failure::{Check, Failure};
use seen::Seen;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Plays a history; a panic of the engine is a failure like any other.
fn play(seed: u64, steps: &[u64], tell: bool) -> (String, Check) {
    catch_unwind(AssertUnwindSafe(|| world::play(seed, steps, tell))).unwrap_or_else(|cause| {
        let words = cause.downcast_ref::<String>().cloned();
        let words = words.or_else(|| cause.downcast_ref::<&str>().map(|words| (*words).into()));
        (String::new(), Err(Failure(format!("a panic: {words:?}"))))
    })
}

fn fails(seed: u64, steps: &[u64]) -> bool {
    play(seed, steps, false).1.is_err()
}

/// The steps without which the history does not fail.
fn shrink(seed: u64, mut steps: Vec<u64>) -> Vec<u64> {
    let mut length = steps.len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        let before = steps.len();
        while start < steps.len() {
            let end = (start + length).min(steps.len());
            let shorter = [&steps[..start], &steps[end..]].concat();
            if fails(seed, &shorter) {
                steps = shorter;
            } else {
                start = end;
            }
        }
        if length == 1 && steps.len() == before {
            return steps;
        }
        length = (length / 2).max(1);
    }
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is {text:?}, not a number")),
    )
}

#[test]
fn any_interleaving_of_tabs_crashes_and_devices_ends_in_what_the_rules_say() {
    if let Some(seed) = number("TIDEGATE_SEED") {
        replay(seed);
        return;
    }
    let histories = number("TIDEGATE_HISTORIES").unwrap_or(10_000);
    let next = AtomicU64::new(0);
    let failed = AtomicU64::new(u64::MAX);
    let all = Mutex::new(Seen::new());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= histories.min(failed.load(Ordering::Relaxed)) {
                        let mut all = all.lock().expect("no thread has panicked");
                        for (what, times) in seen::take() {
                            *all.entry(what).or_insert(0) += times;
                        }
                        return;
                    }
                    if fails(seed, &world::steps(seed)) {
                        failed.fetch_min(seed, Ordering::Relaxed);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner();
    if failed != u64::MAX {
        let (_, end) = play(failed, &world::steps(failed), false);
        let failure = end.expect_err("a history that fails again");
        panic!("TIDEGATE_SEED={failed} cargo test --test simulation\n{failure}");
    }
    let all = all.into_inner().expect("no thread has panicked");
    println!("{histories} histories: {all:#?}");
    if histories >= 10_000 {
        for what in seen::ALL {
            assert!(all.contains_key(what), "never seen: {what}");
        }
    }
}

fn replay(seed: u64) {
    let steps = world::steps(seed);
    if !fails(seed, &steps) {
        println!("seed {seed} passes");
        return;
    }
    let steps = shrink(seed, steps);
    let (told, end) = play(seed, &steps, true);
    let failure = end.expect_err("a history that fails again");
    panic!("seed {seed}, {} steps:{told}\n{failure}", steps.len());
}
