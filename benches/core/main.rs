//! What the core costs natively, without bindings: `cargo bench`, or `cargo bench -- --quick` for a rough look.

mod bytes;
mod costs;
mod table;
mod workload;

use table::{head, heading};

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
