//! Bytes as calls of the whole engine, by three tabs of two databases that exchange rows, exports and snapshots. After
//! each of them no more counts than users said may; whatever was refused changed nothing; and the bytes agree.

mod bytes;
mod consent;
mod exchange;
mod steps;
mod world;

use super::sound;
use bytes::Bytes;
use tidegate::Error;
use world::World;

/// So many calls of one input are made: what takes more of them to show is rare, and the fuzzer's time is not.
const MOST_CALLS: usize = 120;

/// How often the bytes are compared beside at the end.
const OFTEN: usize = 32;

pub fn run(input: &[u8]) {
    let (mut world, mut bytes) = (World::new(), Bytes(input));
    for call in 1..=MOST_CALLS {
        if bytes.0.is_empty() {
            break;
        }
        let tab = bytes.below(world.tabs.len());
        call_once(&mut world, tab, &mut bytes);
        world.assert_consent(tab);
        if call % OFTEN == 0 {
            sound::assert_bytes_agree(&world.tabs[tab].engine);
        }
    }
    for tab in 0..world.tabs.len() {
        sound::assert_bytes_agree(&world.tabs[tab].engine);
        world.flush(tab, |_| {});
        world.assert_consent(tab);
    }
    let [tab, ..] = world.tabs;
    sound::assert_goes_on(tab.engine);
}

fn call_once(world: &mut World, tab: usize, bytes: &mut Bytes) {
    let engine = &world.tabs[tab].engine;
    let (pending, before) = (engine.pending(), engine.contributed());
    let answer = match bytes.byte() % 32 {
        choice @ 0..=20 => steps::say(world, tab, choice, bytes),
        choice => exchange::go(world, tab, choice, bytes),
    };
    if let Err(error) = answer {
        let engine = &world.tabs[tab].engine;
        assert!(
            engine.pending() == pending && engine.contributed() == before,
            "refused ({error:?}), it changed something"
        );
        let stored = [Error::CorruptSnapshot, Error::CorruptEvents];
        assert!(!stored.contains(&error), "own bytes are refused: {error:?}");
    }
}
