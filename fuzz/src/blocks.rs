//! Changes inside a snapshot's block, with the lengths around it kept right: by chance alone a fuzzer does not insert into
//! a block and change its length as well.

use crate::targets::seal::SNAPSHOT;
use libfuzzer_sys::fuzzer_mutate;
use tidegate::storage::Blocks;

/// The snapshot with a changed block; none where it is no snapshot, or becomes larger than `most`.
pub fn mutate(snapshot: &[u8], choice: usize, most: usize) -> Option<Vec<u8>> {
    let sealed = SNAPSHOT.seal(snapshot);
    let parsed = Blocks::parse(&sealed).ok()?;
    let mut blocks: Vec<_> = parsed
        .iter()
        .map(|(key, value)| (key, value.to_vec()))
        .collect();
    let place = choice.checked_rem(blocks.len())?;
    let (_, value) = &mut blocks[place];
    let length = value.len();
    value.resize(length.max(8) * 2, 0);
    let (room, whole) = (value.len(), value.as_mut_slice());
    let length = fuzzer_mutate(whole, length, room);
    value.truncate(length);

    let mut written = sealed[..SNAPSHOT.body].to_vec();
    for (key, value) in blocks {
        for part in [key.to_bytes(), value] {
            written.extend(varint(part.len()));
            written.extend(part);
        }
    }
    (written.len() <= most).then_some(written)
}

fn varint(mut value: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7F {
        bytes.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    bytes.push(value.to_le_bytes()[0]);
    bytes
}
