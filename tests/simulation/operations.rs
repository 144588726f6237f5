//! What an app calls, with arguments at random, and what must hold when each call returns.

use crate::database::Database;
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::random::Random;
use crate::seen;
use crate::tab::Tab;
use crate::tombstones::{Leaver, Written};
use std::fmt::Write;
use tidegate::catalogue::Item;
use tidegate::governance::{
    CohortId, CommunityId, ItemId, KindId, KindSet, LeaveMode, MembershipStatus, ShareMode,
    SharePolicy, UserId,
};

/// 1 700 000 000 s after 1970, in nanoseconds.
pub const T0: u64 = 1_700_000_000_000_000_000;
pub const MILLISECOND: u64 = 1_000_000;

pub const USERS: [UserId; 4] = [UserId(101), UserId(102), UserId(103), UserId(104)];
pub const COMMUNITIES: [CommunityId; 3] = [CommunityId(0), CommunityId(201), CommunityId(202)];
const ITEMS: [ItemId; 6] = [
    ItemId(301),
    ItemId(302),
    ItemId(303),
    ItemId(304),
    ItemId(305),
    ItemId(306),
];
const COHORTS: [CohortId; 3] = [CohortId(401), CohortId(402), CohortId(403)];
pub const DIMENSIONS: u32 = 2;

/// The name behind an id, where it has one: every second id of this world is a hashed name.
pub fn name(id: u64) -> Option<String> {
    (id % 2 == 1).then(|| format!("the one behind {id}"))
}

/// A share policy; its version tells which kinds it shares, wherever it is seen.
pub fn policy(version: u16) -> SharePolicy {
    let mode = match version {
        1 => ShareMode::All,
        2 => ShareMode::None,
        _ => {
            // The default kinds have the same numbers in every database.
            let mut kinds = KindSet::EMPTY;
            for kind in [1, version] {
                kinds.insert(KindId(kind));
            }
            ShareMode::Kinds(kinds)
        }
    };
    SharePolicy { version, mode }
}

/// A call of an app's in one tab.
pub struct Call<'a> {
    pub tab: &'a mut Tab,
    pub database: &'a mut Database,
    pub random: &'a mut Random,
    pub now: u64,
    /// How many users and communities there are: in a small world things meet more often.
    pub reach: (usize, usize),
    /// What is told of it when a history is replayed.
    pub told: &'a mut String,
}

