//! Log rows that were changed or stuffed behind a right checksum: refused or harmless, and in proportion.

use tidegate::Error;
use tidegate::engine::Engine;
use tidegate::governance::{CohortId, CommunityId, ItemId, MembershipState, SharePolicy, UserId};
use tidegate::log::Event;
use tidegate::signals::default_kinds;

use crate::changed_snapshots::assert_sound;
use crate::forge::{
    COMMUNITY, Catalogue, Common, Forgery, ITEM, MILLISECOND, Row, Stamp, T0, USER, Wire, bytes_of,
    item, row_framed, varint,
};
use crate::forged_rows::{fold, reader};
use crate::memory::alone;

const NOW: u64 = T0 * MILLISECOND;

#[test]
fn a_changed_byte_behind_a_right_checksum_is_refused_or_does_no_harm() {
    let _alone = alone();
    let (community, epoch, at_ns) = (CommunityId(COMMUNITY + 2), 0, NOW);
    let (user, policy) = (UserId(USER), SharePolicy::default());
    let state = MembershipState::Joined;
    let mut row = Row::plain();
    row.events.extend(
        [
            Event::Join {
                user,
                community,
                epoch,
                state,
                policy: Some(policy),
                at_ns,
            },
            Event::Join {
                user,
                community: CommunityId(COMMUNITY),
                epoch: 1,
                state: MembershipState::Rejoined,
                policy: None,
                at_ns,
            },
            Event::Leave {
                user,
                community,
                epoch,
                at_ns,
                mark: 7,
            },
            Event::LayerLeave {
                user,
                left_at_ns: at_ns,
                mark: 7,
            },
            Event::LayerRejoin {
                user,
                left_at_ns: at_ns,
            },
            Event::RemoveItem(ItemId(ITEM)),
            Event::UpsertItem(item()),
            Event::Cohorts {
                user,
                cohorts: Box::new([CohortId(1), CohortId(2)]),
            },
            Event::Name {
                id: 5,
                name: "x".into(),
            },
            Event::Forget { user },
        ]
        .map(Wire::Other),
    );
    let body = bytes_of(&row);
    let reader = reader();
    let before = (reader.pending_row(1, 1), reader.clone().snapshot());
    let mut taken = 0;
    for place in 0..body.len() {
        let mut changed = body.clone();
        for value in 0..=u8::MAX {
            changed[place] = value;
            let what = format!("byte {place} as {value}");
            let mut engine = reader.clone();
            match fold(&mut engine, &row_framed(&changed)) {
                Ok(_) => {
                    taken += 1;
                    assert_sound(engine, &what);
                }
                Err(error) => {
                    assert_eq!(error, Error::CorruptEvents, "{what}");
                    assert!(
                        (engine.pending_row(1, 1), engine.snapshot()) == before,
                        "{what}"
                    );
                }
            }
        }
    }
    assert!(taken > body.len(), "{taken} taken");
}

#[test]
fn a_huge_length_anywhere_takes_no_memory() {
    let _alone = alone();
    let mut row = Row::plain();
    let item = Event::UpsertItem(item());
    let schema = Event::Schema {
        dimensions: 2,
        kinds: default_kinds(),
    };
    row.events.extend([item, schema].map(Wire::Other));
    let body = bytes_of(&row);
    let mut engine = reader();
    for length in [1 << 16, 1 << 32, 1 << 40, u64::MAX] {
        for place in 0..body.len() {
            let mut changed = body.clone();
            changed.splice(place..=place, varint(length));
            let _ = fold(&mut engine, &row_framed(&changed));
        }
    }
}

#[test]
fn many_small_events_take_memory_in_proportion() {
    const MANY: u32 = 20_000;
    let _alone = alone();
    let stamp = |epoch| Stamp {
        layer: None,
        community: None,
        epoch: Some(epoch),
        policy_version: 0,
    };
    let kinds: [&dyn Fn(u32) -> Wire; 5] = [
        &|_| {
            let common = Common {
                user: 0,
                item: 0,
                kind: 1,
                at: 0,
                stamp: 0,
                clock: 0,
            };
            Wire::Whole(common, 1)
        },
        &|id| Wire::Other(Event::RemoveItem(ItemId(id.into()))),
        &|id| {
            Wire::Other(Event::Forget {
                user: UserId(u64::from(id) + 1),
            })
        },
        &|id| {
            Wire::Other(Event::Name {
                id: id.into(),
                name: "x".into(),
            })
        },
        &|_| {
            Wire::Other(Event::Schema {
                dimensions: 0,
                kinds: vec![],
            })
        },
    ];
    for (dimensions, kind) in [0, 4_096]
        .into_iter()
        .flat_map(|of| kinds.map(|kind| (of, kind)))
    {
        let mut forgery = Forgery::plain();
        forgery.meta.dimensions = dimensions;
        forgery.items = Catalogue::removed(1);
        let mut engine = Engine::restore(&forgery.snapshot(), None).unwrap();
        let mut row = Row::plain();
        row.stamps.extend((0..MANY).map(stamp));
        row.ids.extend((0..MANY).map(u64::from));
        row.items.extend((0..MANY).map(u64::from));
        row.events.extend((0..MANY).map(kind));
        assert_eq!(fold(&mut engine, &row.bytes()), Ok(MANY as usize + 2));
    }
}
