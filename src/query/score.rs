//! Scores. Each part is bounded, so that no single source drowns the others, and evidence earns its say: a sum is
//! divided by its own size plus a prior (shrinkage towards 0).

use super::Ranked;
use super::about::About;
use crate::catalogue::{FRESH_HALF_LIFE_MS, Features, Items};
use crate::community::Contributions;
use crate::profile::{Affinities, Decayed};
use crate::signals::{ABOUT_ERROR, Decay, Kinds, Ledger, NONE, about_factor, milliseconds};

/// Neutral weight that a user's own signals on an item are pulled by: one `like` counts half.
const ITEM_PRIOR: f64 = 4.0;
/// The same for categories and creators, which gather more signals.
pub(super) const AFFINITY_PRIOR: f64 = 8.0;
/// What a category gathers by chance is neutral weight as well, this many times: who signals anything at all has signals in
/// common categories.
const CHANCE: f64 = 2.0;
/// The same for communities and cohorts: a little weight alone has little say.
const GROUP_PRIOR: f64 = 20.0;
const ITEM_WEIGHT: f64 = 1.0;
pub(super) const CATEGORY_WEIGHT: f64 = 0.4;
pub(super) const CREATOR_WEIGHT: f64 = 0.4;
pub(super) const VECTOR_WEIGHT: f64 = 2.5;
/// Just enough to order what nothing else is known of.
pub(super) const FRESH_WEIGHT: f64 = 0.05;
const COMMUNITY_WEIGHT: f64 = 1.0;
const COHORT_WEIGHT: f64 = 0.5;

/// Rows of one owner, by item: what the user, the community or the cohort has on it.
#[derive(Clone, Copy)]
pub(crate) struct Source<'a> {
    /// The row on each item.
    pub(crate) rows: &'a [u32],
    pub(crate) ledger: &'a Ledger,
    /// Where the rows are a community's totals: what they sum.
    pub(crate) sum_of: Option<&'a Contributions>,
}

impl Source<'_> {
    #[inline]
    fn row(&self, item: u32) -> u32 {
        self.rows.get(item as usize).copied().unwrap_or(NONE)
    }
}

/// What a query ranks by beside the features of items.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sources<'a> {
    pub(crate) own: Option<Source<'a>>,
    pub(crate) community: Option<Source<'a>>,
    pub(crate) cohort: Option<Source<'a>>,
}

