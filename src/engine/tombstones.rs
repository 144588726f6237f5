//! Tombstones: what a leave writes down before it is in the log, as it is read by another page or after a crash (R10).

use super::pending::{counts, make_local};
use super::{Engine, clamp_now};
use crate::governance::{CommunityId, MembershipStatus, UserId};
use crate::log::Event;
use core::ops::Range;
use serde::{Deserialize, Serialize};

/// Who left, and what: a community, or none, which is the layer.
pub(super) type Leaver = (UserId, Option<CommunityId>);

/// The marks of a leaver's last leaves, the oldest first, with zeros in the places that are free. A tombstone is of one
/// of the last leaves of all tabs, each of which has one mark at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LeaveMarks([u64; 8]);

impl LeaveMarks {
    pub(super) fn contains(&self, mark: u64) -> bool {
        mark != 0 && self.0.contains(&mark)
    }

    /// With one more, in the place of the oldest where all are taken.
    pub(super) fn with(mut self, mark: u64) -> Self {
        if let Some(free) = self.0.iter_mut().find(|place| **place == 0) {
            *free = mark;
        } else {
            self.0.rotate_left(1);
            self.0[7] = mark;
        }
        self
    }

    /// Whether marks could have come to this.
    pub(super) fn is_sound(&self) -> bool {
        let made = self.0.iter().fold(Self::default(), |made, mark| {
            let new = *mark != 0 && !made.contains(*mark);
            if new { made.with(*mark) } else { made }
        });
        made == *self && made != Self::default()
    }
}

/// A leave that may not be in the log yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tombstone {
    /// Who left.
    pub user: UserId,
    /// The community; none for the layer.
    pub community: Option<CommunityId>,
    /// When, in nanoseconds since 1970.
    pub at_ns: u64,
    /// What the leave was marked with ([`Engine::mark_leaves`]); 0 for nothing.
    pub mark: u64,
    /// Whether the gate was closed already where the leave was made. Then it means the rejoins that its tab had not seen
    /// (R3), and where there are none it is not logged.
    pub again: bool,
}

impl Tombstone {
    fn leaver(&self) -> Leaver {
        (self.user, self.community)
    }
}

impl Engine {
    /// The leaves that follow carry this mark, and so do the tombstones that the host writes for them: a random number,
    /// another one for each call that leaves, by which [`Engine::honour`] knows a leave that is in the log already
    /// (R10). 0, as it is at first: no mark.
    pub fn mark_leaves(&mut self, mark: u64) {
        self.mark = mark;
    }

    /// What the host writes down, before a call that left returns: the leave that is pending, or, where the gate was closed
    /// before, that the user left again.
    #[must_use]
    pub fn tombstone(
        &self,
        user: UserId,
        community: Option<CommunityId>,
        now_ns: u64,
    ) -> Tombstone {
        let leave = self.pending_leave((user, community));
        let again = leave.is_none();
        let mark = leave.unwrap_or(self.mark);
        let at_ns = clamp_now(now_ns);
        Tombstone {
            user,
            community,
            at_ns,
            mark,
            again,
        }
    }

    /// Closes the gate that a tombstone says was left, and withdraws what is pending of the leaver (R10). Nothing where
    /// there is no membership, or where the log has the leave of that mark: whoever opened the gate since had seen it.
    /// Where the gate is closed by another leave, this one is logged beside it, so that its mark is known. True where
    /// the gate was open.
    ///
    /// The first `sent` pending events are on their way into the log and stay what they are, since the log may have them
    /// already. [`Engine::row_failed`] withdraws them after all.
    pub fn honour(&mut self, tombstone: &Tombstone, sent: usize) -> bool {
        let open = self.is_open(tombstone.leaver());
        let changes_nothing = !open && (tombstone.again || tombstone.mark == 0);
        if changes_nothing
            || self.is_honoured(tombstone)
            || !self.concerns(tombstone.user, tombstone.community)
        {
            return false;
        }
        self.log_leave(tombstone, sent);
        open
    }

    /// The same before somebody who has read the tombstone opens the gate: in any case its leave is in the log then, before
    /// the event that opens, and a tombstone that comes back, as browsers may let it after a crash, closes nothing.
    pub fn recall(&mut self, tombstone: &Tombstone, sent: usize) {
        if tombstone.user.0 != 0 && !self.is_honoured(tombstone) {
            self.log_leave(tombstone, sent);
        }
    }

