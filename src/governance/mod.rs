//! Who may contribute what, where and since when: ids, scopes, share policies, memberships, the gate and the
//! community layer. This room knows no other; it holds the rows, and the engine is the only one that changes them.

mod admission;
mod gate;
mod ids;
mod layer;
mod membership;
mod provenance;
mod registry;
mod row;
mod scope;
mod share_policy;

pub use admission::Outcome;
pub(crate) use admission::{Claim, admit, layer_open};
pub use gate::StopForwardGate;
pub use ids::{AgentId, CohortId, CommunityId, CreatorId, ItemId, KindId, UserId};
pub use layer::{
    CommunityLayer, CommunityMembership, MembershipStatus, deserialize_membership,
    serialize_membership,
};
pub use membership::{LeaveMode, Membership, MembershipState};
pub use provenance::SignalProvenance;
pub use registry::{MalformedCheckpoint, MembershipRegistry};
pub use scope::SignalScope;
pub use share_policy::{KindSet, ShareMode, SharePolicy};

/// A byte on the wire that stands for no value of the enum that was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnknownByte(pub u8);

impl std::fmt::Display for UnknownByte {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "unknown discriminant {}", self.0)
    }
}

impl std::error::Error for UnknownByte {}
