//! Every name on the wire and in the contract's files, defined once.

use http::HeaderName;

/// Names the cell that a request is to be sent on to (BF-10).
pub const REDIRECT: HeaderName = HeaderName::from_static("x-gitlab-cell-redirect");
/// Says which paths the responding cell owns (CA-01).
pub const CACHE: HeaderName = HeaderName::from_static("x-gitlab-cell-cache");
/// Member of the redirect field: the name of a cell.
pub const CELL_MEMBER: &[u8] = b"cell";
/// Member of the cache field: the prefix to remember (CA-02).
pub const PATH_PREFIX_MEMBER: &[u8] = b"path_prefix";

/// Query parameter of a pre-flight: the user's method (LN-03).
pub const METHOD_PARAMETER: &str = "method";
/// Query parameter of a pre-flight: the user's path without its query (LN-03).
pub const PATH_INFO_PARAMETER: &str = "path_info";

/// Fields that concern one connection, whether or not `Connection` lists them (RFC 9110 7.6.1),
/// those of a proxy's own authentication, and `Trailer`, because trailers are discarded.
pub const ONE_HOP: [&str; 9] = [
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];
/// The only transfer coding.
pub const CHUNKED: &str = "chunked";
/// The only protocol besides HTTP that is passed on (Z-23).
pub const WEBSOCKET: &str = "websocket";

/// How the names of fields begin that tell about the user's connection (Z-26).
pub const FORWARDED_FAMILY: &str = "x-forwarded-";
/// Other names of such fields, and of those that tell another target than the requested one; the
/// contract lists them.
pub const OTHER_FORWARDING: [&str; 10] = [
    "forwarded",
    "forwarded-for",
    "client-ip",
    "front-end-https",
    "true-client-ip",
    "x-client-ip",
    "x-original-url",
    "x-real-ip",
    "x-rewrite-url",
    "x-scheme",
];
/// The user's address.
pub const FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The host that the user asked for.
pub const FORWARDED_HOST: HeaderName = HeaderName::from_static("x-forwarded-host");
/// The scheme that the user asked with.
pub const FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// The router's entry in `Via` (RFC 9110 7.6.3): protocol version and a pseudonym.
pub const VIA: &str = "1.1 cells-router";

/// The second-level cookie (CA-15). Browsers take this prefix only with `Secure`, `Path=/` and no
/// domain, so no other host of the domain can plant it.
pub const COOKIE: &str = "__Host-route";

/// Whether the field is what routers and cells say to each other (Z-03, Z-04).
pub fn is_internal(name: &str) -> bool {
    name == REDIRECT.as_str() || name == CACHE.as_str()
}
