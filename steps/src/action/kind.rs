//! The kinds of requests, as explorations count them.

use serde::{Deserialize, Serialize};

use super::{Action, Framing, RequestKind, Until, Visits};

/// The kind of an action that sends requests. The order is that of the words.
#[derive(
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Debug,
    Serialize,
    Deserialize,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Kind {
    /// A path of the API.
    Api,
    /// A body that is sent when the router asks for it.
    #[serde(rename = "awaited body")]
    #[strum(serialize = "awaited body")]
    AwaitedBody,
    /// A body in one piece.
    Body,
    /// A body in chunks.
    Chunks,
    /// The visits that fill a cache.
    Crowd,
    /// A message with its own fields.
    #[serde(rename = "forged fields")]
    #[strum(serialize = "forged fields")]
    ForgedFields,
    /// A form, or another page that an earlier one leads to.
    Form,
    /// A body in two halves.
    Halves,
    /// `HEAD`.
    Head,
    /// A request that is begun, and waited for later.
    Held,
    /// The learn path, or one that looks like it.
    #[serde(rename = "learn look-alike")]
    #[strum(serialize = "learn look-alike")]
    LearnLookAlike,
    /// A request that its sender leaves within the body.
    Left,
    /// The page of an organization.
    Organization,
    /// Another method.
    #[serde(rename = "other method")]
    #[strum(serialize = "other method")]
    OtherMethod,
    /// A path with a query.
    Query,
    /// Bytes as they are written.
    #[serde(rename = "raw bytes")]
    #[strum(serialize = "raw bytes")]
    RawBytes,
    /// A path in another spelling.
    Respelt,
    /// The start page.
    Root,
    /// Requests of several people on one connection.
    #[serde(rename = "shared connection")]
    #[strum(serialize = "shared connection")]
    SharedConnection,
    /// The sign-in page, or another one of the application itself.
    #[serde(rename = "sign-in page")]
    #[strum(serialize = "sign-in page")]
    SignInPage,
    /// Several visits at once.
    Together,
    /// A visit of any other path.
    Visit,
}

impl Kind {
    /// The word in reports.
    pub(crate) fn as_str(self) -> &'static str {
        self.into()
    }

    /// The kind of an action; none for one that sends no request, or none that a journey counts.
    pub fn of(action: &Action) -> Option<Self> {
        Some(match action {
            Action::Request { request, .. } => match request {
                RequestKind::Method { method, .. } if method == "HEAD" => Self::Head,
                RequestKind::Method { .. } => Self::OtherMethod,
                RequestKind::RandomBody { framing, .. } => match framing {
                    Framing::Plain => Self::Body,
                    Framing::InChunks => Self::Chunks,
                    Framing::AfterContinue => Self::AwaitedBody,
                },
                RequestKind::Message { .. } => Self::ForgedFields,
                RequestKind::Target { target } | RequestKind::Visit { target } => {
                    Self::of_target(target)
                }
                RequestKind::FollowRedirect
                | RequestKind::PageBelow { .. }
                | RequestKind::OfRecord { .. }
                | RequestKind::ChooseCell { .. }
                | RequestKind::WithToken { .. }
                | RequestKind::SignIn
                | RequestKind::SignOut
                | RequestKind::CreateGroup { .. }
                | RequestKind::SignUp { .. } => Self::Form,
            },
            Action::Visits { visits: Visits::ColdPrefixes { .. }, .. } => Self::Crowd,
            Action::Visits { .. } => Self::Visit,
            Action::Begin { until: Until::Ended, .. } => Self::Together,
            Action::Begin { .. } => Self::Held,
            Action::Shared { .. } => Self::SharedConnection,
            Action::Flow { .. } => Self::Halves,
            Action::RawBytes { half_close: true, .. } => Self::Left,
            Action::RawBytes { .. } => Self::RawBytes,
            _ => return None,
        })
    }

    fn of_target(target: &str) -> Self {
        if target == "/" {
            Self::Root
        } else if target.starts_with("/api/v4/internal") {
            Self::LearnLookAlike
        } else if target.starts_with("/api/") {
            Self::Api
        } else if target.starts_with("/users/") {
            Self::SignInPage
        } else if target.starts_with("/organizations/") {
            Self::Organization
        } else if target.contains('?') {
            Self::Query
        } else if ["%", "//", "/./", "/../"].iter().any(|piece| target.contains(piece)) {
            Self::Respelt
        } else {
            Self::Visit
        }
    }
}
