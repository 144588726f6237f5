//! What the write loop and other devices need of an open database.

use super::{Answer, Core, fail, results, write};
use crate::engine::Tombstone;
use crate::governance::{CommunityId, UserId};
use crate::signals::nanoseconds;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Core {
    /// The folded log as canonical bytes: a copy with a buffer of its own.
    pub fn snapshot(&mut self) -> Uint8Array {
        self.engine.with_snapshot(|pieces| {
            let place = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
            let length = pieces.iter().map(|piece| piece.len()).sum();
            let bytes = Uint8Array::new_with_length(place(length));
            let mut start = 0;
            for piece in pieces {
                let end = start + piece.len();
                bytes.subarray(place(start), place(end)).copy_from(piece);
                start = end;
            }
            bytes
        })
    }

    /// Signals are committed as they are recorded from here on, and never pending.
    #[wasm_bindgen(js_name = settleSignals)]
    pub fn settle_signals(&mut self) {
        self.engine.settle_signals();
    }

    /// How many events wait to be stored.
    pub fn pending(&self) -> usize {
        self.engine.pending()
    }

    /// All pending events as one log row.
    #[wasm_bindgen(js_name = pendingRow)]
    pub fn pending_row(&self, tab: u64, number: f64) -> Uint8Array {
        Uint8Array::from(self.engine.pending_row(tab, number_of(number)).as_slice())
    }

    /// The first so many pending events are stored.
    pub fn commit(&mut self, count: usize) {
        self.engine.commit(count);
    }

    /// All pending events are stored; how many there were.
    #[wasm_bindgen(js_name = commitAll)]
    pub fn commit_all(&mut self) -> usize {
        self.engine.commit_all()
    }

    /// How many times a user was forgotten in what was folded and committed here.
    pub fn forgets(&self) -> u32 {
        self.engine.forgets()
    }

    /// Folds stored rows under what is pending; the number of events folded.
    #[wasm_bindgen(js_name = catchUp)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "arrays of objects cross the boundary by value only"
    )]
    pub fn catch_up(&mut self, rows: Vec<Uint8Array>) -> Answer<usize> {
        let rows: Vec<Vec<u8>> = rows.iter().map(Uint8Array::to_vec).collect();
        let rows: Vec<&[u8]> = rows.iter().map(Vec::as_slice).collect();
        self.engine.catch_up(&rows).map_err(fail)
    }

    /// Begins again from a newer snapshot, with what is pending on top; the rows that are different now, as changes.
    pub fn reload(&mut self, snapshot: &[u8]) -> Answer<JsValue> {
        self.engine.reload(snapshot).map_err(fail)?;
        self.take_changes()
    }

    /// The real changes of rows since the last call.
    #[wasm_bindgen(js_name = takeChanges)]
    pub fn take_changes(&mut self) -> Answer<JsValue> {
        let changes = self.engine.take_changes();
        write(
            &changes
                .iter()
                .filter_map(|change| results::Change::of(&self.engine, change))
                .collect::<Vec<_>>(),
        )
    }

    /// Keeps community events for export from now on, or no longer; true where an event is pending.
    #[wasm_bindgen(js_name = setOutbox)]
    pub fn set_outbox(&mut self, enabled: bool) -> bool {
        self.engine.set_outbox(enabled)
    }

    /// The community events that wait, as `{ bytes, cursor }`.
    #[wasm_bindgen(js_name = exportEvents)]
    #[expect(
        clippy::needless_pass_by_value,
        reason = "optional arrays cross the boundary by value only"
    )]
    pub fn export_events(
        &self,
        communities: Option<Vec<f64>>,
        since: Option<String>,
    ) -> Answer<JsValue> {
        let communities: Option<Vec<_>> =
            communities.map(|ids| ids.iter().map(|id| self.community(*id)).collect());
        let (bytes, cursor) = self
            .engine
            .export(communities.as_deref(), since.as_deref())
            .map_err(fail)?;
        let result = js_sys::Object::new();
        let put = |key: &str, value: JsValue| {
            js_sys::Reflect::set(&result, &JsValue::from_str(key), &value)
        };
        put("bytes", Uint8Array::from(bytes.as_slice()).into())?;
        put("cursor", JsValue::from_str(&cursor))?;
        Ok(result.into())
    }

    /// The host has delivered everything up to the cursor.
    pub fn acknowledge(&mut self, cursor: &str) -> Answer<()> {
        self.engine.acknowledge(cursor).map_err(fail)
    }

    /// Takes in the events of another database; the counts of outcomes.
    #[wasm_bindgen(js_name = importEvents)]
    pub fn import_events(&mut self, bytes: &[u8], now: f64) -> Answer<JsValue> {
        let report = self.engine.import(bytes, nanoseconds(now)).map_err(fail)?;
        write(&results::ImportReport::of(&report))
    }

    /// What the leaves that follow are marked with.
    #[wasm_bindgen(js_name = markLeaves)]
    pub fn mark_leaves(&mut self, mark: u64) {
        self.engine.mark_leaves(mark);
    }

    /// What to write down of a leave that has just been made, as `{ mark, again }`.
    pub fn tombstone(&self, user: u64, community: Option<u64>) -> Answer<JsValue> {
        let community = community.map(CommunityId);
        let tombstone = self.engine.tombstone(UserId(user), community, 0);
        let result = js_sys::Object::new();
        let put = |key: &str, value: JsValue| {
            js_sys::Reflect::set(&result, &JsValue::from_str(key), &value)
        };
        put("mark", js_sys::BigInt::from(tombstone.mark).into())?;
        put("again", JsValue::from_bool(tombstone.again))?;
        Ok(result.into())
    }

    /// Honours a tombstone, behind the first `sent` pending events; true where it closed the gate.
    pub fn honour(
        &mut self,
        user: u64,
        community: Option<u64>,
        at: f64,
        mark: u64,
        again: bool,
        sent: usize,
    ) -> bool {
        self.engine
            .honour(&tombstone(user, community, (at, mark, again)), sent)
    }

    /// The same before the gate is opened.
    pub fn recall(&mut self, user: u64, community: Option<u64>, at: f64, mark: u64, sent: usize) {
        self.engine
            .recall(&tombstone(user, community, (at, mark, false)), sent);
    }

    /// Whether there is a row that a tombstone is of: a membership, or the layer of anybody.
    pub fn concerns(&self, user: u64, community: Option<u64>) -> bool {
        self.engine
            .concerns(UserId(user), community.map(CommunityId))
    }

    /// The row that was on its way is not in the log.
    #[wasm_bindgen(js_name = rowFailed)]
    pub fn row_failed(&mut self) {
        self.engine.row_failed();
    }
}

fn tombstone(user: u64, community: Option<u64>, (at, mark, again): (f64, u64, bool)) -> Tombstone {
    Tombstone {
        user: UserId(user),
        community: community.map(CommunityId),
        at_ns: nanoseconds(at),
        mark,
        again,
    }
}

/// A whole number that crossed as a float.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "casting a float saturates"
)]
fn number_of(number: f64) -> u64 {
    number as u64
}
