//! What RFC 9112 forbids in a head, read without the parser that the server behind the tap has: a
//! byte that both took for another would be seen by nobody.
//!
//! A line may end with a lone LF (RFC 9112 2.2), and a target may have bytes that a URI may not
//! have: routers forward it as it came (Z-13). Both are well-formed here.

/// What is wrong in a head, or in the beginning of one.
pub(super) fn fault(head: &[u8]) -> Option<&'static str> {
    let mut head = head;
    while let Some(rest) = head.strip_prefix(b"\r\n").or_else(|| head.strip_prefix(b"\n")) {
        head = rest;
    }
    let line = head.split_inclusive(|byte| *byte == b'\n').next()?;
    request_line(without_ending(line)).or_else(|| field_lines(&head[line.len()..]))
}

/// What is wrong in field lines, up to the empty line that ends them.
pub(super) fn field_lines(bytes: &[u8]) -> Option<&'static str> {
    let lines = bytes.split_inclusive(|byte| *byte == b'\n').map(without_ending);
    lines.take_while(|line| !line.is_empty()).find_map(field_line)
}

fn without_ending(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// RFC 9112 3: three parts with one space between them.
fn request_line(line: &[u8]) -> Option<&'static str> {
    let mut parts = line.split(|byte| *byte == b' ');
    let (method, target, version) = (parts.next()?, parts.next(), parts.next());
    let (Some(target), Some(version), None) = (target, version, parts.next()) else {
        return Some("a request line of other than three parts");
    };
    if !is_token(method) {
        Some("a method that is no token")
    } else if !matches!(version, b"HTTP/1.1" | b"HTTP/1.0") {
        Some("a version that is neither HTTP/1.1 nor HTTP/1.0")
    } else if target.iter().any(u8::is_ascii_control) {
        Some("a control byte in the target")
    } else if !has_a_form(method, target) {
        Some("a target of no form")
    } else {
        None
    }
}

/// Whether a target has one of the forms of RFC 9112 3.2.
fn has_a_form(method: &[u8], target: &[u8]) -> bool {
    let scheme = target.iter().position(|byte| !byte.is_ascii_alphanumeric());
    target.starts_with(b"/")
        || scheme.is_some_and(|end| end > 0 && target[end..].starts_with(b"://"))
        || (method == b"OPTIONS" && target == b"*")
        || method == b"CONNECT"
}

/// RFC 9112 5, RFC 9110 5.5.
fn field_line(line: &[u8]) -> Option<&'static str> {
    if line.starts_with(b" ") || line.starts_with(b"\t") {
        return Some("a folded field line");
    }
    if line.contains(&b'\r') {
        return Some("a bare CR in a field line");
    }
    let Some(colon) = line.iter().position(|byte| *byte == b':') else {
        return Some("a field line without a colon");
    };
    let (name, value) = (&line[..colon], &line[colon + 1..]);
    if name.ends_with(b" ") || name.ends_with(b"\t") {
        Some("a blank before the colon")
    } else if !is_token(name) {
        Some("a field name that is no token")
    } else if value.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        Some("a control byte in a field value")
    } else {
        None
    }
}

fn is_token(bytes: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !bytes.is_empty() && bytes.iter().all(is_part)
}

/// Whether a value of `Host` is a host, perhaps with a port, or empty (RFC 9110 7.2).
pub(super) fn is_host(value: &[u8]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~%!$&'()*+,;=".contains(byte);
    let (host, port) = match value.iter().rposition(|byte| *byte == b':') {
        Some(colon) if !value.ends_with(b"]") => (&value[..colon], &value[colon + 1..]),
        _ => (value, &[][..]),
    };
    let address = host.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
    port.iter().all(u8::is_ascii_digit)
        && match address {
            Some(address) => address.iter().all(|byte| is_part(byte) || *byte == b':'),
            None => host.iter().all(is_part),
        }
}
