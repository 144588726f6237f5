//! Choices out of bytes: one byte each, so that a changed byte changes one choice and the others keep their place.

use super::world::COMMUNITIES;
use tidegate::governance::CommunityId;

pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    /// The next byte; 0 where there is none.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        *first
    }

    pub fn bool(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    pub fn below(&mut self, end: usize) -> usize {
        usize::from(self.byte()) % end.max(1)
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// The first one more often, so that calls meet.
    pub fn community(&mut self) -> CommunityId {
        COMMUNITIES[self.pick(&[0, 0, 0, 1, 1, 2])]
    }

    pub fn maybe<T: Copy>(&mut self, of: &[T]) -> Option<T> {
        let place = self.below(of.len() + 1);
        place.checked_sub(1).map(|place| of[place])
    }
}
