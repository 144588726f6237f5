//! The catalogue as one block of a snapshot: features in columns, ascending by id, and behind them all vectors as they lie
//! in memory.
//!
//! ```text
//! ids │ flags │ names │ categories │ creators │ creator of each │ times │ vectors
//! ```

use super::{Features, Items, inverse_norm};
use crate::catalogue::{MAX_CATEGORY, Sketch};
use crate::governance::ItemId;
use crate::order;
use crate::signals::{NONE, next_index};
use crate::storage::{Kept, Reader, checksum, floats, joined, put_varint, read_floats};
use core::ops::Range;
use std::borrow::Cow;

/// What an item's flags say that it has.
const REMOVED: u8 = 1;
const CREATOR: u8 = 2;
const TIME: u8 = 4;
const VECTOR: u8 = 8;

/// The catalogue as it was written last. An app's items seldom change, and encoding all of them takes longer than the rest
/// of a snapshot; some 20 bytes an item are what it costs to keep them, vectors apart.
#[derive(Debug, Clone, Default)]
pub(super) struct Encoded {
    /// The version of the items; never that of items that have not been encoded.
    version: Option<u64>,
    features: Vec<u8>,
    /// Where the vectors are: one run where they lie in order.
    runs: Vec<Range<usize>>,
    checksum: u32,
}

/// More runs than so many are copied together first.
const FEW: usize = 16;

impl Items {
    /// Brings the order by id and the encoded catalogue up to date.
    pub(crate) fn prepare(&mut self) {
        if self.order.len() < self.len() {
            self.order = self.merged();
        }
        if self.encoded.version != Some(self.centroid_version) {
            self.encoded = self.encode();
        }
    }

    /// The order by id, with the items that are new since.
    fn merged(&self) -> Vec<u32> {
        let (old, first) = (&self.order, next_index(self.order.len()));
        let newest = first..next_index(self.features.len());
        let ids = newest.map(|item| (self.interner.id(item), 0, 0, 0));
        let mut order = Vec::with_capacity(self.features.len());
        let mut rest = old.iter().copied().peekable();
        for item in (order::places(ids).into_iter()).map(|place| first + next_index(place)) {
            let id = self.interner.id(item);
            while let Some(before) = rest.next_if(|old| self.interner.id(*old) < id) {
                order.push(before);
            }
            order.push(item);
        }
        order.extend(rest);
        order
    }

    /// Every item that was interned, stored or not, ascending by id. Prepared before.
    pub(crate) fn sorted(&self) -> &[u32] {
        &self.order
    }

