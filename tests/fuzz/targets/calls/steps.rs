//! The calls of one engine.

use super::bytes::Bytes;
use super::consent::Said;
use super::exchange;
use super::world::World;
use crate::targets::sound::{self, NOW};
use tidegate::Error;
use tidegate::catalogue::{Item, name_id};
use tidegate::engine::{Signal, Tombstone};
use tidegate::governance::{
    AgentId, CohortId, ItemId, KindId, KindSet, LeaveMode, MembershipStatus, Outcome, ShareMode,
    SharePolicy, UserId,
};
use tidegate::query::Query;
use tidegate::signals::Kind;

/// The first ones more often, so that calls meet.
pub const USERS: [UserId; 8] = [
    UserId(1),
    UserId(1),
    UserId(1),
    UserId(2),
    UserId(2),
    UserId(3),
    UserId(u64::MAX),
    UserId(0),
];
const ITEMS: [ItemId; 5] = [ItemId(0), ItemId(1), ItemId(2), ItemId(3), ItemId(u64::MAX)];
const COHORTS: [CohortId; 3] = [CohortId(0), CohortId(1), CohortId(2)];
const NAMES: [&str; 3] = ["ada", "Метрополис", ""];
const WEIGHTS: [f64; 8] = [1.0, -1.0, 0.5, 0.0, 1e6, -1e6, 1e7, f64::NAN];
const SECOND: u64 = 1_000_000_000;
const MODES: [LeaveMode; 4] = [
    LeaveMode::StopForward,
    LeaveMode::StopForward,
    LeaveMode::StopForward,
    LeaveMode::Purge,
];

pub fn say(world: &mut World, tab: usize, choice: u8, bytes: &mut Bytes) -> Result<(), Error> {
    match choice {
        0..=5 => signal(world, tab, bytes),
        6 => batch(world, tab, bytes),
        7..=9 => join(world, tab, bytes),
        10 | 11 => leave(world, tab, bytes),
        12 | 13 => layer(world, tab, bytes),
        14 => forget(world, tab, bytes),
        15 => {
            honour(world, tab, bytes);
            Ok(())
        }
        16 => items(world, tab, bytes),
        17 => {
            let (name, user) = (bytes.pick(&NAMES), bytes.pick(&USERS));
            let id = if bytes.bool() { name_id(name) } else { user.0 };
            world.tabs[tab].engine.name(id, name)
        }
        18 => {
            let kind = Kind {
                name: bytes.pick(&["own", "other", "like", ""]).into(),
                weight: bytes.pick(&WEIGHTS),
                half_life_ns: bytes.pick(&[1 << 40, 1, 0]),
                seen: bytes.bool(),
                hide: bytes.bool(),
            };
            let dimensions = bytes.pick(&[0, 2, 3, 5000]);
            let opened = world.tabs[tab].engine.open_schema(dimensions, &[kind]);
            opened.map(drop)
        }
        19 => {
            tick(world, bytes);
            Ok(())
        }
        _ => {
            read(world, tab, bytes);
            Ok(())
        }
    }
}

/// Calls an engine; what it said is kept where that took effect.
fn said<T>(
    world: &mut World,
    tab: usize,
    call: impl FnOnce(&mut tidegate::engine::Engine, u64) -> Result<T, Error>,
    say: impl FnOnce(T) -> Vec<Said>,
) -> Result<(), Error> {
    let now = world.now;
    let tab = &mut world.tabs[tab];
    let pending = tab.engine.pending();
    let answer = call(&mut tab.engine, now)?;
    if tab.engine.pending() > pending {
        tab.pending.extend(say(answer));
    }
    Ok(())
}

fn any_signal(bytes: &mut Bytes, now: u64) -> Signal {
    Signal {
        user: bytes.pick(&USERS),
        item: bytes.pick(&ITEMS),
        kind: KindId(bytes.pick(&[0, 1, 3, 6, 8, 9, 10])),
        weight: bytes.maybe(&WEIGHTS),
        at_ns: bytes.maybe(&[now - SECOND, now, NOW, NOW + 1, now + 3_600 * SECOND, 0]),
        community: (!bytes.bool()).then(|| bytes.community()),
        agent: bytes.maybe(&[AgentId(1), AgentId(name_id(NAMES[0]))]),
    }
}

