/// The cell closes connections before it reads anything from them (Z-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosesBeforeReading {
    /// The number of connections of each cell, from the first one accepted.
    pub connections: u32,
}
