//! The content of pages.

use cell_fleet::population::Visibility;
use cell_fleet::{CellId, FleetPlan, Protocol};

use crate::support::{PROTOCOLS, Site, cell};

#[tokio::test]
async fn pages_have_the_headings_of_the_documents() {
    let site = Site::of_the_documents(Protocol::Learning).await;
    for (at, path, who, heading) in [
        ("celleu0", "/my-company/my-project", Some("anna"), "My Project"),
        ("celleu0", "/my-company/my-other-project", Some("anna"), "My Other Project"),
        ("cellus0", "/gitlab-org/gitlab", None, "GitLab.org / GitLab"),
        (
            "celleu0",
            "/organizations/my-organization/-/dashboard",
            Some("anna"),
            "My Company Dashboard",
        ),
        (
            "cellus1",
            "/organizations/not-my-organization/-/dashboard",
            Some("nina"),
            "Not My Organization Dashboard",
        ),
        ("cellus0", "/dashboard", Some("gabe"), "Dashboard"),
        ("celleu0", "/users/sign_in", None, "Sign in"),
        ("cellus0", "/admin/cells/cellus0", Some("olga"), "Admin Area"),
    ] {
        assert_eq!(site.get(&cell(at), path, who).await.heading(), heading, "{path}");
    }
}

#[tokio::test]
async fn members_see_their_organization_and_what_is_incomplete_elsewhere() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let own = site.get(&cell("celleu0"), "/my-company/my-project", Some("anna")).await;
    assert!(own.shows("<p>Organization: My Organization</p>"));
    assert!(own.shows("<span id=\"todos\">3</span>"));
    assert_eq!(own.notices(), Vec::<&str>::new());
    let foreign = site.get(&cell("cellus0"), "/gitlab-org/gitlab", Some("anna")).await;
    assert!(foreign.shows("<p>Organization: GitLab.com Public</p>"));
    // The counters leave out her own organization (OR-10, OR-12), and the page says so (OR-11).
    assert!(foreign.shows("<span id=\"todos\">0</span>"));
    assert!(foreign.notices()[0].contains("outside of your default organization, My Organization"));
    let dashboard = site
        .get(&cell("celleu0"), "/organizations/my-organization/-/dashboard", Some("anna"))
        .await;
    assert!(dashboard.notices()[0].contains("data of My Organization only"));
    assert!(dashboard.shows("/my-company/my-project") && !dashboard.shows("gitlab-org"));
}

#[tokio::test]
async fn legacy_users_see_no_organization_until_they_visit_one() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    for path in ["/dashboard", "/gitlab-org/gitlab"] {
        let page = site.get(&cell("cellus0"), path, Some("gabe")).await;
        assert!(!page.shows("Organization:") && page.notices().is_empty(), "{path}");
        assert!(page.shows("<span id=\"merge-requests\">4</span>"), "{path}");
    }
    for path in ["/my-company/handbook", "/organizations/my-organization/-/dashboard"] {
        let page = site.get(&cell("celleu0"), path, Some("gabe")).await;
        assert!(page.shows("Organization: My Organization"), "{path}");
        assert!(page.notices()[0].contains("data may be missing"), "{path}");
        assert!(!page.shows("my-project"), "{path}");
    }
}

#[tokio::test]
async fn the_global_dashboard_shows_what_the_legacy_cell_has_and_the_user_may_see() {
    let mut plan = FleetPlan::documents(Protocol::Buffering);
    plan.population.add_organization("ours", "Ours", CellId::us(0));
    plan.population.add_namespace("of-ours", "ours", Visibility::Public);
    plan.population.add_namespace(
        "public-2",
        cell_fleet::population::Home::Public,
        Visibility::Public,
    );
    plan.population.add_namespace(
        "secret",
        cell_fleet::population::Home::Public,
        Visibility::Private,
    );
    let site = Site::planned(plan).await;
    let page = site.get(&cell("cellus0"), "/dashboard", Some("gabe")).await;
    // An organization of the legacy cell is part of it (OR-03).
    assert!(page.shows("/gitlab-org") && page.shows("/public-2") && page.shows("/of-ours"));
    assert!(!page.shows("/secret") && !page.shows("/my-company"));
}

