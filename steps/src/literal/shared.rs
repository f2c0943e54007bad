//! Requests of several people on one connection.

use super::Request;

/// Parses requests with their people. Each begins with a line `anna sends POST /path`; field lines,
/// a blank line and the body follow.
///
/// # Errors
///
/// Where the text does not begin with such a line, or what a person sends is not a request.
pub(crate) fn shared_requests(text: &str) -> Result<Vec<(String, Request)>, String> {
    let mut messages: Vec<(&str, String)> = Vec::new();
    for line in text.trim_matches('\n').lines() {
        match (begun(line), messages.last_mut()) {
            (Some((person, first)), _) => messages.push((person, first.to_owned())),
            (None, Some((_, message))) => {
                message.push('\n');
                message.push_str(line);
            }
            (None, None) => {
                return Err(format!(
                    "`{line}` does not say who sends what; expected `anna sends GET /path`"
                ));
            }
        }
    }
    let parsed = messages
        .into_iter()
        .map(|(person, message)| Ok((person.to_owned(), Request::parse(&message)?)));
    parsed.collect()
}

/// The person and the request line, where a line begins a request.
fn begun(line: &str) -> Option<(&str, &str)> {
    let (person, request) = line.split_once(" sends ")?;
    let is_name = person.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    is_name.then_some((person, request))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_request_has_its_person_fields_and_body() {
        let text = "\nanna sends POST /a?b\nX-A: 1\n\nbody\nof two lines\n\n\
                    visitor sends GET /c\nnina sends GET /d\nX-Who: anna sends\n";
        let parsed = shared_requests(text).unwrap();
        let people: Vec<_> = parsed.iter().map(|(person, _)| person.as_str()).collect();
        assert_eq!(people, ["anna", "visitor", "nina"]);
        let first = &parsed[0].1;
        assert_eq!((first.method.as_str(), first.target.as_str()), ("POST", "/a?b"));
        assert_eq!(first.body, "body\nof two lines");
        assert!(parsed[1].1.fields.is_empty() && parsed[1].1.body.is_empty());
        assert_eq!(parsed[2].1.fields.len(), 1);
    }

    #[test]
    fn a_text_without_a_person_is_refused() {
        assert!(shared_requests("GET /a").unwrap_err().contains("who sends what"));
        assert!(shared_requests("anna sends nothing").is_err());
    }
}
