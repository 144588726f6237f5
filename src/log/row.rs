//! A log row: events appended in one go. Version, checksum, then postcard: what the events share is written once, so
//! that a signal takes a few bytes.
//!
//! ```text
//! version u16 LE │ CRC-32C of the rest u32 LE │ tab u64 LE │ origin u64 LE │ number │ unit │ ids │ items │ stamps │ events
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
    /// Users and agents, in the order of their first use.
    ids: Vec<u64>,
    /// Items, ascending, each as the difference to the one before: a hashed id takes two bytes less so.
    items: Vec<u64>,
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

/// What all signals have. Places are those in the row's lists.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Common {
    user: u32,
    item: u32,
    kind: u16,
    /// In units since the signal before.
    at: i64,
    /// Its place and one; 0 is that of a local signal.
    stamp: u32,
    /// How far the clock is from the one that could be expected.
    clock: i64,
}

/// Each weight in the shortest form that gives it back exactly.
#[derive(Debug, Serialize, Deserialize)]
enum Wire {
    Whole(Common, i32),
    /// Of a decimal fraction: 0.25 as 250.
    Thousandths(Common, i32),
    Single(Common, f32),
    /// Also of an agent: its place and one.
    Double(Common, f64, u32),
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

impl Before {
    /// The hybrid clock of a signal that happened when it was made.
    fn expected_clock(&self, at_ns: u64) -> u64 {
        ((at_ns / MILLISECOND_NS) << 16).max(self.clock.saturating_add(1))
    }
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
    let mut items: Vec<u64> = events.iter().filter_map(item).collect();
    items.sort_unstable();
    items.dedup();
    let (mut ids, mut stamps, mut before) =
        (Dictionary::new(), Dictionary::new(), Before::default());
    let events = events
        .iter()
        .map(|event| match event {
            Event::Signal(signal) => {
                let lists = (&mut ids, items.as_slice(), &mut stamps);
                wire(signal, unit, lists, &mut before)
            }
            other => Wire::Other(other.clone()),
        })
        .collect();
    for place in (1..items.len()).rev() {
        items[place] -= items[place - 1];
    }
    let row = WireRow {
        header,
        unit,
        ids: ids.values,
        items,
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

fn item(event: &Event) -> Option<u64> {
    match event {
        Event::Signal(signal) => Some(signal.item.0),
        _ => None,
    }
}

fn wire(
    signal: &SignalEvent,
    unit: u64,
    (ids, items, stamps): (&mut Dictionary<u64>, &[u64], &mut Dictionary<Stamp>),
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
    let at = (signal.at_ns / unit).wrapping_sub(before.at).cast_signed();
    before.at = signal.at_ns / unit;
    let mut clock = 0;
    // Only what counts in a community has a clock.
    if provenance.scope != SignalScope::Local {
        let expected = before.expected_clock(signal.at_ns);
        clock = provenance.hlc.wrapping_sub(expected).cast_signed();
        before.clock = provenance.hlc;
    }
    let place = items.binary_search(&signal.item.0);
    let common = Common {
        user: ids.index(signal.user.0),
        item: next_index(place.unwrap_or_else(|place| place)),
        kind: signal.kind.0,
        at,
        stamp,
        clock,
    };
    let weight = signal.weight;
    if let Some(agent) = provenance.writer_agent {
        Wire::Double(common, weight, ids.index(agent.0) + 1)
    } else if let Some(whole) = whole(weight) {
        Wire::Whole(common, whole)
    } else if let Some(thousandths) = thousandths(weight) {
        Wire::Thousandths(common, thousandths)
    } else if let Some(single) = single(weight) {
        Wire::Single(common, single)
    } else {
        Wire::Double(common, weight, 0)
    }
}

/// The decimal fraction that so many thousandths are.
fn fraction(thousandths: i32) -> f64 {
    f64::from(thousandths) / 1000.0
}

/// The weight in thousandths, where that is exactly what it is.
fn thousandths(weight: f64) -> Option<i32> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked by converting back"
    )]
    let thousandths = (weight * 1000.0).round_ties_even() as i32;
    (fraction(thousandths).to_bits() == weight.to_bits()).then_some(thousandths)
}

/// The weight in four bytes, where that is exactly what it is.
fn single(weight: f64) -> Option<f32> {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked by converting back"
    )]
    let single = weight as f32;
    (f64::from(single).to_bits() == weight.to_bits()).then_some(single)
}

/// The weight as an integer, where that is exactly what it is.
fn whole(weight: f64) -> Option<i32> {
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
    let (unit, ids, mut items, stamps) = (row.unit, row.ids, row.items, row.stamps);
    for place in 1..items.len() {
        items[place] = items[place].checked_add(items[place - 1])?;
    }
    let mut before = Before::default();
    let mut events = Vec::with_capacity(row.events.len());
    for wire in row.events {
        let (common, weight, agent) = match wire {
            Wire::Other(event) => {
                // A signal has its own form.
                let known = !matches!(event, Event::Signal(_)) && schema.admits(&event);
                events.push(known.then_some(event)?);
                continue;
            }
            Wire::Whole(common, weight) => (common, f64::from(weight), 0),
            Wire::Thousandths(common, weight) => (common, fraction(weight), 0),
            Wire::Single(common, weight) => (common, f64::from(weight), 0),
            Wire::Double(common, weight, agent) => (common, weight, agent),
        };
        let id = |place: u32| ids.get(place as usize).copied();
        before.at = before.at.wrapping_add_signed(common.at);
        let at_ns = before.at.checked_mul(unit)?;
        let stamp = common.stamp;
        let stamp = match stamp.checked_sub(1) {
            None => PLAIN,
            Some(index) => *stamps.get(index as usize)?,
        };
        if stamp.community.is_some() {
            let expected = before.expected_clock(at_ns);
            before.clock = expected.wrapping_add_signed(common.clock);
        }
        let event = Event::Signal(SignalEvent {
            user: UserId(id(common.user)?),
            item: ItemId(*items.get(common.item as usize)?),
            kind: KindId(common.kind),
            weight,
            at_ns,
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
