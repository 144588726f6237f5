//! Random histories: a list of calls made from one seed, before any of them runs, so that a failing history can be
//! replayed and cut down to the few calls that matter.

use crate::random::Random;
use crate::ranking::Query;
use crate::reference::{DAY, EARLIEST, HOUR, Item, Kind, Policy, Share, Signal};

/// 2023-11-14T22:13:20Z, T0 of the cases.
pub const T0: u64 = 1_700_000_000_000_000_000;

/// One call.
#[derive(Clone, Debug)]
pub enum Op {
    Join {
        user: u64,
        community: u64,
        policy: Option<Policy>,
        now: u64,
    },
    Leave {
        user: u64,
        community: u64,
        purge: bool,
        now: u64,
    },
    Rejoin {
        user: u64,
        community: u64,
        policy: Option<Policy>,
        now: u64,
    },
    LeaveLayer {
        user: u64,
        now: u64,
    },
    RejoinLayer {
        user: u64,
    },
    SetCohorts {
        user: u64,
        cohorts: Vec<u64>,
    },
    Signal {
        signal: Signal,
        now: u64,
    },
    Upsert {
        item: Item,
    },
    Remove {
        item: u64,
    },
    Forget {
        user: u64,
        now: u64,
    },
    Query(Query),
    Profile {
        user: u64,
        at: u64,
    },
    /// Every view is compared, as of `at`.
    Compare {
        at: u64,
    },
    /// The pending events are on their way to storage.
    Flush,
    /// Those on their way, or else all pending events, become canonical.
    Commit,
    /// The pending events are undone.
    Undo,
    /// Goes on with a database restored from the snapshot; what is pending is lost.
    Restore,
}

/// What a database is made with.
#[derive(Clone, Debug)]
pub struct Setting {
    pub dimensions: usize,
    pub kinds: Vec<Kind>,
}

/// Few of each, so that histories meet themselves again; among them the ids that are easy to get wrong.
pub const USERS: [u64; 5] = [1, 2, 3, 1 << 53, u64::MAX];
/// A user that never does anything.
pub const STRANGER: u64 = 99;
pub const COMMUNITIES: [u64; 3] = [0, 5, u64::MAX];
pub const COHORTS: [u64; 3] = [0, 8, u64::MAX];
const CATEGORIES: [&str; 6] = ["a", "b", "drama", "Ünï", "c c", "z"];
const CREATORS: [u64; 4] = [0, 11, 12, u64::MAX];

fn own_kind(name: &str, weight: f64, half_life_ns: u64, seen: bool, hide: bool) -> Kind {
    Kind {
        name: name.to_owned(),
        weight,
        half_life_ns,
        seen,
        hide,
    }
}

pub fn setting(random: &mut Random) -> Setting {
    let all = [
        own_kind("like", 5.5, 12 * HOUR, true, false),
        own_kind("glance", 0.0, HOUR, false, false),
        own_kind("boo", -2.5, 3 * HOUR, true, false),
        own_kind("mute", -1.0, DAY, true, true),
        own_kind("instant", 1.5, 1_000_000, false, false),
        own_kind("lasting", 0.25, 36_500 * DAY, false, false),
    ];
    let kinds = all.into_iter().filter(|_| !random.one_in(3)).collect();
    Setting {
        dimensions: random.pick(&[0, 1, 3, 4]),
        kinds,
    }
}

