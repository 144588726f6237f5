//! Forgetting a user: everything local about them, and the names that only they gave (R18).

use super::state::State;
use super::{Engine, Leave, check_user};
use crate::error::Error;
use crate::governance::{LeaveMode, UserId};
use crate::journaled::BuildIdHasher;
use crate::log::{Event, Remote};
use hashbrown::HashSet;

impl Engine {
    /// Leaves all of the user's communities, then forgets everything local about them (R18): accumulators, seen,
    /// hidden, cohorts. Membership and layer rows stay as fences, and so does what already counted.
    ///
    /// # Errors
    /// `InvalidId` for user 0.
    pub fn forget_user(&mut self, user: UserId, now_ns: u64) -> Result<Vec<Leave>, Error> {
        check_user(user)?;
        let communities: Vec<_> = self
            .memberships(Some(user))
            .iter()
            .map(|row| row.community)
            .collect();
        let leaves = communities
            .into_iter()
            .map(|community| self.leave(user, community, LeaveMode::StopForward, now_ns))
            .collect::<Result<_, _>>()?;
        let profiles = &self.state.profiles;
        if profiles
            .find(user)
            .is_some_and(|index| profiles.has_facts(index))
        {
            self.record(Event::Forget { user });
        }
        Ok(leaves)
    }
}

impl State {
    /// Cuts off the user's facts, and drops the names of ids that no fact refers to any more.
    pub(super) fn forget(&mut self, user: UserId) {
        let times = self.forgotten.get(&user).copied().unwrap_or(0);
        self.forgotten.insert(user, times.saturating_add(1));
        self.profiles.forget(user, &mut self.items);
        let referred = self.referred_ids();
        self.names.keep_only(&referred);
    }

    /// Every id that a fact refers to. The names of others are nobody's business any more once a user is forgotten.
    fn referred_ids(&self) -> HashSet<u64, BuildIdHasher> {
        let mut ids = HashSet::default();
        for (user, index) in self.profiles.users() {
            ids.insert(user.0);
            ids.extend(self.profiles.cohorts(index).iter().map(|cohort| cohort.0));
        }
        for row in self.registry.iter() {
            ids.extend([row.user_id.0, row.community_id.0]);
        }
        ids.extend(self.layer.iter().map(|row| row.user_id.0));
        ids.extend(self.cohorts.iter().map(|(cohort, _)| cohort.0));
        for (tenure, _) in self.contributions.tenures() {
            ids.extend([tenure.user.0, tenure.community.0]);
        }
        for item in 0..crate::signals::next_index(self.items.len()) {
            if self.items.is_stored(item) || self.items.is_known(item) {
                ids.insert(self.items.id(item).0);
                ids.extend(self.items.item(item).creator);
            }
        }
        for (_, _, event) in self.outbox.iter() {
            if let Remote::Contribution { provenance, .. } = event {
                ids.extend(provenance.writer_agent.map(|agent| agent.0));
            }
        }
        ids
    }
}
