//! What people send: one request, many visits, or a body at a given pace.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use bytes::Bytes;
use cell_fleet::CellId;
use cucumber::Parameter;
use rand::{RngExt as _, SeedableRng as _};

use super::Person;
use crate::literal::Request;

/// The account of the customer who signs up.
const CUSTOMER_ACCOUNT: [(&str, &str); 2] =
    [("username", "customer"), ("password", "correct horse battery staple")];

/// What a person sends. Some requests follow from the last response to the person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestKind {
    /// `GET` of a page.
    Visit {
        target: String,
    },
    /// `GET` of a target whose spelling matters, byte for byte.
    Target {
        target: String,
    },
    Method {
        method: String,
        target: String,
    },
    /// A request with a random body, the same for the same length.
    RandomBody {
        method: String,
        target: String,
        length: u64,
        framing: Framing,
    },
    /// A request with these fields and this body.
    Message {
        method: String,
        target: String,
        /// The fields, in addition to those that the client sets.
        fields: Vec<(String, String)>,
        body: String,
    },
    /// `GET` of where the last response leads.
    FollowRedirect,
    /// `GET` of a page below the last one.
    PageBelow {
        below: String,
    },
    /// `GET` of a target in which `{id}`, `{uuid}` and other names in braces stand for the members
    /// of the last record that was created for the person.
    OfRecord {
        target: String,
    },
    /// `GET` of the link to a cell in the list of cells of the last page.
    ChooseCell {
        cell: CellId,
    },
    /// `GET` with the access token that a person's last page shows.
    WithToken {
        target: String,
        /// Whose last page shows the token.
        owner: Person,
    },
    /// The sign-in form of the last page, with the person's password.
    SignIn,
    SignOut,
    CreateGroup {
        path: String,
        /// Slug of its organization; none where the person chooses none.
        organization: Option<String>,
    },
    /// The form by which the new customer signs up.
    SignUp {
        joining: Joining,
    },
}

/// Which organization the customer who signs up belongs to.
#[derive(Clone, PartialEq, Eq, Debug, Parameter)]
#[param(
    name = "joining",
    regex = "joining \"[^\"]*\"|creating the organization \"[^\"]*\"|choosing neither"
)]
pub enum Joining {
    Existing(String),
    /// One that is created with the account.
    New(String),
    Neither,
}

impl fmt::Display for Joining {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Existing(slug) => write!(f, "joining \"{slug}\""),
            Self::New(slug) => write!(f, "creating the organization \"{slug}\""),
            Self::Neither => f.write_str("choosing neither"),
        }
    }
}

impl FromStr for Joining {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text.split('"').collect::<Vec<_>>()[..] {
            ["joining ", slug, _] => Self::Existing(slug.to_owned()),
            [_, slug, _] => Self::New(slug.to_owned()),
            _ => Self::Neither,
        })
    }
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
            Self::RandomBody { method, target, length, .. } => {
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

/// Many visits, one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visits {
    /// The same visit several times.
    Same { target: String, times: u64 },
    /// The same visit until the router has asked a cell.
    Until {
        target: String,
        cell: CellId,
        /// How many visits at most.
        most: u64,
    },
    /// Pages under different prefixes that no router knows yet.
    ColdPrefixes { count: u64 },
    /// Pages under one in this many of `count` paths of 250 bytes and more.
    LongPaths { one_in: u64, count: u64 },
}

impl Visits {
    /// The request targets, in order.
    pub(crate) fn targets(&self) -> Box<dyn Iterator<Item = String> + Send + '_> {
        match self {
            Self::Same { target, times } | Self::Until { target, most: times, .. } => {
                Box::new((0..*times).map(|_| target.clone()))
            }
            Self::ColdPrefixes { count } => {
                Box::new((0..*count).map(|number| format!("{}/-/a/b/page", cold_path(number))))
            }
            Self::LongPaths { one_in, count } => {
                let one_in = usize::try_from(*one_in).unwrap_or(usize::MAX).max(1);
                let numbers = (0..*count).step_by(one_in);
                Box::new(numbers.map(|number| format!("{}/a/b/c/page", long_path(number))))
            }
        }
    }
}

/// The path of the cold prefix with this number.
pub fn cold_path(number: u64) -> String {
    format!("/cold-place-{number}")
}

/// The long path with this number: so long that a bound in bytes is noticed as well.
pub fn long_path(number: u64) -> String {
    format!("/long-place-{number}-{}", "x".repeat(250))
}

/// How a body flows. Lengths are in bytes; bodies are random, the same for the same length.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// An upload in two halves, the second when a cell has begun to read the first.
    Halves { target: String, length: u64 },
    /// An upload until the transfer stalls; then cells that hold the body begin to read.
    UploadUntilStalled { target: String, length: u64 },
    /// A visit whose response is not read until the transfer stalls.
    ReadAfterStall { target: String },
}

/// How the end of a body is marked: by its length, where a step says nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Parameter, strum::EnumString, strum::Display)]
#[param(name = "framing", regex = "(?: in chunks| after 100 Continue)?")]
pub enum Framing {
    /// By its length.
    #[strum(serialize = "")]
    Plain,
    /// In chunked coding.
    #[strum(serialize = " in chunks")]
    InChunks,
    /// By its length. The body is sent once the router asks for it (`Expect: 100-continue`), and
    /// not before: it must ask or respond (RFC 9110 10.1.1).
    #[strum(serialize = " after 100 Continue")]
    AfterContinue,
}

/// Random bytes, the same for the same length, so that a failure can be reproduced.
pub(crate) fn random(length: u64) -> Bytes {
    let mut bytes = vec![0; usize::try_from(length).unwrap_or(usize::MAX)];
    rand::rngs::SmallRng::seed_from_u64(length).fill(&mut bytes[..]);
    bytes.into()
}
