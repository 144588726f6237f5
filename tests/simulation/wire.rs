//! Exports and snapshots as anyone can read them who knows the format: the tests look inside without asking the engine.

use serde::Deserialize;
use tidegate::governance::{CohortId, CommunityId, CommunityMembership, ItemId, UserId};
use tidegate::log::Remote;
use tidegate::signals::Kind;
use tidegate::storage::{Blocks, Tag};

/// An export behind its magic, version and checksum.
#[derive(Debug, Deserialize)]
pub struct Export {
    #[serde(with = "postcard::fixint::le")]
    pub origin: u64,
    pub kinds: Vec<Kind>,
    pub names: Vec<(u64, String)>,
    pub layer: Vec<CommunityMembership>,
    pub streams: Vec<Part>,
}

/// A part of one community's stream.
#[derive(Debug, Deserialize)]
pub struct Part {
    pub community: CommunityId,
    pub first: u64,
    pub last: u64,
    pub events: Vec<(u64, Remote)>,
}

/// Magic, version, checksum.
const HEAD: usize = 4 + 2 + 4;

impl Export {
    pub fn read(bytes: &[u8]) -> Self {
        postcard::from_bytes(&bytes[HEAD..]).expect("an export of the engine")
    }
}

/// What a snapshot says of that which no query shows.
#[derive(Debug, Default, PartialEq)]
pub struct Inside {
    /// Community, user, epoch, item, how many.
    pub contributions: Vec<(CommunityId, UserId, u32, ItemId, u32)>,
    /// Cohort, item, how many.
    pub cohorts: Vec<(CohortId, ItemId, u32)>,
    pub waiting: Vec<(CommunityId, u64, Remote)>,
    pub acknowledged: Vec<(CommunityId, u64)>,
    pub elsewhere: Vec<UserId>,
}

impl Inside {
    pub fn read(snapshot: &[u8]) -> Self {
        let mut inside = Self::default();
        let blocks = Blocks::parse(snapshot).expect("a snapshot of the engine");
        for (key, value) in blocks.iter() {
            let community = CommunityId(key.entity);
            match key.tag {
                Tag::Contributions => {
                    let (user, epoch) = key.suffix.expect("a user and an epoch");
                    let counts = counts(value).into_iter();
                    let rows =
                        counts.map(|(item, count)| (community, UserId(user), epoch, item, count));
                    inside.contributions.extend(rows);
                }
                Tag::CohortTotals => {
                    let counts = counts(value).into_iter();
                    let rows = counts.map(|(item, count)| (CohortId(key.entity), item, count));
                    inside.cohorts.extend(rows);
                }
                Tag::Outbox => {
                    let events: Vec<(u64, Remote)> = postcard::from_bytes(value).expect("events");
                    let events = events.into_iter();
                    inside
                        .waiting
                        .extend(events.map(|(number, event)| (community, number, event)));
                }
                Tag::Acknowledged => {
                    let number = postcard::from_bytes(value).expect("a number");
                    inside.acknowledged.push((community, number));
                }
                Tag::ReturnedElsewhere => inside.elsewhere.push(UserId(key.entity)),
                _ => {}
            }
        }
        inside
    }
}

/// The first columns of accumulators: items as differences, shapes, and how many signals each item counted.
fn counts(columns: &[u8]) -> Vec<(ItemId, u32)> {
    type Columns = (Vec<u64>, Vec<u32>, Vec<u32>);
    let ((steps, _, counts), _): (Columns, _) =
        postcard::take_from_bytes(columns).expect("columns");
    let mut item = 0;
    let rows = steps.iter().zip(counts);
    rows.map(|(step, count)| {
        item += step;
        (ItemId(item), count)
    })
    .collect()
}
