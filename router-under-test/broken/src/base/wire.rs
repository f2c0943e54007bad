//! The wire format: header names, the brace form, the learn response.

use std::time::Duration;

use http::{HeaderMap, HeaderName};
use serde_json::Value;

/// Names the cell to which a buffering router resends the request (BF-10).
pub(crate) const REDIRECT: HeaderName = HeaderName::from_static("x-gitlab-cell-redirect");
/// Names the prefix that belongs to the responding cell (CA-02).
pub(crate) const CACHE: HeaderName = HeaderName::from_static("x-gitlab-cell-cache");

/// How strictly a header of the brace form is read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reading {
    /// Spaces stay part of the value.
    pub(crate) keep_blanks: bool,
    /// Other members than the requested one are an error.
    pub(crate) refuse_others: bool,
    /// The value is JSON.
    pub(crate) json: bool,
    /// The member is searched as text, anywhere.
    pub(crate) anywhere: bool,
    /// A member is split at its last colon.
    pub(crate) last_colon: bool,
    /// Only the first member is read.
    pub(crate) first_only: bool,
    /// Member names ignore case.
    pub(crate) any_case: bool,
}

/// The single line of this name; `Err` if there are several or it is not text.
pub(crate) fn single<'a>(
    headers: &'a HeaderMap,
    name: &HeaderName,
) -> Result<Option<&'a str>, Malformed> {
    let mut lines = headers.get_all(name).iter();
    match (lines.next(), lines.next()) {
        (None, _) => Ok(None),
        (Some(line), None) => std::str::from_utf8(line.as_bytes()).map(Some).map_err(|_| Malformed),
        _ => Err(Malformed),
    }
}

/// A header or a response that does not have the agreed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Malformed;

/// The value of `member` in `{member:value, other:value}`.
pub(crate) fn member(line: &str, member: &str, reading: Reading) -> Result<String, Malformed> {
    if reading.json {
        let object: Value = serde_json::from_str(line).map_err(|_| Malformed)?;
        return object[member].as_str().map(str::to_owned).ok_or(Malformed);
    }
    let inner =
        line.trim_matches([' ', '\t']).strip_prefix('{').and_then(|rest| rest.strip_suffix('}'));
    let inner = inner.filter(|inner| !inner.contains(['{', '}'])).ok_or(Malformed)?;
    if reading.anywhere {
        let (_, rest) = inner.split_once(&format!("{member}:")).ok_or(Malformed)?;
        return Ok(rest.split(',').next().unwrap_or(rest).trim().to_owned());
    }
    let mut found = None;
    for pair in inner.split(',').take(if reading.first_only { 1 } else { usize::MAX }) {
        let cut = if reading.last_colon { pair.rsplit_once(':') } else { pair.split_once(':') };
        let (name, value) = cut.ok_or(Malformed)?;
        let (name, value) = match reading.keep_blanks {
            true => (name, value),
            false => (name.trim_matches([' ', '\t']), value.trim_matches([' ', '\t'])),
        };
        if name == member || (reading.any_case && name.eq_ignore_ascii_case(member)) {
            if found.replace(value).is_some() {
                return Err(Malformed);
            }
        } else if reading.refuse_others {
            return Err(Malformed);
        }
    }
    found.filter(|value| !value.is_empty()).map(str::to_owned).ok_or(Malformed)
}

/// A learn response with status 200.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Learnt {
    pub(crate) path: String,
    /// The id of the owner.
    pub(crate) cell: String,
    pub(crate) exact: bool,
    /// Not needed for routing (LN-07).
    pub(crate) source: String,
    /// The member `exact` was there, whatever its value.
    pub(crate) names_exact: bool,
    pub(crate) has_unknown_members: bool,
    /// The `Cache-Control` of the response; only mutations read it.
    pub(crate) max_age: Duration,
    pub(crate) no_store: bool,
}

/// Reads a learn response; unknown members are ignored (Z-30, Z-40).
pub(crate) fn learnt(body: &[u8]) -> Result<Learnt, Malformed> {
    const KNOWN: [&str; 4] = ["path", "cell", "source", "exact"];
    let response: Value = serde_json::from_slice(body).map_err(|_| Malformed)?;
    let object = response.as_object().ok_or(Malformed)?;
    let text = |name: &str| object.get(name).and_then(Value::as_str).map(str::to_owned);
    Ok(Learnt {
        path: text("path").ok_or(Malformed)?,
        cell: text("cell").ok_or(Malformed)?,
        exact: object.get("exact").map_or(Some(false), Value::as_bool).ok_or(Malformed)?,
        source: text("source").unwrap_or_default(),
        names_exact: object.contains_key("exact"),
        has_unknown_members: object.keys().any(|name| !KNOWN.contains(&name.as_str())),
        max_age: Duration::ZERO,
        no_store: false,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(line: &str) -> Result<String, Malformed> {
        member(line, "cell", Reading::default())
    }

    #[test]
    fn the_brace_form_is_parsed() {
        assert_eq!(read("{cell:Cell EU0}"), Ok("Cell EU0".to_owned()));
        assert_eq!(read("{ cell : Cell EU0 , why: moved }"), Ok("Cell EU0".to_owned()));
        assert_eq!(read("{why:a:b,cell:Cell EU0}"), Ok("Cell EU0".to_owned()));
        for bad in [
            "",
            "{}",
            "Cell EU0",
            "{cell}",
            "{cell:}",
            "{cell:a",
            "{cell:a,cell:b}",
            "{{cell:a}}",
            "{a:b}",
        ] {
            assert_eq!(read(bad), Err(Malformed), "{bad:?}");
        }
    }

    proptest! {
        #[test]
        fn a_written_member_is_read_back(
            value in "[A-Za-z0-9_/.:-]([A-Za-z0-9_/. :-]{0,20}[A-Za-z0-9_/.:-])?",
            more in "[a-z]{1,5}:[a-z ]{0,5}",
        ) {
            for line in [format!("{{cell:{value}}}"), format!("{{ x{more} , cell: {value} }}")] {
                prop_assert_eq!(read(&line), Ok(value.clone()));
            }
        }

        #[test]
        fn any_line_and_any_body_are_read_or_refused(
            line in ".{0,60}",
            reading in any::<[bool; 7]>(),
        ) {
            let reading = Reading {
                keep_blanks: reading[0],
                refuse_others: reading[1],
                json: reading[2],
                anywhere: reading[3],
                last_colon: reading[4],
                first_only: reading[5],
                any_case: reading[6],
            };
            let _ = member(&line, "cell", reading);
            let _ = learnt(line.as_bytes());
        }
    }

    #[test]
    fn a_learn_response_is_parsed() {
        let response =
            learnt(br#"{"path":"/a","cell":"cell_eu0","source":"fixed","exact":true,"more":[1]}"#)
                .unwrap();
        assert_eq!(
            (response.path.as_str(), response.cell.as_str(), response.exact),
            ("/a", "cell_eu0", true)
        );
        assert!(!learnt(br#"{"path":"/a","cell":"cell_eu0"}"#).unwrap().exact);
        for bad in [
            "",
            "[]",
            "null",
            r#"{"path":"/a"}"#,
            r#"{"path":1,"cell":"c"}"#,
            r#"{"path":"/a","cell":"c","exact":1}"#,
        ] {
            assert_eq!(learnt(bad.as_bytes()), Err(Malformed), "{bad:?}");
        }
    }
}
