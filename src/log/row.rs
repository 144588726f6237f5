//! A log row: events appended in one go. Version, checksum, then postcard: what the events share is written once, so
//! that a signal takes a few bytes.
//!
//! ```text
//! version u16 LE │ CRC-32C of the rest u32 LE │ tab u64 LE │ origin u64 LE │ number │ unit │ ids │ stamps │ events
//! ```

use super::{Event, Schema, SignalEvent};
use crate::error::Error;
use crate::governance::{
    AgentId, CommunityId, ItemId, KindId, SignalProvenance, SignalScope, UserId,
};
use crate::journaled::BuildIdHasher;
use crate::signals::{Kinds, next_index};
use crate::storage::frame;
use hashbrown::HashMap;
use serde::{Deserialize, Serialize};

/// The version of log rows that is written; the third, after the two of the server that this format comes from.
pub const ROW_VERSION: u16 = 3;
const MILLISECOND_NS: u64 = 1_000_000;

/// Who appended a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowHeader {
    /// A random number that each tab draws when it opens the database.
    #[serde(with = "postcard::fixint::le")]
    pub tab: u64,
    /// The database.
    #[serde(with = "postcard::fixint::le")]
    pub origin: u64,
    /// The tab's rows are numbered, so that it finds a row of its own whose commit it did not hear of.
    pub number: u64,
}

#[derive(Debug, Serialize, Deserialize)]
struct WireRow {
    header: RowHeader,
    /// The unit of times in nanoseconds: a millisecond where all are whole ones.
    unit: u64,
    /// Users, items, communities and agents, in the order of their first use.
    ids: Vec<u64>,
    stamps: Vec<Stamp>,
    events: Vec<Wire>,
}

/// What many signals of a row share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
struct Stamp {
    layer: Option<u64>,
    community: Option<u64>,
    epoch: Option<u32>,
    policy_version: u16,
}

/// The stamp of a signal that is local, of a user who never left the community layer. It is not written.
const PLAIN: Stamp = Stamp {
    layer: Some(0),
    community: None,
    epoch: None,
    policy_version: 0,
};

#[derive(Debug, Serialize, Deserialize)]
enum Wire {
    /// A signal of a whole weight. Times and clocks are differences to the signal before.
    Signal {
        user: u32,
        item: u32,
        kind: u16,
        weight: i32,
        at: i64,
        stamp: u32,
        clock: i64,
    },
    /// A signal of any weight, or of an agent (1 + its index in `ids`).
    Weighted {
        user: u32,
        item: u32,
        kind: u16,
        weight: f64,
        at: i64,
        stamp: u32,
        clock: i64,
        agent: u32,
    },
    Other(Event),
}

/// Indices of values in the order of their first use.
struct Dictionary<K> {
    index: HashMap<K, u32, BuildIdHasher>,
    values: Vec<K>,
}

impl<K: Copy + Eq + core::hash::Hash> Dictionary<K> {
    fn new() -> Self {
        Self {
            index: HashMap::default(),
            values: Vec::new(),
        }
    }

    fn index(&mut self, value: K) -> u32 {
        *self.index.entry(value).or_insert_with(|| {
            self.values.push(value);
            next_index(self.values.len() - 1)
        })
    }
}

/// Times and clocks of the signal before, from which the next ones are counted.
#[derive(Default)]
struct Before {
    at: u64,
    clock: u64,
}

/// The events as one row.
pub(crate) fn encode_row(header: RowHeader, events: &[Event]) -> Vec<u8> {
    let whole = |event: &Event| match event {
        Event::Signal(signal) => signal.at_ns % MILLISECOND_NS == 0,
        _ => true,
    };
    let unit = if events.iter().all(whole) {
        MILLISECOND_NS
    } else {
        1
    };
    let (mut ids, mut stamps, mut before) =
        (Dictionary::new(), Dictionary::new(), Before::default());
    let events = events
        .iter()
        .map(|event| match event {
            Event::Signal(signal) => wire(signal, unit, &mut ids, &mut stamps, &mut before),
            other => Wire::Other(other.clone()),
        })
        .collect();
    let row = WireRow {
        header,
        unit,
        ids: ids.values,
        stamps: stamps.values,
        events,
    };
    let mut body = Vec::new();
    frame::put(&mut body, &row);
    let mut bytes = Vec::with_capacity(body.len() + 6);
    bytes.extend_from_slice(&ROW_VERSION.to_le_bytes());
    bytes.extend_from_slice(&frame::checksum(&body).to_le_bytes());
    bytes.append(&mut body);
    bytes
}

