//! What of a value a deviation concerns.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The name of a field that requests or responses of the features carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub struct FieldName(pub &'static str);

impl<'de> Deserialize<'de> for FieldName {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let mut known = REQUEST_FIELDS.iter().chain(RESPONSE_FIELDS).chain(CELL_FIELDS);
        let known = known.find(|known| **known == name).map(|known| Self(known));
        known.ok_or_else(|| serde::de::Error::custom(format!("no feature has the field {name}")))
    }
}

macro_rules! names {
    ($($name:literal)*) => { &[$($name),*] };
}

/// Fields of requests.
pub(super) const REQUEST_FIELDS: &[&str] = names!(
    "accept" "accept-encoding" "accept-language" "authorization" "cache-control" "cdn-loop"
    "content-encoding" "content-type" "cookie" "docker-distribution-api-version" "expect"
    "host" "idempotency-key" "if-match" "if-modified-since" "if-none-match" "job-token"
    "max-forwards" "origin" "pragma" "private-token" "range" "sec-purpose" "te" "user-agent"
    "via" "x-conformance-id" "x-csrf-token" "x-field" "x-forwarded-for" "x-forwarded-host"
    "x-forwarded-proto" "x-request-id" "x-requested-with" "x-twice"
);

/// Fields of responses.
pub(super) const RESPONSE_FIELDS: &[&str] = names!(
    "accept-ranges" "cache-control" "content-disposition" "content-encoding"
    "content-language" "content-location" "content-range" "content-security-policy"
    "content-type" "date" "docker-distribution-api-version" "etag" "expires" "last-modified"
    "link" "location" "pragma" "refresh" "retry-after" "server" "set-cookie" "vary"
    "www-authenticate" "x-gitlab-last-update"
    "x-next-page" "x-request-id" "x-runtime" "x-thrice" "x-total" "x-twice"
);

/// Fields of responses that end at the router.
pub(super) const CELL_FIELDS: &[&str] = names!("x-gitlab-cell-cache" "x-gitlab-cell-redirect");

/// Those that may come in several lines.
pub(super) const REQUEST_LISTS: &[&str] = names!(
    "accept" "accept-encoding" "accept-language" "cache-control" "cookie" "pragma" "x-field" "x-twice"
);
pub(super) const RESPONSE_LISTS: &[&str] = names!(
    "cache-control" "content-language" "link" "pragma" "set-cookie" "vary" "www-authenticate"
    "x-thrice" "x-twice"
);

/// What kind of thing an element is: it decides what can be done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// All of the value.
    Event,
    Text,
    /// The lines of one field.
    Lines,
    /// A number, or a time in milliseconds.
    Number,
    Flag,
    /// One of several cells.
    Choice,
    List,
    /// A place of a body.
    Place,
    /// A body as a whole.
    Body,
}

macro_rules! elements {
    ($($name:ident: $kind:ident = $words:literal,)*) => {
        /// A part of what passes a seam.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(rename_all = "kebab-case")]
        pub enum Element {
            $(#[doc = $words] $name,)*
            /// A field by its name.
            Field(FieldName),
        }

        impl Element {
            #[cfg(test)]
            pub(super) const PLAIN: &[Self] = &[$(Self::$name),*];

            pub(crate) fn kind(self) -> Kind {
                match self {
                    $(Self::$name => Kind::$kind,)*
                    Self::Field(_) => Kind::Lines,
                }
            }
        }

        impl fmt::Display for Element {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$name => f.write_str($words),)*
                    Self::Field(FieldName(name)) => write!(f, "the field {name}"),
                }
            }
        }
    };
}

elements! {
    Whole: Event = "all of it",
    Method: Text = "the method",
    Target: Text = "the target",
    Segment: Text = "the last segment of the path",
    Escape: Text = "the first escape of the path",
    Letters: Flag = "the letters of the path in lower case",
    FinalSlash: Flag = "the final slash of the path",
    Query: Text = "the query",
    AnyField: Lines = "the fields of one name", // stands for each field where elements are drawn
    FieldOrder: List = "the order of the fields",
    Status: Number = "the status",
    FirstByte: Place = "the first byte of the body",
    MiddleByte: Place = "the byte in the middle of the body",
    LastByte: Place = "the last byte of the body",
    SecondRead: Place = "the first byte of the second read of the body",
    Body: Body = "the body",
    Length: Number = "the length that is announced",
    MethodParameter: Text = "the parameter method",
    PathInfo: Text = "the parameter path_info",
    LearnPath: Text = "the learn path",
    Prefix: Text = "the prefix",
    CellName: Text = "the name of the cell",
    Exactness: Flag = "whether it is exact",
    Cell: Choice = "the cell",
    Lifetime: Number = "the lifetime",
    Age: Flag = "whether it has expired",
    Entry: Number = "the entry that goes",
    Order: List = "the order of the cells",
    Count: Number = "the number of times it was sent",
    Again: Flag = "whether it is sent again",
    Elsewhere: Flag = "whether another cell gets it",
    Reached: Flag = "whether the cell got nothing",
    ConnectTime: Number = "the time to connect",
    ResponseTime: Number = "the time for a response",
    PreFlightTime: Number = "the time for a pre-flight",
    Reuse: Flag = "whether a kept connection is taken",
    Quiet: Flag = "whether it was silent",
    Keeping: Flag = "whether it is kept",
    Ending: Flag = "whether it goes on after the response",
    Bytes: Text = "the bytes",
    FromUser: Text = "the bytes from the user",
    FromCell: Text = "the bytes from the cell",
    Others: Flag = "whether others go on",
    Memory: Flag = "whether the entries stay",
    Ids: Text = "the id of the first cell",
    Names: Text = "the name of the first cell",
    Region: Text = "the region of the first cell",
    Cells: List = "the list of cells",
    Ttl: Number = "the time to live",
    MaxEntries: Number = "the most entries",
    MaxHops: Number = "the most hops",
    MaxBody: Number = "the longest body",
    CookieCache: Flag = "the cookie cache",
    NotFoundDelay: Number = "the delay of a 404",
    Port: Number = "the port",
}
