//! Rows of accumulators as columns, which is how a snapshot stores those of one owner.
//!
//! ```text
//! items │ shapes │ counts │ codes │ values │ unit of times │ earliest time │ times
//! ```
//!
//! Each column but the unit and the earliest time begins with how many it has; numbers are as postcard writes them.

use crate::catalogue::Items;
use crate::governance::ItemId;
use crate::order;
use crate::signals::{Kinds, Ledger, NONE, Stored};
use crate::storage::{Reader, put_varint};

/// What an owner has on one item.
pub(super) struct StoredRow {
    pub(super) item: ItemId,
    pub(super) flags: u8,
    pub(super) count: u32,
}

/// More than 2^64 signals of the largest weight add up to: sums of such sums are still finite.
const LARGEST_SUM: f64 = 1e26;
const MILLISECOND_NS: u64 = 1_000_000;
/// An owner with a row for one of so many items has them sorted by walking over all items.
const DENSE: usize = 8;

/// Writes the columns of one owner after another, and uses its memory again.
pub(super) struct ColumnWriter<'a> {
    catalogue: &'a Items,
    /// Items, ascending by id.
    order: &'a [u32],
    /// The place of each item in that order.
    ranks: Vec<u32>,
    /// By rank: the owner's row. All `NONE` between owners.
    places: Vec<u32>,
    /// Ascending: rank · 2^32 + row.
    rows: Vec<u64>,
    parts: Vec<Stored>,
    items: Vec<u8>,
    shapes: Vec<u8>,
    counts: Vec<u8>,
    codes: Vec<u8>,
    values: Vec<u8>,
    times: Vec<u64>,
}

impl<'a> ColumnWriter<'a> {
    /// Of items that have been prepared.
    pub(super) fn new(catalogue: &'a Items) -> Self {
        let order = catalogue.sorted();
        let mut ranks = vec![NONE; order.len()];
        for (rank, item) in (0..).zip(order) {
            ranks[*item as usize] = rank;
        }
        Self {
            catalogue,
            order,
            places: vec![NONE; order.len()],
            ranks,
            rows: Vec::new(),
            parts: Vec::new(),
            items: Vec::new(),
            shapes: Vec::new(),
            counts: Vec::new(),
            codes: Vec::new(),
            values: Vec::new(),
            times: Vec::new(),
        }
    }

    /// Appends the columns of an owner.
    pub(super) fn put(&mut self, ledger: &Ledger, owner: u32, counted: bool, into: &mut Vec<u8>) {
        self.sort(ledger, owner);
        let mut before = 0;
        for row in &self.rows {
            let (rank, slot) = halves(*row);
            let row = ledger.get(slot);
            let id = self.catalogue.id(self.order[rank as usize]).0;
            put_varint(&mut self.items, id.wrapping_sub(before));
            before = id;
            self.parts.clear();
            self.parts.extend(ledger.accumulators(row));
            if self.parts.len() > 1 {
                order::sort_by_key(&mut self.parts, |part| (part.kind, part.negative));
            }
            let length = self.parts.len() as u64;
            put_varint(&mut self.shapes, length << 2 | u64::from(row.flags));
            if counted {
                put_varint(&mut self.counts, row.count.into());
            }
            for part in &self.parts {
                let code = part.kind << 1 | u16::from(part.negative);
                put_varint(&mut self.codes, code.into());
                self.values.extend_from_slice(&part.value.to_le_bytes());
                self.times.push(part.time);
            }
        }
        let (rows, parts) = (self.rows.len() as u64, self.times.len() as u64);
        let counts = if counted { rows } else { 0 };
        for (column, count) in [
            (&mut self.items, rows),
            (&mut self.shapes, rows),
            (&mut self.counts, counts),
            (&mut self.codes, parts),
            (&mut self.values, parts),
        ] {
            put_varint(into, count);
            into.append(column);
        }
        self.put_times(into);
        self.rows.clear();
    }

    /// Collects the owner's rows, ascending by item.
    fn sort(&mut self, ledger: &Ledger, owner: u32) {
        let rows = ledger.rows_of(owner).map(|(slot, row)| {
            let rank = self.ranks[row.item as usize];
            u64::from(rank) << 32 | u64::from(slot)
        });
        self.rows.extend(rows);
        if self.rows.len() < self.order.len() / DENSE {
            self.rows.sort_unstable();
            return;
        }
        for row in self.rows.drain(..) {
            let (rank, slot) = halves(row);
            self.places[rank as usize] = slot;
        }
        for (rank, place) in (0_u64..).zip(&mut self.places) {
            if *place != NONE {
                self.rows.push(rank << 32 | u64::from(*place));
                *place = NONE;
            }
        }
    }

