//! Merging what other databases did: transitions as a lattice (R6), contributions once (R7), and never the opening of a
//! gate or of the layer here (R17).

use super::state::State;
use crate::governance::{CommunityMembership, MembershipState, MembershipStatus, Outcome, UserId};
use crate::log::{EventRecord, Remote};
use crate::replication::Stream;

impl State {
    /// An event of another origin: once (R7), behind the epoch fences (R6), without local effects (R17).
    pub(super) fn apply_replayed(&mut self, record: &EventRecord) -> Outcome {
        let Some(community) = record.event.community() else {
            return Outcome::NotMember;
        };
        let stream = Stream::Community(community);
        if record.sequence <= self.replication.mark(record.origin, stream) {
            return Outcome::Duplicate;
        }
        // Every outcome advances the mark.
        self.replication
            .advance(record.origin, stream, record.sequence);
        match record.event {
            Remote::Contribution {
                user,
                item,
                kind,
                weight,
                at_ns,
                provenance,
            } => {
                if self.is_layer_left_everywhere(user) {
                    return Outcome::LayerLeft;
                }
                let item = self.items.intern(item);
                self.contribute(
                    (user, community),
                    (item, kind, weight, at_ns),
                    &provenance,
                    None,
                )
            }
            Remote::Join {
                user,
                epoch,
                policy,
                at_ns,
                ..
            } => {
                let state = MembershipState::opened(epoch);
                if self
                    .registry
                    .epoch(user, community)
                    .is_some_and(|known| known > epoch)
                {
                    return Outcome::StaleEpoch;
                }
                self.merge_join(user, community, (epoch, state), Some(policy), at_ns);
                Outcome::Recorded
            }
            Remote::Leave {
                user, epoch, at_ns, ..
            } => {
                if self
                    .registry
                    .epoch(user, community)
                    .is_some_and(|known| known > epoch)
                {
                    return Outcome::StaleEpoch;
                }
                // A leave of an epoch that was never heard of closes that epoch all the same.
                self.merge_join(user, community, (epoch, MembershipState::Left), None, at_ns);
                self.close(user, community, at_ns);
                self.outbox.drop_member(user, community);
                Outcome::Recorded
            }
        }
    }

    fn is_layer_left_everywhere(&self, user: UserId) -> bool {
        let row = self.layer.status(user);
        row.status == MembershipStatus::Left
            && self.returned_elsewhere.get(&user).copied() != row.left_at_ns
    }

    /// Whether a layer row of another database says anything that is not known here.
    pub(crate) fn is_layer_news(&self, row: CommunityMembership) -> bool {
        let known = self.layer.status(row.user_id);
        let returned = row.status == MembershipStatus::Active
            && known.status == MembershipStatus::Left
            && self.returned_elsewhere.get(&row.user_id).copied() != row.left_at_ns;
        row.left_at_ns > known.left_at_ns || (row.left_at_ns == known.left_at_ns && returned)
    }

    /// Rows of the layer merge: the later time of leaving wins, and at the same one Active beats Left, which lets what
    /// the user does elsewhere count. This database's own layer may be closed by it, never opened (R17).
    pub(super) fn merge_layer(&mut self, row: CommunityMembership) -> Outcome {
        if !self.is_layer_news(row) {
            return Outcome::Duplicate;
        }
        let left_at_ns = row.left_at_ns.unwrap_or(0);
        if row.left_at_ns > self.layer.status(row.user_id).left_at_ns {
            self.set_layer(row.user_id, MembershipStatus::Left, left_at_ns);
        }
        if row.status == MembershipStatus::Active {
            self.returned_elsewhere.insert(row.user_id, left_at_ns);
        }
        Outcome::Recorded
    }
}
