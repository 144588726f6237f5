//! The reference model: what it reads out. Everything is summed afresh from the list of signals, with the standard
//! library's own `exp2`, so that no mistake of an incremental view or of the bundled one can hide here.

use std::collections::BTreeMap;

use crate::reference::{Event, Item, Model, State};

const DAYS_30_MS: f64 = 30.0 * 86_400_000.0;

/// A signed sum and the sum of the sizes of what went into it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    pub signed: f64,
    pub evidence: f64,
}

impl Sum {
    fn of(values: impl Iterator<Item = f64>) -> Self {
        values.fold(Self::default(), |sum, value| Self {
            signed: sum.signed + value,
            evidence: sum.evidence + value.abs(),
        })
    }

    fn shrunk(self, kappa: f64) -> f64 {
        self.signed / (self.evidence + kappa)
    }
}

/// What an accumulator reads at the time of the question.
struct Reading {
    item: u64,
    value: f64,
    /// Decayed so far that it is zero, however one computes it.
    gone: bool,
}

/// The preference vector, and whether its direction is beyond what sixteen digits can tell: it is a difference of
/// nearly equal vectors, or so small that its square underflows.
#[derive(Clone, Debug, PartialEq)]
pub struct Preference {
    pub direction: Option<Vec<f64>>,
    pub doubtful: bool,
}

#[derive(Clone, Debug)]
pub struct Profile {
    pub signals: u64,
    pub seen: usize,
    pub hidden: Vec<u64>,
    pub items: BTreeMap<u64, Sum>,
    pub categories: BTreeMap<String, Sum>,
    pub creators: BTreeMap<u64, Sum>,
    pub preference: Preference,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    pub user: u64,
    pub community: Option<u64>,
    pub cohort: Option<u64>,
    pub candidates: Option<Vec<u64>>,
    pub exclude: Vec<u64>,
    pub include_seen: bool,
    pub limit: usize,
    pub offset: usize,
    pub at: u64,
    pub diversity: f64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scored {
    pub id: u64,
    pub score: f64,
    pub local: f64,
    pub community: f64,
    pub cohort: f64,
}

/// Everything about a query but the order, which is `Model::order`.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// What is left after the filters, before offset and limit.
    pub scored: Vec<Scored>,
    pub candidates: usize,
    pub hidden: usize,
    pub seen: usize,
    pub row: Option<(u32, State, u16)>,
    /// The local part depends on a doubtful preference vector.
    pub doubtful: bool,
}

#[allow(
    clippy::cast_precision_loss,
    reason = "spans of time are rounded to 53 bits, far below the tolerance"
)]
fn half_lives(span_ns: u64, half_life_ns: u64) -> f64 {
    span_ns as f64 / half_life_ns as f64
}

#[allow(clippy::cast_precision_loss, reason = "counts are small")]
fn mean(sum: f64, count: usize) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

fn add_scaled(to: &mut [f64], vector: &[f64], factor: f64) {
    for (to, part) in to.iter_mut().zip(vector) {
        *to += factor * part;
    }
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().map(|part| part * part).sum::<f64>().sqrt()
}

fn wide(vector: &[f32]) -> Vec<f64> {
    vector.iter().map(|&part| f64::from(part)).collect()
}

impl Model {
    /// Groups signals into accumulators and reads each at `q`. An accumulator whose time is after `q` is not decayed,
    /// and never grows back: its signals are then decayed to its own time only.
    fn readings<'a, K: Ord>(
        &self,
        facts: impl Iterator<Item = (K, &'a Event)>,
        q: u64,
    ) -> Vec<Reading> {
        let mut accumulators: BTreeMap<(K, u64, usize, bool), Vec<&Event>> = BTreeMap::new();
        for (key, event) in facts.filter(|(_, event)| event.weight != 0.0) {
            let key = (key, event.item, event.kind, event.weight < 0.0);
            accumulators.entry(key).or_default().push(event);
        }
        let read = |((_, item, kind, _), events): ((K, u64, usize, bool), Vec<&Event>)| {
            let last = events.iter().map(|event| event.at).max().unwrap_or(0);
            let time = last.max(q);
            let half_life = self.kinds[kind].half_life_ns;
            let decayed =
                |event: &&Event| event.weight * (-half_lives(time - event.at, half_life)).exp2();
            Reading {
                item,
                value: events.iter().map(decayed).sum(),
                gone: half_lives(time - last, half_life) > 1_200.0,
            }
        };
        accumulators.into_iter().map(read).collect()
    }

    fn local_readings(&self, user: u64, q: u64) -> Vec<Reading> {
        self.readings(self.local(user).map(|event| ((), event)), q)
    }

    fn flagged(&self, user: u64, role: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut items: Vec<u64> = self
            .local(user)
            .filter(|event| role(event.kind))
            .map(|event| event.item)
            .collect();
        items.sort_unstable();
        items.dedup();
        items
    }

    fn seen(&self, user: u64) -> Vec<u64> {
        self.flagged(user, |kind| self.kinds[kind].seen)
    }

