//! The wire words of both proposals, as the fleet's cells write them: the only place of this crate
//! where they are spelled.

/// Names the owner on the 302 of a cell that does not own the target (BF-02).
pub const CELL_REDIRECT: &str = "X-Gitlab-Cell-Redirect";
/// Tells the router which prefix to remember (CA-01).
pub const CELL_CACHE: &str = "X-Gitlab-Cell-Cache";
/// The end-to-end field with which the suite recognises a user's request at a cell (Z-31).
pub const CONFORMANCE_ID: &str = "X-Conformance-Id";
/// The learn endpoint of the later routes-learning proposal (LN-02).
pub const LEARN_PATH: &str = "/api/v4/internal/cells/learn";
/// The learn endpoint of the earlier routes-learning proposal (LN-02).
pub const LEARN_PATH_EARLIER: &str = "/api/v4/cells/learn";

/// The value of [`CELL_REDIRECT`] that names a cell: `{cell:Cell EU0}` (BF-10).
pub fn redirect_value(name: &str) -> String {
    format!("{{cell:{name}}}")
}

/// The value of [`CELL_CACHE`] for a prefix: `{path_prefix:/my-company/}` (CA-02).
pub fn cache_value(prefix: &str) -> String {
    format!("{{path_prefix:{prefix}}}")
}
