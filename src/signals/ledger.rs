//! Decayed accumulators by (owner, item, kind, sign): the one table behind the local profile, the contributions of a
//! membership epoch, a community's totals and a cohort's aggregates. Owners and items are dense indices.
//!
//! A row stands for (owner, item) and costs one hash look-up; its accumulators hang on it in a short chain. Each slot
//! that a pending event overwrites is saved once, so that undoing costs what was touched and no more.

use super::{Decay, Kinds};
use hashbrown::HashTable;

/// No slot.
pub(crate) const NONE: u32 = u32::MAX;

/// What an owner has on one item.
#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) owner: u32,
    pub(crate) item: u32,
    /// The first accumulator.
    first: u32,
    /// The owner's next row.
    next: u32,
    /// In a contribution: the row of the community's total. In a total: the first contribution to it.
    pub(crate) link: u32,
    /// In a contribution: the next contribution to the same total.
    pub(crate) sibling: u32,
    /// How many signals were counted here.
    pub(crate) count: u32,
    pub(crate) flags: u8,
    /// Where the undo log may hold this slot.
    saved: u32,
}

/// One decayed sum: `value` as of `time`.
#[derive(Debug, Clone)]
pub(crate) struct Accumulator {
    pub(crate) value: f64,
    pub(crate) time: u64,
    next: u32,
    saved: u32,
    pub(crate) kind: u16,
    /// Negative weights keep a separate accumulator.
    pub(crate) negative: bool,
}

/// An accumulator without its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored {
    pub(crate) kind: u16,
    pub(crate) negative: bool,
    pub(crate) value: f64,
    pub(crate) time: u64,
}