pub fn signal(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let now = world.now;
    let signal = any_signal(bytes, now);
    let consent = world.consent(tab);
    let tab = &mut world.tabs[tab];
    let learned = tab.engine.profile(signal.user, now).signals;
    let outcome = tab.engine.signal(&signal, now)?;
    // Local first, whatever the gate says (R2).
    let profile = tab.engine.profile(signal.user, now);
    assert_eq!(profile.signals, learned + 1, "the profile did not learn");
    let counted = outcome == Outcome::Recorded;
    if let Some(community) = signal.community.filter(|_| counted) {
        let pair = (signal.user, community);
        assert!(consent.is_open(pair), "{pair:?} counts after leaving");
        let epoch = tab.engine.membership_epoch(signal.user, community);
        let layer = tab.engine.community_layer_status(signal.user).left_at_ns;
        let said = Said::Counted(pair, epoch.unwrap_or(0), layer.unwrap_or(0));
        tab.pending.push(said);
    }
    Ok(())
}

/// A batch is its signals, one by one, or none of them.
fn batch(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let now = world.now;
    let signals: Vec<Signal> = (0..3).map(|_| any_signal(bytes, now)).collect();
    let mut single = world.tabs[tab].engine.clone();
    let tab = &mut world.tabs[tab];
    let recorded = tab.engine.signal_batch(signals.iter().copied(), now)?;
    let outcomes: Result<Vec<Outcome>, Error> = signals
        .iter()
        .map(|signal| single.signal(signal, now))
        .collect();
    let outcomes = outcomes?;
    let counts = |outcome: &Outcome| *outcome == Outcome::Recorded;
    assert_eq!(
        outcomes.iter().filter(|it| counts(it)).count(),
        recorded as usize
    );
    assert!(sound::state(&mut single) == sound::state(&mut tab.engine));
    for (signal, outcome) in signals.iter().zip(outcomes) {
        if let Some(community) = signal.community.filter(|_| counts(&outcome)) {
            let epoch = tab.engine.membership_epoch(signal.user, community);
            let layer = tab.engine.community_layer_status(signal.user).left_at_ns;
            let pair = (signal.user, community);
            let said = Said::Counted(pair, epoch.unwrap_or(0), layer.unwrap_or(0));
            tab.pending.push(said);
        }
    }
    Ok(())
}

fn join(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let pair = (bytes.pick(&USERS), bytes.community());
    let mut kinds = KindSet::EMPTY;
    kinds.insert(KindId(bytes.pick(&[0, 1, 9, 200])));
    let modes = [ShareMode::All, ShareMode::None, ShareMode::Kinds(kinds)];
    let policy = bytes.maybe(&modes).map(|mode| SharePolicy {
        version: bytes.byte().into(),
        mode,
    });
    let rejoin = bytes.bool();
    let known = world.tabs[tab].engine.membership(pair.0, pair.1);
    said(
        world,
        tab,
        |engine, now| {
            let epoch = if rejoin {
                engine.rejoin(pair.0, pair.1, policy, now)?
            } else {
                engine.join(pair.0, pair.1, policy, now)?
            };
            let next = known.map_or(0, |row| {
                row.epoch + u32::from(row.stop_forward_at_ns.is_some())
            });
            assert_eq!(epoch, next, "{known:?}");
            Ok(epoch)
        },
        |epoch| vec![Said::Open(pair, epoch)],
    )
}

fn leave(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let pair = (bytes.pick(&USERS), bytes.community());
    let mode = bytes.pick(&MODES);
    said(
        world,
        tab,
        |engine, now| engine.leave(pair.0, pair.1, mode, now),
        |_| vec![Said::Close(pair)],
    )?;
    let row = world.tabs[tab].engine.membership(pair.0, pair.1);
    assert!(row.is_some_and(|row| !row.contributing && row.stop_forward_at_ns.is_some()));
    exchange::assert_leavers_are_silent(world, tab);
    Ok(())
}

