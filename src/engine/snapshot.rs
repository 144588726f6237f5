//! Writing and reading snapshots: the folded log as canonical bytes (R13).

use super::{Engine, State};
use crate::catalogue::Item;
use crate::community::Tenure;
use crate::error::Error;
use crate::governance::{
    CohortId, CommunityId, ItemId, Membership, MembershipRegistry, UserId, deserialize_membership,
    serialize_membership,
};
use crate::log::Remote;
use crate::replication::Stream;
use crate::signals::{Kind, Kinds, Ledger, Row};
use crate::storage::{BlockWriter, Blocks, Key, Tag, frame};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Meta {
    #[serde(with = "postcard::fixint::le")]
    origin: u64,
    dimensions: u32,
    clock: u64,
    outbox: bool,
}

/// Rows of accumulators in columns, ascending by item.
#[derive(Default, Serialize, Deserialize)]
struct Columns {
    /// Item ids, each as the difference to the one before.
    items: Vec<u64>,
    /// Per item: 4 · number of accumulators + flags.
    shapes: Vec<u32>,
    /// Per item: how many signals were counted. Empty in a profile, which does not count by item.
    counts: Vec<u32>,
    /// Per accumulator: 2 · kind + 1 where it is the negative one. Ascending within an item.
    codes: Vec<u16>,
    values: Vec<f64>,
    /// The unit of times in nanoseconds: a millisecond where all are whole ones.
    unit: u64,
    /// The earliest time, in units; the others are counted from it.
    earliest: u64,
    times: Vec<u64>,
}

/// A stored accumulator.
#[derive(Clone, Copy)]
struct Stored {
    kind: u16,
    negative: bool,
    value: f64,
    time: u64,
}

const MILLISECOND_NS: u64 = 1_000_000;

impl Columns {
    fn of<'a>(ledger: &'a Ledger, owner: u32, id: impl Fn(u32) -> ItemId, counted: bool) -> Self {
        let mut rows: Vec<(ItemId, &'a Row)> = ledger
            .rows_of(owner)
            .map(|(_, row)| (id(row.item), row))
            .collect();
        rows.sort_unstable_by_key(|(item, _)| *item);
        let mut columns = Self::default();
        let mut before = 0;
        for (item, row) in rows {
            columns.items.push(item.0.wrapping_sub(before));
            before = item.0;
            let mut parts: Vec<_> = ledger.accumulators(row).collect();
            parts.sort_unstable_by_key(|part| (part.kind, part.negative));
            let length = u32::try_from(parts.len()).unwrap_or(0);
            columns.shapes.push(length << 2 | u32::from(row.flags));
            if counted {
                columns.counts.push(row.count);
            }
            for part in parts {
                columns
                    .codes
                    .push(part.kind << 1 | u16::from(part.negative));
                columns.values.push(part.value);
                columns.times.push(part.time);
            }
        }
        let whole = columns.times.iter().all(|time| time % MILLISECOND_NS == 0);
        columns.unit = if whole { MILLISECOND_NS } else { 1 };
        columns.earliest = columns
            .times
            .iter()
            .min()
            .map_or(0, |time| time / columns.unit);
        for time in &mut columns.times {
            *time = *time / columns.unit - columns.earliest;
        }
        columns
    }

    /// Calls `row` for each item with its flags and count, and `part` for each of its accumulators. None where the
    /// columns contradict each other or themselves.
    fn read<T>(
        &self,
        kinds: &Kinds,
        counted: bool,
        sink: &mut T,
        row: impl Fn(&mut T, ItemId, u8, u32) -> u32,
        part: impl Fn(&mut T, u32, Stored),
    ) -> Option<()> {
        let counts = if counted { self.items.len() } else { 0 };
        let shaped = self.items.len() == self.shapes.len() && self.counts.len() == counts;
        let timed = self.codes.len() == self.values.len() && self.codes.len() == self.times.len();
        if !(shaped && timed && (self.unit == MILLISECOND_NS || self.unit == 1)) {
            return None;
        }
        let mut parts = self.codes.iter().zip(&self.values).zip(&self.times);
        let mut item: Option<u64> = None;
        for (index, (step, shape)) in self.items.iter().zip(&self.shapes).enumerate() {
            let next = match item {
                None => *step,
                Some(before) => before.checked_add(*step).filter(|next| *next > before)?,
            };
            item = Some(next);
            let flags = u8::try_from(shape & 3).ok()?;
            let slot = row(
                sink,
                ItemId(next),
                flags,
                self.counts.get(index).copied().unwrap_or(0),
            );
            let mut last = None;
            for _ in 0..shape >> 2 {
                let ((code, value), time) = parts.next()?;
                let ordered = last.is_none_or(|last| last < *code);
                let kind = code >> 1;
                let negative = code & 1 == 1;
                let signed = value.is_finite() && value.is_sign_negative() == negative;
                if !(ordered && signed && usize::from(kind) < kinds.list().len()) {
                    return None;
                }
                last = Some(*code);
                let time = time.checked_add(self.earliest)?.checked_mul(self.unit)?;
                part(
                    sink,
                    slot,
                    Stored {
                        kind,
                        negative,
                        value: *value,
                        time,
                    },
                );
            }
        }
        parts.next().is_none().then_some(())
    }
}

