//! The notation of raw bytes in doc strings.

/// A chunk of one byte with an extension of a hundred letters: what `{90 chunks}` in raw bytes stands
/// for, many times.
pub(crate) fn extended_chunk() -> Vec<u8> {
    format!("1;{:x<100}\r\nx\r\n", "").into_bytes()
}

/// Returns the bytes for which a doc string stands. CRLF follows each line that does not end in a
/// backslash, and `\r`, `\n`, `\t`, `\0`, `\xHH` and `\\` stand for one byte each.
///
/// # Errors
///
/// Names the first escape that is not one of these.
pub fn wire_bytes(text: &str) -> Result<Vec<u8>, String> {
    let text = text.strip_prefix('\n').unwrap_or(text);
    let text = text.strip_suffix('\n').unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() + 64);
    for line in text.split('\n') {
        let mut rest = line.chars();
        let mut is_continued = false;
        while let Some(next) = rest.next() {
            if next != '\\' {
                bytes.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
                continue;
            }
            match rest.next() {
                None => is_continued = true,
                Some('r') => bytes.push(b'\r'),
                Some('n') => bytes.push(b'\n'),
                Some('t') => bytes.push(b'\t'),
                Some('0') => bytes.push(0),
                Some('\\') => bytes.push(b'\\'),
                Some('x') => {
                    let hex =
                        rest.as_str().get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok());
                    bytes.push(
                        hex.ok_or_else(|| format!("`{line}`: `\\x` needs two hexadecimal digits"))?,
                    );
                    rest = rest.as_str()[2..].chars();
                }
                Some(other) => {
                    return Err(format!("`{line}`: unknown escape `\\{other}`"));
                }
            }
        }
        if !is_continued {
            bytes.extend_from_slice(b"\r\n");
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_crlf_unless_a_backslash_ends_them() {
        assert_eq!(
            wire_bytes("\nGET / HTTP/1.1\nA: b\n\n").unwrap(),
            b"GET / HTTP/1.1\r\nA: b\r\n\r\n"
        );
        assert_eq!(wire_bytes("\na\\\nb\\n\\\n").unwrap(), b"ab\n");
        assert_eq!(wire_bytes(r"\r\n\t\0\xfF\\").unwrap(), b"\r\n\t\0\xff\\\r\n");
        assert_eq!(wire_bytes(r"end\\").unwrap(), b"end\\\r\n");
        assert!(
            wire_bytes(r"\q").is_err()
                && wire_bytes(r"\x1").is_err()
                && wire_bytes(r"\xgg").is_err()
        );
    }
}
