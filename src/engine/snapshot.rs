//! Writing and reading snapshots: the folded log as canonical bytes (R13).

use super::columns::{ColumnReader, ColumnWriter};
use super::tombstones::LeaveMarks;
use super::{Engine, State};
use crate::community::Tenure;
use crate::error::Error;
use crate::governance::{
    CohortId, CommunityId, MembershipRegistry, UserId, deserialize_membership, serialize_membership,
};
use crate::log::Remote;
use crate::order;
use crate::replication::Stream;
use crate::signals::Kind;
use crate::storage::{BlockWriter, Blocks, Key, Reader, Tag, frame, put_varint};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

#[derive(Serialize, Deserialize)]
struct Meta {
    #[serde(with = "postcard::fixint::le")]
    origin: u64,
    dimensions: u32,
    clock: u64,
    outbox: bool,
}

/// The community, none for the layer, and the marks of the last leaves.
type LeaveMarksRow = (Option<CommunityId>, LeaveMarks);

impl Engine {
    /// The folded log as canonical bytes, without what is pending: the same on every platform and in whatever order
    /// ids came (R13).
    pub fn snapshot(&mut self) -> Vec<u8> {
        self.with_snapshot(|pieces| pieces.concat())
    }

    /// The same in pieces, most of which are not copied for it: for hosts that copy them anyway.
    pub fn with_snapshot<T>(&mut self, take: impl FnOnce(&[Cow<'_, [u8]>]) -> T) -> T {
        let pending = !self.pending.is_empty();
        if pending {
            self.state.undo();
        }
        self.state.items.prepare();
        let taken = take(&self.state.blocks().finish());
        if pending {
            self.apply_pending();
        }
        taken
    }

    /// A database from a snapshot. With an origin it is a copy that goes its own way under that number: it keeps
    /// memberships, closures and high-water marks as they were. Without, it is the stored database itself.
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
    /// Everything there is. The items have been prepared.
    fn blocks(&self) -> BlockWriter<'_> {
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
        if let Some(items) = self.items.kept() {
            blocks.put_kept(Key::new(0, Tag::Items), items);
        }
        let mut columns = ColumnWriter::new(&self.items);
        self.put_profiles(&mut blocks, &mut columns);
        self.put_communities(&mut blocks, &mut columns);
        self.put_replication(&mut blocks);
        self.put_outbox(&mut blocks);
        blocks
    }

    fn put_profiles(&self, blocks: &mut BlockWriter, columns: &mut ColumnWriter) {
        for (user, index) in self.profiles.users() {
            let signals = self.profiles.signals(index);
            if signals > 0 {
                blocks.put_with(Key::new(user.0, Tag::Profile), |bytes| {
                    put_varint(bytes, signals);
                    columns.put(&self.profiles.ledger, index, false, bytes);
                });
            }
            let cohorts = self.profiles.cohorts(index);
            if !cohorts.is_empty() {
                blocks.put(Key::new(user.0, Tag::UserCohorts), cohorts);
            }
        }
        for (cohort, index) in self.cohorts.iter() {
            blocks.put_with(Key::new(cohort.0, Tag::CohortTotals), |bytes| {
                columns.put(&self.cohorts.ledger, index, true, bytes);
            });
        }
    }

    fn put_communities(&self, blocks: &mut BlockWriter, columns: &mut ColumnWriter) {
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
        for (user, times) in self.forgotten.iter() {
            blocks.put(Key::new(user.0, Tag::Forgotten), times);
        }
        let marks = self.leave_marks.iter();
        let mut marks: Vec<_> = marks.map(|(leaver, marks)| (*leaver, *marks)).collect();
        order::sort_by_key(&mut marks, |(leaver, _)| *leaver);
        for marks in marks.chunk_by(|left, right| left.0.0 == right.0.0) {
            if let Some(((user, _), _)) = marks.first() {
                let marks: Vec<LeaveMarksRow> = marks
                    .iter()
                    .map(|((_, community), marks)| (*community, *marks))
                    .collect();
                blocks.put(Key::new(user.0, Tag::LeaveMarks), &marks);
            }
        }
        for (user, left_at_ns) in self.returned_elsewhere.iter() {
            blocks.put(Key::new(user.0, Tag::ReturnedElsewhere), left_at_ns);
        }
        for (tenure, index) in self.contributions.tenures() {
            let suffix = Some((tenure.user.0, tenure.epoch));
            let key = Key {
                entity: tenure.community.0,
                tag: Tag::Contributions,
                suffix,
            };
            blocks.put_with(key, |bytes| {
                columns.put(&self.contributions.ledger, index, true, bytes);
            });
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
            // Nothing is ever taken back here: dropping the journals block by block, those of ledgers row by row, keeps them
            // where they are quick to write.
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
            Tag::Items => {
                (id == 0).then_some(())?;
                self.items.load_stored(value)?;
            }
            Tag::Profile => self.load_profile(UserId(id), value)?,
            Tag::UserCohorts => {
                let cohorts: Vec<CohortId> = frame::read(value)?;
                (id != 0 && !cohorts.is_empty() && cohorts.is_sorted_by(|a, b| a < b))
                    .then_some(())?;
                let user = self.profiles.intern(UserId(id));
                self.profiles.set_cohorts(user, &cohorts);
            }
            Tag::CohortTotals => self.load_cohort(CohortId(id), value)?,
            Tag::Contributions => self.load_contributions(key, value)?,
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
            Tag::Forgotten => {
                (id != 0).then_some(())?;
                self.forgotten.insert(UserId(id), frame::read(value)?);
            }
            Tag::LeaveMarks => {
                let rows: Vec<LeaveMarksRow> = frame::read(value)?;
                let sound = rows.is_sorted_by(|a, b| a.0 < b.0)
                    && rows.iter().all(|(_, marks)| marks.is_sound());
                (id != 0 && !rows.is_empty() && sound).then_some(())?;
                for (community, marks) in rows {
                    self.leave_marks.insert((UserId(id), community), marks);
                }
            }
            Tag::ReturnedElsewhere => {
                (id != 0).then_some(())?;
                self.returned_elsewhere
                    .insert(UserId(id), frame::read(value)?);
            }
            Tag::Membership => {
                let rows = MembershipRegistry::try_from_checkpoint_bytes(value).ok()?;
                for row in rows.sorted() {
                    (row.user_id.0 == id).then_some(())?;
                    self.registry.insert(row);
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

    fn load_profile(&mut self, user: UserId, value: &[u8]) -> Option<()> {
        let mut value = Reader::new(value);
        let signals = value.varint()?;
        (user.0 != 0 && signals > 0).then_some(())?;
        let columns = ColumnReader::new(value, false)?;
        let user = self.profiles.intern(user);
        self.profiles.load_signals(user, signals);
        let ledger = &mut self.profiles.ledger;
        ledger.reserve(user, columns.rows, columns.parts);
        let mut from = 0;
        columns.each(&self.kinds, |row, parts| {
            let item = self.items.intern_from(&mut from, row.item);
            self.items.refer(item);
            let (slot, _) = ledger.row(user, item);
            ledger.change(slot).flags = row.flags;
            for part in parts {
                ledger.load(slot, *part);
            }
            ledger.commit();
        })
    }

    fn load_cohort(&mut self, cohort: CohortId, value: &[u8]) -> Option<()> {
        let columns = ColumnReader::new(Reader::new(value), true)?;
        self.cohorts.reserve(cohort, columns.rows, columns.parts);
        let mut from = 0;
        columns.each(&self.kinds, |row, parts| {
            let item = self.items.intern_from(&mut from, row.item);
            let slot = self.cohorts.row(cohort, item, &mut self.items);
            self.cohorts.ledger.change(slot).count = row.count;
            for part in parts {
                self.cohorts.ledger.load(slot, *part);
            }
            self.cohorts.commit();
        })
    }

    fn load_contributions(&mut self, key: Key, value: &[u8]) -> Option<()> {
        let (user, epoch) = key.suffix.filter(|(user, _)| *user != 0)?;
        let columns = ColumnReader::new(Reader::new(value), true)?;
        let (community, user) = (CommunityId(key.entity), UserId(user));
        let tenure = self.contributions.tenure(Tenure {
            community,
            user,
            epoch,
        });
        self.contributions
            .reserve(tenure, columns.rows, columns.parts);
        let mut from = 0;
        columns.each(&self.kinds, |row, parts| {
            let item = self.items.intern_from(&mut from, row.item);
            let slot = self.contributions.row(tenure, item, &mut self.items);
            self.contributions.ledger.change(slot).count = row.count;
            for part in parts {
                self.contributions
                    .load(slot, *part, &self.kinds, &mut self.decay);
            }
            self.contributions.commit();
        })
    }
}
