//! The content of pages.

use cell_fleet::{CellId, Protocol};

use crate::support::{PROTOCOLS, Site, cell};

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
