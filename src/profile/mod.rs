//! What this device knows of a user: facts, and the views derived from them.

mod facts;
mod view;

pub(crate) use facts::{HIDDEN, LocalSignal, Profiles, SEEN};
pub(crate) use view::{Affinities, Centroids, Decayed, Facts, ProfileView};
