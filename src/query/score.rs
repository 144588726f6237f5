//! Scores. Each part is bounded, so that no single source drowns the others, and evidence earns its say: a sum is
//! divided by its own size plus a prior (shrinkage towards 0).

use super::Ranked;
use crate::catalogue::{Features, Items};
use crate::profile::{Affinities, Decayed};
use crate::signals::{Decay, NONE};

/// Neutral weight that a user's own signals on an item are pulled by: one `like` counts half.
const ITEM_PRIOR: f64 = 4.0;
/// The same for categories and creators, which gather more signals.
const AFFINITY_PRIOR: f64 = 8.0;
/// The same for communities and cohorts: a little weight alone has little say.
const GROUP_PRIOR: f64 = 20.0;
const ITEM_WEIGHT: f64 = 1.0;
const CATEGORY_WEIGHT: f64 = 0.6;
const CREATOR_WEIGHT: f64 = 0.4;
const VECTOR_WEIGHT: f64 = 1.0;
/// Just enough to order what nothing else is known of.
const FRESH_WEIGHT: f64 = 0.05;
const FRESH_HALF_LIFE_MS: f64 = 30.0 * 24.0 * 3_600_000.0;
const COMMUNITY_WEIGHT: f64 = 1.0;
const COHORT_WEIGHT: f64 = 0.5;

/// Arrays over all items, reused from query to query.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    pub(crate) own: Vec<Decayed>,
    pub(crate) community: Vec<Decayed>,
    pub(crate) cohort: Vec<Decayed>,
    pub(crate) marks: Vec<u8>,
    pub(crate) candidates: Vec<u32>,
}

impl Scratch {
    /// Clears the arrays for so many items.
    pub(crate) fn reset(&mut self, items: usize) {
        for sums in [&mut self.own, &mut self.community, &mut self.cohort] {
            sums.clear();
            sums.resize(items, Decayed::default());
        }
        self.marks.clear();
        self.marks.resize(items, 0);
        self.candidates.clear();
    }
}

/// Everything that is the same for all candidates of a query.
pub(crate) struct Scores<'a> {
    items: &'a Items,
    scratch: &'a Scratch,
    categories: Vec<f64>,
    creators: Vec<f64>,
    preference: &'a [f64],
    /// How much evidence there is behind the preference, which has a length of 1 however little that is.
    trust: f64,
    at_ms: f64,
}

impl<'a> Scores<'a> {
    pub(crate) fn new(
        items: &'a Items,
        scratch: &'a Scratch,
        affinities: &'a Affinities,
        at_ns: u64,
    ) -> Self {
        let shrunk = |sums: &[Decayed]| {
            sums.iter()
                .map(|sums| sums.shrunk(AFFINITY_PRIOR))
                .collect()
        };
        Self {
            items,
            scratch,
            categories: shrunk(&affinities.categories),
            creators: shrunk(&affinities.creators),
            preference: &affinities.preference,
            trust: affinities.evidence / (affinities.evidence + AFFINITY_PRIOR),
            at_ms: crate::signals::milliseconds(at_ns),
        }
    }

    /// The item's score and its parts.
    pub(crate) fn of(&self, item: u32, decay: &mut Decay) -> Ranked {
        let place = item as usize;
        let features = self.items.features(item);
        let local = ITEM_WEIGHT * self.scratch.own[place].shrunk(ITEM_PRIOR)
            + CATEGORY_WEIGHT * self.category(features)
            + CREATOR_WEIGHT * self.creator(features)
            + VECTOR_WEIGHT * self.trust * self.similarity(item, features)
            + FRESH_WEIGHT * self.freshness(features, decay);
        let community = COMMUNITY_WEIGHT * self.scratch.community[place].shrunk(GROUP_PRIOR);
        let cohort = COHORT_WEIGHT * self.scratch.cohort[place].shrunk(GROUP_PRIOR);
        // Adding 0 turns a negative zero into the plain one, which equal scores are told by.
        Ranked {
            id: self.items.id(item),
            score: local + community + cohort + 0.0,
            local: local + 0.0,
            community: community + 0.0,
            cohort: cohort + 0.0,
        }
    }

    fn category(&self, features: &Features) -> f64 {
        if features.categories.is_empty() {
            return 0.0;
        }
        let known = features
            .categories
            .iter()
            .filter_map(|category| self.categories.get(*category as usize));
        #[expect(clippy::cast_precision_loss, reason = "an item has few categories")]
        let mean = known.sum::<f64>() / features.categories.len() as f64;
        mean
    }

    fn creator(&self, features: &Features) -> f64 {
        if features.creator == NONE {
            return 0.0;
        }
        self.creators
            .get(features.creator as usize)
            .copied()
            .unwrap_or(0.0)
    }

    /// The cosine of the angle between the preference and the item's vector.
    #[inline]
    fn similarity(&self, item: u32, features: &Features) -> f64 {
        match features.inverse_norm {
            Some(inverse_norm) if !self.preference.is_empty() => {
                dot(self.preference, self.items.vector(item)) * inverse_norm
            }
            _ => 0.0,
        }
    }

    fn freshness(&self, features: &Features, decay: &mut Decay) -> f64 {
        features.created_at_ms.map_or(0.0, |created| {
            let age = (self.at_ms - created).max(0.0);
            decay.halved(age / FRESH_HALF_LIFE_MS)
        })
    }
}

/// Four sums side by side: the order of adding is fixed, and the machine may still work on them together.
#[inline]
fn dot(left: &[f64], right: &[f32]) -> f64 {
    let (left_rows, left_rest) = left.as_chunks::<4>();
    let (right_rows, right_rest) = right.as_chunks::<4>();
    let mut sums = [0.0_f64; 4];
    for (left, right) in left_rows.iter().zip(right_rows) {
        for lane in 0..4 {
            sums[lane] += left[lane] * f64::from(right[lane]);
        }
    }
    let rest: f64 = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * f64::from(*right))
        .sum();
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}
