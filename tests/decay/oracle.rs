//! What decayed sums should be: every event as it came, added up in 192 bits.

use std::cell::RefCell;
use std::collections::BTreeMap;

use dashu_float::FBig;
use dashu_float::round::mode::HalfEven;
use tidegate::governance::UserId;

use crate::{HOUR, ITEM, ITEMS};

pub type Exact = FBig<HalfEven>;

const BITS: usize = 192;

/// Kinds of signal by name and half-life in nanoseconds.
pub const KINDS: [(&str, u64); 4] = [
    ("hour", HOUR),
    ("other hour", HOUR),
    ("instant", 1),
    ("rock", u64::MAX),
];

pub fn exact(value: f64) -> Exact {
    let value = Exact::try_from(value).expect("a finite number");
    value.with_precision(BITS).value()
}

pub fn integer(value: u64) -> Exact {
    Exact::from(value).with_precision(BITS).value()
}

/// 2^(−elapsed/half-life). Whole half-lives are exact; only the rest takes an exponential.
fn halved(elapsed: u64, half_life: u64) -> Exact {
    let whole = elapsed / half_life;
    if whole > 100_000 {
        return Exact::ZERO;
    }
    let rest = integer(elapsed % half_life) / integer(half_life);
    (-(rest * integer(2).ln())).exp() >> isize::try_from(whole).expect("at most 100 000")
}

/// Whose decayed sum it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Owner {
    Profile(UserId),
    /// A contribution of this membership epoch.
    Community(UserId, u32),
    Cohort,
}

/// What is kept apart: owner, item, kind, and whether the weight is negative.
type Part = (Owner, u64, usize, bool);

/// Weights and times of every signal, as they came.
#[derive(Default)]
pub struct Oracle {
    parts: BTreeMap<Part, Vec<(f64, u64)>>,
    /// Exponentials take their time, and the same ones are asked for over and over.
    known: RefCell<BTreeMap<(u64, usize), Exact>>,
}

/// The signed sum and the sum of the sizes.
#[derive(Clone)]
pub struct Sums {
    pub signed: Exact,
    pub sizes: Exact,
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            signed: exact(0.0),
            sizes: exact(0.0),
        }
    }
}

impl Sums {
    fn add(&mut self, other: &Self) {
        self.signed += &other.signed;
        self.sizes += &other.sizes;
    }

    /// signed / (sizes + prior), the form in which sums enter a score.
    fn shrunk(&self, prior: u64) -> Exact {
        &self.signed / (&self.sizes + integer(prior))
    }
}

/// What is to be read of a user as of one time.
#[derive(Default)]
pub struct Expected {
    pub items: BTreeMap<u64, Sums>,
    pub categories: BTreeMap<&'static str, Sums>,
    pub creators: BTreeMap<u64, Sums>,
    community: BTreeMap<u64, Sums>,
    cohort: BTreeMap<u64, Sums>,
}

impl Expected {
    /// The local, community and cohort part of an item's score.
    pub fn parts(&self, item: u64) -> [Exact; 3] {
        fn shrunk<K: Ord>(sums: &BTreeMap<K, Sums>, key: &K, prior: u64) -> Exact {
            sums.get(key).map_or(exact(0.0), |sums| sums.shrunk(prior))
        }
        let name = category(item);
        let taste = self.categories.get(&name).map_or(exact(0.0), |sums| {
            let evidence: Exact = self.items.values().map(|sums| &sums.sizes).sum();
            let by_chance = exact(2.0) * commonness(name) * evidence;
            &sums.signed / (&sums.sizes + integer(8) + by_chance)
        });
        let local = shrunk(&self.items, &item, 4)
            + exact(0.4) * taste
            + exact(0.4) * shrunk(&self.creators, &creator(item), 8);
        let community = shrunk(&self.community, &item, 20);
        [
            local,
            community,
            exact(0.5) * shrunk(&self.cohort, &item, 20),
        ]
    }
}

impl Oracle {
    pub fn add(&mut self, owner: Owner, item: u64, kind: usize, weight: f64, at: u64) {
        if weight != 0.0 {
            let part = (owner, item, kind, weight < 0.0);
            self.parts.entry(part).or_default().push((weight, at));
        }
    }

    pub fn expected(&self, user: UserId, at: u64) -> Expected {
        let mut expected = Expected::default();
        for ((owner, item, kind, _), events) in &self.parts {
            if matches!(owner, Owner::Profile(other) if *other != user) {
                continue;
            }
            // No part is older than its own newest event.
            let at = events.iter().map(|(_, time)| *time).fold(at, u64::max);
            let mut sums = Sums::default();
            for (weight, time) in events {
                let value = exact(*weight) * self.share(at - time, *kind);
                sums.sizes += if *weight < 0.0 {
                    -value.clone()
                } else {
                    value.clone()
                };
                sums.signed += value;
            }
            match owner {
                Owner::Profile(_) => {
                    expected.items.entry(*item).or_default().add(&sums);
                    expected
                        .categories
                        .entry(category(*item))
                        .or_default()
                        .add(&sums);
                    expected
                        .creators
                        .entry(creator(*item))
                        .or_default()
                        .add(&sums);
                }
                Owner::Community(..) => expected.community.entry(*item).or_default().add(&sums),
                Owner::Cohort => expected.cohort.entry(*item).or_default().add(&sums),
            }
        }
        expected
    }

    fn share(&self, elapsed: u64, kind: usize) -> Exact {
        let mut known = self.known.borrow_mut();
        let share = known.entry((elapsed, kind));
        share
            .or_insert_with(|| halved(elapsed, KINDS[kind].1))
            .clone()
    }
}

/// The one category of an item.
pub fn category(item: u64) -> &'static str {
    if item.is_multiple_of(2) {
        "even"
    } else {
        "odd"
    }
}

/// Which share of the items has a category.
fn commonness(name: &str) -> Exact {
    let of_it = (ITEM..ITEM + ITEMS).filter(|item| category(*item) == name);
    integer(of_it.count() as u64) / integer(ITEMS)
}

/// Who made an item.
pub fn creator(item: u64) -> u64 {
    item % 3
}
