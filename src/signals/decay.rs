//! Exponential decay with a half-life, the same on every platform (R13).

/// 2^(−elapsed/half-life), with a memo of one entry: signals that arrive together share their elapsed time.
#[derive(Debug, Clone)]
pub(crate) struct Decay {
    exponent: f64,
    factor: f64,
}

impl Default for Decay {
    fn default() -> Self {
        Self {
            exponent: 0.0,
            factor: 1.0,
        }
    }
}

impl Decay {
    /// The share of a value that is left after `elapsed_ns`; 1 at 0, and 0 (never NaN) after any longer gap.
    #[inline]
    pub(crate) fn factor(&mut self, elapsed_ns: u64, half_life_ns: f64) -> f64 {
        #[expect(
            clippy::cast_precision_loss,
            reason = "an error of 2^-53 of a gap is far below a value's own precision"
        )]
        let half_lives = elapsed_ns as f64 / half_life_ns;
        self.halved(half_lives)
    }

    /// 2^(−half-lives), for any non-negative number of them.
    #[inline]
    pub(crate) fn halved(&mut self, half_lives: f64) -> f64 {
        let exponent = half_lives;
        if exponent.to_bits() != self.exponent.to_bits() {
            self.exponent = exponent;
            self.factor = libm::exp2(-exponent);
        }
        self.factor
    }

    /// Adds a signal to a decayed value: what is older decays to the time of what is newer.
    #[inline]
    pub(crate) fn accumulate(
        &mut self,
        value: &mut f64,
        time: &mut u64,
        half_life_ns: f64,
        weight: f64,
        at: u64,
    ) {
        if at >= *time {
            *value = *value * self.factor(at - *time, half_life_ns) + weight;
            *time = at;
        } else {
            *value += weight * self.factor(*time - at, half_life_ns);
        }
    }

    /// A decayed value as of `at`; before its own time it is what it was then.
    #[inline]
    pub(crate) fn read(&mut self, value: f64, time: u64, half_life_ns: f64, at: u64) -> f64 {
        value * self.factor(at.saturating_sub(time), half_life_ns)
    }
}

/// [`about_factor`] is nearer to the factor than this part of it.
pub(crate) const ABOUT_ERROR: f64 = 2e-4;

/// About [`Decay::factor`], for telling what is not worth reading exactly: a cubic between powers of two.
#[inline]
pub(crate) fn about_factor(elapsed_ns: u64, half_life_ns: f64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "rough on purpose")]
    let half_lives = elapsed_ns as f64 / half_life_ns;
    if half_lives >= 1_000.0 {
        return 0.0;
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casting a float saturates"
    )]
    let whole = half_lives as u32;
    let rest = half_lives - f64::from(whole);
    let halved = f64::from_bits(u64::from(1_023 - whole) << 52);
    halved * (0.999_943 + rest * (-0.691_306 + rest * (0.230_797 - rest * 0.039_484)))
}

/// Nanoseconds as milliseconds; exact for whole milliseconds of any date.
#[expect(
    clippy::cast_precision_loss,
    reason = "whole milliseconds of u64 nanoseconds are below 2^53"
)]
#[must_use]
pub fn milliseconds(ns: u64) -> f64 {
    (ns / 1_000_000) as f64 + (ns % 1_000_000) as f64 / 1e6
}

/// Milliseconds as nanoseconds; exact for whole milliseconds. Clamped into range; NaN is 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casting a float saturates"
)]
#[must_use]
pub fn nanoseconds(ms: f64) -> u64 {
    let whole = ms.trunc();
    let rest = ms - whole;
    let ns = (whole as u64).saturating_mul(1_000_000);
    if rest == 0.0 {
        // Nearly always, and rounding is a call.
        return ns;
    }
    ns.saturating_add((rest * 1e6).round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rough_factor_is_as_near_as_it_says() {
        for step in 0..40_000_u64 {
            let (elapsed, half_life) = (step * 7_919, 3e5);
            let exact = Decay::default().factor(elapsed, half_life);
            let error = (about_factor(elapsed, half_life) - exact).abs();
            assert!(error <= 0.9 * ABOUT_ERROR * exact + 1e-300, "{elapsed}");
        }
    }
}
