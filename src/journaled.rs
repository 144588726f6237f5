//! A hash map that remembers what it overwrote, so that changes which are not in the log yet can be taken back exactly,
//! and the hasher that all maps of the core share.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::HashMap;

/// A hash map with an undo log. Taking back costs O(changes since the last commit), whatever the size of the map.
#[derive(Debug, Clone)]
pub(crate) struct JournaledMap<K, V> {
    map: HashMap<K, V, BuildIdHasher>,
    /// What each changed key held before, in the order of the changes; `None` where there was nothing.
    log: Vec<(K, Option<V>)>,
}

impl<K, V> Default for JournaledMap<K, V> {
    fn default() -> Self {
        Self {
            map: HashMap::default(),
            log: Vec::new(),
        }
    }
}

impl<K: Copy + Eq + Hash, V: Clone> JournaledMap<K, V> {
    /// The value of a key; one hash look-up, none while the map is empty.
    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.map.get(key)
    }

    /// The value as of the last commit.
    pub(crate) fn committed(&self, key: &K) -> Option<&V> {
        match self.log.iter().find(|(changed, _)| changed == key) {
            Some((_, before)) => before.as_ref(),
            None => self.map.get(key),
        }
    }

    /// Whether there are no keys.
    pub(crate) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }

    /// The keys and their values, in no order that may be relied on.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, &V)> {
        self.map.iter()
    }

    /// Sets the value of a key.
    pub(crate) fn insert(&mut self, key: K, value: V) {
        let before = self.map.insert(key, value);
        self.log.push((key, before));
    }

    /// Takes the value of a key away. False where there is none.
    pub(crate) fn remove(&mut self, key: &K) -> bool {
        let Some(before) = self.map.remove(key) else {
            return false;
        };
        self.log.push((*key, Some(before)));
        true
    }

    /// Puts back what every key held at the last commit. The log keeps its capacity.
    pub(crate) fn undo(&mut self) {
        while let Some((key, before)) = self.log.pop() {
            match before {
                Some(value) => self.map.insert(key, value),
                None => self.map.remove(&key),
            };
        }
    }

    /// Makes every change final. The log keeps its capacity.
    pub(crate) fn commit(&mut self) {
        self.log.clear();
    }
}

/// Makes an [`IdHasher`].
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct BuildIdHasher;

impl BuildHasher for BuildIdHasher {
    type Hasher = IdHasher;

    fn build_hasher(&self) -> IdHasher {
        IdHasher { state: SEED }
    }
}

/// A hasher for ids and small tuples of them: two multiplications for an id, one more for each further one.
///
/// It has no random seed, since the core has no random source (R13); nothing that can be seen depends on the order it
/// gives. A single id is mixed one-to-one, so distinct ids never share a whole hash. Every step folds the high half of
/// a product into the low half: a map on a 32-bit target takes both its bucket and its tag from the low half. A
/// 128-bit product would mix as well, and is slow on WebAssembly, which has no instruction for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdHasher {
    state: u64,
}

/// Digits of π, as in other hashes of this family: no structure, and anyone can check them.
const SEED: u64 = 0x243f_6a88_85a3_08d3;
/// Odd, so that multiplying loses nothing; the constants of David Stafford's thirteenth mixer.
const STEP: u64 = 0xbf58_476d_1ce4_e5b9;
const FINISH: u64 = 0x94d0_49bb_1331_11eb;

const fn fold(product: u64) -> u64 {
    product ^ (product >> 32)
}

/// The hash of two ids, for the one look-up that must cost next to nothing: a multiplication less than [`IdHasher`]. The
/// second id is folded first, since only one product mixes it.
#[inline]
pub(crate) const fn pair_hash(first: u64, second: u64) -> u64 {
    let mixed = fold((SEED ^ first).wrapping_mul(STEP));
    fold((mixed ^ fold(second)).wrapping_mul(FINISH))
}

