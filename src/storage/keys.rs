//! Keys: entity id (8 bytes, big-endian) ‖ tag (1 byte) ‖ suffix. All that belongs to one entity stands together.

use crate::order::Words;

/// What a block holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Tag {
    /// Entity 0: origin, dimensions, clock.
    Meta = 0x01,
    /// Entity 0: the kinds of signal.
    Kinds = 0x02,
    /// Entity: a hashed id. Its name.
    Name = 0x03,
    /// Entity 0: the features of all items.
    Items = 0x04,
    /// Entity: a user. The local profile: accumulators, seen, hidden.
    Profile = 0x05,
    /// Entity: a user. The cohorts that they were put in.
    UserCohorts = 0x06,
    /// Entity: a cohort. Its aggregates.
    CohortTotals = 0x07,
    /// Entity: a community; suffix: user, epoch (big-endian). What counted there.
    Contributions = 0x08,
    /// Entity: an origin. The high-water marks of its streams.
    Marks = 0x09,
    /// Entity: a community. Its newest membership epoch.
    CommunityEpoch = 0x0A,
    /// Entity: a community. Its events that wait to be exported.
    Outbox = 0x0B,
    /// Entity: a community. Up to where its events were delivered.
    Acknowledged = 0x0C,
    /// Entity: a user. Their membership rows.
    Membership = 0x0E,
    /// Reserved for purge.
    PurgeManifest = 0x10,
    /// Entity: a user. Their community layer row, 9 bytes.
    CommunityLeave = 0x11,
    /// Entity: a user whose layer is left here and who came back to it elsewhere. The time of leaving that they had seen.
    ReturnedElsewhere = 0x12,
    /// Entity: a user. How often they were forgotten.
    Forgotten = 0x13,
    /// Entity: a user. The marks of their last leaves' tombstones.
    LeaveMarks = 0x14,
}

impl Tag {
    /// The tag of a byte; none for a byte that no tag has.
    #[must_use]
    pub const fn from_byte(byte: u8) -> Option<Self> {
        Some(match byte {
            0x01 => Self::Meta,
            0x02 => Self::Kinds,
            0x03 => Self::Name,
            0x04 => Self::Items,
            0x05 => Self::Profile,
            0x06 => Self::UserCohorts,
            0x07 => Self::CohortTotals,
            0x08 => Self::Contributions,
            0x09 => Self::Marks,
            0x0A => Self::CommunityEpoch,
            0x0B => Self::Outbox,
            0x0C => Self::Acknowledged,
            0x0E => Self::Membership,
            0x10 => Self::PurgeManifest,
            0x11 => Self::CommunityLeave,
            0x12 => Self::ReturnedElsewhere,
            0x13 => Self::Forgotten,
            0x14 => Self::LeaveMarks,
            _ => return None,
        })
    }

    /// Whether blocks of this tag are the local profile, which no membership ever touches (R2).
    #[must_use]
    pub const fn is_local(self) -> bool {
        matches!(self, Self::Items | Self::Profile | Self::UserCohorts)
    }
}

/// A block's key. Keys order as their bytes do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    /// The id of what the block is about.
    pub entity: u64,
    /// What the block holds.
    pub tag: Tag,
    /// Only of `Contributions`: the user and the membership epoch.
    pub suffix: Option<(u64, u32)>,
}

impl Key {
    pub(crate) const fn new(entity: u64, tag: Tag) -> Self {
        Self {
            entity,
            tag,
            suffix: None,
        }
    }

    /// The key as words that order as it does: only keys of one tag have suffixes, and those all have.
    pub(crate) fn words(self) -> Words {
        let (user, epoch) = self.suffix.unwrap_or_default();
        (self.entity, u64::from(self.tag as u8), user, epoch)
    }

    /// The bytes of the key.
    #[must_use]
    pub fn to_bytes(self) -> Vec<u8> {
        let mut bytes = self.entity.to_be_bytes().to_vec();
        bytes.push(self.tag as u8);
        if let Some((user, epoch)) = self.suffix {
            bytes.extend_from_slice(&user.to_be_bytes());
            bytes.extend_from_slice(&epoch.to_be_bytes());
        }
        bytes
    }

    /// Reads a key back; none where these bytes are no key.
    #[must_use]
    pub fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let entity = u64::from_be_bytes(super::frame::take(&mut bytes)?);
        let [tag] = super::frame::take(&mut bytes)?;
        let tag = Tag::from_byte(tag)?;
        let suffix = if matches!(tag, Tag::Contributions) {
            let user = u64::from_be_bytes(super::frame::take(&mut bytes)?);
            Some((user, u32::from_be_bytes(super::frame::take(&mut bytes)?)))
        } else {
            None
        };
        bytes.is_empty().then_some(Self {
            entity,
            tag,
            suffix,
        })
    }
}
