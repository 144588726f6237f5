//! Spreading the best over categories and creators: greedy, each place goes to the item that is best once what it
//! repeats is taken off (after maximal marginal relevance, Carbonell and Goldstein 1998).

use super::{Ranked, top};
use crate::catalogue::Items;
use crate::signals::NONE;
use core::cmp::Ordering;
use std::collections::BinaryHeap;

/// A candidate with its value as of when it was last looked at. Values only fall as more is chosen, so the first of
/// the heap is the best as soon as its value is of now.
struct Entry {
    value: f64,
    ranked: Ranked,
    item: u32,
    chosen: usize,
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.value
            .total_cmp(&other.value)
            .then_with(|| top::order(&other.ranked, &self.ranked))
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Entry {}

/// How often each category and creator was chosen.
struct Counts {
    categories: Vec<u32>,
    creators: Vec<u32>,
}

impl Counts {
    /// How much choosing this item would repeat: 0 for nothing, towards 1.
    fn repetition(&self, item: u32, items: &Items) -> f64 {
        let features = items.features(item);
        let mut repeated = 0.0;
        if !features.categories.is_empty() {
            let times = features
                .categories
                .iter()
                .map(|category| f64::from(self.categories[*category as usize]));
            #[expect(clippy::cast_precision_loss, reason = "an item has few categories")]
            let mean = times.sum::<f64>() / features.categories.len() as f64;
            repeated += mean;
        }
        if features.creator != NONE {
            repeated += f64::from(self.creators[features.creator as usize]);
        }
        1.0 - 1.0 / (1.0 + repeated)
    }

    fn choose(&mut self, item: u32, items: &Items) {
        let features = items.features(item);
        for category in &features.categories {
            self.categories[*category as usize] += 1;
        }
        if features.creator != NONE {
            self.creators[features.creator as usize] += 1;
        }
    }
}

/// The first `count` of the candidates (dense index and score), spread by `diversity` in (0, 1]. Scores stay as they are.
pub(crate) fn spread(
    candidates: Vec<(u32, Ranked)>,
    count: usize,
    diversity: f64,
    items: &Items,
) -> Vec<Ranked> {
    let mut counts = Counts {
        categories: vec![0; items.category_count()],
        creators: vec![0; items.creator_count()],
    };
    let value =
        |score: f64, repetition: f64| (1.0 - diversity) * score - diversity * repetition + 0.0;
    let mut heap: BinaryHeap<Entry> = candidates
        .into_iter()
        .map(|(item, ranked)| Entry {
            value: value(ranked.score, 0.0),
            ranked,
            item,
            chosen: 0,
        })
        .collect();
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let Some(mut entry) = heap.pop() else { break };
        if entry.chosen < chosen.len() {
            entry.value = value(entry.ranked.score, counts.repetition(entry.item, items));
            entry.chosen = chosen.len();
            heap.push(entry);
        } else {
            counts.choose(entry.item, items);
            chosen.push(entry.ranked);
        }
    }
    chosen
}
