//! The referee: from what users of a database said, in the order of its log, who may contribute and how much may count
//! at most. It knows nothing of imports, which may close a gate and never open one (R17).

use std::collections::BTreeMap;
use tidegate::governance::{CommunityId, UserId};

pub type Pair = (UserId, CommunityId);

/// What a call that took effect said.
#[derive(Debug, Clone, Copy)]
pub enum Said {
    /// A join or rejoin, with the epoch that it answered.
    Open(Pair, u32),
    Close(Pair),
    LayerLeft(UserId, u64),
    LayerBack(UserId, u64),
    /// A signal that counted when it was made, under this epoch and after this time of leaving the layer.
    Counted(Pair, u32, u64),
    /// An import that so many contributions at most came with.
    Imported(u64),
}

/// What the list comes to.
#[derive(Debug, Default)]
pub struct Consent {
    rows: BTreeMap<Pair, (u32, bool)>,
    layer: BTreeMap<UserId, (u64, bool)>,
    counted: BTreeMap<CommunityId, u64>,
    imported: u64,
}

impl Consent {
    pub fn of<'a>(said: impl Iterator<Item = &'a Said>) -> Self {
        let mut consent = Self::default();
        said.for_each(|said| consent.hear(*said));
        consent
    }

    fn hear(&mut self, said: Said) {
        match said {
            Said::Open(pair, epoch) => {
                let row = self.rows.entry(pair).or_insert((epoch, true));
                // Within an epoch closed beats open (R6).
                if epoch > row.0 {
                    *row = (epoch, true);
                }
            }
            Said::Close(pair) => {
                self.rows.entry(pair).or_default().1 = false;
            }
            Said::LayerLeft(user, at) => {
                let row = self.layer.entry(user).or_insert((0, true));
                if row.1 || at > row.0 {
                    *row = (at.max(row.0 + 1), false);
                }
            }
            Said::LayerBack(user, at) => {
                let row = self.layer.entry(user).or_insert((0, true));
                if row.0 <= at {
                    *row = (at, true);
                }
            }
            Said::Counted(pair, epoch, layer) => {
                let current = self.rows.get(&pair).is_some_and(|row| row.0 == epoch);
                let seen = layer >= self.layer.get(&pair.0).map_or(0, |row| row.0);
                if current && seen && self.is_open(pair) {
                    *self.counted.entry(pair.1).or_default() += 1;
                }
            }
            Said::Imported(most) => self.imported += most,
        }
    }

    /// Whether a signal may count now (R1).
    pub fn is_open(&self, pair: Pair) -> bool {
        let layer = self.layer.get(&pair.0).is_none_or(|row| row.1);
        layer && self.rows.get(&pair).is_some_and(|row| row.1)
    }

    pub fn most(&self, community: CommunityId) -> u64 {
        self.counted.get(&community).copied().unwrap_or(0) + self.imported
    }
}
