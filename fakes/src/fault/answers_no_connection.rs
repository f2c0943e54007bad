/// The cell does not answer attempts to connect, like a host behind a firewall that drops packets
/// (router contract, Limits: `connect_timeout_ms`).
///
/// Its listener has room for one connection, which the fleet itself takes, so that the operating
/// system drops every other attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnswersNoConnection;
