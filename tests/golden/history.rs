//! One fixed history that uses everything there is: every kind of event, every tag, every state. The golden files of
//! format version 1 are what it writes, natively and on WebAssembly (R13). A change here changes the files, and the
//! files of a released version stay as they are: what a later version adds goes into a history of its own.

use tidegate::Error;
use tidegate::catalogue::{Item, name_id};
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{
    AgentId, CohortId, CommunityId, ItemId, KindId, KindSet, LeaveMode, ShareMode, SharePolicy,
    SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{EventRecord, Remote};
use tidegate::signals::{Kind, default_kinds};

/// The tab and the number of the row that the history is written as.
pub const TAB: u64 = 0xFEDC_BA98_7654_3210;
pub const ROW: u64 = 3;

const ORIGIN: u64 = 0x0123_4567_89AB_CDEF;
const OTHER: u64 = u64::MAX;
const ELSEWHERE: u64 = 77;
const T0: u64 = 1_700_000_000_000_000_000;
const MINUTE: u64 = 60_000_000_000;
const HOUR: u64 = 60 * MINUTE;

const ADA: UserId = UserId(1);
const BOB: UserId = UserId(2);
const EVE: UserId = UserId(u64::MAX);
const FAR: UserId = UserId(4);
const GONE: UserId = UserId(5);
const NOIR: CommunityId = CommunityId(0);
const WESTERN: CommunityId = CommunityId(9_007_199_254_740_993);
const SILENT: CommunityId = CommunityId(8);
const NIGHT: CohortId = CohortId(20);
const TALL: CohortId = CohortId(u64::MAX);

/// The half-lives, in days, that the default kinds had when the golden files were written.
const HALF_LIVES: [u64; 9] = [7, 7, 7, 30, 30, 30, 7, 30, 30];

/// The database before its first event.
pub fn empty() -> Result<Engine, Error> {
    let mut kinds = default_kinds();
    for (kind, days) in kinds.iter_mut().zip(HALF_LIVES) {
        kind.half_life_ns = days * 24 * HOUR;
    }
    kinds.extend([
        Kind {
            name: "watch".into(),
            weight: 2.5,
            half_life_ns: 36 * HOUR + 1,
            seen: true,
            hide: false,
        },
        Kind {
            name: "mute · 静音".into(),
            weight: -1e6,
            half_life_ns: 1,
            seen: false,
            hide: true,
        },
    ]);
    Engine::new(&Config {
        origin: ORIGIN,
        dimensions: 3,
        kinds,
    })
}

/// The database after the history, all of which is pending.
pub fn history() -> Result<Engine, Error> {
    let mut engine = empty()?;
    catalogue(&mut engine)?;
    memberships(&mut engine)?;
    signals(&mut engine)?;
    transitions(&mut engine)?;
    replays(&mut engine)?;
    Ok(engine)
}

fn catalogue(engine: &mut Engine) -> Result<(), Error> {
    let film = |id, vector: Option<[f32; 3]>, categories: &[&str]| Item {
        id: ItemId(id),
        vector: vector.map(Vec::from),
        categories: categories.iter().map(|name| (*name).into()).collect(),
        creator: None,
        created_at_ms: None,
    };
    let (metropolis, lang) = (name_id("Metropolis"), name_id("Fritz Lang"));
    engine.name(metropolis, "Metropolis")?;
    engine.name(lang, "Fritz Lang")?;
    engine.name(name_id("an unused name"), "an unused name")?;
    engine.upsert_item(&Item {
        creator: Some(lang),
        created_at_ms: Some(-1_354_320_000_000.25),
        ..film(
            metropolis,
            Some([1.5, -0.0, f32::MIN_POSITIVE / 2.0]),
            &["silent", "drama", "silent"],
        )
    })?;
    for id in 0..8_u16 {
        let part = f32::from(id) / 7.0;
        engine.upsert_item(&Item {
            creator: Some(u64::from(id % 3)),
            created_at_ms: Some(1.6e12 + f64::from(id)),
            ..film(
                id.into(),
                Some([part, 1.0 - part, -part]),
                &["drama", "noir"][..usize::from(id % 3)],
            )
        })?;
    }
    engine.upsert_item(&film(u64::MAX, None, &["noir"]))?;
    engine.upsert_item(&film(7, Some([0.0; 3]), &[]))?;
    engine.remove_item(ItemId(5));
    engine.remove_item(ItemId(6));
    engine.upsert_item(&film(6, None, &["drama"]))?;
    Ok(())
}

fn memberships(engine: &mut Engine) -> Result<(), Error> {
    engine.set_outbox(true);
    let mut kinds = KindSet::EMPTY;
    for name in ["view", "like", "watch"] {
        kinds.insert(kind(engine, name)?);
    }
    let policy = |version, mode| Some(SharePolicy { version, mode });
    engine.join(ADA, NOIR, None, T0)?;
    engine.join(ADA, WESTERN, policy(7, ShareMode::Kinds(kinds)), T0 + 1)?;
    engine.join(BOB, NOIR, policy(u16::MAX, ShareMode::All), T0 + MINUTE)?;
    engine.join(BOB, SILENT, policy(0, ShareMode::None), 0)?;
    engine.join(EVE, WESTERN, None, u64::MAX)?;
    engine.join(GONE, NOIR, None, T0)?;
    engine.set_cohorts(ADA, &[TALL, NIGHT])?;
    engine.set_cohorts(BOB, &[NIGHT])?;
    engine.set_cohorts(GONE, &[NIGHT])?;
    Ok(())
}

fn signals(engine: &mut Engine) -> Result<(), Error> {
    let agent = name_id("an assistant");
    engine.name(agent, "an assistant")?;
    let names = ["impression", "view", "like", "skip", "watch", "dislike"];
    let weights = [None, Some(0.0), Some(-2.0), Some(0.1), Some(1e6)];
    let communities = [None, Some(NOIR), Some(WESTERN), Some(SILENT)];
    // Steps that share no factor walk through all combinations; a signal in four is late, some are off the millisecond.
    for step in 0..96_u64 {
        let place = |of: usize| usize::try_from(step).map_or(0, |step| step % of);
        let late = if step.is_multiple_of(4) {
            7 * HOUR + step
        } else {
            0
        };
        let now = T0 + step * 11 * MINUTE;
        let signal = Signal {
            user: [ADA, BOB, EVE, GONE, ADA, BOB, ADA][place(7)],
            item: ItemId([0, 1, 2, u64::MAX, 5, 300, name_id("Metropolis"), 3, 4, 6, 7][place(11)]),
            kind: kind(engine, names[place(6)])?,
            weight: weights[place(5)],
            at_ns: Some(now - late),
            community: communities[place(4)],
            agent: step.is_multiple_of(9).then_some(AgentId(agent)),
        };
        engine.signal(&signal, now)?;
    }
    Ok(())
}

fn transitions(engine: &mut Engine) -> Result<(), Error> {
    let later = T0 + 24 * HOUR;
    let (view, hide) = (kind(engine, "view")?, kind(engine, "hide")?);
    let say = |user, item, kind, community| Signal {
        user,
        item: ItemId(item),
        kind,
        weight: None,
        at_ns: None,
        community: Some(community),
        agent: None,
    };
    engine.leave(ADA, NOIR, LeaveMode::StopForward, later)?;
    engine.signal(&say(ADA, 1, view, NOIR), later + 1)?;
    engine.rejoin(ADA, NOIR, None, later + HOUR)?;
    engine.signal(&say(ADA, 1, view, NOIR), later + HOUR)?;
    engine.signal(&say(ADA, 2, hide, NOIR), later + HOUR)?;
    // Their tombstones have marks.
    engine.mark_leaves(u64::MAX);
    engine.leave(BOB, NOIR, LeaveMode::StopForward, later)?;
    engine.mark_leaves(0x1234_5678_9ABC_DEF0);
    engine.leave_community_layer(BOB, later)?;
    engine.mark_leaves(0);
    engine.signal(&say(BOB, 1, view, SILENT), later + 2)?;
    engine.leave_community_layer(EVE, later)?;
    engine.rejoin_community_layer(EVE)?;
    engine.signal(&say(EVE, 1, view, WESTERN), later + 3)?;
    engine.signal(&say(BOB, 8, view, WESTERN), later + 4)?;
    engine.forget_user(GONE, later + 5)?;
    let extra = Kind {
        name: "replay".into(),
        weight: 0.0,
        half_life_ns: u64::MAX,
        seen: false,
        hide: false,
    };
    engine.open_schema(0, &[extra])?;
    Ok(())
}

/// What another database did, of which this one only heard.
fn replays(engine: &mut Engine) -> Result<(), Error> {
    let later = T0 + 48 * HOUR;
    let policy = SharePolicy::default();
    let join = |user, epoch| Remote::Join {
        user,
        community: NOIR,
        epoch,
        policy,
        at_ns: later,
    };
    let like = kind(engine, "like")?;
    let contribution = |user, membership_epoch, sequence| Remote::Contribution {
        user,
        item: ItemId(400),
        kind: like,
        weight: -0.75,
        at_ns: later + sequence,
        provenance: SignalProvenance {
            membership_epoch,
            scope: SignalScope::Community(NOIR),
            share_policy_version: 1,
            origin: OTHER,
            sequence,
            writer_agent: None,
            hlc: (later / 1_000_000) << 16,
        },
    };
    let in_noir = [
        join(FAR, 0),
        contribution(FAR, Some(0), 2),
        contribution(FAR, None, 3),
        contribution(FAR, Some(9), 4),
        Remote::Leave {
            user: FAR,
            community: NOIR,
            epoch: 0,
            at_ns: later + 5,
        },
        join(FAR, 1),
        contribution(FAR, Some(1), 7),
        contribution(FAR, Some(0), 8),
        // It may move this database's own row on, and then it is for this database to join the new epoch (R17).
        join(ADA, 2),
    ];
    for (event, sequence) in in_noir.iter().zip(1..) {
        engine.replay(&EventRecord {
            origin: OTHER,
            sequence,
            event: *event,
        })?;
    }
    import_a_layer(engine, later)
}

/// Somebody who left the community layer on another device and came back to it there.
fn import_a_layer(engine: &mut Engine, now: u64) -> Result<(), Error> {
    let mut other = Engine::new(&Config {
        origin: ELSEWHERE,
        ..Config::default()
    })?;
    other.set_outbox(true);
    other.join(FAR, NOIR, None, now)?;
    other.leave_community_layer(FAR, now)?;
    other.rejoin_community_layer(FAR)?;
    other.commit(usize::MAX);
    let (bytes, _) = other.export(None, None)?;
    engine.import(&bytes, now)?;
    Ok(())
}

fn kind(engine: &Engine, name: &str) -> Result<KindId, Error> {
    engine.kind(name).ok_or(Error::UnknownKind)
}
