//! What a router may respond by itself, and when.

use super::*;

/// A visit that no cell reads.
fn alone(story: &mut Story, got: u16) {
    let user = story.sends("GET", "/acme/b");
    story.gets(user, &status(got));
}

#[test]
fn refusals_need_a_cell_in_trouble() {
    for (got, expected) in [(502, &["RT-08"][..]), (503, &["RT-08"]), (500, &["RT-08"])] {
        let mut story = warm();
        alone(&mut story, got);
        story.violates(expected);
    }
    for got in [502, 503, 504, 508] {
        let mut story = warm();
        story.goes_down(CellId::us(1));
        alone(&mut story, got);
        story.is_permitted();
    }
    let mut story = warm();
    story.goes_down(CellId::us(1));
    alone(&mut story, 500);
    // A refusal is right, and its status is not.
    story.violates(&["Z-35"]);
    // The trouble of another cell does not excuse a refusal.
    let mut story = warm();
    story.installation.cells.push(CellId::us(2));
    story.goes_down(CellId::us(2));
    alone(&mut story, 502);
    story.violates(&["RT-08"]);
}

#[test]
fn a_refusal_has_no_singleton_field_twice() {
    let refused = |first: &'static str, second: &'static str| {
        let mut story = warm();
        story.goes_down(CellId::us(1));
        let user = story.sends("GET", "/acme/b");
        story.gets(user, &status(502).with(first, "a").with(second, "b"));
        story
    };
    refused("Content-Type", "content-type").violates(&["Z-99"]);
    refused("Via", "Via").is_permitted();
    refused("Content-Type", "Server").is_permitted();
}

#[test]
fn a_refusal_says_what_the_router_did_not_understand() {
    let refused = |said: Reply| {
        let mut story = Story::learning();
        let user = story.sends("GET", "/acme/a");
        let hop = story.asks(user, "cell_eu1");
        story.says(hop, &said);
        story.gets(user, &status(502));
        story
    };
    refused(owner("/acme", "cell_us1")).violates(&["LN-04"]);
    refused(exactly("/acme/a", "cell_us1")).violates(&["LN-07"]);
    refused(status(404)).violates(&["Z-34"]);
    refused(owner("/acme", "cell_of_nobody")).is_permitted();

    let mut story = Story::buffering();
    let user = story.visit("/acme/a", &[("cell_eu0", bounce(" Cell US1 "))]);
    story.gets(user, &status(502));
    story.violates(&["BF-10"]);
    let mut story = Story::buffering();
    story.installation.cells.push(CellId::us(10));
    story.visit("/acme/a", &[("cell_eu0", bounce("Cell US1")), ("cell_us10", plain("a"))]);
    story.installation.places.clear();
    story.violates(&["BF-10"]);
}

#[test]
fn a_recovered_cell_serves_at_once() {
    let mut story = warm();
    story.goes_down(CellId::us(1));
    alone(&mut story, 502);
    story.come_back();
    // The first request may meet a connection that the trouble broke.
    alone(&mut story, 502);
    story.is_permitted();
    story.visit("/acme/b", &[("cell_us1", page("/acme/"))]);
    story.is_permitted();
    alone(&mut story, 502);
    story.violates(&["Z-16"]);
}

#[test]
fn a_bounce_is_followed_while_its_target_can_be_reached() {
    let bounced = |name: &str| {
        let mut story = Story::buffering();
        let user = story.visit("/acme/a", &[("cell_eu0", bounce(name))]);
        story.gets(user, &status(502));
        story
    };
    bounced("Cell US1").violates(&["BF-03"]);
    bounced("Cell EU0").is_permitted();
    bounced("Cell US9").is_permitted();
    let mut story = bounced("Cell US9");
    story.gets(0, &status(404));
    story.violates(&["Z-35"]);
    let mut story = bounced("Cell US1");
    story.installation.troubles.push((CellId::us(1), Span::ALWAYS));
    story.is_permitted();
}

#[test]
fn bodies_above_the_limit_alone_receive_413() {
    let put = |length: usize, hops: &[(&str, Reply)]| {
        let mut story = Story::buffering();
        let user = story.sends("PUT", "/acme/a");
        story.trace.users[user].body = plain(&"x".repeat(length)).body();
        story.plays(user, &[], hops);
        story.gets(user, &status(413));
        story
    };
    put(100, &[]).violates(&["BF-04"]);
    put(101, &[]).is_permitted();
    put(100, &[("cell_eu0", bounce("Cell US1"))]).violates(&["BF-04"]);
    // The body was streamed to the cell of an entry, and that cell points elsewhere: the request
    // cannot be sent again.
    put(101, &[("cell_eu0", bounce("Cell US1"))]).is_permitted();
    let mut story = put(101, &[]);
    story.trace.users[0].response.as_mut().unwrap().got = Err(crate::trace::made::CLOSED);
    story.is_permitted();
    let mut story = put(101, &[("cell_eu0", plain("x"))]);
    story.trace.users[0].response.as_mut().unwrap().got = Err(crate::trace::made::CLOSED);
    story.violates(&["Z-20"]);
}

