//! One database of the core, and the steps that it takes.

use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::rc::Rc;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use tidegate::catalogue::Item;
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{CommunityId, ItemId, KindId, LeaveMode, UserId};
use tidegate::query::Query;
use tidegate::signals::nanoseconds;

use crate::data::Workload;

const DIMENSIONS: usize = 32;
const SETTLING: usize = 5;
const EVENTS: usize = 1_000;
/// The kinds of the workload by their numbers among the default ones: view, click, like, skip.
const KINDS: [KindId; 4] = [KindId(1), KindId(2), KindId(3), KindId(6)];

#[derive(Deserialize)]
struct Sizes {
    signals: usize,
    queries: usize,
    repeats: usize,
}

#[derive(Deserialize)]
struct Message {
    step: Option<Step>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Step {
    act: String,
    #[serde(default)]
    data: Option<String>,
    #[serde(default)]
    id_type: Option<String>,
    #[serde(default)]
    left: bool,
    #[serde(default)]
    batch: bool,
}

#[derive(Serialize)]
struct Ranked {
    id: u64,
    score: f64,
}

/// How long a call takes in nanoseconds. What it gives is dropped when the clock has stopped.
fn time<T>(call: impl FnOnce() -> T) -> f64 {
    let started = Instant::now();
    let result = black_box(call());
    let elapsed = started.elapsed();
    drop(result);
    elapsed.as_secs_f64() * 1e9
}

/// A share of the samples lies at or below it.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "there are some hundred samples, and the share is between 0 and 1"
)]
fn quantile(samples: &mut [f64], share: f64) -> f64 {
    samples.sort_unstable_by(f64::total_cmp);
    samples[((samples.len() - 1) as f64 * share).round() as usize]
}

impl Workload {
    fn user(&self) -> UserId {
        UserId(self.facts.user_ids[0])
    }

    fn community(&self) -> CommunityId {
        CommunityId(self.facts.community_ids[0])
    }

    /// The catalogue and the memberships.
    fn furnish(&self) -> Engine {
        let config = Config {
            origin: 1,
            dimensions: 32,
            kinds: Vec::new(),
        };
        let mut engine = Engine::new(&config).expect("a plain configuration");
        for item in 0..self.creators.len() {
            let categories =
                &self.categories[self.starts[item] as usize..self.starts[item + 1] as usize];
            let names = categories
                .iter()
                .map(|category| self.facts.category_names[*category as usize].clone());
            let item = Item {
                id: ItemId(item as u64),
                vector: Some(self.vectors[item * DIMENSIONS..][..DIMENSIONS].to_vec()),
                categories: names.collect(),
                creator: Some(self.creators[item].into()),
                created_at_ms: Some(self.created_at[item]),
            };
            engine.upsert_item(&item).expect("a plain item");
        }
        for (user, community) in self.facts.user_ids.iter().zip(&self.facts.community_of) {
            let community = CommunityId(self.facts.community_ids[*community]);
            engine
                .join(UserId(*user), community, None, nanoseconds(self.now[0]))
                .expect("a first join");
        }
        engine.commit(usize::MAX);
        engine
    }

    fn signal(&self, place: usize) -> Signal {
        let (at, now) = (self.at[place], self.now[place]);
        Signal {
            user: UserId(self.facts.user_ids[self.users[place] as usize]),
            item: ItemId(self.items[place].into()),
            kind: KINDS[self.kinds[place] as usize],
            weight: None,
            at_ns: (at < now).then(|| nanoseconds(at)),
            community: Some(CommunityId(
                self.facts.community_ids[self.communities[place] as usize],
            )),
            agent: None,
        }
    }

    fn query(&self, engine: &mut Engine, now: f64) -> Vec<Ranked> {
        let query = Query {
            community: Some(self.community()),
            ..Query::new(self.user(), nanoseconds(now))
        };
        let rows = engine.query(&query).items.into_iter();
        rows.map(|row| Ranked {
            id: row.id.0,
            score: row.score,
        })
        .collect()
    }

    /// One call a signal, each committed, as the package does where there is no store.
    fn ingest(&self, engine: &mut Engine, from: usize, to: usize) {
        for place in from..to {
            engine
                .signal(&self.signal(place), nanoseconds(self.now[place]))
                .expect("a valid signal");
            engine.commit(usize::MAX);
        }
    }

    fn ingest_batch(&self, engine: &mut Engine, from: usize, to: usize, size: usize) {
        for begin in (from..to).step_by(size) {
            let end = to.min(begin + size);
            let signals = (begin..end).map(|place| Signal {
                at_ns: Some(nanoseconds(self.at[place])),
                ..self.signal(place)
            });
            engine
                .signal_batch(signals, nanoseconds(self.now[end - 1]))
                .expect("valid signals");
            engine.commit(usize::MAX);
        }
    }
}

struct Actor {
    solo: Rc<Workload>,
    crowd: Rc<Workload>,
    sizes: Sizes,
    engine: Engine,
    in_crowd: bool,
    taken: usize,
}

impl Actor {
    fn take(&mut self, step: &Step) -> Value {
        if step.id_type.as_deref() == Some("string") {
            return json!({ "skipped": "the core takes names hashed" });
        }
        match step.act.as_str() {
            "ingest" => self.ingest(step),
            "query" => self.query(),
            "flush" => self.flush(),
            "snapshot" => self.snapshot(),
            _ => self.open(),
        }
    }

