//! The community layer: the nine bytes of a row, and the rows of all users.

use proptest::prelude::*;
use tidegate::governance::{
    CommunityLayer, CommunityMembership, MembershipStatus, UnknownByte, UserId,
    deserialize_membership, serialize_membership,
};

fn left(user: u64, at_ns: u64) -> CommunityMembership {
    CommunityMembership {
        user_id: UserId(user),
        status: MembershipStatus::Left,
        left_at_ns: Some(at_ns),
    }
}

fn rejoined(user: u64, left_at_ns: u64) -> CommunityMembership {
    CommunityMembership {
        status: MembershipStatus::Active,
        ..left(user, left_at_ns)
    }
}

#[test]
fn a_user_who_was_never_seen_is_active_and_never_left() {
    let layer = CommunityLayer::new();
    assert!(layer.is_empty());
    assert!(!layer.is_left(UserId(7)));
    let expected = CommunityMembership {
        user_id: UserId(7),
        status: MembershipStatus::Active,
        left_at_ns: None,
    };
    assert_eq!(layer.status(UserId(7)), expected);
    assert_eq!(CommunityMembership::default_active(UserId(7)), expected);
    assert_eq!(layer.iter().count(), 0, "asking adds no row");
}

#[test]
fn the_switch_of_one_user_is_not_that_of_another() {
    let mut layer = CommunityLayer::new();
    layer.set(left(7, 10));
    assert!(!layer.is_empty());
    assert!(layer.is_left(UserId(7)));
    assert_eq!(layer.status(UserId(7)), left(7, 10));
    assert!(!layer.is_left(UserId(8)));
    assert_eq!(
        layer.status(UserId(8)),
        CommunityMembership::default_active(UserId(8))
    );
}

#[test]
fn an_active_row_is_not_left_and_keeps_its_time() {
    let mut layer = CommunityLayer::new();
    layer.set(left(7, 10));
    layer.set(rejoined(7, 10));
    assert!(!layer.is_left(UserId(7)));
    assert_eq!(layer.status(UserId(7)), rejoined(7, 10));
    assert!(!layer.is_empty(), "the row stays");
}

#[test]
fn rows_are_listed_by_user() {
    let mut layer = CommunityLayer::new();
    for user in [300, 2, u64::MAX, 1] {
        layer.set(left(user, user));
    }
    layer.set(rejoined(2, 5));
    let rows: Vec<_> = layer.iter().collect();
    assert_eq!(
        rows,
        [
            left(1, 1),
            rejoined(2, 5),
            left(300, 300),
            left(u64::MAX, u64::MAX)
        ]
    );
}

#[test]
fn a_row_has_these_nine_bytes() {
    let cases = [
        (
            CommunityMembership::default_active(UserId(7)),
            [0, 0, 0, 0, 0, 0, 0, 0, 0],
        ),
        (left(7, 1), [1, 1, 0, 0, 0, 0, 0, 0, 0]),
        (left(7, 0x0102_0304_0506_0708), [1, 8, 7, 6, 5, 4, 3, 2, 1]),
        (
            rejoined(7, 0x0102_0304_0506_0708),
            [0, 8, 7, 6, 5, 4, 3, 2, 1],
        ),
        (
            left(7, u64::MAX),
            [1, 255, 255, 255, 255, 255, 255, 255, 255],
        ),
    ];
    for (row, bytes) in cases {
        assert_eq!(serialize_membership(&row), bytes);
        assert_eq!(deserialize_membership(7, &bytes), Some(row));
    }
}

#[test]
fn a_time_of_zero_is_no_time() {
    let row = CommunityMembership {
        left_at_ns: None,
        ..left(7, 1)
    };
    assert_eq!(
        deserialize_membership(7, &[1, 0, 0, 0, 0, 0, 0, 0, 0]),
        Some(row)
    );
    assert_eq!(
        serialize_membership(&left(7, 0)),
        serialize_membership(&row)
    );
}

#[test]
fn every_other_length_is_refused() {
    for length in (0..64).filter(|&length| length != 9) {
        assert_eq!(
            deserialize_membership(7, &vec![0; length]),
            None,
            "{length} bytes"
        );
        assert_eq!(
            deserialize_membership(7, &vec![1; length]),
            None,
            "{length} bytes"
        );
    }
}

#[test]
fn every_other_status_is_refused() {
    for status in 2..=u8::MAX {
        assert_eq!(
            deserialize_membership(7, &[status, 1, 0, 0, 0, 0, 0, 0, 0]),
            None
        );
        assert_eq!(MembershipStatus::try_from(status), Err(UnknownByte(status)));
        assert!(postcard::from_bytes::<MembershipStatus>(&[status]).is_err());
    }
}

#[test]
fn a_status_is_one_byte_on_the_wire() {
    for (status, byte) in [(MembershipStatus::Active, 0), (MembershipStatus::Left, 1)] {
        assert_eq!(status as u8, byte);
        assert_eq!(postcard::to_allocvec(&status), Ok(vec![byte]));
        assert_eq!(postcard::from_bytes(&[byte]), Ok(status));
    }
    assert_eq!(MembershipStatus::default(), MembershipStatus::Active);
}

fn any_membership() -> impl Strategy<Value = CommunityMembership> {
    (1..6_u64, any::<bool>(), prop::option::of(1..=u64::MAX)).prop_map(|(user, is_left, time)| {
        CommunityMembership {
            user_id: UserId(user),
            status: if is_left {
                MembershipStatus::Left
            } else {
                MembershipStatus::Active
            },
            left_at_ns: time,
        }
    })
}

proptest! {
    #[test]
    fn any_row_comes_back_from_its_nine_bytes(row in any_membership()) {
        prop_assert_eq!(deserialize_membership(row.user_id.0, &serialize_membership(&row)), Some(row));
    }

    #[test]
    fn nine_bytes_that_are_read_are_written_again(bytes: [u8; 9]) {
        match deserialize_membership(3, &bytes) {
            Some(row) => prop_assert_eq!(serialize_membership(&row), bytes),
            None => prop_assert!(bytes[0] > 1),
        }
    }

    #[test]
    fn undo_takes_back_exactly_what_was_not_committed(
        committed in prop::collection::vec(any_membership(), 0..8),
        pending in prop::collection::vec(any_membership(), 0..12),
    ) {
        let mut layer = CommunityLayer::new();
        for row in committed {
            layer.set(row);
        }
        layer.commit();
        let before: Vec<_> = layer.iter().collect();
        for row in pending {
            layer.set(row);
            prop_assert_eq!(layer.status(row.user_id), row);
        }
        layer.undo();
        prop_assert!(layer.iter().eq(before));
    }
}
