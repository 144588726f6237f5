//! Two databases: one with two tabs over one log, and one on another device. What they exchange is kept, so that it can
//! be delivered late, twice or not at all.

use super::consent::{Consent, Said};
use crate::targets::sound;
use tidegate::engine::{Config, Engine};
use tidegate::governance::CommunityId;

pub const COMMUNITIES: [CommunityId; 3] = [CommunityId(0), CommunityId(7), CommunityId(u64::MAX)];

pub struct Database {
    pub log: Vec<Vec<u8>>,
    pub said: Vec<Said>,
    /// The log, folded by an engine that does nothing else.
    pub fold: Engine,
}

pub struct Tab {
    pub database: usize,
    pub engine: Engine,
    pub pending: Vec<Said>,
    /// How many rows of the log are folded, and how much of what was said is in them.
    position: usize,
    heard: usize,
    rows: u64,
}

pub struct Mail {
    pub bytes: Vec<u8>,
    pub cursor: String,
}

pub struct World {
    pub databases: [Database; 2],
    pub tabs: [Tab; 3],
    pub mail: Vec<Mail>,
    pub now: u64,
    pub origins: u64,
}

impl World {
    pub fn new() -> Self {
        let engine = |origin| {
            let config = Config {
                origin,
                dimensions: 2,
                kinds: Vec::new(),
            };
            let mut engine = Engine::new(&config).expect("the default kinds");
            engine.set_outbox(true);
            engine.commit(usize::MAX);
            engine
        };
        let engines = [engine(1), engine(2)];
        let tab = |database: usize| Tab {
            database,
            engine: engines[database].clone(),
            pending: Vec::new(),
            position: 0,
            heard: 0,
            rows: 0,
        };
        Self {
            tabs: [tab(0), tab(0), tab(1)],
            databases: engines.clone().map(|fold| Database {
                log: Vec::new(),
                said: Vec::new(),
                fold,
            }),
            mail: Vec::new(),
            now: sound::NOW,
            origins: 2,
        }
    }

    /// What the users of a tab said, as far as the tab knows.
    pub fn consent(&self, tab: usize) -> Consent {
        let tab = &self.tabs[tab];
        let said = &self.databases[tab.database].said[..tab.heard];
        Consent::of(said.iter().chain(&tab.pending))
    }

    /// Folds the rows that the tab has not seen.
    pub fn catch_up(&mut self, tab: usize) {
        let tab = &mut self.tabs[tab];
        let database = &self.databases[tab.database];
        let rows: Vec<&[u8]> = database.log[tab.position..]
            .iter()
            .map(Vec::as_slice)
            .collect();
        let folded = tab.engine.catch_up(&rows);
        assert!(folded.is_ok(), "a row of another tab: {folded:?}");
        (tab.position, tab.heard) = (database.log.len(), database.said.len());
        assert!(
            tab.engine.snapshot() == database.fold.clone().snapshot(),
            "a tab at the end of the log and a fold of it differ"
        );
    }

    /// Appends what is pending; `meanwhile` happens between that and the answer.
    pub fn flush(&mut self, tab: usize, meanwhile: impl FnOnce(&mut Self)) {
        self.catch_up(tab);
        let writer = &mut self.tabs[tab];
        let count = writer.engine.pending();
        if count == 0 {
            return;
        }
        writer.rows += 1;
        let row = writer.engine.pending_row(tab as u64, writer.rows);
        let said: Vec<Said> = writer.pending.drain(..).collect();
        let database = &mut self.databases[writer.database];
        assert_eq!(database.fold.catch_up(&[&row]), Ok(count));
        database.log.push(row);
        database.said.extend(said);
        writer.heard = database.said.len();
        writer.position = database.log.len();
        meanwhile(self);
        self.tabs[tab].engine.commit(count);
        self.catch_up(tab);
    }

    /// Begins again from what is stored, with or without what is pending.
    pub fn reload(&mut self, tab: usize, restart: bool) {
        let tab = &mut self.tabs[tab];
        let database = &mut self.databases[tab.database];
        let stored = database.fold.snapshot();
        if restart {
            tab.engine = Engine::restore(&stored, None).expect("an own snapshot");
            tab.pending.clear();
        } else {
            assert_eq!(tab.engine.reload(&stored), Ok(()));
        }
        (tab.position, tab.heard) = (database.log.len(), database.said.len());
        assert!(tab.engine.snapshot() == stored, "a reload is not exact");
    }

    /// Every tab of a database goes on from a copy under a number of its own.
    pub fn copy(&mut self, database: usize) {
        self.origins += 1;
        let stored = self.databases[database].fold.snapshot();
        let copy = Engine::restore(&stored, Some(self.origins)).expect("an own snapshot");
        self.databases[database].fold = copy.clone();
        self.databases[database].log.clear();
        for tab in self.tabs.iter_mut().filter(|tab| tab.database == database) {
            tab.engine = copy.clone();
            tab.pending.clear();
            (tab.position, tab.heard) = (0, self.databases[database].said.len());
        }
    }

    /// No more counts than users said may, and nothing is open that they closed.
    pub fn assert_consent(&self, tab: usize) {
        let (engine, consent) = (&self.tabs[tab].engine, self.consent(tab));
        for community in COMMUNITIES {
            let (mass, most) = (sound::mass(engine, community), consent.most(community));
            assert!(
                mass <= most,
                "{mass} contributions count in {community:?} where at most {most} may"
            );
        }
        for (user, community, epoch) in sound::contributing(engine) {
            assert!(
                consent.is_open((user, community)),
                "{user:?} contributes to {community:?} in epoch {epoch}, having left"
            );
        }
    }
}
