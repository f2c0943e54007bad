//! What the documents promise to tell the user, in our words.

use crate::database::{Organization, User};
use crate::population::PUBLIC_ORGANIZATION;

/// An organization as pages name it.
pub(super) fn name_of(organization: Option<&Organization>) -> &str {
    organization.map_or(PUBLIC_ORGANIZATION, |organization| &organization.name)
}

/// The organization that a page says it belongs to. Legacy users and visitors without a session
/// need not know that there is such a thing as `GitLab.com Public` (OR-04).
pub(super) fn shown_organization<'a>(
    user: Option<&User>,
    organization: Option<&'a Organization>,
) -> Option<&'a str> {
    let is_told = user.is_some_and(|user| !user.is_legacy());
    (is_told || organization.is_some()).then(|| name_of(organization))
}

/// On every place: what is not right when it lies outside of the user's own organization.
///
/// `home` is the user's default organization, `here` that of the place.
pub(super) fn elsewhere(
    user: Option<&User>,
    home: Option<&Organization>,
    here: Option<&Organization>,
) -> Option<String> {
    let user = user?;
    let here_slug = here.map(|organization| organization.slug.as_str());
    if user.default_organization.as_deref() == here_slug {
        return None;
    }
    Some(if user.is_legacy() {
        // OR-14
        format!(
            "You are visiting {}. Some data may be missing here: the counts of merge requests, issues and to-do items leave out \
             everything that lies elsewhere.",
            name_of(here)
        )
    } else {
        // OR-11, OR-12
        format!(
            "This page lies outside of your default organization, {}. The counts of merge requests, issues and to-do items at the top \
             are not right here.",
            name_of(home)
        )
    })
}

/// On an organization's dashboard, for those whose default organization it is (OR-13).
pub(super) fn only_this_organization(organization: &Organization) -> String {
    format!(
        "This page shows data of {} only, which is your default organization. If that is not the one you want, choose another in your \
         settings.",
        organization.name
    )
}

/// Where a namespace is created without an organization, and on that namespace: it stands apart
/// (NS-03).
pub(super) fn isolated(home: Option<&Organization>) -> String {
    let own = home.map_or("any organization", |organization| &organization.name);
    format!("A group of {PUBLIC_ORGANIZATION} is isolated from {own}: no page shows data of both.")
}
