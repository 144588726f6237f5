//! The names behind hashed ids (R16).

use crate::error::Error;
use crate::journaled::{BuildIdHasher, JournaledMap};
use hashbrown::{HashMap, HashSet};
use xxhash_rust::xxh64::xxh64;

/// The longest name, in bytes of UTF-8.
pub const MAX_NAME: usize = 1024;

/// The id that a name stands for on every device: XXH64 of its UTF-8, seed 0.
#[must_use]
pub fn name_id(name: &str) -> u64 {
    xxh64(name.as_bytes(), 0)
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Names {
    /// Names that the log holds.
    logged: JournaledMap<u64, Box<str>>,
    /// Names that were given and that no event has used yet.
    waiting: HashMap<u64, Box<str>, BuildIdHasher>,
    /// Names that waited and entered the log since the last commit.
    taken: Vec<(u64, Box<str>)>,
}

impl Names {
    pub(crate) fn get(&self, id: u64) -> Option<&str> {
        self.logged
            .get(&id)
            .or_else(|| self.waiting.get(&id))
            .map(|name| &**name)
    }

    /// Remembers a name until an event uses its id; `InvalidId` where the id has another name.
    pub(crate) fn remember(&mut self, id: u64, name: &str) -> Result<(), Error> {
        if name.is_empty() || name.len() > MAX_NAME {
            return Err(Error::InvalidId("name"));
        }
        match self.get(id) {
            Some(known) if known == name => Ok(()),
            Some(_) => Err(Error::InvalidId("name")),
            None => {
                self.waiting.insert(id, name.into());
                Ok(())
            }
        }
    }

    /// The name of an id that has to enter the log before the event that uses it.
    #[inline]
    pub(crate) fn to_log(&self, id: u64) -> Option<&str> {
        let name = self.waiting.get(&id)?;
        // One that a forgetting had dropped may be back, where that was undone.
        self.logged.get(&id).is_none().then_some(&**name)
    }

    /// Whether every name that was given is in the log.
    #[inline]
    pub(crate) fn none_waiting(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The log has the name; the first one of an id stays.
    pub(crate) fn log(&mut self, id: u64, name: &str) {
        if self.logged.get(&id).is_none() {
            self.logged.insert(id, name.into());
        }
        self.taken.extend(self.waiting.remove_entry(&id));
    }

    /// Takes the names of all other ids out of the log's; they wait for the next event that uses them.
    pub(crate) fn keep_only(&mut self, referred: &HashSet<u64, BuildIdHasher>) {
        let gone: Vec<u64> = self
            .iter()
            .map(|(id, _)| id)
            .filter(|id| !referred.contains(id))
            .collect();
        for id in gone {
            if let Some(name) = self.logged.get(&id).cloned() {
                self.waiting.insert(id, name);
            }
            self.logged.remove(&id);
        }
    }

    /// Takes over the names that another state knows and this one does not: they wait for the next event that uses them.
    pub(crate) fn keep_waiting(&mut self, other: &Self) {
        let waiting = other.waiting.iter().map(|(id, name)| (*id, &**name));
        for (id, name) in waiting.chain(other.iter()) {
            if self.logged.get(&id).is_none() {
                self.waiting.insert(id, name.into());
            }
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, &str)> {
        self.logged.iter().map(|(id, name)| (*id, &**name))
    }

    pub(crate) fn commit(&mut self) {
        self.logged.commit();
        self.taken.clear();
    }

    /// A name that waited before its event was taken back waits again.
    pub(crate) fn undo(&mut self) {
        self.logged.undo();
        self.waiting.extend(self.taken.drain(..));
    }
}
