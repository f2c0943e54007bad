//! Where requests and pre-flights go.

use super::*;

/// A warm router of learning.
fn taught() -> Story {
    let mut story = Story::learning();
    story.ask_and_visit(
        "/acme/a",
        &[("cell_eu1", owner("/acme", "cell_us1"))],
        &[("cell_us1", plain("a"))],
    );
    story
}

#[test]
fn buffering_asks_nothing_ahead() {
    warm().is_permitted();
    let mut story = warm();
    story.ask_and_visit("/x", &[("cell_eu0", status(404))], &[("cell_eu0", plain("x"))]);
    story.violates(&["BF-01"]);
}

#[test]
fn a_cold_pick_is_in_the_region_unless_it_is_down() {
    let mut story = Story::buffering();
    story.visit("/acme/a", &[("cell_us1", page("/acme/"))]);
    story.violates(&["BF-11"]);
    let mut story = Story::buffering();
    story.goes_down(CellId::eu(0));
    story.goes_down(CellId::eu(1));
    story.visit("/acme/a", &[("cell_us1", page("/acme/"))]);
    story.is_permitted();
    let mut story = Story::learning();
    let asked = [("cell_us0", owner("/acme", "cell_us1"))];
    story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
    story.violates(&["LN-17"]);
}

#[test]
fn a_cold_pick_is_drawn_at_random() {
    let visits = |times: usize, seldom: usize| {
        let mut story = Story::buffering();
        for time in 1..=times {
            let cell = if time == seldom { "cell_eu1" } else { "cell_eu0" };
            story.visit("/", &[(cell, plain("start"))]);
        }
        story
    };
    visits(30, 0).is_permitted();
    visits(31, 0).violates(&["Z-76"]);
    visits(200, 0).violates(&["BF-11"]);
    visits(32, 9).is_permitted();
    // A cell that was down need not be drawn.
    let mut story = visits(32, 0);
    story.installation.troubles.push((CellId::eu(1), Span { from: 0, to: 1 }));
    story.is_permitted();
    // What a router remembers is not drawn.
    let mut story = Story::buffering();
    for _ in 0..40 {
        story.visit("/x/y", &[("cell_eu0", page("/x/"))]);
    }
    story.is_permitted();
    for (times, expected) in [(32, "Z-76"), (200, "LN-17")] {
        let mut story = Story::learning();
        for _ in 0..times {
            story.ask_and_visit("/x", &[("cell_eu0", status(404))], &[("cell_eu1", status(404))]);
        }
        story.violates(&[expected]);
    }
}

#[test]
fn what_an_entry_covers_goes_straight_to_its_cell() {
    let mut story = warm();
    story.visit("/acme/b", &[("cell_us1", page("/acme/"))]);
    story.is_permitted();
    let mut story = Story::buffering();
    story.installation.places[0].cell = CellId::eu(0);
    story.visit("/acme/a", &[("cell_eu0", page("/acme/"))]);
    story.visit("/acme/b", &[("cell_eu1", bounce("Cell EU0")), ("cell_eu0", page("/acme/"))]);
    story.violates(&["CA-03"]);
}

#[test]
fn what_follows_a_corrected_choice_goes_straight_to_the_owner() {
    let mut story = warm();
    story.visit("/acme/a", &[("cell_eu1", bounce("Cell US1")), ("cell_us1", page("/acme/"))]);
    story.violates(&["RT-09"]);
    // The longer entry led to a bounce, and the shorter one corrected it.
    let mut story = warm();
    story.visit("/acme/a/b/c", &[("cell_us1", page("/acme/a/b/"))]);
    let moved = [("cell_us1", bounce("Cell EU1")), ("cell_eu1", page("/acme/a/"))];
    story.installation.places[0].cell = CellId::eu(1);
    story.visit("/acme/a/b/c", &moved);
    story.visit("/acme/a/b/c", &moved);
    let found = judge(&story.installation, &story.trace);
    assert!(found.iter().any(|found| (found.requirement, found.user) == ("RT-09", 3)), "{found:?}");
}

#[test]
fn buffering_repeats_a_request_after_a_bounce_alone() {
    let mut story = Story::buffering();
    story.visit("/acme/a", &[("cell_eu0", bounce("Cell EU1")), ("cell_us1", page("/acme/"))]);
    story.violates(&["BF-03"]);
    let mut story = Story::buffering();
    let unreadable = status(302).with("X-Gitlab-Cell-Redirect", "Cell US1");
    story.visit("/acme/a", &[("cell_eu0", unreadable), ("cell_us1", page("/acme/"))]);
    story.violates(&["Z-35"]);
}

