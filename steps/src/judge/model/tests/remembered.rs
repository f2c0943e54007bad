//! What a router may remember, and must not.

use super::*;

/// A first visit that must not be remembered, then one of the same path that goes straight to a
/// cell.
#[track_caller]
fn buffering(first: &[(&str, Reply)], cell: &str, expected: &[&str]) {
    let mut story = Story::buffering();
    story.installation.places.clear();
    story.visit("/acme/a", first);
    story.visit("/acme/a", &[(cell, plain("a"))]);
    story.violates(expected);
}

#[test]
fn buffering_remembers_only_what_is_announced() {
    let hops = |reply: Reply| [("cell_eu0", bounce("Cell US1")), ("cell_us1", reply)];
    buffering(&hops(page("/acme/")), "cell_us1", &[]);
    buffering(&hops(plain("page")), "cell_us1", &["CA-04"]);
    buffering(&hops(page("/")), "cell_us1", &["Z-65"]);
    buffering(&hops(page("/other/")), "cell_us1", &["BF-11"]);
    let malformed = plain("page").with("X-Gitlab-Cell-Cache", "path_prefix=/acme/");
    buffering(&hops(malformed), "cell_us1", &["Z-36"]);
    let both = bounce("Cell EU0").with("X-Gitlab-Cell-Cache", "{path_prefix:/acme/}");
    let twice = [("cell_eu1", bounce("Cell US1")), ("cell_us1", both), ("cell_eu0", plain("x"))];
    buffering(&twice, "cell_us1", &["Z-06"]);
    let silent = [
        ("cell_eu1", bounce("Cell US1")),
        ("cell_us1", bounce("Cell EU0")),
        ("cell_eu0", plain("x")),
    ];
    buffering(&silent, "cell_us1", &["CA-18"]);
}

#[test]
fn a_prefix_that_does_not_cover_its_request_is_not_remembered() {
    for (announced, expected) in [("/other/", &["Z-07"][..]), ("/acme/", &["CA-06"])] {
        let mut story = Story::buffering();
        story.visit("/acme/a", &[("cell_eu0", bounce("Cell US1")), ("cell_us1", page(announced))]);
        story.visit("/other/b", &[("cell_us1", plain("b"))]);
        story.violates(expected);
    }
}

#[test]
fn learning_remembers_only_owners() {
    for reply in [status(404), status(500), owner("/", "cell_eu0"), owner("/x", "cell_us9")] {
        let mut story = Story::learning();
        story.ask_and_visit("/x/a", &[("cell_eu0", reply.clone())], &[]);
        let first = judge(&story.installation, &story.trace).len();
        story.visit("/x/a", &[("cell_eu0", status(404))]);
        let found = judge(&story.installation, &story.trace);
        let expected = match reply.0 {
            404 => "Z-34",
            500 => "Z-14",
            _ if reply.2.contains("us9") => "Z-02",
            _ => "Z-65",
        };
        assert_eq!(found[first..].first().map(|it| it.requirement), Some(expected), "{found:?}");
    }
}

/// A `POST` breaks off or is refused, and a cell reads its pre-flight only then: what that teaches
/// counts, and is not held against the next request.
#[test]
fn a_late_pre_flight_teaches_and_accuses_nobody() {
    let refused = || {
        let mut story = Story::learning();
        let text = "POST /acme/a HTTP/1.1\nTransfer-Encoding: chunked\n\n32\nhello".to_owned();
        let person = crate::action::Person::visitor();
        story.trace.actions.push(Action::RawBytes { person, text, half_close: true });
        let user = story.sends("POST", "/acme/a");
        story.gets(user, &status(400));
        (story, user)
    };
    let (mut story, user) = refused();
    let hop = story.asks(user, "cell_eu0");
    story.says(hop, &owner("/acme", "cell_us1"));
    story.visit("/acme/a", &[("cell_us1", plain("a"))]);
    story.is_permitted();
    // The next request is under way when the cell reads it.
    let (mut story, user) = refused();
    let next = story.sends("GET", "/acme/a");
    let hop = story.asks(user, "cell_eu0");
    story.says(hop, &owner("/acme", "cell_us1"));
    story.plays(next, &[("cell_eu1", owner("/acme", "cell_us1"))], &[("cell_us1", plain("a"))]);
    story.is_permitted();
}

