//! What cells receive of a request, and users of a response.

use super::*;

/// A visit whose hop is changed.
fn hop(change: fn(&mut Hop)) -> Story {
    let mut story = Story::buffering();
    story.installation.places.clear();
    let user = story.sends("GET", "/x");
    story.trace.users[user].fields = status(0).with("X-A", "1").fields();
    story.trace.users[user].body = plain("body").body();
    story.plays(user, &[], &[("cell_eu0", plain("x"))]);
    change(&mut story.trace.hops[0]);
    story
}

#[test]
fn a_cell_receives_what_the_user_sent() {
    hop(|_| ()).is_permitted();
    hop(|hop| hop.request.method = "POST".into()).violates(&["Z-68"]);
    hop(|hop| hop.request.target = "/x?".into()).violates(&["Z-13"]);
    hop(|hop| hop.request.fields.clear()).violates(&["Z-46"]);
    hop(|hop| hop.request.fields[0].value = "2".into()).violates(&["Z-68"]);
    hop(|hop| hop.read.as_mut().unwrap().1 = plain("bod").body()).violates(&["Z-61"]);
    hop(|hop| hop.read.as_mut().unwrap().1 = plain("bode").body()).violates(&["Z-68"]);
    // A body that broke off is no whole body.
    hop(|hop| hop.read = None).is_permitted();
}

#[test]
fn the_next_cell_receives_the_same() {
    let mut story = warm();
    story.trace.hops[1].request.target = "/acme".into();
    story.violates(&["BF-06"]);
    story.trace.hops[0].request.target = "/acme".into();
    story.violates(&["Z-13", "Z-13"]);
    // What the first cell received and the next did not, was not kept.
    let sent = |first: &str, next: &str| {
        let mut story = Story::buffering();
        let user = story.sends("POST", "/acme/a");
        story.trace.users[user].fields = status(0).with("Accept", "text/html").fields();
        let hops = to_acme();
        story.plays(user, &[], &hops);
        for (hop, accept) in story.trace.hops.iter_mut().zip([first, next]) {
            hop.request.fields = status(0).with("Accept", accept).fields();
        }
        story
    };
    sent("text/html", "text/html").is_permitted();
    sent("text/html", "*/*").violates(&["BF-04"]);
    sent("*/*", "*/*").violates(&["Z-68", "Z-68"]);
}

#[test]
fn a_cell_receives_no_internal_field() {
    let add = |hop: &mut Hop, name: &'static str| {
        hop.request.fields.extend(status(0).with(name, "x").fields());
    };
    let mut story = hop(|_| ());
    add(&mut story.trace.hops[0], "X-Gitlab-Cell-Cache");
    story.violates(&["Z-72"]);
    story.trace.users[0].fields.extend(status(0).with("X-Gitlab-Cell-Cache", "x").fields());
    story.violates(&["Z-04"]);
}

#[test]
fn cookies_go_to_the_browser_that_they_were_set_in() {
    for (person, hops, expected) in
        [("visitor", 1, &[][..]), ("anna", 1, &["Z-74"]), ("visitor", 2, &["Z-60"])]
    {
        let mut story = Story::buffering();
        story.installation.places.clear();
        let first =
            ("cell_eu0", bounce("Cell EU1").with("Set-Cookie", "a=0123456789abcdef0123; Path=/"));
        let mut visits = vec![first, ("cell_eu1", plain("x"))];
        if hops == 1 {
            visits =
                vec![("cell_eu0", plain("x").with("Set-Cookie", "a=0123456789abcdef0123; Path=/"))];
        }
        let user = story.visit("/x", &visits);
        story.trace.users[user].person = "visitor".to_owned();
        let user = story.visit("/x", &[("cell_eu0", plain("x"))]);
        story.trace.users[user].person = person.to_owned();
        let cookie = status(0).with("Cookie", "b=2; a=0123456789abcdef0123").fields();
        story.trace.hops.last_mut().unwrap().request.fields = cookie;
        story.violates(expected);
    }
}

