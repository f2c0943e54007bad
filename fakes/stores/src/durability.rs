//! How servers treat the disk.

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Durability {
    /// A crash may lose data, which nobody would miss.
    None,
    /// A write that was acknowledged outlives a crash.
    #[cfg(test)]
    Full,
}
