//! Events: the only things that change state.

use crate::catalogue::Item;
use crate::governance::{
    CohortId, CommunityId, CommunityMembership, ItemId, KindId, KindSet, MembershipState,
    ShareMode, SharePolicy, SignalProvenance, UserId,
};
use crate::signals::{Kind, valid_weight};
use serde::{Deserialize, Serialize};

/// A signal with the stamp that it got when it was made (R5).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SignalEvent {
    /// The person.
    pub user: UserId,
    /// What the signal is about.
    pub item: ItemId,
    /// Its number in the schema.
    pub kind: KindId,
    /// Finite, at most 1e6 in size.
    pub weight: f64,
    /// Nanoseconds since 1970.
    pub at_ns: u64,
    /// The user's last time of leaving the community layer (0: never) if the layer was active when the signal was
    /// made. A signal made while the layer was left counts in no cohort, whatever comes before it in the log (R11).
    pub layer: Option<u64>,
    /// Where it may count, and under what. Scope `Local` where no community was named or the gate was closed.
    pub provenance: SignalProvenance,
}

/// What an event of another origin may be: nothing that is local to it is ever exported (R12).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Remote {
    /// A signal that counted in a community there. `provenance.scope` names the community.
    Contribution {
        /// The person.
        user: UserId,
        /// What the signal is about.
        item: ItemId,
        /// Its number in the schema.
        kind: KindId,
        /// Finite, at most 1e6 in size.
        weight: f64,
        /// When, in nanoseconds since 1970.
        at_ns: u64,
        /// What the signal is stamped with (R5).
        provenance: SignalProvenance,
    },
    /// A join or rejoin, with the epoch that it led to.
    Join {
        /// The person.
        user: UserId,
        /// The community.
        community: CommunityId,
        /// The membership epoch.
        epoch: u32,
        /// The share policy.
        policy: SharePolicy,
        /// When, in nanoseconds since 1970.
        at_ns: u64,
    },
    /// A leave of that epoch.
    Leave {
        /// The person.
        user: UserId,
        /// The community.
        community: CommunityId,
        /// The membership epoch.
        epoch: u32,
        /// When, in nanoseconds since 1970.
        at_ns: u64,
    },
}

/// An event of another origin: the record, version 3, that replay works on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct EventRecord {
    /// The database that the event was first appended to.
    pub origin: u64,
    /// Its number in its stream of that origin: 1, 2, 3 …
    pub sequence: u64,
    /// What happened.
    pub event: Remote,
}

/// One thing that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// Kinds and the length of vectors, when the database is made and when kinds are added (R19).
    Schema {
        /// The length of item vectors; 0 where it stays as it is.
        dimensions: u32,
        /// Kinds to add, in order.
        kinds: Vec<Kind>,
    },
    /// The name behind a hashed id (R16).
    Name {
        /// The id.
        id: u64,
        /// The name, 1 to 1024 bytes of UTF-8.
        name: Box<str>,
    },
    /// An item added or replaced (R20).
    UpsertItem(Item),
    /// An item left out of results until the next upsert (R20).
    RemoveItem(ItemId),
    /// A join or rejoin: the epoch and state that it leads to. For a member, a new share policy.
    Join {
        /// The person.
        user: UserId,
        /// The community.
        community: CommunityId,
        /// The membership epoch.
        epoch: u32,
        /// Where the membership is in its life.
        state: MembershipState,
        /// None where none was given: the row keeps its own, a new row has the default one.
        policy: Option<SharePolicy>,
        /// When, in nanoseconds since 1970.
        at_ns: u64,
    },
    /// A leave: it closes the epoch that is current where it stands in the log (R3).
    Leave {
        /// The person.
        user: UserId,
        /// The community.
        community: CommunityId,
        /// The membership epoch.
        epoch: u32,
        /// When, in nanoseconds since 1970.
        at_ns: u64,
        /// The mark of its tombstone (R10); 0 where it has none.
        mark: u64,
    },
    /// The user left the community layer.
    LayerLeave {
        /// The person.
        user: UserId,
        /// The time of leaving, in nanoseconds since 1970.
        left_at_ns: u64,
        /// The mark of its tombstone (R10); 0 where it has none.
        mark: u64,
    },
    /// The user came back to the layer, having seen this time of leaving.
    LayerRejoin {
        /// The person.
        user: UserId,
        /// The time of leaving, in nanoseconds since 1970.
        left_at_ns: u64,
    },
    /// The cohorts that the user was put in, from here on.
    Cohorts {
        /// The person.
        user: UserId,
        /// Ascending, each once.
        cohorts: Box<[CohortId]>,
    },
    /// A signal of a user.
    Signal(SignalEvent),
    /// Everything local about a user (R18).
    Forget {
        /// The person.
        user: UserId,
    },
    /// An event of another origin.
    Replayed(EventRecord),
    /// Everything of another origin's stream up to this number is taken in: numbers that were absent are void (R7).
    Taken {
        /// The other database.
        origin: u64,
        /// The community of the stream.
        community: CommunityId,
        /// The number.
        number: u64,
    },
    /// A row of the community layer of another origin (R17).
    ReplayedLayer(CommunityMembership),
    /// Community events are kept for export from here on, or no longer.
    Outbox {
        /// Whether they are.
        enabled: bool,
    },
    /// The host has delivered a community's events up to this number.
    Acknowledged {
        /// The community.
        community: CommunityId,
        /// The number.
        number: u64,
    },
}

