//! Any text as the cursor of an export, and any bytes as the digits of one (R8, R12).

use super::base::{self, Base};
use super::memory::bounded;
use super::sound;
use std::fmt::Write;
use tidegate::Error;
use tidegate::governance::{CommunityId, Outcome};

pub fn run(input: &[u8]) {
    let mut digits = String::new();
    for byte in input {
        write!(digits, "{byte:02x}").expect("a string takes all");
    }
    for text in [String::from_utf8_lossy(input).as_ref(), &digits] {
        acknowledge(base::busy(), text);
    }
}

fn acknowledge(base: Base, text: &str) {
    let Base {
        mut engine,
        state: before,
    } = base;
    let later = bounded(text.len(), || engine.export(None, Some(text)));
    let all = [CommunityId(0), CommunityId(8), CommunityId(1 << 40)];
    let some = bounded(text.len(), || engine.export(Some(&all), Some(text)));
    if let Err(error) = bounded(text.len(), || engine.acknowledge(text)) {
        assert_eq!(error, Error::InvalidArgument("cursor"));
        assert_eq!(later, Err(Error::InvalidArgument("since")));
        assert_eq!(some, later);
        assert!(
            sound::state(&mut engine) == before,
            "refused, it changed something"
        );
        return;
    }
    assert!(later.is_ok() && some.is_ok());
    let once = sound::state(&mut engine);
    assert_eq!(engine.acknowledge(text), Ok(()));
    assert!(
        sound::state(&mut engine) == once,
        "the second time changed something"
    );
    // What is delivered is not told again: with or without the cursor, the same is left.
    let left = engine.export(None, None).map(|(bytes, _)| bytes);
    let since = engine.export(None, Some(text)).map(|(bytes, _)| bytes);
    assert_eq!(left, since);
    // And what comes after it is.
    engine.commit(usize::MAX);
    let left = engine.export(None, None).map(|(bytes, _)| bytes);
    let next = sound::signal(base::ADA, 1, Some(base::CLUB));
    assert_eq!(engine.signal(&next, sound::NOW), Ok(Outcome::Recorded));
    engine.commit(usize::MAX);
    let more = engine.export(None, None).map(|(bytes, _)| bytes);
    assert_ne!(more, left, "what came after the cursor is not exported");
    sound::assert_goes_on(engine);
}
