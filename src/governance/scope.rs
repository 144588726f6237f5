//! How far a signal reaches.

use serde::{Deserialize, Serialize};

use super::CommunityId;

/// The reach of a signal. Local effects happen under either scope (R2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SignalScope {
    /// The signal stays on this device.
    #[default]
    Local,
    /// The signal is also offered to a community, where the gate decides (R1).
    Community(CommunityId),
}

impl SignalScope {
    /// The community that the signal is offered to, if any.
    #[must_use]
    pub const fn community(self) -> Option<CommunityId> {
        match self {
            Self::Local => None,
            Self::Community(community) => Some(community),
        }
    }
}
