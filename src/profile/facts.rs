//! The local facts about users: decayed accumulators, seen, hidden, cohorts. They never leave the device (R2).

use crate::catalogue::{Interner, Items};
use crate::governance::{CohortId, UserId};
use crate::signals::{Decay, Kinds, Ledger};

/// The item was seen by the user.
pub(crate) const SEEN: u8 = 1;
/// The item is hidden from the user: a hard negative.
pub(crate) const HIDDEN: u8 = 2;

/// A user's own row.
#[derive(Debug, Clone, Default)]
struct UserRow {
    signals: u64,
    cohorts: Box<[CohortId]>,
    saved: usize,
}

#[derive(Debug, Clone)]
enum Undo {
    Signals { user: u32, signals: u64 },
    Cohorts { user: u32, cohorts: Box<[CohortId]> },
}

/// A signal as the profile sees it; user and item are dense indices.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LocalSignal {
    pub(crate) user: u32,
    pub(crate) item: u32,
    pub(crate) kind: u16,
    pub(crate) weight: f64,
    pub(crate) at: u64,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Profiles {
    users: Interner,
    rows: Vec<UserRow>,
    /// The user last interned: signals come in runs.
    recent: Option<(UserId, u32)>,
    /// Rows by (user, item).
    pub(crate) ledger: Ledger,
    undo: Vec<Undo>,
}

impl Profiles {
    pub(crate) fn find(&self, user: UserId) -> Option<u32> {
        match self.recent {
            Some((recent, index)) if recent == user => Some(index),
            _ => self.users.find(user.0),
        }
    }

    #[inline]
    pub(crate) fn intern(&mut self, user: UserId) -> u32 {
        match self.recent {
            Some((recent, index)) if recent == user => index,
            _ => self.intern_other(user),
        }
    }

    fn intern_other(&mut self, user: UserId) -> u32 {
        let index = self.users.intern(user.0);
        self.make_row(index);
        self.recent = Some((user, index));
        index
    }

    fn make_row(&mut self, index: u32) {
        if self.rows.len() <= index as usize {
            self.rows.push(UserRow::default());
        }
    }

    /// Every user that has local facts.
    pub(crate) fn users(&self) -> impl Iterator<Item = (UserId, u32)> {
        self.users
            .iter()
            .filter(|(_, index)| self.has_facts(*index))
            .map(|(id, index)| (UserId(id), index))
    }

    pub(crate) fn has_facts(&self, user: u32) -> bool {
        let row = &self.rows[user as usize];
        row.signals > 0 || !row.cohorts.is_empty()
    }

    /// How many signals were recorded of the user.
    pub(crate) fn signals(&self, user: u32) -> u64 {
        self.rows[user as usize].signals
    }

    /// Ascending.
    pub(crate) fn cohorts(&self, user: u32) -> &[CohortId] {
        &self.rows[user as usize].cohorts
    }

    pub(crate) fn set_cohorts(&mut self, user: u32, cohorts: &[CohortId]) {
        let old = core::mem::replace(&mut self.rows[user as usize].cohorts, cohorts.into());
        self.undo.push(Undo::Cohorts { user, cohorts: old });
    }

    /// The row of (user, item), made where there is none.
    #[inline]
    pub(crate) fn row(&mut self, user: u32, item: u32, items: &mut Items) -> u32 {
        let (slot, new) = self.ledger.row(user, item);
        if new {
            items.refer(item);
        }
        slot
    }

    /// The local effects of a signal on its row.
    #[inline]
    pub(crate) fn record(
        &mut self,
        slot: u32,
        signal: LocalSignal,
        flags: u8,
        kinds: &Kinds,
        decay: &mut Decay,
    ) {
        self.count(signal.user);
        if self.ledger.get(slot).flags | flags != self.ledger.get(slot).flags {
            self.ledger.change(slot).flags |= flags;
        }
        self.ledger
            .add(slot, signal.kind, signal.weight, signal.at, kinds, decay);
    }

    #[inline]
    fn count(&mut self, user: u32) {
        let row = &mut self.rows[user as usize];
        let saved = matches!(self.undo.get(row.saved), Some(Undo::Signals { user: saved, .. }) if *saved == user);
        if !saved {
            row.saved = self.undo.len();
            self.undo.push(Undo::Signals {
                user,
                signals: row.signals,
            });
        }
        row.signals = row.signals.saturating_add(1);
    }

    /// Puts back a stored user's count of signals.
    pub(crate) fn load_signals(&mut self, user: u32, signals: u64) {
        self.rows[user as usize].signals = signals;
    }

    /// Cuts off all local facts of a user (R18). The slots are freed when this is committed.
    pub(crate) fn forget(&mut self, user: UserId, items: &mut Items) {
        let Some((old, new)) = self.users.remap(user.0) else {
            return;
        };
        self.recent = None;
        self.make_row(new);
        for (_, row) in self.ledger.rows_of(old) {
            items.release(row.item);
        }
    }

    /// The users that were forgotten since the last commit, by what was their index.
    pub(crate) fn cut_off(&self) -> impl Iterator<Item = u32> {
        self.users.cut_off()
    }

    pub(crate) fn commit(&mut self) {
        for cut_off in self.users.cut_off() {
            self.ledger.remove_owner(cut_off);
            self.rows[cut_off as usize] = UserRow::default();
        }
        self.users.commit();
        self.ledger.commit();
        self.undo.clear();
    }

    pub(crate) fn undo(&mut self) {
        self.ledger.undo();
        while let Some(entry) = self.undo.pop() {
            match entry {
                Undo::Signals { user, signals } => self.rows[user as usize].signals = signals,
                Undo::Cohorts { user, cohorts } => self.rows[user as usize].cohorts = cohorts,
            }
        }
        self.users.undo();
        self.recent = None;
        self.rows.truncate(self.users.len());
    }
}
