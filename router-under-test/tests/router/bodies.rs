//! Bodies on their way: kept and sent again, or passed on as they come, in little memory.

use std::io::Read as _;

use crate::support::*;

#[test]
fn a_body_is_sent_again_to_the_cell_that_is_named_as_long_as_it_is_kept() {
    let other = cell(|_| redirect("Cell US0"));
    let owner = cell(|request| {
        let is_right = request.body == "0123456789".repeat(request.body.len() / 10).as_bytes();
        ok(&format!("{} {is_right}", request.body.len()))
            .insert_header("X-Gitlab-Cell-Cache", "{path_prefix:/known/}")
    });
    let cells = [("eu0", *other.address()), ("us0", *owner.address())];
    let router = Router::start(&topology("buffering", &cells), &[]);
    for (target, length, text) in [
        ("/new", 10, "10 true"),
        // In a file.
        ("/new", 900_000, "900000 true"),
        ("/new", 1_000_010, "the request body is too large\n"),
        ("/known/x", 10, "10 true"),
        // The owner is known: nothing need be kept.
        ("/known/x", 1_000_010, "1000010 true"),
    ] {
        let body = "0123456789".repeat(length / 10);
        let response = router.user().post(target, &body);
        assert_eq!(response.text(), text, "{target} {length}");
    }
    assert_eq!((requests(&other).len(), requests(&owner).len()), (3, 4));
}

#[test]
fn a_response_that_comes_before_the_body_was_read_is_not_lost() {
    for protocol in ["buffering", "learning"] {
        let address = raw_cell(|mut cell| {
            cell.head().unwrap();
            let head = "HTTP/1.1 413 Content Too Large\r\nContent-Length: 5\r\nConnection: close";
            cell.send(format!("{head}\r\n\r\nlarge"));
            // Here the connection is reset, since most of the body was not read.
        });
        let router = Router::start(&topology(protocol, &[("eu0", address)]), &[]);
        for _ in 0..60 {
            let response = router.user().post("/", &"x".repeat(900_000));
            assert_eq!((response.status(), response.text()), (413, "large"), "{protocol}");
        }
    }
}

#[test]
fn large_bodies_pass_in_little_memory() {
    const LARGE: usize = 256 << 20;
    let address = raw_cell(|mut cell| {
        cell.head().unwrap();
        std::io::copy(&mut (&mut cell.reader).take(LARGE as u64), &mut std::io::sink()).unwrap();
        cell.send(format!("HTTP/1.1 200 OK\r\nContent-Length: {LARGE}\r\n\r\n"));
        (0..LARGE >> 16).for_each(|_| cell.send([b'x'; 1 << 16]));
    });
    let router = Router::start(&topology("learning", &[("eu0", address)]), &[]);
    let mut user = router.user();
    user.send(format!("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: {LARGE}\r\n\r\n"));
    (0..LARGE >> 16).for_each(|_| user.send([b'x'; 1 << 16]));
    let response = user.message().unwrap();
    assert_eq!((response.body.len(), response.is_whole), (LARGE, true));
    let status = std::fs::read_to_string(format!("/proc/{}/status", router.process.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kib: usize = peak.trim().trim_end_matches(" kB").parse().unwrap();
    assert!(kib < 64 << 10, "{kib} KiB");
}
