//! Bytes at rest: keys, tags, and the snapshot's frame.

mod bytes;
mod checksum;
pub(crate) mod frame;
mod keys;
mod snapshot;

pub(crate) use bytes::{Reader, put_varint};
pub use keys::{Key, Tag};
pub(crate) use snapshot::{BlockWriter, Floats};
pub use snapshot::{Blocks, SNAPSHOT_VERSION};
