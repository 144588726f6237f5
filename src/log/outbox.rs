//! The outbox: community events of this database that wait to be carried to other devices (R12). Part of the fold.

use super::Remote;
use crate::governance::{CommunityId, UserId};
use crate::journaled::JournaledMap;
use std::collections::BTreeMap;

/// A community's stream and a number in it.
type Place = (CommunityId, u64);

#[derive(Debug, Clone, Default)]
pub(crate) struct Outbox {
    enabled: bool,
    enabled_before: bool,
    waiting: BTreeMap<Place, Remote>,
    /// Numbers up to which the host has delivered everything.
    acknowledged: JournaledMap<CommunityId, u64>,
    /// What stood at a place before, newest change last.
    undo: Vec<(Place, Option<Remote>)>,
}

impl Outbox {
    pub(crate) fn is_enabled(&self) -> bool {
        self.enabled
    }

    /// From now on events are kept, or no longer; then nothing waits any more either.
    pub(crate) fn enable(&mut self, enabled: bool) {
        self.enabled = enabled;
        if !enabled {
            self.drop_where(None, |_| true);
        }
    }

    /// Keeps an event until it is acknowledged.
    pub(crate) fn keep(&mut self, community: CommunityId, number: u64, event: Remote) {
        if self.enabled {
            let place = (community, number);
            let before = self.waiting.insert(place, event);
            self.undo.push((place, before));
        }
    }

    /// What waits of a leaver in a community goes: after this only the leave itself is exported.
    pub(crate) fn drop_member(&mut self, user: UserId, community: CommunityId) {
        self.drop_where(Some(community), |event| event.user() == user);
    }

    /// The waiting contributions of a user who has left the community layer go; transitions stay.
    pub(crate) fn drop_contributions(&mut self, user: UserId) {
        self.drop_where(None, |event| {
            matches!(event, Remote::Contribution { .. }) && event.user() == user
        });
    }

    fn drop_where(&mut self, community: Option<CommunityId>, goes: impl Fn(&Remote) -> bool) {
        let (first, last) = community
            .map_or((CommunityId(0), CommunityId(u64::MAX)), |community| {
                (community, community)
            });
        let gone: Vec<Place> = self
            .waiting
            .range((first, 0)..=(last, u64::MAX))
            .filter(|(_, event)| goes(event))
            .map(|(place, _)| *place)
            .collect();
        for place in gone {
            self.remove(place);
        }
    }

    fn remove(&mut self, place: Place) {
        if let Some(event) = self.waiting.remove(&place) {
            self.undo.push((place, Some(event)));
        }
    }

    /// Forgets what waits and what was delivered: it is of another origin.
    pub(crate) fn reset(&mut self) {
        self.drop_where(None, |_| true);
        let communities: Vec<_> = self
            .acknowledgements()
            .map(|(community, _)| community)
            .collect();
        for community in communities {
            self.acknowledged.remove(&community);
        }
    }

    /// Everything of a community up to this number is delivered.
    pub(crate) fn acknowledge(&mut self, community: CommunityId, number: u64) {
        if number <= self.acknowledged(community) {
            return;
        }
        self.acknowledged.insert(community, number);
        let gone: Vec<Place> = self
            .waiting
            .range((community, 0)..=(community, number))
            .map(|(place, _)| *place)
            .collect();
        for place in gone {
            self.remove(place);
        }
    }

    pub(crate) fn acknowledged(&self, community: CommunityId) -> u64 {
        self.acknowledged.get(&community).copied().unwrap_or(0)
    }

    /// A community's events with numbers from `first` to `last`, in order.
    pub(crate) fn waiting(
        &self,
        community: CommunityId,
        first: u64,
        last: u64,
    ) -> impl Iterator<Item = (u64, &Remote)> {
        let range =
            (first <= last).then(|| self.waiting.range((community, first)..=(community, last)));
        range
            .into_iter()
            .flatten()
            .map(|((_, number), event)| (*number, event))
    }

    /// Every waiting event, by community and number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CommunityId, u64, &Remote)> {
        self.waiting
            .iter()
            .map(|((community, number), event)| (*community, *number, event))
    }

    pub(crate) fn acknowledgements(&self) -> impl Iterator<Item = (CommunityId, u64)> {
        self.acknowledged
            .iter()
            .map(|(community, number)| (*community, *number))
    }

    pub(crate) fn commit(&mut self) {
        self.enabled_before = self.enabled;
        self.undo.clear();
        self.acknowledged.commit();
    }

    pub(crate) fn undo(&mut self) {
        self.enabled = self.enabled_before;
        while let Some((place, before)) = self.undo.pop() {
            match before {
                Some(event) => self.waiting.insert(place, event),
                None => self.waiting.remove(&place),
            };
        }
        self.acknowledged.undo();
    }
}
