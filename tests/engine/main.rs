//! The engine through its public API: the life cycle, the epoch fences, replay, the journal.
#![cfg(not(target_arch = "wasm32"))]

mod exchange;
mod journal;
mod lifecycle;
mod rebase;
mod replay;
mod settling;
mod support;
mod views;
