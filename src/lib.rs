//! On-device personalization whose community sharing stops the moment a person says so.
//!
//! Signals (view, like, skip …) always feed a person's local profile, which never leaves the device. While the person
//! is a member of a community, a signal also counts there, stamped with the membership epoch. Leaving closes a gate in
//! constant time: nothing counts from then on, while the local profile goes on learning. Rejoining opens the next
//! epoch, and nothing of an old epoch ever counts in it.
//!
//! ```
//! use tidegate::engine::{Config, Engine, Signal};
//! use tidegate::governance::{CommunityId, ItemId, LeaveMode, Outcome, UserId};
//!
//! # fn main() -> Result<(), tidegate::Error> {
//! let (ada, noir, now_ns) = (UserId(1), CommunityId(7), 1_700_000_000_000_000_000);
//! let mut engine = Engine::new(&Config { origin: 42, ..Config::default() })?;
//! let like = engine.kind("like").ok_or(tidegate::Error::UnknownKind)?;
//! let signal = Signal {
//!     user: ada, item: ItemId(100), kind: like, weight: None, at_ns: None, community: Some(noir), agent: None,
//! };
//!
//! engine.join(ada, noir, None, now_ns)?;
//! assert_eq!(engine.signal(&signal, now_ns)?, Outcome::Recorded);
//! engine.leave(ada, noir, LeaveMode::StopForward, now_ns)?;
//! assert_eq!(engine.signal(&signal, now_ns)?, Outcome::Left); // the profile learned all the same
//! assert_eq!(engine.rejoin(ada, noir, None, now_ns)?, 1);
//! # Ok(())
//! # }
//! ```
//!
//! The rules that this rests on (R1 … R20) are listed in `docs/promises.md` beside the tests that hold each.

#![cfg_attr(not(target_arch = "wasm32"), forbid(unsafe_code))]
#![cfg_attr(
    not(test),
    warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

pub mod catalogue;
mod community;
pub mod engine;
mod error;
pub mod governance;
mod journaled;
pub mod log;
mod order;
mod profile;
pub mod query;
pub mod replication;
pub mod signals;
pub mod storage;
#[cfg(target_arch = "wasm32")]
mod wasm;

pub use error::Error;
