//! What is measured on: a catalogue of 50 000 films with vectors of 32 numbers, and signals on them that are distributed
//! after Zipf, of four kinds, 5 % of them late by up to an hour.

use tidegate::catalogue::{Item, name_id};
use tidegate::engine::{Config, Engine, Signal};
use tidegate::governance::{CommunityId, ItemId, KindId, UserId};

pub const ITEMS: u64 = 50_000;
pub const DIMENSIONS: u32 = 32;
pub const USER: UserId = UserId(1);
pub const NOIR: CommunityId = CommunityId(7);
pub const T0: u64 = 1_700_000_000_000_000_000;
const MILLISECOND: u64 = 1_000_000;
const HOUR: u64 = 3_600_000 * MILLISECOND;
/// Among the default ones: view, click, like, skip.
const KINDS: [KindId; 4] = [KindId(1), KindId(2), KindId(3), KindId(6)];

/// `SplitMix64`.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// From 0 up to 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits are all that is left")]
    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        let place = self.below(from.len() as u64);
        from[usize::try_from(place).expect("a place in a slice")]
    }
}

/// The rank of an item of which the n-th is asked for 1/n as often as the first.
pub struct Zipf {
    sums: Vec<f64>,
}

impl Zipf {
    #[expect(clippy::cast_precision_loss, reason = "ranks are small")]
    pub fn new(ranks: u64) -> Self {
        let sum = |sum: &mut f64, rank| {
            *sum += 1.0 / rank as f64;
            Some(*sum)
        };
        Self {
            sums: (1..=ranks).scan(0.0, sum).collect(),
        }
    }

    pub fn draw(&self, random: &mut Random) -> u64 {
        let point = random.unit() * self.sums.last().copied().unwrap_or(0.0);
        self.sums.partition_point(|sum| *sum < point) as u64
    }
}

/// How an app names its items.
#[derive(Clone, Copy)]
pub enum Ids {
    /// By small whole numbers.
    Integers,
    /// By strings, which are hashed.
    Names,
}

impl Ids {
    pub fn item(self, rank: u64) -> ItemId {
        ItemId(match self {
            // Popular items are not neighbours.
            Self::Integers => rank * 7_919 % ITEMS,
            Self::Names => name_id(&Self::name(rank)),
        })
    }

    pub fn name(rank: u64) -> String {
        format!("film-{rank}")
    }
}

/// A database without a catalogue, its user a member of the community.
pub fn bare() -> Engine {
    let config = Config {
        origin: 1,
        dimensions: DIMENSIONS,
        kinds: Vec::new(),
    };
    let mut engine = Engine::new(&config).expect("a plain configuration");
    engine.join(USER, NOIR, None, T0).expect("a first join");
    engine.commit(usize::MAX);
    engine
}

/// The same with the catalogue.
pub fn furnished() -> Engine {
    let mut engine = bare();
    let mut random = Random::new(1);
    for id in 0..ITEMS {
        #[expect(clippy::cast_possible_truncation, reason = "vectors are f32")]
        let vector = (0..DIMENSIONS)
            .map(|_| random.unit() as f32 - 0.5)
            .collect();
        let categories = (0..=random.below(3)).map(|_| format!("genre {}", random.below(24)));
        let item = Item {
            id: ItemId(id),
            vector: Some(vector),
            categories: categories.collect(),
            creator: Some(random.below(5_000)),
            created_at_ms: Some(1.7e12 - 1e11 * random.unit()),
        };
        engine.upsert_item(&item).expect("a plain item");
    }
    engine.commit(usize::MAX);
    engine
}

/// Signals of the user, 20 ms after each other, each with the host's time.
pub fn signals(
    count: u32,
    ids: Ids,
    community: Option<CommunityId>,
    seed: u64,
) -> Vec<(Signal, u64)> {
    let (mut random, zipf) = (Random::new(seed), Zipf::new(ITEMS));
    (0..u64::from(count))
        .map(|number| {
            let now = T0 + number * 20 * MILLISECOND;
            let late = random.below(20) == 0;
            let signal = Signal {
                user: USER,
                item: ids.item(zipf.draw(&mut random)),
                kind: random.pick(&KINDS),
                weight: None,
                at_ns: late.then(|| now - random.below(HOUR / MILLISECOND) * MILLISECOND),
                community,
                agent: None,
            };
            (signal, now)
        })
        .collect()
}

/// Takes the signals in.
pub fn ingest(engine: &mut Engine, signals: &[(Signal, u64)]) {
    for (signal, now) in signals {
        engine.signal(signal, *now).expect("a valid signal");
    }
}
