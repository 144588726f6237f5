//! What a member shares with a community.

use std::fmt;

use serde::de::{self, SeqAccess, Visitor};
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::KindId;

const WORDS: usize = 4;
const WORD_BITS: usize = 64;

/// A set of signal kinds, as one bit for each of the 256 that a schema can have: it is asked on every contribution, so
/// that membership costs one shift and the set is copied, not allocated.
///
/// On the wire it is the words up to the last one that is not zero, so that equal sets have equal bytes (R13).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct KindSet {
    words: [u64; WORDS],
}

impl KindSet {
    /// The set of no kinds.
    pub const EMPTY: Self = Self { words: [0; WORDS] };

    /// Adds a kind. Returns `false`, with nothing changed, for a number above 255: no schema has such a kind.
    pub fn insert(&mut self, kind: KindId) -> bool {
        let (word, bit) = place(kind);
        self.words.get_mut(word).map(|word| *word |= bit).is_some()
    }

    /// Whether the kind is in the set; O(1).
    #[must_use]
    pub fn contains(&self, kind: KindId) -> bool {
        let (word, bit) = place(kind);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// The kinds in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = KindId> + '_ {
        (0..=u16::from(u8::MAX))
            .map(KindId)
            .filter(|&kind| self.contains(kind))
    }

    /// The number of kinds in the set, 0 to 256.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether the set has no kinds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }
}

/// The word of a kind and its bit in there. The word is out of range for a number above 255.
fn place(kind: KindId) -> (usize, u64) {
    let number = usize::from(kind.0);
    (number / WORD_BITS, 1 << (number % WORD_BITS))
}

impl Serialize for KindSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let used = self
            .words
            .iter()
            .rposition(|&word| word != 0)
            .map_or(0, |last| last + 1);
        let mut words = serializer.serialize_seq(Some(used))?;
        for word in self.words.iter().take(used) {
            words.serialize_element(word)?;
        }
        words.end()
    }
}

impl<'de> Deserialize<'de> for KindSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(WordsVisitor)
    }
}

struct WordsVisitor;

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = KindSet;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("at most four words, the last one not zero")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<KindSet, A::Error> {
        let mut set = KindSet::EMPTY;
        let mut last = None;
        let mut slots = set.words.iter_mut();
        while let Some(word) = seq.next_element::<u64>()? {
            let Some(slot) = slots.next() else {
                return Err(de::Error::invalid_length(WORDS + 1, &self));
            };
            *slot = word;
            last = Some(word);
        }
        if last == Some(0) {
            return Err(de::Error::invalid_value(de::Unexpected::Unsigned(0), &self));
        }
        Ok(set)
    }
}

/// Which kinds of signal a member shares.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum ShareMode {
    /// All kinds, also those that the schema gets later.
    #[default]
    All,
    /// No kind: a member who reads along.
    None,
    /// These kinds only.
    Kinds(KindSet),
}

impl ShareMode {
    /// Whether a schema of so many kinds has every kind that is named.
    pub(crate) fn is_within(&self, kinds: usize) -> bool {
        match self {
            Self::All | Self::None => true,
            Self::Kinds(named) => named.iter().all(|kind| usize::from(kind.0) < kinds),
        }
    }

    /// Whether signals of the kind are shared; O(1).
    #[must_use]
    pub fn shares(&self, kind: KindId) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Kinds(kinds) => kinds.contains(kind),
        }
    }
}

/// What a member agreed to share, and under which version of the agreement.
///
/// ```
/// # fn main() -> Result<(), tidegate::Error> {
/// use tidegate::governance::{KindSet, ShareMode, SharePolicy};
/// use tidegate::{CommunityId, Config, Engine, Error, ItemId, Outcome, Signal, UserId};
///
/// # let (ada, noir, now_ns) = (UserId(1), CommunityId(7), 1_700_000_000_000_000_000);
/// let mut engine = Engine::new(&Config::default())?;
/// let (like, view) = (engine.kind("like"), engine.kind("view"));
/// let (like, view) = like.zip(view).ok_or(Error::UnknownKind)?;
/// let mut likes = KindSet::EMPTY;
/// likes.insert(like);
/// engine.join(ada, noir, Some(SharePolicy { version: 2, mode: ShareMode::Kinds(likes) }), now_ns)?;
///
/// let viewed = Signal { community: Some(noir), ..Signal::new(ada, ItemId(100), view) };
/// assert_eq!(engine.signal(&viewed, now_ns)?, Outcome::PolicyExcluded);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SharePolicy {
    /// The version of the agreement: stamped on every contribution (R5), given by the host, compared with nothing.
    pub version: u16,
    /// The kinds that are shared.
    pub mode: ShareMode,
}

impl Default for SharePolicy {
    /// Version 1, all kinds.
    fn default() -> Self {
        Self {
            version: 1,
            mode: ShareMode::All,
        }
    }
}
