//! The workload as the JavaScript side wrote it: a JSON head with the columns' shapes, then the columns, each aligned to 8.

use std::fs;

use serde::Deserialize;

#[derive(Deserialize)]
struct Head {
    head: Facts,
    shapes: Vec<(String, usize)>,
}

/// What is small.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Facts {
    pub category_names: Vec<String>,
    pub user_ids: Vec<u64>,
    pub community_ids: Vec<u64>,
    pub community_of: Vec<usize>,
}

/// Everything, in columns.
pub struct Workload {
    pub facts: Facts,
    pub vectors: Vec<f32>,
    pub starts: Vec<u32>,
    pub categories: Vec<u8>,
    pub creators: Vec<u32>,
    pub created_at: Vec<f64>,
    pub users: Vec<u32>,
    pub communities: Vec<u32>,
    pub items: Vec<u32>,
    pub kinds: Vec<u8>,
    pub at: Vec<f64>,
    pub now: Vec<f64>,
}

/// The columns that are left to read.
struct Columns<'a> {
    bytes: &'a [u8],
    offset: usize,
    shapes: std::vec::IntoIter<(String, usize)>,
}

impl Columns<'_> {
    fn next<T, const N: usize>(&mut self, read: fn([u8; N]) -> T) -> Vec<T> {
        let (_, count) = self.shapes.next().expect("a column");
        let bytes = &self.bytes[self.offset..][..count * N];
        self.offset = (self.offset + count * N).next_multiple_of(8);
        bytes
            .as_chunks::<N>()
            .0
            .iter()
            .map(|chunk| read(*chunk))
            .collect()
    }
}

impl Workload {
    pub fn read(path: &str) -> Self {
        let bytes = fs::read(path).expect("the workload that the command wrote");
        let length = u32::from_le_bytes(*bytes.first_chunk().expect("a length")) as usize;
        let head: Head = serde_json::from_slice(&bytes[4..4 + length]).expect("a head");
        let mut columns = Columns {
            bytes: &bytes,
            offset: (4 + length).next_multiple_of(8),
            shapes: head.shapes.into_iter(),
        };
        Self {
            facts: head.head,
            vectors: columns.next(f32::from_le_bytes),
            starts: columns.next(u32::from_le_bytes),
            categories: columns.next(u8::from_le_bytes),
            creators: columns.next(u32::from_le_bytes),
            created_at: columns.next(f64::from_le_bytes),
            users: columns.next(u32::from_le_bytes),
            communities: columns.next(u32::from_le_bytes),
            items: columns.next(u32::from_le_bytes),
            kinds: columns.next(u8::from_le_bytes),
            at: columns.next(f64::from_le_bytes),
            now: columns.next(f64::from_le_bytes),
        }
    }
}
