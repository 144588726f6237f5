//! One database: what its origin has stored, its tabs, and what was sent to it from elsewhere.

use crate::checks;
use crate::disk::Disk;
use crate::ensure;
use crate::failure::{Check, Failure};
use crate::operations::DIMENSIONS;
use crate::random::Random;
use crate::referee::{Member, Pair};
use crate::seen;
use crate::signals::extra_kind;
use crate::tab::Tab;
use crate::write_loop::Ending;
use std::collections::BTreeSet;
use tidegate::engine::{Config, Engine};
use tidegate::governance::UserId;
use tidegate::log::Event;

pub struct Database {
    pub disk: Disk,
    pub tabs: Vec<Tab>,
    /// Which app it is of.
    app: usize,
    /// Whether the app opens it with an outbox.
    pub outbox: bool,
    pub most_tabs: usize,
    /// Exports that hosts have brought here, of other databases and of this one.
    pub inbox: Vec<Vec<u8>>,
    /// Cursors of exports, and how many rows had been folded for each.
    pub cursors: Vec<(usize, String)>,
    /// Snapshots that somebody kept, by how many rows they stand for.
    kept: Vec<(usize, Vec<u8>)>,
    /// Who left and did not join since, in the order of the calls: in the end they must have left.
    pub must_stay_closed: BTreeSet<Pair>,
    pub layer_must_stay_closed: BTreeSet<UserId>,
}

impl Database {
    pub fn new(app: usize, most_tabs: usize, outbox: bool) -> Self {
        Self {
            disk: Disk::new(),
            tabs: Vec::new(),
            app,
            outbox,
            most_tabs,
            inbox: Vec::new(),
            cursors: Vec::new(),
            kept: Vec::new(),
            must_stay_closed: BTreeSet::new(),
            layer_must_stay_closed: BTreeSet::new(),
        }
    }

    /// Somebody restores what a tab shows under another name.
    pub fn copy(&self, tab: &mut Tab, origin: u64) -> Self {
        seen::note("a restored copy");
        Self {
            disk: self.disk.copy(&tab.engine.snapshot(), tab.position, origin),
            ..Self::new(self.app, 1, self.outbox)
        }
    }

    /// A page opens the database.
    pub fn open(&mut self, random: &mut Random) -> Check {
        if self.tabs.len() >= self.most_tabs {
            return Ok(());
        }
        let kinds: Vec<_> = (0..random.below(3))
            .map(|_| extra_kind(self.app, random))
            .collect();
        let stored = self.disk.open();
        let found = stored.is_some();
        let config = Config {
            origin: random.next(),
            dimensions: DIMENSIONS,
            kinds: kinds.clone(),
        };
        let Ok(engine) = stored.map_or_else(|| Engine::new(&config), Ok) else {
            // The app contradicts itself.
            return Ok(());
        };
        let mut tab = Tab::new(engine, random.next(), self.disk.position);
        let seconds = random.below(120).cast_signed() - 60;
        tab.skew = if random.percent(30) {
            seconds * 1_000_000_000
        } else {
            0
        };
        tab.opening = true;
        if found {
            tab.catch_up(&mut self.disk, random)?;
            // Where it contradicts the stored kinds, `open` rejects and there is no tab (R19).
            if tab.engine.open_schema(DIMENSIONS, &kinds).is_err() {
                return Ok(());
            }
            tab.honour(&self.disk.tombstones.read(random), &self.disk)?;
        }
        // Seldom, a page of another version of the app is opened.
        tab.engine.set_outbox(self.outbox != random.percent(15));
        tab.note()?;
        self.tabs.push(tab);
        Ok(())
    }

    /// A leave has returned in some tab. No other may undo it but by a join that is called later, or one that was
    /// pending at that time and is appended later: the order of the log is the truth (R11).
    pub fn left(&mut self, pair: Pair) {
        let joins = |event: &Event| matches!(event, Event::Join { user, community, .. } if (*user, *community) == pair);
        if !self.is_pending(joins) {
            self.must_stay_closed.insert(pair);
        }
    }

