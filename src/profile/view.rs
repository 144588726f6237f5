//! Views of a profile: affinities to categories and creators, and the preference vector. They are derived from the
//! facts and the features of items, kept up to date signal by signal once somebody asks, and never stored.

use super::{LocalSignal, Marks, Profiles};
use crate::catalogue::Items;
use crate::signals::{Decay, Kinds, NONE, Stored};

/// A pair of sums over accumulators as of one time: the signed and the absolute one.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Decayed {
    pub(crate) sum: f64,
    pub(crate) evidence: f64,
}

impl Decayed {
    fn of(value: f64) -> Self {
        Self {
            sum: value,
            evidence: value.abs(),
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, value: f64) {
        self.join(Self::of(value));
    }

    #[inline]
    fn join(&mut self, other: Self) {
        self.sum += other.sum;
        self.evidence += other.evidence;
    }

    /// The mean sentiment, pulled to 0 by as much neutral weight as `prior`: little evidence has little say.
    #[inline]
    pub(crate) fn shrunk(self, prior: f64) -> f64 {
        self.sum / (self.evidence + prior)
    }
}

/// Means of the vectors of each category's items; they stand in for items that have no vector.
#[derive(Debug, Clone, Default)]
pub(crate) struct Centroids {
    version: Option<u64>,
    /// `dimensions` values per category.
    means: Vec<f64>,
}

impl Centroids {
    fn refresh(&mut self, items: &Items) {
        if self.version == Some(items.centroid_version()) {
            return;
        }
        self.version = Some(items.centroid_version());
        let dimensions = items.dimensions() as usize;
        self.means.clear();
        self.means.resize(items.category_count() * dimensions, 0.0);
        let mut counts = vec![0_u32; items.category_count()];
        for item in 0..crate::signals::next_index(items.len()) {
            let features = items.features(item);
            if features.inverse_norm.is_none() {
                continue;
            }
            for category in &features.categories {
                counts[*category as usize] += 1;
                let mean = &mut self.means[*category as usize * dimensions..][..dimensions];
                for (mean, value) in mean.iter_mut().zip(items.vector(item)) {
                    *mean += f64::from(*value);
                }
            }
        }
        for (category, count) in counts.iter().enumerate().filter(|(_, count)| **count > 1) {
            for mean in &mut self.means[category * dimensions..][..dimensions] {
                *mean /= f64::from(*count);
            }
        }
    }

    fn of(&self, category: usize, dimensions: usize) -> &[f64] {
        self.means
            .get(category * dimensions..)
            .and_then(|means| means.get(..dimensions))
            .unwrap_or(&[])
    }
}

/// Sums of all accumulators of one half-life, as of one time.
#[derive(Debug, Clone, Default)]
struct Class {
    time: u64,
    /// Absolute weight of everything.
    evidence: f64,
    categories: Vec<Decayed>,
    creators: Vec<Decayed>,
    /// Blend of the vectors of items that have one.
    vector: Vec<f64>,
    /// Weight on each category through items that have no vector.
    stand_ins: Vec<f64>,
}

impl Class {
    fn scale(&mut self, factor: f64) {
        self.evidence *= factor;
        for part in self.categories.iter_mut().chain(&mut self.creators) {
            part.sum *= factor;
            part.evidence *= factor;
        }
        for value in self.vector.iter_mut().chain(&mut self.stand_ins) {
            *value *= factor;
        }
    }

    /// Adds values on an item as of the class's time.
    fn add(&mut self, item: u32, values: Decayed, items: &Items) {
        self.evidence += values.evidence;
        let features = items.features(item);
        if features.creator != NONE {
            slot(&mut self.creators, features.creator).join(values);
        }
        for category in &features.categories {
            slot(&mut self.categories, *category).join(values);
        }
        if features.inverse_norm.is_some() {
            self.vector.resize(items.dimensions() as usize, 0.0);
            for (sum, part) in self.vector.iter_mut().zip(items.vector(item)) {
                *sum += values.sum * f64::from(*part);
            }
        } else if !features.categories.is_empty() {
            #[expect(clippy::cast_precision_loss, reason = "an item has few categories")]
            let share = values.sum / features.categories.len() as f64;
            for category in &features.categories {
                *slot(&mut self.stand_ins, *category) += share;
            }
        }
    }
}

/// The place of a dense index, made where there is none.
fn slot<T: Clone + Default>(values: &mut Vec<T>, index: u32) -> &mut T {
    if values.len() <= index as usize {
        values.resize(index as usize + 1, T::default());
    }
    &mut values[index as usize]
}

/// Past so many signals a view is built anew when it is next read.
const MOST_BEHIND: usize = 4_096;

/// What a view is derived from.
pub(crate) struct Facts<'a> {
    pub(crate) user: u32,
    pub(crate) profiles: &'a Profiles,
    pub(crate) items: &'a Items,
    pub(crate) kinds: &'a Kinds,
    /// Another one: what a view has followed is no longer what the facts are.
    pub(crate) version: (u64, u64),
}

