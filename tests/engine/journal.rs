//! Apply, then undo: identical bytes, for every kind of event.

use crate::support::{ADA, BOB, NOIR, T0, engine, foreign, record, view};
use tidegate::catalogue::Item;
use tidegate::engine::Engine;
use tidegate::governance::{CohortId, ItemId, LeaveMode};
use tidegate::log::Event;
use tidegate::signals::Kind;

/// Something of everything, all committed.
fn furnished() -> Engine {
    let mut engine = engine();
    engine.open_schema(3, &[]).expect("dimensions");
    engine.name(500, "five hundred").expect("a name");
    engine.set_outbox(true);
    for user in [ADA, BOB] {
        engine.join(user, NOIR, None, T0).expect("join");
        engine.set_cohorts(user, &[CohortId(1)]).expect("cohorts");
    }
    engine.upsert_item(&item(10, "a")).expect("an item");
    for at in 10..20 {
        record(&mut engine, ADA, at, Some(NOIR));
        record(&mut engine, BOB, at, Some(NOIR));
    }
    record(&mut engine, ADA, 500, None);
    engine
        .leave_community_layer(BOB, T0)
        .expect("leave the layer");
    engine
        .replay(&foreign(99, 1, ADA, 10, Some(0)))
        .expect("a valid record");
    engine.commit(usize::MAX);
    engine
}

fn item(id: u64, category: &str) -> Item {
    Item {
        id: ItemId(id),
        vector: Some(vec![1.0, 2.0, 3.0]),
        categories: vec![category.into()],
        creator: Some(77),
        created_at_ms: Some(1e12),
    }
}

/// A call that records each kind of event. The match is exhaustive, so that a new kind cannot be forgotten.
fn call(event: &Event) -> fn(&mut Engine) {
    match event {
        Event::Schema { .. } => |engine| {
            let kind = Kind {
                name: "own".into(),
                weight: 1.0,
                half_life_ns: 1,
                seen: true,
                hide: false,
            };
            engine.open_schema(0, &[kind]).expect("a kind");
        },
        Event::Name { .. } => |engine| {
            engine.name(600, "six hundred").expect("a name");
            record(engine, ADA, 600, None);
        },
        Event::UpsertItem(_) => |engine| {
            engine.upsert_item(&item(10, "b")).expect("known");
            engine.upsert_item(&item(11, "c")).expect("signalled");
            engine.upsert_item(&item(99, "d")).expect("new");
        },
        Event::RemoveItem(_) => |engine| {
            engine.remove_item(ItemId(10));
            engine.remove_item(ItemId(11));
        },
        Event::Join { .. } => |engine| {
            engine
                .join(ADA, tidegate::governance::CommunityId(8), None, T0)
                .expect("join");
        },
        Event::Leave { .. } => |engine| {
            engine
                .leave(ADA, NOIR, LeaveMode::StopForward, T0)
                .expect("leave");
            engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
        },
        Event::LayerLeave { .. } => |engine| {
            engine
                .leave_community_layer(ADA, T0)
                .expect("leave the layer");
        },
        Event::LayerRejoin { .. } => |engine| {
            engine
                .rejoin_community_layer(BOB)
                .expect("rejoin the layer");
        },
        Event::Cohorts { .. } => |engine| {
            engine
                .set_cohorts(ADA, &[CohortId(2), CohortId(3)])
                .expect("cohorts");
            record(engine, ADA, 10, None);
        },
        Event::Signal(_) => |engine| {
            for at in 15..25 {
                record(engine, ADA, at, Some(NOIR));
                record(engine, tidegate::governance::UserId(3), at, None);
                let late = tidegate::engine::Signal {
                    weight: Some(-2.5),
                    at_ns: Some(T0 - 1),
                    ..view(engine, ADA, at, Some(NOIR))
                };
                engine.signal(&late, T0).expect("a valid signal");
            }
        },
        Event::Forget { .. } => |engine| {
            engine.forget_user(ADA, T0).expect("forget");
            record(engine, ADA, 10, None);
        },
        Event::Outbox { .. } => |engine| {
            engine.set_outbox(false);
            engine.set_outbox(true);
            record(engine, ADA, 10, Some(NOIR));
        },
        Event::Acknowledged { .. } => |engine| {
            let (_, cursor) = engine.export(None, None).expect("an export");
            engine.acknowledge(&cursor).expect("a cursor");
            record(engine, ADA, 10, Some(NOIR));
        },
        Event::Taken { .. } | Event::ReplayedLayer(_) => |engine| {
            engine.import(&other(), T0).expect("a good export");
        },
        Event::Replayed(_) => |engine| {
            engine
                .replay(&foreign(99, 2, ADA, 30, Some(0)))
                .expect("a valid record");
            engine
                .replay(&foreign(97, 9, ADA, 10, Some(4)))
                .expect("a valid record");
        },
    }
}

