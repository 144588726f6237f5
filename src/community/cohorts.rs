//! Aggregates of cohorts: what the signals of their users add up to, by (cohort, item, kind). No user is kept in them.

use crate::catalogue::{Interner, Items};
use crate::governance::CohortId;
use crate::signals::{Decay, Kinds, Ledger};

#[derive(Debug, Clone, Default)]
pub(crate) struct Cohorts {
    cohorts: Interner,
    /// Rows by (cohort, item).
    pub(crate) ledger: Ledger,
}

impl Cohorts {
    pub(crate) fn find(&self, cohort: CohortId) -> Option<u32> {
        self.cohorts.find(cohort.0)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (CohortId, u32)> {
        self.cohorts.iter().map(|(id, index)| (CohortId(id), index))
    }

    /// The row of (cohort, item), made where there is none.
    pub(crate) fn row(&mut self, cohort: CohortId, item: u32, items: &mut Items) -> u32 {
        let cohort = self.cohorts.intern(cohort.0);
        let (slot, new) = self.ledger.row(cohort, item);
        if new {
            items.refer(item);
        }
        slot
    }

    /// Makes room for so many more rows of a cohort with so many accumulators in all.
    pub(crate) fn reserve(&mut self, cohort: CohortId, rows: usize, accumulators: usize) {
        let cohort = self.cohorts.intern(cohort.0);
        self.ledger.reserve(cohort, rows, accumulators);
    }

    /// Counts a signal of one of the cohort's users.
    pub(crate) fn record(
        &mut self,
        cohort: CohortId,
        (item, kind, weight, at): (u32, u16, f64, u64),
        items: &mut Items,
        kinds: &Kinds,
        decay: &mut Decay,
    ) {
        let slot = self.row(cohort, item, items);
        let row = self.ledger.change(slot);
        row.count = row.count.saturating_add(1);
        self.ledger.add(slot, kind, weight, at, kinds, decay);
    }

    pub(crate) fn commit(&mut self) {
        self.cohorts.commit();
        self.ledger.commit();
    }

    pub(crate) fn undo(&mut self) {
        self.ledger.undo();
        self.cohorts.undo();
    }
}
