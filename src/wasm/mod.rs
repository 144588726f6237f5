//! The binding: thin, without logic. `js/` is the only caller and has checked every argument; what it sees is in
//! `docs/architecture.md`.
//!
//! Ids cross as numbers: an integer from 0 is the id itself, a negative one is −1 − handle of an id that a number cannot
//! hold or that has a name. NaN stands for an argument that is absent. Times are milliseconds. An error is thrown as its
//! number, and `js/` has the words.

mod arguments;
mod log;
mod results;

use crate::catalogue::Hint;
use crate::engine::{Engine, Signal};
use crate::error::Error;
use crate::governance::{AgentId, CohortId, CommunityId, ItemId, KindId, LeaveMode, UserId};
use crate::query::Query;
use crate::signals::{milliseconds, nanoseconds};
use arguments::{Handles, kinds, policy};
use js_sys::{Array, Float32Array};
use results::{code, write};
use wasm_bindgen::prelude::*;

type Answer<T> = Result<T, JsValue>;

/// One open database.
#[wasm_bindgen]
pub struct Core {
    engine: Engine,
    handles: Handles,
}

fn fail(error: Error) -> JsValue {
    JsValue::from_f64(f64::from(code(error)))
}

/// A time in milliseconds as the core's nanoseconds; NaN where it is absent.
fn time(ms: f64) -> Option<u64> {
    (!ms.is_nan()).then(|| nanoseconds(ms))
}

#[wasm_bindgen]
impl Core {
    fn over(engine: Engine) -> Self {
        Self {
            engine,
            handles: Handles::default(),
        }
    }

    /// A new database under a random origin; its schema is pending.
    pub fn create(
        dimensions: u32,
        names: Vec<String>,
        numbers: &[f64],
        origin: u64,
    ) -> Answer<Core> {
        let config = crate::engine::Config {
            origin,
            dimensions,
            kinds: kinds(names, numbers),
        };
        Engine::new(&config).map(Self::over).map_err(fail)
    }

    /// The stored database itself.
    pub fn load(snapshot: &[u8]) -> Answer<Core> {
        Engine::restore(snapshot, None)
            .map(Self::over)
            .map_err(fail)
    }

    /// A copy of a database, under an origin of its own.
    pub fn restore(snapshot: &[u8], origin: u64) -> Answer<Core> {
        Engine::restore(snapshot, Some(origin))
            .map(Self::over)
            .map_err(fail)
    }

    /// Compares the schema and adds what is new; true where an event is pending.
    #[wasm_bindgen(js_name = openSchema)]
    pub fn open_schema(
        &mut self,
        dimensions: u32,
        names: Vec<String>,
        numbers: &[f64],
    ) -> Answer<bool> {
        self.engine
            .open_schema(dimensions, &kinds(names, numbers))
            .map_err(fail)
    }

    /// The number that names the database.
    pub fn origin(&self) -> u64 {
        self.engine.origin()
    }

    /// The kinds by number.
    pub fn kinds(&self) -> Answer<JsValue> {
        results::kinds(&self.engine)
    }

    /// The length of item vectors; 0 for none.
    pub fn dimensions(&self) -> u32 {
        self.engine.dimensions()
    }

    /// The id that a name stands for; the name is remembered.
    #[wasm_bindgen(js_name = nameId)]
    pub fn name_id(&mut self, name: &str) -> Answer<u64> {
        let id = crate::catalogue::name_id(name);
        self.engine.name(id, name).map(|()| id).map_err(fail)
    }

    /// The same for a user, where 0 stands for nobody.
    #[wasm_bindgen(js_name = userNameId)]
    pub fn user_name_id(&mut self, name: &str) -> Answer<u64> {
        let id = crate::catalogue::name_id(name).max(1);
        self.engine.name(id, name).map(|()| id).map_err(fail)
    }

    /// A handle for an id that a number cannot hold.
    pub fn handle(&mut self, id: u64) -> u32 {
        self.handles.add(id)
    }

    /// The id behind an id argument.
    #[wasm_bindgen(js_name = idOf)]
    pub fn id_of(&self, id: f64) -> u64 {
        self.handles.id(id)
    }

    /// Joins; the membership epoch.
    pub fn join(
        &mut self,
        user: f64,
        community: f64,
        share: Option<Vec<u16>>,
        now: f64,
    ) -> Answer<u32> {
        let (user, community) = (self.user(user), self.community(community));
        self.engine
            .join(user, community, policy(share), nanoseconds(now))
            .map_err(fail)
    }

    /// Rejoins; the new membership epoch.
    pub fn rejoin(
        &mut self,
        user: f64,
        community: f64,
        share: Option<Vec<u16>>,
        now: f64,
    ) -> Answer<u32> {
        let (user, community) = (self.user(user), self.community(community));
        self.engine
            .rejoin(user, community, policy(share), nanoseconds(now))
            .map_err(fail)
    }

