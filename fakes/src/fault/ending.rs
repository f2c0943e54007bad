//! The end of a connection.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// In order, as at the end of a stream (FIN).
    Close,
    /// By a reset (RST).
    Reset,
}