impl Facts<'_> {
    /// Every item that the user has a row on, and the accumulators of that.
    fn rows(&self) -> impl Iterator<Item = (u32, impl Iterator<Item = Stored>)> {
        let ledger = &self.profiles.ledger;
        let rows = ledger.rows_of(self.user);
        rows.map(move |(_, row)| (row.item, ledger.accumulators(row)))
    }
}

/// One user's view, as of the facts that it has followed.
#[derive(Debug, Clone, Default)]
pub(crate) struct ProfileView {
    /// One per distinct half-life.
    classes: Vec<Class>,
    /// The version of the facts that it follows; none while nobody has asked for it.
    version: Option<(u64, u64)>,
    /// Signals that came since it was last read.
    behind: Vec<LocalSignal>,
    /// Empty where nobody asks.
    pub(crate) marks: Box<Marks>,
}

/// A view as of one time.
#[derive(Debug, Clone, Default)]
pub(crate) struct Affinities {
    pub(crate) categories: Vec<Decayed>,
    pub(crate) creators: Vec<Decayed>,
    /// Of length 1; empty where there is none.
    pub(crate) preference: Vec<f64>,
    /// Absolute weight of all the user's signals.
    pub(crate) evidence: f64,
}

impl ProfileView {
    /// Follows one more signal of the user: it is added when the view is next read. A view that nobody reads, or that
    /// has fallen far behind, is cheaper built anew.
    #[inline]
    pub(crate) fn follow(&mut self, signal: LocalSignal, flags: u8, version: (u64, u64)) {
        self.marks.follow(signal.item, flags);
        if self.version != Some(version) || signal.weight == 0.0 {
            return;
        }
        if self.behind.len() < MOST_BEHIND {
            self.behind.push(signal);
        } else {
            self.version = None;
            self.behind = Vec::new();
        }
    }

    /// Moves every class on to the newest of these times, so that adding to it never scales it again.
    fn advance(
        &mut self,
        times: impl Iterator<Item = (u16, u64)>,
        kinds: &Kinds,
        decay: &mut Decay,
    ) {
        self.classes
            .resize(kinds.class_half_lives().len(), Class::default());
        let mut newest: Vec<u64> = self.classes.iter().map(|class| class.time).collect();
        for (kind, time) in times {
            if let Some(newest) = newest.get_mut(kinds.class(kind)) {
                *newest = time.max(*newest);
            }
        }
        for ((class, newest), half_life) in self
            .classes
            .iter_mut()
            .zip(newest)
            .zip(kinds.class_half_lives())
        {
            class.scale(decay.factor(newest - class.time, *half_life));
            class.time = newest;
        }
    }

    fn rebuild(&mut self, facts: &Facts, decay: &mut Decay) {
        self.classes.clear();
        self.behind.clear();
        let times = facts.rows().flat_map(|(_, parts)| parts);
        self.advance(times.map(|part| (part.kind, part.time)), facts.kinds, decay);
        // What one item has in a class is summed before, since adding an item takes longer than reading an accumulator.
        let mut sums = vec![Decayed::default(); self.classes.len()];
        for (item, parts) in facts.rows() {
            for part in parts {
                let class = facts.kinds.class(part.kind);
                if let (Some(sums), Some(class)) = (sums.get_mut(class), self.classes.get(class)) {
                    let half_life = facts.kinds.half_life_ns(part.kind);
                    let elapsed = class.time.saturating_sub(part.time);
                    sums.add(part.value * decay.factor(elapsed, half_life));
                }
            }
            for (class, sums) in self.classes.iter_mut().zip(&mut sums) {
                let values = core::mem::take(sums);
                if values != Decayed::default() {
                    class.add(item, values, facts.items);
                }
            }
        }
        self.version = Some(facts.version);
    }