    fn put_times(&mut self, into: &mut Vec<u8>) {
        let whole = self
            .times
            .iter()
            .all(|time| milliseconds(*time).wrapping_mul(MILLISECOND_NS) == *time);
        let unit = if whole { MILLISECOND_NS } else { 1 };
        if whole {
            for time in &mut self.times {
                *time = milliseconds(*time);
            }
        }
        let earliest = self.times.iter().min().copied().unwrap_or(0);
        for number in [unit, earliest, self.times.len() as u64] {
            put_varint(into, number);
        }
        for time in self.times.drain(..) {
            put_varint(into, time - earliest);
        }
    }
}

/// The nearest whole number of milliseconds: exact for a whole one, since 2^64 ns lose less than half of one as a float. Of
/// all that is done with a time, dividing 64-bit integers is the slowest on WebAssembly.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "never negative, and near enough"
)]
fn milliseconds(time: u64) -> u64 {
    (time as f64 / MILLISECOND_NS as f64).round_ties_even() as u64
}

fn halves(row: u64) -> (u32, u32) {
    let [a, b, c, d, rest @ ..] = row.to_be_bytes();
    (u32::from_be_bytes([a, b, c, d]), u32::from_be_bytes(rest))
}

/// The columns of an owner, cut apart; what is in them is checked row by row.
pub(super) struct ColumnReader<'a> {
    /// How many rows and accumulators there are.
    pub(super) rows: usize,
    pub(super) parts: usize,
    items: Reader<'a>,
    shapes: Reader<'a>,
    /// None in a profile, which does not count by item.
    counts: Option<Reader<'a>>,
    codes: Reader<'a>,
    values: Reader<'a>,
    unit: u64,
    earliest: u64,
    /// The last time, in units, that there is in nanoseconds.
    latest: u64,
    times: Reader<'a>,
}

impl<'a> ColumnReader<'a> {
    /// From bytes that are nothing else.
    pub(super) fn new(mut bytes: Reader<'a>, counted: bool) -> Option<Self> {
        let rows = bytes.count()?;
        let items = bytes.varints(rows)?;
        let shapes = column(&mut bytes, rows)?;
        let counts = column(&mut bytes, if counted { rows } else { 0 })?;
        let parts = bytes.count()?;
        let codes = bytes.varints(parts)?;
        (bytes.count()? == parts).then_some(())?;
        let values = Reader::new(bytes.bytes(parts.checked_mul(size_of::<f64>())?)?);
        let (unit, earliest) = (bytes.varint()?, bytes.varint()?);
        let times = column(&mut bytes, parts)?;
        let sound = bytes.is_empty() && (unit == MILLISECOND_NS || unit == 1);
        sound.then(|| Self {
            rows,
            parts,
            items,
            shapes,
            counts: counted.then_some(counts),
            codes,
            values,
            unit,
            earliest,
            latest: u64::MAX / unit,
            times,
        })
    }

    /// Calls `each` with every row and its accumulators, ascending by item. None where the columns contradict each other
    /// or the schema, and then not all rows were seen.
    pub(super) fn each(
        mut self,
        kinds: &Kinds,
        mut each: impl FnMut(&StoredRow, &[Stored]),
    ) -> Option<()> {
        let kinds = kinds.list().len();
        let mut before: Option<u64> = None;
        let mut parts = Vec::new();
        for _ in 0..self.rows {
            let step = self.items.varint()?;
            let item = match before {
                None => step,
                Some(before) => before.checked_add(step).filter(|_| step > 0)?,
            };
            before = Some(item);
            let shape = self.shapes.u32()?;
            let count = match &mut self.counts {
                None => 0,
                Some(counts) => counts.u32()?,
            };
            parts.clear();
            for _ in 0..shape >> 2 {
                parts.push(self.part(kinds)?);
            }
            let codes = parts.iter().map(|part| (part.kind, part.negative));
            codes
                .is_sorted_by(|left, right| left < right)
                .then_some(())?;
            let row = StoredRow {
                item: ItemId(item),
                flags: u8::try_from(shape & 3).ok()?,
                count,
            };
            each(&row, &parts);
        }
        // All accumulators belong to a row.
        self.codes.is_empty().then_some(())
    }

    fn part(&mut self, kinds: usize) -> Option<Stored> {
        let code = u16::try_from(self.codes.varint()?).ok()?;
        let (kind, negative) = (code >> 1, code & 1 == 1);
        let value = self.values.f64()?;
        let signed = value.abs() <= LARGEST_SUM && value.is_sign_negative() == negative;
        (signed && usize::from(kind) < kinds).then_some(())?;
        let time = self.times.varint()?.checked_add(self.earliest)?;
        // Compared, because asking whether a product of 64 bits overflows takes one of 128 on WebAssembly.
        (time <= self.latest).then(|| Stored {
            kind,
            negative,
            value,
            time: time.wrapping_mul(self.unit),
        })
    }
}

/// A column of so many numbers, which says so itself.
fn column<'a>(bytes: &mut Reader<'a>, count: usize) -> Option<Reader<'a>> {
    (bytes.count()? == count).then_some(())?;
    bytes.varints(count)
}
