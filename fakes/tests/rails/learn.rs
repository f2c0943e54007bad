//! The learn endpoint: the same response from every cell.

use cell_fleet::population::{PlannedRoute, Visibility};
use cell_fleet::{CellId, FleetPlan, Protocol, Version};
use serde_json::{Value, json};

use crate::support::{Ask, LEARN, Site, cell};

async fn learned(site: &Site, asked: &CellId, path_info: &str) -> Option<Value> {
    let ask = Ask::get(&format!("{LEARN}?method=GET&path_info={path_info}"));
    let response = site.ask(asked, &ask).await;
    match response.status.as_u16() {
        200 => Some(serde_json::from_str(&response.body).unwrap()),
        404 => None,
        other => panic!("{path_info} at {asked}: {other}"),
    }
}

async fn everywhere(site: &Site, path_info: &str, expected: Option<Value>) {
    for asked in &site.cells {
        assert_eq!(learned(site, asked, path_info).await, expected, "{path_info} at {asked}");
    }
}

fn routable(path: &str, cell: &str) -> Option<Value> {
    Some(json!({ "path": path, "cell": cell, "source": "routable" }))
}

fn fixed(path: &str, cell: &str) -> Option<Value> {
    Some(json!({ "path": path, "cell": cell, "source": "fixed" }))
}

fn exact(response: Option<Value>) -> Option<Value> {
    response.map(|mut response| {
        response["exact"] = true.into();
        response
    })
}

#[tokio::test]
async fn every_cell_gives_the_same_response() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    for (path, expected) in [
        ("/my-company/my-project", routable("/my-company", "cell_eu0")),
        ("%2Fmy-company%2Fmy-project", routable("/my-company", "cell_eu0")),
        ("/my-company", routable("/my-company", "cell_eu0")),
        ("/my-company/nothing", routable("/my-company", "cell_eu0")),
        ("/gitlab-org/gitlab", routable("/gitlab-org", "cell_us0")),
        ("/gitlab-org/gitlab-test/-/issues", routable("/gitlab-org/gitlab-test", "cell_us0")),
        ("/not-my-company/not-my-project", routable("/not-my-company", "cell_us1")),
        (
            "/organizations/my-organization/-/dashboard",
            routable("/organizations/my-organization", "cell_eu0"),
        ),
        (
            "/organizations/my-organization/groups",
            routable("/organizations/my-organization", "cell_eu0"),
        ),
        (
            "/api/organizations/my-organization/graphql",
            routable("/api/organizations/my-organization", "cell_eu0"),
        ),
        ("/api/v4/projects/5001", exact(routable("/api/v4/projects/5001", "cell_eu0"))),
        (
            "/api/v4/projects/my-company%252Fmy-project",
            exact(routable("/api/v4/projects/my-company%2Fmy-project", "cell_eu0")),
        ),
        ("/dashboard", routable("/dashboard", "cell_us0")),
        ("/users/sign_in", fixed("/users", "cell_eu0")),
        ("/users/sign_up", fixed("/users", "cell_eu0")),
        ("/-/profile", exact(fixed("/-/profile", "cell_us0"))),
        ("/-/user_settings", exact(fixed("/-/user_settings", "cell_us0"))),
        ("/groups/new", fixed("/groups", "cell_us0")),
        ("/admin", exact(fixed("/admin", "cell_us0"))),
        ("/admin/cells/cell_eu1/projects", fixed("/admin/cells/cell_eu1", "cell_eu1")),
        ("/admin/cells/cell_0", fixed("/admin/cells/cell_0", "cell_us0")),
        ("/", None),
        ("/nobody/nothing", None),
        ("/my-company-2", None),
        ("/my%252Dcompany", None),
        ("/-/profile/", None),
        ("/api/v4/projects/999", None),
        ("/api/graphql", None),
        ("/search", exact(fixed("/search", "cell_us0"))),
        ("/search/autocomplete", None),
        ("%FF", None),
        ("", None),
    ] {
        everywhere(&site, path, expected).await;
    }
}

