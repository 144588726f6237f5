//! The state: everything that is folded from the log. `apply` is its only writer.
//!
//! Each room keeps the journal of its own slots: what a pending event overwrote is saved there on first touch, `undo`
//! restores it exactly, `commit` drops it. So no event can be applied without a journal, and undoing costs what was
//! touched.

use super::tombstones::{LeaveMarks, Leaver};
use super::views::Views;
use crate::catalogue::{Hint, Items, Names};
use crate::community::{Beside, Cohorts, Contributions, Tenure};
use crate::governance::{
    Claim, CommunityId, CommunityLayer, CommunityMembership, Membership, MembershipRegistry,
    MembershipState, MembershipStatus, Outcome, SharePolicy, SignalProvenance, SignalScope, UserId,
    admit, layer_open,
};
use crate::journaled::JournaledMap;
use crate::log::{Event, Outbox, Remote, SignalEvent};
use crate::profile::{HIDDEN, LocalSignal, Profiles, SEEN};
use crate::replication::{ReplicationState, Stream};
use crate::signals::{Decay, Kinds};

#[derive(Debug, Clone, Default)]
pub(crate) struct State {
    pub(crate) origin: u64,
    pub(crate) kinds: Kinds,
    pub(crate) names: Names,
    pub(crate) items: Items,
    pub(crate) profiles: Profiles,
    pub(crate) registry: MembershipRegistry,
    pub(crate) layer: CommunityLayer,
    pub(crate) contributions: Contributions,
    pub(crate) cohorts: Cohorts,
    pub(crate) replication: ReplicationState,
    pub(crate) outbox: Outbox,
    /// Users whose layer is left here and who came back to it in another database, having left it at this time (R17):
    /// what they contribute there counts, and nothing of theirs from here.
    pub(crate) returned_elsewhere: JournaledMap<UserId, u64>,
    /// The marks of each leaver's last leaves: a tombstone that has one of them is honoured, whatever opened the gate
    /// since (R10).
    pub(crate) leave_marks: JournaledMap<Leaver, LeaveMarks>,
    /// How often each user was forgotten: what another tab has pending of them from before falls away (R18).
    pub(crate) forgotten: JournaledMap<UserId, u32>,
    pub(crate) decay: Decay,
    /// Derived, so no part of the fold.
    pub(crate) views: Views,
}

impl State {
    pub(crate) fn new(origin: u64) -> Self {
        Self {
            origin,
            ..Self::default()
        }
    }

    /// Applies one event. Deterministic and total: events that the doors or the decoder let through cannot fail.
    pub(crate) fn apply(&mut self, event: &Event) -> Outcome {
        match event {
            Event::Signal(signal) => return self.apply_signal(signal, &mut Hint::default()),
            Event::Replayed(record) => return self.apply_replayed(record),
            Event::ReplayedLayer(row) => return self.merge_layer(*row),
            Event::Taken {
                origin,
                community,
                number,
            } => {
                self.replication
                    .advance(*origin, Stream::Community(*community), *number);
            }
            Event::Outbox { enabled } => self.outbox.enable(*enabled),
            Event::Acknowledged { community, number } => {
                self.outbox.acknowledge(*community, *number);
            }
            Event::Schema { dimensions, kinds } => {
                self.items.set_dimensions(*dimensions);
                self.kinds.add(kinds);
            }
            Event::Name { id, name } => self.names.log(*id, name),
            Event::UpsertItem(item) => self.items.upsert(item),
            Event::RemoveItem(item) => self.items.remove(*item),
            Event::Cohorts { user, cohorts } => {
                let user = self.profiles.intern(*user);
                self.profiles.set_cohorts(user, cohorts);
            }
            Event::Forget { user } => self.forget(*user),
            Event::Join {
                user,
                community,
                epoch,
                state,
                policy,
                at_ns,
            } => {
                self.apply_join(*user, *community, (*epoch, *state), *policy, *at_ns);
                let number = self.own(Stream::Community(*community));
                if let Some(row) = self.registry.get(*user, *community)
                    && row.epoch == *epoch
                    && row.is_open()
                {
                    let (policy, at_ns) = (row.share_policy(), row.joined_at_ns);
                    let (user, community, epoch) = (*user, *community, *epoch);
                    let event = Remote::Join {
                        user,
                        community,
                        epoch,
                        policy,
                        at_ns,
                    };
                    self.outbox.keep(community, number, event);
                }
            }
            Event::Leave {
                user,
                community,
                at_ns,
                mark,
                ..
            } => {
                // A leave means now: it closes whatever epoch is current when it is appended (R3).
                self.close(*user, *community, *at_ns);
                self.mark_leave((*user, Some(*community)), *mark);
                let number = self.own(Stream::Community(*community));
                self.outbox.drop_member(*user, *community);
                if let Some(row) = self.registry.get(*user, *community) {
                    let (epoch, at_ns) = (row.epoch, row.stop_forward_at_ns.load());
                    let (user, community) = (*user, *community);
                    self.outbox.keep(
                        community,
                        number,
                        Remote::Leave {
                            user,
                            community,
                            epoch,
                            at_ns,
                        },
                    );
                }
            }
            Event::LayerLeave {
                user,
                left_at_ns,
                mark,
            } => {
                self.apply_layer_leave(*user, *left_at_ns);
                self.mark_leave((*user, None), *mark);
            }
            Event::LayerRejoin { user, left_at_ns } => {
                // It opens only what it has seen closed.
                let seen = |last: u64| last <= *left_at_ns;
                if self.layer.status(*user).left_at_ns.is_some_and(seen) {
                    self.set_layer(*user, MembershipStatus::Active, *left_at_ns);
                }
                self.own(Stream::Layer);
            }
        }
        Outcome::Local
    }

