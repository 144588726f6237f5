//! What comes in.

use super::{Answer, fail};
use crate::catalogue::Hint;
use crate::error::Error;
use crate::governance::{KindId, KindSet, ShareMode, SharePolicy};
use crate::signals::{Kind, nanoseconds};
use serde::Deserialize;
use wasm_bindgen::JsValue;

/// Reads an object that `js/` has made.
pub(super) fn read<T: serde::de::DeserializeOwned>(value: JsValue) -> Answer<T> {
    serde_wasm_bindgen::from_value(value).map_err(|_| fail(Error::InvalidArgument("options")))
}

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

#[derive(Deserialize)]
pub(super) struct Config {
    pub(super) dimensions: u32,
    kinds: Vec<KindArgument>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct KindArgument {
    name: String,
    weight: f64,
    half_life_ms: f64,
    seen: bool,
    hide: bool,
}

impl Config {
    pub(super) fn kinds(self) -> Vec<Kind> {
        let kind = |kind: KindArgument| Kind {
            name: kind.name,
            weight: kind.weight,
            half_life_ns: nanoseconds(kind.half_life_ms),
            seen: kind.seen,
            hide: kind.hide,
        };
        self.kinds.into_iter().map(kind).collect()
    }
}

/// A share policy; the kinds by number.
#[derive(Deserialize)]
pub(super) struct Policy {
    version: u16,
    share: Share,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Share {
    Kinds(Vec<u16>),
    Mode(String),
}

impl Policy {
    /// Undefined where none is given.
    pub(super) fn read(value: JsValue) -> Answer<Option<SharePolicy>> {
        if value.is_undefined() {
            return Ok(None);
        }
        let policy: Self = read(value)?;
        let mode = match policy.share {
            Share::Mode(mode) if mode == "None" => ShareMode::None,
            Share::Mode(_) => ShareMode::All,
            Share::Kinds(kinds) => {
                let mut set = KindSet::EMPTY;
                for kind in kinds {
                    set.insert(KindId(kind));
                }
                ShareMode::Kinds(set)
            }
        };
        Ok(Some(SharePolicy {
            version: policy.version,
            mode,
        }))
    }
}
