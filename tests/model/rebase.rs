//! Two tabs of one database: what one tab has pending when it folds the other's rows (R3, R11). Rebase may only lower
//! what became of a contribution, and never takes local effects back.

use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{
    CommunityId, ItemId, LeaveMode, Outcome, ShareMode, SharePolicy, UserId,
};

use crate::history::T0;

const USER: UserId = UserId(1);
const COMMUNITY: CommunityId = CommunityId(0);

/// Two tabs that have seen the same.
fn tabs(before: impl FnOnce(&mut Engine)) -> (Engine, Engine) {
    let mut one = Engine::new(&Config {
        origin: 7,
        ..Config::default()
    })
    .unwrap();
    before(&mut one);
    one.commit(one.pending());
    let other = Engine::restore(&one.snapshot(), None).unwrap();
    (one, other)
}

fn signal(engine: &mut Engine, item: u64) -> Outcome {
    let kind = engine.kind("like").unwrap();
    let signal = Signal {
        user: USER,
        item: ItemId(item),
        kind,
        weight: None,
        at_ns: None,
        community: Some(COMMUNITY),
        agent: None,
    };
    engine.signal(&signal, T0).unwrap()
}

/// Appends what `from` has pending, which `to` folds beneath what it has pending itself.
fn hand_over(from: &mut Engine, to: &mut Engine) {
    let row = from.pending_row(1, 1);
    from.commit(from.pending());
    to.catch_up(&[&row]).unwrap();
}

/// What `engine` has pending is appended; both then hold the same bytes, and the masses are these.
fn settle(one: &mut Engine, other: &mut Engine, masses: &[(ItemId, u64)]) {
    hand_over(other, one);
    assert_eq!(one.snapshot(), other.snapshot());
    assert_eq!(one.community_mass(COMMUNITY), masses);
    assert_eq!(other.community_mass(COMMUNITY), masses);
    assert_eq!(
        one.profile(USER, T0).signals,
        other.profile(USER, T0).signals
    );
}

#[test]
fn a_contribution_that_lost_its_right_is_dropped_and_its_local_effects_stay() {
    let (mut one, mut other) = tabs(|engine| {
        engine.join(USER, COMMUNITY, None, T0).unwrap();
    });
    assert_eq!(signal(&mut other, 3), Outcome::Recorded);
    assert_eq!(other.community_mass(COMMUNITY), [(ItemId(3), 1)]);
    one.leave(USER, COMMUNITY, LeaveMode::StopForward, T0)
        .unwrap();
    hand_over(&mut one, &mut other);
    assert_eq!(other.community_mass(COMMUNITY), []);
    assert_eq!(other.profile(USER, T0).signals, 1);
    settle(&mut one, &mut other, &[]);
}

#[test]
fn what_was_gated_stays_gated_though_the_gate_opened_meanwhile() {
    let (mut one, mut other) = tabs(|_| {});
    assert_eq!(signal(&mut other, 3), Outcome::NotMember);
    one.join(USER, COMMUNITY, None, T0).unwrap();
    hand_over(&mut one, &mut other);
    assert_eq!(other.membership_epoch(USER, COMMUNITY), Some(0));
    assert_eq!(signal(&mut other, 4), Outcome::Recorded);
    settle(&mut one, &mut other, &[(ItemId(4), 1)]);
    assert_eq!(one.profile(USER, T0).signals, 2);
}

#[test]
fn what_the_policy_excluded_stays_excluded_though_the_policy_changed_meanwhile() {
    let policy = |mode| Some(SharePolicy { version: 1, mode });
    let (mut one, mut other) = tabs(|engine| {
        engine
            .join(USER, COMMUNITY, policy(ShareMode::None), T0)
            .unwrap();
    });
    assert_eq!(signal(&mut other, 3), Outcome::PolicyExcluded);
    assert_eq!(one.join(USER, COMMUNITY, policy(ShareMode::All), T0), Ok(0));
    hand_over(&mut one, &mut other);
    assert_eq!(signal(&mut other, 4), Outcome::Recorded);
    settle(&mut one, &mut other, &[(ItemId(4), 1)]);
}

#[test]
fn a_contribution_of_an_old_epoch_does_not_count_in_the_new_one() {
    let (mut one, mut other) = tabs(|engine| {
        engine.join(USER, COMMUNITY, None, T0).unwrap();
    });
    assert_eq!(signal(&mut other, 3), Outcome::Recorded);
    one.leave(USER, COMMUNITY, LeaveMode::StopForward, T0)
        .unwrap();
    assert_eq!(one.rejoin(USER, COMMUNITY, None, T0), Ok(1));
    hand_over(&mut one, &mut other);
    settle(&mut one, &mut other, &[]);
}

#[test]
fn a_layer_left_and_rejoined_since_the_signal_was_made_still_closes_to_it() {
    let (mut one, mut other) = tabs(|engine| {
        engine.join(USER, COMMUNITY, None, T0).unwrap();
    });
    assert_eq!(signal(&mut other, 3), Outcome::Recorded);
    one.leave_community_layer(USER, T0).unwrap();
    one.rejoin_community_layer(USER).unwrap();
    hand_over(&mut one, &mut other);
    assert_eq!(signal(&mut other, 4), Outcome::Recorded);
    settle(&mut one, &mut other, &[(ItemId(4), 1)]);
}

#[test]
fn a_leave_that_had_not_seen_a_rejoin_closes_the_epoch_that_is_current() {
    let (mut one, mut other) = tabs(|engine| {
        engine.join(USER, COMMUNITY, None, T0).unwrap();
        engine
            .leave(USER, COMMUNITY, LeaveMode::StopForward, T0)
            .unwrap();
        engine.rejoin(USER, COMMUNITY, None, T0).unwrap();
    });
    one.leave(USER, COMMUNITY, LeaveMode::StopForward, T0 + 1)
        .unwrap();
    assert_eq!(one.rejoin(USER, COMMUNITY, None, T0 + 2), Ok(2));
    other
        .leave(USER, COMMUNITY, LeaveMode::StopForward, T0 + 3)
        .unwrap();
    hand_over(&mut one, &mut other);
    settle(&mut one, &mut other, &[]);
    let row = one.membership(USER, COMMUNITY).unwrap();
    assert_eq!((row.epoch, row.contributing), (2, false));
    assert_eq!(signal(&mut one, 3), Outcome::Left);
}
