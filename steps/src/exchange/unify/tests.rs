//! Exchanges against traces that are built by hand.

use cell_fleet::{CellId, Protocol, wire};

use super::*;
use crate::trace::made::Made;
use crate::trace::{Origin, PreFlight};

/// A trace that grows by an event at a time, about the last request.
#[derive(Default)]
struct Story(Made);

impl Story {
    fn learning() -> Self {
        let mut story = Self::default();
        story.0.trace.learn_path = Some(wire::LEARN_PATH.to_owned());
        story
    }

    fn sends(mut self, person: &str, target: &str) -> Self {
        self.0.sends(person, target);
        self
    }

    fn reaches(mut self, cell: CellId, target: &str, origin: Origin) -> Self {
        self.0.hop(origin, target.into(), &cell.id());
        self
    }

    fn asks(self, cell: CellId, path_info: &str) -> Self {
        let place = self.0.trace.users.len() - 1;
        let asked = PreFlight {
            path: wire::LEARN_PATH.to_owned(),
            method: Some("GET".to_owned()),
            path_info: Some(path_info.into()),
            others: Vec::new(),
        };
        self.reaches(cell, wire::LEARN_PATH, Origin::PreFlight(place, asked))
    }

    fn forwards(self, cell: CellId, target: &str) -> Self {
        let place = self.0.trace.users.len() - 1;
        self.reaches(cell, target, Origin::User(place))
    }

    fn responses(mut self, status: u16, fields: &[(&str, &str)], body: &str) -> Self {
        let hop = self.0.trace.hops.len() - 1;
        self.0.responses(hop, status, fields, body);
        self
    }

    fn gets(mut self, status: u16, fields: &[(&str, &str)], body: &str) -> Self {
        let user = self.0.trace.users.len() - 1;
        self.0.gets_fields(user, status, fields, body);
        self
    }

    fn against(&self, drawn: &str) -> Option<Divergence> {
        self.compared(drawn).divergence
    }

    fn compared(&self, drawn: &str) -> Comparison {
        let trace = &self.0.trace;
        compare(&Exchange::parse(drawn).unwrap(), trace, &trace.arrows(false))
    }
}

const BOUNCE: &[(&str, &str)] = &[("X-Gitlab-Cell-Redirect", "{cell:Cell EU0}")];

/// EU1 is asked and points to EU0, whose response the user gets.
fn bounced() -> Story {
    let asked = Story::default()
        .sends("anna", "/a")
        .forwards(CellId::eu(1), "/a")
        .responses(302, BOUNCE, "");
    asked.forwards(CellId::eu(0), "/a").responses(200, &[("X-Page", "a")], "page").gets(
        200,
        &[("x-page", "a")],
        "page",
    )
}

const DRAWN: &str = "user->>router_eu: GET /a
router_eu->>cell_eu1: GET /a
cell_eu1-->>router_eu: 302 X-Gitlab-Cell-Redirect={cell:Cell EU0}
%% RT-08 the owner's response
router_eu->>cell_eu0: GET /a
cell_eu0-->>user: 200";

#[test]
fn an_exchange_fits_in_either_form() {
    assert_eq!(bounced().against(DRAWN), None);
    let long = DRAWN
        .replace("cell_eu0-->>user: 200", "cell_eu0-->>router_eu: 200\nrouter_eu-->>user: 200");
    assert_eq!(bounced().against(&long), None);
    assert_eq!(bounced().against(&DRAWN.replace("user", "anna")), None);
}

