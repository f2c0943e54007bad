//! Requests read as leniently as RFC 9112 allows: they are repaired where it permits, then read
//! strictly.

use crate::base::http1::head::{self, MAX_HEAD, RequestHead};
use crate::base::http1::head_error::HeadError;

/// Reads a request as `head::request` does, after its repair.
pub(crate) fn request(bytes: &[u8]) -> Result<Option<(RequestHead, usize)>, HeadError> {
    let Some((lines, size)) = lines(bytes) else {
        // Too long for a head, even after a repair.
        return if bytes.len() > MAX_HEAD { head::request(bytes, None) } else { Ok(None) };
    };
    let text = [framed(lines).join(&b"\r\n"[..]), b"\r\n\r\n".to_vec()].concat();
    let read = head::request(&text, None)?;
    Ok(read.map(|(head, _)| (head, size)))
}

/// The lines of the head at the start of `bytes`, and where it ends. A line may end in LF alone,
/// and a bare CR or a zero byte becomes a space (RFC 9112 2.2, RFC 9110 5.5). A folded line is
/// unfolded (RFC 9112 5.2), and one right after the request line is dropped (2.2).
fn lines(bytes: &[u8]) -> Option<(Vec<Vec<u8>>, usize)> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut start = 0;
    for (at, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n') {
        let line = &bytes[start..at];
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        start = at + 1;
        match (line.first(), lines.len()) {
            // Empty lines before a request do not count.
            (None, 0) => {}
            (None, _) => return Some((lines, start)),
            (Some(b' ' | b'\t'), 1) => {}
            (Some(b' ' | b'\t'), 2..) => {
                let before = lines.last_mut()?;
                before.push(b' ');
                before.extend(blanked(line.trim_ascii_start()));
            }
            _ => lines.push(blanked(line)),
        }
    }
    None
}

fn blanked(line: &[u8]) -> Vec<u8> {
    line.iter().map(|byte| if b"\r\0".contains(byte) { b' ' } else { *byte }).collect()
}

/// Merges equal lengths, and removes a length beside chunks, after which the connection ends (RFC
/// 9112 6.1, 6.3).
fn framed(lines: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let values = |name: &str| -> Vec<String> {
        let fields = lines.iter().skip(1).filter_map(|line| {
            let colon = line.iter().position(|byte| *byte == b':')?;
            line[..colon]
                .eq_ignore_ascii_case(name.as_bytes())
                .then(|| String::from_utf8_lossy(&line[colon + 1..]).into_owned())
        });
        fields
            .flat_map(|value| value.split(',').map(|one| one.trim().to_owned()).collect::<Vec<_>>())
            .collect()
    };
    let (lengths, codings) = (values("content-length"), values("transfer-encoding"));
    let is_chunked = matches!(&codings[..], [one] if one.eq_ignore_ascii_case("chunked"));
    let repair = match &lengths[..] {
        [_, ..] if is_chunked => b"Connection: close".to_vec(),
        [first, _, ..] if codings.is_empty() && lengths.iter().all(|length| length == first) => {
            format!("Content-Length: {first}").into_bytes()
        }
        _ => return lines,
    };
    let is_length = |line: &Vec<u8>| {
        line.get(..15).is_some_and(|start| start.eq_ignore_ascii_case(b"content-length:"))
    };
    lines.into_iter().filter(|line| !is_length(line)).chain([repair]).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::base::http1::frame::Framing;

    fn read(fields: &str) -> Result<Option<(RequestHead, usize)>, HeadError> {
        request(format!("POST / HTTP/1.1\r\nHost: g\r\n{fields}\r\n").as_bytes())
    }

    fn framing(fields: &str) -> Framing {
        read(fields).unwrap().unwrap().0.framing
    }

    #[test]
    fn repairable_requests_are_repaired() {
        for fields in [
            "Content-Length: 3\r\nContent-Length: 3\r\n",
            "Content-Length: 3, 3\r\n",
            "A: b\nContent-Length: 3\n",
        ] {
            assert_eq!(framing(fields), Framing::Length(3), "{fields:?}");
        }
        let both =
            read("Content-Length: 3\r\nTransfer-Encoding:\r\n chunked\r\n").unwrap().unwrap().0;
        assert_eq!((both.framing, both.keeps_open()), (Framing::Chunked, false));
        assert_eq!(read("A: b\rc\0d\r\n\te\r\n").unwrap().unwrap().0.headers["a"], "b c d e");
        assert!(read("A: b").unwrap().is_none());
    }

    #[test]
    fn unrepairable_requests_are_refused() {
        for fields in [
            "Content-Length: 3\r\nContent-Length: 4\r\n",
            "Content-Length: 3, 4\r\n",
            "Content-Length: +3\r\n",
            "A : b\r\n",
        ] {
            assert!(read(fields).is_err(), "{fields:?}");
        }
        for coding in ["xchunked", "chunked, identity", "cow"] {
            assert!(
                read(&format!("Content-Length: 3\r\nTransfer-Encoding: {coding}\r\n")).is_err(),
                "{coding}"
            );
        }
        assert!(request(b"GET /a\rHTTP/1.1\rX: a GET /b HTTP/1.1\r\nHost: g\r\n\r\n").is_err());
    }

    proptest! {
        #[test]
        fn strict_requests_are_read_alike_leniently(
            fields in "([A-C]: [a-z]{0,3}\r\n){0,4}",
            length in 0u8..9,
        ) {
            let text = format!("GET /a HTTP/1.1\r\nHost: g\r\n\
                 {fields}Content-Length: {length}\r\n\r\n");
            let (strict, size) = head::request(text.as_bytes(), None).unwrap().unwrap();
            let (lenient, other) = request(text.as_bytes()).unwrap().unwrap();
            let strict = (strict.headers, strict.framing, size);
            prop_assert_eq!(strict, (lenient.headers, lenient.framing, other));
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = request(&bytes);
        }
    }
}
