//! Header names, parameters and JSON members of both proposals. No other module of this crate
//! spells them.

use http::{HeaderMap, HeaderName};

pub(crate) mod authority;
pub(crate) mod segments;

/// Header that names the owner, on the 302 of a cell that does not own the target (BF-02).
pub const CELL_REDIRECT: &str = "X-Gitlab-Cell-Redirect";
/// Header that tells the router which prefix it may cache (CA-01).
pub const CELL_CACHE: &str = "X-Gitlab-Cell-Cache";
/// The fields by which cells speak to routers.
pub const INTERNAL: [&str; 2] = [CELL_REDIRECT, CELL_CACHE];
/// How the names of those two begin. A router may be set to block all such fields (RFC 9110 5.1).
pub const CELL_FIELDS: &str = "X-Gitlab-Cell-";
/// End-to-end header by which the suite recognizes a user's request at a cell (Z-31).
pub const CONFORMANCE_ID: &str = "X-Conformance-Id";
/// The learn endpoint of the later routes-learning proposal (LN-02).
pub const LEARN_PATH: &str = "/api/v4/internal/cells/learn";
/// The learn endpoint of the earlier routes-learning proposal (LN-02).
pub const LEARN_PATH_EARLIER: &str = "/api/v4/cells/learn";

/// Parameter of a pre-flight: the user's method (LN-03).
pub const METHOD_PARAMETER: &str = "method";
/// Parameter of a pre-flight: the user's path, without its query (LN-03).
pub const PATH_INFO_PARAMETER: &str = "path_info";
/// Member of a learn response: the prefix, or the path (LN-04).
pub const PATH_MEMBER: &str = "path";
/// Member of a learn response: the owner's id (LN-04).
pub const CELL_MEMBER: &str = "cell";
/// Member of a learn response: `routable` or `fixed` (LN-07).
pub const SOURCE_MEMBER: &str = "source";
/// Member of a learn response: whether it covers this path alone (LN-06).
pub const EXACT_MEMBER: &str = "exact";

/// The query of a pre-flight. The caller encodes both values.
pub fn learn_query(method: &str, path_info: &str) -> String {
    format!("{METHOD_PARAMETER}={method}&{PATH_INFO_PARAMETER}={path_info}")
}

/// The value of [`CELL_REDIRECT`] that names a cell: `{cell:Cell EU0}` (BF-10).
pub fn redirect_value(name: &str) -> String {
    format!("{{cell:{name}}}")
}

/// The value of [`CELL_CACHE`] for a prefix: `{path_prefix:/my-company/}` (CA-02).
pub fn cache_value(prefix: &str) -> String {
    format!("{{path_prefix:{prefix}}}")
}

/// Whether a list field has this member, ignoring case (RFC 9110 5.6.1).
pub(crate) fn lists(fields: &HeaderMap, name: HeaderName, member: &str) -> bool {
    let lines = fields.get_all(name).into_iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|one| one.trim().eq_ignore_ascii_case(member))
}
