//! What each probe sees of the base, and of the mutants and variants of its kind.

use crate::probes::{self as see, Scene};

/// A probe, what the base shows, and what other routers show: `*` is anything else.
pub(crate) type Row = (fn(&Scene) -> String, &'static str, &'static [(&'static str, &'static str)]);

pub(crate) const ROWS: &[Row] = &[
    (
        see::length_and_chunks,
        "400 unseen",
        &[
            ("accepts-length-with-chunks", "200 seen"),
            ("keeps-the-length-beside-chunks", "*"),
            ("lenient-framing", "200 seen"),
        ],
    ),
    (see::coding_with_parameter, "501 unseen", &[("reads-chunks-with-parameters", "200 seen")]),
    (see::nul_byte, "400 unseen", &[("passes-nul-bytes-on", "*")]),
    (
        see::two_lengths,
        "400 unseen",
        &[("accepts-two-lengths", "200 seen"), ("lenient-framing", "200 seen")],
    ),
    (
        see::bare_line_feed,
        "400 unseen",
        &[("accepts-bare-line-feeds", "200 seen"), ("lenient-framing", "200 seen")],
    ),
    (
        see::bare_carriage_return,
        "400 unseen",
        &[("accepts-bare-carriage-returns", "200 seen"), ("lenient-framing", "200 seen")],
    ),
    (
        see::hidden_by_both,
        "400 unseen",
        &[
            ("accepts-length-with-chunks", "200 seen"),
            ("goes-by-the-length-beside-chunks", "*"),
            ("finds-chunked-anywhere", "200 seen"),
            ("lenient-framing", "200 unseen"),
        ],
    ),
    (
        see::hidden_by_another_coding,
        "400 unseen",
        &[("finds-chunked-anywhere", "200 seen"), ("lenient-framing", "400 unseen")],
    ),
    (
        see::hidden_in_a_get,
        "200 unseen",
        &[("ignores-bodies-of-gets", "200 seen"), ("lenient-framing", "200 unseen")],
    ),
    (
        see::hidden_by_two_lengths,
        "400 unseen",
        &[("takes-the-last-length-of-requests", "200 seen"), ("lenient-framing", "400 unseen")],
    ),
    (
        see::after_the_last,
        "200 unseen",
        &[("serves-what-follows-close", "200 seen"), ("spoils-the-last-response", "400 unseen")],
    ),
    (see::zero_byte, "200", &[("refuses-zero-bytes", "400")]),
    (see::blank_before_colon, "400 unseen", &[("accepts-a-blank-before-the-colon", "200 seen")]),
    (
        see::folded_line,
        "400 unseen",
        &[("takes-folded-lines-for-fields", "200 seen"), ("drops-folded-lines", "200 seen")],
    ),
    (see::no_host, "400 unseen", &[("accepts-any-host", "200 seen")]),
    (see::connect, "405 unseen", &[("opens-tunnels", "200 seen")]),
    (
        see::hop_fields,
        "",
        &[
            ("passes-fields-that-connection-names", "x-named"),
            ("passes-connection-on", "connection"),
            ("passes-te-on", "te"),
            ("passes-keep-alive-on", "keep-alive proxy-connection"),
        ],
    ),
    (
        see::hop_fields_of_response,
        " ",
        &[
            ("passes-hop-fields-of-responses", "timeout=5 "),
            ("passes-keep-alive-of-responses", "timeout=5 "),
        ],
    ),
    (
        see::absolute,
        "200 cell_us0 /us0/x?a NAME",
        &[
            ("refuses-absolute-targets", "400"),
            ("cuts-only-the-scheme", "*"),
            ("connects-to-absolute-hosts", "200 stranger /us0/x?a NAME"),
            ("keeps-the-host-beside-the-target", "200 cell_us0 /us0/x?a wrong"),
        ],
    ),
    (
        see::request_lines,
        "b,a,c",
        &[("keeps-the-last-line-of-a-name", "c"), ("reverses-lines-of-a-name", "c,a,b")],
    ),
    (
        see::response_lines,
        "b,a,c",
        &[("keeps-the-first-line-of-responses", "b"), ("sorts-lines-of-responses", "a,b,c")],
    ),
    (
        see::long_head,
        "200 20000 all",
        &[
            ("cuts-long-fields", "200 8192 all"),
            ("drops-late-fields", "200 20000 some"),
            ("fails-on-long-heads", "500 0 some"),
        ],
    ),
    (
        see::public_name,
        "public.example:8080 public.example:8080 http",
        &[
            ("sends-the-cells-host", "*"),
            ("drops-the-port-of-the-host", "public.example public.example http"),
            ("trusts-x-forwarded-host", "public.example:8080 evil http"),
            ("trusts-x-forwarded-proto", "public.example:8080 public.example:8080 https"),
        ],
    ),
    (see::stripping, "public.example:8080", &[("strips-what-users-name", "")]),
    (see::location, "/us0/there?x", &[("passes-a-cells-location-on", "http://127.0")]),
    (
        see::conditions,
        "range if-none-match",
        &[("ignores-ranges", "if-none-match"), ("drops-validators", "range")],
    ),
    (
        see::pipelined,
        "one two",
        &[
            ("responds-out-of-order", "two one"),
            ("drops-pipelined-requests", "one"),
            ("closes-after-each-response", "one"),
        ],
    ),
    (see::old_user, "200 onetwo", &[("sends-chunks-to-old-users", "200 3|one|3|two|0||")]),
    (see::old_user_who_expects, "200", &[("asks-old-users-for-the-body", "100")]),
    (
        see::half_closed,
        "200",
        &[("drops-half-closed-users", "none"), ("takes-half-closed-users-for-gone", "none")],
    ),
    (
        see::chunked_body,
        "200 abcde",
        &[
            ("drops-chunked-bodies", "*"),
            ("drops-chunked-bodies-on-resend", "*"),
            ("sends-chunks-in-chunks", "*"),
        ],
    ),
    (
        see::expecting,
        "asked hello",
        &[("asks-for-bodies-and-drops-them", "*"), ("refuses-expectations", "not asked ")],
    ),
    (
        see::head,
        "200 HEAD empty",
        &[
            ("sends-a-body-to-head", "200 GET body"),
            ("waits-for-bodies-that-do-not-come", "504 HEAD empty"),
        ],
    ),
    (
        see::unchanged,
        "304 5",
        &[("waits-for-bodies-that-do-not-come", "*"), ("turns-304-into-200", "*")],
    ),
    (
        see::no_content,
        "204 0",
        &[("ends-empty-responses-with-a-chunk", "204 5"), ("turns-204-into-200", "200 0")],
    ),
    (see::part, "206", &[("turns-206-into-200", "200")]),
    (see::slow, "200", &[("cuts-long-polls", "504")]),
    (see::response_not_taken, "some", &[("reads-responses-ahead", "all")]),
    (
        see::first_part,
        "early whole",
        &[("gathers-responses-into-blocks", "late whole"), ("stays-one-part-behind", "late whole")],
    ),
    (see::cut_chunks, "cut", &[("ends-cut-chunks-well", "whole")]),
    (
        see::cut_length,
        "cut 1",
        &[
            ("fills-up-cut-responses", "whole 1"),
            ("resends-after-half-an-response", "cut 2"),
            ("resends-gets-after-half-an-response", "cut 2"),
        ],
    ),
    (see::cut_head, "502", &[("takes-cut-heads-for-responses", "200")]),
    (
        see::garbage,
        "HTTP/1.1 502",
        &[
            ("passes-malformed-responses-on", "hello\r\nworld"),
            ("takes-garbage-for-200", "HTTP/1.1 200"),
        ],
    ),
    (see::bad_field, "502", &[("skips-malformed-fields", "200")]),
    (
        see::response_with_two_lengths,
        "502",
        &[("takes-the-first-length", "ok"), ("takes-the-last-length", "okay")],
    ),
    (see::missing_twice, "2", &[("remembers-missing-places", "1")]),
    (see::closed_connection, "200 200 200", &[("keeps-using-closed-connections", "*")]),
    (
        see::reset,
        "502 1 0",
        &[
            ("resends-after-a-reset", "502 2 0"),
            ("resends-posts-after-a-reset", "502 2 0"),
            ("resends-to-another-cell", "*"),
        ],
    ),
    (
        see::reset_of_a_get,
        "502 1 0",
        &[
            ("resends-what-is-idempotent", "502 2 0"),
            ("resends-idempotent-requests", "502 2 0"),
            ("sends-a-get-again", "502 2 0"),
        ],
    ),
    (see::mute, "504 1 0", &[("resends-after-a-timeout", "none 2 0")]),
    (see::unavailable, "503 1 0", &[("resends-when-unavailable", "503 2 0")]),
    (see::warm_visit, "quick", &[("sleeps-on-warm-requests", "slow")]),
    (see::page_twice, "2", &[("keeps-pages-for-each-user", "1"), ("marks-cache-hits", "2HIT")]),
];

