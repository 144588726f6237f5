//! What comes in.

use crate::catalogue::Hint;
use crate::governance::{KindId, KindSet, ShareMode, SharePolicy};
use crate::signals::{Kind, nanoseconds};

/// Ids that have no number of their own in JavaScript, by handle, each with where it was found as an item.
#[derive(Default)]
pub(super) struct Handles(Vec<(u64, Hint)>);

impl Handles {
    pub(super) fn add(&mut self, id: u64) -> u32 {
        self.0.push((id, Hint::default()));
        crate::signals::next_index(self.0.len() - 1)
    }

    #[inline]
    pub(super) fn id(&self, argument: f64) -> u64 {
        match own(argument) {
            Ok(id) => id,
            Err(handle) => self.0.get(handle).map_or(0, |(id, _)| *id),
        }
    }

    /// The id behind an argument, and the hint that is kept beside its handle; `none` where it has no handle.
    #[inline]
    pub(super) fn hinted<'a>(
        &'a mut self,
        argument: f64,
        none: &'a mut Hint,
    ) -> (u64, &'a mut Hint) {
        match own(argument) {
            Ok(id) => (id, none),
            Err(handle) => match self.0.get_mut(handle) {
                Some((id, hint)) => (*id, hint),
                None => (0, none),
            },
        }
    }
}

/// The id that an argument is itself, or else the handle of one.
#[inline]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "js/ passes whole numbers only"
)]
fn own(argument: f64) -> Result<u64, usize> {
    if argument >= 0.0 {
        Ok(argument as u64)
    } else {
        Err((-1.0 - argument) as usize)
    }
}

/// Kinds by their names, and of each the weight, the half-life in milliseconds, and 1 for seen plus 2 for hide. Columns,
/// because reading objects takes seven times the code.
pub(super) fn kinds(names: Vec<String>, numbers: &[f64]) -> Vec<Kind> {
    let (numbers, _) = numbers.as_chunks::<3>();
    let kind = |(name, [weight, half_life_ms, role]): (String, &[f64; 3])| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "casting a float saturates"
        )]
        let role = *role as u8;
        Kind {
            name,
            weight: *weight,
            half_life_ns: nanoseconds(*half_life_ms),
            seen: role & 1 != 0,
            hide: role & 2 != 0,
        }
    };
    names.into_iter().zip(numbers).map(kind).collect()
}

/// A share policy: the version, 0 for all, 1 for none and 2 for some kinds, and the numbers of these.
pub(super) fn policy(numbers: Option<Vec<u16>>) -> Option<SharePolicy> {
    let numbers = numbers?;
    let [version, mode, kinds @ ..] = numbers.as_slice() else {
        return None;
    };
    let mode = match mode {
        0 => ShareMode::All,
        1 => ShareMode::None,
        _ => {
            let mut set = KindSet::EMPTY;
            for kind in kinds {
                set.insert(KindId(*kind));
            }
            ShareMode::Kinds(set)
        }
    };
    Some(SharePolicy {
        version: *version,
        mode,
    })
}