    /// Whether the log says that somebody contributes.
    pub fn is_open(&self, pair: Pair) -> bool {
        let member = self.disk.end().members.get(&pair);
        member.is_some_and(Member::contributes)
    }

    pub fn left_layer(&mut self, who: UserId) {
        if !self
            .is_pending(|event| matches!(event, Event::LayerRejoin { user, .. } if *user == who))
        {
            self.layer_must_stay_closed.insert(who);
        }
    }

    /// Whether another tab has made something that is not in the log. The calling tab is not among `tabs`.
    fn is_pending(&self, which: impl Fn(&Event) -> bool) -> bool {
        let mut made = self.tabs.iter().flat_map(|tab| &tab.made);
        made.any(|made| !made.stored && which(&made.event))
    }

    /// A tab writes the snapshot of what it has folded, unless the disk has a newer one.
    pub fn compact(&mut self, tab: &mut Tab) {
        if tab.position > self.disk.position {
            let snapshot = tab.engine.snapshot();
            self.disk.compact(snapshot, tab.position);
        }
    }

    /// Somebody keeps a snapshot.
    pub fn keep(&mut self, tab: &mut Tab) {
        if tab.position > 0 {
            self.kept.push((tab.position, tab.engine.snapshot()));
        }
    }

    /// Every tab flushes and catches up, more are opened, and all must agree: with each other, with a fold of the log
    /// from the start and from every kept snapshot, and with the rules.
    pub fn settle(&mut self, random: &mut Random) -> Check {
        self.most_tabs = self.tabs.len() + 2;
        self.open(random)?;
        for _ in 0..2 {
            let mut tabs = std::mem::take(&mut self.tabs);
            for tab in &mut tabs {
                tab.flush(&mut self.disk, Ending::Completes, random)?;
            }
            self.tabs = tabs;
            // A tab that read the log only now takes the place of one that wrote it.
            self.open(random)?;
        }
        for tab in &mut self.tabs {
            tab.flush(&mut self.disk, Ending::Completes, random)?;
        }
        let bytes = self.disk.fold.clone().snapshot();
        for tab in &mut self.tabs {
            tab.catch_up(&mut self.disk, random)?;
            ensure!(
                tab.engine.pending() == 0 && tab.made.is_empty(),
                "flushed, and {:?} pends",
                tab.pending()
            );
            checks::tab(tab, &self.disk)?;
            ensure!(tab.engine.snapshot() == bytes, "tabs differ in the end");
        }
        let mut restored =
            Engine::restore(&bytes, None).map_err(|error| Failure(format!("restore: {error}")))?;
        ensure!(
            restored.snapshot() == bytes,
            "a snapshot read and written differs"
        );
        checks::engine(&mut restored, self.disk.end())?;
        for (position, snapshot) in &self.kept {
            let mut old = Engine::restore(snapshot, None)
                .map_err(|error| Failure(format!("restore: {error}")))?;
            seen::note("a snapshot kept, and folded to the end");
            let folded = old.catch_up(&self.disk.rows_from(*position));
            ensure!(
                folded.is_ok() && old.snapshot() == bytes,
                "an old snapshot and the rows since come to something else"
            );
        }
        self.disk.nothing_counts_after_a_leave()?;
        self.nobody_is_back()
    }

    fn nobody_is_back(&self) -> Check {
        let state = self.disk.end();
        for pair in &self.must_stay_closed {
            let open = state.members.get(pair).is_some_and(Member::contributes);
            ensure!(
                !open,
                "R10: {pair:?} left, did not join since, and is a member"
            );
        }
        for user in &self.layer_must_stay_closed {
            ensure!(
                state.layer(*user).left,
                "R10: {user:?} left the layer, did not come back, and is in it"
            );
        }
        for (user, community) in self.disk.tombstones.leavers() {
            let open = match community {
                Some(community) => state
                    .members
                    .get(&(*user, *community))
                    .is_some_and(Member::contributes),
                None => !state.layer(*user).left,
            };
            ensure!(
                !open,
                "R10: a tombstone of {user:?}, {community:?} stands and the gate is open"
            );
        }
        Ok(())
    }
}
