//! The write loop, one step at a time: catch up, flush, and how a flush may end.

use crate::disk::Disk;
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::made::{is_contribution, is_made, is_same, kind_of, may_gate};
use crate::random::Random;
use crate::tab::Tab;
use crate::tombstones::{Leaver, Written};
use crate::{portable, seen};
use tidegate::log::Event;

/// A row on its way, whose answer the tab does not have.
#[derive(Debug, Clone)]
pub struct Sent {
    row: Vec<u8>,
    number: u64,
    /// How many pending events it holds.
    count: usize,
    /// How many of `made` it holds.
    made: usize,
    /// The tombstones that were honoured in it.
    read: Vec<(Leaver, Written)>,
    /// Whether the transaction completed.
    pub completed: bool,
    /// Whether the answer never comes.
    pub lost: bool,
}

/// What becomes of the transaction of a flush.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Ending {
    Completes,
    Aborts,
    /// The page dies before it.
    CrashBefore,
    /// The page dies after it.
    CrashAfter,
    /// It ends in one way or the other, and the answer comes later, or never.
    Unanswered {
        completed: bool,
        lost: bool,
    },
}

impl Tab {
    /// Finds out from the disk what became of a row without an answer, then folds what is new there.
    pub fn catch_up(&mut self, disk: &mut Disk, random: &mut Random) -> Check {
        if let Some(sent) = self.sent.take() {
            let compacted =
                disk.position > self.position && disk.compacted.get(&self.id) >= Some(&sent.number);
            let next = disk.log.get(self.position);
            let found = next.is_some_and(|row| row.bytes == sent.row);
            ensure!(
                (compacted || disk.position <= self.position && found) == sent.completed,
                "the harness's own store is wrong: {sent:?}"
            );
            if compacted {
                seen::note("a lost commit that a compaction took away");
            }
            if sent.completed {
                seen::note("a commit whose answer was lost");
                self.complete(&sent, disk)?;
            } else {
                seen::note("a flush that failed without an answer");
                self.row_failed()?;
            }
        }
        if disk.position > self.position {
            let snapshot = disk.snapshot.as_ref().expect("a snapshot");
            if self.engine.pending() > 0 {
                seen::note("a tab left behind that reloaded with something pending");
            }
            let reloaded = self.engine.reload(snapshot);
            ensure!(reloaded == Ok(()), "reload: {reloaded:?}");
            self.learn(disk, disk.position)?;
        }
        while self.position < disk.log.len() {
            // All at once, or in pieces: that must not matter.
            let left = disk.log.len() - self.position;
            let count = if random.percent(50) {
                left
            } else {
                1 + random.index(left)
            };
            let rows = &disk.rows_from(self.position)[..count];
            if random.percent(3) {
                self.refuse_damaged(rows, random)?;
            }
            let events: usize = disk.log[self.position..][..count]
                .iter()
                .map(|row| row.events.len())
                .sum();
            let folded = self.engine.catch_up(rows);
            ensure!(folded == Ok(events), "catch up: {folded:?}");
            self.learn(disk, self.position + count)?;
        }
        Ok(())
    }

    /// What is pending but for the schema, which is fitted to what is stored.
    fn made_pending(&self) -> Vec<Event> {
        self.pending().into_iter().filter(is_made).collect()
    }

    /// Rows of which one is damaged change nothing (R8).
    fn refuse_damaged(&mut self, rows: &[&[u8]], random: &mut Random) -> Check {
        seen::note("a damaged row");
        let mut rows: Vec<Vec<u8>> = rows.iter().map(|row| row.to_vec()).collect();
        let damaged = rows.last_mut().expect("a row");
        let place = random.index(damaged.len());
        damaged[place] ^= 1 << random.below(8);
        let before = (self.made_pending(), self.engine.snapshot());
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        let refused = self.engine.catch_up(&rows);
        ensure!(refused.is_err(), "R8: a damaged row, and {refused:?}");
        ensure!(
            before == (self.made_pending(), self.engine.snapshot()),
            "R8: refused, and changed"
        );
        Ok(())
    }

