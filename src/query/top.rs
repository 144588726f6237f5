//! The best so many, without sorting all.

use super::Ranked;
use crate::order::{Words, descending, places};
use core::cmp::Ordering;

/// What rows are ordered by: higher scores first, equal scores by ascending id (R14).
fn key(row: &Ranked) -> Words {
    (descending(row.score), row.id.0, 0, 0)
}

/// The better one first.
pub(crate) fn order(left: &Ranked, right: &Ranked) -> Ordering {
    key(left).cmp(&key(right))
}

/// Below it the list of a small number is not cut: cutting takes a look at all of it.
const SLACK: usize = 20;

/// The best `count` of what is put in, and what a score must not be below to be one of them.
pub(crate) struct Best {
    count: usize,
    ranked: Vec<Ranked>,
    floor: f64,
}

impl Best {
    pub(crate) fn new(count: usize) -> Self {
        Self {
            count,
            ranked: Vec::new(),
            floor: f64::NEG_INFINITY,
        }
    }

    #[inline]
    pub(crate) fn floor(&self) -> f64 {
        self.floor
    }

    pub(crate) fn put(&mut self, ranked: Ranked) {
        // One that is as good may come before by its id.
        if ranked.score < self.floor {
            return;
        }
        self.ranked.push(ranked);
        if self.ranked.len() >= self.count.saturating_mul(2).max(SLACK) {
            self.cut();
        }
    }

    fn cut(&mut self) {
        if self.ranked.len() <= self.count {
            return;
        }
        let Some(last) = self.count.checked_sub(1) else {
            self.ranked.clear();
            self.floor = f64::INFINITY;
            return;
        };
        self.sort();
        self.floor = self.ranked[last].score;
        self.ranked.truncate(self.count);
    }

    fn sort(&mut self) {
        let places = places(self.ranked.iter().map(key));
        self.ranked = places.iter().map(|place| self.ranked[*place]).collect();
    }

    /// The best first.
    pub(crate) fn into_sorted(mut self) -> Vec<Ranked> {
        self.sort();
        self.ranked.truncate(self.count);
        self.ranked
    }
}
