//! The one list of errors of the core.

use core::fmt;

/// Why a call was refused. A refused call has changed nothing (R8). `docs/errors.md` has an entry for each: its cause, what
/// it leaves untouched, what to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// An id out of range: user 0, or a name whose hash another name has (R16). Carries the argument's name.
    InvalidId(&'static str),
    /// A time before 1990-01-01 or more than 24 h after the host's now (R15). Carries the argument's name.
    InvalidTimestamp(&'static str),
    /// A weight that is not finite or larger than 1e6 in size (R15). Carries the argument's name.
    InvalidWeight(&'static str),
    /// Any other argument of the wrong shape or range. Carries the argument's name.
    InvalidArgument(&'static str),
    /// A kind of signal that the schema does not have.
    UnknownKind,
    /// There is no membership to leave or to rejoin (R3, R4).
    NotFound,
    /// Declared, and not built yet: `LeaveMode::Purge` (R3).
    Unsupported,
    /// The membership has used up its 2^32 epochs (R4).
    EpochExhausted,
    /// A kind or the number of dimensions contradicts what is frozen into the data (R19).
    SchemaMismatch,
    /// Snapshot bytes that are damaged.
    CorruptSnapshot,
    /// Log bytes that are damaged.
    CorruptEvents,
    /// Bytes written by a newer version.
    UnsupportedVersion,
    /// Events of another origin with a gap before them (R7).
    SequenceGap,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, argument) = match self {
            Self::InvalidId(argument) => ("invalid id", *argument),
            Self::InvalidTimestamp(argument) => ("invalid timestamp", *argument),
            Self::InvalidWeight(argument) => ("invalid weight", *argument),
            Self::InvalidArgument(argument) => ("invalid argument", *argument),
            Self::UnknownKind => ("unknown kind of signal", ""),
            Self::NotFound => ("no such membership", ""),
            Self::Unsupported => ("not supported yet", ""),
            Self::EpochExhausted => ("the membership has no epoch left", ""),
            Self::SchemaMismatch => ("the schema differs from the stored one", ""),
            Self::CorruptSnapshot => ("the snapshot is damaged", ""),
            Self::CorruptEvents => ("the log is damaged", ""),
            Self::UnsupportedVersion => ("written by a newer version", ""),
            Self::SequenceGap => ("events are missing before these", ""),
        };
        f.write_str(what)?;
        if argument.is_empty() {
            Ok(())
        } else {
            write!(f, ": {argument}")
        }
    }
}

impl core::error::Error for Error {}
