//! Decay against an oracle of 192 bits that adds up w·2^(−Δt/H) event by event, through the public API: late events in
//! any order, gaps of 10 000 half-lives, clocks that go back, times at the ends of what there is.
#![cfg(not(target_arch = "wasm32"))]

mod oracle;
mod pair;
mod random;

use oracle::KINDS;
use pair::{NOIR, Pair, shown};
use tidegate::Error;
use tidegate::catalogue::Item;
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{ItemId, UserId};
use tidegate::query::Query;
use tidegate::signals::Kind;

const HOUR: u64 = 3_600 * 1_000_000_000;
const DAY: u64 = 24 * HOUR;
const YEAR: u64 = 365 * DAY;
const T0: u64 = 1_700_000_000 * 1_000_000_000;
/// The host's now where a test does not move it: all times of the test lie before it.
const NOW: u64 = T0 + YEAR;
/// 1990-01-01, the earliest time there is (R15).
const EARLIEST: u64 = 631_152_000 * 1_000_000_000;

const ADA: UserId = UserId(1);
const BOB: UserId = UserId(2);
/// Items 100 to 104 are known.
const ITEM: u64 = 100;
const ITEMS: u64 = 5;

#[test]
fn late_events_count_for_what_is_left_of_them_in_both_orders() {
    for times in [[T0, T0 + 2 * HOUR], [T0 + 2 * HOUR, T0]] {
        let mut pair = Pair::new();
        for at in times {
            pair.signal(ADA, ITEM, (0, 1.0), at);
        }
        assert_eq!(pair.score(T0 + 2 * HOUR).to_bits(), 1.25_f64.to_bits());
        pair.check(T0 + 2 * HOUR);
    }
}

#[test]
fn two_signals_a_half_life_apart_weigh_one_and_a_half() {
    let mut pair = Pair::new();
    pair.signal_now(ADA, ITEM, (0, 1.0), T0);
    pair.signal(ADA, ITEM, (0, 1.0), T0 + HOUR);
    assert_eq!(pair.score(T0 + HOUR).to_bits(), 1.5_f64.to_bits());
    for half_lives in 0..60_u8 {
        let left = 1.5 / f64::exp2(f64::from(half_lives));
        let read = pair.score(T0 + HOUR + u64::from(half_lives) * HOUR);
        assert_eq!(
            read.to_bits(),
            left.to_bits(),
            "{half_lives} half-lives later"
        );
    }
    assert_eq!(pair.score(T0 + 50 * YEAR).to_bits(), 0);
}

#[test]
fn an_event_a_century_ahead_is_refused_and_changes_nothing() {
    let mut pair = Pair::new();
    pair.signal(ADA, ITEM, (0, 1.0), T0);
    pair.engine.commit(usize::MAX);
    let before = pair.engine.snapshot();
    let signal = Signal {
        user: ADA,
        item: ItemId(ITEM),
        kind: pair.kinds[0],
        weight: None,
        at_ns: Some(NOW + 100 * YEAR),
        community: Some(NOIR),
        agent: None,
    };
    assert_eq!(
        pair.engine.signal(&signal, NOW),
        Err(Error::InvalidTimestamp("at"))
    );
    assert_eq!((pair.engine.pending(), pair.engine.snapshot()), (0, before));
    pair.check(NOW);
}

/// Gaps before the next event, between an event and a late one, and before reading.
#[test]
fn any_gap_leaves_a_number() {
    let gaps = [
        10_000 * HOUR,
        50 * YEAR,
        1_074 * HOUR,
        1_075 * HOUR,
        1_023 * HOUR,
        1_024 * HOUR,
    ];
    for kind in 0..KINDS.len() {
        for gap in gaps {
            for weight in [1.0, -1.0, 1e6, -5e-324] {
                let mut pair = Pair::new();
                let start = EARLIEST + 7;
                let now = start + gap;
                pair.signal_now(ADA, ITEM, (kind, weight), start);
                pair.check(now);
                pair.signal_now(ADA, ITEM, (kind, weight / 2.0), now);
                pair.check(now);
                pair.send(ADA, ITEM, (kind, weight), (Some(start), now), start);
                pair.check(now + gap);
                pair.check(start);
            }
        }
    }
}

#[test]
fn a_clock_that_goes_back_makes_late_events() {
    let mut pair = Pair::new();
    // The last two are before 1990: the host's clock is clamped into range (R15).
    let clocks = [
        T0,
        T0 + HOUR,
        T0,
        T0 - HOUR,
        T0 - 20 * YEAR,
        EARLIEST,
        EARLIEST - 1,
        0,
    ];
    for (now, user) in clocks.into_iter().zip([ADA, BOB].into_iter().cycle()) {
        pair.signal_now(user, ITEM, (0, 2.0), now);
        pair.signal_now(user, ITEM + 1, (3, -3.0), now);
        pair.check(now);
        pair.check(T0 + DAY);
    }
}

#[test]
fn nothing_grows_when_it_is_read_before_its_time() {
    let mut pair = Pair::new();
    pair.signal(ADA, ITEM, (0, 3.0), T0);
    pair.signal(ADA, ITEM, (1, 5.0), T0 + HOUR);
    for at in [0, EARLIEST, T0 - 1, T0] {
        assert_eq!(pair.score(at).to_bits(), 8.0_f64.to_bits());
        pair.check(at);
    }
    // The first has decayed, the second has not begun to.
    assert_eq!(pair.score(T0 + HOUR).to_bits(), 6.5_f64.to_bits());
    pair.check(T0 + HOUR);
}

