//! Cookies from one router to another.

use serde_json::json;

use super::*;
use crate::cache::{Entry, Rule};
use crate::config::tests::{document, topology_of, with_variable};

const US0: usize = 0;
const EU0: usize = 2;
const EU1: usize = 3;

fn fleet(protocol: &str, secret: &str) -> (Cookies, Topology) {
    let mut document = document(protocol);
    document["capabilities"]["cookie_cache"] = json!(true);
    let topology = topology_of(&document);
    let settings = with_variable("CELLS_COOKIE_KEY", secret).ok().unwrap();
    (Cookies::new(&topology, &settings).expect("it is switched on"), topology)
}

fn cookies(protocol: &str) -> (Cookies, Topology) {
    fleet(protocol, "0123456789abcdef")
}

fn known(path: &str, cell: usize) -> Option<Entry<'_>> {
    Some(Entry { rule: Rule { path, exact: false }, cell: CellIndex::nth(cell), expires: None })
}

fn hint(path: &str, exact: bool, cell: &str, end: Option<u64>) -> Hint {
    Hint { path: path.to_owned(), exact, cell: cell.to_owned(), end }
}

/// What a request brings; a cookie before it and one behind it stay.
fn brought(cookies: &Cookies, value: &str) -> RouteCookie {
    let mut headers = HeaderMap::new();
    let line = format!("a=1; {}={value}; b", wire::COOKIE);
    headers.insert(COOKIE, HeaderValue::try_from(line).unwrap());
    let route_cookie = cookies.take(&mut headers);
    assert_eq!(headers[COOKIE], "a=1; b");
    route_cookie
}

/// The value that this cell's response gives; its attributes are checked on the way.
fn given(
    (cookies, topology): &(Cookies, Topology),
    brought: RouteCookie,
    path: &str,
    known: Option<Entry<'_>>,
    cell: usize,
) -> Option<String> {
    let mut response = Response::new(());
    cookies.give(brought, path, known, CellIndex::nth(cell), topology, &mut response);
    let line = response.headers().get(SET_COOKIE)?.to_str().unwrap();
    let (value, attributes) = line.strip_prefix("__Host-route=").unwrap().split_once(';').unwrap();
    let removal = if value.is_empty() { "; Max-Age=0" } else { "" };
    assert_eq!(attributes, format!(" Path=/; Secure; HttpOnly; SameSite=Lax{removal}"));
    assert!(line.len() - attributes.len() < 2048, "{}", line.len());
    Some(value.to_owned())
}

fn owner(fleet: &(Cookies, Topology), value: &str, path: &str) -> Option<usize> {
    let (cookies, topology) = fleet;
    cookies.owner(&brought(cookies, value), path, topology).map(CellIndex::index)
}

#[test]
fn a_cold_router_reads_the_cookie_of_a_warm_one() {
    let warm = cookies("buffering");
    let entry = known("/my-company", EU1);
    let value = given(&warm, RouteCookie::default(), "/my-company/x", entry, EU1).unwrap();
    let cold = cookies("buffering");
    assert_eq!(owner(&cold, &value, "/my-company/y"), Some(EU1));
    assert_eq!(owner(&cold, &value, "/b"), None);
    // It is known by now.
    let entry = known("/my-company", EU1);
    assert_eq!(given(&cold, brought(&cold.0, &value), "/my-company/y", entry, EU1), None);
    // Those with another secret or another protocol cannot read it, nor can anybody else.
    assert_eq!(owner(&fleet("buffering", "0123456789abcdeg"), &value, "/my-company"), None);
    assert!(brought(&cookies("learning").0, &value).rejected);
    assert!(!value.contains("cell") && !value.contains("company"));
    let entry = known("/my-company", EU1);
    let again = given(&warm, RouteCookie::default(), "/my-company/x", entry, EU1);
    assert_ne!(again, Some(value));
}

#[test]
fn a_hint_expires_with_its_entry_and_a_later_end_is_not_believed() {
    let (cookies, topology) = cookies("learning");
    let seconds = |seconds| in_millis(Duration::from_secs(seconds));
    let expires = Some(Instant::now() + Duration::from_secs(20));
    let known = known("/a", EU0).map(|known| Entry { expires, ..known });
    let value = cookies.news(RouteCookie::default(), "/a", known, "cell_eu0").unwrap();
    let end = brought(&cookies, &value).hints[0].end.unwrap();
    assert!((seconds(10)..=seconds(20)).contains(&end), "{end}");
    // The lifetime of an entry is 60 s there, and clocks may be 10 s apart.
    for (end, is_believed) in [
        (Some(end), true),
        (Some(now()), false),
        (Some(seconds(69)), true),
        (Some(seconds(90)), false),
        (Some(u64::MAX), false),
        (None, false),
    ] {
        let hints = vec![hint("/a", false, "cell_eu0", end)];
        let forged = RouteCookie { hints, rejected: false };
        let owner = cookies.owner(&forged, "/a", &topology);
        assert_eq!(owner.is_some(), is_believed, "{end:?}");
    }
}

