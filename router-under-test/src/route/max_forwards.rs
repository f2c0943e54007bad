//! How far a request of a user may go (RFC 9110 7.6.2).

use http::header::MAX_FORWARDS;
use http::{HeaderMap, HeaderValue, Method};

use crate::respond::Refusal;

/// Takes one from the number of proxies that may still forward an `OPTIONS` or `TRACE`; where none
/// is left, the router is the last and responds by itself. Other methods do not use the field, and
/// what is no number is none.
pub(super) fn take_one(method: &Method, headers: &mut HeaderMap) -> Result<(), Refusal> {
    if method != Method::OPTIONS && method != Method::TRACE {
        return Ok(());
    }
    let Some(number) = headers
        .get(MAX_FORWARDS)
        .and_then(|value| value.to_str().ok())
        .filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
        .and_then(|text| text.parse::<u64>().ok())
    else {
        return Ok(());
    };
    match number.checked_sub(1) {
        Some(left) => {
            headers.insert(MAX_FORWARDS, HeaderValue::from(left));
            Ok(())
        }
        None if method == Method::OPTIONS => Err(Refusal::LastHop),
        // It would show fields that scripts of a page should not see.
        None => Err(Refusal::NoTrace),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(method: Method, value: &'static str) -> Result<String, Refusal> {
        let mut headers = HeaderMap::new();
        headers.insert(MAX_FORWARDS, HeaderValue::from_static(value));
        take_one(&method, &mut headers)?;
        Ok(headers[MAX_FORWARDS].to_str().unwrap().to_owned())
    }

    #[test]
    fn only_options_and_trace_are_counted() {
        assert_eq!(left(Method::OPTIONS, "7").as_deref(), Ok("6"));
        assert_eq!(left(Method::TRACE, "1").as_deref(), Ok("0"));
        assert_eq!(left(Method::OPTIONS, "0"), Err(Refusal::LastHop));
        assert_eq!(left(Method::TRACE, "0"), Err(Refusal::NoTrace));
        for value in ["", "-1", "+1", "x", "99999999999999999999"] {
            assert_eq!(left(Method::OPTIONS, value).as_deref(), Ok(value));
        }
        assert_eq!(left(Method::GET, "0").as_deref(), Ok("0"));
    }
}
