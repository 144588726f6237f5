//! A tab: an engine at a place in the log, and what its page remembers.

use crate::disk::Disk;
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::made::{Made, is_made, is_same, kind_of, leaves, leaves_layer};
use crate::referee::{Pair, Referee};
use crate::tombstones::{Leaver, marked};
use crate::write_loop::Sent;
use crate::{portable, seen};
use std::collections::BTreeSet;
use tidegate::engine::Engine;
use tidegate::governance::UserId;
use tidegate::log::Event;

pub struct Tab {
    pub engine: Engine,
    pub position: usize,
    pub id: u64,
    pub number: u64,
    pub sent: Option<Sent>,
    /// Whether `open` has not resolved yet: what it added to the schema has to be stored first (R19).
    pub opening: bool,
    /// What is pending and no part of the schema or of a name, in order.
    pub made: Vec<Made>,
    /// Who has left here: nothing of theirs may count until somebody joins again.
    pub closed: BTreeSet<Pair>,
    pub layer_closed: BTreeSet<UserId>,
    /// Leaves that were honoured behind a row on its way, with their marks.
    pub behind: Vec<(Leaver, u64)>,
    /// How many of its contributions are known to be stored.
    pub counted: u64,
    /// How far the page's clock is off, in nanoseconds.
    pub skew: i64,
}

impl Tab {
    pub fn new(engine: Engine, id: u64, position: usize) -> Self {
        Self {
            engine,
            position,
            id,
            number: 1,
            sent: None,
            opening: false,
            made: Vec::new(),
            closed: BTreeSet::new(),
            layer_closed: BTreeSet::new(),
            behind: Vec::new(),
            counted: 0,
            skew: 0,
        }
    }

    /// What is pending, in the words of the log.
    pub fn pending(&self) -> Vec<Event> {
        let row = self.engine.pending_row(self.id, self.number);
        self.engine.read_row(&row).expect("an own row").1
    }

    /// The same as it would be made now, but for names and the schema.
    pub fn pending_made(&self) -> Vec<Made> {
        let kinds = self.engine.kinds();
        let pending = self.pending().into_iter().filter(is_made);
        let made = pending.map(|event| Made {
            event: portable::event(&event, &kinds),
            position: self.position,
            kind: kind_of(&event),
            stored: false,
        });
        made.collect()
    }

    /// The rules applied to what this tab has folded and to what is pending on it.
    pub fn expected(&self, disk: &Disk) -> Referee {
        let mut state = disk.states[self.position].clone();
        if state.origin == 0 {
            state.origin = self.engine.origin();
        }
        for event in self.pending() {
            state.apply(&event);
        }
        state
    }

    /// Takes down what an operation has added to what is pending.
    pub fn note(&mut self) -> Check {
        let pending = self.pending_made();
        let (known, new) = pending
            .split_at_checked(self.made.len())
            .ok_or_else(|| Failure("pending events are gone".into()))?;
        for (now, made) in known.iter().zip(&self.made) {
            ensure!(
                is_same(&made.event, &now.event),
                "{:?} has become {:?}",
                made.event,
                now.event
            );
        }
        let new = new.to_vec();
        self.made.extend(new);
        Ok(())
    }

    /// What other tabs' rows mean for what this one remembers.
    pub fn learn(&mut self, disk: &Disk, position: usize) -> Check {
        // A leave that another tab has stored need not be appended again.
        let left = &disk.states[position].left;
        let before = self.made.len();
        let pending: Vec<_> = self.pending().iter().filter_map(marked).collect();
        let own = self.made.iter().filter_map(|made| marked(&made.event));
        let known: Vec<Leaver> = own
            .filter(|(leaver, mark)| left.get(leaver).is_some_and(|marks| marks.has(*mark)))
            .map(|(leaver, _)| leaver)
            .collect();
        self.made.retain(|made| {
            marked(&made.event)
                .is_none_or(|leave| pending.contains(&leave) || !known.contains(&leave.0))
        });
        if self.made.len() < before {
            seen::note("a leave that another tab has stored");
        }
        for event in disk.log[self.position..position]
            .iter()
            .flat_map(|row| &row.events)
        {
            match event {
                Event::Join {
                    user, community, ..
                } => {
                    let pair = (*user, *community);
                    if !self.has_made(|event| leaves(event, pair)) {
                        self.closed.remove(&pair);
                    }
                }
                Event::LayerRejoin { user, .. }
                    if !self.has_made(|event| leaves_layer(event, *user)) =>
                {
                    self.layer_closed.remove(user);
                }
                // Another tab's pending signals of that user fall away (R18).
                Event::Forget { user } => {
                    let before = self.made.len();
                    self.made.retain(
                        |made| !matches!(&made.event, Event::Signal(signal) if signal.user == *user),
                    );
                    if self.made.len() < before {
                        seen::note("a signal of a forgotten user that fell away");
                    }
                    let stays = |event: &Event| matches!(event, Event::Signal(signal) if signal.user == *user);
                    ensure!(
                        !self.pending().iter().any(stays),
                        "R18: {user:?} was forgotten elsewhere, and signals still pend"
                    );
                }
                _ => {}
            }
        }
        self.position = position;
        Ok(())
    }

    fn has_made(&self, which: impl Fn(&Event) -> bool) -> bool {
        self.made.iter().any(|made| which(&made.event))
    }
}
