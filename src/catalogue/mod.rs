//! What ids stand for: items with their features, names, dense indices.

mod commonness;
mod indices;
mod interner;
mod item;
mod items;
mod names;
mod sketch;

pub(crate) use commonness::Commonness;
pub(crate) use indices::Indices;
pub use interner::Hint;
pub(crate) use interner::Interner;
pub(crate) use item::MAX_CATEGORY;
pub use item::{Item, MAX_DIMENSIONS};
pub(crate) use items::{Features, Items};
pub(crate) use names::Names;
pub use names::{MAX_NAME, name_id};
pub(crate) use sketch::{FRESH_HALF_LIFE_MS, Sketch, waned};
