//! Ranking: candidates, scores as parts that add up, the best first. `docs/architecture.md` has the formulas.

mod about;
mod diversity;
mod score;
mod top;
mod types;

pub(crate) use diversity::spread;
pub(crate) use score::{Scores, Source, Sources};
pub(crate) use top::Best;
pub use types::{PolicyMetadata, Profile, Query, QueryResult, QueryStats, Ranked};
