//! An engine and the model, side by side through one history.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::compare::{self, Verdict, same, same_bytes};
use crate::engine_side::{Answer, Subject};
use crate::history::{Op, Setting, T0};
use crate::reference::{DAY, Model};

/// How many calls lie between two comparisons of the cheap views.
const GOVERNANCE_EVERY: usize = 5;

pub struct Pair {
    pub engine: Subject,
    pub model: Model,
    /// The model and the bytes as of the last commit: what undo and restore come back to.
    folded: Model,
    folded_bytes: Vec<u8>,
    /// Folds the same log from its rows and never sees a call.
    follower: Subject,
    rows: u64,
    restores: u64,
    /// The last few calls: what the follower happens to have pending of its own when a row comes in.
    recent: Vec<Op>,
    /// A row on its way to storage: how many events it has, its bytes, and the model as of then.
    flight: Option<(usize, Vec<u8>, Model)>,
}

impl Pair {
    pub fn new(setting: &Setting) -> Self {
        let model = Model::new(setting.dimensions, &setting.kinds);
        let mut engine = Subject::new(setting, &model);
        let folded_bytes = engine.engine.snapshot();
        let follower = Subject::restore(&folded_bytes, &model);
        Self {
            engine,
            folded: model.clone(),
            model,
            folded_bytes,
            follower,
            rows: 0,
            restores: 0,
            recent: Vec::new(),
            flight: None,
        }
    }

    /// Runs a history; what disagrees, or panics, comes back as text with the call at which it did.
    pub fn run(setting: &Setting, ops: &[Op]) -> Verdict {
        let run = || {
            let mut pair = Self::new(setting);
            for (position, op) in ops.iter().enumerate() {
                pair.step(op)
                    .map_err(|why| format!("call {position}, {op:?}:\n  {why}"))?;
                if position % GOVERNANCE_EVERY == 0 {
                    compare::governance(&pair.engine, &pair.model)
                        .map_err(|why| format!("after call {position}, {op:?}:\n  {why}"))?;
                }
            }
            pair.end().map_err(|why| format!("at the end: {why}"))
        };
        catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            Err(format!("panicked: {}", text.unwrap_or_default()))
        })
    }

    pub fn step(&mut self, op: &Op) -> Verdict {
        match op {
            Op::Flush => {
                self.flush();
                Ok(())
            }
            Op::Commit => self.commit(),
            Op::Undo => self.undo(),
            Op::Restore => self.restore(),
            Op::Query(query) => compare::query(&mut self.engine, &self.model, query),
            Op::Profile { user, at } => compare::profile(
                &self.engine.profile(*user, *at),
                &self.model.profile(*user, *at),
            ),
            Op::Compare { at } => compare::everything(&mut self.engine, &self.model, *at),
            call => self.call(call),
        }
    }

    /// All is committed, and everything compared on an engine restored from it.
    fn end(&mut self) -> Verdict {
        // The row that is on its way, then what came after it.
        self.commit()?;
        self.commit()?;
        self.restore()?;
        compare::everything(&mut self.engine, &self.model, T0 + 20 * DAY)
    }

    fn call(&mut self, op: &Op) -> Verdict {
        let pending = self.engine.engine.pending();
        let (expected, changed) = expect(&mut self.model, op);
        let Some(answer) = self.engine.call(op) else {
            return Ok(());
        };
        same("answer", &answer, &expected)?;
        if changed && self.recent.len() < 3 {
            self.recent.push(op.clone());
        }
        let after = self.engine.engine.pending();
        if changed == (after > pending) {
            return self.check_unchanged(&answer, pending);
        }
        Err(format!(
            "pending events went from {pending} to {after}, but the model says changed: {changed}"
        ))
    }

    /// R8: a refused call leaves the bytes as they were. Bytes hold what is committed, so this can be seen only where
    /// nothing is pending.
    fn check_unchanged(&mut self, answer: &Answer, pending: usize) -> Verdict {
        if pending > 0 || !matches!(answer, Answer::Refused(_)) {
            return Ok(());
        }
        same_bytes(
            "bytes after a refusal (R8)",
            &self.engine.engine.snapshot(),
            &self.folded_bytes,
        )
    }

    /// Writes what is pending as a row, which is canonical only when it is committed: calls may come in between. A row
    /// that is on its way already goes first.
    fn flush(&mut self) {
        let engine = &self.engine.engine;
        if self.flight.is_none() && engine.pending() > 0 {
            self.rows += 1;
            let row = engine.pending_row(1, self.rows);
            self.flight = Some((engine.pending(), row, self.model.clone()));
        }
    }

    /// Commits the row that is on its way, or else one of all that is pending, and hands it on to the follower, which
    /// must come to the same bytes.
    pub fn commit(&mut self) -> Verdict {
        self.flush();
        let Some((count, row, folded)) = self.flight.take() else {
            return Ok(());
        };
        let engine = &mut self.engine.engine;
        let later = engine.pending() - count;
        engine.commit(count);
        same("pending after commit", &engine.pending(), &later)?;
        self.folded_bytes = engine.snapshot();
        self.folded = folded;
        self.follow(&row, count)
    }

    /// The follower folds a row beneath calls of its own, which it then takes back.
    fn follow(&mut self, row: &[u8], count: usize) -> Verdict {
        for op in self.recent.drain(..) {
            self.follower.call(&op);
        }
        let follower = &mut self.follower.engine;
        let events = follower
            .catch_up(&[row])
            .map_err(|error| format!("catching up: {error:?}"))?;
        same("events of a row", &events, &count)?;
        same_bytes(
            "bytes of a rebase",
            &follower.snapshot(),
            &self.folded_bytes,
        )?;
        follower.undo();
        same_bytes(
            "bytes of a fold of the rows",
            &follower.snapshot(),
            &self.folded_bytes,
        )
    }

    fn undo(&mut self) -> Verdict {
        self.flight = None;
        self.engine.engine.undo();
        same("pending after undo", &self.engine.engine.pending(), &0)?;
        self.model = self.folded.clone();
        same_bytes(
            "bytes after undo",
            &self.engine.engine.snapshot(),
            &self.folded_bytes,
        )?;
        compare::governance(&self.engine, &self.model)
    }

    /// Goes on with a restored engine; every other time the follower, which has only ever folded rows, takes over and
    /// the restored one follows.
    pub fn restore(&mut self) -> Verdict {
        let bytes = self.engine.engine.snapshot();
        same_bytes("the snapshot is the folded log", &bytes, &self.folded_bytes)?;
        let mut restored = Subject::restore(&bytes, &self.folded);
        same_bytes(
            "bytes of the restored engine",
            &restored.engine.snapshot(),
            &bytes,
        )?;
        self.flight = None;
        self.model = self.folded.clone();
        self.restores += 1;
        if self.restores.is_multiple_of(2) {
            self.engine = std::mem::replace(&mut self.follower, restored);
        } else {
            self.engine = restored;
        }
        compare::governance(&self.engine, &self.model)
    }
}

