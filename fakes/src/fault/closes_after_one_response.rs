/// The cell closes each connection after one response, without `Connection: close` (which RFC 9112
/// 9.5 allows).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClosesAfterOneResponse;
