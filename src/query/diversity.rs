//! Spreading the best over categories and creators: greedy, each place goes to the item that is best once what it
//! repeats is taken off (after maximal marginal relevance, Carbonell and Goldstein 1998).

use super::{Ranked, top};
use crate::catalogue::Items;
use crate::signals::NONE;

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

/// Which candidates have a category or a creator: only they are worth less once one of them is chosen.
struct Sharers {
    categories: Vec<Vec<u32>>,
    creators: Vec<Vec<u32>>,
}

impl Sharers {
    fn of(candidates: &[(u32, Ranked)], items: &Items) -> Self {
        let mut sharers = Self {
            categories: vec![Vec::new(); items.category_count()],
            creators: vec![Vec::new(); items.creator_count()],
        };
        for ((item, _), place) in candidates.iter().zip(0..) {
            let features = items.features(*item);
            for category in &features.categories {
                sharers.categories[*category as usize].push(place);
            }
            if features.creator != NONE {
                sharers.creators[features.creator as usize].push(place);
            }
        }
        sharers
    }

    /// All that share something with an item, some of them more than once.
    fn with(&self, item: u32, items: &Items) -> impl Iterator<Item = u32> {
        let features = items.features(item);
        let categories = features
            .categories
            .iter()
            .map(|category| &self.categories[*category as usize]);
        let creator = self.creators.get(features.creator as usize);
        categories.chain(creator).flatten().copied()
    }
}

/// The first `count` of the candidates (dense index and score), spread by `diversity` in (0, 1]. Scores stay as they are.
/// Takes time in proportion to candidates times rows.
pub(crate) fn spread(
    candidates: &[(u32, Ranked)],
    count: usize,
    diversity: f64,
    items: &Items,
) -> Vec<Ranked> {
    let mut counts = Counts {
        categories: vec![0; items.category_count()],
        creators: vec![0; items.creator_count()],
    };
    let sharers = Sharers::of(candidates, items);
    let value =
        |score: f64, repetition: f64| (1.0 - diversity) * score - diversity * repetition + 0.0;
    let mut values: Vec<f64> = candidates
        .iter()
        .map(|(_, ranked)| value(ranked.score, 0.0))
        .collect();
    let mut open: Vec<usize> = (0..candidates.len()).collect();
    let better = |values: &[f64], left: usize, right: usize| {
        let by_value = values[right].total_cmp(&values[left]);
        by_value.then_with(|| top::order(&candidates[left].1, &candidates[right].1))
    };
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let best = (0..open.len()).min_by(|left, right| better(&values, open[*left], open[*right]));
        let Some(best) = best.map(|best| open.swap_remove(best)) else {
            break;
        };
        let (item, ranked) = candidates[best];
        chosen.push(ranked);
        counts.choose(item, items);
        for place in sharers.with(item, items) {
            let (item, ranked) = candidates[place as usize];
            values[place as usize] = value(ranked.score, counts.repetition(item, items));
        }
    }
    chosen
}
