//! One user's membership of one community.

use serde::{Deserialize, Serialize};

use super::{CommunityId, ShareMode, SharePolicy, StopForwardGate, UnknownByte, UserId};

/// Where a membership is in its life: `Joined → LeavingStopForward → Left → Rejoined → LeavingStopForward → …`.
///
/// One byte on the wire; an unknown byte is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[repr(u8)]
#[serde(try_from = "u8", into = "u8")]
pub enum MembershipState {
    /// A member in the first epoch; contributions flow.
    Joined = 0,
    /// The gate is engaged and the leave has not settled. Never seen after `leave` has returned.
    LeavingStopForward = 1,
    /// Left: contributions stay gated until a rejoin.
    Left = 2,
    /// A member again, in a later epoch.
    Rejoined = 3,
}

impl MembershipState {
    /// The state of a member in this epoch: whoever came back is `Rejoined`.
    #[must_use]
    pub const fn opened(epoch: u32) -> Self {
        if epoch == 0 {
            Self::Joined
        } else {
            Self::Rejoined
        }
    }

    /// Whether contributions flow in this state, as far as the gate lets them.
    #[must_use]
    pub const fn is_member(self) -> bool {
        matches!(self, Self::Joined | Self::Rejoined)
    }
}

impl From<MembershipState> for u8 {
    fn from(state: MembershipState) -> Self {
        state as Self
    }
}

impl TryFrom<u8> for MembershipState {
    type Error = UnknownByte;

    fn try_from(byte: u8) -> Result<Self, UnknownByte> {
        match byte {
            0 => Ok(Self::Joined),
            1 => Ok(Self::LeavingStopForward),
            2 => Ok(Self::Left),
            3 => Ok(Self::Rejoined),
            unknown => Err(UnknownByte(unknown)),
        }
    }
}

/// What a leave does with what has already counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum LeaveMode {
    /// Nothing counts from now on; what has counted stays.
    StopForward,
    /// Also takes back what has counted. Not built yet: the engine answers `Unsupported` (R3).
    Purge,
}

/// The lifecycle row of one user in one community, in the order in which it is persisted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Membership {
    /// The member.
    pub user_id: UserId,
    /// The community.
    pub community_id: CommunityId,
    /// Where the membership is in its life.
    pub state: MembershipState,
    /// The membership epoch: 0 on the first join, exactly 1 more on each rejoin (R4).
    pub epoch: u32,
    /// The version of the share policy in force.
    pub share_policy_version: u16,
    /// The kinds that the share policy in force lets through.
    pub share: ShareMode,
    /// The time of the first join, in nanoseconds since 1970. It never changes (R4).
    pub joined_at_ns: u64,
    /// When contributions were stopped; 0 while they flow.
    pub stop_forward_at_ns: StopForwardGate,
    /// The latest epoch that this database joined itself, and the only one that it contributes under; `None` for a row
    /// known from imports alone (R17).
    pub contributing_epoch: Option<u32>,
}

impl Membership {
    /// The row of a first join: epoch 0, `Joined`, gate open. Whether this database contributes is for the caller to
    /// say in [`Membership::contributing_epoch`].
    #[must_use]
    pub const fn joined(
        user_id: UserId,
        community_id: CommunityId,
        policy: SharePolicy,
        joined_at_ns: u64,
    ) -> Self {
        Self {
            user_id,
            community_id,
            state: MembershipState::Joined,
            epoch: 0,
            share_policy_version: policy.version,
            share: policy.mode,
            joined_at_ns,
            stop_forward_at_ns: StopForwardGate::new(0),
            contributing_epoch: None,
        }
    }

    /// Whether the gate is engaged. One read of one word.
    #[must_use]
    pub fn is_stop_forwarded(&self) -> bool {
        self.stop_forward_at_ns.load() != 0
    }

    /// Engages the gate at `now_ns` (nanoseconds since 1970). The first time wins: an engaged gate stays as it is. A
    /// clock that reads 0 engages it at 1, since 0 would leave it open (R3).
    ///
    /// What a registry gives away is a copy: its own row changes only inside
    /// [`MembershipRegistry::modify`](super::MembershipRegistry::modify), which remembers how it was.
    pub fn engage_stop_forward(&self, now_ns: u64) {
        // The refusal is the point: it says that an earlier leave holds.
        let _ = self
            .stop_forward_at_ns
            .compare_exchange_from_zero(now_ns.max(1));
    }

    /// Opens the gate, as a rejoin does. The state still has its say in [`Membership::is_open`].
    pub fn clear_stop_forward(&self) {
        self.stop_forward_at_ns.store(0);
    }

    /// Ends a leave under way: `LeavingStopForward` becomes `Left`; every other state stays (R3).
    pub fn settle(&mut self) {
        if self.state == MembershipState::LeavingStopForward {
            self.state = MembershipState::Left;
        }
    }

    /// Whether the user is a member now. Closed when either the gate or the state says so (R1).
    #[must_use]
    pub fn is_open(&self) -> bool {
        !self.is_stop_forwarded() && self.state.is_member()
    }

    /// Whether this database may contribute for the user: the row is open, and this database joined the current epoch
    /// itself (R17).
    #[must_use]
    pub fn is_contributing(&self) -> bool {
        self.is_open() && self.contributing_epoch == Some(self.epoch)
    }

    /// The share policy in force.
    #[must_use]
    pub const fn share_policy(&self) -> SharePolicy {
        SharePolicy {
            version: self.share_policy_version,
            mode: self.share,
        }
    }

    /// Puts another share policy in force. Nothing else changes (R4).
    pub const fn set_share_policy(&mut self, policy: SharePolicy) {
        self.share_policy_version = policy.version;
        self.share = policy.mode;
    }
}
