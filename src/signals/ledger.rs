//! Decayed accumulators by (owner, item, kind, sign): the one table behind the local profile, the contributions of a
//! membership epoch, a community's totals and a cohort's aggregates. Owners and items are dense indices.
//!
//! A row stands for (owner, item) and costs one look-up; it holds its first two accumulators, and the others hang on it
//! in a short chain. Each slot that a pending event overwrites is saved once, so that undoing costs what was touched and
//! no more.

mod index;
mod journal;
mod pair;

use super::{Decay, Kinds};
use hashbrown::HashTable;
use index::Owner;
use journal::{SavedMore, SavedRow};
pub(crate) use pair::Stored;
use pair::{Pair, code};

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

/// What an owner has on one item. What a signal reads and writes of it is in one line of the processor's cache.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct Row {
    /// The accumulators that came first.
    pair: Pair,
    pub(crate) owner: u32,
    pub(crate) item: u32,
    /// In a contribution: the row of the community's total, once that is not the contribution alone. In a total: the
    /// first contribution to it.
    pub(crate) link: u32,
    /// How many signals were counted here.
    pub(crate) count: u32,
    /// Where the other accumulators are.
    more: u32,
    pub(crate) flags: u8,
}

/// What hangs together with a row and no signal asks for.
#[derive(Debug, Clone)]
struct Chain {
    /// The owner's next row.
    next: u32,
    /// In a contribution: the next contribution to the same total.
    sibling: u32,
}

/// Accumulators that had no place in their row, in the order in which they came.
#[derive(Debug, Clone)]
struct More {
    pair: Pair,
    next: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    /// The rows that no owner's array has.
    index: HashTable<u32>,
    owners: Vec<Owner>,
    rows: Vec<Row>,
    /// Of each row.
    chains: Vec<Chain>,
    more: Vec<More>,
    free_rows: Vec<u32>,
    free_more: Vec<u32>,
    saved_rows: Vec<SavedRow>,
    saved_more: Vec<SavedMore>,
}

/// The index of the next slot of a slab. Memory ends long before the indices do.
#[inline]
pub(crate) fn next_index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

impl Ledger {
    /// The slot of a row, made where there is none; true where it was made.
    #[inline]
    pub(crate) fn row(&mut self, owner: u32, item: u32) -> (u32, bool) {
        match self.find(owner, item) {
            Some(slot) => (slot, false),
            None => (self.make_row(owner, item), true),
        }
    }

    fn make_row(&mut self, owner: u32, item: u32) -> u32 {
        let slot = self.free_rows.pop().unwrap_or(next_index(self.rows.len()));
        let saved = next_index(self.saved_rows.len());
        let holder = self.holder(owner);
        let chain = Chain {
            next: holder.head,
            sibling: NONE,
        };
        holder.head = slot;
        holder.rows = holder.rows.saturating_add(1);
        put(&mut self.chains, slot, chain);
        let row = Row {
            pair: Pair::empty(saved),
            owner,
            item,
            link: NONE,
            count: 0,
            more: NONE,
            flags: 0,
        };
        put(&mut self.rows, slot, row);
        self.saved_rows.push(SavedRow::new(slot));
        self.enter(owner, item, slot);
        slot
    }