impl Engine {
    /// The folded log as canonical bytes, without what is pending: the same on every platform and in whatever order
    /// ids came (R13).
    pub fn snapshot(&mut self) -> Vec<u8> {
        if self.pending.is_empty() {
            return self.state.snapshot();
        }
        self.state.undo();
        let bytes = self.state.snapshot();
        for event in self.pending.events() {
            self.state.apply(event);
        }
        bytes
    }

    /// A database from a snapshot. With an origin it is a copy that goes its own way under that number; without, it is
    /// the stored database itself.
    ///
    /// # Errors
    /// `CorruptSnapshot` or `UnsupportedVersion`. Memory stays within a small multiple of the bytes, whatever they say.
    pub fn restore(bytes: &[u8], origin: Option<u64>) -> Result<Self, Error> {
        let blocks = Blocks::parse(bytes)?;
        let mut state = State::load(&blocks).ok_or(Error::CorruptSnapshot)?;
        if let Some(origin) = origin {
            state.origin = origin;
            // What waits there is numbered under the other origin, which still has it.
            state.outbox.reset();
        }
        state.commit();
        Ok(Self::over(state))
    }
}

impl State {
    fn snapshot(&self) -> Vec<u8> {
        let mut blocks = BlockWriter::default();
        let meta = Meta {
            origin: self.origin,
            dimensions: self.items.dimensions(),
            clock: self.replication.clock(),
            outbox: self.outbox.is_enabled(),
        };
        blocks.put(Key::new(0, Tag::Meta), &meta);
        blocks.put(Key::new(0, Tag::Kinds), self.kinds.list());
        for (id, name) in self.names.iter() {
            blocks.put_raw(Key::new(id, Tag::Name), name.as_bytes());
        }
        for item in 0..crate::signals::next_index(self.items.len()) {
            if self.items.is_stored(item) {
                let features = self.items.features(item);
                let stored = (!features.removed).then(|| self.items.item(item));
                blocks.put(Key::new(self.items.id(item).0, Tag::Item), &stored);
            }
        }
        self.put_profiles(&mut blocks);
        self.put_communities(&mut blocks);
        self.put_replication(&mut blocks);
        self.put_outbox(&mut blocks);
        blocks.finish()
    }

    fn put_profiles(&self, blocks: &mut BlockWriter) {
        for (user, index) in self.profiles.users() {
            let signals = self.profiles.signals(index);
            if signals > 0 {
                let columns = Columns::of(
                    &self.profiles.ledger,
                    index,
                    |item| self.items.id(item),
                    false,
                );
                blocks.put(Key::new(user.0, Tag::Profile), &(signals, columns));
            }
            let cohorts = self.profiles.cohorts(index);
            if !cohorts.is_empty() {
                blocks.put(Key::new(user.0, Tag::UserCohorts), cohorts);
            }
        }
        for (cohort, index) in self.cohorts.iter() {
            let columns = Columns::of(
                &self.cohorts.ledger,
                index,
                |item| self.items.id(item),
                true,
            );
            blocks.put(Key::new(cohort.0, Tag::CohortTotals), &columns);
        }
    }

    fn put_communities(&self, blocks: &mut BlockWriter) {
        let rows = self.registry.sorted();
        for rows in rows.chunk_by(|left, right| left.user_id == right.user_id) {
            if let Some(first) = rows.first() {
                blocks.put(Key::new(first.user_id.0, Tag::Membership), rows);
            }
        }
        for row in self.layer.iter() {
            blocks.put_raw(
                Key::new(row.user_id.0, Tag::CommunityLeave),
                &serialize_membership(&row),
            );
        }
        for (user, left_at_ns) in self.returned_elsewhere.iter() {
            blocks.put(Key::new(user.0, Tag::ReturnedElsewhere), left_at_ns);
        }
        for (tenure, index) in self.contributions.tenures() {
            let columns = Columns::of(
                &self.contributions.ledger,
                index,
                |item| self.items.id(item),
                true,
            );
            let suffix = Some((tenure.user.0, tenure.epoch));
            let key = Key {
                entity: tenure.community.0,
                tag: Tag::Contributions,
                suffix,
            };
            blocks.put(key, &columns);
        }
    }

