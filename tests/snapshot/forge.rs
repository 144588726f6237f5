//! Snapshots and log rows written by hand, from the formats as `docs/` draws them: so that whatever is wrong with them
//! is behind a right checksum.

use serde::Serialize;
use tidegate::catalogue::{Item, name_id};
use tidegate::governance::{
    CommunityId, ItemId, Membership, ShareMode, SharePolicy, UserId, serialize_membership,
};
use tidegate::governance::{CommunityMembership, MembershipState, MembershipStatus};
use tidegate::log::{Event, RowHeader};
use tidegate::replication::Stream;
use tidegate::signals::{Kind, default_kinds};

pub const T0: u64 = 1_700_000_000_000;
pub const MILLISECOND: u64 = 1_000_000;
pub const ORIGIN: u64 = 77;
pub const USER: u64 = 1;
pub const ITEM: u64 = 10;
pub const COMMUNITY: u64 = 7;
pub const COHORT: u64 = 8;

pub const META: u8 = 0x01;
pub const KINDS: u8 = 0x02;
pub const NAME: u8 = 0x03;
pub const ITEMS: u8 = 0x04;
pub const PROFILE: u8 = 0x05;
pub const USER_COHORTS: u8 = 0x06;
pub const COHORT_TOTALS: u8 = 0x07;
pub const CONTRIBUTIONS: u8 = 0x08;
pub const MARKS: u8 = 0x09;
pub const COMMUNITY_EPOCH: u8 = 0x0A;
pub const MEMBERSHIP: u8 = 0x0E;
pub const COMMUNITY_LEAVE: u8 = 0x11;
pub const LEAVE_MARKS: u8 = 0x14;

/// CRC-32C, bit by bit.
pub fn checksum(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0x82F6_3B78 & (crc & 1).wrapping_neg());
    !bytes
        .iter()
        .fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

pub fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7F {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}

/// A value as postcard writes it.
pub fn bytes_of<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap()
}

/// A snapshot's frame around a body.
pub fn framed(body: &[u8]) -> Vec<u8> {
    let mut bytes = b"TIDE\x01\x00".to_vec();
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(checksum(body).to_le_bytes());
    bytes.extend(body);
    bytes
}

pub fn key(entity: u64, tag: u8) -> Vec<u8> {
    let mut key = entity.to_be_bytes().to_vec();
    key.push(tag);
    key
}

pub fn contributions_key(community: u64, user: u64, epoch: u32) -> Vec<u8> {
    let mut key = key(community, CONTRIBUTIONS);
    key.extend(user.to_be_bytes());
    key.extend(epoch.to_be_bytes());
    key
}

pub type Block = (Vec<u8>, Vec<u8>);

/// A snapshot of these blocks, in the order in which they are given.
pub fn snapshot(blocks: &[Block]) -> Vec<u8> {
    let mut body = Vec::new();
    for part in blocks.iter().flat_map(|(key, value)| [key, value]) {
        body.extend(varint(part.len() as u64));
        body.extend(part);
    }
    framed(&body)
}

#[derive(Clone, Serialize)]
pub struct Meta {
    #[serde(with = "postcard::fixint::le")]
    pub origin: u64,
    pub dimensions: u32,
    pub clock: u64,
    pub outbox: bool,
}

/// Accumulators in columns.
#[derive(Clone, Default, Serialize)]
pub struct Columns {
    pub items: Vec<u64>,
    pub shapes: Vec<u32>,
    pub counts: Vec<u32>,
    pub codes: Vec<u16>,
    pub values: Vec<f64>,
    pub unit: u64,
    pub earliest: u64,
    pub times: Vec<u64>,
}

impl Columns {
    /// Item 10 with a positive and a negative accumulator of kind 1; item 12 with a positive one of kind 3.
    fn plain(flags: u32, counts: &[u32]) -> Self {
        Self {
            items: vec![ITEM, 2],
            shapes: vec![2 << 2 | flags, 1 << 2],
            counts: counts.to_vec(),
            codes: vec![2, 3, 6],
            values: vec![1.5, -0.25, 4.0],
            unit: MILLISECOND,
            earliest: T0,
            times: vec![5, 0, 1_000],
        }
    }
}

