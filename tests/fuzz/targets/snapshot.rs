//! Bytes as a snapshot: refused, or sound and in proportion (R8, C8).

use super::memory::bounded;
use super::seal::SNAPSHOT;
use super::sound;
use tidegate::Error;
use tidegate::engine::Engine;
use tidegate::storage::{Blocks, Tag};

const COPY: u64 = 0xC0_B1ED;

pub fn run(input: &[u8]) {
    let sealed = SNAPSHOT.seal(input);
    if sealed != input {
        assert!(restore(input).is_none(), "it was read against its checksum");
    }
    if let Some(mut engine) = restore(&sealed) {
        if let Ok(copy) = Engine::restore(&sealed, Some(COPY)) {
            assert_another(&mut engine, copy);
        }
        sound::assert_goes_on(engine);
    }
}

fn restore(bytes: &[u8]) -> Option<Engine> {
    let restored = bounded(bytes.len(), || Engine::restore(bytes, None));
    let refusals = [Error::CorruptSnapshot, Error::UnsupportedVersion];
    restored
        .inspect_err(|error| assert!(refusals.contains(error), "{error:?}"))
        .ok()
}

/// A copy under another number goes its own way.
fn assert_another(engine: &mut Engine, mut copy: Engine) {
    assert_eq!(copy.origin(), COPY);
    let (export, _) = copy.export(None, None).expect("an export of all");
    assert!(copy.clone().import(&export, sound::NOW).is_ok());
    sound::assert_bytes_agree(&copy);
    // What waits for delivery is numbered under the other number, which still has it.
    let stored = copy.snapshot();
    let blocks = Blocks::parse(&stored).expect("an own snapshot");
    let delivery = |tag| matches!(tag, Tag::Outbox | Tag::Acknowledged);
    assert!(!blocks.iter().any(|(key, _)| delivery(key.tag)));
    // To a tab of the database it was made from it is another one, unless that has nothing to be known by.
    if engine.origin() != COPY && !engine.kinds().is_empty() {
        let before = sound::state(engine);
        assert_eq!(engine.reload(&stored), Err(Error::CorruptSnapshot));
        assert!(
            sound::state(engine) == before,
            "refused, it changed something"
        );
    }
}