    /// A row is known to be stored.
    fn complete(&mut self, sent: &Sent, disk: &mut Disk) -> Check {
        if sent.count < self.engine.pending() {
            seen::note("a partial commit");
        }
        self.engine.commit(sent.count);
        let events = &disk.log[self.position].events;
        let counted = events.iter().filter(|event| is_contribution(event)).count();
        self.counted += counted as u64;
        self.position += 1;
        for made in self.made.drain(..sent.made) {
            ensure!(made.stored, "acknowledged and not in the log: {made:?}");
        }
        self.opening = false;
        self.behind.clear();
        self.remove(&sent.read, disk);
        Ok(())
    }

    /// The leaves of these tombstones are stored now; one that was written since stays. Tabs that have not folded them yet
    /// can tell by the fence.
    fn remove(&self, read: &[(Leaver, Written)], disk: &mut Disk) {
        let known = read.iter().filter(|(leaver, _)| self.has_row(*leaver));
        let known: Vec<_> = known.copied().collect();
        if !known.is_empty() {
            disk.tombstones.fence = disk.tombstones.fence.max(self.position);
            disk.tombstones.remove(&known);
        }
    }

    /// How many of the pending events are on their way.
    pub fn sent_events(&self) -> usize {
        self.sent.as_ref().map_or(0, |sent| sent.count)
    }

    /// The answer to a row arrives.
    pub fn answer(&mut self, disk: &mut Disk) -> Check {
        match self.sent.take() {
            Some(sent) if sent.lost => self.sent = Some(sent),
            Some(sent) if sent.completed => {
                seen::note("a commit whose answer came late");
                self.complete(&sent, disk)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// One flush. False where the page died.
    pub fn flush(
        &mut self,
        disk: &mut Disk,
        ending: Ending,
        random: &mut Random,
    ) -> Result<bool, Failure> {
        self.catch_up(disk, random)?;
        let read = disk.tombstones.read(random);
        self.honour(&read, disk)?;
        self.note()?;
        let count = self.engine.pending();
        if count == 0 {
            self.opening = false;
            self.remove(&read, disk);
            return Ok(true);
        }
        if ending == Ending::CrashBefore {
            return Ok(false);
        }
        let sent = Sent {
            row: self.engine.pending_row(self.id, self.number),
            number: self.number,
            count,
            made: self.made.len(),
            read,
            completed: !matches!(
                ending,
                Ending::Aborts
                    | Ending::Unanswered {
                        completed: false,
                        ..
                    }
            ),
            lost: matches!(ending, Ending::Unanswered { lost: true, .. }),
        };
        self.number += 1;
        if sent.completed {
            self.append(disk, sent.row.clone())?;
        }
        match ending {
            Ending::Completes => self.complete(&sent, disk)?,
            Ending::Unanswered { .. } => self.sent = Some(sent),
            _ => {}
        }
        Ok(ending != Ending::CrashAfter)
    }

    /// The row holds what was made, each event once, in order; what was gated since was gated for a reason.
    fn append(&mut self, disk: &mut Disk, row: Vec<u8>) -> Check {
        let place = disk.log.len();
        let events = disk.append(row)?.events.clone();
        let kinds = disk.fold.kinds();
        let stored: Vec<&Event> = events.iter().filter(|event| is_made(event)).collect();
        ensure!(
            stored.len() == self.made.len(),
            "{} events were made and {} stored",
            self.made.len(),
            stored.len()
        );
        for (made, raw) in self.made.iter_mut().zip(stored) {
            let stored = portable::event(raw, &kinds);
            if made.kind != kind_of(raw) {
                seen::note("a kind with another number after a rebase");
            }
            ensure!(!made.stored, "stored twice: {:?}", made.event);
            ensure!(
                is_same(&made.event, &stored),
                "{:?} was made and {stored:?} stored",
                made.event
            );
            if let (Event::Signal(made_as), Event::Signal(stored_as)) = (&made.event, &stored)
                && made_as.provenance.scope != stored_as.provenance.scope
            {
                seen::note("a rebase that lowered an outcome");
                let mut since = disk.log[made.position..=place].iter();
                ensure!(
                    since.any(|row| row.events.iter().any(|event| may_gate(event, made_as))),
                    "gated for no reason: {made_as:?}"
                );
            }
            made.stored = true;
        }
        Ok(())
    }
}
