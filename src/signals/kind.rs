//! Kinds of signal: the schema, frozen into the data once a kind has been used (R19).

use crate::error::Error;
use crate::governance::KindId;
use serde::{Deserialize, Serialize};

/// How many kinds a database may have.
pub const MAX_KINDS: usize = 256;
/// The longest name of a kind, in bytes of UTF-8.
const MAX_KIND_NAME: usize = 1024;
const DAY_NS: u64 = 24 * 3_600 * 1_000_000_000;

/// One kind of signal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Kind {
    /// Its name, such as `like`; 1 to 1024 bytes.
    pub name: String,
    /// The weight of a signal that gives none; finite, at most 1e6 in size. Negative counts against the item.
    pub weight: f64,
    /// After how many nanoseconds a signal weighs half; at least 1.
    pub half_life_ns: u64,
    /// The item counts as seen by the user.
    pub seen: bool,
    /// The item is hidden from the user from now on (a hard negative).
    pub hide: bool,
}

impl Kind {
    pub(crate) fn check(&self) -> Result<(), Error> {
        if self.name.is_empty() || self.name.len() > MAX_KIND_NAME || self.half_life_ns == 0 {
            return Err(Error::InvalidArgument("signals"));
        }
        if !valid_weight(self.weight) {
            return Err(Error::InvalidWeight("signals"));
        }
        Ok(())
    }

    /// Whether stored data read under `other` means the same: the default weight may change, the rest may not.
    fn means_the_same(&self, other: &Self) -> bool {
        self.half_life_ns == other.half_life_ns
            && self.seen == other.seen
            && self.hide == other.hide
    }
}

/// A weight is finite and at most 1e6 in size (R15).
pub(crate) fn valid_weight(weight: f64) -> bool {
    weight.abs() <= 1e6
}

/// The kinds that every database starts with.
#[must_use]
pub fn default_kinds() -> Vec<Kind> {
    let kind = |name: &str, weight, days: u64, seen, hide| Kind {
        name: name.into(),
        weight,
        half_life_ns: days * DAY_NS,
        seen,
        hide,
    };
    vec![
        kind("impression", 0.0, 30, true, false),
        kind("view", 1.0, 30, true, false),
        kind("click", 2.0, 30, true, false),
        kind("like", 4.0, 180, true, false),
        kind("save", 4.0, 180, false, false),
        kind("share", 6.0, 180, false, false),
        kind("skip", -1.0, 30, true, false),
        kind("dislike", -4.0, 180, true, false),
        kind("hide", 0.0, 180, false, true),
    ]
}

/// What a signal asks of its kind.
#[derive(Debug, Clone, Copy)]
struct Traits {
    half_life_ns: f64,
    /// Kinds with one half-life decay alike, so that views keep one value for all of them.
    class: usize,
    seen: bool,
    hide: bool,
}

/// The schema: kinds by number. Kinds are only ever added.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kinds {
    list: Vec<Kind>,
    /// What every signal asks of its kind, side by side.
    traits: Vec<Traits>,
    class_half_lives: Vec<f64>,
    committed: usize,
}

impl Kinds {
    pub(crate) fn list(&self) -> &[Kind] {
        &self.list
    }

    pub(crate) fn find(&self, name: &str) -> Option<KindId> {
        let at = self.list.iter().position(|kind| kind.name == name)?;
        u16::try_from(at).ok().map(KindId)
    }

    pub(crate) fn get(&self, kind: KindId) -> Option<&Kind> {
        self.list.get(usize::from(kind.0))
    }

    /// The half-life in nanoseconds. Kinds are checked at the doors, so the fallback is never read.
    #[inline]
    pub(crate) fn half_life_ns(&self, kind: u16) -> f64 {
        self.traits
            .get(usize::from(kind))
            .map_or(1.0, |traits| traits.half_life_ns)
    }

