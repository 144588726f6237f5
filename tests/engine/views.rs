//! What queries follow from one to the next, and what they pass over: neither shows in an answer.

use crate::support::{NOIR, T0};
use tidegate::catalogue::Item;
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{CohortId, ItemId, KindId, LeaveMode, UserId};
use tidegate::query::{Query, QueryResult};

const DAY: u64 = 24 * 3_600 * 1_000_000_000;
const DAY_MS: f64 = 86_400_000.0;
const ITEMS: u64 = 300;
/// More than views are kept of.
const USERS: u64 = 19;
const DIMENSIONS: u32 = 11;

/// `SplitMix64`.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[usize::try_from(self.below(from.len() as u64)).expect("a small number")]
    }

    /// From −1 up to 1.
    fn unit(&mut self) -> f32 {
        f32::from(u16::try_from(self.below(1 << 16)).expect("16 bits")) / 32_768.0 - 1.0
    }

    /// What a sketch has room for, and what it has not: many categories, huge and tiny vectors, far dates.
    fn item(&mut self) -> Item {
        let scale = self.pick(&[1.0, 1.0, 1.0, 0.0, 1e-38, 1e-25, 1e25, 3e38]);
        let vector = (0..DIMENSIONS).map(|_| self.unit() * scale).collect();
        let categories = self.pick(&[0, 1, 2, 3, 5, 6, 9]);
        let date = self.pick(&[
            0.0, 1.0, -30.0, -400.0, 4_000.0, -20_000.0, 1e5, -1e5, 1e290,
        ]);
        Item {
            id: ItemId(self.below(ITEMS)),
            vector: (!self.one_in(5)).then_some(vector),
            categories: (0..categories)
                .map(|_| format!("c{}", self.below(20)))
                .collect(),
            creator: (!self.one_in(4)).then(|| self.below(15)),
            created_at_ms: (!self.one_in(4)).then_some(1.7e12 + date * DAY_MS),
        }
    }

    fn signal(&mut self, now: u64) -> Signal {
        let at = self.pick(&[0, 0, 0, 1, 40 * DAY, 4_000 * DAY]);
        Signal {
            user: UserId(1 + self.below(USERS)),
            // The first are popular.
            item: ItemId(self.below(ITEMS) * self.below(ITEMS) / ITEMS),
            // Nine of them, of which some mark nothing as seen.
            kind: KindId(u16::try_from(self.below(9)).expect("a small number")),
            weight: self.one_in(6).then(|| f64::from(self.unit()) * 50.0),
            at_ns: (at != 0).then(|| now - at),
            community: (!self.one_in(3)).then_some(NOIR),
            agent: None,
        }
    }

    fn query(&mut self, now: u64) -> Query {
        let user = UserId(1 + self.below(USERS + 1));
        let mut ids = |one_in| {
            let ids = (0..40).map(|_| ItemId(self.below(ITEMS + 20)));
            let ids: Vec<_> = ids.collect();
            self.one_in(one_in).then_some(ids)
        };
        let (candidates, exclude) = (ids(6), ids(3).unwrap_or_default());
        Query {
            community: (!self.one_in(3)).then_some(NOIR),
            cohort: self.one_in(2).then_some(CohortId(1)),
            candidates,
            exclude,
            include_seen: self.one_in(2),
            limit: self.pick(&[0, 1, 5, 20, 1_000]),
            offset: self.pick(&[0, 0, 3, 500]),
            at_ns: self.pick(&[now, now, now, now - 5 * DAY, now + 400 * DAY, 0, u64::MAX]),
            ..Query::new(user, now)
        }
    }
}

