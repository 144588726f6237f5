//! Snapshots that were changed behind a right checksum: what nobody checks may be taken, as long as it does no harm.

use tidegate::Error;
use tidegate::engine::{Engine, Signal};
use tidegate::governance::{CohortId, CommunityId, ItemId, KindId, KindSet, ShareMode, UserId};
use tidegate::query::Query;
use tidegate::replication::Stream;

use crate::forge::{COHORT, COMMUNITY, Forgery, MILLISECOND, T0, USER, snapshot};
use crate::forged_snapshots::restore;
use crate::memory::alone;

const NOW: u64 = T0 * MILLISECOND;

/// Can be read, written, read again, and gone on with.
#[track_caller]
pub fn assert_sound(mut engine: Engine, what: &str) {
    let signal = Signal {
        user: UserId(USER),
        item: ItemId(1),
        kind: KindId(1),
        weight: Some(1.0),
        at_ns: None,
        community: Some(CommunityId(COMMUNITY)),
        agent: None,
    };
    let query = Query {
        community: Some(CommunityId(COMMUNITY)),
        cohort: Some(CohortId(COHORT)),
        include_seen: true,
        limit: usize::MAX,
        ..Query::new(UserId(USER), NOW)
    };
    // A schema of which nothing is left refuses the signal; that is no harm.
    let _ = engine.signal(&signal, NOW);
    engine.commit(usize::MAX);
    for at_ns in [0, NOW, u64::MAX] {
        for ranked in engine
            .query(&Query {
                at_ns,
                ..query.clone()
            })
            .items
        {
            let parts = [ranked.score, ranked.local, ranked.community, ranked.cohort];
            assert!(
                parts.iter().all(|part| part.is_finite()),
                "{what}: {parts:?}"
            );
        }
        let profile = engine.profile(UserId(USER), at_ns);
        assert!(
            profile.items.iter().all(|(_, sum)| sum.is_finite()),
            "{what}"
        );
    }
    let bytes = engine.snapshot();
    let again = Engine::restore(&bytes, None).map(|mut engine| engine.snapshot());
    assert!(
        again.as_ref() == Ok(&bytes),
        "{what}: written, it does not come back"
    );
}

#[test]
fn a_changed_byte_behind_a_right_checksum_is_refused_or_does_no_harm() {
    let _alone = alone();
    let plain = Forgery::plain().blocks();
    let (mut refused, mut taken) = (0, 0);
    for block in 0..plain.len() {
        for place in 0..plain[block].1.len() {
            let mut blocks = plain.clone();
            for value in 0..=u8::MAX {
                blocks[block].1[place] = value;
                let what = format!("byte {place} of {:x?} as {value}", blocks[block].0);
                match restore(&snapshot(&blocks)) {
                    Ok(engine) => {
                        taken += 1;
                        assert_sound(engine, &what);
                    }
                    Err(error) => {
                        refused += 1;
                        assert_eq!(error, Error::CorruptSnapshot, "{what}");
                    }
                }
            }
        }
    }
    assert!(
        refused > 10_000 && taken > 10_000,
        "{refused} refused, {taken} taken"
    );
}

/// No number of signals of the largest weight adds up to these.
#[test]
fn sums_that_no_history_reaches_do_no_harm() {
    let _alone = alone();
    for value in [1e30, 1e100, 1e300, f64::MAX] {
        let mut forgery = Forgery::plain();
        for columns in [
            &mut forgery.profile,
            &mut forgery.cohort,
            &mut forgery.contributions,
        ] {
            columns.values = vec![value, -value, value];
        }
        if let Ok(engine) = restore(&forgery.snapshot()) {
            assert_sound(engine, &format!("sums of {value:e}"));
        }
    }
}

#[test]
fn extremes_that_can_be_are_taken() {
    let _alone = alone();
    let takes = |what: &str, change: fn(&mut Forgery)| {
        let mut forgery = Forgery::plain();
        change(&mut forgery);
        let engine = restore(&forgery.snapshot());
        assert_sound(
            engine.unwrap_or_else(|error| panic!("{what}: {error}")),
            what,
        );
    };
    takes("the last epoch", |forgery| {
        for row in &mut forgery.memberships {
            (row.epoch, row.contributing_epoch) = (u32::MAX, Some(u32::MAX));
        }
        forgery.epoch = u32::MAX;
    });
    takes("the last numbers", |forgery| {
        forgery.marks = vec![
            (Stream::Local, u64::MAX),
            (Stream::Layer, u64::MAX),
            (Stream::Community(CommunityId(COMMUNITY)), u64::MAX),
        ];
        (forgery.signals, forgery.meta.clock) = (u64::MAX, u64::MAX);
        forgery.cohort.counts = vec![u32::MAX; 2];
        forgery.contributions.counts = vec![u32::MAX; 2];
    });
    takes("the last time", |forgery| {
        for columns in [
            &mut forgery.profile,
            &mut forgery.cohort,
            &mut forgery.contributions,
        ] {
            (columns.unit, columns.earliest) = (1, 0);
            columns.times = vec![u64::MAX, 0, 1];
        }
    });
    takes("no kinds shared", |forgery| {
        forgery.memberships[0].share = ShareMode::Kinds(KindSet::EMPTY);
    });
}
