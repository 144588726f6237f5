//! The interner beside a plain map, with so many small ids that an array takes the place of hashing.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Op {
    /// Many ids from one on.
    Intern(u64, u64),
    Remap(u64),
    Undo,
    Commit,
}

fn any_op() -> impl Strategy<Value = Op> {
    let id = || prop_oneof![6 => 0..900_u64, 1 => Just(1 << 32), 1 => u64::MAX - 9..u64::MAX - 5];
    prop_oneof![
        6 => (id(), 1..200_u64).prop_map(|(from, count)| Op::Intern(from, count)),
        3 => id().prop_map(Op::Remap),
        1 => Just(Op::Undo),
        1 => Just(Op::Commit),
    ]
}

proptest! {
    #[test]
    fn ids_have_the_indices_of_a_plain_map(ops in prop::collection::vec(any_op(), 0..40)) {
        let mut interner = Interner::default();
        let (mut model, mut len) = (BTreeMap::<u64, u32>::new(), 0_u32);
        let mut committed = (model.clone(), len);
        for op in ops {
            match op {
                Op::Intern(from, count) => {
                    for id in from..from.saturating_add(count) {
                        let known = model.get(&id).copied();
                        prop_assert_eq!(interner.intern(id), known.unwrap_or(len));
                        if known.is_none() {
                            model.insert(id, len);
                            len += 1;
                        }
                    }
                }
                Op::Remap(id) => {
                    let expected = model.get(&id).map(|old| (*old, len));
                    prop_assert_eq!(interner.remap(id), expected);
                    if let Some((_, new)) = expected {
                        model.insert(id, new);
                        len += 1;
                    }
                }
                Op::Undo => {
                    interner.undo();
                    (model, len) = committed.clone();
                }
                Op::Commit => {
                    interner.commit();
                    committed = (model.clone(), len);
                }
            }
            prop_assert_eq!(&interner.iter().collect::<BTreeMap<_, _>>(), &model);
            prop_assert_eq!(interner.len(), len as usize);
            for id in (0..1_200).chain(u64::MAX - 10..=u64::MAX) {
                prop_assert_eq!(interner.find(id), model.get(&id).copied());
            }
        }
    }
}

#[test]
fn the_array_grows_with_the_number_of_ids_and_not_with_the_ids() {
    let mut interner = Interner::default();
    for id in 0..10_000 {
        interner.intern(id * 1_000);
    }
    assert!(interner.index.near.len() <= 2 * SPREAD * 10_000);
    let mut interner = Interner::default();
    for id in 1..=10_000 {
        interner.intern(id);
    }
    assert!(interner.index.near.len() > 10_000);
}

/// Where the hint may be of another time, of another id, or none.
#[test]
fn a_stale_hint_misleads_nobody() {
    let mut interner = Interner::default();
    interner.intern(1 << 40);
    interner.commit();
    let mut hints = [Hint::default(); 6];
    for round in 0..20_u64 {
        for (place, hint) in (0_u64..).zip(&mut hints) {
            // Each round they come in another order, so that an index is another id's after the undo.
            let id = (1 << 40) + (place * 5 + round) % 6;
            let index = interner.intern_hinted(id, hint);
            assert_eq!(interner.find(id), Some(index));
            assert_eq!(interner.id(index), id);
            assert_eq!(interner.intern_hinted(id, hint), index);
        }
        interner.undo();
    }
    assert_eq!(interner.len(), 1);
}