/// The model's answer to a call, and whether it changed anything.
pub fn expect(model: &mut Model, op: &Op) -> (Answer, bool) {
    fn answer<T>(
        result: Result<T, crate::reference::Refused>,
        as_answer: impl FnOnce(T) -> (Answer, bool),
    ) -> (Answer, bool) {
        result.map_or_else(|refused| (Answer::Refused(refused), false), as_answer)
    }
    match op {
        Op::Join {
            user,
            community,
            policy,
            now,
        }
        | Op::Rejoin {
            user,
            community,
            policy,
            now,
        } => {
            let before = model.member(*user, *community).cloned();
            let result = if matches!(op, Op::Join { .. }) {
                model.join(*user, *community, policy.clone(), *now)
            } else {
                model.rejoin(*user, *community, policy.clone(), *now)
            };
            let changed = model.member(*user, *community) != before.as_ref();
            answer(result, |epoch| (Answer::Epoch(epoch), changed))
        }
        Op::Leave {
            user,
            community,
            purge,
            now,
        } => answer(model.leave(*user, *community, *purge, *now), |receipt| {
            let changed = receipt.changed;
            (Answer::Receipt(receipt), changed)
        }),
        Op::LeaveLayer { user, .. } | Op::RejoinLayer { user } => {
            let before = model.layer(*user);
            let result = match op {
                Op::LeaveLayer { now, .. } => model.leave_layer(*user, *now),
                _ => model.rejoin_layer(*user),
            };
            answer(result, |layer| (Answer::Layer(layer), layer != before))
        }
        Op::SetCohorts { user, cohorts } => answer(model.set_cohorts(*user, cohorts), |changed| {
            (Answer::Changed(changed), changed)
        }),
        Op::Signal { signal, now } => answer(model.signal(signal, *now), |outcome| {
            (Answer::Outcome(outcome), true)
        }),
        Op::Upsert { item } => answer(model.upsert(item), |changed| {
            (Answer::Changed(changed), changed)
        }),
        Op::Remove { item } => {
            let changed = model.remove(*item);
            (Answer::Changed(changed), changed)
        }
        Op::Forget { user, now } => answer(model.forget(*user, *now), |(receipts, changed)| {
            (Answer::Receipts(receipts), changed)
        }),
        _ => (Answer::Changed(false), false),
    }
}
