//! Items and their features. An item is known once it is upserted or signalled (R20).

mod stored;

use super::{Commonness, Hint, Indices, Interner, Item, MAX_DIMENSIONS, Sketch};
use crate::governance::ItemId;
use crate::journaled::BuildIdHasher;
use crate::signals::{NONE, next_index};
use hashbrown::HashMap;

/// What is kept of an item, beside its vector.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Features {
    pub(crate) categories: Indices,
    pub(crate) creator: u32,
    pub(crate) created_at_ms: Option<f64>,
    /// 1/|vector|; 0 for a vector of zeros, none without a vector.
    pub(crate) inverse_norm: Option<f64>,
    /// Where the vector is; it may be kept for the next one while there is none.
    place: u32,
    pub(crate) upserted: bool,
    /// Left out of results until the next upsert.
    pub(crate) removed: bool,
}

impl Default for Features {
    fn default() -> Self {
        Self {
            categories: Indices::default(),
            creator: NONE,
            created_at_ms: None,
            inverse_norm: None,
            place: NONE,
            upserted: false,
            removed: false,
        }
    }
}

#[derive(Debug, Clone)]
enum Undo {
    /// Boxed, since it is rare and large, and the others are many.
    Features(u32, Box<(Features, Vec<f32>)>),
    Referred(u32),
    Released(u32),
    Dimensions(u32),
}

#[derive(Debug, Clone, Default)]
pub(crate) struct Items {
    interner: Interner,
    features: Vec<Features>,
    /// Of the features of each.
    sketches: Vec<Sketch>,
    /// Whether each is known: upserted or signalled, and not removed since.
    known: Vec<bool>,
    /// How many rows of facts refer to the item.
    references: Vec<u32>,
    dimensions: u32,
    /// `dimensions` values per place. Only items that have, or had, a vector have a place: an item that was merely
    /// signalled takes none.
    vectors: Vec<f32>,
    category_index: HashMap<Box<str>, u32, BuildIdHasher>,
    categories: Vec<Box<str>>,
    /// Of the categories of all items.
    commonness: Commonness,
    creators: Interner,
    /// Counts changes of the features of items that facts refer to: what is derived from both is stale.
    version: u64,
    /// Counts changes of any item's vector or categories.
    centroid_version: u64,
    /// Ascending by id, as of the last snapshot: newer items are missing.
    order: Vec<u32>,
    encoded: stored::Encoded,
    /// How many items came first and sorted, from a snapshot.
    catalogue: usize,
    undo: Vec<Undo>,
}

impl Items {
    pub(crate) fn dimensions(&self) -> u32 {
        self.dimensions
    }

    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn centroid_version(&self) -> u64 {
        self.centroid_version
    }

    /// The number of items interned; not all are known.
    pub(crate) fn len(&self) -> usize {
        self.features.len()
    }

    pub(crate) fn find(&self, id: ItemId) -> Option<u32> {
        self.interner.find(id.0)
    }

    pub(crate) fn id(&self, item: u32) -> ItemId {
        ItemId(self.interner.id(item))
    }

    /// The index of an item; it is not known by that alone.
    #[inline]
    pub(crate) fn intern(&mut self, id: ItemId) -> u32 {
        self.intern_hinted(id, &mut Hint::default())
    }

    /// The same, without hashing where the hint is right.
    #[inline]
    pub(crate) fn intern_hinted(&mut self, id: ItemId, hint: &mut Hint) -> u32 {
        let item = self.interner.intern_hinted(id.0, hint);
        if self.features.len() <= item as usize {
            let features = Features::default();
            self.sketches.push(Sketch::of(&features, NONE));
            self.features.push(features);
            self.known.push(false);
            self.references.push(0);
        }
        item
    }

    #[inline]
    pub(crate) fn features(&self, item: u32) -> &Features {
        &self.features[item as usize]
    }

    /// The item's vector; empty where it has none.
    #[inline]
    pub(crate) fn vector(&self, item: u32) -> &[f32] {
        let features = &self.features[item as usize];
        if features.inverse_norm.is_none() {
            return &[];
        }
        let dimensions = self.dimensions as usize;
        &self.vectors[features.place as usize * dimensions..][..dimensions]
    }

