//! Items and names.

use super::Engine;
use crate::catalogue::Item;
use crate::error::Error;
use crate::governance::ItemId;
use crate::log::Event;

/// Without a store, a catalogue that comes in one call does not wait as a whole for its end: what waits is there twice.
const MOST_ITEMS: usize = 256;

impl Engine {
    /// Adds an item or replaces its features. True where that changed something; an identical upsert is no event (R20).
    ///
    /// # Errors
    /// `InvalidArgument` naming `vector`, `categories` or `createdAt`.
    pub fn upsert_item(&mut self, item: &Item) -> Result<bool, Error> {
        item.check(self.state.items.dimensions())?;
        let item = item.clone().canonical();
        let changed = self.state.items.differs(&item);
        if changed {
            if self.settles && self.pending() >= MOST_ITEMS {
                self.commit_all();
            }
            self.record(Event::UpsertItem(item));
        }
        Ok(changed)
    }

    /// Drops an item's features and leaves it out of results until the next upsert; facts about it stay (R20). False
    /// where the item is not known.
    pub fn remove_item(&mut self, item: ItemId) -> bool {
        let known = self
            .state
            .items
            .find(item)
            .is_some_and(|item| self.state.items.is_known(item));
        if known {
            self.record(Event::RemoveItem(item));
        }
        known
    }

    /// Remembers the name behind an id. It enters the log with the first event that uses the id (R16).
    ///
    /// # Errors
    /// `InvalidId` for an empty name, one longer than 1024 bytes, or where the id has another name.
    pub fn name(&mut self, id: u64, name: &str) -> Result<(), Error> {
        self.state.names.remember(id, name)
    }

    /// The name behind an id, where there is one.
    #[must_use]
    pub fn name_of(&self, id: u64) -> Option<&str> {
        self.state.names.get(id)
    }

    /// Logs the names that the log does not have of the ids that an event uses.
    #[inline]
    pub(super) fn log_names(&mut self, event: &Event) {
        if self.state.names.none_waiting() {
            return;
        }
        for id in ids(event) {
            if let Some(name) = self.state.names.to_log(id) {
                let event = Event::Name {
                    id,
                    name: name.into(),
                };
                let outcome = self.state.apply(&event);
                self.pending.push(event, outcome);
            }
        }
    }
}

/// The ids that an event uses.
fn ids(event: &Event) -> Vec<u64> {
    match event {
        Event::Schema { .. } | Event::Name { .. } | Event::Outbox { .. } => Vec::new(),
        Event::UpsertItem(item) => core::iter::once(item.id.0).chain(item.creator).collect(),
        Event::RemoveItem(item) => vec![item.0],
        Event::Join {
            user, community, ..
        }
        | Event::Leave {
            user, community, ..
        } => vec![user.0, community.0],
        Event::LayerLeave { user, .. }
        | Event::LayerRejoin { user, .. }
        | Event::Forget { user } => vec![user.0],
        Event::Cohorts { user, cohorts } => core::iter::once(user.0)
            .chain(cohorts.iter().map(|cohort| cohort.0))
            .collect(),
        Event::Signal(signal) => {
            let community = signal
                .provenance
                .scope
                .community()
                .map(|community| community.0);
            let agent = signal.provenance.writer_agent.map(|agent| agent.0);
            [signal.user.0, signal.item.0]
                .into_iter()
                .chain(community)
                .chain(agent)
                .collect()
        }
        Event::Replayed(record) => record.event.ids().collect(),
        Event::ReplayedLayer(row) => vec![row.user_id.0],
        Event::Taken { community, .. } | Event::Acknowledged { community, .. } => vec![community.0],
    }
}
