//! The bytes that carry events from one database to another: one checked frame, all or nothing.
//!
//! ```text
//! "TIDX" │ version u16 LE │ CRC-32C of the rest u32 LE │ origin u64 LE │ kinds │ names │ layer │ streams
//! ```

use super::Remote;
use crate::error::Error;
use crate::governance::{CommunityId, CommunityMembership};
use crate::signals::Kind;
use crate::storage::frame;
use serde::{Deserialize, Serialize};

/// The version of exports that is written.
pub const EXPORT_VERSION: u16 = 1;
const MAGIC: [u8; 4] = *b"TIDX";

/// What an export holds: community events, and the kinds and names that they use. Nothing local (R12).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Export {
    /// The database that it comes from.
    #[serde(with = "postcard::fixint::le")]
    pub(crate) origin: u64,
    /// Contributions name their kind by its place here.
    pub(crate) kinds: Vec<Kind>,
    pub(crate) names: Vec<(u64, String)>,
    /// Rows of the community layer of the members concerned; they merge, so they need no numbers.
    pub(crate) layer: Vec<CommunityMembership>,
    pub(crate) streams: Vec<StreamPart>,
}

/// A part of a community's stream. It covers all numbers from `first` to `last`; those that are absent are void (R7).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct StreamPart {
    pub(crate) community: CommunityId,
    pub(crate) first: u64,
    pub(crate) last: u64,
    /// Ascending by number.
    pub(crate) events: Vec<(u64, Remote)>,
}

/// Up to where an export went, per community.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cursor {
    #[serde(with = "postcard::fixint::le")]
    pub(crate) origin: u64,
    pub(crate) marks: Vec<(CommunityId, u64)>,
}

impl Export {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::new();
        frame::put(&mut body, self);
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&EXPORT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&frame::checksum(&body).to_le_bytes());
        bytes.append(&mut body);
        bytes
    }

    /// Reads an export; a missing or trailing byte refuses it whole.
    pub(crate) fn from_bytes(mut bytes: &[u8]) -> Result<Self, Error> {
        let damaged = Error::CorruptEvents;
        if frame::take(&mut bytes) != Some(MAGIC) {
            return Err(damaged);
        }
        let version = u16::from_le_bytes(frame::take(&mut bytes).ok_or(damaged)?);
        if version > EXPORT_VERSION {
            return Err(Error::UnsupportedVersion);
        }
        let checksum = u32::from_le_bytes(frame::take(&mut bytes).ok_or(damaged)?);
        if version == 0 || checksum != frame::checksum(bytes) {
            return Err(damaged);
        }
        let export: Self = frame::read(bytes).ok_or(damaged)?;
        export.is_sound().then_some(export).ok_or(damaged)
    }

    /// Whether its parts agree with each other; what refers to the reader's schema is checked by the reader.
    fn is_sound(&self) -> bool {
        let kinds = self.kinds.iter().all(|kind| kind.check().is_ok());
        let names = self
            .names
            .iter()
            .all(|(_, name)| !name.is_empty() && name.len() <= crate::catalogue::MAX_NAME);
        // An id with two names would be found out only once the first of them is taken in.
        let distinct = self.names.is_sorted_by(|left, right| left.0 < right.0);
        let layer = self.layer.iter().all(|row| row.user_id.0 != 0);
        let ordered = self
            .streams
            .is_sorted_by(|left, right| left.community < right.community);
        kinds
            && names
            && distinct
            && layer
            && ordered
            && self
                .streams
                .iter()
                .all(|part| part.is_sound(self.kinds.len()))
    }
}

impl StreamPart {
    fn is_sound(&self, kinds: usize) -> bool {
        let within = |number: u64| (self.first..=self.last).contains(&number);
        let ordered = self.events.is_sorted_by(|left, right| left.0 < right.0);
        let here = self.events.iter().all(|(number, event)| {
            within(*number) && event.community() == Some(self.community) && event.is_sound(kinds)
        });
        self.first >= 1 && ordered && here
    }
}

impl Cursor {
    /// As text that can be kept anywhere.
    pub(crate) fn to_text(&self) -> String {
        let mut bytes = Vec::new();
        frame::put(&mut bytes, self);
        let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
        bytes
            .iter()
            .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
            .collect()
    }

    /// None for a text that no export gave.
    pub(crate) fn from_text(text: &str) -> Option<Self> {
        let digits: Vec<u8> = text
            .chars()
            .map(|digit| {
                digit
                    .to_digit(16)
                    .and_then(|digit| u8::try_from(digit).ok())
            })
            .collect::<Option<_>>()?;
        let (pairs, rest) = digits.as_chunks::<2>();
        let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
        rest.is_empty().then(|| frame::read(&bytes)).flatten()
    }
}
