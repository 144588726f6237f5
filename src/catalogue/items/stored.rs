//! The catalogue as one block of a snapshot: features in columns, ascending by id, and behind them all vectors as they lie
//! in memory.
//!
//! ```text
//! ids │ flags │ names │ categories │ creators │ creator of each │ times │ vectors
//! ```

use super::{Features, Items, MAX_CATEGORY, inverse_norm};
use crate::signals::{NONE, next_index};
use crate::storage::{Floats, Reader, put_varint};

/// What an item's flags say that it has.
const REMOVED: u8 = 1;
const CREATOR: u8 = 2;
const TIME: u8 = 4;
const VECTOR: u8 = 8;

impl Items {
    /// Brings the order by id up to date.
    pub(crate) fn sort(&mut self) {
        if self.order.len() < self.len() {
            self.order
                .extend(next_index(self.order.len())..next_index(self.features.len()));
            // Stable sorts make short work of what is sorted already, which all but the newest items are.
            let interner = &self.interner;
            self.order.sort_by_key(|item| interner.id(*item));
        }
    }

    /// Every item that was interned, stored or not, ascending by id: as of the last sorting.
    pub(crate) fn sorted(&self) -> &[u32] {
        &self.order
    }

    pub(crate) fn any_stored(&self) -> bool {
        self.order.iter().any(|item| self.is_stored(*item))
    }

    /// The stored items, ascending by id: as of the last sorting.
    fn stored(&self) -> impl Iterator<Item = (u64, &Features)> {
        let stored = self.order.iter().filter(|item| self.is_stored(**item));
        stored.map(|item| (self.interner.id(*item), self.features(*item)))
    }

    /// Appends the features of all stored items, which have been sorted; their vectors come behind them.
    pub(crate) fn put_stored(&self, into: &mut Vec<u8>) -> Floats<'_> {
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
        put_varint(into, count);
        into.append(&mut ids);
        into.append(&mut flags);
        put_varint(into, names.len() as u64);
        for name in names {
            put_varint(into, name.len() as u64);
            into.extend_from_slice(name.as_bytes());
        }
        into.append(&mut numbers);
        into.append(&mut categories);
        put_varint(into, creators.len() as u64);
        before = 0;
        for creator in creators {
            put_varint(into, creator.wrapping_sub(before));
            before = creator;
        }
        into.append(&mut makers);
        into.append(&mut times);
        let kept = self
            .checksum
            .filter(|(_, version)| *version == self.centroid_version);
        Floats {
            runs: self.runs(),
            checksum: kept.map(|(checksum, _)| checksum),
        }
    }

    /// Keeps the checksum of all vectors, which takes long to compute, for as long as no item changes.
    pub(crate) fn keep_checksum(&mut self, checksum: u32) {
        self.checksum = Some((checksum, self.centroid_version));
    }

    /// The vectors of the stored items: one run where they lie in order.
    fn runs(&self) -> Vec<&[f32]> {
        let dimensions = self.dimensions as usize;
        let mut places: Vec<core::ops::Range<usize>> = Vec::new();
        let with_vector = self
            .stored()
            .filter(|(_, features)| features.inverse_norm.is_some());
        for (_, features) in with_vector {
            let start = features.place as usize * dimensions;
            match places.last_mut() {
                Some(last) if last.end == start => last.end += dimensions,
                _ => places.push(start..start + dimensions),
            }
        }
        places
            .into_iter()
            .map(|place| &self.vectors[place])
            .collect()
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
    places.sort_unstable_by_key(|place| key(*place));
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

    fn load_ids(&mut self, mut ids: Reader, count: usize) -> Option<()> {
        self.interner.reserve(count);
        let mut before = None;
        for _ in 0..count {
            let id = above(before, ids.varint()?)?;
            self.interner.intern(id);
            before = Some(id);
        }
        self.references.resize(count, 0);
        self.order.extend(0..next_index(count));
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
        let mut before = None;
        self.creators.reserve(count);
        for _ in 0..count {
            let creator = above(before, bytes.varint()?)?;
            self.creators.intern(creator);
            before = Some(creator);
        }
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
            self.features.push(features);
        }
        // What nobody has would not be written.
        used_names
            .iter()
            .chain(&used_creators)
            .all(|used| *used)
            .then_some(())
    }

    fn load_vectors(&mut self, bytes: Reader) -> Option<()> {
        let dimensions = self.dimensions as usize;
        let places = self
            .features
            .iter_mut()
            .filter(|features| features.place != NONE);
        let vectors = bytes.rest();
        let (values, rest) = vectors.as_chunks();
        self.vectors.reserve_exact(values.len());
        self.vectors
            .extend(values.iter().map(|value| f32::from_le_bytes(*value)));
        let mut vectors = self.vectors.chunks_exact(dimensions.max(1));
        for features in places {
            let vector = vectors.next().filter(|_| dimensions > 0)?;
            let norm = inverse_norm(vector);
            // Only zeros, and what is no number, have no length.
            (norm > 0.0 || vector.iter().all(|value| value.is_finite())).then_some(())?;
            features.inverse_norm = Some(norm);
        }
        self.centroid_version += 1;
        let whole = vectors.next().is_none() && vectors.remainder().is_empty() && rest.is_empty();
        whole.then_some(())
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
