//! The rules once more, as plain lists: what a log means, said as naively as can be. It shares nothing with the engine
//! but the words of the log, and knows no pending events, journals, indices or totals.

mod facts;
mod imports;
mod turns;

use std::collections::BTreeMap;
use tidegate::governance::{
    CohortId, CommunityId, ItemId, KindId, MembershipState, Outcome, ShareMode, SharePolicy,
    SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{Event, Remote, SignalEvent};
use tidegate::replication::Stream;
use tidegate::signals::Kind;

/// A user in a community.
pub type Pair = (UserId, CommunityId);

#[derive(Debug, Clone)]
pub struct Member {
    pub state: MembershipState,
    pub epoch: u32,
    /// 0 while open.
    pub stopped: u64,
    pub joined: u64,
    pub policy: SharePolicy,
    /// The epoch that this database joined itself (R17).
    pub own: Option<u32>,
}

impl Member {
    pub fn is_open(&self) -> bool {
        self.state != MembershipState::Left && self.stopped == 0
    }

    pub fn contributes(&self) -> bool {
        self.is_open() && self.own == Some(self.epoch)
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Layer {
    pub left: bool,
    pub at: u64,
    /// Left here, and come back to in another database from this very leave (R17).
    pub elsewhere: bool,
}

/// An item that has features.
#[derive(Debug, Clone, Copy)]
pub struct Upserted {
    pub creator: Option<u64>,
}

/// A contribution that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted {
    pub pair: Pair,
    pub epoch: u32,
    pub item: ItemId,
    pub own: bool,
    /// Its place among all events.
    pub place: usize,
}

/// An own event of a community's stream, as other databases may be told of it.
#[derive(Debug, Clone)]
pub struct Numbered {
    pub community: CommunityId,
    pub number: u64,
    pub event: Remote,
    pub place: usize,
}

/// Something that opens or closes.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    pub place: usize,
    pub user: UserId,
    /// None: the community layer.
    pub community: Option<CommunityId>,
    /// The own epoch that it opens (0 for the layer); none where it closes.
    pub opens: Option<u32>,
}

/// Of a leaver's leaves the last eight are remembered.
#[derive(Debug, Clone, Default)]
pub struct Marks(Vec<u64>);

impl Marks {
    pub fn push(&mut self, mark: u64) {
        if !self.has(mark) {
            self.0.push(mark);
            self.0.drain(..self.0.len().saturating_sub(8));
        }
    }

    pub fn has(&self, mark: u64) -> bool {
        self.0.contains(&mark)
    }
}

#[derive(Debug, Clone, Default)]
pub struct Referee {
    pub origin: u64,
    pub kinds: Vec<Kind>,
    pub names: BTreeMap<u64, String>,
    pub members: BTreeMap<Pair, Member>,
    pub layer: BTreeMap<UserId, Layer>,
    /// The marks of leaves; no community for the layer.
    pub left: BTreeMap<(UserId, Option<CommunityId>), Marks>,
    pub cohorts: BTreeMap<UserId, Vec<CohortId>>,
    /// User, item, seen, hidden: the local facts.
    pub local: Vec<(UserId, ItemId, bool, bool)>,
    pub counted: Vec<Counted>,
    pub attributed: Vec<(CohortId, ItemId)>,
    /// None where it was removed.
    pub items: BTreeMap<ItemId, Option<Upserted>>,
    pub outbox: bool,
    pub waiting: Vec<Numbered>,
    pub acknowledged: BTreeMap<CommunityId, u64>,
    pub marks: BTreeMap<(u64, Stream), u64>,
    pub own: Vec<Numbered>,
    pub turns: Vec<Turn>,
    /// How many events there were.
    pub place: usize,
}

impl Referee {
    pub fn mark(&self, origin: u64, stream: Stream) -> u64 {
        self.marks.get(&(origin, stream)).copied().unwrap_or(0)
    }

    pub fn layer(&self, user: UserId) -> Layer {
        self.layer.get(&user).copied().unwrap_or_default()
    }

    pub fn apply(&mut self, event: &Event) -> Outcome {
        self.place += 1;
        match event {
            Event::Schema { kinds, .. } => {
                for kind in kinds {
                    if self.kinds.iter().all(|known| known.name != kind.name) {
                        self.kinds.push(kind.clone());
                    }
                }
            }
            Event::Name { id, name } => {
                self.names.entry(*id).or_insert_with(|| name.to_string());
            }
            Event::UpsertItem(item) => {
                let creator = item.creator;
                self.items.insert(item.id, Some(Upserted { creator }));
            }
            Event::RemoveItem(item) => {
                self.items.insert(*item, None);
            }
            Event::Cohorts { user, cohorts } => {
                self.cohorts.insert(*user, cohorts.to_vec());
            }
            Event::Forget { user } => {
                self.local.retain(|(owner, ..)| owner != user);
                self.cohorts.remove(user);
                let referred = self.referred();
                self.names.retain(|id, _| referred.contains(id));
            }
            Event::Signal(signal) => return self.signal(signal),
            Event::Join {
                user,
                community,
                epoch,
                state,
                policy,
                at_ns,
            } => self.join((*user, *community), (*epoch, *state), *policy, *at_ns),
            Event::Leave {
                user,
                community,
                at_ns,
                mark,
                ..
            } => {
                self.leave((*user, *community), *at_ns);
                self.left
                    .entry((*user, Some(*community)))
                    .or_default()
                    .push(*mark);
            }
            Event::LayerLeave {
                user,
                left_at_ns,
                mark,
            } => {
                self.left.entry((*user, None)).or_default().push(*mark);
                let layer = self.layer(*user);
                // Times of leaving strictly increase (R11); a leave closes in any case (R3).
                if !layer.left || *left_at_ns > layer.at {
                    self.close_layer(*user, (*left_at_ns).max(layer.at + 1));
                }
                self.next(Stream::Layer);
            }
            Event::LayerRejoin { user, left_at_ns } => {
                let layer = self.layer(*user);
                if layer.at != 0 && layer.at <= *left_at_ns {
                    let at = *left_at_ns;
                    let open = Layer {
                        at,
                        ..Layer::default()
                    };
                    self.layer.insert(*user, open);
                    self.turn(*user, None, Some(0));
                }
                self.next(Stream::Layer);
            }
            Event::Replayed(record) => return self.replayed(record),
            Event::ReplayedLayer(row) => return self.replayed_layer(row),
            Event::Taken {
                origin,
                community,
                number,
            } => self.raise((*origin, Stream::Community(*community)), *number),
            Event::Outbox { enabled } => {
                self.outbox = *enabled;
                if !enabled {
                    self.waiting.clear();
                }
            }
            Event::Acknowledged { community, number } => {
                let known = self.acknowledged.entry(*community).or_insert(0);
                *known = (*known).max(*number);
                self.waiting
                    .retain(|event| event.community != *community || event.number > *number);
            }
        }
        Outcome::Local
    }

    fn raise(&mut self, stream: (u64, Stream), number: u64) {
        let mark = self.marks.entry(stream).or_insert(0);
        *mark = (*mark).max(number);
    }

    fn next(&mut self, stream: Stream) -> u64 {
        let number = self.mark(self.origin, stream) + 1;
        self.raise((self.origin, stream), number);
        number
    }

    /// Numbers an own community event; it waits for export while the outbox is on.
    fn tell(&mut self, community: CommunityId, event: impl FnOnce(u64) -> Option<Remote>) {
        let number = self.next(Stream::Community(community));
        if let Some(event) = event(number) {
            let told = Numbered {
                community,
                number,
                event,
                place: self.place,
            };
            if self.outbox {
                self.waiting.push(told.clone());
            }
            self.own.push(told);
        }
    }

    fn signal(&mut self, signal: &SignalEvent) -> Outcome {
        let kind = self.kinds.get(usize::from(signal.kind.0));
        let (seen, hidden) = kind.map_or((false, false), |kind| (kind.seen, kind.hide));
        self.local.push((signal.user, signal.item, seen, hidden));
        let layer = self.layer(signal.user);
        let open = !layer.left && signal.layer == Some(layer.at);
        if open {
            for cohort in self.cohorts.get(&signal.user).into_iter().flatten() {
                self.attributed.push((*cohort, signal.item));
            }
        }
        let outcome = match signal.provenance.scope {
            SignalScope::Local => Outcome::Local,
            SignalScope::Community(_) if !open => Outcome::LayerLeft,
            SignalScope::Community(community) => self.count(
                (signal.user, community),
                (signal.item, signal.kind),
                signal.provenance.membership_epoch,
                true,
            ),
        };
        match signal.provenance.scope {
            SignalScope::Community(community) if outcome == Outcome::Recorded => {
                let (user, item, kind) = (signal.user, signal.item, signal.kind);
                let (weight, at_ns) = (signal.weight, signal.at_ns);
                self.tell(community, |sequence| {
                    Some(Remote::Contribution {
                        user,
                        item,
                        kind,
                        weight,
                        at_ns,
                        provenance: SignalProvenance {
                            sequence,
                            ..signal.provenance
                        },
                    })
                });
            }
            _ => {
                self.next(Stream::Local);
            }
        }
        outcome
    }

    /// The gate (R1, R6, R17), and what passes it.
    fn count(
        &mut self,
        pair: Pair,
        (item, kind): (ItemId, KindId),
        epoch: Option<u32>,
        own: bool,
    ) -> Outcome {
        let Some(member) = self.members.get(&pair) else {
            return Outcome::NotMember;
        };
        let shared = match member.policy.mode {
            ShareMode::All => true,
            ShareMode::None => false,
            ShareMode::Kinds(kinds) => kinds.contains(kind),
        };
        match epoch {
            Some(epoch) if epoch > member.epoch => Outcome::FutureEpoch,
            Some(epoch) if epoch == member.epoch => {
                if own && member.is_open() && member.own.is_none() {
                    Outcome::NotMember
                } else if !member.is_open() || (own && !member.contributes()) {
                    Outcome::Left
                } else if shared {
                    let place = self.place;
                    self.counted.push(Counted {
                        pair,
                        epoch,
                        item,
                        own,
                        place,
                    });
                    Outcome::Recorded
                } else {
                    Outcome::PolicyExcluded
                }
            }
            _ => Outcome::StaleEpoch,
        }
    }
}
