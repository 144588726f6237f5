//! What one origin has stored: a snapshot, the rows after it, and the tombstones of leaves. Beside it, what no browser
//! has: every row that was ever appended, and what the rules say it comes to.

use crate::ensure;
use crate::failure::{Check, Failure};
use crate::made::ids;
use crate::operations::name;
use crate::referee::Referee;
use crate::tombstones::Tombstones;
use std::collections::BTreeMap;
use tidegate::engine::{Config, Engine};
use tidegate::governance::{Outcome, SignalScope};
use tidegate::log::Event;

/// A row of the true log.
#[derive(Debug, Clone)]
pub struct Row {
    pub tab: u64,
    pub number: u64,
    pub bytes: Vec<u8>,
    pub events: Vec<Event>,
}

pub struct Disk {
    /// None until the first compaction.
    pub snapshot: Option<Vec<u8>>,
    /// How many rows the snapshot stands for.
    pub position: usize,
    /// The rows after the snapshot are `log[position..]`.
    pub tombstones: Tombstones,
    /// The number of each tab's last row that was compacted: a tab that did not hear of its commit asks here once its
    /// row is gone.
    pub compacted: BTreeMap<u64, u64>,
    pub log: Vec<Row>,
    /// What the log comes to after each number of rows.
    pub states: Vec<Referee>,
    /// A plain fold of the log from its start: it has nothing pending, ever.
    pub fold: Engine,
}

impl Disk {
    pub fn new() -> Self {
        Self {
            snapshot: None,
            position: 0,
            tombstones: Tombstones::default(),
            compacted: BTreeMap::new(),
            log: Vec::new(),
            states: vec![Referee::default()],
            fold: nothing(),
        }
    }

    /// A restored copy of what a tab has folded: a database of its own, which keeps memberships, closures and high-water
    /// marks (R17), and begins its own streams.
    pub fn copy(&self, snapshot: &[u8], position: usize, origin: u64) -> Self {
        let mut fold = Engine::restore(snapshot, Some(origin)).expect("a snapshot");
        let mut state = self.states[position].clone();
        state.origin = origin;
        state.own.clear();
        state.waiting.clear();
        state.acknowledged.clear();
        Self {
            snapshot: Some(fold.snapshot()),
            states: vec![state],
            fold,
            ..Self::new()
        }
    }

    pub fn end(&self) -> &Referee {
        self.states.last().expect("the state before the first row")
    }

    /// Appends a row. What it says of its signals is what they come to at their place (R11).
    pub fn append(&mut self, bytes: Vec<u8>) -> Result<&Row, Failure> {
        let (header, events) = self
            .fold
            .read_row(&bytes)
            .map_err(|error| Failure(format!("a row that cannot be read: {error}")))?;
        let mut state = self.end().clone();
        if state.origin == 0 {
            state.origin = header.origin;
        }
        ensure!(
            state.origin == header.origin,
            "a row of origin {} in the log of {}",
            header.origin,
            state.origin
        );
        for event in &events {
            // A tombstone of the layer has an id and no name: it is logged once the page that has it flushes.
            let honoured = matches!(event, Event::LayerLeave { .. });
            let named = ids(event)
                .into_iter()
                .filter(|id| !honoured && name(*id).is_some());
            for id in named {
                ensure!(
                    state.names.contains_key(&id),
                    "R16: the log uses {id} and has no name for it: {event:?}"
                );
            }
            let outcome = state.apply(event);
            if let Event::Signal(signal) = event {
                let said = signal.provenance.scope == SignalScope::Local;
                ensure!(
                    said == (outcome != Outcome::Recorded),
                    "R11: the log says {:?} of a signal that comes to {outcome:?}: {signal:?}",
                    signal.provenance.scope
                );
            }
        }
        let folded = self.fold.catch_up(&[&bytes]);
        ensure!(
            folded == Ok(events.len()),
            "a row that cannot be folded: {folded:?}"
        );
        self.states.push(state);
        self.log.push(Row {
            tab: header.tab,
            number: header.number,
            bytes,
            events,
        });
        Ok(&self.log[self.log.len() - 1])
    }

    /// Puts a snapshot in the place of the rows that it stands for.
    pub fn compact(&mut self, snapshot: Vec<u8>, position: usize) {
        for row in &self.log[self.position..position] {
            self.compacted.insert(row.tab, row.number);
        }
        self.snapshot = Some(snapshot);
        self.position = position;
    }

    /// The database as a page finds it that opens it; none where there is nothing yet.
    pub fn open(&self) -> Option<Engine> {
        match &self.snapshot {
            Some(snapshot) => Some(Engine::restore(snapshot, None).expect("a stored snapshot")),
            None if self.log.is_empty() => None,
            None => Some(nothing()),
        }
    }

    pub fn rows_from(&self, position: usize) -> Vec<&[u8]> {
        self.log[position..]
            .iter()
            .map(|row| row.bytes.as_slice())
            .collect()
    }

    /// The log says of each contribution that counts: the last turn of its gate before it was a join of its epoch, and
    /// the layer was not left (R6). Looked up in lists, contribution by contribution.
    pub fn nothing_counts_after_a_leave(&self) -> Check {
        let state = self.end();
        for counted in state.counted.iter().filter(|counted| counted.own) {
            let before = state
                .turns
                .iter()
                .rev()
                .filter(|turn| turn.place < counted.place && turn.user == counted.pair.0);
            let mut layer = before.clone().filter(|turn| turn.community.is_none());
            let mut gate = before.filter(|turn| turn.community == Some(counted.pair.1));
            ensure!(
                layer.next().is_none_or(|turn| turn.opens.is_some())
                    && gate.next().and_then(|turn| turn.opens) == Some(counted.epoch),
                "a contribution counts after a leave: {counted:?}"
            );
        }
        Ok(())
    }
}

/// A database without a single event.
fn nothing() -> Engine {
    let mut engine = Engine::new(&Config::default()).expect("a plain configuration");
    engine.undo();
    engine
}
