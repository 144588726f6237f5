//! Bytes as stored memberships: read whole, or closed for everyone (R9).

use super::memory::bounded;
use tidegate::governance::{
    MembershipRegistry, UserId, deserialize_membership, serialize_membership,
};

pub fn run(input: &[u8]) {
    let read = bounded(input.len(), || {
        MembershipRegistry::try_from_checkpoint_bytes(input)
    });
    let registry = bounded(input.len(), || {
        MembershipRegistry::from_checkpoint_bytes(input)
    });
    match read {
        Err(_) => {
            assert!(registry.is_empty());
            assert_eq!(registry.to_checkpoint_bytes(), [0]);
        }
        Ok(read) => {
            let written = read.to_checkpoint_bytes();
            assert_eq!(registry.to_checkpoint_bytes(), written);
            assert_written_as_read(input, &written);
            for row in read.iter() {
                let (user, community) = (row.user_id, row.community_id);
                assert_ne!(user, UserId(0));
                assert_eq!(read.is_contribution_gated(user, community), !row.is_open());
                assert_eq!(read.epoch(user, community), Some(row.epoch));
                assert!(!(row.is_stop_forwarded() && row.is_open()));
            }
            let again = MembershipRegistry::try_from_checkpoint_bytes(&written);
            assert!(again.is_ok_and(|again| again.to_checkpoint_bytes() == written));
        }
    }
    if let Some(row) = deserialize_membership(1, input) {
        assert_eq!(serialize_membership(&row), input);
    }
}

/// A leave under way settles (its state, 1, becomes 2); nothing else may be another.
fn assert_written_as_read(read: &[u8], written: &[u8]) {
    assert_eq!(read.len(), written.len());
    let mut places = read.iter().zip(written);
    assert!(places.all(|places| places.0 == places.1 || places == (&1, &2)));
}
