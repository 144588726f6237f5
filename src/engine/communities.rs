//! Joining, leaving, rejoining: the life cycle of memberships (R3, R4).

use super::{Engine, check_user, clamp_now};
use crate::error::Error;
use crate::governance::{CommunityId, LeaveMode, Membership, MembershipState, SharePolicy, UserId};
use crate::log::Event;

/// What a leave came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Leave {
    /// The member.
    pub user: UserId,
    /// The community.
    pub community: CommunityId,
    /// The membership epoch that is closed.
    pub epoch: u32,
    /// Since when, in nanoseconds since 1970; the first leave's time.
    pub stop_forward_at_ns: u64,
    /// False where the user had left before.
    pub changed: bool,
}

/// A membership row as it is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MembershipView {
    /// The member.
    pub user: UserId,
    /// The community.
    pub community: CommunityId,
    /// Where the membership is in its life.
    pub state: MembershipState,
    /// The membership epoch (R4).
    pub epoch: u32,
    /// The version of the share policy in force.
    pub share_policy_version: u16,
    /// Nanoseconds since 1970, of the first join.
    pub joined_at_ns: u64,
    /// Nanoseconds since 1970; none while contributions flow.
    pub stop_forward_at_ns: Option<u64>,
    /// Whether this database's signals count in the community now (R1, R17).
    pub contributing: bool,
}

impl Engine {
    /// Joins a community under a share policy, or by default version 1 with all kinds. Returns the membership epoch:
    /// 0 at first, the current one for a member (an explicit policy then replaces the old one), the next one after a
    /// leave.
    ///
    /// # Errors
    /// `InvalidId` for user 0, `UnknownKind` for a policy with kinds that the schema does not have,
    /// `EpochExhausted` past the last epoch. Nothing has changed then.
    pub fn join(
        &mut self,
        user: UserId,
        community: CommunityId,
        policy: Option<SharePolicy>,
        now_ns: u64,
    ) -> Result<u32, Error> {
        check_user(user)?;
        self.check_policy(policy)?;
        let Some(row) = self.state.registry.get(user, community) else {
            self.transition(user, community, 0, policy, now_ns);
            return Ok(0);
        };
        let epoch = row.epoch;
        if row.is_open() {
            // A membership that only an import brought opens for this database by its own join (R17).
            let replaces = policy.is_some_and(|policy| policy != row.share_policy());
            if replaces || !row.is_contributing() {
                self.transition(user, community, epoch, policy, now_ns);
            }
            return Ok(epoch);
        }
        let next = epoch.checked_add(1).ok_or(Error::EpochExhausted)?;
        self.transition(user, community, next, policy, now_ns);
        Ok(next)
    }

    /// Rejoins a community under the next membership epoch and returns it; for a member, as [`Engine::join`].
    ///
    /// # Errors
    /// `NotFound` without a membership; otherwise as [`Engine::join`].
    pub fn rejoin(
        &mut self,
        user: UserId,
        community: CommunityId,
        policy: Option<SharePolicy>,
        now_ns: u64,
    ) -> Result<u32, Error> {
        check_user(user)?;
        if self.state.registry.get(user, community).is_none() {
            return Err(Error::NotFound);
        }
        self.join(user, community, policy, now_ns)
    }

    /// Leaves a community: when this returns the gate is closed, and no later contribution counts (R3). What already
    /// counted stays. Leaving again changes nothing and gives the first time.
    ///
    /// # Errors
    /// `InvalidId` for user 0, `NotFound` without a membership, `Unsupported` for `LeaveMode::Purge`.
    pub fn leave(
        &mut self,
        user: UserId,
        community: CommunityId,
        mode: LeaveMode,
        now_ns: u64,
    ) -> Result<Leave, Error> {
        check_user(user)?;
        let row = self
            .state
            .registry
            .get(user, community)
            .ok_or(Error::NotFound)?;
        match mode {
            LeaveMode::Purge => Err(Error::Unsupported),
            LeaveMode::StopForward => {
                let (epoch, changed) = (row.epoch, row.is_open());
                let at_ns = match row.stop_forward_at_ns.load() {
                    0 => clamp_now(now_ns),
                    first => first,
                };
                if changed || self.leaves_again((user, Some(community))) {
                    let event = Event::Leave {
                        user,
                        community,
                        epoch,
                        at_ns,
                        mark: self.mark,
                    };
                    self.record(event);
                }
                let row = self
                    .state
                    .registry
                    .get(user, community)
                    .ok_or(Error::NotFound)?;
                let stop_forward_at_ns = row.stop_forward_at_ns.load();
                Ok(Leave {
                    user,
                    community,
                    epoch,
                    stop_forward_at_ns,
                    changed,
                })
            }
        }
    }

    /// The membership row of a user in a community.
    #[must_use]
    pub fn membership(&self, user: UserId, community: CommunityId) -> Option<MembershipView> {
        self.state
            .registry
            .get(user, community)
            .map(|row| self.view(&row))
    }

    /// All membership rows, or those of one user; ascending by user, then community.
    #[must_use]
    pub fn memberships(&self, user: Option<UserId>) -> Vec<MembershipView> {
        let registry = &self.state.registry;
        let rows = user.map_or_else(|| registry.sorted(), |user| registry.of_user(user));
        rows.iter().map(|row| self.view(row)).collect()
    }

    /// The epoch of the membership row, whether it is open or not; none without a row.
    #[must_use]
    pub fn membership_epoch(&self, user: UserId, community: CommunityId) -> Option<u32> {
        self.state.registry.epoch(user, community)
    }

    fn view(&self, row: &Membership) -> MembershipView {
        let stopped = row.stop_forward_at_ns.load();
        MembershipView {
            user: row.user_id,
            community: row.community_id,
            state: row.state,
            epoch: row.epoch,
            share_policy_version: row.share_policy_version,
            joined_at_ns: row.joined_at_ns,
            stop_forward_at_ns: (stopped != 0).then_some(stopped),
            contributing: row.is_contributing() && !self.state.layer.is_left(row.user_id),
        }
    }

    fn transition(
        &mut self,
        user: UserId,
        community: CommunityId,
        epoch: u32,
        policy: Option<SharePolicy>,
        now_ns: u64,
    ) {
        self.record(Event::Join {
            user,
            community,
            epoch,
            state: MembershipState::opened(epoch),
            policy,
            at_ns: clamp_now(now_ns),
        });
    }

    fn check_policy(&self, policy: Option<SharePolicy>) -> Result<(), Error> {
        let kinds = self.state.kinds.list().len();
        let known = policy.is_none_or(|policy| policy.mode.is_within(kinds));
        known.then_some(()).ok_or(Error::UnknownKind)
    }
}
