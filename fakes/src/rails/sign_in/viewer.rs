//! The sender of a request.

use crate::database::User;

/// The sender of a request, as far as the cell knows them.
#[derive(Debug, Default)]
pub(in crate::rails) struct Viewer {
    /// The user; `None` for a visitor without a valid session or token.
    pub(in crate::rails) user: Option<User>,
    /// The session that identifies them, if one does.
    pub(in crate::rails) session: Option<String>,
    /// The session that replaces it with the response, where it is about to end.
    pub(in crate::rails) renewed: Option<String>,
}
