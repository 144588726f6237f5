//! Rows of accumulators as columns, which is how a snapshot stores those of one owner.

use crate::governance::ItemId;
use crate::signals::{Kinds, Ledger, Row, Stored};
use core::ops::Range;
use serde::{Deserialize, Serialize};

/// Rows of accumulators in columns, ascending by item.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Columns {
    /// Item ids, each as the difference to the one before.
    items: Vec<u64>,
    /// Per item: 4 · number of accumulators + flags.
    shapes: Vec<u32>,
    /// Per item: how many signals were counted. Empty in a profile, which does not count by item.
    counts: Vec<u32>,
    /// Per accumulator: 2 · kind + 1 where it is the negative one. Ascending within an item.
    codes: Vec<u16>,
    values: Vec<f64>,
    /// The unit of times in nanoseconds: a millisecond where all are whole ones.
    unit: u64,
    /// The earliest time, in units; the others are counted from it.
    earliest: u64,
    times: Vec<u64>,
}

/// The rows of columns, with all their accumulators side by side.
pub(super) struct StoredRows {
    rows: Vec<StoredRow>,
    parts: Vec<Stored>,
}

/// What an owner has on one item.
pub(super) struct StoredRow {
    pub(super) item: ItemId,
    pub(super) flags: u8,
    pub(super) count: u32,
    parts: Range<usize>,
}

/// More than 2^64 signals of the largest weight add up to: sums of such sums are still finite.
const LARGEST_SUM: f64 = 1e26;
const MILLISECOND_NS: u64 = 1_000_000;

impl Columns {
    pub(super) fn of<'a>(
        ledger: &'a Ledger,
        owner: u32,
        id: impl Fn(u32) -> ItemId,
        counted: bool,
    ) -> Self {
        let mut rows: Vec<(ItemId, &'a Row)> = ledger
            .rows_of(owner)
            .map(|(_, row)| (id(row.item), row))
            .collect();
        rows.sort_unstable_by_key(|(item, _)| *item);
        let mut columns = Self::default();
        let mut before = 0;
        for (item, row) in rows {
            columns.items.push(item.0.wrapping_sub(before));
            before = item.0;
            let mut parts: Vec<_> = ledger.accumulators(row).collect();
            parts.sort_unstable_by_key(|part| (part.kind, part.negative));
            let length = u32::try_from(parts.len()).unwrap_or(0);
            columns.shapes.push(length << 2 | u32::from(row.flags));
            if counted {
                columns.counts.push(row.count);
            }
            for part in parts {
                columns
                    .codes
                    .push(part.kind << 1 | u16::from(part.negative));
                columns.values.push(part.value);
                columns.times.push(part.time);
            }
        }
        let whole = columns.times.iter().all(|time| time % MILLISECOND_NS == 0);
        columns.unit = if whole { MILLISECOND_NS } else { 1 };
        columns.earliest = columns
            .times
            .iter()
            .min()
            .map_or(0, |time| time / columns.unit);
        for time in &mut columns.times {
            *time = *time / columns.unit - columns.earliest;
        }
        columns
    }

    /// The rows, checked. None where the columns contradict each other or the schema.
    pub(super) fn rows(&self, kinds: &Kinds, counted: bool) -> Option<StoredRows> {
        let counts = if counted { self.items.len() } else { 0 };
        let shaped = self.items.len() == self.shapes.len() && self.counts.len() == counts;
        let timed = self.codes.len() == self.values.len() && self.codes.len() == self.times.len();
        let total: u64 = self.shapes.iter().map(|shape| u64::from(shape >> 2)).sum();
        let whole = total == self.codes.len() as u64;
        if !(shaped && timed && whole && (self.unit == MILLISECOND_NS || self.unit == 1)) {
            return None;
        }
        let columns = self.codes.iter().zip(&self.values).zip(&self.times);
        let parts = columns.map(|((code, value), time)| self.part(*code, *value, *time, kinds));
        let parts: Vec<Stored> = parts.collect::<Option<_>>()?;
        let mut rows = Vec::with_capacity(self.items.len());
        let mut before: Option<u64> = None;
        let mut start = 0;
        for (index, (step, shape)) in self.items.iter().zip(&self.shapes).enumerate() {
            let item = match before {
                None => *step,
                Some(before) => before.checked_add(*step).filter(|item| *item > before)?,
            };
            before = Some(item);
            let end = start + (shape >> 2) as usize;
            let codes = parts
                .get(start..end)?
                .iter()
                .map(|part| (part.kind, part.negative));
            codes
                .is_sorted_by(|left, right| left < right)
                .then_some(())?;
            rows.push(StoredRow {
                item: ItemId(item),
                flags: u8::try_from(shape & 3).ok()?,
                count: self.counts.get(index).copied().unwrap_or(0),
                parts: start..end,
            });
            start = end;
        }
        Some(StoredRows { rows, parts })
    }

    fn part(&self, code: u16, value: f64, time: u64, kinds: &Kinds) -> Option<Stored> {
        let (kind, negative) = (code >> 1, code & 1 == 1);
        let signed = value.abs() <= LARGEST_SUM && value.is_sign_negative() == negative;
        (signed && usize::from(kind) < kinds.list().len()).then_some(())?;
        let time = time.checked_add(self.earliest)?.checked_mul(self.unit)?;
        Some(Stored {
            kind,
            negative,
            value,
            time,
        })
    }
}

impl StoredRows {
    /// Each row with its accumulators, ascending by item.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&StoredRow, &[Stored])> {
        let parts = |row: &StoredRow| self.parts.get(row.parts.clone()).unwrap_or(&[]);
        self.rows.iter().map(move |row| (row, parts(row)))
    }
}