#[test]
fn what_no_cell_answers_is_refused() {
    let mut story = Story::buffering();
    let user = story.sends("GET", "/acme/a");
    story.reaches(user, "cell_eu0");
    story.gets(user, &status(504));
    story.is_permitted();
    story.gets(user, &status(200));
    story.violates(&["Z-35"]);
    // A response that comes after the router gave up is not waited for.
    story.gets(user, &status(504));
    story.says(0, &plain("late"));
    story.is_permitted();
}

#[test]
fn a_failed_pre_flight_may_end_in_a_refusal() {
    for reply in [
        status(500),
        owner("/acme", "cell_us9"),
        owner("/other", "cell_us1"),
        owner("", "cell_us1"),
        owner("/", "cell_us1"),
    ] {
        let mut story = Story::learning();
        story.ask_and_visit("/acme/a", &[("cell_eu0", reply)], &[]);
        story.is_permitted();
    }
    let mut story = Story::learning();
    story.ask_and_visit("/acme/a", &[("cell_eu0", owner("/acme", "cell_us1"))], &[]);
    story.violates(&["LN-04"]);
}

#[test]
fn a_router_that_stops_owes_nothing() {
    let mut story = warm();
    story.installation.absences.push((Region::eu(), Span { from: 2, to: 2 }));
    alone(&mut story, 503);
    story.is_permitted();
}

#[test]
fn another_spelling_may_lead_to_the_cell_of_an_entry() {
    let mut story = warm();
    story.goes_down(CellId::us(1));
    let user = story.sends("GET", "//acme/b");
    story.gets(user, &status(502));
    story.is_permitted();
}

#[test]
fn a_user_who_breaks_off_may_get_an_error() {
    let person = crate::action::Person::visitor();
    for (half_close, expected) in [(true, &[][..]), (false, &["RT-08"])] {
        let mut story = Story::buffering();
        let (person, text) = (person.clone(), "Content-Length: 5\n\nabc".to_owned());
        story.trace.actions.push(Action::RawBytes { person, text, half_close });
        alone(&mut story, 400);
        story.violates(expected);
    }
}

#[test]
fn content_that_means_nothing_may_be_rejected() {
    for (method, expected) in
        [("GET", &[][..]), ("HEAD", &[]), ("DELETE", &[]), ("PATCH", &["RT-08"])]
    {
        for status in [400, 502] {
            let mut story = Story::buffering();
            let user = story.sends(method, "/acme/a");
            story.trace.users[user].body = plain("x").body();
            story.gets(user, &self::status(status));
            story.violates(expected);
        }
    }
}

#[test]
fn a_router_need_not_speak_http_1_0() {
    for (version, expected) in [("1.0", &[][..]), ("1.1", &["RT-08"])] {
        let mut story = Story::buffering();
        let text = format!("\nGET /acme/b HTTP/{version}\nHost: {{host}}\n\n");
        let person = crate::action::Person::visitor();
        story.trace.actions.push(Action::RawBytes { person, text, half_close: false });
        alone(&mut story, 505);
        story.violates(expected);
    }
}

#[test]
fn who_waits_to_be_asked_for_a_body_is_asked_or_gets_a_response() {
    let request = RequestKind::RandomBody {
        method: "PUT".to_owned(),
        target: "/acme/b".to_owned(),
        length: 5,
        framing: Framing::AfterContinue,
    };
    for (interim, expected) in [(&[][..], "Z-21"), (&[100], "RT-08")] {
        let mut story = Story::buffering();
        let person = crate::action::Person::visitor();
        story.trace.actions.push(Action::request(person, request.clone(), Route::Default));
        let user = story.sends("PUT", "/acme/b");
        story.gets(user, &status(502));
        let request = &mut story.trace.users[user];
        request.response.as_mut().unwrap().got = Err(crate::trace::made::TIMED_OUT);
        request.interim = interim.to_vec();
        story.violates(&[expected]);
    }
}

#[test]
fn a_method_that_the_router_does_not_know_should_reach_its_owner() {
    for (method, got, expected) in [
        ("PROPFIND", 405, "Z-98"),
        ("LINK", 501, "Z-98"),
        ("LINK", 400, "Z-98"),
        ("LINK", 200, "RT-08"),
        ("PATCH", 405, "RT-08"),
    ] {
        let mut story = warm();
        // The cell has sent an empty response before, which is not what the user gets now.
        story.exchange(method, "/acme/b", &[], &[("cell_us1", status(204))]);
        let user = story.sends(method, "/acme/b");
        story.gets(user, &status(got));
        story.violates(&[expected]);
    }
}

#[test]
fn the_last_hop_answers_itself() {
    let came = |method: &str, left: &str, at_the_cell: Option<&str>| {
        let mut story = warm();
        let user = story.sends(method, "/acme/b");
        story.trace.users[user].fields = status(0).with("Max-Forwards", left).fields();
        if let Some(left) = at_the_cell {
            let hop = story.reaches(user, "cell_us1");
            story.trace.hops[hop].request.fields = status(0).with("Max-Forwards", left).fields();
            story.says(hop, &plain("page"));
        }
        story.gets(user, &plain("page"));
        story
    };
    came("OPTIONS", "0", None).is_permitted();
    came("OPTIONS", "0", Some("0")).violates(&["Z-84"]);
    came("TRACE", "5", Some("5")).violates(&["Z-84"]);
    came("OPTIONS", "5", Some("4")).is_permitted();
    came("GET", "0", Some("0")).is_permitted();
}
