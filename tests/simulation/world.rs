//! A history: databases, their tabs, and steps drawn from a seed. Each step has a seed of its own, so that a history
//! can be cut down to the steps that matter.

use crate::checks;
use crate::database::Database;
use crate::exchange::{deliver, nothing_was_made_up};
use crate::failure::{Check, Failure};
use crate::operations::{COMMUNITIES, Call, MILLISECOND, T0, USERS};
use crate::random::Random;
use crate::write_loop::Ending;
use std::fmt::Write;

/// What may happen in a step, with how often it does before a history changes the odds.
const ODDS: [(Step, u64); 21] = [
    (Step::Signals, 22),
    (Step::Join, 14),
    (Step::Leave, 5),
    (Step::LeaveLayer, 1),
    (Step::RejoinLayer, 4),
    (Step::Cohorts, 2),
    (Step::Item, 2),
    (Step::Forget, 1),
    (Step::Outbox, 3),
    (Step::Export, 7),
    (Step::Acknowledge, 1),
    (Step::Import, 10),
    (Step::Flush, 18),
    (Step::CatchUp, 5),
    (Step::Answer, 4),
    (Step::Compact, 2),
    (Step::Keep, 1),
    (Step::Copy, 1),
    (Step::Crash, 1),
    (Step::Open, 12),
    (Step::Check, 3),
];

/// What may happen to a page that has not opened the database yet.
const TIMELESS: [Step; 4] = [Step::CatchUp, Step::Answer, Step::Crash, Step::Check];
/// With restored copies.
const MOST_DATABASES: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Step {
    Signals,
    Join,
    Leave,
    LeaveLayer,
    RejoinLayer,
    Cohorts,
    Item,
    Forget,
    Outbox,
    Export,
    Acknowledge,
    Import,
    Flush,
    CatchUp,
    Answer,
    Compact,
    Keep,
    Copy,
    Crash,
    Open,
    Check,
}

/// The seeds of a history's steps.
pub fn steps(seed: u64) -> Vec<u64> {
    let mut random = Random::new(seed ^ 0x5EED);
    let length = 30 + random.below(290);
    (0..length).map(|_| random.next()).collect()
}

struct World {
    databases: Vec<Database>,
    odds: Vec<u64>,
    /// How many users and communities there are.
    reach: (usize, usize),
    /// Time that has passed, in nanoseconds.
    now: u64,
    /// Told when a history is replayed.
    told: Option<String>,
}

/// Plays a history; all that it says, and how it ends.
pub fn play(seed: u64, steps: &[u64], tell: bool) -> (String, Check) {
    let mut world = World::new(&mut Random::new(seed));
    world.told = tell.then(String::new);
    let mut end = Ok(());
    for step in steps {
        end = world.step(&mut Random::new(*step));
        if end.is_err() {
            break;
        }
    }
    if end.is_ok() {
        end = world.settle(&mut Random::new(seed));
    }
    (world.told.unwrap_or_default(), end)
}

impl World {
    fn new(random: &mut Random) -> Self {
        let most_tabs = 1 + random.index(5);
        let others = 1 + random.index(2);
        let tabs = [most_tabs, 1, 1];
        let databases = tabs[..=others].iter().enumerate();
        let databases = databases
            .map(|(app, tabs)| Database::new(app, *tabs, random.percent(80)))
            .collect();
        // Not every history has everything, so that each thing is seen often somewhere.
        let odds = ODDS.iter().map(|(step, odds)| match step {
            Step::Signals | Step::Join | Step::Flush | Step::Open => *odds,
            _ => odds * random.pick(&[0, 1, 1, 2, 4]),
        });
        let odds = odds.collect();
        Self {
            databases,
            odds,
            reach: (
                1 + random.index(USERS.len()),
                1 + random.index(COMMUNITIES.len()),
            ),
            now: 0,
            told: None,
        }
    }