    /// Makes room for so many more rows of an owner with so many accumulators in all.
    pub(crate) fn reserve(&mut self, owner: u32, rows: usize, accumulators: usize) {
        self.rows.reserve(rows);
        self.chains.reserve(rows);
        self.more.reserve(accumulators.saturating_sub(rows) / 2);
        let known = self.holder(owner).rows as usize;
        self.widen(owner, known.saturating_add(rows));
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> &Row {
        &self.rows[slot as usize]
    }

    /// Reads all that a signal reads of a row; the number means nothing.
    #[inline]
    pub(crate) fn look_at(&self, slot: u32) -> u32 {
        let Some(row) = self.rows.get(slot as usize) else {
            return 0;
        };
        let more = self.more.get(row.more as usize);
        row.count.wrapping_add(more.map_or(0, |more| more.next))
    }

    /// The contribution that follows on this one to the same total.
    pub(crate) fn sibling(&self, slot: u32) -> u32 {
        self.chains[slot as usize].sibling
    }

    /// Says what follows on a new row, for good.
    pub(crate) fn set_sibling(&mut self, slot: u32, sibling: u32) {
        self.chains[slot as usize].sibling = sibling;
    }

    /// Adds a weighted signal to the row's accumulator of its kind and sign. A weight of 0 changes nothing.
    #[inline]
    pub(crate) fn add(
        &mut self,
        row: u32,
        kind: u16,
        weight: f64,
        at: u64,
        kinds: &Kinds,
        decay: &mut Decay,
    ) {
        if weight != 0.0 {
            let code = code(kind, weight < 0.0);
            let half_life = kinds.half_life_ns(kind);
            let (pair, place) = self.place(row, code);
            pair.add(place, code, (weight, at), half_life, decay);
        }
    }

    /// Gives the row an accumulator that it does not have. A value may have decayed to 0 and keeps its sign.
    pub(crate) fn load(&mut self, row: u32, stored: Stored) {
        let code = code(stored.kind, stored.negative);
        let (pair, place) = self.place(row, code);
        pair.set(place, code, stored.value, stored.time);
    }

    /// Where a row's accumulator is, or comes, to be changed.
    #[inline]
    fn place(&mut self, row: u32, code: u16) -> (&mut Pair, usize) {
        match self.rows[row as usize].pair.place(code) {
            Some(place) => (&mut self.change(row).pair, place),
            None => self.place_further(row, code),
        }
    }

    fn place_further(&mut self, row: u32, code: u16) -> (&mut Pair, usize) {
        let (mut last, mut next) = (NONE, self.rows[row as usize].more);
        while let Some(more) = self.more.get(next as usize) {
            if let Some(place) = more.pair.place(code) {
                return (&mut self.change_more(next).pair, place);
            }
            (last, next) = (next, more.next);
        }
        let new = self.make_more();
        if last == NONE {
            self.change(row).more = new;
        } else {
            self.change_more(last).next = new;
        }
        (&mut self.more[new as usize].pair, 0)
    }

    fn make_more(&mut self) -> u32 {
        let slot = self.free_more.pop().unwrap_or(next_index(self.more.len()));
        let more = More {
            pair: Pair::empty(next_index(self.saved_more.len())),
            next: NONE,
        };
        put(&mut self.more, slot, more);
        self.saved_more.push(SavedMore::new(slot));
        slot
    }

    /// The owner's rows, newest first.
    pub(crate) fn rows_of(&self, owner: u32) -> impl Iterator<Item = (u32, &Row)> {
        let head = self.owners.get(owner as usize).map(|owner| owner.head);
        let mut slot = head.unwrap_or(NONE);
        core::iter::from_fn(move || {
            let row = self.rows.get(slot as usize)?;
            let at = slot;
            slot = self.chains[slot as usize].next;
            Some((at, row))
        })
    }

    /// The accumulators of a row.
    #[inline]
    pub(crate) fn accumulators<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = Stored> {
        let (mut pair, mut next, mut place) = (&row.pair, row.more, 0);
        core::iter::from_fn(move || {
            if place == Pair::PLACES {
                let more = self.more.get(next as usize)?;
                (pair, next, place) = (&more.pair, more.next, 0);
            }
            let stored = pair.get(place)?;
            place += 1;
            Some(stored)
        })
    }

    /// Frees the rows of an owner for good: nothing may be pending.
    pub(crate) fn remove_owner(&mut self, owner: u32) {
        let Some(holder) = self.owners.get_mut(owner as usize) else {
            return;
        };
        holder.near = Vec::new();
        holder.rows = 0;
        let mut slot = core::mem::replace(&mut holder.head, NONE);
        while let Some(row) = self.rows.get_mut(slot as usize) {
            index::forget(&mut self.index, row, slot);
            row.owner = NONE;
            self.free_rows.push(slot);
            let mut more = row.more;
            while more != NONE {
                self.free_more.push(more);
                more = self.more[more as usize].next;
            }
            slot = self.chains[slot as usize].next;
        }
    }
}

/// Writes a slot that is free or the next one.
#[inline]
fn put<T>(slab: &mut Vec<T>, slot: u32, value: T) {
    if let Some(place) = slab.get_mut(slot as usize) {
        *place = value;
    } else {
        slab.push(value);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
