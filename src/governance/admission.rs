//! The one gate (R1): whether a contribution may count.

use super::{CommunityId, CommunityLayer, KindId, MembershipRegistry, UserId};

/// What became of the community part of a signal. Local effects happened in every case (R2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Outcome {
    /// No community was named.
    Local = 0,
    /// It counts.
    Recorded = 1,
    /// There is no membership, or this database never joined it itself.
    NotMember = 2,
    /// The member has left, or this database has not joined the current epoch itself.
    Left = 3,
    /// The user has left the community layer.
    LayerLeft = 4,
    /// The share policy excludes the kind.
    PolicyExcluded = 5,
    /// It is of an earlier membership epoch, or of none (R6).
    StaleEpoch = 6,
    /// It is of a later membership epoch than is known here (R6).
    FutureEpoch = 7,
    /// It was taken in before (R7).
    Duplicate = 8,
}

/// A contribution that asks to count.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Claim {
    pub(crate) user: UserId,
    pub(crate) community: CommunityId,
    pub(crate) kind: KindId,
    /// The membership epoch that it is stamped with.
    pub(crate) epoch: Option<u32>,
    /// Whether it was made in this database, which then must have joined the epoch itself (R17).
    pub(crate) own: bool,
}

/// Decides, in constant time, from the membership row alone: the only place where that is done. The community layer
/// is asked before (`layer_open`), since cohorts ask it too.
#[inline]
pub(crate) fn admit(registry: &MembershipRegistry, claim: Claim) -> Outcome {
    if registry.is_empty() {
        return Outcome::NotMember;
    }
    let Some(gate) = registry.gate(claim.user, claim.community) else {
        return Outcome::NotMember;
    };
    match claim.epoch {
        Some(epoch) if epoch > gate.epoch => return Outcome::FutureEpoch,
        Some(epoch) if epoch == gate.epoch => {}
        _ => return Outcome::StaleEpoch,
    }
    if !gate.is_open() {
        return Outcome::Left;
    }
    if gate.is_unconditional() {
        return Outcome::Recorded;
    }
    let Some(row) = registry.get(claim.user, claim.community) else {
        return Outcome::NotMember;
    };
    if claim.own && !row.is_contributing() {
        // Of a row that is known from imports alone, this database is no member (R17).
        let joined_before = row.contributing_epoch.is_some();
        return if joined_before {
            Outcome::Left
        } else {
            Outcome::NotMember
        };
    }
    if !row.share.shares(claim.kind) {
        return Outcome::PolicyExcluded;
    }
    Outcome::Recorded
}

/// Whether a user's signal may reach any community or cohort at all. `stamp` is the user's last time of leaving the
/// layer as of when the signal was made: another one now means that the layer was left in between (R11).
#[inline]
pub(crate) fn layer_open(layer: &CommunityLayer, user: UserId, stamp: Option<u64>) -> bool {
    if layer.is_empty() {
        return stamp == Some(0);
    }
    let row = layer.status(user);
    row.status == super::MembershipStatus::Active && stamp == Some(row.left_at_ns.unwrap_or(0))
}
