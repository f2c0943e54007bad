//! Fields of every kind, for messages in which each has a value of its own.

/// The fields of a request. `#` stands for its number.
pub(super) const OF_REQUESTS: &[(&str, &str)] = &[
    ("Accept", "text/html;q=0.#, */*;q=0.1"),
    ("Accept-Encoding", "gzip;q=0.#"),
    ("Accept-Language", "nb;q=0.#"),
    ("Authorization", "Bearer glpat-#"),
    ("Cache-Control", "max-age=#"),
    ("CDN-Loop", "edge-#.example"),
    ("Cookie", "flavor=plain-#; size=#"),
    ("Docker-Distribution-Api-Version", "registry/#.0"),
    ("Idempotency-Key", "key-#"),
    ("If-Match", "\"a-#\""),
    ("If-Modified-Since", "Wed, 2# Oct 2015 07:28:00 GMT"),
    ("Job-Token", "job-#"),
    ("Origin", "https://pages-#.example"),
    ("Pragma", "p-#"),
    ("Private-Token", "glpat-#"),
    ("Range", "bytes=0-#"),
    ("Sec-Purpose", "prefetch;n=#"),
    ("User-Agent", "Example/#.0"),
    ("X-Csrf-Token", "csrf-#"),
    ("X-Field", "of #"),
    ("X-Request-Id", "01JA#"),
    ("X-Requested-With", "XMLHttpRequest#"),
    ("X-Twice", "#, first"),
    ("X-Twice", "#, second"),
];

/// The fields of a response. `#` stands for its number.
pub(super) const OF_RESPONSES: &[(&str, &str)] = &[
    ("Accept-Ranges", "bytes, x-#"),
    ("Cache-Control", "max-age=#, private"),
    ("Content-Disposition", "inline; filename=\"#.zip\""),
    ("Content-Encoding", "x-of-#"),
    ("Content-Language", "nb, x-#"),
    ("Content-Location", "/acme/#"),
    ("Content-Security-Policy", "default-src 'self' #.example"),
    ("Content-Type", "text/plain; of=#"),
    ("Docker-Distribution-Api-Version", "registry/#.0"),
    ("ETag", "\"page-#\""),
    ("Expires", "Mon, 0# Jan 2035 00:00:00 GMT"),
    ("Last-Modified", "Mon, 0# Jan 2024 00:00:00 GMT"),
    ("Location", "/acme/a/#"),
    ("Pragma", "p-#"),
    ("Refresh", "#; url=/a"),
    ("Retry-After", "13#"),
    ("Set-Cookie", "a=#; Path=/"),
    ("Set-Cookie", "b=#; Path=/; HttpOnly"),
    ("Vary", "Accept, X-#"),
    ("WWW-Authenticate", "Basic realm=\"#\""),
    ("X-Gitlab-Last-Update", "5d4#"),
    ("X-Next-Page", "#"),
    ("X-Request-Id", "01JA#"),
    ("X-Runtime", "0.#"),
    ("X-Thrice", "#"),
    ("X-Thrice", "0"),
    ("X-Thrice", "1#"),
    ("X-Total", "3#"),
    ("X-Twice", "#, first"),
    ("X-Twice", "second, #"),
];

/// The fields for which a line `{every field 3}` stands, if it is one.
pub(super) fn every_field(line: &str, every: &[(&str, &str)]) -> Option<Vec<(String, String)>> {
    let number = line.trim().strip_prefix("{every field ")?.strip_suffix('}')?;
    let filled = |(name, value): &(&str, &str)| ((*name).to_owned(), value.replace('#', number));
    Some(every.iter().map(filled).collect())
}
