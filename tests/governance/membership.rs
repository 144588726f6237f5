//! States, leave modes, and one membership's way through them.

use std::fmt::Debug;

use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tidegate::governance::{
    AgentId, CohortId, CommunityId, CreatorId, ItemId, KindId, LeaveMode, Membership,
    MembershipState, MembershipStatus, ShareMode, SharePolicy, SignalProvenance, SignalScope,
    StopForwardGate, UnknownByte, UserId,
};

use crate::rows::{STATES, any_row, kinds, row};

fn bytes_of<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_allocvec(value).unwrap()
}

fn round_trip<T: Serialize + DeserializeOwned>(value: &T) -> T {
    postcard::from_bytes(&bytes_of(value)).unwrap()
}

#[test]
fn membership_state_has_exactly_four_discriminants() {
    let known: Vec<(u8, MembershipState)> = (0..=u8::MAX)
        .filter_map(|byte| Some((byte, byte.try_into().ok()?)))
        .collect();
    assert_eq!(
        known,
        [
            (0, MembershipState::Joined),
            (1, MembershipState::LeavingStopForward),
            (2, MembershipState::Left),
            (3, MembershipState::Rejoined),
        ]
    );
    for (byte, state) in known {
        assert_eq!(u8::from(state), byte);
        assert_eq!(state as u8, byte);
    }
    assert_eq!(size_of::<MembershipState>(), 1);
}

#[test]
fn membership_state_derives_what_its_users_need() {
    fn needs<T: Copy + Clone + Debug + PartialEq + Eq + Serialize + DeserializeOwned>() {}
    needs::<MembershipState>();
    needs::<MembershipStatus>();
    needs::<LeaveMode>();
}

#[test]
fn membership_state_is_one_byte_on_the_wire_and_comes_back() {
    for state in STATES {
        assert_eq!(bytes_of(&state), [state as u8]);
        assert_eq!(round_trip(&state), state);
    }
}

#[test]
fn an_unknown_state_byte_is_refused() {
    for byte in 4..=u8::MAX {
        assert_eq!(MembershipState::try_from(byte), Err(UnknownByte(byte)));
        assert!(
            postcard::from_bytes::<MembershipState>(&[byte]).is_err(),
            "{byte}"
        );
    }
    assert_eq!(UnknownByte(9).to_string(), "unknown discriminant 9");
}

#[test]
fn leave_mode_comes_back() {
    assert_eq!(bytes_of(&LeaveMode::StopForward), [0]);
    assert_eq!(bytes_of(&LeaveMode::Purge), [1]);
    for mode in [LeaveMode::StopForward, LeaveMode::Purge] {
        assert_eq!(round_trip(&mode), mode);
    }
}

#[test]
fn ids_are_bare_integers_on_the_wire_over_their_whole_range() {
    for integer in [0, 1, 127, 128, (1 << 53) + 1, u64::MAX] {
        let bytes = bytes_of(&integer);
        assert_eq!(bytes_of(&UserId(integer)), bytes);
        assert_eq!(round_trip(&UserId(integer)), UserId(integer));
        assert_eq!(round_trip(&CommunityId(integer)), CommunityId(integer));
        assert_eq!(round_trip(&ItemId(integer)), ItemId(integer));
        assert_eq!(round_trip(&CohortId(integer)), CohortId(integer));
        assert_eq!(round_trip(&AgentId(integer)), AgentId(integer));
        assert_eq!(round_trip(&CreatorId(integer)), CreatorId(integer));
    }
    assert_eq!(bytes_of(&KindId(300)), bytes_of(&300_u16));
    assert_eq!(round_trip(&KindId(u16::MAX)), KindId(u16::MAX));
    assert!(UserId(2) < UserId(10), "ids order as numbers");
}

#[test]
fn a_first_join_is_an_open_row_of_epoch_zero() {
    let policy = SharePolicy {
        version: 7,
        mode: ShareMode::Kinds(kinds(&[1, 3])),
    };
    let row = Membership::joined(UserId(1), CommunityId(0), policy, 42);
    assert_eq!(
        (
            row.user_id,
            row.community_id,
            row.state,
            row.epoch,
            row.joined_at_ns
        ),
        (UserId(1), CommunityId(0), MembershipState::Joined, 0, 42)
    );
    assert_eq!(row.share_policy(), policy);
    assert_eq!((row.share_policy_version, row.share), (7, policy.mode));
    assert_eq!(row.stop_forward_at_ns.load(), 0);
    assert!(row.is_open());
    assert_eq!(row.contributing_epoch, None);
}

#[test]
fn the_first_nonzero_stop_time_wins() {
    let row = row(1, 2);
    assert!(!row.is_stop_forwarded());
    row.engage_stop_forward(10);
    for later in [50, 5, 0, u64::MAX] {
        row.engage_stop_forward(later);
        assert_eq!(row.stop_forward_at_ns.load(), 10);
        assert!(row.is_stop_forwarded());
    }
}

#[test]
fn a_clock_at_zero_still_engages_the_gate() {
    let row = row(1, 2);
    row.engage_stop_forward(0);
    assert!(row.is_stop_forwarded());
    assert_eq!(row.stop_forward_at_ns.load(), 1);
}

