//! Short words for what the tests do over and over.

use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{
    CommunityId, ItemId, KindId, Outcome, SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{EventRecord, Remote};

/// 1 700 000 000 s after 1970, in nanoseconds.
pub const T0: u64 = 1_700_000_000_000_000_000;
pub const SECOND: u64 = 1_000_000_000;
pub const ADA: UserId = UserId(1);
pub const BOB: UserId = UserId(2);
pub const NOIR: CommunityId = CommunityId(7);

pub fn engine() -> Engine {
    Engine::new(&Config {
        origin: 11,
        ..Config::default()
    })
    .expect("a plain configuration")
}

pub fn kind(engine: &Engine, name: &str) -> KindId {
    engine.kind(name).expect("a default kind")
}

/// A view of the item, in the community if one is named.
pub fn view(engine: &Engine, user: UserId, item: u64, community: Option<CommunityId>) -> Signal {
    Signal {
        user,
        item: ItemId(item),
        kind: kind(engine, "view"),
        weight: None,
        at_ns: None,
        community,
        agent: None,
    }
}

/// Records a view and gives its outcome.
pub fn record(
    engine: &mut Engine,
    user: UserId,
    item: u64,
    community: Option<CommunityId>,
) -> Outcome {
    let signal = view(engine, user, item, community);
    engine.signal(&signal, T0).expect("a valid signal")
}

/// The community's counted contributions, as plain numbers.
pub fn mass(engine: &Engine, community: CommunityId) -> Vec<(u64, u64)> {
    engine
        .community_mass(community)
        .into_iter()
        .map(|(item, count)| (item.0, count))
        .collect()
}

/// A view that counted in NOIR in another database.
pub fn foreign(
    origin: u64,
    sequence: u64,
    user: UserId,
    item: u64,
    epoch: Option<u32>,
) -> EventRecord {
    let provenance = SignalProvenance {
        membership_epoch: epoch,
        scope: SignalScope::Community(NOIR),
        share_policy_version: 1,
        origin,
        sequence,
        writer_agent: None,
        hlc: 0,
    };
    let (kind, weight, at_ns) = (KindId(1), 1.0, T0);
    let event = Remote::Contribution {
        user,
        item: ItemId(item),
        kind,
        weight,
        at_ns,
        provenance,
    };
    EventRecord {
        origin,
        sequence,
        event,
    }
}
