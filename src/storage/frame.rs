//! Checked bytes: a version, and a checksum over everything behind it.

pub(crate) use super::checksum::{checksum, joined};

/// Cuts the first `N` bytes off.
pub(crate) fn take<'a, const N: usize>(bytes: &mut &'a [u8]) -> Option<[u8; N]> {
    let (head, rest): (&'a [u8; N], _) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*head)
}

/// Appends a value in postcard's encoding. Encoding the core's own types into memory cannot fail.
pub(crate) fn put<T: serde::Serialize + ?Sized>(into: &mut Vec<u8>, value: &T) {
    struct Sink<'a>(&'a mut Vec<u8>);
    impl Extend<u8> for Sink<'_> {
        fn extend<I: IntoIterator<Item = u8>>(&mut self, bytes: I) {
            self.0.extend(bytes);
        }
    }
    let _ = postcard::to_extend(value, Sink(into));
}

/// Reads a value that takes up all of these bytes.
pub(crate) fn read<'a, T: serde::Deserialize<'a>>(bytes: &'a [u8]) -> Option<T> {
    let (value, rest) = postcard::take_from_bytes(bytes).ok()?;
    rest.is_empty().then_some(value)
}
