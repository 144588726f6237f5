//! Numbers as postcard writes them, for columns of so many that going through serde one by one takes longer than all the
//! rest: varints of seven bits a byte, floats in little-endian.

use std::borrow::Cow;

/// Appends a varint.
#[inline]
pub(crate) fn put_varint(into: &mut Vec<u8>, mut value: u64) {
    while value > 0x7F {
        into.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    into.push(value.to_le_bytes()[0]);
}

/// Floats as bytes: as they lie in memory, where that is little-endian.
pub(crate) fn floats(values: &[f32]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        Cow::Borrowed(bytemuck::must_cast_slice(values))
    } else {
        Cow::Owned(
            values
                .iter()
                .flat_map(|value| value.to_le_bytes())
                .collect(),
        )
    }
}

/// The floats of these bytes, of which there are four for each.
pub(crate) fn read_floats(bytes: &[u8]) -> impl ExactSizeIterator<Item = f32> {
    let (values, _) = bytes.as_chunks();
    values.iter().map(|value| f32::from_le_bytes(*value))
}

/// The top bit of each byte of a word: a varint goes on where it is set.
const MORE: u64 = 0x8080_8080_8080_8080;
/// So many bytes of a column of varints are looked at together.
const RUN: usize = 64;

/// Reads numbers from the front of bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    pub(crate) const fn length(self) -> usize {
        self.0.len()
    }

    /// Cuts off so many bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(bytes)
    }

    #[inline]
    pub(crate) fn varint(&mut self) -> Option<u64> {
        let (first, rest) = self.0.split_first()?;
        if *first < 0x80 {
            self.0 = rest;
            return Some(u64::from(*first));
        }
        self.long_varint()
    }

    /// One of several bytes: up to eight of them are read as a word, and their bits moved together.
    #[inline]
    fn long_varint(&mut self) -> Option<u64> {
        let Some((word, _)) = self.0.split_first_chunk() else {
            return self.longest_varint();
        };
        let word = u64::from_le_bytes(*word);
        let ends = !word & MORE;
        if ends == 0 {
            return self.longest_varint();
        }
        let bits = ends.trailing_zeros();
        self.0 = self.0.get(bits as usize / 8 + 1..)?;
        // The top bit of the last byte is not set, so it may stay.
        let word = word & (u64::MAX >> (63 - bits)) & !MORE;
        let word = (word & 0x007F_007F_007F_007F) | ((word & 0x7F00_7F00_7F00_7F00) >> 1);
        let word = (word & 0x0000_3FFF_0000_3FFF) | ((word & 0x3FFF_0000_3FFF_0000) >> 2);
        Some((word & 0x0FFF_FFFF) | ((word & 0x0FFF_FFFF_0000_0000) >> 4))
    }

    #[inline(never)]
    fn longest_varint(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0, 0);
        let mut rest = self.0;
        while let [byte, behind @ ..] = rest {
            rest = behind;
            value |= u64::from(byte & 0x7F) << shift;
            if *byte < 0x80 {
                self.0 = rest;
                // The tenth byte has room for one bit.
                return (shift < 63 || *byte < 2).then_some(value);
            }
            shift += 7;
            if shift > 63 {
                break;
            }
        }
        None
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Option<u32> {
        u32::try_from(self.varint()?).ok()
    }

    /// A number of things that take at least a byte each, so never more than there are bytes.
    pub(crate) fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.varint()?).ok()?;
        (count <= self.0.len()).then_some(count)
    }

    /// Cuts off so many varints, to be read later.
    pub(crate) fn varints(&mut self, count: usize) -> Option<Self> {
        let (mut missing, mut length) = (count, 0);
        for run in self.0.as_chunks::<RUN>().0 {
            let ends = run.iter().filter(|byte| **byte < 0x80).count();
            if ends >= missing {
                break;
            }
            missing -= ends;
            length += RUN;
        }
        let mut rest = self.0.get(length..)?.iter();
        while missing > 0 {
            missing -= usize::from(*rest.next()? < 0x80);
        }
        self.bytes(self.0.len() - rest.len()).map(Self)
    }

    #[inline]
    pub(crate) fn f64(&mut self) -> Option<f64> {
        super::frame::take(&mut self.0).map(f64::from_le_bytes)
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn varints_are_those_of_postcard(values in prop::collection::vec(any::<u64>().prop_flat_map(|value| (0..64_u32).prop_map(move |bits| value >> bits)), 0..90)) {
            let mut bytes = Vec::new();
            for value in &values {
                put_varint(&mut bytes, *value);
            }
            let theirs: Vec<u8> = values.iter().flat_map(|value| postcard::to_allocvec(value).unwrap()).collect();
            prop_assert_eq!(&bytes, &theirs);
            let mut all = Reader::new(&bytes);
            let mut cut = all.varints(values.len()).unwrap();
            prop_assert!(all.is_empty() && all.varints(1).is_none());
            let (mut one, mut many) = (Reader::new(&bytes), 0);
            for count in 1..=values.len() {
                many += one.varints(1).unwrap().length();
                prop_assert_eq!(Reader::new(&bytes).varints(count).unwrap().length(), many);
            }
            for value in values {
                prop_assert_eq!(cut.varint(), Some(value));
            }
            prop_assert_eq!(cut.varint(), None);
        }

        #[test]
        fn noise_is_read_as_postcard_reads_it(bytes in prop::collection::vec(prop_oneof![any::<u8>(), 0x80..=0xFF_u8], 0..14)) {
            let theirs = postcard::take_from_bytes::<u64>(&bytes).ok().map(|(value, _)| value);
            prop_assert_eq!(Reader::new(&bytes).varint(), theirs);
        }
    }
}
