//! The sign-in page, and sign-out.

pub mod session;
pub mod settings;
pub(crate) mod sign_up;
pub mod token;
mod ways;

use axum::http::StatusCode;

use super::call::Call;
use super::layout::Escaped;
use super::path::{local_or_root, sign_in_for};
use super::request::Form;
use super::response::{self, PageResult};

/// `/users/sign_in`: the form.
pub(super) async fn page(call: Call) -> PageResult {
    form(&call, None).await
}

/// `/users/sign_in`: signs in (LG-02).
pub(super) async fn sign_in(call: Call, sent: Form) -> PageResult {
    let (name, password) = (sent.exactly("username"), sent.exactly("password"));
    match call.cell.database.user(name).await? {
        Some(user) if user.password == password => {
            let target = call.visit.query_value("redirect").unwrap_or_else(|| "/".to_owned());
            session::start(&call.cell, &user, response::redirect(&local_or_root(&target))).await
        }
        // A wrong name and a wrong password get the same response, which does not reveal who has an
        // account.
        _ => form(&call, Some("This name and password do not belong together.")).await,
    }
}

async fn form(call: &Call, refused: Option<&str>) -> PageResult {
    let action = match call.visit.query_value("redirect") {
        Some(target) => sign_in_for(&target),
        None => "/users/sign_in".to_owned(),
    };
    let page = call.page("Sign in").await?.refused(refused.map(str::to_owned));
    let page = page.html(format_args!(
        "<form method=\"post\" action=\"{}\">\n\
         <label>Username <input name=\"username\" autocomplete=\"username\" required></label>\n\
         <label>Password <input name=\"password\" type=\"password\" \
         autocomplete=\"current-password\" required></label>\n\
         <button>Sign in</button>\n</form>\n",
        Escaped(&action)
    ));
    Ok(page.response(call.viewer.user.as_ref()))
}

/// `/users/sign_out`: ends the session on every cell (SE-05).
pub(super) async fn sign_out(call: Call) -> PageResult {
    session::end(&call.cell, &call.viewer, response::redirect("/users/sign_in")).await
}

/// A link must not end a session; only the form does.
pub(super) async fn by_a_link() -> StatusCode {
    StatusCode::METHOD_NOT_ALLOWED
}