/// Something that changes what views follow.
fn change(engine: &mut Engine, random: &mut Random, now: u64) {
    match random.below(40) {
        0 => {
            engine.upsert_item(&random.item()).expect("a valid item");
        }
        1 => {
            engine.remove_item(ItemId(random.below(ITEMS)));
        }
        2 if random.one_in(4) => {
            engine
                .forget_user(UserId(1 + random.below(USERS)), now)
                .expect("a user");
        }
        3 => {
            let cohorts: &[CohortId] = if random.one_in(2) {
                &[CohortId(1)]
            } else {
                &[]
            };
            engine
                .set_cohorts(UserId(1 + random.below(USERS)), cohorts)
                .expect("a user");
        }
        4 => {
            let user = UserId(1 + random.below(USERS));
            if random.one_in(3) {
                // Who is no member cannot leave, and that changes nothing.
                let _ = engine.leave(user, NOIR, LeaveMode::StopForward, now);
            } else {
                engine.join(user, NOIR, None, now).expect("a user");
            }
        }
        5 => engine.commit(usize::MAX),
        6 => engine.undo(),
        _ => {
            engine
                .signal(&random.signal(now), now)
                .expect("a valid signal");
        }
    }
}

fn furnished(random: &mut Random) -> Engine {
    let mut engine = Engine::new(&Config {
        origin: 11,
        dimensions: DIMENSIONS,
        ..Config::default()
    })
    .expect("a plain configuration");
    for _ in 0..ITEMS {
        engine.upsert_item(&random.item()).expect("a valid item");
    }
    for user in 1..=USERS {
        engine.join(UserId(user), NOIR, None, T0).expect("a user");
    }
    engine.commit(usize::MAX);
    engine
}

/// The whole order, of which the query asks for a page.
fn whole(query: &Query) -> Query {
    Query {
        limit: usize::MAX,
        offset: 0,
        ..query.clone()
    }
}

#[test]
fn what_is_passed_over_would_not_have_been_on_the_page() {
    for seed in 0..12 {
        let mut random = Random(seed);
        let mut engine = furnished(&mut random);
        for step in 0..400_u64 {
            let now = T0 + step * DAY / 8;
            change(&mut engine, &mut random, now);
            let query = random.query(now);
            let all = engine.query(&whole(&query));
            let page = engine.query(&query);
            assert_eq!(page.stats, all.stats, "{query:?}");
            let rows = all.items.into_iter().skip(query.offset).take(query.limit);
            assert_eq!(
                page.items,
                rows.collect::<Vec<_>>(),
                "seed {seed}, {query:?}"
            );
        }
    }
}

/// The same rows with nearly the same scores: in what order sums were added up may show in the last digits.
fn assert_alike(followed: QueryResult, anew: QueryResult, what: &str) {
    assert_eq!(followed.stats, anew.stats, "{what}");
    let sorted = |mut result: QueryResult| {
        result.items.sort_unstable_by_key(|row| row.id);
        result.items
    };
    let (followed, anew) = (sorted(followed), sorted(anew));
    assert_eq!(followed.len(), anew.len(), "{what}");
    for (left, right) in followed.iter().zip(&anew) {
        assert_eq!(left.id, right.id, "{what}");
        let pairs = [
            (left.community, right.community),
            (left.cohort, right.cohort),
            (left.local, right.local),
        ];
        for (left, right) in pairs {
            assert!((left - right).abs() <= 1e-9, "{what}: {left} and {right}");
        }
    }
}

#[test]
fn a_followed_view_answers_like_one_made_anew() {
    for seed in 100..112 {
        let mut random = Random(seed);
        let mut engine = furnished(&mut random);
        // Another tab of the same log, whose rows come under what is pending here.
        let mut other = Engine::restore(&engine.snapshot(), None).expect("a snapshot");
        let mut number = 0;
        for step in 0..400_u64 {
            let now = T0 + step * DAY / 8;
            change(&mut engine, &mut random, now);
            engine.query(&random.query(now));
            if random.one_in(20) {
                other.signal(&random.signal(now), now).expect("valid");
                number += 1;
                let row = other.pending_row(2, number);
                other.undo();
                engine.catch_up(&[&row]).expect("a good row");
            }
            if random.one_in(10) {
                engine.commit(usize::MAX);
                let mut anew = Engine::restore(&engine.snapshot(), None).expect("a snapshot");
                for _ in 0..6 {
                    let query = whole(&random.query(now));
                    let what = format!("seed {seed}, step {step}, {query:?}");
                    assert_alike(engine.query(&query), anew.query(&query), &what);
                }
            }
        }
    }
}
