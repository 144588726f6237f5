//! The core as native code, taking the same steps as the peers in JavaScript: a step on each line of the input, an answer on
//! each line of the output. `lib/actor.mjs` says what the steps are; what is timed here is timed there.

#[cfg(not(target_arch = "wasm32"))]
mod data;
#[cfg(not(target_arch = "wasm32"))]
mod native;

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    native::main();
}

#[cfg(target_arch = "wasm32")]
fn main() {}