pub(crate) const BUFFERING: &[Row] = &[
    (
        see::sizes,
        "200:100000 200:1048576 413:-",
        &[
            ("cuts-bodies-at-the-limit", "200:100000 200:1048576 200:1048576"),
            ("cuts-bodies-for-known-cells", "200:100000 200:1048576 200:1048576"),
            ("refuses-bodies-at-the-limit", "200:100000 413:- 413:-"),
            ("fails-above-the-limit", "200:100000 200:1048576 500:-"),
            ("has-a-limit-of-its-own", "413:- 413:- 413:-"),
        ],
    ),
    (see::cookie_of_the_bounce, "", &[("carries-cookies-of-the-bounce", "stray=1")]),
];

pub(crate) const LEARNING: &[Row] = &[
    (
        see::learn_path,
        "404 404 404",
        &[
            ("serves-learn-to-users", "200 200 200"),
            ("serves-learn-spelt-otherwise", "404 200 200"),
        ],
    ),
    (
        see::pre_flight_fields,
        "",
        &[
            ("sends-cookies-with-the-pre-flight", "cookie"),
            ("sends-tokens-with-the-pre-flight", "authorization"),
            ("sends-all-fields-with-the-pre-flight", "cookie authorization x-other"),
        ],
    ),
    (see::one_failed_pre_flight, "all well", &[]),
    (
        see::failed_pre_flights,
        "502 unseen",
        &[("asks-without-end", "none unseen"), ("takes-errors-for-nobody", "404 seen")],
    ),
    (see::half_pre_flight, "502", &[("takes-half-a-learn-response", "200")]),
    (
        see::second_visit,
        "2",
        &[("remembers-failed-cells", "0"), ("remembers-failed-pre-flights", "0")],
    ),
    (see::upload_not_taken, "some", &[("reads-uploads-ahead", "all")]),
];

