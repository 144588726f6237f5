//! Two accumulators side by side.

use crate::signals::Decay;

/// The code of an accumulator that is not there: a schema has at most 256 kinds.
const FREE: u16 = u16::MAX;

/// The number that stands for a kind and a sign.
#[inline]
pub(super) fn code(kind: u16, negative: bool) -> u16 {
    (kind << 1) | u16::from(negative)
}

/// Decayed sums: values as of times. The second place is taken after the first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    values: [f64; Self::PLACES],
    times: [u64; Self::PLACES],
    codes: [u16; Self::PLACES],
    /// Where the undo log may hold the slot that this is a part of.
    pub(super) saved: u32,
}

/// An accumulator by itself: `value` as of `time`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stored {
    pub(crate) kind: u16,
    /// Negative weights keep a separate accumulator.
    pub(crate) negative: bool,
    pub(crate) value: f64,
    pub(crate) time: u64,
}

impl Pair {
    pub(super) const PLACES: usize = 2;

    pub(super) const fn empty(saved: u32) -> Self {
        Self {
            values: [0.0; Self::PLACES],
            times: [0; Self::PLACES],
            codes: [FREE; Self::PLACES],
            saved,
        }
    }

    /// Where the accumulator is, or would come; none where others have both places.
    #[inline]
    pub(super) fn place(&self, code: u16) -> Option<usize> {
        let fits = |taken: u16| taken == code || taken == FREE;
        let [first, second] = self.codes;
        if fits(first) {
            Some(0)
        } else {
            fits(second).then_some(1)
        }
    }

    #[inline]
    pub(super) fn get(&self, place: usize) -> Option<Stored> {
        let code = *self.codes.get(place)?;
        (code != FREE).then_some(Stored {
            kind: code >> 1,
            negative: code & 1 == 1,
            value: self.values[place],
            time: self.times[place],
        })
    }

    #[inline]
    pub(super) fn set(&mut self, place: usize, code: u16, value: f64, time: u64) {
        (self.values[place], self.times[place]) = (value, time);
        self.codes[place] = code;
    }

    /// Adds a weight at a time to the accumulator in its place, or begins it there.
    #[inline]
    pub(super) fn add(
        &mut self,
        place: usize,
        code: u16,
        (weight, at): (f64, u64),
        half_life_ns: f64,
        decay: &mut Decay,
    ) {
        if self.codes[place] == FREE {
            self.set(place, code, weight, at);
        } else {
            let (value, time) = (&mut self.values[place], &mut self.times[place]);
            decay.accumulate(value, time, half_life_ns, weight, at);
        }
    }
}