#[test]
fn what_others_on_a_connection_send_is_not_passed_on() {
    let second = |sent: &[(&'static str, &str)], came: &[(&'static str, &str)]| {
        let fields = |given: &[(&'static str, &str)]| {
            let reply =
                given.iter().fold(status(0), |reply, (name, value)| reply.with(name, value));
            reply.fields()
        };
        let mut story = Story::buffering();
        story.installation.places.clear();
        for (person, sent, came) in [
            ("anna", &[("Private-Token", "1"), ("Accept", "a")][..], None),
            ("visitor", sent, Some(came)),
        ] {
            let user = story.sends("GET", "/x");
            story.trace.users[user].person = person.to_owned();
            story.trace.users[user].phase = Phase::Step(0);
            story.trace.users[user].fields = fields(sent);
            story.plays(user, &[], &[("cell_eu0", plain("x"))]);
            if let Some(came) = came {
                story.trace.hops.last_mut().unwrap().request.fields = fields(came);
            }
        }
        story
    };
    let accept = ("Accept", "a");
    second(&[accept], &[accept]).is_permitted();
    second(&[accept], &[accept, ("private-token", "2")]).is_permitted();
    second(&[accept], &[accept, ("private-token", "1")]).violates(&["Z-96"]);
}

/// A visit by a bounce whose user gets this.
fn gets(reply: &Reply) -> Story {
    let mut story = Story::buffering();
    let cookie = bounce("Cell US1").with("Set-Cookie", "a=1");
    let user = story.visit("/acme/a", &[("cell_eu0", cookie), ("cell_us1", page("/acme/"))]);
    let cells = story.installation.cells.clone();
    story.installs(cells);
    story.gets(user, reply);
    story
}

#[test]
fn the_user_receives_the_owners_response() {
    gets(&plain("page")).is_permitted();
    gets(&plain("another")).violates(&["RT-08"]);
    gets(&Reply(404, Vec::new(), "page".to_owned())).violates(&["RT-08"]);
}

#[test]
fn the_user_receives_nothing_that_is_between_cells_and_routers() {
    gets(&plain("page").with("X-Gitlab-Cell-Cache", "{path_prefix:/acme/}")).violates(&["Z-03"]);
    let redirect = plain("page").with("X-Gitlab-Cell-Redirect", "{cell:Cell US1}");
    gets(&redirect).violates(&["Z-37"]);
    gets(&plain("page").with("Set-Cookie", "a=1")).violates(&["Z-60", "RT-08"]);
    gets(&plain("page").with("Via", "1.1 router")).is_permitted();
    gets(&plain("page").with("Via", "1.1 cell_us1")).violates(&["RT-12"]);
}

#[test]
fn a_cookie_of_a_pre_flight_ends_there() {
    let mut story = Story::learning();
    let asked = [("cell_eu1", owner("/acme", "cell_us1").with("Set-Cookie", "a=1"))];
    let user = story.ask_and_visit("/acme/a", &asked, &[("cell_us1", plain("a"))]);
    story.is_permitted();
    story.gets(user, &plain("a").with("Set-Cookie", "a=1"));
    story.violates(&["Z-73", "RT-08"]);
}

#[test]
fn a_page_comes_from_the_owner() {
    let mut story = Story::buffering();
    story.visit("/acme/a", &[("cell_eu0", plain("page"))]);
    story.violates(&["RT-07"]);
    // "the cell asked first may itself redirect the user to sign-in" (BF-15).
    let mut story = Story::buffering();
    story.visit("/acme/a", &[("cell_eu0", status(302).with("Location", "/users/sign_in"))]);
    story.is_permitted();
}

#[test]
fn a_router_stores_no_content() {
    let mut story = warm();
    let user = story.sends("GET", "/acme/a");
    story.gets(user, &plain("page"));
    story.violates(&["CA-17"]);
}

#[test]
fn a_field_of_another_response_is_none_of_this_one() {
    for (name, violated) in [("Retry-After", &["RT-08"][..]), ("Accept-Ranges", &[])] {
        let mut story = Story::buffering();
        let slow = plain("later").with(name, "137");
        story.visit("/acme/a", &[("cell_eu0", bounce("Cell US1")), ("cell_us1", slow)]);
        let user = story
            .visit("/acme/a", &[("cell_eu0", bounce("Cell US1")), ("cell_us1", plain("page"))]);
        story.gets(user, &plain("page").with(name, "137"));
        story.violates(violated);
    }
}

#[test]
fn what_broke_off_does_not_look_complete() {
    let mut story = gets(&plain("page"));
    story.trace.hops[1].ended = Some((2, false));
    story.violates(&["Z-41"]);
    // The router sees no more of the body than what came.
    story.trace.hops[1].response.as_mut().unwrap().1.body = BodySeen::unknown(0);
    story.violates(&["Z-41"]);
    story.trace.users[0].response.as_mut().unwrap().got = Err(crate::trace::made::CLOSED);
    story.is_permitted();
}

#[test]
fn a_404_of_nobodys_path_should_be_a_cells() {
    let mut story = Story::learning();
    let asked = [("cell_eu0", status(404))];
    let user = story.ask_and_visit("/x", &asked, &[("cell_eu1", status(404))]);
    story.is_permitted();
    story.gets(user, &Reply(404, Vec::new(), "no such page".to_owned()));
    story.violates(&["UN-08"]);
    story.trace.hops.truncate(1);
    story.violates(&["UN-08"]);
    story.gets(user, &plain("page"));
    story.violates(&["RT-08"]);
}
