//! Bytes at rest: keys, tags, and the snapshot's frame.

pub(crate) mod frame;
mod keys;
mod snapshot;

pub use keys::{Key, Tag};
pub(crate) use snapshot::BlockWriter;
pub use snapshot::{Blocks, SNAPSHOT_VERSION};
