//! How a row is found: in its owner's array, or by hashing.

use super::{Ledger, NONE, Row};
use hashbrown::HashTable;

/// An owner's array of rows by item may be so many times as long as the owner has rows.
pub(super) const SPREAD: usize = 4;
/// It is worth having from so many slots on.
const NEAR_FROM: usize = 256;

#[derive(Debug, Clone)]
pub(super) struct Owner {
    /// The first row; an owner's rows are a chain, the newest first.
    pub(super) head: u32,
    pub(super) rows: u32,
    /// Rows by item, for the items below its length. It grows with the number of rows, so that an owner of few rows
    /// takes little, and one of many finds them without hashing.
    pub(super) near: Vec<u32>,
}

#[inline]
fn hash(owner: u32, item: u32) -> u64 {
    // The indices are dense and need no seed. Multiplying carries upwards, the shift brings it back down, where the
    // table looks for its bucket.
    let key = (u64::from(owner) << 32) | u64::from(item);
    let spread = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (spread ^ (spread >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93)
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

    /// Whether a slot is the row of (owner, item).
    #[inline]
    pub(crate) fn is(&self, slot: u32, owner: u32, item: u32) -> bool {
        self.rows
            .get(slot as usize)
            .is_some_and(|row| row.owner == owner && row.item == item)
    }

    pub(super) fn holder(&mut self, owner: u32) -> &mut Owner {
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
    pub(super) fn widen(&mut self, owner: u32, rows: usize) {
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
            slot = self.chains[slot as usize].next;
        }
    }

    /// Enters a new row.
    pub(super) fn enter(&mut self, owner: u32, item: u32, slot: u32) {
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
    }
}

/// Takes a row out of the index, if it is there.
pub(super) fn forget(index: &mut HashTable<u32>, row: &Row, slot: u32) {
    if let Ok(entry) = index.find_entry(hash(row.owner, row.item), |found| *found == slot) {
        entry.remove();
    }
}
