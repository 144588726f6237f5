//! 64-bit ids as dense indices, so that everything behind the first look-up is an array.

use crate::journaled::BuildIdHasher;
use crate::signals::{NONE, next_index};
use hashbrown::HashMap;

/// An array of indices by id may be so many times as long as there are ids.
const SPREAD: usize = 4;
/// It is worth having from so many ids on.
const NEAR_FROM: usize = 256;

/// Indices by id. Apps count their items from 0 or 1 more often than not: the ids below the length of an array, which
/// grows with their number, are found in it without hashing.
#[derive(Debug, Clone, Default)]
struct Index {
    near: Vec<u32>,
    far: HashMap<u64, u32, BuildIdHasher>,
}

impl Index {
    #[inline]
    fn place(&self, id: u64) -> Option<usize> {
        let place = usize::try_from(id).ok()?;
        (place < self.near.len()).then_some(place)
    }

    #[inline]
    fn get(&self, id: u64) -> Option<u32> {
        match self.place(id) {
            Some(place) => Some(self.near[place]).filter(|index| *index != NONE),
            None => self.far.get(&id).copied(),
        }
    }

    fn set(&mut self, id: u64, index: u32) {
        match self.place(id) {
            Some(place) => self.near[place] = index,
            None => {
                self.far.insert(id, index);
            }
        }
    }

    fn remove(&mut self, id: u64) {
        match self.place(id) {
            Some(place) => self.near[place] = NONE,
            None => {
                self.far.remove(&id);
            }
        }
    }

    /// Makes room for ascending ids.
    fn reserve(&mut self, ids: &[u64]) {
        if let Some(last) = ids.last() {
            self.reach(*last, ids.len());
        }
        let far = ids.partition_point(|id| self.place(*id).is_some());
        self.far.reserve(ids.len() - far);
    }

    /// Lets the array grow to an id, if there are ids enough for that.
    fn reach(&mut self, id: u64, ids: usize) {
        let most = ids.saturating_mul(SPREAD);
        if self.place(id).is_some() || id >= most as u64 || most < NEAR_FROM {
            return;
        }
        self.near.resize(most.next_power_of_two(), NONE);
        let near = &mut self.near;
        let end = near.len() as u64;
        for (id, index) in self.far.extract_if(|id, _| *id < end) {
            if let Some(place) = usize::try_from(id).ok().and_then(|id| near.get_mut(id)) {
                *place = index;
            }
        }
    }

    fn iter(&self) -> impl Iterator<Item = (u64, u32)> {
        let near = (0..).zip(self.near.iter().copied());
        near.filter(|(_, index)| *index != NONE)
            .chain(self.far.iter().map(|(id, index)| (*id, *index)))
    }
}

/// Where an id was found before, for whoever asks for it again. It may have gone stale: it is believed where the id is still
/// there.
#[derive(Debug, Clone, Copy)]
pub struct Hint(u32);

impl Default for Hint {
    fn default() -> Self {
        Self(NONE)
    }
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Interner {
    index: Index,
    ids: Vec<u64>,
    committed: usize,
    /// Ids that were given a new index, with the one they had.
    remapped: Vec<(u64, u32)>,
}

impl Interner {
    #[inline]
    pub(crate) fn find(&self, id: u64) -> Option<u32> {
        self.index.get(id)
    }

    #[inline]
    pub(crate) fn intern(&mut self, id: u64) -> u32 {
        // The ids in a row of signals repeat: looking up first keeps the common way free of writes.
        self.find(id).unwrap_or_else(|| self.add(id))
    }

    /// As `intern`, without hashing where the hint is right. Not where ids are remapped: of those the old place has the id, too.
    #[inline]
    pub(crate) fn intern_hinted(&mut self, id: u64, hint: &mut Hint) -> u32 {
        if self.ids.get(hint.0 as usize) != Some(&id) {
            hint.0 = self.intern(id);
        }
        hint.0
    }

    fn add(&mut self, id: u64) -> u32 {
        let index = next_index(self.ids.len());
        self.index.reach(id, self.ids.len());
        self.index.set(id, index);
        self.ids.push(id);
        index
    }

    /// Takes in all ids at once, ascending, each once, where there are none yet.
    pub(crate) fn load(&mut self, ids: Vec<u64>) {
        self.index.reserve(&ids);
        for (id, index) in ids.iter().zip(0..) {
            self.index.set(*id, index);
        }
        self.ids = ids;
    }

    /// Gives a known id a new index; what the old one stands for is cut off. Returns both.
    pub(crate) fn remap(&mut self, id: u64) -> Option<(u32, u32)> {
        let old = self.index.get(id)?;
        let new = next_index(self.ids.len());
        self.index.set(id, new);
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
        self.index.iter()
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
            self.index.set(id, old);
        }
        for (index, id) in self.ids.iter().enumerate().skip(self.committed) {
            if self.index.get(*id) == Some(next_index(index)) {
                self.index.remove(*id);
            }
        }
        self.ids.truncate(self.committed);
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests;
