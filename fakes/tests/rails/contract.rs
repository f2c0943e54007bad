//! The contract's table of responses, row by row, from the owner and from the other cells.

use axum::http::{Method, StatusCode};
use cell_fleet::{CellId, FleetPlan, LoginBy, Protocol, Version};

use crate::support::{Ask, CACHE, LEARN, PROTOCOLS, REDIRECT, Response, Site, cell};

/// The response of a cell.
enum Expected<'e> {
    /// A response of its own: the status, and the prefix of the cache header.
    Serves(u16, Option<&'static str>),
    /// A redirect of the user: the target, and the prefix of the cache header.
    Sends(&'e str, Option<&'static str>),
    /// A redirect of the router to the owner.
    Bounces(&'static str),
    /// A 404.
    Missing,
}
use Expected::{Bounces, Missing, Sends, Serves};

async fn holds(site: &Site, asked: &str, target: &str, who: Option<&str>, expected: Expected<'_>) {
    let response = site.get(&cell(asked), target, who).await;
    check(&response, &format!("{target} at {asked} by {who:?}"), target, expected);
}

fn check(response: &Response, what: &str, target: &str, expected: Expected<'_>) {
    let cached = |prefix: &str| format!("{{path_prefix:{prefix}}}");
    let (status, location, redirect, cache) = match expected {
        Serves(status, prefix) => (status, None, None, prefix.map(cached)),
        Sends(to, prefix) => (302, Some(to), None, prefix.map(cached)),
        Bounces(owner) => (302, Some(target), Some(format!("{{cell:{owner}}}")), None),
        Missing => (404, None, None, None),
    };
    assert_eq!(response.status.as_u16(), status, "{what}: {response:?}");
    assert_eq!(response.field("location"), location, "{what}");
    assert_eq!(response.field(REDIRECT), redirect.as_deref(), "{what}");
    assert_eq!(response.field(CACHE), cache.as_deref(), "{what}");
}

#[tokio::test]
async fn buffering_row_by_row() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let (anna, gabe, olga) = (Some("anna"), Some("gabe"), Some("olga"));
    let organization = "/organizations/my-organization/-/dashboard";
    for asked in ["cellus0", "cellus1", "celleu0", "celleu1"] {
        holds(&site, asked, "/", anna, Sends(organization, None)).await;
        holds(&site, asked, "/", gabe, Sends("/dashboard", None)).await;
        holds(&site, asked, "/", None, Sends("/users/sign_in?redirect=/", None)).await;
        holds(&site, asked, "/dashboard", anna, Sends(organization, None)).await;
        holds(&site, asked, "/dashboard", None, Sends("/users/sign_in?redirect=/dashboard", None))
            .await;
        for path in
            ["/users/sign_in", "/users/sign_up", "/search/autocomplete?term=d", "/api/graphql"]
        {
            holds(&site, asked, path, None, Serves(200, None)).await;
        }
        holds(&site, asked, "/search", anna, Sends(organization, None)).await;
        holds(&site, asked, "/search", None, Sends("/users/sign_in?redirect=/search", None)).await;
        for path in ["/-/user_settings", "/-/profile", "/groups/new"] {
            holds(&site, asked, path, anna, Serves(200, None)).await;
        }
        let own_area = [
            "/admin/cells/cellus0",
            "/admin/cells/cellus1",
            "/admin/cells/celleu0",
            "/admin/cells/celleu1",
        ];
        let own_area = own_area.into_iter().find(|path| path.ends_with(asked)).unwrap();
        holds(&site, asked, "/admin", olga, Sends(own_area, None)).await;
        holds(&site, asked, "/admin", anna, Missing).await;
        for path in [
            "/nobody",
            "/nobody/nothing",
            "/-/nothing",
            "/api/v4/nothing",
            "/organizations/nobody/-/dashboard",
            LEARN,
        ] {
            holds(&site, asked, path, anna, Missing).await;
        }
        holds(&site, asked, "/api/v4/projects/999", anna, Missing).await;
    }
    for (asked, owner) in [("celleu1", "celleu0"), ("celleu0", "celleu0"), ("cellus1", "celleu0")] {
        for (path, who, prefix) in [
            (organization, anna, Some("/organizations/my-organization/")),
            ("/organizations/my-organization", gabe, Some("/organizations/my-organization/")),
            (
                "/api/organizations/my-organization/graphql",
                anna,
                Some("/api/organizations/my-organization/"),
            ),
            ("/my-company/my-project", anna, Some("/my-company/")),
            ("/my-company/my-project/", anna, Some("/my-company/")),
            ("/my-company/my-project/-/blob//a/./b%2Fc?x=", anna, Some("/my-company/")),
            ("/my-company/my-other-project", anna, Some("/my-company/")),
            ("/my-company", anna, Some("/my-company/")),
            ("/my-company/", anna, Some("/my-company/")),
            ("/my-company/handbook", None, Some("/my-company/")),
            ("/api/v4/projects/5001", anna, None),
            ("/api/v4/projects/my-company%2Fmy-other-project", anna, None),
        ] {
            let expected = if asked == owner { Serves(200, prefix) } else { Bounces("Cell EU0") };
            holds(&site, asked, path, who, expected).await;
        }
        for (path, who) in [
            ("/my-company/my-project", gabe),
            ("/my-company/nothing", anna),
            ("/api/v4/projects/5001", gabe),
        ] {
            let expected = if asked == owner { Missing } else { Bounces("Cell EU0") };
            holds(&site, asked, path, who, expected).await;
        }
    }
    for path in ["/gitlab-org/gitlab", "/gitlab-org", "/gitlab-org/gitlab-test/-/issues/1"] {
        holds(&site, "celleu0", path, None, Bounces("Cell US0")).await;
        holds(&site, "cellus0", path, None, Serves(200, Some("/gitlab-org/"))).await;
    }
    holds(&site, "cellus1", "/dashboard", gabe, Bounces("Cell US0")).await;
    holds(&site, "cellus0", "/dashboard", gabe, Serves(200, None)).await;
    holds(&site, "celleu1", "/search", gabe, Bounces("Cell US0")).await;
    holds(&site, "cellus0", "/search", gabe, Serves(200, None)).await;
    holds(
        &site,
        "celleu0",
        "/my-company/my-project",
        None,
        Sends("/users/sign_in?redirect=/my-company/my-project", None),
    )
    .await;
    holds(
        &site,
        "celleu1",
        "/my-company/my-project",
        None,
        Sends("/users/sign_in?redirect=/my-company/my-project", None),
    )
    .await;
}