impl Call<'_> {
    pub fn user(&mut self) -> UserId {
        let user = USERS[self.random.index(self.reach.0)];
        self.name(user.0);
        user
    }

    pub fn community(&mut self) -> CommunityId {
        let community = COMMUNITIES[self.random.index(self.reach.1)];
        self.name(community.0);
        community
    }

    pub fn item(&mut self) -> ItemId {
        let item = self.random.pick(&ITEMS);
        self.name(item.0);
        item
    }

    /// An app that calls by name gives the name each time.
    pub fn name(&mut self, id: u64) {
        if let Some(name) = name(id) {
            self.tab.engine.name(id, &name).expect("one name for an id");
        }
    }

    pub fn tell(&mut self, words: std::fmt::Arguments<'_>) {
        write!(self.told, "{words}").expect("memory");
    }

    pub fn join(&mut self) -> Check {
        let pair = (self.user(), self.community());
        let again = self.random.percent(50);
        let policy = self
            .random
            .percent(40)
            .then(|| policy(1 + u16::try_from(self.random.below(4)).expect("small")));
        let known = self.tab.engine.membership(pair.0, pair.1);
        if again && known.is_none() {
            // It is refused, and what stands written stays: this tab does not know yet what it closes.
            let refused = self.tab.engine.rejoin(pair.0, pair.1, policy, self.now);
            ensure!(
                refused == Err(tidegate::Error::NotFound),
                "rejoin of nothing: {refused:?}"
            );
            return Ok(());
        }
        self.recall((pair.0, Some(pair.1)))?;
        let known = self.tab.engine.membership(pair.0, pair.1);
        let joined = if again {
            self.tab.engine.rejoin(pair.0, pair.1, policy, self.now)
        } else {
            self.tab.engine.join(pair.0, pair.1, policy, self.now)
        };
        let epoch = match known {
            None => 0,
            Some(row) if row.stop_forward_at_ns.is_some() => row.epoch + 1,
            Some(row) => row.epoch,
        };
        self.tell(format_args!(
            " {} joins {} with {policy:?}: {joined:?}",
            pair.0.0, pair.1.0
        ));
        ensure!(joined == Ok(epoch), "R4: joined {joined:?}, was {known:?}");
        self.tab.closed.remove(&pair);
        self.database.must_stay_closed.remove(&pair);
        Ok(())
    }

    /// A join that has seen the leave is one after it. The tombstone stands until that is stored.
    fn recall(&mut self, leaver: Leaver) -> Check {
        for written in self.database.disk.tombstones.of(leaver) {
            self.tab.recall(leaver, written, &self.database.disk)?;
        }
        Ok(())
    }

    /// The leaves of a call have a mark of their own.
    fn mark(&mut self) {
        let mark = self.random.next() | 1;
        self.tab.engine.mark_leaves(mark);
    }

    /// A leave is written down before its call returns, even where the gate was closed before: another tab may have opened
    /// it, which this one has not seen (R3).
    fn write_down(&mut self, (user, community): Leaver) {
        let tombstone = self.tab.engine.tombstone(user, community, self.now);
        let written = Written {
            at: tombstone.at_ns,
            mark: tombstone.mark,
            again: tombstone.again,
        };
        self.database
            .disk
            .tombstones
            .write((user, community), self.tab.id, written);
    }

    pub fn leave(&mut self) -> Check {
        let (user, community) = (self.user(), self.community());
        self.mark();
        let known = self.tab.engine.membership(user, community);
        let left = self
            .tab
            .engine
            .leave(user, community, LeaveMode::StopForward, self.now);
        self.tell(format_args!(" {} leaves {}: {left:?}", user.0, community.0));
        let Some(row) = known else {
            ensure!(
                left == Err(tidegate::Error::NotFound),
                "leave of nothing: {left:?}"
            );
            return Ok(());
        };
        let left = left.map_err(|error| Failure(format!("leave: {error}")))?;
        ensure!(
            left.changed == row.stop_forward_at_ns.is_none() && left.epoch == row.epoch,
            "R3: {left:?} of {row:?}"
        );
        self.has_left(left)
    }

    /// A leave has returned: the gate is closed, and that is written down.
    fn has_left(&mut self, left: tidegate::engine::Leave) -> Check {
        let pair = (left.user, left.community);
        let row = self.tab.engine.membership(pair.0, pair.1);
        ensure!(
            row.is_some_and(
                |row| !row.contributing && row.stop_forward_at_ns == Some(left.stop_forward_at_ns)
            ),
            "R3: left, and the row is {row:?}"
        );
        self.tab.closed.insert(pair);
        if !left.changed && self.database.is_open(pair) {
            seen::note("a leave that closes what its tab has not seen open");
        }
        self.write_down((pair.0, Some(pair.1)));
        self.database.left(pair);
        Ok(())
    }

    pub fn forget(&mut self) -> Check {
        let user = self.user();
        let memberships = self.tab.engine.memberships(Some(user)).len();
        self.mark();
        let leaves = self.tab.engine.forget_user(user, self.now);
        self.tell(format_args!(" {} is forgotten", user.0));
        let leaves = leaves.map_err(|error| Failure(format!("forget: {error}")))?;
        ensure!(
            leaves.len() == memberships,
            "R18: {leaves:?} of {memberships} memberships"
        );
        for left in leaves {
            self.has_left(left)?;
        }
        let profile = self.tab.engine.profile(user, self.now);
        ensure!(
            profile.signals == 0 && profile.items.is_empty() && profile.hidden.is_empty(),
            "R18: of a forgotten user: {profile:?}"
        );
        Ok(())
    }

    pub fn leave_layer(&mut self) -> Check {
        let user = self.user();
        let before = self.tab.engine.community_layer_status(user);
        self.mark();
        let row = self
            .tab
            .engine
            .leave_community_layer(user, self.now)
            .map_err(|error| Failure(format!("leave the layer: {error}")))?;
        self.tell(format_args!(
            " {} leaves the layer at {:?}",
            user.0, row.left_at_ns
        ));
        ensure!(
            row.status == MembershipStatus::Left,
            "left the layer: {row:?}"
        );
        self.tab.layer_closed.insert(user);
        if before.status == MembershipStatus::Active {
            let at = row.left_at_ns.unwrap_or(0);
            ensure!(
                at > before.left_at_ns.unwrap_or(0),
                "R11: {row:?} after {before:?}"
            );
        }
        self.write_down((user, None));
        self.database.left_layer(user);
        Ok(())
    }

    pub fn rejoin_layer(&mut self) -> Check {
        let user = self.user();
        self.recall((user, None))?;
        let row = self
            .tab
            .engine
            .rejoin_community_layer(user)
            .map_err(|error| Failure(format!("rejoin the layer: {error}")))?;
        self.tell(format_args!(" {} comes back to the layer: {row:?}", user.0));
        ensure!(
            row.status == MembershipStatus::Active,
            "back in the layer: {row:?}"
        );
        self.tab.layer_closed.remove(&user);
        self.database.layer_must_stay_closed.remove(&user);
        Ok(())
    }

    pub fn cohorts(&mut self) -> Check {
        let user = self.user();
        let cohorts: Vec<CohortId> = COHORTS
            .into_iter()
            .filter(|_| self.random.percent(40))
            .collect();
        for cohort in &cohorts {
            self.name(cohort.0);
        }
        let before = self.tab.engine.cohorts(user);
        let changed = self.tab.engine.set_cohorts(user, &cohorts);
        self.tell(format_args!(" {} is in {cohorts:?}", user.0));
        ensure!(
            changed == Ok(before != cohorts),
            "cohorts {before:?} to {cohorts:?}: {changed:?}"
        );
        Ok(())
    }

    pub fn item_changes(&mut self) -> Check {
        let id = self.item();
        if self.random.percent(30) {
            let removed = self.tab.engine.remove_item(id);
            self.tell(format_args!(" {} is removed: {removed}", id.0));
            return Ok(());
        }
        let creator = self.random.percent(50).then(|| 601 + self.random.below(2));
        if let Some(creator) = creator {
            self.name(creator);
        }
        let item = Item {
            id,
            vector: self
                .random
                .percent(50)
                .then(|| vec![1.0, if self.random.percent(50) { 0.5 } else { -2.0 }]),
            categories: if self.random.percent(50) {
                vec!["noir".into()]
            } else {
                Vec::new()
            },
            creator,
            created_at_ms: self.random.percent(50).then_some(1.6e12),
        };
        let first = self.tab.engine.upsert_item(&item);
        let again = self.tab.engine.upsert_item(&item);
        self.tell(format_args!(" {} is upserted: {first:?}", id.0));
        ensure!(
            first.is_ok() && again == Ok(false),
            "R20: {first:?}, again {again:?}"
        );
        Ok(())
    }
}
