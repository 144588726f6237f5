//! Join, leave, rejoin, and the community layer: what the two seeds ask of them.

use crate::support::{ADA, BOB, NOIR, SECOND, T0, engine, kind, mass, record, view};
use tidegate::Error;
use tidegate::engine::Engine;
use tidegate::governance::{
    CohortId, KindSet, LeaveMode, MembershipState, MembershipStatus, Outcome, ShareMode,
    SharePolicy,
};
use tidegate::query::Query;
use tidegate::storage::{Blocks, Tag};

/// The blocks of a snapshot that are the local profile.
fn local(engine: &mut Engine) -> Vec<(Vec<u8>, Vec<u8>)> {
    let bytes = engine.snapshot();
    let blocks = Blocks::parse(&bytes).expect("a snapshot");
    blocks
        .iter()
        .filter(|(key, _)| key.tag.is_local())
        .map(|(key, value)| (key.to_bytes(), value.to_vec()))
        .collect()
}

#[test]
fn first_join_is_epoch_0_and_joining_again_changes_nothing() {
    let mut engine = engine();
    assert_eq!(engine.join(ADA, NOIR, None, T0), Ok(0));
    engine.commit(usize::MAX);
    let before = engine.snapshot();
    assert_eq!(engine.join(ADA, NOIR, None, T0 + SECOND), Ok(0));
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0 + SECOND), Ok(0));
    assert_eq!(
        engine.pending(),
        0,
        "a call that changes nothing appends nothing"
    );
    assert_eq!(engine.snapshot(), before);
}

#[test]
fn leave_engages_the_gate_settles_to_left_and_keeps_the_row() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    let leave = engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0 + 5)
        .expect("leave");
    assert_eq!(
        (leave.epoch, leave.stop_forward_at_ns, leave.changed),
        (0, T0 + 5, true)
    );
    let row = engine.membership(ADA, NOIR).expect("the row stays");
    assert_eq!(row.state, MembershipState::Left);
    assert_eq!(row.stop_forward_at_ns, Some(T0 + 5));
    assert_eq!(row.joined_at_ns, T0);
    assert!(!row.contributing);
}

#[test]
fn leaving_again_keeps_the_first_time_whatever_the_clock_says() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    for at in [10, 50, 5] {
        let leave = engine
            .leave(ADA, NOIR, LeaveMode::StopForward, T0 + at)
            .expect("leave");
        assert_eq!(
            (leave.stop_forward_at_ns, leave.changed),
            (T0 + 10, at == 10)
        );
    }
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0), Ok(1));
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0), Ok(1));
}

#[test]
fn leave_and_rejoin_without_a_membership_are_not_found() {
    let mut engine = engine();
    let before = engine.snapshot();
    assert_eq!(
        engine.leave(ADA, NOIR, LeaveMode::StopForward, T0),
        Err(Error::NotFound)
    );
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0), Err(Error::NotFound));
    assert_eq!(engine.membership_epoch(ADA, NOIR), None);
    assert_eq!(engine.snapshot(), before);
}

#[test]
fn purge_is_unsupported_and_changes_nothing() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    let before = (engine.pending(), engine.membership(ADA, NOIR));
    assert_eq!(
        engine.leave(ADA, NOIR, LeaveMode::Purge, T0),
        Err(Error::Unsupported)
    );
    assert_eq!((engine.pending(), engine.membership(ADA, NOIR)), before);
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::Recorded);
}

#[test]
fn no_contribution_counts_after_leave_and_the_local_profile_goes_on() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    assert_eq!(record(&mut engine, ADA, 100, Some(NOIR)), Outcome::Recorded);
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    for _ in 0..5 {
        assert_eq!(record(&mut engine, ADA, 200, Some(NOIR)), Outcome::Left);
    }
    assert_eq!(engine.rejoin(ADA, NOIR, None, T0), Ok(1));
    assert_eq!(record(&mut engine, ADA, 300, Some(NOIR)), Outcome::Recorded);
    assert_eq!(mass(&engine, NOIR), [(100, 1), (300, 1)]);
    let profile = engine.profile(ADA, T0);
    let items: Vec<_> = profile
        .items
        .iter()
        .map(|(item, score)| (item.0, *score))
        .collect();
    assert_eq!(items, [(200, 5.0), (100, 1.0), (300, 1.0)]);
    assert_eq!(profile.signals, 7);
}

