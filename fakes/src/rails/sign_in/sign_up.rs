//! Sign-up of a new customer, who joins an organization, creates one, or does neither (SU-01,
//! SU-02).

use super::session;
use crate::CellId;
use crate::database::{Change, Organization, User};
use crate::ids::IdTable;
use crate::population::PUBLIC_ORGANIZATION;
use crate::rails::call::Call;
use crate::rails::layout::Escaped;
use crate::rails::request::Form;
use crate::rails::response::{self, PageResult, Refusal, accepted};
use crate::wire::segments::is_plain_segment;

/// `/users/sign_up`: the form.
pub(in crate::rails) async fn page(call: Call) -> PageResult {
    form(&call, None).await
}

/// `/users/sign_up`: makes an account.
pub(in crate::rails) async fn sign_up(call: Call, sent: Form) -> PageResult {
    match accepted(register(&call, &sent).await)? {
        Ok(user) => session::start(&call.cell, &user, response::redirect("/")).await,
        Err(refusal) => form(&call, Some(refusal)).await,
    }
}

async fn register(call: &Call, sent: &Form) -> Result<User, Refusal> {
    let database = &call.cell.database;
    let name = sent.filled("username").filter(|name| is_plain_segment(name));
    let name = name.ok_or("Choose a username of letters, digits, dots, dashes and underscores.")?;
    let password = sent.exactly("password");
    if password.is_empty() {
        return Err("Choose a password.".into());
    }
    // Checked first, so that no organization is created for a user whose name is taken.
    let taken = || format!("The username {name} is taken.");
    if database.user(name).await?.is_some() {
        return Err(taken().into());
    }
    let default_organization = organization(call, sent).await?;
    let id = database.draw_id(&call.cell.role(), IdTable::Users).await?.id;
    let user = User {
        id,
        name: name.to_owned(),
        password: password.to_owned(),
        default_organization,
        admin: false,
        status: String::new(),
    };
    database.write(Change::AddUser(user.clone())).await?.map_err(|_| taken())?;
    Ok(user)
}

/// The slug of the organization that the user joins or creates; `None` for neither.
async fn organization(call: &Call, sent: &Form) -> Result<Option<String>, Refusal> {
    let named = || sent.filled("organization").ok_or("Name the organization.");
    match sent.filled("membership").unwrap_or("neither") {
        "neither" => Ok(None),
        "join" => {
            let slug = named()?;
            let found = call.cell.database.organization(slug).await?;
            found
                .map(|organization| Some(organization.slug))
                .ok_or_else(|| format!("There is no organization {slug}.").into())
        }
        "create" => {
            let name = named()?;
            let slug = slug_of(name);
            if !is_plain_segment(&slug) {
                return Err("Name the organization with letters and digits.".into());
            }
            // The documents draw it on US1; an installation without that uses the latest cell.
            let cell = call.cell.installation.plan.topology.present(&CellId::us(1));
            let founded = Organization {
                slug: slug.clone(),
                name: name.to_owned(),
                dashboard: format!("{name} Dashboard"),
                cell,
            };
            let written = call.cell.database.write(Change::AddOrganization(founded)).await?;
            written
                .map(|_| Some(slug))
                .map_err(|_| format!("An organization like {name} exists already.").into())
        }
        _ => Err("Say whether you join an organization, create one, or neither.".into()),
    }
}

/// `Ada & Sons` becomes `ada-sons`.
fn slug_of(name: &str) -> String {
    let words = name
        .split(|character: char| !character.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

async fn form(call: &Call, refused: Option<String>) -> PageResult {
    let page = call.page("Sign up").await?.refused(refused);
    let page = page.html(format_args!(
        "<form method=\"post\" action=\"/users/sign_up\">\n\
         <label>Username <input name=\"username\" autocomplete=\"username\" required></label>\n\
         <label>Password <input name=\"password\" type=\"password\" autocomplete=\"new-password\" \
         required></label>\n\
         <fieldset><legend>Are you already part of an organization, or would you like to create \
         one?</legend>\n\
         <label><input type=\"radio\" name=\"membership\" value=\"join\"> I am part of an \
         organization</label>\n\
         <label><input type=\"radio\" name=\"membership\" value=\"create\"> I would like to create \
         one</label>\n\
         <label><input type=\"radio\" name=\"membership\" value=\"neither\" checked> Neither: \
         {}</label>\n\
         <label>Organization <input name=\"organization\"></label>\n</fieldset>\n\
         <button>Sign up</button>\n</form>\n",
        Escaped(PUBLIC_ORGANIZATION)
    ));
    Ok(page.response(call.viewer.user.as_ref()))
}
