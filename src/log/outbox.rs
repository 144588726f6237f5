//! The outbox: community events of this database that wait to be carried to other devices (R12). Part of the fold.

use super::Remote;
use crate::governance::{CommunityId, UserId};
use crate::journaled::JournaledMap;

/// A community's stream and a number in it.
type Place = (CommunityId, u64);
/// What waits of a stream, ascending by number; nothing where an event was taken out since the last commit.
type Waiting = Vec<(u64, Option<Remote>)>;

/// Events are appended, and taken out in bulk: lists serve that in a third of the code of a search tree.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outbox {
    enabled: bool,
    enabled_before: bool,
    /// Ascending by community.
    streams: Vec<(CommunityId, Waiting)>,
    /// Whether there are places with nothing.
    holes: bool,
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
            self.drop_where(None, |_, _| true);
        }
    }

    /// Keeps an event until it is acknowledged.
    pub(crate) fn keep(&mut self, community: CommunityId, number: u64, event: Remote) {
        if self.enabled {
            let place = (community, number);
            let before = self.set(place, Some(event));
            self.undo.push((place, before));
        }
    }

    /// What waits of a leaver in a community goes: after this only the leave itself is exported.
    pub(crate) fn drop_member(&mut self, user: UserId, community: CommunityId) {
        self.drop_where(Some(community), |_, event| event.user() == user);
    }

    /// The waiting contributions of a user who has left the community layer go; transitions stay.
    pub(crate) fn drop_contributions(&mut self, user: UserId) {
        self.drop_where(None, |_, event| {
            matches!(event, Remote::Contribution { .. }) && event.user() == user
        });
    }

    /// Of one community, or of all: what goes is told by its number and what it is.
    fn drop_where(&mut self, community: Option<CommunityId>, goes: impl Fn(u64, &Remote) -> bool) {
        for (here, stream) in &mut self.streams {
            if community.is_some_and(|only| only != *here) {
                continue;
            }
            for (number, slot) in stream {
                if let Some(event) = slot.take_if(|event| goes(*number, event)) {
                    self.holes = true;
                    self.undo.push(((*here, *number), Some(event)));
                }
            }
        }
    }

    /// Puts something, or nothing, at a place; what was there.
    fn set(&mut self, (community, number): Place, event: Option<Remote>) -> Option<Remote> {
        let at = self
            .streams
            .partition_point(|(known, _)| *known < community);
        if self
            .streams
            .get(at)
            .is_none_or(|(known, _)| *known != community)
        {
            self.streams.insert(at, (community, Vec::new()));
        }
        let stream = &mut self.streams[at].1;
        let at = stream.partition_point(|(known, _)| *known < number);
        let last = stream.len().saturating_sub(1);
        match stream.get_mut(at) {
            // The way back from an event that was appended.
            Some((known, _)) if *known == number && at == last && event.is_none() => {
                stream.pop().and_then(|(_, before)| before)
            }
            Some((known, slot)) if *known == number => {
                self.holes |= event.is_none();
                core::mem::replace(slot, event)
            }
            _ => {
                stream.insert(at, (number, event));
                None
            }
        }
    }

    /// Forgets what waits and what was delivered: it is of another origin.
    pub(crate) fn reset(&mut self) {
        self.drop_where(None, |_, _| true);
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
        self.drop_where(Some(community), |waiting, _| waiting <= number);
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
        let stream = self.streams.iter().find(|(here, _)| *here == community);
        let events = stream.map_or(&[][..], |(_, events)| events);
        let from = events.partition_point(|(number, _)| *number < first);
        let events = events[from..].iter();
        let events = events.take_while(move |(number, _)| *number <= last);
        events.filter_map(|(number, event)| Some((*number, event.as_ref()?)))
    }

    /// Every waiting event, by community and number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (CommunityId, u64, &Remote)> {
        self.streams.iter().flat_map(|(community, events)| {
            let events = events.iter();
            events.filter_map(|(number, event)| Some((*community, *number, event.as_ref()?)))
        })
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
        if core::mem::take(&mut self.holes) {
            for (_, stream) in &mut self.streams {
                stream.retain(|(_, event)| event.is_some());
            }
        }
    }

    pub(crate) fn undo(&mut self) {
        self.enabled = self.enabled_before;
        while let Some((place, before)) = self.undo.pop() {
            self.set(place, before);
        }
        self.acknowledged.undo();
    }
}
