//! Tombstones: leaves that are written down where a page can write at once, and tabs that honour them (R10).

use crate::disk::Disk;
use crate::ensure;
use crate::failure::Check;
use crate::made::{is_contribution, is_same};
use crate::random::Random;
use crate::seen;
use crate::tab::Tab;
use std::collections::BTreeMap;
use tidegate::engine::Tombstone;
use tidegate::governance::{CommunityId, MembershipStatus, SignalScope, UserId};
use tidegate::log::Event;

/// Who left, and which community; none for the layer.
pub type Leaver = (UserId, Option<CommunityId>);

/// What is written down of a leave.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Written {
    pub at: u64,
    pub mark: u64,
    /// Whether its tab had seen the gate closed already.
    pub again: bool,
}

/// What all pages of an origin can read at once.
#[derive(Debug, Clone, Default)]
pub struct Tombstones {
    /// Each tab has one for each leaver.
    standing: BTreeMap<(Leaver, u64), Written>,
    /// The last ones that were removed: some pages see that late, and after a crash they may be back.
    removed: BTreeMap<(Leaver, u64), Written>,
    /// So many rows a tab must have folded to know of the leaves that are stored and not written down any more.
    pub fence: usize,
}

impl Tombstones {
    pub fn write(&mut self, leaver: Leaver, tab: u64, written: Written) {
        self.standing.insert((leaver, tab), written);
    }

    /// Of one leaver.
    pub fn of(&self, leaver: Leaver) -> Vec<Written> {
        let all = self.standing.iter().filter(|((of, _), _)| *of == leaver);
        all.map(|(_, written)| *written).collect()
    }

    pub fn leavers(&self) -> impl Iterator<Item = &Leaver> {
        self.standing.keys().map(|(leaver, _)| leaver)
    }

    /// Removes exactly these: those of later leaves stay.
    pub fn remove(&mut self, read: &[(Leaver, Written)]) {
        let gone =
            |(leaver, _): &(Leaver, u64), written: &Written| read.contains(&(*leaver, *written));
        for (key, written) in &self.standing {
            if gone(key, written) {
                self.removed.insert(*key, *written);
            }
        }
        self.standing.retain(|key, written| !gone(key, written));
    }

    /// What a page reads.
    pub fn read(&self, random: &mut Random) -> Vec<(Leaver, Written)> {
        let mut read = self.standing.clone();
        if random.percent(10) {
            for (key, written) in &self.removed {
                read.entry(*key).or_insert(*written);
            }
        }
        read.into_iter()
            .map(|((leaver, _), written)| (leaver, written))
            .collect()
    }
}

impl Tab {
    /// Reads tombstones, and leaves what they say was left.
    pub fn honour(&mut self, read: &[(Leaver, Written)], disk: &Disk) -> Check {
        for (leaver, written) in read {
            self.honour_one(*leaver, *written, disk)?;
        }
        Ok(())
    }

    /// The same for one that is read by who opens the gate again: its leave is in the log then.
    pub fn recall(&mut self, leaver: Leaver, written: Written, disk: &Disk) -> Check {
        seen::note("a tombstone seen by a join");
        let (sent, over) = (self.sent_events(), self.is_over(leaver, written, disk));
        self.engine.recall(&tombstone(leaver, written), sent);
        ensure!(
            self.is_over(leaver, written, disk),
            "R10: a tombstone of {leaver:?} was recalled, and its leave is not logged"
        );
        self.has_honoured(leaver, written, !over, sent)
    }

    fn honour_one(&mut self, leaver: Leaver, written: Written, disk: &Disk) -> Check {
        let (sent, before) = (self.sent_events(), self.engine.pending());
        let (over, open) = (self.is_over(leaver, written, disk), self.is_open(leaver));
        if over && open {
            seen::note("a tombstone that has been honoured, and a gate that was opened since");
        }
        let closed = self.engine.honour(&tombstone(leaver, written), sent);
        ensure!(
            closed == (open && !over),
            "R10: a tombstone of {leaver:?} closed {closed}; open {open}, over {over}"
        );
        let logged = !over && self.has_row(leaver) && (open || !written.again);
        ensure!(
            !logged || self.is_over(leaver, written, disk),
            "R10: a tombstone of {leaver:?} was honoured, and its leave is not logged"
        );
        ensure!(
            logged || self.engine.pending() == before,
            "R10: a tombstone of {leaver:?} was over, and made an event"
        );
        ensure!(
            over || !self.is_open(leaver),
            "R10: a tombstone of {leaver:?} was read and the gate is open"
        );
        if closed {
            seen::note(match (sent > 0, leaver.1) {
                (true, _) => "a tombstone honoured behind a row on its way",
                (false, Some(_)) => "a tombstone honoured",
                (false, None) => "a tombstone of the layer honoured",
            });
            match leaver.1 {
                Some(community) => drop(self.closed.insert((leaver.0, community))),
                None => drop(self.layer_closed.insert(leaver.0)),
            }
        }
        self.has_honoured(leaver, written, logged, sent)
    }

