//! Pending events: applied here, and not in the stored log yet.

use super::tombstones::{Leaver, leave_of, opener_of};
use super::{Change, Engine, MembershipView};
use crate::error::Error;
use crate::governance::{CommunityLayer, CommunityMembership, Outcome, SignalScope, UserId};
use crate::log::{Event, Remote, RowHeader, Schema, SignalEvent, decode_row, encode_row};

/// This tab's events since the last commit, in order. The array is reused.
#[derive(Debug, Clone, Default)]
pub(super) struct Pending {
    pub(super) events: Vec<Event>,
    /// The leaves that were honoured behind a row on its way, by leaver and mark: were that row lost, what it holds of
    /// the leavers must not be offered again.
    pub(super) behind: Vec<(Leaver, u64)>,
}

impl Pending {
    pub(super) fn push(&mut self, mut event: Event, outcome: Outcome) {
        localise(&mut event, outcome);
        self.events.push(event);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.events.is_empty()
    }
}

/// What was gated when it was made is logged as local, without an epoch, and stays so (R11).
fn localise(event: &mut Event, outcome: Outcome) {
    if let Event::Signal(signal) = event
        && outcome != Outcome::Recorded
    {
        make_local(signal);
    }
}

pub(super) fn make_local(signal: &mut SignalEvent) {
    signal.provenance.scope = SignalScope::Local;
    signal.provenance.membership_epoch = None;
    signal.provenance.share_policy_version = 0;
    signal.provenance.hlc = 0;
}

