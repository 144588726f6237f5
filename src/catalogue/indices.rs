//! A short list of indices: so few as most items have take no memory of their own.

use core::ops::Deref;

/// So many fit in.
const INLINE: usize = 4;

#[derive(Debug, Clone)]
pub(crate) enum Indices {
    Few { count: u8, few: [u32; INLINE] },
    Many(Box<[u32]>),
}

impl Default for Indices {
    fn default() -> Self {
        Self::Few {
            count: 0,
            few: [0; INLINE],
        }
    }
}

impl Deref for Indices {
    type Target = [u32];

    #[inline]
    fn deref(&self) -> &[u32] {
        match self {
            Self::Few { count, few } => few.get(..usize::from(*count)).unwrap_or(few),
            Self::Many(many) => many,
        }
    }
}

impl PartialEq for Indices {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<'a> IntoIterator for &'a Indices {
    type Item = &'a u32;
    type IntoIter = core::slice::Iter<'a, u32>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl FromIterator<u32> for Indices {
    #[inline]
    fn from_iter<I: IntoIterator<Item = u32>>(indices: I) -> Self {
        let mut indices = indices.into_iter();
        let (mut count, mut few) = (0_u8, [0; INLINE]);
        while let Some(index) = indices.next() {
            let Some(place) = few.get_mut(usize::from(count)) else {
                let all = few.into_iter().chain([index]).chain(indices);
                return Self::Many(all.collect());
            };
            *place = index;
            count += 1;
        }
        Self::Few { count, few }
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn any_number_of_indices_comes_back() {
        for count in 0..20 {
            let indices: Indices = (7..7 + count).collect();
            assert_eq!(*indices, *(7..7 + count).collect::<Vec<_>>());
        }
        assert!(Indices::default().is_empty());
    }

    #[test]
    fn what_is_not_there_tells_no_lists_apart() {
        let longer: Indices = (0..3).collect();
        let shorter = Indices::Few {
            count: 2,
            few: [0, 1, 9, 9],
        };
        assert!(longer != shorter && shorter == (0..2).collect());
    }
}
