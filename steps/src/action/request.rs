//! A person sends one request.

use bytes::Bytes;
use cell_fleet::CellId;
use rand::{RngExt as _, SeedableRng as _};
use serde::{Deserialize, Serialize};

use super::Person;
use super::words::spelled;
use crate::literal::Request;

/// The account of the customer who signs up.
const CUSTOMER_ACCOUNT: [(&str, &str); 2] =
    [("username", "customer"), ("password", "correct horse battery staple")];

/// What a person sends. Some requests follow from the last response to the person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// `GET` of a page.
    Visit {
        /// The request target.
        target: String,
    },
    /// `GET` of a target whose spelling matters, byte for byte.
    Target {
        /// The request target.
        target: String,
    },
    /// A request without a body.
    Method {
        /// The method.
        method: String,
        /// The request target.
        target: String,
    },
    /// A request with a random body, the same for the same length.
    RandomBody {
        /// The method.
        method: String,
        /// The request target.
        target: String,
        /// Length of the body in bytes.
        length: u64,
    },
    /// A request with these fields and this body.
    Message {
        /// The method.
        method: String,
        /// The request target.
        target: String,
        /// The fields, in addition to those that the client sets.
        fields: Vec<(String, String)>,
        /// The body.
        body: String,
    },
    /// `GET` of where the last response leads.
    FollowRedirect,
    /// `GET` of a page below the last one.
    PageBelow {
        /// What is added to the path of the last request.
        below: String,
    },
    /// `GET` of a target in which `{id}`, `{uuid}` and other names in braces stand for the members
    /// of the last record that was created for the person.
    OfRecord {
        /// The request target.
        target: String,
    },
    /// `GET` of the link to a cell in the list of cells of the last page.
    ChooseCell {
        /// The cell.
        #[serde(with = "spelled")]
        #[cfg_attr(test, schemars(with = "String"))]
        cell: CellId,
    },
    /// `GET` with the access token that a person's last page shows.
    WithToken {
        /// The request target.
        target: String,
        /// Whose last page shows the token.
        owner: Person,
    },
    /// The sign-in form of the last page, with the person's password.
    SignIn,
    /// The sign-out form.
    SignOut,
    /// The form that creates a group.
    CreateGroup {
        /// Path of the group.
        path: String,
        /// Slug of its organization; none where the person chooses none.
        organization: Option<String>,
    },
    /// The form by which the new customer signs up.
    SignUp {
        /// Which organization the customer belongs to.
        joining: Joining,
    },
}

/// Which organization a new customer belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Joining {
    /// One that exists.
    Existing(String),
    /// One that is created with the account.
    New(String),
    /// None is chosen.
    Neither,
}

impl RequestKind {
    /// A request with its own fields and body.
    pub fn message(request: Request) -> Self {
        let Request { method, target, fields, body } = request;
        let body = String::from_utf8_lossy(&body).into_owned();
        Self::Message { method, target, fields, body }
    }

    /// The request, where it does not depend on what happened before.
    pub(crate) fn fixed(&self) -> Option<Request> {
        Some(match self {
            Self::Visit { target } | Self::Target { target } => Request::get(target),
            Self::Method { method, target } => {
                Request { method: method.clone(), ..Request::get(target) }
            }
            Self::RandomBody { method, target, length } => {
                Request { method: method.clone(), body: random(*length), ..Request::get(target) }
            }
            Self::Message { method, target, fields, body } => Request {
                method: method.clone(),
                target: target.clone(),
                fields: fields.clone(),
                body: Bytes::from(body.clone()),
            },
            Self::SignOut => Request::form("/users/sign_out", &[]),
            Self::CreateGroup { path, organization: Some(organization) } => {
                Request::form(format!("/organizations/{organization}/groups"), &[("path", path)])
            }
            Self::CreateGroup { path, organization: None } => {
                Request::form("/groups", &[("path", path)])
            }
            Self::SignUp { joining } => {
                let choice: &[(&str, &str)] = match joining {
                    Joining::Existing(slug) => &[("membership", "join"), ("organization", slug)],
                    Joining::New(slug) => &[("membership", "create"), ("organization", slug)],
                    Joining::Neither => &[("membership", "neither")],
                };
                Request::form("/users/sign_up", &[&CUSTOMER_ACCOUNT, choice].concat())
            }
            Self::FollowRedirect
            | Self::PageBelow { .. }
            | Self::OfRecord { .. }
            | Self::ChooseCell { .. }
            | Self::WithToken { .. }
            | Self::SignIn => return None,
        })
    }
}

/// Random bytes, the same for the same length, so that a failure can be reproduced.
pub(crate) fn random(length: u64) -> Bytes {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    rand::rngs::SmallRng::seed_from_u64(length).fill(&mut bytes[..]);
    bytes.into()
}
