//! What tabs make, and what may become of it until it is stored.

use crate::referee::Pair;
use tidegate::governance::{CommunityId, KindId, SignalProvenance, SignalScope, UserId};
use tidegate::log::{Event, Remote, SignalEvent};

/// An event as it was made, and what became of it.
#[derive(Debug, Clone)]
pub struct Made {
    /// With kinds numbered alike everywhere: a number may change until it is stored.
    pub event: Event,
    /// How many rows the tab had folded.
    pub position: usize,
    /// The number of its kind when it was made.
    pub kind: Option<KindId>,
    /// In the true log, whether the tab knows or not.
    pub stored: bool,
}

/// What the schema and names need is decided when a row is written; the rest is as it was made.
pub fn is_made(event: &Event) -> bool {
    !matches!(event, Event::Schema { .. } | Event::Name { .. })
}

/// Whether an event is as it was made, but for what a rebase may take from it: the right to count (R11).
pub fn is_same(made: &Event, now: &Event) -> bool {
    match (made, now) {
        (Event::Signal(made), Event::Signal(now)) => {
            let mut lowered = *made;
            lowered.provenance = now.provenance;
            let local = now.provenance.scope == SignalScope::Local;
            // One made before a leave of the layer that another page wrote down has no right in cohorts either.
            if local && now.layer.is_none() {
                lowered.layer = None;
            }
            lowered == *now
                && made.provenance.writer_agent == now.provenance.writer_agent
                && (local || made.provenance == now.provenance)
        }
        _ => made == now,
    }
}

/// The number of a signal's or a contribution's kind.
pub fn kind_of(event: &Event) -> Option<KindId> {
    match event {
        Event::Signal(signal) => Some(signal.kind),
        Event::Replayed(record) => match record.event {
            Remote::Contribution { kind, .. } => Some(kind),
            Remote::Join { .. } | Remote::Leave { .. } => None,
        },
        _ => None,
    }
}

/// The ids that an app has named when an event is made.
pub fn ids(event: &Event) -> Vec<u64> {
    let community = |community: Option<CommunityId>| community.map(|id| id.0);
    let agent = |provenance: &SignalProvenance| provenance.writer_agent.map(|id| id.0);
    match event {
        Event::UpsertItem(item) => [item.id.0].into_iter().chain(item.creator).collect(),
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
        Event::Cohorts { user, cohorts } => {
            let cohorts = cohorts.iter().map(|cohort| cohort.0);
            [user.0].into_iter().chain(cohorts).collect()
        }
        Event::Signal(signal) => [signal.user.0, signal.item.0]
            .into_iter()
            .chain(community(signal.provenance.scope.community()))
            .chain(agent(&signal.provenance))
            .collect(),
        Event::Replayed(record) => {
            let used = match &record.event {
                Remote::Contribution {
                    item, provenance, ..
                } => [item.0].into_iter().chain(agent(provenance)).collect(),
                Remote::Join { .. } | Remote::Leave { .. } => Vec::new(),
            };
            [record.event.user().0]
                .into_iter()
                .chain(community(record.event.community()))
                .chain(used)
                .collect()
        }
        Event::ReplayedLayer(row) => vec![row.user_id.0],
        _ => Vec::new(),
    }
}

pub fn is_contribution(event: &Event) -> bool {
    matches!(event, Event::Signal(signal) if signal.provenance.scope != SignalScope::Local)
}

pub fn leaves(event: &Event, pair: Pair) -> bool {
    matches!(event, Event::Leave { user, community, .. } if (*user, *community) == pair)
}

pub fn leaves_layer(event: &Event, who: UserId) -> bool {
    matches!(event, Event::LayerLeave { user, .. } if *user == who)
}

/// Whether an event may be why a contribution that was pending does not count.
pub fn may_gate(event: &Event, signal: &SignalEvent) -> bool {
    match event {
        Event::Join { user, .. }
        | Event::Leave { user, .. }
        | Event::LayerLeave { user, .. }
        | Event::LayerRejoin { user, .. } => *user == signal.user,
        Event::Replayed(record) => record.event.user() == signal.user,
        Event::ReplayedLayer(row) => row.user_id == signal.user,
        _ => false,
    }
}
