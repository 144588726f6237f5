//! A tab: an engine at a place in the log, and what its page remembers.

use crate::disk::{Disk, Tombstones};
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::made::{Made, is_made, is_same, kind_of, leaves, leaves_layer};
use crate::referee::{Pair, Referee};
use crate::write_loop::Sent;
use crate::{portable, seen};
use std::collections::BTreeSet;
use tidegate::engine::Engine;
use tidegate::governance::{MembershipStatus, UserId};
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
    /// How many of its contributions are known to be stored; none once one has fallen away with a forgotten user.
    pub counted: Option<u64>,
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
            counted: Some(0),
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
                        self.counted = None;
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

    /// Reads the tombstones that stand, and leaves what they say was left (R10). A row on its way has to be settled
    /// first: it holds the first pending events, and a leave that is honoured comes before them.
    pub fn honour(&mut self, tombstones: &Tombstones) -> Check {
        let nothing = *tombstones == Tombstones::default();
        assert!(nothing || self.sent.is_none(), "a row is on its way");
        for (pair, at) in &tombstones.leaves {
            if self.engine.honour_leave(pair.0, pair.1, *at) {
                seen::note("a tombstone honoured");
                self.closed.insert(*pair);
                self.insert_leaves(|event| leaves(event, *pair))?;
            }
            let contributing = self.engine.membership(pair.0, pair.1);
            ensure!(
                !contributing.is_some_and(|row| row.contributing),
                "R10: a tombstone of {pair:?} was read and the gate is open"
            );
        }
        for (user, at) in &tombstones.layer {
            if self.engine.honour_layer_leave(*user, *at) {
                seen::note("a tombstone of the layer honoured");
                self.layer_closed.insert(*user);
                self.insert_leaves(|event| leaves_layer(event, *user))?;
            }
            ensure!(
                self.engine.community_layer_status(*user).status == MembershipStatus::Left,
                "R10: a tombstone of the layer of {user:?} was read and it is open"
            );
        }
        Ok(())
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
