//! What pending events have overwritten, so that it can be taken back.

use super::pair::Pair;
use super::{Ledger, More, NONE, Row, index, next_index};

/// What a row was before anything was pending on it; a new one was not.
#[derive(Debug, Clone)]
pub(super) struct SavedRow {
    pair: Pair,
    slot: u32,
    link: u32,
    count: u32,
    more: u32,
    flags: u8,
    new: bool,
}

/// The same of accumulators outside of their row.
#[derive(Debug, Clone)]
pub(super) struct SavedMore {
    pair: Pair,
    slot: u32,
    next: u32,
    new: bool,
}

impl SavedRow {
    pub(super) fn new(slot: u32) -> Self {
        Self {
            pair: Pair::empty(NONE),
            slot,
            link: NONE,
            count: 0,
            more: NONE,
            flags: 0,
            new: true,
        }
    }
}

impl SavedMore {
    pub(super) fn new(slot: u32) -> Self {
        Self {
            pair: Pair::empty(NONE),
            slot,
            next: NONE,
            new: true,
        }
    }
}

impl Ledger {
    /// A row to change; what it was is saved first. `owner` and `item` of a row stay.
    #[inline]
    pub(crate) fn change(&mut self, slot: u32) -> &mut Row {
        let row = &mut self.rows[slot as usize];
        let saved = self.saved_rows.get(row.pair.saved as usize);
        if saved.is_none_or(|saved| saved.slot != slot) {
            let before = SavedRow {
                pair: row.pair,
                slot,
                link: row.link,
                count: row.count,
                more: row.more,
                flags: row.flags,
                new: false,
            };
            // After the copy: a processor waits before it reads what it has just written a part of.
            row.pair.saved = next_index(self.saved_rows.len());
            self.saved_rows.push(before);
        }
        row
    }

    pub(super) fn change_more(&mut self, slot: u32) -> &mut More {
        let more = &mut self.more[slot as usize];
        let saved = self.saved_more.get(more.pair.saved as usize);
        if saved.is_none_or(|saved| saved.slot != slot) {
            let before = SavedMore {
                pair: more.pair,
                slot,
                next: more.next,
                new: false,
            };
            more.pair.saved = next_index(self.saved_more.len());
            self.saved_more.push(before);
        }
        more
    }

    pub(crate) fn commit(&mut self) {
        self.saved_rows.clear();
        self.saved_more.clear();
    }

    /// Restores exactly what was committed, newest change first.
    pub(crate) fn undo(&mut self) {
        while let Some(saved) = self.saved_more.pop() {
            if saved.new {
                self.free_more.push(saved.slot);
            } else {
                let more = &mut self.more[saved.slot as usize];
                (more.pair, more.next) = (saved.pair, saved.next);
            }
        }
        while let Some(saved) = self.saved_rows.pop() {
            let row = &mut self.rows[saved.slot as usize];
            if saved.new {
                let owner = &mut self.owners[row.owner as usize];
                owner.head = self.chains[saved.slot as usize].next;
                owner.rows = owner.rows.saturating_sub(1);
                match owner.near.get_mut(row.item as usize) {
                    Some(place) => *place = NONE,
                    None => index::forget(&mut self.index, row, saved.slot),
                }
                row.owner = NONE;
                self.free_rows.push(saved.slot);
            } else {
                row.pair = saved.pair;
                (row.link, row.count) = (saved.link, saved.count);
                (row.more, row.flags) = (saved.more, saved.flags);
            }
        }
    }
}