#[derive(Debug, Clone, Copy)]
enum Undo {
    NewRow(u32),
    NewAccumulator {
        slot: u32,
        row: u32,
    },
    Row {
        slot: u32,
        link: u32,
        count: u32,
        flags: u8,
    },
    Accumulator {
        slot: u32,
        value: f64,
        time: u64,
    },
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Ledger {
    index: HashTable<u32>,
    rows: Vec<Row>,
    accumulators: Vec<Accumulator>,
    /// Each owner's first row; an owner's rows are a chain, the newest first.
    heads: Vec<u32>,
    free_rows: Vec<u32>,
    free_accumulators: Vec<u32>,
    undo: Vec<Undo>,
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
    pub(crate) fn find(&self, owner: u32, item: u32) -> Option<u32> {
        let same = |slot: &u32| {
            let row = &self.rows[*slot as usize];
            row.owner == owner && row.item == item
        };
        self.index.find(hash(owner, item), same).copied()
    }

    /// The slot of a row, made where there is none; true where it was made.
    #[inline]
    pub(crate) fn row(&mut self, owner: u32, item: u32) -> (u32, bool) {
        if let Some(slot) = self.find(owner, item) {
            return (slot, false);
        }
        if self.heads.len() <= owner as usize {
            self.heads.resize(owner as usize + 1, NONE);
        }
        let head = &mut self.heads[owner as usize];
        let row = Row {
            owner,
            item,
            first: NONE,
            next: *head,
            link: NONE,
            sibling: NONE,
            count: 0,
            flags: 0,
            saved: next_index(self.undo.len()),
        };
        let slot = self.free_rows.pop().unwrap_or(next_index(self.rows.len()));
        *head = slot;
        put(&mut self.rows, slot, row);
        let rows = &self.rows;
        self.index.insert_unique(hash(owner, item), slot, |slot| {
            let row = &rows[*slot as usize];
            hash(row.owner, row.item)
        });
        self.undo.push(Undo::NewRow(slot));
        (slot, true)
    }

    /// Makes room for so many more rows with so many accumulators.
    pub(crate) fn reserve(&mut self, rows: usize, accumulators: usize) {
        self.rows.reserve(rows);
        self.accumulators.reserve(accumulators);
        let known = &self.rows;
        self.index.reserve(rows, |slot| {
            let row = &known[*slot as usize];
            hash(row.owner, row.item)
        });
    }

    pub(crate) fn get(&self, slot: u32) -> &Row {
        &self.rows[slot as usize]
    }

    /// A row to change; what it was is saved first. `owner`, `item` and `sibling` of a row that is not new stay.
    #[inline]
    pub(crate) fn change(&mut self, slot: u32) -> &mut Row {
        let row = &mut self.rows[slot as usize];
        let saved = match self.undo.get(row.saved as usize) {
            Some(Undo::NewRow(saved) | Undo::Row { slot: saved, .. }) => *saved == slot,
            _ => false,
        };
        if !saved {
            row.saved = next_index(self.undo.len());
            self.undo.push(Undo::Row {
                slot,
                link: row.link,
                count: row.count,
                flags: row.flags,
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
        let mut slot = self.rows[row as usize].first;
        while slot != NONE {
            let accumulator = &mut self.accumulators[slot as usize];
            if accumulator.kind == kind && accumulator.negative == negative {
                let saved = match self.undo.get(accumulator.saved as usize) {
                    Some(
                        Undo::NewAccumulator { slot: saved, .. }
                        | Undo::Accumulator { slot: saved, .. },
                    ) => *saved == slot,
                    _ => false,
                };
                if !saved {
                    accumulator.saved = next_index(self.undo.len());
                    self.undo.push(Undo::Accumulator {
                        slot,
                        value: accumulator.value,
                        time: accumulator.time,
                    });
                }
                let half_life = kinds.half_life_ns(kind);
                decay.accumulate(
                    &mut accumulator.value,
                    &mut accumulator.time,
                    half_life,
                    weight,
                    at,
                );
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
        let first = &mut self.rows[row as usize].first;
        let accumulator = Accumulator {
            value: stored.value,
            time: stored.time,
            next: *first,
            saved: next_index(self.undo.len()),
            kind: stored.kind,
            negative: stored.negative,
        };
        let slot = self
            .free_accumulators
            .pop()
            .unwrap_or(next_index(self.accumulators.len()));
        *first = slot;
        put(&mut self.accumulators, slot, accumulator);
        self.undo.push(Undo::NewAccumulator { slot, row });
    }

    /// The owner's rows, newest first.
    pub(crate) fn rows_of(&self, owner: u32) -> impl Iterator<Item = (u32, &Row)> {
        let mut slot = self.heads.get(owner as usize).copied().unwrap_or(NONE);
        core::iter::from_fn(move || {
            let row = self.rows.get(slot as usize)?;
            let at = slot;
            slot = row.next;
            Some((at, row))
        })
    }

    /// The accumulators of a row.
    pub(crate) fn accumulators(&self, row: &Row) -> impl Iterator<Item = &Accumulator> {
        let mut slot = row.first;
        core::iter::from_fn(move || {
            let accumulator = self.accumulators.get(slot as usize)?;
            slot = accumulator.next;
            Some(accumulator)
        })
    }

    /// Frees the rows of an owner for good: nothing may be pending.
    pub(crate) fn remove_owner(&mut self, owner: u32) {
        let Some(head) = self.heads.get_mut(owner as usize) else {
            return;
        };
        let mut slot = core::mem::replace(head, NONE);
        while slot != NONE {
            let next = self.rows[slot as usize].next;
            self.free_row(slot);
            slot = next;
        }
    }

    fn free_row(&mut self, slot: u32) {
        let row = self.rows[slot as usize].clone();
        if let Ok(entry) = self
            .index
            .find_entry(hash(row.owner, row.item), |found| *found == slot)
        {
            entry.remove();
        }
        let mut accumulator = row.first;
        while accumulator != NONE {
            self.free_accumulators.push(accumulator);
            accumulator = self.accumulators[accumulator as usize].next;
        }
        self.free_rows.push(slot);
    }

    pub(crate) fn commit(&mut self) {
        self.undo.clear();
    }

    /// Restores exactly what was committed, newest change first.
    pub(crate) fn undo(&mut self) {
        while let Some(entry) = self.undo.pop() {
            match entry {
                Undo::NewRow(slot) => {
                    let (owner, next) = (
                        self.rows[slot as usize].owner,
                        self.rows[slot as usize].next,
                    );
                    self.heads[owner as usize] = next;
                    self.free_row(slot);
                }
                Undo::NewAccumulator { slot, row } => {
                    self.rows[row as usize].first = self.accumulators[slot as usize].next;
                    self.free_accumulators.push(slot);
                }
                Undo::Row {
                    slot,
                    link,
                    count,
                    flags,
                } => {
                    let row = &mut self.rows[slot as usize];
                    (row.link, row.count, row.flags) = (link, count, flags);
                }
                Undo::Accumulator { slot, value, time } => {
                    let accumulator = &mut self.accumulators[slot as usize];
                    (accumulator.value, accumulator.time) = (value, time);
                }
            }
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
