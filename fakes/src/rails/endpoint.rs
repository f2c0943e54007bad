//! What a path asks for, as far as its row in the table of [`routes`](super::routes) tells.

use std::str::FromStr;

use super::path::{decoded, is_at_or_below};
use crate::database::ProjectReference;
use crate::ids::Id;
use crate::wire;

/// What the rows of the table have in common: who owns them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Endpoint {
    /// `/`
    Root,
    /// `/dashboard` and `/dashboard/projects`
    Dashboard,
    /// `/users/...`: sign-in, sign-out, sign-up.
    Users,
    /// `/-/user_settings/...` and `/-/profile`: pages of the signed-in user.
    Settings,
    /// `/groups` and `/groups/new`
    Groups,
    /// `/admin`
    Admin,
    /// `/admin/cells/<cell>/...`
    AdminOfCell,
    /// `/organizations/<slug>/...`
    Organization,
    /// `/api/organizations/<slug>/graphql`
    OrganizationGraphql,
    /// `/api/v4/projects/<id or encoded path>/...`
    ApiProject,
    /// `/api/v4/projects`
    ApiProjects,
    /// `/api/v4/groups/<id>/...`
    ApiGroup,
    /// `/api/v4/merge_requests/<id>`: by an id alone.
    ApiMergeRequest,
    /// `/api/v4/runners` and `/api/v4/jobs/...`: what runners ask.
    Runners(RunnerCall),
    /// What runners ask below `/-/cells/<cell>`.
    RunnersOfCell,
    /// What any cell serves for the whole installation.
    Global,
    /// `/search`
    Search,
    /// The learn endpoint, on both paths.
    Learn,
    /// `/<group>/<project>.git/...`: git's smart HTTP protocol.
    Repository(RepositoryCall),
    /// A path of the routes table: a namespace, a project, or any other row.
    Place,
}

/// What a runner asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunnerCall {
    /// To be registered.
    Register,
    /// A job.
    Request,
    /// To report about a job.
    Report,
}

/// What a git client asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepositoryCall {
    /// `GET info/refs`: where the refs are.
    Refs,
    /// `POST git-upload-pack`: to clone or fetch.
    Upload,
    /// `POST git-receive-pack`: to push.
    Receive,
}

impl RepositoryCall {
    /// The largest request, in bytes.
    pub const LARGEST: usize = 64 * 1024 * 1024;

    /// The path of the project, and what is asked of its repository.
    pub fn decode(path: &str) -> Option<(&str, Self)> {
        let (project, rest) = path.split_once(".git/")?;
        let call = match rest {
            "info/refs" => Self::Refs,
            "git-upload-pack" => Self::Upload,
            "git-receive-pack" => Self::Receive,
            _ => return None,
        };
        let (_, name) = project.strip_prefix('/')?.split_once('/')?;
        (!name.is_empty()).then_some((project, call))
    }
}

/// What a request or a pre-flight asks for.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The row of the table.
    pub endpoint: Endpoint,
    /// The path, byte for byte.
    pub path: String,
    params: Vec<(String, String)>,
}

impl Asked {
    /// What a path asks for by its row. A row does not count if a parameter does not fit it.
    pub fn new<'p>(
        row: Endpoint,
        path: &str,
        params: impl IntoIterator<Item = (&'p str, &'p str)>,
    ) -> Self {
        let params = params.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let params = params.collect();
        let mut asked = Self { endpoint: row, path: path.to_owned(), params };
        let fits = match row {
            Endpoint::ApiProject => asked.project().is_some(),
            Endpoint::ApiGroup | Endpoint::ApiMergeRequest => asked.id().is_some(),
            Endpoint::Runners(_) | Endpoint::RunnersOfCell => {
                asked.param("id").is_empty() || asked.job().is_some()
            }
            _ => true,
        };
        let fits = fits && asked.params.iter().all(|(_, value)| !value.is_empty());
        if !fits {
            asked.endpoint = Endpoint::Place;
        }
        if asked.endpoint == Endpoint::Place {
            let repository = RepositoryCall::decode(path).filter(|_| fits);
            asked.endpoint = match repository {
                Some((_, call)) if !is_at_or_below(path, "/-/cells") => Endpoint::Repository(call),
                _ if is_learn(path) => Endpoint::Learn,
                _ => Endpoint::Place,
            };
        }
        asked
    }

    /// The value of a parameter, byte for byte; empty where the row does not have it.
    pub fn param(&self, name: &str) -> &str {
        let found = self.params.iter().find(|(param, _)| param == name);
        found.map_or("", |(_, value)| value)
    }

    fn number<T: FromStr>(&self) -> Option<T> {
        self.param("id").parse().ok()
    }

    /// The id of a row: a number or a UUID. An id that is unique only on its cell is not returned.
    pub fn id(&self) -> Option<Id> {
        self.number().filter(|id| !matches!(id, Id::Local(_)))
    }

    /// The job of a runner.
    pub fn job(&self) -> Option<u64> {
        self.number()
    }

    /// The project that an API path names.
    pub fn project(&self) -> Option<ProjectReference> {
        match self.id() {
            Some(id) => Some(ProjectReference::Id(id)),
            None => decoded(self.param("id")).map(ProjectReference::Path),
        }
    }

    /// Whether programs ask here, or about the whole server. They are not sent to a form, and get a
    /// 404 for what is private as for what is missing.
    pub fn is_for_programs(&self) -> bool {
        is_at_or_below(&self.path, "/api")
            || self.path == "*"
            || matches!(self.endpoint, Endpoint::Learn | Endpoint::RunnersOfCell)
    }
}

/// Whether a path is the learn endpoint, in any spelling. Unlike other paths, the application
/// recognizes this one after decoding, also twice, with empty segments, dots, parameters of
/// segments, backslashes and control characters, as one or the other server in front of it does. A
/// router that blocks only the plain spelling does not protect it (Z-10).
fn is_learn(path: &str) -> bool {
    let Some(path) = decoded(path) else { return false };
    let path = if path.contains('%') { decoded(&path).unwrap_or(path) } else { path };
    let mut segments = Vec::new();
    for segment in path.split(['/', '\\']) {
        let name = segment.split_once(';').map_or(segment, |(name, _)| name);
        match name.trim_matches(char::is_control) {
            "" | "." => {}
            ".." => _ = segments.pop(),
            segment => segments.push(segment),
        }
    }
    let plain = format!("/{}", segments.join("/"));
    // Routes of an API take the name of a format at their end.
    let plain = plain.strip_suffix(".json").unwrap_or(&plain);
    plain == wire::LEARN_PATH || plain == wire::LEARN_PATH_EARLIER
}
