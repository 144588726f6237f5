//! What counts beyond the device's own profile: contributions to communities, attribution to cohorts.

mod cohorts;
mod contributions;

pub(crate) use cohorts::Cohorts;
pub(crate) use contributions::{Beside, Contributions, Tenure};
