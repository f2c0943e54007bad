//! Connections to cells: used again, and what becomes of those that cells close.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

use crate::support::*;

#[test]
fn connections_are_used_again_after_each_kind_of_response() {
    let connections = Arc::new(AtomicUsize::new(0));
    let opened = Arc::clone(&connections);
    let address = raw_cell(move |mut cell| {
        opened.fetch_add(1, Ordering::SeqCst);
        while let Some(request) = cell.message() {
            cell.send(match request.target() {
                "/chunks" => {
                    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n"
                }
                "/204" => "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n",
                "/bad" => return,
                _ => "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
            });
        }
    });
    let router = Router::start(&topology("buffering", &[("eu0", address)]), &[]);
    let mut user = router.user();
    for number in 0..30 {
        let (target, status) =
            [("/length", 200), ("/chunks", 200), ("/204", 204), ("/length", 200), ("/bad", 502)]
                [number % 5];
        assert_eq!(user.get(target).status(), status);
    }
    let connections = connections.load(Ordering::SeqCst);
    // One up to each bad response. The end of chunks may come after the next request.
    assert!((6..=15).contains(&connections), "{connections}");
}

#[test]
fn a_connection_that_was_closed_while_it_was_idle_is_not_used() {
    let (closed, is_closed) = mpsc::channel();
    let address = raw_cell(move |mut cell| {
        if cell.message().is_some() {
            cell.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nserved");
        }
        let ends =
            [cell.stream.local_addr(), cell.stream.peer_addr()].map(|end| end.unwrap().port());
        drop(cell);
        closed.send(ends).unwrap();
    });
    let router = Router::start(&topology("buffering", &[("eu0", address)]), &[]);
    let mut user = router.user();
    for number in 0..50 {
        assert_eq!(user.post("/x", "once").text(), "served", "{number}");
        let ends = is_closed.recv().unwrap();
        while is_underway(ends) {
            std::thread::yield_now();
        }
    }
}

/// Whether the end of a connection between these ports has yet to reach the other side's system: on
/// a busy machine what is sent later on another connection can be there first.
fn is_underway(ends: [u16; 2]) -> bool {
    let ends = ends.map(|port| format!(":{port:04X}"));
    // Established, or FIN-WAIT-1.
    let is_one = |line: &str| match line.split_whitespace().collect::<Vec<_>>()[..] {
        [_, local, peer, "01" | "04", ..] => local.ends_with(&ends[0]) && peer.ends_with(&ends[1]),
        _ => false,
    };
    std::fs::read_to_string("/proc/net/tcp").unwrap_or_default().lines().any(is_one)
}

/// The cell may have acted upon it (Z-17, LN-10).
#[test]
fn a_request_that_a_closing_cell_may_have_read_is_not_sent_again() {
    for reads in [true, false] {
        let journal = Arc::new(Mutex::new(BTreeMap::<String, usize>::new()));
        let seen = Arc::clone(&journal);
        let address = raw_cell(move |mut cell| {
            let mut serves = true;
            while let Some(request) = cell.message() {
                *seen.lock().unwrap().entry(request.target().to_owned()).or_default() += 1;
                if !serves {
                    return;
                }
                cell.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nserved");
                serves = false;
                if !reads {
                    // The next request arrives and is not read, so the close is a reset.
                    let _ = cell.stream.peek(&mut [0]);
                    return;
                }
            }
        });
        let router = Router::start(&topology("buffering", &[("eu0", address)]), &[]);
        let mut user = router.user();
        for number in 0..20 {
            let status = user.post(&format!("/{number}"), "once").status();
            assert_eq!(status, if number % 2 == 0 { 200 } else { 502 }, "{number}");
        }
        let journal = journal.lock().unwrap();
        assert!(journal.values().all(|times| *times == 1), "{journal:?}");
    }
}
