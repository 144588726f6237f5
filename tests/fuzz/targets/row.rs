//! Bytes as a row of the log: refused with nothing changed, or folded under what is pending (R8, R11).

use super::base::{self, Base};
use super::memory::bounded;
use super::seal::ROW;
use super::sound;
use tidegate::Error;
use tidegate::engine::Engine;

pub fn run(input: &[u8]) {
    let row = ROW.seal(input);
    if row != input {
        let read = base::busy().engine.read_row(input);
        assert!(read.is_err(), "it was read against its checksum");
    }
    // Before it comes a row of another tab that did the same: where this one is refused, that has no effect either.
    let base = base::busy();
    let good = base.state.0.clone();
    catch_up(base, &[&good, &row]);
    // The second one is of the same database, and may say what the first one has said.
    catch_up(base::nothing(), &[&row, &row]);
}

fn catch_up(base: Base, rows: &[&[u8]]) {
    let mut engine = base.engine.clone();
    let shown = |engine: &mut Engine| sound::shown(engine, base::ADA, base::CLUB);
    let length = rows.iter().map(|row| row.len()).sum();
    match bounded(length, || engine.catch_up(rows)) {
        Err(error) => {
            let refusals = [Error::CorruptEvents, Error::UnsupportedVersion];
            assert!(refusals.contains(&error), "{error:?}");
            let mut before = base.engine;
            let same =
                shown(&mut engine) == shown(&mut before) && sound::state(&mut engine) == base.state;
            assert!(same, "refused, it changed something");
        }
        Ok(count) => {
            let mut plain = base.engine;
            let (left, recorded) = (has_left(&plain), plain.contributed().recorded);
            plain.undo();
            assert_eq!(plain.catch_up(rows), Ok(count));
            assert!(
                plain.snapshot() == engine.snapshot(),
                "what is pending got into the fold"
            );
            assert!(!left || has_left(&engine), "a pending leave fell away");
            assert!(
                engine.contributed().recorded <= recorded,
                "a rebase has raised an outcome"
            );
            sound::assert_goes_on(engine);
        }
    }
}

/// A leave that is pending closes the gate, whatever comes before it in the log (R3).
fn has_left(engine: &Engine) -> bool {
    let row = engine.membership(base::EVE, base::CLUB);
    row.is_some_and(|row| !row.contributing && row.stop_forward_at_ns.is_some())
}
