//! Reading: the best items, and what is known of a user. Neither changes a byte (R14).

use super::Engine;
use super::state::State;
use crate::governance::{CommunityId, ItemId, MembershipStatus, UserId};
use crate::order;
use crate::profile::{Affinities, Decayed, HIDDEN, SEEN};
use crate::query::{
    Best, PolicyMetadata, Profile, Query, QueryResult, QueryStats, Ranked, Scores, Source, Sources,
    spread,
};
use core::cmp::Ordering;

/// The query asks about the item; beside the profile's flags in one byte.
const ASKED: u8 = 0x80;
/// The query excludes the item.
const EXCLUDED: u8 = 0x40;

/// Arrays that are used from query to query.
#[derive(Debug, Clone, Default)]
pub(super) struct Scratch {
    /// By item what this query says of it; all 0 between queries.
    asked: Vec<u8>,
    /// All 0: the flags of a user who has none.
    unmarked: Vec<u8>,
    /// Candidates that are not left out, and in no order but that of the query.
    candidates: Vec<u32>,
}

/// Whose rows a query reads, by dense index.
struct Owners {
    user: Option<u32>,
    community: Option<u32>,
    cohort: Option<u32>,
}

impl Engine {
    /// The best items for a user. A non-member's or leaver's query is local only, and so is everybody's who has left
    /// the community layer.
    pub fn query(&mut self, query: &Query) -> QueryResult {
        let owners = self.state.owners(query);
        let affinities = self.state.prepare(&owners, query.at_ns);
        let mut stats = self.state.filter(query, &owners, &mut self.scratch);
        let mut items = self.rank(query, &owners, &affinities);
        items.drain(..query.offset.min(items.len()));
        let policy_metadata = self.policy_metadata(query);
        stats.membership_epoch = policy_metadata.membership_epoch;
        QueryResult {
            items,
            policy_metadata,
            stats,
        }
    }

    /// The best `offset` + `limit` of what was not left out.
    fn rank(&self, query: &Query, owners: &Owners, affinities: &Affinities) -> Vec<Ranked> {
        let (state, candidates) = (&self.state, &self.scratch.candidates);
        let facts = (&state.items, &state.kinds);
        let mut scores = Scores::new(facts, state.sources(owners), affinities, query.at_ns);
        let count = query.offset.saturating_add(query.limit);
        if query.diversity > 0.0 {
            let all: Vec<_> = candidates
                .iter()
                .map(|item| (*item, scores.of(*item)))
                .collect();
            return spread(&all, count, query.diversity.min(1.0), &state.items);
        }
        let mut best = Best::new(count);
        for item in candidates {
            if !scores.is_below(*item, best.floor()) {
                best.put(scores.of(*item));
            }
        }
        best.into_sorted()
    }

    fn policy_metadata(&self, query: &Query) -> PolicyMetadata {
        let row = query
            .community
            .and_then(|community| self.state.registry.get(query.user, community));
        row.map_or_else(PolicyMetadata::default, |row| PolicyMetadata {
            membership_epoch: Some(row.epoch),
            membership_state: Some(row.state),
            share_policy_version: Some(row.share_policy_version),
        })
    }

    /// What this device knows of a user as of `at_ns`; an empty profile for a user who was never seen.
    pub fn profile(&mut self, user: UserId, at_ns: u64) -> Profile {
        let mut profile = Profile {
            user,
            signals: 0,
            seen: 0,
            hidden: Vec::new(),
            items: Vec::new(),
            categories: Vec::new(),
            creators: Vec::new(),
            preference: None,
        };
        let state = &mut self.state;
        let Some(index) = state.profiles.find(user) else {
            return profile;
        };
        let affinities = state.affinities(index, at_ns);
        profile.signals = state.profiles.signals(index);
        let ledger = &state.profiles.ledger;
        for (_, row) in ledger.rows_of(index) {
            let id = state.items.id(row.item);
            profile.seen += usize::from(row.flags & SEEN != 0);
            if row.flags & HIDDEN != 0 {
                profile.hidden.push(id);
            }
            let values = ledger.accumulators(row).map(|part| {
                state.decay.read(
                    part.value,
                    part.time,
                    state.kinds.half_life_ns(part.kind),
                    at_ns,
                )
            });
            // An item without an accumulator has no sum to show.
            if let Some(sum) = values.reduce(|sum, value| sum + value) {
                profile.items.push((id, sum + 0.0));
            }
        }
        order::sort(&mut profile.hidden);
        let categories = affinities
            .categories
            .iter()
            .zip(0..)
            .filter(|(sums, _)| **sums != Decayed::default());
        let names = categories.map(|(sums, category)| {
            (
                state.items.category_name(category).to_owned(),
                sums.sum + 0.0,
            )
        });
        profile.categories = names.collect();
        let creators = affinities
            .creators
            .iter()
            .zip(0..)
            .filter(|(sums, _)| **sums != Decayed::default());
        profile.creators = creators
            .map(|(sums, creator)| (state.items.creator_id(creator), sums.sum + 0.0))
            .collect();
        strongest_first(&mut profile.items);
        strongest_first(&mut profile.categories);
        strongest_first(&mut profile.creators);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "vectors are f32, and this one is of length 1"
        )]
        let preference: Vec<f32> = affinities
            .preference
            .iter()
            .map(|value| *value as f32 + 0.0)
            .collect();
        profile.preference = (!preference.is_empty()).then_some(preference);
        profile
    }

    /// How many contributions were counted per item of a community, in all epochs; ascending by item.
    #[must_use]
    pub fn community_mass(&self, community: CommunityId) -> Vec<(ItemId, u64)> {
        self.state.contributions.mass(community, &self.state.items)
    }
}

