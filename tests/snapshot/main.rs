//! Bytes at rest: snapshots and log rows come back as they went, are the same whatever the order in which ids came, and
//! are refused when a single byte is not what was written. Bytes that were made to deceive are in `hostile.rs`.
#![cfg(not(target_arch = "wasm32"))]

mod canonical;
mod damage;
mod drawn;
mod golden;
mod histories;
mod round_trip;
mod rows;
