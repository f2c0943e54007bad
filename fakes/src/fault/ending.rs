//! The end of a connection.

/// How a connection ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// In order, as at the end of a stream (FIN).
    Close,
    /// By a reset (RST).
    Reset,
}
