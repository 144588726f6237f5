//! Events of other origins: epoch fences (R6), once (R7), no local effects and no opening of gates (R17).

use crate::support::{ADA, BOB, NOIR, T0, engine, foreign, mass, record};
use tidegate::Error;
use tidegate::engine::Engine;
use tidegate::governance::{LeaveMode, MembershipState, Outcome, SharePolicy};
use tidegate::log::{EventRecord, Remote};
use tidegate::replication::Stream;

/// ADA in epoch 1 of NOIR, with one contribution on item 1 in each epoch.
fn rejoined() -> Engine {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    record(&mut engine, ADA, 1, Some(NOIR));
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    record(&mut engine, ADA, 1, Some(NOIR));
    engine
}

fn transition(sequence: u64, event: Remote) -> EventRecord {
    EventRecord {
        origin: 99,
        sequence,
        event,
    }
}

#[test]
fn stale_epoch_never_counts_after_rejoin() {
    let mut engine = rejoined();
    for (sequence, epoch) in [(1, Some(0)), (2, None), (3, Some(0))] {
        assert_eq!(
            engine.replay(&foreign(99, sequence, ADA, 5, epoch)),
            Ok(Outcome::StaleEpoch)
        );
    }
    assert_eq!(
        engine.replay(&foreign(99, 4, ADA, 5, Some(5))),
        Ok(Outcome::FutureEpoch)
    );
    assert_eq!(
        engine.replay(&foreign(99, 5, BOB, 5, Some(0))),
        Ok(Outcome::NotMember)
    );
    assert_eq!(mass(&engine, NOIR), [(1, 2)]);
    assert_eq!(
        engine.replay(&foreign(99, 6, ADA, 5, Some(1))),
        Ok(Outcome::Recorded)
    );
    assert_eq!(mass(&engine, NOIR), [(1, 2), (5, 1)]);
}

#[test]
fn the_current_epoch_behind_a_closed_gate_is_gated() {
    let mut engine = rejoined();
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    assert_eq!(
        engine.replay(&foreign(99, 1, ADA, 5, Some(1))),
        Ok(Outcome::Left)
    );
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    engine
        .leave_community_layer(ADA, T0)
        .expect("leave the layer");
    assert_eq!(
        engine.replay(&foreign(99, 2, ADA, 5, Some(2))),
        Ok(Outcome::LayerLeft)
    );
    assert_eq!(mass(&engine, NOIR), [(1, 2)]);
}

#[test]
fn each_event_counts_once_across_orders_and_restores() {
    let mut engine = rejoined();
    let events: Vec<_> = (1..=100)
        .map(|sequence| foreign(99, sequence, ADA, sequence % 7, Some(1)))
        .collect();
    for event in &events {
        assert_eq!(engine.replay(event), Ok(Outcome::Recorded));
    }
    engine.commit(usize::MAX);
    let bytes = engine.snapshot();
    for event in events.iter().rev().chain(&events) {
        assert_eq!(engine.replay(event), Ok(Outcome::Duplicate));
    }
    engine.commit(usize::MAX);
    assert_eq!(engine.snapshot(), bytes, "a duplicate changes nothing");
    let mut restored = Engine::restore(&bytes, Some(12)).expect("a snapshot");
    for event in &events {
        assert_eq!(restored.replay(event), Ok(Outcome::Duplicate));
    }
    let other_payload = foreign(99, 100, ADA, 6, Some(1));
    assert_eq!(
        restored.replay(&other_payload),
        Ok(Outcome::Duplicate),
        "the first wins"
    );
    assert_eq!(
        restored.replay(&foreign(98, 100, ADA, 6, Some(1))),
        Ok(Outcome::Recorded),
        "another origin"
    );
}

#[test]
fn a_replayed_contribution_has_no_local_effects() {
    let mut engine = rejoined();
    let before = engine.profile(ADA, T0);
    engine
        .replay(&foreign(99, 1, ADA, 5, Some(1)))
        .expect("a valid record");
    assert_eq!(engine.profile(ADA, T0), before);
}

