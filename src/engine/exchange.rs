//! Events for other devices: export, acknowledge, import (R7, R12, R17).

use super::{Engine, MOST_AHEAD_NS, clamp_now};
use crate::error::Error;
use crate::governance::{CommunityId, KindId, Outcome, UserId};
use crate::journaled::BuildIdHasher;
use crate::log::{Cursor, Event, EventRecord, Export, Remote, StreamPart};
use crate::order;
use crate::replication::Stream;
use crate::signals::Kind;
use hashbrown::HashSet;

/// What became of an import's events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImportReport {
    /// Counted, or merged where it is a transition.
    pub applied: u64,
    /// Taken in before.
    pub duplicate: u64,
    /// Of an earlier membership epoch, or of none.
    pub stale_epoch: u64,
    /// Of a later membership epoch than is known here.
    pub future_epoch: u64,
    /// Behind a closed gate or a left layer, or excluded by the share policy.
    pub gated: u64,
    /// Of somebody who is not known as a member.
    pub not_member: u64,
}

impl ImportReport {
    fn count(&mut self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Recorded | Outcome::Local => &mut self.applied,
            Outcome::Duplicate => &mut self.duplicate,
            Outcome::StaleEpoch => &mut self.stale_epoch,
            Outcome::FutureEpoch => &mut self.future_epoch,
            Outcome::Left | Outcome::LayerLeft | Outcome::PolicyExcluded => &mut self.gated,
            Outcome::NotMember => &mut self.not_member,
        };
        *counter += 1;
    }
}

impl Engine {
    /// Keeps community events for [`Engine::export`] from now on, or no longer. True where that changed something.
    pub fn set_outbox(&mut self, enabled: bool) -> bool {
        let changed = self.state.outbox.is_enabled() != enabled;
        if changed {
            self.record(Event::Outbox { enabled });
        }
        changed
    }

    /// The community events that are appended and wait, of these communities or of all: bytes for other devices, and a
    /// cursor for [`Engine::acknowledge`]. With `since`, only those after that cursor. Nothing of a leaver but the leave,
    /// even while that is still pending (R12).
    ///
    /// ```
    /// # fn main() -> Result<(), tidegate::Error> {
    /// use tidegate::{CommunityId, Config, Engine, Error, ItemId, Signal, UserId};
    ///
    /// # let (ada, noir, now_ns) = (UserId(1), CommunityId(7), 1_700_000_000_000_000_000);
    /// let mut phone = Engine::new(&Config { origin: 1, ..Config::default() })?;
    /// let mut laptop = Engine::new(&Config { origin: 2, ..Config::default() })?;
    /// phone.set_outbox(true);
    /// phone.join(ada, noir, None, now_ns)?;
    /// let like = phone.kind("like").ok_or(Error::UnknownKind)?;
    /// let liked = Signal { community: Some(noir), ..Signal::new(ada, ItemId(100), like) };
    /// phone.signal(&liked, now_ns)?;
    /// phone.commit_all(); // What is pending is not exported.
    ///
    /// let (bytes, cursor) = phone.export(None, None)?;
    /// assert_eq!(laptop.import(&bytes, now_ns)?.applied, 2); // A join and a contribution
    /// assert_eq!(laptop.import(&bytes, now_ns)?.duplicate, 2);
    /// assert_eq!(laptop.profile(ada, now_ns).signals, 0);
    /// phone.acknowledge(&cursor)
    /// # }
    /// ```
    ///
    /// # Errors
    /// `InvalidArgument` for a cursor that is not one of this database.
    pub fn export(
        &self,
        communities: Option<&[CommunityId]>,
        since: Option<&str>,
    ) -> Result<(Vec<u8>, String), Error> {
        let since = since.map(|text| self.cursor(text, "since")).transpose()?;
        let origin = self.state.origin;
        let mut communities = communities.map_or_else(|| self.streams(), <[CommunityId]>::to_vec);
        order::sort(&mut communities);
        communities.dedup();
        let mut tables = Tables::default();
        let mut streams = Vec::new();
        let mut marks = Vec::new();
        for community in communities {
            let last = self
                .state
                .replication
                .committed_mark(origin, Stream::Community(community));
            let acknowledged = self.state.outbox.acknowledged(community);
            let after = since.as_ref().and_then(|cursor| {
                cursor
                    .marks
                    .iter()
                    .find(|(known, _)| *known == community)
                    .map(|(_, mark)| *mark)
            });
            let first = after
                .unwrap_or(acknowledged)
                .max(acknowledged)
                .saturating_add(1);
            marks.push((community, last));
            if !self.state.outbox.is_enabled() || first > last {
                continue;
            }
            let waiting = self.state.outbox.waiting(community, first, last);
            let events = waiting
                .map(|(number, event)| (number, self.outward(*event, &mut tables)))
                .collect();
            streams.push(StreamPart {
                community,
                first,
                last,
                events,
            });
        }
        let concerned = |user: UserId| {
            marks
                .iter()
                .any(|(community, _)| self.state.registry.get(user, *community).is_some())
        };
        let layer: Vec<_> = self
            .state
            .layer
            .iter()
            .filter(|row| concerned(row.user_id))
            .filter_map(|row| self.state.layer.committed(row.user_id))
            .collect();
        for row in &layer {
            self.name_outward(row.user_id.0, &mut tables);
        }
        let Tables {
            kinds, mut names, ..
        } = tables;
        order::sort_by_key(&mut names, |(id, _)| *id);
        let export = Export {
            origin,
            kinds,
            names,
            layer,
            streams,
        };
        Ok((export.to_bytes(), Cursor { origin, marks }.to_text()))
    }

