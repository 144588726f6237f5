//! What is derived from the state for queries, kept and followed while somebody asks. No part of the fold (R14).

use super::state::State;
use crate::profile::{Affinities, Centroids, Facts, LocalSignal, ProfileView};
use crate::signals::{Places, Recent};

#[derive(Debug, Clone, Default)]
pub(crate) struct Views {
    /// By dense index of the user.
    profiles: Vec<ProfileView>,
    /// The users whose views are kept.
    users: Recent<()>,
    /// Where the totals of communities are.
    totals: Recent<Places>,
    /// Where the aggregates of cohorts are.
    cohorts: Recent<Places>,
    centroids: Centroids,
    /// Counts undos: views that follow what was taken back are stale.
    undone: u64,
}

impl Views {
    /// Lets the user's view follow a signal, once there is one.
    #[inline]
    pub(super) fn follow(&mut self, signal: LocalSignal, flags: u8, items_version: u64) {
        if let Some(view) = self.profiles.get_mut(signal.user as usize) {
            view.follow(signal, flags, (items_version, self.undone));
        }
    }

    /// Drops a user's view: it is made anew when somebody asks.
    pub(super) fn forget(&mut self, user: u32) {
        if let Some(view) = self.profiles.get_mut(user as usize) {
            *view = ProfileView::default();
        }
    }

    pub(super) fn undone(&mut self) {
        self.undone += 1;
    }

    pub(super) fn profile(&self, user: u32) -> Option<&ProfileView> {
        self.profiles.get(user as usize)
    }

    pub(super) fn totals(&self, community: u32) -> Option<&Places> {
        self.totals.get(community)
    }

    pub(super) fn cohort(&self, cohort: u32) -> Option<&Places> {
        self.cohorts.get(cohort)
    }
}

impl State {
    /// What the device knows of a user as of `at`: the view is brought up to date, facts stay as they are (R14).
    pub(super) fn affinities(&mut self, user: u32, at: u64) -> Affinities {
        if let ((), Some(gone)) = self.views.users.ask(user) {
            self.views.forget(gone);
        }
        let place = user as usize;
        if self.views.profiles.len() <= place {
            self.views
                .profiles
                .resize(place + 1, ProfileView::default());
        }
        let version = (self.items.version(), self.views.undone);
        let (profiles, items, kinds) = (&self.profiles, &self.items, &self.kinds);
        let facts = Facts {
            user,
            profiles,
            items,
            kinds,
            version,
        };
        let centroids = &mut self.views.centroids;
        self.views.profiles[place].affinities(&facts, at, centroids, &mut self.decay)
    }

    /// Brings up to date where a user's rows are, and which of them are seen and hidden.
    pub(super) fn mark(&mut self, user: u32) {
        if let Some(view) = self.views.profiles.get_mut(user as usize) {
            let ledger = (&self.profiles.ledger, user);
            view.marks
                .refresh(ledger, self.items.len(), self.views.undone);
        }
    }

    /// Brings up to date where a community's totals are.
    pub(super) fn place_totals(&mut self, community: u32) {
        let (places, _) = self.views.totals.ask(community);
        let ledger = (self.contributions.total_ledger(), community);
        places.follow(ledger, self.items.len(), self.views.undone, |_| ());
    }

    /// Brings up to date where a cohort's aggregates are.
    pub(super) fn place_cohort(&mut self, cohort: u32) {
        let (places, _) = self.views.cohorts.ask(cohort);
        let ledger = (&self.cohorts.ledger, cohort);
        places.follow(ledger, self.items.len(), self.views.undone, |_| ());
    }
}