impl Hasher for IdHasher {
    fn write_u64(&mut self, word: u64) {
        self.state = fold((self.state ^ word).wrapping_mul(STEP));
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u16(&mut self, word: u16) {
        self.write_u64(word.into());
    }

    fn write_u8(&mut self, word: u8) {
        self.write_u64(word.into());
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    /// Eight bytes at a time; the last, shorter word has its length in the top byte, so that trailing zeros count.
    fn write(&mut self, bytes: &[u8]) {
        let (words, tail) = bytes.as_chunks::<8>();
        for word in words {
            self.write_u64(u64::from_le_bytes(*word));
        }
        let last = tail.iter().rev().fold(tail.len() as u64, |word, &byte| {
            (word << 8) | u64::from(byte)
        });
        self.write_u64(last);
    }

    fn finish(&self) -> u64 {
        fold(self.state.wrapping_mul(FINISH))
    }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;

    #[derive(Debug, Clone)]
    enum Op {
        Insert(u64, u32),
        Remove(u64),
        Undo,
        Commit,
    }

    fn any_op() -> impl Strategy<Value = Op> {
        let key = 0..8_u64;
        prop_oneof![
            4 => (key.clone(), any::<u32>()).prop_map(|(key, value)| Op::Insert(key, value)),
            4 => key.prop_map(Op::Remove),
            1 => Just(Op::Undo),
            1 => Just(Op::Commit),
        ]
    }

    fn contents(map: &JournaledMap<u64, u32>) -> BTreeMap<u64, u32> {
        map.iter().map(|(&key, &value)| (key, value)).collect()
    }

    proptest! {
        #[test]
        fn undo_gives_the_map_of_the_last_commit(ops in prop::collection::vec(any_op(), 0..200)) {
            let mut map = JournaledMap::<u64, u32>::default();
            let (mut model, mut committed) = (BTreeMap::new(), BTreeMap::new());
            for op in ops {
                match op {
                    Op::Insert(key, value) => {
                        map.insert(key, value);
                        model.insert(key, value);
                    }
                    Op::Remove(key) => {
                        prop_assert_eq!(map.remove(&key), model.remove(&key).is_some());
                    }
                    Op::Undo => {
                        map.undo();
                        model.clone_from(&committed);
                    }
                    Op::Commit => {
                        map.commit();
                        committed.clone_from(&model);
                    }
                }
                prop_assert_eq!(contents(&map), model.clone());
                prop_assert_eq!(map.is_empty(), model.is_empty());
                for key in 0..8 {
                    prop_assert_eq!(map.get(&key), model.get(&key));
                }
            }
            map.undo();
            prop_assert_eq!(contents(&map), committed);
        }
    }

    #[test]
    fn a_change_of_nothing_logs_nothing() {
        let mut map = JournaledMap::<u64, u32>::default();
        assert!(!map.remove(&1));
        assert!(map.log.is_empty());
    }

    #[test]
    fn the_log_keeps_its_capacity() {
        let mut map = JournaledMap::<u64, u32>::default();
        for key in 0..100 {
            map.insert(key, 0);
        }
        let capacity = map.log.capacity();
        map.commit();
        assert_eq!((map.log.len(), map.log.capacity()), (0, capacity));
        for key in 0..100 {
            map.insert(key, 1);
        }
        map.undo();
        assert_eq!((map.log.len(), map.log.capacity()), (0, capacity));
    }

    fn hash(value: impl Hash) -> u64 {
        BuildIdHasher.hash_one(value)
    }

    /// Of the low 32 bits, which are all that a 32-bit target looks at, a map takes its bucket from the low end and its
    /// seven-bit tag from the high end.
    fn assert_spread(name: &str, hashes: impl Iterator<Item = u64>) {
        // One key for each bucket: if they fell at random, 1/e of the buckets would stay empty (6 027 of 16 384, give
        // or take 50), and the fullest would have about 7. 128 of each tag, give or take 11.
        assert_spread_within(name, (6_500, 12, 64..=192), hashes);
    }

    fn assert_spread_within(
        name: &str,
        (most_empty, most_keys, usual): (usize, u32, std::ops::RangeInclusive<u32>),
        hashes: impl Iterator<Item = u64>,
    ) {
        const KEYS: usize = 1 << 14;
        let (mut buckets, mut tags) = (vec![0_u32; KEYS], [0_u32; 128]);
        for hash in hashes.take(KEYS) {
            let low = usize::try_from(hash & 0xffff_ffff).unwrap();
            buckets[low % KEYS] += 1;
            tags[low >> 25] += 1;
        }
        let empty = buckets.iter().filter(|&&keys| keys == 0).count();
        assert!(
            empty < most_empty,
            "{name}: {empty} of {KEYS} buckets are empty"
        );
        assert!(
            buckets.iter().all(|&keys| keys <= most_keys),
            "{name}: a bucket is crowded"
        );
        assert!(
            tags.iter().all(|keys| usual.contains(keys)),
            "{name}: tags {tags:?}"
        );
    }

    #[test]
    fn ids_in_patterns_spread_over_buckets_and_tags() {
        for shift in 0..50 {
            assert_spread(
                &format!("n << {shift}"),
                (0..).map(|n: u64| hash(n << shift)),
            );
        }
        assert_spread("from the top", (0..).map(|n: u64| hash(u64::MAX - n)));
        assert_spread("multiples of 1000", (0..).map(|n: u64| hash(n * 1_000)));
        assert_spread("squares", (0..).map(|n: u64| hash(n * n)));
        assert_spread("u32", (0..).map(|n: u32| hash(n)));
        assert_spread("u16", (0..).map(|n: u16| hash(n)));
        assert_spread("pairs of one user", (0..).map(|n: u64| hash((1_u64, n))));
        assert_spread(
            "pairs of one community",
            (0..).map(|n: u64| hash((n, 1_u64))),
        );
        assert_spread(
            "square of pairs",
            (0..).map(|n: u64| hash((n / 128, n % 128))),
        );
        assert_spread("equal pairs", (0..).map(|n: u64| hash((n, n))));
        assert_spread(
            "triples",
            (0..).map(|n: u64| hash((n / 256, n / 16 % 16, (n % 16) as u16))),
        );
        assert_spread("words", (0..).map(|n: u64| hash(format!("film-{n}"))));
    }

    #[test]
    fn pairs_in_patterns_spread_over_buckets_and_tags() {
        for shift in 0..50 {
            // One product mixes the second id, so ids in steps leave buckets empty. What look-ups wait for is a crowded one.
            assert_spread_within(
                &format!("(1, n << {shift})"),
                (13_500, 16, 32..=256),
                (0..).map(|n: u64| pair_hash(1, n << shift)),
            );
            assert_spread(
                &format!("(n << {shift}, 1)"),
                (0..).map(|n: u64| pair_hash(n << shift, 1)),
            );
            assert_spread_within(
                &format!("(n, n) << {shift}"),
                (13_500, 16, 32..=256),
                (0..).map(|n: u64| pair_hash(n << shift, n << shift)),
            );
        }
        assert_spread("square", (0..).map(|n: u64| pair_hash(n / 128, n % 128)));
        assert_spread(
            "users of 20 communities",
            (0..).map(|n: u64| pair_hash(n, n % 20)),
        );
        assert_spread(
            "names",
            (0..).map(|n: u64| pair_hash(hash(n), hash(n % 20))),
        );
        assert_ne!(pair_hash(1, 2), pair_hash(2, 1));
    }

    #[test]
    fn an_id_is_mixed_one_to_one() {
        let hashes: BTreeSet<u64> = (0..1 << 17)
            .map(|n: u64| hash(n.wrapping_mul(0x9e37_79b9)))
            .collect();
        assert_eq!(hashes.len(), 1 << 17);
    }

    #[test]
    fn the_order_of_a_pair_counts() {
        assert_ne!(hash((1_u64, 2_u64)), hash((2_u64, 1_u64)));
    }

    #[test]
    fn strings_that_differ_in_zeros_or_length_differ() {
        fn raw(bytes: &[u8]) -> u64 {
            let mut state = BuildIdHasher.build_hasher();
            state.write(bytes);
            state.finish()
        }
        let zeros = [0; 40];
        let distinct: BTreeSet<u64> = (0..=40).map(|length| raw(&zeros[..length])).collect();
        assert_eq!(distinct.len(), 41, "runs of zeros");
        let name = "tidegate".repeat(5);
        let distinct: BTreeSet<u64> = (0..=40).map(|length| hash(&name[..length])).collect();
        assert_eq!(distinct.len(), 41, "prefixes");
    }

    /// No random seed (R13), and an index hashes alike on 32 and 64 bits.
    #[test]
    fn equal_keys_have_equal_hashes_in_every_map() {
        assert_eq!(hash((1_u64, 2_u64)), hash((1_u64, 2_u64)));
        assert_eq!(hash("tidegate"), hash(String::from("tidegate")));
        assert_eq!(hash(3_usize), hash(3_u64));
    }
}
