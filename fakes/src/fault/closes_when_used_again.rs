/// The cell closes each kept connection as it is used again (Z-17).
///
/// The bytes of the next request arrive, no byte of them is read, and the connection is reset: the
/// one case in which a router may send a request a second time. The journal does not have that
/// request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClosesWhenUsedAgain;
