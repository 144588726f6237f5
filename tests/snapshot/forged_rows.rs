//! Log rows whose checksums are right and whose events no engine could have made.

use tidegate::Error;
use tidegate::catalogue::Item;
use tidegate::engine::{Engine, Signal};
use tidegate::governance::MembershipState;
use tidegate::governance::{
    AgentId, CohortId, CommunityId, ItemId, KindId, KindSet, ShareMode, SharePolicy,
    SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{Event, EventRecord, Remote, SignalEvent};
use tidegate::signals::{Kind, default_kinds};

use crate::forge::{
    COMMUNITY, Forgery, ITEM, MILLISECOND, ORIGIN, Row, Stamp, T0, USER, Wire, bytes_of,
    row_framed, varint,
};
use crate::forged_snapshots::assert_sound;
use crate::memory::{alone, bounded};

const NOW: u64 = T0 * MILLISECOND;

/// A signal with nothing wrong.
fn signal(item: u64, community: Option<u64>) -> Signal {
    Signal {
        user: UserId(USER),
        item: ItemId(item),
        kind: KindId(1),
        weight: None,
        at_ns: None,
        community: community.map(CommunityId),
        agent: None,
    }
}

fn stored() -> Engine {
    Engine::restore(&Forgery::plain().snapshot(), None).unwrap()
}

/// A reader with a signal pending.
fn reader() -> Engine {
    let mut engine = stored();
    engine.signal(&signal(1, Some(COMMUNITY)), NOW).unwrap();
    engine
}

fn fold(engine: &mut Engine, row: &[u8]) -> Result<usize, Error> {
    bounded(row.len(), || engine.catch_up(&[row]))
}

#[track_caller]
fn assert_refused(what: &str, row: &[u8]) {
    let mut engine = reader();
    let before = (engine.pending_row(1, 1), engine.snapshot());
    assert_eq!(fold(&mut engine, row), Err(Error::CorruptEvents), "{what}");
    assert!(
        (engine.pending_row(1, 1), engine.snapshot()) == before,
        "{what}: something changed"
    );
}

/// Refuses the plain row with one change.
#[track_caller]
fn refuses(what: &str, change: impl FnOnce(&mut Row)) {
    let mut row = Row::plain();
    change(&mut row);
    assert_refused(what, &row.bytes());
}

/// Refuses the plain row with one more event, in front and behind.
#[track_caller]
fn refuses_event(what: &str, event: &Event) {
    refuses(what, |row| row.events.push(Wire::Other(event.clone())));
    refuses(what, |row| row.events.insert(0, Wire::Other(event.clone())));
}

#[track_caller]
fn refuses_remote(what: &str, event: Remote) {
    refuses_event(
        what,
        &Event::Replayed(EventRecord {
            origin: 5,
            sequence: 1,
            event,
        }),
    );
}

#[test]
fn a_row_with_nothing_wrong_is_what_an_engine_writes() {
    let _alone = alone();
    let mut writer = stored();
    let first = Signal {
        at_ns: Some(NOW + 10 * MILLISECOND),
        ..signal(ITEM, Some(COMMUNITY))
    };
    let (weight, kind, agent) = (Some(-0.5), KindId(3), Some(AgentId(99)));
    writer.signal(&first, NOW + 10 * MILLISECOND).unwrap();
    let later = NOW + 11 * MILLISECOND;
    writer
        .signal(
            &Signal {
                at_ns: None,
                weight,
                kind,
                agent,
                ..first
            },
            later,
        )
        .unwrap();
    assert_eq!(Row::plain().bytes(), writer.pending_row(5, 1));
    let mut engine = reader();
    assert_eq!(fold(&mut engine, &Row::plain().bytes()), Ok(2));
    assert_sound(engine, "plain");
}

#[test]
fn signals_that_cannot_be_are_refused() {
    let _alone = alone();
    let refuses_signal = |what: &str, change: fn(&mut Wire)| {
        refuses(what, |row| change(&mut row.events[0]));
        refuses(what, |row| change(&mut row.events[1]));
    };
    macro_rules! field {
        ($name:ident = $value:expr) => {
            |wire| match wire {
                Wire::Signal { $name, .. } | Wire::Weighted { $name, .. } => *$name = $value,
                Wire::Other(_) => {}
            }
        };
    }
    refuses("nobody", |row| row.ids[0] = 0);
    refuses("no ids", |row| row.ids.clear());
    refuses("no stamps", |row| row.stamps.clear());
    refuses_signal("a user past the list", field!(user = 3));
    refuses_signal("an item past the list", field!(item = u32::MAX));
    refuses_signal("a stamp past the list", field!(stamp = 2));
    refuses_signal("a kind too many", field!(kind = 9));
    refuses_signal("a kind far out", field!(kind = u16::MAX));
    refuses_signal("a time past the end", field!(at = i64::MAX));
    refuses_signal("a time before all", field!(at = i64::MIN));
    for weight in [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1_000_000.5,
        -1e300,
    ] {
        refuses("a weight", |row| match &mut row.events[1] {
            Wire::Weighted { weight: place, .. } => *place = weight,
            _ => unreachable!("it is weighted"),
        });
    }
    refuses("a whole weight", |row| match &mut row.events[0] {
        Wire::Signal { weight, .. } => *weight = 1_000_001,
        _ => unreachable!("it is whole"),
    });
    refuses("an agent past the list", |row| match &mut row.events[1] {
        Wire::Weighted { agent, .. } => *agent = 4,
        _ => unreachable!("it is weighted"),
    });
    for unit in [u64::MAX, u64::MAX / T0 + 1] {
        refuses("a unit", |row| row.unit = unit);
    }
}

#[test]
fn events_that_cannot_be_are_refused() {
    let _alone = alone();
    let nobody = UserId(0);
    let (community, at_ns, epoch) = (CommunityId(COMMUNITY), NOW, 0);
    let mut unknown = KindSet::EMPTY;
    unknown.insert(KindId(9));
    let none = SharePolicy {
        version: 1,
        mode: ShareMode::None,
    };
    let strange = SharePolicy {
        version: 1,
        mode: ShareMode::Kinds(unknown),
    };
    let join = |user, policy| Event::Join {
        user,
        community,
        epoch,
        state: MembershipState::Joined,
        policy: Some(policy),
        at_ns,
    };
    refuses_event("nobody joins", &join(nobody, none));
    refuses_event(
        "a policy of kinds that are not there",
        &join(UserId(USER), strange),
    );
    refuses_event(
        "nobody leaves",
        &Event::Leave {
            user: nobody,
            community,
            epoch,
            at_ns,
        },
    );
    refuses_event(
        "nobody leaves all",
        &Event::LayerLeave {
            user: nobody,
            left_at_ns: at_ns,
        },
    );
    refuses_event(
        "nobody comes back",
        &Event::LayerRejoin {
            user: nobody,
            left_at_ns: at_ns,
        },
    );
    refuses_event("nobody is forgotten", &Event::Forget { user: nobody });
    let cohorts = |user, cohorts: &[u64]| Event::Cohorts {
        user,
        cohorts: cohorts.iter().copied().map(CohortId).collect(),
    };
    refuses_event("nobody's cohorts", &cohorts(nobody, &[1]));
    refuses_event("cohorts out of order", &cohorts(UserId(USER), &[2, 1]));
    refuses_event("a cohort twice", &cohorts(UserId(USER), &[2, 2]));
    for name in [String::new(), "x".repeat(1_025)] {
        refuses_event(
            "a name",
            &Event::Name {
                id: 5,
                name: name.into(),
            },
        );
    }
    let provenance = SignalProvenance {
        membership_epoch: Some(0),
        scope: SignalScope::Community(community),
        share_policy_version: 1,
        origin: ORIGIN,
        sequence: 1,
        writer_agent: None,
        hlc: 0,
    };
    // A signal has a form of its own, and only that is read.
    let (user, item, kind, weight) = (UserId(USER), ItemId(1), KindId(1), 1.0);
    let whole = SignalEvent {
        user,
        item,
        kind,
        weight,
        at_ns,
        layer: Some(0),
        provenance,
    };
    refuses_event("a signal written out", &Event::Signal(whole));
    let contribution = |user, kind, weight, scope| Remote::Contribution {
        user,
        item,
        kind: KindId(kind),
        weight,
        at_ns,
        provenance: SignalProvenance {
            scope,
            ..provenance
        },
    };
    let scope = provenance.scope;
    refuses_remote("nobody contributes", contribution(nobody, 1, 1.0, scope));
    refuses_remote("an unknown kind", contribution(user, 9, 1.0, scope));
    refuses_remote("no weight", contribution(user, 1, f64::NAN, scope));
    refuses_remote("too much weight", contribution(user, 1, -1e7, scope));
    refuses_remote("nowhere", contribution(user, 1, 1.0, SignalScope::Local));
    let remote_join = |user, policy| Remote::Join {
        user,
        community,
        epoch,
        policy,
        at_ns,
    };
    refuses_remote("nobody joined", remote_join(nobody, none));
    refuses_remote("kinds that are not there", remote_join(user, strange));
    refuses_remote(
        "nobody left",
        Remote::Leave {
            user: nobody,
            community,
            epoch,
            at_ns,
        },
    );
    refuses_remote(
        "nobody left all",
        Remote::LayerLeave {
            user: nobody,
            left_at_ns: 1,
        },
    );
    refuses_remote(
        "nobody came back",
        Remote::LayerRejoin {
            user: nobody,
            left_at_ns: 1,
        },
    );
}

#[test]
fn items_and_kinds_that_cannot_be_are_refused() {
    let _alone = alone();
    let plain = Forgery::plain().item.unwrap();
    let refuses_item = |what: &str, change: fn(&mut Item)| {
        let mut item = plain.clone();
        change(&mut item);
        refuses_event(what, &Event::UpsertItem(item));
    };
    refuses_item("a short vector", |item| item.vector = Some(vec![1.0]));
    refuses_item("a vector that is no number", |item| {
        item.vector = Some(vec![f32::NAN; 2])
    });
    refuses_item("categories out of order", |item| item.categories.reverse());
    refuses_item("a category without a name", |item| {
        item.categories = vec![String::new()]
    });
    refuses_item("a time that is no number", |item| {
        item.created_at_ms = Some(f64::NAN)
    });
    let refuses_schema = |what: &str, dimensions, change: fn(&mut Kind)| {
        let mut kinds = default_kinds();
        change(&mut kinds[1]);
        refuses_event(what, &Event::Schema { dimensions, kinds });
    };
    refuses_schema("dimensions", 4_097, |_| {});
    refuses_schema("another half-life", 0, |kind| kind.half_life_ns += 1);
    refuses_schema("another role", 0, |kind| kind.hide = true);
    refuses_schema("no half-life", 0, |kind| kind.half_life_ns = 0);
    refuses_schema("no name", 0, |kind| kind.name.clear());
    refuses_schema("no weight", 0, |kind| kind.weight = f64::NAN);
    let name = |number: u32| format!("{number:x}");
    let kind = |number| Kind {
        name: name(number),
        ..default_kinds()[0].clone()
    };
    let kinds = (0..248).map(kind).collect();
    refuses_event(
        "257 kinds",
        &Event::Schema {
            dimensions: 0,
            kinds,
        },
    );
}

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
            },
            Event::LayerLeave {
                user,
                left_at_ns: at_ns,
            },
            Event::LayerRejoin {
                user,
                left_at_ns: at_ns,
            },
            Event::RemoveItem(ItemId(ITEM)),
            Event::UpsertItem(Forgery::plain().item.unwrap()),
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
    let item = Event::UpsertItem(Forgery::plain().item.unwrap());
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
        &|_| Wire::Signal {
            user: 0,
            item: 1,
            kind: 1,
            weight: 1,
            at: 0,
            stamp: 0,
            clock: 0,
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
        forgery.item = None;
        let mut engine = Engine::restore(&forgery.snapshot(), None).unwrap();
        let mut row = Row::plain();
        row.stamps.extend((0..MANY).map(stamp));
        row.ids.extend((0..MANY).map(u64::from));
        row.events.extend((0..MANY).map(kind));
        assert_eq!(fold(&mut engine, &row.bytes()), Ok(MANY as usize + 2));
    }
}
