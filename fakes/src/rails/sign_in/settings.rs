//! The settings of users, in the shared `gitlab_users`. Every cell sees them (OR-01, OR-16, DB-01).

use axum::http::StatusCode;

use super::session;
use super::token::new_token;
use crate::database::{Change, User};
use crate::population::PUBLIC_ORGANIZATION;
use crate::rails::call::{Call, SignedIn};
use crate::rails::layout::Escaped;
use crate::rails::request::Form;
use crate::rails::response::{self, PageResult};

/// `/-/profile`
pub(in crate::rails) async fn profile(SignedIn(user): SignedIn, call: Call) -> PageResult {
    let organization = user.default_organization.as_deref().unwrap_or(PUBLIC_ORGANIZATION);
    let (name, organization) = (Escaped(&user.name), Escaped(organization));
    let page = call.page("Profile").await?;
    Ok(page
        .html(format_args!(
            "<p>Username: {name}</p>\n<p>Default organization: {organization}</p>\n\
             <form method=\"post\" action=\"/-/profile\"><label>Status <input name=\"status\" \
             value=\"{}\"></label> <button>Save</button></form>\n",
            Escaped(&user.status)
        ))
        .response(Some(&user)))
}

/// `/-/profile`: says something of the user.
pub(in crate::rails) async fn set_status(
    SignedIn(user): SignedIn,
    call: Call,
    sent: Form,
) -> PageResult {
    let status = sent.exactly("status").to_owned();
    // A session names a user who exists, so the write cannot conflict.
    let _ = call.cell.database.write(Change::SetStatus { user: user.name, status }).await?;
    Ok(response::redirect("/-/profile"))
}

/// `/-/user_settings`
pub(in crate::rails) async fn overview(SignedIn(user): SignedIn, call: Call) -> PageResult {
    settings(&call, &user, None).await
}

/// The form, with the reason why it had no effect. It offers every organization, since the
/// documents do not say who may choose which.
pub async fn settings(call: &Call, user: &User, refused: Option<String>) -> PageResult {
    let page = call.page("User settings").await?.refused(refused);
    let option = |slug: &str, name: &str| {
        let is_chosen = user.default_organization.as_deref().unwrap_or_default() == slug;
        let chosen = if is_chosen { " selected" } else { "" };
        format!("<option value=\"{}\"{chosen}>{}</option>\n", Escaped(slug), Escaped(name))
    };
    let organizations = call.cell.database.organizations().await?;
    let offered: String =
        organizations.iter().map(|offered| option(&offered.slug, &offered.name)).collect();
    let page = page.html(format_args!(
        "<form method=\"post\" action=\"/-/user_settings\">\n\
         <label>Default organization <select name=\"default_organization\">\n{}{offered}</select>\
         </label>\n\
         <button>Save</button>\n</form>\n\
         <p><a href=\"/-/user_settings/password\">Password</a> · <a \
         href=\"/-/user_settings/personal_access_tokens\">Personal access \
         tokens</a> · <a href=\"/-/profile\">Profile</a></p>\n",
        option("", PUBLIC_ORGANIZATION)
    ));
    Ok(page.response(Some(user)))
}

/// `/-/user_settings`: chooses the default organization.
pub(in crate::rails) async fn set_default_organization(
    SignedIn(user): SignedIn,
    call: Call,
    sent: Form,
) -> PageResult {
    let organization = match sent.filled("default_organization") {
        None | Some(PUBLIC_ORGANIZATION) => None,
        Some(slug) => match call.cell.database.organization(slug).await? {
            Some(organization) => Some(organization.slug),
            None => {
                let refusal = format!("There is no organization {slug}.");
                return settings(&call, &user, Some(refusal)).await;
            }
        },
    };
    let change = Change::SetDefaultOrganization { user: user.name.clone(), organization };
    Ok(match call.cell.database.write(change).await? {
        Ok(_) => response::redirect("/-/user_settings"),
        Err(conflict) => settings(&call, &user, Some(conflict.to_string())).await?,
    })
}

/// `/-/user_settings/password`
pub(in crate::rails) async fn password(SignedIn(user): SignedIn, call: Call) -> PageResult {
    password_form(&call, &user, None).await
}

async fn password_form(call: &Call, user: &User, refused: Option<String>) -> PageResult {
    let page = call.page("Password").await?.refused(refused);
    let page = page.html(
        "<form method=\"post\" action=\"/-/user_settings/password\">\n\
         <label>Current password <input name=\"current_password\" type=\"password\" required>\
         </label>\n\
         <label>New password <input name=\"password\" type=\"password\" required></label>\n\
         <button>Change</button>\n</form>\n",
    );
    Ok(page.response(Some(user)))
}

/// Changes the password and ends every other session of the user (SE-05).
pub(in crate::rails) async fn set_password(
    SignedIn(user): SignedIn,
    call: Call,
    sent: Form,
) -> PageResult {
    let new = sent.exactly("password");
    if sent.exactly("current_password") != user.password || new.is_empty() {
        let refusal = "The current password is another, or the new one is empty.".to_owned();
        return password_form(&call, &user, Some(refusal)).await;
    }
    let change = Change::SetPassword { user: user.name.clone(), password: new.to_owned() };
    if let Err(conflict) = call.cell.database.write(change).await? {
        return password_form(&call, &user, Some(conflict.to_string())).await;
    }
    let changed = User { password: new.to_owned(), ..user };
    let done = response::redirect("/-/user_settings");
    session::end_others(&call.cell, &call.viewer, &changed, done).await
}

/// `/-/user_settings/personal_access_tokens`
pub(in crate::rails) async fn tokens(SignedIn(user): SignedIn, call: Call) -> PageResult {
    tokens_with(&call, &user, None).await
}

async fn tokens_with(call: &Call, user: &User, token: Option<&str>) -> PageResult {
    let created = token.map(|token| {
        format!("<p>Your new token: <code id=\"token\">{}</code></p>\n", Escaped(token))
    });
    let status = if token.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    let page = call.page("Personal access tokens").await?;
    Ok(page
        .status(status)
        .html(created.unwrap_or_default())
        .html(
            "<form method=\"post\" action=\"/-/user_settings/personal_access_tokens\"><button>\
            Create a token</button></form>\n",
        )
        .response(Some(user)))
}

/// `/-/user_settings/personal_access_tokens`: makes one.
pub(in crate::rails) async fn add_token(SignedIn(user): SignedIn, call: Call) -> PageResult {
    let token = format!("glpat-{}", new_token());
    let change = Change::AddToken { token: token.clone(), user: user.name.clone() };
    // A random value of 128 bits is never taken.
    let _ = call.cell.database.write(change).await?;
    tokens_with(&call, &user, Some(&token)).await
}

/// `/-/user_settings/active_sessions`
pub(in crate::rails) async fn sessions(SignedIn(user): SignedIn, call: Call) -> PageResult {
    let page = call.page("Active sessions").await?;
    Ok(page
        .html(
            "<form method=\"post\" action=\"/-/user_settings/active_sessions\"><button>\
            Sign out everywhere</button></form>\n",
        )
        .response(Some(&user)))
}

/// `/-/user_settings/active_sessions`: ends them all.
pub(in crate::rails) async fn end_sessions(_: SignedIn, call: Call) -> PageResult {
    session::end_all(&call.cell, &call.viewer, response::redirect("/users/sign_in")).await
}
