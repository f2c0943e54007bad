/// The cell closes each kept-alive connection when it is used again (Z-17).
///
/// The bytes of the next request arrive, none is read, and the connection is reset. Only in this
/// case can a router retry a request. The journal does not have that request.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClosesWhenUsedAgain;
