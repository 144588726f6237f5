//! The community layer: one switch per user over all communities and cohorts. While it is `Left`, nothing of the user
//! counts in any of them; the memberships themselves stay as they are.

use crate::order;
use serde::{Deserialize, Serialize};

use super::{UnknownByte, UserId};
use crate::journaled::JournaledMap;

/// The position of a user's switch. One byte on the wire; an unknown byte is refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
#[serde(try_from = "u8", into = "u8")]
pub enum MembershipStatus {
    /// Contributions may flow; each membership decides for itself. What every user starts with.
    #[default]
    Active = 0,
    /// No contribution to any community or cohort.
    Left = 1,
}

impl From<MembershipStatus> for u8 {
    fn from(status: MembershipStatus) -> Self {
        status as Self
    }
}

impl TryFrom<u8> for MembershipStatus {
    type Error = UnknownByte;

    fn try_from(byte: u8) -> Result<Self, UnknownByte> {
        match byte {
            0 => Ok(Self::Active),
            1 => Ok(Self::Left),
            unknown => Err(UnknownByte(unknown)),
        }
    }
}

/// One user's row in the community layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct CommunityMembership {
    /// The user.
    pub user_id: UserId,
    /// The position of the switch.
    pub status: MembershipStatus,
    /// The time of the last leave, in nanoseconds since 1970, at least 1. Kept on rejoin; `None` for who never left.
    pub left_at_ns: Option<u64>,
}

impl CommunityMembership {
    /// The row of a user who never touched the switch.
    #[must_use]
    pub const fn default_active(user_id: UserId) -> Self {
        Self {
            user_id,
            status: MembershipStatus::Active,
            left_at_ns: None,
        }
    }
}

/// The stored form of a row: the status byte, then `left_at_ns` in little-endian order with 0 for none. The user is in
/// the key.
#[must_use]
pub fn serialize_membership(membership: &CommunityMembership) -> [u8; 9] {
    let mut bytes = [0; 9];
    bytes[0] = membership.status.into();
    bytes[1..].copy_from_slice(&membership.left_at_ns.unwrap_or(0).to_le_bytes());
    bytes
}

/// Reads the stored form of a row; `None` for any length but 9 and any status but 0 and 1.
#[must_use]
pub fn deserialize_membership(user_id: u64, bytes: &[u8]) -> Option<CommunityMembership> {
    let &[status, ref left_at_ns @ ..] = bytes else {
        return None;
    };
    let left_at_ns = u64::from_le_bytes(left_at_ns.try_into().ok()?);
    Some(CommunityMembership {
        user_id: UserId(user_id),
        status: status.try_into().ok()?,
        left_at_ns: (left_at_ns != 0).then_some(left_at_ns),
    })
}

/// The rows of all users who ever touched the switch, with a journal that takes back what was not committed.
#[derive(Debug, Clone, Default)]
pub struct CommunityLayer {
    rows: JournaledMap<UserId, CommunityMembership>,
}

impl CommunityLayer {
    /// A layer in which everyone is active.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether nobody ever touched the switch. All that a database without leavers pays (R1).
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The user's row; that of a user who never touched the switch is [`CommunityMembership::default_active`].
    #[must_use]
    pub fn status(&self, user: UserId) -> CommunityMembership {
        self.rows
            .get(&user)
            .copied()
            .unwrap_or(CommunityMembership::default_active(user))
    }

    /// Whether the user has left the layer: the first question of the gate and of cohort attribution (R1). O(1).
    #[must_use]
    pub fn is_left(&self, user: UserId) -> bool {
        self.rows
            .get(&user)
            .is_some_and(|row| row.status == MembershipStatus::Left)
    }

    /// Puts a user's row in place of the one there was.
    pub fn set(&mut self, row: CommunityMembership) {
        self.rows.insert(row.user_id, row);
    }

    /// All rows, by user.
    pub fn iter(&self) -> impl Iterator<Item = CommunityMembership> {
        let mut rows: Vec<_> = self.rows.iter().map(|(_, row)| *row).collect();
        order::sort_by_key(&mut rows, |row| row.user_id);
        rows.into_iter()
    }

    /// A user's row as of the last commit; none where there was none.
    #[must_use]
    pub fn committed(&self, user: UserId) -> Option<CommunityMembership> {
        self.rows.committed(&user).copied()
    }

    /// Makes every change since the last commit final.
    pub fn commit(&mut self) {
        self.rows.commit();
    }

    /// Takes back every change since the last commit.
    pub fn undo(&mut self) {
        self.rows.undo();
    }
}
