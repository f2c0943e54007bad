//! Every name on the wire and in the contract's files, defined once.

use http::HeaderName;

/// Names the cell that a request is to be sent on to (BF-10).
pub(crate) const REDIRECT: &str = "x-gitlab-cell-redirect";
/// [`REDIRECT`], for look-ups.
pub(crate) const REDIRECT_HEADER: HeaderName = HeaderName::from_static(REDIRECT);
/// Says which paths the responding cell owns (CA-01).
pub(crate) const CACHE: &str = "x-gitlab-cell-cache";
/// [`CACHE`], for look-ups.
pub(crate) const CACHE_HEADER: HeaderName = HeaderName::from_static(CACHE);
/// Member of the redirect header: the name of a cell.
pub(crate) const CELL_MEMBER: &[u8] = b"cell";
/// Member of the cache header: the prefix to remember (CA-02).
pub(crate) const PATH_PREFIX_MEMBER: &[u8] = b"path_prefix";

/// Query parameter of a pre-flight: the user's method (LN-03).
pub(crate) const METHOD_PARAMETER: &str = "method";
/// Query parameter of a pre-flight: the user's path without its query (LN-03).
pub(crate) const PATH_INFO_PARAMETER: &str = "path_info";

/// Fields that concern one connection, whether or not `Connection` lists them (RFC 9110 7.6.1),
/// those of a proxy's own authentication, and `Trailer`, because trailers are discarded.
pub(crate) const CONNECTION: &str = "connection";
pub(crate) const KEEP_ALIVE: &str = "keep-alive";
pub(crate) const PROXY_AUTHENTICATE: &str = "proxy-authenticate";
pub(crate) const PROXY_AUTHORIZATION: &str = "proxy-authorization";
pub(crate) const PROXY_CONNECTION: &str = "proxy-connection";
pub(crate) const TE: &str = "te";
pub(crate) const TRAILER: &str = "trailer";
pub(crate) const TRANSFER_ENCODING: &str = "transfer-encoding";
pub(crate) const UPGRADE: &str = "upgrade";

/// The connection option that is not a field name.
pub(crate) const CLOSE: &str = "close";
/// The only protocol besides HTTP that is passed on (Z-23).
pub(crate) const WEBSOCKET: &str = "websocket";

/// How the names of fields begin that tell about the user's connection (Z-26).
pub(crate) const FORWARDED_FAMILY: &str = "x-forwarded-";
/// Other names of such fields, and of those that tell another target than the requested one; the
/// contract lists them.
pub(crate) const OTHER_FORWARDING: [&str; 10] = [
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
pub(crate) const FORWARDED_FOR_HEADER: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The host that the user asked for.
pub(crate) const FORWARDED_HOST_HEADER: HeaderName = HeaderName::from_static("x-forwarded-host");
/// The scheme that the user asked with.
pub(crate) const FORWARDED_PROTO_HEADER: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// Names a request, for logs.
pub(crate) const REQUEST_ID_HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// How users speak to this router.
pub(crate) const HTTP: &str = "http";
/// How they may speak to a proxy in front of it.
pub(crate) const HTTPS: &str = "https";
/// The router's entry in `Via` (RFC 9110 7.6.3): protocol version and a pseudonym.
pub(crate) const VIA: &str = "1.1 cells-router";

/// Path of the topology file.
pub(crate) const TOPOLOGY_VARIABLE: &str = "CELLS_TOPOLOGY";
/// The address to listen on.
pub(crate) const LISTEN_VARIABLE: &str = "CELLS_LISTEN";
/// The router's own region.
pub(crate) const REGION_VARIABLE: &str = "CELLS_REGION";
/// Which of the proposals to follow.
pub(crate) const PROTOCOL_VARIABLE: &str = "CELLS_PROTOCOL";
/// How much to log; the router's own.
pub(crate) const LOG_VARIABLE: &str = "CELLS_LOG";
/// The secret behind the second-level cookie; the router's own, as are those that follow.
pub(crate) const COOKIE_KEY_VARIABLE: &str = "CELLS_COOKIE_KEY";
/// How many requests may be under way.
pub(crate) const MAX_REQUESTS_VARIABLE: &str = "CELLS_MAX_REQUESTS";
/// How many connections of users may be open.
pub(crate) const MAX_CONNECTIONS_VARIABLE: &str = "CELLS_MAX_CONNECTIONS";
/// How many requests one cell may have under way.
pub(crate) const CELL_REQUESTS_VARIABLE: &str = "CELLS_MAX_REQUESTS_PER_CELL";
/// How many pre-flights one cell may have under way.
pub(crate) const CELL_PREFLIGHTS_VARIABLE: &str = "CELLS_MAX_PREFLIGHTS_PER_CELL";
/// How many connections to one cell may be open.
pub(crate) const CELL_CONNECTIONS_VARIABLE: &str = "CELLS_MAX_CONNECTIONS_PER_CELL";
/// How long a user who has closed the sending half may get nothing, in milliseconds.
pub(crate) const HALF_CLOSED_VARIABLE: &str = "CELLS_HALF_CLOSED_MS";
/// How many connections one address may have.
pub(crate) const ADDRESS_CONNECTIONS_VARIABLE: &str = "CELLS_MAX_CONNECTIONS_PER_ADDRESS";
/// How many bytes users' bodies may take at once.
pub(crate) const BUFFERED_VARIABLE: &str = "CELLS_MAX_BUFFERED_BYTES";
/// How long a head may take, in milliseconds.
pub(crate) const HEAD_TIMEOUT_VARIABLE: &str = "CELLS_HEAD_TIMEOUT_MS";
/// How long the router waits for a body in all, in milliseconds.
pub(crate) const BODY_GRACE_VARIABLE: &str = "CELLS_BODY_GRACE_MS";
/// How many bytes earn a body a second more.
pub(crate) const BODY_RATE_VARIABLE: &str = "CELLS_BODY_RATE";
/// How long neither side of a tunnel may say anything, in milliseconds.
pub(crate) const TUNNEL_IDLE_VARIABLE: &str = "CELLS_TUNNEL_IDLE_MS";
/// Which proxies in front of the router speak for users.
pub(crate) const PROXIES_VARIABLE: &str = "CELLS_TRUSTED_PROXIES";
/// Whether a header of the PROXY protocol is in front of each connection.
pub(crate) const PROXY_PROTOCOL_VARIABLE: &str = "CELLS_PROXY_PROTOCOL";
/// Where the access log goes.
pub(crate) const ACCESS_LOG_VARIABLE: &str = "CELLS_ACCESS_LOG";
/// Whether requests get ids.
pub(crate) const REQUEST_ID_VARIABLE: &str = "CELLS_REQUEST_ID";
/// Where metrics are served.
pub(crate) const METRICS_VARIABLE: &str = "CELLS_METRICS";

/// The second-level cookie (CA-15). Browsers take this prefix only with `Secure`, `Path=/` and no
/// domain, so no other host of the domain can plant it.
pub(crate) const COOKIE: &str = "__Host-route";

/// The spellings of the two protocols.
pub(crate) const BUFFERING: &str = "buffering";
pub(crate) const LEARNING: &str = "learning";
