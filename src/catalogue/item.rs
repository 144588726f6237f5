//! An item as an app gives it, and what may be given.

use crate::error::Error;
use crate::governance::ItemId;
use crate::order;
use serde::{Deserialize, Serialize};

/// The longest vector that an item may have.
pub const MAX_DIMENSIONS: u32 = 4096;
/// The longest name of a category, in bytes of UTF-8.
pub(crate) const MAX_CATEGORY: usize = 1024;

/// An item with its features, as an app gives it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Which item.
    pub id: ItemId,
    /// As long as the database's dimensions; finite.
    pub vector: Option<Vec<f32>>,
    /// 1 to 1024 bytes each; order and repetition mean nothing.
    pub categories: Vec<String>,
    /// The id of who made it.
    pub creator: Option<u64>,
    /// Milliseconds since 1970; any finite time.
    pub created_at_ms: Option<f64>,
}

impl Item {
    /// The one form of these features: categories sorted, each once, and no negative zero for a time.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        order::sort(&mut self.categories);
        self.categories.dedup();
        self.created_at_ms = self.created_at_ms.map(|time| time + 0.0);
        self
    }

    pub(crate) fn check(&self, dimensions: u32) -> Result<(), Error> {
        if let Some(vector) = &self.vector
            && (dimensions == 0
                || vector.len() != dimensions as usize
                || vector.iter().any(|value| !value.is_finite()))
        {
            return Err(Error::InvalidArgument("vector"));
        }
        if self
            .categories
            .iter()
            .any(|category| category.is_empty() || category.len() > MAX_CATEGORY)
        {
            return Err(Error::InvalidArgument("categories"));
        }
        if self.created_at_ms.is_some_and(|time| !time.is_finite()) {
            return Err(Error::InvalidArgument("createdAt"));
        }
        Ok(())
    }
}