#[test]
fn a_repeat_is_judged_by_its_method_and_by_what_came() {
    type Change = fn(&mut Hop);
    let changes: [Change; 4] = [
        |_| {},
        |hop| hop.response = None,
        |hop| hop.ended = Some((1, false)),
        |hop| hop.ended = Some((0, false)),
    ];
    let repeats = |story: fn() -> Story, method: &str| {
        let twice = [("cell_eu0", plain("one")), ("cell_eu1", plain("two"))];
        let found = changes.map(|change| {
            let mut story = story();
            let asked = [("cell_eu0", status(404))];
            let asked = if story.trace.learn_path.is_some() { &asked[..] } else { &[] };
            story.exchange(method, "/nobody", asked, &twice);
            change(&mut story.trace.hops[asked.len()]);
            let found = judge(&story.installation, &story.trace);
            found.iter().map(|found| found.requirement).collect::<Vec<_>>().join(" ")
        });
        found.join(", ")
    };
    for method in ["GET", "HEAD", "PUT", "DELETE"] {
        assert_eq!(repeats(Story::buffering, method), "Z-17, Z-52, Z-17, Z-52");
        assert_eq!(repeats(Story::learning, method), "LN-10, LN-25, LN-10, LN-25");
    }
    assert_eq!(repeats(Story::buffering, "POST"), "Z-17, Z-17, Z-17, Z-17");
    assert_eq!(repeats(Story::learning, "POST"), "LN-10, LN-10, LN-10, LN-10");
}

#[test]
fn learning_sends_a_request_once() {
    taught().is_permitted();
    let mut story = Story::learning();
    let hops = [("cell_us1", plain("a")), ("cell_us1", plain("a"))];
    story.ask_and_visit("/acme/a", &[("cell_eu1", owner("/acme", "cell_us1"))], &hops);
    story.violates(&["LN-10"]);
}

#[test]
fn chains_are_bounded() {
    for (hops, expected) in [(16, &[][..]), (17, &["Z-01"][..])] {
        let mut story = Story::buffering();
        let chain = vec![("cell_eu0", bounce("Cell EU0")); hops];
        let user = story.visit("/acme/a", &chain);
        story.gets(user, &status(508));
        story.violates(expected);
    }
}

#[test]
fn a_pre_flight_comes_first() {
    let mut story = Story::learning();
    story.visit("/acme/a", &[("cell_us1", plain("a"))]);
    story.violates(&["LN-01"]);
    // "For `/` no pre-flight is needed."
    let mut story = Story::learning();
    story.visit("/", &[("cell_eu1", status(404))]);
    story.is_permitted();
}

#[test]
fn a_pre_flight_asks_about_the_request_and_nothing_else() {
    type Change = fn(&mut Hop);
    let changes: [(&str, Change); 7] = [
        ("LN-01", |hop| hop.request.method = "POST".into()),
        ("LN-02", |hop| asked(hop).path = "/api/v4/cells/learn".to_owned()),
        ("LN-03", |hop| asked(hop).method = Some("PUT".to_owned())),
        ("LN-03", |hop| asked(hop).path_info = Some("/acme".into())),
        ("LN-03", |hop| asked(hop).others = vec!["user=1".to_owned()]),
        ("LN-11", |hop| hop.read = Some((hop.at, plain("body").body()))),
        ("Z-11", |hop| hop.request.fields = status(0).with("Cookie", "session=1").fields()),
    ];
    for (requirement, change) in changes {
        let mut story = taught();
        change(&mut story.trace.hops[0]);
        story.violates(&[requirement]);
    }
}

#[test]
fn a_pre_flight_is_about_the_target_that_cells_receive() {
    let mut story = taught();
    asked(&mut story.trace.hops[0]).path_info = Some("/acme/b".into());
    story.violates(&["LN-03"]);
    story.trace.hops[1].request.target = "/acme/b?".into();
    story.violates(&["Z-13"]);
}

