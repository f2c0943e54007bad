//! What clients of GitLab send in addition to a target: fields, methods that wait, several users at
//! once.

use super::{BODY_LIMIT, Scene, Stand, Story};
use crate::explore::world::{Condition, Hold, PlaceKind};
use conformance_suite::action::{Action, Framing, Person, RequestKind, Route, Until, WorldAction};

/// Fields that a client sends, by its method. A `#` becomes a number, so that each request has its
/// own values.
const CLIENTS: [(&str, &[(&str, &str)]); 14] = [
    (
        "POST",
        &[
            ("Origin", "https://gitlab-#.example"),
            ("Referer", "https://gitlab.example/page?number=#"),
            ("X-CSRF-Token", "csrf-#"),
            ("X-Requested-With", "XMLHttpRequest"),
            ("Sec-Fetch-Site", "same-origin"),
        ],
    ),
    (
        "OPTIONS",
        &[
            ("Origin", "https://pages-#.example"),
            ("Access-Control-Request-Method", "PUT"),
            ("Access-Control-Request-Headers", "private-token"),
        ],
    ),
    ("GET", &[("Private-Token", "glpat-#"), ("Sudo", "user-#"), ("Accept", "application/json")]),
    ("DELETE", &[("Authorization", "Bearer gloas-#"), ("Accept-Language", "de, en;q=0.#")]),
    (
        "GET",
        &[
            ("Git-Protocol", "version=2"),
            ("User-Agent", "git/2.47.#"),
            ("Authorization", "Basic dXNlcjo#"),
            ("Accept-Encoding", "deflate, gzip"),
            ("Pragma", "no-cache"),
        ],
    ),
    (
        "POST",
        &[
            ("Accept", "application/vnd.git-lfs+json"),
            ("Content-Type", "application/vnd.git-lfs+json; charset=utf-8"),
            ("Authorization", "RemoteAuth lfs-#"),
        ],
    ),
    (
        "PATCH",
        &[("Job-Token", "glcbt-#"), ("Content-Range", "0-#"), ("Content-Type", "text/plain")],
    ),
    (
        "PUT",
        &[
            ("Deploy-Token", "gldt-#"),
            ("Docker-Distribution-Api-Version", "registry/2.0"),
            ("Content-Type", "application/octet-stream"),
        ],
    ),
    ("POST", &[("Content-MD5", "c3RhdGU#"), ("Authorization", "Basic dGVycmFmb3Jt#")]),
    (
        "POST",
        &[
            ("X-Gitlab-Event", "Push Hook"),
            ("X-Gitlab-Token", "hook-#"),
            ("Idempotency-Key", "key-#"),
        ],
    ),
    ("GET", &[("If-None-Match", "W/\"etag-#\""), ("Cache-Control", "max-age=#")]),
    ("GET", &MANY),
    ("POST", &MANY),
    ("DELETE", &MANY),
];

