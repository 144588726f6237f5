//! The `Cell` gate beside the `AtomicU64` gate of a multi-threaded server: the same calls give the same
//! answers and leave the same state.
#![cfg(not(target_arch = "wasm32"))]

#[path = "governance/support/atomic_gate.rs"]
mod atomic_gate;
#[path = "governance/support/counting_allocator.rs"]
mod counting_allocator;

use std::hint::black_box;

use atomic_gate::AtomicMembership;
use counting_allocator::allocations;
use proptest::prelude::*;
use tidegate::governance::{CommunityId, Membership, MembershipRegistry, SharePolicy, UserId};

#[derive(Debug, Clone, Copy)]
enum Op {
    Load,
    IsStopForwarded,
    Engage(u64),
    Clear,
    CompareExchangeFromZero(u64),
    Store(u64),
}

const OPS: [Op; 10] = [
    Op::Load,
    Op::IsStopForwarded,
    Op::Engage(0),
    Op::Engage(5),
    Op::Engage(9),
    Op::Clear,
    Op::CompareExchangeFromZero(0),
    Op::CompareExchangeFromZero(7),
    Op::Store(0),
    Op::Store(3),
];

#[derive(Debug, PartialEq)]
enum Answer {
    Nothing,
    Flag(bool),
    Word(u64),
    Exchange(Result<u64, u64>),
}

fn membership() -> Membership {
    Membership::joined(UserId(1), CommunityId(2), SharePolicy::default(), 3)
}

fn ask(membership: &Membership, op: Op) -> Answer {
    let gate = &membership.stop_forward_at_ns;
    match op {
        Op::Load => Answer::Word(gate.load()),
        Op::IsStopForwarded => Answer::Flag(membership.is_stop_forwarded()),
        Op::Engage(now) => {
            membership.engage_stop_forward(now);
            Answer::Nothing
        }
        Op::Clear => {
            membership.clear_stop_forward();
            Answer::Nothing
        }
        Op::CompareExchangeFromZero(now) => Answer::Exchange(gate.compare_exchange_from_zero(now)),
        Op::Store(now) => {
            gate.store(now);
            Answer::Nothing
        }
    }
}

fn ask_reference(reference: &AtomicMembership, op: Op) -> Answer {
    match op {
        Op::Load => Answer::Word(reference.load()),
        Op::IsStopForwarded => Answer::Flag(reference.is_stop_forwarded()),
        Op::Engage(now) => {
            reference.engage_stop_forward(now);
            Answer::Nothing
        }
        Op::Clear => {
            reference.clear_stop_forward();
            Answer::Nothing
        }
        Op::CompareExchangeFromZero(now) => {
            Answer::Exchange(reference.compare_exchange_from_zero(now))
        }
        Op::Store(now) => {
            reference.store(now);
            Answer::Nothing
        }
    }
}

fn assert_alike(ops: &[Op]) {
    let ours = membership();
    let reference = AtomicMembership::default();
    for (step, &op) in ops.iter().enumerate() {
        let (answer, expected) = (ask(&ours, op), ask_reference(&reference, op));
        assert_eq!(answer, expected, "step {step} of {ops:?}");
    }
    assert_eq!(
        ours.stop_forward_at_ns.load(),
        reference.load(),
        "after {ops:?}"
    );
}

#[test]
fn cell_gate_answers_as_the_atomic_gate_in_every_sequence_up_to_length_six() {
    let mut sequences = 0_u32;
    for length in 0..=6 {
        let mut digits = vec![0; length];
        loop {
            let ops: Vec<Op> = digits.iter().map(|&digit: &usize| OPS[digit]).collect();
            assert_alike(&ops);
            sequences += 1;
            let Some(place) = digits.iter().rposition(|&digit| digit + 1 < OPS.len()) else {
                break;
            };
            digits[place] += 1;
            digits[place + 1..].fill(0);
        }
    }
    assert_eq!(
        sequences, 1_111_111,
        "all sequences of ten operations, lengths 0 to 6"
    );
}

fn any_op() -> impl Strategy<Value = Op> {
    let time = prop_oneof![Just(0), Just(1), Just(u64::MAX), any::<u64>()];
    prop_oneof![
        Just(Op::Load),
        Just(Op::IsStopForwarded),
        time.clone().prop_map(Op::Engage),
        Just(Op::Clear),
        time.clone().prop_map(Op::CompareExchangeFromZero),
        time.prop_map(Op::Store),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 4096, ..ProptestConfig::default() })]

    #[test]
    fn cell_gate_answers_as_the_atomic_gate_in_ten_thousand_random_operations(
        ops in prop::collection::vec(any_op(), 10_000),
    ) {
        assert_alike(&ops);
    }
}

#[test]
fn reading_the_gate_allocates_nothing() {
    let mut registry = MembershipRegistry::new();
    for user in 1..=1_000 {
        let row = Membership::joined(UserId(user), CommunityId(2), SharePolicy::default(), 3);
        if user % 2 == 0 {
            row.engage_stop_forward(4);
        }
        registry.insert(row);
    }
    let before = allocations();
    let gated = (0..2_000)
        .filter(|&user| registry.is_contribution_gated(UserId(black_box(user)), CommunityId(2)))
        .count();
    assert_eq!(allocations(), before);
    // Of users 0 to 1 999 the odd ones up to 999 are open members.
    assert_eq!(gated, 1_500);
    assert!(allocations() > 0, "the allocator counts");
}
