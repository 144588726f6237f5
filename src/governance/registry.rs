//! All memberships: the source of truth that the gate reads.

use crate::order;
use std::fmt;

use hashbrown::{HashMap, HashTable};

use super::row::{GateRow, Terms, apart, together};
use super::{CommunityId, Membership, UserId};
use crate::journaled::{BuildIdHasher, pair_hash};

/// The membership rows by user and community, with a journal that takes back what was not committed.
///
/// It owns its rows: what it gives away are copies, so that no gate moves but through it.
#[derive(Debug, Clone, Default)]
pub struct MembershipRegistry {
    /// By user and community, which are in the row: one place to read for the gate, and no copy of the key beside it.
    gates: HashTable<GateRow>,
    /// What the gate does not read, of the same rows.
    terms: HashMap<Key, Terms, BuildIdHasher>,
    /// What each changed row was before, in the order of the changes; none where there was no row.
    before: Vec<(Key, Option<Membership>)>,
}

type Key = (UserId, CommunityId);

/// The bytes are not a checkpoint that [`MembershipRegistry::to_checkpoint_bytes`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MalformedCheckpoint;

impl fmt::Display for MalformedCheckpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("malformed membership checkpoint")
    }
}

impl std::error::Error for MalformedCheckpoint {}

impl MembershipRegistry {
    /// A registry without rows: closed for everyone.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is no membership at all. All that a database without communities pays (R1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// The number of memberships, left ones included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// What the gate reads of a membership; one hash look-up, no allocation.
    #[inline]
    pub(crate) fn gate(&self, user: UserId, community: CommunityId) -> Option<&GateRow> {
        let key = (user, community);
        self.gates.find(hash(key), |row| self::key(row) == key)
    }

    /// The row of a membership; no allocation.
    #[must_use]
    pub fn get(&self, user: UserId, community: CommunityId) -> Option<Membership> {
        self.whole(self.gate(user, community)?)
    }

    fn whole(&self, gate: &GateRow) -> Option<Membership> {
        self.terms
            .get(&key(gate))
            .map(|terms| together(gate, terms))
    }

    /// The current membership epoch, also after a leave; `None` without a row.
    #[must_use]
    pub fn epoch(&self, user: UserId, community: CommunityId) -> Option<u32> {
        self.gate(user, community).map(|row| row.epoch)
    }

    /// Whether the membership lets no contribution through: no row, stop-forwarded, or in a state other than `Joined`
    /// and `Rejoined`. O(1).
    #[must_use]
    #[inline]
    pub fn is_contribution_gated(&self, user: UserId, community: CommunityId) -> bool {
        !self.gate(user, community).is_some_and(GateRow::is_open)
    }

    /// All rows, in an order that nothing visible may depend on (R13).
    pub fn iter(&self) -> impl Iterator<Item = Membership> {
        self.gates.iter().filter_map(|gate| self.whole(gate))
    }

    /// The rows of one user, by community. Reads every row: for lists and for forgetting, not for the gate.
    #[must_use]
    pub fn of_user(&self, user: UserId) -> Vec<Membership> {
        let rows = self.gates.iter().filter(|gate| gate.user_id == user);
        let mut rows: Vec<_> = rows.filter_map(|gate| self.whole(gate)).collect();
        order::sort_by_key(&mut rows, |row| row.community_id);
        rows
    }

    /// All rows, by user and community.
    #[must_use]
    pub fn sorted(&self) -> Vec<Membership> {
        let rows: Vec<_> = self.iter().collect();
        let places = order::places(
            rows.iter()
                .map(|row| (row.user_id.0, row.community_id.0, 0, 0)),
        );
        places.iter().map(|place| rows[*place].clone()).collect()
    }

    /// Adds a row, or replaces the one of the same user and community. A leave under way settles, so that whatever was
    /// read from bytes is settled once it is in here (R3).
    pub fn insert(&mut self, mut row: Membership) {
        row.settle();
        let key = (row.user_id, row.community_id);
        self.before.push((key, self.get(key.0, key.1)));
        self.put(row);
    }

