//! Snapshots whose values contradict themselves, each other, or what a database can be.

use std::time::{Duration, Instant};

use tidegate::Error;
use tidegate::engine::Engine;
use tidegate::governance::{CommunityId, Membership, UserId};
use tidegate::replication::Stream;
use tidegate::signals::Kind;

use crate::changed_snapshots::assert_sound;
use crate::forge::{
    COHORT, COHORT_TOTALS, COMMUNITY, COMMUNITY_EPOCH, COMMUNITY_LEAVE, Catalogue, Columns,
    Forgery, ITEMS, KINDS, LEAVE_MARKS, MARKS, MEMBERSHIP, META, MILLISECOND, NAME, PROFILE, USER,
    USER_COHORTS, bytes_of, contributions_key, framed, key, snapshot, varint,
};
use crate::memory::{alone, bounded};

pub fn restore(bytes: &[u8]) -> Result<Engine, Error> {
    bounded(bytes.len(), || Engine::restore(bytes, None))
}

#[track_caller]
fn assert_refused(what: &str, bytes: &[u8]) {
    match restore(bytes) {
        Err(error) => assert_eq!(error, Error::CorruptSnapshot, "{what}"),
        Ok(_) => panic!("{what}: taken"),
    }
}

/// Refuses the plain forgery with one change.
#[track_caller]
fn refuses(what: &str, change: impl FnOnce(&mut Forgery)) {
    let mut forgery = Forgery::plain();
    change(&mut forgery);
    assert_refused(what, &forgery.snapshot());
}

/// Refuses each of three tables of accumulators with one change.
#[track_caller]
fn refuses_columns(what: &str, change: impl Fn(&mut Columns)) {
    refuses(&format!("profile: {what}"), |forgery| {
        change(&mut forgery.profile);
    });
    refuses(&format!("cohort: {what}"), |forgery| {
        change(&mut forgery.cohort);
    });
    refuses(&format!("community: {what}"), |forgery| {
        change(&mut forgery.contributions);
    });
}

#[test]
fn a_forgery_with_nothing_wrong_is_taken_as_it_is() {
    let _alone = alone();
    let bytes = Forgery::plain().snapshot();
    let mut engine = restore(&bytes).unwrap();
    assert_eq!(engine.snapshot(), bytes);
    assert_sound(engine, "plain");
}

#[test]
fn a_frame_that_lies_is_refused() {
    let _alone = alone();
    let bytes = Forgery::plain().snapshot();
    for length in [0, 1, bytes.len() as u64, 1 << 40, u64::MAX] {
        let mut forged = bytes.clone();
        forged[6..14].copy_from_slice(&length.to_le_bytes());
        assert_refused("length of the body", &forged);
    }
    for version in [2, 3, u16::MAX] {
        let mut newer = bytes.clone();
        newer[4..6].copy_from_slice(&version.to_le_bytes());
        assert_eq!(restore(&newer).err(), Some(Error::UnsupportedVersion));
    }
    assert_refused("no blocks", &framed(&[]));
    assert_refused("noise", &framed(&vec![0x5A; 1 << 20]));
    assert_refused("zeros", &framed(&vec![0; 1 << 20]));
}

#[test]
fn blocks_that_are_no_sorted_list_are_refused() {
    let _alone = alone();
    let plain = Forgery::plain().blocks();
    for place in 1..plain.len() {
        let mut blocks = plain.clone();
        blocks.swap(place - 1, place);
        assert_refused("out of order", &snapshot(&blocks));
        blocks = plain.clone();
        blocks.insert(place, plain[place].clone());
        assert_refused("twice", &snapshot(&blocks));
    }
    for required in [META, KINDS] {
        let mut blocks = plain.clone();
        blocks.retain(|(found, _)| *found != key(0, required));
        assert_refused("without its schema", &snapshot(&blocks));
    }
    for length in [1 << 40, u64::MAX, 1_000_000] {
        let lengths = varint(length);
        assert_refused("length of a key", &framed(&lengths));
        let body = [varint(9), key(0, META), lengths].concat();
        assert_refused("length of a value", &framed(&body));
    }
    assert_refused("a length without an end", &framed(&[0xFF; 64]));
}