fn wire(
    signal: &SignalEvent,
    unit: u64,
    ids: &mut Dictionary<u64>,
    stamps: &mut Dictionary<Stamp>,
    before: &mut Before,
) -> Wire {
    let provenance = &signal.provenance;
    let stamp = Stamp {
        layer: signal.layer,
        community: provenance.scope.community().map(|community| community.0),
        epoch: provenance.membership_epoch,
        policy_version: provenance.share_policy_version,
    };
    let stamp = if stamp == PLAIN {
        0
    } else {
        stamps.index(stamp) + 1
    };
    let (user, item, kind) = (
        ids.index(signal.user.0),
        ids.index(signal.item.0),
        signal.kind.0,
    );
    let at = (signal.at_ns / unit).wrapping_sub(before.at).cast_signed();
    before.at = signal.at_ns / unit;
    let mut clock = 0;
    // Only what counts in a community has a clock.
    if provenance.scope != SignalScope::Local {
        clock = provenance.hlc.wrapping_sub(before.clock).cast_signed();
        before.clock = provenance.hlc;
    }
    match (whole_weight(signal.weight), provenance.writer_agent) {
        (Some(weight), None) => Wire::Signal {
            user,
            item,
            kind,
            weight,
            at,
            stamp,
            clock,
        },
        (_, agent) => {
            let agent = agent.map_or(0, |agent| ids.index(agent.0) + 1);
            Wire::Weighted {
                user,
                item,
                kind,
                weight: signal.weight,
                at,
                stamp,
                clock,
                agent,
            }
        }
    }
}

/// The weight as an integer, where that is exactly what it is.
fn whole_weight(weight: f64) -> Option<i32> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked by converting back"
    )]
    let whole = weight as i32;
    (f64::from(whole).to_bits() == weight.to_bits()).then_some(whole)
}

/// Reads a row back and checks every event against the schema, so that applying them cannot fail.
pub(crate) fn decode_row(
    mut bytes: &[u8],
    kinds: &Kinds,
    dimensions: u32,
) -> Result<(RowHeader, Vec<Event>), Error> {
    let version = u16::from_le_bytes(frame::take(&mut bytes).ok_or(Error::CorruptEvents)?);
    if version > ROW_VERSION {
        return Err(Error::UnsupportedVersion);
    }
    let checksum = u32::from_le_bytes(frame::take(&mut bytes).ok_or(Error::CorruptEvents)?);
    if version != ROW_VERSION || checksum != frame::checksum(bytes) {
        return Err(Error::CorruptEvents);
    }
    let row: WireRow = frame::read(bytes).ok_or(Error::CorruptEvents)?;
    let header = row.header;
    let mut schema = Schema::new(kinds, dimensions);
    events(row, &mut schema)
        .map(|events| (header, events))
        .ok_or(Error::CorruptEvents)
}

fn events(row: WireRow, schema: &mut Schema) -> Option<Vec<Event>> {
    let (unit, ids, stamps) = (row.unit, row.ids, row.stamps);
    let mut before = Before::default();
    let mut events = Vec::with_capacity(row.events.len());
    for wire in row.events {
        let (parts, weight, agent) = match wire {
            Wire::Other(event) => {
                // A signal has its own form.
                let known = !matches!(event, Event::Signal(_)) && schema.admits(&event);
                events.push(known.then_some(event)?);
                continue;
            }
            Wire::Signal {
                user,
                item,
                kind,
                weight,
                at,
                stamp,
                clock,
            } => ((user, item, kind, at, stamp, clock), f64::from(weight), 0),
            Wire::Weighted {
                user,
                item,
                kind,
                weight,
                at,
                stamp,
                clock,
                agent,
            } => ((user, item, kind, at, stamp, clock), weight, agent),
        };
        let (user, item, kind, at, stamp, clock) = parts;
        let id = |index: u32| ids.get(index as usize).copied();
        before.at = before.at.wrapping_add_signed(at);
        before.clock = before.clock.wrapping_add_signed(clock);
        let stamp = match stamp.checked_sub(1) {
            None => PLAIN,
            Some(index) => *stamps.get(index as usize)?,
        };
        let event = Event::Signal(SignalEvent {
            user: UserId(id(user)?),
            item: ItemId(id(item)?),
            kind: KindId(kind),
            weight,
            at_ns: before.at.checked_mul(unit)?,
            layer: stamp.layer,
            provenance: SignalProvenance {
                membership_epoch: stamp.epoch,
                scope: stamp.community.map_or(SignalScope::Local, |id| {
                    SignalScope::Community(CommunityId(id))
                }),
                share_policy_version: stamp.policy_version,
                origin: row.header.origin,
                // Numbered when it is applied: the place in the log is the number.
                sequence: 0,
                writer_agent: match agent.checked_sub(1) {
                    None => None,
                    Some(index) => Some(AgentId(id(index)?)),
                },
                hlc: stamp.community.map_or(0, |_| before.clock),
            },
        });
        events.push(schema.admits(&event).then_some(event)?);
    }
    Some(events)
}
