//! The engine beside the oracle: each signal goes to both, and whatever can be read is compared.

use std::collections::BTreeSet;

use tidegate::catalogue::Item;
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{CohortId, CommunityId, ItemId, KindId, Outcome, UserId};
use tidegate::query::Query;
use tidegate::signals::Kind;

use crate::oracle::{
    Exact, Expected, KINDS, Oracle, Owner, Sums, category, creator, exact, integer,
};
use crate::{ADA, BOB, EARLIEST, ITEM, ITEMS, NOW};

/// What a sum of up to 1 000 events may be off by, as a share of the sum of their sizes: each is rounded a few times by
/// 2^-53, and an exponent, which takes its own rounding along, is below 1 100 until nothing is left.
const TOLERANCE: f64 = 1e-12;

pub const NOIR: CommunityId = CommunityId(7);
const NIGHT: CohortId = CohortId(8);

/// Finite, and no zero with a sign: fit to be shown.
#[track_caller]
pub fn shown(value: f64) -> f64 {
    assert!(value.is_finite(), "{value} is shown");
    assert!(value != 0.0 || value.is_sign_positive(), "−0 is shown");
    value
}

#[track_caller]
fn assert_close(value: f64, expected: &Exact, scale: &Exact) {
    let off = exact(shown(value)) - expected;
    // What is left of an event is only as fine as 2^-1074, and is multiplied by up to 1e6; 1 000 events of that.
    let allowed = exact(TOLERANCE) * scale + exact(f64::from_bits(1_000_000_000));
    assert!(
        off <= allowed && -off.clone() <= allowed,
        "{value:e} is off by {:e}; expected {:e}",
        off.to_f64().value(),
        expected.to_f64().value(),
    );
}

/// The engine beside the oracle.
pub struct Pair {
    pub engine: Engine,
    pub oracle: Oracle,
    pub kinds: Vec<KindId>,
}

impl Pair {
    pub fn new() -> Self {
        let kind = |(name, half_life_ns): &(&str, u64)| Kind {
            name: (*name).into(),
            weight: 1.0,
            half_life_ns: *half_life_ns,
            seen: false,
            hide: false,
        };
        let config = Config {
            origin: 1,
            dimensions: 0,
            kinds: KINDS.iter().map(kind).collect(),
        };
        let mut engine = Engine::new(&config).unwrap();
        for item in ITEM..ITEM + ITEMS {
            let item = Item {
                id: ItemId(item),
                vector: None,
                categories: vec![category(item).into()],
                creator: Some(creator(item)),
                created_at_ms: None,
            };
            engine.upsert_item(&item).unwrap();
        }
        for user in [ADA, BOB] {
            engine.join(user, NOIR, None, NOW).unwrap();
            engine.set_cohorts(user, &[NIGHT]).unwrap();
        }
        let kinds = KINDS
            .iter()
            .map(|(name, _)| engine.kind(name).unwrap())
            .collect();
        Self {
            engine,
            oracle: Oracle::default(),
            kinds,
        }
    }

    pub fn signal_now(&mut self, user: UserId, item: u64, (kind, weight): (usize, f64), now: u64) {
        self.send(user, item, (kind, weight), (None, now), now.max(EARLIEST));
    }

    pub fn signal(&mut self, user: UserId, item: u64, (kind, weight): (usize, f64), at: u64) {
        self.send(user, item, (kind, weight), (Some(at), NOW), at);
    }

    pub fn send(
        &mut self,
        user: UserId,
        item: u64,
        (kind, weight): (usize, f64),
        (at_ns, now): (Option<u64>, u64),
        expected_at: u64,
    ) {
        let signal = Signal {
            user,
            item: ItemId(item),
            kind: self.kinds[kind],
            weight: Some(weight),
            at_ns,
            community: Some(NOIR),
            agent: None,
        };
        assert_eq!(self.engine.signal(&signal, now), Ok(Outcome::Recorded));
        let epoch = self.engine.membership_epoch(user, NOIR).unwrap();
        for owner in [
            Owner::Profile(user),
            Owner::Community(user, epoch),
            Owner::Cohort,
        ] {
            self.oracle.add(owner, item, kind, weight, expected_at);
        }
    }

    /// The profile's sum on the item.
    pub fn score(&mut self, at: u64) -> f64 {
        let profile = self.engine.profile(ADA, at);
        let found = profile.items.iter().find(|(item, _)| *item == ItemId(ITEM));
        shown(found.expect("a sum").1)
    }

    /// Everything that can be read of both users as of `at`.
    #[track_caller]
    pub fn check(&mut self, at: u64) {
        for user in [ADA, BOB] {
            let expected = self.oracle.expected(user, at);
            self.check_profile(user, at, &expected);
            self.check_scores(user, at, &expected);
        }
    }

    #[track_caller]
    pub fn check_profile(&mut self, user: UserId, at: u64, expected: &Expected) {
        let profile = self.engine.profile(user, at);
        assert!(
            profile
                .items
                .is_sorted_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)).is_lt())
        );
        let items: BTreeSet<u64> = profile.items.iter().map(|(item, _)| item.0).collect();
        assert!(items.iter().eq(expected.items.keys()));
        for (item, score) in &profile.items {
            let sums = &expected.items[&item.0];
            assert_close(*score, &sums.signed, &sums.sizes);
        }
        for (name, score) in &profile.categories {
            let sums = &expected.categories[name.as_str()];
            assert_close(*score, &sums.signed, &sums.sizes);
        }
        for (id, score) in &profile.creators {
            let sums = &expected.creators[id];
            assert_close(*score, &sums.signed, &sums.sizes);
        }
        // What has decayed to nothing may be left out.
        let shown = (profile.categories.len(), profile.creators.len());
        let left = |sums: &&Sums| sums.sizes > exact(1e-300);
        let categories = expected.categories.values().filter(left).count();
        let creators = expected.creators.values().filter(left).count();
        assert!(shown.0 >= categories && shown.1 >= creators);
    }

    #[track_caller]
    pub fn check_scores(&mut self, user: UserId, at: u64, expected: &Expected) {
        let query = Query {
            community: Some(NOIR),
            cohort: Some(NIGHT),
            limit: usize::MAX,
            ..Query::new(user, at)
        };
        let ranked = self.engine.query(&query).items;
        assert_eq!(ranked.len() as u64, ITEMS);
        for ranked in ranked {
            let [local, community, cohort] = expected.parts(ranked.id.0);
            assert_close(ranked.local, &local, &integer(2));
            assert_close(ranked.community, &community, &Exact::ONE);
            assert_close(ranked.cohort, &cohort, &Exact::ONE);
            assert_close(ranked.score, &(local + community + cohort), &integer(4));
        }
    }
}
