//! What clients of GitLab send beside a target: fields, methods that wait, several users at once.

use super::{Scene, Stand, Story};
use crate::action::{Action, Flow, Person, RequestKind, Route};
use crate::explore::world::{Condition, PlaceKind};

/// Fields that a client sends, by its method. A `#` becomes a number, so that each request has
/// values of its own.
const CLIENTS: [(&str, &[(&str, &str)]); 10] = [
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
];

/// Fields of responses that clients read.
const ANSWERS: [&[&str]; 6] = [
    &["X-Total: 3", "X-Next-Page: 2", "Link: </x?page=2>; rel=\"next\"", "RateLimit-Remaining: 59"],
    &["ETag: W/\"page-1\"", "Last-Modified: Mon, 01 Jan 2024 00:00:00 GMT", "Vary: Accept, Origin"],
    &["Content-Security-Policy: default-src 'self'", "X-Frame-Options: SAMEORIGIN"],
    &["Docker-Content-Digest: sha256:0123", "Www-Authenticate: Bearer realm=\"registry\""],
    &["Job-Status: running", "X-Gitlab-Trace-Update-Interval: 3", "Retry-After: 1"],
    &["Access-Control-Allow-Origin: *", "Content-Disposition: attachment; filename=\"a, b.zip\""],
];

impl Story {
    /// A client with fields of its own asks twice, and then somebody without them.
    pub(super) fn client_fields(&mut self, scene: &Scene, stand: &Stand) {
        let base = self.fresh(scene, stand, "client");
        let target = format!("{base}/x");
        let cell = scene.pick(2, &self.world.cells).clone();
        self.place(&base, PlaceKind::Public, cell.clone());
        let answer = scene.pick(1, &ANSWERS).join("\n");
        self.world.conditions.push(Condition::Sets(cell, target.clone(), answer));
        let (method, fields) = *scene.pick(3, &CLIENTS);
        for number in 1..=2 {
            let own = |(name, value): &(&str, &str)| {
                ((*name).to_owned(), value.replace('#', &number.to_string()))
            };
            let request = RequestKind::Message {
                method: method.to_owned(),
                target: target.clone(),
                fields: fields.iter().map(own).collect(),
                body: if method == "GET" { String::new() } else { format!("number={number}") },
            };
            self.send(&stand.person, request, Route::Default);
        }
        self.send(&Person::visitor(), RequestKind::Target { target }, Route::Default);
    }

    /// A body that is sent when the router asks for it.
    pub(super) fn expect_continue(&mut self, scene: &Scene, stand: &Stand) {
        let method = (*scene.pick(3, &["POST", "PUT", "PATCH"])).to_owned();
        let target = stand.target.clone();
        let flow = Flow::AfterContinue { method, target, length: 300 };
        self.actions.push(Action::Flow { person: stand.person.clone(), flow });
    }
}
