//! One list of requests on which each mutant differs from the base. Owners are outside the router's
//! region and its cells are not distinguished, so that the base's record is always the same.

use broken_routers::{Protocol, degenerate, mutants};

use crate::hostile;
use crate::support::{Fleet, LIMIT, Router};

/// These need more than sequential requests: `special` or `mutants` has them. Those that need
/// hostile bytes are in `hostile`. Those that show only by chance or over time are left to the
/// suite: a third cell that is never picked, a missing or short delay, the age of an entry. No
/// place moves here and no cell names a source of its own, so those that need that are left to the
/// suite as well.
const ELSEWHERE: &[&str] = &[
    "corrects-an-entry-once",
    "crosses-learn-responses",
    "drops-the-body-of-the-moved",
    "keeps-a-memo-of-paths",
    "knows-two-sources-only",
    "takes-no-prefix-for-every-path",
    "prefers-the-first-cell",
    "drops-private-tokens",
    "drops-fields-of-scripts",
    "drops-fields-of-registries",
    "decompresses-requests",
    "decompresses-responses",
    "marks-tags-of-coded-content",
    "zeroes-lengths-of-head",
    "joins-cookie-lines-by-commas",
    "drops-lengths-of-zero",
    "drops-authorization-at-another-origin",
    "answers-options-itself",
    "refuses-unknown-methods",
    "never-sends-100",
    "resends-by-idempotency-key",
    "resends-by-idempotency-key-too",
    "outer-entries-keep-inner-ones-alive",
    "always-asks-the-first-cell",
    "asks-by-hash-of-the-path",
    "asks-by-hash-of-the-user",
    "sticks-to-one-cell",
    "always-pre-flights-the-first-cell",
    "pre-flights-by-hash-of-the-path",
    "pre-flights-by-hash-of-the-user",
    "pre-flights-one-cell",
    "builds-ids-from-names",
    "signs-in-where-it-asks",
    "wants-its-pages-fixed",
    "remembers-the-root",
    "remembers-the-dashboard",
    "landing-pages-stick",
    "remembers-graphql",
    "refuses-when-full",
    "needs-two-cells",
    "one-limit-for-all-cells",
    "keeps-places-of-users-who-left",
    "closes-connections-of-others",
    "abandons-those-who-wait",
    "one-body-for-all-requests",
    "gives-the-next-user-the-cookie",
    "gives-the-next-user-the-credentials",
    "gives-the-next-user-the-query",
    "gives-the-next-user-the-body",
    "counts-bodies-of-a-connection-together",
    "times-whole-uploads",
    "times-whole-downloads",
    "never-forgets",
    "serves-stale-once",
    "ttl-in-seconds",
    "use-prolongs-entries",
    "keeps-routes-on-disk",
    "leaves-its-lock-file",
    "wants-to-be-the-only-one",
    "never-listens",
    "listens-elsewhere",
    "ignores-sigterm",
    "refuses-unknown-topology-members",
    "buffers-the-body",
    "one-slot-for-all-requests",
    "refuses-while-learning",
    "joins-pre-flights-by-top-level",
    // The cells of this list do not record what is not HTTP; the suite's journal does.
    "pings-cells-ahead-of-ranges",
    // These need cells with unusual names or responses. Comparisons have unit tests (`alike`,
    // `patterns`, `by_hand`), and the suite's own test of mutants has such cells.
    "takes-prefixes-for-expressions",
    "takes-learnt-paths-for-expressions",
    "takes-prefixes-for-globs",
    "takes-learnt-paths-for-globs",
    "compares-64-bytes-of-prefixes",
    "compares-64-bytes-of-learnt-paths",
    "compares-64-bytes-of-exact-paths",
    "compares-255-bytes-of-prefixes",
    "compares-255-bytes-of-learnt-paths",
    "takes-exact-paths-for-expressions",
    "needs-the-slash-of-a-prefix",
    "cannot-use-paths-that-end-in-a-slash",
    "knows-cells-by-how-they-begin",
    "knows-ids-by-how-they-begin",
    "takes-the-first-cell-that-begins-alike",
    "takes-the-first-id-that-begins-alike",
    "knows-cells-by-their-last-digit",
    "knows-ids-by-their-last-digit",
    "compares-eight-bytes-of-cells",
    "compares-eight-bytes-of-ids",
    "takes-regions-that-begin-alike",
    "reads-the-first-header-member-only",
    "bounces-on-every-redirect",
    "takes-fields-that-begin-alike",
    "folds-letters-of-learn-members",
    "finds-learn-members-by-pattern",
    "wants-learn-responses-without-blanks",
    "keeps-escapes-of-learn-responses",
    "takes-client-errors-for-nobody",
    "follows-redirects-of-pre-flights",
    "knows-chunked-in-lower-case",
    "knows-chunked-of-cells-in-lower-case",
    "knows-100-continue-in-lower-case",
    "knows-upgrade-in-one-spelling",
    "turns-waiters-away",
    "leaves-out-the-third-cell",
    "never-pre-flights-the-third-cell",
    "claims-a-delay-and-has-none",
    "adds-50-ms-to-warm-requests",
    "counts-from-the-question",
    // These need cells with other statuses and fields, or more requests: the suite's own test of
    // mutants has such cells.
    "never-evicts",
    "learns-from-200-only",
    "learns-from-bodies-only",
    "learns-after-bounces-only",
    "learns-after-one-bounce-only",
    "heeds-the-caching-of-pages",
    "remembers-per-token",
    "forgets-what-is-not-repeated",
    "remembers-refusals",
    "learns-from-users",
    "routes-by-x-original-url",
    "reads-pages-as-learn-responses",
    "believes-the-cell-in-cache-fields",
    "learns-from-redirect-fields",
    "remembers-cells-that-say-too-much",
    "keeps-200-only",
    "keeps-what-has-a-body",
    "heeds-no-store-of-learn-responses",
    "any-lesson-renews-all",
    "max-age-prolongs-entries",
    "one-entry-per-path",
    "learns-from-pages-of-json",
    "believes-cache-fields-of-learn-responses",
    "believes-redirect-fields-of-learn-responses",
    "passes-cookies-of-pre-flights-on",
    "takes-every-2xx-for-a-learn-response",
    "waits-for-dead-owners",
    "keeps-narrower-entries",
    "keeps-the-entry-of-an-upload",
    // These need fields, bytes and connections that no ordinary user has.
    "passes-underscored-names",
    "forwards-the-last-hop",
    "keeps-max-forwards",
    "echoes-traces",
    "takes-stray-bytes-for-responses",
    "passes-links-to-cells",
    "drops-cdn-loop",
    "keeps-the-first-host",
    "drops-earlier-via",
    "reads-endless-chunk-extensions",
    "limits-chunk-extensions-one-by-one",
    "serves-the-rest-of-refused-requests",
    "serves-the-rest-of-its-own-responses",
    "forgets-bodies-that-it-did-not-ask-for",
    "gives-up-paused-bodies",
    "drops-fields-beyond-ninety",
    "serves-learn-when-escaped-twice",
    "serves-learn-with-parameters",
    "serves-learn-with-backslashes",
    "serves-learn-with-control-characters",
];

