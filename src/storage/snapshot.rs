//! The snapshot's frame: checked, canonical, and no more than a sorted list of blocks.
//!
//! ```text
//! "TIDE" │ version u16 LE │ length of the body u64 LE │ CRC-32C of the body u32 LE │ body
//! body: for each block, ascending by key: key length, key, value length, value (lengths are varints)
//! ```

use super::frame;
use super::keys::Key;
use crate::error::Error;
use core::ops::Range;

/// The version of snapshots that is written.
pub const SNAPSHOT_VERSION: u16 = 1;
const MAGIC: [u8; 4] = *b"TIDE";

/// Gathers blocks in any order and writes them sorted.
#[derive(Default)]
pub(crate) struct BlockWriter {
    values: Vec<u8>,
    blocks: Vec<(Key, Range<usize>)>,
}

impl BlockWriter {
    /// Adds a block in postcard's encoding.
    pub(crate) fn put<T: serde::Serialize + ?Sized>(&mut self, key: Key, value: &T) {
        let start = self.values.len();
        frame::put(&mut self.values, value);
        self.blocks.push((key, start..self.values.len()));
    }

    /// Adds a block as it is.
    pub(crate) fn put_raw(&mut self, key: Key, value: &[u8]) {
        let start = self.values.len();
        self.values.extend_from_slice(value);
        self.blocks.push((key, start..self.values.len()));
    }

    /// The snapshot.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.blocks.sort_unstable_by_key(|(key, _)| *key);
        let mut body = Vec::with_capacity(self.values.len() + self.blocks.len() * 12);
        for (key, range) in self.blocks {
            frame::put(&mut body, key.to_bytes().as_slice());
            frame::put(&mut body, &range.len());
            body.extend_from_slice(&self.values[range]);
        }
        let mut bytes = Vec::with_capacity(body.len() + 18);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&SNAPSHOT_VERSION.to_le_bytes());
        bytes.extend_from_slice(&(body.len() as u64).to_le_bytes());
        bytes.extend_from_slice(&frame::checksum(&body).to_le_bytes());
        bytes.append(&mut body);
        bytes
    }
}

/// A snapshot's blocks, their frame and order checked, in place.
#[derive(Debug, Clone)]
pub struct Blocks<'a> {
    blocks: Vec<(Key, &'a [u8])>,
}

impl<'a> Blocks<'a> {
    /// Checks and splits a snapshot. Takes no more memory than a small multiple of it.
    ///
    /// # Errors
    /// `CorruptSnapshot` for anything but a whole, undamaged snapshot; `UnsupportedVersion` for a newer one.
    pub fn parse(mut bytes: &'a [u8]) -> Result<Self, Error> {
        let damaged = Error::CorruptSnapshot;
        if frame::take(&mut bytes) != Some(MAGIC) {
            return Err(damaged);
        }
        let version = u16::from_le_bytes(frame::take(&mut bytes).ok_or(damaged)?);
        if version > SNAPSHOT_VERSION {
            return Err(Error::UnsupportedVersion);
        }
        let length = u64::from_le_bytes(frame::take(&mut bytes).ok_or(damaged)?);
        let checksum = u32::from_le_bytes(frame::take(&mut bytes).ok_or(damaged)?);
        if version == 0 || length != bytes.len() as u64 || checksum != frame::checksum(bytes) {
            return Err(damaged);
        }
        let mut blocks: Vec<(Key, &[u8])> = Vec::new();
        while !bytes.is_empty() {
            let (key, rest) = postcard::take_from_bytes::<&[u8]>(bytes).map_err(|_| damaged)?;
            let (value, rest) = postcard::take_from_bytes::<&[u8]>(rest).map_err(|_| damaged)?;
            let key = Key::from_bytes(key).ok_or(damaged)?;
            if blocks.last().is_some_and(|(last, _)| *last >= key) {
                return Err(damaged);
            }
            blocks.push((key, value));
            bytes = rest;
        }
        Ok(Self { blocks })
    }

    /// Every block, ascending by key.
    pub fn iter(&self) -> impl Iterator<Item = (Key, &'a [u8])> {
        self.blocks.iter().copied()
    }
}
