//! 64-bit ids as dense indices, so that everything behind the first look-up is an array.

use crate::journaled::BuildIdHasher;
use hashbrown::HashMap;

#[derive(Debug, Clone, Default)]
pub(crate) struct Interner {
    index: HashMap<u64, u32, BuildIdHasher>,
    ids: Vec<u64>,
    committed: usize,
    /// Ids that were given a new index, with the one they had.
    remapped: Vec<(u64, u32)>,
}

impl Interner {
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        self.index.get(&id).copied()
    }

    #[inline]
    pub(crate) fn intern(&mut self, id: u64) -> u32 {
        // The ids in a row of signals repeat: looking up first keeps the common way free of writes.
        if let Some(index) = self.find(id) {
            return index;
        }
        let index = crate::signals::next_index(self.ids.len());
        self.index.insert(id, index);
        self.ids.push(id);
        index
    }

    /// Makes room for so many more ids.
    pub(crate) fn reserve(&mut self, ids: usize) {
        self.index.reserve(ids);
        self.ids.reserve_exact(ids);
    }

    /// Gives a known id a new index; what the old one stands for is cut off. Returns both.
    pub(crate) fn remap(&mut self, id: u64) -> Option<(u32, u32)> {
        let new = crate::signals::next_index(self.ids.len());
        let old = core::mem::replace(self.index.get_mut(&id)?, new);
        self.ids.push(id);
        self.remapped.push((id, old));
        Some((old, new))
    }

    pub(crate) fn id(&self, index: u32) -> u64 {
        self.ids[index as usize]
    }

    /// All ids, by index.
    pub(crate) fn ids(&self) -> &[u64] {
        &self.ids
    }

    pub(crate) fn len(&self) -> usize {
        self.ids.len()
    }

    /// Every id with its index, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        self.index.iter().map(|(id, index)| (*id, *index))
    }

    /// The indices that were cut off since the last commit.
    pub(crate) fn cut_off(&self) -> impl Iterator<Item = u32> {
        self.remapped.iter().map(|(_, old)| *old)
    }

    pub(crate) fn commit(&mut self) {
        self.committed = self.ids.len();
        self.remapped.clear();
    }

    pub(crate) fn undo(&mut self) {
        while let Some((id, old)) = self.remapped.pop() {
            self.index.insert(id, old);
        }
        for (index, id) in self.ids.iter().enumerate().skip(self.committed) {
            if self
                .index
                .get(id)
                .is_some_and(|known| *known as usize == index)
            {
                self.index.remove(id);
            }
        }
        self.ids.truncate(self.committed);
    }
}