    fn step(&mut self, random: &mut Random) -> Check {
        self.now += random.pick(&[0, 1, 1, 20, 1_000, 3_600_000]) * MILLISECOND;
        if random.percent(3) {
            // The machine's clock is set back.
            self.now -= self.now.min(5_000 * MILLISECOND);
        }
        let place = if random.percent(60) {
            0
        } else {
            1 + random.index(self.databases.len() - 1)
        };
        let (step, _) = ODDS[random.weighted(&self.odds)];
        let database = &mut self.databases[place];
        if step == Step::Open || database.tabs.is_empty() {
            self.say(format_args!("\ndatabase {place}: a page opens"));
            return self.databases[place].open(random);
        }
        let tab = random.index(database.tabs.len());
        // Nothing can be called before `open` resolves, which needs a flush.
        let waits = database.tabs[tab].opening && !TIMELESS.contains(&step);
        let sent = database.tabs[tab].sent.as_ref();
        let answers = sent.is_some_and(|sent| !sent.lost);
        let step = match step {
            Step::Flush | Step::CatchUp if answers && random.percent(60) => Step::Answer,
            _ if waits => Step::Flush,
            _ => step,
        };
        self.say(format_args!("\ndatabase {place}, tab {tab}: {step:?}"));
        self.in_tab(place, tab, step, random)
    }

    fn in_tab(&mut self, place: usize, at: usize, step: Step, random: &mut Random) -> Check {
        let room = self.databases.len() < MOST_DATABASES;
        let database = &mut self.databases[place];
        let mut tab = database.tabs.remove(at);
        let now = (T0 + self.now).saturating_add_signed(tab.skew);
        let mut told = String::new();
        let done = match step {
            Step::Flush => {
                let ending = ending(random);
                write!(told, " {ending:?}").expect("memory");
                tab.flush(&mut database.disk, ending, random)
            }
            Step::CatchUp => tab.catch_up(&mut database.disk, random).map(|()| true),
            Step::Answer => tab.answer(&mut database.disk).map(|()| true),
            Step::Crash => Ok(false),
            Step::Check => checks::tab(&mut tab, &database.disk).map(|()| true),
            Step::Compact => {
                database.compact(&mut tab);
                Ok(true)
            }
            Step::Copy => {
                if tab.position > 0 && room {
                    let copy = database.copy(&mut tab, random.next());
                    self.databases.push(copy);
                }
                Ok(true)
            }
            Step::Keep => {
                database.keep(&mut tab);
                Ok(true)
            }
            _ => {
                let mut call = Call {
                    tab: &mut tab,
                    database,
                    random,
                    now,
                    reach: self.reach,
                    told: &mut told,
                };
                call.make(step).and_then(|exported| {
                    tab.note()?;
                    if let Some(bytes) = exported {
                        deliver(&bytes, place, &mut self.databases, random);
                    }
                    Ok(true)
                })
            }
        };
        self.say(format_args!("{told}"));
        if done? {
            self.databases[place].tabs.insert(at, tab);
        }
        Ok(())
    }

    fn settle(&mut self, random: &mut Random) -> Check {
        self.say(format_args!("\nin the end"));
        for database in &mut self.databases {
            database.settle(random)?;
        }
        nothing_was_made_up(&self.databases)
    }

    fn say(&mut self, words: std::fmt::Arguments<'_>) {
        if let Some(told) = &mut self.told {
            told.write_fmt(words).expect("memory");
        }
    }
}

impl Call<'_> {
    /// Makes the call, and gives back what it exported.
    fn make(&mut self, step: Step) -> Result<Option<Vec<u8>>, Failure> {
        match step {
            Step::Signals => self.signals(),
            Step::Join => self.join(),
            Step::Leave => self.leave(),
            Step::LeaveLayer => self.leave_layer(),
            Step::RejoinLayer => self.rejoin_layer(),
            Step::Cohorts => self.cohorts(),
            Step::Item => self.item_changes(),
            Step::Forget => self.forget(),
            Step::Outbox => {
                self.set_outbox();
                Ok(())
            }
            Step::Acknowledge => self.acknowledge(),
            Step::Import => self.imports(),
            Step::Export => return self.export(),
            _ => unreachable!("not a call of an app's"),
        }?;
        Ok(None)
    }
}

/// Most flushes go well.
fn ending(random: &mut Random) -> Ending {
    let completed = random.percent(60);
    let lost = random.percent(40);
    let unanswered = Ending::Unanswered { completed, lost };
    let endings = [
        Ending::Completes,
        Ending::Aborts,
        Ending::CrashBefore,
        Ending::CrashAfter,
        unanswered,
    ];
    endings[random.weighted(&[62, 6, 3, 4, 25])]
}
