//! What this device knows of a user: facts, and the views derived from them.

mod facts;
mod marks;
mod view;

pub(crate) use facts::{HIDDEN, LocalSignal, Profiles, SEEN};
pub(crate) use marks::Marks;
pub(crate) use view::{Affinities, Centroids, Decayed, Facts, ProfileView};
