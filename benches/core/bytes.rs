//! Bytes: what an event takes in the log and an accumulator in a snapshot.

use std::collections::BTreeSet;

use tidegate::catalogue::name_id;
use tidegate::engine::{Engine, Signal};
use tidegate::governance::LeaveMode;
use tidegate::storage::{Blocks, Tag};

use crate::table::{bytes_per, duration, medians, row, time};
use crate::workload::{Ids, NOIR, T0, USER, bare, furnished, ingest, signals};

const EVENTS: u32 = 1_000;

/// One row of a thousand signals.
pub fn rows() {
    let print = |what: &str, engine: &mut Engine, signals: &[(Signal, u64)], remark: &str| {
        ingest(engine, signals);
        let bytes = engine.pending_row(u64::MAX, 1_000).len();
        row(
            &format!("log row of 1 000 signals, {what}, each"),
            &bytes_per(bytes, signals.len()),
            remark,
        );
    };
    let open = signals(EVENTS, Ids::Integers, Some(NOIR), 3);
    let local = signals(EVENTS, Ids::Integers, None, 3);
    let mixed: Vec<_> = open
        .iter()
        .zip(&local)
        .enumerate()
        .map(|(place, (open, local))| if place % 2 == 0 { *open } else { *local })
        .collect();
    let fractions: Vec<_> = open
        .iter()
        .map(|(signal, now)| {
            (
                Signal {
                    weight: Some(0.3),
                    ..*signal
                },
                *now,
            )
        })
        .collect();
    let mut left = bare();
    left.leave(USER, NOIR, LeaveMode::StopForward, T0)
        .expect("a member");
    left.commit(usize::MAX);
    print("open", &mut bare(), &open, "");
    print("local", &mut bare(), &local, "");
    print("gated", &mut left, &open, "");
    print("open and local in turn", &mut bare(), &mixed, "");
    print("open, weights of a fraction", &mut bare(), &fractions, "");
    let hashed = signals(EVENTS, Ids::Names, Some(NOIR), 3);
    print(
        "open, hashed ids",
        &mut bare(),
        &hashed,
        "without their names",
    );
}

/// 300 000 signals without the catalogue, in the profile and in the community.
pub fn snapshots(rounds: usize) {
    for (what, ids) in [("integer ids", Ids::Integers), ("hashed ids", Ids::Names)] {
        let signals = signals(300_000, ids, Some(NOIR), 1);
        let mut engine = bare();
        if matches!(ids, Ids::Names) {
            for rank in 0..crate::workload::ITEMS {
                let name = Ids::name(rank);
                engine
                    .name(name_id(&name), &name)
                    .expect("a name of its own");
            }
        }
        ingest(&mut engine, &signals);
        engine.commit(usize::MAX);
        // One sign for each kind, so that a kind and an item are a sum; once in the profile, once in the community.
        let sums: BTreeSet<_> = signals
            .iter()
            .map(|(signal, _)| (signal.item, signal.kind.0))
            .collect();
        let sums = sums.len() * 2;
        let bytes = engine.snapshot();
        let facts = |wanted: fn(Tag) -> bool| -> usize {
            let blocks = Blocks::parse(&bytes).expect("a good snapshot");
            let wanted = blocks.iter().filter(|(key, _)| wanted(key.tag));
            wanted
                .map(|(key, value)| key.to_bytes().len() + value.len() + 4)
                .sum()
        };
        let sized = facts(|tag| matches!(tag, Tag::Profile | Tag::Contributions));
        let named = facts(|tag| tag == Tag::Name);
        let remark = format!("{sums} sums, {sized} B; names {named} B");
        row(
            &format!("snapshot, {what}, each sum"),
            &bytes_per(sized, sums),
            &remark,
        );
        measure(what, &mut engine, rounds);
    }
    let mut engine = furnished();
    ingest(&mut engine, &signals(300_000, Ids::Integers, Some(NOIR), 1));
    engine.commit(usize::MAX);
    measure("with the catalogue", &mut engine, rounds);
}

fn measure(what: &str, engine: &mut Engine, rounds: usize) {
    let bytes = engine.snapshot();
    let [write, read] = medians(
        rounds,
        [&mut || time(|| engine.snapshot()), &mut || {
            time(|| Engine::restore(&bytes, None).expect("a good snapshot"))
        }],
    );
    let remark = format!("{} B", bytes.len());
    row(
        &format!("snapshot, {what}, written"),
        &duration(write),
        &remark,
    );
    row(&format!("snapshot, {what}, restored"), &duration(read), "");
}
