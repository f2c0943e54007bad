//! Cookies from one router to another.

use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::cache::{Entry, Rule};
use crate::config::tests::{document, topology_of, with_variable};

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
    assert_eq!(attributes, " Path=/; Secure; HttpOnly; SameSite=Lax");
    assert!(line.len() - attributes.len() < 2048, "{}", line.len());
    Some(value.to_owned())
}

fn owner(fleet: &(Cookies, Topology), value: &str, path: &str) -> Option<usize> {
    let (cookies, topology) = fleet;
    brought(cookies, value).owner(path, topology).map(CellIndex::index)
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
    assert_eq!(brought(&cookies("learning").0, &value), RouteCookie::default());
    assert!(!value.contains("cell") && !value.contains("company"));
    let entry = known("/my-company", EU1);
    let again = given(&warm, RouteCookie::default(), "/my-company/x", entry, EU1);
    assert_ne!(again, Some(value));
}

#[test]
fn a_hint_expires_with_its_entry() {
    let expires = Some(Instant::now() + Duration::from_secs(20));
    let known = known("/a", EU0).map(|known| Entry { expires, ..known });
    let mut cookie = RouteCookie::default();
    cookie.learn("/a", known, "cell_eu0");
    let in_seconds = |seconds| in_millis(Duration::from_secs(seconds));
    let end = cookie.0[0].end.unwrap();
    assert!((in_seconds(10)..=in_seconds(20)).contains(&end), "{end}");
    cookie.0[0].end = Some(in_millis(Duration::ZERO));
    assert_eq!(cookie.owner("/a", &cookies("learning").1), None);
}

#[test]
fn an_invalid_cookie_is_ignored() {
    let fleet = cookies("buffering");
    for forged in
        ["", "x", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAA==", "\u{e4}"]
    {
        assert_eq!(brought(&fleet.0, forged), RouteCookie::default());
    }
}

#[test]
fn a_wrong_hint_is_corrected() {
    let fleet = cookies("buffering");
    let wrong = given(&fleet, RouteCookie::default(), "/a", known("/a", EU0), EU0).unwrap();
    // What is known names another cell than the one that responded, so nothing is told.
    for known in [None, known("/a", EU0)] {
        let empty = given(&fleet, brought(&fleet.0, &wrong), "/a", known, EU1).unwrap();
        assert_eq!(owner(&fleet, &empty, "/a"), None);
    }
    let right = given(&fleet, brought(&fleet.0, &wrong), "/a", known("/a", EU1), EU1).unwrap();
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
    for shared in ["public", "max-age=5", "max-age=0, S-MaxAge=1"] {
        assert!(!is_given(200, shared), "{shared}");
    }
    for own in ["max-age=0, Private, must-revalidate", "no-cache", "no-store"] {
        assert!(is_given(200, own), "{own}");
    }
}

#[test]
fn the_longest_hint_wins_until_it_expires() {
    let cookie = RouteCookie(vec![
        hint("/a", true, "cell_us0", None),
        hint("/a/b", false, "cell_us1", Some(in_millis(Duration::ZERO))),
        hint("/a/c", false, "cell_eu1", Some(in_millis(Duration::from_secs(60)))),
        hint("/a", false, "cell_eu0", None),
    ]);
    let topology = cookies("buffering").1;
    let cell = |path| Some(topology.cell(cookie.owner(path, &topology)?).id.to_string());
    assert_eq!(cell("/a").as_deref(), Some("cell_us0"));
    assert_eq!(cell("/a/").as_deref(), Some("cell_eu0"));
    assert_eq!(cell("/a/c/d").as_deref(), Some("cell_eu1"));
    assert_eq!(cell("/a/b/c").as_deref(), Some("cell_eu0"));
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
    }
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

proptest! {
    #![proptest_config(crate::fuzzing::cases())]

    #[test]
    fn any_cookies_are_read_or_ignored(
        lines in prop::collection::vec(
            prop::collection::vec(
                prop::sample::select(&[
                    wire::COOKIE, "=", ";", " ", "a", "\"", ",", "\t", "%3D", "\u{fc}", "AAAAAAAA",
                ][..]),
                0..12,
            ),
            0..4,
        ),
    ) {
        let (cookies, _) = cookies("learning");
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(COOKIE, HeaderValue::try_from(line.concat()).unwrap());
        }
        prop_assert_eq!(cookies.take(&mut headers), RouteCookie::default());
        let left = headers.clone();
        prop_assert_eq!(take_values(&mut headers), Vec::<Vec<u8>>::new());
        prop_assert_eq!(headers, left);
    }
}