#[test]
fn keys_that_are_none_are_refused() {
    let _alone = alone();
    let plain = Forgery::plain();
    let refuses_block = |what: &str, key: Vec<u8>, value: Vec<u8>| {
        let mut blocks = plain.blocks();
        blocks.push((key, value));
        blocks.sort();
        assert_refused(what, &snapshot(&blocks));
    };
    let known = [
        META,
        KINDS,
        NAME,
        ITEMS,
        PROFILE,
        USER_COHORTS,
        COHORT_TOTALS,
        8,
        MARKS,
    ];
    let known = [&known[..], &[COMMUNITY_EPOCH, MEMBERSHIP, COMMUNITY_LEAVE]].concat();
    for tag in (0..=u8::MAX).filter(|tag| !known.contains(tag)) {
        // 0x10 is reserved, and no version that writes it is known here.
        refuses_block("a tag that is not known", key(5, tag), vec![]);
    }
    for tag in [META, KINDS] {
        let mut value = bytes_of(&plain.meta);
        if tag == KINDS {
            value = bytes_of(&plain.kinds);
        }
        refuses_block("a second schema", key(5, tag), value);
    }
    let epoch = bytes_of(&0_u32);
    refuses_block("an empty key", vec![], epoch.clone());
    refuses_block(
        "a short key",
        key(5, COMMUNITY_EPOCH)[..8].to_vec(),
        epoch.clone(),
    );
    let mut long = key(5, COMMUNITY_EPOCH);
    long.push(0);
    refuses_block("a long key", long, epoch);
    let columns = bytes_of(&plain.contributions);
    let suffixed = contributions_key(5, USER, 0);
    refuses_block("no suffix", suffixed[..9].to_vec(), columns.clone());
    refuses_block("half a suffix", suffixed[..20].to_vec(), columns.clone());
    refuses_block(
        "a longer suffix",
        [&suffixed[..], &[0]].concat(),
        columns.clone(),
    );
    refuses_block(
        "nobody's contributions",
        contributions_key(5, 0, 0),
        columns,
    );
    let profile = bytes_of(&(plain.signals, &plain.profile));
    refuses_block("nobody's profile", key(0, PROFILE), profile);
    refuses_block("nobody's cohorts", key(0, USER_COHORTS), bytes_of(&[5_u64]));
    refuses_block(
        "nobody's layer",
        key(0, COMMUNITY_LEAVE),
        plain.layer.clone(),
    );
    let marks = |marks: &[(Option<u64>, [u64; 8])]| bytes_of(&marks);
    let one = [1, 0, 0, 0, 0, 0, 0, 0];
    let sound = marks(&[(None, one), (Some(0), one)]);
    refuses_block("nobody's marks", key(0, LEAVE_MARKS), sound);
    for (what, unsound) in [
        ("no marks", marks(&[])),
        (
            "a leave without a mark",
            marks(&[(None, one), (Some(0), [0; 8])]),
        ),
        ("a mark twice", marks(&[(None, [1, 2, 1, 0, 0, 0, 0, 0])])),
        (
            "a mark after a free place",
            marks(&[(None, [1, 0, 2, 0, 0, 0, 0, 0])]),
        ),
        ("two rows of one leaver", marks(&[(None, one), (None, one)])),
        ("rows in disorder", marks(&[(Some(0), one), (None, one)])),
    ] {
        refuses_block(what, key(USER, LEAVE_MARKS), unsound);
    }
    refuses_block(
        "another's memberships",
        key(5, MEMBERSHIP),
        bytes_of(&plain.memberships),
    );
}

#[test]
fn columns_that_do_not_fit_are_refused() {
    let _alone = alone();
    refuses_columns("an item more", |columns| columns.items.push(1));
    refuses_columns("an item less", |columns| columns.items.truncate(1));
    refuses_columns("a shape more", |columns| columns.shapes.push(0));
    refuses_columns("a shape less", |columns| columns.shapes.truncate(1));
    refuses_columns("a count more", |columns| columns.counts.push(1));
    refuses("a count less", |forgery| forgery.cohort.counts.truncate(1));
    refuses("no counts", |forgery| forgery.contributions.counts.clear());
    refuses_columns("a code more", |columns| columns.codes.push(2));
    refuses_columns("a code less", |columns| columns.codes.truncate(2));
    refuses_columns("a value more", |columns| columns.values.push(1.0));
    refuses_columns("a value less", |columns| columns.values.truncate(2));
    refuses_columns("a time more", |columns| columns.times.push(0));
    refuses_columns("a time less", |columns| columns.times.truncate(2));
    refuses_columns("fewer parts than there are", |columns| {
        columns.shapes[1] = 0;
    });
    refuses_columns("more parts than there are", |columns| {
        columns.shapes[1] = 2 << 2;
    });
    refuses_columns("no end of parts", |columns| columns.shapes[1] = u32::MAX);
}

