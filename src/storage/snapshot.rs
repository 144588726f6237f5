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
use crate::order;
use core::ops::Range;
use std::borrow::Cow;

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
    end: Option<Kept<'a>>,
}

/// Bytes that are kept from one snapshot to the next, with their checksum.
pub(crate) struct Kept<'a> {
    pub(crate) pieces: Vec<Cow<'a, [u8]>>,
    pub(crate) checksum: u32,
}

impl Kept<'_> {
    fn length(&self) -> usize {
        self.pieces.iter().map(|piece| piece.len()).sum()
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
            end: None,
        });
    }

    /// Adds a block whose bytes are kept elsewhere.
    pub(crate) fn put_kept(&mut self, key: Key, kept: Kept<'a>) {
        self.blocks.push(Block {
            key,
            value: 0..0,
            end: Some(kept),
        });
    }

    /// The snapshot in pieces, of which the kept ones have not been copied.
    pub(crate) fn finish(mut self) -> Vec<Cow<'a, [u8]>> {
        let places = order::places(self.blocks.iter().map(|block| block.key.words()));
        let mut pieces = Vec::new();
        // A key takes 10 or 22 bytes, a length 10 at most.
        let mut bytes = Vec::with_capacity(HEADER + self.values.len() + self.blocks.len() * 32);
        bytes.resize(HEADER, 0);
        let (mut checksum, mut length) = (frame::checksum(&[]), 0);
        let mut join = |part: u32, added: usize| {
            checksum = frame::joined(checksum, part, added as u64);
            length += added as u64;
        };
        // The header is not part of the body.
        let mut start = HEADER;
        for place in places {
            let block = &mut self.blocks[place];
            let kept = block.end.as_ref().map_or(0, Kept::length);
            frame::put(&mut bytes, block.key.to_bytes().as_slice());
            put_varint(&mut bytes, (block.value.len() + kept) as u64);
            bytes.extend_from_slice(&self.values[block.value.clone()]);
            if let Some(end) = block.end.take() {
                let body = &bytes[start..];
                join(frame::checksum(body), body.len());
                join(end.checksum, kept);
                pieces.push(Cow::Owned(core::mem::take(&mut bytes)));
                pieces.extend(end.pieces);
                start = 0;
            }
        }
        let body = &bytes[start..];
        join(frame::checksum(body), body.len());
        pieces.push(Cow::Owned(bytes));
        let header = pieces[0].to_mut();
        header[..4].copy_from_slice(&MAGIC);
        header[4..6].copy_from_slice(&SNAPSHOT_VERSION.to_le_bytes());
        header[6..14].copy_from_slice(&length.to_le_bytes());
        header[14..HEADER].copy_from_slice(&checksum.to_le_bytes());
        pieces
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
