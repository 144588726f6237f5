//! Kinds are numbers in a log and names between logs: with the same numbers everywhere, events can be compared.

use tidegate::governance::{KindId, KindSet, ShareMode, SharePolicy};
use tidegate::log::{Event, EventRecord, Remote};
use tidegate::signals::Kind;

/// Kinds beside the default ones.
pub const EXTRA: [&str; 12] = [
    "clap", "wave", "nod", "boo", "grin", "yawn", "wink", "sigh", "hum", "cheer", "gasp", "shrug",
];
const DEFAULT: [&str; 9] = [
    "impression",
    "view",
    "click",
    "like",
    "save",
    "share",
    "skip",
    "dislike",
    "hide",
];

/// The one number of a kind's name.
fn number(kind: KindId, kinds: &[Kind]) -> KindId {
    let place = kinds.get(usize::from(kind.0)).and_then(|kind| {
        let mut all = DEFAULT.iter().chain(&EXTRA);
        all.position(|name| **name == kind.name)
    });
    KindId(
        place
            .and_then(|place| u16::try_from(place).ok())
            .unwrap_or(u16::MAX),
    )
}

/// The policy with other numbers for its kinds; those that have none are left out.
fn policy(policy: SharePolicy, number: impl Fn(KindId) -> Option<KindId>) -> SharePolicy {
    let mode = match policy.mode {
        ShareMode::Kinds(set) => {
            let mut numbers = KindSet::EMPTY;
            for kind in set.iter().filter_map(number) {
                numbers.insert(kind);
            }
            ShareMode::Kinds(numbers)
        }
        mode => mode,
    };
    SharePolicy { mode, ..policy }
}

/// The event with other numbers for its kinds; none where a contribution's kind has none.
pub fn renumbered(mut event: Remote, number: impl Fn(KindId) -> Option<KindId>) -> Option<Remote> {
    match &mut event {
        Remote::Contribution { kind, .. } => *kind = number(*kind)?,
        Remote::Join { policy: shared, .. } => *shared = policy(*shared, number),
        Remote::Leave { .. } => {}
    }
    Some(event)
}

pub fn remote(event: Remote, kinds: &[Kind]) -> Remote {
    renumbered(event, |kind| Some(number(kind, kinds))).unwrap_or(event)
}

/// The event with its kinds numbered alike in every database; `kinds` are those of the log that it stands in.
pub fn event(event: &Event, kinds: &[Kind]) -> Event {
    let mut event = event.clone();
    match &mut event {
        Event::Signal(signal) => signal.kind = number(signal.kind, kinds),
        Event::Join { policy: shared, .. } => {
            *shared = shared.map(|shared| policy(shared, |kind| Some(number(kind, kinds))));
        }
        Event::Replayed(record) => {
            *record = EventRecord {
                event: remote(record.event, kinds),
                ..*record
            };
        }
        _ => {}
    }
    event
}
