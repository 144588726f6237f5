//! State is a fold over a log. Two hosts share one log, here a list of byte rows: `cargo run --example fold_a_log`.

use tidegate::{CommunityId, Config, Engine, Error, ItemId, LeaveMode, Outcome, Signal, UserId};

const ADA: UserId = UserId(1);
const NOIR: CommunityId = CommunityId(7);
const NOW_NS: u64 = 1_700_000_000_000_000_000;

/// A host: an engine, and how far it has folded the log. The log's order is the truth.
struct Host {
    engine: Engine,
    name: u64,
    folded: usize,
}

impl Host {
    /// Begins with an empty database and folds what there is.
    fn open(name: u64, log: &[Vec<u8>]) -> Result<Self, Error> {
        let engine = Engine::new(&Config {
            origin: name, // Names the database where the log is empty; else that is named already.
            ..Config::default()
        })?;
        let mut host = Self {
            engine,
            name,
            folded: 0,
        };
        host.catch_up(log)?;
        Ok(host)
    }

    /// Folds the rows of others; what is pending here passes the gate again on top of them.
    fn catch_up(&mut self, log: &[Vec<u8>]) -> Result<(), Error> {
        let rows: Vec<&[u8]> = log.iter().skip(self.folded).map(Vec::as_slice).collect();
        self.engine.catch_up(&rows)?;
        self.folded = log.len();
        Ok(())
    }

    /// Appends what is pending as one row. A host with a disk does this in one transaction, and commits when it is complete.
    fn flush(&mut self, log: &mut Vec<Vec<u8>>) -> Result<(), Error> {
        self.catch_up(log)?;
        let pending = self.engine.pending();
        if pending > 0 {
            log.push(self.engine.pending_row(self.name, log.len() as u64));
            self.folded = log.len();
            self.engine.commit(pending);
        }
        Ok(())
    }
}

fn main() -> Result<(), Error> {
    let mut log = Vec::new();
    let mut desk = Host::open(1, &log)?;
    desk.engine.join(ADA, NOIR, None, NOW_NS)?;
    desk.flush(&mut log)?;

    let mut sofa = Host::open(2, &log)?;
    let like = sofa.engine.kind("like").ok_or(Error::UnknownKind)?;
    let signal = Signal {
        community: Some(NOIR),
        ..Signal::new(ADA, ItemId(100), like)
    };

    // Ada leaves at her desk. The sofa has not heard of it, and counts a signal that it has not stored yet.
    desk.engine
        .leave(ADA, NOIR, LeaveMode::StopForward, NOW_NS)?;
    desk.flush(&mut log)?;
    assert_eq!(sofa.engine.signal(&signal, NOW_NS)?, Outcome::Recorded);

    // Before it is stored it passes the gate again. It is in her profile, and in no community.
    sofa.flush(&mut log)?;
    assert_eq!(sofa.engine.profile(ADA, NOW_NS).signals, 1);
    assert!(sofa.engine.community_mass(NOIR).is_empty());

    // Whoever folds the log has the same bytes: the desk, and somebody who begins at its first row.
    desk.catch_up(&log)?;
    let mut third = Host::open(3, &log)?;
    let bytes = desk.engine.snapshot();
    assert_eq!(bytes, sofa.engine.snapshot());
    assert_eq!(bytes, third.engine.snapshot());
    let sizes: Vec<usize> = log.iter().map(Vec::len).collect();
    println!(
        "rows of {sizes:?} bytes fold into {} bytes, three times",
        bytes.len()
    );

    // A snapshot stands for the rows that were folded into it; what comes later is folded on top.
    let mut restored = Engine::restore(&bytes, None)?;
    restored.rejoin(ADA, NOIR, None, NOW_NS)?;
    assert_eq!(restored.signal(&signal, NOW_NS)?, Outcome::Recorded);
    assert_eq!(restored.membership_epoch(ADA, NOIR), Some(1));
    Ok(())
}
