//! Kinds of signal and the decayed accumulators that they feed.

mod decay;
mod kind;
mod ledger;
mod places;

pub(crate) use decay::{ABOUT_ERROR, Decay, about_factor};
pub use decay::{milliseconds, nanoseconds};
pub use kind::{Kind, MAX_KINDS, default_kinds};
pub(crate) use kind::{KindWeights, Kinds, valid_weight};
pub(crate) use ledger::{Ledger, NONE, Row, Stored, next_index};
pub(crate) use places::{Places, Recent};