    fn catch_up(&mut self, facts: &Facts, decay: &mut Decay) {
        let mut behind = core::mem::take(&mut self.behind);
        self.advance(
            behind.iter().map(|signal| (signal.kind, signal.at)),
            facts.kinds,
            decay,
        );
        for signal in behind.drain(..) {
            if let Some(class) = self.classes.get_mut(facts.kinds.class(signal.kind)) {
                let half_life = facts.kinds.half_life_ns(signal.kind);
                let elapsed = class.time.saturating_sub(signal.at);
                let value = signal.weight * decay.factor(elapsed, half_life);
                class.add(signal.item, Decayed::of(value), facts.items);
            }
        }
        self.behind = behind;
    }

    /// The affinities as of `at`.
    pub(crate) fn affinities(
        &mut self,
        facts: &Facts,
        at: u64,
        centroids: &mut Centroids,
        decay: &mut Decay,
    ) -> Affinities {
        if self.version == Some(facts.version) {
            self.catch_up(facts, decay);
        } else {
            self.rebuild(facts, decay);
        }
        let mut sums = Class::default();
        if self.classes.iter().all(|class| at >= class.time) {
            for (class, half_life) in self.classes.iter().zip(facts.kinds.class_half_lives()) {
                sums.merge(class, decay.factor(at - class.time, *half_life));
            }
        } else {
            // Before the newest signal not everything has decayed alike: every accumulator as of `at`.
            for (item, parts) in facts.rows() {
                let mut values = Decayed::default();
                for part in parts {
                    let half_life = facts.kinds.half_life_ns(part.kind);
                    values.add(decay.read(part.value, part.time, half_life, at));
                }
                sums.add(item, values, facts.items);
            }
        }
        let preference = sums.preference(facts.items, centroids);
        Affinities {
            categories: sums.categories,
            creators: sums.creators,
            preference,
            evidence: sums.evidence,
        }
    }
}

impl Class {
    fn merge(&mut self, other: &Self, factor: f64) {
        self.evidence += other.evidence * factor;
        let pairs = [
            (&mut self.categories, &other.categories),
            (&mut self.creators, &other.creators),
        ];
        for (into, from) in pairs {
            into.resize(into.len().max(from.len()), Decayed::default());
            for (into, from) in into.iter_mut().zip(from) {
                into.sum += from.sum * factor;
                into.evidence += from.evidence * factor;
            }
        }
        let pairs = [
            (&mut self.vector, &other.vector),
            (&mut self.stand_ins, &other.stand_ins),
        ];
        for (into, from) in pairs {
            into.resize(into.len().max(from.len()), 0.0);
            for (into, from) in into.iter_mut().zip(from) {
                *into += from * factor;
            }
        }
    }

    /// The blend of vectors, normalised; empty where there is nothing to point at.
    fn preference(&mut self, items: &Items, centroids: &mut Centroids) -> Vec<f64> {
        let dimensions = items.dimensions() as usize;
        let mut blend = core::mem::take(&mut self.vector);
        blend.resize(dimensions, 0.0);
        if self.stand_ins.iter().any(|weight| *weight != 0.0) {
            centroids.refresh(items);
            for (category, weight) in self.stand_ins.iter().enumerate() {
                for (sum, part) in blend.iter_mut().zip(centroids.of(category, dimensions)) {
                    *sum += weight * part;
                }
            }
        }
        normalise(&mut blend);
        blend
    }
}

/// Scales a vector to length 1, or empties it where that has no meaning.
fn normalise(vector: &mut Vec<f64>) {
    // Dividing by the largest part first keeps the squares of tiny and of huge parts in range.
    let largest = vector
        .iter()
        .fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if !(largest > 0.0 && largest.is_finite()) {
        vector.clear();
        return;
    }
    for value in &mut *vector {
        *value /= largest;
    }
    let length = vector.iter().map(|value| value * value).sum::<f64>().sqrt();
    for value in vector {
        *value /= length;
    }
}