    fn has_honoured(
        &mut self,
        leaver: Leaver,
        written: Written,
        logged: bool,
        sent: usize,
    ) -> Check {
        if logged {
            self.nothing_counts(leaver, sent, self.pending().len())?;
            if sent > 0 {
                self.behind.push((leaver, written.mark));
            }
        }
        self.insert_leaves(leaver)
    }

    /// Whether a leave is in the log already, as far as this tab can know.
    fn is_over(&self, leaver: Leaver, written: Written, disk: &Disk) -> bool {
        let stored = disk.states[self.position].left.get(&leaver);
        let mut marks = stored.cloned().unwrap_or_default();
        for (_, mark) in self
            .pending()
            .iter()
            .filter_map(marked)
            .filter(|(of, _)| *of == leaver)
        {
            marks.push(mark);
        }
        marks.has(written.mark)
    }

    /// A row is known not to be stored: what it held of those whose leaves were honoured meanwhile counts no more.
    pub fn row_failed(&mut self) -> Check {
        self.engine.row_failed();
        for (leaver, mark) in std::mem::take(&mut self.behind) {
            let pending = self.pending();
            let mut leaves = pending.iter();
            if let Some(place) = leaves.position(|event| marked(event) == Some((leaver, mark))) {
                seen::note("a row that failed, and a leave honoured behind it");
                self.nothing_counts(leaver, 0, place)?;
            }
        }
        Ok(())
    }

    /// Of what is pending between two places nothing is a contribution of the leaver's.
    fn nothing_counts(&self, leaver: Leaver, from: usize, to: usize) -> Check {
        let counts = |event: &Event| {
            matches!(event, Event::Signal(signal) if signal.user == leaver.0 && match leaver.1 {
                Some(community) => signal.provenance.scope == SignalScope::Community(community),
                None => signal.layer.is_some() || is_contribution(event),
            })
        };
        ensure!(
            !self.pending()[from..to].iter().any(counts),
            "R10: a tombstone of {leaver:?} was read, and contributions still pend"
        );
        Ok(())
    }

    /// Whether the leaver is known here. If not, what they left may be on its way into the log, and its tombstone stays.
    pub fn has_row(&self, (user, community): Leaver) -> bool {
        community.is_none_or(|community| self.engine.membership(user, community).is_some())
    }

    fn is_open(&self, (user, community): Leaver) -> bool {
        match community {
            Some(community) => {
                let row = self.engine.membership(user, community);
                row.is_some_and(|row| row.stop_forward_at_ns.is_none())
            }
            None => self.engine.community_layer_status(user).status == MembershipStatus::Active,
        }
    }

    /// A leave that was honoured stands somewhere among what is pending; all else is as it was.
    fn insert_leaves(&mut self, leaver: Leaver) -> Check {
        let mut known = std::mem::take(&mut self.made).into_iter().peekable();
        for now in self.pending_made() {
            if let Some(made) = known.next_if(|made| is_same(&made.event, &now.event)) {
                self.made.push(made);
            } else {
                ensure!(
                    marked(&now.event).is_some_and(|(of, _)| of == leaver),
                    "honouring a leave made {:?}",
                    now.event
                );
                self.made.push(now);
            }
        }
        let gone = known.next();
        ensure!(gone.is_none(), "honouring a leave took {gone:?}");
        Ok(())
    }
}

fn tombstone((user, community): Leaver, written: Written) -> Tombstone {
    let Written { at, mark, again } = written;
    Tombstone {
        user,
        community,
        at_ns: at,
        mark,
        again,
    }
}

/// Who leaves by an event, and the mark of its tombstone.
pub fn marked(event: &Event) -> Option<(Leaver, u64)> {
    match event {
        Event::Leave {
            user,
            community,
            mark,
            ..
        } => Some(((*user, Some(*community)), *mark)),
        Event::LayerLeave { user, mark, .. } => Some(((*user, None), *mark)),
        _ => None,
    }
}
