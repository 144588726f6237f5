//! Decayed accumulators by (owner, item, kind, sign): the one table behind the local profile, the contributions of a
//! membership epoch, a community's totals and a cohort's aggregates. Owners and items are dense indices.
//!
//! A row stands for (owner, item) and costs one look-up; it holds its first accumulator, and the others hang on it in a
//! short chain. Each slot that a pending event overwrites is saved once, so that undoing costs what was touched and no
//! more.

use super::{Decay, Kinds};
use hashbrown::HashTable;

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;
/// The kind of an accumulator that is not there: a schema has at most 256 kinds.
const NO_KIND: u16 = u16::MAX;
/// An owner's array of rows by item may be so many times as long as the owner has rows.
const SPREAD: usize = 4;
/// It is worth having from so many slots on.
const NEAR_FROM: usize = 256;

/// What an owner has on one item. The first accumulator is in here, and all of it in one line of the processor's cache.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct Row {
    /// The accumulator that came first, or none of any kind.
    first: Accumulator,
    pub(crate) owner: u32,
    pub(crate) item: u32,
    /// The owner's next row.
    next: u32,
    /// In a contribution: the row of the community's total, once that is not the contribution alone. In a total: the
    /// first contribution to it.
    pub(crate) link: u32,
    /// In a contribution: the next contribution to the same total.
    pub(crate) sibling: u32,
    /// How many signals were counted here.
    pub(crate) count: u32,
    /// Where the undo log may hold this slot.
    saved: u32,
    pub(crate) flags: u8,
}

/// One decayed sum: `value` as of `time`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Accumulator {
    pub(crate) value: f64,
    pub(crate) time: u64,
    next: u32,
    saved: u32,
    pub(crate) kind: u16,
    /// Negative weights keep a separate accumulator.
    pub(crate) negative: bool,
}

impl Accumulator {
    const NONE: Self = Self {
        value: 0.0,
        time: 0,
        next: NONE,
        saved: NONE,
        kind: NO_KIND,
        negative: false,
    };

    fn is(&self, kind: u16, negative: bool) -> bool {
        self.kind == kind && self.negative == negative
    }

    pub(crate) fn stored(&self) -> Stored {
        Stored {
            kind: self.kind,
            negative: self.negative,
            value: self.value,
            time: self.time,
        }
    }
}

/// An accumulator without its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored {
    pub(crate) kind: u16,
    pub(crate) negative: bool,
    pub(crate) value: f64,
    pub(crate) time: u64,
}

/// What a row was before anything was pending on it; a new one was not.
#[derive(Debug, Clone)]
struct SavedRow {
    first: Accumulator,
    slot: u32,
    link: u32,
    count: u32,
    flags: u8,
    new: bool,
}

/// The same of an accumulator that is not the first of its row.
#[derive(Debug, Clone)]
struct SavedPart {
    value: f64,
    time: u64,
    slot: u32,
    new: bool,
}

#[derive(Debug, Clone)]
struct Owner {
    /// The first row; an owner's rows are a chain, the newest first.
    head: u32,
    rows: u32,
    /// Rows by item, for the items below its length. It grows with the number of rows, so that an owner of few rows
    /// takes little, and one of many finds them without hashing.
    near: Vec<u32>,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    /// The rows that no owner's array has.
    index: HashTable<u32>,
    owners: Vec<Owner>,
    rows: Vec<Row>,
    /// The accumulators that are not the first of their row.
    accumulators: Vec<Accumulator>,
    free_rows: Vec<u32>,
    free_accumulators: Vec<u32>,
    saved_rows: Vec<SavedRow>,
    saved_parts: Vec<SavedPart>,
}

