//! The log: what happened, in order. All state is folded from it.

mod event;
mod export;
mod outbox;
mod row;
mod schema;

pub use event::{Event, EventRecord, Remote, SignalEvent};
pub use export::EXPORT_VERSION;
pub(crate) use export::{Cursor, Export, StreamPart};
pub(crate) use outbox::Outbox;
pub use row::{ROW_VERSION, RowHeader};
pub(crate) use row::{decode_row, encode_row};
pub(crate) use schema::Schema;