    /// All vectors, `dimensions` values a place.
    pub(crate) fn vectors(&self) -> &[f32] {
        &self.vectors
    }

    pub(crate) fn sketches(&self) -> &[Sketch] {
        &self.sketches
    }

    #[inline]
    pub(crate) fn is_known(&self, item: u32) -> bool {
        self.known.get(item as usize) == Some(&true)
    }

    /// Whether each item is known, by index.
    pub(crate) fn known(&self) -> &[bool] {
        &self.known
    }

    /// Whether the item has a block of its own in a snapshot.
    pub(crate) fn is_stored(&self, item: u32) -> bool {
        let features = &self.features[item as usize];
        features.upserted || features.removed
    }

    pub(crate) fn category_name(&self, category: u32) -> &str {
        &self.categories[category as usize]
    }

    pub(crate) fn category_count(&self) -> usize {
        self.categories.len()
    }

    pub(crate) fn commonness(&self) -> &Commonness {
        &self.commonness
    }

    pub(crate) fn creator_id(&self, creator: u32) -> u64 {
        self.creators.id(creator)
    }

    pub(crate) fn creator_count(&self) -> usize {
        self.creators.len()
    }

    /// A row of facts about the item was made.
    #[inline]
    pub(crate) fn refer(&mut self, item: u32) {
        let references = &mut self.references[item as usize];
        *references = references.saturating_add(1);
        // Of what is known already, nothing else is read.
        if !self.known[item as usize] {
            self.note_known(item);
        }
        self.undo.push(Undo::Referred(item));
    }

    /// A row of facts about the item was dropped.
    pub(crate) fn release(&mut self, item: u32) {
        let references = &mut self.references[item as usize];
        *references = references.saturating_sub(1);
        self.note_known(item);
        self.undo.push(Undo::Released(item));
    }

    /// The features as an app would give them.
    pub(crate) fn item(&self, item: u32) -> Item {
        let features = self.features(item);
        Item {
            id: self.id(item),
            vector: features.inverse_norm.map(|_| self.vector(item).to_vec()),
            categories: features
                .categories
                .iter()
                .map(|category| self.category_name(*category).into())
                .collect(),
            creator: (features.creator != NONE).then(|| self.creator_id(features.creator)),
            created_at_ms: features.created_at_ms,
        }
        .canonical()
    }

    /// Whether upserting this would change something (R20). The item is canonical.
    pub(crate) fn differs(&self, item: &Item) -> bool {
        let Some(known) = self.find(item.id) else {
            return true;
        };
        if !self.features(known).upserted {
            return true;
        }
        let old = self.item(known);
        let bits = |vector: &Option<Vec<f32>>| -> Option<Vec<u32>> {
            vector
                .as_ref()
                .map(|vector| vector.iter().map(|value| value.to_bits()).collect())
        };
        bits(&old.vector) != bits(&item.vector)
            || old.categories != item.categories
            || old.creator != item.creator
            || old.created_at_ms != item.created_at_ms
    }

    /// Replaces the features of an item. A vector of another length than the database's is passed over: the doors
    /// have checked it.
    pub(crate) fn upsert(&mut self, item: &Item) {
        let index = self.intern(item.id);
        let vector = item
            .vector
            .as_deref()
            .filter(|vector| vector.len() == self.dimensions as usize);
        let features = Features {
            categories: item
                .categories
                .iter()
                .map(|category| self.intern_category(category))
                .collect(),
            creator: item
                .creator
                .map_or(NONE, |creator| self.creators.intern(creator)),
            created_at_ms: item.created_at_ms,
            inverse_norm: vector.map(inverse_norm),
            place: NONE,
            upserted: true,
            removed: false,
        };
        self.replace(index, features, vector);
    }

    /// Drops an item's features and leaves it out of results.
    pub(crate) fn remove(&mut self, id: ItemId) {
        let index = self.intern(id);
        self.replace(
            index,
            Features {
                removed: true,
                ..Features::default()
            },
            None,
        );
    }

