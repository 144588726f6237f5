//! The facade: one file per capability. Calls are checked here, turned into events, applied at once, and wait as
//! *pending* until the host has stored them.

mod catalogue;
mod cohorts;
mod columns;
mod communities;
mod exchange;
mod forget;
mod layer;
mod merge;
mod pending;
mod query;
mod replay;
mod signals;
mod snapshot;
mod state;
mod tombstones;
mod views;

pub use communities::{Leave, MembershipView};
pub use exchange::ImportReport;
pub use signals::Signal;
pub use tombstones::Tombstone;

use crate::catalogue::MAX_DIMENSIONS;
use crate::error::Error;
use crate::governance::{CommunityId, Outcome, UserId};
use crate::log::Event;
use crate::replication::ReplicationState;
use crate::signals::{Kind, KindWeights, Kinds, default_kinds};
use pending::Pending;
use query::Scratch;
use state::State;

/// 1990-01-01: no signal is older (R15).
const EARLIEST_NS: u64 = 631_152_000 * 1_000_000_000;
/// The host's clock is clamped below this: arithmetic on times stays far from overflow.
const LATEST_NS: u64 = u64::MAX / 2;
/// A given time may be this far ahead of the host's now (R15).
const MOST_AHEAD_NS: u64 = 24 * 3_600 * 1_000_000_000;

/// What a database is made with.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// A random number that names the database. The core has no source of randomness (R13).
    pub origin: u64,
    /// The length of item vectors; 0 for none, at most [`MAX_DIMENSIONS`].
    pub dimensions: u32,
    /// Kinds of signal, added to the default ones or overriding them (R19).
    pub kinds: Vec<Kind>,
}

/// A real change that a host may want to tell its listeners of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// A membership row.
    Membership(UserId, CommunityId),
    /// A row of the community layer.
    Layer(UserId),
}

/// How many contributions were counted and how many were kept back, since the engine was made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Contributed {
    /// Counted in a community.
    pub recorded: u64,
    /// Kept back by the gate; their local effects happened.
    pub gated: u64,
}

/// A database: the folded state and what is pending on it.
///
/// Every `now_ns` is the host's clock in nanoseconds since 1970-01-01T00:00:00Z. It is clamped into 1990 … 2262 and never
/// refused, so a clock that is wrong blocks no leave (R15). A call that gives an error has changed nothing (R8).
#[derive(Debug, Clone)]
pub struct Engine {
    state: State,
    pending: Pending,
    /// Signals do not become pending: they are canonical at once.
    settles: bool,
    /// Default weights as this handle was given them; they are no part of the data (R19).
    weights: KindWeights,
    changes: Vec<Change>,
    /// What the leaves that come are marked with (R10).
    mark: u64,
    contributed: Contributed,
    forgets: u32,
    scratch: Scratch,
}

impl Engine {
    /// A new, empty database. Its schema is pending, as the first event of the log.
    ///
    /// # Errors
    /// `InvalidArgument` for too many dimensions or kinds or a kind without a name or half-life, `InvalidWeight` for a
    /// kind's weight, `SchemaMismatch` where one name is given twice with different meanings.
    pub fn new(config: &Config) -> Result<Self, Error> {
        let mut kinds = default_kinds();
        for kind in Kinds::default().new_ones(&config.kinds)? {
            match kinds.iter_mut().find(|default| default.name == kind.name) {
                Some(default) => *default = kind,
                None => kinds.push(kind),
            }
        }
        let mut engine = Self::over(State::new(config.origin));
        engine.open_schema(config.dimensions, &kinds)?;
        Ok(engine)
    }

    fn over(state: State) -> Self {
        let mut weights = KindWeights::default();
        weights.follow(&state.kinds);
        Self {
            state,
            pending: Pending::default(),
            settles: false,
            weights,
            changes: Vec::new(),
            mark: 0,
            contributed: Contributed::default(),
            forgets: 0,
            scratch: Scratch::default(),
        }
    }