/// Head, field lines, body.
type Request<'a> = (&'a str, &'a str, &'a str);

const REQUESTS: &[Request<'static>] = &[
    ("GET /", "", ""),
    ("GET /dashboard", "", ""),
    ("GET /admin", "", ""),
    (
        "GET /my-company/x?a=%2F&b",
        "X-Extra: 1\r\nX-Conformance-Id: 1\r\nX-Gitlab-Cell-Redirect: {cell:Cell US1}\r\n",
        "",
    ),
    ("GET /my-company/y", "Cookie: eu_a=1; a=2\r\n", ""),
    ("GET /my-company-2/x", "", ""),
    ("POST /my-company/x", "Content-Type: text/plain\r\n", "hello"),
    ("DELETE /gitlab-org/x", "", ""),
    (
        "POST /group/p1?q",
        "Content-Type: application/x-www-form-urlencoded\r\nAccept: a/b\r\n",
        "b=1+2&a=%2B",
    ),
    ("GET /group/p2", "", ""),
    ("GET /group/p1", "", ""),
    ("PUT /organizations/a/x", "", "hello"),
    ("GET /organizations/b/x", "", ""),
    ("GET /admin/cells/cellus0/x", "", ""),
    ("GET /admin/cells/cellus1/x", "", ""),
    ("GET /users/sign_in?redirect=%2Fa%20b", "", ""),
    ("POST /users/sign_in?redirect=%2Fa", "", "user=a"),
    ("GET /my-company/z", "", ""),
    ("GET /my-company/z", "", ""),
    ("GET /long/er/x", "", ""),
    ("GET /long/x", "", ""),
    ("GET /long/er/y", "", ""),
    ("GET /foreign/x", "", ""),
    ("GET /elsewhere/x", "", ""),
    ("GET /rooted/x", "", ""),
    ("GET /api/organizations/a/graphql", "", ""),
    ("GET /falsy/x", "", ""),
    ("GET /falsy/y", "", ""),
    ("GET /-/profile", "", ""),
    ("GET /-/profile?x", "Range: bytes=0-1\r\n", ""),
    ("GET /-/profile/", "If-Modified-Since: Sat, 01 Jan 2000 00:00:00 GMT\r\n", ""),
    ("GET /ex/only", "Sec-Purpose: prefetch\r\n", ""),
    ("GET /ex/x", "", ""),
    ("GET /ex/only", "", ""),
    ("GET /api/v4/projects/8", "", ""),
    ("GET /api/graphql", "", ""),
    ("POST /gone/x", "", "hello"),
    ("GET /nobody/x", "", ""),
    ("GET /nobody/x", "", ""),
    ("GET /cut/x", "", ""),
    ("GET /down/x", "", ""),
    ("GET /login", "", ""),
    ("GET /status", "", ""),
    ("GET /blanks/x", "", ""),
    ("GET /members/x", "", ""),
    ("GET /two-lines/x", "", ""),
    ("GET /malformed/x", "", ""),
    ("GET /nowhere/x", "", ""),
    ("GET /loop/x", "", ""),
    ("GET /twice/x", "", ""),
    ("GET /believe/x", "", ""),
    ("GET /believe/x", "", ""),
    ("GET /bad-cache/x", "", ""),
    ("GET /bad-cache/x", "", ""),
    ("GET /untold/x", "", ""),
    ("GET /untold/x", "", ""),
    ("GET /!odd~/x", "", ""),
    ("GET /sp/a%2fb//C/./+d&e/?", "", ""),
    ("GET /sp2/a%2fb+c&d/", "", ""),
    ("GET /moving/a", "", ""),
    ("GET /move", "", ""),
    ("GET /moving/b", "", ""),
    ("GET /moving/c", "", ""),
    ("GET /search/autocomplete?term=a", "", ""),
    ("GET /search?search=a", "X-Twice: 1\r\nX-Twice: 2\r\n", ""),
    ("GET /search?search=b", "X-Spaced: a  b\r\n", ""),
    ("GET /wrong-type/x", "", ""),
    ("GET /My-Company/x", "", ""),
    ("GET /ym-company/x", "", ""),
    ("GET /my-company;v=1/x", "", ""),
    ("GET /my-company%2Fx", "", ""),
    ("GET /-/Profile", "", ""),
    ("GET /-/profile;v=1", "", ""),
    ("GET /-/profile?", "", ""),
    ("GET /nobody/q?a=?b", "", ""),
    ("GET /my-company/f", "X-GITLAB-CELL-CACHE: 1\r\n", ""),
    ("GET /my-company/f", "Connection: x-LISTED\r\nX-Listed: 1\r\n", ""),
    ("GET /my-company/f", "Connection: X-Other\r\nConnection: X-Listed\r\nX-Listed: 1\r\n", ""),
    ("GET /my-company/f", "Connection: X-Other,,X-Listed\r\nX-Listed: 1\r\n", ""),
    ("GET /my-company/f", "Connection: X-Other,\tX-Listed\r\nX-Listed: 1\r\n", ""),
    ("GET /api/v4/internal/cells/%6Cearn?method=GET&path_info=/a", "", ""),
    ("GET /api/v4/internal//cells/learn?method=GET&path_info=/a", "", ""),
    ("GET /api/v4/internal/./cells/learn?method=GET&path_info=/a", "", ""),
    ("GET /api/v4/internal/cells/learn/?method=GET&path_info=/a", "", ""),
    ("GET /api/v4/internal/cells/learners", "", ""),
    ("GET /x/api/v4/internal/cells/learn", "", ""),
    ("GET /my-company/last", "", ""),
];

