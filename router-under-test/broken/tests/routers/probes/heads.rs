//! Requests as bytes, and their fields.

use super::{Scene, field, status};

pub(crate) fn length_and_chunks(scene: &Scene) -> String {
    let fields =
        "Host: g\r\nConnection: close\r\nContent-Length: 15\r\nTransfer-Encoding: chunked\r\n";
    scene.refused(&format!("POST /us0/x HTTP/1.1\r\n{fields}\r\n5\r\nhello\r\n0\r\n\r\n"))
}

pub(crate) fn coding_with_parameter(scene: &Scene) -> String {
    let fields = "Host: g\r\nConnection: close\r\nTransfer-Encoding: chunked;q=1\r\n";
    scene.refused(&format!("POST /us0/x HTTP/1.1\r\n{fields}\r\n5\r\nhello\r\n0\r\n\r\n"))
}

pub(crate) fn nul_byte(scene: &Scene) -> String {
    scene.refused("GET /us0/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\nX-A: 1\0 2\r\n\r\n")
}

pub(crate) fn two_lengths(scene: &Scene) -> String {
    scene.refused(
        "POST /us0/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\nContent-Length: 5\r\n\
         Content-Length: 5\r\n\r\nhello",
    )
}

pub(crate) fn bare_line_feed(scene: &Scene) -> String {
    scene.refused("GET /us0/x HTTP/1.1\r\nHost: g\nConnection: close\r\n\r\n")
}

pub(crate) fn bare_carriage_return(scene: &Scene) -> String {
    scene.refused("GET /us0/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\nX-A: 1\r2\r\n\r\n")
}

pub(crate) fn blank_before_colon(scene: &Scene) -> String {
    scene.refused("GET /us0/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\nX-A : 1\r\n\r\n")
}

pub(crate) fn folded_line(scene: &Scene) -> String {
    scene
        .refused("GET /us0/x HTTP/1.1\r\nHost: g\r\nConnection: close\r\nX-A: 1\r\n X-B: 2\r\n\r\n")
}

pub(crate) fn no_host(scene: &Scene) -> String {
    scene.refused("GET /us0/x HTTP/1.1\r\nConnection: close\r\n\r\n")
}

pub(crate) fn connect(scene: &Scene) -> String {
    let address = scene.cells.stranger;
    scene.refused(&format!(
        "CONNECT {address} HTTP/1.1\r\nHost: {address}\r\n\r\nGET /x HTTP/1.1\r\nHost: g\r\n\r\n"
    ))
}

pub(crate) fn hop_fields(scene: &Scene) -> String {
    let fields = "X-Named: 1\r\nConnection: X-Named\r\nTE: trailers\r\nKeep-Alive: 1\r\n\
         Proxy-Connection: x\r\n";
    scene.ask("GET /us0/x", fields, "");
    let names = ["x-named", "connection", "te", "keep-alive", "proxy-connection"];
    names.into_iter().filter(|name| !scene.values(name).is_empty()).collect::<Vec<_>>().join(" ")
}

pub(crate) fn hop_fields_of_response(scene: &Scene) -> String {
    let response = scene.get("/us0/hop");
    format!("{} {}", field(&response, "keep-alive"), field(&response, "x-hop"))
}

pub(crate) fn absolute(scene: &Scene) -> String {
    let address = scene.cells.stranger.to_string();
    let response = scene.talk(&format!(
        "GET http://{address}/us0/x?a HTTP/1.1\r\nHost: wrong\r\nConnection: close\r\n\r\n"
    ));
    let last = scene.last().replace(&address, "NAME");
    let target = last.split(' ').nth(2).unwrap_or_default().to_owned();
    let by = last.split(' ').next().unwrap_or_default();
    format!(
        "{} {by} {target} {}",
        status(&response),
        scene.values("host").replace(&address, "NAME")
    )
    .trim_end()
    .to_owned()
}

pub(crate) fn request_lines(scene: &Scene) -> String {
    scene.ask("GET /us0/x", "X-A: b\r\nX-A: a\r\nX-A: c\r\n", "");
    scene.values("x-a")
}

pub(crate) fn response_lines(scene: &Scene) -> String {
    field(&scene.get("/us0/lines"), "x-a")
}

pub(crate) fn long_head(scene: &Scene) -> String {
    let mut fields = format!("X-Long: {}\r\n", "x".repeat(20_000));
    (0..60).for_each(|number| fields.push_str(&format!("X-{number}: {number}\r\n")));
    let response = scene.ask("GET /us0/x", &fields, "");
    let late = (0..60).filter(|number| !scene.values(&format!("x-{number}")).is_empty()).count();
    format!(
        "{} {} {}",
        status(&response),
        scene.values("x-long").len(),
        if late == 60 { "all" } else { "some" }
    )
}

pub(crate) fn public_name(scene: &Scene) -> String {
    scene.ask("GET /us0/x", "X-Forwarded-Host: evil\r\nX-Forwarded-Proto: https\r\n", "");
    ["host", "x-forwarded-host", "x-forwarded-proto"].map(|name| scene.values(name)).join(" ")
}

pub(crate) fn stripping(scene: &Scene) -> String {
    scene.ask("GET /us0/x", "Connection: x-forwarded-host\r\n", "");
    scene.values("x-forwarded-host")
}

pub(crate) fn location(scene: &Scene) -> String {
    field(&scene.get("/us0/location"), "location").chars().take(12).collect()
}

pub(crate) fn conditions(scene: &Scene) -> String {
    scene.ask("GET /us0/x", "Range: bytes=0-1\r\nIf-None-Match: \"a\"\r\n", "");
    ["range", "if-none-match"]
        .into_iter()
        .filter(|name| !scene.values(name).is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}