#[test]
fn rows_that_cannot_be_are_refused() {
    let _alone = alone();
    refuses_columns("an item twice", |columns| columns.items[1] = 0);
    refuses_columns("items past the last", |columns| columns.items[1] = u64::MAX);
    refuses_columns("an item one too far", |columns| {
        columns.items = vec![u64::MAX, 1];
    });
    refuses_columns("a part twice", |columns| columns.codes[1] = 2);
    refuses_columns("parts out of order", |columns| {
        columns.codes = vec![3, 2, 6];
        columns.values = vec![-0.25, 1.5, 4.0];
    });
    // There are nine kinds, 0 to 8.
    refuses_columns("a kind too many", |columns| columns.codes[2] = 9 << 1);
    refuses_columns("a kind far out", |columns| columns.codes[2] = u16::MAX - 1);
    for value in [
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        -1.0,
    ] {
        refuses_columns("a positive part", |columns| columns.values[0] = value);
    }
    for value in [
        f64::NAN,
        -f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.0,
        1.0,
    ] {
        refuses_columns("a negative part", |columns| columns.values[1] = value);
    }
    for unit in [0, 2, 999_999, 1_000_001, u64::MAX] {
        refuses_columns("a unit of its own", |columns| columns.unit = unit);
    }
    refuses_columns("a start past the end", |columns| {
        columns.earliest = u64::MAX;
    });
    refuses_columns("a time past the end", |columns| columns.times[0] = u64::MAX);
    refuses_columns("a sum past the end", |columns| {
        (columns.unit, columns.earliest, columns.times[0]) = (1, u64::MAX, 1);
    });
    refuses_columns("a product past the end", |columns| {
        columns.times[0] = u64::MAX / MILLISECOND - columns.earliest + 1;
    });
    refuses("no signals", |forgery| forgery.signals = 0);
}

#[test]
fn a_schema_that_cannot_be_is_refused() {
    let _alone = alone();
    refuses("dimensions", |forgery| forgery.meta.dimensions = 4097);
    refuses("dimensions", |forgery| forgery.meta.dimensions = u32::MAX);
    let refuses_kind = |what: &str, change: fn(&mut Kind)| {
        refuses(what, |forgery| change(&mut forgery.kinds[3]));
    };
    refuses_kind("a kind without a name", |kind| kind.name.clear());
    refuses_kind("a kind with a long name", |kind| {
        kind.name = "x".repeat(1_025);
    });
    refuses_kind("a kind twice", |kind| kind.name = "view".into());
    refuses_kind("a kind that is gone at once", |kind| kind.half_life_ns = 0);
    for weight in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e7, -1e300] {
        refuses("the weight of a kind", |forgery| {
            forgery.kinds[3].weight = weight;
        });
    }
    let kinds = |count: u32| {
        let name = |number: u32| format!("{number:x}");
        let kind = |number| Kind {
            name: name(number),
            ..Forgery::plain().kinds[0].clone()
        };
        (0..count).map(kind).collect::<Vec<_>>()
    };
    refuses("257 kinds", |forgery| forgery.kinds = kinds(257));
    // Refused long before all of them have been compared with each other.
    let started = Instant::now();
    refuses("200 000 kinds", |forgery| forgery.kinds = kinds(200_000));
    assert!(
        started.elapsed() < Duration::from_secs(10),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn features_that_cannot_be_are_refused() {
    let _alone = alone();
    let refuses_items = |what: &str, change: fn(&mut Catalogue)| {
        refuses(what, |forgery| change(&mut forgery.items));
    };
    refuses_items("a short vector", |items| items.vectors.truncate(1));
    refuses_items("a long vector", |items| items.vectors.push(1.0));
    refuses_items("no vector", |items| items.vectors.clear());
    refuses_items("a vector of nobody", |items| items.flags[0] = 2 | 4);
    refuses_items("a vector that is not there", |items| items.flags[1] = 8);
    for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        for place in 0..2 {
            let mut forgery = Forgery::plain();
            forgery.items.vectors[place] = value;
            assert_refused("a vector that is no number", &forgery.snapshot());
        }
    }
    refuses_items("a category's places out of order", |items| {
        items.categories.reverse();
    });
    refuses_items("a category twice", |items| items.categories = vec![1, 1]);
    refuses_items("a category that is not there", |items| {
        items.categories[1] = 2;
    });
    refuses_items("a category far out", |items| items.categories[1] = u64::MAX);
    refuses_items("a category too many", |items| items.numbers[0] = 3);
    refuses_items("a category too few", |items| items.numbers[0] = 1);
    refuses_items("categories without end", |items| {
        items.numbers[0] = u64::MAX;
    });
    refuses_items("a name that nobody has", |items| {
        items.names.push(b"west".to_vec());
    });
    refuses_items("names out of order", |items| items.names.reverse());
    refuses_items("a name twice", |items| items.names[0] = b"noir".to_vec());
    refuses_items("a category without a name", |items| items.names[0].clear());
    refuses_items("a long category", |items| {
        items.names[0] = vec![b'a'; 1_025];
    });
    refuses_items("a category that is no text", |items| {
        items.names[0] = vec![0xC3, 0x28];
    });
    refuses_items("a creator that is not there", |items| items.makers[0] = 1);
    refuses_items("a creator too many", |items| items.creators.push(1));
    refuses_items("a creator twice", |items| {
        items.creators.push(0);
        items.flags[1] = 2;
        items.makers.push(1);
    });
    refuses_items("a creator past the end", |items| {
        items.creators.push(u64::MAX);
        items.flags[1] = 2;
        items.makers.push(1);
    });
    refuses_items("no creator", |items| items.makers.clear());
    for time in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -0.0] {
        let mut forgery = Forgery::plain();
        forgery.items.times[0] = time;
        assert_refused("a time that cannot be", &forgery.snapshot());
    }
    refuses_items("no time", |items| items.times.clear());
    refuses_items("a time too many", |items| items.times.push(0.0));
    refuses_items("an item twice", |items| items.ids[1] = 0);
    refuses_items("an item past the end", |items| items.ids[1] = u64::MAX);
    refuses_items("an item more", |items| items.ids.push(1));
    refuses_items("an item less", |items| items.ids.truncate(2));
    refuses_items("no items", |items| *items = Catalogue::default());
    refuses_items("a removed item with a category", |items| {
        items.numbers = vec![1, 0, 1];
    });
    for flags in [1 | 2, 1 | 4, 1 | 8, 16, 128, u8::MAX] {
        let mut forgery = Forgery::plain();
        forgery.items.flags[2] = flags;
        assert_refused("flags that cannot be", &forgery.snapshot());
    }
    let mut blocks = Forgery::plain().blocks();
    blocks.push((key(5, ITEMS), Catalogue::removed(1).bytes()));
    blocks.sort();
    assert_refused("a second catalogue", &snapshot(&blocks));
    refuses("a vector without dimensions", |forgery| {
        forgery.meta.dimensions = 0;
    });
    refuses("an empty name", |forgery| forgery.name.clear());
    refuses("a long name", |forgery| forgery.name = vec![b'x'; 1_025]);
    refuses("a name that is no text", |forgery| {
        forgery.name = vec![0xC3, 0x28];
    });
}