    fn put_replication(&self, blocks: &mut BlockWriter) {
        let marks = self.replication.marks();
        for marks in marks.chunk_by(|left, right| left.0 == right.0) {
            if let Some((origin, ..)) = marks.first() {
                let streams: Vec<(Stream, u64)> = marks
                    .iter()
                    .map(|(_, stream, mark)| (*stream, *mark))
                    .collect();
                blocks.put(Key::new(*origin, Tag::Marks), &streams);
            }
        }
        for (community, epoch) in self.replication.epochs() {
            blocks.put(Key::new(community.0, Tag::CommunityEpoch), &epoch);
        }
    }

    fn put_outbox(&self, blocks: &mut BlockWriter) {
        let waiting: Vec<_> = self.outbox.iter().collect();
        for waiting in waiting.chunk_by(|left, right| left.0 == right.0) {
            if let Some((community, ..)) = waiting.first() {
                let events: Vec<(u64, Remote)> = waiting
                    .iter()
                    .map(|(_, number, event)| (*number, **event))
                    .collect();
                blocks.put(Key::new(community.0, Tag::Outbox), &events);
            }
        }
        for (community, number) in self.outbox.acknowledgements() {
            blocks.put(Key::new(community.0, Tag::Acknowledged), &number);
        }
    }

    /// Reads all blocks; none where one of them makes no sense.
    fn load(blocks: &Blocks) -> Option<Self> {
        let mut state = Self::default();
        // What others refer to comes first.
        state.load_schema(blocks)?;
        for (key, value) in blocks.iter() {
            state.load_block(key, value)?;
            // Nothing is ever taken back here: dropping the journal block by block keeps it small.
            state.commit();
        }
        Some(state)
    }

    fn load_schema(&mut self, blocks: &Blocks) -> Option<()> {
        let only = |tag| {
            blocks
                .iter()
                .find(|(key, _)| *key == Key::new(0, tag))
                .map(|(_, value)| value)
        };
        let meta: Meta = frame::read(only(Tag::Meta)?)?;
        let kinds: Vec<Kind> = frame::read(only(Tag::Kinds)?)?;
        self.origin = meta.origin;
        if meta.dimensions > crate::catalogue::MAX_DIMENSIONS {
            return None;
        }
        self.items.set_dimensions(meta.dimensions);
        self.replication.advance_clock(meta.clock);
        self.outbox.enable(meta.outbox);
        let distinct = self.kinds.new_ones(&kinds).ok()?;
        (distinct.len() == kinds.len()).then_some(())?;
        self.kinds.add(&kinds);
        Some(())
    }

    fn load_block(&mut self, key: Key, value: &[u8]) -> Option<()> {
        let id = key.entity;
        match key.tag {
            Tag::Meta | Tag::Kinds => return (id == 0).then_some(()),
            Tag::PurgeManifest => return None,
            Tag::Name => {
                let name = core::str::from_utf8(value).ok()?;
                (!name.is_empty() && name.len() <= crate::catalogue::MAX_NAME).then_some(())?;
                self.names.log(id, name);
            }
            Tag::Item => self.load_item(ItemId(id), frame::read(value)?)?,
            Tag::Profile => self.load_profile(UserId(id), value)?,
            Tag::UserCohorts => {
                let cohorts: Vec<CohortId> = frame::read(value)?;
                (id != 0 && !cohorts.is_empty() && cohorts.is_sorted_by(|a, b| a < b))
                    .then_some(())?;
                let user = self.profiles.intern(UserId(id));
                self.profiles.set_cohorts(user, &cohorts);
            }
            Tag::CohortTotals => self.load_cohort(CohortId(id), &frame::read(value)?)?,
            Tag::Contributions => self.load_contributions(key, &frame::read(value)?)?,
            Tag::Marks => {
                let streams: Vec<(Stream, u64)> = frame::read(value)?;
                (!streams.is_empty() && streams.is_sorted_by(|a, b| a.0 < b.0)).then_some(())?;
                for (stream, mark) in streams {
                    (mark > 0).then_some(())?;
                    self.replication.advance(id, stream, mark);
                }
            }
            Tag::CommunityEpoch => {
                self.replication
                    .advance_membership_epoch(CommunityId(id), frame::read(value)?);
            }
            Tag::Outbox => self.load_outbox(CommunityId(id), frame::read(value)?)?,
            Tag::Acknowledged => self
                .outbox
                .acknowledge(CommunityId(id), frame::read(value)?),
            Tag::ReturnedElsewhere => {
                (id != 0).then_some(())?;
                self.returned_elsewhere
                    .insert(UserId(id), frame::read(value)?);
            }
            Tag::Membership => {
                let rows = MembershipRegistry::try_from_checkpoint_bytes(value).ok()?;
                for row in rows.sorted() {
                    (row.user_id.0 == id).then_some(())?;
                    self.registry.insert(Membership::clone(row));
                }
            }
            Tag::CommunityLeave => self
                .layer
                .set(deserialize_membership(id, value).filter(|_| id != 0)?),
        }
        Some(())
    }