#[tokio::test]
async fn only_the_admin_area_names_cells() {
    for protocol in PROTOCOLS {
        let site = Site::of_the_documents(protocol).await;
        for path in [
            "/",
            "/dashboard",
            "/organizations/my-organization/-/dashboard",
            "/my-company",
            "/my-company/my-project",
            "/gitlab-org/gitlab",
            "/users/sign_in",
            "/users/sign_up",
            "/groups/new",
            "/-/user_settings",
            "/-/profile",
            "/search?search=gitlab-org",
            "/api/graphql",
            "/api/v4/projects/5001",
            "/nobody",
        ] {
            for who in [None, Some("anna"), Some("gabe"), Some("olga")] {
                for asked in &site.cells {
                    let response = site.get(asked, path, who).await;
                    let internal = |name: &str| {
                        name == "x-gitlab-cell-redirect" || (name == "x-gitlab-cell-cache")
                    };
                    let fields = response
                        .fields
                        .iter()
                        .filter(|(name, _)| !internal(name))
                        .map(|(_, value)| value.as_str());
                    for text in fields.chain([response.body.as_str()]) {
                        let text = text.to_lowercase();
                        for name in site
                            .cells
                            .iter()
                            .flat_map(|cell| [cell.name().to_lowercase(), cell.id(), cell.slug()])
                        {
                            assert!(
                                !text.contains(&name),
                                "{path} at {asked} by {who:?} says {name}"
                            );
                        }
                    }
                }
            }
        }
    }
}

#[tokio::test]
async fn shared_pages_are_the_same_on_every_cell_and_bind_no_cast() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    site.casting.arm(CellId::eu(1), vec![CellId::eu(0), CellId::eu(1)], 0);
    for path in [
        "/users/sign_in",
        "/groups/new",
        "/-/user_settings",
        "/search?search=gitlab-org",
        "/api/graphql",
        "/my-company",
    ] {
        let who = (path != "/users/sign_in" && path != "/my-company").then_some("anna");
        let response = site.get(&cell("celleu0"), path, who).await;
        for asked in &site.cells {
            assert_eq!(site.get(asked, path, who).await, response, "{path} at {asked}");
        }
    }
    assert!(site.casting.roles().is_empty());
    // The first response that depends on ownership binds the cast: the asked cell plays EU1, and
    // the other cell is the owner.
    let response = site.get(&cell("celleu0"), "/my-company/my-project", Some("anna")).await;
    assert_eq!(response.field("x-gitlab-cell-redirect"), Some("{cell:Cell EU1}"));
    assert_eq!(
        site.get(&cell("celleu1"), "/my-company/my-project", Some("anna")).await.heading(),
        "My Project"
    );
}

#[tokio::test]
async fn search_and_autocomplete_do_not_break() {
    let site = Site::of_the_documents(Protocol::Buffering).await;
    let found =
        site.get(&cell("cellus0"), "/search?search=gitlab-org%2Fgitlab", Some("gabe")).await;
    assert!(found.shows("<a href=\"/gitlab-org/gitlab\">"));
    assert!(
        !site
            .get(&cell("cellus0"), "/search?search=my-company", Some("gabe"))
            .await
            .shows("<a href=\"/my-company\">")
    );
    let hostile =
        site.get(&cell("cellus0"), "/search?search=%22%3E%3Cscript%3E", Some("gabe")).await;
    assert!(!hostile.shows("<script>"));
    let suggested =
        site.get(&cell("celleu1"), "/search/autocomplete?term=dash", Some("anna")).await;
    assert_eq!(suggested.body, r#"[{"label":"Dashboard","url":"/"}]"#);
}
