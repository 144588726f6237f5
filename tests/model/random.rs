//! Chance that can be repeated, and the way from a long failing history to a short one.

use crate::history::Op;

/// `SplitMix64` (Steele, Lea, Flood 2014): small, and the same everywhere for ever.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// True once in `times`.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        let index = usize::try_from(self.below(from.len() as u64)).unwrap();
        from[index].clone()
    }

    /// From −1 up to 1.
    pub fn unit(&mut self) -> f64 {
        f64::from(u32::try_from(self.below(1 << 31)).unwrap()) / f64::from(1_u32 << 30) - 1.0
    }

    pub fn some<T>(&mut self, one_in: u64, value: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.one_in(one_in) {
            Some(value(self))
        } else {
            None
        }
    }
}

/// Cuts a failing history down: leaves out ever smaller pieces as long as it still fails.
pub fn shrink(mut ops: Vec<Op>, fails: impl Fn(&[Op]) -> bool) -> Vec<Op> {
    let mut piece = ops.len().div_ceil(2);
    while piece > 0 {
        let mut from = 0;
        while from < ops.len() {
            let mut fewer = ops.clone();
            fewer.drain(from..(from + piece).min(ops.len()));
            if fails(&fewer) {
                ops = fewer;
            } else {
                from += piece;
            }
        }
        piece /= 2;
    }
    ops
}
