//! A source of numbers that gives the same ones for the same seed, everywhere and for ever: `SplitMix64`.

#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to `limit` − 1. The bias of the remainder does not matter here.
    pub const fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn index(&mut self, length: usize) -> usize {
        usize::try_from(self.below(length as u64)).expect("an index")
    }

    /// True in so many of a hundred cases.
    pub const fn percent(&mut self, cases: u64) -> bool {
        self.below(100) < cases
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.index(from.len())]
    }

    /// An index, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut place = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            if place < *weight {
                return index;
            }
            place -= weight;
        }
        unreachable!("the place is below the sum of all weights")
    }
}
