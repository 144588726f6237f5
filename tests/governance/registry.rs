//! The registry: what the gate reads, its checkpoint, and taking back.

use proptest::prelude::*;
use tidegate::governance::{
    CommunityId, MalformedCheckpoint, Membership, MembershipRegistry, MembershipState, ShareMode,
    SharePolicy, UserId,
};

use crate::rows::{STATES, any_row, any_rows, kinds, row};

fn registry_of(rows: &[Membership]) -> MembershipRegistry {
    let mut registry = MembershipRegistry::new();
    for row in rows {
        registry.insert(row.clone());
    }
    registry.commit();
    registry
}

fn rows_of(registry: &MembershipRegistry) -> Vec<Membership> {
    registry.sorted()
}

/// The bytes of any rows, also of those that no registry would write.
fn forged(rows: &[Membership]) -> Vec<u8> {
    postcard::to_allocvec(rows).unwrap()
}

fn assert_refused(bytes: &[u8]) {
    let refused = MembershipRegistry::try_from_checkpoint_bytes(bytes).map(|read| rows_of(&read));
    assert_eq!(refused, Err(MalformedCheckpoint), "{bytes:?}");
    assert!(
        MembershipRegistry::from_checkpoint_bytes(bytes).is_empty(),
        "{bytes:?}"
    );
}

/// Three rows that differ in every field.
fn sample() -> Vec<Membership> {
    let open = row(1, 2);
    let mut left = row(300, 0);
    left.state = MembershipState::Left;
    left.epoch = 1;
    left.contributing_epoch = Some(0);
    left.set_share_policy(SharePolicy {
        version: 700,
        mode: ShareMode::Kinds(kinds(&[3, 70])),
    });
    left.engage_stop_forward(1 << 40);
    let mut rejoined = row(1, u64::MAX);
    rejoined.state = MembershipState::Rejoined;
    rejoined.epoch = u32::MAX;
    rejoined.contributing_epoch = Some(u32::MAX);
    rejoined.set_share_policy(SharePolicy {
        version: 0,
        mode: ShareMode::None,
    });
    vec![open, left, rejoined]
}

#[test]
fn an_empty_registry_is_closed_for_everyone() {
    let registry = MembershipRegistry::new();
    assert!(registry.is_empty());
    assert_eq!(registry.len(), 0);
    assert!(registry.is_contribution_gated(UserId(1), CommunityId(2)));
    assert_eq!(registry.epoch(UserId(1), CommunityId(2)), None);
    assert_eq!(registry.get(UserId(1), CommunityId(2)), None);
    assert_eq!(registry.to_checkpoint_bytes(), [0]);
}

#[test]
fn a_nonmember_is_gated_beside_members() {
    let registry = registry_of(&[row(1, 2)]);
    assert!(!registry.is_empty());
    assert!(!registry.is_contribution_gated(UserId(1), CommunityId(2)));
    assert!(
        registry.is_contribution_gated(UserId(2), CommunityId(1)),
        "the pair the other way"
    );
    assert!(
        registry.is_contribution_gated(UserId(1), CommunityId(1)),
        "another community"
    );
    assert!(
        registry.is_contribution_gated(UserId(2), CommunityId(2)),
        "another user"
    );
}

#[test]
fn a_row_is_gated_unless_it_is_a_member_with_an_open_gate() {
    for state in STATES {
        for stopped_at in [0, 1, 99] {
            let mut row = row(1, 2);
            row.state = state;
            row.stop_forward_at_ns.store(stopped_at);
            let open = stopped_at == 0
                && (state == MembershipState::Joined || state == MembershipState::Rejoined);
            let registry = registry_of(&[row]);
            assert_eq!(
                registry.is_contribution_gated(UserId(1), CommunityId(2)),
                !open,
                "{state:?}, stopped at {stopped_at}"
            );
        }
    }
}

#[test]
fn the_epoch_of_a_row_is_told_in_every_state() {
    for state in STATES {
        let mut row = row(1, 2);
        row.state = state;
        row.epoch = 7;
        assert_eq!(
            registry_of(&[row]).epoch(UserId(1), CommunityId(2)),
            Some(7)
        );
    }
}