    fn hidden(&self, user: u64) -> Vec<u64> {
        self.flagged(user, |kind| self.kinds[kind].hide)
    }

    fn has_category(&self, item: u64, category: &str) -> bool {
        self.features(item)
            .is_some_and(|features| features.categories.iter().any(|name| name == category))
    }

    fn category_sum(&self, readings: &[Reading], category: &str) -> Sum {
        Sum::of(
            readings
                .iter()
                .filter(|r| self.has_category(r.item, category))
                .map(|r| r.value),
        )
    }

    fn creator_sum(&self, readings: &[Reading], creator: u64) -> Sum {
        let by = |item| {
            self.features(item)
                .is_some_and(|features| features.creator == Some(creator))
        };
        Sum::of(readings.iter().filter(|r| by(r.item)).map(|r| r.value))
    }

    /// Which share of the items that have categories has this one.
    fn commonness(&self, category: &str) -> f64 {
        let categories = || {
            let features = self.items.iter().filter_map(|row| row.features.as_ref());
            features.map(|features| &features.categories)
        };
        let with_it = categories().filter(|names| names.iter().any(|name| name == category));
        let with_any = categories().filter(|names| !names.is_empty());
        #[allow(clippy::cast_precision_loss, reason = "counts are small")]
        let share = with_it.count() as f64 / with_any.count().max(1) as f64;
        share
    }

    /// The mean of the vectors of all items that have the category and a vector.
    fn centroid(&self, category: &str) -> Vec<f64> {
        let vectors: Vec<&Vec<f32>> = self
            .items
            .iter()
            .filter_map(|row| row.features.as_ref())
            .filter(|features| features.categories.iter().any(|name| name == category))
            .filter_map(|features| features.vector.as_ref())
            .collect();
        let mut sum = vec![0.0; self.dimensions];
        for vector in &vectors {
            add_scaled(&mut sum, &wide(vector), 1.0);
        }
        sum.iter().map(|&part| mean(part, vectors.len())).collect()
    }

    /// The vector that stands for an item in the preference: its own, or else the mean over its categories.
    fn stand_in(&self, features: &Item) -> Option<Vec<f64>> {
        if let Some(vector) = &features.vector {
            return Some(wide(vector));
        }
        let mut sum = vec![0.0; self.dimensions];
        for category in &features.categories {
            add_scaled(&mut sum, &self.centroid(category), 1.0);
        }
        let count = features.categories.len();
        (count > 0).then(|| sum.iter().map(|&part| mean(part, count)).collect())
    }

    fn preference(&self, readings: &[Reading]) -> Preference {
        let mut sum = vec![0.0; self.dimensions];
        let mut size = 0.0;
        let mut faint = false;
        let mut stand_ins: BTreeMap<u64, Option<Vec<f64>>> = BTreeMap::new();
        for reading in readings {
            let vector = stand_ins.entry(reading.item).or_insert_with(|| {
                self.features(reading.item)
                    .and_then(|features| self.stand_in(features))
            });
            if let Some(vector) = vector {
                add_scaled(&mut sum, vector, reading.value);
                size += reading.value.abs() * length(vector);
                faint |= !reading.gone && length(vector) > 0.0;
            }
        }
        let length = length(&sum);
        let usable = length > 0.0 && length.is_finite();
        Preference {
            direction: usable.then(|| sum.iter().map(|part| part / length).collect()),
            doubtful: (faint && length < 1e-140) || length < size * 1e-4,
        }
    }

    pub fn profile(&self, user: u64, q: u64) -> Profile {
        let readings = self.local_readings(user, q);
        let mut items = BTreeMap::new();
        let mut categories = BTreeMap::new();
        let mut creators = BTreeMap::new();
        for reading in &readings {
            let of_item = readings.iter().filter(|other| other.item == reading.item);
            items
                .entry(reading.item)
                .or_insert_with(|| Sum::of(of_item.map(|other| other.value)));
            let Some(features) = self.features(reading.item) else {
                continue;
            };
            for name in &features.categories {
                categories
                    .entry(name.clone())
                    .or_insert_with(|| self.category_sum(&readings, name));
            }
            if let Some(creator) = features.creator {
                creators
                    .entry(creator)
                    .or_insert_with(|| self.creator_sum(&readings, creator));
            }
        }
        Profile {
            signals: self.local(user).count() as u64,
            seen: self.seen(user).len(),
            hidden: self.hidden(user),
            items,
            categories,
            creators,
            preference: self.preference(&readings),
        }
    }

