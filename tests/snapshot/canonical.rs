//! One set of facts has one form in bytes, whatever the order in which users, items, communities, names and other
//! databases came (R13). Facts that touch each other keep their order: each lane is one user, one item or one origin.

use proptest::collection::vec;
use proptest::prelude::*;
use tidegate::catalogue::{Item, name_id};
use tidegate::engine::{Engine, Signal};
use tidegate::governance::{
    CohortId, ItemId, KindId, SharePolicy, SignalProvenance, SignalScope, UserId,
};
use tidegate::log::{EventRecord, Remote};

use crate::histories::{
    NAMES, Step, T0, any_community, any_policy, any_signal, any_upsert, engine, take,
};

type Lane = Vec<Step>;

/// All that one user does in their own database. The hybrid clock counts from one host time, so all have the same.
fn user_lane(user: UserId) -> impl Strategy<Value = Lane> {
    let signal = any_signal().prop_map(move |signal| Signal { user, ..signal });
    let step = prop_oneof![
        8 => signal.prop_map(|signal| Step::Signal(signal, T0)),
        2 => (any_community(), proptest::option::of(any_policy()))
            .prop_map(move |(community, policy)| Step::Join(user, community, policy, T0)),
        1 => any_community().prop_map(move |community| Step::Leave(user, community, T0)),
        1 => any::<bool>().prop_map(move |leave| Step::Layer(user, leave, T0)),
        // A cohort of the user's own: what two users add to one sum has an order.
        1 => Just(Step::Cohorts(user, vec![CohortId(user.0)])),
        1 => Just(Step::Forget(user, T0)),
    ];
    vec(step, 0..20)
}

/// Two of these share a cohort. Sums of small whole numbers at one time are exact, and so have no order.
fn sociable_lane(user: UserId) -> impl Strategy<Value = Lane> {
    let signal = (any_signal(), -9..9_i8).prop_map(move |(signal, weight)| {
        let weight = Some(f64::from(weight));
        let at_ns = Some(T0);
        Step::Signal(
            Signal {
                user,
                weight,
                at_ns,
                ..signal
            },
            T0,
        )
    });
    vec(signal, 0..20).prop_map(move |mut lane| {
        lane.insert(0, Step::Cohorts(user, vec![CohortId(0), CohortId(50)]));
        lane
    })
}

fn item_lane(item: u64) -> impl Strategy<Value = Lane> {
    let upsert = || {
        any_upsert().prop_map(move |features| {
            Step::Upsert(Item {
                id: ItemId(item),
                ..features
            })
        })
    };
    let step = prop_oneof![2 => upsert(), 1 => Just(Step::Remove(ItemId(item)))];
    // Upserted first, so that it is known whatever others have signalled.
    (upsert(), vec(step, 0..4)).prop_map(|(first, mut lane)| {
        lane.insert(0, first);
        lane
    })
}

/// Another database, with a user whom nobody else knows.
fn origin_lane(origin: u64) -> impl Strategy<Value = Lane> {
    let user = UserId(1_000 + origin);
    let step = (any_community(), 0..3_u32, any_signal(), 0..4_u8).prop_map(
        move |(community, epoch, signal, which)| match which {
            0 => Remote::Join {
                user,
                community,
                epoch,
                policy: SharePolicy::default(),
                at_ns: T0,
            },
            1 => Remote::Leave {
                user,
                community,
                epoch,
                at_ns: T0,
            },
            _ => Remote::Contribution {
                user,
                item: signal.item,
                kind: signal.kind,
                weight: signal.weight.unwrap_or(1.0),
                at_ns: T0,
                provenance: SignalProvenance {
                    membership_epoch: Some(epoch),
                    scope: SignalScope::Community(community),
                    share_policy_version: 1,
                    origin,
                    sequence: 0,
                    writer_agent: None,
                    hlc: 0,
                },
            },
        },
    );
    vec(step, 0..20).prop_map(move |events| {
        let record = |(event, sequence)| {
            Step::Replay(EventRecord {
                origin,
                sequence,
                event,
            })
        };
        events.into_iter().zip(1..).map(record).collect()
    })
}