#[test]
fn an_invalid_cookie_is_removed_or_overwritten() {
    let fleet = cookies("buffering");
    for forged in
        ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA==", "\u{e4}"]
    {
        let forged = || brought(&fleet.0, forged);
        assert!(forged().rejected);
        assert_eq!(given(&fleet, forged(), "/a", None, US0), Some(String::new()));
        assert_ne!(given(&fleet, forged(), "/a", known("/a", EU0), EU0).unwrap(), "");
    }
}

#[test]
fn a_wrong_hint_is_corrected() {
    let fleet = cookies("buffering");
    let wrong = given(&fleet, RouteCookie::default(), "/a", known("/a", EU0), EU0).unwrap();
    let wrong = || brought(&fleet.0, &wrong);
    // What is known names another cell than the one that responded, so nothing is told.
    for known in [None, known("/a", EU0)] {
        assert_eq!(given(&fleet, wrong(), "/a", known, EU1), Some(String::new()));
    }
    let right = given(&fleet, wrong(), "/a", known("/a", EU1), EU1).unwrap();
    assert_eq!(owner(&fleet, &right, "/a"), Some(EU1));
}

#[test]
fn only_successes_that_are_not_shared_carry_the_cookie() {
    let (cookies, topology) = cookies("buffering");
    let is_given = |status: u16, cache_control: &str| {
        let response = Response::builder().status(status).header(SET_COOKIE, "session=1");
        let mut response = response.header(CACHE_CONTROL, cache_control).body(()).unwrap();
        let (route_cookie, eu0) = (RouteCookie::default(), CellIndex::nth(EU0));
        cookies.give(route_cookie, "/a", known("/a", EU0), eu0, &topology, &mut response);
        assert_eq!(response.headers()[SET_COOKIE], "session=1");
        response.headers().get_all(SET_COOKIE).iter().count() == 2
    };
    assert!(![404, 302, 403, 304].iter().any(|status| is_given(*status, "private")));
    for shared in
        ["public", "max-age=5, PUBLIC", "s-maxage=5", "Max-Age = 5", "max-age=0, s-maxage=1"]
    {
        assert!(!is_given(200, shared), "{shared}");
    }
    for own in ["max-age=0, private", "no-cache", "max-age=5, private", "no-store", "max-age=0", ""]
    {
        assert!(is_given(200, own), "{own}");
    }
}

#[test]
fn the_longest_hint_wins_until_it_expires() {
    let hints = [
        hint("/a", true, "exact", None),
        hint("/a/b", false, "over", Some(now())),
        hint("/a/c", false, "long", Some(in_millis(Duration::from_secs(60)))),
        hint("/a", false, "short", None),
    ];
    let cell = |path| about(&hints, path).map(|hint| hint.cell.as_str());
    assert_eq!(cell("/a"), Some("exact"));
    assert_eq!(cell("/a/"), Some("short"));
    assert_eq!(cell("/a/c/d"), Some("long"));
    assert_eq!(cell("/a/b/c"), Some("short"));
    assert_eq!((cell("/ab"), cell("/"), cell("//x")), (None, None, None));
}

#[test]
fn a_full_cookie_fits_and_keeps_the_latest() {
    let fleet = cookies("buffering");
    for filling in ["x".repeat(9), "\"".repeat(200)] {
        let mut value = String::new();
        for number in 0..40 {
            let path = format!("/{filling}-{number}");
            let known = known(&path, EU0);
            value = given(&fleet, brought(&fleet.0, &value), &path, known, EU0).unwrap();
            assert_eq!(owner(&fleet, &value, &path), Some(EU0));
        }
        assert!(brought(&fleet.0, &value).hints.len() <= MOST_HINTS);
    }
    let long = format!("/{}", "x".repeat(LONGEST_PATH));
    assert_eq!(given(&fleet, RouteCookie::default(), &long, known(&long, EU0), EU0), None);
}

#[test]
fn other_cookies_stay_byte_for_byte_and_in_order() {
    let taken = |lines: &[&str]| {
        let mut headers = HeaderMap::new();
        for line in lines {
            let line = line.replace("ours", wire::COOKIE);
            headers.append(COOKIE, HeaderValue::try_from(line).unwrap());
        }
        let values = take_values(&mut headers);
        let left: Vec<_> = headers.get_all(COOKIE).iter().collect();
        let left = left.iter().map(|line| line.to_str().unwrap().replace(wire::COOKIE, "ours"));
        (values.len(), left.collect::<Vec<_>>())
    };
    for (line, count, left) in [
        ("a=1; ours=x; b=2", 1, "a=1; b=2"),
        ("a=1;  b=\"2 3\"; ours=x; ours2=y; Ours=z", 1, "a=1;  b=\"2 3\"; ours2=y; Ours=z"),
        ("a=ours=x;ours=x; ours = y", 2, "a=ours=x"),
        ("a=1 ;; ours", 0, "a=1 ;; ours"),
    ] {
        assert_eq!(taken(&[line]), (count, vec![left.to_owned()]), "{line}");
    }
    let (count, left) = taken(&["a=1", "ours=x; ", "b=2; ours="]);
    assert_eq!((count, left), (2, vec!["a=1".to_owned(), "b=2".to_owned()]));
}
