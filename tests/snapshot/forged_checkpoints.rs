//! The registry's own bytes, which have no checksum: what is read is exactly what is written, or it is nothing; and a
//! registry of nothing lets nothing through (R9).

use tidegate::governance::{
    CommunityId, KindId, KindSet, Membership, MembershipRegistry, MembershipState, ShareMode,
    SharePolicy, UserId,
};

use crate::forge::varint;
use crate::memory::{alone, bounded};

/// Two users, all states, all policies.
fn registry() -> MembershipRegistry {
    let mut kinds = KindSet::EMPTY;
    kinds.insert(KindId(3));
    kinds.insert(KindId(200));
    let mut registry = MembershipRegistry::new();
    let states = [
        MembershipState::Joined,
        MembershipState::Left,
        MembershipState::Rejoined,
    ];
    let modes = [ShareMode::All, ShareMode::None, ShareMode::Kinds(kinds)];
    for (place, (state, mode)) in (0_u32..).zip(states.into_iter().zip(modes)) {
        let policy = SharePolicy { version: 300, mode };
        let community = CommunityId(u64::MAX - u64::from(place));
        let row = Membership::joined(UserId(1 + u64::from(place) / 2), community, policy, 1 << 60);
        if state == MembershipState::Left {
            row.engage_stop_forward(1 << 61);
        }
        let contributing_epoch = place.checked_sub(1);
        registry.insert(Membership {
            state,
            epoch: place,
            contributing_epoch,
            ..row
        });
    }
    registry
}

/// What is read of these bytes, if anything; within bounds either way.
fn read(bytes: &[u8]) -> Option<MembershipRegistry> {
    bounded(bytes.len(), || {
        MembershipRegistry::try_from_checkpoint_bytes(bytes).ok()
    })
}

/// Refused, and closed for everyone when it is read for what it is worth.
#[track_caller]
fn assert_refused(what: &str, bytes: &[u8]) {
    assert!(read(bytes).is_none(), "{what}: taken");
    assert!(
        MembershipRegistry::from_checkpoint_bytes(bytes).is_empty(),
        "{what}"
    );
}

#[test]
fn a_checkpoint_comes_back() {
    let _alone = alone();
    let bytes = registry().to_checkpoint_bytes();
    assert_eq!(read(&bytes).unwrap().to_checkpoint_bytes(), bytes);
}

#[test]
fn every_prefix_and_whatever_is_behind_is_refused() {
    let _alone = alone();
    let bytes = registry().to_checkpoint_bytes();
    for length in 0..bytes.len() {
        assert_refused("a prefix", &bytes[..length]);
    }
    assert_refused("a byte behind", &[&bytes[..], &[0]].concat());
    assert_refused("two in a row", &[&bytes[..], &bytes].concat());
    assert_refused("noise", &vec![0x5A; 1 << 20]);
    assert_refused("ones", &vec![0xFF; 1 << 20]);
}

/// Another value of a byte is another registry, or none: there is one way to write each.
#[test]
fn every_other_byte_is_refused_or_is_what_it_says() {
    let _alone = alone();
    let bytes = registry().to_checkpoint_bytes();
    let (mut refused, mut taken) = (0, 0);
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        for value in (0..=u8::MAX).filter(|value| *value != bytes[place]) {
            changed[place] = value;
            let Some(registry) = read(&changed) else {
                refused += 1;
                continue;
            };
            taken += 1;
            let written = registry.to_checkpoint_bytes();
            // A leave that was under way has settled (R3), and nothing else is any different.
            let settled = value == MembershipState::LeavingStopForward as u8;
            changed[place] = if settled { written[place] } else { value };
            assert_eq!(written, changed, "byte {place} as {value}");
        }
    }
    assert!(
        refused > 1_000 && taken > 1_000,
        "{refused} refused, {taken} taken"
    );
}

#[test]
fn a_huge_length_anywhere_takes_no_memory() {
    let _alone = alone();
    let bytes = registry().to_checkpoint_bytes();
    for length in [1 << 16, 1 << 32, 1 << 40, u64::MAX] {
        for place in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed.splice(place..=place, varint(length));
            let _ = read(&changed);
        }
    }
}
