//! Bytes that were made to deceive: their checksums are right, and something else in them is not. They are refused, or
//! what they give is sound; and reading them takes no more memory than their length allows.
#![cfg(not(target_arch = "wasm32"))]

mod changed_rows;
mod changed_snapshots;
mod forge;
mod forged_checkpoints;
mod forged_rows;
mod forged_snapshots;
mod lengths;
mod memory;
