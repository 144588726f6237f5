//! The identities that the core deals in. Each is a newtype, so that a user can never be passed where an item is
//! expected. They have no `Display`: only the host knows the name behind an id (R16).

use serde::{Deserialize, Serialize};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident($integer:ty)) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub $integer);
    };
}

id! {
    /// A person. `UserId(0)` is reserved: it stands for nobody, and the engine refuses it at the door (R16).
    UserId(u64)
}
id! {
    /// A group overlay with aggregates over its members' contributions. 0 is an ordinary community.
    CommunityId(u64)
}
id! {
    /// Something that can be ranked. 0 is an ordinary item.
    ItemId(u64)
}
id! {
    /// A named population segment.
    CohortId(u64)
}
id! {
    /// The program that made a signal on a user's behalf.
    AgentId(u64)
}
id! {
    /// Whoever made an item.
    CreatorId(u64)
}
id! {
    /// The place of a signal kind in the schema: 0 to 255, since a schema has at most 256 kinds.
    KindId(u16)
}
