//! Requests hidden in requests, and bytes after the last request of a connection.

use super::{Scene, status};

const HIDDEN: &str = "GET /us0/hidden HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n";

/// Status of the first response, and whether a cell got the hidden request.
fn hiding(scene: &Scene, bytes: &str) -> String {
    let response = scene.talk(bytes);
    // The text after a head in the record is a body.
    let is_hidden = |line: &String| {
        line.split_once(' ').is_some_and(|(_, head)| head.starts_with("GET /us0/hidden "))
    };
    format!(
        "{} {}",
        status(&response),
        if scene.cells.hops().iter().any(is_hidden) { "seen" } else { "unseen" }
    )
}

fn chunks(scene: &Scene, coding: &str) -> String {
    let fields = format!(
        "Host: g\r\nContent-Length: {}\r\nTransfer-Encoding: {coding}\r\n",
        5 + HIDDEN.len()
    );
    hiding(scene, &format!("POST /us0/x HTTP/1.1\r\n{fields}\r\n0\r\n\r\n{HIDDEN}"))
}

pub(crate) fn hidden_by_both(scene: &Scene) -> String {
    chunks(scene, "chunked")
}

pub(crate) fn hidden_by_another_coding(scene: &Scene) -> String {
    chunks(scene, "xchunked")
}

pub(crate) fn hidden_in_a_get(scene: &Scene) -> String {
    hiding(
        scene,
        &format!(
            "GET /us0/x HTTP/1.1\r\nHost: g\r\nContent-Length: {}\r\n\r\n{HIDDEN}",
            HIDDEN.len()
        ),
    )
}

pub(crate) fn hidden_by_two_lengths(scene: &Scene) -> String {
    let fields = format!("Host: g\r\nContent-Length: {}\r\nContent-Length: 0\r\n", HIDDEN.len());
    hiding(scene, &format!("POST /us0/x HTTP/1.1\r\n{fields}\r\n{HIDDEN}"))
}

pub(crate) fn after_the_last(scene: &Scene) -> String {
    hiding(scene, &format!("GET /us0/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\n\r\n{HIDDEN}"))
}

pub(crate) fn zero_byte(scene: &Scene) -> String {
    status(&scene.get("/us0/a%00b")).to_owned()
}

pub(crate) fn cookie_of_the_bounce(scene: &Scene) -> String {
    scene.get("/us0/x");
    scene.values("cookie")
}