    /// The host has delivered everything up to this cursor: it need not be kept any longer.
    ///
    /// # Errors
    /// `InvalidArgument` for a cursor that is not one of this database.
    pub fn acknowledge(&mut self, cursor: &str) -> Result<(), Error> {
        let cursor = self.cursor(cursor, "cursor")?;
        for (community, number) in cursor.marks {
            if number > self.state.outbox.acknowledged(community) {
                self.record(Event::Acknowledged { community, number });
            }
        }
        Ok(())
    }

    /// Takes in the events of another database. Each has its outcome counted; what was taken in before counts once
    /// (R7). Imports have no local effects, and close gates without ever opening one (R17).
    ///
    /// # Errors
    /// `CorruptEvents` or `UnsupportedVersion` for bytes that are not one whole export, `SequenceGap` where events are
    /// missing before these, `InvalidId` where a name's hash has another name here, `InvalidArgument` where the schema
    /// has no room for another kind. Nothing has changed then.
    pub fn import(&mut self, bytes: &[u8], now_ns: u64) -> Result<ImportReport, Error> {
        let export = Export::from_bytes(bytes)?;
        let own = export.origin == self.state.origin;
        for part in export.streams.iter().filter(|_| !own) {
            let mark = self
                .state
                .replication
                .mark(export.origin, Stream::Community(part.community));
            if part.first > mark.saturating_add(1) {
                return Err(Error::SequenceGap);
            }
        }
        let unknown: Vec<Kind> = export
            .kinds
            .iter()
            .filter(|kind| self.kind(&kind.name).is_none())
            .cloned()
            .collect();
        let unknown = self.state.kinds.new_ones(&unknown)?;
        for (id, name) in &export.names {
            if self.name_of(*id).is_some_and(|known| known != name) {
                return Err(Error::InvalidId("name"));
            }
        }
        // Nothing can fail from here on.
        let mut report = ImportReport::default();
        if own {
            let events = export.streams.iter().map(|part| part.events.len());
            report.duplicate = events
                .chain([export.layer.len()])
                .map(|count| count as u64)
                .sum();
            return Ok(report);
        }
        if !unknown.is_empty() {
            self.record(Event::Schema {
                dimensions: 0,
                kinds: unknown,
            });
            self.weights.follow(&self.state.kinds);
        }
        for (id, name) in &export.names {
            self.name(*id, name)?;
        }
        let numbers: Vec<KindId> = export
            .kinds
            .iter()
            .map(|kind| self.kind(&kind.name).unwrap_or(KindId(0)))
            .collect();
        // The layer first: what is left of a stream is what counts under the layer as it is now.
        for row in export.layer {
            // A row that says nothing new is no event.
            let news = self.state.is_layer_news(row);
            report.count(if news {
                self.record(Event::ReplayedLayer(row))
            } else {
                Outcome::Duplicate
            });
        }
        let latest_ns = clamp_now(now_ns).saturating_add(MOST_AHEAD_NS);
        for mut part in export.streams {
            for (_, event) in &mut part.events {
                let kind = |kind: KindId| numbers.get(usize::from(kind.0)).copied();
                *event = bound(event.with_kinds(kind), latest_ns);
            }
            self.import_part(export.origin, part, &mut report);
        }
        Ok(report)
    }