/// What a browser says of itself: more fields than other clients have.
const MANY: [(&str, &str); 18] = [
    ("Accept", "text/html,application/xhtml+xml;q=0.#"),
    ("Accept-Language", "de, en;q=0.#"),
    ("DNT", "1"),
    ("Downlink", "1.#"),
    ("ECT", "4g"),
    ("Origin", "https://gitlab-#.example"),
    ("Priority", "u=#, i"),
    ("Referer", "https://gitlab.example/page?number=#"),
    ("RTT", "#00"),
    ("Save-Data", "on"),
    ("Sec-CH-UA", "\"Not A Brand\";v=\"#\""),
    ("Sec-CH-UA-Mobile", "?0"),
    ("Sec-CH-UA-Platform", "\"Linux #\""),
    ("Sec-Fetch-Dest", "document"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-GPC", "1"),
    ("Upgrade-Insecure-Requests", "1"),
    ("User-Agent", "Mozilla/5.0 (X11; Linux x86_64) Number/#"),
];

/// Fields of responses that clients read.
const ANSWERS: [&[&str]; 7] = [
    &["X-Total: 3", "X-Next-Page: 2", "Link: </x?page=2>; rel=\"next\"", "RateLimit-Remaining: 59"],
    &["ETag: W/\"page-1\"", "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Vary: Accept, Origin"],
    &["Content-Security-Policy: default-src 'self'", "X-Frame-Options: SAMEORIGIN"],
    &["Docker-Content-Digest: sha256:0123", "Www-Authenticate: Bearer realm=\"registry\""],
    &["Job-Status: running", "X-Gitlab-Trace-Update-Interval: 3", "Retry-After: 1"],
    &["Access-Control-Allow-Origin: *", "Content-Disposition: attachment; filename=\"a, b.zip\""],
    // As many as the API has on a page of a list.
    &[
        "X-Total: 3",
        "X-Total-Pages: 1",
        "X-Per-Page: 20",
        "X-Page: 1",
        "X-Next-Page: 2",
        "X-Runtime: 0.05",
        "X-Frame-Options: SAMEORIGIN",
        "X-Content-Type-Options: nosniff",
        "Strict-Transport-Security: max-age=63072000",
        "Referrer-Policy: strict-origin-when-cross-origin",
        "RateLimit-Limit: 60",
        "RateLimit-Observed: 1",
        "RateLimit-Remaining: 59",
        "RateLimit-Reset: 1700000000",
        "Vary: Origin",
        "Link: </x?page=2>; rel=\"next\"",
    ],
];

/// Methods other than those that have their own deed: standard ones, registered ones, and one that
/// nobody knows.
const METHODS: [&str; 10] = [
    "OPTIONS",
    "OPTIONS",
    "PATCH",
    "POST",
    "PUT",
    "PROPFIND",
    "QUERY",
    "LINK",
    "FROBNICATE",
    "PURGE",
];

/// Fields that anna alone sends, on a connection that others use as well.
const OWN: [&str; 4] = [
    "Private-Token: glpat-anna",
    "Authorization: Bearer gloas-anna",
    "X-CSRF-Token: csrf-anna",
    "If-None-Match: \"of-anna\"",
];

impl Story {
    /// A client with its own fields asks twice, and then somebody without them.
    pub(super) fn client_fields(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.fresh(scene, stand, "client");
        let target = format!("{base}/{}", scene.pick(4, &["x", "x/y/z", "x/y/z/a/b"]));
        let cell = scene.pick(2, &self.world.cells).clone();
        self.place(&base, PlaceKind::Public, cell.clone());
        let answer = scene.pick(1, &ANSWERS).join("\n");
        self.world.conditions.push(Condition::sets(&cell, &target, &answer));
        let (method, fields) = *scene.pick(3, &CLIENTS);
        for number in 1..=2 {
            let number = number.to_string();
            let values: Vec<_> =
                fields.iter().map(|(_, value)| value.replace('#', &number)).collect();
            let own: Vec<_> =
                fields.iter().zip(&values).map(|((name, _), own)| (*name, &**own)).collect();
            let body = match method {
                "GET" | "OPTIONS" => String::new(),
                _ => format!("number={number}"),
            };
            self.message(stand, method, &target, &own, &body);
        }
        self.send(&Person::visitor(), RequestKind::Target { target }, Route::Default);
    }

    pub(super) fn other_method(&mut self, scene: &Scene, stand: &Stand) {
        let method = *scene.pick(3, &METHODS);
        self.method(stand, method);
    }

    /// A body that is sent when the router asks for it.
    pub(super) fn expect_continue(&mut self, scene: &Scene, stand: &Stand) {
        let method = *scene.pick(3, &["POST", "PUT", "PATCH"]);
        self.body(stand, method, 300, Framing::AfterContinue);
    }

    /// Two people, one of them with a session, and a visitor speak on one connection.
    pub(super) fn share_connection(&mut self, scene: &Scene, stand: &Stand) {
        self.with_session("anna");
        let target = &stand.target;
        let other = &scene.pick(1, &self.world.places).path;
        let own = scene.pick(2, &OWN);
        // Two bodies are longer than the limit, and each is shorter.
        let limited = scene.number(0, 3) == 0;
        if limited {
            self.world.max_body = Some(BODY_LIMIT);
        }
        let body = if limited { "{1500 bytes}" } else { "from" };
        let mut requests = [
            format!("anna sends GET {target}?of=anna\n{own}"),
            format!("visitor sends GET {target}"),
            format!("nina sends POST {other}/shared\nContent-Type: text/plain\n\n{body} nina"),
            format!("visitor sends GET {other}"),
            format!("anna sends PUT {target}\n{own}\n\n{body} anna"),
            format!("visitor sends DELETE {other}"),
        ];
        let all = requests.len();
        requests.rotate_left(scene.number(3, all));
        let count = 2 + scene.number(4, all - 1);
        let text = format!("\n{}\n", requests[..count].join("\n"));
        self.actions.push(Action::Shared { text, pipelined: scene.number(5, 2) == 0 });
    }

    /// Several people send bodies that are under way at once, each to the first cell that it meets.
    pub(super) fn upload_together(&mut self, scene: &Scene) {
        let people = ["anna", "nina", "gabe"];
        let mut held = Vec::new();
        for (number, person) in people.into_iter().take(2 + scene.number(3, 2)).enumerate() {
            let place = &scene.pick(number, &self.world.places).path;
            let target = format!("{place}/held-{}", self.world.holds.len());
            self.world.holds.push(Hold { path: target.clone(), preflight: false });
            let request = RequestKind::Message {
                method: "POST".to_owned(),
                target: target.clone(),
                fields: vec![("X-Upload".to_owned(), person.to_owned())],
                body: format!("from {person} {}", "x".repeat(10 * number)),
            };
            let (person, until) = (Person(person.to_owned()), Until::Arrived);
            self.actions.push(Action::Begin { person, request, times: 1, until });
            held.push(target);
        }
        let first = scene.number(4, held.len());
        held.rotate_left(first);
        // The held visits are released one after the other, or all at once at the end of the
        // journey.
        if scene.number(5, 2) == 0 {
            for path in held {
                self.act(WorldAction::ReleaseHeld { path });
            }
        } else {
            self.act(WorldAction::Release);
        }
    }
}
