//! Cookies from one router to another.

use http::header::COOKIE;
use serde_json::json;

use super::*;
use crate::config::tests::{document, topology_of};

const US0: u16 = 0;
const EU0: u16 = 2;
const EU1: u16 = 3;

fn cookies(protocol: &str) -> Cookies {
    let mut document = document(protocol);
    document["capabilities"]["cookie_cache"] = json!(true);
    let mut topology = topology_of(&document);
    topology.settings.cookie_key = Some("0123456789abcdef".into());
    Cookies::new(&topology).expect("it is switched on")
}

fn entry(path: &str, cell: u16, expires: Option<Instant>) -> Entry<'_> {
    Entry::new(path.as_bytes(), false, CellIndex::at(cell), expires)
}

fn route_cookie(cookies: &Cookies, value: &str) -> RouteCookie {
    let mut headers = HeaderMap::new();
    headers
        .insert(COOKIE, HeaderValue::try_from(format!("a=1; {}={value}", wire::COOKIE)).unwrap());
    let route_cookie = cookies.take(&mut headers);
    assert_eq!(headers[COOKIE], "a=1");
    route_cookie
}

fn empty() -> RouteCookie {
    RouteCookie { hints: Hints::default(), rejected: false }
}

#[test]
fn the_route_cookie_is_off_by_default() {
    assert!(Cookies::new(&topology_of(&document("learning"))).is_none());
}

#[test]
fn a_cold_router_reads_the_cookie_of_a_warm_one() {
    let value = cookies("buffering")
        .news(empty(), "/a/x", Some(&entry("/a", EU1, None)), CellIndex::at(EU1), 0)
        .unwrap();
    let cold = cookies("buffering");
    let brought = route_cookie(&cold, &value);
    assert_eq!(cold.owner(&brought, "/a/y"), Some(CellIndex::at(EU1)));
    assert_eq!(cold.owner(&brought, "/b"), None);
    // It is known by now.
    assert_eq!(
        cold.news(brought, "/a/y", Some(&entry("/a", EU1, None)), CellIndex::at(EU1), 0),
        None
    );
}

#[test]
fn a_hint_expires_with_its_entry() {
    let cookies = cookies("learning");
    let expires = Instant::now() + Duration::from_secs(10);
    let value = cookies
        .news(empty(), "/a", Some(&entry("/a", EU0, Some(expires))), CellIndex::at(EU0), 1000)
        .unwrap();
    let brought = route_cookie(&cookies, &value);
    assert_eq!(cookies.owner_at(&brought, "/a", 1000), Some(CellIndex::at(EU0)));
    assert_eq!(cookies.owner_at(&brought, "/a", 11_000), None);
}

#[test]
fn a_forged_expiry_is_ignored() {
    let cookies = cookies("learning");
    for (end, believed) in
        [(None, false), (Some(u64::MAX), false), (Some(70_001), false), (Some(70_000), true)]
    {
        let mut hints = Hints::default();
        hints.put(Hint { path: b"/a".to_vec(), exact: false, cell: cookies.tags[2].1, end }, 0);
        assert_eq!(
            cookies.owner_at(&RouteCookie { hints, rejected: false }, "/a", 0).is_some(),
            believed,
            "{end:?}"
        );
    }
}

#[test]
fn a_hint_to_an_unknown_cell_is_ignored() {
    let with_key = |remove: bool| {
        let mut document = document("buffering");
        document["capabilities"]["cookie_cache"] = json!(true);
        if remove {
            document["cells"].as_array_mut().unwrap().remove(1);
        }
        let mut topology = topology_of(&document);
        topology.settings.cookie_key = Some("0123456789abcdef".into());
        Cookies::new(&topology).unwrap()
    };
    let (before, after) = (with_key(false), with_key(true));
    let gone =
        before.news(empty(), "/a", Some(&entry("/a", 1, None)), CellIndex::at(1), 0).unwrap();
    assert_eq!(after.owner(&route_cookie(&after, &gone), "/a"), None);
    // The others have moved up, and are found all the same.
    let moved =
        before.news(empty(), "/a", Some(&entry("/a", EU1, None)), CellIndex::at(EU1), 0).unwrap();
    assert_eq!(after.owner(&route_cookie(&after, &moved), "/a"), Some(CellIndex::at(EU1 - 1)));
}