    fn import_part(&mut self, origin: u64, part: StreamPart, report: &mut ImportReport) {
        let stream = Stream::Community(part.community);
        for (sequence, event) in part.events {
            if sequence <= self.state.replication.mark(origin, stream) {
                report.count(Outcome::Duplicate);
                continue;
            }
            report.count(self.record(Event::Replayed(EventRecord {
                origin,
                sequence,
                event,
            })));
        }
        if part.last > self.state.replication.mark(origin, stream) {
            let (community, number) = (part.community, part.last);
            self.record(Event::Taken {
                origin,
                community,
                number,
            });
        }
    }

    /// The communities that this database has appended events to.
    fn streams(&self) -> Vec<CommunityId> {
        let marks = self.state.replication.marks().into_iter();
        let own = marks.filter(|(origin, ..)| *origin == self.state.origin);
        own.filter_map(|(_, stream, _)| match stream {
            Stream::Community(community) => Some(community),
            Stream::Local | Stream::Layer => None,
        })
        .collect()
    }

    fn cursor(&self, text: &str, argument: &'static str) -> Result<Cursor, Error> {
        let invalid = Error::InvalidArgument(argument);
        let cursor = Cursor::from_text(text).ok_or(invalid)?;
        let within = |(community, mark): &(CommunityId, u64)| {
            *mark
                <= self
                    .state
                    .replication
                    .mark(self.state.origin, Stream::Community(*community))
        };
        let ours = cursor.origin == self.state.origin && cursor.marks.iter().all(within);
        ours.then_some(cursor).ok_or(invalid)
    }

    /// An event as it travels: kinds by their place in the export, and the names that it uses beside it.
    fn outward(&self, event: Remote, tables: &mut Tables) -> Remote {
        for id in event.ids() {
            self.name_outward(id, tables);
        }
        event.with_kinds(|kind| tables.kind(kind, self.state.kinds.get(kind)))
    }

    fn name_outward(&self, id: u64, tables: &mut Tables) {
        if let Some(name) = self.name_of(id)
            && tables.named.insert(id)
        {
            tables.names.push((id, name.into()));
        }
    }
}

/// What an export's events refer to.
#[derive(Default)]
struct Tables {
    kinds: Vec<Kind>,
    numbers: Vec<KindId>,
    names: Vec<(u64, String)>,
    named: HashSet<u64, BuildIdHasher>,
}

impl Tables {
    fn kind(&mut self, number: KindId, kind: Option<&Kind>) -> Option<KindId> {
        let place = self
            .numbers
            .iter()
            .position(|known| *known == number)
            .or_else(|| {
                self.numbers.push(number);
                self.kinds.push(kind?.clone());
                Some(self.numbers.len() - 1)
            });
        place
            .and_then(|place| u16::try_from(place).ok())
            .map(KindId)
    }
}

/// A device whose clock is far ahead must not make what others contributed look old: its times count as at most 24 h
/// ahead, and its hybrid clock is then not adopted (R15).
fn bound(mut event: Remote, latest_ns: u64) -> Remote {
    if let Remote::Contribution {
        at_ns, provenance, ..
    } = &mut event
    {
        *at_ns = (*at_ns).min(latest_ns);
        if provenance.hlc > (latest_ns / 1_000_000) << 16 {
            provenance.hlc = 0;
        }
    }
    event
}
