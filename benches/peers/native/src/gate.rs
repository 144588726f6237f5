//! The gate alone, and a bare look-up of the same keys beside it, so that both run in one module. Built for WebAssembly; the
//! native program uses it too.

use std::cell::RefCell;
use std::hint::black_box;

use hashbrown::HashMap;
use tidegate::governance::{CommunityId, Membership, MembershipRegistry, SharePolicy, UserId};

type Key = (UserId, CommunityId);

/// How many keys one pass asks for.
pub const KEYS: u32 = 4_096;
const COMMUNITIES: u64 = 20;

/// A registry of memberships, and a plain map from the same keys to the one word that a gate is.
pub struct Gates {
    registry: MembershipRegistry,
    plain: HashMap<Key, u64>,
    keys: Vec<Key>,
}

impl Gates {
    /// So many memberships, all open.
    #[must_use]
    pub fn new(rows: u64) -> Self {
        let (mut registry, mut plain) = (MembershipRegistry::new(), HashMap::new());
        for user in 1..=rows {
            let key = key(user);
            registry.insert(Membership::joined(key.0, key.1, SharePolicy::default(), 1));
            plain.insert(key, 0);
        }
        registry.commit();
        let mut state = 3_u64;
        let keys = (0..KEYS).map(|_| {
            // A linear congruence; its upper half is random enough to visit rows in no order.
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            key(1 + (state >> 33) % rows)
        });
        let keys = keys.collect();
        Self {
            registry,
            plain,
            keys,
        }
    }

    /// Asks the gate for every key; how often it was closed.
    #[must_use]
    pub fn gated(&self, passes: u32) -> u32 {
        self.count(passes, |key| {
            self.registry.is_contribution_gated(key.0, key.1)
        })
    }

    /// Looks every key up; how often nothing open was there.
    #[must_use]
    pub fn bare(&self, passes: u32) -> u32 {
        self.count(passes, |key| {
            self.plain.get(key).is_none_or(|gate| *gate != 0)
        })
    }

    fn count(&self, passes: u32, closed: impl Fn(&Key) -> bool) -> u32 {
        (0..passes)
            .map(|_| {
                black_box(&self.keys)
                    .iter()
                    .map(|key| u32::from(closed(key)))
                    .sum::<u32>()
            })
            .sum()
    }
}

fn key(user: u64) -> Key {
    (UserId(user), CommunityId(user % COMMUNITIES))
}

thread_local! {
    static GATES: RefCell<Option<Gates>> = const { RefCell::new(None) };
}

/// Makes so many memberships.
#[unsafe(no_mangle)]
pub extern "C" fn gate_rows(rows: u32) {
    GATES.with_borrow_mut(|gates| *gates = Some(Gates::new(u64::from(rows))));
}

/// See [`Gates::gated`].
#[unsafe(no_mangle)]
pub extern "C" fn gate_gated(passes: u32) -> u32 {
    GATES.with_borrow(|gates| gates.as_ref().map_or(0, |gates| gates.gated(passes)))
}

/// See [`Gates::bare`].
#[unsafe(no_mangle)]
pub extern "C" fn gate_bare(passes: u32) -> u32 {
    GATES.with_borrow(|gates| gates.as_ref().map_or(0, |gates| gates.bare(passes)))
}