/// With a short response timeout, so that two silent cells time out soon.
pub(crate) const HASTY: &[Row] =
    &[(see::mute_pre_flight, "504", &[("waits-forever-for-pre-flights", "none")])];

/// With entries that live for less than a slow response takes.
pub(crate) const BRIEF: &[Row] =
    &[(see::life_of_an_entry, "2", &[("counts-life-from-the-response", "1")])];

/// In the region where one cell is down.
pub(crate) const OUTAGE: &[Row] = &[
    (
        see::cold_requests,
        "served at home",
        &[
            ("tries-no-other-cell", "refused at home"),
            ("leaves-the-region-too-soon", "served abroad"),
        ],
    ),
    (
        see::owner_down,
        "502 200 200",
        &[
            ("one-dead-cell-blocks-all", "502 503 503"),
            ("bans-cells-forever", "502 200 502"),
            ("replaces-dead-owners", "*"),
            ("keeps-knocking", "*"),
        ],
    ),
];

pub(crate) const COOKIES: &[Row] = &[
    (
        see::cookie_attributes,
        "HttpOnly Secure SameSite=Lax",
        &[
            ("cookies-without-httponly", "Secure SameSite=Lax"),
            ("cookies-without-secure", "HttpOnly SameSite=Lax"),
            ("cookies-without-samesite", "HttpOnly Secure"),
            ("cookies-name-the-cell", "HttpOnly Secure SameSite=Lax named"),
        ],
    ),
    (
        see::forged_cookie,
        "true false / true false",
        &[
            ("fails-on-forged-cookies", "false false / true false"),
            ("believes-forged-cookies", "*"),
            ("cookies-teach-everybody", "*"),
        ],
    ),
    (see::cookie_with_host, "cells", &[("cookies-name-a-host", "stranger")]),
];

pub(crate) const DELAY: &[Row] =
    &[(see::not_found, "quick", &[("delays-404s-far-longer", "slow")])];

pub(crate) const UPGRADE: &[Row] = &[(
    see::websocket,
    "101 ping pong",
    &[
        ("drops-upgrades", "426"),
        ("drops-upgrades-on-resend", "426"),
        ("takes-the-first-cell-for-websockets", "404"),
        ("takes-frames-for-requests", "101"),
        ("closes-websockets-soon", "101 ping"),
    ],
)];
