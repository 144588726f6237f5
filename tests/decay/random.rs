//! Random events, in random orders, read at random times.

use proptest::prelude::*;
use tidegate::engine::Engine;
use tidegate::governance::{LeaveMode, UserId};

use crate::oracle::KINDS;
use crate::pair::{NOIR, Pair};
use crate::{ADA, BOB, DAY, EARLIEST, HOUR, ITEM, ITEMS, NOW, T0, YEAR};

type Event = (UserId, u64, usize, f64, u64);

fn any_weight() -> impl Strategy<Value = f64> {
    let edges = [
        5e-324,
        -5e-324,
        1e6,
        -1e6,
        0.0,
        -0.0,
        1e-300,
        f64::MIN_POSITIVE,
    ];
    prop_oneof![4 => -10.0..10.0, 1 => prop::sample::select(edges.to_vec())]
}

/// Mostly within a few half-lives of an hour, often on the very same nanosecond.
fn any_time() -> impl Strategy<Value = u64> {
    let edges = [EARLIEST, T0, T0 + HOUR, NOW, NOW + DAY];
    prop_oneof![4 => T0..T0 + 2 * DAY, 1 => prop::sample::select(edges.to_vec())]
}

fn any_reading() -> impl Strategy<Value = u64> {
    let edges = [0, 1, EARLIEST, T0, NOW, NOW + 50 * YEAR, u64::MAX];
    prop_oneof![4 => T0 - DAY..T0 + 3 * DAY, 1 => prop::sample::select(edges.to_vec())]
}

fn any_event() -> impl Strategy<Value = Event> {
    let user = prop::sample::select(vec![ADA, BOB]);
    (
        user,
        ITEM..ITEM + ITEMS,
        0..KINDS.len(),
        any_weight(),
        any_time(),
    )
}

#[derive(Debug, Clone)]
enum Step {
    Signal(Event),
    Read(u64),
    LeaveAndRejoin(UserId),
    Restore,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => any_event().prop_map(Step::Signal),
        4 => any_reading().prop_map(Step::Read),
        1 => prop::sample::select(vec![ADA, BOB]).prop_map(Step::LeaveAndRejoin),
        1 => Just(Step::Restore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    /// Reading in between, in any order of times, and coming back from a snapshot change nothing either.
    #[test]
    fn random_histories_read_as_the_oracle_says(steps in prop::collection::vec(any_step(), 1..60)) {
        let mut pair = Pair::new();
        for step in steps {
            match step {
                Step::Signal((user, item, kind, weight, at)) => {
                    pair.signal(user, item, (kind, weight), at);
                }
                Step::Read(at) => pair.check(at),
                Step::LeaveAndRejoin(user) => {
                    pair.engine.leave(user, NOIR, LeaveMode::StopForward, NOW).unwrap();
                    pair.engine.rejoin(user, NOIR, None, NOW).unwrap();
                }
                Step::Restore => {
                    pair.engine.commit(usize::MAX);
                    pair.engine = Engine::restore(&pair.engine.snapshot(), None).unwrap();
                }
            }
        }
        pair.check(NOW);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1, max_shrink_iters: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_thousand_events_read_the_same_in_twenty_orders(
        orders in prop::collection::vec(any_event(), 1_000)
            .prop_flat_map(|events| prop::collection::vec(Just(events).prop_shuffle(), 20)),
    ) {
        let at = T0 + 2 * DAY;
        let mut expected = None;
        for events in orders {
            let mut pair = Pair::new();
            for (user, item, kind, weight, at) in events {
                pair.signal(user, item, (kind, weight), at);
            }
            // The oracle adds up what was sent; the order is nothing to it.
            let expected = expected.get_or_insert_with(|| pair.oracle.expected(ADA, at));
            pair.check_profile(ADA, at, expected);
            pair.check_scores(ADA, at, expected);
        }
    }
}