    /// Leaves; the gate is closed when this returns.
    pub fn leave(&mut self, user: f64, community: f64, purge: bool, now: f64) -> Answer<JsValue> {
        let mode = if purge {
            LeaveMode::Purge
        } else {
            LeaveMode::StopForward
        };
        let (user, community) = (self.user(user), self.community(community));
        let leave = self
            .engine
            .leave(user, community, mode, nanoseconds(now))
            .map_err(fail)?;
        write(&results::Leave::of(&self.engine, &leave))
    }

    /// The membership row, or null.
    pub fn membership(&self, user: f64, community: f64) -> Answer<JsValue> {
        let row = self
            .engine
            .membership(self.user(user), self.community(community));
        write(&row.map(|row| results::Membership::of(&self.engine, &row)))
    }

    /// All membership rows, or those of one user.
    pub fn memberships(&self, user: f64) -> Answer<JsValue> {
        let user = (!user.is_nan()).then(|| self.user(user));
        let rows = self.engine.memberships(user);
        write(
            &rows
                .iter()
                .map(|row| results::Membership::of(&self.engine, row))
                .collect::<Vec<_>>(),
        )
    }

    /// The epoch of the membership row.
    #[wasm_bindgen(js_name = membershipEpoch)]
    pub fn membership_epoch(&self, user: f64, community: f64) -> Option<u32> {
        self.engine
            .membership_epoch(self.user(user), self.community(community))
    }

    /// Leaves the community layer.
    #[wasm_bindgen(js_name = leaveLayer)]
    pub fn leave_layer(&mut self, user: f64, now: f64) -> Answer<JsValue> {
        let row = self
            .engine
            .leave_community_layer(self.user(user), nanoseconds(now))
            .map_err(fail)?;
        write(&results::Layer::of(&self.engine, &row))
    }

    /// Comes back to the community layer.
    #[wasm_bindgen(js_name = rejoinLayer)]
    pub fn rejoin_layer(&mut self, user: f64) -> Answer<JsValue> {
        let row = self
            .engine
            .rejoin_community_layer(self.user(user))
            .map_err(fail)?;
        write(&results::Layer::of(&self.engine, &row))
    }

    /// The user's row in the community layer.
    #[wasm_bindgen(js_name = layerStatus)]
    pub fn layer_status(&self, user: f64) -> Answer<JsValue> {
        let row = self.engine.community_layer_status(self.user(user));
        write(&results::Layer::of(&self.engine, &row))
    }

    /// Puts the user into exactly these cohorts.
    #[wasm_bindgen(js_name = setCohorts)]
    pub fn set_cohorts(&mut self, user: f64, cohorts: &[f64]) -> Answer<bool> {
        let cohorts: Vec<_> = cohorts
            .iter()
            .map(|cohort| CohortId(self.handles.id(*cohort)))
            .collect();
        self.engine
            .set_cohorts(self.user(user), &cohorts)
            .map_err(fail)
    }

    /// The user's cohorts.
    pub fn cohorts(&self, user: f64) -> Array {
        let cohorts = self.engine.cohorts(self.user(user));
        cohorts
            .iter()
            .map(|cohort| JsValue::from_str(&results::id(&self.engine, cohort.0)))
            .collect()
    }

