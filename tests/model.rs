//! The engine against a naive reference model: random histories of all calls, all short ones over a membership's life,
//! and the bytes of the local keyspaces whatever became of the memberships.
//!
//! A failure prints its seed and the shortest history found that still fails. `TIDEGATE_SEED=n` runs that seed alone;
//! `TIDEGATE_SEEDS=n` runs more of them.
#![cfg(not(target_arch = "wasm32"))]

#[path = "model/compare.rs"]
mod compare;
#[path = "model/engine_side.rs"]
mod engine_side;
#[path = "model/history.rs"]
mod history;
#[path = "model/items.rs"]
mod items;
#[path = "model/pair.rs"]
mod pair;
#[path = "model/random.rs"]
mod random;
#[path = "model/ranking.rs"]
mod ranking;
#[path = "model/rebase.rs"]
mod rebase;
#[path = "model/reference.rs"]
mod reference;
#[path = "model/schema.rs"]
mod schema;
#[path = "model/self_check.rs"]
mod self_check;

use engine_side::Subject;
use history::{COMMUNITIES, Generator, Op, Setting, T0};
use pair::Pair;
use random::shrink;
use reference::{Model, Signal};

/// The lengths of histories, in turn: short ones find most and are quickly cut down.
const LENGTHS: [usize; 6] = [40, 150, 400, 40, 150, 2_000];

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// Runs every `step`-th seed from `first`; two tests of this share the work between two cores.
fn random_histories(first: u64, step: u64) {
    if let Some(seed) = number("TIDEGATE_SEED") {
        if seed % step == first {
            random_history(seed);
        }
        return;
    }
    let seeds = number("TIDEGATE_SEEDS").unwrap_or(300);
    for seed in (first..seeds).step_by(usize::try_from(step).unwrap()) {
        random_history(seed);
    }
}

fn random_history(seed: u64) {
    let mut generator = Generator::new(seed);
    let length = LENGTHS[usize::try_from(seed % LENGTHS.len() as u64).unwrap()];
    let ops = generator.history(length);
    let setting = generator.setting;
    if let Err(why) = Pair::run(&setting, &ops) {
        // Another fault may lie on the way down: only the same kind of failure counts.
        let kind = failure_kind(&why).to_owned();
        let least = shrink(ops, |ops| {
            Pair::run(&setting, ops).is_err_and(|why| failure_kind(&why) == kind)
        });
        let verdict = Pair::run(&setting, &least);
        panic!("seed {seed}: {why}\n\ncut down to {least:#?}\nin {setting:?}:\n{verdict:?}");
    }
}

/// What a verdict is about: the words between the call that it names and the values.
fn failure_kind(why: &str) -> &str {
    let about = why.split_once("\n  ").map_or(why, |(_, about)| about);
    about.split_once(':').map_or(about, |(kind, _)| kind)
}

#[test]
fn random_histories_agree_with_the_model() {
    random_histories(0, 2);
}

#[test]
fn more_random_histories_agree_with_the_model() {
    random_histories(1, 2);
}

fn plain() -> Setting {
    Setting {
        dimensions: 0,
        kinds: Vec::new(),
    }
}

fn like(model: &Model, item: u64, now: u64) -> Op {
    let kind = model
        .kinds
        .iter()
        .position(|kind| kind.name == "like")
        .unwrap();
    let community = Some(COMMUNITIES[1]);
    Op::Signal {
        signal: Signal {
            user: 1,
            item,
            kind,
            weight: None,
            at: None,
            community,
            agent: None,
        },
        now,
    }
}

/// All sequences of six of the calls that move a membership or pass its gate, and so all shorter ones.
#[test]
fn all_short_lives_of_a_membership_agree_with_the_model() {
    let (user, community) = (1, COMMUNITIES[1]);
    let model = Model::new(0, &[]);
    let call = |which: u32, step: u32| {
        let now = T0 + u64::from(step);
        match which {
            0 => Op::Join {
                user,
                community,
                policy: None,
                now,
            },
            1 => Op::Leave {
                user,
                community,
                purge: false,
                now,
            },
            2 => Op::Rejoin {
                user,
                community,
                policy: None,
                now,
            },
            3 => Op::LeaveLayer { user, now },
            4 => Op::RejoinLayer { user },
            _ => like(&model, u64::from(step), now),
        }
    };
    for sequence in 0..6_u32.pow(6) {
        let mut pair = Pair::new(&plain());
        let mut rest = sequence;
        for step in 0..6 {
            let op = call(rest % 6, step);
            rest /= 6;
            let verdict = pair
                .step(&op)
                .and_then(|()| compare::membership(&pair.engine, &pair.model, user, community));
            assert!(
                verdict.is_ok(),
                "sequence {sequence}, step {step}, {op:?}: {verdict:?}"
            );
        }
    }
}

/// What the engine without memberships is told of a call. A contribution keeps its item known when its user is
/// forgotten, so whether a removal then removes anything depends on memberships: a history has the one or the other.
fn local_op(op: &Op, seed: u64) -> Option<Op> {
    match op {
        Op::Signal { signal, now } if seed % 2 == 1 => Some(Op::Signal {
            signal: Signal {
                community: None,
                ..signal.clone()
            },
            now: *now,
        }),
        Op::SetCohorts { .. }
        | Op::Signal { .. }
        | Op::Upsert { .. }
        | Op::Remove { .. }
        | Op::Forget { .. } => Some(op.clone()),
        _ => None,
    }
}

/// R2: one engine joins, leaves, rejoins and switches its layer; the other never does, and names no community or is
/// told that it is no member.
#[test]
fn local_keyspaces_are_the_same_bytes_whatever_became_of_memberships() {
    for seed in 0..number("TIDEGATE_SEEDS").unwrap_or(60) {
        let mut generator = Generator::new(seed ^ 0x5eed_2000);
        let mut ops = generator.history(300);
        ops.retain(|op| {
            !if seed % 4 < 2 {
                matches!(op, Op::Forget { .. })
            } else {
                matches!(op, Op::Remove { .. })
            }
        });
        let model = Model::new(generator.setting.dimensions, &generator.setting.kinds);
        let mut social = Subject::new(&generator.setting, &model);
        let mut loner = Subject::new(&generator.setting, &model);
        for (position, op) in ops.iter().enumerate() {
            social.call(op);
            if let Some(op) = local_op(op, seed) {
                loner.call(&op);
            }
            if position % 60 == 59 {
                social.commit_all();
                loner.commit_all();
                let blocks = social.local_blocks();
                assert!(!blocks.is_empty());
                assert!(
                    blocks == loner.local_blocks(),
                    "seed {seed}, after call {position}"
                );
            }
        }
        assert!(!social.memberships(None).is_empty() && loner.memberships(None).is_empty());
    }
}