#[test]
fn an_entry_ends_at_a_segment_and_an_exact_one_covers_one_path() {
    for (reply, expected) in
        [(owner("/acme", "cell_us1"), "CA-07"), (exactly("/acme/a", "cell_us1"), "LN-06")]
    {
        let mut story = Story::learning();
        story.ask_and_visit("/acme/a", &[("cell_eu0", reply)], &[("cell_us1", plain("a"))]);
        story.visit("/acme-2/b", &[("cell_us1", status(404))]);
        story.violates(&[expected]);
    }
}

#[test]
fn an_entry_is_used_for_one_lifetime_at_most() {
    for (ms, expected) in [(100, &[][..]), (60_000, &[]), (60_100, &["LN-13"])] {
        let mut story = Story::learning();
        let asked = [("cell_eu1", owner("/acme", "cell_us1"))];
        story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
        story.passes(ms);
        story.visit("/acme/a", &[("cell_us1", plain("a"))]);
        story.violates(expected);
    }
}

#[test]
fn buffering_names_no_lifetime() {
    for cell in ["cell_us1", "cell_eu0"] {
        let mut story = Story::buffering();
        story.installation.places.clear();
        story.visit("/acme/a", &to_acme());
        story.passes(60_100);
        story.visit("/acme/a", &[(cell, plain("a"))]);
        story.is_permitted();
    }
}

#[test]
fn longer_and_later_entries_decide() {
    let mut story = Story::buffering();
    story.installation.places.clear();
    let to = |cell: &str| bounce(&cell.parse::<CellId>().unwrap().name());
    story.visit("/a/b", &[("cell_eu0", to("cell_us0")), ("cell_us0", page("/a/"))]);
    story.visit("/a/b/c", &[("cell_us0", to("cell_us1")), ("cell_us1", page("/a/b/"))]);
    story.visit("/a/b/d", &[("cell_us1", page("/a/b/"))]);
    story.is_permitted();
    story.visit("/a/b/e", &[("cell_us0", plain("e"))]);
    story.violates(&["CA-10"]);

    let mut story = Story::learning();
    story.installation.places.clear();
    story.installation.ttl = Duration::from_millis(500);
    for (cell, pause) in [("cell_us0", 600), ("cell_us1", 0)] {
        story.ask_and_visit("/a/b", &[("cell_eu0", owner("/a", cell))], &[(cell, plain("b"))]);
        story.passes(pause);
    }
    story.visit("/a/b", &[("cell_us0", plain("b"))]);
    story.violates(&["Z-38"]);
}

/// A learning router that knows `/a` of Cell US0 and something below it of Cell US1.
fn nested(inner: &Reply) -> Story {
    let mut story = Story::learning();
    story.installation.places.clear();
    let visits =
        [("/a/x", owner("/a", "cell_us0"), "cell_us0"), ("/a/b", inner.clone(), "cell_us1")];
    // The outer one is learned first, so the inner one is asked about in spite of it.
    for (path, reply, cell) in visits.into_iter().rev() {
        story.ask_and_visit(path, &[("cell_eu0", reply)], &[(cell, plain("a"))]);
    }
    story
}

