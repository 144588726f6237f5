//! The core where it is used: compiled to WebAssembly, in Node and in browsers. `wasm-pack test --node`,
//! `--headless --chrome`, `--headless --firefox`.

#![cfg(target_arch = "wasm32")]

use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{CommunityId, ItemId, LeaveMode, Outcome, StopForwardGate, UserId};
use tidegate::query::Query;
use wasm_bindgen_test::wasm_bindgen_test;

#[path = "../golden/history.rs"]
mod history;

const T0: u64 = 1_700_000_000_000_000_000;
const ADA: UserId = UserId(1);
const BOB: UserId = UserId(2);
const NOIR: CommunityId = CommunityId(7);

fn engine() -> Engine {
    Engine::new(&Config {
        origin: 1,
        ..Config::default()
    })
    .expect("a plain configuration")
}

fn like(engine: &Engine, user: UserId, item: u64) -> Signal {
    Signal {
        user,
        item: ItemId(item),
        kind: engine.kind("like").expect("a default kind"),
        weight: None,
        at_ns: None,
        community: Some(NOIR),
        agent: None,
    }
}

#[wasm_bindgen_test]
fn nothing_counts_after_leave_and_the_profile_goes_on_learning() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    assert_eq!(
        engine.signal(&like(&engine, ADA, 1), T0),
        Ok(Outcome::Recorded)
    );
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    assert_eq!(engine.signal(&like(&engine, ADA, 2), T0), Ok(Outcome::Left));
    assert_eq!(engine.community_mass(NOIR), [(ItemId(1), 1)]);
    assert_eq!(engine.profile(ADA, T0).signals, 2);
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0), Ok(1));
    assert_eq!(
        engine.signal(&like(&engine, ADA, 3), T0),
        Ok(Outcome::Recorded)
    );
}

#[wasm_bindgen_test]
fn a_member_is_shown_what_others_contributed_and_under_which_epoch() {
    let mut engine = engine();
    for user in [ADA, BOB] {
        engine.join(user, NOIR, None, T0).expect("join");
    }
    engine
        .signal(&like(&engine, BOB, 5), T0)
        .expect("a valid signal");
    let result = engine.query(&Query {
        community: Some(NOIR),
        ..Query::new(ADA, T0)
    });
    assert_eq!(result.items.first().map(|item| item.id), Some(ItemId(5)));
    assert!(result.items.iter().all(|item| item.community > 0.0));
    assert_eq!(result.stats.membership_epoch, Some(0));
}

#[wasm_bindgen_test]
fn the_first_time_that_is_not_zero_closes_the_gate() {
    let gate = StopForwardGate::new(0);
    assert_eq!(gate.compare_exchange_from_zero(5), Ok(0));
    assert_eq!(gate.compare_exchange_from_zero(9), Err(5));
    assert_eq!(gate.load(), 5);
    gate.store(0);
    assert_eq!(gate.load(), 0);
}

#[wasm_bindgen_test]
fn a_log_row_folds_into_the_same_bytes() {
    let mut first = engine();
    first.commit(usize::MAX);
    let mut second = Engine::restore(&first.snapshot(), None).expect("a snapshot");
    first.join(ADA, NOIR, None, T0).expect("join");
    for item in 0..100 {
        first
            .signal(&like(&first, ADA, item % 9), T0 + item)
            .expect("a valid signal");
    }
    let row = first.pending_row(1, 1);
    first.commit(usize::MAX);
    second.catch_up(&[&row]).expect("a good row");
    assert_eq!(first.snapshot(), second.snapshot());
}

#[wasm_bindgen_test]
fn the_history_writes_the_golden_files() {
    let mut engine = history::history().expect("the history");
    let row = engine.pending_row(history::TAB, history::ROW);
    assert!(
        row == include_bytes!("../golden/row-v3.bin"),
        "the same bytes as on other platforms"
    );
    engine.commit(usize::MAX);
    assert!(
        engine.snapshot() == include_bytes!("../golden/snapshot-v1.bin"),
        "the same bytes"
    );
}
