//! A tab: an engine at a place in the log, and what its page remembers.

use crate::disk::{Disk, Tombstones};
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::made::{Made, is_contribution, is_made, is_same, kind_of, leaves, leaves_layer};
use crate::referee::{Pair, Referee};
use crate::write_loop::Sent;
use crate::{portable, seen};
use std::collections::BTreeSet;
use tidegate::engine::Engine;
use tidegate::governance::{LeaveMode, MembershipStatus, SignalScope, UserId};
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
    fn pending_made(&self) -> Vec<Made> {
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

    /// Reads tombstones, and leaves what they say was left (R10).
    pub fn honour(&mut self, tombstones: &Tombstones) -> Check {
        for (pair, at) in &tombstones.leaves {
            if self.honour_leave(*pair, *at)? {
                self.closed.insert(*pair);
                self.insert_leaves(|event| leaves(event, *pair))?;
            }
            let row = self.engine.membership(pair.0, pair.1);
            ensure!(
                !row.is_some_and(|row| row.contributing),
                "R10: a tombstone of {pair:?} was read and the gate is open"
            );
        }
        for (user, at) in &tombstones.layer {
            if self.honour_layer_leave(*user, *at)? {
                self.layer_closed.insert(*user);
                self.insert_leaves(|event| leaves_layer(event, *user))?;
            }
            let row = self.engine.community_layer_status(*user);
            ensure!(
                row.status == MembershipStatus::Left,
                "R10: a tombstone of the layer of {user:?} was read and it is open"
            );
        }
        Ok(())
    }

    /// Takes back what is pending of the leaver. While a row is on its way its events must stay as they are: then the
    /// leave comes behind them, as any other.
    fn honour_leave(&mut self, pair: Pair, at: u64) -> Result<bool, Failure> {
        if self.sent.is_some() {
            let left = self
                .engine
                .leave(pair.0, pair.1, LeaveMode::StopForward, at);
            let closed = left.is_ok_and(|left| left.changed);
            if closed {
                seen::note("a tombstone honoured behind a row on its way");
            }
            return Ok(closed);
        }
        let closed = self.engine.honour_leave(pair.0, pair.1, at);
        if closed {
            seen::note("a tombstone honoured");
            let counts = |event: &Event| {
                matches!(event, Event::Signal(signal) if signal.user == pair.0
                    && signal.provenance.scope == SignalScope::Community(pair.1))
            };
            ensure!(
                !self.pending().iter().any(counts),
                "R10: a tombstone of {pair:?} was read, and contributions still pend"
            );
        }
        Ok(closed)
    }

    fn honour_layer_leave(&mut self, user: UserId, at: u64) -> Result<bool, Failure> {
        if self.sent.is_some() {
            let before = self.engine.pending();
            let left = self.engine.leave_community_layer(user, at);
            ensure!(left.is_ok(), "leave the layer: {left:?}");
            return Ok(self.engine.pending() > before);
        }
        let closed = self.engine.honour_layer_leave(user, at);
        if closed {
            seen::note("a tombstone of the layer honoured");
            let counts = |event: &Event| {
                matches!(event, Event::Signal(signal) if signal.user == user
                    && (signal.layer.is_some() || is_contribution(event)))
            };
            ensure!(
                !self.pending().iter().any(counts),
                "R10: a tombstone of the layer of {user:?} was read, and contributions still pend"
            );
        }
        Ok(closed)
    }

    /// A leave that was honoured stands somewhere among what is pending; all else is as it was.
    fn insert_leaves(&mut self, is_leave: impl Fn(&Event) -> bool) -> Check {
        let mut known = std::mem::take(&mut self.made).into_iter().peekable();
        for now in self.pending_made() {
            if let Some(made) = known.next_if(|made| is_same(&made.event, &now.event)) {
                self.made.push(made);
            } else {
                ensure!(
                    is_leave(&now.event),
                    "honouring a leave made {:?}",
                    now.event
                );
                self.made.push(now);
            }
        }
        let gone = known.next();
        ensure!(gone.is_none(), "honouring a leave took {gone:?}");
        Ok(())
    }
}