    fn apply_layer_leave(&mut self, user: UserId, left_at_ns: u64) {
        let row = self.layer.status(user);
        let last = row.left_at_ns.unwrap_or(0);
        if row.status == MembershipStatus::Active || left_at_ns > last {
            // A leave that had not seen a rejoin still closes, under a time that has not been used.
            let left_at_ns = left_at_ns.max(last.saturating_add(1));
            self.set_layer(user, MembershipStatus::Left, left_at_ns);
        }
        self.own(Stream::Layer);
    }

    fn mark_leave(&mut self, leaver: Leaver, mark: u64) {
        let marks = self.leave_marks.get(&leaver).copied().unwrap_or_default();
        if mark != 0 && !marks.contains(mark) {
            self.leave_marks.insert(leaver, marks.with(mark));
        }
    }

    /// Numbers an own event in its stream: the place in the log is the number.
    #[inline]
    fn own(&mut self, stream: Stream) -> u64 {
        self.replication.next(self.origin, stream)
    }

    pub(super) fn set_layer(&mut self, user_id: UserId, status: MembershipStatus, left_at_ns: u64) {
        self.layer.set(CommunityMembership {
            user_id,
            status,
            left_at_ns: Some(left_at_ns),
        });
        self.returned_elsewhere.remove(&user_id);
        if status == MembershipStatus::Left {
            self.outbox.drop_contributions(user_id);
        }
    }

    pub(super) fn apply_signal(&mut self, signal: &SignalEvent, hint: &mut Hint) -> Outcome {
        // Local first (R2).
        let item = self.items.intern_hinted(signal.item, hint);
        let user = self.profiles.intern(signal.user);
        let (kind, weight, at) = (signal.kind.0, signal.weight, signal.at_ns);
        let local = LocalSignal {
            user,
            item,
            kind,
            weight,
            at,
        };
        let (seen, hide) = self.kinds.roles(signal.kind);
        let flags = if seen { SEEN } else { 0 } | if hide { HIDDEN } else { 0 };
        let decay = &mut self.decay;
        let slot = self.profiles.row(user, item, &mut self.items);
        let beside = self.contributions.beside(slot, item);
        self.profiles.record(slot, local, flags, &self.kinds, decay);
        self.views.follow(local, flags, self.items.version());

        // Then what is shared, and first of all the layer.
        let open = layer_open(&self.layer, signal.user, signal.layer);
        if open {
            for cohort in self.profiles.cohorts(user) {
                let part = (item, kind, weight, at);
                self.cohorts
                    .record(*cohort, part, &mut self.items, &self.kinds, &mut self.decay);
            }
        }
        let outcome = match signal.provenance.scope {
            SignalScope::Local => Outcome::Local,
            SignalScope::Community(_) if !open => Outcome::LayerLeft,
            SignalScope::Community(community) => self.contribute(
                (signal.user, community),
                (item, signal.kind, weight, at),
                &signal.provenance,
                Some(beside),
            ),
        };
        match (outcome, signal.provenance.scope) {
            (Outcome::Recorded, SignalScope::Community(community)) => {
                let number = self.own(Stream::Community(community));
                if self.outbox.is_enabled() {
                    self.outbox
                        .keep(community, number, signal.contribution(number));
                }
            }
            _ => {
                self.own(Stream::Local);
            }
        }
        outcome
    }

