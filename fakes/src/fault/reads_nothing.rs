/// The cell accepts connections and reads nothing from them, like a process that hangs (Z-14,
/// Z-16).
///
/// When the faults end it begins to read, and responds what it finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReadsNothing;
