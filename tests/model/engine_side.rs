//! The engine behind the model's own words: the only file here that names the crate's types.

use tidegate::Error;
use tidegate::catalogue;
use tidegate::engine::{self, Config, Engine};
use tidegate::governance::{
    self, AgentId, CohortId, CommunityId, CommunityMembership, ItemId, KindId, KindSet, LeaveMode,
    MembershipState, MembershipStatus, ShareMode, SharePolicy, UserId,
};
use tidegate::query;
use tidegate::signals;
use tidegate::storage::Blocks;

use crate::history::{Op, Setting};
use crate::ranking::{Query, Scored};
use crate::reference::{
    Item, Kind, Layer, Model, Outcome, Policy, Receipt, Refused, Share, Signal, State,
};

/// What a call that may change something answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Epoch(u32),
    Receipt(Receipt),
    Receipts(Vec<Receipt>),
    Layer(Layer),
    Outcome(Outcome),
    Changed(bool),
    Refused(Refused),
}

/// A membership as it can be read from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    pub user: u64,
    pub community: u64,
    pub state: State,
    pub epoch: u32,
    pub policy_version: u16,
    pub joined_at: u64,
    pub stop_forward_at: Option<u64>,
    pub contributing: bool,
}

/// What a query answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    pub items: Vec<Scored>,
    pub row: Option<(u32, State, u16)>,
    pub epoch: Option<u32>,
    pub candidates: usize,
    pub seen: usize,
    pub hidden: usize,
}

#[derive(Clone, Debug)]
pub struct ProfilePage {
    pub signals: u64,
    pub seen: u64,
    pub hidden: Vec<u64>,
    pub items: Vec<(u64, f64)>,
    pub categories: Vec<(String, f64)>,
    pub creators: Vec<(u64, f64)>,
    pub preference: Option<Vec<f32>>,
}

pub const ORIGIN: u64 = 0xF00D;

/// An engine that takes the model's words.
pub struct Subject {
    pub engine: Engine,
    /// The engine's number of each of the model's kinds.
    kinds: Vec<KindId>,
}

fn kind_out(kind: &Kind) -> signals::Kind {
    signals::Kind {
        name: kind.name.clone(),
        weight: kind.weight,
        half_life_ns: kind.half_life_ns,
        seen: kind.seen,
        hide: kind.hide,
    }
}

fn refused(error: &Error) -> Refused {
    match error {
        Error::InvalidId(_) => Refused::Id,
        Error::InvalidTimestamp(_) => Refused::Timestamp,
        Error::InvalidWeight(_) => Refused::Weight,
        Error::InvalidArgument(_) => Refused::Argument,
        Error::UnknownKind => Refused::UnknownKind,
        Error::NotFound => Refused::NotFound,
        Error::Unsupported => Refused::Unsupported,
        other => panic!("no rule allows {other:?} here"),
    }
}

fn answer<T>(result: Result<T, Error>, as_answer: impl FnOnce(T) -> Answer) -> Answer {
    result.map_or_else(|error| Answer::Refused(refused(&error)), as_answer)
}

fn state(state: MembershipState) -> State {
    match state {
        MembershipState::Joined => State::Joined,
        MembershipState::Left => State::Left,
        MembershipState::Rejoined => State::Rejoined,
        MembershipState::LeavingStopForward => panic!("leaving settles before the call returns"),
    }
}

fn outcome(outcome: governance::Outcome) -> Outcome {
    match outcome {
        governance::Outcome::Local => Outcome::Local,
        governance::Outcome::Recorded => Outcome::Recorded,
        governance::Outcome::NotMember => Outcome::NotMember,
        governance::Outcome::Left => Outcome::Left,
        governance::Outcome::LayerLeft => Outcome::LayerLeft,
        governance::Outcome::PolicyExcluded => Outcome::PolicyExcluded,
        other => panic!("no signal of one's own is {other:?}"),
    }
}

fn receipt(leave: &engine::Leave) -> Receipt {
    Receipt {
        user: leave.user.0,
        community: leave.community.0,
        epoch: leave.epoch,
        stop_forward_at: leave.stop_forward_at_ns,
        changed: leave.changed,
    }
}

fn layer(status: &CommunityMembership) -> Layer {
    Layer {
        left: status.status == MembershipStatus::Left,
        left_at: status.left_at_ns,
    }
}

