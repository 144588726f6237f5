//! A snapshot is the whole of the folded log: what it brings back is the same, and goes on the same.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tidegate::catalogue::name_id;
use tidegate::engine::Engine;
use tidegate::governance::{CommunityId, ItemId, UserId};
use tidegate::storage::{Blocks, Tag};

use crate::histories::{NAMES, ORIGIN, T0, any_history, engine, take};

/// What can be read of the facts. Sums are left out: they are added up in another order and may differ in a last bit.
fn readings(engine: &mut Engine) -> String {
    let mut users: Vec<UserId> = (1..4).chain([u64::MAX]).map(UserId).collect();
    users.extend(engine.memberships(None).iter().map(|row| row.user));
    let profiles: Vec<_> = users
        .iter()
        .map(|user| {
            let profile = engine.profile(*user, T0);
            let items: BTreeSet<ItemId> = profile.items.iter().map(|(item, _)| *item).collect();
            let local = (profile.signals, profile.seen, profile.hidden, items);
            (
                local,
                engine.cohorts(*user),
                engine.community_layer_status(*user),
            )
        })
        .collect();
    let mass = [0, 7, u64::MAX].map(|community| engine.community_mass(CommunityId(community)));
    let counts = (
        engine.user_count(),
        engine.item_count(),
        engine.membership_count(),
    );
    let schema = (engine.origin(), engine.dimensions(), engine.kinds());
    format!(
        "{profiles:?} {:?} {mass:?} {counts:?} {schema:?}",
        engine.memberships(None)
    )
}

proptest! {
    #[test]
    fn what_is_restored_is_the_same_and_goes_on_the_same(
        before in any_history(0..80),
        after in any_history(0..40),
    ) {
        let mut original = engine();
        take(&mut original, &before);
        original.commit(usize::MAX);
        let bytes = original.snapshot();
        let mut restored = Engine::restore(&bytes, None).unwrap();
        prop_assert!(restored.snapshot() == bytes);
        prop_assert_eq!(readings(&mut restored), readings(&mut original));

        // A name that no event has used is not in the log; the app gives it again.
        for name in NAMES.iter().filter(|name| original.name_of(name_id(name)).is_some()) {
            restored.name(name_id(name), name).unwrap();
        }
        for engine in [&mut original, &mut restored] {
            take(engine, &after);
            // What is pending is not in it yet.
            prop_assert!(engine.snapshot() == bytes);
            engine.commit(usize::MAX);
        }
        prop_assert!(restored.snapshot() == original.snapshot());
        prop_assert_eq!(readings(&mut restored), readings(&mut original));
    }

    #[test]
    fn a_copy_differs_in_its_origin_alone(steps in any_history(0..80)) {
        let mut original = engine();
        take(&mut original, &steps);
        original.commit(usize::MAX);
        let bytes = original.snapshot();
        let mut copy = Engine::restore(&bytes, Some(ORIGIN + 1)).unwrap();
        prop_assert_eq!(copy.origin(), ORIGIN + 1);
        let copied = copy.snapshot();
        let (original, copy) = (Blocks::parse(&bytes).unwrap(), Blocks::parse(&copied).unwrap());
        for (left, right) in original.iter().zip(copy.iter()) {
            prop_assert_eq!(left == right, left.0.tag != Tag::Meta);
        }
        prop_assert_eq!(original.iter().count(), copy.iter().count());
    }
}

#[test]
fn an_empty_database_comes_back() {
    let mut empty = Engine::new(&tidegate::engine::Config::default()).unwrap();
    // Even its schema is pending: a snapshot of nothing has no kinds.
    for _ in 0..2 {
        let bytes = empty.snapshot();
        let mut restored = Engine::restore(&bytes, None).unwrap();
        assert_eq!(restored.snapshot(), bytes);
        assert_eq!((restored.user_count(), restored.item_count()), (0, 0));
        empty.commit(usize::MAX);
    }
    assert_eq!(
        Engine::restore(&empty.snapshot(), None).unwrap().kinds(),
        empty.kinds()
    );
}
