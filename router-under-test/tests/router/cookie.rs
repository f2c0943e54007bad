//! The second-level cache in the user's cookie (CA-15).

use serde_json::json;

use crate::free_address::free_address;
use crate::support::*;

const KEY: (&str, &str) = ("CELLS_COOKIE_KEY", "only routers know this");

#[test]
fn a_cookie_saves_a_cold_router_the_way_to_the_owner() {
    for protocol in ["buffering", "learning"] {
        let owner = cell(|request| match request.url.path() {
            "/acme/private" => wiremock::ResponseTemplate::new(404),
            _ => ok("owner").insert_header("X-Gitlab-Cell-Cache", "{path_prefix:/acme/}"),
        });
        let other = cell(|request| match is_preflight(request) {
            true => learnt("/acme", "cell_us0"),
            false => redirect("Cell US0"),
        });
        let cells = [("eu0", *other.address()), ("us0", *owner.address())];
        let mut topology = topology(protocol, &cells);
        topology["capabilities"]["cookie_cache"] = json!(true);
        let warm = Router::start(&topology, &[KEY]);
        assert_eq!(warm.user().get("/acme/private").field("set-cookie"), None);
        let response = warm.user().get("/acme/things");
        let given = response.field("set-cookie").and_then(|line| line.split(';').next()).unwrap();
        assert!(given.starts_with("__Host-route="), "{given}");
        let before = requests(&other).len();

        topology["listen"] = json!(free_address());
        let cold = Router::start(&topology, &[KEY]);
        let with_cookie = |target: &str| {
            let cookies = format!("session=1; {given}; theme=\"dark\"");
            let head = format!("GET {target} HTTP/1.1\r\nHost: h\r\nCookie: {cookies}");
            cold.user().ask(head + "\r\n\r\n")
        };
        let response = with_cookie("/acme/others");
        assert_eq!((response.text(), response.field("set-cookie")), ("owner", None), "{protocol}");
        assert_eq!(requests(&other).len(), before, "{protocol}");
        // It stays at the router, and cells get the others unchanged.
        let cookies = requests(&owner).last().unwrap().headers["cookie"].clone();
        assert_eq!(cookies, "session=1; theme=\"dark\"");
    }
}