    /// Whether a signal of the kind marks its item as seen, and whether it hides it.
    #[inline]
    pub(crate) fn roles(&self, kind: KindId) -> (bool, bool) {
        self.traits
            .get(usize::from(kind.0))
            .map_or((false, false), |traits| (traits.seen, traits.hide))
    }

    /// The number of the kind's half-life among the distinct ones.
    #[inline]
    pub(crate) fn class(&self, kind: u16) -> usize {
        self.traits
            .get(usize::from(kind))
            .map_or(0, |traits| traits.class)
    }

    pub(crate) fn class_half_lives(&self) -> &[f64] {
        &self.class_half_lives
    }

    /// Which of `kinds` are new; an error where one contradicts the schema (R19).
    pub(crate) fn new_ones(&self, kinds: &[Kind]) -> Result<Vec<Kind>, Error> {
        // Each is compared with all, so too many are refused before.
        if kinds.len() > MAX_KINDS {
            return Err(Error::InvalidArgument("signals"));
        }
        let mut new: Vec<Kind> = Vec::new();
        for kind in kinds {
            kind.check()?;
            if let Some(known) = self
                .list
                .iter()
                .chain(&new)
                .find(|known| known.name == kind.name)
            {
                if !known.means_the_same(kind) {
                    return Err(Error::SchemaMismatch);
                }
            } else {
                new.push(kind.clone());
            }
        }
        if self.list.len() + new.len() > MAX_KINDS {
            return Err(Error::InvalidArgument("signals"));
        }
        Ok(new)
    }

    /// Appends kinds; those of a name that is there are passed over.
    pub(crate) fn add(&mut self, kinds: &[Kind]) {
        for kind in kinds {
            if self.list.len() < MAX_KINDS && self.find(&kind.name).is_none() {
                self.list.push(kind.clone());
            }
        }
        self.derive();
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "a half-life needs no more than 53 bits"
    )]
    fn derive(&mut self) {
        self.class_half_lives.clear();
        self.traits.clear();
        for kind in &self.list {
            let half_life_ns = kind.half_life_ns as f64;
            let classes = &mut self.class_half_lives;
            let known = classes
                .iter()
                .position(|known| known.to_bits() == half_life_ns.to_bits());
            let class = known.unwrap_or(classes.len());
            if known.is_none() {
                classes.push(half_life_ns);
            }
            self.traits.push(Traits {
                half_life_ns,
                class,
                seen: kind.seen,
                hide: kind.hide,
            });
        }
    }

    /// Whether the database has no schema yet, and so has nothing.
    pub(crate) fn nothing_committed(&self) -> bool {
        self.committed == 0
    }

    pub(crate) fn commit(&mut self) {
        self.committed = self.list.len();
    }

    pub(crate) fn undo(&mut self) {
        if self.list.len() != self.committed {
            self.list.truncate(self.committed);
            self.derive();
        }
    }
}

/// The default weights of one handle, by kind: those that it was given, else those of the schema.
#[derive(Debug, Clone, Default)]
pub(crate) struct KindWeights {
    weights: Vec<f64>,
    given: Vec<(String, f64)>,
}

impl KindWeights {
    /// Notes the weights that a handle gives to kinds.
    pub(crate) fn give(&mut self, kinds: &[Kind]) {
        let given = kinds.iter().map(|kind| (kind.name.clone(), kind.weight));
        self.given.extend(given);
    }

    /// Follows a schema that may have grown.
    pub(crate) fn follow(&mut self, kinds: &Kinds) {
        self.weights = kinds.list.iter().map(|kind| kind.weight).collect();
        for (name, weight) in &self.given {
            let found = kinds.find(name);
            if let Some(place) = found.and_then(|found| self.weights.get_mut(usize::from(found.0)))
            {
                *place = *weight;
            }
        }
    }

    #[inline]
    pub(crate) fn get(&self, kind: KindId) -> Option<f64> {
        self.weights.get(usize::from(kind.0)).copied()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = f64> {
        self.weights.iter().copied()
    }
}
