//! Taking in events of other origins.

use super::Engine;
use crate::error::Error;
use crate::governance::Outcome;
use crate::log::{Event, EventRecord, Remote};
use crate::signals::valid_weight;

impl Engine {
    /// Applies a logged event of another origin: counted once (R7), never under an epoch that it does not carry (R6),
    /// and without local effects (R17).
    ///
    /// # Errors
    /// `InvalidArgument` for an event of this database itself or without a number, `InvalidId` for user 0,
    /// `UnknownKind`, `InvalidWeight`. Nothing has changed then.
    pub fn replay(&mut self, record: &EventRecord) -> Result<Outcome, Error> {
        if record.origin == self.state.origin || record.sequence == 0 {
            return Err(Error::InvalidArgument("origin"));
        }
        if let Remote::Contribution { kind, weight, .. } = record.event {
            self.state.kinds.get(kind).ok_or(Error::UnknownKind)?;
            if !valid_weight(weight) {
                return Err(Error::InvalidWeight("weight"));
            }
        }
        super::check_user(record.event.user())?;
        if !record.event.is_sound(self.state.kinds.list().len()) {
            return Err(Error::InvalidArgument("event"));
        }
        Ok(self.record(Event::Replayed(*record)))
    }
}