#[test]
fn an_invalid_cookie_is_removed_or_overwritten() {
    let cookies = cookies("buffering");
    for forged in ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "cell_us0"] {
        let brought = route_cookie(&cookies, forged);
        assert!(brought.rejected);
        assert_eq!(cookies.owner(&brought, "/a"), None);
        assert_eq!(
            cookies.news(brought, "/a", None, CellIndex::at(US0), 0),
            Some(String::new()),
            "{forged}"
        );
        let value = cookies
            .news(
                route_cookie(&cookies, forged),
                "/a",
                Some(&entry("/a", EU0, None)),
                CellIndex::at(EU0),
                0,
            )
            .unwrap();
        assert!(!value.is_empty());
    }
}

#[test]
fn a_wrong_hint_is_corrected() {
    let cookies = cookies("buffering");
    let wrong =
        cookies.news(empty(), "/a", Some(&entry("/a", EU0, None)), CellIndex::at(EU0), 0).unwrap();
    assert_eq!(
        cookies.news(route_cookie(&cookies, &wrong), "/a", None, CellIndex::at(EU1), 0),
        Some(String::new())
    );
    let right = cookies
        .news(
            route_cookie(&cookies, &wrong),
            "/a",
            Some(&entry("/a", EU1, None)),
            CellIndex::at(EU1),
            0,
        )
        .unwrap();
    assert_eq!(cookies.owner(&route_cookie(&cookies, &right), "/a"), Some(CellIndex::at(EU1)));
}

#[test]
fn the_cookie_line_has_its_attributes_and_names_no_cell_or_path() {
    let cookies = cookies("buffering");
    let given = |status: StatusCode, cache_control: Option<&'static str>| {
        let mut headers = HeaderMap::new();
        headers.append(SET_COOKIE, HeaderValue::from_static("session=1"));
        if let Some(value) = cache_control {
            headers.insert(CACHE_CONTROL, HeaderValue::from_static(value));
        }
        cookies.give(
            empty(),
            "/acme",
            Some(&entry("/acme", EU0, None)),
            CellIndex::at(EU0),
            (status, &mut headers),
        );
        let lines: Vec<String> = headers
            .get_all(SET_COOKIE)
            .iter()
            .map(|line| line.to_str().unwrap().to_owned())
            .collect();
        assert_eq!(lines[0], "session=1");
        lines.get(1).cloned()
    };
    let line = given(StatusCode::OK, Some("private, max-age=0")).unwrap();
    assert!(line.starts_with("__Host-route="));
    assert!(line.ends_with("; Path=/; Secure; HttpOnly; SameSite=Lax"));
    assert!(!line.to_lowercase().contains("cell") && !line.contains("acme"));
    for status in
        [StatusCode::NOT_FOUND, StatusCode::FOUND, StatusCode::FORBIDDEN, StatusCode::NOT_MODIFIED]
    {
        assert_eq!(given(status, None), None);
    }
    for shared in
        ["public", "max-age=5, PUBLIC", "s-maxage=5", "Max-Age = 5", "max-age=0, s-maxage=1"]
    {
        assert_eq!(given(StatusCode::OK, Some(shared)), None, "{shared}");
    }
    for own in [
        "max-age=0, private, must-revalidate",
        "no-cache",
        "max-age=5, private",
        "no-store",
        "max-age=0",
        "",
    ] {
        assert!(given(StatusCode::OK, Some(own)).is_some(), "{own}");
    }
}

#[test]
fn a_full_cookie_fits() {
    let cookies = cookies("buffering");
    let mut brought = empty();
    for number in 0..40 {
        let path = format!("/{}-{number}", "x".repeat(200));
        let value = cookies
            .news(brought, &path, Some(&entry(&path, EU0, None)), CellIndex::at(EU0), 0)
            .unwrap();
        assert!(value.len() < 2048, "{}", value.len());
        brought = route_cookie(&cookies, &value);
        assert_eq!(cookies.owner(&brought, &path), Some(CellIndex::at(EU0)));
    }
}
