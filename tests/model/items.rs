//! The reference model: what is known of items (R20).

use crate::reference::{Catalogued, Item, Model, Refused};

impl Model {
    pub fn features(&self, item: u64) -> Option<&Item> {
        self.items
            .iter()
            .find(|row| row.id == item)
            .and_then(|row| row.features.as_ref())
    }

    /// R20: upserted or signalled, and not removed since. What was forgotten still refers to its item where it counted
    /// or was attributed, whatever its weight.
    pub fn known(&self, item: u64) -> bool {
        match self.items.iter().find(|row| row.id == item) {
            Some(row) => row.features.is_some(),
            None => self.events.iter().any(|event| {
                let refers =
                    !event.forgotten || event.counted.is_some() || !event.cohorts.is_empty();
                event.item == item && refers
            }),
        }
    }

    /// All known items, ascending.
    pub fn known_items(&self) -> Vec<u64> {
        let mut ids: Vec<u64> = self.items.iter().map(|row| row.id).collect();
        ids.extend(self.events.iter().map(|event| event.item));
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|&id| self.known(id));
        ids
    }

    /// True where the features differ from what they were, or there were none.
    pub fn upsert(&mut self, item: &Item) -> Result<bool, Refused> {
        let good_vector = item.vector.as_ref().is_none_or(|vector| {
            self.dimensions > 0
                && vector.len() == self.dimensions
                && vector.iter().all(|part| part.is_finite())
        });
        if !good_vector
            || item
                .categories
                .iter()
                .any(|name| name.is_empty() || name.len() > 1024)
        {
            return Err(Refused::Argument);
        }
        let mut item = item.clone();
        item.categories.sort();
        item.categories.dedup();
        let bits = |item: &Item| {
            item.vector
                .as_ref()
                .map(|v| v.iter().map(|part| part.to_bits()).collect::<Vec<_>>())
        };
        let same = self
            .features(item.id)
            .is_some_and(|old| *old == item && bits(old) == bits(&item));
        self.items.retain(|row| row.id != item.id);
        self.items.push(Catalogued {
            id: item.id,
            features: Some(item),
        });
        Ok(!same)
    }

    /// True where the item was known.
    pub fn remove(&mut self, item: u64) -> bool {
        let known = self.known(item);
        if known {
            self.items.retain(|row| row.id != item);
            self.items.push(Catalogued {
                id: item,
                features: None,
            });
        }
        known
    }
}
