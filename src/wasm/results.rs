//! What goes out: plain objects with the names of the TypeScript API. Ids are strings, with names given back (R16).

use super::{Answer, milliseconds};
use crate::engine::{Engine, MembershipView};
use crate::error::Error;
use crate::governance::{CommunityMembership, MembershipState, MembershipStatus};
use serde::Serialize;
use wasm_bindgen::JsValue;

/// The number of an error; `js/errors.ts` has the same list.
pub(super) fn code(error: Error) -> u8 {
    match error {
        Error::InvalidId(_) => 1,
        Error::InvalidTimestamp(_) => 2,
        Error::InvalidWeight(_) => 3,
        Error::InvalidArgument(_) => 4,
        Error::UnknownKind => 5,
        Error::NotFound => 6,
        Error::Unsupported => 7,
        Error::EpochExhausted => 8,
        Error::SchemaMismatch => 9,
        Error::CorruptSnapshot => 10,
        Error::CorruptEvents => 11,
        Error::UnsupportedVersion => 12,
        Error::SequenceGap => 13,
    }
}

/// Plain objects and arrays, null for what is absent.
pub(super) fn write<T: Serialize>(value: &T) -> Answer<JsValue> {
    value
        .serialize(&serde_wasm_bindgen::Serializer::json_compatible())
        .map_err(JsValue::from)
}

