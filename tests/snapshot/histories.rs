//! Random histories of every call that changes state. Ids, times and weights come from small pools with the ends of
//! their ranges in them, so that facts meet; a call that is refused is a step like any other.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use tidegate::catalogue::{Item, name_id};
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{
    AgentId, CohortId, CommunityId, ItemId, KindId, KindSet, LeaveMode, ShareMode, SharePolicy,
    SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{EventRecord, Remote};
use tidegate::signals::Kind;

pub const ORIGIN: u64 = 77;
pub const T0: u64 = 1_700_000_000_000_000_000;
const DAY: u64 = 86_400_000_000_000;
const DIMENSIONS: usize = 3;
pub const NAMES: [&str; 4] = ["ada", "Метрополис", "a\u{0}b", "1.0"];

#[derive(Debug, Clone)]
pub enum Step {
    Signal(Signal, u64),
    Upsert(Item),
    Remove(ItemId),
    Join(UserId, CommunityId, Option<SharePolicy>, u64),
    Leave(UserId, CommunityId, u64),
    Layer(UserId, bool, u64),
    Cohorts(UserId, Vec<CohortId>),
    Forget(UserId, u64),
    Name(&'static str),
    Kind(&'static str, u64),
    Replay(EventRecord),
}

/// A database with a kind of its own.
pub fn engine() -> Engine {
    let watch = Kind {
        name: "watch".into(),
        weight: 0.5,
        half_life_ns: 12_345_678_901_234,
        seen: true,
        hide: false,
    };
    let config = Config {
        origin: ORIGIN,
        dimensions: 3,
        kinds: vec![watch],
    };
    Engine::new(&config).unwrap()
}

/// Takes the steps. What a call answers is for other tests: here only what it leaves behind counts.
pub fn take(engine: &mut Engine, steps: &[Step]) {
    for step in steps {
        let _ = match step.clone() {
            Step::Signal(signal, now) => engine.signal(&signal, now).map(drop),
            Step::Upsert(item) => engine.upsert_item(&item).map(drop),
            Step::Remove(item) => {
                engine.remove_item(item);
                Ok(())
            }
            Step::Join(user, community, policy, now) => {
                engine.join(user, community, policy, now).map(drop)
            }
            Step::Leave(user, community, now) => engine
                .leave(user, community, LeaveMode::StopForward, now)
                .map(drop),
            Step::Layer(user, true, now) => engine.leave_community_layer(user, now).map(drop),
            Step::Layer(user, false, _) => engine.rejoin_community_layer(user).map(drop),
            Step::Cohorts(user, cohorts) => engine.set_cohorts(user, &cohorts).map(drop),
            Step::Forget(user, now) => engine.forget_user(user, now).map(drop),
            Step::Name(name) => engine.name(name_id(name), name),
            Step::Kind(name, half_life_ns) => {
                let (weight, seen, hide) = (0.0, false, false);
                let kind = Kind {
                    name: name.into(),
                    weight,
                    half_life_ns,
                    seen,
                    hide,
                };
                engine.open_schema(0, &[kind]).map(drop)
            }
            Step::Replay(record) => engine.replay(&record).map(drop),
        };
    }
}

fn any_id() -> impl Strategy<Value = u64> {
    select(vec![
        0,
        1,
        2,
        3,
        1 << 53,
        u64::MAX,
        name_id(NAMES[0]),
        name_id(NAMES[1]),
    ])
}

fn any_user() -> impl Strategy<Value = UserId> {
    select(vec![1, 2, 3, u64::MAX, name_id(NAMES[0])]).prop_map(UserId)
}

pub fn any_item() -> impl Strategy<Value = ItemId> {
    any_id().prop_map(ItemId)
}

pub fn any_community() -> impl Strategy<Value = CommunityId> {
    select(vec![0, 7, u64::MAX]).prop_map(CommunityId)
}

pub fn any_kind() -> impl Strategy<Value = KindId> {
    (0..12_u16).prop_map(KindId)
}

pub fn any_weight() -> impl Strategy<Value = f64> {
    let edges = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        5e-324,
        -5e-324,
        1e6,
        -1e6,
        f64::from(i32::MAX),
    ];
    // Each of these has a form of its own in a row.
    let thousandths = (-9_999..9_999_i32).prop_map(|number| f64::from(number) / 1000.0);
    let single = (-9.0..9.0_f32).prop_map(f64::from);
    prop_oneof![select(edges.to_vec()), -9.0..9.0, thousandths, single]
}

/// On the millisecond and off it, within a day, and at the ends.
fn any_time() -> impl Strategy<Value = u64> {
    let edges = [
        0,
        1,
        631_152_000_000_000_000,
        T0,
        T0 + 1,
        u64::MAX / 2,
        u64::MAX,
    ];
    prop_oneof![
        4 => (0..86_400_u64).prop_map(|second| T0 + second * 1_000_000_000),
        2 => T0..T0 + DAY,
        1 => select(edges.to_vec()),
    ]
}

pub fn any_policy() -> impl Strategy<Value = SharePolicy> {
    let kinds = vec(any_kind(), 0..4).prop_map(|kinds| {
        let mut set = KindSet::EMPTY;
        for kind in kinds {
            set.insert(kind);
        }
        ShareMode::Kinds(set)
    });
    let mode = prop_oneof![3 => Just(ShareMode::All), 1 => Just(ShareMode::None), 1 => kinds];
    (any::<u16>(), mode).prop_map(|(version, mode)| SharePolicy { version, mode })
}

pub fn any_signal() -> impl Strategy<Value = Signal> {
    let what = (any_user(), any_item(), any_kind(), option::of(any_weight()));
    let agent = option::weighted(0.1, any_id().prop_map(AgentId));
    let rest = (option::of(any_time()), option::of(any_community()), agent);
    (what, rest).prop_map(
        |((user, item, kind, weight), (at_ns, community, agent))| Signal {
            user,
            item,
            kind,
            weight,
            at_ns,
            community,
            agent,
        },
    )
}

pub fn any_upsert() -> impl Strategy<Value = Item> {
    let part = prop_oneof![
        -1.0_f32..1.0,
        select(vec![0.0, -0.0, 1e-40, f32::MAX, f32::MIN])
    ];
    let category = select(vec!["noir", "drama", "Ω", "a"]).prop_map(String::from);
    let created = prop_oneof![
        -1e15..1e15,
        select(vec![0.0, -0.0, f64::MAX, f64::MIN, 5e-324])
    ];
    (
        any_item(),
        option::of(vec(part, DIMENSIONS)),
        vec(category, 0..4),
        option::of(any_id()),
        option::of(created),
    )
        .prop_map(|(id, vector, categories, creator, created_at_ms)| Item {
            id,
            vector,
            categories,
            creator,
            created_at_ms,
        })
}

fn any_remote() -> impl Strategy<Value = Remote> {
    let epoch = 0..3_u32;
    let member = || (any_user(), any_community(), epoch.clone(), any_time());
    let contribution = (
        any_signal(),
        any_weight(),
        any_community(),
        option::of(epoch.clone()),
        any_time(),
    );
    prop_oneof![
        4 => contribution.prop_map(|(signal, weight, community, membership_epoch, hlc)| {
            Remote::Contribution {
                user: signal.user,
                item: signal.item,
                kind: signal.kind,
                weight,
                at_ns: signal.at_ns.unwrap_or(T0),
                provenance: SignalProvenance {
                    membership_epoch,
                    scope: SignalScope::Community(community),
                    share_policy_version: 1,
                    origin: 5,
                    sequence: 0,
                    writer_agent: signal.agent,
                    hlc,
                },
            }
        }),
        2 => (member(), any_policy()).prop_map(|((user, community, epoch, at_ns), policy)| {
            Remote::Join { user, community, epoch, policy, at_ns }
        }),
        1 => member().prop_map(|(user, community, epoch, at_ns)| {
            Remote::Leave { user, community, epoch, at_ns }
        }),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    let record = (select(vec![0, 5, u64::MAX]), 1..40_u64, any_remote());
    let cohorts = vec(any_id().prop_map(CohortId), 0..3);
    prop_oneof![
        12 => (any_signal(), any_time()).prop_map(|(signal, now)| Step::Signal(signal, now)),
        3 => any_upsert().prop_map(Step::Upsert),
        1 => any_item().prop_map(Step::Remove),
        3 => (any_user(), any_community(), option::of(any_policy()), any_time())
            .prop_map(|(user, community, policy, now)| Step::Join(user, community, policy, now)),
        2 => (any_user(), any_community(), any_time())
            .prop_map(|(user, community, now)| Step::Leave(user, community, now)),
        1 => (any_user(), any::<bool>(), any_time())
            .prop_map(|(user, leave, now)| Step::Layer(user, leave, now)),
        1 => (any_user(), cohorts).prop_map(|(user, cohorts)| Step::Cohorts(user, cohorts)),
        1 => (any_user(), any_time()).prop_map(|(user, now)| Step::Forget(user, now)),
        1 => select(NAMES.to_vec()).prop_map(Step::Name),
        1 => (select(vec!["own", "other"]), 1..3_u64).prop_map(|(name, life)| Step::Kind(name, life)),
        4 => record.prop_map(|(origin, sequence, event)| {
            Step::Replay(EventRecord { origin, sequence, event })
        }),
    ]
}

pub fn any_history(steps: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Step>> {
    vec(any_step(), steps)
}
