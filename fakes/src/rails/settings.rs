//! The settings of users, in the shared `gitlab_users`. Every cell sees them (OR-01, OR-16, DB-01).

use axum::http::StatusCode;

use super::call::Call;
use super::endpoint::SettingsPage;
use super::layout::Escaped;
use super::response::{self, PageResult};
use super::session;
use super::token::new_token;
use crate::database::{Change, User};
use crate::mutants::Mutation;
use crate::population::PUBLIC_ORGANIZATION;

/// A page of the user's settings.
pub(super) async fn page(call: &Call<'_>, page: SettingsPage) -> PageResult {
    let Some(user) = &call.viewer.user else {
        return Ok(response::sign_in(&call.visit.target()));
    };
    Ok(match (page, call.visit.reads()) {
        (SettingsPage::Settings, true) => settings(call, user, None).await?,
        (SettingsPage::Settings, false) => set_default_organization(call, user).await?,
        (SettingsPage::Password, true) => password(call, user, None).await?,
        (SettingsPage::Password, false) => set_password(call, user).await?,
        (SettingsPage::Tokens, true) => tokens(call, user, None).await?,
        (SettingsPage::Tokens, false) => add_token(call, user).await?,
        (SettingsPage::Sessions, true) => sessions(call, user).await?,
        (SettingsPage::Sessions, false) => {
            session::end_all(call.cell, call.viewer, response::redirect("/users/sign_in")).await?
        }
        (SettingsPage::Profile, _) => profile(call, user).await?,
    })
}

async fn profile(call: &Call<'_>, user: &User) -> PageResult {
    let organization = user.default_organization.as_deref().unwrap_or(PUBLIC_ORGANIZATION);
    let (name, organization) = (Escaped(&user.name), Escaped(organization));
    let page = call.page("Profile").await?;
    Ok(page
        .html(format_args!(
            "<p>Username: {name}</p>\n<p>Default organization: {organization}</p>\n"
        ))
        .response(Some(user)))
}

async fn settings(call: &Call<'_>, user: &User, refused: Option<String>) -> PageResult {
    let page = call.page("User settings").await?.status(status(&refused)).notices(refused);
    let page = page.html(format_args!(
        "<form method=\"post\" action=\"/-/user_settings\">\n\
         <label>Default organization (empty: {}) <input name=\"default_organization\" value=\"{}\">\
         </label>\n\
         <button>Save</button>\n</form>\n\
         <p><a href=\"/-/user_settings/password\">Password</a> · <a \
         href=\"/-/user_settings/personal_access_tokens\">Personal access \
         tokens</a> · <a href=\"/-/profile\">Profile</a></p>\n",
        Escaped(PUBLIC_ORGANIZATION),
        Escaped(user.default_organization.as_deref().unwrap_or_default())
    ));
    Ok(page.response(Some(user)))
}

async fn set_default_organization(call: &Call<'_>, user: &User) -> PageResult {
    let sent = call.visit.form();
    let organization = match sent.filled("default_organization") {
        None => None,
        Some(slug)
            if slug == PUBLIC_ORGANIZATION
                && !call.cell.has(Mutation::PublicOrganizationNeedsARecord) =>
        {
            None
        }
        Some(slug) => match call.cell.database.organization(slug).await? {
            Some(organization) => Some(organization.slug),
            None => {
                let refusal = format!("There is no organization {slug}.");
                return settings(call, user, Some(refusal)).await;
            }
        },
    };
    if call.cell.has(Mutation::DefaultOrganizationPerCell) {
        call.cell.installation.notes.set_default(&call.cell.node, &user.name, organization);
        return Ok(response::redirect("/-/user_settings"));
    }
    let change = Change::SetDefaultOrganization { user: user.name.clone(), organization };
    Ok(match call.cell.database.write(change).await? {
        Ok(_) => response::redirect("/-/user_settings"),
        Err(conflict) => settings(call, user, Some(conflict.to_string())).await?,
    })
}

async fn password(call: &Call<'_>, user: &User, refused: Option<String>) -> PageResult {
    let page = call.page("Password").await?.status(status(&refused)).notices(refused);
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
async fn set_password(call: &Call<'_>, user: &User) -> PageResult {
    let sent = call.visit.form();
    let new = sent.exactly("password");
    if sent.exactly("current_password") != user.password || new.is_empty() {
        let refusal = "The current password is another, or the new one is empty.".to_owned();
        return password(call, user, Some(refusal)).await;
    }
    let change = Change::SetPassword { user: user.name.clone(), password: new.to_owned() };
    if let Err(conflict) = call.cell.database.write(change).await? {
        return password(call, user, Some(conflict.to_string())).await;
    }
    let changed = User { password: new.to_owned(), ..user.clone() };
    let done = response::redirect("/-/user_settings");
    session::end_others(call.cell, call.viewer, &changed, done).await
}

async fn tokens(call: &Call<'_>, user: &User, token: Option<&str>) -> PageResult {
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

async fn add_token(call: &Call<'_>, user: &User) -> PageResult {
    let token = format!("glpat-{}", new_token());
    if call.cell.has(Mutation::NewTokenKnownHere) {
        call.cell.installation.notes.add_token(&call.cell.node, token.clone(), &user.name);
    } else {
        // A random value of 128 bits is never taken.
        let _ = call
            .cell
            .database
            .write(Change::AddToken { token: token.clone(), user: user.name.clone() })
            .await?;
    }
    tokens(call, user, Some(&token)).await
}

async fn sessions(call: &Call<'_>, user: &User) -> PageResult {
    let page = call.page("Active sessions").await?;
    Ok(page
        .html(
            "<form method=\"post\" action=\"/-/user_settings/active_sessions\"><button>\
            Sign out everywhere</button></form>\n",
        )
        .response(Some(user)))
}

fn status(refused: &Option<String>) -> StatusCode {
    if refused.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK }
}
