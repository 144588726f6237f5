//! Kinds of signal and the decayed accumulators that they feed.

mod decay;
mod kind;
mod ledger;

pub(crate) use decay::Decay;
pub use decay::{milliseconds, nanoseconds};
pub use kind::{Kind, MAX_KINDS, default_kinds};
pub(crate) use kind::{KindWeights, Kinds, valid_weight};
pub(crate) use ledger::{Accumulator, Ledger, NONE, Stored, next_index};
