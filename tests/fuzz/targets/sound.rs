//! What holds of every engine, wherever its bytes came from.

use tidegate::Error;
use tidegate::engine::{Engine, MembershipView, Signal};
use tidegate::governance::{CohortId, CommunityId, ItemId, KindId, LeaveMode, Outcome, UserId};
use tidegate::log::{EventRecord, Remote};
use tidegate::query::Query;

pub const NOW: u64 = 1_700_000_000_000_000_000;
/// So many users of an engine are tried: a fuzzer's time is better spent on other inputs.
const TRIED: usize = 6;

/// What is pending in an engine and what is folded, as they are stored.
pub type State = (Vec<u8>, Vec<u8>);

/// All that is stored of an engine or would be.
pub fn state(engine: &mut Engine) -> State {
    (engine.pending_row(1, 1), engine.snapshot())
}

/// What an engine shows without writing its bytes, for which it takes back what is pending and applies it again.
pub fn shown(engine: &mut Engine, user: UserId, community: CommunityId) -> impl PartialEq + use<> {
    let profile = engine.profile(user, NOW);
    let mass = engine.community_mass(community);
    (engine.memberships(None), profile, mass)
}

/// Where the engine contributes, and under which epoch.
pub fn contributing(engine: &Engine) -> Vec<(UserId, CommunityId, u32)> {
    let rows = engine.memberships(None);
    let rows = rows.iter().filter(|row| row.contributing);
    rows.map(|row| (row.user, row.community, row.epoch))
        .collect()
}

/// How many contributions were ever counted in a community.
pub fn mass(engine: &Engine, community: CommunityId) -> u64 {
    let items = engine.community_mass(community);
    items.iter().map(|(_, count)| count).sum()
}

/// A signal of a user with the first of the kinds.
pub fn signal(user: UserId, item: u64, community: Option<CommunityId>) -> Signal {
    Signal {
        user,
        item: ItemId(item),
        kind: KindId(0),
        weight: Some(1.5),
        at_ns: None,
        community,
        agent: None,
    }
}

/// Takes in an event of another database. A contribution counts once, under the open epoch that it carries and no other
/// (R1, R6, R7).
pub fn replay(engine: &mut Engine, record: &EventRecord) -> Result<Outcome, Error> {
    let Remote::Contribution { provenance, .. } = record.event else {
        return engine.replay(record);
    };
    let Some(community) = record.event.community() else {
        return engine.replay(record);
    };
    let row = engine.membership(record.event.user(), community);
    let open = row.is_some_and(|row| {
        row.stop_forward_at_ns.is_none() && provenance.membership_epoch == Some(row.epoch)
    });
    let counted = mass(engine, community);
    let outcome = engine.replay(record)?;
    let recorded = outcome == Outcome::Recorded;
    assert!(
        open || !recorded,
        "{record:?} counts, the row being {row:?}"
    );
    assert_eq!(mass(engine, community) - counted, u64::from(recorded));
    Ok(outcome)
}

/// Storing, reading back and taking back come to the same bytes by every way there is.
pub fn assert_bytes_agree(engine: &Engine) {
    let mut engine = engine.clone();
    let row = engine.pending_row(3, 9);
    let stored = engine.snapshot();
    let read = Engine::restore(&stored, None).map(|mut read| read.snapshot());
    assert_eq!(read.as_ref(), Ok(&stored), "a snapshot is read as another");

    let mut undone = engine.clone();
    undone.undo();
    assert_eq!(undone.pending(), 0);
    assert!(undone.snapshot() == stored, "undo leaves something behind");

    // An empty row is none.
    if engine.pending() == 0 {
        return;
    }
    let folded = undone.catch_up(&[&row]);
    assert_eq!(folded, Ok(engine.pending()), "an own row is refused");
    engine.commit(usize::MAX);
    assert!(
        undone.snapshot() == engine.snapshot(),
        "a row folds into another state than the one it was written of"
    );
}

/// Everything that reading gives is finite. That it changes no byte (R14) is for the caller to compare.
pub fn assert_finite(engine: &mut Engine, user: UserId, community: CommunityId) {
    for at_ns in [0, NOW, u64::MAX] {
        let query = Query {
            community: Some(community),
            cohort: Some(CohortId(20)),
            include_seen: at_ns == NOW,
            limit: 50,
            diversity: if at_ns == 0 { 0.5 } else { 0.0 },
            ..Query::new(user, at_ns)
        };
        for ranked in engine.query(&query).items {
            let parts = [ranked.score, ranked.local, ranked.community, ranked.cohort];
            assert!(parts.iter().all(|part| part.is_finite()), "{parts:?}");
        }
        let profile = engine.profile(user, at_ns);
        let items = profile.items.iter().map(|(_, sum)| *sum);
        let categories = profile.categories.iter().map(|(_, sum)| *sum);
        let creators = profile.creators.iter().map(|(_, sum)| *sum);
        let mut sums = items.chain(categories).chain(creators);
        assert!(sums.all(f64::is_finite), "{profile:?}");
        let mut preference = profile.preference.iter().flatten();
        assert!(preference.all(|part| part.is_finite()), "{profile:?}");
    }
}

/// One can go on with it: signals are taken or refused by the gate, a leave closes it, what is forgotten is gone.
pub fn assert_goes_on(mut engine: Engine) {
    assert_bytes_agree(&engine);
    let before = state(&mut engine);
    let pending = engine.pending();
    let rows: Vec<MembershipView> = engine.memberships(None).into_iter().take(TRIED).collect();
    assert_finite(&mut engine, UserId(1), CommunityId(0));
    for row in &rows {
        assert_finite(&mut engine, row.user, row.community);
    }
    assert!(state(&mut engine) == before, "reading changed something");
    for row in &rows {
        assert_member(&mut engine, row);
    }
    let _ = engine.signal(&signal(UserId(1), 1, None), NOW);
    for row in &rows {
        engine.forget_user(row.user, NOW).expect("a user");
        let profile = engine.profile(row.user, NOW);
        assert!(profile.signals == 0 && profile.items.is_empty());
    }
    assert_bytes_agree(&engine);
    if pending == 0 {
        engine.undo();
        assert!(state(&mut engine) == before, "undo is not exact");
    }
}

fn assert_member(engine: &mut Engine, row: &MembershipView) {
    let (user, community) = (row.user, row.community);
    let counted = mass(engine, community);
    let own = signal(user, 1, Some(community));
    let recorded = engine.signal(&own, NOW) == Ok(Outcome::Recorded);
    assert!(
        !recorded || row.contributing,
        "it counts behind a closed gate"
    );
    // A count per item goes no further than its type.
    assert!(mass(engine, community) <= counted + u64::from(recorded));

    let left = engine.leave(user, community, LeaveMode::StopForward, NOW);
    assert!(left.is_ok_and(|left| left.stop_forward_at_ns >= 1 || !left.changed));
    let counted = mass(engine, community);
    assert_ne!(
        engine.signal(&own, NOW),
        Ok(Outcome::Recorded),
        "it counts after the leave"
    );
    assert_eq!(mass(engine, community), counted);
    let row = engine.membership(user, community);
    assert!(row.is_some_and(|row| !row.contributing));
}
