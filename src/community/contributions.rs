//! Contributions by (community, user, membership epoch, item, kind), and each community's totals as a view over them.

use crate::catalogue::{Interner, Items};
use crate::governance::{CommunityId, ItemId, UserId};
use crate::journaled::BuildIdHasher;
use crate::order;
use crate::signals::{Decay, Kinds, Ledger, NONE, Row, Stored, next_index};
use hashbrown::HashMap;

/// One user's time in a community under one membership epoch: the owner of contributions. What was counted in one
/// epoch stays apart from every other for good (R6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Tenure {
    pub(crate) community: CommunityId,
    pub(crate) user: UserId,
    pub(crate) epoch: u32,
}

/// Where the user's own row on an item is, and where the contribution's may be.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Beside {
    own: u32,
    guess: u32,
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Contributions {
    index: HashMap<Tenure, u32, BuildIdHasher>,
    tenures: Vec<Tenure>,
    /// The dense index of each tenure's community.
    tenure_communities: Vec<u32>,
    committed: usize,
    /// The tenure last used: signals come in runs.
    recent: u32,
    /// How far the last contribution's row was from the user's own row on the item: both come about together more often
    /// than not, so that the next one is found without a look-up.
    shift: u32,
    communities: Interner,
    /// Rows by (tenure, item): the facts.
    pub(crate) ledger: Ledger,
    /// Rows by (community, item): the view. Never stored. What only one tenure contributed to is its own total, and has no
    /// accumulators here: on a device of one person that is all there is.
    totals: Ledger,
}

impl Contributions {
    /// Every tenure with its index, in no order.
    pub(crate) fn tenures(&self) -> impl Iterator<Item = (Tenure, u32)> {
        self.tenures
            .iter()
            .enumerate()
            .map(|(index, tenure)| (*tenure, next_index(index)))
    }

    #[inline]
    pub(crate) fn tenure(&mut self, tenure: Tenure) -> u32 {
        if self.tenures.get(self.recent as usize) == Some(&tenure) {
            return self.recent;
        }
        let index = self.index.get(&tenure).copied().unwrap_or_else(|| {
            let index = next_index(self.tenures.len());
            self.tenures.push(tenure);
            self.tenure_communities
                .push(self.communities.intern(tenure.community.0));
            self.index.insert(tenure, index);
            index
        });
        self.recent = index;
        index
    }

    /// The row of (tenure, item), made and tied to its total where there is none.
    #[inline]
    pub(crate) fn row(&mut self, tenure: u32, item: u32, items: &mut Items) -> u32 {
        let (slot, new) = self.ledger.row(tenure, item);
        if new {
            items.refer(item);
            self.tie(slot, tenure, item);
        }
        slot
    }

    /// Guesses where a contribution is. Looking at it now spares waiting for it later: the processor fetches both rows
    /// at once.
    #[inline]
    pub(crate) fn beside(&self, own: u32, item: u32) -> Beside {
        let guess = own.wrapping_add(self.shift);
        let right = self.ledger.is(guess, self.recent, item);
        let guess = if right { guess } else { NONE };
        Beside { own, guess }
    }

    /// Reads the contribution that probably is beside the user's own row; the number means nothing.
    #[inline]
    pub(crate) fn look_beside(&self, own: u32) -> u32 {
        self.ledger.look_at(own.wrapping_add(self.shift))
    }

    /// Ties a new row to its total, which is summed up from the second one on.
    fn tie(&mut self, slot: u32, tenure: u32, item: u32) {
        let community = self.tenure_communities[tenure as usize];
        let (total, _) = self.totals.row(community, item);
        let first = core::mem::replace(&mut self.totals.change(total).link, slot);
        if first == NONE {
            return;
        }
        self.ledger.change(slot).link = total;
        self.ledger.set_sibling(slot, first);
        if self.is_total(first) {
            self.ledger.change(first).link = total;
            let row = self.ledger.get(first);
            for part in self.ledger.accumulators(row) {
                self.totals.load(total, part);
            }
        }
    }

    /// Whether a contribution is the only one to its total, which then has no accumulators.
    fn is_total(&self, slot: u32) -> bool {
        self.ledger.get(slot).link == NONE
    }