#[inline]
fn hash(owner: u32, item: u32) -> u64 {
    // The indices are dense and need no seed. Multiplying carries upwards, the shift brings it back down, where the
    // table looks for its bucket.
    let key = (u64::from(owner) << 32) | u64::from(item);
    let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread ^ (spread >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The index of the next slot of a slab. Memory ends long before the indices do.
#[inline]
pub(crate) fn next_index(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(NONE)
}

impl Ledger {
    #[inline]
    pub(crate) fn find(&self, owner: u32, item: u32) -> Option<u32> {
        if let Some(slot) = self.owners.get(owner as usize)?.near.get(item as usize) {
            return (*slot != NONE).then_some(*slot);
        }
        let same = |slot: &u32| {
            let row = &self.rows[*slot as usize];
            row.owner == owner && row.item == item
        };
        self.index.find(hash(owner, item), same).copied()
    }

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
        let next = next_index(self.saved_rows.len());
        let holder = self.holder(owner);
        let row = Row {
            first: Accumulator::NONE,
            owner,
            item,
            next: holder.head,
            link: NONE,
            sibling: NONE,
            count: 0,
            saved: next,
            flags: 0,
        };
        holder.head = slot;
        holder.rows = holder.rows.saturating_add(1);
        put(&mut self.rows, slot, row);
        self.saved_rows.push(SavedRow {
            first: Accumulator::NONE,
            slot,
            link: NONE,
            count: 0,
            flags: 0,
            new: true,
        });
        let holder = &self.owners[owner as usize];
        let rows = holder.rows as usize;
        if (holder.near.len()..rows.saturating_mul(SPREAD)).contains(&(item as usize)) {
            self.widen(owner, rows);
        }
        if let Some(place) = self.owners[owner as usize].near.get_mut(item as usize) {
            *place = slot;
        } else {
            let rows = &self.rows;
            self.index.insert_unique(hash(owner, item), slot, |slot| {
                let row = &rows[*slot as usize];
                hash(row.owner, row.item)
            });
        }
        slot
    }

    /// Makes room for so many more rows of an owner with so many accumulators in all.
    pub(crate) fn reserve(&mut self, owner: u32, rows: usize, accumulators: usize) {
        self.rows.reserve(rows);
        self.accumulators.reserve(accumulators.saturating_sub(rows));
        let known = self.holder(owner).rows as usize;
        self.widen(owner, known.saturating_add(rows));
    }

    fn holder(&mut self, owner: u32) -> &mut Owner {
        while self.owners.len() <= owner as usize {
            self.owners.push(Owner {
                head: NONE,
                rows: 0,
                near: Vec::new(),
            });
        }
        &mut self.owners[owner as usize]
    }

    /// Lets the owner's array grow to what is due to so many rows.
    fn widen(&mut self, owner: u32, rows: usize) {
        let holder = &mut self.owners[owner as usize];
        let (from, most) = (holder.near.len(), rows.saturating_mul(SPREAD));
        if most <= from || most < NEAR_FROM {
            return;
        }
        holder.near.resize(most.next_power_of_two(), NONE);
        let mut slot = holder.head;
        while let Some(row) = self.rows.get(slot as usize) {
            if let Some(place) = holder.near.get_mut(row.item as usize)
                && row.item as usize >= from
            {
                *place = slot;
                forget(&mut self.index, row, slot);
            }
            slot = row.next;
        }
    }

    #[inline]
    pub(crate) fn get(&self, slot: u32) -> &Row {
        &self.rows[slot as usize]
    }

    /// A row to change; what it was is saved first. `owner`, `item` and `sibling` of a row that is not new stay.
    #[inline]
    pub(crate) fn change(&mut self, slot: u32) -> &mut Row {
        let row = &mut self.rows[slot as usize];
        let saved = self.saved_rows.get(row.saved as usize);
        if saved.is_none_or(|saved| saved.slot != slot) {
            row.saved = next_index(self.saved_rows.len());
            self.saved_rows.push(SavedRow {
                first: row.first,
                slot,
                link: row.link,
                count: row.count,
                flags: row.flags,
                new: false,
            });
        }
        row
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
        if weight == 0.0 {
            return;
        }
        let negative = weight < 0.0;
        let half_life = kinds.half_life_ns(kind);
        let first = &self.rows[row as usize].first;
        if first.is(kind, negative) {
            let Accumulator { value, time, .. } = &mut self.change(row).first;
            decay.accumulate(value, time, half_life, weight, at);
            return;
        }
        let mut slot = first.next;
        while let Some(accumulator) = self.accumulators.get_mut(slot as usize) {
            if accumulator.is(kind, negative) {
                let saved = self.saved_parts.get(accumulator.saved as usize);
                if saved.is_none_or(|saved| saved.slot != slot) {
                    accumulator.saved = next_index(self.saved_parts.len());
                    self.saved_parts.push(SavedPart {
                        value: accumulator.value,
                        time: accumulator.time,
                        slot,
                        new: false,
                    });
                }
                let Accumulator { value, time, .. } = accumulator;
                decay.accumulate(value, time, half_life, weight, at);
                return;
            }
            slot = accumulator.next;
        }
        self.load(
            row,
            Stored {
                kind,
                negative,
                value: weight,
                time: at,
            },
        );
    }

    /// Gives the row an accumulator that it does not have. A value may have decayed to 0 and keeps its sign.
    pub(crate) fn load(&mut self, row: u32, stored: Stored) {
        let slot = self
            .free_accumulators
            .last()
            .copied()
            .unwrap_or(next_index(self.accumulators.len()));
        let saved = next_index(self.saved_parts.len());
        let first = &mut self.change(row).first;
        let accumulator = Accumulator {
            value: stored.value,
            time: stored.time,
            next: first.next,
            saved,
            kind: stored.kind,
            negative: stored.negative,
        };
        if first.kind == NO_KIND {
            *first = accumulator;
            return;
        }
        first.next = slot;
        self.free_accumulators.pop();
        put(&mut self.accumulators, slot, accumulator);
        self.saved_parts.push(SavedPart {
            value: 0.0,
            time: 0,
            slot,
            new: true,
        });
    }

    /// The owner's rows, newest first.
    pub(crate) fn rows_of(&self, owner: u32) -> impl Iterator<Item = (u32, &Row)> {
        let head = self.owners.get(owner as usize).map(|owner| owner.head);
        let mut slot = head.unwrap_or(NONE);
        core::iter::from_fn(move || {
            let row = self.rows.get(slot as usize)?;
            let at = slot;
            slot = row.next;
            Some((at, row))
        })
    }

    /// The accumulators of a row.
    #[inline]
    pub(crate) fn accumulators<'a>(
        &'a self,
        row: &'a Row,
    ) -> impl Iterator<Item = &'a Accumulator> {
        let mut next = (row.first.kind != NO_KIND).then_some(&row.first);
        core::iter::from_fn(move || {
            let accumulator = next?;
            next = self.accumulators.get(accumulator.next as usize);
            Some(accumulator)
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
        while let Some(row) = self.rows.get(slot as usize) {
            forget(&mut self.index, row, slot);
            self.free_rows.push(slot);
            let mut accumulator = row.first.next;
            while accumulator != NONE {
                self.free_accumulators.push(accumulator);
                accumulator = self.accumulators[accumulator as usize].next;
            }
            slot = row.next;
        }
    }

    pub(crate) fn commit(&mut self) {
        self.saved_rows.clear();
        self.saved_parts.clear();
    }

    /// Restores exactly what was committed, newest change first.
    pub(crate) fn undo(&mut self) {
        while let Some(part) = self.saved_parts.pop() {
            if part.new {
                self.free_accumulators.push(part.slot);
            } else {
                let accumulator = &mut self.accumulators[part.slot as usize];
                (accumulator.value, accumulator.time) = (part.value, part.time);
            }
        }
        while let Some(saved) = self.saved_rows.pop() {
            let row = &mut self.rows[saved.slot as usize];
            if saved.new {
                let owner = &mut self.owners[row.owner as usize];
                owner.head = row.next;
                owner.rows = owner.rows.saturating_sub(1);
                match owner.near.get_mut(row.item as usize) {
                    Some(place) => *place = NONE,
                    None => forget(&mut self.index, row, saved.slot),
                }
                self.free_rows.push(saved.slot);
            } else {
                row.first = saved.first;
                (row.link, row.count, row.flags) = (saved.link, saved.count, saved.flags);
            }
        }
    }
}

/// Takes a row out of the index, if it is there.
fn forget(index: &mut HashTable<u32>, row: &Row, slot: u32) {
    if let Ok(entry) = index.find_entry(hash(row.owner, row.item), |found| *found == slot) {
        entry.remove();
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
