//! What the core costs natively, without bindings: `cargo bench`, or `cargo bench -- --quick` for a rough look.

#[cfg(not(target_arch = "wasm32"))]
mod bytes;
#[cfg(not(target_arch = "wasm32"))]
mod costs;
#[cfg(not(target_arch = "wasm32"))]
mod table;
#[cfg(not(target_arch = "wasm32"))]
mod workload;

#[cfg(not(target_arch = "wasm32"))]
use table::{head, heading};

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let rounds = if quick { 5 } else { 31 };
    head();
    heading("Signals");
    costs::gate(rounds);
    costs::signals(rounds);
    costs::ingest(rounds.div_ceil(4));
    heading("Queries, the best 20");
    costs::query(if quick { 100 } else { 1_000 });
    costs::query_by_contributions(rounds);
    heading("Log and snapshot");
    costs::undo(rounds);
    costs::flush(rounds);
    bytes::rows();
    bytes::snapshots(rounds.div_ceil(4));
}

/// Nothing: what the core costs in WebAssembly is another question, and this program is compiled for it all the same.
#[cfg(target_arch = "wasm32")]
fn main() {}
