//! The community layer: the user-wide switch over every community and cohort.

use super::{Engine, check_user, clamp_now};
use crate::error::Error;
use crate::governance::{CommunityMembership, MembershipStatus, UserId};
use crate::log::Event;

impl Engine {
    /// Leaves the layer: from now on nothing of the user counts in any community or cohort. The memberships stay.
    /// Times of leaving strictly increase, whatever the clock does (R11). Leaving again changes nothing.
    ///
    /// # Errors
    /// `InvalidId` for user 0.
    pub fn leave_community_layer(
        &mut self,
        user: UserId,
        now_ns: u64,
    ) -> Result<CommunityMembership, Error> {
        check_user(user)?;
        let row = self.state.layer.status(user);
        let active = row.status == MembershipStatus::Active;
        if active || self.leaves_again((user, None)) {
            let mark = self.mark;
            let last = row.left_at_ns.unwrap_or(0);
            let left_at_ns = if active {
                clamp_now(now_ns).max(last.saturating_add(1))
            } else {
                last
            };
            self.record(Event::LayerLeave {
                user,
                left_at_ns,
                mark,
            });
        }
        Ok(self.state.layer.status(user))
    }

    /// Comes back to the layer; the last time of leaving is kept. For a user who has not left, nothing changes.
    ///
    /// # Errors
    /// `InvalidId` for user 0.
    pub fn rejoin_community_layer(&mut self, user: UserId) -> Result<CommunityMembership, Error> {
        check_user(user)?;
        let row = self.state.layer.status(user);
        if row.status == MembershipStatus::Left {
            let left_at_ns = row.left_at_ns.unwrap_or(0);
            self.record(Event::LayerRejoin { user, left_at_ns });
        }
        Ok(self.state.layer.status(user))
    }

    /// Active, with no time, for a user who never left.
    #[must_use]
    pub fn community_layer_status(&self, user: UserId) -> CommunityMembership {
        self.state.layer.status(user)
    }
}