/// Everything that is the same for all candidates of a query.
pub(crate) struct Scores<'a> {
    items: &'a Items,
    kinds: &'a Kinds,
    affinities: &'a Affinities,
    /// The user's taste for each category, by index.
    categories: Vec<f64>,
    about: About<'a>,
    /// Each with its weight and its prior.
    own: (Option<Source<'a>>, f64, f64),
    community: (Option<Source<'a>>, f64, f64),
    cohort: (Option<Source<'a>>, f64, f64),
    /// How much evidence there is behind the preference, which has a length of 1 however little that is.
    trust: f64,
    at: u64,
    at_ms: f64,
    decay: Decay,
}

impl<'a> Scores<'a> {
    pub(crate) fn new(
        (items, kinds): (&'a Items, &'a Kinds),
        sources: Sources<'a>,
        affinities: &'a Affinities,
        at: u64,
    ) -> Self {
        let trust = affinities.evidence / (affinities.evidence + AFFINITY_PRIOR);
        let by_chance = |category| CHANCE * items.commonness().of(category) * affinities.evidence;
        let categories = affinities.categories.iter().enumerate();
        let categories: Vec<f64> = categories
            .map(|(category, sums)| sums.shrunk(AFFINITY_PRIOR + by_chance(category)))
            .collect();
        Self {
            items,
            kinds,
            affinities,
            about: About::new(items, affinities, &categories, trust, at),
            categories,
            own: (sources.own, ITEM_WEIGHT, ITEM_PRIOR),
            community: (sources.community, COMMUNITY_WEIGHT, GROUP_PRIOR),
            cohort: (sources.cohort, COHORT_WEIGHT, GROUP_PRIOR),
            trust,
            at,
            at_ms: milliseconds(at),
            decay: Decay::default(),
        }
    }

    /// Whether the item's score is certainly less than this: a look at its sketch, then at its rows, as far as they could
    /// still lift it.
    #[inline]
    pub(crate) fn is_below(&self, item: u32, floor: f64) -> bool {
        let sources = [self.own, self.community, self.cohort].map(|(source, weight, prior)| {
            let row = source.map_or(NONE, |source| source.row(item));
            (source, row, weight, prior)
        });
        let mut most = self.about.most(item);
        for (_, row, weight, _) in sources {
            most += if row == NONE { 0.0 } else { weight };
        }
        for (source, row, weight, prior) in sources {
            if most < floor {
                return true;
            }
            if let Some(source) = source
                && row != NONE
            {
                most -= weight - self.most(&source, row, weight, prior);
            }
        }
        most < floor
    }

    /// No less than the part of a row, and hardly more.
    #[inline]
    fn most(&self, source: &Source, row: u32, weight: f64, prior: f64) -> f64 {
        let (mut positive, mut negative) = (0.0, 0.0);
        let row = source.ledger.get(row);
        let (ledger, row) = source
            .sum_of
            .map_or((source.ledger, row), |sums| sums.total_parts(row));
        for part in ledger.accumulators(row) {
            if part.time > self.at && source.sum_of.is_some() {
                // Of what is summed some was more by then than the whole is now: anything up to the weight.
                return weight;
            }
            let half_life = self.kinds.half_life_ns(part.kind);
            let value = part.value * about_factor(self.at.saturating_sub(part.time), half_life);
            if value > 0.0 {
                positive += value;
            } else {
                negative -= value;
            }
        }
        positive *= 1.0 + ABOUT_ERROR;
        negative *= 1.0 - ABOUT_ERROR;
        weight * (positive - negative) / (positive + negative + prior)
    }

    /// A source's part, exactly.
    fn part(&mut self, (source, weight, prior): (Option<Source>, f64, f64), item: u32) -> f64 {
        let mut sums = Decayed::default();
        if let Some(source) = source {
            let row = source.row(item);
            if row != NONE {
                let (row, decay) = (source.ledger.get(row), &mut self.decay);
                if let Some(contributions) = source.sum_of {
                    contributions.total(row, self.at, self.kinds, decay, |value| sums.add(value));
                } else {
                    for part in source.ledger.accumulators(row) {
                        let half_life = self.kinds.half_life_ns(part.kind);
                        sums.add(decay.read(part.value, part.time, half_life, self.at));
                    }
                }
            }
        }
        weight * sums.shrunk(prior)
    }

    /// The item's score and its parts.
    pub(crate) fn of(&mut self, item: u32) -> Ranked {
        let items = self.items;
        let features = items.features(item);
        let local = self.part(self.own, item)
            + CATEGORY_WEIGHT * self.category(features)
            + CREATOR_WEIGHT * self.creator(features)
            + VECTOR_WEIGHT * self.trust * self.similarity(item, features)
            + FRESH_WEIGHT * self.freshness(features);
        let community = self.part(self.community, item);
        let cohort = self.part(self.cohort, item);
        // Adding 0 turns a negative zero into the plain one, which equal scores are told by.
        Ranked {
            id: items.id(item),
            score: local + community + cohort + 0.0,
            local: local + 0.0,
            community: community + 0.0,
            cohort: cohort + 0.0,
        }
    }

    /// Over the root of their number, as in a cosine: an item of two categories that the user likes beats one of either.
    fn category(&self, features: &Features) -> f64 {
        if features.categories.is_empty() {
            return 0.0;
        }
        let known = features
            .categories
            .iter()
            .filter_map(|category| self.categories.get(*category as usize));
        #[expect(clippy::cast_precision_loss, reason = "an item has few categories")]
        let count = features.categories.len() as f64;
        known.sum::<f64>() / count.sqrt()
    }

    fn creator(&self, features: &Features) -> f64 {
        // No creator has no index either.
        self.affinities
            .creators
            .get(features.creator as usize)
            .map_or(0.0, |sums| sums.shrunk(AFFINITY_PRIOR))
    }

    /// The cosine of the angle between the preference and the item's vector.
    #[inline]
    fn similarity(&self, item: u32, features: &Features) -> f64 {
        match features.inverse_norm {
            Some(inverse_norm) if !self.affinities.preference.is_empty() => {
                dot(&self.affinities.preference, self.items.vector(item)) * inverse_norm
            }
            _ => 0.0,
        }
    }

    fn freshness(&mut self, features: &Features) -> f64 {
        features.created_at_ms.map_or(0.0, |created| {
            let age = (self.at_ms - created).max(0.0);
            self.decay.halved(age / FRESH_HALF_LIFE_MS)
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