#[test]
fn a_visit_to_another_region_is_straight_or_as_on_a_cold_cache() {
    let owner = CellId::us(1);
    let served = |before: Story| {
        before.forwards(owner.clone(), "/a?b").responses(200, &[], "page").gets(200, &[], "page")
    };
    let (start, learning) = (Story::default(), Story::learning());
    let bounced = start.sends("anna", "/a?b").forwards(CellId::eu(1), "/a?b");
    let bounced = served(bounced.responses(302, BOUNCE, ""));
    let asked = learning.sends("anna", "/a?b").asks(CellId::eu(1), "/a");
    let asked = served(asked.responses(200, &[], "{}"));
    let straight = served(Story::default().sends("anna", "/a?b"));
    for (story, fits) in [
        (bounced, [true, false, false]),
        (asked, [false, true, false]),
        (straight, [false, false, true]),
    ] {
        let trace = &story.0.trace;
        let drawn = [
            Exchange::cold(trace, &owner, Protocol::Buffering),
            Exchange::cold(trace, &owner, Protocol::Learning),
            Exchange::straight(trace, &owner),
        ];
        let compared = drawn.map(|drawn| compare(&drawn.unwrap(), trace, &trace.arrows(true)));
        assert_eq!(compared.map(|compared| compared.divergence.is_none()), fits);
        assert!(Exchange::cold(trace, &CellId::eu(0), Protocol::Buffering).is_err());
    }
}

#[test]
fn the_first_divergent_arrow_is_named_with_its_requirement() {
    let found = bounced().against(&DRAWN.replace("cell_eu0", "cell_us0")).unwrap();
    assert_eq!((found.expected, found.observed), (Some(4), Some(3)));
    assert_eq!(found.requirement.unwrap().as_str(), "RT-08");
    assert!(found.why.contains("cell_eu0 where cell_us0 was expected"), "{}", found.why);
    let found = bounced().against(&DRAWN.replace("GET /a", "GET /b")).unwrap();
    assert_eq!(found.observed, Some(0));
}

#[test]
fn extra_and_missing_arrows_are_mismatches() {
    let late = bounced().forwards(CellId::eu(1), "/a").against(DRAWN).unwrap();
    assert_eq!((late.expected, late.observed), (None, Some(5)));
    assert!(late.why.contains("nothing more was expected"), "{}", late.why);
    let missing = Story::default().sends("anna", "/a").against(DRAWN).unwrap();
    assert_eq!((missing.expected, missing.observed), (Some(1), None));
}

#[test]
fn an_unsolicited_request_is_named() {
    let story = Story::default()
        .sends("anna", "/a")
        .reaches(CellId::eu(1), "/health", Origin::Unsolicited)
        .responses(200, &[], "");
    let found = story.against(DRAWN).unwrap();
    assert_eq!(found.observed, Some(1));
    let (observed, _) = observed_lines(&story.0.trace, &story.0.trace.arrows(false));
    assert_eq!(observed[1], "unsolicited->>cell_eu1: GET /health");
}

#[test]
fn optional_blocks_and_alternatives_are_tried_as_wholes() {
    let optional = DRAWN
        .replace("router_eu->>cell_eu1", "opt\nrouter_eu->>any_eu_cell")
        .replace("%% RT-08 the owner's response", "end");
    let optional = optional.replace("cell_eu1-->>", "any_eu_cell-->>");
    assert_eq!(bounced().against(&optional), None);
    let direct = Story::default()
        .sends("anna", "/a")
        .forwards(CellId::eu(0), "/a")
        .responses(200, &[], "")
        .gets(200, &[], "");
    assert_eq!(direct.against(&optional), None);
    let either = "user->>router_eu: GET /a\nalt\nrouter_eu-->>user: 502\nelse\n\
     router_eu->>cell_eu0: GET /a\ncell_eu0-->>user: 200\nend";
    assert_eq!(direct.against(either), None);
    assert!(bounced().against(either).is_some());
}

#[test]
fn a_variable_is_one_cell_and_others_are_other_cells() {
    let drawn =
        |first: &str, second: &str| DRAWN.replace("cell_eu1", first).replace("cell_eu0", second);
    assert_eq!(bounced().against(&drawn("some_eu_cell", "other_eu_cell")), None);
    assert!(bounced().against(&drawn("some_eu_cell", "some_eu_cell")).is_some());
    assert!(bounced().against(&drawn("any_us_cell", "any_cell")).is_some());
}

