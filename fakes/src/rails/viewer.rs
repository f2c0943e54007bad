//! The sender of a request.

use crate::database::User;

/// The sender of a request, as far as the cell knows them.
#[derive(Debug, Default)]
pub struct Viewer {
    /// The user; `None` for a visitor without a valid session or token.
    pub user: Option<User>,
    /// The session that identifies them, if one does.
    pub session: Option<String>,
    /// The session that replaces it with the response, where it is about to end.
    pub renewed: Option<String>,
}

impl Viewer {
    /// The user of a session; a visitor where the session is nobody's.
    pub fn from_session(session: &str, user: Option<User>) -> Self {
        Self { session: user.is_some().then(|| session.to_owned()), user, renewed: None }
    }
}
