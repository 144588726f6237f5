//! Counts what histories come across, so that a check which is never reached does not pass for one that holds.

use std::cell::RefCell;
use std::collections::BTreeMap;

/// How often each thing was seen.
pub type Seen = BTreeMap<&'static str, u64>;

thread_local! {
    static SEEN: RefCell<Seen> = const { RefCell::new(BTreeMap::new()) };
}

/// What the histories of a full run must have come across.
pub const ALL: [&str; 30] = [
    "a commit whose answer came late",
    "a commit whose answer was lost",
    "a flush that failed without an answer",
    "a lost commit that a compaction took away",
    "a tab left behind that reloaded with something pending",
    "a partial commit",
    "a rebase that lowered an outcome",
    "a tombstone honoured",
    "a tombstone honoured behind a row on its way",
    "a tombstone of the layer honoured",
    "a tombstone seen by a join",
    "a tombstone that has been honoured, and a gate that was opened since",
    "a row that failed, and a leave honoured behind it",
    "a leave that closes what its tab has not seen open",
    "an export of a tab behind a stored leave",
    "a leave that another tab has stored",
    "a signal of a forgotten user that fell away",
    "a kind with another number after a rebase",
    "a damaged row",
    "a snapshot kept, and folded to the end",
    "a restored copy",
    "an event exported",
    "an export after a leave that pends",
    "an import applied",
    "an import of duplicates",
    "an import with a gap",
    "an import of a stale epoch",
    "a replay of a future epoch",
    "an import gated",
    "an import of somebody unknown",
];

pub fn note(what: &'static str) {
    debug_assert!(ALL.contains(&what), "{what} is not in the list");
    SEEN.with_borrow_mut(|seen| *seen.entry(what).or_insert(0) += 1);
}

/// What this thread has seen.
pub fn take() -> Seen {
    SEEN.take()
}
