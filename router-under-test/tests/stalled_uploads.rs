//! Uploads that pause take about as much memory as the router counts.

mod support;

use std::io::Write as _;
use std::time::Duration;

use serde_json::json;
use support::cell::{Cell, ok, wait_for};
use support::client::User;
use support::router::Router;
use support::single::{one_cell, raw_cell};

/// Uploads at once.
const UPLOADS: usize = 40;

/// A piece of what users send.
const PIECE: usize = 16 * 1024;

/// How many KiB of memory each of many uploads takes that pauses after so many pieces.
fn kib_of_an_upload(pieces: usize) -> u64 {
    let cell = Cell::responding(|_| ok("stored"));
    let router = Router::start(&one_cell("buffering", cell.address));
    let before = router.resident_kib();
    let mut users: Vec<User> = (0..UPLOADS).map(|_| router.user()).collect();
    for user in &mut users {
        user.send("PUT /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
    }
    let piece = format!("{PIECE:x}\r\n{}\r\n", "x".repeat(PIECE));
    for _ in 0..pieces {
        users.iter_mut().for_each(|user| user.send(&piece));
    }
    wait_for(|| router.has_read_all());
    (router.resident_kib().saturating_sub(before)) / UPLOADS as u64
}

#[test]
fn a_body_in_memory_takes_little_more_than_its_bytes() {
    let kib = kib_of_an_upload(16);
    assert!(kib < 340, "{kib} KiB for 256 KiB");
}

#[test]
fn a_body_in_a_file_takes_little_memory() {
    // What was in memory before there was a file is free for others.
    let kib = kib_of_an_upload(40);
    assert!(kib < 450, "{kib} KiB beside a file of 640 KiB");
}

#[test]
fn a_body_that_its_cell_does_not_read_takes_little() {
    let address = raw_cell(|stream| {
        // Until the router has gone; the system tells that without a byte being read.
        while socket2::SockRef::from(&stream).take_error().is_ok_and(|error| error.is_none()) {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let mut topology = one_cell("learning", address);
    topology["limits"]["response_timeout_ms"] = json!(60_000);
    let router = Router::start(&topology);
    let before = router.resident_kib();
    let uploads: Vec<_> = (0..UPLOADS)
        .map(|_| {
            let mut user = router.user();
            std::thread::spawn(move || {
                user.send("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 100000000\r\n\r\n");
                user.stream.set_write_timeout(Some(Duration::from_millis(400))).unwrap();
                // Until it stands still.
                while user.stream.write(&[b'x'; 64 * 1024]).is_ok() {}
                user
            })
        })
        .collect();
    let users: Vec<User> = uploads.into_iter().map(|upload| upload.join().unwrap()).collect();
    let kib = (router.resident_kib().saturating_sub(before)) / UPLOADS as u64;
    assert!(kib < 150, "{kib} KiB for each of {}", users.len());
}
