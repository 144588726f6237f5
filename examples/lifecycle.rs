//! The life of a membership, without a browser and without a store: `cargo run --example lifecycle`.

use tidegate::catalogue::Item;
use tidegate::governance::KindId;
use tidegate::{
    CommunityId, Config, Engine, Error, ItemId, LeaveMode, Outcome, Query, Signal, UserId,
};

const ADA: UserId = UserId(1);
const BOB: UserId = UserId(2);
const NOIR: CommunityId = CommunityId(7);
const SECOND: u64 = 1_000_000_000;

fn main() -> Result<(), Error> {
    // The host's clock, in nanoseconds since 1970; the engine reads none.
    let mut now_ns = 1_700_000_000 * SECOND;
    let mut engine = Engine::new(&Config {
        origin: 42,
        ..Config::default()
    })?;
    let like = engine.kind("like").ok_or(Error::UnknownKind)?;
    for (id, category) in [(100, "crime"), (101, "crime"), (102, "comedy")] {
        engine.upsert_item(&Item {
            id: ItemId(id),
            vector: None,
            categories: vec![category.into()],
            creator: None,
            created_at_ms: None,
        })?;
    }

    // Bob is a member and likes something, so that the community has a say.
    engine.join(BOB, NOIR, None, now_ns)?;
    engine.signal(&shared(BOB, 102, like), now_ns)?;

    assert_eq!(engine.join(ADA, NOIR, None, now_ns)?, 0);
    let outcome = engine.signal(&shared(ADA, 100, like), now_ns)?;
    assert_eq!(outcome, Outcome::Recorded);
    show(&mut engine, "join", outcome, now_ns);

    now_ns += SECOND;
    let left = engine.leave(ADA, NOIR, LeaveMode::StopForward, now_ns)?;
    assert_eq!((left.epoch, left.stop_forward_at_ns), (0, now_ns));
    let outcome = engine.signal(&shared(ADA, 101, like), now_ns)?;
    assert_eq!(outcome, Outcome::Left); // It does not count,
    assert_eq!(engine.profile(ADA, now_ns).signals, 2); // and the profile learned from it.
    show(&mut engine, "leave", outcome, now_ns);

    now_ns += SECOND;
    assert_eq!(engine.rejoin(ADA, NOIR, None, now_ns)?, 1);
    let outcome = engine.signal(&shared(ADA, 100, like), now_ns)?;
    assert_eq!(outcome, Outcome::Recorded);
    show(&mut engine, "rejoin", outcome, now_ns);
    assert_eq!(engine.contributed().gated, 1); // For ever.
    Ok(())
}

/// A signal that names the community.
fn shared(user: UserId, item: u64, kind: KindId) -> Signal {
    Signal {
        community: Some(NOIR),
        ..Signal::new(user, ItemId(item), kind)
    }
}

/// A line of what the step came to, and what is best for Ada now.
fn show(engine: &mut Engine, step: &str, outcome: Outcome, now_ns: u64) {
    let result = engine.query(&Query {
        community: Some(NOIR),
        include_seen: true,
        limit: 1,
        ..Query::new(ADA, now_ns)
    });
    let (epoch, counted) = (result.stats.membership_epoch, engine.contributed().recorded);
    for best in result.items {
        println!(
            "{step:>6}: {outcome:?}, epoch {epoch:?}, {counted} counted; best is {} with {:.2} local + {:.2} community",
            best.id.0, best.local, best.community
        );
    }
}
