//! Without a store a signal is canonical as soon as it is recorded; a batch does what its signals do one by one.

use crate::support::{ADA, BOB, NOIR, SECOND, T0, engine, view};
use tidegate::catalogue::{Hint, Item};
use tidegate::engine::{Engine, Signal};
use tidegate::governance::{CohortId, CommunityId, ItemId, LeaveMode};

const ELSEWHERE: CommunityId = CommunityId(8);
const SIGNALS: u64 = 3_000;

fn member() -> Engine {
    let mut engine = engine();
    engine.set_outbox(true);
    engine.join(ADA, NOIR, None, T0).expect("join");
    engine.join(BOB, NOIR, None, T0).expect("join");
    engine.set_cohorts(BOB, &[CohortId(1)]).expect("cohorts");
    engine.commit_all();
    engine
}

/// Signals of all sorts: kinds, weights, late ones, items that come again and items that do not, the first with names.
fn signals(engine: &mut Engine) -> Vec<Signal> {
    let kinds = ["view", "like", "skip", "save", "impression"];
    for id in (0..9).map(|n| 7_000_000 + n) {
        engine.name(id, &format!("name {id}")).expect("a name");
    }
    (0..SIGNALS)
        .map(|n| {
            let item = match n % 3 {
                0 => n * n % 41,
                1 => n,
                _ => 7_000_000 + n % 9,
            };
            let user = if n / 100 % 3 == 0 { BOB } else { ADA };
            let community = [Some(NOIR), Some(NOIR), Some(ELSEWHERE), None][(n / 7 % 4) as usize];
            let late = if n % 19 == 0 { 500 * SECOND } else { 0 };
            let place = (n / 2) as usize % kinds.len();
            Signal {
                kind: engine.kind(kinds[place]).expect("a default kind"),
                weight: (n % 11 == 0).then_some(-2.5),
                at_ns: Some(T0 + n * SECOND - late),
                ..view(engine, user, item, community)
            }
        })
        .collect()
}

fn now() -> u64 {
    T0 + SIGNALS * SECOND
}

#[test]
fn signals_that_settle_leave_the_bytes_of_signals_that_are_committed() {
    let (mut settling, mut waiting) = (member(), member());
    settling.settle_signals();
    let (listed, same) = (signals(&mut settling), signals(&mut waiting));
    assert_eq!(listed, same);
    for (place, signal) in listed.iter().enumerate() {
        if place == 2_000 {
            for engine in [&mut settling, &mut waiting] {
                let mode = LeaveMode::StopForward;
                engine.leave(ADA, NOIR, mode, now()).expect("leave");
                engine.commit_all();
            }
        }
        let outcome = settling.signal(signal, now()).expect("a valid signal");
        assert_eq!(settling.pending(), 0);
        assert_eq!(waiting.signal(signal, now()), Ok(outcome));
        if place % 7 == 0 {
            waiting.commit_all();
        }
    }
    waiting.commit_all();
    assert_eq!(settling.snapshot(), waiting.snapshot());
    assert_eq!(settling.contributed(), waiting.contributed());
    let settled = settling.snapshot();
    settling.undo();
    assert_eq!(settling.snapshot(), settled, "nothing is left to take back");
}

#[test]
fn a_signal_behind_what_is_pending_waits_for_it_no_longer() {
    let mut engine = member();
    engine.settle_signals();
    engine.set_cohorts(ADA, &[CohortId(2)]).expect("cohorts");
    assert!(engine.pending() > 0);
    let signal = view(&engine, ADA, 1, Some(NOIR));
    engine.signal(&signal, T0).expect("a valid signal");
    assert_eq!(engine.pending(), 0);
}

#[test]
fn items_do_not_wait_for_the_end_of_a_long_catalogue() {
    let (mut settling, mut waiting) = (member(), member());
    settling.settle_signals();
    for id in 0..1_024 {
        let item = Item {
            id: ItemId(id),
            vector: None,
            categories: vec![format!("category {}", id % 7)],
            creator: Some(id % 100),
            created_at_ms: None,
        };
        for engine in [&mut settling, &mut waiting] {
            assert_eq!(engine.upsert_item(&item), Ok(true));
        }
        assert!((1..=256).contains(&settling.pending()));
    }
    settling.commit_all();
    waiting.commit_all();
    assert_eq!(settling.snapshot(), waiting.snapshot());
}

#[test]
fn a_batch_does_what_its_signals_do_one_by_one() {
    for settles in [false, true] {
        let (mut batch, mut single) = (member(), member());
        if settles {
            batch.settle_signals();
        }
        let listed = signals(&mut batch);
        signals(&mut single);
        let mut recorded = 0;
        for signal in &listed {
            let outcome = single.signal(signal, now()).expect("a valid signal");
            recorded += u32::from(outcome == tidegate::governance::Outcome::Recorded);
        }
        let counted = batch.signal_batch(listed.iter().copied(), now());
        assert_eq!(counted, Ok(recorded));
        assert_eq!(batch.contributed(), single.contributed());
        batch.commit_all();
        single.commit_all();
        assert_eq!(batch.snapshot(), single.snapshot());
    }
}

#[test]
fn of_a_batch_with_a_bad_signal_nothing_is_recorded() {
    let mut engine = member();
    engine.settle_signals();
    let before = engine.snapshot();
    let mut listed = signals(&mut engine);
    listed[2_999].weight = Some(f64::NAN);
    assert!(engine.signal_batch(listed.into_iter(), now()).is_err());
    assert_eq!((engine.snapshot(), engine.pending()), (before, 0));
}

#[test]
fn a_hint_changes_nothing_but_the_time_it_takes() {
    let (mut hinted, mut plain) = (member(), member());
    let mut hints = [Hint::default(); 8];
    for step in 0..400_u64 {
        // Hints of items that were taken back, and of others than the signal is about.
        let item = (step * 7 + step / 50) % 8;
        let signal = view(&plain, ADA, item, Some(NOIR));
        let hint = &mut hints[usize::try_from((item + step / 90) % 8).expect("small")];
        let outcome = hinted.signal_hinted(&signal, hint, T0 + step);
        assert_eq!(outcome, plain.signal(&signal, T0 + step));
        for engine in [&mut hinted, &mut plain] {
            match step % 50 {
                17 => engine.commit(3),
                49 => engine.undo(),
                _ => {}
            }
        }
    }
    hinted.commit_all();
    plain.commit_all();
    assert_eq!(hinted.snapshot(), plain.snapshot());
}
