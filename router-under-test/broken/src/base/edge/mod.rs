//! The user's side: requests on their way in, responses on their way out.

mod addresses;
mod fields;
pub(crate) mod request;
pub(crate) mod response;

use http::header::{
    CONNECTION, HOST, HeaderName, PROXY_AUTHENTICATE, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderValue};

use crate::base::alike;
use crate::kind::Mutation;

/// Removes hop-by-hop fields (RFC 9110 7.6.1).
pub(crate) fn remove_hop_by_hop(headers: &mut HeaderMap, mutation: Option<Mutation>) {
    let named: Vec<HeaderName> =
        listed(headers, mutation).into_iter().filter_map(|name| name.parse().ok()).collect();
    let named = if mutation == Some(Mutation::PassesFieldsThatConnectionNames) {
        Vec::new()
    } else {
        named
    };
    let always = [
        CONNECTION,
        PROXY_AUTHENTICATE,
        PROXY_AUTHORIZATION,
        TE,
        TRAILER,
        TRANSFER_ENCODING,
        UPGRADE,
    ];
    let more = ["keep-alive", "proxy-connection"].map(HeaderName::from_static);
    for name in named.into_iter().chain(always).chain(more) {
        let passes = match mutation {
            Some(Mutation::PassesConnectionOn) => name == CONNECTION,
            Some(Mutation::PassesTeOn) => name == TE,
            Some(Mutation::GoesByTheLengthBesideChunks) => name == TRANSFER_ENCODING,
            Some(Mutation::PassesKeepAliveOn) => {
                ["keep-alive", "proxy-connection"].contains(&name.as_str())
            }
            _ => false,
        };
        // Without its Host the request would be a different one.
        if !passes && name != HOST {
            headers.remove(name);
        }
    }
}

/// The options of `Connection`, as a router with this mutation reads them.
fn listed(headers: &HeaderMap, mutation: Option<Mutation>) -> Vec<&str> {
    let lines = headers.get_all(CONNECTION).iter().filter_map(|line| line.to_str().ok());
    let lines = lines.take(if mutation == Some(Mutation::ReadsTheFirstConnectionLine) {
        1
    } else {
        usize::MAX
    });
    let words = lines.flat_map(|line| line.split(','));
    let words = words.map(|word| {
        if mutation == Some(Mutation::TrimsSpacesOnly) {
            word.trim_matches(' ')
        } else {
            word.trim()
        }
    });
    match mutation {
        Some(Mutation::StopsAtEmptyMembersOfConnection) => {
            words.take_while(|word| !word.is_empty()).collect()
        }
        Some(Mutation::KnowsListedFieldsInOneSpelling) => {
            words.filter(|word| alike::is_title_case(word)).collect()
        }
        _ => words.collect(),
    }
}

/// The fields in reverse order; lines of one name keep theirs (RFC 9110 5.3).
pub(crate) fn reverse_fields(headers: &mut HeaderMap) {
    let names: Vec<HeaderName> = headers.keys().cloned().collect();
    let mut reversed = HeaderMap::new();
    for name in names.into_iter().rev() {
        let lines: Vec<HeaderValue> = headers.get_all(&name).iter().cloned().collect();
        reversed.extend(lines.into_iter().map(|line| (name.clone(), line)));
    }
    *headers = reversed;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_named_by_connection_are_removed() {
        let mut headers = HeaderMap::new();
        headers.insert("connection", HeaderValue::from_static("close, X-Mine"));
        headers.insert("x-mine", HeaderValue::from_static("1"));
        headers.insert("x-yours", HeaderValue::from_static("2"));
        remove_hop_by_hop(&mut headers, None);
        assert_eq!(headers.keys().map(HeaderName::as_str).collect::<Vec<_>>(), ["x-yours"]);
    }

    #[test]
    fn reversing_keeps_lines_of_one_name_in_order() {
        let mut headers = HeaderMap::new();
        for (name, value) in [("a", "1"), ("b", "2"), ("a", "3")] {
            headers.append(name, HeaderValue::from_static(value));
        }
        reverse_fields(&mut headers);
        let lines: Vec<_> =
            headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        assert_eq!(lines, [("b", "2"), ("a", "1"), ("a", "3")]);
    }
}
