//! Writes heads and bodies.

use http::HeaderMap;
use http_body_util::BodyExt;
use tokio::io::AsyncWriteExt;
use tokio::net::tcp::OwnedWriteHalf;

use crate::base::body::Body;

/// How the end of a body is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Coding {
    Nothing,
    Length(u64),
    Chunked,
    /// Only a mutation uses it.
    ChunksInChunks,
    /// By the end of the connection.
    Close,
}

/// Why a body was not written completely.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// The receiver accepts no more bytes.
    Gone,
    /// The source truncated it.
    Cut,
}

/// Appends field lines.
pub(crate) fn fields(head: &mut Vec<u8>, headers: &HeaderMap, title_case: bool) {
    for (name, value) in headers {
        let name = if title_case { titled(name.as_str()) } else { name.to_string() };
        field(head, &name, value.as_bytes());
    }
}

/// Appends one field line.
pub(crate) fn field(head: &mut Vec<u8>, name: &str, value: &[u8]) {
    for part in [name.as_bytes(), b": ", value, b"\r\n"] {
        head.extend_from_slice(part);
    }
}

fn titled(name: &str) -> String {
    let mut first = true;
    let letters = name.chars().map(|letter| {
        let upper = std::mem::replace(&mut first, letter == '-');
        if upper { letter.to_ascii_uppercase() } else { letter }
    });
    letters.collect()
}

/// Writes these bytes.
pub(crate) async fn bytes(writer: &mut OwnedWriteHalf, bytes: &[u8]) -> Result<(), Stopped> {
    writer.write_all(bytes).await.map_err(|_| Stopped::Gone)
}

/// Writes a body as it arrives; the next part is read once the one before was written (Z-25).
pub(crate) async fn body(
    writer: &mut OwnedWriteHalf,
    mut body: Body,
    coding: Coding,
) -> Result<(), Stopped> {
    if coding == Coding::Nothing {
        return Ok(());
    }
    let mut sent = 0;
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame.map_err(|_| Stopped::Cut)?.into_data() else { continue };
        if data.is_empty() {
            continue;
        }
        sent += data.len() as u64;
        match coding {
            Coding::Chunked => bytes(writer, &chunk(&data)).await?,
            Coding::ChunksInChunks => bytes(writer, &chunk(&chunk(&data))).await?,
            _ => bytes(writer, &data).await?,
        }
    }
    match coding {
        Coding::Chunked => bytes(writer, b"0\r\n\r\n").await,
        Coding::ChunksInChunks => bytes(writer, b"5\r\n0\r\n\r\n\r\n0\r\n\r\n").await,
        Coding::Length(length) if length != sent => Err(Stopped::Cut),
        _ => Ok(()),
    }
}

fn chunk(data: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", data.len()).into_bytes();
    chunk.extend_from_slice(data);
    chunk.extend_from_slice(b"\r\n");
    chunk
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_title_case() {
        assert_eq!(titled("x-gitlab-cell"), "X-Gitlab-Cell");
    }
}
