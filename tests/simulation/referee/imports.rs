//! What events of other databases come to (R6, R7, R17).

use super::Referee;
use tidegate::governance::{CommunityMembership, MembershipState, MembershipStatus, Outcome};
use tidegate::log::{EventRecord, Remote};
use tidegate::replication::Stream;

impl Referee {
    pub(super) fn replayed(&mut self, record: &EventRecord) -> Outcome {
        let Some(community) = record.event.community() else {
            return Outcome::NotMember;
        };
        let stream = (record.origin, Stream::Community(community));
        if record.sequence <= self.mark(stream.0, stream.1) {
            return Outcome::Duplicate;
        }
        self.raise(stream, record.sequence);
        let pair = (record.event.user(), community);
        let known = self.members.get(&pair).map(|member| member.epoch);
        match record.event {
            Remote::Contribution {
                item,
                kind,
                provenance,
                ..
            } => {
                let layer = self.layer(pair.0);
                if layer.left && !layer.elsewhere {
                    return Outcome::LayerLeft;
                }
                self.count(pair, (item, kind), provenance.membership_epoch, false)
            }
            Remote::Join { epoch, .. } | Remote::Leave { epoch, .. } if known > Some(epoch) => {
                Outcome::StaleEpoch
            }
            Remote::Join {
                epoch,
                policy,
                at_ns,
                ..
            } => {
                let state = if epoch == 0 {
                    MembershipState::Joined
                } else {
                    MembershipState::Rejoined
                };
                self.merge(pair, (epoch, state), Some(policy), at_ns);
                Outcome::Recorded
            }
            Remote::Leave { epoch, at_ns, .. } => {
                self.merge(pair, (epoch, MembershipState::Left), None, at_ns);
                self.close(pair, at_ns);
                Outcome::Recorded
            }
        }
    }

    /// The later leave wins, at the same one the return; it is noted as one elsewhere and opens nothing here (R17).
    pub(super) fn replayed_layer(&mut self, row: &CommunityMembership) -> Outcome {
        let (known, at) = (self.layer(row.user_id), row.left_at_ns.unwrap_or(0));
        let returned = row.status == MembershipStatus::Active;
        let news = at > known.at || (at == known.at && returned && known.left && !known.elsewhere);
        if !news {
            return Outcome::Duplicate;
        }
        if at > known.at {
            self.close_layer(row.user_id, at);
        }
        if let Some(layer) = self.layer.get_mut(&row.user_id) {
            layer.elsewhere = returned;
        }
        Outcome::Recorded
    }
}