#[test]
fn import_closes_gates_and_never_opens_them() {
    let policy = SharePolicy::default();
    let mut engine = engine();
    let join = |epoch| Remote::Join {
        user: ADA,
        community: NOIR,
        epoch,
        policy,
        at_ns: T0,
    };
    let leave = |epoch| Remote::Leave {
        user: ADA,
        community: NOIR,
        epoch,
        at_ns: T0,
    };
    engine
        .replay(&transition(1, join(0)))
        .expect("a valid record");
    assert_eq!(
        record(&mut engine, ADA, 1, Some(NOIR)),
        Outcome::NotMember,
        "known from imports alone"
    );
    assert_eq!(
        engine.replay(&foreign(99, 2, ADA, 5, Some(0))),
        Ok(Outcome::Recorded),
        "other devices' count"
    );
    assert_eq!(
        engine.join(ADA, NOIR, None, T0),
        Ok(0),
        "joining the open epoch, not a new one"
    );
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::Recorded);

    assert_eq!(
        engine.replay(&transition(3, leave(0))),
        Ok(Outcome::Recorded)
    );
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::Left);
    engine
        .replay(&transition(4, join(1)))
        .expect("a valid record");
    let row = engine.membership(ADA, NOIR).expect("row");
    assert_eq!(
        (row.state, row.epoch, row.contributing),
        (MembershipState::Rejoined, 1, false)
    );
    assert_eq!(
        record(&mut engine, ADA, 1, Some(NOIR)),
        Outcome::Left,
        "not joined here"
    );
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0), Ok(1));
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::Recorded);

    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    assert_eq!(
        engine.replay(&transition(5, join(1))),
        Ok(Outcome::Recorded)
    );
    assert_eq!(
        record(&mut engine, ADA, 1, Some(NOIR)),
        Outcome::Left,
        "closed beats open within an epoch"
    );
    assert_eq!(
        engine.replay(&transition(6, leave(0))),
        Ok(Outcome::StaleEpoch)
    );
    assert_eq!(
        engine.replay(&transition(7, leave(4))),
        Ok(Outcome::Recorded)
    );
    let row = engine.membership(ADA, NOIR).expect("row");
    assert_eq!(
        (row.state, row.epoch),
        (MembershipState::Left, 4),
        "closed at the epoch that the leave names"
    );
}

#[test]
fn a_record_that_cannot_be_is_refused() {
    let mut engine = rejoined();
    engine.commit(usize::MAX);
    let before = engine.snapshot();
    let own = engine.origin();
    assert_eq!(
        engine.replay(&foreign(own, 1, ADA, 5, Some(1))),
        Err(Error::InvalidArgument("origin"))
    );
    assert_eq!(
        engine.replay(&foreign(99, 0, ADA, 5, Some(1))),
        Err(Error::InvalidArgument("origin"))
    );
    let nobody = tidegate::governance::UserId(0);
    assert_eq!(
        engine.replay(&foreign(99, 1, nobody, 5, Some(1))),
        Err(Error::InvalidId("user"))
    );
    assert_eq!((engine.pending(), engine.snapshot()), (0, before));
}

#[test]
fn streams_are_numbered_as_events_are_appended() {
    use tidegate::storage::{Blocks, Tag};
    let mut engine = rejoined();
    record(&mut engine, ADA, 1, None);
    engine
        .leave_community_layer(ADA, T0)
        .expect("leave the layer");
    engine.commit(usize::MAX);
    let bytes = engine.snapshot();
    let blocks = Blocks::parse(&bytes).expect("a snapshot");
    let (key, value) = blocks
        .iter()
        .find(|(key, _)| key.tag == Tag::Marks)
        .expect("marks");
    assert_eq!(key.entity, engine.origin());
    let streams: Vec<(Stream, u64)> = postcard::from_bytes(value).expect("streams");
    // One local signal; one layer event; join, leave, rejoin and two contributions.
    assert_eq!(
        streams,
        [
            (Stream::Local, 1),
            (Stream::Layer, 1),
            (Stream::Community(NOIR), 5)
        ]
    );
}
