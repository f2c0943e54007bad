//! Sends one request of a person.

use cell_fleet::wire;

use super::ActionError;
use crate::action::{Person, RequestKind, Route};
use crate::literal::Request;
use crate::stage::Stage;
use crate::trace::{ReceivedResponse, UserRequest};

impl RequestKind {
    /// Sends the request, made from the last response where it follows from one.
    pub(super) async fn perform(
        &self,
        person: &Person,
        route: &Route,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let request = match self.fixed() {
            Some(request) => request,
            None => self.follow_up(person, stage)?,
        };
        send(person, request, route, stage).await
    }

    /// The request that follows from the last response to the person, or to whom it names.
    fn follow_up(&self, person: &Person, stage: &Stage) -> Result<Request, ActionError> {
        if let Self::OfRecord { target } = self {
            let record = stage.people().last_created(&person.0);
            let filled = record.and_then(|record| with_members(target, &record));
            return filled.map(Request::get).map_err(ActionError::Interrupted);
        }
        let whose = if let Self::WithToken { owner, .. } = self { owner } else { person };
        let (request, response) = last_response(whose, stage)?;
        let received =
            || format!("{} {} received {}", request.method, request.target, response.status);
        match self {
            Self::FollowRedirect => location(&response).map(Request::get).ok_or_else(|| {
                let received = received();
                format!("{received}, which leads nowhere in the installation")
            }),
            Self::PageBelow { below } => {
                let path = String::from_utf8_lossy(request.path());
                Ok(Request::get(format!("{path}{below}")))
            }
            Self::ChooseCell { cell } => cell_choice(&response.body.text(), &cell.name())
                .map(Request::get)
                .ok_or_else(|| {
                    format!("the page at {} offers no choice of {}", request.target, cell.name())
                }),
            Self::WithToken { target, .. } => {
                let token = token(&response.body.text())
                    .ok_or_else(|| format!("{} and no token", received()));
                token.map(|token| Request {
                    fields: vec![("Private-Token".to_owned(), token)],
                    ..Request::get(target)
                })
            }
            Self::SignIn => {
                let account = stage.plan().fleet.population.person(&person.0);
                let password = account.map(|account| account.password.as_str());
                let password = password
                    .ok_or_else(|| ActionError::invalid(format!("{} has no password", person.0)))?;
                // The form goes to where the page came from.
                let form = [("username", person.0.as_str()), ("password", password)];
                Ok(Request::form(request.target.to_string(), &form))
            }
            Self::Visit { .. }
            | Self::Target { .. }
            | Self::Method { .. }
            | Self::RandomBody { .. }
            | Self::Message { .. }
            | Self::SignOut
            | Self::CreateGroup { .. }
            | Self::SignUp { .. }
            | Self::OfRecord { .. } => {
                Err("the request does not follow from a response".to_owned())
            }
        }
        .map_err(ActionError::Interrupted)
    }
}

/// Lets a person send a request by a route.
pub(super) async fn send(
    person: &Person,
    request: Request,
    route: &Route,
    stage: &mut Stage,
) -> Result<(), ActionError> {
    let way = stage.way(route)?;
    stage.people.send(&person.0, way, request).await;
    Ok(())
}

/// A person's last request with its response; without one, the scenario cannot go on.
pub(super) fn last_response(
    person: &Person,
    stage: &Stage,
) -> Result<(UserRequest, ReceivedResponse), ActionError> {
    stage.people().last_response(&person.0).map_err(ActionError::Interrupted)
}

/// The target of a redirect within the installation.
fn location(response: &ReceivedResponse) -> Option<String> {
    let location = response.fields.iter().find(|field| field.is("Location"))?.value.to_string();
    ((300..400).contains(&response.status) && location.starts_with('/')).then_some(location)
}

/// The address behind a name in the list of cells of an Admin Area's page.
fn cell_choice(page: &str, name: &str) -> Option<String> {
    let (_, list) = page.split_once("<summary>Choose a cell</summary>")?;
    let (list, _) = list.split_once("</details>")?;
    let (before, _) = list.split_once(&format!("\">{name}</a>"))?;
    before.rsplit_once("<a href=\"").map(|(_, address)| address.to_owned())
}

/// A target with the members of a record in place of their names in braces.
fn with_members(target: &str, record: &serde_json::Value) -> Result<String, String> {
    let mut filled = String::with_capacity(target.len());
    let mut rest = target;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after
            .split_once('}')
            .ok_or_else(|| format!("`{target}` has no `}}` after its `{{`"))?;
        let value = match &record[name] {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Number(number) => number.to_string(),
            _ => return Err(format!("the last record has no member `{name}`: {record}")),
        };
        filled.extend([before, &value]);
        rest = after;
    }
    Ok(filled + rest)
}

/// The access token that a page shows.
fn token(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("<code id=\"token\">")?;
    rest.split_once('<').map(|(token, _)| token.to_owned())
}

/// The target of a pre-flight about a path.
pub(super) fn learn_target(learn_path: &str, path: &str) -> String {
    let encoded: String = form_urlencoded::byte_serialize(path.as_bytes()).collect();
    format!("{learn_path}?{}", wire::learn_query("GET", &encoded))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_found_in_the_list_of_cells_alone() {
        let list = concat!(
            "<ul>\n<li><a href=\"/admin/cells/cellus0\">Cell US0</a></li>\n",
            "<li><a href=\"/admin/cells/celleu1\">Cell EU1</a></li>\n</ul>"
        );
        let page = format!(
            "<a href=\"/other\">Cell EU0</a><details><summary>Choose a cell</summary>\n{list}\
             </details>"
        );
        assert_eq!(cell_choice(&page, "Cell EU1").as_deref(), Some("/admin/cells/celleu1"));
        assert_eq!(cell_choice(&page, "Cell US0").as_deref(), Some("/admin/cells/cellus0"));
        assert_eq!(cell_choice(&page, "Cell EU0"), None);
        assert_eq!(cell_choice(list, "Cell EU1"), None);
    }

    #[test]
    fn a_target_is_filled_with_the_members_of_a_record() {
        let record = serde_json::json!({ "id": u64::MAX, "uuid": "a-b" });
        let filled = |target| with_members(target, &record);
        assert_eq!(filled("/x/{id}/{uuid}"), Ok(format!("/x/{}/a-b", u64::MAX)));
        assert!(filled("/x/{iid}").is_err() && filled("/x/{id").is_err());
    }

    #[test]
    fn a_token_is_read_from_its_element() {
        assert_eq!(token("<p><code id=\"token\">abc</code>").as_deref(), Some("abc"));
        assert_eq!(token("<p><code>abc</code>"), None);
    }
}
