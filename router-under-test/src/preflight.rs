//! The words of a pre-flight: its query and its response (LN-03, LN-04).

use http::header::{ACCEPT, HOST, HeaderValue};
use http::uri::{InvalidUri, PathAndQuery};
use http::{Method, Request};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;
use serde::de::Error as _;

use crate::body::Outgoing;
use crate::topology::Cell;
use crate::wire;

/// Every byte that form decoding would change or take as a delimiter (Z-12).
const TO_ENCODE: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A cell's response: it owns what `path` covers.
#[derive(Debug, Deserialize, PartialEq, Eq)]
pub struct LearnResponse {
    /// A prefix, or one path where `exact` is set.
    pub path: String,
    /// The owner's id.
    pub cell: String,
    /// Whether the entry is exact (LN-06).
    #[serde(default)]
    pub exact: bool,
    /// The source (LN-07); checked to be text, and otherwise ignored.
    #[serde(default, rename = "source")]
    _source: String,
}

/// The target of the pre-flight for a request of `method` for `path`.
pub fn target(learn_path: &str, method: &Method, path: &str) -> Result<PathAndQuery, InvalidUri> {
    let method = utf8_percent_encode(method.as_str(), TO_ENCODE);
    let path = utf8_percent_encode(path, TO_ENCODE);
    let (first, second) = (wire::METHOD_PARAMETER, wire::PATH_INFO_PARAMETER);
    PathAndQuery::try_from(format!("{learn_path}?{first}={method}&{second}={path}"))
}

/// The pre-flight to a cell. No field of the user goes along, and no body (LN-11, Z-11).
#[must_use]
pub fn question(cell: &Cell, target: PathAndQuery) -> Request<Outgoing> {
    let mut question = Request::new(Outgoing::default());
    *question.uri_mut() = target.into();
    question.headers_mut().insert(HOST, cell.url.host_header());
    question.headers_mut().insert(ACCEPT, HeaderValue::from_static("application/json"));
    question
}

/// Reads the body of a response with status 200.
pub fn parse(body: &[u8]) -> serde_json::Result<LearnResponse> {
    // An array of the right values would pass for an object.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(serde_json::Error::custom("it is not an object"));
    }
    serde_json::from_slice(body)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const LEARN: &str = "/api/v4/internal/cells/learn";

    #[test]
    fn the_pre_flight_is_that_of_the_documents() {
        let target = target(LEARN, &Method::GET, "/my-company/my-project").unwrap();
        assert_eq!(
            target.as_str(),
            "/api/v4/internal/cells/learn?method=GET&path_info=/my-company/my-project"
        );
    }

    #[test]
    fn one_decoding_gives_the_raw_path() {
        let path_info = |path| {
            let target = target(LEARN, &Method::POST, path).unwrap();
            target.query().unwrap().strip_prefix("method=POST&path_info=").unwrap().to_owned()
        };
        assert_eq!(path_info("/projects/a%2Fb"), "/projects/a%252Fb");
        assert_eq!(path_info("/a+b&c=d;e"), "/a%2Bb%26c%3Dd%3Be");
        assert_eq!(path_info("//x/../y"), "//x/../y");
        assert_eq!(path_info("/ü"), "/%C3%BC");
    }

    #[test]
    fn valid_responses_are_read() {
        let response =
            parse(br#"{"path":"/my-company","cell":"cell_eu0","source":"routable"}"#).unwrap();
        assert_eq!(
            (response.path.as_str(), response.cell.as_str(), response.exact),
            ("/my-company", "cell_eu0", false)
        );
        let response =
            parse(br#" {"cell":"c","exact":true,"path":"/p","source":"other","ttl":{"x":1}}"#)
                .unwrap();
        assert!(response.exact);
    }

    #[test]
    fn invalid_responses_are_refused() {
        for body in [
            "",
            "<html>",
            r#"["/my-company","cell_eu0",true,"fixed"]"#,
            r#"{"path":"/a"}"#,
            r#"{"cell":"c"}"#,
            r#"{"path":"/a","cell":null}"#,
            r#"{"path":"/a","cell":"c","exact":"yes"}"#,
            r#"{"path":"/a","cell":"c","source":1}"#,
            r#"{"path":"/a","cell":"c","cell":"d"}"#,
            r#"{"path":"/a","cell":"c"} x"#,
            r#"{"path":"/a","cell":"c""#,
        ] {
            assert!(parse(body.as_bytes()).is_err(), "{body}");
        }
    }

    /// Decodes one form value.
    fn form_decode(value: &str) -> Vec<u8> {
        percent_encoding::percent_decode_str(&value.replace('+', " ")).collect()
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn path_info_round_trips(path in "/[!-~ü]{0,40}") {
            let target = target(LEARN, &Method::GET, &path).unwrap();
            let values: Vec<_> = target.query().unwrap().split('&').collect();
            prop_assert_eq!(values.len(), 2);
            let value = values[1].strip_prefix("path_info=").unwrap();
            prop_assert_eq!(form_decode(value), path.as_bytes());
        }

        #[test]
        fn any_body_is_parsed_or_refused(body in prop::collection::vec(any::<u8>(), 0..64)) {
            let _ = parse(&body);
        }
    }
}
