//! Which cohorts a user's signals are attributed to.

use super::{Engine, check_user};
use crate::error::Error;
use crate::governance::{CohortId, UserId};
use crate::log::Event;
use crate::order;

impl Engine {
    /// Puts the user into exactly these cohorts. True where that changed something.
    ///
    /// # Errors
    /// `InvalidId` for user 0.
    pub fn set_cohorts(&mut self, user: UserId, cohorts: &[CohortId]) -> Result<bool, Error> {
        check_user(user)?;
        let mut cohorts = cohorts.to_vec();
        order::sort(&mut cohorts);
        cohorts.dedup();
        let changed = cohorts != self.cohorts(user);
        if changed {
            self.record(Event::Cohorts {
                user,
                cohorts: cohorts.into(),
            });
        }
        Ok(changed)
    }

    /// The user's cohorts, ascending.
    #[must_use]
    pub fn cohorts(&self, user: UserId) -> Vec<CohortId> {
        let profiles = &self.state.profiles;
        profiles
            .find(user)
            .map(|user| profiles.cohorts(user).to_vec())
            .unwrap_or_default()
    }
}
