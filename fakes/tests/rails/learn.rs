//! The learn endpoint about rows that the population of the documents does not have. What it says
//! about the others is in `answers`.

use cell_fleet::population::{PlannedRoute, Visibility};
use cell_fleet::{CellId, FleetPlan, Protocol};
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
