//! The cookies of a person, as a browser keeps them.

use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard};

use cookie_store::{Cookie, CookieStore, RawCookie};
use http::HeaderValue;
use reqwest::Url;
use reqwest::cookie::CookieStore as CookieProvider;

use crate::trace::{PUBLIC_HOST, ReceivedResponse};

/// The authority under which people reach a router or a cell.
pub(super) fn host(at: SocketAddr) -> String {
    format!("{PUBLIC_HOST}:{}", at.port())
}

/// Cookies by RFC 6265, with one exception that browsers make for a local installation: a `Secure`
/// cookie is sent although the suite speaks plain HTTP on loopback.
#[derive(Debug, Default)]
pub(crate) struct Jar(Mutex<CookieStore>);

impl Jar {
    /// Adds a cookie that no response has set.
    pub(crate) fn give(&self, name: &str, value: &str) {
        self.set(&format!("{name}={value}; Path=/; HttpOnly"), &root());
    }

    /// The value of the field `Cookie` for a request target, if there is one.
    pub(super) fn header(&self, target: &str) -> Option<String> {
        let url =
            root().join(target.split(['?', '#']).next().unwrap_or("/")).unwrap_or_else(|_| root());
        self.cookies(&url).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    /// Replaces the values of all cookies except those with these names.
    pub(crate) fn forge(&self, except: &[String], value: &str) {
        for mut cookie in self.copies(except) {
            cookie.set_value(value.to_owned());
            self.insert(&cookie);
        }
    }

    /// Changes the value of the cookie with this name.
    pub(crate) fn change(&self, name: &str, change: impl Fn(&str) -> String) {
        for mut cookie in self.copies(&[]).into_iter().filter(|cookie| cookie.name() == name) {
            let changed = change(cookie.value());
            cookie.set_value(changed);
            self.insert(&cookie);
        }
    }

    /// Copies the cookies of another jar, except those with these names.
    pub(crate) fn take_over(&self, other: &Jar, except: &[String]) {
        other.copies(except).iter().for_each(|cookie| self.insert(cookie));
    }

    /// Keeps the cookies that a response to a request with this target sets.
    pub(super) fn keep(&self, at: SocketAddr, target: &str, response: &ReceivedResponse) {
        let origin = format!("http://{}", host(at));
        let Ok(url) = Url::parse(&format!("{origin}{target}")).or_else(|_| Url::parse(&origin))
        else {
            return;
        };
        for line in response.fields.iter().filter(|field| field.is("Set-Cookie")) {
            self.set(&String::from_utf8_lossy(line.value.as_bytes()), &url);
        }
    }

    /// Stores the cookie of one `Set-Cookie` line of a response from `at`.
    fn set(&self, line: &str, at: &Url) {
        // A browser ignores a line that it cannot parse or may not accept.
        let _ = self.store().parse(line, &secure(at));
    }

    /// The cookies that have not expired, except those with these names, each with its path.
    fn copies(&self, except: &[String]) -> Vec<RawCookie<'static>> {
        let copy = |cookie: &Cookie<'static>| {
            let mut raw = RawCookie::clone(cookie);
            // Without a `Path`, the path of a cookie comes from the response that set it.
            raw.set_path(String::from(&cookie.path));
            raw
        };
        let store = self.store();
        let kept =
            store.iter_unexpired().filter(|one| !except.iter().any(|name| name == one.name()));
        kept.map(copy).collect()
    }

    fn insert(&self, cookie: &RawCookie<'static>) {
        // All cookies belong to the one domain of the suite, so the store accepts each of them.
        let _ = self.store().insert_raw(cookie, &root());
    }

    fn store(&self) -> MutexGuard<'_, CookieStore> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl CookieProvider for Jar {
    fn set_cookies(&self, lines: &mut dyn Iterator<Item = &HeaderValue>, url: &Url) {
        lines.for_each(|line| self.set(&String::from_utf8_lossy(line.as_bytes()), url));
    }

    /// The value of `Cookie` in the order of RFC 6265: longer paths first, then older cookies.
    fn cookies(&self, url: &Url) -> Option<HeaderValue> {
        let store = self.store();
        let mut cookies = store.matches(&secure(url));
        cookies.sort_by_key(|cookie| std::cmp::Reverse(cookie.path.len()));
        let pairs: Vec<_> =
            cookies.iter().map(|cookie| format!("{}={}", cookie.name(), cookie.value())).collect();
        if pairs.is_empty() { None } else { HeaderValue::from_str(&pairs.join("; ")).ok() }
    }
}

/// The URL with https in place of http, which the cookie store takes for secure.
fn secure(url: &Url) -> Url {
    let mut url = url.clone();
    // Between http and https the change is always possible.
    let _ = url.set_scheme("https");
    url
}

fn root() -> Url {
    match Url::parse(&format!("https://{PUBLIC_HOST}/")) {
        Ok(url) => url,
        Err(_) => unreachable!("the suite's own domain is a URL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(lines: &[&str]) -> Jar {
        let jar = Jar::default();
        let at = Url::parse(&format!("http://{PUBLIC_HOST}:1234/a/b")).unwrap();
        lines.iter().for_each(|line| jar.set(line, &at));
        jar
    }

    #[test]
    fn secure_cookies_are_sent_to_a_local_installation() {
        let jar = jar(&["one=1; Path=/; Secure; HttpOnly; SameSite=Lax", "two=2"]);
        assert_eq!(jar.header("/").as_deref(), Some("one=1"));
        assert_eq!(jar.header("/a/c?x=1").as_deref(), Some("two=2; one=1"));
    }

    #[test]
    fn a_forged_cookie_keeps_its_path() {
        let jar = jar(&["session=1; Path=/", "cells=eu0; Path=/a; Secure"]);
        jar.forge(&["session".to_owned()], "wrong");
        let sent = jar.header("/a").unwrap();
        assert!(
            sent.contains("session=1") && sent.contains("cells=wrong") && !sent.contains("eu0"),
            "{sent}"
        );
        assert_eq!(jar.header("/").as_deref(), Some("session=1"));
    }

    #[test]
    fn cookies_are_copied_except_those_of_cells() {
        let (own, others) = (
            Jar::default(),
            jar(&["session=1; Path=/", "cells=a=b==; Path=/a; Secure", "plain=2"]),
        );
        own.take_over(&others, &["session".to_owned()]);
        assert_eq!(own.header("/"), None);
        let sent = own.header("/a/b").unwrap();
        assert!(
            sent.contains("cells=a=b==") && sent.contains("plain=2") && !sent.contains("session"),
            "{sent}"
        );
    }

    #[test]
    fn older_cookies_are_sent_first_and_an_update_keeps_their_order() {
        let jar = jar(&["one=1; Path=/", "two=2; Path=/", "one=3; Path=/", "bad"]);
        assert_eq!(jar.header("/").as_deref(), Some("one=3; two=2"));
    }

    #[test]
    fn a_name_at_two_paths_is_forged_at_both() {
        let jar = jar(&["one=1; Path=/", "one=2; Path=/a"]);
        jar.forge(&[], "wrong");
        assert_eq!(jar.header("/a").as_deref(), Some("one=wrong; one=wrong"));
    }
}
