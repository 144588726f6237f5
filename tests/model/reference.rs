//! The reference model: state and calls. It is written from the rules (R…) alone, shares no code with the crate and
//! is naive on purpose: a list of all signals that ever were, plain rows for the rest, and every answer worked out
//! from them when asked. What is slow here cannot be wrong in the way that something clever is wrong.

/// One hour in nanoseconds.
pub const HOUR: u64 = 3_600_000_000_000;
/// One day in nanoseconds.
pub const DAY: u64 = 24 * HOUR;
/// 1990-01-01T00:00:00Z: no time before it is taken (R15).
pub const EARLIEST: u64 = 631_152_000 * 1_000_000_000;
/// The host's clock is clamped to here (R15).
pub const LATEST: u64 = u64::MAX / 2;
/// The largest size of a weight (R15).
pub const MAX_WEIGHT: f64 = 1e6;

/// Why a call is refused (R8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    Id,
    Timestamp,
    Weight,
    Argument,
    UnknownKind,
    NotFound,
    Unsupported,
}

/// What became of the community part of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Local,
    Recorded,
    NotMember,
    Left,
    LayerLeft,
    PolicyExcluded,
}

/// A membership's state between calls: `LeavingStopForward` settles before `leave` returns (R3), so it is never seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Joined,
    Left,
    Rejoined,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    pub name: String,
    pub weight: f64,
    pub half_life_ns: u64,
    pub seen: bool,
    pub hide: bool,
}