#[test]
fn what_a_cell_says_to_a_connection_that_was_left_leads_nowhere() {
    let sent_again = |learning: bool, to: &str| {
        let mut story = if learning { Story::learning() } else { Story::buffering() };
        let user = story.sends("GET", "/acme/a");
        if learning {
            let asked = story.asks(user, "cell_eu0");
            story.says(asked, &owner("/acme", "cell_us1"));
        }
        let first = if learning { "cell_us1" } else { "cell_eu0" };
        let first = story.reaches(user, first);
        let again = story.reaches(user, to);
        story.says(first, &bounce("Cell US1"));
        story.says(again, &bounce("Cell US1"));
        if !learning {
            let last = story.reaches(user, "cell_us1");
            story.says(last, &page("/acme/"));
        }
        story
    };
    sent_again(false, "cell_eu0").violates(&["Z-52"]);
    sent_again(false, "cell_eu1").violates(&["Z-52"]);
    sent_again(true, "cell_us1").violates(&["LN-25"]);
}

#[test]
fn the_learn_path_is_refused_freely_and_what_is_below_it_is_not() {
    let visit = |target: &str, got: u16| {
        let mut story = Story::learning();
        let user = story.sends("GET", target);
        story.gets(user, &status(got));
        story
    };
    for spelling in ["", "?method=GET&path_info=/acme", "/", ";x", "/./", "%0a", ".json"] {
        for got in [400, 403, 404, 502] {
            visit(&format!("{LEARN}{spelling}"), got).is_permitted();
        }
    }
    visit(LEARN, 200).violates(&["RT-08"]);
    visit(&format!("{LEARN}/x"), 404).violates(&["UN-08"]);
    visit(&format!("{LEARN}/x"), 403).violates(&["RT-08"]);
    for other in ["ed", "ing/x", "%20"] {
        visit(&format!("{LEARN}{other}"), 404).violates(&["RT-08"]);
    }
    let mut story = Story::buffering();
    let user = story.sends("GET", LEARN);
    story.gets(user, &status(404));
    story.violates(&["RT-08"]);
    // Whoever gets it learns what exists: a SHOULD of `run`, and no more of the model.
    let mut story = Story::learning();
    let target = format!("{LEARN}?method=GET&path_info=/acme");
    story.visit(&target, &[("cell_eu0", owner("/acme", "cell_us1"))]);
    story.violates(&["Z-10"]);
}

fn asked(hop: &mut Hop) -> &mut PreFlight {
    match &mut hop.origin {
        Origin::PreFlight(_, asked) => asked,
        _ => panic!("no pre-flight"),
    }
}

#[test]
fn what_an_entry_covers_is_not_asked_about() {
    let again = |method: &str, target: &str| {
        let mut story = taught();
        let asked = [("cell_eu1", owner("/acme", "cell_us1"))];
        story.exchange(method, target, &asked, &[("cell_us1", plain("a"))]);
        story
    };
    again("GET", "/acme/b").violates(&["CA-08"]);
    again("GET", "/acme").violates(&["LN-05"]);
    again("POST", "/acme/a").violates(&["LN-21"]);
    again("GET", "/acme2").violates(&["Z-38"; 0]);
    let mut story = Story::learning();
    for _ in 0..2 {
        let asked = [("cell_eu1", exactly("/acme/a", "cell_us1"))];
        story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
    }
    story.violates(&["LN-06"]);
}

#[test]
fn the_request_goes_where_the_cell_said() {
    let mut story = Story::learning();
    let asked = [("cell_eu1", owner("/x", "cell_us0"))];
    story.ask_and_visit("/x/a", &asked, &[("cell_us1", status(404))]);
    story.violates(&["LN-18"]);
    for (cell, expected) in [("cell_eu0", &[][..]), ("cell_us0", &[]), ("cell_us1", &["Z-34"])] {
        let mut story = Story::learning();
        story.ask_and_visit("/x/a", &[("cell_eu1", status(404))], &[(cell, status(404))]);
        story.violates(expected);
    }
}

#[test]
fn simultaneous_misses_may_share_a_pre_flight() {
    let mut story = Story::learning();
    let (first, second) = (story.sends("GET", "/acme/a"), story.sends("GET", "/acme/a"));
    story.plays(first, &[("cell_eu1", owner("/acme", "cell_us1"))], &[("cell_us1", plain("a"))]);
    story.plays(second, &[], &[("cell_us1", plain("a"))]);
    story.is_permitted();
}