/// An id as JavaScript sees it: its name, or the decimal number.
pub(super) fn id(engine: &Engine, id: u64) -> String {
    engine
        .name_of(id)
        .map_or_else(|| id.to_string(), Into::into)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Kind {
    name: String,
    weight: f64,
    half_life_ms: f64,
    seen: bool,
    hide: bool,
}

pub(super) fn kinds(engine: &Engine) -> Answer<JsValue> {
    let kind = |kind: crate::signals::Kind| Kind {
        name: kind.name,
        weight: kind.weight,
        half_life_ms: milliseconds(kind.half_life_ns),
        seen: kind.seen,
        hide: kind.hide,
    };
    write(&engine.kinds().into_iter().map(kind).collect::<Vec<_>>())
}

fn state(state: MembershipState) -> &'static str {
    match state {
        MembershipState::Joined => "Joined",
        MembershipState::LeavingStopForward => "LeavingStopForward",
        MembershipState::Left => "Left",
        MembershipState::Rejoined => "Rejoined",
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Leave {
    user: String,
    community: String,
    epoch: u32,
    stop_forward_at: f64,
    changed: bool,
}

impl Leave {
    pub(super) fn of(engine: &Engine, leave: &crate::engine::Leave) -> Self {
        Self {
            user: id(engine, leave.user.0),
            community: id(engine, leave.community.0),
            epoch: leave.epoch,
            stop_forward_at: milliseconds(leave.stop_forward_at_ns),
            changed: leave.changed,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Membership {
    user: String,
    community: String,
    state: &'static str,
    epoch: u32,
    share_policy_version: u16,
    joined_at: f64,
    stop_forward_at: Option<f64>,
    contributing: bool,
}

impl Membership {
    pub(super) fn of(engine: &Engine, row: &MembershipView) -> Self {
        Self {
            user: id(engine, row.user.0),
            community: id(engine, row.community.0),
            state: state(row.state),
            epoch: row.epoch,
            share_policy_version: row.share_policy_version,
            joined_at: milliseconds(row.joined_at_ns),
            stop_forward_at: row.stop_forward_at_ns.map(milliseconds),
            contributing: row.contributing,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Layer {
    user: String,
    status: &'static str,
    left_at: Option<f64>,
}

impl Layer {
    pub(super) fn of(engine: &Engine, row: &CommunityMembership) -> Self {
        Self {
            user: id(engine, row.user_id.0),
            status: match row.status {
                MembershipStatus::Active => "Active",
                MembershipStatus::Left => "Left",
            },
            left_at: row.left_at_ns.map(milliseconds),
        }
    }
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub(super) enum Change {
    Membership { membership: Membership },
    Layer { status: Layer },
}

impl Change {
    /// None where there is no row any more.
    pub(super) fn of(engine: &Engine, change: &crate::engine::Change) -> Option<Self> {
        match change {
            crate::engine::Change::Membership(user, community) => engine
                .membership(*user, *community)
                .map(|row| Self::Membership {
                    membership: Membership::of(engine, &row),
                }),
            crate::engine::Change::Layer(user) => {
                let status = Layer::of(engine, &engine.community_layer_status(*user));
                Some(Self::Layer { status })
            }
        }
    }
}

#[derive(Serialize)]
struct Ranked {
    id: String,
    score: f64,
    local: f64,
    community: f64,
    cohort: f64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PolicyMetadata {
    membership_epoch: Option<u32>,
    membership_state: Option<&'static str>,
    share_policy_version: Option<u16>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QueryStats {
    membership_epoch: Option<u32>,
    candidates: usize,
    seen: usize,
    hidden: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct QueryResult {
    items: Vec<Ranked>,
    policy_metadata: PolicyMetadata,
    stats: QueryStats,
}

impl QueryResult {
    pub(super) fn of(engine: &Engine, result: &crate::query::QueryResult) -> Self {
        let ranked = |ranked: &crate::query::Ranked| Ranked {
            id: id(engine, ranked.id.0),
            score: ranked.score,
            local: ranked.local,
            community: ranked.community,
            cohort: ranked.cohort,
        };
        let (policy, stats) = (&result.policy_metadata, &result.stats);
        Self {
            items: result.items.iter().map(ranked).collect(),
            policy_metadata: PolicyMetadata {
                membership_epoch: policy.membership_epoch,
                membership_state: policy.membership_state.map(state),
                share_policy_version: policy.share_policy_version,
            },
            stats: QueryStats {
                membership_epoch: stats.membership_epoch,
                candidates: stats.candidates,
                seen: stats.seen,
                hidden: stats.hidden,
            },
        }
    }
}

#[derive(Serialize)]
struct ScoredId {
    id: String,
    score: f64,
}

#[derive(Serialize)]
struct ScoredName {
    name: String,
    score: f64,
}

/// All of a profile but the preference, which is a typed array.
#[derive(Serialize)]
pub(super) struct Profile {
    user: String,
    signals: f64,
    seen: usize,
    hidden: Vec<String>,
    items: Vec<ScoredId>,
    categories: Vec<ScoredName>,
    creators: Vec<ScoredId>,
}

impl Profile {
    pub(super) fn of(engine: &Engine, profile: &crate::query::Profile) -> Self {
        let scored = |(key, score): (u64, f64)| ScoredId {
            id: id(engine, key),
            score,
        };
        let named = |(name, score): &(String, f64)| ScoredName {
            name: name.clone(),
            score: *score,
        };
        #[expect(clippy::cast_precision_loss, reason = "nobody makes 2^53 signals")]
        let signals = profile.signals as f64;
        Self {
            user: id(engine, profile.user.0),
            signals,
            seen: profile.seen,
            hidden: profile
                .hidden
                .iter()
                .map(|item| id(engine, item.0))
                .collect(),
            items: profile
                .items
                .iter()
                .map(|(item, score)| scored((item.0, *score)))
                .collect(),
            categories: profile.categories.iter().map(named).collect(),
            creators: profile
                .creators
                .iter()
                .map(|creator| scored(*creator))
                .collect(),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Stats {
    users: usize,
    items: usize,
    memberships: usize,
    contributions_recorded: f64,
    contributions_gated: f64,
}

impl Stats {
    #[expect(clippy::cast_precision_loss, reason = "nobody makes 2^53 signals")]
    pub(super) fn of(engine: &Engine) -> Self {
        let contributed = engine.contributed();
        Self {
            users: engine.user_count(),
            items: engine.item_count(),
            memberships: engine.membership_count(),
            contributions_recorded: contributed.recorded as f64,
            contributions_gated: contributed.gated as f64,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImportReport {
    applied: f64,
    duplicate: f64,
    stale_epoch: f64,
    future_epoch: f64,
    gated: f64,
    not_member: f64,
}

impl ImportReport {
    #[expect(
        clippy::cast_precision_loss,
        reason = "an import holds far fewer than 2^53 events"
    )]
    pub(super) fn of(report: &crate::engine::ImportReport) -> Self {
        Self {
            applied: report.applied as f64,
            duplicate: report.duplicate as f64,
            stale_epoch: report.stale_epoch as f64,
            future_epoch: report.future_epoch as f64,
            gated: report.gated as f64,
            not_member: report.not_member as f64,
        }
    }
}
