//! The governance room from outside: what the two seed documents ask of its types, and the rules that add to them.

mod layer;
mod membership;
mod registry;
mod rows;
mod share_policy;
