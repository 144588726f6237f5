//! The gate as a multi-threaded server has it.

use std::sync::atomic::{AtomicU64, Ordering};

/// What a membership does with its gate, on an atomic word.
#[derive(Debug, Default)]
pub struct AtomicMembership {
    stop_forward_at_ns: AtomicU64,
}

impl AtomicMembership {
    pub fn load(&self) -> u64 {
        self.stop_forward_at_ns.load(Ordering::Acquire)
    }

    pub fn compare_exchange_from_zero(&self, at_ns: u64) -> Result<u64, u64> {
        self.stop_forward_at_ns
            .compare_exchange(0, at_ns, Ordering::AcqRel, Ordering::Acquire)
    }

    pub fn store(&self, at_ns: u64) {
        self.stop_forward_at_ns.store(at_ns, Ordering::Release);
    }

    pub fn is_stop_forwarded(&self) -> bool {
        self.load() != 0
    }

    /// R3: the first time wins, and the stored time is at least 1.
    pub fn engage_stop_forward(&self, now_ns: u64) {
        let stored = if now_ns == 0 { 1 } else { now_ns };
        let _ = self.compare_exchange_from_zero(stored);
    }

    pub fn clear_stop_forward(&self) {
        self.store(0);
    }
}