/// What the user and the cells received for one request.
type Record = (String, Vec<String>);

/// Runs the list; ends at the first record that differs from the expected one.
fn run(name: &str, fleet: &Fleet, expected: Option<&[Record]>) -> Vec<Record> {
    fleet.reset();
    let (mut router, _directory) = Router::start(name, fleet);
    assert!(router.ready(LIMIT), "{name}");
    let big = "x".repeat(100_000);
    let mut records = Vec::new();
    let all = REQUESTS.iter().copied().chain([("POST /big/x", "", big.as_str())]);
    for (at, (head, fields, body)) in all.enumerate() {
        let response = tidy(&router.ask_with(head, fields, body));
        records.push((format!("{head}: {response}"), fleet.read()));
        if expected.is_some_and(|expected| expected[at] != records[at]) {
            return records;
        }
    }
    assert!(router.stops_on_sigterm(LIMIT), "{name}");
    records.push(("afterwards".to_owned(), fleet.read()));
    records
}

/// The response without its date and order of fields; the cells of the region are not
/// distinguished.
fn tidy(response: &str) -> String {
    let alike = response.replace("cell_eu0", "cell_eu").replace("cell_eu1", "cell_eu");
    let (head, body) = alike.split_once("\r\n\r\n").unwrap_or((&alike, ""));
    let mut lines: Vec<&str> = head.lines().filter(|line| !line.starts_with("date:")).collect();
    let after_status = lines.len().min(1);
    lines[after_status..].sort_unstable();
    format!("{} | {body}", lines.join(" | "))
}

