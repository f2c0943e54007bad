//! The messages that the documents promise to users; the wording is ours.

use crate::database::{Organization, User};
use crate::population::PUBLIC_ORGANIZATION;

/// The name of an organization on pages.
pub(in crate::rails) fn name_of(organization: Option<&Organization>) -> &str {
    organization.map_or(PUBLIC_ORGANIZATION, |organization| &organization.name)
}

/// The organization that a page names. Legacy users and visitors without a session do not see
/// `GitLab.com Public` (OR-04).
pub(in crate::rails) fn shown_organization<'a>(
    user: Option<&User>,
    organization: Option<&'a Organization>,
) -> Option<&'a str> {
    let is_told = user.is_some_and(|user| !user.is_legacy());
    (is_told || organization.is_some()).then(|| name_of(organization))
}

/// The message on a page outside of the user's own organization: what is incomplete there.
///
/// `home` is the user's default organization, `here` that of the page.
pub(in crate::rails) fn elsewhere(
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
            "You are visiting {}. Some data may be missing here: the counts of merge requests, \
             issues and to-do items leave out everything that lies elsewhere.",
            name_of(here)
        )
    } else {
        // OR-11, OR-12
        format!(
            "This page lies outside of your default organization, {}. The counts of merge \
             requests, issues and to-do items at the top are not right here.",
            name_of(home)
        )
    })
}

/// The message on an organization's dashboard for users whose default organization it is (OR-13).
pub(in crate::rails) fn only_this_organization(organization: &Organization) -> String {
    format!(
        "This page shows data of {} only, which is your default organization. If that is not the \
         one you want, choose another in your settings.",
        organization.name
    )
}

/// The message on a namespace without an organization, and on the form that creates one: the
/// namespace is isolated (NS-03).
pub(in crate::rails) fn isolated(home: Option<&Organization>) -> String {
    let own = home.map_or("any organization", |organization| &organization.name);
    format!("A group of {PUBLIC_ORGANIZATION} is isolated from {own}: no page shows data of both.")
}