    fn log_leave(&mut self, tombstone: &Tombstone, sent: usize) {
        let leaver = tombstone.leaver();
        self.withdraw(leaver, sent..self.pending());
        if sent > 0 {
            self.pending.behind.push((leaver, tombstone.mark));
        }
        self.record(self.leave_event(tombstone));
    }

    /// Whether there is a row of the user's that a tombstone is of; of the layer, for anybody. If not, what they left may be
    /// pending elsewhere, and the tombstone stays.
    #[must_use]
    pub fn concerns(&self, user: UserId, community: Option<CommunityId>) -> bool {
        let epoch = |community| self.state.registry.epoch(user, community);
        community.map_or(user.0 != 0, |community| epoch(community).is_some())
    }

    /// Whether a leave that changes nothing is logged under its own mark. Where another one of the same leaver's pends, it
    /// is: whoever honours the tombstone of that one and opens the gate has not seen this one.
    pub(super) fn leaves_again(&self, leaver: Leaver) -> bool {
        self.mark != 0 && self.pending_leave(leaver).is_some()
    }

    /// The mark of the leaver's last leave that pends.
    fn pending_leave(&self, leaver: Leaver) -> Option<u64> {
        let mut pending = self.pending.events.iter().rev();
        pending.find_map(|event| {
            leave_of(event)
                .filter(|(of, _)| *of == leaver)
                .map(|(_, mark)| mark)
        })
    }

    /// The row that was on its way is not in the log: what it holds of those whose leaves were honoured behind it counts
    /// no more (R10).
    pub fn row_failed(&mut self) {
        for left in core::mem::take(&mut self.pending.behind) {
            let mut events = self.pending.events.iter();
            if let Some(place) = events.position(|event| leave_of(event) == Some(left)) {
                self.withdraw(left.0, 0..place);
            }
        }
    }

    /// Makes the leaver's pending signals local, those in a range.
    fn withdraw(&mut self, (user, community): Leaver, range: Range<usize>) {
        let mut events = core::mem::take(&mut self.pending.events);
        for event in events.get_mut(range).unwrap_or_default() {
            let counted = counts(event);
            if let Event::Signal(signal) = event
                && signal.user == user
                && (community.is_none() || signal.provenance.scope.community() == community)
            {
                if community.is_none() {
                    signal.layer = None;
                }
                make_local(signal);
                if counted {
                    self.fell_away();
                }
            }
        }
        self.state.undo();
        for mut event in events {
            // What was forgotten may take a name along now that the contribution kept, and this event still uses it.
            self.log_names(&event);
            self.reapply(&mut event);
            self.pending.events.push(event);
        }
    }

    pub(super) fn is_open(&self, (user, community): Leaver) -> bool {
        community.map_or_else(
            || user.0 != 0 && !self.state.layer.is_left(user),
            |community| !self.state.registry.is_contribution_gated(user, community),
        )
    }

    fn is_honoured(&self, tombstone: &Tombstone) -> bool {
        let known = |marks: &LeaveMarks| marks.contains(tombstone.mark);
        let marks = self.state.leave_marks.get(&tombstone.leaver());
        marks.is_some_and(known)
    }

    fn leave_event(&self, tombstone: &Tombstone) -> Event {
        let (user, at_ns, mark) = (tombstone.user, tombstone.at_ns, tombstone.mark);
        if let Some(community) = tombstone.community {
            let epoch = self.state.registry.epoch(user, community).unwrap_or(0);
            return Event::Leave {
                user,
                community,
                epoch,
                at_ns,
                mark,
            };
        }
        // Beside a leave that stands, only the mark is news.
        let row = self.state.layer.status(user);
        let left = row.status == MembershipStatus::Left;
        let left_at_ns = row.left_at_ns.filter(|_| left).unwrap_or(at_ns);
        Event::LayerLeave {
            user,
            left_at_ns,
            mark,
        }
    }
}

/// Whose gate an event opens.
pub(super) fn opener_of(event: &Event) -> Option<Leaver> {
    match event {
        Event::Join {
            user, community, ..
        } => Some((*user, Some(*community))),
        Event::LayerRejoin { user, .. } => Some((*user, None)),
        _ => None,
    }
}

/// Who leaves by an event, and the mark of its tombstone.
pub(super) fn leave_of(event: &Event) -> Option<(Leaver, u64)> {
    match event {
        Event::Leave {
            user,
            community,
            mark,
            ..
        } => Some(((*user, Some(*community)), *mark)),
        Event::LayerLeave { user, mark, .. } => Some(((*user, None), *mark)),
        _ => None,
    }
}
