//! CRC-32C, sixteen bytes a step, and the checksum of two pieces from theirs.
//!
//! Neither WebAssembly nor safe Rust reaches the processor's own instruction, so each byte is looked up in a table of what
//! it does from so many bytes before the end. The tables are made when they are first needed: 16 KiB that nobody has to
//! download.

use std::sync::LazyLock;

/// The polynomial of Castagnoli, its bits reversed.
const POLYNOMIAL: u32 = 0x82F6_3B78;
const STEP: usize = 16;
/// How many bytes of each of two lanes.
const LANE: usize = 1024;

type Tables = [[u32; 256]; STEP];

static TABLES: LazyLock<Box<Tables>> = LazyLock::new(|| {
    let mut tables = Box::new([[0; 256]; STEP]);
    for (byte, entry) in (0_u32..).zip(&mut tables[0]) {
        *entry = (0..8).fold(byte, |crc, _| divided(crc));
    }
    for distance in 1..STEP {
        for byte in 0..256 {
            let nearer = tables[distance - 1][byte];
            tables[distance][byte] =
                (nearer >> 8) ^ tables[0][usize::from(nearer.to_le_bytes()[0])];
        }
    }
    tables
});

static BEHIND: LazyLock<u32> = LazyLock::new(|| zeros(LANE as u64));

/// One bit further.
const fn divided(crc: u32) -> u32 {
    (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg())
}

/// The CRC-32C of these bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let tables: &Tables = &TABLES;
    let mut crc = u32::MAX;
    // A step waits for the one before it, so two lanes are computed side by side.
    let (blocks, rest) = bytes.as_chunks::<{ 2 * LANE }>();
    for block in blocks {
        let (left, right) = block.split_at(LANE);
        let steps = left.as_chunks().0.iter().zip(right.as_chunks().0);
        let (mut first, mut second) = (crc, 0);
        for (left, right) in steps {
            first = further(tables, first, left);
            second = further(tables, second, right);
        }
        crc = product(*BEHIND, first) ^ second;
    }
    let (steps, tail) = rest.as_chunks();
    for step in steps {
        crc = further(tables, crc, step);
    }
    for byte in tail {
        crc = (crc >> 8) ^ tables[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
    }
    !crc
}

#[inline]
fn further(tables: &Tables, crc: u32, step: &[u8; STEP]) -> u32 {
    let [a, b, c, d, ..] = *step;
    let [a, b, c, d] = (u32::from_le_bytes([a, b, c, d]) ^ crc).to_le_bytes();
    let mut next = tables[15][usize::from(a)]
        ^ tables[14][usize::from(b)]
        ^ tables[13][usize::from(c)]
        ^ tables[12][usize::from(d)];
    for place in 4..STEP {
        next ^= tables[STEP - 1 - place][usize::from(step[place])];
    }
    next
}

/// The checksum of two pieces, one behind the other, from theirs and the length of the second.
pub(crate) fn joined(first: u32, second: u32, length: u64) -> u32 {
    product(zeros(length), first) ^ second
}

/// What so many bytes of zero multiply a checksum by: a power of x, by squaring.
fn zeros(mut length: u64) -> u32 {
    let (mut power, mut square) = (ONE, X_TO_THE_8TH);
    while length > 0 {
        if length & 1 == 1 {
            power = product(power, square);
        }
        square = product(square, square);
        length >>= 1;
    }
    power
}

const ONE: u32 = 1 << 31;
const X_TO_THE_8TH: u32 = 1 << 23;

/// The product of two polynomials, modulo the one of Castagnoli. The highest bit is the constant term.
fn product(left: u32, mut right: u32) -> u32 {
    let mut sum = 0;
    for bit in (0..32).rev() {
        sum ^= right & (left >> bit & 1).wrapping_neg();
        right = divided(right);
    }
    sum
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn by_bits(bytes: &[u8]) -> u32 {
        let eight = |crc| (0..8).fold(crc, |crc, _| divided(crc));
        !bytes
            .iter()
            .fold(u32::MAX, |crc, byte| eight(crc ^ u32::from(*byte)))
    }

    #[test]
    fn the_check_value_of_the_catalogue_of_checksums() {
        assert_eq!(checksum(b"123456789"), 0xE306_9283);
        assert_eq!(checksum(b""), 0);
    }

    proptest! {
        #[test]
        fn many_bytes_a_step_give_what_single_bits_give(bytes in prop::collection::vec(any::<u8>(), 0..6_000)) {
            prop_assert_eq!(checksum(&bytes), by_bits(&bytes));
        }

        #[test]
        fn pieces_join(bytes in prop::collection::vec(any::<u8>(), 0..100), cut in any::<prop::sample::Index>()) {
            let (first, second) = bytes.split_at(cut.index(bytes.len() + 1));
            let joint = joined(checksum(first), checksum(second), second.len() as u64);
            prop_assert_eq!(joint, checksum(&bytes));
        }
    }
}
