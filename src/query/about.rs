//! Roughly how well an item's features fit, and certainly no less: in `f32` over sketches, so that most items are passed over
//! in one walk through memory. Nothing of it reaches a score.

use super::score::{AFFINITY_PRIOR, CATEGORY_WEIGHT, CREATOR_WEIGHT, FRESH_WEIGHT, VECTOR_WEIGHT};
use crate::catalogue::{Items, Sketch, waned};
use crate::profile::Affinities;
use crate::signals::milliseconds;

/// More than all roundings but those of the vector can come to: some ten of 2^-24 of sums of no more than 6.
const MARGIN: f64 = 1.0 / 131_072.0;
/// More than the rounding of one more dimension of vectors of lengths 1 and `VECTOR_WEIGHT` can come to.
const MARGIN_PER_DIMENSION: f64 = 1.0 / 4_194_304.0;

pub(super) struct About<'a> {
    sketches: &'a [Sketch],
    vectors: &'a [f32],
    dimensions: usize,
    /// Weighed, by index + 1.
    categories: Vec<f32>,
    creators: Vec<f32>,
    /// Weighed; empty where there is none.
    preference: Vec<f32>,
    waned: f64,
    margin: f64,
}

#[expect(clippy::cast_possible_truncation, reason = "rough on purpose")]
impl<'a> About<'a> {
    pub(super) fn new(
        items: &'a Items,
        affinities: &Affinities,
        categories: &[f64],
        trust: f64,
        at: u64,
    ) -> Self {
        let creators = affinities.creators.iter();
        let creators = creators.map(|sums| (CREATOR_WEIGHT * sums.shrunk(AFFINITY_PRIOR)) as f32);
        let categories = categories
            .iter()
            .map(|taste| (CATEGORY_WEIGHT * taste) as f32);
        let scale = VECTOR_WEIGHT * trust;
        Self {
            sketches: items.sketches(),
            vectors: items.vectors(),
            dimensions: items.dimensions() as usize,
            categories: core::iter::once(0.0).chain(categories).collect(),
            creators: core::iter::once(0.0).chain(creators).collect(),
            preference: affinities
                .preference
                .iter()
                .map(|value| (scale * value) as f32)
                .collect(),
            waned: waned(milliseconds(at)),
            margin: MARGIN + MARGIN_PER_DIMENSION * f64::from(items.dimensions()),
        }
    }

    /// No less than the part that the item's features have in its score; NaN where that takes a closer look.
    #[inline]
    pub(super) fn most(&self, item: u32) -> f64 {
        let Some(sketch) = self.sketches.get(item as usize) else {
            return f64::NAN;
        };
        // Nobody has signalled anything of an index past the end.
        let of = |parts: &[f32], index: usize| parts.get(index).copied().unwrap_or(0.0);
        let mut about = 0.0;
        for category in sketch.categories {
            about += of(&self.categories, usize::from(category));
        }
        about = about * sketch.share() + of(&self.creators, sketch.creator as usize);
        if sketch.inverse_norm != 0.0 {
            let start = (sketch.place as usize).saturating_mul(self.dimensions);
            let vector = self.vectors.get(start..);
            let vector = vector.and_then(|vector| vector.get(..self.dimensions));
            let Some(vector) = vector else {
                return f64::NAN;
            };
            about += dot(&self.preference, vector) * sketch.inverse_norm;
        }
        f64::from(about) + FRESH_WEIGHT * sketch.freshness(self.waned) + self.margin
    }
}

/// Eight sums side by side; 0 where one of them is empty.
#[inline]
fn dot(left: &[f32], right: &[f32]) -> f32 {
    let (left_rows, left_rest) = left.as_chunks::<8>();
    let (right_rows, right_rest) = right.as_chunks::<8>();
    let mut sums = [0.0_f32; 8];
    for (left, right) in left_rows.iter().zip(right_rows) {
        for lane in 0..8 {
            sums[lane] += left[lane] * right[lane];
        }
    }
    let rest: f32 = left_rest
        .iter()
        .zip(right_rest)
        .map(|(left, right)| left * right)
        .sum();
    let [a, b, c, d]: [f32; 4] = core::array::from_fn(|lane| sums[lane] + sums[lane + 4]);
    ((a + c) + (b + d)) + rest
}