    /// Counts a contribution; the gate has been asked.
    #[inline]
    pub(crate) fn record(
        &mut self,
        tenure: Tenure,
        beside: Option<Beside>,
        (item, kind, weight, at): (u32, u16, f64, u64),
        items: &mut Items,
        kinds: &Kinds,
        decay: &mut Decay,
    ) {
        let tenure = self.tenure(tenure);
        let slot = match beside {
            Some(beside) if self.ledger.is(beside.guess, tenure, item) => beside.guess,
            _ => self.row(tenure, item, items),
        };
        if let Some(beside) = beside {
            self.shift = slot.wrapping_sub(beside.own);
        }
        let row = self.ledger.change(slot);
        row.count = row.count.saturating_add(1);
        let total = row.link;
        self.ledger.add(slot, kind, weight, at, kinds, decay);
        if total != NONE {
            self.totals.add(total, kind, weight, at, kinds, decay);
        }
    }

    /// Makes room for so many more rows of a tenure with so many accumulators in all.
    pub(crate) fn reserve(&mut self, tenure: u32, rows: usize, accumulators: usize) {
        self.ledger.reserve(tenure, rows, accumulators);
        let community = self.tenure_communities[tenure as usize];
        self.totals.reserve(community, rows, rows);
    }

    /// Puts back a stored accumulator, and adds it to the view.
    pub(crate) fn load(&mut self, slot: u32, stored: Stored, kinds: &Kinds, decay: &mut Decay) {
        self.ledger.load(slot, stored);
        let total = self.ledger.get(slot).link;
        if total != NONE {
            self.totals
                .add(total, stored.kind, stored.value, stored.time, kinds, decay);
        }
    }

    /// The dense index of a community that was contributed to.
    pub(crate) fn community(&self, community: CommunityId) -> Option<u32> {
        self.communities.find(community.0)
    }

    /// Rows by (community, item).
    pub(crate) fn total_ledger(&self) -> &Ledger {
        &self.totals
    }

    /// Where the accumulators of a total are: those of a sole contribution are its own.
    #[inline]
    pub(crate) fn total_parts<'a>(&'a self, total: &'a Row) -> (&'a Ledger, &'a Row) {
        let first = self.ledger.get(total.link);
        if first.link == NONE {
            (&self.ledger, first)
        } else {
            (&self.totals, total)
        }
    }

    /// The values of a total as of `at`.
    pub(crate) fn total(
        &self,
        total: &Row,
        at: u64,
        kinds: &Kinds,
        decay: &mut Decay,
        mut each: impl FnMut(f64),
    ) {
        let (ledger, parts) = self.total_parts(total);
        for accumulator in ledger.accumulators(parts) {
            let half_life = kinds.half_life_ns(accumulator.kind);
            each(if at >= accumulator.time {
                decay.read(accumulator.value, accumulator.time, half_life, at)
            } else {
                // Before the newest contribution the parts have not all decayed alike, so they are added up.
                self.naive(
                    total.link,
                    accumulator.kind,
                    accumulator.negative,
                    at,
                    half_life,
                    decay,
                )
            });
        }
    }

    fn naive(
        &self,
        first: u32,
        kind: u16,
        negative: bool,
        at: u64,
        half_life: f64,
        decay: &mut Decay,
    ) -> f64 {
        let mut sum = 0.0;
        let mut slot = first;
        while slot != NONE {
            let row = self.ledger.get(slot);
            for part in self.ledger.accumulators(row) {
                if part.kind == kind && part.negative == negative {
                    sum += decay.read(part.value, part.time, half_life, at);
                }
            }
            slot = self.ledger.sibling(slot);
        }
        sum
    }

    /// How many contributions were counted per item of a community, in all epochs; ascending by item.
    pub(crate) fn mass(&self, community: CommunityId, items: &Items) -> Vec<(ItemId, u64)> {
        let Some(community) = self.communities.find(community.0) else {
            return Vec::new();
        };
        let mut mass = Vec::new();
        for (_, total) in self.totals.rows_of(community) {
            let mut count = 0_u64;
            let mut slot = total.link;
            while slot != NONE {
                let row = self.ledger.get(slot);
                count = count.saturating_add(u64::from(row.count));
                slot = self.ledger.sibling(slot);
            }
            mass.push((items.id(total.item), count));
        }
        order::sort(&mut mass);
        mass
    }

    pub(crate) fn commit(&mut self) {
        self.committed = self.tenures.len();
        self.communities.commit();
        self.ledger.commit();
        self.totals.commit();
    }

    pub(crate) fn undo(&mut self) {
        self.ledger.undo();
        self.totals.undo();
        for tenure in self.tenures.drain(self.committed..) {
            self.index.remove(&tenure);
        }
        self.tenure_communities.truncate(self.committed);
        self.communities.undo();
    }
}