impl State {
    fn owners(&self, query: &Query) -> Owners {
        let shared = self.layer.status(query.user).status == MembershipStatus::Active;
        let community = query.community.filter(|community| {
            shared && !self.registry.is_contribution_gated(query.user, *community)
        });
        let cohort = query.cohort.filter(|_| shared);
        Owners {
            user: self.profiles.find(query.user),
            community: community.and_then(|community| self.contributions.community(community)),
            cohort: cohort.and_then(|cohort| self.cohorts.find(cohort)),
        }
    }

    /// Brings the views up to date that a query reads.
    fn prepare(&mut self, owners: &Owners, at: u64) -> Affinities {
        if let Some(community) = owners.community {
            self.place_totals(community);
        }
        if let Some(cohort) = owners.cohort {
            self.place_cohort(cohort);
        }
        let Some(user) = owners.user else {
            return Affinities::default();
        };
        let affinities = self.affinities(user, at);
        self.mark(user);
        affinities
    }

    fn sources(&self, owners: &Owners) -> Sources<'_> {
        let own = owners.user.and_then(|user| self.views.profile(user));
        let community = owners
            .community
            .and_then(|community| self.views.totals(community));
        let cohort = owners.cohort.and_then(|cohort| self.views.cohort(cohort));
        Sources {
            own: own.map(|view| Source {
                rows: view.marks.places().rows(),
                ledger: &self.profiles.ledger,
                sum_of: None,
            }),
            community: community.map(|places| Source {
                rows: places.rows(),
                ledger: self.contributions.total_ledger(),
                sum_of: Some(&self.contributions),
            }),
            cohort: cohort.map(|places| Source {
                rows: places.rows(),
                ledger: &self.cohorts.ledger,
                sum_of: None,
            }),
        }
    }

    /// Excluded items are taken out first, then hidden ones, then seen ones.
    fn filter(&self, query: &Query, owners: &Owners, scratch: &mut Scratch) -> QueryStats {
        let (items, mut stats) = (&self.items, QueryStats::default());
        let Scratch {
            asked,
            unmarked,
            candidates,
        } = scratch;
        asked.resize(items.len(), 0);
        unmarked.resize(items.len(), 0);
        let view = owners.user.and_then(|user| self.views.profile(user));
        let flags = view.map_or(unmarked.as_slice(), |view| view.marks.flags());
        let find = |item: &ItemId| items.find(*item);
        for item in query.exclude.iter().filter_map(find) {
            asked[item as usize] |= EXCLUDED;
        }
        #[expect(
            clippy::needless_bitwise_bool,
            reason = "no branches: which items are seen is no pattern that a machine could guess"
        )]
        let mut remains = |known: bool, mark: u8| {
            let counts = known & (mark & EXCLUDED == 0);
            let hidden = counts & (mark & HIDDEN != 0);
            let seen = counts & !hidden & (mark & SEEN != 0) & !query.include_seen;
            stats.candidates += usize::from(counts);
            stats.hidden += usize::from(hidden);
            stats.seen += usize::from(seen);
            counts & !hidden & !seen
        };
        if let Some(list) = &query.candidates {
            candidates.clear();
            for item in list.iter().filter_map(find) {
                let asked = &mut asked[item as usize];
                let flags = flags.get(item as usize).copied().unwrap_or(0);
                if *asked & ASKED == 0 && remains(items.is_known(item), *asked | flags) {
                    candidates.push(item);
                }
                *asked |= ASKED;
            }
            for item in list.iter().filter_map(find) {
                asked[item as usize] = 0;
            }
        } else {
            let mut count = 0;
            candidates.resize(items.len(), 0);
            let marks = items.known().iter().zip(flags).zip(asked.iter());
            for (((known, flags), asked), item) in marks.zip(0..) {
                if let Some(next) = candidates.get_mut(count) {
                    *next = item;
                }
                count += usize::from(remains(*known, flags | asked));
            }
            candidates.truncate(count);
        }
        for item in query.exclude.iter().filter_map(find) {
            asked[item as usize] = 0;
        }
        stats
    }
}

fn strongest_first<K: Ord>(scores: &mut [(K, f64)]) {
    order::sort_by(scores, |left, right| match right.1.total_cmp(&left.1) {
        Ordering::Equal => left.0.cmp(&right.0),
        unequal => unequal,
    });
}
