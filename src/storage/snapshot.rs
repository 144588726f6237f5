//! The snapshot's frame: checked, canonical, and no more than a sorted list of blocks.
//!
//! ```text
//! "TIDE" │ version u16 LE │ length of the body u64 LE │ CRC-32C of the body u32 LE │ body
//! body: for each block, ascending by key: key length, key, value length, value (lengths are varints)
//! ```

use super::bytes::put_varint;
use super::frame;
use super::keys::Key;
use crate::error::Error;
use core::ops::Range;

/// The version of snapshots that is written.
pub const SNAPSHOT_VERSION: u16 = 1;
const MAGIC: [u8; 4] = *b"TIDE";
/// Magic, version, length and checksum.
const HEADER: usize = 18;

/// Gathers blocks in any order and writes them sorted.
#[derive(Default)]
pub(crate) struct BlockWriter<'a> {
    values: Vec<u8>,
    blocks: Vec<Block<'a>>,
}

struct Block<'a> {
    key: Key,
    value: Range<usize>,
    /// What the value ends with.
    floats: Option<Floats<'a>>,
}

/// Many numbers that are copied as they lie in memory.
pub(crate) struct Floats<'a> {
    pub(crate) runs: Vec<&'a [f32]>,
    /// The checksum of their bytes, where it is known.
    pub(crate) checksum: Option<u32>,
}

impl Floats<'_> {
    fn length(&self) -> usize {
        self.runs.iter().map(|run| size_of_val(*run)).sum()
    }

    fn put(&self, into: &mut Vec<u8>) {
        for run in &self.runs {
            let start = into.len();
            into.resize(start + size_of_val(*run), 0);
            let (places, _) = into[start..].as_chunks_mut();
            for (place, value) in places.iter_mut().zip(*run) {
                *place = value.to_le_bytes();
            }
        }
    }
}

impl<'a> BlockWriter<'a> {
    /// Adds a block in postcard's encoding.
    pub(crate) fn put<T: serde::Serialize + ?Sized>(&mut self, key: Key, value: &T) {
        self.put_with(key, |values| frame::put(values, value));
    }

    /// Adds a block as it is.
    pub(crate) fn put_raw(&mut self, key: Key, value: &[u8]) {
        self.put_with(key, |values| values.extend_from_slice(value));
    }

    /// Adds a block that is appended to these bytes.
    pub(crate) fn put_with(&mut self, key: Key, value: impl FnOnce(&mut Vec<u8>)) {
        let start = self.values.len();
        value(&mut self.values);
        self.blocks.push(Block {
            key,
            value: start..self.values.len(),
            floats: None,
        });
    }

    /// Lets the last block end with these.
    pub(crate) fn end_with(&mut self, floats: Floats<'a>) {
        if let Some(block) = self.blocks.last_mut() {
            block.floats = Some(floats);
        }
    }

    /// The snapshot, and the checksum of the floats.
    pub(crate) fn finish(mut self) -> (Vec<u8>, Option<u32>) {
        self.blocks.sort_unstable_by_key(|block| block.key);
        let floats = self.blocks.iter().filter_map(|block| block.floats.as_ref());
        let length = self.values.len() + floats.map(Floats::length).sum::<usize>();
        // A key takes 10 or 22 bytes, a length 10 at most.
        let mut bytes = Vec::with_capacity(HEADER + length + self.blocks.len() * 32);
        bytes.resize(HEADER, 0);
        // Up to where the checksum goes.
        let (mut checksum, mut checked) = (frame::checksum(&[]), HEADER);
        let mut of_floats = None;
        for block in self.blocks {
            let floats = block.floats.as_ref();
            let length = block.value.len() + floats.map_or(0, Floats::length);
            frame::put(&mut bytes, block.key.to_bytes().as_slice());
            put_varint(&mut bytes, length as u64);
            bytes.extend_from_slice(&self.values[block.value]);
            if let Some(floats) = floats {
                let mut join = |part: u32, length: usize| {
                    checksum = frame::joined(checksum, part, length as u64);
                };
                join(frame::checksum(&bytes[checked..]), bytes.len() - checked);
                let start = bytes.len();
                floats.put(&mut bytes);
                let part = floats
                    .checksum
                    .unwrap_or_else(|| frame::checksum(&bytes[start..]));
                join(part, bytes.len() - start);
                checked = bytes.len();
                of_floats = Some(part);
            }
        }
        let rest = frame::checksum(&bytes[checked..]);
        let checksum = frame::joined(checksum, rest, (bytes.len() - checked) as u64);
        let length = (bytes.len() - HEADER) as u64;
        bytes[..4].copy_from_slice(&MAGIC);
        bytes[4..6].copy_from_slice(&SNAPSHOT_VERSION.to_le_bytes());
        bytes[6..14].copy_from_slice(&length.to_le_bytes());
        bytes[14..HEADER].copy_from_slice(&checksum.to_le_bytes());
        (bytes, of_floats)
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