/// The catalogue in columns.
#[derive(Clone, Default)]
pub struct Catalogue {
    /// Each as the difference to the one before.
    pub ids: Vec<u64>,
    /// 1 removed, 2 with a creator, 4 with a time, 8 with a vector.
    pub flags: Vec<u8>,
    pub names: Vec<Vec<u8>>,
    /// How many categories each item has.
    pub numbers: Vec<u64>,
    /// Places among the names.
    pub categories: Vec<u64>,
    /// Each as the difference to the one before.
    pub creators: Vec<u64>,
    /// Places among the creators.
    pub makers: Vec<u64>,
    pub times: Vec<f64>,
    pub vectors: Vec<f32>,
}

impl Catalogue {
    /// An item with everything, one with nothing, and one that was removed.
    fn plain() -> Self {
        Self {
            ids: vec![ITEM, 1, 1],
            flags: vec![2 | 4 | 8, 0, 1],
            names: vec![b"drama".to_vec(), b"noir".to_vec()],
            numbers: vec![2, 0, 0],
            categories: vec![0, 1],
            creators: vec![3],
            makers: vec![0],
            times: vec![1.5e12],
            vectors: vec![1.0, -0.0],
        }
    }

    /// So many items that were removed: nothing takes less.
    pub fn removed(count: u32) -> Self {
        Self {
            ids: (0..count).map(|_| 1).collect(),
            flags: (0..count).map(|_| 1).collect(),
            numbers: (0..count).map(|_| 0).collect(),
            ..Self::default()
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        let varints = |values: &[u64]| {
            values
                .iter()
                .flat_map(|value| varint(*value))
                .collect::<Vec<_>>()
        };
        let mut bytes = varint(self.ids.len() as u64);
        bytes.extend(varints(&self.ids));
        bytes.extend(&self.flags);
        bytes.extend(varint(self.names.len() as u64));
        for name in &self.names {
            bytes.extend(varint(name.len() as u64));
            bytes.extend(name);
        }
        bytes.extend(varints(&self.numbers));
        bytes.extend(varints(&self.categories));
        bytes.extend(varint(self.creators.len() as u64));
        bytes.extend(varints(&self.creators));
        bytes.extend(varints(&self.makers));
        bytes.extend(self.times.iter().flat_map(|time| time.to_le_bytes()));
        bytes.extend(self.vectors.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }
}

/// A whole database with one block of every tag, each field of which may be made to lie.
#[derive(Clone)]
pub struct Forgery {
    pub meta: Meta,
    pub kinds: Vec<Kind>,
    pub name: Vec<u8>,
    pub items: Catalogue,
    pub signals: u64,
    pub profile: Columns,
    pub user_cohorts: Vec<u64>,
    pub cohort: Columns,
    pub contributions: Columns,
    pub marks: Vec<(Stream, u64)>,
    pub epoch: u32,
    pub memberships: Vec<Membership>,
    pub layer: Vec<u8>,
}

/// The item that has everything, as an event has it.
pub fn item() -> Item {
    Item {
        id: ItemId(ITEM),
        vector: Some(vec![1.0, -0.0]),
        categories: vec!["drama".into(), "noir".into()],
        creator: Some(3),
        created_at_ms: Some(1.5e12),
    }
}

impl Forgery {
    /// Nothing wrong with it.
    pub fn plain() -> Self {
        let policy = SharePolicy {
            version: 1,
            mode: ShareMode::All,
        };
        let membership = |community| {
            let row = Membership::joined(UserId(USER), CommunityId(community), policy, T0);
            Membership {
                contributing_epoch: Some(0),
                ..row
            }
        };
        let left = membership(COMMUNITY + 1);
        left.engage_stop_forward(T0 + 1);
        let layer = CommunityMembership {
            user_id: UserId(USER),
            status: MembershipStatus::Active,
            left_at_ns: Some(T0),
        };
        Self {
            meta: Meta {
                origin: ORIGIN,
                dimensions: 2,
                clock: T0 << 16,
                outbox: false,
            },
            kinds: default_kinds(),
            name: b"ada".to_vec(),
            items: Catalogue::plain(),
            signals: 4,
            profile: Columns::plain(1, &[]),
            user_cohorts: vec![COHORT, COHORT + 1],
            cohort: Columns::plain(0, &[2, 1]),
            contributions: Columns::plain(0, &[2, 1]),
            marks: vec![
                (Stream::Local, 1),
                (Stream::Community(CommunityId(COMMUNITY)), 3),
            ],
            epoch: 0,
            memberships: vec![
                membership(COMMUNITY),
                Membership {
                    state: MembershipState::Left,
                    ..left
                },
            ],
            layer: serialize_membership(&layer).to_vec(),
        }
    }

    /// Its blocks, sorted by key.
    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = vec![
            (key(0, META), bytes_of(&self.meta)),
            (key(0, KINDS), bytes_of(&self.kinds)),
            (key(name_id("ada"), NAME), self.name.clone()),
            (key(0, ITEMS), self.items.bytes()),
            (key(USER, PROFILE), bytes_of(&(self.signals, &self.profile))),
            (key(USER, USER_COHORTS), bytes_of(&self.user_cohorts)),
            (key(COHORT, COHORT_TOTALS), bytes_of(&self.cohort)),
            (
                contributions_key(COMMUNITY, USER, 0),
                bytes_of(&self.contributions),
            ),
            (key(ORIGIN, MARKS), bytes_of(&self.marks)),
            (key(COMMUNITY, COMMUNITY_EPOCH), bytes_of(&self.epoch)),
            (key(USER, MEMBERSHIP), bytes_of(&self.memberships)),
            (key(USER, COMMUNITY_LEAVE), self.layer.clone()),
        ];
        blocks.sort();
        blocks
    }

    pub fn snapshot(&self) -> Vec<u8> {
        snapshot(&self.blocks())
    }
}

/// A log row's body as it is written: what its events share comes first.
#[derive(Clone, Serialize)]
pub struct Row {
    pub header: RowHeader,
    pub unit: u64,
    pub ids: Vec<u64>,
    /// Each as the difference to the one before.
    pub items: Vec<u64>,
    pub stamps: Vec<Stamp>,
    pub events: Vec<Wire>,
}

#[derive(Clone, Serialize)]
pub struct Stamp {
    pub layer: Option<u64>,
    pub community: Option<u64>,
    pub epoch: Option<u32>,
    pub policy_version: u16,
}

#[derive(Clone, Copy, Serialize)]
pub struct Common {
    pub user: u32,
    pub item: u32,
    pub kind: u16,
    pub at: i64,
    pub stamp: u32,
    pub clock: i64,
}

#[derive(Clone, Serialize)]
pub enum Wire {
    Whole(Common, i32),
    Thousandths(Common, i32),
    Single(Common, f32),
    Double(Common, f64, u32),
    Other(Event),
}

impl Wire {
    /// What is not the weight of a signal.
    pub fn common(&mut self) -> &mut Common {
        match self {
            Self::Whole(common, _)
            | Self::Thousandths(common, _)
            | Self::Single(common, _)
            | Self::Double(common, ..) => common,
            Self::Other(_) => panic!("no signal"),
        }
    }
}

impl Row {
    /// Two signals of user 1 in community 7, one of a whole weight and one of an agent.
    pub fn plain() -> Self {
        let stamp = Stamp {
            layer: Some(T0),
            community: Some(COMMUNITY),
            epoch: Some(0),
            policy_version: 1,
        };
        // The clocks of both are those that their times let expect.
        let common = Common {
            user: 0,
            item: 0,
            kind: 1,
            at: T0.cast_signed() + 10,
            stamp: 1,
            clock: 0,
        };
        let weighted = Common {
            kind: 3,
            at: 1,
            ..common
        };
        Self {
            header: RowHeader {
                tab: 5,
                origin: ORIGIN,
                number: 1,
            },
            unit: MILLISECOND,
            ids: vec![USER, 99],
            items: vec![ITEM],
            stamps: vec![stamp],
            events: vec![Wire::Whole(common, 1), Wire::Double(weighted, -0.5, 2)],
        }
    }

    pub fn bytes(&self) -> Vec<u8> {
        row_framed(&bytes_of(self))
    }
}

/// A log row's frame around a body.
pub fn row_framed(body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![3, 0];
    bytes.extend(checksum(body).to_le_bytes());
    bytes.extend(body);
    bytes
}
