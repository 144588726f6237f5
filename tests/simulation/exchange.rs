//! Events between databases: what an export holds, and what an import comes to (R7, R12, R17).

use crate::database::Database;
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::operations::{COMMUNITIES, Call};
use crate::random::Random;
use crate::wire;
use crate::{exports, portable, seen};
use tidegate::Error;
use tidegate::engine::ImportReport;
use tidegate::governance::{CommunityId, KindId, Outcome};
use tidegate::log::{Event, EventRecord, Remote};
use tidegate::replication::Stream;

impl Call<'_> {
    pub fn set_outbox(&mut self) {
        let enabled = self.random.percent(50);
        let changed = self.tab.engine.set_outbox(enabled);
        self.tell(format_args!(" to {enabled}, a change: {changed}"));
    }

    /// Exports, and gives back what hosts carry to other databases.
    pub fn export(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let read = self.database.disk.tombstones.read(self.random);
        self.tab.honour(&read, &self.database.disk)?;
        if self.tab.position < self.database.disk.tombstones.fence {
            // Somebody has left and is not written down any more: until it knows who, a tab exports nothing.
            seen::note("an export of a tab behind a stored leave");
            return Ok(None);
        }
        let asked: Option<Vec<CommunityId>> = self.random.percent(40).then(|| {
            COMMUNITIES
                .into_iter()
                .filter(|_| self.random.percent(60))
                .collect()
        });
        let since = self.cursor(20);
        let exported = self.tab.engine.export(
            asked.as_deref(),
            since.as_ref().map(|(_, text)| text.as_str()),
        );
        let (bytes, cursor) = match (exported, &since) {
            (Err(Error::InvalidArgument("since")), Some((position, _)))
                if *position > self.tab.position =>
            {
                return Ok(None);
            }
            (exported, _) => exported.map_err(|error| Failure(format!("export: {error}")))?,
        };
        let export = wire::Export::read(&bytes);
        self.tell(format_args!(" exports {export:?}"));
        let full = self.tab.expected(&self.database.disk);
        exports::streams(
            &export,
            asked.as_deref(),
            since.is_some(),
            &full,
            self.tab,
            &self.database.disk,
        )?;
        if export.streams.iter().any(|part| !part.events.is_empty()) {
            seen::note("an event exported");
        }
        exports::leavers(&export, self.tab, &self.database.disk)?;
        exports::beside(
            &export,
            &full,
            &self.database.disk.states[self.tab.position],
        )?;
        self.database.cursors.push((self.tab.position, cursor));
        Ok(Some(bytes))
    }

    fn cursor(&mut self, percent: u64) -> Option<(usize, String)> {
        let cursors = &self.database.cursors;
        (!cursors.is_empty() && self.random.percent(percent)).then(|| {
            let place = self.random.index(cursors.len());
            cursors[place].clone()
        })
    }

    pub fn acknowledge(&mut self) -> Check {
        if let Some((position, cursor)) = self.cursor(100) {
            let done = self.tab.engine.acknowledge(&cursor);
            self.tell(format_args!(" acknowledges: {done:?}"));
            // A tab that has not caught up does not know the numbers yet.
            ensure!(
                done.is_ok() || position > self.tab.position,
                "acknowledge: {done:?}"
            );
        }
        Ok(())
    }

    /// Takes in what lies in the inbox: new, old, again, in any order, or damaged on its way.
    pub fn imports(&mut self) -> Check {
        for _ in 0..=self.random.below(3) {
            self.import()?;
        }
        Ok(())
    }

    fn import(&mut self) -> Check {
        if self.database.inbox.is_empty() {
            return Ok(());
        }
        let inbox = &self.database.inbox;
        // What has just come, or something old.
        let place = if self.random.percent(50) {
            inbox.len() - 1
        } else {
            self.random.index(inbox.len())
        };
        let bytes = inbox[place].clone();
        if self.random.percent(15) {
            return self.import_damaged(bytes);
        }
        let export = wire::Export::read(&bytes);
        if self.random.percent(30) {
            return self.replay(&export);
        }
        let mut expected = self.tab.expected(&self.database.disk);
        let own = export.origin == expected.origin;
        let gap = |part: &wire::Part| {
            part.first > expected.mark(export.origin, Stream::Community(part.community)) + 1
        };
        let gap = !own && export.streams.iter().any(gap);
        let before = self.tab.pending().len();
        let report = self.tab.engine.import(&bytes, self.now);
        self.tell(format_args!(" imports of {}: {report:?}", export.origin));
        if gap {
            seen::note("an import with a gap");
            ensure!(
                report == Err(Error::SequenceGap),
                "R7: a gap, and {report:?}"
            );
            return Ok(());
        }
        let report = report.map_err(|error| Failure(format!("import: {error}")))?;
        let mut counted = ImportReport::default();
        for event in &self.tab.pending()[before..] {
            let outcome = expected.apply(event);
            if matches!(event, Event::Replayed(_) | Event::ReplayedLayer(_)) {
                count(&mut counted, outcome);
            }
        }
        let told = counted.applied
            + counted.stale_epoch
            + counted.future_epoch
            + counted.gated
            + counted.not_member;
        let events: usize = export.streams.iter().map(|part| part.events.len()).sum();
        counted.duplicate = (events + export.layer.len()) as u64 - told;
        let numbers = [
            (counted.applied, "an import applied"),
            (counted.duplicate, "an import of duplicates"),
            (counted.stale_epoch, "an import of a stale epoch"),
            (counted.gated, "an import gated"),
            (counted.not_member, "an import of somebody unknown"),
        ];
        for (number, what) in numbers {
            if number > 0 {
                seen::note(what);
            }
        }
        ensure!(
            report == counted,
            "import: {report:?}, by the rules {counted:?}"
        );
        Ok(())
    }

    /// Events one by one, as from a broker's stream. A broker may lose a transition, and then refuses what comes of it.
    fn replay(&mut self, export: &wire::Export) -> Check {
        let mut expected = self.tab.expected(&self.database.disk);
        if export.origin == expected.origin {
            return Ok(());
        }
        let names = export.names.iter().cloned();
        for (id, name) in names {
            let done = self.tab.engine.name(id, &name);
            ensure!(done.is_ok(), "name: {done:?}");
        }
        let kind = |kind: KindId| {
            let name = &export.kinds.get(usize::from(kind.0))?.name;
            self.tab.engine.kind(name)
        };
        let events = export.streams.iter().flat_map(|part| &part.events);
        let records: Vec<EventRecord> = events
            .map_while(|(sequence, event)| {
                let event = portable::renumbered(*event, kind)?;
                let (origin, sequence) = (export.origin, *sequence);
                Some(EventRecord {
                    origin,
                    sequence,
                    event,
                })
            })
            .collect();
        let lossy = self.random.percent(50);
        for record in records {
            let transition = !matches!(record.event, Remote::Contribution { .. });
            if transition && lossy && self.random.percent(80) {
                continue;
            }
            let outcome = expected.apply(&Event::Replayed(record));
            let replayed = self.tab.engine.replay(&record);
            self.tell(format_args!(" replays {record:?}: {replayed:?}"));
            ensure!(
                replayed == Ok(outcome),
                "replay: {replayed:?}, by the rules {outcome:?}"
            );
            if outcome == Outcome::FutureEpoch {
                seen::note("a replay of a future epoch");
            }
            let again = self.tab.engine.replay(&record);
            ensure!(again == Ok(Outcome::Duplicate), "R7: again, and {again:?}");
        }
        Ok(())
    }

    fn import_damaged(&mut self, mut bytes: Vec<u8>) -> Check {
        if self.random.percent(50) {
            bytes.truncate(self.random.index(bytes.len()));
        } else {
            let place = self.random.index(bytes.len());
            bytes[place] ^= 1 << self.random.below(8);
        }
        let before = (self.tab.engine.pending(), self.tab.engine.snapshot());
        let refused = self.tab.engine.import(&bytes, self.now);
        ensure!(
            matches!(
                refused,
                Err(Error::CorruptEvents | Error::UnsupportedVersion)
            ),
            "R8: damaged, and {refused:?}"
        );
        ensure!(
            before == (self.tab.engine.pending(), self.tab.engine.snapshot()),
            "R8: refused, and changed"
        );
        Ok(())
    }
}

