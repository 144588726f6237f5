//! Rows to test with.

use proptest::prelude::*;
use tidegate::governance::{
    CommunityId, KindId, KindSet, Membership, MembershipState, ShareMode, SharePolicy,
    StopForwardGate, UserId,
};

pub const STATES: [MembershipState; 4] = [
    MembershipState::Joined,
    MembershipState::LeavingStopForward,
    MembershipState::Left,
    MembershipState::Rejoined,
];

pub fn kinds(numbers: &[u16]) -> KindSet {
    let mut set = KindSet::EMPTY;
    for &number in numbers {
        assert!(set.insert(KindId(number)), "{number} is a kind");
    }
    set
}

/// A member of the first epoch.
pub fn row(user: u64, community: u64) -> Membership {
    Membership::joined(
        UserId(user),
        CommunityId(community),
        SharePolicy::default(),
        1_000,
    )
}

pub fn any_mode() -> impl Strategy<Value = ShareMode> {
    prop_oneof![
        Just(ShareMode::All),
        Just(ShareMode::None),
        prop::collection::vec(0..256_u16, 0..12)
            .prop_map(|numbers| ShareMode::Kinds(kinds(&numbers))),
    ]
}

/// A row that can be in a registry: any user but 0, settled, this database joined no epoch that has not begun.
pub fn any_row() -> impl Strategy<Value = Membership> {
    let identity = (
        prop_oneof![1..4_u64, 1..u64::MAX],
        prop_oneof![0..4_u64, any::<u64>()],
    );
    let state = prop::sample::select(vec![
        MembershipState::Joined,
        MembershipState::Left,
        MembershipState::Rejoined,
    ]);
    let epochs = (any::<u32>(), prop::option::of(any::<u32>()));
    let times = (any::<u64>(), prop_oneof![Just(0), any::<u64>()]);
    (identity, state, epochs, any::<u16>(), any_mode(), times).prop_map(
        |((user, community), state, (epoch, joined), version, mode, (joined_at, stopped_at))| {
            let policy = SharePolicy { version, mode };
            let mut row =
                Membership::joined(UserId(user), CommunityId(community), policy, joined_at);
            row.state = state;
            row.epoch = epoch;
            row.contributing_epoch = joined.map(|joined| joined.min(epoch));
            row.stop_forward_at_ns = StopForwardGate::new(stopped_at);
            row
        },
    )
}

/// Rows of distinct memberships, in the order in which they came up.
pub fn any_rows() -> impl Strategy<Value = Vec<Membership>> {
    prop::collection::vec(any_row(), 0..12).prop_map(|rows| {
        let mut distinct: Vec<Membership> = Vec::new();
        for row in rows {
            let known = |other: &Membership| {
                (other.user_id, other.community_id) == (row.user_id, row.community_id)
            };
            if !distinct.iter().any(known) {
                distinct.push(row);
            }
        }
        distinct
    })
}