#[test]
fn memberships_that_cannot_be_are_refused() {
    let _alone = alone();
    let refuses_row = |what: &str, change: fn(&mut Membership)| {
        refuses(what, |forgery| change(&mut forgery.memberships[1]));
    };
    refuses_row("another user", |row| row.user_id = UserId(USER + 1));
    refuses_row("nobody", |row| row.user_id = UserId(0));
    refuses_row("a community twice", |row| {
        row.community_id = CommunityId(COMMUNITY);
    });
    refuses_row("an order", |row| row.community_id = CommunityId(0));
    refuses_row("an epoch ahead of the row's", |row| {
        row.contributing_epoch = Some(1);
    });
    refuses("cohorts out of order", |forgery| {
        forgery.user_cohorts.reverse();
    });
    refuses("a cohort twice", |forgery| {
        forgery.user_cohorts = vec![COHORT; 2];
    });
    refuses("no cohorts", |forgery| forgery.user_cohorts.clear());
    refuses("no marks", |forgery| forgery.marks.clear());
    refuses("a mark at nothing", |forgery| forgery.marks[0].1 = 0);
    refuses("marks out of order", |forgery| forgery.marks.reverse());
    refuses("a stream twice", |forgery| {
        forgery.marks[1].0 = Stream::Local;
    });
    for length in [0, 1, 8, 10, 18] {
        refuses("a layer row", |forgery| forgery.layer = vec![0; length]);
    }
    for status in 2..=u8::MAX {
        refuses("a status", |forgery| forgery.layer[0] = status);
    }
}

#[test]
fn a_value_with_something_behind_it_is_refused() {
    let _alone = alone();
    let plain = Forgery::plain().blocks();
    for place in 0..plain.len() {
        let mut blocks = plain.clone();
        blocks[place].1.push(0);
        let named = blocks[place].0[8] == NAME;
        // A name is all of its value, a zero byte included.
        assert_eq!(
            restore(&snapshot(&blocks)).is_ok(),
            named,
            "{:?}",
            blocks[place].0
        );
        blocks = plain.clone();
        blocks[place].1.pop();
        if !named {
            assert_refused("a value cut short", &snapshot(&blocks));
        }
    }
}
