//! Sends the requests of a person: one, several visits, pushes and clones. And changes cookies.

use bytes::Bytes;
use cell_fleet::git::{self, Advertised, Service};
use cell_fleet::{CellId, Event, Protocol, TokenForgery, wire};

use super::ActionError;
use crate::action::{CookieChange, Framing, GitAction, Person, RequestKind, Route, Visits};
use crate::literal::Request;
use crate::people::Streaming;
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
        if let Self::RandomBody {
            framing: framing @ (Framing::InChunks | Framing::AfterContinue),
            ..
        } = self
        {
            let way = stage.way(route)?;
            stage.people.stream(&person.0, way, Streaming::unwatched(request, *framing)).await;
            return Ok(());
        }
        send(person, request, route, stage).await
    }

    /// The request that follows from the last response to the person, or to whom it names.
    fn follow_up(&self, person: &Person, stage: &Stage) -> Result<Request, ActionError> {
        if let Self::OfRecord { target } = self {
            let record = stage.people.last_created(&person.0);
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
                let account = stage.plan.fleet.population.person(&person.0);
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
    stage.people.last_response(&person.0).map_err(ActionError::Interrupted)
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

impl Visits {
    /// Makes the visits, until one has no response.
    pub(super) async fn perform(
        &self,
        person: &Person,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let entries = stage.fleet.journal().entries().len();
        for target in self.targets() {
            send(person, Request::get(target), &Route::Default, stage).await?;
            last_response(person, stage)?;
            if let Self::Until { cell, .. } = self
                && was_asked(stage, cell, entries)
            {
                break;
            }
        }
        Ok(())
    }
}

/// Whether a cell has got a request since the journal had this many entries.
fn was_asked(stage: &Stage, cell: &CellId, entries: usize) -> bool {
    // Looked up, not asked for: asking for a role would bind a cast.
    let roles = stage.fleet.casting().roles();
    let all = stage.fleet.journal().entries();
    all.iter().skip(entries).any(|entry| match &entry.event {
        Event::Request(request) => roles.get(&request.cell).unwrap_or(&request.cell) == cell,
        _ => false,
    })
}

/// Asks every cell of the fleet who serves a path.
pub(super) async fn ask_every_cell(path: &str, stage: &mut Stage) -> Result<(), ActionError> {
    let target = match stage.plan.fleet.protocol {
        Protocol::Learning => learn_target(&stage.plan.settings.learn_path, path),
        Protocol::Buffering => path.to_owned(),
    };
    for cell in stage.plan.fleet.topology.cells.clone() {
        let request = Request::get(target.clone());
        send(&Person::visitor(), request, &Route::Cell(cell), stage).await?;
    }
    Ok(())
}

// A request that follows from the refs of the repository is sent only if they were got.
impl GitAction {
    pub(super) async fn perform(
        &self,
        person: &Person,
        route: &Route,
        stage: &mut Stage,
    ) -> Result<(), ActionError> {
        let (Self::Push { repository, .. } | Self::Clone { repository }) = self;
        let service = self.service();
        let refs = Request::get(format!("{repository}/info/refs?service={}", service.as_str()));
        send(person, refs, route, stage).await?;
        let (_, response) = last_response(person, stage)?;
        if response.status != 200 {
            return Ok(());
        }
        let refs = git::advertised(&response.body.beginning);
        let Some(body) = self.body(&refs) else { return Ok(()) };
        let kind = format!("application/x-{}-request", service.as_str());
        let request = Request {
            method: "POST".to_owned(),
            target: format!("{repository}/{}", service.as_str()),
            fields: vec![("Content-Type".to_owned(), kind)],
            body: Bytes::from(body),
        };
        send(person, request, route, stage).await
    }

    fn service(&self) -> Service {
        match self {
            Self::Push { .. } => Service::Receive,
            Self::Clone { .. } => Service::Upload,
        }
    }

    /// What is sent once the refs are known; nothing to clone an empty repository.
    fn body(&self, refs: &Advertised) -> Option<Vec<u8>> {
        match self {
            Self::Push { commit, .. } => Some(git::push_request(refs, commit).0),
            Self::Clone { .. } if refs.is_empty() => None,
            Self::Clone { .. } => Some(git::clone_request(refs)),
        }
    }
}

impl CookieChange {
    pub(super) fn perform(&self, person: &Person, stage: &mut Stage) -> Result<(), ActionError> {
        let of_cells = cookies_of_cells(stage);
        let jar = stage.people.jar(&person.0);
        match self {
            Self::Forge { value } => jar.forge(&of_cells, value),
            Self::TakeOver { from } => jar.take_over(&stage.people.jar(&from.0), &of_cells),
            Self::Copy { from } => jar.take_over(&stage.people.jar(&from.0), &[]),
            Self::ForgeSession { with } => {
                let forgery: TokenForgery = with.parse().map_err(ActionError::invalid)?;
                jar.change(cell_fleet::SESSION_COOKIE, |token| forgery.forge(token));
            }
        }
        Ok(())
    }
}

/// Names of the cookies that cells have set so far and that signing in gave. All others come from
/// the router.
fn cookies_of_cells(stage: &Stage) -> Vec<String> {
    let mut names = vec![cell_fleet::SESSION_COOKIE.to_owned()];
    for entry in stage.fleet.journal().entries() {
        let Event::Response(response) = entry.event else { continue };
        for line in response.fields.iter().filter(|field| field.is("Set-Cookie")) {
            names.extend(
                line.value.to_string().split_once('=').map(|(name, _)| name.trim().to_owned()),
            );
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_filled_with_the_members_of_a_record() {
        let record = serde_json::json!({ "id": u64::MAX, "uuid": "a-b" });
        let filled = |target| with_members(target, &record);
        assert_eq!(filled("/x/{id}/{uuid}"), Ok(format!("/x/{}/a-b", u64::MAX)));
        assert!(filled("/x/{iid}").is_err() && filled("/x/{id").is_err());
    }
}