/// Makes the calls of one history.
pub struct Generator {
    pub random: Random,
    pub setting: Setting,
    kinds: Vec<Kind>,
    now: u64,
    wild: bool,
    /// What was upserted, to be upserted again.
    upserted: Vec<Item>,
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let setting = setting(&mut random);
        let kinds = crate::reference::Model::new(setting.dimensions, &setting.kinds).kinds;
        let wild = random.one_in(5);
        Self {
            random,
            setting,
            kinds,
            now: T0,
            wild,
            upserted: Vec::new(),
        }
    }

    /// So many calls. In half of the long histories nothing is read for hundreds of signals, so that whatever keeps up
    /// with signals falls far behind.
    pub fn history(&mut self, length: usize) -> Vec<Op> {
        let quiet = if self.random.one_in(2) {
            500..1_200
        } else {
            0..0
        };
        let call = |position| match quiet.contains(&position) {
            true if position % 100 > 0 => self.signal(),
            true => Op::Commit,
            false => self.op(),
        };
        (0..length).map(call).collect()
    }

    /// Mostly forward by anything from nothing to days; sometimes the clock is set back.
    fn tick(&mut self) -> u64 {
        let step = match self.random.below(20) {
            0..=3 => 0,
            4..=8 => self.random.below(1_000_000_000),
            9..=15 => self.random.below(HOUR),
            16..=18 => self.random.below(6 * HOUR),
            _ => self.random.below(4 * DAY),
        };
        self.now = if self.random.one_in(25) {
            self.now - self.random.pick(&[1, HOUR, 3 * DAY])
        } else {
            self.now + step
        };
        self.now
    }

    /// The clock of a call: now and then it is out of range, which is clamped, never refused (R15). A clock at the end
    /// of time keeps every later read from decaying, so only some histories have one.
    fn clock(&mut self) -> u64 {
        let now = self.tick();
        if !self.random.one_in(400) {
            return now;
        }
        let last = if self.wild { u64::MAX } else { 0 };
        self.random.pick(&[0, 1, EARLIEST - 1, last])
    }

    fn user(&mut self) -> u64 {
        if self.random.one_in(120) {
            0
        } else {
            self.known_user()
        }
    }

    /// One user and one community are met more than the others, so that some memberships grow old.
    fn known_user(&mut self) -> u64 {
        if self.random.one_in(2) {
            USERS[0]
        } else {
            self.random.pick(&USERS)
        }
    }

    fn community(&mut self) -> u64 {
        if self.random.one_in(2) {
            COMMUNITIES[0]
        } else {
            self.random.pick(&COMMUNITIES)
        }
    }

    fn item(&mut self) -> u64 {
        match self.random.below(40) {
            0 => u64::MAX,
            1 => u64::MAX - 1,
            2 => 1 << 53,
            other => other - 3,
        }
    }

    fn items(&mut self, most: u64) -> Vec<u64> {
        (0..self.random.below(most + 1))
            .map(|_| self.item())
            .collect()
    }

    fn policy(&mut self) -> Option<Policy> {
        let kinds = self.kinds.len() as u64;
        self.random.some(2, |random| Policy {
            version: random.pick(&[0, 1, 2, u16::MAX]),
            share: match random.below(4) {
                0 => Share::None,
                1 => {
                    // Sorted and without repeats: whether another order is another policy is nobody's business here.
                    let mut only: Vec<usize> = (0..=random.below(5))
                        .map(|_| usize::try_from(random.below(kinds)).unwrap())
                        .collect();
                    only.sort_unstable();
                    only.dedup();
                    Share::Only(only)
                }
                _ => Share::All,
            },
        })
    }

    fn weight(&mut self) -> Option<f64> {
        if self.random.one_in(2) {
            return None;
        }
        Some(match self.random.below(40) {
            0 => self.random.pick(&[
                f64::NAN,
                f64::INFINITY,
                f64::NEG_INFINITY,
                1e308,
                -1_000_000.5,
            ]),
            1 => self.random.pick(&[1e6, -1e6, 5e-324, 1e-9]),
            2..=5 => self.random.pick(&[0.0, -0.0]),
            _ => self.random.unit() * 8.0,
        })
    }

    fn signal_time(&mut self, now: u64) -> Option<u64> {
        Some(match self.random.below(60) {
            0..=35 => return None,
            36..=44 => now - self.random.below(6 * HOUR),
            45..=52 => now - self.random.below(40 * DAY),
            53 => EARLIEST,
            54..=57 => now + self.random.below(DAY + 1),
            58 => now + DAY,
            _ => self
                .random
                .pick(&[0, EARLIEST - 1, now + DAY + 1, u64::MAX]),
        })
    }

    /// Rarely one too high. Kinds that hide are held back, or soon nothing would be left to rank.
    fn kind(&mut self) -> usize {
        let kind =
            usize::try_from(self.random.below(self.kinds.len() as u64 * 60 + 1) / 60).unwrap();
        let hides = self.kinds.get(kind).is_some_and(|kind| kind.hide);
        if hides && !self.random.one_in(4) {
            0
        } else {
            kind
        }
    }

    fn signal(&mut self) -> Op {
        let now = self.clock();
        let user = self.user();
        let signal = Signal {
            user,
            item: self.item(),
            kind: self.kind(),
            weight: self.weight(),
            at: if now == self.now {
                self.signal_time(now)
            } else {
                None
            },
            community: if self.random.one_in(4) {
                None
            } else {
                Some(self.community())
            },
            agent: self
                .random
                .some(5, |random| random.pick(&[0, 77, u64::MAX])),
        };
        Op::Signal { signal, now }
    }

    fn vector(&mut self) -> Option<Vec<f32>> {
        let dimensions = self.setting.dimensions;
        let length = if self.random.one_in(60) {
            dimensions + 1
        } else {
            dimensions
        };
        if length == 0 || self.random.one_in(4) {
            return None;
        }
        let zero = self.random.one_in(10);
        #[allow(clippy::cast_possible_truncation, reason = "any vector will do")]
        let mut vector: Vec<f32> = (0..length)
            .map(|_| if zero { 0.0 } else { self.random.unit() as f32 })
            .collect();
        if self.random.one_in(80) {
            vector[0] = f32::NAN;
        }
        Some(vector)
    }

    fn upsert(&mut self) -> Op {
        if !self.upserted.is_empty() && self.random.one_in(5) {
            let mut item = self.random.pick(&self.upserted);
            item.categories.reverse();
            item.categories.extend(item.categories.first().cloned());
            return Op::Upsert { item };
        }
        let many = self.random.below(4);
        let mut categories: Vec<String> = (0..many)
            .map(|_| self.random.pick(&CATEGORIES).to_owned())
            .collect();
        if self.random.one_in(100) {
            categories.push(self.random.pick(&[String::new(), "x".repeat(1025)]));
        }
        let now = self.now;
        let created_at_ms = self.random.some(2, |random| {
            #[allow(clippy::cast_precision_loss, reason = "any time will do")]
            let near = (now / 1_000_000) as f64 - random.unit() * 5e9;
            random.pick(&[near, near, near, 0.0, -1e15, 1e300])
        });
        let item = Item {
            id: self.item(),
            vector: self.vector(),
            categories,
            creator: self.random.some(2, |random| random.pick(&CREATORS)),
            created_at_ms,
        };
        self.upserted.push(item.clone());
        Op::Upsert { item }
    }

    fn read_time(&mut self) -> u64 {
        let now = self.now;
        match self.random.below(16) {
            0 => now - self.random.below(30 * DAY),
            1 => self.random.pick(&[
                0,
                EARLIEST,
                now + HOUR,
                now + 2 * DAY,
                now + 400 * DAY,
                u64::MAX,
            ]),
            _ => now,
        }
    }

    fn query(&mut self) -> Op {
        let user = if self.random.one_in(20) {
            STRANGER
        } else {
            self.known_user()
        };
        let community = if self.random.one_in(3) {
            None
        } else {
            Some(self.community())
        };
        let cohort = if self.random.one_in(2) {
            None
        } else {
            Some(self.random.pick(&COHORTS))
        };
        let candidates = if self.random.one_in(4) {
            Some(self.items(20))
        } else {
            None
        };
        Op::Query(Query {
            user,
            community,
            cohort,
            candidates,
            exclude: if self.random.one_in(3) {
                self.items(6)
            } else {
                Vec::new()
            },
            include_seen: !self.random.one_in(3),
            limit: self.random.pick(&[0, 1, 5, 20, 20, usize::MAX]),
            offset: self.random.pick(&[0, 0, 0, 3, 30, usize::MAX]),
            at: self.read_time(),
            diversity: self.random.pick(&[0.0, 0.0, 0.3, 0.75, 1.0]),
        })
    }

    fn cohorts(&mut self) -> Op {
        let many = self.random.below(4);
        let cohorts = (0..many).map(|_| self.random.pick(&COHORTS)).collect();
        Op::SetCohorts {
            user: self.user(),
            cohorts,
        }
    }

    fn membership(&mut self) -> Op {
        let (user, community, now) = (self.user(), self.community(), self.clock());
        match self.random.below(11) {
            0..=4 => Op::Join {
                user,
                community,
                policy: self.policy(),
                now,
            },
            5..=7 => Op::Leave {
                user,
                community,
                purge: self.random.one_in(8),
                now,
            },
            _ => Op::Rejoin {
                user,
                community,
                policy: self.policy(),
                now,
            },
        }
    }

    fn op(&mut self) -> Op {
        match self.random.below(200) {
            0..=99 => self.signal(),
            100..=124 => self.membership(),
            125..=126 => Op::LeaveLayer {
                user: self.user(),
                now: self.clock(),
            },
            127..=133 => Op::RejoinLayer { user: self.user() },
            134..=138 => self.cohorts(),
            139..=152 => self.upsert(),
            153..=154 => Op::Remove { item: self.item() },
            155 if self.random.one_in(2) => Op::Forget {
                user: self.user(),
                now: self.clock(),
            },
            155..=173 => self.query(),
            174..=177 => Op::Profile {
                user: self.known_user(),
                at: self.read_time(),
            },
            178..=182 => Op::Compare {
                at: self.read_time(),
            },
            183..=186 => Op::Flush,
            187..=197 => Op::Commit,
            198 => Op::Undo,
            _ => Op::Restore,
        }
    }
}