/// Which kinds may be shared; kinds are positions in `Model::kinds`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Share {
    All,
    None,
    Only(Vec<usize>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    pub version: u16,
    pub share: Share,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    pub user: u64,
    pub community: u64,
    pub state: State,
    pub epoch: u32,
    pub policy: Policy,
    pub joined_at: u64,
    pub stop_forward_at: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layer {
    pub left: bool,
    pub left_at: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Receipt {
    pub user: u64,
    pub community: u64,
    pub epoch: u32,
    pub stop_forward_at: u64,
    pub changed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    pub id: u64,
    pub vector: Option<Vec<f32>>,
    pub categories: Vec<String>,
    pub creator: Option<u64>,
    pub created_at_ms: Option<f64>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Signal {
    pub user: u64,
    pub item: u64,
    pub kind: usize,
    pub weight: Option<f64>,
    pub at: Option<u64>,
    pub community: Option<u64>,
    pub agent: Option<u64>,
}

/// A signal that was accepted, with all that became of it.
#[derive(Clone, Debug)]
pub struct Event {
    pub user: u64,
    pub item: u64,
    pub kind: usize,
    pub weight: f64,
    pub at: u64,
    /// Community and epoch that it counted in.
    pub counted: Option<(u64, u32)>,
    /// Cohorts that it was attributed to.
    pub cohorts: Vec<u64>,
    /// The user was forgotten since: only the community and cohort parts still count (R18).
    pub forgotten: bool,
}

/// What is known of an item by its own upserts and removals.
#[derive(Clone, Debug)]
pub struct Catalogued {
    pub id: u64,
    /// None after a removal, until the next upsert (R20).
    pub features: Option<Item>,
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub dimensions: usize,
    pub kinds: Vec<Kind>,
    pub events: Vec<Event>,
    pub members: Vec<Member>,
    pub layers: Vec<(u64, Layer)>,
    pub cohorts: Vec<(u64, Vec<u64>)>,
    pub items: Vec<Catalogued>,
}

/// The kinds that every database starts with, in the order of the contract.
pub fn default_kinds() -> Vec<Kind> {
    [
        ("impression", 0.0, 30, true),
        ("view", 1.0, 30, true),
        ("click", 2.0, 30, true),
        ("like", 4.0, 180, true),
        ("save", 4.0, 180, false),
        ("share", 6.0, 180, false),
        ("skip", -1.0, 30, true),
        ("dislike", -4.0, 180, true),
        ("hide", 0.0, 180, false),
    ]
    .into_iter()
    .map(|(name, weight, days, seen)| Kind {
        name: name.to_owned(),
        weight,
        half_life_ns: days * DAY,
        seen,
        hide: name == "hide",
    })
    .collect()
}

fn check_user(user: u64) -> Result<(), Refused> {
    if user == 0 { Err(Refused::Id) } else { Ok(()) }
}

fn clamp(now: u64) -> u64 {
    now.clamp(EARLIEST, LATEST)
}

impl Model {
    /// A new database: the default kinds, each replaced by an explicit one of the same name, then the new ones.
    pub fn new(dimensions: usize, explicit: &[Kind]) -> Self {
        let mut kinds = default_kinds();
        for kind in explicit {
            match kinds.iter_mut().find(|known| known.name == kind.name) {
                Some(known) => *known = kind.clone(),
                None => kinds.push(kind.clone()),
            }
        }
        Self {
            dimensions,
            kinds,
            ..Self::default()
        }
    }

    pub fn member(&self, user: u64, community: u64) -> Option<&Member> {
        self.members
            .iter()
            .find(|row| row.user == user && row.community == community)
    }

    /// All rows, or those of one user, by user and community.
    pub fn memberships(&self, user: Option<u64>) -> Vec<Member> {
        let mut rows: Vec<Member> = self
            .members
            .iter()
            .filter(|row| user.is_none_or(|user| row.user == user))
            .cloned()
            .collect();
        rows.sort_by_key(|row| (row.user, row.community));
        rows
    }

    /// Whether signals count now: the gate of R1 without the kind that it has not been told.
    pub fn contributing(&self, row: &Member) -> bool {
        !self.layer(row.user).left && row.stop_forward_at.is_none()
    }

    pub fn join(
        &mut self,
        user: u64,
        community: u64,
        policy: Option<Policy>,
        now: u64,
    ) -> Result<u32, Refused> {
        check_user(user)?;
        let Some(row) = self
            .members
            .iter_mut()
            .find(|row| row.user == user && row.community == community)
        else {
            self.members.push(Member {
                user,
                community,
                state: State::Joined,
                epoch: 0,
                policy: policy.unwrap_or(Policy {
                    version: 1,
                    share: Share::All,
                }),
                joined_at: clamp(now),
                stop_forward_at: None,
            });
            return Ok(0);
        };
        if let Some(policy) = policy {
            row.policy = policy;
        }
        if row.stop_forward_at.is_some() {
            row.epoch += 1;
            row.state = State::Rejoined;
            row.stop_forward_at = None;
        }
        Ok(row.epoch)
    }

    pub fn rejoin(
        &mut self,
        user: u64,
        community: u64,
        policy: Option<Policy>,
        now: u64,
    ) -> Result<u32, Refused> {
        check_user(user)?;
        if self.member(user, community).is_none() {
            return Err(Refused::NotFound);
        }
        self.join(user, community, policy, now)
    }

    pub fn leave(
        &mut self,
        user: u64,
        community: u64,
        purge: bool,
        now: u64,
    ) -> Result<Receipt, Refused> {
        check_user(user)?;
        if self.member(user, community).is_none() {
            return Err(Refused::NotFound);
        }
        if purge {
            return Err(Refused::Unsupported);
        }
        let row = self
            .members
            .iter_mut()
            .find(|row| row.user == user && row.community == community);
        row.map(|row| close(row, now)).ok_or(Refused::NotFound)
    }

    pub fn layer(&self, user: u64) -> Layer {
        let row = self.layers.iter().find(|row| row.0 == user);
        row.map_or(
            Layer {
                left: false,
                left_at: None,
            },
            |row| row.1,
        )
    }

    pub fn leave_layer(&mut self, user: u64, now: u64) -> Result<Layer, Refused> {
        check_user(user)?;
        let before = self.layer(user);
        if !before.left {
            // R11: `left_at_ns` strictly increases, whatever the clock does.
            let left_at = before
                .left_at
                .map_or(clamp(now), |last| clamp(now).max(last + 1));
            self.set_layer(
                user,
                Layer {
                    left: true,
                    left_at: Some(left_at),
                },
            );
        }
        Ok(self.layer(user))
    }

    pub fn rejoin_layer(&mut self, user: u64) -> Result<Layer, Refused> {
        check_user(user)?;
        let before = self.layer(user);
        if before.left {
            self.set_layer(
                user,
                Layer {
                    left: false,
                    ..before
                },
            );
        }
        Ok(self.layer(user))
    }

    fn set_layer(&mut self, user: u64, layer: Layer) {
        self.layers.retain(|row| row.0 != user);
        self.layers.push((user, layer));
    }

    pub fn cohorts(&self, user: u64) -> Vec<u64> {
        self.cohorts
            .iter()
            .find(|row| row.0 == user)
            .map_or_else(Vec::new, |row| row.1.clone())
    }

    /// True where this changed anything.
    pub fn set_cohorts(&mut self, user: u64, cohorts: &[u64]) -> Result<bool, Refused> {
        check_user(user)?;
        let mut cohorts = cohorts.to_vec();
        cohorts.sort_unstable();
        cohorts.dedup();
        let changed = self.cohorts(user) != cohorts;
        self.cohorts.retain(|row| row.0 != user);
        if !cohorts.is_empty() {
            self.cohorts.push((user, cohorts));
        }
        Ok(changed)
    }

    /// The gate, in the order of R1.
    fn gate(&self, user: u64, community: u64, kind: usize) -> Outcome {
        if self.layer(user).left {
            return Outcome::LayerLeft;
        }
        let Some(row) = self.member(user, community) else {
            return Outcome::NotMember;
        };
        if row.stop_forward_at.is_some() {
            return Outcome::Left;
        }
        let shared = match &row.policy.share {
            Share::All => true,
            Share::None => false,
            Share::Only(kinds) => kinds.contains(&kind),
        };
        if shared {
            Outcome::Recorded
        } else {
            Outcome::PolicyExcluded
        }
    }

    pub fn signal(&mut self, signal: &Signal, now: u64) -> Result<Outcome, Refused> {
        check_user(signal.user)?;
        let kind = self.kinds.get(signal.kind).ok_or(Refused::UnknownKind)?;
        let weight = signal.weight.unwrap_or(kind.weight);
        if !weight.is_finite() || weight.abs() > MAX_WEIGHT {
            return Err(Refused::Weight);
        }
        let now = clamp(now);
        let at = signal.at.unwrap_or(now);
        if at < EARLIEST || at > now + DAY {
            return Err(Refused::Timestamp);
        }
        let outcome = match signal.community {
            None => Outcome::Local,
            Some(community) => self.gate(signal.user, community, signal.kind),
        };
        let counted = match (outcome, signal.community) {
            (Outcome::Recorded, Some(community)) => self
                .member(signal.user, community)
                .map(|row| (community, row.epoch)),
            _ => None,
        };
        let cohorts = if self.layer(signal.user).left {
            Vec::new()
        } else {
            self.cohorts(signal.user)
        };
        self.events.push(Event {
            user: signal.user,
            item: signal.item,
            kind: signal.kind,
            weight,
            at,
            counted,
            cohorts,
            forgotten: false,
        });
        Ok(outcome)
    }

    /// Whether there is anything local of a user.
    fn has_local(&self, user: u64) -> bool {
        !self.cohorts(user).is_empty() || self.local(user).next().is_some()
    }

    /// The receipts (one for every membership, by community) and whether anything changed (R18).
    pub fn forget(&mut self, user: u64, now: u64) -> Result<(Vec<Receipt>, bool), Refused> {
        check_user(user)?;
        let had_local = self.has_local(user);
        let mut receipts: Vec<Receipt> = self
            .members
            .iter_mut()
            .filter(|row| row.user == user)
            .map(|row| close(row, now))
            .collect();
        receipts.sort_by_key(|receipt| receipt.community);
        for event in self.events.iter_mut().filter(|event| event.user == user) {
            event.forgotten = true;
        }
        self.cohorts.retain(|row| row.0 != user);
        let changed = had_local || receipts.iter().any(|receipt| receipt.changed);
        Ok((receipts, changed))
    }

    /// The user's signals that are not forgotten, in the order in which they came.
    pub fn local(&self, user: u64) -> impl Iterator<Item = &Event> {
        self.events
            .iter()
            .filter(move |event| event.user == user && !event.forgotten)
    }

    /// How many contributions counted per item, ascending: all members, all epochs.
    pub fn mass(&self, community: u64) -> Vec<(u64, u64)> {
        let counted = |event: &&Event| {
            event
                .counted
                .is_some_and(|(where_to, _)| where_to == community)
        };
        let mut items: Vec<u64> = self
            .events
            .iter()
            .filter(counted)
            .map(|event| event.item)
            .collect();
        items.sort_unstable();
        let mut mass: Vec<(u64, u64)> = Vec::new();
        for item in items {
            match mass.last_mut() {
                Some((last, count)) if *last == item => *count += 1,
                _ => mass.push((item, 1)),
            }
        }
        mass
    }
}

/// Closes the gate; the first time stands (R3).
fn close(row: &mut Member, now: u64) -> Receipt {
    let changed = row.stop_forward_at.is_none();
    let stop_forward_at = *row.stop_forward_at.get_or_insert(clamp(now));
    row.state = State::Left;
    Receipt {
        user: row.user,
        community: row.community,
        epoch: row.epoch,
        stop_forward_at,
        changed,
    }
}
