/// The cell closes each connection after one response, without having said `Connection: close`
/// (RFC 9112 9.5 lets it).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClosesAfterOneResponse;