#[tokio::test]
async fn learning_row_by_row() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    let (anna, gabe, olga) = (Some("anna"), Some("gabe"), Some("olga"));
    let organization = "/organizations/my-organization/-/dashboard";
    for (owner, path, who, status) in [
        ("cellus0", "/dashboard", gabe, 200),
        ("celleu0", "/users/sign_in", gabe, 200),
        ("celleu0", "/users/sign_up", gabe, 200),
        ("cellus0", "/-/profile", anna, 200),
        ("cellus0", "/-/user_settings", anna, 200),
        ("cellus0", "/groups/new", anna, 200),
        ("celleu1", "/admin/cells/celleu1/projects", olga, 200),
        ("celleu1", "/admin/cells/cell_eu1/projects", olga, 200),
        ("cellus0", "/admin/cells/cell_0/projects", olga, 200),
        ("celleu0", organization, anna, 200),
        ("celleu0", "/api/organizations/my-organization/graphql", anna, 200),
        ("celleu0", "/my-company/my-project", anna, 200),
        ("celleu0", "/my-company/my-project", gabe, 404),
        ("cellus0", "/gitlab-org/gitlab", gabe, 200),
        ("celleu0", "/api/v4/projects/5001", anna, 200),
    ] {
        for asked in ["cellus0", "cellus1", "celleu0", "celleu1"] {
            let expected = if asked == owner { Serves(status, None) } else { Missing };
            holds(&site, asked, path, who, expected).await;
        }
    }
    for asked in ["cellus0", "cellus1", "celleu0", "celleu1"] {
        holds(&site, asked, "/", anna, Sends(organization, None)).await;
        holds(&site, asked, "/", None, Sends("/users/sign_in?redirect=/", None)).await;
        for path in ["/api/graphql", "/search/autocomplete"] {
            holds(&site, asked, path, gabe, Serves(200, None)).await;
        }
        let expected = if asked == "cellus0" { Serves(200, None) } else { Missing };
        holds(&site, asked, "/search", gabe, expected).await;
    }
    holds(&site, "cellus0", "/search", anna, Sends(organization, None)).await;
    holds(&site, "cellus0", "/dashboard", anna, Sends(organization, None)).await;
    holds(&site, "cellus0", "/dashboard/projects", anna, Sends(organization, None)).await;
    holds(&site, "cellus0", "/admin", olga, Sends("/admin/cells/cellus0", None)).await;
    holds(&site, "celleu1", "/admin", olga, Missing).await;
    holds(
        &site,
        "celleu0",
        "/my-company/my-project",
        None,
        Sends("/users/sign_in?redirect=/my-company/my-project", None),
    )
    .await;
    // No cell has a 404 page for visitors, whoever owns the path.
    for asked in ["cellus0", "celleu1"] {
        let sign_in = Sends("/users/sign_in?redirect=/my-company/handbook", None);
        holds(&site, asked, "/my-company/handbook", None, sign_in).await;
        holds(&site, asked, "/api/v4/projects/5003", None, Missing).await;
    }
}

