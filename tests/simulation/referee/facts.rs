//! What the facts refer to (R18, R20).

use super::Referee;
use std::collections::BTreeSet;
use tidegate::governance::ItemId;
use tidegate::log::Remote;

impl Referee {
    /// How many items are known: upserted or referred to by any fact, and not removed (R20).
    pub fn known_items(&self) -> usize {
        let mut items = self.signalled();
        items.extend(self.items.keys());
        items.retain(|item| !matches!(self.items.get(item), Some(None)));
        items.len()
    }

    fn signalled(&self) -> BTreeSet<ItemId> {
        let mut items: BTreeSet<ItemId> = self.local.iter().map(|(_, item, ..)| *item).collect();
        items.extend(self.counted.iter().map(|counted| counted.item));
        items.extend(self.attributed.iter().map(|(_, item)| *item));
        items
    }

    /// The ids that facts refer to: whatever else had a name loses it when somebody is forgotten (R18).
    pub(super) fn referred(&self) -> BTreeSet<u64> {
        let mut ids: BTreeSet<u64> = self.local.iter().map(|(user, ..)| user.0).collect();
        for (user, cohorts) in self
            .cohorts
            .iter()
            .filter(|(_, cohorts)| !cohorts.is_empty())
        {
            ids.insert(user.0);
            ids.extend(cohorts.iter().map(|cohort| cohort.0));
        }
        let counted = self.counted.iter().map(|counted| &counted.pair);
        for (user, community) in self.members.keys().chain(counted) {
            ids.extend([user.0, community.0]);
        }
        ids.extend(self.layer.keys().map(|user| user.0));
        ids.extend(self.attributed.iter().map(|(cohort, _)| cohort.0));
        ids.extend(
            self.signalled()
                .iter()
                .chain(self.items.keys())
                .map(|item| item.0),
        );
        let upserted = self.items.values().flatten();
        ids.extend(upserted.filter_map(|item| item.creator));
        for told in &self.waiting {
            if let Remote::Contribution { provenance, .. } = told.event {
                ids.extend(provenance.writer_agent.map(|agent| agent.0));
            }
        }
        ids
    }
}
