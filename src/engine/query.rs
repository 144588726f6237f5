//! Reading: the best items, and what is known of a user. Neither changes a byte (R14).

use super::Engine;
use crate::governance::{CommunityId, ItemId, MembershipStatus, UserId};
use crate::profile::{Affinities, Decayed, HIDDEN, SEEN};
use crate::query::{
    PolicyMetadata, Profile, Query, QueryResult, QueryStats, Ranked, Scores, best, spread,
};
use core::cmp::Ordering;

/// The query asks about the item; beside the profile's flags in one byte.
const ASKED: u8 = 0x80;
/// The query excludes the item.
const EXCLUDED: u8 = 0x40;

impl Engine {
    /// The best items for a user. A non-member's or leaver's query is local only, and so is everybody's who has left
    /// the community layer.
    pub fn query(&mut self, query: &Query) -> QueryResult {
        let affinities = self.gather(query);
        let mut stats = QueryStats::default();
        let ranked = self.rank(query, &affinities, &mut stats);
        let count = query.offset.saturating_add(query.limit);
        let mut items = if query.diversity > 0.0 {
            spread(&ranked, count, query.diversity.min(1.0), &self.state.items)
        } else {
            best(
                ranked.into_iter().map(|(_, ranked)| ranked).collect(),
                count,
            )
        };
        items.drain(..query.offset.min(items.len()));
        let policy_metadata = self.policy_metadata(query);
        stats.membership_epoch = policy_metadata.membership_epoch;
        QueryResult {
            items,
            policy_metadata,
            stats,
        }
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

    /// Spreads sums and flags over the items, so that scoring walks arrays in order.
    fn gather(&mut self, query: &Query) -> Affinities {
        let (state, scratch, at) = (&mut self.state, &mut self.scratch, query.at_ns);
        scratch.reset(state.items.len());
        let mut affinities = Affinities::default();
        if let Some(user) = state.profiles.find(query.user) {
            affinities = state.affinities(user, at);
            let ledger = &state.profiles.ledger;
            for (_, row) in ledger.rows_of(user) {
                scratch.marks[row.item as usize] = row.flags;
                for part in ledger.accumulators(row) {
                    let half_life = state.kinds.half_life_ns(part.kind);
                    let value = state.decay.read(part.value, part.time, half_life, at);
                    scratch.own[row.item as usize].add(value);
                }
            }
        }
        if state.layer.status(query.user).status == MembershipStatus::Active {
            let community = query
                .community
                .filter(|community| !state.registry.is_contribution_gated(query.user, *community));
            if let Some(community) = community {
                let sums = &mut scratch.community;
                let put =
                    |item: u32, sum, evidence| sums[item as usize] = Decayed { sum, evidence };
                state
                    .contributions
                    .totals(community, at, &state.kinds, &mut state.decay, put);
            }
            if let Some(cohort) = query.cohort.and_then(|cohort| state.cohorts.find(cohort)) {
                let ledger = &state.cohorts.ledger;
                for (_, row) in ledger.rows_of(cohort) {
                    for part in ledger.accumulators(row) {
                        let half_life = state.kinds.half_life_ns(part.kind);
                        let value = state.decay.read(part.value, part.time, half_life, at);
                        scratch.cohort[row.item as usize].add(value);
                    }
                }
            }
        }
        for item in query
            .exclude
            .iter()
            .filter_map(|item| state.items.find(*item))
        {
            scratch.marks[item as usize] |= EXCLUDED;
        }
        if let Some(candidates) = &query.candidates {
            for item in candidates.iter().filter_map(|item| state.items.find(*item)) {
                let mark = &mut scratch.marks[item as usize];
                if *mark & ASKED == 0 && state.items.is_known(item) {
                    *mark |= ASKED;
                    scratch.candidates.push(item);
                }
            }
        } else {
            scratch.candidates.extend(state.items.known());
        }
        affinities
    }

    /// Filters, then scores what is left.
    fn rank(
        &mut self,
        query: &Query,
        affinities: &Affinities,
        stats: &mut QueryStats,
    ) -> Vec<(u32, Ranked)> {
        let (items, scratch) = (&self.state.items, &self.scratch);
        let scores = Scores::new(items, scratch, affinities, query.at_ns);
        let mut ranked = Vec::with_capacity(scratch.candidates.len());
        for item in &scratch.candidates {
            let mark = scratch.marks[*item as usize];
            if mark & EXCLUDED != 0 {
                continue;
            }
            stats.candidates += 1;
            if mark & HIDDEN != 0 {
                stats.hidden += 1;
            } else if mark & SEEN != 0 && !query.include_seen {
                stats.seen += 1;
            } else {
                ranked.push((*item, scores.of(*item, &mut self.state.decay)));
            }
        }
        ranked
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
        profile.hidden.sort_unstable();
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

fn strongest_first<K: Ord>(scores: &mut [(K, f64)]) {
    scores.sort_unstable_by(|left, right| match right.1.total_cmp(&left.1) {
        Ordering::Equal => left.0.cmp(&right.0),
        unequal => unequal,
    });
}