    fn workload(&self) -> Rc<Workload> {
        Rc::clone(if self.in_crowd {
            &self.crowd
        } else {
            &self.solo
        })
    }

    fn answer(&mut self, values: &Value) -> Value {
        let workload = self.workload();
        let top = workload.query(&mut self.engine, workload.now[self.taken - 1]);
        json!({ "values": values, "top": top })
    }

    fn ingest(&mut self, step: &Step) -> Value {
        self.in_crowd = step.data.as_deref() == Some("crowd");
        let workload = self.workload();
        let mut engine = workload.furnish();
        if step.left {
            let at = nanoseconds(workload.now[0]);
            engine
                .leave(
                    workload.user(),
                    workload.community(),
                    LeaveMode::StopForward,
                    at,
                )
                .expect("a member");
            engine.commit(usize::MAX);
        }
        let count = self.sizes.signals;
        let took = time(|| {
            if step.batch {
                workload.ingest_batch(&mut engine, 0, count, 1_000);
            } else {
                workload.ingest(&mut engine, 0, count);
            }
        });
        self.engine = engine;
        self.taken = count;
        #[expect(clippy::cast_precision_loss, reason = "counts are small")]
        let each = took / count as f64;
        self.answer(&json!({ "time": each }))
    }

    fn query(&mut self) -> Value {
        let mut samples = Vec::new();
        let workload = self.workload();
        for _ in 0..SETTLING {
            workload.query(&mut self.engine, workload.now[self.taken - 1]);
        }
        for place in self.taken..self.taken + self.sizes.queries {
            samples.push(time(|| {
                workload.ingest(&mut self.engine, place, place + 1);
                workload.query(&mut self.engine, workload.now[place])
            }));
        }
        self.taken += self.sizes.queries;
        let (median, slow) = (quantile(&mut samples, 0.5), quantile(&mut samples, 0.99));
        self.answer(&json!({ "time": median, "p99": slow }))
    }

    fn flush(&mut self) -> Value {
        let mut engine = self.solo.furnish();
        let begin = self.sizes.signals.min(20_000);
        self.solo.ingest(&mut engine, 0, begin);
        let (mut samples, mut bytes) = (Vec::new(), 0);
        for turn in 0..self.sizes.repeats {
            for place in begin + turn * EVENTS..begin + (turn + 1) * EVENTS {
                let now = nanoseconds(self.solo.now[place]);
                engine
                    .signal(&self.solo.signal(place), now)
                    .expect("a valid signal");
            }
            samples.push(time(|| {
                bytes = engine.pending_row(1, 1).len();
                engine.commit(usize::MAX);
            }));
        }
        json!({ "values": { "time": quantile(&mut samples, 0.5), "bytes": bytes } })
    }

    fn snapshot(&mut self) -> Value {
        let mut samples: Vec<f64> = (0..self.sizes.repeats)
            .map(|_| time(|| self.engine.snapshot()))
            .collect();
        json!({ "values": { "time": quantile(&mut samples, 0.5), "bytes": self.engine.snapshot().len() } })
    }

    fn open(&mut self) -> Value {
        let (bytes, workload) = (self.engine.snapshot(), self.workload());
        let (mut samples, mut top) = (Vec::new(), Vec::new());
        for _ in 0..self.sizes.repeats {
            samples.push(time(|| {
                let mut engine = Engine::restore(&bytes, Some(2)).expect("a good snapshot");
                top = workload.query(&mut engine, workload.now[self.taken - 1]);
                engine
            }));
        }
        json!({ "values": { "time": quantile(&mut samples, 0.5) }, "top": top })
    }
}

/// The gate beside a bare look-up, as `lib/gate.mjs` measures both inside WebAssembly.
fn gate(rounds: u32) {
    let mut answer = Map::new();
    for rows in [1_u32, 1_000, 100_000] {
        let gates = tidegate_peers::Gates::new(rows.into());
        let each = f64::from(8 * tidegate_peers::KEYS);
        let (mut asked, mut bare) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            asked.push(time(|| gates.gated(8)) / each);
            bare.push(time(|| gates.bare(8)) / each);
        }
        answer.insert(rows.to_string(), json!({ "gated": asked, "bare": bare }));
    }
    println!("{}", Value::Object(answer));
}

pub fn main() {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [solo, crowd, sizes] = arguments.as_slice() else {
        return gate(
            arguments
                .first()
                .and_then(|rounds| rounds.parse().ok())
                .unwrap_or(15),
        );
    };
    let mut actor = Actor {
        solo: Rc::new(Workload::read(solo)),
        crowd: Rc::new(Workload::read(crowd)),
        sizes: serde_json::from_str(sizes).expect("sizes"),
        engine: Engine::new(&Config::default()).expect("a plain configuration"),
        in_crowd: false,
        taken: 0,
    };
    for line in stdin().lock().lines() {
        let message: Message = serde_json::from_str(&line.expect("a line")).expect("a message");
        // Compiled code needs no warming up.
        let answer = message
            .step
            .map_or_else(|| json!({}), |step| actor.take(&step));
        let mut output = stdout().lock();
        writeln!(output, "{answer}").expect("somebody listens");
        output.flush().expect("somebody listens");
    }
}