#[test]
fn local_keyspaces_are_the_same_bytes_whatever_becomes_of_the_membership() {
    let signals = [(100, 0), (200, 1), (100, 2), (300, 3), (200, 4)];
    let run = |steps: &dyn Fn(&mut Engine, u64)| {
        let mut engine = engine();
        engine.set_cohorts(ADA, &[CohortId(4)]).expect("cohorts");
        for (item, step) in signals {
            steps(&mut engine, step);
            record(&mut engine, ADA, item, Some(NOIR));
        }
        engine.commit(usize::MAX);
        local(&mut engine)
    };
    let never = run(&|_, _| {});
    assert!(never.len() >= 2, "a profile and cohorts are local");
    let member = run(&|engine, _| {
        engine.join(ADA, NOIR, None, T0).expect("join");
    });
    let comes_and_goes = run(&|engine, step| {
        engine.join(ADA, NOIR, None, T0).expect("join");
        if step % 2 == 1 {
            engine
                .leave(ADA, NOIR, LeaveMode::StopForward, T0)
                .expect("leave");
            engine
                .leave_community_layer(ADA, T0)
                .expect("leave the layer");
        }
    });
    assert_eq!(never, member);
    assert_eq!(never, comes_and_goes);
}

#[test]
fn rejoin_opens_the_next_epoch_exactly_and_clears_the_gate() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    for epoch in 1..=5 {
        engine
            .leave(ADA, NOIR, LeaveMode::StopForward, T0 + epoch)
            .expect("leave");
        assert_eq!(
            engine.rejoin(ADA, NOIR, None, T0 + 100),
            Ok(u32::try_from(epoch).expect("small"))
        );
        let row = engine.membership(ADA, NOIR).expect("row");
        assert_eq!(
            (row.state, row.stop_forward_at_ns),
            (MembershipState::Rejoined, None)
        );
        assert_eq!((row.joined_at_ns, row.contributing), (T0, true));
    }
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    assert_eq!(
        engine.join(ADA, NOIR, None, T0),
        Ok(6),
        "joining after a leave is a rejoin"
    );
}

#[test]
fn an_explicit_policy_replaces_the_old_one_and_nothing_else() {
    let mut engine = engine();
    let mut only_likes = KindSet::EMPTY;
    only_likes.insert(kind(&engine, "like"));
    let policy = SharePolicy {
        version: 3,
        mode: ShareMode::Kinds(only_likes),
    };
    engine.join(ADA, NOIR, None, T0).expect("join");
    assert_eq!(engine.join(ADA, NOIR, Some(policy), T0 + SECOND), Ok(0));
    let row = engine.membership(ADA, NOIR).expect("row");
    assert_eq!((row.share_policy_version, row.joined_at_ns), (3, T0));
    assert_eq!(
        record(&mut engine, ADA, 1, Some(NOIR)),
        Outcome::PolicyExcluded
    );
    let like = tidegate::engine::Signal {
        kind: kind(&engine, "like"),
        ..view(&engine, ADA, 1, Some(NOIR))
    };
    assert_eq!(engine.signal(&like, T0), Ok(Outcome::Recorded));
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    assert_eq!(
        record(&mut engine, ADA, 1, Some(NOIR)),
        Outcome::PolicyExcluded,
        "the policy stays"
    );
    let none = SharePolicy {
        version: 4,
        mode: ShareMode::None,
    };
    engine.join(ADA, NOIR, Some(none), T0).expect("join");
    assert_eq!(engine.signal(&like, T0), Ok(Outcome::PolicyExcluded));
}

#[test]
fn the_gate_answers_in_the_order_layer_membership_left_policy() {
    let mut engine = engine();
    assert_eq!(record(&mut engine, ADA, 1, None), Outcome::Local);
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::NotMember);
    engine
        .leave_community_layer(ADA, T0)
        .expect("leave the layer");
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::LayerLeft);
    let none = SharePolicy {
        version: 1,
        mode: ShareMode::None,
    };
    engine.join(ADA, NOIR, Some(none), T0).expect("join");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::LayerLeft);
    engine
        .rejoin_community_layer(ADA)
        .expect("rejoin the layer");
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::Left);
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    assert_eq!(
        record(&mut engine, ADA, 1, Some(NOIR)),
        Outcome::PolicyExcluded
    );
}