#[tokio::test]
async fn both_documented_paths_respond_without_a_user() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    for path in [LEARN, "/api/v4/cells/learn"] {
        let target = format!("{path}?path_info=/my-company&method=POST");
        let plain = site.get(&cell("celleu1"), &target, None).await;
        assert_eq!(plain.status.as_u16(), 200);
        assert_eq!(site.get(&cell("celleu1"), &target, Some("gabe")).await, plain);
        assert_eq!(
            site.get(&cell("celleu1"), &format!("{path}?path_info=/x"), None).await.status.as_u16(),
            400
        );
    }
    assert_eq!(site.writes(), []);
    assert!(
        site.accesses()
            .iter()
            .all(|access| access.schema == "gitlab_routes" && access.server == "replica eu")
    );
}

#[tokio::test]
async fn the_plan_chooses_the_sign_in_cell() {
    let plan =
        FleetPlan { sign_in_cell: CellId::us(0), ..FleetPlan::documents(Protocol::Learning) };
    everywhere(&Site::planned(plan).await, "/users/sign_in", fixed("/users", "cell_us0")).await;
}

#[tokio::test]
async fn a_learn_response_has_the_path_of_any_row_unchanged() {
    let mut plan = FleetPlan::documents(Protocol::Learning);
    let population = &mut plan.population;
    let route = |path: &str, cell, exact| PlannedRoute { path: path.to_owned(), cell, exact };
    population.add_route(route("/x!y/~z", CellId::us(1), false));
    population.add_route(route("/x!y/~z/deeper", CellId::eu(1), false));
    population.add_route(route("/caf%C3%A9", CellId::eu(0), false));
    population.add_route(route("/once", CellId::eu(0), true));
    let site = Site::planned(plan).await;
    everywhere(&site, "/x!y/~z/1", routable("/x!y/~z", "cell_us1")).await;
    everywhere(&site, "/x!y/~z/deeper/1", routable("/x!y/~z/deeper", "cell_eu1")).await;
    everywhere(&site, "/x!y/~zz", None).await;
    everywhere(&site, "/caf%25C3%25A9/x", routable("/caf%C3%A9", "cell_eu0")).await;
    everywhere(&site, "/once", exact(routable("/once", "cell_eu0"))).await;
    everywhere(&site, "/once/more", None).await;
    for path in ["/x!y/~z/1", "/x!y/~z"] {
        assert_eq!(site.get(&CellId::us(1), path, None).await.status.as_u16(), 200, "{path}");
        let elsewhere = site.get(&CellId::us(0), path, Some("anna")).await;
        assert_eq!(elsewhere.status.as_u16(), 404, "{path}");
    }
}

#[tokio::test]
async fn a_group_on_two_cells_is_never_learned_as_one_prefix() {
    let mut plan = FleetPlan::documents(Protocol::Learning);
    let population = &mut plan.population;
    population.add_namespace("split", CellId::eu(0), Visibility::Public);
    population.add_project("split/here", "Here", Visibility::Public).unwrap();
    population.add_project("split/there", "There", Visibility::Public).unwrap().cell =
        Some(CellId::us(1));
    let site = Site::planned(plan).await;
    everywhere(&site, "/split/here/-/issues", routable("/split/here", "cell_eu0")).await;
    everywhere(&site, "/split/there", routable("/split/there", "cell_us1")).await;
    everywhere(&site, "/split", exact(routable("/split", "cell_eu0"))).await;
    everywhere(&site, "/split/nothing", exact(routable("/split/nothing", "cell_eu0"))).await;
    assert_eq!(site.get(&CellId::us(1), "/split/there", None).await.heading(), "There");
}

#[tokio::test]
async fn an_older_cell_names_the_latest_cell_for_a_path_that_it_cannot_decode() {
    let mut plan = FleetPlan::documents(Protocol::Learning);
    plan.population.add_endpoint("/-/new", Version::LATEST);
    plan.older.insert(CellId::eu(1), Version::OLDER);
    let site = Site::planned(plan).await;
    everywhere(&site, "/-/new", exact(fixed("/-/new", "cell_us0"))).await;
    assert_eq!(
        learned(&site, &CellId::eu(1), "/-/nothing").await,
        exact(fixed("/-/nothing", "cell_us0"))
    );
    assert_eq!(learned(&site, &CellId::eu(0), "/-/nothing").await, None);
    assert_eq!(site.get(&CellId::us(0), "/-/new", None).await.status.as_u16(), 200);
}
