//! A membership row as a registry keeps it: what every contribution asks for in one small entry, the rest apart.

use super::{CommunityId, Membership, MembershipState, ShareMode, StopForwardGate, UserId};

/// What the gate reads of a row. 32 bytes: of many rows, it is memory that a look-up waits for.
#[derive(Debug, Clone)]
pub(crate) struct GateRow {
    pub(super) user_id: UserId,
    pub(super) community_id: CommunityId,
    stop_forward_at_ns: StopForwardGate,
    pub(crate) epoch: u32,
    pub(crate) share_policy_version: u16,
    state: MembershipState,
    /// This database joined the epoch itself and all kinds are shared: the terms have nothing to add.
    unconditional: bool,
}

/// What is left of a row.
#[derive(Debug, Clone)]
pub(super) struct Terms {
    share: ShareMode,
    joined_at_ns: u64,
    contributing_epoch: Option<u32>,
}

impl GateRow {
    /// Whether the user is a member now, as [`Membership::is_open`].
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.stop_forward_at_ns.load() == 0 && self.state.is_member()
    }

    /// Whether whoever is let in may contribute whatever they like, under the current epoch.
    #[inline]
    pub(crate) fn is_unconditional(&self) -> bool {
        self.unconditional
    }
}

/// Takes a row apart.
pub(super) fn apart(row: Membership) -> (GateRow, Terms) {
    let unconditional =
        row.contributing_epoch == Some(row.epoch) && matches!(row.share, ShareMode::All);
    let gate = GateRow {
        user_id: row.user_id,
        community_id: row.community_id,
        stop_forward_at_ns: row.stop_forward_at_ns,
        epoch: row.epoch,
        share_policy_version: row.share_policy_version,
        state: row.state,
        unconditional,
    };
    let terms = Terms {
        share: row.share,
        joined_at_ns: row.joined_at_ns,
        contributing_epoch: row.contributing_epoch,
    };
    (gate, terms)
}

/// Puts a row together again.
pub(super) fn together(gate: &GateRow, terms: &Terms) -> Membership {
    Membership {
        user_id: gate.user_id,
        community_id: gate.community_id,
        state: gate.state,
        epoch: gate.epoch,
        share_policy_version: gate.share_policy_version,
        share: terms.share,
        joined_at_ns: terms.joined_at_ns,
        stop_forward_at_ns: gate.stop_forward_at_ns.clone(),
        contributing_epoch: terms.contributing_epoch,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_gate_reads_is_half_a_line_of_the_cache() {
        assert_eq!(size_of::<GateRow>(), 32);
    }
}
