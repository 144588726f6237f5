//! The governance room from outside: what the two seed documents ask of its types, and the rules that add to them.
#![cfg(not(target_arch = "wasm32"))]

mod layer;
mod membership;
mod registry;
mod rows;
mod share_policy;