    /// Records a signal; the number of its outcome, or the number of an error below 0. A result that may be an error
    /// crosses the boundary as a list, which costs as much as the signal.
    #[expect(
        clippy::too_many_arguments,
        reason = "numbers cross the boundary without an object around them"
    )]
    pub fn signal(
        &mut self,
        user: f64,
        item: f64,
        kind: u16,
        weight: f64,
        at: f64,
        community: f64,
        agent: f64,
        now: f64,
    ) -> i32 {
        let (user, agent) = (
            self.user(user),
            (!agent.is_nan()).then(|| AgentId(self.handles.id(agent))),
        );
        let community = (!community.is_nan()).then(|| self.community(community));
        let mut none = Hint::default();
        let (item, hint) = self.handles.hinted(item, &mut none);
        let signal = Signal {
            user,
            item: ItemId(item),
            kind: KindId(kind),
            weight: (!weight.is_nan()).then_some(weight),
            at_ns: time(at),
            community,
            agent,
        };
        match self.engine.signal_hinted(&signal, hint, nanoseconds(now)) {
            Ok(outcome) => i32::from(outcome as u8),
            Err(error) => -i32::from(code(error)),
        }
    }

    /// Records signals of one user; how many of them count in the community. The arrays are of one length and every
    /// value has been checked, so that all or none are recorded.
    #[wasm_bindgen(js_name = signalBatch)]
    #[expect(
        clippy::too_many_arguments,
        clippy::needless_pass_by_value,
        reason = "arrays cross the boundary without an object around them, and optional ones by value only"
    )]
    pub fn signal_batch(
        &mut self,
        user: f64,
        items: &[u64],
        kinds: &[u16],
        weights: Option<Vec<f32>>,
        at: Option<Vec<f64>>,
        community: f64,
        now: f64,
    ) -> Answer<u32> {
        let user = self.user(user);
        let community = (!community.is_nan()).then(|| self.community(community));
        let now_ns = nanoseconds(now);
        let signals = items
            .iter()
            .zip(kinds)
            .enumerate()
            .map(|(index, (item, kind))| Signal {
                user,
                item: ItemId(*item),
                kind: KindId(*kind),
                weight: weights
                    .as_ref()
                    .and_then(|weights| weights.get(index))
                    .map(|weight| f64::from(*weight)),
                at_ns: at
                    .as_ref()
                    .and_then(|at| at.get(index))
                    .map(|at| nanoseconds(*at)),
                community,
                agent: None,
            });
        self.engine.signal_batch(signals, now_ns).map_err(fail)
    }

    /// Adds an item or replaces its features; true where that changed something.
    #[wasm_bindgen(js_name = upsertItem)]
    pub fn upsert_item(
        &mut self,
        id: f64,
        vector: Option<Vec<f32>>,
        categories: Vec<String>,
        creator: f64,
        created_at: f64,
    ) -> Answer<bool> {
        let item = crate::catalogue::Item {
            id: ItemId(self.handles.id(id)),
            vector,
            categories,
            creator: (!creator.is_nan()).then(|| self.handles.id(creator)),
            created_at_ms: (!created_at.is_nan()).then_some(created_at),
        };
        self.engine.upsert_item(&item).map_err(fail)
    }

    /// Drops an item's features and leaves it out of results; false where it is not known.
    #[wasm_bindgen(js_name = removeItem)]
    pub fn remove_item(&mut self, id: f64) -> bool {
        self.engine.remove_item(ItemId(self.handles.id(id)))
    }

    /// The best items for a user.
    #[expect(
        clippy::too_many_arguments,
        reason = "numbers cross the boundary without an object around them"
    )]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casting a float saturates"
    )]
    pub fn query(
        &mut self,
        user: f64,
        community: f64,
        cohort: f64,
        candidates: Option<Vec<f64>>,
        exclude: &[f64],
        include_seen: bool,
        limit: f64,
        offset: f64,
        at: f64,
        diversity: f64,
    ) -> Answer<JsValue> {
        let item = |id: &f64| ItemId(self.handles.id(*id));
        let query = Query {
            user: self.user(user),
            community: (!community.is_nan()).then(|| self.community(community)),
            cohort: (!cohort.is_nan()).then(|| CohortId(self.handles.id(cohort))),
            candidates: candidates.map(|candidates| candidates.iter().map(item).collect()),
            exclude: exclude.iter().map(item).collect(),
            include_seen,
            limit: limit as usize,
            offset: offset as usize,
            at_ns: nanoseconds(at),
            diversity,
        };
        let result = self.engine.query(&query);
        write(&results::QueryResult::of(&self.engine, &result))
    }

    /// What the device knows of a user.
    pub fn profile(&mut self, user: f64, now: f64) -> Answer<JsValue> {
        let profile = self.engine.profile(self.user(user), nanoseconds(now));
        let result = write(&results::Profile::of(&self.engine, &profile))?;
        let preference = profile.preference.as_deref().map(Float32Array::from);
        js_sys::Reflect::set(
            &result,
            &JsValue::from_str("preference"),
            &preference.map_or(JsValue::NULL, Into::into),
        )?;
        Ok(result)
    }

    /// Leaves the user's memberships and forgets what is local about them.
    #[wasm_bindgen(js_name = forgetUser)]
    pub fn forget_user(&mut self, user: f64, now: f64) -> Answer<JsValue> {
        let leaves = self
            .engine
            .forget_user(self.user(user), nanoseconds(now))
            .map_err(fail)?;
        write(
            &leaves
                .iter()
                .map(|leave| results::Leave::of(&self.engine, leave))
                .collect::<Vec<_>>(),
        )
    }

    /// Counts.
    pub fn stats(&self) -> Answer<JsValue> {
        write(&results::Stats::of(&self.engine))
    }

    fn user(&self, id: f64) -> UserId {
        UserId(self.handles.id(id))
    }

    fn community(&self, id: f64) -> CommunityId {
        CommunityId(self.handles.id(id))
    }
}
