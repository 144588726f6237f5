//! Where a contribution comes from.

use serde::{Deserialize, Serialize};

use super::{AgentId, SignalScope};

/// The stamp of a contribution (R5). It is fixed when the signal is made and never rewritten: a membership that moves
/// on to another epoch leaves the stamps of the old one as they were, which is what lets R6 tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalProvenance {
    /// The membership epoch that the signal was made in. `None` never counts in a community (R6).
    pub membership_epoch: Option<u32>,
    /// How far the signal reaches.
    pub scope: SignalScope,
    /// The version of the share policy that let it pass.
    pub share_policy_version: u16,
    /// The database that the event was first appended to.
    pub origin: u64,
    /// The number of the event within its stream of that origin, counted from 1 (R7).
    pub sequence: u64,
    /// The program that made the signal, when it was not the person.
    pub writer_agent: Option<AgentId>,
    /// The hybrid logical clock: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
    pub hlc: u64,
}
