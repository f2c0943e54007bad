//! Refusals, and requests that should be refused.

use reference_router::buffering::redirect;
use reference_router::config;
use reference_router::cookie::{Cookies, RouteCookie};

use crate::around::bytes;
use crate::around::prelude::*;
use crate::run;

super::wrong! {
    "refuses-with-500": Both, "Z-35", "every refusal is a 500" =>
        &[Refuse(|_, _, given| {
            let mut response = given?;
            *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
            Some(response)
        })];
    "serves-learn-spelled-otherwise": Learning, "Z-10",
        "the learn path is closed to users in one spelling only" =>
        &[Refuse(|at, refusal, given| match refusal {
            Some(Refusal::Internal) if at.path() != learn_path(at) => None,
            _ => given,
        })];
    "remembers-refusals": Both, "Z-15",
        "a path whose cell or pre-flight failed once is refused from then on" =>
        &[
            Refuse(|at, _, given| {
                if given.as_ref().is_some_and(|given| given.status() == StatusCode::BAD_GATEWAY) {
                    at.state.texts().insert(at.path().to_owned(), String::new());
                }
                given
            }),
            RefuseIf(|at| at.state.texts().contains_key(at.path()).then_some(502)),
        ];
    "forwards-the-last-hop": Both, "Z-84", "an OPTIONS or TRACE with Max-Forwards 0 is forwarded" =>
        &[Refuse(|_, refusal, given| match refusal {
            Some(Refusal::LastHop | Refusal::NoTrace) => None,
            _ => given,
        })];
    "echoes-traces": Both, "Z-85", "a TRACE is responded to with all fields of the request" =>
        &[Refuse(|at, _, given| match at.note().method {
            Method::TRACE => Some(echo(at)),
            _ => given,
        })];
    "answers-options-itself": Both, "RT-01",
        "an OPTIONS that a browser sends ahead gets a 204 of the router" =>
        &[RefuseIf(|at| {
            let is_ahead = at.note().headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
            (is_ahead && at.note().method == Method::OPTIONS).then_some(204)
        })];
    "refuses-expectations": Both, "Z-21", "every Expect gets a 417" =>
        &[RefuseIf(|at| at.note().headers.contains_key(EXPECT).then_some(417))];
    "refuses-unknown-methods": Both, "Z-98", "a method outside a fixed list gets a 501" =>
        &[RefuseIf(|at| (!is_known(at)).then_some(501))];
    "refuses-when-full": Both, "CA-14",
        "a full cache refuses requests for paths that are not in it" =>
        &[RefuseIf(|at| {
            let cache = at.ask.cache;
            let is_full = cache.entries().len() >= at.ask.topology.cache.max_entries;
            (is_full && cache.entry(at.path()).is_none()).then_some(503)
        })];
    "fails-on-forged-cookies": Both, "Z-18", claims "cookie-cache", "a forged cookie is an error" =>
        &[RefuseIf(|at| {
            let settings = config::load(&run::variable).ok()?.settings;
            let mut headers = at.note().headers.clone();
            let read = Cookies::new(at.ask.topology, &settings)?.take(&mut headers);
            (read == RouteCookie::default() && headers != at.note().headers).then_some(502)
        })];
    "knows-how-paths-look": Both, "RT-10",
        "a first segment with unusual characters gets a 404 of the router" =>
        &[RefuseIf(|at| {
            let first = at.path().split('/').nth(1).unwrap_or_default();
            let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
            (!first.bytes().all(is_usual)).then_some(404)
        })];
    "refuses-letters-like-line-ends": Both, "Z-13",
        "a target with J, M or a backtick, which differ from LF, CR and a blank in one bit, is \
         refused" =>
        &[RefuseIf(|at| at.ask.arrival.target.as_str().contains(['J', 'M', '`']).then_some(400))];
    "refuses-absolute-targets": Both, "Z-42", "an absolute target is refused" =>
        &[RefuseIf(|at| at.note().uri.scheme().map(|_| 400))];
    "fails-on-long-heads": Both, "Z-47", "a head of more than 16 KiB is an internal error" =>
        &[
            RefuseIf(|at| {
                let fields = at.note().headers.iter();
                let lengths = fields.map(|(name, value)| name.as_str().len() + value.len() + 4);
                let target = at.ask.arrival.target.as_str().len();
                (target + lengths.sum::<usize>() > 16 * 1024).then_some(500)
            }),
            // Also those that are longer than what the server reads.
            UserBytes(|| bytes::outgoing(|mut head| {
                if [&b"HTTP/1.1 414"[..], b"HTTP/1.1 431"].contains(&&head[..12]) {
                    head[9..12].copy_from_slice(b"500");
                }
                head
            })),
        ];
    "accepts-any-host": Both, "Z-62", "a request with no Host or several is forwarded" =>
        &[Refuse(|_, refusal, given| given.filter(|_| refusal != Some(Refusal::BadHost)))];
    "types-refusals-twice": Both, "Z-99", "a refusal has two lines of Content-Type" =>
        &[Refuse(|_, _, given| {
            let mut response = given?;
            response.headers_mut().append(CONTENT_TYPE, HeaderValue::from_static("text/html"));
            Some(response)
        })];
    "prints-the-address-when-it-refuses": Both, "Z-58",
        "the page of a refusal has the address of a cell" =>
        &[Refuse(|at, refusal, given| {
            let cell = at.ask.topology.cell(at.own()[0]);
            let text = format!("{}\nconnect to {} failed\n", refusal?, cell.url.authority());
            Some(given?.map(|_| whole(text)))
        })];
    "gives-up-cells-after-errors": Both, "Z-16",
        "a cell that has responded with ten 500s gets no requests any more" =>
        &[
            ToUser(|at, step, _, response| {
                let mut errors = at.state.bytes();
                errors.resize(at.ask.topology.cells.len(), 0);
                let is_one = response.status() == StatusCode::INTERNAL_SERVER_ERROR;
                let count = &mut errors[step.cell.index()];
                *count = count.saturating_add(is_one.into());
            }),
            RefuseIf(|at| {
                let owner = at.ask.cache.entry(at.path())?.cell.index();
                at.state.bytes().get(owner).filter(|errors| **errors >= 10).map(|_| 503)
            }),
        ];
    "passes-cookies-of-refused-redirects-on": Buffering, "Z-60",
        "a refusal has the cookies of the internal redirect that could not be followed" =>
        &[
            Redirect(|at, _, response| {
                redirect(response, at.ask.topology).inspect_err(|_| {
                    let cookie = text(response.headers(), "set-cookie").to_owned();
                    at.state.texts().insert(at.path().to_owned(), cookie);
                })
            }),
            Refuse(|at, _, given| {
                let mut response = given?;
                if let Some(cookie) = at.state.texts().remove(at.path()) {
                    set(response.headers_mut(), "set-cookie", cookie);
                }
                Some(response)
            }),
        ];
    "dies-of-odd-bytes": Both, "Z-39", "a User-Agent that is no ASCII ends the process" =>
        &[RefuseIf(|at| {
            let agent = at.note().headers.get(USER_AGENT);
            if agent.is_some_and(|agent| agent.to_str().is_err()) {
                std::process::exit(1);
            }
            None
        })];
    "dates-refusals-in-an-old-form": Both, "Z-120", "the Date of a refusal is that of asctime" =>
        &[Refuse(|_, _, given| {
            let mut response = given?;
            set(response.headers_mut(), "date", "Sun Nov  6 08:49:37 1994");
            Some(response)
        })];
    "knows-no-empty-reads": Both, "RT-08",
        "a GET, HEAD or DELETE that says that its content is empty is refused" =>
        &[RefuseIf(|at| {
            let method = &at.note().method;
            let is_read = [Method::GET, Method::HEAD, Method::DELETE].contains(method);
            let is_said = at.note().headers.get(CONTENT_LENGTH).is_some_and(|it| it == "0");
            (is_read && is_said).then_some(500)
        })];
}