    fn load_outbox(&mut self, community: CommunityId, events: Vec<(u64, Remote)>) -> Option<()> {
        let kinds = self.kinds.list().len();
        let sound = |(_, event): &(u64, Remote)| {
            event.is_sound(kinds) && event.community() == Some(community)
        };
        let ordered = events.is_sorted_by(|left, right| left.0 < right.0);
        (self.outbox.is_enabled() && ordered && !events.is_empty() && events.iter().all(sound))
            .then_some(())?;
        for (number, event) in events {
            self.outbox.keep(community, number, event);
        }
        Some(())
    }

    fn load_item(&mut self, id: ItemId, item: Option<Item>) -> Option<()> {
        let Some(item) = item else {
            self.items.remove(id);
            return Some(());
        };
        item.check(self.items.dimensions()).ok()?;
        (item.id == id && item == item.clone().canonical()).then_some(())?;
        self.items.upsert(&item);
        Some(())
    }

    fn load_profile(&mut self, user: UserId, value: &[u8]) -> Option<()> {
        let (signals, columns): (u64, Columns) = frame::read(value)?;
        (user.0 != 0 && signals > 0).then_some(())?;
        let kinds = core::mem::take(&mut self.kinds);
        let user = self.profiles.intern(user);
        self.profiles.load_signals(user, signals);
        let read = columns.read(
            &kinds,
            false,
            self,
            |state, item, flags, _| {
                let item = state.items.intern(item);
                state.items.refer(item);
                let (slot, _) = state.profiles.ledger.row(user, item);
                state.profiles.ledger.change(slot).flags = flags;
                slot
            },
            |state, slot, part| {
                state
                    .profiles
                    .ledger
                    .load(slot, part.kind, part.negative, part.value, part.time);
            },
        );
        self.kinds = kinds;
        read
    }

    fn load_cohort(&mut self, cohort: CohortId, columns: &Columns) -> Option<()> {
        let kinds = core::mem::take(&mut self.kinds);
        let read = columns.read(
            &kinds,
            true,
            self,
            |state, item, _, count| {
                let item = state.items.intern(item);
                let slot = state.cohorts.row(cohort, item, &mut state.items);
                state.cohorts.ledger.change(slot).count = count;
                slot
            },
            |state, slot, part| {
                state
                    .cohorts
                    .ledger
                    .load(slot, part.kind, part.negative, part.value, part.time);
            },
        );
        self.kinds = kinds;
        read
    }

    fn load_contributions(&mut self, key: Key, columns: &Columns) -> Option<()> {
        let (user, epoch) = key.suffix.filter(|(user, _)| *user != 0)?;
        let kinds = core::mem::take(&mut self.kinds);
        let tenure = Tenure {
            community: CommunityId(key.entity),
            user: UserId(user),
            epoch,
        };
        let tenure = self.contributions.tenure(tenure);
        let read = columns.read(
            &kinds,
            true,
            self,
            |state, item, _, count| {
                let item = state.items.intern(item);
                let slot = state.contributions.row(tenure, item, &mut state.items);
                state.contributions.ledger.change(slot).count = count;
                slot
            },
            |state, slot, part| {
                let part = (part.kind, part.negative, part.value, part.time);
                state
                    .contributions
                    .load(slot, part, &kinds, &mut state.decay);
            },
        );
        self.kinds = kinds;
        read
    }
}
