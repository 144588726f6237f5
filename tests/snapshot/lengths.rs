//! Lengths that promise more than there is, and bytes that unfold into much: memory stays in proportion.

use tidegate::engine::Engine;
use tidegate::governance::{CommunityId, Membership, SharePolicy, UserId};
use tidegate::replication::Stream;

use crate::forge::{
    Block, COHORT_TOTALS, COMMUNITY_EPOCH, COMMUNITY_LEAVE, Catalogue, Columns, Forgery, MARKS,
    MEMBERSHIP, NAME, PROFILE, bytes_of, contributions_key, key, snapshot, varint,
};
use crate::memory::{alone, bounded};

/// Reads it within bounds, whatever becomes of it.
#[track_caller]
fn read(bytes: &[u8]) {
    // The engine counts too, and so is dropped inside.
    let _ = bounded(bytes.len(), || Engine::restore(bytes, None).map(drop));
}

#[test]
fn a_huge_length_anywhere_takes_no_memory() {
    let _alone = alone();
    let plain = Forgery::plain().blocks();
    for length in [1 << 16, 1 << 32, 1 << 40, u64::MAX] {
        for block in 0..plain.len() {
            for place in 0..plain[block].1.len() {
                let mut blocks = plain.clone();
                blocks[block].1.splice(place..=place, varint(length));
                read(&snapshot(&blocks));
            }
        }
    }
}

/// So many facts in as few bytes as they can be.
const MANY: u32 = 20_000;

fn many<T>(each: impl Fn(u32) -> T) -> Vec<T> {
    (0..MANY).map(each).collect()
}

/// Rows without an accumulator: two or three bytes each.
fn bare(counts: Vec<u32>) -> Columns {
    Columns {
        items: many(|_| 1),
        shapes: many(|_| 1),
        counts,
        unit: 1,
        ..Columns::default()
    }
}

/// Rows with one accumulator each.
fn weighed(counts: Vec<u32>) -> Columns {
    Columns {
        shapes: many(|_| 1 << 2),
        codes: many(|_| 2),
        values: many(|_| 1.0),
        times: many(|_| 0),
        ..bare(counts)
    }
}

#[test]
fn many_small_rows_take_memory_in_proportion() {
    let _alone = alone();
    for dimensions in [0, 1, 32, 4_096] {
        for rows in [bare, weighed] {
            let forgeries: [fn(&mut Forgery, Columns); 3] = [
                |forgery, columns| {
                    forgery.profile = Columns {
                        counts: vec![],
                        ..columns
                    }
                },
                |forgery, columns| forgery.cohort = columns,
                |forgery, columns| forgery.contributions = columns,
            ];
            for put in forgeries {
                let mut forgery = Forgery::plain();
                forgery.meta.dimensions = dimensions;
                forgery.items = Catalogue::removed(1);
                put(&mut forgery, rows(many(|_| 1)));
                let bytes = forgery.snapshot();
                let taken = bounded(bytes.len(), || Engine::restore(&bytes, None).is_ok());
                assert!(taken, "{dimensions} dimensions");
            }
        }
    }
}

#[test]
fn many_small_blocks_take_memory_in_proportion() {
    let _alone = alone();
    let empty = Columns {
        unit: 1,
        ..Columns::default()
    };
    let block = |tag: u8, value: &[u8], id: u32| (key(u64::from(id) + 1_000, tag), value.to_vec());
    let columns = bytes_of(&empty);
    let profile = bytes_of(&(1_u64, &empty));
    let kinds: [&dyn Fn(u32) -> Block; 8] = [
        &|id| block(NAME, b"x", id),
        &|id| block(PROFILE, &profile, id),
        &|id| block(COHORT_TOTALS, &columns, id),
        &|id| (contributions_key(id.into(), 1, 0), columns.clone()),
        &|id| block(MARKS, &[1, 0, 1], id),
        &|id| block(COMMUNITY_EPOCH, &[0], id),
        &|id| block(MEMBERSHIP, &[0], id),
        &|id| block(COMMUNITY_LEAVE, &[0; 9], id),
    ];
    for dimensions in [0, 4_096] {
        for kind in kinds {
            let mut forgery = Forgery::plain();
            forgery.meta.dimensions = dimensions;
            forgery.items = Catalogue::removed(1);
            let mut blocks = forgery.blocks();
            blocks.retain(|(key, _)| key[8] != 8);
            blocks.extend(many(kind));
            blocks.sort();
            read(&snapshot(&blocks));
        }
    }
}

#[test]
fn many_parts_of_one_block_take_memory_in_proportion() {
    let _alone = alone();
    let community = |id: u32| CommunityId(id.into());
    let row = |id| Membership::joined(UserId(1), community(id), SharePolicy::default(), 0);
    let mut forgery = Forgery::plain();
    forgery.memberships = many(row);
    read(&forgery.snapshot());

    forgery = Forgery::plain();
    forgery.marks = many(|id| (Stream::Community(community(id)), 1));
    read(&forgery.snapshot());

    forgery = Forgery::plain();
    forgery.user_cohorts = many(u64::from);
    read(&forgery.snapshot());

    for dimensions in [0, 4_096] {
        forgery = Forgery::plain();
        forgery.meta.dimensions = dimensions;
        forgery.items = Catalogue::removed(MANY);
        let bytes = forgery.snapshot();
        assert!(bounded(bytes.len(), || Engine::restore(&bytes, None).is_ok()));
    }

    forgery = Forgery::plain();
    forgery.items.names = many(|id| format!("{id:06x}").into_bytes());
    forgery.items.numbers[0] = MANY.into();
    forgery.items.categories = many(u64::from);
    let bytes = forgery.snapshot();
    assert!(bounded(bytes.len(), || Engine::restore(&bytes, None).is_ok()));
}
