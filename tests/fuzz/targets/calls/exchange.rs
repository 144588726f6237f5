//! What goes from one engine to another.

use super::bytes::Bytes;
use super::consent::Said;
use super::steps::{self, USERS};
use super::world::{Mail, World};
use crate::targets::sound;
use tidegate::Error;
use tidegate::engine::{Config, Engine};
use tidegate::governance::{ItemId, KindId, Outcome, SharePolicy, SignalProvenance, SignalScope};
use tidegate::log::{Event, EventRecord, Remote};

pub fn go(world: &mut World, tab: usize, choice: u8, bytes: &mut Bytes) -> Result<(), Error> {
    match choice {
        21 => world.catch_up(tab),
        22..=24 => {
            let busy = bytes.bool();
            world.flush(tab, |world| {
                if busy {
                    let _ = steps::signal(world, tab, bytes);
                }
            });
        }
        25 => match bytes.byte() % 4 {
            0 => world.reload(tab, false),
            1 => world.reload(tab, true),
            2 => {
                world.tabs[tab].engine.undo();
                world.tabs[tab].pending.clear();
            }
            _ => world.copy(world.tabs[tab].database),
        },
        26 | 27 => return export(world, tab, bytes),
        28 | 29 => return import(world, tab, bytes),
        30 => {
            if bytes.below(8) == 0 {
                world.tabs[tab].engine.set_outbox(bytes.bool());
                return Ok(());
            }
            let Some(place) = some_mail(world, bytes) else {
                return Ok(());
            };
            let cursor = world.mail[place].cursor.clone();
            return world.tabs[tab].engine.acknowledge(&cursor);
        }
        _ => return replay(world, tab, bytes),
    }
    Ok(())
}

fn some_mail(world: &World, bytes: &mut Bytes) -> Option<usize> {
    // The newest first.
    let back = bytes.below(world.mail.len()) + 1;
    world.mail.len().checked_sub(back)
}

fn export(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let some = [bytes.community()];
    let communities = bytes.bool().then_some(&some[..]);
    let since = bytes.bool().then(|| some_mail(world, bytes)).flatten();
    let since = since.map(|place| world.mail[place].cursor.clone());
    let engine = &mut world.tabs[tab].engine;
    let before = sound::state(engine);
    let exported = engine.export(communities, since.as_deref());
    assert!(
        sound::state(engine) == before,
        "an export changed something"
    );
    let (bytes, cursor) = exported?;
    assert_nothing_of_leavers(world, tab, &bytes);
    world.mail.push(Mail { bytes, cursor });
    Ok(())
}

/// What a tab would tell other devices now has nothing of those who have left (R12), even before that is stored.
pub fn assert_leavers_are_silent(world: &World, tab: usize) {
    let engine = &world.tabs[tab].engine;
    let (bytes, _) = engine.export(None, None).expect("an export of all");
    assert_nothing_of_leavers(world, tab, &bytes);
}

fn assert_nothing_of_leavers(world: &World, tab: usize, export: &[u8]) {
    let config = Config {
        origin: u64::MAX,
        ..Config::default()
    };
    let mut reader = Engine::new(&config).expect("the default kinds");
    // An export of what came after something else cannot be read alone.
    if reader.import(export, world.now).is_err() {
        return;
    }
    let consent = world.consent(tab);
    let (_, events) = reader
        .read_row(&reader.pending_row(1, 1))
        .expect("an own row");
    for event in events {
        if let Event::Replayed(record) = event
            && let Remote::Contribution { user, .. } = record.event
            && let Some(community) = record.event.community()
        {
            assert!(
                consent.is_open((user, community)),
                "it tells of {user:?}, who has left: {record:?}"
            );
        }
    }
}

fn import(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let Some(place) = some_mail(world, bytes) else {
        return Ok(());
    };
    let (now, mail) = (world.now, &world.mail[place]);
    let tab = &mut world.tabs[tab];
    let contributing = sound::contributing(&tab.engine);
    let report = tab.engine.import(&mail.bytes, now)?;
    for row in sound::contributing(&tab.engine) {
        assert!(contributing.contains(&row), "an import opened {row:?}");
    }
    // Under rows that come before it, more of it may count than does now.
    let most = report.applied + report.stale_epoch + report.future_epoch;
    let most = most + report.gated + report.not_member;
    tab.pending.push(Said::Imported(most));
    let again = tab.engine.import(&mail.bytes, now)?;
    let new = again.applied + again.stale_epoch + again.future_epoch + again.gated;
    assert_eq!(new + again.not_member, 0, "{again:?}");
    Ok(())
}

fn replay(world: &mut World, tab: usize, bytes: &mut Bytes) -> Result<(), Error> {
    let user = bytes.pick(&USERS);
    let community = bytes.community();
    let epoch = bytes.pick(&[0, 1, 2, 3, u32::MAX]);
    let at_ns = world.now + u64::from(bytes.byte());
    let event = match bytes.byte() % 4 {
        0 => Remote::Leave {
            user,
            community,
            epoch,
            at_ns,
        },
        1 => Remote::Join {
            user,
            community,
            epoch,
            policy: SharePolicy::default(),
            at_ns,
        },
        _ => Remote::Contribution {
            user,
            item: ItemId(bytes.byte().into()),
            kind: KindId(bytes.pick(&[0, 1, 3, 100])),
            weight: bytes.pick(&[1.0, -1.0, 1e9]),
            at_ns,
            provenance: SignalProvenance {
                membership_epoch: bytes.maybe(&[epoch, 0]),
                scope: SignalScope::Community(community),
                share_policy_version: 1,
                origin: 1000,
                sequence: 0,
                writer_agent: None,
                hlc: 0,
            },
        },
    };
    let record = EventRecord {
        origin: bytes.pick(&[1000, 1001, 1, 2]),
        sequence: bytes.byte().into(),
        event,
    };
    let engine = &mut world.tabs[tab].engine;
    sound::replay(engine, &record)?;
    let again = engine.replay(&record);
    assert_eq!(again, Ok(Outcome::Duplicate));
    world.tabs[tab].pending.push(Said::Imported(1));
    Ok(())
}
