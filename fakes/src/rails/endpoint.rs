//! Decodes a path to an endpoint of the application. The same rules decode a request and a
//! pre-flight's `path_info` (LN-08).

use super::path::{decoded, is_at_or_below, segment_after};
use crate::database::ProjectReference;
use crate::ids::Id;
use crate::wire;

/// The WebSocket endpoint of the whole installation, which any cell serves.
const CABLE_PATH: &str = "/-/cable";

/// Whether a path is that of a WebSocket endpoint: the global one, or one of a place.
pub(super) fn is_cable(path: &str) -> bool {
    path.ends_with(CABLE_PATH)
}

/// An endpoint, as far as the path alone tells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Endpoint<'p> {
    /// `/`
    Root,
    /// `/dashboard` and `/dashboard/projects`
    Dashboard,
    /// `/users/...`: sign-in, sign-out, sign-up; the rest of the path.
    Users(&'p str),
    /// `/-/user_settings/...` and `/-/profile`: pages of the signed-in user.
    Settings(SettingsPage),
    /// `/groups` and `/groups/new`
    Groups,
    /// `/admin`
    Admin,
    /// `/admin/cells/<cell>/...`: the cell as spelled, the rest of the path.
    AdminOfCell { spelling: &'p str, rest: &'p str },
    /// `/organizations/<slug>/...`: slug, the rest of the path.
    Organization { slug: &'p str, rest: &'p str },
    /// `/api/organizations/<slug>/graphql`
    OrganizationGraphql { slug: &'p str },
    /// `/api/v4/projects/<id or encoded path>/...`: the project, the rest of the path.
    ApiProject { project: ProjectReference, rest: &'p str },
    /// `/api/v4/projects`
    ApiProjects,
    /// `/api/v4/groups/<id>/...`: the group, the rest of the path.
    ApiGroup { id: Id, rest: &'p str },
    /// `/api/v4/merge_requests/<id>`: by an id alone.
    ApiMergeRequest { id: Id },
    /// `/api/v4/runners` and `/api/v4/jobs/...`: what runners ask.
    Runners(RunnerCall),
    /// The same below `/-/cells/<cell>`: the cell as spelled.
    RunnersOfCell { spelling: &'p str, call: RunnerCall },
    /// `/api/graphql`
    Graphql,
    /// `/search`
    Search,
    /// `/search/autocomplete`
    Autocomplete,
    /// The learn endpoint, on both paths.
    Learn,
    /// `/-/cable`: WebSockets.
    Cable,
    /// `/<group>/<project>.git/...`: git's smart HTTP protocol; the path of the project.
    Repository { project: &'p str, call: RepositoryCall },
    /// A path of the routes table: a namespace, a project, or any other row.
    Place,
}

/// What a runner asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RunnerCall {
    /// `/api/v4/runners`: to be registered.
    Register,
    /// `/api/v4/jobs/request`: a job.
    Request,
    /// `/api/v4/jobs/<id>`: to report about a job.
    Report(u64),
}

impl RunnerCall {
    fn decode(path: &str) -> Option<Self> {
        match path {
            "/api/v4/runners" => Some(Self::Register),
            "/api/v4/jobs/request" => Some(Self::Request),
            _ => Some(Self::Report(path.strip_prefix("/api/v4/jobs/")?.parse().ok()?)),
        }
    }
}

/// What a git client asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RepositoryCall {
    /// `GET info/refs`: where the refs are.
    Refs,
    /// `POST git-upload-pack`: to clone or fetch.
    Upload,
    /// `POST git-receive-pack`: to push.
    Receive,
}

impl RepositoryCall {
    /// The path of the project, and what is asked of its repository.
    pub(super) fn decode(path: &str) -> Option<(&str, Self)> {
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

/// The pages of a user's own settings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SettingsPage {
    /// `/-/user_settings`
    Settings,
    /// `/-/user_settings/password`
    Password,
    /// `/-/user_settings/personal_access_tokens`
    Tokens,
    /// `/-/user_settings/active_sessions`
    Sessions,
    /// `/-/profile`
    Profile,
}

impl<'p> Endpoint<'p> {
    /// Decodes a path, byte for byte as it is in a request.
    pub(super) fn decode(path: &'p str) -> Self {
        match path {
            "/" | "" => Self::Root,
            "/dashboard" | "/dashboard/projects" => Self::Dashboard,
            "/groups" | "/groups/new" => Self::Groups,
            "/admin" => Self::Admin,
            "/search" => Self::Search,
            "/search/autocomplete" => Self::Autocomplete,
            "/api/graphql" => Self::Graphql,
            "/api/v4/projects" => Self::ApiProjects,
            CABLE_PATH => Self::Cable,
            "/-/user_settings" => Self::Settings(SettingsPage::Settings),
            "/-/user_settings/password" => Self::Settings(SettingsPage::Password),
            "/-/user_settings/personal_access_tokens" => Self::Settings(SettingsPage::Tokens),
            "/-/user_settings/active_sessions" => Self::Settings(SettingsPage::Sessions),
            "/-/profile" => Self::Settings(SettingsPage::Profile),
            wire::LEARN_PATH | wire::LEARN_PATH_EARLIER => Self::Learn,
            _ => Self::with_parameter(path).unwrap_or_else(|| {
                if is_learn_otherwise(path) { Self::Learn } else { Self::Place }
            }),
        }
    }

    /// Whether programs ask here, or about the whole server. They are not sent to a form, and get a
    /// 404 for what is private as for what is missing.
    pub(super) fn is_for_programs(&self, path: &str) -> bool {
        is_at_or_below(path, "/api")
            || path == "*"
            || matches!(self, Self::Learn | Self::RunnersOfCell { .. })
    }

    fn with_parameter(path: &'p str) -> Option<Self> {
        if let Some(rest) = path.strip_prefix("/users/") {
            return Some(Self::Users(rest));
        }
        if let Some((spelling, rest)) = segment_after(path, "/admin/cells/") {
            return Some(Self::AdminOfCell { spelling, rest });
        }
        if let Some(call) = RunnerCall::decode(path) {
            return Some(Self::Runners(call));
        }
        if let Some((spelling, rest)) = segment_after(path, "/-/cells/") {
            return RunnerCall::decode(rest).map(|call| Self::RunnersOfCell { spelling, call });
        }
        if let Some((slug, rest)) = segment_after(path, "/organizations/") {
            return Some(Self::Organization { slug, rest });
        }
        if let Some((slug, "/graphql")) = segment_after(path, "/api/organizations/") {
            return Some(Self::OrganizationGraphql { slug });
        }
        if let Some((group, rest)) = segment_after(path, "/api/v4/groups/") {
            return Some(Self::ApiGroup { id: global_id(group)?, rest });
        }
        if let Some((id, "")) = segment_after(path, "/api/v4/merge_requests/") {
            return Some(Self::ApiMergeRequest { id: global_id(id)? });
        }
        if let Some((project, call)) = RepositoryCall::decode(path) {
            return Some(Self::Repository { project, call });
        }
        let (project, rest) = segment_after(path, "/api/v4/projects/")?;
        let project = match global_id(project) {
            Some(id) => ProjectReference::Id(id),
            None => ProjectReference::Path(decoded(project)?),
        };
        Some(Self::ApiProject { project, rest })
    }
}

/// The id that a segment is: a number or a UUID. One that is unique on a cell alone is none.
fn global_id(segment: &str) -> Option<Id> {
    segment.parse().ok().filter(|id| !matches!(id, Id::Local(_)))
}

/// Whether a path is the learn endpoint in another spelling. Unlike other paths, the application
/// recognises this one after decoding, also twice, with empty segments, dots, parameters of
/// segments, backslashes and control characters, as one or the other server in front of it does. A
/// router that blocks only the plain spelling does not protect it (Z-10).
fn is_learn_otherwise(path: &str) -> bool {
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
    plain == wire::LEARN_PATH || plain == wire::LEARN_PATH_EARLIER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_is_below_its_project() {
        let call = RepositoryCall::decode;
        assert_eq!(call("/a/b.git/info/refs"), Some(("/a/b", RepositoryCall::Refs)));
        assert_eq!(call("/a/b.git/git-receive-pack"), Some(("/a/b", RepositoryCall::Receive)));
        for other in ["/a/b.git", "/a.git/info/refs", "/a/.git/info/refs", "/a/b.git/HEAD"] {
            assert_eq!(call(other), None, "{other}");
        }
    }

    #[test]
    fn paths_are_decoded_byte_for_byte_but_for_learn() {
        use super::Id::Number;
        use ProjectReference::{Id, Path};
        let cases = [
            ("/", Endpoint::Root),
            ("/dashboard", Endpoint::Dashboard),
            ("/dashboard/projects", Endpoint::Dashboard),
            ("/dashboard/", Endpoint::Place),
            ("/users/sign_in", Endpoint::Users("sign_in")),
            ("/usersx", Endpoint::Place),
            ("/admin", Endpoint::Admin),
            (
                "/admin/cells/cell_0/projects",
                Endpoint::AdminOfCell { spelling: "cell_0", rest: "/projects" },
            ),
            (
                "/organizations/my-organization/-/dashboard",
                Endpoint::Organization { slug: "my-organization", rest: "/-/dashboard" },
            ),
            ("/organizations//-/dashboard", Endpoint::Place),
            (
                "/api/organizations/my-organization/graphql",
                Endpoint::OrganizationGraphql { slug: "my-organization" },
            ),
            ("/api/v4/projects/5001", Endpoint::ApiProject { project: Id(Number(5001)), rest: "" }),
            (
                "/api/v4/projects/my-company%2Fmy-project/issues",
                Endpoint::ApiProject {
                    project: Path("my-company/my-project".to_owned()),
                    rest: "/issues",
                },
            ),
            ("/api/v4/projects/%FF", Endpoint::Place),
            ("/api/v4/projects", Endpoint::ApiProjects),
            (
                "/api/v4/groups/4001/projects",
                Endpoint::ApiGroup { id: Number(4001), rest: "/projects" },
            ),
            ("/api/v4/groups/local:4001", Endpoint::Place),
            ("/api/v4/merge_requests/7", Endpoint::ApiMergeRequest { id: Number(7) }),
            ("/api/v4/merge_requests/7/notes", Endpoint::Place),
            ("/api/v4/runners", Endpoint::Runners(RunnerCall::Register)),
            ("/api/v4/jobs/request", Endpoint::Runners(RunnerCall::Request)),
            ("/api/v4/jobs/7", Endpoint::Runners(RunnerCall::Report(7))),
            ("/api/v4/jobs/7/trace", Endpoint::Place),
            (
                "/-/cells/celleu1/api/v4/jobs/7",
                Endpoint::RunnersOfCell { spelling: "celleu1", call: RunnerCall::Report(7) },
            ),
            ("/-/cells/celleu1", Endpoint::Place),
            ("/my-company/my-project", Endpoint::Place),
            ("/x!y/~z", Endpoint::Place),
            ("/-/profile", Endpoint::Settings(SettingsPage::Profile)),
            ("/-/profile/", Endpoint::Place),
            ("/-/cable", Endpoint::Cable),
            ("/my-company/-/cable", Endpoint::Place),
            ("/api/v4/cells/learn", Endpoint::Learn),
            ("/api/v4/internal/cells/learn", Endpoint::Learn),
            ("/api/v4/internal/cells/%6Cearn", Endpoint::Learn),
            ("/api/v4/internal/cells/learn/", Endpoint::Learn),
            ("//api/v4/./users/%2e%2e/internal//cells/learn", Endpoint::Learn),
            ("/api/v4/internal/cells/%256Cearn", Endpoint::Learn),
            ("/api/v4/internal/cells/learn/x", Endpoint::Place),
        ];
        for (path, endpoint) in cases {
            assert_eq!(Endpoint::decode(path), endpoint, "{path}");
        }
    }

    #[test]
    fn endpoints_are_global_or_of_a_place() {
        assert!(is_cable("/-/cable") && is_cable("/gitlab-org/gitlab/-/cable"));
        assert!(!is_cable("/cable") && !is_cable("/-/cables") && !is_cable("/-/cable/"));
    }
}
