//! Where an owner's rows are, by item: a view of a ledger. New rows come first in an owner's chain, so following it costs what
//! is new, and nothing while nobody reads.

use super::{Ledger, NONE, Row};

/// So many are kept of each kind: more are asked about in turn only where queries are rare enough to make them anew.
const MOST_KEPT: usize = 16;

/// The row of one owner on each item.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    rows: Vec<u32>,
    /// The newest row that was followed.
    newest: Option<u32>,
    /// The version of the ledger that is followed.
    version: Option<u64>,
}

impl Places {
    /// The row on each item, [`NONE`] where there is none.
    pub(crate) fn rows(&self) -> &[u32] {
        &self.rows
    }

    pub(crate) fn follows(&self, version: u64) -> bool {
        self.version == Some(version)
    }

    /// Follows an owner's rows, and calls `each` with those that are new. Under another version all of them are: rows were
    /// taken back, and their slots may be others' now.
    pub(crate) fn follow(
        &mut self,
        (ledger, owner): (&Ledger, u32),
        items: usize,
        version: u64,
        mut each: impl FnMut(&Row),
    ) {
        if !self.follows(version) {
            self.rows.clear();
            self.newest = None;
            self.version = Some(version);
        }
        self.rows.resize(items, NONE);
        let last = self.newest;
        for (slot, row) in ledger.rows_of(owner) {
            if last == Some(slot) {
                break;
            }
            if self.newest == last {
                self.newest = Some(slot);
            }
            if let Some(place) = self.rows.get_mut(row.item as usize) {
                *place = slot;
            }
            each(row);
        }
    }
}

/// What was last asked for, by owner: the newest first, and no more than a few.
#[derive(Debug, Clone)]
pub(crate) struct Recent<T> {
    entries: Vec<(u32, T)>,
}

impl<T> Default for Recent<T> {
    fn default() -> Self {
        Self {
            entries: Vec::new(),
        }
    }
}

impl<T: Default> Recent<T> {
    /// An owner's entry, made where there is none, and the owner that had to go for it.
    pub(crate) fn ask(&mut self, owner: u32) -> (&mut T, Option<u32>) {
        let mut gone = None;
        if let Some(at) = self.entries.iter().position(|(known, _)| *known == owner) {
            self.entries[..=at].rotate_right(1);
        } else {
            if self.entries.len() >= MOST_KEPT {
                gone = self.entries.pop().map(|(owner, _)| owner);
            }
            self.entries.insert(0, (owner, T::default()));
        }
        (&mut self.entries[0].1, gone)
    }

    pub(crate) fn get(&self, owner: u32) -> Option<&T> {
        let (_, found) = self.entries.iter().find(|(known, _)| *known == owner)?;
        Some(found)
    }
}
