//! How common each category is: what share of the items that have any category has this one.

#[derive(Debug, Clone, Default)]
pub(crate) struct Commonness {
    /// How many items have each category, by index; categories past the end have none.
    sizes: Vec<u32>,
    /// How many items have a category.
    categorised: u32,
}

impl Commonness {
    /// An item of these categories came. Each is named once.
    pub(super) fn enter(&mut self, categories: &[u32]) {
        for category in categories {
            let place = *category as usize;
            if self.sizes.len() <= place {
                self.sizes.resize(place + 1, 0);
            }
            self.sizes[place] = self.sizes[place].saturating_add(1);
        }
        self.categorised = self
            .categorised
            .saturating_add(u32::from(!categories.is_empty()));
    }

    /// An item of these categories went.
    pub(super) fn leave(&mut self, categories: &[u32]) {
        for category in categories {
            if let Some(size) = self.sizes.get_mut(*category as usize) {
                *size = size.saturating_sub(1);
            }
        }
        self.categorised = self
            .categorised
            .saturating_sub(u32::from(!categories.is_empty()));
    }

    /// The category's share, 0 … 1.
    pub(crate) fn of(&self, category: usize) -> f64 {
        let size = self.sizes.get(category).copied().unwrap_or(0);
        f64::from(size) / f64::from(self.categorised.max(1))
    }
}
