//! Refusals, and requests that should be refused.

use http::header::{ACCESS_CONTROL_REQUEST_METHOD, CONNECTION, CONTENT_TYPE, COOKIE, EXPECT, HOST};
use http::{HeaderValue, Method, Response, StatusCode};
use reference_router::config;
use reference_router::cookie::Cookies;
use reference_router::parts::Question;
use reference_router::refusal::Refusal;
use reference_router::response::{self, UserBody};
use reference_router::topology::Protocol;

use crate::around::Seam::{PreFlight, Refusal as Refuse, Request, Users};
use crate::around::tools::{page, set, text};
use crate::around::{At, bytes};
use crate::run;

super::wrong! {
    "refuses-with-500": Both, "Z-35", "every refusal is a 500" =>
        &[Refuse(|_, refusal, is_last| {
            let mut response = correct(refusal, is_last)?;
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            Some(response)
        })];
    "serves-learn-spelt-otherwise": Learning, "Z-10",
        "the learn path is closed to users in one spelling only" =>
        &[Refuse(|at, refusal, is_last| match refusal {
            Some(Refusal::Internal) if at.path() != learn_path(at) => None,
            refusal => correct(refusal, is_last),
        })];
    "refuses-what-contains-learn": Learning, "RT-10",
        "every path that contains the learn path is closed to users" =>
        &[Refuse(|at, refusal, is_last| {
            let refused = at.path().contains(learn_path(at));
            refuse_if(refused, 404, refusal, is_last)
        })];
    "remembers-failed-pre-flights": Learning, "Z-15",
        "a path whose pre-flight failed once is refused from then on" => &[Refuse(as_before)];
    "remembers-refusals": Buffering, "Z-15",
        "a path whose cell failed once is refused from then on" => &[Refuse(as_before)];
    "forwards-the-last-hop": Both, "Z-84", "an OPTIONS or TRACE with Max-Forwards 0 is forwarded" =>
        &[Refuse(|_, refusal, is_last| match refusal {
            Some(Refusal::LastHop | Refusal::NoTrace) => None,
            refusal => correct(refusal, is_last),
        })];
    "echoes-traces": Both, "Z-85", "a TRACE is responded to with all fields of the request" =>
        &[Refuse(|at, refusal, is_last| match at.note().method {
            Method::TRACE => Some(echo(at)),
            _ => correct(refusal, is_last),
        })];
    "answers-options-itself": Both, "RT-01",
        "an OPTIONS that a browser sends ahead gets a 204 of the router" =>
        &[Refuse(|at, refusal, is_last| {
            let note = at.note();
            let is_ahead = note.headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
            refuse_if(note.method == Method::OPTIONS && is_ahead, 204, refusal, is_last)
        })];
    "refuses-expectations": Both, "Z-21", "every Expect gets a 417" =>
        &[Refuse(|at, refusal, is_last| {
            refuse_if(at.note().headers.contains_key(EXPECT), 417, refusal, is_last)
        })];
    "refuses-unknown-methods": Both, "Z-98", "a method outside a fixed list gets a 501" =>
        &[Refuse(|at, refusal, is_last| refuse_if(!is_known(at), 501, refusal, is_last))];
    "refuses-when-full": Both, "CA-14",
        "a full cache refuses requests for paths that are not in it" =>
        &[Refuse(|at, refusal, is_last| {
            let cache = at.ask.cache;
            let is_full = cache.entries().len() >= at.ask.topology.max_entries;
            refuse_if(is_full && cache.entry(at.path()).is_none(), 503, refusal, is_last)
        })];
    "fails-on-forged-cookies": Both, "Z-18", claims "cookie-cache",
        "an invalid route cookie is an error" =>
        &[Refuse(|at, refusal, is_last| refuse_if(is_forged(at), 502, refusal, is_last))];
    "knows-how-paths-look": Both, "RT-10",
        "a first segment with unusual characters gets a 404 of the router" =>
        &[Refuse(|at, refusal, is_last| {
            let first = at.path().split('/').nth(1).unwrap_or_default();
            let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            refuse_if(!first.bytes().all(is_usual), 404, refusal, is_last)
        })];
    "refuses-letters-like-line-ends": Both, "Z-13",
        "a target with J, M or a backtick, which differ from LF, CR and a blank in one bit, is \
         refused" =>
        &[Refuse(|at, refusal, is_last| {
            let refused = at.ask.arrival.target.as_str().contains(['J', 'M', '`']);
            refuse_if(refused, 400, refusal, is_last)
        })];
    "refuses-absolute-targets": Both, "Z-42", "an absolute target is refused" =>
        &[Refuse(|at, refusal, is_last| {
            refuse_if(at.note().uri.scheme().is_some(), 400, refusal, is_last)
        })];
    "fails-on-long-heads": Both, "Z-47", "a head of more than 16 KiB is an internal error" =>
        &[
            Refuse(|at, refusal, is_last| {
                refuse_if(head_length(at) > 16 * 1024, 500, refusal, is_last)
            }),
            Users(|| bytes::outgoing(with_500_for_long_heads)),
        ];
    "accepts-any-host": Both, "Z-62", "a request with no Host or several is forwarded" =>
        &[Refuse(|_, refusal, is_last| {
            correct(refusal.filter(|refusal| *refusal != Refusal::BadHost), is_last)
        })];
    "types-refusals-twice": Both, "Z-99", "a refusal has two lines of Content-Type" =>
        &[Refuse(|_, refusal, is_last| {
            let mut response = correct(refusal, is_last)?;
            response.headers_mut().append(CONTENT_TYPE, HeaderValue::from_static("text/html"));
            Some(response)
        })];
    "prints-the-address-when-it-refuses": Both, "Z-58",
        "the page of a refusal has the address of the cell that failed" =>
        &[
            Request(|at, step, _| {
                let cell = at.ask.topology.cell(step.cell);
                at.state.texts().insert(at.path().to_owned(), cell.url.authority().to_owned());
            }),
            PreFlight(|at, question| {
                let host = text(question.headers(), HOST.as_str()).to_owned();
                at.state.texts().insert(at.path().to_owned(), host);
                Question::Send(question)
            }),
            Refuse(|at, refusal, is_last| {
                let address = at.state.texts().remove(at.path());
                let Some(address) = address else { return correct(refusal, is_last) };
                let text = format!("{}\nconnect to {address} failed\n", refusal?);
                Some(refusal?.response(is_last).map(|_| response::whole(text)))
            }),
        ];
}

