use std::future::poll_fn;

use bytes::{Bytes, BytesMut};
use http::{HeaderMap, HeaderValue, Method, StatusCode, Version};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt as _, duplex};

use super::super::{Decoder, Encoding, Framing, Pieces, request_head, response_head};

#[test]
fn a_request_is_written_as_it_is_meant() {
    let mut headers = HeaderMap::new();
    headers.insert("host", HeaderValue::from_static("h"));
    headers.insert("transfer-encoding", HeaderValue::from_static("gzip"));
    let head = |target, encoding| {
        let mut out = Vec::new();
        request_head(&mut out, &Method::PUT, target, &headers, encoding);
        String::from_utf8(out).unwrap()
    };
    assert_eq!(head("/a?b", Encoding::Plain), "PUT /a?b HTTP/1.1\r\nhost: h\r\n\r\n");
    assert_eq!(head("*", Encoding::Plain), "PUT * HTTP/1.1\r\nhost: h\r\n\r\n");
    // Of an absolute target without a path.
    assert_eq!(
        head("?b", Encoding::Length(7)),
        "PUT /?b HTTP/1.1\r\nhost: h\r\ncontent-length: 7\r\n\r\n"
    );
    assert_eq!(
        head("/", Encoding::Chunked),
        "PUT / HTTP/1.1\r\nhost: h\r\ntransfer-encoding: chunked\r\n\r\n"
    );
}

#[test]
fn a_response_has_the_time_and_one_length() {
    let mut headers = HeaderMap::new();
    let head = |headers: &HeaderMap| {
        let mut out = Vec::new();
        let line = (Version::HTTP_11, StatusCode::from_u16(299).unwrap());
        response_head(&mut out, line, None, headers, Encoding::Length(3), Some("close"));
        String::from_utf8(out).unwrap()
    };
    let text = head(&headers);
    assert!(text.starts_with("HTTP/1.1 299 \r\ndate: "), "{text}");
    assert!(text.ends_with(" GMT\r\nconnection: close\r\ncontent-length: 3\r\n\r\n"), "{text}");
    headers.insert("date", HeaderValue::from_static("then"));
    headers.insert("content-length", HeaderValue::from_static("3"));
    assert_eq!(
        head(&headers),
        "HTTP/1.1 299 \r\ndate: then\r\ncontent-length: 3\r\nconnection: close\r\n\r\n"
    );
}

/// What arrives of a body in these parts, on a connection that takes so many bytes at once.
async fn arrives(parts: &[Vec<u8>], encoding: Encoding, room: usize) -> BytesMut {
    let (mut router, mut user) = duplex(room);
    let write = async {
        let mut pieces = Pieces::new();
        pieces.head().extend_from_slice(b"head");
        for part in parts {
            pieces.add(Bytes::copy_from_slice(part), encoding);
            if !pieces.has_room() {
                poll_fn(|cx| pieces.poll_write(&mut router, cx)).await.unwrap();
                assert!(pieces.is_empty());
            }
        }
        pieces.add_end(encoding);
        poll_fn(|cx| pieces.poll_write(&mut router, cx)).await.unwrap();
        drop(router);
        pieces.total()
    };
    let mut read = BytesMut::new();
    let reading = async {
        let mut all = Vec::new();
        user.read_to_end(&mut all).await.unwrap();
        all
    };
    let (total, all) = tokio::join!(write, reading);
    assert_eq!(total, all.len() as u64);
    read.extend_from_slice(all.strip_prefix(b"head").unwrap());
    read
}

proptest! {
    #![proptest_config(crate::fuzzing::cases())]

    #[test]
    fn what_is_written_is_read_back(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 1..6000), 0..4),
        chunked in any::<bool>(),
        room in 64usize..20_000,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let body = parts.concat();
        let (encoding, framing) = if chunked {
            (Encoding::Chunked, Framing::Chunked)
        } else {
            let length = body.len() as u64;
            (Encoding::Length(length), Framing::Length(length))
        };
        let mut input = runtime.block_on(arrives(&parts, encoding, room));
        let mut decoder = Decoder::new(framing);
        let mut read = Vec::new();
        while let Some(data) = decoder.decode(&mut input).unwrap() {
            read.extend_from_slice(&data);
        }
        prop_assert!(decoder.is_over() && input.is_empty());
        prop_assert!(read == body);
    }
}