fn each_mutant_shows(protocol: &'static str) {
    let fleet = Fleet::start(protocol);
    let right = run("plain", &fleet, None);
    for _ in 0..3 {
        let again = run("plain", &fleet, Some(&right));
        assert_eq!(again.last(), right.get(again.len() - 1));
    }
    let wanted = Protocol::parse(protocol).unwrap();
    let hostile = hostile::names();
    let all =
        mutants().iter().chain(degenerate()).filter(|mutant| mutant.protocols.contain(wanted));
    let alive =
        all.filter(|mutant| !ELSEWHERE.contains(&mutant.name) && !hostile.contains(mutant.name));
    let hidden: Vec<&str> = alive
        .map(|mutant| mutant.name)
        .filter(|name| run(name, &fleet, Some(&right)) == right)
        .collect();
    assert_eq!(hidden, Vec::<&str>::new());
}

#[test]
fn each_mutant_differs_from_the_base_under_buffering() {
    each_mutant_shows("buffering");
}

#[test]
fn each_mutant_differs_from_the_base_under_learning() {
    each_mutant_shows("learning");
}

#[test]
fn exceptions_name_existing_mutants() {
    for name in ELSEWHERE {
        assert!(mutants().iter().any(|mutant| mutant.name == *name), "{name}");
    }
}
