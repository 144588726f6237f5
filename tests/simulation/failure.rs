//! What a history that breaks a rule says.

use std::fmt::{Display, Formatter};

#[derive(Debug, Clone)]
pub struct Failure(pub String);

impl Display for Failure {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

pub type Check = Result<(), Failure>;

/// Ends the history with these words unless the condition holds.
#[macro_export]
macro_rules! ensure {
    ($condition:expr, $($words:tt)+) => {
        if !$condition {
            return Err($crate::failure::Failure(format!($($words)+)));
        }
    };
}