#[test]
fn a_certain_entry_overrules_shorter_ones() {
    for (inner, expected) in
        [(owner("/a/b", "cell_us1"), "CA-10"), (exactly("/a/b", "cell_us1"), "Z-38")]
    {
        let mut story = nested(&inner);
        story.visit("/a/b", &[("cell_us1", plain("b"))]);
        story.is_permitted();
        story.visit("/a/b", &[("cell_us0", status(404))]);
        story.violates(&[expected]);
    }
    // An entry that may have been dropped overrules no other entry.
    let mut story = nested(&owner("/a/b", "cell_us1"));
    story.visit("/a/b/c", &[("cell_us1", status(404))]);
    story.visit("/a/b", &[("cell_us0", status(404))]);
    story.is_permitted();
    // A router may tell methods apart.
    let mut story = nested(&owner("/a/b", "cell_us1"));
    story.exchange("POST", "/a/b", &[], &[("cell_us0", status(404))]);
    story.is_permitted();
}

#[test]
fn an_entry_whose_cell_cannot_be_reached_decides_nothing() {
    let nested = || {
        let mut story = Story::buffering();
        story.installation.places.clear();
        let to = |cell: &str| bounce(&cell.parse::<CellId>().unwrap().name());
        story.visit("/a/x", &[("cell_eu0", to("cell_us0")), ("cell_us0", page("/a/"))]);
        story.visit("/a/b/x", &[("cell_us0", to("cell_us1")), ("cell_us1", page("/a/b/"))]);
        story
    };
    let mut story = nested();
    story.visit("/a/b/y", &[("cell_eu1", plain("y"))]);
    story.violates(&["RT-09"]);
    let mut story = nested();
    story.goes_down(CellId::us(1));
    for cell in ["cell_eu1", "cell_us0"] {
        story.visit("/a/b/y", &[(cell, plain("y"))]);
    }
    story.is_permitted();
}

#[test]
fn a_full_cache_may_forget() {
    let mut story = Story::buffering();
    story.installation.places.clear();
    story.installation.max_entries = 3;
    story.visit("/acme/a", &to_acme());
    story.visit("/acme/b", &[("cell_eu1", plain("b"))]);
    story.is_permitted();
}

#[test]
fn what_contradicts_an_entry_may_end_it() {
    let mut story = Story::learning();
    let asked = [("cell_eu1", owner("/acme", "cell_us1"))];
    story.ask_and_visit("/acme/a", &asked, &[("cell_us1", status(404))]);
    story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
    story.is_permitted();
}

#[test]
fn a_new_process_may_know_nothing() {
    let mut story = Story::learning();
    let asked = [("cell_eu1", owner("/acme", "cell_us1"))];
    story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
    story.step += 1;
    story.installation.absences.push((Region::eu(), Span { from: story.step, to: story.step }));
    story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
    story.is_permitted();
}

#[test]
fn another_spelling_may_end_an_entry_or_leave_it() {
    for cell in ["cell_us1", "cell_eu0"] {
        let mut story = Story::buffering();
        story.installation.places.clear();
        story.visit("/acme/a", &to_acme());
        let moved = [("cell_us1", bounce("Cell EU0")), ("cell_eu0", page("/acme/"))];
        story.visit("//acme/a", &moved);
        story.visit("/acme/a", &[(cell, plain("a"))]);
        story.is_permitted();
    }
}

#[test]
fn what_was_taught_while_a_404_was_on_its_way_may_end_with_it() {
    let mut story = Story::buffering();
    let owners = to_acme();
    story.visit("/acme", &owners);
    let late = story.sends("GET", "/acme/late");
    let hop = story.reaches(late, "cell_us1");
    story.visit("/acme/a", &owners[1..]);
    story.says(hop, &status(404));
    story.gets(late, &status(404));
    story.visit("/acme/b", &owners);
    story.is_permitted();
}

#[test]
fn an_upload_that_is_refused_at_once_may_end_the_entry() {
    let mut story = Story::buffering();
    let owners = to_acme();
    story.visit("/acme", &owners);
    let upload = story.sends("PUT", "/acme/a");
    story.trace.users[upload].body = plain(&"x".repeat(101)).body();
    story.gets(upload, &status(413));
    story.visit("/acme/b", &owners);
    story.is_permitted();
}
