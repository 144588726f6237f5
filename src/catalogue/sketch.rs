//! What a query reads of every item, 32 bytes in the order of the items: enough to tell in one pass that an item cannot be
//! among the best. What is among them is then scored from the features themselves, so a sketch may be coarse. It may not be
//! wrong: what does not fit is NaN, which is below nothing.

use super::Features;

/// What is new counts half after so long.
pub(crate) const FRESH_HALF_LIFE_MS: f64 = 30.0 * 24.0 * 3_600_000.0;
/// Freshness is stored as of this time, 2020-01-01: reading it takes one multiplication.
const LANDMARK_MS: f64 = 1_577_836_800_000.0;
/// How many half-lives away from the landmark something may be created; before that it is not fresh, after that it is.
const FARTHEST_CREATED: f64 = 500.0;
/// How many half-lives away from the landmark a query may be, 36 years. It is less, so that what is created farther away is
/// 50 half-lives from any such query.
const FARTHEST_READ: f64 = 450.0;
/// So many categories fit in.
const INLINE: usize = 5;
/// A length of a vector that is farther from 1 than this leaves the range of `f32` when it is multiplied.
const LONGEST: f64 = 1e30;

#[derive(Debug, Clone)]
pub(crate) struct Sketch {
    /// 2^(time after the landmark / half-life); 0 without a date.
    born: f64,
    /// Where the vector is.
    pub(crate) place: u32,
    /// As in the features; 0 without a vector.
    pub(crate) inverse_norm: f32,
    /// Its index + 1; 0 for none.
    pub(crate) creator: u32,
    /// Their indices + 1; 0 for none.
    pub(crate) categories: [u16; INLINE],
    /// How many categories there are, in words of `SHARES`.
    count: u16,
}

/// 1 by the root of the number of categories.
const SHARES: [f32; INLINE + 2] = [
    0.0,
    1.0,
    core::f32::consts::FRAC_1_SQRT_2,
    0.577_350_26,
    0.5,
    0.447_213_6,
    f32::NAN,
];

impl Sketch {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a sketch is as exact as an f32"
    )]
    pub(crate) fn of(features: &Features, place: u32) -> Self {
        let mut categories = [0; INLINE];
        let mut fits = features.categories.len() <= INLINE;
        for (into, category) in categories.iter_mut().zip(&features.categories) {
            let category = u16::try_from(category.saturating_add(1));
            fits &= category.is_ok();
            *into = category.unwrap_or(0);
        }
        let count = if fits {
            features.categories.len()
        } else {
            INLINE + 1
        };
        let inverse_norm = features.inverse_norm.unwrap_or(0.0);
        let in_range = inverse_norm == 0.0 || (LONGEST.recip()..=LONGEST).contains(&inverse_norm);
        Self {
            born: features.created_at_ms.map_or(0.0, born),
            place,
            inverse_norm: if in_range {
                inverse_norm as f32
            } else {
                f32::NAN
            },
            creator: features.creator.wrapping_add(1),
            categories,
            count: u16::try_from(count).unwrap_or(u16::MAX),
        }
    }

    /// 1 by the root of the number of categories; 0 for none, NaN where they do not fit in.
    #[inline]
    pub(crate) fn share(&self) -> f32 {
        SHARES
            .get(usize::from(self.count))
            .copied()
            .unwrap_or(f32::NAN)
    }

    /// How fresh it is, 0 … 1, when the landmark has waned so far.
    #[inline]
    pub(crate) fn freshness(&self, waned: f64) -> f64 {
        let fresh = self.born * waned;
        // Not `min`, which makes a number of NaN.
        if fresh > 1.0 { 1.0 } else { fresh }
    }
}

fn born(created_at_ms: f64) -> f64 {
    let after = (created_at_ms - LANDMARK_MS) / FRESH_HALF_LIFE_MS;
    if after < -FARTHEST_CREATED {
        0.0
    } else {
        libm::exp2(after.min(FARTHEST_CREATED))
    }
}

/// How much something of the landmark's time is worth at a time; NaN where that is too far away.
pub(crate) fn waned(at_ms: f64) -> f64 {
    let before = (LANDMARK_MS - at_ms) / FRESH_HALF_LIFE_MS;
    if before.abs() > FARTHEST_READ {
        f64::NAN
    } else {
        libm::exp2(before)
    }
}