    /// Asks the gate, and counts the contribution under the epoch that it is stamped with (R5). This database's `own` lies
    /// beside a row of the profile.
    #[inline]
    pub(super) fn contribute(
        &mut self,
        (user, community): (UserId, CommunityId),
        (item, kind, weight, at): (u32, crate::governance::KindId, f64, u64),
        provenance: &SignalProvenance,
        own: Option<Beside>,
    ) -> Outcome {
        let epoch = provenance.membership_epoch;
        let outcome = admit(
            &self.registry,
            Claim {
                user,
                community,
                kind,
                epoch,
                own: own.is_some(),
            },
        );
        if outcome == Outcome::Recorded {
            let tenure = Tenure {
                community,
                user,
                epoch: epoch.unwrap_or(0),
            };
            let part = (item, kind.0, weight, at);
            self.contributions.record(
                tenure,
                own,
                part,
                &mut self.items,
                &self.kinds,
                &mut self.decay,
            );
            self.replication.advance_clock(provenance.hlc);
        }
        outcome
    }

    /// A join or rejoin of this database: the higher epoch wins, and closed stays closed within an epoch (R6).
    fn apply_join(
        &mut self,
        user: UserId,
        community: CommunityId,
        (epoch, state): (u32, MembershipState),
        policy: Option<SharePolicy>,
        at_ns: u64,
    ) {
        self.merge_join(user, community, (epoch, state), policy, at_ns);
        self.registry.modify(user, community, |row| {
            if row.epoch == epoch && row.is_open() {
                row.set_share_policy(policy.unwrap_or(row.share_policy()));
                row.contributing_epoch = Some(epoch);
            }
        });
    }

    pub(super) fn merge_join(
        &mut self,
        user: UserId,
        community: CommunityId,
        (epoch, state): (u32, MembershipState),
        policy: Option<SharePolicy>,
        at_ns: u64,
    ) {
        match self.registry.epoch(user, community) {
            None => {
                let row = Membership {
                    state,
                    epoch,
                    ..Membership::joined(user, community, policy.unwrap_or_default(), at_ns)
                };
                self.registry.insert(row);
            }
            Some(known) if known < epoch => {
                self.registry.modify(user, community, |row| {
                    (row.epoch, row.state) = (epoch, state);
                    row.set_share_policy(policy.unwrap_or(row.share_policy()));
                    row.clear_stop_forward();
                });
            }
            Some(_) => return,
        }
        self.replication.advance_membership_epoch(community, epoch);
    }

    /// Closes the current epoch of a membership; of two concurrent leaves the earlier time stands (R6).
    pub(super) fn close(&mut self, user: UserId, community: CommunityId, at_ns: u64) {
        self.registry.modify(user, community, |row| {
            row.engage_stop_forward(at_ns);
            if at_ns.max(1) < row.stop_forward_at_ns.load() {
                row.stop_forward_at_ns.store(at_ns.max(1));
            }
            row.state = MembershipState::LeavingStopForward;
            row.settle();
        });
    }

    /// What was applied is canonical now.
    pub(crate) fn commit(&mut self) {
        self.kinds.commit();
        self.names.commit();
        for forgotten in self.profiles.cut_off() {
            self.views.forget(forgotten);
        }
        self.registry.commit();
        self.layer.commit();
        self.returned_elsewhere.commit();
        self.leave_marks.commit();
        self.forgotten.commit();
        self.commit_signals();
    }

    /// The same where nothing but signals was applied since the last commit.
    pub(super) fn commit_signals(&mut self) {
        self.items.commit();
        self.profiles.commit();
        self.contributions.commit();
        self.cohorts.commit();
        self.replication.commit();
        self.outbox.commit();
    }

    /// Takes back everything that was applied since the last commit, exactly.
    pub(crate) fn undo(&mut self) {
        self.kinds.undo();
        self.names.undo();
        self.items.undo();
        self.profiles.undo();
        self.registry.undo();
        self.layer.undo();
        self.contributions.undo();
        self.cohorts.undo();
        self.replication.undo();
        self.outbox.undo();
        self.returned_elsewhere.undo();
        self.leave_marks.undo();
        self.forgotten.undo();
        self.views.undone();
    }
}
