//! Time: what a signal, a query, and taking back cost, and what they do not depend on.

use std::hint::black_box;

use hashbrown::HashMap;
use tidegate::engine::{Engine, Signal};
use tidegate::governance::{
    CommunityId, ItemId, KindId, LeaveMode, Membership, MembershipRegistry, SharePolicy, UserId,
};
use tidegate::query::Query;

use crate::table::{duration, medians, quantile, ratio, row, time};
use crate::workload::{
    Ids, NOIR, Random, T0, USER, bare, furnished, ingest as take, signals as draw,
};

type Key = (UserId, CommunityId);

/// The gate against a look-up of the same key in a plain map of the same rows.
pub fn gate(rounds: usize) {
    for rows in [1_u64, 1_000, 100_000] {
        let (mut registry, mut plain) = (MembershipRegistry::new(), HashMap::new());
        for user in 1..=rows {
            let (user, community) = (UserId(user), CommunityId(user % 20));
            let row = Membership::joined(user, community, SharePolicy::default(), T0);
            plain.insert((user, community), row.clone());
            registry.insert(row);
        }
        let mut random = Random::new(3);
        let keys: Vec<_> = std::iter::repeat_with(|| 1 + random.below(rows))
            .map(|user| (UserId(user), CommunityId(user % 20)))
            .take(4_096)
            .collect();
        let each = |found: &dyn Fn(&[Key]) -> usize| {
            let passes = || (0..8).map(|_| found(black_box(&keys))).sum::<usize>();
            time(passes) / (8.0 * 4_096.0)
        };
        let gated = |key: &&Key| registry.is_contribution_gated(key.0, key.1);
        let found = |key: &&Key| plain.contains_key(*key);
        let [gate, bare] = medians(
            rounds * 3,
            [
                &mut || each(&|keys| keys.iter().filter(gated).count()),
                &mut || each(&|keys| keys.iter().filter(found).count()),
            ],
        );
        let remark = format!(
            "{} of a bare look-up, {}",
            ratio(gate, bare),
            duration(bare)
        );
        row(
            &format!("gate check, {rows} memberships"),
            &duration(gate),
            &remark,
        );
    }
}

/// One signal at a time, into a profile of 300 000.
pub fn signals(rounds: usize) {
    const BATCH: u32 = 1_000;
    let mut engine = furnished();
    take(&mut engine, &draw(300_000, Ids::Integers, Some(NOIR), 1));
    engine.commit(usize::MAX);
    let mut left = engine.clone();
    left.leave(USER, NOIR, LeaveMode::StopForward, T0)
        .expect("a member");
    left.commit(usize::MAX);
    let mut local = engine.clone();
    let (shared, own) = (
        draw(BATCH, Ids::Integers, Some(NOIR), 2),
        draw(BATCH, Ids::Integers, None, 2),
    );
    let measure = |engine: &mut Engine, signals: &[(Signal, u64)]| {
        let each = time(|| take(engine, signals)) / f64::from(BATCH);
        engine.undo();
        each
    };
    let [local, open, gated] = medians(
        rounds * 9,
        [
            &mut || measure(&mut local, &own),
            &mut || measure(&mut engine, &shared),
            &mut || measure(&mut left, &shared),
        ],
    );
    row("signal, local", &duration(local), "");
    row(
        "signal, open",
        &duration(open),
        &format!("{} of local", ratio(open, local)),
    );
    row(
        "signal, gated",
        &duration(gated),
        &format!("{} of local", ratio(gated, local)),
    );
}

/// All of a workload, from an empty profile on.
pub fn ingest(rounds: usize) {
    const COUNT: u32 = 300_000;
    let empty = furnished();
    let [integers, names] = [Ids::Integers, Ids::Names].map(|ids| draw(COUNT, ids, Some(NOIR), 1));
    let measure = |empty: &Engine, signals: &[(Signal, u64)]| {
        let mut engine = empty.clone();
        let each = time(|| {
            for thousand in signals.chunks(1_000) {
                take(&mut engine, thousand);
                engine.commit(usize::MAX);
            }
        });
        each / f64::from(COUNT)
    };
    let bare = bare();
    let [integers, names] = medians(
        rounds,
        [&mut || measure(&empty, &integers), &mut || {
            measure(&bare, &names)
        }],
    );
    let remark = format!("{:.1} M/s", 1e3 / integers);
    row(
        "300 000 signals, Zipf, 5 % late, each",
        &duration(integers),
        &remark,
    );
    row(
        "the same on hashed ids, items not known before",
        &duration(names),
        "",
    );
}

