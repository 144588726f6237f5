//! How much memory a call takes at its highest. The whole process is counted, so every test of this binary runs alone.

use std::sync::{Mutex, MutexGuard, PoisonError};

use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

static ALONE: Mutex<()> = Mutex::new(());

/// The smallest fact, an item that was seen and not weighed, is two bytes when it is stored; in memory it is an item, a
/// row, their places in two hash tables and a line in the journal.
const BYTES_PER_BYTE: usize = 256;
/// Vectors are made room for before their elements are read, up to 1 MiB at a time.
const CONSTANT: usize = 4 << 20;

/// Waits for the other tests. One that failed has left nothing behind that matters.
pub fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a call gives, which reads this many bytes and takes memory in proportion.
#[track_caller]
pub fn bounded<T>(bytes: usize, call: impl FnOnce() -> T) -> T {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = call();
    let peak = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(
        peak <= bytes * BYTES_PER_BYTE + CONSTANT,
        "{bytes} bytes took {peak} to read"
    );
    result
}
