//! Right checksums for wrong bytes: a fuzzer finds no checksum, so without this it would only ever see refusals.

use crc::{CRC_32_ISCSI, Crc};

const CASTAGNOLI: Crc<u32> = Crc::<u32>::new(&CRC_32_ISCSI);

/// Where a frame has what. The checksum is right before the body.
pub struct Frame {
    /// Where it says how long the body is, if it does.
    pub length: Option<usize>,
    pub body: usize,
}

pub const SNAPSHOT: Frame = Frame {
    length: Some(6),
    body: 18,
};
pub const ROW: Frame = Frame {
    length: None,
    body: 6,
};
pub const EXPORT: Frame = Frame {
    length: None,
    body: 10,
};

impl Frame {
    /// The bytes with what the frame says of the body put right; as they are where they have no whole frame.
    pub fn seal(&self, bytes: &[u8]) -> Vec<u8> {
        let mut sealed = bytes.to_vec();
        if let Some((head, body)) = sealed.split_at_mut_checked(self.body) {
            if let Some(place) = head.last_chunk_mut() {
                *place = CASTAGNOLI.checksum(body).to_le_bytes();
            }
            if let Some(length) = self.length {
                head[length..length + 8].copy_from_slice(&(body.len() as u64).to_le_bytes());
            }
        }
        sealed
    }
}