    fn local_part(&self, readings: &[Reading], preference: &Preference, item: u64, q: u64) -> f64 {
        let own = Sum::of(readings.iter().filter(|r| r.item == item).map(|r| r.value));
        let mut local = own.shrunk(4.0);
        let Some(features) = self.features(item) else {
            return local;
        };
        let evidence: f64 = readings.iter().map(|reading| reading.value.abs()).sum();
        let taste = |name: &String| {
            let by_chance = 2.0 * self.commonness(name) * evidence;
            self.category_sum(readings, name).shrunk(8.0 + by_chance)
        };
        let by_category: f64 = features.categories.iter().map(taste).sum();
        #[allow(clippy::cast_precision_loss, reason = "counts are small")]
        let count = features.categories.len().max(1) as f64;
        local += 0.4 * by_category / count.sqrt();
        if let Some(creator) = features.creator {
            local += 0.4 * self.creator_sum(readings, creator).shrunk(8.0);
        }
        if let (Some(preference), Some(vector)) = (&preference.direction, &features.vector) {
            let vector = wide(vector);
            let size = length(&vector);
            if size > 0.0 {
                let cosine = preference
                    .iter()
                    .zip(&vector)
                    .map(|(p, v)| p * v)
                    .sum::<f64>()
                    / size;
                local += 2.5 * evidence / (evidence + 8.0) * cosine;
            }
        }
        if let Some(created_at_ms) = features.created_at_ms {
            #[allow(
                clippy::cast_precision_loss,
                reason = "the rule is stated in f64 milliseconds"
            )]
            let age_ms = (q as f64 / 1e6 - created_at_ms).max(0.0);
            local += 0.05 * (-age_ms / DAYS_30_MS).exp2();
        }
        local
    }

    /// The community's readings, row by row (user, epoch, item, kind, sign), where the user may read them.
    fn community_readings(&self, query: &Query) -> Vec<Reading> {
        let Some(community) = query.community else {
            return Vec::new();
        };
        let member = self
            .member(query.user, community)
            .is_some_and(|row| row.stop_forward_at.is_none());
        if !member || self.layer(query.user).left {
            return Vec::new();
        }
        let counted = self.events.iter().filter_map(|event| match event.counted {
            Some((where_to, epoch)) if where_to == community => Some(((event.user, epoch), event)),
            _ => None,
        });
        self.readings(counted, query.at)
    }

    fn cohort_readings(&self, query: &Query) -> Vec<Reading> {
        let Some(cohort) = query.cohort else {
            return Vec::new();
        };
        if self.layer(query.user).left {
            return Vec::new();
        }
        let attributed = self
            .events
            .iter()
            .filter(|event| event.cohorts.contains(&cohort));
        self.readings(attributed.map(|event| ((), event)), query.at)
    }

    pub fn rank(&self, query: &Query) -> Ranking {
        let readings = self.local_readings(query.user, query.at);
        let preference = self.preference(&readings);
        let of_community = self.community_readings(query);
        let of_cohort = self.cohort_readings(query);
        let hidden = self.hidden(query.user);
        let seen = self.seen(query.user);

        let mut ids = query
            .candidates
            .clone()
            .unwrap_or_else(|| self.known_items());
        ids.sort_unstable();
        ids.dedup();
        ids.retain(|&id| self.known(id) && !query.exclude.contains(&id));
        let candidates = ids.len();
        ids.retain(|id| !hidden.contains(id));
        let after_hidden = ids.len();
        if !query.include_seen {
            ids.retain(|id| !seen.contains(id));
        }

        let blend = |readings: &[Reading], id: u64| {
            Sum::of(readings.iter().filter(|r| r.item == id).map(|r| r.value)).shrunk(20.0)
        };
        let score = |&id: &u64| {
            let local = self.local_part(&readings, &preference, id, query.at);
            let community = blend(&of_community, id);
            let cohort = 0.5 * blend(&of_cohort, id);
            Scored {
                id,
                score: local + community + cohort,
                local,
                community,
                cohort,
            }
        };
        let row = query
            .community
            .and_then(|community| self.member(query.user, community));
        Ranking {
            scored: ids.iter().map(score).collect(),
            candidates,
            hidden: candidates - after_hidden,
            seen: after_hidden - ids.len(),
            row: row.map(|row| (row.epoch, row.state, row.policy.version)),
            doubtful: preference.doubtful,
        }
    }

    /// What a position is worth to `next` when `chosen` stand before it (`diversity`).
    pub fn diverse_value(&self, chosen: &[u64], next: Scored, diversity: f64) -> f64 {
        let of = |wanted: &dyn Fn(&Item) -> bool| {
            chosen
                .iter()
                .filter(|&&id| self.features(id).is_some_and(wanted))
                .count()
        };
        let Some(features) = self.features(next.id) else {
            return (1.0 - diversity) * next.score;
        };
        let in_categories: usize = features
            .categories
            .iter()
            .map(|name| of(&|other: &Item| other.categories.contains(name)))
            .sum();
        let by_creator = features.creator.map_or(0, |creator| {
            of(&|other: &Item| other.creator == Some(creator))
        });
        #[allow(clippy::cast_precision_loss, reason = "counts are small")]
        let alike = mean(in_categories as f64, features.categories.len()) + by_creator as f64;
        (1.0 - diversity) * next.score - diversity * (1.0 - 1.0 / (1.0 + alike))
    }
}
