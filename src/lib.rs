//! On-device personalization whose community sharing stops the moment a person says so.
//!
//! Signals (view, like, skip …) always feed a person's local profile, which never leaves the device. While the person
//! is a member of a community, a signal also counts there, stamped with the membership epoch. Leaving closes a gate in
//! constant time: nothing counts from then on, while the local profile goes on learning. Rejoining opens the next
//! epoch, and nothing of an old epoch ever counts in it.
//!
//! ```
//! use tidegate::{CommunityId, Config, Engine, ItemId, LeaveMode, Outcome, Signal, UserId};
//!
//! # fn main() -> Result<(), tidegate::Error> {
//! let (ada, noir, now_ns) = (UserId(1), CommunityId(7), 1_700_000_000_000_000_000);
//! let mut engine = Engine::new(&Config { origin: 42, ..Config::default() })?;
//! let like = engine.kind("like").ok_or(tidegate::Error::UnknownKind)?;
//! let signal = Signal { community: Some(noir), ..Signal::new(ada, ItemId(100), like) };
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
//! The engine reads no clock, no random source and no disk. The host passes in the time, as nanoseconds since 1970, and the
//! number that names a database; it stores the rows that [`Engine::pending_row`] gives, in order, and folds them with
//! [`Engine::catch_up`]. `examples/lifecycle.rs` and `examples/fold_a_log.rs` are such hosts. The words are those of the
//! TypeScript API: what is `signal`, `leave` or `query` there is so here.
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

// What nearly every program names. The rest has its room.
#[doc(no_inline)]
pub use engine::{Config, Engine, Signal};
pub use error::Error;
#[doc(no_inline)]
pub use governance::{CommunityId, ItemId, LeaveMode, Outcome, UserId};
#[doc(no_inline)]
pub use query::Query;

/// The README's example.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
