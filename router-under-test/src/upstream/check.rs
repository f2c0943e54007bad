//! Checks a cell's response before it is passed on (Z-48, Z-49).

use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING, UPGRADE};
use http::{HeaderMap, HeaderValue, Response, StatusCode, Version};

use crate::headers;

/// Why a response that parses is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BadResponse {
    /// Two lengths, or a length beside chunks.
    #[error("contradictory lengths")]
    Framing,
    /// An unsolicited transfer coding besides `chunked`.
    #[error("unknown transfer coding")]
    Coding,
    /// An unsolicited change of protocol, or one to another protocol.
    #[error("change of protocol that nobody asked for")]
    Upgrade,
}

/// Checks what the parser leaves to others, and brings equal lengths down to one.
///
/// The parser itself has refused malformed lines, different lengths and what is too long. It would
/// take chunks beside a length, and pass over a second length that is equal; and an unknown coding
/// would reach the user undecoded, because `Transfer-Encoding` ends here.
pub(super) fn check<B>(response: &mut Response<B>, websocket: bool) -> Result<(), BadResponse> {
    let (status, version) = (response.status(), response.version());
    let headers = response.headers_mut();
    if headers.contains_key(TRANSFER_ENCODING) {
        let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
        let only = (codings.next(), codings.next());
        let chunked = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"chunked");
        // Before HTTP/1.1 there were none (RFC 9112 6.1).
        if version == Version::HTTP_10 || !matches!(only, (Some(coding), None) if chunked(coding)) {
            return Err(BadResponse::Coding);
        }
        if headers.contains_key(CONTENT_LENGTH) {
            return Err(BadResponse::Framing);
        }
    } else {
        one_length(headers)?;
    }
    if status == StatusCode::SWITCHING_PROTOCOLS {
        if !websocket || !headers::asks_for_websocket(headers) {
            return Err(BadResponse::Upgrade);
        }
    } else if status != StatusCode::UPGRADE_REQUIRED {
        headers.remove(UPGRADE);
    }
    Ok(())
}

/// Leaves one line with one length, where all that are said are the same (RFC 9112 6.3).
fn one_length(headers: &mut HeaderMap) -> Result<(), BadResponse> {
    let mut lines = headers.get_all(CONTENT_LENGTH).iter();
    let Some(first) = lines.next() else { return Ok(()) };
    if lines.next().is_none() && parse(first.as_bytes()).is_some() {
        return Ok(());
    }
    let mut all = headers
        .get_all(CONTENT_LENGTH)
        .iter()
        .flat_map(|line| line.as_bytes().split(|&byte| byte == b','))
        .map(parse);
    let Some(length) = all.next().flatten() else { return Err(BadResponse::Framing) };
    if !all.all(|other| other == Some(length)) {
        return Err(BadResponse::Framing);
    }
    headers.insert(CONTENT_LENGTH, HeaderValue::from(length));
    Ok(())
}

/// A length; none where it is no number.
pub(super) fn parse(length: &[u8]) -> Option<u64> {
    let length = length.trim_ascii();
    let is_number = !length.is_empty() && length.iter().all(u8::is_ascii_digit);
    std::str::from_utf8(length).ok().filter(|_| is_number)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn checked(
        status: u16,
        lines: &[(&'static str, &'static str)],
        websocket: bool,
    ) -> Result<Vec<String>, BadResponse> {
        let mut response = Response::builder().status(status);
        for (name, value) in lines {
            response = response.header(*name, *value);
        }
        let mut response = response.body(()).unwrap();
        check(&mut response, websocket)?;
        Ok(response
            .headers()
            .iter()
            .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
            .collect())
    }

    #[test]
    fn consistent_framing_is_accepted() {
        assert_eq!(checked(200, &[("content-length", "3")], false).unwrap(), ["content-length: 3"]);
        assert_eq!(
            checked(200, &[("transfer-encoding", "Chunked")], false).unwrap(),
            ["transfer-encoding: Chunked"]
        );
        assert!(checked(200, &[], false).unwrap().is_empty());
    }

    #[test]
    fn equal_lengths_become_one() {
        for lines in
            [&[("content-length", "3, 3")][..], &[("content-length", "3"), ("content-length", "3")]]
        {
            assert_eq!(checked(200, lines, false).unwrap(), ["content-length: 3"]);
        }
    }

    #[test]
    fn contradictory_framing_is_refused() {
        for lines in [
            &[("content-length", "3, 4")][..],
            &[("content-length", "3"), ("content-length", "4")],
            &[("content-length", "+3")],
            &[("content-length", "")],
            &[("content-length", "3,")],
            &[("content-length", "99999999999999999999")],
            &[("content-length", "3"), ("transfer-encoding", "chunked")],
        ] {
            assert_eq!(checked(200, lines, false), Err(BadResponse::Framing), "{lines:?}");
        }
        for lines in [
            &[("transfer-encoding", "gzip, chunked")][..],
            &[("transfer-encoding", "gzip")],
            &[("transfer-encoding", "chunked"), ("transfer-encoding", "chunked")],
        ] {
            assert_eq!(checked(200, lines, false), Err(BadResponse::Coding), "{lines:?}");
        }
    }

    #[test]
    fn only_requested_upgrades_are_accepted() {
        let agreed = [("connection", "Upgrade"), ("upgrade", "websocket")];
        assert!(checked(101, &agreed, true).is_ok());
        assert_eq!(checked(101, &agreed, false), Err(BadResponse::Upgrade));
        assert_eq!(
            checked(101, &[("connection", "upgrade"), ("upgrade", "h2c")], true),
            Err(BadResponse::Upgrade)
        );
        assert_eq!(checked(101, &[], true), Err(BadResponse::Upgrade));
        assert_eq!(checked(200, &agreed, true).unwrap(), ["connection: Upgrade"]);
        assert_eq!(checked(426, &agreed, false).unwrap().len(), 2);
    }

    proptest! {
        #![proptest_config(crate::fuzzing::cases())]

        #[test]
        fn what_is_accepted_has_one_framing(
            status in prop::sample::select(&[101u16, 200, 204, 304, 426][..]),
            lines in prop::collection::vec(
                (
                    prop::sample::select(
                        &["content-length", "transfer-encoding", "connection", "upgrade"][..],
                    ),
                    prop_oneof![
                        "[0-9+, x]{0,22}",
                        prop::sample::select(
                            &["chunked", "gzip", "Upgrade", "websocket", "close"][..],
                        )
                        .prop_map(str::to_owned),
                    ],
                ),
                0..5,
            ),
            websocket in any::<bool>(),
        ) {
            let mut response = Response::builder().status(status);
            for (name, value) in &lines {
                response = response.header(*name, value.as_str());
            }
            let Ok(mut response) = response.body(()) else { return Ok(()) };
            if check(&mut response, websocket).is_ok() {
                let headers = response.headers();
                let lengths: Vec<_> = headers.get_all(CONTENT_LENGTH).iter().collect();
                let codings = headers.get_all(TRANSFER_ENCODING).iter().count();
                prop_assert!(lengths.len() + codings <= 1, "{:?}", headers);
                for length in lengths {
                    prop_assert!(parse(length.as_bytes()).is_some(), "{:?}", length);
                }
                prop_assert!(websocket || status != 101);
            }
        }
    }
}