impl Engine {
    /// How many events wait to be stored.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending.events.len()
    }

    /// All pending events as one log row, the `number`th of the tab. They stay pending until [`Engine::commit`].
    #[must_use]
    pub fn pending_row(&self, tab: u64, number: u64) -> Vec<u8> {
        encode_row(
            RowHeader {
                tab,
                origin: self.state.origin,
                number,
            },
            &self.pending.events,
        )
    }

    /// The first `count` pending events are stored: they are canonical now.
    pub fn commit(&mut self, count: usize) {
        let count = count.min(self.pending.events.len());
        self.pending.behind.clear();
        let (mut forgets, mut signals) = (0_u32, 0);
        for event in &self.pending.events[..count] {
            signals += usize::from(matches!(event, Event::Signal(_)));
            forgets = forgets.saturating_add(u32::from(matches!(event, Event::Forget { .. })));
        }
        self.forgets = self.forgets.saturating_add(forgets);
        if count == self.pending.events.len() {
            if signals == count {
                self.state.commit_signals();
            } else {
                self.state.commit();
            }
            self.pending.events.clear();
            return;
        }
        // The journal holds one value per slot, of before all that is pending. So what came after the stored events is
        // taken back and applied again on top of them.
        let mut events = core::mem::take(&mut self.pending.events);
        self.state.undo();
        for event in events.drain(..count) {
            self.state.apply(&event);
        }
        self.state.commit();
        self.pending.events = events;
        self.apply_pending();
    }

    /// All pending events are canonical now; how many there were.
    pub fn commit_all(&mut self) -> usize {
        let count = self.pending();
        self.commit(count);
        count
    }

    /// Applies what is pending again, to the state that it was applied to before.
    pub(super) fn apply_pending(&mut self) {
        for event in &self.pending.events {
            self.state.apply(event);
        }
    }

    /// Takes back everything that is pending, exactly.
    pub fn undo(&mut self) {
        self.state.undo();
        self.pending.events.clear();
        self.pending.behind.clear();
        self.weights.follow(&self.state.kinds);
    }

    /// Folds stored rows and lets what is pending pass the gate again on top of them (rebase, R11). Returns how many
    /// events were folded.
    ///
    /// # Errors
    /// `CorruptEvents` or `UnsupportedVersion` where a row cannot be read or is of another database. Then nothing has
    /// changed.
    pub fn catch_up(&mut self, rows: &[&[u8]]) -> Result<usize, Error> {
        let kinds = self.pending_kinds();
        if !self.pending.is_empty() {
            self.state.undo();
        }
        let mut forgotten = Vec::new();
        let folded = self.fold(rows, &mut forgotten);
        if folded.is_ok() {
            self.rebase(&forgotten, &kinds);
        } else {
            self.apply_pending();
        }
        folded
    }

    /// Begins again from a newer snapshot of the same database, and applies what is pending on top of it: for a tab that
    /// a compaction has left behind.
    ///
    /// # Errors
    /// As [`Engine::restore`]; `CorruptSnapshot` also for a snapshot of another database. Nothing has changed then.
    pub fn reload(&mut self, snapshot: &[u8]) -> Result<(), Error> {
        let mut fresh = Self::restore(snapshot, None)?;
        // A database that has nothing yet takes its name from what is stored: another tab made it first.
        if fresh.state.origin != self.state.origin && !self.state.kinds.nothing_committed() {
            return Err(Error::CorruptSnapshot);
        }
        let (kinds, memberships) = (self.pending_kinds(), self.memberships(None));
        let layer = self.state.layer.clone();
        self.state.undo();
        let times = self.state.forgotten.iter();
        let before: Vec<(UserId, u32)> = times.map(|(user, times)| (*user, *times)).collect();
        let forgotten: Vec<UserId> = fresh
            .state
            .forgotten
            .iter()
            .filter(|(user, times)| !before.contains(&(**user, **times)))
            .map(|(user, _)| *user)
            .collect();
        fresh.state.names.keep_waiting(&self.state.names);
        self.state = fresh.state;
        self.rebase(&forgotten, &kinds);
        self.note_differences(&memberships, &layer);
        Ok(())
    }

    /// Notes the rows that are not what they were. `memberships` are sorted.
    fn note_differences(&mut self, memberships: &[MembershipView], layer: &CommunityLayer) {
        let place = |row: &MembershipView| (row.user, row.community);
        let was = |row: &MembershipView| {
            let found = memberships.binary_search_by_key(&place(row), place);
            found.ok().and_then(|found| memberships.get(found))
        };
        let rows = self.memberships(None);
        let changed = rows.iter().filter(|row| was(row) != Some(*row));
        self.changes
            .extend(changed.map(|row| Change::Membership(row.user, row.community)));
        let rows = self.state.layer.iter();
        let changed = rows.filter(|row| layer.status(row.user_id) != *row);
        self.changes
            .extend(changed.map(|row| Change::Layer(row.user_id)));
    }

    /// The names of all kinds by number, where some of them are pending: under other tabs' rows they may get others.
    fn pending_kinds(&self) -> Vec<String> {
        let pending = |event: &Event| matches!(event, Event::Schema { .. });
        let any = self.pending.events.iter().any(pending);
        let kinds = self.state.kinds.list().iter().filter(|_| any);
        kinds.map(|kind| kind.name.clone()).collect()
    }

    /// Lets what is pending pass the gate again on top of a state that has changed under it. The signals of a user who
    /// was forgotten elsewhere fall away (R18).
    fn rebase(&mut self, forgotten: &[UserId], kinds: &[String]) {
        let mut schema = Schema::new(&self.state.kinds, self.state.items.dimensions());
        // A leave whose tombstone another tab has honoured is in the log, and whoever opened the gate since knew of it and
        // of those before it; unless that is this tab, before the leave.
        let marks = &self.state.leave_marks;
        let leaves = self.pending.events.iter().enumerate();
        let leaves = leaves.filter_map(|(place, event)| Some((place, leave_of(event)?)));
        let stored: Vec<_> = leaves
            .filter(|(_, (leaver, mark))| {
                let marks = marks.get(leaver);
                marks.is_some_and(|marks| marks.contains(*mark))
            })
            .collect();
        let mut opened = Vec::new();
        let events = core::mem::take(&mut self.pending.events);
        for (place, mut event) in events.into_iter().enumerate() {
            if let Some((leaver, _)) = leave_of(&event)
                && stored
                    .iter()
                    .any(|(last, (of, _))| *of == leaver && *last >= place)
                && !opened.contains(&leaver)
            {
                continue;
            }
            if let Event::Signal(signal) = &event
                && forgotten.contains(&signal.user)
            {
                if counts(&event) {
                    self.fell_away();
                }
                continue;
            }
            event.renumber(|kind| match kinds.get(usize::from(kind.0)) {
                Some(name) => self.state.kinds.find(name),
                None => Some(kind),
            });
            // Two tabs may have added to the schema at once: the first in the log wins.
            if schema.fit(&mut event) {
                // What was forgotten took names along that this event still uses.
                self.log_names(&event);
                // An event that opens a gate, and did.
                let closed = opener_of(&event).filter(|leaver| !self.is_open(*leaver));
                self.reapply(&mut event);
                opened.extend(closed.filter(|leaver| self.is_open(*leaver)));
                self.pending.events.push(event);
            }
        }
        self.weights.follow(&self.state.kinds);
    }

    /// The events of a log row, as this database's schema reads them.
    ///
    /// # Errors
    /// `CorruptEvents` or `UnsupportedVersion`.
    pub fn read_row(&self, row: &[u8]) -> Result<(RowHeader, Vec<Event>), Error> {
        decode_row(row, &self.state.kinds, self.state.items.dimensions())
    }

    /// Folds rows onto the committed state, all or none.
    fn fold(&mut self, rows: &[&[u8]], forgotten: &mut Vec<UserId>) -> Result<usize, Error> {
        let (mut folded, mut changes) = (0, Vec::new());
        let origin = self.state.origin;
        for row in rows {
            // A row is read against the schema of the rows before it, so it is applied before the next is read.
            let read = self.read_row(row).and_then(|(header, events)| {
                // A database that has nothing yet takes its name from the log: another tab made it first.
                if self.state.kinds.list().is_empty() {
                    self.state.origin = header.origin;
                }
                let same = self.state.origin == header.origin;
                same.then_some(events).ok_or(Error::CorruptEvents)
            });
            let events = read.inspect_err(|_| {
                self.state.undo();
                self.state.origin = origin;
            })?;
            for event in &events {
                changes.extend(self.apply_noting(event).1);
                if let Event::Forget { user } = event {
                    forgotten.push(*user);
                }
            }
            folded += events.len();
        }
        self.state.commit();
        let forgets = u32::try_from(forgotten.len()).unwrap_or(u32::MAX);
        self.forgets = self.forgets.saturating_add(forgets);
        self.changes.append(&mut changes);
        Ok(folded)
    }

    /// Applies a pending event again. Its outcome may only have got lower, and the counters tell the truth.
    pub(super) fn reapply(&mut self, event: &mut Event) {
        let outcome = self.state.apply(event);
        if counts(event) && outcome != Outcome::Recorded {
            self.fell_away();
        }
        localise(event, outcome);
    }

    /// A contribution that was recorded does not count after all.
    pub(super) fn fell_away(&mut self) {
        self.contributed.recorded = self.contributed.recorded.saturating_sub(1);
        self.contributed.gated = self.contributed.gated.saturating_add(1);
    }

    /// Applies an event, and tells the row that it really changed where listeners may show that.
    pub(super) fn apply_noting(&mut self, event: &Event) -> (Outcome, Option<Change>) {
        let Some(change) = concerns(event) else {
            return (self.state.apply(event), None);
        };
        let before = self.shown(change);
        let outcome = self.state.apply(event);
        (outcome, (self.shown(change) != before).then_some(change))
    }

    /// What listeners would be shown of a row.
    fn shown(&self, change: Change) -> (Option<MembershipView>, Option<CommunityMembership>) {
        match change {
            Change::Membership(user, community) => (self.membership(user, community), None),
            Change::Layer(user) => (None, Some(self.community_layer_status(user))),
        }
    }
}

/// Whether the event is a signal that counts in a community as far as is known.
pub(super) fn counts(event: &Event) -> bool {
    matches!(event, Event::Signal(signal) if signal.provenance.scope != SignalScope::Local)
}

/// The row that an event may change.
fn concerns(event: &Event) -> Option<Change> {
    match event {
        Event::Join {
            user, community, ..
        }
        | Event::Leave {
            user, community, ..
        } => Some(Change::Membership(*user, *community)),
        Event::LayerLeave { user, .. } | Event::LayerRejoin { user, .. } => {
            Some(Change::Layer(*user))
        }
        Event::ReplayedLayer(row) => Some(Change::Layer(row.user_id)),
        Event::Replayed(record) => match record.event {
            Remote::Join {
                user, community, ..
            }
            | Remote::Leave {
                user, community, ..
            } => Some(Change::Membership(user, community)),
            Remote::Contribution { .. } => None,
        },
        _ => None,
    }
}