fn item_out(item: &Item) -> catalogue::Item {
    catalogue::Item {
        id: ItemId(item.id),
        vector: item.vector.clone(),
        categories: item.categories.clone(),
        creator: item.creator,
        created_at_ms: item.created_at_ms,
    }
}

impl Subject {
    /// A new database, with its first events committed.
    pub fn new(setting: &Setting, model: &Model) -> Self {
        let config = Config {
            origin: ORIGIN,
            dimensions: u32::try_from(setting.dimensions).unwrap(),
            kinds: setting.kinds.iter().map(kind_out).collect(),
        };
        let mut engine = Engine::new(&config).unwrap();
        engine.commit(engine.pending());
        Self::around(engine, model)
    }

    pub fn restore(bytes: &[u8], model: &Model) -> Self {
        Self::around(Engine::restore(bytes, None).unwrap(), model)
    }

    /// Also checks that the engine has the model's kinds, and no others.
    fn around(engine: Engine, model: &Model) -> Self {
        assert_eq!(engine.kinds().len(), model.kinds.len());
        let number = |kind: &Kind| {
            let id = engine.kind(&kind.name).unwrap();
            assert_eq!(engine.kinds()[usize::from(id.0)], kind_out(kind));
            id
        };
        let kinds = model.kinds.iter().map(number).collect();
        Self { engine, kinds }
    }

    pub fn commit_all(&mut self) {
        self.engine.commit(self.engine.pending());
    }

    fn kind(&self, kind: usize) -> KindId {
        self.kinds
            .get(kind)
            .copied()
            .unwrap_or(KindId(u16::try_from(kind).unwrap()))
    }

    fn policy(&self, policy: Option<&Policy>) -> Option<SharePolicy> {
        policy.map(|policy| SharePolicy {
            version: policy.version,
            mode: match &policy.share {
                Share::All => ShareMode::All,
                Share::None => ShareMode::None,
                Share::Only(kinds) => {
                    let mut set = KindSet::EMPTY;
                    for &kind in kinds {
                        set.insert(self.kind(kind));
                    }
                    ShareMode::Kinds(set)
                }
            },
        })
    }

    fn signal(&mut self, signal: &Signal, now: u64) -> Answer {
        let signal = engine::Signal {
            user: UserId(signal.user),
            item: ItemId(signal.item),
            kind: self.kind(signal.kind),
            weight: signal.weight,
            at_ns: signal.at,
            community: signal.community.map(CommunityId),
            agent: signal.agent.map(AgentId),
        };
        answer(self.engine.signal(&signal, now), |it| {
            Answer::Outcome(outcome(it))
        })
    }

    /// Makes a call that may change something; None for the ops that are no such call.
    pub fn call(&mut self, op: &Op) -> Option<Answer> {
        let engine = &mut self.engine;
        Some(match op {
            Op::Join {
                user,
                community,
                policy,
                now,
            } => {
                let policy = self.policy(policy.as_ref());
                answer(
                    self.engine
                        .join(UserId(*user), CommunityId(*community), policy, *now),
                    Answer::Epoch,
                )
            }
            Op::Rejoin {
                user,
                community,
                policy,
                now,
            } => {
                let policy = self.policy(policy.as_ref());
                answer(
                    self.engine
                        .rejoin(UserId(*user), CommunityId(*community), policy, *now),
                    Answer::Epoch,
                )
            }
            Op::Leave {
                user,
                community,
                purge,
                now,
            } => {
                let mode = if *purge {
                    LeaveMode::Purge
                } else {
                    LeaveMode::StopForward
                };
                let left = engine.leave(UserId(*user), CommunityId(*community), mode, *now);
                answer(left, |leave| Answer::Receipt(receipt(&leave)))
            }
            Op::LeaveLayer { user, now } => answer(
                engine.leave_community_layer(UserId(*user), *now),
                |status| Answer::Layer(layer(&status)),
            ),
            Op::RejoinLayer { user } => {
                answer(engine.rejoin_community_layer(UserId(*user)), |status| {
                    Answer::Layer(layer(&status))
                })
            }
            Op::SetCohorts { user, cohorts } => {
                let cohorts: Vec<CohortId> = cohorts.iter().copied().map(CohortId).collect();
                answer(engine.set_cohorts(UserId(*user), &cohorts), Answer::Changed)
            }
            Op::Signal { signal, now } => self.signal(signal, *now),
            Op::Upsert { item } => answer(engine.upsert_item(&item_out(item)), Answer::Changed),
            Op::Remove { item } => Answer::Changed(engine.remove_item(ItemId(*item))),
            Op::Forget { user, now } => answer(engine.forget_user(UserId(*user), *now), |leaves| {
                Answer::Receipts(leaves.iter().map(receipt).collect())
            }),
            _ => return None,
        })
    }