    /// Puts a row in place of the one of the same user and community.
    fn put(&mut self, row: Membership) {
        let (gate, terms) = apart(row);
        let key = key(&gate);
        self.terms.insert(key, terms);
        let same = |other: &GateRow| self::key(other) == key;
        if let Some(place) = self.gates.find_mut(hash(key), same) {
            *place = gate;
        } else {
            self.gates
                .insert_unique(hash(key), gate, |gate| hash(self::key(gate)));
        }
    }

    /// Changes a row and gives back what `change` answers; `None`, with nothing changed, without a row. Whose row it is
    /// stays as it is.
    pub fn modify<R>(
        &mut self,
        user: UserId,
        community: CommunityId,
        change: impl FnOnce(&mut Membership) -> R,
    ) -> Option<R> {
        let before = self.get(user, community)?;
        let mut row = before.clone();
        let answer = change(&mut row);
        (row.user_id, row.community_id) = (user, community);
        self.before.push(((user, community), Some(before)));
        self.put(row);
        Some(answer)
    }

    /// Makes every change since the last commit final.
    pub fn commit(&mut self) {
        self.before.clear();
    }

    /// Takes back every change since the last commit.
    pub fn undo(&mut self) {
        while let Some((key, before)) = self.before.pop() {
            if let Some(row) = before {
                self.put(row);
                continue;
            }
            self.terms.remove(&key);
            if let Ok(row) = self
                .gates
                .find_entry(hash(key), |row| self::key(row) == key)
            {
                row.remove();
            }
        }
    }

    /// The rows as postcard bytes, by user and community: the same rows give the same bytes, whatever their history
    /// (R13).
    #[must_use]
    pub fn to_checkpoint_bytes(&self) -> Vec<u8> {
        // Encoding into a vector fails for no row that there can be. If it did, no bytes are a malformed checkpoint:
        // closed (R9).
        postcard::to_allocvec(&self.sorted()).unwrap_or_default()
    }

    /// Reads a checkpoint. Malformed bytes give an empty registry, in which every gate is closed (R9).
    #[must_use]
    pub fn from_checkpoint_bytes(bytes: &[u8]) -> Self {
        Self::try_from_checkpoint_bytes(bytes).unwrap_or_default()
    }

    /// Reads a checkpoint. Memory while reading stays within a small multiple of the input.
    ///
    /// # Errors
    /// [`MalformedCheckpoint`] for anything but the one encoding of rows that can be: cut or trailing bytes, an unknown
    /// state, a number that is not written in its shortest form, rows out of order or twice, the reserved user 0, an
    /// epoch that this database joined before it began.
    pub fn try_from_checkpoint_bytes(bytes: &[u8]) -> Result<Self, MalformedCheckpoint> {
        let rows: Vec<Membership> = postcard::from_bytes(bytes).map_err(|_| MalformedCheckpoint)?;
        // Written again, the rows give the bytes they came from, or the bytes were not canonical.
        let canonical = postcard::to_allocvec(&rows).is_ok_and(|written| written == bytes);
        let key = |row: &Membership| (row.user_id, row.community_id);
        let ordered = rows.is_sorted_by(|earlier, later| key(earlier) < key(later));
        let possible = rows
            .iter()
            .all(|row| row.user_id != UserId(0) && row.contributing_epoch <= Some(row.epoch));
        if !(canonical && ordered && possible) {
            return Err(MalformedCheckpoint);
        }
        let mut registry = Self::new();
        for row in rows {
            registry.insert(row);
        }
        registry.commit();
        Ok(registry)
    }
}

#[inline]
fn key(row: &GateRow) -> Key {
    (row.user_id, row.community_id)
}

#[inline]
fn hash((user, community): Key) -> u64 {
    pair_hash(user.0, community.0)
}