#[test]
fn the_layer_gates_cohorts_and_communities_and_keeps_the_time_of_leaving() {
    let mut engine = engine();
    let cohort = CohortId(3);
    engine.set_cohorts(ADA, &[cohort]).expect("cohorts");
    engine.join(ADA, NOIR, None, T0).expect("join");
    let status = engine.community_layer_status(ADA);
    assert_eq!(
        (status.status, status.left_at_ns),
        (MembershipStatus::Active, None)
    );
    let cohort_score = |engine: &mut Engine| {
        let query = Query {
            cohort: Some(cohort),
            include_seen: true,
            ..Query::new(BOB, T0)
        };
        engine
            .query(&query)
            .items
            .iter()
            .map(|item| item.cohort)
            .sum::<f64>()
    };
    record(&mut engine, ADA, 1, Some(NOIR));
    let counted = cohort_score(&mut engine);
    assert!(counted > 0.0);

    let left = engine
        .leave_community_layer(ADA, T0 + 9)
        .expect("leave the layer");
    assert_eq!(
        (left.status, left.left_at_ns),
        (MembershipStatus::Left, Some(T0 + 9))
    );
    record(&mut engine, ADA, 1, Some(NOIR));
    assert!(
        (cohort_score(&mut engine) - counted).abs() < 1e-15,
        "no attribution while the layer is left"
    );
    assert_eq!(mass(&engine, NOIR), [(1, 1)]);

    let back = engine
        .rejoin_community_layer(ADA)
        .expect("rejoin the layer");
    assert_eq!(
        (back.status, back.left_at_ns),
        (MembershipStatus::Active, Some(T0 + 9))
    );
    assert_eq!(record(&mut engine, ADA, 1, Some(NOIR)), Outcome::Recorded);
    let again = engine
        .leave_community_layer(ADA, T0)
        .expect("the clock went back");
    assert_eq!(
        again.left_at_ns,
        Some(T0 + 10),
        "times of leaving strictly increase"
    );
}

#[test]
fn memberships_epochs_and_gates_survive_a_snapshot() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0 + 1)
        .expect("leave");
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0 + 2)
        .expect("leave");
    engine.join(BOB, NOIR, None, T0).expect("join");
    engine
        .leave_community_layer(BOB, T0 + 3)
        .expect("leave the layer");
    engine.commit(usize::MAX);
    let mut reopened = Engine::restore(&engine.snapshot(), None).expect("a snapshot");
    assert_eq!(reopened.memberships(None), engine.memberships(None));
    assert_eq!(reopened.membership_epoch(ADA, NOIR), Some(1));
    assert_eq!(
        reopened.community_layer_status(BOB),
        engine.community_layer_status(BOB)
    );
    assert_eq!(record(&mut reopened, ADA, 1, Some(NOIR)), Outcome::Left);
    assert_eq!(
        record(&mut reopened, BOB, 1, Some(NOIR)),
        Outcome::LayerLeft
    );
    assert_eq!(reopened.rejoin(ADA, NOIR, None, T0), Ok(2));
}

#[test]
fn memberships_are_stored_under_their_own_tag_beside_the_user() {
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    engine
        .leave_community_layer(ADA, T0 + 3)
        .expect("leave the layer");
    engine.commit(usize::MAX);
    let bytes = engine.snapshot();
    let blocks = Blocks::parse(&bytes).expect("a snapshot");
    let of = |tag| {
        blocks
            .iter()
            .find(|(key, _)| key.tag == tag)
            .expect("a block")
    };
    let (key, _) = of(Tag::Membership);
    assert_eq!(key.to_bytes(), [0, 0, 0, 0, 0, 0, 0, 1, 0x0E]);
    let (key, value) = of(Tag::CommunityLeave);
    assert_eq!(key.to_bytes(), [0, 0, 0, 0, 0, 0, 0, 1, 0x11]);
    assert_eq!(value, [&[1][..], &(T0 + 3).to_le_bytes()].concat());
}