#[test]
fn rows_of_a_user_are_listed_by_community_and_all_rows_by_user_first() {
    let registry = registry_of(&[
        row(2, 9),
        row(1, 30),
        row(2, 0),
        row(1, 4),
        row(2, u64::MAX),
    ]);
    let communities = |user| {
        let rows = registry.of_user(UserId(user));
        rows.iter()
            .map(|row| row.community_id.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(communities(1), [4, 30]);
    assert_eq!(communities(2), [0, 9, u64::MAX]);
    assert_eq!(communities(3), []);
    let all: Vec<_> = registry
        .sorted()
        .iter()
        .map(|row| (row.user_id.0, row.community_id.0))
        .collect();
    assert_eq!(all, [(1, 4), (1, 30), (2, 0), (2, 9), (2, u64::MAX)]);
    assert_eq!(registry.iter().count(), 5);
}

#[test]
fn a_change_to_a_missing_row_changes_nothing() {
    let mut registry = registry_of(&[row(1, 2)]);
    let before = registry.to_checkpoint_bytes();
    assert_eq!(
        registry.modify(UserId(2), CommunityId(2), |row| row.epoch = 5),
        None
    );
    assert_eq!(registry.to_checkpoint_bytes(), before);
    assert_eq!(
        registry.modify(UserId(1), CommunityId(2), |row| row.epoch),
        Some(0)
    );
}

#[test]
fn a_row_that_was_given_away_moves_no_gate() {
    let registry = registry_of(&[row(1, 2)]);
    let given = registry.get(UserId(1), CommunityId(2)).unwrap();
    given.engage_stop_forward(5);
    assert!(!registry.is_contribution_gated(UserId(1), CommunityId(2)));
    let given = registry.get(UserId(1), CommunityId(2)).unwrap();
    assert!(given.is_open());
}

#[test]
fn a_change_gives_no_row_to_another_user() {
    let mut registry = registry_of(&[row(1, 2)]);
    registry.modify(UserId(1), CommunityId(2), |row| {
        (row.user_id, row.epoch) = (UserId(3), 7);
    });
    assert_eq!(registry.epoch(UserId(1), CommunityId(2)), Some(7));
    assert_eq!(
        (registry.get(UserId(3), CommunityId(2)), registry.len()),
        (None, 1)
    );
    registry.undo();
    assert_eq!(registry.epoch(UserId(1), CommunityId(2)), Some(0));
}

#[test]
fn a_checkpoint_has_these_bytes() {
    let golden = [
        3, // rows, by user and community
        1, 2, 0, 0, 1, 0, 0xe8, 0x07, 0, 0, // user 1 in community 2, joined
        1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        1, // user 1 in community 2^64−1
        3, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 0xe8, 0x07, 0, // rejoined under epoch 2^32−1
        1, 0xff, 0xff, 0xff, 0xff, 0x0f, // which this database joined itself
        0xac, 0x02, 0, 2, 1, // user 300 in community 0, left in epoch 1
        0xbc, 0x05, 2, 2, 8, 64, 0xe8, 0x07, // policy 700 shares kinds 3 and 70
        0x80, 0x80, 0x80, 0x80, 0x80, 0x20, 1, 0, // stopped at 2^40
    ];
    assert_eq!(registry_of(&sample()).to_checkpoint_bytes(), golden);
    let read = MembershipRegistry::try_from_checkpoint_bytes(&golden).unwrap();
    assert_eq!(rows_of(&read), rows_of(&registry_of(&sample())));
}

#[test]
fn every_prefix_of_a_checkpoint_is_refused_and_closed() {
    let bytes = registry_of(&sample()).to_checkpoint_bytes();
    for length in 0..bytes.len() {
        assert_refused(&bytes[..length]);
    }
}

#[test]
fn trailing_bytes_are_refused() {
    let bytes = registry_of(&sample()).to_checkpoint_bytes();
    for extra in [&[0][..], &[1], &[0xff], &bytes] {
        assert_refused(&[&bytes, extra].concat());
    }
    assert_refused(&[0, 0]);
}

/// A change of one byte can make another checkpoint. It can never make bytes that are read as something that they do
/// not say.
#[test]
fn every_changed_byte_is_refused_or_is_the_checkpoint_of_what_is_read() {
    let bytes = registry_of(&sample()).to_checkpoint_bytes();
    let mut refused = 0;
    for place in 0..bytes.len() {
        for flip in 1..=u8::MAX {
            let mut changed = bytes.clone();
            changed[place] ^= flip;
            let Ok(read) = MembershipRegistry::try_from_checkpoint_bytes(&changed) else {
                assert_refused(&changed);
                refused += 1;
                continue;
            };
            let mut written = read.to_checkpoint_bytes();
            if changed[place] == MembershipState::LeavingStopForward as u8 && written != changed {
                assert_eq!(
                    written[place],
                    MembershipState::Left as u8,
                    "a leave has settled"
                );
                written[place] = changed[place];
            }
            assert_eq!(written, changed, "byte {place} with {flip:#04x} flipped");
        }
    }
    assert!(refused > bytes.len() * 100, "{refused} refused");
}

#[test]
fn rows_out_of_order_or_twice_are_refused() {
    assert_refused(&forged(&[row(2, 1), row(1, 2)]));
    assert_refused(&forged(&[row(1, 3), row(1, 2)]));
    assert_refused(&forged(&[row(1, 2), row(1, 2)]));
    let mut other = row(1, 2);
    other.epoch = 1;
    assert_refused(&forged(&[row(1, 2), other]));
}

#[test]
fn rows_that_cannot_be_are_refused() {
    assert_refused(&forged(&[row(0, 2)]));
    let mut ahead = row(1, 2);
    ahead.epoch = 3;
    ahead.contributing_epoch = Some(4);
    assert_refused(&forged(&[ahead]));
}

#[test]
fn an_unknown_state_in_a_row_is_refused() {
    let mut bytes = forged(&[row(1, 2)]);
    for state in 4..=u8::MAX {
        bytes[3] = state;
        assert_refused(&bytes);
    }
}

#[test]
fn a_number_that_is_not_in_its_shortest_form_is_refused() {
    let bytes = forged(&[row(1, 2)]);
    for place in [0, 1, 2, 4, 5] {
        let mut longer = bytes.clone();
        longer[place] |= 0x80;
        longer.insert(place + 1, 0);
        assert_refused(&longer);
    }
}

#[test]
fn a_claim_of_countless_rows_is_refused_without_their_memory() {
    for count in [u64::MAX, 1 << 40, 1 << 32] {
        let mut bytes = postcard::to_allocvec(&count).unwrap();
        assert_refused(&bytes);
        bytes.extend_from_slice(&forged(&[row(1, 2)])[1..]);
        assert_refused(&bytes);
    }
}

#[test]
fn a_leave_under_way_in_bytes_is_closed_and_settles() {
    for stopped_at in [0, 8] {
        let mut leaving = row(1, 2);
        leaving.state = MembershipState::LeavingStopForward;
        leaving.stop_forward_at_ns.store(stopped_at);
        let read = MembershipRegistry::from_checkpoint_bytes(&forged(&[leaving]));
        assert!(read.is_contribution_gated(UserId(1), CommunityId(2)));
        let row = read.get(UserId(1), CommunityId(2)).unwrap();
        assert_eq!(row.state, MembershipState::Left);
        assert_eq!(row.stop_forward_at_ns.load(), stopped_at);
    }
}

#[test]
fn what_was_read_is_not_taken_back() {
    let bytes = registry_of(&sample()).to_checkpoint_bytes();
    let mut read = MembershipRegistry::from_checkpoint_bytes(&bytes);
    read.undo();
    assert_eq!(read.to_checkpoint_bytes(), bytes);
}

#[test]
fn an_error_says_what_is_wrong() {
    assert_eq!(
        MalformedCheckpoint.to_string(),
        "malformed membership checkpoint"
    );
}

proptest! {
    #[test]
    fn a_checkpoint_comes_back(rows in any_rows()) {
        let registry = registry_of(&rows);
        let bytes = registry.to_checkpoint_bytes();
        let read = MembershipRegistry::try_from_checkpoint_bytes(&bytes).unwrap();
        prop_assert_eq!(rows_of(&read), rows_of(&registry));
        prop_assert_eq!(read.len(), rows.len());
        prop_assert_eq!(read.to_checkpoint_bytes(), bytes);
        for row in &rows {
            let (user, community) = (row.user_id, row.community_id);
            prop_assert_eq!(read.get(user, community), Some(row.clone()));
            prop_assert_eq!(
                read.is_contribution_gated(user, community),
                registry.is_contribution_gated(user, community)
            );
        }
    }

    #[test]
    fn a_checkpoint_does_not_depend_on_the_order_of_history(
        (rows, shuffled) in any_rows().prop_flat_map(|rows| (Just(rows.clone()), Just(rows).prop_shuffle())),
        detours in prop::collection::vec(any_row(), 0..20),
    ) {
        let mut other = registry_of(&shuffled);
        for row in detours {
            other.insert(row);
        }
        other.undo();
        prop_assert_eq!(other.to_checkpoint_bytes(), registry_of(&rows).to_checkpoint_bytes());
    }

    #[test]
    fn undo_takes_back_exactly_what_was_not_committed(
        rows in any_rows(),
        committed in prop::collection::vec(any_row(), 0..8),
        pending in prop::collection::vec((any_row(), any::<bool>(), any::<prop::sample::Index>()), 0..20),
    ) {
        let mut registry = registry_of(&rows);
        for row in committed {
            registry.insert(row);
        }
        registry.commit();
        let before = registry.to_checkpoint_bytes();
        for (row, replace, index) in pending {
            let keys: Vec<_> = registry.sorted().iter().map(|row| (row.user_id, row.community_id)).collect();
            if replace && !keys.is_empty() {
                let (user, community) = *index.get(&keys);
                registry.modify(user, community, |held| {
                    held.state = row.state;
                    held.epoch = row.epoch;
                    held.contributing_epoch = row.contributing_epoch;
                    held.clear_stop_forward();
                    held.engage_stop_forward(row.joined_at_ns);
                });
            } else {
                registry.insert(row);
            }
        }
        registry.undo();
        prop_assert_eq!(registry.to_checkpoint_bytes(), before);
    }

    #[test]
    fn noise_is_refused_or_is_the_checkpoint_of_what_is_read(bytes in prop::collection::vec(0..6_u8, 0..40)) {
        if let Ok(read) = MembershipRegistry::try_from_checkpoint_bytes(&bytes) {
            // A leave under way settles, so that only its state byte may be written differently.
            let written = read.to_checkpoint_bytes();
            prop_assert_eq!(written.len(), bytes.len());
            for (written, read) in written.iter().zip(&bytes) {
                prop_assert!(written == read || (*written, *read) == (2, 1));
            }
        }
    }
}