#[test]
fn a_response_that_is_changed_on_its_way_is_a_mismatch() {
    let story = Story::default().sends("anna", "/a").forwards(CellId::eu(0), "/a").responses(
        200,
        &[("X-Page", "a")],
        "page",
    );
    let changed = story
        .gets(200, &[("x-page", "b")], "page")
        .against("user->>router_eu: GET /a\nrouter_eu->>cell_eu0: GET /a\ncell_eu0-->>user: 200");
    assert!(changed.unwrap().why.contains("x-page"));
}

#[test]
fn preflights_are_compared_by_meaning_and_learn_responses_as_json() {
    let response = r#"{"cell":"cell_eu0","source":"routable","path":"/a"}"#;
    let story = Story::learning().sends("anna", "/a/b").asks(CellId::eu(1), "/a/b").responses(
        200,
        &[],
        response,
    );
    let drawn = "user->>router_eu: GET /a/b\n%% choice LN-17\n\
     router_eu->>any_eu_cell: GET {learn}?method=GET&path_info=/a/b
any_eu_cell-->>router_eu: 200 {path: \"/a\", cell: \"cell_eu0\", source: \"routable\"}";
    assert_eq!(story.against(drawn), None);
    assert!(
        story
            .against(&drawn.replace("path_info=/a/b", "path_info=/a"))
            .unwrap()
            .why
            .contains("path_info")
    );
    assert!(
        story.against(&drawn.replace("cell_eu0", "cell_us0")).unwrap().why.contains("the body is")
    );
    let other_path = drawn.replace("{learn}", wire::LEARN_PATH_EARLIER);
    assert!(story.against(&other_path).unwrap().why.contains("the pre-flight went to"));
}

#[test]
fn a_cast_renames_the_cells_of_values_too() {
    let mut story = bounced();
    story.0.trace.roles = [(CellId::eu(0), CellId::eu(1)), (CellId::eu(1), CellId::eu(0))].into();
    let found = story.against(DRAWN).unwrap();
    assert!(found.why.contains("{cell:Cell EU1}"), "{}", found.why);
}

const LEARNED: &str = r#"{"cell":"cell_eu0","source":"routable","path":"/a"}"#;

/// Asks a cell about `/a`, and sends the request to EU0.
fn learned(asked: CellId) -> Story {
    let story =
        Story::learning().sends("anna", "/a").asks(asked, "/a").responses(200, &[], LEARNED);
    story.forwards(CellId::eu(0), "/a").responses(200, &[], "page").gets(200, &[], "page")
}

const ASKED: &str = "user->>router_eu: GET /a
%% choice LN-17
router_eu->>cell_eu1: GET {learn}?method=GET&path_info=/a
cell_eu1-->>router_eu: 200 {path: \"/a\", cell: \"cell_eu0\", source: \"routable\"}
router_eu->>cell_eu0: GET /a
cell_eu0-->>user: 200";

#[test]
fn a_choice_beyond_the_region_is_a_finding_of_its_own() {
    for drawn in [ASKED.to_owned(), ASKED.replace("cell_eu1", "any_eu_cell")] {
        let found = learned(CellId::us(0)).compared(&drawn);
        assert_eq!(found.divergence, None);
        let [choice] = found.choices.as_slice() else { panic!("{:?}", found.choices) };
        assert_eq!(choice.requirement.as_ref().unwrap().as_str(), "LN-17");
        assert_eq!((choice.expected, choice.observed), (Some(2), Some(1)));
        assert!(choice.why.contains("cell_us0"), "{}", choice.why);
    }
}

#[test]
fn a_choice_within_the_region_is_free() {
    for asked in [CellId::eu(0), CellId::eu(1)] {
        let found = learned(asked).compared(ASKED);
        assert_eq!((found.divergence, found.choices), (None, Vec::new()));
    }
}

#[test]
fn a_choice_leaves_only_the_cell_open() {
    let story = learned(CellId::us(0));
    for (from, to) in [
        ("path_info=/a", "path_info=/b"),
        ("path: \"/a\"", "path: \"/b\""),
        (">>cell_eu0: GET /a", ">>cell_us1: GET /a"),
    ] {
        let found = story.compared(&ASKED.replace(from, to));
        assert!(found.divergence.is_some(), "{to}");
        assert!(found.divergence.unwrap().requirement.is_none());
    }
    // The choice is found as well, once the question itself was right.
    assert_eq!(story.compared(&ASKED.replace("user: 200", "user: 404")).choices.len(), 1);
    // Without the choice, the cell is a difference.
    let strict = ASKED.replace("cell_eu1", "any_cell").replace("%% choice LN-17\n", "");
    assert_eq!(story.against(&strict), None);
    // The response to the pre-flight comes from the cell that was asked.
    assert!(
        story.against(&ASKED.replace("cell_eu1-->>router_eu", "cell_eu0-->>router_eu")).is_some()
    );
}

#[test]
fn fields_on_the_arrow_to_the_user_are_those_of_the_user() {
    const REDIRECT: (&str, &str) = ("X-Gitlab-Cell-Redirect", "{cell:Cell EU0}");
    const CACHE: (&str, &str) = ("X-Gitlab-Cell-Cache", "{path_prefix:/a/}");
    let served = |cell: &[(&str, &str)], user: &[(&str, &str)]| {
        Story::default()
            .sends("anna", "/a")
            .forwards(CellId::eu(0), "/a")
            .responses(200, cell, "page")
            .gets(200, user, "page")
    };
    let drawn = |head: &str| {
        format!("user->>router_eu: GET /a\nrouter_eu->>cell_eu0: GET /a\ncell_eu0-->>user: {head}")
    };
    let without = drawn("200 without X-Gitlab-Cell-Redirect");
    assert_eq!(served(&[REDIRECT], &[]).against(&without), None);
    assert!(
        served(&[REDIRECT], &[REDIRECT])
            .against(&without)
            .unwrap()
            .why
            .contains("X-Gitlab-Cell-Redirect")
    );
    assert!(served(&[], &[REDIRECT]).against(&without).is_some(), "made up by the router");
    let cached = drawn("200 [cell: X-Gitlab-Cell-Cache={path_prefix:/a/}]");
    assert_eq!(served(&[CACHE], &[]).against(&cached), None);
    assert_eq!(served(&[CACHE], &[CACHE]).against(&cached), None);
    assert!(served(&[], &[CACHE]).against(&cached).is_some());
    let uncached = drawn("200 [cell: without X-Gitlab-Cell-Cache]");
    assert!(served(&[CACHE], &[]).against(&uncached).is_some());
    let page = drawn("200 X-Page=a");
    assert_eq!(served(&[("X-Page", "a")], &[("X-Page", "a")]).against(&page), None);
    assert!(served(&[("X-Page", "a")], &[]).against(&page).is_some());
}

#[test]
fn an_observed_line_shows_the_fields_for_the_router_in_brackets() {
    let cell = [
        ("X-Gitlab-Cell-Cache", "{path_prefix:/a/}"),
        ("X-Gitlab-Cell-Redirect", "{cell:Cell EU0}"),
    ];
    let story = Story::default()
        .sends("anna", "/a")
        .forwards(CellId::eu(0), "/a")
        .responses(200, &cell, "page");
    let last = |story: Story| {
        observed_lines(&story.0.trace, &story.0.trace.arrows(false)).0.pop().unwrap()
    };
    assert_eq!(
        last(story.gets(200, &[], "page")),
        "cell_eu0-->>user: 200 [cell: X-Gitlab-Cell-Redirect={cell:Cell EU0} \
         X-Gitlab-Cell-Cache={path_prefix:/a/}]"
    );
    let story = Story::default()
        .sends("anna", "/a")
        .forwards(CellId::eu(0), "/a")
        .responses(200, &cell, "page");
    let both = "cell_eu0-->>user: 200 X-Gitlab-Cell-Redirect={cell:Cell EU0} [cell: \
     X-Gitlab-Cell-Cache={path_prefix:/a/}]";
    assert_eq!(last(story.gets(200, &cell, "page")), both);
    assert!(Exchange::parse(&format!("user->>router_eu: GET /a\n{both}")).is_ok());
}
