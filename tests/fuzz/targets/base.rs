//! The databases that bytes are read into: one with everything in it and with all sorts of calls pending, one that
//! receives what others export, and one without a first event.

use super::sound::{NOW, State, signal, state};
use tidegate::Error;
use tidegate::catalogue::{Item, name_id};
use tidegate::engine::{Config, Engine};
use tidegate::governance::{CohortId, CommunityId, ItemId, LeaveMode, UserId};
use tidegate::signals::Kind;

/// Made by `tests/golden/history.rs`.
const GOLDEN: &[u8] = include_bytes!("../../golden/snapshot-v1.bin");
/// Two of its communities, and one that nobody of it is in.
pub const NOIR: CommunityId = CommunityId(0);
pub const WESTERN: CommunityId = CommunityId(9_007_199_254_740_993);
pub const CLUB: CommunityId = CommunityId(3);
/// Two of its users, of whom the second leaves what she joins.
pub const ADA: UserId = UserId(1);
pub const EVE: UserId = UserId(u64::MAX);

thread_local! {
    static BUSY: Base = make_busy().map(Base::of).expect("calls of a sound history");
    static RECEIVER: Base = make_receiver().map(Base::of).expect("calls of a sound history");
    static NOTHING: Base = Base::of(make_nothing());
}

/// A database and its bytes, which are costly to write for each input.
#[derive(Clone)]
pub struct Base {
    pub engine: Engine,
    pub state: State,
}

impl Base {
    fn of(mut engine: Engine) -> Self {
        let state = state(&mut engine);
        Self { engine, state }
    }
}

/// The golden database with calls pending, among them EVE's leave of the club.
pub fn busy() -> Base {
    BUSY.with(Base::clone)
}

/// Another database, whose users have done some of the same.
pub fn receiver() -> Base {
    RECEIVER.with(Base::clone)
}

/// A database that has nothing yet and takes its name from what it reads.
pub fn nothing() -> Base {
    NOTHING.with(Base::clone)
}

fn make_nothing() -> Engine {
    let mut engine = Engine::new(&Config::default()).expect("the default kinds");
    engine.undo();
    engine
}

fn make_busy() -> Result<Engine, Error> {
    let mut engine = Engine::restore(GOLDEN, None)?;
    calls(&mut engine)?;
    Ok(engine)
}

fn make_receiver() -> Result<Engine, Error> {
    let mut engine = Engine::new(&Config {
        origin: 99,
        dimensions: 3,
        kinds: Vec::new(),
    })?;
    engine.set_outbox(true);
    engine.join(ADA, NOIR, None, NOW)?;
    engine.join(EVE, WESTERN, None, NOW)?;
    engine.commit(usize::MAX);
    calls(&mut engine)?;
    Ok(engine)
}

fn calls(engine: &mut Engine) -> Result<(), Error> {
    let name = "Nosferatu";
    engine.name(name_id(name), name)?;
    let kind = Kind {
        name: "rewind".into(),
        weight: 0.5,
        half_life_ns: 1 << 40,
        seen: false,
        hide: false,
    };
    engine.open_schema(0, &[kind])?;
    for user in [ADA, EVE] {
        engine.join(user, CLUB, None, NOW)?;
        engine.set_cohorts(user, &[CohortId(20)])?;
        for community in [None, Some(CLUB), Some(NOIR), Some(WESTERN)] {
            engine.signal(&signal(user, name_id(name), community), NOW)?;
        }
    }
    engine.upsert_item(&Item {
        id: ItemId(9),
        vector: Some(vec![0.0, 1.0, 0.5]),
        categories: vec!["noir".into()],
        creator: Some(name_id(name)),
        created_at_ms: Some(1e12),
    })?;
    engine.leave(EVE, CLUB, LeaveMode::StopForward, NOW)?;
    engine.remove_item(ItemId(7));
    engine.leave_community_layer(UserId(2), NOW)?;
    engine.forget_user(UserId(2), NOW)?;
    Ok(())
}