    /// The (key, value) blocks of the snapshot that are local.
    pub fn local_blocks(&mut self) -> Vec<(Vec<u8>, Vec<u8>)> {
        let bytes = self.engine.snapshot();
        let blocks = Blocks::parse(&bytes).unwrap();
        let local = blocks.iter().filter(|(key, _)| key.tag.is_local());
        local
            .map(|(key, value)| (key.to_bytes(), value.to_vec()))
            .collect()
    }

    pub fn memberships(&self, user: Option<u64>) -> Vec<View> {
        self.engine
            .memberships(user.map(UserId))
            .iter()
            .map(view)
            .collect()
    }

    pub fn membership(&self, user: u64, community: u64) -> Option<View> {
        self.engine
            .membership(UserId(user), CommunityId(community))
            .as_ref()
            .map(view)
    }

    pub fn epoch(&self, user: u64, community: u64) -> Option<u32> {
        self.engine
            .membership_epoch(UserId(user), CommunityId(community))
    }

    pub fn layer(&self, user: u64) -> Layer {
        layer(&self.engine.community_layer_status(UserId(user)))
    }

    pub fn cohorts(&self, user: u64) -> Vec<u64> {
        self.engine
            .cohorts(UserId(user))
            .iter()
            .map(|id| id.0)
            .collect()
    }

    pub fn mass(&self, community: u64) -> Vec<(u64, u64)> {
        self.engine
            .community_mass(CommunityId(community))
            .iter()
            .map(|(id, count)| (id.0, *count))
            .collect()
    }

    pub fn query(&mut self, query: &Query) -> Page {
        let ids = |ids: &[u64]| ids.iter().copied().map(ItemId).collect::<Vec<_>>();
        let result = self.engine.query(&query::Query {
            user: UserId(query.user),
            community: query.community.map(CommunityId),
            cohort: query.cohort.map(CohortId),
            candidates: query.candidates.as_deref().map(ids),
            exclude: ids(&query.exclude),
            include_seen: query.include_seen,
            limit: query.limit,
            offset: query.offset,
            at_ns: query.at,
            diversity: query.diversity,
        });
        let meta = &result.policy_metadata;
        let row = match (
            meta.membership_epoch,
            meta.membership_state,
            meta.share_policy_version,
        ) {
            (Some(epoch), Some(its_state), Some(version)) => {
                Some((epoch, state(its_state), version))
            }
            (None, None, None) => None,
            mixed => panic!("metadata is given in full or not at all: {mixed:?}"),
        };
        let scored = |ranked: &query::Ranked| Scored {
            id: ranked.id.0,
            score: ranked.score,
            local: ranked.local,
            community: ranked.community,
            cohort: ranked.cohort,
        };
        Page {
            items: result.items.iter().map(scored).collect(),
            row,
            epoch: result.stats.membership_epoch,
            candidates: result.stats.candidates,
            seen: result.stats.seen,
            hidden: result.stats.hidden,
        }
    }

    pub fn profile(&mut self, user: u64, at: u64) -> ProfilePage {
        let profile = self.engine.profile(UserId(user), at);
        ProfilePage {
            signals: profile.signals,
            seen: u64::try_from(profile.seen).unwrap(),
            hidden: profile.hidden.iter().map(|id| id.0).collect(),
            items: profile
                .items
                .iter()
                .map(|(id, score)| (id.0, *score))
                .collect(),
            categories: profile.categories.clone(),
            creators: profile.creators.clone(),
            preference: profile.preference.clone(),
        }
    }
}

fn view(row: &engine::MembershipView) -> View {
    View {
        user: row.user.0,
        community: row.community.0,
        state: state(row.state),
        epoch: row.epoch,
        policy_version: row.share_policy_version,
        joined_at: row.joined_at_ns,
        stop_forward_at: row.stop_forward_at_ns,
        contributing: row.contributing,
    }
}