super::variants! {
    "refuses-zero-bytes": Both, "a path with %00 in it receives 400" =>
        &[Refuse(|at, refusal, is_last| {
            refuse_if(at.path().contains("%00"), 400, refusal, is_last)
        })];
    "refuses-bad-requests-with-502": Both,
        "CONNECT receives 502, and so does a request whose body goes wrong on its way" =>
        &[Refuse(|at, refusal, is_last| {
            let mut response = correct(refusal, is_last)?;
            if at.note().method == Method::CONNECT || refusal == Some(Refusal::BrokenBody) {
                *response.status_mut() = StatusCode::BAD_GATEWAY;
            }
            Some(response)
        })];
    "takes-unknown-methods-for-malformed": Both, warned_of ["Z-98"],
        "a method that is not one of RFC 9110, and not PATCH, receives 400" =>
        &[Refuse(|at, refusal, is_last| refuse_if(!is_known(at), 400, refusal, is_last))];
    "refuses-what-is-below-the-learn-path": Learning, warned_of ["UN-08"],
        "a path below the learn path is refused like the learn path itself" =>
        &[Refuse(|at, refusal, is_last| {
            let rest = at.path().strip_prefix(learn_path(at));
            let refused = rest.is_some_and(|rest| rest.starts_with('/'));
            refuse_if(refused, 404, refusal, is_last)
        })];
}

/// The response of the correct router to a request that it refuses.
fn correct(refusal: Option<Refusal>, is_last: bool) -> Option<Response<UserBody>> {
    refusal.map(|refusal| refusal.response(is_last))
}

/// Refuses also requests for which this holds, as they arrive.
fn refuse_if(
    refused: bool,
    status: u16,
    refusal: Option<Refusal>,
    is_last: bool,
) -> Option<Response<UserBody>> {
    if refusal.is_some() || !refused {
        return correct(refusal, is_last);
    }
    let mut response = page(status, if status == 204 { "" } else { "refused\n" });
    set(response.headers_mut(), "content-type", "text/plain; charset=utf-8");
    if is_last {
        set(response.headers_mut(), CONNECTION.as_str(), "close");
    }
    Some(response)
}

/// The path of pre-flights.
fn learn_path<'a>(at: &At<'a>) -> &'a str {
    match &at.ask.topology.protocol {
        Protocol::Buffering => "",
        Protocol::Learning { learn_path } => learn_path,
    }
}

/// Refuses what was refused with a 502 before.
fn as_before(at: &At<'_>, refusal: Option<Refusal>, is_last: bool) -> Option<Response<UserBody>> {
    let path = at.path().to_owned();
    if refusal.is_some_and(|refusal| refusal.status() == StatusCode::BAD_GATEWAY) {
        at.state.texts().insert(path, String::new());
    } else if at.state.texts().contains_key(&path) {
        return refuse_if(true, 502, refusal, is_last);
    }
    correct(refusal, is_last)
}

/// The head of a request as the response to it.
fn echo(at: &At<'_>) -> Response<UserBody> {
    let mut text = format!("TRACE {} HTTP/1.1\r\n", at.note().uri);
    for (name, value) in &at.note().headers {
        text.push_str(&format!("{name}: {}\r\n", String::from_utf8_lossy(value.as_bytes())));
    }
    let mut response = page(200, text);
    set(response.headers_mut(), "content-type", "message/http");
    response
}

/// Whether the method is one that every server knows.
fn is_known(at: &At<'_>) -> bool {
    let method = at.note().method.as_str();
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
        .contains(&method)
}

/// Whether the user's cookie of routes was not written by a router.
fn is_forged(at: &At<'_>) -> bool {
    if !at.note().headers.contains_key(COOKIE) {
        return false;
    }
    let Ok(config) = config::load(&run::variable) else { return false };
    let cookies = Cookies::new(at.ask.topology, &config.settings);
    cookies.is_some_and(|cookies| cookies.take(&mut at.note().headers.clone()).rejected)
}

/// About as many bytes as the head of the request has.
fn head_length(at: &At<'_>) -> usize {
    let note = at.note();
    let fields = note.headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4);
    at.ask.arrival.target.as_str().len() + fields.sum::<usize>()
}

/// Makes the refusal of a head that is longer than what the server reads one of an internal error.
fn with_500_for_long_heads(mut head: Vec<u8>) -> Vec<u8> {
    if [&b"HTTP/1.1 414"[..], b"HTTP/1.1 431"].iter().any(|start| head.starts_with(start)) {
        head[9..12].copy_from_slice(b"500");
    }
    head
}