#[test]
fn a_pinned_time_at_either_end_is_only_a_time() {
    let mut pair = Pair::new();
    for (kind, weight) in [(0, 3.0), (1, -5.0), (2, 7.0), (3, 11.0)] {
        pair.signal(ADA, ITEM, (kind, weight), T0);
        pair.signal(BOB, ITEM + 1, (kind, -weight), T0 + 1);
    }
    for at in [0, 1, u64::MAX - 1, u64::MAX] {
        pair.check(at);
    }
    assert_eq!(pair.score(0).to_bits(), 16.0_f64.to_bits());
}

#[test]
fn weights_at_the_ends_of_their_range_are_exact() {
    let tiny = 5e-324;
    for (weights, sum) in [
        (vec![tiny], tiny),
        (vec![tiny; 3], 3.0 * tiny),
        (vec![1e6, tiny], 1e6),
        (vec![tiny, 1e6, -1e6], 0.0),
        (vec![-1e6, -tiny], -1e6),
        (vec![1e6; 1_000], 1e9),
    ] {
        let mut pair = Pair::new();
        for weight in weights {
            pair.signal(ADA, ITEM, (0, weight), T0);
        }
        assert_eq!(pair.score(T0).to_bits(), sum.to_bits());
        pair.check(T0);
        // Half of the smallest number is none; it must not come out as less than none.
        pair.check(T0 + HOUR);
    }
}

#[test]
fn a_weight_of_no_size_changes_no_sum() {
    let mut pair = Pair::new();
    for weight in [0.0, -0.0] {
        pair.signal(ADA, ITEM, (0, weight), T0);
    }
    assert!(pair.engine.profile(ADA, T0).items.is_empty());
    assert_eq!(pair.engine.profile(ADA, T0).signals, 2);
    pair.check(T0);
    for weight in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e308,
        -1e308,
        1_000_000.1,
    ] {
        let signal = Signal {
            user: ADA,
            item: ItemId(ITEM),
            kind: pair.kinds[0],
            weight: Some(weight),
            at_ns: None,
            community: None,
            agent: None,
        };
        assert_eq!(
            pair.engine.signal(&signal, T0),
            Err(Error::InvalidWeight("weight"))
        );
    }
    assert_eq!(pair.engine.profile(ADA, T0).signals, 2);
}

/// One sum of both would decay alike, but would forget how much was said on either side.
#[test]
fn likes_and_dislikes_are_kept_apart() {
    let mut pair = Pair::new();
    pair.signal(ADA, ITEM, (0, 2.0), T0);
    pair.signal(ADA, ITEM, (0, -1.0), T0 + HOUR);
    // 1 of 1, less 1 of 1: nothing in sum, and 2 in size.
    assert_eq!(pair.score(T0 + HOUR).to_bits(), 0);
    pair.check(T0 + HOUR);
    // As many again on the positive side: 2 − 1 of 3. Had they been one sum, it would be 1 of 1.
    pair.signal(ADA, ITEM, (0, 1.0), T0 + HOUR);
    let at = T0 + HOUR;
    let query = Query {
        candidates: Some(vec![ItemId(ITEM)]),
        ..Query::new(ADA, at)
    };
    let local = pair.engine.query(&query).items[0].local;
    // Three of the five items are even: of a weight of 3 as much as 1.8 would be there by chance, and counts twice.
    let category = 1.0 / (3.0 + 8.0 + 2.0 * 1.8);
    assert!((local - (1.0 / 7.0 + 0.4 * category + 0.4 / 11.0)).abs() < 1e-15);
    // Read before the newer side's time, the older one alone has decayed.
    pair.check(T0 + HOUR / 2);
    pair.check(T0 + 7 * HOUR);
}

/// The preference is a direction: it fades only when there is nothing left of what it was made of.
#[test]
fn a_preference_points_on_for_a_thousand_half_lives() {
    let hour = Kind {
        name: "hour".into(),
        weight: 1.0,
        half_life_ns: HOUR,
        seen: false,
        hide: false,
    };
    let config = Config {
        origin: 1,
        dimensions: 2,
        kinds: vec![hour],
    };
    let mut engine = Engine::new(&config).unwrap();
    let item = Item {
        id: ItemId(ITEM),
        vector: Some(vec![-3e5, 1e-44]),
        categories: Vec::new(),
        creator: None,
        created_at_ms: None,
    };
    engine.upsert_item(&item).unwrap();
    let signal = Signal {
        user: ADA,
        item: ItemId(ITEM),
        kind: engine.kind("hour").unwrap(),
        weight: Some(-2.0),
        at_ns: Some(T0),
        community: None,
        agent: None,
    };
    engine.signal(&signal, NOW).unwrap();
    for half_lives in [0, 1, 500, 1_000, 1_070] {
        let profile = engine.profile(ADA, T0 + half_lives * HOUR);
        let preference = profile.preference.expect("a direction");
        assert_eq!(preference[0].to_bits(), 1.0_f32.to_bits());
        assert!(shown(preference[1].into()).abs() < 1e-29);
        let ranked = engine.query(&Query::new(ADA, T0 + half_lives * HOUR)).items[0];
        // The direction stays; what it weighs goes with the evidence behind it.
        let left = 2.0 * f64::powi(0.5, i32::try_from(half_lives).unwrap());
        let expected = -left / (left + 4.0) - 2.5 * left / (left + 8.0);
        assert!((shown(ranked.local) - expected).abs() < 1e-12);
    }
    assert_eq!(engine.profile(ADA, T0 + 10_000 * HOUR).preference, None);
    assert_eq!(
        shown(engine.query(&Query::new(ADA, T0 + 10_000 * HOUR)).items[0].score).to_bits(),
        0
    );
}
