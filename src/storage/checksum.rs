//! CRC-32C, and the checksum of two pieces from theirs.
//!
//! Neither WebAssembly nor safe Rust reaches the processor's own instruction. So many bytes are first folded into few, by
//! adding each word to five that come later, which leaves the checksum as it is. Of the few each byte is looked up in a
//! table of what it does from so many bytes before the end. The tables are made when they are first needed: 16 KiB that
//! nobody has to download.

use std::sync::LazyLock;

/// The polynomial of Castagnoli, its bits reversed.
const POLYNOMIAL: u32 = 0x82F6_3B78;
const STEP: usize = 16;
const WORD: usize = size_of::<u64>();
/// x^(64·290) = x^(64·136) + x^(64·113) + x^(64·107) + x^(64·32) + 1, modulo the polynomial: so a word may be taken out where
/// it is added to those so many words later, and nothing changes. Of the ten shortest such sums of six powers this one leaves
/// the most room between a word and the first one that it is added to.
const LAGS: [usize; 5] = [154, 177, 183, 258, 290];
const LONGEST: usize = LAGS[4];
/// So many words at once do not need each other.
const RUN: usize = LAGS[0];
/// How many runs go by until what is still needed of them is moved to the front: all stays in the fastest cache.
const RUNS: usize = 11;

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

/// One bit further.
const fn divided(crc: u32) -> u32 {
    (crc >> 1) ^ (POLYNOMIAL & (crc & 1).wrapping_neg())
}

/// The CRC-32C of these bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u32 {
    let (words, _) = bytes.as_chunks::<WORD>();
    // Fewer are looked up before they are folded.
    let Some(folded) = words.len().checked_sub(LONGEST).filter(|n| *n > RUN) else {
        return !continued(u32::MAX, bytes);
    };
    let (folded, rest) = bytes.split_at(folded * WORD);
    let (last, tail) = rest.split_at(LONGEST * WORD);
    let last = fold(folded, last);
    !continued(
        continued(0, last.map(u64::to_le_bytes).as_flattened()),
        tail,
    )
}

/// Adds words to the last ones until nothing is left of them. What a word adds is 64 bits wide, so any processor does it in
/// its widest registers; tables would be asked for each byte.
fn fold(bytes: &[u8], last: &[u8]) -> [u64; LONGEST] {
    let mut sums = [0; LONGEST + RUNS * RUN];
    // The start value, which the first word takes in.
    sums[0] = u64::from(u32::MAX);
    let mut end = LONGEST;
    for run in bytes.as_chunks::<WORD>().0.chunks(RUN) {
        if end + run.len() > sums.len() {
            sums.copy_within(end - LONGEST..end, 0);
            end = LONGEST;
        }
        let (before, new) = sums.split_at_mut(end);
        let [one, two, three, four, five] = LAGS.map(|lag| &before[end - lag..]);
        let before = one.iter().zip(two).zip(three).zip(four).zip(five);
        for ((sum, word), before) in new.iter_mut().zip(run).zip(before) {
            let ((((one, two), three), four), five) = before;
            *sum = u64::from_le_bytes(*word) ^ one ^ two ^ three ^ four ^ five;
        }
        end += run.len();
    }
    let mut words = [0; LONGEST];
    for (word, bytes) in words.iter_mut().zip(last.as_chunks().0) {
        *word = u64::from_le_bytes(*bytes);
    }
    for lag in LAGS {
        for (word, sum) in words.iter_mut().zip(&sums[end - lag..end]) {
            *word ^= sum;
        }
    }
    words
}

/// The same from a checksum on, which is not inverted here: sixteen bytes a step.
fn continued(mut crc: u32, bytes: &[u8]) -> u32 {
    let tables: &Tables = &TABLES;
    let (steps, tail) = bytes.as_chunks();
    for step in steps {
        crc = further(tables, crc, step);
    }
    for byte in tail {
        crc = (crc >> 8) ^ tables[0][usize::from(crc.to_le_bytes()[0] ^ byte)];
    }
    crc
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

    #[test]
    fn words_are_added_where_they_change_nothing() {
        let power = |words: usize| zeros((words * WORD) as u64);
        let sum = LAGS.iter().fold(0, |sum, lag| sum ^ power(LONGEST - lag));
        assert_eq!(sum, power(LONGEST));
        assert!(LAGS.is_sorted());
    }

    #[test]
    fn many_bytes_folded_into_few_give_what_single_bits_give() {
        let noise = |place: u32| place.wrapping_mul(0x9E37_79B9).to_be_bytes()[0];
        let bytes: Vec<u8> = (0..70_000).map(noise).collect();
        let (short, block) = ((LONGEST + RUN) * WORD, RUNS * RUN * WORD);
        for length in [
            short,
            short + 2 * WORD,
            block + short,
            3 * block,
            bytes.len(),
        ] {
            for length in length - 9..=length {
                assert_eq!(checksum(&bytes[..length]), by_bits(&bytes[..length]));
            }
        }
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
