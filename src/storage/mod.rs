//! Bytes at rest: keys, tags, and the snapshot's frame.

mod bytes;
mod checksum;
pub(crate) mod frame;
mod keys;
mod snapshot;

pub(crate) use bytes::{Reader, floats, put_varint, read_floats};
pub(crate) use checksum::{checksum, joined};
pub use keys::{Key, Tag};
pub(crate) use snapshot::{BlockWriter, Kept};
pub use snapshot::{Blocks, SNAPSHOT_VERSION};