    fn replace(&mut self, item: u32, mut features: Features, vector: Option<&[f32]>) {
        let old = self.vector(item).to_vec();
        features.place = self.features[item as usize].place;
        if features.place == NONE && vector.is_some() {
            features.place = self.next_place();
        }
        let place = features.place;
        self.commonness.enter(&features.categories);
        let features = core::mem::replace(&mut self.features[item as usize], features);
        self.commonness.leave(&features.categories);
        self.put_vector(place, vector.unwrap_or(&[]));
        self.touched(item);
        self.undo
            .push(Undo::Features(item, Box::new((features, old))));
    }

    /// The place behind the last vector.
    fn next_place(&self) -> u32 {
        let places = self.vectors.len().checked_div(self.dimensions as usize);
        next_index(places.unwrap_or(0))
    }

    /// Writes a vector to its place, which may be the next one. No vector leaves the place as it is.
    fn put_vector(&mut self, place: u32, vector: &[f32]) {
        let start = place as usize * vector.len();
        match self
            .vectors
            .get_mut(start..start.saturating_add(vector.len()))
        {
            Some(values) => values.copy_from_slice(vector),
            None => self.vectors.extend_from_slice(vector),
        }
    }

    fn note_known(&mut self, item: u32) {
        let features = &self.features[item as usize];
        self.known[item as usize] =
            !features.removed && (features.upserted || self.references[item as usize] > 0);
    }

    /// The features of an item, or where its vector is, have changed.
    fn touched(&mut self, item: u32) {
        let features = &self.features[item as usize];
        self.sketches[item as usize] = Sketch::of(features, features.place);
        self.note_known(item);
        self.centroid_version += 1;
        if self.references[item as usize] > 0 {
            self.version += 1;
        }
    }

    fn intern_category(&mut self, name: &str) -> u32 {
        if let Some(category) = self.category_index.get(name) {
            return *category;
        }
        let category = next_index(self.categories.len());
        self.category_index.insert(name.into(), category);
        self.categories.push(name.into());
        category
    }

    /// Fixes the length of vectors; a database that has one keeps it.
    pub(crate) fn set_dimensions(&mut self, dimensions: u32) {
        if self.dimensions == 0 && dimensions <= MAX_DIMENSIONS && dimensions != 0 {
            self.undo.push(Undo::Dimensions(self.dimensions));
            self.dimensions = dimensions;
        }
    }

    pub(crate) fn commit(&mut self) {
        self.interner.commit();
        self.undo.clear();
    }

    pub(crate) fn undo(&mut self) {
        while let Some(entry) = self.undo.pop() {
            match entry {
                Undo::Features(item, old) => {
                    let (features, vector) = *old;
                    let place = features.place;
                    self.commonness.enter(&features.categories);
                    let new = core::mem::replace(&mut self.features[item as usize], features);
                    self.commonness.leave(&new.categories);
                    if place == NONE && new.place != NONE {
                        // It was the newest place then, and so it is now.
                        let dimensions = self.dimensions as usize;
                        self.vectors.truncate(new.place as usize * dimensions);
                    }
                    self.put_vector(place, &vector);
                    self.touched(item);
                }
                Undo::Referred(item) => {
                    self.references[item as usize] -= 1;
                    self.note_known(item);
                }
                Undo::Released(item) => {
                    self.references[item as usize] += 1;
                    self.note_known(item);
                }
                Undo::Dimensions(dimensions) => {
                    self.dimensions = dimensions;
                }
            }
        }
        self.interner.undo();
        self.features.truncate(self.interner.len());
        self.sketches.truncate(self.interner.len());
        self.known.truncate(self.interner.len());
        self.references.truncate(self.interner.len());
        if self.order.len() > self.len() {
            let kept = next_index(self.len());
            self.order.retain(|item| *item < kept);
        }
    }
}

fn inverse_norm(vector: &[f32]) -> f64 {
    // Squares of f32 stay far inside the range of f64, so no scaling is needed. Four sums, since an addition waits for the
    // one before it.
    let (parts, rest) = vector.as_chunks::<4>();
    let square = |value: f32| f64::from(value) * f64::from(value);
    let mut sums = [0.0; 4];
    for part in parts {
        for (sum, value) in sums.iter_mut().zip(part) {
            *sum += square(*value);
        }
    }
    let rest: f64 = rest.iter().map(|value| square(*value)).sum();
    let square = (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest;
    if square > 0.0 {
        1.0 / square.sqrt()
    } else {
        0.0
    }
}