fn lanes() -> impl Strategy<Value = Vec<Lane>> {
    let users = [1, 2, u64::MAX, name_id(NAMES[0])].map(|user| user_lane(UserId(user)).boxed());
    let sociable = [60, 61].map(|user| sociable_lane(UserId(user)).boxed());
    let items = [0, 1, 2, 3, u64::MAX, name_id(NAMES[1])].map(|item| item_lane(item).boxed());
    let origins = [0, 5, u64::MAX / 2].map(|origin| origin_lane(origin).boxed());
    users
        .into_iter()
        .chain(sociable)
        .chain(items)
        .chain(origins)
        .collect::<Vec<_>>()
}

/// The lanes with two orders in which to take their steps.
fn two_orders() -> impl Strategy<Value = (Vec<Lane>, Vec<usize>, Vec<usize>)> {
    lanes().prop_flat_map(|lanes| {
        let turns: Vec<usize> = lanes
            .iter()
            .enumerate()
            .flat_map(|(lane, steps)| std::iter::repeat_n(lane, steps.len()))
            .collect();
        (
            Just(lanes),
            Just(turns.clone()).prop_shuffle(),
            Just(turns).prop_shuffle(),
        )
    })
}

fn in_order(lanes: &[Lane], turns: &[usize]) -> Vec<Step> {
    let mut lanes: Vec<_> = lanes.iter().map(|lane| lane.iter()).collect();
    turns
        .iter()
        .filter_map(|lane| lanes[*lane].next().cloned())
        .collect()
}

/// A forgetting drops every name that no fact refers to (R18), so which of them are left has an order. Where anybody is
/// forgotten, one more who is forgotten in the end leaves those of facts alone.
fn swept(lanes: &[Lane], mut steps: Vec<Step>) -> Vec<Step> {
    let forgets = |step: &Step| matches!(step, Step::Forget(..));
    if lanes.iter().flatten().any(forgets) {
        let user = UserId(90);
        let signal = Signal {
            user,
            item: ItemId(0),
            kind: KindId(1),
            weight: None,
            at_ns: None,
            community: None,
            agent: None,
        };
        steps.extend([Step::Signal(signal, T0), Step::Forget(user, T0)]);
    }
    steps
}

fn named() -> Engine {
    let mut engine = engine();
    take(&mut engine, &NAMES.map(Step::Name));
    engine
}

proptest! {
    #[test]
    fn bytes_do_not_tell_in_which_order_ids_came((lanes, first, second) in two_orders()) {
        let snapshot = |turns: &[usize]| {
            let mut engine = named();
            take(&mut engine, &swept(&lanes, in_order(&lanes, turns)));
            engine.commit(usize::MAX);
            engine.snapshot()
        };
        prop_assert!(snapshot(&first) == snapshot(&second));
    }

    /// Nor how often it was stored in between, nor what was taken back.
    #[test]
    fn bytes_do_not_tell_how_they_came_about(
        (lanes, turns, detour) in two_orders(),
        cut in any::<prop::sample::Index>(),
    ) {
        let steps = in_order(&lanes, &turns);
        let (before, after) = steps.split_at(cut.index(steps.len() + 1));
        let mut straight = named();
        take(&mut straight, &steps);
        straight.commit(usize::MAX);

        let mut wandering = named();
        take(&mut wandering, before);
        wandering.commit(usize::MAX);
        take(&mut wandering, &in_order(&lanes, &detour));
        wandering.undo();
        let mut restored = Engine::restore(&wandering.snapshot(), None).unwrap();
        take(&mut restored, &NAMES.map(Step::Name));
        for engine in [&mut wandering, &mut restored] {
            take(engine, after);
            engine.commit(usize::MAX);
            prop_assert!(engine.snapshot() == straight.snapshot());
        }
    }
}
