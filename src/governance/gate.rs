//! The stop-forward gate: the one word that a contribution has to pass.

use std::cell::Cell;

use serde::{Deserialize, Serialize};

/// The time at which contributions were stopped, in nanoseconds since 1970; 0 while they flow.
///
/// A server keeps this word in an `AtomicU64`. One thread needs no atomic, so it is a `Cell` with the same three
/// operations and the same answers; `tests/gate.rs` holds the two side by side. Reading it takes no lock, no
/// scan and no allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StopForwardGate(Cell<u64>);

impl StopForwardGate {
    /// A gate that holds `at_ns`; 0 is open.
    #[must_use]
    pub const fn new(at_ns: u64) -> Self {
        Self(Cell::new(at_ns))
    }

    /// The time it holds; 0 is open.
    #[must_use]
    pub fn load(&self) -> u64 {
        self.0.get()
    }

    /// Stores `at_ns` if the gate holds 0.
    ///
    /// # Errors
    /// The time that the gate holds already, which stays: the first leave wins (R3).
    pub fn compare_exchange_from_zero(&self, at_ns: u64) -> Result<u64, u64> {
        match self.0.get() {
            0 => Ok(self.0.replace(at_ns)),
            held => Err(held),
        }
    }

    /// Stores `at_ns`, whatever the gate holds.
    pub fn store(&self, at_ns: u64) {
        self.0.set(at_ns);
    }
}
