//! What docs/architecture.md draws byte by byte is what is written.

use tidegate::catalogue::Item;
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{CommunityId, ItemId, LeaveMode, UserId};
use tidegate::storage::{Blocks, Tag};

const ARCHITECTURE: &str = include_str!("../../docs/architecture.md");
const T0: u64 = 1_700_000_000_000_000_000;

/// The bytes in front of the `│` of each line of the drawing that begins with these words.
fn drawn(title: &str) -> Vec<u8> {
    let (_, rest) = ARCHITECTURE.split_once(title).expect("a drawing");
    let (_, rest) = rest.split_once("```\n").expect("a drawing");
    let (drawing, _) = rest.split_once("```").expect("the end of a drawing");
    let lines = drawing.lines().filter_map(|line| line.split_once('│'));
    let hex = lines.flat_map(|(bytes, _)| bytes.split_whitespace());
    hex.map(|byte| u8::from_str_radix(byte, 16).expect("two digits"))
        .collect()
}

/// User 7 joins community 5, likes item 300 there, and leaves.
fn life() -> Engine {
    let mut engine = Engine::new(&Config {
        origin: 0x0102_0304_0506_0708,
        ..Config::default()
    })
    .unwrap();
    engine.commit(usize::MAX);
    let (user, community) = (UserId(7), CommunityId(5));
    engine.join(user, community, None, T0).unwrap();
    let like = Signal {
        user,
        item: ItemId(300),
        kind: engine.kind("like").unwrap(),
        weight: None,
        at_ns: None,
        community: Some(community),
        agent: None,
    };
    engine.signal(&like, T0 + 1_000_000).unwrap();
    engine.mark_leaves(0x2A);
    engine
        .leave(user, community, LeaveMode::StopForward, T0 + 2_000_000)
        .unwrap();
    engine
}

#[test]
fn the_row_that_the_docs_draw_is_what_is_written() {
    assert_eq!(drawn("**A row, drawn.**"), life().pending_row(9, 1));
}

/// The blocks of these tags, as they stand in the snapshot.
fn blocks(engine: &mut Engine, tags: &[Tag]) -> Vec<u8> {
    engine.commit(usize::MAX);
    let snapshot = engine.snapshot();
    let blocks = Blocks::parse(&snapshot).unwrap();
    let chosen = blocks.iter().filter(|(key, _)| tags.contains(&key.tag));
    chosen
        .flat_map(|(key, value)| {
            let key = key.to_bytes();
            let lengths = [key.len(), value.len()].map(|length| u8::try_from(length).unwrap());
            [&lengths[..1], &key, &lengths[1..], value].concat()
        })
        .collect()
}

#[test]
fn the_blocks_that_the_docs_draw_are_what_is_written() {
    let tags = [Tag::Profile, Tag::Membership, Tag::LeaveMarks];
    let drawn = drawn("**Three blocks, drawn.**");
    assert_eq!(drawn, blocks(&mut life(), &tags));
}

#[test]
fn the_catalogue_that_the_docs_draw_is_what_is_written() {
    let mut engine = Engine::new(&Config {
        dimensions: 2,
        ..Config::default()
    })
    .unwrap();
    let item = Item {
        id: ItemId(300),
        vector: Some(vec![1.0, -0.5]),
        categories: vec!["live".into(), "jazz".into()],
        creator: Some(9),
        created_at_ms: Some(1.0),
    };
    engine.upsert_item(&item).unwrap();
    let id = ItemId(301);
    engine.upsert_item(&Item { id, ..item }).unwrap();
    engine.remove_item(id);
    let drawn = drawn("**The catalogue, drawn.**");
    assert_eq!(drawn, blocks(&mut engine, &[Tag::Items]));
}