#[tokio::test]
async fn the_plan_chooses_which_cell_redirects_to_sign_in() {
    let plan = |protocol, by| FleetPlan { login_by: Some(by), ..FleetPlan::documents(protocol) };
    let target = "/my-company/my-project";
    let sign_in = || Sends("/users/sign_in?redirect=/my-company/my-project", None);
    let site = Site::planned(plan(Protocol::Buffering, LoginBy::Owner)).await;
    holds(&site, "celleu1", target, None, Bounces("Cell EU0")).await;
    holds(&site, "celleu0", target, None, sign_in()).await;
    let site = Site::planned(plan(Protocol::Learning, LoginBy::AskedCell)).await;
    holds(&site, "celleu1", target, None, sign_in()).await;
    holds(&site, "celleu0", target, None, sign_in()).await;
}

#[tokio::test]
async fn endpoints_that_only_the_latest_version_decodes() {
    let mut plan = FleetPlan::documents(Protocol::Buffering);
    plan.population.add_endpoint("/-/new", Version::LATEST);
    plan.population.add_endpoint("/-/newer", Version::LATEST).owner = Some(CellId::eu(0));
    plan.older.insert(CellId::eu(1), Version::OLDER);
    let site = Site::planned(plan).await;
    for path in ["/-/new", "/-/newer"] {
        holds(&site, "celleu1", path, None, Bounces("Cell US0")).await;
    }
    holds(&site, "cellus0", "/-/new", None, Serves(200, None)).await;
    // The latest cell redirects to the owner (UN-03).
    holds(&site, "cellus0", "/-/newer", None, Bounces("Cell EU0")).await;
    holds(&site, "celleu0", "/-/newer", None, Serves(200, None)).await;
    // An older cell redirects to the latest what it cannot decode (UN-01), where it is a 404
    // (UN-08). It decodes a name that only a namespace can have.
    holds(&site, "celleu1", "/-/nothing", None, Bounces("Cell US0")).await;
    let anna = Some("anna");
    holds(&site, "cellus0", "/-/nothing", anna, Missing).await;
    holds(&site, "celleu1", "/nobody", anna, Missing).await;
}

#[tokio::test]
async fn a_private_path_and_a_missing_one_get_the_same_response() {
    for protocol in PROTOCOLS {
        let site = Site::of_the_documents(protocol).await;
        for (private, missing) in [
            ("/not-my-company/not-my-project", "/not-my-company/nothing"),
            ("/not-my-company/not-my-project", "/nobody/nothing"),
            ("/not-my-company", "/nobody"),
            ("/api/v4/projects/5101", "/api/v4/projects/999"),
            ("/admin/cells/cellus1", "/admin/cells/cellap7"),
        ] {
            let (at, anna) = (cell("cellus1"), Some("anna"));
            let (private, missing) =
                (site.get(&at, private, anna).await, site.get(&at, missing, anna).await);
            assert_eq!(private.status, StatusCode::NOT_FOUND);
            assert_eq!(private, missing);
        }
    }
}