super::variants! {
    "refuses-zero-bytes": Both, "a path with %00 in it receives 400" =>
        &[RefuseIf(|at| at.path().contains("%00").then_some(400))];
    "refuses-bad-requests-with-502": Both,
        "CONNECT receives 502, and so does a request whose body goes wrong on its way" =>
        &[Refuse(|at, refusal, given| {
            let mut response = given?;
            if at.note().method == Method::CONNECT || refusal == Some(Refusal::BrokenBody) {
                *response.status_mut() = StatusCode::BAD_GATEWAY;
            }
            Some(response)
        })];
    "takes-unknown-methods-for-malformed": Both, warned_of ["Z-98"],
        "a method that is not one of RFC 9110, and not PATCH, receives 400" =>
        &[RefuseIf(|at| (!is_known(at)).then_some(400))];
    "refuses-what-is-below-the-learn-path": Learning, warned_of ["UN-08"],
        "a path below the learn path is refused like the learn path itself" =>
        &[RefuseIf(|at| {
            let rest = at.path().strip_prefix(learn_path(at))?;
            rest.starts_with('/').then_some(404)
        })];
}

fn learn_path<'a>(at: &At<'a>) -> &'a str {
    match &at.ask.topology.protocol {
        Protocol::Buffering => "",
        Protocol::Learning { learn_path } => learn_path,
    }
}

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