impl SignalEvent {
    /// A signal that counted, as other devices are told of it.
    pub(crate) fn contribution(&self, number: u64) -> Remote {
        Remote::Contribution {
            user: self.user,
            item: self.item,
            kind: self.kind,
            weight: self.weight,
            at_ns: self.at_ns,
            provenance: SignalProvenance {
                sequence: number,
                ..self.provenance
            },
        }
    }
}

impl Remote {
    /// Whose event it is.
    #[must_use]
    pub fn user(&self) -> UserId {
        match self {
            Self::Contribution { user, .. }
            | Self::Join { user, .. }
            | Self::Leave { user, .. } => *user,
        }
    }

    /// The community whose stream it is numbered in; none for a contribution whose scope names none.
    #[must_use]
    pub fn community(&self) -> Option<CommunityId> {
        match self {
            Self::Contribution { provenance, .. } => provenance.scope.community(),
            Self::Join { community, .. } | Self::Leave { community, .. } => Some(*community),
        }
    }

    /// The ids that it uses.
    pub(crate) fn ids(&self) -> impl Iterator<Item = u64> {
        let (item, agent) = match self {
            Self::Contribution {
                item, provenance, ..
            } => (Some(item.0), provenance.writer_agent.map(|agent| agent.0)),
            Self::Join { .. } | Self::Leave { .. } => (None, None),
        };
        let community = self.community().map(|community| community.0);
        let user = self.user().0;
        [Some(user), community, item, agent].into_iter().flatten()
    }

    /// Whether an engine with so many kinds could have made it.
    pub(crate) fn is_sound(&self, kinds: usize) -> bool {
        let fits = match self {
            Self::Contribution { kind, weight, .. } => {
                usize::from(kind.0) < kinds && valid_weight(*weight)
            }
            Self::Join { policy, .. } => policy.mode.is_within(kinds),
            Self::Leave { .. } => true,
        };
        fits && self.user().0 != 0 && self.community().is_some()
    }
}

impl Remote {
    /// The event with other numbers for its kinds. A kind that has none is left out of a policy; a contribution's always
    /// has one.
    pub(crate) fn with_kinds(mut self, mut number: impl FnMut(KindId) -> Option<KindId>) -> Self {
        match &mut self {
            Self::Contribution { kind, .. } => *kind = number(*kind).unwrap_or(*kind),
            Self::Join { policy, .. } => *policy = policy_with_kinds(*policy, number),
            Self::Leave { .. } => {}
        }
        self
    }
}

impl Event {
    /// Gives other numbers to the kinds that it names.
    pub(crate) fn renumber(&mut self, mut number: impl FnMut(KindId) -> Option<KindId>) {
        match self {
            Self::Signal(signal) => signal.kind = number(signal.kind).unwrap_or(signal.kind),
            Self::Join { policy, .. } => {
                *policy = policy.map(|policy| policy_with_kinds(policy, number));
            }
            Self::Replayed(record) => record.event = record.event.with_kinds(number),
            _ => {}
        }
    }
}

fn policy_with_kinds(
    policy: SharePolicy,
    number: impl FnMut(KindId) -> Option<KindId>,
) -> SharePolicy {
    let ShareMode::Kinds(kinds) = policy.mode else {
        return policy;
    };
    let mut numbered = KindSet::EMPTY;
    for kind in kinds.iter().filter_map(number) {
        numbered.insert(kind);
    }
    SharePolicy {
        mode: ShareMode::Kinds(numbered),
        ..policy
    }
}
