//! Ranking: candidates, scores as parts that add up, the best first. `docs/architecture.md` has the formulas.

mod diversity;
mod score;
mod top;
mod types;

pub(crate) use diversity::spread;
pub(crate) use score::{Scores, Scratch};
pub(crate) use top::best;
pub use types::{PolicyMetadata, Profile, Query, QueryResult, QueryStats, Ranked};
