//! What has been taken in of every origin: high-water marks per stream, and the newest epoch of each community.

use crate::governance::CommunityId;
use crate::journaled::{BuildIdHasher, JournaledMap};
use crate::order;
use crate::signals::next_index;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

/// An origin's events of one kind of scope, numbered 1, 2, 3 … when they are appended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Stream {
    /// Signals that count nowhere else.
    Local,
    /// Leaving the community layer and coming back.
    Layer,
    /// Contributions to a community, and the transitions between them.
    Community(CommunityId),
}

/// A high-water mark: the number of the last event taken in.
#[derive(Debug, Clone, Copy)]
struct Mark {
    value: u64,
    /// Where the undo log may hold it.
    saved: usize,
}

/// High-water marks per (origin, stream), and a monotonic epoch per community. Both only rise.
#[derive(Debug, Clone, Default)]
pub struct ReplicationState {
    index: HashMap<(u64, Stream), u32, BuildIdHasher>,
    keys: Vec<(u64, Stream)>,
    marks: Vec<Mark>,
    /// Those last used: signals come in runs, alternating between the local stream and one community's.
    recent_local: Option<(u64, u32)>,
    recent_community: Option<(u64, CommunityId, u32)>,
    committed: usize,
    undo: Vec<(u32, u64)>,
    epochs: JournaledMap<CommunityId, u32>,
    clock: u64,
    committed_clock: u64,
}

impl ReplicationState {
    fn slot(&mut self, origin: u64, stream: Stream) -> u32 {
        let (keys, marks) = (&mut self.keys, &mut self.marks);
        let slot = *self.index.entry((origin, stream)).or_insert_with(|| {
            keys.push((origin, stream));
            marks.push(Mark {
                value: 0,
                saved: usize::MAX,
            });
            next_index(marks.len() - 1)
        });
        match stream {
            Stream::Local => self.recent_local = Some((origin, slot)),
            Stream::Layer => {}
            Stream::Community(community) => {
                self.recent_community = Some((origin, community, slot));
            }
        }
        slot
    }

    /// The slot, if it was just used.
    #[inline]
    fn recent(&self, origin: u64, stream: Stream) -> Option<u32> {
        match stream {
            Stream::Local => {
                let (of, slot) = self.recent_local?;
                (of == origin).then_some(slot)
            }
            Stream::Layer => None,
            Stream::Community(community) => {
                let (of, last, slot) = self.recent_community?;
                (of == origin && last == community).then_some(slot)
            }
        }
    }

    /// The number of the last event taken in of a stream; 0 where there was none.
    #[must_use]
    pub fn mark(&self, origin: u64, stream: Stream) -> u64 {
        self.index
            .get(&(origin, stream))
            .map_or(0, |slot| self.marks[*slot as usize].value)
    }

    /// Raises a stream's mark; a lower number changes nothing.
    pub(crate) fn advance(&mut self, origin: u64, stream: Stream, number: u64) {
        let slot = self.slot(origin, stream);
        if number > self.marks[slot as usize].value {
            self.raise(slot, number);
        }
    }

    #[inline]
    fn raise(&mut self, slot: u32, number: u64) {
        let mark = &mut self.marks[slot as usize];
        if self
            .undo
            .get(mark.saved)
            .is_none_or(|(saved, _)| *saved != slot)
        {
            mark.saved = self.undo.len();
            self.undo.push((slot, mark.value));
        }
        mark.value = number;
    }

    /// Takes in the next event of a stream and numbers it.
    #[inline]
    pub(crate) fn next(&mut self, origin: u64, stream: Stream) -> u64 {
        let slot = self
            .recent(origin, stream)
            .unwrap_or_else(|| self.slot(origin, stream));
        let number = self.marks[slot as usize].value.saturating_add(1);
        self.raise(slot, number);
        number
    }

    /// The mark as of the last commit: without what is pending.
    pub(crate) fn committed_mark(&self, origin: u64, stream: Stream) -> u64 {
        let Some(slot) = self.index.get(&(origin, stream)) else {
            return 0;
        };
        if *slot as usize >= self.committed {
            return 0;
        }
        let mark = &self.marks[*slot as usize];
        match self.undo.get(mark.saved) {
            Some((saved, before)) if saved == slot => *before,
            _ => mark.value,
        }
    }

    /// The newest membership epoch that any member of the community is in; 0 where nobody ever joined. No gate reads it.
    #[must_use]
    pub fn membership_epoch(&self, community: CommunityId) -> u32 {
        self.epochs.get(&community).copied().unwrap_or(0)
    }

    /// Raises a community's epoch; a lower one changes nothing.
    pub(crate) fn advance_membership_epoch(&mut self, community: CommunityId, epoch: u32) {
        if self
            .epochs
            .get(&community)
            .is_none_or(|known| *known < epoch)
        {
            self.epochs.insert(community, epoch);
        }
    }

    /// The hybrid logical clock: milliseconds since 1970 in the upper 48 bits, a counter in the lower 16.
    pub(crate) fn clock(&self) -> u64 {
        self.clock
    }

    pub(crate) fn advance_clock(&mut self, clock: u64) {
        self.clock = self.clock.max(clock);
    }

    /// Every mark above 0, sorted.
    pub(crate) fn marks(&self) -> Vec<(u64, Stream, u64)> {
        let marks = self
            .index
            .iter()
            .map(|((origin, stream), slot)| (*origin, *stream, self.marks[*slot as usize].value));
        let mut marks: Vec<_> = marks.filter(|(.., value)| *value > 0).collect();
        order::sort(&mut marks);
        marks
    }

    pub(crate) fn epochs(&self) -> impl Iterator<Item = (CommunityId, u32)> {
        self.epochs
            .iter()
            .map(|(community, epoch)| (*community, *epoch))
    }

    pub(crate) fn commit(&mut self) {
        self.committed = self.marks.len();
        self.undo.clear();
        self.epochs.commit();
        self.committed_clock = self.clock;
    }

    pub(crate) fn undo(&mut self) {
        while let Some((slot, value)) = self.undo.pop() {
            self.marks[slot as usize].value = value;
        }
        for key in self.keys.drain(self.committed..) {
            self.index.remove(&key);
        }
        self.marks.truncate(self.committed);
        (self.recent_local, self.recent_community) = (None, None);
        self.epochs.undo();
        self.clock = self.committed_clock;
    }
}
