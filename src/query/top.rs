//! The best so many, without sorting all.

use super::Ranked;
use core::cmp::Ordering;

/// Higher scores first; equal scores by ascending id (R14).
pub(crate) fn order(left: &Ranked, right: &Ranked) -> Ordering {
    right
        .score
        .total_cmp(&left.score)
        .then(left.id.cmp(&right.id))
}

/// Sorts the best `count` to the front and drops the rest.
pub(crate) fn best(mut ranked: Vec<Ranked>, count: usize) -> Vec<Ranked> {
    if count < ranked.len() {
        if count > 0 {
            ranked.select_nth_unstable_by(count - 1, order);
        }
        ranked.truncate(count);
    }
    ranked.sort_unstable_by(order);
    ranked
}