fn layer(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let user = bytes.pick(&USERS);
    let leaves = bytes.bool();
    said(
        world,
        tab,
        |engine, now| {
            if leaves {
                engine.leave_community_layer(user, now)
            } else {
                engine.rejoin_community_layer(user)
            }
        },
        |row| {
            let at = row.left_at_ns.unwrap_or(0);
            vec![match row.status {
                MembershipStatus::Left => Said::LayerLeft(user, at),
                MembershipStatus::Active => Said::LayerBack(user, at),
            }]
        },
    )?;
    exchange::assert_leavers_are_silent(world, tab);
    Ok(())
}

fn forget(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let user = bytes.pick(&USERS);
    said(
        world,
        tab,
        |engine, now| engine.forget_user(user, now),
        |leaves| {
            let leaves = leaves.into_iter().filter(|leave| leave.changed);
            leaves
                .map(|leave| Said::Close((leave.user, leave.community)))
                .collect()
        },
    )?;
    let profile = world.tabs[tab].engine.profile(user, world.now);
    assert!(profile.signals == 0 && profile.items.is_empty() && profile.hidden.is_empty());
    Ok(())
}

/// Another page left behind that the user has left: nothing of theirs that is pending counts any more (R10).
fn honour(world: &mut World, tab: usize, bytes: &mut Bytes) {
    let pair = (bytes.pick(&USERS), bytes.community());
    let of_layer = bytes.bool();
    let now = world.now;
    let tab = &mut world.tabs[tab];
    let tombstone = Tombstone {
        user: pair.0,
        community: (!of_layer).then_some(pair.1),
        at_ns: now,
        mark: 0,
        again: false,
    };
    if tab.engine.honour(&tombstone, 0) {
        tab.pending.retain(|said| {
            !matches!(said, Said::Counted(of, ..) if of.0 == pair.0 && (of_layer || *of == pair))
        });
        tab.pending.push(if of_layer {
            Said::LayerLeft(pair.0, now)
        } else {
            Said::Close(pair)
        });
    }
}

fn items(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let engine = &mut world.tabs[tab].engine;
    let (id, user) = (bytes.pick(&ITEMS), bytes.pick(&USERS));
    match bytes.byte() % 4 {
        0 => {
            engine.remove_item(id);
            Ok(())
        }
        1 => {
            let cohorts = [bytes.pick(&COHORTS), bytes.pick(&COHORTS)];
            engine
                .set_cohorts(user, &cohorts[..bytes.below(3)])
                .map(drop)
        }
        _ => {
            let part = bytes.pick(&[0.0, 1.0, -0.5, f32::MAX, f32::NAN]);
            let category = bytes.pick(&["noir", "drama", ""]);
            let item = Item {
                id,
                vector: bytes.bool().then(|| vec![part, 1.0]),
                categories: vec![category.into(); bytes.below(3)],
                creator: bytes.maybe(&[0, 1, name_id(NAMES[0])]),
                created_at_ms: bytes.maybe(&[0.0, -0.0, 1.7e12, f64::INFINITY]),
            };
            engine.upsert_item(&item)?;
            assert_eq!(engine.upsert_item(&item), Ok(false));
            Ok(())
        }
    }
}

fn tick(world: &mut World, bytes: &mut Bytes) {
    let step = bytes.pick(&[1, SECOND, 3_600 * SECOND]);
    world.now = if bytes.bool() {
        world.now + step
    } else {
        world.now - step
    };
}

fn read(world: &mut World, tab: usize, bytes: &mut Bytes) {
    let now = world.now;
    let (user, community) = (bytes.pick(&USERS), bytes.community());
    let engine = &mut world.tabs[tab].engine;
    let before = sound::state(engine);
    sound::assert_finite(engine, user, community);
    let query = Query {
        community: Some(community),
        candidates: bytes.bool().then(|| ITEMS.to_vec()),
        exclude: vec![bytes.pick(&ITEMS)],
        include_seen: bytes.bool(),
        limit: bytes.below(7),
        offset: bytes.below(3),
        ..Query::new(user, now)
    };
    assert!(engine.query(&query).items.len() <= query.limit);
    assert!(sound::state(engine) == before, "reading changed something");
}