    /// The block of all stored items, prepared before. None where there are none.
    pub(crate) fn kept(&self) -> Option<Kept<'_>> {
        let mut pieces = vec![Cow::Borrowed(self.encoded.features.as_slice())];
        pieces.extend(self.pieces(&self.encoded.runs));
        (!self.encoded.features.is_empty()).then_some(Kept {
            pieces,
            checksum: self.encoded.checksum,
        })
    }

    fn pieces(&self, runs: &[Range<usize>]) -> Vec<Cow<'_, [u8]>> {
        let pieces = runs.iter().map(|run| floats(&self.vectors[run.clone()]));
        if runs.len() <= FEW {
            return pieces.collect();
        }
        let length: usize = runs.iter().map(ExactSizeIterator::len).sum();
        let mut joint = Vec::with_capacity(length * size_of::<f32>());
        pieces.for_each(|piece| joint.extend_from_slice(&piece));
        vec![Cow::Owned(joint)]
    }

    fn encode(&self) -> Encoded {
        let (features, runs) = if self.order.iter().any(|item| self.is_stored(*item)) {
            (self.encode_features(), self.runs())
        } else {
            Default::default()
        };
        let whole = checksum(&features);
        let checksum = self.pieces(&runs).iter().fold(whole, |whole, piece| {
            joined(whole, checksum(piece), piece.len() as u64)
        });
        Encoded {
            version: Some(self.centroid_version),
            features,
            runs,
            checksum,
        }
    }

    /// The stored items, ascending by id: prepared before.
    fn stored(&self) -> impl Iterator<Item = (u64, &Features)> {
        let stored = self.order.iter().filter(|item| self.is_stored(**item));
        stored.map(|item| (self.interner.id(*item), self.features(*item)))
    }

    fn encode_features(&self) -> Vec<u8> {
        let (names, places) = self.used_names();
        let (creators, creator_places) = self.used_creators();
        let mut count = 0_u64;
        let (mut ids, mut flags, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        let (mut categories, mut makers, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = 0;
        for (id, features) in self.stored() {
            count += 1;
            put_varint(&mut ids, id.wrapping_sub(before));
            before = id;
            let mut has = if features.removed { REMOVED } else { 0 };
            put_varint(&mut numbers, features.categories.len() as u64);
            for category in &features.categories {
                put_varint(&mut categories, places[*category as usize].into());
            }
            if features.creator != NONE {
                has |= CREATOR;
                put_varint(
                    &mut makers,
                    creator_places[features.creator as usize].into(),
                );
            }
            if let Some(time) = features.created_at_ms {
                has |= TIME;
                times.extend_from_slice(&time.to_le_bytes());
            }
            if features.inverse_norm.is_some() {
                has |= VECTOR;
            }
            flags.push(has);
        }
        let mut into = Vec::new();
        put_varint(&mut into, count);
        into.append(&mut ids);
        into.append(&mut flags);
        put_varint(&mut into, names.len() as u64);
        for name in names {
            put_varint(&mut into, name.len() as u64);
            into.extend_from_slice(name.as_bytes());
        }
        into.append(&mut numbers);
        into.append(&mut categories);
        put_varint(&mut into, creators.len() as u64);
        before = 0;
        for creator in creators {
            put_varint(&mut into, creator.wrapping_sub(before));
            before = creator;
        }
        into.append(&mut makers);
        into.append(&mut times);
        into
    }

    /// Where the vectors of the stored items are.
    fn runs(&self) -> Vec<Range<usize>> {
        let dimensions = self.dimensions as usize;
        let mut runs: Vec<Range<usize>> = Vec::new();
        let with_vector = self
            .stored()
            .filter(|(_, features)| features.inverse_norm.is_some());
        for (_, features) in with_vector {
            let start = features.place as usize * dimensions;
            match runs.last_mut() {
                Some(last) if last.end == start => last.end += dimensions,
                _ => runs.push(start..start + dimensions),
            }
        }
        runs
    }

    /// The names of categories that stored items have, ascending, and the place there of each category.
    fn used_names(&self) -> (Vec<&str>, Vec<u32>) {
        let mut used = vec![false; self.categories.len()];
        for (_, features) in self.stored() {
            for category in &features.categories {
                used[*category as usize] = true;
            }
        }
        let places = sorted(&used, |category| self.category_name(category));
        let names = places.iter().map(|category| self.category_name(*category));
        (names.collect(), inverse(&places, used.len()))
    }

    fn used_creators(&self) -> (Vec<u64>, Vec<u32>) {
        let mut used = vec![false; self.creators.len()];
        for (_, features) in self.stored() {
            if let Some(used) = used.get_mut(features.creator as usize) {
                *used = true;
            }
        }
        let places = sorted(&used, |creator| self.creators.id(creator));
        let ids = places.iter().map(|creator| self.creators.id(*creator));
        (ids.collect(), inverse(&places, used.len()))
    }
}

/// The used ones, ascending by key.
fn sorted<K: Ord>(used: &[bool], key: impl Fn(u32) -> K) -> Vec<u32> {
    let mut places: Vec<u32> = (0..)
        .zip(used)
        .filter(|(_, used)| **used)
        .map(|(place, _)| place)
        .collect();
    order::sort_by_key(&mut places, |place| key(*place));
    places
}

/// Where each of so many is in the order.
fn inverse(order: &[u32], length: usize) -> Vec<u32> {
    let mut places = vec![NONE; length];
    for (place, of) in (0..).zip(order) {
        places[*of as usize] = place;
    }
    places
}

/// Reading. Everything is checked, so that no other bytes stand for the same items.
impl Items {
    /// Fills an empty catalogue, whose dimensions are set; none where the bytes make no sense. What was read by then stays,
    /// and is dropped with the state that was to be.
    pub(crate) fn load_stored(&mut self, bytes: &[u8]) -> Option<()> {
        let mut bytes = Reader::new(bytes);
        let count = bytes
            .count()
            .filter(|count| *count > 0 && self.len() == 0)?;
        self.load_ids(bytes.varints(count)?, count)?;
        let flags = bytes.bytes(count)?;
        let names = self.load_names(&mut bytes)?;
        let numbers = bytes.varints(count)?;
        let total = sum(numbers, count).filter(|total| *total <= bytes.length())?;
        let categories = bytes.varints(total)?;
        let creators = self.load_creators(&mut bytes)?;
        let makers = bytes.varints(having(flags, CREATOR))?;
        let times = Reader::new(bytes.bytes(having(flags, TIME).checked_mul(size_of::<f64>())?)?);
        let columns = (flags, numbers, categories, makers, times);
        self.load_features(columns, (names, creators))?;
        self.load_vectors(bytes)
    }

    /// Interns an item while ids come in ascending order: `from` is where the last one was. What the catalogue has is found
    /// close by, without the hash table.
    pub(crate) fn intern_from(&mut self, from: &mut usize, id: ItemId) -> u32 {
        let ids = self
            .interner
            .ids()
            .get(*from..self.catalogue)
            .unwrap_or(&[]);
        let mut reach = 1;
        while ids.get(reach - 1).is_some_and(|known| *known < id.0) {
            reach *= 2;
        }
        let near = &ids[(reach / 2).min(ids.len())..reach.min(ids.len())];
        let found = *from + reach / 2 + near.partition_point(|known| *known < id.0);
        *from = found.min(self.catalogue);
        match self.interner.ids().get(found) {
            Some(known) if *known == id.0 && found < self.catalogue => next_index(found),
            _ => self.intern(id),
        }
    }

    fn load_ids(&mut self, mut ids: Reader, count: usize) -> Option<()> {
        let mut list: Vec<u64> = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(above(list.last().copied(), ids.varint()?)?);
        }
        self.interner.load(list);
        self.references.resize(count, 0);
        self.order.extend(0..next_index(count));
        self.catalogue = count;
        Some(())
    }

    /// The number of names.
    fn load_names(&mut self, bytes: &mut Reader) -> Option<usize> {
        let count = bytes.count()?;
        let mut before = None;
        for _ in 0..count {
            let length = bytes.count()?;
            let name = core::str::from_utf8(bytes.bytes(length)?).ok()?;
            let sound = !name.is_empty() && name.len() <= MAX_CATEGORY && before < Some(name);
            sound.then(|| self.intern_category(name))?;
            before = Some(name);
        }
        Some(count)
    }

    fn load_creators(&mut self, bytes: &mut Reader) -> Option<usize> {
        let count = bytes.count()?;
        let mut list: Vec<u64> = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(above(list.last().copied(), bytes.varint()?)?);
        }
        self.creators.load(list);
        Some(count)
    }

    fn load_features(
        &mut self,
        (flags, mut numbers, mut categories, mut makers, mut times): (
            &[u8],
            Reader,
            Reader,
            Reader,
            Reader,
        ),
        (names, creators): (usize, usize),
    ) -> Option<()> {
        let (mut used_names, mut used_creators) = (vec![false; names], vec![false; creators]);
        self.features.reserve_exact(flags.len());
        let mut place = 0;
        for has in flags {
            let mut features = Features {
                upserted: *has & REMOVED == 0,
                removed: *has & REMOVED != 0,
                ..Features::default()
            };
            let number = numbers.u32()?;
            let bare = *has == REMOVED && number == 0;
            (bare || (features.upserted && *has <= CREATOR | TIME | VECTOR)).then_some(())?;
            features.categories = (0..number)
                .map(|_| {
                    let category = categories.u32()?;
                    *used_names.get_mut(category as usize)? = true;
                    Some(category)
                })
                .collect::<Option<_>>()?;
            features
                .categories
                .is_sorted_by(|left, right| left < right)
                .then_some(())?;
            if *has & CREATOR != 0 {
                features.creator = makers.u32()?;
                *used_creators.get_mut(features.creator as usize)? = true;
            }
            if *has & TIME != 0 {
                // Negative zero has another form.
                let sound = |time: &f64| time.is_finite() && time.to_bits() != (-0.0_f64).to_bits();
                features.created_at_ms = Some(times.f64().filter(sound)?);
            }
            if *has & VECTOR != 0 {
                features.place = place;
                place += 1;
            }
            self.commonness.enter(&features.categories);
            self.features.push(features);
        }
        // What nobody has would not be written.
        used_names
            .iter()
            .chain(&used_creators)
            .all(|used| *used)
            .then_some(())
    }

    fn load_vectors(&mut self, mut bytes: Reader) -> Option<()> {
        let dimensions = self.dimensions as usize;
        let length = dimensions.checked_mul(size_of::<f32>())?;
        self.vectors
            .reserve_exact(bytes.length() / size_of::<f32>());
        self.sketches.reserve_exact(self.features.len());
        self.known.reserve_exact(self.features.len());
        for features in &mut self.features {
            if features.place != NONE {
                let start = self.vectors.len();
                (dimensions > 0).then_some(())?;
                self.vectors.extend(read_floats(bytes.bytes(length)?));
                let vector = self.vectors.get(start..)?;
                let norm = inverse_norm(vector);
                // Only zeros, and what is no number, have no length.
                (norm > 0.0 || vector.iter().all(|value| value.is_finite())).then_some(())?;
                features.inverse_norm = Some(norm);
            }
            self.known.push(features.upserted);
            self.sketches.push(Sketch::of(features, features.place));
        }
        self.centroid_version += 1;
        bytes.is_empty().then_some(())
    }
}

/// How many items have it.
fn having(flags: &[u8], flag: u8) -> usize {
    flags.iter().filter(|flags| **flags & flag != 0).count()
}

/// The next of ascending ids, each written as the difference to the one before.
fn above(before: Option<u64>, step: u64) -> Option<u64> {
    match before {
        None => Some(step),
        Some(before) => before.checked_add(step).filter(|_| step > 0),
    }
}

fn sum(mut numbers: Reader, count: usize) -> Option<usize> {
    (0..count).try_fold(0_usize, |sum, _| {
        sum.checked_add(usize::try_from(numbers.varint()?).ok()?)
    })
}
