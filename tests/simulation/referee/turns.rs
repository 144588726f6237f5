//! What opens and closes: joins and leaves of communities and of the layer (R3, R4, R6).

use super::{Layer, Member, Pair, Referee, Turn};
use tidegate::governance::{CommunityId, MembershipState, SharePolicy, UserId};
use tidegate::log::Remote;

impl Referee {
    pub(super) fn turn(
        &mut self,
        user: UserId,
        community: Option<CommunityId>,
        opens: Option<u32>,
    ) {
        let place = self.place;
        self.turns.push(Turn {
            place,
            user,
            community,
            opens,
        });
    }

    pub(super) fn join(
        &mut self,
        pair: Pair,
        (epoch, state): (u32, MembershipState),
        policy: Option<SharePolicy>,
        at: u64,
    ) {
        self.merge(pair, (epoch, state), policy, at);
        let mut told = None;
        if let Some(member) = self.members.get_mut(&pair)
            && member.epoch == epoch
            && member.is_open()
        {
            member.policy = policy.unwrap_or(member.policy);
            member.own = Some(epoch);
            told = Some((member.policy, member.joined));
        }
        if told.is_some() {
            self.turn(pair.0, Some(pair.1), Some(epoch));
        }
        // What opens nothing, because a leave of the same epoch came first, is told to nobody (R12).
        self.tell(pair.1, |_| {
            told.map(|(policy, at_ns)| Remote::Join {
                user: pair.0,
                community: pair.1,
                epoch,
                policy,
                at_ns,
            })
        });
    }

    /// A higher epoch wins; at the same one closed stays closed (R6).
    pub(super) fn merge(
        &mut self,
        pair: Pair,
        (epoch, state): (u32, MembershipState),
        policy: Option<SharePolicy>,
        at: u64,
    ) {
        let member = self.members.entry(pair).or_insert_with(|| Member {
            state,
            epoch,
            stopped: 0,
            joined: at,
            policy: policy.unwrap_or_default(),
            own: None,
        });
        if epoch > member.epoch {
            (member.epoch, member.state, member.stopped) = (epoch, state, 0);
            member.policy = policy.unwrap_or(member.policy);
        }
    }

    pub(super) fn leave(&mut self, pair: Pair, at: u64) {
        let closed = self.close(pair, at);
        self.tell(pair.1, |_| {
            closed.map(|(epoch, at_ns)| Remote::Leave {
                user: pair.0,
                community: pair.1,
                epoch,
                at_ns,
            })
        });
    }

    /// Closes the current epoch; of two leaves the earlier time stands. What the leaver has waiting goes (R12).
    pub(super) fn close(&mut self, pair: Pair, at: u64) -> Option<(u32, u64)> {
        let at = at.max(1);
        self.waiting
            .retain(|event| event.community != pair.1 || event.event.user() != pair.0);
        let member = self.members.get_mut(&pair)?;
        member.state = MembershipState::Left;
        if member.stopped == 0 || at < member.stopped {
            member.stopped = at;
        }
        let closed = (member.epoch, member.stopped);
        self.turn(pair.0, Some(pair.1), None);
        Some(closed)
    }

    pub(super) fn close_layer(&mut self, user: UserId, at: u64) {
        let layer = Layer {
            left: true,
            at,
            elsewhere: false,
        };
        self.layer.insert(user, layer);
        self.waiting.retain(|event| {
            event.event.user() != user || !matches!(event.event, Remote::Contribution { .. })
        });
        self.turn(user, None, None);
    }
}