/// The export of another database in which ADA came back to the layer.
fn other() -> Vec<u8> {
    let mut engine = Engine::new(&tidegate::engine::Config {
        origin: 98,
        ..Default::default()
    })
    .expect("a database");
    engine.set_outbox(true);
    engine.join(ADA, NOIR, None, T0).expect("join");
    record(&mut engine, ADA, 40, Some(NOIR));
    engine
        .leave_community_layer(ADA, T0)
        .expect("leave the layer");
    engine
        .rejoin_community_layer(ADA)
        .expect("rejoin the layer");
    engine.commit(usize::MAX);
    let (bytes, _) = engine.export(None, None).expect("an export");
    bytes
}

/// One of each kind.
fn kinds() -> Vec<Event> {
    let policy = None;
    let state = tidegate::governance::MembershipState::Joined;
    let (user, community, at_ns) = (ADA, NOIR, T0);
    let record = foreign(1, 1, ADA, 1, None);
    let tidegate::log::Remote::Contribution { provenance, .. } = record.event else {
        panic!("a contribution")
    };
    vec![
        Event::Schema {
            dimensions: 0,
            kinds: Vec::new(),
        },
        Event::Name {
            id: 1,
            name: "one".into(),
        },
        Event::UpsertItem(item(1, "a")),
        Event::RemoveItem(ItemId(1)),
        Event::Join {
            user,
            community,
            epoch: 0,
            state,
            policy,
            at_ns,
        },
        Event::Leave {
            user,
            community,
            epoch: 0,
            at_ns,
            mark: 7,
        },
        Event::LayerLeave {
            user,
            left_at_ns: 1,
            mark: 7,
        },
        Event::LayerRejoin {
            user,
            left_at_ns: 1,
        },
        Event::Cohorts {
            user,
            cohorts: Box::default(),
        },
        Event::Signal(tidegate::log::SignalEvent {
            user,
            item: ItemId(1),
            kind: tidegate::governance::KindId(0),
            weight: 1.0,
            at_ns,
            layer: None,
            provenance,
        }),
        Event::Forget { user },
        Event::Replayed(record),
        Event::Taken {
            origin: 1,
            community,
            number: 1,
        },
        Event::ReplayedLayer(tidegate::governance::CommunityMembership::default_active(
            user,
        )),
        Event::Outbox { enabled: true },
        Event::Acknowledged {
            community,
            number: 1,
        },
    ]
}

#[test]
fn undo_gives_identical_bytes_for_every_kind_of_event() {
    for event in kinds() {
        let mut engine = furnished();
        let before = (
            engine.snapshot(),
            engine.profile(ADA, T0),
            engine.community_mass(NOIR),
        );
        call(&event)(&mut engine);
        assert!(engine.pending() > 0, "{event:?} was recorded");
        assert_eq!(
            engine.snapshot(),
            before.0,
            "a snapshot is without what is pending: {event:?}"
        );
        let mut committed = engine.clone();
        committed.commit(usize::MAX);
        assert_ne!(
            committed.snapshot(),
            before.0,
            "{event:?} changes something"
        );
        engine.undo();
        let after = (
            engine.snapshot(),
            engine.profile(ADA, T0),
            engine.community_mass(NOIR),
        );
        assert_eq!(after, before, "{event:?}");

        // What was undone leaves nothing behind: doing it again gives the same as doing it once.
        call(&event)(&mut engine);
        engine.commit(usize::MAX);
        assert_eq!(engine.snapshot(), committed.snapshot(), "{event:?}");
    }
}

#[test]
fn undo_of_all_kinds_together_gives_identical_bytes() {
    for seed in 0..50_usize {
        let mut engine = furnished();
        let before = engine.snapshot();
        let kinds = kinds();
        for step in 0..40 {
            call(&kinds[(seed * 31 + step * step * 7) % kinds.len()])(&mut engine);
            if step % 9 == 8 {
                engine.undo();
                assert_eq!(engine.snapshot(), before, "seed {seed}, step {step}");
            }
        }
    }
}

#[test]
fn committing_a_part_keeps_the_rest_pending() {
    let mut whole = furnished();
    let mut parts = whole.clone();
    for event in kinds() {
        call(&event)(&mut whole);
        call(&event)(&mut parts);
    }
    for count in [1, 3, 0, 10] {
        let left = parts.pending() - count;
        parts.commit(count);
        assert_eq!(parts.pending(), left);
    }
    parts.commit(usize::MAX);
    whole.commit(usize::MAX);
    assert_eq!(parts.snapshot(), whole.snapshot());
}
