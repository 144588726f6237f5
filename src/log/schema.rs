//! What the log may hold: an event is checked against the schema as of its place, so that applying it cannot fail.

use super::Event;
use crate::catalogue::{MAX_DIMENSIONS, MAX_NAME};
use crate::governance::{KindId, MembershipState, UserId};
use crate::signals::{Kinds, valid_weight};

/// What an event may refer to, as of its place in the log.
pub(crate) struct Schema {
    kinds: Kinds,
    dimensions: u32,
}

impl Schema {
    pub(crate) fn new(kinds: &Kinds, dimensions: u32) -> Self {
        Self {
            kinds: kinds.clone(),
            dimensions,
        }
    }

    /// Takes out of a pending event what other tabs have settled since it was made; false where nothing is left of it
    /// that the log may hold.
    pub(crate) fn fit(&mut self, event: &mut Event) -> bool {
        if let Event::Schema { dimensions, kinds } = event {
            kinds.retain(|kind| self.kinds.find(&kind.name).is_none());
            if self.dimensions != 0 {
                *dimensions = 0;
            }
            if kinds.is_empty() && *dimensions == 0 {
                return false;
            }
        }
        self.admits(event)
    }

    /// Whether the event could have been made by an engine: everything that the doors check.
    pub(crate) fn admits(&mut self, event: &Event) -> bool {
        match event {
            Event::Schema { dimensions, kinds } => {
                let fits = *dimensions <= MAX_DIMENSIONS && self.kinds.new_ones(kinds).is_ok();
                if fits {
                    self.kinds.add(kinds);
                    if self.dimensions == 0 {
                        self.dimensions = *dimensions;
                    }
                }
                fits
            }
            Event::Name { name, .. } => !name.is_empty() && name.len() <= MAX_NAME,
            Event::UpsertItem(item) => {
                item.check(self.dimensions).is_ok() && *item == item.clone().canonical()
            }
            Event::Join {
                user,
                epoch,
                state,
                policy,
                ..
            } => {
                let opens = *state == MembershipState::opened(*epoch);
                let known =
                    policy.is_none_or(|policy| policy.mode.is_within(self.kinds.list().len()));
                user.0 != 0 && opens && known
            }
            Event::Leave { user, .. }
            | Event::LayerLeave { user, .. }
            | Event::LayerRejoin { user, .. }
            | Event::Forget { user } => user.0 != 0,
            Event::Cohorts { user, cohorts } => user.0 != 0 && cohorts.is_sorted_by(|a, b| a < b),
            Event::Signal(signal) => self.admits_signal(signal.user, signal.kind, signal.weight),
            Event::Replayed(record) => record.event.is_sound(self.kinds.list().len()),
            Event::ReplayedLayer(row) => row.user_id.0 != 0,
            Event::RemoveItem(_)
            | Event::Taken { .. }
            | Event::Outbox { .. }
            | Event::Acknowledged { .. } => true,
        }
    }

    fn admits_signal(&self, user: UserId, kind: KindId, weight: f64) -> bool {
        user.0 != 0 && self.kinds.get(kind).is_some() && valid_weight(weight)
    }
}