#[test]
fn queries_say_under_which_epoch_they_rank() {
    let mut engine = engine();
    let query = |community| Query {
        community,
        ..Query::new(ADA, T0)
    };
    let local = engine.query(&query(None));
    assert_eq!(
        (
            local.policy_metadata.membership_epoch,
            local.stats.membership_epoch
        ),
        (None, None)
    );
    assert_eq!(
        engine
            .query(&query(Some(NOIR)))
            .policy_metadata
            .membership_epoch,
        None
    );
    engine.join(ADA, NOIR, None, T0).expect("join");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    let result = engine.query(&query(Some(NOIR)));
    assert_eq!(result.policy_metadata.membership_epoch, Some(1));
    assert_eq!(result.stats.membership_epoch, Some(1));
    assert_eq!(
        result.policy_metadata.membership_state,
        Some(MembershipState::Rejoined)
    );
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    let left = engine.query(&query(Some(NOIR)));
    assert_eq!(
        left.policy_metadata.membership_state,
        Some(MembershipState::Left)
    );
    assert_eq!(left.stats.membership_epoch, Some(1));
}

#[test]
fn a_member_is_shown_the_community_and_a_leaver_is_not() {
    let mut engine = engine();
    for user in [ADA, BOB] {
        engine.join(user, NOIR, None, T0).expect("join");
    }
    record(&mut engine, BOB, 5, Some(NOIR));
    let community = |engine: &mut Engine| {
        let query = Query {
            community: Some(NOIR),
            ..Query::new(ADA, T0)
        };
        engine
            .query(&query)
            .items
            .first()
            .map(|item| item.community)
    };
    assert!(community(&mut engine).is_some_and(|part| part > 0.0));
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    assert_eq!(community(&mut engine), Some(0.0));
}

#[test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let mut engine = engine();
    engine.commit(usize::MAX);
    let before = engine.snapshot();
    let signal = view(&engine, ADA, 1, None);
    let nobody = tidegate::governance::UserId(0);
    let bad = [
        (
            tidegate::engine::Signal {
                user: nobody,
                ..signal
            },
            Error::InvalidId("user"),
        ),
        (
            tidegate::engine::Signal {
                weight: Some(f64::NAN),
                ..signal
            },
            Error::InvalidWeight("weight"),
        ),
        (
            tidegate::engine::Signal {
                weight: Some(1e6 + 1.0),
                ..signal
            },
            Error::InvalidWeight("weight"),
        ),
        (
            tidegate::engine::Signal {
                at_ns: Some(0),
                ..signal
            },
            Error::InvalidTimestamp("at"),
        ),
        (
            tidegate::engine::Signal {
                at_ns: Some(T0 + 86_401 * SECOND),
                ..signal
            },
            Error::InvalidTimestamp("at"),
        ),
        (
            tidegate::engine::Signal {
                kind: tidegate::governance::KindId(99),
                ..signal
            },
            Error::UnknownKind,
        ),
    ];
    for (signal, error) in bad {
        assert_eq!(engine.signal(&signal, T0), Err(error));
    }
    assert_eq!(
        engine.join(nobody, NOIR, None, T0),
        Err(Error::InvalidId("user"))
    );
    assert_eq!(
        engine.leave_community_layer(nobody, T0),
        Err(Error::InvalidId("user"))
    );
    assert_eq!((engine.pending(), engine.snapshot()), (0, before));
}

#[test]
fn past_the_last_epoch_nothing_changes() {
    use crate::support::foreign;
    use tidegate::log::{EventRecord, Remote};
    let mut engine = engine();
    engine.join(ADA, NOIR, None, T0).expect("join");
    // The last epoch can only be reached through another device within a lifetime.
    let policy = SharePolicy::default();
    let event = Remote::Join {
        user: ADA,
        community: NOIR,
        epoch: u32::MAX,
        policy,
        at_ns: T0,
    };
    engine
        .replay(&EventRecord {
            event,
            ..foreign(99, 1, ADA, 1, None)
        })
        .expect("a valid record");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    let before = (engine.pending(), engine.membership(ADA, NOIR));
    assert_eq!(
        engine.rejoin(ADA, NOIR, None, T0),
        Err(Error::EpochExhausted)
    );
    assert_eq!(engine.join(ADA, NOIR, None, T0), Err(Error::EpochExhausted));
    assert_eq!((engine.pending(), engine.membership(ADA, NOIR)), before);
}