#[test]
fn a_cleared_gate_flows_and_can_be_engaged_again() {
    let row = row(1, 2);
    row.engage_stop_forward(10);
    row.clear_stop_forward();
    assert!(!row.is_stop_forwarded());
    assert_eq!(row.stop_forward_at_ns.load(), 0);
    row.engage_stop_forward(5);
    assert_eq!(
        row.stop_forward_at_ns.load(),
        5,
        "an earlier time after a clear is a first time"
    );
}

#[test]
fn the_gate_and_the_state_can_each_close_a_membership() {
    let open = |state, stopped_at| {
        let mut row = row(1, 2);
        row.state = state;
        row.stop_forward_at_ns.store(stopped_at);
        row.is_open()
    };
    for state in STATES {
        let member = matches!(state, MembershipState::Joined | MembershipState::Rejoined);
        assert_eq!(open(state, 0), member, "{state:?}");
        assert!(!open(state, 1), "{state:?}");
        assert!(!open(state, u64::MAX), "{state:?}");
    }
}

#[test]
fn only_the_epoch_that_this_database_joined_itself_contributes() {
    let mut row = row(1, 2);
    row.epoch = 3;
    for (joined, contributes) in [
        (None, false),
        (Some(2), false),
        (Some(3), true),
        (Some(4), false),
    ] {
        row.contributing_epoch = joined;
        assert!(row.is_open());
        assert_eq!(row.is_contributing(), contributes, "{joined:?}");
    }
    row.contributing_epoch = Some(3);
    row.engage_stop_forward(9);
    assert!(!row.is_contributing(), "a closed row contributes nothing");
}

#[test]
fn settling_ends_a_leave_and_nothing_else() {
    for state in STATES {
        let mut row = row(1, 2);
        row.state = state;
        row.stop_forward_at_ns.store(10);
        let mut expected = row.clone();
        if state == MembershipState::LeavingStopForward {
            expected.state = MembershipState::Left;
        }
        row.settle();
        assert_eq!(row, expected);
    }
}

#[test]
fn another_share_policy_changes_nothing_else() {
    let mut changed = row(1, 2);
    changed.set_share_policy(SharePolicy {
        version: 9,
        mode: ShareMode::None,
    });
    assert_eq!(
        changed.share_policy(),
        SharePolicy {
            version: 9,
            mode: ShareMode::None
        }
    );
    changed.set_share_policy(SharePolicy::default());
    assert_eq!(changed, row(1, 2));
}

#[test]
fn a_membership_row_has_these_bytes() {
    let mut row = row(300, 2);
    row.state = MembershipState::Left;
    row.epoch = 4;
    row.set_share_policy(SharePolicy {
        version: 6,
        mode: ShareMode::Kinds(kinds(&[0, 2])),
    });
    row.engage_stop_forward(5);
    row.contributing_epoch = Some(3);
    let golden = [
        0xac, 0x02, // user 300
        2,    // community
        2,    // state Left
        4,    // epoch
        6,    // share policy version
        2, 1, 0b101, // these kinds: one word
        0xe8, 0x07, // joined at 1 000
        5,    // stopped at
        1, 3, // this database joined epoch 3 itself
    ];
    assert_eq!(bytes_of(&row), golden);
    assert_eq!(postcard::from_bytes(&golden), Ok(row));
}

#[test]
fn the_gate_is_a_bare_word_on_the_wire() {
    for word in [0, 1, 300, u64::MAX] {
        assert_eq!(bytes_of(&StopForwardGate::new(word)), bytes_of(&word));
        assert_eq!(round_trip(&StopForwardGate::new(word)).load(), word);
    }
}

#[test]
fn provenance_keeps_everything_it_was_stamped_with() {
    let stamp = SignalProvenance {
        membership_epoch: Some(u32::MAX),
        scope: SignalScope::Community(CommunityId(u64::MAX)),
        share_policy_version: u16::MAX,
        origin: 1 << 63,
        sequence: 1,
        writer_agent: Some(AgentId(0)),
        hlc: u64::MAX,
    };
    assert_eq!(round_trip(&stamp), stamp);
    let bare = SignalProvenance {
        membership_epoch: None,
        writer_agent: None,
        ..stamp
    };
    assert_eq!(round_trip(&bare), bare);
    assert_ne!(
        round_trip(&SignalProvenance {
            membership_epoch: Some(0),
            ..stamp
        }),
        SignalProvenance {
            membership_epoch: None,
            ..stamp
        },
        "no epoch is not the first epoch"
    );
}

#[test]
fn a_scope_names_its_community_or_none() {
    assert_eq!(SignalScope::default(), SignalScope::Local);
    assert_eq!(SignalScope::Local.community(), None);
    assert_eq!(
        SignalScope::Community(CommunityId(0)).community(),
        Some(CommunityId(0))
    );
    assert_eq!(bytes_of(&SignalScope::Local), [0]);
    assert_eq!(bytes_of(&SignalScope::Community(CommunityId(5))), [1, 5]);
}

proptest! {
    #[test]
    fn any_membership_comes_back(row in any_row()) {
        prop_assert_eq!(round_trip(&row), row);
    }
}