#[tokio::test]
async fn a_visitor_is_sent_to_sign_in_from_a_missing_path_as_from_a_private_one() {
    for (protocol, by) in [
        (Protocol::Buffering, LoginBy::AskedCell),
        (Protocol::Buffering, LoginBy::Owner),
        (Protocol::Learning, LoginBy::AskedCell),
        (Protocol::Learning, LoginBy::Owner),
    ] {
        let plan = FleetPlan { login_by: Some(by), ..FleetPlan::documents(protocol) };
        let site = Site::planned(plan).await;
        for path in [
            "/not-my-company/not-my-project",
            "/not-my-company/nothing",
            "/not-my-company",
            "/nobody",
            "/nobody/nothing",
            "/organizations/nobody/-/dashboard",
            "/admin/cells/cellap7",
            "/users/nothing",
            "/-/nothing",
        ] {
            let sign_in = format!("/users/sign_in?redirect={path}");
            holds(&site, "cellus1", path, None, Sends(&sign_in, None)).await;
        }
        for path in ["/api/v4/projects/5101", "/api/v4/projects/999", "/api/v4/nothing"] {
            holds(&site, "cellus1", path, None, Missing).await;
        }
        let git = site.get(&cell("cellus1"), "/nobody/nothing.git/info/refs", None).await;
        assert_eq!(git.status, StatusCode::UNAUTHORIZED);
    }
}

#[tokio::test]
async fn a_redirect_to_the_owner_has_no_side_effect_and_keeps_the_target() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let form = [("path", "new-company"), ("visibility", "public")];
    let target = "/organizations/my-organization/groups?a=%2F&b=";
    let response = site.post(&cell("cellus1"), target, &form, Some("anna")).await;
    check(&response, "a form at another cell", target, Bounces("Cell EU0"));
    assert_eq!(response.field("set-cookie"), None);
    assert_eq!(site.writes(), []);
    assert_eq!(site.installation.owner_of("/new-company").await.unwrap(), None);
}

#[tokio::test]
async fn every_method_reaches_a_page_and_its_body_is_read() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        let mut ask = Ask {
            method,
            body: "x".repeat(3 << 20),
            ..Ask::get("/my-company/my-project/-/issues")
        };
        ask = site.as_user(ask, Some("anna")).await;
        let response = site.ask(&cell("celleu0"), &ask).await;
        check(&response, "a write", &ask.target, Serves(200, Some("/my-company/")));
        assert!(response.shows(&format!("{} of 3145728 bytes received.", ask.method)));
        check(
            &site.ask(&cell("cellus0"), &ask).await,
            "a write elsewhere",
            &ask.target,
            Bounces("Cell EU0"),
        );
    }
    let head = Ask { method: Method::HEAD, ..Ask::get("/gitlab-org/gitlab") };
    let response = site.ask(&cell("cellus0"), &head).await;
    assert_eq!((response.status, response.body.as_str()), (StatusCode::OK, ""));
}

#[tokio::test]
async fn a_single_cell_serves_everything() {
    for protocol in PROTOCOLS {
        let mut plan = FleetPlan::documents(protocol);
        plan.topology.cells.truncate(1);
        let site = Site::planned(plan).await;
        for (path, who, heading) in [
            ("/my-company/my-project", Some("anna"), "My Project"),
            ("/organizations/my-organization/-/dashboard", Some("anna"), "My Company Dashboard"),
            ("/gitlab-org/gitlab", None, "GitLab.org / GitLab"),
            ("/dashboard", Some("gabe"), "Dashboard"),
            ("/users/sign_in", None, "Sign in"),
        ] {
            let response = site.get(&CellId::us(0), path, who).await;
            assert_eq!((response.heading(), response.field(REDIRECT)), (heading, None), "{path}");
        }
    }
}

#[tokio::test]
async fn older_apis_can_be_closed_to_members_of_an_organization() {
    for protocol in PROTOCOLS {
        let site =
            Site::planned(FleetPlan { older_apis_closed: true, ..FleetPlan::documents(protocol) })
                .await;
        for (path, at, who, status) in [
            ("/api/v4/projects/5001", "celleu0", "anna", 403),
            ("/api/v4/projects/278964", "cellus0", "anna", 403),
            ("/api/graphql", "celleu0", "anna", 403),
            ("/api/organizations/my-organization/graphql", "celleu0", "anna", 200),
            ("/api/v4/projects/278964", "cellus0", "gabe", 200),
        ] {
            assert_eq!(
                site.get(&cell(at), path, Some(who)).await.status.as_u16(),
                status,
                "{path} by {who}"
            );
        }
    }
}
