//! What is done in a scene.

use cell_fleet::Protocol;
use cell_fleet::wire::CONFORMANCE_ID;

use super::{BODY_LIMIT, Scene, Stand, Story};
use crate::explore::names;
use conformance_suite::action::{Action, Flow, Framing, RequestKind, Route, Until, WorldAction};

pub(in crate::explore) struct Deed {
    /// How often it is drawn: what has many forms is drawn more often.
    pub(in crate::explore) weight: u32,
    pub(super) needs: Needs,
    pub(super) act: Act,
}

/// Does it, as somebody who stands somewhere; the organization that moves, if one does.
type Act = fn(&mut Story, &Scene, &Stand, Option<&str>);

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    /// Cells that respond; without them, the place is visited instead.
    Cells,
    /// A place that moves with an organization.
    Organization,
}

const fn deed(weight: u32, act: Act) -> Deed {
    Deed { weight, needs: Needs::Nothing, act }
}

const fn with_cells(weight: u32, act: Act) -> Deed {
    Deed { weight, needs: Needs::Cells, act }
}

pub(in crate::explore) static DEEDS: [Deed; 61] = [
    // The place is visited.
    deed(4, |story, _, stand, _| story.get(stand, &stand.target)),
    // A page below it.
    deed(3, |story, _, stand, _| story.get(stand, &format!("{}/deep/er", stand.path))),
    // It is visited with a query.
    deed(1, |story, scene, stand, _| {
        let query = scene.pick(3, &["?a=/b&c", "?a?b", "?", "?a=%2Fb+c"]);
        story.get(stand, &format!("{}{query}", stand.target));
    }),
    // A place whose name begins with the name of this one, or differs in one byte.
    deed(2, |story, scene, stand, _| {
        story.get(stand, scene.pick::<String>(3, &names::neighbors(&stand.path)));
    }),
    // The same path in other letters.
    deed(1, |story, _, stand, _| story.get(stand, &names::swapped_case(&stand.path))),
    // The path in another spelling: escapes, doubled slashes, dot segments.
    deed(1, |story, scene, stand, _| {
        story.get(stand, scene.pick::<String>(3, &names::respelled(&stand.path)));
    }),
    // A place above it.
    deed(2, |story, _, stand, _| story.get(stand, &names::above(&stand.path))),
    deed(1, |story, _, stand, _| story.get(stand, "/")),
    deed(2, |story, scene, stand, _| {
        let (slug, _) = story.moving(scene);
        let page = scene.pick(3, &["/-/about", "/-/dashboard", ""]);
        story.get(stand, &format!("/organizations/{slug}{page}"));
    }),
    deed(1, |story, scene, stand, _| {
        let query = scene.pick(3, &["", "?redirect_to=%2Fx%3Fy&a=b+c"]);
        story.get(stand, &format!("/users/sign_in{query}"));
    }),
    // A project by its id.
    deed(3, |story, scene, stand, _| {
        let id = story.project_id(scene);
        let rest = scene.pick(4, &["", "/issues"]);
        story.get(stand, &format!("/api/v4/projects/{id}{rest}"));
    }),
    // A project by its escaped path, through the API.
    deed(1, |story, scene, stand, _| {
        let escaped = stand.place.name().replace('%', "%25").replace('/', "%2F");
        let known = ["gitlab-org%2Fgitlab", "my-company%2Fhandbook", &escaped];
        story.get(stand, &format!("/api/v4/projects/{}", scene.pick(3, &known)));
    }),
    deed(1, |story, scene, stand, _| story.graphql(scene, stand)),
    deed(1, |story, scene, stand, _| {
        let assets = ["/assets/application-0f3c.css", "/favicon.ico", "/-/emojis/3/a.json"];
        story.get(stand, scene.pick::<&str>(3, &assets));
    }),
    deed(1, |story, scene, _, _| story.admin(scene)),
    // The learn path, or one that looks like it.
    deed(1, |story, scene, stand, _| {
        story.get(stand, scene.pick::<String>(3, &names::near_learn()));
    }),
    // A path that nobody owns.
    deed(1, |story, _, stand, _| story.get(stand, &format!("/nobody-owns-this{}", stand.path))),
    deed(1, |story, scene, stand, _| story.new_endpoint(scene, stand)),
    deed(1, |story, _, stand, _| story.circle(stand)),
    deed(1, |story, _, stand, _| story.method(stand, "HEAD")),
    deed(1, |story, _, stand, _| story.method(stand, "DELETE")),
    deed(2, |story, scene, stand, _| story.other_method(scene, stand)),
    deed(2, |story, scene, stand, _| {
        let method = scene.pick(3, &["POST", "POST", "PATCH", "PUT", "DELETE"]);
        story.body(stand, method, 100, Framing::Plain);
    }),
    // A body as large as the limit of the buffer, or one byte smaller.
    deed(1, |story, scene, stand, _| {
        story.world.max_body = Some(BODY_LIMIT);
        let length = *scene.pick(3, &[BODY_LIMIT, BODY_LIMIT - 1]);
        story.body(stand, "PUT", length, Framing::Plain);
    }),
    // A body that is larger.
    deed(1, |story, scene, stand, _| {
        story.world.max_body = Some(BODY_LIMIT);
        let length = *scene.pick(3, &[BODY_LIMIT + 1, 2 * BODY_LIMIT]);
        story.body(stand, "PUT", length, Framing::Plain);
    }),
    // One in chunks, small or around the limit.
    deed(1, |story, scene, stand, _| {
        let length = *scene.pick(3, &[300, BODY_LIMIT - 1, BODY_LIMIT, BODY_LIMIT + 1]);
        if length > 300 {
            story.world.max_body = Some(BODY_LIMIT);
        }
        story.body(stand, "POST", length, Framing::InChunks);
    }),
    // One in two halves. Where a router buffers, or no cell can read, nothing shows that the request
    // is under way: the scenario would wait for its limit.
    deed(1, |story, scene, stand, _| {
        if story.world.protocol == Protocol::Buffering || scene.situation.is_trouble() {
            story.body(stand, "PUT", 400, Framing::InChunks);
        } else {
            let (person, target) = (stand.person.clone(), stand.target.clone());
            let flow = Flow::Halves { target, length: 400 };
            story.actions.push(Action::Flow { person, flow });
        }
    }),
    // The two internal fields of cells.
    deed(1, |story, scene, stand, _| story.forge(scene, stand)),
    // Somebody signs in, visits the place, and signs out.
    deed(1, |story, scene, stand, _| story.sign_in(stand, scene.situation.is_trouble())),
    deed(1, |story, scene, _, _| story.create_group(scene)),
    deed(2, |story, scene, stand, _| story.create_namespace(scene, stand)),
    deed(1, |story, scene, stand, _| story.create_project(scene, stand)),
    deed(2, |story, scene, stand, _| story.rename(scene, stand)),
    // Several visits at once.
    deed(1, |story, scene, stand, _| {
        story.actions.push(Action::Begin {
            person: stand.person.clone(),
            request: RequestKind::Visit { target: stand.target.clone() },
            times: *scene.pick(3, &[2, 3, 5]),
            until: Until::Ended,
        });
    }),
    // A visit through the router of another region.
    deed(1, |story, scene, stand, _| {
        let region = scene.pick(3, &story.world.routers).clone();
        let request = RequestKind::Target { target: stand.target.clone() };
        story.send(&stand.person, request, Route::Router(region));
    }),
    // A visit whose response, or pre-flight, is held while the next deed happens.
    with_cells(1, |story, scene, stand, _| _ = story.begin(scene, &stand.path, "nina", false)),
    with_cells(1, |story, scene, stand, _| _ = story.begin(scene, &stand.path, "nina", true)),
    with_cells(1, |story, scene, stand, _| story.release_in_order(scene, stand)),
    with_cells(1, |story, scene, stand, _| story.leave(scene, stand)),
    // Somebody ends the connection within a body.
    with_cells(1, |story, scene, stand, _| {
        let framings =
            ["Transfer-Encoding: chunked\n\n32\nhello\\\n", "Content-Length: 50\n\nhello\\\n"];
        let text = format!(
            "\nPOST {} HTTP/1.1\nHost: {{host}}\n{CONFORMANCE_ID}: {{id}}\n{}",
            stand.target,
            scene.pick(3, &framings)
        );
        let person = stand.person.clone();
        story.actions.push(Action::RawBytes { person, text, half_close: true });
        story.get(stand, &stand.target);
    }),
    Deed {
        weight: 2,
        needs: Needs::Organization,
        act: |story, scene, _, moved| story.moves(scene, moved),
    },
    with_cells(1, |story, scene, stand, _| {
        let cell = scene.pick(3, &story.world.cells).clone();
        story.act(WorldAction::RestartCell(cell));
        story.get(stand, &stand.target);
    }),
    deed(8, |story, scene, stand, _| story.wander(scene, stand)),
    deed(6, |story, scene, stand, _| story.twins(scene, stand)),
    deed(4, |story, scene, stand, _| story.exact(scene, stand)),
    deed(3, |story, scene, stand, _| story.fixed(scene, stand)),
    deed(1, |story, scene, stand, _| story.often(scene, stand)),
    deed(3, |story, scene, stand, _| story.first_by_other(scene, stand)),
    deed(2, |story, scene, stand, _| story.with_token(scene, stand)),
    deed(1, |story, scene, stand, _| story.post_form(scene, stand)),
    deed(2, |story, scene, stand, _| story.put_large(scene, stand)),
    with_cells(4, |story, scene, stand, moved| story.while_held(scene, stand, moved)),
    deed(1, |story, _, _, _| story.pass_time()),
    deed(4, |story, scene, stand, _| story.client_fields(scene, stand)),
    deed(2, |story, scene, stand, _| story.expect_continue(scene, stand)),
    deed(4, |story, scene, stand, _| story.share_connection(scene, stand)),
    with_cells(3, |story, scene, _, _| story.upload_together(scene)),
    deed(14, |story, scene, stand, _| story.by_hand(scene, stand)),
    with_cells(8, |story, scene, stand, _| story.cell_by_hand(scene, stand)),
    deed(7, |story, scene, stand, _| story.asks_for_parts(scene, stand)),
    deed(14, |story, scene, stand, _| story.odd_forms(scene, stand)),
];
