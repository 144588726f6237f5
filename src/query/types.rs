//! What a query asks and what it answers.

use crate::governance::{CohortId, CommunityId, ItemId, MembershipState, UserId};

/// A question for the best items.
///
/// ```
/// # fn main() -> Result<(), tidegate::Error> {
/// use tidegate::{CommunityId, Config, Engine, Error, ItemId, Query, Signal, UserId};
///
/// # let (ada, now_ns) = (UserId(1), 1_700_000_000_000_000_000);
/// let mut engine = Engine::new(&Config::default())?;
/// let like = engine.kind("like").ok_or(Error::UnknownKind)?;
/// engine.signal(&Signal::new(ada, ItemId(100), like), now_ns)?;
///
/// let result = engine.query(&Query { community: Some(CommunityId(7)), ..Query::new(ada, now_ns) });
/// assert_eq!((result.items.len(), result.stats.seen), (0, 1)); // What she liked she has seen.
/// assert_eq!(result.policy_metadata.membership_epoch, None); // She is no member.
/// let again = engine.query(&Query { include_seen: true, ..Query::new(ada, now_ns) });
/// assert_eq!(again.items.first().map(|best| best.id), Some(ItemId(100)));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// For whom.
    pub user: UserId,
    /// Blend in this community's aggregates while the user is a member of it.
    pub community: Option<CommunityId>,
    /// Blend in this cohort's aggregates.
    pub cohort: Option<CohortId>,
    /// Rank only these, as far as they are known; repeats count once. None: all known items.
    pub candidates: Option<Vec<ItemId>>,
    /// Leave these out.
    pub exclude: Vec<ItemId>,
    /// Items already seen are ranked too.
    pub include_seen: bool,
    /// At most so many rows.
    pub limit: usize,
    /// So many of the best are passed over.
    pub offset: usize,
    /// As of this time, in nanoseconds since 1970. It fixes the decay, not which signals are known.
    pub at_ns: u64,
    /// Spread over categories and creators, 0 … 1; anything outside counts as the nearer end, NaN as 0.
    pub diversity: f64,
}

impl Query {
    /// The 20 best unseen items for a user, by the local profile alone.
    #[must_use]
    pub fn new(user: UserId, at_ns: u64) -> Self {
        Self {
            user,
            community: None,
            cohort: None,
            candidates: None,
            exclude: Vec::new(),
            include_seen: false,
            limit: 20,
            offset: 0,
            at_ns,
            diversity: 0.0,
        }
    }
}

/// An item with its score and the parts that sum to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Which item.
    pub id: ItemId,
    /// The sum of the parts; finite.
    pub score: f64,
    /// The part of the local profile.
    pub local: f64,
    /// The part of the community; 0 where nobody contributed.
    pub community: f64,
    /// The part of the cohort.
    pub cohort: f64,
}

/// Under which policy a query was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PolicyMetadata {
    /// The membership row's epoch; none for purely local queries and where there is no membership.
    pub membership_epoch: Option<u32>,
    /// The state of the row.
    pub membership_state: Option<MembershipState>,
    /// The version of the share policy in force.
    pub share_policy_version: Option<u16>,
}

/// What a query went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct QueryStats {
    /// As in the policy metadata.
    pub membership_epoch: Option<u32>,
    /// Items considered, after `exclude`.
    pub candidates: usize,
    /// How many of them were left out as seen.
    pub seen: usize,
    /// How many of them were left out as hidden.
    pub hidden: usize,
}

/// The best items, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryResult {
    /// At most `limit` rows.
    pub items: Vec<Ranked>,
    /// The membership that was ranked under.
    pub policy_metadata: PolicyMetadata,
    /// Counts.
    pub stats: QueryStats,
}

/// What this device knows of a user, as of one time.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    /// For whom.
    pub user: UserId,
    /// Signals ever recorded.
    pub signals: u64,
    /// Items seen.
    pub seen: usize,
    /// Items hidden, ascending.
    pub hidden: Vec<ItemId>,
    /// Signed decayed sums, strongest first.
    pub items: Vec<(ItemId, f64)>,
    /// Affinities to categories, strongest first.
    pub categories: Vec<(String, f64)>,
    /// Affinities to creators, strongest first.
    pub creators: Vec<(u64, f64)>,
    /// Of length 1 and as long as the database's dimensions; none where there is nothing to point at.
    pub preference: Option<Vec<f32>>,
}
