//! Log rows whose checksums are right and whose events no engine could have made.

use tidegate::Error;
use tidegate::catalogue::Item;
use tidegate::engine::{Engine, Signal};
use tidegate::governance::MembershipState;
use tidegate::governance::{
    AgentId, CohortId, CommunityId, CommunityMembership, ItemId, KindId, KindSet, ShareMode,
    SharePolicy, SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{Event, EventRecord, Remote, SignalEvent};
use tidegate::signals::{Kind, default_kinds};

use crate::changed_snapshots::assert_sound;
use crate::forge::{COMMUNITY, Forgery, ITEM, MILLISECOND, ORIGIN, Row, T0, USER, Wire, item};
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
pub fn reader() -> Engine {
    let mut engine = stored();
    engine.signal(&signal(1, Some(COMMUNITY)), NOW).unwrap();
    engine
}

pub fn fold(engine: &mut Engine, row: &[u8]) -> Result<usize, Error> {
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
            |wire| wire.common().$name = $value
        };
    }
    refuses("nobody", |row| row.ids[0] = 0);
    refuses("no ids", |row| row.ids.clear());
    refuses("no items", |row| row.items.clear());
    refuses("an item past the end", |row| row.items.push(u64::MAX));
    refuses("no stamps", |row| row.stamps.clear());
    refuses_signal("a user past the list", field!(user = 2));
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
            Wire::Double(_, place, _) => *place = weight,
            _ => unreachable!("it is weighted"),
        });
    }
    refuses("a whole weight", |row| match &mut row.events[0] {
        Wire::Whole(_, weight) => *weight = 1_000_001,
        _ => unreachable!("it is whole"),
    });
    refuses("a fraction", |row| {
        let common = *row.events[0].common();
        row.events[0] = Wire::Thousandths(common, 1_000_000_001);
    });
    for weight in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 2e6, -1e30] {
        refuses("a weight of four bytes", |row| {
            let common = *row.events[0].common();
            row.events[0] = Wire::Single(common, weight);
        });
    }
    refuses("an agent past the list", |row| match &mut row.events[1] {
        Wire::Double(_, _, agent) => *agent = 3,
        _ => unreachable!("it is weighted"),
    });
    for unit in [u64::MAX, u64::MAX / T0 + 1] {
        refuses("a unit", |row| row.unit = unit);
    }
}

/// One of no kinds, and one of a kind that the schema does not have.
fn policies() -> (SharePolicy, SharePolicy) {
    let mut unknown = KindSet::EMPTY;
    unknown.insert(KindId(9));
    let policy = |mode| SharePolicy { version: 1, mode };
    (policy(ShareMode::None), policy(ShareMode::Kinds(unknown)))
}

#[test]
fn events_that_cannot_be_are_refused() {
    let _alone = alone();
    let nobody = UserId(0);
    let (community, at_ns, epoch) = (CommunityId(COMMUNITY), NOW, 0);
    let (none, strange) = policies();
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
            mark: 7,
        },
    );
    refuses_event(
        "nobody leaves all",
        &Event::LayerLeave {
            user: nobody,
            left_at_ns: at_ns,
            mark: 7,
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
}

#[test]
fn events_of_others_that_cannot_be_are_refused() {
    let _alone = alone();
    let nobody = UserId(0);
    let (community, at_ns, epoch) = (CommunityId(COMMUNITY), NOW, 0);
    let (none, strange) = policies();
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
    refuses_event(
        "nobody left all",
        &Event::ReplayedLayer(CommunityMembership::default_active(nobody)),
    );
}

#[test]
fn items_and_kinds_that_cannot_be_are_refused() {
    let _alone = alone();
    let plain = item();
    let refuses_item = |what: &str, change: fn(&mut Item)| {
        let mut item = plain.clone();
        change(&mut item);
        refuses_event(what, &Event::UpsertItem(item));
    };
    refuses_item("a short vector", |item| item.vector = Some(vec![1.0]));
    refuses_item("a vector that is no number", |item| {
        item.vector = Some(vec![f32::NAN; 2]);
    });
    refuses_item("categories out of order", |item| item.categories.reverse());
    refuses_item("a category without a name", |item| {
        item.categories = vec![String::new()];
    });
    refuses_item("a time that is no number", |item| {
        item.created_at_ms = Some(f64::NAN);
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
