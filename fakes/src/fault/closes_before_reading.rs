/// The cell closes connections before it has read anything from them (Z-17).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosesBeforeReading {
    /// How many, counted for each cell; the first so many that it accepts.
    pub connections: u32,
}
