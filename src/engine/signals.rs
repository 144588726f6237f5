//! Recording signals: local first, then the gate, then the stamped contribution.

use super::state::State;
use super::{Engine, check_time, check_user, clamp_now};
use crate::catalogue::Hint;
use crate::error::Error;
use crate::governance::{
    AgentId, CommunityId, ItemId, KindId, MembershipStatus, Outcome, SignalProvenance, SignalScope,
    UserId,
};
use crate::log::{Event, SignalEvent};
use crate::signals::valid_weight;

/// How many signals of a batch are looked at before they are recorded: what they need fits into the fastest cache.
const AHEAD: usize = 64;

/// One thing that a user did with an item.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Signal {
    /// The person.
    pub user: UserId,
    /// What it is about.
    pub item: ItemId,
    /// Its kind, by number.
    pub kind: KindId,
    /// None: the kind's default. Finite, at most 1e6 in size (R15).
    pub weight: Option<f64>,
    /// Nanoseconds since 1970; none: now. Not before 1990-01-01, at most 24 h ahead (R15).
    pub at_ns: Option<u64>,
    /// None: local only.
    pub community: Option<CommunityId>,
    /// Who writes on the user's behalf.
    pub agent: Option<AgentId>,
}

impl Signal {
    /// A signal of the kind's own weight, made now, that is local only.
    #[must_use]
    pub fn new(user: UserId, item: ItemId, kind: KindId) -> Self {
        Self {
            user,
            item,
            kind,
            weight: None,
            at_ns: None,
            community: None,
            agent: None,
        }
    }
}

impl Engine {
    /// Records a signal: always in the local profile (R2), and in the community where the gate allows (R1). The
    /// outcome says what became of the community part.
    ///
    /// # Errors
    /// `InvalidId` for user 0, `UnknownKind`, `InvalidWeight`, `InvalidTimestamp`. Nothing has changed then.
    pub fn signal(&mut self, signal: &Signal, now_ns: u64) -> Result<Outcome, Error> {
        self.signal_hinted(signal, &mut Hint::default(), now_ns)
    }

    /// The same for a caller that keeps a hint beside the item's id, so that the next signal about it finds it without
    /// hashing. A wrong hint costs a look-up and is put right.
    ///
    /// # Errors
    /// As [`Engine::signal`].
    #[inline]
    pub fn signal_hinted(
        &mut self,
        signal: &Signal,
        item: &mut Hint,
        now_ns: u64,
    ) -> Result<Outcome, Error> {
        let checked = self.check(signal, now_ns)?;
        Ok(self.record_signal(signal, checked, item, now_ns))
    }

    /// Records many signals, all or none: each is checked before the first is recorded. How many of them count in their
    /// community.
    ///
    /// # Errors
    /// As [`Engine::signal`].
    pub fn signal_batch(
        &mut self,
        signals: impl Iterator<Item = Signal> + Clone,
        now_ns: u64,
    ) -> Result<u32, Error> {
        for signal in signals.clone() {
            self.check(&signal, now_ns)?;
        }
        let mut recorded: u32 = 0;
        let (mut signals, mut ahead) = (signals.clone(), signals);
        loop {
            // What a processor has to fetch for one signal it waits for; for many that it is shown at once it does not.
            let shown = ahead
                .by_ref()
                .take(AHEAD)
                .map(|signal| self.state.look_at(signal.user, signal.item));
            core::hint::black_box(shown.fold(0, u32::wrapping_add));
            let mut more = false;
            for signal in signals.by_ref().take(AHEAD) {
                more = true;
                let outcome = self.signal(&signal, now_ns)?;
                recorded = recorded.saturating_add(u32::from(outcome == Outcome::Recorded));
            }
            if !more {
                return Ok(recorded);
            }
        }
    }

    /// Every signal is canonical as soon as it is recorded, and items soon after: there is no store that they would wait
    /// for. What else is recorded waits for [`Engine::commit`].
    pub fn settle_signals(&mut self) {
        self.settles = true;
    }

    /// The weight and the time of a signal that is in order.
    #[inline]
    fn check(&self, signal: &Signal, now_ns: u64) -> Result<(f64, u64), Error> {
        check_user(signal.user)?;
        let default = self.weights.get(signal.kind).ok_or(Error::UnknownKind)?;
        // Adding 0 turns a negative zero into the plain one.
        let weight = signal.weight.unwrap_or(default) + 0.0;
        if !valid_weight(weight) {
            return Err(Error::InvalidWeight("weight"));
        }
        Ok((weight, check_time(signal.at_ns, now_ns)?))
    }

    /// As `record`, which asks of any other event what it may change.
    #[inline]
    fn record_signal(
        &mut self,
        signal: &Signal,
        (weight, at_ns): (f64, u64),
        item: &mut Hint,
        now_ns: u64,
    ) -> Outcome {
        let (layer, provenance) = self.stamp(signal, now_ns);
        let event = SignalEvent {
            user: signal.user,
            item: signal.item,
            kind: signal.kind,
            weight,
            at_ns,
            layer,
            provenance,
        };
        if !self.state.names.none_waiting() {
            self.log_names(&Event::Signal(event));
        }
        let outcome = self.state.apply_signal(&event, item);
        match outcome {
            Outcome::Local => {}
            Outcome::Recorded => self.contributed.recorded += 1,
            _ => self.contributed.gated += 1,
        }
        if self.settles && self.pending.is_empty() {
            self.state.commit_signals();
        } else {
            self.keep_signal(event, outcome);
        }
        outcome
    }

    fn keep_signal(&mut self, event: SignalEvent, outcome: Outcome) {
        self.pending.push(Event::Signal(event), outcome);
        if self.settles {
            self.commit_all();
        }
    }

    /// The stamp of a signal (R5): what it counts under is settled when it is made.
    #[inline]
    fn stamp(&self, signal: &Signal, now_ns: u64) -> (Option<u64>, SignalProvenance) {
        let layer = if self.state.layer.is_empty() {
            Some(0)
        } else {
            let row = self.state.layer.status(signal.user);
            (row.status == MembershipStatus::Active).then_some(row.left_at_ns.unwrap_or(0))
        };
        let row = signal
            .community
            .and_then(|community| self.state.registry.gate(signal.user, community));
        let provenance = SignalProvenance {
            membership_epoch: row.map(|row| row.epoch),
            scope: signal
                .community
                .map_or(SignalScope::Local, SignalScope::Community),
            share_policy_version: row.map_or(0, |row| row.share_policy_version),
            origin: self.state.origin,
            // The place in the log is the number, so it is known when the event is appended.
            sequence: 0,
            writer_agent: signal.agent,
            hlc: row.map_or(0, |_| self.next_clock(now_ns)),
        };
        (layer, provenance)
    }

    /// The hybrid logical clock: the host's milliseconds, or one tick past what was seen, whichever is later.
    #[inline]
    fn next_clock(&self, now_ns: u64) -> u64 {
        let physical = (clamp_now(now_ns) / 1_000_000) << 16;
        physical.max(self.state.replication.clock().saturating_add(1))
    }
}

impl State {
    /// Reads what a signal will change, to have it at hand.
    #[inline]
    fn look_at(&self, user: UserId, item: ItemId) -> u32 {
        let (Some(user), Some(item)) = (self.profiles.find(user), self.items.find(item)) else {
            return 0;
        };
        let Some(slot) = self.profiles.ledger.find(user, item) else {
            return 0;
        };
        let own = self.profiles.ledger.look_at(slot);
        own.wrapping_add(self.contributions.look_beside(slot))
    }
}
