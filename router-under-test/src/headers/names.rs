//! Which names of fields are not passed on.

use http::header::CONTENT_LENGTH;

use crate::wire;

/// Whether the field concerns one connection alone.
pub(super) fn is_one_hop(name: &str) -> bool {
    matches!(
        name,
        wire::CONNECTION
            | wire::KEEP_ALIVE
            | wire::PROXY_AUTHENTICATE
            | wire::PROXY_AUTHORIZATION
            | wire::PROXY_CONNECTION
            | wire::TE
            | wire::TRAILER
            | wire::TRANSFER_ENCODING
            | wire::UPGRADE
    )
}

/// Whether the field is what routers and cells say to each other.
pub(super) fn is_internal(name: &str) -> bool {
    matches!(name, wire::REDIRECT | wire::CACHE)
}

/// Whether the field tells about the way here.
pub(super) fn is_forwarding(name: &str) -> bool {
    name.starts_with(wire::FORWARDED_FAMILY) || wire::OTHER_FORWARDING.contains(&name)
}

/// Whether an application could take the name for one of those that a user must not send: in the
/// variables of CGI, which Rack has as well, a hyphen and an underscore are the same
/// (CVE-2024-45614).
pub(super) fn is_alias(name: &str) -> bool {
    if !name.contains('_') {
        return false;
    }
    let name = name.replace('_', "-");
    is_one_hop(&name)
        || is_internal(&name)
        || is_forwarding(&name)
        || name == CONTENT_LENGTH.as_str()
}
