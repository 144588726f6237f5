//! Which items a user has seen and hidden, and where their rows are, by item: a view of the ledger.

use crate::signals::{Ledger, Places};

#[derive(Debug, Clone, Default)]
pub(crate) struct Marks {
    places: Places,
    /// The flags of each item's row.
    flags: Vec<u8>,
}

impl Marks {
    /// Follows a signal on an item. A row that is not followed yet brings its flags along.
    #[inline]
    pub(super) fn follow(&mut self, item: u32, flags: u8) {
        if let Some(known) = self.flags.get_mut(item as usize) {
            *known |= flags;
        }
    }

    pub(crate) fn refresh(&mut self, ledger: (&Ledger, u32), items: usize, version: u64) {
        self.flags.resize(items, 0);
        let flags = &mut self.flags;
        if !self.places.follows(version) {
            flags.fill(0);
        }
        self.places.follow(ledger, items, version, |row| {
            if let Some(known) = flags.get_mut(row.item as usize) {
                *known = row.flags;
            }
        });
    }

    pub(crate) fn flags(&self) -> &[u8] {
        &self.flags
    }

    pub(crate) fn places(&self) -> &Places {
        &self.places
    }
}
