//! A person's cookies, as a browser keeps them.

use std::fmt;
use std::sync::{Mutex, MutexGuard};

use http::HeaderValue;
use reqwest::Url;
use reqwest::cookie::CookieStore;

use super::DOMAIN;

/// Cookies by RFC 6265, with one liberty that browsers take for a local installation: a cookie that
/// is marked `Secure` travels, although the suite speaks plain HTTP on loopback.
#[derive(Default)]
pub(super) struct Jar {
    kept: reqwest::cookie::Jar,
    /// How each cookie was set last, by name: its line and where it was set.
    lines: Mutex<Vec<Line>>,
}

#[derive(Clone)]
struct Line {
    name: String,
    /// What follows the value: `; Path=/; HttpOnly`.
    attributes: String,
    /// Where it was set; the path of a cookie that names none comes from here.
    at: Url,
}

impl fmt::Debug for Jar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Jar").field("names", &self.names()).finish()
    }
}

impl Jar {
    /// Puts a cookie into the jar that no response has set.
    pub(super) fn give(&self, name: &str, value: &str) {
        self.set(&format!("{name}={value}; Path=/; HttpOnly"), &root());
    }

    /// The names of all cookies that were ever set.
    pub(super) fn names(&self) -> Vec<String> {
        self.lines().iter().map(|line| line.name.clone()).collect()
    }

    /// The value of the field `Cookie` for a request target, if there is one.
    pub(super) fn header(&self, target: &str) -> Option<String> {
        let url =
            root().join(target.split(['?', '#']).next().unwrap_or("/")).unwrap_or_else(|_| root());
        self.cookies(&url).map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned())
    }

    /// Replaces the values of all cookies but those with these names.
    pub(super) fn forge(&self, but: &[String], value: &str) {
        let lines = self.lines().clone();
        for line in lines.iter().filter(|line| !but.contains(&line.name)) {
            self.kept
                .add_cookie_str(&format!("{}={value}{}", line.name, line.attributes), &line.at);
        }
    }

    /// Takes over the cookies of another jar, all but those with these names.
    pub(super) fn take_over(&self, other: &Jar, but: &[String]) {
        let lines = other.lines().clone();
        for line in lines.iter().filter(|line| !but.contains(&line.name)) {
            // A cookie is sent at least to where it was set, unless its path is another.
            let path = line
                .attributes
                .split(';')
                .find_map(|part| part.trim().strip_prefix("Path="))
                .unwrap_or(line.at.path());
            let sent = other.header(path).unwrap_or_default();
            let value = sent
                .split("; ")
                .filter_map(|pair| pair.split_once('='))
                .find(|(name, _)| *name == line.name);
            if let Some((name, value)) = value {
                self.set(&format!("{name}={value}{}", line.attributes), &line.at);
            }
        }
    }

    /// Takes in one `Set-Cookie` line of a response that came from there.
    pub(super) fn set(&self, line: &str, at: &Url) {
        let at = secure(at);
        self.kept.add_cookie_str(line, &at);
        let (pair, attributes) = line.split_at(line.find(';').unwrap_or(line.len()));
        let Some((name, _)) = pair.split_once('=') else { return };
        let line = Line { name: name.trim().to_owned(), attributes: attributes.to_owned(), at };
        let mut lines = self.lines();
        lines.retain(|known| known.name != line.name);
        lines.push(line);
    }

    fn lines(&self) -> MutexGuard<'_, Vec<Line>> {
        self.lines.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

impl CookieStore for Jar {
    fn set_cookies(&self, lines: &mut dyn Iterator<Item = &HeaderValue>, url: &Url) {
        lines.for_each(|line| self.set(&String::from_utf8_lossy(line.as_bytes()), url));
    }

    fn cookies(&self, url: &Url) -> Option<HeaderValue> {
        self.kept.cookies(&secure(url))
    }
}

/// The same place, reached by what a jar takes for a safe way.
fn secure(url: &Url) -> Url {
    let mut url = url.clone();
    // Between http and https the change is always possible.
    let _ = url.set_scheme("https");
    url
}

fn root() -> Url {
    match Url::parse(&format!("https://{DOMAIN}/")) {
        Ok(url) => url,
        Err(_) => unreachable!("the suite's own domain is a URL"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jar(lines: &[&str]) -> Jar {
        let jar = Jar::default();
        let at = Url::parse(&format!("http://{DOMAIN}:1234/a/b")).unwrap();
        lines.iter().for_each(|line| jar.set(line, &at));
        jar
    }

    #[test]
    fn secure_cookies_travel_to_a_local_installation() {
        let jar = jar(&["one=1; Path=/; Secure; HttpOnly; SameSite=Lax", "two=2"]);
        assert_eq!(jar.header("/").as_deref(), Some("one=1"));
        let all = jar.header("/a/c?x=1").unwrap();
        assert!(all.contains("one=1") && all.contains("two=2"), "{all}");
    }

    #[test]
    fn paths_and_ends_are_kept_to() {
        let jar = jar(&["one=1; Path=/a", "two=2; Path=/b", "three=3; Path=/"]);
        assert!(!jar.header("/a").unwrap().contains("two"));
        jar.set("three=; Path=/; Max-Age=0", &root());
        assert_eq!(jar.header("/"), None);
        assert_eq!(jar.names().len(), 3);
    }

    #[test]
    fn what_is_forged_keeps_its_place() {
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
    fn cookies_are_taken_over_but_for_those_of_cells() {
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
}