/// All unseen of 50 000 films, after a new signal each time.
pub fn query(count: usize) {
    for (name, signalled) in [("300 000 signals", 300_000), ("1 000 signals", 1_000)] {
        let mut engine = furnished();
        take(&mut engine, &draw(signalled, Ids::Integers, Some(NOIR), 1));
        engine.commit(usize::MAX);
        let mut samples = Vec::new();
        for (signal, now) in draw(
            u32::try_from(count).unwrap_or(u32::MAX),
            Ids::Integers,
            Some(NOIR),
            5,
        ) {
            let now = now + 10_000_000_000_000;
            engine
                .signal(
                    &Signal {
                        at_ns: None,
                        ..signal
                    },
                    now,
                )
                .expect("a valid signal");
            let query = Query {
                community: Some(NOIR),
                ..Query::new(USER, now)
            };
            samples.push(time(|| engine.query(&query)));
        }
        let (median, slow) = (quantile(&mut samples, 0.5), quantile(&mut samples, 0.99));
        let remark = format!("p99 {} ({})", duration(slow), ratio(slow, median));
        row(
            &format!("50 000 films after {name}"),
            &duration(median),
            &remark,
        );
    }
}

/// A thousand films to which this many members contributed, each to all of them.
fn crowd(members: u64) -> Engine {
    let mut engine = bare();
    for user in (2..)
        .take(usize::try_from(members).expect("a small number"))
        .map(UserId)
    {
        engine.join(user, NOIR, None, T0).expect("a first join");
        for item in 0..1_000 {
            engine
                .signal(&view(user, item, Some(NOIR)), T0)
                .expect("a valid signal");
        }
        engine.commit(usize::MAX);
    }
    engine
}

fn view(user: UserId, item: u64, community: Option<CommunityId>) -> Signal {
    Signal {
        user,
        item: ItemId(item),
        kind: KindId(1),
        weight: None,
        at_ns: None,
        community,
        agent: None,
    }
}

/// The same films with ten times ten and a thousand times a thousand contributions behind them.
pub fn query_by_contributions(rounds: usize) {
    let measure = |engine: &mut Engine, turn: &mut u64| {
        *turn += 1;
        let now = T0 + *turn * 1_000_000_000;
        engine
            .signal(&view(USER, *turn % 10, Some(NOIR)), now)
            .expect("a valid signal");
        engine.commit(usize::MAX);
        let query = Query {
            community: Some(NOIR),
            ..Query::new(USER, now)
        };
        time(|| engine.query(&query))
    };
    let (mut few, mut many) = ((crowd(10), 0), (crowd(1_000), 0));
    let [few, many] = medians(
        rounds * 9,
        [&mut || measure(&mut few.0, &mut few.1), &mut || {
            measure(&mut many.0, &mut many.1)
        }],
    );
    row("1 000 films, 10^4 contributions", &duration(few), "");
    let remark = format!("{} of 10^4", ratio(many, few));
    row("1 000 films, 10^6 contributions", &duration(many), &remark);
}

/// A hundred signals on facts that there are, taken back.
pub fn undo(rounds: usize) {
    let mut random = Random::new(7);
    let mut measure = |engine: &mut Engine, users: u64| {
        for _ in 0..100 {
            let (user, item) = (UserId(2 + random.below(users)), random.below(1_000));
            engine
                .signal(&view(user, item, Some(NOIR)), T0 + 1)
                .expect("a valid signal");
        }
        time(|| engine.undo())
    };
    let (mut few, mut many) = (crowd(10), crowd(1_000));
    let mut samples = [Vec::new(), Vec::new()];
    for _ in 0..rounds * 9 {
        samples[0].push(measure(&mut few, 10));
        samples[1].push(measure(&mut many, 1_000));
    }
    let [few, many] = samples.map(|mut samples| quantile(&mut samples, 0.5));
    row("undo 100 signals at 10^4 facts", &duration(few), "");
    let remark = format!("{} of 10^4", ratio(many, few));
    row("undo 100 signals at 10^6 facts", &duration(many), &remark);
}

/// A thousand new events as one row, and the commit.
pub fn flush(rounds: usize) {
    let mut engine = furnished();
    take(&mut engine, &draw(300_000, Ids::Integers, Some(NOIR), 1));
    engine.commit(usize::MAX);
    let mut reader = engine.clone();
    let new = draw(1_000, Ids::Integers, Some(NOIR), 9);
    let (mut write, mut read) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        take(&mut engine, &new);
        let mut row = Vec::new();
        write.push(time(|| {
            row = engine.pending_row(1, 1);
            engine.commit(usize::MAX);
        }));
        read.push(time(|| reader.catch_up(&[&row]).expect("a good row")));
    }
    row(
        "1 000 events into a row, and commit",
        &duration(quantile(&mut write, 0.5)),
        "",
    );
    row(
        "1 000 events of a row folded",
        &duration(quantile(&mut read, 0.5)),
        "",
    );
}
