/// The cell accepts connections and reads nothing from them, like a hanging process (Z-14, Z-16).
///
/// When the faults end, it reads and responds to the requests that have arrived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadsNothing;
