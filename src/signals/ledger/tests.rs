//! The ledger beside a plain map, with owners of so many rows that arrays take the place of hashing.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::index::SPREAD;
use super::*;
use crate::signals::default_kinds;

type Parts = BTreeMap<(u16, bool), (u64, u64)>;
type Model = BTreeMap<(u32, u32), (u32, Parts)>;

const OWNERS: u32 = 3;
/// A sum of signed units, at one time, is exact.
const AT: u64 = 1_700_000_000_000_000_000;

#[derive(Debug, Clone)]
enum Op {
    /// Signals about many items from one on.
    Signals {
        owner: u32,
        item: u32,
        count: u32,
        kind: u16,
        negative: bool,
    },
    Undo,
    Commit,
    /// Once nothing is pending.
    Remove(u32),
}

fn any_op() -> impl Strategy<Value = Op> {
    let item = prop_oneof![4 => 0..700_u32, 1 => 100_000..100_010_u32];
    let signals = (0..OWNERS, item, 1..150_u32, 0..4_u16, any::<bool>());
    prop_oneof![
        8 => signals.prop_map(|(owner, item, count, kind, negative)| Op::Signals { owner, item, count, kind, negative }),
        2 => Just(Op::Undo),
        2 => Just(Op::Commit),
        1 => (0..OWNERS).prop_map(Op::Remove),
    ]
}

fn contents(ledger: &Ledger) -> Model {
    let mut rows = Model::new();
    for owner in 0..OWNERS {
        for (_, row) in ledger.rows_of(owner) {
            let parts = ledger.accumulators(row);
            let parts: Parts = parts
                .map(|part| {
                    (
                        (part.kind, part.negative),
                        (part.value.to_bits(), part.time),
                    )
                })
                .collect();
            let twice = rows.insert((row.owner, row.item), (row.count, parts));
            assert_eq!(twice, None, "a row is in its owner's chain twice");
        }
    }
    rows
}

fn add(model: &mut Model, key: (u32, u32), part: (u16, bool)) {
    let (count, parts) = model.entry(key).or_default();
    *count += 1;
    let (value, time) = parts.entry(part).or_insert((0, AT));
    let unit = if part.1 { -1.0 } else { 1.0 };
    (*value, *time) = ((f64::from_bits(*value) + unit).to_bits(), AT);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn rows_are_found_and_taken_back_as_in_a_plain_map(ops in prop::collection::vec(any_op(), 0..60)) {
        let (mut kinds, mut decay) = (Kinds::default(), Decay::default());
        kinds.add(&default_kinds());
        let mut ledger = Ledger::default();
        let (mut model, mut committed) = (Model::new(), Model::new());
        for op in ops {
            match op {
                Op::Signals { owner, item, count, kind, negative } => {
                    let weight = if negative { -1.0 } else { 1.0 };
                    for item in item..item + count {
                        let (slot, new) = ledger.row(owner, item);
                        prop_assert_eq!(new, !model.contains_key(&(owner, item)));
                        ledger.change(slot).count += 1;
                        ledger.add(slot, kind, weight, AT, &kinds, &mut decay);
                        add(&mut model, (owner, item), (kind, negative));
                    }
                }
                Op::Undo => {
                    ledger.undo();
                    model.clone_from(&committed);
                }
                Op::Commit => {
                    ledger.commit();
                    committed.clone_from(&model);
                }
                Op::Remove(owner) => {
                    ledger.commit();
                    ledger.remove_owner(owner);
                    model.retain(|(of, _), _| *of != owner);
                    committed.clone_from(&model);
                }
            }
            prop_assert_eq!(&contents(&ledger), &model);
            let slots = 0..next_index(ledger.rows.len());
            let owned = slots.filter(|slot| {
                let row = ledger.get(*slot);
                ledger.is(*slot, row.owner, row.item) && row.owner != NONE
            });
            prop_assert_eq!(owned.count(), model.len(), "a slot that is free is no one's row");
            for owner in 0..OWNERS {
                for item in (0..900).chain(99_990..100_170) {
                    let found = ledger.find(owner, item);
                    prop_assert_eq!(found.is_some(), model.contains_key(&(owner, item)));
                    let row = found.map(|slot| (ledger.get(slot).owner, ledger.get(slot).item));
                    prop_assert!(row.is_none_or(|row| row == (owner, item)));
                }
            }
        }
    }
}

#[test]
fn an_array_never_takes_much_more_than_the_rows() {
    let mut ledger = Ledger::default();
    for item in 0..20_000 {
        ledger.row(0, item * 7);
        ledger.row(1, item);
    }
    for owner in &ledger.owners {
        assert!(owner.near.len() <= 2 * SPREAD * owner.rows as usize);
    }
    assert!(ledger.owners[1].near.len() >= 20_000);
}

#[test]
fn a_row_is_one_line_of_the_cache() {
    assert_eq!(size_of::<Row>(), 64);
}