fn count(report: &mut ImportReport, outcome: Outcome) {
    match outcome {
        Outcome::Recorded | Outcome::Local => report.applied += 1,
        Outcome::Duplicate => {}
        Outcome::StaleEpoch => report.stale_epoch += 1,
        Outcome::FutureEpoch => report.future_epoch += 1,
        Outcome::Left | Outcome::LayerLeft | Outcome::PolicyExcluded => report.gated += 1,
        Outcome::NotMember => report.not_member += 1,
    }
}

/// What was taken in is what its own database has under that number.
pub fn nothing_was_made_up(databases: &[Database]) -> Check {
    for database in databases {
        let kinds = database.disk.fold.kinds();
        let events = database.disk.log.iter().flat_map(|row| &row.events);
        for event in events {
            let Event::Replayed(record) = event else {
                continue;
            };
            let mut sources = databases.iter().map(|source| &source.disk);
            let source = sources.find(|source| source.end().origin == record.origin);
            let told = source.and_then(|source| {
                let kinds = source.fold.kinds();
                let mut own = source.end().own.iter();
                let told = own.find(|told| {
                    (Some(told.community), told.number)
                        == (record.event.community(), record.sequence)
                });
                told.map(|told| portable::remote(told.event, &kinds))
            });
            let taken = portable::remote(record.event, &kinds);
            ensure!(
                told == Some(taken),
                "R17: taken in {taken:?}, told {told:?}"
            );
        }
    }
    Ok(())
}

/// Chance decides whom a host brings an export to; seldom back to where it comes from.
pub fn deliver(bytes: &[u8], from: usize, databases: &mut [Database], random: &mut Random) {
    for (place, database) in databases.iter_mut().enumerate() {
        if random.percent(if place == from { 10 } else { 70 }) {
            database.inbox.push(bytes.to_vec());
        }
    }
}