#[test]
fn contributions_carry_the_epoch_and_policy_they_were_made_under() {
    use tidegate::governance::{AgentId, SignalScope};
    use tidegate::log::Event;
    let mut engine = engine();
    let policy = SharePolicy {
        version: 3,
        mode: ShareMode::All,
    };
    engine.join(ADA, NOIR, Some(policy), T0).expect("join");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    engine.rejoin(ADA, NOIR, None, T0).expect("rejoin");
    engine.commit(usize::MAX);
    let agent = Some(AgentId(5));
    let signal = tidegate::engine::Signal {
        agent,
        ..view(&engine, ADA, 1, Some(NOIR))
    };
    engine.signal(&signal, T0).expect("a valid signal");
    engine.signal(&signal, T0).expect("a valid signal");
    engine
        .leave(ADA, NOIR, LeaveMode::StopForward, T0)
        .expect("leave");
    engine.signal(&signal, T0).expect("a valid signal");
    let row = engine.pending_row(1, 1);
    let (header, events) = engine.read_row(&row).expect("a row");
    assert_eq!((header.origin, header.tab, header.number), (11, 1, 1));
    let stamps: Vec<_> = events
        .iter()
        .filter_map(|event| match event {
            Event::Signal(signal) => Some(signal.provenance),
            _ => None,
        })
        .collect();
    let [first, second, gated] = stamps[..] else {
        panic!("three signals")
    };
    assert_eq!(
        (first.membership_epoch, first.share_policy_version),
        (Some(1), 3)
    );
    assert_eq!(
        (first.scope, first.origin),
        (SignalScope::Community(NOIR), 11)
    );
    assert_eq!(first.writer_agent, agent);
    assert!(
        first.hlc > 0 && second.hlc > first.hlc,
        "the clock moves on within a millisecond"
    );
    assert_eq!(
        (gated.membership_epoch, gated.scope),
        (None, SignalScope::Local),
        "logged local"
    );
}

#[test]
fn the_epoch_of_a_community_only_rises() {
    let mut engine = engine();
    assert_eq!(engine.replication().membership_epoch(NOIR), 0);
    for epoch in 0..3 {
        engine.join(ADA, NOIR, None, T0).expect("join");
        assert_eq!(engine.replication().membership_epoch(NOIR), epoch);
        engine
            .leave(ADA, NOIR, LeaveMode::StopForward, T0)
            .expect("leave");
    }
    engine.join(BOB, NOIR, None, T0).expect("join");
    assert_eq!(
        engine.replication().membership_epoch(NOIR),
        2,
        "the maximum over its members"
    );
}

#[test]
fn the_local_part_of_a_query_is_the_same_through_join_leave_and_rejoin() {
    let mut with = engine();
    let mut without = engine();
    with.join(BOB, NOIR, None, T0).expect("join");
    record(&mut with, BOB, 9, Some(NOIR));
    record(&mut without, BOB, 9, None);
    for step in 0..9 {
        match step % 3 {
            0 => with.join(ADA, NOIR, None, T0).map(|_| ()).expect("join"),
            1 => with
                .leave(ADA, NOIR, LeaveMode::StopForward, T0)
                .map(|_| ())
                .expect("leave"),
            _ => with
                .rejoin(ADA, NOIR, None, T0)
                .map(|_| ())
                .expect("rejoin"),
        }
        record(&mut with, ADA, step, Some(NOIR));
        record(&mut without, ADA, step, None);
        let parts = |engine: &mut Engine, community| {
            let query = Query {
                community,
                include_seen: true,
                ..Query::new(ADA, T0)
            };
            let mut parts: Vec<_> = engine
                .query(&query)
                .items
                .iter()
                .map(|item| (item.id, item.local.to_bits()))
                .collect();
            parts.sort_unstable();
            parts
        };
        assert_eq!(
            parts(&mut with, Some(NOIR)),
            parts(&mut without, None),
            "step {step}"
        );
        assert_eq!(with.profile(ADA, T0), without.profile(ADA, T0));
    }
}