    /// Compares kinds and dimensions with those frozen into the data and adds what is new (R19). Default weights are
    /// this handle's own. True where an event was recorded, which the host then commits.
    ///
    /// # Errors
    /// `SchemaMismatch` where a kind has another half-life or role or the dimensions differ; `InvalidArgument` and
    /// `InvalidWeight` as for [`Engine::new`]. Nothing has changed then.
    pub fn open_schema(&mut self, dimensions: u32, kinds: &[Kind]) -> Result<bool, Error> {
        if dimensions > MAX_DIMENSIONS {
            return Err(Error::InvalidArgument("dimensions"));
        }
        let known = self.state.items.dimensions();
        if known != 0 && dimensions != 0 && dimensions != known {
            return Err(Error::SchemaMismatch);
        }
        let new = self.state.kinds.new_ones(kinds)?;
        let changed = !new.is_empty() || (known == 0 && dimensions != 0);
        if changed {
            self.record(Event::Schema {
                dimensions,
                kinds: new,
            });
        }
        self.weights.give(kinds);
        self.weights.follow(&self.state.kinds);
        Ok(changed)
    }

    /// The number that names this database.
    #[must_use]
    pub fn origin(&self) -> u64 {
        self.state.origin
    }

    /// The kinds of signal, by number, with the default weights of this handle.
    #[must_use]
    pub fn kinds(&self) -> Vec<Kind> {
        let kinds = self.state.kinds.list().iter().zip(self.weights.iter());
        kinds
            .map(|(kind, weight)| Kind {
                weight,
                ..kind.clone()
            })
            .collect()
    }

    /// The number of a kind.
    #[must_use]
    pub fn kind(&self, name: &str) -> Option<crate::governance::KindId> {
        self.state.kinds.find(name)
    }

    /// The length of item vectors; 0 where there are none.
    #[must_use]
    pub fn dimensions(&self) -> u32 {
        self.state.items.dimensions()
    }

    /// What has been taken in of every origin, pending events included.
    #[must_use]
    pub fn replication(&self) -> &ReplicationState {
        &self.state.replication
    }

    /// Contributions counted and kept back since the engine was made.
    #[must_use]
    pub fn contributed(&self) -> Contributed {
        self.contributed
    }

    /// How many times a user was forgotten in what was folded and committed since the engine was made. What is stored of
    /// them goes with the next compaction, which is due when this grows (R18).
    #[must_use]
    pub fn forgets(&self) -> u32 {
        self.forgets
    }

    /// The real changes since the last call, in order.
    pub fn take_changes(&mut self) -> Vec<Change> {
        core::mem::take(&mut self.changes)
    }

    /// How many users have local facts, a membership or a row in the community layer.
    #[must_use]
    pub fn user_count(&self) -> usize {
        let state = &self.state;
        let mut users: Vec<u64> = state.profiles.users().map(|(user, _)| user.0).collect();
        users.extend(state.registry.iter().map(|row| row.user_id.0));
        users.extend(state.layer.iter().map(|row| row.user_id.0));
        users.sort_unstable();
        users.dedup();
        users.len()
    }

    /// How many items are known (R20).
    #[must_use]
    pub fn item_count(&self) -> usize {
        self.state
            .items
            .known()
            .iter()
            .filter(|known| **known)
            .count()
    }

    /// How many membership rows there are.
    #[must_use]
    pub fn membership_count(&self) -> usize {
        self.state.registry.len()
    }

    /// Applies an event of this database and keeps it as pending; logs the names that it uses first.
    fn record(&mut self, event: Event) -> Outcome {
        self.log_names(&event);
        let (outcome, change) = self.apply_noting(&event);
        self.changes.extend(change);
        self.pending.push(event, outcome);
        outcome
    }
}

/// User 0 is nobody (R16).
fn check_user(user: UserId) -> Result<(), Error> {
    if user.0 == 0 {
        Err(Error::InvalidId("user"))
    } else {
        Ok(())
    }
}

/// The host's own clock is clamped into range, never refused (R15).
fn clamp_now(now_ns: u64) -> u64 {
    now_ns.clamp(EARLIEST_NS, LATEST_NS)
}

/// A given time, checked against the host's now (R15).
fn check_time(at_ns: Option<u64>, now_ns: u64) -> Result<u64, Error> {
    let now_ns = clamp_now(now_ns);
    match at_ns {
        None => Ok(now_ns),
        Some(at_ns) if (EARLIEST_NS..=now_ns.saturating_add(MOST_AHEAD_NS)).contains(&at_ns) => {
            Ok(at_ns)
        }
        Some(_) => Err(Error::InvalidTimestamp("at")),
    }
}
